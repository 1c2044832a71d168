/* The first letter of a search, and its end, for an observer that reads the runs. */
#include "bench.h"
#include "database.h"
#include "fetches.h"
#include "groups.h"
#include "lists.h"
#include "report.h"

/* Three of 64 letters: 47,000 of a million rows. */
#define FOUND "name >= 'a' AND name < 'd'"

struct search {
    fr_list *list;
    fr_request *before;
    fr_request *after;
};

static fr_request *request(const char *predicate)
{
    fr_request *request;
    ok(fr_request_new(&request, "items"));
    ok(fr_request_add_sort(request, "name", FR_ASCENDING, NULL));
    if (predicate != NULL) ok(fr_request_set_predicate(request, predicate, NULL, 0));
    return request;
}

static void read_runs(fr_list *list, fr_change_set *changes, void *user_data)
{
    (void)list;
    (void)user_data;
    const fr_range *runs;
    size_t count;
    ok(fr_change_set_ranges(&runs, &count, changes));
    for (size_t index = 0; index < count; index++) records_read += runs[index].count;
}

static void set_before(void *context)
{
    struct search *search = context;
    ok(fr_controller_set_request(search->list, search->before));
    records_read = 0;
}

static void set_after(void *context)
{
    struct search *search = context;
    ok(fr_controller_set_request(search->list, search->after));
    if (records_read < large() / 2) fail("changes were not delivered");
}

static void measure(const char *what, struct search search, sqlite3 *db, const char *sql)
{
    sqlite3_stmt *statement = prepare(db, sql);
    struct subject floor = {NULL, run_through, statement}, ours = {set_before, set_after, &search};
    struct plan plan = {1, 9, 1, 1};
    struct comparison times = compare(floor, ours, plan);
    struct row row = {what, large(), times.floor, times.ours, NANOSECONDS, times.ours.p50, 120e6, 60e6};
    report(row);
    sqlite3_finalize(statement);
}

void measure_first_letter(void)
{
    const char *first = "first letter of a search: most rows leave";
    const char *last = "end of a search: most rows enter";
    const char *around = "first letter of a search: around a window";
    bool is_first_wanted = wanted(first, large()), is_last_wanted = wanted(last, large());
    bool is_around_wanted = wanted(around, large());
    if (!is_first_wanted && !is_last_wanted && !is_around_wanted) return;
    struct path path = copy_of_items(large(), "search");
    sqlite3 *db = open_database(path.text);
    execute(db, "CREATE INDEX items_by_name ON items(name); ANALYZE");
    fr_store *store = open_store(path.text);
    struct list by_name = {"items", NULL, "name", NULL, 0, NULL, 0, 0};
    fr_list *list = fetch(store, by_name);
    fr_observer observer = {.struct_size = sizeof observer, .did_deliver = read_runs};
    ok(fr_list_add_observer(NULL, list, &observer, NULL, NULL));
    struct search begin = {list, request(NULL), request(FOUND)}, end = {list, begin.after, begin.before};
    const char *found = "SELECT id FROM items WHERE " FOUND " ORDER BY name, id";
    if (is_first_wanted) measure(first, begin, db, found);
    if (is_last_wanted) measure(last, end, db, "SELECT id FROM items ORDER BY name, id");
    if (is_around_wanted) {
        fr_list *window;
        set_before(&begin);
        ok(fr_window_open(&window, list, large() / 2, 25, 25));
        ok(fr_list_add_observer(NULL, window, &observer, NULL, NULL));
        measure(around, begin, db, found);
        fr_list_free(window);
    }
    fr_request_free(begin.before);
    fr_request_free(begin.after);
    fr_list_free(list);
    ok(fr_store_close(store));
    sqlite3_close(db);
}
