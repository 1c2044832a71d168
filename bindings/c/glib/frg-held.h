/*
 * The items of a model that somebody references, by their places; this structure holds no
 * references. So a model returns the same items again. Identities would not suffice: two lists of a
 * collection may show rows of the same one. Private to the models.
 */
#ifndef FRG_HELD_H
#define FRG_HELD_H

#include "frg-splice.h"

/* To be freed with g_sequence_free. */
GSequence *frg_held_new(void);

/*
 * The item at a place; borrowed, NULL if there is none. is_sure: NULL, or whether it was sure when
 * it was put there.
 */
gpointer frg_held_find(GSequence *held, guint place, gboolean *is_sure);

/*
 * Puts an item at a place, instead of the one that is there. is_sure: FALSE if it may not be the
 * right one.
 */
void frg_held_put(GSequence *held, guint place, gpointer item, gboolean is_sure);

/* All items, referenced, in their order. */
GPtrArray *frg_held_dup(GSequence *held);

/* The place of an item, or FRG_NOWHERE. O(n). */
guint frg_held_place(GSequence *held, gpointer item);

void frg_held_clear(GSequence *held);

/*
 * Lets the items at `count` places count as unsure, and calls a function with each and its place.
 * The function must not change what is held.
 */
typedef void (*frg_held_function)(gpointer user_data, guint place, gpointer item);
void frg_held_doubt(GSequence *held, guint place, guint count, frg_held_function function, gpointer user_data);

/*
 * Applies a transition of which nothing was announced yet. Items that stay get their new places.
 * Those that leave become part of the transition, and are inserted at their new places. O(n log k)
 * for n items that leave, are inserted or shift.
 */
void frg_held_follow(GSequence *held, frg_transition *transition);

#endif
