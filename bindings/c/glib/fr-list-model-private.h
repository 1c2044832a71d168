/* What an FrSectionList knows of the models of its sections. Private to the two. */
#ifndef FR_LIST_MODEL_PRIVATE_H
#define FR_LIST_MODEL_PRIVATE_H

#include "fr-list-model.h"
#include "fr-live-model-private.h"

/* The section of a model whose section is no more. */
#define FR_NO_SECTION (-2)

/*
 * The rows of a section. owner: the list of sections that tells the model of changes; NULL with FR_NO_SECTION.
 * object: the row of the section, taken over; NULL if it is none.
 */
FrListModel *fr_list_model_new_for_section(FrLiveModel *owner, gint64 section, const char *name, fr_object *object);

gint64 fr_list_model_get_section(FrListModel *model);

/* To be called between the beginning and the end of a change: the section's number after it. */
void fr_list_model_set_section(FrListModel *model, gint64 section);

/* The row of the section can't be read now: the model tries again. */
void fr_list_model_expect_section_item(FrListModel *model);

/* What is known of the section itself. object: taken over. */
void fr_list_model_describe_section(FrListModel *model, const char *name, fr_object *object);

#endif
