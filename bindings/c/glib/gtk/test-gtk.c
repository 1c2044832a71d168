/*
 * The models in GTK's views: what a person has selected, where the focus is, and what has been
 * typed stays with its row, whatever is committed meanwhile.
 */
#include <gtk/gtk.h>

#include "frg-gtk-selection.h"
#include "frg-object-list.h"
#include "frg-section-list.h"
#include "gtk-test.h"

enum { ROWS = 2000, STORM = 300 };

typedef struct fixture {
    fr_store *store;
    fr_list *list;
    FrGListModel *model;
    GtkWidget *window;
    GtkWidget *view;
} fixture;

static void check(fr_status status)
{
    if (status != FR_OK) {
        g_error("%s: %s", fr_status_name(status), fr_error_message());
    }
}

static void run(fixture *test, const char *format, int number)
{
    char *sql = g_strdup_printf(format, number);
    check(fr_store_execute_script(test->store, sql));
    g_free(sql);
}

/* Waits until the window shows what has changed. */
static void settle(fixture *test)
{
    settle_window(test->window);
}

static void set_up(fixture *test, gconstpointer unused)
{
    fr_request *request = NULL;
    (void)unused;
    check(fr_store_open(&test->store, ":memory:", NULL));
    check(fr_store_execute_script(test->store, "CREATE TABLE t(id INTEGER PRIMARY KEY, title TEXT, rank INTEGER,"
                                               " done BOOLEAN DEFAULT 0);"
                                               "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
                                               " WHERE i < 2000)"
                                               "INSERT INTO t(id, title, rank) SELECT i, 'row ' || i, i * 10 FROM n"));
    check(fr_request_new(&request, "t"));
    check(fr_request_add_sort(request, "rank", FR_ASCENDING, NULL));
    check(fr_controller_new(&test->list, test->store, request));
    check(fr_list_perform_fetch(test->list));
    fr_request_free(request);
    test->model = frg_list_model_new(test->list);
}

static void tear_down(fixture *test, gconstpointer unused)
{
    (void)unused;
    if (test->window != NULL) {
        gtk_window_destroy(GTK_WINDOW(test->window));
        test->window = NULL;
        settle(test);
    }
    g_object_unref(test->model);
    fr_list_free(test->list);
    check(fr_store_close(test->store));
}

static int id_of(gpointer item)
{
    return item != NULL ? (int)frg_item_get_int64(item, "id") : 0;
}

/* A row that is selected, row 500, goes through all that can happen to it. */
static void everything_happens(fixture *test, void (*check_selection)(gpointer selection), gpointer selection)
{
    static const char *const changes[] = {
        "UPDATE t SET title = 'other' WHERE id = 500",
        "UPDATE t SET rank = 5105 WHERE id = 500",
        "UPDATE t SET rank = 4895 WHERE id = 500",
        "UPDATE t SET title = 'all'",
        "DELETE FROM t WHERE id = 499",
        "INSERT INTO t(id, title, rank) VALUES (9000, 'new', 1)",
        "UPDATE t SET rank = rank + 1 WHERE id BETWEEN 450 AND 550",
        "UPDATE t SET rank = 10000 - rank WHERE id BETWEEN 420 AND 580",
        "DELETE FROM t WHERE id BETWEEN 10 AND 60 AND id % 2 = 0",
    };
    guint index;
    for (index = 0; index < G_N_ELEMENTS(changes); index++) {
        run(test, changes[index], 0);
        settle(test);
        g_test_message("%s", changes[index]);
        check_selection(selection);
    }
}

static void is_single(gpointer selection)
{
    g_assert_cmpint(id_of(gtk_single_selection_get_selected_item(selection)), ==, 500);
}

static void a_single_selection_stays(fixture *test, gconstpointer unused)
{
    GtkSingleSelection *selection = gtk_single_selection_new(g_object_ref(G_LIST_MODEL(test->model)));
    (void)unused;
    gtk_single_selection_set_selected(selection, 499);
    is_single(selection);
    everything_happens(test, is_single, selection);
    g_object_unref(selection);
}

static void are_multiple(gpointer selection)
{
    GtkBitset *selected = gtk_selection_model_get_selection(selection);
    guint index, found = 0;
    for (index = 0; index < gtk_bitset_get_size(selected); index++) {
        gpointer item = g_list_model_get_item(selection, gtk_bitset_get_nth(selected, index));
        found += id_of(item) == 500 || id_of(item) == 700;
        g_object_unref(item);
    }
    g_assert_cmpuint(gtk_bitset_get_size(selected), ==, 2);
    g_assert_cmpuint(found, ==, 2);
    gtk_bitset_unref(selected);
}

static void a_multiple_selection_stays(fixture *test, gconstpointer unused)
{
    GtkMultiSelection *selection = gtk_multi_selection_new(g_object_ref(G_LIST_MODEL(test->model)));
    (void)unused;
    gtk_selection_model_select_item(GTK_SELECTION_MODEL(selection), 499, FALSE);
    gtk_selection_model_select_item(GTK_SELECTION_MODEL(selection), 699, FALSE);
    are_multiple(selection);
    everything_happens(test, are_multiple, selection);
    g_object_unref(selection);
}

/* The library's copy of the interface is GTK's. */
#define SAME_PLACE(method) \
    G_STATIC_ASSERT(G_STRUCT_OFFSET(frg_gtk_selection_interface, method) \
                    == G_STRUCT_OFFSET(GtkSelectionModelInterface, method))
G_STATIC_ASSERT(sizeof(frg_gtk_selection_interface) == sizeof(GtkSelectionModelInterface));
SAME_PLACE(is_selected);
SAME_PLACE(get_selection_in_range);
SAME_PLACE(select_item);
SAME_PLACE(unselect_item);
SAME_PLACE(select_range);
SAME_PLACE(unselect_range);
SAME_PLACE(select_all);
SAME_PLACE(unselect_all);
SAME_PLACE(set_selection);

static void is_followed(gpointer selection)
{
    g_assert_cmpint(id_of(frg_selection_get_selected_item(selection)), ==, 500);
}

static void one_row_is_followed_anywhere(fixture *test, gconstpointer unused)
{
    FrGSelection *selection = frg_selection_new(G_LIST_MODEL(test->model), FALSE);
    (void)unused;
    gtk_selection_model_select_item(GTK_SELECTION_MODEL(selection), 499, TRUE);
    everything_happens(test, is_followed, selection);
    run(test, "UPDATE t SET rank = 100000 WHERE id = 500", 0);
    is_followed(selection);
    run(test, "UPDATE t SET rank = -rank", 0);
    is_followed(selection);
    check(fr_list_perform_fetch(test->list));
    frg_list_model_reload(test->model);
    is_followed(selection);
    g_object_unref(selection);
}

static void many_rows_are_followed_anywhere(fixture *test, gconstpointer unused)
{
    GtkSelectionModel *selection = GTK_SELECTION_MODEL(frg_selection_new(G_LIST_MODEL(test->model), TRUE));
    GtkBitset *all = gtk_bitset_new_range(499, 201), *ends = gtk_bitset_new_range(499, 1);
    (void)unused;
    gtk_bitset_add(ends, 699);
    g_assert_true(gtk_selection_model_select_range(selection, 450, 100, TRUE));
    g_assert_true(gtk_selection_model_unselect_range(selection, 0, 2000));
    g_assert_true(gtk_selection_model_set_selection(selection, ends, all));
    are_multiple(selection);
    everything_happens(test, are_multiple, selection);
    run(test, "UPDATE t SET rank = 100000 WHERE id = 500", 0);
    are_multiple(selection);
    run(test, "UPDATE t SET rank = -rank", 0);
    are_multiple(selection);
    g_assert_true(gtk_selection_model_unselect_all(selection));
    g_assert_false(gtk_selection_model_is_selected(selection, 0));
    g_assert_true(gtk_selection_model_select_all(selection));
    g_assert_true(gtk_selection_model_is_selected(selection, 0));
    gtk_bitset_unref(all);
    gtk_bitset_unref(ends);
    g_object_unref(selection);
}

/* The model has the same positions as the sections and their rows one below another. */
static GListModel *rows_below(gpointer item, gpointer unused)
{
    (void)unused;
    return FRG_IS_LIST_MODEL(item) ? g_object_ref(item) : NULL;
}

static GObject *own_object(FrGItem *row, GObject *former, gpointer unused)
{
    (void)row, (void)unused;
    return former != NULL ? g_object_ref(former) : g_object_new(G_TYPE_OBJECT, NULL);
}

static void an_object_below_other_models_is_followed(fixture *test, gconstpointer unused)
{
    FrGObjectList *objects = frg_object_list_new(test->model, own_object, NULL, NULL);
    GListModel *slice = G_LIST_MODEL(gtk_slice_list_model_new(G_LIST_MODEL(g_object_ref(objects)), 0, 5000));
    FrGSelection *selection = frg_selection_new(slice, FALSE);
    (void)unused;
    g_assert_true(gtk_selection_model_select_item(GTK_SELECTION_MODEL(selection), 499, TRUE));
    run(test, "UPDATE t SET rank = 100000 WHERE id = 500", 0);
    g_assert_cmpuint(frg_selection_get_selected(selection), ==, 1999);
    g_assert_cmpint(id_of(frg_object_list_get_row(objects, frg_selection_get_selected_item(selection))), ==, 500);
    g_object_unref(selection);
    g_object_unref(slice);
    g_object_unref(objects);
}

static void a_row_in_a_tree_is_followed(fixture *test, gconstpointer unused)
{
    GListModel *sections = G_LIST_MODEL(frg_section_list_new(test->list));
    GListModel *tree = G_LIST_MODEL(gtk_tree_list_model_new(sections, FALSE, TRUE, rows_below, NULL, NULL));
    FrGSelection *selection = frg_selection_new(tree, FALSE);
    (void)unused;
    g_assert_false(gtk_selection_model_select_item(GTK_SELECTION_MODEL(selection), 0, TRUE));
    g_assert_true(gtk_selection_model_select_item(GTK_SELECTION_MODEL(selection), 500, TRUE));
    run(test, "UPDATE t SET rank = 100000 WHERE id = 500", 0);
    g_assert_cmpuint(frg_selection_get_selected(selection), ==, 2000);
    run(test, "DELETE FROM t WHERE id = 500", 0);
    g_assert_null(frg_selection_get_selected_item(selection));
    g_object_unref(selection);
    selection = frg_selection_new(tree, TRUE);
    g_assert_true(gtk_selection_model_select_range(GTK_SELECTION_MODEL(selection), 100, 2, FALSE));
    g_assert_cmpuint(frg_selection_get_selected(selection), ==, G_MAXUINT);
    run(test, "DELETE FROM t WHERE id = 100", 0);
    g_assert_cmpuint(frg_selection_get_selected(selection), ==, 100);
    g_assert_false(gtk_selection_model_select_item(GTK_SELECTION_MODEL(selection), 0, FALSE));
    g_assert_cmpuint(frg_selection_get_selected(selection), ==, 100);
    g_object_unref(selection);
    g_object_unref(tree);
}

static int64_t rows_read(fixture *test)
{
    fr_counters counters = {.struct_size = sizeof counters};
    check(fr_controller_counters(&counters, test->list));
    return counters.rows_read;
}

/*
 * Before: a row is selected in a model above the sections. Change: rows are inserted above it, it
 * moves, it is hidden and shown again. Expected: it is found each time, and hardly any other row is
 * read.
 */
static void check_costs(fixture *test, GListModel *model, guint headers)
{
    FrGSelection *selection = frg_selection_new(model, FALSE);
    fr_request *request = NULL;
    int64_t before;
    g_assert_true(frg_selection_select(selection, headers + 1499, 1, TRUE));
    before = rows_read(test);
    run(test, "UPDATE t SET title = 'other' WHERE id = 3", 0);
    g_assert_cmpuint(frg_selection_get_selected(selection), ==, headers + 1499);
    run(test, "INSERT INTO t(title, rank) VALUES ('a', 0), ('b', 0)", 0);
    g_assert_cmpuint(frg_selection_get_selected(selection), ==, headers + 1501);
    run(test, "DELETE FROM t WHERE id IN (7, 11)", 0);
    g_assert_cmpuint(frg_selection_get_selected(selection), ==, headers + 1499);
    run(test, "UPDATE t SET rank = -1 WHERE id = 1500", 0);
    g_assert_cmpuint(frg_selection_get_selected(selection), ==, headers);
    check(fr_controller_request(&request, test->list));
    check(fr_request_set_predicate(request, "id <> 1500", NULL, 0));
    check(fr_controller_set_request(test->list, request));
    g_assert_cmpuint(frg_selection_get_selected(selection), ==, G_MAXUINT);
    run(test, "UPDATE t SET title = 'shown' WHERE id = 5", 0);
    run(test, "UPDATE t SET rank = 15000 WHERE id = 1500", 0);
    before = rows_read(test) - before;
    check(fr_request_set_predicate(request, NULL, NULL, 0));
    check(fr_controller_set_request(test->list, request));
    g_assert_cmpuint(frg_selection_get_selected(selection), ==, headers + 1499);
    fr_request_free(request);
    g_assert_cmpint(before, <, 4100); /* the list itself is read once */
    g_object_unref(selection);
}

static void a_row_in_a_flat_model_is_found_without_reading_all(fixture *test, gconstpointer unused)
{
    GListModel *sections = G_LIST_MODEL(frg_section_list_new(test->list));
    GListModel *flat = G_LIST_MODEL(gtk_flatten_list_model_new(sections));
    (void)unused;
    check_costs(test, flat, 0);
    g_object_unref(flat);
}

static void a_row_in_a_tree_is_found_without_reading_all(fixture *test, gconstpointer unused)
{
    GListModel *sections = G_LIST_MODEL(frg_section_list_new(test->list));
    GListModel *tree = G_LIST_MODEL(gtk_tree_list_model_new(sections, FALSE, TRUE, rows_below, NULL, NULL));
    (void)unused;
    check_costs(test, tree, 1);
    g_object_unref(tree);
}

/* The id of what a row of a tree shows; 0 for a section. */
static int id_in(GListModel *tree, guint position)
{
    GtkTreeListRow *row = g_list_model_get_item(tree, position);
    gpointer item = gtk_tree_list_row_get_item(row);
    int id = FRG_IS_ITEM(item) ? id_of(item) : 0;
    g_object_unref(item);
    g_object_unref(row);
    return id;
}

/* The position of a row in a tree, by looking everywhere; G_MAXUINT if it is not shown. */
static guint position_in(GListModel *tree, int id)
{
    guint position = 0, count = g_list_model_get_n_items(tree);
    while (position < count && id_in(tree, position) != id) {
        position++;
    }
    return position < count ? position : G_MAXUINT;
}

/* Opens or closes a section, or selects a row. Returns the id of the row that is selected. */
static int visit(FrGSelection *selection, GListModel *tree, guint position, int selected)
{
    GtkTreeListRow *row = g_list_model_get_item(tree, position);
    if (gtk_tree_list_row_is_expandable(row)) {
        gtk_tree_list_row_set_expanded(row, !gtk_tree_list_row_get_expanded(row));
    } else if (g_test_rand_int_range(0, 4) == 0) {
        frg_selection_select(selection, position, 1, TRUE);
        selected = id_in(tree, position);
    }
    g_object_unref(row);
    return selected;
}

/* Sections are opened and closed, and rows go from one to another. */
static void a_selected_row_is_found_in_a_tree_that_changes(fixture *test, gconstpointer unused)
{
    static const char *const changes[] = {
        "UPDATE t SET done = 1 + %1$d %% 6 WHERE id %% 9 = %2$d %% 9",
        "UPDATE t SET done = 1 + %1$d %% 6 WHERE done = 1 + %2$d %% 6",
        "UPDATE t SET rank = %1$d WHERE id = 1 + %2$d %% 60",
        "DELETE FROM t WHERE id = 1 + %1$d %% 60 OR id = 1 + %2$d %% 60",
        "REPLACE INTO t VALUES (1 + %1$d %% 60, 'new', %2$d, 1 + %2$d %% 6)",
        "DELETE FROM t WHERE done = 1 + %1$d %% 6 AND id %% 2",
    };
    fr_request *request = NULL;
    GListModel *tree;
    FrGSelection *selection;
    fr_value id;
    fr_index_path path;
    int selected = 0, round;
    (void)unused;
    run(test, "DELETE FROM t WHERE id > 60", 0);
    check(fr_controller_request(&request, test->list));
    check(fr_request_set_section(request, "done", FR_ASCENDING, NULL));
    check(fr_controller_set_request(test->list, request));
    fr_request_free(request);
    tree = G_LIST_MODEL(
        gtk_tree_list_model_new(G_LIST_MODEL(frg_section_list_new(test->list)), FALSE, TRUE, rows_below, NULL, NULL));
    selection = frg_selection_new(tree, FALSE);
    for (round = 0; round < 3 * STORM; round++) {
        int one = g_test_rand_int_range(0, 1000), two = g_test_rand_int_range(0, 1000);
        char *sql = g_strdup_printf(changes[one % G_N_ELEMENTS(changes)], two, one);
        check(fr_store_execute_script(test->store, sql));
        g_test_message("%s", sql);
        g_free(sql);
        id = fr_integer(selected);
        if (fr_list_index_path_of_identity(&path, test->list, &id, 1) != FR_OK) {
            /* It was deleted. */
            selected = 0;
        }
        g_assert_cmpuint(frg_selection_get_selected(selection), ==,
                         selected != 0 ? position_in(tree, selected) : G_MAXUINT);
        if (g_list_model_get_n_items(tree) > 0) {
            selected = visit(selection, tree, (guint)two % g_list_model_get_n_items(tree), selected);
        }
        g_assert_cmpuint(frg_selection_get_selected(selection), ==,
                         selected != 0 ? position_in(tree, selected) : G_MAXUINT);
    }
    g_object_unref(selection);
    g_object_unref(tree);
}

/*
 * A view with an entry for each row. GTK binds an item again when its position changes, to the same
 * widget: what is being typed there stays.
 */

static void set_up_row(GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer unused)
{
    (void)factory;
    (void)unused;
    gtk_list_item_set_child(list_item, gtk_entry_new());
}

static void bind_row(GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer unused)
{
    GtkWidget *entry = gtk_list_item_get_child(list_item);
    gpointer item = gtk_list_item_get_item(list_item);
    GBinding *binding = g_object_bind_property(item, "title", entry, "placeholder-text", G_BINDING_SYNC_CREATE);
    (void)factory;
    (void)unused;
    if (g_object_get_data(G_OBJECT(entry), "item") != item) {
        gtk_editable_set_text(GTK_EDITABLE(entry), "");
        g_object_set_data_full(G_OBJECT(entry), "item", g_object_ref(item), g_object_unref);
    }
    g_object_set_data(G_OBJECT(list_item), "binding", binding);
}

static void unbind_row(GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer unused)
{
    (void)factory;
    (void)unused;
    g_binding_unbind(g_object_get_data(G_OBJECT(list_item), "binding"));
}

static void show_view(fixture *test, GtkSelectionModel *selection)
{
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    GtkWidget *scrolled = gtk_scrolled_window_new();
    g_signal_connect(factory, "setup", G_CALLBACK(set_up_row), NULL);
    g_signal_connect(factory, "bind", G_CALLBACK(bind_row), NULL);
    g_signal_connect(factory, "unbind", G_CALLBACK(unbind_row), NULL);
    test->view = gtk_list_view_new(selection, factory);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), test->view);
    test->window = gtk_window_new();
    gtk_window_set_default_size(GTK_WINDOW(test->window), 300, 400);
    gtk_window_set_child(GTK_WINDOW(test->window), scrolled);
    gtk_window_present(GTK_WINDOW(test->window));
    settle(test);
}

/* The entry that shows a row, or NULL. */
static GtkWidget *entry_of(GtkWidget *widget, int id)
{
    GtkWidget *child;
    gpointer item = g_object_get_data(G_OBJECT(widget), "item");
    if (GTK_IS_ENTRY(widget)) {
        return id_of(item) == id ? widget : NULL;
    }
    for (child = gtk_widget_get_first_child(widget); child != NULL; child = gtk_widget_get_next_sibling(child)) {
        GtkWidget *found = entry_of(child, id);
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

/* The ids of the rows that the view draws as selected, in its order. */
static void add_selected(GtkWidget *widget, GString *ids)
{
    GtkWidget *child;
    for (child = gtk_widget_get_first_child(widget); child != NULL; child = gtk_widget_get_next_sibling(child)) {
        if (gtk_widget_get_state_flags(child) & GTK_STATE_FLAG_SELECTED
            && GTK_IS_ENTRY(gtk_widget_get_first_child(child)) && gtk_widget_get_mapped(child)) {
            g_string_append_printf(ids, "%d ",
                                   id_of(g_object_get_data(G_OBJECT(gtk_widget_get_first_child(child)), "item")));
        }
        add_selected(child, ids);
    }
}

static void expect_selected(fixture *test, const char *expected)
{
    GString *ids = g_string_new("");
    /* A row that is inserted above the first one is above the screen. */
    gtk_widget_activate_action(test->view, "list.scroll-to-item", "u", 0);
    settle(test);
    add_selected(test->view, ids);
    g_assert_cmpstr(ids->str, ==, expected);
    g_string_free(ids, TRUE);
}

static void a_view_shows_what_is_selected(fixture *test, gconstpointer unused)
{
    FrGSelection *selection = frg_selection_new(G_LIST_MODEL(test->model), TRUE);
    (void)unused;
    show_view(test, g_object_ref(GTK_SELECTION_MODEL(selection)));
    gtk_selection_model_select_range(GTK_SELECTION_MODEL(selection), 1, 2, TRUE);
    expect_selected(test, "2 3 ");
    run(test, "UPDATE t SET rank = 5 WHERE id = 3", 0);
    expect_selected(test, "3 2 ");
    run(test, "UPDATE t SET rank = 100000 WHERE id = 3", 0);
    expect_selected(test, "2 ");
    run(test, "UPDATE t SET rank = -100000 WHERE id = 3", 0);
    expect_selected(test, "3 2 ");
    check(fr_list_perform_fetch(test->list));
    frg_list_model_reload(test->model);
    expect_selected(test, "3 2 ");
    gtk_selection_model_unselect_item(GTK_SELECTION_MODEL(selection), 0);
    expect_selected(test, "2 ");
    g_object_unref(selection);
}

static void check_entry(fixture *test, GtkWidget *entry)
{
    GtkWidget *focus = gtk_window_get_focus(GTK_WINDOW(test->window));
    g_assert_true(entry_of(test->view, 3) == entry);
    g_assert_cmpstr(gtk_editable_get_text(GTK_EDITABLE(entry)), ==, "being typed");
    g_assert_true(focus != NULL && gtk_widget_is_ancestor(focus, entry));
}

static void typed_text_and_focus_stay(fixture *test, gconstpointer unused)
{
    GtkWidget *entry;
    char *shown = NULL;
    (void)unused;
    show_view(test, GTK_SELECTION_MODEL(gtk_no_selection_new(g_object_ref(G_LIST_MODEL(test->model)))));
    entry = entry_of(test->view, 3);
    g_assert_nonnull(entry);
    gtk_widget_grab_focus(entry);
    gtk_editable_set_text(GTK_EDITABLE(entry), "being typed");
    settle(test);
    check_entry(test, entry);
    run(test, "UPDATE t SET title = 'renamed' WHERE id = 3", 0);
    settle(test);
    check_entry(test, entry);
    g_object_get(entry, "placeholder-text", &shown, NULL);
    g_assert_cmpstr(shown, ==, "renamed");
    g_free(shown);
    run(test, "UPDATE t SET rank = 55 WHERE id = 3", 0);
    settle(test);
    check_entry(test, entry);
    run(test, "INSERT INTO t(title, rank) VALUES ('first', 0)", 0);
    settle(test);
    check_entry(test, entry);
    run(test, "UPDATE t SET done = 1", 0);
    settle(test);
    check_entry(test, entry);
}

/* Many commits, each followed by what the main loop has to do. */
static void a_storm(fixture *test, gconstpointer unused)
{
    static const char *const changes[] = {
        "UPDATE t SET title = 'storm %d' WHERE id % 7 = 3",   "UPDATE t SET rank = rank + 25 WHERE id = %d",
        "INSERT INTO t(title, rank) VALUES ('new', %d * 10)", "DELETE FROM t WHERE id = %d + 40",
        "UPDATE t SET done = NOT done WHERE id < %d",
    };
    GtkSingleSelection *selection = gtk_single_selection_new(g_object_ref(G_LIST_MODEL(test->model)));
    GtkWidget *entry;
    guint index;
    (void)unused;
    show_view(test, GTK_SELECTION_MODEL(gtk_no_selection_new(g_object_ref(G_LIST_MODEL(test->model)))));
    gtk_single_selection_set_selected(selection, 499);
    run(test, "UPDATE t SET rank = -100000 WHERE id = 3", 0);
    settle(test);
    entry = entry_of(test->view, 3);
    gtk_widget_grab_focus(entry);
    gtk_editable_set_text(GTK_EDITABLE(entry), "being typed");
    for (index = 0; index < STORM; index++) {
        char *sql = g_strdup(changes[index % G_N_ELEMENTS(changes)]), *number = strstr(sql, "%d");
        char *filled = g_strdup_printf("%.*s%d%s", (int)(number - sql), sql, (int)(10 + index % 400), number + 2);
        check(fr_store_execute_script(test->store, filled));
        settle(test);
        is_single(selection);
        check_entry(test, entry);
        g_free(filled);
        g_free(sql);
    }
    g_object_unref(selection);
}

static gpointer get_item(GListModel *model, guint position)
{
    return g_list_model_get_item(model, position);
}

/* An expression and a filter find the properties by their names. */
static void expressions_read_columns(fixture *test, gconstpointer unused)
{
    FrGItem *item = get_item(G_LIST_MODEL(test->model), 4);
    GType type = g_list_model_get_item_type(G_LIST_MODEL(test->model));
    GtkExpression *title = gtk_property_expression_new(type, NULL, "title");
    GValue value = G_VALUE_INIT;
    GtkExpressionWatch *watch;
    guint calls = 0;
    (void)unused;
    g_assert_true(gtk_expression_evaluate(title, item, &value));
    g_assert_cmpstr(g_value_get_string(&value), ==, "row 5");
    g_value_unset(&value);
    watch = gtk_expression_watch(title, item, (GtkExpressionNotify)g_atomic_int_inc, &calls, NULL);
    run(test, "UPDATE t SET title = 'five' WHERE id = 5", 0);
    g_assert_true(gtk_expression_watch_evaluate(watch, &value));
    g_assert_cmpstr(g_value_get_string(&value), ==, "five");
    g_assert_cmpuint(calls, ==, 1);
    g_value_unset(&value);
    gtk_expression_watch_unwatch(watch);
    gtk_expression_unref(title);
    g_object_unref(item);
}

#define ADD(name) g_test_add("/gtk/" #name, fixture, NULL, set_up, name, tear_down)

int main(int argc, char **argv)
{
    init_test(&argc, &argv);
    ADD(a_single_selection_stays);
    ADD(a_multiple_selection_stays);
    ADD(one_row_is_followed_anywhere);
    ADD(many_rows_are_followed_anywhere);
    ADD(a_row_in_a_tree_is_followed);
    ADD(an_object_below_other_models_is_followed);
    ADD(a_row_in_a_flat_model_is_found_without_reading_all);
    ADD(a_row_in_a_tree_is_found_without_reading_all);
    ADD(a_selected_row_is_found_in_a_tree_that_changes);
    ADD(a_view_shows_what_is_selected);
    ADD(typed_text_and_focus_stay);
    ADD(a_storm);
    ADD(expressions_read_columns);
    return g_test_run();
}
