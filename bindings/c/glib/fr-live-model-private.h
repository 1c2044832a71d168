/* What FrListModel and FrSectionList build on. Private to the models. */
#ifndef FR_LIVE_MODEL_PRIVATE_H
#define FR_LIVE_MODEL_PRIVATE_H

#include "fr-changed-rows.h"
#include "fr-live-model.h"

/* Begins to observe a controller, which may end before the model. FALSE if there is no such controller. */
gboolean fr_live_model_observe(FrLiveModel *model, fr_controller *controller);

/* Begins to show a part of what `owner` shows, which is held, and tells the model of changes. */
void fr_live_model_join(FrLiveModel *model, FrLiveModel *owner);

/* Ends either: when all is replaced next, the model is empty for good. Until then it knows only items that are held. */
void fr_live_model_cut_off(FrLiveModel *model);

/* NULL if there is none, or none any more. */
fr_controller *fr_live_model_get_controller(FrLiveModel *model);

/*
 * A change is told in two rounds, between a beginning and an end; in between the model answers as it has told so far.
 *
 * transition: taken over; NULL for none. changes: borrowed until the end.
 *
 * The beginning answers FALSE if the model has not told of the list that the change starts from. Then
 * fr_live_model_tell_rest replaces all.
 */
gboolean fr_live_model_begin(FrLiveModel *model, fr_change_set *changes, fr_transition *transition);
void fr_live_model_tell_first(FrLiveModel *model);
void fr_live_model_tell_rest(FrLiveModel *model);
void fr_live_model_end(FrLiveModel *model);

/* Replaces everything, as the subclass does it. */
void fr_live_model_replace(FrLiveModel *model);

/* Two halves of it: forgets all items, and shows what the controller does, of which the second half tells. */
guint fr_live_model_start_anew(FrLiveModel *model);
void fr_live_model_tell_anew(FrLiveModel *model, guint removed);

/* All items that somebody holds, in their order. */
GPtrArray *fr_live_model_dup_held(FrLiveModel *model);

/* The item at a place, if somebody holds it; borrowed. */
gpointer fr_live_model_peek(FrLiveModel *model, guint place);

/* Lets an item that somebody holds be the one at a place if it looks like it, unless there is one already. */
void fr_live_model_suggest(FrLiveModel *model, guint place, gpointer item);

/* A new reference to the item at a place. */
gpointer fr_live_model_item_at(FrLiveModel *model, guint place);

/* Whether a change is being told, so that nothing else can be. */
gboolean fr_live_model_is_telling(FrLiveModel *model);

/* The place of an item that somebody holds; FR_NOWHERE if it has none any more. */
guint fr_live_model_place_of(FrLiveModel *model, gpointer item);

/* Tells of one item that has changed. is_new: forgets the item that somebody holds. */
void fr_live_model_tell_item(FrLiveModel *model, guint place, gboolean is_new);

#endif
