/* GtkTreeModelIface and GtkTreeIter as GTK 3 has them. Private to the models. */
#ifndef FRG_GTK_TREE_H
#define FRG_GTK_TREE_H

#include "frg-tree-model.h"

typedef struct frg_gtk_tree_iter {
    gint stamp;
    gpointer section; /* its number and 1; NULL for a row at the top */
    gpointer row;     /* its number */
    gpointer unused;
} frg_gtk_tree_iter;

typedef struct frg_gtk_tree_interface {
    GTypeInterface interface;
    gpointer signals[5];
    int (*get_flags)(FrGTreeModel *tree);
    gint (*get_n_columns)(FrGTreeModel *tree);
    GType (*get_column_type)(FrGTreeModel *tree, gint column);
    gboolean (*get_iter)(FrGTreeModel *tree, frg_gtk_tree_iter *iter, gpointer path);
    gpointer (*get_path)(FrGTreeModel *tree, frg_gtk_tree_iter *iter);
    void (*get_value)(FrGTreeModel *tree, frg_gtk_tree_iter *iter, gint column, GValue *value);
    gboolean (*iter_next)(FrGTreeModel *tree, frg_gtk_tree_iter *iter);
    gboolean (*iter_previous)(FrGTreeModel *tree, frg_gtk_tree_iter *iter);
    gboolean (*iter_children)(FrGTreeModel *tree, frg_gtk_tree_iter *iter, frg_gtk_tree_iter *parent);
    gboolean (*iter_has_child)(FrGTreeModel *tree, frg_gtk_tree_iter *iter);
    gint (*iter_n_children)(FrGTreeModel *tree, frg_gtk_tree_iter *iter);
    gboolean (*iter_nth_child)(FrGTreeModel *tree, frg_gtk_tree_iter *iter, frg_gtk_tree_iter *parent, gint n);
    gboolean (*iter_parent)(FrGTreeModel *tree, frg_gtk_tree_iter *iter, frg_gtk_tree_iter *child);
    void (*ref_node)(FrGTreeModel *tree, frg_gtk_tree_iter *iter);
    void (*unref_node)(FrGTreeModel *tree, frg_gtk_tree_iter *iter);
} frg_gtk_tree_interface;

#endif
