/* Deliveries through GLib's main loop. */
#ifndef FRG_STORE_SOURCE_H
#define FRG_STORE_SOURCE_H

#include <fetchedresults.h>
#include <glib.h>

G_BEGIN_DECLS

/* Told of each dispatch; fr_error_message() explains a failure. G_SOURCE_REMOVE ends the source. */
typedef gboolean (*FrGStoreSourceFunc)(fr_store *store, fr_status status, gpointer user_data);

/*
 * A source that calls fr_store_dispatch when something waits: the end of a fetch in the background, queued commits,
 * commits of the program's own on an adopted connection. A dispatch that fails is tried again a second later.
 *
 * interval_ms: how often to look for commits of other connections, which wake nobody; 0 for never.
 * Returns a source to be attached with g_source_attach to the context of the thread that uses the store, and given back
 * with g_source_unref; NULL if there is no such store. A callback is optional: g_source_set_callback with
 * G_SOURCE_FUNC and an FrGStoreSourceFunc. Destroy the source before the store is closed, whose descriptor it polls.
 * If that was forgotten, the source ends by itself.
 */
GSource *frg_store_source_new(fr_store *store, guint interval_ms);

G_END_DECLS

#endif
