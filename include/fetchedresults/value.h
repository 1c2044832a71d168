/* A value of SQLite: NULL, integer, real, text or blob. */
#ifndef FETCHEDRESULTS_VALUE_H
#define FETCHEDRESULTS_VALUE_H

#include <string.h>

#include "base.h"

FR_BEGIN_DECLS

typedef int32_t fr_value_type;

enum { FR_TYPE_NULL = 0, FR_TYPE_INTEGER = 1, FR_TYPE_REAL = 2, FR_TYPE_TEXT = 3, FR_TYPE_BLOB = 4 };

/* No value: the type of a result that a callback has not set (FR_FUNCTION_SETS_RESULT). */
enum { FR_TYPE_UNSET = -1 };

/*
 * One value. `type` says which of the other members applies. The rest are ignored in a value that
 * the program passes, and zero in a value that the library returns. A zeroed fr_value is NULL.
 *
 * In: `data` is read during the call only. Text must be valid UTF-8. `length` is in bytes; for
 *   text, -1 means "up to the first NUL". A blob of length 0 may have NULL as `data`.
 * Out: `data` is borrowed for as long as the function that filled the value says. Text is followed
 *   by a NUL that `length` does not count. Text from a database is unchanged, valid UTF-8 or not.
 */
typedef struct fr_value {
    fr_value_type type;
    int32_t reserved;
    int64_t integer;
    double real;
    const char *data;
    int64_t length;
} fr_value;

/* fr_null: the value NULL. */
static inline fr_value fr_null(void)
{
    fr_value value = {FR_TYPE_NULL, 0, 0, 0.0, NULL, 0};
    return value;
}

/* fr_integer: a 64-bit integer. */
static inline fr_value fr_integer(int64_t integer)
{
    fr_value value = {FR_TYPE_INTEGER, 0, 0, 0.0, NULL, 0};
    value.integer = integer;
    return value;
}

/* fr_real: a floating-point number; NaN is NULL to SQLite. */
static inline fr_value fr_real(double real)
{
    fr_value value = {FR_TYPE_REAL, 0, 0, 0.0, NULL, 0};
    value.real = real;
    return value;
}

/* fr_text: a NUL-terminated UTF-8 string, borrowed; NULL for a NULL pointer. */
static inline fr_value fr_text(const char *text)
{
    fr_value value = {FR_TYPE_NULL, 0, 0, 0.0, NULL, 0};
    if (text != NULL) {
        value.type = FR_TYPE_TEXT;
        value.data = text;
        value.length = (int64_t)strlen(text);
    }
    return value;
}

/* fr_blob: `length` bytes, borrowed. */
static inline fr_value fr_blob(const void *data, int64_t length)
{
    fr_value value = {FR_TYPE_BLOB, 0, 0, 0.0, NULL, 0};
    value.data = (const char *)data;
    value.length = length;
    return value;
}

FR_END_DECLS

#endif
