/* Random calls, valid and invalid ones. */
#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "handle_calls.h"

static void run_writer(void)
{
    struct text sql = {0};
    if (writer_holds_lock()) {
        if (one_in(2)) {
            text_add(&sql, "%s", ONE_OF("COMMIT", "COMMIT", "ROLLBACK"));
        } else {
            random_sql(&sql);
        }
    } else if (one_in(6)) {
        text_add(&sql,
                 "DROP TABLE IF EXISTS s; DROP TABLE IF EXISTS sk; DROP TABLE IF EXISTS sp; CREATE TEMP TABLE s AS "
                 "SELECT * FROM t; CREATE TEMP TABLE sk AS SELECT * FROM kinds; CREATE TEMP TABLE sp AS "
                 "SELECT * FROM pairs");
    } else if (one_in(4)) {
        text_add(&sql, "BEGIN IMMEDIATE; DELETE FROM t WHERE id NOT IN (SELECT id FROM s); INSERT OR REPLACE INTO t "
                       "SELECT * FROM (SELECT * FROM s EXCEPT SELECT * FROM t); DELETE FROM kinds; INSERT INTO kinds "
                       "SELECT * FROM sk; DELETE FROM pairs; INSERT INTO pairs SELECT * FROM sp; COMMIT");
    } else if (one_in(12)) {
        text_add(&sql, "BEGIN IMMEDIATE /* hold */; ");
        random_sql(&sql);
    } else if (one_in(25)) {
        text_add(&sql, "%s",
                 ONE_OF("PRAGMA wal_checkpoint(PASSIVE)", "PRAGMA wal_checkpoint(TRUNCATE)", "VACUUM",
                        "PRAGMA wal_checkpoint(RESTART)", "CREATE INDEX IF NOT EXISTS extra ON t(rank)",
                        "DROP INDEX IF EXISTS extra"));
    } else {
        int count = 1 + (int)below(3);
        bool is_transaction = one_in(3);
        if (is_transaction) text_add(&sql, "BEGIN; ");
        for (; count > 0; count--) {
            random_sql(&sql);
            text_add(&sql, "; ");
        }
        if (is_transaction) text_add(&sql, "COMMIT");
    }
    writer_run(text_get(&sql));
    text_free(&sql);
}

static void run_own(void)
{
    struct text sql = {0};
    struct sqlite3 *db = NULL;
    random_sql(&sql);
    note("own: %s", text_get(&sql));
    if (one_in(10) && DO(fr_store_sqlite(&db, world.store)) == FR_OK) {
        sqlite3_exec(db, text_get(&sql), NULL, NULL, NULL);
    } else if (one_in(5)) {
        text_add(&sql, "; ");
        random_sql(&sql);
        DO(fr_store_execute_script(world.store, text_get(&sql)));
    } else {
        DO(fr_store_execute(world.store, text_get(&sql), NULL, 0));
    }
    text_free(&sql);
}

static void run_typed(void)
{
    static const char *const columns[] = {"rank", "name"};
    fr_value identity = fr_integer(1 + (int64_t)below(6));
    fr_value values[] = {fr_integer((int64_t)below(4)), fr_text(ONE_OF("a", "b", NULL))};
    fr_object *object = NULL;
    note("typed");
    switch (below(4)) {
    case 0:
        DO(fr_store_update(world.store, "t", &identity, 1, columns, values, 1 + below(2)));
        break;
    case 1:
        DO(fr_store_delete(world.store, "t", &identity, 1));
        break;
    case 2:
        DO(fr_store_object(&object, world.store, "t", &identity, 1));
        break;
    default:
        DO(fr_store_insert(&object, world.store, "t", columns, values, 1 + below(2)));
    }
    fr_object_unref(object);
}

static void dispatch(void)
{
    fr_status status;
    fr_dispatch_result result = {0};
    long acts = world.acts;
    int index;
    result.struct_size = sizeof result;
    /* A statement that is half-way holds an old state. */
    for (index = 0; index < STATEMENTS; index++) {
        if (world.statements[index] != NULL) DO(fr_statement_reset(world.statements[index]));
    }
    note("dispatch");
    switch (below(4)) {
    case 0:
        status = DO(fr_store_dispatch_rounds(&result, world.store, (int32_t)below(3)));
        note("in rounds: %d, %d lists, complete %d", status, (int)result.changed_lists, result.is_complete);
        if (status == FR_OK && !result.is_complete) return;
        break;
    case 1:
        status = DO(fr_store_wait(world.store, 0));
        break;
    default:
        status = DO(fr_store_dispatch(world.store));
    }
    /* What was done in a callback may not be delivered yet. */
    if (status == FR_OK && acts == world.acts) check_lists(!writer_holds_lock());
}

static bool progress(int64_t rows, void *user_data)
{
    (void)rows;
    (void)user_data;
    return !one_in(5);
}

static void completion(fr_list *list, const fr_error *error, void *user_data)
{
    (void)list;
    (void)user_data;
    note("completion: %s", error == NULL ? "fetched" : error->message);
}

static void fetch(struct shown_list *shown)
{
    note("fetch of %s", shown->template->name);
    switch (below(5)) {
    case 0:
        DO(fr_list_perform_fetch_with_progress(shown->list, progress, NULL));
        break;
    case 1:
        DO(fr_list_perform_fetch_async(shown->list, one_in(2) ? progress : NULL, completion, NULL, NULL));
        break;
    case 2:
        if (one_in(4)) DO(fr_list_cancel_fetch(shown->list));
        break;
    default:
        DO(fr_list_perform_fetch(shown->list));
    }
}

static void set_request(struct shown_list *shown)
{
    const struct template *old = shown->template, *template = random_template_of(old);
    fr_request *request;
    if (template == NULL) return;
    request = template->request(template);
    note("request of list %d: %s", (int)(shown - world.lists), template->name);
    /* Callbacks may set other requests before the call returns. */
    shown->template = template;
    if (DO(fr_controller_set_request(shown->list, request)) != FR_OK && shown->template == template) {
        shown->template = old;
    } else if (world.depth > 0) {
        shown->is_requested = true;
    }
    fr_request_free(request);
}

static void hold(struct shown_list *shown)
{
    note("hold or resume %s", shown->template->name);
    switch (below(5)) {
    case 0:
        DO(fr_controller_pause(shown->list));
        break;
    case 1:
        DO(fr_section_map_set_disabled(shown->list, one_in(2)));
        break;
    default:
        DO(fr_controller_resume(shown->list, one_in(4)));
    }
}

static fr_status work(fr_store *store, void *user_data)
{
    (void)store;
    (void)user_data;
    world.depth++;
    while (world.budget > 0 && !one_in(3)) {
        world.budget--;
        random_call();
    }
    world.depth--;
    return one_in(4) ? FR_CANCELLED : FR_OK;
}

static void transact(void)
{
    note("transaction");
    switch (below(11)) {
    case 0:
    case 1:
        DO(fr_store_begin(world.store, (int32_t)below(3)));
        break;
    case 8:
        DO(fr_store_begin_step(world.store, "step", one_in(2)));
        break;
    case 9:
        DO(fr_store_undo(world.store));
        break;
    case 10:
        DO(fr_store_redo(world.store));
        break;
    case 2:
        DO(fr_store_rollback(world.store));
        break;
    case 3:
        if (world.depth < DEEPEST) DO(fr_store_transaction(world.store, work, NULL));
        break;
    default:
        DO(fr_store_commit(world.store));
    }
}

static void read(struct shown_list *shown)
{
    int64_t sections = 0, rows = 0;
    fr_index_path path = {(int64_t)below(4) - (one_in(9) ? 1 : 0), (int64_t)below(6)};
    fr_object *object = NULL;
    fr_rows several;
    DO(fr_list_section_count(&sections, shown->list));
    if (sections > 0 && !one_in(10)) path.section = (int64_t)below((uint64_t)sections);
    DO(fr_list_row_count(&rows, shown->list, path.section));
    if (rows > 0 && !one_in(10)) path.row = (int64_t)below((uint64_t)rows);
    if (one_in(4)) {
        DO(fr_list_rows(&several, shown->list, path, 1 + below(30)));
    } else if (one_in(4)) {
        DO(fr_list_identities(&several, shown->list, path, 1 + below(30)));
    } else if (DO(fr_list_object_at(&object, shown->list, path)) == FR_OK) {
        uint64_t place = below(OBJECTS);
        fr_object_unref(world.objects[place]);
        world.objects[place] = object;
        if (DO(fr_list_index_path_of(&path, shown->list, object)) != FR_OK) fault("a row without a place");
    }
}

static void arrange_once(struct shown_list *shown)
{
    struct shown_list *child = random_list();
    fr_list *inserted, *collection = shown->list;
    int64_t count = 0, index = 0;
    int place;
    if (child == NULL || child == shown || child->template == NULL || shown->template == NULL) return;
    if (child->template->request == NULL || DO(fr_collection_child_count(&count, shown->list)) != FR_OK) return;
    note("children of list %d: %d", (int)(shown - world.lists), (int)(child - world.lists));
    if (count == MOST_CHILDREN || (count > 0 && one_in(3))) {
        index = (int64_t)below((uint64_t)count);
        if (DO(fr_collection_remove(shown->list, index)) != FR_OK) return;
        memmove(&shown->children[index], &shown->children[index + 1],
                (size_t)(MOST_CHILDREN - 1 - index) * sizeof *shown->children);
        shown->children[MOST_CHILDREN - 1] = NULL;
        return;
    }
    for (place = 0; place < count; place++) {
        if (shown->children[place] == child) return;
    }
    inserted = child->list;
    if (DO(fr_collection_insert(collection, count, inserted, NULL)) != FR_OK || shown->list != collection) return;
    /*
     * A callback may have freed the child. The collection still shows it, but nobody can read it.
     */
    if (child->list == inserted) {
        shown->children[count] = child;
    } else {
        shown->template = NULL;
    }
}

/* Callbacks of it do not arrange the same collection, whose children are not noted yet. */
static void arrange(struct shown_list *shown)
{
    if (shown->is_arranged) return;
    shown->is_arranged = true;
    arrange_once(shown);
    shown->is_arranged = false;
}

static void use_statement(void)
{
    fr_statement **statement = &world.statements[below(STATEMENTS)];
    bool has_row;
    fr_value value;
    if (*statement == NULL || one_in(8)) {
        fr_statement_free(*statement);
        *statement = NULL;
        DO(fr_statement_prepare(statement, world.store,
                                ONE_OF("SELECT * FROM t", "UPDATE t SET rank = ?1 WHERE id = ?2",
                                       "INSERT INTO t(name) VALUES (?1) RETURNING id", "SELECT", "DELETE FROM pairs")));
        return;
    }
    value = fr_integer((int64_t)below(4));
    note("statement %d", (int)(statement - world.statements));
    switch (below(5)) {
    case 0:
        note("gets %d", (int)value.integer);
        DO(fr_statement_bind(*statement, (int32_t)below(4), &value));
        break;
    case 1:
        note("is executed");
        DO(fr_statement_execute(*statement));
        break;
    case 2:
        note("is stepped");
        DO(fr_statement_step(&has_row, *statement));
        break;
    case 3:
        DO(fr_statement_value(&value, *statement, 0));
        break;
    default:
        DO(fr_statement_reset(*statement));
    }
}

static void update_cell(fr_coordinator *coordinator, fr_index_path path, fr_object *object, void *user_data)
{
    (void)coordinator;
    (void)path;
    (void)object;
    (void)user_data;
}

static void reload(fr_coordinator *coordinator, void *user_data)
{
    (void)coordinator;
    (void)user_data;
}

static void use_view(struct shown_list *shown)
{
    uint64_t place = below(VIEWS);
    fr_view view = {0};
    view.struct_size = sizeof view;
    view.reload = reload;
    view.update_cell = one_in(2) ? update_cell : NULL;
    switch (below(5)) {
    case 0: {
        fr_coordinator *old = world.coordinators[place];
        world.coordinators[place] = NULL;
        fr_coordinator_free(old);
        DO(fr_coordinator_new(&world.coordinators[place], shown->list, &view, (uint32_t)below(8), NULL, NULL));
        break;
    }
    case 1:
        DO(fr_coordinator_load_data(world.coordinators[place], one_in(2)));
        break;
    case 2:
        DO(fr_coordinator_set_paused(world.coordinators[place], one_in(2)));
        break;
    case 3:
        fr_data_source_free(world.sources[place]);
        world.sources[place] = NULL;
        DO(fr_data_source_new(&world.sources[place], shown->list, NULL, NULL, NULL));
        break;
    default:
        DO(fr_entity_list_set_store(world.entity_list, one_in(5) ? NULL : world.store));
    }
}

static void window_delivered(fr_list *window, fr_change_set *changes, void *user_data)
{
    fr_window_place place;
    (void)user_data;
    DO(fr_change_set_window_place(&place, changes));
    if (one_in(3)) DO(fr_window_move(window, (int64_t)below(5) - 2));
}

static void use_window(struct shown_list *shown)
{
    fr_list **window = &world.windows[below(VIEWS)], *old;
    fr_observer observer = {0};
    fr_value identity = fr_integer((int64_t)below(40));
    int64_t before = (int64_t)below(5), after = (int64_t)below(5), index = (int64_t)below(12) - 1;
    observer.struct_size = sizeof observer;
    observer.did_deliver = window_delivered;
    switch (below(6)) {
    case 0:
    case 1:
        old = *window;
        *window = NULL;
        fr_list_free(old);
        if (one_in(4)) {
            DO(fr_window_open_at_identity(window, shown->list, &identity, 1, before, after));
        } else if (one_in(4)) {
            DO(fr_window_open_at_section(window, shown->list, "1", before, after));
        } else {
            DO(fr_window_open(window, shown->list, index, before, after));
        }
        if (*window != NULL) DO(fr_list_add_observer(NULL, *window, &observer, NULL, NULL));
        break;
    case 2:
        DO(fr_window_move(*window, (int64_t)below(9) - 4));
        break;
    case 3:
        DO(fr_window_resize(*window, before, after));
        break;
    default: {
        fr_rows rows;
        DO(fr_list_rows(&rows, *window, (fr_index_path){0, 0}, 20));
        DO(fr_window_position(&index, *window));
    }
    }
}

static void after_round(fr_store *store, const fr_error *error, void *user_data)
{
    (void)store;
    (void)error;
    (void)user_data;
    if (world.depth >= DEEPEST) return;
    world.depth++;
    if (world.budget-- > 0) random_call();
    world.depth--;
}

static void traced(fr_store *store, const fr_round_trace *trace, void *user_data)
{
    size_t each, statement, length = strlen(trace->text);
    for (each = 0; each < trace->list_count; each++) {
        const fr_list_trace *list = &trace->lists[each];
        if (strstr(trace->text, list->entity) == NULL) fault("a list is not in the text of its round");
        for (statement = 0; statement < list->statement_count; statement++) {
            if (strlen(list->statements[statement].sql) > length) fault("a statement is not in the text of its round");
        }
    }
    after_round(store, NULL, user_data);
}

/* What the world must do by itself, since it has to know of it. */
static bool is_own_call(const char *name)
{
    static const char *const prefixes[] = {"fr_store_close",       "fr_section_map_set_",     "fr_collection_",
                                           "fr_list_add_observer", "fr_list_remove_observer", "fr_request_",
                                           "fr_store_delete_all",  "fr_store_stop_history",   "fr_window_open"};
    size_t index;
    for (index = 0; index < sizeof prefixes / sizeof *prefixes; index++) {
        if (strncmp(name, prefixes[index], strlen(prefixes[index])) == 0) return true;
    }
    return false;
}

/* A handle of a kind, or one of another kind, a freed one, or none. */
static void *any_handle(enum handle_kind kind)
{
    struct shown_list *shown;
    if (one_in(40)) return NULL;
    if (one_in(40)) return world.freed[below(11)];
    if (one_in(40)) return (void *)(uintptr_t)below(1u << 30);
    if (one_in(40)) kind = (enum handle_kind)below(HANDLE_KINDS);
    switch (kind) {
    case STORE:
        return world.store;
    case STATEMENT:
        return world.statements[below(STATEMENTS)];
    case OBJECT:
        return world.objects[below(OBJECTS)];
    case REQUEST:
        return world.request;
    case CONTROLLER:
        if (one_in(8)) return world.windows[below(VIEWS)];
        shown = random_list();
        return shown == NULL ? NULL : shown->list;
    case CHANGE_SET:
        return world.change_sets[below(CHANGE_SETS)];
    case PLACEHOLDER:
        return world.placeholder;
    case COORDINATOR:
        return world.coordinators[below(VIEWS)];
    case DATA_SOURCE:
        return world.sources[below(VIEWS)];
    case CELL:
        return world.cell;
    default:
        return world.entity_list;
    }
}

static void call_any(void)
{
    static int count;
    const struct handle_call *call;
    while (handle_calls[count].name != NULL) count++;
    call = &handle_calls[below((uint64_t)count)];
    if (is_own_call(call->name)) return;
    note("%s", call->name);
    world.calls++;
    checked_status(call->call(any_handle(call->kind)), call->name);
}

static void use_lists(void)
{
    struct shown_list *shown = random_list();
    if (shown == NULL) return;
    switch (below(16)) {
    case 0:
    case 1:
    case 2:
        fetch(shown);
        break;
    case 3:
    case 4:
        set_request(shown);
        break;
    case 5:
    case 6:
        hold(shown);
        break;
    case 7:
        lists_observe(shown);
        break;
    case 8:
        if (one_in(3)) lists_free(shown);
        break;
    case 9:
    case 10:
        if (shown->template->request == NULL) arrange(shown);
        break;
    case 11:
        use_view(shown);
        break;
    case 12:
        use_window(shown);
        break;
    default:
        read(shown);
    }
}

static void use_store_rarely(void)
{
    switch (below(12)) {
    case 0:
        if (one_in(4))
            DO(fr_store_start_history(world.store, ONE_OF("t", "kinds", "pairs", "plain", "keyed", "v_items")));
        break;
    case 1:
        if (one_in(4)) DO(fr_store_stop_history(world.store, ONE_OF("t", "kinds")));
        break;
    case 2:
        if (one_in(2)) {
            DO(fr_store_call_after_round(world.store, after_round, NULL, NULL));
        } else {
            DO(fr_store_set_trace(world.store, one_in(3) ? NULL : traced, NULL, NULL));
        }
        break;
    case 3:
        if (one_in(world.depth == 0 ? 10 : 60)) {
            fr_store *store = world.store;
            world.store = NULL;
            note("the store is closed");
            if (DO(fr_store_close(store)) == FR_MISUSE) {
                world.store = store;
            } else {
                world.freed[0] = store;
            }
        }
        break;
    case 4:
        DO(fr_store_execute(world.store, ONE_OF("PRAGMA wal_checkpoint", "nonsense", "", "SELECT 1; SELECT 2"), NULL,
                            0));
        break;
    default:
        use_statement();
    }
}

void random_call(void)
{
    uint64_t kind = below(100);
    if (world.store == NULL) return;
    world.acts++;
    if (kind < 22) {
        run_writer();
    } else if (kind < 36) {
        run_own();
    } else if (kind < 40) {
        run_typed();
    } else if (kind < 52) {
        dispatch();
    } else if (kind < 80) {
        use_lists();
    } else if (kind < 84) {
        transact();
    } else if (kind < 88) {
        use_store_rarely();
    } else {
        call_any();
    }
}
