/*
 * Records as they reach C: places, columns, sections, and which functions of an observer are
 * called. The corpus and the Swift tests have what a transaction leads to.
 */
#include <string.h>

#include "test.h"
#include "watched.h"

#define SCHEMA "CREATE TABLE t(id INTEGER PRIMARY KEY, k, v);"

/* The rows of `rows` in the order of k. */
static void watch_rows(struct watched *watched, const char *rows)
{
    watch(watched, rows, "t", NULL, "k", NULL);
}

#define FIVE_ROWS "INSERT INTO t(id, k) VALUES (1, 10), (2, 20), (3, 30), (4, 40), (5, 50)"

static void insert_has_only_its_new_place(void)
{
    struct watched w;
    watch_rows(&w, SCHEMA FIVE_ROWS);
    CHECK_REPORTED(&w, "INSERT INTO t(id, k) VALUES (6, 25)", "[insert 0.2]");
    CHECK_LIST(w.list, "1 2 6 3 4 5");
    unwatch(&w);
}

static void delete_has_only_its_old_place(void)
{
    struct watched w;
    watch_rows(&w, SCHEMA FIVE_ROWS);
    CHECK_REPORTED(&w, "DELETE FROM t WHERE id = 3", "[delete 0.2]");
    CHECK_LIST(w.list, "1 2 4 5");
    unwatch(&w);
}

static void deletes_descend_and_the_others_ascend(void)
{
    struct watched w;
    watch_rows(&w, SCHEMA FIVE_ROWS);
    run(w.store, "BEGIN; INSERT INTO t(id, k) VALUES (6, 60), (7, 5); DELETE FROM t WHERE id IN (2, 4);"
                 "UPDATE t SET v = 'x' WHERE id IN (3, 1); COMMIT");
    CHECK_LOG(&w.recorder, "[delete 0.3; delete 0.1; insert 0.0; insert 0.4; update 0.0>0.1 {v}; update 0.2>0.2 {v}]");
    CHECK_LIST(w.list, "7 1 3 5 6");
    unwatch(&w);
}

static void move_names_the_columns_that_changed(void)
{
    struct watched w;
    watch_rows(&w, SCHEMA FIVE_ROWS);
    CHECK_REPORTED(&w, "UPDATE t SET k = 45, v = 'x' WHERE id = 2", "[move 0.1>0.3 {k v}]");
    CHECK_LIST(w.list, "1 3 4 2 5");
    unwatch(&w);
}

/* The key is not a shown column: the row moves, and its content is the same. */
static void move_may_change_no_column(void)
{
    static const char *const columns[] = {"v"};
    fr_request *request = request_of("t", NULL, "k", NULL);
    struct watched w;
    CHECK_OK(fr_request_set_columns(request, columns, 1));
    watch_request(&w, SCHEMA FIVE_ROWS, request);
    CHECK_REPORTED(&w, "UPDATE t SET k = 60 WHERE id = 1", "[move 0.0>0.4 {}]");
    CHECK_REPORTED(&w, "UPDATE t SET k = 61 WHERE id = 1", "");
    unwatch(&w);
}

#define SECTIONED "CREATE TABLE t(id INTEGER PRIMARY KEY, s, k, v);"
#define ROWS "INSERT INTO t(id, s, k) VALUES (1, 'b', 1), (2, 'b', 2), (3, 'd', 3), (4, 'f', 4)"

/* The rows of `rows` in sections by s, there in the order of k. */
static void watch_sections(struct watched *watched, const char *rows)
{
    watch(watched, rows, "t", "s", "k", NULL);
}

static void first_row_brings_its_section(void)
{
    struct watched w;
    watch_sections(&w, SECTIONED ROWS);
    CHECK_REPORTED(&w, "INSERT INTO t(id, s) VALUES (5, 'c')", "[insert section 1 (c); insert 1.0]");
    CHECK_LIST(w.list, "b: 1 2 | c: 5 | d: 3 | f: 4");
    unwatch(&w);
}

static void last_row_takes_its_section_away(void)
{
    struct watched w;
    watch_sections(&w, SECTIONED ROWS);
    CHECK_REPORTED(&w, "DELETE FROM t WHERE id = 3", "[delete section 1 (d); delete 1.0]");
    CHECK_LIST(w.list, "b: 1 2 | f: 4");
    unwatch(&w);
}

/* Section paths count before and after the whole bracket, also for rows that only changed. */
static void paths_of_rows_count_sections_before_and_after(void)
{
    struct watched w;
    watch_sections(&w, SECTIONED ROWS);
    run(w.store, "BEGIN; DELETE FROM t WHERE s = 'b'; UPDATE t SET v = 1 WHERE id = 4;"
                 "INSERT INTO t(id, s) VALUES (9, 'e'); COMMIT");
    CHECK_LOG(&w.recorder, "[delete section 0 (b); insert section 1 (e); delete 0.1; delete 0.0; insert 1.0; "
                           "update 2.0>2.0 {v}]");
    unwatch(&w);
}

static void null_section_is_inserted_and_deleted(void)
{
    struct watched w;
    watch_sections(&w, SECTIONED ROWS);
    CHECK_REPORTED(&w, "UPDATE t SET s = NULL WHERE id = 2", "[insert section 0 (NULL); move 0.1>0.0 {s}]");
    CHECK_LIST(w.list, "NULL: 2 | b: 1 | d: 3 | f: 4");
    CHECK_REPORTED(&w, "DELETE FROM t WHERE id = 2", "[delete section 0 (NULL); delete 0.0]");
    unwatch(&w);
}

#define THREE_ROWS \
    "CREATE TABLE t(id INTEGER PRIMARY KEY, k, v);" \
    "INSERT INTO t(id, k) VALUES (1, 10), (2, 20), (3, 30);"

static void deferred_constraint_that_fails_delivers_nothing(void)
{
    struct watched w;
    watch(&w,
          "CREATE TABLE p(id INTEGER PRIMARY KEY);"
          "CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p DEFERRABLE INITIALLY DEFERRED)",
          "c", NULL, NULL, NULL);
    CHECK_OK(fr_store_begin(w.store, FR_IMMEDIATE));
    run(w.store, "INSERT INTO c VALUES (1, 5)");
    CHECK_STATUS(fr_store_commit(w.store), FR_CONSTRAINT);
    CHECK_LOG(&w.recorder, "");
    CHECK_LIST(w.list, "");
    run(w.store, "INSERT INTO p VALUES (5)");
    CHECK_OK(fr_store_commit(w.store));
    CHECK_LOG(&w.recorder, "[insert 0.0]");
    unwatch(&w);
}

/* All lists of the store: every will_change, then all switch, then each one's records. */
static void lists_change_together(void)
{
    fr_store *store = store_with(THREE_ROWS);
    fr_list *low = list_of(store, "t", NULL, "k", "k < 25"), *high = list_of(store, "t", NULL, "k", "k >= 25");
    fr_list *unmoved = list_of(store, "t", NULL, "k", "k = 10");
    struct recorder recorders[3];
    struct text log = {NULL, 0, 0};
    recorder_start_shared(&recorders[0], low, "low", &log);
    recorder_start_shared(&recorders[1], high, "high", &log);
    recorder_start_shared(&recorders[2], unmoved, "unmoved", &log);
    run(store, "UPDATE t SET k = 50 - k WHERE id IN (2, 3)");
    CHECK_TEXT(text_get(&log), "low[high[delete 0.1; insert 0.1]delete 0.0; insert 0.0]");
    CHECK_LIST(low, "1 3");
    CHECK_LIST(high, "2");
    fr_list_free(low);
    fr_list_free(high);
    fr_list_free(unmoved);
    recorder_free(&recorders[0]);
    recorder_free(&recorders[1]);
    recorder_free(&recorders[2]);
    text_free(&log);
    CHECK_OK(fr_store_close(store));
}

static void queued_transactions_are_delivered_one_by_one(void)
{
    fr_store_options options = {.struct_size = sizeof options, .flags = FR_STORE_QUEUED};
    struct watched w;
    REQUIRE(CHECK_OK(fr_store_open(&w.store, ":memory:", &options)));
    run(w.store, THREE_ROWS);
    CHECK_OK(fr_store_dispatch(w.store));
    w.list = list_of(w.store, "t", NULL, "k", NULL);
    recorder_start(&w.recorder, w.list);
    CHECK_REPORTED(&w, "INSERT INTO t(id, k) VALUES (4, 40)", "");
    CHECK_LIST(w.list, "1 2 3");
    CHECK_OK(fr_store_dispatch(w.store));
    CHECK_LOG(&w.recorder, "[insert 0.3]");
    CHECK_OK(fr_store_dispatch(w.store));
    CHECK_LOG(&w.recorder, "");
    unwatch(&w);
}

#define UNIQUE_ROWS \
    "CREATE TABLE t(id INTEGER PRIMARY KEY, k UNIQUE, v);" \
    "INSERT INTO t VALUES (1, 10, 'a'), (2, 20, 'b'), (3, 30, 'c');"

static void watch_unique(struct watched *watched, const char *more)
{
    struct text script = {NULL, 0, 0};
    text_add(&script, UNIQUE_ROWS "%s", more);
    watch(watched, text_get(&script), "t", NULL, "k", NULL);
    text_free(&script);
}

static void attached_and_temporary_tables(void)
{
    struct watched w;
    fr_list *temporary;
    struct recorder recorder;
    watch(&w,
          "ATTACH ':memory:' AS other; CREATE TABLE other.t(id INTEGER PRIMARY KEY);"
          "CREATE TABLE t(id INTEGER PRIMARY KEY); CREATE TEMP TABLE passing(id INTEGER PRIMARY KEY)",
          "other.t", NULL, NULL, NULL);
    temporary = list_of(w.store, "temp.passing", NULL, NULL, NULL);
    recorder_start(&recorder, temporary);
    CHECK_REPORTED(&w, "INSERT INTO main.t VALUES (1)", "");
    CHECK_REPORTED(&w, "INSERT INTO other.t VALUES (2)", "[insert 0.0]");
    CHECK_REPORTED(&w, "INSERT INTO passing VALUES (3)", "");
    CHECK_LOG(&recorder, "[insert 0.0]");
    fr_list_free(temporary);
    recorder_free(&recorder);
    unwatch(&w);
}

/* The list retains its last state, reports that once, and continues when the table exists again. */
static void dropped_table_is_an_error_until_it_is_back(void)
{
    struct watched w;
    watch_unique(&w, "");
    CHECK_REPORTED(&w, "DROP TABLE t", "!FR_SCHEMA");
    CHECK_REPORTED(&w, "CREATE TABLE unrelated(x)", "");
    {
        int64_t count = 0;
        CHECK_OK(fr_list_count(&count, w.list));
        CHECK_INT(count, 3);
    }
    CHECK_REPORTED(&w,
                   "BEGIN; CREATE TABLE t(id INTEGER PRIMARY KEY, k UNIQUE, v);"
                   "INSERT INTO t VALUES (2, 20, 'b'), (4, 40, 'd'); COMMIT",
                   "[delete 0.2; delete 0.0; insert 0.1]");
    CHECK_LIST(w.list, "2 4");
    unwatch(&w);
}

TESTS(delivery_tests) = {
    TEST(insert_has_only_its_new_place),
    TEST(delete_has_only_its_old_place),
    TEST(deletes_descend_and_the_others_ascend),
    TEST(move_names_the_columns_that_changed),
    TEST(move_may_change_no_column),
    TEST(first_row_brings_its_section),
    TEST(last_row_takes_its_section_away),
    TEST(paths_of_rows_count_sections_before_and_after),
    TEST(null_section_is_inserted_and_deleted),
    TEST(deferred_constraint_that_fails_delivers_nothing),
    TEST(lists_change_together),
    TEST(queued_transactions_are_delivered_one_by_one),
    TEST(attached_and_temporary_tables),
    TEST(dropped_table_is_an_error_until_it_is_back),
    END_OF_TESTS,
};
