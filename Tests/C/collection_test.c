/*
 * Collections through the C interface: making and fetching them, places, index titles, records.
 * The corpus and the Swift tests have what they show and report.
 */
#include "collections.h"
#include "kept.h"
#include "maps.h"
#include "test.h"

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

static void reads_by_place_and_number(void)
{
    struct watched_collection c;
    fr_object *object = NULL;
    fr_index_path path = {0, 0};
    fr_value identity = fr_integer(12);
    int64_t number = 0;
    watch_collection(&c, SOME_ROWS);
    REQUIRE(CHECK_OK(fr_list_object_at(&object, c.w.list, path_at(2, 1))));
    CHECK_TEXT(object_text(object, "id"), "13");
    CHECK_OK(fr_list_index_path_of(&path, c.w.list, object));
    CHECK_INT(path.section, 2);
    CHECK_INT(path.row, 1);
    fr_object_unref(object);
    CHECK_OK(fr_list_index_path_of_identity(&path, c.w.list, &identity, 1));
    CHECK_INT(path.section, 2);
    CHECK_INT(path.row, 0);
    CHECK_OK(fr_list_index_path_at(&path, c.w.list, 2));
    CHECK_INT(path.section, 1);
    CHECK_INT(path.row, 0);
    CHECK_OK(fr_list_index_of(&number, c.w.list, path_at(2, 1)));
    CHECK_INT(number, 4);
    for (number = 0; number < 3; number++) {
        int64_t child = -1;
        CHECK_OK(fr_collection_child_of_section(&child, c.w.list, number));
        CHECK_INT(child, number == 0 ? 0 : 1);
    }
    unwatch_collection(&c);
}

static void places_out_of_range(void)
{
    struct watched_collection c;
    fr_section_info section;
    fr_object *object = NULL;
    fr_index_path path;
    int64_t number = 0;
    watch_collection(&c, SOME_ROWS);
    CHECK_STATUS(fr_list_section(&section, c.w.list, 3), FR_RANGE);
    CHECK_STATUS(fr_list_section(&section, c.w.list, -1), FR_RANGE);
    CHECK_STATUS(fr_list_row_count(&number, c.w.list, 3), FR_RANGE);
    CHECK_STATUS(fr_list_object_at(&object, c.w.list, path_at(0, 2)), FR_RANGE);
    CHECK_STATUS(fr_list_object_at(&object, c.w.list, path_at(3, 0)), FR_RANGE);
    CHECK_STATUS(fr_list_object_at(&object, c.w.list, path_at(-1, 0)), FR_RANGE);
    CHECK_STATUS(fr_list_section_object(&object, c.w.list, 3), FR_RANGE);
    CHECK_STATUS(fr_list_section_object(&object, c.w.list, 1), FR_NOT_FOUND);
    CHECK_STATUS(fr_list_index_path_at(&path, c.w.list, 5), FR_RANGE);
    CHECK_STATUS(fr_list_index_path_at(&path, c.w.list, -1), FR_RANGE);
    CHECK_STATUS(fr_list_index_of(&number, c.w.list, path_at(1, 1)), FR_RANGE);
    CHECK_STATUS(fr_list_index_of(&number, c.w.list, path_at(3, 0)), FR_RANGE);
    CHECK_STATUS(fr_collection_child_of_section(&number, c.w.list, 3), FR_RANGE);
    CHECK_STATUS(fr_collection_child_of_section(&number, c.w.list, -1), FR_RANGE);
    CHECK_STATUS(fr_collection_child_of_section(&number, c.w.list, INT64_MAX), FR_RANGE);
    unwatch_collection(&c);
}

static void identity_of_no_child(void)
{
    struct watched_collection c;
    fr_list *other;
    fr_object *object = NULL;
    fr_value identity = fr_integer(99);
    fr_index_path path;
    watch_collection(&c, SOME_ROWS "CREATE TABLE c(id INTEGER PRIMARY KEY); INSERT INTO c VALUES (1);");
    CHECK_STATUS(fr_list_index_path_of_identity(&path, c.w.list, &identity, 1), FR_NOT_FOUND);
    other = list_of(c.w.store, "c", NULL, NULL, NULL);
    CHECK_OK(fr_list_object_at(&object, other, path_at(0, 0)));
    CHECK(fr_list_index_path_of(&path, c.w.list, object) != FR_OK);
    fr_object_unref(object);
    fr_list_free(other);
    unwatch_collection(&c);
}

/* A title of two children appears twice, and its number decides between them. */
static void index_titles_are_the_children_s(void)
{
    fr_store *store = store_with(TWO_TABLES SOME_ROWS "INSERT INTO b VALUES (14, 'pq', 1);");
    fr_list *flat = list_of(store, "a", NULL, "k", NULL), *first = list_of(store, "b", "s", "k", NULL);
    fr_list *second = list_of(store, "b", "-s", "k", NULL), *collection = collection_of(flat, first, second);
    int64_t section = -1;
    CHECK_LIST(collection, "NULL: 1 2 | p: 11 | pq: 14 | q: 12 13 | q: 12 13 | pq: 14 | p: 11");
    CHECK_TEXT(index_titles_text(collection), "P@1 Q@3 Q@4 P@5");
    CHECK_STATUS(fr_list_section_for_index_title(&section, collection, "Z", 0), FR_NOT_FOUND);
    CHECK_STATUS(fr_list_section_for_index_title(&section, collection, "P", 1), FR_RANGE);
    CHECK_STATUS(fr_list_section_for_index_title(&section, collection, "P", 4), FR_RANGE);
    run(store, "DELETE FROM b WHERE s = 'q'");
    CHECK_TEXT(index_titles_text(collection), "P@1 P@3");
    fr_list_free(flat);
    fr_list_free(first);
    fr_list_free(second);
    fr_list_free(collection);
    CHECK_OK(fr_store_close(store));
}

static int64_t last_letter(char *title, int64_t capacity, const char *name, void *user_data)
{
    (void)capacity;
    (void)user_data;
    while (name[0] != '\0' && name[1] != '\0') {
        name += 1;
    }
    title[0] = name[0];
    return 1;
}

static void index_title_function_of_a_child(void)
{
    struct watched_collection c;
    watch_collection(&c, SOME_ROWS "INSERT INTO b VALUES (14, 'pz', 1);");
    CHECK_TEXT(index_titles_text(c.w.list), "P@1 Q@3");
    CHECK_OK(fr_controller_set_index_title_function(c.b, last_letter, NULL, NULL));
    CHECK_TEXT(index_titles_text(c.w.list), "p@1 z@2 q@3");
    unwatch_collection(&c);
}

static void records_of_two_entities_carry_their_objects(void)
{
    struct watched_collection c;
    fr_change_set *changes;
    fr_object *object = NULL;
    fr_value old = fr_null();
    const char *entity = NULL, *name = NULL;
    watch_collection(&c, SOME_ROWS);
    CHECK_LIST(c.w.list, "NULL: 1 2 | p: 11 | q: 12 13");
    keep_changes(c.w.list, &changes);
    run(c.w.store, "BEGIN; UPDATE a SET k = 5 WHERE id = 2; DELETE FROM b WHERE id = 11; COMMIT");
    CHECK_LOG(&c.w.recorder, "[delete section 1 (p); delete 1.0; update 0.1>0.1 {k}]");
    REQUIRE(CHECK(changes != NULL));
    CHECK_OK(fr_change_set_section_name(&name, changes, 0));
    CHECK_TEXT(name, "p");
    CHECK_OK(fr_change_set_object(&object, changes, 1));
    CHECK_OK(fr_object_entity(&entity, object));
    CHECK_TEXT(entity, "b");
    CHECK_TEXT(object_text(object, "s"), "p");
    fr_object_unref(object);
    CHECK_OK(fr_change_set_object(&object, changes, 2));
    CHECK_OK(fr_object_entity(&entity, object));
    CHECK_TEXT(entity, "a");
    fr_object_unref(object);
    CHECK_OK(fr_change_set_old_value(&old, changes, 2, 2));
    CHECK_INT(old.integer, 2);
    fr_change_set_unref(changes);
    unwatch_collection(&c);
}

static void empty_lists_are_shown_if_the_collection_says_so(void)
{
    struct watched_collection c;
    bool shows = true;
    watch_collection(&c, SOME_ROWS);
    run(c.w.store, "DELETE FROM b");
    CHECK_LIST(c.w.list, "1 2");
    recorder_take(&c.w.recorder);
    CHECK_OK(fr_collection_shows_empty_lists(&shows, c.w.list));
    CHECK(!shows);
    CHECK_OK(fr_collection_set_shows_empty_lists(c.w.list, true));
    CHECK_LOG(&c.w.recorder, "[insert section 1 (NULL)]");
    CHECK_OK(fr_collection_shows_empty_lists(&shows, c.w.list));
    CHECK(shows);
    unwatch_collection(&c);
}

TESTS(collection_tests) = {
    TEST(without_children_there_are_no_sections),
    TEST(fetch_reports_its_progress),
    TEST(made_of_requests),
    TEST(reads_by_place_and_number),
    TEST(places_out_of_range),
    TEST(identity_of_no_child),
    TEST(index_titles_are_the_children_s),
    TEST(index_title_function_of_a_child),
    TEST(records_of_two_entities_carry_their_objects),
    TEST(empty_lists_are_shown_if_the_collection_says_so),
    END_OF_TESTS,
};
