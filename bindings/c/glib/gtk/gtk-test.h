/* What the tests of the models in GTK have in common. */
#ifndef GTK_TEST_H
#define GTK_TEST_H

#include <gtk/gtk.h>

static inline void note_frame(GdkFrameClock *clock, gpointer is_drawn)
{
    (void)clock;
    *(gboolean *)is_drawn = TRUE;
}

/*
 * Runs the main loop until it has nothing to do, and the window, if there is one, has drawn a frame
 * since.
 */
static inline void settle_window(GtkWidget *window)
{
    GdkFrameClock *clock = window != NULL ? gtk_widget_get_frame_clock(window) : NULL;
    gboolean is_drawn = clock == NULL;
    gulong handler = 0;
    while (g_main_context_iteration(NULL, FALSE)) {
    }
    if (clock != NULL) {
        handler = g_signal_connect(clock, "after-paint", G_CALLBACK(note_frame), &is_drawn);
        gdk_frame_clock_request_phase(clock, GDK_FRAME_CLOCK_PHASE_PAINT);
    }
    while (!is_drawn) {
        g_main_context_iteration(NULL, TRUE);
    }
    if (clock != NULL) {
        g_signal_handler_disconnect(clock, handler);
    }
}

static inline void init_test(int *argc, char ***argv)
{
    g_test_init(argc, argv, NULL);
    /* GTK warns of what the machine lacks, for example a session bus. */
    g_log_set_always_fatal(G_LOG_LEVEL_CRITICAL | G_LOG_FATAL_MASK);
    g_setenv("GTK_A11Y", "none", TRUE);
    gtk_init();
}

#endif
