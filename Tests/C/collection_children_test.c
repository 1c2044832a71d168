/*
 * The children of collections through the C interface: their numbers and their handles, which may
 * be freed at any time, also inside callbacks.
 */
#include <string.h>

#include "collections.h"
#include "kept.h"
#include "maps.h"
#include "test.h"

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

/* Acts once, at one moment of a delivery to a collection. */
struct agent {
    struct watched_collection c;
    fr_list *other;
    void (*act)(struct agent *agent);
    int acted;
};

static void act_once(fr_list *controller, void *user_data)
{
    struct agent *agent = user_data;
    (void)controller;
    if (agent->acted++ == 0) {
        agent->act(agent);
    }
}

static void act_on_object(fr_list *controller, fr_object *object, const fr_change *change, fr_change_set *changes,
                          void *user_data)
{
    (void)object;
    (void)change;
    (void)changes;
    act_once(controller, user_data);
}

static void act_on_changes(fr_list *controller, fr_change_set *changes, void *user_data)
{
    (void)changes;
    act_once(controller, user_data);
}

static const fr_observer moments[] = {
    {sizeof(fr_observer), act_once, NULL, NULL, NULL, NULL, NULL, NULL},
    {sizeof(fr_observer), NULL, NULL, act_on_object, NULL, NULL, NULL, NULL},
    {sizeof(fr_observer), NULL, NULL, NULL, NULL, act_on_changes, NULL, NULL},
    {sizeof(fr_observer), NULL, NULL, NULL, act_once, NULL, NULL, NULL},
};

enum { MOMENTS = 4 };

/* Runs `act` inside a callback of the collection (of child a, if `at_child`) that `sql` causes. */
static void check_inside(void (*act)(struct agent *), bool at_child, const char *sql, const char *reported,
                         const char *list)
{
    int moment;
    for (moment = 0; moment < MOMENTS; moment++) {
        struct agent agent;
        memset(&agent, 0, sizeof agent);
        agent.act = act;
        watch_collection(&agent.c, SOME_ROWS);
        agent.c.w.recorder.shares_rows = true;
        agent.other = list_of(agent.c.w.store, "b", NULL, "-k", NULL);
        CHECK_OK(fr_list_add_observer(NULL, at_child ? agent.c.a : agent.c.w.list, &moments[moment], &agent, NULL));
        run(agent.c.w.store, sql);
        CHECK_LOG(&agent.c.w.recorder, reported);
        CHECK_LIST(agent.c.w.list, list);
        CHECK(agent.acted > 0);
        fr_list_free(agent.other);
        unwatch_collection(&agent.c);
    }
}

static void remove_and_ask_inside(struct agent *agent)
{
    int64_t child = -1;
    CHECK_OK(fr_collection_remove(agent->c.w.list, 0));
    CHECK_STATUS(fr_collection_child_of_section(&child, agent->c.w.list, 0), FR_NOT_FOUND);
    CHECK_OK(fr_collection_child_of_section(&child, agent->c.w.list, 1));
    CHECK_INT(child, 0);
}

/* It is still shown, but is not among the children any more. */
static void place_of_a_child_removed_inside(void)
{
    check_inside(remove_and_ask_inside, false, "DELETE FROM a WHERE id = 1",
                 "[delete 0.0][delete section 0 (NULL); delete 0.0]", "p: 11 | q: 12 13");
}

static void free_child_inside(struct agent *agent)
{
    fr_list_free(agent->c.a);
    agent->c.a = NULL;
}

static void child_s_handle_freed_inside(void)
{
    check_inside(free_child_inside, false, "DELETE FROM a WHERE id = 1", "[delete 0.0]", "NULL: 2 | p: 11 | q: 12 13");
    check_inside(free_child_inside, true, "DELETE FROM a WHERE id = 1", "[delete 0.0]", "NULL: 2 | p: 11 | q: 12 13");
}

static void free_collection_inside(struct agent *agent)
{
    fr_list_free(agent->c.w.list);
    agent->c.w.list = NULL;
}

/* It makes no further callback, not even to other observers; its children continue. */
static void collection_freed_inside(void)
{
    int moment;
    for (moment = 0; moment < MOMENTS; moment++) {
        struct agent agent;
        memset(&agent, 0, sizeof agent);
        agent.act = free_collection_inside;
        watch_collection(&agent.c, SOME_ROWS);
        CHECK_OK(fr_list_add_observer(NULL, agent.c.w.list, &moments[moment], &agent, NULL));
        run(agent.c.w.store, "DELETE FROM a WHERE id = 1");
        CHECK_INT(agent.acted, 1);
        CHECK_LIST(agent.c.a, "2");
        run(agent.c.w.store, "DELETE FROM a WHERE id = 2");
        CHECK_INT(agent.acted, 1);
        CHECK_LIST(agent.c.a, "");
        unwatch_collection(&agent.c);
    }
}

static void close_inside(struct agent *agent)
{
    CHECK_OK(fr_store_close(agent->c.w.store));
    agent->c.w.store = NULL;
}

static void store_closed_inside(void)
{
    int moment, at_child;
    for (moment = 0; moment < MOMENTS; moment++) {
        for (at_child = 0; at_child < 2; at_child++) {
            struct agent agent;
            fr_store *store;
            int64_t count = 0;
            memset(&agent, 0, sizeof agent);
            agent.act = close_inside;
            store = agent.c.w.store = store_with(TWO_TABLES SOME_ROWS);
            agent.c.a = list_of(store, "a", NULL, "k", NULL);
            agent.c.w.list = collection_of(agent.c.a, NULL, NULL);
            CHECK_OK(fr_list_add_observer(NULL, at_child ? agent.c.a : agent.c.w.list, &moments[moment], &agent, NULL));
            fr_store_execute(store, "DELETE FROM a WHERE id = 1", NULL, 0);
            CHECK_INT(agent.acted, 1);
            CHECK_STATUS(fr_list_count(&count, agent.c.a), FR_CLOSED);
            fr_list_free(agent.c.a);
            fr_list_free(agent.c.w.list);
        }
    }
}

TESTS(collection_children_tests) = {
    TEST(minus_one_appends),
    TEST(child_is_replaced_by_another_without_its_place),
    TEST(child_that_can_not_be_fetched_is_not_inserted),
    TEST(freeing_a_child_s_handle),
    TEST(freeing_a_map_s_handle),
    TEST(freeing_an_inner_collection_s_handle),
    TEST(freeing_the_collection_leaves_the_children),
    TEST(children_and_their_places),
    TEST(place_of_a_child_removed_inside),
    TEST(child_s_handle_freed_inside),
    TEST(collection_freed_inside),
    TEST(store_closed_inside),
    END_OF_TESTS,
};
