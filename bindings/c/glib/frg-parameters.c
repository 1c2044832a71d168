#include "frg-parameters.h"

#include "frg-store-error.h"

/* The variant inside of others: NULL for a maybe type without value. Takes `variant` over. */
static GVariant *unwrap(GVariant *variant)
{
    while (variant != NULL
           && (g_variant_is_of_type(variant, G_VARIANT_TYPE_VARIANT)
               || g_variant_is_of_type(variant, G_VARIANT_TYPE_MAYBE))) {
        gboolean is_variant = g_variant_is_of_type(variant, G_VARIANT_TYPE_VARIANT);
        GVariant *inner = is_variant ? g_variant_get_variant(variant) : g_variant_get_maybe(variant);
        g_variant_unref(variant);
        variant = inner;
    }
    return variant;
}

static fr_value text_value(GVariant *variant)
{
    gsize length;
    fr_value value = fr_text(g_variant_get_string(variant, &length));
    value.length = (int64_t)length;
    return value;
}

static fr_value blob_value(GVariant *variant)
{
    gsize length;
    gconstpointer data = g_variant_get_fixed_array(variant, &length, sizeof(guchar));
    return fr_blob(data, (int64_t)length);
}

/* FALSE for what SQL has no value for. */
static gboolean get_value(fr_value *value, GVariant *variant)
{
    switch (g_variant_classify(variant)) {
    case G_VARIANT_CLASS_BOOLEAN:
        *value = fr_integer(g_variant_get_boolean(variant));
        return TRUE;
    case G_VARIANT_CLASS_BYTE:
        *value = fr_integer(g_variant_get_byte(variant));
        return TRUE;
    case G_VARIANT_CLASS_INT16:
        *value = fr_integer(g_variant_get_int16(variant));
        return TRUE;
    case G_VARIANT_CLASS_UINT16:
        *value = fr_integer(g_variant_get_uint16(variant));
        return TRUE;
    case G_VARIANT_CLASS_INT32:
        *value = fr_integer(g_variant_get_int32(variant));
        return TRUE;
    case G_VARIANT_CLASS_UINT32:
        *value = fr_integer(g_variant_get_uint32(variant));
        return TRUE;
    case G_VARIANT_CLASS_INT64:
        *value = fr_integer(g_variant_get_int64(variant));
        return TRUE;
    case G_VARIANT_CLASS_UINT64:
        *value = fr_integer((int64_t)g_variant_get_uint64(variant));
        return g_variant_get_uint64(variant) <= G_MAXINT64;
    case G_VARIANT_CLASS_DOUBLE:
        *value = fr_real(g_variant_get_double(variant));
        return TRUE;
    case G_VARIANT_CLASS_STRING:
        *value = text_value(variant);
        return TRUE;
    case G_VARIANT_CLASS_ARRAY:
        if (g_variant_is_of_type(variant, G_VARIANT_TYPE_BYTESTRING)) {
            *value = blob_value(variant);
            return TRUE;
        }
        return FALSE;
    default:
        return FALSE;
    }
}

/* Takes `variant` over. */
static gboolean add_value(frg_parameters *parameters, const char *name, GVariant *variant, GError **error)
{
    GVariant *inner = unwrap(variant);
    fr_value value = fr_null();
    if (inner != NULL) {
        g_ptr_array_add(parameters->held, inner);
        if (!get_value(&value, inner)) {
            g_set_error(error, FRG_STORE_ERROR, FRG_STORE_ERROR_TYPE,
                        "parameter %" G_GSIZE_FORMAT ": \"%s\" has no value in SQL", parameters->count + 1,
                        g_variant_get_type_string(inner));
            return FALSE;
        }
    }
    if (parameters->names != NULL) {
        parameters->names[parameters->count] = name;
    }
    parameters->values[parameters->count++] = value;
    return TRUE;
}

/* A dictionary's entry: its key is the name. */
static gboolean add_entry(frg_parameters *parameters, GVariant *entry, GError **error)
{
    GVariant *name = g_variant_get_child_value(entry, 0);
    g_ptr_array_add(parameters->held, name);
    return add_value(parameters, g_variant_get_string(name, NULL), g_variant_get_child_value(entry, 1), error);
}

static gboolean add_children(frg_parameters *parameters, GVariant *variant, GError **error)
{
    gsize count = g_variant_n_children(variant), index;
    gboolean has_names = g_variant_is_of_type(variant, G_VARIANT_TYPE("a{s*}")), is_right = TRUE;
    parameters->values = g_new(fr_value, MAX(count, 1));
    parameters->names = has_names && count > 0 ? g_new0(const char *, count) : NULL;
    for (index = 0; is_right && index < count; index++) {
        GVariant *child = g_variant_get_child_value(variant, index);
        if (has_names) {
            is_right = add_entry(parameters, child, error);
            g_variant_unref(child);
        } else {
            is_right = add_value(parameters, NULL, child, error);
        }
    }
    return is_right;
}

gboolean frg_parameters_init(frg_parameters *parameters, GVariant *variant, GError **error)
{
    gboolean is_right;
    *parameters = (frg_parameters){.held = g_ptr_array_new_with_free_func((GDestroyNotify)g_variant_unref)};
    if (variant == NULL) {
        return TRUE;
    }
    if (g_variant_is_of_type(variant, G_VARIANT_TYPE_TUPLE)
        || (g_variant_is_of_type(variant, G_VARIANT_TYPE_ARRAY)
            && !g_variant_is_of_type(variant, G_VARIANT_TYPE_BYTESTRING))) {
        is_right = add_children(parameters, variant, error);
    } else {
        parameters->values = g_new(fr_value, 1);
        is_right = add_value(parameters, NULL, g_variant_ref(variant), error);
    }
    if (!is_right) {
        frg_parameters_clear(parameters);
    }
    return is_right;
}

void frg_parameters_clear(frg_parameters *parameters)
{
    g_free(parameters->values);
    g_free(parameters->names);
    g_ptr_array_unref(parameters->held);
}
