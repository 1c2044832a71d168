/* A section gets another place because the row that its name comes from changes. */
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

void measure_section_moves(void)
{
    const char *what = options.quick ? "section of 100 rows moves" : "section of 1,000 rows moves";
    if (!wanted(what, large())) return;
    struct plain_writer plain;
    struct store_writer ours;
    struct choice sections = {NULL, SECTIONS - 1};
    open_plain_writer(&plain, open_database(sectioned("floor").text), MOVE_SECTION, sections);
    open_store_writer(&ours, open_store(sectioned("ours").text), MOVE_SECTION, sections);
    struct list list = {"entries", "section_id.position", "name", NULL, 0};
    fr_controller *controller = fetch(ours.store, list);
    observe(controller);
    struct plan plan = {20, 200, 5, 1};
    report_ratio(what, large(), compare(plain_writing(&plain), store_writing(&ours), plan), 2, 1.5);
    fr_controller_free(controller);
    close_plain_writer(&plain);
    close_store_writer(&ours);
}
