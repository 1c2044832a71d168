/*
 * How the items of a section map are matched with their sections: the columns of the key, and how
 * keys compare.
 */
#include "maps.h"
#include "test.h"

static void key_is_found_where_the_items_key_path_ends(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_list *map = map_of(store, request_of("tasks", NULL, "k", NULL), request_of("lists", NULL, "position", NULL),
                          "list_id.title", NULL);
    CHECK_LIST(map, "garden: 3 | work: 1 2 | home: | NULL: 4");
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

/* A map of the things in the rooms by `code`, which is not a foreign key. */
static fr_list *thing_map(fr_store *store)
{
    fr_section_map_options options = map_options();
    options.section_key = "code";
    return map_of(store, request_of("things", NULL, "k", NULL), request_of("rooms", NULL, NULL, NULL), "room",
                  &options);
}

static void keys_compare_by_value(void)
{
    fr_store *store = store_with("CREATE TABLE rooms(id INTEGER PRIMARY KEY, code);"
                                 "CREATE TABLE things(id INTEGER PRIMARY KEY, room, k);"
                                 "INSERT INTO rooms(code) VALUES (1), ('1'), (x'31'), (NULL), (2.5);"
                                 "INSERT INTO things VALUES (1, 1, 0), (2, 1.0, 0), (3, '1', 0), (4, x'31', 0),"
                                 " (5, NULL, 0), (6, 2.5, 0), (7, 2, 0)");
    fr_list *map = thing_map(store);
    CHECK_LIST(map, "1: 1 2 | 1: 3 | 1: 4 | NULL: | 2.5: 6 | NULL: 5 7");
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

static void texts_compare_under_the_collation_of_the_sections_column(void)
{
    fr_store *store = store_with("CREATE TABLE rooms(id INTEGER PRIMARY KEY, code TEXT COLLATE NOCASE);"
                                 "CREATE TABLE things(id INTEGER PRIMARY KEY, room TEXT COLLATE RTRIM, k);"
                                 "INSERT INTO rooms(code) VALUES ('Hall'), ('attic');"
                                 "INSERT INTO things VALUES (1, 'hall', 2), (2, 'HALL', 1), (3, 'Attic', 0), (4, "
                                 "'hall ', 0)");
    fr_list *map = thing_map(store);
    CHECK_LIST(map, "Hall: 2 1 | attic: 3 | NULL: 4");
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

static void sections_may_be_a_view(void)
{
    static const char *const identity[] = {"code"};
    fr_store *store = store_with("CREATE TABLE rooms(id INTEGER PRIMARY KEY, code, size);"
                                 "CREATE VIEW halls AS SELECT code, size FROM rooms WHERE size > 5;"
                                 "CREATE TABLE things(id INTEGER PRIMARY KEY, room, k);"
                                 "INSERT INTO rooms(code, size) VALUES ('a', 9), ('b', 1), ('c', 7);"
                                 "INSERT INTO things VALUES (1, 'a', 0), (2, 'b', 0), (3, 'c', 0)");
    fr_section_map_options options = map_options();
    fr_request *sections = request_of("halls", NULL, "size", NULL);
    fr_list *map;
    options.section_key = "code";
    CHECK_OK(fr_request_set_identity(sections, identity, 1));
    map = map_of(store, request_of("things", NULL, "k", NULL), sections, "room", &options);
    CHECK_LIST(map, "c: 3 | a: 1 | NULL: 2");
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

static void keys_given_by_the_program(void)
{
    static const int64_t keys[] = {3, 1, 2, 0};
    fr_store *store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY, p, k);"
                                 "INSERT INTO t VALUES (1, 1, 2), (2, 1.0, 1), (3, 3, 0), (4, 9, 0), (5, NULL, 1), "
                                 "(6, '1', 2)");
    fr_list *map = map_of_keys(store, "t", "p", keys, NULL);
    CHECK_LIST(map, "3: 3 | 1: 2 1 | 2: | NULL: 4 5 6");
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

/* Whatever the collation of the items' column. */
static void given_keys_compare_byte_by_byte(void)
{
    fr_store *store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY, p TEXT COLLATE NOCASE, k);"
                                 "INSERT INTO t VALUES (1, 'low', 0), (2, 'LOW', 0), (3, 'high', 0)");
    fr_request *items = request_of("t", NULL, NULL, NULL);
    fr_value keys[2];
    fr_list *map = NULL;
    keys[0] = fr_text("high");
    keys[1] = fr_text("low");
    CHECK_OK(fr_section_map_new_with_keys(&map, store, items, keys, 2, "p", NULL));
    CHECK_OK(fr_list_perform_fetch(map));
    CHECK_LIST(map, "high: 3 | low: 1 | NULL: 2");
    fr_list_free(map);
    fr_request_free(items);
    CHECK_OK(fr_store_close(store));
}

static void no_keys_at_all(void)
{
    static const int64_t keys[] = {0};
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_list *map = map_of_keys(store, "tasks", "list_id", keys, NULL);
    CHECK_LIST(map, "1 3 4 2");
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

TESTS(section_map_key_tests) = {
    TEST(key_is_found_where_the_items_key_path_ends),
    TEST(keys_compare_by_value),
    TEST(texts_compare_under_the_collation_of_the_sections_column),
    TEST(sections_may_be_a_view),
    TEST(keys_given_by_the_program),
    TEST(given_keys_compare_byte_by_byte),
    TEST(no_keys_at_all),
    END_OF_TESTS,
};
