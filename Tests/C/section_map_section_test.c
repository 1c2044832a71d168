/*
 * The sections of a section map themselves: their rows, their index titles, and those that are not
 * shown.
 */
#include <stdio.h>

#include "maps.h"
#include "test.h"

static fr_list *titled_map(fr_store *store, const char *index_title, fr_request *sections)
{
    fr_section_map_options options = map_options();
    options.index_title = index_title;
    return map_of(store, request_of("tasks", NULL, "k", NULL), sections, "list_id", &options);
}

static void section_object_is_its_row(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_list *map = task_map(store, NULL);
    fr_object *list = NULL;
    const char *entity = NULL;
    REQUIRE(CHECK_OK(fr_list_section_object(&list, map, 0)));
    CHECK_OK(fr_object_entity(&entity, list));
    CHECK_TEXT(entity, "lists");
    CHECK_TEXT(object_text(list, "title"), "garden");
    fr_object_unref(list);
    REQUIRE(CHECK_OK(fr_list_section_object(&list, map, 2)));
    CHECK_TEXT(object_text(list, "title"), "home");
    fr_object_unref(list);
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

/*
 * There is none for the items without a section, nor for keys, nor for the sections of other lists.
 */
static void no_row_no_object(void)
{
    static const int64_t keys[] = {10, 0};
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_list *map = task_map(store, NULL), *keyed = map_of_keys(store, "tasks", "list_id", keys, NULL);
    fr_list *flat = list_of(store, "tasks", NULL, NULL, NULL);
    fr_object *object = NULL;
    CHECK_STATUS(fr_list_section_object(&object, map, 3), FR_NOT_FOUND);
    CHECK_STATUS(fr_list_section_object(&object, map, 4), FR_RANGE);
    CHECK_STATUS(fr_list_section_object(&object, map, -1), FR_RANGE);
    CHECK_STATUS(fr_list_section_object(&object, keyed, 0), FR_NOT_FOUND);
    CHECK_STATUS(fr_list_section_object(&object, flat, 0), FR_NOT_FOUND);
    CHECK_STATUS(fr_list_section_object(&object, flat, 1), FR_RANGE);
    CHECK(object == NULL);
    fr_list_free(map);
    fr_list_free(keyed);
    fr_list_free(flat);
    CHECK_OK(fr_store_close(store));
}

static void section_object_shows_its_request_s_columns_and_those_of_the_options(void)
{
    static const char *const columns[] = {"position"};
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_request *sections = request_of("lists", NULL, "position", NULL);
    fr_object *list = NULL;
    fr_value value;
    fr_list *map;
    CHECK_OK(fr_request_set_columns(sections, columns, 1));
    map = titled_map(store, "title", sections);
    REQUIRE(CHECK_OK(fr_list_section_object(&list, map, 0)));
    CHECK_TEXT(object_text(list, "position"), "1");
    CHECK_TEXT(object_text(list, "title"), "garden");
    CHECK_STATUS(fr_object_value_named(&value, list, "hidden"), FR_SCHEMA);
    fr_object_unref(list);
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

static void index_titles_are_made_of_the_key(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_list *map = task_map(store, NULL);
    CHECK_TEXT(index_titles_text(map), "3@0 1@1 2@2");
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

static void index_titles_are_made_of_a_column(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS
                                 "INSERT INTO lists(id, title, position) VALUES"
                                 " (40, 'walk', 4), (50, NULL, 5), (60, '', 6), (70, 'zoo', 7);");
    fr_list *map = titled_map(store, "title", request_of("lists", NULL, "position", NULL));
    fr_section_info section;
    CHECK_TEXT(index_titles_text(map), "G@0 W@1 H@2 Z@6");
    CHECK_OK(fr_list_section(&section, map, 0));
    CHECK_TEXT(section.name, "30");
    CHECK_TEXT(section.index_title, "G");
    CHECK_OK(fr_list_section(&section, map, 4));
    CHECK_TEXT(section.name, "50");
    CHECK_TEXT(section.index_title, NULL);
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

static int64_t whole_title(char *title, int64_t capacity, const char *name, void *user_data)
{
    int64_t length = 0;
    (void)user_data;
    while (length < capacity && name[length] != '\0') {
        title[length] = name[length];
        length += 1;
    }
    return length;
}

static void program_may_make_the_index_titles(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_list *map = titled_map(store, "title", request_of("lists", NULL, "position", NULL));
    CHECK_OK(fr_controller_set_index_title_function(map, whole_title, NULL, NULL));
    CHECK_TEXT(index_titles_text(map), "garden@0 work@1 home@2");
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

static void index_titles_follow_the_column(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_list *map = titled_map(store, "title", request_of("lists", NULL, "position", NULL));
    CHECK_TEXT(index_titles_text(map), "G@0 W@1 H@2");
    run(store, "UPDATE lists SET title = 'yard' WHERE id = 30");
    CHECK_TEXT(index_titles_text(map), "Y@0 W@1 H@2");
    run(store, "UPDATE lists SET position = 9 WHERE id = 30");
    CHECK_TEXT(index_titles_text(map), "W@0 H@1 Y@2");
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

static void all_sections_with_and_without_items_shown_or_not(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_section_map_options options = map_options();
    fr_list *map = task_map(store, NULL);
    CHECK_ALL_SECTIONS(map, "30(1)@0 10(2)@1 20(0)@2 NULL(1)@3");
    fr_list_free(map);
    options.empty_sections = FR_EMPTY_SECTIONS_HIDDEN;
    map = task_map(store, &options);
    CHECK_ALL_SECTIONS(map, "30(1)@0 10(2)@1 20(0)@-1 NULL(1)@2");
    run(store,
        "INSERT INTO tasks(id, list_id) VALUES (9, 20); DELETE FROM tasks WHERE list_id = 30 OR list_id IS NULL");
    CHECK_ALL_SECTIONS(map, "30(0)@-1 10(2)@0 20(1)@1");
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

/* As words: number, key and count of each. */
static const char *sections_text(fr_list *map)
{
    static char text[200];
    const int64_t *numbers = NULL;
    size_t count = 0, length = 0;
    text[0] = 0;
    CHECK_OK(fr_section_map_sections(&numbers, &count, map));
    for (size_t index = 0; index < count; index++) {
        fr_section_info section;
        CHECK_OK(fr_section_map_all_section(&section, map, numbers[index]));
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%d %s(%d)", index > 0 ? ", " : "",
                                   (int)numbers[index], section.name != NULL ? section.name : "NULL",
                                   (int)section.count);
    }
    return text;
}

static void sections_are_those_with_items(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_section_map_options options = map_options();
    const int64_t *numbers = NULL, *again = NULL;
    size_t count = 0;
    fr_list *map = task_map(store, NULL);
    CHECK_TEXT(sections_text(map), "0 30(1), 1 10(2), 3 NULL(1)");
    CHECK_OK(fr_section_map_set_empty_sections(map, FR_EMPTY_SECTIONS_HIDDEN));
    CHECK_TEXT(sections_text(map), "0 30(1), 1 10(2), 3 NULL(1)");
    run(store, "INSERT INTO tasks(id, list_id) VALUES (9, 20); DELETE FROM tasks WHERE list_id = 30");
    CHECK_TEXT(sections_text(map), "1 10(2), 2 20(1), 3 NULL(1)");
    /* The array stays as long as the list does not change. */
    CHECK_OK(fr_section_map_sections(&numbers, &count, map));
    CHECK_OK(fr_section_map_sections(&again, &count, map));
    CHECK(numbers == again);
    run(store, "DELETE FROM tasks");
    CHECK_TEXT(sections_text(map), "");
    fr_list_free(map);
    options.items_without_section = FR_ITEMS_WITHOUT_SECTION_ALWAYS_SHOWN;
    map = task_map(store, &options);
    CHECK_TEXT(sections_text(map), "");
    CHECK_OK(fr_store_close(store));
    CHECK_STATUS(fr_section_map_sections(&numbers, &count, map), FR_CLOSED);
    fr_list_free(map);
}

static void all_section_returns_all_of_a_hidden_one(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_section_map_options options = map_options();
    fr_section_info section;
    fr_object *list = NULL;
    fr_list *map;
    options.empty_sections = FR_EMPTY_SECTIONS_HIDDEN;
    options.index_title = "title";
    map = task_map(store, &options);
    CHECK_OK(fr_section_map_all_section(&section, map, 2));
    CHECK_TEXT(section.name, "20");
    CHECK_TEXT(section.index_title, "H");
    CHECK_INT(section.value.integer, 20);
    CHECK_INT(section.count, 0);
    CHECK_INT(section.index, -1);
    REQUIRE(CHECK_OK(fr_section_map_all_section_object(&list, map, 2)));
    CHECK_TEXT(object_text(list, "title"), "home");
    fr_object_unref(list);
    CHECK_STATUS(fr_section_map_all_section_object(&list, map, 3), FR_NOT_FOUND);
    CHECK_STATUS(fr_section_map_all_section_object(&list, map, 4), FR_RANGE);
    CHECK_STATUS(fr_section_map_all_section(&section, map, 4), FR_RANGE);
    CHECK_STATUS(fr_section_map_all_section(&section, map, -1), FR_RANGE);
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

static void all_sections_of_given_keys(void)
{
    static const int64_t keys[] = {20, 10, 0};
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_section_map_options options = map_options();
    fr_object *object = NULL;
    fr_list *map;
    options.empty_sections = FR_EMPTY_SECTIONS_HIDDEN;
    options.items_without_section = FR_ITEMS_WITHOUT_SECTION_HIDDEN;
    map = map_of_keys(store, "tasks", "list_id", keys, &options);
    CHECK_ALL_SECTIONS(map, "20(0)@-1 10(2)@0");
    CHECK_STATUS(fr_section_map_all_section_object(&object, map, 0), FR_NOT_FOUND);
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

TESTS(section_map_section_tests) = {
    TEST(section_object_is_its_row),
    TEST(no_row_no_object),
    TEST(section_object_shows_its_request_s_columns_and_those_of_the_options),
    TEST(index_titles_are_made_of_the_key),
    TEST(index_titles_are_made_of_a_column),
    TEST(program_may_make_the_index_titles),
    TEST(index_titles_follow_the_column),
    TEST(all_sections_with_and_without_items_shown_or_not),
    TEST(sections_are_those_with_items),
    TEST(all_section_returns_all_of_a_hidden_one),
    TEST(all_sections_of_given_keys),
    END_OF_TESTS,
};
