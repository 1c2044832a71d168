/* The list and its changes as text, in columns under their heads. */
#ifndef TEXT_H
#define TEXT_H

#include <fetchedresults.h>
#include <stdint.h>

#include "watch.h"

enum { TEXT_COLUMNS = 2000 };

/* How wide the columns are. Zeroed, it is not known yet. */
struct text {
    uint64_t layout; /* of the rows that have been printed; 0 before the first */
    int widths[TEXT_COLUMNS];
    int begin; /* the column at which the values of a line begin, after its index paths */
};

/* Prints the whole list. */
void text_list(struct text *text, struct watch *watch);

/* Prints the records of a delivery. */
void text_changes(struct text *text, struct watch *watch, fr_change_set *changes);

/* Prints a statement as it was read, each of its lines after "> ". */
void text_statement(const char *sql);

#endif
