/* What limits the rows of the table. */
#ifndef LIMITS_H
#define LIMITS_H

/*
 * What most of the time or memory of a row is used for that the library adds to the floor. Fails if
 * nothing is stated for the row.
 */
const char *limit_of(const char *what);

#endif
