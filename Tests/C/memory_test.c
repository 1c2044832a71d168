/*
 * SQLite runs out of memory: its limit for the heap is set just above what it uses, at many
 * distances, so that it fails at another place each time. A call that fails with FR_NO_MEMORY has
 * no effect, one that succeeds has its whole effect, and nothing is lost when memory is available
 * again.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "cases.h"
#include "test.h"
#include "text.h"
#include "watched.h"

#define SCHEMA \
    "CREATE TABLE t(id INTEGER PRIMARY KEY, s, v);" \
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)" \
    "INSERT INTO t SELECT i, i % 5, hex(randomblob(40)) FROM n;"

enum { DISTANCES = 60, STEP = 5 };

/* Most distances are small, since many allocations may fail first. */
static void limit_memory(int distance)
{
    sqlite3_hard_heap_limit64(distance < 0 ? 0 : sqlite3_memory_used() + (sqlite3_int64)distance * distance * 80);
}

static fr_status insert_one(fr_store *store, int64_t id)
{
    fr_value values[2];
    values[0] = fr_integer(id);
    values[1] = fr_integer(id % 5);
    return fr_store_execute(store, "INSERT INTO t VALUES (?1, ?2, hex(zeroblob(8000)))", values, 2);
}

struct two_rows {
    int64_t first;
    bool is_inside;
};

static fr_status insert_two(fr_store *store, void *user_data)
{
    struct two_rows *rows = user_data;
    fr_status status = insert_one(store, rows->first);
    rows->is_inside = true;
    return status == FR_OK ? insert_one(store, rows->first + 1) : status;
}

/* How many of `count` rows from `id` on exist for another connection. */
static int64_t rows_from(sqlite3 *other, int64_t id, int count)
{
    char sql[100];
    sqlite3_stmt *statement = NULL;
    int64_t found = -1;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM t WHERE id BETWEEN %lld AND %lld", (long long)id,
             (long long)id + count - 1);
    CHECK_INT(sqlite3_prepare_v2(other, sql, -1, &statement, NULL), SQLITE_OK);
    if (CHECK_INT(sqlite3_step(statement), SQLITE_ROW)) {
        found = sqlite3_column_int64(statement, 0);
    }
    CHECK_INT(sqlite3_finalize(statement), SQLITE_OK);
    return found;
}

static void check_whole(struct watched *w, fr_request *request)
{
    bool open = true;
    CHECK_OK(fr_store_in_transaction(&open, w->store));
    CHECK(!open);
    CHECK_OK(fr_store_dispatch(w->store));
    CHECK(check_against_fetch(w->list, w->store, request));
}

static void writing_without_memory_does_all_or_nothing(void)
{
    struct watched w;
    fr_request *request = request_of("t", "s", "v", NULL);
    fr_store *store = store_in_file("memory.db");
    sqlite3 *other = NULL;
    int distance, step = step_of_cases(STEP), failed = 0, done = 0;
    int64_t id = 1000;
    run(store, SCHEMA);
    watch_list(&w, store, list_of(store, "t", "s", "v", NULL));
    CHECK_INT(sqlite3_open(file_path("memory.db"), &other), SQLITE_OK);
    for (distance = 0; distance < DISTANCES; distance += step, id += 10) {
        struct two_rows rows = {id, false};
        bool in_transaction = distance % 2;
        fr_status status;
        limit_memory(distance);
        status = in_transaction ? fr_store_transaction(store, insert_two, &rows) : insert_one(store, id);
        limit_memory(-1);
        CHECK(status == FR_OK || status == FR_NO_MEMORY);
        if (status != FR_OK) {
            CHECK_INT(fr_error_status(), FR_NO_MEMORY);
            CHECK_INT(fr_error_sqlite_code() & 0xff, SQLITE_NOMEM);
        }
        CHECK_INT(rows_from(other, id, 2), status == FR_OK ? 1 + in_transaction : 0);
        *(status == FR_OK ? &done : &failed) += 1;
        check_whole(&w, request);
    }
    CHECK(failed * step > 5);
    CHECK(done * step > 5);
    recorder_take(&w.recorder);
    CHECK_INT(sqlite3_close(other), SQLITE_OK);
    fr_request_free(request);
    unwatch(&w);
}

/* What another connection committed is read at dispatch, which fails as a whole or not at all. */
static void reading_without_memory_waits(void)
{
    struct watched w;
    fr_request *request = request_of("t", "s", "v", NULL);
    fr_store *store = store_in_file("memory.db");
    sqlite3 *other = NULL;
    char *before;
    int distance, step = step_of_cases(STEP), failed = 0;
    run(store, SCHEMA);
    watch_list(&w, store, list_of(store, "t", "s", "v", NULL));
    CHECK_INT(sqlite3_open(file_path("memory.db"), &other), SQLITE_OK);
    for (distance = 0; distance < DISTANCES; distance += step) {
        fr_status status;
        /* Long values, so that reading them needs more memory than SQLite holds. */
        CHECK_INT(sqlite3_exec(other, "UPDATE t SET s = (s + 1) % 5, v = hex(randomblob(2000)) WHERE id % 7 = 0", NULL,
                               NULL, NULL),
                  SQLITE_OK);
        before = text_copy(list_text(w.list));
        recorder_take(&w.recorder);
        limit_memory(distance);
        status = fr_store_dispatch(store);
        limit_memory(-1);
        if (status != FR_OK) {
            CHECK_INT(status, FR_NO_MEMORY);
            CHECK_LIST(w.list, before);
            failed += 1;
        } else if (text_get(&w.recorder.log)[0] == '!') {
            CHECK_LOG(&w.recorder, "!FR_NO_MEMORY");
            CHECK_LIST(w.list, before);
            failed += 1;
        }
        free(before);
        check_whole(&w, request);
    }
    CHECK(failed * step >= 5);
    recorder_take(&w.recorder);
    CHECK_INT(sqlite3_close(other), SQLITE_OK);
    fr_request_free(request);
    unwatch(&w);
}

static void fetching_without_memory_fails(void)
{
    fr_store *store = store_in_file("memory.db");
    fr_request *request = request_of("t", "s", "v", NULL);
    int distance, step = step_of_cases(STEP), failed = 0, done = 0;
    run(store, SCHEMA);
    for (distance = 0; distance < DISTANCES; distance += step) {
        fr_list *list = NULL;
        fr_object *object = NULL;
        fr_status status;
        bool fetched = true;
        limit_memory(distance);
        status = fr_controller_new(&list, store, request);
        if (status == FR_OK) {
            status = fr_list_perform_fetch(list);
        }
        if (status == FR_OK) {
            status = fr_list_object_at(&object, list, path_at(2, 20));
        }
        limit_memory(-1);
        CHECK(status == FR_OK || status == FR_NO_MEMORY);
        *(status == FR_OK ? &done : &failed) += 1;
        if (list != NULL) {
            CHECK_OK(fr_list_is_fetched(&fetched, list));
            CHECK(status != FR_OK || fetched);
            CHECK_OK(fr_list_perform_fetch(list));
            CHECK(check_against_fetch(list, store, request));
        }
        fr_object_unref(object);
        fr_list_free(list);
    }
    CHECK(failed * step > 5);
    CHECK(done * step > 5);
    fr_request_free(request);
    CHECK_OK(fr_store_close(store));
}

TESTS(memory_tests) = {
    TEST(writing_without_memory_does_all_or_nothing),
    TEST(reading_without_memory_waits),
    TEST(fetching_without_memory_fails),
    END_OF_TESTS,
};
