/* What the models need of items. Private to them. */
#ifndef FRG_ITEM_PRIVATE_H
#define FRG_ITEM_PRIVATE_H

#include "frg-item.h"

/* type: FRG_TYPE_ITEM or a subtype. object: taken over; NULL for a row that can't be read. */
FrGItem *frg_item_new(GType type, fr_object *object);

/* The row that a statement is at. NULL and the error on failure. */
FrGItem *frg_item_new_of_query(fr_statement *statement, GError **error);

/*
 * Whether the item looks like the row that `object` is a snapshot of; both have to be of the same
 * row.
 */
gboolean frg_item_is(FrGItem *item, fr_object *object);

/*
 * Has an item show a later snapshot of its row. Notifies of its properties, emits its signal, and
 * returns TRUE, if that differs. object: taken over.
 */
gboolean frg_item_show(FrGItem *item, fr_object *object);

/* Whether the row has a column, and could be read. */
gboolean frg_item_has(FrGItem *item, const char *column);

/* Whether a column has another value than in an earlier snapshot. */
gboolean frg_item_differs(FrGItem *item, fr_object *former, const char *column);

/* A copy that owns its data, with a NUL behind it, as texts of the library have one. */
fr_value frg_value_copy(const fr_value *value);

/* Frees the data of a copy. */
void frg_value_clear(fr_value *value);

gboolean frg_value_is_same(const fr_value *one, const fr_value *other);

#endif
