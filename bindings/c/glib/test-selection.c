/* Selections by identity, and lists of the program's own objects. */
#include "frg-object-list.h"
#include "frg-selection.h"
#include "test-support.h"

/* "1 2 3": the ids of the selected rows, in the order of the model. */
static char *selected_ids(FrGSelection *selection)
{
    GArray *positions = frg_selection_dup_positions(selection);
    GString *ids = g_string_new("");
    guint index;
    for (index = 0; index < positions->len; index++) {
        guint position = g_array_index(positions, guint, index);
        gpointer item = g_list_model_get_item(G_LIST_MODEL(selection), position);
        g_assert_true(frg_selection_contains(selection, position));
        g_string_append_printf(ids, "%d ", (int)row_id(item));
        g_object_unref(item);
    }
    g_array_unref(positions);
    return g_string_free(ids, FALSE);
}

static void note(GString *log, guint position, guint n_items)
{
    g_string_append_printf(log, "%u+%u ", position, n_items);
}

static void note_item(FrGSelection *selection, GParamSpec *spec, GString *log)
{
    GObject *item = frg_selection_get_selected_item(selection);
    (void)spec;
    g_string_append_printf(log, "item %d ", item != NULL ? (int)row_id(FRG_ITEM(item)) : 0);
}

static void expect_log(GString *log, const char *expected)
{
    g_assert_cmpstr(log->str, ==, expected);
    g_string_truncate(log, 0);
}

static void one_row_stays_selected(struct flat *test, gconstpointer unused)
{
    FrGSelection *selection = frg_selection_new(G_LIST_MODEL(test->model), FALSE);
    GString *log = g_string_new("");
    (void)unused;
    g_signal_connect_swapped(selection, "selection-changed", G_CALLBACK(note), log);
    g_signal_connect(selection, "notify::selected-item", G_CALLBACK(note_item), log);
    g_assert_true(frg_selection_select(selection, 1, 1, FALSE));
    expect_log(log, "0+6 item 2 ");
    g_assert_false(frg_selection_select(selection, 0, 2, FALSE));
    g_assert_false(frg_selection_select(selection, 6, 1, FALSE));
    /* An update, a move to another section, a change of all rows, and a reload. */
    run(test->store, "UPDATE t SET v = 7 WHERE id = 2");
    run(test->store, "UPDATE t SET s = 'c', k = 15 WHERE id = 2");
    g_assert_cmpuint(frg_selection_get_selected(selection), ==, 4);
    run(test->store, "UPDATE t SET s = 'x', k = -k");
    g_assert_text(selected_ids(selection), "2 ");
    check(fr_list_perform_fetch(test->list));
    frg_list_model_reload(test->model);
    g_assert_text(selected_ids(selection), "2 ");
    expect_log(log, "");
    g_assert_true(frg_selection_select(selection, 0, 1, FALSE));
    g_assert_text(selected_ids(selection), "3 ");
    expect_log(log, "0+6 item 3 ");
    frg_selection_clear(selection);
    frg_selection_clear(selection);
    expect_log(log, "0+6 item 0 ");
    g_object_unref(selection);
    g_string_free(log, TRUE);
}

/* A signal that removes a row is followed by one that inserts it; meanwhile it is selected. */
static void a_long_move_keeps_the_selection(struct flat *test, gconstpointer unused)
{
    FrGSelection *selection = frg_selection_new(G_LIST_MODEL(test->model), FALSE);
    GString *log = g_string_new("");
    (void)unused;
    run(test->store, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)"
                     "INSERT INTO t(id, s, k) SELECT 100 + i, 'b', 1000 + i FROM n");
    frg_selection_select(selection, 0, 1, FALSE);
    g_signal_connect(selection, "notify::selected-item", G_CALLBACK(note_item), log);
    run(test->store, "UPDATE t SET s = 'z' WHERE id = 1");
    g_assert_cmpuint(frg_selection_get_selected(selection), ==, 1005);
    g_assert_text(selected_ids(selection), "1 ");
    expect_log(log, "");
    g_object_unref(selection);
    g_string_free(log, TRUE);
}

static void many_rows_stay_selected(struct flat *test, gconstpointer unused)
{
    FrGSelection *selection = frg_selection_new(G_LIST_MODEL(test->model), TRUE);
    GString *log = g_string_new("");
    (void)unused;
    g_signal_connect_swapped(selection, "selection-changed", G_CALLBACK(note), log);
    g_assert_true(frg_selection_select(selection, 1, 2, FALSE));
    g_assert_true(frg_selection_select(selection, 5, 1, FALSE));
    expect_log(log, "1+2 5+1 ");
    g_assert_null(frg_selection_get_selected_item(selection));
    run(test->store, "UPDATE t SET s = 'z' WHERE id = 2");
    g_assert_text(selected_ids(selection), "3 6 2 ");
    frg_selection_unselect(selection, 0, 3);
    g_assert_text(selected_ids(selection), "6 2 ");
    expect_log(log, "1+1 ");
    run(test->store, "DELETE FROM t WHERE id = 6");
    g_assert_text(selected_ids(selection), "2 ");
    g_assert_cmpint(row_id(FRG_ITEM(frg_selection_get_selected_item(selection))), ==, 2);
    g_assert_true(frg_selection_select(selection, 0, 1, TRUE));
    g_assert_text(selected_ids(selection), "1 ");
    g_object_unref(selection);
    g_string_free(log, TRUE);
}

/* A row that gets the identity of a deleted one is another row. */
static void a_deleted_row_is_not_selected(struct flat *test, gconstpointer unused)
{
    FrGSelection *selection = frg_selection_new(G_LIST_MODEL(test->model), FALSE);
    (void)unused;
    frg_selection_select(selection, 5, 1, FALSE);
    run(test->store, "DELETE FROM t WHERE id = 6");
    g_assert_cmpuint(frg_selection_get_selected(selection), ==, G_MAXUINT);
    g_assert_null(frg_selection_get_selected_item(selection));
    run(test->store, "INSERT INTO t(id, s, k) VALUES (6, 'c', 20)");
    g_assert_text(selected_ids(selection), "");
    /* So it is if nobody was notified of the deletion. */
    frg_selection_select(selection, 5, 1, FALSE);
    run(test->store, "BEGIN; DELETE FROM t WHERE id = 6");
    check(fr_list_perform_fetch(test->list));
    run(test->store, "COMMIT");
    frg_list_model_reload(test->model);
    run(test->store, "INSERT INTO t(id, s, k) VALUES (6, 'c', 20)");
    g_assert_text(selected_ids(selection), "");
    g_object_unref(selection);
}

/* Whether fewer rows are selected than deleted, or as many. */
static void neighbours_that_are_deleted_are_not_selected(struct flat *test, gconstpointer unused)
{
    FrGSelection *selection = frg_selection_new(G_LIST_MODEL(test->model), TRUE);
    (void)unused;
    frg_selection_select(selection, 0, 2, FALSE);
    run(test->store, "DELETE FROM t WHERE id IN (1, 2)");
    run(test->store, "INSERT INTO t(id, s, k) VALUES (1, 'a', 10), (2, 'a', 20)");
    g_assert_text(selected_ids(selection), "");
    frg_selection_select(selection, 0, 1, FALSE);
    frg_selection_select(selection, 5, 1, FALSE);
    run(test->store, "DELETE FROM t WHERE id <= 4");
    run(test->store, "INSERT INTO t(id, s, k) VALUES (1, 'a', 10)");
    g_assert_text(selected_ids(selection), "6 ");
    g_object_unref(selection);
}

static FrGStore *open_store(void)
{
    GError *error = NULL;
    FrGStore *store = frg_store_new(":memory:", FRG_STORE_DEFAULT, &error);
    g_assert_no_error(error);
    frg_store_execute_script(store, "CREATE TABLE t(id INTEGER PRIMARY KEY, s, k, v INTEGER DEFAULT 0);" THREE_SECTIONS,
                             &error);
    g_assert_no_error(error);
    return store;
}

static void a_filter_hides_a_selected_row(void)
{
    FrGStore *store = open_store();
    FrGRequest *request = frg_request_new("t");
    GError *error = NULL;
    FrGListModel *model = frg_list_model_new_for_request(store, request, &error);
    FrGSelection *selection = frg_selection_new(G_LIST_MODEL(model), TRUE);
    g_assert_no_error(error);
    frg_selection_select(selection, 3, 2, FALSE);
    g_object_set(request, "predicate", "id <> 4", NULL);
    g_assert_true(frg_live_model_set_request(FRG_LIVE_MODEL(model), request, &error));
    g_assert_text(selected_ids(selection), "5 ");
    g_object_set(request, "predicate", NULL, NULL);
    g_assert_true(frg_live_model_set_request(FRG_LIVE_MODEL(model), request, &error));
    g_assert_text(selected_ids(selection), "4 5 ");
    g_object_unref(selection);
    g_object_unref(model);
    g_object_unref(request);
    g_object_unref(store);
}

static void a_section_has_its_selection(struct flat *test, gconstpointer unused)
{
    FrGSectionList *sections = frg_section_list_new(test->list);
    FrGListModel *first = g_list_model_get_item(G_LIST_MODEL(sections), 0);
    FrGSelection *selection = frg_selection_new(G_LIST_MODEL(first), TRUE);
    (void)unused;
    frg_selection_select(selection, 0, 2, FALSE);
    run(test->store, "UPDATE t SET k = 99 WHERE id = 1");
    g_assert_text(selected_ids(selection), "2 1 ");
    run(test->store, "UPDATE t SET s = 'b' WHERE id = 1");
    g_assert_text(selected_ids(selection), "2 ");
    run(test->store, "UPDATE t SET s = 'a' WHERE id = 1");
    g_assert_text(selected_ids(selection), "2 1 ");
    check(fr_store_close(g_steal_pointer(&test->store)));
    fr_list_free(g_steal_pointer(&test->list));
    g_assert_text(selected_ids(selection), "");
    g_object_unref(selection);
    g_object_unref(first);
    g_object_unref(sections);
}

/* A program's object: the text of a row, and how often it was updated. */

#define TYPE_TASK (task_get_type())
G_DECLARE_FINAL_TYPE(Task, task, TEST, TASK, GObject)

struct _Task {
    GObject parent_instance;
    char *text;
    guint updates;
};

G_DEFINE_TYPE(Task, task, G_TYPE_OBJECT)

static void task_finalize(GObject *object)
{
    g_free(TEST_TASK(object)->text);
    G_OBJECT_CLASS(task_parent_class)->finalize(object);
}

static void task_class_init(TaskClass *task_class)
{
    G_OBJECT_CLASS(task_class)->finalize = task_finalize;
}

static void task_init(Task *task)
{
    (void)task;
}

/* In a column k below 0 another object stands for the row. */
static GObject *task_of(FrGItem *row, GObject *former, gpointer calls)
{
    Task *task = former != NULL && frg_item_get_int64(row, "k") >= 0 ? TEST_TASK(g_object_ref(former)) : NULL;
    (*(guint *)calls)++;
    if (task == NULL) {
        task = g_object_new(TYPE_TASK, NULL);
    } else {
        task->updates++;
    }
    g_free(task->text);
    task->text = row_text(row);
    return G_OBJECT(task);
}

static void count_end(gpointer calls)
{
    *(guint *)calls = 1000;
}

static void note_change(GString *log, guint position, guint removed, guint added)
{
    g_string_append_printf(log, "%u-%u+%u ", position, removed, added);
}

static void rows_are_objects_of_the_program(struct flat *test, gconstpointer unused)
{
    guint calls = 0;
    FrGObjectList *list = frg_object_list_new(test->model, task_of, &calls, count_end);
    GListModel *model = G_LIST_MODEL(list);
    Task *second = g_list_model_get_item(model, 1), *again;
    GString *log = g_string_new("");
    (void)unused;
    g_signal_connect_swapped(list, "items-changed", G_CALLBACK(note_change), log);
    g_assert_cmpuint(g_list_model_get_n_items(model), ==, 6);
    g_assert_cmpuint(calls, ==, 1);
    again = g_list_model_get_item(model, 1);
    g_assert_true(again == second);
    g_object_unref(again);
    g_assert_cmpint(row_id(frg_object_list_get_row(list, G_OBJECT(second))), ==, 2);
    /* An update changes the object; a move and other rows leave it as it is. */
    run(test->store, "UPDATE t SET v = 7 WHERE id = 2");
    g_assert_cmpstr(second->text, ==, "2 a 20 7");
    run(test->store, "UPDATE t SET v = 1 WHERE id = 1");
    g_assert_cmpuint(second->updates, ==, 1);
    expect_log(log, "");
    run(test->store, "DELETE FROM t WHERE id = 1");
    expect_log(log, "0-1+0 ");
    again = g_list_model_get_item(model, 0);
    g_assert_true(again == second);
    g_object_unref(again);
    /* Another object is announced after all that the commit changed. */
    run(test->store, "BEGIN; DELETE FROM t WHERE id = 3; UPDATE t SET k = -1 WHERE id = 2;"
                     "INSERT INTO t(id, s, k) VALUES (7, 'a', -9); COMMIT");
    expect_log(log, "0-0+1 2-1+0 1-1+1 ");
    again = g_list_model_get_item(model, 1);
    g_assert_true(again != second);
    g_assert_cmpstr(again->text, ==, "2 a -1 7");
    g_assert_null(frg_object_list_get_row(list, G_OBJECT(second)));
    g_object_unref(again);
    g_object_unref(second);
    /* Nobody holds an object of the row: it is made again. */
    calls = 0;
    run(test->store, "UPDATE t SET v = 8 WHERE id = 2");
    g_assert_cmpuint(calls, ==, 0);
    g_object_unref(g_list_model_get_item(model, 1));
    g_assert_cmpuint(calls, ==, 1);
    second = g_list_model_get_item(model, 1);
    g_object_unref(list);
    g_assert_cmpuint(calls, ==, 1000);
    g_object_unref(second);
    g_string_free(log, TRUE);
}

static void objects_are_selected_by_their_rows(struct flat *test, gconstpointer unused)
{
    guint calls = 0;
    FrGObjectList *list = frg_object_list_new(test->model, task_of, &calls, NULL);
    FrGSelection *selection = frg_selection_new(G_LIST_MODEL(list), FALSE);
    gpointer row;
    (void)unused;
    frg_selection_select(selection, 0, 1, FALSE);
    run(test->store, "UPDATE t SET s = 'z' WHERE id = 1");
    g_assert_cmpuint(frg_selection_get_selected(selection), ==, 5);
    row = frg_object_list_get_row(list, frg_selection_get_selected_item(selection));
    g_assert_cmpint(row_id(row), ==, 1);
    /* Another object of the row is selected in its place. */
    run(test->store, "UPDATE t SET k = -1 WHERE id = 1");
    row = frg_object_list_get_row(list, frg_selection_get_selected_item(selection));
    g_assert_cmpint(row_id(row), ==, 1);
    g_object_unref(selection);
    g_object_unref(list);
}

#define ADD(name) g_test_add("/selection/" #name, struct flat, NULL, flat_set_up, name, flat_tear_down)

void add_selection_tests(void)
{
    ADD(one_row_stays_selected);
    ADD(a_long_move_keeps_the_selection);
    ADD(many_rows_stay_selected);
    ADD(a_deleted_row_is_not_selected);
    ADD(neighbours_that_are_deleted_are_not_selected);
    g_test_add_func("/selection/a_filter_hides_a_selected_row", a_filter_hides_a_selected_row);
    ADD(a_section_has_its_selection);
    ADD(rows_are_objects_of_the_program);
    ADD(objects_are_selected_by_their_rows);
}
