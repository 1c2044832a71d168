/* The memory that a fetched list uses per row. */
#include "bench.h"
#include "database.h"
#include "groups.h"
#include "lists.h"
#include "report.h"

static void report_bytes(const char *what, double bytes)
{
    struct statistics identity = {8, 0};
    struct statistics held = {bytes / (double)large(), 0};
    struct row row = {what, large(), identity, held, BYTES, held.p50, 40, 24};
    report(row);
}

static void measure_list(const char *what, const char *allocated, const char *path, struct list list)
{
    fr_store *store = open_store(path);
    // SQLite's page cache is full after a first fetch.
    fr_list_free(fetch(store, list));
    double before = bytes_in_use();
    fr_list *controller = fetch(store, list);
    double after = bytes_in_use();
    fr_counters counters = {.struct_size = sizeof counters};
    ok(fr_controller_counters(&counters, controller));
    report_bytes(what, (double)counters.bytes_held);
    report_bytes(allocated, after - before);
    fr_list_free(controller);
    ok(fr_store_close(store));
}

void measure_memory(void)
{
    const char *integer = "memory held per row, integer key";
    const char *text = "memory held per row, short text key";
    const char *scattered = "memory held per row, short text key, scattered ids";
    struct list by_integer = {"items", NULL, "section_id", NULL, 0, NULL, 0, 0};
    struct list by_text = {"items", NULL, "name", NULL, 0, NULL, 0, 0};
    if (wanted(integer, large())) {
        measure_list(integer, "memory allocated per row, integer key", items_file(large()), by_integer);
    }
    if (wanted(text, large()))
        measure_list(text, "memory allocated per row, short text key", items_file(large()), by_text);
    if (wanted(scattered, large())) {
        struct path path = scattered_copy(large(), "scattered");
        measure_list(scattered, "memory allocated per row, text key, scattered ids", path.text, by_text);
    }
}
