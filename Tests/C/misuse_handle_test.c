/*
 * Every function that takes a handle, called with NULL, with a freed handle, with handles of all
 * other types, and with addresses that are not handles: FR_MISUSE with a message, and nothing
 * written through `out`.
 */
#include <stdlib.h>
#include <string.h>

#include "collections.h"
#include "fixture.h"
#include "handle_calls.h"
#include "test.h"

/* One valid handle of each kind; the entity list has no store. */
struct handles {
    void *of[HANDLE_KINDS];
};

static void keep_changes(fr_list *controller, fr_change_set *changes, void *user_data)
{
    (void)controller;
    *(void **)user_data = fr_change_set_ref(changes);
}

static void make_handles(struct handles *handles)
{
    static const char *const columns[] = {"id"};
    fr_observer observer;
    fr_view view;
    fr_entity entity;
    fr_coordinator *coordinator = NULL;
    fr_data_source *source = NULL;
    fr_cell *cell = NULL;
    fr_entity_list *list = NULL;
    fr_object *object = NULL;
    fr_statement *statement = NULL;
    fr_store *store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)");
    memset(&observer, 0, sizeof observer);
    observer.struct_size = sizeof observer;
    observer.did_deliver = keep_changes;
    handles->of[STORE] = store;
    CHECK_OK(fr_statement_prepare(&statement, store, "SELECT ?1, :id"));
    handles->of[STATEMENT] = statement;
    handles->of[REQUEST] = request_of("t", NULL, NULL, NULL);
    handles->of[CONTROLLER] = list_of(store, "t", NULL, NULL, NULL);
    CHECK_OK(fr_list_object_at(&object, handles->of[CONTROLLER], path_at(0, 0)));
    handles->of[OBJECT] = object;
    handles->of[PLACEHOLDER] = placeholder_of("hint", NULL);
    handles->of[CHANGE_SET] = NULL;
    CHECK_OK(fr_list_add_observer(NULL, handles->of[CONTROLLER], &observer, &handles->of[CHANGE_SET], NULL));
    run(store, "INSERT INTO t VALUES (2)");
    CHECK(handles->of[CHANGE_SET] != NULL);
    memset(&view, 0, sizeof view);
    view.struct_size = sizeof view;
    CHECK_OK(fr_coordinator_new(&coordinator, handles->of[CONTROLLER], &view, 0, NULL, NULL));
    handles->of[COORDINATOR] = coordinator;
    CHECK_OK(fr_data_source_new(&source, handles->of[CONTROLLER], NULL, NULL, NULL));
    handles->of[DATA_SOURCE] = source;
    CHECK_OK(fr_cell_new(&cell, columns, 1, NULL, NULL, NULL));
    handles->of[CELL] = cell;
    memset(&entity, 0, sizeof entity);
    entity.struct_size = sizeof entity;
    entity.entity = "t";
    CHECK_OK(fr_entity_list_new(&list, &entity, NULL, NULL, NULL, NULL));
    handles->of[ENTITY_LIST] = list;
}

static void free_handles(struct handles *handles)
{
    fr_coordinator_free(handles->of[COORDINATOR]);
    fr_data_source_free(handles->of[DATA_SOURCE]);
    fr_cell_free(handles->of[CELL]);
    fr_entity_list_free(handles->of[ENTITY_LIST]);
    fr_list_free(handles->of[CONTROLLER]);
    fr_statement_free(handles->of[STATEMENT]);
    fr_request_free(handles->of[REQUEST]);
    CHECK_OK(fr_store_close(handles->of[STORE]));
    fr_object_unref(handles->of[OBJECT]);
    fr_change_set_unref(handles->of[CHANGE_SET]);
    fr_placeholder_free(handles->of[PLACEHOLDER]);
}

static void check_misuse(const struct handle_call *call, void *handle, const char *what)
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

#define EACH_CALL(call) for (call = handle_calls; call->name != NULL; call++)

static void null_handles(void)
{
    const struct handle_call *call;
    EACH_CALL(call)
    {
        if (strcmp(call->name, "fr_store_close") != 0) {
            check_misuse(call, NULL, "NULL");
        }
    }
}

static void freed_handles(void)
{
    const struct handle_call *call;
    struct handles handles;
    make_handles(&handles);
    free_handles(&handles);
    EACH_CALL(call)
    {
        check_misuse(call, handles.of[call->kind], "a freed handle");
    }
}

/* New objects must not be confused with the old ones whose slots they may have. */
static void freed_handles_after_new_ones_were_made(void)
{
    const struct handle_call *call;
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
    const struct handle_call *call;
    struct handles handles;
    int kind;
    make_handles(&handles);
    EACH_CALL(call)
    {
        for (kind = 0; kind < HANDLE_KINDS; kind++) {
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
    const struct handle_call *call;
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
    fr_list *controller = NULL;
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
    CHECK_STATUS(fr_list_index_path_of(&path, NULL, handles.of[OBJECT]), FR_MISUSE);
    CHECK_STATUS(fr_list_index_path_of(&path, handles.of[CONTROLLER], NULL), FR_MISUSE);
    CHECK_STATUS(fr_list_index_path_of(&path, handles.of[CONTROLLER], freed.of[OBJECT]), FR_MISUSE);
    for (kind = 0; kind < HANDLE_KINDS; kind++) {
        if (kind != REQUEST) {
            CHECK_STATUS(fr_controller_new(&controller, handles.of[STORE], handles.of[kind]), FR_MISUSE);
            CHECK_STATUS(fr_controller_set_request(handles.of[CONTROLLER], handles.of[kind]), FR_MISUSE);
        }
        if (kind != OBJECT) {
            CHECK_STATUS(fr_list_index_path_of(&path, handles.of[CONTROLLER], handles.of[kind]), FR_MISUSE);
        }
    }
    CHECK(controller == NULL);
    free_handles(&handles);
}

/* Invalid children, placeholders and requests, given to valid collections and maps. */
static void second_handles_of_maps_and_collections(void)
{
    struct handles handles, freed;
    fr_list *collection = collection_of(NULL, NULL, NULL), *made = NULL;
    int64_t index = 0;
    int kind;
    make_handles(&handles);
    make_handles(&freed);
    free_handles(&freed);
    for (kind = -1; kind < HANDLE_KINDS; kind++) {
        int of;
        for (of = 0; of < 2; of++) {
            void *wrong = kind < 0 ? NULL : of == 0 ? freed.of[kind] : handles.of[kind];
            if (of == 0 || kind != CONTROLLER) {
                CHECK_STATUS(fr_collection_insert(collection, -1, wrong, NULL), FR_MISUSE);
                CHECK_STATUS(fr_collection_replace(collection, 0, wrong, NULL), FR_MISUSE);
                CHECK_STATUS(fr_collection_index_of(&index, collection, wrong), FR_MISUSE);
            }
            if (of == 0 || kind != PLACEHOLDER) {
                CHECK_STATUS(fr_collection_insert_placeholder(collection, -1, wrong), FR_MISUSE);
                CHECK_STATUS(fr_collection_replace_with_placeholder(collection, 0, wrong), FR_MISUSE);
                CHECK_STATUS(fr_collection_index_of_placeholder(&index, collection, wrong), FR_MISUSE);
                if (wrong != NULL) {
                    CHECK_STATUS(fr_collection_insert(collection, -1, handles.of[CONTROLLER], wrong), FR_MISUSE);
                }
            }
            if (of == 0 || kind != REQUEST) {
                CHECK_STATUS(fr_section_map_new(&made, handles.of[STORE], wrong, handles.of[REQUEST], "id", NULL),
                             FR_MISUSE);
                CHECK_STATUS(fr_section_map_new(&made, handles.of[STORE], handles.of[REQUEST], wrong, "id", NULL),
                             FR_MISUSE);
                CHECK_STATUS(fr_section_map_new_with_keys(&made, handles.of[STORE], wrong, NULL, 0, "id", NULL),
                             FR_MISUSE);
            }
            if (of == 0 || kind != STORE) {
                CHECK_STATUS(fr_section_map_new_with_keys(&made, wrong, handles.of[REQUEST], NULL, 0, "id", NULL),
                             FR_MISUSE);
                CHECK_STATUS(fr_collection_new_with_requests(&made, wrong, NULL, 0), FR_MISUSE);
            }
        }
    }
    CHECK(made == NULL);
    CHECK_OK(fr_collection_child_count(&index, collection));
    CHECK_INT(index, 0);
    fr_list_free(collection);
    free_handles(&handles);
}

/*
 * Invalid lists, objects and stores, given to valid coordinators, data sources, cells and entity
 * lists.
 */
static void second_handles_of_views(void)
{
    static const fr_index_path origin = {0, 0};
    struct handles handles, freed;
    fr_view view;
    fr_coordinator *coordinator = NULL;
    fr_data_source *source = NULL;
    fr_index_path path;
    int kind;
    memset(&view, 0, sizeof view);
    view.struct_size = sizeof view;
    make_handles(&handles);
    make_handles(&freed);
    free_handles(&freed);
    for (kind = -1; kind < HANDLE_KINDS; kind++) {
        int of;
        for (of = 0; of < 2; of++) {
            void *wrong = kind < 0 ? NULL : of == 0 ? freed.of[kind] : handles.of[kind];
            fr_object *objects[1];
            objects[0] = wrong;
            if (of == 0 || kind != CONTROLLER) {
                CHECK_STATUS(fr_coordinator_new(&coordinator, wrong, &view, 0, NULL, NULL), FR_MISUSE);
                CHECK_STATUS(fr_data_source_new(&source, wrong, NULL, NULL, NULL), FR_MISUSE);
                CHECK_STATUS(fr_data_source_new_picker(&source, wrong, true, NULL, NULL, NULL), FR_MISUSE);
            }
            if (of == 0 || kind != OBJECT) {
                CHECK_STATUS(fr_data_source_new_array(&source, objects, 1, NULL, NULL, NULL), FR_MISUSE);
                CHECK_STATUS(fr_data_source_update_visible_cell(handles.of[DATA_SOURCE], origin, wrong), FR_MISUSE);
                CHECK_STATUS(fr_data_source_select_objects(&path, NULL, handles.of[DATA_SOURCE], objects, 1),
                             FR_MISUSE);
                if (wrong != NULL) {
                    CHECK_STATUS(fr_data_source_index_path_of(&path, handles.of[DATA_SOURCE], wrong), FR_MISUSE);
                    CHECK_STATUS(fr_cell_set_object(handles.of[CELL], wrong), FR_MISUSE);
                }
            }
            if (wrong != NULL && (of == 0 || kind != STORE)) {
                CHECK_STATUS(fr_entity_list_set_store(handles.of[ENTITY_LIST], wrong), FR_MISUSE);
            }
        }
    }
    CHECK(coordinator == NULL && source == NULL);
    free_handles(&handles);
}

/* Functions that free return no status; they must do nothing. */
static void freeing_what_is_no_such_handle(void)
{
    struct handles handles, freed;
    int64_t count = 0;
    size_t records = 0;
    int kind;
    make_handles(&handles);
    make_handles(&freed);
    free_handles(&freed);
    for (kind = 0; kind < HANDLE_KINDS; kind++) {
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
                fr_list_free(wrong[index]);
            }
            if (index == 0 || kind != OBJECT) {
                CHECK(fr_object_ref(wrong[index]) == NULL);
                fr_object_unref(wrong[index]);
            }
            if (index == 0 || kind != CHANGE_SET) {
                CHECK(fr_change_set_ref(wrong[index]) == NULL);
                fr_change_set_unref(wrong[index]);
            }
            if (index == 0 || kind != PLACEHOLDER) {
                fr_placeholder_free(wrong[index]);
            }
            if (index == 0 || kind != COORDINATOR) {
                fr_coordinator_free(wrong[index]);
            }
            if (index == 0 || kind != DATA_SOURCE) {
                fr_data_source_free(wrong[index]);
            }
            if (index == 0 || kind != CELL) {
                fr_cell_free(wrong[index]);
            }
            if (index == 0 || kind != ENTITY_LIST) {
                fr_entity_list_free(wrong[index]);
            }
        }
    }
    {
        const fr_change *first;
        CHECK_OK(fr_list_count(&count, handles.of[CONTROLLER]));
        CHECK_INT(count, 2);
        CHECK_OK(fr_object_column_count(&count, handles.of[OBJECT]));
        CHECK_OK(fr_change_set_records(&first, &records, handles.of[CHANGE_SET]));
        CHECK_OK(fr_statement_execute(handles.of[STATEMENT]));
        CHECK_OK(fr_request_set_batch_size(handles.of[REQUEST], 5));
        CHECK_OK(fr_placeholder_set_name(handles.of[PLACEHOLDER], "other"));
        CHECK_OK(fr_coordinator_load_data(handles.of[COORDINATOR], true));
        CHECK_OK(fr_data_source_section_count(&count, handles.of[DATA_SOURCE]));
        CHECK_OK(fr_cell_column_count(&count, handles.of[CELL]));
        CHECK_OK(fr_entity_list_set_store(handles.of[ENTITY_LIST], handles.of[STORE]));
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
    for (kind = 0; kind < HANDLE_KINDS; kind++) {
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
    TEST(second_handles_of_maps_and_collections),
    TEST(second_handles_of_views),
    TEST(freeing_what_is_no_such_handle),
    TEST(counters_of_what_is_no_controller),
    END_OF_TESTS,
};
