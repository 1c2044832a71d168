/* Models that are made from a store and a request. */
#include <math.h>

#include "frg-store.h"
#include "test-support.h"

typedef struct fixture {
    FrGStore *store; /* NULL if the test has released it */
    FrGRequest *request;
    FrGListModel *model; /* of the request; NULL if the test has released it */
    guint calls;
} fixture;

static void execute(fixture *test, const char *sql)
{
    GError *error = NULL;
    frg_store_execute_script(test->store, sql, &error);
    g_assert_no_error(error);
}

static void set_up(fixture *test, gconstpointer flags)
{
    test->store = frg_store_new(":memory:", GPOINTER_TO_UINT(flags), NULL);
    execute(test, "CREATE TABLE l(id INTEGER PRIMARY KEY, name, position);"
                  "CREATE TABLE t(id INTEGER PRIMARY KEY, l REFERENCES l, name);"
                  "INSERT INTO l VALUES (1, 'one', 2), (2, 'two', 1), (3, 'three', 3);"
                  "INSERT INTO t VALUES (1, 1, 'b'), (2, 2, 'a'), (3, NULL, 'C')");
    test->request = frg_request_new("t");
    test->model = frg_list_model_new_for_request(test->store, test->request, NULL);
    test->calls = 0;
}

static void tear_down(fixture *test, gconstpointer flags)
{
    (void)flags;
    if (test->model != NULL) {
        g_assert_finalize_object(test->model);
    }
    g_assert_finalize_object(test->request);
    if (test->store != NULL) {
        g_assert_finalize_object(test->store);
    }
}

/* "1 2 3": the ids. */
static char *ids(gpointer model)
{
    GString *text = g_string_new("");
    guint index;
    for (index = 0; index < g_list_model_get_n_items(model); index++) {
        FrGItem *item = g_list_model_get_item(model, index);
        g_string_append_printf(text, index == 0 ? "%d" : " %d", (int)frg_item_get_int64(item, "id"));
        g_object_unref(item);
    }
    return g_string_free(text, FALSE);
}

/* The request as it is now, in the model of the test. */
static char *ids_now(fixture *test)
{
    GError *error = NULL;
    frg_live_model_set_request(FRG_LIVE_MODEL(test->model), test->request, &error);
    g_assert_no_error(error);
    return ids(test->model);
}

static void the_order(fixture *test, gconstpointer flags)
{
    const char *by_list[] = {"-l.position", "name", NULL};
    char **sort;
    (void)flags;
    g_object_set(test->request, "sort", by_list, NULL);
    g_assert_text(ids_now(test), "1 2 3");
    g_object_set(test->request, "sort", NULL, NULL);
    frg_request_add_sort(test->request, "name", FRG_SORT_DESCENDING, "NOCASE");
    g_assert_text(ids_now(test), "3 1 2");
    g_object_get(test->request, "sort", &sort, NULL);
    g_assert_cmpstr(sort[0], ==, "-name");
    g_assert_null(sort[1]);
    g_strfreev(sort);
    g_object_set(test->request, "limit", (gint64)1, "offset", (gint64)1, NULL);
    g_assert_text(ids_now(test), "1");
}

static void expressions(fixture *test, gconstpointer flags)
{
    const char *by_expression[] = {"-l IS NULL", "lower(name)", NULL};
    (void)flags;
    g_object_set(test->request, "section", "name < 'a'", "sort", by_expression, NULL);
    g_assert_text(ids_now(test), "2 1 3");
    execute(test, "UPDATE t SET name = 'A' WHERE id = 1");
    g_assert_text(ids(test->model), "2 3 1");
    execute(test, "UPDATE t SET l = 2 WHERE id = 3");
    g_assert_text(ids(test->model), "2 1 3");
}

/* The rarer word has the better rank, until the list is ranked again. */
static void ranks(fixture *test, gconstpointer flags)
{
    const char *by_rank[] = {"rank", NULL};
    gdouble tolerances[] = {0, INFINITY}, tolerance;
    guint index;
    (void)flags;
    execute(test, "CREATE VIRTUAL TABLE docs USING fts5(id UNINDEXED, title)");
    for (index = 0; index < G_N_ELEMENTS(tolerances); index++) {
        FrGListModel *model;
        execute(test, "DELETE FROM docs; INSERT INTO docs VALUES (1, 'fox'), (2, 'hen'), (3, 'hen')");
        g_object_set(test->request, "entity", "docs", "predicate", "docs MATCH 'fox OR hen'", "sort", by_rank,
                     "rank-tolerance", tolerances[index], NULL);
        g_object_get(test->request, "rank-tolerance", &tolerance, NULL);
        g_assert_true(tolerance == tolerances[index]);
        model = frg_list_model_new_for_request(test->store, test->request, NULL);
        g_assert_text(ids(model), "1 2 3");
        execute(test, "INSERT INTO docs VALUES (4, 'fox'), (5, 'fox')");
        g_assert_text(ids(model), tolerance == 0 ? "2 3 1 4 5" : "1 4 5 2 3");
        g_assert_finalize_object(model);
    }
}

static void a_select(fixture *test, gconstpointer flags)
{
    const char *identity[] = {"id", NULL};
    FrGListModel *model;
    (void)flags;
    g_object_set(test->request, "entity", NULL, "select", "SELECT * FROM t WHERE id > ? ORDER BY id DESC", "parameters",
                 g_variant_new("(i)", 1), "identity", identity, NULL);
    model = frg_list_model_new_for_request(test->store, test->request, NULL);
    g_assert_text(ids(model), "3 2");
    execute(test, "INSERT INTO t(id) VALUES (9)");
    g_assert_text(ids(model), "9 3 2");
    g_assert_finalize_object(model);
    g_object_set(test->request, "entity", "t", NULL);
    fails_with(frg_list_model_new_for_request(test->store, test->request, &fault), FRG_STORE_ERROR_MISUSE);
}

/* "1:2 2:1": the lists with the numbers of their rows, which are integers. */
static char *numbers_by_list(gpointer model)
{
    GString *text = g_string_new("");
    guint index;
    for (index = 0; index < g_list_model_get_n_items(model); index++) {
        FrGItem *item = g_list_model_get_item(model, index);
        gint64 number = -1;
        char *list = NULL, *last = NULL;
        g_object_get(item, "l", &list, "number", &number, "last", &last, NULL);
        g_string_append_printf(text, "%s%s:%d%s", index == 0 ? "" : " ", list != NULL ? list : "-", (int)number, last);
        g_free(list);
        g_free(last);
        g_object_unref(item);
    }
    return g_string_free(text, FALSE);
}

static void groups(fixture *test, gconstpointer flags)
{
    const char *by_list[] = {"l", NULL}, *by_number[] = {"-number", "l", NULL}, *shown[] = {"number", NULL};
    FrGRequest *request = g_object_new(FRG_TYPE_REQUEST, "entity", "t", "group-by", by_list, "sort", by_number,
                                       "having", "number > ?", "having-parameters", g_variant_new("(i)", 0), NULL);
    FrGListModel *model;
    FrGItem *first;
    (void)flags;
    frg_request_add_total(request, "number", FRG_TOTAL_COUNT, NULL);
    frg_request_add_total(request, "last", FRG_TOTAL_MAX, "name");
    model = frg_list_model_new_for_request(test->store, request, NULL);
    g_assert_text(numbers_by_list(model), "-:1C 1:1b 2:1a");
    first = g_list_model_get_item(G_LIST_MODEL(model), 0);
    g_assert_true(G_OBJECT_TYPE(first) == g_list_model_get_item_type(G_LIST_MODEL(model)));
    g_object_unref(first);
    execute(test, "INSERT INTO t VALUES (4, 2, 'd')");
    g_assert_text(numbers_by_list(model), "2:2d -:1C 1:1b");
    g_object_set(request, "having-parameters", g_variant_new("(i)", 1), NULL);
    g_assert_true(frg_live_model_set_request(FRG_LIVE_MODEL(model), request, NULL));
    g_assert_text(numbers_by_list(model), "2:2d");
    g_object_set(request, "having-parameters", g_variant_new_parsed("{'n': <1>}"), NULL);
    fails_with(frg_live_model_set_request(FRG_LIVE_MODEL(model), request, &fault), FRG_STORE_ERROR_MISUSE);
    g_object_set(request, "having-parameters", NULL, "having", NULL, "columns", shown, NULL);
    g_assert_true(frg_live_model_set_request(FRG_LIVE_MODEL(model), request, NULL));
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(model)), ==, 3);
    frg_request_add_total(request, "first", FRG_TOTAL_MIN, "name");
    fails_with(frg_live_model_set_request(FRG_LIVE_MODEL(model), request, &fault), FRG_STORE_ERROR_MISUSE);
    frg_request_add_total(request, "wrong", (FrGTotalFunction)9, NULL);
    fails_with(frg_live_model_set_request(FRG_LIVE_MODEL(model), request, &fault), FRG_STORE_ERROR_RANGE);
    g_assert_finalize_object(model);
    g_assert_finalize_object(request);
}

static void requests_that_fail(fixture *test, gconstpointer flags)
{
    FrGRequest *none = frg_request_new(NULL), *other = frg_request_new("l");
    FrGListModel *of_no_request;
    const char *columns[] = {"none", NULL};
    (void)flags;
    fails_with(frg_list_model_new_for_request(test->store, none, &fault), FRG_STORE_ERROR_MISUSE);
    fails_with(frg_list_model_new_for_request(test->store, NULL, &fault), FRG_STORE_ERROR_MISUSE);
    fails_with(frg_list_model_new_for_request(NULL, test->request, &fault), FRG_STORE_ERROR_MISUSE);
    fails_with(frg_live_model_set_request(FRG_LIVE_MODEL(test->model), NULL, &fault), FRG_STORE_ERROR_MISUSE);
    fails_with(frg_live_model_set_request(FRG_LIVE_MODEL(test->model), other, &fault), FRG_STORE_ERROR_MISUSE);
    fails_with(frg_section_list_new_for_map(test->store, test->request, none, "l", &fault), FRG_STORE_ERROR_MISUSE);
    fails_with(frg_section_list_new_for_map(test->store, test->request, other, NULL, &fault), FRG_STORE_ERROR_MISUSE);
    fails_with(frg_section_list_new_for_map(test->store, test->request, other, "none", &fault), FRG_STORE_ERROR_SCHEMA);
    g_object_set(test->request, "columns", columns, NULL);
    fails_with(frg_live_model_set_request(FRG_LIVE_MODEL(test->model), test->request, &fault), FRG_STORE_ERROR_SCHEMA);
    g_object_set(test->request, "columns", NULL, "parameters", g_variant_new("((i))", 1), NULL);
    fails_with(frg_live_model_set_request(FRG_LIVE_MODEL(test->model), test->request, &fault), FRG_STORE_ERROR_TYPE);
    g_object_set(test->request, "parameters", NULL, NULL);
    frg_request_add_sort(test->request, "", 255, "none");
    fails_with(frg_live_model_set_request(FRG_LIVE_MODEL(test->model), test->request, &fault), FRG_STORE_ERROR_RANGE);
    of_no_request = frg_list_model_new(NULL);
    fails_with(frg_live_model_set_request(FRG_LIVE_MODEL(of_no_request), other, &fault), FRG_STORE_ERROR_MISUSE);
    g_assert_text(ids(test->model), "1 2 3");
    g_assert_finalize_object(of_no_request);
    g_assert_finalize_object(none);
    g_assert_finalize_object(other);
}

static void a_section_map(fixture *test, gconstpointer flags)
{
    const char *by_position[] = {"position", NULL};
    FrGRequest *lists = g_object_new(FRG_TYPE_REQUEST, "entity", "l", "sort", by_position, NULL);
    FrGSectionList *sections = frg_section_list_new_for_map(test->store, test->request, lists, "l", NULL);
    FrGListModel *first = g_list_model_get_item(G_LIST_MODEL(sections), 0);
    (void)flags;
    g_assert_text(frg_item_get_string(frg_list_model_get_section_item(first), "name"), "two");
    g_assert_null(frg_live_model_get_request(FRG_LIVE_MODEL(first)));
    g_assert_true(frg_live_model_get_store(FRG_LIVE_MODEL(sections)) == test->store);
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(sections)), ==, 4);
    execute(test, "UPDATE t SET l = 2");
    g_assert_text(ids(first), "1 2 3");
    g_object_set(test->request, "predicate", "id <> 2", NULL);
    g_assert_true(frg_live_model_set_request(FRG_LIVE_MODEL(sections), test->request, NULL));
    g_assert_text(ids(first), "1 3");
    g_object_unref(first);
    g_assert_finalize_object(sections);
    g_assert_finalize_object(lists);
}

/* Lifetimes. */

static void the_model_holds_the_store(fixture *test, gconstpointer flags)
{
    (void)flags;
    g_object_unref(test->store);
    g_assert_text(ids(test->model), "1 2 3");
    g_assert_finalize_object(test->model);
    test->model = NULL;
    test->store = NULL;
}

static void release_all(fixture *test)
{
    test->calls++;
    g_clear_object(&test->model);
    g_clear_object(&test->store);
}

static void a_handler_releases_all(fixture *test, gconstpointer flags)
{
    FrGStore *store = test->store;
    (void)flags;
    g_signal_connect_swapped(test->model, "items-changed", G_CALLBACK(release_all), test);
    frg_store_execute(store, "INSERT INTO t(id) VALUES (4), (9)", NULL, NULL);
    while (test->calls == 0) {
        g_main_context_iteration(NULL, TRUE);
    }
    while (g_main_context_iteration(NULL, FALSE)) {
    }
    g_assert_cmpuint(test->calls, ==, 1);
}

static void close_store(fixture *test)
{
    test->calls++;
    frg_store_close(test->store, NULL);
}

static void a_handler_closes_the_store(fixture *test, gconstpointer flags)
{
    (void)flags;
    g_signal_connect_swapped(test->model, "items-changed", G_CALLBACK(close_store), test);
    frg_store_execute(test->store, "INSERT INTO t(id) VALUES (4), (9)", NULL, NULL);
    while (test->calls == 0) {
        g_main_context_iteration(NULL, TRUE);
    }
    g_assert_false(frg_store_is_open(test->store));
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(test->model)), ==, 5);
}

/* Signals. */

static void count_call(fixture *test)
{
    test->calls++;
}

static void failed(FrGLiveModel *model, const GError *error, fixture *test)
{
    (void)model;
    g_assert_error(error, FRG_STORE_ERROR, FRG_STORE_ERROR_SCHEMA);
    test->calls++;
}

static void a_dropped_table_is_reported(fixture *test, gconstpointer flags)
{
    (void)flags;
    g_signal_connect(test->model, "failed", G_CALLBACK(failed), test);
    execute(test, "ALTER TABLE t RENAME TO hidden");
    g_assert_cmpuint(test->calls, ==, 1);
    execute(test, "DELETE FROM hidden WHERE id = 2; ALTER TABLE hidden RENAME TO t");
    g_assert_text(ids(test->model), "1 3");
}

static void the_number_of_items_is_a_property(fixture *test, gconstpointer flags)
{
    GType type;
    guint n_items;
    (void)flags;
    g_signal_connect_swapped(test->model, "notify::n-items", G_CALLBACK(count_call), test);
    execute(test, "UPDATE t SET name = 'z'");
    g_assert_cmpuint(test->calls, ==, 0);
    execute(test, "DELETE FROM t WHERE id = 2");
    g_object_get(test->model, "n-items", &n_items, "item-type", &type, NULL);
    g_assert_cmpuint(test->calls, ==, 1);
    g_assert_cmpuint(n_items, ==, 2);
    g_assert_true(g_type_is_a(type, FRG_TYPE_ITEM));
}

static void init_announces_the_rows(fixture *test, gconstpointer flags)
{
    FrGListModel *model = g_object_new(FRG_TYPE_LIST_MODEL, "store", test->store, "request", test->request, NULL);
    (void)flags;
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(model)), ==, 0);
    g_signal_connect_swapped(model, "items-changed", G_CALLBACK(count_call), test);
    g_assert_true(g_initable_init(G_INITABLE(model), NULL, NULL));
    g_assert_true(g_initable_init(G_INITABLE(model), NULL, NULL));
    g_assert_cmpuint(test->calls, ==, 1);
    g_assert_text(ids(model), "1 2 3");
    g_assert_finalize_object(model);
}

#define ADD(name, flags) \
    g_test_add("/request/" #name, fixture, GUINT_TO_POINTER((guint)(flags)), set_up, name, tear_down)

void add_request_tests(void)
{
    ADD(the_order, FRG_STORE_DEFAULT);
    ADD(expressions, FRG_STORE_DEFAULT);
    ADD(ranks, FRG_STORE_DEFAULT);
    ADD(a_select, FRG_STORE_DEFAULT);
    ADD(groups, FRG_STORE_DEFAULT);
    ADD(requests_that_fail, FRG_STORE_DEFAULT);
    ADD(a_section_map, FRG_STORE_DEFAULT);
    ADD(the_model_holds_the_store, FRG_STORE_DEFAULT);
    ADD(a_handler_releases_all, FRG_STORE_QUEUED);
    ADD(a_handler_closes_the_store, FRG_STORE_QUEUED);
    ADD(a_dropped_table_is_reported, FRG_STORE_DEFAULT);
    ADD(the_number_of_items_is_a_property, FRG_STORE_DEFAULT);
    ADD(init_announces_the_rows, FRG_STORE_DEFAULT);
}
