/* Interfaces as GTK 4 has them. Private to the models. */
#ifndef FRG_GTK_SELECTION_H
#define FRG_GTK_SELECTION_H

#include "frg-selection.h"

/* GtkSelectionModelInterface. */
typedef struct frg_gtk_selection_interface {
    GTypeInterface interface;
    gboolean (*is_selected)(FrGSelection *selection, guint position);
    gpointer (*get_selection_in_range)(FrGSelection *selection, guint position, guint n_items);
    gboolean (*select_item)(FrGSelection *selection, guint position, gboolean unselect_rest);
    gboolean (*unselect_item)(FrGSelection *selection, guint position);
    gboolean (*select_range)(FrGSelection *selection, guint position, guint n_items, gboolean unselect_rest);
    gboolean (*unselect_range)(FrGSelection *selection, guint position, guint n_items);
    gboolean (*select_all)(FrGSelection *selection);
    gboolean (*unselect_all)(FrGSelection *selection);
    gboolean (*set_selection)(FrGSelection *selection, gconstpointer selected, gconstpointer mask);
} frg_gtk_selection_interface;

/* GtkSectionModelInterface. */
typedef struct frg_gtk_section_interface {
    GTypeInterface interface;
    void (*get_section)(FrGSelection *selection, guint position, guint *start, guint *end);
} frg_gtk_section_interface;

#endif
