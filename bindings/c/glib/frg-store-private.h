/* What the models need of a store. Private to them. */
#ifndef FRG_STORE_PRIVATE_H
#define FRG_STORE_PRIVATE_H

#include "frg-store.h"

/* The store, if it is open; NULL and the error otherwise. `store` may be NULL. */
fr_store *frg_store_open_handle(FrGStore *store, GError **error);

#endif
