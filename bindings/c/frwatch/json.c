/*
 * The list and its changes as JSON. Every object of one type has the same keys, in the same order.
 */
#include "json.h"

#include <stdbool.h>
#include <stdlib.h>

#include "json_value.h"
#include "message.h"
#include "since.h"

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

/* null if nothing is known of the row. */
static void print_identity(fr_object *object, FILE *file)
{
    int64_t count = 0;
    if (object == NULL || fr_object_identity_count(&count, object) != FR_OK) {
        fputs("null", file);
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        fr_value value = fr_null();
        fr_object_identity(&value, object, i);
        fputc(i == 0 ? '[' : ',', file);
        json_value(&value, file);
    }
    fputc(']', file);
}

/* The number of the delivery, and the generation to resume at. */
static void print_delivery(const struct watch *watch, FILE *file)
{
    fprintf(file, ",\"delivery\":%lld,\"generation\":", (long long)watch->deliveries);
    if (watch->generation == 0) {
        fputs("null", file);
    } else {
        fprintf(file, "%lld", (long long)watch->generation);
    }
}

static void print_row(fr_list *list, fr_index_path path, FILE *file)
{
    fr_object *object = NULL;
    if (fr_list_object_at(&object, list, path) != FR_OK) {
        message_of_error("row");
    }
    fputs("{\"type\":\"row\",\"path\":", file);
    print_path(path, file);
    fputs(",\"identity\":", file);
    print_identity(object, file);
    fputs(",\"object\":", file);
    print_object(object, file);
    fputs("}\n", file);
    fr_object_unref(object);
}

/* The beginning of a line of some type. Returns how many sections there are. */
static int64_t print_head(const char *type, struct watch *watch, FILE *file)
{
    int64_t sections = 0, count = 0;
    fr_list_section_count(&sections, watch->list);
    fr_list_count(&count, watch->list);
    fprintf(file, "{\"type\":\"%s\",\"database\":", type);
    json_string(watch->options->database, -1, file);
    fputs(",\"entity\":", file);
    json_string(watch->options->table, -1, file);
    print_delivery(watch, file);
    fprintf(file, ",\"sections\":%lld,\"rows\":%lld", (long long)sections, (long long)count);
    return sections;
}

/* Returns how many rows the section has. */
static int64_t print_section(fr_list *list, int64_t number, FILE *file)
{
    fr_section_info section;
    if (fr_list_section(&section, list, number) != FR_OK) {
        message_of_error("section");
        return 0;
    }
    fprintf(file, "{\"type\":\"section\",\"path\":[%lld],\"name\":", (long long)number);
    json_string(section.name, section.name_length, file);
    fprintf(file, ",\"rows\":%lld}\n", (long long)section.count);
    return section.count;
}

void json_list(struct watch *watch, FILE *file)
{
    int64_t sections = print_head("list", watch, file);
    fputs("}\n", file);
    for (fr_index_path path = {0, 0}; path.section < sections; path.section++) {
        int64_t rows = print_section(watch->list, path.section, file);
        for (path.row = 0; path.row < rows; path.row++) {
            print_row(watch->list, path, file);
        }
    }
}

/* The row that a statement is at, by its identity. */
static void print_touched_row(fr_list *list, fr_statement *rows, FILE *file)
{
    fr_index_path path = {-1, -1};
    fr_object *object = NULL;
    fr_value *identity;
    int32_t count = 0;
    fr_statement_column_count(&count, rows);
    identity = calloc((size_t)count, sizeof *identity);
    if (identity == NULL) {
        message("out of memory");
        exit(EXIT_UNUSABLE);
    }
    for (int32_t i = 0; i < count; i++) {
        fr_statement_value(&identity[i], rows, i);
    }
    if (count > 1 && identity[count - 1].type == FR_TYPE_NULL) {
        count--; /* of a key that may hold a NULL, and does not */
    }
    if (fr_list_index_path_of_identity(&path, list, identity, (size_t)count) == FR_OK
        && fr_list_object_at(&object, list, path) != FR_OK) {
        message_of_error("row");
    }
    fputs("{\"type\":\"touched\",\"path\":", file);
    print_path(path, file);
    fputs(",\"identity\":", file);
    for (int32_t i = 0; i < count; i++) {
        fputc(i == 0 ? '[' : ',', file);
        json_value(&identity[i], file);
    }
    fputs("],\"object\":", file);
    print_object(object, file);
    fputs("}\n", file);
    fr_object_unref(object);
    free(identity);
}

/* Returns how many rows were touched; -1 if the history does not have all of them. */
static int64_t print_touched(struct watch *watch, FILE *file)
{
    fr_statement *rows = NULL;
    int64_t count = 0;
    bool has_row = false;
    fr_status status = fr_store_touched_rows(&rows, watch->store, watch->options->table, watch->options->since);
    while (status == FR_OK && (status = fr_statement_step(&has_row, rows)) == FR_OK && has_row) {
        print_touched_row(watch->list, rows, file);
        count++;
    }
    fr_statement_free(rows);
    return status == FR_OK ? count : -1;
}

bool json_since(struct watch *watch, FILE *file)
{
    char *lines = NULL;
    size_t length = 0;
    FILE *touched = since_is_enough(watch) ? open_memstream(&lines, &length) : NULL;
    int64_t count = touched != NULL ? print_touched(watch, touched) : -1;
    bool is_whole = touched != NULL && fclose(touched) == 0 && count >= 0;
    if (is_whole) {
        int64_t sections = print_head("since", watch, file);
        fprintf(file, ",\"touched\":%lld}\n", (long long)count);
        for (int64_t section = 0; section < sections; section++) {
            print_section(watch->list, section, file);
        }
        fwrite(lines, 1, length, file);
    }
    free(lines);
    return is_whole;
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
    fprintf(file, "{\"type\":\"%s\",\"kind\":\"%s\"", types[change->type],
            change->kind == FR_SECTION ? "section" : "row");
    print_delivery(watch, file);
    fprintf(file, ",\"index\":%zu,\"of\":%zu,\"old_path\":", index, count);
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
        print_identity(object, file);
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
