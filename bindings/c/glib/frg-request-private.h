/* A request as the C interface has it. Private to the models. */
#ifndef FRG_REQUEST_PRIVATE_H
#define FRG_REQUEST_PRIVATE_H

#include <fetchedresults.h>

#include "frg-request.h"

/* To be freed with fr_request_free; NULL and the error on failure. */
fr_request *frg_request_build(FrGRequest *request, GError **error);

/*
 * Whether the request is for groups. Then `types` gets types for the totals, by their names, and
 * `names` the names of keys and totals in place of the entity's columns.
 *
 * names: NULL, or an array that owns none of its names.
 */
gboolean frg_request_describe_groups(FrGRequest *request, GPtrArray *names, GHashTable *types);

/* The declared type that a column of such a total would have; "" for any. */
const char *frg_request_type_of_total(fr_total_function function);

#endif
