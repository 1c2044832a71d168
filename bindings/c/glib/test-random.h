/* What the random test shares with its changes of collections. */
#ifndef TEST_RANDOM_H
#define TEST_RANDOM_H

#include <fetchedresults.h>
#include <glib.h>

/* The kinds of list. */
enum { FLAT, SECTIONED, FILTERED, LIMITED, SELECTED, MAPPED, KEYED, COLLECTED, LISTS };

int random_below(int bound);

/* A list of a kind that is below COLLECTED; not fetched. */
fr_controller *random_list(fr_store *store, int kind);

/* What else than commits can happen to a list of such a kind. */
void disturb_list(fr_controller *list, int kind);

/* The children of a collection of two stores, as far as the test has kept their handles. */
typedef struct children children;

children *children_new(fr_controller *collection, fr_store *const *stores);
void children_free(children *children);

/* Children come, go, are replaced, change, are paused (if they may) and fetched anew. */
void children_disturb(children *children, gboolean may_pause);

/* Whether one of those that were kept is paused. */
gboolean children_are_paused(const children *children);

#endif
