/* How failures of the library become errors of GLib. Private to the models. */
#ifndef FRG_STORE_ERROR_PRIVATE_H
#define FRG_STORE_ERROR_PRIVATE_H

#include <fetchedresults.h>

#include "frg-store-error.h"

/*
 * Whether the last call of the thread, which returned `status`, succeeded; sets the error if not.
 */
gboolean frg_succeeded(fr_status status, GError **error);

/* The error that was reported to a callback; to be freed with g_error_free. */
GError *frg_error_of(const fr_error *reported);

#endif
