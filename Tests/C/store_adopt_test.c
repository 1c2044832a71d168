/* Adopted connections: they stay open and as they were, with their collations. */
#include <sqlite3.h>
#include <string.h>

#include "fixture.h"
#include "test.h"

#define SCHEMA "CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT);"

static sqlite3 *connection_with(const char *path, const char *script)
{
    sqlite3 *connection = NULL;
    CHECK_INT(sqlite3_open(path, &connection), SQLITE_OK);
    CHECK_INT(sqlite3_exec(connection, script, NULL, NULL, NULL), SQLITE_OK);
    return connection;
}

static void execute(sqlite3 *connection, const char *script)
{
    CHECK_INT(sqlite3_exec(connection, script, NULL, NULL, NULL), SQLITE_OK);
}

static void adopted_connection_stays_open(void)
{
    sqlite3 *connection = connection_with(":memory:", SCHEMA);
    fr_store *store = NULL;
    struct sqlite3 *same = NULL;
    REQUIRE(CHECK_OK(fr_store_adopt(&store, connection, NULL)));
    CHECK_OK(fr_store_sqlite(&same, store));
    CHECK(same == connection);
    run(store, "INSERT INTO items VALUES (1, 'a')");
    CHECK_OK(fr_store_close(store));
    execute(connection, "INSERT INTO items VALUES (2, 'b')");
    CHECK_INT(sqlite3_close(connection), SQLITE_OK);
}

static void its_settings_stay(void)
{
    sqlite3 *connection = connection_with(":memory:", "PRAGMA foreign_keys = OFF;"
                                                      "CREATE TABLE p(id INTEGER PRIMARY KEY);"
                                                      "CREATE TABLE c(p REFERENCES p)");
    fr_store *store = NULL;
    REQUIRE(CHECK_OK(fr_store_adopt(&store, connection, NULL)));
    run(store, "INSERT INTO c VALUES (5)");
    CHECK_OK(fr_store_close(store));
    CHECK_INT(sqlite3_close(connection), SQLITE_OK);
}

/* Longer strings first. */
static int32_t longest_first(const char *a, size_t a_length, const char *b, size_t b_length, void *user_data)
{
    *(int *)user_data += 1;
    return a_length == b_length ? memcmp(a, b, a_length) : a_length > b_length ? -1 : 1;
}

static int destroyed;

static void note_destroyed(void *user_data)
{
    (void)user_data;
    destroyed += 1;
}

static const char *first_name(sqlite3 *connection)
{
    static char name[20];
    sqlite3_stmt *statement = NULL;
    name[0] = '\0';
    CHECK_INT(sqlite3_prepare_v2(connection, "SELECT name FROM words ORDER BY name", -1, &statement, NULL), SQLITE_OK);
    if (CHECK_INT(sqlite3_step(statement), SQLITE_ROW)) {
        strncat(name, (const char *)sqlite3_column_text(statement, 0), sizeof name - 1);
    }
    CHECK_INT(sqlite3_finalize(statement), SQLITE_OK);
    return name;
}

/* The schema of an adopted connection may need it, so it stays as long as the connection. */
static void collation_outlives_the_store(void)
{
    sqlite3 *connection = connection_with(":memory:", "");
    fr_store *store = NULL;
    int calls = 0, before;
    REQUIRE(CHECK_OK(fr_store_adopt(&store, connection, NULL)));
    CHECK_OK(fr_store_add_collation(store, "LONGEST", longest_first, &calls, note_destroyed));
    run(store, "CREATE TABLE words(id INTEGER PRIMARY KEY, name TEXT COLLATE LONGEST UNIQUE);"
               "INSERT INTO words(name) VALUES ('a'), ('ccc'), ('bb')");
    CHECK_OK(fr_store_close(store));
    CHECK_INT(destroyed, 0);
    before = calls;
    execute(connection, "INSERT INTO words(name) VALUES ('dddd'), ('ee')");
    CHECK(calls > before);
    CHECK_TEXT(first_name(connection), "dddd");
    REQUIRE(CHECK_OK(fr_store_adopt(&store, connection, NULL)));
    run(store, "INSERT INTO words(name) VALUES ('fffff')");
    CHECK_OK(fr_store_close(store));
    CHECK_TEXT(first_name(connection), "fffff");
    CHECK_INT(destroyed, 0);
    CHECK_INT(sqlite3_close(connection), SQLITE_OK);
    CHECK_INT(destroyed, 1);
}

static void adoption_of_nothing_is_misuse(void)
{
    sqlite3 *connection = connection_with(":memory:", "");
    fr_store_options options;
    fr_store *store = NULL;
    memset(&options, 0, sizeof options);
    CHECK_STATUS(fr_store_adopt(&store, NULL, NULL), FR_MISUSE);
    CHECK_STATUS(fr_store_adopt(NULL, connection, NULL), FR_MISUSE);
    CHECK_STATUS(fr_store_adopt(&store, connection, &options), FR_RANGE);
    CHECK(store == NULL);
    CHECK_INT(sqlite3_close(connection), SQLITE_OK);
}

TESTS(store_adopt_tests) = {
    TEST(adopted_connection_stays_open),
    TEST(its_settings_stay),
    TEST(collation_outlives_the_store),
    TEST(adoption_of_nothing_is_misuse),
    END_OF_TESTS,
};
