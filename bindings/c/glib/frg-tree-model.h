/* The models for views of GTK 3. */
#ifndef FRG_TREE_MODEL_H
#define FRG_TREE_MODEL_H

#include "frg-live-model.h"

G_BEGIN_DECLS

#define FRG_TYPE_TREE_MODEL (frg_tree_model_get_type())
/**
 * FrGTreeModel:
 *
 * A model as the GtkTreeModel of a GtkTreeView, in a program with GTK 3: the rows of an
 * #FrGListModel as a list, or the sections of an #FrGSectionList with their rows below them. The
 * library is not linked to GTK: GTK has to be loaded before the type is used first.
 *
 * Column 0 has the #FrGItem of a row, or the #FrGListModel of a section. The columns after it are
 * those that the constructor names, for gtk_tree_view_column_add_attribute(). They have the types
 * of the items' properties. In the row of a section the first of them that is a string has the name
 * of the section.
 *
 * An update is row-changed. A row that moves is row-deleted and row-inserted: its GtkTreePath
 * changes, and a GtkTreeSelection loses it. The tree model sets #FrGLiveModel:move-range to 0, so
 * the rows in between stay. Iterators are valid until the next signal.
 *
 * Since: 0.1
 */
FRG_API G_DECLARE_FINAL_TYPE(FrGTreeModel, frg_tree_model, FRG, TREE_MODEL, GObject)

/**
 * frg_tree_model_new:
 * @model: an #FrGListModel or an #FrGSectionList, held by the tree model
 * @columns: (array zero-terminated=1) (nullable): the columns of the rows that the model has; %NULL
 *   for none but column 0
 *
 * Returns: (transfer full): the tree model.
 *
 * Since: 0.1
 */
FRG_API FrGTreeModel *frg_tree_model_new(FrGLiveModel *model, const char *const *columns);

/**
 * frg_tree_model_get_model:
 *
 * Returns: (transfer none): the model that was passed to the constructor.
 *
 * Since: 0.1
 */
FRG_API FrGLiveModel *frg_tree_model_get_model(FrGTreeModel *tree);

G_END_DECLS

#endif
