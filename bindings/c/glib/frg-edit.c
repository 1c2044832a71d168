#include "frg-edit-private.h"

#include "frg-item-private.h"

struct _FrGEdit {
    GObject parent_instance;
    FrGItem *item; /* NULL once the program has ended the edit */
    char *column;
    fr_value value;
    fr_value listed; /* what the list had when it was last compared */
};

G_DEFINE_TYPE(FrGEdit, frg_edit, G_TYPE_OBJECT)

GPtrArray *frg_edits_new(void)
{
    return g_ptr_array_new_with_free_func(g_object_unref);
}

FrGEdit *frg_edits_add(GPtrArray *edits, FrGItem *item, const char *column, const fr_value *value,
                       const fr_value *listed)
{
    FrGEdit *edit = g_object_new(FRG_TYPE_EDIT, NULL);
    edit->item = g_object_ref(item);
    edit->column = g_strdup(column);
    edit->value = frg_value_copy(value);
    edit->listed = frg_value_copy(listed);
    g_ptr_array_add(edits, g_object_ref(edit));
    return edit;
}

static gboolean is_of(FrGEdit *edit, const char *column)
{
    return g_ascii_strcasecmp(edit->column, column) == 0;
}

const fr_value *frg_edits_value(GPtrArray *edits, const char *column)
{
    guint index;
    for (index = edits->len; index > 0; index--) {
        FrGEdit *edit = g_ptr_array_index(edits, index - 1);
        if (is_of(edit, column)) {
            return &edit->value;
        }
    }
    return NULL;
}

/*
 * Removes the edits of a column up to the first one that has a value, which is the answer to it.
 * Where no edit has it, something else has decided, and all are removed.
 */
static void answer(GPtrArray *edits, const char *column, const fr_value *value)
{
    guint index = 0;
    gboolean is_answered = FALSE;
    while (index < edits->len) {
        FrGEdit *edit = g_ptr_array_index(edits, index);
        if (!is_of(edit, column)) {
            index++;
        } else if (is_answered) {
            frg_value_clear(&edit->listed);
            edit->listed = frg_value_copy(value);
            index++;
        } else {
            is_answered = frg_value_is_same(&edit->value, value);
            g_ptr_array_remove_index(edits, index);
        }
    }
}

void frg_edits_settle(GPtrArray *edits, fr_object *object)
{
    guint index = 0;
    while (index < edits->len) {
        FrGEdit *edit = g_ptr_array_index(edits, index);
        fr_value value = fr_null();
        /* A column that the row has no more shows nothing. */
        if (fr_object_value_named(&value, object, edit->column) == FR_OK && frg_value_is_same(&value, &edit->listed)) {
            index++;
        } else {
            char *column = g_strdup(edit->column);
            answer(edits, column, &value);
            g_free(column);
            index = 0;
        }
    }
}

FrGItem *frg_edit_get_item(FrGEdit *edit)
{
    g_return_val_if_fail(FRG_IS_EDIT(edit), NULL);
    return edit->item;
}

const char *frg_edit_get_column(FrGEdit *edit)
{
    g_return_val_if_fail(FRG_IS_EDIT(edit), NULL);
    return edit->column;
}

static void end(FrGEdit *edit, const char *message)
{
    FrGItem *item = edit->item;
    if (item != NULL) {
        edit->item = NULL;
        frg_item_end_edit(item, edit, edit->column, message);
        g_object_unref(item);
    }
}

void frg_edit_fail(FrGEdit *edit, const char *message)
{
    g_return_if_fail(FRG_IS_EDIT(edit) && message != NULL);
    end(edit, message);
}

void frg_edit_finish(FrGEdit *edit)
{
    g_return_if_fail(FRG_IS_EDIT(edit));
    end(edit, NULL);
}

static void frg_edit_finalize(GObject *object)
{
    FrGEdit *edit = FRG_EDIT(object);
    g_clear_object(&edit->item);
    g_free(edit->column);
    frg_value_clear(&edit->value);
    frg_value_clear(&edit->listed);
    G_OBJECT_CLASS(frg_edit_parent_class)->finalize(object);
}

static void frg_edit_class_init(FrGEditClass *edit_class)
{
    G_OBJECT_CLASS(edit_class)->finalize = frg_edit_finalize;
}

static void frg_edit_init(FrGEdit *edit)
{
    (void)edit;
}
