/* Why a database or a list can't be shown, in the words of the command line. */
#ifndef REFUSAL_H
#define REFUSAL_H

#include <fetchedresults.h>

#include "options.h"

/* Prints why the database can't be opened, after a call that failed. */
void refusal_of_database(const char *path);

/* Prints why the list can't be made, after a call that failed. what: the subject of that call. */
void refusal_of_list(fr_store *store, const struct options *options, const char *what);

#endif
