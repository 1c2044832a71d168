/*
 * What the program says on standard error: what it is measuring, how much is done, the time left.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdint.h>

/* Adds a measurement to those that are planned, unless it is among them. */
void plan_measurement(const char *name, int64_t rows);

/* Says that a planned measurement begins; all that were planned before it are over. */
void begin_measurement(const char *name, int64_t rows);

/* Says that rows of a data set are being made. */
void begin_making(int64_t rows, const char *set);

/* Removes the line of a terminal. */
void end_progress(void);

#endif
