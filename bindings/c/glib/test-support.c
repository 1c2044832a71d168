#include "test-support.h"

void check_at(fr_status status, const char *file, int line)
{
    if (status != FR_OK) {
        g_error("%s:%d: %s: %s", file, line, fr_status_name(status), fr_error_message());
    }
}

fr_store *store_with(const char *sql)
{
    fr_store *store = NULL;
    check(fr_store_open(&store, ":memory:", NULL));
    run(store, "CREATE TABLE t(id INTEGER PRIMARY KEY, s, k, v INTEGER DEFAULT 0)");
    run(store, sql);
    return store;
}

fr_list *list_of(fr_store *store, const char *section)
{
    fr_request *request = NULL;
    fr_list *controller = NULL;
    check(fr_request_new(&request, "t"));
    check(fr_request_set_section(request, section, FR_ASCENDING, NULL));
    check(fr_request_add_sort(request, "k", FR_ASCENDING, NULL));
    check(fr_controller_new(&controller, store, request));
    check(fr_list_perform_fetch(controller));
    fr_request_free(request);
    return controller;
}

void run(fr_store *store, const char *sql)
{
    check(fr_store_execute_script(store, sql));
}

static gint64 object_id(fr_object *object)
{
    fr_value value;
    return object != NULL && fr_object_identity(&value, object, 0) == FR_OK ? value.integer : 0;
}

char *ids_of(fr_list *controller, gboolean with_sections)
{
    GString *ids = g_string_new("");
    fr_index_path path;
    int64_t sections = 0;
    check(fr_list_section_count(&sections, controller));
    for (path.section = 0; path.section < sections; path.section++) {
        fr_section_info section;
        check(fr_list_section(&section, controller, path.section));
        if (with_sections) {
            g_string_append_printf(ids, "%s: ", section.name != NULL ? section.name : "-");
        }
        for (path.row = 0; path.row < section.count; path.row++) {
            fr_object *object = NULL;
            check(fr_list_object_at(&object, controller, path));
            g_string_append_printf(ids, "%d ", (int)object_id(object));
            fr_object_unref(object);
        }
    }
    return g_strchomp(g_string_free(ids, FALSE));
}

static void add_value(GString *text, const fr_value *value)
{
    int64_t index;
    switch (value->type) {
    case FR_TYPE_INTEGER:
        g_string_append_printf(text, "%" G_GINT64_FORMAT, (gint64)value->integer);
        break;
    case FR_TYPE_REAL:
        g_string_append_printf(text, "%.17g real", value->real);
        break;
    case FR_TYPE_TEXT:
        g_string_append_len(text, value->data, (gssize)value->length);
        break;
    case FR_TYPE_BLOB:
        for (index = 0; index < value->length; index++) {
            g_string_append_printf(text, "%02x", (guchar)value->data[index]);
        }
        break;
    default:
        break;
    }
}

char *object_text(fr_object *object)
{
    GString *text = g_string_new("");
    int64_t count = 0, column;
    check(fr_object_column_count(&count, object));
    for (column = 0; column < count; column++) {
        fr_value value;
        check(fr_object_value(&value, object, column));
        g_string_append(text, column == 0 ? "" : " ");
        add_value(text, &value);
    }
    return g_string_free(text, FALSE);
}

/* What an item says of its columns is what its object has. */
static void check_texts(FrGItem *item, fr_object *object)
{
    int64_t count = 0, column;
    check(fr_object_column_count(&count, object));
    for (column = 0; column < count; column++) {
        const char *name = NULL;
        fr_value value;
        check(fr_object_column_name(&name, object, column));
        check(fr_object_value(&value, object, column));
        if (value.type == FR_TYPE_INTEGER
            || (value.type == FR_TYPE_TEXT && g_utf8_validate(value.data, (gssize)value.length, NULL))) {
            GString *expected = g_string_new("");
            char *text = frg_item_dup_text(item, name);
            add_value(expected, &value);
            g_assert_cmpstr(text, ==, expected->str);
            g_string_free(expected, TRUE);
            g_free(text);
        }
    }
}

char *row_text(FrGItem *item)
{
    fr_object *object = frg_item_get_object(item);
    if (object == NULL) {
        return g_strdup("?");
    }
    check_texts(item, object);
    return object_text(object);
}

gint64 row_id(FrGItem *item)
{
    return object_id(frg_item_get_object(item));
}

static gboolean has_id(const struct mirror *mirror, gint64 id)
{
    guint index;
    for (index = 0; index < mirror->ids->len; index++) {
        if (g_array_index(mirror->ids, gint64, index) == id) {
            return TRUE;
        }
    }
    return FALSE;
}

/* An item says that its row was updated. It is the item of that row, at the row's place. */
static void item_changed(FrGItem *item, struct mirror *mirror)
{
    guint index;
    g_assert_true(g_ptr_array_find(mirror->items, item, &index));
    g_assert_cmpint(row_id(item), ==, g_array_index(mirror->ids, gint64, index));
    g_string_append_printf(mirror->updated, "%u ", index);
    g_free(mirror->texts->pdata[index]);
    mirror->texts->pdata[index] = row_text(item);
    mirror_check(mirror);
}

static void mirror_remove(struct mirror *mirror, guint position, guint removed)
{
    guint index;
    if (removed == 0) {
        return;
    }
    g_array_remove_range(mirror->ids, position, removed);
    g_ptr_array_remove_range(mirror->texts, position, removed);
    if (mirror->items == NULL) {
        return;
    }
    for (index = position; index < position + removed; index++) {
        g_signal_handlers_disconnect_by_data(g_ptr_array_index(mirror->items, index), mirror);
    }
    g_ptr_array_remove_range(mirror->items, position, removed);
}

/* Takes in what was added at `position`. */
static void mirror_add(struct mirror *mirror, guint position)
{
    FrGItem *item = g_list_model_get_item(mirror->model, position);
    gint64 id;
    g_assert_true(FRG_IS_ITEM(item));
    id = row_id(item);
    g_assert_false((mirror->flags & MIRROR_REPEATS) == 0 && mirror->ids->len <= 64 && has_id(mirror, id));
    g_array_insert_val(mirror->ids, position, id);
    g_ptr_array_insert(mirror->texts, (gint)position, row_text(item));
    if (mirror->items != NULL) {
        g_ptr_array_insert(mirror->items, (gint)position, item);
        g_signal_connect(item, "changed", G_CALLBACK(item_changed), mirror);
    } else {
        g_object_unref(item);
    }
}

const char *mirror_text(const struct mirror *mirror, guint index)
{
    if (mirror->items == NULL) {
        FrGItem *item = g_list_model_get_item(mirror->model, index);
        g_free(mirror->texts->pdata[index]);
        mirror->texts->pdata[index] = row_text(item);
        g_object_unref(item);
    }
    return g_ptr_array_index(mirror->texts, index);
}

static void items_changed(GListModel *model, guint position, guint removed, guint added, gpointer user_data)
{
    struct mirror *mirror = user_data;
    guint index;
    g_assert_true(model == mirror->model);
    g_assert_true(removed > 0 || added > 0);
    g_assert_cmpuint(position + removed, <=, mirror->texts->len);
    g_string_append_printf(mirror->log, "%u-%u+%u ", position, removed, added);
    mirror->removed += removed;
    mirror->added += added;
    mirror_remove(mirror, position, removed);
    for (index = 0; index < added; index++) {
        mirror_add(mirror, position + index);
    }
    mirror_check(mirror);
    if (mirror->in_handler != NULL) {
        mirror->in_handler(mirror->user_data);
    }
}

struct mirror *mirror_new(gpointer model, guint flags)
{
    struct mirror *mirror = g_new0(struct mirror, 1);
    guint index, count = g_list_model_get_n_items(model);
    mirror->model = g_object_ref(model);
    mirror->flags = flags;
    mirror->ids = g_array_new(FALSE, FALSE, sizeof(gint64));
    mirror->texts = g_ptr_array_new_with_free_func(g_free);
    mirror->items = (flags & MIRROR_HOLDS) != 0 ? g_ptr_array_new_with_free_func(g_object_unref) : NULL;
    mirror->log = g_string_new("");
    mirror->updated = g_string_new("");
    mirror->handler = g_signal_connect(model, "items-changed", G_CALLBACK(items_changed), mirror);
    for (index = 0; index < count; index++) {
        mirror_add(mirror, index);
    }
    return mirror;
}

void mirror_free(struct mirror *mirror)
{
    g_signal_handler_disconnect(mirror->model, mirror->handler);
    mirror_remove(mirror, 0, mirror->ids->len);
    g_object_unref(mirror->model);
    g_array_unref(mirror->ids);
    g_ptr_array_unref(mirror->texts);
    g_clear_pointer(&mirror->items, g_ptr_array_unref);
    g_string_free(mirror->log, TRUE);
    g_string_free(mirror->updated, TRUE);
    g_free(mirror);
}

/* Of long lists a few positions are looked at. */
void mirror_check(const struct mirror *mirror)
{
    guint length = mirror->ids->len, step = length <= 64 ? 1 : length / 7, position;
    GHashTable *seen = g_hash_table_new(NULL, NULL);
    g_assert_cmpuint(g_list_model_get_n_items(mirror->model), ==, length);
    g_assert_null(g_list_model_get_item(mirror->model, length));
    for (position = 0; position < length; position += step) {
        FrGItem *item = g_list_model_get_item(mirror->model, position);
        g_assert_cmpint(row_id(item), ==, g_array_index(mirror->ids, gint64, position));
        if (mirror->items != NULL) {
            g_assert_true(item == g_ptr_array_index(mirror->items, position));
            g_assert_true(g_hash_table_add(seen, item));
        }
        g_object_unref(item);
    }
    g_hash_table_unref(seen);
}

char *mirror_ids(const struct mirror *mirror)
{
    GString *ids = g_string_new("");
    guint index;
    for (index = 0; index < mirror->ids->len; index++) {
        g_string_append_printf(ids, index == 0 ? "%d" : " %d", (int)g_array_index(mirror->ids, gint64, index));
    }
    return g_string_free(ids, FALSE);
}

void flat_set_up(struct flat *test, gconstpointer unused)
{
    (void)unused;
    test->store = store_with(THREE_SECTIONS);
    test->list = list_of(test->store, "s");
    test->model = frg_list_model_new(test->list);
    test->mirror = mirror_new(test->model, MIRROR_HOLDS);
    g_assert_text(mirror_ids(test->mirror), "1 2 3 4 5 6");
}

void flat_tear_down(struct flat *test, gconstpointer unused)
{
    (void)unused;
    if (test->mirror != NULL) {
        mirror_check(test->mirror);
        mirror_free(test->mirror);
    }
    if (test->model != NULL) {
        g_assert_finalize_object(test->model);
    }
    fr_list_free(test->list);
    if (test->store != NULL) {
        check(fr_store_close(test->store));
    }
}

void flat_expect(struct flat *test, const char *ids, const char *signals)
{
    mirror_expect(test->mirror, signals);
    g_assert_text(mirror_ids(test->mirror), ids);
    g_assert_text(ids_of(test->list, FALSE), ids);
}
