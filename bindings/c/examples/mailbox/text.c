/* Folders and mails as text. */
#include "text.h"

#include <string.h>

#include "frg-list-model.h"

/* The name, how many mails there are, and how many of them are unread. */
static char *folder_text(FrGListModel *folder)
{
    FrGItem *row = frg_list_model_get_section_item(folder);
    FrGItem *totals = frg_live_model_get_totals(FRG_LIVE_MODEL(folder));
    char *name = frg_item_dup_text(row, "name");
    guint count = g_list_model_get_n_items(G_LIST_MODEL(folder));
    gint64 unread = frg_item_get_int64(totals, "unread");
    char *text = unread > 0
                     ? g_strdup_printf("%s (%u, %d unread)", name, count, (int)unread)
                     : g_strdup_printf("%s (%u)", name, count);
    g_free(name);
    return text;
}

static char *mail_text(FrGItem *mail)
{
    char *sender = frg_item_dup_text(mail, "sender"),
         *subject = frg_item_dup_text(mail, "subject");
    char *seen = frg_item_dup_text(mail, "seen");
    char *text = g_strdup_printf("%s%s: %s", strcmp(seen, "1") == 0 ? "" : "* ", sender,
                                 subject);
    g_free(sender);
    g_free(subject);
    g_free(seen);
    return text;
}

char *item_text(gpointer item)
{
    return FRG_IS_LIST_MODEL(item) ? folder_text(item) : mail_text(item);
}

void append_item(GString *line, gpointer item)
{
    char *text = item_text(item);
    const char *separator = !FRG_IS_LIST_MODEL(item) ? ", "
                            : line->len > 0          ? " | "
                                                     : "";
    g_string_append_printf(line, "%s%s", separator, text);
    g_free(text);
}
