/*
 * FrGItem: a row as an item of a list model. It never changes: a row that changed is another item.
 *
 * As long as somebody references the item of a row, its model returns the same item until the row
 * changes, or moves to another model of a section. So a selection or a widget that identifies an
 * item by its address finds it again. A row that a collection shows at several places is another
 * item at each.
 */
#ifndef FRG_ITEM_H
#define FRG_ITEM_H

#include <fetchedresults.h>
#include <glib-object.h>

G_BEGIN_DECLS

#define FRG_TYPE_ITEM (frg_item_get_type())
G_DECLARE_FINAL_TYPE(FrGItem, frg_item, FRG, ITEM, GObject)

/*
 * The row: borrowed, as long as the item lives. NULL if it could not be read, for example since the
 * store was closed.
 */
fr_object *frg_item_get_object(FrGItem *item);

/*
 * A column's value as text that can be shown: valid UTF-8, to be freed with g_free; "" for NULL,
 * for blobs, and if there is no such column or row.
 */
char *frg_item_dup_text(FrGItem *item, const char *column);

G_END_DECLS

#endif
