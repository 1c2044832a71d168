/*
 * The model of sections: what it announces, what the models of the sections announce, and in which
 * order.
 */
#include "test-support.h"

typedef struct fixture {
    fr_store *store;
    fr_list *list;
    FrGSectionList *sections;
    struct tree *tree;
} fixture;

static void set_up(fixture *test, gconstpointer section)
{
    test->store = store_with(THREE_SECTIONS);
    test->list = list_of(test->store, section);
    test->sections = frg_section_list_new(test->list);
    test->tree = tree_new(test->sections, MIRROR_HOLDS);
}

static void tear_down(fixture *test, gconstpointer section)
{
    (void)section;
    tree_check(test->tree);
    tree_free(test->tree);
    g_assert_finalize_object(test->sections);
    fr_list_free(test->list);
    check(fr_store_close(test->store));
}

/* The sections and rows, and the signals of the list of sections. */
static void expect(fixture *test, const char *ids, const char *signals)
{
    g_assert_cmpstr(test->tree->log->str, ==, signals);
    g_string_truncate(test->tree->log, 0);
    g_assert_text(tree_ids(test->tree), ids);
    g_assert_text(ids_of(test->list, TRUE), ids);
}

static void rows_change_in_their_sections(fixture *test, gconstpointer section)
{
    (void)section;
    run(test->store, "DELETE FROM t WHERE id = 2");
    mirror_expect(tree_section(test->tree, 0), "1-1+0 ");
    run(test->store, "INSERT INTO t(id, s, k) VALUES (7, 'c', 30)");
    mirror_expect(tree_section(test->tree, 2), "2-0+1 ");
    run(test->store, "UPDATE t SET k = 40 WHERE id = 1");
    mirror_expect(tree_section(test->tree, 0), "0-2+2 ");
    run(test->store, "UPDATE t SET v = 1 WHERE id = 5");
    mirror_expect(tree_section(test->tree, 2), "");
    mirror_expect_updated(tree_section(test->tree, 2), "0 ");
    mirror_expect(tree_section(test->tree, 1), "");
    expect(test, "a: 3 1 b: 4 c: 5 6 7", "");
}

static void a_row_goes_to_another_section(fixture *test, gconstpointer section)
{
    gpointer second = g_ptr_array_index(tree_section(test->tree, 0)->items, 1);
    (void)section;
    run(test->store, "UPDATE t SET s = 'c' WHERE id = 2");
    mirror_expect(tree_section(test->tree, 0), "1-1+0 ");
    mirror_expect(tree_section(test->tree, 2), "1-0+1 ");
    mirror_expect_updated(tree_section(test->tree, 0), "1 ");
    g_assert_true(g_ptr_array_index(tree_section(test->tree, 2)->items, 1) == second);
    expect(test, "a: 1 3 b: 4 c: 5 2 6", "");
}

/* The name of the section that has a row; "none" if there is none. */
static const char *section_name_of(FrGSectionList *sections, FrGItem *row)
{
    FrGListModel *section = frg_section_list_find(sections, row);
    const char *name = section != NULL ? g_intern_string(frg_list_model_get_section_name(section)) : "none";
    g_clear_object(&section);
    return name;
}

typedef struct search {
    FrGSectionList *sections;
    FrGItem *row;
    GString *names;
} search;

static void search_again(search *searching)
{
    g_string_append_printf(searching->names, "%s ", section_name_of(searching->sections, searching->row));
}

/* While changes are announced, too. */
static void a_row_is_found_in_its_section(fixture *test, gconstpointer section)
{
    search searching = {test->sections, g_ptr_array_index(tree_section(test->tree, 0)->items, 1), g_string_new("")};
    GListModel *first = g_list_model_get_item(G_LIST_MODEL(test->sections), 0);
    (void)section;
    g_object_ref(searching.row);
    g_signal_connect_swapped(first, "items-changed", G_CALLBACK(search_again), &searching);
    search_again(&searching);
    run(test->store, "UPDATE t SET s = 'c' WHERE id = 2");
    search_again(&searching);
    run(test->store, "DELETE FROM t WHERE id IN (1, 2)");
    search_again(&searching);
    g_assert_cmpstr(searching.names->str, ==, "a c c none none ");
    g_object_unref(first);
    g_object_unref(searching.row);
    g_string_free(searching.names, TRUE);
    g_string_truncate(test->tree->log, 0);
}

static void a_section_comes_with_its_rows(fixture *test, gconstpointer section)
{
    (void)section;
    run(test->store, "INSERT INTO t(id, s, k) VALUES (7, 'bb', 1), (8, 'bb', 2)");
    expect(test, "a: 1 2 3 b: 4 bb: 7 8 c: 5 6", "2-0+1 ");
    mirror_expect(tree_section(test->tree, 2), "");
}

static void a_section_is_empty_when_it_goes(fixture *test, gconstpointer section)
{
    FrGListModel *kept = g_list_model_get_item(G_LIST_MODEL(test->sections), 1);
    (void)section;
    run(test->store, "DELETE FROM t WHERE s = 'b'");
    expect(test, "a: 1 2 3 c: 5 6", "1-1+0 ");
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(kept)), ==, 0);
    g_assert_cmpstr(frg_list_model_get_section_name(kept), ==, "b");
    run(test->store, "INSERT INTO t(id, s, k) VALUES (7, 'b', 1)");
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(kept)), ==, 0);
    expect(test, "a: 1 2 3 b: 7 c: 5 6", "1-0+1 ");
    g_assert_finalize_object(kept);
}

/* One section is deleted, another inserted, at the same place among the others. */
static void a_key_is_renamed(fixture *test, gconstpointer section)
{
    (void)section;
    run(test->store, "UPDATE t SET s = 'aa' WHERE s = 'a'");
    expect(test, "aa: 1 2 3 b: 4 c: 5 6", "0-1+1 ");
    run(test->store, "UPDATE t SET s = 'd' WHERE s = 'aa'");
    expect(test, "b: 4 c: 5 6 d: 1 2 3", "0-1+0 2-0+1 ");
}

static void models_follow_sections_that_move(fixture *test, gconstpointer section)
{
    GListModel *a = tree_section(test->tree, 0)->model;
    fr_request *request = NULL;
    check(fr_request_new(&request, "t"));
    check(fr_request_set_section(request, section, FR_DESCENDING, NULL));
    check(fr_request_add_sort(request, "k", FR_ASCENDING, NULL));
    check(fr_controller_set_request(test->list, request));
    fr_request_free(request);
    expect(test, "c: 5 6 b: 4 a: 1 2 3", "1-2+0 0-0+2 ");
    g_assert_true(tree_section(test->tree, 2)->model == a);
    mirror_expect(tree_section(test->tree, 2), "");
    run(test->store, "DELETE FROM t WHERE id = 2");
    mirror_expect(tree_section(test->tree, 2), "1-1+0 ");
}

static void a_rollback_reports_nothing(fixture *test, gconstpointer section)
{
    (void)section;
    run(test->store, "BEGIN; DELETE FROM t; INSERT INTO t(s, k) VALUES ('d', 1); ROLLBACK");
    expect(test, "a: 1 2 3 b: 4 c: 5 6", "");
}

static void fetched_again(fixture *test, gconstpointer section)
{
    FrGListModel *old = g_list_model_get_item(G_LIST_MODEL(test->sections), 0);
    (void)section;
    check(fr_list_perform_fetch(test->list));
    g_signal_handler_block(test->sections, test->tree->handler);
    tree_free(test->tree);
    frg_section_list_reload(test->sections);
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(old)), ==, 0);
    g_assert_finalize_object(old);
    test->tree = tree_new(test->sections, MIRROR_HOLDS);
    expect(test, "a: 1 2 3 b: 4 c: 5 6", "");
}

static void the_controller_is_freed_first(fixture *test, gconstpointer section)
{
    FrGListModel *held = g_list_model_get_item(G_LIST_MODEL(test->sections), 0);
    (void)section;
    tree_free(test->tree);
    fr_list_free(test->list);
    test->list = NULL;
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(test->sections)), ==, 0);
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(held)), ==, 0);
    g_assert_finalize_object(held);
    test->tree = tree_new(test->sections, MIRROR_HOLDS);
}

/* What is left of a section that is no more holds nothing else. */
static void a_deleted_section_is_held(fixture *test, gconstpointer section)
{
    FrGListModel *kept = g_list_model_get_item(G_LIST_MODEL(test->sections), 1);
    run(test->store, "DELETE FROM t WHERE s = 'b'");
    tree_free(test->tree);
    g_assert_finalize_object(test->sections);
    g_assert_finalize_object(kept);
    test->sections = frg_section_list_new(test->list);
    test->tree = tree_new(test->sections, MIRROR_HOLDS);
    (void)section;
}

static void read_first_two(gpointer model)
{
    g_object_unref(g_list_model_get_item(model, 0));
    g_object_unref(g_list_model_get_item(model, 1));
}

/*
 * A section that is read before it was notified of a change announces new rows; referenced items
 * stay.
 */
static void a_section_is_read_before_it_was_reported(void)
{
    fr_store *store = store_with(THREE_SECTIONS);
    fr_list *list = list_of(store, "s");
    FrGListModel *model = frg_list_model_new(list), *a;
    FrGSectionList *sections = frg_section_list_new(list);
    struct mirror *mirror = mirror_new(model, 0), *rows;
    FrGItem *third, *later;
    a = g_list_model_get_item(G_LIST_MODEL(sections), 0);
    third = g_list_model_get_item(G_LIST_MODEL(a), 2);
    rows = mirror_new(a, 0);
    mirror->in_handler = read_first_two;
    mirror->user_data = a;
    run(store, "DELETE FROM t WHERE id = 1");
    mirror_expect(rows, "0-3+2 ");
    g_assert_text(mirror_ids(rows), "2 3");
    later = g_list_model_get_item(G_LIST_MODEL(a), 1);
    g_assert_true(later == third);
    g_object_unref(later);
    g_object_unref(third);
    mirror_free(rows);
    mirror_free(mirror);
    g_assert_finalize_object(a);
    g_assert_finalize_object(sections);
    g_assert_finalize_object(model);
    fr_list_free(list);
    check(fr_store_close(store));
}

static void count_signal(GListModel *model, guint position, guint removed, guint added, gpointer user_data)
{
    (void)model;
    *(guint *)user_data += 1000 + position * 100 + removed * 10 + added;
}

/* The model of a section keeps all alive that it needs. */
static void a_section_alone_is_held(void)
{
    fr_store *store = store_with(THREE_SECTIONS);
    fr_list *list = list_of(store, "s");
    FrGSectionList *sections = frg_section_list_new(list);
    FrGListModel *b = g_list_model_get_item(G_LIST_MODEL(sections), 1);
    guint signals = 0;
    g_object_unref(sections);
    g_signal_connect(b, "items-changed", G_CALLBACK(count_signal), &signals);
    run(store, "DELETE FROM t WHERE s = 'a'; INSERT INTO t(s, k) VALUES ('b', 90)");
    g_assert_cmpuint(signals, ==, 1101);
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(b)), ==, 2);
    g_assert_finalize_object(b);
    run(store, "DELETE FROM t");
    fr_list_free(list);
    check(fr_store_close(store));
}

static void a_flat_list_is_one_section(void)
{
    fr_store *store = store_with(THREE_SECTIONS);
    fr_list *list = list_of(store, NULL);
    FrGSectionList *sections = frg_section_list_new(list);
    struct tree *tree = tree_new(sections, MIRROR_HOLDS);
    g_assert_text(tree_ids(tree), "-: 1 4 5 2 6 3");
    run(store, "DELETE FROM t");
    g_assert_text(tree_ids(tree), "-:");
    tree_free(tree);
    g_assert_finalize_object(sections);
    fr_list_free(list);
    check(fr_store_close(store));
}

#define ADD(name) g_test_add("/section-list/" #name, fixture, "s", set_up, name, tear_down)

void add_section_list_tests(void)
{
    ADD(rows_change_in_their_sections);
    ADD(a_row_goes_to_another_section);
    ADD(a_row_is_found_in_its_section);
    ADD(a_section_comes_with_its_rows);
    ADD(a_section_is_empty_when_it_goes);
    ADD(a_deleted_section_is_held);
    ADD(a_key_is_renamed);
    ADD(models_follow_sections_that_move);
    ADD(a_rollback_reports_nothing);
    ADD(fetched_again);
    ADD(the_controller_is_freed_first);
    g_test_add_func("/section-list/a_section_alone_is_held", a_section_alone_is_held);
    g_test_add_func("/section-list/a_section_is_read_before_it_was_reported", a_section_is_read_before_it_was_reported);
    g_test_add_func("/section-list/a_flat_list_is_one_section", a_flat_list_is_one_section);
}
