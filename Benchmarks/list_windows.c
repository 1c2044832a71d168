/*
 * Windows on one list: what ten thousand of them add to a change of one row, opening one of them,
 * and its memory.
 */
#include "bench.h"
#include "database.h"
#include "groups.h"
#include "lists.h"
#include "report.h"
#include "writer.h"

enum { WINDOWS = 10000, BEFORE = 24, AFTER = 25, OPENED = 100 };

/* Without sections, so that windows of the middle are in the middle of one. */
static const struct list by_text = {"items", NULL, "name", NULL, 0, NULL, 0, 0};

static fr_list *windows[WINDOWS];
static int windows_opened;

struct lists {
    fr_store *store;
    fr_list *list;
};

static struct lists open_list(const char *name)
{
    struct lists lists = {open_store(copy_of_items(large(), name).text), NULL};
    lists.list = fetch(lists.store, by_text);
    observe(lists.list);
    return lists;
}

static void close_list(struct lists lists)
{
    while (windows_opened > 0) fr_list_free(windows[--windows_opened]);
    fr_list_free(lists.list);
    ok(fr_store_close(lists.store));
}

static fr_list *open_window(fr_list *list)
{
    fr_list *window;
    ok(fr_window_open(&window, list, (int64_t)(next_random() % (uint64_t)large()), BEFORE, AFTER));
    return window;
}

static void open_windows(fr_list *list)
{
    while (windows_opened < WINDOWS) windows[windows_opened++] = open_window(list);
}

static void measure_change(const char *what, struct lists alone, struct lists together)
{
    struct store_writer floor, ours;
    struct choice any = {NULL, large(), NULL};
    struct plan plan = {200, 2000, 10, 1};
    for (int index = 0; index < WINDOWS; index++) observe(windows[index]);
    open_store_writer(&floor, alone.store, RENAME, any);
    open_store_writer(&ours, together.store, RENAME, any);
    struct comparison times = compare(store_writing(&floor), store_writing(&ours), plan);
    struct row row = {what,  large(), times.floor, times.ours, NANOSECONDS, times.ours.p50 - times.floor.p50,
                      20000, 5000};
    report(row);
    fr_statement_free(floor.update);
    fr_statement_free(ours.update);
}

static void open_and_close(void *list)
{
    for (int index = 0; index < OPENED; index++) fr_list_free(open_window(list));
}

static void measure_opening(const char *what, fr_list *list)
{
    struct subject opening = {NULL, open_and_close, list};
    struct plan plan = {5, 50, 5, OPENED};
    struct comparison times = compare(opening, opening, plan);
    struct row row = {what, large(), {0, 0}, times.ours, NANOSECONDS, times.ours.p50, 30000, 0};
    report(row);
}

static void measure_window_memory(const char *what, fr_list *list)
{
    double before = bytes_in_use();
    open_windows(list);
    double rows = (BEFORE + 1 + AFTER) * sizeof(int64_t);
    double each = (bytes_in_use() - before) / WINDOWS - rows;
    struct statistics ids = {rows, 0}, held = {each, 0};
    struct row row = {what, large(), ids, held, BYTES, each, 1024, 0};
    report(row);
}

void measure_list_windows(void)
{
    const char *change = "10,000 windows on a list, added to a change of one row";
    const char *opening = "one more window of 50 rows: open and close";
    const char *memory = "a window of 50 rows, beside their ids";
    bool wants_change = wanted(change, large()), wants_opening = wanted(opening, large());
    bool wants_memory = wanted(memory, large());
    if (!wants_change && !wants_opening && !wants_memory) return;
    struct lists together = open_list("windowed");
    if (wants_memory) measure_window_memory(memory, together.list);
    open_windows(together.list);
    if (wants_opening) measure_opening(opening, together.list);
    if (wants_change) {
        struct lists alone = open_list("unwindowed");
        measure_change(change, alone, together);
        fr_list_free(alone.list);
        ok(fr_store_close(alone.store));
    }
    close_list(together);
}
