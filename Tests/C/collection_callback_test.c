/* A callback acts on a collection, also inside one of the collection's own callbacks. */
#include <string.h>

#include "collections.h"
#include "test.h"

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

static void write_inside(struct agent *agent)
{
    CHECK_OK(fr_store_execute(agent->c.w.store, "INSERT INTO b VALUES (14, 'p', 9)", NULL, 0));
}

static void write_inside_has_a_round_of_its_own(void)
{
    check_inside(write_inside, false, "DELETE FROM a WHERE id = 1", "[delete 0.0][insert 1.1]",
                 "NULL: 2 | p: 11 14 | q: 12 13");
    check_inside(write_inside, true, "DELETE FROM a WHERE id = 1", "[delete 0.0][insert 1.1]",
                 "NULL: 2 | p: 11 14 | q: 12 13");
}

static void remove_inside(struct agent *agent)
{
    CHECK_OK(fr_collection_remove(agent->c.w.list, 0));
}

/* The round under way is delivered completely; the removal of the child follows it. */
static void child_removed_inside(void)
{
    check_inside(remove_inside, false, "DELETE FROM a WHERE id = 1",
                 "[delete 0.0][delete section 0 (NULL); delete 0.0]", "p: 11 | q: 12 13");
    check_inside(remove_inside, true, "DELETE FROM a WHERE id = 1", "[delete 0.0][delete section 0 (NULL); delete 0.0]",
                 "p: 11 | q: 12 13");
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

static void insert_inside(struct agent *agent)
{
    CHECK_OK(fr_collection_insert(agent->c.w.list, 0, agent->other, NULL));
}

static void child_inserted_inside(void)
{
    check_inside(insert_inside, false, "DELETE FROM a WHERE id = 1",
                 "[delete 0.0][insert section 0 (NULL); insert 0.0; insert 0.1; insert 0.2]",
                 "NULL: 13 12 11 | NULL: 2 | p: 11 | q: 12 13");
}

static void replace_inside(struct agent *agent)
{
    CHECK_OK(fr_collection_replace(agent->c.w.list, 0, agent->other, NULL));
}

static void child_replaced_inside(void)
{
    check_inside(replace_inside, true, "DELETE FROM a WHERE id = 1",
                 "[delete 0.0][delete section 0 (NULL); insert section 0 (NULL); delete 0.0; insert 0.0; insert 0.1; "
                 "insert 0.2]",
                 "NULL: 13 12 11 | p: 11 | q: 12 13");
}

/*
 * Each change is delivered, though the child is already removed again when the first of them is
 * delivered.
 */
static void insert_and_remove_inside(struct agent *agent)
{
    int64_t count = 0;
    CHECK_OK(fr_collection_insert(agent->c.w.list, 0, agent->other, NULL));
    CHECK_OK(fr_collection_child_count(&count, agent->c.w.list));
    CHECK_INT(count, 3);
    CHECK_OK(fr_collection_remove(agent->c.w.list, 0));
}

static void child_that_is_inserted_and_removed_inside_leaves_nothing(void)
{
    int moment;
    for (moment = 0; moment < MOMENTS; moment++) {
        struct agent agent;
        memset(&agent, 0, sizeof agent);
        agent.act = insert_and_remove_inside;
        watch_collection(&agent.c, SOME_ROWS);
        agent.c.w.recorder.shares_rows = true;
        agent.other = list_of(agent.c.w.store, "b", NULL, "-k", NULL);
        CHECK_OK(fr_list_add_observer(NULL, agent.c.w.list, &moments[moment], &agent, NULL));
        run(agent.c.w.store, "DELETE FROM a WHERE id = 1");
        CHECK_LIST(agent.c.w.list, "NULL: 2 | p: 11 | q: 12 13");
        recorder_take(&agent.c.w.recorder);
        run(agent.c.w.store, "DELETE FROM b WHERE id = 12");
        CHECK_LOG(&agent.c.w.recorder, "[delete 2.0]");
        fr_list_free(agent.other);
        unwatch_collection(&agent.c);
    }
}

static void swap_inside(struct agent *agent)
{
    CHECK_OK(fr_collection_remove(agent->c.w.list, 0));
    CHECK_OK(fr_collection_insert(agent->c.w.list, -1, agent->other, NULL));
    CHECK_OK(fr_collection_remove(agent->c.w.list, 0));
}

static void several_children_are_inserted_and_removed_inside(void)
{
    check_inside(swap_inside, false, "DELETE FROM a WHERE id = 1",
                 "[delete 0.0][delete section 0 (NULL); delete 0.0][insert section 2 (NULL); insert 2.0; insert 2.1; "
                 "insert 2.2]"
                 "[delete section 1 (q); delete section 0 (p); delete 1.1; delete 1.0; delete 0.0]",
                 "13 12 11");
}

static void write_and_remove_inside(struct agent *agent)
{
    CHECK_OK(fr_store_execute(agent->c.w.store, "INSERT INTO a VALUES (9, NULL, 9)", NULL, 0));
    CHECK_OK(fr_collection_remove(agent->c.w.list, 0));
}

/* Changes that are requested inside are delivered in the order of the requests. */
static void write_to_a_child_and_its_removal_inside(void)
{
    check_inside(write_and_remove_inside, false, "DELETE FROM a WHERE id = 1",
                 "[delete 0.0][insert 0.1][delete section 0 (NULL); delete 0.1; delete 0.0]", "p: 11 | q: 12 13");
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

static void fetch_child_inside(struct agent *agent)
{
    CHECK_OK(fr_list_perform_fetch(agent->c.b));
}

static void child_fetched_inside(void)
{
    check_inside(fetch_child_inside, false, "DELETE FROM a WHERE id = 1", "[delete 0.0][reload]",
                 "NULL: 2 | p: 11 | q: 12 13");
}

static void fetch_changing_child_inside(struct agent *agent)
{
    CHECK_OK(fr_list_perform_fetch(agent->c.a));
}

/*
 * The round is about this child: the bracket that was begun ends, whatever is in it, and a reload
 * follows.
 */
static void changing_child_fetched_inside(void)
{
    int moment;
    for (moment = 0; moment < MOMENTS; moment++) {
        struct agent agent;
        memset(&agent, 0, sizeof agent);
        agent.act = fetch_changing_child_inside;
        watch_collection(&agent.c, SOME_ROWS);
        CHECK_OK(fr_list_add_observer(NULL, agent.c.w.list, &moments[moment], &agent, NULL));
        run(agent.c.w.store, "DELETE FROM a WHERE id = 1");
        CHECK(!agent.c.w.recorder.open);
        CHECK_LIST(agent.c.w.list, "NULL: 2 | p: 11 | q: 12 13");
        recorder_take(&agent.c.w.recorder);
        run(agent.c.w.store, "DELETE FROM b WHERE id = 12");
        CHECK_LOG(&agent.c.w.recorder, "[delete 2.0]");
        unwatch_collection(&agent.c);
    }
}

static void fetch_itself_inside(struct agent *agent)
{
    CHECK_OK(fr_list_perform_fetch(agent->c.w.list));
}

/* In will_change a fetch replaces the change under way, as it does for a controller. */
static void collection_fetched_inside(void)
{
    int moment;
    for (moment = 1; moment < MOMENTS; moment++) {
        struct agent agent;
        memset(&agent, 0, sizeof agent);
        agent.act = fetch_itself_inside;
        watch_collection(&agent.c, SOME_ROWS);
        CHECK_OK(fr_list_add_observer(NULL, agent.c.w.list, &moments[moment], &agent, NULL));
        fr_list_free(agent.c.a);
        agent.c.a = NULL;
        run(agent.c.w.store, "DELETE FROM a WHERE id = 1");
        CHECK_LIST(agent.c.w.list, "NULL: 2 | p: 11 | q: 12 13");
        recorder_take(&agent.c.w.recorder);
        run(agent.c.w.store, "DELETE FROM b WHERE id = 12");
        CHECK_LIST(agent.c.w.list, "NULL: 2 | p: 11 | q: 13");
        CHECK_LOG(&agent.c.w.recorder, "[delete 2.0]");
        unwatch_collection(&agent.c);
    }
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

/* Two stores in one collection: deliveries of one wait for that of the other. */
static fr_store *second_store;

static void write_to_the_other_store(struct agent *agent)
{
    (void)agent;
    CHECK_OK(fr_store_execute(second_store, "DELETE FROM b WHERE id = 12", NULL, 0));
}

static void write_to_another_store_inside(void)
{
    int moment;
    for (moment = 0; moment < MOMENTS; moment++) {
        struct agent agent;
        memset(&agent, 0, sizeof agent);
        agent.act = write_to_the_other_store;
        agent.c.w.store = store_with(TWO_TABLES SOME_ROWS);
        second_store = store_with(TWO_TABLES SOME_ROWS);
        agent.c.a = list_of(agent.c.w.store, "a", NULL, "k", NULL);
        agent.c.b = list_of(second_store, "b", "s", "k", NULL);
        watch_list(&agent.c.w, agent.c.w.store, collection_of(agent.c.a, agent.c.b, NULL));
        CHECK_OK(fr_list_add_observer(NULL, agent.c.w.list, &moments[moment], &agent, NULL));
        run(agent.c.w.store, "DELETE FROM a WHERE id = 1");
        CHECK_LOG(&agent.c.w.recorder, "[delete 0.0][delete 2.0]");
        CHECK_LIST(agent.c.w.list, "NULL: 2 | p: 11 | q: 13");
        unwatch_collection(&agent.c);
        CHECK_OK(fr_store_close(second_store));
    }
}

static void set_name_inside(struct agent *agent)
{
    CHECK_OK(fr_placeholder_set_name((fr_placeholder *)agent->other, "renamed"));
}

static void placeholder_renamed_inside(void)
{
    int moment;
    for (moment = 0; moment < MOMENTS; moment++) {
        struct agent agent;
        fr_placeholder *hint = placeholder_of("hint", NULL);
        memset(&agent, 0, sizeof agent);
        agent.act = set_name_inside;
        agent.other = (fr_list *)hint;
        watch_collection(&agent.c, SOME_ROWS);
        CHECK_OK(fr_collection_insert_placeholder(agent.c.w.list, 0, hint));
        recorder_take(&agent.c.w.recorder);
        CHECK_OK(fr_list_add_observer(NULL, agent.c.w.list, &moments[moment], &agent, NULL));
        run(agent.c.w.store, "DELETE FROM a WHERE id = 1");
        CHECK_LOG(&agent.c.w.recorder, "[delete 1.0][update section 0>0 (renamed) {0}]");
        CHECK_LIST(agent.c.w.list, "renamed: | NULL: 2 | p: 11 | q: 12 13");
        fr_placeholder_free(hint);
        unwatch_collection(&agent.c);
    }
}

TESTS(collection_callback_tests) = {
    TEST(write_inside_has_a_round_of_its_own),
    TEST(child_removed_inside),
    TEST(place_of_a_child_removed_inside),
    TEST(child_inserted_inside),
    TEST(child_replaced_inside),
    TEST(child_that_is_inserted_and_removed_inside_leaves_nothing),
    TEST(several_children_are_inserted_and_removed_inside),
    TEST(write_to_a_child_and_its_removal_inside),
    TEST(child_s_handle_freed_inside),
    TEST(child_fetched_inside),
    TEST(changing_child_fetched_inside),
    TEST(collection_fetched_inside),
    TEST(collection_freed_inside),
    TEST(store_closed_inside),
    TEST(write_to_another_store_inside),
    TEST(placeholder_renamed_inside),
    END_OF_TESTS,
};
