/* Typed insert, update, delete and read of one row. */
#include <string.h>

#include "fixture.h"
#include "test.h"

#define SCHEMA \
    "CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'new', rank INTEGER);" \
    "CREATE TABLE places(country TEXT, town TEXT, people INTEGER, PRIMARY KEY (country, town)) WITHOUT ROWID;" \
    "CREATE TABLE words(word TEXT PRIMARY KEY, count INTEGER);" \
    "CREATE TABLE loose(a, b);" \
    "CREATE TABLE \"odd name\"(id INTEGER PRIMARY KEY, \"the \"\"column\"\"\" TEXT, \"select\" TEXT);"

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

TESTS(store_object_tests) = {
    TEST(inserted_row_is_returned_with_its_defaults),
    TEST(update_and_delete_by_identity),
    TEST(composite_and_text_identities),
    TEST(wrong_identities_are_errors),
    TEST(constraint_is_reported_with_its_column),
    END_OF_TESTS,
};
