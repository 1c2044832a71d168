/* Fetches that report their progress, and fetches in the background. */
#include <sqlite3.h>
#include <string.h>

#include "test.h"
#include "watched.h"

#define ROWS \
    "CREATE TABLE t(id INTEGER PRIMARY KEY, v);" \
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO t SELECT i, i FROM n;"

/* What the callbacks of one fetch received. */
struct fetch {
    int64_t progress_calls;
    int64_t last_rows;
    int64_t completions;
    fr_status status;
    char message[200];
    int64_t count; /* of the list, at completion */
    bool gives_up;
    int64_t destroyed;
    char sql[400];
    int32_t sqlite_code;
};

static bool on_progress(int64_t rows, void *user_data)
{
    struct fetch *fetch = user_data;
    CHECK(rows >= fetch->last_rows);
    CHECK_INT(fetch->completions, 0);
    fetch->progress_calls += 1;
    fetch->last_rows = rows;
    return !fetch->gives_up;
}

static void on_completion(fr_list *controller, const fr_error *error, void *user_data)
{
    struct fetch *fetch = user_data;
    fetch->completions += 1;
    fetch->status = error == NULL ? FR_OK : error->status;
    fetch->count = -1;
    if (error != NULL && CHECK(error->message != NULL)) {
        strncat(fetch->message, error->message, sizeof fetch->message - 1);
        strncat(fetch->sql, error->sql == NULL ? "" : error->sql, sizeof fetch->sql - 1);
        fetch->sqlite_code = error->sqlite_code;
    }
    CHECK_INT(fetch->destroyed, 0);
    if (error == NULL) {
        CHECK_OK(fr_list_count(&fetch->count, controller));
    }
}

static void on_destroy(void *user_data)
{
    ((struct fetch *)user_data)->destroyed += 1;
}

static fr_list *unfetched(fr_store *store, const char *where)
{
    fr_request *request = request_of("t", NULL, "v", where);
    fr_list *list = NULL;
    CHECK_OK(fr_controller_new(&list, store, request));
    fr_request_free(request);
    return list;
}

static void wait_for(fr_store *store, struct fetch *fetch)
{
    int rounds;
    for (rounds = 0; rounds < 500 && fetch->completions == 0; rounds++) {
        CHECK_OK(fr_store_wait(store, 100));
    }
    CHECK_INT(fetch->completions, 1);
}

static fr_store *store_with_rows(const char *file)
{
    fr_store *store = file == NULL ? store_with("") : store_in_file(file);
    run(store, ROWS);
    return store;
}

static void progress_is_reported_as_rows_are_read(void)
{
    fr_store *store = store_with_rows(NULL);
    fr_list *list = unfetched(store, NULL);
    struct fetch fetch = {0, 0, 0, 0, "", 0, false, 0, "", 0};
    int64_t count = 0;
    CHECK_OK(fr_list_perform_fetch_with_progress(list, on_progress, &fetch));
    CHECK(fetch.progress_calls >= 2);
    CHECK(fetch.last_rows <= 5000);
    CHECK_OK(fr_list_count(&count, list));
    CHECK_INT(count, 5000);
    CHECK_STATUS(fr_list_perform_fetch_with_progress(NULL, on_progress, &fetch), FR_MISUSE);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void cancelled_fetch_leaves_the_list(void)
{
    fr_store *store = store_with_rows(NULL);
    fr_list *list = unfetched(store, "id < 4000");
    struct fetch fetch = {0, 0, 0, 0, "", 0, true, 0, "", 0};
    int64_t count = 0;
    CHECK_STATUS(fr_list_perform_fetch_with_progress(list, on_progress, &fetch), FR_CANCELLED);
    CHECK_STATUS(fr_list_count(&count, list), FR_NOT_FETCHED);
    CHECK_OK(fr_list_perform_fetch(list));
    CHECK_STATUS(fr_list_perform_fetch_with_progress(list, on_progress, &fetch), FR_CANCELLED);
    CHECK_OK(fr_list_count(&count, list));
    CHECK_INT(count, 3999);
    run(store, "DELETE FROM t WHERE id = 1");
    CHECK_OK(fr_list_count(&count, list));
    CHECK_INT(count, 3998);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void background_fetch(const char *file)
{
    fr_store *store = store_with_rows(file);
    fr_list *list = unfetched(store, NULL);
    struct fetch fetch = {0, 0, 0, 0, "", 0, false, 0, "", 0};
    int64_t count = 0;
    CHECK_OK(fr_list_perform_fetch_async(list, on_progress, on_completion, &fetch, on_destroy));
    CHECK_STATUS(fr_list_count(&count, list), FR_NOT_FETCHED);
    CHECK_STATUS(fr_list_perform_fetch_async(list, NULL, on_completion, NULL, NULL), FR_MISUSE);
    run(store, "DELETE FROM t WHERE id > 4990");
    wait_for(store, &fetch);
    CHECK_INT(fetch.status, FR_OK);
    CHECK_TEXT(fetch.message, "");
    CHECK_INT(fetch.count, 4990);
    CHECK_INT(fetch.destroyed, 1);
    run(store, "DELETE FROM t WHERE id = 1");
    CHECK_OK(fr_list_count(&count, list));
    CHECK_INT(count, 4989);
    fr_list_free(list);
    CHECK_INT(fetch.destroyed, 1);
    CHECK_OK(fr_store_close(store));
}

static void background_fetch_of_a_file(void)
{
    background_fetch("background.db");
}

static void background_fetch_of_memory(void)
{
    background_fetch(NULL);
}

static void background_fetch_of_a_collection(void)
{
    fr_store *store = store_with_rows("background.db");
    fr_list *list = unfetched(store, "id < 4000"), *collection = NULL;
    struct fetch fetch = {0, 0, 0, 0, "", 0, false, 0, "", 0};
    int64_t count = 0;
    CHECK_OK(fr_collection_new(&collection));
    CHECK_OK(fr_collection_insert(collection, -1, list, NULL));
    CHECK_STATUS(fr_list_cancel_fetch(collection), FR_NOT_FOUND);
    CHECK_OK(fr_list_perform_fetch_async(collection, on_progress, on_completion, &fetch, on_destroy));
    CHECK_STATUS(fr_list_count(&count, collection), FR_NOT_FETCHED);
    CHECK_STATUS(fr_list_perform_fetch_async(collection, NULL, on_completion, NULL, NULL), FR_MISUSE);
    CHECK_STATUS(fr_list_perform_fetch_async(list, NULL, on_completion, NULL, NULL), FR_MISUSE);
    run(store, "DELETE FROM t WHERE id = 1");
    wait_for(store, &fetch);
    CHECK_INT(fetch.status, FR_OK);
    CHECK_INT(fetch.count, 3998);
    CHECK_OK(fr_list_count(&count, list));
    CHECK_INT(count, 3998);
    fr_list_free(list);
    CHECK_INT(fetch.destroyed, 1);
    memset(&fetch, 0, sizeof fetch);
    CHECK_OK(fr_list_perform_fetch_async(collection, NULL, on_completion, &fetch, on_destroy));
    CHECK_OK(fr_list_cancel_fetch(collection));
    wait_for(store, &fetch);
    CHECK_INT(fetch.status, FR_CANCELLED);
    fr_list_free(collection);
    CHECK_OK(fr_store_close(store));
}

static void cancelled_fetch_completes_as_cancelled(void)
{
    fr_store *store = store_with_rows("cancel.db");
    fr_list *list = unfetched(store, NULL);
    struct fetch fetch = {0, 0, 0, 0, "", 0, false, 0, "", 0};
    CHECK_STATUS(fr_list_cancel_fetch(list), FR_NOT_FOUND);
    CHECK_OK(fr_list_perform_fetch_async(list, NULL, on_completion, &fetch, on_destroy));
    CHECK_OK(fr_list_cancel_fetch(list));
    CHECK_INT(fetch.completions, 0);
    wait_for(store, &fetch);
    CHECK_INT(fetch.status, FR_CANCELLED);
    CHECK(fetch.message[0] != '\0');
    CHECK_INT(fetch.destroyed, 1);
    CHECK_STATUS(fr_list_cancel_fetch(list), FR_NOT_FOUND);
    CHECK_OK(fr_list_perform_fetch(list));
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void progress_may_cancel_a_background_fetch(void)
{
    fr_store *store = store_with_rows(NULL);
    fr_list *list = unfetched(store, NULL);
    struct fetch fetch = {0, 0, 0, 0, "", 0, true, 0, "", 0};
    CHECK_OK(fr_list_perform_fetch_async(list, on_progress, on_completion, &fetch, on_destroy));
    wait_for(store, &fetch);
    CHECK_INT(fetch.status, FR_CANCELLED);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void freed_controller_does_not_report_its_fetch(void)
{
    fr_store *store = store_with_rows("freed.db");
    fr_list *list = unfetched(store, NULL);
    struct fetch fetch = {0, 0, 0, 0, "", 0, false, 0, "", 0};
    CHECK_OK(fr_list_perform_fetch_async(list, on_progress, on_completion, &fetch, on_destroy));
    fr_list_free(list);
    CHECK_OK(fr_store_wait(store, 50));
    CHECK_INT(fetch.completions, 0);
    CHECK_OK(fr_store_close(store));
    CHECK_INT(fetch.destroyed, 1);
}

static void closed_store_does_not_report_its_fetches(void)
{
    fr_store *store = store_with_rows("closed.db");
    fr_list *list = unfetched(store, NULL);
    struct fetch fetch = {0, 0, 0, 0, "", 0, false, 0, "", 0};
    CHECK_OK(fr_list_perform_fetch_async(list, on_progress, on_completion, &fetch, on_destroy));
    CHECK_OK(fr_store_close(store));
    CHECK_INT(fetch.completions, 0);
    fr_list_free(list);
    CHECK_INT(fetch.destroyed, 1);
}

static void background_fetch_that_fails_says_why(void)
{
    fr_store *store = store_with_rows("fails.db");
    fr_list *list = unfetched(store, NULL);
    struct fetch fetch = {0, 0, 0, 0, "", 0, false, 0, "", 0};
    run(store, "DROP TABLE t");
    CHECK_OK(fr_list_perform_fetch_async(list, on_progress, on_completion, &fetch, on_destroy));
    wait_for(store, &fetch);
    CHECK(fetch.status != FR_OK);
    CHECK(strstr(fetch.message, "t") != NULL);
    CHECK_INT(fetch.destroyed, 1);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

/* It has all parts of the error of a failed call. */
static void failure_of_a_background_fetch_is_that_of_a_call(void)
{
    static const char *const files[] = {NULL, "overflow.db"};
    size_t index;
    for (index = 0; index < sizeof files / sizeof *files; index++) {
        fr_store *store = store_with_rows(files[index]);
        fr_list *list = unfetched(store, "abs(v) > 0");
        struct fetch fetch = {0, 0, 0, 0, "", 0, false, 0, "", 0};
        run(store, "UPDATE t SET v = -9223372036854775807 - 1 WHERE id = 7");
        CHECK_OK(fr_list_perform_fetch_async(list, on_progress, on_completion, &fetch, on_destroy));
        wait_for(store, &fetch);
        CHECK_STATUS(fr_list_perform_fetch(list), FR_ERROR);
        CHECK_INT(fetch.status, FR_ERROR);
        CHECK_INT(fetch.sqlite_code, fr_error_sqlite_code());
        CHECK_TEXT(fetch.message, fr_error_message());
        CHECK_TEXT(fetch.sql, fr_error_sql());
        fr_list_free(list);
        CHECK_OK(fr_store_close(store));
    }
}

/* A function of the program in place of one of SQLite. */
static void constant(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    (void)values;
    sqlite3_result_text(context, "one", -1, SQLITE_STATIC);
}

static void background_fetch_calls_the_functions_of_the_program(void)
{
    sqlite3 *connection = NULL;
    fr_store *store = NULL;
    fr_list *list;
    struct fetch fetch = {0, 0, 0, 0, "", 0, false, 0, "", 0};
    CHECK_INT(sqlite3_open(file_path("functions.db"), &connection), SQLITE_OK);
    CHECK_INT(sqlite3_exec(connection, "PRAGMA journal_mode = WAL", NULL, NULL, NULL), SQLITE_OK);
    CHECK_INT(sqlite3_create_function(connection, "lower", 1, SQLITE_UTF8, NULL, constant, NULL, NULL), SQLITE_OK);
    REQUIRE(CHECK_OK(fr_store_adopt(&store, connection, NULL)));
    run(store, "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'ONE'), (2, 'TWO');");
    list = unfetched(store, "lower(v) = 'one'");
    CHECK_OK(fr_list_perform_fetch_async(list, NULL, on_completion, &fetch, on_destroy));
    wait_for(store, &fetch);
    CHECK_LIST(list, "1 2");
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
    CHECK_INT(sqlite3_close(connection), SQLITE_OK);
}

static void destroyed_when_a_background_fetch_is_refused(void)
{
    fr_store *store = store_with_rows(NULL);
    fr_list *list = unfetched(store, NULL);
    struct fetch fetch = {0, 0, 0, 0, "", 0, false, 0, "", 0};
    CHECK_STATUS(fr_list_perform_fetch_async(NULL, on_progress, on_completion, &fetch, on_destroy), FR_MISUSE);
    CHECK_INT(fetch.destroyed, 1);
    CHECK_OK(fr_store_close(store));
    CHECK_STATUS(fr_list_perform_fetch_async(list, on_progress, on_completion, &fetch, on_destroy), FR_CLOSED);
    CHECK_INT(fetch.destroyed, 2);
    fr_list_free(list);
}

static void cache_may_be_small(void)
{
    fr_store *store = store_with_rows(NULL);
    fr_list *list = list_of(store, "t", NULL, "v", NULL);
    fr_object *object = NULL;
    CHECK_STATUS(fr_controller_set_row_cache_size(list, -1), FR_RANGE);
    CHECK_STATUS(fr_controller_set_row_cache_size(list, INT64_MIN), FR_RANGE);
    CHECK_OK(fr_controller_set_row_cache_size(list, INT64_MAX));
    CHECK_OK(fr_controller_set_row_cache_size(list, 0));
    CHECK_STATUS(fr_controller_set_row_cache_bytes(list, -1), FR_RANGE);
    CHECK_OK(fr_controller_set_row_cache_bytes(list, INT64_MAX));
    CHECK_OK(fr_controller_set_row_cache_bytes(list, 0));
    CHECK_OK(fr_list_object_at(&object, list, path_at(0, 4999)));
    CHECK_TEXT(object_text(object, "v"), "5000");
    fr_object_unref(object);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

TESTS(fetch_tests) = {
    TEST(progress_is_reported_as_rows_are_read),
    TEST(cancelled_fetch_leaves_the_list),
    TEST(background_fetch_of_a_file),
    TEST(background_fetch_of_memory),
    TEST(background_fetch_of_a_collection),
    TEST(cancelled_fetch_completes_as_cancelled),
    TEST(progress_may_cancel_a_background_fetch),
    TEST(freed_controller_does_not_report_its_fetch),
    TEST(closed_store_does_not_report_its_fetches),
    TEST(background_fetch_that_fails_says_why),
    TEST(failure_of_a_background_fetch_is_that_of_a_call),
    TEST(background_fetch_calls_the_functions_of_the_program),
    TEST(destroyed_when_a_background_fetch_is_refused),
    TEST(cache_may_be_small),
    END_OF_TESTS,
};
