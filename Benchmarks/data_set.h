/* Tables `items` with realistic rows. */
#ifndef DATA_SET_H
#define DATA_SET_H

#include <fetchedresults.h>

#include "lists.h"
#include "names.h"

/* The primary key of a table, and the statements that name its columns. */
struct key {
    int columns;
    double bytes;      /* of one key */
    const char *names; /* of its columns */
    const char *types; /* of its columns, a section and a name: i for an integer, t for a text */
    const char *create;
    const char *indexed; /* the end of CREATE INDEX for an index that covers the list */
    /* In these ?1 is the name, the key begins at ?2, and the section is last. */
    const char *insert;
    const char *rename;
    /* A temporary table of keys and new names, and the statement that renames all its rows. */
    const char *create_renames;
    const char *add_rename;
    const char *rename_all;
    const char *delete_new; /* deletes the rows whose numbers are greater than %lld */
};

struct data_set {
    const char *name; /* in the table of results */
    const struct key *key;
    const char *section; /* NULL: the list is flat */
    name_writer *write_name;
};

enum { DATA_SETS = 8 };
extern const struct data_set data_sets[DATA_SETS];

/* The list of a set: sorted by name. */
struct list list_of(const struct data_set *set);

/* SELECT of the list's keys, section and name in its order, and the types of these. */
enum { SQL_SIZE = 256 };
void write_select(char sql[SQL_SIZE], const struct data_set *set);
const char *selected_types(const struct data_set *set);

/* CREATE INDEX of an index that covers this SELECT. */
void write_index(char sql[SQL_SIZE], const struct data_set *set);

/* One row. It can't be copied: its key may point into it. */
enum { KEY_COLUMNS = 2 };
struct item {
    fr_value key[KEY_COLUMNS];
    int64_t section;
    char name[NAME_SIZE];
    char uuid[UUID_SIZE];
};

/* The row with a number, from 1. Its name is one that the row `named_like` may have. */
void make_item(struct item *item, const struct data_set *set, int64_t number, int64_t named_like);

#endif
