/* What the models know of items. Private to them. */
#ifndef FR_ITEM_PRIVATE_H
#define FR_ITEM_PRIVATE_H

#include "fr-item.h"

/* object: taken over; NULL for a row that can't be read. */
FrItem *fr_item_new(fr_object *object);

/* Whether the item looks like the row that `object` is a picture of; to be asked of pictures of the same row. */
gboolean fr_item_is(FrItem *item, fr_object *object);

#endif
