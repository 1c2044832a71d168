/*
 * One bracket per transaction, and none if the list did not change; several lists together, in
 * three phases.
 */
#include "test.h"
#include "watched.h"

#define SCHEMA \
    "CREATE TABLE t(id INTEGER PRIMARY KEY, k, v);" \
    "INSERT INTO t(id, k) VALUES (1, 10), (2, 20), (3, 30);"

static void watch_rows(struct watched *watched)
{
    watch(watched, SCHEMA, "t", NULL, "k", NULL);
}

static void each_statement_outside_of_a_transaction_is_one(void)
{
    struct watched w;
    watch_rows(&w);
    CHECK_REPORTED(&w, "DELETE FROM t WHERE id = 1", "[delete 0.0]");
    CHECK_REPORTED(&w, "DELETE FROM t WHERE id = 2", "[delete 0.0]");
    unwatch(&w);
}

static void each_statement_of_a_script_is_one(void)
{
    struct watched w;
    watch_rows(&w);
    CHECK_REPORTED(&w, "DELETE FROM t WHERE id = 1; DELETE FROM t WHERE id = 2", "[delete 0.0][delete 0.0]");
    unwatch(&w);
}

static void one_bracket_per_transaction(void)
{
    struct watched w;
    watch_rows(&w);
    CHECK_OK(fr_store_begin(w.store, FR_IMMEDIATE));
    CHECK_REPORTED(&w, "INSERT INTO t(id, k) VALUES (4, 5)", "");
    CHECK_REPORTED(&w, "UPDATE t SET v = 1 WHERE id = 4", "");
    CHECK_REPORTED(&w, "UPDATE t SET k = 40 WHERE id = 2", "");
    CHECK_LIST(w.list, "1 2 3");
    CHECK_OK(fr_store_commit(w.store));
    CHECK_LOG(&w.recorder, "[insert 0.0; move 0.1>0.3 {k}]");
    unwatch(&w);
}

static void list_stands_still_inside_a_transaction(void)
{
    struct watched w;
    fr_object *object = NULL;
    watch_rows(&w);
    CHECK_OK(fr_store_begin(w.store, FR_IMMEDIATE));
    run(w.store, "UPDATE t SET k = 99, v = 'new' WHERE id = 1");
    REQUIRE(CHECK_OK(fr_list_object_at(&object, w.list, path_at(0, 0))));
    CHECK_TEXT(object_text(object, "id"), "1");
    CHECK_TEXT(object_text(object, "v"), "NULL");
    fr_object_unref(object);
    CHECK_OK(fr_store_rollback(w.store));
    CHECK_LOG(&w.recorder, "");
    CHECK_CONTENTS(w.list, "1(1, 10, NULL) 2(2, 20, NULL) 3(3, 30, NULL)");
    unwatch(&w);
}

static void rollback_delivers_nothing(void)
{
    struct watched w;
    watch_rows(&w);
    CHECK_REPORTED(&w, "BEGIN; DELETE FROM t; INSERT INTO t VALUES (9, 9, 9); ROLLBACK", "");
    CHECK_LIST(w.list, "1 2 3");
    unwatch(&w);
}

static void failed_statement_delivers_nothing(void)
{
    struct watched w;
    watch_rows(&w);
    CHECK_STATUS(fr_store_execute(w.store, "INSERT INTO t(id) VALUES (4), (1)", NULL, 0), FR_CONSTRAINT);
    CHECK_LOG(&w.recorder, "");
    CHECK_LIST(w.list, "1 2 3");
    unwatch(&w);
}

/* OR FAIL does not undo the changes before the failure. */
static void what_a_failed_statement_leaves_is_delivered(void)
{
    struct watched w;
    watch_rows(&w);
    CHECK_STATUS(fr_store_execute(w.store, "INSERT OR FAIL INTO t(id, k) VALUES (4, 40), (1, 1), (5, 5)", NULL, 0),
                 FR_CONSTRAINT);
    CHECK_LOG(&w.recorder, "[insert 0.3]");
    CHECK_LIST(w.list, "1 2 3 4");
    unwatch(&w);
}

static void rolled_back_savepoint_is_not_delivered(void)
{
    struct watched w;
    watch_rows(&w);
    CHECK_REPORTED(&w,
                   "BEGIN; UPDATE t SET v = 1 WHERE id = 1; SAVEPOINT s; DELETE FROM t WHERE id = 2; ROLLBACK TO s;"
                   "RELEASE s; COMMIT",
                   "[update 0.0>0.0 {v}]");
    CHECK_REPORTED(&w, "SAVEPOINT s; DELETE FROM t; ROLLBACK TO s; RELEASE s", "");
    CHECK_REPORTED(&w, "SAVEPOINT s; DELETE FROM t WHERE id = 3; RELEASE s", "[delete 0.2]");
    unwatch(&w);
}

static void net_zero_delivers_nothing(void)
{
    struct watched w;
    watch_rows(&w);
    CHECK_REPORTED(&w, "BEGIN; UPDATE t SET k = 99 WHERE id = 1; UPDATE t SET k = 10 WHERE id = 1; COMMIT", "");
    CHECK_REPORTED(&w, "BEGIN; INSERT INTO t(id) VALUES (7); DELETE FROM t WHERE id = 7; COMMIT", "");
    CHECK_REPORTED(&w, "BEGIN; DELETE FROM t WHERE id = 2; INSERT INTO t(id, k) VALUES (2, 20); COMMIT", "");
    unwatch(&w);
}

static void delete_and_insert_of_one_identity_is_an_update(void)
{
    struct watched w;
    watch_rows(&w);
    CHECK_REPORTED(&w, "BEGIN; DELETE FROM t WHERE id = 2; INSERT INTO t(id, k, v) VALUES (2, 20, 'x'); COMMIT",
                   "[update 0.1>0.1 {v}]");
    CHECK_REPORTED(&w, "BEGIN; DELETE FROM t WHERE id = 2; INSERT INTO t(id, k, v) VALUES (2, 0, 'x'); COMMIT",
                   "[move 0.1>0.0 {k}]");
    unwatch(&w);
}

static void other_tables_deliver_nothing(void)
{
    struct watched w;
    watch_rows(&w);
    CHECK_REPORTED(&w, "CREATE TABLE other(id INTEGER PRIMARY KEY); INSERT INTO other VALUES (1); DELETE FROM other",
                   "");
    unwatch(&w);
}

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
    fr_store *store = store_with(SCHEMA);
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

/* Two lists between which a row moves; each checks in its callbacks what the other shows. */
struct pair {
    fr_list *low;
    fr_list *high;
    int64_t calls;
};

static int64_t count_of(fr_list *controller)
{
    int64_t count = -1;
    CHECK_OK(fr_list_count(&count, controller));
    return count;
}

static void both_show_the_old_lists(fr_list *controller, void *user_data)
{
    struct pair *pair = user_data;
    (void)controller;
    CHECK_INT(count_of(pair->low), 2);
    CHECK_INT(count_of(pair->high), 1);
    pair->calls += 1;
}

static void both_show_the_new_lists(fr_list *controller, void *user_data)
{
    struct pair *pair = user_data;
    (void)controller;
    CHECK_INT(count_of(pair->low), 1);
    CHECK_INT(count_of(pair->high), 2);
    pair->calls += 10;
}

static void record_sees_the_new_lists(fr_list *controller, fr_object *object, const fr_change *change,
                                      fr_change_set *changes, void *user_data)
{
    (void)object;
    (void)change;
    (void)changes;
    both_show_the_new_lists(controller, user_data);
}

static void every_list_shows_one_state(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_observer observer = {sizeof observer,
                            both_show_the_old_lists,
                            NULL,
                            record_sees_the_new_lists,
                            both_show_the_new_lists,
                            NULL,
                            NULL,
                            NULL};
    struct pair pair;
    pair.low = list_of(store, "t", NULL, "k", "k < 25");
    pair.high = list_of(store, "t", NULL, "k", "k >= 25");
    pair.calls = 0;
    CHECK_OK(fr_list_add_observer(NULL, pair.low, &observer, &pair, NULL));
    CHECK_OK(fr_list_add_observer(NULL, pair.high, &observer, &pair, NULL));
    run(store, "UPDATE t SET k = 40 WHERE id = 2");
    CHECK_INT(pair.calls, 2 + 2 * 10 + 2 * 10);
    fr_list_free(pair.low);
    fr_list_free(pair.high);
    CHECK_OK(fr_store_close(store));
}

static void queued_transactions_are_delivered_one_by_one(void)
{
    fr_store_options options = {.struct_size = sizeof options, .flags = FR_STORE_QUEUED};
    struct watched w;
    REQUIRE(CHECK_OK(fr_store_open(&w.store, ":memory:", &options)));
    run(w.store, SCHEMA);
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

TESTS(delivery_transaction_tests) = {
    TEST(each_statement_outside_of_a_transaction_is_one),
    TEST(each_statement_of_a_script_is_one),
    TEST(one_bracket_per_transaction),
    TEST(list_stands_still_inside_a_transaction),
    TEST(rollback_delivers_nothing),
    TEST(failed_statement_delivers_nothing),
    TEST(what_a_failed_statement_leaves_is_delivered),
    TEST(rolled_back_savepoint_is_not_delivered),
    TEST(net_zero_delivers_nothing),
    TEST(delete_and_insert_of_one_identity_is_an_update),
    TEST(other_tables_deliver_nothing),
    TEST(deferred_constraint_that_fails_delivers_nothing),
    TEST(lists_change_together),
    TEST(every_list_shows_one_state),
    TEST(queued_transactions_are_delivered_one_by_one),
    END_OF_TESTS,
};
