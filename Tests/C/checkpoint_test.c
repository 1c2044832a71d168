/*
 * The checkpoints that the library starts: they begin only while it prevents that the log is
 * restarted. Otherwise SQLite up to 3.51.2 can lose what another connection commits meanwhile.
 */
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cases.h"
#include "fixture.h"
#include "log_locks.h"
#include "test.h"

#define ONLY_THE_LIBRARY "PRAGMA wal_autocheckpoint = 0"

static void execute(sqlite3 *connection, const char *script)
{
    CHECK_INT(sqlite3_exec(connection, script, NULL, NULL, NULL), SQLITE_OK);
}

static void make_file(const char *path)
{
    sqlite3 *connection = NULL;
    CHECK_INT(sqlite3_open(path, &connection), SQLITE_OK);
    execute(connection, "PRAGMA journal_mode = WAL; CREATE TABLE t(id INTEGER PRIMARY KEY, n INTEGER, x BLOB)");
    CHECK_INT(sqlite3_close(connection), SQLITE_OK);
}

/* Commits rows one by one, each once, with the numbers from 1 on. */
static void commit_rows(sqlite3 *connection, int count)
{
    sqlite3_stmt *statement = NULL;
    int number;
    CHECK_INT(sqlite3_prepare_v2(connection, "INSERT INTO t VALUES (?1, ?1, zeroblob(500))", -1, &statement, NULL),
              SQLITE_OK);
    for (number = 1; number <= count; number++) {
        sqlite3_bind_int(statement, 1, number);
        CHECK_INT(sqlite3_step(statement), SQLITE_DONE);
        sqlite3_reset(statement);
    }
    sqlite3_finalize(statement);
}

/* A process that commits rows as soon as a byte is written to the pipe. */
static pid_t start_writer(const char *path, int count, int *starter)
{
    int ends[2];
    pid_t child;
    CHECK_INT(pipe(ends), 0);
    child = fork();
    if (child == 0) {
        sqlite3 *connection = NULL;
        char byte;
        close(ends[1]);
        CHECK_INT(read(ends[0], &byte, 1), 1);
        CHECK_INT(sqlite3_open(path, &connection), SQLITE_OK);
        sqlite3_busy_timeout(connection, 60000);
        execute(connection, "PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0");
        commit_rows(connection, count);
        CHECK_INT(sqlite3_close(connection), SQLITE_OK);
        _exit(failures() == 0 ? 0 : 1);
    }
    close(ends[0]);
    *starter = ends[1];
    return child;
}

static bool has_ended(pid_t child, bool *was_good)
{
    int status = 0;
    if (waitpid(child, &status, WNOHANG) != child) return false;
    /* Not its status, which valgrind changes. The rows show what it has committed. */
    *was_good = WIFEXITED(status);
    return true;
}

static int64_t row_count(sqlite3 *connection)
{
    sqlite3_stmt *statement = NULL;
    int64_t count;
    CHECK_INT(sqlite3_prepare_v2(connection, "SELECT count(*) FROM t WHERE n = id", -1, &statement, NULL), SQLITE_OK);
    CHECK_INT(sqlite3_step(statement), SQLITE_ROW);
    count = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return count;
}

static void followers_checkpoint_only_while_they_hold_a_mark(void)
{
    const char *path = file_path("followed.db");
    struct checkpoints counts = {0, 0};
    int starter = -1, count = 3000 / step_of_cases(3);
    bool was_good = false;
    fr_store *store = NULL;
    struct sqlite3 *connection = NULL;
    fr_list *list;
    pid_t writer;
    make_file(path);
    writer = start_writer(path, count, &starter);
    count_checkpoints(&counts, path);
    REQUIRE(CHECK_OK(fr_store_open(&store, path, NULL)));
    run(store, ONLY_THE_LIBRARY);
    list = list_of(store, "t", NULL, "id", NULL);
    CHECK_INT(write(starter, "!", 1), 1);
    while (!has_ended(writer, &was_good)) CHECK_OK(fr_store_dispatch(store));
    CHECK(was_good);
    CHECK_OK(fr_store_dispatch(store));
    CHECK_OK(fr_store_sqlite(&connection, store));
    CHECK_INT(row_count(connection), count);
    /* Also after the store's own commits. */
    for (; count > 0; count--) run(store, "UPDATE t SET n = n + 1 WHERE id = 1");
    CHECK(counts.held > 0);
    CHECK_INT(counts.unheld, 0);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
    count_checkpoints(NULL, NULL);
    close(starter);
}

/* Lists are cached when a store closes. The log is then written into the file. */
static void caching_lists_checkpoints_only_with_a_mark(void)
{
    static const int64_t limits[] = {0, -1};
    size_t index;
    for (index = 0; index < sizeof limits / sizeof *limits; index++) {
        const char *path = file_path(index == 0 ? "cached.db" : "cached-without-a-state.db");
        fr_store_options options = {
            .struct_size = sizeof options, .cache_directory = file_path("lists"), .snapshot_limit = limits[index]};
        fr_request *request = request_of("t", NULL, "id", NULL);
        struct checkpoints counts = {0, 0};
        fr_counters counters = {.struct_size = sizeof counters};
        sqlite3 *other = NULL;
        int opening;
        make_file(path);
        CHECK_OK(fr_request_set_cache_name(request, "rows"));
        count_checkpoints(&counts, path);
        for (opening = 0; opening < 2; opening++) {
            fr_store *store = NULL;
            fr_list *list = NULL;
            REQUIRE(CHECK_OK(fr_store_open(&store, path, &options)));
            run(store, ONLY_THE_LIBRARY);
            if (opening == 0) run(store, "INSERT INTO t VALUES (1, 1, NULL)");
            CHECK_OK(fr_controller_new(&list, store, request));
            CHECK_OK(fr_list_perform_fetch(list));
            if (opening == 0) {
                CHECK_INT(counts.held + counts.unheld, 0);
                CHECK_INT(sqlite3_open(path, &other), SQLITE_OK);
                execute(other, "SELECT count(*) FROM t");
            } else {
                CHECK_OK(fr_controller_counters(&counters, list));
                CHECK_INT(counters.cached_fetches, 1);
            }
            fr_list_free(list);
            CHECK_OK(fr_store_close(store));
            CHECK_INT(counts.held, 1);
            CHECK_INT(counts.unheld, 0);
        }
        CHECK_INT(sqlite3_close(other), SQLITE_OK);
        count_checkpoints(NULL, NULL);
        fr_request_free(request);
    }
}

static void pause_us(long microseconds)
{
    struct timespec time = {0, microseconds * 1000};
    nanosleep(&time, NULL);
}

static volatile uint32_t *index_of(sqlite3 *connection)
{
    sqlite3_file *file = NULL;
    void volatile *region = NULL;
    execute(connection, "SELECT count(*) FROM t");
    CHECK_INT(sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file), SQLITE_OK);
    CHECK_INT(file->pMethods->xShmMap(file, 0, 32768, 0, &region), SQLITE_OK);
    return region;
}

/*
 * A process that follows the file, or opens and closes it with a cached list, until it is killed.
 */
static pid_t start_store(const char *path, const char *lists, bool caches)
{
    pid_t child = fork();
    if (child != 0) return child;
    for (;;) {
        fr_store_options options = {.struct_size = sizeof options, .cache_directory = lists};
        fr_request *request = request_of("t", NULL, "id", NULL);
        fr_store *store = NULL;
        fr_list *list = NULL;
        int round;
        if (fr_store_open(&store, path, &options) != FR_OK) continue;
        if (caches) CHECK_OK(fr_request_set_cache_name(request, "rows"));
        CHECK_OK(fr_controller_new(&list, store, request));
        (void)fr_list_perform_fetch(list); /* FR_BUSY beside the others */
        for (round = 0; !caches || round < 20; round++) (void)fr_store_wait(store, 5);
        fr_list_free(list);
        fr_request_free(request);
        (void)fr_store_close(store);
    }
}

/*
 * Processes that checkpoint at the same time, beside a writer. The trace of the bug is an index
 * that says that more frames are in the file than are in the log.
 */
static void commits_beside_stores_are_not_lost(void)
{
    const char *path = file_path("reset.db"), *lists = file_path("reset-lists");
    char lists_path[300];
    pid_t stores[3], writer;
    sqlite3 *connection = NULL;
    sqlite3_stmt *statement = NULL;
    volatile uint32_t *words;
    int index, starter = -1, count = 6000 / step_of_cases(10), traces = 0;
    bool was_good = false;
    snprintf(lists_path, sizeof lists_path, "%s", lists);
    make_file(path);
    for (index = 0; index < 3; index++) stores[index] = start_store(path, lists_path, index == 2);
    writer = start_writer(path, count, &starter);
    CHECK_INT(write(starter, "!", 1), 1);
    CHECK_INT(sqlite3_open(path, &connection), SQLITE_OK);
    sqlite3_busy_timeout(connection, 60000);
    words = index_of(connection);
    while (!has_ended(writer, &was_good)) {
        uint32_t change = words[2], frames = words[4], written = words[24];
        if (written > frames && words[2] == change) {
            pause_us(200);
            traces += words[2] == change && words[4] == frames && words[24] == written;
        }
        pause_us(20);
    }
    CHECK(was_good);
    CHECK_INT(traces, 0);
    for (index = 0; index < 3; index++) {
        int status = 0;
        kill(stores[index], SIGKILL);
        CHECK_INT(waitpid(stores[index], &status, 0), stores[index]);
        /* None has ended by itself. */
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    }
    CHECK_INT(row_count(connection), count);
    CHECK_INT(sqlite3_prepare_v2(connection, "PRAGMA integrity_check(1)", -1, &statement, NULL), SQLITE_OK);
    CHECK_INT(sqlite3_step(statement), SQLITE_ROW);
    CHECK_TEXT((const char *)sqlite3_column_text(statement, 0), "ok");
    sqlite3_finalize(statement);
    CHECK_INT(sqlite3_close(connection), SQLITE_OK);
    close(starter);
}

static void an_sqlite_with_the_bug_is_named(void)
{
    const char *version = fr_sqlite_with_reset_bug();
    int number = sqlite3_libversion_number();
    bool is_fixed = number >= 3051003 || (number >= 3050007 && number < 3051000)
                    || (number >= 3044006 && number < 3045000) || number < 3007000;
    CHECK(version == fr_sqlite_with_reset_bug());
    CHECK((version == NULL) == is_fixed);
    if (version != NULL) CHECK_TEXT(version, sqlite3_libversion());
}

TESTS(checkpoint_tests) = {
    TEST(followers_checkpoint_only_while_they_hold_a_mark),
    TEST(caching_lists_checkpoints_only_with_a_mark),
    TEST(commits_beside_stores_are_not_lost),
    TEST(an_sqlite_with_the_bug_is_named),
    END_OF_TESTS,
};
