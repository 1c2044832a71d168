#include "frg-live-model-private.h"

#include "frg-held.h"
#include "frg-unread.h"

typedef struct FrGLiveModelPrivate {
    fr_list *controller; /* NULL if there is none, or none any more */
    uint64_t observer;
    FrGLiveModel *owner;       /* of a model that observes nothing itself; held */
    GSequence *held;           /* as in frg-held.h */
    guint n_items;             /* as announced so far */

    /* While a change is announced. */
    fr_change_set *changes;
    frg_transition *transition;

    /*
     * From will_change until the change set the places are undefined; whoever reads then gets a new
     * list announced.
     */
    gboolean is_waiting;
    gboolean is_stale;
} FrGLiveModelPrivate;

static void frg_live_model_implement(GListModelInterface *interface);

G_DEFINE_ABSTRACT_TYPE_WITH_CODE(FrGLiveModel, frg_live_model, G_TYPE_OBJECT,
                                 G_ADD_PRIVATE(FrGLiveModel)
                                     G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, frg_live_model_implement))

static FrGLiveModelPrivate *private_of(FrGLiveModel *model)
{
    return frg_live_model_get_instance_private(model);
}

fr_list *frg_live_model_get_controller(FrGLiveModel *model)
{
    return private_of(model)->controller;
}

/* The places are undefined: see is_waiting. */
static gboolean is_waiting(FrGLiveModel *model)
{
    FrGLiveModel *owner = private_of(model)->owner;
    return private_of(owner != NULL ? owner : model)->is_waiting;
}

/* Items. */

GPtrArray *frg_live_model_dup_held(FrGLiveModel *model)
{
    return frg_held_dup(private_of(model)->held);
}

gpointer frg_live_model_peek(FrGLiveModel *model, guint place)
{
    return frg_held_find(private_of(model)->held, place, NULL);
}

void frg_live_model_suggest(FrGLiveModel *model, guint place, gpointer item)
{
    if (frg_live_model_peek(model, place) == NULL) {
        frg_held_put(private_of(model)->held, place, item, FALSE);
    }
}

gpointer frg_live_model_item_at(FrGLiveModel *model, guint place)
{
    FrGLiveModelPrivate *priv = private_of(model);
    gboolean is_sure = FALSE;
    gpointer known = frg_held_find(priv->held, place, &is_sure), item;
    if (is_sure) {
        return g_object_ref(known);
    }
    priv->is_stale |= is_waiting(model);
    is_sure = TRUE;
    item = FRG_LIVE_MODEL_GET_CLASS(model)->read_item(model, place, known, &is_sure);
    frg_held_put(priv->held, place, item, is_sure);
    return item;
}

gboolean frg_live_model_is_reporting(FrGLiveModel *model)
{
    FrGLiveModelPrivate *priv = private_of(model);
    return is_waiting(model) || priv->is_stale || priv->transition != NULL
           || (priv->owner != NULL && frg_live_model_is_reporting(priv->owner));
}

guint frg_live_model_place_of(FrGLiveModel *model, gpointer item)
{
    return frg_held_place(private_of(model)->held, item);
}

void frg_live_model_report_item(FrGLiveModel *model, guint place, gboolean is_new)
{
    if (is_new) {
        frg_held_remove(private_of(model)->held, place);
    }
    if (place < private_of(model)->n_items) {
        g_list_model_items_changed(G_LIST_MODEL(model), place, 1, 1);
    }
}

static gpointer frg_live_model_get_item(GListModel *list, guint position)
{
    FrGLiveModel *model = FRG_LIVE_MODEL(list);
    FrGLiveModelPrivate *priv = private_of(model);
    frg_leaving *leaving = NULL;
    if (position >= priv->n_items) {
        return NULL;
    }
    if (priv->transition != NULL) {
        leaving = frg_transition_find(priv->transition, position, &position);
    }
    if (leaving == NULL) {
        return frg_live_model_item_at(model, position);
    }
    if (leaving->item == NULL) {
        leaving->item = FRG_LIVE_MODEL_GET_CLASS(model)->read_leaving(model, priv->changes, leaving);
    }
    return g_object_ref(leaving->item);
}

static guint frg_live_model_get_n_items(GListModel *list)
{
    return private_of(FRG_LIVE_MODEL(list))->n_items;
}

static GType frg_live_model_get_item_type(GListModel *list)
{
    return FRG_LIVE_MODEL_GET_CLASS(list)->item_type;
}

/* Announcing. */

gboolean frg_live_model_begin(FrGLiveModel *model, fr_change_set *changes, frg_transition *transition)
{
    FrGLiveModelPrivate *priv = private_of(model);
    gsize left, come;
    if (transition == NULL) {
        return !priv->is_stale;
    }
    left = (gsize)transition->first.leaving->len + transition->rest.leaving->len;
    come = transition->rest.coming->len;
    priv->is_stale |= priv->n_items + come != FRG_LIVE_MODEL_GET_CLASS(model)->count_items(model) + left;
    if (priv->is_stale) {
        frg_transition_free(transition);
        return FALSE;
    }
    priv->changes = changes;
    priv->transition = transition;
    frg_held_follow(priv->held, transition);
    return TRUE;
}

/* A handler may end this early: by reloading the model. */
static void report(FrGLiveModel *model, gboolean is_first)
{
    FrGLiveModelPrivate *priv = private_of(model);
    guint position, removed, added;
    while (priv->transition != NULL
           && frg_splice_next(is_first ? &priv->transition->first : &priv->transition->rest, &position, &removed,
                              &added)) {
        priv->n_items += added - removed;
        g_list_model_items_changed(G_LIST_MODEL(model), position, removed, added);
    }
}

void frg_live_model_report_first(FrGLiveModel *model)
{
    report(model, TRUE);
}

void frg_live_model_report_rest(FrGLiveModel *model)
{
    if (private_of(model)->is_stale) {
        frg_live_model_replace(model);
    } else {
        report(model, FALSE);
    }
}

void frg_live_model_end(FrGLiveModel *model)
{
    private_of(model)->changes = NULL;
    g_clear_pointer(&private_of(model)->transition, frg_transition_free);
}

void frg_live_model_replace(FrGLiveModel *model)
{
    FRG_LIVE_MODEL_GET_CLASS(model)->replace(model);
}

guint frg_live_model_start_reload(FrGLiveModel *model)
{
    FrGLiveModelPrivate *priv = private_of(model);
    guint removed = priv->n_items;
    frg_live_model_end(model);
    frg_held_clear(priv->held);
    priv->is_stale = is_waiting(model);
    priv->n_items = FRG_LIVE_MODEL_GET_CLASS(model)->count_items(model);
    return removed;
}

void frg_live_model_report_reload(FrGLiveModel *model, guint removed)
{
    guint added = private_of(model)->n_items;
    if (removed > 0 || added > 0) {
        g_list_model_items_changed(G_LIST_MODEL(model), 0, removed, added);
    }
}

/* Observing: the controller has a weak reference, so that either may end before the other. */

static void will_change(fr_list *controller, void *reference)
{
    FrGLiveModel *model = g_weak_ref_get(reference);
    (void)controller;
    if (model != NULL) {
        private_of(model)->is_waiting = TRUE;
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
    private_of(model)->is_waiting = FALSE;
    fr_change_set_is_reload(&is_reload, changes);
    if (is_reload) {
        frg_live_model_replace(model);
    } else {
        frg_changed_rows *rows = frg_changed_rows_new(controller, changes);
        FRG_LIVE_MODEL_GET_CLASS(model)->report(model, changes, rows);
        frg_changed_rows_free(rows);
    }
    g_object_unref(model);
}

static void ended(void *reference)
{
    FrGLiveModel *model = g_weak_ref_get(reference);
    if (model != NULL) {
        frg_live_model_cut_off(model);
        frg_live_model_replace(model);
        g_object_unref(model);
    }
    g_weak_ref_clear(reference);
    g_free(reference);
}

gboolean frg_live_model_observe(FrGLiveModel *model, fr_list *controller)
{
    const fr_observer observer = {.struct_size = sizeof observer, .will_change = will_change, .did_deliver = changed};
    FrGLiveModelPrivate *priv = private_of(model);
    GWeakRef *reference = g_new(GWeakRef, 1);
    g_weak_ref_init(reference, model);
    if (fr_list_add_observer(&priv->observer, controller, &observer, reference, ended) != FR_OK) {
        return FALSE;
    }
    priv->controller = controller;
    priv->n_items = FRG_LIVE_MODEL_GET_CLASS(model)->count_items(model);
    return TRUE;
}

void frg_live_model_join(FrGLiveModel *model, FrGLiveModel *owner)
{
    FrGLiveModelPrivate *priv = private_of(model);
    priv->owner = g_object_ref(owner);
    priv->controller = private_of(owner)->controller;
    priv->n_items = FRG_LIVE_MODEL_GET_CLASS(model)->count_items(model);
}

void frg_live_model_cut_off(FrGLiveModel *model)
{
    private_of(model)->controller = NULL;
    g_clear_object(&private_of(model)->owner);
}

/* Life. */

static void frg_live_model_dispose(GObject *object)
{
    FrGLiveModelPrivate *priv = private_of(FRG_LIVE_MODEL(object));
    fr_list *controller = priv->controller;
    frg_unread_remove(FRG_LIVE_MODEL(object));
    priv->controller = NULL;
    priv->n_items = 0;
    if (controller != NULL && priv->owner == NULL) {
        fr_list_remove_observer(controller, priv->observer);
    }
    g_clear_object(&priv->owner);
    G_OBJECT_CLASS(frg_live_model_parent_class)->dispose(object);
}

static void frg_live_model_finalize(GObject *object)
{
    frg_live_model_end(FRG_LIVE_MODEL(object));
    g_sequence_free(private_of(FRG_LIVE_MODEL(object))->held);
    G_OBJECT_CLASS(frg_live_model_parent_class)->finalize(object);
}

static void frg_live_model_implement(GListModelInterface *interface)
{
    interface->get_item = frg_live_model_get_item;
    interface->get_n_items = frg_live_model_get_n_items;
    interface->get_item_type = frg_live_model_get_item_type;
}

static void frg_live_model_class_init(FrGLiveModelClass *model_class)
{
    G_OBJECT_CLASS(model_class)->dispose = frg_live_model_dispose;
    G_OBJECT_CLASS(model_class)->finalize = frg_live_model_finalize;
}

static void frg_live_model_init(FrGLiveModel *model)
{
    private_of(model)->held = frg_held_new();
}
