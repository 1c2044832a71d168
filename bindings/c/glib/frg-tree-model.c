/*
 * FrGTreeModel as a GtkTreeModel. As in frg-gtk-selection.c, GTK's functions are found in the
 * process, so that one library serves programs with GTK 3, with GTK 4, and with neither.
 *
 * GListModel announces several rows by one signal, and then shows the state after it. GtkTreeModel
 * announces row by row, and has to show what was announced so far: a level notes which rows are yet
 * to be announced.
 */
#include "frg-tree-model.h"

#include <dlfcn.h>
#include <string.h>

#include "frg-gtk-tree.h"
#include "frg-item-type.h"
#include "frg-list-model-private.h"
#include "frg-section-list.h"

/* The rows at the top, or those of one section. */
typedef struct level {
    FrGTreeModel *tree; /* not held */
    GListModel *model;  /* held */
    gulong handler;
    guint count;        /* of rows that were announced */
    guint at;           /* where rows are being announced */
    guint stale;        /* rows there whose deletion is to be announced */
    guint hidden;       /* rows there whose insertion is to be announced */
} level;

struct _FrGTreeModel {
    GObject parent_instance;
    FrGLiveModel *model;
    char **columns;
    GType *types;        /* of the columns */
    guint n_columns;     /* without column 0 */
    level *top;
    GPtrArray *sections; /* the levels below, in their order; NULL if there are none */
    gint stamp;          /* of valid iterators */
};

/* GTK's functions; NULL until GTK is found. */
static struct {
    GType (*tree_model_get_type)(void);
    gpointer (*tree_path_new_from_indicesv)(gint *indices, gsize length);
    void (*tree_path_free)(gpointer path);
    gint *(*tree_path_get_indices_with_depth)(gpointer path, gint *depth);
    void (*tree_model_row_changed)(gpointer tree, gpointer path, frg_gtk_tree_iter *iter);
    void (*tree_model_row_inserted)(gpointer tree, gpointer path, frg_gtk_tree_iter *iter);
    void (*tree_model_row_has_child_toggled)(gpointer tree, gpointer path, frg_gtk_tree_iter *iter);
    void (*tree_model_row_deleted)(gpointer tree, gpointer path);
} gtk;

static gboolean find_gtk(void)
{
    static const struct {
        const char *name;
        void *function;
    } wanted[] = {
        {"gtk_tree_model_get_type", &gtk.tree_model_get_type},
        {"gtk_tree_path_new_from_indicesv", &gtk.tree_path_new_from_indicesv},
        {"gtk_tree_path_free", &gtk.tree_path_free},
        {"gtk_tree_path_get_indices_with_depth", &gtk.tree_path_get_indices_with_depth},
        {"gtk_tree_model_row_changed", &gtk.tree_model_row_changed},
        {"gtk_tree_model_row_inserted", &gtk.tree_model_row_inserted},
        {"gtk_tree_model_row_has_child_toggled", &gtk.tree_model_row_has_child_toggled},
        {"gtk_tree_model_row_deleted", &gtk.tree_model_row_deleted},
    };
    void *process = dlopen(NULL, RTLD_LAZY);
    guint index;
    for (index = 0; process != NULL && index < G_N_ELEMENTS(wanted); index++) {
        /* POSIX has addresses of functions fit into pointers, C99 does not. */
        void *found = dlsym(process, wanted[index].name);
        memcpy(wanted[index].function, &found, sizeof found);
        if (found == NULL) {
            return FALSE;
        }
    }
    return process != NULL;
}

static gboolean is_in_gtk;

static gboolean implement(GType type);

G_DEFINE_TYPE_WITH_CODE(FrGTreeModel, frg_tree_model, G_TYPE_OBJECT, is_in_gtk = implement(g_define_type_id))

/* Levels. */

static guint section_of(FrGTreeModel *tree, const level *one)
{
    guint section;
    return g_ptr_array_find(tree->sections, one, &section) ? section : 0;
}

static level *level_of(FrGTreeModel *tree, const frg_gtk_tree_iter *iter)
{
    guint section = GPOINTER_TO_UINT(iter->section);
    return section == 0 ? tree->top : g_ptr_array_index(tree->sections, section - 1);
}

/* The level below an iterator, or that at the top for NULL; NULL if a row has none. */
static level *level_below(FrGTreeModel *tree, const frg_gtk_tree_iter *iter)
{
    if (iter == NULL) {
        return tree->top;
    }
    return tree->sections != NULL && iter->section == NULL
               ? g_ptr_array_index(tree->sections, GPOINTER_TO_UINT(iter->row))
               : NULL;
}

/* The item of a row, held; NULL for one whose deletion is to be announced. */
static gpointer item_at(const level *one, guint row)
{
    if (row >= one->at && row < one->at + one->stale) {
        return NULL;
    }
    if (row >= one->at) {
        row += one->hidden - one->stale;
    }
    return g_list_model_get_item(one->model, row);
}

static gboolean set_iter(FrGTreeModel *tree, frg_gtk_tree_iter *iter, const level *one, guint row)
{
    gboolean is_top = one == tree->top;
    if (row >= one->count) {
        *iter = (frg_gtk_tree_iter){0, NULL, NULL, NULL};
        return FALSE;
    }
    *iter = (frg_gtk_tree_iter){tree->stamp, is_top ? NULL : GUINT_TO_POINTER(section_of(tree, one) + 1),
                                GUINT_TO_POINTER(row), NULL};
    return TRUE;
}

/* To be freed with tree_path_free. */
static gpointer path_to(FrGTreeModel *tree, const level *one, guint row)
{
    gint indices[2] = {(gint)row, (gint)row};
    if (one == tree->top) {
        return gtk.tree_path_new_from_indicesv(indices, 1);
    }
    indices[0] = (gint)section_of(tree, one);
    return gtk.tree_path_new_from_indicesv(indices, 2);
}

/* Announcing. */

static void announce(level *one, guint row, void (*signal)(gpointer, gpointer, frg_gtk_tree_iter *))
{
    gpointer path = path_to(one->tree, one, row);
    frg_gtk_tree_iter iter;
    one->tree->stamp++;
    set_iter(one->tree, &iter, one, row);
    signal(one->tree, path, &iter);
    gtk.tree_path_free(path);
}

static level *level_new(FrGTreeModel *tree, GListModel *model);
static void level_free(gpointer data);

/* The level of a section is there before its row is announced, and until that is deleted. */
static void announce_deletion(level *one, guint row)
{
    FrGTreeModel *tree = one->tree;
    gpointer path = path_to(tree, one, row);
    one->stale--;
    one->count--;
    if (one == tree->top && tree->sections != NULL) {
        g_ptr_array_remove_index(tree->sections, row);
    }
    tree->stamp++;
    gtk.tree_model_row_deleted(tree, path);
    gtk.tree_path_free(path);
}

static void announce_insertion(level *one)
{
    FrGTreeModel *tree = one->tree;
    guint row = one->at;
    one->at++;
    one->hidden--;
    one->count++;
    if (one == tree->top && tree->sections != NULL) {
        GListModel *section = item_at(one, row);
        g_ptr_array_insert(tree->sections, (gint)row, level_new(tree, section));
        g_object_unref(section);
    }
    announce(one, row, gtk.tree_model_row_inserted);
    if (one == tree->top && tree->sections != NULL && level_below(tree, NULL) == one
        && ((level *)g_ptr_array_index(tree->sections, row))->count > 0) {
        announce(one, row, gtk.tree_model_row_has_child_toggled);
    }
}

static void items_changed(level *one, guint position, guint removed, guint added)
{
    FrGTreeModel *tree = g_object_ref(one->tree);
    gboolean had_rows = one->count > 0;
    one->at = position;
    one->stale = removed;
    one->hidden = added;
    while (one->stale > 0) {
        announce_deletion(one, position + one->stale - 1);
    }
    while (one->hidden > 0) {
        announce_insertion(one);
    }
    if (one != tree->top && had_rows != (one->count > 0)) {
        announce(tree->top, section_of(tree, one), gtk.tree_model_row_has_child_toggled);
    }
    g_object_unref(tree);
}

/* Everything else was announced, so the places of the list are those of the tree. */
static void announce_update(FrGTreeModel *tree, fr_list *list, fr_index_path path)
{
    int64_t row = path.row;
    if (tree->sections == NULL && fr_list_index_of(&row, list, path) != FR_OK) {
        return;
    }
    if (tree->sections == NULL) {
        announce(tree->top, (guint)row, gtk.tree_model_row_changed);
    } else if (path.section < tree->top->count) {
        announce(path.row < 0 ? tree->top : g_ptr_array_index(tree->sections, path.section),
                 (guint)(path.row < 0 ? path.section : path.row), gtk.tree_model_row_changed);
    }
}

static void announce_group(FrGTreeModel *tree, fr_change_set *changes, int32_t kind, int32_t type)
{
    fr_list *list = frg_live_model_get_controller(tree->model);
    const fr_change *records = NULL;
    size_t count = 0, index;
    /* A change set without such records has none. */
    fr_change_set_group(&records, &count, changes, kind, type);
    for (index = 0; list != NULL && index < count; index++) {
        announce_update(tree, list, records[index].new_path);
    }
}

/* The signals have no updates: their records do. Moved rows were inserted. */
static void delivered(FrGTreeModel *tree)
{
    fr_change_set *changes = frg_live_model_get_delivered(tree->model);
    if (changes != NULL) {
        announce_group(tree, changes, FR_OBJECT, FR_UPDATE);
        if (tree->sections != NULL) {
            announce_group(tree, changes, FR_SECTION, FR_UPDATE);
        }
    }
}

static level *level_new(FrGTreeModel *tree, GListModel *model)
{
    level *one = g_new0(level, 1);
    one->tree = tree;
    one->model = g_object_ref(model);
    one->count = g_list_model_get_n_items(model);
    one->handler = g_signal_connect_swapped(model, "items-changed", G_CALLBACK(items_changed), one);
    return one;
}

static void level_free(gpointer data)
{
    level *one = data;
    g_signal_handler_disconnect(one->model, one->handler);
    g_object_unref(one->model);
    g_free(one);
}

/* The interface. */

static int get_flags(FrGTreeModel *tree)
{
    enum { LIST_ONLY = 1 << 1 };
    return tree->sections == NULL ? LIST_ONLY : 0;
}

static gint get_n_columns(FrGTreeModel *tree)
{
    return (gint)tree->n_columns + 1;
}

static GType get_column_type(FrGTreeModel *tree, gint column)
{
    g_return_val_if_fail(column >= 0 && column <= (gint)tree->n_columns, G_TYPE_INVALID);
    return column == 0 ? G_TYPE_OBJECT : tree->types[column - 1];
}

static gboolean get_iter(FrGTreeModel *tree, frg_gtk_tree_iter *iter, gpointer path)
{
    gint depth = 0, *indices = gtk.tree_path_get_indices_with_depth(path, &depth);
    gboolean is_there = depth >= 1 && depth <= (tree->sections != NULL ? 2 : 1) && indices[0] >= 0
                        && set_iter(tree, iter, tree->top, (guint)indices[0]);
    return is_there
           && (depth == 1 || (indices[1] >= 0 && set_iter(tree, iter, level_below(tree, iter), (guint)indices[1])));
}

static gpointer get_path(FrGTreeModel *tree, frg_gtk_tree_iter *iter)
{
    g_return_val_if_fail(iter->stamp == tree->stamp, NULL);
    return path_to(tree, level_of(tree, iter), GPOINTER_TO_UINT(iter->row));
}

static void get_section_value(FrGTreeModel *tree, FrGListModel *section, guint column, GValue *value)
{
    guint first = 0;
    while (first < tree->n_columns && tree->types[first] != G_TYPE_STRING) {
        first++;
    }
    if (column == first) {
        g_value_set_string(value, frg_list_model_get_section_name(section));
    }
}

static void get_row_value(FrGItem *item, const char *column, GValue *value)
{
    switch (G_VALUE_TYPE(value)) {
    case G_TYPE_BOOLEAN:
        g_value_set_boolean(value, frg_item_get_boolean(item, column));
        break;
    case G_TYPE_INT64:
        g_value_set_int64(value, frg_item_get_int64(item, column));
        break;
    case G_TYPE_DOUBLE:
        g_value_set_double(value, frg_item_get_double(item, column));
        break;
    case G_TYPE_STRING:
        g_value_take_string(value, frg_item_get_string(item, column));
        break;
    default:
        g_value_take_boxed(value, frg_item_get_bytes(item, column));
        break;
    }
}

static void get_value(FrGTreeModel *tree, frg_gtk_tree_iter *iter, gint column, GValue *value)
{
    gpointer item;
    g_value_init(value, get_column_type(tree, column));
    g_return_if_fail(iter->stamp == tree->stamp);
    item = item_at(level_of(tree, iter), GPOINTER_TO_UINT(iter->row));
    if (column == 0) {
        g_value_take_object(value, item);
        return;
    }
    if (FRG_IS_ITEM(item)) {
        get_row_value(item, tree->columns[column - 1], value);
    } else if (item != NULL) {
        get_section_value(tree, item, (guint)column - 1, value);
    }
    g_clear_object(&item);
}

static gboolean iter_next(FrGTreeModel *tree, frg_gtk_tree_iter *iter)
{
    g_return_val_if_fail(iter->stamp == tree->stamp, FALSE);
    return set_iter(tree, iter, level_of(tree, iter), GPOINTER_TO_UINT(iter->row) + 1);
}

/* Before the first row is G_MAXUINT, where no row is. */
static gboolean iter_previous(FrGTreeModel *tree, frg_gtk_tree_iter *iter)
{
    g_return_val_if_fail(iter->stamp == tree->stamp, FALSE);
    return set_iter(tree, iter, level_of(tree, iter), GPOINTER_TO_UINT(iter->row) - 1);
}

static gint iter_n_children(FrGTreeModel *tree, frg_gtk_tree_iter *iter)
{
    const level *below = level_below(tree, iter);
    return below != NULL ? (gint)below->count : 0;
}

static gboolean iter_has_child(FrGTreeModel *tree, frg_gtk_tree_iter *iter)
{
    return iter_n_children(tree, iter) > 0;
}

static gboolean iter_nth_child(FrGTreeModel *tree, frg_gtk_tree_iter *iter, frg_gtk_tree_iter *parent, gint n)
{
    const level *below = level_below(tree, parent);
    if (below == NULL || n < 0) {
        *iter = (frg_gtk_tree_iter){0, NULL, NULL, NULL};
        return FALSE;
    }
    return set_iter(tree, iter, below, (guint)n);
}

static gboolean iter_children(FrGTreeModel *tree, frg_gtk_tree_iter *iter, frg_gtk_tree_iter *parent)
{
    return iter_nth_child(tree, iter, parent, 0);
}

static gboolean iter_parent(FrGTreeModel *tree, frg_gtk_tree_iter *iter, frg_gtk_tree_iter *child)
{
    guint section = GPOINTER_TO_UINT(child->section);
    return set_iter(tree, iter, tree->top, section == 0 ? G_MAXUINT : section - 1);
}

static void fill_interface(gpointer interface, gpointer unused)
{
    frg_gtk_tree_interface *methods = interface;
    (void)unused;
    methods->get_flags = get_flags;
    methods->get_n_columns = get_n_columns;
    methods->get_column_type = get_column_type;
    methods->get_iter = get_iter;
    methods->get_path = get_path;
    methods->get_value = get_value;
    methods->iter_next = iter_next;
    methods->iter_previous = iter_previous;
    methods->iter_children = iter_children;
    methods->iter_has_child = iter_has_child;
    methods->iter_n_children = iter_n_children;
    methods->iter_nth_child = iter_nth_child;
    methods->iter_parent = iter_parent;
}

static gboolean implement(GType type)
{
    const GInterfaceInfo info = {fill_interface, NULL, NULL};
    if (!find_gtk()) {
        return FALSE;
    }
    g_type_add_interface_static(type, gtk.tree_model_get_type(), &info);
    return TRUE;
}

/* Life. */

/* As the properties of the items are; a string where that is not known. */
static GType type_of_column(GType items, const char *column)
{
    GObjectClass *class = g_type_class_ref(items);
    char *name = g_strdelimit(g_strdup(column), "_ .", '-');
    GParamSpec *spec = g_object_class_find_property(class, name);
    GType type = spec != NULL ? spec->value_type : G_TYPE_STRING;
    g_free(name);
    g_type_class_unref(class);
    return type;
}

static GType type_of_items(FrGLiveModel *model)
{
    FrGRequest *request = frg_live_model_get_request(model);
    fr_store *store = NULL;
    if (FRG_IS_LIST_MODEL(model)) {
        return g_list_model_get_item_type(G_LIST_MODEL(model));
    }
    /* A list without a store has no request. */
    fr_controller_store(&store, frg_live_model_get_controller(model));
    return request != NULL ? frg_item_type_of_request(store, request) : FRG_TYPE_ITEM;
}

FrGTreeModel *frg_tree_model_new(FrGLiveModel *model, const char *const *columns)
{
    FrGTreeModel *tree;
    GType items;
    guint index;
    g_return_val_if_fail(FRG_IS_LIVE_MODEL(model), NULL);
    tree = g_object_new(FRG_TYPE_TREE_MODEL, NULL);
    if (!is_in_gtk) {
        g_critical("FrGTreeModel: link or import GTK 3 before the type is used first");
        return tree;
    }
    tree->model = g_object_ref(model);
    tree->columns = g_strdupv((char **)columns);
    tree->n_columns = columns != NULL ? g_strv_length(tree->columns) : 0;
    tree->types = g_new(GType, tree->n_columns + 1);
    items = type_of_items(model);
    for (index = 0; index < tree->n_columns; index++) {
        tree->types[index] = type_of_column(items, columns[index]);
    }
    tree->top = level_new(tree, G_LIST_MODEL(model));
    if (FRG_IS_SECTION_LIST(model)) {
        tree->sections = g_ptr_array_new_with_free_func(level_free);
        for (index = 0; index < tree->top->count; index++) {
            GListModel *section = item_at(tree->top, index);
            g_ptr_array_add(tree->sections, level_new(tree, section));
            g_object_unref(section);
        }
    }
    /* GTK 3 looks for moved rows nowhere, so the rows in between can stay. */
    frg_live_model_set_move_range(model, 0);
    g_signal_connect_object(frg_live_model_get_announcer(model), "delivered", G_CALLBACK(delivered), tree,
                            G_CONNECT_SWAPPED);
    return tree;
}

FrGLiveModel *frg_tree_model_get_model(FrGTreeModel *tree)
{
    g_return_val_if_fail(FRG_IS_TREE_MODEL(tree), NULL);
    return tree->model;
}

static void frg_tree_model_finalize(GObject *object)
{
    FrGTreeModel *tree = FRG_TREE_MODEL(object);
    g_clear_pointer(&tree->sections, g_ptr_array_unref);
    g_clear_pointer(&tree->top, level_free);
    g_strfreev(tree->columns);
    g_free(tree->types);
    g_clear_object(&tree->model);
    G_OBJECT_CLASS(frg_tree_model_parent_class)->finalize(object);
}

static void frg_tree_model_class_init(FrGTreeModelClass *tree_class)
{
    G_OBJECT_CLASS(tree_class)->finalize = frg_tree_model_finalize;
}

static void frg_tree_model_init(FrGTreeModel *tree)
{
    tree->stamp = 1;
}
