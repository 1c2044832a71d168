/* How a store detects the commits of other connections, and what it reports of them. */
#include <poll.h>
#include <sqlite3.h>

#include "test.h"
#include "watched.h"

static bool becomes_readable(fr_store *store)
{
    struct pollfd request = {-1, POLLIN, 0};
    CHECK_OK(fr_store_file_descriptor(&request.fd, store));
    return poll(&request, 1, 10000) == 1;
}

/*
 * A list of 3 rows, of which another connection changes one: the store is woken, and finds that
 * row.
 */
static void a_commit_of_others_costs_its_rows(void)
{
    fr_store *store = store_in_file("foreign.db");
    fr_wake_up_source source = FR_WAKE_UP_NONE;
    fr_foreign_counters counters = {.struct_size = sizeof counters};
    struct watched w;
    sqlite3 *other = NULL;
    run(store, "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c');");
    watch_list(&w, store, list_of(store, "t", NULL, "v", NULL));
    CHECK_OK(fr_store_wake_up_source(&source, store));
    CHECK_INT(source, FR_WAKE_UP_NOTICES);
    CHECK_INT(sqlite3_open(file_path("foreign.db"), &other), SQLITE_OK);
    CHECK_INT(sqlite3_exec(other, "UPDATE t SET v = 'd' WHERE id = 2", NULL, NULL, NULL), SQLITE_OK);
    CHECK(becomes_readable(store));
    CHECK_OK(fr_store_dispatch(store));
    CHECK_OK(fr_store_foreign_counters(&counters, store));
    CHECK_INT(counters.followed, 1);
    CHECK_INT(counters.rows, 1);
    CHECK(counters.frames > 0);
    CHECK_INT(counters.unknown[FR_UNKNOWN_LAYOUT], 0);
    CHECK_INT(sqlite3_exec(other, "CREATE TABLE more(x)", NULL, NULL, NULL), SQLITE_OK);
    CHECK_OK(fr_store_dispatch(store));
    CHECK_OK(fr_store_foreign_counters(&counters, store));
    CHECK_INT(counters.unknown[FR_UNKNOWN_LAYOUT], 1);
    CHECK_INT(sqlite3_close(other), SQLITE_OK);
    unwatch(&w);
}

static void a_database_in_memory_has_no_others(void)
{
    fr_store *store = NULL;
    fr_wake_up_source source = FR_WAKE_UP_INTERVAL;
    fr_foreign_counters counters = {.struct_size = 3};
    CHECK_OK(fr_store_open(&store, ":memory:", NULL));
    CHECK_OK(fr_store_wake_up_source(&source, store));
    CHECK_INT(source, FR_WAKE_UP_NONE);
    CHECK_STATUS(fr_store_wake_up_source(NULL, store), FR_MISUSE);
    CHECK_STATUS(fr_store_wake_up_source(&source, NULL), FR_MISUSE);
    CHECK_STATUS(fr_store_foreign_counters(NULL, store), FR_MISUSE);
    CHECK_STATUS(fr_store_foreign_counters(&counters, store), FR_RANGE);
    counters.struct_size = sizeof counters;
    CHECK_STATUS(fr_store_foreign_counters(&counters, NULL), FR_MISUSE);
    CHECK_OK(fr_store_foreign_counters(&counters, store));
    CHECK_INT(counters.followed, 0);
    CHECK_OK(fr_store_close(store));
}

/* A store that holds no state reads its list instead, and delivers the same. */
static void without_a_snapshot_lists_are_read(void)
{
    fr_store_options options = {.struct_size = sizeof options, .snapshot_limit = -1, .poll_interval_ms = 5};
    fr_foreign_counters counters = {.struct_size = sizeof counters};
    int64_t count = 0;
    fr_store *store = NULL;
    struct watched w;
    sqlite3 *other = NULL;
    CHECK_OK(fr_store_open(&store, file_path("no-snapshot.db"), &options));
    run(store, "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a');");
    watch_list(&w, store, list_of(store, "t", NULL, "v", NULL));
    CHECK_INT(sqlite3_open(file_path("no-snapshot.db"), &other), SQLITE_OK);
    CHECK_INT(sqlite3_exec(other, "INSERT INTO t VALUES (2, 'b')", NULL, NULL, NULL), SQLITE_OK);
    CHECK_OK(fr_store_dispatch(store));
    CHECK_OK(fr_store_foreign_counters(&counters, store));
    CHECK_INT(counters.followed, 0);
    CHECK_OK(fr_list_count(&count, w.list));
    CHECK_INT(count, 2);
    CHECK_INT(sqlite3_close(other), SQLITE_OK);
    unwatch(&w);
}

/* The rounds of a store are measured only while it is asked to. */
static void times_of_rounds(void)
{
    fr_store *store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a')");
    fr_delivery_times times = {.struct_size = 3};
    struct watched w;
    watch_list(&w, store, list_of(store, "t", NULL, "v", NULL));
    CHECK_STATUS(fr_store_delivery_times(&times, store), FR_RANGE);
    times.struct_size = sizeof times;
    CHECK_STATUS(fr_store_delivery_times(NULL, store), FR_MISUSE);
    CHECK_STATUS(fr_store_delivery_times(&times, NULL), FR_MISUSE);
    CHECK_STATUS(fr_store_set_measuring(NULL, true), FR_MISUSE);
    run(store, "UPDATE t SET v = 'b'");
    CHECK_OK(fr_store_set_measuring(store, true));
    run(store, "UPDATE t SET v = 'c'");
    CHECK_OK(fr_store_set_measuring(store, false));
    run(store, "UPDATE t SET v = 'd'");
    CHECK_OK(fr_store_delivery_times(&times, store));
    CHECK_INT(times.rounds, 1);
    CHECK(times.total.capturing > 0 && times.total.capturing == times.last.capturing);
    CHECK(times.total.reading > 0 && times.total.reading == times.last.reading);
    CHECK(times.total.building > 0 && times.total.building == times.last.building);
    CHECK(times.total.notifying > 0 && times.total.notifying == times.last.notifying);
    unwatch(&w);
}

TESTS(foreign_tests) = {
    TEST(times_of_rounds),
    TEST(a_commit_of_others_costs_its_rows),
    TEST(a_database_in_memory_has_no_others),
    TEST(without_a_snapshot_lists_are_read),
    END_OF_TESTS,
};
