/* What the tests do with a mailbox. */
#include "play.h"

#include <string.h>

enum { INBOX = 1, LATER, DONE, TRASH };
enum { ENGINE = 1, MOTH, PATHS, SUBSTITUTION };
enum { SECONDS = 20 };

/* Goes round the main loop until that is shown. */
static void expect(const char *expected, shown_function shown, gpointer user_data)
{
    gint64 end = g_get_monotonic_time() + SECONDS * G_USEC_PER_SEC;
    char *text = shown(user_data);
    while (strcmp(text, expected) != 0 && g_get_monotonic_time() < end) {
        g_main_context_iteration(NULL, FALSE);
        g_free(text);
        text = shown(user_data);
    }
    if (strcmp(text, expected) != 0) {
        g_printerr("mailbox: shows\n%s\ninstead of\n%s\n", text, expected);
        exit(EXIT_FAILURE);
    }
    g_free(text);
}

void play(struct mailbox *mailbox, shown_function shown, gpointer user_data)
{
    expect("Inbox (3), * Grace: A moth, Edsger: Shortest paths, * Ada: Notes on the engine"
           " | Later (0) | Done (1), Barbara: Substitution | Trash (0)",
           shown, user_data);
    move_folder(mailbox, DONE, INBOX);
    expect("Done (1), Barbara: Substitution"
           " | Inbox (3), * Grace: A moth, Edsger: Shortest paths, * Ada: Notes on the engine | Later (0) | Trash (0)",
           shown, user_data);
    file_mail(mailbox, PATHS, LATER);
    toggle_seen(mailbox, MOTH);
    expect("Done (1), Barbara: Substitution"
           " | Inbox (2), Grace: A moth, * Ada: Notes on the engine | Later (1), Edsger: Shortest paths | Trash (0)",
           shown, user_data);
    file_mail(mailbox, SUBSTITUTION, TRASH);
    move_folder(mailbox, TRASH, INBOX);
    expect("Done (0) | Trash (1), Barbara: Substitution"
           " | Inbox (2), Grace: A moth, * Ada: Notes on the engine | Later (1), Edsger: Shortest paths",
           shown, user_data);
}
