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
    /*
     * Whether the items are rows, whose values change. A move within a short range is then
     * announced as that range. Sections that stay where they are have to stay in GTK's trees.
     */
    gboolean has_rows;
    /* The number of the section that the model shows; -1 for all of them. */
    gint64 (*section)(FrGLiveModel *model);
    /* The number of places. */
    guint (*count_items)(FrGLiveModel *model);
    /* The type of the items, as far as it is known. */
    GType (*item_type)(FrGLiveModel *model);
    /*
     * A new reference to the item at a place. known: the one that somebody references, or NULL.
     * is_sure: to be set to FALSE if the item has to be read again at the next call.
     */
    gpointer (*read_item)(FrGLiveModel *model, guint place, gpointer known, gboolean *is_sure);
    /* The same for a position that an item leaves which nobody references. */
    gpointer (*read_leaving)(FrGLiveModel *model, fr_change_set *changes, const frg_leaver *leaver);
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
 * The beginning returns FALSE if the model has not announced the list that the change starts from.
 * Then frg_live_model_report_rest replaces all.
 */
gboolean frg_live_model_begin(FrGLiveModel *model, fr_change_set *changes, frg_transition *transition);
void frg_live_model_report_first(FrGLiveModel *model);
void frg_live_model_report_rest(FrGLiveModel *model);
void frg_live_model_end(FrGLiveModel *model);

/*
 * Passes the items that leave a model to `find`, which returns the model and the place where its
 * row is now, or NULL. To be called after all beginnings.
 */
typedef FrGLiveModel *(*frg_find_row)(gpointer user_data, gsize record, guint *place);
void frg_live_model_hand_over(FrGLiveModel *model, frg_find_row find, gpointer user_data);

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

/* Uses an item of the same row as the one at a place, unless there is one already. */
void frg_live_model_adopt(FrGLiveModel *model, guint place, gpointer item);

/* Notes the items at `count` places that somebody references to be read again. */
void frg_live_model_refresh(FrGLiveModel *model, guint place, guint count);

/*
 * Reads these items, which emit their signals. Before what happens to their places is announced, as
 * GTK's own models do it: an item changes, and then is sorted.
 */
void frg_live_model_read_changed(FrGLiveModel *model);

/* A new reference to the item at a place. */
gpointer frg_live_model_item_at(FrGLiveModel *model, guint place);

/* The model that announces changes to this one, and emits "delivered": its owner, or itself. */
FrGLiveModel *frg_live_model_get_announcer(FrGLiveModel *model);

/* Whether "delivered" follows. */
gboolean frg_live_model_is_delivering(FrGLiveModel *model);

/* What is delivered, for handlers of "delivered"; NULL if everything may have changed. */
fr_change_set *frg_live_model_get_delivered(FrGLiveModel *model);

/* Replaces everything since the list was fetched again. */
void frg_live_model_reload(FrGLiveModel *model);

/* Whether a change is being announced, so that nothing else can be. */
gboolean frg_live_model_is_reporting(FrGLiveModel *model);

/* The place of an item that somebody references; FRG_NOWHERE if it has none any more. */
guint frg_live_model_place_of(FrGLiveModel *model, gpointer item);

#endif
