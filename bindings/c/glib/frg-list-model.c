#include "frg-list-model-private.h"

#include "frg-item-private.h"
#include "frg-item-type.h"
#include "frg-store-error-private.h"
#include "frg-unread.h"

/* The section of a model of all rows. */
#define ALL_SECTIONS (-1)

struct _FrGListModel {
    FrGLiveModel parent_instance;
    gint64 section;
    char *section_name;
    FrGItem *section_item;
    GType item_type;             /* 0 as long as it is not known */
    uint64_t layout;             /* of the rows that have it */
    GPtrArray *unread;           /* items of rows that could not be read, held so that they keep their places */
    gboolean lacks_section_item; /* the same of the section's row */
};

enum { SECTION_NAME = 1, SECTION_ITEM, PROPERTY_COUNT };

static GParamSpec *properties[PROPERTY_COUNT];

G_DEFINE_TYPE(FrGListModel, frg_list_model, FRG_TYPE_LIVE_MODEL)

/* Reading. */

static gint64 section(FrGLiveModel *live)
{
    return FRG_LIST_MODEL(live)->section;
}

static guint count_items(FrGLiveModel *live)
{
    fr_list *controller = frg_live_model_get_controller(live);
    gint64 section = FRG_LIST_MODEL(live)->section;
    int64_t count = 0;
    if (section == ALL_SECTIONS) {
        fr_list_count(&count, controller);
    } else {
        fr_list_row_count(&count, controller, section);
    }
    return (guint)MIN(count, G_MAXUINT - 1);
}

static fr_status read_object(fr_object **object, FrGLiveModel *live, guint place)
{
    fr_list *controller = frg_live_model_get_controller(live);
    fr_index_path path = {FRG_LIST_MODEL(live)->section, place};
    fr_status status = FR_OK;
    if (path.section == ALL_SECTIONS) {
        status = fr_list_index_path_at(&path, controller, place);
    }
    return status == FR_OK ? fr_list_object_at(object, controller, path) : status;
}

static fr_object *object_at(FrGLiveModel *live, guint place)
{
    fr_object *object = NULL;
    read_object(&object, live, place);
    return object;
}

/* NULL for a list that has none, as a collection. */
static fr_store *store_of(FrGListModel *model)
{
    fr_store *store = NULL;
    fr_controller_store(&store, frg_live_model_get_controller(FRG_LIVE_MODEL(model)));
    return store;
}

static GType item_type(FrGLiveModel *live)
{
    FrGListModel *model = FRG_LIST_MODEL(live);
    FrGRequest *request = frg_live_model_get_request(live);
    if (model->item_type == 0 && request != NULL) {
        model->item_type = frg_item_type_of_request(store_of(model), request);
    }
    return model->item_type != 0 ? model->item_type : FRG_TYPE_ITEM;
}

/* Takes the object over. The rows of a collection may differ in their columns. */
static FrGItem *item_of(FrGListModel *model, fr_object *object)
{
    uint64_t layout = 0;
    if (object == NULL || fr_object_layout(&layout, object) != FR_OK) {
        return frg_item_new(item_type(FRG_LIVE_MODEL(model)), object);
    }
    if (layout != model->layout) {
        model->item_type = frg_item_type_of(store_of(model), object, frg_live_model_get_request(FRG_LIVE_MODEL(model)));
        model->layout = layout;
    }
    return frg_item_new(model->item_type, object);
}

/* A row that can't be read is tried again when it is next asked for, and after dispatches. */
static gpointer read_item(FrGLiveModel *live, guint place, gpointer known, gboolean *is_sure)
{
    GPtrArray *unread = FRG_LIST_MODEL(live)->unread;
    FrGItem *item = known != NULL ? g_object_ref(known) : NULL;
    fr_object *object = NULL;
    fr_status status = read_object(&object, live, place);
    *is_sure = object != NULL;
    if (item == NULL) {
        item = item_of(FRG_LIST_MODEL(live), object);
    } else if (object != NULL) {
        frg_item_show(item, object);
    }
    if (object != NULL) {
        g_ptr_array_remove_fast(unread, item);
    } else if (status != FR_CLOSED && status != FR_MISUSE) {
        if (!g_ptr_array_find(unread, item, NULL)) {
            g_ptr_array_add(unread, g_object_ref(item));
        }
        frg_unread_add(live);
    }
    return item;
}

/* Trying again. */

static gboolean is_readable(FrGLiveModel *live, FrGItem *item)
{
    guint place = frg_live_model_place_of(live, item);
    fr_object *object = place != FRG_NOWHERE ? object_at(live, place) : NULL;
    fr_object_unref(object);
    return object != NULL || place == FRG_NOWHERE;
}

static void retry_rows(FrGLiveModel *live)
{
    FrGListModel *model = FRG_LIST_MODEL(live);
    GPtrArray *unread = model->unread;
    guint index;
    model->unread = g_ptr_array_new_with_free_func(g_object_unref);
    for (index = 0; index < unread->len; index++) {
        FrGItem *item = g_ptr_array_index(unread, index);
        guint place = frg_live_model_place_of(live, item);
        if (place == FRG_NOWHERE) {
            continue;
        }
        if (frg_live_model_is_reporting(live)) {
            g_ptr_array_add(model->unread, g_object_ref(item));
        } else {
            g_object_unref(frg_live_model_item_at(live, place));
        }
    }
    g_ptr_array_unref(unread);
}

static fr_status read_section_object(fr_object **object, FrGLiveModel *live)
{
    return fr_list_section_object(object, frg_live_model_get_controller(live), FRG_LIST_MODEL(live)->section);
}

static void retry_section_item(FrGListModel *model)
{
    fr_object *object = NULL;
    fr_status status = read_section_object(&object, FRG_LIVE_MODEL(model));
    model->lacks_section_item = status != FR_OK && status != FR_NOT_FOUND && status != FR_CLOSED && status != FR_MISUSE
                                && status != FR_RANGE;
    if (object != NULL) {
        frg_list_model_describe_section(model, model->section_name, object);
    }
}

static gboolean retry(FrGLiveModel *live, gboolean is_probe)
{
    FrGListModel *model = FRG_LIST_MODEL(live);
    fr_object *object = NULL;
    if (frg_live_model_is_reporting(live)) {
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

void frg_list_model_expect_section_item(FrGListModel *model)
{
    model->lacks_section_item = TRUE;
    frg_unread_add(FRG_LIVE_MODEL(model));
}

static gpointer read_leaving(FrGLiveModel *live, fr_change_set *changes, const frg_leaver *leaver)
{
    fr_object *object = NULL;
    if (leaver->record == FRG_NO_RECORD) {
        object = object_at(live, leaver->target);
    } else {
        fr_change_set_object(&object, changes, leaver->record);
    }
    return item_of(FRG_LIST_MODEL(live), object);
}

/* Announcing: for a model of one section its list of sections does it. */

static void refresh_updated(FrGLiveModel *live, const GArray *updated)
{
    fr_list *controller = frg_live_model_get_controller(live);
    guint index;
    for (index = 0; index < updated->len; index++) {
        const frg_rows *rows = &g_array_index(updated, frg_rows, index);
        int64_t place = 0;
        if (fr_list_index_of(&place, controller, (fr_index_path){rows->section, rows->run.position}) == FR_OK) {
            frg_live_model_refresh(live, (guint)place, rows->run.count);
        }
    }
}

static void report(FrGLiveModel *live, fr_change_set *changes, frg_changed_rows *rows)
{
    if (frg_live_model_begin(live, changes, frg_changed_rows_all(rows))) {
        refresh_updated(live, frg_changed_rows_updated(rows));
        frg_live_model_read_changed(live);
    }
    frg_live_model_report_first(live);
    frg_live_model_report_rest(live);
    frg_live_model_end(live);
}

int64_t frg_list_model_place_of(FrGLiveModel *model, fr_object *object)
{
    fr_list *controller = frg_live_model_get_controller(model);
    gint64 section = FRG_LIVE_MODEL_METHODS(model)->section(model);
    fr_index_path path;
    int64_t place = -1;
    if (fr_list_index_path_of(&path, controller, object) == FR_OK) {
        if (section == path.section) {
            place = path.row;
        } else if (section == ALL_SECTIONS) {
            fr_list_index_of(&place, controller, path);
        }
    }
    return place;
}

gboolean frg_list_model_find(FrGListModel *model, FrGItem *item, guint *position)
{
    int64_t place;
    FrGItem *found;
    gboolean is_there;
    g_return_val_if_fail(FRG_IS_LIST_MODEL(model), FALSE);
    g_return_val_if_fail(FRG_IS_ITEM(item), FALSE);
    place = frg_list_model_place_of(FRG_LIVE_MODEL(model), frg_item_get_object(item));
    /* Of a collection, another place may have the row. And the place may not be announced yet. */
    found = place >= 0 ? g_list_model_get_item(G_LIST_MODEL(model), (guint)place) : NULL;
    is_there = found == item;
    if (is_there && position != NULL) {
        *position = (guint)place;
    }
    g_clear_object(&found);
    return is_there;
}

/* Items that somebody holds are looked for in the new list. */
static void find_again(FrGListModel *model, FrGItem *item)
{
    int64_t place = frg_list_model_place_of(FRG_LIVE_MODEL(model), frg_item_get_object(item));
    if (place >= 0) {
        frg_live_model_adopt(FRG_LIVE_MODEL(model), (guint)place, item);
    }
}

static void replace(FrGLiveModel *live)
{
    GPtrArray *items = frg_live_model_dup_held(live);
    guint removed = frg_live_model_start_reload(live), index;
    for (index = 0; index < items->len; index++) {
        find_again(FRG_LIST_MODEL(live), g_ptr_array_index(items, index));
    }
    g_ptr_array_unref(items);
    frg_live_model_report_reload(live, removed);
    frg_live_model_read_changed(live);
}

void frg_list_model_reload(FrGListModel *model)
{
    g_return_if_fail(FRG_IS_LIST_MODEL(model));
    if (model->section == ALL_SECTIONS) {
        frg_live_model_reload(FRG_LIVE_MODEL(model));
    }
}

/* The section. */

gint64 frg_list_model_get_section(FrGListModel *model)
{
    return model->section;
}

void frg_list_model_set_section(FrGListModel *model, gint64 section)
{
    model->section = section;
}

const char *frg_list_model_get_section_name(FrGListModel *model)
{
    g_return_val_if_fail(FRG_IS_LIST_MODEL(model), NULL);
    return model->section_name;
}

FrGItem *frg_list_model_get_section_item(FrGListModel *model)
{
    g_return_val_if_fail(FRG_IS_LIST_MODEL(model), NULL);
    return model->section_item;
}

void frg_list_model_describe_section(FrGListModel *model, const char *name, fr_object *object)
{
    if (g_strcmp0(model->section_name, name) != 0) {
        g_free(model->section_name);
        model->section_name = g_strdup(name);
        g_object_notify_by_pspec(G_OBJECT(model), properties[SECTION_NAME]);
    }
    if (object != NULL && model->section_item == NULL) {
        model->section_item = frg_item_new(frg_item_type_of(store_of(model), object, NULL), object);
        g_object_notify_by_pspec(G_OBJECT(model), properties[SECTION_ITEM]);
    } else if (object != NULL && frg_item_show(model->section_item, object)) {
        g_object_notify_by_pspec(G_OBJECT(model), properties[SECTION_ITEM]);
    }
}

/* Life. */

FrGListModel *frg_list_model_new(fr_list *controller)
{
    FrGListModel *model = g_object_new(FRG_TYPE_LIST_MODEL, NULL);
    frg_live_model_observe(FRG_LIVE_MODEL(model), controller);
    return model;
}

FrGListModel *frg_list_model_new_for_request(FrGStore *store, FrGRequest *request, GError **error)
{
    return g_initable_new(FRG_TYPE_LIST_MODEL, NULL, error, "store", store, "request", request, NULL);
}

static fr_list *make_list(FrGLiveModel *live, fr_store *store, fr_request *request, GError **error)
{
    fr_list *list = NULL;
    (void)live;
    frg_succeeded(fr_controller_new(&list, store, request), error);
    return list;
}

FrGListModel *frg_list_model_new_for_section(FrGLiveModel *owner, gint64 section, const char *name, fr_object *object)
{
    FrGListModel *model = g_object_new(FRG_TYPE_LIST_MODEL, NULL);
    model->section = section;
    frg_list_model_describe_section(model, name, object);
    if (owner != NULL) {
        frg_live_model_join(FRG_LIVE_MODEL(model), owner);
    }
    return model;
}

static void frg_list_model_finalize(GObject *object)
{
    FrGListModel *model = FRG_LIST_MODEL(object);
    g_free(model->section_name);
    g_clear_object(&model->section_item);
    g_ptr_array_unref(model->unread);
    G_OBJECT_CLASS(frg_list_model_parent_class)->finalize(object);
}

static void frg_list_model_get_property(GObject *object, guint property, GValue *value, GParamSpec *spec)
{
    FrGListModel *model = FRG_LIST_MODEL(object);
    if (property == SECTION_NAME) {
        g_value_set_string(value, model->section_name);
    } else if (property == SECTION_ITEM) {
        g_value_set_object(value, model->section_item);
    } else {
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, property, spec);
    }
}

static const struct frg_live_model_methods methods = {
    .has_rows = TRUE,
    .section = section,
    .count_items = count_items,
    .item_type = item_type,
    .read_item = read_item,
    .read_leaving = read_leaving,
    .report = report,
    .replace = replace,
    .retry = retry,
    .make_list = make_list,
};

static void frg_list_model_class_init(FrGListModelClass *model_class)
{
    const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
    GObjectClass *object_class = G_OBJECT_CLASS(model_class);
    FrGLiveModelClass *live_class = FRG_LIVE_MODEL_CLASS(model_class);
    object_class->finalize = frg_list_model_finalize;
    object_class->get_property = frg_list_model_get_property;
    live_class->methods = &methods;
    /**
     * FrGListModel:section-name:
     *
     * The name of the section whose rows these are.
     */
    properties[SECTION_NAME] = g_param_spec_string("section-name", NULL, NULL, NULL, flags);
    /**
     * FrGListModel:section-item:
     *
     * The row that the section stands for, in a section map.
     */
    properties[SECTION_ITEM] = g_param_spec_object("section-item", NULL, NULL, FRG_TYPE_ITEM, flags);
    g_object_class_install_properties(object_class, PROPERTY_COUNT, properties);
}

static void frg_list_model_init(FrGListModel *model)
{
    model->section = ALL_SECTIONS;
    model->unread = g_ptr_array_new_with_free_func(g_object_unref);
}
