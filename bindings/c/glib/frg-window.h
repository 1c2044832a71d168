/* Models of windows: a row of a long list with the rows around it. */
#ifndef FRG_WINDOW_H
#define FRG_WINDOW_H

#include "frg-live-model.h"

G_BEGIN_DECLS

/**
 * frg_live_model_open_window:
 * @model: a model of a whole list
 * @position: the number of a row over all sections
 * @before: how many rows to show before it
 * @after: how many rows to show after it
 * @error: return location for a #GError
 *
 * Makes another model, of the same type, of a window: the row at a position, with some rows before
 * and after it, as far as the list has them. A #FrGSectionList has the sections that have rows in
 * the window.
 *
 * The window hangs on that row, and not on its position. Changes elsewhere do not concern it, so a
 * view of a window costs what it shows, whatever the length of the list. If the row leaves the
 * list, the window hangs on the row that is in its place. In an empty list position 0 makes a
 * window that shows the first rows when there are some.
 *
 * The list of the window is that of @model: frg_live_model_set_request() of @model changes both. It
 * fails for the model of a window. So does frg_list_model_move(), as rows outside of the window
 * have numbers, too.
 *
 * Returns: (transfer full) (nullable): the model; %NULL on failure, for example for a position that
 *   the list does not have, and for the model of a section.
 *
 * Since: 0.1
 */
FRG_API FrGLiveModel *frg_live_model_open_window(FrGLiveModel *model, guint position, guint before, guint after,
                                                 GError **error);

/**
 * frg_live_model_grow_window:
 * @model: the model of a window
 * @before: how many rows more to show before its row; a negative number for fewer
 * @after: how many rows more to show after its row; a negative number for fewer
 * @error: return location for a #GError
 *
 * Lets a window show more rows: call it when a view is scrolled near an end of the window. The
 * model announces the rows before this returns; in a handler of a model, after the present
 * delivery.
 *
 * Returns: whether it was done, also if the list has no more rows; %FALSE for a model of anything
 *   else.
 *
 * Since: 0.1
 */
FRG_API gboolean frg_live_model_grow_window(FrGLiveModel *model, int before, int after, GError **error);

/**
 * frg_live_model_move_window:
 * @model: the model of a window
 * @rows: how many rows further; a negative number for the other direction
 * @error: return location for a #GError
 *
 * Hangs a window on another row, or on the first or last row if there are not so many. The model
 * announces the difference as with frg_live_model_grow_window().
 *
 * Returns: whether it was done; %FALSE for a model of anything else.
 *
 * Since: 0.1
 */
FRG_API gboolean frg_live_model_move_window(FrGLiveModel *model, int rows, GError **error);

/**
 * frg_live_model_get_window_position:
 *
 * Returns: the number in the list of the first row of a window; 0 for a model of anything else. It
 *   changes without a signal when rows before the window are inserted or deleted.
 *
 * Since: 0.1
 */
FRG_API guint frg_live_model_get_window_position(FrGLiveModel *model);

G_END_DECLS

#endif
