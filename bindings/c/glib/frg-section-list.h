/*
 * FrGSectionList: the sections of a controller as a GListModel, whose items are FrGListModel: the rows of each.
 *
 * So it can be the root of a GtkTreeListModel, whose function returns the item itself for a section and NULL for a row;
 * or the model of a GtkFlattenListModel, which since GTK 4.12 is a GtkSectionModel and gives a GtkListView its headers.
 *
 * The model of a section follows it wherever it goes, and is one and the same as long as somebody holds it: a section
 * that moves is taken out and put in again, with no signal of its rows. A section that is updated only notifies of its
 * name or row. When the section is deleted its model becomes empty for good. For one change the models tell first which
 * rows move away, then the list tells of its sections, then the models of the rest: no row is ever in two of them. At a
 * reload the list tells by one signal of new models for all sections, and the old ones become empty for good.
 *
 * For the rest, what frg-list-model.h says holds here, too.
 */
#ifndef FRG_SECTION_LIST_H
#define FRG_SECTION_LIST_H

#include "frg-list-model.h"

G_BEGIN_DECLS

#define FRG_TYPE_SECTION_LIST (frg_section_list_get_type())
G_DECLARE_FINAL_TYPE(FrGSectionList, frg_section_list, FRG, SECTION_LIST, FrGLiveModel)

/* All sections that the controller shows, also empty ones; one for a flat list, none before the first fetch. */
FrGSectionList *frg_section_list_new(fr_list *controller);

/*
 * Replaces all sections by new ones, with one signal. To be called after fr_list_perform_fetch, which the
 * controller tells nobody of.
 */
void frg_section_list_reload(FrGSectionList *list);

G_END_DECLS

#endif
