/* Collations of the program's own that can fail: no comparison's failure becomes an order. */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "cases.h"
#include "fixture.h"
#include "test.h"

#define WORDS \
    "CREATE TABLE words(id INTEGER PRIMARY KEY, name TEXT COLLATE own UNIQUE, n INT);" \
    "INSERT INTO words(name) VALUES ('f'), ('b'), ('d'), ('a'), ('e'), ('c')"

/* The one value of a statement as text; valid until the next call. */
static const char *answer(fr_store *store, const char *sql)
{
    static char text[100];
    fr_statement *statement = NULL;
    fr_value value;
    bool row = false;
    text[0] = '\0';
    CHECK_OK(fr_statement_prepare(&statement, store, sql));
    if (CHECK_OK(fr_statement_step(&row, statement)) && row && CHECK_OK(fr_statement_value(&value, statement, 0))) {
        snprintf(text, sizeof text, "%s", value_text(value));
    }
    fr_statement_free(statement);
    return text;
}

/* How a comparison fails, and in how many calls; 0 for none. */
struct failing {
    fr_status status;
    bool is_set;
    int left;
    int after;
};

static fr_status compare(int32_t *order, const char *a, size_t a_length, const char *b, size_t b_length,
                         void *user_data)
{
    struct failing *failing = user_data;
    size_t length = a_length < b_length ? a_length : b_length;
    int result = memcmp(a, b, length);
    CHECK_INT(*order, FR_NO_ORDER);
    if (result == 0) {
        result = a_length < b_length ? -1 : a_length > b_length;
    }
    if (failing->left < 0) {
        failing->after++;
    }
    if (failing->left != 0 && --failing->left == 0) {
        failing->left = -1;
        if (failing->is_set) {
            *order = result;
        }
        return failing->status;
    }
    *order = result;
    return FR_OK;
}

static const struct failing ways[] = {
    {FR_OK, false, 0, 0}, {FR_ERROR, false, 0, 0}, {FR_RANGE, true, 0, 0}, {FR_NO_MEMORY, true, 0, 0}};
enum { WAYS = sizeof ways / sizeof *ways };

static fr_store *store_with_words(struct failing *failing)
{
    fr_store *store = store_with("");
    CHECK_OK(fr_store_add_fallible_collation(store, "own", compare, failing, NULL));
    run(store, WORDS);
    return store;
}

static const char *const writes[] = {
    "INSERT INTO words(name) VALUES ('bb')",
    "INSERT INTO words(name) VALUES ('x'), ('cc') RETURNING id",
    "INSERT OR REPLACE INTO words(id, name) VALUES (9, 'd')",
    "UPDATE words SET name = name || 'x', n = 1",
    "DELETE FROM words WHERE name > 'b'",
    "CREATE INDEX by_name ON words(name, id)",
};
enum { WRITES = sizeof writes / sizeof *writes };

/*
 * Runs a statement with one comparison after another failing: in the statement, or in the delivery
 * of its commit.
 */
static void fail_each(const char *sql, const struct failing *way, bool in_transaction)
{
    int number, failures = 0, step = step_of_cases(5);
    bool failed = true;
    for (number = 1; failed && number < 200; number += step) {
        struct failing failing = *way;
        fr_store *store = store_with_words(&failing);
        fr_list *list = list_of(store, "words", NULL, "name", NULL);
        bool is_open = true;
        fr_status status;
        if (in_transaction) {
            run(store, "BEGIN; UPDATE words SET n = 7");
        }
        failing.left = number;
        status = fr_store_execute(store, sql, NULL, 0);
        failed = failing.left < 0;
        failing.left = 0;
        /* The failed statement calls it no more, and the whole transaction is rolled back. */
        CHECK_OK(fr_store_in_transaction(&is_open, store));
        if (status != FR_OK) {
            failures++;
            CHECK(failed && !is_open);
            CHECK_INT(failing.after, 0);
            CHECK_INT(status, way->status == FR_NO_MEMORY ? FR_NO_MEMORY : FR_ERROR);
            CHECK_TEXT(answer(store, "SELECT count(*) || quote(max(n)) FROM words"), "6NULL");
        } else if (in_transaction) {
            CHECK(!failed && is_open);
            CHECK_OK(fr_store_commit(store));
        }
        CHECK_OK(fr_store_dispatch(store));
        CHECK_LIST(list, answer(store, "SELECT group_concat(id, ' ') FROM (SELECT id FROM words ORDER BY +name)"));
        CHECK_TEXT(answer(store, "PRAGMA integrity_check"), "ok");
        fr_list_free(list);
        CHECK_OK(fr_store_close(store));
    }
    CHECK(failures > 0 && number < 200);
}

static void nothing_is_written_with_a_failed_comparison(void)
{
    int write, way, step = step_of_cases(WAYS);
    for (write = 0; write < WRITES; write++) {
        for (way = write % step; way < WAYS; way += step) {
            fail_each(writes[write], &ways[way], false);
            fail_each(writes[write], &ways[way], true);
        }
    }
}

static void its_message_is_that_of_the_statement(void)
{
    static const char *const messages[WAYS] = {
        "the collation own has ended without a result", "the collation own returned FR_ERROR",
        "the collation own returned FR_RANGE", "the collation own returned FR_NO_MEMORY"};
    int way;
    for (way = 0; way < WAYS; way++) {
        struct failing failing = ways[way];
        fr_store *store = store_with_words(&failing);
        failing.left = 1;
        CHECK(fr_store_execute(store, "SELECT id FROM words ORDER BY +name", NULL, 0) != FR_OK);
        CHECK_TEXT(fr_error_message(), messages[way]);
        CHECK_OK(fr_store_close(store));
    }
}

static void a_query_that_fails_leaves_its_transaction_open(void)
{
    struct failing failing = {FR_ERROR, false, 0, 0};
    fr_store *store = store_with_words(&failing);
    CHECK_OK(fr_store_begin(store, FR_IMMEDIATE));
    run(store, "UPDATE words SET n = 7");
    failing.left = 1;
    CHECK_STATUS(fr_store_execute(store, "SELECT id FROM words ORDER BY +name", NULL, 0), FR_ERROR);
    failing.left = 0;
    CHECK_OK(fr_store_commit(store));
    CHECK_TEXT(answer(store, "SELECT count(*) FROM words WHERE n = 7"), "6");
    CHECK_OK(fr_store_close(store));
}

/* Statements that the program runs on the connection itself. */
static void statements_of_the_program_are_interrupted_and_not_committed(void)
{
    static const char *const sql[] = {"", "BEGIN"};
    int in_transaction, write;
    for (in_transaction = 0; in_transaction < 2; in_transaction++) {
        for (write = 0; write < WRITES; write++) {
            struct failing failing = {FR_ERROR, false, 0, 0};
            fr_store *store = NULL;
            sqlite3 *db = NULL;
            bool failed;
            REQUIRE(sqlite3_open(":memory:", &db) == SQLITE_OK);
            CHECK_OK(fr_store_adopt(&store, db, NULL));
            CHECK_OK(fr_store_add_fallible_collation(store, "own", compare, &failing, NULL));
            run(store, WORDS);
            CHECK(sqlite3_exec(db, sql[in_transaction], NULL, NULL, NULL) == SQLITE_OK);
            failing.left = 1;
            failed = sqlite3_exec(db, writes[write], NULL, NULL, NULL) != SQLITE_OK;
            failing.left = 0;
            if (!sqlite3_get_autocommit(db)) {
                failed = sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK || failed;
            }
            CHECK(failed);
            CHECK(sqlite3_get_autocommit(db));
            CHECK_TEXT(answer(store, "SELECT count(*) || quote(max(n)) FROM words"), "6NULL");
            CHECK_TEXT(answer(store, "PRAGMA integrity_check"), "ok");
            /* And later ones are not. */
            CHECK(sqlite3_exec(db, "INSERT INTO words(name) VALUES ('z')", NULL, NULL, NULL) == SQLITE_OK);
            CHECK_OK(fr_store_close(store));
            CHECK(sqlite3_close(db) == SQLITE_OK);
        }
    }
}

static void count_destroyed(void *user_data)
{
    *(int *)user_data += 1;
}

static void destroyed_once(void)
{
    fr_store *store = store_with("");
    int destroyed = 0;
    CHECK_STATUS(fr_store_add_fallible_collation(NULL, "own", compare, &destroyed, count_destroyed), FR_MISUSE);
    CHECK_STATUS(fr_store_add_fallible_collation(store, NULL, compare, &destroyed, count_destroyed), FR_MISUSE);
    CHECK_STATUS(fr_store_add_fallible_collation(store, "own", NULL, &destroyed, count_destroyed), FR_MISUSE);
    CHECK_STATUS(fr_store_add_fallible_collation(store, "\xff", compare, &destroyed, count_destroyed), FR_INVALID_UTF8);
    CHECK_INT(destroyed, 4);
    CHECK_OK(fr_store_add_fallible_collation(store, "own", compare, &destroyed, count_destroyed));
    CHECK_INT(destroyed, 4);
    CHECK_OK(fr_store_add_fallible_collation(store, "own", compare, &destroyed, count_destroyed));
    CHECK_INT(destroyed, 5);
    CHECK_OK(fr_store_close(store));
    CHECK_INT(destroyed, 6);
}

TESTS(store_fallible_collation_tests) = {
    TEST(nothing_is_written_with_a_failed_comparison),
    TEST(its_message_is_that_of_the_statement),
    TEST(a_query_that_fails_leaves_its_transaction_open),
    TEST(statements_of_the_program_are_interrupted_and_not_committed),
    TEST(destroyed_once),
    END_OF_TESTS,
};
