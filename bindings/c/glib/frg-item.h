/* A row as an item of a list model. */
#ifndef FRG_ITEM_H
#define FRG_ITEM_H

#include <fetchedresults.h>
#include <glib-object.h>

#include "frg-macros.h"

G_BEGIN_DECLS

#define FRG_TYPE_ITEM (frg_item_get_type())
/**
 * FrGItem:
 *
 * A row as an item of a list model.
 *
 * As long as somebody references the item of a row, its models return the same item, whatever
 * happens to the row: after an update, a move, also to another section, and a reload. So a
 * selection, a widget with the focus or an editor that belongs to an item stays with the row. An
 * update changes the item, which then emits FrGItem::changed. A row that a collection shows at
 * several places is another item at each.
 *
 * An item whose row can't be read now, for example since the store was closed, keeps the values
 * that it had. If it was not read before, its columns are all NULL, until it can be read.
 *
 * A row that frg_store_query() has read is an item of its own, which never changes.
 *
 * Since: 0.1
 */
FRG_API G_DECLARE_FINAL_TYPE(FrGItem, frg_item, FRG, ITEM, GObject)

/**
 * frg_item_get_object: (skip)
 *
 * Returns: (transfer none) (nullable): the row as it is now, borrowed until the item changes; %NULL
 *   if it could not be read, and for a row of a query.
 *
 * Since: 0.1
 */
FRG_API fr_object *frg_item_get_object(FrGItem *item);

/**
 * frg_item_get_entity:
 *
 * Returns: (transfer none) (nullable): the table or view that the row is of; %NULL if it could not
 *   be read, and for a row of a query.
 *
 * Since: 0.1
 */
FRG_API const char *frg_item_get_entity(FrGItem *item);

/**
 * frg_item_get_columns:
 *
 * Returns: (transfer full) (array zero-terminated=1): the names of the columns.
 *
 * Since: 0.1
 */
FRG_API char **frg_item_get_columns(FrGItem *item);

/**
 * frg_item_get_value:
 * @column: the name of a column
 * @value: (out caller-allocates): %G_VALUE_INIT; to be cleared with g_value_unset()
 * @error: return location for a #GError
 *
 * Reads a column: an integer as a #gint64, a real as a #gdouble, text as a string, a blob as a
 * #GVariant of type "ay", and NULL as a string that is %NULL. It fails, and leaves @value as it is,
 * if there is no such column or its value can't be read.
 *
 * Since: 0.1
 */
FRG_API void frg_item_get_value(FrGItem *item, const char *column, GValue *value, GError **error);

/**
 * frg_item_get_string:
 * @column: the name of a column
 *
 * Reads a column as text: valid UTF-8, also of numbers. This and the following functions warn if
 * there is no such column.
 *
 * Returns: (transfer full) (nullable): the text; %NULL for NULL and for a blob.
 *
 * Since: 0.1
 */
FRG_API char *frg_item_get_string(FrGItem *item, const char *column);

/**
 * frg_item_get_int64:
 * @column: the name of a column
 *
 * Returns: the integer, that of a number or of a text that begins with one; otherwise 0.
 *
 * Since: 0.1
 */
FRG_API gint64 frg_item_get_int64(FrGItem *item, const char *column);

/**
 * frg_item_get_double:
 * @column: the name of a column
 *
 * Returns: the number, also that of a text that begins with one; otherwise 0.
 *
 * Since: 0.1
 */
FRG_API gdouble frg_item_get_double(FrGItem *item, const char *column);

/**
 * frg_item_get_boolean:
 * @column: the name of a column
 *
 * Returns: whether the number is not 0.
 *
 * Since: 0.1
 */
FRG_API gboolean frg_item_get_boolean(FrGItem *item, const char *column);

/**
 * frg_item_get_bytes:
 * @column: the name of a column
 *
 * Returns: (transfer full) (nullable): the bytes of a blob or text; otherwise %NULL.
 *
 * Since: 0.1
 */
FRG_API GBytes *frg_item_get_bytes(FrGItem *item, const char *column);

/**
 * frg_item_is_null:
 * @column: the name of a column
 *
 * Returns: whether the value is NULL, or can't be read.
 *
 * Since: 0.1
 */
FRG_API gboolean frg_item_is_null(FrGItem *item, const char *column);

/**
 * frg_item_dup_text:
 * @column: the name of a column
 *
 * Reads a column as text that can be shown.
 *
 * Returns: (transfer full): valid UTF-8; "" for NULL, for blobs, and if there is no such column or
 *   row.
 *
 * Since: 0.1
 */
FRG_API char *frg_item_dup_text(FrGItem *item, const char *column);

G_END_DECLS

#endif
