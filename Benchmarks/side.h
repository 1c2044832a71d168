/*
 * A data set with a connection that writes to it, by plain SQLite or by the library, with the same
 * statements.
 */
#ifndef SIDE_H
#define SIDE_H

#include "data_set.h"
#include "database.h"

/* A statement of plain SQLite or of the library; the other one is NULL. */
struct statement {
    sqlite3_stmt *plain;
    fr_statement *ours;
};

struct side {
    const struct data_set *set;
    const char *path;
    int64_t rows;     /* their numbers begin with 1 */
    int64_t new_rows; /* the numbers of these follow */
    sqlite3 *db;     /* NULL for the library */
    fr_store *store; /* NULL for plain SQLite */
    struct statement begin;
    struct statement commit;
    struct statement insert;
    struct statement rename;
    struct statement add_rename;
    struct statement rename_all;
    struct statement delete_new;
    struct statement delete_renames;
    struct item *items; /* the next items to write, at most MANY, made outside of the measured time */
};

/* How many rows are inserted in one transaction, or renamed in one statement. */
enum { MANY = 10000 };

/* Opens a file with this number of rows of the set. The path must remain valid. */
void open_plain_side(struct side *side, const struct data_set *set, int64_t rows, const char *path);
void open_store_side(struct side *side, const struct data_set *set, int64_t rows, const char *path);
void close_side(struct side *side);

/* One random row of the list is renamed in a transaction. */
void choose_rename(struct side *side);
void rename_one(struct side *side);

/*
 * MANY new rows are inserted in one transaction. They follow the previous ones: if these were
 * deleted between, the log would be written back partly by the deletion, whose time is not
 * measured.
 */
void choose_inserts(struct side *side);
/* The same with the file on the disk alone. */
void choose_inserts_in_cold_file(struct side *side);
void insert_many(struct side *side);
void delete_new_rows(struct side *side);

/*
 * MANY rows, distributed over the numbers, are renamed by one statement. Call prepare_renames once
 * before.
 */
void prepare_renames(struct side *side);
void choose_renames(struct side *side);
void rename_many(struct side *side);

/* Creates the file of a set, always with the same rows. */
struct path make_data_set(const struct data_set *set, int64_t rows);

#endif
