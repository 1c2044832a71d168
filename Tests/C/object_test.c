/* Objects: the states of rows. */
#include "fixture.h"
#include "test.h"

#define SCHEMA \
    "CREATE TABLE items(id INTEGER PRIMARY KEY, Name TEXT, rank REAL);" \
    "INSERT INTO items VALUES (7, 'a', 1.5);" \
    "CREATE TABLE pairs(a TEXT, b INTEGER, v, PRIMARY KEY (b, a));" \
    "INSERT INTO pairs VALUES ('x', 2, 'v');"

static fr_object *first_of(fr_list *list)
{
    fr_object *object = NULL;
    CHECK_OK(fr_list_object_at(&object, list, path_at(0, 0)));
    return object;
}

static void returns_entity_identity_and_columns(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", NULL, NULL, NULL);
    fr_object *object = first_of(list);
    const char *text = NULL;
    int64_t number = 0;
    fr_value value = fr_null();
    CHECK_OK(fr_object_entity(&text, object));
    CHECK_TEXT(text, "items");
    CHECK_OK(fr_object_identity_count(&number, object));
    CHECK_INT(number, 1);
    CHECK_OK(fr_object_identity(&value, object, 0));
    CHECK_TEXT(value_text(value), "7");
    CHECK_OK(fr_object_column_count(&number, object));
    CHECK_INT(number, 3);
    CHECK_OK(fr_object_column_name(&text, object, 1));
    CHECK_TEXT(text, "Name");
    CHECK_OK(fr_object_column_index(&number, object, "nAME"));
    CHECK_INT(number, 1);
    CHECK_OK(fr_object_value(&value, object, 2));
    CHECK_TEXT(value_text(value), "1.5");
    CHECK_TEXT(object_text(object, "NAME"), "a");
    fr_object_unref(object);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void composite_identity_is_in_the_order_of_the_key(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "pairs", NULL, NULL, NULL);
    fr_object *object = first_of(list);
    fr_value value = fr_null();
    CHECK_OK(fr_object_identity(&value, object, 0));
    CHECK_TEXT(value_text(value), "2");
    CHECK_OK(fr_object_identity(&value, object, 1));
    CHECK_TEXT(value_text(value), "x");
    CHECK_STATUS(fr_object_identity(&value, object, 2), FR_RANGE);
    fr_object_unref(object);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void indexes_out_of_range(void)
{
    static const int64_t wrong[] = {-1, 3, INT64_MAX, INT64_MIN};
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", NULL, NULL, NULL);
    fr_object *object = first_of(list);
    const char *text = "untouched";
    fr_value value = fr_integer(9);
    int64_t number = 9;
    size_t index;
    for (index = 0; index < sizeof wrong / sizeof *wrong; index++) {
        CHECK_STATUS(fr_object_value(&value, object, wrong[index]), FR_RANGE);
        CHECK_STATUS(fr_object_identity(&value, object, wrong[index]), FR_RANGE);
        CHECK_STATUS(fr_object_column_name(&text, object, wrong[index]), FR_RANGE);
    }
    CHECK_STATUS(fr_object_column_index(&number, object, "nowhere"), FR_SCHEMA);
    CHECK_STATUS(fr_object_column_index(&number, object, "\xff"), FR_INVALID_UTF8);
    CHECK_STATUS(fr_object_value_named(&value, object, "nowhere"), FR_SCHEMA);
    CHECK_STATUS(fr_object_value_named(&value, object, ""), FR_SCHEMA);
    CHECK_TEXT(text, "untouched");
    CHECK_INT(value.integer, 9);
    CHECK_INT(number, 9);
    fr_object_unref(object);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void never_changes_and_outlives_everything(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", NULL, NULL, NULL);
    fr_object *before = first_of(list), *after;
    run(store, "UPDATE items SET name = 'b'");
    after = first_of(list);
    CHECK_TEXT(object_text(before, "name"), "a");
    CHECK_TEXT(object_text(after, "name"), "b");
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
    CHECK_TEXT(object_text(before, "name"), "a");
    CHECK_TEXT(object_text(after, "name"), "b");
    fr_object_unref(before);
    fr_object_unref(after);
}

static void references_are_counted(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", NULL, NULL, NULL);
    fr_object *object = first_of(list);
    int64_t number;
    CHECK(fr_object_ref(object) == object);
    fr_object_unref(object);
    CHECK_TEXT(object_text(object, "name"), "a");
    fr_object_unref(object);
    CHECK_STATUS(fr_object_column_count(&number, object), FR_MISUSE);
    CHECK(fr_object_ref(object) == NULL);
    CHECK(fr_object_ref(NULL) == NULL);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void two_looks_at_a_row_are_two_references(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", NULL, NULL, NULL);
    fr_object *first = first_of(list), *second = first_of(list);
    fr_object_unref(first);
    CHECK_TEXT(object_text(second, "name"), "a");
    fr_object_unref(second);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void shows_the_columns_of_the_request(void)
{
    static const char *const columns[] = {"rank", "name"};
    fr_store *store = store_with(SCHEMA);
    fr_request *request = NULL;
    fr_list *list = NULL;
    fr_object *object;
    const char *text = NULL;
    int64_t number = 0;
    CHECK_OK(fr_request_new(&request, "items"));
    CHECK_OK(fr_request_set_columns(request, columns, 2));
    REQUIRE(CHECK_OK(fr_controller_new(&list, store, request)));
    CHECK_OK(fr_list_perform_fetch(list));
    object = first_of(list);
    CHECK_OK(fr_object_column_count(&number, object));
    CHECK_INT(number, 2);
    CHECK_OK(fr_object_column_name(&text, object, 0));
    CHECK_TEXT(text, "rank");
    CHECK_TEXT(object_text(object, "rank"), "1.5");
    CHECK_OK(fr_object_identity_count(&number, object));
    CHECK_INT(number, 1);
    CHECK_STATUS(fr_object_column_index(&number, object, "id"), FR_SCHEMA);
    fr_object_unref(object);
    fr_list_free(list);
    fr_request_free(request);
    CHECK_OK(fr_store_close(store));
}

static void values_in_one_call(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", NULL, NULL, NULL);
    fr_object *object = first_of(list);
    fr_value values[4] = {fr_null(), fr_null(), fr_null(), fr_null()};
    CHECK_OK(fr_object_values(values, 3, object));
    CHECK_TEXT(value_text(values[0]), "7");
    CHECK_TEXT(value_text(values[1]), "a");
    CHECK_TEXT(value_text(values[2]), "1.5");
    values[1] = fr_null();
    CHECK_OK(fr_object_values(values, 1, object));
    CHECK_INT(values[1].type, FR_TYPE_NULL);
    CHECK_OK(fr_object_values(values, 0, object));
    CHECK_STATUS(fr_object_values(values, 4, object), FR_RANGE);
    CHECK_STATUS(fr_object_values(NULL, 1, object), FR_MISUSE);
    fr_object_unref(object);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static uint64_t layout_of(fr_object *object)
{
    uint64_t layout = 0;
    CHECK_OK(fr_object_layout(&layout, object));
    CHECK(layout != 0);
    return layout;
}

/* The same number for the objects of one list or table; another after its columns changed. */
static void layout_has_a_number(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", NULL, NULL, NULL);
    fr_value seven = fr_integer(7);
    fr_object *first = first_of(list), *second = first_of(list), *row = NULL, *same = NULL, *wider = NULL;
    CHECK_INT(layout_of(first), layout_of(second));
    CHECK_OK(fr_store_object(&row, store, "items", &seven, 1));
    CHECK_OK(fr_store_object(&same, store, "items", &seven, 1));
    CHECK_INT(layout_of(row), layout_of(same));
    run(store, "ALTER TABLE items ADD COLUMN more");
    CHECK_OK(fr_store_object(&wider, store, "items", &seven, 1));
    CHECK(layout_of(wider) != layout_of(row));
    fr_object_unref(first);
    fr_object_unref(second);
    fr_object_unref(row);
    fr_object_unref(same);
    fr_object_unref(wider);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

TESTS(object_tests) = {
    TEST(returns_entity_identity_and_columns),
    TEST(values_in_one_call),
    TEST(layout_has_a_number),
    TEST(composite_identity_is_in_the_order_of_the_key),
    TEST(indexes_out_of_range),
    TEST(never_changes_and_outlives_everything),
    TEST(references_are_counted),
    TEST(two_looks_at_a_row_are_two_references),
    TEST(shows_the_columns_of_the_request),
    END_OF_TESTS,
};
