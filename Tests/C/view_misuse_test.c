/*
 * Mistakes of programs with views, cells and selections: they are documented, nothing crashes, and
 * nothing is lost.
 */
#include <limits.h>
#include <string.h>

#include "fixture.h"
#include "test.h"
#include "view_log.h"

#define SCHEMA \
    "CREATE TABLE t(id INTEGER PRIMARY KEY, kind, name); CREATE TABLE u(id INTEGER PRIMARY KEY, name);" \
    "INSERT INTO t VALUES (1, 'a', 'x'), (2, 'a', 'y'), (3, 'b', 'z'); INSERT INTO u VALUES (1, 'one');"

static void leave(struct view_log *log)
{
    fr_coordinator_free(log->coordinator);
    fr_list_free(log->list);
    CHECK_OK(fr_store_close(log->store));
    text_free(&log->text);
}

static void stage(struct view_log *log, fr_view view, uint32_t flags)
{
    memset(log, 0, sizeof *log);
    log->store = store_with(SCHEMA);
    log->list = list_of(log->store, "t", "kind", "name", NULL);
    CHECK_OK(fr_coordinator_new(&log->coordinator, log->list, &view, flags, log, NULL));
    CHECK_OK(fr_coordinator_load_data(log->coordinator, true));
}

/* Nothing is called in place of a reload; all the rest is delivered as usual. */
static void a_view_without_reload(void)
{
    fr_view view = logging_view();
    struct view_log log;
    view.reload = NULL;
    stage(&log, view, 0);
    CHECK_VIEW(&log, "n3");
    run(log.store, "DELETE FROM t WHERE id = 1");
    CHECK_VIEW(&log, "[ -0.0 ] n2");
    CHECK_OK(fr_coordinator_set_paused(log.coordinator, true));
    run(log.store, "INSERT INTO t VALUES (4, 'c', 'w')");
    CHECK_OK(fr_coordinator_set_paused(log.coordinator, false));
    CHECK_OK(fr_controller_pause(log.list));
    CHECK_OK(fr_controller_resume(log.list, true));
    CHECK_VIEW(&log, "n3");
    run(log.store, "UPDATE t SET name = 'ww' WHERE id = 4");
    CHECK_VIEW(&log, "[ r2.0>2.0 ]");
    leave(&log);
    view.delete_sections = NULL;
    stage(&log, view, FR_VIEW_DIFFERENCE);
    CHECK_VIEW(&log, "n3");
    run(log.store, "DELETE FROM t WHERE id = 3");
    CHECK_VIEW(&log, "n2");
    run(log.store, "DELETE FROM t WHERE id = 2");
    CHECK_VIEW(&log, "[ -0.1 ] n1");
    leave(&log);
}

/* Cells. */

struct screen {
    struct text log;
    void *cell;
};

static const char *no_identifier(fr_object *object, fr_index_path path, void *user_data)
{
    (void)object;
    (void)path;
    (void)user_data;
    return NULL;
}

static const char *strange_identifier(fr_object *object, fr_index_path path, void *user_data)
{
    (void)object;
    (void)path;
    (void)user_data;
    return "\xff";
}

static void *given_cell(const char *identifier, fr_index_path path, void *user_data)
{
    struct screen *screen = user_data;
    (void)path;
    text_add(&screen->log, "%s ", identifier);
    return screen->cell;
}

static void *visible_cell(fr_index_path path, void *user_data)
{
    (void)path;
    return ((struct screen *)user_data)->cell;
}

static void configure(void *cell, fr_object *object, fr_index_path path, void *user_data)
{
    (void)cell;
    (void)object;
    (void)path;
    text_add(&((struct screen *)user_data)->log, "configure ");
}

static const char *no_supplementary_identifier(const char *kind, fr_index_path path, void *user_data)
{
    (void)kind;
    (void)path;
    (void)user_data;
    return NULL;
}

static void *given_supplementary(const char *kind, const char *identifier, fr_index_path path, void *user_data)
{
    (void)kind;
    return given_cell(identifier, path, user_data);
}

static void configure_supplementary(void *view, const char *kind, fr_index_path path, void *user_data)
{
    (void)kind;
    configure(view, NULL, path, user_data);
}

static fr_cells cells_of(struct screen *screen, void *cell)
{
    fr_cells cells;
    memset(screen, 0, sizeof *screen);
    screen->cell = cell;
    memset(&cells, 0, sizeof cells);
    cells.struct_size = sizeof cells;
    cells.reuse_identifier = no_identifier;
    cells.dequeue = given_cell;
    cells.visible_cell = visible_cell;
    cells.configure = configure;
    cells.supplementary_identifier = no_supplementary_identifier;
    cells.dequeue_supplementary = given_supplementary;
    cells.configure_supplementary = configure_supplementary;
    return cells;
}

/* NULL is passed on, and not configured. */
static void a_cell_callback_that_returns_null(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", NULL, NULL, NULL);
    struct screen screen;
    fr_cells cells = cells_of(&screen, NULL);
    fr_data_source *source = NULL;
    fr_object *object = NULL;
    void *cell = &screen;
    CHECK_OK(fr_data_source_new(&source, list, &cells, &screen, NULL));
    CHECK_OK(fr_data_source_cell(&cell, source, path_at(0, 0)));
    CHECK(cell == NULL);
    cell = &screen;
    CHECK_OK(fr_data_source_supplementary(&cell, source, "header", path_at(0, 0)));
    CHECK(cell == NULL);
    CHECK_OK(fr_data_source_object_at(&object, source, path_at(0, 0)));
    CHECK_OK(fr_data_source_update_visible_cell(source, path_at(0, 0), object));
    CHECK_TEXT(text_get(&screen.log), "managedObjectCell header ");
    text_free(&screen.log);
    fr_object_unref(object);
    fr_data_source_free(source);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void an_identifier_that_is_no_utf8(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", NULL, NULL, NULL);
    struct screen screen;
    fr_cells cells = cells_of(&screen, &screen);
    fr_data_source *source = NULL;
    void *cell = NULL;
    cells.reuse_identifier = strange_identifier;
    CHECK_OK(fr_data_source_new(&source, list, &cells, &screen, NULL));
    CHECK_OK(fr_data_source_cell(&cell, source, path_at(0, 0)));
    CHECK_TEXT(text_get(&screen.log), "\xef\xbf\xbd configure ");
    text_free(&screen.log);
    fr_data_source_free(source);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

/* Without `configure`, the object is set only for an fr_cell. */
static void a_cell_that_is_another_handle_or_none(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", NULL, NULL, NULL);
    void *strange[5];
    fr_cell *freed = NULL;
    size_t index;
    CHECK_OK(fr_cell_new(&freed, NULL, 0, NULL, NULL, NULL));
    fr_cell_free(freed);
    strange[0] = list;
    strange[1] = store;
    strange[2] = freed;
    strange[3] = (void *)(uintptr_t)1;
    strange[4] = (void *)UINTPTR_MAX;
    for (index = 0; index < 5; index++) {
        struct screen screen;
        fr_cells cells = cells_of(&screen, strange[index]);
        fr_data_source *source = NULL;
        void *cell = NULL;
        cells.configure = NULL;
        CHECK_OK(fr_data_source_new(&source, list, &cells, &screen, NULL));
        CHECK_OK(fr_data_source_cell(&cell, source, path_at(0, 0)));
        CHECK(cell == strange[index]);
        text_free(&screen.log);
        fr_data_source_free(source);
    }
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

/* Selections. */

static void a_selection_of_unknown_objects(void)
{
    fr_store *store = store_with(SCHEMA), *other = store_with(SCHEMA "DELETE FROM t WHERE id < 3");
    fr_list *list = list_of(store, "t", "kind", "name", NULL), *strangers = list_of(store, "u", NULL, NULL, NULL);
    fr_list *others = list_of(other, "t", NULL, NULL, NULL);
    fr_data_source *source = NULL;
    fr_object *objects[5], *found[2];
    fr_index_path paths[5];
    size_t count = 0, unknown = 0, index;
    CHECK_OK(fr_data_source_new(&source, list, NULL, NULL, NULL));
    CHECK_OK(fr_list_object_at(&objects[0], list, path_at(0, 1)));
    CHECK_OK(fr_list_object_at(&objects[1], list, path_at(0, 0)));
    CHECK_OK(fr_list_object_at(&objects[2], strangers, path_at(0, 0)));
    objects[3] = objects[0];
    /* An object of the same row of another database is an object of that row. */
    CHECK_OK(fr_list_object_at(&objects[4], others, path_at(0, 0)));
    run(store, "DELETE FROM t WHERE id = 1");
    CHECK_OK(fr_data_source_select_objects(paths, &unknown, source, objects, 5));
    CHECK_INT(unknown, 2);
    CHECK(paths[0].section == 0 && paths[0].row == 0);
    CHECK(paths[1].section == -1 && paths[1].row == -1);
    CHECK(paths[2].section == -1 && paths[2].row == -1);
    CHECK(paths[3].section == 0 && paths[3].row == 0);
    CHECK(paths[4].section == 1 && paths[4].row == 0);

    /*
     * Paths that don't exist are left out; an object whose path is given twice is returned twice.
     */
    paths[1] = path_at(0, 1);
    paths[2] = path_at(INT64_MIN, -1);
    paths[4] = path_at(2, 0);
    CHECK_OK(fr_data_source_selected_objects(found, &count, source, paths, 5));
    CHECK_INT(count, 2);
    CHECK_TEXT(object_text(found[0], "name"), "y");
    CHECK_TEXT(object_text(found[1], "name"), "y");
    fr_object_unref(found[0]);
    fr_object_unref(found[1]);

    CHECK_OK(fr_store_close(store));
    CHECK_OK(fr_data_source_select_objects(paths, &unknown, source, objects, 5));
    CHECK_INT(unknown, 5);
    CHECK_OK(fr_data_source_selected_objects(found, &count, source, paths, 2));
    CHECK_INT(count, 0);
    for (index = 0; index < 5; index++) {
        if (index != 3) {
            fr_object_unref(objects[index]);
        }
    }
    fr_data_source_free(source);
    fr_list_free(list);
    fr_list_free(strangers);
    fr_list_free(others);
    CHECK_OK(fr_store_close(other));
}

/* Objects of a callback belong to the library: releasing them there is refused or has no effect. */

static void unref_object(fr_coordinator *coordinator, fr_index_path path, fr_object *object, void *user_data)
{
    struct view_log *log = user_data;
    fr_object *kept = fr_object_ref(object);
    (void)coordinator;
    (void)path;
    fr_object_unref(object);
    fr_object_unref(kept);
    fr_object_unref(object);
    text_add(&log->text, "c ");
}

static void an_object_that_is_released_though_it_was_borrowed(void)
{
    fr_view view = logging_view();
    struct view_log log;
    view.update_cell = unref_object;
    stage(&log, view, 0);
    run(log.store, "UPDATE t SET name = name || '!'");
    run(log.store, "DELETE FROM t WHERE id = 1");
    CHECK_VIEW(&log, "reload n3 c c c [ -0.0 ] n2");
    CHECK_CONTENTS(log.list, "a: 2(2, a, y!) | b: 3(3, b, z!)");
    leave(&log);
}

TESTS(view_misuse_tests) = {
    TEST(a_view_without_reload),
    TEST(a_cell_callback_that_returns_null),
    TEST(an_identifier_that_is_no_utf8),
    TEST(a_cell_that_is_another_handle_or_none),
    TEST(a_selection_of_unknown_objects),
    TEST(an_object_that_is_released_though_it_was_borrowed),
    END_OF_TESTS,
};
