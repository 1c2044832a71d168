#include "recorder.h"
#include "test.h"

static void place_add(struct text *text, fr_index_path path)
{
    text_add(text, "%lld.%lld", (long long)path.section, (long long)path.row);
}

/* The changed columns by their names in `object` or, without one, by their numbers. */
static void changed_names_add(struct text *text, fr_change_set *changes, size_t index, fr_object *object, int64_t count)
{
    int64_t column, written = 0;
    text_add(text, " {");
    for (column = 0; column < count; column++) {
        const char *name = NULL;
        bool changed = false;
        fr_status status = fr_change_set_column_changed(&changed, changes, index, column);
        if (object == NULL && status == FR_RANGE) {
            break;
        }
        CHECK_OK(status);
        if (changed) {
            text_add(text, "%s", written++ == 0 ? "" : " ");
            if (object == NULL) {
                text_add(text, "%lld", (long long)column);
            } else if (CHECK_OK(fr_object_column_name(&name, object, column))) {
                text_add(text, "%s", name);
            }
        }
    }
    text_add(text, "}");
}

/* Sections that are not rows have columns without names: keys one, placeholders two. */
static void section_columns_add(struct text *text, fr_change_set *changes, size_t index)
{
    enum { COLUMNS_WITHOUT_NAMES = 2 };
    fr_object *object = NULL;
    int64_t count = COLUMNS_WITHOUT_NAMES;
    if (fr_change_set_section_object(&object, changes, index) == FR_OK) {
        CHECK_OK(fr_object_column_count(&count, object));
    }
    changed_names_add(text, changes, index, object, count);
    fr_object_unref(object);
}

static void section_record_add(struct text *text, fr_change_set *changes, size_t index, const fr_change *record)
{
    static const char *const verbs[] = {"?", "insert", "delete", "move", "update"};
    const char *name = NULL;
    CHECK_OK(fr_change_set_section_name(&name, changes, index));
    text_add(text, "%s section ", verbs[record->type]);
    if (record->type != FR_INSERT) {
        text_add(text, "%lld", (long long)record->old_path.section);
    }
    if (record->type == FR_MOVE || record->type == FR_UPDATE) {
        text_add(text, ">");
    }
    if (record->type != FR_DELETE) {
        text_add(text, "%lld", (long long)record->new_path.section);
    }
    text_add(text, " (%s)", name == NULL ? "NULL" : name);
    if ((record->flags & FR_COLUMNS_UNKNOWN) != 0) {
        text_add(text, " {?}");
    } else if (record->changed_columns != 0) {
        section_columns_add(text, changes, index);
    }
}

static void columns_add(struct text *text, fr_change_set *changes, size_t index, const fr_change *record)
{
    fr_object *object = NULL;
    int64_t count = 0;
    if ((record->flags & FR_COLUMNS_UNKNOWN) != 0) {
        text_add(text, " {?}");
        return;
    }
    if (!CHECK_OK(fr_change_set_object(&object, changes, index))) {
        return;
    }
    CHECK_OK(fr_object_column_count(&count, object));
    changed_names_add(text, changes, index, object, count);
    fr_object_unref(object);
}

static void row_record_add(struct text *text, fr_change_set *changes, size_t index, const fr_change *record)
{
    static const char *const verbs[] = {"?", "insert ", "delete ", "move ", "update "};
    text_add(text, "%s", verbs[record->type]);
    if (record->type != FR_INSERT) {
        place_add(text, record->old_path);
    }
    if (record->type == FR_MOVE || record->type == FR_UPDATE) {
        text_add(text, ">");
    }
    if (record->type != FR_DELETE) {
        place_add(text, record->new_path);
    }
    if (record->type == FR_MOVE || record->type == FR_UPDATE) {
        columns_add(text, changes, index, record);
    }
}

void record_add(struct text *text, fr_change_set *changes, size_t index)
{
    const fr_change *records = NULL;
    size_t count = 0;
    if (!CHECK_OK(fr_change_set_records(&records, &count, changes)) || !CHECK(index < count)
        || !CHECK(records[index].type >= FR_INSERT && records[index].type <= FR_UPDATE)) {
        return;
    }
    if (records[index].kind == FR_SECTION) {
        section_record_add(text, changes, index, &records[index]);
    } else {
        row_record_add(text, changes, index, &records[index]);
    }
}
