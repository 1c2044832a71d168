/*
 * FrGSectionList: the sections of a controller as a GListModel, whose items are FrGListModel: the
 * rows of each.
 *
 * It can be the root of a GtkTreeListModel, whose function returns the item itself for a section
 * and NULL for a row; or the model of a GtkFlattenListModel, which since GTK 4.12 is a
 * GtkSectionModel and provides the headers of a GtkListView.
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
 * Everything else is as in frg-list-model.h.
 */
#ifndef FRG_SECTION_LIST_H
#define FRG_SECTION_LIST_H

#include "frg-list-model.h"

G_BEGIN_DECLS

#define FRG_TYPE_SECTION_LIST (frg_section_list_get_type())
G_DECLARE_FINAL_TYPE(FrGSectionList, frg_section_list, FRG, SECTION_LIST, FrGLiveModel)

/*
 * Makes a model of all sections of the controller, also empty ones: one for a flat list, none
 * before the first fetch.
 */
FrGSectionList *frg_section_list_new(fr_list *controller);

/*
 * Replaces all sections by new ones, with one signal. Call it after fr_list_perform_fetch, which
 * makes no callbacks.
 */
void frg_section_list_reload(FrGSectionList *list);

G_END_DECLS

#endif
