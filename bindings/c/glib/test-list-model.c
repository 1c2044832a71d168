/* The model of all rows: which signals a transaction makes. */
#include "frg-changed-rows.h"
#include "frg-request.h"
#include "frg-store.h"
#include "test-support.h"

static void insert(struct flat *test, gconstpointer unused)
{
    (void)unused;
    run(test->store, "INSERT INTO t(id, s, k) VALUES (7, 'b', 5)");
    flat_expect(test, "1 2 3 7 4 5 6", "3-0+1 ");
    run(test->store, "INSERT INTO t(id, s, k) VALUES (8, 'd', 1), (9, 'd', 2), (10, 'A', 1)");
    flat_expect(test, "10 1 2 3 7 4 5 6 8 9", "0-0+1 8-0+2 ");
}

static void delete (struct flat *test, gconstpointer unused)
{
    FrGItem *item = g_list_model_get_item(G_LIST_MODEL(test->model), 1);
    (void)unused;
    run(test->store, "DELETE FROM t WHERE id = 2");
    flat_expect(test, "1 3 4 5 6", "1-1+0 ");
    g_assert_text(row_text(item), "2 a 20 0");
    g_object_unref(item);
    run(test->store, "DELETE FROM t WHERE id IN (1, 5, 6)");
    flat_expect(test, "3 4", "0-1+0 2-2+0 ");
    run(test->store, "DELETE FROM t");
    flat_expect(test, "", "0-2+0 ");
}

static void update(struct flat *test, gconstpointer unused)
{
    FrGItem *item = g_list_model_get_item(G_LIST_MODEL(test->model), 2);
    (void)unused;
    run(test->store, "UPDATE t SET v = 7 WHERE id = 3");
    flat_expect(test, "1 2 3 4 5 6", "");
    mirror_expect_updated(test->mirror, "2 ");
    g_assert_text(row_text(item), "3 a 30 7");
    g_object_unref(item);
    run(test->store, "UPDATE t SET v = 8 WHERE id IN (1, 3, 4)");
    flat_expect(test, "1 2 3 4 5 6", "");
    mirror_expect_updated(test->mirror, "0 2 3 ");
}

static void rename_that_moves(struct flat *test, gconstpointer unused)
{
    (void)unused;
    run(test->store, "UPDATE t SET k = 35 WHERE id = 1");
    flat_expect(test, "2 3 1 4 5 6", "0-3+3 ");
    mirror_expect_updated(test->mirror, "0 ");
    run(test->store, "UPDATE t SET k = 15 WHERE id = 1");
    flat_expect(test, "1 2 3 4 5 6", "0-3+3 ");
    mirror_expect_updated(test->mirror, "2 ");
    run(test->store, "UPDATE t SET k = 25 WHERE id = 2");
    flat_expect(test, "1 2 3 4 5 6", "");
    mirror_expect_updated(test->mirror, "1 ");
}

/* The row moves to another section, past nothing. */
static void section_emptied(struct flat *test, gconstpointer unused)
{
    (void)unused;
    run(test->store, "UPDATE t SET s = 'c', k = 1 WHERE id = 4");
    flat_expect(test, "1 2 3 4 5 6", "3-1+1 ");
    run(test->store, "UPDATE t SET s = 'a', k = 15 WHERE id = 4");
    flat_expect(test, "1 4 2 3 5 6", "1-3+3 ");
}

static void section_moved_by_a_rename_of_its_key(struct flat *test, gconstpointer unused)
{
    (void)unused;
    run(test->store, "UPDATE t SET s = 'aa' WHERE s = 'a'");
    flat_expect(test, "1 2 3 4 5 6", "0-3+3 ");
    run(test->store, "UPDATE t SET s = 'd' WHERE s = 'aa'");
    flat_expect(test, "4 5 6 1 2 3", "0-6+6 ");
}

/* Two neighbours move together, past nothing. */
static void neighbours_move_to_another_section(struct flat *test, gconstpointer unused)
{
    (void)unused;
    frg_live_model_set_move_range(FRG_LIVE_MODEL(test->model), 0);
    run(test->store,
        "BEGIN; UPDATE t SET s = 'b', k = 1 WHERE id = 2; UPDATE t SET s = 'b', k = 2 WHERE id = 3; COMMIT");
    flat_expect(test, "1 2 3 4 5 6", "1-2+2 ");
}

/* Sections whose order is turned round take their rows along. */
static void sections_move(struct flat *test, gconstpointer unused)
{
    fr_request *request = NULL;
    (void)unused;
    check(fr_request_new(&request, "t"));
    check(fr_request_set_section(request, "s", FR_DESCENDING, NULL));
    check(fr_request_add_sort(request, "k", FR_ASCENDING, NULL));
    check(fr_controller_set_request(test->list, request));
    fr_request_free(request);
    flat_expect(test, "5 6 4 1 2 3", "0-6+6 ");
}

/* No row changes, but each item shows something else. */
static void other_columns(struct flat *test, gconstpointer unused)
{
    static const char *const columns[] = {"id", "v"};
    FrGItem *item = g_list_model_get_item(G_LIST_MODEL(test->model), 2);
    fr_request *request = NULL;
    (void)unused;
    check(fr_request_new(&request, "t"));
    check(fr_request_set_section(request, "s", FR_ASCENDING, NULL));
    check(fr_request_add_sort(request, "k", FR_ASCENDING, NULL));
    check(fr_request_set_columns(request, columns, 2));
    check(fr_controller_set_request(test->list, request));
    fr_request_free(request);
    flat_expect(test, "1 2 3 4 5 6", "");
    mirror_expect_updated(test->mirror, "0 1 2 3 4 5 ");
    g_assert_text(row_text(item), "3 0");
    g_object_unref(item);
}

static void rolled_back_transaction(struct flat *test, gconstpointer unused)
{
    (void)unused;
    check(fr_store_begin(test->store, FR_IMMEDIATE));
    run(test->store, "DELETE FROM t WHERE id < 4");
    run(test->store, "INSERT INTO t(s, k) VALUES ('a', 1)");
    check(fr_store_rollback(test->store));
    flat_expect(test, "1 2 3 4 5 6", "");
}

static void all_kinds_of_changes_in_one_transaction(struct flat *test, gconstpointer unused)
{
    (void)unused;
    check(fr_store_begin(test->store, FR_IMMEDIATE));
    run(test->store, "DELETE FROM t WHERE id = 2");
    run(test->store, "UPDATE t SET s = 'c', k = 15 WHERE id = 1");
    run(test->store, "UPDATE t SET v = 9 WHERE id = 3");
    run(test->store, "INSERT INTO t(id, s, k) VALUES (7, 'a', 40), (8, 'd', 1)");
    check(fr_store_commit(test->store));
    flat_expect(test, "3 7 4 5 1 6 8", "0-6+7 ");
}

static void as_many_rows_are_inserted_as_deleted(struct flat *test, gconstpointer unused)
{
    (void)unused;
    check(fr_store_begin(test->store, FR_IMMEDIATE));
    run(test->store, "DELETE FROM t WHERE id = 6");
    run(test->store, "UPDATE t SET k = 25 WHERE id = 1");
    run(test->store, "INSERT INTO t(id, s, k) VALUES (7, 'a', 1)");
    check(fr_store_commit(test->store));
    flat_expect(test, "7 2 1 3 4 5", "0-6+6 ");
}

static void thousands_of_rows_in_a_transaction(struct flat *test, gconstpointer unused)
{
    (void)unused;
    run(test->store, "BEGIN;"
                     "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)"
                     "INSERT INTO t(id, s, k) SELECT 100 + i, char(97 + i % 3), 1000 + i FROM n;"
                     "COMMIT");
    mirror_expect(test->mirror, "3-0+1000 1004-0+1000 2006-0+1000 ");
    g_assert_cmpuint(test->mirror->ids->len, ==, 3006);
    run(test->store, "DELETE FROM t WHERE id > 100 AND id % 2 = 0");
    g_assert_cmpuint(test->mirror->ids->len, ==, 1506);
}

/* The columns of a row are properties, of the types that they are declared with. */
/* How many runs of rows leave and come in a change set. */
static void count_runs(fr_list *list, fr_change_set *changes, void *user_data)
{
    frg_changed_rows *rows = frg_changed_rows_new(list, changes);
    frg_transition *transition = frg_changed_rows_all(rows);
    g_string_append_printf(user_data, "%u-%u ", transition->rest.leaving->len, transition->rest.coming->len);
    frg_transition_free(transition);
    frg_changed_rows_free(rows);
}

static void neighbours_are_one_run(struct flat *test, gconstpointer unused)
{
    const fr_observer observer = {.struct_size = sizeof observer, .did_deliver = count_runs};
    GString *runs = g_string_new("");
    (void)unused;
    check(fr_list_add_observer(NULL, test->list, &observer, runs, NULL));
    run(test->store, "WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)"
                     " INSERT INTO t(id, s, k) SELECT i, 'c', i FROM n");
    run(test->store, "DELETE FROM t WHERE id BETWEEN 101 AND 1999 OR id > 2000");
    flat_expect(test, "1 2 3 4 5 6 100 2000", "6-0+2901 7-1899+0 8-1000+0 ");
    g_assert_cmpstr(runs->str, ==, "0-1 2-0 ");
    g_string_free(runs, TRUE);
}

static void columns_are_properties(struct flat *test, gconstpointer unused)
{
    FrGStore *store = frg_store_new(":memory:", FRG_STORE_DEFAULT, NULL);
    FrGRequest *request = frg_request_new("kinds");
    GError *error = NULL;
    FrGListModel *model;
    GObjectClass *item_class;
    GObject *item;
    char *text = NULL;
    gint64 number = 0;
    gboolean is_done = TRUE;
    double real = 0;
    GBytes *bytes = NULL;
    (void)test;
    (void)unused;
    g_assert_true(frg_store_execute_script(store,
                                           "CREATE TABLE kinds(id INTEGER PRIMARY KEY, title VARCHAR(9), done BOOLEAN,"
                                           " size REAL, data BLOB, [due date] DATE, [1st] TEXT, any)",
                                           &error));
    model = frg_list_model_new_for_request(store, request, &error);
    g_assert_no_error(error);
    /* Before there is a row. */
    item_class = g_type_class_ref(g_list_model_get_item_type(G_LIST_MODEL(model)));
    g_assert_cmpstr(G_OBJECT_CLASS_NAME(item_class), ==, "FrGItem-kinds");
    g_assert_true(g_object_class_find_property(item_class, "id")->value_type == G_TYPE_INT64);
    g_assert_true(g_object_class_find_property(item_class, "title")->value_type == G_TYPE_STRING);
    g_assert_true(g_object_class_find_property(item_class, "done")->value_type == G_TYPE_BOOLEAN);
    g_assert_true(g_object_class_find_property(item_class, "size")->value_type == G_TYPE_DOUBLE);
    g_assert_true(g_object_class_find_property(item_class, "data")->value_type == G_TYPE_BYTES);
    g_assert_true(g_object_class_find_property(item_class, "due-date")->value_type == G_TYPE_STRING);
    g_assert_true(g_object_class_find_property(item_class, "any")->value_type == G_TYPE_STRING);
    g_assert_null(g_object_class_find_property(item_class, "1st"));
    g_assert_true(frg_store_execute_script(
        store, "INSERT INTO kinds VALUES (7, 'seven', 1, 7.5, x'0707', '2027-07-07', 'st', 70)", &error));
    item = g_list_model_get_item(G_LIST_MODEL(model), 0);
    g_assert_true(G_OBJECT_GET_CLASS(item) == item_class);
    g_object_get(item, "id", &number, "title", &text, "done", &is_done, "size", &real, "data", &bytes, NULL);
    g_assert_cmpint(number, ==, 7);
    g_assert_cmpstr(text, ==, "seven");
    g_assert_true(is_done);
    g_assert_cmpfloat(real, ==, 7.5);
    g_assert_cmpuint(g_bytes_get_size(bytes), ==, 2);
    g_free(text);
    g_bytes_unref(bytes);
    g_object_get(item, "due-date", &text, NULL);
    g_assert_cmpstr(text, ==, "2027-07-07");
    g_free(text);
    g_object_unref(item);
    g_type_class_unref(item_class);
    g_object_unref(model);
    g_object_unref(request);
    g_object_unref(store);
}

/* The types are those of the table that is meant, of several of the same name. */
static void columns_of_an_attached_file(struct flat *test, gconstpointer unused)
{
    FrGStore *store = frg_store_new(":memory:", FRG_STORE_DEFAULT, NULL);
    FrGRequest *request = frg_request_new("other.kinds");
    FrGListModel *model;
    GObjectClass *item_class;
    (void)test;
    (void)unused;
    g_assert_true(
        frg_store_execute_script(store,
                                 "ATTACH ':memory:' AS other; CREATE TABLE kinds(id INTEGER PRIMARY KEY, n TEXT);"
                                 "CREATE TABLE other.kinds(id INTEGER PRIMARY KEY, n REAL)",
                                 NULL));
    model = frg_list_model_new_for_request(store, request, NULL);
    item_class = g_type_class_ref(g_list_model_get_item_type(G_LIST_MODEL(model)));
    g_assert_true(g_object_class_find_property(item_class, "n")->value_type == G_TYPE_DOUBLE);
    g_type_class_unref(item_class);
    g_object_unref(model);
    g_object_unref(request);
    g_object_unref(store);
}

static void count_notify(GObject *item, GParamSpec *spec, gpointer log)
{
    (void)item;
    g_string_append_printf(log, "%s ", g_param_spec_get_name(spec));
}

/* An update notifies of the columns that it changed, and of no other. */
static void an_update_notifies_of_its_columns(struct flat *test, gconstpointer unused)
{
    GObject *item = g_list_model_get_item(G_LIST_MODEL(test->model), 2);
    GString *log = g_string_new("");
    (void)unused;
    g_signal_connect(item, "notify", G_CALLBACK(count_notify), log);
    run(test->store, "UPDATE t SET v = 7 WHERE id = 3");
    g_assert_cmpstr(log->str, ==, "v ");
    run(test->store, "UPDATE t SET v = 7 WHERE id = 3; UPDATE t SET v = 8, k = 31 WHERE id = 3");
    g_assert_cmpstr(log->str, ==, "v k v ");
    g_signal_handlers_disconnect_by_data(item, log);
    g_string_free(log, TRUE);
    g_object_unref(item);
    mirror_expect_updated(test->mirror, "2 2 ");
}

/* Another section, far away, and back: whoever references the item sees all of it. */
static void an_item_stays_with_its_row(struct flat *test, gconstpointer unused)
{
    FrGItem *item = g_list_model_get_item(G_LIST_MODEL(test->model), 0), *later;
    guint index;
    (void)unused;
    run(test->store, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)"
                     "INSERT INTO t(id, s, k) SELECT 100 + i, 'b', 1000 + i FROM n");
    run(test->store, "UPDATE t SET s = 'c', v = 1 WHERE id = 1");
    run(test->store, "UPDATE t SET k = 99, v = 2 WHERE id = 1");
    g_assert_text(row_text(item), "1 c 99 2");
    for (index = 3000; index < g_list_model_get_n_items(G_LIST_MODEL(test->model)); index++) {
        later = g_list_model_get_item(G_LIST_MODEL(test->model), index);
        g_assert_true((later == item) == (row_id(later) == 1));
        g_object_unref(later);
    }
    g_object_unref(item);
}

static void an_item_is_found(struct flat *test, gconstpointer unused)
{
    FrGItem *item = g_list_model_get_item(G_LIST_MODEL(test->model), 1);
    guint position = 0;
    (void)unused;
    g_assert_true(frg_list_model_find(test->model, item, &position));
    g_assert_cmpuint(position, ==, 1);
    run(test->store, "UPDATE t SET s = 'c', k = 15 WHERE id = 2");
    g_assert_true(frg_list_model_find(test->model, item, &position));
    g_assert_cmpuint(position, ==, 4);
    run(test->store, "DELETE FROM t WHERE id = 2");
    g_assert_false(frg_list_model_find(test->model, item, NULL));
    /* Another item of a row with that identity. */
    run(test->store, "INSERT INTO t(id, s, k) VALUES (2, 'a', 20)");
    g_assert_false(frg_list_model_find(test->model, item, NULL));
    g_object_unref(item);
}

/* More places than the threshold, over a long range: all of it leaves, and all of it comes. */
static void a_long_range_is_two_signals(struct flat *test, gconstpointer unused)
{
    FrGItem *last = g_list_model_get_item(G_LIST_MODEL(test->model), 5);
    (void)unused;
    run(test->store, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)"
                     "INSERT INTO t(id, s, k) SELECT 100 + i, 'b', 1000 + i FROM n");
    mirror_expect(test->mirror, "4-0+1000 ");
    run(test->store, "DELETE FROM t WHERE id > 100 AND id % 2 = 0");
    mirror_expect(test->mirror, "5-999+0 5-0+499 ");
    run(test->store, "UPDATE t SET k = -k WHERE id > 100");
    mirror_expect(test->mirror, "4-500+0 3-0+500 ");
    run(test->store, "DELETE FROM t WHERE id > 100 AND id % 40 = 1");
    mirror_check(test->mirror);
    g_assert_true(g_ptr_array_index(test->mirror->items, test->mirror->items->len - 1) == last);
    g_object_unref(last);
}

#define ADD(name) g_test_add("/list-model/" #name, struct flat, NULL, flat_set_up, name, flat_tear_down)

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    ADD(insert);
    ADD(delete);
    ADD(update);
    ADD(rename_that_moves);
    ADD(section_emptied);
    ADD(section_moved_by_a_rename_of_its_key);
    ADD(neighbours_move_to_another_section);
    ADD(sections_move);
    ADD(other_columns);
    ADD(rolled_back_transaction);
    ADD(all_kinds_of_changes_in_one_transaction);
    ADD(as_many_rows_are_inserted_as_deleted);
    ADD(thousands_of_rows_in_a_transaction);
    ADD(neighbours_are_one_run);
    ADD(columns_are_properties);
    ADD(columns_of_an_attached_file);
    ADD(an_update_notifies_of_its_columns);
    ADD(an_item_stays_with_its_row);
    ADD(an_item_is_found);
    ADD(a_long_range_is_two_signals);
    add_lifetime_tests();
    add_section_list_tests();
    add_section_map_tests();
    add_reload_tests();
    add_collection_tests();
    add_store_source_tests();
    add_store_tests();
    add_edit_tests();
    add_request_tests();
    add_totals_tests();
    add_corpus_tests();
    add_position_tests();
    add_selection_tests();
    add_random_tests();
    add_window_tests();
    return g_test_run();
}
