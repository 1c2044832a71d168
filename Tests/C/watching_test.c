/* What the stores of a process share to be woken, and what each has of its own. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <poll.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fixture.h"
#include "test.h"
#include "watched.h"

enum { STORES = 40, MOST_DESCRIPTORS = 5, WAIT_MS = 10000 };

/* How many descriptors this process has: all, or those of one kind. */
static int descriptors(const char *kind)
{
    DIR *folder = opendir("/proc/self/fd");
    struct dirent *entry;
    int count = 0;
    while ((entry = readdir(folder)) != NULL) {
        char path[300], target[300];
        ssize_t length;
        snprintf(path, sizeof path, "/proc/self/fd/%s", entry->d_name);
        length = readlink(path, target, sizeof target - 1);
        if (length > 0) {
            target[length] = '\0';
            count += strstr(target, kind) != NULL && strstr(target, "/proc/") == NULL;
        }
    }
    closedir(folder);
    return count;
}

static int threads(void)
{
    DIR *folder = opendir("/proc/self/task");
    struct dirent *entry;
    int count = 0;
    while ((entry = readdir(folder)) != NULL) {
        count += entry->d_name[0] != '.';
    }
    closedir(folder);
    return count;
}

/* A thread that was joined may be listed for a moment longer. */
static void check_threads(int count)
{
    const struct timespec pause = {0, 1000000};
    int tries;
    for (tries = 0; tries < WAIT_MS && threads() != count; tries++) {
        nanosleep(&pause, NULL);
    }
    CHECK_INT(threads(), count);
}

static bool becomes_readable(fr_store *store)
{
    struct pollfd request = {-1, POLLIN, 0};
    CHECK_OK(fr_store_file_descriptor(&request.fd, store));
    return poll(&request, 1, WAIT_MS) == 1;
}

static void watch_store(struct watched *w, const char *name)
{
    fr_store *store = store_in_file(name);
    run(store, "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a');");
    watch_list(w, store, list_of(store, "t", NULL, "v", NULL));
    CHECK_OK(fr_store_dispatch(store));
}

static void commit(const char *name, const char *sql)
{
    sqlite3 *other = NULL;
    CHECK_INT(sqlite3_open(file_path(name), &other), SQLITE_OK);
    CHECK_INT(sqlite3_exec(other, sql, NULL, NULL, NULL), SQLITE_OK);
    CHECK_INT(sqlite3_close(other), SQLITE_OK);
}

/* Waits until the store has nothing more to do than to wait. */
static void rest(void)
{
    const struct timespec pause = {1, 0};
    nanosleep(&pause, NULL);
}

static void all_stores_of_a_process_share_a_thread_and_an_instance(void)
{
    static struct watched w[STORES];
    char name[STORES][20];
    int i, first = 0, threads_before = threads();
    for (i = 0; i < STORES; i++) {
        snprintf(name[i], sizeof name[i], "%d.db", i);
        watch_store(&w[i], name[i]);
        CHECK_INT(descriptors("inotify"), 1);
        check_threads(threads_before + 1);
        if (i == 0) {
            rest();
            first = descriptors("");
        }
    }
    rest();
    CHECK(descriptors("") - first <= MOST_DESCRIPTORS * (STORES - 1));
    for (i = 0; i < STORES; i++) {
        CHECK_OK(fr_store_dispatch(w[i].store));
    }
    for (i = 0; i < STORES; i++) {
        commit(name[i], "INSERT INTO t VALUES (2, 'b')");
        REQUIRE(becomes_readable(w[i].store));
        CHECK_OK(fr_store_dispatch(w[i].store));
        CHECK_LOG(&w[i].recorder, "[insert 0.1]");
    }
    for (i = 0; i < STORES; i++) {
        unwatch(&w[i]);
    }
    CHECK_INT(descriptors("inotify"), 0);
    check_threads(threads_before);
}

/* Stores that several threads open and close, while others are woken. */
static void *open_and_close(void *name)
{
    int round;
    for (round = 0; round < 30; round++) {
        fr_store *store = NULL;
        struct pollfd request = {-1, POLLIN, 0};
        CHECK_OK(fr_store_open(&store, name, NULL));
        CHECK_OK(fr_store_file_descriptor(&request.fd, store));
        CHECK_OK(fr_store_close(store));
    }
    return NULL;
}

static void stores_open_and_close_on_any_thread(void)
{
    pthread_t others[3];
    char name[3][300];
    struct watched w;
    int i, threads_before = threads();
    watch_store(&w, "watched.db");
    for (i = 0; i < 3; i++) {
        snprintf(name[i], sizeof name[i], "%s%d", file_path("thread.db"), i);
        CHECK_INT(pthread_create(&others[i], NULL, open_and_close, name[i]), 0);
    }
    for (i = 0; i < 20; i++) {
        commit("watched.db", "UPDATE t SET v = v || 'b'");
        REQUIRE(becomes_readable(w.store));
        CHECK_OK(fr_store_dispatch(w.store));
    }
    for (i = 0; i < 3; i++) {
        CHECK_INT(pthread_join(others[i], NULL), 0);
    }
    check_threads(threads_before + 1);
    unwatch(&w);
}

static void close_store(fr_list *list, fr_change_set *changes, void *user_data)
{
    (void)list, (void)changes;
    CHECK_OK(fr_store_close(user_data));
}

static void a_store_that_closes_in_a_callback_leaves_the_others_watched(void)
{
    static const fr_observer observer = {.struct_size = sizeof observer, .did_deliver = close_store};
    struct watched w;
    fr_store *store = store_in_file("closes.db");
    fr_list *list;
    watch_store(&w, "stays.db");
    run(store, "CREATE TABLE t(id INTEGER PRIMARY KEY, v);");
    list = list_of(store, "t", NULL, NULL, NULL);
    CHECK_OK(fr_list_add_observer(NULL, list, &observer, store, NULL));
    commit("closes.db", "INSERT INTO t VALUES (1, 'a')");
    CHECK(becomes_readable(store));
    fr_store_dispatch(store);
    fr_list_free(list);
    commit("stays.db", "INSERT INTO t VALUES (2, 'b')");
    CHECK(becomes_readable(w.store));
    CHECK_OK(fr_store_dispatch(w.store));
    CHECK_LOG(&w.recorder, "[insert 0.1]");
    unwatch(&w);
}

/* A child that was forked beside the watching thread has no such thread, and starts its own. */
static void run_a_store_that_a_forked_child_opens_is_woken(void)
{
    struct watched w;
    int status = -1;
    pid_t child;
    watch_store(&w, "parent.db");
    fflush(stdout);
    child = fork();
    if (child == 0) {
        struct watched own;
        /* A child that waits for its parent's thread ends here. */
        alarm(60);
        watch_store(&own, "child.db");
        commit("child.db", "INSERT INTO t VALUES (2, 'b')");
        CHECK(becomes_readable(own.store));
        CHECK_OK(fr_store_dispatch(own.store));
        CHECK_LOG(&own.recorder, "[insert 0.1]");
        unwatch(&own);
        fflush(stdout);
        remove_files();
        _exit(failures() == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    CHECK_INT(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
    commit("parent.db", "INSERT INTO t VALUES (2, 'b')");
    CHECK(becomes_readable(w.store));
    CHECK_OK(fr_store_dispatch(w.store));
    CHECK_LOG(&w.recorder, "[insert 0.1]");
    unwatch(&w);
}

static void a_store_that_a_forked_child_opens_is_woken(void)
{
    /* A child leaves the connections of its parent as they are, which valgrind counts as leaked. */
    if (getenv("FR_VALGRIND") == NULL) run_a_store_that_a_forked_child_opens_is_woken();
}

enum loss { MOVED, REMOVED, REPLACED, FOLDER_MOVED, GRANDPARENT_MOVED };

struct failure {
    int count;
    fr_status status;
};

static void note_failure(fr_list *list, const fr_error *error, void *user_data)
{
    struct failure *failure = user_data;
    (void)list;
    failure->count++;
    failure->status = error->status;
}

static void lose(enum loss loss, const char *top, const char *folder, const char *path)
{
    char away[300], other[300];
    snprintf(away, sizeof away, "%s-away", loss == GRANDPARENT_MOVED ? top : loss == FOLDER_MOVED ? folder : path);
    switch (loss) {
    case MOVED:
        CHECK_INT(rename(path, away), 0);
        break;
    case REMOVED:
        CHECK_INT(unlink(path), 0);
        break;
    case REPLACED:
        snprintf(other, sizeof other, "%s-other", path);
        fclose(fopen(other, "w"));
        CHECK_INT(rename(other, path), 0);
        break;
    case FOLDER_MOVED:
        CHECK_INT(rename(folder, away), 0);
        break;
    case GRANDPARENT_MOVED:
        CHECK_INT(rename(top, away), 0);
        break;
    }
}

/*
 * The descriptor becomes readable, the dispatch fails, and the list's observer has the error once.
 * Where the file returns, that is noticed as well, and the list follows again.
 */
static void expect_loss(enum loss loss, const char *journal_mode)
{
    static const fr_observer observer = {.struct_size = sizeof observer, .did_fail = note_failure};
    fr_store_options options = {.struct_size = sizeof options, .journal_mode = journal_mode};
    char top[100], folder[150], path[200], away[300];
    struct failure failure = {0, FR_OK};
    struct pollfd request = {-1, POLLIN, 0};
    fr_store *store = NULL;
    fr_list *list;
    int64_t count = 0;
    snprintf(top, sizeof top, "/tmp/fetchedresults-lost.XXXXXX");
    REQUIRE(mkdtemp(top) != NULL);
    snprintf(folder, sizeof folder, "%s/folder", top);
    CHECK_INT(mkdir(folder, 0700), 0);
    snprintf(path, sizeof path, "%s/lost.db", folder);
    REQUIRE(CHECK_OK(fr_store_open(&store, path, &options)));
    run(store, "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a');");
    list = list_of(store, "t", NULL, NULL, NULL);
    CHECK_OK(fr_list_add_observer(NULL, list, &observer, &failure, NULL));
    CHECK_OK(fr_store_file_descriptor(&request.fd, store));
    CHECK_OK(fr_store_dispatch(store));
    /* A check may be under way that finds what the store itself has written. */
    while (poll(&request, 1, 200) == 1) {
        CHECK_OK(fr_store_dispatch(store));
    }
    lose(loss, top, folder, path);
    CHECK_INT(poll(&request, 1, WAIT_MS), 1);
    CHECK_STATUS(fr_store_dispatch(store), FR_IO);
    CHECK_STATUS(fr_store_dispatch(store), FR_IO);
    CHECK_INT(failure.count, 1);
    CHECK_INT(failure.status, FR_IO);
    CHECK_OK(fr_list_count(&count, list));
    CHECK_INT(count, 1);
    if (loss != REMOVED && loss != REPLACED) {
        const char *place = loss == GRANDPARENT_MOVED ? top : loss == FOLDER_MOVED ? folder : path;
        snprintf(away, sizeof away, "%s-away", place);
        CHECK_INT(rename(away, place), 0);
        CHECK_INT(poll(&request, 1, WAIT_MS), 1);
        CHECK_OK(fr_store_dispatch(store));
        run(store, "INSERT INTO t VALUES (2, 'b');");
        CHECK_OK(fr_list_count(&count, list));
        CHECK_INT(count, 2);
        CHECK_INT(failure.count, 1);
    }
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
    unlink(path);
    snprintf(away, sizeof away, "rm -rf '%s'", top);
    CHECK_INT(system(away), 0);
}

static void a_file_that_is_lost_wakes_the_store(void)
{
    static const char *const modes[] = {"wal", "delete", "truncate"};
    enum loss loss;
    int i;
    for (loss = MOVED; loss <= GRANDPARENT_MOVED; loss++) {
        for (i = 0; i < 3; i++) {
            int before = failures();
            expect_loss(loss, modes[i]);
            if (failures() > before) {
                printf("  loss %d, journal mode %s\n", loss, modes[i]);
            }
        }
    }
}

/*
 * The store does not dispatch. The first try writes the log back up to the state that the store
 * holds; then the store releases that.
 */
static void a_checkpoint_that_does_not_wait_succeeds_when_it_is_tried_again(void)
{
    const struct timespec pause = {0, 100000000};
    struct watched w;
    sqlite3 *other = NULL;
    int code = SQLITE_BUSY, tries;
    watch_store(&w, "checkpoint.db");
    CHECK_INT(sqlite3_open(file_path("checkpoint.db"), &other), SQLITE_OK);
    CHECK_INT(sqlite3_exec(other, "UPDATE t SET v = 'b'", NULL, NULL, NULL), SQLITE_OK);
    CHECK_INT(sqlite3_wal_checkpoint_v2(other, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL), SQLITE_BUSY);
    for (tries = 0; tries < 100 && code == SQLITE_BUSY; tries++) {
        nanosleep(&pause, NULL);
        code = sqlite3_wal_checkpoint_v2(other, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    }
    CHECK_INT(code, SQLITE_OK);
    CHECK_OK(fr_store_dispatch(w.store));
    CHECK_LOG(&w.recorder, "[update 0.0>0.0 {v}]");
    CHECK_INT(sqlite3_close(other), SQLITE_OK);
    unwatch(&w);
}

/*
 * A process that holds the lock of checkpoints, as one that writes the log back does for a while.
 */
static pid_t start_checkpoint_of(const char *name)
{
    enum { CHECKPOINT_LOCK = 121 };
    int ready[2];
    char index[300], byte = 0;
    pid_t child;
    snprintf(index, sizeof index, "%s-shm", file_path(name));
    CHECK_INT(pipe(ready), 0);
    child = fork();
    if (child == 0) {
        struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = CHECKPOINT_LOCK, .l_len = 1};
        if (fcntl(open(index, O_RDWR), F_SETLK, &lock) == 0) {
            CHECK_INT(write(ready[1], "", 1), 1);
        }
        while (true) {
            pause();
        }
    }
    close(ready[1]);
    CHECK_INT(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return child;
}

/*
 * One that takes long does not wait for the store, which keeps its state. Only a checkpoint that
 * waits keeps writers waiting too.
 */
static void a_checkpoint_that_takes_long_does_not_cost_the_state(void)
{
    const struct timespec pause = {0, 600000000};
    fr_foreign_counters counters = {.struct_size = sizeof counters};
    struct watched w;
    pid_t child;
    watch_store(&w, "long.db");
    child = start_checkpoint_of("long.db");
    commit("long.db", "UPDATE t SET v = 'b'");
    nanosleep(&pause, NULL);
    CHECK_OK(fr_store_dispatch(w.store));
    CHECK_LOG(&w.recorder, "[update 0.0>0.0 {v}]");
    CHECK_OK(fr_store_foreign_counters(&counters, w.store));
    CHECK_INT(counters.followed, 1);
    CHECK_INT(counters.unknown[FR_UNKNOWN_SNAPSHOT], 0);
    kill(child, SIGKILL);
    CHECK_INT(waitpid(child, NULL, 0), child);
    unwatch(&w);
}

static sqlite3_io_methods log_methods, slow_log;

static int sync_slowly(sqlite3_file *file, int flags)
{
    const struct timespec pause = {0, 300000000};
    nanosleep(&pause, NULL);
    return log_methods.xSync(file, flags);
}

/*
 * A commit whose log reaches the disk late is there long after the last notice of a write. The
 * checkpoint that then waits for the store's state ends, though the program does not dispatch.
 */
static void a_checkpoint_after_a_slow_commit_succeeds(void)
{
    struct watched w;
    sqlite3 *other = NULL;
    sqlite3_file *log = NULL;
    watch_store(&w, "slow.db");
    CHECK_INT(sqlite3_open(file_path("slow.db"), &other), SQLITE_OK);
    CHECK_INT(sqlite3_busy_timeout(other, 10000), SQLITE_OK);
    CHECK_INT(sqlite3_exec(other, "PRAGMA synchronous = FULL; SELECT * FROM t", NULL, NULL, NULL), SQLITE_OK);
    CHECK_INT(sqlite3_file_control(other, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log), SQLITE_OK);
    slow_log = log_methods = *log->pMethods;
    slow_log.xSync = sync_slowly;
    log->pMethods = &slow_log;
    CHECK_INT(sqlite3_exec(other, "UPDATE t SET v = 'b'", NULL, NULL, NULL), SQLITE_OK);
    CHECK_INT(sqlite3_wal_checkpoint_v2(other, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL), SQLITE_OK);
    CHECK_INT(sqlite3_close(other), SQLITE_OK);
    unwatch(&w);
}

TESTS(watching_tests) = {
    TEST(a_checkpoint_that_does_not_wait_succeeds_when_it_is_tried_again),
    TEST(a_checkpoint_that_takes_long_does_not_cost_the_state),
    TEST(a_checkpoint_after_a_slow_commit_succeeds),
    TEST(all_stores_of_a_process_share_a_thread_and_an_instance),
    TEST(stores_open_and_close_on_any_thread),
    TEST(a_store_that_closes_in_a_callback_leaves_the_others_watched),
    TEST(a_store_that_a_forked_child_opens_is_woken),
    TEST(a_file_that_is_lost_wakes_the_store),
    END_OF_TESTS,
};
