/* The models in views of GTK 3: the rows of a list, and sections with their rows below them. */
#include <gtk/gtk.h>

#include "frg-gtk-tree.h"
#include "frg-list-model.h"
#include "frg-section-list.h"

enum { STEPS = 400 };

/* The library's copies are GTK's. */
#define SAME_PLACE(method) \
    G_STATIC_ASSERT(G_STRUCT_OFFSET(frg_gtk_tree_interface, method) == G_STRUCT_OFFSET(GtkTreeModelIface, method))
G_STATIC_ASSERT(sizeof(frg_gtk_tree_interface) == sizeof(GtkTreeModelIface));
G_STATIC_ASSERT(sizeof(frg_gtk_tree_iter) == sizeof(GtkTreeIter));
G_STATIC_ASSERT(GTK_TREE_MODEL_LIST_ONLY == 1 << 1);
SAME_PLACE(get_flags);
SAME_PLACE(get_n_columns);
SAME_PLACE(get_column_type);
SAME_PLACE(get_iter);
SAME_PLACE(get_path);
SAME_PLACE(get_value);
SAME_PLACE(iter_next);
SAME_PLACE(iter_previous);
SAME_PLACE(iter_children);
SAME_PLACE(iter_has_child);
SAME_PLACE(iter_n_children);
SAME_PLACE(iter_nth_child);
SAME_PLACE(iter_parent);
SAME_PLACE(ref_node);
SAME_PLACE(unref_node);

typedef struct fixture {
    FrGStore *store;
    FrGLiveModel *model;
    GtkTreeModel *tree;
    GtkTreeModel *filter; /* GTK's own follower, which has to agree */
    GtkWidget *window;
    GtkTreeView *view;
    GArray *top;        /* the ids of the rows at the top, as the signals have announced them */
    GPtrArray *below;   /* the same below each of them */
    GString *changed;   /* the ids of updated rows */
} fixture;

static void execute(fixture *test, const char *sql)
{
    GError *error = NULL;
    frg_store_execute_script(test->store, sql, &error);
    g_assert_no_error(error);
}

static void settle(void)
{
    while (gtk_events_pending()) {
        gtk_main_iteration();
    }
}

/* Strict: at each signal the model has what the signals have announced so far. */

/* A section's is negative; 0 for a row whose deletion is to be announced. */
static gint64 id_at(GtkTreeModel *tree, GtkTreeIter *iter)
{
    GObject *item = NULL;
    gint64 id = 0;
    gtk_tree_model_get(tree, iter, 0, &item, 1, &id, -1);
    if (FRG_IS_LIST_MODEL(item)) {
        id = -frg_list_model_get_section_name(FRG_LIST_MODEL(item))[0];
    }
    g_clear_object(&item);
    return id;
}

static void check_level(fixture *test, GtkTreeIter *parent, const GArray *ids)
{
    gint count = gtk_tree_model_iter_n_children(test->tree, parent), index;
    g_assert_cmpint(count, ==, ids->len);
    for (index = 0; index < count; index++) {
        GtkTreeIter iter;
        gint64 id;
        g_assert_true(gtk_tree_model_iter_nth_child(test->tree, &iter, parent, index));
        id = id_at(test->tree, &iter);
        g_assert_true(id == 0 || id == g_array_index(ids, gint64, index));
    }
}

static void check_all(fixture *test)
{
    guint index;
    check_level(test, NULL, test->top);
    for (index = 0; index < test->below->len; index++) {
        GtkTreeIter iter;
        g_assert_true(gtk_tree_model_iter_nth_child(test->tree, &iter, NULL, (gint)index));
        check_level(test, &iter, g_ptr_array_index(test->below, index));
    }
}

static GArray *ids_below(fixture *test, GtkTreeIter *parent)
{
    GArray *ids = g_array_new(FALSE, FALSE, sizeof(gint64));
    gint count = gtk_tree_model_iter_n_children(test->tree, parent), index;
    for (index = 0; index < count; index++) {
        GtkTreeIter iter;
        gint64 id;
        gtk_tree_model_iter_nth_child(test->tree, &iter, parent, index);
        id = id_at(test->tree, &iter);
        g_array_append_val(ids, id);
    }
    return ids;
}

static void inserted(fixture *test, GtkTreePath *path, GtkTreeIter *iter)
{
    const gint *places = gtk_tree_path_get_indices(path);
    GtkTreePath *found = gtk_tree_model_get_path(test->tree, iter);
    gint64 id = id_at(test->tree, iter);
    g_assert_cmpint(gtk_tree_path_compare(found, path), ==, 0);
    gtk_tree_path_free(found);
    if (gtk_tree_path_get_depth(path) == 2) {
        g_array_insert_val((GArray *)g_ptr_array_index(test->below, places[0]), (guint)places[1], id);
    } else {
        g_array_insert_val(test->top, (guint)places[0], id);
        g_ptr_array_insert(test->below, places[0], ids_below(test, iter));
    }
    check_all(test);
}

static void deleted(fixture *test, GtkTreePath *path)
{
    const gint *places = gtk_tree_path_get_indices(path);
    if (gtk_tree_path_get_depth(path) == 2) {
        g_array_remove_index(g_ptr_array_index(test->below, places[0]), (guint)places[1]);
    } else {
        g_array_remove_index(test->top, (guint)places[0]);
        g_ptr_array_remove_index(test->below, (guint)places[0]);
    }
    check_all(test);
}

static void begin_mirror(fixture *test)
{
    guint index;
    test->top = ids_below(test, NULL);
    test->below = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    for (index = 0; index < test->top->len; index++) {
        GtkTreeIter iter;
        gtk_tree_model_iter_nth_child(test->tree, &iter, NULL, (gint)index);
        g_ptr_array_add(test->below, ids_below(test, &iter));
    }
}

static void row_changed(fixture *test, GtkTreePath *path, GtkTreeIter *iter)
{
    gint64 id = 0;
    (void)path;
    gtk_tree_model_get(test->tree, iter, 1, &id, -1);
    g_string_append_printf(test->changed, "%d ", (int)id);
}

static void set_up(fixture *test, gconstpointer section)
{
    const char *sort[] = {"rank", "id", NULL}, *columns[] = {"id", "title", "done", NULL};
    FrGRequest *request = g_object_new(FRG_TYPE_REQUEST, "entity", "t", "sort", sort, "section", section, NULL);
    GError *error = NULL;
    int column;
    test->store = frg_store_new(":memory:", FRG_STORE_DEFAULT, &error);
    g_assert_no_error(error);
    execute(test, "CREATE TABLE t(id INTEGER PRIMARY KEY, title TEXT, area TEXT, rank INTEGER, done BOOLEAN DEFAULT 0);"
                  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)"
                  "INSERT INTO t(id, title, area, rank) SELECT i, 'row ' || i, char(97 + i % 3), i * 10 FROM n");
    test->model = section == NULL ? FRG_LIVE_MODEL(frg_list_model_new_for_request(test->store, request, &error))
                                  : FRG_LIVE_MODEL(frg_section_list_new_for_request(test->store, request, &error));
    g_assert_no_error(error);
    test->tree = GTK_TREE_MODEL(frg_tree_model_new(test->model, columns));
    test->filter = gtk_tree_model_filter_new(test->tree, NULL);
    begin_mirror(test);
    test->changed = g_string_new("");
    g_signal_connect_swapped(test->tree, "row-inserted", G_CALLBACK(inserted), test);
    g_signal_connect_swapped(test->tree, "row-deleted", G_CALLBACK(deleted), test);
    g_signal_connect_swapped(test->tree, "row-changed", G_CALLBACK(row_changed), test);
    test->view = GTK_TREE_VIEW(gtk_tree_view_new_with_model(test->tree));
    for (column = 1; column <= 2; column++) {
        gtk_tree_view_insert_column_with_attributes(test->view, -1, columns[column - 1], gtk_cell_renderer_text_new(),
                                                    "text", column, NULL);
    }
    test->window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
    gtk_window_set_default_size(GTK_WINDOW(test->window), 300, 400);
    gtk_container_add(GTK_CONTAINER(test->window), gtk_scrolled_window_new(NULL, NULL));
    gtk_container_add(GTK_CONTAINER(gtk_bin_get_child(GTK_BIN(test->window))), GTK_WIDGET(test->view));
    gtk_widget_show_all(test->window);
    gtk_tree_view_expand_all(test->view);
    settle();
    g_object_unref(request);
}

static void tear_down(fixture *test, gconstpointer unused)
{
    (void)unused;
    gtk_widget_destroy(test->window);
    g_object_unref(test->filter);
    g_assert_finalize_object(test->tree);
    g_object_unref(test->model);
    g_object_unref(test->store);
    g_array_unref(test->top);
    g_ptr_array_unref(test->below);
    g_string_free(test->changed, TRUE);
}

/* "a: 1 2 b: 3 ": what a model of GTK has. */

static gboolean add_row(GtkTreeModel *tree, GtkTreePath *path, GtkTreeIter *iter, gpointer text)
{
    gint64 id = 0;
    char *title = NULL;
    (void)path;
    gtk_tree_model_get(tree, iter, 1, &id, 2, &title, -1);
    if (id == 0) {
        g_string_append_printf(text, "%s: ", title);
    } else {
        g_string_append_printf(text, "%d ", (int)id);
    }
    g_free(title);
    return FALSE;
}

static char *text_of(GtkTreeModel *tree)
{
    GString *text = g_string_new("");
    gtk_tree_model_foreach(tree, add_row, text);
    return g_string_free(text, FALSE);
}

/* The same from the database. */
static char *expected_text(fixture *test)
{
    gboolean has_sections = FRG_IS_SECTION_LIST(test->model);
    GListModel *rows = frg_store_query(test->store,
                                       has_sections ? "SELECT id, area FROM t ORDER BY area, rank, id"
                                                    : "SELECT id, '' AS area FROM t ORDER BY rank, id",
                                       NULL, NULL);
    GString *text = g_string_new("");
    char *last = g_strdup("");
    guint index;
    for (index = 0; index < g_list_model_get_n_items(rows); index++) {
        FrGItem *row = g_list_model_get_item(rows, index);
        char *area = frg_item_get_string(row, "area");
        if (strcmp(area, last) != 0) {
            g_string_append_printf(text, "%s: ", area);
        }
        g_string_append_printf(text, "%d ", (int)frg_item_get_int64(row, "id"));
        g_free(last);
        last = area;
        g_object_unref(row);
    }
    g_free(last);
    g_object_unref(rows);
    return g_string_free(text, FALSE);
}

static void expect_all(fixture *test)
{
    char *expected = expected_text(test), *shown = text_of(test->tree), *filtered = text_of(test->filter);
    g_assert_cmpstr(shown, ==, expected);
    g_assert_cmpstr(filtered, ==, expected);
    g_free(expected);
    g_free(shown);
    g_free(filtered);
}

/* A random change, of rows and sections. */
static char *random_change(GRand *random)
{
    int number = g_rand_int_range(random, 0, 70), other = g_rand_int_range(random, 0, 600), area = 'a' + number % 5;
    switch (g_rand_int_range(random, 0, 6)) {
    case 0:
        return g_strdup_printf("INSERT INTO t(title, area, rank) VALUES ('new', '%c', %d)", area, other);
    case 1:
        return g_strdup_printf("DELETE FROM t WHERE id %% 50 = %d AND rank > %d", number, other);
    case 2:
        return g_strdup_printf("UPDATE t SET rank = %d WHERE id %% 40 = %d", number * 7, other % 40);
    case 3:
        return g_strdup_printf("UPDATE t SET title = 'x', area = '%c' WHERE id %% 30 = %d", area, other % 30);
    case 4:
        return g_strdup_printf("UPDATE t SET area = '%c' WHERE area = '%c'", 'a' + other % 5, area);
    default:
        return g_strdup_printf("BEGIN; UPDATE t SET rank = -rank WHERE id < %d; DELETE FROM t WHERE id = %d; COMMIT",
                               number, other);
    }
}

static void rows_follow_commits(fixture *test, gconstpointer unused)
{
    GRand *random = g_rand_new_with_seed(7);
    guint step;
    (void)unused;
    expect_all(test);
    for (step = 0; step < STEPS; step++) {
        char *sql = random_change(random);
        g_test_message("%s", sql);
        execute(test, sql);
        g_free(sql);
        expect_all(test);
        if (step % 20 == 0) {
            gtk_tree_view_expand_all(test->view);
            settle();
        }
    }
    execute(test, "DELETE FROM t");
    expect_all(test);
    g_rand_free(random);
}

static GtkTreePath *path_of(fixture *test, int wanted)
{
    GtkTreeIter iter, child;
    gboolean is_there = gtk_tree_model_get_iter_first(test->tree, &iter);
    while (is_there) {
        GtkTreeIter *row = &iter;
        gboolean has_row = TRUE;
        if (FRG_IS_SECTION_LIST(test->model)) {
            row = &child;
            has_row = gtk_tree_model_iter_children(test->tree, &child, &iter);
        }
        while (has_row) {
            gint64 id;
            gtk_tree_model_get(test->tree, row, 1, &id, -1);
            if (id == wanted) {
                return gtk_tree_model_get_path(test->tree, row);
            }
            has_row = gtk_tree_model_iter_next(test->tree, row);
        }
        is_there = row == &child && gtk_tree_model_iter_next(test->tree, &iter);
    }
    return NULL;
}

static int selected_id(fixture *test)
{
    GtkTreeIter iter;
    gint64 id = 0;
    if (gtk_tree_selection_get_selected(gtk_tree_view_get_selection(test->view), NULL, &iter)) {
        gtk_tree_model_get(test->tree, &iter, 1, &id, -1);
    }
    return (int)id;
}

static void a_selection_and_the_scrolled_row_stay(fixture *test, gconstpointer unused)
{
    GtkTreePath *path = path_of(test, 30), *top = NULL;
    GtkTreeRowReference *reference;
    char *before, *after;
    (void)unused;
    gtk_tree_selection_select_path(gtk_tree_view_get_selection(test->view), path);
    reference = gtk_tree_row_reference_new(test->tree, path);
    g_assert_cmpint(selected_id(test), ==, 30);
    execute(test, "INSERT INTO t(title, area, rank) VALUES ('first', 'a', -1), ('second', 'a', -2)");
    execute(test, "UPDATE t SET rank = 1000 WHERE id = 3");
    execute(test, "UPDATE t SET title = 'renamed' WHERE id = 30");
    execute(test, "DELETE FROM t WHERE id = 6");
    settle();
    g_assert_cmpint(selected_id(test), ==, 30);
    top = gtk_tree_row_reference_get_path(reference);
    gtk_tree_path_free(path);
    path = path_of(test, 30);
    before = gtk_tree_path_to_string(top);
    after = gtk_tree_path_to_string(path);
    g_assert_cmpstr(before, ==, after);
    g_assert_nonnull(strstr(test->changed->str, "30 "));
    g_free(before);
    g_free(after);
    gtk_tree_path_free(path);
    gtk_tree_path_free(top);
    gtk_tree_row_reference_free(reference);
}

static void columns_have_the_types_of_the_table(fixture *test, gconstpointer unused)
{
    GtkTreeIter iter;
    GtkTreePath *path = path_of(test, 7);
    GObject *item = NULL;
    gboolean is_done = FALSE;
    (void)unused;
    execute(test, "UPDATE t SET done = 1 WHERE id = 7");
    g_assert_cmpint(gtk_tree_model_get_n_columns(test->tree), ==, 4);
    g_assert_cmpint(gtk_tree_model_get_column_type(test->tree, 1), ==, G_TYPE_INT64);
    g_assert_cmpint(gtk_tree_model_get_column_type(test->tree, 2), ==, G_TYPE_STRING);
    g_assert_cmpint(gtk_tree_model_get_column_type(test->tree, 3), ==, G_TYPE_BOOLEAN);
    g_assert_true(gtk_tree_model_get_iter(test->tree, &iter, path));
    gtk_tree_model_get(test->tree, &iter, 0, &item, 3, &is_done, -1);
    g_assert_true(FRG_IS_ITEM(item) && is_done);
    g_assert_cmpint(frg_item_get_int64(FRG_ITEM(item), "id"), ==, 7);
    g_object_unref(item);
    gtk_tree_path_free(path);
}

#define ADD(name) \
    g_test_add("/list/" #name, fixture, NULL, set_up, name, tear_down); \
    g_test_add("/tree/" #name, fixture, "area", set_up, name, tear_down)

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    /* GTK warns of what the machine lacks, for example a session bus. */
    g_log_set_always_fatal(G_LOG_LEVEL_CRITICAL | G_LOG_FATAL_MASK);
    g_setenv("NO_AT_BRIDGE", "1", TRUE);
    gtk_init(&argc, &argv);
    ADD(rows_follow_commits);
    ADD(a_selection_and_the_scrolled_row_stay);
    ADD(columns_have_the_types_of_the_table);
    return g_test_run();
}
