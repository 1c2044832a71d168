/* One-row writes in a transaction of their own, by plain SQLite and by the library. */
#ifndef WRITER_H
#define WRITER_H

#include <stdint.h>

#include "bench.h"
#include "database.h"
#include "lists.h"

/* The edited column, which gets a random value. */
enum edit {
    RENAME,         /* another name: the row moves in its section */
    CHANGE_SECTION, /* the row moves to another section */
    CHANGE_RANK,    /* another rank, a column without an index: one page */
    MOVE_SECTION    /* another position of a row of `sections` */
};

/* The rows that are edited, one at a time. */
struct choice {
    const int64_t *ids; /* NULL: those from 1 to count */
    int64_t count;
    const char (*names)[NAME_LENGTH + 1]; /* `count` names, whose first half begins new names; NULL: any names */
};

struct plain_writer {
    sqlite3 *db;
    sqlite3_stmt *begin;
    sqlite3_stmt *update;
    sqlite3_stmt *commit;
    enum edit edit;
    struct choice choice;
};

struct store_writer {
    fr_store *store;
    fr_statement *update;
    enum edit edit;
    struct choice choice;
};

void open_plain_writer(struct plain_writer *writer, sqlite3 *db, enum edit edit, struct choice choice);
void close_plain_writer(struct plain_writer *writer);
void open_store_writer(struct store_writer *writer, fr_store *store, enum edit edit, struct choice choice);
void close_store_writer(struct store_writer *writer);

/* Writers as subjects: each run is one transaction. */
struct subject plain_writing(struct plain_writer *writer);
struct subject store_writing(struct store_writer *writer);

#endif
