/* How the tables are declared in the file: by the catalog, or by the SQL of --schema. */
#ifndef SCHEMA_H
#define SCHEMA_H

#include <sqlite3.h>
#include <stdbool.h>

#include "catalog.h"

/*
 * Reads the statements of --schema, and executes them in memory, where tables_read finds their
 * tables.
 */
bool schema_load(const char *path);

/* Executes the statements in a new file, and creates the tables that they have not created. */
bool schema_create(sqlite3 *file, const struct tables *tables);

/* Sets each table's CREATE TABLE. Foreign keys refer to tables of `all`. */
bool schema_declare(struct tables *tables, const struct tables *all);

/*
 * The indexes and triggers of a table, which it loses when it is made again: taken out of the file,
 * and put back.
 */
struct extras {
    char *sql;
};
bool extras_take(struct extras *extras, sqlite3 *file, const char *table);
bool extras_put(struct extras *extras, sqlite3 *file);

#endif
