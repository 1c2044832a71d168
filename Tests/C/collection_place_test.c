/* Places in a collection: by number, by identity, by object, by index title. */
#include "collections.h"
#include "test.h"

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

/* An object is searched in the child that it was read from. */
static void one_row_in_several_children(void)
{
    fr_store *store = store_with(TWO_TABLES SOME_ROWS);
    fr_list *up = list_of(store, "a", NULL, "k", NULL), *down = list_of(store, "a", NULL, "-k", NULL);
    fr_list *some = list_of(store, "a", NULL, NULL, "k > 1"), *collection = collection_of(up, down, some);
    fr_index_path place, found;
    CHECK_LIST(collection, "NULL: 1 2 | NULL: 2 1 | NULL: 2");
    for (place.section = 0; place.section < 3; place.section++) {
        int64_t rows = 0;
        CHECK_OK(fr_list_row_count(&rows, collection, place.section));
        for (place.row = 0; place.row < rows; place.row++) {
            fr_object *object = NULL;
            CHECK_OK(fr_list_object_at(&object, collection, place));
            CHECK_OK(fr_list_index_path_of(&found, collection, object));
            CHECK_INT(found.section, place.section);
            CHECK_INT(found.row, place.row);
            fr_object_unref(object);
        }
    }
    fr_list_free(up);
    fr_list_free(down);
    fr_list_free(some);
    fr_list_free(collection);
    CHECK_OK(fr_store_close(store));
}

static void object_that_its_child_does_not_show_any_more_is_found_in_another(void)
{
    fr_store *store = store_with(TWO_TABLES SOME_ROWS);
    fr_list *all = list_of(store, "a", NULL, "k", NULL), *some = list_of(store, "a", NULL, NULL, "k < 9");
    fr_list *collection = collection_of(all, some, NULL);
    fr_index_path path = {-1, -1};
    fr_object *object = NULL;
    REQUIRE(CHECK_OK(fr_list_object_at(&object, collection, path_at(1, 1))));
    run(store, "UPDATE a SET k = 9 WHERE id = 2");
    CHECK_OK(fr_list_index_path_of(&path, collection, object));
    CHECK_INT(path.section, 0);
    CHECK_INT(path.row, 1);
    fr_object_unref(object);
    fr_list_free(all);
    fr_list_free(some);
    fr_list_free(collection);
    CHECK_OK(fr_store_close(store));
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

TESTS(collection_place_tests) = {
    TEST(reads_by_place_and_number),
    TEST(places_out_of_range),
    TEST(identity_of_no_child),
    TEST(one_row_in_several_children),
    TEST(object_that_its_child_does_not_show_any_more_is_found_in_another),
    TEST(index_titles_are_the_children_s),
    TEST(index_title_function_of_a_child),
    END_OF_TESTS,
};
