/*
 * What the file says of the mirror itself: its state as a row, and where in the server's log it is.
 */
#ifndef STATE_H
#define STATE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "catalog.h"

enum state {
    STATE_CONNECTING,
    STATE_COPYING,   /* tables into FILE.copying: `done` rows of about `total` */
    STATE_COMPARING, /* what was copied with the file */
    STATE_FOLLOWING, /* the file is as the server is */
    STATE_BEHIND,    /* the server is ahead; `why` says how far */
    STATE_WAITING,   /* the connection is lost: `why` */
    STATE_STOPPED    /* the program has ended: `why` */
};

/* Creates the tables frmirror, frmirror_position and frmirror_tables. */
bool state_create(sqlite3 *file);

/*
 * Writes the row of `frmirror`, if it is another state or if `done` has changed. It belongs to the
 * open transaction, if there is one. table and why may be NULL, done and total negative.
 */
bool state_set(sqlite3 *file, enum state state, const char *table, int64_t done, int64_t total, const char *why);

/* Where the stream continues, and whose stream it is. */
struct position {
    uint64_t lsn;
    char *slot, *system, *database;
};

/* Reads the position in the place of an earlier one. False if the file is no mirror's. */
bool position_read(struct position *position, sqlite3 *file, const char *path);
bool position_write(sqlite3 *file, const struct position *position);
void position_free(struct position *position);

/* Which tables are complete in the file: one that must be copied again is not among them. */
bool tables_note(sqlite3 *file, const struct table *table, bool is_complete);
bool tables_are_noted(bool *are, sqlite3 *file, const struct table *table);

/* Tables that are no longer mirrored stay in the file, but are not complete any more. */
bool tables_keep_only(sqlite3 *file, const struct tables *tables);

#endif
