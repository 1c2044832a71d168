/*
 * A change set by place instead of by kind: which rows and sections leave their places, which come
 * to one, and which rows stay and have other values. Private to the models.
 */
#ifndef FRG_CHANGED_ROWS_H
#define FRG_CHANGED_ROWS_H

#include <fetchedresults.h>

#include "frg-splice.h"

typedef struct frg_changed_rows frg_changed_rows;

/* The controller shows the state after the change set. */
frg_changed_rows *frg_changed_rows_new(fr_list *controller, fr_change_set *changes);

void frg_changed_rows_free(frg_changed_rows *rows);

/* Neighbouring rows of a section. */
typedef struct frg_rows {
    frg_run run;
    guint section;
} frg_rows;

/* The rows that stay and have other values: frg_rows, as they are now. */
const GArray *frg_changed_rows_updated(const frg_changed_rows *rows);

/*
 * What happens to the flat list of all rows. O(r log n) for r runs and moves.
 * To be asked once.
 */
frg_transition *frg_changed_rows_all(frg_changed_rows *rows);

/*
 * What happens to the rows of one section, which was number `before` and is number `after`; -1 if
 * it is deleted, which empties it in the first round. NULL if nothing happens to them.
 */
frg_transition *frg_changed_rows_of_section(const frg_changed_rows *rows, gint64 before, gint64 after);

/* What happens to the list of sections. */
frg_transition *frg_changed_rows_sections(const frg_changed_rows *rows);

#endif
