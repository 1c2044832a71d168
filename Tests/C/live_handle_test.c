/* The count of handles, by kind. */
#include <fetchedresults/views.h>

#include "cases.h"
#include "fixture.h"
#include "test.h"

static int64_t live(int32_t kind)
{
    int64_t count = -1;
    CHECK_OK(fr_live_handles(&count, kind));
    return count;
}

#define CHECK_LIVE(kind, expected) CHECK_INT(live(kind), expected)

static void each_kind_is_counted(void)
{
    static const char *const columns[] = {"id"};
    fr_store *store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)");
    fr_list *list = list_of(store, "t", NULL, NULL, NULL), *collection = NULL;
    fr_view view = {sizeof view, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                    NULL,        NULL, NULL, NULL, NULL, NULL, NULL, NULL};
    fr_entity entity = {sizeof entity, "t", NULL, 0, 0, NULL, 0, 0, NULL, NULL, NULL, NULL};
    fr_statement *statement = NULL;
    fr_request *request = NULL;
    fr_object *object = NULL;
    fr_placeholder *placeholder = NULL;
    fr_coordinator *coordinator = NULL;
    fr_data_source *source = NULL;
    fr_cell *cell = NULL;
    fr_entity_list *entity_list = NULL;
    CHECK_LIVE(FR_HANDLE_STORE, 1);
    CHECK_LIVE(FR_HANDLE_LIST, 1);
    CHECK_OK(fr_collection_new(&collection));
    CHECK_LIVE(FR_HANDLE_LIST, 2);
    CHECK_OK(fr_statement_prepare(&statement, store, "SELECT 1"));
    CHECK_LIVE(FR_HANDLE_STATEMENT, 1);
    CHECK_OK(fr_request_new(&request, "t"));
    CHECK_LIVE(FR_HANDLE_REQUEST, 1);
    CHECK_OK(fr_list_object_at(&object, list, path_at(0, 0)));
    CHECK_LIVE(FR_HANDLE_OBJECT, 1);
    CHECK_OK(fr_placeholder_new(&placeholder, "p", NULL));
    CHECK_LIVE(FR_HANDLE_PLACEHOLDER, 1);
    CHECK_OK(fr_coordinator_new(&coordinator, list, &view, 0, NULL, NULL));
    CHECK_LIVE(FR_HANDLE_COORDINATOR, 1);
    CHECK_OK(fr_data_source_new(&source, list, NULL, NULL, NULL));
    CHECK_LIVE(FR_HANDLE_DATA_SOURCE, 1);
    CHECK_OK(fr_cell_new(&cell, columns, 1, NULL, NULL, NULL));
    CHECK_LIVE(FR_HANDLE_CELL, 1);
    CHECK_LIVE(FR_HANDLE_ANY, 10);
    CHECK_OK(fr_entity_list_new(&entity_list, &entity, NULL, NULL, NULL, NULL));
    CHECK_LIVE(FR_HANDLE_ENTITY_LIST, 1);
    CHECK_LIVE(FR_HANDLE_ANY, 13);
    CHECK_OK(fr_entity_list_set_store(entity_list, store));
    CHECK_LIVE(FR_HANDLE_LIST, 3);
    CHECK_LIVE(FR_HANDLE_COORDINATOR, 2);
    CHECK_LIVE(FR_HANDLE_DATA_SOURCE, 2);
    fr_entity_list_free(entity_list);
    CHECK_LIVE(FR_HANDLE_ANY, 10);
    fr_cell_free(cell);
    fr_data_source_free(source);
    fr_coordinator_free(coordinator);
    fr_placeholder_free(placeholder);
    fr_object_unref(object);
    fr_request_free(request);
    fr_statement_free(statement);
    fr_list_free(collection);
    CHECK_LIVE(FR_HANDLE_ANY, 2);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
    CHECK_LIVE(FR_HANDLE_ANY, 0);
}

static void count_inside(fr_list *list, fr_object *object, const fr_change *change, fr_change_set *changes,
                         void *user_data)
{
    (void)list;
    (void)change;
    (void)user_data;
    CHECK_LIVE(FR_HANDLE_OBJECT, 1);
    CHECK_LIVE(FR_HANDLE_CHANGE_SET, 1);
    CHECK(fr_change_set_ref(changes) == changes);
    CHECK_LIVE(FR_HANDLE_CHANGE_SET, 1);
    fr_change_set_unref(changes);
    CHECK(fr_object_ref(object) == object);
    fr_object_unref(object);
}

/* The handles that a callback borrows exist during the callback; references do not count. */
static void borrowed_handles_end_with_the_delivery(void)
{
    fr_store *store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY)");
    fr_list *list = list_of(store, "t", NULL, NULL, NULL);
    fr_observer observer = {sizeof observer, NULL, NULL, count_inside, NULL, NULL, NULL, NULL};
    CHECK_OK(fr_list_add_observer(NULL, list, &observer, NULL, NULL));
    run(store, "INSERT INTO t VALUES (1), (2)");
    CHECK_LIVE(FR_HANDLE_ANY, 2);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void failed_calls_leave_no_handles(void)
{
    fr_store *store = NULL;
    fr_list *list = NULL;
    fr_entity_list *entity_list = NULL;
    fr_entity entity = {sizeof entity, NULL, NULL, 0, 0, NULL, 0, 0, NULL, NULL, NULL, NULL};
    fr_request *request = request_of("nowhere", NULL, NULL, NULL);
    CHECK_STATUS(fr_store_open(&store, "/nowhere/at/all.db", NULL), FR_IO);
    CHECK_LIVE(FR_HANDLE_ANY, 1);
    CHECK_OK(fr_store_open(&store, ":memory:", NULL));
    CHECK_STATUS(fr_controller_new(&list, store, request), FR_SCHEMA);
    CHECK_STATUS(fr_entity_list_new(&entity_list, &entity, NULL, NULL, NULL, NULL), FR_MISUSE);
    CHECK_LIVE(FR_HANDLE_ANY, 2);
    fr_request_free(request);
    CHECK_OK(fr_store_close(store));
    CHECK_LIVE(FR_HANDLE_ANY, 0);
}

static void unknown_kinds_are_out_of_range(void)
{
    static const int32_t unknown[] = {-1, 12, 255, 256, 257, INT32_MAX, INT32_MIN};
    int64_t count = -7;
    size_t index;
    for (index = 0; index < sizeof unknown / sizeof *unknown; index++) {
        CHECK_STATUS(fr_live_handles(&count, unknown[index]), FR_RANGE);
    }
    CHECK_STATUS(fr_live_handles(NULL, FR_HANDLE_STORE), FR_MISUSE);
    CHECK_INT(count, -7);
}

/* The table of handles grows by 4,096. */
static void tens_of_thousands_of_handles_are_valid(void)
{
    enum { HANDLES = 10 * 4096 + 1 };
    static fr_request *requests[HANDLES];
    int64_t i, count = HANDLES - 4096 * (step_of_cases(9) - 1);
    for (i = 0; i < count; i++) {
        CHECK_OK(fr_request_new(&requests[i], "t"));
    }
    CHECK_LIVE(FR_HANDLE_REQUEST, count);
    for (i = 0; i < count; i++) {
        CHECK_OK(fr_request_set_limit(requests[i], i + 1, 0));
        fr_request_free(requests[i]);
        CHECK_STATUS(fr_request_set_limit(requests[i], 1, 0), FR_MISUSE);
    }
    CHECK_LIVE(FR_HANDLE_REQUEST, 0);
}

TESTS(live_handle_tests) = {
    TEST(each_kind_is_counted),
    TEST(borrowed_handles_end_with_the_delivery),
    TEST(failed_calls_leave_no_handles),
    TEST(unknown_kinds_are_out_of_range),
    TEST(tens_of_thousands_of_handles_are_valid),
    END_OF_TESTS,
};
