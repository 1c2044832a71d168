/* The number of cases that a test runs. */
#ifndef CASES_H
#define CASES_H

/*
 * The step of a test that runs one case after another: `step` with a single seed, as under
 * valgrind, or 1.
 */
int step_of_cases(int step);

#endif
