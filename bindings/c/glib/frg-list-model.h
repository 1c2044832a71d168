/* The rows of a list as a GListModel. */
#ifndef FRG_LIST_MODEL_H
#define FRG_LIST_MODEL_H

#include "frg-edit.h"
#include "frg-item.h"
#include "frg-live-model.h"

G_BEGIN_DECLS

#define FRG_TYPE_LIST_MODEL (frg_list_model_get_type())
/**
 * FrGListModel:
 *
 * The rows of a list as a #GListModel of #FrGItem: all of them, or those of one section of an
 * #FrGSectionList.
 *
 * The model reads rows on demand. #GListModel::items-changed is exact: it covers the rows that were
 * inserted, deleted, moved or updated, and no others. The rows of a section that moves, move. An
 * updated row is removed and inserted by one signal, and is a new item then. A moved row is
 * removed, and inserted later; by one signal if nothing is between its old place and its new one.
 * Adjacent rows that were inserted, deleted or updated share a signal. A reload is one signal for
 * all rows.
 *
 * In the handlers the model shows the state that its signals have announced so far. A row whose
 * removal is not announced yet looks as before if somebody references its item; otherwise it looks
 * as in its record.
 *
 * A row that can't be read now, for example since another connection has changed it, has an item
 * without values. When it can be read again, items-changed covers it, whether it changed or not: at
 * the end of the next dispatch of the store's source, or, after another dispatch, in the next
 * iteration of the thread's default main context. The same holds for #FrGListModel:section-item,
 * which the model notifies of. Until then the model references items without values.
 *
 * When the store is closed, the model keeps its length, and rows whose items nobody references
 * can't be read. A model that was made from an fr_list is empty when that is freed. The thread that
 * uses the store uses the model.
 *
 * Since: 0.1
 */
FRG_API G_DECLARE_FINAL_TYPE(FrGListModel, frg_list_model, FRG, LIST_MODEL, FrGLiveModel)

/**
 * frg_list_model_new: (skip)
 * @controller: a list of any kind: of a request, a section map, a collection or a window; the
 *   caller still owns it, and may free it first
 *
 * Makes a model of all rows over all sections. Before the first fetch it is empty; see
 * frg_list_model_reload().
 *
 * Returns: (transfer full): the model.
 *
 * Since: 0.1
 */
FRG_API FrGListModel *frg_list_model_new(fr_list *controller);

/**
 * frg_list_model_new_for_request: (rename-to frg_list_model_new)
 * @store: an open store
 * @request: the rows and their order
 * @error: return location for a #GError
 *
 * Makes a model of all rows over all sections, and reads it.
 *
 * Returns: (transfer full) (nullable): the model; %NULL on failure.
 *
 * Since: 0.1
 */
FRG_API FrGListModel *frg_list_model_new_for_request(FrGStore *store, FrGRequest *request, GError **error);

/**
 * frg_list_model_get_section_name:
 *
 * Returns: (transfer none) (nullable): the name of the section whose rows these are, until it
 *   changes; %NULL for the section of NULL and for a model of all rows.
 *
 * Since: 0.1
 */
FRG_API const char *frg_list_model_get_section_name(FrGListModel *model);

/**
 * frg_list_model_get_section_item:
 *
 * Returns: (transfer none) (nullable): the row that the section stands for, in a section map; the
 *   same item as long as the model lives. %NULL if the section is not a row.
 *
 * Since: 0.1
 */
FRG_API FrGItem *frg_list_model_get_section_item(FrGListModel *model);

/**
 * frg_list_model_find:
 * @item: an item of the model
 * @position: (out) (optional): return location for its position
 *
 * Finds an item that you hold, for example to select it again after it has moved. While the model
 * announces a change, an item whose new position is not announced yet is not found.
 *
 * Returns: whether the item is in the model.
 *
 * Since: 0.1
 */
FRG_API gboolean frg_list_model_find(FrGListModel *model, FrGItem *item, guint *position);

/**
 * frg_list_model_move:
 * @column: the column that the rows are sorted by, which has numbers
 * @item: the item of a row of the same table, also of another section
 * @before: (nullable): the item of the model before which it is put; %NULL for the end
 * @error: return location for a #GError
 *
 * Puts a row at another place, as a person who drags it does: writes the numbers of as few rows as
 * necessary, in one transaction. Integers stay integers; if there is no room between two of them,
 * the rows beside them get other numbers. A row that comes from another section also gets the value
 * that makes that section, which has to be a column of the row itself.
 *
 * The list has to sort by @column first, in ascending order. A #FrGListModel of all rows has to be
 * one without sections; otherwise move the row in the models of the sections.
 *
 * Returns: whether it was written.
 *
 * Since: 0.1
 */
FRG_API gboolean frg_list_model_move(FrGListModel *model, const char *column, FrGItem *item, FrGItem *before,
                                     GError **error);

/**
 * FrGSubmit:
 * @edit: the edit; take a reference to hold it
 * @user_data: the user data of the call
 *
 * A function that takes an edit in place of the SQL that a model would execute, and sends it to the
 * place that the list comes from. The item of the edit shows the value as pending.
 *
 * Since: 0.1
 */
typedef void (*FrGSubmit)(FrGEdit *edit, gpointer user_data);

/**
 * frg_list_model_submit_move:
 * @column: as in frg_list_model_move(), and so are the next three
 * @item: the item of a row
 * @before: (nullable): the item of the model before which it is put; %NULL for the end
 * @submit: (scope call): takes each value that the move changes
 * @user_data: passed to @submit
 * @error: return location for a #GError
 *
 * Puts a row at another place as frg_list_model_move() does, but writes nothing: @submit receives
 * an edit for each number, and for the value of a section. The row moves when the change arrives
 * with the list. All items show their new values before the first call of @submit.
 *
 * Returns: whether the edits were made.
 *
 * Since: 0.1
 */
FRG_API gboolean frg_list_model_submit_move(FrGListModel *model, const char *column, FrGItem *item, FrGItem *before,
                                            FrGSubmit submit, gpointer user_data, GError **error);

/**
 * frg_list_model_reload: (skip)
 *
 * Replaces all rows with one signal. Call it for a model of all rows after fr_list_perform_fetch(),
 * which makes no callbacks.
 *
 * Since: 0.1
 */
FRG_API void frg_list_model_reload(FrGListModel *model);

G_END_DECLS

#endif
