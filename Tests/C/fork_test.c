/* Processes that are forked, and threads that are cancelled, while stores are open. */
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <stdlib.h>

#include <fetchedresults/views.h>

#include "fixture.h"
#include "handle_calls.h"
#include "test.h"

#define SCHEMA "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO t VALUES (1, 'a'), (2, 'b');"

/* How long a child may take, which has nothing to wait for. */
enum { SECONDS = 60 };

/* Runs `body` in a child; whether all its checks passed. */
static bool passes_in_child(void (*body)(void *), void *argument)
{
    int status = 0;
    pid_t child;
    fflush(NULL);
    child = fork();
    if (child == 0) {
        int before = failures();
        alarm(SECONDS);
        body(argument);
        fflush(NULL);
        _exit(failures() == before ? 0 : 1);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* A handle of each kind that uses a store, and of each that does not. */
struct handles {
    void *of[HANDLE_KINDS];
    int destroyed;
};

static void count_destroyed(void *user_data)
{
    ++*(int *)user_data;
}

static void make_handles(struct handles *handles, fr_store *store)
{
    fr_observer observer = {0};
    fr_view view = {0};
    fr_entity entity = {0};
    fr_coordinator *coordinator = NULL;
    fr_data_source *source = NULL;
    fr_entity_list *list = NULL;
    fr_object *object = NULL;
    fr_statement *statement = NULL;
    bool has_row = false;
    observer.struct_size = sizeof observer;
    view.struct_size = sizeof view;
    entity.struct_size = sizeof entity;
    entity.entity = "t";
    memset(handles, 0, sizeof *handles);
    handles->of[STORE] = store;
    handles->of[CONTROLLER] = list_of(store, "t", NULL, NULL, NULL);
    CHECK_OK(fr_list_add_observer(NULL, handles->of[CONTROLLER], &observer, &handles->destroyed, count_destroyed));
    CHECK_OK(fr_list_object_at(&object, handles->of[CONTROLLER], path_at(0, 0)));
    handles->of[OBJECT] = object;
    CHECK_OK(fr_coordinator_new(&coordinator, handles->of[CONTROLLER], &view, 0, NULL, NULL));
    handles->of[COORDINATOR] = coordinator;
    CHECK_OK(fr_data_source_new(&source, handles->of[CONTROLLER], NULL, NULL, NULL));
    handles->of[DATA_SOURCE] = source;
    CHECK_OK(fr_entity_list_new(&list, &entity, NULL, NULL, NULL, NULL));
    CHECK_OK(fr_entity_list_set_store(list, store));
    handles->of[ENTITY_LIST] = list;
    /* Half-way, it has a transaction open that writes. */
    CHECK_OK(fr_statement_prepare(&statement, store, "INSERT INTO t(name) VALUES ('c') RETURNING id"));
    CHECK_OK(fr_statement_step(&has_row, statement));
    CHECK(has_row);
    handles->of[STATEMENT] = statement;
}

static void free_handles(struct handles *handles)
{
    fr_coordinator_free(handles->of[COORDINATOR]);
    fr_data_source_free(handles->of[DATA_SOURCE]);
    fr_entity_list_free(handles->of[ENTITY_LIST]);
    fr_statement_free(handles->of[STATEMENT]);
    fr_list_free(handles->of[CONTROLLER]);
    fr_object_unref(handles->of[OBJECT]);
}

static void only_freeing_works(void *argument)
{
    struct handles *handles = argument;
    const struct handle_call *call;
    fr_value value;
    int64_t count = -1;
    for (call = handle_calls; call->name != NULL; call++) {
        bool uses_store = call->kind == STORE || call->kind == STATEMENT || call->kind == CONTROLLER
                          || call->kind == COORDINATOR || call->kind == DATA_SOURCE || call->kind == ENTITY_LIST;
        if (uses_store && strcmp(call->name, "fr_store_close") != 0) {
            if (!CHECK_STATUS(call->call(handles->of[call->kind]), FR_MISUSE))
                fail(__FILE__, __LINE__, "%s", call->name);
        }
    }
    CHECK_OK(fr_object_value(&value, handles->of[OBJECT], 1));
    CHECK_TEXT(value_text(value), "a");
    CHECK_OK(fr_store_close(handles->of[STORE]));
    free_handles(handles);
    CHECK_INT(handles->destroyed, 1);
    CHECK_OK(fr_live_handles(&count, FR_HANDLE_ANY));
    CHECK_INT(count, 0);
}

/* The lists are freed before the store is closed. */
static void freeing_first_works(void *argument)
{
    struct handles *handles = argument;
    free_handles(handles);
    CHECK_OK(fr_store_close(handles->of[STORE]));
}

/*
 * Before: a store with everything, and a half-way statement. Change: children, which close it.
 * Expected: the parent continues as if there were none.
 */
static void run_a_child_can_only_close_a_store(void)
{
    fr_store *store = store_in_file("fork.db");
    struct handles handles;
    sqlite3 *other = NULL;
    bool has_row = true;
    int32_t descriptor = -1;
    run(store, SCHEMA);
    CHECK_OK(fr_store_file_descriptor(&descriptor, store));
    make_handles(&handles, store);
    CHECK(passes_in_child(only_freeing_works, &handles));
    CHECK(passes_in_child(freeing_first_works, &handles));
    CHECK_OK(fr_statement_step(&has_row, handles.of[STATEMENT]));
    CHECK(!has_row);
    CHECK_LIST(handles.of[CONTROLLER], "1 2 3");
    CHECK_INT(sqlite3_open(file_path("fork.db"), &other), SQLITE_OK);
    CHECK_INT(sqlite3_exec(other, "DELETE FROM t WHERE id = 1", NULL, NULL, NULL), SQLITE_OK);
    CHECK_OK(fr_store_wait(store, 10000));
    CHECK_LIST(handles.of[CONTROLLER], "2 3");
    CHECK_INT(sqlite3_close(other), SQLITE_OK);
    free_handles(&handles);
    CHECK_INT(handles.destroyed, 1);
    CHECK_OK(fr_store_close(store));
}

static void a_child_can_only_close_a_store(void)
{
    /* A child leaves the connections of its parent as they are, which valgrind counts as leaked. */
    if (getenv("FR_VALGRIND") == NULL) run_a_child_can_only_close_a_store();
}

static void closes_store(void *store)
{
    CHECK_OK(fr_store_close(store));
}

static int keep_first(void *result, int count, char **values, char **names)
{
    (void)count;
    (void)names;
    snprintf(result, 40, "%s", values[0]);
    return 0;
}

/*
 * Before: a transaction whose first pages are in the file already. Change: a child closes the
 * store.
 * Expected: the child rolls nothing back.
 */
static void run_a_child_leaves_the_transaction_of_its_parent(void)
{
    fr_store *store = store_in_file("fork-transaction.db");
    sqlite3 *other = NULL;
    char rows[40] = "", integrity[40] = "";
    run(store, "PRAGMA journal_mode = DELETE");
    run(store, "PRAGMA cache_size = 4");
    run(store, "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT)");
    run(store, "BEGIN");
    run(store, "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO t SELECT i, "
               "hex(zeroblob(200)) FROM n");
    CHECK(passes_in_child(closes_store, store));
    run(store, "COMMIT");
    CHECK_INT(sqlite3_open(file_path("fork-transaction.db"), &other), SQLITE_OK);
    CHECK_INT(sqlite3_exec(other, "SELECT count(*) FROM t", keep_first, rows, NULL), SQLITE_OK);
    CHECK_TEXT(rows, "2000");
    CHECK_INT(sqlite3_exec(other, "PRAGMA integrity_check", keep_first, integrity, NULL), SQLITE_OK);
    CHECK_TEXT(integrity, "ok");
    CHECK_INT(sqlite3_close(other), SQLITE_OK);
    CHECK_OK(fr_store_close(store));
}

static void a_child_leaves_the_transaction_of_its_parent(void)
{
    /* A child leaves the connections of its parent as they are, which valgrind counts as leaked. */
    if (getenv("FR_VALGRIND") == NULL) run_a_child_leaves_the_transaction_of_its_parent();
}

/* A store of the child's own. */
static void opens_another(void *argument)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", NULL, NULL, NULL);
    run(store, "DELETE FROM t WHERE id = 1");
    CHECK_LIST(list, "2");
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
    CHECK_STATUS(fr_store_dispatch(argument), FR_MISUSE);
}

static void run_a_child_can_use_stores_of_its_own(void)
{
    fr_store *store = store_with(SCHEMA);
    CHECK(passes_in_child(opens_another, store));
    run(store, "DELETE FROM t");
    CHECK_OK(fr_store_close(store));
}

static void a_child_can_use_stores_of_its_own(void)
{
    /* A child leaves the connections of its parent as they are, which valgrind counts as leaked. */
    if (getenv("FR_VALGRIND") == NULL) run_a_child_can_use_stores_of_its_own();
}

struct writing {
    const char *path;
    bool is_over;
};

/* Another thread, which holds SQLite's locks at many moments. */
static void *write_rows(void *argument)
{
    struct writing *writing = argument;
    sqlite3 *db = NULL;
    CHECK_INT(sqlite3_open(writing->path, &db), SQLITE_OK);
    sqlite3_busy_timeout(db, 10000);
    while (!__atomic_load_n(&writing->is_over, __ATOMIC_SEQ_CST)) {
        sqlite3_exec(db, "UPDATE t SET name = name || 'x' WHERE id = 1; UPDATE t SET name = 'a' WHERE id = 1", NULL,
                     NULL, NULL);
    }
    sqlite3_close(db);
    return NULL;
}

static void closes(void *argument)
{
    void **handles = argument;
    CHECK_STATUS(fr_store_dispatch(handles[0]), FR_MISUSE);
    CHECK_STATUS(fr_list_perform_fetch(handles[1]), FR_MISUSE);
    CHECK_OK(fr_store_close(handles[0]));
    fr_list_free(handles[1]);
}

static void run_a_fork_while_others_write_hangs_in_no_call(void)
{
    fr_store *store = store_in_file("fork-writing.db");
    fr_list *list;
    void *handles[2];
    struct writing writing = {file_path("fork-writing.db"), false};
    pthread_t thread;
    int32_t descriptor = -1;
    int index;
    run(store, SCHEMA);
    list = list_of(store, "t", NULL, NULL, NULL);
    handles[0] = store;
    handles[1] = list;
    CHECK_OK(fr_store_file_descriptor(&descriptor, store));
    REQUIRE(CHECK_INT(pthread_create(&thread, NULL, write_rows, &writing), 0));
    for (index = 0; index < 60 && failures() == 0; index++) {
        CHECK_OK(fr_store_dispatch(store));
        CHECK(passes_in_child(closes, handles));
    }
    __atomic_store_n(&writing.is_over, true, __ATOMIC_SEQ_CST);
    CHECK_INT(pthread_join(thread, NULL), 0);
    CHECK_OK(fr_store_dispatch(store));
    CHECK_LIST(list, "1 2");
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void a_fork_while_others_write_hangs_in_no_call(void)
{
    /* A child leaves the connections of its parent as they are, which valgrind counts as leaked. */
    if (getenv("FR_VALGRIND") == NULL) run_a_fork_while_others_write_hangs_in_no_call();
}

static void sleep_shortly(void)
{
    struct timespec time = {0, 1000000};
    nanosleep(&time, NULL);
}

/* A thread that is cancelled in the middle of a call. */
struct cancelled {
    fr_store *store;
    bool is_inside, goes_on;
    bool waits;
};

static fr_status stay_inside(fr_value *result, const fr_value *arguments, size_t count, void *user_data)
{
    struct cancelled *cancelled = user_data;
    (void)arguments;
    (void)count;
    __atomic_store_n(&cancelled->is_inside, true, __ATOMIC_SEQ_CST);
    /* Points at which a thread can be cancelled. */
    while (!__atomic_load_n(&cancelled->goes_on, __ATOMIC_SEQ_CST)) sleep_shortly();
    *result = fr_integer(1);
    return FR_OK;
}

static void *call_and_stay(void *argument)
{
    struct cancelled *cancelled = argument;
    if (cancelled->waits) {
        __atomic_store_n(&cancelled->is_inside, true, __ATOMIC_SEQ_CST);
        fr_store_wait(cancelled->store, -1);
    } else {
        fr_store_execute(cancelled->store, "UPDATE t SET name = stay()", NULL, 0);
    }
    for (;;) pause();
    return NULL;
}

static void check_cancelled_in(bool waits)
{
    fr_store *store = store_in_file(waits ? "cancel-wait.db" : "cancel.db");
    struct cancelled cancelled = {store, false, false, waits};
    fr_function function = {0};
    pthread_t thread;
    void *result = NULL;
    function.struct_size = sizeof function;
    function.call = stay_inside;
    run(store, SCHEMA);
    CHECK_OK(fr_store_add_function(store, "stay", &function, &cancelled, NULL));
    REQUIRE(CHECK_INT(pthread_create(&thread, NULL, call_and_stay, &cancelled), 0));
    while (!__atomic_load_n(&cancelled.is_inside, __ATOMIC_SEQ_CST)) sleep_shortly();
    CHECK_INT(pthread_cancel(thread), 0);
    __atomic_store_n(&cancelled.goes_on, true, __ATOMIC_SEQ_CST);
    CHECK_INT(pthread_join(thread, &result), 0);
    CHECK(result == PTHREAD_CANCELED);
    if (!waits) {
        fr_list *list = list_of(store, "t", NULL, NULL, "name = 1");
        CHECK_LIST(list, "1 2");
        fr_list_free(list);
    }
    CHECK_OK(fr_store_close(store));
}

static void a_thread_that_is_cancelled_in_a_call_ends_it(void)
{
    check_cancelled_in(false);
}

static void a_thread_can_be_cancelled_while_it_waits(void)
{
    check_cancelled_in(true);
}

/* With n descriptors for each n: either the store opens, or the error says why it did not. */
static void without_descriptors_the_error_says_so(void)
{
    char path[4200];
    struct rlimit limit, few;
    fr_store *store = store_in_file("descriptors.db");
    int used, free_ones, refused = 0;
    run(store, SCHEMA);
    CHECK_OK(fr_store_close(store));
    strcpy(path, file_path("descriptors.db"));
    REQUIRE(CHECK_INT(getrlimit(RLIMIT_NOFILE, &limit), 0));
    used = open("/dev/null", O_RDONLY);
    CHECK(used >= 0);
    close(used);
    for (free_ones = 0; free_ones < 12; free_ones++) {
        fr_status status;
        few = limit;
        few.rlim_cur = (rlim_t)(used + free_ones);
        CHECK_INT(setrlimit(RLIMIT_NOFILE, &few), 0);
        status = fr_store_open(&store, path, NULL);
        CHECK_INT(setrlimit(RLIMIT_NOFILE, &limit), 0);
        if (status == FR_OK) {
            CHECK_OK(fr_store_close(store));
            continue;
        }
        refused++;
        CHECK_INT(status, FR_IO);
        CHECK(strstr(fr_error_message(), "file descriptors") != NULL);
        CHECK(strstr(fr_error_message(), "immutable") == NULL);
    }
    CHECK(refused > 0);
}

/*
 * Before: a store that was opened, and a list that was fetched, with n descriptors for each n.
 * Change: another connection commits, and the program does not dispatch.
 * Expected: a checkpoint of the other connection ends, as no state is held that nobody guards.
 */
static void without_descriptors_no_state_keeps_the_log(void)
{
    struct rlimit limit, few;
    fr_store *store = store_in_file("checkpoint.db");
    char path[4200];
    sqlite3 *other = NULL;
    int used, free_ones;
    run(store, SCHEMA);
    CHECK_OK(fr_store_close(store));
    strcpy(path, file_path("checkpoint.db"));
    REQUIRE(CHECK_INT(getrlimit(RLIMIT_NOFILE, &limit), 0));
    CHECK_INT(sqlite3_open(path, &other), SQLITE_OK);
    CHECK_INT(sqlite3_busy_timeout(other, 5000), SQLITE_OK);
    CHECK_INT(sqlite3_exec(other, "UPDATE t SET name = 'c'", NULL, NULL, NULL), SQLITE_OK);
    for (free_ones = 4; free_ones < 24; free_ones++) {
        fr_request *request = request_of("t", NULL, NULL, NULL);
        fr_list *list = NULL;
        fr_status status;
        used = open("/dev/null", O_RDONLY);
        CHECK(used >= 0);
        close(used);
        few = limit;
        few.rlim_cur = (rlim_t)(used + free_ones);
        CHECK_INT(setrlimit(RLIMIT_NOFILE, &few), 0);
        status = fr_store_open(&store, path, NULL);
        if (status == FR_OK) {
            /* Each may lack descriptors. */
            if (fr_controller_new(&list, store, request) == FR_OK) {
                (void)fr_list_perform_fetch(list);
            }
            (void)fr_store_dispatch(store);
        }
        CHECK_INT(setrlimit(RLIMIT_NOFILE, &limit), 0);
        CHECK_INT(sqlite3_exec(other, "UPDATE t SET name = name || 'x'", NULL, NULL, NULL), SQLITE_OK);
        CHECK_INT(sqlite3_wal_checkpoint_v2(other, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL), SQLITE_OK);
        fr_request_free(request);
        fr_list_free(list);
        if (status == FR_OK) {
            CHECK_OK(fr_store_close(store));
        }
    }
    CHECK_INT(sqlite3_close(other), SQLITE_OK);
}

/* Opened with a relative path, from a directory that the process leaves. */
static void a_relative_cache_directory_is_that_of_the_opening(void)
{
    fr_store_options options = {0};
    fr_store *store = NULL;
    fr_list *list = NULL;
    fr_request *request = request_of("t", NULL, NULL, NULL);
    char first[4200], second[4200], cache[4300], before[4096];
    REQUIRE(CHECK(getcwd(before, sizeof before) != NULL));
    CHECK_OK(fr_store_close(store_in_file("relative.db")));
    strcpy(first, file_path("first"));
    strcpy(second, file_path("second"));
    CHECK_INT(mkdir(first, 0700), 0);
    CHECK_INT(mkdir(second, 0700), 0);
    CHECK_INT(chdir(first), 0);
    options.struct_size = sizeof options;
    options.cache_directory = "cache";
    CHECK_OK(fr_store_open(&store, file_path("relative.db"), &options));
    CHECK_INT(chdir(second), 0);
    run(store, SCHEMA);
    CHECK_OK(fr_request_set_cache_name(request, "all"));
    CHECK_OK(fr_controller_new(&list, store, request));
    fr_request_free(request);
    CHECK_OK(fr_list_perform_fetch(list));
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
    CHECK_INT(access("cache", F_OK), -1);
    snprintf(cache, sizeof cache, "%s/cache", first);
    CHECK_INT(access(cache, F_OK), 0);
    CHECK_INT(chdir(before), 0);
}

TESTS(fork_tests) = {
    TEST(a_child_can_only_close_a_store),
    TEST(a_child_leaves_the_transaction_of_its_parent),
    TEST(a_child_can_use_stores_of_its_own),
    TEST(a_fork_while_others_write_hangs_in_no_call),
    TEST(a_thread_that_is_cancelled_in_a_call_ends_it),
    TEST(a_thread_can_be_cancelled_while_it_waits),
    TEST(without_descriptors_the_error_says_so),
    TEST(without_descriptors_no_state_keeps_the_log),
    TEST(a_relative_cache_directory_is_that_of_the_opening),
    END_OF_TESTS,
};
