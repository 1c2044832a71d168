#include "frg-item-private.h"

#include <string.h>

#include "frg-edit-private.h"
#include "frg-item-type.h"
#include "frg-parameters.h"
#include "frg-store-error-private.h"

struct _FrGItem {
    GObject parent_instance;
    fr_object *object;
    /* Of a row that a query has read, which has no object. */
    char **columns;
    GArray *values;   /* of fr_value, which own their data */
    GPtrArray *edits; /* that are under way; NULL before the first */
};

G_DEFINE_TYPE(FrGItem, frg_item, G_TYPE_OBJECT)

enum { CHANGED, EDIT_FAILED, SIGNAL_COUNT };
enum { PENDING = 1 };

static guint signals[SIGNAL_COUNT];

FrGItem *frg_item_new(GType type, fr_object *object)
{
    FrGItem *item = g_object_new(type, NULL);
    item->object = object;
    return item;
}

/* Queries. */

static void clear_value(gpointer data)
{
    frg_value_clear(data);
}

void frg_value_clear(fr_value *value)
{
    g_free((gpointer)value->data);
}

fr_value frg_value_copy(const fr_value *value)
{
    fr_value copy = *value;
    copy.data = NULL;
    if (value->type == FR_TYPE_TEXT || value->type == FR_TYPE_BLOB) {
        char *data = g_malloc((gsize)value->length + 1);
        memcpy(data, value->length > 0 ? value->data : "", (gsize)value->length);
        data[value->length] = '\0';
        copy.data = data;
    }
    return copy;
}

FrGItem *frg_item_new_of_query(fr_statement *statement, GError **error)
{
    FrGItem *item = g_object_new(FRG_TYPE_ITEM, NULL);
    int32_t count = 0, index;
    fr_status status = fr_statement_column_count(&count, statement);
    item->columns = g_new0(char *, (gsize)count + 1);
    item->values = g_array_new(FALSE, FALSE, sizeof(fr_value));
    g_array_set_clear_func(item->values, clear_value);
    for (index = 0; status == FR_OK && index < count; index++) {
        const char *name = "";
        fr_value value;
        status = fr_statement_column_name(&name, statement, index);
        item->columns[index] = g_utf8_make_valid(name, -1);
        status = status == FR_OK ? fr_statement_value(&value, statement, index) : status;
        if (status == FR_OK) {
            fr_value copy = frg_value_copy(&value);
            g_array_append_val(item->values, copy);
        }
    }
    if (!frg_succeeded(status, error)) {
        g_clear_object(&item);
    }
    return item;
}

gboolean frg_value_is_same(const fr_value *one, const fr_value *other)
{
    return one->type == other->type && one->integer == other->integer && one->length == other->length
           && memcmp(&one->real, &other->real, sizeof one->real) == 0
           && (one->length == 0 || memcmp(one->data, other->data, (gsize)one->length) == 0);
}

gboolean frg_item_is(FrGItem *item, fr_object *object)
{
    const char *name, *other_name;
    fr_value value, other_value;
    int64_t count = 0, other_count = 0, index;
    fr_object_column_count(&count, item->object);
    fr_object_column_count(&other_count, object);
    if (count != other_count) {
        return FALSE;
    }
    for (index = 0; index < count; index++) {
        if (fr_object_column_name(&name, item->object, index) != FR_OK
            || fr_object_column_name(&other_name, object, index) != FR_OK || strcmp(name, other_name) != 0
            || fr_object_value(&value, item->object, index) != FR_OK
            || fr_object_value(&other_value, object, index) != FR_OK || !frg_value_is_same(&value, &other_value)) {
            return FALSE;
        }
    }
    return TRUE;
}

gboolean frg_item_has(FrGItem *item, const char *column)
{
    int64_t index;
    return item->object != NULL && fr_object_column_index(&index, item->object, column) == FR_OK;
}

gboolean frg_item_differs(FrGItem *item, fr_object *former, const char *column)
{
    fr_value value = fr_null(), former_value = fr_null();
    fr_object_value_named(&value, item->object, column);
    fr_object_value_named(&former_value, former, column);
    return !frg_value_is_same(&value, &former_value);
}

gboolean frg_item_show(FrGItem *item, fr_object *object)
{
    fr_object *former = item->object;
    gboolean was_pending = frg_item_is_pending(item, NULL);
    if (frg_item_is(item, object)) {
        fr_object_unref(object);
        return FALSE;
    }
    item->object = object;
    g_object_ref(item);
    if (was_pending) {
        frg_edits_settle(item->edits, object);
    }
    frg_item_notify(item, former);
    if (was_pending && !frg_item_is_pending(item, NULL)) {
        g_object_notify(G_OBJECT(item), "pending");
    }
    g_signal_emit(item, signals[CHANGED], 0);
    g_object_unref(item);
    fr_object_unref(former);
    return TRUE;
}

fr_object *frg_item_get_object(FrGItem *item)
{
    g_return_val_if_fail(FRG_IS_ITEM(item), NULL);
    return item->object;
}

const char *frg_item_get_entity(FrGItem *item)
{
    const char *entity = NULL;
    g_return_val_if_fail(FRG_IS_ITEM(item), NULL);
    fr_object_entity(&entity, item->object);
    return entity;
}

char **frg_item_get_columns(FrGItem *item)
{
    char **columns;
    int64_t count = 0, index;
    g_return_val_if_fail(FRG_IS_ITEM(item), NULL);
    if (item->columns != NULL) {
        return g_strdupv(item->columns);
    }
    fr_object_column_count(&count, item->object);
    columns = g_new0(char *, (gsize)count + 1);
    for (index = 0; index < count; index++) {
        const char *name = "";
        fr_object_column_name(&name, item->object, index);
        columns[index] = g_utf8_make_valid(name, -1);
    }
    return columns;
}

/* Values. */

/* As fr_object_value_named, of a row of a query. */
static gboolean read_queried(fr_value *value, FrGItem *item, const char *column, GError **error)
{
    guint index;
    for (index = 0; column != NULL && index < item->values->len; index++) {
        if (g_ascii_strcasecmp(item->columns[index], column) == 0) {
            *value = g_array_index(item->values, fr_value, index);
            return TRUE;
        }
    }
    g_set_error(error, FRG_STORE_ERROR, column != NULL ? FRG_STORE_ERROR_SCHEMA : FRG_STORE_ERROR_MISUSE,
                "the query has no column \"%s\"", column != NULL ? column : "NULL");
    return FALSE;
}

static gboolean read_value(fr_value *value, FrGItem *item, const char *column, GError **error)
{
    *value = fr_null();
    if (item->values != NULL) {
        return read_queried(value, item, column, error);
    }
    if (item->object == NULL) {
        g_set_error_literal(error, FRG_STORE_ERROR, FRG_STORE_ERROR_GONE, "the row could not be read");
        return FALSE;
    }
    if (!frg_succeeded(fr_object_value_named(value, item->object, column), error)) {
        return FALSE;
    }
    if (frg_item_is_pending(item, column)) {
        *value = *frg_edits_value(item->edits, column);
    }
    return TRUE;
}

/* The value for a function that reports no error. */
static fr_value value_or_null(FrGItem *item, const char *column)
{
    GError *error = NULL;
    fr_value value;
    if (!read_value(&value, item, column, &error)) {
        if (!g_error_matches(error, FRG_STORE_ERROR, FRG_STORE_ERROR_GONE)) {
            g_warning("FrGItem: %s", error->message);
        }
        g_error_free(error);
    }
    return value;
}

/* NULL for what has no text. */
static char *text_of(const fr_value *value)
{
    switch (value->type) {
    case FR_TYPE_INTEGER:
        return g_strdup_printf("%" G_GINT64_FORMAT, (gint64)value->integer);
    case FR_TYPE_REAL:
        return g_strdup_printf("%.15g", value->real);
    case FR_TYPE_TEXT:
        return g_utf8_make_valid(value->data, (gssize)value->length);
    default:
        return NULL;
    }
}

static GBytes *bytes_of(const fr_value *value)
{
    return g_bytes_new(value->data, (gsize)value->length);
}

/* Not a GBytes: PyGObject does not copy a boxed value that it reads from a GValue. */
static GVariant *blob_of(const fr_value *value)
{
    GBytes *bytes = bytes_of(value);
    GVariant *blob = g_variant_new_from_bytes(G_VARIANT_TYPE_BYTESTRING, bytes, TRUE);
    g_bytes_unref(bytes);
    return g_variant_ref_sink(blob);
}

void frg_item_get_value(FrGItem *item, const char *column, GValue *value, GError **error)
{
    fr_value read;
    g_return_if_fail(FRG_IS_ITEM(item) && value != NULL);
    if (!read_value(&read, item, column, error)) {
        return;
    }
    switch (read.type) {
    case FR_TYPE_INTEGER:
        g_value_set_int64(g_value_init(value, G_TYPE_INT64), read.integer);
        break;
    case FR_TYPE_REAL:
        g_value_set_double(g_value_init(value, G_TYPE_DOUBLE), read.real);
        break;
    case FR_TYPE_BLOB:
        g_value_take_variant(g_value_init(value, G_TYPE_VARIANT), blob_of(&read));
        break;
    default:
        g_value_take_string(g_value_init(value, G_TYPE_STRING), text_of(&read));
        break;
    }
}

char *frg_item_get_string(FrGItem *item, const char *column)
{
    fr_value value;
    g_return_val_if_fail(FRG_IS_ITEM(item), NULL);
    value = value_or_null(item, column);
    return text_of(&value);
}

static gint64 integer_of(gdouble real)
{
    if (real >= 9223372036854775808.0) {
        return G_MAXINT64;
    }
    return real <= -9223372036854775808.0 ? G_MININT64 : (gint64)real;
}

gint64 frg_item_get_int64(FrGItem *item, const char *column)
{
    fr_value value;
    g_return_val_if_fail(FRG_IS_ITEM(item), 0);
    value = value_or_null(item, column);
    switch (value.type) {
    case FR_TYPE_REAL:
        return integer_of(value.real);
    case FR_TYPE_TEXT:
        return g_ascii_strtoll(value.data, NULL, 10);
    default:
        return value.integer;
    }
}

gdouble frg_item_get_double(FrGItem *item, const char *column)
{
    fr_value value;
    g_return_val_if_fail(FRG_IS_ITEM(item), 0);
    value = value_or_null(item, column);
    switch (value.type) {
    case FR_TYPE_INTEGER:
        return (gdouble)value.integer;
    case FR_TYPE_TEXT:
        return g_ascii_strtod(value.data, NULL);
    default:
        return value.real;
    }
}

gboolean frg_item_get_boolean(FrGItem *item, const char *column)
{
    g_return_val_if_fail(FRG_IS_ITEM(item), FALSE);
    return frg_item_get_double(item, column) != 0;
}

GBytes *frg_item_get_bytes(FrGItem *item, const char *column)
{
    fr_value value;
    g_return_val_if_fail(FRG_IS_ITEM(item), NULL);
    value = value_or_null(item, column);
    return value.type == FR_TYPE_BLOB || value.type == FR_TYPE_TEXT ? bytes_of(&value) : NULL;
}

gboolean frg_item_is_null(FrGItem *item, const char *column)
{
    g_return_val_if_fail(FRG_IS_ITEM(item), TRUE);
    return value_or_null(item, column).type == FR_TYPE_NULL;
}

char *frg_item_dup_text(FrGItem *item, const char *column)
{
    fr_value value;
    char *text;
    g_return_val_if_fail(FRG_IS_ITEM(item), NULL);
    read_value(&value, item, column, NULL);
    text = text_of(&value);
    return text != NULL ? text : g_strdup("");
}

/* Edits. */

gboolean frg_item_is_pending(FrGItem *item, const char *column)
{
    g_return_val_if_fail(FRG_IS_ITEM(item), FALSE);
    return item->edits != NULL
           && (column == NULL ? item->edits->len > 0 : frg_edits_value(item->edits, column) != NULL);
}

static void report_edit(FrGItem *item, const char *column, gboolean was_pending)
{
    frg_item_notify_column(item, column);
    if (was_pending != frg_item_is_pending(item, NULL)) {
        g_object_notify(G_OBJECT(item), "pending");
    }
    g_signal_emit(item, signals[CHANGED], 0);
}

FrGEdit *frg_item_edit_value(FrGItem *item, const char *column, const fr_value *value, GError **error)
{
    FrGEdit *edit;
    fr_value shown, listed = fr_null();
    gboolean was_pending = frg_item_is_pending(item, NULL);
    if (item->values != NULL) {
        g_set_error_literal(error, FRG_STORE_ERROR, FRG_STORE_ERROR_MISUSE, "a row of a query can't be edited");
        return NULL;
    }
    if (!read_value(&shown, item, column, error)) {
        return NULL;
    }
    if (frg_value_is_same(&shown, value)) {
        return g_object_new(FRG_TYPE_EDIT, NULL);
    }
    /* It was read just now. */
    fr_object_value_named(&listed, item->object, column);
    if (item->edits == NULL) {
        item->edits = frg_edits_new();
    }
    edit = frg_edits_add(item->edits, item, column, value, &listed);
    report_edit(item, column, was_pending);
    return edit;
}

FrGEdit *frg_item_edit(FrGItem *item, const char *column, GVariant *value, GError **error)
{
    frg_parameters parameters;
    FrGEdit *edit = NULL;
    GVariant *all;
    g_return_val_if_fail(FRG_IS_ITEM(item) && column != NULL, NULL);
    value = value != NULL ? value : g_variant_new("mv", NULL);
    all = g_variant_ref_sink(g_variant_new_tuple(&value, 1));
    if (frg_parameters_init(&parameters, all, error)) {
        edit = frg_item_edit_value(item, column, parameters.values, error);
        frg_parameters_clear(&parameters);
    }
    g_variant_unref(all);
    return edit;
}

void frg_item_end_edit(FrGItem *item, FrGEdit *edit, const char *column, const char *message)
{
    gboolean was_pending = frg_item_is_pending(item, NULL);
    /* It is not among them if the list has answered it. */
    g_object_ref(edit);
    if (g_ptr_array_remove(item->edits, edit)) {
        report_edit(item, column, was_pending);
    }
    if (message != NULL) {
        g_signal_emit(item, signals[EDIT_FAILED], 0, column, message);
    }
    g_object_unref(edit);
}

static void frg_item_get_property(GObject *object, guint property, GValue *value, GParamSpec *spec)
{
    (void)property; /* the only one */
    (void)spec;
    g_value_set_boolean(value, frg_item_is_pending(FRG_ITEM(object), NULL));
}

static void frg_item_finalize(GObject *object)
{
    fr_object_unref(FRG_ITEM(object)->object);
    g_strfreev(FRG_ITEM(object)->columns);
    g_clear_pointer(&FRG_ITEM(object)->values, g_array_unref);
    g_clear_pointer(&FRG_ITEM(object)->edits, g_ptr_array_unref);
    G_OBJECT_CLASS(frg_item_parent_class)->finalize(object);
}

static void frg_item_class_init(FrGItemClass *item_class)
{
    G_OBJECT_CLASS(item_class)->finalize = frg_item_finalize;
    G_OBJECT_CLASS(item_class)->get_property = frg_item_get_property;
    /**
     * FrGItem:pending:
     *
     * Whether the item shows a value whose change has not arrived; see frg_item_edit(). A column of
     * this name takes the property; frg_item_is_pending() is not affected.
     *
     * Since: 0.1
     */
    g_object_class_install_property(
        G_OBJECT_CLASS(item_class), PENDING,
        g_param_spec_boolean("pending", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY));
    /**
     * FrGItem::changed:
     * @item: the item
     *
     * Values of the row have changed; the item's properties have notified of them. If the row has
     * another place now, its model announces that next.
     *
     * Since: 0.1
     */
    signals[CHANGED] = g_signal_new("changed", FRG_TYPE_ITEM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
    /**
     * FrGItem::edit-failed:
     * @item: the item
     * @column: the column that was edited
     * @message: the message of frg_edit_fail()
     *
     * The program has reported that an edit was refused. The item shows the value of the list.
     *
     * Since: 0.1
     */
    signals[EDIT_FAILED] = g_signal_new("edit-failed", FRG_TYPE_ITEM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_STRING);
}

static void frg_item_init(FrGItem *item)
{
    (void)item;
}
