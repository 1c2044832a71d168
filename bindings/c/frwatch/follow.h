/* Following a list as text or JSON. */
#ifndef FOLLOW_H
#define FOLLOW_H

#include "watch.h"

/* Prints the list and follows it as the options say. Returns the program's exit status. */
int follow(struct watch *watch);

#endif
