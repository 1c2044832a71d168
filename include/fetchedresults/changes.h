/* Change records and change sets: what one delivery changed in a list. */
#ifndef FETCHEDRESULTS_CHANGES_H
#define FETCHEDRESULTS_CHANGES_H

#include <stdbool.h>

#include "base.h"
#include "object.h"
#include "value.h"

FR_BEGIN_DECLS

/* A place in a list: section and row, both from 0. */
typedef struct fr_index_path {
    int64_t section;
    int64_t row;
} fr_index_path;

/* The subject of a record. */
enum { FR_SECTION = 1, FR_OBJECT = 2 };

/* The kind of change. */
enum { FR_INSERT = 1, FR_DELETE = 2, FR_MOVE = 3, FR_UPDATE = 4 };

/* Flags of a record. */
enum {
    FR_COLUMNS_UNKNOWN = 1 /* columns changed, and it is unknown which; changed_columns has all bits set */
};

/*
 * One change. The layout is fixed.
 *
 * Old places count in the list as it was before the delivery. New places count in the list as it is
 * after the whole delivery. An insert has no old place, and a delete has no new one; the missing
 * place is {-1, -1}. For a section, `row` is -1 and `section` is its index.
 *
 * A row's place is its order among the other rows: a row that other rows merely shift has no
 * record. A row that moved may also have changed; `changed_columns` says in which columns. A row
 * that is updated stays in its place among the other rows, and its record has both index paths. The
 * rows of inserted and deleted sections have records of their own. A moved section causes no
 * records of its rows.
 *
 * The records of a change set have this order: section deletes (descending old index), section
 * inserts, section moves, section updates (each ascending by new index), row deletes (descending
 * old path), row inserts, row moves, row updates (each ascending by new path).
 */
typedef struct fr_change {
    int32_t kind;  /* FR_SECTION or FR_OBJECT */
    int32_t type;  /* FR_INSERT, FR_DELETE, FR_MOVE or FR_UPDATE */
    uint32_t flags;
    int32_t index; /* its number among the records of its change set; -1 in a `step` of fr_view, which has none */
    fr_index_path old_path;
    fr_index_path new_path;
    uint64_t changed_columns; /* bit n: shown column n changed; bit 63: column 63 or a later one */
} fr_change;

/*
 * Everything that one delivery changed in one list, as one immutable value. It is
 * reference-counted, and outlives its controller and store. A change set that is passed to a
 * callback is borrowed; fr_change_set_ref retains it.
 */
typedef struct fr_change_set fr_change_set;

/*
 * fr_change_set_ref: retains a change set, so that a borrowed one can be used after the callback.
 *
 * Returns `changes`, or NULL if it is not a change set. Since 0.1.
 */
fr_change_set *fr_change_set_ref(fr_change_set *changes);

/*
 * fr_change_set_unref: releases a reference; the last one frees it.
 *
 * NULL does nothing. Since 0.1.
 */
void fr_change_set_unref(fr_change_set *changes);

/*
 * fr_change_set_records: the records, in the order that fr_change describes.
 *
 * The array of all records is made when you first ask for it, and lives as long as the change set.
 *
 * out: the first record, borrowed as long as the change set lives.
 * count: receives their number; 0 only for a reload.
 * Errors: FR_MISUSE. O(k) for k records. Since 0.1.
 */
fr_status fr_change_set_records(const fr_change **out, size_t *count, fr_change_set *changes);

/*
 * fr_change_set_count: the number of records; 0 only for a reload. O(1).
 *
 * Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_change_set_count(size_t *out, fr_change_set *changes);

/*
 * fr_change_set_read: copies records from number `first` on.
 *
 * Use it where a change set can have very many records: a change set of a million rows that leave
 * together takes 8 bytes for each, and fr_change_set_records makes an array of 56 bytes for each.
 * Any thread may call it as long as the change set lives.
 *
 * out: receives the records, in the order of fr_change_set_records.
 * count: the number of records that `out` has room for; receives how many were copied, which is
 *   less if there are no more.
 * Errors: FR_MISUSE; FR_RANGE if `first` is greater than the number of records. O(n + log k) for n
 *   copied of k records. Since 0.1.
 */
fr_status fr_change_set_read(fr_change *out, size_t *count, fr_change_set *changes, size_t first);

/*
 * fr_change_set_is_reload: whether the whole list changed and must be shown again.
 *
 * A reload has no records. A list that is resumed with a reload delivers one. So does a collection
 * when one of its lists was fetched by itself.
 *
 * Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_change_set_is_reload(bool *out, fr_change_set *changes);

/* What caused the changes of a delivery: flags, of which a change set can have several. */
enum {
    /*
     * The connection of the list's store wrote: the store, or the program on a connection that the
     * store adopted. A transaction that was rolled back counts as well.
     */
    FR_ORIGIN_STORE = 1,
    /* Another connection committed, of this process or of another one. */
    FR_ORIGIN_FOREIGN = 2,
    /*
     * The program changed what the list shows: it set another request, other sections, or other
     * lists of a collection.
     */
    FR_ORIGIN_REQUEST = 4,
    /* The list caught up after a pause, or after a section map was disabled. */
    FR_ORIGIN_RESUME = 8,
    /*
     * The program fetched the list inside a callback of the delivery, or a list that a collection
     * shows.
     */
    FR_ORIGIN_FETCH = 16
};

/*
 * fr_change_set_origin: what caused the changes.
 *
 * A program that shows its own edits itself leaves out change sets whose origin is FR_ORIGIN_STORE
 * alone. If several causes meet in one delivery, the change set has the flags of all, and does not
 * say which record has which. For example, the store commits when a commit of another connection
 * still waits for delivery, or both commit during a pause. A list that could not be read for a
 * while has the flags of all that it missed.
 *
 * out: receives flags FR_ORIGIN_..., at least one.
 * Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_change_set_origin(uint32_t *out, fr_change_set *changes);

/*
 * fr_change_set_object: the object of record `index`, in its new state, or in its last known state
 * if it was deleted.
 *
 * If the schema changed, a deleted object shows the columns that it had.
 *
 * The call may read the values of an inserted or moved row from the database. It can do so only
 * while the list shows the state that the change set leads to. Call it during the callback, and
 * before you fetch the list there, if the values matter.
 *
 * out: receives the object, to be released with fr_object_unref.
 * Errors: FR_MISUSE; FR_RANGE; FR_NOT_FOUND for the record of a section; FR_GONE if the values
 *   were not read before the list showed another state. Since 0.1.
 */
fr_status fr_change_set_object(fr_object **out, fr_change_set *changes, size_t index);

/*
 * fr_change_set_old_value: the value that shown column `column` of record `index` had before, for
 * updates, moves and deletes.
 *
 * A column that was added or renamed has no known value from before.
 *
 * In a section map of rows, a section shows the columns of its row (fr_change_set_section_object).
 * Any other section shows one column, its value; a placeholder shows its name and its index title.
 * If a section was deleted though its row did not change, the call may read the old values from the
 * database; call it during the callback if they matter.
 *
 * The totals of a section (fr_request_add_total) are further columns behind these, in the order of
 * the request: with one column of its own, the first total is column 1. The old values of the
 * totals that changed are known.
 *
 * out: its data is borrowed as long as the change set lives.
 * Errors: FR_MISUSE, FR_RANGE; FR_NOT_FOUND for an insert, the section of items without a section,
 *   a total that did not change, and a value that was never known. Since 0.1.
 */
fr_status fr_change_set_old_value(fr_value *out, fr_change_set *changes, size_t index, int64_t column);

/*
 * fr_change_set_column_changed: whether record `index`, of an object or a section, changed shown
 * column `column`.
 *
 * It is exact also beyond column 63, and true for every column if the columns are unknown. The
 * columns of a section are the ones that fr_change_set_old_value describes, and then its totals.
 *
 * Errors: FR_MISUSE, FR_RANGE. Since 0.1.
 */
fr_status fr_change_set_column_changed(bool *out, fr_change_set *changes, size_t index, int64_t column);

/*
 * fr_change_set_column_name: the name of shown column `column` of record `index`, of an object or a
 * section.
 *
 * Use it to name the columns that changed. The column of a section that is no row is "name", and a
 * placeholder also has "index_title". The totals of a section, which are behind its columns, have
 * their names.
 *
 * out: borrowed as long as the change set lives.
 * Errors: FR_MISUSE; FR_RANGE behind the last column. Since 0.1.
 */
fr_status fr_change_set_column_name(const char **out, fr_change_set *changes, size_t index, int64_t column);

/*
 * fr_change_set_section_name: the name of the section of record `index`; of a deleted section the
 * old name.
 *
 * out: borrowed as long as the change set lives; NULL for the section of NULL and for the only
 *   section of a flat list.
 * Errors: FR_MISUSE, FR_RANGE; FR_NOT_FOUND for the record of an object. Since 0.1.
 */
fr_status fr_change_set_section_name(const char **out, fr_change_set *changes, size_t index);

/*
 * fr_change_set_old_section_name: the name that the section of record `index` had before, for
 * updates, moves and deletes.
 *
 * It differs from the name of fr_change_set_section_name if the key of a section map's section
 * changed, or if a placeholder was renamed.
 *
 * out: as in fr_change_set_section_name.
 * Errors: FR_MISUSE, FR_RANGE; FR_NOT_FOUND for an insert and for the record of an object. Since
 *   0.1.
 */
fr_status fr_change_set_old_section_name(const char **out, fr_change_set *changes, size_t index);

/*
 * fr_change_set_section_object: the row of the section of record `index`, in a section map.
 *
 * It shows the row's new state, or the last known state if the section's row was deleted.
 *
 * out: to be released with fr_object_unref.
 * Errors: FR_MISUSE, FR_RANGE; FR_NOT_FOUND for the record of an object and where sections are not
 *   rows; FR_GONE as in fr_change_set_object. Since 0.1.
 */
fr_status fr_change_set_section_object(fr_object **out, fr_change_set *changes, size_t index);

/*
 * fr_change_set_sequential: the same changes as steps that are applied one after another, for list
 * models that take one change at a time.
 *
 * A step's old path counts in the list as all steps before it left it. Its new path counts after
 * the row or section was removed from its old place. There are as many steps as records. Sections
 * are empty when they are deleted.
 *
 * The functions of this header also take the new change set. O(k log k) for k records.
 *
 * out: receives a new change set, to be released with fr_change_set_unref.
 * Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_change_set_sequential(fr_change_set **out, fr_change_set *changes);

/*
 * fr_change_set_group: the records of one kind and type, such as the deletes of objects, which are
 * adjacent.
 *
 * out: the first of them, borrowed as long as the change set lives; NULL if there are none.
 * count: receives their number.
 * kind: FR_SECTION or FR_OBJECT.
 * type: FR_INSERT, FR_DELETE, FR_MOVE or FR_UPDATE.
 * Errors: FR_MISUSE, also for steps (fr_change_set_sequential), which have no groups; FR_RANGE for
 *   another kind or type. O(log k) for k records. Since 0.1.
 */
fr_status fr_change_set_group(const fr_change **out, size_t *count, fr_change_set *changes, int32_t kind, int32_t type);

/*
 * fr_change_set_identity: the identity of the object of record `index`.
 *
 * It is always available, and is not read from the database.
 *
 * out: the first of its values, borrowed as long as the change set lives.
 * count: receives their number.
 * Errors: FR_MISUSE; FR_RANGE; FR_NOT_FOUND for the record of a section. Since 0.1.
 */
fr_status fr_change_set_identity(const fr_value **out, size_t *count, fr_change_set *changes, size_t index);

/* A total that a delivery changed. The layout is fixed. */
typedef struct fr_total_change {
    const char *name;
    int64_t old_section; /* the index of its section before; -1 for a total of the whole list */
    int64_t new_section; /* the index of its section after; -1 for a total of the whole list */
    fr_value old_value;
    fr_value new_value;
} fr_total_change;

/*
 * fr_change_set_totals: the totals that differ (fr_request_add_total), of the list, and of sections
 * that it has before and after.
 *
 * Such a section has a record of its own: an update, unless it moves. A change set can have changed
 * totals and no records: the list shows the same rows, and other totals.
 *
 * out: the first of them, borrowed as long as the change set lives; NULL for none. The totals of
 *   the list come before the totals of its sections, which ascend by new index.
 * count: receives their number; 0 for a reload.
 * Errors: FR_MISUSE. O(t) for t totals. Since 0.1.
 */
fr_status fr_change_set_totals(const fr_total_change **out, size_t *count, fr_change_set *changes);

/* A run of records or of steps that can be applied together. The layout is fixed. */
typedef struct fr_range {
    int32_t kind;           /* FR_SECTION or FR_OBJECT */
    int32_t type;           /* FR_INSERT, FR_DELETE, FR_MOVE or FR_UPDATE */
    fr_index_path old_path; /* the first place before the run is applied; {-1, -1} for inserts. A section's row is -1 */
    fr_index_path new_path; /* the first place after it is applied; {-1, -1} for deletes */
    int64_t count; /* of rows or sections next to each other; 1 or more */
    int64_t first; /* the number of its first record or step; the other numbers follow */
} fr_range;

/*
 * fr_change_set_ranges: the records or steps of a change set in runs, for list models that take
 * ranges.
 *
 * Of a change set that fr_change_set_sequential made: deletes and inserts of adjacent rows of one
 * section, or of adjacent sections, are one range; each move or update is one. Ranges are applied
 * one after another, as steps are.
 *
 * Of any other change set: deletes, inserts and updates of adjacent rows, and moves of rows to
 * adjacent places, with the same changed columns, are one range; each record of a section is one.
 * The places are of the list before and of the list after, as in the records. The `old_path` of
 * moves is of the row that `new_path` is of; read the old paths of the rest from the records.
 *
 * Inserts, moves and updates ascend: number `first + n` is for the place `new_path` + n. The places
 * of deletes descend: number `first + n` is for the place `old_path` + count - 1 - n.
 *
 * out: the first range, borrowed as long as the change set lives.
 * count: receives their number.
 * Errors: FR_MISUSE. O(r) for r ranges. Since 0.1.
 */
fr_status fr_change_set_ranges(const fr_range **out, size_t *count, fr_change_set *changes);

/* A row of the list that fr_change_set_replay returns. The layout is fixed. */
typedef struct fr_replayed_row {
    fr_index_path old_path; /* where it was in the old list; {-1, -1} for an inserted row */
    int64_t record; /* the number of its insert, move or update; -1 for a row without a record */
} fr_replayed_row;

/* A section of that list. The layout is fixed. */
typedef struct fr_replayed_section {
    int64_t old_index; /* where it was in the old list; -1 for an inserted section */
    int64_t record; /* the number of its insert, move or update; -1 for a section without a record */
    const fr_replayed_row *rows; /* its rows, in their order */
    int64_t row_count;
} fr_replayed_section;

/*
 * fr_change_set_replay: the new list that the changes make of the old one.
 *
 * For each section and row it returns the place in the old list, and the number of the record.
 *
 * It is for programs that hold a copy of the list in structures of their own. They move what the
 * copy already contains, and read the rest with fr_change_set_object. Steps can also be replayed;
 * the numbers are then the steps' numbers.
 *
 * out: the first section of the new list, with its rows; borrowed until the change set is replayed
 *   again or is freed.
 * count: receives the number of sections.
 * row_counts: the number of rows in each of the `section_count` sections of the old list.
 * Errors: FR_MISUSE, also for a reload, which has no records; FR_RANGE if the old list did not have
 *   as many sections and rows, or if the change set can't be one of such a list. O(n) for a list of
 *   n rows. Since 0.1.
 */
fr_status fr_change_set_replay(const fr_replayed_section **out, size_t *count, fr_change_set *changes,
                               const int64_t *row_counts, size_t section_count);

FR_END_DECLS

#endif
