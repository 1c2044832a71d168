#include "frg-window.h"

#include "frg-live-fields.h"
#include "frg-store-error-private.h"

FrGLiveModel *frg_live_model_open_window(FrGLiveModel *model, guint position, guint before, guint after, GError **error)
{
    FrGLiveModelPrivate *priv, *opened;
    FrGLiveModel *result;
    fr_list *window = NULL;
    g_return_val_if_fail(FRG_IS_LIVE_MODEL(model), NULL);
    priv = frg_live_model_private(model);
    if (frg_live_model_get_announcer(model) != model) {
        g_set_error_literal(error, FRG_STORE_ERROR, FRG_STORE_ERROR_MISUSE,
                            "the model shows one section: open the window of the list of sections");
        return NULL;
    }
    if (!frg_succeeded(fr_window_open(&window, priv->controller, position, before, after), error)) {
        return NULL;
    }
    result = g_object_new(G_OBJECT_TYPE(model), "store", priv->store, "request", priv->request, NULL);
    opened = frg_live_model_private(result);
    opened->own_list = window;
    frg_live_model_observe(result, window);
    return result;
}

gboolean frg_live_model_grow_window(FrGLiveModel *model, int before, int after, GError **error)
{
    int64_t shown_before = 0, shown_after = 0;
    fr_list *window;
    gboolean is_right;
    g_return_val_if_fail(FRG_IS_LIVE_MODEL(model), FALSE);
    window = frg_live_model_get_controller(model);
    g_object_ref(model);
    is_right = frg_succeeded(fr_window_extent(&shown_before, &shown_after, window), error)
               && frg_succeeded(fr_window_resize(window, shown_before + before, shown_after + after), error);
    g_object_unref(model);
    return is_right;
}

gboolean frg_live_model_move_window(FrGLiveModel *model, int rows, GError **error)
{
    gboolean is_right;
    g_return_val_if_fail(FRG_IS_LIVE_MODEL(model), FALSE);
    g_object_ref(model);
    is_right = frg_succeeded(fr_window_move(frg_live_model_get_controller(model), rows), error);
    g_object_unref(model);
    return is_right;
}

guint frg_live_model_get_window_position(FrGLiveModel *model)
{
    int64_t position = 0;
    g_return_val_if_fail(FRG_IS_LIVE_MODEL(model), 0);
    /* It fails for a list that is no window. */
    fr_window_position(&position, frg_live_model_get_controller(model));
    return (guint)position;
}
