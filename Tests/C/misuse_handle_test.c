/*
 * Every function that takes a handle, called with NULL, with a freed handle, with handles of all other types, and with
 * addresses that are none: FR_MISUSE with a message, and nothing written through `out`.
 */
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "test.h"

enum kind { STORE, STATEMENT, OBJECT, REQUEST, CONTROLLER, CHANGE_SET, KINDS };

/* What `out` parameters point to: bytes that must stay as they are. */
static char untouched[256];

#define OUT ((void *)untouched)
#define CALL(function, ...) \
    static fr_status call_##function(void *handle) \
    { \
        return function(__VA_ARGS__); \
    }

static const fr_value number = {FR_TYPE_INTEGER, 0, 1, 0.0, NULL, 0};
static const char *const names[] = {"id"};
static const fr_index_path origin = {0, 0};
static const fr_observer no_observer = {sizeof(fr_observer), NULL, NULL, NULL, NULL, NULL, NULL};

static fr_status no_work(fr_store *store, void *user_data)
{
    (void)store;
    (void)user_data;
    return FR_OK;
}

static int32_t no_order(const char *a, size_t a_length, const char *b, size_t b_length, void *user_data)
{
    (void)a;
    (void)a_length;
    (void)b;
    (void)b_length;
    (void)user_data;
    return 0;
}

static bool no_progress(int64_t rows, void *user_data)
{
    (void)rows;
    (void)user_data;
    return true;
}

static void no_completion(fr_controller *controller, fr_status status, const char *message, void *user_data)
{
    (void)controller;
    (void)status;
    (void)message;
    (void)user_data;
}

CALL(fr_store_close, handle)
CALL(fr_store_execute, handle, "SELECT 1", NULL, 0)
CALL(fr_store_execute_named, handle, "SELECT 1", NULL, NULL, 0)
CALL(fr_store_execute_script, handle, "SELECT 1")
CALL(fr_store_changes, OUT, handle)
CALL(fr_store_last_insert_rowid, OUT, handle)
CALL(fr_store_begin, handle, FR_DEFERRED)
CALL(fr_store_commit, handle)
CALL(fr_store_rollback, handle)
CALL(fr_store_in_transaction, OUT, handle)
CALL(fr_store_transaction, handle, no_work, NULL)
CALL(fr_store_insert, OUT, handle, "t", names, &number, 1)
CALL(fr_store_update, handle, "t", &number, 1, names, &number, 1)
CALL(fr_store_delete, handle, "t", &number, 1)
CALL(fr_store_object, OUT, handle, "t", &number, 1)
CALL(fr_store_add_collation, handle, "MINE", no_order, NULL, NULL)
CALL(fr_store_dispatch, handle)
CALL(fr_store_file_descriptor, OUT, handle)
CALL(fr_store_wait, handle, 0)
CALL(fr_store_sqlite, OUT, handle)
CALL(fr_statement_prepare, OUT, handle, "SELECT 1")
CALL(fr_statement_bind, handle, 1, &number)
CALL(fr_statement_bind_named, handle, "id", &number)
CALL(fr_statement_execute, handle)
CALL(fr_statement_step, OUT, handle)
CALL(fr_statement_column_count, OUT, handle)
CALL(fr_statement_column_name, OUT, handle, 0)
CALL(fr_statement_value, OUT, handle, 0)
CALL(fr_statement_reset, handle)
CALL(fr_object_entity, OUT, handle)
CALL(fr_object_identity_count, OUT, handle)
CALL(fr_object_identity, OUT, handle, 0)
CALL(fr_object_column_count, OUT, handle)
CALL(fr_object_column_name, OUT, handle, 0)
CALL(fr_object_column_index, OUT, handle, "id")
CALL(fr_object_value, OUT, handle, 0)
CALL(fr_object_value_named, OUT, handle, "id")
CALL(fr_request_set_identity, handle, names, 1)
CALL(fr_request_set_predicate, handle, "1", NULL, 0)
CALL(fr_request_set_predicate_named, handle, "1", NULL, NULL, 0)
CALL(fr_request_add_sort, handle, "id", FR_ASCENDING, NULL)
CALL(fr_request_set_section, handle, "id", FR_ASCENDING, NULL)
CALL(fr_request_set_columns, handle, names, 1)
CALL(fr_request_set_batch_size, handle, 20)
CALL(fr_request_set_limit, handle, 1, 0)
CALL(fr_controller_perform_fetch, handle)
CALL(fr_controller_perform_fetch_with_progress, handle, no_progress, NULL)
CALL(fr_controller_perform_fetch_async, handle, NULL, no_completion, NULL, NULL)
CALL(fr_controller_cancel_fetch, handle)
CALL(fr_controller_set_cache_size, handle, 5)
CALL(fr_controller_is_fetched, OUT, handle)
CALL(fr_controller_count, OUT, handle)
CALL(fr_controller_section_count, OUT, handle)
CALL(fr_controller_section, OUT, handle, 0)
CALL(fr_controller_row_count, OUT, handle, 0)
CALL(fr_controller_object_at, OUT, handle, origin)
CALL(fr_controller_index_path_of_identity, OUT, handle, &number, 1)
CALL(fr_controller_index_path_at, OUT, handle, 0)
CALL(fr_controller_index_of, OUT, handle, origin)
CALL(fr_controller_set_index_title_function, handle, NULL, NULL, NULL)
CALL(fr_controller_index_title_count, OUT, handle)
CALL(fr_controller_index_title, OUT, handle, 0)
CALL(fr_controller_section_for_index_title, OUT, handle, "A", 0)
CALL(fr_controller_add_observer, OUT, handle, &no_observer, NULL, NULL)
CALL(fr_controller_remove_observer, handle, 1)
CALL(fr_change_set_records, OUT, OUT, handle)
CALL(fr_change_set_object, OUT, handle, 0)
CALL(fr_change_set_old_value, OUT, handle, 0, 0)
CALL(fr_change_set_column_changed, OUT, handle, 0, 0)
CALL(fr_change_set_section_name, OUT, handle, 0)
CALL(fr_change_set_sequential, OUT, handle)

#define ROW(kind, function) {#function, kind, call_##function}

static const struct call {
    const char *name;
    enum kind kind;
    fr_status (*call)(void *handle);
} calls[] = {
    ROW(STORE, fr_store_close),
    ROW(STORE, fr_store_execute),
    ROW(STORE, fr_store_execute_named),
    ROW(STORE, fr_store_execute_script),
    ROW(STORE, fr_store_changes),
    ROW(STORE, fr_store_last_insert_rowid),
    ROW(STORE, fr_store_begin),
    ROW(STORE, fr_store_commit),
    ROW(STORE, fr_store_rollback),
    ROW(STORE, fr_store_in_transaction),
    ROW(STORE, fr_store_transaction),
    ROW(STORE, fr_store_insert),
    ROW(STORE, fr_store_update),
    ROW(STORE, fr_store_delete),
    ROW(STORE, fr_store_object),
    ROW(STORE, fr_store_add_collation),
    ROW(STORE, fr_store_dispatch),
    ROW(STORE, fr_store_file_descriptor),
    ROW(STORE, fr_store_wait),
    ROW(STORE, fr_store_sqlite),
    ROW(STORE, fr_statement_prepare),
    ROW(STATEMENT, fr_statement_bind),
    ROW(STATEMENT, fr_statement_bind_named),
    ROW(STATEMENT, fr_statement_execute),
    ROW(STATEMENT, fr_statement_step),
    ROW(STATEMENT, fr_statement_column_count),
    ROW(STATEMENT, fr_statement_column_name),
    ROW(STATEMENT, fr_statement_value),
    ROW(STATEMENT, fr_statement_reset),
    ROW(OBJECT, fr_object_entity),
    ROW(OBJECT, fr_object_identity_count),
    ROW(OBJECT, fr_object_identity),
    ROW(OBJECT, fr_object_column_count),
    ROW(OBJECT, fr_object_column_name),
    ROW(OBJECT, fr_object_column_index),
    ROW(OBJECT, fr_object_value),
    ROW(OBJECT, fr_object_value_named),
    ROW(REQUEST, fr_request_set_identity),
    ROW(REQUEST, fr_request_set_predicate),
    ROW(REQUEST, fr_request_set_predicate_named),
    ROW(REQUEST, fr_request_add_sort),
    ROW(REQUEST, fr_request_set_section),
    ROW(REQUEST, fr_request_set_columns),
    ROW(REQUEST, fr_request_set_batch_size),
    ROW(REQUEST, fr_request_set_limit),
    ROW(CONTROLLER, fr_controller_perform_fetch),
    ROW(CONTROLLER, fr_controller_perform_fetch_with_progress),
    ROW(CONTROLLER, fr_controller_perform_fetch_async),
    ROW(CONTROLLER, fr_controller_cancel_fetch),
    ROW(CONTROLLER, fr_controller_set_cache_size),
    ROW(CONTROLLER, fr_controller_is_fetched),
    ROW(CONTROLLER, fr_controller_count),
    ROW(CONTROLLER, fr_controller_section_count),
    ROW(CONTROLLER, fr_controller_section),
    ROW(CONTROLLER, fr_controller_row_count),
    ROW(CONTROLLER, fr_controller_object_at),
    ROW(CONTROLLER, fr_controller_index_path_of_identity),
    ROW(CONTROLLER, fr_controller_index_path_at),
    ROW(CONTROLLER, fr_controller_index_of),
    ROW(CONTROLLER, fr_controller_set_index_title_function),
    ROW(CONTROLLER, fr_controller_index_title_count),
    ROW(CONTROLLER, fr_controller_index_title),
    ROW(CONTROLLER, fr_controller_section_for_index_title),
    ROW(CONTROLLER, fr_controller_add_observer),
    ROW(CONTROLLER, fr_controller_remove_observer),
    ROW(CHANGE_SET, fr_change_set_records),
    ROW(CHANGE_SET, fr_change_set_object),
    ROW(CHANGE_SET, fr_change_set_old_value),
    ROW(CHANGE_SET, fr_change_set_column_changed),
    ROW(CHANGE_SET, fr_change_set_section_name),
    ROW(CHANGE_SET, fr_change_set_sequential),
};

/* One living handle of each kind. */
struct handles {
    void *of[KINDS];
};

static void keep_changes(fr_controller *controller, fr_change_set *changes, void *user_data)
{
    (void)controller;
    *(void **)user_data = fr_change_set_ref(changes);
}

static void make_handles(struct handles *handles)
{
    fr_observer observer = no_observer;
    fr_object *object = NULL;
    fr_statement *statement = NULL;
    fr_store *store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)");
    observer.changes = keep_changes;
    handles->of[STORE] = store;
    CHECK_OK(fr_statement_prepare(&statement, store, "SELECT ?1, :id"));
    handles->of[STATEMENT] = statement;
    handles->of[REQUEST] = request_of("t", NULL, NULL, NULL);
    handles->of[CONTROLLER] = list_of(store, "t", NULL, NULL, NULL);
    CHECK_OK(fr_controller_object_at(&object, handles->of[CONTROLLER], origin));
    handles->of[OBJECT] = object;
    handles->of[CHANGE_SET] = NULL;
    CHECK_OK(fr_controller_add_observer(NULL, handles->of[CONTROLLER], &observer, &handles->of[CHANGE_SET], NULL));
    run(store, "INSERT INTO t VALUES (2)");
    CHECK(handles->of[CHANGE_SET] != NULL);
}

static void free_handles(struct handles *handles)
{
    fr_controller_free(handles->of[CONTROLLER]);
    fr_statement_free(handles->of[STATEMENT]);
    fr_request_free(handles->of[REQUEST]);
    CHECK_OK(fr_store_close(handles->of[STORE]));
    fr_object_unref(handles->of[OBJECT]);
    fr_change_set_unref(handles->of[CHANGE_SET]);
}

static void check_misuse(const struct call *call, void *handle, const char *what)
{
    static char expected[sizeof untouched];
    int before = failures();
    memset(untouched, 0x5a, sizeof untouched);
    memset(expected, 0x5a, sizeof expected);
    CHECK_STATUS(call->call(handle), FR_MISUSE);
    CHECK(memcmp(untouched, expected, sizeof expected) == 0);
    if (failures() != before) {
        fail(__FILE__, __LINE__, "this was %s of %s", call->name, what);
    }
}

#define EACH_CALL(call) for (call = calls; call < calls + sizeof calls / sizeof *calls; call++)

static void null_handles(void)
{
    const struct call *call;
    EACH_CALL(call)
    {
        if (call->call != call_fr_store_close) {
            check_misuse(call, NULL, "NULL");
        }
    }
}

static void freed_handles(void)
{
    const struct call *call;
    struct handles handles;
    make_handles(&handles);
    free_handles(&handles);
    EACH_CALL(call)
    {
        check_misuse(call, handles.of[call->kind], "a freed handle");
    }
}

/* New objects must not be taken for the old ones whose place they may have got. */
static void freed_handles_after_new_ones_were_made(void)
{
    const struct call *call;
    struct handles freed, living;
    make_handles(&freed);
    free_handles(&freed);
    make_handles(&living);
    EACH_CALL(call)
    {
        if (freed.of[call->kind] != living.of[call->kind]) {
            check_misuse(call, freed.of[call->kind], "a freed handle");
        }
    }
    free_handles(&living);
}

static void handles_of_other_types(void)
{
    const struct call *call;
    struct handles handles;
    int kind;
    make_handles(&handles);
    EACH_CALL(call)
    {
        for (kind = 0; kind < KINDS; kind++) {
            if (kind != (int)call->kind) {
                check_misuse(call, handles.of[kind], "a handle of another type");
            }
        }
    }
    free_handles(&handles);
}

static void addresses_that_are_no_handles(void)
{
    char *zeros = calloc(1, 4096);
    void *wrong[5];
    const struct call *call;
    size_t index;
    REQUIRE(zeros != NULL);
    wrong[0] = zeros;
    wrong[1] = zeros + 1;
    wrong[2] = (void *)(uintptr_t)1;
    wrong[3] = (void *)UINTPTR_MAX;
    wrong[4] = (void *)&wrong;
    EACH_CALL(call)
    {
        for (index = 0; index < sizeof wrong / sizeof *wrong; index++) {
            check_misuse(call, wrong[index], "an address that is no handle");
        }
    }
    free(zeros);
}

static void second_handles(void)
{
    struct handles handles, freed;
    fr_controller *controller = NULL;
    fr_index_path path;
    int kind;
    make_handles(&handles);
    make_handles(&freed);
    free_handles(&freed);
    CHECK_STATUS(fr_controller_new(&controller, NULL, handles.of[REQUEST]), FR_MISUSE);
    CHECK_STATUS(fr_controller_new(&controller, handles.of[STORE], NULL), FR_MISUSE);
    CHECK_STATUS(fr_controller_new(&controller, freed.of[STORE], handles.of[REQUEST]), FR_MISUSE);
    CHECK_STATUS(fr_controller_new(&controller, handles.of[STORE], freed.of[REQUEST]), FR_MISUSE);
    CHECK_STATUS(fr_controller_set_request(NULL, handles.of[REQUEST]), FR_MISUSE);
    CHECK_STATUS(fr_controller_set_request(handles.of[CONTROLLER], NULL), FR_MISUSE);
    CHECK_STATUS(fr_controller_set_request(handles.of[CONTROLLER], freed.of[REQUEST]), FR_MISUSE);
    CHECK_STATUS(fr_controller_index_path_of(&path, NULL, handles.of[OBJECT]), FR_MISUSE);
    CHECK_STATUS(fr_controller_index_path_of(&path, handles.of[CONTROLLER], NULL), FR_MISUSE);
    CHECK_STATUS(fr_controller_index_path_of(&path, handles.of[CONTROLLER], freed.of[OBJECT]), FR_MISUSE);
    for (kind = 0; kind < KINDS; kind++) {
        if (kind != REQUEST) {
            CHECK_STATUS(fr_controller_new(&controller, handles.of[STORE], handles.of[kind]), FR_MISUSE);
            CHECK_STATUS(fr_controller_set_request(handles.of[CONTROLLER], handles.of[kind]), FR_MISUSE);
        }
        if (kind != OBJECT) {
            CHECK_STATUS(fr_controller_index_path_of(&path, handles.of[CONTROLLER], handles.of[kind]), FR_MISUSE);
        }
    }
    CHECK(controller == NULL);
    free_handles(&handles);
}

/* Freeing can't answer; it must do nothing. */
static void freeing_what_is_no_such_handle(void)
{
    struct handles handles, freed;
    int64_t count = 0;
    size_t records = 0;
    int kind;
    make_handles(&handles);
    make_handles(&freed);
    free_handles(&freed);
    for (kind = 0; kind < KINDS; kind++) {
        void *wrong[2];
        size_t index;
        wrong[0] = freed.of[kind];
        wrong[1] = handles.of[kind];
        for (index = 0; index < 2; index++) {
            if (index == 0 || kind != STATEMENT) {
                fr_statement_free(wrong[index]);
            }
            if (index == 0 || kind != REQUEST) {
                fr_request_free(wrong[index]);
            }
            if (index == 0 || kind != CONTROLLER) {
                fr_controller_free(wrong[index]);
            }
            if (index == 0 || kind != OBJECT) {
                CHECK(fr_object_ref(wrong[index]) == NULL);
                fr_object_unref(wrong[index]);
            }
            if (index == 0 || kind != CHANGE_SET) {
                CHECK(fr_change_set_ref(wrong[index]) == NULL);
                fr_change_set_unref(wrong[index]);
            }
        }
    }
    {
        const fr_change *first;
        CHECK_OK(fr_controller_count(&count, handles.of[CONTROLLER]));
        CHECK_INT(count, 2);
        CHECK_OK(fr_object_column_count(&count, handles.of[OBJECT]));
        CHECK_OK(fr_change_set_records(&first, &records, handles.of[CHANGE_SET]));
        CHECK_OK(fr_statement_execute(handles.of[STATEMENT]));
        CHECK_OK(fr_request_set_batch_size(handles.of[REQUEST], 5));
    }
    free_handles(&handles);
}

/* Counters have a size in their `out`, which must be readable. */
static void counters_of_what_is_no_controller(void)
{
    struct handles handles;
    fr_counters counters;
    int kind;
    memset(&counters, 0, sizeof counters);
    counters.struct_size = sizeof counters;
    make_handles(&handles);
    CHECK_STATUS(fr_controller_counters(&counters, NULL), FR_MISUSE);
    CHECK_STATUS(fr_controller_counters(NULL, handles.of[CONTROLLER]), FR_MISUSE);
    for (kind = 0; kind < KINDS; kind++) {
        if (kind != CONTROLLER) {
            CHECK_STATUS(fr_controller_counters(&counters, handles.of[kind]), FR_MISUSE);
        }
    }
    free_handles(&handles);
    CHECK_STATUS(fr_controller_counters(&counters, handles.of[CONTROLLER]), FR_MISUSE);
    CHECK_INT(counters.rows_read, 0);
}

TESTS(misuse_handle_tests) = {
    TEST(null_handles),
    TEST(freed_handles),
    TEST(freed_handles_after_new_ones_were_made),
    TEST(handles_of_other_types),
    TEST(addresses_that_are_no_handles),
    TEST(second_handles),
    TEST(freeing_what_is_no_such_handle),
    TEST(counters_of_what_is_no_controller),
    END_OF_TESTS,
};
