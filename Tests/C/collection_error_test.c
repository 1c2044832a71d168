/* What collections refuse, and their state while one of their stores is closed. */
#include "collections.h"
#include "maps.h"
#include "test.h"

static void list_that_is_in_the_collection_already(void)
{
    struct watched_collection c;
    watch_collection(&c, SOME_ROWS);
    CHECK_STATUS(fr_collection_insert(c.w.list, 0, c.a, NULL), FR_MISUSE);
    CHECK_STATUS(fr_collection_insert(c.w.list, -1, c.b, NULL), FR_MISUSE);
    CHECK_STATUS(fr_collection_replace(c.w.list, 1, c.a, NULL), FR_MISUSE);
    CHECK_LOG(&c.w.recorder, "");
    CHECK_LIST(c.w.list, "NULL: 1 2 | p: 11 | q: 12 13");
    CHECK_REPORTED(&c.w, "DELETE FROM a WHERE id = 1", "[delete 0.0]");
    unwatch_collection(&c);
}

static void collection_in_itself(void)
{
    fr_list *inner = NULL, *middle = NULL, *outer = NULL;
    int64_t count = -1;
    CHECK_OK(fr_collection_new(&inner));
    CHECK_OK(fr_collection_new(&middle));
    CHECK_OK(fr_collection_new(&outer));
    CHECK_STATUS(fr_collection_insert(inner, -1, inner, NULL), FR_MISUSE);
    CHECK_OK(fr_collection_insert(middle, -1, inner, NULL));
    CHECK_OK(fr_collection_insert(outer, -1, middle, NULL));
    CHECK_STATUS(fr_collection_insert(inner, -1, middle, NULL), FR_MISUSE);
    CHECK_STATUS(fr_collection_insert(inner, -1, outer, NULL), FR_MISUSE);
    CHECK_STATUS(fr_collection_replace(middle, 0, outer, NULL), FR_MISUSE);
    CHECK_STATUS(fr_collection_replace(middle, 0, middle, NULL), FR_MISUSE);
    CHECK_OK(fr_collection_child_count(&count, inner));
    CHECK_INT(count, 0);
    CHECK_INT(place_of(middle, inner), 0);
    CHECK_OK(fr_list_perform_fetch(outer));
    CHECK_STATUS(fr_collection_insert(inner, -1, outer, NULL), FR_MISUSE);
    CHECK_OK(fr_collection_remove(outer, 0));
    CHECK_OK(fr_collection_insert(inner, -1, outer, NULL));
    fr_list_free(inner);
    fr_list_free(middle);
    fr_list_free(outer);
}

enum { NESTING_LIMIT = 100 };

/* `levels` collections, each inside the one before it; the last is the innermost. */
static void nest(fr_list **lists, int levels)
{
    int level;
    for (level = 0; level < levels; level++) {
        CHECK_OK(fr_collection_new(&lists[level]));
        if (level > 0) {
            CHECK_OK(fr_collection_insert(lists[level - 1], -1, lists[level], NULL));
        }
    }
}

static void free_lists(fr_list **lists, int count)
{
    while (count-- > 0) {
        fr_list_free(lists[count]);
    }
}

/* In each order of construction: from outside, from inside, or as two halves. */
static void nesting_has_a_limit(void)
{
    fr_list *lists[NESTING_LIMIT], *one = NULL, *halves[2][NESTING_LIMIT], *other = NULL;
    int64_t count = -1;
    int split;
    nest(lists, NESTING_LIMIT);
    CHECK_OK(fr_collection_new(&one));
    CHECK_STATUS(fr_collection_insert(lists[NESTING_LIMIT - 1], -1, one, NULL), FR_RANGE);
    CHECK_STATUS(fr_collection_insert(one, -1, lists[0], NULL), FR_RANGE);
    CHECK_STATUS(fr_collection_insert(lists[0], -1, lists[0], NULL), FR_MISUSE);
    CHECK_STATUS(fr_collection_insert(lists[NESTING_LIMIT - 1], -1, lists[0], NULL), FR_MISUSE);
    CHECK_OK(fr_collection_insert(lists[NESTING_LIMIT - 2], -1, one, NULL));
    CHECK_OK(fr_collection_new(&other));
    CHECK_STATUS(fr_collection_replace(lists[NESTING_LIMIT - 2], 0, lists[0], NULL), FR_MISUSE);
    CHECK_OK(fr_collection_replace(lists[NESTING_LIMIT - 2], 0, other, NULL));
    CHECK_OK(fr_collection_child_count(&count, one));
    CHECK_INT(count, 0);
    fr_list_free(other);
    fr_list_free(one);
    free_lists(lists, NESTING_LIMIT);
    for (split = 1; split < NESTING_LIMIT; split += 14) {
        nest(halves[0], split);
        nest(halves[1], NESTING_LIMIT + 1 - split);
        CHECK_STATUS(fr_collection_insert(halves[0][split - 1], -1, halves[1][0], NULL), FR_RANGE);
        CHECK_OK(fr_collection_insert(halves[0][split - 1], -1, halves[1][1], NULL));
        free_lists(halves[0], split);
        free_lists(halves[1], NESTING_LIMIT + 1 - split);
    }
}

static void placeholder_in_use(void)
{
    struct watched_collection c;
    fr_placeholder *used = placeholder_of("used", NULL), *shown = placeholder_of("shown", NULL);
    fr_list *other;
    watch_collection(&c, SOME_ROWS);
    other = list_of(c.w.store, "a", NULL, NULL, NULL);
    c.w.recorder.shares_rows = true;
    CHECK_OK(fr_collection_replace(c.w.list, 1, c.b, used));
    CHECK_OK(fr_collection_insert_placeholder(c.w.list, 0, shown));
    recorder_take(&c.w.recorder);
    CHECK_STATUS(fr_collection_insert_placeholder(c.w.list, -1, used), FR_MISUSE);
    CHECK_STATUS(fr_collection_insert_placeholder(c.w.list, -1, shown), FR_MISUSE);
    CHECK_STATUS(fr_collection_insert(c.w.list, -1, other, used), FR_MISUSE);
    CHECK_STATUS(fr_collection_insert(c.w.list, -1, other, shown), FR_MISUSE);
    CHECK_STATUS(fr_collection_replace(c.w.list, 1, other, used), FR_MISUSE);
    CHECK_STATUS(fr_collection_replace_with_placeholder(c.w.list, 1, used), FR_MISUSE);
    CHECK_LOG(&c.w.recorder, "");
    CHECK_LIST(c.w.list, "shown: | NULL: 1 2 | p: 11 | q: 12 13");
    fr_list_free(other);
    fr_placeholder_free(used);
    fr_placeholder_free(shown);
    unwatch_collection(&c);
}

static void places_out_of_range(void)
{
    static const int64_t wrong[] = {-2, 3, INT64_MAX, INT64_MIN};
    struct watched_collection c;
    fr_placeholder *hint = placeholder_of("hint", NULL);
    fr_list *other, *child = NULL;
    size_t index;
    watch_collection(&c, SOME_ROWS);
    other = list_of(c.w.store, "a", NULL, NULL, NULL);
    for (index = 0; index < sizeof wrong / sizeof *wrong; index++) {
        CHECK_STATUS(fr_collection_insert(c.w.list, wrong[index], other, NULL), FR_RANGE);
        CHECK_STATUS(fr_collection_insert_placeholder(c.w.list, wrong[index], hint), FR_RANGE);
        CHECK_STATUS(fr_collection_replace(c.w.list, wrong[index], other, NULL), FR_RANGE);
        CHECK_STATUS(fr_collection_replace_with_placeholder(c.w.list, wrong[index], hint), FR_RANGE);
        CHECK_STATUS(fr_collection_remove(c.w.list, wrong[index]), FR_RANGE);
        CHECK_STATUS(fr_collection_child(&child, c.w.list, wrong[index]), FR_RANGE);
    }
    CHECK_STATUS(fr_collection_replace(c.w.list, 2, other, NULL), FR_RANGE);
    CHECK_STATUS(fr_collection_replace(c.w.list, -1, other, NULL), FR_RANGE);
    CHECK_STATUS(fr_collection_remove(c.w.list, 2), FR_RANGE);
    CHECK_STATUS(fr_collection_remove(c.w.list, -1), FR_RANGE);
    CHECK_STATUS(fr_collection_child(&child, c.w.list, 2), FR_RANGE);
    CHECK(child == NULL);
    CHECK_LOG(&c.w.recorder, "");
    CHECK_LIST(c.w.list, "NULL: 1 2 | p: 11 | q: 12 13");
    fr_list_free(other);
    fr_placeholder_free(hint);
    unwatch_collection(&c);
}

static void unknown_children(void)
{
    struct watched_collection c;
    fr_placeholder *hint = placeholder_of("hint", NULL);
    fr_list *other;
    int64_t index = -7;
    watch_collection(&c, SOME_ROWS);
    other = list_of(c.w.store, "a", NULL, NULL, NULL);
    CHECK_STATUS(fr_collection_index_of(&index, c.w.list, other), FR_NOT_FOUND);
    CHECK_STATUS(fr_collection_index_of_placeholder(&index, c.w.list, hint), FR_NOT_FOUND);
    CHECK_INT(index, -7);
    fr_list_free(other);
    fr_placeholder_free(hint);
    unwatch_collection(&c);
}

static void child_of_section_before_the_fetch(void)
{
    fr_list *collection = NULL;
    int64_t index = 0;
    CHECK_OK(fr_collection_new(&collection));
    CHECK_STATUS(fr_collection_child_of_section(&index, collection, 0), FR_NOT_FETCHED);
    fr_list_free(collection);
}

static void requests_must_be_right(void)
{
    fr_store *store = store_with(TWO_TABLES);
    fr_request *requests[2];
    fr_list *collection = NULL;
    requests[0] = request_of("a", NULL, NULL, NULL);
    requests[1] = request_of("nothing", NULL, NULL, NULL);
    CHECK_STATUS(fr_collection_new_with_requests(&collection, store, requests, 2), FR_SCHEMA);
    CHECK_STATUS(fr_collection_new_with_requests(NULL, store, requests, 1), FR_MISUSE);
    CHECK_STATUS(fr_collection_new_with_requests(&collection, NULL, requests, 1), FR_MISUSE);
    CHECK_STATUS(fr_collection_new_with_requests(&collection, store, NULL, 1), FR_MISUSE);
    CHECK(fr_collection_new_with_requests(&collection, store, requests, SIZE_MAX) != FR_OK);
    fr_request_free(requests[1]);
    CHECK_STATUS(fr_collection_new_with_requests(&collection, store, requests, 2), FR_MISUSE);
    requests[1] = NULL;
    CHECK_STATUS(fr_collection_new_with_requests(&collection, store, requests, 2), FR_MISUSE);
    fr_request_free(requests[0]);
    CHECK_OK(fr_store_close(store));
    CHECK(collection == NULL);
}

static void child_whose_store_was_closed(void)
{
    struct watched_collection c;
    fr_store *other = store_with(TWO_TABLES SOME_ROWS);
    fr_list *fetched = list_of(other, "a", NULL, NULL, NULL);
    fr_list *fresh = unfetched_list(other, "a", NULL, NULL, NULL);
    fr_list *inner = collection_of(fetched, NULL, NULL);
    watch_collection(&c, SOME_ROWS);
    CHECK_OK(fr_store_close(other));
    CHECK_STATUS(fr_collection_insert(c.w.list, 0, fetched, NULL), FR_CLOSED);
    CHECK_STATUS(fr_collection_insert(c.w.list, 0, fresh, NULL), FR_CLOSED);
    CHECK_STATUS(fr_collection_insert(c.w.list, 0, inner, NULL), FR_CLOSED);
    CHECK_STATUS(fr_collection_replace(c.w.list, 0, fetched, NULL), FR_CLOSED);
    CHECK_LOG(&c.w.recorder, "");
    CHECK_LIST(c.w.list, "NULL: 1 2 | p: 11 | q: 12 13");
    fr_list_free(fetched);
    fr_list_free(fresh);
    fr_list_free(inner);
    unwatch_collection(&c);
}

/*
 * Two stores, one of which is closed: the other child continues, and the closed one can be removed.
 */
static void closing_a_child_s_store(void)
{
    fr_store *one = store_with(TWO_TABLES SOME_ROWS), *two = store_with(TWO_TABLES SOME_ROWS);
    fr_list *a = list_of(one, "a", NULL, "k", NULL), *b = list_of(two, "b", "s", "k", NULL);
    fr_list *collection = collection_of(b, a, NULL);
    fr_object *object = NULL;
    int64_t count = 0;
    CHECK_LIST(collection, "p: 11 | q: 12 13 | NULL: 1 2");
    CHECK_OK(fr_store_close(two));
    CHECK_OK(fr_list_count(&count, collection));
    CHECK_INT(count, 5);
    CHECK_OK(fr_list_section_count(&count, collection));
    CHECK_INT(count, 3);
    CHECK_STATUS(fr_list_object_at(&object, collection, path_at(0, 0)), FR_CLOSED);
    CHECK_STATUS(fr_list_perform_fetch(collection), FR_CLOSED);
    run(one, "DELETE FROM a WHERE id = 1");
    CHECK_OK(fr_collection_remove(collection, 0));
    CHECK_LIST(collection, "2");
    CHECK_OK(fr_list_perform_fetch(collection));
    run(one, "INSERT INTO a VALUES (3, NULL, 0)");
    CHECK_LIST(collection, "3 2");
    CHECK_OK(fr_list_count(&count, collection));
    CHECK_INT(count, 2);
    fr_list_free(a);
    fr_list_free(b);
    fr_list_free(collection);
    CHECK_OK(fr_store_close(one));
}

static void closing_the_only_store(void)
{
    struct watched_collection c;
    fr_section_info section;
    fr_object *object = NULL;
    watch_collection(&c, SOME_ROWS);
    CHECK_OK(fr_store_close(c.w.store));
    CHECK_STATUS(fr_list_section(&section, c.w.list, 1), FR_CLOSED);
    CHECK_STATUS(fr_list_object_at(&object, c.w.list, path_at(0, 0)), FR_CLOSED);
    CHECK_STATUS(fr_list_perform_fetch(c.w.list), FR_CLOSED);
    fr_list_free(c.a);
    fr_list_free(c.w.list);
    fr_list_free(c.b);
    recorder_free(&c.w.recorder);
}

static void count_records(fr_list *controller, fr_change_set *changes, void *user_data)
{
    const fr_change *records = NULL;
    size_t count = 0;
    (void)controller;
    CHECK_OK(fr_change_set_records(&records, &count, changes));
    *(size_t *)user_data += count;
}

/* Its rows are reported as deleted, though they can't be read any more. */
static void removing_the_list_of_a_closed_store(void)
{
    fr_store *open = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1), (2)");
    fr_store *closed = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1), (2), (3)");
    fr_list *first = list_of(closed, "t", NULL, NULL, NULL), *second = list_of(open, "t", NULL, NULL, NULL);
    fr_list *collection = NULL;
    fr_observer observer = {sizeof(fr_observer), NULL, NULL, NULL, NULL, count_records, NULL, NULL};
    size_t records = 0;
    int64_t count = 0;
    CHECK_OK(fr_collection_new(&collection));
    CHECK_OK(fr_collection_insert(collection, -1, first, NULL));
    CHECK_OK(fr_collection_insert(collection, -1, second, NULL));
    CHECK_OK(fr_list_perform_fetch(collection));
    CHECK_OK(fr_list_add_observer(NULL, collection, &observer, &records, NULL));
    CHECK_OK(fr_store_close(closed));
    CHECK_OK(fr_collection_remove(collection, 0));
    CHECK_INT(records, 4);
    CHECK_OK(fr_list_count(&count, collection));
    CHECK_INT(count, 2);
    fr_list_free(collection);
    fr_list_free(first);
    fr_list_free(second);
    CHECK_OK(fr_store_close(open));
}

static void collection_has_no_request_of_its_own(void)
{
    struct watched_collection c;
    fr_request *request = request_of("a", NULL, NULL, NULL), *copy = NULL;
    fr_counters counters;
    bool paused = true;
    counters.struct_size = sizeof counters;
    watch_collection(&c, SOME_ROWS);
    CHECK_STATUS(fr_controller_set_request(c.w.list, request), FR_MISUSE);
    CHECK_STATUS(fr_controller_request(&copy, c.w.list), FR_MISUSE);
    CHECK_STATUS(fr_controller_set_row_cache_size(c.w.list, 10), FR_MISUSE);
    CHECK_STATUS(fr_controller_set_row_cache_bytes(c.w.list, 10), FR_MISUSE);
    CHECK_STATUS(fr_controller_counters(&counters, c.w.list), FR_MISUSE);
    CHECK_STATUS(fr_controller_set_index_title_function(c.w.list, NULL, NULL, NULL), FR_MISUSE);
    CHECK_STATUS(fr_controller_pause(c.w.list), FR_MISUSE);
    CHECK_STATUS(fr_controller_resume(c.w.list, true), FR_MISUSE);
    CHECK_STATUS(fr_controller_is_paused(&paused, c.w.list), FR_MISUSE);
    CHECK(copy == NULL);
    fr_request_free(request);
    unwatch_collection(&c);
}

/*
 * Functions of maps require maps, those of collections collections; nothing is written through
 * `out`.
 */
static void functions_of_other_kinds_of_list(void)
{
    fr_store *store = store_with(TWO_TABLES SOME_ROWS LISTS_AND_TASKS SOME_TASKS);
    fr_list *lists[3], *child = list_of(store, "b", NULL, NULL, NULL), *known = NULL;
    fr_request *request = request_of("lists", NULL, NULL, NULL);
    fr_placeholder *hint = placeholder_of("hint", NULL);
    fr_value key = fr_integer(1);
    fr_section_info section;
    fr_object *object = NULL;
    int64_t number = -7;
    bool flag = false;
    int index;
    lists[0] = list_of(store, "a", NULL, NULL, NULL);
    lists[1] = task_map(store, NULL);
    lists[2] = collection_of(NULL, NULL, NULL);
    for (index = 0; index < 3; index++) {
        if (index != 1) {
            CHECK_STATUS(fr_section_map_set_keys(lists[index], &key, 1), FR_MISUSE);
            CHECK_STATUS(fr_section_map_set_section_request(lists[index], request), FR_MISUSE);
            CHECK_STATUS(fr_section_map_set_empty_sections(lists[index], FR_EMPTY_SECTIONS_SHOWN), FR_MISUSE);
            CHECK_STATUS(fr_section_map_set_items_without_section(lists[index], 0), FR_MISUSE);
            CHECK_STATUS(fr_section_map_all_section_count(&number, lists[index]), FR_MISUSE);
            CHECK_STATUS(fr_section_map_all_section(&section, lists[index], 0), FR_MISUSE);
            CHECK_STATUS(fr_section_map_all_section_object(&object, lists[index], 0), FR_MISUSE);
            CHECK_STATUS(fr_section_map_set_disabled(lists[index], true), FR_MISUSE);
            CHECK_STATUS(fr_section_map_is_disabled(&flag, lists[index]), FR_MISUSE);
        }
        if (index != 2) {
            CHECK_STATUS(fr_collection_insert(lists[index], -1, child, NULL), FR_MISUSE);
            CHECK_STATUS(fr_collection_insert_placeholder(lists[index], -1, hint), FR_MISUSE);
            CHECK_STATUS(fr_collection_replace(lists[index], 0, child, NULL), FR_MISUSE);
            CHECK_STATUS(fr_collection_replace_with_placeholder(lists[index], 0, hint), FR_MISUSE);
            CHECK_STATUS(fr_collection_remove(lists[index], 0), FR_MISUSE);
            CHECK_STATUS(fr_collection_child_count(&number, lists[index]), FR_MISUSE);
            CHECK_STATUS(fr_collection_child(&known, lists[index], 0), FR_MISUSE);
            CHECK_STATUS(fr_collection_index_of(&number, lists[index], child), FR_MISUSE);
            CHECK_STATUS(fr_collection_index_of_placeholder(&number, lists[index], hint), FR_MISUSE);
            CHECK_STATUS(fr_collection_child_of_section(&number, lists[index], 0), FR_MISUSE);
        }
    }
    CHECK_INT(number, -7);
    CHECK(object == NULL && known == NULL);
    for (index = 0; index < 3; index++) {
        fr_list_free(lists[index]);
    }
    fr_list_free(child);
    fr_request_free(request);
    fr_placeholder_free(hint);
    CHECK_OK(fr_store_close(store));
}

TESTS(collection_error_tests) = {
    TEST(list_that_is_in_the_collection_already),
    TEST(collection_in_itself),
    TEST(nesting_has_a_limit),
    TEST(placeholder_in_use),
    TEST(places_out_of_range),
    TEST(unknown_children),
    TEST(child_of_section_before_the_fetch),
    TEST(requests_must_be_right),
    TEST(child_whose_store_was_closed),
    TEST(closing_a_child_s_store),
    TEST(closing_the_only_store),
    TEST(removing_the_list_of_a_closed_store),
    TEST(collection_has_no_request_of_its_own),
    TEST(functions_of_other_kinds_of_list),
    END_OF_TESTS,
};
