/* The order that a person gives to rows: numbers in a column. */
#include <math.h>

#include "frg-edit-private.h"
#include "frg-item-private.h"
#include "frg-list-model-private.h"
#include "frg-store-error-private.h"

/* A row that gets a number. */
typedef struct placed {
    FrGItem *item; /* held */
    double number; /* what it has, NAN if that is none; later what it gets */
} placed;

static void clear_placed(gpointer data)
{
    g_object_unref(((placed *)data)->item);
}

/* Beyond it doubles skip integers. */
static const double limit = 9007199254740992.0;

/* Of a number within the limit. */
static double floor_of(double number)
{
    double whole = (double)(gint64)number;
    return whole > number ? whole - 1 : whole;
}

static double number_of(FrGItem *item, const char *column, gboolean *is_whole)
{
    double number = NAN;
    fr_value value = fr_null();
    /* A row that can't be read has no number; writing it fails. */
    fr_object_value_named(&value, frg_item_get_object(item), column);
    if (value.type == FR_TYPE_INTEGER) {
        number = (double)value.integer;
    } else if (value.type == FR_TYPE_REAL) {
        number = value.real;
    }
    if (!(number < limit && number > -limit)) {
        return NAN;
    }
    *is_whole = *is_whole && value.type == FR_TYPE_INTEGER;
    return number;
}

/*
 * Gives the rows numbers between two others, which are NAN at the ends of the list. FALSE if there
 * is no room.
 */
static gboolean spread(GArray *rows, double low, double high, gboolean is_whole)
{
    guint index, count = rows->len;
    double before;
    if (isnan(low)) {
        low = isnan(high) ? 0 : -floor_of(-high) - count - 1;
    }
    if (isnan(high)) {
        high = floor_of(low) + count + 1;
    }
    before = low;
    for (index = 0; index < count; index++) {
        double place = (index + 1) * (high - low) / (count + 1);
        double number = low + (is_whole ? floor_of(place) : place);
        if (!(number > before && number < high)) {
            return FALSE;
        }
        g_array_index(rows, placed, index).number = before = number;
    }
    return TRUE;
}

/*
 * The rows around a place, without the one that moves; -1 and the number of rows are beyond them.
 */
typedef struct surroundings {
    FrGListModel *model;
    const char *column;
    FrGItem *moving;
    gint64 first; /* the next row on either side */
    gint64 last;
    gboolean is_whole;
} surroundings;

/* The next row on a side, held; NULL at the end of the list. */
static FrGItem *next_row(surroundings *around, gboolean is_low)
{
    FrGItem *item;
    gint64 *place = is_low ? &around->first : &around->last;
    if (*place < 0) {
        return NULL;
    }
    item = g_list_model_get_item(G_LIST_MODEL(around->model), (guint)*place);
    if (item != NULL) {
        *place += is_low ? -1 : 1;
    }
    if (item == around->moving) {
        g_object_unref(item);
        return next_row(around, is_low);
    }
    return item;
}

/* The number on a side; NAN at the end of the list. Rows without a number get one as well. */
static double bound(surroundings *around, GArray *rows, gboolean is_low)
{
    FrGItem *item;
    while ((item = next_row(around, is_low)) != NULL) {
        placed one = {item, number_of(item, around->column, &around->is_whole)};
        if (!isnan(one.number)) {
            g_object_unref(item);
            return one.number;
        }
        if (is_low) {
            g_array_prepend_val(rows, one);
        } else {
            g_array_append_val(rows, one);
        }
    }
    return NAN;
}

/* Takes the row at a bound in, so that there is room between the next ones. */
static void widen(surroundings *around, GArray *rows, gboolean is_low)
{
    gint64 place = is_low ? around->first + 1 : around->last - 1;
    placed one = {g_list_model_get_item(G_LIST_MODEL(around->model), (guint)place), 0};
    if (is_low) {
        g_array_prepend_val(rows, one);
    } else {
        g_array_append_val(rows, one);
    }
}

/* What has to be written, so that a row is before a place. */
static GArray *placed_rows(FrGListModel *model, const char *column, FrGItem *item, guint before)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(placed));
    surroundings around = {model, column, item, (gint64)before - 1, before, TRUE};
    placed moving = {g_object_ref(item), 0};
    double low, high;
    gboolean is_low;
    g_array_set_clear_func(rows, clear_placed);
    /* A real number stays one. */
    number_of(item, column, &around.is_whole);
    g_array_append_val(rows, moving);
    low = bound(&around, rows, TRUE);
    high = bound(&around, rows, FALSE);
    /* An end of the list has room, so this ends. */
    for (is_low = TRUE; !spread(rows, low, high, around.is_whole); is_low = !is_low) {
        gboolean takes_low = isnan(high) || (is_low && !isnan(low));
        widen(&around, rows, takes_low);
        if (takes_low) {
            low = bound(&around, rows, TRUE);
        } else {
            high = bound(&around, rows, FALSE);
        }
    }
    return rows;
}

static gboolean write_row(fr_store *store, const placed *one, const char *const *columns, const fr_value *values,
                          gsize count, GError **error)
{
    fr_object *object = frg_item_get_object(one->item);
    const char *entity = "";
    int64_t identity_count = 0, index;
    fr_value *identity;
    gboolean is_right;
    if (!frg_succeeded(fr_object_identity_count(&identity_count, object), error)
        || !frg_succeeded(fr_object_entity(&entity, object), error)) {
        return FALSE;
    }
    identity = g_new(fr_value, (gsize)identity_count);
    for (index = 0; index < identity_count; index++) {
        /* The index is one of the object's. */
        fr_object_identity(&identity[index], object, index);
    }
    is_right = frg_succeeded(fr_store_update(store, entity, identity, (gsize)identity_count, columns, values, count),
                             error);
    g_free(identity);
    return is_right;
}

/* What a move changes: numbers, and the value of the section of the row that moves. */
typedef struct relocation {
    GArray *rows; /* of placed */
    const char *column;
    FrGItem *moved;
    char *section_column; /* NULL if the row stays in its section */
    fr_value section_value;
} relocation;

static fr_value value_of(const placed *one)
{
    gboolean is_whole = one->number == floor_of(one->number);
    return is_whole ? fr_integer((int64_t)one->number) : fr_real(one->number);
}

static gboolean write_rows(fr_store *store, const relocation *to, GError **error)
{
    guint index;
    if (!frg_succeeded(fr_store_begin(store, FR_IMMEDIATE), error)) {
        return FALSE;
    }
    for (index = 0; index < to->rows->len; index++) {
        const placed *one = &g_array_index(to->rows, placed, index);
        const char *columns[] = {to->column, to->section_column};
        const fr_value values[] = {value_of(one), to->section_value};
        gsize count = one->item == to->moved && to->section_column != NULL ? 2 : 1;
        if (!write_row(store, one, columns, values, count, error)) {
            /*
             * The error of the row is the one to report; a rollback ends the transaction in any
             * case.
             */
            fr_store_rollback(store);
            return FALSE;
        }
    }
    if (!frg_succeeded(fr_store_commit(store), error)) {
        /*
         * A commit that failed, for example since another connection reads, leaves the transaction
         * open.
         */
        fr_store_rollback(store);
        return FALSE;
    }
    return TRUE;
}

/* Edits an item; FALSE and the error if that fails. */
static gboolean add_edit(GPtrArray *edits, FrGItem *item, const char *column, const fr_value *value, GError **error)
{
    FrGEdit *edit = frg_item_edit_value(item, column, value, error);
    if (edit != NULL) {
        g_ptr_array_add(edits, edit);
    }
    return edit != NULL;
}

static gboolean submit_rows(const relocation *to, FrGSubmit submit, gpointer user_data, GError **error)
{
    GPtrArray *edits = g_ptr_array_new_with_free_func(g_object_unref);
    gboolean is_right = TRUE;
    guint index;
    for (index = 0; is_right && index < to->rows->len; index++) {
        const placed *one = &g_array_index(to->rows, placed, index);
        fr_value number = value_of(one);
        is_right = add_edit(edits, one->item, to->column, &number, error)
                   && (one->item != to->moved || to->section_column == NULL
                       || add_edit(edits, one->item, to->section_column, &to->section_value, error));
    }
    for (index = 0; index < edits->len; index++) {
        FrGEdit *edit = g_ptr_array_index(edits, index);
        if (!is_right) {
            frg_edit_finish(edit);
        } else if (frg_edit_get_item(edit) != NULL) {
            submit(edit, user_data);
        }
    }
    g_ptr_array_unref(edits);
    return is_right;
}

/* Whether a list sorts as the numbers of a column do. */
static gboolean sorts_by(fr_list *list, const char *column)
{
    fr_request_info info = {.struct_size = sizeof info};
    fr_request *request = NULL;
    gboolean is_right = fr_controller_request(&request, list) == FR_OK && fr_request_describe(&info, request) == FR_OK
                        && info.sort_count > 0 && g_ascii_strcasecmp(info.sorts[0].key_path, column) == 0
                        && (info.sorts[0].flags & FR_DESCENDING) == 0;
    fr_request_free(request);
    return is_right;
}

/* Why a row can't be moved, or NULL. section: NULL for a list without sections. */
static const char *refusal(FrGListModel *model, fr_list *list, const char *section, const char *column)
{
    if (frg_live_model_is_delivering(FRG_LIVE_MODEL(model))) {
        return "the model announces a change: move the row after \"delivered\"";
    }
    if (!sorts_by(list, column)) {
        return "the list does not sort by the column of the positions first, in ascending order";
    }
    if (section != NULL && frg_list_model_get_section(model) < 0) {
        return "the rows are in sections: move the row in the model of one";
    }
    return NULL;
}

/* submit: NULL to write. */
static gboolean move_row(FrGListModel *model, const char *column, FrGItem *item, FrGItem *before, FrGSubmit submit,
                         gpointer user_data, GError **error)
{
    fr_list *list;
    fr_store *store = NULL;
    const char *section = NULL, *fault;
    fr_section_info info = {.value = fr_null()};
    guint target = 0, present = 0;
    gboolean is_inside, is_right = TRUE;
    g_return_val_if_fail(FRG_IS_LIST_MODEL(model) && column != NULL && FRG_IS_ITEM(item), FALSE);
    g_return_val_if_fail(before == NULL || FRG_IS_ITEM(before), FALSE);
    list = frg_live_model_get_controller(FRG_LIVE_MODEL(model));
    /* It fails for a list that was closed, and for a collection, whose rows no request sorts. */
    if (!frg_succeeded(fr_controller_store(&store, list), error)
        || !frg_succeeded(fr_controller_section_key_path(&section, list), error)) {
        return FALSE;
    }
    fault = refusal(model, list, section, column);
    target = g_list_model_get_n_items(G_LIST_MODEL(model));
    if (fault == NULL && before != NULL && !frg_list_model_find(model, before, &target)) {
        fault = "the row to put it before is not in the model";
    }
    if (fault != NULL) {
        g_set_error_literal(error, FRG_STORE_ERROR, FRG_STORE_ERROR_MISUSE, fault);
        return FALSE;
    }
    is_inside = frg_list_model_find(model, item, &present);
    if (is_inside && (present == target || present + 1 == target)) {
        return TRUE;
    }
    if (!is_inside && section != NULL) {
        is_right = frg_succeeded(fr_list_section(&info, list, frg_list_model_get_section(model)), error);
    }
    if (is_right) {
        relocation to = {placed_rows(model, column, item, target), column, item, is_inside ? NULL : g_strdup(section),
                         frg_value_copy(&info.value)};
        is_right = submit != NULL ? submit_rows(&to, submit, user_data, error) : write_rows(store, &to, error);
        g_free(to.section_column);
        frg_value_clear(&to.section_value);
        g_array_unref(to.rows);
    }
    return is_right;
}

gboolean frg_list_model_move(FrGListModel *model, const char *column, FrGItem *item, FrGItem *before, GError **error)
{
    return move_row(model, column, item, before, NULL, NULL, error);
}

gboolean frg_list_model_submit_move(FrGListModel *model, const char *column, FrGItem *item, FrGItem *before,
                                    FrGSubmit submit, gpointer user_data, GError **error)
{
    g_return_val_if_fail(submit != NULL, FALSE);
    return move_row(model, column, item, before, submit, user_data, error);
}
