#include "fr-list-model-private.h"

#include "fr-item-private.h"
#include "fr-unread.h"

/* The section of a model of all rows. */
#define ALL_SECTIONS (-1)

struct _FrListModel {
    FrLiveModel parent_instance;
    gint64 section;
    char *section_name;
    FrItem *section_item;
    GPtrArray *unread;           /* items of rows that could not be read, held so that they keep their places */
    gboolean lacks_section_item; /* the same of the section's row */
};

enum { SECTION_NAME = 1, SECTION_ITEM, PROPERTY_COUNT };

static GParamSpec *properties[PROPERTY_COUNT];

G_DEFINE_TYPE(FrListModel, fr_list_model, FR_TYPE_LIVE_MODEL)

/* Reading. */

static guint count_items(FrLiveModel *live)
{
    fr_controller *controller = fr_live_model_get_controller(live);
    gint64 section = FR_LIST_MODEL(live)->section;
    int64_t count = 0;
    if (section == ALL_SECTIONS) {
        fr_controller_count(&count, controller);
    } else {
        fr_controller_row_count(&count, controller, section);
    }
    return (guint)MIN(count, G_MAXUINT - 1);
}

static fr_status read_object(fr_object **object, FrLiveModel *live, guint place)
{
    fr_controller *controller = fr_live_model_get_controller(live);
    fr_index_path path = {FR_LIST_MODEL(live)->section, place};
    fr_status status = FR_OK;
    if (path.section == ALL_SECTIONS) {
        status = fr_controller_index_path_at(&path, controller, place);
    }
    return status == FR_OK ? fr_controller_object_at(object, controller, path) : status;
}

static fr_object *object_at(FrLiveModel *live, guint place)
{
    fr_object *object = NULL;
    read_object(&object, live, place);
    return object;
}

static gboolean is_blank(FrItem *item)
{
    return fr_item_get_object(item) == NULL;
}

/* Notes an item whose row can't be read, or another one that was given out in its stead without a signal. */
static void note_unread(FrListModel *model, gpointer known, FrItem *item)
{
    guint index;
    if (known != NULL && g_ptr_array_find(model->unread, known, &index)) {
        g_set_object(&model->unread->pdata[index], item);
    } else if (is_blank(item)) {
        g_ptr_array_add(model->unread, g_object_ref(item));
    }
}

/* A row that can't be read is tried again when it is next asked for, and after dispatches. */
static gpointer read_item(FrLiveModel *live, guint place, gpointer known, gboolean *is_sure)
{
    FrItem *item;
    fr_object *object = NULL;
    fr_status status = read_object(&object, live, place);
    *is_sure = object != NULL;
    if (known != NULL && fr_item_is(known, object)) {
        fr_object_unref(object);
        item = g_object_ref(known);
    } else {
        item = fr_item_new(object);
    }
    if (status != FR_CLOSED && status != FR_MISUSE) {
        note_unread(FR_LIST_MODEL(live), known, item);
    }
    if (!*is_sure && FR_LIST_MODEL(live)->unread->len > 0) {
        fr_unread_add(live);
    }
    return item;
}

/* Trying again. */

static gboolean is_readable(FrLiveModel *live, FrItem *item)
{
    guint place = fr_live_model_place_of(live, item);
    fr_object *object = is_blank(item) && place != FR_NOWHERE ? object_at(live, place) : NULL;
    fr_object_unref(object);
    return object != NULL || !is_blank(item) || place == FR_NOWHERE;
}

static void retry_rows(FrLiveModel *live)
{
    FrListModel *model = FR_LIST_MODEL(live);
    GPtrArray *unread = model->unread;
    guint index;
    model->unread = g_ptr_array_new_with_free_func(g_object_unref);
    for (index = 0; index < unread->len; index++) {
        FrItem *item = g_ptr_array_index(unread, index);
        guint place = fr_live_model_place_of(live, item);
        if (place == FR_NOWHERE) {
            continue;
        }
        if (fr_live_model_is_telling(live) || !is_readable(live, item)) {
            g_ptr_array_add(model->unread, g_object_ref(item));
        } else {
            fr_live_model_tell_item(live, place, is_blank(item));
        }
    }
    g_ptr_array_unref(unread);
}

static fr_status read_section_object(fr_object **object, FrLiveModel *live)
{
    return fr_controller_section_object(object, fr_live_model_get_controller(live), FR_LIST_MODEL(live)->section);
}

static void retry_section_item(FrListModel *model)
{
    fr_object *object = NULL;
    fr_status status = read_section_object(&object, FR_LIVE_MODEL(model));
    model->lacks_section_item = status != FR_OK && status != FR_NOT_FOUND && status != FR_CLOSED && status != FR_MISUSE
        && status != FR_RANGE;
    if (object != NULL) {
        fr_list_model_describe_section(model, model->section_name, object);
    }
}

static gboolean retry(FrLiveModel *live, gboolean is_probe)
{
    FrListModel *model = FR_LIST_MODEL(live);
    fr_object *object = NULL;
    if (fr_live_model_is_telling(live)) {
        return !is_probe;
    }
    if (is_probe) {
        if (model->lacks_section_item && read_section_object(&object, live) == FR_OK) {
            fr_object_unref(object);
            return TRUE;
        }
        return model->unread->len > 0 && is_readable(live, g_ptr_array_index(model->unread, 0));
    }
    if (model->lacks_section_item) {
        retry_section_item(model);
    }
    retry_rows(live);
    return model->unread->len > 0 || model->lacks_section_item;
}

void fr_list_model_expect_section_item(FrListModel *model)
{
    model->lacks_section_item = TRUE;
    fr_unread_add(FR_LIVE_MODEL(model));
}

static gpointer read_leaving(FrLiveModel *live, fr_change_set *changes, const fr_leaving *leaving)
{
    fr_object *object = NULL;
    if (leaving->record == FR_NO_RECORD) {
        return fr_item_new(object_at(live, leaving->target));
    }
    fr_change_set_object(&object, changes, leaving->record);
    return fr_item_new(object);
}

/* Telling: for a model of one section its list of sections does it. */

static void tell(FrLiveModel *live, fr_change_set *changes, struct fr_changed_rows *rows)
{
    fr_live_model_begin(live, changes, fr_changed_rows_all(rows));
    fr_live_model_tell_first(live);
    fr_live_model_tell_rest(live);
    fr_live_model_end(live);
}

/* Items that somebody holds are looked for in the new list. */
static void find_again(FrListModel *model, FrItem *item)
{
    fr_controller *controller = fr_live_model_get_controller(FR_LIVE_MODEL(model));
    fr_index_path path;
    int64_t place = -1;
    if (fr_controller_index_path_of(&path, controller, fr_item_get_object(item)) != FR_OK) {
        return;
    }
    if (model->section == path.section) {
        place = path.row;
    } else if (model->section == ALL_SECTIONS) {
        fr_controller_index_of(&place, controller, path);
    }
    if (place >= 0) {
        fr_live_model_suggest(FR_LIVE_MODEL(model), (guint)place, item);
    }
}

static void replace(FrLiveModel *live)
{
    GPtrArray *items = fr_live_model_dup_held(live);
    guint removed = fr_live_model_start_anew(live), index;
    for (index = 0; index < items->len; index++) {
        find_again(FR_LIST_MODEL(live), g_ptr_array_index(items, index));
    }
    g_ptr_array_unref(items);
    fr_live_model_tell_anew(live, removed);
}

void fr_list_model_reload(FrListModel *model)
{
    g_return_if_fail(FR_IS_LIST_MODEL(model));
    if (model->section == ALL_SECTIONS) {
        fr_live_model_replace(FR_LIVE_MODEL(model));
    }
}

/* The section. */

gint64 fr_list_model_get_section(FrListModel *model)
{
    return model->section;
}

void fr_list_model_set_section(FrListModel *model, gint64 section)
{
    model->section = section;
}

const char *fr_list_model_get_section_name(FrListModel *model)
{
    g_return_val_if_fail(FR_IS_LIST_MODEL(model), NULL);
    return model->section_name;
}

FrItem *fr_list_model_get_section_item(FrListModel *model)
{
    g_return_val_if_fail(FR_IS_LIST_MODEL(model), NULL);
    return model->section_item;
}

void fr_list_model_describe_section(FrListModel *model, const char *name, fr_object *object)
{
    if (g_strcmp0(model->section_name, name) != 0) {
        g_free(model->section_name);
        model->section_name = g_strdup(name);
        g_object_notify_by_pspec(G_OBJECT(model), properties[SECTION_NAME]);
    }
    if (object == NULL || (model->section_item != NULL && fr_item_is(model->section_item, object))) {
        fr_object_unref(object);
        return;
    }
    g_clear_object(&model->section_item);
    model->section_item = fr_item_new(object);
    g_object_notify_by_pspec(G_OBJECT(model), properties[SECTION_ITEM]);
}

/* Life. */

FrListModel *fr_list_model_new(fr_controller *controller)
{
    FrListModel *model = g_object_new(FR_TYPE_LIST_MODEL, NULL);
    model->section = ALL_SECTIONS;
    fr_live_model_observe(FR_LIVE_MODEL(model), controller);
    return model;
}

FrListModel *fr_list_model_new_for_section(FrLiveModel *owner, gint64 section, const char *name, fr_object *object)
{
    FrListModel *model = g_object_new(FR_TYPE_LIST_MODEL, NULL);
    model->section = section;
    fr_list_model_describe_section(model, name, object);
    if (owner != NULL) {
        fr_live_model_join(FR_LIVE_MODEL(model), owner);
    }
    return model;
}

static void fr_list_model_finalize(GObject *object)
{
    FrListModel *model = FR_LIST_MODEL(object);
    g_free(model->section_name);
    g_clear_object(&model->section_item);
    g_ptr_array_unref(model->unread);
    G_OBJECT_CLASS(fr_list_model_parent_class)->finalize(object);
}

static void fr_list_model_get_property(GObject *object, guint property, GValue *value, GParamSpec *spec)
{
    FrListModel *model = FR_LIST_MODEL(object);
    if (property == SECTION_NAME) {
        g_value_set_string(value, model->section_name);
    } else if (property == SECTION_ITEM) {
        g_value_set_object(value, model->section_item);
    } else {
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, property, spec);
    }
}

static void fr_list_model_class_init(FrListModelClass *model_class)
{
    const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
    GObjectClass *object_class = G_OBJECT_CLASS(model_class);
    FrLiveModelClass *live_class = FR_LIVE_MODEL_CLASS(model_class);
    object_class->finalize = fr_list_model_finalize;
    object_class->get_property = fr_list_model_get_property;
    live_class->item_type = FR_TYPE_ITEM;
    live_class->count_items = count_items;
    live_class->read_item = read_item;
    live_class->read_leaving = read_leaving;
    live_class->tell = tell;
    live_class->replace = replace;
    live_class->retry = retry;
    properties[SECTION_NAME] = g_param_spec_string("section-name", NULL, NULL, NULL, flags);
    properties[SECTION_ITEM] = g_param_spec_object("section-item", NULL, NULL, FR_TYPE_ITEM, flags);
    g_object_class_install_properties(object_class, PROPERTY_COUNT, properties);
}

static void fr_list_model_init(FrListModel *model)
{
    model->unread = g_ptr_array_new_with_free_func(g_object_unref);
}
