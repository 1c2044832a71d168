/*
 * The last error is the one of the outermost call, whatever calls its callbacks made. Each scenario
 * runs with callbacks that make no calls, and then with callbacks that make succeeding and failing
 * ones, and must report the same.
 */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include <fetchedresults/views.h>

#include "fixture.h"
#include "cases.h"
#include "test.h"
#include "text.h"

enum disturbance { NOTHING, SUCCESS, MISUSE, WRONG_SQL, WRONG_SQL_AND_SUCCESS, DISTURBANCES };

static enum disturbance disturbance;
static int disturbed;
/* A store of another database, for the calls of callbacks. */
static fr_store *elsewhere;

/* What every callback does. */
static void disturb(void)
{
    disturbed += 1;
    if (disturbance == MISUSE) {
        CHECK_STATUS(fr_store_commit(NULL), FR_MISUSE);
    }
    if (disturbance == WRONG_SQL || disturbance == WRONG_SQL_AND_SUCCESS) {
        CHECK_STATUS(fr_store_execute(elsewhere, "SELECT disturbance", NULL, 0), FR_SQL);
    }
    if (disturbance == SUCCESS || disturbance == WRONG_SQL_AND_SUCCESS) {
        CHECK_OK(fr_store_execute(elsewhere, "SELECT 1", NULL, 0));
    }
}

static void destroyed(void *user_data)
{
    (void)user_data;
    disturb();
}

/* Callbacks of all kinds. */

static void will_change(fr_list *list, void *user_data)
{
    (void)list, (void)user_data;
    disturb();
}

static void section_change(fr_list *list, const fr_section_info *section, const fr_change *change,
                           fr_change_set *changes, void *user_data)
{
    (void)list, (void)section, (void)change, (void)changes, (void)user_data;
    disturb();
}

static void object_change(fr_list *list, fr_object *object, const fr_change *change, fr_change_set *changes,
                          void *user_data)
{
    (void)list, (void)object, (void)change, (void)changes, (void)user_data;
    disturb();
}

static void changes_came(fr_list *list, fr_change_set *changes, void *user_data)
{
    (void)list, (void)changes, (void)user_data;
    disturb();
}

static void list_failed(fr_list *list, const fr_error *error, void *user_data)
{
    (void)list, (void)error, (void)user_data;
    disturb();
}

static const fr_observer observer = {sizeof observer, will_change,  section_change, object_change,
                                     will_change,     changes_came, list_failed,    NULL};

static bool progress(int64_t rows, void *user_data)
{
    (void)rows;
    disturb();
    return user_data == NULL;
}

static void completed(fr_list *list, const fr_error *error, void *user_data)
{
    (void)list, (void)error, (void)user_data;
    disturb();
}

static int64_t index_title(char *title, int64_t capacity, const char *name, void *user_data)
{
    (void)capacity, (void)name, (void)user_data;
    disturb();
    title[0] = 'i';
    return 1;
}

static int32_t collate(const char *a, size_t a_length, const char *b, size_t b_length, void *user_data)
{
    (void)user_data;
    disturb();
    return a_length != b_length ? (a_length > b_length) - (a_length < b_length) : memcmp(a, b, a_length);
}

static void view_event(fr_coordinator *coordinator, void *user_data)
{
    (void)coordinator, (void)user_data;
    disturb();
}

static void view_count(fr_coordinator *coordinator, int64_t count, void *user_data)
{
    (void)coordinator, (void)count, (void)user_data;
    disturb();
}

static void view_cell(fr_coordinator *coordinator, fr_index_path path, fr_object *object, void *user_data)
{
    (void)coordinator, (void)path, (void)object, (void)user_data;
    disturb();
}

static void view_failed(fr_coordinator *coordinator, const fr_error *error, void *user_data)
{
    (void)coordinator, (void)error, (void)user_data;
    disturb();
}

static fr_view disturbing_view(void)
{
    fr_view view;
    memset(&view, 0, sizeof view);
    view.struct_size = sizeof view;
    view.reload = view.begin = view.end = view_event;
    view.count_changed = view_count;
    view.update_cell = view_cell;
    view.did_fail = view_failed;
    return view;
}

static void cell_changed(fr_cell *cell, void *user_data)
{
    (void)cell, (void)user_data;
    disturb();
}

static void *dequeue(const char *identifier, fr_index_path path, void *user_data)
{
    (void)identifier, (void)path;
    disturb();
    return user_data;
}

static void configure(void *cell, fr_object *object, fr_index_path path, void *user_data)
{
    (void)cell, (void)object, (void)path, (void)user_data;
    disturb();
}

/* The objects that the scenarios use. */
struct world {
    fr_store *store;
    fr_list *list;
    fr_request *request;
    fr_coordinator *coordinator;
    fr_data_source *source;
    fr_entity_list *entity_list;
    fr_cell *cell;
    fr_object *object;
    fr_list *map;
    fr_status answer; /* of the functions that return a status */
    const char *failing; /* SQL that these run, and that fails */
};

#define SCHEMA \
    "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT COLLATE DISTURBING UNIQUE, s, k REFERENCES t);" \
    "INSERT INTO t VALUES (1, 'a', 'x', NULL), (2, 'b', 'y', NULL), (3, 'c', 'x', NULL);"

static void open_world(struct world *world)
{
    fr_view view = disturbing_view();
    fr_cells cells;
    fr_entity entity;
    static const char *const columns[] = {"name"};
    memset(world, 0, sizeof *world);
    memset(&cells, 0, sizeof cells);
    memset(&entity, 0, sizeof entity);
    cells.struct_size = sizeof cells;
    cells.dequeue = dequeue;
    cells.configure = configure;
    entity.struct_size = sizeof entity;
    entity.entity = "t";
    world->store = store_with("");
    CHECK_OK(fr_store_add_collation(world->store, "DISTURBING", collate, NULL, destroyed));
    run(world->store, SCHEMA);
    world->request = request_of("t", "s", "id", NULL);
    CHECK_OK(fr_controller_new(&world->list, world->store, world->request));
    CHECK_OK(fr_controller_set_index_title_function(world->list, index_title, NULL, destroyed));
    CHECK_OK(fr_list_perform_fetch(world->list));
    CHECK_OK(fr_list_add_observer(NULL, world->list, &observer, NULL, destroyed));
    CHECK_OK(fr_coordinator_new(&world->coordinator, world->list, &view, 0, NULL, destroyed));
    CHECK_OK(fr_coordinator_load_data(world->coordinator, true));
    CHECK_OK(fr_data_source_new(&world->source, world->list, &cells, world, destroyed));
    CHECK_OK(fr_cell_new(&world->cell, columns, 1, cell_changed, NULL, destroyed));
    CHECK_OK(fr_list_object_at(&world->object, world->list, path_at(0, 0)));
}

static void close_world(struct world *world)
{
    fr_object_unref(world->object);
    fr_cell_free(world->cell);
    fr_data_source_free(world->source);
    fr_coordinator_free(world->coordinator);
    fr_entity_list_free(world->entity_list);
    fr_list_free(world->map);
    fr_list_free(world->list);
    fr_request_free(world->request);
    fr_store_close(world->store);
}

/* Scenarios: each returns the result of its last call. */

static fr_status writing(struct world *world)
{
    return fr_store_execute(world->store, "INSERT INTO t VALUES (4, 'd', 'z', NULL)", NULL, 0);
}

static fr_status violating(struct world *world)
{
    return fr_store_execute(world->store, "INSERT INTO t VALUES (5, 'a', 'z', NULL)", NULL, 0);
}

static fr_status writing_a_script_that_fails(struct world *world)
{
    return fr_store_execute_script(world->store, "DELETE FROM t WHERE id = 1; DELETE FROM nowhere;");
}

static fr_status answering(fr_store *store, void *user_data)
{
    struct world *world = user_data;
    if (world->failing != NULL) {
        CHECK(fr_store_execute(store, world->failing, NULL, 0) != FR_OK);
    }
    return world->answer;
}

/* The end of the transaction delivers what the program itself wrote through the connection. */
static fr_status transact(struct world *world, fr_status answer, const char *failing)
{
    struct sqlite3 *connection = NULL;
    CHECK_OK(fr_store_sqlite(&connection, world->store));
    CHECK_INT(sqlite3_exec(connection, "UPDATE t SET s = 'w' WHERE id = 2", NULL, NULL, NULL), SQLITE_OK);
    world->answer = answer;
    world->failing = failing;
    return fr_store_transaction(world->store, answering, world);
}

static fr_status transaction_that_succeeds(struct world *world)
{
    return transact(world, FR_OK, NULL);
}

static fr_status transaction_that_succeeds_after_a_failure(struct world *world)
{
    return transact(world, FR_OK, "DELETE FROM nowhere");
}

static fr_status transaction_that_passes_its_failure(struct world *world)
{
    return transact(world, FR_CONSTRAINT, "INSERT INTO t VALUES (6, 'a', 'z', NULL)");
}

static fr_status transaction_with_a_status_of_its_own(struct world *world)
{
    return transact(world, 12345, "DELETE FROM nowhere");
}

/* An earlier failure with the same status is not the function's failure. */
static fr_status transaction_after_an_earlier_failure(struct world *world)
{
    CHECK_STATUS(violating(world), FR_CONSTRAINT);
    return transact(world, FR_CONSTRAINT, NULL);
}

static fr_status transaction_whose_commit_fails(struct world *world)
{
    run(world->store, "CREATE TABLE d(k REFERENCES t DEFERRABLE INITIALLY DEFERRED)");
    CHECK_OK(fr_store_begin(world->store, FR_IMMEDIATE));
    CHECK_OK(fr_store_execute(world->store, "INSERT INTO d VALUES (99)", NULL, 0));
    return fr_store_commit(world->store);
}

static fr_status observing_with_too_small_a_struct(struct world *world)
{
    fr_observer small = observer;
    small.struct_size = 1;
    return fr_list_add_observer(NULL, world->list, &small, NULL, destroyed);
}

static fr_status observing_nothing(struct world *world)
{
    (void)world;
    return fr_list_add_observer(NULL, NULL, &observer, NULL, destroyed);
}

static fr_status removing_an_observer(struct world *world)
{
    uint64_t number = 0;
    CHECK_OK(fr_list_add_observer(&number, world->list, &observer, NULL, destroyed));
    return fr_list_remove_observer(world->list, number);
}

static fr_status replacing_a_collation(struct world *world)
{
    CHECK_OK(fr_store_add_collation(world->store, "ANOTHER", collate, NULL, destroyed));
    return fr_store_add_collation(world->store, "ANOTHER", collate, NULL, destroyed);
}

static fr_status collation_without_a_function(struct world *world)
{
    return fr_store_add_collation(world->store, "ANOTHER", NULL, NULL, destroyed);
}

static fr_status replacing_the_title_function(struct world *world)
{
    return fr_controller_set_index_title_function(world->list, index_title, NULL, destroyed);
}

static fr_status title_function_of_nothing(struct world *world)
{
    (void)world;
    return fr_controller_set_index_title_function(NULL, index_title, NULL, destroyed);
}

static fr_status asking_for_a_title(struct world *world)
{
    const char *title = NULL;
    CHECK_OK(fr_controller_set_index_title_function(world->list, index_title, NULL, destroyed));
    return fr_list_index_title(&title, world->list, 0);
}

static fr_status asking_for_a_title_that_is_not_there(struct world *world)
{
    const char *title = NULL;
    CHECK_OK(fr_controller_set_index_title_function(world->list, index_title, NULL, destroyed));
    return fr_list_index_title(&title, world->list, 99);
}

static fr_status fetching(struct world *world)
{
    return fr_list_perform_fetch_with_progress(world->list, progress, NULL);
}

static fr_status fetching_that_is_cancelled(struct world *world)
{
    run(world->store, "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
                      "INSERT INTO t SELECT i, i, 'x', NULL FROM n");
    return fr_list_perform_fetch_with_progress(world->list, progress, world);
}

static fr_status fetching_in_the_background_twice(struct world *world)
{
    CHECK_OK(fr_list_perform_fetch_async(world->list, progress, completed, NULL, destroyed));
    return fr_list_perform_fetch_async(world->list, progress, completed, NULL, destroyed);
}

static fr_status dispatching_the_end_of_a_fetch(struct world *world)
{
    CHECK_OK(fr_list_perform_fetch_async(world->list, progress, completed, NULL, destroyed));
    CHECK_OK(fr_list_cancel_fetch(world->list));
    return fr_store_dispatch(world->store);
}

static fr_status closing_with_a_fetch_under_way(struct world *world)
{
    CHECK_OK(fr_list_perform_fetch_async(world->list, progress, completed, NULL, destroyed));
    return fr_store_close(world->store);
}

static fr_status closing_twice(struct world *world)
{
    CHECK_OK(fr_store_close(world->store));
    return fr_store_close(world->store);
}

static fr_status dispatching_a_dropped_table(struct world *world)
{
    struct sqlite3 *connection = NULL;
    CHECK_OK(fr_store_sqlite(&connection, world->store));
    CHECK_INT(sqlite3_exec(connection, "DROP TABLE t", NULL, NULL, NULL), SQLITE_OK);
    return fr_store_dispatch(world->store);
}

static fr_status coordinating_nothing(struct world *world)
{
    fr_coordinator *coordinator = NULL;
    fr_view view = disturbing_view();
    (void)world;
    return fr_coordinator_new(&coordinator, NULL, &view, 0, NULL, destroyed);
}

static fr_status loading(struct world *world)
{
    return fr_coordinator_load_data(world->coordinator, true);
}

static fr_status resuming(struct world *world)
{
    CHECK_OK(fr_coordinator_set_paused(world->coordinator, true));
    run(world->store, "DELETE FROM t WHERE id = 3");
    return fr_coordinator_set_paused(world->coordinator, false);
}

static fr_status resuming_a_dropped_table(struct world *world)
{
    CHECK_OK(fr_coordinator_set_paused(world->coordinator, true));
    run(world->store, "DROP TABLE t");
    return fr_coordinator_set_paused(world->coordinator, false);
}

static fr_status another_request(struct world *world)
{
    fr_request *request = request_of("t", NULL, "-id", "id < 3");
    fr_status status = fr_controller_set_request(world->list, request);
    fr_request_free(request);
    return status;
}

static fr_status another_request_that_fails(struct world *world)
{
    fr_request *request = request_of("t", NULL, "-id", "abs(-9223372036854775807 - id) > 0");
    fr_status status = fr_controller_set_request(world->list, request);
    fr_request_free(request);
    return status;
}

static fr_status asking_for_a_cell(struct world *world)
{
    void *cell = NULL;
    return fr_data_source_cell(&cell, world->source, path_at(0, 0));
}

static fr_status asking_for_a_cell_that_is_not_there(struct world *world)
{
    void *cell = NULL;
    return fr_data_source_cell(&cell, world->source, path_at(0, 99));
}

static fr_status source_with_too_small_a_struct(struct world *world)
{
    fr_data_source *source = NULL;
    fr_cells cells;
    memset(&cells, 0, sizeof cells);
    return fr_data_source_new(&source, world->list, &cells, NULL, destroyed);
}

static fr_status setting_an_object(struct world *world)
{
    return fr_cell_set_object(world->cell, world->object);
}

static fr_status cell_of_nothing(struct world *world)
{
    (void)world;
    return fr_cell_new(NULL, NULL, 0, cell_changed, NULL, destroyed);
}

/* The functions of an entity. */

static fr_status prepare_request(fr_request *request, void *user_data)
{
    struct world *world = user_data;
    disturb();
    if (world->failing != NULL) {
        CHECK(fr_request_add_sort(request, NULL, 0, NULL) != FR_OK);
    }
    return world->answer;
}

static fr_status make_list(fr_list **out, fr_store *store, fr_request *request, void *user_data)
{
    (void)user_data;
    disturb();
    return fr_controller_new(out, store, request);
}

static fr_status add_item(fr_object **out, fr_store *store, const char *const *columns, const fr_value *values,
                          size_t count, void *user_data)
{
    (void)user_data;
    disturb();
    return fr_store_insert(out, store, "t", columns, values, count);
}

static fr_status delete_item(fr_store *store, fr_object *item, void *user_data)
{
    struct world *world = user_data;
    (void)item;
    disturb();
    if (world->failing != NULL) {
        return fr_store_execute(store, world->failing, NULL, 0);
    }
    return world->answer;
}

static fr_status make_entity_list(struct world *world, fr_status answer, const char *failing)
{
    fr_view view = disturbing_view();
    fr_entity entity;
    memset(&entity, 0, sizeof entity);
    entity.struct_size = sizeof entity;
    entity.entity = "t";
    entity.prepare_request = prepare_request;
    entity.make_list = make_list;
    entity.add_item = add_item;
    entity.delete_item = delete_item;
    world->answer = answer;
    world->failing = failing;
    CHECK_OK(fr_entity_list_new(&world->entity_list, &entity, &view, NULL, world, destroyed));
    return fr_entity_list_set_store(world->entity_list, world->store);
}

static fr_status entity_list_without_an_entity(struct world *world)
{
    fr_entity entity;
    memset(&entity, 0, sizeof entity);
    entity.struct_size = sizeof entity;
    return fr_entity_list_new(&world->entity_list, &entity, NULL, NULL, NULL, destroyed);
}

static fr_status taking_a_store(struct world *world)
{
    return make_entity_list(world, FR_OK, NULL);
}

static fr_status request_that_passes_its_failure(struct world *world)
{
    return make_entity_list(world, FR_MISUSE, "fails");
}

static fr_status request_with_a_status_of_its_own(struct world *world)
{
    return make_entity_list(world, 4711, "fails");
}

static fr_status giving_a_store_back(struct world *world)
{
    CHECK_OK(taking_a_store(world));
    return fr_entity_list_set_store(world->entity_list, NULL);
}

static fr_status adding_an_item_that_violates(struct world *world)
{
    static const char *const columns[] = {"name"};
    fr_value values[1];
    values[0] = fr_text("a");
    CHECK_OK(taking_a_store(world));
    return fr_entity_list_add_item(NULL, world->entity_list, columns, values, 1);
}

static fr_status deleting_an_item(struct world *world)
{
    CHECK_OK(taking_a_store(world));
    world->failing = "DELETE FROM t WHERE id = 1";
    return fr_entity_list_delete_item(world->entity_list, path_at(0, 0));
}

static fr_status deleting_an_item_in_vain(struct world *world)
{
    CHECK_OK(taking_a_store(world));
    world->failing = "DELETE FROM nowhere";
    return fr_entity_list_delete_item(world->entity_list, path_at(0, 0));
}

static fr_status deleting_with_a_status_of_its_own(struct world *world)
{
    CHECK_OK(taking_a_store(world));
    world->answer = FR_BUSY;
    return fr_entity_list_delete_item(world->entity_list, path_at(0, 0));
}

/*
 * Functions without a status do not change the last error, though they destroy user data whose
 * functions make calls.
 */
static fr_status freeing_after_a_failure(struct world *world)
{
    fr_status status;
    CHECK_OK(taking_a_store(world));
    CHECK_OK(fr_list_perform_fetch_async(world->list, progress, completed, NULL, destroyed));
    status = violating(world);
    fr_data_source_free(world->source);
    fr_coordinator_free(world->coordinator);
    fr_entity_list_free(world->entity_list);
    fr_cell_free(world->cell);
    fr_list_free(world->list);
    world->source = NULL;
    world->coordinator = NULL;
    world->entity_list = NULL;
    world->cell = NULL;
    world->list = NULL;
    return status;
}

#define SCENARIO(function, status) {#function, function, status, true}
#define QUIET_SCENARIO(function, status) {#function, function, status, false}

/* Their results, and whether a callback is called. */
static const struct {
    const char *name;
    fr_status (*run)(struct world *world);
    fr_status status;
    bool disturbs;
} scenarios[] = {
    SCENARIO(writing, FR_OK),
    SCENARIO(violating, FR_CONSTRAINT),
    SCENARIO(writing_a_script_that_fails, FR_SQL),
    SCENARIO(transaction_that_succeeds, FR_OK),
    SCENARIO(transaction_that_succeeds_after_a_failure, FR_OK),
    SCENARIO(transaction_that_passes_its_failure, FR_CONSTRAINT),
    SCENARIO(transaction_with_a_status_of_its_own, 12345),
    SCENARIO(transaction_after_an_earlier_failure, FR_CONSTRAINT),
    QUIET_SCENARIO(transaction_whose_commit_fails, FR_CONSTRAINT),
    SCENARIO(observing_with_too_small_a_struct, FR_RANGE),
    SCENARIO(observing_nothing, FR_MISUSE),
    SCENARIO(removing_an_observer, FR_OK),
    SCENARIO(replacing_a_collation, FR_OK),
    SCENARIO(collation_without_a_function, FR_MISUSE),
    SCENARIO(replacing_the_title_function, FR_OK),
    SCENARIO(title_function_of_nothing, FR_MISUSE),
    SCENARIO(asking_for_a_title, FR_OK),
    SCENARIO(asking_for_a_title_that_is_not_there, FR_RANGE),
    QUIET_SCENARIO(fetching, FR_OK),
    SCENARIO(fetching_that_is_cancelled, FR_CANCELLED),
    SCENARIO(fetching_in_the_background_twice, FR_MISUSE),
    SCENARIO(dispatching_the_end_of_a_fetch, FR_OK),
    SCENARIO(closing_with_a_fetch_under_way, FR_OK),
    SCENARIO(closing_twice, FR_MISUSE),
    SCENARIO(dispatching_a_dropped_table, FR_OK),
    SCENARIO(coordinating_nothing, FR_MISUSE),
    SCENARIO(loading, FR_OK),
    SCENARIO(resuming, FR_OK),
    SCENARIO(resuming_a_dropped_table, FR_OK),
    SCENARIO(another_request, FR_OK),
    QUIET_SCENARIO(another_request_that_fails, FR_ERROR),
    SCENARIO(asking_for_a_cell, FR_OK),
    QUIET_SCENARIO(asking_for_a_cell_that_is_not_there, FR_RANGE),
    SCENARIO(source_with_too_small_a_struct, FR_RANGE),
    SCENARIO(setting_an_object, FR_OK),
    SCENARIO(cell_of_nothing, FR_MISUSE),
    SCENARIO(entity_list_without_an_entity, FR_MISUSE),
    SCENARIO(taking_a_store, FR_OK),
    SCENARIO(request_that_passes_its_failure, FR_MISUSE),
    SCENARIO(request_with_a_status_of_its_own, 4711),
    SCENARIO(giving_a_store_back, FR_OK),
    SCENARIO(adding_an_item_that_violates, FR_CONSTRAINT),
    SCENARIO(deleting_an_item, FR_OK),
    SCENARIO(deleting_an_item_in_vain, FR_SQL),
    SCENARIO(deleting_with_a_status_of_its_own, FR_BUSY),
    SCENARIO(freeing_after_a_failure, FR_CONSTRAINT),
};

/* All that a scenario reports. */
static const char *report(size_t scenario, struct text *text)
{
    struct world world;
    fr_status status;
    bool agrees;
    open_world(&world);
    disturbed = 0;
    status = scenarios[scenario].run(&world);
    text_free(text);
    text_add(text, "%d %d: %s, %d, %s", (int)status, (int)fr_error_status(), fr_error_message(),
             (int)fr_error_sqlite_code(), fr_error_sql() == NULL ? "no SQL" : fr_error_sql());
    agrees = check_status(status, scenarios[scenario].status, scenarios[scenario].name, __FILE__, __LINE__);
    CHECK(agrees);
    if (scenarios[scenario].disturbs) {
        CHECK(disturbed > 0);
    }
    close_world(&world);
    return text_get(text);
}

static void last_error_is_that_of_the_outermost_call(void)
{
    struct text quiet = {NULL, 0, 0}, loud = {NULL, 0, 0};
    size_t scenario;
    int mode, step = step_of_cases(DISTURBANCES - SUCCESS);
    elsewhere = store_with("");
    for (scenario = 0; scenario < sizeof scenarios / sizeof *scenarios; scenario++) {
        int before = failures();
        disturbance = NOTHING;
        report(scenario, &quiet);
        for (mode = SUCCESS + (int)scenario % step; mode < DISTURBANCES; mode += step) {
            disturbance = (enum disturbance)mode;
            CHECK_TEXT(report(scenario, &loud), text_get(&quiet));
        }
        if (failures() != before) {
            fail(__FILE__, __LINE__, "this was %s", scenarios[scenario].name);
        }
    }
    text_free(&quiet);
    text_free(&loud);
    CHECK_OK(fr_store_close(elsewhere));
}

/* A failure of the program's own names the function. */
static void own_status_has_a_message(void)
{
    struct world world;
    elsewhere = store_with("");
    disturbance = NOTHING;
    open_world(&world);
    CHECK_STATUS(transaction_with_a_status_of_its_own(&world), 12345);
    CHECK_TEXT(fr_error_message(), "the function of the transaction returned FR_UNKNOWN");
    CHECK_TEXT(fr_error_sql(), NULL);
    CHECK_STATUS(transaction_after_an_earlier_failure(&world), FR_CONSTRAINT);
    CHECK_TEXT(fr_error_message(), "the function of the transaction returned FR_CONSTRAINT");
    CHECK_STATUS(transaction_that_passes_its_failure(&world), FR_CONSTRAINT);
    CHECK(strstr(fr_error_message(), "t.name") != NULL);
    CHECK_TEXT(fr_error_sql(), "INSERT INTO t VALUES (6, 'a', 'z', NULL)");
    CHECK_STATUS(deleting_with_a_status_of_its_own(&world), FR_BUSY);
    CHECK_TEXT(fr_error_message(), "delete_item of the entity returned FR_BUSY");
    close_world(&world);
    CHECK_OK(fr_store_close(elsewhere));
}

TESTS(last_error_tests) = {
    TEST(last_error_is_that_of_the_outermost_call),
    TEST(own_status_has_a_message),
    END_OF_TESTS,
};
