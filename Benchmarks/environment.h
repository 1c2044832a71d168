/* The machine and the versions of the measurement. */
#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

#include <stdio.h>

void print_environment(void);

/* As a JSON object. */
void write_environment(FILE *file);

#endif
