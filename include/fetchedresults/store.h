/* A store: one SQLite database, observed. */
#ifndef FETCHEDRESULTS_STORE_H
#define FETCHEDRESULTS_STORE_H

#include "base.h"

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
 * with FR_IO and SQLite's code SQLITE_READONLY_DBMOVED. See FR_STORE_FOLLOW_PATH.
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
    FR_STORE_IMMUTABLE = 16, /* nobody changes the file as long as it is open (fr_store_open) */
    /*
     * Continue with another file that replaces the database file at its path, such as a restored
     * copy. The next dispatch compares the lists with that file, and delivers the difference as one
     * change set for each.
     *
     * The file must have the same PRAGMA application_id, and the same tables that lists show.
     * Otherwise, and as long as there is no file, a dispatch fails with FR_IO, and the descriptor
     * is readable again when there is another file.
     *
     * Statements, functions, collations, attached databases and the settings of the connection
     * (PRAGMA synchronous and the like) continue. A store keeps its file while a transaction is
     * open or a statement is half-way, and permanently once fr_store_sqlite was called, or as long
     * as there are temporary tables or databases in memory, which would be lost.
     *
     * The log of the former file, which can still be beside the new one, is written back to the
     * former file and removed.
     */
    FR_STORE_FOLLOW_PATH = 32
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
                                 written, unchanged for other files */
    const char *cache_directory; /* for lists with a cache name, made if necessary; NULL: "fetchedresults" in the user's
                                    cache directory ($XDG_CACHE_HOME, or $HOME/.cache). A relative path is resolved by
                                    fr_store_open. See fr_store_delete_cache */
    int64_t snapshot_limit; /* how far the write-ahead log may grow beyond the delivered state, in bytes; 0: 44 MiB;
                               negative: the store holds no state. See fr_store_dispatch */
    int32_t poll_interval_ms; /* how often to look for foreign commits where the kernel does not notify of all of
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
 *   (see fr_statement_step): the store is closed. FR_IO if a list with a cache name could not be
 *   cached, now or earlier: the store is closed, and the next start reads that list. Since 0.1.
 */
fr_status fr_store_close(fr_store *store);

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

/*
 * fr_store_delete_cache: deletes the list of this database that is cached by that name, so that the
 * next fetch reads the list from the database.
 *
 * It is not an error if there is none. A controller of that name that changes afterwards caches its
 * list again.
 *
 * The lists of a database are in a directory of their own inside the cache directory. The store
 * uses neither directory if other users can write to it. The cache directory must belong to the
 * process's user or to root. It must be writable by its owner only, or have the sticky bit, as /tmp
 * has. The database's own directory must belong to the user, be writable by the user only, and not
 * be a link. Otherwise lists are neither read nor written, and the functions that delete them
 * return FR_IO. In that directory the store does not follow links, and reads, writes and deletes
 * only regular files of the user.
 *
 * name: as given to fr_request_set_cache_name.
 * Errors: FR_MISUSE, FR_CLOSED, FR_INVALID_UTF8; FR_IO if the file can't be deleted, or if other
 *   users can write to the directory. Since 0.1.
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

FR_END_DECLS

#endif
