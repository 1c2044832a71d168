/* One row changes in a transaction, observed. */
#include "groups.h"
#include "report.h"
#include "writer.h"

enum place { IN_FILE, WITH_HISTORY, IN_MEMORY };

static void open_pair(struct plain_writer *plain, struct store_writer *ours, enum place place, int64_t rows,
                      enum edit edit)
{
    struct choice all = {NULL, rows, NULL};
    if (place != IN_MEMORY) {
        fr_store *store = open_store(copy_of_items(rows, "ours").text);
        if (place == WITH_HISTORY) ok(fr_store_start_history(store, "items"));
        open_plain_writer(plain, open_database(copy_of_items(rows, "floor").text), edit, all);
        open_store_writer(ours, store, edit, all);
        return;
    }
    sqlite3 *db = open_database(":memory:");
    fr_store *store = open_store(":memory:");
    struct path script = memory_script(rows);
    execute(db, script.text);
    ok(fr_store_execute_script(store, script.text));
    open_plain_writer(plain, db, edit, all);
    open_store_writer(ours, store, edit, all);
}

static struct comparison measure_list(struct list list, enum place place, int64_t rows, enum edit edit,
                                      void (*add_observer)(fr_list *))
{
    struct plain_writer plain;
    struct store_writer ours;
    open_pair(&plain, &ours, place, rows, edit);
    fr_list *controller = fetch(ours.store, list);
    add_observer(controller);
    struct plan plan = {500, 4000, 20, 1};
    records_read = 0;
    struct comparison times = compare(plain_writing(&plain), store_writing(&ours), plan);
    // A row whose new random section equals its old one does not change.
    if (records_read < (int64_t)(plan.warm_up + plan.repetitions) * 9 / 10) fail("changes were not delivered");
    fr_list_free(controller);
    close_plain_writer(&plain);
    close_store_writer(&ours);
    return times;
}

static struct comparison measure_edit(enum place place, int64_t rows, enum edit edit, void (*add_observer)(fr_list *))
{
    return measure_list(items_by_name, place, rows, edit, add_observer);
}

static void report_growth(const char *what, struct comparison small, struct comparison great, int64_t rows)
{
    struct statistics before = {small.ours.p50 - small.floor.p50, 0};
    struct statistics after = {great.ours.p50 - great.floor.p50, 0};
    struct row row = {what, rows, before, after, RATIO, after.p50 / before.p50, 2, 1.3};
    report(row);
}

struct limits {
    double must, aim;
};

static void measure_renames(const char *what, const char *growth, enum place place, struct limits smaller,
                            struct limits million)
{
    struct comparison smallest = {{0, 0}, {0, 0}};
    for (int64_t rows = 10000; rows <= 1000000; rows *= 10) {
        if (!wanted(what, rows)) continue;
        struct comparison times = measure_edit(place, rows, RENAME, observe);
        struct limits limits = rows == 1000000 ? million : smaller;
        report_ratio(what, rows, times, limits.must, limits.aim);
        if (rows == 10000) smallest = times;
        if (rows == large()) report_growth(growth, smallest, times, rows);
    }
}

static void measure_other(const char *what, enum place place, enum edit edit, void (*add_observer)(fr_list *),
                          double must, double aim)
{
    if (wanted(what, large())) report_ratio(what, large(), measure_edit(place, large(), edit, add_observer), must, aim);
}

static void measure_expressions(void)
{
    const char *what = "rename one row, memory, sorted by an expression";
    struct list list = {"items", "section_id % 1000", "lower(name)", NULL, 0, NULL, 0, 0};
    if (!wanted(what, large())) return;
    report_ratio(what, large(), measure_list(list, IN_MEMORY, large(), RENAME, observe), 2, 1.7);
}

void measure_edits(void)
{
    const struct limits none = {0, 0};
    const struct limits in_file = {1.6, 1.3};
    const struct limits million_in_file = {1.35, 1.25};
    const struct limits million_in_memory = {1.7, 1.5};
    measure_renames("rename one row, file", "rename one row, file: added, against 10,000 rows", IN_FILE, in_file,
                    million_in_file);
    measure_renames("rename one row, memory", "rename one row, memory: added, against 10,000 rows", IN_MEMORY, none,
                    million_in_memory);
    measure_expressions();
    measure_other("rename one row, file, all four callbacks", IN_FILE, RENAME, observe_each, 0, 0);
    measure_other("rename one row, file, with a history", WITH_HISTORY, RENAME, observe, 0, 0);
    measure_other("row moves to another section", IN_FILE, CHANGE_SECTION, observe, 1.5, 0);
}
