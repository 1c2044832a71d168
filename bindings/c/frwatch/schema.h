/* What a database has: its tables and views, and their columns. */
#ifndef SCHEMA_H
#define SCHEMA_H

#include <fetchedresults.h>

#include "names.h"

/* Adds the tables and views, by their names; kinds: "table", "view" or "virtual" for each. */
fr_status schema_tables(struct names *names, struct names *kinds, fr_store *store);

/* Adds the columns of a table or view, those that SELECT * shows. */
fr_status schema_columns(struct names *names, fr_store *store, const char *table);

/* Adds the root pages of a table and its indexes, as text. */
fr_status schema_roots(struct names *names, fr_store *store, const char *table);

#endif
