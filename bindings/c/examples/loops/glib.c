/*
 * Tasks in a file, watched in a main loop of GLib: what other processes commit to it is printed.
 *
 *     cc glib.c tasks.c ../../glib/frg-*.c -I../../glib $(pkg-config --cflags --libs fetchedresults
 *     gio-2.0) -o glib ./glib tasks.db
 *     sqlite3 tasks.db "INSERT INTO tasks (title) VALUES ('Buy milk')"    # in another terminal
 */
#include <glib-unix.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "frg-store-source.h"
#include "tasks.h"

/* The source has dispatched. It tries again later by itself if that failed. */
static gboolean dispatched(fr_store *store, fr_status status, gpointer user_data)
{
    (void)store, (void)user_data;
    if (status != FR_OK) {
        g_printerr("%s\n", fr_error_message());
    }
    fflush(stdout);
    return G_SOURCE_CONTINUE;
}

static gboolean typed(gint descriptor, GIOCondition condition, gpointer loop)
{
    (void)descriptor, (void)condition;
    g_main_loop_quit(loop);
    return G_SOURCE_REMOVE;
}

int main(int argc, char **argv)
{
    tasks watched;
    GMainLoop *loop;
    GSource *source;
    if (!tasks_open(&watched, argc > 1 ? argv[1] : "tasks.db")) {
        return EXIT_FAILURE;
    }
    loop = g_main_loop_new(NULL, FALSE);
    source = frg_store_source_new(watched.store, 0);
    g_source_set_callback(source, G_SOURCE_FUNC(dispatched), NULL, NULL);
    g_source_attach(source, NULL);
    g_unix_fd_add(STDIN_FILENO, G_IO_IN | G_IO_HUP, typed, loop);
    g_main_loop_run(loop);
    g_source_destroy(source);
    g_source_unref(source);
    g_main_loop_unref(loop);
    return tasks_close(&watched) ? EXIT_SUCCESS : EXIT_FAILURE;
}
