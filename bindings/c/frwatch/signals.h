/* Signals: a handler notes them and makes a descriptor readable. */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <stdbool.h>

/* Has them caught. The first one of those that end the program is noted, the second one ends it. */
bool signals_catch(void);

/* A descriptor for poll, readable after a signal until signals_take. */
int signals_descriptor(void);

/* What has come since the last call. */
struct signals {
    bool resized;   /* the terminal has another size */
    bool suspended; /* the program is to stop for a while (Ctrl-Z) */
};
struct signals signals_take(void);

/* The signal that is to end the program; 0 if there is none. */
int signals_ending(void);

/* Whether Ctrl-C is to end the program; it is not any more. */
bool signals_take_interrupt(void);

/* Stops the process until it is continued. */
void signals_stop(void);

/* Ends the process by a signal, so that its parent sees by which. */
void signals_end_by(int number);

#endif
