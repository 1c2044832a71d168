#include "random.h"

#include <stdlib.h>
#include <string.h>

static uint32_t state;

int random_below(int bound)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (uint32_t)bound);
}

static bool run_one(bool (*run)(uint32_t seed), uint32_t seed)
{
    state = seed;
    return run(seed);
}

void each_seed(bool (*run)(uint32_t seed))
{
    const char *only = getenv("FR_SEED"), *many = getenv("FR_SEEDS");
    uint32_t seed, seeds = many == NULL ? 25 : (uint32_t)strtoul(many, NULL, 10);
    if (only != NULL) {
        run_one(run, (uint32_t)strtoul(only, NULL, 10));
        return;
    }
    for (seed = 1; seed <= seeds && run_one(run, seed); seed++) {
    }
}

int step_of_cases(int step)
{
    const char *many = getenv("FR_SEEDS");
    return many != NULL && strcmp(many, "1") == 0 ? step : 1;
}
