/*
 * Every callback for failures gets all parts of the failure: status, SQLite's extended code,
 * message and SQL.
 */
#include <string.h>

#include <fetchedresults/views.h>

#include "fixture.h"
#include "test.h"

#define SCHEMA "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 5), (2, 6);"
#define OVERFLOWING "abs(-9223372036854775807 + v) > 0"
#define BREAK "UPDATE t SET v = -1 WHERE id = 1"

static void check_whole(const fr_error *error, int *calls)
{
    *calls += 1;
    CHECK_INT(error->struct_size, sizeof *error);
    CHECK_INT(error->status, FR_ERROR);
    CHECK_INT(error->sqlite_code, 1);
    CHECK_TEXT(error->message, "integer overflow");
    CHECK(error->sql != NULL && strstr(error->sql, "abs(") != NULL);
}

static void list_failed(fr_list *list, const fr_error *error, void *user_data)
{
    (void)list;
    check_whole(error, user_data);
}

static void view_failed(fr_coordinator *coordinator, const fr_error *error, void *user_data)
{
    (void)coordinator;
    check_whole(error, user_data);
}

static void observers_of_lists_and_of_collections(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", NULL, NULL, OVERFLOWING), *collection = NULL;
    fr_observer observer = {sizeof observer, NULL, NULL, NULL, NULL, NULL, list_failed, NULL};
    int calls = 0;
    CHECK_OK(fr_collection_new(&collection));
    CHECK_OK(fr_collection_insert(collection, -1, list, NULL));
    CHECK_OK(fr_list_add_observer(NULL, list, &observer, &calls, NULL));
    CHECK_OK(fr_list_add_observer(NULL, collection, &observer, &calls, NULL));
    run(store, BREAK);
    CHECK_INT(calls, 2);
    fr_list_free(collection);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void views_of_coordinators_after_commits_and_after_pauses(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", NULL, NULL, OVERFLOWING);
    fr_coordinator *coordinator = NULL;
    fr_view view;
    int calls = 0;
    memset(&view, 0, sizeof view);
    view.struct_size = sizeof view;
    view.did_fail = view_failed;
    CHECK_OK(fr_coordinator_new(&coordinator, list, &view, 0, &calls, NULL));
    CHECK_OK(fr_coordinator_load_data(coordinator, true));
    run(store, BREAK);
    CHECK_INT(calls, 1);
    CHECK_OK(fr_coordinator_set_paused(coordinator, true));
    CHECK_OK(fr_coordinator_set_paused(coordinator, false));
    CHECK_INT(calls, 2);
    fr_coordinator_free(coordinator);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static fr_status with_predicate(fr_request *request, void *user_data)
{
    (void)user_data;
    return fr_request_set_predicate(request, OVERFLOWING, NULL, 0);
}

static void views_of_entity_lists_and_calls_of_their_functions(void)
{
    fr_store *store = store_with(SCHEMA), *broken = store_with(SCHEMA BREAK);
    fr_entity_list *list = NULL;
    fr_entity entity;
    fr_view view;
    int calls = 0;
    memset(&entity, 0, sizeof entity);
    memset(&view, 0, sizeof view);
    entity.struct_size = sizeof entity;
    entity.entity = "t";
    entity.prepare_request = with_predicate;
    view.struct_size = sizeof view;
    view.did_fail = view_failed;
    CHECK_OK(fr_entity_list_new(&list, &entity, &view, NULL, &calls, NULL));
    CHECK_STATUS(fr_entity_list_set_store(list, broken), FR_ERROR);
    CHECK_INT(fr_error_sqlite_code(), 1);
    CHECK(fr_error_sql() != NULL && strstr(fr_error_sql(), "abs(") != NULL);
    CHECK_OK(fr_entity_list_set_store(list, store));
    run(store, BREAK);
    CHECK_INT(calls, 1);
    fr_entity_list_free(list);
    CHECK_OK(fr_store_close(broken));
    CHECK_OK(fr_store_close(store));
}

struct completion {
    int calls, done;
};

static void completed(fr_list *list, const fr_error *error, void *user_data)
{
    struct completion *completion = user_data;
    (void)list;
    completion->done += 1;
    REQUIRE(error != NULL);
    check_whole(error, &completion->calls);
}

static void completions_of_fetches(void)
{
    fr_store *store = store_with(SCHEMA BREAK);
    fr_request *request = request_of("t", NULL, NULL, OVERFLOWING);
    fr_list *list = NULL;
    struct completion completion = {0, 0};
    CHECK_OK(fr_controller_new(&list, store, request));
    CHECK_OK(fr_list_perform_fetch_async(list, NULL, completed, &completion, NULL));
    for (int tries = 0; tries < 100 && completion.done == 0; tries++) CHECK_OK(fr_store_wait(store, 100));
    CHECK_INT(completion.done, 1);
    CHECK_INT(completion.calls, 1);
    fr_request_free(request);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

TESTS(error_tests) = {
    TEST(observers_of_lists_and_of_collections),
    TEST(views_of_coordinators_after_commits_and_after_pauses),
    TEST(views_of_entity_lists_and_calls_of_their_functions),
    TEST(completions_of_fetches),
    END_OF_TESTS,
};
