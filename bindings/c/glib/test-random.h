/* What the random test is made of: transactions and kinds of lists. */
#ifndef TEST_RANDOM_H
#define TEST_RANDOM_H

#include <fetchedresults.h>
#include <glib.h>

/* The kinds of list. */
enum { FLAT, SECTIONED, FILTERED, LIMITED, SELECTED, MAPPED, KEYED, WINDOWED, KINDS };

/* What the transactions write to besides t. */
#define RANDOM_TABLES \
    "CREATE TABLE p(s UNIQUE, position INTEGER, title);" \
    "INSERT INTO p(s, position) VALUES (NULL, 4), ('a', 1), ('b', 2), ('c', 3), ('d', 0), ('e', 5);" \
    "INSERT INTO t VALUES (1, 'a', 1, 0), (2, 'a', 2, 0), (3, 'b', 1, 0)"

/*
 * The next random numbers follow from the seed. Returns a seed from which those follow that would
 * have come.
 */
guint32 random_start(guint32 seed);
int random_below(int bound);

/* Runs a test with each of `count` seeds, or as the environment says. */
void random_seeds(void (*run_one)(guint32 seed), int count);

void random_transaction(fr_store *store);

/* A list of a kind; not fetched. */
fr_list *random_list(fr_store *store, int kind);

#endif
