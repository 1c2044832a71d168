/* Caching lists while other connections and statements are active. */
#include <sqlite3.h>
#include <string.h>

#include "fixture.h"
#include "test.h"

#define SCHEMA \
    "CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT);" \
    "INSERT INTO items VALUES (1, 'c'), (2, 'b'), (3, 'a');"

static fr_store *opened(const char *name, const char *journal_mode)
{
    fr_store_options options;
    fr_store *store = NULL;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.busy_timeout_ms = -1;
    options.journal_mode = journal_mode;
    options.cache_directory = file_path("lists");
    CHECK_OK(fr_store_open(&store, file_path(name), &options));
    return store;
}

static fr_list *fetched(fr_store *store)
{
    fr_request *request = request_of("items", NULL, "name", NULL);
    fr_list *list = NULL;
    CHECK_OK(fr_request_set_cache_name(request, "items"));
    CHECK_OK(fr_controller_new(&list, store, request));
    fr_request_free(request);
    CHECK_OK(fr_list_perform_fetch(list));
    return list;
}

static int64_t count(sqlite3 *connection)
{
    sqlite3_stmt *statement = NULL;
    int64_t result = -1;
    CHECK_INT(sqlite3_prepare_v2(connection, "SELECT count(*) FROM items", -1, &statement, NULL), SQLITE_OK);
    if (CHECK_INT(sqlite3_step(statement), SQLITE_ROW)) {
        result = sqlite3_column_int64(statement, 0);
    }
    sqlite3_finalize(statement);
    return result;
}

static void check_in_transaction(fr_store *store, bool expected)
{
    bool in_transaction = !expected;
    CHECK_OK(fr_store_in_transaction(&in_transaction, store));
    CHECK(in_transaction == expected);
}

static void reader_in_a_rollback_mode_leaves_no_transaction_open(void)
{
    fr_store *store = opened("reader.db", "delete");
    sqlite3 *other = NULL;
    sqlite3_stmt *reading = NULL;
    fr_list *list;
    run(store, SCHEMA);
    CHECK_INT(sqlite3_open(file_path("reader.db"), &other), SQLITE_OK);
    CHECK_INT(sqlite3_prepare_v2(other, "SELECT id FROM items", -1, &reading, NULL), SQLITE_OK);
    CHECK_INT(sqlite3_step(reading), SQLITE_ROW);

    list = fetched(store);
    check_in_transaction(store, false);
    sqlite3_finalize(reading);
    run(store, "INSERT INTO items VALUES (4, 'd')");
    CHECK_LIST(list, "3 2 1 4");
    CHECK_INT(count(other), 4);
    CHECK_INT(sqlite3_exec(other, "INSERT INTO items VALUES (5, 'e')", NULL, NULL, NULL), SQLITE_OK);

    CHECK_INT(sqlite3_prepare_v2(other, "SELECT id FROM items", -1, &reading, NULL), SQLITE_OK);
    CHECK_INT(sqlite3_step(reading), SQLITE_ROW);
    CHECK_OK(fr_store_dispatch(store));
    fr_list_free(list);
    check_in_transaction(store, false);
    sqlite3_finalize(reading);
    run(store, "INSERT INTO items VALUES (6, 'f')");
    CHECK_OK(fr_store_close(store));
    CHECK_INT(count(other), 6);
    CHECK_INT(sqlite3_close(other), SQLITE_OK);
}

static void statement_that_writes_another_database_keeps_what_it_wrote(void)
{
    fr_store *store = opened("aside.db", NULL);
    fr_statement *statement = NULL;
    fr_list *list, *notes;
    bool row = false;
    run(store, SCHEMA "ATTACH ':memory:' AS aside; CREATE TABLE aside.notes(id INTEGER PRIMARY KEY)");
    CHECK_OK(fr_store_dispatch(store));
    list = fetched(store);
    CHECK_OK(fr_statement_prepare(&statement, store, "INSERT INTO aside.notes VALUES (1), (2) RETURNING id"));
    CHECK_OK(fr_statement_step(&row, statement));
    fr_list_free(list);
    check_in_transaction(store, true);
    while (row && CHECK_OK(fr_statement_step(&row, statement))) {
    }
    check_in_transaction(store, false);
    fr_statement_free(statement);
    notes = list_of(store, "aside.notes", NULL, NULL, NULL);
    CHECK_LIST(notes, "1 2");
    fr_list_free(notes);
    CHECK_OK(fr_store_close(store));
}

TESTS(cache_lock_tests) = {
    TEST(reader_in_a_rollback_mode_leaves_no_transaction_open),
    TEST(statement_that_writes_another_database_keeps_what_it_wrote),
    END_OF_TESTS,
};
