/* fr_value as text, for comparing and printing. */
#ifndef VALUES_H
#define VALUES_H

#include "text.h"

#include <fetchedresults.h>

/* NULL, 7, 1.5 (a real always has a point), text as it is, x'00ff' for a blob. */
void value_add(struct text *text, const fr_value *value);

#endif
