/* What the tests do with a mailbox. */
#include "play.h"

#include <string.h>

#include "frg-section-list.h"

enum { SECONDS = 20 };

static gboolean has_text(FrGItem *item, const char *column, const char *wanted)
{
    char *text = frg_item_dup_text(item, column);
    gboolean is_equal = strcmp(text, wanted) == 0;
    g_free(text);
    return is_equal;
}

/* The mail of a folder with that subject, to be unreferenced; NULL if there is none. */
static FrGItem *find_mail(GListModel *mails, const char *subject)
{
    for (guint number = 0; number < g_list_model_get_n_items(mails); number++) {
        FrGItem *mail = g_list_model_get_item(mails, number);
        if (has_text(mail, "subject", subject)) {
            return mail;
        }
        g_object_unref(mail);
    }
    return NULL;
}

/* The folder of that name or the mail of that subject, to be unreferenced. */
static FrGItem *find(struct mailbox *mailbox, const char *words)
{
    GListModel *folders = G_LIST_MODEL(frg_section_list_new(mailbox->list));
    FrGItem *found = NULL;
    for (guint number = 0; found == NULL && number < g_list_model_get_n_items(folders);
         number++) {
        FrGListModel *folder = g_list_model_get_item(folders, number);
        FrGItem *row = frg_list_model_get_section_item(folder);
        found = has_text(row, "name", words) ? g_object_ref(row)
                                             : find_mail(G_LIST_MODEL(folder), words);
        g_object_unref(folder);
    }
    g_object_unref(folders);
    return found;
}

/* Drops what has these words on what has the others. */
static gboolean drop(struct mailbox *mailbox, const char *dragged_words,
                     const char *here_words)
{
    FrGItem *dragged = find(mailbox, dragged_words), *here = find(mailbox, here_words);
    gboolean is_dropped = drop_item(mailbox, dragged, here);
    g_object_unref(dragged);
    g_object_unref(here);
    return is_dropped;
}

static void click_twice(struct mailbox *mailbox, const char *subject)
{
    FrGItem *mail = find(mailbox, subject);
    toggle_seen(mailbox, mail);
    g_object_unref(mail);
}

static void receive(struct mailbox *mailbox, const char *subject)
{
    const fr_value values[] = {fr_text(subject)};
    check(fr_store_execute(mailbox->store,
                           "INSERT INTO mails (folder_id, sender, subject, day)"
                           " VALUES (1, 'Alan', ?1, '2026-03-05')",
                           values, 1));
}

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
    expect(
        "Inbox (3, 2 unread), * Grace: A moth, Edsger: Shortest paths, * Ada: Notes on "
        "the engine | Later (0) | Done (1), Barbara: Substitution | Trash (0)",
        shown, user_data);
    drop(mailbox, "Done", "Inbox");
    expect("Done (1), Barbara: Substitution"
           " | Inbox (3, 2 unread), * Grace: A moth, Edsger: Shortest paths, * Ada: "
           "Notes on the engine | Later (0) | Trash (0)",
           shown, user_data);
    drop(mailbox, "Shortest paths", "Later");
    click_twice(mailbox, "A moth");
    expect(
        "Done (1), Barbara: Substitution"
        " | Inbox (2, 1 unread), Grace: A moth, * Ada: Notes on the engine | Later (1), "
        "Edsger: Shortest paths | Trash (0)",
        shown, user_data);
    drop(mailbox, "Substitution", "Trash");
    drop(mailbox, "Trash", "Inbox");
    click_twice(mailbox, "Shortest paths");
    if (drop(mailbox, "Inbox", "A moth")) {
        g_printerr("mailbox: a mail takes what is dropped on it\n");
        exit(EXIT_FAILURE);
    }
    expect(
        "Done (0) | Trash (1), Barbara: Substitution"
        " | Inbox (2, 1 unread), Grace: A moth, * Ada: Notes on the engine | Later (1, "
        "1 unread), * Edsger: Shortest paths",
        shown, user_data);
    search_mails(mailbox, " no  EN");
    expect("Done (0) | Trash (0) | Inbox (1, 1 unread), * Ada: Notes on the engine"
           " | Later (0)",
           shown, user_data);
    receive(mailbox, "No end in sight");
    expect("Done (0) | Trash (0) | Inbox (2, 2 unread), * Alan: No end in sight, "
           "* Ada: Notes on the engine | Later (0)",
           shown, user_data);
    search_mails(mailbox, "\"");
    expect("Done (0) | Trash (0) | Inbox (0) | Later (0)", shown, user_data);
    search_mails(mailbox, "");
    expect(
        "Done (0) | Trash (1), Barbara: Substitution | Inbox (3, 2 unread), "
        "* Alan: No end in sight, Grace: A moth, * Ada: Notes on the engine | Later (1, "
        "1 unread), * Edsger: Shortest paths",
        shown, user_data);
}
