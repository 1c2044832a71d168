/* The errors of the library as a domain of GError. */
#ifndef FRG_STORE_ERROR_H
#define FRG_STORE_ERROR_H

#include <glib-object.h>

#include "frg-macros.h"

G_BEGIN_DECLS

/**
 * FrGStoreError:
 * @FRG_STORE_ERROR_FAILED: SQLite failed in a way that has no code of its own here.
 * @FRG_STORE_ERROR_MISUSE: An argument is missing or wrong, or the call came at the wrong time.
 * @FRG_STORE_ERROR_CLOSED: The store was closed.
 * @FRG_STORE_ERROR_RANGE: An index, count or option is outside its range.
 * @FRG_STORE_ERROR_INVALID_UTF8: A string is not valid UTF-8.
 * @FRG_STORE_ERROR_TYPE: A value has a type that does not fit.
 * @FRG_STORE_ERROR_NOT_FOUND: There is no such row.
 * @FRG_STORE_ERROR_NOT_FETCHED: The list was read before its fetch.
 * @FRG_STORE_ERROR_SCHEMA: There is no such table, column, key path or collation.
 * @FRG_STORE_ERROR_SQL: The SQL text is wrong, or has another number of parameters.
 * @FRG_STORE_ERROR_CONSTRAINT: The schema has a constraint that the change violates.
 * @FRG_STORE_ERROR_BUSY: Another connection has locked the database.
 * @FRG_STORE_ERROR_READ_ONLY: The store or the database can't be written.
 * @FRG_STORE_ERROR_IO: The file can't be opened, read or written.
 * @FRG_STORE_ERROR_CORRUPT: The file is not a database, or is damaged.
 * @FRG_STORE_ERROR_NO_MEMORY: SQLite could not allocate memory, or there are too many handles.
 * @FRG_STORE_ERROR_CANCELLED: The operation was cancelled.
 * @FRG_STORE_ERROR_GONE: The row was changed or deleted, and can't be read in the shown state.
 *
 * The codes of FRG_STORE_ERROR. They have the numbers of the status codes of the C interface.
 *
 * Since: 0.1
 */
typedef enum FrGStoreError {
    FRG_STORE_ERROR_FAILED = 1,
    FRG_STORE_ERROR_MISUSE = 2,
    FRG_STORE_ERROR_CLOSED = 3,
    FRG_STORE_ERROR_RANGE = 4,
    FRG_STORE_ERROR_INVALID_UTF8 = 5,
    FRG_STORE_ERROR_TYPE = 6,
    FRG_STORE_ERROR_NOT_FOUND = 7,
    FRG_STORE_ERROR_NOT_FETCHED = 8,
    FRG_STORE_ERROR_SCHEMA = 9,
    FRG_STORE_ERROR_SQL = 10,
    FRG_STORE_ERROR_CONSTRAINT = 11,
    FRG_STORE_ERROR_BUSY = 12,
    FRG_STORE_ERROR_READ_ONLY = 13,
    FRG_STORE_ERROR_IO = 14,
    FRG_STORE_ERROR_CORRUPT = 15,
    FRG_STORE_ERROR_NO_MEMORY = 16,
    FRG_STORE_ERROR_CANCELLED = 17,
    FRG_STORE_ERROR_GONE = 18
} FrGStoreError;

#define FRG_STORE_ERROR (frg_store_error_quark())

FRG_API GQuark frg_store_error_quark(void);

#define FRG_TYPE_STORE_ERROR (frg_store_error_get_type())

FRG_API GType frg_store_error_get_type(void);

G_END_DECLS

#endif
