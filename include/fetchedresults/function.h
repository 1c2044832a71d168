/* Collations and SQL functions of the program. */
#ifndef FETCHEDRESULTS_FUNCTION_H
#define FETCHEDRESULTS_FUNCTION_H

#include "base.h"
#include "store.h"
#include "value.h"

FR_BEGIN_DECLS

/*
 * Compares two strings. It returns a negative number, 0 or a positive number if the first sorts
 * before, with or after the second. The strings are not NUL-terminated. The function must define a
 * total order that never changes, and must not call the store.
 */
typedef int32_t (*fr_collation_compare)(const char *a, size_t a_length, const char *b, size_t b_length,
                                        void *user_data);

/*
 * fr_store_add_collation: registers a collation under `name`, for the schema, predicates and sort
 * descriptors.
 *
 * An adopted connection still has the collation after fr_store_close, because its schema may need
 * it. So `compare` and `user_data` must be valid until the program closes the connection, or
 * registers another collation of that name.
 *
 * destroy: may be NULL; called exactly once, when the collation is replaced, its connection closed,
 *   or this call fails.
 * Errors: FR_MISUSE, FR_CLOSED, FR_INVALID_UTF8; FR_BUSY while a statement of the store is running.
 *   Since 0.1.
 */
fr_status fr_store_add_collation(fr_store *store, const char *name, fr_collation_compare compare, void *user_data,
                                 fr_destroy destroy);

/* What `order` of a fr_fallible_compare is before the callback sets it (INT32_MIN). */
enum { FR_NO_ORDER = -2147483647 - 1 };

/*
 * As fr_collation_compare, for languages whose functions can raise an exception or be interrupted.
 *
 * order: receives a negative number, 0 or a positive number. It comes as FR_NO_ORDER. If the
 *   callback has not set it, the comparison has failed, whatever the callback returns.
 * Returns: FR_OK. With another status the comparison has failed.
 */
typedef fr_status (*fr_fallible_compare)(int32_t *order, const char *a, size_t a_length, const char *b, size_t b_length,
                                         void *user_data);

/*
 * fr_store_add_fallible_collation: as fr_store_add_collation, with a function that can fail.
 *
 * SQLite takes no error from a comparison. So the library lets the statement end, without calling
 * the function again, and then discards what it did. The statement fails with FR_NO_MEMORY if the
 * callback has returned that, otherwise with FR_ERROR. The message comes from the callback's own
 * last call, if that returned the same status. Everything that the statement wrote is undone: if it
 * wrote in an open transaction, the whole transaction is rolled back, as after an interrupt
 * (https://www.sqlite.org/c3ref/interrupt.html). A statement that the program itself runs on the
 * connection is interrupted, and its transaction can't be committed.
 *
 * Errors: as fr_store_add_collation. Since 0.1.
 */
fr_status fr_store_add_fallible_collation(fr_store *store, const char *name, fr_fallible_compare compare,
                                          void *user_data, fr_destroy destroy);

/* Properties of a SQL function, in `flags` of fr_function. */
enum {
    /*
     * It returns the same result for the same arguments as long as the database is used. SQLite may
     * call it less often, and accepts it in indexes and generated columns.
     */
    FR_FUNCTION_DETERMINISTIC = 1,
    /*
     * Any thread may call it, several at the same time. A fetch in the background then also reads
     * lists that use it on its own thread; other lists are read by fr_store_dispatch.
     */
    FR_FUNCTION_ANY_THREAD = 2,
    /*
     * Its callbacks can end without a result, in a language whose functions can raise an exception
     * or be interrupted. `result` then comes with the type FR_TYPE_UNSET, and each callback sets
     * the type last, also `step` and `inverse` (FR_TYPE_NULL). A callback has failed if the type is
     * still FR_TYPE_UNSET, and only then, whatever it returns. Its message can be in `data` and
     * `length`.
     */
    FR_FUNCTION_SETS_RESULT = 4
};

/*
 * A SQL function or aggregate. Set `struct_size` to sizeof(fr_function) and zero the rest before
 * setting anything. A function has `call`; an aggregate has `step` and `finalize`, and as a window
 * function also `value` and `inverse`.
 *
 * arguments: `count` values, borrowed during the call.
 * result: a zeroed value (but see FR_FUNCTION_SETS_RESULT), to be set to the result. A text or blob
 *   must be valid until the callback has returned; it is copied then, and passed to `free_data`, if
 *   that is set. It may be one of the arguments only without `free_data`. Text must be valid UTF-8.
 * group: the address of a pointer, NULL at first, that the callbacks of one group share. `finalize`
 *   frees what it points to: it is called once for each group that had a `step`, also if the
 *   statement failed, and once for a group without rows.
 * Returns: FR_OK. With another status the statement fails: with FR_NO_MEMORY for that, otherwise
 *   with FR_ERROR. Its message is `result`, if the callback has set that to a text; else the
 *   message of the callback's own last call, if that returned the same status.
 */
typedef struct fr_function {
    size_t struct_size;
    uint32_t flags; /* FR_FUNCTION_... */
    int32_t argument_count; /* how many arguments it takes; -1: any number */
    fr_status (*call)(fr_value *result, const fr_value *arguments, size_t count, void *user_data);
    /* adds a row to the group */
    fr_status (*step)(fr_value *result, void **group, const fr_value *arguments, size_t count, void *user_data);
    fr_status (*finalize)(fr_value *result, void **group, void *user_data);
    fr_status (*value)(fr_value *result, void **group, void *user_data); /* the result for the rows so far */
    /* removes the first row, which had these arguments, from the group */
    fr_status (*inverse)(fr_value *result, void **group, const fr_value *arguments, size_t count, void *user_data);
    void (*free_data)(void *data); /* NULL, or called with the `data` of each result that is not NULL */
} fr_function;

/*
 * fr_store_add_function: registers a SQL function or aggregate under `name`, for statements, the
 * schema and requests. It replaces one of that name with as many arguments.
 *
 * A list calls it again only for rows that have changed, so there it must return the same result
 * for the same arguments. The connections through which the store itself reads the file have it as
 * well, so that rows in the state that the lists show can be read with it (fr_store_dispatch). A
 * function that the program registers on fr_store_sqlite exists only there; do not replace one of
 * the store in that way. Lists that use a function are not cached by name.
 *
 * Callbacks are called in the middle of a statement, where the store can't be used (fr_store). An
 * adopted connection keeps the function after fr_store_close, since its schema may need it:
 * `user_data` must be valid until the program closes the connection, or replaces the function.
 *
 * name: 1 to 255 bytes. Names that begin with "fr_" belong to the library.
 * function: read during the call only.
 * destroy: may be NULL; called exactly once with `user_data`, when the function is replaced and no
 *   read that uses it is under way any more, its connection is closed, or this call fails. It is
 *   called on a thread of the store only for FR_FUNCTION_ANY_THREAD.
 * Errors: FR_MISUSE, also for a function that has neither `call` nor `step` and `finalize`, or
 *   both; FR_CLOSED, FR_INVALID_UTF8; FR_RANGE for a wrong struct_size, name or argument_count, and
 *   for unknown flags; FR_BUSY while a statement of the store is running. Since 0.1.
 */
fr_status fr_store_add_function(fr_store *store, const char *name, const fr_function *function, void *user_data,
                                fr_destroy destroy);

FR_END_DECLS

#endif
