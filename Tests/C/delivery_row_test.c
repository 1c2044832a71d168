/* The records of rows, rule by rule. Each test reads: list before, change, records, list after. */
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

static void rows_that_others_shift_have_no_records(void)
{
    struct watched w;
    watch_rows(&w, SCHEMA FIVE_ROWS);
    CHECK_REPORTED(&w, "DELETE FROM t WHERE id = 1", "[delete 0.0]");
    CHECK_REPORTED(&w, "INSERT INTO t(id, k) VALUES (1, 1)", "[insert 0.0]");
    unwatch(&w);
}

static void update_carries_both_paths(void)
{
    struct watched w;
    watch_rows(&w, SCHEMA FIVE_ROWS);
    run(w.store, "BEGIN; DELETE FROM t WHERE id IN (1, 2); UPDATE t SET v = 1 WHERE id = 5; COMMIT");
    CHECK_LOG(&w.recorder, "[delete 0.1; delete 0.0; update 0.4>0.2 {v}]");
    unwatch(&w);
}

static void key_that_keeps_its_place_is_an_update(void)
{
    struct watched w;
    watch_rows(&w, SCHEMA FIVE_ROWS);
    CHECK_REPORTED(&w, "UPDATE t SET k = 31 WHERE id = 3", "[update 0.2>0.2 {k}]");
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

/* Only row 1 changed its key; the others have no record, though their places shift by one. */
static void first_to_last_is_one_move(void)
{
    struct watched w;
    watch_rows(&w, SCHEMA FIVE_ROWS);
    CHECK_REPORTED(&w, "UPDATE t SET k = 99 WHERE id = 1", "[move 0.0>0.4 {k}]");
    CHECK_LIST(w.list, "2 3 4 5 1");
    unwatch(&w);
}

/* Keys 1, 2, 3 become 5, 4, 3: row 3 is fixed, the middle row moves from place 1 to place 1. */
static void zero_distance_move(void)
{
    struct watched w;
    watch_rows(&w, SCHEMA "INSERT INTO t(id, k) VALUES (1, 1), (2, 2), (3, 3)");
    CHECK_REPORTED(&w, "UPDATE t SET k = 6 - id WHERE id < 3", "[move 0.1>0.1 {k}; move 0.0>0.2 {k}]");
    CHECK_LIST(w.list, "3 2 1");
    unwatch(&w);
}

/* All keys change; all rows but one stay in order. */
static void moves_are_fewest(void)
{
    struct watched w;
    watch_rows(&w, SCHEMA FIVE_ROWS);
    run(w.store, "UPDATE t SET k = CASE id WHEN 2 THEN 1000 ELSE k * 10 END");
    CHECK_LOG(&w.recorder, "[move 0.1>0.4 {k}; update 0.0>0.0 {k}; update 0.2>0.1 {k}; update 0.3>0.2 {k}; "
                           "update 0.4>0.3 {k}]");
    CHECK_LIST(w.list, "1 3 4 5 2");
    unwatch(&w);
}

static void scaling_all_keys_moves_nothing(void)
{
    struct watched w;
    watch_rows(&w, SCHEMA "INSERT INTO t(id, k) VALUES (1, 1), (2, 2)");
    CHECK_REPORTED(&w, "UPDATE t SET k = k * 100", "[update 0.0>0.0 {k}; update 0.1>0.1 {k}]");
    unwatch(&w);
}

/* Either row may be the one that moves; the other is an update. */
static void two_rows_that_change_places_are_one_move(void)
{
    struct watched w;
    const char *log;
    watch_rows(&w, SCHEMA FIVE_ROWS);
    run(w.store, "UPDATE t SET k = CASE id WHEN 3 THEN 40 ELSE 30 END WHERE id IN (3, 4)");
    log = recorder_take(&w.recorder);
    CHECK(strcmp(log, "[move 0.2>0.3 {k}; update 0.3>0.2 {k}]") == 0
          || strcmp(log, "[move 0.3>0.2 {k}; update 0.2>0.3 {k}]") == 0);
    CHECK_LIST(w.list, "1 2 4 3 5");
    unwatch(&w);
}

static void identity_breaks_ties(void)
{
    struct watched w;
    watch_rows(&w, SCHEMA "INSERT INTO t(id, k) VALUES (1, 7), (3, 7), (5, 7)");
    CHECK_REPORTED(&w, "INSERT INTO t(id, k) VALUES (4, 7), (2, 7)", "[insert 0.1; insert 0.3]");
    CHECK_LIST(w.list, "1 2 3 4 5");
    unwatch(&w);
}

static void same_value_is_no_change(void)
{
    struct watched w;
    watch_rows(&w, SCHEMA FIVE_ROWS);
    CHECK_REPORTED(&w, "UPDATE t SET k = k, v = v", "");
    unwatch(&w);
}

static void integer_and_equal_real_differ(void)
{
    struct watched w;
    watch_rows(&w, SCHEMA FIVE_ROWS);
    CHECK_REPORTED(&w, "UPDATE t SET v = 1 WHERE id = 1", "[update 0.0>0.0 {v}]");
    CHECK_REPORTED(&w, "UPDATE t SET v = 1.0 WHERE id = 1", "[update 0.0>0.0 {v}]");
    CHECK_REPORTED(&w, "UPDATE t SET v = 1.0 WHERE id = 1", "");
    CHECK_REPORTED(&w, "UPDATE t SET k = 10.0 WHERE id = 1", "[update 0.0>0.0 {k}]");
    unwatch(&w);
}

static void change_of_a_column_that_is_not_shown_is_nothing(void)
{
    static const char *const columns[] = {"k"};
    fr_request *request = request_of("t", NULL, "k", NULL);
    struct watched w;
    CHECK_OK(fr_request_set_columns(request, columns, 1));
    watch_request(&w, SCHEMA FIVE_ROWS, request);
    CHECK_REPORTED(&w, "UPDATE t SET v = 'x'", "");
    CHECK_REPORTED(&w, "UPDATE t SET v = 'y', k = 11 WHERE id = 1", "[update 0.0>0.0 {k}]");
    unwatch(&w);
}

static void changed_identity_is_delete_and_insert(void)
{
    struct watched w;
    watch_rows(&w, SCHEMA FIVE_ROWS);
    CHECK_REPORTED(&w, "UPDATE t SET id = 33 WHERE id = 3", "[delete 0.2; insert 0.2]");
    unwatch(&w);
}

static void predicate_lets_rows_in_and_out(void)
{
    struct watched w;
    watch(&w, SCHEMA FIVE_ROWS, "t", NULL, "k", "k > 25");
    CHECK_REPORTED(&w, "UPDATE t SET k = 35 WHERE id = 1", "[insert 0.1]");
    CHECK_REPORTED(&w, "UPDATE t SET k = 0 WHERE id = 4", "[delete 0.2]");
    CHECK_REPORTED(&w, "UPDATE t SET v = 1 WHERE id = 2", "");
    CHECK_LIST(w.list, "3 1 5");
    unwatch(&w);
}

static void columns_that_are_added_and_dropped_change_the_rows_that_were_read(void)
{
    struct watched w;
    watch_rows(&w, SCHEMA "INSERT INTO t(id, k) VALUES (1, 10), (2, 20)");
    CHECK_CONTENTS(w.list, "1(1, 10, NULL) 2(2, 20, NULL)");
    CHECK_REPORTED(&w, "ALTER TABLE t ADD COLUMN e DEFAULT 7", "[update 0.0>0.0 {e}; update 0.1>0.1 {e}]");
    CHECK_REPORTED(&w, "ALTER TABLE t RENAME COLUMN e TO f", "[update 0.0>0.0 {f}; update 0.1>0.1 {f}]");
    CHECK_CONTENTS(w.list, "1(1, 10, NULL, 7) 2(2, 20, NULL, 7)");
    CHECK_REPORTED(&w, "ALTER TABLE t DROP COLUMN v", "[update 0.0>0.0 {?}; update 0.1>0.1 {?}]");
    CHECK_CONTENTS(w.list, "1(1, 10, 7) 2(2, 20, 7)");
    CHECK_REPORTED(&w, "BEGIN; ALTER TABLE t DROP COLUMN f; DELETE FROM t WHERE id = 1; COMMIT",
                   "[delete 0.0; update 0.1>0.0 {?}]");
    unwatch(&w);
}

TESTS(delivery_row_tests) = {
    TEST(insert_has_only_its_new_place),
    TEST(delete_has_only_its_old_place),
    TEST(deletes_descend_and_the_others_ascend),
    TEST(rows_that_others_shift_have_no_records),
    TEST(update_carries_both_paths),
    TEST(key_that_keeps_its_place_is_an_update),
    TEST(move_names_the_columns_that_changed),
    TEST(move_may_change_no_column),
    TEST(first_to_last_is_one_move),
    TEST(zero_distance_move),
    TEST(moves_are_fewest),
    TEST(scaling_all_keys_moves_nothing),
    TEST(two_rows_that_change_places_are_one_move),
    TEST(identity_breaks_ties),
    TEST(same_value_is_no_change),
    TEST(integer_and_equal_real_differ),
    TEST(change_of_a_column_that_is_not_shown_is_nothing),
    TEST(changed_identity_is_delete_and_insert),
    TEST(predicate_lets_rows_in_and_out),
    TEST(columns_that_are_added_and_dropped_change_the_rows_that_were_read),
    END_OF_TESTS,
};
