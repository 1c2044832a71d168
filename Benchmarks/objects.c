/* Reading objects, compared with reading the same rows by id. */
#include "bench.h"
#include "database.h"
#include "groups.h"
#include "lists.h"
#include "report.h"

enum { BATCH = 20, LOOKS = 1000 };

struct floor {
    sqlite3_stmt *row;
    int64_t rows;
};

static void read_row(struct floor *floor, int64_t id)
{
    sqlite3_bind_int64(floor->row, 1, id);
    if (sqlite3_step(floor->row) != SQLITE_ROW) fail("a row is missing");
    sink += sqlite3_column_int64(floor->row, 0) + sqlite3_column_int64(floor->row, 1)
            + *sqlite3_column_text(floor->row, 2) + sqlite3_column_bytes(floor->row, 2)
            + (sqlite3_column_double(floor->row, 3) > 0.5) + sqlite3_column_int64(floor->row, 4);
    sqlite3_reset(floor->row);
}

static void read_same_rows(void *context)
{
    for (int look = 0; look < LOOKS; look++) read_row(context, look % BATCH + 1);
}

static void read_other_rows(void *context)
{
    struct floor *floor = context;
    for (int look = 0; look < BATCH; look++) read_row(floor, (int64_t)(next_random() % (uint64_t)floor->rows) + 1);
}

static void look_at(fr_list *controller, int64_t section, int64_t row)
{
    fr_index_path path = {section, row};
    fr_object *object;
    ok(fr_list_object_at(&object, controller, path));
    fr_object_unref(object);
}

static void look_at_same_rows(void *context)
{
    for (int look = 0; look < LOOKS; look++) look_at(context, 0, look % BATCH);
}

static void look_at_other_rows(void *context)
{
    int64_t section = (int64_t)(next_random() % SECTIONS);
    int64_t count;
    ok(fr_list_row_count(&count, context, section));
    int64_t batches = count / BATCH;
    int64_t first = (int64_t)(next_random() % (uint64_t)batches) * BATCH;
    for (int look = 0; look < BATCH; look++) look_at(context, section, first + look);
}

/* Reports the time of one read. */
static void report_look(const char *what, struct comparison times, double must)
{
    struct row row = {what, large(), times.floor, times.ours, NANOSECONDS, times.ours.p50, must, 0};
    report(row);
}

void measure_objects(void)
{
    const char *cached = "object at index path, in the cache";
    const char *read = "object at index path, batch of 20 read, per row";
    bool wants_cached = wanted(cached, large());
    bool wants_read = wanted(read, large());
    if (!wants_cached && !wants_read) return;
    sqlite3 *db = open_database(items_file(large()));
    struct floor floor = {prepare(db, "SELECT * FROM items WHERE id = ?"), large()};
    fr_store *store = open_store(items_file(large()));
    fr_list *controller = fetch(store, items_by_name);
    struct plan many = {2, 200, 5, LOOKS};
    struct plan batches = {100, 2000, 10, BATCH};
    struct subject same = {NULL, read_same_rows, &floor};
    struct subject ours_same = {NULL, look_at_same_rows, controller};
    struct subject others = {NULL, read_other_rows, &floor};
    struct subject ours_others = {NULL, look_at_other_rows, controller};
    if (wants_cached) report_look(cached, compare(same, ours_same, many), 200);
    if (wants_read) report_look(read, compare(others, ours_others, batches), 2000);
    fr_list_free(controller);
    ok(fr_store_close(store));
    sqlite3_finalize(floor.row);
    sqlite3_close(db);
}
