/*
 * Stores for which the kernel gives no notices of what others write: the user has no instance of
 * inotify left. They look at intervals.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sqlite3.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "fixture.h"
#include "test.h"
#include "watched.h"

enum { WAIT_MS = 10000, LIMIT = 1 << 20, COMMITS = 700 };

static bool write_text(const char *path, const char *text, size_t size)
{
    int file = open(path, O_WRONLY);
    bool is_written = file >= 0 && write(file, text, size) == (ssize_t)size;
    close(file);
    return is_written;
}

/*
 * Takes all instances from this process: a namespace of its own has none, or, if that can't be
 * made, the process uses them up.
 */
static void take_all_instances(void)
{
    if (unshare(CLONE_NEWUSER) == 0 && write_text("/proc/sys/user/max_inotify_instances", "0", 1)) {
        return;
    }
    while (inotify_init1(IN_CLOEXEC) >= 0) {
    }
}

static bool becomes_readable(fr_store *store)
{
    struct pollfd request = {-1, POLLIN, 0};
    CHECK_OK(fr_store_file_descriptor(&request.fd, store));
    return poll(&request, 1, WAIT_MS) == 1;
}

static fr_store *open_with_interval(const char *name, int32_t interval, const char *journal_mode)
{
    fr_store_options options = {.struct_size = sizeof options,
                                .poll_interval_ms = interval,
                                .snapshot_limit = LIMIT,
                                .journal_mode = journal_mode};
    fr_store *store = NULL;
    CHECK_OK(fr_store_open(&store, file_path(name), &options));
    run(store, "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t(v) VALUES ('a');");
    return store;
}

static sqlite3 *open_other(const char *name)
{
    sqlite3 *other = NULL;
    CHECK_INT(sqlite3_open(file_path(name), &other), SQLITE_OK);
    CHECK_INT(sqlite3_busy_timeout(other, WAIT_MS), SQLITE_OK);
    CHECK_INT(sqlite3_exec(other, "PRAGMA synchronous = OFF", NULL, NULL, NULL), SQLITE_OK);
    return other;
}

static void expect_wake_ups(const char *name, int32_t interval, const char *journal_mode)
{
    fr_store *store = open_with_interval(name, interval, journal_mode);
    fr_wake_up_source source = FR_WAKE_UP_NONE;
    struct watched w;
    sqlite3 *other = open_other(name);
    int commit;
    watch_list(&w, store, list_of(store, "t", NULL, "id", NULL));
    CHECK_OK(fr_store_wake_up_source(&source, store));
    CHECK_INT(source, FR_WAKE_UP_INTERVAL);
    for (commit = 0; commit < 10; commit++) {
        int64_t count = 0;
        CHECK_INT(sqlite3_exec(other, "INSERT INTO t(v) VALUES ('b')", NULL, NULL, NULL), SQLITE_OK);
        REQUIRE(becomes_readable(store));
        CHECK_OK(fr_store_dispatch(store));
        CHECK_OK(fr_list_count(&count, w.list));
        CHECK_INT(count, commit + 2);
    }
    CHECK_INT(sqlite3_close(other), SQLITE_OK);
    unwatch(&w);
}

static void commits_of_others_wake_the_store(void)
{
    take_all_instances();
    expect_wake_ups("default.db", 0, NULL);
    expect_wake_ups("own.db", 5, NULL);
    expect_wake_ups("rollback.db", 5, "delete");
}

static void a_store_that_never_looks_is_not_woken(void)
{
    fr_store *store;
    fr_wake_up_source source = FR_WAKE_UP_INTERVAL;
    struct pollfd request = {-1, POLLIN, 0};
    struct watched w;
    sqlite3 *other;
    take_all_instances();
    store = open_with_interval("never.db", -1, NULL);
    other = open_other("never.db");
    watch_list(&w, store, list_of(store, "t", NULL, "id", NULL));
    CHECK_OK(fr_store_wake_up_source(&source, store));
    CHECK_INT(source, FR_WAKE_UP_NONE);
    CHECK_OK(fr_store_dispatch(store));
    CHECK_INT(sqlite3_exec(other, "INSERT INTO t(v) VALUES ('b')", NULL, NULL, NULL), SQLITE_OK);
    CHECK_OK(fr_store_file_descriptor(&request.fd, store));
    CHECK_INT(poll(&request, 1, 500), 0);
    CHECK_OK(fr_store_dispatch(store));
    CHECK_LOG(&w.recorder, "[insert 0.1]");
    CHECK_INT(sqlite3_close(other), SQLITE_OK);
    unwatch(&w);
}

/* The store does not dispatch: 700 commits write 11 MB, where 1 MiB may be held. */
static void expect_short_log(const char *name, int32_t interval)
{
    const struct timespec pause = {0, 2000000};
    fr_store *store = open_with_interval(name, interval, NULL);
    struct watched w;
    struct stat log;
    sqlite3 *other = open_other(name);
    char path[300];
    int commit, frames = -1, written = -1;
    off_t longest = 0;
    watch_list(&w, store, list_of(store, "t", NULL, "id", NULL));
    CHECK_OK(fr_store_dispatch(store));
    snprintf(path, sizeof path, "%s-wal", file_path(name));
    for (commit = 0; commit < COMMITS; commit++) {
        CHECK_INT(sqlite3_exec(other, "UPDATE t SET v = zeroblob(12000)", NULL, NULL, NULL), SQLITE_OK);
        CHECK_INT(stat(path, &log), 0);
        longest = log.st_size > longest ? log.st_size : longest;
        nanosleep(&pause, NULL);
    }
    /* SQLite's own checkpoints are due at 4 MB. */
    CHECK(longest < 8 * LIMIT);
    CHECK_INT(sqlite3_wal_checkpoint_v2(other, NULL, SQLITE_CHECKPOINT_TRUNCATE, &frames, &written), SQLITE_OK);
    CHECK_OK(fr_store_dispatch(store));
    CHECK_INT(sqlite3_close(other), SQLITE_OK);
    unwatch(&w);
}

static void the_log_stays_short(void)
{
    take_all_instances();
    expect_short_log("log.db", 0);
    expect_short_log("log-never.db", -1);
    expect_short_log("log-seldom.db", 60000);
}

/* A checkpoint waits for a store that does not dispatch, and has written nothing before. */
static void expect_checkpoint(const char *name, int32_t interval)
{
    fr_store *store = open_with_interval(name, interval, NULL);
    struct watched w;
    sqlite3 *other = open_other(name);
    watch_list(&w, store, list_of(store, "t", NULL, "id", NULL));
    CHECK_OK(fr_store_dispatch(store));
    CHECK_INT(sqlite3_exec(other, "INSERT INTO t(v) VALUES ('b')", NULL, NULL, NULL), SQLITE_OK);
    CHECK_INT(sqlite3_wal_checkpoint_v2(other, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL), SQLITE_OK);
    CHECK_OK(fr_store_dispatch(store));
    CHECK_LOG(&w.recorder, "[insert 0.1]");
    CHECK_INT(sqlite3_close(other), SQLITE_OK);
    unwatch(&w);
}

static void a_checkpoint_that_waits_succeeds(void)
{
    take_all_instances();
    expect_checkpoint("checkpoint.db", 0);
    expect_checkpoint("checkpoint-never.db", -1);
}

/*
 * The descriptor becomes readable, the dispatch fails, and the list reports it; then the reverse.
 */
static void a_file_that_is_moved_wakes_the_store(void)
{
    fr_store *store;
    struct watched w;
    char path[300], away[300];
    take_all_instances();
    store = open_with_interval("moved.db", 5, NULL);
    snprintf(path, sizeof path, "%s", file_path("moved.db"));
    snprintf(away, sizeof away, "%s", file_path("away.db"));
    watch_list(&w, store, list_of(store, "t", NULL, "id", NULL));
    CHECK_OK(fr_store_dispatch(store));
    CHECK_INT(rename(path, away), 0);
    CHECK(becomes_readable(store));
    CHECK_STATUS(fr_store_dispatch(store), FR_IO);
    CHECK_INT(rename(away, path), 0);
    CHECK(becomes_readable(store));
    CHECK_OK(fr_store_dispatch(store));
    unwatch(&w);
}

TESTS(without_notices_tests) = {
    TEST(commits_of_others_wake_the_store), TEST(a_store_that_never_looks_is_not_woken), TEST(the_log_stays_short),
    TEST(a_checkpoint_that_waits_succeeds), TEST(a_file_that_is_moved_wakes_the_store),  END_OF_TESTS,
};
