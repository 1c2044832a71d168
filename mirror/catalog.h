/* The tables, as the server's catalog has them. */
#ifndef CATALOG_H
#define CATALOG_H

#include <libpq-fe.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"
#include "values.h"

struct column {
    char *name;
    unsigned type; /* as the stream has it: of a domain, the domain */
    int modifier;
    enum kind kind;
    bool identifies; /* the stream marks it as a part of the replica identity */
    bool is_key;
};

struct foreign_key {
    unsigned references;     /* the table's number on the server */
    char *columns, *targets; /* quoted names with commas between them */
};

struct table {
    char *asked;          /* as the command line names it */
    char *name;           /* in the file */
    char *schema;         /* on the server */
    char *source;         /* quoted, with its schema */
    char *filter;         /* the publication's condition for rows, or NULL */
    char *sql;            /* its CREATE TABLE in the file */
    char *signature;      /* its columns, as signature_add writes them */
    char *streamed;       /* the same, as the stream last had them, or NULL */
    unsigned oid;         /* its number on the server */
    int64_t estimate;     /* of its rows */
    uint64_t from;        /* transactions whose commit is before this are part of what the file has */
    bool fits;            /* the stream has the columns that the file has */
    bool is_stale;        /* it must be copied again; rows of it are skipped until then */
    bool has_descendants; /* rows are in other tables: it is partitioned */
    struct column *columns;
    struct foreign_key *foreign_keys;
    int column_count, foreign_key_count;
    int *keys; /* the columns of the key, in the key's order */
    int key_count;
    struct statements *statements; /* made when they are first used */
};

struct tables {
    struct table *items;
    size_t count;
};

/*
 * Reads tables of the command line: all, or if `only` is not NULL those that are stale there.
 * Refuses a table that can't be followed, with one sentence. tables_free frees what was read, also
 * after a failure.
 */
bool tables_read(struct tables *tables, PGconn *connection, const struct options *options, const struct tables *only);

void tables_free(struct tables *tables);
void table_free(struct table *table);

/* Adds a column to a text that is equal for equal columns. */
void signature_add(sqlite3_str *text, const char *name, unsigned type, int modifier, bool identifies);

/* By its name in the file; NULL if there is none. */
struct table *table_named(struct tables *tables, const char *name);

#endif
