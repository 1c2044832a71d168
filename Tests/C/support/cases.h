/* How many of many cases a test takes. */
#ifndef CASES_H
#define CASES_H

/* How far a test that takes one case after another goes on: `step` with a single seed, as under valgrind, or 1. */
int step_of_cases(int step);

#endif
