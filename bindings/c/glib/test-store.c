/* FrGStore, FrGRequest and FrGItem: what programs and bindings have instead of the C interface. */
#include <glib/gstdio.h>

#include "frg-request.h"
#include "frg-store.h"
#include "test-support.h"

static const char schema[] = "CREATE TABLE t(id INTEGER PRIMARY KEY, s, k, v)";

static FrGStore *store_new(FrGStoreFlags flags)
{
    GError *error = NULL;
    FrGStore *store = frg_store_new(":memory:", flags, &error);
    g_assert_no_error(error);
    frg_store_execute_script(store, schema, &error);
    g_assert_no_error(error);
    return store;
}

static void execute(FrGStore *store, const char *sql, GVariant *parameters)
{
    GError *error = NULL;
    frg_store_execute(store, sql, parameters, &error);
    g_assert_no_error(error);
}

static FrGListModel *model_of(FrGStore *store, FrGRequest *request)
{
    GError *error = NULL;
    FrGListModel *model = frg_list_model_new_for_request(store, request, &error);
    g_assert_no_error(error);
    return model;
}

static FrGListModel *all_rows(FrGStore *store)
{
    FrGRequest *request = frg_request_new("t");
    FrGListModel *model = model_of(store, request);
    g_object_unref(request);
    return model;
}

static guint count(gpointer model)
{
    return g_list_model_get_n_items(model);
}

/* "1 2 3": the ids. */
static char *ids(gpointer model)
{
    GString *text = g_string_new("");
    guint index;
    for (index = 0; index < count(model); index++) {
        FrGItem *item = g_list_model_get_item(model, index);
        g_string_append_printf(text, index == 0 ? "%d" : " %d", (int)frg_item_get_int64(item, "id"));
        g_object_unref(item);
    }
    return g_string_free(text, FALSE);
}

/* What SQLite makes of the one parameter, as a literal. */
static char *value_of(GVariant *parameter)
{
    FrGStore *store = store_new(FRG_STORE_DEFAULT);
    FrGListModel *model = all_rows(store);
    FrGItem *item;
    char *text;
    execute(store, "INSERT INTO t(k) VALUES (quote(?))", parameter);
    item = g_list_model_get_item(G_LIST_MODEL(model), 0);
    text = frg_item_get_string(item, "k");
    g_object_unref(item);
    g_assert_finalize_object(model);
    g_assert_finalize_object(store);
    return text;
}

static GVariant *bytes(const char *data, gsize length)
{
    return g_variant_new_from_data(G_VARIANT_TYPE_BYTESTRING, data, length, TRUE, NULL, NULL);
}

static void parameters_of_every_type(void)
{
    g_assert_text(value_of(g_variant_new("(b)", TRUE)), "1");
    g_assert_text(value_of(g_variant_new("(y)", 200)), "200");
    g_assert_text(value_of(g_variant_new("(n)", -2)), "-2");
    g_assert_text(value_of(g_variant_new("(q)", 2)), "2");
    g_assert_text(value_of(g_variant_new("(i)", -7)), "-7");
    g_assert_text(value_of(g_variant_new("(u)", 7)), "7");
    g_assert_text(value_of(g_variant_new("(x)", G_MININT64)), "-9223372036854775808");
    g_assert_text(value_of(g_variant_new("(t)", (guint64)G_MAXINT64)), "9223372036854775807");
    g_assert_text(value_of(g_variant_new("(d)", 1.5)), "1.5");
    g_assert_text(value_of(g_variant_new("(s)", "it's")), "'it''s'");
    g_assert_text(value_of(g_variant_new_string("alone")), "'alone'");
    g_assert_text(value_of(g_variant_new("(@ay)", bytes("\0\1", 2))), "X'0001'");
    g_assert_text(value_of(bytes(NULL, 0)), "X''");
    g_assert_text(value_of(g_variant_new("(ms)", NULL)), "NULL");
    g_assert_text(value_of(g_variant_new_parsed("(@mmv just just <<3>>,)")), "3");
    g_assert_text(value_of(g_variant_new_parsed("['in an array']")), "'in an array'");
}

static void parameters_that_do_not_fit(void)
{
    FrGStore *store = store_new(FRG_STORE_DEFAULT);
    const char *sql = "SELECT ?";
    fails_with(frg_store_execute(store, sql, NULL, &fault), FRG_STORE_ERROR_SQL);
    fails_with(frg_store_execute(store, sql, g_variant_new("()"), &fault), FRG_STORE_ERROR_SQL);
    fails_with(frg_store_execute(store, sql, g_variant_new("(ii)", 1, 2), &fault), FRG_STORE_ERROR_SQL);
    fails_with(frg_store_execute(store, sql, g_variant_new("(t)", G_MAXUINT64), &fault), FRG_STORE_ERROR_TYPE);
    fails_with(frg_store_execute(store, sql, g_variant_new("((i))", 1), &fault), FRG_STORE_ERROR_TYPE);
    fails_with(frg_store_execute(store, sql, g_variant_new_parsed("[['a']]"), &fault), FRG_STORE_ERROR_TYPE);
    fails_with(frg_store_execute(store, sql, g_variant_new_parsed("{1: 'a'}"), &fault), FRG_STORE_ERROR_TYPE);
    fails_with(frg_store_execute(store, sql, g_variant_new_parsed("{'a': 'a'}"), &fault), FRG_STORE_ERROR_SQL);
    fails_with(frg_store_execute(store, NULL, NULL, &fault), FRG_STORE_ERROR_MISUSE);
    fails_with(frg_store_execute(store, "\xff", NULL, &fault), FRG_STORE_ERROR_INVALID_UTF8);
    fails_with(frg_store_execute_script(store, NULL, &fault), FRG_STORE_ERROR_MISUSE);
    g_assert_false(frg_store_execute(store, "SELEKT", NULL, NULL));
    g_assert_finalize_object(store);
}

static void parameters_with_names(void)
{
    FrGStore *store = store_new(FRG_STORE_DEFAULT);
    FrGRequest *request = frg_request_new("t");
    FrGListModel *model;
    g_object_set(request, "predicate", "k > :least", "parameters", g_variant_new_parsed("{'least': <1>}"), NULL);
    model = model_of(store, request);
    execute(store, "INSERT INTO t(id, k) VALUES (1, :a), (2, :b)", g_variant_new_parsed("{':a': 1, 'b': 2}"));
    g_assert_text(ids(model), "2");
    g_assert_cmpint(frg_store_get_changes(store), ==, 2);
    g_assert_cmpint(frg_store_get_last_insert_rowid(store), ==, 2);
    g_assert_finalize_object(model);
    g_assert_finalize_object(request);
    g_assert_finalize_object(store);
}

/* Opening and closing. */

static void stores_that_do_not_open(void)
{
    FrGStore *store = g_object_new(FRG_TYPE_STORE, NULL);
    fails_with(frg_store_new(NULL, FRG_STORE_DEFAULT, &fault), FRG_STORE_ERROR_MISUSE);
    fails_with(frg_store_new("/no such folder/t.db", FRG_STORE_DEFAULT, &fault), FRG_STORE_ERROR_IO);
    fails_with(frg_store_new("\xff", FRG_STORE_DEFAULT, &fault), FRG_STORE_ERROR_INVALID_UTF8);
    g_assert_null(frg_store_new(NULL, FRG_STORE_DEFAULT, NULL));
    fails_with(g_initable_init(G_INITABLE(store), NULL, &fault), FRG_STORE_ERROR_MISUSE);
    fails_with(frg_store_execute(store, "SELECT 1", NULL, &fault), FRG_STORE_ERROR_CLOSED);
    fails_with(frg_store_close(store, &fault), FRG_STORE_ERROR_CLOSED);
    g_assert_cmpint(frg_store_get_changes(store), ==, 0);
    g_assert_null(frg_store_get_handle(store));
    g_assert_null(frg_store_get_path(store));
    g_assert_finalize_object(store);
}

static void count_call(gpointer unused, gpointer unused_too, guint *calls)
{
    (void)unused, (void)unused_too;
    ++*calls;
}

static void a_closed_store(void)
{
    FrGStore *store = store_new(FRG_STORE_DEFAULT);
    FrGListModel *model = all_rows(store), *other;
    FrGItem *held, *unread;
    FrGRequest *request = frg_request_new("t");
    GValue value = G_VALUE_INIT;
    GError *error = NULL;
    guint calls = 0;
    execute(store, "INSERT INTO t(id, s) VALUES (1, 'a'), (2, 'b')", NULL);
    held = g_list_model_get_item(G_LIST_MODEL(model), 0);
    g_signal_connect(store, "notify::is-open", G_CALLBACK(count_call), &calls);
    g_assert_true(frg_store_is_open(store) && frg_store_close(store, NULL) && !frg_store_is_open(store));
    g_assert_cmpuint(calls, ==, 1);
    g_assert_cmpuint(count(model), ==, 2);
    unread = g_list_model_get_item(G_LIST_MODEL(model), 1);
    g_assert_text(frg_item_get_string(held, "s"), "a");
    g_assert_null(frg_item_get_string(unread, "s"));
    g_assert_null(frg_item_get_entity(unread));
    g_assert_true(frg_item_is_null(unread, "no such column"));
    frg_item_get_value(unread, "s", &value, &error);
    g_assert_error(error, FRG_STORE_ERROR, FRG_STORE_ERROR_GONE);
    g_clear_error(&error);
    g_assert_false(G_IS_VALUE(&value));
    fails_with(frg_store_begin(store, &fault), FRG_STORE_ERROR_CLOSED);
    fails_with(frg_store_dispatch(store, &fault), FRG_STORE_ERROR_CLOSED);
    fails_with(frg_live_model_set_request(FRG_LIVE_MODEL(model), request, &fault), FRG_STORE_ERROR_CLOSED);
    other = frg_list_model_new_for_request(store, request, &error);
    g_assert_null(other);
    g_assert_error(error, FRG_STORE_ERROR, FRG_STORE_ERROR_CLOSED);
    g_clear_error(&error);
    g_assert_true(g_initable_init(G_INITABLE(store), NULL, NULL));
    g_assert_finalize_object(request);
    g_object_unref(held);
    g_object_unref(unread);
    g_assert_finalize_object(model);
    g_assert_finalize_object(store);
}

static void failed(FrGStore *store, const GError *error, guint *calls)
{
    g_assert_true(FRG_IS_STORE(store));
    g_assert_error(error, FRG_STORE_ERROR, FRG_STORE_ERROR_IO);
    ++*calls;
}

static void a_dispatch_that_fails(void)
{
    char *folder = g_dir_make_tmp("frg-XXXXXX", NULL);
    char *path = g_build_filename(folder, "t.db", NULL), *elsewhere = g_strconcat(path, "-moved", NULL);
    FrGStore *store = frg_store_new(path, FRG_STORE_QUEUED, NULL);
    FrGListModel *model;
    guint calls = 0;
    frg_store_execute_script(store, schema, NULL);
    model = all_rows(store);
    g_signal_connect(store, "failed", G_CALLBACK(failed), &calls);
    execute(store, "INSERT INTO t(id) VALUES (1)", NULL);
    g_rename(path, elsewhere);
    while (calls == 0) {
        g_main_context_iteration(NULL, TRUE);
    }
    fails_with(frg_store_dispatch(store, &fault), FRG_STORE_ERROR_IO);
    g_assert_cmpuint(count(model), ==, 0);
    g_rename(elsewhere, path);
    g_assert_true(frg_store_dispatch(store, NULL));
    g_assert_cmpuint(count(model), ==, 1);
    g_assert_finalize_object(model);
    g_assert_finalize_object(store);
    g_remove(path);
    g_rmdir(folder);
    g_free(elsewhere);
    g_free(path);
    g_free(folder);
}

/* Items. */

static void values_of_items(void)
{
    FrGStore *store = store_new(FRG_STORE_DEFAULT);
    FrGListModel *model = all_rows(store);
    FrGItem *item;
    GBytes *blob;
    char **columns;
    execute(store, "INSERT INTO t VALUES (9, '12.5 apples', 1e300, CAST(x'ff00' AS BLOB))", NULL);
    item = g_list_model_get_item(G_LIST_MODEL(model), 0);
    columns = frg_item_get_columns(item);
    g_assert_cmpuint(g_strv_length(columns), ==, 4);
    g_strfreev(columns);
    g_assert_cmpstr(frg_item_get_entity(item), ==, "t");
    g_assert_cmpint(frg_item_get_int64(item, "s"), ==, 12);
    g_assert_cmpint(frg_item_get_int64(item, "k"), ==, G_MAXINT64);
    g_assert_cmpint(frg_item_get_int64(item, "v"), ==, 0);
    g_assert_cmpfloat(frg_item_get_double(item, "s"), ==, 12.5);
    g_assert_cmpfloat(frg_item_get_double(item, "id"), ==, 9);
    g_assert_true(frg_item_get_boolean(item, "ID"));
    g_assert_null(frg_item_get_string(item, "v"));
    g_assert_null(frg_item_get_bytes(item, "k"));
    blob = frg_item_get_bytes(item, "v");
    g_assert_cmpmem(g_bytes_get_data(blob, NULL), g_bytes_get_size(blob), "\xff\0", 2);
    g_bytes_unref(blob);
    g_object_unref(item);
    g_assert_finalize_object(model);
    g_assert_finalize_object(store);
}

static void columns_that_do_not_exist(void)
{
    FrGStore *store = store_new(FRG_STORE_DEFAULT);
    FrGListModel *model = all_rows(store);
    FrGItem *item;
    GValue value = G_VALUE_INIT;
    GError *error = NULL;
    execute(store, "INSERT INTO t(id) VALUES (1)", NULL);
    item = g_list_model_get_item(G_LIST_MODEL(model), 0);
    frg_item_get_value(item, "x", &value, &error);
    g_assert_error(error, FRG_STORE_ERROR, FRG_STORE_ERROR_SCHEMA);
    g_clear_error(&error);
    frg_item_get_value(item, NULL, &value, &error);
    g_assert_error(error, FRG_STORE_ERROR, FRG_STORE_ERROR_MISUSE);
    g_clear_error(&error);
    frg_item_get_value(item, "x", &value, NULL);
    g_test_expect_message("FrG", G_LOG_LEVEL_WARNING, "*x*");
    g_assert_cmpint(frg_item_get_int64(item, "x"), ==, 0);
    g_test_assert_expected_messages();
    g_object_unref(item);
    g_assert_finalize_object(model);
    g_assert_finalize_object(store);
}

/* Queries. */

static GListModel *query(FrGStore *store, const char *sql, GVariant *parameters)
{
    GError *error = NULL;
    GListModel *rows = frg_store_query(store, sql, parameters, &error);
    g_assert_no_error(error);
    return rows;
}

static void a_query_reads_rows(void)
{
    FrGStore *store = store_new(FRG_STORE_DEFAULT);
    GListModel *rows;
    FrGItem *row;
    GBytes *blob;
    char **columns;
    execute(store, "INSERT INTO t(id, s, k, v) VALUES (1, 'a', 1.5, x'00ff'), (2, 'b', NULL, '')", NULL);
    rows = query(store, "SELECT id, s || '!' AS loud, k, v FROM t WHERE id >= ? ORDER BY id", g_variant_new("(i)", 1));
    g_assert_cmpuint(count(rows), ==, 2);
    row = g_list_model_get_item(rows, 0);
    execute(store, "DELETE FROM t", NULL);
    columns = frg_item_get_columns(row);
    g_assert_cmpuint(g_strv_length(columns), ==, 4);
    g_assert_cmpstr(columns[1], ==, "loud");
    g_strfreev(columns);
    g_assert_cmpint(frg_item_get_int64(row, "ID"), ==, 1);
    g_assert_text(frg_item_get_string(row, "loud"), "a!");
    g_assert_cmpfloat(frg_item_get_double(row, "k"), ==, 1.5);
    blob = frg_item_get_bytes(row, "v");
    g_assert_cmpmem(g_bytes_get_data(blob, NULL), g_bytes_get_size(blob), "\0\xff", 2);
    g_bytes_unref(blob);
    g_assert_null(frg_item_get_entity(row));
    g_object_unref(row);
    row = g_list_model_get_item(rows, 1);
    g_assert_true(frg_item_is_null(row, "k"));
    g_assert_text(frg_item_get_string(row, "v"), "");
    g_object_unref(row);
    g_object_unref(rows);
    /* A statement that writes is committed at its end. */
    rows = query(store, "INSERT INTO t(id, s) VALUES (7, :s) RETURNING id", g_variant_new_parsed("{'s': 'x'}"));
    g_assert_text(ids(rows), "7");
    g_object_unref(rows);
    rows = query(store, "DELETE FROM t", NULL);
    g_assert_cmpuint(count(rows), ==, 0);
    g_object_unref(rows);
    g_assert_finalize_object(store);
}

static void queries_that_fail(void)
{
    FrGStore *store = store_new(FRG_STORE_DEFAULT);
    GListModel *rows = query(store, "SELECT 1 AS one", NULL);
    FrGItem *row = g_list_model_get_item(rows, 0);
    GValue value = G_VALUE_INIT;
    GError *error = NULL;
    fails_with(frg_store_query(store, "SELEKT", NULL, &fault), FRG_STORE_ERROR_SQL);
    fails_with(frg_store_query(store, "SELECT 1", g_variant_new("(i)", 1), &fault), FRG_STORE_ERROR_RANGE);
    fails_with(frg_store_query(store, "SELECT abs(?)", g_variant_new("(x)", G_MININT64), &fault),
               FRG_STORE_ERROR_FAILED);
    fails_with(frg_store_query(store, "SELECT ?", g_variant_new("((i))", 1), &fault), FRG_STORE_ERROR_TYPE);
    frg_item_get_value(row, "two", &value, &error);
    g_assert_error(error, FRG_STORE_ERROR, FRG_STORE_ERROR_SCHEMA);
    g_clear_error(&error);
    g_test_expect_message("FrG", G_LOG_LEVEL_WARNING, "*two*");
    g_assert_null(frg_item_get_string(row, "two"));
    g_test_assert_expected_messages();
    frg_store_close(store, NULL);
    fails_with(frg_store_query(store, "SELECT 1", NULL, &fault), FRG_STORE_ERROR_CLOSED);
    g_object_unref(row);
    g_object_unref(rows);
    g_assert_finalize_object(store);
}

/* How a file is opened. */

static char *journal_mode(const char *path, FrGStoreFlags flags)
{
    FrGStore *store = frg_store_new(path, flags, NULL);
    GListModel *rows = query(store, "PRAGMA journal_mode", NULL);
    FrGItem *row = g_list_model_get_item(rows, 0);
    char *mode = frg_item_get_string(row, "journal_mode");
    g_object_unref(row);
    g_object_unref(rows);
    g_assert_finalize_object(store);
    return mode;
}

static void the_journal_mode_stays(void)
{
    char *folder = g_dir_make_tmp("frg-XXXXXX", NULL), *path = g_build_filename(folder, "t.db", NULL);
    g_assert_text(journal_mode(path, FRG_STORE_KEEP_JOURNAL_MODE), "delete");
    g_assert_text(journal_mode(path, FRG_STORE_DEFAULT), "wal");
    g_assert_text(journal_mode(path, FRG_STORE_KEEP_JOURNAL_MODE), "wal");
    g_remove(path);
    g_rmdir(folder);
    g_free(path);
    g_free(folder);
}

static void how_a_store_is_woken(void)
{
    GError *error = NULL;
    FrGStore *store = g_initable_new(FRG_TYPE_STORE, NULL, &error, "path", ":memory:", "poll-interval", 250, NULL);
    FrGWakeUpSource source = FRG_WAKE_UP_NOTICES;
    g_assert_no_error(error);
    g_assert_cmpint(frg_store_get_poll_interval(store), ==, 250);
    g_object_get(store, "wake-up-source", &source, NULL);
    g_assert_cmpint(source, ==, FRG_WAKE_UP_NONE);
    frg_store_close(store, NULL);
    g_assert_cmpint(frg_store_get_wake_up_source(store), ==, FRG_WAKE_UP_NONE);
    g_assert_finalize_object(store);
}

#define ADD(name) g_test_add_func("/store/" #name, name)

void add_store_tests(void)
{
    ADD(parameters_of_every_type);
    ADD(parameters_that_do_not_fit);
    ADD(parameters_with_names);
    ADD(stores_that_do_not_open);
    ADD(a_closed_store);
    ADD(a_dispatch_that_fails);
    ADD(values_of_items);
    ADD(columns_that_do_not_exist);
    ADD(a_query_reads_rows);
    ADD(queries_that_fail);
    ADD(the_journal_mode_stays);
    ADD(how_a_store_is_woken);
}
