/* A section of a section map moves because the position in its row changes. */
#include "groups.h"
#include "report.h"
#include "writer.h"

#define SECTIONED \
    "CREATE TABLE sections(id INTEGER PRIMARY KEY, position REAL);" \
    "INSERT INTO sections SELECT DISTINCT section_id, section_id FROM items;" \
    "CREATE TABLE entries(id INTEGER PRIMARY KEY, section_id INTEGER REFERENCES sections(id), name TEXT);" \
    "INSERT INTO entries SELECT id, section_id, name FROM items;" \
    "CREATE INDEX entries_by_section ON entries(section_id, name);" \
    "DROP TABLE items; ANALYZE"

static struct path sectioned(const char *name)
{
    struct path path = copy_of_items(large(), name);
    sqlite3 *db = open_database(path.text);
    execute(db, SECTIONED);
    sqlite3_close(db);
    return path;
}

static fr_list *fetch_map(fr_store *store)
{
    fr_request *items;
    fr_request *sections;
    fr_list *map;
    ok(fr_request_new(&items, "entries"));
    ok(fr_request_add_sort(items, "name", FR_ASCENDING, NULL));
    ok(fr_request_new(&sections, "sections"));
    ok(fr_request_add_sort(sections, "position", FR_ASCENDING, NULL));
    ok(fr_section_map_new(&map, store, items, sections, "section_id", NULL));
    ok(fr_list_perform_fetch(map));
    fr_request_free(items);
    fr_request_free(sections);
    return map;
}

void measure_section_moves(void)
{
    const char *what = options.quick ? "section of 100 rows moves" : "section of 1,000 rows moves";
    if (!wanted(what, large())) return;
    struct plain_writer plain;
    struct store_writer ours;
    struct choice sections = {NULL, SECTIONS - 1, NULL};
    open_plain_writer(&plain, open_database(sectioned("floor").text), MOVE_SECTION, sections);
    open_store_writer(&ours, open_store(sectioned("ours").text), MOVE_SECTION, sections);
    fr_list *map = fetch_map(ours.store);
    observe(map);
    struct plan plan = {20, 200, 5, 1};
    report_ratio(what, large(), compare(plain_writing(&plain), store_writing(&ours), plan), 1.5, 0);
    fr_list_free(map);
    close_plain_writer(&plain);
    close_store_writer(&ours);
}
