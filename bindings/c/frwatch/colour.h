/* The colours of changes: inserts are green, deletes red, moves cyan, updates yellow. */
#ifndef COLOUR_H
#define COLOUR_H

#include <fetchedresults.h>
#include <stdint.h>

#include "line.h"

enum colour_when { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

/*
 * Whether there are colours from now on. By itself: in a terminal that has them, unless NO_COLOR is
 * set (https://no-color.org).
 */
void colour_choose(enum colour_when when);

/* Has what is added to a line next in the colour of a change, or no longer. */
void colour_begin(struct line *line, int32_t type);
void colour_end(struct line *line);

#endif
