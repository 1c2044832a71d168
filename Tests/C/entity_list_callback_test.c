/*
 * The functions of an entity list act: they free it, set another store or none, close the store, or
 * free what it lent. Nothing crashes, and afterwards it shows what was requested last.
 */
#include <string.h>

#include "fixture.h"
#include "test.h"
#include "view_log.h"

#define SCHEMA \
    "CREATE TABLE t(id INTEGER PRIMARY KEY, name NOT NULL DEFAULT 'untitled');" \
    "INSERT INTO t (name) VALUES ('a'), ('b'), ('c');"
#define OTHER_SCHEMA "CREATE TABLE t(id INTEGER PRIMARY KEY, name); INSERT INTO t (name) VALUES ('z');"

static fr_store *other_store;

static fr_entity_list *entity_list(struct view_log *log)
{
    return log->other;
}

/* The functions of the entity and of its cells act like those of the view. */
static void acted(struct view_log *log, const char *moment)
{
    void (*act)(struct view_log *) = log->act;
    if (act != NULL && strcmp(log->moment, moment) == 0) {
        log->act = NULL;
        act(log);
    }
}

static fr_status prepare_request(fr_request *request, void *user_data)
{
    (void)request;
    acted(user_data, "prepare_request");
    return FR_OK;
}

static fr_status make_list(fr_list **out, fr_store *store, fr_request *request, void *user_data)
{
    acted(user_data, "make_list");
    return fr_controller_new(out, store, request);
}

static fr_status add_item(fr_object **out, fr_store *store, const char *const *columns, const fr_value *values,
                          size_t count, void *user_data)
{
    acted(user_data, "add_item");
    return fr_store_insert(out, store, "t", columns, values, count);
}

static fr_status delete_item(fr_store *store, fr_object *item, void *user_data)
{
    fr_value id;
    acted(user_data, "delete_item");
    return fr_object_identity(&id, item, 0) == FR_OK ? fr_store_delete(store, "t", &id, 1) : FR_MISUSE;
}

static void *dequeue(const char *identifier, fr_index_path path, void *user_data)
{
    (void)identifier;
    (void)path;
    acted(user_data, "dequeue");
    return user_data;
}

static void configure(void *cell, fr_object *object, fr_index_path path, void *user_data)
{
    (void)cell;
    (void)object;
    (void)path;
    acted(user_data, "configure");
}

static void stage(struct view_log *log, const char *moment, void (*act)(struct view_log *))
{
    static const fr_sort by_name = {"name", FR_ASCENDING, NULL};
    fr_view view = logging_view();
    fr_entity_list *list = NULL;
    fr_entity entity;
    fr_cells cells;
    memset(&entity, 0, sizeof entity);
    entity.struct_size = sizeof entity;
    entity.entity = "t";
    entity.sorts = &by_name;
    entity.sort_count = 1;
    entity.prepare_request = prepare_request;
    entity.make_list = make_list;
    entity.add_item = add_item;
    entity.delete_item = delete_item;
    memset(&cells, 0, sizeof cells);
    cells.struct_size = sizeof cells;
    cells.dequeue = dequeue;
    cells.configure = configure;
    memset(log, 0, sizeof *log);
    log->store = store_with(SCHEMA);
    other_store = store_with(OTHER_SCHEMA);
    CHECK_OK(fr_entity_list_new(&list, &entity, &view, &cells, log, view_log_destroy));
    log->other = list;
    log->moment = moment;
    log->act = act;
}

static void leave(struct view_log *log)
{
    fr_entity_list_free(entity_list(log));
    CHECK_INT(log->destroyed, 1);
    if (log->store != NULL) {
        CHECK_OK(fr_store_close(log->store));
    }
    CHECK_OK(fr_store_close(other_store));
    text_free(&log->text);
}

/* Calls every function, whatever the result. */
static void call_all(struct view_log *log)
{
    fr_data_source *source = NULL;
    void *cell = NULL;
    fr_entity_list_set_store(entity_list(log), log->store);
    if (fr_entity_list_data_source(&source, entity_list(log)) == FR_OK) {
        fr_data_source_cell(&cell, source, path_at(0, 0));
    }
    fr_entity_list_add_item(NULL, entity_list(log), NULL, NULL, 0);
    fr_entity_list_delete_item(entity_list(log), path_at(0, 0));
    if (log->store != NULL) {
        fr_store_execute_script(log->store,
                                "BEGIN; UPDATE t SET name = 'x' WHERE id = 2;"
                                "UPDATE t SET name = 'cc' WHERE id = 3; INSERT INTO t (name) VALUES ('m'); COMMIT");
    }
}

static const char *const moments[] = {"prepare_request", "make_list",   "reload",      "count_changed", "dequeue",
                                      "configure",       "add_item",    "row_inserts", "begin",         "end",
                                      "delete_item",     "row_deletes", "row_moves",   "row_reloads"};

#define EACH_MOMENT(moment) for (moment = moments; moment < moments + sizeof moments / sizeof *moments; moment++)

static void free_inside(struct view_log *log)
{
    fr_entity_list_free(entity_list(log));
    CHECK_INT(log->destroyed, 0);
}

static void freeing_it_ends_it_there(void)
{
    const char *const *moment;
    EACH_MOMENT(moment)
    {
        struct view_log log;
        stage(&log, *moment, free_inside);
        call_all(&log);
        CHECK(log.act == NULL);
        CHECK_INT(log.destroyed, 1);
        view_log_take(&log);
        run(log.store, "DELETE FROM t");
        CHECK_VIEW(&log, "");
        leave(&log);
    }
}

static void close_inside(struct view_log *log)
{
    CHECK_OK(fr_store_close(log->store));
    log->store = NULL;
}

static void closing_the_store_leaves_an_empty_list(void)
{
    const char *const *moment;
    EACH_MOMENT(moment)
    {
        struct view_log log;
        fr_data_source *source = NULL;
        int64_t count = -1;
        stage(&log, *moment, close_inside);
        call_all(&log);
        CHECK(log.act == NULL);
        CHECK_OK(fr_entity_list_data_source(&source, entity_list(&log)));
        CHECK_OK(fr_data_source_row_count(&count, source, 0));
        CHECK_INT(count, 0);
        /* It continues with another store. */
        view_log_take(&log);
        CHECK_OK(fr_entity_list_set_store(entity_list(&log), other_store));
        CHECK(strncmp(view_log_take(&log), "reload", 6) == 0);
        run(other_store, "DELETE FROM t");
        CHECK_VIEW(&log, "[ -0.0 ] n0");
        leave(&log);
    }
}

static void take_other_store(struct view_log *log)
{
    CHECK_OK(fr_entity_list_set_store(entity_list(log), other_store));
}

/*
 * Except for the function that makes a list for a store: that list is requested last, though its
 * call began first.
 */
static void taking_another_store(void)
{
    const char *const *moment;
    EACH_MOMENT(moment)
    {
        struct view_log log;
        fr_list *list = NULL;
        bool is_making = strcmp(*moment, "prepare_request") == 0 || strcmp(*moment, "make_list") == 0;
        stage(&log, *moment, take_other_store);
        call_all(&log);
        CHECK(log.act == NULL);
        view_log_take(&log);
        CHECK_OK(fr_entity_list_list(&list, entity_list(&log)));
        run(is_making ? log.store : other_store, "INSERT INTO t (name) VALUES ('new'); DELETE FROM t");
        CHECK_LIST(list, "");
        CHECK(strstr(view_log_take(&log), "[ +0.") != NULL);
        run(is_making ? other_store : log.store, "INSERT INTO t (name) VALUES ('new')");
        CHECK_VIEW(&log, "");
        CHECK_OK(fr_entity_list_add_item(NULL, entity_list(&log), NULL, NULL, 0));
        CHECK_VIEW(&log, "[ +0.0 ] n1");
        leave(&log);
    }
}

static void take_no_store(struct view_log *log)
{
    CHECK_OK(fr_entity_list_set_store(entity_list(log), NULL));
}

static void taking_no_store(void)
{
    const char *const *moment;
    EACH_MOMENT(moment)
    {
        struct view_log log;
        fr_list *list = NULL;
        bool is_making = strcmp(*moment, "prepare_request") == 0 || strcmp(*moment, "make_list") == 0;
        stage(&log, *moment, take_no_store);
        call_all(&log);
        CHECK(log.act == NULL);
        view_log_take(&log);
        CHECK_STATUS(fr_entity_list_list(&list, entity_list(&log)), is_making ? FR_OK : FR_NOT_FOUND);
        run(log.store, "DELETE FROM t");
        CHECK(is_making || strcmp(view_log_take(&log), "") == 0);
        leave(&log);
    }
}

/* If a list can't be made, the store that the call inside set remains. */

static fr_status fail_after_taking(fr_request *request, void *user_data)
{
    struct view_log *log = user_data;
    (void)request;
    if (log->act != NULL) {
        log->act = NULL;
        take_other_store(log);
        return FR_CANCELLED;
    }
    return FR_OK;
}

static void a_list_that_fails_after_another_store_was_taken(void)
{
    static const fr_sort by_name = {"name", FR_ASCENDING, NULL};
    fr_entity entity;
    struct view_log log;
    fr_list *list = NULL;
    fr_view view = logging_view();
    fr_entity_list *made = NULL;
    stage(&log, "", NULL);
    fr_entity_list_free(entity_list(&log));
    CHECK_INT(log.destroyed, 1);
    log.destroyed = 0;
    memset(&entity, 0, sizeof entity);
    entity.struct_size = sizeof entity;
    entity.entity = "t";
    entity.sorts = &by_name;
    entity.sort_count = 1;
    entity.prepare_request = fail_after_taking;
    CHECK_OK(fr_entity_list_new(&made, &entity, &view, NULL, &log, view_log_destroy));
    log.other = made;
    log.act = take_other_store;
    CHECK_STATUS(fr_entity_list_set_store(made, log.store), FR_CANCELLED);
    CHECK_VIEW(&log, "reload n1");
    CHECK_OK(fr_entity_list_list(&list, made));
    CHECK_LIST(list, "1");
    CHECK_OK(fr_entity_list_add_item(NULL, made, NULL, NULL, 0));
    CHECK_LIST(list, "2 1");
    leave(&log);
}

/* A program must not free what it lent; if it does, that part ends. */
static void freeing_what_it_lent(void)
{
    struct view_log log;
    fr_list *list = NULL;
    fr_coordinator *coordinator = NULL;
    fr_data_source *source = NULL;
    int64_t count = -1;
    stage(&log, "", NULL);
    CHECK_OK(fr_entity_list_set_store(entity_list(&log), log.store));
    CHECK_VIEW(&log, "reload n3");
    CHECK_OK(fr_entity_list_list(&list, entity_list(&log)));
    CHECK_OK(fr_entity_list_coordinator(&coordinator, entity_list(&log)));
    CHECK_OK(fr_entity_list_data_source(&source, entity_list(&log)));
    fr_data_source_free(source);
    CHECK_STATUS(fr_data_source_row_count(&count, source, 0), FR_MISUSE);
    fr_list_free(list);
    CHECK_STATUS(fr_list_count(&count, list), FR_MISUSE);
    fr_coordinator_free(coordinator);
    CHECK_STATUS(fr_coordinator_load_data(coordinator, true), FR_MISUSE);
    run(log.store, "DELETE FROM t WHERE id = 1");
    CHECK_VIEW(&log, "");
    CHECK_OK(fr_entity_list_set_store(entity_list(&log), other_store));
    CHECK_VIEW(&log, "");
    leave(&log);
}

TESTS(entity_list_callback_tests) = {
    TEST(freeing_it_ends_it_there),
    TEST(closing_the_store_leaves_an_empty_list),
    TEST(taking_another_store),
    TEST(taking_no_store),
    TEST(a_list_that_fails_after_another_store_was_taken),
    TEST(freeing_what_it_lent),
    END_OF_TESTS,
};
