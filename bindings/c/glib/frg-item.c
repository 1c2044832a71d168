#include "frg-item-private.h"

#include <string.h>

struct _FrGItem {
    GObject parent_instance;
    fr_object *object;
};

G_DEFINE_TYPE(FrGItem, frg_item, G_TYPE_OBJECT)

FrGItem *frg_item_new(fr_object *object)
{
    FrGItem *item = g_object_new(FRG_TYPE_ITEM, NULL);
    item->object = object;
    return item;
}

static gboolean is_same_value(const fr_value *one, const fr_value *other)
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
            || fr_object_value(&other_value, object, index) != FR_OK || !is_same_value(&value, &other_value)) {
            return FALSE;
        }
    }
    return TRUE;
}

fr_object *frg_item_get_object(FrGItem *item)
{
    g_return_val_if_fail(FRG_IS_ITEM(item), NULL);
    return item->object;
}

char *frg_item_dup_text(FrGItem *item, const char *column)
{
    fr_value value;
    g_return_val_if_fail(FRG_IS_ITEM(item), NULL);
    if (item->object == NULL || fr_object_value_named(&value, item->object, column) != FR_OK) {
        return g_strdup("");
    }
    switch (value.type) {
    case FR_TYPE_INTEGER:
        return g_strdup_printf("%" G_GINT64_FORMAT, (gint64)value.integer);
    case FR_TYPE_REAL:
        return g_strdup_printf("%.15g", value.real);
    case FR_TYPE_TEXT:
        return g_utf8_make_valid(value.data, (gssize)value.length);
    default:
        return g_strdup("");
    }
}

static void frg_item_finalize(GObject *object)
{
    fr_object_unref(FRG_ITEM(object)->object);
    G_OBJECT_CLASS(frg_item_parent_class)->finalize(object);
}

static void frg_item_class_init(FrGItemClass *item_class)
{
    G_OBJECT_CLASS(item_class)->finalize = frg_item_finalize;
}

static void frg_item_init(FrGItem *item)
{
    (void)item;
}
