#include "frg-section-list.h"

#include "frg-list-model-private.h"
#include "frg-request-private.h"
#include "frg-store-error-private.h"

struct _FrGSectionList {
    FrGLiveModel parent_instance;
    FrGRequest *section_request; /* NULL for sections of equal values */
    char *item_key;
};

enum { SECTION_REQUEST = 1, ITEM_KEY, PROPERTY_COUNT };

static GParamSpec *properties[PROPERTY_COUNT];

G_DEFINE_TYPE(FrGSectionList, frg_section_list, FRG_TYPE_LIVE_MODEL)

/* Reading. */

static gint64 section(FrGLiveModel *live)
{
    (void)live;
    return -1;
}

static guint count_items(FrGLiveModel *live)
{
    int64_t count = 0;
    fr_list_section_count(&count, frg_live_model_get_controller(live));
    return (guint)MIN(count, G_MAXUINT - 1);
}

static GType item_type(FrGLiveModel *live)
{
    (void)live;
    return FRG_TYPE_LIST_MODEL;
}

static gpointer read_item(FrGLiveModel *live, guint place, gpointer known, gboolean *is_sure)
{
    fr_list *controller = frg_live_model_get_controller(live);
    fr_section_info section;
    fr_object *object = NULL;
    FrGListModel *model;
    fr_status status;
    (void)is_sure;
    if (known != NULL) {
        return g_object_ref(known);
    }
    if (fr_list_section(&section, controller, place) != FR_OK) {
        return frg_list_model_new_for_section(NULL, FRG_NO_SECTION, NULL, NULL);
    }
    status = fr_list_section_object(&object, controller, place);
    model = frg_list_model_new_for_section(live, place, section.name, object);
    if (status != FR_OK && status != FR_NOT_FOUND) {
        frg_list_model_expect_section_item(model);
    }
    return model;
}

static gpointer read_leaving(FrGLiveModel *live, fr_change_set *changes, const frg_leaver *leaver)
{
    const char *name = NULL;
    fr_object *object = NULL;
    if (leaver->target != FRG_NOWHERE) {
        return frg_live_model_item_at(live, leaver->target);
    }
    fr_change_set_section_name(&name, changes, leaver->record);
    fr_change_set_section_object(&object, changes, leaver->record);
    return frg_list_model_new_for_section(NULL, FRG_NO_SECTION, name, object);
}

/* Announcing. */

/*
 * Passes each model its section's new place and its rows' changes, before any of them announces
 * anything.
 */
static void begin(GPtrArray *models, fr_change_set *changes, const frg_changed_rows *rows, frg_transition *sections)
{
    guint index;
    for (index = 0; index < models->len; index++) {
        FrGListModel *model = g_ptr_array_index(models, index);
        gint64 before = frg_list_model_get_section(model);
        guint after;
        const frg_leaver *leaver = frg_transition_find(sections, (guint)before, &after);
        if (leaver != NULL) {
            after = leaver->target;
        }
        frg_list_model_set_section(model, after != FRG_NOWHERE ? (gint64)after : FRG_NO_SECTION);
        frg_live_model_begin(FRG_LIVE_MODEL(model), changes,
                             frg_changed_rows_of_section(rows, before, after != FRG_NOWHERE ? (gint64)after : -1));
    }
}

/* Finds where a row that has left a section is now. */
struct search {
    FrGLiveModel *live;
    fr_change_set *changes;
};

static FrGLiveModel *find_row(gpointer user_data, gsize record, guint *place)
{
    const struct search *search = user_data;
    fr_change change;
    size_t count = 1;
    if (fr_change_set_read(&change, &count, search->changes, record) != FR_OK || change.type == FR_DELETE) {
        return NULL;
    }
    *place = (guint)change.new_path.row;
    return frg_live_model_peek(search->live, (guint)change.new_path.section);
}

/* An item stays with its row in another section. */
static void hand_over(FrGLiveModel *live, GPtrArray *models, fr_change_set *changes)
{
    struct search search = {live, changes};
    guint index;
    for (index = 0; index < models->len; index++) {
        frg_live_model_hand_over(g_ptr_array_index(models, index), find_row, &search);
    }
}

static void refresh_updated(FrGLiveModel *live, const GArray *updated)
{
    guint index;
    for (index = 0; index < updated->len; index++) {
        const frg_rows *rows = &g_array_index(updated, frg_rows, index);
        FrGLiveModel *model = frg_live_model_peek(live, (guint)rows->section);
        if (model != NULL) {
            frg_live_model_refresh(model, rows->run.position, rows->run.count);
        }
    }
}

static void describe_sections(FrGLiveModel *live, fr_change_set *changes)
{
    const fr_range *ranges = NULL;
    size_t count = 0, index;
    /* Sections are first, and each is a range of its own. It refuses only what is no change set. */
    fr_change_set_ranges(&ranges, &count, changes);
    for (index = 0; index < count && ranges[index].kind == FR_SECTION; index++) {
        gint64 section = ranges[index].new_path.section;
        FrGListModel *model = section < 0 ? NULL : frg_live_model_peek(live, (guint)section);
        const char *name = NULL;
        fr_object *object = NULL;
        if (model != NULL && fr_change_set_section_name(&name, changes, index) == FR_OK) {
            if (fr_change_set_section_object(&object, changes, index) == FR_GONE) {
                frg_list_model_expect_section_item(model);
            }
            frg_list_model_describe_section(model, name, object);
        }
    }
}

static void end(GPtrArray *models)
{
    guint index;
    for (index = 0; index < models->len; index++) {
        FrGListModel *model = g_ptr_array_index(models, index);
        frg_live_model_end(FRG_LIVE_MODEL(model));
        if (frg_list_model_get_section(model) == FRG_NO_SECTION) {
            frg_live_model_cut_off(FRG_LIVE_MODEL(model));
            frg_live_model_replace(FRG_LIVE_MODEL(model));
        }
    }
}

static void for_each(GPtrArray *models, void (*function)(FrGLiveModel *model))
{
    guint index;
    for (index = 0; index < models->len; index++) {
        function(g_ptr_array_index(models, index));
    }
}

static void report(FrGLiveModel *live, fr_change_set *changes, frg_changed_rows *rows)
{
    frg_transition *sections = frg_changed_rows_sections(rows);
    GPtrArray *models = frg_live_model_dup_held(live);
    if (frg_live_model_begin(live, changes, sections)) {
        begin(models, changes, rows, sections);
        hand_over(live, models, changes);
        refresh_updated(live, frg_changed_rows_updated(rows));
        for_each(models, frg_live_model_read_changed);
        for_each(models, frg_live_model_report_first);
        frg_live_model_report_first(live);
        frg_live_model_report_rest(live);
        for_each(models, frg_live_model_report_rest);
        describe_sections(live, changes);
        end(models);
        frg_live_model_end(live);
    } else {
        frg_live_model_replace(live);
    }
    g_ptr_array_unref(models);
}

/* A new reference to the section that has an item's row, and where; NULL if none has. */
static gpointer section_of(FrGLiveModel *live, FrGItem *item, fr_index_path *path)
{
    fr_status status = fr_list_index_path_of(path, frg_live_model_get_controller(live), frg_item_get_object(item));
    return status == FR_OK ? frg_live_model_item_at(live, (guint)path->section) : NULL;
}

/*
 * Looks for an item that somebody holds in the new list; the model that it is in now has to be held
 * until the end.
 */
static void find_again(FrGLiveModel *live, FrGItem *item, GPtrArray *models)
{
    fr_index_path path;
    FrGLiveModel *model = section_of(live, item, &path);
    if (model != NULL) {
        frg_live_model_adopt(model, (guint)path.row, item);
        g_ptr_array_add(models, model);
    }
}

/* The old models are not in the list any more when they announce that they are empty. */
static void replace(FrGLiveModel *live)
{
    GPtrArray *old = frg_live_model_dup_held(live), *new = g_ptr_array_new_with_free_func(g_object_unref);
    guint removed = frg_live_model_start_reload(live), index, row;
    for (index = 0; index < old->len; index++) {
        GPtrArray *items = frg_live_model_dup_held(g_ptr_array_index(old, index));
        for (row = 0; row < items->len; row++) {
            find_again(live, g_ptr_array_index(items, row), new);
        }
        g_ptr_array_unref(items);
        frg_live_model_cut_off(g_ptr_array_index(old, index));
    }
    frg_live_model_report_reload(live, removed);
    for_each(new, frg_live_model_read_changed);
    g_ptr_array_unref(new);
    for_each(old, frg_live_model_replace);
    g_ptr_array_unref(old);
}

/* The models of the sections do that. */
static gboolean retry(FrGLiveModel *live, gboolean is_probe)
{
    (void)live;
    (void)is_probe;
    return FALSE;
}

FrGListModel *frg_section_list_find(FrGSectionList *list, FrGItem *item)
{
    fr_index_path path;
    g_return_val_if_fail(FRG_IS_SECTION_LIST(list), NULL);
    g_return_val_if_fail(FRG_IS_ITEM(item), NULL);
    return section_of(FRG_LIVE_MODEL(list), item, &path);
}

void frg_section_list_reload(FrGSectionList *list)
{
    g_return_if_fail(FRG_IS_SECTION_LIST(list));
    frg_live_model_reload(FRG_LIVE_MODEL(list));
}

/* Life. */

FrGSectionList *frg_section_list_new(fr_list *controller)
{
    FrGSectionList *list = g_object_new(FRG_TYPE_SECTION_LIST, NULL);
    frg_live_model_observe(FRG_LIVE_MODEL(list), controller);
    return list;
}

FrGSectionList *frg_section_list_new_for_request(FrGStore *store, FrGRequest *request, GError **error)
{
    return frg_section_list_new_for_map(store, request, NULL, NULL, error);
}

FrGSectionList *frg_section_list_new_for_map(FrGStore *store, FrGRequest *request, FrGRequest *section_request,
                                             const char *item_key, GError **error)
{
    return g_initable_new(FRG_TYPE_SECTION_LIST, NULL, error, "store", store, "request", request, "section-request",
                          section_request, "item-key", item_key, NULL);
}

static fr_list *make_list(FrGLiveModel *live, fr_store *store, fr_request *request, GError **error)
{
    FrGSectionList *self = FRG_SECTION_LIST(live);
    fr_request *sections;
    fr_list *list = NULL;
    if (self->section_request == NULL) {
        frg_succeeded(fr_controller_new(&list, store, request), error);
        return list;
    }
    sections = frg_request_build(self->section_request, error);
    if (sections != NULL) {
        frg_succeeded(fr_section_map_new(&list, store, request, sections, self->item_key, NULL), error);
    }
    fr_request_free(sections);
    return list;
}

static void frg_section_list_get_property(GObject *object, guint property, GValue *value, GParamSpec *spec)
{
    FrGSectionList *list = FRG_SECTION_LIST(object);
    if (property == SECTION_REQUEST) {
        g_value_set_object(value, list->section_request);
    } else if (property == ITEM_KEY) {
        g_value_set_string(value, list->item_key);
    } else {
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, property, spec);
    }
}

static void frg_section_list_set_property(GObject *object, guint property, const GValue *value, GParamSpec *spec)
{
    FrGSectionList *list = FRG_SECTION_LIST(object);
    if (property == SECTION_REQUEST) {
        list->section_request = g_value_dup_object(value);
    } else if (property == ITEM_KEY) {
        list->item_key = g_value_dup_string(value);
    } else {
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, property, spec);
    }
}

static void frg_section_list_finalize(GObject *object)
{
    g_clear_object(&FRG_SECTION_LIST(object)->section_request);
    g_free(FRG_SECTION_LIST(object)->item_key);
    G_OBJECT_CLASS(frg_section_list_parent_class)->finalize(object);
}

static const struct frg_live_model_methods methods = {
    .has_rows = FALSE,
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

static void frg_section_list_class_init(FrGSectionListClass *list_class)
{
    const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;
    GObjectClass *object_class = G_OBJECT_CLASS(list_class);
    FrGLiveModelClass *live_class = FRG_LIVE_MODEL_CLASS(list_class);
    object_class->finalize = frg_section_list_finalize;
    object_class->get_property = frg_section_list_get_property;
    object_class->set_property = frg_section_list_set_property;
    live_class->methods = &methods;
    /**
     * FrGSectionList:section-request:
     *
     * The rows that are the sections, in a section map.
     */
    properties[SECTION_REQUEST] = g_param_spec_object("section-request", NULL, NULL, FRG_TYPE_REQUEST, flags);
    /**
     * FrGSectionList:item-key:
     *
     * The key path from a row to the key of its section, in a section map.
     */
    properties[ITEM_KEY] = g_param_spec_string("item-key", NULL, NULL, NULL, flags);
    g_object_class_install_properties(object_class, PROPERTY_COUNT, properties);
}

static void frg_section_list_init(FrGSectionList *list)
{
    (void)list;
}
