/* Histories: the statement of the touched rows, their length, and what is refused. */
#include <sqlite3.h>
#include <stdio.h>

#include "fixture.h"
#include "test.h"

#define SCHEMA \
    "CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT);" \
    "CREATE TABLE words(word TEXT PRIMARY KEY, meaning);" \
    "CREATE TABLE pairs(a, b, x, PRIMARY KEY (b, a)) WITHOUT ROWID;" \
    "CREATE TABLE plain(x);" \
    "INSERT INTO items VALUES (1, 'c'), (2, 'b'), (3, 'a');"

/* Runs a script in a connection without a store. */
static void run_elsewhere(const char *name, const char *script)
{
    sqlite3 *other = NULL;
    CHECK_INT(sqlite3_open(file_path(name), &other), SQLITE_OK);
    CHECK_INT(sqlite3_exec(other, script, NULL, NULL, NULL), SQLITE_OK);
    CHECK_INT(sqlite3_close(other), SQLITE_OK);
}

static int64_t generation_of(fr_store *store)
{
    int64_t generation = 0;
    CHECK_OK(fr_store_history_generation(&generation, store));
    return generation;
}

static bool has_history(fr_store *store, const char *table)
{
    bool has = false;
    CHECK_OK(fr_store_has_history(&has, store, table));
    return has;
}

static int64_t limit_of(fr_store *store)
{
    int64_t limit = 0;
    CHECK_OK(fr_store_history_limit(&limit, store));
    return limit;
}

/* The remaining rows of a statement, "1,x 2,y"; valid until the next call. */
static const char *rows_text(fr_statement *statement)
{
    static char text[512];
    size_t length = 0;
    int32_t count = 0, column;
    bool more = false;
    text[0] = '\0';
    CHECK_OK(fr_statement_column_count(&count, statement));
    while (CHECK_OK(fr_statement_step(&more, statement)) && more) {
        const char *separator = length > 0 ? " " : "";
        for (column = 0; column < count && length < sizeof text; column++) {
            fr_value value;
            CHECK_OK(fr_statement_value(&value, statement, column));
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", separator, value_text(value));
            separator = ",";
        }
    }
    return text;
}

static const char *touched(fr_store *store, const char *table, int64_t since)
{
    fr_statement *statement = NULL;
    const char *text = "no statement";
    if (CHECK_OK(fr_store_touched_rows(&statement, store, table, since))) {
        text = rows_text(statement);
        fr_statement_free(statement);
    }
    return text;
}

static int64_t count_of(fr_store *store, const char *sql)
{
    fr_statement *statement = NULL;
    fr_value value = fr_integer(-1);
    int64_t count;
    bool more = false;
    CHECK_OK(fr_statement_prepare(&statement, store, sql));
    CHECK(CHECK_OK(fr_statement_step(&more, statement)) && more);
    CHECK_OK(fr_statement_value(&value, statement, 0));
    count = value.integer;
    fr_statement_free(statement);
    return count;
}

/* The statement works like any other. */
static void columns_are_those_of_the_key(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_statement *statement = NULL;
    const char *name = NULL;
    int32_t count = 0;
    int64_t before;
    CHECK_OK(fr_store_start_history(store, "words"));
    CHECK_OK(fr_store_start_history(store, "pairs"));
    CHECK_OK(fr_store_start_history(store, "plain"));
    before = generation_of(store);
    run(store, "INSERT INTO words(word) VALUES ('a'), (NULL); INSERT INTO pairs VALUES (1, 'b', 0);"
               "INSERT INTO plain VALUES ('x')");
    run(store, "UPDATE words SET rowid = 9 WHERE word = 'a'");
    CHECK_TEXT(touched(store, "words", before), "a,NULL NULL,2");
    CHECK_TEXT(touched(store, "plain", before), "1");
    CHECK_OK(fr_store_touched_rows(&statement, store, "pairs", before));
    CHECK_OK(fr_statement_column_count(&count, statement));
    CHECK_INT(count, 2);
    CHECK_OK(fr_statement_column_name(&name, statement, 0));
    CHECK_TEXT(name, "b");
    CHECK_TEXT(rows_text(statement), "b,1");
    run(store, "INSERT INTO pairs VALUES (2, 'c', 0)");
    CHECK_TEXT(rows_text(statement), "b,1 c,2");
    fr_statement_free(statement);
    CHECK_OK(fr_store_close(store));
}

static void limit_is_set_for_all_tables(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_statement *statement = NULL;
    int64_t before, later;
    CHECK_OK(fr_store_start_history(store, "items"));
    CHECK_OK(fr_store_start_history(store, "plain"));
    CHECK_INT(limit_of(store), 100000);
    before = generation_of(store);
    CHECK_OK(fr_store_set_history_limit(store, 3));
    CHECK_INT(limit_of(store), 3);
    run(store, "INSERT INTO items VALUES (10, ''); INSERT INTO plain VALUES (1)");
    CHECK_TEXT(touched(store, "items", before), "10");
    later = generation_of(store);
    run(store, "INSERT INTO plain VALUES (2), (3)");
    CHECK_STATUS(fr_store_touched_rows(&statement, store, "items", before), FR_GONE);
    CHECK_TEXT(touched(store, "plain", later), "2 3");
    CHECK_INT(count_of(store, "SELECT count(*) FROM fetchedresults_history"), 3);
    CHECK_STATUS(fr_store_set_history_limit(store, 0), FR_RANGE);
    CHECK_STATUS(fr_store_set_history_limit(store, -1), FR_RANGE);
    CHECK_STATUS(fr_store_set_history_limit(store, INT64_MAX), FR_RANGE);
    CHECK_STATUS(fr_store_set_history_limit(store, (INT64_C(1) << 40) + 1), FR_RANGE);
    CHECK_OK(fr_store_set_history_limit(store, INT64_C(1) << 40));
    CHECK_OK(fr_store_close(store));
}

static void history_is_deleted_up_to_a_generation(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_statement *statement = NULL;
    int64_t before, middle, last;
    CHECK_OK(fr_store_start_history(store, "items"));
    before = generation_of(store);
    run(store, "DELETE FROM items WHERE id = 1");
    middle = generation_of(store);
    run(store, "DELETE FROM items WHERE id = 2");
    last = generation_of(store);
    CHECK_OK(fr_store_delete_history(store, middle));
    CHECK_STATUS(fr_store_touched_rows(&statement, store, "items", before), FR_GONE);
    CHECK_TEXT(touched(store, "items", middle), "2");
    CHECK_OK(fr_store_delete_history(store, INT64_MIN));
    CHECK_TEXT(touched(store, "items", middle), "2");
    CHECK_OK(fr_store_delete_history(store, INT64_MAX));
    CHECK_STATUS(fr_store_touched_rows(&statement, store, "items", middle), FR_GONE);
    CHECK_INT(generation_of(store), last);
    CHECK_TEXT(touched(store, "items", last), "");
    CHECK_OK(fr_store_close(store));
}

/*
 * The history that the statement was prepared for does not exist any more when it is stepped: no
 * rows are silently left out.
 */
static void statement_notices_that_the_history_was_shortened(void)
{
    fr_store *store = store_in_file("shortened.db");
    fr_statement *statement = NULL;
    int64_t before;
    bool more = true;
    run(store, SCHEMA);
    CHECK_OK(fr_store_start_history(store, "items"));
    before = generation_of(store);
    run(store, "DELETE FROM items WHERE id = 1; DELETE FROM items WHERE id = 2");
    CHECK_OK(fr_store_touched_rows(&statement, store, "items", before));
    CHECK_OK(fr_statement_step(&more, statement));
    CHECK(more);
    /* It reads one state. */
    run_elsewhere("shortened.db", "DELETE FROM fetchedresults_history WHERE generation <> "
                                  "(SELECT max(generation) FROM fetchedresults_history)");
    CHECK_TEXT(rows_text(statement), "2");
    more = true;
    CHECK_STATUS(fr_statement_step(&more, statement), FR_GONE);
    CHECK(more);
    CHECK_STATUS(fr_statement_value(&(fr_value){0}, statement, 0), FR_MISUSE);
    CHECK_OK(fr_store_stop_history(store, "items"));
    CHECK_STATUS(fr_statement_step(&more, statement), FR_MISUSE);
    CHECK_OK(fr_store_start_history(store, "items"));
    CHECK_STATUS(fr_statement_step(&more, statement), FR_GONE);
    fr_statement_free(statement);
    CHECK_OK(fr_store_close(store));
}

static void nothing_stays_of_a_history_that_ended(void)
{
    static const char *const names = "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'fetchedresults%'";
    fr_store *store = store_with(SCHEMA);
    CHECK(!has_history(store, "items"));
    CHECK_OK(fr_store_start_history(store, "items"));
    CHECK_OK(fr_store_start_history(store, "Words"));
    CHECK_OK(fr_store_start_history(store, "items"));
    CHECK(has_history(store, "items"));
    CHECK(has_history(store, "main.WORDS"));
    CHECK(!has_history(store, "plain"));
    CHECK(!has_history(store, "nothing"));
    run(store, "DELETE FROM items");
    CHECK_OK(fr_store_stop_history(store, "ITEMS"));
    CHECK(!has_history(store, "items"));
    CHECK(has_history(store, "words"));
    CHECK(count_of(store, names) > 0);
    CHECK_OK(fr_store_stop_history(store, "nothing"));
    CHECK_OK(fr_store_stop_history(store, "Main.words"));
    CHECK_INT(count_of(store, names), 0);
    CHECK_OK(fr_store_close(store));
}

static void check_refused(fr_store *store, const char *table, fr_status status)
{
    CHECK_STATUS(fr_store_start_history(store, table), status);
    CHECK(!has_history(store, table));
}

static void tables_without_a_history_are_refused(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_statement *statement = NULL;
    int64_t number = 7;
    run(store, "CREATE VIEW names AS SELECT name FROM items; CREATE TEMP TABLE passing(id INTEGER PRIMARY KEY);"
               "CREATE TABLE texts(id INTEGER PRIMARY KEY, text); CREATE UNIQUE INDEX one ON texts(lower(text));"
               "CREATE VIRTUAL TABLE found USING fts5(text)");
    check_refused(store, "nothing", FR_SCHEMA);
    check_refused(store, "names", FR_SCHEMA);
    check_refused(store, "found", FR_SCHEMA);
    check_refused(store, "texts", FR_SCHEMA);
    check_refused(store, "passing", FR_MISUSE);
    check_refused(store, "", FR_SCHEMA);
    CHECK_STATUS(fr_store_history_generation(&number, store), FR_MISUSE);
    CHECK_STATUS(fr_store_history_limit(&number, store), FR_MISUSE);
    CHECK_STATUS(fr_store_set_history_limit(store, 5), FR_MISUSE);
    CHECK_STATUS(fr_store_delete_history(store, 5), FR_MISUSE);
    CHECK_STATUS(fr_store_touched_rows(&statement, store, "items", 5), FR_MISUSE);
    CHECK_OK(fr_store_start_history(store, "items"));
    CHECK_STATUS(fr_store_touched_rows(&statement, store, "words", generation_of(store)), FR_MISUSE);
    CHECK_STATUS(fr_store_touched_rows(&statement, store, "names", generation_of(store)), FR_SCHEMA);
    CHECK_STATUS(fr_store_touched_rows(&statement, store, "nothing", generation_of(store)), FR_SCHEMA);
    CHECK_STATUS(fr_store_touched_rows(&statement, store, "items", 0), FR_GONE);
    CHECK_STATUS(fr_store_touched_rows(&statement, store, "items", generation_of(store) + 1), FR_GONE);
    CHECK(statement == NULL);
    CHECK_INT(number, 7);
    CHECK_OK(fr_store_close(store));
}

static void wrong_arguments_are_refused(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_statement *statement = NULL;
    bool has = false;
    CHECK_OK(fr_store_start_history(store, "items"));
    CHECK_STATUS(fr_store_start_history(store, NULL), FR_MISUSE);
    CHECK_STATUS(fr_store_start_history(store, "\xff"), FR_INVALID_UTF8);
    CHECK_STATUS(fr_store_stop_history(store, NULL), FR_MISUSE);
    CHECK_STATUS(fr_store_stop_history(store, "\xff"), FR_INVALID_UTF8);
    CHECK_STATUS(fr_store_has_history(NULL, store, "items"), FR_MISUSE);
    CHECK_STATUS(fr_store_has_history(&has, store, NULL), FR_MISUSE);
    CHECK_STATUS(fr_store_has_history(&has, store, "\xff"), FR_INVALID_UTF8);
    CHECK_STATUS(fr_store_history_generation(NULL, store), FR_MISUSE);
    CHECK_STATUS(fr_store_touched_rows(NULL, store, "items", 0), FR_MISUSE);
    CHECK_STATUS(fr_store_touched_rows(&statement, store, NULL, 0), FR_MISUSE);
    CHECK_STATUS(fr_store_touched_rows(&statement, store, "\xff", 0), FR_INVALID_UTF8);
    CHECK_STATUS(fr_store_history_limit(NULL, store), FR_MISUSE);
    CHECK_OK(fr_store_close(store));
}

static void close_and_ask(fr_list *list, fr_change_set *changes, void *user_data)
{
    fr_statement *statement = NULL;
    int64_t number = 0;
    bool has = false;
    (void)list;
    (void)changes;
    CHECK_OK(fr_store_close(user_data));
    CHECK_STATUS(fr_store_start_history(user_data, "items"), FR_MISUSE);
    CHECK_STATUS(fr_store_has_history(&has, user_data, "items"), FR_MISUSE);
    CHECK_STATUS(fr_store_history_generation(&number, user_data), FR_MISUSE);
    CHECK_STATUS(fr_store_touched_rows(&statement, user_data, "items", 0), FR_MISUSE);
}

/* The statement outlives its store, and reports that. */
static void closed_stores_have_no_history(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_observer observer = {.struct_size = sizeof observer, .did_deliver = close_and_ask};
    fr_statement *statement = NULL;
    fr_list *list;
    bool more = false;
    CHECK_OK(fr_store_start_history(store, "items"));
    CHECK_OK(fr_store_touched_rows(&statement, store, "items", generation_of(store)));
    list = list_of(store, "items", NULL, NULL, NULL);
    CHECK_OK(fr_list_add_observer(NULL, list, &observer, store, NULL));
    CHECK_OK(fr_store_execute(store, "DELETE FROM items", NULL, 0));
    CHECK_STATUS(fr_statement_step(&more, statement), FR_CLOSED);
    fr_statement_free(statement);
    fr_list_free(list);
}

TESTS(history_tests) = {
    TEST(columns_are_those_of_the_key),
    TEST(limit_is_set_for_all_tables),
    TEST(history_is_deleted_up_to_a_generation),
    TEST(statement_notices_that_the_history_was_shortened),
    TEST(nothing_stays_of_a_history_that_ended),
    TEST(tables_without_a_history_are_refused),
    TEST(wrong_arguments_are_refused),
    TEST(closed_stores_have_no_history),
    END_OF_TESTS,
};
