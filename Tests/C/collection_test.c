/* A collection shows the sections of all its children, numbered one after another. */
#include "collections.h"
#include "maps.h"
#include "test.h"

static void sections_are_numbered_one_after_another(void)
{
    struct watched_collection c;
    fr_section_info section;
    int64_t number = 0;
    watch_collection(&c, SOME_ROWS);
    CHECK_LIST(c.w.list, "NULL: 1 2 | p: 11 | q: 12 13");
    CHECK_OK(fr_list_count(&number, c.w.list));
    CHECK_INT(number, 5);
    CHECK_OK(fr_list_section(&section, c.w.list, 2));
    CHECK_TEXT(section.name, "q");
    CHECK_TEXT(section.value.data, "q");
    CHECK_INT(section.count, 2);
    CHECK_INT(section.index, 2);
    CHECK_OK(fr_list_row_count(&number, c.w.list, 0));
    CHECK_INT(number, 2);
    unwatch_collection(&c);
}

static void without_children_there_are_no_sections(void)
{
    fr_list *collection = NULL;
    int64_t number = -1;
    bool fetched = true;
    CHECK_OK(fr_collection_new(&collection));
    CHECK_OK(fr_list_is_fetched(&fetched, collection));
    CHECK(!fetched);
    CHECK_STATUS(fr_list_count(&number, collection), FR_NOT_FETCHED);
    CHECK_OK(fr_list_perform_fetch(collection));
    CHECK_OK(fr_list_count(&number, collection));
    CHECK_INT(number, 0);
    CHECK_OK(fr_list_section_count(&number, collection));
    CHECK_INT(number, 0);
    CHECK_OK(fr_collection_child_count(&number, collection));
    CHECK_INT(number, 0);
    CHECK_OK(fr_list_index_title_count(&number, collection));
    CHECK_INT(number, 0);
    fr_list_free(collection);
}

static void empty_flat_child_is_a_section_and_an_empty_sectioned_one_is_none(void)
{
    struct watched_collection c;
    watch_collection(&c, "");
    CHECK_LIST(c.w.list, "");
    CHECK_REPORTED(&c.w, "INSERT INTO b VALUES (11, 'p', 1)", "[insert section 1 (p); insert 1.0]");
    CHECK_LIST(c.w.list, "NULL: | p: 11");
    unwatch_collection(&c);
}

static void fetching_a_collection_fetches_its_children(void)
{
    fr_store *store = store_with(TWO_TABLES SOME_ROWS);
    fr_list *a = unfetched_list(store, "a", NULL, "k", NULL), *b = unfetched_list(store, "b", "s", "k", NULL);
    fr_list *collection = NULL;
    bool fetched = false;
    int64_t number = 0;
    CHECK_OK(fr_collection_new(&collection));
    CHECK_OK(fr_collection_insert(collection, -1, b, NULL));
    CHECK_OK(fr_collection_insert(collection, 0, a, NULL));
    CHECK_STATUS(fr_list_section_count(&number, collection), FR_NOT_FETCHED);
    CHECK_OK(fr_list_perform_fetch(collection));
    CHECK_OK(fr_list_is_fetched(&fetched, a));
    CHECK(fetched);
    CHECK_LIST(collection, "NULL: 1 2 | p: 11 | q: 12 13");
    CHECK_LIST(b, "p: 11 | q: 12 13");
    fr_list_free(a);
    fr_list_free(b);
    fr_list_free(collection);
    CHECK_OK(fr_store_close(store));
}

static void if_one_child_can_not_be_fetched_none_is(void)
{
    fr_store *store = store_with(TWO_TABLES SOME_ROWS);
    fr_list *a = unfetched_list(store, "a", NULL, "k", NULL);
    fr_list *b = unfetched_list(store, "b", "s", "k", "abs(k) > 0");
    fr_list *collection = NULL;
    bool fetched = true;
    CHECK_OK(fr_collection_new(&collection));
    CHECK_OK(fr_collection_insert(collection, -1, a, NULL));
    CHECK_OK(fr_collection_insert(collection, -1, b, NULL));
    run(store, "UPDATE b SET k = -9223372036854775808 WHERE id = 11");
    CHECK_STATUS(fr_list_perform_fetch(collection), FR_ERROR);
    CHECK_OK(fr_list_is_fetched(&fetched, collection));
    CHECK(!fetched);
    CHECK_OK(fr_list_is_fetched(&fetched, a));
    CHECK(!fetched);
    run(store, "UPDATE b SET k = 0 WHERE id = 11");
    CHECK_OK(fr_list_perform_fetch(collection));
    CHECK_LIST(collection, "NULL: 1 2 | q: 12 13");
    fr_list_free(a);
    fr_list_free(b);
    fr_list_free(collection);
    CHECK_OK(fr_store_close(store));
}

static bool give_up(int64_t rows, void *user_data)
{
    (void)rows;
    *(int *)user_data += 1;
    return false;
}

static void fetch_reports_its_progress(void)
{
    fr_store *store = store_with(TWO_TABLES
                                 "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
                                 "INSERT INTO a SELECT i, NULL, i FROM n;");
    fr_list *a = unfetched_list(store, "a", NULL, "k", NULL), *collection = NULL;
    bool fetched = true;
    int calls = 0;
    CHECK_OK(fr_collection_new(&collection));
    CHECK_OK(fr_collection_insert(collection, -1, a, NULL));
    CHECK_STATUS(fr_list_perform_fetch_with_progress(collection, give_up, &calls), FR_CANCELLED);
    CHECK_INT(calls, 1);
    CHECK_OK(fr_list_is_fetched(&fetched, collection));
    CHECK(!fetched);
    fr_list_free(a);
    fr_list_free(collection);
    CHECK_OK(fr_store_close(store));
}

static void made_of_requests(void)
{
    fr_store *store = store_with(TWO_TABLES SOME_ROWS);
    fr_request *requests[2];
    fr_list *collection = NULL, *child = collection;
    int64_t number = 0;
    requests[0] = request_of("b", "s", "k", NULL);
    requests[1] = request_of("a", NULL, "-k", NULL);
    CHECK_OK(fr_collection_new_with_requests(&collection, store, requests, 2));
    fr_request_free(requests[0]);
    fr_request_free(requests[1]);
    CHECK_OK(fr_list_perform_fetch(collection));
    CHECK_LIST(collection, "p: 11 | q: 12 13 | NULL: 2 1");
    CHECK_OK(fr_collection_child_count(&number, collection));
    CHECK_INT(number, 2);
    CHECK_OK(fr_collection_child(&child, collection, 0));
    CHECK_LIST(child, "p: 11 | q: 12 13");
    fr_list_free(collection);
    CHECK_OK(fr_collection_new_with_requests(&collection, store, NULL, 0));
    fr_list_free(collection);
    CHECK_OK(fr_store_close(store));
}

static void section_maps_in_a_collection(void)
{
    fr_store *store = store_with(TWO_TABLES SOME_ROWS LISTS_AND_TASKS SOME_TASKS);
    fr_list *flat = list_of(store, "a", NULL, "k", NULL), *map = task_map(store, NULL);
    fr_list *collection = collection_of(flat, map, NULL);
    fr_object *list = NULL;
    fr_section_info section;
    CHECK_LIST(collection, "NULL: 1 2 | 30: 3 | 10: 1 2 | 20: | NULL: 4");
    REQUIRE(CHECK_OK(fr_list_section_object(&list, collection, 2)));
    CHECK_TEXT(object_text(list, "title"), "work");
    fr_object_unref(list);
    CHECK_STATUS(fr_list_section_object(&list, collection, 4), FR_NOT_FOUND);
    CHECK_OK(fr_list_section(&section, collection, 3));
    CHECK_INT(section.index, 3);
    fr_list_free(flat);
    fr_list_free(map);
    fr_list_free(collection);
    CHECK_OK(fr_store_close(store));
}

static void collections_in_a_collection(void)
{
    struct watched_collection c;
    fr_list *other, *outer;
    fr_object *object = NULL;
    fr_index_path path = {0, 0};
    int64_t number = -1;
    watch_collection(&c, SOME_ROWS);
    other = list_of(c.w.store, "b", NULL, "-k", NULL);
    outer = collection_of(other, c.w.list, NULL);
    CHECK_LIST(outer, "NULL: 13 12 11 | NULL: 1 2 | p: 11 | q: 12 13");
    CHECK_OK(fr_collection_child_of_section(&number, outer, 3));
    CHECK_INT(number, 1);
    CHECK_OK(fr_collection_child_count(&number, outer));
    CHECK_INT(number, 2);
    CHECK_OK(fr_list_index_of(&number, outer, path_at(3, 1)));
    CHECK_INT(number, 7);
    CHECK_OK(fr_list_index_path_at(&path, outer, 5));
    CHECK_INT(path.section, 2);
    REQUIRE(CHECK_OK(fr_list_object_at(&object, outer, path_at(3, 0))));
    CHECK_OK(fr_list_index_path_of(&path, outer, object));
    CHECK_INT(path.section, 3);
    fr_object_unref(object);
    fr_list_free(other);
    fr_list_free(outer);
    unwatch_collection(&c);
}

static void lists_of_several_stores(void)
{
    fr_store *one = store_with(TWO_TABLES SOME_ROWS);
    fr_store *two = store_with(TWO_TABLES SOME_ROWS "DELETE FROM b WHERE s = 'p';");
    fr_list *a = list_of(one, "a", NULL, "k", NULL), *b = list_of(two, "b", "s", "k", NULL);
    fr_list *collection = collection_of(a, b, NULL);
    CHECK_LIST(collection, "NULL: 1 2 | q: 12 13");
    run(two, "DELETE FROM b");
    CHECK_LIST(collection, "1 2");
    fr_list_free(a);
    fr_list_free(b);
    fr_list_free(collection);
    CHECK_OK(fr_store_close(one));
    CHECK_OK(fr_store_close(two));
}

TESTS(collection_tests) = {
    TEST(sections_are_numbered_one_after_another),
    TEST(without_children_there_are_no_sections),
    TEST(empty_flat_child_is_a_section_and_an_empty_sectioned_one_is_none),
    TEST(fetching_a_collection_fetches_its_children),
    TEST(if_one_child_can_not_be_fetched_none_is),
    TEST(fetch_reports_its_progress),
    TEST(made_of_requests),
    TEST(section_maps_in_a_collection),
    TEST(collections_in_a_collection),
    TEST(lists_of_several_stores),
    END_OF_TESTS,
};
