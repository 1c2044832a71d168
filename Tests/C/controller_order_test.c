/* The order of the rows: sort descriptors, NULLs, collations, key paths. */
#include "fixture.h"
#include "test.h"

#define SCHEMA \
    "CREATE TABLE owners(id INTEGER PRIMARY KEY, name TEXT);" \
    "CREATE TABLE lists(id INTEGER PRIMARY KEY, position INTEGER, owner_id REFERENCES owners(id));" \
    "CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT, list_id REFERENCES lists(id));" \
    "INSERT INTO owners VALUES (1, 'zoe'), (2, 'adam');" \
    "INSERT INTO lists VALUES (10, 2, 1), (20, 1, 2), (30, 3, NULL);" \
    "INSERT INTO items VALUES (1, 'a', 10), (2, 'b', 20), (3, 'c', 30), (4, 'd', NULL), (5, 'e', 10);"

static void sort_descriptors_and_ties(void)
{
    fr_store *store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY, a, b);"
                                 "INSERT INTO t VALUES (1,1,1),(2,2,1),(3,1,2),(4,2,2),(5,1,1)");
    fr_list *list = list_of(store, "t", NULL, "-a b", NULL);
    CHECK_LIST(list, "2 4 1 5 3");
    fr_list_free(list);
    list = list_of(store, "t", NULL, "a -b", NULL);
    CHECK_LIST(list, "3 1 5 4 2");
    fr_list_free(list);
    list = list_of(store, "t", NULL, NULL, NULL);
    CHECK_LIST(list, "1 2 3 4 5");
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static const char *order_with(fr_store *store, uint32_t flags, const char *collation)
{
    fr_request *request = request_of("t", NULL, NULL, NULL);
    const char *text;
    fr_list *list = NULL;
    CHECK_OK(fr_request_add_sort(request, "v", flags, collation));
    CHECK_OK(fr_controller_new(&list, store, request));
    CHECK_OK(fr_list_perform_fetch(list));
    text = list_text(list);
    fr_list_free(list);
    fr_request_free(request);
    return text;
}

static void nulls_are_placed_as_requested(void)
{
    fr_store *store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY, v);"
                                 "INSERT INTO t VALUES (1, 5), (2, NULL), (3, 4)");
    CHECK_TEXT(order_with(store, FR_ASCENDING, NULL), "2 3 1");
    CHECK_TEXT(order_with(store, FR_DESCENDING, NULL), "1 3 2");
    CHECK_TEXT(order_with(store, FR_NULLS_LAST, NULL), "3 1 2");
    CHECK_TEXT(order_with(store, FR_DESCENDING | FR_NULLS_FIRST, NULL), "2 1 3");
    CHECK_TEXT(order_with(store, FR_NULLS_FIRST, NULL), "2 3 1");
    CHECK_TEXT(order_with(store, FR_DESCENDING | FR_NULLS_LAST, NULL), "1 3 2");
    CHECK_OK(fr_store_close(store));
}

static void collations_and_types_order_as_in_sqlite(void)
{
    fr_store *store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES"
                                 " (1, 'b'), (2, 'A'), (3, 'a'), (4, 'B'), (5, x'41'), (6, 9007199254740993),"
                                 " (7, 9007199254740992.0), (8, 'a '), (9, -1e300)");
    CHECK_TEXT(order_with(store, FR_ASCENDING, NULL), "9 7 6 2 4 3 8 1 5");
    CHECK_TEXT(order_with(store, FR_ASCENDING, "NOCASE"), "9 7 6 2 3 8 1 4 5");
    CHECK_TEXT(order_with(store, FR_ASCENDING, "RTRIM"), "9 7 6 2 4 3 8 1 5");
    CHECK_TEXT(order_with(store, FR_DESCENDING, "NOCASE"), "5 1 4 8 2 3 6 7 9");
    CHECK_OK(fr_store_close(store));
}

static void key_paths_sort_section_filter_and_show(void)
{
    static const char *const columns[] = {"name", "list_id.owner_id.name"};
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", NULL, "list_id.position", NULL);
    fr_request *request;
    CHECK_LIST(list, "4 2 1 5 3");
    fr_list_free(list);
    list = list_of(store, "items", "list_id.owner_id.name", NULL, NULL);
    CHECK_LIST(list, "NULL: 3 4 | adam: 2 | zoe: 1 5");
    fr_list_free(list);
    list = list_of(store, "items", NULL, NULL, "list_id.owner_id.name = 'zoe' OR list_id.position = 3");
    CHECK_LIST(list, "1 3 5");
    fr_list_free(list);
    request = request_of("items", NULL, NULL, "id < 4");
    CHECK_OK(fr_request_set_columns(request, columns, 2));
    REQUIRE(CHECK_OK(fr_controller_new(&list, store, request)));
    CHECK_OK(fr_list_perform_fetch(list));
    CHECK_CONTENTS(list, "1(a, zoe) 2(b, adam) 3(c, NULL)");
    fr_list_free(list);
    fr_request_free(request);
    CHECK_OK(fr_store_close(store));
}

TESTS(controller_order_tests) = {
    TEST(sort_descriptors_and_ties),
    TEST(nulls_are_placed_as_requested),
    TEST(collations_and_types_order_as_in_sqlite),
    TEST(key_paths_sort_section_filter_and_show),
    END_OF_TESTS,
};
