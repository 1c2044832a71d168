/* The rows of a list as objects of the program's own. */
#ifndef FRG_OBJECT_LIST_H
#define FRG_OBJECT_LIST_H

#include "frg-list-model.h"

G_BEGIN_DECLS

/**
 * FrGObjectFunc:
 * @row: the row
 * @former: (nullable): the object that stands for the row; %NULL if there is none
 * @user_data: what was passed to frg_object_list_new()
 *
 * Makes or updates the object that stands for a row. It is called when the row is first asked for,
 * and again after each update of the row as long as somebody references the object. It must not use
 * the list.
 *
 * Returns: (transfer full): the object, mostly @former after its update.
 *
 * Since: 0.1
 */
typedef GObject *(*FrGObjectFunc)(FrGItem *row, GObject *former, gpointer user_data);

#define FRG_TYPE_OBJECT_LIST (frg_object_list_get_type())
/**
 * FrGObjectList:
 *
 * A #GListModel of the program's own objects, one for each row of a #FrGListModel.
 *
 * A function makes the object of a row, or finds it in what the program has. As long as somebody
 * references the object the list returns the same one, whatever happens to the row, and calls the
 * function again at each update. If that returns another object, the list announces this one in
 * place of the former, after everything else that the commit changed. A row that has left the list
 * and returns is a new row to the function.
 *
 * Objects differ from row to row. Release the last reference to one in the thread that uses the
 * list.
 *
 * Since: 0.1
 */
FRG_API G_DECLARE_FINAL_TYPE(FrGObjectList, frg_object_list, FRG, OBJECT_LIST, GObject)

/**
 * frg_object_list_new:
 * @rows: the rows, held by the list
 * @func: (scope notified) (closure user_data) (destroy destroy): makes or updates an object
 * @user_data: passed to @func
 * @destroy: (nullable): called with @user_data when the list ends
 *
 * Returns: (transfer full): the list.
 *
 * Since: 0.1
 */
FRG_API FrGObjectList *frg_object_list_new(FrGListModel *rows, FrGObjectFunc func, gpointer user_data,
                                           GDestroyNotify destroy);

/**
 * frg_object_list_get_model:
 *
 * Returns: (transfer none): the rows.
 *
 * Since: 0.1
 */
FRG_API FrGListModel *frg_object_list_get_model(FrGObjectList *list);

/**
 * frg_object_list_get_row:
 * @object: an object of the list
 *
 * Returns: (transfer none) (nullable): its row; %NULL if the list does not know the object.
 *
 * Since: 0.1
 */
FRG_API FrGItem *frg_object_list_get_row(FrGObjectList *list, GObject *object);

G_END_DECLS

#endif
