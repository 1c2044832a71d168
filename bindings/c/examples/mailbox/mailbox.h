/*
 * A mailbox: folders in an order that the user sets, and the mails in each. It needs
 * GLib, but no window.
 */
#ifndef MAILBOX_H
#define MAILBOX_H

#include "frg-item.h"

struct mailbox {
    fr_store *store;
    fr_list *list;   /* a section for each folder, with its mails */
    GSource *source; /* delivers through the main loop */
};

/* Ends the program with a message if a call failed. */
void check(fr_status status);

/*
 * Opens the mailbox in a file, or one in memory if path is NULL. A new mailbox has four
 * folders and a few mails.
 */
void mailbox_open(struct mailbox *mailbox, const char *path);
void mailbox_close(struct mailbox *mailbox);

/*
 * Drops a folder or mail on another one. On a folder, a folder is placed in front of
 * it, and a mail is filed in it. On a mail nothing happens, and FALSE is returned.
 */
gboolean drop_item(struct mailbox *mailbox, FrGItem *dragged, FrGItem *here);

/* Marks a mail as seen, or as not seen. */
void toggle_seen(struct mailbox *mailbox, FrGItem *mail);

/*
 * Shows the mails in whose sender or subject each word of a text begins a word; all
 * mails for a text without words.
 */
void search_mails(struct mailbox *mailbox, const char *text);

#endif
