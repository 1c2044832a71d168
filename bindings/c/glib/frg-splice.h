/*
 * A change of a list as a series of items-changed signals, and what the list looks like between
 * them. Private to the models.
 *
 * An item that leaves its place is deleted, moved or updated; one that enters a place is inserted,
 * moved or updated. All others stay, in their order, and an item's *rank* is the number of those
 * that stay before it. Items that leave and enter at one rank make one signal. Signals are emitted
 * from the front to the end. So between them everything before some rank is in its new state, and
 * everything from there on in its old state: two numbers and a search determine what is where.
 *
 * There are two rounds. Items that move past others are removed in the first one and inserted in
 * the second, so that no item is ever in the list twice.
 */
#ifndef FRG_SPLICE_H
#define FRG_SPLICE_H

#include <glib-object.h>

#define FRG_NOWHERE G_MAXUINT
#define FRG_NO_RECORD G_MAXSIZE

/* Neighbours that come to their places. */
typedef struct frg_run {
    guint position; /* of the first one */
    guint count;
    guint before;   /* how many the runs before it have; set by frg_number_runs */
} frg_run;

/*
 * Neighbours that leave their places. They have one target, and are neighbours there as well. The
 * number of their last record is the lowest one, since deletes descend.
 */
typedef struct frg_leaving {
    frg_run run;    /* in the list before */
    guint target;   /* of the first one, in the list after; FRG_NOWHERE if they are not there */
    gsize record;   /* of the last one; FRG_NO_RECORD for rows that move with their section */
    gboolean moves; /* to be removed in the first round, unless they return at the same rank */
    guint early;    /* 0; in the second round, how many before them have left in the first */
} frg_leaving;

/* One item that leaves its place, and that somebody asked for or references. */
typedef struct frg_leaver {
    guint place;   /* in the list before */
    guint target;  /* in the list after; FRG_NOWHERE if it is not there */
    gsize record;  /* of the change set; FRG_NO_RECORD for a row that moves with its section */
    gpointer item; /* referenced, if there is one */
} frg_leaver;

/* One round. */
typedef struct frg_splice {
    GArray *leaving; /* of frg_leaving, ascending */
    GArray *coming;  /* of frg_run: positions after the round, ascending */
    guint left;      /* how many runs of each have been announced */
    guint come;
    guint rank;      /* where the last signal was */
} frg_splice;

typedef struct frg_transition {
    frg_splice first;
    frg_splice rest;
    GSequence *leavers; /* of frg_leaver, by place */
    guint position;     /* where the first item is that leaves or comes */
    guint end_before;   /* behind the last item that leaves, and behind the last one that comes */
    guint end_after;
    gboolean has_moves;   /* of items that return at another place */
    gboolean has_leavers; /* items that move to another list */
} frg_transition;

/* Sets `before` of runs, or of structures that begin with a run. */
void frg_number_runs(GArray *runs);

/* How many items the runs before number `index` have, and how many all of them have. O(1). */
guint frg_items_before(const GArray *runs, guint index);
guint frg_count_items(const GArray *runs);

/*
 * Takes both arrays over, with nothing known of the items. Their positions are those of the lists
 * before and after all of it.
 */
frg_transition *frg_transition_new(GArray *leaving, GArray *coming);

void frg_transition_free(frg_transition *transition);

/* Between which positions all is that leaves, comes or is shifted. O(1). */
void frg_transition_range(const frg_transition *transition, guint *first, guint *last);

/*
 * The next signal of a round; FALSE if there is none. Afterwards the list counts as changed by it.
 */
gboolean frg_splice_next(frg_splice *splice, guint *position, guint *removed, guint *added);

/* Counts everything as announced. */
void frg_transition_finish(frg_transition *transition);

/* Whether its two rounds take more than `limit` signals. O(runs). */
gboolean frg_transition_is_longer(const frg_transition *transition, guint limit);

/*
 * What is at `position` now: NULL and its position after all of it, or what has yet to leave. O(log
 * n).
 */
frg_leaver *frg_transition_find(frg_transition *transition, guint position, guint *after);

/* Whether element `index` of an array is before a bound; all that are have to come first. */
typedef gboolean (*frg_is_before)(const GArray *array, guint index, gint64 bound);

/* How many elements are before it. O(log n). */
guint frg_count_before(const GArray *array, frg_is_before is_before, gint64 bound);

/* Where the item that stays at `rank` is afterwards: what comes at its rank comes before it. */
guint frg_position_of_rank(const GArray *coming, guint rank);

#endif
