/* The publication, which names the tables whose rows the server sends. */
#ifndef PUBLICATION_H
#define PUBLICATION_H

#include <libpq-fe.h>
#include <stdbool.h>

#include "catalog.h"
#include "options.h"

/*
 * Checks that it has all tables and all kinds of changes; creates or extends it with
 * --create-publication.
 */
bool publication_check(PGconn *connection, const struct options *options, const struct tables *tables);

#endif
