#include "frg-selection.h"

#include <string.h>

#include "frg-list-model-private.h"
#include "frg-object-list.h"
#include "frg-section-list.h"
#include "frg-selection-private.h"

struct _FrGSelection {
    GObject parent_instance;
    GListModel *model;
    FrGLiveModel *rows;  /* below the model, whose rows have the same positions; NULL if there is none */
    FrGObjectList *objects; /* the one that the items are of, held; NULL if there is none */
    FrGLiveModel *live;  /* what announces the changes of the rows; NULL if there is none */
    gboolean is_multiple;
    GHashTable *chosen;  /* an fr_object of each selected row, by identity */
    guint selected;      /* what was last notified of */
    GObject *item;
    guint expected;      /* where the only selected row is, unless it has moved itself */
    guint added_from;    /* if it has moved itself, it is among the rows added from here to added_to */
    guint added_to;
    guint changed_from;  /* the first position that has changed since headers were renewed */
};

enum { MODEL = 1, IS_MULTIPLE, SELECTED, SELECTED_ITEM, ITEM_TYPE, N_ITEMS, PROPERTY_COUNT };

static GParamSpec *properties[PROPERTY_COUNT];

static void frg_selection_implement(GListModelInterface *interface);

static gboolean is_in_gtk;

G_DEFINE_TYPE_WITH_CODE(FrGSelection, frg_selection, G_TYPE_OBJECT,
                        G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, frg_selection_implement)
                            is_in_gtk = frg_gtk_selection_implement(g_define_type_id))

/* Identities. */

/*
 * Unequal for unequal identities. The table or view is a part of it, as a collection has several.
 */
static GBytes *key_of(const char *entity, const fr_value *identity, gsize count)
{
    GByteArray *key = g_byte_array_new();
    gsize index;
    g_byte_array_append(key, (const guint8 *)entity, (guint)strlen(entity) + 1);
    for (index = 0; index < count; index++) {
        const fr_value *value = &identity[index];
        g_byte_array_append(key, (const guint8 *)&value->type, sizeof value->type);
        g_byte_array_append(key, (const guint8 *)&value->integer, sizeof value->integer);
        g_byte_array_append(key, (const guint8 *)&value->real, sizeof value->real);
        g_byte_array_append(key, (const guint8 *)&value->length, sizeof value->length);
        g_byte_array_append(key, (const guint8 *)value->data, (guint)value->length);
    }
    return g_byte_array_free_to_bytes(key);
}

/* NULL for an object of no row. */
static fr_value *identity_of(fr_object *object, gsize *count)
{
    int64_t number = 0, index;
    fr_value *identity;
    if (object == NULL || fr_object_identity_count(&number, object) != FR_OK) {
        return NULL;
    }
    identity = g_new(fr_value, (gsize)number);
    for (index = 0; index < number; index++) {
        /* The index is one of the object's. */
        fr_object_identity(&identity[index], object, index);
    }
    *count = (gsize)number;
    return identity;
}

static GBytes *key_of_object(fr_object *object)
{
    gsize count = 0;
    fr_value *identity = identity_of(object, &count);
    const char *entity = "";
    GBytes *key;
    if (identity == NULL) {
        return NULL;
    }
    /* Every object of a row has one. */
    fr_object_entity(&entity, object);
    key = key_of(entity, identity, count);
    g_free(identity);
    return key;
}

/* The row that an item of the model stands for, held; NULL if it is none. Takes the item over. */
static FrGItem *row_of(FrGSelection *selection, GObject *item)
{
    GObject *inner = NULL;
    if (selection->objects != NULL && item != NULL) {
        FrGItem *row = frg_object_list_get_row(selection->objects, item);
        inner = row != NULL ? G_OBJECT(g_object_ref(row)) : NULL;
    } else if (item != NULL && !FRG_IS_ITEM(item)
               && g_object_class_find_property(G_OBJECT_GET_CLASS(item), "item") != NULL) {
        /* As a GtkTreeListRow. */
        g_object_get(item, "item", &inner, NULL);
    } else if (item != NULL) {
        inner = g_object_ref(item);
    }
    g_clear_object(&item);
    if (inner != NULL && !FRG_IS_ITEM(inner)) {
        g_clear_object(&inner);
    }
    return inner != NULL ? FRG_ITEM(inner) : NULL;
}

/* The key of the row at a position, and its object; NULL if there is none. */
static GBytes *key_at(FrGSelection *selection, guint position, fr_object **object)
{
    FrGItem *row = row_of(selection, g_list_model_get_item(selection->model, position));
    GBytes *key = NULL;
    if (row != NULL) {
        key = key_of_object(frg_item_get_object(row));
        if (object != NULL) {
            *object = fr_object_ref(frg_item_get_object(row));
        }
        g_object_unref(row);
    }
    return key;
}

/* Positions. */

static gboolean is_delivering(FrGSelection *selection)
{
    return selection->live != NULL && frg_live_model_is_delivering(selection->live);
}

static gint compare(gconstpointer one, gconstpointer other)
{
    guint a = *(const guint *)one, b = *(const guint *)other;
    return a < b ? -1 : a > b;
}

/* By the rows' own places, which are the positions unless a change is being announced. */
static void add_places(FrGSelection *selection, GArray *positions, guint first, guint end)
{
    GHashTableIter iterator;
    gpointer object;
    g_hash_table_iter_init(&iterator, selection->chosen);
    while (g_hash_table_iter_next(&iterator, NULL, &object)) {
        int64_t place = frg_list_model_place_of(selection->rows, object);
        if (place >= first && place < end) {
            guint position = (guint)place;
            g_array_append_val(positions, position);
        }
    }
    g_array_sort(positions, compare);
}

GArray *frg_selection_dup_positions_in(FrGSelection *selection, guint position, guint n_items)
{
    GArray *positions = g_array_new(FALSE, FALSE, sizeof(guint));
    guint count = g_list_model_get_n_items(selection->model);
    guint end = position < count ? position + MIN(n_items, count - position) : position;
    if (selection->rows != NULL && !is_delivering(selection) && end - position > g_hash_table_size(selection->chosen)) {
        add_places(selection, positions, position, end);
        return positions;
    }
    for (; position < end && g_hash_table_size(selection->chosen) > 0; position++) {
        if (frg_selection_contains(selection, position)) {
            g_array_append_val(positions, position);
        }
    }
    return positions;
}

GArray *frg_selection_dup_positions(FrGSelection *selection)
{
    g_return_val_if_fail(FRG_IS_SELECTION(selection), NULL);
    return frg_selection_dup_positions_in(selection, 0, G_MAXUINT);
}

/*
 * Where the only selected row is. In a model without places of rows, such as a GtkTreeListModel, it
 * is looked for among the rows that were added since it was last found.
 */
static guint only_position(FrGSelection *selection)
{
    gboolean is_one = g_hash_table_size(selection->chosen) == 1, has_places = selection->rows != NULL;
    guint position = G_MAXUINT;
    if (is_one && !has_places && frg_selection_contains(selection, selection->expected)) {
        position = selection->expected;
    } else if (is_one) {
        guint from = has_places ? 0 : selection->added_from, to = has_places ? G_MAXUINT : selection->added_to;
        GArray *positions = frg_selection_dup_positions_in(selection, from, to - MIN(from, to));
        position = positions->len > 0 ? g_array_index(positions, guint, 0) : G_MAXUINT;
        g_array_unref(positions);
    }
    /* Of several rows none is followed, so the last one that remains can be anywhere. */
    selection->expected = position;
    selection->added_from = is_one ? G_MAXUINT : 0;
    selection->added_to = is_one ? 0 : G_MAXUINT;
    return position;
}

/* Where a position is after a change, if the item there is not a part of it; otherwise `inside`. */
static guint shifted(guint place, guint position, guint removed, guint added, guint inside)
{
    if (place == G_MAXUINT || place < position) {
        return place;
    }
    return place >= position + removed ? place + added - removed : inside;
}

/* The model has announced a change. */
static void follow_positions(FrGSelection *selection, guint position, guint removed, guint added)
{
    selection->expected = shifted(selection->expected, position, removed, added, G_MAXUINT);
    selection->added_from = shifted(selection->added_from, position, removed, added, position);
    selection->added_to = shifted(selection->added_to, position, removed, added, position + added);
    if (added > 0) {
        selection->added_from = MIN(selection->added_from, position);
        selection->added_to = MAX(selection->added_to, position + added);
    }
    selection->changed_from = MIN(selection->changed_from, position);
}

/* Notifies of the only selected row, if that is another one. */
static void notify_selected(FrGSelection *selection)
{
    guint selected = only_position(selection);
    GObject *item = selected != G_MAXUINT ? g_list_model_get_item(selection->model, selected) : NULL;
    gboolean has_moved = selected != selection->selected, is_other = item != selection->item;
    selection->selected = selected;
    g_set_object(&selection->item, item);
    g_clear_object(&item);
    if (has_moved) {
        g_object_notify_by_pspec(G_OBJECT(selection), properties[SELECTED]);
    }
    if (is_other) {
        g_object_notify_by_pspec(G_OBJECT(selection), properties[SELECTED_ITEM]);
    }
}

static void announce(FrGSelection *selection, guint position, guint n_items)
{
    if (n_items > 0) {
        g_object_ref(selection);
        g_signal_emit_by_name(selection, "selection-changed", position, n_items);
        notify_selected(selection);
        g_object_unref(selection);
    }
}

/* Selecting. */

gboolean frg_selection_contains(FrGSelection *selection, guint position)
{
    GBytes *key;
    gboolean is_chosen;
    g_return_val_if_fail(FRG_IS_SELECTION(selection), FALSE);
    key = g_hash_table_size(selection->chosen) > 0 ? key_at(selection, position, NULL) : NULL;
    is_chosen = key != NULL && g_hash_table_contains(selection->chosen, key);
    g_clear_pointer(&key, g_bytes_unref);
    return is_chosen;
}

static gboolean choose(FrGSelection *selection, guint position)
{
    fr_object *object = NULL;
    GBytes *key = key_at(selection, position, &object);
    if (key == NULL) {
        return FALSE;
    }
    g_hash_table_replace(selection->chosen, key, object);
    return TRUE;
}

gboolean frg_selection_select(FrGSelection *selection, guint position, guint n_items, gboolean unselect_rest)
{
    guint count, index;
    gboolean is_right;
    g_return_val_if_fail(FRG_IS_SELECTION(selection), FALSE);
    count = g_list_model_get_n_items(selection->model);
    is_right = position < count && n_items <= count - position && (selection->is_multiple || n_items == 1);
    if (!is_right) {
        return FALSE;
    }
    if (unselect_rest || !selection->is_multiple) {
        g_hash_table_remove_all(selection->chosen);
        unselect_rest = TRUE;
    }
    if (g_hash_table_size(selection->chosen) == 0) {
        selection->expected = position;
    }
    for (index = position; index < position + n_items; index++) {
        is_right = choose(selection, index) && is_right;
    }
    announce(selection, unselect_rest ? 0 : position, unselect_rest ? count : n_items);
    return is_right;
}

void frg_selection_unselect(FrGSelection *selection, guint position, guint n_items)
{
    GArray *positions;
    guint index;
    g_return_if_fail(FRG_IS_SELECTION(selection));
    positions = frg_selection_dup_positions_in(selection, position, n_items);
    for (index = 0; index < positions->len; index++) {
        GBytes *key = key_at(selection, g_array_index(positions, guint, index), NULL);
        g_hash_table_remove(selection->chosen, key);
        g_bytes_unref(key);
    }
    if (positions->len > 0) {
        guint first = g_array_index(positions, guint, 0);
        announce(selection, first, g_array_index(positions, guint, positions->len - 1) - first + 1);
    }
    g_array_unref(positions);
}

void frg_selection_clear(FrGSelection *selection)
{
    g_return_if_fail(FRG_IS_SELECTION(selection));
    if (g_hash_table_size(selection->chosen) > 0) {
        g_hash_table_remove_all(selection->chosen);
        announce(selection, 0, g_list_model_get_n_items(selection->model));
    }
}

/* Following the rows. */

/*
 * Whether a row that has left the list can return. In a list without a store, as a collection, it
 * is taken to be deleted; so it is if the store can't read.
 */
static gboolean exists(FrGSelection *selection, const char *entity, const fr_value *identity, gsize count)
{
    fr_store *store = NULL;
    fr_object *object = NULL;
    gboolean is_there = fr_controller_store(&store, frg_live_model_get_controller(selection->live)) == FR_OK
                        && fr_store_object(&object, store, entity, identity, count) == FR_OK;
    fr_object_unref(object);
    return is_there;
}

static gboolean is_gone(gpointer key, gpointer value, gpointer user_data)
{
    FrGSelection *selection = user_data;
    fr_list *list = frg_live_model_get_controller(selection->live);
    fr_index_path path;
    const char *entity = "";
    gsize count = 0;
    fr_value *identity;
    gboolean is_there;
    (void)key;
    if (list == NULL || fr_list_index_path_of(&path, list, value) == FR_OK) {
        return list == NULL;
    }
    /* Only objects of rows are chosen, which have both. */
    identity = identity_of(value, &count);
    fr_object_entity(&entity, value);
    is_there = exists(selection, entity, identity, count);
    g_free(identity);
    return !is_there;
}

/* One record of a row that left the list. */
static void check_record(FrGSelection *selection, fr_change_set *changes, gsize record)
{
    fr_object *object = NULL;
    GBytes *key;
    gpointer chosen;
    /* No state of the row may be available: then any chosen row may be the deleted one. */
    fr_change_set_object(&object, changes, record);
    key = key_of_object(object);
    if (key == NULL) {
        g_hash_table_foreach_remove(selection->chosen, is_gone, selection);
        return;
    }
    chosen = g_hash_table_lookup(selection->chosen, key);
    if (chosen != NULL && is_gone(key, chosen, selection)) {
        g_hash_table_remove(selection->chosen, key);
    }
    g_bytes_unref(key);
    fr_object_unref(object);
}

static gboolean is_deletion(const fr_range *range)
{
    return range->kind == FR_OBJECT && range->type == FR_DELETE;
}

static void renew_headers(FrGSelection *selection)
{
    guint position = selection->changed_from;
    selection->changed_from = G_MAXUINT;
    if (position != G_MAXUINT) {
        frg_gtk_selection_renew_headers(selection, position);
    }
}

/* Looks at the rows that left the list, or at the chosen ones if there are fewer. */
static void check_deleted(FrGSelection *selection, fr_change_set *changes)
{
    const fr_range *ranges = NULL;
    gint64 deleted = 0, record;
    gsize count = 0, index;
    /* It refuses only what is no change set. */
    fr_change_set_ranges(&ranges, &count, changes);
    for (index = 0; index < count; index++) {
        deleted += is_deletion(&ranges[index]) ? ranges[index].count : 0;
    }
    if (deleted > g_hash_table_size(selection->chosen)) {
        g_hash_table_foreach_remove(selection->chosen, is_gone, selection);
        return;
    }
    for (index = 0; index < count; index++) {
        const fr_range *range = &ranges[index];
        for (record = 0; is_deletion(range) && record < range->count; record++) {
            check_record(selection, changes, (gsize)(range->first + record));
        }
    }
}

/* Deleted rows are not selected any more: a new row may get the identity. */
static void delivered(FrGSelection *selection)
{
    fr_change_set *changes = frg_live_model_get_delivered(selection->live);
    renew_headers(selection);
    if (g_hash_table_size(selection->chosen) == 0) {
        return;
    }
    if (changes == NULL) {
        g_hash_table_foreach_remove(selection->chosen, is_gone, selection);
    } else {
        check_deleted(selection, changes);
    }
    notify_selected(selection);
}

static void model_changed(FrGSelection *selection, guint position, guint removed, guint added)
{
    g_list_model_items_changed(G_LIST_MODEL(selection), position, removed, added);
    if (removed != added) {
        g_object_notify_by_pspec(G_OBJECT(selection), properties[N_ITEMS]);
    }
    follow_positions(selection, position, removed, added);
    if (!is_delivering(selection)) {
        renew_headers(selection);
        notify_selected(selection);
    }
}

/* The selection as a GListModel. */

static gpointer get_item(GListModel *model, guint position)
{
    return g_list_model_get_item(FRG_SELECTION(model)->model, position);
}

static guint get_n_items(GListModel *model)
{
    return g_list_model_get_n_items(FRG_SELECTION(model)->model);
}

static GType get_item_type(GListModel *model)
{
    return g_list_model_get_item_type(FRG_SELECTION(model)->model);
}

static void frg_selection_implement(GListModelInterface *interface)
{
    interface->get_item = get_item;
    interface->get_n_items = get_n_items;
    interface->get_item_type = get_item_type;
}

/* Properties. */

GListModel *frg_selection_get_model(FrGSelection *selection)
{
    g_return_val_if_fail(FRG_IS_SELECTION(selection), NULL);
    return selection->model;
}

gboolean frg_selection_is_multiple(FrGSelection *selection)
{
    g_return_val_if_fail(FRG_IS_SELECTION(selection), FALSE);
    return selection->is_multiple;
}

guint frg_selection_get_selected(FrGSelection *selection)
{
    g_return_val_if_fail(FRG_IS_SELECTION(selection), G_MAXUINT);
    return selection->selected;
}

GObject *frg_selection_get_selected_item(FrGSelection *selection)
{
    g_return_val_if_fail(FRG_IS_SELECTION(selection), NULL);
    return selection->item;
}

/* Life. */

FrGSelection *frg_selection_new(GListModel *model, gboolean is_multiple)
{
    g_return_val_if_fail(G_IS_LIST_MODEL(model), NULL);
    return g_object_new(FRG_TYPE_SELECTION, "model", model, "is-multiple", is_multiple, NULL);
}

/*
 * The live model below any number of models with a property "model", held; NULL if there is none.
 */
static FrGLiveModel *live_model_below(FrGSelection *selection)
{
    gpointer below = selection->model != NULL ? g_object_ref(selection->model) : NULL;
    while (below != NULL && !FRG_IS_LIVE_MODEL(below)) {
        gpointer above = below;
        below = NULL;
        if (FRG_IS_OBJECT_LIST(above)) {
            g_set_object(&selection->objects, above);
        }
        if (g_object_class_find_property(G_OBJECT_GET_CLASS(above), "model") != NULL) {
            g_object_get(above, "model", &below, NULL);
        }
        g_object_unref(above);
    }
    return below;
}

/* Whether a model has the rows of a list of sections, one section below another. */
static gboolean is_flattened(GListModel *model, FrGLiveModel *live)
{
    gpointer below = NULL;
    if (model != NULL && FRG_IS_SECTION_LIST(live) && strcmp(G_OBJECT_TYPE_NAME(model), "GtkFlattenListModel") == 0) {
        g_object_get(model, "model", &below, NULL);
        g_object_unref(below);
    }
    return below != NULL && below == live;
}

static void frg_selection_constructed(GObject *object)
{
    FrGSelection *selection = FRG_SELECTION(object);
    FrGLiveModel *live = live_model_below(selection);
    G_OBJECT_CLASS(frg_selection_parent_class)->constructed(object);
    if (FRG_IS_LIST_MODEL(selection->model)) {
        selection->rows = FRG_LIVE_MODEL(selection->model);
    } else if (FRG_IS_OBJECT_LIST(selection->model)) {
        selection->rows = FRG_LIVE_MODEL(frg_object_list_get_model(FRG_OBJECT_LIST(selection->model)));
    } else if (is_flattened(selection->model, live)) {
        selection->rows = live;
    }
    if (selection->model != NULL) {
        g_signal_connect_object(selection->model, "items-changed", G_CALLBACK(model_changed), selection,
                                G_CONNECT_SWAPPED);
        frg_gtk_selection_follow_sections(selection);
    }
    if (live != NULL) {
        g_set_object(&selection->live, frg_live_model_get_announcer(live));
        /* It finds moved rows by itself, and views keep what they show of the rows in between. */
        frg_live_model_set_move_range(selection->live, 0);
        g_signal_connect_object(selection->live, "delivered", G_CALLBACK(delivered), selection, G_CONNECT_SWAPPED);
        g_object_unref(live);
    }
}

static void frg_selection_finalize(GObject *object)
{
    FrGSelection *selection = FRG_SELECTION(object);
    g_hash_table_unref(selection->chosen);
    g_clear_object(&selection->item);
    g_clear_object(&selection->live);
    g_clear_object(&selection->objects);
    g_clear_object(&selection->model);
    G_OBJECT_CLASS(frg_selection_parent_class)->finalize(object);
}

static void frg_selection_get_property(GObject *object, guint property, GValue *value, GParamSpec *spec)
{
    FrGSelection *selection = FRG_SELECTION(object);
    switch (property) {
    case MODEL:
        g_value_set_object(value, selection->model);
        break;
    case IS_MULTIPLE:
        g_value_set_boolean(value, selection->is_multiple);
        break;
    case SELECTED:
        g_value_set_uint(value, selection->selected);
        break;
    case SELECTED_ITEM:
        g_value_set_object(value, selection->item);
        break;
    case ITEM_TYPE:
        g_value_set_gtype(value, get_item_type(G_LIST_MODEL(selection)));
        break;
    case N_ITEMS:
        g_value_set_uint(value, get_n_items(G_LIST_MODEL(selection)));
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, property, spec);
    }
}

static void frg_selection_set_property(GObject *object, guint property, const GValue *value, GParamSpec *spec)
{
    FrGSelection *selection = FRG_SELECTION(object);
    switch (property) {
    case MODEL:
        selection->model = g_value_dup_object(value);
        break;
    case IS_MULTIPLE:
        selection->is_multiple = g_value_get_boolean(value);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, property, spec);
    }
}

static void frg_selection_class_init(FrGSelectionClass *selection_class)
{
    const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
    const GParamFlags construct = flags | G_PARAM_WRITABLE | G_PARAM_CONSTRUCT_ONLY;
    GObjectClass *object_class = G_OBJECT_CLASS(selection_class);
    object_class->constructed = frg_selection_constructed;
    object_class->finalize = frg_selection_finalize;
    object_class->get_property = frg_selection_get_property;
    object_class->set_property = frg_selection_set_property;
    /**
     * FrGSelection:model:
     *
     * The rows.
     */
    properties[MODEL] = g_param_spec_object("model", NULL, NULL, G_TYPE_LIST_MODEL, construct);
    /**
     * FrGSelection:is-multiple:
     *
     * Whether more than one row can be selected.
     */
    properties[IS_MULTIPLE] = g_param_spec_boolean("is-multiple", NULL, NULL, FALSE, construct);
    /**
     * FrGSelection:selected:
     *
     * The position of the row, if only one is selected and the model shows it; otherwise
     * %G_MAXUINT. It is notified of when a change was announced completely.
     */
    properties[SELECTED] = g_param_spec_uint("selected", NULL, NULL, 0, G_MAXUINT, G_MAXUINT, flags);
    /**
     * FrGSelection:selected-item:
     *
     * The item there. A row that moves is no reason to notify.
     */
    properties[SELECTED_ITEM] = g_param_spec_object("selected-item", NULL, NULL, G_TYPE_OBJECT, flags);
    /**
     * FrGSelection:item-type:
     *
     * The type of the items.
     */
    properties[ITEM_TYPE] = g_param_spec_gtype("item-type", NULL, NULL, G_TYPE_OBJECT, flags);
    /**
     * FrGSelection:n-items:
     *
     * The number of items.
     */
    properties[N_ITEMS] = g_param_spec_uint("n-items", NULL, NULL, 0, G_MAXUINT, 0, flags);
    g_object_class_install_properties(object_class, PROPERTY_COUNT, properties);
    /**
     * FrGSelection::selection-changed:
     * @selection: the selection
     * @position: the first position that may have changed
     * @n_items: how many positions from there on
     *
     * A person or the program has selected or unselected rows. In a program with GTK 4 it is the
     * signal of GtkSelectionModel.
     *
     * Since: 0.1
     */
    if (!is_in_gtk) {
        g_signal_new("selection-changed", FRG_TYPE_SELECTION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                     G_TYPE_UINT, G_TYPE_UINT);
    }
}

static void frg_selection_init(FrGSelection *selection)
{
    selection->chosen = g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref,
                                              (GDestroyNotify)fr_object_unref);
    selection->selected = G_MAXUINT;
    selection->expected = G_MAXUINT;
    selection->added_to = G_MAXUINT;
    selection->changed_from = G_MAXUINT;
}
