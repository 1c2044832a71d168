/* Transactions: what begins and ends them, and functions that run inside one. */
#include "fixture.h"
#include "test.h"

#define SCHEMA \
    "CREATE TABLE items(id INTEGER PRIMARY KEY);" \
    "CREATE TABLE parents(id INTEGER PRIMARY KEY);" \
    "CREATE TABLE children(id INTEGER PRIMARY KEY, parent REFERENCES parents DEFERRABLE INITIALLY DEFERRED);"

static bool in_transaction(fr_store *store)
{
    bool open = false;
    CHECK_OK(fr_store_in_transaction(&open, store));
    return open;
}

static void commit_stores_and_rollback_undoes(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", NULL, NULL, NULL);
    CHECK(!in_transaction(store));
    CHECK_OK(fr_store_begin(store, FR_DEFERRED));
    CHECK(in_transaction(store));
    run(store, "INSERT INTO items VALUES (1)");
    CHECK_OK(fr_store_commit(store));
    CHECK(!in_transaction(store));
    CHECK_OK(fr_store_begin(store, FR_EXCLUSIVE));
    run(store, "INSERT INTO items VALUES (2)");
    CHECK_OK(fr_store_rollback(store));
    CHECK(!in_transaction(store));
    CHECK_LIST(list, "1");
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void end_without_beginning_is_misuse(void)
{
    fr_store *store = store_with(SCHEMA);
    CHECK_STATUS(fr_store_commit(store), FR_MISUSE);
    CHECK_STATUS(fr_store_rollback(store), FR_MISUSE);
    CHECK_STATUS(fr_store_begin(store, 3), FR_RANGE);
    CHECK_STATUS(fr_store_begin(store, -1), FR_RANGE);
    CHECK(!in_transaction(store));
    CHECK_OK(fr_store_close(store));
}

static void transaction_begun_with_sql_counts(void)
{
    fr_store *store = store_with(SCHEMA);
    run(store, "BEGIN");
    CHECK(in_transaction(store));
    CHECK_OK(fr_store_begin(store, FR_IMMEDIATE));
    run(store, "INSERT INTO items VALUES (1)");
    CHECK_OK(fr_store_rollback(store));
    CHECK(in_transaction(store));
    run(store, "COMMIT");
    CHECK(!in_transaction(store));
    CHECK_OK(fr_store_close(store));
}

struct work {
    fr_status answer;
    const char *script;
    int calls;
};

static fr_status do_work(fr_store *store, void *user_data)
{
    struct work *work = user_data;
    work->calls += 1;
    CHECK(in_transaction(store));
    run(store, work->script);
    return work->answer;
}

static void function_in_a_transaction(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", NULL, NULL, NULL);
    struct work good = {FR_OK, "INSERT INTO items VALUES (1)", 0};
    struct work bad = {FR_CANCELLED, "INSERT INTO items VALUES (2)", 0};
    struct work odd = {12345, "INSERT INTO items VALUES (3)", 0};
    struct work broken = {FR_OK, "INSERT INTO children VALUES (1, 99)", 0};
    CHECK_OK(fr_store_transaction(store, do_work, &good));
    CHECK_STATUS(fr_store_transaction(store, do_work, &bad), FR_CANCELLED);
    CHECK_STATUS(fr_store_transaction(store, do_work, &odd), 12345);
    CHECK_STATUS(fr_store_transaction(store, do_work, &broken), FR_CONSTRAINT);
    CHECK_INT(good.calls + bad.calls + odd.calls + broken.calls, 4);
    CHECK(!in_transaction(store));
    CHECK_LIST(list, "1");
    CHECK_STATUS(fr_store_transaction(store, NULL, NULL), FR_MISUSE);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static fr_status close_inside(fr_store *store, void *user_data)
{
    (void)user_data;
    return fr_store_close(store);
}

static void store_closed_inside_a_transaction_function(void)
{
    fr_store *store = store_with(SCHEMA);
    CHECK(fr_store_transaction(store, close_inside, NULL) != FR_OK);
    CHECK_STATUS(fr_store_close(store), FR_MISUSE);
}

static fr_status nest(fr_store *store, void *user_data)
{
    struct work *work = user_data;
    int depth = ++work->calls;
    if (depth < 3) {
        fr_status expected = depth < 2 ? FR_OK : FR_CANCELLED;
        CHECK_STATUS(fr_store_transaction(store, nest, work), expected);
        return FR_OK;
    }
    run(store, "INSERT INTO items VALUES (9)");
    return FR_CANCELLED;
}

static void functions_nest(void)
{
    fr_store *store = store_with(SCHEMA);
    struct work work = {FR_OK, NULL, 0};
    CHECK_OK(fr_store_transaction(store, nest, &work));
    CHECK_INT(work.calls, 3);
    CHECK(!in_transaction(store));
    CHECK_OK(fr_store_close(store));
}

TESTS(store_transaction_tests) = {
    TEST(commit_stores_and_rollback_undoes),
    TEST(end_without_beginning_is_misuse),
    TEST(transaction_begun_with_sql_counts),
    TEST(function_in_a_transaction),
    TEST(store_closed_inside_a_transaction_function),
    TEST(functions_nest),
    END_OF_TESTS,
};
