/* Lists: what controllers, section maps and collections have in common. */
#ifndef FETCHEDRESULTS_LIST_H
#define FETCHEDRESULTS_LIST_H

#include <stdbool.h>

#include "base.h"
#include "changes.h"
#include "object.h"

FR_BEGIN_DECLS

/*
 * A live list, ordered and in sections, which reports its changes. It is the list of a request
 * (fr_controller_new), one whose sections are rows themselves (section_map.h), several lists shown
 * as one (collection.h), or the rows around one row of a list (window.h). It has one owner, which
 * frees it with fr_list_free, before or after its store is closed.
 *
 * A list changes only in a delivery (see fr_store). Between two deliveries counts and index paths
 * do not change. An object that is read either belongs to that state, or is reported as FR_GONE.
 *
 * In a delivery all lists of the store go through three phases together. First, every will_change
 * is called while all lists still show the old state. Then all lists switch. Then the records and
 * did_change of each list are reported while all lists show the new state. Each transaction is one
 * such bracket. A transaction that does not change the list makes no callbacks.
 */
typedef struct fr_list fr_list;

/*
 * fr_list_free: frees the list and its observers.
 *
 * The call is allowed inside a callback of the list; no further callback of the list is made. A
 * list with a cache name is cached (fr_request_set_cache_name); of a collection, each of its lists.
 *
 * list: NULL does nothing. A handle that was freed before does nothing either.
 * Errors: FR_IO if a list could not be cached. The list is freed all the same, and fr_store_close
 *   reports the failure as well, unless the list is cached later. Only a failure changes the last
 *   error. Since 0.1.
 */
fr_status fr_list_free(fr_list *list);

/*
 * fr_list_perform_fetch: reads the list.
 *
 * A later call reads it again from scratch.
 *
 * It makes no change callbacks. On failure the list does not change. Inside a transaction it reads
 * that transaction's rows. A list that is cached by name is read from its file, and brought to the
 * present state by the rows that were touched since (fr_request_set_cache_name). A list with a
 * cache name that is not cached yet is cached after it was read.
 *
 * Errors: FR_MISUSE, FR_CLOSED, FR_BUSY, FR_IO, FR_CORRUPT, FR_SCHEMA, FR_ERROR for a predicate
 *   that fails. O(n). Since 0.1.
 */
fr_status fr_list_perform_fetch(fr_list *list);

/*
 * Receives how many rows have been read so far. Returns false to cancel the fetch. Inside it,
 * functions on the store return FR_MISUSE (see fr_store).
 */
typedef bool (*fr_progress_function)(int64_t rows, void *user_data);

/*
 * fr_list_perform_fetch_with_progress: as fr_list_perform_fetch, and reports its progress about
 * once every thousand rows, after the first sixteen thousand once every eight thousand.
 *
 * progress: called during this call only.
 * Errors: also FR_CANCELLED if `progress` returned false. Since 0.1.
 */
fr_status fr_list_perform_fetch_with_progress(fr_list *list, fr_progress_function progress, void *user_data);

/*
 * Reports the end of a fetch in the background. It may call any function.
 *
 * error: NULL if the list was fetched.
 */
typedef void (*fr_completion_function)(fr_list *list, const fr_error *error, void *user_data);

/*
 * fr_list_perform_fetch_async: reads the list in the background, on a thread and a connection of
 * its own.
 *
 * The call returns immediately. The list shows its old state until fr_store_dispatch takes over the
 * result. Then it shows what the other lists of the store show, with everything that was delivered
 * meanwhile. If another request is set meanwhile, that request is fetched.
 *
 * A collection fetches each child this way. It shows all of them when all are read, and none if one
 * fails. Children that are inserted meanwhile are read when the other children are shown. If no
 * child reads anything, this call fetches the collection.
 *
 * The items of a section map are read in the background; this call and fr_store_dispatch read its
 * sections. fr_store_dispatch itself reads what only the store's own connection can read, or what a
 * second connection can't read without disturbing other connections: a database in memory or in a
 * rollback mode, temporary or attached tables, functions and collations of the program.
 *
 * progress, completion: called by fr_store_dispatch, on its thread; for a collection, by a dispatch
 *   of any of its stores. `progress` may be NULL, and may return false to cancel. `completion` is
 *   called once, unless the list is freed or the store is closed before.
 * destroy: called exactly once with `user_data`: after the completion, or when it will never be
 *   called.
 * Errors: FR_MISUSE, also while a fetch of the list, or of a child, is under way; FR_CLOSED; FR_IO
 *   without file descriptors. Since 0.1.
 */
fr_status fr_list_perform_fetch_async(fr_list *list, fr_progress_function progress, fr_completion_function completion,
                                      void *user_data, fr_destroy destroy);

/*
 * fr_list_cancel_fetch: cancels the fetch in the background.
 *
 * The next fr_store_dispatch calls its completion with FR_CANCELLED.
 *
 * Errors: FR_MISUSE; FR_NOT_FOUND if there is none. Since 0.1.
 */
fr_status fr_list_cancel_fetch(fr_list *list);

/* fr_list_is_fetched: whether a fetch has succeeded. Errors: FR_MISUSE. Since 0.1. */
fr_status fr_list_is_fetched(bool *out, fr_list *list);

/*
 * fr_list_count: the number of objects in all sections.
 *
 * Errors, here and in all reads below: FR_MISUSE, FR_NOT_FETCHED before the first fetch, FR_CLOSED.
 *   O(1). Since 0.1.
 */
fr_status fr_list_count(int64_t *out, fr_list *list);

/*
 * fr_list_section_count: the number of sections; 1 for a flat list, also an empty one. O(1). Since
 * 0.1.
 */
fr_status fr_list_section_count(int64_t *out, fr_list *list);

/* A section: its name, its value, its place and its number of objects. */
typedef struct fr_section_info {
    const char *name; /* the section's value as text; NULL for the section of NULL and for that of a flat list */
    int64_t name_length; /* in bytes; names out of a database may contain NULs */
    const char *index_title; /* NULL if the name is NULL or "" */
    int64_t count; /* of objects, at the time of the call */
    fr_value value; /* the section's value as it is; NULL for a flat list */
    int64_t index; /* its number in the list; -1 if the list does not show it */
} fr_section_info;

/*
 * fr_list_section: describes section `section`.
 *
 * out: its strings are borrowed until the list next changes or is freed.
 * Errors: FR_RANGE. O(log n). Since 0.1.
 */
fr_status fr_list_section(fr_section_info *out, fr_list *list, int64_t section);

/*
 * fr_list_section_object: the row that section `section` stands for, in a section map.
 *
 * out: to be released with fr_object_unref.
 * Errors: FR_RANGE; FR_NOT_FOUND where sections are not rows, and for the section of items without
 *   a section; otherwise as fr_list_object_at. O(log n). Since 0.1.
 */
fr_status fr_list_section_object(fr_object **out, fr_list *list, int64_t section);

/*
 * fr_list_totals: the totals of the list (fr_request_add_total), or of one of its sections.
 *
 * They belong to the state that the list shows, and are read in O(1). With a limit or an offset
 * they are the totals of the rows that the list shows (fr_request_set_totals_of_all_rows changes
 * that). Those of an empty section are those of no rows. A list of groups (fr_request_set_group_by)
 * shows its totals as columns of its rows.
 *
 * A collection has the totals that each of its lists has, under the same name and with the same
 * function (an extreme: with the same collation), over the rows of all lists. Sums are exact, as if
 * the lists were one; a sum of integers that exceeds 64 bits is a floating point number. Lists that
 * were not fetched have no rows. A list without sections of its own is one section. A window has
 * the totals of its list, and a section of it the totals of all rows that the list has there.
 *
 * out: an object with a column for each total, under its name, to be released with fr_object_unref.
 *   It has no entity and no identity; it has no columns if the request has no totals.
 * section: -1 for the whole list.
 * Errors: FR_RANGE; otherwise as fr_list_object_at. O(log n). Since 0.1.
 */
fr_status fr_list_totals(fr_object **out, fr_list *list, int64_t section);

/*
 * fr_list_row_count: the number of objects in section `section`.
 *
 * Errors: FR_RANGE. O(log n). Since 0.1.
 */
fr_status fr_list_row_count(int64_t *out, fr_list *list, int64_t section);

/*
 * fr_list_object_at: the object at an index path.
 *
 * out: receives the object, to be released with fr_object_unref. If its row is not cached, the call
 *   reads it and its neighbours, as many as the request's batch size.
 * Errors: FR_RANGE; FR_GONE if something that is not delivered yet changed its row, and the row's
 *   old values can't be read; FR_BUSY, FR_IO, ... from reading. O(log n). Since 0.1.
 */
fr_status fr_list_object_at(fr_object **out, fr_list *list, fr_index_path path);

/* The contents of a column's array. */
enum {
    FR_COLUMN_INTEGERS = 1, /* int64_t, one for each row */
    FR_COLUMN_REALS = 2,    /* double, one for each row */
    FR_COLUMN_TEXTS = 3,    /* texts in UTF-8, each followed by a NUL; none contains one */
    FR_COLUMN_VALUES = 4    /* fr_value, one for each row: the values are of several types, or of another type */
};

/*
 * The values of one column in several rows. NULLs are 0 or an empty text in the array, except where
 * it has an fr_value.
 */
typedef struct fr_column {
    int32_t kind; /* FR_COLUMN_INTEGERS, ... */
    int32_t reserved;
    const void *data;
    size_t size; /* of the data, in bytes */
    const int64_t *nulls; /* the numbers of the rows in which it is NULL, from 0, ascending */
    size_t null_count;
} fr_column;

/* Several rows, column by column. */
typedef struct fr_rows {
    size_t count;
    const fr_index_path *paths; /* where each row is */
    uint64_t layout;            /* of all of them, as fr_object_layout returns it */
    size_t column_count;
    const fr_column *columns;
    size_t identity_count;
    const fr_column *identities; /* the values of their identities */
} fr_rows;

/*
 * fr_list_rows: the rows from an index path on, including the rows of later sections.
 *
 * It costs a fraction of reading object by object, as it reads the rows together and makes no
 * objects. It also returns if there is no row at the path, but rows behind it. At the end of the
 * list the count is 0. There can be fewer rows than `count` before the end: rows of another layout,
 * in a collection, rows whose identities have another number of values, and one that can't be read
 * begin the next call; more than 512 are never read.
 *
 * out: borrowed until the next call of the function for the list, or until the list is freed.
 * count: the greatest number of rows, at least 1.
 * Errors: FR_RANGE for a count of 0; any error of fr_list_object_at for the first row. Since 0.1.
 */
fr_status fr_list_rows(fr_rows *out, fr_list *list, fr_index_path path, size_t count);

/*
 * fr_list_identities: the identities of the rows from an index path on, including the rows of later
 * sections. The rows are not read.
 *
 * A program that compares two states itself copies them. Like fr_list_rows it also returns if there
 * is no row at the path, but rows behind it. At the end of the list the count is 0. There can be
 * fewer rows than `count` before the end: a row whose identity has another number of values, in a
 * collection, begins the next call; more than 512 are never returned.
 *
 * out: `paths` and `identities` are borrowed until the next call of fr_list_rows or of this
 *   function for the list, or until the list is freed. There are no columns.
 * count: the greatest number of rows, at least 1.
 * Errors: FR_RANGE for a count of 0; FR_NOT_FETCHED, FR_CLOSED, FR_MISUSE. O(log n) for each
 *   section, and O(1) for each row, in a collection O(log n). Since 0.1.
 */
fr_status fr_list_identities(fr_rows *out, fr_list *list, fr_index_path path, size_t count);

/*
 * fr_list_identity_at: the identity of the object at an index path. Its row is not read.
 *
 * out, count: the values; borrowed until the next call of this function for the list, or until the
 *   list is freed.
 * Errors: FR_RANGE; FR_NOT_FETCHED, FR_CLOSED, FR_MISUSE. O(log n). Since 0.1.
 */
fr_status fr_list_identity_at(const fr_value **out, size_t *count, fr_list *list, fr_index_path path);

/*
 * fr_list_index_path_of: the present index path of an object, by its identity.
 *
 * In a collection several lists may show the row. The call then returns the place in the list that
 * the object was read from, as long as that list shows the row.
 *
 * Errors: FR_NOT_FOUND if the object is not in the list; FR_TYPE if it is of another entity. O(log
 *   n). Since 0.1.
 */
fr_status fr_list_index_path_of(fr_index_path *out, fr_list *list, fr_object *object);

/*
 * fr_list_index_path_of_identity: the present index path of the row with an identity.
 *
 * identity: as in fr_store_update.
 * Errors: FR_NOT_FOUND; FR_RANGE for a wrong count. Since 0.1.
 */
fr_status fr_list_index_path_of_identity(fr_index_path *out, fr_list *list, const fr_value *identity, size_t count);

/*
 * fr_list_index_path_at: the index path of the object with number `index` over all sections, from
 * 0.
 *
 * Errors: FR_RANGE. O(log n). Since 0.1.
 */
fr_status fr_list_index_path_at(fr_index_path *out, fr_list *list, int64_t index);

/*
 * fr_list_index_of: the index, over all sections, of the object at an index path.
 *
 * Errors: FR_RANGE. O(log n). Since 0.1.
 */
fr_status fr_list_index_of(int64_t *out, fr_list *list, fr_index_path path);

/*
 * fr_list_index_title_count: the number of section index titles: each title of a section, once, in
 * the order of first appearance.
 *
 * The first call after a change of sections is O(sections). Since 0.1.
 */
fr_status fr_list_index_title_count(int64_t *out, fr_list *list);

/*
 * fr_list_index_title: section index title number `index`.
 *
 * out: borrowed until the list next changes or is freed.
 * Errors: FR_RANGE. Since 0.1.
 */
fr_status fr_list_index_title(const char **out, fr_list *list, int64_t index);

/*
 * fr_list_section_for_index_title: the first section with an index title.
 *
 * title, index: the title and its number, as fr_list_index_title returned them.
 * Errors: FR_NOT_FOUND if there is no such title; FR_RANGE if number `index` is not that title.
 *   Since 0.1.
 */
fr_status fr_list_section_for_index_title(int64_t *out, fr_list *list, const char *title, int64_t index);

/*
 * An observer of changes. Set `struct_size` to sizeof(fr_observer); members may be NULL.
 *
 * There are two forms with the same content. The first four members report one record at a time.
 * `did_deliver` reports the whole change set, before did_change.
 *
 * section_changed and object_changed receive the change set that contains the record. The record's
 * number in it is `change->index`, which fr_change_set_old_value and the other functions of
 * changes.h take. The change set is borrowed (see fr_change_set_ref), and the record lives as long
 * as the change set.
 *
 * A callback must return. One that ends by longjmp or by a C++ exception leaves its stores in the
 * middle of their work: all later calls on these return FR_MISUSE, except fr_store_close.
 *
 * A callback may read any list. It may write to the store; the changes are delivered in a round of
 * their own, after all callbacks of this one. It may add and remove observers: an added one takes
 * part from the next round on, and a removed one is not called any more. It may also free the list
 * and close the store.
 */
typedef struct fr_observer {
    size_t struct_size;
    /* The list is about to change; it still shows the old state. */
    void (*will_change)(fr_list *list, void *user_data);
    /*
     * A section changed. `section` is its new state, or its last state with a count of 0 if it was
     * deleted.
     */
    void (*section_changed)(fr_list *list, const fr_section_info *section, const fr_change *change,
                            fr_change_set *changes, void *user_data);
    /*
     * A row changed. `object` is its new state, or its last known one; borrowed; NULL if no state
     * is available.
     */
    void (*object_changed)(fr_list *list, fr_object *object, const fr_change *change, fr_change_set *changes,
                           void *user_data);
    /* All changes of the list were reported. */
    void (*did_change)(fr_list *list, void *user_data);
    /* The whole change set; borrowed, see fr_change_set_ref. */
    void (*did_deliver)(fr_list *list, fr_change_set *changes, void *user_data);
    /*
     * A commit left this list without a valid state, for example because its table was dropped. The
     * list stays in its last state, and recovers by itself with exact changes when the cause is
     * removed. Called once when this begins, and again when the list is resumed or enabled and
     * still can't be read. Also called when something that a callback requested, such as another
     * request for the list, failed after the round.
     */
    void (*did_fail)(fr_list *list, const fr_error *error, void *user_data);
    /*
     * The whole list changed and must be shown again (fr_change_set_is_reload). Called in place of
     * section_changed and object_changed, before did_deliver and did_change.
     */
    void (*did_reload)(fr_list *list, void *user_data);
} fr_observer;

/*
 * fr_list_add_observer: registers an observer, which is notified of every later change.
 *
 * Observers are called in the order in which they were added.
 *
 * out: receives a number for fr_list_remove_observer; may be NULL.
 * observer: copied.
 * destroy: called exactly once with `user_data`: when the observer is removed, when the list is
 *   freed, or when this call fails. If that happens inside a callback of this observer, `destroy`
 *   is called after the callback.
 * Errors: FR_MISUSE, FR_RANGE for a wrong struct_size. Since 0.1.
 */
fr_status fr_list_add_observer(uint64_t *out, fr_list *list, const fr_observer *observer, void *user_data,
                               fr_destroy destroy);

/*
 * fr_list_remove_observer: removes an observer, which is not called any more.
 *
 * Errors: FR_MISUSE; FR_NOT_FOUND for an unknown number. Since 0.1.
 */
fr_status fr_list_remove_observer(fr_list *list, uint64_t observer);

FR_END_DECLS

#endif
