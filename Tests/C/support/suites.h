/* The table of all tests. */
#ifndef SUITES_H
#define SUITES_H

#include "test.h"

/* Ends with a NULL name. */
extern const struct suite suites[];

#endif
