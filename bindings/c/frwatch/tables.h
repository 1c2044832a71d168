/* The tables and views of a database. */
#ifndef TABLES_H
#define TABLES_H

#include "watch.h"

/* Prints them, as the options say. Returns the program's exit status. */
int tables_print(struct watch *watch);

#endif
