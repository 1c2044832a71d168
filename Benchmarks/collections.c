/*
 * The cost that a collection of a thousand lists adds to a read of one of them, and to a change in
 * one of them.
 */
#include "bench.h"
#include "database.h"
#include "groups.h"
#include "lists.h"
#include "report.h"
#include "writer.h"

enum { CHILDREN = 1000, ROWS = 100000, LOOKS = 1000 };

/* All items are one list; the others are of a table that does not change. */
#define OTHERS \
    "CREATE TABLE others(id INTEGER PRIMARY KEY, part INTEGER, name TEXT);" \
    "INSERT INTO others SELECT id, id % 1000, name FROM items WHERE id <= 10000;" \
    "CREATE INDEX others_by_part ON others(part, name)"

struct lists {
    fr_store *store;
    fr_list *children[CHILDREN];
    fr_list *collection; /* NULL: each child has its own observer */
};

static void open_lists(struct lists *lists, const char *name, bool collects)
{
    lists->store = open_store(copy_of_items(ROWS, name).text);
    ok(fr_store_execute_script(lists->store, OTHERS));
    lists->collection = NULL;
    if (collects) ok(fr_collection_new(&lists->collection));
    for (int index = 0; index < CHILDREN; index++) {
        struct list others = {"others", NULL, "name", "part = ?1", index, NULL, 0, 0};
        lists->children[index] = make_controller(lists->store, index == CHILDREN / 2 ? items_by_name : others);
        if (collects) {
            ok(fr_collection_insert(lists->collection, -1, lists->children[index], NULL));
        } else {
            ok(fr_list_perform_fetch(lists->children[index]));
            observe(lists->children[index]);
        }
    }
    if (!collects) return;
    ok(fr_list_perform_fetch(lists->collection));
    observe(lists->collection);
}

static void close_lists(struct lists *lists)
{
    fr_list_free(lists->collection);
    for (int index = 0; index < CHILDREN; index++) fr_list_free(lists->children[index]);
    ok(fr_store_close(lists->store));
}

static void look_at(fr_list *list, int64_t section)
{
    fr_index_path path = {section, 0};
    fr_object *object;
    ok(fr_list_object_at(&object, list, path));
    fr_object_unref(object);
}

static void look_at_children(void *context)
{
    struct lists *lists = context;
    for (int look = 0; look < LOOKS; look++) look_at(lists->children[look % (CHILDREN / 2)], 0);
}

static void look_at_collection(void *context)
{
    struct lists *lists = context;
    for (int look = 0; look < LOOKS; look++) look_at(lists->collection, look % (CHILDREN / 2));
}

static void report_added(const char *what, struct comparison times)
{
    struct row row = {what, CHILDREN, times.floor, times.ours, NANOSECONDS, times.ours.p50 - times.floor.p50, 1000, 0};
    report(row);
}

static void measure_reads(const char *what, struct lists *alone, struct lists *together)
{
    struct plan plan = {20, 200, 5, LOOKS};
    struct subject children = {NULL, look_at_children, alone};
    struct subject collection = {NULL, look_at_collection, together};
    report_added(what, compare(children, collection, plan));
}

static void measure_changes(const char *what, struct lists *alone, struct lists *together)
{
    struct store_writer floor;
    struct store_writer ours;
    struct choice items = {NULL, ROWS, NULL};
    struct plan plan = {200, 2000, 10, 1};
    open_store_writer(&floor, alone->store, RENAME, items);
    open_store_writer(&ours, together->store, RENAME, items);
    report_added(what, compare(store_writing(&floor), store_writing(&ours), plan));
    fr_statement_free(floor.update);
    fr_statement_free(ours.update);
}

void measure_collections(void)
{
    const char *read = "collection of 1,000 lists, added to a read";
    const char *change = "collection of 1,000 lists, added to a change of one row";
    bool wants_read = wanted(read, CHILDREN);
    bool wants_change = wanted(change, CHILDREN);
    if (!wants_read && !wants_change) return;
    static struct lists alone;
    static struct lists together;
    open_lists(&alone, "alone", false);
    open_lists(&together, "together", true);
    if (wants_read) measure_reads(read, &alone, &together);
    if (wants_change) measure_changes(change, &alone, &together);
    close_lists(&alone);
    close_lists(&together);
}
