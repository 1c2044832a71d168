#include "fr-live-model-private.h"

#include "fr-held.h"
#include "fr-unread.h"

typedef struct FrLiveModelPrivate {
    fr_controller *controller; /* NULL if there is none, or none any more */
    uint64_t observer;
    FrLiveModel *owner;        /* of a model that observes nothing itself; held */
    GSequence *held;           /* as in fr-held.h */
    guint n_items;             /* as told so far */

    /* While a change is told. */
    fr_change_set *changes;
    fr_transition *transition;

    /* From will_change until the change set comes nobody knows what is where; who reads then is told of a new list. */
    gboolean is_waiting;
    gboolean is_stale;
} FrLiveModelPrivate;

static void fr_live_model_implement(GListModelInterface *interface);

G_DEFINE_ABSTRACT_TYPE_WITH_CODE(FrLiveModel, fr_live_model, G_TYPE_OBJECT,
                                 G_ADD_PRIVATE(FrLiveModel)
                                 G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, fr_live_model_implement))

static FrLiveModelPrivate *private_of(FrLiveModel *model)
{
    return fr_live_model_get_instance_private(model);
}

fr_controller *fr_live_model_get_controller(FrLiveModel *model)
{
    return private_of(model)->controller;
}

/* Nobody knows what is at the places: see is_waiting. */
static gboolean is_waiting(FrLiveModel *model)
{
    FrLiveModel *owner = private_of(model)->owner;
    return private_of(owner != NULL ? owner : model)->is_waiting;
}

/* Items. */

GPtrArray *fr_live_model_dup_held(FrLiveModel *model)
{
    return fr_held_dup(private_of(model)->held);
}

gpointer fr_live_model_peek(FrLiveModel *model, guint place)
{
    return fr_held_find(private_of(model)->held, place, NULL);
}

void fr_live_model_suggest(FrLiveModel *model, guint place, gpointer item)
{
    if (fr_live_model_peek(model, place) == NULL) {
        fr_held_put(private_of(model)->held, place, item, FALSE);
    }
}

gpointer fr_live_model_item_at(FrLiveModel *model, guint place)
{
    FrLiveModelPrivate *private = private_of(model);
    gboolean is_sure = FALSE;
    gpointer known = fr_held_find(private->held, place, &is_sure), item;
    if (is_sure) {
        return g_object_ref(known);
    }
    private->is_stale |= is_waiting(model);
    is_sure = TRUE;
    item = FR_LIVE_MODEL_GET_CLASS(model)->read_item(model, place, known, &is_sure);
    fr_held_put(private->held, place, item, is_sure);
    return item;
}

gboolean fr_live_model_is_telling(FrLiveModel *model)
{
    FrLiveModelPrivate *private = private_of(model);
    return is_waiting(model) || private->is_stale || private->transition != NULL
        || (private->owner != NULL && fr_live_model_is_telling(private->owner));
}

guint fr_live_model_place_of(FrLiveModel *model, gpointer item)
{
    return fr_held_place(private_of(model)->held, item);
}

void fr_live_model_tell_item(FrLiveModel *model, guint place, gboolean is_new)
{
    if (is_new) {
        fr_held_remove(private_of(model)->held, place);
    }
    if (place < private_of(model)->n_items) {
        g_list_model_items_changed(G_LIST_MODEL(model), place, 1, 1);
    }
}

static gpointer fr_live_model_get_item(GListModel *list, guint position)
{
    FrLiveModel *model = FR_LIVE_MODEL(list);
    FrLiveModelPrivate *private = private_of(model);
    fr_leaving *leaving = NULL;
    if (position >= private->n_items) {
        return NULL;
    }
    if (private->transition != NULL) {
        leaving = fr_transition_find(private->transition, position, &position);
    }
    if (leaving == NULL) {
        return fr_live_model_item_at(model, position);
    }
    if (leaving->item == NULL) {
        leaving->item = FR_LIVE_MODEL_GET_CLASS(model)->read_leaving(model, private->changes, leaving);
    }
    return g_object_ref(leaving->item);
}

static guint fr_live_model_get_n_items(GListModel *list)
{
    return private_of(FR_LIVE_MODEL(list))->n_items;
}

static GType fr_live_model_get_item_type(GListModel *list)
{
    return FR_LIVE_MODEL_GET_CLASS(list)->item_type;
}

/* Telling. */

gboolean fr_live_model_begin(FrLiveModel *model, fr_change_set *changes, fr_transition *transition)
{
    FrLiveModelPrivate *private = private_of(model);
    gsize left, come;
    if (transition == NULL) {
        return !private->is_stale;
    }
    left = (gsize)transition->first.leaving->len + transition->rest.leaving->len;
    come = transition->rest.coming->len;
    private->is_stale |= private->n_items + come != FR_LIVE_MODEL_GET_CLASS(model)->count_items(model) + left;
    if (private->is_stale) {
        fr_transition_free(transition);
        return FALSE;
    }
    private->changes = changes;
    private->transition = transition;
    fr_held_follow(private->held, transition);
    return TRUE;
}

/* A handler may end this early: by reloading the model. */
static void tell(FrLiveModel *model, gboolean is_first)
{
    FrLiveModelPrivate *private = private_of(model);
    guint position, removed, added;
    while (private->transition != NULL
           && fr_splice_next(is_first ? &private->transition->first : &private->transition->rest, &position, &removed,
                             &added)) {
        private->n_items += added - removed;
        g_list_model_items_changed(G_LIST_MODEL(model), position, removed, added);
    }
}

void fr_live_model_tell_first(FrLiveModel *model)
{
    tell(model, TRUE);
}

void fr_live_model_tell_rest(FrLiveModel *model)
{
    if (private_of(model)->is_stale) {
        fr_live_model_replace(model);
    } else {
        tell(model, FALSE);
    }
}

void fr_live_model_end(FrLiveModel *model)
{
    private_of(model)->changes = NULL;
    g_clear_pointer(&private_of(model)->transition, fr_transition_free);
}

void fr_live_model_replace(FrLiveModel *model)
{
    FR_LIVE_MODEL_GET_CLASS(model)->replace(model);
}

guint fr_live_model_start_anew(FrLiveModel *model)
{
    FrLiveModelPrivate *private = private_of(model);
    guint removed = private->n_items;
    fr_live_model_end(model);
    fr_held_clear(private->held);
    private->is_stale = is_waiting(model);
    private->n_items = FR_LIVE_MODEL_GET_CLASS(model)->count_items(model);
    return removed;
}

void fr_live_model_tell_anew(FrLiveModel *model, guint removed)
{
    guint added = private_of(model)->n_items;
    if (removed > 0 || added > 0) {
        g_list_model_items_changed(G_LIST_MODEL(model), 0, removed, added);
    }
}

/* Observing: the controller has a weak reference, so that either may end before the other. */

static void will_change(fr_controller *controller, void *reference)
{
    FrLiveModel *model = g_weak_ref_get(reference);
    (void)controller;
    if (model != NULL) {
        private_of(model)->is_waiting = TRUE;
        g_object_unref(model);
    }
}

static void changed(fr_controller *controller, fr_change_set *changes, void *reference)
{
    FrLiveModel *model = g_weak_ref_get(reference);
    bool is_reload = false;
    if (model == NULL) {
        return;
    }
    private_of(model)->is_waiting = FALSE;
    fr_change_set_is_reload(&is_reload, changes);
    if (is_reload) {
        fr_live_model_replace(model);
    } else {
        fr_changed_rows *rows = fr_changed_rows_new(controller, changes);
        FR_LIVE_MODEL_GET_CLASS(model)->tell(model, changes, rows);
        fr_changed_rows_free(rows);
    }
    g_object_unref(model);
}

static void ended(void *reference)
{
    FrLiveModel *model = g_weak_ref_get(reference);
    if (model != NULL) {
        fr_live_model_cut_off(model);
        fr_live_model_replace(model);
        g_object_unref(model);
    }
    g_weak_ref_clear(reference);
    g_free(reference);
}

gboolean fr_live_model_observe(FrLiveModel *model, fr_controller *controller)
{
    const fr_observer observer = {.struct_size = sizeof observer, .will_change = will_change, .changes = changed};
    FrLiveModelPrivate *private = private_of(model);
    GWeakRef *reference = g_new(GWeakRef, 1);
    g_weak_ref_init(reference, model);
    if (fr_controller_add_observer(&private->observer, controller, &observer, reference, ended) != FR_OK) {
        return FALSE;
    }
    private->controller = controller;
    private->n_items = FR_LIVE_MODEL_GET_CLASS(model)->count_items(model);
    return TRUE;
}

void fr_live_model_join(FrLiveModel *model, FrLiveModel *owner)
{
    FrLiveModelPrivate *private = private_of(model);
    private->owner = g_object_ref(owner);
    private->controller = private_of(owner)->controller;
    private->n_items = FR_LIVE_MODEL_GET_CLASS(model)->count_items(model);
}

void fr_live_model_cut_off(FrLiveModel *model)
{
    private_of(model)->controller = NULL;
    g_clear_object(&private_of(model)->owner);
}

/* Life. */

static void fr_live_model_dispose(GObject *object)
{
    FrLiveModelPrivate *private = private_of(FR_LIVE_MODEL(object));
    fr_controller *controller = private->controller;
    fr_unread_remove(FR_LIVE_MODEL(object));
    private->controller = NULL;
    private->n_items = 0;
    if (controller != NULL && private->owner == NULL) {
        fr_controller_remove_observer(controller, private->observer);
    }
    g_clear_object(&private->owner);
    G_OBJECT_CLASS(fr_live_model_parent_class)->dispose(object);
}

static void fr_live_model_finalize(GObject *object)
{
    fr_live_model_end(FR_LIVE_MODEL(object));
    g_sequence_free(private_of(FR_LIVE_MODEL(object))->held);
    G_OBJECT_CLASS(fr_live_model_parent_class)->finalize(object);
}

static void fr_live_model_implement(GListModelInterface *interface)
{
    interface->get_item = fr_live_model_get_item;
    interface->get_n_items = fr_live_model_get_n_items;
    interface->get_item_type = fr_live_model_get_item_type;
}

static void fr_live_model_class_init(FrLiveModelClass *model_class)
{
    G_OBJECT_CLASS(model_class)->dispose = fr_live_model_dispose;
    G_OBJECT_CLASS(model_class)->finalize = fr_live_model_finalize;
}

static void fr_live_model_init(FrLiveModel *model)
{
    private_of(model)->held = fr_held_new();
}
