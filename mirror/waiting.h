/* Waiting for sockets, which a signal that ends the program interrupts. */
#ifndef WAITING_H
#define WAITING_H

#include <stdbool.h>

/* Has the signals caught that end the program: the first one is noted, the second one ends it. */
bool signals_catch(void);

/* Whether one was; then the last failure is FAILURE_ENDED. */
bool signals_end(void);

/*
 * Waits until one of two sockets is readable (-1: none), a signal ends the program, or time is
 * over.
 */
void wait_for_sockets(int one, int other, int milliseconds);

/* Seconds of a clock that only runs forward. */
double seconds_now(void);

#endif
