/* perform_fetch compared with stepping through the same SELECT. */
#include "bench.h"
#include "database.h"
#include "fetches.h"
#include "groups.h"
#include "lists.h"
#include "report.h"

struct floor {
    const char *types;
    sqlite3_stmt *statement;
};

struct ours {
    fr_store *store;
    fr_list *controller;
    struct list list;
    sqlite3_stmt *rename; /* of another connection, which commits before each fetch; NULL for no commits */
};

static void step_all(void *context)
{
    struct floor *floor = context;
    int64_t sum = 0;
    while (sqlite3_step(floor->statement) == SQLITE_ROW) {
        for (int column = 0; floor->types[column] != 0; column++) {
            switch (floor->types[column]) {
            case 'i':
                sum += sqlite3_column_int64(floor->statement, column);
                break;
            case 'r':
                sum += sqlite3_column_double(floor->statement, column) > 0.5;
                break;
            case 't':
                sum += *sqlite3_column_text(floor->statement, column) + sqlite3_column_bytes(floor->statement, column);
                break;
            }
        }
    }
    sqlite3_reset(floor->statement);
    sink = sum;
}

static void renew(void *context)
{
    struct ours *ours = context;
    fr_list_free(ours->controller);
    ours->controller = make_controller(ours->store, ours->list);
    if (ours->rename == NULL) return;
    sqlite3_step(ours->rename);
    if (sqlite3_reset(ours->rename) != SQLITE_OK) fail("can't commit");
}

static void perform_fetch(void *context)
{
    ok(fr_list_perform_fetch(((struct ours *)context)->controller));
}

static struct comparison compare_fetches(const char *path, struct scan scan, struct list list, const char *rename,
                                         size_t repetitions)
{
    sqlite3 *db = open_database(path);
    struct floor floor = {scan.types, prepare(db, scan.sql)};
    struct ours ours = {open_store(path), NULL, list, rename == NULL ? NULL : prepare(db, rename)};
    if (rename != NULL) {
        // The cache then contains the state before the other connection's first commit.
        ours.controller = make_controller(ours.store, list);
        perform_fetch(&ours);
    }
    struct plan plan = {1, repetitions, 1, 1};
    struct subject stepping = {NULL, step_all, &floor};
    struct subject fetching = {renew, perform_fetch, &ours};
    struct comparison times = compare(stepping, fetching, plan);
    fr_list_free(ours.controller);
    ok(fr_store_delete_all_caches(ours.store));
    ok(fr_store_close(ours.store));
    sqlite3_finalize(ours.rename);
    sqlite3_finalize(floor.statement);
    sqlite3_close(db);
    return times;
}

void run_through(void *context)
{
    sqlite3_stmt *statement = context;
    int64_t sum = 0;
    while (sqlite3_step(statement) == SQLITE_ROW) sum += sqlite3_column_int64(statement, 0);
    sqlite3_reset(statement);
    sink = sum;
}

static void fetch_again(void *context)
{
    ok(fr_list_perform_fetch(context));
}

struct comparison compare_fetch_again(sqlite3_stmt *statement, fr_list *list, struct plan plan)
{
    struct subject floor = {NULL, run_through, statement}, ours = {NULL, fetch_again, list};
    return compare(floor, ours, plan);
}

struct comparison compare_fetch(const char *path, struct scan scan, struct list list, size_t repetitions)
{
    return compare_fetches(path, scan, list, NULL, repetitions);
}

static void measure_fetch(const char *what, const char *path, int64_t rows, struct scan scan, struct list list,
                          const char *rename, double must, double aim)
{
    size_t repetitions = rows >= 10000000 ? 5 : rows >= 1000000 ? 15 : (size_t)(4000000 / rows);
    report_ratio(what, rows, compare_fetches(path, scan, list, rename, repetitions), must, aim);
}

void measure_fetches(void)
{
    const char *covered = "fetch, covering index";
    const char *scattered = "fetch, covering index, scattered ids";
    const char *in_order = "fetch, in the order of the rowid";
    const char *uncovered = "fetch, no usable index";
    const char *cached = "fetch, cached by name";
    const char *earlier = "fetch, cached by name before a commit";
    struct scan by_index = {"SELECT id, section_id, name FROM items ORDER BY section_id, name, id", "iit"};
    struct scan sorted = {"SELECT id, rank FROM items ORDER BY rank, id", "ir"};
    struct scan by_rowid = {"SELECT id FROM items ORDER BY id", "i"};
    struct list by_id = {"items", NULL, "id", NULL, 0, NULL, 0, 0};
    struct list by_rank = {"items", NULL, "rank", NULL, 0, NULL, 0, 0};
    for (int64_t rows = 10000; rows <= 10000000; rows *= 10) {
        if (wanted(covered, rows))
            measure_fetch(covered, items_file(rows), rows, by_index, items_by_name, NULL, rows == 10000 ? 1.2 : 1.4,
                          1.1);
    }
    if (wanted(scattered, large())) {
        struct path path = scattered_copy(large(), "scattered");
        measure_fetch(scattered, path.text, large(), by_index, items_by_name, NULL, 1.15, 1.1);
    }
    if (wanted(in_order, large())) measure_fetch(in_order, items_file(large()), large(), by_rowid, by_id, NULL, 1.0, 0);
    if (wanted(cached, large())) {
        struct list list = items_by_name;
        list.cache_name = "items by name";
        measure_fetch(cached, items_file(large()), large(), by_index, list, NULL, 0, 0);
    }
    if (wanted(earlier, large())) {
        struct list list = items_by_name;
        list.cache_name = "items by name";
        const char *rename =
            "UPDATE items SET name = substr(name, 2) || substr(name, 1, 1) WHERE id = 1 + abs(random()) % 100000";
        struct path path = copy_of_items(large(), "earlier");
        measure_fetch(earlier, path.text, large(), by_index, list, rename, 0, 0);
    }
    if (wanted(uncovered, large()))
        measure_fetch(uncovered, items_file(large()), large(), sorted, by_rank, NULL, 1.0, 0.6);
}
