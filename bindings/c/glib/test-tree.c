/* A list of sections as its signals announce it. */
#include "test-support.h"

struct mirror *tree_section(const struct tree *tree, guint index)
{
    return g_ptr_array_index(tree->sections, index);
}

/* No item is in two sections, and no row, which its id identifies. */
static void check_rows(const struct mirror *section, GHashTable *seen)
{
    guint row;
    for (row = 0; row < section->ids->len; row++) {
        if (section->items != NULL) {
            g_assert_true(g_hash_table_add(seen, g_ptr_array_index(section->items, row)));
        }
        if ((section->flags & MIRROR_REPEATS) == 0) {
            g_assert_true(g_hash_table_add(seen, GINT_TO_POINTER((int)g_array_index(section->ids, gint64, row))));
        }
    }
}

void tree_check(const struct tree *tree)
{
    GHashTable *seen = g_hash_table_new(NULL, NULL);
    guint index;
    g_assert_cmpuint(g_list_model_get_n_items(tree->list), ==, tree->sections->len);
    g_assert_null(g_list_model_get_item(tree->list, tree->sections->len));
    for (index = 0; index < tree->sections->len; index++) {
        const struct mirror *section = tree_section(tree, index);
        GListModel *model = g_list_model_get_item(tree->list, index);
        g_assert_true(model == section->model);
        mirror_check(section);
        check_rows(section, seen);
        g_object_unref(model);
    }
    g_hash_table_unref(seen);
}

static void check_all(gpointer user_data)
{
    tree_check(user_data);
}

static void add_section(struct tree *tree, guint position)
{
    GListModel *model = g_list_model_get_item(tree->list, position);
    struct mirror *section = mirror_new(model, tree->flags);
    section->in_handler = check_all;
    section->user_data = tree;
    g_ptr_array_insert(tree->sections, (gint)position, section);
    g_object_unref(model);
}

static void sections_changed(GListModel *list, guint position, guint removed, guint added, gpointer user_data)
{
    struct tree *tree = user_data;
    guint index;
    g_assert_true(list == tree->list);
    g_assert_true(removed > 0 || added > 0);
    g_string_append_printf(tree->log, "%u-%u+%u ", position, removed, added);
    tree->removed += removed;
    tree->added += added;
    if (removed > 0) {
        g_ptr_array_remove_range(tree->sections, position, removed);
    }
    for (index = 0; index < added; index++) {
        add_section(tree, position + index);
    }
    tree_check(tree);
}

static void free_section(gpointer section)
{
    mirror_free(section);
}

struct tree *tree_new(FrGSectionList *list, guint flags)
{
    struct tree *tree = g_new0(struct tree, 1);
    guint index, count = g_list_model_get_n_items(G_LIST_MODEL(list));
    tree->list = g_object_ref(G_LIST_MODEL(list));
    tree->sections = g_ptr_array_new_with_free_func(free_section);
    tree->log = g_string_new("");
    tree->flags = flags;
    tree->handler = g_signal_connect(list, "items-changed", G_CALLBACK(sections_changed), tree);
    for (index = 0; index < count; index++) {
        add_section(tree, index);
    }
    tree_check(tree);
    return tree;
}

void tree_free(struct tree *tree)
{
    g_signal_handler_disconnect(tree->list, tree->handler);
    g_ptr_array_unref(tree->sections);
    g_object_unref(tree->list);
    g_string_free(tree->log, TRUE);
    g_free(tree);
}

char *tree_ids(const struct tree *tree)
{
    GString *ids = g_string_new("");
    guint index;
    for (index = 0; index < tree->sections->len; index++) {
        const struct mirror *section = tree_section(tree, index);
        const char *name = frg_list_model_get_section_name(FRG_LIST_MODEL(section->model));
        char *rows = mirror_ids(section);
        g_string_append_printf(ids, "%s: %s ", name != NULL ? name : "-", rows);
        g_free(rows);
    }
    return g_strchomp(g_string_free(ids, FALSE));
}
