/* A store: one SQLite database, observed. */
#ifndef FETCHEDRESULTS_STORE_H
#define FETCHEDRESULTS_STORE_H

#include <stdbool.h>

#include "base.h"
#include "object.h"
#include "value.h"

struct sqlite3;

FR_BEGIN_DECLS

/*
 * A connection to one database. The program writes through it, and the store delivers committed
 * changes to the controllers that were made from it. It has one owner, which closes it with
 * fr_store_close.
 *
 * When a transaction commits, the store delivers its changes before the call that committed it
 * returns. A statement outside of a transaction is a transaction of its own. A commit made inside a
 * callback is delivered after all callbacks of the current round, and before the outermost call
 * returns.
 *
 * A commit that has succeeded is never reported as a failure. Sometimes its changes can't be read
 * at that moment, for example because another connection has locked a database that is not in WAL
 * mode. Then the next write or fr_store_dispatch delivers them.
 *
 * The store does not write to a database file, main or attached, that was moved, replaced or
 * removed. Until the file is back, every commit is refused, and every fetch and dispatch fails,
 * with FR_IO and SQLite's code SQLITE_READONLY_DBMOVED.
 * If a folder above the main file was moved, commits in the next 0.1 seconds may still succeed:
 * they are in the file at its new place.
 *
 * In a process that was forked while the store was open, every call on the store and on what comes
 * from it returns FR_MISUSE, but for the functions that free, and for those that read what is
 * already in memory (objects, change sets, requests). fr_store_close then releases memory alone:
 * SQLite does not allow a connection to be used or closed there
 * (https://www.sqlite.org/howtocorrupt.html#_carrying_an_open_database_connection_across_a_fork_),
 * so the child keeps its descriptors until it ends.
 *
 * A thread is not cancelled (pthread_cancel) in the middle of a call, but after it; fr_store_wait
 * can be cancelled while it waits.
 *
 * In the middle of a statement (in a collation, a SQL function or the progress function of a fetch)
 * every function on the store and on what comes from it returns FR_MISUSE. The exceptions are
 * fr_list_cancel_fetch and the functions that free, or that read what is already in memory
 * (objects, change sets, requests).
 */
typedef struct fr_store fr_store;

/* Options of fr_store_open, in `flags`. */
enum {
    FR_STORE_READ_ONLY = 1,       /* open for reading only; the file must exist */
    FR_STORE_NO_CREATE = 2,       /* do not create the file if it is missing */
    FR_STORE_NO_FOREIGN_KEYS = 4, /* leave foreign keys unenforced (they are enforced otherwise) */
    /*
     * Deliver own commits at fr_store_dispatch rather than before the commit returns. A dispatch
     * delivers all commits since the last one together: a list gets one change set with the sum of
     * what they changed, and none if the sum is nothing.
     */
    FR_STORE_QUEUED = 8,
    FR_STORE_IMMUTABLE = 16 /* nobody changes the file as long as it is open (fr_store_open) */
};

/*
 * How a store is opened. Set `struct_size` to sizeof(fr_store_options) and zero the rest for the
 * defaults.
 */
typedef struct fr_store_options {
    size_t struct_size;
    uint32_t flags;          /* FR_STORE_... */
    int32_t busy_timeout_ms; /* how long to wait for a lock; 0: five seconds; negative: do not wait */
    const char *journal_mode; /* "wal", "delete", ...; "unchanged": that of the file; NULL: WAL for files that can be
                                 written, unchanged for others */
    const char *cache_directory; /* for lists with a cache name, made if necessary; NULL: "fetchedresults" in the user's
                                    cache directory ($XDG_CACHE_HOME, or $HOME/.cache). A relative path is resolved by
                                    fr_store_open. See fr_store_delete_cache */
    int64_t snapshot_limit; /* how far the write-ahead log may grow beyond the delivered state, in bytes; 0: 44 MiB;
                               negative: the store holds no state. See fr_store_dispatch */
    int32_t poll_interval_ms; /* how often to look for commits of others where the kernel does not notify of all of
                                 them; 0: every 100; negative: never. See fr_store_wake_up_source */
} fr_store_options;

/*
 * fr_store_open: opens the database at `path`, and creates it if necessary.
 *
 * A file that can't be written, or in whose directory no journal can be made, is opened for
 * reading; writing then returns FR_READ_ONLY. A file in WAL mode needs its log and the log's index
 * ("-wal", "-shm") even for reading. If they are missing and the directory can't be written, only
 * FR_STORE_IMMUTABLE opens the file.
 *
 * FR_STORE_IMMUTABLE opens a file for reading only. The store then takes no locks and looks for no
 * changes. The file must not change as long as the store is open; otherwise lists can be wrong and
 * calls can fail with FR_CORRUPT. The store does not read a write-ahead log or a hot journal beside
 * the file.
 *
 * Files are opened by SQLite's VFS "unix" in a form whose readers do not lock a write-ahead log
 * against writers. Its name is "fetchedresults". If the program has made another VFS the default
 * (https://www.sqlite.org/vfs.html), files are opened by that one. Either way a file is written as
 * plain SQLite writes it.
 *
 * out: receives the store, which the caller closes with fr_store_close.
 * path: a file name, or ":memory:" for a private database in memory. A name that begins with
 *   "file:" is a plain file name, not a URI.
 * options: NULL for the defaults; read during the call only.
 * Errors: FR_MISUSE, FR_INVALID_UTF8; FR_RANGE for unknown flags or a wrong struct_size; FR_IO if
 *   the file can't be opened or is missing; FR_CORRUPT if it is not a database; FR_SQL for an
 *   unknown journal mode; FR_READ_ONLY or FR_IO for a journal mode that the file can't have;
 *   FR_BUSY. On failure nothing stays open.
 * Thread: any; afterwards one thread at a time uses the store. Since 0.1.
 */
fr_status fr_store_open(fr_store **out, const char *path, const fr_store_options *options);

/*
 * fr_store_adopt: makes a store from a connection that the caller has opened and continues to own.
 *
 * The store takes over the connection's preupdate, commit and rollback hooks and its authorizer.
 * SQLite has one of each per connection, and fr_store_close leaves them empty. The store changes no
 * other setting of the connection.
 *
 * The store captures what the program writes through the connection itself. It delivers this at the
 * next fr_store_dispatch or at the next write through the store.
 *
 * Of the options, the flag FR_STORE_QUEUED, the cache directory, the snapshot limit and the poll
 * interval apply.
 *
 * out: receives the store.
 * db: borrowed; the caller keeps it open until fr_store_close.
 * options: NULL or as in fr_store_open.
 * Errors: FR_MISUSE, also for a connection that an open store uses already; FR_RANGE. Since 0.1.
 */
fr_status fr_store_adopt(fr_store **out, struct sqlite3 *db, const fr_store_options *options);

/*
 * fr_store_close: closes the store and frees the handle.
 *
 * An open transaction is rolled back. Controllers and statements of the store stay valid handles:
 * calls on them return FR_CLOSED, and the program still has to free them. Objects and change sets
 * stay readable. An adopted connection stays open. Lists that have a cache name are cached for the
 * next start (fr_request_set_cache_name).
 *
 * Inside a callback of this store the close takes effect immediately for all calls, and no further
 * callback is made.
 *
 * store: NULL does nothing.
 * Errors: FR_MISUSE, also in the middle of a statement (a collation, a SQL function, the progress
 *   function of a fetch): the store stays open. The failure of the commit of a half-way statement
 *   (see fr_statement_step): the store is closed. Since 0.1.
 */
fr_status fr_store_close(fr_store *store);

/*
 * fr_store_execute: runs one SQL statement to its end, and discards the rows that it yields.
 *
 * SQLite undoes the effect of a failed statement. After a failure inside a transaction, the
 * transaction is still open, unless SQLite has ended it
 * (https://www.sqlite.org/lang_transaction.html). fr_store describes when changes are delivered.
 * The store caches prepared statements by their text.
 *
 * sql: exactly one statement.
 * params: values for the parameters ?1 ... ?count in order, borrowed during the call; may be NULL
 *   if count is 0.
 * Errors: FR_MISUSE, FR_CLOSED, FR_INVALID_UTF8, FR_TYPE; FR_SQL for wrong SQL, for no statement or
 *   several, and for more or fewer values than the statement has parameters; FR_CONSTRAINT,
 *   FR_BUSY, FR_READ_ONLY, FR_IO, ... as SQLite reports. Since 0.1.
 */
fr_status fr_store_execute(fr_store *store, const char *sql, const fr_value *params, size_t count);

/*
 * fr_store_execute_named: as fr_store_execute, for a statement with named parameters.
 *
 * names: `count` names with their prefix (":name", "@name" or "$name"); a name without prefix
 *   stands for ":name". Each parameter of the statement must be given, and each name must occur in
 *   it (FR_SQL). Since 0.1.
 */
fr_status fr_store_execute_named(fr_store *store, const char *sql, const char *const *names, const fr_value *values,
                                 size_t count);

/*
 * fr_store_execute_script: runs any number of statements, separated by semicolons, without
 * parameters.
 *
 * It stops at the first statement that fails. The statements before it keep their effect, unless
 * the script's own transaction is rolled back.
 *
 * Errors: as fr_store_execute. Since 0.1.
 */
fr_status fr_store_execute_script(fr_store *store, const char *sql);

/*
 * fr_store_changes: how many rows the last INSERT, UPDATE or DELETE of the store changed
 * (sqlite3_changes64).
 *
 * Errors: FR_MISUSE, FR_CLOSED. Since 0.1.
 */
fr_status fr_store_changes(int64_t *out, fr_store *store);

/*
 * fr_store_last_insert_rowid: the rowid of the store's last INSERT (sqlite3_last_insert_rowid); 0
 * before the first.
 *
 * Errors: FR_MISUSE, FR_CLOSED. Since 0.1.
 */
fr_status fr_store_last_insert_rowid(int64_t *out, fr_store *store);

/*
 * fr_store_delete_cache: deletes the list of this database that is cached by that name, so that the
 * next fetch reads the list from the database.
 *
 * It is not an error if there is none. A controller of that name that changes afterwards caches its
 * list again.
 *
 * The lists of a database are in a directory of their own inside the cache directory. The store
 * uses neither directory if others can write to it. The cache directory must belong to the
 * process's user or to root. It must be writable by its owner only, or have the sticky bit, as /tmp
 * has. The database's own directory must belong to the user, be writable by the user only, and not
 * be a link. Otherwise lists are neither read nor written, and the functions that delete them
 * return FR_IO. In that directory the store does not follow links, and reads, writes and deletes
 * only regular files of the user.
 *
 * name: as given to fr_request_set_cache_name.
 * Errors: FR_MISUSE, FR_CLOSED, FR_INVALID_UTF8; FR_IO if the file can't be deleted, or if others
 *   can write to the directory. Since 0.1.
 */
fr_status fr_store_delete_cache(fr_store *store, const char *name);

/*
 * fr_store_delete_all_caches: deletes all cached lists of this database, and the remains of files
 * whose writers were killed.
 *
 * It leaves alone any file that the library did not make.
 *
 * Errors: FR_MISUSE, FR_CLOSED, FR_IO. Since 0.1.
 */
fr_status fr_store_delete_all_caches(fr_store *store);

/*
 * fr_database_delete_cache: deletes the list of a database that is cached by that name, as
 * fr_store_delete_cache does. No store needs to be open, and the file of the database may be
 * missing.
 *
 * path: the database's file.
 * cache_directory: as in fr_store_options; may be NULL.
 * name: as given to fr_request_set_cache_name.
 * Errors: FR_MISUSE, FR_INVALID_UTF8; FR_IO as fr_store_delete_cache.
 * Thread: any. Since 0.1.
 */
fr_status fr_database_delete_cache(const char *path, const char *cache_directory, const char *name);

/*
 * fr_database_delete_all_caches: deletes all cached lists of a database, as
 * fr_store_delete_all_caches does.
 *
 * Otherwise as fr_database_delete_cache. Since 0.1.
 */
fr_status fr_database_delete_all_caches(const char *path, const char *cache_directory);

/* How a transaction begins (https://www.sqlite.org/lang_transaction.html). */
enum {
    FR_DEFERRED = 0, /* locks when it first reads or writes */
    FR_IMMEDIATE = 1, /* takes the write lock immediately */
    FR_EXCLUSIVE = 2
};

/*
 * fr_store_begin: begins a transaction, or, inside one, a nested savepoint.
 *
 * A call of fr_store_commit or fr_store_rollback ends the innermost of them.
 *
 * mode: FR_DEFERRED, FR_IMMEDIATE or FR_EXCLUSIVE; ignored for a savepoint.
 * Errors: FR_MISUSE, FR_CLOSED, FR_RANGE; FR_BUSY, also while a statement that writes is half-way
 *   (fr_statement_step). Since 0.1.
 */
fr_status fr_store_begin(fr_store *store, int32_t mode);

/*
 * fr_store_commit: commits what the innermost fr_store_begin began.
 *
 * The outermost commit delivers.
 *
 * After a failure the transaction is still open, unless SQLite has rolled it back, as it does after
 * FR_IO; fr_store_in_transaction reports which.
 *
 * Errors: FR_MISUSE if there is no transaction; FR_CLOSED; FR_BUSY, FR_CONSTRAINT (deferred foreign
 *   keys), FR_IO. Since 0.1.
 */
fr_status fr_store_commit(fr_store *store);

/*
 * fr_store_rollback: rolls back everything since the innermost fr_store_begin.
 *
 * Nothing is delivered.
 *
 * Errors: FR_MISUSE if there is no transaction; FR_CLOSED. Since 0.1.
 */
fr_status fr_store_rollback(fr_store *store);

/*
 * fr_store_in_transaction: whether a transaction is open, however it was begun.
 *
 * A transaction is also open while a statement that writes is half-way (fr_statement_step).
 *
 * Errors: FR_MISUSE, FR_CLOSED. Since 0.1.
 */
fr_status fr_store_in_transaction(bool *out, fr_store *store);

/*
 * The work of fr_store_transaction: FR_OK to commit, any other status to roll back and return that
 * status.
 */
typedef fr_status (*fr_transaction_function)(fr_store *store, void *user_data);

/*
 * fr_store_transaction: runs `function` between fr_store_begin(store, FR_IMMEDIATE) and a commit or
 * rollback.
 *
 * Returns FR_OK, the status of the failed begin or commit, or the status that `function` returned.
 * The transaction is rolled back after a failed commit.
 *
 * Errors: FR_MISUSE, FR_CLOSED, and these. Since 0.1.
 */
fr_status fr_store_transaction(fr_store *store, fr_transaction_function function, void *user_data);

/*
 * fr_store_insert: inserts a row into a table.
 *
 * out: NULL, or receives the new row as an object (with the values that defaults and triggers gave
 *   it), to be released with fr_object_unref.
 * entity: the table, optionally with its database: "items", "aux.items".
 * columns, values: `count` of each; a count of 0 inserts the defaults.
 * Errors: FR_SCHEMA for an unknown table or column; FR_MISUSE, FR_CLOSED, FR_INVALID_UTF8, FR_TYPE;
 *   FR_CONSTRAINT, FR_BUSY, ...; FR_NOT_FOUND if `out` is not NULL and a trigger removed the row
 *   again. Since 0.1.
 */
fr_status fr_store_insert(fr_object **out, fr_store *store, const char *entity, const char *const *columns,
                          const fr_value *values, size_t count);

/*
 * fr_store_update: sets columns of the one row with the given identity.
 *
 * identity: `identity_count` values, in the order of the primary key's columns. For a row whose key
 *   holds a NULL they are a NULL for each of these columns, then the rowid.
 * Errors: FR_NOT_FOUND if there is no such row; FR_RANGE for a wrong identity_count or a count of
 *   0; otherwise as fr_store_insert. Since 0.1.
 */
fr_status fr_store_update(fr_store *store, const char *entity, const fr_value *identity, size_t identity_count,
                          const char *const *columns, const fr_value *values, size_t count);

/*
 * fr_store_delete: deletes the one row with the given identity.
 *
 * Errors: FR_NOT_FOUND if there is no such row; otherwise as fr_store_update. Since 0.1.
 */
fr_status fr_store_delete(fr_store *store, const char *entity, const fr_value *identity, size_t identity_count);

/*
 * fr_store_object: reads the row with the given identity, with all its columns, as it is now.
 *
 * Inside a transaction it reads the row as that transaction sees it.
 *
 * out: receives the object, to be released with fr_object_unref.
 * Errors: FR_NOT_FOUND; otherwise as fr_store_update. Since 0.1.
 */
fr_status fr_store_object(fr_object **out, fr_store *store, const char *entity, const fr_value *identity,
                          size_t identity_count);

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
 * callback has returned that, otherwise with FR_ERROR. The message is that of the callback's own
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
     * lists that use it on its own thread; others are read by fr_store_dispatch.
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
 *   with FR_ERROR. Its message is `result`, if the callback has set that to a text, else that of
 *   the callback's own last call, if that returned the same status.
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

/*
 * fr_store_dispatch: delivers everything that waits for delivery.
 *
 * These things wait for delivery: commits that the program made itself on an adopted connection;
 * own commits of a store opened with FR_STORE_QUEUED; the progress and the end of fetches in the
 * background; and commits of other connections and processes, which each call looks for (PRAGMA
 * data_version). It is not an error if there is nothing to deliver. Inside a callback the call does
 * nothing.
 *
 * In WAL mode, the cost of a commit of others depends on what it has changed. The store finds the
 * rows, and what they showed before, in the write-ahead log
 * (https://www.sqlite.org/walformat.html). For that it holds a read transaction at the state that
 * its lists show, through two connections of its own. It does the same for each attached file in
 * WAL mode, once a list watches a table of it. A transaction of others that writes to several files
 * in WAL mode can be delivered in parts, because SQLite makes it visible file by file.
 *
 * Until the next dispatch the store reads all rows in the state that its lists show. That includes
 * rows that the store itself has changed, delivered or not, rows of lists that were fetched or got
 * another request later, and rows of lists that read several database files. What other connections
 * of the store can't read are temporary tables and databases in memory, neither of which has a log,
 * and functions and collations that the program has registered on an adopted connection by itself:
 * a row that shows a value of these beside one of a file, and that is not cached, is FR_GONE once
 * others have committed.
 *
 * A checkpoint of others that must restart the log from its beginning waits for the store, at most
 * about half a second, if its connection has a busy timeout. Without one, which is the default of
 * SQLite and of its shell, it fails immediately with SQLITE_BUSY. If it has written the log back up
 * to the store's state, it succeeds when it is tried again after two seconds; otherwise it can fail
 * until the next dispatch. So an operator sets a timeout of a second or more
 * ("sqlite3 -cmd '.timeout 2000' FILE 'PRAGMA wal_checkpoint(TRUNCATE)'").
 *
 * The store releases its state if commits are not delivered by then, or when the log has grown by
 * `snapshot_limit`. Rows that are not cached are then FR_GONE until the next dispatch, which reads
 * the lists from scratch and holds their state again. From the beginning of a delivery to its last
 * callback no state is released, so a callback that takes long keeps the log from being restarted.
 * A process that is stopped (SIGSTOP) holds its state, as any reader of SQLite does.
 *
 * In the rollback modes, and where the store has released its state, the store can follow a commit
 * of others by the rows that it touched, if all tables that the store's lists read have histories
 * (fr_store_start_history). Otherwise the next dispatch reads the lists from scratch. In the
 * rollback modes a row that is not cached can be FR_GONE until then in either case, because a
 * history does not contain what the row showed before.
 *
 * Errors: FR_MISUSE, FR_CLOSED; FR_BUSY, FR_IO, ... if the database can't be read: a later dispatch
 *   then delivers what waits. Since 0.1.
 */
fr_status fr_store_dispatch(fr_store *store);

/*
 * What a dispatch has delivered. Set `struct_size` to sizeof(fr_dispatch_result) before the call.
 */
typedef struct fr_dispatch_result {
    size_t struct_size;
    int64_t rounds; /* those that changed lists: in each, the lists switched to one committed state */
    int64_t changed_lists; /* how often a list of the store changed in them */
    bool is_complete; /* whether nothing waits any more, as far as the store can see. Something waits if the limit was
                              reached, if a transaction is open, or inside a callback; then the descriptor becomes
                              readable in time */
} fr_dispatch_result;

/*
 * fr_store_dispatch_rounds: as fr_store_dispatch, with a limit on the number of rounds, and reports
 * what it has delivered.
 *
 * Each write of an observer causes a new round. What the limit leaves makes the descriptor
 * readable, and the next dispatch or the next write delivers it.
 *
 * out: receives what was delivered; may be NULL. On failure it is unchanged.
 * limit: how many rounds may change lists; negative: no limit. 0 only reports whether something
 *   waits.
 * Errors: those of fr_store_dispatch; FR_RANGE for a wrong struct_size. Since 0.1.
 */
fr_status fr_store_dispatch_rounds(fr_dispatch_result *out, fr_store *store, int32_t limit);

/*
 * fr_store_file_descriptor: a descriptor that is readable (level-triggered) as long as there is
 * something to dispatch.
 *
 * The descriptor is for poll, epoll and event loops. Call fr_store_dispatch when it is readable,
 * and neither read nor close it.
 *
 * These things make it readable: the end or progress of a fetch in the background; queued own
 * commits; commits of the program itself on an adopted connection; and commits of other
 * connections, of this process or others, to the database and to attached ones
 * (fr_store_wake_up_source). A file that is moved, replaced or removed makes it readable as well,
 * and so does its return; the dispatch reports the error, also to the lists' observers.
 *
 * One thread of the library waits for all stores of the process. It exists as long as such a store
 * is open, and sleeps while nobody writes. docs/sqlite.md lists the descriptors of a store.
 *
 * out: belongs to the store, until fr_store_close.
 * Errors: FR_MISUSE, FR_CLOSED; FR_IO if there are no file descriptors left. Since 0.1.
 */
fr_status fr_store_file_descriptor(int32_t *out, fr_store *store);

/* How a store is notified that another connection has committed. */
typedef enum fr_wake_up_source {
    FR_WAKE_UP_NONE = 0, /* it is not; fr_store_dispatch looks */
    FR_WAKE_UP_NOTICES = 1, /* the kernel notifies it of what is written to the files (inotify) */
    FR_WAKE_UP_INTERVAL = 2 /* it looks every poll_interval_ms milliseconds */
} fr_wake_up_source;

/*
 * fr_store_wake_up_source: how the descriptor becomes readable when another connection has
 * committed.
 *
 * It is FR_WAKE_UP_NONE for databases in memory and for immutable ones. It is FR_WAKE_UP_INTERVAL,
 * or FR_WAKE_UP_NONE with a negative poll interval, in these cases: the user's limit of notices is
 * reached (/proc/sys/fs/inotify); the file system gives no notices; or others can write to it
 * without this kernel, as in network file systems and in those that a program provides (FUSE). The
 * store requests notices again each second, so the source can change.
 *
 * out: receives the source.
 * Errors: those of fr_store_file_descriptor. Since 0.1.
 */
fr_status fr_store_wake_up_source(fr_wake_up_source *out, fr_store *store);

/* Why a store could not determine which rows other connections have changed. */
enum {
    FR_UNKNOWN_LAYOUT = 0, /* the schema, the page size or the mode of vacuuming changed */
    FR_UNKNOWN_MANY = 1, /* more of the log was new than is worth comparing */
    FR_UNKNOWN_RESTARTED = 2, /* the log was begun from its start before it was read */
    FR_UNKNOWN_PAGES = 3, /* the pages do not fit together, or can't be read as those of SQLite */
    FR_UNKNOWN_SNAPSHOT = 4, /* the store had released the delivered state, or could not hold it */
    FR_UNKNOWN_RACED = 5, /* others committed so close to a commit of the store that the two can't be separated */
    FR_UNKNOWN_IMAGE = 6, /* the values that a row had before can't be read */
    FR_UNKNOWN_REASONS = 7 /* how many there are in this version */
};

/*
 * What a store has found of the commits of other connections to its main database, and to the
 * attached files of which lists watch tables. Set `struct_size` to sizeof(fr_foreign_counters)
 * before the call. New reasons are added at the end.
 */
typedef struct fr_foreign_counters {
    size_t struct_size;
    int64_t followed; /* states that were followed row by row in the write-ahead log */
    int64_t frames; /* pages of the log in these states */
    int64_t rows; /* rows of watched tables that they changed */
    int64_t unknown[FR_UNKNOWN_REASONS]; /* how often the lists had to be read instead, by reason, FR_UNKNOWN_... */
} fr_foreign_counters;

/*
 * fr_store_foreign_counters: what the store has found of the commits of other connections since it
 * was opened.
 *
 * O(1).
 *
 * Errors: FR_MISUSE, FR_CLOSED, FR_RANGE for a wrong struct_size. Since 0.1.
 */
fr_status fr_store_foreign_counters(fr_foreign_counters *out, fr_store *store);

/*
 * fr_store_wait: waits until there is something to dispatch, or until the time has passed, and
 * dispatches.
 *
 * It is not an error if there is nothing to dispatch. A signal does not end the wait: after its
 * handler has returned, the call waits for the remaining time. A program that wants signals to end
 * the wait polls fr_store_file_descriptor itself.
 *
 * timeout_ms: the time in milliseconds; negative: no limit.
 * Errors: those of fr_store_file_descriptor and fr_store_dispatch. Since 0.1.
 */
fr_status fr_store_wait(fr_store *store, int32_t timeout_ms);

/*
 * fr_store_is_delivering: whether a round of the store is under way.
 *
 * It is under way inside the callbacks of its lists, and of lists that a collection shows together
 * with them. What the program requests there is done after the round.
 *
 * Errors: FR_MISUSE, FR_CLOSED. O(1). Since 0.1.
 */
fr_status fr_store_is_delivering(bool *out, fr_store *store);

/*
 * Called when a round is over (fr_store_call_after_round).
 *
 * error: NULL, or the error of what the callback requested last before it registered this function
 *   (another fetch request of a list, or other sections), if that had to wait for the end of the
 *   round and then failed. Observers are notified of the error after this function.
 */
typedef void (*fr_round_function)(fr_store *store, const fr_error *error, void *user_data);

/*
 * fr_store_call_after_round: registers a function that is called once, when the round under way is
 * over.
 *
 * If it is registered inside a callback, it is called when all observers were notified, and
 * everything is done that the callbacks of the round had requested before: writes are delivered,
 * requests replaced, children inserted.
 *
 * If it is registered outside of callbacks, it is called at the end of the next round. If there is
 * nothing to deliver, it is called at the end of the next call that would deliver: a write, a
 * commit or rollback of the outermost transaction, or fr_store_dispatch. In a store opened with
 * FR_STORE_QUEUED that call is fr_store_dispatch, if anything waits for it. The function is never
 * called before this call returns. A function of a store whose lists a collection shows may be
 * called after a round of another store of that collection.
 *
 * The function is called on the thread of the call that ends the round, and may do whatever an
 * observer may. What it requests is done when it has returned. A function that registers itself
 * again is called after what it requested is done, or, if it requested nothing, after the next
 * round.
 *
 * destroy: may be NULL; called exactly once with `user_data`: after the function was called; when
 *   the store is closed before, in which case the function is not called; or when this call fails.
 * Errors: FR_MISUSE, FR_CLOSED. O(1). Since 0.1.
 */
fr_status fr_store_call_after_round(fr_store *store, fr_round_function function, void *user_data, fr_destroy destroy);

/*
 * fr_store_sqlite: the store's own SQLite connection, for what this interface does not offer.
 *
 * Do not close it, and do not change its hooks or its authorizer. The store captures what
 * statements on it change, and delivers that as described at fr_store_adopt.
 *
 * out: borrowed until fr_store_close.
 * Errors: FR_MISUSE, FR_CLOSED. Since 0.1.
 */
fr_status fr_store_sqlite(struct sqlite3 **out, fr_store *store);

FR_END_DECLS

#endif
