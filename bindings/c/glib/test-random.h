/* What the random tests share. */
#ifndef TEST_RANDOM_H
#define TEST_RANDOM_H

#include <fetchedresults.h>
#include <glib.h>

/* The kinds of list. */
enum { FLAT, SECTIONED, FILTERED, LIMITED, SELECTED, MAPPED, KEYED, COLLECTED, LISTS };

/* What the transactions write to besides t. */
#define RANDOM_TABLES \
    "CREATE TABLE p(s UNIQUE, position INTEGER, title);" \
    "INSERT INTO p(s, position) VALUES (NULL, 4), ('a', 1), ('b', 2), ('c', 3), ('d', 0), ('e', 5);" \
    "INSERT INTO t VALUES (1, 'a', 1, 0), (2, 'a', 2, 0), (3, 'b', 1, 0)"

/* The next random numbers follow from the seed. Returns a seed from which those follow that would have come. */
guint32 random_start(guint32 seed);
int random_below(int bound);

/* Runs a test with each of `count` seeds, or as the environment says. */
void random_seeds(void (*run_one)(guint32 seed), int count);

void random_transaction(fr_store *store);

/* A list of a kind that is below COLLECTED; not fetched. */
fr_list *random_list(fr_store *store, int kind);

/* What else than commits can happen to a list of such a kind. */
void disturb_list(fr_list *list, int kind);

/* The children of a collection of two stores, as far as the test has kept their handles. */
typedef struct children children;

children *children_new(fr_list *collection, fr_store *const *stores);
void children_free(children *children);

/* Children come, go, are replaced, change, are paused (if they may) and fetched anew. */
void children_disturb(children *children, gboolean may_pause);

/* Whether one of those that were kept is paused. */
gboolean children_are_paused(const children *children);

void add_random_foreign_tests(void);

#endif
