/* What the lines of a table show. */
#include "table.h"

#include <string.h>

#include "colour.h"

enum { WIDEST = 40, NARROWEST_REST = 10, LONGEST_TEXT = 4096 };

static int64_t columns_of(fr_object *object)
{
    int64_t count = 0;
    fr_object_column_count(&count, object);
    return count < TABLE_COLUMNS ? count : TABLE_COLUMNS;
}

/*
 * How wide a cell may be. The last column has what the screen leaves, unless that is next to
 * nothing.
 */
static int widest(const struct table *table, bool is_last, int begin)
{
    int left = table->edge - begin;
    return is_last && left >= NARROWEST_REST ? left : WIDEST;
}

/*
 * Adds a cell to its column, which is as wide as the widest one of those that were in sight so far.
 */
static void add_cell(struct table *table, struct line *line, int64_t column, bool is_last, const struct line *content)
{
    int begin, width;
    line_add(line, "  ", 2);
    begin = line->width;
    width = widest(table, is_last, begin);
    if (content->width > table->widths[column]) {
        table->widths[column] = content->width < width ? content->width : width;
    }
    line_add_cut(line, content, width);
    line_pad(line, begin + table->widths[column]);
}

static void add_value(struct line *line, fr_object *object, int64_t column)
{
    fr_value value;
    if (fr_object_value(&value, object, column) != FR_OK) {
        line_add(line, "?", 1);
        return;
    }
    if (value.type == FR_TYPE_TEXT && value.length > LONGEST_TEXT) {
        value.length = LONGEST_TEXT;
    }
    line_add_value(line, &value);
}

static void add_heads_of_nothing(const struct table *table, struct line *line)
{
    for (size_t i = 0; i < table->heads.count; i++) {
        line_add(line, "  ", 2);
        line_add_text(line, table->heads.items[i], -1);
    }
}

void table_add_heads(struct table *table, struct line *line)
{
    struct line content = {0};
    uint64_t layout = 0;
    int64_t count = table->object != NULL ? columns_of(table->object) : 0;
    if (count > 0 && fr_object_layout(&layout, table->object) == FR_OK && layout != table->layout) {
        memset(table->widths, 0, sizeof table->widths);
        table->layout = layout;
    }
    for (int64_t column = 0; column < count; column++) {
        const char *name = "";
        fr_object_column_name(&name, table->object, column);
        line_clear(&content);
        line_add_text(&content, name, -1);
        add_cell(table, line, column, column == count - 1, &content);
    }
    if (table->object == NULL) {
        add_heads_of_nothing(table, line);
    }
    line_free(&content);
}

static void add_header(struct table *table, struct line *line, int64_t index)
{
    fr_section_info section;
    if (fr_list_section(&section, table->list, index) != FR_OK) {
        return;
    }
    if (section.name != NULL) {
        line_add_text(line, section.name, section.name_length);
    } else {
        line_add(line, "NULL", 4);
    }
    line_addf(line, " (%lld)", (long long)section.count);
}

static void add_cells(struct table *table, struct line *line, fr_object *object)
{
    struct line content = {0};
    int64_t count = columns_of(object);
    for (int64_t column = 0; column < count; column++) {
        line_clear(&content);
        add_value(&content, object, column);
        add_cell(table, line, column, column == count - 1, &content);
    }
    line_free(&content);
}

void table_add_line(struct table *table, struct line *line, fr_index_path path)
{
    const fr_change *change = marks_find(&table->marks, path);
    fr_object *object = NULL;
    if (change != NULL) {
        colour_begin(line, change->type);
    }
    if (path.row < 0) {
        add_header(table, line, path.section);
    } else if (fr_list_object_at(&object, table->list, path) != FR_OK) {
        line_add(line, "  ...", 5); /* it has changed, and the next dispatch delivers that */
    } else {
        add_cells(table, line, object);
    }
    if (change != NULL) {
        line_add(line, "  ", 2);
        marks_add(line, change);
        colour_end(line);
    }
    fr_object_unref(object);
}
