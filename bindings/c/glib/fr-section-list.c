#include "fr-section-list.h"

#include "fr-list-model-private.h"

struct _FrSectionList {
    FrLiveModel parent_instance;
};

G_DEFINE_TYPE(FrSectionList, fr_section_list, FR_TYPE_LIVE_MODEL)

/* Reading. */

static guint count_items(FrLiveModel *live)
{
    int64_t count = 0;
    fr_controller_section_count(&count, fr_live_model_get_controller(live));
    return (guint)MIN(count, G_MAXUINT - 1);
}

static gpointer read_item(FrLiveModel *live, guint place, gpointer known, gboolean *is_sure)
{
    fr_controller *controller = fr_live_model_get_controller(live);
    fr_section section;
    fr_object *object = NULL;
    FrListModel *model;
    fr_status status;
    (void)is_sure;
    if (known != NULL) {
        return g_object_ref(known);
    }
    if (fr_controller_section(&section, controller, place) != FR_OK) {
        return fr_list_model_new_for_section(NULL, FR_NO_SECTION, NULL, NULL);
    }
    status = fr_controller_section_object(&object, controller, place);
    model = fr_list_model_new_for_section(live, place, section.name, object);
    if (status != FR_OK && status != FR_NOT_FOUND) {
        fr_list_model_expect_section_item(model);
    }
    return model;
}

static gpointer read_leaving(FrLiveModel *live, fr_change_set *changes, const fr_leaving *leaving)
{
    const char *name = NULL;
    fr_object *object = NULL;
    if (leaving->target != FR_NOWHERE) {
        return fr_live_model_item_at(live, leaving->target);
    }
    fr_change_set_section_name(&name, changes, leaving->record);
    fr_change_set_section_object(&object, changes, leaving->record);
    return fr_list_model_new_for_section(NULL, FR_NO_SECTION, name, object);
}

/* Telling. */

/* Tells each model where its section will be and what will happen to its rows, before any of them tells anybody. */
static void begin(GPtrArray *models, fr_change_set *changes, const fr_changed_rows *rows, const fr_transition *sections)
{
    guint index;
    for (index = 0; index < models->len; index++) {
        FrListModel *model = g_ptr_array_index(models, index);
        gint64 before = fr_list_model_get_section(model);
        guint after;
        const fr_leaving *leaving = fr_transition_find(sections, (guint)before, &after);
        if (leaving != NULL) {
            after = leaving->target;
        }
        fr_list_model_set_section(model, after != FR_NOWHERE ? (gint64)after : FR_NO_SECTION);
        fr_live_model_begin(FR_LIVE_MODEL(model), changes,
                            fr_changed_rows_of_section(rows, before, after != FR_NOWHERE ? (gint64)after : -1));
    }
}

static void describe_sections(FrLiveModel *live, fr_change_set *changes)
{
    const fr_change *records = NULL;
    size_t count = 0, index;
    fr_change_set_records(&records, &count, changes);
    for (index = 0; index < count && records[index].kind == FR_SECTION; index++) {
        gint64 section = records[index].new_path.section;
        FrListModel *model = section < 0 ? NULL : fr_live_model_peek(live, (guint)section);
        const char *name = NULL;
        fr_object *object = NULL;
        if (model != NULL && fr_change_set_section_name(&name, changes, index) == FR_OK) {
            if (fr_change_set_section_object(&object, changes, index) == FR_GONE) {
                fr_list_model_expect_section_item(model);
            }
            fr_list_model_describe_section(model, name, object);
        }
    }
}

static void end(GPtrArray *models)
{
    guint index;
    for (index = 0; index < models->len; index++) {
        FrListModel *model = g_ptr_array_index(models, index);
        fr_live_model_end(FR_LIVE_MODEL(model));
        if (fr_list_model_get_section(model) == FR_NO_SECTION) {
            fr_live_model_cut_off(FR_LIVE_MODEL(model));
            fr_live_model_replace(FR_LIVE_MODEL(model));
        }
    }
}

static void for_each(GPtrArray *models, void (*function)(FrLiveModel *model))
{
    guint index;
    for (index = 0; index < models->len; index++) {
        function(g_ptr_array_index(models, index));
    }
}

static void tell(FrLiveModel *live, fr_change_set *changes, struct fr_changed_rows *rows)
{
    fr_transition *sections = fr_changed_rows_sections(rows);
    GPtrArray *models = fr_live_model_dup_held(live);
    if (fr_live_model_begin(live, changes, sections)) {
        begin(models, changes, rows, sections);
        for_each(models, fr_live_model_tell_first);
        fr_live_model_tell_first(live);
        fr_live_model_tell_rest(live);
        for_each(models, fr_live_model_tell_rest);
        describe_sections(live, changes);
        end(models);
        fr_live_model_end(live);
    } else {
        fr_live_model_replace(live);
    }
    g_ptr_array_unref(models);
}

/* Looks for an item that somebody holds in the new list; the model that it is in now has to be held until the end. */
static void find_again(FrLiveModel *live, FrItem *item, GPtrArray *models)
{
    fr_index_path path;
    if (fr_controller_index_path_of(&path, fr_live_model_get_controller(live), fr_item_get_object(item)) == FR_OK) {
        FrLiveModel *model = fr_live_model_item_at(live, (guint)path.section);
        fr_live_model_suggest(model, (guint)path.row, item);
        g_ptr_array_add(models, model);
    }
}

/* The old models are no part of the list any more when they tell that they are empty. */
static void replace(FrLiveModel *live)
{
    GPtrArray *old = fr_live_model_dup_held(live), *new = g_ptr_array_new_with_free_func(g_object_unref);
    guint removed = fr_live_model_start_anew(live), index, row;
    for (index = 0; index < old->len; index++) {
        GPtrArray *items = fr_live_model_dup_held(g_ptr_array_index(old, index));
        for (row = 0; row < items->len; row++) {
            find_again(live, g_ptr_array_index(items, row), new);
        }
        g_ptr_array_unref(items);
        fr_live_model_cut_off(g_ptr_array_index(old, index));
    }
    fr_live_model_tell_anew(live, removed);
    g_ptr_array_unref(new);
    for_each(old, fr_live_model_replace);
    g_ptr_array_unref(old);
}

/* The models of the sections do that. */
static gboolean retry(FrLiveModel *live, gboolean is_probe)
{
    (void)live;
    (void)is_probe;
    return FALSE;
}

void fr_section_list_reload(FrSectionList *list)
{
    g_return_if_fail(FR_IS_SECTION_LIST(list));
    fr_live_model_replace(FR_LIVE_MODEL(list));
}

/* Life. */

FrSectionList *fr_section_list_new(fr_controller *controller)
{
    FrSectionList *list = g_object_new(FR_TYPE_SECTION_LIST, NULL);
    fr_live_model_observe(FR_LIVE_MODEL(list), controller);
    return list;
}

static void fr_section_list_class_init(FrSectionListClass *list_class)
{
    FrLiveModelClass *live_class = FR_LIVE_MODEL_CLASS(list_class);
    live_class->item_type = FR_TYPE_LIST_MODEL;
    live_class->count_items = count_items;
    live_class->read_item = read_item;
    live_class->read_leaving = read_leaving;
    live_class->tell = tell;
    live_class->replace = replace;
    live_class->retry = retry;
}

static void fr_section_list_init(FrSectionList *list)
{
    (void)list;
}
