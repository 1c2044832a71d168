#include "frg-object-list.h"

#include "frg-list-model-private.h"

struct _FrGObjectList {
    GObject parent_instance;
    FrGListModel *rows;
    FrGObjectFunc func;
    gpointer user_data;
    GDestroyNotify destroy;
    GHashTable *links;    /* by row; each is owned by this */
    GHashTable *objects;  /* the same by object */
    GPtrArray *replaced;  /* rows whose objects are to be replaced after the delivery; held */
};

/* A row, and the object that stands for it. The row stays as long as the object does. */
typedef struct object_link {
    FrGObjectList *list; /* not held */
    FrGItem *row;        /* held */
    GObject *object;     /* not held */
    GObject *next;       /* what replaces it, held; NULL if nothing does */
    gulong handler;
} object_link;

enum { MODEL = 1, ITEM_TYPE, N_ITEMS, PROPERTY_COUNT };

static GParamSpec *properties[PROPERTY_COUNT];

static void frg_object_list_implement(GListModelInterface *interface);

G_DEFINE_TYPE_WITH_CODE(FrGObjectList, frg_object_list, G_TYPE_OBJECT,
                        G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, frg_object_list_implement))

/* Links. */

static void object_gone(gpointer user_data, GObject *object)
{
    object_link *one = user_data;
    FrGObjectList *list = one->list;
    g_hash_table_remove(list->objects, object);
    one->object = NULL;
    g_hash_table_remove(list->links, one->row);
}

static void free_link(gpointer data)
{
    object_link *one = data;
    if (one->object != NULL) {
        g_object_weak_unref(one->object, object_gone, one);
    }
    g_signal_handler_disconnect(one->row, one->handler);
    g_clear_object(&one->next);
    g_object_unref(one->row);
    g_free(one);
}

static void show_object(object_link *one, GObject *object)
{
    if (one->object != NULL) {
        g_hash_table_remove(one->list->objects, one->object);
        g_object_weak_unref(one->object, object_gone, one);
    }
    one->object = object;
    g_hash_table_insert(one->list->objects, object, one);
    g_object_weak_ref(object, object_gone, one);
}

/* Announces what replaces an object. */
static void replace_object(FrGObjectList *list, FrGItem *row)
{
    object_link *one = g_hash_table_lookup(list->links, row);
    GObject *next = one != NULL ? g_steal_pointer(&one->next) : NULL;
    guint position;
    if (next != NULL) {
        show_object(one, next);
        if (frg_list_model_find(list->rows, row, &position)) {
            g_list_model_items_changed(G_LIST_MODEL(list), position, 1, 1);
        }
        g_object_unref(next);
    }
}

static void replace_all(FrGObjectList *list)
{
    GPtrArray *rows = g_steal_pointer(&list->replaced);
    guint index;
    list->replaced = g_ptr_array_new_with_free_func(g_object_unref);
    for (index = 0; index < rows->len; index++) {
        replace_object(list, g_ptr_array_index(rows, index));
    }
    g_ptr_array_unref(rows);
}

static void row_changed(FrGItem *row, object_link *one)
{
    FrGObjectList *list = one->list;
    GObject *former = g_object_ref(one->next != NULL ? one->next : one->object);
    GObject *next = list->func(row, former, list->user_data);
    if (next == former) {
        g_object_unref(next);
    } else {
        g_set_object(&one->next, next);
        g_object_unref(next);
        g_ptr_array_add(list->replaced, g_object_ref(row));
    }
    /* This may be the last reference, after which there is no link. */
    g_object_unref(former);
    if (next != former && !frg_live_model_is_delivering(FRG_LIVE_MODEL(list->rows))) {
        replace_all(list);
    }
}

/* Takes the object over, and leaves the caller's reference. */
static void add_link(FrGObjectList *list, FrGItem *row, GObject *object)
{
    object_link *one = g_new0(object_link, 1);
    one->list = list;
    one->row = g_object_ref(row);
    one->handler = g_signal_connect(row, "changed", G_CALLBACK(row_changed), one);
    g_hash_table_insert(list->links, one->row, one);
    show_object(one, object);
}

/* The list as a GListModel. */

static gpointer get_item(GListModel *model, guint position)
{
    FrGObjectList *list = FRG_OBJECT_LIST(model);
    FrGItem *row = g_list_model_get_item(G_LIST_MODEL(list->rows), position);
    object_link *one = row != NULL ? g_hash_table_lookup(list->links, row) : NULL;
    GObject *object = NULL;
    if (one != NULL) {
        object = g_object_ref(one->object);
    } else if (row != NULL) {
        object = list->func(row, NULL, list->user_data);
        add_link(list, row, object);
    }
    g_clear_object(&row);
    return object;
}

static guint get_n_items(GListModel *model)
{
    return g_list_model_get_n_items(G_LIST_MODEL(FRG_OBJECT_LIST(model)->rows));
}

static GType get_item_type(GListModel *model)
{
    (void)model;
    return G_TYPE_OBJECT;
}

static void frg_object_list_implement(GListModelInterface *interface)
{
    interface->get_item = get_item;
    interface->get_n_items = get_n_items;
    interface->get_item_type = get_item_type;
}

static void rows_changed(FrGObjectList *list, guint position, guint removed, guint added)
{
    g_list_model_items_changed(G_LIST_MODEL(list), position, removed, added);
    if (removed != added) {
        g_object_notify_by_pspec(G_OBJECT(list), properties[N_ITEMS]);
    }
}

FrGListModel *frg_object_list_get_model(FrGObjectList *list)
{
    g_return_val_if_fail(FRG_IS_OBJECT_LIST(list), NULL);
    return list->rows;
}

FrGItem *frg_object_list_get_row(FrGObjectList *list, GObject *object)
{
    object_link *one;
    g_return_val_if_fail(FRG_IS_OBJECT_LIST(list), NULL);
    one = g_hash_table_lookup(list->objects, object);
    return one != NULL ? one->row : NULL;
}

/* Life. */

FrGObjectList *frg_object_list_new(FrGListModel *rows, FrGObjectFunc func, gpointer user_data, GDestroyNotify destroy)
{
    FrGObjectList *list;
    g_return_val_if_fail(FRG_IS_LIST_MODEL(rows) && func != NULL, NULL);
    list = g_object_new(FRG_TYPE_OBJECT_LIST, NULL);
    list->rows = g_object_ref(rows);
    list->func = func;
    list->user_data = user_data;
    list->destroy = destroy;
    g_signal_connect_object(rows, "items-changed", G_CALLBACK(rows_changed), list, G_CONNECT_SWAPPED);
    g_signal_connect_object(frg_live_model_get_announcer(FRG_LIVE_MODEL(rows)), "delivered", G_CALLBACK(replace_all),
                            list, G_CONNECT_SWAPPED);
    return list;
}

static void frg_object_list_finalize(GObject *object)
{
    FrGObjectList *list = FRG_OBJECT_LIST(object);
    g_hash_table_unref(list->links);
    g_hash_table_unref(list->objects);
    g_ptr_array_unref(list->replaced);
    g_clear_object(&list->rows);
    if (list->destroy != NULL) {
        list->destroy(list->user_data);
    }
    G_OBJECT_CLASS(frg_object_list_parent_class)->finalize(object);
}

static void frg_object_list_get_property(GObject *object, guint property, GValue *value, GParamSpec *spec)
{
    FrGObjectList *list = FRG_OBJECT_LIST(object);
    switch (property) {
    case MODEL:
        g_value_set_object(value, list->rows);
        break;
    case ITEM_TYPE:
        g_value_set_gtype(value, G_TYPE_OBJECT);
        break;
    case N_ITEMS:
        g_value_set_uint(value, get_n_items(G_LIST_MODEL(list)));
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, property, spec);
    }
}

static void frg_object_list_class_init(FrGObjectListClass *list_class)
{
    const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
    GObjectClass *object_class = G_OBJECT_CLASS(list_class);
    object_class->finalize = frg_object_list_finalize;
    object_class->get_property = frg_object_list_get_property;
    /**
     * FrGObjectList:model:
     *
     * The rows.
     */
    properties[MODEL] = g_param_spec_object("model", NULL, NULL, FRG_TYPE_LIST_MODEL, flags);
    /**
     * FrGObjectList:item-type:
     *
     * The type of the objects: #GObject.
     */
    properties[ITEM_TYPE] = g_param_spec_gtype("item-type", NULL, NULL, G_TYPE_OBJECT, flags);
    /**
     * FrGObjectList:n-items:
     *
     * The number of objects.
     */
    properties[N_ITEMS] = g_param_spec_uint("n-items", NULL, NULL, 0, G_MAXUINT, 0, flags);
    g_object_class_install_properties(object_class, PROPERTY_COUNT, properties);
}

static void frg_object_list_init(FrGObjectList *list)
{
    list->links = g_hash_table_new_full(NULL, NULL, NULL, free_link);
    list->objects = g_hash_table_new(NULL, NULL);
    list->replaced = g_ptr_array_new_with_free_func(g_object_unref);
}
