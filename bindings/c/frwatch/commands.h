/* --exec: a command for each delivery. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include <fetchedresults.h>
#include <stdbool.h>

#include "watch.h"

/* The deliveries whose commands have yet to run. Zeroed, there are none. */
struct commands {
    struct delivery *first, *last;
    bool has_failed; /* a command ended with another status than 0, or could not be run */
};

/*
 * Notes a delivery, with its changes as JSON. A callback has to end soon, so that the command runs
 * later.
 */
void commands_add(struct commands *commands, struct watch *watch, fr_change_set *changes);

/* Runs the commands of what was noted, one after another. */
void commands_run(struct commands *commands, struct watch *watch);

/* Drops what was noted. */
void commands_free(struct commands *commands);

#endif
