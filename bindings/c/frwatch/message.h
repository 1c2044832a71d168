/* Messages on the standard error, and the statuses that the program ends with. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <fetchedresults.h>

/* Beside EXIT_SUCCESS. */
enum {
    EXIT_FAILED = 1,  /* a statement or a command failed; the others were executed all the same */
    EXIT_UNUSABLE = 2 /* the arguments are wrong, or the list can't be shown or followed */
};

/* Prints one line, with the program's name before it, after what waits for the standard output. */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Prints the message of a failure, or words for its status where these say more. what: its subject.
 */
void message_of_status(const char *what, fr_status status, const char *text);

/* The same of the calling thread's last failure. */
void message_of_error(const char *what);

/* The same of a failure that a callback received. */
void message_of_failure(const fr_error *error);

#endif
