/* Bringing copied tables into the file, so that it changes only where it differs. */
#ifndef MERGE_H
#define MERGE_H

#include <sqlite3.h>
#include <stdbool.h>

#include "catalog.h"

/*
 * Gives copied tables the indexes of tables of the file that are empty, before they are attached.
 */
bool merge_index(sqlite3 *file, const char *path, const struct tables *tables);

/* Makes a copy visible as `side`, or ends that. There must be no open transaction. */
bool merge_attach(sqlite3 *file, const char *path);
bool merge_detach(sqlite3 *file, const char *path);

/* Makes the file's tables equal to the copied ones, in the open transaction. */
bool merge_tables(sqlite3 *file, const struct tables *tables);

#endif
