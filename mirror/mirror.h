/* The mirror: connections one after another, and what each has to do before it can follow. */
#ifndef MIRROR_H
#define MIRROR_H

#include "options.h"

/*
 * Runs until a signal ends it, until --once is done, or until a failure. Returns the program's
 * status.
 */
int mirror_run(const struct options *options);

#endif
