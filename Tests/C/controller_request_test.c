/* Replacing the request of a controller, and fetching again. */
#include <string.h>

#include "fixture.h"
#include "recorder.h"
#include "test.h"

#define SCHEMA \
    "CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT, grp TEXT);" \
    "CREATE TABLE others(id INTEGER PRIMARY KEY);" \
    "INSERT INTO items VALUES (1, 'a', 'x'), (2, 'b', 'y'), (3, 'c', 'x'), (4, 'd', 'y');"

static void set_request(fr_list *list, fr_request *request)
{
    CHECK_OK(fr_controller_set_request(list, request));
    fr_request_free(request);
}

static void difference_is_one_change_set(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", NULL, "name", NULL);
    struct recorder recorder;
    recorder_start(&recorder, list);
    set_request(list, request_of("items", NULL, "name", "id <> 2"));
    CHECK_LOG(&recorder, "[delete 0.1]");
    set_request(list, request_of("items", NULL, "name", "id <> 3"));
    CHECK_LOG(&recorder, "[delete 0.1; insert 0.1]");
    set_request(list, request_of("items", NULL, "name", "id <> 3"));
    CHECK_LOG(&recorder, "");
    CHECK_LIST(list, "1 2 4");
    fr_list_free(list);
    recorder_free(&recorder);
    CHECK_OK(fr_store_close(store));
}

/* 1 2 3 4 becomes 4 3 2 1: any one row can stay. */
static void new_sort_moves_the_fewest_rows(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", NULL, "name", NULL);
    struct recorder recorder;
    recorder_start(&recorder, list);
    set_request(list, request_of("items", NULL, "-name", NULL));
    CHECK_INT(recorder.brackets, 1);
    CHECK_LIST(list, "4 3 2 1");
    run(store, "UPDATE items SET name = 'e' WHERE id = 3");
    CHECK_INT(recorder.brackets, 2);
    CHECK_LIST(list, "3 4 2 1");
    fr_list_free(list);
    recorder_free(&recorder);
    CHECK_OK(fr_store_close(store));
}

static fr_request *request_of_columns(const char *const *columns, size_t count)
{
    fr_request *request = request_of("items", NULL, "name", "id < 3");
    CHECK_OK(fr_request_set_columns(request, columns, count));
    return request;
}

static void other_columns_are_updates(void)
{
    static const char *const columns[] = {"id", "name", "grp"};
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", NULL, "name", "id < 3");
    struct recorder recorder;
    set_request(list, request_of_columns(columns, 2));
    recorder_start(&recorder, list);
    set_request(list, request_of_columns(columns, 3));
    CHECK_LOG(&recorder, "[update 0.0>0.0 {grp}; update 0.1>0.1 {grp}]");
    set_request(list, request_of_columns(columns, 1));
    CHECK_LOG(&recorder, "[update 0.0>0.0 {?}; update 0.1>0.1 {?}]");
    set_request(list, request_of_columns(columns, 1));
    CHECK_LOG(&recorder, "");
    fr_list_free(list);
    recorder_free(&recorder);
    CHECK_OK(fr_store_close(store));
}

static void sections_are_inserted_and_deleted(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", NULL, NULL, NULL);
    struct recorder recorder;
    recorder_start(&recorder, list);
    set_request(list, request_of("items", "grp", NULL, NULL));
    CHECK_LIST(list, "x: 1 3 | y: 2 4");
    CHECK_INT(recorder.brackets, 1);
    set_request(list, request_of("items", "-grp", NULL, NULL));
    CHECK_LIST(list, "y: 2 4 | x: 1 3");
    set_request(list, request_of("items", "name", NULL, NULL));
    CHECK_LIST(list, "a: 1 | b: 2 | c: 3 | d: 4");
    set_request(list, request_of("items", NULL, NULL, NULL));
    CHECK_LIST(list, "1 2 3 4");
    CHECK_INT(recorder.brackets, 4);
    fr_list_free(list);
    recorder_free(&recorder);
    CHECK_OK(fr_store_close(store));
}

static void direction_of_sections_moves_them(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", "grp", NULL, NULL);
    struct recorder recorder;
    const char *log;
    recorder_start(&recorder, list);
    set_request(list, request_of("items", "-grp", NULL, NULL));
    log = recorder_take(&recorder);
    CHECK(strcmp(log, "[move section 1>0 (y)]") == 0 || strcmp(log, "[move section 0>1 (x)]") == 0);
    CHECK_INT(recorder.brackets, 1);
    CHECK_LIST(list, "y: 2 4 | x: 1 3");
    fr_list_free(list);
    recorder_free(&recorder);
    CHECK_OK(fr_store_close(store));
}

static void failure_leaves_request_and_list(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", NULL, "name", "id < 3");
    fr_request *request = request_of("items", NULL, "colour", NULL);
    struct recorder recorder;
    recorder_start(&recorder, list);
    CHECK_STATUS(fr_controller_set_request(list, request), FR_SCHEMA);
    fr_request_free(request);
    request = request_of("items", NULL, NULL, "nonsense(id)");
    CHECK_STATUS(fr_controller_set_request(list, request), FR_SQL);
    fr_request_free(request);
    request = request_of("others", NULL, NULL, NULL);
    CHECK_STATUS(fr_controller_set_request(list, request), FR_MISUSE);
    fr_request_free(request);
    CHECK_LIST(list, "1 2");
    run(store, "UPDATE items SET name = 'z' WHERE id = 1");
    CHECK_LOG(&recorder, "[move 0.0>0.1 {name}]");
    fr_list_free(list);
    recorder_free(&recorder);
    CHECK_OK(fr_store_close(store));
}

static void before_the_fetch_nothing_is_delivered(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_request *request = request_of("items", NULL, NULL, NULL);
    fr_list *list = NULL;
    bool fetched = true;
    REQUIRE(CHECK_OK(fr_controller_new(&list, store, request)));
    fr_request_free(request);
    set_request(list, request_of("items", NULL, NULL, "id = 2"));
    CHECK_OK(fr_list_is_fetched(&fetched, list));
    CHECK(!fetched);
    CHECK_OK(fr_list_perform_fetch(list));
    CHECK_LIST(list, "2");
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void inside_a_transaction_it_takes_effect_immediately(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", NULL, NULL, NULL);
    struct recorder recorder;
    recorder_start(&recorder, list);
    CHECK_OK(fr_store_begin(store, FR_IMMEDIATE));
    set_request(list, request_of("items", NULL, NULL, "id < 3"));
    CHECK_LOG(&recorder, "[delete 0.3; delete 0.2]");
    CHECK_OK(fr_store_rollback(store));
    CHECK_LOG(&recorder, "");
    CHECK_LIST(list, "1 2");
    fr_list_free(list);
    recorder_free(&recorder);
    CHECK_OK(fr_store_close(store));
}

static void fetching_again_makes_no_callbacks(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", NULL, NULL, NULL);
    struct recorder recorder;
    recorder_start(&recorder, list);
    CHECK_OK(fr_list_perform_fetch(list));
    CHECK_LOG(&recorder, "");
    run(store, "DELETE FROM items WHERE id = 1");
    CHECK_LOG(&recorder, "[delete 0.0]");
    fr_list_free(list);
    recorder_free(&recorder);
    CHECK_OK(fr_store_close(store));
}

/*
 * The list was fetched from rows that the rollback removes; the difference is delivered when the
 * transaction ends.
 */
static void fetch_inside_a_transaction_sees_its_rows(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list;
    struct recorder recorder;
    CHECK_OK(fr_store_begin(store, FR_IMMEDIATE));
    run(store, "DELETE FROM items WHERE id > 1; INSERT INTO items VALUES (9, 'n', 'x')");
    list = list_of(store, "items", NULL, NULL, NULL);
    CHECK_LIST(list, "1 9");
    recorder_start(&recorder, list);
    CHECK_OK(fr_store_rollback(store));
    CHECK_LIST(list, "1 2 3 4");
    CHECK_LOG(&recorder, "[delete 0.1; insert 0.1; insert 0.2; insert 0.3]");
    fr_list_free(list);
    recorder_free(&recorder);
    CHECK_OK(fr_store_close(store));
}

TESTS(controller_request_tests) = {
    TEST(difference_is_one_change_set),
    TEST(new_sort_moves_the_fewest_rows),
    TEST(other_columns_are_updates),
    TEST(sections_are_inserted_and_deleted),
    TEST(direction_of_sections_moves_them),
    TEST(failure_leaves_request_and_list),
    TEST(before_the_fetch_nothing_is_delivered),
    TEST(inside_a_transaction_it_takes_effect_immediately),
    TEST(fetching_again_makes_no_callbacks),
    TEST(fetch_inside_a_transaction_sees_its_rows),
    END_OF_TESTS,
};
