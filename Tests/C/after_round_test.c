/* Functions that are called when a round is over (fr_store_call_after_round). */
#include <string.h>

#include "collections.h"
#include "test.h"
#include "watched.h"

#define SCHEMA "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a'), (2, 'b');"
/* Fails for each row, not when it is compiled. */
#define FAILING "abs(-9223372036854775806 - id) > 0"

struct world {
    fr_store *store;
    fr_list *list, *other;
    struct text log;
    uint64_t observer;
    void (*act)(struct world *world);
    int destroyed, calls;
    fr_request *request;
};

static void is_over(fr_store *store, const fr_error *error, void *user_data)
{
    struct world *world = user_data;
    bool delivering = false;
    world->calls += 1;
    CHECK(store == world->store);
    CHECK_INT(world->destroyed, 0);
    CHECK_OK(fr_store_is_delivering(&delivering, store));
    CHECK(delivering);
    text_add(&world->log, "over%s%s ", error == NULL ? "" : ":", error == NULL ? "" : fr_status_name(error->status));
}

static void destroy(void *user_data)
{
    ((struct world *)user_data)->destroyed += 1;
}

static fr_status call_later(struct world *world)
{
    return fr_store_call_after_round(world->store, is_over, world, NULL);
}

static void will_change(fr_list *controller, void *user_data)
{
    struct world *world = user_data;
    (void)controller;
    text_add(&world->log, "will ");
    if (world->act != NULL) {
        void (*act)(struct world *) = world->act;
        world->act = NULL;
        act(world);
    }
}

static void did_change(fr_list *controller, void *user_data)
{
    struct world *world = user_data;
    (void)controller;
    text_add(&world->log, "did ");
}

static void error(fr_list *controller, const fr_error *error, void *user_data)
{
    struct world *world = user_data;
    (void)controller;
    text_add(&world->log, "error:%s ", fr_status_name(error->status));
}

/* Two lists of one store that record their calls in one log. */
static void begin(struct world *world, fr_store *store)
{
    fr_observer observer = {sizeof observer, will_change, NULL, NULL, did_change, NULL, error, NULL};
    memset(world, 0, sizeof *world);
    world->store = store;
    run(store, SCHEMA);
    world->list = list_of(store, "t", NULL, NULL, NULL);
    world->other = list_of(store, "t", NULL, "-id", NULL);
    CHECK_OK(fr_list_add_observer(&world->observer, world->list, &observer, world, NULL));
    CHECK_OK(fr_list_add_observer(NULL, world->other, &observer, world, NULL));
}

static const char *taken(struct world *world)
{
    static struct text text;
    text_free(&text);
    text_add(&text, "%s", text_get(&world->log));
    text_free(&world->log);
    return text_get(&text);
}

static void end(struct world *world)
{
    fr_list_free(world->list);
    fr_list_free(world->other);
    if (world->store != NULL) {
        CHECK_OK(fr_store_close(world->store));
    }
    fr_request_free(world->request);
    text_free(&world->log);
}

#define CHECK_TAKEN(world, expected) CHECK_TEXT(taken(world), expected)
#define CHANGE "UPDATE t SET v = v || 'x' WHERE id = 1"

static void register_it(struct world *world)
{
    CHECK_OK(call_later(world));
}

static void inside_a_callback_after_everyone_was_notified(void)
{
    struct world world;
    begin(&world, store_with(""));
    world.act = register_it;
    run(world.store, CHANGE);
    CHECK_TAKEN(&world, "will will did did over ");
    run(world.store, CHANGE);
    CHECK_TAKEN(&world, "will will did did ");
    end(&world);
}

static void write_and_register(struct world *world)
{
    run(world->store, CHANGE);
    CHECK_OK(call_later(world));
}

static void after_what_was_requested_before_it(void)
{
    struct world world;
    begin(&world, store_with(""));
    world.act = write_and_register;
    run(world.store, CHANGE);
    CHECK_TAKEN(&world, "will will did did will will did did over ");
    end(&world);
}

static void outside_of_callbacks_after_the_next_round(void)
{
    struct world world;
    bool delivering = true;
    begin(&world, store_with(""));
    CHECK_OK(call_later(&world));
    CHECK_TAKEN(&world, "");
    CHECK_OK(fr_store_is_delivering(&delivering, world.store));
    CHECK(!delivering);
    run(world.store, CHANGE);
    CHECK_TAKEN(&world, "will will did did over ");
    run(world.store, CHANGE);
    CHECK_INT(world.calls, 1);
    end(&world);
}

static void also_when_nothing_was_delivered(void)
{
    struct world world;
    begin(&world, store_with(""));
    CHECK_OK(call_later(&world));
    CHECK_OK(fr_store_dispatch(world.store));
    CHECK_TAKEN(&world, "over ");
    CHECK_OK(call_later(&world));
    run(world.store, "CREATE TABLE other(id)");
    CHECK_TAKEN(&world, "over ");
    CHECK_OK(call_later(&world));
    CHECK_OK(fr_controller_pause(world.list));
    CHECK_OK(fr_controller_resume(world.list, false));
    CHECK_TAKEN(&world, "over ");
    end(&world);
}

static void not_before_a_transaction_ends(void)
{
    struct world world;
    begin(&world, store_with(""));
    CHECK_OK(fr_store_begin(world.store, FR_IMMEDIATE));
    CHECK_OK(call_later(&world));
    run(world.store, CHANGE);
    CHECK_OK(fr_store_dispatch(world.store));
    CHECK_TAKEN(&world, "");
    CHECK_OK(fr_store_commit(world.store));
    CHECK_TAKEN(&world, "will will did did over ");
    CHECK_OK(fr_store_begin(world.store, FR_IMMEDIATE));
    CHECK_OK(call_later(&world));
    run(world.store, CHANGE);
    CHECK_OK(fr_store_rollback(world.store));
    CHECK_TAKEN(&world, "over ");
    end(&world);
}

static void of_a_queued_store_not_before_what_waits(void)
{
    struct world world;
    fr_store_options options = {.struct_size = sizeof options, .flags = FR_STORE_QUEUED};
    fr_store *store = NULL;
    CHECK_OK(fr_store_open(&store, ":memory:", &options));
    begin(&world, store);
    CHECK_OK(fr_store_dispatch(store));
    (void)taken(&world);
    CHECK_OK(call_later(&world));
    run(store, CHANGE);
    CHECK_TAKEN(&world, "");
    CHECK_OK(fr_store_dispatch(store));
    CHECK_TAKEN(&world, "will will did did over ");
    end(&world);
}

static fr_request *failing_request(void)
{
    return request_of("t", NULL, NULL, FAILING);
}

static void fail_and_register(struct world *world)
{
    CHECK_OK(fr_controller_set_request(world->list, world->request));
    CHECK_OK(call_later(world));
    CHECK_OK(call_later(world));
    CHECK_OK(fr_controller_set_request(world->other, world->request));
    CHECK_OK(call_later(world));
    run(world->store, CHANGE);
    CHECK_OK(call_later(world));
}

static void called_for_a_failure_before_the_observers(void)
{
    struct world world;
    begin(&world, store_with(""));
    world.request = failing_request();
    world.act = fail_and_register;
    run(world.store, CHANGE);
    /* The writes belong to the rounds that are under way. */
    CHECK_TAKEN(&world, "will will did did will will did did "
                        "over:FR_ERROR over:FR_ERROR error:FR_ERROR over:FR_ERROR error:FR_ERROR over ");
    end(&world);
}

static void is_over_with_details(fr_store *store, const fr_error *error, void *user_data)
{
    (void)store;
    *(int *)user_data += 1;
    REQUIRE(error != NULL);
    CHECK_INT(error->struct_size, sizeof *error);
    CHECK_INT(error->status, FR_ERROR);
    CHECK_INT(error->sqlite_code, 1);
    CHECK_TEXT(error->message, "integer overflow");
    CHECK(error->sql != NULL && strstr(error->sql, "abs(") != NULL);
}

static int details;

static void fail_and_ask_for_details(struct world *world)
{
    CHECK_OK(fr_controller_set_request(world->list, world->request));
    CHECK_OK(fr_store_call_after_round(world->store, is_over_with_details, &details, NULL));
}

static void receives_the_whole_error(void)
{
    struct world world;
    details = 0;
    begin(&world, store_with(""));
    world.request = failing_request();
    world.act = fail_and_ask_for_details;
    run(world.store, CHANGE);
    CHECK_INT(details, 1);
    end(&world);
}

static void succeed_and_register(struct world *world)
{
    CHECK_OK(fr_controller_set_request(world->list, world->request));
    CHECK_OK(call_later(world));
}

static void not_called_for_success(void)
{
    struct world world;
    begin(&world, store_with(""));
    world.request = request_of("t", NULL, "-id", NULL);
    world.act = succeed_and_register;
    run(world.store, CHANGE);
    CHECK_TAKEN(&world, "will will did did will did over ");
    CHECK_LIST(world.list, "2 1");
    end(&world);
}

static void again(fr_store *store, const fr_error *error, void *user_data)
{
    struct world *world = user_data;
    (void)error;
    world->calls += 1;
    text_add(&world->log, "again ");
    CHECK_OK(fr_store_call_after_round(store, again, world, NULL));
}

static void register_again(struct world *world)
{
    CHECK_OK(fr_store_call_after_round(world->store, again, world, NULL));
}

static void registered_inside_itself_once_for_each_round(void)
{
    struct world world;
    begin(&world, store_with(""));
    world.act = register_again;
    run(world.store, CHANGE);
    CHECK_TAKEN(&world, "will will did did again ");
    CHECK_OK(fr_store_dispatch(world.store));
    CHECK_TAKEN(&world, "again ");
    run(world.store, CHANGE);
    CHECK_TAKEN(&world, "will will did did again ");
    end(&world);
}

static void two_register_again(struct world *world)
{
    register_again(world);
    register_again(world);
}

static void several_that_register_themselves_take_turns(void)
{
    struct world world;
    begin(&world, store_with(""));
    world.act = two_register_again;
    run(world.store, CHANGE);
    CHECK_TAKEN(&world, "will will did did again again ");
    CHECK_OK(fr_store_dispatch(world.store));
    CHECK_TAKEN(&world, "again again ");
    end(&world);
}

static void destroy_and_look(void *user_data)
{
    struct world *world = user_data;
    int64_t count = 0;
    destroy(world);
    CHECK_STATUS(fr_list_count(&count, world->list), FR_CLOSED);
}

static void destroyed_when_the_store_is_closed(void)
{
    struct world world;
    begin(&world, store_with(""));
    CHECK_OK(fr_store_call_after_round(world.store, is_over, &world, destroy_and_look));
    CHECK_OK(fr_store_close(world.store));
    world.store = NULL;
    CHECK_INT(world.destroyed, 1);
    end(&world);
}

static void write_inside(fr_store *store, const fr_error *error, void *user_data)
{
    struct world *world = user_data;
    (void)error;
    text_add(&world->log, "write ");
    run(store, CHANGE);
    CHECK_OK(call_later(world));
    text_add(&world->log, "written ");
}

static void what_it_writes_is_delivered_after_it(void)
{
    struct world world;
    begin(&world, store_with(""));
    CHECK_OK(fr_store_call_after_round(world.store, write_inside, &world, NULL));
    CHECK_OK(fr_store_dispatch(world.store));
    CHECK_TAKEN(&world, "write written will will did did over ");
    end(&world);
}

static void destroyed_once_after_the_call(void)
{
    struct world world;
    begin(&world, store_with(""));
    CHECK_OK(fr_store_call_after_round(world.store, is_over, &world, destroy));
    CHECK_INT(world.destroyed, 0);
    run(world.store, CHANGE);
    CHECK_INT(world.calls, 1);
    CHECK_INT(world.destroyed, 1);
    end(&world);
    CHECK_INT(world.destroyed, 1);
}

static void destroyed_and_not_called_when_the_store_is_closed(void)
{
    struct world world;
    begin(&world, store_with(""));
    CHECK_OK(fr_store_call_after_round(world.store, is_over, &world, destroy));
    CHECK_OK(fr_store_close(world.store));
    world.store = NULL;
    CHECK_INT(world.calls, 0);
    CHECK_INT(world.destroyed, 1);
    end(&world);
    CHECK_INT(world.destroyed, 1);
}

static void register_and_close(struct world *world)
{
    CHECK_OK(fr_store_call_after_round(world->store, is_over, world, destroy));
    CHECK_OK(fr_store_close(world->store));
    world->store = NULL;
    CHECK_INT(world->destroyed, 1);
}

static void not_called_when_a_callback_closes_the_store(void)
{
    struct world world;
    fr_store *store = store_with("");
    begin(&world, store);
    world.act = register_and_close;
    CHECK_OK(fr_store_execute(store, CHANGE, NULL, 0));
    CHECK_INT(world.calls, 0);
    CHECK_INT(world.destroyed, 1);
    end(&world);
}

static void destroyed_when_registering_fails(void)
{
    struct world world;
    bool delivering = false;
    begin(&world, store_with(""));
    CHECK_STATUS(fr_store_call_after_round(world.store, NULL, &world, destroy), FR_MISUSE);
    CHECK_INT(world.destroyed, 1);
    CHECK_STATUS(fr_store_call_after_round(NULL, is_over, &world, destroy), FR_MISUSE);
    CHECK_INT(world.destroyed, 2);
    CHECK_STATUS(fr_store_call_after_round((fr_store *)world.list, is_over, &world, destroy), FR_MISUSE);
    CHECK_INT(world.destroyed, 3);
    CHECK_STATUS(fr_store_is_delivering(&delivering, NULL), FR_MISUSE);
    CHECK_STATUS(fr_store_is_delivering(NULL, world.store), FR_MISUSE);
    end(&world);
}

/* Stores whose lists one collection shows have their rounds together. */
static void of_stores_that_a_collection_joins(void)
{
    struct world world, second;
    fr_list *collection;
    begin(&world, store_with(""));
    begin(&second, store_with(""));
    collection = collection_of(world.list, second.list, NULL);
    CHECK_OK(call_later(&world));
    run(second.store, CHANGE);
    CHECK_TAKEN(&world, "over ");
    CHECK_TAKEN(&second, "will will did did ");
    CHECK_OK(call_later(&world));
    CHECK_OK(fr_store_close(world.store));
    world.store = NULL;
    run(second.store, CHANGE);
    CHECK_TAKEN(&world, "");
    fr_list_free(collection);
    end(&world);
    end(&second);
}

TESTS(after_round_tests) = {
    TEST(inside_a_callback_after_everyone_was_notified),
    TEST(after_what_was_requested_before_it),
    TEST(outside_of_callbacks_after_the_next_round),
    TEST(also_when_nothing_was_delivered),
    TEST(not_before_a_transaction_ends),
    TEST(of_a_queued_store_not_before_what_waits),
    TEST(called_for_a_failure_before_the_observers),
    TEST(receives_the_whole_error),
    TEST(not_called_for_success),
    TEST(registered_inside_itself_once_for_each_round),
    TEST(several_that_register_themselves_take_turns),
    TEST(destroyed_when_the_store_is_closed),
    TEST(what_it_writes_is_delivered_after_it),
    TEST(destroyed_once_after_the_call),
    TEST(destroyed_and_not_called_when_the_store_is_closed),
    TEST(not_called_when_a_callback_closes_the_store),
    TEST(destroyed_when_registering_fails),
    TEST(of_stores_that_a_collection_joins),
    END_OF_TESTS,
};
