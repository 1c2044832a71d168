/* The sentences of TAFetchedResultsController's README, one by one, in C. */
#include "maps.h"
#include "test.h"

/* The hierarchy of "How it works", with a text for the key of a section. */
#define SCHEMA \
    "CREATE TABLE sections(id INTEGER PRIMARY KEY, name TEXT UNIQUE, timeStamp INTEGER, color);" \
    "CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT, section REFERENCES sections ON DELETE CASCADE);" \
    "INSERT INTO sections VALUES (1, 'A', 0, 'red'), (2, 'B', 1, 'green'), (3, 'C', 2, 'blue');" \
    "INSERT INTO items VALUES (11, 'x', 1), (12, 'y', 1), (13, 'z', 3);"

static void stage(struct watched *w, const char *order)
{
    fr_store *store = store_with(SCHEMA);
    fr_request *items = request_of("items", NULL, "name", NULL), *sections = request_of("sections", NULL, order, NULL);
    watch_list(w, store, map_of(store, items, sections, "section.name", NULL));
}

static void it_allows_for_empty_sections(void)
{
    struct watched w;
    stage(&w, "timeStamp");
    CHECK_LIST(w.list, "A: 11 12 | B: | C: 13");
    CHECK_REPORTED(&w, "DELETE FROM items WHERE id = 13", "[delete 2.0]");
    CHECK_LIST(w.list, "A: 11 12 | B: | C:");
    unwatch(&w);
}

static void the_ordering_of_the_sections_is_not_based_on_the_name(void)
{
    struct watched w;
    stage(&w, "-timeStamp");
    CHECK_LIST(w.list, "C: 13 | B: | A: 11 12");
    unwatch(&w);
}

static void sort_the_sections_any_way_you_please(void)
{
    struct watched w;
    stage(&w, "color");
    CHECK_LIST(w.list, "C: 13 | B: | A: 11 12");
    unwatch(&w);
}

static void the_object_of_a_section_need_not_be_searched_for(void)
{
    struct watched w;
    fr_object *object = NULL;
    stage(&w, "timeStamp");
    CHECK_OK(fr_list_section_object(&object, w.list, 1));
    CHECK_TEXT(object_text(object, "name"), "B");
    CHECK_TEXT(object_text(object, "color"), "green");
    fr_object_unref(object);
    unwatch(&w);
}

static void it_manages_two_entities_the_items_and_the_sections(void)
{
    struct watched w;
    fr_object *object = NULL;
    const char *entity = NULL;
    stage(&w, "timeStamp");
    CHECK_OK(fr_list_object_at(&object, w.list, path_at(0, 0)));
    CHECK_OK(fr_object_entity(&entity, object));
    CHECK_TEXT(entity, "items");
    fr_object_unref(object);
    CHECK_OK(fr_list_section_object(&object, w.list, 0));
    CHECK_OK(fr_object_entity(&entity, object));
    CHECK_TEXT(entity, "sections");
    fr_object_unref(object);
    unwatch(&w);
}

static void when_you_delete_a_section_its_items_are_removed_from_the_table(void)
{
    struct watched w;
    stage(&w, "timeStamp");
    CHECK_REPORTED(&w, "DELETE FROM sections WHERE id = 1", "[delete section 0 (A); delete 0.1; delete 0.0]");
    CHECK_LIST(w.list, "B: | C: 13");
    unwatch(&w);
}

static void sections_are_identified_by_a_unique_key_that_a_key_path_names(void)
{
    struct watched w;
    fr_section_map_options options = map_options();
    fr_request *items = request_of("items", NULL, "name", NULL), *twins = request_of("twins", NULL, "id", NULL);
    fr_list *map = NULL;
    stage(&w, "timeStamp");
    CHECK_LIST(w.list, "A: 11 12 | B: | C: 13");
    run(w.store, "CREATE TABLE twins(id INTEGER PRIMARY KEY, name); INSERT INTO twins VALUES (1, 'A'), (2, 'A')");
    options.section_key = "name";
    CHECK_OK(fr_section_map_new(&map, w.store, items, twins, "name", &options));
    CHECK_STATUS(fr_list_perform_fetch(map), FR_CONSTRAINT);
    fr_request_free(items);
    fr_request_free(twins);
    fr_list_free(map);
    unwatch(&w);
}

static void all_sections_has_those_that_sections_is_missing(void)
{
    struct watched w;
    stage(&w, "timeStamp");
    CHECK_ALL_SECTIONS(w.list, "A(2)@0 B(0)@1 C(1)@2");
    CHECK_OK(fr_section_map_set_empty_sections(w.list, FR_EMPTY_SECTIONS_HIDDEN));
    CHECK_LOG(&w.recorder, "[delete section 1 (B)]");
    CHECK_ALL_SECTIONS(w.list, "A(2)@0 B(0)@-1 C(1)@1");
    unwatch(&w);
}

static void a_section_info_of_all_sections_has_the_number_of_objects(void)
{
    struct watched w;
    fr_section_info section;
    stage(&w, "timeStamp");
    CHECK_OK(fr_section_map_all_section(&section, w.list, 0));
    CHECK_INT(section.count, 2);
    CHECK_OK(fr_section_map_all_section(&section, w.list, 1));
    CHECK_INT(section.count, 0);
    unwatch(&w);
}

static void a_section_info_has_the_object_of_the_section(void)
{
    struct watched w;
    fr_object *object = NULL;
    stage(&w, "timeStamp");
    CHECK_OK(fr_section_map_all_section_object(&object, w.list, 2));
    CHECK_TEXT(object_text(object, "color"), "blue");
    fr_object_unref(object);
    unwatch(&w);
}

static void insertion_and_deletion_of_sections_are_reported(void)
{
    struct watched w;
    stage(&w, "timeStamp");
    CHECK_REPORTED(&w, "INSERT INTO sections VALUES (4, 'D', 1, 'grey')", "[insert section 2 (D)]");
    CHECK_REPORTED(&w, "DELETE FROM sections WHERE id = 2", "[delete section 1 (B)]");
    unwatch(&w);
}

static void you_will_also_be_informed_if_a_section_is_updated(void)
{
    struct watched w;
    stage(&w, "timeStamp");
    CHECK_REPORTED(&w, "UPDATE sections SET color = 'pink' WHERE id = 2", "[update section 1>1 (B) {color}]");
    unwatch(&w);
}

/* There a section change may be reported when one of its items is modified in any way. */
static void no_section_change_is_reported_when_one_of_its_items_is_modified(void)
{
    struct watched w;
    stage(&w, "timeStamp");
    CHECK_REPORTED(&w, "UPDATE items SET name = 'xx' WHERE id = 11", "[update 0.0>0.0 {name}]");
    CHECK_REPORTED(&w, "UPDATE items SET section = 3 WHERE id = 11", "[move 0.0>2.0 {section}]");
    unwatch(&w);
}

static void delegates_are_notified_of_the_beginning_of_objects_of_sections_and_of_the_end(void)
{
    struct watched w;
    stage(&w, "timeStamp");
    CHECK_REPORTED(&w,
                   "BEGIN; INSERT INTO sections VALUES (4, 'D', 3, 'grey'); INSERT INTO items VALUES (14, 'w', 4);"
                   "DELETE FROM items WHERE id = 12; COMMIT",
                   "[insert section 3 (D); delete 0.1; insert 3.0]");
    unwatch(&w);
}

/* There section C would have the index 1, as B has no items. */
static void indexes_are_those_of_all_sections_with_and_without_items(void)
{
    struct watched w;
    fr_index_path path = {-1, -1};
    fr_value identity = fr_integer(13);
    stage(&w, "timeStamp");
    CHECK_OK(fr_list_index_path_of_identity(&path, w.list, &identity, 1));
    CHECK_INT(path.section, 2);
    CHECK_INT(path.row, 0);
    CHECK_REPORTED(&w, "INSERT INTO items VALUES (14, 'zz', 3)", "[insert 2.1]");
    unwatch(&w);
}

/* There section moves are not yet tracked. */
static void changes_of_the_section_order_are_handled(void)
{
    struct watched w;
    stage(&w, "timeStamp");
    CHECK_REPORTED(&w, "UPDATE sections SET timeStamp = 9 WHERE id = 1", "[move section 0>2 (A) {timeStamp}]");
    CHECK_LIST(w.list, "B: | C: 13 | A: 11 12");
    unwatch(&w);
}

TESTS(section_map_readme_tests) = {
    TEST(it_allows_for_empty_sections),
    TEST(the_ordering_of_the_sections_is_not_based_on_the_name),
    TEST(sort_the_sections_any_way_you_please),
    TEST(the_object_of_a_section_need_not_be_searched_for),
    TEST(it_manages_two_entities_the_items_and_the_sections),
    TEST(when_you_delete_a_section_its_items_are_removed_from_the_table),
    TEST(sections_are_identified_by_a_unique_key_that_a_key_path_names),
    TEST(all_sections_has_those_that_sections_is_missing),
    TEST(a_section_info_of_all_sections_has_the_number_of_objects),
    TEST(a_section_info_has_the_object_of_the_section),
    TEST(insertion_and_deletion_of_sections_are_reported),
    TEST(you_will_also_be_informed_if_a_section_is_updated),
    TEST(no_section_change_is_reported_when_one_of_its_items_is_modified),
    TEST(delegates_are_notified_of_the_beginning_of_objects_of_sections_and_of_the_end),
    TEST(indexes_are_those_of_all_sections_with_and_without_items),
    TEST(changes_of_the_section_order_are_handled),
    END_OF_TESTS,
};
