/*
 * FrGSelection as a GtkSelectionModel. The library is not linked to GTK, so this finds GTK's
 * functions in the process, and declares the interface as gtk/gtkselectionmodel.h of GTK 4 does.
 * Both are a part of GTK 4's ABI, which does not change before GTK 5; bindings/c/glib/gtk compares
 * them with the header.
 */
#include "frg-gtk-selection.h"

#include <dlfcn.h>
#include <string.h>

#include "frg-selection-private.h"

/* GTK's functions; NULL until GTK is found. */
static struct {
    GType (*selection_model_get_type)(void);
    gpointer (*bitset_new_empty)(void);
    void (*bitset_add)(gpointer bitset, guint value);
    gboolean (*bitset_contains)(gconstpointer bitset, guint value);
    guint64 (*bitset_get_size)(gconstpointer bitset);
    guint (*bitset_get_nth)(gconstpointer bitset, guint nth);
    /* Since 4.12. */
    GType (*section_model_get_type)(void);
    void (*section_model_get_section)(gpointer model, guint position, guint *start, guint *end);
} gtk;

/* POSIX has addresses of functions fit into pointers, C99 does not. */
static gboolean find(void *function, void *process, const char *name)
{
    void *found = dlsym(process, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static gboolean find_gtk(void)
{
    void *process = dlopen(NULL, RTLD_LAZY);
    return process != NULL && find(&gtk.selection_model_get_type, process, "gtk_selection_model_get_type")
           && find(&gtk.bitset_new_empty, process, "gtk_bitset_new_empty")
           && find(&gtk.bitset_add, process, "gtk_bitset_add")
           && find(&gtk.bitset_contains, process, "gtk_bitset_contains")
           && find(&gtk.bitset_get_size, process, "gtk_bitset_get_size")
           && find(&gtk.bitset_get_nth, process, "gtk_bitset_get_nth");
}

static gboolean is_selected(FrGSelection *selection, guint position)
{
    return frg_selection_contains(selection, position);
}

static gpointer get_selection_in_range(FrGSelection *selection, guint position, guint n_items)
{
    GArray *positions = frg_selection_dup_positions_in(selection, position, n_items);
    gpointer bitset = gtk.bitset_new_empty();
    guint index;
    for (index = 0; index < positions->len; index++) {
        gtk.bitset_add(bitset, g_array_index(positions, guint, index));
    }
    g_array_unref(positions);
    return bitset;
}

static gboolean select_item(FrGSelection *selection, guint position, gboolean unselect_rest)
{
    return frg_selection_select(selection, position, 1, unselect_rest);
}

static gboolean unselect_item(FrGSelection *selection, guint position)
{
    frg_selection_unselect(selection, position, 1);
    return TRUE;
}

static gboolean select_range(FrGSelection *selection, guint position, guint n_items, gboolean unselect_rest)
{
    return frg_selection_select(selection, position, n_items, unselect_rest);
}

static gboolean unselect_range(FrGSelection *selection, guint position, guint n_items)
{
    frg_selection_unselect(selection, position, n_items);
    return TRUE;
}

static gboolean select_all(FrGSelection *selection)
{
    return frg_selection_select(selection, 0, g_list_model_get_n_items(G_LIST_MODEL(selection)), FALSE);
}

static gboolean unselect_all(FrGSelection *selection)
{
    frg_selection_clear(selection);
    return TRUE;
}

/* As GTK does it for a rubber band: what the mask has becomes as in `selected`. */
static gboolean set_selection(FrGSelection *selection, gconstpointer selected, gconstpointer mask)
{
    guint64 count = gtk.bitset_get_size(mask), index;
    gboolean is_right = frg_selection_is_multiple(selection) || gtk.bitset_get_size(selected) <= 1;
    for (index = 0; is_right && index < count; index++) {
        guint position = gtk.bitset_get_nth(mask, (guint)index);
        if (!gtk.bitset_contains(selected, position)) {
            frg_selection_unselect(selection, position, 1);
        } else if (!frg_selection_contains(selection, position)) {
            is_right = frg_selection_select(selection, position, 1, FALSE);
        }
    }
    return is_right;
}

static void implement(gpointer interface, gpointer unused)
{
    frg_gtk_selection_interface *methods = interface;
    (void)unused;
    methods->is_selected = is_selected;
    methods->get_selection_in_range = get_selection_in_range;
    methods->select_item = select_item;
    methods->unselect_item = unselect_item;
    methods->select_range = select_range;
    methods->unselect_range = unselect_range;
    methods->select_all = select_all;
    methods->unselect_all = unselect_all;
    methods->set_selection = set_selection;
}

/*
 * Sections: those of the model, as GTK's own selection models have them. Without any, one of all.
 */

static gboolean has_sections(GListModel *model)
{
    return gtk.section_model_get_section != NULL && g_type_is_a(G_OBJECT_TYPE(model), gtk.section_model_get_type());
}

static void get_section(FrGSelection *selection, guint position, guint *start, guint *end)
{
    guint count = g_list_model_get_n_items(G_LIST_MODEL(selection));
    if (has_sections(frg_selection_get_model(selection))) {
        gtk.section_model_get_section(frg_selection_get_model(selection), position, start, end);
    } else {
        *start = position < count ? 0 : count;
        *end = position < count ? count : G_MAXUINT;
    }
}

static void sections_changed(GObject *selection, guint position, guint n_items)
{
    g_signal_emit_by_name(selection, "sections-changed", position, n_items);
}

void frg_gtk_selection_follow_sections(FrGSelection *selection)
{
    if (has_sections(frg_selection_get_model(selection))) {
        g_signal_connect_object(frg_selection_get_model(selection), "sections-changed", G_CALLBACK(sections_changed),
                                selection, G_CONNECT_SWAPPED);
    }
}

/*
 * GTK 4.18 gives the headers of a view neither their new positions nor another first row, unless
 * it is notified of changed sections: then it binds them again.
 */
void frg_gtk_selection_renew_headers(FrGSelection *selection, guint position)
{
    guint count = g_list_model_get_n_items(G_LIST_MODEL(selection)), start = 0, end = 0;
    if (count > 0 && has_sections(frg_selection_get_model(selection))) {
        get_section(selection, MIN(position, count) - (position > 0), &start, &end);
        g_signal_emit_by_name(selection, "sections-changed", start, count - start);
    }
}

static void implement_sections(gpointer interface, gpointer unused)
{
    (void)unused;
    ((frg_gtk_section_interface *)interface)->get_section = get_section;
}

gboolean frg_gtk_selection_implement(GType type)
{
    const GInterfaceInfo info = {implement, NULL, NULL}, sections = {implement_sections, NULL, NULL};
    void *process;
    if (!find_gtk()) {
        return FALSE;
    }
    g_type_add_interface_static(type, gtk.selection_model_get_type(), &info);
    process = dlopen(NULL, RTLD_LAZY);
    if (find(&gtk.section_model_get_type, process, "gtk_section_model_get_type")
        && find(&gtk.section_model_get_section, process, "gtk_section_model_get_section")) {
        g_type_add_interface_static(type, gtk.section_model_get_type(), &sections);
    }
    return TRUE;
}
