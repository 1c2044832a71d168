/*
 * Many lists with different parameters on one table: a change of one row, and opening one more
 * list.
 */
#include "bench.h"
#include "database.h"
#include "groups.h"
#include "report.h"
#include "writer.h"

enum { CONTROLLERS = 1000, ROWS = 100000, CHANGED_SECTION = 7, MOST_IDS = 1000, SHORT_LISTS = 20000 };

static const struct list of_section = {"items", NULL, "name", "section_id = ?1", 0, NULL, 0, 0};
/* All of these lists contain row 1. */
static const struct list with_first = {"items", NULL, "name", "section_id = ?1 OR id = 1", 0, NULL, 0, 0};

static fr_list *observed(fr_store *store, struct list list, int64_t parameter)
{
    list.parameter = parameter;
    fr_list *controller = fetch(store, list);
    observe(controller);
    return controller;
}

static void observe_all(fr_store *store, struct list list, fr_list *controllers[CONTROLLERS])
{
    for (int index = 0; index < CONTROLLERS; index++) controllers[index] = observed(store, list, index);
}

static void free_all(fr_list *controllers[CONTROLLERS])
{
    for (int index = 0; index < CONTROLLERS; index++) fr_list_free(controllers[index]);
}

static void report_added(const char *what, struct comparison times, double parts, double must, double aim)
{
    double added = (times.ours.p50 - times.floor.p50) / parts;
    struct row row = {what, CONTROLLERS, times.floor, times.ours, NANOSECONDS, added, must, aim};
    report(row);
}

/*
 * One list, which the change affects, compared with a thousand lists, of which it affects only that
 * one.
 */
static void measure_unaffected(const char *what)
{
    static fr_list *controllers[CONTROLLERS];
    static int64_t ids[MOST_IDS];
    struct choice section = {ids, ids_of_section(ROWS, CHANGED_SECTION, ids, MOST_IDS), NULL};
    struct store_writer one;
    struct store_writer thousand;
    open_store_writer(&one, open_store(copy_of_items(ROWS, "one").text), RENAME, section);
    open_store_writer(&thousand, open_store(copy_of_items(ROWS, "thousand").text), RENAME, section);
    fr_list *only = observed(one.store, of_section, CHANGED_SECTION);
    observe_all(thousand.store, of_section, controllers);
    struct plan plan = {100, 1000, 10, 1};
    report_added(what, compare(store_writing(&one), store_writing(&thousand), plan), CONTROLLERS - 1, 2e3, 100);
    fr_list_free(only);
    free_all(controllers);
    close_store_writer(&one);
    close_store_writer(&thousand);
}

/* Plain SQLite compared with a thousand lists, all of which the change affects. */
static void measure_affected(const char *what)
{
    static fr_list *controllers[CONTROLLERS];
    struct choice first = {NULL, 1, NULL};
    struct plain_writer plain;
    struct store_writer thousand;
    open_plain_writer(&plain, open_database(copy_of_items(ROWS, "floor").text), RENAME, first);
    open_store_writer(&thousand, open_store(copy_of_items(ROWS, "thousand").text), RENAME, first);
    observe_all(thousand.store, with_first, controllers);
    struct plan plan = {10, 100, 5, 1};
    report_added(what, compare(plain_writing(&plain), store_writing(&thousand), plan), CONTROLLERS, 50e3, 0);
    free_all(controllers);
    close_plain_writer(&plain);
    close_store_writer(&thousand);
}

static const struct list of_row = {"items", NULL, "name", "id = ?1", 0, NULL, 0, 0};
static const struct list of_range = {"items", NULL, "name", "id >= ?1 AND id <= ?1", 0, NULL, 0, 0};

/*
 * One list of a row that changes, compared with a hundred thousand, of which the change affects
 * only that one.
 */
static void measure_hundred_thousand(struct list list, const char *added, const char *memory)
{
    static fr_list *controllers[ROWS];
    static int64_t changed = CHANGED_SECTION;
    struct choice row = {&changed, 1, NULL};
    struct store_writer one;
    struct store_writer all;
    open_store_writer(&one, open_store(copy_of_items(ROWS, "one").text), RENAME, row);
    open_store_writer(&all, open_store(copy_of_items(ROWS, "all").text), RENAME, row);
    fr_list *only = observed(one.store, list, changed);
    // SQLite's page cache is full after that.
    fr_list_free(fetch(all.store, items_by_name));
    double before = bytes_in_use();
    for (int index = 0; index < ROWS; index++) controllers[index] = observed(all.store, list, index);
    double bytes = (bytes_in_use() - before) / ROWS;
    struct plan plan = {100, 1000, 10, 1};
    struct comparison times = compare(store_writing(&one), store_writing(&all), plan);
    struct row time = {added, ROWS, times.floor, times.ours, NANOSECONDS, times.ours.p50 - times.floor.p50,
                       100e3, 40e3};
    if (wanted(added, ROWS)) report(time);
    struct row size = {memory, ROWS, {0, 0}, {bytes, bytes}, BYTES, bytes, 1536, 0};
    if (memory != NULL && wanted(memory, ROWS)) report(size);
    fr_list_free(only);
    for (int index = 0; index < ROWS; index++) fr_list_free(controllers[index]);
    close_store_writer(&one);
    close_store_writer(&all);
}

static int64_t random_section(void)
{
    return (int64_t)(next_random() % SECTIONS);
}

/* Prepares the SELECT of a list and steps through it. */
static void open_plain(void *context)
{
    sqlite3_stmt *rows = prepare(context, "SELECT id, name FROM items WHERE section_id = ?1 ORDER BY name, id");
    sqlite3_bind_int64(rows, 1, random_section());
    while (sqlite3_step(rows) == SQLITE_ROW) sink += sqlite3_column_int64(rows, 0);
    sqlite3_finalize(rows);
}

static void open_list(void *context)
{
    struct list list = of_section;
    list.parameter = random_section();
    fr_list_free(fetch(context, list));
}

/* Opens lists of twenty rows, with or without another open list of the same shape. */
static void measure_opening(const char *first, const char *more)
{
    struct path path = copy_of_items(SHORT_LISTS, "opened");
    sqlite3 *db = open_database(items_file(SHORT_LISTS));
    fr_store *store = open_store(path.text);
    struct subject plain = {NULL, open_plain, db};
    struct subject ours = {NULL, open_list, store};
    struct plan plan = {100, 2000, 10, 1};
    if (wanted(first, SHORT_LISTS)) report_ratio(first, SHORT_LISTS, compare(plain, ours, plan), 0, 0);
    fr_list *other = fetch(store, of_section);
    if (wanted(more, SHORT_LISTS)) report_ratio(more, SHORT_LISTS, compare(plain, ours, plan), 3, 0);
    fr_list_free(other);
    ok(fr_store_close(store));
    sqlite3_close(db);
}

void measure_many_controllers(void)
{
    const char *opened = "opening a list of 20 rows, the first of its kind";
    const char *opened_more = "opening a list of 20 rows, one more of its kind";
    if (wanted(opened, SHORT_LISTS) || wanted(opened_more, SHORT_LISTS)) measure_opening(opened, opened_more);
    const char *added = "100,000 lists: added to a change of one of them";
    const char *memory = "100,000 lists: memory allocated per list";
    if (wanted(added, ROWS) || wanted(memory, ROWS)) measure_hundred_thousand(of_row, added, memory);
    const char *ranges = "100,000 lists of ranges: added to a change of one of them";
    if (wanted(ranges, ROWS)) measure_hundred_thousand(of_range, ranges, NULL);
    const char *unaffected = "1,000 lists: added per unaffected list";
    const char *affected = "1,000 lists: added per affected list";
    if (wanted(unaffected, ROWS)) measure_unaffected(unaffected);
    if (wanted(affected, ROWS)) measure_affected(affected);
}
