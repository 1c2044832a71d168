/*
 * Writing the stream into the file: whole transactions of the server, with their place in its log.
 */
#ifndef APPLY_H
#define APPLY_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "catalog.h"
#include "decode.h"

struct apply {
    sqlite3 *file;
    struct tables *tables;
    double group_seconds; /* how long whole transactions are put together at most */
    sqlite3_stmt *begin, *commit, *position;
    uint64_t applied;  /* the file has everything up to here */
    uint64_t durable;  /* and up to here it is safely on the disk */
    uint64_t group_end; /* the end of the last whole transaction in the open one; 0 without any */
    double group_began;
    bool is_open;   /* the server has begun a transaction */
    bool is_inside;       /* it has rows for the file, which has one open */
    bool is_skipped;      /* of one that the file has already */
    uint64_t final;       /* where its commit begins */
    int64_t commits, transactions; /* of the file, and of the server */
};

/* Begins where the file's position is. */
bool apply_open(struct apply *apply, sqlite3 *file, struct tables *tables, uint64_t position, int group_ms);
void apply_close(struct apply *apply);

/* Executes one message. */
bool apply_message(struct apply *apply, const struct message *message);

/* Opens the file's transaction for what belongs to the server's next one. */
bool apply_enter(struct apply *apply);

/* Ends the server's transaction: `end` is where the next one can begin. */
bool apply_leave(struct apply *apply, uint64_t end);

/* Commits the whole transactions that are open; not inside of one. */
bool apply_flush(struct apply *apply);

/* Has everything up to `applied` on the disk; it must be between transactions, and none open. */
bool apply_sync(struct apply *apply);

/* Whether no transaction of the file is open. */
bool apply_is_idle(const struct apply *apply);

/* A table, by its number in the stream; NULL if it is not mirrored. */
struct table *apply_table(const struct apply *apply, unsigned oid);

#endif
