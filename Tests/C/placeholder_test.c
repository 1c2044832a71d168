/* Placeholders: sections without objects, as children and in the place of empty lists. */
#include "collections.h"
#include "test.h"

static void placeholder_is_a_section_without_objects(void)
{
    struct watched_collection c;
    fr_placeholder *hint = placeholder_of("hint", "!");
    fr_section_info section;
    fr_object *object = NULL;
    fr_index_path path;
    fr_list *child = NULL;
    int64_t number = -1;
    watch_collection(&c, SOME_ROWS);
    CHECK_OK(fr_collection_insert_placeholder(c.w.list, 1, hint));
    CHECK_LOG(&c.w.recorder, "[insert section 1 (hint)]");
    CHECK_LIST(c.w.list, "NULL: 1 2 | hint: | p: 11 | q: 12 13");
    CHECK_OK(fr_list_section(&section, c.w.list, 1));
    CHECK_TEXT(section.name, "hint");
    CHECK_TEXT(section.index_title, "!");
    CHECK_INT(section.count, 0);
    CHECK_INT(section.index, 1);
    CHECK_OK(fr_list_row_count(&number, c.w.list, 1));
    CHECK_INT(number, 0);
    CHECK_STATUS(fr_list_object_at(&object, c.w.list, path_at(1, 0)), FR_RANGE);
    CHECK_STATUS(fr_list_index_of(&number, c.w.list, path_at(1, 0)), FR_RANGE);
    CHECK_STATUS(fr_list_section_object(&object, c.w.list, 1), FR_NOT_FOUND);
    CHECK_OK(fr_list_index_path_at(&path, c.w.list, 2));
    CHECK_INT(path.section, 2);
    CHECK_OK(fr_collection_child(&child, c.w.list, 1));
    CHECK(child == NULL);
    CHECK_OK(fr_collection_index_of_placeholder(&number, c.w.list, hint));
    CHECK_INT(number, 1);
    CHECK_OK(fr_collection_child_of_section(&number, c.w.list, 1));
    CHECK_INT(number, 1);
    CHECK_OK(fr_collection_child_count(&number, c.w.list));
    CHECK_INT(number, 3);
    CHECK_TEXT(index_titles_text(c.w.list), "!@1 P@2 Q@3");
    CHECK_REPORTED(&c.w, "DELETE FROM b WHERE id = 11", "[delete section 2 (p); delete 2.0]");
    CHECK_OK(fr_collection_remove(c.w.list, 1));
    CHECK_LOG(&c.w.recorder, "[delete section 1 (hint)]");
    fr_placeholder_free(hint);
    unwatch_collection(&c);
}

static void placeholder_without_name_and_title(void)
{
    fr_placeholder *line = placeholder_of(NULL, NULL);
    fr_list *collection = NULL;
    fr_section_info section;
    CHECK_OK(fr_collection_new(&collection));
    CHECK_OK(fr_collection_insert_placeholder(collection, -1, line));
    CHECK_OK(fr_list_perform_fetch(collection));
    CHECK_OK(fr_list_section(&section, collection, 0));
    CHECK_TEXT(section.name, NULL);
    CHECK_TEXT(section.index_title, NULL);
    CHECK_TEXT(index_titles_text(collection), "");
    fr_placeholder_free(line);
    fr_list_free(collection);
}

static void placeholder_takes_the_place_of_a_list(void)
{
    struct watched_collection c;
    fr_placeholder *hint = placeholder_of("hint", NULL);
    int64_t number = 0;
    watch_collection(&c, SOME_ROWS);
    CHECK_OK(fr_collection_replace_with_placeholder(c.w.list, 0, hint));
    CHECK_LOG(&c.w.recorder, "[delete section 0 (NULL); insert section 0 (hint); delete 0.1; delete 0.0]");
    CHECK_OK(fr_collection_replace(c.w.list, 0, c.a, NULL));
    CHECK_LOG(&c.w.recorder, "[delete section 0 (hint); insert section 0 (NULL); insert 0.0; insert 0.1]");
    CHECK_STATUS(fr_collection_index_of_placeholder(&number, c.w.list, hint), FR_NOT_FOUND);
    fr_placeholder_free(hint);
    unwatch_collection(&c);
}

static void other_name_and_title_are_updates(void)
{
    struct watched_collection c;
    fr_placeholder *hint = placeholder_of("hint", NULL);
    watch_collection(&c, SOME_ROWS);
    CHECK_OK(fr_collection_insert_placeholder(c.w.list, 1, hint));
    recorder_take(&c.w.recorder);
    CHECK_OK(fr_placeholder_set_name(hint, "3 results"));
    CHECK_LOG(&c.w.recorder, "[update section 1>1 (3 results) {0}]");
    CHECK_LIST(c.w.list, "NULL: 1 2 | 3 results: | p: 11 | q: 12 13");
    CHECK_OK(fr_placeholder_set_name(hint, "3 results"));
    CHECK_LOG(&c.w.recorder, "");
    CHECK_OK(fr_placeholder_set_index_title(hint, "#"));
    CHECK_LOG(&c.w.recorder, "[update section 1>1 (3 results) {1}]");
    CHECK_TEXT(index_titles_text(c.w.list), "#@1 P@2 Q@3");
    CHECK_OK(fr_placeholder_set_index_title(hint, NULL));
    CHECK_OK(fr_placeholder_set_name(hint, NULL));
    CHECK_LOG(&c.w.recorder, "[update section 1>1 (3 results) {1}][update section 1>1 (NULL) {0}]");
    CHECK_TEXT(index_titles_text(c.w.list), "P@2 Q@3");
    fr_placeholder_free(hint);
    unwatch_collection(&c);
}

static void freed_placeholder_is_still_shown(void)
{
    struct watched_collection c;
    fr_placeholder *hint = placeholder_of("hint", "h"), *none = placeholder_of("none", NULL);
    watch_collection(&c, SOME_ROWS);
    CHECK_OK(fr_collection_insert_placeholder(c.w.list, 0, hint));
    c.w.recorder.shares_rows = true;
    CHECK_OK(fr_collection_replace(c.w.list, 2, c.b, none));
    fr_placeholder_free(hint);
    fr_placeholder_free(none);
    fr_placeholder_free(NULL);
    recorder_take(&c.w.recorder);
    CHECK_REPORTED(&c.w, "DELETE FROM b WHERE s = 'q'; DELETE FROM b",
                   "[delete section 3 (q); delete 3.1; delete 3.0]"
                   "[delete section 2 (p); insert section 2 (none); delete 2.0]");
    CHECK_LIST(c.w.list, "hint: | NULL: 1 2 | none:");
    unwatch_collection(&c);
}

/* When its collection is freed, a placeholder can be used in another one. */
static void placeholder_may_be_used_again(void)
{
    fr_placeholder *hint = placeholder_of("hint", NULL);
    fr_list *first = NULL, *second = NULL;
    CHECK_OK(fr_collection_new(&first));
    CHECK_OK(fr_collection_new(&second));
    CHECK_OK(fr_collection_insert_placeholder(first, -1, hint));
    CHECK_STATUS(fr_collection_insert_placeholder(second, -1, hint), FR_MISUSE);
    CHECK_OK(fr_collection_remove(first, 0));
    CHECK_OK(fr_collection_insert_placeholder(second, -1, hint));
    fr_list_free(second);
    CHECK_OK(fr_list_perform_fetch(first));
    CHECK_OK(fr_collection_insert_placeholder(first, -1, hint));
    CHECK_LIST(first, "hint:");
    CHECK_OK(fr_placeholder_set_name(hint, "again"));
    CHECK_LIST(first, "again:");
    fr_list_free(first);
    fr_placeholder_free(hint);
}

static void texts_must_be_valid(void)
{
    fr_placeholder *hint = placeholder_of("hint", "h"), *made = NULL;
    fr_list *collection = NULL;
    CHECK_STATUS(fr_placeholder_new(NULL, "a", "b"), FR_MISUSE);
    CHECK_STATUS(fr_placeholder_new(&made, "\xff", NULL), FR_INVALID_UTF8);
    CHECK_STATUS(fr_placeholder_new(&made, NULL, "\xff"), FR_INVALID_UTF8);
    CHECK(made == NULL);
    CHECK_STATUS(fr_placeholder_set_name(NULL, "a"), FR_MISUSE);
    CHECK_STATUS(fr_placeholder_set_index_title(NULL, "a"), FR_MISUSE);
    CHECK_STATUS(fr_placeholder_set_name(hint, "\xff"), FR_INVALID_UTF8);
    CHECK_STATUS(fr_placeholder_set_index_title(hint, "\xff"), FR_INVALID_UTF8);
    CHECK_OK(fr_collection_new(&collection));
    CHECK_OK(fr_collection_insert_placeholder(collection, -1, hint));
    CHECK_OK(fr_list_perform_fetch(collection));
    CHECK_LIST(collection, "hint:");
    fr_list_free(collection);
    fr_placeholder_free(hint);
}

TESTS(placeholder_tests) = {
    TEST(placeholder_is_a_section_without_objects),
    TEST(placeholder_without_name_and_title),
    TEST(placeholder_takes_the_place_of_a_list),
    TEST(other_name_and_title_are_updates),
    TEST(freed_placeholder_is_still_shown),
    TEST(placeholder_may_be_used_again),
    TEST(texts_must_be_valid),
    END_OF_TESTS,
};
