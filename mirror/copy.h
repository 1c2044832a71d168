/*
 * Copying tables as they are in one snapshot of the server, which is where the slot's stream
 * begins.
 */
#ifndef COPY_H
#define COPY_H

#include <libpq-fe.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "catalog.h"
#include "options.h"

enum copy_phase {
    COPY_NONE,    /* nothing was begun */
    COPY_SLOT,    /* the server creates the slot, which waits for its running transactions */
    COPY_LOCKING, /* it locks the tables against DDL, which waits for DDL that runs */
    COPY_OPENING, /* it begins to send a table */
    COPY_ROWS,    /* it sends rows */
    COPY_DONE     /* FILE.copying has all rows */
};

struct copy {
    const struct options *options;
    const struct tables *wanted; /* the tables as they were before */
    bool is_whole;               /* all are copied, not only what is stale there */
    PGconn *connection;          /* in a transaction with the snapshot */
    char *path;                  /* FILE.copying */
    sqlite3 *side;               /* that, while rows are written */
    struct tables tables;        /* as they are in the snapshot */
    enum copy_phase phase;
    uint64_t lsn; /* where the stream of the slot begins */
    size_t table; /* which one is copied */
    sqlite3_stmt *insert;
    int64_t rows, total; /* how many were copied, of about how many */
};

/* Begins: the slot's snapshot is held until copy_end. */
bool copy_begin(struct copy *copy, PGconn *connection, const char *slot, bool is_temporary);

/* Does what can be done without waiting for the server, but for `milliseconds` at most. */
bool copy_step(struct copy *copy, int milliseconds);

/* Does all of it, and shows on a terminal and in the file how far it is. */
bool copy_run(struct copy *copy, sqlite3 *file);

/* Says in the file how far it is. */
bool copy_report(const struct copy *copy, sqlite3 *file);

/* Frees what it holds. The connection is the caller's, and the file remains. */
void copy_end(struct copy *copy);

#endif
