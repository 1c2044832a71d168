/* What an FrGSectionList knows of the models of its sections. Private to the two. */
#ifndef FRG_LIST_MODEL_PRIVATE_H
#define FRG_LIST_MODEL_PRIVATE_H

#include "frg-list-model.h"
#include "frg-live-model-private.h"

/* The section of a model whose section is no more. */
#define FRG_NO_SECTION (-2)

/*
 * The rows of a section. owner: the list of sections that tells the model of changes; NULL with FRG_NO_SECTION.
 * object: the row of the section, taken over; NULL if it is none.
 */
FrGListModel *frg_list_model_new_for_section(FrGLiveModel *owner, gint64 section, const char *name, fr_object *object);

gint64 frg_list_model_get_section(FrGListModel *model);

/* To be called between the beginning and the end of a change: the section's number after it. */
void frg_list_model_set_section(FrGListModel *model, gint64 section);

/* The row of the section can't be read now: the model tries again. */
void frg_list_model_expect_section_item(FrGListModel *model);

/* What is known of the section itself. object: taken over. */
void frg_list_model_describe_section(FrGListModel *model, const char *name, fr_object *object);

#endif
