/* Deliveries through the main loop. */
#include <glib/gstdio.h>

#include "frg-store-source.h"
#include "test-support.h"

typedef struct fixture {
    char *folder;
    char *path;
    fr_store *store;
    fr_list *list;
    FrGListModel *model;
    GMainContext *context;
    GSource *source;
} fixture;

/* A queued store on a file, and a source that looks for other connections' commits. */
static void set_up(fixture *test, gconstpointer interval_ms)
{
    fr_store_options options = {
        .struct_size = sizeof options, .flags = FR_STORE_QUEUED, .busy_timeout_ms = -1, .journal_mode = "delete"};
    test->folder = g_dir_make_tmp("frg-XXXXXX", NULL);
    test->path = g_build_filename(test->folder, "test.db", NULL);
    check(fr_store_open(&test->store, test->path, &options));
    run(test->store, "CREATE TABLE t(id INTEGER PRIMARY KEY, s, k, v DEFAULT 0)");
    test->list = list_of(test->store, NULL);
    test->model = frg_list_model_new(test->list);
    test->context = g_main_context_new();
    test->source = frg_store_source_new(test->store, GPOINTER_TO_UINT(interval_ms));
    g_source_attach(test->source, test->context);
}

static void tear_down(fixture *test, gconstpointer interval_ms)
{
    (void)interval_ms;
    g_source_destroy(test->source);
    g_source_unref(test->source);
    g_main_context_unref(test->context);
    g_assert_finalize_object(test->model);
    fr_list_free(test->list);
    if (test->store != NULL) {
        check(fr_store_close(test->store));
    }
    g_remove(test->path);
    g_rmdir(test->folder);
    g_free(test->path);
    g_free(test->folder);
}

static guint count(fixture *test)
{
    return g_list_model_get_n_items(G_LIST_MODEL(test->model));
}

static void queued_commits_arrive(fixture *test, gconstpointer interval_ms)
{
    (void)interval_ms;
    run(test->store, "INSERT INTO t(k) VALUES (1), (2)");
    g_assert_cmpuint(count(test), ==, 0);
    while (count(test) == 0) {
        g_main_context_iteration(test->context, TRUE);
    }
    g_assert_cmpuint(count(test), ==, 2);
    g_assert_false(g_main_context_iteration(test->context, FALSE));
}

static void fetched(fr_list *list, const fr_error *error, void *user_data)
{
    (void)list;
    g_assert_null(error);
    frg_list_model_reload(((fixture *)user_data)->model);
}

static void fetches_in_the_background_arrive(fixture *test, gconstpointer interval_ms)
{
    fr_store *other = NULL;
    (void)interval_ms;
    check(fr_store_open(&other, test->path, NULL));
    run(other, "INSERT INTO t(k) VALUES (1), (2)");
    check(fr_store_close(other));
    check(fr_list_perform_fetch_async(test->list, NULL, fetched, test, NULL));
    while (count(test) == 0) {
        g_main_context_iteration(test->context, TRUE);
    }
    g_assert_cmpuint(count(test), ==, 2);
}

static void foreign_commits_arrive(fixture *test, gconstpointer interval_ms)
{
    fr_store *other = NULL;
    (void)interval_ms;
    check(fr_store_open(&other, test->path, NULL));
    run(other, "INSERT INTO t(k) VALUES (1), (2), (3)");
    while (count(test) == 0) {
        g_main_context_iteration(test->context, TRUE);
    }
    g_assert_cmpuint(count(test), ==, 3);
    check(fr_store_close(other));
}

static gboolean count_dispatch(fr_store *store, fr_status status, gpointer user_data)
{
    guint *dispatches = user_data;
    g_assert_nonnull(store);
    g_assert_cmpint(status, ==, FR_OK);
    *dispatches += 1;
    return *dispatches < 3 ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static void the_callback_can_end_it(fixture *test, gconstpointer interval_ms)
{
    guint dispatches = 0;
    (void)interval_ms;
    g_source_set_callback(test->source, G_SOURCE_FUNC(count_dispatch), &dispatches, NULL);
    while (!g_source_is_destroyed(test->source)) {
        g_main_context_iteration(test->context, TRUE);
    }
    g_assert_cmpuint(dispatches, ==, 3);
}

static gboolean note_status(fr_store *store, fr_status status, gpointer user_data)
{
    (void)store;
    g_array_append_val((GArray *)user_data, status);
    return G_SOURCE_CONTINUE;
}

/* What can't be read now is tried again, but not immediately. */
static void it_waits_while_the_database_is_locked(fixture *test, gconstpointer interval_ms)
{
    GArray *statuses = g_array_new(FALSE, FALSE, sizeof(fr_status));
    fr_store *other = NULL;
    (void)interval_ms;
    run(test->store, "INSERT INTO t(k) VALUES (1)");
    check(fr_store_open(&other, test->path,
                        &(fr_store_options){.struct_size = sizeof(fr_store_options), .journal_mode = "delete"}));
    check(fr_store_begin(other, FR_EXCLUSIVE));
    g_source_set_callback(test->source, G_SOURCE_FUNC(note_status), statuses, NULL);
    g_main_context_iteration(test->context, TRUE);
    g_assert_cmpuint(statuses->len, ==, 1);
    g_assert_cmpint(g_array_index(statuses, fr_status, 0), ==, FR_BUSY);
    g_assert_false(g_main_context_iteration(test->context, FALSE));
    check(fr_store_rollback(other));
    while (count(test) == 0) {
        g_main_context_iteration(test->context, TRUE);
    }
    g_assert_cmpuint(statuses->len, ==, 2);
    g_assert_cmpint(g_array_index(statuses, fr_status, 1), ==, FR_OK);
    check(fr_store_close(other));
    g_array_unref(statuses);
}

static void it_ends_when_the_store_was_closed(fixture *test, gconstpointer interval_ms)
{
    (void)interval_ms;
    check(fr_store_close(test->store));
    test->store = NULL;
    while (!g_source_is_destroyed(test->source)) {
        g_main_context_iteration(test->context, TRUE);
    }
}

/* What the model's items show, in their order; the items are held. */
static char *texts_of(fixture *test, GPtrArray *items)
{
    GString *texts = g_string_new("");
    guint position;
    g_ptr_array_set_size(items, 0);
    for (position = 0; position < count(test); position++) {
        char *text;
        g_ptr_array_add(items, g_list_model_get_item(G_LIST_MODEL(test->model), position));
        text = row_text(g_ptr_array_index(items, position));
        g_string_append_printf(texts, "%s;", text);
        g_free(text);
    }
    return g_string_free(texts, FALSE);
}

static void note_change(GListModel *model, guint position, guint removed, guint added, GString *log)
{
    (void)model;
    g_string_append_printf(log, "%u-%u+%u ", position, removed, added);
}

static void note_item(FrGItem *item, GString *log)
{
    g_string_append_printf(log, "%d ", (int)row_id(item));
}

/*
 * Another connection's commit leaves rows that were not read unreadable, and then the list as it
 * is.
 */
static void rows_that_could_not_be_read_are_reported(fixture *test, gboolean by_source, gboolean asks_again)
{
    GPtrArray *items = g_ptr_array_new_with_free_func(g_object_unref);
    GString *log = g_string_new("");
    fr_store *other = NULL;
    guint index;
    const fr_store_options options = {.struct_size = sizeof options, .journal_mode = "delete"};
    run(test->store, "CREATE TABLE u(x); INSERT INTO t(id, s, k) VALUES (1, 'a', 1), (2, 'a', 2), (3, 'b', 3)");
    check(fr_store_dispatch(test->store));
    fr_list_free(test->list);
    g_assert_finalize_object(test->model);
    test->list = list_of(test->store, NULL);
    test->model = frg_list_model_new(test->list);
    check(fr_store_open(&other, test->path, &options));
    run(other, "INSERT INTO u VALUES (1)");
    g_signal_connect(test->model, "items-changed", G_CALLBACK(note_change), log);
    g_assert_text(texts_of(test, items), "?;?;?;");
    for (index = 0; index < items->len; index++) {
        g_signal_connect(g_ptr_array_index(items, index), "changed", G_CALLBACK(note_item), log);
    }
    g_assert_cmpstr(log->str, ==, "");
    if (by_source) {
        g_source_set_ready_time(test->source, 0);
        while (g_main_context_iteration(test->context, FALSE)) {
        }
    } else {
        check(fr_store_dispatch(test->store));
        if (asks_again) {
            g_object_unref(g_list_model_get_item(G_LIST_MODEL(test->model), 1));
        }
        g_assert_cmpstr(log->str, ==, asks_again ? "2 " : "");
        g_string_truncate(log, 0);
        g_assert_true(g_main_context_iteration(NULL, FALSE));
    }
    g_assert_cmpstr(log->str, ==, asks_again ? "1 3 " : "1 2 3 ");
    g_assert_text(texts_of(test, items), "1 a 1 0;2 a 2 0;3 b 3 0;");
    g_assert_false(g_main_context_iteration(NULL, FALSE));
    check(fr_store_close(other));
    g_ptr_array_unref(items);
    g_string_free(log, TRUE);
}

static void unread_rows_are_reported_after_a_dispatch(fixture *test, gconstpointer interval_ms)
{
    (void)interval_ms;
    rows_that_could_not_be_read_are_reported(test, TRUE, FALSE);
}

static void unread_rows_are_reported_after_a_dispatch_of_the_program(fixture *test, gconstpointer interval_ms)
{
    (void)interval_ms;
    rows_that_could_not_be_read_are_reported(test, FALSE, FALSE);
}

static void unread_rows_that_were_requested_again_are_reported(fixture *test, gconstpointer interval_ms)
{
    (void)interval_ms;
    rows_that_could_not_be_read_are_reported(test, FALSE, TRUE);
}

static fr_list *map_of(fr_store *store)
{
    const fr_section_map_options options = {.struct_size = sizeof options, .section_key = "s"};
    fr_request *items = NULL, *sections = NULL;
    fr_list *map = NULL;
    check(fr_request_new(&items, "t"));
    check(fr_request_new(&sections, "p"));
    check(fr_request_add_sort(sections, "s", FR_ASCENDING, NULL));
    check(fr_section_map_new(&map, store, items, sections, "s", &options));
    check(fr_list_perform_fetch(map));
    fr_request_free(items);
    fr_request_free(sections);
    return map;
}

static void note_property(GObject *model, GParamSpec *property, GString *log)
{
    (void)model;
    g_string_append_printf(log, "%s ", g_param_spec_get_name(property));
}

/*
 * The sections are rows, too: b's title changes, a's row is as it was, and neither was read before.
 */
static void unread_section_items_are_announced(fixture *test, gboolean by_source)
{
    static const char *const titles[] = {"A", "Bee"};
    GString *log = g_string_new("");
    FrGListModel *models[G_N_ELEMENTS(titles)];
    FrGSectionList *sections;
    fr_list *map;
    fr_store *other = NULL;
    const fr_store_options options = {.struct_size = sizeof options, .journal_mode = "delete"};
    guint index;
    run(test->store, "CREATE TABLE p(id INTEGER PRIMARY KEY, s UNIQUE, title);"
                     "INSERT INTO p VALUES (1, 'a', 'A'), (2, 'b', 'B')");
    check(fr_store_dispatch(test->store));
    map = map_of(test->store);
    sections = frg_section_list_new(map);
    check(fr_store_open(&other, test->path, &options));
    run(other, "UPDATE p SET title = 'Bee' WHERE s = 'b'");
    for (index = 0; index < G_N_ELEMENTS(titles); index++) {
        models[index] = g_list_model_get_item(G_LIST_MODEL(sections), index);
        g_assert_null(frg_list_model_get_section_item(models[index]));
        g_signal_connect(models[index], "notify", G_CALLBACK(note_property), log);
    }
    if (by_source) {
        g_source_set_ready_time(test->source, 0);
        while (g_main_context_iteration(test->context, FALSE)) {
        }
    } else {
        check(fr_store_dispatch(test->store));
        g_assert_true(g_main_context_iteration(NULL, FALSE));
    }
    g_assert_cmpstr(log->str, ==, "section-item section-item ");
    g_assert_false(g_main_context_iteration(NULL, FALSE));
    for (index = 0; index < G_N_ELEMENTS(titles); index++) {
        g_assert_nonnull(frg_list_model_get_section_item(models[index]));
        g_assert_text(frg_item_dup_text(frg_list_model_get_section_item(models[index]), "title"), titles[index]);
        g_object_unref(models[index]);
    }
    g_assert_finalize_object(sections);
    fr_list_free(map);
    check(fr_store_close(other));
    g_string_free(log, TRUE);
}

static void unread_section_items_are_announced_after_a_dispatch(fixture *test, gconstpointer interval_ms)
{
    (void)interval_ms;
    unread_section_items_are_announced(test, TRUE);
}

static void unread_section_items_are_announced_after_a_dispatch_of_the_program(fixture *test, gconstpointer interval_ms)
{
    (void)interval_ms;
    unread_section_items_are_announced(test, FALSE);
}

static void of_no_store(void)
{
    g_assert_null(frg_store_source_new(NULL, 0));
}

#define ADD(name, interval_ms) \
    g_test_add("/store-source/" #name, fixture, GUINT_TO_POINTER(interval_ms), set_up, name, tear_down)

void add_store_source_tests(void)
{
    ADD(queued_commits_arrive, 0);
    ADD(fetches_in_the_background_arrive, 0);
    ADD(foreign_commits_arrive, 10);
    ADD(the_callback_can_end_it, 10);
    ADD(it_waits_while_the_database_is_locked, 0);
    ADD(it_ends_when_the_store_was_closed, 10);
    ADD(unread_rows_are_reported_after_a_dispatch, 0);
    ADD(unread_rows_are_reported_after_a_dispatch_of_the_program, 0);
    ADD(unread_rows_that_were_requested_again_are_reported, 0);
    ADD(unread_section_items_are_announced_after_a_dispatch, 0);
    ADD(unread_section_items_are_announced_after_a_dispatch_of_the_program, 0);
    g_test_add_func("/store-source/of_no_store", of_no_store);
}
