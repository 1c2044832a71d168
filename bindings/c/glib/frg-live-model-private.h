/* The base of FrGListModel and FrGSectionList. Private to the models. */
#ifndef FRG_LIVE_MODEL_PRIVATE_H
#define FRG_LIVE_MODEL_PRIVATE_H

#include "frg-changed-rows.h"
#include "frg-live-model.h"

/*
 * What a type of models implements. A place is a position in what the controller shows now; a
 * position, one in what the model has announced so far.
 */
struct frg_live_model_methods {
    /* The number of places. */
    guint (*count_items)(FrGLiveModel *model);
    /*
     * A new reference to the item at a place. known: a referenced item that may be it, or NULL.
     * is_sure: to be set to FALSE if the item may be another one at the next call.
     */
    gpointer (*read_item)(FrGLiveModel *model, guint place, gpointer known, gboolean *is_sure);
    /* The same for a position that an item leaves which nobody references. */
    gpointer (*read_leaving)(FrGLiveModel *model, fr_change_set *changes, const frg_leaving *leaving);
    /* Announces a change set with records. */
    void (*report)(FrGLiveModel *model, fr_change_set *changes, frg_changed_rows *rows);
    /* Announces a whole new list. */
    void (*replace)(FrGLiveModel *model);
    /*
     * Reads what could not be read, and announces it. Returns whether something still can't be
     * read.
     * is_probe: only returns whether something can be read now.
     */
    gboolean (*retry)(FrGLiveModel *model, gboolean is_probe);
    /* The list of a model's own, which is not fetched yet; NULL and the error on failure. */
    fr_list *(*make_list)(FrGLiveModel *model, fr_store *store, fr_request *request, GError **error);
};

#define FRG_LIVE_MODEL_METHODS(model) (FRG_LIVE_MODEL_GET_CLASS(model)->methods)

/*
 * Begins to observe a controller, which may end before the model. FALSE if there is no such
 * controller.
 */
gboolean frg_live_model_observe(FrGLiveModel *model, fr_list *controller);

/*
 * Begins to show a part of what `owner` shows. It references `owner`, which announces changes to
 * the model.
 */
void frg_live_model_join(FrGLiveModel *model, FrGLiveModel *owner);

/*
 * Ends either: the next replacement leaves the model empty permanently. Until then it has only
 * referenced items.
 */
void frg_live_model_cut_off(FrGLiveModel *model);

/* NULL if there is none, or none any more. */
fr_list *frg_live_model_get_controller(FrGLiveModel *model);

/*
 * A change is announced in two rounds, between a beginning and an end; in between the model shows
 * the state that it has announced so far.
 *
 * transition: taken over; NULL for none. changes: borrowed until the end.
 *
 * The beginning returns FALSE if the model has not announced the list that the change starts from,
 * or if announcing the change would take more signals than its threshold for a reload. Then
 * frg_live_model_report_rest replaces all.
 */
gboolean frg_live_model_begin(FrGLiveModel *model, fr_change_set *changes, frg_transition *transition);
void frg_live_model_report_first(FrGLiveModel *model);
void frg_live_model_report_rest(FrGLiveModel *model);
void frg_live_model_end(FrGLiveModel *model);

/* Replaces everything, as the subclass implements it. */
void frg_live_model_replace(FrGLiveModel *model);

/*
 * Its two halves: the first removes all items and shows what the controller shows, the second
 * announces that.
 */
guint frg_live_model_start_reload(FrGLiveModel *model);
void frg_live_model_report_reload(FrGLiveModel *model, guint removed);

/* All items that somebody references, in their order. */
GPtrArray *frg_live_model_dup_held(FrGLiveModel *model);

/* The item at a place, if somebody references it; borrowed. */
gpointer frg_live_model_peek(FrGLiveModel *model, guint place);

/* Uses a referenced item as the one at a place if it looks like it, unless there is one already. */
void frg_live_model_suggest(FrGLiveModel *model, guint place, gpointer item);

/* A new reference to the item at a place. */
gpointer frg_live_model_item_at(FrGLiveModel *model, guint place);

/* Whether a change is being announced, so that nothing else can be. */
gboolean frg_live_model_is_reporting(FrGLiveModel *model);

/* The place of an item that somebody references; FRG_NOWHERE if it has none any more. */
guint frg_live_model_place_of(FrGLiveModel *model, gpointer item);

/* Announces one item that has changed. is_new: removes the item that somebody references. */
void frg_live_model_report_item(FrGLiveModel *model, guint place, gboolean is_new);

#endif
