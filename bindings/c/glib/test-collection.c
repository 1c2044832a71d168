/* Collections: several lists as one, of one store or two, whose rows may have the same identity. */
#include "test-support.h"

/* Of each store a list in sections, and a collection of both. */
typedef struct fixture {
    fr_store *stores[2]; /* NULL if the test has closed it */
    fr_list *children[2];
    struct shown shown;
} fixture;

#define ROWS "INSERT INTO t(id, s, k) VALUES (1, 'a', 10), (2, 'a', 20), (3, 'b', 10)"

static void set_up(fixture *test, gconstpointer flags)
{
    fr_list *collection = NULL;
    int index;
    check(fr_collection_new(&collection));
    for (index = 0; index < 2; index++) {
        test->stores[index] = store_with(ROWS);
        test->children[index] = list_of(test->stores[index], "s");
        check(fr_collection_insert(collection, -1, test->children[index], NULL));
    }
    check(fr_list_perform_fetch(collection));
    shown_set_up(&test->shown, collection, GPOINTER_TO_UINT(flags) | MIRROR_REPEATS);
    shown_expect(&test->shown, "a: 1 2 b: 3 a: 1 2 b: 3", "", "");
}

static void tear_down(fixture *test, gconstpointer flags)
{
    int index;
    (void)flags;
    shown_tear_down(&test->shown);
    for (index = 0; index < 2; index++) {
        fr_list_free(test->children[index]);
        if (test->stores[index] != NULL) {
            check(fr_store_close(test->stores[index]));
        }
    }
}

static struct mirror *section(fixture *test, guint index)
{
    return tree_section(test->shown.tree, index);
}

static void insert(fixture *test, int64_t index, fr_list *child)
{
    check(fr_collection_insert(test->shown.list, index, child, NULL));
}

static void rows_of_one_identity_are_different_items(fixture *test, gconstpointer flags)
{
    FrGItem *one = g_list_model_get_item(G_LIST_MODEL(test->shown.model), 0);
    FrGItem *other = g_list_model_get_item(G_LIST_MODEL(test->shown.model), 3), *later;
    (void)flags;
    g_assert_true(one != other);
    run(test->stores[1], "UPDATE t SET v = 1 WHERE id = 1");
    shown_expect(&test->shown, "a: 1 2 b: 3 a: 1 2 b: 3", "", "");
    g_assert_text(row_text(one), "1 a 10 0");
    g_assert_text(row_text(other), "1 a 10 1");
    g_assert_text(row_text(one), "1 a 10 0");
    later = g_list_model_get_item(G_LIST_MODEL(test->shown.model), 0);
    g_assert_true(later == one);
    g_object_unref(later);
    run(test->stores[0], "DELETE FROM t WHERE id = 1");
    shown_expect(&test->shown, "a: 2 b: 3 a: 1 2 b: 3", "0-1+0 ", "");
    run(test->stores[0], "UPDATE t SET s = 'c'");
    shown_expect(&test->shown, "c: 3 2 a: 1 2 b: 3", "0-2+2 ", "0-2+1 ");
    g_object_unref(one);
    g_object_unref(other);
}

/*
 * Two children of one store show the same rows: what a commit changes in both is announced
 * together.
 */
static void a_row_of_two_children(fixture *test, gconstpointer flags)
{
    fr_list *flat = list_of(test->stores[0], NULL);
    (void)flags;
    insert(test, 1, flat);
    shown_expect(&test->shown, "a: 1 2 b: 3 -: 1 3 2 a: 1 2 b: 3", "3-0+3 ", "2-0+1 ");
    run(test->stores[0], "UPDATE t SET k = 30 WHERE id = 1");
    shown_expect(&test->shown, "a: 2 1 b: 3 -: 3 2 1 a: 1 2 b: 3", "0-6+6 ", "");
    run(test->stores[0], "DELETE FROM t WHERE id = 1");
    shown_expect(&test->shown, "a: 2 b: 3 -: 3 2 a: 1 2 b: 3", "1-1+0 4-1+0 ", "");
    run(test->stores[0], "DELETE FROM t");
    shown_expect(&test->shown, "-:  a: 1 2 b: 3", "0-4+0 ", "0-2+0 ");
    fr_list_free(flat);
}

static void children_come_and_go(fixture *test, gconstpointer flags)
{
    fr_list *third = list_of(test->stores[0], "s");
    GListModel *last = section(test, 3)->model;
    (void)flags;
    check(fr_collection_remove(test->shown.list, 0));
    shown_expect(&test->shown, "a: 1 2 b: 3", "0-3+0 ", "0-2+0 ");
    insert(test, 0, third);
    shown_expect(&test->shown, "a: 1 2 b: 3 a: 1 2 b: 3", "0-0+3 ", "0-0+2 ");
    g_assert_true(section(test, 3)->model == last);
    check(fr_collection_replace(test->shown.list, 0, test->children[0], NULL));
    shown_expect(&test->shown, "a: 1 2 b: 3 a: 1 2 b: 3", "0-3+3 ", "0-2+2 ");
    fr_list_free(third);
}

/* The list itself lives on in its collection. */
static void the_handle_of_a_child_is_freed(fixture *test, gconstpointer flags)
{
    FrGListModel *of_child = frg_list_model_new(test->children[1]);
    (void)flags;
    fr_list_free(test->children[1]);
    test->children[1] = NULL;
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(of_child)), ==, 0);
    g_assert_finalize_object(of_child);
    run(test->stores[1], "DELETE FROM t WHERE id = 2");
    shown_expect(&test->shown, "a: 1 2 b: 3 a: 1 b: 3", "4-1+0 ", "");
}

static void placeholders(fixture *test, gconstpointer flags)
{
    fr_placeholder *first = NULL, *empty = NULL;
    fr_list *list = list_of(test->stores[0], "s");
    (void)flags;
    check(fr_placeholder_new(&first, "first", NULL));
    check(fr_placeholder_new(&empty, "empty", NULL));
    check(fr_collection_insert_placeholder(test->shown.list, 0, first));
    shown_expect(&test->shown, "first:  a: 1 2 b: 3 a: 1 2 b: 3", "", "0-0+1 ");
    check(fr_collection_replace(test->shown.list, 1, list, empty));
    shown_expect(&test->shown, "first:  a: 1 2 b: 3 a: 1 2 b: 3", "0-3+3 ", "1-2+2 ");
    run(test->stores[0], "DELETE FROM t");
    shown_expect(&test->shown, "first:  empty:  a: 1 2 b: 3", "0-3+0 ", "1-2+1 ");
    run(test->stores[1], "DELETE FROM t WHERE id IN (1, 3)");
    shown_expect(&test->shown, "first:  empty:  a: 2", "0-1+0 1-1+0 ", "3-1+0 ");
    check(fr_placeholder_set_name(empty, "none"));
    shown_expect(&test->shown, "first:  none:  a: 2", "", "");
    run(test->stores[0], ROWS);
    shown_expect(&test->shown, "first:  a: 1 2 b: 3 a: 2", "0-0+3 ", "1-1+2 ");
    fr_placeholder_free(first);
    fr_placeholder_free(empty);
    fr_list_free(list);
}

/* The same list is there twice, once by way of another collection. */
static void a_collection_in_a_collection(fixture *test, gconstpointer flags)
{
    fr_list *inner = NULL;
    FrGSectionList *sections;
    struct tree *tree;
    (void)flags;
    check(fr_collection_new(&inner));
    check(fr_collection_insert(inner, 0, test->children[0], NULL));
    check(fr_list_perform_fetch(inner));
    /* The list that both show was fetched again. */
    shown_expect(&test->shown, "a: 1 2 b: 3 a: 1 2 b: 3", "0-6+6 ", "0-4+4 ");
    sections = frg_section_list_new(inner);
    tree = tree_new(sections, 0);
    insert(test, -1, inner);
    shown_expect(&test->shown, "a: 1 2 b: 3 a: 1 2 b: 3 a: 1 2 b: 3", "6-0+3 ", "4-0+2 ");
    run(test->stores[0], "UPDATE t SET k = 30 WHERE id = 1");
    shown_expect(&test->shown, "a: 2 1 b: 3 a: 1 2 b: 3 a: 2 1 b: 3", "0-8+8 ", "");
    run(test->stores[0], "INSERT INTO t(id, s, k) VALUES (4, 'c', 1)");
    shown_expect(&test->shown, "a: 2 1 b: 3 c: 4 a: 1 2 b: 3 a: 2 1 b: 3 c: 4", "3-0+1 10-0+1 ", "2-0+1 7-0+1 ");
    mirror_expect(tree, "2-0+1 ");
    fr_list_free(inner);
    tree_free(tree);
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(sections)), ==, 0);
    g_assert_finalize_object(sections);
}

/* The collection still shows its other lists, and delivers a reload. */
static void one_child_is_paused(fixture *test, gconstpointer flags)
{
    (void)flags;
    check(fr_controller_pause(test->children[0]));
    run(test->stores[0], "DELETE FROM t WHERE id = 1");
    run(test->stores[1], "DELETE FROM t WHERE id = 2");
    mirror_expect(test->shown.mirror, "4-1+0 ");
    check(fr_controller_resume(test->children[0], false));
    shown_expect(&test->shown, "a: 2 b: 3 a: 1 b: 3", "0-1+0 ", "");
    check(fr_controller_pause(test->children[1]));
    run(test->stores[1], "DELETE FROM t WHERE id = 3");
    check(fr_controller_resume(test->children[1], true));
    shown_expect(&test->shown, "a: 2 b: 3 a: 1", "0-4+3 ", "0-4+3 ");
    check(fr_list_perform_fetch(test->children[1]));
    shown_expect(&test->shown, "a: 2 b: 3 a: 1", "0-3+3 ", "0-3+3 ");
}

/* Items that are held are found again in the child that they came from. */
static void items_after_a_reload(fixture *test, gconstpointer flags)
{
    GListModel *model = G_LIST_MODEL(test->shown.model), *old = g_object_ref(section(test, 2)->model);
    FrGItem *other = g_list_model_get_item(model, 3), *in_section = g_list_model_get_item(old, 0), *later;
    (void)flags;
    check(fr_list_perform_fetch(test->children[0]));
    later = g_list_model_get_item(model, 0);
    g_assert_true(later != other);
    g_object_unref(later);
    later = g_list_model_get_item(model, 3);
    g_assert_true(later == other);
    g_object_unref(later);
    later = g_list_model_get_item(section(test, 2)->model, 0);
    g_assert_true(section(test, 2)->model != old && later == in_section);
    g_object_unref(later);
    g_object_unref(other);
    g_object_unref(in_section);
    g_assert_finalize_object(old);
}

static void the_collection_is_freed_first(fixture *test, gconstpointer flags)
{
    FrGListModel *held = g_list_model_get_item(G_LIST_MODEL(test->shown.sections), 0);
    (void)flags;
    fr_list_free(test->shown.list);
    test->shown.list = NULL;
    mirror_expect(test->shown.mirror, "0-6+0 ");
    mirror_expect(test->shown.tree, "0-4+0 ");
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(held)), ==, 0);
    g_assert_finalize_object(held);
    run(test->stores[0], "DELETE FROM t");
    mirror_expect(test->shown.mirror, "");
}

static void free_collection(GListModel *model, guint position, guint removed, guint added, gpointer shown)
{
    (void)model;
    (void)position;
    (void)removed;
    (void)added;
    fr_list_free(((struct shown *)shown)->list);
    ((struct shown *)shown)->list = NULL;
}

static void the_collection_is_freed_in_a_handler(fixture *test, gconstpointer flags)
{
    FrGListModel *first = g_list_model_get_item(G_LIST_MODEL(test->shown.sections), 0);
    (void)flags;
    g_signal_connect(first, "items-changed", G_CALLBACK(free_collection), &test->shown);
    run(test->stores[0], "BEGIN; DELETE FROM t WHERE id = 1; UPDATE t SET v = 1; COMMIT");
    g_assert_null(test->shown.list);
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(test->shown.model)), ==, 0);
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(test->shown.sections)), ==, 0);
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(first)), ==, 0);
    g_assert_finalize_object(first);
}

/*
 * The changes of the other store are still exact; the rows of the closed one are the referenced
 * items.
 */
static void one_store_is_closed(fixture *test, gconstpointer flags)
{
    (void)flags;
    check(fr_store_close(test->stores[0]));
    test->stores[0] = NULL;
    run(test->stores[1], "DELETE FROM t WHERE id = 1");
    mirror_expect(test->shown.mirror, "3-1+0 ");
    run(test->stores[1], "INSERT INTO t(id, s, k) VALUES (9, 'c', 1)");
    mirror_expect(test->shown.mirror, "5-0+1 ");
    mirror_expect(test->shown.tree, "4-0+1 ");
    g_assert_text(tree_ids(test->shown.tree), "a: 1 2 b: 3 a: 2 b: 3 c: 9");
    mirror_check(test->shown.mirror);
    tree_check(test->shown.tree);
    check(fr_collection_remove(test->shown.list, 0));
    run(test->stores[1], "DELETE FROM t WHERE id = 9");
    shown_check(&test->shown);
    g_assert_text(tree_ids(test->shown.tree), "a: 2 b: 3");
}

#define ADD(name) g_test_add("/collection/" #name, fixture, GUINT_TO_POINTER(MIRROR_HOLDS), set_up, name, tear_down)
#define ADD_UNHELD(name) g_test_add("/collection/" #name "/unheld", fixture, NULL, set_up, name, tear_down)

void add_collection_tests(void)
{
    ADD(rows_of_one_identity_are_different_items);
    ADD_UNHELD(rows_of_one_identity_are_different_items);
    ADD(a_row_of_two_children);
    ADD(children_come_and_go);
    ADD_UNHELD(children_come_and_go);
    ADD(the_handle_of_a_child_is_freed);
    ADD(placeholders);
    ADD(a_collection_in_a_collection);
    ADD_UNHELD(a_collection_in_a_collection);
    ADD(one_child_is_paused);
    ADD_UNHELD(items_after_a_reload);
    ADD(the_collection_is_freed_first);
    ADD(the_collection_is_freed_in_a_handler);
    ADD(one_store_is_closed);
}
