/* What a store's trace receives (fr_store_set_trace). */
#include <string.h>

#include "fixture.h"
#include "test.h"

#define SCHEMA \
    "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a'), (2, 'b');" \
    "CREATE TABLE shown(id INTEGER PRIMARY KEY);"

struct world {
    fr_store *store;
    fr_list *list;
    int rounds, destroyed;
    int64_t records, runs;
    int32_t reread;
    bool frees, writes, closes;
};

static void free_list(struct world *world)
{
    fr_list_free(world->list);
    world->list = NULL;
}

static void traced(fr_store *store, const fr_round_trace *trace, void *user_data)
{
    struct world *world = user_data;
    bool delivering = false;
    world->rounds += 1;
    CHECK(store == world->store);
    CHECK_OK(fr_store_is_delivering(&delivering, store));
    CHECK(delivering);
    CHECK_INT(trace->origin, FR_ORIGIN_STORE);
    CHECK(strncmp(trace->text, "round (store): capturing ", 25) == 0);
    CHECK(trace->phases.building > 0 && trace->phases.notifying > 0);
    REQUIRE(CHECK_INT((int64_t)trace->list_count, 1));
    CHECK(trace->lists[0].list == world->list);
    CHECK_TEXT(trace->lists[0].entity, "t");
    CHECK_INT(trace->lists[0].reading, trace->phases.reading);
    world->records += trace->lists[0].records;
    world->reread = trace->lists[0].reread;
    if (trace->lists[0].statement_count > 0) {
        CHECK(strstr(trace->text, trace->lists[0].statements[0].sql) != NULL);
        world->runs += trace->lists[0].statements[0].runs;
    }
    if (world->frees) free_list(world);
    if (world->writes) {
        world->writes = false;
        run(store, "UPDATE t SET v = 'e'");
    }
    if (world->closes) {
        CHECK_OK(fr_store_close(store));
        world->store = NULL;
    }
}

static void destroy(void *user_data)
{
    ((struct world *)user_data)->destroyed += 1;
}

static void begin(struct world *world, const char *predicate)
{
    memset(world, 0, sizeof *world);
    world->store = store_with(SCHEMA);
    world->list = list_of(world->store, "t", NULL, "v", predicate);
    CHECK_OK(fr_store_set_trace(world->store, traced, world, destroy));
}

static void end(struct world *world)
{
    fr_list_free(world->list);
    if (world->store != NULL) CHECK_OK(fr_store_close(world->store));
    CHECK_INT(world->destroyed, 1);
}

static void receives_each_round_until_it_ends(void)
{
    struct world world;
    begin(&world, NULL);
    run(world.store, "UPDATE t SET v = 'c' WHERE id = 1");
    CHECK_INT(world.rounds, 1);
    CHECK_INT(world.records, 1);
    CHECK_INT(world.runs, 1);
    CHECK_INT(world.reread, -1);
    CHECK_OK(fr_store_set_trace(world.store, NULL, NULL, NULL));
    CHECK_INT(world.destroyed, 1);
    run(world.store, "UPDATE t SET v = 'd' WHERE id = 1");
    CHECK_INT(world.rounds, 1);
    end(&world);
}

static void has_the_reason_of_a_whole_read(void)
{
    struct world world;
    begin(&world, "id IN (SELECT id FROM shown)");
    run(world.store, "INSERT INTO shown VALUES (2)");
    CHECK_INT(world.rounds, 1);
    CHECK_INT(world.reread, FR_REREAD_RELATED);
    end(&world);
}

static void may_write(void)
{
    struct world world;
    begin(&world, NULL);
    world.writes = true;
    run(world.store, "UPDATE t SET v = 'c' WHERE id = 1");
    CHECK_INT(world.rounds, 2);
    CHECK_INT(world.records, 3);
    end(&world);
}

static void may_free_the_list(void)
{
    struct world world;
    begin(&world, NULL);
    world.frees = true;
    run(world.store, "UPDATE t SET v = 'c' WHERE id = 1");
    CHECK_INT(world.rounds, 1);
    end(&world);
}

static void may_close_the_store(void)
{
    struct world world;
    begin(&world, NULL);
    world.closes = true;
    CHECK_OK(fr_store_execute(world.store, "UPDATE t SET v = 'c' WHERE id = 1", NULL, 0));
    CHECK_INT(world.rounds, 1);
    end(&world);
}

static void a_failing_call_destroys_its_data(void)
{
    struct world world;
    memset(&world, 0, sizeof world);
    CHECK_STATUS(fr_store_set_trace(NULL, traced, &world, destroy), FR_MISUSE);
    CHECK_INT(world.destroyed, 1);
}

TESTS(trace_tests) = {
    TEST(receives_each_round_until_it_ends),
    TEST(has_the_reason_of_a_whole_read),
    TEST(may_write),
    TEST(may_free_the_list),
    TEST(may_close_the_store),
    TEST(a_failing_call_destroys_its_data),
    END_OF_TESTS,
};
