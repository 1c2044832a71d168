/* Values that are passed in and returned. */
#include <math.h>
#include <string.h>

#include "fixture.h"
#include "test.h"

/* Writes `value` into a column without affinity and reads it back from an object. */
static fr_object *stored(fr_store *store, fr_value value)
{
    static const char *const column[] = {"v"};
    fr_object *object = NULL;
    CHECK_OK(fr_store_insert(&object, store, "t", column, &value, 1));
    return object;
}

static fr_value value_of(fr_object *object)
{
    fr_value value = fr_integer(-77);
    CHECK_OK(fr_object_value_named(&value, object, "v"));
    return value;
}

static void zeroed_value_is_null(void)
{
    fr_value zeroed;
    memset(&zeroed, 0, sizeof zeroed);
    CHECK_INT(zeroed.type, FR_TYPE_NULL);
    CHECK_INT(fr_null().type, FR_TYPE_NULL);
    CHECK_INT(fr_text(NULL).type, FR_TYPE_NULL);
}

static void every_type_is_read_back(void)
{
    fr_store *store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY, v)");
    fr_value given[] = {fr_null(),       fr_integer(INT64_MIN), fr_integer(INT64_MAX),         fr_real(1.0),
                        fr_real(-0.1),   fr_text(""),           fr_text("gr\xc3\xbc\xc3\x9f"), fr_blob("\0\xff", 2),
                        fr_blob(NULL, 0)};
    static const char *const expected[] = {"NULL",
                                           "-9223372036854775808",
                                           "9223372036854775807",
                                           "1.0",
                                           "-0.10000000000000001",
                                           "",
                                           "gr\xc3\xbc\xc3\x9f",
                                           "x'00ff'",
                                           "x''"};
    size_t index;
    for (index = 0; index < sizeof given / sizeof *given; index++) {
        fr_object *object = stored(store, given[index]);
        fr_value value = value_of(object);
        CHECK_INT(value.type, given[index].type);
        CHECK_INT(value.reserved, 0);
        CHECK_TEXT(value_text(value), expected[index]);
        fr_object_unref(object);
    }
    CHECK_OK(fr_store_close(store));
}

static void members_that_do_not_count_are_zero_on_the_way_out(void)
{
    fr_store *store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY, v)");
    fr_object *integer = stored(store, fr_integer(5)), *text = stored(store, fr_text("x"));
    fr_value value = value_of(integer);
    CHECK_REAL(value.real, 0.0);
    CHECK(value.data == NULL);
    CHECK_INT(value.length, 0);
    value = value_of(text);
    CHECK_INT(value.integer, 0);
    CHECK_REAL(value.real, 0.0);
    fr_object_unref(integer);
    fr_object_unref(text);
    CHECK_OK(fr_store_close(store));
}

static void nan_is_null(void)
{
    fr_store *store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY, v)");
    fr_object *object = stored(store, fr_real(NAN));
    CHECK_INT(value_of(object).type, FR_TYPE_NULL);
    fr_object_unref(object);
    CHECK_OK(fr_store_close(store));
}

static void text_may_hold_nuls_and_is_followed_by_one(void)
{
    fr_store *store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY, v)");
    fr_value given = fr_text("ab");
    fr_object *object;
    fr_value value;
    given.data = "a\0b";
    given.length = 3;
    object = stored(store, given);
    value = value_of(object);
    CHECK_INT(value.type, FR_TYPE_TEXT);
    REQUIRE(CHECK_INT(value.length, 3));
    CHECK(memcmp(value.data, "a\0b", 4) == 0);
    fr_object_unref(object);
    CHECK_OK(fr_store_close(store));
}

static void length_of_minus_one_goes_up_to_the_nul(void)
{
    fr_store *store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY, v)");
    fr_value given = fr_text("four");
    fr_object *object;
    given.length = -1;
    object = stored(store, given);
    CHECK_TEXT(object_text(object, "v"), "four");
    fr_object_unref(object);
    CHECK_OK(fr_store_close(store));
}

static void data_is_copied(void)
{
    fr_store *store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY, v)");
    char text[] = "before";
    fr_object *object = stored(store, fr_text(text));
    memset(text, 'x', sizeof text - 1);
    CHECK_TEXT(object_text(object, "v"), "before");
    fr_object_unref(object);
    CHECK_OK(fr_store_close(store));
}

static void text_of_a_database_is_returned_as_it_is(void)
{
    fr_store *store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY, v);"
                                 "INSERT INTO t VALUES (1, CAST(x'61ff62' AS TEXT))");
    fr_value identity = fr_integer(1), value;
    fr_object *object = NULL;
    REQUIRE(CHECK_OK(fr_store_object(&object, store, "t", &identity, 1)));
    value = value_of(object);
    CHECK_INT(value.type, FR_TYPE_TEXT);
    REQUIRE(CHECK_INT(value.length, 3));
    CHECK(memcmp(value.data,
                 "a\xff"
                 "b",
                 4)
          == 0);
    fr_object_unref(object);
    CHECK_OK(fr_store_close(store));
}

static void wrong_values_are_errors(void)
{
    fr_store *store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY, v)");
    fr_value value = fr_null();
    value.type = 5;
    CHECK_STATUS(fr_store_execute(store, "INSERT INTO t(v) VALUES (?)", &value, 1), FR_TYPE);
    value.type = -1;
    CHECK_STATUS(fr_store_execute(store, "INSERT INTO t(v) VALUES (?)", &value, 1), FR_TYPE);
    value = fr_text("a\xff");
    CHECK_STATUS(fr_store_execute(store, "INSERT INTO t(v) VALUES (?)", &value, 1), FR_INVALID_UTF8);
    value = fr_text("\xed\xa0\x80"); /* a surrogate */
    CHECK_STATUS(fr_store_execute(store, "INSERT INTO t(v) VALUES (?)", &value, 1), FR_INVALID_UTF8);
    CHECK_OK(fr_store_close(store));
}

/* The header does not specify the error; the process must continue and nothing may be written. */
static void impossible_lengths_are_errors(void)
{
    static const int64_t lengths[] = {-2, INT64_MIN, INT64_MAX, (int64_t)1 << 40};
    fr_store *store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY, v)");
    fr_list *list = list_of(store, "t", NULL, NULL, NULL);
    size_t index;
    for (index = 0; index < sizeof lengths / sizeof *lengths; index++) {
        fr_value blob = fr_blob("x", lengths[index]), text = fr_text("x"), nothing = fr_blob(NULL, lengths[index]);
        text.length = lengths[index];
        CHECK(fr_store_execute(store, "INSERT INTO t(v) VALUES (?)", &blob, 1) != FR_OK);
        CHECK(fr_store_execute(store, "INSERT INTO t(v) VALUES (?)", &text, 1) != FR_OK);
        CHECK(fr_store_execute(store, "INSERT INTO t(v) VALUES (?)", &nothing, 1) != FR_OK);
    }
    CHECK_LIST(list, "");
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void text_without_data_is_an_error(void)
{
    fr_store *store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY, v)");
    fr_value value = fr_text("x");
    value.data = NULL;
    CHECK(fr_store_execute(store, "INSERT INTO t(v) VALUES (?)", &value, 1) != FR_OK);
    value.length = -1;
    CHECK(fr_store_execute(store, "INSERT INTO t(v) VALUES (?)", &value, 1) != FR_OK);
    CHECK_OK(fr_store_close(store));
}

TESTS(value_tests) = {
    TEST(zeroed_value_is_null),
    TEST(every_type_is_read_back),
    TEST(members_that_do_not_count_are_zero_on_the_way_out),
    TEST(nan_is_null),
    TEST(text_may_hold_nuls_and_is_followed_by_one),
    TEST(length_of_minus_one_goes_up_to_the_nul),
    TEST(data_is_copied),
    TEST(text_of_a_database_is_returned_as_it_is),
    TEST(wrong_values_are_errors),
    TEST(impossible_lengths_are_errors),
    TEST(text_without_data_is_an_error),
    END_OF_TESTS,
};
