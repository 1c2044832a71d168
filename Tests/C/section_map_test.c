/*
 * Section maps through the C interface: making them, what they lend and for how long, another
 * setting inside a callback. The corpus and the Swift tests have what they show and report.
 */
#include <stdio.h>

#include "actor.h"
#include "maps.h"
#include "test.h"

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
    REQUIRE(CHECK_OK(fr_controller_request(&request, map)));
    CHECK_TEXT(request_info(request).entity, "tasks");
    CHECK_TEXT(request_info(request).section.key_path, NULL);
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

static void items_without_a_section_may_be_hidden_later(void)
{
    struct watched w;
    watch_tasks(&w, SOME_TASKS, NULL);
    CHECK_OK(fr_section_map_set_items_without_section(w.list, FR_ITEMS_WITHOUT_SECTION_HIDDEN));
    CHECK_LOG(&w.recorder, "[delete section 3 (NULL); delete 3.0]");
    CHECK_LIST(w.list, "30: 3 | 10: 1 2 | 20:");
    unwatch(&w);
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

static fr_list *map_inside;

static void hide_inside(struct actor *actor)
{
    (void)actor;
    CHECK_OK(fr_section_map_set_empty_sections(map_inside, FR_EMPTY_SECTIONS_HIDDEN));
}

static void reorder_inside(struct actor *actor)
{
    fr_value keys[2];
    (void)actor;
    keys[0] = fr_integer(20);
    keys[1] = fr_integer(10);
    CHECK_OK(fr_section_map_set_keys(map_inside, keys, 2));
}

static void disable_inside(struct actor *actor)
{
    (void)actor;
    CHECK_OK(fr_section_map_set_disabled(map_inside, true));
    CHECK_OK(fr_section_map_set_disabled(map_inside, false));
}

static void make_keys_equal_inside(struct actor *actor)
{
    fr_request *all = request_of("lists", NULL, "position", NULL);
    (void)actor;
    CHECK_OK(fr_section_map_set_section_request(map_inside, all));
    fr_request_free(all);
}

/*
 * A failure after the round can't be returned any more: the observers are notified, and the map
 * does not change.
 */
static void request_that_fails_after_a_callback(void)
{
    fr_section_map_options options = map_options();
    struct actor actor;
    struct recorder recorder;
    options.section_key = "title";
    stage(&actor, DID_CHANGE, make_keys_equal_inside);
    run(actor.store, LISTS_AND_TASKS SOME_TASKS "UPDATE lists SET title = 'work', hidden = 1 WHERE id = 20");
    map_inside = map_of(actor.store, request_of("tasks", NULL, "k", NULL),
                        request_of("lists", NULL, "position", "NOT hidden"), "v", &options);
    recorder_start(&recorder, map_inside);
    run(actor.store, "DELETE FROM t WHERE id = 1");
    CHECK_LOG(&recorder, "!FR_CONSTRAINT");
    CHECK_LIST(map_inside, "garden: | work: | NULL: 1 3 4 2");
    run(actor.store, "UPDATE lists SET position = 0 WHERE id = 10");
    CHECK_LOG(&recorder, "[move section 1>0 (work) {position}]");
    fr_list_free(map_inside);
    recorder_free(&recorder);
    leave(&actor);
}

/* Inside a callback, after the current round, which is one of the list that acts and of the map. */
static void check_inside(void (*act)(struct actor *), const char *expected)
{
    static const int64_t keys[] = {10, 20, 0};
    struct actor actor;
    struct recorder recorder;
    int moment;
    for (moment = 0; moment < MOMENTS; moment++) {
        stage(&actor, (enum moment)moment, act);
        run(actor.store, "CREATE TABLE items(id INTEGER PRIMARY KEY, p, k); INSERT INTO items VALUES (1, 10, 0)");
        map_inside = map_of_keys(actor.store, "items", "p", keys, NULL);
        recorder_start(&recorder, map_inside);
        run(actor.store, "BEGIN; DELETE FROM t WHERE id = 1; UPDATE items SET k = 1; COMMIT");
        CHECK_LOG(&recorder, expected);
        fr_list_free(map_inside);
        recorder_free(&recorder);
        leave(&actor);
    }
}

static void set_inside_a_callback(void)
{
    check_inside(hide_inside, "[update 0.0>0.0 {k}][delete section 1 (20)]");
    check_inside(reorder_inside, "[update 0.0>0.0 {k}][move section 1>0 (20)]");
    check_inside(disable_inside, "[update 0.0>0.0 {k}][reload]");
}

TESTS(section_map_tests) = {
    TEST(name_is_the_key_as_text_and_value_the_key),
    TEST(requests_options_and_keys_are_copied),
    TEST(request_of_a_map_is_that_of_its_items),
    TEST(reads_by_place_and_number),
    TEST(section_object_is_its_row),
    TEST(no_row_no_object),
    TEST(program_may_make_the_index_titles),
    TEST(sections_are_those_with_items),
    TEST(items_without_a_section_may_be_hidden_later),
    TEST(all_section_returns_all_of_a_hidden_one),
    TEST(request_that_fails_after_a_callback),
    TEST(set_inside_a_callback),
    END_OF_TESTS,
};
