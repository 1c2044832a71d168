/* What section maps refuse, and sections that can't be distinguished. */

#include "maps.h"
#include "test.h"

/* The status of making a map of tasks in lists. */
static fr_status try_map(fr_store *store, fr_request *items, fr_request *sections, const char *item_key,
                         const fr_section_map_options *options)
{
    fr_list *map = NULL;
    fr_status status = fr_section_map_new(&map, store, items, sections, item_key, options);
    CHECK((map != NULL) == (status == FR_OK));
    fr_list_free(map);
    return status;
}

static fr_status try_keys(fr_store *store, const fr_value *keys, size_t count, const char *item_key)
{
    fr_request *items = request_of("tasks", NULL, NULL, NULL);
    fr_list *map = NULL;
    fr_status status = fr_section_map_new_with_keys(&map, store, items, keys, count, item_key, NULL);
    CHECK((map != NULL) == (status == FR_OK));
    fr_list_free(map);
    fr_request_free(items);
    return status;
}

static void arguments_must_be_there_and_valid(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS), *closed = store_with(LISTS_AND_TASKS);
    fr_request *items = request_of("tasks", NULL, NULL, NULL), *sections = request_of("lists", NULL, NULL, NULL);
    fr_list *map = NULL;
    fr_value key = fr_integer(1);
    CHECK_OK(fr_store_close(closed));
    CHECK_STATUS(try_map(NULL, items, sections, "list_id", NULL), FR_MISUSE);
    CHECK_STATUS(try_map(closed, items, sections, "list_id", NULL), FR_MISUSE);
    CHECK_STATUS(try_map(store, NULL, sections, "list_id", NULL), FR_MISUSE);
    CHECK_STATUS(try_map(store, items, NULL, "list_id", NULL), FR_MISUSE);
    CHECK_STATUS(try_map(store, items, sections, NULL, NULL), FR_MISUSE);
    CHECK_STATUS(try_map(store, items, sections, "\xff", NULL), FR_INVALID_UTF8);
    CHECK_STATUS(fr_section_map_new(NULL, store, items, sections, "list_id", NULL), FR_MISUSE);
    CHECK_STATUS(fr_section_map_new_with_keys(NULL, store, items, &key, 1, "list_id", NULL), FR_MISUSE);
    CHECK_STATUS(fr_section_map_new_with_keys(&map, NULL, items, &key, 1, "list_id", NULL), FR_MISUSE);
    CHECK_STATUS(fr_section_map_new_with_keys(&map, store, NULL, &key, 1, "list_id", NULL), FR_MISUSE);
    CHECK_STATUS(fr_section_map_new_with_keys(&map, store, items, NULL, 1, "list_id", NULL), FR_MISUSE);
    CHECK_STATUS(fr_section_map_new_with_keys(&map, store, items, &key, 1, NULL, NULL), FR_MISUSE);
    CHECK_STATUS(fr_section_map_new_with_keys(&map, store, items, &key, 1, "\xff", NULL), FR_INVALID_UTF8);
    CHECK(fr_section_map_new_with_keys(&map, store, items, &key, SIZE_MAX, "list_id", NULL) != FR_OK);
    CHECK(map == NULL);
    fr_request_free(items);
    fr_request_free(sections);
    CHECK_OK(fr_store_close(store));
}

static void options_must_be_valid(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS);
    fr_request *items = request_of("tasks", NULL, NULL, NULL), *sections = request_of("lists", NULL, NULL, NULL);
    fr_section_map_options options = map_options();
    fr_list *map = NULL;
    options.struct_size = 0;
    CHECK_STATUS(try_map(store, items, sections, "list_id", &options), FR_RANGE);
    options.struct_size = sizeof options - 1;
    CHECK_STATUS(try_map(store, items, sections, "list_id", &options), FR_RANGE);
    CHECK_STATUS(fr_section_map_new_with_keys(&map, store, items, NULL, 0, "list_id", &options), FR_RANGE);
    options = map_options();
    options.empty_sections = 2;
    CHECK_STATUS(try_map(store, items, sections, "list_id", &options), FR_RANGE);
    options = map_options();
    options.items_without_section = -1;
    CHECK_STATUS(try_map(store, items, sections, "list_id", &options), FR_RANGE);
    CHECK_STATUS(fr_section_map_new_with_keys(&map, store, items, NULL, 0, "list_id", &options), FR_RANGE);
    options.items_without_section = 3;
    CHECK_STATUS(try_map(store, items, sections, "list_id", &options), FR_RANGE);
    options = map_options();
    options.section_key = "\xff";
    CHECK_STATUS(try_map(store, items, sections, "list_id", &options), FR_INVALID_UTF8);
    options = map_options();
    options.index_title = "\xff";
    CHECK_STATUS(try_map(store, items, sections, "list_id", &options), FR_INVALID_UTF8);
    options = map_options();
    options.struct_size = 8192;
    CHECK_STATUS(try_map(store, items, sections, "list_id", &options), FR_RANGE);
    CHECK(map == NULL);
    fr_request_free(items);
    fr_request_free(sections);
    CHECK_OK(fr_store_close(store));
}

static void items_have_no_section_limit_or_offset_of_their_own(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS);
    fr_request *items = request_of("tasks", "v", NULL, NULL), *sections = request_of("lists", NULL, NULL, NULL);
    CHECK_STATUS(try_map(store, items, sections, "list_id", NULL), FR_MISUSE);
    CHECK_OK(fr_request_set_section(items, NULL, FR_ASCENDING, NULL));
    CHECK_OK(fr_request_set_limit(items, 5, 0));
    CHECK_STATUS(try_map(store, items, sections, "list_id", NULL), FR_MISUSE);
    CHECK_OK(fr_request_set_limit(items, -1, 5));
    CHECK_STATUS(try_map(store, items, sections, "list_id", NULL), FR_MISUSE);
    CHECK_OK(fr_request_set_limit(items, -1, 0));
    CHECK_OK(try_map(store, items, sections, "list_id", NULL));
    fr_request_free(items);
    fr_request_free(sections);
    CHECK_OK(fr_store_close(store));
}

static void given_keys_are_not_null_and_not_twice(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS);
    fr_value keys[3];
    keys[0] = fr_integer(1);
    keys[1] = fr_null();
    keys[2] = fr_real(1.0);
    CHECK_STATUS(try_keys(store, keys, 2, "list_id"), FR_MISUSE);
    keys[1] = fr_integer(1);
    CHECK_STATUS(try_keys(store, keys, 2, "list_id"), FR_CONSTRAINT);
    keys[1] = fr_text("1");
    CHECK_OK(try_keys(store, keys, 2, "list_id"));
    CHECK_STATUS(try_keys(store, keys, 3, "list_id"), FR_CONSTRAINT);
    keys[0] = fr_text("a");
    keys[1] = fr_text("A");
    CHECK_OK(try_keys(store, keys, 2, "list_id"));
    keys[1] = fr_text("\xff");
    CHECK_STATUS(try_keys(store, keys, 2, "list_id"), FR_INVALID_UTF8);
    keys[1].type = 77;
    CHECK_STATUS(try_keys(store, keys, 2, "list_id"), FR_TYPE);
    CHECK_STATUS(try_keys(store, keys, 1, "nothing"), FR_SCHEMA);
    CHECK_OK(fr_store_close(store));
}

static void keys_that_are_refused_leave_the_map_as_it_was(void)
{
    static const int64_t first[] = {10, 20, 0};
    struct watched w;
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_value keys[3];
    watch_list(&w, store, map_of_keys(store, "tasks", "list_id", first, NULL));
    keys[0] = fr_integer(20);
    keys[1] = fr_null();
    keys[2] = fr_real(20.0);
    CHECK_STATUS(fr_section_map_set_keys(w.list, keys, 2), FR_MISUSE);
    keys[1] = fr_integer(10);
    CHECK_STATUS(fr_section_map_set_keys(w.list, keys, 3), FR_CONSTRAINT);
    CHECK_STATUS(fr_section_map_set_keys(w.list, NULL, 2), FR_MISUSE);
    CHECK_LOG(&w.recorder, "");
    CHECK_LIST(w.list, "10: 1 2 | 20: | NULL: 3 4");
    CHECK_REPORTED(&w, "UPDATE tasks SET list_id = 20 WHERE id = 1", "[move 0.0>1.0 {list_id}]");
    unwatch(&w);
}

static void rows_can_not_be_given_keys_nor_keys_a_request(void)
{
    static const int64_t keys[] = {10, 0};
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_list *map = task_map(store, NULL), *keyed = map_of_keys(store, "tasks", "list_id", keys, NULL);
    fr_request *request = request_of("lists", NULL, NULL, NULL);
    fr_value key = fr_integer(1);
    CHECK_STATUS(fr_section_map_set_keys(map, &key, 1), FR_MISUSE);
    CHECK_STATUS(fr_section_map_set_section_request(keyed, request), FR_MISUSE);
    fr_request_free(request);
    fr_list_free(map);
    fr_list_free(keyed);
    CHECK_OK(fr_store_close(store));
}

static void section_requests_that_are_refused_leave_the_map_as_it_was(void)
{
    struct watched w;
    fr_request *other = request_of("tasks", NULL, NULL, NULL), *wrong = request_of("lists", NULL, NULL, "nothing");
    fr_request *unsorted = request_of("lists", NULL, "nothing", NULL);
    watch_tasks(&w, SOME_TASKS, NULL);
    CHECK_STATUS(fr_section_map_set_section_request(w.list, NULL), FR_MISUSE);
    CHECK_STATUS(fr_section_map_set_section_request(w.list, other), FR_MISUSE);
    CHECK_STATUS(fr_section_map_set_section_request(w.list, wrong), FR_SQL);
    CHECK_STATUS(fr_section_map_set_section_request(w.list, unsorted), FR_SCHEMA);
    CHECK_LOG(&w.recorder, "");
    CHECK_REPORTED(&w, "UPDATE lists SET position = 9 WHERE id = 30", "[move section 0>2 (30) {position}]");
    fr_request_free(other);
    fr_request_free(wrong);
    fr_request_free(unsorted);
    unwatch(&w);
}

static void unknown_values_of_options_are_refused(void)
{
    struct watched w;
    watch_tasks(&w, SOME_TASKS, NULL);
    CHECK_STATUS(fr_section_map_set_empty_sections(w.list, 2), FR_RANGE);
    CHECK_STATUS(fr_section_map_set_empty_sections(w.list, -1), FR_RANGE);
    CHECK_STATUS(fr_section_map_set_items_without_section(w.list, 3), FR_RANGE);
    CHECK_STATUS(fr_section_map_set_items_without_section(w.list, INT32_MIN), FR_RANGE);
    CHECK_LOG(&w.recorder, "");
    unwatch(&w);
}

static void not_fetched_yet(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_request *items = request_of("tasks", NULL, NULL, NULL), *sections = request_of("lists", NULL, NULL, NULL);
    fr_list *map = NULL;
    fr_section_info section;
    fr_object *object = NULL;
    int64_t count = 0;
    CHECK_OK(fr_section_map_new(&map, store, items, sections, "list_id", NULL));
    CHECK_STATUS(fr_section_map_all_section_count(&count, map), FR_NOT_FETCHED);
    CHECK_STATUS(fr_section_map_all_section(&section, map, 0), FR_NOT_FETCHED);
    CHECK_STATUS(fr_section_map_all_section_object(&object, map, 0), FR_NOT_FETCHED);
    CHECK_STATUS(fr_list_section_object(&object, map, 0), FR_NOT_FETCHED);
    fr_request_free(items);
    fr_request_free(sections);
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

static void closed_store(void)
{
    static const int64_t some_keys[] = {10, 0};
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_list *map = task_map(store, NULL), *keyed = map_of_keys(store, "tasks", "list_id", some_keys, NULL);
    fr_request *request = request_of("lists", NULL, NULL, NULL);
    fr_value key = fr_integer(1);
    fr_section_info section;
    fr_object *object = NULL;
    int64_t count = 0;
    bool disabled = true;
    CHECK_OK(fr_store_close(store));
    CHECK_STATUS(fr_section_map_all_section_count(&count, map), FR_CLOSED);
    CHECK_STATUS(fr_section_map_all_section(&section, map, 0), FR_CLOSED);
    CHECK_STATUS(fr_section_map_all_section_object(&object, map, 0), FR_CLOSED);
    CHECK_STATUS(fr_list_section_object(&object, map, 0), FR_CLOSED);
    CHECK_STATUS(fr_section_map_set_keys(keyed, &key, 1), FR_CLOSED);
    CHECK_STATUS(fr_section_map_set_section_request(map, request), FR_CLOSED);
    CHECK_STATUS(fr_section_map_set_empty_sections(map, FR_EMPTY_SECTIONS_HIDDEN), FR_CLOSED);
    CHECK_STATUS(fr_section_map_set_items_without_section(map, FR_ITEMS_WITHOUT_SECTION_HIDDEN), FR_CLOSED);
    CHECK_OK(fr_section_map_is_disabled(&disabled, map));
    CHECK(!disabled);
    CHECK_STATUS(fr_section_map_set_disabled(map, false), FR_CLOSED);
    fr_request_free(request);
    fr_list_free(map);
    fr_list_free(keyed);
}

TESTS(section_map_error_tests) = {
    TEST(arguments_must_be_there_and_valid),
    TEST(options_must_be_valid),
    TEST(items_have_no_section_limit_or_offset_of_their_own),
    TEST(given_keys_are_not_null_and_not_twice),
    TEST(keys_that_are_refused_leave_the_map_as_it_was),
    TEST(rows_can_not_be_given_keys_nor_keys_a_request),
    TEST(section_requests_that_are_refused_leave_the_map_as_it_was),
    TEST(unknown_values_of_options_are_refused),
    TEST(not_fetched_yet),
    TEST(closed_store),
    END_OF_TESTS,
};
