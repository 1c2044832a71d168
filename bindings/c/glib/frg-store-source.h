/* Deliveries through GLib's main loop. */
#ifndef FRG_STORE_SOURCE_H
#define FRG_STORE_SOURCE_H

#include <fetchedresults.h>
#include <glib.h>

#include "frg-macros.h"

G_BEGIN_DECLS

/**
 * FrGStoreSourceFunc:
 * @store: the store of the source
 * @status: what fr_store_dispatch() returned; fr_error_message() explains a failure
 * @user_data: what was passed to g_source_set_callback()
 *
 * Called after each dispatch.
 *
 * Returns: %G_SOURCE_REMOVE to end the source.
 *
 * Since: 0.1
 */
typedef gboolean (*FrGStoreSourceFunc)(fr_store *store, fr_status status, gpointer user_data);

/**
 * frg_store_source_new:
 * @store: a store of the C interface; an #FrGStore has a source already
 * @interval_ms: an interval at which the source dispatches as well, for files where the kernel does
 *   not notify of other connections' commits; 0 for none
 *
 * Makes a source that calls fr_store_dispatch() when something waits: the progress and the end of a
 * fetch in the background, queued commits, commits of the program itself on an adopted connection,
 * and commits of other connections (fr_store_wake_up_source()). A dispatch that fails is repeated a
 * second later.
 *
 * A callback is optional: g_source_set_callback() with G_SOURCE_FUNC and an FrGStoreSourceFunc.
 * Destroy the source before the store is closed, since it polls the store's descriptor. Otherwise
 * the source ends by itself.
 *
 * Returns: (transfer full) (nullable): a source to be attached with g_source_attach() to the
 *   context of the thread that uses the store; %NULL if there is no such store.
 *
 * Since: 0.1
 */
FRG_API GSource *frg_store_source_new(fr_store *store, guint interval_ms);

G_END_DECLS

#endif
