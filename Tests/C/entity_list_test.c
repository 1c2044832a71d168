/* Entity lists: the defaults, and the replacement of each. */
#include <string.h>

#include "fixture.h"
#include "test.h"
#include "view_log.h"

#define SCHEMA \
    "CREATE TABLE t(id INTEGER PRIMARY KEY, name NOT NULL DEFAULT 'untitled', done INT);" \
    "INSERT INTO t (name, done) VALUES ('Bake bread', 0), ('Buy milk', 1);"

static fr_entity_list *entity_list(struct view_log *log)
{
    return log->other;
}

static const fr_sort by_name = {"name", FR_ASCENDING, NULL};

static fr_entity tasks(void)
{
    fr_entity entity;
    memset(&entity, 0, sizeof entity);
    entity.struct_size = sizeof entity;
    entity.entity = "t";
    entity.sorts = &by_name;
    entity.sort_count = 1;
    return entity;
}

/* An entity list with a view, and a store that is not set yet. */
static void stage(struct view_log *log, const fr_entity *entity, const fr_cells *cells)
{
    fr_view view = logging_view();
    fr_entity_list *list = NULL;
    memset(log, 0, sizeof *log);
    log->store = store_with(SCHEMA);
    if (cells != NULL) {
        view.reload_rows = NULL;
    }
    CHECK_OK(fr_entity_list_new(&list, entity, &view, cells, log, view_log_destroy));
    log->other = list;
}

static void leave(struct view_log *log)
{
    fr_entity_list_free(entity_list(log));
    CHECK_INT(log->destroyed, 1);
    CHECK_OK(fr_store_close(log->store));
    text_free(&log->text);
}

static void an_entity_and_an_order_are_enough(void)
{
    fr_entity entity = tasks();
    fr_entity_list *list = NULL;
    fr_store *store = store_with(SCHEMA);
    fr_data_source *source = NULL;
    fr_list *controller = NULL;
    fr_coordinator *coordinator = NULL;
    int64_t count = -1;
    bool is;
    CHECK_OK(fr_entity_list_new(&list, &entity, NULL, NULL, NULL, NULL));
    CHECK_OK(fr_entity_list_data_source(&source, list));
    CHECK_OK(fr_entity_list_coordinator(&coordinator, list));
    CHECK_OK(fr_data_source_section_count(&count, source));
    CHECK_INT(count, 1);
    CHECK_STATUS(fr_entity_list_list(&controller, list), FR_NOT_FOUND);
    CHECK_STATUS(fr_coordinator_is_loaded(&is, coordinator), FR_NOT_FETCHED);
    CHECK_STATUS(fr_coordinator_load_data(coordinator, true), FR_NOT_FETCHED);
    CHECK_STATUS(fr_coordinator_set_paused(coordinator, true), FR_NOT_FETCHED);
    CHECK_STATUS(fr_entity_list_add_item(NULL, list, NULL, NULL, 0), FR_MISUSE);
    CHECK_STATUS(fr_entity_list_delete_item(list, path_at(0, 0)), FR_MISUSE);
    CHECK_OK(fr_entity_list_set_store(list, store));
    CHECK_OK(fr_data_source_row_count(&count, source, 0));
    CHECK_INT(count, 2);
    CHECK_OK(fr_entity_list_list(&controller, list));
    CHECK_LIST(controller, "1 2");
    CHECK_OK(fr_coordinator_is_loaded(&is, coordinator));
    CHECK(is);
    fr_entity_list_free(list);
    CHECK_STATUS(fr_data_source_row_count(&count, source, 0), FR_MISUSE);
    CHECK_STATUS(fr_coordinator_is_loaded(&is, coordinator), FR_MISUSE);
    CHECK_STATUS(fr_list_count(&count, controller), FR_MISUSE);
    CHECK_OK(fr_store_close(store));
}

static void setting_the_store_fetches_and_reloads(void)
{
    fr_entity entity = tasks();
    struct view_log log;
    fr_store *other;
    fr_list *controller = NULL;
    stage(&log, &entity, NULL);
    CHECK_VIEW(&log, "");
    CHECK_OK(fr_entity_list_set_store(entity_list(&log), log.store));
    CHECK_VIEW(&log, "reload n2");
    run(log.store, "BEGIN; DELETE FROM t WHERE id = 1; INSERT INTO t (name) VALUES ('Answer mail'), ('Cook');"
                   "UPDATE t SET name = 'Zip' WHERE id = 2; COMMIT");
    CHECK_VIEW(&log, "[ -0.0 +0.0 +0.1 r0.1>0.2 ] n3");
    other = store_with(SCHEMA "DELETE FROM t");
    CHECK_OK(fr_entity_list_set_store(entity_list(&log), other));
    CHECK_VIEW(&log, "reload n0");
    run(log.store, "DELETE FROM t");
    CHECK_VIEW(&log, "");
    CHECK_OK(fr_entity_list_set_store(entity_list(&log), NULL));
    CHECK_VIEW(&log, "reload");
    CHECK_STATUS(fr_entity_list_list(&controller, entity_list(&log)), FR_NOT_FOUND);
    run(other, "INSERT INTO t (name) VALUES ('x')");
    CHECK_VIEW(&log, "");
    CHECK_OK(fr_store_close(other));
    leave(&log);
}

static void adding_and_deleting(void)
{
    static const char *const columns[] = {"name"};
    fr_entity entity = tasks();
    fr_value name = fr_text("Call home");
    struct view_log log;
    fr_list *controller = NULL;
    fr_object *item = NULL;
    stage(&log, &entity, NULL);
    CHECK_OK(fr_entity_list_set_store(entity_list(&log), log.store));
    CHECK_OK(fr_entity_list_list(&controller, entity_list(&log)));
    CHECK_OK(fr_entity_list_add_item(&item, entity_list(&log), NULL, NULL, 0));
    CHECK_TEXT(object_text(item, "name"), "untitled");
    fr_object_unref(item);
    CHECK_OK(fr_entity_list_add_item(NULL, entity_list(&log), columns, &name, 1));
    CHECK_CONTENTS(controller, "1(1, Bake bread, 0) 2(2, Buy milk, 1) 4(4, Call home, NULL) 3(3, untitled, NULL)");
    CHECK_OK(fr_entity_list_delete_item(entity_list(&log), path_at(0, 1)));
    CHECK_LIST(controller, "1 4 3");
    CHECK_STATUS(fr_entity_list_delete_item(entity_list(&log), path_at(0, 3)), FR_RANGE);
    CHECK_STATUS(fr_entity_list_delete_item(entity_list(&log), path_at(INT64_MAX, 0)), FR_RANGE);
    CHECK_STATUS(fr_entity_list_add_item(NULL, entity_list(&log), NULL, &name, 1), FR_MISUSE);
    CHECK_STATUS(fr_entity_list_add_item(NULL, entity_list(&log), columns, &name, SIZE_MAX), FR_RANGE);
    name = fr_null();
    CHECK_STATUS(fr_entity_list_add_item(NULL, entity_list(&log), columns, &name, 1), FR_CONSTRAINT);
    leave(&log);
}

/* Every default replaced. */

static fr_status failing = FR_OK;

static fr_status prepare_request(fr_request *request, void *user_data)
{
    CHECK_INT(((struct view_log *)user_data)->destroyed, 0);
    CHECK_OK(fr_request_set_predicate(request, "done", NULL, 0));
    return failing;
}

static fr_status make_list(fr_list **out, fr_store *store, fr_request *request, void *user_data)
{
    fr_list *child = NULL;
    (void)user_data;
    CHECK_OK(fr_collection_new(out));
    CHECK_OK(fr_controller_new(&child, store, request));
    CHECK_OK(fr_collection_insert(*out, -1, child, NULL));
    fr_list_free(child);
    return FR_OK;
}

static fr_status add_item(fr_object **out, fr_store *store, const char *const *columns, const fr_value *values,
                          size_t count, void *user_data)
{
    static const char *const both[] = {"name", "done"};
    fr_value given[2];
    (void)columns;
    (void)user_data;
    CHECK_INT(count, 1);
    given[0] = values[0];
    given[1] = fr_integer(1);
    return fr_store_insert(out, store, "t", both, given, 2);
}

static fr_status delete_item(fr_store *store, fr_object *item, void *user_data)
{
    fr_value id = fr_null();
    (void)user_data;
    CHECK_OK(fr_object_identity(&id, item, 0));
    if (failing != FR_OK) {
        return failing;
    }
    return fr_store_execute(store, "UPDATE t SET done = 0 WHERE id = ?", &id, 1);
}

static void each_default_can_be_replaced(void)
{
    static const char *const columns[] = {"name"};
    fr_entity entity = tasks();
    fr_value name = fr_text("Zip");
    struct view_log log;
    fr_list *controller = NULL;
    fr_object *item = NULL;
    int64_t children = 0;
    entity.batch_size = 7;
    entity.view_flags = FR_VIEW_NO_ROW_MOVES;
    entity.prepare_request = prepare_request;
    entity.make_list = make_list;
    entity.add_item = add_item;
    entity.delete_item = delete_item;
    stage(&log, &entity, NULL);
    CHECK_OK(fr_entity_list_set_store(entity_list(&log), log.store));
    CHECK_OK(fr_entity_list_list(&controller, entity_list(&log)));
    CHECK_OK(fr_collection_child_count(&children, controller));
    CHECK_LIST(controller, "2");
    CHECK_OK(fr_entity_list_add_item(&item, entity_list(&log), columns, &name, 1));
    fr_object_unref(item);
    CHECK_LIST(controller, "2 3");
    run(log.store, "UPDATE t SET name = 'A' WHERE id = 3");
    CHECK_OK(fr_entity_list_delete_item(entity_list(&log), path_at(0, 0)));
    CHECK_VIEW(&log, "reload n1 [ +0.1 ] n2 [ -0.1 +0.0 ] [ -0.0 ] n1");
    leave(&log);
}

static void failures_of_replaced_functions_are_passed_on(void)
{
    fr_entity entity = tasks();
    struct view_log log;
    fr_list *controller = NULL;
    entity.prepare_request = prepare_request;
    entity.delete_item = delete_item;
    stage(&log, &entity, NULL);
    failing = FR_CANCELLED;
    CHECK_STATUS(fr_entity_list_set_store(entity_list(&log), log.store), FR_CANCELLED);
    CHECK_STATUS(fr_entity_list_list(&controller, entity_list(&log)), FR_NOT_FOUND);
    failing = FR_OK;
    CHECK_OK(fr_entity_list_set_store(entity_list(&log), log.store));
    failing = 12345;
    CHECK_STATUS(fr_entity_list_delete_item(entity_list(&log), path_at(0, 0)), 12345);
    failing = FR_OK;
    leave(&log);
}

static fr_status make_nothing(fr_list **out, fr_store *store, fr_request *request, void *user_data)
{
    (void)out;
    (void)store;
    (void)request;
    (void)user_data;
    return FR_OK;
}

static fr_status add_nothing(fr_object **out, fr_store *store, const char *const *columns, const fr_value *values,
                             size_t count, void *user_data)
{
    (void)out;
    (void)store;
    (void)columns;
    (void)values;
    (void)count;
    (void)user_data;
    return FR_OK;
}

static void a_replaced_function_that_makes_no_list(void)
{
    fr_entity entity = tasks();
    struct view_log log;
    entity.make_list = make_nothing;
    stage(&log, &entity, NULL);
    CHECK_STATUS(fr_entity_list_set_store(entity_list(&log), log.store), FR_MISUSE);
    leave(&log);
}

/* Edits that are sent elsewhere. */

static fr_status send_deletion(fr_store *store, fr_object *item, void *user_data)
{
    (void)store;
    return fr_entity_list_set_pending(entity_list((struct view_log *)user_data), item, true);
}

/* Whether the row at a place waits. */
static bool is_pending(struct view_log *log, int64_t row)
{
    fr_list *list = NULL;
    fr_object *item = NULL;
    bool is_pending = false;
    CHECK_OK(fr_entity_list_list(&list, entity_list(log)));
    CHECK_OK(fr_list_object_at(&item, list, path_at(0, row)));
    CHECK_OK(fr_entity_list_is_pending(&is_pending, entity_list(log), item));
    fr_object_unref(item);
    return is_pending;
}

static void edits_that_are_sent_elsewhere_are_pending(void)
{
    fr_entity entity = tasks();
    struct view_log log;
    fr_list *list = NULL;
    fr_object *bread = NULL, *added = NULL;
    bool out = false;
    entity.add_item = add_nothing;
    entity.delete_item = send_deletion;
    stage(&log, &entity, NULL);
    CHECK_OK(fr_entity_list_set_store(entity_list(&log), log.store));
    CHECK_OK(fr_entity_list_list(&list, entity_list(&log)));
    CHECK_OK(fr_list_object_at(&bread, list, path_at(0, 0)));
    CHECK_OK(fr_entity_list_add_item(&added, entity_list(&log), NULL, NULL, 0));
    CHECK(added == NULL);
    CHECK_OK(fr_entity_list_delete_item(entity_list(&log), path_at(0, 0)));
    CHECK_OK(fr_entity_list_delete_item(entity_list(&log), path_at(0, 1)));
    CHECK_LIST(list, "1 2");
    CHECK(is_pending(&log, 0) && is_pending(&log, 1));
    /* One is refused, one arrives with the list; a row that returns does not wait. */
    CHECK_OK(fr_entity_list_set_pending(entity_list(&log), bread, false));
    run(log.store, "DELETE FROM t WHERE id = 2");
    run(log.store, "INSERT INTO t (id, name, done) VALUES (2, 'Buy milk', 1)");
    CHECK_LIST(list, "1 2");
    CHECK(!is_pending(&log, 0) && !is_pending(&log, 1));
    CHECK_OK(fr_entity_list_set_pending(entity_list(&log), bread, true));
    run(log.store, "UPDATE t SET name = 'Bake a cake' WHERE id = 1");
    CHECK(!is_pending(&log, 0));
    CHECK_STATUS(fr_entity_list_set_pending(entity_list(&log), NULL, true), FR_MISUSE);
    CHECK_STATUS(fr_entity_list_is_pending(&out, entity_list(&log), NULL), FR_MISUSE);
    CHECK_STATUS(fr_entity_list_is_pending(NULL, entity_list(&log), bread), FR_MISUSE);
    CHECK_OK(fr_entity_list_set_store(entity_list(&log), NULL));
    CHECK_STATUS(fr_entity_list_set_pending(entity_list(&log), bread, true), FR_MISUSE);
    CHECK_OK(fr_entity_list_set_pending(entity_list(&log), bread, false));
    fr_object_unref(bread);
    leave(&log);
}

/* Cells. */

static fr_cell *own_cell;

static void *dequeue(const char *identifier, fr_index_path path, void *user_data)
{
    struct view_log *log = user_data;
    (void)path;
    text_add(&log->text, "%s ", identifier);
    return own_cell;
}

static void *visible_cell(fr_index_path path, void *user_data)
{
    (void)user_data;
    return path.row == 0 ? own_cell : NULL;
}

static void cells_configure_themselves_and_are_kept_up_to_date(void)
{
    static const char *const columns[] = {"name"};
    fr_entity entity = tasks();
    struct view_log log;
    fr_cells cells;
    fr_data_source *source = NULL;
    void *cell = NULL;
    const char *text = NULL;
    memset(&cells, 0, sizeof cells);
    cells.struct_size = sizeof cells;
    cells.dequeue = dequeue;
    cells.visible_cell = visible_cell;
    entity.reuse_identifier = "taskCell";
    CHECK_OK(fr_cell_new(&own_cell, columns, 1, NULL, NULL, NULL));
    stage(&log, &entity, &cells);
    CHECK_OK(fr_entity_list_set_store(entity_list(&log), log.store));
    CHECK_OK(fr_entity_list_data_source(&source, entity_list(&log)));
    CHECK_OK(fr_data_source_cell(&cell, source, path_at(0, 0)));
    CHECK(cell == own_cell);
    CHECK_OK(fr_cell_text(&text, own_cell, 0));
    CHECK_TEXT(text, "Bake bread");
    run(log.store, "UPDATE t SET name = 'Bake cake' WHERE id = 1; UPDATE t SET done = 0 WHERE id = 2");
    CHECK_OK(fr_cell_text(&text, own_cell, 0));
    CHECK_TEXT(text, "Bake cake");
    CHECK_VIEW(&log, "reload n2 taskCell");
    leave(&log);
    fr_cell_free(own_cell);
}

static void free_inside(struct view_log *log)
{
    fr_entity_list_free(entity_list(log));
    CHECK_INT(log->destroyed, 0);
}

static void freeing_it_inside_its_callbacks(void)
{
    static const char *const moments[] = {"reload", "count_changed", "begin", "row_deletes", "end"};
    size_t index;
    for (index = 0; index < sizeof moments / sizeof *moments; index++) {
        fr_entity entity = tasks();
        struct view_log log;
        stage(&log, &entity, NULL);
        log.moment = moments[index];
        log.act = free_inside;
        CHECK_OK(fr_entity_list_set_store(entity_list(&log), log.store));
        run(log.store, "DELETE FROM t WHERE id = 1");
        CHECK(log.act == NULL);
        CHECK_INT(log.destroyed, 1);
        CHECK(strcmp(moments[index], "reload") != 0 || strcmp(view_log_take(&log), "reload") == 0);
        run(log.store, "DELETE FROM t");
        leave(&log);
    }
}

static void take_no_store(struct view_log *log)
{
    CHECK_OK(fr_entity_list_set_store(entity_list(log), NULL));
}

static void taking_another_store_inside_a_callback(void)
{
    fr_entity entity = tasks();
    struct view_log log;
    stage(&log, &entity, NULL);
    log.moment = "begin";
    log.act = take_no_store;
    CHECK_OK(fr_entity_list_set_store(entity_list(&log), log.store));
    run(log.store, "DELETE FROM t WHERE id = 1");
    CHECK_VIEW(&log, "reload n2 [ reload");
    run(log.store, "DELETE FROM t");
    CHECK_VIEW(&log, "");
    leave(&log);
}

static void bad_handles_and_entities(void)
{
    fr_entity entity = tasks();
    fr_sort wrong = {"name", 77, NULL};
    fr_view view = logging_view();
    fr_cells cells;
    struct view_log log;
    fr_entity_list *list = NULL;
    fr_store *store = store_with(SCHEMA);
    fr_list *controller = NULL;
    fr_coordinator *coordinator = NULL;
    fr_data_source *source = NULL;
    void *handles[3];
    size_t index;
    memset(&log, 0, sizeof log);
    memset(&cells, 0, sizeof cells);
    CHECK_STATUS(fr_entity_list_new(NULL, &entity, NULL, NULL, &log, view_log_destroy), FR_MISUSE);
    CHECK_STATUS(fr_entity_list_new(&list, NULL, NULL, NULL, &log, view_log_destroy), FR_MISUSE);
    CHECK_STATUS(fr_entity_list_new(&list, &entity, NULL, &cells, &log, view_log_destroy), FR_RANGE);
    view.struct_size = 1;
    CHECK_STATUS(fr_entity_list_new(&list, &entity, &view, NULL, &log, view_log_destroy), FR_RANGE);
    entity.view_flags = 64;
    CHECK_STATUS(fr_entity_list_new(&list, &entity, NULL, NULL, &log, view_log_destroy), FR_RANGE);
    entity = tasks();
    entity.entity = NULL;
    CHECK_STATUS(fr_entity_list_new(&list, &entity, NULL, NULL, &log, view_log_destroy), FR_MISUSE);
    entity.entity = "\xff";
    CHECK_STATUS(fr_entity_list_new(&list, &entity, NULL, NULL, &log, view_log_destroy), FR_INVALID_UTF8);
    entity = tasks();
    entity.sorts = &wrong;
    CHECK_STATUS(fr_entity_list_new(&list, &entity, NULL, NULL, &log, view_log_destroy), FR_RANGE);
    entity.sorts = NULL;
    CHECK_STATUS(fr_entity_list_new(&list, &entity, NULL, NULL, &log, view_log_destroy), FR_MISUSE);
    entity.sort_count = SIZE_MAX;
    CHECK_STATUS(fr_entity_list_new(&list, &entity, NULL, NULL, &log, view_log_destroy), FR_RANGE);
    entity = tasks();
    entity.batch_size = -1;
    CHECK_STATUS(fr_entity_list_new(&list, &entity, NULL, NULL, &log, view_log_destroy), FR_RANGE);
    entity = tasks();
    entity.reuse_identifier = "\xff";
    CHECK_STATUS(fr_entity_list_new(&list, &entity, NULL, NULL, &log, view_log_destroy), FR_INVALID_UTF8);
    entity = tasks();
    entity.struct_size = 8;
    CHECK_STATUS(fr_entity_list_new(&list, &entity, NULL, NULL, &log, view_log_destroy), FR_RANGE);
    CHECK_INT(log.destroyed, 13);
    CHECK(list == NULL);

    entity = tasks();
    CHECK_OK(fr_entity_list_new(&list, &entity, NULL, NULL, NULL, NULL));
    CHECK_STATUS(fr_entity_list_list(NULL, list), FR_MISUSE);
    CHECK_STATUS(fr_entity_list_coordinator(NULL, list), FR_MISUSE);
    CHECK_STATUS(fr_entity_list_data_source(NULL, list), FR_MISUSE);
    CHECK_STATUS(fr_entity_list_set_store(list, (fr_store *)(void *)list), FR_MISUSE);
    fr_entity_list_free(list);
    handles[0] = NULL;
    handles[1] = list;
    handles[2] = store;
    for (index = 0; index < 3; index++) {
        fr_entity_list *bad = handles[index];
        CHECK_STATUS(fr_entity_list_set_store(bad, store), FR_MISUSE);
        CHECK_STATUS(fr_entity_list_list(&controller, bad), FR_MISUSE);
        CHECK_STATUS(fr_entity_list_coordinator(&coordinator, bad), FR_MISUSE);
        CHECK_STATUS(fr_entity_list_data_source(&source, bad), FR_MISUSE);
        CHECK_STATUS(fr_entity_list_add_item(NULL, bad, NULL, NULL, 0), FR_MISUSE);
        CHECK_STATUS(fr_entity_list_delete_item(bad, path_at(0, 0)), FR_MISUSE);
        fr_entity_list_free(bad);
    }
    CHECK(controller == NULL && coordinator == NULL && source == NULL);
    CHECK_OK(fr_store_close(store));
}

TESTS(entity_list_tests) = {
    TEST(an_entity_and_an_order_are_enough),
    TEST(setting_the_store_fetches_and_reloads),
    TEST(adding_and_deleting),
    TEST(each_default_can_be_replaced),
    TEST(failures_of_replaced_functions_are_passed_on),
    TEST(a_replaced_function_that_makes_no_list),
    TEST(edits_that_are_sent_elsewhere_are_pending),
    TEST(cells_configure_themselves_and_are_kept_up_to_date),
    TEST(freeing_it_inside_its_callbacks),
    TEST(taking_another_store_inside_a_callback),
    TEST(bad_handles_and_entities),
    END_OF_TESTS,
};
