/* One total of the rows of a group, as --total describes it. */
#ifndef TOTAL_H
#define TOTAL_H

#include <fetchedresults.h>
#include <stdbool.h>

struct total {
    char *name;
    fr_total_function function;
    char *expression; /* NULL to count all rows */
};

/*
 * Reads "NAME=FUNCTION(EXPRESSION)". Without "NAME=" the whole text is the name. Returns false if
 * that is not what the text is. total_clear frees what it has.
 */
bool total_parse(struct total *total, const char *text);

void total_clear(struct total *total);

#endif
