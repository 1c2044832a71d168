/* Following the stream: messages, feedback to the server, and the state that the file shows. */
#ifndef FOLLOW_H
#define FOLLOW_H

#include <libpq-fe.h>
#include <stdbool.h>
#include <stdint.h>

#include "apply.h"
#include "options.h"

/*
 * Follows until a signal ends the program, until the file is as the server was at `target` (0:
 * never), or until a failure. True only after `target`.
 */
bool follow(const struct options *options, PGconn *connection, struct apply *apply, uint64_t target);

#endif
