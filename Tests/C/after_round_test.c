/* Functions that are called when a round is over (fr_store_call_after_round). */
#include <string.h>

#include "fixture.h"
#include "test.h"
#include "text.h"

#define SCHEMA "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a'), (2, 'b');"

struct world {
    fr_store *store;
    fr_list *list, *other;
    struct text log;
    void (*act)(struct world *world);
    int destroyed, calls;
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
    CHECK(error == NULL);
    text_add(&world->log, "over ");
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

/* Two lists of one store that record their calls in one log. */
static void begin(struct world *world)
{
    fr_observer observer = {sizeof observer, will_change, NULL, NULL, did_change, NULL, NULL, NULL};
    memset(world, 0, sizeof *world);
    world->store = store_with(SCHEMA);
    world->list = list_of(world->store, "t", NULL, NULL, NULL);
    world->other = list_of(world->store, "t", NULL, "-id", NULL);
    CHECK_OK(fr_list_add_observer(NULL, world->list, &observer, world, NULL));
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
    begin(&world);
    world.act = register_it;
    run(world.store, CHANGE);
    CHECK_TAKEN(&world, "will will did did over ");
    run(world.store, CHANGE);
    CHECK_TAKEN(&world, "will will did did ");
    end(&world);
}

static void outside_of_callbacks_after_the_next_round(void)
{
    struct world world;
    bool delivering = true;
    begin(&world);
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

/* The request fails for each row, not when it is compiled. */
static void fail_and_ask_for_details(struct world *world)
{
    fr_request *request = request_of("t", NULL, NULL, "abs(-9223372036854775806 - id) > 0");
    CHECK_OK(fr_controller_set_request(world->list, request));
    CHECK_OK(fr_store_call_after_round(world->store, is_over_with_details, &world->calls, NULL));
    fr_request_free(request);
}

static void receives_the_whole_error(void)
{
    struct world world;
    begin(&world);
    world.act = fail_and_ask_for_details;
    run(world.store, CHANGE);
    CHECK_INT(world.calls, 1);
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
    begin(&world);
    CHECK_OK(fr_store_call_after_round(world.store, is_over, &world, destroy_and_look));
    CHECK_OK(fr_store_close(world.store));
    world.store = NULL;
    CHECK_INT(world.destroyed, 1);
    end(&world);
}

static void destroyed_once_after_the_call(void)
{
    struct world world;
    begin(&world);
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
    begin(&world);
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
    begin(&world);
    world.act = register_and_close;
    CHECK_OK(fr_store_execute(world.store, CHANGE, NULL, 0));
    CHECK_INT(world.calls, 0);
    CHECK_INT(world.destroyed, 1);
    end(&world);
}

static void destroyed_when_registering_fails(void)
{
    struct world world;
    bool delivering = false;
    begin(&world);
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

TESTS(after_round_tests) = {
    TEST(inside_a_callback_after_everyone_was_notified),
    TEST(outside_of_callbacks_after_the_next_round),
    TEST(receives_the_whole_error),
    TEST(destroyed_when_the_store_is_closed),
    TEST(destroyed_once_after_the_call),
    TEST(destroyed_and_not_called_when_the_store_is_closed),
    TEST(not_called_when_a_callback_closes_the_store),
    TEST(destroyed_when_registering_fails),
    END_OF_TESTS,
};
