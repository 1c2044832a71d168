/*
 * Data sources: what they return, what they request from the program, and cells that configure
 * themselves.
 */
#include <limits.h>
#include <string.h>

#include <fetchedresults/views.h>

#include "fixture.h"
#include "test.h"
#include "text.h"

#define SCHEMA \
    "CREATE TABLE t(id INTEGER PRIMARY KEY, kind, name);" \
    "INSERT INTO t VALUES (1, 'apes', 'x'), (2, 'apes', 'y'), (3, 'bees', 'z'), (4, NULL, 'w');"

/* A view with cells of its own; the library gets pointers to them. */
struct screen {
    struct text log;
    int64_t destroyed;
    int cells[8];
    int used;
    void *visible;
    fr_data_source *source;
    const char *act; /* the callback in which the source is freed; NULL for none */
};

static void acted(struct screen *screen, const char *callback)
{
    CHECK_INT(screen->destroyed, 0);
    if (screen->act != NULL && strcmp(screen->act, callback) == 0) {
        screen->act = NULL;
        fr_data_source_free(screen->source);
    }
}

static const char *reuse_identifier(fr_object *object, fr_index_path path, void *user_data)
{
    struct screen *screen = user_data;
    const char *name;
    text_add(&screen->log, "id%d.%d ", (int)path.section, (int)path.row);
    name = object != NULL && strcmp(object_text(object, "name"), "z") == 0 ? "last" : NULL;
    acted(screen, "reuse_identifier");
    return name;
}

static void *dequeue(const char *identifier, fr_index_path path, void *user_data)
{
    struct screen *screen = user_data;
    text_add(&screen->log, "dequeue %s ", identifier);
    (void)path;
    acted(screen, "dequeue");
    return &screen->cells[screen->used++ % 8];
}

static void *visible_cell(fr_index_path path, void *user_data)
{
    struct screen *screen = user_data;
    (void)path;
    acted(screen, "visible_cell");
    return screen->visible;
}

static void configure(void *cell, fr_object *object, fr_index_path path, void *user_data)
{
    struct screen *screen = user_data;
    CHECK(cell != NULL);
    text_add(&screen->log, "configure %d.%d %s ", (int)path.section, (int)path.row,
             object == NULL ? "blank" : object_text(object, "name"));
    acted(screen, "configure");
}

static const char *supplementary_identifier(const char *kind, fr_index_path path, void *user_data)
{
    (void)path;
    acted(user_data, "supplementary_identifier");
    return strcmp(kind, "header") == 0 ? "big" : NULL;
}

static void *dequeue_supplementary(const char *kind, const char *identifier, fr_index_path path, void *user_data)
{
    struct screen *screen = user_data;
    text_add(&screen->log, "dequeue %s %s %d.%d ", kind, identifier, (int)path.section, (int)path.row);
    acted(screen, "dequeue_supplementary");
    return &screen->cells[0];
}

static void configure_supplementary(void *view, const char *kind, fr_index_path path, void *user_data)
{
    struct screen *screen = user_data;
    (void)view;
    text_add(&screen->log, "configure %s %d ", kind, (int)path.section);
    acted(screen, "configure_supplementary");
}

static fr_cells all_cells(void)
{
    fr_cells cells;
    memset(&cells, 0, sizeof cells);
    cells.struct_size = sizeof cells;
    cells.reuse_identifier = reuse_identifier;
    cells.dequeue = dequeue;
    cells.visible_cell = visible_cell;
    cells.configure = configure;
    cells.supplementary_identifier = supplementary_identifier;
    cells.dequeue_supplementary = dequeue_supplementary;
    cells.configure_supplementary = configure_supplementary;
    return cells;
}

static void destroy_screen(void *user_data)
{
    ((struct screen *)user_data)->destroyed += 1;
}

static fr_list *new_list(fr_store *store)
{
    fr_request *request = request_of("t", "kind", "name", NULL);
    fr_list *list = NULL;
    CHECK_OK(fr_controller_new(&list, store, request));
    fr_request_free(request);
    return list;
}

#define CHECK_SCREEN(screen, expected) \
    do { \
        CHECK_TEXT(text_get(&(screen)->log), expected); \
        text_free(&(screen)->log); \
    } while (0)

static void a_list_that_is_not_fetched_has_one_section_without_rows(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = new_list(store);
    fr_data_source *source = NULL;
    const char *title = "?";
    fr_object *object = NULL;
    void *cell = NULL;
    int64_t count = -1;
    CHECK_OK(fr_data_source_new(&source, list, NULL, NULL, NULL));
    CHECK_OK(fr_data_source_section_count(&count, source));
    CHECK_INT(count, 1);
    CHECK_OK(fr_data_source_row_count(&count, source, 0));
    CHECK_INT(count, 0);
    CHECK_STATUS(fr_data_source_row_count(&count, source, 1), FR_RANGE);
    CHECK_OK(fr_data_source_section_title(&title, source, 0));
    CHECK(title == NULL);
    CHECK_STATUS(fr_data_source_object_at(&object, source, path_at(0, 0)), FR_RANGE);
    CHECK_STATUS(fr_data_source_cell(&cell, source, path_at(0, 0)), FR_RANGE);
    CHECK_OK(fr_list_perform_fetch(list));
    CHECK_OK(fr_data_source_section_count(&count, source));
    CHECK_INT(count, 3);
    CHECK_OK(fr_data_source_row_count(&count, source, 1));
    CHECK_INT(count, 2);
    CHECK_OK(fr_store_close(store));
    CHECK_OK(fr_data_source_section_count(&count, source));
    CHECK_INT(count, 1);
    CHECK_STATUS(fr_data_source_object_at(&object, source, path_at(0, 0)), FR_RANGE);
    fr_list_free(list);
    CHECK_OK(fr_data_source_section_count(&count, source));
    CHECK_INT(count, 1);
    fr_data_source_free(source);
}

static void cells_are_taken_from_the_view_and_configured(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", "kind", "name", NULL);
    fr_cells cells = all_cells();
    struct screen screen;
    fr_data_source *source = NULL;
    fr_object *object = NULL;
    void *cell = NULL;
    memset(&screen, 0, sizeof screen);
    CHECK_OK(fr_data_source_new(&source, list, &cells, &screen, destroy_screen));
    CHECK_OK(fr_data_source_cell(&cell, source, path_at(1, 1)));
    CHECK(cell == &screen.cells[0]);
    CHECK_SCREEN(&screen, "id1.1 dequeue managedObjectCell configure 1.1 y ");
    CHECK_OK(fr_data_source_cell(&cell, source, path_at(2, 0)));
    CHECK(cell == &screen.cells[1]);
    CHECK_SCREEN(&screen, "id2.0 dequeue last configure 2.0 z ");
    CHECK_STATUS(fr_data_source_cell(&cell, source, path_at(2, 1)), FR_RANGE);
    CHECK_STATUS(fr_data_source_cell(&cell, source, path_at(-1, 0)), FR_RANGE);
    CHECK_STATUS(fr_data_source_cell(&cell, source, path_at(INT64_MAX, INT64_MIN)), FR_RANGE);
    CHECK_SCREEN(&screen, "");

    CHECK_OK(fr_data_source_object_at(&object, source, path_at(0, 0)));
    CHECK_OK(fr_data_source_update_visible_cell(source, path_at(0, 0), object));
    CHECK_SCREEN(&screen, "");
    screen.visible = &screen.cells[7];
    CHECK_OK(fr_data_source_update_visible_cell(source, path_at(0, 0), object));
    CHECK_SCREEN(&screen, "configure 0.0 w ");
    CHECK_STATUS(fr_data_source_update_visible_cell(source, path_at(0, 0), NULL), FR_MISUSE);
    fr_object_unref(object);

    CHECK_OK(fr_data_source_supplementary(&cell, source, "header", path_at(2, -1)));
    CHECK(cell == &screen.cells[0]);
    CHECK_SCREEN(&screen, "dequeue header big 2.-1 configure header 2 ");
    CHECK_OK(fr_data_source_supplementary(&cell, source, "footer", path_at(0, 0)));
    CHECK_SCREEN(&screen, "dequeue footer footer 0.0 configure footer 0 ");
    CHECK_STATUS(fr_data_source_supplementary(&cell, source, NULL, path_at(0, 0)), FR_MISUSE);
    CHECK_STATUS(fr_data_source_supplementary(&cell, source, "\xff", path_at(0, 0)), FR_INVALID_UTF8);
    CHECK_STATUS(fr_data_source_supplementary(&cell, source, "x", path_at(INT64_MAX, 0)), FR_RANGE);
    fr_data_source_free(source);
    CHECK_INT(screen.destroyed, 1);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void *no_cell(const char *identifier, fr_index_path path, void *user_data)
{
    (void)identifier;
    (void)path;
    (void)user_data;
    return NULL;
}

static void functions_may_be_missing(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", "kind", "name", NULL);
    fr_cells cells = all_cells();
    struct screen screen;
    fr_data_source *source = NULL;
    fr_object *object = NULL;
    void *cell = &screen;
    memset(&screen, 0, sizeof screen);
    CHECK_OK(fr_data_source_new(&source, list, NULL, NULL, NULL));
    CHECK_OK(fr_data_source_cell(&cell, source, path_at(0, 0)));
    CHECK(cell == NULL);
    CHECK_OK(fr_data_source_supplementary(&cell, source, "header", path_at(0, 0)));
    CHECK(cell == NULL);
    CHECK_OK(fr_data_source_object_at(&object, source, path_at(0, 0)));
    CHECK_OK(fr_data_source_update_visible_cell(source, path_at(0, 0), object));
    fr_object_unref(object);
    fr_data_source_free(source);

    /* No cell: nothing to configure. */
    cells.dequeue = no_cell;
    CHECK_OK(fr_data_source_new(&source, list, &cells, &screen, destroy_screen));
    CHECK_OK(fr_data_source_cell(&cell, source, path_at(0, 0)));
    CHECK(cell == NULL);
    CHECK_SCREEN(&screen, "id0.0 ");
    fr_data_source_free(source);
    cells = all_cells();
    cells.reuse_identifier = NULL;
    cells.configure = NULL;
    CHECK_OK(fr_data_source_new(&source, list, &cells, &screen, NULL));
    screen.destroyed = 0;
    CHECK_OK(fr_data_source_cell(&cell, source, path_at(0, 0)));
    CHECK(cell != NULL);
    CHECK_SCREEN(&screen, "dequeue managedObjectCell ");
    fr_data_source_free(source);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static const char *title_of(fr_data_source *source, int64_t section)
{
    const char *title = "?";
    CHECK_OK(fr_data_source_section_title(&title, source, section));
    return title == NULL ? "-" : title;
}

static void headers_have_totals(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_request *request = request_of("t", NULL, "name", NULL);
    fr_list *list = NULL;
    fr_data_source *source = NULL;
    CHECK_OK(fr_request_set_section(request, "kind", FR_ASCENDING, NULL));
    CHECK_OK(fr_request_add_total(request, "last", FR_TOTAL_MAX, "name"));
    CHECK_OK(fr_request_add_total(request, "ids", FR_TOTAL_SUM, "id"));
    CHECK_OK(fr_request_add_total(request, "none", FR_TOTAL_MIN, "nullif(id, id)"));
    CHECK_OK(fr_controller_new(&list, store, request));
    fr_request_free(request);
    CHECK_OK(fr_data_source_new(&source, list, NULL, NULL, NULL));
    CHECK_OK(fr_data_source_set_section_title_format(source, "{name}: {count}, {ids}/{last}"));
    CHECK_TEXT(title_of(source, 0), ": 0, {ids}/{last}");
    CHECK_OK(fr_list_perform_fetch(list));
    CHECK_TEXT(title_of(source, 0), ": 1, 4/w");
    CHECK_TEXT(title_of(source, 1), "apes: 2, 3/y");
    CHECK_OK(fr_store_execute(store, "UPDATE t SET name = 'zoo' WHERE id = 1", NULL, 0));
    CHECK_TEXT(title_of(source, 1), "apes: 2, 3/zoo");
    CHECK_OK(fr_data_source_set_default_section_title(source, "Others"));
    CHECK_TEXT(title_of(source, 0), "Others: 1, 4/w");
    CHECK_OK(fr_data_source_set_section_title_format(source, "{{{count}}} {x} {none}{} {last {"));
    CHECK_TEXT(title_of(source, 2), "{1} {x} {} {last {");
    CHECK_STATUS(fr_data_source_set_section_title_format(source, "\xff"), FR_INVALID_UTF8);
    CHECK_OK(fr_data_source_set_section_title_format(source, NULL));
    CHECK_TEXT(title_of(source, 2), "Others");
    fr_data_source_free(source);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void headers_and_index(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", "kind", "name", NULL);
    fr_data_source *source = NULL;
    const char *title = NULL;
    int64_t number = -1;
    CHECK_OK(fr_data_source_new(&source, list, NULL, NULL, NULL));
    CHECK_TEXT(title_of(source, 1), "-");
    CHECK_OK(fr_data_source_set_system_headers(source, true));
    CHECK_TEXT(title_of(source, 0), "-");
    CHECK_TEXT(title_of(source, 1), "apes");
    CHECK_OK(fr_data_source_set_default_section_title(source, "Others"));
    CHECK_TEXT(title_of(source, 0), "Others");
    CHECK_TEXT(title_of(source, 2), "bees");
    CHECK_OK(fr_data_source_set_system_headers(source, false));
    CHECK_TEXT(title_of(source, 2), "Others");
    CHECK_OK(fr_data_source_set_default_section_title(source, NULL));
    CHECK_TEXT(title_of(source, 2), "-");
    CHECK_STATUS(fr_data_source_section_title(&title, source, 3), FR_RANGE);
    CHECK_STATUS(fr_data_source_section_title(&title, source, -1), FR_RANGE);
    CHECK_STATUS(fr_data_source_set_default_section_title(source, "\xff"), FR_INVALID_UTF8);

    CHECK_OK(fr_data_source_index_title_count(&number, source));
    CHECK_INT(number, 0);
    CHECK_STATUS(fr_data_source_index_title(&title, source, 0), FR_RANGE);
    CHECK_OK(fr_data_source_set_table_index(source, true));
    CHECK_OK(fr_data_source_index_title_count(&number, source));
    CHECK_INT(number, 2);
    CHECK_OK(fr_data_source_index_title(&title, source, 1));
    CHECK_TEXT(title, "B");
    CHECK_STATUS(fr_data_source_index_title(&title, source, 2), FR_RANGE);
    CHECK_OK(fr_data_source_section_for_index_title(&number, source, "B", 1));
    CHECK_INT(number, 2);
    CHECK_STATUS(fr_data_source_section_for_index_title(&number, source, "B", 0), FR_NOT_FOUND);
    CHECK_STATUS(fr_data_source_section_for_index_title(&number, source, "B", INT64_MIN), FR_NOT_FOUND);
    CHECK_STATUS(fr_data_source_section_for_index_title(&number, source, "Q", 0), FR_NOT_FOUND);
    CHECK_STATUS(fr_data_source_section_for_index_title(&number, source, NULL, 0), FR_MISUSE);
    CHECK_STATUS(fr_data_source_section_for_index_title(&number, source, "\xff", 0), FR_INVALID_UTF8);
    fr_data_source_free(source);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void selecting(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", "kind", "name", NULL);
    fr_data_source *source = NULL;
    fr_object *objects[4] = {NULL, NULL, NULL, NULL};
    fr_index_path paths[4];
    size_t count = 9, unknown = 9;
    paths[0] = path_at(1, 1);
    paths[1] = path_at(9, 9);
    paths[2] = path_at(INT64_MIN, INT64_MAX);
    paths[3] = path_at(0, 0);
    CHECK_OK(fr_data_source_new(&source, list, NULL, NULL, NULL));
    CHECK_OK(fr_data_source_selected_objects(objects, &count, source, paths, 4));
    CHECK_INT(count, 2);
    CHECK_TEXT(object_text(objects[0], "name"), "y");
    CHECK_TEXT(object_text(objects[1], "name"), "w");
    CHECK(objects[2] == NULL);
    run(store, "DELETE FROM t WHERE id = 4");
    CHECK_OK(fr_data_source_select_objects(paths, &unknown, source, objects, 2));
    CHECK_INT(unknown, 1);
    CHECK(paths[0].section == 0 && paths[0].row == 1);
    CHECK(paths[1].section == -1 && paths[1].row == -1);
    CHECK_OK(fr_data_source_select_objects(paths, NULL, source, objects, 1));

    CHECK_OK(fr_data_source_selected_objects(NULL, NULL, source, NULL, 0));
    CHECK_OK(fr_data_source_select_objects(NULL, NULL, source, NULL, 0));
    CHECK_STATUS(fr_data_source_selected_objects(NULL, &count, source, paths, 1), FR_MISUSE);
    CHECK_STATUS(fr_data_source_selected_objects(objects, &count, source, NULL, 1), FR_MISUSE);
    CHECK_STATUS(fr_data_source_select_objects(NULL, &unknown, source, objects, 1), FR_MISUSE);
    CHECK_STATUS(fr_data_source_select_objects(paths, &unknown, source, NULL, 1), FR_MISUSE);
    CHECK_STATUS(fr_data_source_select_objects(paths, &unknown, source, objects, 3), FR_MISUSE);
    CHECK_STATUS(fr_data_source_selected_objects(objects, &count, source, paths, SIZE_MAX), FR_RANGE);
    CHECK_STATUS(fr_data_source_select_objects(paths, &unknown, source, objects, SIZE_MAX / 2), FR_RANGE);
    fr_object_unref(objects[0]);
    fr_object_unref(objects[1]);
    fr_data_source_free(source);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void an_array_is_one_section_with_the_same_interface(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", "kind", "name", NULL);
    fr_cells cells = all_cells();
    struct screen screen;
    fr_data_source *source = NULL, *other = NULL;
    fr_object *objects[3] = {NULL, NULL, NULL}, *object = NULL;
    fr_index_path path;
    void *cell = NULL;
    int64_t count = -1;
    memset(&screen, 0, sizeof screen);
    CHECK_OK(fr_list_object_at(&objects[0], list, path_at(2, 0)));
    CHECK_OK(fr_list_object_at(&objects[1], list, path_at(0, 0)));
    CHECK_OK(fr_data_source_new_array(&source, objects, 2, &cells, &screen, destroy_screen));
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
    CHECK_OK(fr_data_source_section_count(&count, source));
    CHECK_INT(count, 1);
    CHECK_OK(fr_data_source_row_count(&count, source, 0));
    CHECK_INT(count, 2);
    CHECK_OK(fr_data_source_object_at(&object, source, path_at(0, 1)));
    CHECK_TEXT(object_text(object, "name"), "w");
    CHECK_OK(fr_data_source_index_path_of(&path, source, object));
    CHECK_INT(path.row, 1);
    CHECK_STATUS(fr_data_source_index_path_of(&path, source, NULL), FR_NOT_FOUND);
    CHECK_STATUS(fr_data_source_object_at(&object, source, path_at(0, 2)), FR_RANGE);
    CHECK_STATUS(fr_data_source_object_at(&object, source, path_at(1, 0)), FR_RANGE);
    CHECK_OK(fr_data_source_cell(&cell, source, path_at(0, 0)));
    CHECK_SCREEN(&screen, "id0.0 dequeue last configure 0.0 z ");
    CHECK_OK(fr_data_source_set_system_headers(source, true));
    CHECK_TEXT(title_of(source, 0), "-");
    CHECK_OK(fr_data_source_new_array(&other, NULL, 0, NULL, NULL, NULL));
    CHECK_OK(fr_data_source_row_count(&count, other, 0));
    CHECK_INT(count, 0);
    fr_data_source_free(other);
    CHECK_STATUS(fr_data_source_new_array(&other, NULL, 1, NULL, NULL, NULL), FR_MISUSE);
    CHECK_STATUS(fr_data_source_new_array(&other, objects, 3, NULL, NULL, NULL), FR_MISUSE);
    CHECK_STATUS(fr_data_source_new_array(&other, objects, SIZE_MAX, NULL, NULL, NULL), FR_RANGE);
    fr_object_unref(object);
    fr_object_unref(objects[0]);
    fr_object_unref(objects[1]);
    fr_data_source_free(source);
    CHECK_INT(screen.destroyed, 1);
}

static void a_picker_can_have_a_blank_row(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", "kind", "name", NULL);
    fr_cells cells = all_cells();
    struct screen screen;
    fr_data_source *plain = NULL, *blank = NULL;
    fr_object *objects[5] = {NULL};
    fr_index_path path, paths[5];
    void *cell = NULL;
    int64_t count = -1;
    size_t found = 0;
    int row;
    memset(&screen, 0, sizeof screen);
    CHECK_OK(fr_data_source_new_picker(&plain, list, false, NULL, NULL, NULL));
    CHECK_OK(fr_data_source_new_picker(&blank, list, true, &cells, &screen, destroy_screen));
    CHECK_OK(fr_data_source_section_count(&count, blank));
    CHECK_INT(count, 1);
    CHECK_OK(fr_data_source_row_count(&count, plain, 0));
    CHECK_INT(count, 4);
    CHECK_OK(fr_data_source_row_count(&count, blank, 0));
    CHECK_INT(count, 5);
    CHECK_OK(fr_data_source_object_at(&objects[0], plain, path_at(0, 3)));
    CHECK_TEXT(object_text(objects[0], "name"), "z");
    CHECK_OK(fr_data_source_index_path_of(&path, blank, objects[0]));
    CHECK_INT(path.row, 4);
    fr_object_unref(objects[0]);
    CHECK_STATUS(fr_data_source_object_at(&objects[0], blank, path_at(0, 0)), FR_NOT_FOUND);
    CHECK_STATUS(fr_data_source_object_at(&objects[0], blank, path_at(0, 5)), FR_RANGE);
    CHECK_STATUS(fr_data_source_object_at(&objects[0], plain, path_at(0, -1)), FR_RANGE);
    CHECK_OK(fr_data_source_index_path_of(&path, blank, NULL));
    CHECK_INT(path.row, 0);
    CHECK_STATUS(fr_data_source_index_path_of(&path, plain, NULL), FR_NOT_FOUND);
    CHECK_OK(fr_data_source_cell(&cell, blank, path_at(0, 0)));
    CHECK_SCREEN(&screen, "id0.0 dequeue managedObjectCell configure 0.0 blank ");
    for (row = 0; row < 5; row++) {
        paths[row] = path_at(0, row);
    }
    CHECK_OK(fr_data_source_selected_objects(objects, &found, blank, paths, 5));
    CHECK_INT(found, 4);
    while (found > 0) {
        fr_object_unref(objects[--found]);
    }
    fr_data_source_free(plain);
    fr_data_source_free(blank);
    CHECK_INT(screen.destroyed, 1);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

/* No other callback is called then, and destroy waits for the end of the callback. */
static void freeing_the_source_in_a_callback(void)
{
    static const char *const callbacks[] = {"reuse_identifier",
                                            "dequeue",
                                            "configure",
                                            "visible_cell",
                                            "supplementary_identifier",
                                            "dequeue_supplementary",
                                            "configure_supplementary",
                                            NULL};
    static const char *const expected[] = {"id0.0 ",
                                           "id0.0 dequeue managedObjectCell ",
                                           "id0.0 dequeue managedObjectCell configure 0.0 w ",
                                           "",
                                           "",
                                           "dequeue x x 0.0 ",
                                           "dequeue x x 0.0 configure x 0 "};
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", "kind", "name", NULL);
    fr_cells cells = all_cells();
    int index;
    for (index = 0; callbacks[index] != NULL; index++) {
        struct screen screen;
        fr_object *object = NULL;
        void *cell = NULL;
        memset(&screen, 0, sizeof screen);
        screen.act = callbacks[index];
        screen.visible = &screen;
        CHECK_OK(fr_data_source_new(&screen.source, list, &cells, &screen, destroy_screen));
        CHECK_OK(fr_list_object_at(&object, list, path_at(0, 0)));
        if (index < 3) {
            CHECK_OK(fr_data_source_cell(&cell, screen.source, path_at(0, 0)));
        } else if (index == 3) {
            CHECK_OK(fr_data_source_update_visible_cell(screen.source, path_at(0, 0), object));
        } else {
            CHECK_OK(fr_data_source_supplementary(&cell, screen.source, "x", path_at(0, 0)));
        }
        fr_object_unref(object);
        CHECK(screen.act == NULL);
        CHECK_INT(screen.destroyed, 1);
        CHECK_SCREEN(&screen, expected[index]);
        CHECK_STATUS(fr_data_source_cell(&cell, screen.source, path_at(0, 0)), FR_MISUSE);
    }
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

/* Cells that configure themselves. */

struct drawn {
    struct text log;
    int64_t destroyed;
    bool frees;
};

static void draw(fr_cell *cell, void *user_data)
{
    struct drawn *drawn = user_data;
    int64_t count = 0, index;
    CHECK_OK(fr_cell_column_count(&count, cell));
    for (index = 0; index < count; index++) {
        const char *text = NULL;
        CHECK_OK(fr_cell_text(&text, cell, index));
        text_add(&drawn->log, "%s|", text);
    }
    if (drawn->frees) {
        fr_cell_free(cell);
        CHECK_INT(drawn->destroyed, 0);
    }
}

static void destroy_drawn(void *user_data)
{
    ((struct drawn *)user_data)->destroyed += 1;
}

static void a_cell_shows_the_columns_that_it_was_made_with(void)
{
    static const char *const columns[] = {"name", "kind", "none"};
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", "kind", "name", NULL);
    struct drawn drawn;
    fr_cell *cell = NULL;
    fr_object *object = NULL, *same = NULL;
    fr_value value = fr_integer(7);
    const char *text = NULL;
    int64_t count = 0;
    memset(&drawn, 0, sizeof drawn);
    CHECK_OK(fr_cell_new(&cell, columns, 3, draw, &drawn, destroy_drawn));
    CHECK_OK(fr_cell_column_count(&count, cell));
    CHECK_INT(count, 3);
    CHECK_STATUS(fr_cell_object(&same, cell), FR_NOT_FOUND);
    CHECK_STATUS(fr_cell_value(&value, cell, 0), FR_NOT_FOUND);
    CHECK_OK(fr_cell_text(&text, cell, 0));
    CHECK_TEXT(text, "");
    CHECK_OK(fr_list_object_at(&object, list, path_at(1, 1)));
    CHECK_OK(fr_cell_set_object(cell, object));
    CHECK_TEXT(text_get(&drawn.log), "y|apes||");
    CHECK_OK(fr_cell_value(&value, cell, 0));
    CHECK_TEXT(value_text(value), "y");
    CHECK_STATUS(fr_cell_value(&value, cell, 2), FR_SCHEMA);
    CHECK_STATUS(fr_cell_value(&value, cell, 3), FR_RANGE);
    CHECK_STATUS(fr_cell_value(&value, cell, INT64_MIN), FR_RANGE);
    CHECK_STATUS(fr_cell_text(&text, cell, -1), FR_RANGE);
    CHECK_OK(fr_cell_object(&same, cell));
    CHECK_TEXT(object_text(same, "name"), "y");
    fr_object_unref(same);
    fr_object_unref(object);
    CHECK_OK(fr_cell_set_object(cell, NULL));
    CHECK_TEXT(text_get(&drawn.log), "y|apes|||||");
    fr_cell_free(cell);
    CHECK_INT(drawn.destroyed, 1);
    CHECK_STATUS(fr_cell_set_object(cell, NULL), FR_MISUSE);
    CHECK_STATUS(fr_cell_new(&cell, NULL, 1, NULL, &drawn, destroy_drawn), FR_MISUSE);
    CHECK_STATUS(fr_cell_new(&cell, columns, SIZE_MAX, NULL, &drawn, destroy_drawn), FR_RANGE);
    CHECK_STATUS(fr_cell_new(NULL, columns, 1, NULL, &drawn, destroy_drawn), FR_MISUSE);
    CHECK_INT(drawn.destroyed, 4);
    text_free(&drawn.log);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void freeing_a_cell_while_it_draws(void)
{
    static const char *const columns[] = {"name"};
    struct drawn drawn;
    fr_cell *cell = NULL;
    memset(&drawn, 0, sizeof drawn);
    drawn.frees = true;
    CHECK_OK(fr_cell_new(&cell, columns, 1, draw, &drawn, destroy_drawn));
    CHECK_OK(fr_cell_set_object(cell, NULL));
    CHECK_INT(drawn.destroyed, 1);
    text_free(&drawn.log);
}

static void *dequeue_own(const char *identifier, fr_index_path path, void *user_data)
{
    (void)identifier;
    (void)path;
    return *(fr_cell **)user_data;
}

/* Without `configure`, the object of a cell of the library's own is set. */
static void cells_configure_themselves(void)
{
    static const char *const columns[] = {"name"};
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", "kind", "name", NULL);
    fr_cells cells;
    fr_cell *cell = NULL;
    fr_data_source *source = NULL;
    void *taken = NULL;
    const char *text = NULL;
    memset(&cells, 0, sizeof cells);
    cells.struct_size = sizeof cells;
    cells.dequeue = dequeue_own;
    CHECK_OK(fr_cell_new(&cell, columns, 1, NULL, NULL, NULL));
    CHECK_OK(fr_data_source_new(&source, list, &cells, &cell, NULL));
    CHECK_OK(fr_data_source_cell(&taken, source, path_at(2, 0)));
    CHECK(taken == cell);
    CHECK_OK(fr_cell_text(&text, cell, 0));
    CHECK_TEXT(text, "z");
    fr_data_source_free(source);
    fr_cell_free(cell);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void bad_handles(void)
{
    static const char *const columns[] = {"name"};
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", "kind", "name", NULL);
    fr_cells cells = all_cells();
    struct screen screen;
    fr_data_source *source = NULL;
    fr_cell *cell = NULL;
    fr_object *object = NULL;
    void *handles[4], *taken = NULL;
    fr_index_path path = {7, 7};
    fr_value value;
    const char *text = NULL;
    int64_t number = 7;
    size_t count = 7, index;
    memset(&screen, 0, sizeof screen);
    CHECK_OK(fr_data_source_new(&source, list, NULL, NULL, NULL));
    CHECK_OK(fr_cell_new(&cell, columns, 1, NULL, NULL, NULL));
    fr_data_source_free(source);
    fr_cell_free(cell);
    handles[0] = NULL;
    handles[1] = source;
    handles[2] = list;
    handles[3] = cell;
    for (index = 0; index < 4; index++) {
        fr_data_source *bad = handles[index];
        fr_cell *bad_cell = handles[index];
        CHECK_STATUS(fr_data_source_section_count(&number, bad), FR_MISUSE);
        CHECK_STATUS(fr_data_source_row_count(&number, bad, 0), FR_MISUSE);
        CHECK_STATUS(fr_data_source_object_at(&object, bad, path_at(0, 0)), FR_MISUSE);
        CHECK_STATUS(fr_data_source_index_path_of(&path, bad, NULL), FR_MISUSE);
        CHECK_STATUS(fr_data_source_cell(&taken, bad, path_at(0, 0)), FR_MISUSE);
        CHECK_STATUS(fr_data_source_update_visible_cell(bad, path_at(0, 0), NULL), FR_MISUSE);
        CHECK_STATUS(fr_data_source_supplementary(&taken, bad, "x", path_at(0, 0)), FR_MISUSE);
        CHECK_STATUS(fr_data_source_set_system_headers(bad, true), FR_MISUSE);
        CHECK_STATUS(fr_data_source_set_default_section_title(bad, NULL), FR_MISUSE);
        CHECK_STATUS(fr_data_source_set_section_title_format(bad, NULL), FR_MISUSE);
        CHECK_STATUS(fr_data_source_set_table_index(bad, true), FR_MISUSE);
        CHECK_STATUS(fr_data_source_section_title(&text, bad, 0), FR_MISUSE);
        CHECK_STATUS(fr_data_source_index_title_count(&number, bad), FR_MISUSE);
        CHECK_STATUS(fr_data_source_index_title(&text, bad, 0), FR_MISUSE);
        CHECK_STATUS(fr_data_source_section_for_index_title(&number, bad, "x", 0), FR_MISUSE);
        CHECK_STATUS(fr_data_source_selected_objects(NULL, &count, bad, NULL, 0), FR_MISUSE);
        CHECK_STATUS(fr_data_source_select_objects(NULL, &count, bad, NULL, 0), FR_MISUSE);
        CHECK_STATUS(fr_cell_set_object(bad_cell, NULL), FR_MISUSE);
        CHECK_STATUS(fr_cell_object(&object, bad_cell), FR_MISUSE);
        CHECK_STATUS(fr_cell_column_count(&number, bad_cell), FR_MISUSE);
        CHECK_STATUS(fr_cell_value(&value, bad_cell, 0), FR_MISUSE);
        CHECK_STATUS(fr_cell_text(&text, bad_cell, 0), FR_MISUSE);
        fr_data_source_free(bad);
        fr_cell_free(bad_cell);
    }
    CHECK(number == 7 && count == 7 && path.row == 7 && object == NULL && taken == NULL && text == NULL);

    CHECK_STATUS(fr_data_source_new(NULL, list, &cells, &screen, destroy_screen), FR_MISUSE);
    CHECK_STATUS(fr_data_source_new(&source, NULL, &cells, &screen, destroy_screen), FR_MISUSE);
    CHECK_STATUS(fr_data_source_new_picker(&source, NULL, true, &cells, &screen, destroy_screen), FR_MISUSE);
    cells.struct_size -= 1;
    CHECK_STATUS(fr_data_source_new(&source, list, &cells, &screen, destroy_screen), FR_RANGE);
    CHECK_STATUS(fr_data_source_new_array(&source, NULL, 0, &cells, &screen, destroy_screen), FR_RANGE);
    CHECK_INT(screen.destroyed, 5);

    CHECK_OK(fr_data_source_new(&source, list, NULL, NULL, NULL));
    CHECK_OK(fr_cell_new(&cell, columns, 1, NULL, NULL, NULL));
    CHECK_STATUS(fr_data_source_section_count(NULL, source), FR_MISUSE);
    CHECK_STATUS(fr_data_source_row_count(NULL, source, 0), FR_MISUSE);
    CHECK_STATUS(fr_data_source_object_at(NULL, source, path_at(0, 0)), FR_MISUSE);
    CHECK_STATUS(fr_data_source_index_path_of(NULL, source, NULL), FR_MISUSE);
    CHECK_STATUS(fr_data_source_cell(NULL, source, path_at(0, 0)), FR_MISUSE);
    CHECK_STATUS(fr_data_source_supplementary(NULL, source, "x", path_at(0, 0)), FR_MISUSE);
    CHECK_STATUS(fr_data_source_section_title(NULL, source, 0), FR_MISUSE);
    CHECK_STATUS(fr_data_source_index_title_count(NULL, source), FR_MISUSE);
    CHECK_STATUS(fr_data_source_index_title(NULL, source, 0), FR_MISUSE);
    CHECK_STATUS(fr_data_source_section_for_index_title(NULL, source, "x", 0), FR_MISUSE);
    CHECK_STATUS(fr_cell_object(NULL, cell), FR_MISUSE);
    CHECK_STATUS(fr_cell_column_count(NULL, cell), FR_MISUSE);
    CHECK_STATUS(fr_cell_value(NULL, cell, 0), FR_MISUSE);
    CHECK_STATUS(fr_cell_text(NULL, cell, 0), FR_MISUSE);
    CHECK_STATUS(fr_cell_set_object(cell, (fr_object *)(void *)list), FR_MISUSE);
    fr_data_source_free(source);
    fr_cell_free(cell);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

TESTS(data_source_tests) = {
    TEST(a_list_that_is_not_fetched_has_one_section_without_rows),
    TEST(cells_are_taken_from_the_view_and_configured),
    TEST(functions_may_be_missing),
    TEST(headers_and_index),
    TEST(headers_have_totals),
    TEST(selecting),
    TEST(an_array_is_one_section_with_the_same_interface),
    TEST(a_picker_can_have_a_blank_row),
    TEST(freeing_the_source_in_a_callback),
    TEST(a_cell_shows_the_columns_that_it_was_made_with),
    TEST(freeing_a_cell_while_it_draws),
    TEST(cells_configure_themselves),
    TEST(bad_handles),
    END_OF_TESTS,
};
