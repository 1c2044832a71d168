/*
 * A mailbox in a window, in GTK 4.
 *
 *     mailbox [DATABASE | --check]
 *
 * Drag a folder onto another one to place it in front of that. Drag a mail onto a
 * folder to file it there. A double click on a mail marks it as seen. A text above the
 * list shows the mails with these words. With --check the program tests its own
 * window, and ends.
 */
#include <gtk/gtk.h>
#include <string.h>

#include "frg-section-list.h"
#include "mailbox.h"
#include "play.h"
#include "text.h"

struct program {
    struct mailbox mailbox;
    GtkTreeListModel *shown; /* the folders, and below each its mails */
    gboolean is_check;
    GtkWidget *window;
};

/* One row of the view. Its widgets show one item after another, a folder or a mail. */
struct row {
    struct program *program;
    GtkWidget *expander;
    GtkWidget *label;
    gpointer item; /* an FrGListModel or an FrGItem, as long as it is shown */
};

/* The row of the table that is shown: a folder's or a mail's. */
static FrGItem *row_item(struct row *row)
{
    return FRG_IS_LIST_MODEL(row->item) ? frg_list_model_get_section_item(row->item)
                                        : row->item;
}

static void show_text(struct row *row)
{
    char *text = item_text(row->item);
    gtk_label_set_text(GTK_LABEL(row->label), text);
    g_free(text);
}

/* Dragging. What is dragged is the item. */

static GdkContentProvider *drag_prepare(struct row *row)
{
    return gdk_content_provider_new_typed(FRG_TYPE_ITEM, row_item(row));
}

static gboolean dropped(GtkDropTarget *target, const GValue *value, double x, double y,
                        struct row *row)
{
    (void)target, (void)x, (void)y;
    return drop_item(&row->program->mailbox, g_value_get_object(value), row_item(row));
}

/* Rows. */

static void setup_row(GtkListItemFactory *factory, GtkListItem *list_item,
                      struct program *program)
{
    struct row *row = g_new0(struct row, 1);
    GtkDragSource *source = gtk_drag_source_new();
    GtkDropTarget *target = gtk_drop_target_new(FRG_TYPE_ITEM, GDK_ACTION_MOVE);
    (void)factory;
    row->program = program;
    row->expander = gtk_tree_expander_new();
    row->label = gtk_label_new(NULL);
    gtk_label_set_xalign(GTK_LABEL(row->label), 0);
    gtk_widget_set_hexpand(row->label, TRUE);
    gtk_tree_expander_set_child(GTK_TREE_EXPANDER(row->expander), row->label);
    gtk_list_item_set_child(list_item, row->expander);
    g_object_set_data_full(G_OBJECT(row->expander), "row", row, g_free);

    gtk_drag_source_set_actions(source, GDK_ACTION_MOVE);
    g_signal_connect_swapped(source, "prepare", G_CALLBACK(drag_prepare), row);
    g_signal_connect(target, "drop", G_CALLBACK(dropped), row);
    gtk_widget_add_controller(row->label, GTK_EVENT_CONTROLLER(source));
    gtk_widget_add_controller(row->label, GTK_EVENT_CONTROLLER(target));
}

/* A folder that changes remains the same model, and a mail the same item. */
static void bind_row(GtkListItemFactory *factory, GtkListItem *list_item)
{
    struct row *row = g_object_get_data(G_OBJECT(gtk_list_item_get_child(list_item)),
                                        "row");
    GtkTreeListRow *tree_row = gtk_list_item_get_item(list_item);
    (void)factory;
    row->item = gtk_tree_list_row_get_item(tree_row);
    gtk_tree_expander_set_list_row(GTK_TREE_EXPANDER(row->expander), tree_row);
    if (FRG_IS_LIST_MODEL(row->item)) {
        g_signal_connect_swapped(row->item, "items-changed", G_CALLBACK(show_text),
                                 row);
        g_signal_connect_swapped(row->item, "notify::section-item",
                                 G_CALLBACK(show_text), row);
        g_signal_connect_swapped(row->item, "notify::totals", G_CALLBACK(show_text),
                                 row);
        gtk_widget_add_css_class(row->label, "heading");
    } else {
        g_signal_connect_swapped(row->item, "changed", G_CALLBACK(show_text), row);
        gtk_widget_remove_css_class(row->label, "heading");
    }
    show_text(row);
}

static void unbind_row(GtkListItemFactory *factory, GtkListItem *list_item)
{
    struct row *row = g_object_get_data(G_OBJECT(gtk_list_item_get_child(list_item)),
                                        "row");
    (void)factory;
    gtk_tree_expander_set_list_row(GTK_TREE_EXPANDER(row->expander), NULL);
    g_signal_handlers_disconnect_by_data(row->item, row);
    g_clear_object(&row->item);
}

static void activated(GtkListView *view, guint position, struct program *program)
{
    GtkTreeListRow *tree_row = g_list_model_get_item(G_LIST_MODEL(program->shown),
                                                     position);
    gpointer item = gtk_tree_list_row_get_item(tree_row);
    (void)view;
    if (FRG_IS_ITEM(item)) {
        toggle_seen(&program->mailbox, item);
    }
    g_object_unref(item);
    g_object_unref(tree_row);
}

/* The window. */

/* A folder is a model of its mails; a mail has nothing below it. */
static GListModel *mails_below(gpointer item, gpointer user_data)
{
    (void)user_data;
    return FRG_IS_LIST_MODEL(item) ? g_object_ref(item) : NULL;
}

static GtkWidget *list_view(struct program *program)
{
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    FrGSectionList *folders = frg_section_list_new(program->mailbox.list);
    GtkSingleSelection *selection;
    GtkWidget *view;
    program->shown = gtk_tree_list_model_new(G_LIST_MODEL(folders), FALSE, TRUE,
                                             mails_below, NULL, NULL);
    selection = gtk_single_selection_new(G_LIST_MODEL(g_object_ref(program->shown)));
    g_signal_connect(factory, "setup", G_CALLBACK(setup_row), program);
    g_signal_connect(factory, "bind", G_CALLBACK(bind_row), NULL);
    g_signal_connect(factory, "unbind", G_CALLBACK(unbind_row), NULL);
    view = gtk_list_view_new(GTK_SELECTION_MODEL(selection), factory);
    g_signal_connect(view, "activate", G_CALLBACK(activated), program);
    return view;
}

/* What the view shows, in one line. */
static char *shown_text(gpointer user_data)
{
    struct program *program = user_data;
    GListModel *rows = G_LIST_MODEL(program->shown);
    GString *text = g_string_new(NULL);
    for (guint number = 0; number < g_list_model_get_n_items(rows); number++) {
        GtkTreeListRow *row = g_list_model_get_item(rows, number);
        gpointer item = gtk_tree_list_row_get_item(row);
        append_item(text, item);
        g_object_unref(item);
        g_object_unref(row);
    }
    return g_string_free(text, FALSE);
}

static gboolean play_and_close(gpointer user_data)
{
    struct program *program = user_data;
    play(&program->mailbox, shown_text, program);
    gtk_window_destroy(GTK_WINDOW(program->window));
    return G_SOURCE_REMOVE;
}

static void search_changed(GtkSearchEntry *entry, struct program *program)
{
    search_mails(&program->mailbox, gtk_editable_get_text(GTK_EDITABLE(entry)));
}

static void show_window(GtkApplication *application, struct program *program)
{
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    GtkWidget *entry = gtk_search_entry_new();
    GtkWidget *scrolled = gtk_scrolled_window_new();
    program->window = gtk_application_window_new(application);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), list_view(program));
    gtk_widget_set_vexpand(scrolled, TRUE);
    gtk_box_append(GTK_BOX(box), entry);
    gtk_box_append(GTK_BOX(box), scrolled);
    g_signal_connect(entry, "search-changed", G_CALLBACK(search_changed), program);
    gtk_window_set_title(GTK_WINDOW(program->window), "Mailbox");
    gtk_window_set_default_size(GTK_WINDOW(program->window), 420, 520);
    gtk_window_set_child(GTK_WINDOW(program->window), box);
    gtk_window_present(GTK_WINDOW(program->window));
    if (program->is_check) {
        g_idle_add(play_and_close, program);
    }
}

int main(int argc, char **argv)
{
    struct program program = {.is_check = argc == 2 && strcmp(argv[1], "--check") == 0};
    GtkApplication *application;
    int status;
    mailbox_open(&program.mailbox, argc == 2 && !program.is_check ? argv[1] : NULL);
    application = gtk_application_new(NULL, G_APPLICATION_NON_UNIQUE);
    g_signal_connect(application, "activate", G_CALLBACK(show_window), &program);
    status = g_application_run(G_APPLICATION(application), 1, argv);
    g_object_unref(application);
    g_clear_object(&program.shown);
    mailbox_close(&program.mailbox);
    return status;
}
