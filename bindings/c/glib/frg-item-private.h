/* What the models need of items. Private to them. */
#ifndef FRG_ITEM_PRIVATE_H
#define FRG_ITEM_PRIVATE_H

#include "frg-item.h"

/* object: taken over; NULL for a row that can't be read. */
FrGItem *frg_item_new(fr_object *object);

/*
 * Whether the item looks like the row that `object` is a snapshot of; both have to be of the same
 * row.
 */
gboolean frg_item_is(FrGItem *item, fr_object *object);

#endif
