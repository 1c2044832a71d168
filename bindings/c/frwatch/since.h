/* --since: the list for a reader that has it as it was at a generation of the history. */
#ifndef SINCE_H
#define SINCE_H

#include <stdbool.h>

#include "watch.h"

/*
 * Whether the rows that were touched since then are enough: all other rows have kept their values,
 * their order and their sections. So it is if the list depends on nothing but its own rows.
 */
bool since_is_enough(struct watch *watch);

#endif
