/* Typed insert, update, delete and read of one row. */
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "test.h"

#define SCHEMA \
    "CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'new', rank INTEGER);" \
    "CREATE TABLE places(country TEXT, town TEXT, people INTEGER, PRIMARY KEY (country, town)) WITHOUT ROWID;" \
    "CREATE TABLE words(word TEXT PRIMARY KEY, count INTEGER);" \
    "CREATE TABLE loose(a, b);" \
    "CREATE TABLE \"odd name\"(id INTEGER PRIMARY KEY, \"the \"\"column\"\"\" TEXT, \"select\" TEXT);"

static int64_t number(fr_store *store, const char *sql)
{
    fr_statement *statement = NULL;
    fr_value value = fr_integer(-1);
    bool more = false;
    CHECK_OK(fr_statement_prepare(&statement, store, sql));
    CHECK(CHECK_OK(fr_statement_step(&more, statement)) && more);
    CHECK_OK(fr_statement_value(&value, statement, 0));
    fr_statement_free(statement);
    return value.integer;
}

static void inserted_row_is_returned_with_its_defaults(void)
{
    static const char *const columns[] = {"rank"};
    fr_store *store = store_with(SCHEMA);
    fr_value value = fr_integer(3);
    fr_object *object = NULL;
    REQUIRE(CHECK_OK(fr_store_insert(&object, store, "items", columns, &value, 1)));
    CHECK_TEXT(object_text(object, "id"), "1");
    CHECK_TEXT(object_text(object, "name"), "new");
    CHECK_TEXT(object_text(object, "rank"), "3");
    fr_object_unref(object);
    REQUIRE(CHECK_OK(fr_store_insert(&object, store, "items", NULL, NULL, 0)));
    CHECK_TEXT(object_text(object, "id"), "2");
    fr_object_unref(object);
    CHECK_OK(fr_store_insert(NULL, store, "items", columns, &value, 1));
    CHECK_OK(fr_store_close(store));
}

static void update_and_delete_by_identity(void)
{
    static const char *const columns[] = {"name", "rank"};
    fr_store *store = store_with(SCHEMA "INSERT INTO items VALUES (1, 'a', 1), (2, 'b', 2)");
    fr_list *list = list_of(store, "items", NULL, NULL, NULL);
    fr_value identity = fr_integer(2), values[2];
    values[0] = fr_text("B");
    values[1] = fr_null();
    CHECK_OK(fr_store_update(store, "items", &identity, 1, columns, values, 2));
    CHECK_CONTENTS(list, "1(1, a, 1) 2(2, B, NULL)");
    CHECK_OK(fr_store_delete(store, "items", &identity, 1));
    CHECK_LIST(list, "1");
    CHECK_STATUS(fr_store_delete(store, "items", &identity, 1), FR_NOT_FOUND);
    CHECK_STATUS(fr_store_update(store, "items", &identity, 1, columns, values, 2), FR_NOT_FOUND);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void composite_and_text_identities(void)
{
    static const char *const people[] = {"people"}, *const count[] = {"count"};
    fr_store *store = store_with(SCHEMA "INSERT INTO places VALUES ('fi', 'Oulu', 1), ('se', 'Lund', 2);"
                                        "INSERT INTO words VALUES ('to', 5), ('be', 6)");
    fr_value place[2], word = fr_text("to"), number = fr_integer(77);
    fr_object *object = NULL;
    place[0] = fr_text("se");
    place[1] = fr_text("Lund");
    CHECK_OK(fr_store_update(store, "places", place, 2, people, &number, 1));
    REQUIRE(CHECK_OK(fr_store_object(&object, store, "places", place, 2)));
    CHECK_TEXT(object_text(object, "people"), "77");
    fr_object_unref(object);
    CHECK_OK(fr_store_delete(store, "places", place, 2));
    CHECK_STATUS(fr_store_object(&object, store, "places", place, 2), FR_NOT_FOUND);
    CHECK_OK(fr_store_update(store, "words", &word, 1, count, &number, 1));
    REQUIRE(CHECK_OK(fr_store_object(&object, store, "words", &word, 1)));
    CHECK_TEXT(object_text(object, "count"), "77");
    fr_object_unref(object);
    CHECK_OK(fr_store_close(store));
}

/*
 * Updates and deletes concern the row with a NULL key or the row whose key is its rowid, never
 * both.
 */
static void identity_of_a_null_key_is_no_key(void)
{
    static const char *const keys[] = {"INT PRIMARY KEY", "TEXT PRIMARY KEY", "INTEGER PRIMARY KEY DESC"};
    static const char *const v[] = {"v"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        char script[200];
        fr_store *store;
        fr_list *list;
        fr_object *object = NULL;
        fr_index_path path = {-1, -1};
        fr_value null[3], key = i == 1 ? fr_text("2") : fr_integer(2), value = fr_text("c"), bare = fr_integer(2);
        int64_t count = 0;
        null[2] = fr_null();
        snprintf(script, sizeof script,
                 "CREATE TABLE t(k %s, v); INSERT INTO t(rowid, k, v) VALUES (1, 2, 'a'), (2, NULL, 'b')", keys[i]);
        store = store_with(script);
        list = list_of(store, "t", NULL, "v", NULL);
        CHECK_OK(fr_list_object_at(&object, list, path_at(0, 1)));
        CHECK_OK(fr_object_identity_count(&count, object));
        REQUIRE(CHECK_INT(count, 2));
        CHECK_OK(fr_object_identity(&null[0], object, 0));
        CHECK_OK(fr_object_identity(&null[1], object, 1));
        CHECK_INT(null[0].type, FR_TYPE_NULL);
        CHECK_INT(null[1].integer, 2);
        CHECK_OK(fr_list_index_path_of(&path, list, object));
        CHECK_INT(path.row, 1);
        CHECK_OK(fr_list_index_path_of_identity(&path, list, &key, 1));
        CHECK_INT(path.row, 0);
        CHECK_OK(fr_list_index_path_of_identity(&path, list, null, 2));
        CHECK_INT(path.row, 1);
        CHECK_STATUS(fr_list_index_path_of_identity(&path, list, null, 1), FR_NOT_FOUND);
        CHECK_OK(fr_store_update(store, "t", null, 2, v, &value, 1));
        CHECK_INT(number(store, "SELECT count(*) FROM t WHERE k IS NULL AND v = 'c' OR k = 2 AND v = 'a'"), 2);
        CHECK_OK(fr_store_delete(store, "t", &key, 1));
        CHECK_INT(number(store, "SELECT count(*) FROM t WHERE v = 'c'"), 1);
        CHECK_STATUS(fr_store_delete(store, "t", &bare, 1), FR_NOT_FOUND);
        CHECK_STATUS(fr_store_update(store, "t", null, 1, v, &value, 1), FR_NOT_FOUND);
        CHECK_STATUS(fr_store_delete(store, "t", null, 3), FR_RANGE);
        fr_object_unref(object);
        object = NULL;
        REQUIRE(CHECK_OK(fr_store_object(&object, store, "t", null, 2)));
        CHECK_TEXT(object_text(object, "v"), "c");
        CHECK_OK(fr_store_delete(store, "t", null, 2));
        CHECK_INT(number(store, "SELECT count(*) FROM t"), 0);
        fr_object_unref(object);
        fr_list_free(list);
        CHECK_OK(fr_store_close(store));
    }
}

static void wrong_identities_are_errors(void)
{
    static const char *const columns[] = {"people"};
    fr_store *store = store_with(SCHEMA);
    fr_value values[3];
    fr_object *object = NULL;
    values[0] = fr_text("se");
    values[1] = fr_text("Lund");
    values[2] = fr_integer(1);
    CHECK_STATUS(fr_store_object(&object, store, "places", values, 1), FR_RANGE);
    CHECK_STATUS(fr_store_object(&object, store, "places", values, 3), FR_RANGE);
    CHECK_STATUS(fr_store_object(&object, store, "places", values, SIZE_MAX), FR_RANGE);
    CHECK_STATUS(fr_store_delete(store, "places", values, 0), FR_RANGE);
    CHECK_STATUS(fr_store_update(store, "places", values, 2, columns, values, 0), FR_RANGE);
    CHECK_STATUS(fr_store_update(store, "places", values, 3, columns, values, 1), FR_RANGE);
    CHECK_STATUS(fr_store_delete(store, "places", NULL, 2), FR_MISUSE);
    CHECK(object == NULL);
    CHECK_OK(fr_store_close(store));
}

static void table_without_key_uses_the_rowid(void)
{
    static const char *const columns[] = {"a"};
    fr_store *store = store_with(SCHEMA "INSERT INTO loose VALUES ('x', 'y')");
    fr_value identity = fr_integer(1), value = fr_text("z");
    fr_object *object = NULL;
    int64_t count = 0;
    CHECK_OK(fr_store_update(store, "loose", &identity, 1, columns, &value, 1));
    REQUIRE(CHECK_OK(fr_store_object(&object, store, "loose", &identity, 1)));
    CHECK_TEXT(object_text(object, "a"), "z");
    CHECK_OK(fr_object_identity_count(&count, object));
    CHECK_INT(count, 1);
    fr_object_unref(object);
    CHECK_OK(fr_store_close(store));
}

static void names_are_checked_and_quoted(void)
{
    static const char *const odd[] = {"the \"column\"", "select"}, *const unknown[] = {"nme"};
    static const char *const injected[] = {"name = 'x' --"};
    fr_store *store = store_with(SCHEMA);
    fr_value identity = fr_integer(1), values[2];
    fr_object *object = NULL;
    values[0] = fr_text("one");
    values[1] = fr_text("two");
    REQUIRE(CHECK_OK(fr_store_insert(&object, store, "odd name", odd, values, 2)));
    CHECK_TEXT(object_text(object, "select"), "two");
    CHECK_TEXT(object_text(object, "the \"column\""), "one");
    fr_object_unref(object);
    CHECK_STATUS(fr_store_insert(NULL, store, "nowhere", odd, values, 2), FR_SCHEMA);
    CHECK(strstr(fr_error_message(), "nowhere") != NULL);
    CHECK_STATUS(fr_store_insert(NULL, store, "items", unknown, values, 1), FR_SCHEMA);
    CHECK(strstr(fr_error_message(), "nme") != NULL);
    CHECK_STATUS(fr_store_update(store, "items", &identity, 1, injected, values, 1), FR_SCHEMA);
    CHECK_STATUS(fr_store_delete(store, "items; DROP TABLE items", &identity, 1), FR_SCHEMA);
    CHECK_STATUS(fr_store_insert(NULL, store, "\xff", NULL, NULL, 0), FR_INVALID_UTF8);
    CHECK_OK(fr_store_close(store));
}

static void attached_database_is_named_with_a_dot(void)
{
    fr_store *store = store_with("ATTACH ':memory:' AS other;"
                                 "CREATE TABLE other.things(id INTEGER PRIMARY KEY, v);"
                                 "CREATE TEMP TABLE passing(id INTEGER PRIMARY KEY, v)");
    static const char *const columns[] = {"v"};
    fr_value value = fr_text("x"), identity = fr_integer(1);
    CHECK_OK(fr_store_insert(NULL, store, "other.things", columns, &value, 1));
    CHECK_OK(fr_store_insert(NULL, store, "temp.passing", columns, &value, 1));
    CHECK_OK(fr_store_delete(store, "other.things", &identity, 1));
    CHECK_STATUS(fr_store_insert(NULL, store, "third.things", columns, &value, 1), FR_SCHEMA);
    CHECK_OK(fr_store_close(store));
}

static void constraint_is_reported_with_its_column(void)
{
    static const char *const columns[] = {"id", "name"};
    fr_store *store = store_with(SCHEMA "INSERT INTO items VALUES (1, 'a', 1)");
    fr_value values[2];
    fr_object *object = NULL;
    values[0] = fr_integer(1);
    values[1] = fr_text("x");
    CHECK_STATUS(fr_store_insert(&object, store, "items", columns, values, 2), FR_CONSTRAINT);
    values[0] = fr_integer(2);
    values[1] = fr_null();
    CHECK_STATUS(fr_store_insert(&object, store, "items", columns, values, 2), FR_CONSTRAINT);
    CHECK(strstr(fr_error_message(), "items.name") != NULL);
    CHECK_INT(fr_error_sqlite_code(), 1299); /* SQLITE_CONSTRAINT_NOTNULL */
    CHECK(object == NULL);
    CHECK_OK(fr_store_close(store));
}

static void insert_sees_what_triggers_did(void)
{
    static const char *const columns[] = {"name"};
    fr_store *store = store_with(SCHEMA "CREATE TRIGGER fill AFTER INSERT ON items WHEN new.name <> 'spam' BEGIN"
                                        "  UPDATE items SET rank = 100 WHERE id = new.id; END;"
                                        "CREATE TRIGGER refuse AFTER INSERT ON items WHEN new.name = 'spam' BEGIN"
                                        "  DELETE FROM items WHERE id = new.id; END");
    fr_value value = fr_text("good");
    fr_object *object = NULL;
    REQUIRE(CHECK_OK(fr_store_insert(&object, store, "items", columns, &value, 1)));
    CHECK_TEXT(object_text(object, "rank"), "100");
    fr_object_unref(object);
    object = NULL;
    value = fr_text("spam");
    CHECK_STATUS(fr_store_insert(&object, store, "items", columns, &value, 1), FR_NOT_FOUND);
    CHECK(object == NULL);
    CHECK_OK(fr_store_insert(NULL, store, "items", columns, &value, 1));
    CHECK_OK(fr_store_close(store));
}

static void object_is_read_as_the_transaction_sees_it(void)
{
    fr_store *store = store_with(SCHEMA "INSERT INTO items VALUES (1, 'a', 1)");
    fr_value identity = fr_integer(1);
    fr_object *object = NULL;
    CHECK_OK(fr_store_begin(store, FR_IMMEDIATE));
    run(store, "UPDATE items SET name = 'inside'");
    REQUIRE(CHECK_OK(fr_store_object(&object, store, "items", &identity, 1)));
    CHECK_TEXT(object_text(object, "name"), "inside");
    CHECK_OK(fr_store_rollback(store));
    CHECK_TEXT(object_text(object, "name"), "inside");
    fr_object_unref(object);
    CHECK_OK(fr_store_close(store));
}

TESTS(store_object_tests) = {
    TEST(inserted_row_is_returned_with_its_defaults),
    TEST(update_and_delete_by_identity),
    TEST(composite_and_text_identities),
    TEST(identity_of_a_null_key_is_no_key),
    TEST(wrong_identities_are_errors),
    TEST(table_without_key_uses_the_rowid),
    TEST(names_are_checked_and_quoted),
    TEST(attached_database_is_named_with_a_dot),
    TEST(constraint_is_reported_with_its_column),
    TEST(insert_sees_what_triggers_did),
    TEST(object_is_read_as_the_transaction_sees_it),
    END_OF_TESTS,
};
