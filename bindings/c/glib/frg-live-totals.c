/* The totals of what a model shows, as an item that follows them. */
#include "frg-item-private.h"
#include "frg-item-type.h"
#include "frg-live-fields.h"

#include <string.h>

/* NULL if there are none. FALSE if they can't be read: what was read last is shown. */
static gboolean read_totals(FrGLiveModel *model, fr_object **totals)
{
    fr_list *controller = frg_live_model_get_controller(model);
    int64_t count = 0;
    *totals = NULL;
    if (controller == NULL || fr_list_totals(totals, controller, FRG_LIVE_MODEL_METHODS(model)->section(model)) != FR_OK
        || fr_object_column_count(&count, *totals) != FR_OK) {
        return FALSE;
    }
    if (count == 0) {
        fr_object_unref(*totals);
        *totals = NULL;
    }
    return TRUE;
}

/* Whether two objects have the same columns. */
static gboolean have_same_names(fr_object *one, fr_object *other)
{
    const char *name, *other_name;
    int64_t count = 0, other_count = 0, index;
    fr_object_column_count(&count, one);
    fr_object_column_count(&other_count, other);
    for (index = 0; index < count && count == other_count; index++) {
        if (fr_object_column_name(&name, one, index) != FR_OK
            || fr_object_column_name(&other_name, other, index) != FR_OK || strcmp(name, other_name) != 0) {
            return FALSE;
        }
    }
    return count == other_count;
}

/* Returns whether they differ. Another request may have other totals. */
static gboolean show_totals(FrGLiveModel *model)
{
    FrGLiveModelPrivate *priv = frg_live_model_private(model);
    fr_object *totals;
    if (!read_totals(model, &totals) || (totals == NULL && priv->totals == NULL)) {
        return FALSE;
    }
    if (totals != NULL && priv->totals != NULL && have_same_names(totals, frg_item_get_object(priv->totals))) {
        return frg_item_show(priv->totals, totals);
    }
    g_clear_object(&priv->totals);
    if (totals != NULL) {
        GType type = frg_item_type_of_totals(frg_live_model_get_controller(model), totals);
        priv->totals = frg_item_new(type, totals);
    }
    return TRUE;
}

static void refresh(FrGLiveModel *model)
{
    if (frg_live_model_private(model)->follows_totals && !frg_live_model_is_waiting(model) && show_totals(model)) {
        g_object_notify(G_OBJECT(model), "totals");
    }
}

void frg_live_model_refresh_totals(FrGLiveModel *model)
{
    GPtrArray *sections;
    guint index;
    refresh(model);
    if (FRG_LIVE_MODEL_METHODS(model)->has_rows) {
        return;
    }
    sections = frg_live_model_dup_held(model);
    for (index = 0; index < sections->len; index++) {
        refresh(g_ptr_array_index(sections, index));
    }
    g_ptr_array_unref(sections);
}

/*
 * While the places are undefined, a section is read that is corrected by the delivery that follows.
 */
FrGItem *frg_live_model_get_totals(FrGLiveModel *model)
{
    FrGLiveModelPrivate *priv;
    g_return_val_if_fail(FRG_IS_LIVE_MODEL(model), NULL);
    priv = frg_live_model_private(model);
    if (!priv->follows_totals) {
        priv->follows_totals = TRUE;
        show_totals(model);
    }
    return priv->totals;
}
