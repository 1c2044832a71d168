#include "frg-store-source.h"

#include "frg-unread.h"

enum { RETRY_MS = 1000 };

typedef struct store_source {
    GSource source;
    fr_store *store;
    gpointer descriptor;
    guint interval_ms;
} store_source;

static void wake_in(GSource *source, guint milliseconds)
{
    gint64 delay = (gint64)milliseconds * 1000;
    g_source_set_ready_time(source, delay == 0 ? -1 : g_get_monotonic_time() + delay);
}

static gboolean dispatch(GSource *source, GSourceFunc callback, gpointer user_data)
{
    store_source *self = (store_source *)source;
    fr_status status = fr_store_dispatch(self->store);
    if (status == FR_CLOSED || status == FR_MISUSE) {
        return G_SOURCE_REMOVE;
    }
    frg_unread_retry();
    if (g_source_is_destroyed(source)) {
        return G_SOURCE_REMOVE;
    }
    /* After a failure the same still waits, and would wake the loop immediately. */
    g_source_modify_unix_fd(source, self->descriptor, status == FR_OK ? G_IO_IN : 0);
    wake_in(source, status == FR_OK ? self->interval_ms : RETRY_MS);
    if (callback != NULL) {
        return ((FrGStoreSourceFunc)(void (*)(void))callback)(self->store, status, user_data);
    }
    return G_SOURCE_CONTINUE;
}

GSource *frg_store_source_new(fr_store *store, guint interval_ms)
{
    static GSourceFuncs functions = {.dispatch = dispatch};
    int32_t descriptor = -1;
    GSource *source;
    if (fr_store_file_descriptor(&descriptor, store) != FR_OK) {
        return NULL;
    }
    source = g_source_new(&functions, sizeof(store_source));
    g_source_set_name(source, "fr_store");
    ((store_source *)source)->store = store;
    ((store_source *)source)->descriptor = g_source_add_unix_fd(source, descriptor, G_IO_IN);
    ((store_source *)source)->interval_ms = interval_ms;
    wake_in(source, interval_ms);
    return source;
}
