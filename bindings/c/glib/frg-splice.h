/*
 * A change of a list as a series of items-changed signals, and what the list looks like between them. Private
 * to the models.
 *
 * An item that leaves its place is deleted, moved or updated; one that comes to a place is inserted, moved or updated.
 * All others stay, in their order, and an item's *rank* is the number of those that stay before it. Items that leave
 * and come at one rank make one signal. Signals are given from the front to the end, so between them everything before
 * some rank is as it will be, and everything from there on as it was: two numbers and a search tell what is where.
 *
 * There are two rounds. Items that move past others are taken out in the first one and put in in the second, so that no
 * item is ever in the list twice.
 */
#ifndef FRG_SPLICE_H
#define FRG_SPLICE_H

#include <glib-object.h>

#define FRG_NOWHERE G_MAXUINT
#define FRG_NO_RECORD G_MAXSIZE

typedef struct frg_leaving {
    guint position; /* in the list before */
    guint target;   /* in the list after; FRG_NOWHERE if it is not there */
    gsize record;   /* of the change set; FRG_NO_RECORD for a row that its section took along */
    gboolean moves; /* to be taken out in the first round, unless it comes back at the same rank */
    gpointer item;  /* the item itself, if it is known; held */
} frg_leaving;

/* One round. */
typedef struct frg_splice {
    GArray *leaving; /* of frg_leaving, ascending */
    GArray *coming;  /* of guint: positions after the round, ascending */
    guint left;      /* how many of each have been told */
    guint come;
    guint rank;      /* where the last signal was */
} frg_splice;

typedef struct frg_transition {
    frg_splice first;
    frg_splice rest;
} frg_transition;

/*
 * Takes both arrays over, with nothing known of the items. Their positions are those of the lists before and after all
 * of it.
 */
frg_transition *frg_transition_new(GArray *leaving, GArray *coming);

void frg_transition_free(frg_transition *transition);

/* Between which positions all is that leaves, comes or is shifted. O(1). */
void frg_transition_range(const frg_transition *transition, guint *first, guint *last);

/* The next signal of a round; FALSE if there is none. Afterwards the list counts as changed by it. */
gboolean frg_splice_next(frg_splice *splice, guint *position, guint *removed, guint *added);

/* What is at `position` now: NULL and its position after all of it, or what has yet to leave. O(log n). */
frg_leaving *frg_transition_find(const frg_transition *transition, guint position, guint *after);

/* Whether element `index` of an array is before a bound; all that are have to come first. */
typedef gboolean (*frg_is_before)(const GArray *array, guint index, gint64 bound);

/* How many elements are before it. O(log n). */
guint frg_count_before(const GArray *array, frg_is_before is_before, gint64 bound);

/* Where the item that stays at `rank` is afterwards: what comes at its rank comes before it. */
guint frg_position_of_rank(const GArray *coming, guint rank);

#endif
