/* Copying single tables again while the stream is followed. */
#ifndef AGAIN_H
#define AGAIN_H

#include <libpq-fe.h>
#include <stdbool.h>
#include <stdint.h>

#include "apply.h"
#include "copy.h"
#include "options.h"

struct again {
    const struct options *options;
    struct copy copy; /* over a connection and a temporary slot of its own */
    PGconn *connection;
    bool is_attached, is_merged;
    uint64_t passed; /* where the last transaction of the stream was committed that has been begun */
    bool holds;      /* the stream waits for the slot, which it had passed before */
    bool (*report)(void *user_data); /* called while the stream waits, so that the server does not end it */
    void *user_data;
    double next;     /* when it is tried again after the connection failed */
    double reported; /* when the file last said how far it is */
};

/* Does a part of the work, if a table is stale. It never waits for the server's rows. */
bool again_step(struct again *again, struct apply *apply);

/*
 * The stream is about to have a transaction that was committed at `lsn`. What is there or later is
 * not in the copy: the stream waits until the copy is complete, and the copied tables are brought
 * into the file, in the transaction that this opens. So all tables are of one state again.
 */
bool again_pass(struct again *again, struct apply *apply, uint64_t lsn);

/* The same where the stream has no transaction up to `lsn`. It does not wait. */
bool again_reach(struct again *again, struct apply *apply, uint64_t lsn);

/* A socket to wait for; -1 for none. */
int again_socket(const struct again *again);

/* Whether a table is stale or being copied. */
bool again_is_busy(const struct again *again, const struct apply *apply);

void again_end(struct again *again);

#endif
