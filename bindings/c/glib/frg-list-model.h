/*
 * FrGListModel: the rows of a controller as a GListModel of FrGItem: all of them, or those of one
 * section of an
 * FrGSectionList. The controller may be any list: one of a request, a section map or a collection.
 *
 * The model reads rows on demand. items-changed is exact: it covers the rows that were inserted,
 * deleted, moved or updated, and no others. The rows of a section that moves, move. An updated row
 * is removed and inserted by one signal, and is a new item then. A moved row is removed, and
 * inserted later; by one signal if nothing is between its old place and its new one. Adjacent rows
 * that were inserted, deleted or updated share a signal. A reload is one signal for all rows.
 *
 * In the handlers the model shows the state that its signals have announced so far. A row whose
 * removal is not announced yet looks as before if somebody references its item; otherwise it looks
 * as in its record.
 *
 * A row that can't be read now, for example since another connection has changed it, has an item
 * without an object. When it can be read again, items-changed covers it, whether it changed or not:
 * at the end of the next dispatch of a store source (frg-store-source.h), or, after another
 * dispatch, in the next iteration of the thread's default main context. The same holds for
 * section-item, which the model notifies of. Until then the model references items without objects.
 *
 * The caller still owns the controller, and may free it first: the model is empty then. When the
 * store is closed, the model keeps its length, and rows whose items nobody references can't be
 * read. The thread that uses the store uses the model.
 */
#ifndef FRG_LIST_MODEL_H
#define FRG_LIST_MODEL_H

#include "frg-item.h"
#include "frg-live-model.h"

G_BEGIN_DECLS

#define FRG_TYPE_LIST_MODEL (frg_list_model_get_type())
G_DECLARE_FINAL_TYPE(FrGListModel, frg_list_model, FRG, LIST_MODEL, FrGLiveModel)

/*
 * Makes a model of all rows over all sections. Before the first fetch it is empty; see
 * frg_list_model_reload.
 */
FrGListModel *frg_list_model_new(fr_list *controller);

/*
 * The name of the section whose rows these are: borrowed until it changes; NULL for the section of
 * NULL and for a model of all rows. Also the property "section-name".
 */
const char *frg_list_model_get_section_name(FrGListModel *model);

/*
 * The row that the section stands for, in a section map: borrowed until it changes and becomes
 * another item; NULL if the section is not a row. Also the property "section-item".
 */
FrGItem *frg_list_model_get_section_item(FrGListModel *model);

/*
 * Replaces all rows with one signal. Call it for a model of all rows after fr_list_perform_fetch,
 * which makes no callbacks.
 */
void frg_list_model_reload(FrGListModel *model);

G_END_DECLS

#endif
