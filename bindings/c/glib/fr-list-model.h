/*
 * FrListModel: the rows of a controller as a GListModel of FrItem: all of them, or those of one section of an
 * FrSectionList. The controller may be any list: one of a request, a section map or a collection.
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
 * source (fr-store-source.h), or, after another dispatch, when the thread's default main context goes round. The same
 * holds for section-item, of which the model notifies. The model holds items without objects until then.
 *
 * The controller stays the caller's, and may be freed first: the model is empty then. When the store is closed, the
 * model keeps its length, and rows of which nobody holds the item can't be read. The model belongs to the thread that
 * uses the store.
 */
#ifndef FR_LIST_MODEL_H
#define FR_LIST_MODEL_H

#include "fr-item.h"
#include "fr-live-model.h"

G_BEGIN_DECLS

#define FR_TYPE_LIST_MODEL (fr_list_model_get_type())
G_DECLARE_FINAL_TYPE(FrListModel, fr_list_model, FR, LIST_MODEL, FrLiveModel)

/* All rows over all sections. Before the first fetch it is empty; see fr_list_model_reload. */
FrListModel *fr_list_model_new(fr_controller *controller);

/*
 * The name of the section whose rows these are: borrowed until it changes; NULL for the section of NULL and for a model
 * of all rows. Also the property "section-name".
 */
const char *fr_list_model_get_section_name(FrListModel *model);

/*
 * The row that the section stands for, in a section map: borrowed until it changes, which makes another item of it;
 * NULL if it is no row. Also the property "section-item".
 */
FrItem *fr_list_model_get_section_item(FrListModel *model);

/*
 * Replaces all rows with one signal. To be called for a model of all rows after fr_controller_perform_fetch, which the
 * controller tells nobody of.
 */
void fr_list_model_reload(FrListModel *model);

G_END_DECLS

#endif
