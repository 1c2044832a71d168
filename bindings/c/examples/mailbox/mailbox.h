/* A mailbox: folders in an order that is made by hand, and the mails in each. It needs GLib, but no window. */
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

/* Opens the mailbox in a file, or one in memory if path is NULL. A new mailbox has four folders and a few mails. */
void mailbox_open(struct mailbox *mailbox, const char *path);
void mailbox_close(struct mailbox *mailbox);

/* The id of a folder or mail. */
gint64 item_id(FrGItem *item);
gboolean is_folder(FrGItem *item);

/* Moves a folder before another one. */
void move_folder(struct mailbox *mailbox, gint64 folder, gint64 before);
/* Moves a mail into a folder. */
void file_mail(struct mailbox *mailbox, gint64 mail, gint64 folder);
/* Marks a mail as seen, or as not seen. */
void toggle_seen(struct mailbox *mailbox, gint64 mail);

#endif
