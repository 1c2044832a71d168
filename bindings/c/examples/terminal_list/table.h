/* A table of lines in sections, which a coordinator updates. It does not depend on the terminal. */
#ifndef TABLE_H
#define TABLE_H

#include <fetchedresults.h>
#include <stdbool.h>

/* What shows one row: a line of text. Cells that are out of sight wait in a pool to be used again. */
struct cell {
    char text[96];
    struct cell *next; /* in the pool */
};

struct section {
    char title[64];
    struct cell **rows; /* NULL where a row is out of sight */
    int64_t count, capacity;
    bool is_placed; /* during a batch: it was deleted, or has its new place */
    bool has_gaps;  /* during a batch: rows have left it */
};

struct arrival; /* a row that a batch brings to a place */

struct table {
    fr_list *list;
    fr_data_source *source;
    fr_coordinator *coordinator;
    struct section **sections;
    int64_t section_count;
    struct cell *pool;
    int64_t cells; /* made, in sight or in the pool */
    int64_t objects;
    int64_t batches;
    fr_object *selected; /* NULL if nothing is */
    fr_index_path selected_path;
    /* During a batch: the old sections, and the new ones. */
    struct section **old_sections;
    int64_t old_section_count;
    struct arrival *arrivals;
    size_t arrival_count, arrival_capacity;
};

/* A table of the animals of a store, by their kinds, read for the first time. */
void table_open(struct table *table, fr_store *store);
void table_close(struct table *table);

/* The cell of a row, which is in sight from now on; NULL if the row can't be read before the next dispatch. */
struct cell *table_cell(struct table *table, fr_index_path path);

/* Puts the cell of a row back into the pool: the row is out of sight. */
void table_hide(struct table *table, fr_index_path path);

/* Selects a row, or the nearest one if there is none at the path. */
void table_select(struct table *table, fr_index_path path);

/* Moves the selection by one row: -1 up, 1 down. */
void table_move_selection(struct table *table, int direction);

/* Whether the table shows what a fresh read shows. *is_whole becomes false if some rows could not be read yet. */
bool table_is_right(struct table *table, bool *is_whole);

/* Ends the program with the message of the last failure if there was one; the program's main file has it. */
void check(fr_status status);

/* Ends the program with a message. */
void fail(const char *message);

#endif
