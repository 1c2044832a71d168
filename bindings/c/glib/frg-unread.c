#include "frg-unread.h"

#include "frg-live-model-private.h"

typedef struct unread_models {
    GPtrArray *models; /* not held */
    GSource *source;   /* NULL if there are no models */
} unread_models;

static void free_models(gpointer data)
{
    unread_models *unread = data;
    g_ptr_array_unref(unread->models);
    if (unread->source != NULL) {
        g_source_destroy(unread->source);
        g_source_unref(unread->source);
    }
    g_free(unread);
}

static GPrivate models_of_thread = G_PRIVATE_INIT(free_models);

static unread_models *this_thread(void)
{
    unread_models *unread = g_private_get(&models_of_thread);
    if (unread == NULL) {
        unread = g_new0(unread_models, 1);
        unread->models = g_ptr_array_new();
        g_private_set(&models_of_thread, unread);
    }
    return unread;
}

static gboolean retry(FrGLiveModel *model, gboolean is_probe)
{
    return FRG_LIVE_MODEL_METHODS(model)->retry(model, is_probe);
}

/*
 * The source wakes nobody: it is ready when the loop goes round, for whatever reason, and something
 * can be read.
 */

static gboolean prepare(GSource *source, gint *timeout)
{
    GPtrArray *models = this_thread()->models;
    guint index;
    (void)source;
    *timeout = -1;
    for (index = 0; index < models->len; index++) {
        if (retry(g_ptr_array_index(models, index), TRUE)) {
            return TRUE;
        }
    }
    return FALSE;
}

static gboolean dispatch(GSource *source, GSourceFunc callback, gpointer user_data)
{
    (void)source;
    (void)callback;
    (void)user_data;
    frg_unread_retry();
    return G_SOURCE_CONTINUE;
}

void frg_unread_add(FrGLiveModel *model)
{
    static GSourceFuncs functions = {.prepare = prepare, .dispatch = dispatch};
    unread_models *unread = this_thread();
    if (g_ptr_array_find(unread->models, model, NULL)) {
        return;
    }
    g_ptr_array_add(unread->models, model);
    if (unread->source == NULL) {
        unread->source = g_source_new(&functions, sizeof(GSource));
        g_source_set_name(unread->source, "frg_unread");
        g_source_attach(unread->source, g_main_context_get_thread_default());
    }
}

void frg_unread_remove(FrGLiveModel *model)
{
    unread_models *unread = this_thread();
    g_ptr_array_remove(unread->models, model);
    if (unread->models->len == 0 && unread->source != NULL) {
        g_source_destroy(unread->source);
        g_clear_pointer(&unread->source, g_source_unref);
    }
}

/* Handlers of signals may end models, and have others lack something. */
void frg_unread_retry(void)
{
    GPtrArray *models = g_ptr_array_new_with_free_func(g_object_unref);
    guint index;
    for (index = 0; index < this_thread()->models->len; index++) {
        g_ptr_array_add(models, g_object_ref(g_ptr_array_index(this_thread()->models, index)));
    }
    for (index = 0; index < models->len; index++) {
        FrGLiveModel *model = g_ptr_array_index(models, index);
        if (!retry(model, FALSE)) {
            frg_unread_remove(model);
        }
    }
    g_ptr_array_unref(models);
}
