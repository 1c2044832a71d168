/* Models of windows. */
#include "frg-store.h"
#include "frg-window.h"
#include "test-support.h"

typedef struct fixture {
    fr_store *store;
    fr_list *list;
    struct shown shown;
} fixture;

/* The window of the rows 2 3 in section a and 4 in b, of a (1 2 3), b (4), c (5 6). */
static void set_up(fixture *test, gconstpointer flags)
{
    fr_list *window = NULL;
    test->store = store_with(THREE_SECTIONS);
    test->list = list_of(test->store, "s");
    check(fr_window_open(&window, test->list, 2, 1, 1));
    shown_set_up(&test->shown, window, GPOINTER_TO_UINT(flags));
}

static void tear_down(fixture *test, gconstpointer flags)
{
    (void)flags;
    shown_tear_down(&test->shown);
    fr_list_free(test->list);
    check(fr_store_close(test->store));
}

/* Changes elsewhere are no signal; a model of the list has them. */
static void a_window_changes_with_its_rows_alone(fixture *test, gconstpointer flags)
{
    FrGListModel *whole = frg_list_model_new(test->list);
    (void)flags;
    shown_expect(&test->shown, "a: 2 3 b: 4", "", "");
    run(test->store, "DELETE FROM t WHERE id = 6");
    shown_expect(&test->shown, "a: 2 3 b: 4", "", "");
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(whole)), ==, 5);
    run(test->store, "INSERT INTO t(id, s, k) VALUES (7, 'a', 25)");
    shown_expect(&test->shown, "a: 7 3 b: 4", "0-1+1 ", "");
    run(test->store, "DELETE FROM t WHERE id = 4");
    shown_expect(&test->shown, "a: 7 3 c: 5", "2-1+1 ", "1-1+1 ");
    run(test->store, "DELETE FROM t WHERE id = 3");
    shown_expect(&test->shown, "a: 7 c: 5", "1-1+0 ", "");
    g_assert_finalize_object(whole);
}

static void a_window_grows_and_moves(fixture *test, gconstpointer flags)
{
    FrGLiveModel *model = FRG_LIVE_MODEL(test->shown.model);
    FrGItem *four = g_list_model_get_item(G_LIST_MODEL(model), 2);
    guint position = 0;
    (void)flags;
    g_assert_cmpuint(frg_live_model_get_window_position(model), ==, 1);
    g_assert_true(frg_live_model_grow_window(model, 0, 1, NULL));
    shown_expect(&test->shown, "a: 2 3 b: 4 c: 5", "3-0+1 ", "2-0+1 ");
    g_assert_true(frg_live_model_grow_window(FRG_LIVE_MODEL(test->shown.sections), 9, 9, NULL));
    shown_expect(&test->shown, "a: 1 2 3 b: 4 c: 5 6", "0-0+1 5-0+1 ", "");
    g_assert_true(frg_list_model_find(test->shown.model, four, &position));
    g_assert_cmpuint(position, ==, 3);
    g_assert_true(frg_live_model_grow_window(model, -10, -11, NULL));
    shown_expect(&test->shown, "a: 3", "0-2+0 1-3+0 ", "1-2+0 ");
    g_assert_true(frg_live_model_move_window(model, 2, NULL));
    shown_expect(&test->shown, "c: 5", "0-1+1 ", "0-1+1 ");
    fails_with(frg_live_model_grow_window(model, -1, 0, &fault), FRG_STORE_ERROR_RANGE);
    g_object_unref(four);
}

static void other_lists_are_refused(fixture *test, gconstpointer flags)
{
    FrGListModel *whole = frg_list_model_new(test->list);
    FrGListModel *section = g_list_model_get_item(G_LIST_MODEL(test->shown.sections), 0);
    FrGItem *item = g_list_model_get_item(G_LIST_MODEL(test->shown.model), 0);
    FrGRequest *request = frg_request_new("t");
    (void)flags;
    fails_with(frg_live_model_grow_window(FRG_LIVE_MODEL(whole), 1, 1, &fault), FRG_STORE_ERROR_MISUSE);
    fails_with(frg_live_model_move_window(FRG_LIVE_MODEL(whole), 1, &fault), FRG_STORE_ERROR_MISUSE);
    fails_with(frg_live_model_open_window(FRG_LIVE_MODEL(whole), 6, 0, 0, &fault), FRG_STORE_ERROR_RANGE);
    fails_with(frg_live_model_open_window(FRG_LIVE_MODEL(test->shown.model), 0, 0, 0, &fault), FRG_STORE_ERROR_MISUSE);
    fails_with(frg_live_model_open_window(FRG_LIVE_MODEL(section), 0, 0, 0, &fault), FRG_STORE_ERROR_MISUSE);
    fails_with(frg_list_model_move(test->shown.model, "k", item, NULL, &fault), FRG_STORE_ERROR_MISUSE);
    g_assert_cmpuint(frg_live_model_get_window_position(FRG_LIVE_MODEL(whole)), ==, 0);
    g_object_unref(request);
    g_object_unref(item);
    g_object_unref(section);
    g_assert_finalize_object(whole);
}

/* Made by GObject alone, as in other languages; the model of the list may end first. */
static void a_window_of_a_request(fixture *test, gconstpointer flags)
{
    FrGStore *store = frg_store_new(":memory:", FRG_STORE_DEFAULT, NULL);
    FrGRequest *request = frg_request_new("t");
    FrGListModel *whole;
    FrGLiveModel *window;
    FrGItem *item;
    (void)test, (void)flags;
    g_assert_true(frg_store_execute_script(store,
                                           "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT);"
                                           "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)"
                                           " INSERT INTO t SELECT i, 'row ' || i FROM n",
                                           NULL));
    whole = frg_list_model_new_for_request(store, request, NULL);
    window = frg_live_model_open_window(FRG_LIVE_MODEL(whole), 5000, 10, 20, NULL);
    g_assert_true(FRG_IS_LIST_MODEL(window) && frg_live_model_get_store(window) == store);
    g_assert_true(g_list_model_get_item_type(G_LIST_MODEL(window)) == g_list_model_get_item_type(G_LIST_MODEL(whole)));
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(window)), ==, 31);
    fails_with(frg_live_model_set_request(window, request, &fault), FRG_STORE_ERROR_MISUSE);
    g_assert_finalize_object(whole);
    item = g_list_model_get_item(G_LIST_MODEL(window), 10);
    g_assert_cmpint(frg_item_get_int64(item, "id"), ==, 5001);
    g_assert_true(frg_store_execute_script(store, "UPDATE t SET name = 'new' WHERE id = 5001", NULL));
    g_assert_text(frg_item_dup_text(item, "name"), "new");
    g_object_unref(item);
    g_assert_finalize_object(window);
    g_object_unref(request);
    g_assert_finalize_object(store);
}

#define ADD(function, flags) g_test_add("/window/" #function, fixture, flags, set_up, function, tear_down)

void add_window_tests(void)
{
    ADD(a_window_changes_with_its_rows_alone, GUINT_TO_POINTER(MIRROR_HOLDS));
    ADD(a_window_grows_and_moves, GUINT_TO_POINTER(MIRROR_HOLDS));
    ADD(other_lists_are_refused, NULL);
    ADD(a_window_of_a_request, NULL);
}
