/* The table: cells, batches, the selection, and a comparison with a fresh read. */
#define _DEFAULT_SOURCE
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arrival {
    fr_index_path path;
    struct cell *cell;
};

/* Marks the place that a row has left during a batch. */
static struct cell gap;

static void *resized(void *memory, size_t count, size_t size)
{
    void *result = realloc(memory, (count > 0 ? count : 1) * size);
    if (result == NULL) {
        fail("out of memory");
    }
    return result;
}

/* Cells. */

/* What a row shows. Another connection may have changed it already: then the next dispatch reports it. */
static void object_text(char *text, size_t size, fr_object *object)
{
    fr_value name, seen;
    fr_status status = fr_object_value_named(&name, object, "name");
    if (status == FR_OK) {
        status = fr_object_value_named(&seen, object, "seen");
    }
    if (status == FR_GONE) {
        snprintf(text, size, "...");
    } else {
        check(status);
        snprintf(text, size, "%s, seen %lld times", name.data != NULL ? name.data : "", (long long)seen.integer);
    }
}

static void *dequeue(const char *identifier, fr_index_path path, void *user_data)
{
    struct table *table = user_data;
    struct cell *cell = table->pool;
    (void)identifier, (void)path;
    if (cell != NULL) {
        table->pool = cell->next;
    } else {
        cell = resized(NULL, 1, sizeof *cell);
        table->cells++;
    }
    return cell;
}

static void recycle(struct table *table, struct cell *cell)
{
    if (cell != NULL && cell != &gap) {
        cell->next = table->pool;
        table->pool = cell;
    }
}

static void *visible_cell(fr_index_path path, void *user_data)
{
    struct table *table = user_data;
    return table->sections[path.section]->rows[path.row];
}

static void configure(void *cell, fr_object *object, fr_index_path path, void *user_data)
{
    (void)path, (void)user_data;
    object_text(((struct cell *)cell)->text, sizeof((struct cell *)cell)->text, object);
}

struct cell *table_cell(struct table *table, fr_index_path path)
{
    struct cell **place = &table->sections[path.section]->rows[path.row];
    if (*place == NULL) {
        void *cell;
        fr_status status = fr_data_source_cell(&cell, table->source, path);
        if (status == FR_GONE) {
            return NULL;
        }
        check(status);
        *place = cell;
    }
    return *place;
}

void table_hide(struct table *table, fr_index_path path)
{
    struct cell **place = &table->sections[path.section]->rows[path.row];
    recycle(table, *place);
    *place = NULL;
}

/* Sections. */

static void read_title(struct table *table, struct section *section, int64_t index)
{
    const char *title;
    check(fr_data_source_section_title(&title, table->source, index));
    snprintf(section->title, sizeof section->title, "%s", title != NULL ? title : "");
}

/* An inserted section has all its rows, of which none is visible yet. */
static struct section *new_section(struct table *table, int64_t index)
{
    struct section *section = resized(NULL, 1, sizeof *section);
    memset(section, 0, sizeof *section);
    check(fr_data_source_row_count(&section->count, table->source, index));
    section->capacity = section->count;
    section->rows = resized(NULL, (size_t)section->count, sizeof *section->rows);
    memset(section->rows, 0, (size_t)section->count * sizeof *section->rows);
    read_title(table, section, index);
    return section;
}

static void free_section(struct table *table, struct section *section)
{
    for (int64_t row = 0; row < section->count; row++) {
        recycle(table, section->rows[row]);
    }
    free(section->rows);
    free(section);
}

static void put_row(struct section *section, int64_t row, struct cell *cell)
{
    if (row > section->count) {
        fail("a batch puts a row behind the end of its section");
    }
    if (section->count == section->capacity) {
        section->capacity = section->capacity * 2 + 4;
        section->rows = resized(section->rows, (size_t)section->capacity, sizeof *section->rows);
    }
    memmove(section->rows + row + 1, section->rows + row, (size_t)(section->count - row) * sizeof *section->rows);
    section->rows[row] = cell;
    section->count++;
}

static void close_gaps(struct section *section)
{
    int64_t count = 0;
    for (int64_t row = 0; row < section->count; row++) {
        if (section->rows[row] != &gap) {
            section->rows[count++] = section->rows[row];
        }
    }
    section->count = count;
}

/* The selection: an object, at whatever place. */

static fr_index_path nearest(struct table *table, fr_index_path path)
{
    fr_index_path result = {path.section < 0 ? 0 : path.section, 0};
    if (result.section < table->section_count && table->sections[result.section]->count > 0) {
        int64_t count = table->sections[result.section]->count;
        result.row = path.row < 0 ? 0 : path.row < count ? path.row : count - 1;
        return result;
    }
    while (++result.section < table->section_count) {
        if (table->sections[result.section]->count > 0) {
            return result;
        }
    }
    result.section = path.section < table->section_count ? path.section : table->section_count;
    while (--result.section >= 0) {
        if (table->sections[result.section]->count > 0) {
            result.row = table->sections[result.section]->count - 1;
            return result;
        }
    }
    result.section = result.row = -1;
    return result;
}

void table_select(struct table *table, fr_index_path path)
{
    size_t count = 0;
    fr_object *object;
    table->selected_path = nearest(table, path);
    fr_object_unref(table->selected);
    table->selected = NULL;
    if (table->selected_path.row >= 0) {
        fr_status status = fr_data_source_selected_objects(&object, &count, table->source, &table->selected_path, 1);
        if (status != FR_GONE) {
            check(status);
        }
    }
    if (count == 1) {
        table->selected = object;
    }
}

void table_move_selection(struct table *table, int direction)
{
    fr_index_path path = table->selected_path;
    if (path.row < 0) {
        return;
    }
    path.row += direction;
    if (path.row < 0 || path.row >= table->sections[path.section]->count) {
        do {
            path.section += direction;
            if (path.section < 0 || path.section >= table->section_count) {
                return;
            }
        } while (table->sections[path.section]->count == 0);
        path.row = direction > 0 ? 0 : table->sections[path.section]->count - 1;
    }
    table_select(table, path);
}

/* After a change: where the selected object is now. If it was deleted, the row in its place is selected. */
static void follow_selection(struct table *table)
{
    fr_index_path path = {-1, -1};
    if (table->selected != NULL) {
        check(fr_data_source_select_objects(&path, NULL, table->source, &table->selected, 1));
    }
    if (path.row >= 0) {
        table->selected_path = path;
    } else {
        table_select(table, table->selected_path);
    }
}

/* What the coordinator calls. */

static void reload(fr_coordinator *coordinator, void *user_data)
{
    struct table *table = user_data;
    (void)coordinator;
    for (int64_t index = 0; index < table->section_count; index++) {
        free_section(table, table->sections[index]);
    }
    check(fr_data_source_section_count(&table->section_count, table->source));
    table->sections = resized(table->sections, (size_t)table->section_count, sizeof *table->sections);
    for (int64_t index = 0; index < table->section_count; index++) {
        table->sections[index] = new_section(table, index);
    }
    follow_selection(table);
}

/*
 * Old places are those of old_sections, new ones those of sections. Sections are removed immediately, rows leave gaps
 * for the time being.
 */
static void begin(fr_coordinator *coordinator, void *user_data)
{
    struct table *table = user_data;
    (void)coordinator;
    table->old_sections = table->sections;
    table->old_section_count = table->section_count;
    check(fr_data_source_section_count(&table->section_count, table->source));
    table->sections = resized(NULL, (size_t)table->section_count, sizeof *table->sections);
    memset(table->sections, 0, (size_t)table->section_count * sizeof *table->sections);
    table->arrival_count = 0;
}

static void section_deletes(fr_coordinator *coordinator, const int64_t *sections, size_t count, void *user_data)
{
    struct table *table = user_data;
    (void)coordinator;
    for (size_t i = 0; i < count; i++) {
        free_section(table, table->old_sections[sections[i]]);
        table->old_sections[sections[i]] = NULL;
    }
}

static void section_inserts(fr_coordinator *coordinator, const int64_t *sections, size_t count, void *user_data)
{
    struct table *table = user_data;
    (void)coordinator;
    for (size_t i = 0; i < count; i++) {
        table->sections[sections[i]] = new_section(table, sections[i]);
    }
}

static void section_moves(fr_coordinator *coordinator, const fr_section_places *sections, size_t count, void *user_data)
{
    struct table *table = user_data;
    (void)coordinator;
    for (size_t i = 0; i < count; i++) {
        table->sections[sections[i].new_index] = table->old_sections[sections[i].old_index];
        table->old_sections[sections[i].old_index]->is_placed = true;
    }
}

static struct cell *take_row(struct table *table, fr_index_path path)
{
    struct section *section = table->old_sections[path.section];
    struct cell *cell = section->rows[path.row];
    section->rows[path.row] = &gap;
    section->has_gaps = true;
    return cell;
}

static void add_arrival(struct table *table, fr_index_path path, struct cell *cell)
{
    if (table->arrival_count == table->arrival_capacity) {
        table->arrival_capacity = table->arrival_capacity * 2 + 16;
        table->arrivals = resized(table->arrivals, table->arrival_capacity, sizeof *table->arrivals);
    }
    table->arrivals[table->arrival_count].path = path;
    table->arrivals[table->arrival_count++].cell = cell;
}

static void row_deletes(fr_coordinator *coordinator, const fr_index_path *rows, size_t count, void *user_data)
{
    (void)coordinator;
    for (size_t i = 0; i < count; i++) {
        recycle(user_data, take_row(user_data, rows[i]));
    }
}

static void row_inserts(fr_coordinator *coordinator, const fr_index_path *rows, size_t count, void *user_data)
{
    (void)coordinator;
    for (size_t i = 0; i < count; i++) {
        add_arrival(user_data, rows[i], NULL);
    }
}

/* A row moves with its cell; update_cell follows if it is visible. */
static void row_moves(fr_coordinator *coordinator, const fr_row_places *rows, size_t count, void *user_data)
{
    (void)coordinator;
    for (size_t i = 0; i < count; i++) {
        add_arrival(user_data, rows[i].new_path, take_row(user_data, rows[i].old_path));
    }
}

static int compare_arrivals(const void *first, const void *second)
{
    const fr_index_path *a = &((const struct arrival *)first)->path, *b = &((const struct arrival *)second)->path;
    return a->section != b->section ? (a->section > b->section) - (a->section < b->section)
                                    : (a->row > b->row) - (a->row < b->row);
}

/* The sections that stay fill the places that are left, in their order; then rows arrive by ascending places. */
static void end(fr_coordinator *coordinator, void *user_data)
{
    struct table *table = user_data;
    int64_t place = 0;
    (void)coordinator;
    for (int64_t index = 0; index < table->old_section_count; index++) {
        struct section *section = table->old_sections[index];
        if (section == NULL) {
            continue;
        }
        if (section->has_gaps) {
            close_gaps(section);
        }
        if (!section->is_placed) {
            while (place < table->section_count && table->sections[place] != NULL) {
                place++;
            }
            if (place == table->section_count) {
                fail("a batch leaves too many sections");
            }
            table->sections[place] = section;
        }
        section->is_placed = section->has_gaps = false;
    }
    free(table->old_sections);
    table->old_sections = NULL;
    for (int64_t index = 0; index < table->section_count; index++) {
        if (table->sections[index] == NULL) {
            fail("a batch leaves too few sections");
        }
    }
    if (table->arrival_count > 0) {
        qsort(table->arrivals, table->arrival_count, sizeof *table->arrivals, compare_arrivals);
    }
    for (size_t i = 0; i < table->arrival_count; i++) {
        const struct arrival *arrival = &table->arrivals[i];
        put_row(table->sections[arrival->path.section], arrival->path.row, arrival->cell);
    }
    table->batches++;
    follow_selection(table);
}

/* Called before `end`, so that the section may not have its new place yet. */
static void section_updates(fr_coordinator *coordinator, const fr_section_places *sections, size_t count,
                            void *user_data)
{
    struct table *table = user_data;
    (void)coordinator;
    for (size_t i = 0; i < count; i++) {
        read_title(table, table->old_sections[sections[i].old_index], sections[i].new_index);
    }
}

static void update_cell(fr_coordinator *coordinator, fr_index_path path, fr_object *object, void *user_data)
{
    (void)coordinator;
    check(fr_data_source_update_visible_cell(((struct table *)user_data)->source, path, object));
}

static void count_changed(fr_coordinator *coordinator, int64_t count, void *user_data)
{
    (void)coordinator;
    ((struct table *)user_data)->objects = count;
}

/* The next dispatch reports a row that has changed once more. */
static void failed(fr_coordinator *coordinator, const fr_error *error, void *user_data)
{
    (void)coordinator, (void)user_data;
    if (error->status != FR_GONE) {
        fail(error->message);
    }
}

/* Making it. */

void table_open(struct table *table, fr_store *store)
{
    const fr_cells cells = {
        .struct_size = sizeof cells, .dequeue = dequeue, .visible_cell = visible_cell, .configure = configure};
    const fr_view view = {.struct_size = sizeof view,
                          .reload = reload,
                          .begin = begin,
                          .delete_sections = section_deletes,
                          .insert_sections = section_inserts,
                          .move_sections = section_moves,
                          .delete_rows = row_deletes,
                          .insert_rows = row_inserts,
                          .move_rows = row_moves,
                          .update_sections = section_updates,
                          .end = end,
                          .update_cell = update_cell,
                          .count_changed = count_changed,
                          .did_fail = failed};
    const fr_section_map_options options = {
        .struct_size = sizeof options, .section_key = "name", .empty_sections = FR_EMPTY_SECTIONS_HIDDEN};
    fr_request *animals, *kinds;
    memset(table, 0, sizeof *table);
    check(fr_request_new(&animals, "animals"));
    check(fr_request_add_sort(animals, "name", FR_ASCENDING, "NOCASE"));
    check(fr_request_new(&kinds, "kinds"));
    check(fr_request_add_sort(kinds, "name", FR_ASCENDING, "NOCASE"));
    check(fr_section_map_new(&table->list, store, animals, kinds, "kind", &options));
    fr_request_free(animals);
    fr_request_free(kinds);
    check(fr_data_source_new(&table->source, table->list, &cells, table, NULL));
    check(fr_data_source_set_system_headers(table->source, true));
    check(fr_data_source_set_default_section_title(table->source, "(no kind)"));
    check(fr_data_source_set_table_index(table->source, true));
    check(fr_coordinator_new(&table->coordinator, table->list, &view, 0, table, NULL));
    check(fr_coordinator_load_data(table->coordinator, true));
}

void table_close(struct table *table)
{
    fr_coordinator_free(table->coordinator);
    fr_data_source_free(table->source);
    fr_list_free(table->list);
    fr_object_unref(table->selected);
    for (int64_t index = 0; index < table->section_count; index++) {
        free_section(table, table->sections[index]);
    }
    while (table->pool != NULL) {
        struct cell *next = table->pool->next;
        free(table->pool);
        table->pool = next;
    }
    free(table->sections);
    free(table->arrivals);
}

/* Comparing it with a fresh read. */

static bool row_is_right(struct table *table, fr_index_path path, bool *is_whole)
{
    char text[sizeof((struct cell *)NULL)->text];
    struct cell *cell;
    fr_object *object;
    fr_status status = fr_data_source_object_at(&object, table->source, path);
    if (status == FR_GONE) {
        *is_whole = false;
        return true;
    }
    check(status);
    object_text(text, sizeof text, object);
    fr_object_unref(object);
    cell = table_cell(table, path);
    if (cell != NULL && strcmp(cell->text, text) == 0) {
        return true;
    }
    fprintf(stderr, "terminal_list: row %lld of section %lld shows \"%s\" rather than \"%s\"\n", (long long)path.row,
            (long long)path.section, cell != NULL ? cell->text : "", text);
    return false;
}

static bool selection_is_right(struct table *table)
{
    fr_index_path path;
    if (table->selected == NULL) {
        return true;
    }
    check(fr_data_source_index_path_of(&path, table->source, table->selected));
    return path.section == table->selected_path.section && path.row == table->selected_path.row;
}

bool table_is_right(struct table *table, bool *is_whole)
{
    int64_t sections, rows, objects = 0;
    bool is_right = true;
    *is_whole = true;
    check(fr_data_source_section_count(&sections, table->source));
    if (sections != table->section_count) {
        fprintf(stderr, "terminal_list: another number of sections\n");
        return false;
    }
    for (fr_index_path path = {0, 0}; path.section < sections; path.section++) {
        struct section *section = table->sections[path.section];
        const char *title;
        check(fr_data_source_section_title(&title, table->source, path.section));
        check(fr_data_source_row_count(&rows, table->source, path.section));
        if (title == NULL || strcmp(title, section->title) != 0 || rows != section->count) {
            fprintf(stderr, "terminal_list: another title or number of rows in section %lld\n",
                    (long long)path.section);
            return false;
        }
        objects += rows;
        for (path.row = 0; path.row < rows; path.row++) {
            is_right = row_is_right(table, path, is_whole) && is_right;
        }
    }
    if (objects != table->objects || !selection_is_right(table)) {
        fprintf(stderr, "terminal_list: another count, or another row selected\n");
        return false;
    }
    return is_right;
}
