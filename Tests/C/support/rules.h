/* The rules of changes.h, which hold for every change set. */
#ifndef RULES_H
#define RULES_H

#include "model.h"

/* Checks the records of `changes`, which turned the list `before` into the list `after`. */
void check_rules(fr_change_set *changes, const struct model *before, const struct model *after);

#endif
