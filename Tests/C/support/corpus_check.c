#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "test.h"

/* What is delivered */

static void add_place(struct text *text, fr_index_path path, bool is_section)
{
    text_add(text, is_section ? "%lld" : "%lld.%lld", (long long)path.section, (long long)path.row);
}

static void add_record(struct text *text, const fr_change *record)
{
    static const char *const verbs[] = {"?", "insert", "delete", "move", "update"};
    bool is_section = record->kind == FR_SECTION, has_both = record->type == FR_MOVE || record->type == FR_UPDATE;
    text_add(text, "%s%s ", is_section ? "section " : "", verbs[record->type]);
    if (record->type != FR_INSERT) {
        add_place(text, record->old_path, is_section);
    }
    text_add(text, has_both ? ">" : "");
    if (record->type != FR_DELETE) {
        add_place(text, record->new_path, is_section);
    }
}

static void add_changed_columns(struct text *text, fr_change_set *changes, const fr_change *record)
{
    enum { COLUMNS = 63 }; /* more than any list of the corpus shows */
    int64_t column;
    const char *separator = " {";
    bool changed = false;
    if ((record->flags & FR_COLUMNS_UNKNOWN) != 0) {
        text_add(text, " {?}");
        return;
    }
    for (column = 0; column < COLUMNS && record->changed_columns != 0; column++) {
        fr_status status = fr_change_set_column_changed(&changed, changes, (size_t)record->index, column);
        if (status == FR_OK && changed) {
            text_add(text, "%s%lld", separator, (long long)column);
            separator = ",";
        }
    }
    text_add(text, record->changed_columns != 0 ? "}" : "");
}

/* The values of the columns that are available. */
static char *old_values(fr_change_set *changes, const fr_change *record)
{
    struct text text = {NULL, 0, 0};
    fr_object *object = NULL;
    fr_status status = record->kind == FR_OBJECT
                           ? fr_change_set_object(&object, changes, (size_t)record->index)
                           : fr_change_set_section_object(&object, changes, (size_t)record->index);
    int64_t count = 0, column;
    char *copy;
    if (status != FR_OK || record->type == FR_INSERT) {
        fr_object_unref(object);
        return NULL;
    }
    CHECK_OK(fr_object_column_count(&count, object));
    for (column = 0; column < count; column++) {
        fr_value value;
        if (fr_change_set_old_value(&value, changes, (size_t)record->index, column) == FR_OK) {
            corpus_add_value(&text, &value);
            text_add(&text, " ");
        }
    }
    fr_object_unref(object);
    copy = text_copy(text_get(&text));
    text_free(&text);
    return copy;
}

static void add_steps(struct text *text, fr_change_set *changes)
{
    fr_change_set *sequential = NULL;
    const fr_change *steps = NULL;
    size_t count = 0, index;
    if (!CHECK_OK(fr_change_set_sequential(&sequential, changes))) {
        return;
    }
    CHECK_OK(fr_change_set_records(&steps, &count, sequential));
    for (index = 0; index < count; index++) {
        text_add(text, index == 0 ? "" : "; ");
        add_record(text, &steps[index]);
    }
    text_add(text, "\n");
    fr_change_set_unref(sequential);
}

static void add_number(struct text *text, int64_t number)
{
    text_add(text, number < 0 ? " -" : " %lld", (long long)number);
}

static void add_changed_totals(struct text *text, fr_change_set *changes)
{
    const fr_total_change *totals = NULL;
    size_t count = 0, index;
    CHECK_OK(fr_change_set_totals(&totals, &count, changes));
    for (index = 0; index < count; index++) {
        text_add(text, "%s", totals[index].name);
        add_number(text, totals[index].old_section);
        add_number(text, totals[index].new_section);
        text_add(text, " ");
        corpus_add_value(text, &totals[index].old_value);
        text_add(text, " ");
        corpus_add_value(text, &totals[index].new_value);
        text_add(text, "\n");
    }
}

static void take_changes(fr_list *controller, fr_change_set *changes, void *user_data)
{
    struct corpus_reported *reported = &((struct corpus_list *)user_data)->reported;
    const fr_change *records = NULL;
    size_t count = 0, index;
    bool is_reload = false;
    (void)controller;
    CHECK_OK(fr_change_set_is_reload(&is_reload, changes));
    if (is_reload) {
        text_add(&reported->brackets, "reload\n");
        return;
    }
    CHECK_OK(fr_change_set_records(&records, &count, changes));
    reported->records = realloc(reported->records, (reported->count + count + 1) * sizeof *reported->records);
    for (index = 0; index < count; index++) {
        struct text text = {NULL, 0, 0};
        add_record(&text, &records[index]);
        if (records[index].type == FR_MOVE || records[index].type == FR_UPDATE) {
            add_changed_columns(&text, changes, &records[index]);
        }
        reported->records[reported->count].text = text_copy(text_get(&text));
        reported->records[reported->count++].was = old_values(changes, &records[index]);
        text_free(&text);
    }
    add_steps(&reported->brackets, changes);
    add_changed_totals(&reported->brackets, changes);
}

static void take_error(fr_list *controller, const fr_error *error, void *user_data)
{
    (void)controller;
    text_add(&((struct corpus_list *)user_data)->reported.errors, "%d ", (int)error->status);
}

void corpus_listen(struct corpus_list *list)
{
    const fr_observer observer = {sizeof observer, NULL, NULL, NULL, NULL, take_changes, take_error, NULL};
    CHECK_OK(fr_list_add_observer(NULL, list->list, &observer, list, NULL));
}

static void discard(struct corpus_reported *reported)
{
    size_t index;
    for (index = 0; index < reported->count; index++) {
        free(reported->records[index].text);
        free(reported->records[index].was);
    }
    reported->count = 0;
    text_free(&reported->brackets);
    text_free(&reported->errors);
}

/* What had to be delivered */

/*
 * What a record's row or section showed in the picture before it; the caller frees it. NULL if
 * there was none.
 */
static char *shown_before(struct corpus *corpus, json_t *picture, const char *record)
{
    struct text text = {NULL, 0, 0};
    const char *place = record + strcspn(record, "0123456789");
    json_t *section = json_array_get(picture, (size_t)atoi(place)), *row;
    const char *point = strchr(place, '.');
    char *copy = NULL;
    if (strncmp(record, "section ", 8) == 0) {
        row = json_object_get(section, "row");
        if (row != NULL) {
            corpus_add_values(&text, row);
            copy = text_copy(text_get(&text));
        }
    } else if (point != NULL) {
        row = json_array_get(json_object_get(section, "rows"), (size_t)atoi(point + 1));
        copy = row == NULL ? NULL : text_copy(corpus->rows.rows[json_integer_value(row)].content);
    }
    text_free(&text);
    return copy;
}

/*
 * A record is a text, or an array of that and of its old values. Without these the old values are
 * those that were shown; null stands for values that may be unavailable.
 */
static void check_record(struct corpus *corpus, json_t *picture, json_t *record, const struct corpus_record *reported)
{
    json_t *was = json_array_get(record, 1);
    const char *text = json_string_value(json_is_array(record) ? json_array_get(record, 0) : record);
    CHECK_TEXT(reported->text, text);
    if (was == NULL && strstr(text, "insert") == NULL) {
        char *shown = shown_before(corpus, picture, text);
        if (shown != NULL) {
            CHECK_TEXT(reported->was, shown);
        }
        free(shown);
    } else if (json_is_array(was)) {
        struct text expected = {NULL, 0, 0};
        corpus_add_values(&expected, was);
        CHECK_TEXT(reported->was, text_get(&expected));
        text_free(&expected);
    }
}

static int64_t number_or_none(json_t *number)
{
    return json_is_null(number) ? -1 : json_integer_value(number);
}

static void add_expected_totals(struct text *text, json_t *totals)
{
    size_t index;
    json_t *total;
    json_array_foreach(totals, index, total)
    {
        text_add(text, "%s", json_string_value(json_array_get(total, 0)));
        add_number(text, number_or_none(json_array_get(total, 1)));
        add_number(text, number_or_none(json_array_get(total, 2)));
        text_add(text, " ");
        corpus_add_coded(text, json_array_get(total, 3));
        text_add(text, " ");
        corpus_add_coded(text, json_array_get(total, 4));
        text_add(text, "\n");
    }
}

void corpus_check_reported(struct corpus *corpus, int number, json_t *expected)
{
    struct corpus_list *list = &corpus->lists[number];
    struct text steps = {NULL, 0, 0}, errors = {NULL, 0, 0};
    size_t index, place = 0, count;
    json_t *bracket, *record, *error;
    json_array_foreach(json_object_get(expected, "brackets"), index, bracket)
    {
        json_t *text = json_is_string(bracket) ? bracket : json_object_get(bracket, "steps");
        text_add(&steps, "%s\n", json_string_value(text));
        add_expected_totals(&steps, json_object_get(bracket, "totals"));
        json_array_foreach(json_object_get(bracket, "records"), count, record)
        {
            if (CHECK(place < list->reported.count)) {
                check_record(corpus, list->picture, record, &list->reported.records[place]);
            }
            place++;
        }
    }
    json_array_foreach(json_object_get(expected, "errors"), index, error)
    {
        text_add(&errors, "%d ", (int)json_integer_value(error));
    }
    CHECK_INT(list->reported.count, place);
    CHECK_TEXT(text_get(&list->reported.brackets), text_get(&steps));
    CHECK_TEXT(text_get(&list->reported.errors), text_get(&errors));
    text_free(&steps);
    text_free(&errors);
    discard(&list->reported);
}

void corpus_free_list(struct corpus *corpus, int number)
{
    struct corpus_list *list = &corpus->lists[number];
    if (list->list == NULL) {
        return;
    }
    if (corpus->hooks->freed != NULL) {
        corpus->hooks->freed(corpus, number);
    }
    fr_list_free(list->list);
    list->list = NULL;
    list->picture = NULL;
    discard(&list->reported);
    free(list->reported.records);
    list->reported.records = NULL;
}

/* What is shown */

static bool has_name(json_t *section)
{
    return json_object_get(section, "value") == NULL || json_object_get(section, "name") != NULL;
}

static bool has_title(json_t *section)
{
    return json_object_get(section, "title") != NULL;
}

/*
 * A section's line, with its name and its index title if the picture, which may be NULL, has these.
 */
static void add_section(struct text *text, const fr_section_info *section, json_t *picture, fr_object *row)
{
    corpus_add_value(text, &section->value);
    if (picture == NULL || has_name(picture)) {
        fr_value name = fr_null();
        if (section->name != NULL) {
            name.type = FR_TYPE_TEXT;
            name.data = section->name;
            name.length = section->name_length;
        }
        text_add(text, " named ");
        corpus_add_value(text, &name);
    }
    if (picture != NULL && has_title(picture)) {
        fr_value title = section->index_title == NULL ? fr_null() : fr_text(section->index_title);
        text_add(text, " titled ");
        corpus_add_value(text, &title);
    }
    if (row != NULL) {
        text_add(text, " row ");
        corpus_add_content(text, row);
    }
    text_add(text, "\n");
}

static void add_expected_section(struct text *text, json_t *section)
{
    corpus_add_coded(text, json_object_get(section, "value"));
    if (has_name(section)) {
        text_add(text, " named ");
        corpus_add_coded(text, json_object_get(section, "name"));
    }
    if (has_title(section)) {
        text_add(text, " titled ");
        corpus_add_coded(text, json_object_get(section, "title"));
    }
    if (json_object_get(section, "row") != NULL) {
        text_add(text, " row ");
        corpus_add_values(text, json_object_get(section, "row"));
    }
    text_add(text, "\n");
}

static void add_rows(struct text *text, fr_list *list, int64_t section, int64_t count)
{
    fr_index_path path = {0, 0};
    path.section = section;
    for (path.row = 0; path.row < count; path.row++) {
        fr_object *object = NULL;
        if (CHECK_OK(fr_list_object_at(&object, list, path))) {
            corpus_add_identity(text, object);
            text_add(text, "| ");
            corpus_add_content(text, object);
            text_add(text, "\n");
        }
        fr_object_unref(object);
    }
}

static void add_expected_rows(struct text *text, struct corpus *corpus, json_t *rows)
{
    size_t index;
    json_t *row;
    json_array_foreach(rows, index, row)
    {
        const struct corpus_row *shown = &corpus->rows.rows[json_integer_value(row)];
        text_add(text, "%s| %s\n", shown->identity, shown->content);
    }
}

/* The sections of a map are those of all its sections that are shown, in their order. */
static void check_all_sections(fr_list *map, json_t *picture)
{
    int64_t count = 0, number, shown = 0;
    CHECK_OK(fr_section_map_all_section_count(&count, map));
    for (number = 0; number < count; number++) {
        fr_section_info section;
        if (CHECK_OK(fr_section_map_all_section(&section, map, number)) && section.index >= 0) {
            json_t *rows = json_object_get(json_array_get(picture, (size_t)shown), "rows");
            CHECK_INT(section.index, shown);
            CHECK_INT(section.count, (int64_t)json_array_size(rows));
            shown++;
        }
    }
    CHECK_INT(shown, (int64_t)json_array_size(picture));
}

/* The totals of a section, or of the whole list for -1. */
static void check_totals(fr_list *list, int64_t section, json_t *expected)
{
    struct text shown = {NULL, 0, 0}, wanted = {NULL, 0, 0};
    fr_object *totals = NULL;
    if (expected == NULL || !CHECK_OK(fr_list_totals(&totals, list, section))) {
        return;
    }
    corpus_add_content(&shown, totals);
    corpus_add_values(&wanted, expected);
    CHECK_TEXT(text_get(&shown), text_get(&wanted));
    fr_object_unref(totals);
    text_free(&shown);
    text_free(&wanted);
}

void corpus_check_shown(struct corpus *corpus, int number)
{
    struct corpus_list *list = &corpus->lists[number];
    struct text shown = {NULL, 0, 0}, expected = {NULL, 0, 0};
    int64_t count = 0, section;
    size_t index;
    json_t *each;
    CHECK_OK(fr_list_section_count(&count, list->list));
    for (section = 0; section < count; section++) {
        json_t *picture = json_array_get(list->picture, (size_t)section);
        fr_section_info info;
        fr_object *row = NULL;
        fr_list_section_object(&row, list->list, section);
        if (CHECK_OK(fr_list_section(&info, list->list, section))) {
            add_section(&shown, &info, picture, row);
            add_rows(&shown, list->list, section, info.count);
        }
        fr_object_unref(row);
    }
    json_array_foreach(list->picture, index, each)
    {
        add_expected_section(&expected, each);
        add_expected_rows(&expected, corpus, json_object_get(each, "rows"));
        check_totals(list->list, (int64_t)index, json_object_get(each, "totals"));
    }
    check_totals(list->list, -1, list->totals);
    CHECK_TEXT(text_get(&shown), text_get(&expected));
    if (list->is_map) {
        check_all_sections(list->list, list->picture);
    }
    text_free(&shown);
    text_free(&expected);
}

static void look_at(struct corpus *corpus, fr_list *list, fr_index_path path, json_t *row)
{
    fr_object *object = NULL;
    struct text text = {NULL, 0, 0};
    fr_status status = fr_list_object_at(&object, list, path);
    if (status != FR_GONE && CHECK_INT(status, FR_OK)) {
        corpus_add_content(&text, object);
        CHECK_TEXT(text_get(&text), corpus->rows.rows[json_integer_value(row)].content);
    }
    text_free(&text);
    fr_object_unref(object);
}

void corpus_look(struct corpus *corpus, int number)
{
    fr_list *list = corpus->lists[number].list;
    size_t index, place;
    json_t *section, *row;
    json_array_foreach(corpus->lists[number].picture, index, section)
    {
        fr_index_path path = {0, 0};
        int64_t count = -1;
        path.section = (int64_t)index;
        CHECK_OK(fr_list_row_count(&count, list, path.section));
        CHECK_INT(count, json_array_size(json_object_get(section, "rows")));
        json_array_foreach(json_object_get(section, "rows"), place, row)
        {
            path.row = (int64_t)place;
            look_at(corpus, list, path, row);
        }
    }
}
