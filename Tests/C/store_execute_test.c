/* Running SQL on a store. */
#include <string.h>

#include "fixture.h"
#include "test.h"

#define SCHEMA "CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT NOT NULL, rank INTEGER);"

static void positional_parameters(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", NULL, NULL, NULL);
    fr_value values[3];
    values[0] = fr_integer(7);
    values[1] = fr_text("'); DROP TABLE items; --");
    values[2] = fr_null();
    CHECK_OK(fr_store_execute(store, "INSERT INTO items VALUES (?, ?, ?)", values, 3));
    CHECK_CONTENTS(list, "7(7, '); DROP TABLE items; --, NULL)");
    values[0] = fr_text("again");
    values[1] = fr_integer(7);
    CHECK_OK(fr_store_execute(store, "UPDATE items SET name = ?1 WHERE id = ?2 AND ?2 = 7", values, 2));
    CHECK_CONTENTS(list, "7(7, again, NULL)");
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void wrong_number_of_parameters(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_value values[3];
    values[0] = fr_integer(1);
    values[1] = fr_text("a");
    values[2] = fr_integer(1);
    CHECK_STATUS(fr_store_execute(store, "INSERT INTO items(id, name) VALUES (?, ?)", values, 1), FR_SQL);
    CHECK_STATUS(fr_store_execute(store, "INSERT INTO items(id, name) VALUES (?, ?)", values, 3), FR_SQL);
    CHECK_STATUS(fr_store_execute(store, "INSERT INTO items(id, name) VALUES (?, ?)", NULL, 0), FR_SQL);
    CHECK_STATUS(fr_store_execute(store, "DELETE FROM items", values, 1), FR_SQL);
    CHECK_STATUS(fr_store_execute(store, "DELETE FROM items WHERE id = ?", NULL, 1), FR_MISUSE);
    CHECK_OK(fr_store_close(store));
}

static void named_parameters(void)
{
    static const char *const names[] = {":id", "name", "$rank"};
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", NULL, NULL, NULL);
    fr_value values[3];
    values[0] = fr_integer(1);
    values[1] = fr_text("a");
    values[2] = fr_integer(9);
    CHECK_OK(fr_store_execute_named(store, "INSERT INTO items VALUES (:id, :name, $rank)", names, values, 3));
    CHECK_CONTENTS(list, "1(1, a, 9)");
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void named_parameters_must_match(void)
{
    static const char *const names[] = {"id", "name", "other"};
    static const char *const twice[] = {"id", "id"};
    static const char *const missing[] = {"id", NULL};
    fr_store *store = store_with(SCHEMA);
    const char *sql = "INSERT INTO items(id, name) VALUES (:id, :name)";
    fr_value values[3];
    values[0] = fr_integer(1);
    values[1] = fr_text("a");
    values[2] = fr_integer(9);
    CHECK_STATUS(fr_store_execute_named(store, sql, names, values, 3), FR_SQL);
    CHECK(strstr(fr_error_message(), "other") != NULL);
    CHECK_STATUS(fr_store_execute_named(store, sql, names, values, 1), FR_SQL);
    CHECK_STATUS(fr_store_execute_named(store, sql, twice, values, 2), FR_SQL);
    CHECK_STATUS(fr_store_execute_named(store, sql, missing, values, 2), FR_MISUSE);
    CHECK_STATUS(fr_store_execute_named(store, sql, NULL, values, 2), FR_MISUSE);
    CHECK_STATUS(fr_store_execute_named(store, sql, names, NULL, 2), FR_MISUSE);
    CHECK_OK(fr_store_close(store));
}

static void exactly_one_statement(void)
{
    fr_store *store = store_with(SCHEMA);
    CHECK_STATUS(fr_store_execute(store, "", NULL, 0), FR_SQL);
    CHECK_STATUS(fr_store_execute(store, "  -- only a comment\n", NULL, 0), FR_SQL);
    CHECK_STATUS(fr_store_execute(store, "SELECT 1; SELECT 2", NULL, 0), FR_SQL);
    CHECK_OK(fr_store_execute(store, "SELECT 1;", NULL, 0));
    CHECK_OK(fr_store_execute(store, "SELECT 1; -- the end\n", NULL, 0));
    CHECK_STATUS(fr_store_execute(store, "SELEC 1", NULL, 0), FR_SQL);
    CHECK(strstr(fr_error_message(), "SELEC") != NULL);
    CHECK_STATUS(fr_store_execute(store, "SELECT * FROM nowhere", NULL, 0), FR_SQL);
    CHECK_STATUS(fr_store_execute(store, "SELECT '\xff'", NULL, 0), FR_INVALID_UTF8);
    CHECK_OK(fr_store_close(store));
}

static void script_stops_at_its_first_failure(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", NULL, NULL, NULL);
    CHECK_STATUS(fr_store_execute_script(store, "INSERT INTO items VALUES (1, 'a', 1);"
                                                "INSERT INTO items VALUES (1, 'b', 1);"
                                                "INSERT INTO items VALUES (3, 'c', 1)"),
                 FR_CONSTRAINT);
    CHECK(strstr(fr_error_sql(), "'b'") != NULL);
    CHECK_LIST(list, "1");
    CHECK_OK(fr_store_execute_script(store, ""));
    CHECK_OK(fr_store_execute_script(store, " ; ;; -- nothing\n"));
    CHECK_STATUS(fr_store_execute_script(store, "INSERT INTO items VALUES (5, 'e', ?)"), FR_SQL);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void changes_and_last_rowid(void)
{
    fr_store *store = store_with(SCHEMA);
    int64_t number = -1;
    CHECK_OK(fr_store_last_insert_rowid(&number, store));
    CHECK_INT(number, 0);
    CHECK_OK(fr_store_execute(store, "INSERT INTO items VALUES (41, 'a', 1), (42, 'b', 2)", NULL, 0));
    CHECK_OK(fr_store_last_insert_rowid(&number, store));
    CHECK_INT(number, 42);
    CHECK_OK(fr_store_changes(&number, store));
    CHECK_INT(number, 2);
    CHECK_OK(fr_store_execute(store, "UPDATE items SET rank = 5 WHERE id = 41", NULL, 0));
    CHECK_OK(fr_store_changes(&number, store));
    CHECK_INT(number, 1);
    CHECK_OK(fr_store_close(store));
}

TESTS(store_execute_tests) = {
    TEST(positional_parameters),  TEST(wrong_number_of_parameters),
    TEST(named_parameters),       TEST(named_parameters_must_match),
    TEST(exactly_one_statement),  TEST(script_stops_at_its_first_failure),
    TEST(changes_and_last_rowid), END_OF_TESTS,
};
