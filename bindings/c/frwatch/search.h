/* Looking for text in the rows of a list. */
#ifndef SEARCH_H
#define SEARCH_H

#include <fetchedresults.h>
#include <stdint.h>

/*
 * The number of the next row (direction 1) or the one before (-1) that shows a text, whatever the
 * case of letters; from the row after `index` on, around the end of the list. -1 if no row shows
 * it, or if a key was pressed meanwhile.
 */
int64_t search_rows(fr_list *list, const char *text, int64_t index, int direction);

#endif
