/* Versions, status codes, and the calling thread's last error. */
#ifndef FETCHEDRESULTS_BASE_H
#define FETCHEDRESULTS_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define FR_BEGIN_DECLS extern "C" {
#define FR_END_DECLS }
#else
#define FR_BEGIN_DECLS
#define FR_END_DECLS
#endif

FR_BEGIN_DECLS

#define FR_VERSION_MAJOR 0
#define FR_VERSION_MINOR 1
#define FR_VERSION_PATCH 0
#define FR_VERSION_STRING "0.1.0"

/*
 * The outcome of a call: FR_OK, or one of the codes below. Codes never change their numbers; later
 * versions may add new ones, so treat an unknown code as a failure.
 */
typedef int32_t fr_status;

enum {
    FR_OK = 0,
    FR_ERROR = 1,        /* SQLite failed in a way that has no code of its own here; see fr_error_sqlite_code() */
    FR_MISUSE = 2, /* a NULL, freed or wrong handle, a NULL where none is allowed, or a call at the wrong time */
    FR_CLOSED = 3, /* the store that the object comes from was closed */
    FR_RANGE = 4, /* an index, count or option outside its range */
    FR_INVALID_UTF8 = 5, /* a string of the caller is not valid UTF-8 */
    FR_TYPE = 6, /* a value has a type that does not fit */
    FR_NOT_FOUND = 7, /* no such row, object, title or observer: a result rather than a failure */
    FR_NOT_FETCHED = 8, /* the controller was read before its fetch */
    FR_SCHEMA = 9, /* no such table, column, key path or collation */
    FR_SQL = 10, /* the SQL text is wrong, or has the wrong number of parameters */
    FR_CONSTRAINT = 11, /* the schema has a constraint that the change violates */
    FR_BUSY = 12, /* the database is locked by another connection */
    FR_READ_ONLY = 13, /* the store or the database can't be written */
    FR_IO = 14, /* the file can't be opened, read or written; the disk is full */
    FR_CORRUPT = 15, /* the file is not a database, or is damaged */
    FR_NO_MEMORY = 16, /* SQLite could not allocate memory, or there are too many handles (docs/c.md, "Memory") */
    FR_CANCELLED = 17, /* a callback cancelled the operation */
    FR_GONE = 18 /* the row was changed or deleted, and its values in the shown state can't be read any more; or a
                    history does not go back that far */
};

/*
 * fr_version: the version of the library in use, "major.minor.patch".
 *
 * It can be newer than FR_VERSION_STRING. The string is never freed. Any thread. Since 0.1.
 */
const char *fr_version(void);

/*
 * fr_sqlite_with_reset_bug: the version of the SQLite library that the process uses, for example
 * "3.40.1", if it has SQLite's WAL-reset bug (https://www.sqlite.org/wal.html#walresetbug); else
 * NULL.
 *
 * SQLite 3.7.0 to 3.51.2 have it, except 3.44.6 and 3.50.7 with their later patches: where two
 * connections write a log into the database file at the same time, commits can be lost, and the
 * file can be damaged. Stores do not cause it: they write a log into the file only while they
 * prevent that it is restarted. SQLite's automatic checkpoints can cause it, and so can other
 * programs'. A library that its distributor has patched may have an earlier version.
 *
 * The string is never freed. Any thread. Since 0.1.
 */
const char *fr_sqlite_with_reset_bug(void);

/*
 * fr_status_name: the name of a status code, for example "FR_BUSY".
 *
 * Returns "FR_UNKNOWN" for a number that is not a status code. The string is never freed. Any
 * thread. Since 0.1.
 */
const char *fr_status_name(fr_status status);

/*
 * fr_error_status: the status that the calling thread's last fr_status function returned.
 *
 * Any thread. Since 0.1.
 */
fr_status fr_error_status(void);

/*
 * fr_error_message: the failure of the calling thread's last fr_status function, in English.
 *
 * It names the thing at fault, and is "" if that call succeeded. Borrowed until the thread's next
 * fr_status call. Any thread. Since 0.1.
 */
const char *fr_error_message(void);

/*
 * fr_error_sqlite_code: SQLite's extended result code (https://www.sqlite.org/rescode.html) of the
 * calling thread's last fr_status function; 0 if it succeeded, or failed without SQLite.
 *
 * Any thread. Since 0.1.
 */
int32_t fr_error_sqlite_code(void);

/*
 * fr_error_sql: the SQL statement at which the calling thread's last fr_status function failed;
 * NULL if it succeeded or no statement was involved.
 *
 * Borrowed until the thread's next fr_status call. Any thread. Since 0.1.
 */
const char *fr_error_sql(void);

/*
 * A failure that is reported to a callback. It contains what the four functions above return after
 * a failed call. It and its strings are borrowed during the callback.
 */
typedef struct fr_error {
    size_t struct_size; /* sizeof(fr_error) of the library in use */
    fr_status status; /* never FR_OK */
    int32_t sqlite_code; /* SQLite's extended result code; 0 if it failed without SQLite */
    const char *message; /* in English; never NULL */
    const char *sql; /* the SQL statement at which it failed; NULL if no statement was involved */
} fr_error;

/* The kinds of handles, for fr_live_handles. */
enum {
    FR_HANDLE_ANY = 0,
    FR_HANDLE_STORE = 1,
    FR_HANDLE_STATEMENT = 2,
    FR_HANDLE_OBJECT = 3,
    FR_HANDLE_REQUEST = 4,
    FR_HANDLE_LIST = 5,
    FR_HANDLE_CHANGE_SET = 6,
    FR_HANDLE_PLACEHOLDER = 7,
    FR_HANDLE_COORDINATOR = 8,
    FR_HANDLE_DATA_SOURCE = 9,
    FR_HANDLE_CELL = 10,
    FR_HANDLE_ENTITY_LIST = 11
};

/*
 * fr_live_handles: the number of handles of a kind that the process has made and not freed yet.
 *
 * It finds leaks that leak checkers can't find, because handles are numbers. A handle counts once,
 * however many references it has. An entity list holds a coordinator and a data source, and, with a
 * store, a controller. A collection holds a handle for each child for which fr_collection_child
 * made one. A borrowed handle exists during its callback.
 *
 * out: receives the number.
 * kind: FR_HANDLE_...; FR_HANDLE_ANY counts all kinds.
 * Errors: FR_MISUSE; FR_RANGE for an unknown kind. O(1). Any thread. Since 0.1.
 */
fr_status fr_live_handles(int64_t *out, int32_t kind);

/* Called once, with the user data of a callback that will not be called again. */
typedef void (*fr_destroy)(void *user_data);

FR_END_DECLS

#endif
