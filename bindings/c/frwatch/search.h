/* Looking for text in the rows of a list, a few at a time. */
#ifndef SEARCH_H
#define SEARCH_H

#include <fetchedresults.h>
#include <stdint.h>

struct search {
    fr_list *list;
    const char *words;
    int64_t index; /* the row that was looked at last */
    int64_t count; /* of the rows of the list, which must not change meanwhile */
    int64_t left;  /* how many of them have yet to be looked at */
    int direction;
};

/*
 * Begins with the row after `index` (direction 1) or the one before (-1), and continues around the
 * end of the list. Cases of letters are equal.
 */
void search_begin(struct search *search, fr_list *list, const char *words, int64_t index, int direction);

/*
 * Looks at rows for a moment. Returns the number of the first one that shows the words; -1 if none
 * of these does. When `left` is 0, all rows were looked at.
 */
int64_t search_continue(struct search *search);

#endif
