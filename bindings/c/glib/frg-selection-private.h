/* What FrGSelection needs of the models, and its part that is GTK's. Private to the models. */
#ifndef FRG_SELECTION_PRIVATE_H
#define FRG_SELECTION_PRIVATE_H

#include "frg-selection.h"

/* The positions of selected rows among the given ones, ascending. */
GArray *frg_selection_dup_positions_in(FrGSelection *selection, guint position, guint n_items);

/*
 * Makes the type a GtkSelectionModel if the process has loaded GTK 4. Returns whether it has: then
 * the type has the signal "selection-changed" from there.
 */
gboolean frg_gtk_selection_implement(GType type);

/* Has a selection forward "sections-changed" of its model, if GTK has that. */
void frg_gtk_selection_follow_sections(FrGSelection *selection);

/*
 * Has views renew the headers of sections, if there are any, since something changed at a position.
 */
void frg_gtk_selection_renew_headers(FrGSelection *selection, guint position);

#endif
