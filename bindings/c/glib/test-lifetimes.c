/*
 * Which item a row is, and what a model answers before, between and after: in handlers, without its
 * controller.
 */
#include <glib/gstdio.h>

#include "test-support.h"

static void an_item_is_one_as_long_as_it_is_held(struct flat *test, gconstpointer unused)
{
    GListModel *model = G_LIST_MODEL(test->model);
    FrGItem *first = g_list_model_get_item(model, 4), *second;
    (void)unused;
    run(test->store, "INSERT INTO t(id, s, k) VALUES (7, 'a', 1)");
    second = g_list_model_get_item(model, 5);
    g_assert_true(first == second);
    g_object_unref(second);
    frg_list_model_reload(test->model);
    second = g_list_model_get_item(model, 5);
    g_assert_true(first == second);
    g_object_unref(first);
    g_object_unref(second);
}

/*
 * Nothing that the item shows changed: it is the same one behind its new place, also if the row
 * passed nothing.
 */
static void a_row_that_moves_unchanged_is_the_same_item(void)
{
    static const char *const columns[] = {"v"};
    fr_store *store = store_with(THREE_SECTIONS);
    fr_request *request = NULL;
    fr_list *list = NULL;
    FrGListModel *model;
    struct mirror *mirror;
    FrGItem *third, *later;
    check(fr_request_new(&request, "t"));
    check(fr_request_set_columns(request, columns, 1));
    check(fr_request_set_section(request, "s", FR_ASCENDING, NULL));
    check(fr_request_add_sort(request, "k", FR_ASCENDING, NULL));
    check(fr_controller_new(&list, store, request));
    check(fr_list_perform_fetch(list));
    model = frg_list_model_new(list);
    mirror = mirror_new(model, 0);
    third = g_list_model_get_item(G_LIST_MODEL(model), 2);
    run(store, "UPDATE t SET s = 'b', k = 1 WHERE id = 3");
    mirror_expect(mirror, "2-1+1 ");
    later = g_list_model_get_item(G_LIST_MODEL(model), 2);
    g_assert_true(later == third);
    g_object_unref(later);
    run(store, "UPDATE t SET k = 99 WHERE id = 3");
    mirror_expect(mirror, "2-2+2 ");
    later = g_list_model_get_item(G_LIST_MODEL(model), 3);
    g_assert_true(later == third);
    g_object_unref(later);
    g_object_unref(third);
    mirror_free(mirror);
    g_assert_finalize_object(model);
    fr_request_free(request);
    fr_list_free(list);
    check(fr_store_close(store));
}

/* A database that another connection locks, and a list whose rows were not read yet. */
static void a_row_that_could_not_be_read_is_read_again(void)
{
    const fr_store_options options = {.struct_size = sizeof options, .busy_timeout_ms = -1, .journal_mode = "delete"};
    char *folder = g_dir_make_tmp("frg-XXXXXX", NULL), *path = g_build_filename(folder, "test.db", NULL);
    fr_store *store = NULL, *other = NULL;
    fr_list *list;
    FrGListModel *model;
    FrGItem *item, *again;
    check(fr_store_open(&store, path, &options));
    run(store, "CREATE TABLE t(id INTEGER PRIMARY KEY, s, k, v); INSERT INTO t VALUES (1, 'a', 1, 1)");
    list = list_of(store, NULL);
    model = frg_list_model_new(list);
    check(fr_store_open(&other, path, &options));
    check(fr_store_begin(other, FR_EXCLUSIVE));
    item = g_list_model_get_item(G_LIST_MODEL(model), 0);
    again = g_list_model_get_item(G_LIST_MODEL(model), 0);
    g_assert_null(frg_item_get_object(item));
    g_assert_true(item == again);
    g_object_unref(again);
    check(fr_store_close(other));
    again = g_list_model_get_item(G_LIST_MODEL(model), 0);
    g_assert_true(item == again);
    g_object_unref(again);
    g_assert_text(row_text(item), "1 a 1 1");
    g_assert_finalize_object(item);
    g_assert_finalize_object(model);
    fr_list_free(list);
    check(fr_store_close(store));
    g_remove(path);
    g_rmdir(folder);
    g_free(path);
    g_free(folder);
}

static void fetched_again(struct flat *test, gconstpointer unused)
{
    (void)unused;
    check(fr_list_perform_fetch(test->list));
    frg_list_model_reload(test->model);
    flat_expect(test, "1 2 3 4 5 6", "0-6+6 ");
}

static void the_controller_is_freed_first(struct flat *test, gconstpointer unused)
{
    (void)unused;
    fr_list_free(test->list);
    test->list = NULL;
    mirror_expect(test->mirror, "0-6+0 ");
    g_assert_null(g_list_model_get_item(G_LIST_MODEL(test->model), 0));
    frg_list_model_reload(test->model);
    mirror_expect(test->mirror, "");
}

static void free_controller(gpointer user_data)
{
    struct flat *test = user_data;
    fr_list_free(test->list);
    test->list = NULL;
}

/* The remaining changes are announced, of rows that can't be read any more, and then the end. */
static void the_controller_is_freed_in_a_handler(struct flat *test, gconstpointer unused)
{
    (void)unused;
    g_clear_pointer(&test->mirror, mirror_free);
    g_signal_connect_swapped(test->model, "items-changed", G_CALLBACK(free_controller), test);
    run(test->store, "DELETE FROM t WHERE id IN (2, 5)");
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(test->model)), ==, 0);
}

static void the_store_is_closed_first(struct flat *test, gconstpointer unused)
{
    FrGItem *item;
    (void)unused;
    g_clear_pointer(&test->mirror, mirror_free);
    check(fr_store_close(test->store));
    test->store = NULL;
    item = g_list_model_get_item(G_LIST_MODEL(test->model), 0);
    g_assert_null(frg_item_get_object(item));
    g_assert_text(frg_item_dup_text(item, "k"), "");
    g_object_unref(item);
    fr_list_free(test->list);
    test->list = NULL;
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(test->model)), ==, 0);
}

static void reload(gpointer user_data)
{
    struct flat *test = user_data;
    test->mirror->in_handler = NULL;
    frg_list_model_reload(test->model);
}

static void reloaded_in_a_handler(struct flat *test, gconstpointer unused)
{
    (void)unused;
    test->mirror->in_handler = reload;
    test->mirror->user_data = test;
    run(test->store, "DELETE FROM t WHERE id IN (1, 3, 5)");
    flat_expect(test, "2 4 6", "0-1+0 0-5+3 ");
}

static void write_more(gpointer user_data)
{
    struct flat *test = user_data;
    test->mirror->in_handler = NULL;
    run(test->store, "INSERT INTO t(id, s, k) VALUES (7, 'a', 1)");
}

/* What a handler writes is announced after the rest. */
static void written_in_a_handler(struct flat *test, gconstpointer unused)
{
    (void)unused;
    test->mirror->in_handler = write_more;
    test->mirror->user_data = test;
    run(test->store, "DELETE FROM t WHERE id IN (1, 6)");
    flat_expect(test, "7 2 3 4 5", "0-1+0 4-1+0 0-0+1 ");
}

static void read_mirror(gpointer user_data)
{
    guint index, count = g_list_model_get_n_items(user_data);
    for (index = 0; index < count; index++) {
        g_object_unref(g_list_model_get_item(user_data, index));
    }
}

/* A model that is read before it was notified of a change announces a new list. */
static void read_before_it_was_reported(struct flat *test, gconstpointer unused)
{
    FrGListModel *later = frg_list_model_new(test->list);
    struct mirror *later_mirror = mirror_new(later, 0);
    (void)unused;
    run(test->store, "DELETE FROM t WHERE id = 1");
    mirror_expect(later_mirror, "0-1+0 ");
    test->mirror->in_handler = read_mirror;
    test->mirror->user_data = later;
    run(test->store, "DELETE FROM t WHERE id = 4");
    mirror_expect(later_mirror, "0-5+4 ");
    g_assert_text(mirror_ids(later_mirror), "2 3 5 6");
    mirror_free(later_mirror);
    g_assert_finalize_object(later);
}

static void release(gpointer user_data)
{
    struct flat *test = user_data;
    g_clear_pointer(&test->mirror, mirror_free);
    g_clear_object(&test->model);
}

static void the_model_is_released_in_a_handler(struct flat *test, gconstpointer unused)
{
    (void)unused;
    g_signal_connect_swapped(test->model, "items-changed", G_CALLBACK(release), test);
    run(test->store, "DELETE FROM t WHERE id IN (1, 4)");
    g_assert_null(test->model);
    run(test->store, "DELETE FROM t");
}

static void empty_before_the_first_fetch(void)
{
    fr_store *store = store_with(THREE_SECTIONS);
    fr_request *request = NULL;
    fr_list *list = NULL;
    FrGListModel *model;
    check(fr_request_new(&request, "t"));
    check(fr_controller_new(&list, store, request));
    model = frg_list_model_new(list);
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(model)), ==, 0);
    check(fr_list_perform_fetch(list));
    frg_list_model_reload(model);
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(model)), ==, 6);
    g_assert_finalize_object(model);
    fr_list_free(list);
    fr_request_free(request);
    check(fr_store_close(store));
}

static void of_no_controller(void)
{
    FrGListModel *model = frg_list_model_new(NULL);
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(model)), ==, 0);
    g_assert_true(g_type_is_a(g_list_model_get_item_type(G_LIST_MODEL(model)), FRG_TYPE_ITEM));
    g_assert_finalize_object(model);
}

static void rows_are_read_on_demand(void)
{
    fr_store *store = store_with("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
                                 "INSERT INTO t(id, s, k) SELECT i, i % 10, i FROM n");
    fr_list *list = list_of(store, "s");
    fr_counters before = {.struct_size = sizeof before}, after = {.struct_size = sizeof after};
    FrGListModel *model;
    FrGItem *item;
    check(fr_controller_counters(&before, list));
    model = frg_list_model_new(list);
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(model)), ==, 20000);
    item = g_list_model_get_item(G_LIST_MODEL(model), 2000);
    g_assert_cmpint(row_id(item), ==, 1);
    check(fr_controller_counters(&after, list));
    g_assert_cmpint(after.rows_read - before.rows_read, <=, 40);
    g_object_unref(item);
    g_assert_finalize_object(model);
    fr_list_free(list);
    check(fr_store_close(store));
}

#define ADD(name) g_test_add("/lifetimes/" #name, struct flat, NULL, flat_set_up, name, flat_tear_down)

void add_lifetime_tests(void)
{
    ADD(an_item_is_one_as_long_as_it_is_held);
    ADD(fetched_again);
    ADD(the_controller_is_freed_first);
    ADD(the_controller_is_freed_in_a_handler);
    ADD(the_store_is_closed_first);
    ADD(reloaded_in_a_handler);
    ADD(written_in_a_handler);
    ADD(read_before_it_was_reported);
    ADD(the_model_is_released_in_a_handler);
    g_test_add_func("/lifetimes/a_row_that_moves_unchanged_is_the_same_item",
                    a_row_that_moves_unchanged_is_the_same_item);
    g_test_add_func("/lifetimes/a_row_that_could_not_be_read_is_read_again",
                    a_row_that_could_not_be_read_is_read_again);
    g_test_add_func("/lifetimes/empty_before_the_first_fetch", empty_before_the_first_fetch);
    g_test_add_func("/lifetimes/of_no_controller", of_no_controller);
    g_test_add_func("/lifetimes/rows_are_read_on_demand", rows_are_read_on_demand);
}
