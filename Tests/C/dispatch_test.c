/* The descriptor that tells of something to dispatch, and waiting without a loop. */
#include <poll.h>

#include "fixture.h"
#include "test.h"

static bool readable(int32_t descriptor)
{
    struct pollfd watched;
    watched.fd = descriptor;
    watched.events = POLLIN;
    return poll(&watched, 1, 0) == 1;
}

/* Level-triggered: readable as long as something waits, and not after it was dispatched. */
static void descriptor_is_readable_while_something_waits(void)
{
    fr_store_options options = {sizeof options, FR_STORE_QUEUED, 0, NULL, NULL};
    fr_store *store = NULL;
    fr_controller *list;
    int32_t descriptor = -1, same = -1;
    REQUIRE(CHECK_OK(fr_store_open(&store, ":memory:", &options)));
    run(store, "CREATE TABLE t(id INTEGER PRIMARY KEY)");
    CHECK_OK(fr_store_dispatch(store));
    list = list_of(store, "t", NULL, NULL, NULL);
    CHECK_OK(fr_store_file_descriptor(&descriptor, store));
    CHECK_OK(fr_store_file_descriptor(&same, store));
    CHECK_INT(descriptor, same);
    CHECK(!readable(descriptor));
    run(store, "INSERT INTO t VALUES (1)");
    CHECK(readable(descriptor));
    CHECK(readable(descriptor));
    CHECK_LIST(list, "");
    CHECK_OK(fr_store_dispatch(store));
    CHECK_LIST(list, "1");
    CHECK(!readable(descriptor));
    fr_controller_free(list);
    CHECK_OK(fr_store_close(store));
}

static void waiting_ends_with_the_time_or_with_the_news(void)
{
    fr_store_options options = {sizeof options, FR_STORE_QUEUED, 0, NULL, NULL};
    fr_store *store = NULL;
    fr_controller *list;
    REQUIRE(CHECK_OK(fr_store_open(&store, ":memory:", &options)));
    run(store, "CREATE TABLE t(id INTEGER PRIMARY KEY)");
    CHECK_OK(fr_store_wait(store, 0));
    list = list_of(store, "t", NULL, NULL, NULL);
    CHECK_OK(fr_store_wait(store, 1));
    run(store, "INSERT INTO t VALUES (1)");
    CHECK_OK(fr_store_wait(store, -1));
    CHECK_LIST(list, "1");
    fr_controller_free(list);
    CHECK_OK(fr_store_close(store));
}

TESTS(dispatch_tests) = {
    TEST(descriptor_is_readable_while_something_waits),
    TEST(waiting_ends_with_the_time_or_with_the_news),
    END_OF_TESTS,
};
