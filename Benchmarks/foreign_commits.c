/*
 * Another connection commits one row. The row is found in the write-ahead log, or, where nothing
 * identifies it, by reading and comparing all rows again.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "groups.h"
#include "report.h"
#include "writer.h"

/* What a plain C program would store of a row. */
struct entry {
    int64_t id;
    int64_t section;
    char name[NAME_LENGTH];
};

struct floor {
    struct plain_writer writer;
    sqlite3 *db;
    sqlite3_stmt *keys;
    struct entry *shown;
    struct entry *read;
    int64_t rows;
    struct exchange *exchange; /* NULL if the file stays */
};

static int64_t read_entries(struct floor *floor)
{
    int64_t count = 0;
    while (sqlite3_step(floor->keys) == SQLITE_ROW) {
        struct entry *entry = &floor->read[count++];
        entry->id = sqlite3_column_int64(floor->keys, 0);
        entry->section = sqlite3_column_int64(floor->keys, 1);
        memcpy(entry->name, sqlite3_column_text(floor->keys, 2), NAME_LENGTH);
    }
    sqlite3_reset(floor->keys);
    return count;
}

/*
 * The number of rows from the first to the last that differ: the old and the new place of the
 * changed row.
 */
static int64_t compare_entries(const struct floor *floor)
{
    int64_t first = 0;
    int64_t last = floor->rows;
    while (first < last && memcmp(&floor->shown[first], &floor->read[first], sizeof *floor->read) == 0) first++;
    while (first < last && memcmp(&floor->shown[last - 1], &floor->read[last - 1], sizeof *floor->read) == 0) last--;
    return last - first;
}

static void read_again(void *context)
{
    struct floor *floor = context;
    if (read_entries(floor) != floor->rows) fail("rows are missing");
    int64_t difference = compare_entries(floor);
    if (difference == 0) fail("the foreign commit was not seen");
    sink = difference;
    struct entry *shown = floor->shown;
    floor->shown = floor->read;
    floor->read = shown;
}

static void commit_foreign(void *context)
{
    struct subject writing = plain_writing(&((struct floor *)context)->writer);
    writing.run(writing.context);
}

static void dispatch(void *context)
{
    ok(fr_store_dispatch(context));
}

static void open_floor(struct floor *floor, const char *path)
{
    struct choice all = {NULL, floor->rows, NULL};
    open_plain_writer(&floor->writer, open_database(path), RENAME, all);
    floor->db = open_database(path);
    floor->keys = prepare(floor->db, "SELECT id, section_id, name FROM items ORDER BY section_id, name, id");
    size_t size = (size_t)floor->rows * sizeof *floor->shown;
    floor->shown = malloc(size);
    floor->read = malloc(size);
    if (floor->shown == NULL || floor->read == NULL) fail("out of memory");
    // The padding between the members is compared too.
    memset(floor->shown, 0, size);
    memset(floor->read, 0, size);
}

static void close_floor(struct floor *floor)
{
    sqlite3_finalize(floor->keys);
    sqlite3_close(floor->db);
    close_plain_writer(&floor->writer);
    free(floor->shown);
    free(floor->read);
}

/*
 * A store that holds no state of the database, so that it can't determine which rows others change.
 */
static fr_store *open_without_snapshot(const char *path)
{
    fr_store_options options = {.struct_size = sizeof options, .snapshot_limit = -1};
    fr_store *store = NULL;
    ok(fr_store_open(&store, path, &options));
    ok(fr_store_execute_script(store, PRAGMAS));
    return store;
}

static void measure_reading(const char *what)
{
    struct path path = copy_of_items(large(), "foreign");
    struct floor floor = {.rows = large()};
    open_floor(&floor, path.text);
    fr_store *store = open_without_snapshot(path.text);
    fr_list *controller = fetch(store, items_by_name);
    observe(controller);
    struct plan plan = {2, 15, 1, 1};
    records_read = 0;
    struct subject reading = {commit_foreign, read_again, &floor};
    struct subject dispatching = {NULL, dispatch, store};
    struct comparison times = compare(reading, dispatching, plan);
    // A row that stays in its place is not reported: none of its values were read.
    if (records_read < (int64_t)(plan.warm_up + plan.repetitions) * 3 / 4) fail("foreign commits were not delivered");
    report_ratio(what, large(), times, 1, 0);
    fr_list_free(controller);
    ok(fr_store_close(store));
    close_floor(&floor);
}

struct following {
    struct plain_writer writer;
    fr_store *store;
};

static void commit_to_followed(void *context)
{
    struct subject writing = plain_writing(&((struct following *)context)->writer);
    writing.run(writing.context);
}

static void dispatch_followed(void *context)
{
    dispatch(((struct following *)context)->store);
}

static void dispatch_nothing(void *context)
{
    dispatch(context);
}

/*
 * From the return of another connection's commit to the end of the callback, compared with an idle
 * dispatch.
 */
static void measure_following(const char *what, fr_store *store, struct path path, enum edit edit, struct choice choice,
                              fr_list *controller, int64_t rows)
{
    struct following following = {.store = store};
    open_plain_writer(&following.writer, open_database(path.text), edit, choice);
    observe(controller);
    struct plan plan = {50, 1000, 1, 1};
    records_read = 0;
    struct subject idle = {NULL, dispatch_nothing, following.store};
    struct subject dispatching = {commit_to_followed, dispatch_followed, &following};
    struct comparison times = compare(idle, dispatching, plan);
    if (records_read < (int64_t)(plan.warm_up + plan.repetitions)) fail("foreign commits were not delivered");
    struct row row = {what, rows, times.floor, times.ours, NANOSECONDS, times.ours.p50, 150e3, 100e3};
    report(row);
    fr_list_free(controller);
    ok(fr_store_close(following.store));
    close_plain_writer(&following.writer);
}

static void measure_list(const char *what, int64_t rows)
{
    struct choice all = {NULL, rows, NULL};
    struct path path = copy_of_items(rows, "foreign");
    fr_store *store = open_store(path.text);
    measure_following(what, store, path, RENAME, all, fetch(store, items_by_name), rows);
}

/* The rows are found in a history, as in the rollback modes. */
static void measure_history(const char *what, int64_t rows)
{
    struct choice all = {NULL, rows, NULL};
    struct path path = copy_of_items(rows, "foreign");
    fr_store *store = open_without_snapshot(path.text);
    ok(fr_store_start_history(store, "items"));
    measure_following(what, store, path, RENAME, all, fetch(store, items_by_name), rows);
}

/* A list of one section of many. */
static void measure_section(const char *what)
{
    enum { ROWS = 100000, SECTION = 7, MOST_IDS = 1000 };
    static int64_t ids[MOST_IDS];
    struct path path = copy_of_items(ROWS, "foreign");
    struct choice section = {ids, ids_of_section(ROWS, SECTION, ids, MOST_IDS), NULL};
    struct list list = {"items", NULL, "name", "section_id = ?1", SECTION, NULL, 0, 0};
    fr_store *store = open_store(path.text);
    measure_following(what, store, path, RENAME, section, fetch(store, list), section.count);
}

/* A view whose columns are expressions, as over documents in JSON. */
static void measure_view(const char *what)
{
    enum { ROWS = 100000 };
    struct choice all = {NULL, ROWS, NULL};
    struct path path = copy_of_items(ROWS, "foreign");
    fr_store *store = open_store(path.text);
    fr_request *request = NULL;
    fr_list *list = NULL;
    const char *identity[] = {"id"};
    ok(fr_store_execute(store,
                        "CREATE VIEW shown AS SELECT id, json_extract(json_object('name', name), '$.name') AS name "
                        "FROM items",
                        NULL, 0));
    ok(fr_request_new(&request, "shown"));
    ok(fr_request_set_identity(request, identity, 1));
    ok(fr_request_add_sort(request, "name", FR_ASCENDING, NULL));
    ok(fr_controller_new(&list, store, request));
    ok(fr_list_perform_fetch(list));
    fr_request_free(request);
    measure_following(what, store, path, RENAME, all, list, ROWS);
}

/* One of 1,000 groups changes its sum. */
static void measure_group(const char *what)
{
    struct choice all = {NULL, large(), NULL};
    struct path path = copy_of_items(large(), "foreign");
    fr_store *store = open_store(path.text);
    measure_following(what, store, path, CHANGE_RANK, all, fetch_groups(store), large());
}

/* Two files that differ in some rows, which replace each other at a path. */
struct exchange {
    struct path shown;
    struct path other;
    fr_store *store;
};

static void exchange_files(void *context)
{
    const struct exchange *exchange = context;
    if (renameat2(AT_FDCWD, exchange->shown.text, AT_FDCWD, exchange->other.text, RENAME_EXCHANGE) != 0) {
        fail("the files can't be exchanged");
    }
}

static void dispatch_exchanged(void *context)
{
    dispatch(((struct exchange *)context)->store);
}

static struct exchange exchanged_files(const char *name, const char *other_name)
{
    struct exchange exchange = {.shown = copy_of_items(large(), name), .other = copy_of_items(large(), other_name)};
    sqlite3 *db = open_database(exchange.other.text);
    execute(db, "UPDATE items SET name = 'another ' || id WHERE id % 1000 = 0");
    execute(db, "PRAGMA wal_checkpoint(TRUNCATE)");
    sqlite3_close(db);
    return exchange;
}

static void read_exchanged(void *context)
{
    struct floor *floor = context;
    floor->db = open_database(floor->exchange->shown.text);
    floor->keys = prepare(floor->db, "SELECT id, section_id, name FROM items ORDER BY section_id, name, id");
    read_again(floor);
    sqlite3_finalize(floor->keys);
    sqlite3_close(floor->db);
}

static void exchange_floor(void *context)
{
    exchange_files(((struct floor *)context)->exchange);
}

/* Another file replaces the database: opening it, reading all keys, and comparing them. */
static void measure_replacing(const char *what)
{
    struct exchange plain = exchanged_files("plain", "plain-other");
    struct exchange exchange = exchanged_files("replaced", "replaced-other");
    struct floor floor = {.rows = large(), .exchange = &plain};
    fr_store_options options = {.struct_size = sizeof options, .flags = FR_STORE_FOLLOW_PATH};
    open_floor(&floor, plain.shown.text);
    sqlite3_finalize(floor.keys);
    sqlite3_close(floor.db);
    close_plain_writer(&floor.writer);
    ok(fr_store_open(&exchange.store, exchange.shown.text, &options));
    ok(fr_store_execute_script(exchange.store, PRAGMAS));
    fr_list *list = fetch(exchange.store, items_by_name);
    observe(list);
    struct plan plan = {1, 7, 1, 1};
    records_read = 0;
    struct subject reading = {exchange_floor, read_exchanged, &floor};
    struct subject dispatching = {exchange_files, dispatch_exchanged, &exchange};
    struct comparison times = compare(reading, dispatching, plan);
    // A row can stay in its place.
    int64_t changed = large() / 1000 * (int64_t)(plan.warm_up + plan.repetitions);
    if (records_read < changed * 3 / 4) fail("the difference was not delivered");
    struct row row = {what, large(), times.floor, times.ours, NANOSECONDS, times.ours.p50, 1.5e9, 0};
    report(row);
    fr_list_free(list);
    ok(fr_store_close(exchange.store));
    free(floor.shown);
    free(floor.read);
}

void measure_foreign_commits(void)
{
    const char *view = "foreign commit of one row, a view of expressions";
    const char *replacing = "another file at the path, a row in 1,000 differs";
    const char *one = "foreign commit of one row, dispatch to callback";
    const char *section = "foreign commit of one row, list of one section";
    const char *group = "foreign commit of one row, list of groups";
    const char *history = "foreign commit of one row, by a history";
    const char *reading = "foreign commit of one row, all rows read";
    if (wanted(one, 10000)) measure_list(one, 10000);
    if (wanted(one, large())) measure_list(one, large());
    if (wanted(section, 100)) measure_section(section);
    if (wanted(view, 100000)) measure_view(view);
    if (wanted(group, large())) measure_group(group);
    if (wanted(history, large())) measure_history(history, large());
    if (wanted(reading, large())) measure_reading(reading);
    if (wanted(replacing, large())) measure_replacing(replacing);
}
