/* How the list is read, and what would help. */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "watch.h"

/* Prints it. Returns the status to end with. */
int explain_print(struct watch *watch);

#endif
