/*
 * The types of items: one for each entity and its columns, which are properties. Private to the
 * models.
 */
#ifndef FRG_ITEM_TYPE_H
#define FRG_ITEM_TYPE_H

#include "frg-item.h"
#include "frg-request.h"

/*
 * The type for a row: a subtype of FrGItem. The declared types of its columns determine those of
 * the properties. Types exist as long as the process. store: that of the row; NULL if it is
 * unknown. request: that of the list; NULL if it is unknown.
 */
GType frg_item_type_of(fr_store *store, fr_object *object, FrGRequest *request);

/* The same for the rows of a request; FRG_TYPE_ITEM if it does not name an entity. */
GType frg_item_type_of_request(fr_store *store, FrGRequest *request);

/* The type for the totals of a list, which is a controller. */
GType frg_item_type_of_totals(fr_list *list, fr_object *object);

/* Notifies of the properties whose columns differ between an item and an earlier row. */
void frg_item_notify(FrGItem *item, fr_object *former);

/* Notifies of the property of a column, if it is one. */
void frg_item_notify_column(FrGItem *item, const char *column);

#endif
