/* The statements that write rows of a table. */
#ifndef ROWS_H
#define ROWS_H

#include <sqlite3.h>
#include <stdbool.h>

#include "catalog.h"
#include "decode.h"

/*
 * Names of a table's columns or key with commas between them, quoted; the caller frees them with
 * sqlite3_free.
 */
char *names_of_columns(const struct table *table);
char *names_of_keys(const struct table *table);

/* The parameters of all columns: ?1, ?2, ... */
char *parameters_of(const struct table *table);

/*
 * "column" = value for all columns that a row with the same key can differ in, where `format` makes
 * the value's text from the name; or "" if there are none.
 */
char *assignments_of(const struct table *table, const char *format, const char *between);

/* Inserts a row, or updates the row that has its key. */
char *upsert_sql(const struct table *table);

/* Rows of the stream. `*is_found` is whether there was such a row. */
bool row_insert(sqlite3 *file, struct table *table, const struct tuple *row);
bool row_update(sqlite3 *file, struct table *table, const struct tuple *old, const struct tuple *row, bool *is_found);
bool row_delete(sqlite3 *file, struct table *table, const struct tuple *old);

/* Ends the table's statements; they are made again when they are needed. */
void statements_free(struct table *table);

#endif
