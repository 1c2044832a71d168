/* The totals of models and of their sections: items that follow them, and notify. */
#include "test-support.h"

typedef struct fixture {
    fr_store *store;
    fr_list *list;
    FrGSectionList *sections;
    GString *log; /* notifications: of the whole list, and of the section a with its items */
} fixture;

static fr_request *request_with(const char *section, const char *total, fr_total_function function, const char *value)
{
    fr_request *request = NULL;
    check(fr_request_new(&request, "t"));
    if (section != NULL) {
        check(fr_request_set_section(request, section, FR_ASCENDING, NULL));
    }
    check(fr_request_add_sort(request, "k", FR_ASCENDING, NULL));
    check(fr_request_add_total(request, "n", FR_TOTAL_COUNT, NULL));
    check(fr_request_add_total(request, total, function, value));
    return request;
}

static void set_up(fixture *test, gconstpointer data)
{
    fr_request *request = request_with("s", "sum k", FR_TOTAL_SUM, "k");
    (void)data;
    test->store = store_with(THREE_SECTIONS);
    check(fr_controller_new(&test->list, test->store, request));
    check(fr_list_perform_fetch(test->list));
    fr_request_free(request);
    test->sections = frg_section_list_new(test->list);
    test->log = g_string_new(NULL);
}

static void tear_down(fixture *test, gconstpointer data)
{
    (void)data;
    g_string_free(test->log, TRUE);
    g_assert_finalize_object(test->sections);
    fr_list_free(test->list);
    check(fr_store_close(test->store));
}

static FrGListModel *section(fixture *test, guint index)
{
    return g_list_model_get_item(G_LIST_MODEL(test->sections), index);
}

static gint64 number(FrGItem *totals)
{
    gint64 number = 0;
    g_object_get(totals, "n", &number, NULL);
    return number;
}

static void note(GObject *object, GParamSpec *property, gpointer log)
{
    const char *which = FRG_IS_ITEM(object) ? "item" : FRG_IS_SECTION_LIST(object) ? "list" : "section";
    g_string_append_printf(log, "%s:%s ", which, g_param_spec_get_name(property));
}

static void watch(fixture *test, gpointer object, const char *detail)
{
    g_signal_connect(object, detail, G_CALLBACK(note), test->log);
}

static void expect(fixture *test, const char *log)
{
    g_assert_cmpstr(test->log->str, ==, log);
    g_string_truncate(test->log, 0);
}

static void are_items_that_notify(fixture *test, gconstpointer data)
{
    FrGItem *all = frg_live_model_get_totals(FRG_LIVE_MODEL(test->sections)), *of_a;
    FrGListModel *a = section(test, 0);
    double sum;
    (void)data;
    of_a = frg_live_model_get_totals(FRG_LIVE_MODEL(a));
    g_assert_true(all != NULL && of_a != NULL && all != of_a);
    g_assert_cmpint(number(all), ==, 6);
    g_assert_cmpint(number(of_a), ==, 3);
    watch(test, test->sections, "notify::totals");
    watch(test, a, "notify::totals");
    watch(test, of_a, "notify");
    run(test->store, "UPDATE t SET v = 1");
    expect(test, "");
    run(test->store, "DELETE FROM t WHERE id = 4");
    expect(test, "list:totals ");
    run(test->store, "UPDATE t SET k = 100 WHERE id = 1");
    expect(test, "list:totals item:sum-k section:totals ");
    run(test->store, "DELETE FROM t WHERE id = 2");
    expect(test, "list:totals item:n item:sum-k section:totals ");
    g_assert_true(frg_live_model_get_totals(FRG_LIVE_MODEL(a)) == of_a);
    g_assert_cmpint(number(of_a), ==, 2);
    g_object_get(of_a, "sum-k", &sum, NULL);
    g_assert_cmpfloat(sum, ==, frg_item_get_double(of_a, "sum k"));
    g_assert_cmpint(number(all), ==, 4);
    g_object_unref(a);
}

/*
 * The item follows its section to another number, and retains its values when the section is
 * deleted.
 */
static void follow_their_section(fixture *test, gconstpointer data)
{
    FrGListModel *b = section(test, 1);
    FrGItem *totals = frg_live_model_get_totals(FRG_LIVE_MODEL(b));
    (void)data;
    run(test->store, "DELETE FROM t WHERE s = 'a'");
    run(test->store, "INSERT INTO t (s, k) VALUES ('b', 7), ('c', 8)");
    g_assert_cmpint(number(totals), ==, 2);
    run(test->store, "DELETE FROM t WHERE s = 'b'");
    g_assert_cmpint(number(totals), ==, 2);
    g_assert_true(frg_live_model_get_totals(FRG_LIVE_MODEL(b)) == totals);
    g_object_unref(b);
}

static void read_of_c(GListModel *sections, guint position, guint removed, guint added, gpointer read)
{
    FrGListModel *c = g_list_model_get_item(sections, g_list_model_get_n_items(sections) - 1);
    (void)position, (void)removed, (void)added;
    g_string_append_printf(read, "%d ", (int)number(frg_live_model_get_totals(FRG_LIVE_MODEL(c))));
    g_object_unref(c);
}

static void are_read_in_any_handler(fixture *test, gconstpointer data)
{
    (void)data;
    g_signal_connect(test->sections, "items-changed", G_CALLBACK(read_of_c), test->log);
    run(test->store, "DELETE FROM t WHERE s = 'a' OR id = 5");
    expect(test, "1 ");
}

static void are_those_of_another_request(fixture *test, gconstpointer data)
{
    FrGListModel *rows = frg_list_model_new(test->list);
    fr_request *request = request_with("s", "last", FR_TOTAL_MAX, "k"), *plain = NULL;
    FrGItem *totals = g_object_ref(frg_live_model_get_totals(FRG_LIVE_MODEL(rows)));
    (void)data;
    watch(test, rows, "notify::totals");
    check(fr_request_set_predicate(request, "id <> 1", NULL, 0));
    check(fr_controller_set_request(test->list, request));
    expect(test, "section:totals ");
    g_assert_true(frg_live_model_get_totals(FRG_LIVE_MODEL(rows)) != totals);
    g_assert_true(frg_item_is_null(frg_live_model_get_totals(FRG_LIVE_MODEL(rows)), "last") == FALSE);
    check(fr_request_new(&plain, "t"));
    check(fr_controller_set_request(test->list, plain));
    expect(test, "section:totals ");
    g_assert_null(frg_live_model_get_totals(FRG_LIVE_MODEL(rows)));
    fr_request_free(request);
    fr_request_free(plain);
    g_object_unref(totals);
    g_assert_finalize_object(rows);
}

static void are_none_where_there_are_none(fixture *test, gconstpointer data)
{
    fr_list *collection = NULL, *unfetched = NULL;
    fr_request *request = request_with(NULL, "last", FR_TOTAL_MAX, "k");
    FrGListModel *rows;
    (void)data;
    check(fr_collection_new(&collection));
    check(fr_collection_insert(collection, -1, test->list, NULL));
    check(fr_list_perform_fetch(collection));
    rows = frg_list_model_new(collection);
    watch(test, rows, "notify::totals");
    g_assert_cmpint(number(frg_live_model_get_totals(FRG_LIVE_MODEL(rows))), ==, 6);
    run(test->store, "DELETE FROM t WHERE id = 5");
    g_assert_cmpint(number(frg_live_model_get_totals(FRG_LIVE_MODEL(rows))), ==, 5);
    g_string_truncate(test->log, 0);
    g_assert_finalize_object(rows);
    fr_list_free(collection);
    check(fr_controller_new(&unfetched, test->store, request));
    rows = frg_list_model_new(unfetched);
    watch(test, rows, "notify::totals");
    g_assert_null(frg_live_model_get_totals(FRG_LIVE_MODEL(rows)));
    check(fr_list_perform_fetch(unfetched));
    frg_list_model_reload(rows);
    expect(test, "section:totals ");
    g_assert_cmpint(number(frg_live_model_get_totals(FRG_LIVE_MODEL(rows))), ==, 5);
    fr_list_free(unfetched);
    g_assert_cmpint(number(frg_live_model_get_totals(FRG_LIVE_MODEL(rows))), ==, 5);
    g_assert_finalize_object(rows);
    fr_request_free(request);
}

#define ADD(name) g_test_add("/totals/" #name, fixture, NULL, set_up, name, tear_down)

void add_totals_tests(void)
{
    ADD(are_items_that_notify);
    ADD(follow_their_section);
    ADD(are_read_in_any_handler);
    ADD(are_those_of_another_request);
    ADD(are_none_where_there_are_none);
}
