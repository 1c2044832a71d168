/* The sections of a list as a GListModel. */
#ifndef FRG_SECTION_LIST_H
#define FRG_SECTION_LIST_H

#include "frg-list-model.h"

G_BEGIN_DECLS

#define FRG_TYPE_SECTION_LIST (frg_section_list_get_type())
/**
 * FrGSectionList:
 *
 * The sections of a list as a #GListModel, whose items are #FrGListModel: the rows of each.
 *
 * It can be the root of a GtkTreeListModel, whose function returns the item itself for a section
 * and %NULL for a row; or the model of a GtkFlattenListModel, which since GTK 4.12 is a
 * GtkSectionModel and provides the headers of a GtkListView. frg_section_list_find() is the section
 * of a header. Have an #FrGSelection between them, which keeps the headers up to date.
 *
 * The model of a section follows it to each place, and is one and the same as long as somebody
 * references it. A section that moves is removed and inserted again, without a signal of its rows.
 * A section that is updated only notifies of its name or row. When the section is deleted its model
 * becomes empty permanently.
 *
 * For one change the section models first announce which rows move away, then the list announces
 * its sections, then the section models announce the rest: no row is ever in two of them. At a
 * reload the list announces new models for all sections by one signal, and the old ones become
 * empty permanently.
 *
 * Everything else is as in #FrGListModel.
 *
 * Since: 0.1
 */
FRG_API G_DECLARE_FINAL_TYPE(FrGSectionList, frg_section_list, FRG, SECTION_LIST, FrGLiveModel)

/**
 * frg_section_list_new: (skip)
 * @controller: a list of any kind; the caller still owns it, and may free it first
 *
 * Makes a model of all sections, also empty ones: one for a flat list, none before the first fetch.
 *
 * Returns: (transfer full): the model.
 *
 * Since: 0.1
 */
FRG_API FrGSectionList *frg_section_list_new(fr_list *controller);

/**
 * frg_section_list_new_for_request: (rename-to frg_section_list_new)
 * @store: an open store
 * @request: the rows, their order and their sections
 * @error: return location for a #GError
 *
 * Makes a model of all sections, and reads it.
 *
 * Returns: (transfer full) (nullable): the model; %NULL on failure.
 *
 * Since: 0.1
 */
FRG_API FrGSectionList *frg_section_list_new_for_request(FrGStore *store, FrGRequest *request, GError **error);

/**
 * frg_section_list_new_for_map:
 * @store: an open store
 * @request: the rows and their order, without sections
 * @section_request: the rows that are the sections, in their order
 * @item_key: the key path from a row to the key of its section, for example a foreign key
 * @error: return location for a #GError
 *
 * Makes a model of a section map, whose sections are rows of their own and exist with or without
 * rows in them: each #FrGListModel has the row of its section as #FrGListModel:section-item.
 *
 * Returns: (transfer full) (nullable): the model; %NULL on failure.
 *
 * Since: 0.1
 */
FRG_API FrGSectionList *frg_section_list_new_for_map(FrGStore *store, FrGRequest *request, FrGRequest *section_request,
                                                     const char *item_key, GError **error);

/**
 * frg_section_list_find:
 * @item: a row
 *
 * Finds the section that has a row, for example for the header of a GtkListView. While the models
 * announce a change, it is the section that has the row afterwards.
 *
 * Returns: (transfer full) (nullable): the model of the section; %NULL if no section has the row.
 *
 * Since: 0.1
 */
FRG_API FrGListModel *frg_section_list_find(FrGSectionList *list, FrGItem *item);

/**
 * frg_section_list_reload: (skip)
 *
 * Replaces all sections by new ones, with one signal. Call it after fr_list_perform_fetch(), which
 * makes no callbacks.
 *
 * Since: 0.1
 */
FRG_API void frg_section_list_reload(FrGSectionList *list);

G_END_DECLS

#endif
