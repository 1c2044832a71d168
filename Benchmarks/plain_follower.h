/* The least that a program can do to show what others commit. */
#ifndef PLAIN_FOLLOWER_H
#define PLAIN_FOLLOWER_H

#include "database.h"

/*
 * Waits for the kernel's notice that the log was written, then until the commit is visible, and
 * then reads one row. It does not know which row changed.
 */
struct plain_follower {
    sqlite3 *db;
    sqlite3_stmt *version;
    sqlite3_stmt *row;
    int64_t known;
    int notices;
};

void open_plain_follower(struct plain_follower *follower, struct path path);
void close_plain_follower(struct plain_follower *follower);

/* Takes the notices of the rest of a transaction that was followed already. */
void clear_notices(struct plain_follower *follower);

/* Returns when a commit of another connection was noticed and the row was read. */
void follow_plainly(struct plain_follower *follower, int64_t id);

#endif
