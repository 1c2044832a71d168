/* The common part of the models. */
#ifndef FRG_LIVE_MODEL_H
#define FRG_LIVE_MODEL_H

#include <fetchedresults.h>
#include <gio/gio.h>

#include "frg-item.h"
#include "frg-macros.h"
#include "frg-request.h"
#include "frg-store.h"

G_BEGIN_DECLS

#define FRG_TYPE_LIVE_MODEL (frg_live_model_get_type())
/**
 * FrGLiveModel:
 *
 * The common part of #FrGListModel and #FrGSectionList: a #GListModel that follows a list and
 * announces each change by exact signals.
 *
 * A model is made from a store and a request, and reads its rows then: by a constructor of its
 * type, or by g_object_new() with the properties #FrGLiveModel:store and #FrGLiveModel:request and
 * g_initable_init(). Until then it is empty. In C it can also be made from an fr_list.
 *
 * Abstract; other types can't implement it.
 *
 * Since: 0.1
 */
FRG_API G_DECLARE_DERIVABLE_TYPE(FrGLiveModel, frg_live_model, FRG, LIVE_MODEL, GObject)

struct _FrGLiveModelClass {
    GObjectClass parent_class;
    /*< private >*/
    const struct frg_live_model_methods *methods;
};

/**
 * frg_live_model_get_store:
 *
 * Returns: (transfer none) (nullable): the store that the model reads; %NULL for the model of a
 *   section and for one of an fr_list.
 *
 * Since: 0.1
 */
FRG_API FrGStore *frg_live_model_get_store(FrGLiveModel *model);

/**
 * frg_live_model_get_request:
 *
 * Returns: (transfer none) (nullable): the request of the rows; %NULL for the model of a section
 *   and for one of an fr_list.
 *
 * Since: 0.1
 */
FRG_API FrGRequest *frg_live_model_get_request(FrGLiveModel *model);

/**
 * frg_live_model_set_request:
 * @request: a request for the same table or view; may be the same object, with other properties
 * @error: return location for a #GError
 *
 * Replaces the request, for example by one with another predicate or another order. The model
 * announces the difference before the call returns; inside a handler of a model, after the present
 * delivery.
 *
 * Returns: whether the request was replaced; the model is unchanged otherwise.
 *
 * Since: 0.1
 */
FRG_API gboolean frg_live_model_set_request(FrGLiveModel *model, FrGRequest *request, GError **error);

/**
 * frg_live_model_get_totals:
 *
 * The totals of the list (frg_request_add_total()), or of one section for a #FrGListModel of an
 * #FrGSectionList: an item whose properties are the totals, under their names. It is the same item
 * as long as the model lives and the request has the same totals. A change updates it before
 * #FrGLiveModel::delivered: it notifies of the properties that differ, and the model of
 * #FrGLiveModel:totals. When the section is deleted it retains its last values.
 *
 * Returns: (transfer none) (nullable): the totals; %NULL for a request without totals, for groups,
 *   before the first fetch, and for a collection.
 *
 * Since: 0.1
 */
FRG_API FrGItem *frg_live_model_get_totals(FrGLiveModel *model);

/**
 * frg_live_model_get_reload_threshold:
 *
 * Returns: how many signals announce a change at most; -1 for no limit.
 *
 * Since: 0.1
 */
FRG_API int frg_live_model_get_reload_threshold(FrGLiveModel *model);

/**
 * frg_live_model_set_reload_threshold:
 * @threshold: a number of signals, or -1 for no limit
 *
 * Sets how many signals announce a change at most: 20 unless it is set. Where more would be
 * necessary, the range in which something changed is announced: by one signal if it is short, else
 * as a removal and an insertion. It is valid from the next change on. The model of a section has
 * the threshold of its list of sections, which this sets.
 *
 * Since: 0.1
 */
FRG_API void frg_live_model_set_reload_threshold(FrGLiveModel *model, int threshold);

/**
 * frg_live_model_get_move_range:
 *
 * Returns: #FrGLiveModel:move-range.
 *
 * Since: 0.1
 */
FRG_API guint frg_live_model_get_move_range(FrGLiveModel *model);

/**
 * frg_live_model_set_move_range:
 * @move_range: a number of rows; 0 for no ranges
 *
 * Sets within how many rows a move is announced as one range, which covers all rows in between: 250
 * unless it is set. The selection models of GTK find a selected row again only in such a range. But
 * a view loses what is typed in a row that a range covers, when the range begins or ends outside of
 * the screen. With 0 a move is a removal and an insertion of the row alone, which #FrGSelection,
 * which sets 0, does not lose. It is valid from the next change on. The model of a section has the
 * range of its list of sections, which this sets.
 *
 * Since: 0.1
 */
FRG_API void frg_live_model_set_move_range(FrGLiveModel *model, guint move_range);

G_END_DECLS

#endif
