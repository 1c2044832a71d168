#include "rules.h"

#include <string.h>
#include <strings.h>

#include "test.h"
#include "text.h"

/*
 * The eight groups in their order: section deletes, inserts, moves, updates, and the same of rows.
 */
static int group_of(const fr_change *record)
{
    static const int order[] = {-1, 1, 0, 2, 3};
    return (record->kind == FR_SECTION ? 0 : 4) + order[record->type];
}

static bool known(const fr_change *record)
{
    return CHECK(record->kind == FR_SECTION || record->kind == FR_OBJECT)
           && CHECK(record->type >= FR_INSERT && record->type <= FR_UPDATE) && CHECK(record->index >= 0)
           && CHECK((record->flags & ~(uint32_t)FR_COLUMNS_UNKNOWN) == 0);
}

static int compare_paths(fr_index_path a, fr_index_path b)
{
    if (a.section != b.section) {
        return a.section < b.section ? -1 : 1;
    }
    return (a.row > b.row) - (a.row < b.row);
}

static void check_order(const fr_change *previous, const fr_change *record)
{
    int before = group_of(previous), now = group_of(record);
    CHECK(before <= now);
    if (before == now) {
        bool descending = record->type == FR_DELETE;
        int order = descending ? compare_paths(record->old_path, previous->old_path)
                               : compare_paths(previous->new_path, record->new_path);
        CHECK(order < 0);
    }
}

/* A place in `model`, or {-1, -1} if there is none. */
static void check_place(fr_index_path path, bool wanted, int kind, const struct model *model)
{
    if (!wanted) {
        CHECK_INT(path.section, -1);
        CHECK_INT(path.row, -1);
    } else if (CHECK(path.section >= 0 && (size_t)path.section < model->count)) {
        if (kind == FR_SECTION) {
            CHECK_INT(path.row, -1);
        } else {
            CHECK(path.row >= 0 && (size_t)path.row < model->sections[path.section].count);
        }
    }
}

static const char *identity_at(const struct model *model, fr_index_path path)
{
    if (path.section < 0 || (size_t)path.section >= model->count || path.row < 0
        || (size_t)path.row >= model->sections[path.section].count) {
        return NULL;
    }
    return model->sections[path.section].rows[path.row].identity;
}

/* A record of a row is about the row at its places. */
static void check_identity(fr_change_set *changes, size_t index, const fr_change *record, const struct model *before,
                           const struct model *after)
{
    fr_object *object = NULL;
    struct row row;
    if (!CHECK_OK(fr_change_set_object(&object, changes, index))) {
        return;
    }
    row = row_of(object, false);
    if (record->type == FR_DELETE) {
        CHECK_TEXT(row.identity, identity_at(before, record->old_path));
    } else if (record->type != FR_INSERT) {
        /* It may be spelled differently now. */
        CHECK_INT(strcasecmp(row.identity, identity_at(before, record->old_path)), 0);
    }
    if (record->type != FR_DELETE) {
        CHECK_TEXT(row.identity, identity_at(after, record->new_path));
    }
    row_free(&row);
    fr_object_unref(object);
}

/*
 * `changed_columns` and fr_change_set_column_changed agree, and old values differ where a column
 * changed.
 */
static void check_columns(fr_change_set *changes, size_t index, const fr_change *record)
{
    fr_object *object = NULL;
    int64_t count = 0, column, changed_count = 0;
    if (!CHECK_OK(fr_change_set_object(&object, changes, index))) {
        return;
    }
    CHECK_OK(fr_object_column_count(&count, object));
    for (column = 0; column < count; column++) {
        bool changed = false;
        CHECK_OK(fr_change_set_column_changed(&changed, changes, index, column));
        changed_count += changed;
        if (column < 63) {
            CHECK_INT((record->changed_columns >> column) & 1, changed);
        }
    }
    if ((record->flags & FR_COLUMNS_UNKNOWN) != 0) {
        CHECK(record->changed_columns == UINT64_MAX);
    } else if (record->type == FR_UPDATE) {
        CHECK(changed_count > 0);
    }
    fr_object_unref(object);
}

void check_rules(fr_change_set *changes, const struct model *before, const struct model *after)
{
    const fr_change *records = NULL;
    size_t count = 0, index;
    CHECK_OK(fr_change_set_records(&records, &count, changes));
    CHECK(count > 0);
    for (index = 0; index < count; index++) {
        const fr_change *record = &records[index];
        if (!known(record)) {
            return;
        }
        if (index > 0) {
            check_order(record - 1, record);
        }
        check_place(record->old_path, record->type != FR_INSERT, record->kind, before);
        check_place(record->new_path, record->type != FR_DELETE, record->kind, after);
        if (record->kind == FR_OBJECT) {
            check_identity(changes, index, record, before, after);
        }
        if (record->kind == FR_SECTION && record->type == FR_UPDATE) {
            CHECK(record->changed_columns != 0);
        }
        if (record->kind == FR_OBJECT && (record->type == FR_UPDATE || record->type == FR_MOVE)) {
            check_columns(changes, index, record);
        }
    }
}
