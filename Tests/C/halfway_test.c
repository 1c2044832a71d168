/* Statements that write and yield rows, and are abandoned half-way. */
#include <sqlite3.h>

#include "fixture.h"
#include "recorder.h"
#include "test.h"

#define SCHEMA \
    "CREATE TABLE orders(id INTEGER PRIMARY KEY, name TEXT);" \
    "CREATE TABLE lines(id INTEGER PRIMARY KEY, owner INTEGER REFERENCES orders DEFERRABLE INITIALLY DEFERRED);"

/* The number of rows that another connection counts in a table of the file. */
static int64_t rows_on_disk(const char *name, const char *table)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    char sql[100];
    int64_t count = -1;
    sqlite3_snprintf((int)sizeof sql, sql, "SELECT count(*) FROM %s", table);
    if (sqlite3_open(file_path(name), &db) == SQLITE_OK
        && sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
        count = sqlite3_column_int64(statement, 0);
    }
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return count;
}

static bool in_transaction(fr_store *store)
{
    bool is = false;
    CHECK_OK(fr_store_in_transaction(&is, store));
    return is;
}

/* The ordinary loop over new ids that writes lines for each of them. */
static void lines_written_in_a_loop_over_new_ids_stay(void)
{
    int lists;
    for (lists = 0; lists < 2; lists++) {
        fr_store *store = store_in_file("loop");
        fr_list *list = NULL;
        fr_statement *statement = NULL;
        fr_value id = fr_null();
        bool row = false;
        run(store, SCHEMA);
        if (lists != 0) {
            list = list_of(store, "lines", "owner", "-id", NULL);
        }
        REQUIRE(CHECK_OK(fr_statement_prepare(&statement, store,
                                              "INSERT INTO orders(name) VALUES ('a'), ('b'), ('c') RETURNING id")));
        while (fr_statement_step(&row, statement) == FR_OK && row) {
            CHECK(in_transaction(store));
            CHECK_OK(fr_statement_value(&id, statement, 0));
            CHECK_OK(fr_store_execute(store, "INSERT INTO lines(owner) VALUES (?1), (?1)", &id, 1));
        }
        CHECK(!in_transaction(store));
        fr_statement_free(statement);
        if (lists != 0) {
            CHECK_LIST(list, "1: 2 1 | 2: 4 3 | 3: 6 5");
            fr_list_free(list);
        }
        CHECK_OK(fr_store_close(store));
        CHECK_INT(rows_on_disk("loop", "orders"), 3);
        CHECK_INT(rows_on_disk("loop", "lines"), 6);
        run(store = store_in_file("loop"), "DROP TABLE lines; DROP TABLE orders");
        CHECK_OK(fr_store_close(store));
    }
}

static void a_statement_that_is_reset_or_freed_commits_and_delivers(void)
{
    int way;
    for (way = 0; way < 3; way++) {
        fr_store *store = store_with(SCHEMA);
        fr_list *list = list_of(store, "orders", NULL, NULL, NULL);
        fr_statement *statement = NULL;
        bool row = false;
        REQUIRE(CHECK_OK(
            fr_statement_prepare(&statement, store, "INSERT INTO orders(name) VALUES ('a'), ('b') RETURNING id")));
        CHECK_OK(fr_statement_step(&row, statement));
        CHECK_CONTENTS(list, "");
        CHECK_STATUS(fr_store_begin(store, FR_IMMEDIATE), FR_BUSY);
        if (way == 0) {
            CHECK_OK(fr_statement_reset(statement));
        } else if (way == 1) {
            fr_statement_free(statement);
        } else {
            CHECK_OK(fr_statement_execute(statement));
        }
        CHECK(!in_transaction(store));
        CHECK_CONTENTS(list, way == 2 ? "1(1, a) 2(2, b) 3(3, a) 4(4, b)" : "1(1, a) 2(2, b)");
        if (way != 1) {
            fr_statement_free(statement);
        }
        fr_list_free(list);
        CHECK_OK(fr_store_close(store));
    }
}

static void a_commit_that_fails_at_the_end_is_reported(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "lines", NULL, NULL, NULL);
    fr_statement *statement = NULL;
    bool row = false;
    REQUIRE(CHECK_OK(fr_statement_prepare(&statement, store, "INSERT INTO lines(owner) VALUES (7), (8) RETURNING id")));
    CHECK_OK(fr_statement_step(&row, statement));
    CHECK_STATUS(fr_statement_reset(statement), FR_CONSTRAINT);
    CHECK(!in_transaction(store));
    CHECK_OK(fr_statement_step(&row, statement));
    CHECK_STATUS(fr_statement_execute(statement), FR_CONSTRAINT);
    CHECK_OK(fr_statement_step(&row, statement));
    CHECK_STATUS(fr_store_close(store), FR_CONSTRAINT);
    CHECK_STATUS(fr_store_dispatch(store), FR_MISUSE);
    fr_statement_free(statement);
    fr_list_free(list);
}

TESTS(halfway_tests) = {
    TEST(lines_written_in_a_loop_over_new_ids_stay),
    TEST(a_statement_that_is_reset_or_freed_commits_and_delivers),
    TEST(a_commit_that_fails_at_the_end_is_reported),
    END_OF_TESTS,
};
