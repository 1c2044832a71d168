/*
 * The descriptor that is readable while deliveries wait for dispatch, and waiting without a loop.
 */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

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
    fr_store_options options = {.struct_size = sizeof options, .flags = FR_STORE_QUEUED};
    fr_store *store = NULL;
    fr_list *list;
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
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void insert_until_five(fr_list *list, fr_change_set *changes, void *user_data)
{
    int64_t count = 0;
    (void)changes;
    CHECK_OK(fr_list_count(&count, list));
    if (count < 5) run(user_data, "INSERT INTO t DEFAULT VALUES");
}

#define CHECK_DISPATCH(limit, expected_rounds, expected_lists, complete) \
    do { \
        fr_dispatch_result result = {.struct_size = sizeof result}; \
        CHECK_OK(fr_store_dispatch_rounds(&result, store, limit)); \
        CHECK_INT(result.rounds, expected_rounds); \
        CHECK_INT(result.changed_lists, expected_lists); \
        CHECK(result.is_complete == (complete)); \
        CHECK(readable(descriptor) == !(complete)); \
    } while (0)

/* In each round an observer writes, which causes the next one. */
static void limit_leaves_rounds_for_later(void)
{
    fr_store_options options = {.struct_size = sizeof options, .flags = FR_STORE_QUEUED};
    fr_observer observer = {.struct_size = sizeof observer, .did_deliver = insert_until_five};
    fr_store *store = NULL;
    fr_list *list, *other;
    int32_t descriptor = -1;
    REQUIRE(CHECK_OK(fr_store_open(&store, ":memory:", &options)));
    run(store, "CREATE TABLE t(id INTEGER PRIMARY KEY)");
    CHECK_OK(fr_store_dispatch(store));
    list = list_of(store, "t", NULL, NULL, NULL);
    other = list_of(store, "t", NULL, NULL, "id < 2");
    CHECK_OK(fr_list_add_observer(NULL, list, &observer, store, NULL));
    CHECK_OK(fr_store_file_descriptor(&descriptor, store));
    CHECK_DISPATCH(-1, 0, 0, true);
    run(store, "INSERT INTO t VALUES (1)");
    CHECK_DISPATCH(0, 0, 0, false);
    CHECK_DISPATCH(1, 1, 2, false);
    CHECK_LIST(list, "1");
    CHECK_DISPATCH(2, 2, 2, false);
    CHECK_LIST(list, "1 2 3");
    CHECK_DISPATCH(-1, 2, 2, true);
    CHECK_LIST(list, "1 2 3 4 5");
    CHECK_DISPATCH(1, 0, 0, true);
    fr_list_free(other);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void result_of_a_dispatch_is_left_alone_on_failure(void)
{
    fr_store *store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY)");
    fr_dispatch_result result = {.struct_size = sizeof result, .rounds = 7};
    CHECK_OK(fr_store_dispatch_rounds(NULL, store, -1));
    CHECK_STATUS(fr_store_dispatch_rounds(&result, NULL, -1), FR_MISUSE);
    result.struct_size = 8;
    CHECK_STATUS(fr_store_dispatch_rounds(&result, store, -1), FR_RANGE);
    CHECK_INT(result.rounds, 7);
    CHECK_OK(fr_store_close(store));
}

static void waiting_ends_with_the_time_or_with_the_news(void)
{
    fr_store_options options = {.struct_size = sizeof options, .flags = FR_STORE_QUEUED};
    fr_store *store = NULL;
    fr_list *list;
    REQUIRE(CHECK_OK(fr_store_open(&store, ":memory:", &options)));
    run(store, "CREATE TABLE t(id INTEGER PRIMARY KEY)");
    CHECK_OK(fr_store_wait(store, 0));
    list = list_of(store, "t", NULL, NULL, NULL);
    CHECK_OK(fr_store_wait(store, 1));
    run(store, "INSERT INTO t VALUES (1)");
    CHECK_OK(fr_store_wait(store, -1));
    CHECK_LIST(list, "1");
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static volatile sig_atomic_t signals;

static void count_signal(int number)
{
    (void)number;
    signals += 1;
}

/* Sends signals to a thread until it has to stop. */
struct sender {
    pthread_t target;
    pthread_mutex_t lock;
    bool stop;
};

static bool is_stopped(struct sender *sender)
{
    bool stop;
    pthread_mutex_lock(&sender->lock);
    stop = sender->stop;
    pthread_mutex_unlock(&sender->lock);
    return stop;
}

static void *send_signals(void *user_data)
{
    static const struct timespec pause = {0, 2000000};
    struct sender *sender = user_data;
    while (!is_stopped(sender)) {
        pthread_kill(sender->target, SIGUSR1);
        nanosleep(&pause, NULL);
    }
    return NULL;
}

static int64_t milliseconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)(now.tv_sec - start->tv_sec) * 1000 + (now.tv_nsec - start->tv_nsec) / 1000000;
}

/* Handlers run, without SA_RESTART, and the call waits for the remaining time. */
static void signals_do_not_end_the_wait(void)
{
    fr_store *store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY)");
    struct sender sender = {pthread_self(), PTHREAD_MUTEX_INITIALIZER, false};
    struct sigaction action, previous;
    pthread_t thread;
    int tries;
    memset(&action, 0, sizeof action);
    action.sa_handler = count_signal;
    CHECK_INT(sigaction(SIGUSR1, &action, &previous), 0);
    REQUIRE(pthread_create(&thread, NULL, send_signals, &sender) == 0);
    for (tries = 0; tries < 100; tries++) {
        sig_atomic_t before = signals;
        struct timespec start;
        clock_gettime(CLOCK_MONOTONIC, &start);
        CHECK_OK(fr_store_wait(store, 40));
        CHECK(milliseconds_since(&start) >= 40);
        if (signals > before) {
            break;
        }
    }
    CHECK(tries < 100);
    pthread_mutex_lock(&sender.lock);
    sender.stop = true;
    pthread_mutex_unlock(&sender.lock);
    CHECK_INT(pthread_join(thread, NULL), 0);
    CHECK_INT(sigaction(SIGUSR1, &previous, NULL), 0);
    CHECK_OK(fr_store_close(store));
}

TESTS(dispatch_tests) = {
    TEST(descriptor_is_readable_while_something_waits),
    TEST(limit_leaves_rounds_for_later),
    TEST(result_of_a_dispatch_is_left_alone_on_failure),
    TEST(waiting_ends_with_the_time_or_with_the_news),
    TEST(signals_do_not_end_the_wait),
    END_OF_TESTS,
};
