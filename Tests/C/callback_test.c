/* A callback does everything that list.h allows, at each of its four moments. */
#include "actor.h"
#include "recorder.h"
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

static void write_inside_is_replayed_exactly(void)
{
    struct actor actor;
    struct recorder recorder;
    int moment;
    for (moment = 0; moment < MOMENTS; moment++) {
        stage(&actor, (enum moment)moment, write_inside);
        recorder_start(&recorder, actor.list);
        run(actor.store, "DELETE FROM t WHERE id = 1");
        CHECK_LOG(&recorder, "[delete 0.0][insert 0.2]");
        leave(&actor);
        recorder_free(&recorder);
    }
}

static void transact_inside(struct actor *actor)
{
    CHECK_OK(fr_store_begin(actor->store, FR_IMMEDIATE));
    CHECK_OK(fr_store_execute(actor->store, "DELETE FROM t WHERE id = 2", NULL, 0));
    CHECK_OK(fr_store_execute(actor->store, "INSERT INTO t VALUES (7, 'x')", NULL, 0));
    CHECK_OK(fr_store_commit(actor->store));
}

static void transaction_inside_a_callback(void)
{
    struct actor actor;
    struct recorder recorder;
    int moment;
    for (moment = 0; moment < MOMENTS; moment++) {
        stage(&actor, (enum moment)moment, transact_inside);
        recorder_start(&recorder, actor.list);
        run(actor.store, "DELETE FROM t WHERE id = 1");
        CHECK_LOG(&recorder, "[delete 0.0][delete 0.0; insert 0.1]");
        leave(&actor);
        recorder_free(&recorder);
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

static void fetch_inside(struct actor *actor)
{
    fr_list *other = list_of(actor->store, "t", NULL, "-id", NULL);
    CHECK_LIST(other, "3 2");
    fr_list_free(other);
}

static void another_list_may_be_made_inside_a_callback(void)
{
    struct actor actor;
    int moment;
    for (moment = 0; moment < MOMENTS; moment++) {
        stage(&actor, (enum moment)moment, fetch_inside);
        run(actor.store, "DELETE FROM t WHERE id = 1");
        CHECK_TEXT(text_get(&actor.log), "wocd");
        leave(&actor);
    }
}

static void refetch_inside(struct actor *actor)
{
    CHECK_OK(fr_list_perform_fetch(actor->list));
}

static void own_list_may_be_fetched_inside_a_callback(void)
{
    struct actor actor;
    int moment;
    for (moment = 0; moment < MOMENTS; moment++) {
        stage(&actor, (enum moment)moment, refetch_inside);
        run(actor.store, "DELETE FROM t WHERE id = 1");
        CHECK_LIST(actor.list, "2 3");
        run(actor.store, "DELETE FROM t WHERE id = 2");
        CHECK_LIST(actor.list, "3");
        leave(&actor);
    }
}

static void set_request_inside(struct actor *actor)
{
    fr_request *request = request_of("t", NULL, "-id", NULL);
    CHECK_OK(fr_controller_set_request(actor->list, request));
    fr_request_free(request);
}

/* "Inside a callback, after the current round." */
static void request_may_be_set_inside_a_callback(void)
{
    struct actor actor;
    struct recorder recorder;
    int moment;
    for (moment = 0; moment < MOMENTS; moment++) {
        stage(&actor, (enum moment)moment, set_request_inside);
        recorder_start(&recorder, actor.list);
        run(actor.store, "DELETE FROM t WHERE id = 1");
        CHECK_INT(recorder.brackets, 2);
        CHECK_LIST(actor.list, "3 2");
        leave(&actor);
        recorder_free(&recorder);
    }
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
    TEST(write_inside_is_replayed_exactly),
    TEST(transaction_inside_a_callback),
    TEST(free_the_controller_inside_a_callback),
    TEST(close_the_store_inside_a_callback),
    TEST(remove_itself_inside_a_callback),
    TEST(observer_added_inside_takes_part_from_the_next_round_on),
    TEST(another_list_may_be_made_inside_a_callback),
    TEST(own_list_may_be_fetched_inside_a_callback),
    TEST(request_may_be_set_inside_a_callback),
    TEST(dispatch_inside_a_callback_does_nothing),
    END_OF_TESTS,
};
