/*
 * A to-do list in a window: the sections and rows of a live list in a GtkListView.
 *
 *     gtk_list [--areas] [DATABASE | --check]
 *
 * Shows the table `tasks` of a database, which is made if it is missing, or of one in memory with a
 * few tasks. What other programs write shows up within half a second:
 *
 *     sqlite3 tasks.db "INSERT INTO tasks (title, area) VALUES ('Feed the cat', 'Home')"
 *
 * With --areas the sections are the rows of the table `areas`, in the order of their place, with
 * and without tasks. With --check it makes some changes by itself, compares what is shown with the
 * database, and ends.
 */
#include <gtk/gtk.h>

#include "frg-section-list.h"
#include "frg-store-source.h"

struct program {
    gboolean has_areas; /* sections are rows of the table areas */
    fr_store *store;
    fr_list *tasks;
    GtkTreeListModel *shown; /* the sections, and below each its rows */
    GtkWidget *window;
    GtkWidget *title;
    GtkWidget *area;
    GtkWidget *message; /* why the last change failed */
};

static void check(fr_status status)
{
    if (status != FR_OK) {
        g_printerr("gtk_list: %s\n", fr_error_message());
        exit(EXIT_FAILURE);
    }
}

/* Shows why a change failed, for example because another program has locked the file. */
static void written(struct program *program, fr_status status)
{
    gtk_label_set_text(GTK_LABEL(program->message), status == FR_OK ? "" : fr_error_message());
    gtk_widget_set_visible(program->message, status != FR_OK);
}

/* Changes. They are queued: the main loop delivers them, after the widget that caused them. */

static gint64 task_id(FrGItem *task)
{
    fr_value id = fr_null();
    fr_object_identity(&id, frg_item_get_object(task), 0);
    return id.integer;
}

static void add_task(struct program *program, const char *title, const char *area)
{
    const fr_value values[] = {fr_text(title), fr_text(area)};
    written(program, fr_store_execute(program->store, "INSERT INTO tasks (title, area) VALUES (?1, ?2)", values, 2));
}

static void delete_task(struct program *program, gint64 id)
{
    const fr_value values[] = {fr_integer(id)};
    written(program, fr_store_execute(program->store, "DELETE FROM tasks WHERE id = ?1", values, 1));
}

static void rename_task(struct program *program, gint64 id, const char *title)
{
    const fr_value values[] = {fr_text(title), fr_integer(id)};
    written(program, fr_store_execute(program->store, "UPDATE tasks SET title = ?1 WHERE id = ?2", values, 2));
}

static void set_done(struct program *program, gint64 id, gboolean is_done)
{
    const fr_value values[] = {fr_integer(is_done), fr_integer(id)};
    written(program, fr_store_execute(program->store, "UPDATE tasks SET done = ?1 WHERE id = ?2", values, 2));
}

/* One row of the view. Its widgets are used for one item after another, a section's or a task's. */

typedef struct row_widgets {
    struct program *program;
    FrGItem *task;         /* the task that was bound last */
    FrGListModel *section; /* of a section */
    gulong counter;
    gulong namer;
    gulong changer;
    gboolean is_binding;
    GtkWidget *expander;
    GtkWidget *pages;     /* a section's widgets or a task's */
    GtkWidget *name;
    GtkWidget *count;
    GtkWidget *done;
    GtkWidget *title;
    GtkWidget *remove;
} row_widgets;

static void done_toggled(row_widgets *row)
{
    if (row->task != NULL && !row->is_binding) {
        set_done(row->program, task_id(row->task), gtk_check_button_get_active(GTK_CHECK_BUTTON(row->done)));
    }
}

static void title_edited(row_widgets *row)
{
    char *title;
    if (row->task == NULL || gtk_editable_label_get_editing(GTK_EDITABLE_LABEL(row->title))) {
        return;
    }
    title = frg_item_dup_text(row->task, "title");
    if (strcmp(title, gtk_editable_get_text(GTK_EDITABLE(row->title))) != 0) {
        rename_task(row->program, task_id(row->task), gtk_editable_get_text(GTK_EDITABLE(row->title)));
    }
    g_free(title);
}

static void remove_clicked(row_widgets *row)
{
    if (row->task != NULL) {
        delete_task(row->program, task_id(row->task));
    }
}

static void show_count(row_widgets *row)
{
    char *count = g_strdup_printf("%u", g_list_model_get_n_items(G_LIST_MODEL(row->section)));
    gtk_label_set_text(GTK_LABEL(row->count), count);
    g_free(count);
}

/* The note of an area is a column of its row. */
static void show_name(row_widgets *row)
{
    const char *name = frg_list_model_get_section_name(row->section);
    FrGItem *area = frg_list_model_get_section_item(row->section);
    char *note = area != NULL ? frg_item_dup_text(area, "note") : NULL;
    gtk_label_set_text(GTK_LABEL(row->name), name != NULL ? name : "Anywhere");
    gtk_widget_set_tooltip_text(row->name, note);
    g_free(note);
}

static GtkWidget *section_page(row_widgets *row)
{
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
    row->name = gtk_label_new(NULL);
    row->count = gtk_label_new(NULL);
    gtk_widget_add_css_class(row->name, "heading");
    gtk_widget_add_css_class(row->count, "dim-label");
    gtk_box_append(GTK_BOX(box), row->name);
    gtk_box_append(GTK_BOX(box), row->count);
    return box;
}

/* Cuts long titles: GtkEditableLabel has no property for that, but a label below it. */
static void ellipsize(GtkWidget *widget)
{
    GtkWidget *child;
    if (GTK_IS_LABEL(widget)) {
        gtk_label_set_ellipsize(GTK_LABEL(widget), PANGO_ELLIPSIZE_END);
    }
    for (child = gtk_widget_get_first_child(widget); child != NULL; child = gtk_widget_get_next_sibling(child)) {
        ellipsize(child);
    }
}

static GtkWidget *task_page(row_widgets *row)
{
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
    row->done = gtk_check_button_new();
    row->title = gtk_editable_label_new("");
    row->remove = gtk_button_new_from_icon_name("user-trash-symbolic");
    ellipsize(row->title);
    gtk_widget_set_hexpand(row->title, TRUE);
    gtk_widget_set_valign(row->title, GTK_ALIGN_CENTER);
    gtk_widget_add_css_class(row->remove, "flat");
    gtk_widget_add_css_class(row->remove, "dim-label");
    gtk_widget_set_tooltip_text(row->remove, "Delete");
    gtk_box_append(GTK_BOX(box), row->done);
    gtk_box_append(GTK_BOX(box), row->title);
    gtk_box_append(GTK_BOX(box), row->remove);
    g_signal_connect_swapped(row->done, "toggled", G_CALLBACK(done_toggled), row);
    g_signal_connect_swapped(row->title, "notify::editing", G_CALLBACK(title_edited), row);
    g_signal_connect_swapped(row->remove, "clicked", G_CALLBACK(remove_clicked), row);
    return box;
}

static void free_row(gpointer data)
{
    row_widgets *row = data;
    g_clear_object(&row->task);
    g_free(row);
}

static void setup_row(GtkListItemFactory *factory, GtkListItem *list_item, struct program *program)
{
    row_widgets *row = g_new0(row_widgets, 1);
    (void)factory;
    row->program = program;
    row->expander = gtk_tree_expander_new();
    row->pages = gtk_stack_new();
    gtk_stack_add_named(GTK_STACK(row->pages), section_page(row), "section");
    gtk_stack_add_named(GTK_STACK(row->pages), task_page(row), "task");
    gtk_tree_expander_set_child(GTK_TREE_EXPANDER(row->expander), row->pages);
    gtk_list_item_set_child(list_item, row->expander);
    gtk_list_item_set_activatable(list_item, FALSE);
    g_object_set_data_full(G_OBJECT(row->expander), "row", row, free_row);
}

static void bind_section(row_widgets *row, FrGListModel *section)
{
    row->section = g_object_ref(section);
    row->counter = g_signal_connect_swapped(section, "items-changed", G_CALLBACK(show_count), row);
    row->namer = g_signal_connect_swapped(section, "notify", G_CALLBACK(show_name), row);
    gtk_stack_set_visible_child_name(GTK_STACK(row->pages), "section");
    show_count(row);
    show_name(row);
}

/* A title that is being edited stays, whatever is committed meanwhile. */
static void show_task(row_widgets *row)
{
    char *title = frg_item_dup_text(row->task, "title");
    gboolean is_done = frg_item_get_boolean(row->task, "done");
    row->is_binding = TRUE;
    if (!gtk_editable_label_get_editing(GTK_EDITABLE_LABEL(row->title))) {
        gtk_editable_set_text(GTK_EDITABLE(row->title), title);
    }
    gtk_check_button_set_active(GTK_CHECK_BUTTON(row->done), is_done);
    gtk_widget_set_opacity(row->title, is_done ? 0.5 : 1.0);
    row->is_binding = FALSE;
    g_free(title);
}

/* GTK binds a task again, to the same widgets, when its position changes. */
static void bind_task(row_widgets *row, FrGItem *task)
{
    if (row->task != task) {
        gtk_editable_label_stop_editing(GTK_EDITABLE_LABEL(row->title), FALSE);
        g_set_object(&row->task, task);
    }
    row->changer = g_signal_connect_swapped(task, "changed", G_CALLBACK(show_task), row);
    gtk_stack_set_visible_child_name(GTK_STACK(row->pages), "task");
    show_task(row);
}

static void bind_row(GtkListItemFactory *factory, GtkListItem *list_item)
{
    row_widgets *row = g_object_get_data(G_OBJECT(gtk_list_item_get_child(list_item)), "row");
    GtkTreeListRow *tree_row = gtk_list_item_get_item(list_item);
    gpointer item = gtk_tree_list_row_get_item(tree_row);
    (void)factory;
    gtk_tree_expander_set_list_row(GTK_TREE_EXPANDER(row->expander), tree_row);
    if (FRG_IS_LIST_MODEL(item)) {
        bind_section(row, item);
    } else {
        bind_task(row, item);
    }
    g_object_unref(item);
}

static void unbind_row(GtkListItemFactory *factory, GtkListItem *list_item)
{
    row_widgets *row = g_object_get_data(G_OBJECT(gtk_list_item_get_child(list_item)), "row");
    (void)factory;
    gtk_tree_expander_set_list_row(GTK_TREE_EXPANDER(row->expander), NULL);
    if (row->section != NULL) {
        g_clear_signal_handler(&row->counter, row->section);
        g_clear_signal_handler(&row->namer, row->section);
    } else {
        g_clear_signal_handler(&row->changer, row->task);
    }
    g_clear_object(&row->section);
}

/* The window. */

static void add_clicked(struct program *program)
{
    const char *title = gtk_editable_get_text(GTK_EDITABLE(program->title));
    const char *area = gtk_editable_get_text(GTK_EDITABLE(program->area));
    if (*title != '\0') {
        add_task(program, title, *area != '\0' ? area : NULL);
        gtk_editable_set_text(GTK_EDITABLE(program->title), "");
    }
    gtk_widget_grab_focus(program->title);
}

static GtkWidget *entry_row(struct program *program)
{
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
    GtkWidget *button = gtk_button_new_with_label("Add");
    program->title = gtk_entry_new();
    program->area = gtk_entry_new();
    gtk_entry_set_placeholder_text(GTK_ENTRY(program->title), "New task");
    gtk_entry_set_placeholder_text(GTK_ENTRY(program->area), "Area");
    gtk_editable_set_max_width_chars(GTK_EDITABLE(program->area), 10);
    gtk_widget_set_hexpand(program->title, TRUE);
    gtk_widget_add_css_class(button, "suggested-action");
    gtk_widget_add_css_class(box, "toolbar");
    gtk_box_append(GTK_BOX(box), program->title);
    gtk_box_append(GTK_BOX(box), program->area);
    gtk_box_append(GTK_BOX(box), button);
    g_signal_connect_swapped(program->title, "activate", G_CALLBACK(add_clicked), program);
    g_signal_connect_swapped(program->area, "activate", G_CALLBACK(add_clicked), program);
    g_signal_connect_swapped(button, "clicked", G_CALLBACK(add_clicked), program);
    return box;
}

/* A section is a model of its rows; a row has nothing below it. */
static GListModel *rows_below(gpointer item, gpointer user_data)
{
    (void)user_data;
    return FRG_IS_LIST_MODEL(item) ? g_object_ref(item) : NULL;
}

static gboolean is_zero(GBinding *binding, const GValue *count, GValue *is_visible, gpointer user_data)
{
    (void)binding, (void)user_data;
    g_value_set_boolean(is_visible, g_value_get_uint(count) == 0);
    return TRUE;
}

/* Explains a list without rows, which it is laid over. */
static GtkWidget *explained(GtkWidget *scrolled, FrGSectionList *sections)
{
    GtkWidget *overlay = gtk_overlay_new(), *label = gtk_label_new("No tasks yet. Type one below, and press Enter.");
    gtk_overlay_set_child(GTK_OVERLAY(overlay), scrolled);
    gtk_overlay_add_overlay(GTK_OVERLAY(overlay), label);
    gtk_widget_set_can_target(label, FALSE);
    g_object_bind_property_full(sections, "n-items", label, "visible", G_BINDING_SYNC_CREATE, is_zero, NULL, NULL,
                                NULL);
    return overlay;
}

static GtkWidget *list_view(struct program *program)
{
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    GtkWidget *scrolled = gtk_scrolled_window_new();
    FrGSectionList *sections = frg_section_list_new(program->tasks);
    GtkNoSelection *selection;
    program->shown = gtk_tree_list_model_new(G_LIST_MODEL(sections), FALSE, TRUE, rows_below, NULL, NULL);
    selection = gtk_no_selection_new(G_LIST_MODEL(g_object_ref(program->shown)));
    g_signal_connect(factory, "setup", G_CALLBACK(setup_row), program);
    g_signal_connect(factory, "bind", G_CALLBACK(bind_row), NULL);
    g_signal_connect(factory, "unbind", G_CALLBACK(unbind_row), NULL);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled),
                                  gtk_list_view_new(GTK_SELECTION_MODEL(selection), factory));
    gtk_widget_set_vexpand(scrolled, TRUE);
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
    return explained(scrolled, sections);
}

static void show_window(GtkApplication *application, struct program *program)
{
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    program->window = gtk_application_window_new(application);
    program->message = gtk_label_new(NULL);
    gtk_label_set_wrap(GTK_LABEL(program->message), TRUE);
    gtk_widget_set_visible(program->message, FALSE);
    gtk_box_append(GTK_BOX(box), list_view(program));
    gtk_box_append(GTK_BOX(box), program->message);
    gtk_box_append(GTK_BOX(box), gtk_separator_new(GTK_ORIENTATION_HORIZONTAL));
    gtk_box_append(GTK_BOX(box), entry_row(program));
    gtk_window_set_title(GTK_WINDOW(program->window), "Tasks");
    gtk_window_set_default_size(GTK_WINDOW(program->window), 420, 520);
    gtk_window_set_titlebar(GTK_WINDOW(program->window), gtk_header_bar_new());
    gtk_window_set_child(GTK_WINDOW(program->window), box);
    gtk_window_present(GTK_WINDOW(program->window));
}

/* The list. */

static void make_tables(fr_store *store, gboolean is_filled)
{
    check(fr_store_execute_script(store, "CREATE TABLE IF NOT EXISTS tasks ("
                                         " id INTEGER PRIMARY KEY, title TEXT NOT NULL CHECK (title <> ''),"
                                         " done INTEGER NOT NULL DEFAULT 0, area TEXT, due INTEGER, position REAL);"
                                         "CREATE TABLE IF NOT EXISTS areas"
                                         " (id INTEGER PRIMARY KEY, name TEXT UNIQUE, place REAL, note TEXT)"));
    if (is_filled) {
        check(fr_store_execute_script(store,
                                      "INSERT INTO tasks (title, area, done) VALUES"
                                      " ('Water the tomatoes', 'Garden', 0), ('Sow beans', 'Garden', 1),"
                                      " ('Bake bread', 'Home', 0), ('Buy milk', 'Home', 0), ('Fix a lamp', 'Home', 1),"
                                      " ('Answer Ada', 'Work', 0), ('Plan the week', 'Work', 0);"
                                      "INSERT INTO areas (name, place, note) VALUES"
                                      " ('Work', 1, 'On weekdays'), ('Home', 2, NULL), ('Attic', 3, 'One day'),"
                                      " ('Garden', 4, 'When it is dry')"));
    }
}

static fr_request *request_of_tasks(void)
{
    fr_request *request = NULL;
    check(fr_request_new(&request, "tasks"));
    check(fr_request_add_sort(request, "done", FR_ASCENDING, NULL));
    check(fr_request_add_sort(request, "title", FR_ASCENDING, "NOCASE"));
    return request;
}

/* The sections are there because of their tasks. */
static fr_list *list_by_area(fr_store *store)
{
    fr_request *request = request_of_tasks();
    fr_list *list = NULL;
    check(fr_request_set_section(request, "area", FR_ASCENDING | FR_NULLS_LAST, "NOCASE"));
    check(fr_controller_new(&list, store, request));
    fr_request_free(request);
    return list;
}

/* The sections are there by themselves; tasks of no area come last. */
static fr_list *map_of_areas(fr_store *store)
{
    const fr_section_map_options options = {.struct_size = sizeof options, .section_key = "name"};
    fr_request *tasks = request_of_tasks(), *areas = NULL;
    fr_list *map = NULL;
    check(fr_request_new(&areas, "areas"));
    check(fr_request_add_sort(areas, "place", FR_ASCENDING, NULL));
    check(fr_section_map_new(&map, store, tasks, areas, "area", &options));
    fr_request_free(tasks);
    fr_request_free(areas);
    return map;
}

static void open_list(struct program *program, const char *path)
{
    const fr_store_options options = {.struct_size = sizeof options, .flags = FR_STORE_QUEUED};
    check(fr_store_open(&program->store, path != NULL ? path : ":memory:", &options));
    make_tables(program->store, path == NULL);
    program->tasks = program->has_areas ? map_of_areas(program->store) : list_by_area(program->store);
    check(fr_list_perform_fetch(program->tasks));
}

/* Checking. */

static void settle(void)
{
    gint64 end = g_get_monotonic_time() + 200 * 1000;
    while (g_get_monotonic_time() < end) {
        g_main_context_iteration(NULL, FALSE);
        g_usleep(1000);
    }
}

/* As many sections and tasks have to be shown. */
static void expect(struct program *program, const char *what, guint sections, guint tasks)
{
    guint shown;
    settle();
    shown = g_list_model_get_n_items(G_LIST_MODEL(program->shown));
    if (shown != sections + tasks) {
        g_printerr("gtk_list: %s: %u rows are shown instead of %u\n", what, shown, sections + tasks);
        exit(EXIT_FAILURE);
    }
}

static void change(struct program *program, const char *sql)
{
    check(fr_store_execute(program->store, sql, NULL, 0));
}

static void change_areas(struct program *program)
{
    change(program, "UPDATE areas SET place = 0 WHERE name = 'Garden'");
    expect(program, "an area moved", 4, 7);
    change(program, "DELETE FROM tasks WHERE area = 'Garden'");
    expect(program, "an area emptied", 4, 5);
    change(program, "UPDATE areas SET note = 'In spring' WHERE name = 'Garden'");
    change(program, "DELETE FROM areas WHERE name = 'Work'");
    expect(program, "tasks of an area that was deleted", 4, 5);
    change(program, "DELETE FROM tasks");
    expect(program, "everything deleted", 3, 0);
}

static void change_tasks(struct program *program)
{
    gtk_editable_set_text(GTK_EDITABLE(program->title), "Rake leaves");
    gtk_editable_set_text(GTK_EDITABLE(program->area), "Garden");
    add_clicked(program);
    expect(program, "a task in a section", 3, 8);
    add_task(program, "Call home", NULL);
    expect(program, "a task in a new section", 4, 9);
    rename_task(program, 1, "Zap the slugs");
    set_done(program, 4, TRUE);
    expect(program, "a task renamed, another done", 4, 9);
    delete_task(program, 6);
    delete_task(program, 7);
    expect(program, "a section emptied", 3, 7);
    change(program, "UPDATE tasks SET area = 'Outside' WHERE area = 'Garden'");
    expect(program, "a section renamed", 3, 7);
    change(program, "DELETE FROM tasks");
    expect(program, "everything deleted", 0, 0);
}

static gboolean make_changes(gpointer user_data)
{
    struct program *program = user_data;
    expect(program, "at first", program->has_areas ? 4 : 3, 7);
    (program->has_areas ? change_areas : change_tasks)(program);
    g_print("gtk_list: all changes are shown\n");
    gtk_window_destroy(GTK_WINDOW(program->window));
    return G_SOURCE_REMOVE;
}

int main(int argc, char **argv)
{
    gboolean has_areas = argc > 1 && strcmp(argv[1], "--areas") == 0;
    const char *path = argc > 1 + has_areas ? argv[1 + has_areas] : NULL;
    gboolean is_check = path != NULL && strcmp(path, "--check") == 0;
    struct program program = {.has_areas = has_areas};
    GtkApplication *application;
    GSource *source;
    int status;
    if (argc > 2 + has_areas) {
        g_printerr("usage: gtk_list [--areas] [DATABASE | --check]\n");
        return 2;
    }
    open_list(&program, is_check ? NULL : path);
    source = frg_store_source_new(program.store, 500);
    g_source_attach(source, NULL);
    application = gtk_application_new(NULL, G_APPLICATION_NON_UNIQUE);
    g_signal_connect(application, "activate", G_CALLBACK(show_window), &program);
    if (is_check) {
        g_idle_add(make_changes, &program);
    }
    status = g_application_run(G_APPLICATION(application), 1, argv);
    g_object_unref(application);
    g_clear_object(&program.shown);
    g_source_destroy(source);
    g_source_unref(source);
    fr_list_free(program.tasks);
    check(fr_store_close(program.store));
    return status;
}
