/* How a model announces what its controller reports. */
#include "frg-held.h"
#include "frg-live-fields.h"
#include "frg-store-error-private.h"

gboolean frg_live_model_is_waiting(FrGLiveModel *model)
{
    FrGLiveModel *owner = frg_live_model_private(model)->owner;
    return frg_live_model_private(owner != NULL ? owner : model)->is_waiting;
}

gboolean frg_live_model_is_reporting(FrGLiveModel *model)
{
    FrGLiveModelPrivate *priv = frg_live_model_private(model);
    return frg_live_model_is_waiting(model) || priv->is_stale || priv->transition != NULL
           || (priv->owner != NULL && frg_live_model_is_reporting(priv->owner));
}

/* Announcing. */

void frg_live_model_announce(FrGLiveModel *model, guint position, guint removed, guint added)
{
    g_list_model_items_changed(G_LIST_MODEL(model), position, removed, added);
    if (removed != added) {
        g_object_notify(G_OBJECT(model), "n-items");
    }
}

/*
 * Up to this length a range is one signal. GTK finds the selected item, and the widgets that it has
 * for items, among those that a signal adds. For that it may get all of them.
 */
#define MOST_AT_ONCE FRG_MOVE_RANGE

/* The two halves of a range that is too long for that. */
static void remove_range(FrGLiveModel *model, guint position, guint removed, guint added)
{
    FrGLiveModelPrivate *priv = frg_live_model_private(model);
    priv->n_items -= removed;
    priv->hidden_from = position;
    priv->hidden_count = added;
    if (removed > 0) {
        frg_live_model_announce(model, position, removed, 0);
    }
}

static void add_range(FrGLiveModel *model)
{
    FrGLiveModelPrivate *priv = frg_live_model_private(model);
    guint added = priv->hidden_count;
    /* A handler of the first half may have reloaded the model. */
    if (added > 0) {
        priv->hidden_count = 0;
        priv->n_items += added;
        frg_live_model_announce(model, priv->hidden_from, 0, added);
    }
}

static void announce_range(FrGLiveModel *model, guint position, guint removed, guint added)
{
    if (MAX(removed, added) <= MOST_AT_ONCE) {
        frg_live_model_private(model)->n_items += added - removed;
        frg_live_model_announce(model, position, removed, added);
    } else {
        remove_range(model, position, removed, added);
        add_range(model);
    }
}

/* Rows that move to another list leave in the first round. */
static void announce_transition(FrGLiveModel *model, gboolean is_first)
{
    FrGLiveModelPrivate *priv = frg_live_model_private(model);
    const frg_transition *transition = priv->transition;
    guint before = priv->n_items, after = FRG_LIVE_MODEL_METHODS(model)->count_items(model);
    guint position = transition->position;
    guint tail = MIN(before - transition->end_before, after - transition->end_after);
    if (transition->has_leavers && !is_first) {
        add_range(model);
    } else if (transition->has_leavers) {
        frg_transition_finish(priv->transition);
        remove_range(model, position, before - tail - position, after - tail - position);
    } else if (!is_first) {
        frg_transition_finish(priv->transition);
        announce_range(model, position, before - tail - position, after - tail - position);
    }
}

/*
 * Whether a change is announced as a range: if it takes more signals than the model emits, and if
 * items move within a short range, so that GTK finds them there.
 */
static gboolean is_range(FrGLiveModel *model, const frg_transition *transition)
{
    int threshold = frg_live_model_get_reload_threshold(model);
    guint length = MAX(transition->end_before, transition->end_after) - transition->position;
    gboolean moves = transition->has_moves && !transition->has_leavers;
    return (FRG_LIVE_MODEL_METHODS(model)->has_rows && moves && length <= frg_live_model_get_move_range(model))
           || (threshold >= 0 && frg_transition_is_longer(transition, (guint)threshold));
}

static void refresh_arrival(gpointer leaver, gpointer model)
{
    const frg_leaver *one = leaver;
    if (one->item != NULL && one->target != FRG_NOWHERE) {
        frg_live_model_refresh(model, one->target, 1);
    }
}

gboolean frg_live_model_begin(FrGLiveModel *model, fr_change_set *changes, frg_transition *transition)
{
    FrGLiveModelPrivate *priv = frg_live_model_private(model);
    gsize left, come;
    if (transition == NULL) {
        return !priv->is_stale;
    }
    left = (gsize)frg_count_items(transition->first.leaving) + frg_count_items(transition->rest.leaving);
    come = frg_count_items(transition->rest.coming);
    priv->is_stale |= priv->n_items + come != FRG_LIVE_MODEL_METHODS(model)->count_items(model) + left;
    if (priv->is_stale) {
        frg_transition_free(transition);
        return FALSE;
    }
    priv->changes = changes;
    priv->transition = transition;
    priv->is_range = is_range(model, transition);
    frg_held_follow(priv->held, transition);
    if (FRG_LIVE_MODEL_METHODS(model)->has_rows) {
        g_sequence_foreach(transition->leavers, refresh_arrival, model);
    }
    return TRUE;
}

void frg_live_model_hand_over(FrGLiveModel *model, frg_find_row find, gpointer user_data)
{
    const frg_transition *transition = frg_live_model_private(model)->transition;
    GSequenceIter *iterator = transition != NULL ? g_sequence_get_begin_iter(transition->leavers) : NULL;
    for (; iterator != NULL && !g_sequence_iter_is_end(iterator); iterator = g_sequence_iter_next(iterator)) {
        const frg_leaver *one = g_sequence_get(iterator);
        guint place = FRG_NOWHERE;
        FrGLiveModel *target = NULL;
        if (one->item != NULL && one->target == FRG_NOWHERE && one->record != FRG_NO_RECORD) {
            target = find(user_data, one->record, &place);
        }
        if (target != NULL) {
            frg_live_model_adopt(target, place, one->item);
        }
    }
}

/* A handler may end this early: by reloading the model. */
static void report(FrGLiveModel *model, gboolean is_first)
{
    FrGLiveModelPrivate *priv = frg_live_model_private(model);
    guint position, removed, added;
    if (priv->transition != NULL && priv->is_range) {
        announce_transition(model, is_first);
        return;
    }
    while (priv->transition != NULL
           && frg_splice_next(is_first ? &priv->transition->first : &priv->transition->rest, &position, &removed,
                              &added)) {
        priv->n_items += added - removed;
        frg_live_model_announce(model, position, removed, added);
    }
}

void frg_live_model_report_first(FrGLiveModel *model)
{
    report(model, TRUE);
}

void frg_live_model_report_rest(FrGLiveModel *model)
{
    if (frg_live_model_private(model)->is_stale) {
        frg_live_model_replace(model);
    } else {
        report(model, FALSE);
    }
}

void frg_live_model_end(FrGLiveModel *model)
{
    frg_live_model_private(model)->changes = NULL;
    g_clear_pointer(&frg_live_model_private(model)->transition, frg_transition_free);
}

void frg_live_model_replace(FrGLiveModel *model)
{
    FRG_LIVE_MODEL_METHODS(model)->replace(model);
}

guint frg_live_model_start_reload(FrGLiveModel *model)
{
    FrGLiveModelPrivate *priv = frg_live_model_private(model);
    guint removed = priv->n_items;
    frg_live_model_end(model);
    frg_live_model_forget_changed(model);
    priv->hidden_count = 0;
    frg_held_clear(priv->held);
    priv->is_stale = frg_live_model_is_waiting(model);
    priv->n_items = FRG_LIVE_MODEL_METHODS(model)->count_items(model);
    return removed;
}

void frg_live_model_report_reload(FrGLiveModel *model, guint removed)
{
    guint added = frg_live_model_private(model)->n_items;
    if (removed > 0 || added > 0) {
        frg_live_model_private(model)->n_items = removed;
        announce_range(model, 0, removed, added);
    }
}

/* Deliveries. */

FrGLiveModel *frg_live_model_get_announcer(FrGLiveModel *model)
{
    FrGLiveModel *owner = frg_live_model_private(model)->owner;
    return owner != NULL ? owner : model;
}

gboolean frg_live_model_is_delivering(FrGLiveModel *model)
{
    FrGLiveModelPrivate *priv = frg_live_model_private(frg_live_model_get_announcer(model));
    return priv->is_waiting || priv->delivering > 0;
}

fr_change_set *frg_live_model_get_delivered(FrGLiveModel *model)
{
    return frg_live_model_private(model)->delivered;
}

void frg_live_model_begin_delivery(FrGLiveModel *model)
{
    frg_live_model_private(model)->delivering++;
}

void frg_live_model_end_delivery(FrGLiveModel *model, fr_change_set *delivered)
{
    FrGLiveModelPrivate *priv = frg_live_model_private(model);
    frg_live_model_refresh_totals(model);
    priv->delivering--;
    priv->delivered = delivered;
    g_signal_emit_by_name(model, "delivered");
    priv->delivered = NULL;
}

void frg_live_model_reload(FrGLiveModel *model)
{
    g_object_ref(model);
    frg_live_model_begin_delivery(model);
    frg_live_model_replace(model);
    frg_live_model_end_delivery(model, NULL);
    g_object_unref(model);
}

/* Observing: the controller has a weak reference, so that either may end before the other. */

static void will_change(fr_list *controller, void *reference)
{
    FrGLiveModel *model = g_weak_ref_get(reference);
    (void)controller;
    if (model != NULL) {
        frg_live_model_private(model)->is_waiting = TRUE;
        g_object_unref(model);
    }
}

static void changed(fr_list *controller, fr_change_set *changes, void *reference)
{
    FrGLiveModel *model = g_weak_ref_get(reference);
    bool is_reload = false;
    if (model == NULL) {
        return;
    }
    frg_live_model_private(model)->is_waiting = FALSE;
    frg_live_model_begin_delivery(model);
    fr_change_set_is_reload(&is_reload, changes);
    if (is_reload) {
        frg_live_model_replace(model);
    } else {
        frg_changed_rows *rows = frg_changed_rows_new(controller, changes);
        FRG_LIVE_MODEL_METHODS(model)->report(model, changes, rows);
        frg_changed_rows_free(rows);
    }
    frg_live_model_end_delivery(model, is_reload ? NULL : changes);
    g_object_unref(model);
}

static void failed(fr_list *controller, const fr_error *reported, void *reference)
{
    FrGLiveModel *model = g_weak_ref_get(reference);
    (void)controller;
    if (model != NULL) {
        GError *error = frg_error_of(reported);
        g_signal_emit_by_name(model, "failed", error);
        g_error_free(error);
        g_object_unref(model);
    }
}

static void ended(void *reference)
{
    FrGLiveModel *model = g_weak_ref_get(reference);
    if (model != NULL) {
        frg_live_model_cut_off(model);
        frg_live_model_reload(model);
        g_object_unref(model);
    }
    g_weak_ref_clear(reference);
    g_free(reference);
}

gboolean frg_live_model_observe(FrGLiveModel *model, fr_list *controller)
{
    const fr_observer observer = {
        .struct_size = sizeof observer, .will_change = will_change, .did_deliver = changed, .did_fail = failed};
    FrGLiveModelPrivate *priv = frg_live_model_private(model);
    GWeakRef *reference = g_new(GWeakRef, 1);
    g_weak_ref_init(reference, model);
    if (fr_list_add_observer(&priv->observer, controller, &observer, reference, ended) != FR_OK) {
        return FALSE;
    }
    priv->controller = controller;
    priv->n_items = FRG_LIVE_MODEL_METHODS(model)->count_items(model);
    return TRUE;
}

void frg_live_model_join(FrGLiveModel *model, FrGLiveModel *owner)
{
    FrGLiveModelPrivate *priv = frg_live_model_private(model);
    priv->owner = g_object_ref(owner);
    priv->controller = frg_live_model_private(owner)->controller;
    priv->n_items = FRG_LIVE_MODEL_METHODS(model)->count_items(model);
}

void frg_live_model_cut_off(FrGLiveModel *model)
{
    frg_live_model_private(model)->controller = NULL;
    g_clear_object(&frg_live_model_private(model)->owner);
}
