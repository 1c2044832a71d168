/*
 * The items of a model that somebody holds, by their places; they are not held by this. So a model gives out the same
 * ones again. Identities would not do: two lists of a collection may show rows of the same one. Private to the models.
 */
#ifndef FR_HELD_H
#define FR_HELD_H

#include "fr-splice.h"

/* To be freed with g_sequence_free. */
GSequence *fr_held_new(void);

/* The item at a place; borrowed, NULL if there is none. is_sure: NULL, or whether it was sure when it was put there. */
gpointer fr_held_find(GSequence *held, guint place, gboolean *is_sure);

/* Puts an item at a place, instead of the one that is there. is_sure: FALSE if it may not be the right one. */
void fr_held_put(GSequence *held, guint place, gpointer item, gboolean is_sure);

/* All items, held, in their order. */
GPtrArray *fr_held_dup(GSequence *held);

/* The place of an item, or FR_NOWHERE. O(n). */
guint fr_held_place(GSequence *held, gpointer item);

/* Forgets the item at a place. */
void fr_held_remove(GSequence *held, guint place);

void fr_held_clear(GSequence *held);

/*
 * Takes a transition in of which nothing was told yet. Items that stay get their new places. Those that leave become
 * part of it; at the places to which they come they are put as not sure. O(n log k) for n items that leave, come or
 * shift.
 */
void fr_held_follow(GSequence *held, fr_transition *transition);

#endif
