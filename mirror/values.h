/* Which values of SQLite the types of PostgreSQL become; docs/mirror.md has the table. */
#ifndef VALUES_H
#define VALUES_H

#include <sqlite3.h>
#include <stdbool.h>

enum kind {
    KIND_TEXT,      /* as PostgreSQL writes it */
    KIND_CITEXT,    /* the same, compared without regard to case */
    KIND_INTEGER,   /* integers and oid */
    KIND_BOOLEAN,   /* 0 and 1 */
    KIND_REAL,      /* NaN is text, which REAL holds as it is */
    KIND_NUMERIC,   /* up to 15 digits, which a double holds exactly */
    KIND_TIMESTAMP, /* with time zone: UTC, without the "+00" that SQLite's functions refuse */
    KIND_BLOB
};

/* By the base type's number and name, and the modifier, which has the digits of a numeric. */
enum kind kind_of(unsigned type, const char *name, int modifier);

/* The type that a column of SQLite is declared with. */
const char *kind_declaration(enum kind kind);

/*
 * Binds a value in PostgreSQL's text form. The bytes must stay until the statement has run; the
 * byte behind them may be written.
 */
int value_bind(sqlite3_stmt *statement, int parameter, enum kind kind, char *bytes, int length);

#endif
