/*
 * A user who may only read the files of a database: the daemon that writes it is root, its folder
 * has mode 755, and the files 644. Only root can run these tests, as it can become another user.
 */
#include <poll.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixture.h"
#include "test.h"

enum { OTHER_USER = 65534, COMMITS = 30, WAIT_MS = 10000 };

/* Between the process of the user, and the one that writes. */
struct connected {
    int orders[2], reports[2];
    pid_t child;
};

static void say(int descriptor)
{
    CHECK_INT(write(descriptor, "", 1), 1);
}

static bool hears(int descriptor)
{
    struct pollfd request = {descriptor, POLLIN, 0};
    char byte;
    return poll(&request, 1, WAIT_MS) == 1 && read(descriptor, &byte, 1) == 1;
}

static void become_other_user(void)
{
    CHECK_INT(setgid(OTHER_USER), 0);
    CHECK_INT(setuid(OTHER_USER), 0);
}

/*
 * Each commit makes the descriptor readable, and is followed row by row; the first ones, up to
 * `unfollowed`, may be found by reading the list.
 */
static void follow_commits(const struct connected *connected, const char *path, uint32_t flags, int unfollowed)
{
    fr_store_options options = {.struct_size = sizeof options, .flags = flags};
    fr_foreign_counters counters = {.struct_size = sizeof counters};
    fr_wake_up_source source = FR_WAKE_UP_NONE;
    struct pollfd request = {-1, POLLIN, 0};
    fr_store *store = NULL;
    fr_list *list;
    int64_t rows = 0, read_again = 0;
    int commit, reason;
    become_other_user();
    REQUIRE(CHECK_OK(fr_store_open(&store, path, &options)));
    CHECK_STATUS(fr_store_execute(store, "DELETE FROM t", NULL, 0), FR_READ_ONLY);
    list = list_of(store, "t", NULL, "id", NULL);
    CHECK_OK(fr_store_file_descriptor(&request.fd, store));
    CHECK_OK(fr_store_wake_up_source(&source, store));
    CHECK_INT(source, FR_WAKE_UP_NOTICES);
    CHECK_OK(fr_store_dispatch(store));
    for (commit = 1; commit <= COMMITS; commit++) {
        say(connected->reports[1]);
        do {
            REQUIRE(poll(&request, 1, WAIT_MS) == 1);
            CHECK_OK(fr_store_dispatch(store));
            CHECK_OK(fr_list_count(&rows, list));
        } while (rows < commit + 1 && failures() == 0);
        CHECK_INT(rows, commit + 1);
    }
    CHECK_OK(fr_store_foreign_counters(&counters, store));
    CHECK(counters.rows >= COMMITS - unfollowed);
    for (reason = 0; reason < FR_UNKNOWN_REASONS; reason++) {
        read_again += counters.unknown[reason];
    }
    CHECK(read_again <= unfollowed);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

/* Starts a process that runs `body` once the file exists. SQLite has to be unused before a fork. */
static bool connect_to_user(struct connected *connected, const char *path, uint32_t flags, int unfollowed)
{
    if (!CHECK(pipe(connected->orders) == 0 && pipe(connected->reports) == 0)) {
        return false;
    }
    fflush(stdout);
    connected->child = fork();
    if (connected->child == 0) {
        if (CHECK(hears(connected->orders[0]))) {
            follow_commits(connected, path, flags, unfollowed);
        }
        fflush(stdout);
        _exit(failures() == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    close(connected->reports[1]);
    return CHECK(connected->child > 0);
}

/* A file in a folder that everybody may read; NULL for a test that can't run. */
static const char *shared_file(void)
{
    static char path[256];
    char folder[256];
    if (geteuid() != 0) {
        printf("  skipped: only root can become another user\n");
        return NULL;
    }
    snprintf(path, sizeof path, "%s", file_path("shared.db"));
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    CHECK_INT(chmod(folder, 0755), 0);
    umask(022);
    return path;
}

static sqlite3 *make_table(const char *path, const char *before)
{
    sqlite3 *writer = NULL;
    CHECK_INT(sqlite3_open(path, &writer), SQLITE_OK);
    CHECK_INT(sqlite3_exec(writer,
                           "PRAGMA journal_mode = WAL; CREATE TABLE t(id INTEGER PRIMARY KEY, v);"
                           "INSERT INTO t(v) VALUES (randomblob(100))",
                           NULL, NULL, NULL),
              SQLITE_OK);
    CHECK_INT(sqlite3_exec(writer, before, NULL, NULL, NULL), SQLITE_OK);
    return writer;
}

/* Commits whenever the user waits for it, until the user has ended. */
static void commit_for(const struct connected *connected, const char *path, sqlite3 *writer)
{
    int status = -1;
    while (hears(connected->reports[0])) {
        if (writer == NULL) {
            CHECK_INT(sqlite3_open(path, &writer), SQLITE_OK);
        }
        CHECK_INT(sqlite3_exec(writer, "INSERT INTO t(v) VALUES (randomblob(100))", NULL, NULL, NULL), SQLITE_OK);
    }
    CHECK_INT(waitpid(connected->child, &status, 0), connected->child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
    CHECK_INT(sqlite3_close(writer), SQLITE_OK);
}

static void write_for_other_user(uint32_t flags, const char *before)
{
    struct connected connected;
    const char *path = shared_file();
    sqlite3 *writer;
    if (path != NULL && connect_to_user(&connected, path, flags, 0)) {
        writer = make_table(path, before);
        say(connected.orders[1]);
        commit_for(&connected, path, writer);
    }
}

static void commits_wake_a_user_who_may_only_read(void)
{
    write_for_other_user(FR_STORE_READ_ONLY, "");
}

/* The store finds by itself that it can't write. */
static void commits_wake_a_user_who_would_write(void)
{
    write_for_other_user(0, "");
}

/* A log that is long enough for the store to write it back, if it could. */
static void a_long_log_is_followed_by_a_user_who_may_only_read(void)
{
    write_for_other_user(FR_STORE_READ_ONLY, "PRAGMA wal_autocheckpoint = 0; CREATE TABLE u(v);"
                                             "INSERT INTO u VALUES (zeroblob(8000000))");
}

/*
 * A writer was killed, and left its log. The user opens it, and cannot initialize its index. The
 * writer that comes later does that.
 */
static void commits_wake_a_user_who_came_before_the_writer(void)
{
    struct connected connected;
    const char *path = shared_file();
    pid_t child;
    if (path == NULL || !connect_to_user(&connected, path, FR_STORE_READ_ONLY, 1)) {
        return;
    }
    child = fork();
    if (child == 0) {
        make_table(path, "");
        raise(SIGKILL);
    }
    CHECK_INT(waitpid(child, NULL, 0), child);
    say(connected.orders[1]);
    commit_for(&connected, path, NULL);
}

TESTS(other_user_tests) = {
    TEST(commits_wake_a_user_who_may_only_read),
    TEST(commits_wake_a_user_who_would_write),
    TEST(commits_wake_a_user_who_came_before_the_writer),
    TEST(a_long_log_is_followed_by_a_user_who_may_only_read),
    END_OF_TESTS,
};
