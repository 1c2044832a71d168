/* What items need of edits. Private to the models. */
#ifndef FRG_EDIT_PRIVATE_H
#define FRG_EDIT_PRIVATE_H

#include "frg-edit.h"

/* The edits of an item that are under way, in the order in which they were made. */
GPtrArray *frg_edits_new(void);

/* Adds an edit. value: what was entered; listed: what the list has. Both are copied. */
FrGEdit *frg_edits_add(GPtrArray *edits, FrGItem *item, const char *column, const fr_value *value,
                       const fr_value *listed);

/* The value that was entered last; NULL if the column was not edited. */
const fr_value *frg_edits_value(GPtrArray *edits, const char *column);

/*
 * Removes the edits that a later snapshot of the row has an answer to: their value, or another one.
 */
void frg_edits_settle(GPtrArray *edits, fr_object *object);

/* As frg_item_edit, with a value that is copied. */
FrGEdit *frg_item_edit_value(FrGItem *item, const char *column, const fr_value *value, GError **error);

/* What the program has ended. message: NULL if nothing has failed. */
void frg_item_end_edit(FrGItem *item, FrGEdit *edit, const char *column, const char *message);

#endif
