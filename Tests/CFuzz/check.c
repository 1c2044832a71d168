/* What lists show, compared with what a SELECT on a connection of its own yields. */
#include "world.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names of sections in small letters: they have the spelling that they had first. */
static void add_section(struct text *text, fr_value_type type, const char *bytes)
{
    for (text_add(text, "\n["); type != FR_TYPE_NULL && *bytes != '\0'; bytes++) {
        text_add(text, "%c", tolower((unsigned char)*bytes));
        if (strlen(bytes) > 40) break;
    }
    text_add(text, type == FR_TYPE_NULL ? "NULL]" : "]");
}

static void add_value(struct text *text, const fr_value *value)
{
    switch (value->type) {
    case FR_TYPE_INTEGER:
        text_add(text, " %lld", (long long)value->integer);
        break;
    case FR_TYPE_REAL:
        text_add(text, " %.3f", value->real);
        break;
    case FR_TYPE_TEXT:
        text_add(text, value->length > 40 ? " long" : " '%.*s'", (int)value->length, value->data);
        break;
    default:
        text_add(text, " NULL");
    }
}

static void add_object(struct text *text, fr_object *object)
{
    int64_t count = 0, index;
    fr_value value;
    fr_object_identity_count(&count, object);
    for (index = 0; index < count; index++) {
        fr_object_identity(&value, object, index);
        add_value(text, &value);
    }
    text_add(text, " |");
    fr_object_column_count(&count, object);
    for (index = 0; index < count; index++) {
        if (fr_object_value(&value, object, index) != FR_OK) fault("an object without a value");
        add_value(text, &value);
    }
}

static void add_section_value(struct text *text, const fr_section_info *info)
{
    struct text value = {0};
    if (info->value.type != FR_TYPE_NULL) {
        add_value(&value, &info->value);
    } else if (info->name != NULL) {
        text_add(&value, " '%s'", info->name); /* of a placeholder */
    }
    add_section(text, value.length == 0 ? FR_TYPE_NULL : FR_TYPE_TEXT, text_get(&value));
    text_free(&value);
}

bool list_read(fr_list *list, struct text *text)
{
    int64_t sections = 0, section, rows, row;
    fr_section_info info;
    if (fr_list_section_count(&sections, list) != FR_OK) return false;
    for (section = 0; section < sections; section++) {
        if (fr_list_section(&info, list, section) != FR_OK)
            fault("section %lld can't be read: %s", (long long)section, fr_error_message());
        rows = info.count;
        if (rows == 0) add_section_value(text, &info);
        for (row = 0; row < rows; row++) {
            fr_index_path path = {section, row};
            fr_object *object = NULL;
            fr_section_info again;
            if (fr_list_object_at(&object, list, path) != FR_OK) {
                note("row %lld.%lld: %s", (long long)section, (long long)row, fr_error_message());
                return false;
            }
            fr_list_section(&again, list, section);
            add_section_value(text, &again);
            add_object(text, object);
            fr_object_unref(object);
        }
    }
    return true;
}

static fr_value column_value(sqlite3_stmt *statement, int column)
{
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
        return fr_integer(sqlite3_column_int64(statement, column));
    case SQLITE_FLOAT:
        return fr_real(sqlite3_column_double(statement, column));
    case SQLITE_TEXT:
        return fr_text((const char *)sqlite3_column_text(statement, column));
    default:
        return fr_null();
    }
}

/* What the statement of a template yields now; false while it can't be read. */
static bool oracle_read(const struct template *template, struct text *text)
{
    sqlite3_stmt *statement = NULL;
    bool is_map = strncmp(template->name, "items in", 8) == 0;
    bool is_flat = !is_map && template->section == NULL;
    int code = sqlite3_prepare_v2(world.reader, template->oracle, -1, &statement, NULL), column, rows = 0;
    if (code != SQLITE_OK) fault("the oracle of %s: %s", template->name, sqlite3_errmsg(world.reader));
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        fr_section_info info = {0};
        info.value = column_value(statement, 0);
        add_section_value(text, &info);
        for (column = 1; column < sqlite3_column_count(statement); column++) {
            fr_value value = column_value(statement, column);
            if (column == 1 && value.type == FR_TYPE_NULL) break; /* a section without items */
            if (column == 1 + template->identity_count) text_add(text, " |");
            add_value(text, &value);
        }
        rows++;
    }
    sqlite3_finalize(statement);
    if (code != SQLITE_DONE && code != SQLITE_BUSY) fault("the oracle of %s: code %d", template->name, code);
    if (rows == 0 && is_flat) add_section(text, FR_TYPE_NULL, "");
    return code == SQLITE_DONE;
}

/* Whether a list shows the state of the last delivery. */
static bool is_followed(struct shown_list *shown)
{
    bool is_fetched = false, is_paused = false, is_disabled = false;
    const fr_error *failure = NULL;
    int child;
    if (shown->list == NULL || shown->template == NULL) return false;
    if (fr_list_is_fetched(&is_fetched, shown->list) != FR_OK || !is_fetched) return false;
    if (shown->template->request == NULL) {
        for (child = 0; child < MOST_CHILDREN; child++) {
            if (shown->children[child] != NULL && !is_followed(shown->children[child])) return false;
        }
        return true;
    }
    if (fr_controller_is_paused(&is_paused, shown->list) != FR_OK || is_paused) return false;
    if (fr_section_map_is_disabled(&is_disabled, shown->list) == FR_OK && is_disabled) return false;
    if (fr_controller_failure(&failure, shown->list) != FR_OK || failure != NULL) return false;
    return true;
}

static bool expected_read(struct shown_list *shown, struct text *text)
{
    int child;
    if (shown->template->request != NULL) return oracle_read(shown->template, text);
    for (child = 0; child < MOST_CHILDREN; child++) {
        if (shown->children[child] != NULL && !oracle_read(shown->children[child]->template, text)) return false;
    }
    return true;
}

static void check_list(struct shown_list *shown, bool must_be_readable)
{
    struct text expected = {0}, actual = {0};
    if (is_followed(shown) && expected_read(shown, &expected)) {
        world.compared++;
        if (!list_read(shown->list, &actual)) {
            if (must_be_readable) fault("%s can't be read: %s", shown->template->name, fr_error_message());
        } else if (strcmp(text_get(&actual), text_get(&expected)) != 0) {
            fault("list %d, %s, shows%s\nexpected%s", (int)(shown - world.lists), shown->template->name,
                  text_get(&actual), text_get(&expected));
        }
    }
    text_free(&expected);
    text_free(&actual);
}

void check_lists(bool is_settled)
{
    bool is_open = false;
    int index;
    if (world.store == NULL || world.depth > 0) return;
    for (index = 0; index < LISTS; index++) world.lists[index].is_requested = false;
    if (fr_store_in_transaction(&is_open, world.store) != FR_OK || is_open) return;
    world.checks++;
    for (index = 0; index < LISTS; index++) check_list(&world.lists[index], is_settled);
}
