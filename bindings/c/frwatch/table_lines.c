/* What the lines of a table show. */
#include "table.h"

#include <string.h>

enum { WIDEST = 40, LONGEST_TEXT = 4096 };

static int64_t columns_of(fr_object *object)
{
    int64_t count = 0;
    fr_object_column_count(&count, object);
    return count < TABLE_COLUMNS ? count : TABLE_COLUMNS;
}

/* Adds a column as wide as the widest of those that were in sight so far. */
static void add_column(struct table *table, struct line *line, int64_t column, const struct line *content)
{
    int begin, width = content->width < WIDEST ? content->width : WIDEST;
    line_add(line, column == 0 ? "  " : "  ", 2);
    begin = line->width;
    if (width > table->widths[column]) {
        table->widths[column] = width;
    }
    line_add(line, line_text(content), content->width);
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
        add_column(table, line, column, &content);
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

void table_add_line(struct table *table, struct line *line, fr_index_path path)
{
    struct line content = {0};
    fr_object *object = NULL;
    if (path.row < 0) {
        add_header(table, line, path.section);
    } else if (fr_list_object_at(&object, table->list, path) != FR_OK) {
        line_add(line, "  ...", 5); /* it has changed, and the next dispatch delivers that */
    } else {
        for (int64_t column = 0; column < columns_of(object); column++) {
            line_clear(&content);
            add_value(&content, object, column);
            add_column(table, line, column, &content);
        }
    }
    fr_object_unref(object);
    line_free(&content);
}
