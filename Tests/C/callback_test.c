/*
 * A callback writes, ends what it is called for, and adds an observer, at each of its four moments.
 */
#include "actor.h"
#include "test.h"

static void write_inside(struct actor *actor)
{
    CHECK_OK(fr_store_execute(actor->store, "INSERT INTO t VALUES (9, 'inside')", NULL, 0));
    text_add(&actor->log, "!");
}

/* The write's own round follows all callbacks of this one, before the outer call returns. */
static void write_inside_a_callback(void)
{
    static const char *const expected[MOMENTS] = {"w!ocdwocd", "wo!cdwocd", "woc!dwocd", "wocd!wocd"};
    struct actor actor;
    int moment;
    for (moment = 0; moment < MOMENTS; moment++) {
        stage(&actor, (enum moment)moment, write_inside);
        run(actor.store, "DELETE FROM t WHERE id = 1");
        CHECK_TEXT(text_get(&actor.log), expected[moment]);
        CHECK_LIST(actor.list, "2 3 9");
        leave(&actor);
    }
}

static void free_inside(struct actor *actor)
{
    fr_list_free(actor->list);
    actor->list = NULL;
}

/* destroy waits for the end of the callback, which still uses the user data. */
static void free_the_controller_inside_a_callback(void)
{
    static const char *const expected[MOMENTS] = {"w", "wo", "woc", "wocd"};
    struct actor actor;
    int moment;
    for (moment = 0; moment < MOMENTS; moment++) {
        stage(&actor, (enum moment)moment, free_inside);
        run(actor.store, "DELETE FROM t WHERE id = 1");
        CHECK_TEXT(text_get(&actor.log), expected[moment]);
        CHECK_INT(actor.destroyed, 1);
        run(actor.store, "DELETE FROM t WHERE id = 2");
        CHECK_TEXT(text_get(&actor.log), expected[moment]);
        leave(&actor);
    }
}

static void close_inside(struct actor *actor)
{
    int64_t count;
    CHECK_OK(fr_store_close(actor->store));
    CHECK_STATUS(fr_store_execute(actor->store, "SELECT 1", NULL, 0), FR_MISUSE);
    CHECK_STATUS(fr_list_count(&count, actor->list), FR_CLOSED);
    actor->store = NULL;
}

static void close_the_store_inside_a_callback(void)
{
    static const char *const expected[MOMENTS] = {"w", "wo", "woc", "wocd"};
    struct actor actor;
    int moment;
    for (moment = 0; moment < MOMENTS; moment++) {
        fr_store *store;
        stage(&actor, (enum moment)moment, close_inside);
        store = actor.store;
        fr_store_execute(store, "DELETE FROM t WHERE id = 1", NULL, 0);
        CHECK_TEXT(text_get(&actor.log), expected[moment]);
        CHECK_STATUS(fr_store_execute(store, "DELETE FROM t WHERE id = 2", NULL, 0), FR_MISUSE);
        leave(&actor);
    }
}

static void remove_inside(struct actor *actor)
{
    CHECK_OK(fr_list_remove_observer(actor->list, actor->number));
    CHECK_INT(actor->destroyed, 0);
}

static void remove_itself_inside_a_callback(void)
{
    static const char *const expected[MOMENTS] = {"w", "wo", "woc", "wocd"};
    struct actor actor;
    int moment;
    for (moment = 0; moment < MOMENTS; moment++) {
        stage(&actor, (enum moment)moment, remove_inside);
        run(actor.store, "DELETE FROM t WHERE id = 1");
        CHECK_TEXT(text_get(&actor.log), expected[moment]);
        CHECK_INT(actor.destroyed, 1);
        leave(&actor);
    }
}

static struct text added_log;

static void added_did_change(fr_list *controller, void *user_data)
{
    (void)controller;
    (void)user_data;
    text_add(&added_log, "d");
}

static void added_will_change(fr_list *controller, void *user_data)
{
    (void)controller;
    (void)user_data;
    text_add(&added_log, "w");
}

static void add_inside(struct actor *actor)
{
    static const fr_observer observer = {
        sizeof observer, added_will_change, NULL, NULL, added_did_change, NULL, NULL, NULL};
    CHECK_OK(fr_list_add_observer(NULL, actor->list, &observer, NULL, NULL));
}

static void observer_added_inside_takes_part_from_the_next_round_on(void)
{
    struct actor actor;
    int moment;
    for (moment = 0; moment < MOMENTS; moment++) {
        text_free(&added_log);
        stage(&actor, (enum moment)moment, add_inside);
        run(actor.store, "DELETE FROM t WHERE id = 1");
        CHECK_TEXT(text_get(&added_log), "");
        run(actor.store, "DELETE FROM t WHERE id = 2");
        CHECK_TEXT(text_get(&added_log), "wd");
        leave(&actor);
    }
    text_free(&added_log);
}

static void dispatch_inside(struct actor *actor)
{
    CHECK_OK(fr_store_dispatch(actor->store));
}

static void dispatch_inside_a_callback_does_nothing(void)
{
    struct actor actor;
    stage(&actor, DID_CHANGE, dispatch_inside);
    run(actor.store, "DELETE FROM t WHERE id = 1");
    CHECK_TEXT(text_get(&actor.log), "wocd");
    leave(&actor);
}

TESTS(callback_tests) = {
    TEST(write_inside_a_callback),
    TEST(free_the_controller_inside_a_callback),
    TEST(close_the_store_inside_a_callback),
    TEST(remove_itself_inside_a_callback),
    TEST(observer_added_inside_takes_part_from_the_next_round_on),
    TEST(dispatch_inside_a_callback_does_nothing),
    END_OF_TESTS,
};
