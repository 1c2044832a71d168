/* A thousand lists with different parameters on one table, of which one row changes. */
#include "groups.h"
#include "report.h"
#include "writer.h"

enum { CONTROLLERS = 1000, ROWS = 100000, CHANGED_SECTION = 7, MOST_IDS = 1000 };

static const struct list of_section = {"items", NULL, "name", "section_id = ?1", 0, NULL};
/* All of these lists have the row 1. */
static const struct list with_first = {"items", NULL, "name", "section_id = ?1 OR id = 1", 0, NULL};

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

/* One list, which the change affects, against a thousand of which it affects that one. */
static void measure_unaffected(const char *what)
{
    static fr_list *controllers[CONTROLLERS];
    static int64_t ids[MOST_IDS];
    struct choice section = {ids, ids_of_section(ROWS, CHANGED_SECTION, ids, MOST_IDS)};
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

/* Plain SQLite against a thousand lists, all of which the change affects. */
static void measure_affected(const char *what)
{
    static fr_list *controllers[CONTROLLERS];
    struct choice first = {NULL, 1};
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

void measure_many_controllers(void)
{
    const char *unaffected = "1,000 lists: added per unaffected list";
    const char *affected = "1,000 lists: added per affected list";
    if (wanted(unaffected, ROWS)) measure_unaffected(unaffected);
    if (wanted(affected, ROWS)) measure_affected(affected);
}
