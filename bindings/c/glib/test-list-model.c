/* The model of all rows: which signals a transaction makes. */
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
    FrGItem *before = g_list_model_get_item(G_LIST_MODEL(test->model), 2), *after;
    (void)unused;
    run(test->store, "UPDATE t SET v = 7 WHERE id = 3");
    flat_expect(test, "1 2 3 4 5 6", "2-1+1 ");
    after = g_list_model_get_item(G_LIST_MODEL(test->model), 2);
    g_assert_true(after != before);
    g_assert_text(row_text(before), "3 a 30 0");
    g_assert_text(row_text(after), "3 a 30 7");
    g_object_unref(before);
    g_object_unref(after);
    run(test->store, "UPDATE t SET v = 8 WHERE id IN (1, 3, 4)");
    flat_expect(test, "1 2 3 4 5 6", "0-1+1 2-2+2 ");
}

static void rename_that_moves(struct flat *test, gconstpointer unused)
{
    (void)unused;
    run(test->store, "UPDATE t SET k = 35 WHERE id = 1");
    flat_expect(test, "2 3 1 4 5 6", "0-1+0 2-0+1 ");
    run(test->store, "UPDATE t SET k = 15 WHERE id = 1");
    flat_expect(test, "1 2 3 4 5 6", "2-1+0 0-0+1 ");
    run(test->store, "UPDATE t SET k = 25 WHERE id = 2");
    flat_expect(test, "1 2 3 4 5 6", "1-1+1 ");
}

/* The row moves to another section, past nothing. */
static void section_emptied(struct flat *test, gconstpointer unused)
{
    (void)unused;
    run(test->store, "UPDATE t SET s = 'c', k = 1 WHERE id = 4");
    flat_expect(test, "1 2 3 4 5 6", "3-1+1 ");
    run(test->store, "UPDATE t SET s = 'a', k = 15 WHERE id = 4");
    flat_expect(test, "1 4 2 3 5 6", "3-1+0 1-0+1 ");
}

static void section_moved_by_a_rename_of_its_key(struct flat *test, gconstpointer unused)
{
    (void)unused;
    run(test->store, "UPDATE t SET s = 'aa' WHERE s = 'a'");
    flat_expect(test, "1 2 3 4 5 6", "0-3+3 ");
    run(test->store, "UPDATE t SET s = 'd' WHERE s = 'aa'");
    flat_expect(test, "4 5 6 1 2 3", "0-3+0 3-0+3 ");
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
    flat_expect(test, "5 6 4 1 2 3", "3-3+0 0-0+3 ");
}

/* No row changes, but each item shows something else. */
static void other_columns(struct flat *test, gconstpointer unused)
{
    static const char *const columns[] = {"id", "v"};
    FrGItem *before = g_list_model_get_item(G_LIST_MODEL(test->model), 2), *after;
    fr_request *request = NULL;
    (void)unused;
    check(fr_request_new(&request, "t"));
    check(fr_request_set_section(request, "s", FR_ASCENDING, NULL));
    check(fr_request_add_sort(request, "k", FR_ASCENDING, NULL));
    check(fr_request_set_columns(request, columns, 2));
    check(fr_controller_set_request(test->list, request));
    fr_request_free(request);
    flat_expect(test, "1 2 3 4 5 6", "0-6+6 ");
    after = g_list_model_get_item(G_LIST_MODEL(test->model), 2);
    g_assert_text(row_text(before), "3 a 30 0");
    g_assert_text(row_text(after), "3 0");
    g_object_unref(before);
    g_object_unref(after);
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
    flat_expect(test, "3 7 4 5 1 6 8", "0-1+0 0-2+2 4-0+1 6-0+1 ");
}

static void as_many_rows_are_inserted_as_deleted(struct flat *test, gconstpointer unused)
{
    (void)unused;
    check(fr_store_begin(test->store, FR_IMMEDIATE));
    run(test->store, "DELETE FROM t WHERE id = 6");
    run(test->store, "UPDATE t SET k = 25 WHERE id = 1");
    run(test->store, "INSERT INTO t(id, s, k) VALUES (7, 'a', 1)");
    check(fr_store_commit(test->store));
    flat_expect(test, "7 2 1 3 4 5", "0-1+0 0-0+1 2-0+1 6-1+0 ");
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
    ADD(sections_move);
    ADD(other_columns);
    ADD(rolled_back_transaction);
    ADD(all_kinds_of_changes_in_one_transaction);
    ADD(as_many_rows_are_inserted_as_deleted);
    ADD(thousands_of_rows_in_a_transaction);
    add_lifetime_tests();
    add_section_list_tests();
    add_section_map_tests();
    add_reload_tests();
    add_collection_tests();
    add_store_source_tests();
    add_store_tests();
    add_request_tests();
    add_corpus_tests();
    add_random_tests();
    return g_test_run();
}
