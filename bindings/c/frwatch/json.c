/*
 * The list and its changes as JSON. Every object of one type has the same keys, in the same order.
 */
#include "json.h"

#include <stdbool.h>
#include <stdlib.h>

#include "json_value.h"
#include "message.h"

static void print_path(fr_index_path path, FILE *file)
{
    if (path.section < 0) {
        fputs("null", file);
    } else if (path.row < 0) {
        fprintf(file, "[%lld]", (long long)path.section);
    } else {
        fprintf(file, "[%lld,%lld]", (long long)path.section, (long long)path.row);
    }
}

static void print_name(const char *separator, fr_object *object, int64_t column, FILE *file)
{
    const char *name = "";
    fr_object_column_name(&name, object, column);
    fputs(separator, file);
    json_string(name, -1, file);
}

/* The row's columns by their names; null if nothing is known of them. */
static void print_object(fr_object *object, FILE *file)
{
    int64_t count = 0;
    fr_value value;
    if (object == NULL || fr_object_column_count(&count, object) != FR_OK
        || (count > 0 && fr_object_value(&value, object, 0) != FR_OK)) {
        fputs("null", file);
        return;
    }
    fputc('{', file);
    for (int64_t column = 0; column < count; column++) {
        value = fr_null();
        print_name(column == 0 ? "" : ",", object, column, file);
        fputc(':', file);
        fr_object_value(&value, object, column);
        json_value(&value, file);
    }
    fputc('}', file);
}

static void print_row(fr_list *list, fr_index_path path, FILE *file)
{
    fr_object *object = NULL;
    if (fr_list_object_at(&object, list, path) != FR_OK) {
        message_of_error("row");
    }
    fputs("{\"type\":\"row\",\"path\":", file);
    print_path(path, file);
    fputs(",\"object\":", file);
    print_object(object, file);
    fputs("}\n", file);
    fr_object_unref(object);
}

void json_list(struct watch *watch, FILE *file)
{
    int64_t sections = 0, count = 0;
    fr_list_section_count(&sections, watch->list);
    fr_list_count(&count, watch->list);
    fputs("{\"type\":\"list\",\"database\":", file);
    json_string(watch->options->database, -1, file);
    fputs(",\"entity\":", file);
    json_string(watch->options->table, -1, file);
    fprintf(file, ",\"delivery\":%lld,\"sections\":%lld,\"rows\":%lld}\n", (long long)watch->deliveries,
            (long long)sections, (long long)count);
    for (fr_index_path path = {0, 0}; path.section < sections; path.section++) {
        fr_section_info section;
        if (fr_list_section(&section, watch->list, path.section) != FR_OK) {
            message_of_error("section");
            continue;
        }
        fprintf(file, "{\"type\":\"section\",\"path\":[%lld],\"name\":", (long long)path.section);
        json_string(section.name, section.name_length, file);
        fprintf(file, ",\"rows\":%lld}\n", (long long)section.count);
        for (path.row = 0; path.row < section.count; path.row++) {
            print_row(watch->list, path, file);
        }
    }
}

static void print_identity(fr_change_set *changes, size_t index, FILE *file)
{
    const fr_value *values = NULL;
    size_t count = 0;
    if (fr_change_set_identity(&values, &count, changes, index) != FR_OK) {
        fputs("null", file);
        return;
    }
    fputc('[', file);
    for (size_t i = 0; i < count; i++) {
        fputs(i == 0 ? "" : ",", file);
        json_value(&values[i], file);
    }
    fputc(']', file);
}

/* The old values of the columns that changed; null for inserts, deletes and sections. */
static void print_old(fr_change_set *changes, const fr_change *change, fr_object *object, FILE *file)
{
    const char *separator = "";
    int64_t count = 0;
    if (object == NULL || change->type == FR_INSERT || change->type == FR_DELETE) {
        fputs("null", file);
        return;
    }
    fputc('{', file);
    fr_object_column_count(&count, object);
    for (int64_t column = 0; column < count; column++) {
        bool changed = false;
        fr_value old;
        fr_change_set_column_changed(&changed, changes, (size_t)change->index, column);
        if (changed && fr_change_set_old_value(&old, changes, (size_t)change->index, column) == FR_OK) {
            print_name(separator, object, column, file);
            fputc(':', file);
            json_value(&old, file);
            separator = ",";
        }
    }
    fputc('}', file);
}

static void print_change(struct watch *watch, fr_change_set *changes, const fr_change *change, size_t count, FILE *file)
{
    static const char *const types[] = {"", "insert", "delete", "move", "update"};
    size_t index = (size_t)change->index;
    fr_object *object = NULL;
    const char *name = NULL;
    fprintf(file, "{\"type\":\"%s\",\"kind\":\"%s\",\"delivery\":%lld,\"index\":%zu,\"of\":%zu,\"old_path\":",
            types[change->type], change->kind == FR_SECTION ? "section" : "row", (long long)watch->deliveries, index,
            count);
    print_path(change->old_path, file);
    fputs(",\"new_path\":", file);
    print_path(change->new_path, file);
    if (change->kind == FR_SECTION) {
        fr_change_set_section_name(&name, changes, index);
        fputs(",\"name\":", file);
        json_string(name, -1, file);
    } else {
        fr_change_set_object(&object, changes, index);
        fputs(",\"identity\":", file);
        print_identity(changes, index, file);
        fputs(",\"old\":", file);
        print_old(changes, change, object, file);
        fputs(",\"object\":", file);
        print_object(object, file);
        fr_object_unref(object);
    }
    fputs("}\n", file);
}

void json_changes(struct watch *watch, fr_change_set *changes, FILE *file)
{
    const fr_change *records = NULL;
    size_t count = 0;
    bool is_reload = false;
    fr_change_set_is_reload(&is_reload, changes);
    if (is_reload) {
        json_list(watch, file);
        return;
    }
    fr_change_set_records(&records, &count, changes);
    for (size_t i = 0; i < count; i++) {
        print_change(watch, changes, &records[i], count, file);
    }
}

void json_failure(const fr_error *error, FILE *file)
{
    fprintf(file, "{\"type\":\"failure\",\"status\":\"%s\",\"message\":", fr_status_name(error->status));
    json_string(error->message, -1, file);
    fputs("}\n", file);
}
