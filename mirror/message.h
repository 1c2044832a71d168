/* Messages on the standard error, and how the program fails. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <stdbool.h>

/* Why something failed. Each is also the status that the program ends with. */
enum failure {
    FAILURE_ENDED = 0,      /* a signal ends the program, which is no failure */
    FAILURE_MEMORY = 1,     /* there is no memory */
    FAILURE_USAGE = 2,      /* the arguments are wrong */
    FAILURE_CONNECTION = 3, /* there is no connection to the server; it is tried again if there was one before */
    FAILURE_SERVER = 4,     /* the server refuses something, or lacks a setting or a right */
    FAILURE_TABLE = 5,      /* a table can't be mirrored */
    FAILURE_FILE = 6,       /* the file can't be read or written */
    FAILURE_STREAM = 7      /* the server sends what the program does not understand */
};

/* Prints one line, with the program's name before it. */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same for --verbose alone. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void set_verbose(bool is_verbose);

/*
 * Shows how far a copy is, in a line that the next one replaces; only on a terminal. NULL: removes
 * it.
 */
void progress(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * The one funnel for failures: stores why something failed, and returns false. The text is one
 * sentence that says what to do. Whoever gets false from a function returns it too, up to `main`.
 */
bool failed(enum failure why, const char *format, ...) __attribute__((format(printf, 2, 3)));

enum failure failure(void);
const char *failure_text(void); /* valid until the next failure */

/* Its argument; ends the program if that is NULL, because there was no memory for it. */
void *allocated(void *memory);

#endif
