/* Marks. */
#include "marks.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    const fr_index_path *first = &((const fr_change *)a)->new_path, *second = &((const fr_change *)b)->new_path;
    if (first->section != second->section) {
        return first->section < second->section ? -1 : 1;
    }
    return (first->row > second->row) - (first->row < second->row);
}

void marks_take(struct marks *marks, fr_change_set *changes)
{
    const fr_change *records = NULL;
    size_t count = 0;
    marks_free(marks);
    /* A reload has no records, and marks nothing. */
    if (fr_change_set_records(&records, &count, changes) != FR_OK || count == 0
        || (marks->changes = malloc(count * sizeof *records)) == NULL) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (records[i].type != FR_DELETE) {
            marks->changes[marks->count++] = records[i];
        } else if (records[i].kind == FR_OBJECT) {
            marks->deleted++;
        }
    }
    qsort(marks->changes, marks->count, sizeof *marks->changes, compare);
}

void marks_free(struct marks *marks)
{
    free(marks->changes);
    memset(marks, 0, sizeof *marks);
}

const fr_change *marks_find(const struct marks *marks, fr_index_path path)
{
    const fr_change wanted = {.new_path = path};
    return marks->count == 0 ? NULL : bsearch(&wanted, marks->changes, marks->count, sizeof wanted, compare);
}

void marks_add(struct line *line, const fr_change *change)
{
    fr_index_path old = change->old_path;
    if (change->type != FR_MOVE) {
        line_addf(line, change->type == FR_INSERT ? "inserted" : "updated");
    } else if (old.row < 0) {
        line_addf(line, "moved from [%lld]", (long long)old.section);
    } else {
        line_addf(line, "moved from [%lld, %lld]", (long long)old.section, (long long)old.row);
    }
}
