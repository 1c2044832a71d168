/* What a person has selected, by the identity of the rows. */
#ifndef FRG_SELECTION_H
#define FRG_SELECTION_H

#include <gio/gio.h>

#include "frg-macros.h"

G_BEGIN_DECLS

#define FRG_TYPE_SELECTION (frg_selection_get_type())
/**
 * FrGSelection:
 *
 * The rows that a person has selected, by their identity. A selected row stays selected whatever
 * happens to it: after a move of any length, a reload, and another request. A row that a request
 * filters out is selected again when it is shown again. Only the deletion of the row ends it.
 *
 * It is a #GListModel, which shows the model that it was made from, and in a program with GTK 4 it
 * is a GtkSelectionModel, for a GtkListView, GtkGridView or GtkColumnView. The library is not
 * linked to GTK: GTK has to be loaded before the type is used first. Since GTK 4.12 it is a
 * GtkSectionModel as well, with the sections of its model, for example a GtkFlattenListModel of an
 * #FrGSectionList, so that the view has headers.
 *
 * The model is a #FrGListModel, a #FrGObjectList, or any model with a property "model" that leads
 * to one, such as GtkTreeListModel and GtkSortListModel. It has to be open. What is no row, such as
 * a section in a GtkTreeListModel, can't be selected.
 *
 * The selection sets #FrGLiveModel:move-range to 0.
 *
 * Each selected row takes about 350 bytes, and selecting all rows reads them. If a row is deleted
 * while it is filtered out, and a new row gets its identity, the new row is selected; AUTOINCREMENT
 * excludes that.
 *
 * Since: 0.1
 */
FRG_API G_DECLARE_FINAL_TYPE(FrGSelection, frg_selection, FRG, SELECTION, GObject)

/**
 * frg_selection_new:
 * @model: the rows, held by the selection
 * @is_multiple: whether more than one row can be selected
 *
 * Returns: (transfer full): the selection, which is empty.
 *
 * Since: 0.1
 */
FRG_API FrGSelection *frg_selection_new(GListModel *model, gboolean is_multiple);

/**
 * frg_selection_get_model:
 *
 * Returns: (transfer none): the model that was passed to the constructor.
 *
 * Since: 0.1
 */
FRG_API GListModel *frg_selection_get_model(FrGSelection *selection);

/**
 * frg_selection_is_multiple:
 *
 * Returns: whether more than one row can be selected.
 *
 * Since: 0.1
 */
FRG_API gboolean frg_selection_is_multiple(FrGSelection *selection);

/**
 * frg_selection_contains:
 * @position: a position in the model
 *
 * Returns: whether the row there is selected.
 *
 * Since: 0.1
 */
FRG_API gboolean frg_selection_contains(FrGSelection *selection, guint position);

/**
 * frg_selection_select:
 * @position: the position of the first row
 * @n_items: how many rows from there on; a selection of one row takes only 1
 * @unselect_rest: whether the other rows are unselected
 *
 * Selects rows. A selection of one row always unselects the rest.
 *
 * Returns: whether there are rows, and all could be selected.
 *
 * Since: 0.1
 */
FRG_API gboolean frg_selection_select(FrGSelection *selection, guint position, guint n_items, gboolean unselect_rest);

/**
 * frg_selection_unselect:
 * @position: the position of the first row
 * @n_items: how many rows from there on
 *
 * Unselects rows.
 *
 * Since: 0.1
 */
FRG_API void frg_selection_unselect(FrGSelection *selection, guint position, guint n_items);

/**
 * frg_selection_clear:
 *
 * Unselects all rows, also those that are filtered out.
 *
 * Since: 0.1
 */
FRG_API void frg_selection_clear(FrGSelection *selection);

/**
 * frg_selection_dup_positions:
 *
 * Returns: (transfer full) (element-type guint): the positions of the selected rows that the model
 *   shows, in ascending order.
 *
 * Since: 0.1
 */
FRG_API GArray *frg_selection_dup_positions(FrGSelection *selection);

/**
 * frg_selection_get_selected:
 *
 * Returns: the position of the row, if only one is selected and the model shows it; otherwise
 *   %G_MAXUINT, as GTK_INVALID_LIST_POSITION.
 *
 * Since: 0.1
 */
FRG_API guint frg_selection_get_selected(FrGSelection *selection);

/**
 * frg_selection_get_selected_item:
 *
 * Returns: (transfer none) (nullable): the item of the row, if only one is selected and the model
 *   shows it. While the model announces a change, the one from before.
 *
 * Since: 0.1
 */
FRG_API GObject *frg_selection_get_selected_item(FrGSelection *selection);

G_END_DECLS

#endif
