/* Children that are inserted and removed while a collection is shown: one bracket each. */
#include "collections.h"
#include "kept.h"
#include "maps.h"
#include "test.h"

static void child_is_inserted(void)
{
    struct watched_collection c;
    fr_list *other;
    watch_collection(&c, SOME_ROWS);
    other = list_of(c.w.store, "b", NULL, "-k", NULL);
    c.w.recorder.shares_rows = true;
    CHECK_OK(fr_collection_insert(c.w.list, 1, other, NULL));
    CHECK_LOG(&c.w.recorder, "[insert section 1 (NULL); insert 1.0; insert 1.1; insert 1.2]");
    CHECK_LIST(c.w.list, "NULL: 1 2 | NULL: 13 12 11 | p: 11 | q: 12 13");
    CHECK_REPORTED(&c.w, "DELETE FROM b WHERE id = 12", "[delete 3.0; delete 1.1]");
    fr_list_free(other);
    unwatch_collection(&c);
}

static void minus_one_appends(void)
{
    struct watched_collection c;
    fr_list *other;
    watch_collection(&c, SOME_ROWS);
    other = list_of(c.w.store, "a", "s", "-k", NULL);
    c.w.recorder.shares_rows = true;
    CHECK_OK(fr_collection_insert(c.w.list, -1, other, NULL));
    CHECK_LOG(&c.w.recorder, "[insert section 3 (x); insert 3.0; insert 3.1]");
    CHECK_INT(place_of(c.w.list, other), 2);
    fr_list_free(other);
    unwatch_collection(&c);
}

static void child_is_removed(void)
{
    struct watched_collection c;
    watch_collection(&c, SOME_ROWS);
    CHECK_OK(fr_collection_remove(c.w.list, 1));
    CHECK_LOG(&c.w.recorder, "[delete section 2 (q); delete section 1 (p); delete 2.1; delete 2.0; delete 1.0]");
    CHECK_LIST(c.w.list, "1 2");
    CHECK_REPORTED(&c.w, "DELETE FROM b", "");
    CHECK_LIST(c.b, "");
    CHECK_OK(fr_collection_remove(c.w.list, 0));
    CHECK_LOG(&c.w.recorder, "[delete section 0 (NULL); delete 0.1; delete 0.0]");
    CHECK_REPORTED(&c.w, "DELETE FROM a", "");
    unwatch_collection(&c);
}

static void removed_child_may_be_inserted_again(void)
{
    struct watched_collection c;
    watch_collection(&c, SOME_ROWS);
    CHECK_OK(fr_collection_remove(c.w.list, 0));
    recorder_take(&c.w.recorder);
    run(c.w.store, "DELETE FROM a WHERE id = 1");
    CHECK_OK(fr_collection_insert(c.w.list, -1, c.a, NULL));
    CHECK_LOG(&c.w.recorder, "[insert section 2 (NULL); insert 2.0]");
    CHECK_REPORTED(&c.w, "DELETE FROM a", "[delete 2.0]");
    unwatch_collection(&c);
}

static void child_is_replaced_in_one_bracket(void)
{
    struct watched_collection c;
    fr_list *other, *known = NULL;
    watch_collection(&c, SOME_ROWS);
    other = list_of(c.w.store, "b", NULL, "-k", "k > 1");
    c.w.recorder.shares_rows = true;
    CHECK_OK(fr_collection_replace(c.w.list, 1, other, NULL));
    CHECK_LOG(&c.w.recorder,
              "[delete section 2 (q); delete section 1 (p); insert section 1 (NULL); delete 2.1; delete 2.0; "
              "delete 1.0; insert 1.0; insert 1.1]");
    CHECK_LIST(c.w.list, "NULL: 1 2 | NULL: 13 12");
    CHECK_INT(place_of(c.w.list, other), 1);
    CHECK_INT(place_of(c.w.list, c.b), -1);
    CHECK_OK(fr_collection_child(&known, c.w.list, 1));
    CHECK(known == other);
    CHECK_REPORTED(&c.w, "DELETE FROM b WHERE id = 13", "[delete 1.0]");
    fr_list_free(other);
    unwatch_collection(&c);
}

/* The same list may be inserted at its own place again. */
static void child_is_replaced_by_itself(void)
{
    struct watched_collection c;
    watch_collection(&c, SOME_ROWS);
    c.w.recorder.shares_rows = true;
    CHECK_OK(fr_collection_replace(c.w.list, 0, c.a, NULL));
    recorder_take(&c.w.recorder);
    CHECK_LIST(c.w.list, "NULL: 1 2 | p: 11 | q: 12 13");
    CHECK_REPORTED(&c.w, "DELETE FROM a WHERE id = 1", "[delete 0.0]");
    unwatch_collection(&c);
}

static void child_is_replaced_by_another_without_its_place(void)
{
    struct watched_collection c;
    fr_list *other;
    fr_placeholder *hint = placeholder_of("hint", NULL);
    watch_collection(&c, SOME_ROWS);
    other = list_of(c.w.store, "b", NULL, "-k", "k > 1");
    c.w.recorder.shares_rows = true;
    CHECK_OK(fr_collection_replace_child(c.w.list, c.b, other, NULL));
    CHECK_LOG(&c.w.recorder,
              "[delete section 2 (q); delete section 1 (p); insert section 1 (NULL); delete 2.1; delete 2.0; "
              "delete 1.0; insert 1.0; insert 1.1]");
    CHECK_STATUS(fr_collection_replace_child(c.w.list, c.b, other, NULL), FR_NOT_FOUND);
    CHECK_STATUS(fr_collection_replace_child(c.w.list, c.a, other, NULL), FR_MISUSE);
    CHECK_STATUS(fr_collection_replace_child(c.w.list, c.a, NULL, NULL), FR_MISUSE);
    CHECK_LOG(&c.w.recorder, "");
    CHECK_OK(fr_collection_replace_child(c.w.list, other, c.b, NULL));
    CHECK_OK(fr_collection_replace_child(c.w.list, c.b, c.b, hint));
    recorder_take(&c.w.recorder);
    CHECK_LIST(c.w.list, "NULL: 1 2 | p: 11 | q: 12 13");
    CHECK_REPORTED(&c.w, "DELETE FROM b",
                   "[delete section 2 (q); delete section 1 (p); insert section 1 (hint); delete 2.1; delete 2.0; "
                   "delete 1.0]");
    fr_placeholder_free(hint);
    fr_list_free(other);
    unwatch_collection(&c);
}

/* A child that the collection made of a request has a handle that belongs to the collection. */
static void child_that_the_collection_made_is_replaced(void)
{
    fr_store *store = store_with(TWO_TABLES SOME_ROWS);
    fr_request *request = request_of("a", NULL, "k", NULL);
    fr_list *collection = NULL, *child = NULL, *other = list_of(store, "b", "s", "k", NULL);
    CHECK_OK(fr_collection_new_with_requests(&collection, store, &request, 1));
    CHECK_OK(fr_list_perform_fetch(collection));
    CHECK_OK(fr_collection_child(&child, collection, 0));
    CHECK_OK(fr_collection_replace_child(collection, child, other, NULL));
    CHECK_LIST(collection, "p: 11 | q: 12 13");
    fr_request_free(request);
    fr_list_free(other);
    fr_list_free(collection);
    CHECK_OK(fr_store_close(store));
}

static void lists_without_sections_are_shown_if_the_collection_says_so(void)
{
    struct watched_collection c;
    bool shown = true;
    watch_collection(&c, "");
    CHECK_OK(fr_collection_shows_empty_lists(&shown, c.w.list));
    CHECK(!shown);
    CHECK_LIST(c.w.list, "");
    CHECK_OK(fr_collection_set_shows_empty_lists(c.w.list, true));
    CHECK_LOG(&c.w.recorder, "[insert section 1 (NULL)]");
    CHECK_OK(fr_collection_shows_empty_lists(&shown, c.w.list));
    CHECK(shown);
    CHECK_LIST(c.w.list, "NULL: | NULL:");
    CHECK_OK(fr_collection_set_shows_empty_lists(c.w.list, true));
    CHECK_LOG(&c.w.recorder, "");
    CHECK_REPORTED(&c.w, "INSERT INTO b VALUES (11, 'p', 1)",
                   "[delete section 1 (NULL); insert section 1 (p); insert 1.0]");
    CHECK_REPORTED(&c.w, "DELETE FROM b", "[delete section 1 (p); insert section 1 (NULL); delete 1.0]");
    CHECK_OK(fr_collection_set_shows_empty_lists(c.w.list, false));
    CHECK_LOG(&c.w.recorder, "[delete section 1 (NULL)]");
    CHECK_LIST(c.w.list, "");
    unwatch_collection(&c);
}

static void collection_of_requests_shows_lists_without_sections(void)
{
    fr_store *store = store_with(TWO_TABLES SOME_ROWS);
    fr_request *requests[] = {request_of("a", "s", "k", "k > 9"), request_of("b", "s", "k", NULL)};
    fr_list *collection = NULL;
    CHECK_OK(fr_collection_new_with_requests(&collection, store, requests, 2));
    CHECK_OK(fr_collection_set_shows_empty_lists(collection, true));
    CHECK_OK(fr_list_perform_fetch(collection));
    CHECK_LIST(collection, "NULL: | p: 11 | q: 12 13");
    fr_request_free(requests[0]);
    fr_request_free(requests[1]);
    fr_list_free(collection);
    CHECK_OK(fr_store_close(store));
}

static void empty_sectioned_child_delivers_nothing(void)
{
    struct watched_collection c;
    fr_list *other;
    watch_collection(&c, SOME_ROWS);
    other = list_of(c.w.store, "b", "s", NULL, "k > 99");
    CHECK_OK(fr_collection_insert(c.w.list, 0, other, NULL));
    CHECK_LOG(&c.w.recorder, "");
    CHECK_OK(fr_collection_remove(c.w.list, 0));
    CHECK_LOG(&c.w.recorder, "");
    fr_list_free(other);
    unwatch_collection(&c);
}

static void child_that_was_not_fetched_is_fetched(void)
{
    struct watched_collection c;
    fr_list *other;
    bool fetched = false;
    watch_collection(&c, SOME_ROWS);
    other = unfetched_list(c.w.store, "b", NULL, "-k", "k = 1");
    c.w.recorder.shares_rows = true;
    CHECK_OK(fr_collection_insert(c.w.list, 0, other, NULL));
    CHECK_OK(fr_list_is_fetched(&fetched, other));
    CHECK(fetched);
    CHECK_LOG(&c.w.recorder, "[insert section 0 (NULL); insert 0.0]");
    fr_list_free(other);
    unwatch_collection(&c);
}

static void child_that_can_not_be_fetched_is_not_inserted(void)
{
    struct watched_collection c;
    fr_list *other;
    int64_t number = 0;
    watch_collection(&c, SOME_ROWS);
    other = unfetched_list(c.w.store, "b", NULL, NULL, "abs(k) > 0");
    run(c.w.store, "UPDATE b SET k = -9223372036854775808 WHERE id = 11");
    recorder_take(&c.w.recorder);
    CHECK_STATUS(fr_collection_insert(c.w.list, 0, other, NULL), FR_ERROR);
    CHECK_STATUS(fr_collection_replace(c.w.list, 0, other, NULL), FR_ERROR);
    CHECK_OK(fr_collection_child_count(&number, c.w.list));
    CHECK_INT(number, 2);
    CHECK_LOG(&c.w.recorder, "");
    CHECK_REPORTED(&c.w, "DELETE FROM a WHERE id = 1", "[delete 0.0]");
    fr_list_free(other);
    unwatch_collection(&c);
}

static void objects_of_a_child_that_came_and_went(void)
{
    struct watched_collection c;
    fr_change_set *changes;
    fr_object *object = NULL;
    watch_collection(&c, SOME_ROWS);
    keep_changes(c.w.list, &changes);
    CHECK_OK(fr_collection_remove(c.w.list, 1));
    REQUIRE(CHECK(changes != NULL));
    CHECK_OK(fr_change_set_object(&object, changes, 2));
    CHECK_TEXT(object_text(object, "id"), "13");
    fr_object_unref(object);
    fr_change_set_unref(changes);
    unwatch_collection(&c);
}

static void section_objects_of_a_map_that_is_inserted(void)
{
    fr_store *store = store_with(TWO_TABLES SOME_ROWS LISTS_AND_TASKS SOME_TASKS);
    fr_list *flat = list_of(store, "a", NULL, "k", NULL), *map = task_map(store, NULL);
    fr_change_set *changes;
    fr_object *list = NULL;
    struct watched w;
    watch_list(&w, store, collection_of(flat, NULL, NULL));
    keep_changes(w.list, &changes);
    w.recorder.shares_rows = true;
    CHECK_OK(fr_collection_insert(w.list, 0, map, NULL));
    CHECK_LOG(&w.recorder,
              "[insert section 0 (30); insert section 1 (10); insert section 2 (20); insert section 3 (NULL); "
              "insert 0.0; insert 1.0; insert 1.1; insert 3.0]");
    REQUIRE(CHECK(changes != NULL));
    REQUIRE(CHECK_OK(fr_change_set_section_object(&list, changes, 2)));
    CHECK_TEXT(object_text(list, "title"), "home");
    fr_object_unref(list);
    CHECK_STATUS(fr_change_set_section_object(&list, changes, 3), FR_NOT_FOUND);
    CHECK_OK(fr_collection_remove(w.list, 0));
    REQUIRE(CHECK_OK(fr_change_set_section_object(&list, changes, 1)));
    CHECK_TEXT(object_text(list, "title"), "home");
    fr_object_unref(list);
    fr_change_set_unref(changes);
    fr_list_free(flat);
    fr_list_free(map);
    unwatch(&w);
}

static void collection_is_inserted_and_removed_as_a_child(void)
{
    struct watched_collection c;
    struct recorder of_outer;
    fr_list *outer;
    watch_collection(&c, SOME_ROWS);
    outer = collection_of(NULL, NULL, NULL);
    recorder_start(&of_outer, outer);
    CHECK_OK(fr_collection_insert(outer, 0, c.w.list, NULL));
    CHECK_LOG(&of_outer,
              "[insert section 0 (NULL); insert section 1 (p); insert section 2 (q); insert 0.0; insert 0.1; "
              "insert 1.0; insert 2.0; insert 2.1]");
    CHECK_OK(fr_collection_remove(c.w.list, 1));
    CHECK_LOG(&of_outer, "[delete section 2 (q); delete section 1 (p); delete 2.1; delete 2.0; delete 1.0]");
    CHECK_OK(fr_collection_insert(c.w.list, 0, c.b, NULL));
    recorder_take(&of_outer);
    CHECK_LIST(outer, "p: 11 | q: 12 13 | NULL: 1 2");
    CHECK_OK(fr_collection_remove(outer, 0));
    CHECK_LIST(outer, "");
    CHECK_INT(of_outer.brackets, 4);
    fr_list_free(outer);
    recorder_free(&of_outer);
    unwatch_collection(&c);
}

static void children_of_a_collection_that_is_not_fetched_deliver_nothing(void)
{
    fr_store *store = store_with(TWO_TABLES SOME_ROWS);
    fr_list *a = unfetched_list(store, "a", NULL, "k", NULL), *b = unfetched_list(store, "b", "s", "k", NULL);
    fr_list *collection = NULL, *child = NULL;
    fr_change_set *changes;
    bool fetched = true;
    CHECK_OK(fr_collection_new(&collection));
    keep_changes(collection, &changes);
    CHECK_OK(fr_collection_insert(collection, -1, a, NULL));
    CHECK_OK(fr_collection_replace(collection, 0, b, NULL));
    CHECK_OK(fr_collection_insert(collection, -1, a, NULL));
    CHECK_OK(fr_collection_remove(collection, 0));
    CHECK_OK(fr_list_is_fetched(&fetched, a));
    CHECK(!fetched);
    CHECK_OK(fr_collection_child(&child, collection, 0));
    CHECK(child == a);
    CHECK(changes == NULL);
    CHECK_OK(fr_list_perform_fetch(collection));
    CHECK_LIST(collection, "1 2");
    fr_list_free(a);
    fr_list_free(b);
    fr_list_free(collection);
    CHECK_OK(fr_store_close(store));
}

/*
 * A child remains in its collection when its handle is freed; its own observers are not notified
 * any more.
 */
static void freeing_a_child_s_handle(void)
{
    struct watched_collection c;
    struct recorder of_child;
    fr_list *child = c.a;
    watch_collection(&c, SOME_ROWS);
    recorder_start(&of_child, c.b);
    fr_list_free(c.b);
    CHECK_INT(of_child.destroyed, 1);
    CHECK_REPORTED(&c.w, "DELETE FROM b WHERE id = 11", "[delete section 1 (p); delete 1.0]");
    CHECK_LOG(&of_child, "");
    CHECK_CONTENTS(c.w.list, "NULL: 1(1, x, 1) 2(2, x, 2) | q: 12(12, q, 2) 13(13, q, 3)");
    CHECK_STATUS(fr_collection_insert(c.w.list, 0, c.b, NULL), FR_MISUSE);
    CHECK_OK(fr_collection_child(&child, c.w.list, 1));
    REQUIRE(child != NULL && child != c.b);
    CHECK_LIST(child, "q: 12 13");
    CHECK_OK(fr_list_perform_fetch(c.w.list));
    CHECK_LIST(c.w.list, "NULL: 1 2 | q: 12 13");
    CHECK_REPORTED(&c.w, "UPDATE b SET k = 9 WHERE id = 12", "[move 1.0>1.1 {k}]");
    CHECK_OK(fr_collection_remove(c.w.list, 1));
    CHECK_LIST(c.w.list, "1 2");
    recorder_free(&of_child);
    unwatch_collection(&c);
}

static void freeing_a_map_s_handle(void)
{
    fr_store *store = store_with(TWO_TABLES SOME_ROWS LISTS_AND_TASKS SOME_TASKS);
    fr_list *map = task_map(store, NULL);
    struct watched w;
    watch_list(&w, store, collection_of(map, NULL, NULL));
    fr_list_free(map);
    CHECK_REPORTED(&w, "UPDATE lists SET position = 9 WHERE id = 30", "[move section 0>2 (30) {position}]");
    CHECK_REPORTED(&w, "DELETE FROM tasks WHERE id = 1", "[delete 0.0]");
    unwatch(&w);
}

static void freeing_an_inner_collection_s_handle(void)
{
    fr_store *store = store_with(TWO_TABLES SOME_ROWS);
    fr_list *a = list_of(store, "a", NULL, "k", NULL), *inner = collection_of(a, NULL, NULL);
    struct watched w;
    watch_list(&w, store, collection_of(inner, NULL, NULL));
    fr_list_free(a);
    fr_list_free(inner);
    CHECK_REPORTED(&w, "DELETE FROM a WHERE id = 1", "[delete 0.0]");
    CHECK_LIST(w.list, "2");
    unwatch(&w);
}

static void freeing_the_collection_leaves_the_children(void)
{
    struct watched_collection c;
    struct recorder of_child;
    fr_list *other;
    watch_collection(&c, SOME_ROWS);
    recorder_start(&of_child, c.b);
    fr_list_free(c.w.list);
    CHECK_INT(c.w.recorder.destroyed, 1);
    run(c.w.store, "DELETE FROM b WHERE id = 12");
    CHECK_LOG(&of_child, "[delete 1.0]");
    other = collection_of(c.b, c.a, NULL);
    CHECK_LIST(other, "p: 11 | q: 13 | NULL: 1 2");
    fr_list_free(other);
    fr_list_free(c.a);
    fr_list_free(c.b);
    recorder_free(&of_child);
    recorder_free(&c.w.recorder);
    CHECK_OK(fr_store_close(c.w.store));
}

static void children_and_their_places(void)
{
    struct watched_collection c;
    fr_list *child = NULL, *other;
    watch_collection(&c, SOME_ROWS);
    other = list_of(c.w.store, "a", NULL, NULL, NULL);
    CHECK_OK(fr_collection_child(&child, c.w.list, 0));
    CHECK(child == c.a);
    CHECK_OK(fr_collection_child(&child, c.w.list, 1));
    CHECK(child == c.b);
    CHECK_INT(place_of(c.w.list, c.a), 0);
    CHECK_INT(place_of(c.w.list, c.b), 1);
    CHECK_INT(place_of(c.w.list, other), -1);
    CHECK_INT(place_of(c.w.list, c.w.list), -1);
    fr_list_free(other);
    unwatch_collection(&c);
}

TESTS(collection_children_tests) = {
    TEST(child_is_inserted),
    TEST(minus_one_appends),
    TEST(child_is_removed),
    TEST(removed_child_may_be_inserted_again),
    TEST(child_is_replaced_in_one_bracket),
    TEST(child_is_replaced_by_itself),
    TEST(child_is_replaced_by_another_without_its_place),
    TEST(child_that_the_collection_made_is_replaced),
    TEST(lists_without_sections_are_shown_if_the_collection_says_so),
    TEST(collection_of_requests_shows_lists_without_sections),
    TEST(empty_sectioned_child_delivers_nothing),
    TEST(child_that_was_not_fetched_is_fetched),
    TEST(child_that_can_not_be_fetched_is_not_inserted),
    TEST(objects_of_a_child_that_came_and_went),
    TEST(section_objects_of_a_map_that_is_inserted),
    TEST(collection_is_inserted_and_removed_as_a_child),
    TEST(children_of_a_collection_that_is_not_fetched_deliver_nothing),
    TEST(freeing_a_child_s_handle),
    TEST(freeing_a_map_s_handle),
    TEST(freeing_an_inner_collection_s_handle),
    TEST(freeing_the_collection_leaves_the_children),
    TEST(children_and_their_places),
    END_OF_TESTS,
};
