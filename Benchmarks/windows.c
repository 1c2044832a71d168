/*
 * A window in the middle of a sorted table: fetching it, and following it while single rows are
 * renamed.
 */
#include <stdio.h>
#include <string.h>

#include "fetches.h"
#include "groups.h"
#include "report.h"
#include "writer.h"

/* The rows of the window, without some at each edge. */
enum { WINDOW = 100, MARGIN = 10, INSIDE = WINDOW - 2 * MARGIN };
static int64_t ids[INSIDE];
static char names[INSIDE][NAME_LENGTH + 1];

static struct path by_name(const char *name)
{
    struct path path = copy_of_items(large(), name);
    sqlite3 *db = open_database(path.text);
    execute(db, "CREATE INDEX items_by_name ON items(name); ANALYZE");
    sqlite3_close(db);
    return path;
}

static struct list window(void)
{
    struct list list = {"items", NULL, "name", NULL, 0, NULL, WINDOW, large() / 2};
    return list;
}

static void read_inside(const char *path)
{
    sqlite3 *db = open_database(path);
    sqlite3_stmt *statement = prepare(db, "SELECT id, name FROM items ORDER BY name, id LIMIT ? OFFSET ?");
    sqlite3_bind_int64(statement, 1, INSIDE);
    sqlite3_bind_int64(statement, 2, large() / 2 + MARGIN);
    for (int index = 0; index < INSIDE; index++) {
        if (sqlite3_step(statement) != SQLITE_ROW) fail("the window is too short");
        ids[index] = sqlite3_column_int64(statement, 0);
        memcpy(names[index], sqlite3_column_text(statement, 1), NAME_LENGTH);
    }
    sqlite3_finalize(statement);
    sqlite3_close(db);
}

static void measure_renames(const char *what, struct choice choice)
{
    struct plain_writer plain;
    struct store_writer ours;
    open_plain_writer(&plain, open_database(by_name("floor").text), RENAME, choice);
    open_store_writer(&ours, open_store(by_name("ours").text), RENAME, choice);
    fr_list *controller = fetch(ours.store, window());
    observe(controller);
    struct plan plan = {500, 4000, 20, 1};
    records_read = 0;
    report_ratio(what, large(), compare(plain_writing(&plain), store_writing(&ours), plan), 2, 1.5);
    if (records_read < (int64_t)plan.repetitions / 3) fail("changes were not delivered");
    fr_counters counters = {.struct_size = sizeof counters};
    ok(fr_controller_counters(&counters, controller));
    if (counters.rereads[FR_REREAD_WINDOW] > 0) fail("a window was read as a whole");
    fr_list_free(controller);
    close_plain_writer(&plain);
    close_store_writer(&ours);
}

void measure_windows(void)
{
    const char *fetching = "window of 100 in the middle: fetch";
    const char *inside = "window of 100 in the middle: rename a row of it";
    const char *any = "window of 100 in the middle: rename any row";
    if (wanted(fetching, large())) {
        struct path path = by_name("windows");
        char sql[128];
        snprintf(sql, sizeof sql, "SELECT id, name FROM items ORDER BY name, id LIMIT %d OFFSET %lld", WINDOW,
                 (long long)large() / 2);
        struct scan scan = {sql, "it"};
        report_ratio(fetching, large(), compare_fetch(path.text, scan, window(), 15), 0, 0);
    }
    if (wanted(inside, large())) {
        read_inside(by_name("windows").text);
        struct choice choice = {ids, INSIDE, (const char (*)[NAME_LENGTH + 1]) names};
        measure_renames(inside, choice);
    }
    if (wanted(any, large())) {
        struct choice choice = {NULL, large(), NULL};
        measure_renames(any, choice);
    }
}
