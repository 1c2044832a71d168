#include "cases.h"

#include <stdlib.h>
#include <string.h>

int step_of_cases(int step)
{
    const char *many = getenv("FR_SEEDS");
    return many != NULL && strcmp(many, "1") == 0 ? step : 1;
}
