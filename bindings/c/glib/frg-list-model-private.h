/* What an FrGSectionList needs of the models of its sections. Private to the two. */
#ifndef FRG_LIST_MODEL_PRIVATE_H
#define FRG_LIST_MODEL_PRIVATE_H

#include "frg-list-model.h"
#include "frg-live-model-private.h"

/* The section of a model whose section was deleted. */
#define FRG_NO_SECTION (-2)

/*
 * The rows of a section. owner: the list of sections, which announces changes to the model; NULL
 * with FRG_NO_SECTION.
 * object: the row of the section, taken over; NULL if there is none.
 */
FrGListModel *frg_list_model_new_for_section(FrGLiveModel *owner, gint64 section, const char *name, fr_object *object);

gint64 frg_list_model_get_section(FrGListModel *model);

/*
 * Where the row of an object is now; -1 if it is not in the model. In an FrGSectionList, the number
 * over all sections.
 */
int64_t frg_list_model_place_of(FrGLiveModel *model, fr_object *object);

/* To be called between the beginning and the end of a change: the section's number after it. */
void frg_list_model_set_section(FrGListModel *model, gint64 section);

/* The row of the section can't be read now: the model tries again. */
void frg_list_model_expect_section_item(FrGListModel *model);

/* Describes the section itself. object: taken over. */
void frg_list_model_describe_section(FrGListModel *model, const char *name, fr_object *object);

#endif
