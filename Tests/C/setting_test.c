/* What lists and requests were made of, and their settings. */
#include <stddef.h>
#include <string.h>

#include <fetchedresults/views.h>

#include "collections.h"
#include "maps.h"
#include "test.h"
#include "watched.h"

#define SCHEMA \
    "CREATE TABLE kinds(id INTEGER PRIMARY KEY, name TEXT);" \
    "CREATE TABLE t(id INTEGER PRIMARY KEY, kind_id REFERENCES kinds, v);" \
    "INSERT INTO kinds VALUES (1, 'x'); INSERT INTO t VALUES (1, 1, 5), (2, NULL, 6);"
#define OVERFLOWING "abs(-9223372036854775807 + v) > 0"

static void check_sort(fr_sort sort, const char *key_path, uint32_t flags, const char *collation)
{
    CHECK_TEXT(sort.key_path, key_path);
    CHECK_INT(sort.flags, flags);
    CHECK_TEXT(sort.collation, collation);
}

/* A request with everything. */
static fr_request *whole_request(void)
{
    static const char *const columns[] = {"v", "kind_id.name"};
    static const char *const names[] = {":least", ":most"};
    fr_value values[] = {fr_integer(2), fr_text("z")};
    fr_request *request = NULL;
    CHECK_OK(fr_request_new(&request, "t"));
    CHECK_OK(fr_request_set_predicate_named(request, "v > :least AND v < :most", names, values, 2));
    CHECK_OK(fr_request_add_sort(request, "kind_id.name", FR_DESCENDING | FR_NULLS_LAST, "NOCASE"));
    CHECK_OK(fr_request_add_sort(request, "v", FR_ASCENDING, NULL));
    CHECK_OK(fr_request_set_section(request, "kind_id.name", FR_NULLS_FIRST, "RTRIM"));
    CHECK_OK(fr_request_set_columns(request, columns, 2));
    CHECK_OK(fr_request_set_batch_size(request, 7));
    CHECK_OK(fr_request_set_rank_tolerance(request, 0.5));
    CHECK_OK(fr_request_set_limit(request, 30, 4));
    CHECK_OK(fr_request_set_cache_name(request, "whole"));
    return request;
}

static void check_whole_request(fr_request *request)
{
    fr_request_info info = request_info(request);
    CHECK_TEXT(info.entity, "t");
    CHECK_TEXT(info.select, NULL);
    CHECK_TEXT(info.predicate, "v > :least AND v < :most");
    CHECK_INT(info.parameter_count, 2);
    CHECK_TEXT(value_text(info.parameters[0]), "2");
    CHECK_TEXT(value_text(info.parameters[1]), "z");
    CHECK_TEXT(info.parameter_names[0], ":least");
    CHECK_TEXT(info.parameter_names[1], ":most");
    CHECK_INT(info.sort_count, 2);
    check_sort(info.sorts[0], "kind_id.name", FR_DESCENDING | FR_NULLS_LAST, "NOCASE");
    check_sort(info.sorts[1], "v", FR_ASCENDING, NULL);
    check_sort(info.section, "kind_id.name", FR_NULLS_FIRST, "RTRIM");
    CHECK_INT(info.column_count, 2);
    CHECK_TEXT(info.columns[0], "v");
    CHECK_TEXT(info.columns[1], "kind_id.name");
    CHECK_INT(info.identity_count, 0);
    CHECK(info.identity == NULL);
    CHECK_INT(info.batch_size, 7);
    CHECK(info.rank_tolerance == 0.5);
    CHECK_INT(info.limit, 30);
    CHECK_INT(info.offset, 4);
    CHECK_TEXT(info.cache_name, "whole");
}

static void a_request_says_what_was_set(void)
{
    fr_request *request = whole_request();
    fr_request_info info;
    check_whole_request(request);
    fr_request_free(request);
    CHECK_OK(fr_request_new(&request, "t"));
    info = request_info(request);
    CHECK_INT(info.struct_size, sizeof info);
    CHECK_TEXT(info.predicate, NULL);
    CHECK(info.parameters == NULL && info.parameter_names == NULL && info.sorts == NULL && info.columns == NULL);
    CHECK_INT(info.parameter_count + info.sort_count + info.column_count, 0);
    check_sort(info.section, NULL, 0, NULL);
    CHECK_INT(info.batch_size, 20);
    CHECK(info.rank_tolerance == 0.01);
    CHECK_INT(info.limit, -1);
    CHECK_INT(info.offset, 0);
    CHECK_TEXT(info.cache_name, NULL);
    fr_request_free(request);
}

/*
 * Both descriptions are read after the request was described again, and the second after a change.
 */
static void a_description_is_valid_until_the_request_changes(void)
{
    fr_request *request = whole_request();
    fr_request_info first = request_info(request), second = request_info(request), third;
    CHECK_TEXT(first.predicate, "v > :least AND v < :most");
    CHECK(first.predicate == second.predicate && first.sorts == second.sorts && first.columns == second.columns);
    CHECK_OK(fr_request_set_columns(request, NULL, 0));
    CHECK_OK(fr_request_add_sort(request, "id", FR_DESCENDING, NULL));
    CHECK_STATUS(fr_request_set_limit(request, 1, -1), FR_RANGE);
    third = request_info(request);
    CHECK_INT(third.column_count, 0);
    CHECK_INT(third.sort_count, 3);
    check_sort(third.sorts[2], "id", FR_DESCENDING, NULL);
    CHECK_INT(third.limit, 30);
    fr_request_free(request);
}

static void a_description_needs_a_size_and_a_request(void)
{
    fr_request *request = whole_request();
    fr_request_info info;
    memset(&info, 0, sizeof info);
    CHECK_STATUS(fr_request_describe(&info, request), FR_RANGE);
    info.struct_size = offsetof(fr_request_info, cache_name);
    CHECK_STATUS(fr_request_describe(&info, request), FR_RANGE);
    CHECK_STATUS(fr_request_describe(NULL, request), FR_MISUSE);
    info.struct_size = sizeof info;
    CHECK_STATUS(fr_request_describe(&info, NULL), FR_MISUSE);
    CHECK(info.entity == NULL);
    fr_request_free(request);
}

static void a_select_says_what_it_was_made_of(void)
{
    static const char *const identity[] = {"id", "v"};
    fr_value values[] = {fr_real(0.5)};
    fr_request *request = NULL;
    fr_request_info info;
    CHECK_OK(fr_request_new_select(&request, "SELECT * FROM t WHERE v > ?1", values, 1, identity, 2, "v"));
    info = request_info(request);
    CHECK_TEXT(info.select, "SELECT * FROM t WHERE v > ?1");
    CHECK_TEXT(info.entity, NULL);
    CHECK_INT(info.parameter_count, 1);
    CHECK_TEXT(value_text(info.parameters[0]), "0.5");
    CHECK(info.parameter_names == NULL);
    CHECK_INT(info.identity_count, 2);
    CHECK_TEXT(info.identity[1], "v");
    check_sort(info.section, "v", FR_ASCENDING, NULL);
    fr_request_free(request);
}

static void a_list_says_its_request_key_path_and_store(void)
{
    fr_store *store = store_with(SCHEMA), *known = NULL;
    fr_request *request = whole_request(), *copy = NULL;
    fr_list *list = NULL;
    const char *path = NULL;
    int64_t number = 0;
    CHECK_OK(fr_controller_new(&list, store, request));
    fr_request_free(request);
    CHECK_OK(fr_controller_request(&copy, list));
    check_whole_request(copy);
    fr_request_free(copy);
    CHECK_OK(fr_controller_section_key_path(&path, list));
    CHECK_TEXT(path, "kind_id.name");
    CHECK_OK(fr_controller_store(&known, list));
    CHECK(known == store);
    CHECK_OK(fr_controller_row_cache_size(&number, list));
    CHECK_INT(number, 1000);
    CHECK_OK(fr_controller_set_row_cache_size(list, 3));
    CHECK_OK(fr_controller_row_cache_size(&number, list));
    CHECK_INT(number, 7);
    CHECK_OK(fr_controller_row_cache_bytes(&number, list));
    CHECK_INT(number, 8 << 20);
    CHECK_OK(fr_controller_set_row_cache_bytes(list, 100));
    CHECK_OK(fr_controller_row_cache_bytes(&number, list));
    CHECK_INT(number, 100);
    CHECK_OK(fr_store_close(store));
    CHECK_STATUS(fr_controller_store(&known, list), FR_CLOSED);
    fr_list_free(list);
}

static void a_flat_list_has_no_section_key_path(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", NULL, NULL, NULL);
    const char *path = "not set";
    CHECK_OK(fr_controller_section_key_path(&path, list));
    CHECK(path == NULL);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void an_adopted_store_is_supported_as_well(void)
{
    fr_store *owner = store_with(""), *store = NULL, *known = NULL;
    fr_list *list;
    struct sqlite3 *db = NULL;
    CHECK_OK(fr_store_sqlite(&db, owner));
    CHECK_STATUS(fr_store_adopt(&store, db, NULL), FR_MISUSE);
    run(owner, SCHEMA);
    list = list_of(owner, "t", NULL, NULL, NULL);
    CHECK_OK(fr_controller_store(&known, list));
    CHECK(known == owner);
    fr_list_free(list);
    CHECK_OK(fr_store_close(owner));
}

static void a_map_of_rows_says_its_section_request_and_options(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_section_map_options options = map_options();
    fr_list *map;
    fr_request *sections = NULL;
    fr_value key;
    const char *path = NULL;
    int64_t count = 0;
    int32_t option = -1;
    options.empty_sections = FR_EMPTY_SECTIONS_HIDDEN;
    map = task_map(store, &options);
    CHECK_OK(fr_section_map_section_request(&sections, map));
    CHECK_TEXT(request_info(sections).entity, "lists");
    CHECK_INT(request_info(sections).sort_count, 1);
    fr_request_free(sections);
    CHECK_OK(fr_controller_section_key_path(&path, map));
    CHECK_TEXT(path, "list_id");
    CHECK_OK(fr_section_map_empty_sections(&option, map));
    CHECK_INT(option, FR_EMPTY_SECTIONS_HIDDEN);
    CHECK_OK(fr_section_map_set_empty_sections(map, FR_EMPTY_SECTIONS_SHOWN));
    CHECK_OK(fr_section_map_empty_sections(&option, map));
    CHECK_INT(option, FR_EMPTY_SECTIONS_SHOWN);
    CHECK_OK(fr_section_map_items_without_section(&option, map));
    CHECK_INT(option, FR_ITEMS_WITHOUT_SECTION_SHOWN);
    CHECK_STATUS(fr_section_map_key_count(&count, map), FR_NOT_FOUND);
    CHECK_STATUS(fr_section_map_key(&key, map, 0), FR_NOT_FOUND);
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

static void a_map_of_keys_says_its_keys(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_request *items = request_of("tasks", NULL, NULL, NULL), *sections = NULL;
    fr_value keys[] = {fr_integer(30), fr_text("x")}, other[] = {fr_integer(10)}, key;
    fr_list *map = NULL;
    int64_t count = 0;
    CHECK_OK(fr_section_map_new_with_keys(&map, store, items, keys, 2, "list_id", NULL));
    fr_request_free(items);
    CHECK_OK(fr_section_map_key_count(&count, map));
    CHECK_INT(count, 2);
    CHECK_OK(fr_section_map_key(&key, map, 1));
    CHECK_TEXT(value_text(key), "x");
    CHECK_STATUS(fr_section_map_key(&key, map, 2), FR_RANGE);
    CHECK_OK(fr_section_map_set_keys(map, other, 1));
    CHECK_OK(fr_section_map_key_count(&count, map));
    CHECK_INT(count, 1);
    CHECK_OK(fr_section_map_key(&key, map, 0));
    CHECK_TEXT(value_text(key), "10");
    CHECK_STATUS(fr_section_map_section_request(&sections, map), FR_NOT_FOUND);
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

static const fr_error *failure_of(fr_list *list)
{
    const fr_error *failure = (const fr_error *)list;
    CHECK_OK(fr_controller_failure(&failure, list));
    return failure;
}

static void a_list_says_why_it_is_behind(void)
{
    struct watched w;
    watch(&w, SCHEMA, "t", NULL, NULL, OVERFLOWING);
    CHECK(failure_of(w.list) == NULL);
    CHECK_REPORTED(&w, "UPDATE t SET v = -1 WHERE id = 1", "!FR_ERROR");
    REQUIRE(failure_of(w.list) != NULL);
    CHECK_INT(failure_of(w.list)->struct_size, sizeof(fr_error));
    CHECK_INT(failure_of(w.list)->status, FR_ERROR);
    CHECK_INT(failure_of(w.list)->sqlite_code, 1);
    CHECK_TEXT(failure_of(w.list)->message, "integer overflow");
    CHECK(failure_of(w.list)->sql != NULL);
    CHECK_OK(fr_controller_pause(w.list));
    CHECK(failure_of(w.list) == NULL);
    CHECK_OK(fr_controller_resume(w.list, false));
    CHECK_LOG(&w.recorder, "!FR_ERROR");
    CHECK(failure_of(w.list) != NULL);
    CHECK_REPORTED(&w, "UPDATE t SET v = 5 WHERE id = 1", "");
    CHECK(failure_of(w.list) == NULL);
    unwatch(&w);
}

static void settings_of_collections_are_misuse(void)
{
    fr_list *collection = NULL;
    fr_store *store = NULL;
    const char *text = NULL;
    const fr_error *failure = NULL;
    int64_t number = 0;
    int32_t option = 0;
    fr_request *request = NULL;
    CHECK_OK(fr_collection_new(&collection));
    CHECK_STATUS(fr_controller_store(&store, collection), FR_MISUSE);
    CHECK_STATUS(fr_controller_section_key_path(&text, collection), FR_MISUSE);
    CHECK_STATUS(fr_controller_failure(&failure, collection), FR_MISUSE);
    CHECK_STATUS(fr_controller_row_cache_size(&number, collection), FR_MISUSE);
    CHECK_STATUS(fr_controller_row_cache_bytes(&number, collection), FR_MISUSE);
    CHECK_STATUS(fr_section_map_section_request(&request, collection), FR_MISUSE);
    CHECK_STATUS(fr_section_map_key_count(&number, collection), FR_MISUSE);
    CHECK_STATUS(fr_section_map_empty_sections(&option, collection), FR_MISUSE);
    CHECK_STATUS(fr_section_map_items_without_section(&option, collection), FR_MISUSE);
    fr_list_free(collection);
}

static fr_list *child_at(fr_list *collection, int64_t index)
{
    fr_list *child = NULL;
    CHECK_OK(fr_collection_child(&child, collection, index));
    return child;
}

static int64_t live_lists(void)
{
    int64_t count = 0;
    CHECK_OK(fr_live_handles(&count, FR_HANDLE_LIST));
    return count;
}

static fr_list *collection_of_requests(fr_store *store)
{
    fr_request *requests[2];
    fr_list *collection = NULL;
    requests[0] = request_of("b", "s", "k", NULL);
    requests[1] = request_of("a", NULL, "-k", "k < 100");
    CHECK_OK(fr_collection_new_with_requests(&collection, store, requests, 2));
    fr_request_free(requests[0]);
    fr_request_free(requests[1]);
    CHECK_OK(fr_list_perform_fetch(collection));
    return collection;
}

static void children_made_of_requests_are_lists_like_any_other(void)
{
    fr_store *store = store_with(TWO_TABLES SOME_ROWS), *known = NULL;
    fr_list *collection = collection_of_requests(store), *first, *second;
    fr_request *request = NULL;
    struct recorder recorder;
    const char *path = NULL;
    int64_t place = -1, before = live_lists();
    first = child_at(collection, 0);
    second = child_at(collection, 1);
    CHECK_INT(live_lists(), before + 2);
    CHECK(first != second && child_at(collection, 0) == first);
    CHECK_INT(live_lists(), before + 2);
    CHECK_LIST(second, "2 1");
    CHECK_OK(fr_controller_request(&request, second));
    CHECK_TEXT(request_info(request).entity, "a");
    CHECK_TEXT(request_info(request).predicate, "k < 100");
    fr_request_free(request);
    CHECK_OK(fr_controller_section_key_path(&path, first));
    CHECK_TEXT(path, "s");
    CHECK_OK(fr_controller_store(&known, first));
    CHECK(known == store);
    CHECK_OK(fr_collection_index_of(&place, collection, second));
    CHECK_INT(place, 1);
    recorder_start(&recorder, second);
    run(store, "UPDATE a SET k = 0 WHERE id = 2");
    CHECK_LOG(&recorder, "[move 0.0>0.1 {k}]");
    fr_list_free(collection);
    CHECK_INT(live_lists(), before - 1);
    CHECK_INT(recorder.destroyed, 1);
    CHECK_STATUS(fr_controller_request(&request, first), FR_MISUSE);
    recorder_free(&recorder);
    CHECK_OK(fr_store_close(store));
}

static void a_lent_child_ends_when_it_leaves(void)
{
    fr_store *store = store_with(TWO_TABLES SOME_ROWS);
    fr_list *collection = collection_of_requests(store), *first = child_at(collection, 0);
    fr_list *second = child_at(collection, 1), *own = list_of(store, "a", NULL, NULL, NULL);
    int64_t count = 0;
    CHECK_OK(fr_collection_remove(collection, 0));
    CHECK_STATUS(fr_list_count(&count, first), FR_MISUSE);
    CHECK(child_at(collection, 0) == second);
    CHECK_OK(fr_collection_insert(collection, 0, own, NULL));
    CHECK_OK(fr_collection_remove(collection, 1));
    CHECK_STATUS(fr_list_count(&count, second), FR_MISUSE);
    /* The collection must not free the program's own list. */
    CHECK(child_at(collection, 0) == own);
    CHECK_OK(fr_collection_remove(collection, 0));
    CHECK_LIST(own, "1 2");
    fr_list_free(own);
    fr_list_free(collection);
    CHECK_OK(fr_store_close(store));
}

static void a_lent_child_that_is_freed_is_lent_again(void)
{
    fr_store *store = store_with(TWO_TABLES SOME_ROWS);
    fr_list *collection = collection_of_requests(store), *first = child_at(collection, 0);
    fr_list_free(first);
    CHECK(child_at(collection, 0) != first);
    CHECK_LIST(child_at(collection, 0), "p: 11 | q: 12 13");
    CHECK_LIST(collection, "p: 11 | q: 12 13 | NULL: 2 1");
    fr_list_free(collection);
    CHECK_OK(fr_store_close(store));
}

static void placeholders_are_found_by_place_and_name(void)
{
    fr_store *store = store_with(TWO_TABLES);
    fr_list *collection = NULL, *list = list_of(store, "a", "s", NULL, NULL);
    fr_placeholder *lone = placeholder_of("lone", NULL), *empty = placeholder_of(NULL, "E"), *known = lone;
    const char *text = "not set";
    CHECK_OK(fr_collection_new(&collection));
    CHECK_OK(fr_collection_insert_placeholder(collection, -1, lone));
    CHECK_OK(fr_collection_insert(collection, -1, list, empty));
    CHECK_OK(fr_collection_placeholder(&known, collection, 1));
    CHECK(known == empty);
    CHECK_OK(fr_collection_placeholder(&known, collection, 0));
    CHECK(known == lone);
    CHECK(child_at(collection, 0) == NULL);
    CHECK_STATUS(fr_collection_placeholder(&known, collection, 2), FR_RANGE);
    CHECK_STATUS(fr_collection_placeholder(&known, list, 0), FR_MISUSE);
    CHECK_OK(fr_placeholder_name(&text, lone));
    CHECK_TEXT(text, "lone");
    CHECK_OK(fr_placeholder_index_title(&text, lone));
    CHECK(text == NULL);
    CHECK_OK(fr_placeholder_set_name(lone, "other"));
    CHECK_OK(fr_placeholder_name(&text, lone));
    CHECK_TEXT(text, "other");
    CHECK_OK(fr_placeholder_index_title(&text, empty));
    CHECK_TEXT(text, "E");
    fr_placeholder_free(lone);
    CHECK_OK(fr_collection_placeholder(&known, collection, 0));
    CHECK(known == NULL);
    CHECK_STATUS(fr_placeholder_name(&text, lone), FR_MISUSE);
    fr_list_free(collection);
    fr_placeholder_free(empty);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void an_entity_list_says_its_store(void)
{
    fr_store *store = store_with(SCHEMA), *known = store;
    fr_entity_list *list = NULL;
    fr_entity entity;
    memset(&entity, 0, sizeof entity);
    entity.struct_size = sizeof entity;
    entity.entity = "t";
    CHECK_OK(fr_entity_list_new(&list, &entity, NULL, NULL, NULL, NULL));
    CHECK_OK(fr_entity_list_store(&known, list));
    CHECK(known == NULL);
    CHECK_OK(fr_entity_list_set_store(list, store));
    CHECK_OK(fr_entity_list_store(&known, list));
    CHECK(known == store);
    CHECK_OK(fr_store_close(store));
    CHECK_OK(fr_entity_list_store(&known, list));
    CHECK(known == NULL);
    fr_entity_list_free(list);
}

TESTS(setting_tests) = {
    TEST(a_request_says_what_was_set),
    TEST(a_description_is_valid_until_the_request_changes),
    TEST(a_description_needs_a_size_and_a_request),
    TEST(a_select_says_what_it_was_made_of),
    TEST(a_list_says_its_request_key_path_and_store),
    TEST(a_flat_list_has_no_section_key_path),
    TEST(an_adopted_store_is_supported_as_well),
    TEST(a_map_of_rows_says_its_section_request_and_options),
    TEST(a_map_of_keys_says_its_keys),
    TEST(a_list_says_why_it_is_behind),
    TEST(settings_of_collections_are_misuse),
    TEST(children_made_of_requests_are_lists_like_any_other),
    TEST(a_lent_child_ends_when_it_leaves),
    TEST(a_lent_child_that_is_freed_is_lent_again),
    TEST(placeholders_are_found_by_place_and_name),
    TEST(an_entity_list_says_its_store),
    END_OF_TESTS,
};
