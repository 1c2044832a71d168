/* Edits that the program sends elsewhere, and that an item shows until they are in the list. */
#ifndef FRG_EDIT_H
#define FRG_EDIT_H

#include <glib-object.h>

#include "frg-item.h"
#include "frg-macros.h"

G_BEGIN_DECLS

#define FRG_TYPE_EDIT (frg_edit_get_type())
/**
 * FrGEdit:
 *
 * A value that a person has entered, on its way to the place that the list comes from, such as a
 * server.
 *
 * The item of the row shows the value until a change of the column arrives with the list, or the
 * program calls frg_edit_fail() or frg_edit_finish(). Until then the edit and its item reference
 * each other. So call one of these for an edit whose row or model is gone.
 *
 * Since: 0.1
 */
FRG_API G_DECLARE_FINAL_TYPE(FrGEdit, frg_edit, FRG, EDIT, GObject)

/**
 * frg_item_edit:
 * @column: the name of a column
 * @value: (nullable): the value, with the types of parameters of #FrGStore; %NULL for NULL
 * @error: return location for a #GError
 *
 * Has an item show a value that the program sends elsewhere. Nothing is written to the database.
 * The item emits FrGItem::changed, and its property of the column and #FrGItem:pending notify.
 *
 * If the item is edited again before the first change has arrived, it shows the last value. A
 * change that is the answer to an earlier edit of the column does not end a later one; any other
 * value ends all of them. If the item shows the value already, the edit is over. If @value is
 * floating, it is consumed.
 *
 * Returns: (transfer full): the edit; %NULL with the error for a row of a query, if the row could
 *   not be read, if it has no such column, or if @value has no value in SQL.
 *
 * Since: 0.1
 */
FRG_API FrGEdit *frg_item_edit(FrGItem *item, const char *column, GVariant *value, GError **error);

/**
 * frg_item_is_pending:
 * @column: (nullable): the name of a column; %NULL for any
 *
 * Returns: whether the item shows a value whose change has not arrived.
 *
 * Since: 0.1
 */
FRG_API gboolean frg_item_is_pending(FrGItem *item, const char *column);

/**
 * frg_edit_get_item:
 *
 * Returns: (transfer none) (nullable): the item, which shows the value; %NULL once the edit is over
 *   because the program has ended it, or because the item showed the value already.
 *
 * Since: 0.1
 */
FRG_API FrGItem *frg_edit_get_item(FrGEdit *edit);

/**
 * frg_edit_get_column:
 *
 * Returns: (transfer none) (nullable): the name of the column; %NULL if the item showed the value
 *   already.
 *
 * Since: 0.1
 */
FRG_API const char *frg_edit_get_column(FrGEdit *edit);

/**
 * frg_edit_fail:
 * @message: why
 *
 * Reports that the value was refused. The item shows the value of the list again, and emits
 * FrGItem::edit-failed, also if the column has changed in the meantime. Nothing happens if the
 * program has ended the edit before.
 *
 * Since: 0.1
 */
FRG_API void frg_edit_fail(FrGEdit *edit, const char *message);

/**
 * frg_edit_finish:
 *
 * Reports that no change will arrive, for example because the other place has the value already.
 * The item shows the value of the list again.
 *
 * Since: 0.1
 */
FRG_API void frg_edit_finish(FrGEdit *edit);

G_END_DECLS

#endif
