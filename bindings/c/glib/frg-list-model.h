/*
 * FrGListModel: the rows of a controller as a GListModel of FrGItem: all of them, or those of one section of an
 * FrGSectionList. The controller may be any list: one of a request, a section map or a collection.
 *
 * Rows are read when they are asked for. items-changed is exact: it names the rows that came, went, moved or changed,
 * and no others; rows whose section moves, move. A row that changed is taken out and put in by one signal, and is a new
 * item then. One that moves is taken out, and put in later; by one signal if nothing stands between its old place and
 * its new one. Rows that came, went or changed next to each other share a signal. A reload is one signal for all rows.
 * In the handlers the model answers as the signals have told so far; a row that has yet to go looks as it did if
 * somebody holds its item, else as its record knows it.
 *
 * A row that can't be read now, because another connection has changed it, say, has an item without an object. When it
 * can be read again, items-changed names it, whether it changed or not: at the end of the next dispatch of a store
 * source (frg-store-source.h), or, after another dispatch, when the thread's default main context goes round. The same
 * holds for section-item, of which the model notifies. The model holds items without objects until then.
 *
 * The controller stays the caller's, and may be freed first: the model is empty then. When the store is closed, the
 * model keeps its length, and rows of which nobody holds the item can't be read. The model belongs to the thread that
 * uses the store.
 */
#ifndef FRG_LIST_MODEL_H
#define FRG_LIST_MODEL_H

#include "frg-item.h"
#include "frg-live-model.h"

G_BEGIN_DECLS

#define FRG_TYPE_LIST_MODEL (frg_list_model_get_type())
G_DECLARE_FINAL_TYPE(FrGListModel, frg_list_model, FRG, LIST_MODEL, FrGLiveModel)

/* All rows over all sections. Before the first fetch it is empty; see frg_list_model_reload. */
FrGListModel *frg_list_model_new(fr_list *controller);

/*
 * The name of the section whose rows these are: borrowed until it changes; NULL for the section of NULL and for a model
 * of all rows. Also the property "section-name".
 */
const char *frg_list_model_get_section_name(FrGListModel *model);

/*
 * The row that the section stands for, in a section map: borrowed until it changes, which makes another item of it;
 * NULL if it is no row. Also the property "section-item".
 */
FrGItem *frg_list_model_get_section_item(FrGListModel *model);

/*
 * Replaces all rows with one signal. To be called for a model of all rows after fr_list_perform_fetch, which the
 * controller tells nobody of.
 */
void frg_list_model_reload(FrGListModel *model);

G_END_DECLS

#endif
