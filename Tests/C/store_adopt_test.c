/* Adopted connections, queued stores, and the connection underneath. */
#include <sqlite3.h>
#include <string.h>

#include "fixture.h"
#include "recorder.h"
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

static void own_writes_are_delivered_at_dispatch(void)
{
    sqlite3 *connection = connection_with(":memory:", SCHEMA "INSERT INTO items VALUES (1, 'a')");
    fr_store *store = NULL;
    fr_list *list;
    struct recorder recorder;
    REQUIRE(CHECK_OK(fr_store_adopt(&store, connection, NULL)));
    list = list_of(store, "items", NULL, NULL, NULL);
    recorder_start(&recorder, list);
    execute(connection, "INSERT INTO items VALUES (2, 'b')");
    CHECK_LOG(&recorder, "");
    CHECK_LIST(list, "1");
    CHECK_OK(fr_store_dispatch(store));
    CHECK_LOG(&recorder, "[insert 0.1]");
    CHECK_OK(fr_store_dispatch(store));
    CHECK_LOG(&recorder, "");
    execute(connection, "BEGIN; DELETE FROM items WHERE id = 1; UPDATE items SET name = 'B'; COMMIT");
    execute(connection, "BEGIN; DELETE FROM items; ROLLBACK");
    CHECK_OK(fr_store_dispatch(store));
    CHECK_LOG(&recorder, "[delete 0.0; update 0.1>0.0 {name}]");
    fr_list_free(list);
    recorder_free(&recorder);
    CHECK_OK(fr_store_close(store));
    CHECK_INT(sqlite3_close(connection), SQLITE_OK);
}

static void write_through_the_store_delivers_what_waits(void)
{
    sqlite3 *connection = connection_with(":memory:", SCHEMA);
    fr_store *store = NULL;
    fr_list *list;
    struct recorder recorder;
    REQUIRE(CHECK_OK(fr_store_adopt(&store, connection, NULL)));
    list = list_of(store, "items", NULL, NULL, NULL);
    recorder_start(&recorder, list);
    execute(connection, "INSERT INTO items VALUES (1, 'a')");
    run(store, "INSERT INTO items VALUES (2, 'b')");
    CHECK_LIST(list, "1 2");
    CHECK(recorder.brackets == 1 || recorder.brackets == 2);
    fr_list_free(list);
    recorder_free(&recorder);
    CHECK_OK(fr_store_close(store));
    CHECK_INT(sqlite3_close(connection), SQLITE_OK);
}

/*
 * A statement prepared before the hooks were set: SQLite's truncate optimisation calls no hook for
 * it.
 */
static void statement_prepared_before_adoption_is_seen(void)
{
    sqlite3 *connection = connection_with(":memory:", SCHEMA "INSERT INTO items VALUES (1, 'a'), (2, 'b')");
    sqlite3_stmt *statement = NULL;
    fr_store *store = NULL;
    fr_list *list;
    struct recorder recorder;
    CHECK_INT(sqlite3_prepare_v2(connection, "DELETE FROM items", -1, &statement, NULL), SQLITE_OK);
    REQUIRE(CHECK_OK(fr_store_adopt(&store, connection, NULL)));
    list = list_of(store, "items", NULL, NULL, NULL);
    recorder_start(&recorder, list);
    CHECK_INT(sqlite3_step(statement), SQLITE_DONE);
    CHECK_INT(sqlite3_finalize(statement), SQLITE_OK);
    CHECK_OK(fr_store_dispatch(store));
    CHECK_LOG(&recorder, "[delete 0.1; delete 0.0]");
    fr_list_free(list);
    recorder_free(&recorder);
    CHECK_OK(fr_store_close(store));
    CHECK_INT(sqlite3_close(connection), SQLITE_OK);
}

static void queued_store_delivers_at_dispatch(void)
{
    fr_store_options options;
    fr_store *store = NULL;
    fr_list *list;
    struct recorder recorder;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.flags = FR_STORE_QUEUED;
    REQUIRE(CHECK_OK(fr_store_open(&store, ":memory:", &options)));
    run(store, SCHEMA "INSERT INTO items VALUES (1, 'a')");
    list = list_of(store, "items", NULL, NULL, NULL);
    recorder_start(&recorder, list);
    run(store, "INSERT INTO items VALUES (2, 'b')");
    CHECK_LOG(&recorder, "");
    CHECK_LIST(list, "1");
    CHECK_OK(fr_store_dispatch(store));
    CHECK_LOG(&recorder, "[insert 0.1]");
    fr_list_free(list);
    recorder_free(&recorder);
    CHECK_OK(fr_store_close(store));
}

static void row_that_waits_is_old_or_unavailable_but_never_another(void)
{
    sqlite3 *connection = connection_with(":memory:", SCHEMA "INSERT INTO items VALUES (1, 'a'), (2, 'b')");
    fr_store *store = NULL;
    fr_list *list;
    fr_object *object = NULL;
    fr_status status;
    REQUIRE(CHECK_OK(fr_store_adopt(&store, connection, NULL)));
    list = list_of(store, "items", NULL, "name", NULL);
    execute(connection, "UPDATE items SET name = 'z' WHERE id = 1");
    status = fr_list_object_at(&object, list, path_at(0, 0));
    if (status == FR_OK) {
        CHECK_TEXT(object_text(object, "name"), "a");
        fr_object_unref(object);
    } else {
        CHECK_STATUS(status, FR_GONE);
    }
    CHECK_OK(fr_store_dispatch(store));
    CHECK_CONTENTS(list, "2(2, b) 1(1, z)");
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
    CHECK_INT(sqlite3_close(connection), SQLITE_OK);
}

static void connection_underneath_is_observed(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", NULL, NULL, NULL);
    struct sqlite3 *connection = NULL;
    CHECK_OK(fr_store_sqlite(&connection, store));
    execute(connection, "INSERT INTO items VALUES (1, 'a')");
    CHECK_OK(fr_store_dispatch(store));
    CHECK_LIST(list, "1");
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

/* Another connection's commit is found at the latest when the store itself next commits. */
static void commit_of_another_connection(void)
{
    fr_store *store = store_in_file("shared.db");
    sqlite3 *other;
    fr_list *list;
    struct recorder recorder;
    run(store, SCHEMA "INSERT INTO items VALUES (1, 'a'), (2, 'b'), (3, 'c')");
    list = list_of(store, "items", NULL, "name", NULL);
    recorder_start(&recorder, list);
    other = connection_with(file_path("shared.db"), "UPDATE items SET name = 'd' WHERE id = 1;"
                                                    "DELETE FROM items WHERE id = 2");
    run(store, "INSERT INTO items VALUES (4, 'bb')");
    CHECK_CONTENTS(list, "4(4, bb) 3(3, c) 1(1, d)");
    CHECK(recorder.brackets >= 1);
    CHECK_INT(sqlite3_close(other), SQLITE_OK);
    fr_list_free(list);
    recorder_free(&recorder);
    CHECK_OK(fr_store_close(store));
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
    TEST(own_writes_are_delivered_at_dispatch),
    TEST(write_through_the_store_delivers_what_waits),
    TEST(statement_prepared_before_adoption_is_seen),
    TEST(queued_store_delivers_at_dispatch),
    TEST(row_that_waits_is_old_or_unavailable_but_never_another),
    TEST(connection_underneath_is_observed),
    TEST(commit_of_another_connection),
    TEST(collation_outlives_the_store),
    TEST(adoption_of_nothing_is_misuse),
    END_OF_TESTS,
};
