/* The records of sections, and of rows that change their section. */
#include "test.h"
#include "watched.h"

#define SCHEMA "CREATE TABLE t(id INTEGER PRIMARY KEY, s, k, v);"
#define ROWS "INSERT INTO t(id, s, k) VALUES (1, 'b', 1), (2, 'b', 2), (3, 'd', 3), (4, 'f', 4)"

/* The rows of `rows` in sections by s, there in the order of k. */
static void watch_rows(struct watched *watched, const char *rows)
{
    watch(watched, rows, "t", "s", "k", NULL);
}

static void first_row_brings_its_section(void)
{
    struct watched w;
    watch_rows(&w, SCHEMA ROWS);
    CHECK_REPORTED(&w, "INSERT INTO t(id, s) VALUES (5, 'c')", "[insert section 1 (c); insert 1.0]");
    CHECK_LIST(w.list, "b: 1 2 | c: 5 | d: 3 | f: 4");
    unwatch(&w);
}

static void last_row_takes_its_section_away(void)
{
    struct watched w;
    watch_rows(&w, SCHEMA ROWS);
    CHECK_REPORTED(&w, "DELETE FROM t WHERE id = 3", "[delete section 1 (d); delete 1.0]");
    CHECK_LIST(w.list, "b: 1 2 | f: 4");
    unwatch(&w);
}

static void rows_of_deleted_sections_are_reported_one_by_one(void)
{
    struct watched w;
    watch_rows(&w, SCHEMA ROWS);
    run(w.store, "DELETE FROM t WHERE s IN ('b', 'f')");
    CHECK_LOG(&w.recorder, "[delete section 2 (f); delete section 0 (b); delete 2.0; delete 0.1; delete 0.0]");
    unwatch(&w);
}

static void rows_of_inserted_sections_are_reported_one_by_one(void)
{
    struct watched w;
    watch_rows(&w, SCHEMA ROWS);
    run(w.store, "INSERT INTO t(id, s, k) VALUES (5, 'e', 2), (6, 'a', 1), (7, 'e', 1)");
    CHECK_LOG(&w.recorder, "[insert section 0 (a); insert section 3 (e); insert 0.0; insert 3.0; insert 3.1]");
    CHECK_LIST(w.list, "a: 6 | b: 1 2 | d: 3 | e: 7 5 | f: 4");
    unwatch(&w);
}

static void change_of_section_is_a_move(void)
{
    struct watched w;
    watch_rows(&w, SCHEMA ROWS);
    CHECK_REPORTED(&w, "UPDATE t SET s = 'd' WHERE id = 1", "[move 0.0>1.0 {s}]");
    CHECK_LIST(w.list, "b: 2 | d: 1 3 | f: 4");
    unwatch(&w);
}

static void move_into_a_new_section(void)
{
    struct watched w;
    watch_rows(&w, SCHEMA ROWS);
    CHECK_REPORTED(&w, "UPDATE t SET s = 'a' WHERE id = 1", "[insert section 0 (a); move 0.0>0.0 {s}]");
    CHECK_LIST(w.list, "a: 1 | b: 2 | d: 3 | f: 4");
    unwatch(&w);
}

static void move_out_of_a_deleted_section(void)
{
    struct watched w;
    watch_rows(&w, SCHEMA ROWS);
    CHECK_REPORTED(&w, "UPDATE t SET s = 'b', k = 9 WHERE id = 3", "[delete section 1 (d); move 1.0>0.2 {s k}]");
    CHECK_LIST(w.list, "b: 1 2 3 | f: 4");
    unwatch(&w);
}

static void move_out_of_a_deleted_section_into_an_inserted_one(void)
{
    struct watched w;
    watch_rows(&w, SCHEMA ROWS);
    run(w.store, "UPDATE t SET s = 'a' WHERE id = 4");
    CHECK_LOG(&w.recorder, "[delete section 2 (f); insert section 0 (a); move 2.0>0.0 {s}]");
    CHECK_LIST(w.list, "a: 4 | b: 1 2 | d: 3");
    unwatch(&w);
}

/* Section paths count before and after the whole bracket, also for rows that only changed. */
static void paths_of_rows_count_sections_before_and_after(void)
{
    struct watched w;
    watch_rows(&w, SCHEMA ROWS);
    run(w.store, "BEGIN; DELETE FROM t WHERE s = 'b'; UPDATE t SET v = 1 WHERE id = 4;"
                 "INSERT INTO t(id, s) VALUES (9, 'e'); COMMIT");
    CHECK_LOG(&w.recorder, "[delete section 0 (b); insert section 1 (e); delete 0.1; delete 0.0; insert 1.0; "
                           "update 2.0>2.0 {v}]");
    unwatch(&w);
}

static void section_that_empties_and_fills_in_one_transaction_stays(void)
{
    struct watched w;
    watch_rows(&w, SCHEMA ROWS);
    run(w.store, "BEGIN; DELETE FROM t WHERE id = 3; INSERT INTO t(id, s, k) VALUES (8, 'd', 1); COMMIT");
    CHECK_LOG(&w.recorder, "[delete 1.0; insert 1.0]");
    CHECK_LIST(w.list, "b: 1 2 | d: 8 | f: 4");
    unwatch(&w);
}

static void null_section_is_inserted_and_deleted(void)
{
    struct watched w;
    watch_rows(&w, SCHEMA ROWS);
    CHECK_REPORTED(&w, "UPDATE t SET s = NULL WHERE id = 2", "[insert section 0 (NULL); move 0.1>0.0 {s}]");
    CHECK_LIST(w.list, "NULL: 2 | b: 1 | d: 3 | f: 4");
    CHECK_REPORTED(&w, "DELETE FROM t WHERE id = 2", "[delete section 0 (NULL); delete 0.0]");
    unwatch(&w);
}

static void last_section_leaves_no_section(void)
{
    struct watched w;
    watch_rows(&w, SCHEMA "INSERT INTO t(id, s) VALUES (1, 'a')");
    CHECK_REPORTED(&w, "DELETE FROM t", "[delete section 0 (a); delete 0.0]");
    CHECK_LIST(w.list, "");
    CHECK_REPORTED(&w, "INSERT INTO t(id, s) VALUES (2, 'z')", "[insert section 0 (z); insert 0.0]");
    unwatch(&w);
}

static void flat_list_keeps_its_section(void)
{
    struct watched w;
    watch(&w, SCHEMA ROWS, "t", NULL, NULL, NULL);
    CHECK_REPORTED(&w, "DELETE FROM t WHERE id > 1", "[delete 0.3; delete 0.2; delete 0.1]");
    CHECK_REPORTED(&w, "DELETE FROM t", "[delete 0.0]");
    CHECK_REPORTED(&w, "INSERT INTO t(id) VALUES (1)", "[insert 0.0]");
    unwatch(&w);
}

/*
 * The name is the first row's spelling when the section was created; another spelling alone does
 * not change it.
 */
static void spelling_of_a_nocase_section(void)
{
    fr_request *request = request_of("t", NULL, NULL, NULL);
    struct watched w;
    CHECK_OK(fr_request_set_section(request, "s", FR_ASCENDING, "NOCASE"));
    watch_request(&w, SCHEMA "INSERT INTO t(id, s) VALUES (1, 'Ann'), (2, 'ann')", request);
    CHECK_LIST(w.list, "Ann: 1 2");
    CHECK_REPORTED(&w, "UPDATE t SET s = 'ANN' WHERE id = 1", "[update 0.0>0.0 {s}]");
    CHECK_LIST(w.list, "Ann: 1 2");
    CHECK_REPORTED(&w, "DELETE FROM t WHERE id = 1", "[delete 0.0]");
    CHECK_LIST(w.list, "Ann: 2");
    unwatch(&w);
}

static void section_by_key_path_moves_its_rows(void)
{
    struct watched w;
    watch(&w,
          "CREATE TABLE lists(id INTEGER PRIMARY KEY, title TEXT);"
          "CREATE TABLE items(id INTEGER PRIMARY KEY, list_id REFERENCES lists);"
          "INSERT INTO lists VALUES (1, 'home'), (2, 'work');"
          "INSERT INTO items VALUES (10, 1), (11, 1), (20, 2)",
          "items", "list_id.title", NULL, NULL);
    run(w.store, "UPDATE lists SET title = 'work' WHERE id = 1");
    CHECK_LOG(&w.recorder, "[delete section 0 (home); move 0.0>0.0 {}; move 0.1>0.1 {}]");
    CHECK_LIST(w.list, "work: 10 11 20");
    run(w.store, "UPDATE items SET list_id = NULL WHERE id = 11");
    CHECK_LOG(&w.recorder, "[insert section 0 (NULL); move 0.1>0.0 {list_id}]");
    unwatch(&w);
}

TESTS(delivery_section_tests) = {
    TEST(first_row_brings_its_section),
    TEST(last_row_takes_its_section_away),
    TEST(rows_of_deleted_sections_are_reported_one_by_one),
    TEST(rows_of_inserted_sections_are_reported_one_by_one),
    TEST(change_of_section_is_a_move),
    TEST(move_into_a_new_section),
    TEST(move_out_of_a_deleted_section),
    TEST(move_out_of_a_deleted_section_into_an_inserted_one),
    TEST(paths_of_rows_count_sections_before_and_after),
    TEST(section_that_empties_and_fills_in_one_transaction_stays),
    TEST(null_section_is_inserted_and_deleted),
    TEST(last_section_leaves_no_section),
    TEST(flat_list_keeps_its_section),
    TEST(spelling_of_a_nocase_section),
    TEST(section_by_key_path_moves_its_rows),
    END_OF_TESTS,
};
