/* Parameters of SQL as a GVariant, as described at FrGStore. Private to the models. */
#ifndef FRG_PARAMETERS_H
#define FRG_PARAMETERS_H

#include <fetchedresults.h>
#include <glib.h>

typedef struct frg_parameters {
    gsize count;
    fr_value *values;
    const char **names; /* NULL for values without names */
    GPtrArray *held;    /* the variants that the values are borrowed from */
} frg_parameters;

/*
 * variant: NULL for none. FALSE and the error for one that has no value in SQL; then nothing has to
 *   be cleared.
 */
gboolean frg_parameters_init(frg_parameters *parameters, GVariant *variant, GError **error);

void frg_parameters_clear(frg_parameters *parameters);

#endif
