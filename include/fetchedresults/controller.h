/* Controllers: the lists of one request. */
#ifndef FETCHEDRESULTS_CONTROLLER_H
#define FETCHEDRESULTS_CONTROLLER_H

#include <stdbool.h>

#include "base.h"
#include "list.h"
#include "request.h"
#include "store.h"

FR_BEGIN_DECLS

/*
 * fr_controller_new: makes a controller for a request, without fetching its list.
 *
 * out: receives the controller.
 * store: must stay open as long as the controller is used.
 * request: copied.
 * Errors: FR_MISUSE, FR_CLOSED; FR_SCHEMA for an unknown table, column, key path or collation, and
 *   for a view without identity; FR_SQL for a wrong predicate or a wrong number of parameters. The
 *   message contains the name at fault. Since 0.1.
 */
fr_status fr_controller_new(fr_list **out, fr_store *store, fr_request *request);

/*
 * fr_controller_set_row_cache_size: limits the number of rows whose values are cached for reading;
 * 1,000 unless set, and never less than the request's batch size.
 *
 * Errors: FR_MISUSE, FR_RANGE for a negative number. Since 0.1.
 */
fr_status fr_controller_set_row_cache_size(fr_list *list, int64_t rows);

/*
 * fr_controller_row_cache_size: the largest number of rows whose values are cached.
 *
 * Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_controller_row_cache_size(int64_t *out, fr_list *list);

/*
 * fr_controller_set_row_cache_bytes: limits the memory of these values; 8 MiB unless set.
 *
 * One row alone may take more.
 *
 * Errors: FR_MISUSE, FR_RANGE for a negative number. Since 0.1.
 */
fr_status fr_controller_set_row_cache_bytes(fr_list *list, int64_t bytes);

/*
 * fr_controller_row_cache_bytes: the largest number of bytes that cached values take.
 *
 * Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_controller_row_cache_bytes(int64_t *out, fr_list *list);

/*
 * fr_controller_set_request: replaces the request.
 *
 * If the controller was fetched, the call reads the list again, also inside a transaction. It
 * delivers the difference as one change set before it returns. Inside a callback this is done after
 * the current round, and a failure is then reported to the observers' `did_fail`. If the columns
 * differ, each row that the program has read is updated.
 *
 * request: copied; must be for the same entity (FR_MISUSE).
 * Errors: any error of fr_controller_new and fr_list_perform_fetch. After a failure, request and
 *   list are unchanged. Since 0.1.
 */
fr_status fr_controller_set_request(fr_list *list, fr_request *request);

/*
 * fr_controller_request: a copy of the request; for a section map, of the request for its items.
 *
 * out: to be freed with fr_request_free.
 * Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_controller_request(fr_request **out, fr_list *list);

/*
 * fr_controller_section_key_path: the key path whose values divide the objects into sections; for a
 * section map, the key path from an item to the key of its section.
 *
 * out: borrowed until the list next changes or is freed; NULL for a flat list.
 * Errors: FR_MISUSE, also for a collection. Since 0.1.
 */
fr_status fr_controller_section_key_path(const char **out, fr_list *list);

/*
 * fr_controller_store: the store that the rows come from, also of a window.
 *
 * out: borrowed, the handle that the program opened.
 * Errors: FR_MISUSE, also for a collection, which can have several stores; FR_CLOSED. Since 0.1.
 */
fr_status fr_controller_store(fr_store **out, fr_list *list);

/*
 * fr_controller_failure: why the list could not be read after a commit or a pause.
 *
 * It is the error that was reported to the observers' `did_fail`. As long as there is one, the list
 * shows an earlier state than the other lists. It is cleared when the list has caught up or was
 * fetched.
 *
 * out: NULL if the list has not failed, and while its changes are held back (it is paused or
 *   disabled, or was resumed and the difference is not delivered yet). Borrowed until this function
 *   is next called for the list, or the list is freed.
 * Errors: FR_MISUSE, also for a collection. O(1). Since 0.1.
 */
fr_status fr_controller_failure(const fr_error **out, fr_list *list);

/*
 * fr_controller_pause: holds changes back until fr_controller_resume.
 *
 * The list stays in its state.
 *
 * Another request or other sections that are set meanwhile take effect when the list is resumed. A
 * row that is not cached is FR_GONE if a round that the store has delivered since has changed it,
 * or may have changed it. In a rollback mode that applies to every row, once another connection has
 * committed and no history notes what it touched.
 *
 * Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_controller_pause(fr_list *list);

/*
 * fr_controller_resume: ends the pause, and delivers what changed meanwhile as one change set of
 * the difference.
 *
 * The store delivers everything that waits together with it, so that all lists show one state. It
 * does so before the call returns; inside a callback, after the current round; inside a
 * transaction, when that ends; in a store opened with FR_STORE_QUEUED, at fr_store_dispatch if
 * anything waits for it. If the list can't be read, `did_fail` of the observers is called, even if
 * it was called before. The list recovers when the cause is removed.
 *
 * reload: true to read the list from scratch. Observers then receive one reload
 *   (fr_change_set_is_reload) instead of the difference, even if nothing changed.
 * Errors: FR_MISUSE, FR_CLOSED. O(n). Since 0.1.
 */
fr_status fr_controller_resume(fr_list *list, bool reload);

/*
 * fr_controller_is_paused: whether fr_controller_pause holds changes back.
 *
 * For a section map, being disabled is a separate state (fr_section_map_is_disabled).
 *
 * Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_controller_is_paused(bool *out, fr_list *list);

/*
 * Makes the index title of a section.
 *
 * It writes at most `capacity` bytes of UTF-8 to `title`, without a NUL, and returns the length of
 * the whole title in bytes. It returns 0 for no title, and a negative number for the default (the
 * first letter, capitalised).
 *
 * As with snprintf, a length greater than `capacity` means that the title did not fit. The function
 * is then called once more with room for that many bytes. The default is used for a title that
 * still does not fit, or that is longer than 65,536 bytes. Bytes that are not valid UTF-8 are
 * replaced by U+FFFD.
 *
 * name: the section's name, never NULL.
 */
typedef int64_t (*fr_index_title_function)(char *title, int64_t capacity, const char *name, void *user_data);

/*
 * fr_controller_set_index_title_function: sets the function that makes index titles; NULL for the
 * default.
 *
 * The function's `capacity` is at least 256. A new function takes effect immediately.
 *
 * destroy: may be NULL.
 * Errors: FR_MISUSE. Since 0.1.
 */
fr_status fr_controller_set_index_title_function(fr_list *list, fr_index_title_function function, void *user_data,
                                                 fr_destroy destroy);

/*
 * fr_controller_index_title_for_name: the index title that a section with this name has, or would
 * have.
 *
 * out: borrowed until the list shows another state or is freed; NULL for no title.
 * Errors: FR_MISUSE, also for a collection. Since 0.1.
 */
fr_status fr_controller_index_title_for_name(const char **out, fr_list *list, const char *name);

/* Why a list was read from scratch rather than a few rows of it. */
enum {
    FR_REREAD_FETCH = 0, /* perform_fetch */
    FR_REREAD_REQUEST = 1, /* the request was changed */
    FR_REREAD_SCHEMA = 2, /* DDL, VACUUM, ATTACH, DETACH */
    FR_REREAD_RELATED = 3, /* a table changed that a subquery of the predicate reads */
    FR_REREAD_VIEW = 4, /* the entity is a view */
    FR_REREAD_WINDOW = 5, /* a limit or an offset, and the touched rows are not enough to follow it */
    FR_REREAD_FOREIGN = 6, /* another connection committed */
    FR_REREAD_MANY = 7, /* so many rows changed that reading all is cheaper, or that ranks are renewed */
    FR_REREAD_TRANSACTION = 8, /* the list was fetched inside a transaction that has now ended */
    FR_REREAD_RECOVERY = 9, /* after an error */
    FR_REREAD_PAUSE = 10, /* deliveries were paused */
    FR_REREAD_REASONS = 11
};

/*
 * Counts of a controller's work since it was made. Set `struct_size` to sizeof(fr_counters) before
 * the call. New reasons are added at the end of `rereads`, which is therefore the last member.
 */
typedef struct fr_counters {
    size_t struct_size;
    int64_t rows_read; /* rows of the entity that were read from SQLite: keys and contents */
    int64_t statements_run; /* SQL statements executed */
    int64_t nodes_visited; /* nodes of the ordered tree that were visited */
    int64_t bytes_held; /* memory of the index and the identities now, without the cache of objects */
    int64_t deliveries; /* change sets delivered */
    int64_t cached_fetches; /* fetches that took the list from its cache file (fr_request_set_cache_name) */
    int64_t rereads[FR_REREAD_REASONS]; /* full reads by reason, FR_REREAD_... */
} fr_counters;

/*
 * fr_controller_counters: what the controller has done so far.
 *
 * out: filled up to its struct_size; members that this library does not have are 0.
 * Errors: FR_MISUSE, FR_RANGE for a wrong struct_size. O(1). Since 0.1.
 */
fr_status fr_controller_counters(fr_counters *out, fr_list *list);

/*
 * How SQLite reads a list, and which commits cost more than the rows that they touch. Set
 * `struct_size` to sizeof(fr_explanation) before the call. A text of several lines has no newline
 * at its end.
 */
typedef struct fr_explanation {
    size_t struct_size;
    const char *text; /* all that follows, to be read; of a section map of rows the same for its sections as well */
    const char *sql; /* the statement that reads the list in its order */
    const char *plan; /* SQLite's plan for it, a line for each step; two blanks before those that it is part of */
    const char *advice; /* lines: statements that would help, and sentences where none does; empty if all is well */
    bool is_sorted; /* whether rows are sorted whenever the list is read as a whole, as no index has the order */
    bool is_incremental; /* whether commits cost the rows that they touch, except for `whole_reads` */
    uint32_t whole_reads; /* bit n: the list is read as a whole after some commits, for reason FR_REREAD_ n */
} fr_explanation;

/*
 * fr_controller_explain: how SQLite reads the list, which commits cost more than the rows that they
 * touch, and which indexes would help.
 *
 * It reads no rows; the list need not be fetched. The advice takes the predicate's comparisons of
 * columns with parameters into account.
 *
 * out: filled up to its struct_size; its strings are borrowed until the list shows another state or
 *   is freed.
 * Errors: FR_MISUSE, also for a collection; FR_RANGE for a wrong struct_size; FR_CLOSED; FR_SQL if
 *   the schema has changed such that the list can't be read. Since 0.1.
 */
fr_status fr_controller_explain(fr_explanation *out, fr_list *list);

FR_END_DECLS

#endif
