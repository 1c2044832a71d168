/* Totals of sections, and lists of groups: count, sum, least and greatest of 1,000 groups. */
#include "fetches.h"
#include "groups.h"
#include "report.h"
#include "writer.h"

enum { SMALL = 10000 };

static void add_totals(fr_request *request)
{
    ok(fr_request_add_total(request, "count", FR_TOTAL_COUNT, NULL));
    ok(fr_request_add_total(request, "sum", FR_TOTAL_SUM, "rank"));
    ok(fr_request_add_total(request, "least", FR_TOTAL_MIN, "name"));
    ok(fr_request_add_total(request, "greatest", FR_TOTAL_MAX, "name"));
}

static fr_list *fetched(fr_store *store, fr_request *request)
{
    fr_list *list;
    ok(fr_controller_new(&list, store, request));
    fr_request_free(request);
    ok(fr_list_perform_fetch(list));
    return list;
}

/* Items in sections, by name, with the totals of each section. */
static fr_list *items_with_totals(fr_store *store)
{
    fr_request *request;
    ok(fr_request_new(&request, items_by_name.entity));
    ok(fr_request_set_section(request, items_by_name.section, FR_ASCENDING, NULL));
    ok(fr_request_add_sort(request, items_by_name.sort, FR_ASCENDING, NULL));
    add_totals(request);
    return fetched(store, request);
}

static fr_request *groups_request(void)
{
    static const char *const keys[] = {"section_id"};
    fr_request *request;
    ok(fr_request_new(&request, "items"));
    ok(fr_request_set_group_by(request, keys, 1));
    add_totals(request);
    return request;
}

fr_list *fetch_groups(fr_store *store)
{
    return fetched(store, groups_request());
}

static const struct plan plan = {500, 4000, 20, 1};

/* Against the same list without totals. */
static struct comparison compare_totals(int64_t rows, enum edit edit)
{
    struct choice all = {NULL, rows, NULL};
    struct store_writer without, with;
    open_store_writer(&without, open_store(copy_of_items(rows, "floor").text), edit, all);
    open_store_writer(&with, open_store(copy_of_items(rows, "ours").text), edit, all);
    fr_list *floor = fetch(without.store, items_by_name);
    fr_list *ours = items_with_totals(with.store);
    observe(floor);
    observe(ours);
    struct comparison times = compare(store_writing(&without), store_writing(&with), plan);
    fr_list_free(floor);
    fr_list_free(ours);
    close_store_writer(&without);
    close_store_writer(&with);
    return times;
}

static struct statistics added(struct comparison times)
{
    return (struct statistics){times.ours.p50 - times.floor.p50, 0};
}

static void report_growth(const char *what, struct comparison small, struct comparison great)
{
    struct statistics before = added(small), after = added(great);
    struct row row = {what, large(), before, after, RATIO, after.p50 / before.p50, 1.5, 0};
    report(row);
}

static void measure_totals(const char *what, const char *growth, enum edit edit)
{
    if (!wanted(what, large())) return;
    struct comparison times = compare_totals(large(), edit);
    struct statistics none = {0, 0};
    struct row row = {what, large(), none, added(times), NANOSECONDS, added(times).p50, 3000, 1500};
    report(row);
    report_growth(growth, compare_totals(SMALL, edit), times);
}

/* Against the transaction that nobody observes. */
static struct comparison compare_groups(int64_t rows, enum edit edit)
{
    struct choice all = {NULL, rows, NULL};
    struct plain_writer plain;
    struct store_writer ours;
    open_plain_writer(&plain, open_database(copy_of_items(rows, "floor").text), edit, all);
    open_store_writer(&ours, open_store(copy_of_items(rows, "ours").text), edit, all);
    fr_list *list = fetch_groups(ours.store);
    observe(list);
    struct comparison times = compare(plain_writing(&plain), store_writing(&ours), plan);
    fr_list_free(list);
    close_plain_writer(&plain);
    close_store_writer(&ours);
    return times;
}

static void measure_groups(const char *what, const char *growth, enum edit edit)
{
    if (!wanted(what, large())) return;
    struct comparison times = compare_groups(large(), edit);
    report_ratio(what, large(), times, 1.3, 1.2);
    report_growth(growth, compare_groups(SMALL, edit), times);
}

static void measure_fetch(const char *what)
{
    if (!wanted(what, large())) return;
    fr_store *store = open_store(items_file(large()));
    sqlite3 *db = open_database(items_file(large()));
    sqlite3_stmt *statement = prepare(
        db, "SELECT section_id, count(*), sum(rank), min(name), max(name) FROM items GROUP BY section_id");
    fr_list *list = fetch_groups(store);
    struct plan few = {1, 8, 1, 1};
    report_ratio(what, large(), compare_fetch_again(statement, list, few), 1.1, 0);
    fr_list_free(list);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    ok(fr_store_close(store));
}

static void measure_held(const char *what)
{
    if (!wanted(what, large())) return;
    fr_store *store = open_store(items_file(large()));
    fr_list_free(fetch_groups(store));
    double before = bytes_in_use();
    fr_list *list = fetch_groups(store);
    double held = (bytes_in_use() - before) / SECTIONS;
    struct statistics none = {0, 0}, bytes = {held, 0};
    struct row row = {what, large(), none, bytes, BYTES, held, 200, 0};
    report(row);
    fr_list_free(list);
    ok(fr_store_close(store));
}

void measure_totals_and_groups(void)
{
    measure_totals("totals of sections, file: rename one row, added",
                   "totals of sections: rename one row, added, against 10,000 rows", RENAME);
    measure_totals("totals of sections, file: another rank, added",
                   "totals of sections: another rank, added, against 10,000 rows", CHANGE_RANK);
    measure_groups("groups: rename one row, file", "groups: rename one row, added, against 10,000 rows", RENAME);
    measure_groups("groups: another rank, file", "groups: another rank, added, against 10,000 rows", CHANGE_RANK);
    measure_fetch("groups: fetch, against GROUP BY");
    measure_held("memory allocated per group");
}
