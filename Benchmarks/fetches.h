/* The time of a fetch compared with that of plain SQLite. */
#ifndef FETCHES_H
#define FETCHES_H

#include <sqlite3.h>

#include "bench.h"
#include "lists.h"

/* The SELECT that plain SQLite steps through. */
struct scan {
    const char *sql;
    const char *types; /* of the columns: integer, real, text */
};

/* Fetches of new controllers of the list, in a file, compared with the scan of the same rows. */
struct comparison compare_fetch(const char *path, struct scan scan, struct list list, size_t repetitions);

/* Fetches of one controller, compared with a statement that is run through. */
struct comparison compare_fetch_again(sqlite3_stmt *statement, fr_list *list, struct plan plan);

/* Reads the first column of all rows of a statement. */
void run_through(void *statement);

#endif
