/* Fetches in the background, from their beginning to their completion. */
#ifndef BACKGROUND_H
#define BACKGROUND_H

#include "text.h"

#include <fetchedresults.h>

/*
 * What is known of the fetches of one list, one after another; all zero at first. When one is ended, dispatch may end
 * others as well: a test that is to be the same each time ends all that are under way at the same moment.
 */
struct background {
    fr_list *list;
    int64_t begun;
    int64_t completed;
    int64_t destroyed;
    fr_status status; /* of the last completion */
};

bool background_is_under_way(const struct background *background);

/* Begins a fetch of `list`, unless one is under way, and writes that into `history`, as list `number`. */
void background_begin(struct background *background, fr_list *list, int number, struct text *history);

/*
 * Dispatches until all fetches of `count` lists are completed, and writes into `history` which were under way, as lists
 * 0 to `count` - 1.
 */
void background_end(struct background *backgrounds, int count, fr_store *store, struct text *history);

/* After the store was closed: each fetch was given back once, and the last one may never have been completed. */
void background_check_closed(const struct background *background);

#endif
