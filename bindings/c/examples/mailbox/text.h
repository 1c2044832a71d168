/* Folders and mails as text. */
#ifndef TEXT_H
#define TEXT_H

#include <gio/gio.h>

/* What an item of the list is shown as, a folder or a mail; to be freed with g_free. */
char *item_text(gpointer item);

/* Appends a folder, or a mail of the folder before it, to a line of text. */
void append_item(GString *line, gpointer item);

#endif
