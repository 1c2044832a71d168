/* The time of a fetch compared with that of plain SQLite. */
#ifndef FETCHES_H
#define FETCHES_H

#include "bench.h"
#include "lists.h"

/* The SELECT that plain SQLite steps through. */
struct scan {
    const char *sql;
    const char *types; /* of the columns: integer, real, text */
};

/* Fetches of new controllers of the list, in a file, compared with the scan of the same rows. */
struct comparison compare_fetch(const char *path, struct scan scan, struct list list, size_t repetitions);

#endif
