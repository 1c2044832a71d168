/* Uses the mailbox without a window: mailbox_check needs GLib only. */
#include "frg-section-list.h"
#include "play.h"
#include "text.h"

static char *shown_text(gpointer user_data)
{
    GListModel *folders = user_data;
    GString *text = g_string_new(NULL);
    for (guint number = 0; number < g_list_model_get_n_items(folders); number++) {
        GListModel *mails = g_list_model_get_item(folders, number);
        append_item(text, mails);
        for (guint row = 0; row < g_list_model_get_n_items(mails); row++) {
            gpointer mail = g_list_model_get_item(mails, row);
            append_item(text, mail);
            g_object_unref(mail);
        }
        g_object_unref(mails);
    }
    return g_string_free(text, FALSE);
}

int main(void)
{
    struct mailbox mailbox;
    FrGSectionList *folders;
    mailbox_open(&mailbox, NULL);
    folders = frg_section_list_new(mailbox.list);
    play(&mailbox, shown_text, folders);
    g_object_unref(folders);
    mailbox_close(&mailbox);
    return 0;
}
