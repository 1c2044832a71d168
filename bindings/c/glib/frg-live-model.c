#include "frg-held.h"
#include "frg-live-fields.h"
#include "frg-request-private.h"
#include "frg-store-error-private.h"
#include "frg-store-private.h"
#include "frg-unread.h"

enum { STORE = 1, REQUEST, ITEM_TYPE, N_ITEMS, TOTALS, RELOAD_THRESHOLD, MOVE_RANGE, PROPERTY_COUNT };

#define DEFAULT_RELOAD_THRESHOLD 20

static GParamSpec *properties[PROPERTY_COUNT];

enum { FAILED, DELIVERED, SIGNAL_COUNT };

static guint signals[SIGNAL_COUNT];

static void frg_live_model_implement(GListModelInterface *interface);
static void frg_live_model_implement_init(GInitableIface *interface);

G_DEFINE_ABSTRACT_TYPE_WITH_CODE(FrGLiveModel, frg_live_model, G_TYPE_OBJECT,
                                 G_ADD_PRIVATE(FrGLiveModel)
                                     G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, frg_live_model_implement)
                                         G_IMPLEMENT_INTERFACE(G_TYPE_INITABLE, frg_live_model_implement_init))

FrGLiveModelPrivate *frg_live_model_private(FrGLiveModel *model)
{
    return frg_live_model_get_instance_private(model);
}

fr_list *frg_live_model_get_controller(FrGLiveModel *model)
{
    return frg_live_model_private(model)->controller;
}

/* Items. */

GPtrArray *frg_live_model_dup_held(FrGLiveModel *model)
{
    return frg_held_dup(frg_live_model_private(model)->held);
}

gpointer frg_live_model_peek(FrGLiveModel *model, guint place)
{
    return frg_held_find(frg_live_model_private(model)->held, place, NULL);
}

void frg_live_model_adopt(FrGLiveModel *model, guint place, gpointer item)
{
    if (frg_live_model_peek(model, place) == NULL) {
        frg_held_put(frg_live_model_private(model)->held, place, item, TRUE);
        frg_live_model_refresh(model, place, 1);
    }
}

static gpointer read_item(FrGLiveModel *model, guint place, gpointer known)
{
    gboolean is_sure = TRUE;
    gpointer item = FRG_LIVE_MODEL_METHODS(model)->read_item(model, place, known, &is_sure);
    frg_held_put(frg_live_model_private(model)->held, place, item, is_sure);
    return item;
}

typedef struct changed_item {
    guint place; /* where it was when this was noted */
    gpointer item;
} changed_item;

static void free_changed(gpointer data)
{
    changed_item *changed = data;
    g_object_unref(changed->item);
    g_free(changed);
}

static void note_changed(gpointer queue, guint place, gpointer item)
{
    changed_item *changed = g_new(changed_item, 1);
    *changed = (changed_item){place, g_object_ref(item)};
    g_queue_push_tail(queue, changed);
}

void frg_live_model_refresh(FrGLiveModel *model, guint place, guint count)
{
    FrGLiveModelPrivate *priv = frg_live_model_private(model);
    frg_held_doubt(priv->held, place, count, note_changed, &priv->changed);
}

/* A handler may begin another change: the rest is read then. */
void frg_live_model_read_changed(FrGLiveModel *model)
{
    FrGLiveModelPrivate *priv = frg_live_model_private(model);
    while (priv->changed.length > 0 && !frg_live_model_is_waiting(model)) {
        changed_item *changed = g_queue_pop_head(&priv->changed);
        guint place = changed->place;
        if (frg_live_model_peek(model, place) != changed->item) {
            place = frg_live_model_place_of(model, changed->item);
        }
        if (place != FRG_NOWHERE) {
            g_object_unref(read_item(model, place, changed->item));
        }
        free_changed(changed);
    }
}

void frg_live_model_forget_changed(FrGLiveModel *model)
{
    g_queue_clear_full(&frg_live_model_private(model)->changed, free_changed);
}

gpointer frg_live_model_item_at(FrGLiveModel *model, guint place)
{
    FrGLiveModelPrivate *priv = frg_live_model_private(model);
    gboolean is_sure = FALSE;
    gpointer known = frg_held_find(priv->held, place, &is_sure);
    if (known != NULL && (is_sure || frg_live_model_is_waiting(model))) {
        return g_object_ref(known);
    }
    priv->is_stale |= frg_live_model_is_waiting(model);
    return read_item(model, place, known);
}

guint frg_live_model_place_of(FrGLiveModel *model, gpointer item)
{
    return frg_held_place(frg_live_model_private(model)->held, item);
}

static gpointer frg_live_model_get_item(GListModel *list, guint position)
{
    FrGLiveModel *model = FRG_LIVE_MODEL(list);
    FrGLiveModelPrivate *priv = frg_live_model_private(model);
    frg_leaver *leaver = NULL;
    if (position >= priv->n_items) {
        return NULL;
    }
    if (position >= priv->hidden_from) {
        position += priv->hidden_count;
    }
    if (priv->transition != NULL) {
        leaver = frg_transition_find(priv->transition, position, &position);
    }
    if (leaver == NULL) {
        return frg_live_model_item_at(model, position);
    }
    if (leaver->item == NULL) {
        leaver->item = FRG_LIVE_MODEL_METHODS(model)->read_leaving(model, priv->changes, leaver);
    }
    return g_object_ref(leaver->item);
}

static guint frg_live_model_get_n_items(GListModel *list)
{
    return frg_live_model_private(FRG_LIVE_MODEL(list))->n_items;
}

static GType frg_live_model_get_item_type(GListModel *list)
{
    FrGLiveModel *model = FRG_LIVE_MODEL(list);
    return FRG_LIVE_MODEL_METHODS(model) != NULL ? FRG_LIVE_MODEL_METHODS(model)->item_type(model) : G_TYPE_OBJECT;
}

/* A list of its own. */

/* NULL and the error on failure. */
static fr_list *fetched_list(FrGLiveModel *model, fr_request *request, GError **error)
{
    fr_store *store = frg_store_open_handle(frg_live_model_private(model)->store, error);
    fr_list *list = store != NULL ? FRG_LIVE_MODEL_METHODS(model)->make_list(model, store, request, error) : NULL;
    if (list != NULL && !frg_succeeded(fr_list_perform_fetch(list), error)) {
        fr_list_free(list);
        list = NULL;
    }
    return list;
}

static fr_request *built_request(FrGRequest *request, GError **error)
{
    if (request == NULL) {
        g_set_error_literal(error, FRG_STORE_ERROR, FRG_STORE_ERROR_MISUSE, "there is no request");
        return NULL;
    }
    return frg_request_build(request, error);
}

static gboolean open(GInitable *initable, GCancellable *cancellable, GError **error)
{
    FrGLiveModel *model = FRG_LIVE_MODEL(initable);
    FrGLiveModelPrivate *priv = frg_live_model_private(model);
    fr_request *request;
    (void)cancellable;
    if (priv->controller != NULL) {
        return TRUE;
    }
    if (FRG_LIVE_MODEL_METHODS(model) == NULL) {
        g_set_error_literal(error, FRG_STORE_ERROR, FRG_STORE_ERROR_MISUSE, "the type is not one of the library's");
        return FALSE;
    }
    request = built_request(priv->request, error);
    priv->own_list = request != NULL ? fetched_list(model, request, error) : NULL;
    fr_request_free(request);
    if (priv->own_list == NULL) {
        return FALSE;
    }
    frg_live_model_observe(model, priv->own_list);
    if (priv->n_items > 0) {
        frg_live_model_announce(model, 0, 0, priv->n_items);
    }
    return TRUE;
}

static fr_list *own_list(FrGLiveModel *model, GError **error)
{
    fr_list *list = frg_live_model_private(model)->own_list;
    if (list == NULL) {
        g_set_error_literal(error, FRG_STORE_ERROR, FRG_STORE_ERROR_MISUSE, "the model was not made from a request");
    }
    return list;
}

gboolean frg_live_model_set_request(FrGLiveModel *model, FrGRequest *request, GError **error)
{
    fr_list *list;
    fr_request *built;
    gboolean is_right;
    g_return_val_if_fail(FRG_IS_LIVE_MODEL(model), FALSE);
    g_return_val_if_fail(request == NULL || FRG_IS_REQUEST(request), FALSE);
    list = own_list(model, error);
    built = list != NULL ? built_request(request, error) : NULL;
    if (built == NULL) {
        return FALSE;
    }
    g_object_ref(model);
    is_right = frg_succeeded(fr_controller_set_request(list, built), error);
    if (is_right) {
        g_set_object(&frg_live_model_private(model)->request, request);
        g_object_notify_by_pspec(G_OBJECT(model), properties[REQUEST]);
    }
    fr_request_free(built);
    g_object_unref(model);
    return is_right;
}

FrGStore *frg_live_model_get_store(FrGLiveModel *model)
{
    g_return_val_if_fail(FRG_IS_LIVE_MODEL(model), NULL);
    return frg_live_model_private(model)->store;
}

FrGRequest *frg_live_model_get_request(FrGLiveModel *model)
{
    g_return_val_if_fail(FRG_IS_LIVE_MODEL(model), NULL);
    return frg_live_model_private(model)->request;
}

int frg_live_model_get_reload_threshold(FrGLiveModel *model)
{
    g_return_val_if_fail(FRG_IS_LIVE_MODEL(model), -1);
    return frg_live_model_private(frg_live_model_get_announcer(model))->reload_threshold;
}

void frg_live_model_set_reload_threshold(FrGLiveModel *model, int threshold)
{
    FrGLiveModel *holder;
    g_return_if_fail(FRG_IS_LIVE_MODEL(model));
    g_return_if_fail(threshold >= -1);
    holder = frg_live_model_get_announcer(model);
    if (frg_live_model_private(holder)->reload_threshold != threshold) {
        frg_live_model_private(holder)->reload_threshold = threshold;
        g_object_notify_by_pspec(G_OBJECT(holder), properties[RELOAD_THRESHOLD]);
    }
}

guint frg_live_model_get_move_range(FrGLiveModel *model)
{
    g_return_val_if_fail(FRG_IS_LIVE_MODEL(model), 0);
    return frg_live_model_private(frg_live_model_get_announcer(model))->move_range;
}

void frg_live_model_set_move_range(FrGLiveModel *model, guint move_range)
{
    FrGLiveModel *holder;
    g_return_if_fail(FRG_IS_LIVE_MODEL(model));
    holder = frg_live_model_get_announcer(model);
    if (frg_live_model_private(holder)->move_range != move_range) {
        frg_live_model_private(holder)->move_range = move_range;
        g_object_notify_by_pspec(G_OBJECT(holder), properties[MOVE_RANGE]);
    }
}

/* Life. */

static void frg_live_model_get_property(GObject *object, guint property, GValue *value, GParamSpec *spec)
{
    FrGLiveModelPrivate *priv = frg_live_model_private(FRG_LIVE_MODEL(object));
    switch (property) {
    case STORE:
        g_value_set_object(value, priv->store);
        break;
    case REQUEST:
        g_value_set_object(value, priv->request);
        break;
    case ITEM_TYPE:
        g_value_set_gtype(value, frg_live_model_get_item_type(G_LIST_MODEL(object)));
        break;
    case N_ITEMS:
        g_value_set_uint(value, priv->n_items);
        break;
    case TOTALS:
        g_value_set_object(value, frg_live_model_get_totals(FRG_LIVE_MODEL(object)));
        break;
    case RELOAD_THRESHOLD:
        g_value_set_int(value, frg_live_model_get_reload_threshold(FRG_LIVE_MODEL(object)));
        break;
    case MOVE_RANGE:
        g_value_set_uint(value, frg_live_model_get_move_range(FRG_LIVE_MODEL(object)));
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, property, spec);
    }
}

static void frg_live_model_set_property(GObject *object, guint property, const GValue *value, GParamSpec *spec)
{
    FrGLiveModelPrivate *priv = frg_live_model_private(FRG_LIVE_MODEL(object));
    switch (property) {
    case STORE:
        priv->store = g_value_dup_object(value);
        break;
    case REQUEST:
        priv->request = g_value_dup_object(value);
        break;
    case RELOAD_THRESHOLD:
        frg_live_model_set_reload_threshold(FRG_LIVE_MODEL(object), g_value_get_int(value));
        break;
    case MOVE_RANGE:
        frg_live_model_set_move_range(FRG_LIVE_MODEL(object), g_value_get_uint(value));
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, property, spec);
    }
}

/*
 * The store is the last to be released, since its last reference closes it. frg_store_close()
 * reports a list that could not be cached.
 */
static void frg_live_model_dispose(GObject *object)
{
    FrGLiveModelPrivate *priv = frg_live_model_private(FRG_LIVE_MODEL(object));
    fr_list *controller = priv->controller;
    frg_unread_remove(FRG_LIVE_MODEL(object));
    priv->controller = NULL;
    priv->n_items = 0;
    if (controller != NULL && priv->owner == NULL) {
        fr_list_remove_observer(controller, priv->observer);
    }
    fr_list_free(g_steal_pointer(&priv->own_list));
    g_clear_object(&priv->owner);
    g_clear_object(&priv->totals);
    g_clear_object(&priv->request);
    g_clear_object(&priv->store);
    G_OBJECT_CLASS(frg_live_model_parent_class)->dispose(object);
}

static void frg_live_model_finalize(GObject *object)
{
    frg_live_model_end(FRG_LIVE_MODEL(object));
    g_sequence_free(frg_live_model_private(FRG_LIVE_MODEL(object))->held);
    frg_live_model_forget_changed(FRG_LIVE_MODEL(object));
    G_OBJECT_CLASS(frg_live_model_parent_class)->finalize(object);
}

static void frg_live_model_implement(GListModelInterface *interface)
{
    interface->get_item = frg_live_model_get_item;
    interface->get_n_items = frg_live_model_get_n_items;
    interface->get_item_type = frg_live_model_get_item_type;
}

static void frg_live_model_implement_init(GInitableIface *interface)
{
    interface->init = open;
}

static void frg_live_model_class_init(FrGLiveModelClass *model_class)
{
    const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
    const GParamFlags construct = flags | G_PARAM_WRITABLE | G_PARAM_CONSTRUCT_ONLY;
    GObjectClass *object_class = G_OBJECT_CLASS(model_class);
    object_class->dispose = frg_live_model_dispose;
    object_class->finalize = frg_live_model_finalize;
    object_class->get_property = frg_live_model_get_property;
    object_class->set_property = frg_live_model_set_property;
    /**
     * FrGLiveModel:store:
     *
     * The store that the model reads.
     */
    properties[STORE] = g_param_spec_object("store", NULL, NULL, FRG_TYPE_STORE, construct);
    /**
     * FrGLiveModel:request:
     *
     * The request of the rows; frg_live_model_set_request() replaces it.
     */
    properties[REQUEST] = g_param_spec_object("request", NULL, NULL, FRG_TYPE_REQUEST, construct);
    /**
     * FrGLiveModel:item-type:
     *
     * The type of the items.
     */
    properties[ITEM_TYPE] = g_param_spec_gtype("item-type", NULL, NULL, G_TYPE_OBJECT, flags);
    /**
     * FrGLiveModel:n-items:
     *
     * The number of items.
     */
    properties[N_ITEMS] = g_param_spec_uint("n-items", NULL, NULL, 0, G_MAXUINT, 0, flags);
    /**
     * FrGLiveModel:totals:
     *
     * The totals of the rows that the model shows; see frg_live_model_get_totals().
     */
    properties[TOTALS] = g_param_spec_object("totals", NULL, NULL, FRG_TYPE_ITEM, flags);
    /**
     * FrGLiveModel:reload-threshold:
     *
     * How many signals announce a change. Where more would be necessary, the range in which
     * something changed is announced as a whole. -1 for no such limit. The model of a section has
     * the threshold of its list of sections.
     */
    properties[RELOAD_THRESHOLD] = g_param_spec_int("reload-threshold", NULL, NULL, -1, G_MAXINT,
                                                    DEFAULT_RELOAD_THRESHOLD, flags | G_PARAM_WRITABLE);
    /**
     * FrGLiveModel:move-range:
     *
     * Within how many rows a move is announced as one range; see frg_live_model_set_move_range().
     */
    properties[MOVE_RANGE] = g_param_spec_uint("move-range", NULL, NULL, 0, G_MAXUINT, FRG_MOVE_RANGE,
                                               flags | G_PARAM_WRITABLE);
    g_object_class_install_properties(object_class, PROPERTY_COUNT, properties);
    /**
     * FrGLiveModel::failed:
     * @model: the model
     * @error: why
     *
     * A commit left the model without a valid state, for example because its table was dropped. The
     * model stays in its last state, and recovers by itself when the cause is removed.
     */
    signals[FAILED] = g_signal_new("failed", FRG_TYPE_LIVE_MODEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                   1, G_TYPE_ERROR);
    /**
     * FrGLiveModel::delivered:
     * @model: the model
     *
     * Everything that a commit, another request or a reload changed was announced. Between its
     * first signal and this one a model shows a state in between. The models of sections do not
     * emit it; their #FrGSectionList does, after all of them.
     *
     * Since: 0.1
     */
    signals[DELIVERED] = g_signal_new("delivered", FRG_TYPE_LIVE_MODEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                      G_TYPE_NONE, 0);
}

static void frg_live_model_init(FrGLiveModel *model)
{
    frg_live_model_private(model)->held = frg_held_new();
    frg_live_model_private(model)->reload_threshold = DEFAULT_RELOAD_THRESHOLD;
    frg_live_model_private(model)->move_range = FRG_MOVE_RANGE;
}
