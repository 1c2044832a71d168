/* A collection reports its children's changes: one bracket for each commit, in its own numbers. */
#include "collections.h"
#include "kept.h"
#include "maps.h"
#include "test.h"

static void rows_of_the_second_child(void)
{
    struct watched_collection c;
    watch_collection(&c, SOME_ROWS);
    CHECK_REPORTED(&c.w, "UPDATE b SET k = 9 WHERE id = 12", "[move 2.0>2.1 {k}]");
    CHECK_REPORTED(&c.w, "DELETE FROM b WHERE id = 13", "[delete 2.0]");
    CHECK_REPORTED(&c.w, "UPDATE b SET s = 'p' WHERE id = 12", "[delete section 2 (q); move 2.0>1.1 {s}]");
    CHECK_LIST(c.w.list, "NULL: 1 2 | p: 11 12");
    unwatch_collection(&c);
}

static void one_commit_that_touches_two_children_is_one_bracket(void)
{
    struct watched_collection c;
    watch_collection(&c, SOME_ROWS);
    run(c.w.store, "BEGIN; DELETE FROM a WHERE id = 1; INSERT INTO a VALUES (3, NULL, 0); DELETE FROM b WHERE id = 11;"
                   "INSERT INTO b VALUES (14, 'z', 0), (15, 'a', 0); UPDATE b SET k = 8 WHERE id = 13; COMMIT");
    CHECK_LOG(&c.w.recorder,
              "[delete section 1 (p); insert section 1 (a); insert section 3 (z); delete 1.0; delete 0.0; "
              "insert 0.0; insert 1.0; insert 3.0; update 2.1>2.1 {k}]");
    CHECK_LIST(c.w.list, "NULL: 3 2 | a: 15 | q: 12 13 | z: 14");
    unwatch_collection(&c);
}

/*
 * Sections that are inserted and deleted in an earlier child shift those of a later one, whose
 * records count them.
 */
static void changes_of_an_earlier_child_shift_those_of_a_later_one(void)
{
    fr_store *store = store_with(TWO_TABLES SOME_ROWS);
    fr_list *b = list_of(store, "b", "s", "k", NULL), *a = list_of(store, "a", "s", "k", NULL);
    struct watched w;
    watch_list(&w, store, collection_of(b, a, NULL));
    CHECK_LIST(w.list, "p: 11 | q: 12 13 | x: 1 2");
    run(store, "BEGIN; DELETE FROM b WHERE s = 'q'; INSERT INTO a VALUES (5, 'y', 5); UPDATE a SET k = 0 WHERE id = 1; "
               "COMMIT");
    CHECK_LOG(&w.recorder, "[delete section 1 (q); insert section 2 (y); delete 1.1; delete 1.0; insert 2.0; "
                           "update 2.0>1.0 {k}]");
    fr_list_free(a);
    fr_list_free(b);
    unwatch(&w);
}

static void commit_that_touches_no_child_delivers_nothing(void)
{
    struct watched_collection c;
    watch_collection(&c, SOME_ROWS "CREATE TABLE c(id);");
    CHECK_REPORTED(&c.w, "INSERT INTO c VALUES (1); UPDATE a SET k = k", "");
    unwatch_collection(&c);
}

static void children_keep_observers_of_their_own(void)
{
    struct watched_collection c;
    struct recorder of_child;
    struct text log = {NULL, 0, 0};
    watch_collection(&c, SOME_ROWS);
    recorder_start_shared(&of_child, c.b, "b", &log);
    run(c.w.store, "DELETE FROM b WHERE id = 11");
    CHECK_LOG(&c.w.recorder, "[delete section 1 (p); delete 1.0]");
    CHECK_TEXT(text_get(&log), "b[delete section 0 (p); delete 0.0]");
    text_free(&log);
    unwatch_collection(&c);
    recorder_free(&of_child);
}

struct peek {
    fr_list *other;
    struct text log;
};

static void peek_will(fr_list *controller, void *user_data)
{
    struct peek *peek = user_data;
    (void)controller;
    text_add(&peek->log, "will %s;", list_text(peek->other));
}

static void peek_did(fr_list *controller, void *user_data)
{
    struct peek *peek = user_data;
    (void)controller;
    text_add(&peek->log, "did %s;", list_text(peek->other));
}

/*
 * Child and collection switch together: each shows the old state in the other's will_change, and
 * the new one after.
 */
static void child_and_collection_switch_together(void)
{
    fr_observer observer = {sizeof observer, peek_will, NULL, NULL, peek_did, NULL, NULL, NULL};
    struct watched_collection c;
    struct peek of_child = {NULL, {NULL, 0, 0}}, of_collection = {NULL, {NULL, 0, 0}};
    watch_collection(&c, SOME_ROWS);
    of_child.other = c.w.list;
    of_collection.other = c.b;
    CHECK_OK(fr_list_add_observer(NULL, c.b, &observer, &of_child, NULL));
    CHECK_OK(fr_list_add_observer(NULL, c.w.list, &observer, &of_collection, NULL));
    CHECK_LIST(c.w.list, "NULL: 1 2 | p: 11 | q: 12 13");
    run(c.w.store, "DELETE FROM b WHERE id = 12");
    CHECK_TEXT(text_get(&of_child.log), "will NULL: 1 2 | p: 11 | q: 12 13;did NULL: 1 2 | p: 11 | q: 13;");
    CHECK_TEXT(text_get(&of_collection.log), "will p: 11 | q: 12 13;did p: 11 | q: 13;");
    text_free(&of_child.log);
    text_free(&of_collection.log);
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

/*
 * Rows that leave one child and enter another are a delete and an insert: they are rows of two
 * lists.
 */
static void row_that_changes_its_child(void)
{
    fr_store *store = store_with(TWO_TABLES SOME_ROWS);
    fr_list *low = list_of(store, "b", NULL, "k", "k < 3"), *high = list_of(store, "b", NULL, "k", "k >= 3");
    struct watched w;
    watch_list(&w, store, collection_of(low, high, NULL));
    w.recorder.shares_rows = true;
    CHECK_LIST(w.list, "NULL: 11 12 | NULL: 13");
    CHECK_REPORTED(&w, "UPDATE b SET k = 7 WHERE id = 11", "[delete 0.0; insert 1.1]");
    fr_list_free(low);
    fr_list_free(high);
    unwatch(&w);
}

static void same_row_changed_in_several_children(void)
{
    fr_store *store = store_with(TWO_TABLES SOME_ROWS);
    fr_list *up = list_of(store, "a", NULL, "k", NULL), *down = list_of(store, "a", NULL, "-k", NULL);
    struct watched w;
    watch_list(&w, store, collection_of(up, down, NULL));
    w.recorder.shares_rows = true;
    CHECK_REPORTED(&w, "UPDATE a SET s = 'y' WHERE id = 1", "[update 0.0>0.0 {s}; update 1.1>1.1 {s}]");
    CHECK_REPORTED(&w, "UPDATE a SET k = 9 WHERE id = 1", "[move 0.0>0.1 {k}; move 1.1>1.0 {k}]");
    CHECK_REPORTED(&w, "DELETE FROM a WHERE id = 2", "[delete 1.1; delete 0.0]");
    fr_list_free(up);
    fr_list_free(down);
    unwatch(&w);
}

static void sections_of_a_map_in_a_collection(void)
{
    fr_store *store = store_with(TWO_TABLES SOME_ROWS LISTS_AND_TASKS SOME_TASKS);
    fr_list *flat = list_of(store, "a", NULL, "k", NULL), *map = task_map(store, NULL);
    fr_change_set *changes;
    fr_object *list = NULL;
    struct watched w;
    watch_list(&w, store, collection_of(flat, map, NULL));
    keep_changes(w.list, &changes);
    run(store, "UPDATE lists SET position = 9, title = 'yard' WHERE id = 30");
    CHECK_LOG(&w.recorder, "[move section 1>3 (30) {title position}]");
    CHECK_OK(fr_change_set_section_object(&list, changes, 0));
    CHECK_TEXT(object_text(list, "title"), "yard");
    fr_object_unref(list);
    CHECK_REPORTED(&w, "UPDATE lists SET title = 'x' WHERE id = 20", "[update section 2>2 (20) {title}]");
    CHECK_REPORTED(&w, "BEGIN; DELETE FROM lists WHERE id = 10; DELETE FROM a WHERE id = 1; COMMIT",
                   "[delete section 1 (10); delete 1.1; delete 1.0; delete 0.0]");
    CHECK_LIST(w.list, "NULL: 2 | 20: | 30: 3 | NULL: 4");
    fr_change_set_unref(changes);
    fr_list_free(flat);
    fr_list_free(map);
    unwatch(&w);
}

static void outer_collections_are_notified_in_the_same_bracket(void)
{
    struct watched_collection c;
    struct recorder of_outer;
    fr_list *other, *outer;
    watch_collection(&c, SOME_ROWS);
    other = list_of(c.w.store, "b", NULL, "-k", NULL);
    outer = collection_of(other, c.w.list, NULL);
    recorder_start(&of_outer, outer);
    of_outer.shares_rows = true;
    run(c.w.store, "BEGIN; DELETE FROM b WHERE id = 12; UPDATE a SET k = 0 WHERE id = 1; COMMIT");
    CHECK_LOG(&c.w.recorder, "[delete 2.0; update 0.0>0.0 {k}]");
    CHECK_LOG(&of_outer, "[delete 3.0; delete 0.1; update 1.0>1.0 {k}]");
    fr_list_free(other);
    fr_list_free(outer);
    recorder_free(&of_outer);
    unwatch_collection(&c);
}

/* The same list on two paths: once itself, once in a collection. */
static void list_reached_by_two_ways(void)
{
    struct watched_collection c;
    struct recorder of_outer;
    fr_list *outer;
    watch_collection(&c, SOME_ROWS);
    outer = collection_of(c.a, c.w.list, NULL);
    recorder_start(&of_outer, outer);
    of_outer.shares_rows = true;
    run(c.w.store, "DELETE FROM a WHERE id = 1");
    CHECK_LOG(&of_outer, "[delete 1.0; delete 0.0]");
    CHECK_INT(of_outer.brackets, 1);
    fr_list_free(outer);
    recorder_free(&of_outer);
    unwatch_collection(&c);
}

static void one_list_in_two_collections(void)
{
    struct watched_collection c;
    struct recorder of_other;
    fr_list *other;
    watch_collection(&c, SOME_ROWS);
    other = collection_of(c.b, NULL, NULL);
    recorder_start(&of_other, other);
    run(c.w.store, "DELETE FROM b WHERE id = 12");
    CHECK_LOG(&c.w.recorder, "[delete 2.0]");
    CHECK_LOG(&of_other, "[delete 1.0]");
    fr_list_free(other);
    recorder_free(&of_other);
    unwatch_collection(&c);
}

static void request_of_a_child_may_be_replaced(void)
{
    struct watched_collection c;
    fr_request *request = request_of("b", NULL, "-k", "k < 3"), *sectioned = request_of("a", "s", NULL, "k > 5");
    watch_collection(&c, SOME_ROWS);
    CHECK_OK(fr_controller_set_request(c.b, request));
    CHECK_LIST(c.w.list, "NULL: 1 2 | NULL: 12 11");
    CHECK_INT(c.w.recorder.brackets, 1);
    CHECK_OK(fr_controller_set_request(c.a, sectioned));
    CHECK_LIST(c.w.list, "12 11");
    CHECK_INT(c.w.recorder.brackets, 2);
    fr_request_free(request);
    fr_request_free(sectioned);
    unwatch_collection(&c);
}

static void fetching_a_child_by_itself_is_a_reload(void)
{
    struct watched_collection c;
    watch_collection(&c, SOME_ROWS);
    CHECK_OK(fr_list_perform_fetch(c.b));
    CHECK_LOG(&c.w.recorder, "[reload]");
    CHECK_LIST(c.w.list, "NULL: 1 2 | p: 11 | q: 12 13");
    CHECK_OK(fr_list_perform_fetch(c.w.list));
    CHECK_LOG(&c.w.recorder, "");
    CHECK_REPORTED(&c.w, "DELETE FROM b WHERE id = 11", "[delete section 1 (p); delete 1.0]");
    unwatch_collection(&c);
}

static void fetching_an_inner_collection_is_a_reload_of_the_outer_one(void)
{
    struct watched_collection c;
    struct recorder of_outer;
    fr_list *outer;
    watch_collection(&c, SOME_ROWS);
    outer = collection_of(c.w.list, NULL, NULL);
    recorder_start(&of_outer, outer);
    CHECK_OK(fr_list_perform_fetch(c.w.list));
    CHECK_LOG(&of_outer, "[reload]");
    CHECK_LOG(&c.w.recorder, "");
    CHECK_OK(fr_list_perform_fetch(c.a));
    CHECK_LOG(&of_outer, "[reload]");
    CHECK_LOG(&c.w.recorder, "[reload]");
    fr_list_free(outer);
    recorder_free(&of_outer);
    unwatch_collection(&c);
}

static void paused_child(void)
{
    struct watched_collection c;
    watch_collection(&c, SOME_ROWS);
    CHECK_OK(fr_controller_pause(c.b));
    CHECK_REPORTED(&c.w, "BEGIN; DELETE FROM b WHERE id = 11; DELETE FROM a WHERE id = 1; COMMIT", "[delete 0.0]");
    CHECK_LIST(c.w.list, "NULL: 2 | p: 11 | q: 12 13");
    CHECK_OK(fr_controller_resume(c.b, false));
    CHECK_LOG(&c.w.recorder, "[delete section 1 (p); delete 1.0]");
    CHECK_OK(fr_controller_pause(c.b));
    CHECK_OK(fr_controller_resume(c.b, true));
    CHECK_LOG(&c.w.recorder, "[reload]");
    unwatch_collection(&c);
}

/*
 * The collection's observers are notified of a child without a valid state; the other children
 * continue.
 */
static void child_that_can_not_be_read(void)
{
    struct watched_collection c;
    watch_collection(&c, SOME_ROWS);
    CHECK_REPORTED(&c.w, "ALTER TABLE b RENAME TO away", "!FR_SCHEMA");
    CHECK_REPORTED(&c.w, "DELETE FROM a WHERE id = 1", "[delete 0.0]");
    CHECK_REPORTED(&c.w, "DELETE FROM away WHERE id = 11; ALTER TABLE away RENAME TO b",
                   "[delete section 1 (p); delete 1.0]");
    CHECK_LIST(c.w.list, "NULL: 2 | q: 12 13");
    unwatch_collection(&c);
}

static void several_stores_deliver_each_for_itself(void)
{
    fr_store *one = store_with(TWO_TABLES SOME_ROWS), *two = store_with(TWO_TABLES SOME_ROWS);
    fr_list *a = list_of(one, "a", NULL, "k", NULL), *b = list_of(two, "b", "s", "k", NULL);
    struct watched w;
    watch_list(&w, one, collection_of(a, b, NULL));
    CHECK_REPORTED(&w, "DELETE FROM a WHERE id = 1; DELETE FROM b", "[delete 0.0]");
    run(two, "DELETE FROM b WHERE s = 'q'; DELETE FROM a");
    CHECK_LOG(&w.recorder, "[delete section 2 (q); delete 2.1; delete 2.0]");
    CHECK_OK(fr_store_begin(two, FR_IMMEDIATE));
    run(two, "DELETE FROM b");
    CHECK_REPORTED(&w, "INSERT INTO a VALUES (9, NULL, 0)", "[insert 0.0]");
    CHECK_OK(fr_store_commit(two));
    CHECK_LOG(&w.recorder, "[delete section 1 (p); delete 1.0]");
    fr_list_free(a);
    fr_list_free(b);
    unwatch(&w);
    CHECK_OK(fr_store_close(two));
}

static void queued_store(void)
{
    fr_store_options options = {.struct_size = sizeof options, .flags = FR_STORE_QUEUED};
    fr_store *store = NULL;
    fr_list *a, *b;
    struct watched w;
    CHECK_OK(fr_store_open(&store, ":memory:", &options));
    run(store, TWO_TABLES SOME_ROWS);
    a = list_of(store, "a", NULL, "k", NULL);
    b = list_of(store, "b", "s", "k", NULL);
    watch_list(&w, store, collection_of(a, b, NULL));
    CHECK_REPORTED(&w, "DELETE FROM a WHERE id = 1; DELETE FROM b WHERE id = 11", "");
    CHECK_LIST(w.list, "NULL: 1 2 | p: 11 | q: 12 13");
    CHECK_OK(fr_store_dispatch(store));
    CHECK_LIST(w.list, "NULL: 2 | q: 12 13");
    CHECK(w.recorder.brackets > 0);
    fr_list_free(a);
    fr_list_free(b);
    unwatch(&w);
}

TESTS(collection_change_tests) = {
    TEST(rows_of_the_second_child),
    TEST(one_commit_that_touches_two_children_is_one_bracket),
    TEST(changes_of_an_earlier_child_shift_those_of_a_later_one),
    TEST(commit_that_touches_no_child_delivers_nothing),
    TEST(children_keep_observers_of_their_own),
    TEST(child_and_collection_switch_together),
    TEST(records_of_two_entities_carry_their_objects),
    TEST(row_that_changes_its_child),
    TEST(same_row_changed_in_several_children),
    TEST(sections_of_a_map_in_a_collection),
    TEST(outer_collections_are_notified_in_the_same_bracket),
    TEST(list_reached_by_two_ways),
    TEST(one_list_in_two_collections),
    TEST(request_of_a_child_may_be_replaced),
    TEST(fetching_a_child_by_itself_is_a_reload),
    TEST(fetching_an_inner_collection_is_a_reload_of_the_outer_one),
    TEST(paused_child),
    TEST(child_that_can_not_be_read),
    TEST(several_stores_deliver_each_for_itself),
    TEST(queued_store),
    END_OF_TESTS,
};
