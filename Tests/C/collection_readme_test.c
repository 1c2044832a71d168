/*
 * The sentences of the READMEs of JPSFetchedResultsCollection and JPSFetchedResultsContainer, one
 * by one, in C.
 */
#include "collections.h"
#include "test.h"

/* JPSFetchedResultsCollection */

static void a_collection_that_can_be_used_to_fetch_multiple_entity_types(void)
{
    struct watched_collection c;
    fr_object *person = NULL, *message = NULL;
    const char *entity = NULL;
    watch_collection(&c, SOME_ROWS);
    CHECK_OK(fr_list_object_at(&person, c.w.list, path_at(0, 1)));
    CHECK_OK(fr_object_entity(&entity, person));
    CHECK_TEXT(entity, "a");
    CHECK_OK(fr_list_object_at(&message, c.w.list, path_at(2, 0)));
    CHECK_OK(fr_object_entity(&entity, message));
    CHECK_TEXT(entity, "b");
    fr_object_unref(person);
    fr_object_unref(message);
    unwatch_collection(&c);
}

static void the_benefits_that_each_individual_controller_offers_such_as_sections_and_caching(void)
{
    struct watched_collection c;
    fr_request *request = NULL;
    fr_list *child = NULL;
    const char *text = NULL;
    watch_collection(&c, SOME_ROWS);
    CHECK_LIST(c.w.list, "NULL: 1 2 | p: 11 | q: 12 13");
    CHECK_OK(fr_collection_child(&child, c.w.list, 1));
    CHECK_OK(fr_controller_request(&request, child));
    CHECK_OK(fr_request_section(&text, request));
    CHECK_TEXT(text, "s");
    CHECK_OK(fr_request_cache_name(&text, request));
    CHECK_TEXT(text, NULL);
    fr_request_free(request);
    fr_list_free(child);
    unwatch_collection(&c);
}

static void a_familiar_api_to_obtain_information_about_the_fetched_data(void)
{
    struct watched_collection c;
    fr_section_info section;
    int64_t count = 0;
    watch_collection(&c, SOME_ROWS);
    CHECK_OK(fr_list_count(&count, c.w.list));
    CHECK_INT(count, 5);
    CHECK_OK(fr_list_section_count(&count, c.w.list));
    CHECK_INT(count, 3);
    CHECK_OK(fr_list_section(&section, c.w.list, 2));
    CHECK_TEXT(section.name, "q");
    CHECK_INT(section.count, 2);
    CHECK_TEXT(index_titles_text(c.w.list), "P@1 Q@2");
    unwatch_collection(&c);
}

static void the_controller_level_is_treated_as_transparent(void)
{
    struct watched_collection c;
    watch_collection(&c, SOME_ROWS);
    CHECK_LIST(c.a, "1 2");
    CHECK_LIST(c.b, "p: 11 | q: 12 13");
    CHECK_LIST(c.w.list, "NULL: 1 2 | p: 11 | q: 12 13");
    unwatch_collection(&c);
}

static void the_sections_are_masked_to_be_indexed_consecutively(void)
{
    struct watched_collection c;
    int64_t child = -1, section;
    watch_collection(&c, SOME_ROWS);
    for (section = 0; section < 3; section++) {
        fr_section_info info;
        CHECK_OK(fr_list_section(&info, c.w.list, section));
        CHECK_INT(info.index, section);
        CHECK_OK(fr_collection_child_of_section(&child, c.w.list, section));
        CHECK_INT(child, section == 0 ? 0 : 1);
    }
    CHECK_REPORTED(&c.w, "INSERT INTO b VALUES (14, 'o', 1)", "[insert section 1 (o); insert 1.0]");
    CHECK_LIST(c.w.list, "NULL: 1 2 | o: 14 | p: 11 | q: 12 13");
    unwatch_collection(&c);
}

static void empty_controllers_are_treated_as_sections_and_are_indexed(void)
{
    struct watched_collection c;
    watch_collection(&c, "INSERT INTO b VALUES (11, 'p', 1);");
    CHECK_LIST(c.w.list, "NULL: | p: 11");
    CHECK_REPORTED(&c.w, "INSERT INTO a VALUES (1, 'x', 1)", "[insert 0.0]");
    unwatch_collection(&c);
}

static void perform_fetch_fetches_the_objects(void)
{
    fr_store *store = store_with(TWO_TABLES SOME_ROWS);
    fr_list *a = unfetched_list(store, "a", NULL, "k", NULL), *collection = NULL;
    int64_t count = 0;
    CHECK_OK(fr_collection_new(&collection));
    CHECK_OK(fr_collection_insert(collection, -1, a, NULL));
    CHECK_STATUS(fr_list_count(&count, collection), FR_NOT_FETCHED);
    CHECK_OK(fr_list_perform_fetch(collection));
    CHECK_LIST(collection, "1 2");
    fr_list_free(a);
    fr_list_free(collection);
    CHECK_OK(fr_store_close(store));
}

/*
 * Will change, objects and sections that are inserted, deleted and updated at their paths, did
 * change.
 */
static void respond_to_changes(void)
{
    struct watched_collection c;
    watch_collection(&c, SOME_ROWS);
    CHECK_REPORTED(&c.w, "INSERT INTO a VALUES (3, 'x', 3)", "[insert 0.2]");
    CHECK_REPORTED(&c.w, "DELETE FROM b WHERE id = 12", "[delete 2.0]");
    CHECK_REPORTED(&c.w, "UPDATE a SET s = 'y' WHERE id = 2", "[update 0.1>0.1 {s}]");
    CHECK_REPORTED(&c.w, "UPDATE a SET k = 9 WHERE id = 1", "[move 0.0>0.2 {k}]");
    CHECK_REPORTED(&c.w, "INSERT INTO b VALUES (14, 'r', 1)", "[insert section 3 (r); insert 3.0]");
    CHECK_REPORTED(&c.w, "DELETE FROM b WHERE id = 11", "[delete section 1 (p); delete 1.0]");
    unwatch_collection(&c);
}

/* JPSFetchedResultsContainer */

static void the_order_of_the_controllers_determines_the_order_of_the_sections(void)
{
    fr_store *store = store_with(TWO_TABLES SOME_ROWS);
    fr_list *a = unfetched_list(store, "a", NULL, "k", NULL), *b = unfetched_list(store, "b", "s", "k", NULL);
    fr_list *container = collection_of(b, a, NULL);
    CHECK_LIST(container, "p: 11 | q: 12 13 | NULL: 1 2");
    fr_list_free(a);
    fr_list_free(b);
    fr_list_free(container);
    CHECK_OK(fr_store_close(store));
}

static void the_same_holds_for_the_fetch_requests(void)
{
    fr_store *store = store_with(TWO_TABLES SOME_ROWS);
    fr_request *requests[] = {request_of("b", "s", "k", NULL), request_of("a", NULL, "k", NULL)};
    fr_list *container = NULL;
    CHECK_OK(fr_collection_new_with_requests(&container, store, requests, 2));
    CHECK_OK(fr_list_perform_fetch(container));
    CHECK_LIST(container, "p: 11 | q: 12 13 | NULL: 1 2");
    fr_request_free(requests[0]);
    fr_request_free(requests[1]);
    fr_list_free(container);
    CHECK_OK(fr_store_close(store));
}

static void an_empty_controller_stands_for_an_empty_section(void)
{
    struct watched_collection c;
    fr_placeholder *empty = placeholder_of("Nothing here", "N");
    fr_section_info section;
    watch_collection(&c, SOME_ROWS);
    CHECK_OK(fr_collection_insert_placeholder(c.w.list, 1, empty));
    CHECK_LOG(&c.w.recorder, "[insert section 1 (Nothing here)]");
    CHECK_OK(fr_list_section(&section, c.w.list, 1));
    CHECK_TEXT(section.name, "Nothing here");
    CHECK_TEXT(section.index_title, "N");
    CHECK_INT(section.count, 0);
    fr_placeholder_free(empty);
    unwatch_collection(&c);
}

static void object_at_index_path_and_index_path_for_object(void)
{
    struct watched_collection c;
    fr_object *object = NULL;
    fr_index_path path = {-1, -1};
    watch_collection(&c, SOME_ROWS);
    CHECK_OK(fr_list_object_at(&object, c.w.list, path_at(2, 1)));
    CHECK_TEXT(object_text(object, "id"), "13");
    CHECK_OK(fr_list_index_path_of(&path, c.w.list, object));
    CHECK_INT(path.section, 2);
    CHECK_INT(path.row, 1);
    fr_object_unref(object);
    unwatch_collection(&c);
}

static void number_of_objects_in_section(void)
{
    struct watched_collection c;
    int64_t count = 0;
    watch_collection(&c, SOME_ROWS);
    CHECK_OK(fr_list_row_count(&count, c.w.list, 0));
    CHECK_INT(count, 2);
    CHECK_OK(fr_list_row_count(&count, c.w.list, 1));
    CHECK_INT(count, 1);
    unwatch_collection(&c);
}

static void replace_the_controller_at_an_index(void)
{
    struct watched_collection c;
    fr_list *other;
    watch_collection(&c, SOME_ROWS);
    other = unfetched_list(c.w.store, "a", NULL, "-k", "k > 1");
    CHECK_OK(fr_collection_replace(c.w.list, 1, other, NULL));
    CHECK_LIST(c.w.list, "NULL: 1 2 | NULL: 2");
    recorder_take(&c.w.recorder);
    fr_list_free(other);
    unwatch_collection(&c);
}

static void replace_a_controller_by_another_one(void)
{
    struct watched_collection c;
    fr_list *other;
    int64_t index = -1;
    watch_collection(&c, SOME_ROWS);
    other = unfetched_list(c.w.store, "b", NULL, "-k", NULL);
    CHECK_OK(fr_collection_index_of(&index, c.w.list, c.a));
    CHECK_OK(fr_collection_replace(c.w.list, index, other, NULL));
    CHECK_LIST(c.w.list, "NULL: 13 12 11 | p: 11 | q: 12 13");
    CHECK_INT(place_of(c.w.list, c.a), -1);
    recorder_take(&c.w.recorder);
    fr_list_free(other);
    unwatch_collection(&c);
}

TESTS(collection_readme_tests) = {
    TEST(a_collection_that_can_be_used_to_fetch_multiple_entity_types),
    TEST(the_benefits_that_each_individual_controller_offers_such_as_sections_and_caching),
    TEST(a_familiar_api_to_obtain_information_about_the_fetched_data),
    TEST(the_controller_level_is_treated_as_transparent),
    TEST(the_sections_are_masked_to_be_indexed_consecutively),
    TEST(empty_controllers_are_treated_as_sections_and_are_indexed),
    TEST(perform_fetch_fetches_the_objects),
    TEST(respond_to_changes),
    TEST(the_order_of_the_controllers_determines_the_order_of_the_sections),
    TEST(the_same_holds_for_the_fetch_requests),
    TEST(an_empty_controller_stands_for_an_empty_section),
    TEST(object_at_index_path_and_index_path_for_object),
    TEST(number_of_objects_in_section),
    TEST(replace_the_controller_at_an_index),
    TEST(replace_a_controller_by_another_one),
    END_OF_TESTS,
};
