/* Random numbers that are the same everywhere for the same seed, and the seeds of a test. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdbool.h>
#include <stdint.h>

/* A number from 0 up to `bound` - 1. */
int random_below(int bound);

/*
 * Calls `run` with one seed after another, of which the numbers follow, until it fails: 25 seeds, FR_SEEDS of them if
 * the environment has that, or FR_SEED alone.
 */
void each_seed(bool (*run)(uint32_t seed));

/* How far a test that takes one case after another goes on: `step` with a single seed, as under valgrind, or 1. */
int step_of_cases(int step);

#endif
