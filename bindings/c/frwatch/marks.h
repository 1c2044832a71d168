/* What the last delivery did to the lines of a list. */
#ifndef MARKS_H
#define MARKS_H

#include <fetchedresults.h>
#include <stddef.h>
#include <stdint.h>

#include "line.h"

/* Zeroed, nothing was done. */
struct marks {
    fr_change *changes; /* the inserts, moves and updates, by their new paths */
    size_t count;
    int64_t deleted; /* rows */
};

/* Takes the changes of a delivery in place of the earlier ones. */
void marks_take(struct marks *marks, fr_change_set *changes);

void marks_free(struct marks *marks);

/* What was done to a row, or to a section for row -1. NULL for nothing. */
const fr_change *marks_find(const struct marks *marks, fr_index_path path);

/* Adds a change in words: "inserted", "moved from [0, 3]" or "updated". */
void marks_add(struct line *line, const fr_change *change);

#endif
