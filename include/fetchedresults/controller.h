/* Lists: what fetched results controllers, section maps and collections have in common, and controllers themselves. */
#ifndef FETCHEDRESULTS_CONTROLLER_H
#define FETCHEDRESULTS_CONTROLLER_H

#include <stdbool.h>

#include "base.h"
#include "changes.h"
#include "object.h"
#include "request.h"
#include "store.h"

FR_BEGIN_DECLS

/*
 * A live list: the ordered, sectioned list of a request (fr_controller_new), of sections that are rows of their own
 * (section_map.h), or of several lists (collection.h), and its changes. One owner, who frees it with
 * fr_controller_free; it may be freed before or after its store is closed.
 *
 * What it shows changes only in a delivery (see fr_store): between two deliveries counts and index paths stand still,
 * and an object read belongs to that state or is reported FR_GONE. In a delivery all lists of the store go through
 * three phases together: every will_change, while all still show the old lists; then all switch; then each one's
 * records and did_change, all showing the new lists. Each transaction is one such bracket; one that leaves the list as
 * it was is none.
 */
typedef struct fr_controller fr_controller;

/*
 * fr_controller_new: a controller for a request. Nothing is fetched yet.
 *
 * out: receives the controller. store: must outlive the controller's use. request: copied.
 * Errors: FR_MISUSE, FR_CLOSED; FR_SCHEMA for an unknown table, column, key path or collation, and for a view without
 *   identity; FR_SQL for a wrong predicate or a wrong number of parameters. The message names the thing. Since 0.1.
 */
fr_status fr_controller_new(fr_controller **out, fr_store *store, fr_request *request);

/*
 * fr_controller_free: frees the controller and its observers. NULL does nothing. Inside one of its callbacks it is
 * allowed: no further callback of it is made. Since 0.1.
 */
void fr_controller_free(fr_controller *controller);

/*
 * fr_controller_perform_fetch: reads the list. Makes no change callbacks; again, it reads the list anew. On failure the
 * list stays what it was. Inside a transaction it sees that transaction's rows. A list that is cached by name and
 * still right is taken as it is, without reading rows (fr_request_set_cache_name); others are cached when they were
 * read.
 * Errors: FR_MISUSE, FR_CLOSED, FR_BUSY, FR_IO, FR_CORRUPT, FR_SCHEMA, FR_ERROR for a predicate that fails. O(n). Since
 *   0.1.
 */
fr_status fr_controller_perform_fetch(fr_controller *controller);

/*
 * Receives how many rows have been read so far. Returns false to cancel the fetch. Functions on the store answer
 * FR_MISUSE in it (see fr_store).
 */
typedef bool (*fr_progress_function)(int64_t rows, void *user_data);

/*
 * fr_controller_perform_fetch_with_progress: as fr_controller_perform_fetch, telling of its progress about every
 * thousand rows. progress: called during this call only. Errors: also FR_CANCELLED if it returned false. Since 0.1.
 */
fr_status fr_controller_perform_fetch_with_progress(fr_controller *controller, fr_progress_function progress,
                                                    void *user_data);

/* Reports the end of a fetch in the background. error: NULL if the list was fetched. May do whatever it likes. */
typedef void (*fr_completion_function)(fr_controller *controller, const fr_error *error, void *user_data);

/*
 * fr_controller_perform_fetch_async: reads the list in the background, on a thread and a connection of its own; the
 * calling thread goes on. Until it is taken over the list shows what it showed; then it shows what the other lists of
 * the store show, with all that was delivered meanwhile. If another request is set meanwhile, that one is fetched.
 *
 * progress, completion: called by fr_store_dispatch, on its thread; progress may be NULL, and may return false to give
 *   up. completion is called once, unless the controller is freed or the store closed before.
 * destroy: called exactly once with `user_data`: after the completion, or when it will never be called.
 * fr_store_dispatch itself reads what only the store's own connection can read, or a second one not without being
 * noticed: a database in memory or in a rollback mode, temporary or attached tables, functions and collations of the
 * program.
 * Errors: FR_MISUSE, also while a fetch is under way; FR_CLOSED; FR_IO without file descriptors. Since 0.1.
 */
fr_status fr_controller_perform_fetch_async(fr_controller *controller, fr_progress_function progress,
                                            fr_completion_function completion, void *user_data, fr_destroy destroy);

/*
 * fr_controller_cancel_fetch: gives the fetch in the background up; the next fr_store_dispatch calls its completion
 * with
 * FR_CANCELLED. Errors: FR_MISUSE; FR_NOT_FOUND if there is none. Since 0.1.
 */
fr_status fr_controller_cancel_fetch(fr_controller *controller);

/*
 * fr_controller_set_cache_size: how many rows' values are kept at most for reading; 1,000 unless set, and never less
 * than the request's batch size. Errors: FR_MISUSE, FR_RANGE for a negative number. Since 0.1.
 */
fr_status fr_controller_set_cache_size(fr_controller *controller, int64_t rows);

/* fr_controller_cache_size: that number. Errors: FR_MISUSE. Since 0.1. */
fr_status fr_controller_cache_size(int64_t *out, fr_controller *controller);

/*
 * fr_controller_set_cache_bytes: how much memory the values of these rows have at most; 8 MiB unless set. One row alone
 * may have more. Errors: FR_MISUSE, FR_RANGE for a negative number. Since 0.1.
 */
fr_status fr_controller_set_cache_bytes(fr_controller *controller, int64_t bytes);

/* fr_controller_cache_bytes: that number of bytes. Errors: FR_MISUSE. Since 0.1. */
fr_status fr_controller_cache_bytes(int64_t *out, fr_controller *controller);

/* fr_controller_is_fetched: whether a fetch has succeeded. Errors: FR_MISUSE. Since 0.1. */
fr_status fr_controller_is_fetched(bool *out, fr_controller *controller);

/*
 * fr_controller_set_request: replaces the request. Of a fetched controller the list is read anew and the difference is
 * delivered as one change set before the call returns (at once, also inside a transaction); inside a callback, after
 * the current round, and a failure then is told to the observers' `error`. request: copied; must be for the same entity
 * (FR_MISUSE).
 * Errors: those of fr_controller_new and fr_controller_perform_fetch; request and list are then what they were. Since
 *   0.1.
 */
fr_status fr_controller_set_request(fr_controller *controller, fr_request *request);

/*
 * fr_controller_request: a copy of the request; of a section map that of its items.
 * out: to be freed with fr_request_free. Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_controller_request(fr_request **out, fr_controller *controller);

/*
 * fr_controller_section_key_path: the key path by whose values the objects are put into sections; of a section map that
 * from an item to the key of its section.
 * out: borrowed until the list next changes or the controller is freed; NULL for a flat list. Errors: FR_MISUSE, also
 * for a collection. Since 0.1.
 */
fr_status fr_controller_section_key_path(const char **out, fr_controller *controller);

/*
 * fr_controller_store: the store that the rows come from.
 * out: borrowed, the handle that the program opened. Errors: FR_MISUSE, also for a collection, which can have several;
 * FR_CLOSED. Since 0.1.
 */
fr_status fr_controller_store(fr_store **out, fr_controller *controller);

/*
 * fr_controller_failure: why the list shows an earlier state than it should: what reading it after a commit, or after a
 * pause, failed with, of which the observers' `error` was notified. It is over when the list has caught up or was
 * fetched.
 * out: NULL if the list is in order, or while it is held back: paused, disabled, or resumed and not delivered yet.
 * Borrowed until this function is next called for the list, or the controller is freed. Errors: FR_MISUSE, also for a
 * collection. O(1). Since 0.1.
 */
fr_status fr_controller_failure(const fr_error **out, fr_controller *controller);

/*
 * fr_controller_pause: keeps the list as it is until fr_controller_resume; another request or other sections set
 * meanwhile show then. Objects that changed meanwhile, or may have,
 * and are not in the cache are reported FR_GONE. Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_controller_pause(fr_controller *controller);

/*
 * fr_controller_resume: delivers again. What changed meanwhile is delivered as one change set of the difference.
 *
 * The store delivers everything that waits at the same time, so that all lists show one state: before the call returns;
 * inside a callback, after the current round; inside a transaction, when that ends; in a store opened with
 * FR_STORE_QUEUED, at fr_store_dispatch if anything waits for it. If the list can't be read, `error` of the observers
 * is called, also if it was before, and the list recovers when the cause is gone.
 *
 * reload: the list is read from scratch, and observers get one reload instead (fr_change_set_is_reload), even if
 *   nothing changed.
 * Errors: FR_MISUSE, FR_CLOSED. O(n). Since 0.1.
 */
fr_status fr_controller_resume(fr_controller *controller, bool reload);

/*
 * fr_controller_is_paused: whether fr_controller_pause holds changes back. A section map can be disabled besides
 * (fr_section_map_set_disabled). Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_controller_is_paused(bool *out, fr_controller *controller);

/*
 * fr_controller_count: the number of objects in all sections.
 * Errors, here and in all reads below: FR_MISUSE, FR_NOT_FETCHED before the first fetch, FR_CLOSED. O(1). Since 0.1.
 */
fr_status fr_controller_count(int64_t *out, fr_controller *controller);

/* fr_controller_section_count: the number of sections; 1 for a flat list, also an empty one. O(1). Since 0.1. */
fr_status fr_controller_section_count(int64_t *out, fr_controller *controller);

/* What is known of a section. */
typedef struct fr_section {
    const char *name; /* the section's value as text; NULL for the section of NULL and for that of a flat list */
    int64_t name_length; /* in bytes; names out of a database may contain NULs */
    const char *index_title; /* NULL if the name is NULL or "" */
    int64_t count; /* of objects, when it was asked */
    fr_value value; /* the section's value as it is; NULL for a flat list */
    int64_t index; /* its number in the list; -1 if the list does not show it */
} fr_section;

/*
 * fr_controller_section: what is known of section `section`.
 * out: its strings are borrowed until the list next changes or the controller is freed. Errors: FR_RANGE. O(log n).
 *   Since 0.1.
 */
fr_status fr_controller_section(fr_section *out, fr_controller *controller, int64_t section);

/*
 * fr_controller_section_object: the row that section `section` stands for, in a section map.
 * out: to be given back with fr_object_unref. Errors: FR_RANGE; FR_NOT_FOUND where sections are no rows, and for the
 * section of the items that have none; else as fr_controller_object_at. O(log n). Since 0.1.
 */
fr_status fr_controller_section_object(fr_object **out, fr_controller *controller, int64_t section);

/* fr_controller_row_count: the number of objects in section `section`. Errors: FR_RANGE. O(log n). Since 0.1. */
fr_status fr_controller_row_count(int64_t *out, fr_controller *controller, int64_t section);

/*
 * fr_controller_object_at: the object at an index path.
 *
 * out: receives the object, to be given back with fr_object_unref. If its row is not in the cache, it and its
 *   neighbours (the request's batch size) are read.
 * Errors: FR_RANGE; FR_GONE if its row was changed by something that is not delivered yet and its old values are not
 *   known; FR_BUSY, FR_IO, ... from reading. O(log n). Since 0.1.
 */
fr_status fr_controller_object_at(fr_object **out, fr_controller *controller, fr_index_path path);

/*
 * fr_controller_index_path_of: where an object is now, by its identity. In a collection, several of whose lists may
 * show the row, it is the place in the list that the object came from, as long as that shows it.
 * Errors: FR_NOT_FOUND if it is not in the list; FR_TYPE if it is of another entity. O(log n). Since 0.1.
 */
fr_status fr_controller_index_path_of(fr_index_path *out, fr_controller *controller, fr_object *object);

/*
 * fr_controller_index_path_of_identity: where the row with an identity is now.
 * identity: `count` values in the order of the primary key. Errors: FR_NOT_FOUND; FR_RANGE for a wrong count. Since
 *   0.1.
 */
fr_status fr_controller_index_path_of_identity(fr_index_path *out, fr_controller *controller, const fr_value *identity,
                                               size_t count);

/*
 * fr_controller_index_path_at: the index path of the object that is number `index` over all sections, from 0.
 * Errors: FR_RANGE. O(log n). Since 0.1.
 */
fr_status fr_controller_index_path_at(fr_index_path *out, fr_controller *controller, int64_t index);

/*
 * fr_controller_index_of: the number over all sections of the object at an index path. Errors: FR_RANGE. O(log n).
 * Since 0.1.
 */
fr_status fr_controller_index_of(int64_t *out, fr_controller *controller, fr_index_path path);

/*
 * Makes the index title of a section. name: the section's name, never NULL. Writes at most `capacity` bytes of UTF-8 to
 * `title`, without a NUL, and returns the length of the whole title in bytes; 0 for no title, negative for the default
 * (the first letter, capitalised).
 *
 * As with snprintf, a length greater than `capacity` means that the title did not fit: the function is called once more
 * with room for that many bytes. The default is used for a title that does not fit then either, or is longer than
 * 65,536 bytes. What is not valid UTF-8 is replaced by U+FFFD.
 */
typedef int64_t (*fr_index_title_function)(char *title, int64_t capacity, const char *name, void *user_data);

/*
 * fr_controller_set_index_title_function: who makes index titles; NULL for the default. At least 256 bytes are offered.
 * Takes effect at once. destroy: may be NULL. Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_controller_set_index_title_function(fr_controller *controller, fr_index_title_function function,
                                                 void *user_data, fr_destroy destroy);

/*
 * fr_controller_index_title_count: the number of section index titles: those of the sections, each once, in the order
 * of their first appearance. The first call after a change of sections is O(sections). Since 0.1.
 */
fr_status fr_controller_index_title_count(int64_t *out, fr_controller *controller);

/*
 * fr_controller_index_title: section index title number `index`.
 * out: borrowed until the list next changes or the controller is freed. Errors: FR_RANGE. Since 0.1.
 */
fr_status fr_controller_index_title(const char **out, fr_controller *controller, int64_t index);

/*
 * fr_controller_section_for_index_title: the first section with an index title.
 * title, index: the title and its number, as fr_controller_index_title gave them. Errors: FR_NOT_FOUND if there is no
 * such title; FR_RANGE if number `index` is not that title. Since 0.1.
 */
fr_status fr_controller_section_for_index_title(int64_t *out, fr_controller *controller, const char *title,
                                                int64_t index);

/*
 * Who is told of changes. Set `struct_size` to sizeof(fr_observer); members may be NULL. Both forms tell the same: the
 * first four one record at a time, `changes` all at once, before did_change.
 *
 * section_change and object_change get the change set that the record is of: its number there is `change->index`, with
 * which fr_change_set_old_value and the other functions of changes.h answer what was there before. The change set is
 * borrowed, see fr_change_set_ref; the record lives as long as it.
 *
 * A callback has to return: one that ends by longjmp or by a C++ exception leaves its stores in the middle of their
 * work. All calls on these answer FR_MISUSE from then on, but for fr_store_close.
 *
 * What a callback may do: read any list; write to the store (its changes come in a round of their own, after all
 * callbacks of this one); add and remove observers (they take part from the next round on; a removed one is called no
 * more); free the controller; close the store.
 */
typedef struct fr_observer {
    size_t struct_size;
    /* The list is about to change; it still shows the old state. */
    void (*will_change)(fr_controller *controller, void *user_data);
    /* A section changed. `section` is its new state, or its last one with a count of 0 if it was deleted. */
    void (*section_change)(fr_controller *controller, const fr_section *section, const fr_change *change,
                           fr_change_set *changes, void *user_data);
    /* A row changed. `object` is its new state, or its last known one; borrowed, NULL if nothing is known of it. */
    void (*object_change)(fr_controller *controller, fr_object *object, const fr_change *change, fr_change_set *changes,
                          void *user_data);
    /* All changes were told. */
    void (*did_change)(fr_controller *controller, void *user_data);
    /* Everything at once; borrowed, see fr_change_set_ref. */
    void (*changes)(fr_controller *controller, fr_change_set *changes, void *user_data);
    /*
     * A commit left this list without a right state (its table was dropped, say): it keeps the one it has, and recovers
     * by itself with exact changes when the cause is gone. Called once when this begins, and again when the list is
     * resumed or enabled and still can't be read. Also called when something that was asked for inside a callback, such
     * as another request, failed after it.
     */
    void (*error)(fr_controller *controller, const fr_error *error, void *user_data);
    /*
     * The list is to be shown again from scratch (fr_change_set_is_reload): called in place of section_change and
     * object_change, before `changes` and did_change.
     */
    void (*reload)(fr_controller *controller, void *user_data);
} fr_observer;

/*
 * fr_controller_add_observer: has an observer told of every change from now on.
 *
 * out: receives a number for fr_controller_remove_observer; may be NULL. observer: copied. Observers are called in the
 * order in which they were added.
 * destroy: called exactly once with `user_data`: at removal, when the controller is freed, or when this call fails; if
 *   that happens inside a callback of this observer, after the callback.
 * Errors: FR_MISUSE, FR_RANGE for a wrong struct_size. Since 0.1.
 */
fr_status fr_controller_add_observer(uint64_t *out, fr_controller *controller, const fr_observer *observer,
                                     void *user_data, fr_destroy destroy);

/*
 * fr_controller_remove_observer: calls an observer no more. Errors: FR_MISUSE; FR_NOT_FOUND for an unknown number.
 * Since 0.1.
 */
fr_status fr_controller_remove_observer(fr_controller *controller, uint64_t observer);

/* Why a list was read anew rather than a few rows of it. */
enum {
    FR_REREAD_FETCH = 0, /* perform_fetch */
    FR_REREAD_REQUEST = 1, /* the request was changed */
    FR_REREAD_SCHEMA = 2, /* DDL, VACUUM, ATTACH, DETACH */
    FR_REREAD_RELATED = 3, /* a table changed that a subquery of the predicate reads */
    FR_REREAD_VIEW = 4, /* the entity is a view */
    FR_REREAD_WINDOW = 5, /* the request has a limit or an offset */
    FR_REREAD_FOREIGN = 6, /* another connection committed */
    FR_REREAD_MANY = 7, /* so many rows changed that reading all is cheaper */
    FR_REREAD_TRANSACTION = 8, /* the list was fetched inside a transaction that has now ended */
    FR_REREAD_RECOVERY = 9, /* after an error */
    FR_REREAD_PAUSE = 10, /* deliveries were paused */
    FR_REREAD_REASONS = 11
};

/*
 * What a controller has done since it was made. Set `struct_size` to sizeof(fr_counters) before asking. New reasons are
 * added at the end of `rereads`, which therefore stands last.
 */
typedef struct fr_counters {
    size_t struct_size;
    int64_t rows_read; /* rows of the entity that SQLite was asked for: keys and contents */
    int64_t statements_run; /* SQL statements executed */
    int64_t nodes_visited; /* nodes of the ordered tree looked at */
    int64_t bytes_held; /* memory of the index and the identities now, without the cache of objects */
    int64_t deliveries; /* change sets delivered */
    int64_t cached_fetches; /* fetches that took the list as it was cached (fr_request_set_cache_name) */
    int64_t rereads[FR_REREAD_REASONS]; /* full reads by reason, FR_REREAD_... */
} fr_counters;

/*
 * fr_controller_counters: what the controller has done so far. out: filled up to its struct_size; members that this
 * library does not know are 0.
 * Errors: FR_MISUSE, FR_RANGE for a wrong struct_size. O(1). Since 0.1.
 */
fr_status fr_controller_counters(fr_counters *out, fr_controller *controller);

FR_END_DECLS

#endif
