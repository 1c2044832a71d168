/*
 * What a section map shows: sections in their own order, with and without items, and how items are
 * matched with theirs.
 */
#include "maps.h"
#include "test.h"

static void sections_stand_in_the_order_of_their_rows(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_list *map = task_map(store, NULL);
    CHECK_LIST(map, "30: 3 | 10: 1 2 | 20: | NULL: 4");
    fr_list_free(map);
    map = map_of(store, request_of("tasks", NULL, "-k", NULL), request_of("lists", NULL, "title", NULL), "list_id",
                 NULL);
    CHECK_LIST(map, "30: 3 | 20: | 10: 2 1 | NULL: 4");
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

static void section_without_items_may_be_hidden(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_section_map_options options = map_options();
    fr_list *map;
    options.empty_sections = FR_EMPTY_SECTIONS_HIDDEN;
    map = task_map(store, &options);
    CHECK_LIST(map, "30: 3 | 10: 1 2 | NULL: 4");
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

static void items_without_a_section_may_be_hidden(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_section_map_options options = map_options();
    fr_list *map;
    int64_t count = 0;
    options.items_without_section = FR_ITEMS_WITHOUT_SECTION_HIDDEN;
    map = task_map(store, &options);
    CHECK_LIST(map, "30: 3 | 10: 1 2 | 20:");
    CHECK_OK(fr_list_count(&count, map));
    CHECK_INT(count, 3);
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

/* Items whose section is not among the rows of the section request have none, either. */
static void section_of_items_without_one_is_last(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS "UPDATE lists SET hidden = 1 WHERE id = 10;");
    fr_list *map = task_map(store, NULL);
    fr_section_info section;
    CHECK_LIST(map, "30: 3 | 20: | NULL: 1 4 2");
    CHECK_OK(fr_list_section(&section, map, 2));
    CHECK_TEXT(section.name, NULL);
    CHECK_TEXT(section.index_title, NULL);
    CHECK_INT(section.value.type, FR_TYPE_NULL);
    CHECK_INT(section.count, 3);
    CHECK_INT(section.index, 2);
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

static void section_of_items_without_one_may_always_be_there(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS "DELETE FROM tasks WHERE id = 4;");
    fr_section_map_options options = map_options();
    fr_list *map = task_map(store, NULL);
    CHECK_LIST(map, "30: 3 | 10: 1 2 | 20:");
    fr_list_free(map);
    options.items_without_section = FR_ITEMS_WITHOUT_SECTION_ALWAYS_SHOWN;
    map = task_map(store, &options);
    CHECK_LIST(map, "30: 3 | 10: 1 2 | 20: | NULL:");
    fr_list_free(map);
    options.empty_sections = FR_EMPTY_SECTIONS_HIDDEN;
    map = task_map(store, &options);
    CHECK_LIST(map, "30: 3 | 10: 1 2 | NULL:");
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

static void empty_map(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS);
    fr_list *map = task_map(store, NULL);
    int64_t sections = -1, all = -1;
    CHECK_OK(fr_list_section_count(&sections, map));
    CHECK_INT(sections, 0);
    CHECK_OK(fr_section_map_all_section_count(&all, map));
    CHECK_INT(all, 0);
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

static void name_is_the_key_as_text_and_value_the_key(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_list *map = task_map(store, NULL);
    fr_section_info section;
    CHECK_OK(fr_list_section(&section, map, 1));
    CHECK_TEXT(section.name, "10");
    CHECK_INT(section.name_length, 2);
    CHECK_INT(section.value.type, FR_TYPE_INTEGER);
    CHECK_INT(section.value.integer, 10);
    CHECK_INT(section.count, 2);
    CHECK_INT(section.index, 1);
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

/* Limit and offset select sections; rows beyond them are not sections. */
static void section_request_may_have_a_limit(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_request *sections = request_of("lists", NULL, "position", NULL);
    fr_list *map;
    CHECK_OK(fr_request_set_limit(sections, 1, 1));
    map = map_of(store, request_of("tasks", NULL, "k", NULL), sections, "list_id", NULL);
    CHECK_LIST(map, "10: 1 2 | NULL: 3 4");
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

static void section_of_the_section_request_is_ignored(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_list *map = map_of(store, request_of("tasks", NULL, "k", NULL), request_of("lists", "title", "-position", NULL),
                          "list_id", NULL);
    CHECK_LIST(map, "20: | 10: 1 2 | 30: 3 | NULL: 4");
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

static void requests_options_and_keys_are_copied(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_request *items = request_of("tasks", NULL, "k", NULL), *sections = request_of("lists", NULL, "position", NULL);
    fr_section_map_options options = map_options();
    char key[] = "id", item_key[] = "list_id", text[] = "10";
    fr_list *map = NULL, *keyed = NULL;
    fr_value value = fr_text(text);
    options.section_key = key;
    options.index_title = key;
    CHECK_OK(fr_section_map_new(&map, store, items, sections, item_key, &options));
    CHECK_OK(fr_section_map_new_with_keys(&keyed, store, items, &value, 1, item_key, NULL));
    CHECK_OK(fr_request_set_predicate(items, "0", NULL, 0));
    fr_request_free(items);
    fr_request_free(sections);
    options.empty_sections = FR_EMPTY_SECTIONS_HIDDEN;
    key[0] = item_key[0] = text[0] = '?';
    CHECK_OK(fr_list_perform_fetch(map));
    CHECK_LIST(map, "30: 3 | 10: 1 2 | 20: | NULL: 4");
    CHECK_OK(fr_list_perform_fetch(keyed));
    CHECK_LIST(keyed, "10: | NULL: 1 3 4 2");
    fr_list_free(map);
    fr_list_free(keyed);
    CHECK_OK(fr_store_close(store));
}

/* A map's request is the one of its items, without the section that the map adds. */
static void request_of_a_map_is_that_of_its_items(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_list *map = task_map(store, NULL), *list = NULL;
    fr_request *request = NULL;
    const char *text = NULL;
    REQUIRE(CHECK_OK(fr_controller_request(&request, map)));
    CHECK_OK(fr_request_entity(&text, request));
    CHECK_TEXT(text, "tasks");
    CHECK_OK(fr_request_section(&text, request));
    CHECK_TEXT(text, NULL);
    CHECK_OK(fr_controller_set_request(map, request));
    CHECK_LIST(map, "30: 3 | 10: 1 2 | 20: | NULL: 4");
    CHECK_OK(fr_controller_new(&list, store, request));
    CHECK_OK(fr_list_perform_fetch(list));
    CHECK_LIST(list, "1 3 4 2");
    fr_request_free(request);
    fr_list_free(list);
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

static void reads_by_place_and_number(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_list *map = task_map(store, NULL);
    fr_value identity = fr_integer(4);
    fr_index_path path = {0, 0};
    int64_t number = 0;
    CHECK_OK(fr_list_index_path_of_identity(&path, map, &identity, 1));
    CHECK_INT(path.section, 3);
    CHECK_INT(path.row, 0);
    CHECK_OK(fr_list_index_path_at(&path, map, 2));
    CHECK_INT(path.section, 1);
    CHECK_INT(path.row, 1);
    CHECK_OK(fr_list_index_of(&number, map, path_at(3, 0)));
    CHECK_INT(number, 3);
    CHECK_OK(fr_list_row_count(&number, map, 2));
    CHECK_INT(number, 0);
    CHECK_STATUS(fr_list_index_of(&number, map, path_at(2, 0)), FR_RANGE);
    CHECK_STATUS(fr_list_index_path_at(&path, map, 4), FR_RANGE);
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

static void completed(fr_list *controller, const fr_error *error, void *user_data)
{
    (void)controller;
    CHECK(error == NULL);
    *(fr_status *)user_data = FR_OK;
}

static void fetch_in_the_background(void)
{
    fr_store *store = store_in_file("map.db");
    fr_request *items, *sections;
    fr_list *map = NULL;
    fr_status status = -1;
    int round;
    run(store, LISTS_AND_TASKS SOME_TASKS);
    items = request_of("tasks", NULL, "k", NULL);
    sections = request_of("lists", NULL, "position", NULL);
    CHECK_OK(fr_section_map_new(&map, store, items, sections, "list_id", NULL));
    CHECK_OK(fr_list_perform_fetch_async(map, NULL, completed, &status, NULL));
    for (round = 0; round < 100 && status < 0; round++) {
        CHECK_OK(fr_store_wait(store, 100));
    }
    CHECK_INT(status, FR_OK);
    CHECK_LIST(map, "30: 3 | 10: 1 2 | 20: | NULL: 4");
    fr_list_free(map);
    fr_request_free(items);
    fr_request_free(sections);
    CHECK_OK(fr_store_close(store));
}

TESTS(section_map_tests) = {
    TEST(sections_stand_in_the_order_of_their_rows),
    TEST(section_without_items_may_be_hidden),
    TEST(items_without_a_section_may_be_hidden),
    TEST(section_of_items_without_one_is_last),
    TEST(section_of_items_without_one_may_always_be_there),
    TEST(empty_map),
    TEST(name_is_the_key_as_text_and_value_the_key),
    TEST(section_request_may_have_a_limit),
    TEST(section_of_the_section_request_is_ignored),
    TEST(requests_options_and_keys_are_copied),
    TEST(request_of_a_map_is_that_of_its_items),
    TEST(reads_by_place_and_number),
    TEST(fetch_in_the_background),
    END_OF_TESTS,
};
