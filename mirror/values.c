/* Values. SQLite would read a number's text itself, but not always to the nearest double. */
#include "values.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

/* From pg_type.dat; the numbers of PostgreSQL's own types never change. */
enum {
    TYPE_BOOL = 16,
    TYPE_BYTEA = 17,
    TYPE_INT8 = 20,
    TYPE_INT2 = 21,
    TYPE_INT4 = 23,
    TYPE_OID = 26,
    TYPE_FLOAT4 = 700,
    TYPE_FLOAT8 = 701,
    TYPE_TIMESTAMPTZ = 1184,
    TYPE_NUMERIC = 1700
};

enum { DOUBLE_DIGITS = 15, VARHDRSZ = 4 };

/*
 * numerictypmodin: the precision is in the upper 16 bits; the scale, which has a sign, in the lower
 *   11.
 */
static bool fits_double(int modifier)
{
    if (modifier < VARHDRSZ) {
        return false;
    }
    int precision = (modifier - VARHDRSZ) >> 16 & 0xffff, scale = (((modifier - VARHDRSZ) & 0x7ff) ^ 1024) - 1024;
    return precision - (scale < 0 ? scale : 0) <= DOUBLE_DIGITS;
}

enum kind kind_of(unsigned type, const char *name, int modifier)
{
    switch (type) {
    case TYPE_INT8:
    case TYPE_INT2:
    case TYPE_INT4:
    case TYPE_OID:
        return KIND_INTEGER;
    case TYPE_BOOL:
        return KIND_BOOLEAN;
    case TYPE_FLOAT4:
    case TYPE_FLOAT8:
        return KIND_REAL;
    case TYPE_NUMERIC:
        return fits_double(modifier) ? KIND_NUMERIC : KIND_TEXT;
    case TYPE_TIMESTAMPTZ:
        return KIND_TIMESTAMP;
    case TYPE_BYTEA:
        return KIND_BLOB;
    default:
        return strcmp(name, "citext") == 0 ? KIND_CITEXT : KIND_TEXT;
    }
}

const char *kind_declaration(enum kind kind)
{
    static const char *const declarations[] = {[KIND_TEXT] = "TEXT",       [KIND_CITEXT] = "TEXT COLLATE NOCASE",
                                               [KIND_INTEGER] = "INTEGER", [KIND_BOOLEAN] = "BOOLEAN",
                                               [KIND_REAL] = "REAL",       [KIND_NUMERIC] = "NUMERIC",
                                               [KIND_TIMESTAMP] = "TEXT",  [KIND_BLOB] = "BLOB"};
    return declarations[kind];
}

/* The text as it is: for what is no number, NaN for example. */
static int bind_text(sqlite3_stmt *statement, int parameter, const char *bytes, int length)
{
    return sqlite3_bind_text(statement, parameter, bytes, length, SQLITE_STATIC);
}

static int bind_integer(sqlite3_stmt *statement, int parameter, const char *bytes, int length)
{
    uint64_t value = 0;
    int first = length > 0 && bytes[0] == '-';
    if (length == first || length > 20) {
        return bind_text(statement, parameter, bytes, length);
    }
    for (int i = first; i < length; i++) {
        if (bytes[i] < '0' || bytes[i] > '9') {
            return bind_text(statement, parameter, bytes, length);
        }
        value = value * 10 + (uint64_t)(bytes[i] - '0');
    }
    return sqlite3_bind_int64(statement, parameter, (int64_t)(first ? 0 - value : value));
}

static int bind_real(sqlite3_stmt *statement, int parameter, char *bytes, int length)
{
    char after = bytes[length], *end;
    bytes[length] = '\0';
    double value = strtod(bytes, &end); /* it reads "Infinity" as well */
    bytes[length] = after;
    if (length == 0 || end != bytes + length || isnan(value)) {
        return bind_text(statement, parameter, bytes, length);
    }
    return sqlite3_bind_double(statement, parameter, value);
}

static unsigned hexadecimal(char digit)
{
    return (unsigned char)(digit >= 'a' ? digit - 'a' + 10 : digit - '0');
}

/* "\x" and two digits for each byte. */
static int bind_blob(sqlite3_stmt *statement, int parameter, const char *digits, int length)
{
    int count = length > 2 ? (length - 2) / 2 : 0;
    char *bytes = allocated(sqlite3_malloc(count + 1));
    for (int i = 0; i < count; i++) {
        bytes[i] = (char)(hexadecimal(digits[2 + 2 * i]) << 4 | hexadecimal(digits[3 + 2 * i]));
    }
    return sqlite3_bind_blob(statement, parameter, bytes, count, sqlite3_free);
}

/* "2026-11-28 12:00:00.5+00", and before the year 1 with " BC" behind it. */
static int bind_timestamp(sqlite3_stmt *statement, int parameter, const char *bytes, int length)
{
    const char *zone = memchr(bytes, '+', (size_t)length);
    if (zone == NULL || bytes + length - zone < 3) {
        return bind_text(statement, parameter, bytes, length); /* infinity */
    }
    if (zone + 3 == bytes + length) {
        return bind_text(statement, parameter, bytes, length - 3);
    }
    char *text = sqlite3_mprintf("%.*s%.*s", (int)(zone - bytes), bytes, (int)(bytes + length - zone - 3), zone + 3);
    return sqlite3_bind_text(statement, parameter, allocated(text), -1, sqlite3_free);
}

int value_bind(sqlite3_stmt *statement, int parameter, enum kind kind, char *bytes, int length)
{
    switch (kind) {
    case KIND_INTEGER:
        return bind_integer(statement, parameter, bytes, length);
    case KIND_BOOLEAN:
        return sqlite3_bind_int(statement, parameter, length > 0 && bytes[0] == 't');
    case KIND_REAL:
    case KIND_NUMERIC: /* which makes an integer of a whole number */
        return bind_real(statement, parameter, bytes, length);
    case KIND_BLOB:
        return bind_blob(statement, parameter, bytes, length);
    case KIND_TIMESTAMP:
        return bind_timestamp(statement, parameter, bytes, length);
    case KIND_TEXT:
    case KIND_CITEXT:
        break;
    }
    return bind_text(statement, parameter, bytes, length);
}
