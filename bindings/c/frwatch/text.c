/* Text. */
#include "text.h"

#include <stdio.h>
#include <string.h>

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
    for (int64_t column = 0; column < count; column++) {
        const char *head = "";
        line_clear(&name);
        fr_object_column_name(&head, object, column);
        line_add_text(&name, head, -1);
        add_column(&out, text, column, count, &name);
    }
    printf("# %s\n", line_text(&out));
    line_free(&out);
    line_free(&name);
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

static void print_line(struct line *line)
{
    puts(line_text(line));
    line_clear(line);
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
        line_add(&out, " ", 1);
        add_object(&out, text, object);
        print_line(&out);
        fr_object_unref(object);
    }
    line_free(&out);
}

void text_list(struct text *text, struct watch *watch)
{
    static const fr_index_path nowhere = {-1, -1};
    fr_index_path path = nowhere;
    fr_object *first = NULL;
    int64_t sections = 0;
    if (fr_list_index_path_at(&path, watch->list, 0) == FR_OK
        && fr_list_object_at(&first, watch->list, path) == FR_OK) {
        prepare_heads(text, watch->list, first);
    }
    fr_object_unref(first);
    fr_list_section_count(&sections, watch->list);
    for (int64_t index = 0; index < sections; index++) {
        print_section(text, watch, index);
    }
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
        if (change->type == FR_UPDATE || change->type == FR_MOVE) {
            add_old_values(out, changes, index, object);
        }
    }
    fr_object_unref(object);
}

static void print_change(struct text *text, struct watch *watch, fr_change_set *changes, const fr_change *change)
{
    struct line out = {0};
    line_addf(&out, "  %s%s ", verbs[change->type], change->kind == FR_SECTION ? " section" : "");
    if (change->type != FR_INSERT) {
        add_path(&out, change->old_path);
    }
    if (change->type == FR_MOVE || change->type == FR_UPDATE) {
        line_add(&out, " -> ", 4);
    }
    if (change->type != FR_DELETE) {
        add_path(&out, change->new_path);
    }
    line_add(&out, ": ", 2);
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
    bool is_reload = false;
    fr_change_set_is_reload(&is_reload, changes);
    if (is_reload) {
        puts("  reload");
        text_list(text, watch);
        return;
    }
    printf("delivery %lld\n", (long long)watch->deliveries);
    fr_change_set_records(&records, &count, changes);
    for (size_t i = 0; i < count; i++) {
        print_change(text, watch, changes, &records[i]);
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
