/* Text. */
#include "text.h"

#include <stdio.h>
#include <string.h>

#include "colour.h"
#include "line.h"
#include "message.h"

enum { MEASURED_ROWS = 100, WIDEST = 40 };

static const char *const verbs[] = {"", "insert", "delete", "move", "update"};

static int64_t columns_of(fr_object *object)
{
    int64_t count = 0;
    fr_object_column_count(&count, object);
    return count < TEXT_COLUMNS ? count : TEXT_COLUMNS;
}

static void widen(int *width, int other)
{
    other = other < WIDEST ? other : WIDEST;
    *width = *width > other ? *width : other;
}

static void measure_object(struct text *text, fr_object *object)
{
    struct line line = {0};
    for (int64_t column = 0; column < columns_of(object); column++) {
        fr_value value;
        line_clear(&line);
        if (fr_object_value(&value, object, column) == FR_OK) {
            line_add_value(&line, &value);
        }
        widen(&text->widths[column], line.width);
    }
    line_free(&line);
}

/* By the heads and the first rows of the list. */
static void measure(struct text *text, fr_list *list, fr_object *first)
{
    struct line line = {0};
    fr_index_path path;
    memset(text->widths, 0, sizeof text->widths);
    for (int64_t column = 0; column < columns_of(first); column++) {
        const char *name = "";
        line_clear(&line);
        fr_object_column_name(&name, first, column);
        line_add_text(&line, name, -1);
        widen(&text->widths[column], line.width);
    }
    for (int64_t index = 0; index < MEASURED_ROWS && fr_list_index_path_at(&path, list, index) == FR_OK; index++) {
        fr_object *object = NULL;
        if (fr_list_object_at(&object, list, path) == FR_OK) {
            measure_object(text, object);
        }
        fr_object_unref(object);
    }
    line_free(&line);
}

static void print_line(struct line *line)
{
    puts(line_text(line));
    line_clear(line);
}

/* All but the last column have their width. */
static void add_column(struct line *out, const struct text *text, int64_t column, int64_t count,
                       const struct line *content)
{
    int begin;
    line_add(out, column == 0 ? "" : " | ", column == 0 ? 0 : 3);
    begin = out->width;
    line_add(out, line_text(content), content->width);
    if (column + 1 < count) {
        line_pad(out, begin + text->widths[column]);
    }
}

static void print_heads(struct text *text, fr_object *object)
{
    struct line out = {0}, name = {0};
    int64_t count = columns_of(object);
    line_add(&out, "# ", 2);
    line_pad(&out, text->begin);
    for (int64_t column = 0; column < count; column++) {
        const char *head = "";
        line_clear(&name);
        fr_object_column_name(&head, object, column);
        line_add_text(&name, head, -1);
        add_column(&out, text, column, count, &name);
    }
    print_line(&out);
    line_free(&out);
    line_free(&name);
}

/* What stands for a list without rows. The heads are printed again with the first row. */
static void print_empty(struct watch *watch)
{
    struct line out = {0};
    struct names columns = {0};
    watch_columns(watch, &columns);
    for (size_t i = 0; i < columns.count; i++) {
        line_add(&out, i == 0 ? "# " : " | ", i == 0 ? 2 : 3);
        line_add_text(&out, columns.items[i], -1);
    }
    print_line(&out);
    puts("0 rows");
    names_clear(&columns);
    line_free(&out);
}

/* Heads stand before the first row, and again when the columns are others. */
static void prepare_heads(struct text *text, fr_list *list, fr_object *object)
{
    uint64_t layout = 0;
    if (object != NULL && fr_object_layout(&layout, object) == FR_OK && layout != text->layout) {
        text->layout = layout;
        measure(text, list, object);
        print_heads(text, object);
    }
}

static void add_object(struct line *out, const struct text *text, fr_object *object)
{
    struct line content = {0};
    int64_t count = columns_of(object);
    for (int64_t column = 0; column < count; column++) {
        fr_value value;
        line_clear(&content);
        if (fr_object_value(&value, object, column) == FR_OK) {
            line_add_value(&content, &value);
        } else {
            line_add(&content, "?", 1);
        }
        add_column(out, text, column, count, &content);
    }
    line_free(&content);
}

static void add_path(struct line *out, fr_index_path path)
{
    line_addf(out, path.row < 0 ? "[%lld]" : "[%lld, %lld]", (long long)path.section, (long long)path.row);
}

static void add_section_name(struct line *out, const char *name)
{
    if (name != NULL) {
        line_add_text(out, name, -1);
    } else {
        line_add(out, "NULL", 4);
    }
}

static void print_section(struct text *text, struct watch *watch, int64_t index)
{
    struct line out = {0};
    fr_index_path path = {index, 0};
    fr_section_info section;
    if (fr_list_section(&section, watch->list, index) != FR_OK) {
        message_of_error(watch->options->table);
        return;
    }
    if (watch->options->section != NULL) {
        line_addf(&out, "[%lld] ", (long long)index);
        add_section_name(&out, section.name);
        line_addf(&out, " (%lld)", (long long)section.count);
        print_line(&out);
    }
    for (; path.row < section.count; path.row++) {
        fr_object *object = NULL;
        if (fr_list_object_at(&object, watch->list, path) != FR_OK) {
            message_of_error(watch->options->table);
            continue;
        }
        add_path(&out, path);
        line_pad(&out, text->begin);
        add_object(&out, text, object);
        print_line(&out);
        fr_object_unref(object);
    }
    line_free(&out);
}

static int width_of(fr_index_path path)
{
    struct line line = {0};
    int width;
    add_path(&line, path);
    width = line.width;
    line_free(&line);
    return width;
}

/* After the widest path of a row, and a blank. */
static int begin_of_rows(fr_list *list, int64_t sections)
{
    fr_index_path last = {sections - 1, 0};
    for (int64_t index = 0, rows = 0; index < sections && fr_list_row_count(&rows, list, index) == FR_OK; index++) {
        last.row = rows > last.row ? rows - 1 : last.row;
    }
    return width_of(last) + 1;
}

void text_list(struct text *text, struct watch *watch)
{
    static const fr_index_path nowhere = {-1, -1};
    fr_index_path path = nowhere;
    fr_object *first = NULL;
    int64_t sections = 0, count = 0;
    fr_list_count(&count, watch->list);
    fr_list_section_count(&sections, watch->list);
    text->begin = begin_of_rows(watch->list, sections);
    if (count == 0) {
        print_empty(watch);
    }
    if (fr_list_index_path_at(&path, watch->list, 0) == FR_OK
        && fr_list_object_at(&first, watch->list, path) == FR_OK) {
        prepare_heads(text, watch->list, first);
    }
    fr_object_unref(first);
    for (int64_t index = 0; index < sections; index++) {
        print_section(text, watch, index);
    }
}

static bool has_arrow(const fr_change *change)
{
    return change->type == FR_MOVE || change->type == FR_UPDATE;
}

/* What the columns that changed held before. */
static void add_old_values(struct line *out, fr_change_set *changes, size_t index, fr_object *object)
{
    const char *separator = "  (was ";
    for (int64_t column = 0; column < columns_of(object); column++) {
        bool changed = false;
        const char *name = "";
        fr_value old;
        if (fr_change_set_column_changed(&changed, changes, index, column) != FR_OK || !changed
            || fr_change_set_old_value(&old, changes, index, column) != FR_OK) {
            continue;
        }
        fr_object_column_name(&name, object, column);
        line_add(out, separator, (int)strlen(separator));
        line_add_text(out, name, -1);
        line_add(out, " = ", 3);
        line_add_value(out, &old);
        separator = ", ";
    }
    line_add(out, *separator == ',' ? ")" : "", *separator == ',');
}

/* All that is left of a row that was never read. */
static void add_identity(struct line *out, fr_change_set *changes, size_t index)
{
    const fr_value *values = NULL;
    size_t count = 0;
    fr_change_set_identity(&values, &count, changes, index);
    for (size_t i = 0; i < count; i++) {
        line_add(out, i == 0 ? "" : ", ", i == 0 ? 0 : 2);
        line_add_value(out, &values[i]);
    }
}

static void add_row(struct line *out, struct text *text, struct watch *watch, fr_change_set *changes,
                    const fr_change *change)
{
    size_t index = (size_t)change->index;
    fr_object *object = NULL;
    fr_value first;
    if (fr_change_set_object(&object, changes, index) != FR_OK || fr_object_value(&first, object, 0) == FR_GONE) {
        add_identity(out, changes, index);
    } else {
        prepare_heads(text, watch->list, object);
        add_object(out, text, object);
        if (has_arrow(change)) {
            add_old_values(out, changes, index, object);
        }
    }
    fr_object_unref(object);
}

/* What happened, and where; arrows stand below each other. */
static void add_event(struct line *out, const fr_change *change, int old_width)
{
    line_add(out, "  ", 2);
    colour_begin(out, change->type);
    line_addf(out, "%-6s", verbs[change->type]);
    colour_end(out);
    line_add(out, change->kind == FR_SECTION ? " section " : " ", change->kind == FR_SECTION ? 9 : 1);
    if (change->type != FR_INSERT) {
        add_path(out, change->old_path);
    }
    if (has_arrow(change)) {
        line_pad(out, 9 + old_width);
        line_add(out, " -> ", 4);
    }
    if (change->type != FR_DELETE) {
        add_path(out, change->new_path);
    }
    line_add(out, ": ", 2);
}

/* How wide the old paths before arrows are. */
static int width_of_old_paths(const fr_change *records, size_t count)
{
    int widest = 0;
    for (size_t i = 0; i < count; i++) {
        int width = has_arrow(&records[i]) ? width_of(records[i].old_path) : 0;
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* After the widest event. */
static int begin_of_changes(const fr_change *records, size_t count, int old_width)
{
    struct line line = {0};
    int begin = 0;
    for (size_t i = 0; i < count; i++) {
        line_clear(&line);
        add_event(&line, &records[i], old_width);
        begin = line.width > begin ? line.width : begin;
    }
    line_free(&line);
    return begin;
}

static void print_change(struct text *text, struct watch *watch, fr_change_set *changes, const fr_change *change,
                         int old_width)
{
    struct line out = {0};
    add_event(&out, change, old_width);
    line_pad(&out, text->begin);
    if (change->kind == FR_SECTION) {
        const char *name = NULL;
        fr_change_set_section_name(&name, changes, (size_t)change->index);
        add_section_name(&out, name);
    } else {
        add_row(&out, text, watch, changes, change);
    }
    print_line(&out);
    line_free(&out);
}

void text_changes(struct text *text, struct watch *watch, fr_change_set *changes)
{
    const fr_change *records = NULL;
    size_t count = 0;
    int old_width;
    bool is_reload = false;
    fr_change_set_is_reload(&is_reload, changes);
    if (is_reload) {
        puts("  reload");
        text_list(text, watch);
        return;
    }
    printf("delivery %lld\n", (long long)watch->deliveries);
    fr_change_set_records(&records, &count, changes);
    old_width = width_of_old_paths(records, count);
    text->begin = begin_of_changes(records, count, old_width);
    for (size_t i = 0; i < count; i++) {
        print_change(text, watch, changes, &records[i], old_width);
    }
}

void text_statement(const char *sql)
{
    struct line line = {0};
    while (*sql != '\0') {
        size_t length = strcspn(sql, "\n");
        line_add(&line, "> ", 2);
        line_add_text(&line, sql, (int64_t)length);
        print_line(&line);
        sql += length + (sql[length] == '\n');
    }
    line_free(&line);
}
