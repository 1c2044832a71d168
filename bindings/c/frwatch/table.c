/*
 * Lines and the selection. The list finds any row in O(log n), so that nothing is held of those out
 * of sight.
 */
#include "table.h"

#include <string.h>

void table_open(struct table *table, fr_list *list, bool has_headers, struct names heads)
{
    memset(table, 0, sizeof *table);
    table->heads = heads;
    table->list = list;
    table->has_headers = has_headers;
    table_select(table, 0);
    table->top.row = has_headers ? -1 : 0;
}

void table_close(struct table *table)
{
    fr_object_unref(table->object);
    marks_free(&table->marks);
    names_clear(&table->heads);
}

static int64_t row_count(const struct table *table, int64_t section)
{
    int64_t count = 0;
    return fr_list_row_count(&count, table->list, section) == FR_OK ? count : 0;
}

static int64_t section_count(const struct table *table)
{
    int64_t count = 0;
    fr_list_section_count(&count, table->list);
    return count;
}

void table_select(struct table *table, int64_t index)
{
    int64_t count = 0;
    fr_list_count(&count, table->list);
    index = index < count ? index : count - 1;
    index = index > 0 ? index : 0;
    fr_object_unref(table->object);
    table->object = NULL;
    if (fr_list_index_path_at(&table->selected, table->list, index) != FR_OK) {
        table->selected.section = table->selected.row = -1;
    } else if (fr_list_object_at(&table->object, table->list, table->selected) != FR_OK) {
        table->object = NULL;
    }
}

int64_t table_selected_index(const struct table *table)
{
    int64_t index = -1;
    return fr_list_index_of(&index, table->list, table->selected) == FR_OK ? index : -1;
}

/* The number of the row at a path of an earlier state, or of the one after it. */
static int64_t index_near(const struct table *table, fr_index_path path)
{
    int64_t index = 0;
    if (path.section < 0) {
        return 0;
    }
    while (path.section < section_count(table)) {
        int64_t rows = row_count(table, path.section);
        path.row = path.row < rows ? path.row : rows - 1;
        if (path.row >= 0 && fr_list_index_of(&index, table->list, path) == FR_OK) {
            return index;
        }
        path.section++;
        path.row = 0;
    }
    fr_list_count(&index, table->list);
    return index - 1;
}

void table_follow(struct table *table)
{
    fr_index_path path;
    if (table->object != NULL && fr_list_index_path_of(&path, table->list, table->object) == FR_OK) {
        table->selected = path;
    } else {
        path = table->selected;
    }
    table_select(table, index_near(table, path));
}

void table_select_section(struct table *table, int direction)
{
    fr_index_path path = {table->selected.section + direction, 0};
    while (path.section >= 0 && path.section < section_count(table)) {
        if (row_count(table, path.section) > 0) {
            table_select(table, index_near(table, path));
            return;
        }
        path.section += direction;
    }
}

bool table_has_line(const struct table *table, fr_index_path path)
{
    return path.section >= 0 && path.section < section_count(table) && path.row >= (table->has_headers ? -1 : 0)
           && path.row < row_count(table, path.section);
}

bool table_next_line(const struct table *table, fr_index_path *path)
{
    fr_index_path next = {path->section, path->row + 1};
    if (!table_has_line(table, next)) {
        next.section++;
        next.row = table->has_headers ? -1 : 0;
    }
    if (!table_has_line(table, next)) {
        return false;
    }
    *path = next;
    return true;
}

static bool previous_line(const struct table *table, fr_index_path *path)
{
    fr_index_path previous = {path->section, path->row - 1};
    if (previous.row < (table->has_headers ? -1 : 0)) {
        previous.section--;
        previous.row = previous.section >= 0 ? row_count(table, previous.section) - 1 : 0;
    }
    if (!table_has_line(table, previous)) {
        return false;
    }
    *path = previous;
    return true;
}

static bool is_before(fr_index_path a, fr_index_path b)
{
    return a.section != b.section ? a.section < b.section : a.row < b.row;
}

/* How many lines from one to another, both counted; more than `most` if they are further apart. */
static int distance(const struct table *table, fr_index_path from, fr_index_path to, int most)
{
    int lines = 1;
    while (lines <= most && is_before(from, to) && table_next_line(table, &from)) {
        lines++;
    }
    return lines;
}

static void clamp_top(struct table *table)
{
    fr_index_path *top = &table->top;
    int64_t sections = section_count(table);
    if (top->section >= sections) {
        top->section = sections > 0 ? sections - 1 : 0;
        top->row = row_count(table, top->section) - 1;
    }
    if (top->row >= row_count(table, top->section)) {
        top->row = row_count(table, top->section) - 1;
    }
    if (top->row < 0) {
        top->row = table->has_headers ? -1 : 0;
    }
}

void table_scroll(struct table *table, int height)
{
    fr_index_path wanted = table->selected, last;
    int lines;
    clamp_top(table);
    if (wanted.section >= 0) {
        /* The header of a section is in sight with its first row. */
        if (table->has_headers && wanted.row == 0 && height > 1) {
            wanted.row = -1;
        }
        if (is_before(wanted, table->top)) {
            table->top = wanted;
        } else if (distance(table, table->top, table->selected, height) > height) {
            table->top = table->selected;
            for (lines = 1; lines < height && previous_line(table, &table->top);) {
                lines++;
            }
        }
    }
    last = table->top;
    for (lines = 1; lines < height && table_next_line(table, &last);) {
        lines++;
    }
    while (lines < height && previous_line(table, &table->top)) {
        lines++;
    }
}
