/*
 * One walk in C through each family of which the Swift tests of READMEs check every sentence:
 * section maps, collections, coordinators with data sources, entity lists.
 */
#include <string.h>

#include "collections.h"
#include "maps.h"
#include "test.h"
#include "view_log.h"

/* The program's own order of sections, with and without items, and their rows. */
static void through_a_section_map(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_section_info section;
    fr_object *object = NULL;
    struct watched w;
    watch_list(&w, store, task_map(store, NULL));
    CHECK_LIST(w.list, "30: 3 | 10: 1 2 | 20: | NULL: 4");
    CHECK_OK(fr_list_section_object(&object, w.list, 1));
    CHECK_TEXT(object_text(object, "title"), "work");
    fr_object_unref(object);
    CHECK_REPORTED(&w, "UPDATE tasks SET k = 0 WHERE id = 2", "[move 1.1>1.0 {k}]");
    CHECK_REPORTED(&w, "UPDATE lists SET title = 'office' WHERE id = 10", "[update section 1>1 (10) {title}]");
    CHECK_REPORTED(&w, "UPDATE lists SET position = 9 WHERE id = 30", "[move section 0>2 (30) {position}]");
    CHECK_REPORTED(&w, "DELETE FROM lists WHERE id = 10", "[delete section 0 (10); delete 0.1; delete 0.0]");
    CHECK_OK(fr_section_map_set_empty_sections(w.list, FR_EMPTY_SECTIONS_HIDDEN));
    CHECK_LOG(&w.recorder, "[delete section 0 (20)]");
    CHECK_LIST(w.list, "30: 3 | NULL: 4");
    CHECK_OK(fr_section_map_all_section(&section, w.list, 0));
    CHECK_TEXT(section.name, "20");
    CHECK_INT(section.count, 0);
    unwatch(&w);
}

/* Lists of two entities as one, with a section that stands for an empty list. */
static void through_a_collection(void)
{
    struct watched_collection c;
    fr_placeholder *empty = placeholder_of("Nothing here", "N");
    fr_list *other = NULL;
    fr_object *object = NULL;
    fr_index_path path = {-1, -1};
    watch_collection(&c, SOME_ROWS);
    CHECK_LIST(c.w.list, "NULL: 1 2 | p: 11 | q: 12 13");
    CHECK_OK(fr_list_object_at(&object, c.w.list, path_at(2, 1)));
    CHECK_OK(fr_list_index_path_of(&path, c.w.list, object));
    CHECK(path.section == 2 && path.row == 1);
    fr_object_unref(object);
    CHECK_REPORTED(&c.w, "BEGIN; INSERT INTO a VALUES (3, 'x', 3); DELETE FROM b WHERE id = 11; COMMIT",
                   "[delete section 1 (p); delete 1.0; insert 0.2]");
    CHECK_OK(fr_collection_insert_placeholder(c.w.list, 1, empty));
    CHECK_LOG(&c.w.recorder, "[insert section 1 (Nothing here)]");
    other = unfetched_list(c.w.store, "b", NULL, "-k", NULL);
    CHECK_OK(fr_collection_replace(c.w.list, place_of(c.w.list, c.a), other, NULL));
    CHECK_LIST(c.w.list, "NULL: 13 12 | Nothing here: | q: 12 13");
    recorder_take(&c.w.recorder);
    fr_list_free(other);
    fr_placeholder_free(empty);
    unwatch_collection(&c);
}

/* The only cell of a table, and what it was requested for. */
struct screen {
    char identifier[32];
    char text[32];
    fr_cell *cell; /* a default one */
};

static void *dequeue(const char *identifier, fr_index_path path, void *user_data)
{
    struct screen *screen = ((struct view_log *)user_data)->other;
    (void)path;
    strcpy(screen->identifier, identifier);
    return screen;
}

static void *dequeue_default_cell(const char *identifier, fr_index_path path, void *user_data)
{
    return ((struct screen *)dequeue(identifier, path, user_data))->cell;
}

static void configure(void *cell, fr_object *object, fr_index_path path, void *user_data)
{
    (void)path;
    (void)user_data;
    strcpy(((struct screen *)cell)->text, object_text(object, "name"));
}

static const char *identifier_of(fr_object *object, fr_index_path path, void *user_data)
{
    (void)path;
    (void)user_data;
    return strcmp(object_text(object, "kind"), "ape") == 0 ? "apeCell" : "otherCell";
}

/* A view that is loaded, updated, paused and updated again, and the table that it asks. */
static void through_a_coordinator_and_a_data_source(void)
{
    fr_view view = cell_updating_view();
    fr_data_source *source = NULL;
    struct screen screen;
    struct view_log log;
    const char *title = NULL;
    fr_cells cells;
    void *cell = NULL;
    memset(&log, 0, sizeof log);
    memset(&cells, 0, sizeof cells);
    cells.struct_size = sizeof cells;
    cells.reuse_identifier = identifier_of;
    cells.dequeue = dequeue;
    cells.configure = configure;
    log.other = &screen;
    log.store = store_with("CREATE TABLE animals(id INTEGER PRIMARY KEY, kind, name);"
                           "INSERT INTO animals VALUES (1, 'ape', 'Abu'), (2, 'ape', 'Bobo'), (3, 'bee', 'Maya')");
    log.list = unfetched_list(log.store, "animals", "kind", "name", NULL);
    CHECK_OK(fr_coordinator_new(&log.coordinator, log.list, &view, 0, &log, NULL));
    CHECK_OK(fr_coordinator_load_data(log.coordinator, true));
    CHECK_VIEW(&log, "reload n3");
    run(log.store, "BEGIN; INSERT INTO animals VALUES (4, 'cat', 'Tom'); DELETE FROM animals WHERE id = 3;"
                   "UPDATE animals SET name = 'Ada' WHERE id = 1; COMMIT");
    CHECK_VIEW(&log, "[ -s1 +s1 ] c0.0(Ada)");
    CHECK_OK(fr_coordinator_set_paused(log.coordinator, true));
    run(log.store, "DELETE FROM animals WHERE kind = 'cat'");
    CHECK_VIEW(&log, "");
    CHECK_OK(fr_coordinator_set_paused(log.coordinator, false));
    CHECK_VIEW(&log, "reload n2");
    CHECK_OK(fr_data_source_new(&source, log.list, &cells, &log, NULL));
    CHECK_OK(fr_data_source_cell(&cell, source, path_at(0, 1)));
    CHECK(cell == &screen);
    CHECK_TEXT(screen.identifier, "apeCell");
    CHECK_TEXT(screen.text, "Bobo");
    CHECK_OK(fr_data_source_set_system_headers(source, true));
    CHECK_OK(fr_data_source_section_title(&title, source, 0));
    CHECK_TEXT(title, "ape");
    fr_data_source_free(source);
    fr_coordinator_free(log.coordinator);
    fr_list_free(log.list);
    CHECK_OK(fr_store_close(log.store));
    text_free(&log.text);
}

/* A list with its coordinator and data source, of an entity and an order; with default cells. */
static void through_an_entity_list(void)
{
    static const fr_sort by_name = {"name", FR_ASCENDING, NULL};
    static const char *const columns[] = {"age", "name"};
    fr_view view = logging_view();
    struct view_log log;
    struct screen screen;
    fr_entity entity;
    fr_cells cells;
    fr_entity_list *list = NULL;
    fr_data_source *source = NULL;
    fr_object *item = NULL;
    const char *text = NULL;
    void *cell = NULL;
    memset(&log, 0, sizeof log);
    memset(&entity, 0, sizeof entity);
    memset(&cells, 0, sizeof cells);
    entity.struct_size = sizeof entity;
    entity.entity = "people";
    entity.sorts = &by_name;
    entity.sort_count = 1;
    cells.struct_size = sizeof cells;
    cells.dequeue = dequeue_default_cell;
    log.other = &screen;
    log.store = store_with("CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'nobody', age INT);"
                           "INSERT INTO people (name, age) VALUES ('Bea', 30), ('Ann', 20), ('Cid', 40)");
    CHECK_OK(fr_cell_new(&screen.cell, columns, 2, NULL, NULL, NULL));
    CHECK_OK(fr_entity_list_new(&list, &entity, &view, &cells, &log, NULL));
    CHECK_OK(fr_entity_list_set_store(list, log.store));
    CHECK_OK(fr_entity_list_list(&log.list, list));
    CHECK_LIST(log.list, "2 1 3");
    CHECK_VIEW(&log, "reload n3");
    run(log.store, "UPDATE people SET name = 'Yan' WHERE name = 'Bea'");
    CHECK_VIEW(&log, "[ 0.1>0.2 ]");
    CHECK_OK(fr_entity_list_add_item(&item, list, NULL, NULL, 0));
    CHECK_TEXT(object_text(item, "name"), "nobody");
    fr_object_unref(item);
    CHECK_OK(fr_entity_list_delete_item(list, path_at(0, 0)));
    CHECK_LIST(log.list, "3 1 4");
    CHECK_OK(fr_entity_list_data_source(&source, list));
    CHECK_OK(fr_data_source_cell(&cell, source, path_at(0, 0)));
    CHECK(cell == screen.cell);
    CHECK_TEXT(screen.identifier, "managedObjectCell");
    CHECK_OK(fr_cell_text(&text, screen.cell, 0));
    CHECK_TEXT(text, "40");
    fr_entity_list_free(list);
    fr_cell_free(screen.cell);
    CHECK_OK(fr_store_close(log.store));
    text_free(&log.text);
}

TESTS(readme_tests) = {
    TEST(through_a_section_map),
    TEST(through_a_collection),
    TEST(through_a_coordinator_and_a_data_source),
    TEST(through_an_entity_list),
    END_OF_TESTS,
};
