/* Lists that are paused, and lists that have to be shown again as a whole. */
#include "test-support.h"

typedef struct fixture {
    fr_store *store;
    struct shown shown;
} fixture;

static void set_up(fixture *test, gconstpointer flags)
{
    test->store = store_with(THREE_SECTIONS);
    shown_set_up(&test->shown, list_of(test->store, "s"), GPOINTER_TO_UINT(flags));
}

static void tear_down(fixture *test, gconstpointer flags)
{
    (void)flags;
    shown_tear_down(&test->shown);
    if (test->store != NULL) {
        check(fr_store_close(test->store));
    }
}

static FrGItem *item_at(gpointer model, guint position)
{
    FrGItem *item = g_list_model_get_item(G_LIST_MODEL(model), position);
    g_object_unref(item);
    return item;
}

/* The model that shows a section, held. */
static FrGListModel *section(fixture *test, guint index)
{
    return g_list_model_get_item(G_LIST_MODEL(test->shown.sections), index);
}

static void nothing_is_reported_while_it_is_paused(fixture *test, gconstpointer flags)
{
    (void)flags;
    check(fr_controller_pause(test->shown.list));
    run(test->store, "UPDATE t SET k = 40 WHERE id = 1; DELETE FROM t WHERE s = 'b'");
    run(test->store, "INSERT INTO t(id, s, k) VALUES (7, 'd', 1)");
    mirror_expect(test->shown.mirror, "");
    mirror_expect(test->shown.tree, "");
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(test->shown.model)), ==, 6);
    check(fr_controller_resume(test->shown.list, false));
    shown_expect(&test->shown, "a: 2 3 1 c: 5 6 d: 7", "0-6+6 ", "1-1+0 2-0+1 ");
}

/* The item of a row is what it was, though the row can't be read any more. */
static void items_that_are_held_stay_while_it_is_paused(fixture *test, gconstpointer flags)
{
    FrGItem *first = g_list_model_get_item(G_LIST_MODEL(test->shown.model), 0);
    (void)flags;
    check(fr_controller_pause(test->shown.list));
    run(test->store, "UPDATE t SET v = 5; DELETE FROM t WHERE id = 1");
    g_assert_true(item_at(test->shown.model, 0) == first);
    g_assert_text(row_text(first), "1 a 10 0");
    g_object_unref(first);
    check(fr_controller_resume(test->shown.list, true));
}

/* As many rows and sections as before, but others. */
static void resumed_with_a_reload(fixture *test, gconstpointer flags)
{
    FrGListModel *a = section(test, 0);
    (void)flags;
    check(fr_controller_pause(test->shown.list));
    run(test->store, "DELETE FROM t WHERE id = 1; INSERT INTO t(id, s, k) VALUES (7, 'b', 1)");
    run(test->store, "UPDATE t SET v = 1 WHERE id = 3");
    check(fr_controller_resume(test->shown.list, true));
    shown_expect(&test->shown, "a: 2 3 b: 7 4 c: 5 6", "0-6+6 ", "0-3+3 ");
    g_assert_true(tree_section(test->shown.tree, 0)->model != G_LIST_MODEL(a));
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(a)), ==, 0);
    g_assert_finalize_object(a);
    run(test->store, "DELETE FROM t WHERE id = 2");
    shown_expect(&test->shown, "a: 3 b: 7 4 c: 5 6", "0-1+0 ", "");
}

static void reloaded_without_a_change(fixture *test, gconstpointer flags)
{
    (void)flags;
    check(fr_controller_pause(test->shown.list));
    check(fr_controller_resume(test->shown.list, true));
    shown_expect(&test->shown, "a: 1 2 3 b: 4 c: 5 6", "0-6+6 ", "0-3+3 ");
}

static void emptied_and_filled_by_reloads(fixture *test, gconstpointer flags)
{
    (void)flags;
    check(fr_controller_pause(test->shown.list));
    run(test->store, "DELETE FROM t");
    check(fr_controller_resume(test->shown.list, true));
    shown_expect(&test->shown, "", "0-6+0 ", "0-3+0 ");
    check(fr_controller_pause(test->shown.list));
    check(fr_controller_resume(test->shown.list, true));
    shown_expect(&test->shown, "", "", "");
    check(fr_controller_pause(test->shown.list));
    run(test->store, THREE_SECTIONS);
    check(fr_controller_resume(test->shown.list, true));
    shown_expect(&test->shown, "a: 1 2 3 b: 4 c: 5 6", "0-0+6 ", "0-0+3 ");
}

/* Rows are the same items, in both models, also those that were updated. */
static void items_are_found_again_after_a_reload(fixture *test, gconstpointer flags)
{
    FrGListModel *c = section(test, 2);
    FrGItem *five = g_list_model_get_item(G_LIST_MODEL(c), 0), *six = g_list_model_get_item(G_LIST_MODEL(c), 1);
    FrGItem *flat_five = g_list_model_get_item(G_LIST_MODEL(test->shown.model), 4);
    (void)flags;
    g_object_unref(c);
    check(fr_controller_pause(test->shown.list));
    run(test->store, "DELETE FROM t WHERE s = 'a'; UPDATE t SET v = 1 WHERE id = 6");
    check(fr_controller_resume(test->shown.list, true));
    shown_expect(&test->shown, "b: 4 c: 5 6", "0-6+3 ", "0-3+2 ");
    c = section(test, 1);
    g_assert_true(item_at(c, 0) == five);
    g_assert_true(item_at(c, 1) == six);
    g_assert_text(row_text(six), "6 c 20 1");
    g_assert_true(item_at(test->shown.model, 1) == flat_five);
    g_object_unref(five);
    g_object_unref(six);
    g_object_unref(flat_five);
    g_object_unref(c);
}

/* While the list of sections announces new ones, an old one has only the referenced items. */
static void look_at_old_model(GListModel *list, guint position, guint removed, guint added, gpointer old)
{
    FrGItem *first = g_list_model_get_item(old, 0), *second = g_list_model_get_item(old, 1);
    (void)list;
    g_assert_true(position == 0 && removed == 3 && added == 2);
    g_assert_cmpuint(g_list_model_get_n_items(old), ==, 3);
    g_assert_cmpint(row_id(first), ==, 1);
    g_assert_null(frg_item_get_object(second));
    g_object_unref(first);
    g_object_unref(second);
}

static void old_models_in_the_handler_of_a_reload(fixture *test, gconstpointer flags)
{
    FrGListModel *a = section(test, 0);
    FrGItem *first = g_list_model_get_item(G_LIST_MODEL(a), 0);
    gulong handler = g_signal_connect(test->shown.sections, "items-changed", G_CALLBACK(look_at_old_model), a);
    (void)flags;
    check(fr_controller_pause(test->shown.list));
    run(test->store, "DELETE FROM t WHERE s = 'c'");
    check(fr_controller_resume(test->shown.list, true));
    g_signal_handler_disconnect(test->shown.sections, handler);
    shown_expect(&test->shown, "a: 1 2 3 b: 4", "0-6+4 ", "0-3+2 ");
    g_object_unref(first);
    g_assert_finalize_object(a);
}

/* The models keep their length and the items that somebody holds; other rows can't be read. */
static void the_store_is_closed_first(fixture *test, gconstpointer flags)
{
    FrGItem *second = g_list_model_get_item(G_LIST_MODEL(test->shown.model), 1), *first;
    FrGListModel *a = section(test, 0);
    GListModel *sections = G_LIST_MODEL(test->shown.sections);
    (void)flags;
    check(fr_store_close(test->store));
    test->store = NULL;
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(test->shown.model)), ==, 6);
    g_assert_true(item_at(test->shown.model, 1) == second);
    g_assert_text(row_text(second), "2 a 20 0");
    g_assert_cmpuint(g_list_model_get_n_items(sections), ==, 3);
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(a)), ==, 3);
    first = g_list_model_get_item(G_LIST_MODEL(test->shown.model), 0);
    g_assert_true(item_at(test->shown.model, 0) == first);
    frg_section_list_reload(test->shown.sections);
    frg_list_model_reload(test->shown.model);
    g_assert_cmpuint(g_list_model_get_n_items(sections), ==, 0);
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(a)), ==, 0);
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(test->shown.model)), ==, 0);
    fr_list_free(test->shown.list);
    test->shown.list = NULL;
    g_object_unref(first);
    g_object_unref(second);
    g_assert_finalize_object(a);
}

/* Rows 2 and 6 leave, 7 comes: three signals for all rows, two and one for those of a and c. */
static void change_at_three_places(fixture *test)
{
    run(test->store, "BEGIN; DELETE FROM t WHERE id IN (2, 6); INSERT INTO t(id, s, k) VALUES (7, 'a', 99); COMMIT");
}

static void a_change_of_as_many_places_as_the_threshold(fixture *test, gconstpointer flags)
{
    (void)flags;
    frg_live_model_set_reload_threshold(FRG_LIVE_MODEL(test->shown.model), 3);
    frg_live_model_set_reload_threshold(FRG_LIVE_MODEL(test->shown.sections), 2);
    change_at_three_places(test);
    shown_expect(&test->shown, "a: 1 3 7 b: 4 c: 5", "1-1+0 2-0+1 5-1+0 ", "");
}

static void a_change_of_more_places_is_a_range(fixture *test, gconstpointer flags)
{
    FrGItem *three = g_list_model_get_item(G_LIST_MODEL(test->shown.model), 2);
    (void)flags;
    frg_live_model_set_reload_threshold(FRG_LIVE_MODEL(test->shown.model), 2);
    change_at_three_places(test);
    shown_expect(&test->shown, "a: 1 3 7 b: 4 c: 5", "1-5+4 ", "");
    g_assert_true(item_at(test->shown.model, 1) == three);
    g_object_unref(three);
}

static void note_signal(GListModel *model, guint position, guint removed, guint added, gpointer signals)
{
    (void)model;
    g_string_append_printf(signals, "%u-%u+%u ", position, removed, added);
}

/* Each model counts its own signals. */
static void one_section_changes_at_more_places(fixture *test, gconstpointer flags)
{
    FrGListModel *a = section(test, 0), *c = section(test, 2);
    GString *signals = g_string_new("");
    gulong of_a = g_signal_connect(a, "items-changed", G_CALLBACK(note_signal), signals);
    gulong of_c = g_signal_connect(c, "items-changed", G_CALLBACK(note_signal), signals);
    (void)flags;
    frg_live_model_set_reload_threshold(FRG_LIVE_MODEL(a), 1);
    g_assert_cmpint(frg_live_model_get_reload_threshold(FRG_LIVE_MODEL(test->shown.sections)), ==, 1);
    g_assert_cmpint(frg_live_model_get_reload_threshold(FRG_LIVE_MODEL(c)), ==, 1);
    change_at_three_places(test);
    shown_expect(&test->shown, "a: 1 3 7 b: 4 c: 5", "1-1+0 2-0+1 5-1+0 ", "");
    g_assert_text(g_string_free(signals, FALSE), "1-2+2 1-1+0 ");
    g_signal_handler_disconnect(a, of_a);
    g_signal_handler_disconnect(c, of_c);
    g_object_unref(a);
    g_object_unref(c);
}

static void sections_at_more_places(fixture *test, gconstpointer flags)
{
    (void)flags;
    frg_live_model_set_reload_threshold(FRG_LIVE_MODEL(test->shown.sections), 1);
    run(test->store, "BEGIN; DELETE FROM t WHERE s = 'a'; INSERT INTO t(id, s, k) VALUES (7, 'bb', 1); COMMIT");
    shown_expect(&test->shown, "b: 4 bb: 7 c: 5 6", "0-3+0 1-0+1 ", "0-2+2 ");
}

static void thresholds_of_none_and_of_all(fixture *test, gconstpointer flags)
{
    int number;
    (void)flags;
    g_assert_cmpint(frg_live_model_get_reload_threshold(FRG_LIVE_MODEL(test->shown.model)), ==, 20);
    g_object_set(test->shown.model, "reload-threshold", 0, NULL);
    run(test->store, "DELETE FROM t WHERE id IN (3, 5); INSERT INTO t(id, s, k) VALUES (3, 'a', 30), (5, 'c', 10)");
    shown_expect(&test->shown, "a: 1 2 3 b: 4 c: 5 6", "2-3+1 2-1+3 ", "");
    g_object_set(test->shown.model, "reload-threshold", -1, NULL);
    g_object_get(test->shown.model, "reload-threshold", &number, NULL);
    g_assert_cmpint(number, ==, -1);
    change_at_three_places(test);
    shown_expect(&test->shown, "a: 1 3 7 b: 4 c: 5", "1-1+0 2-0+1 5-1+0 ", "");
}

#define ADD(name, flags) g_test_add("/reload/" #name, fixture, GUINT_TO_POINTER(flags), set_up, name, tear_down)

void add_reload_tests(void)
{
    ADD(nothing_is_reported_while_it_is_paused, MIRROR_HOLDS);
    ADD(items_that_are_held_stay_while_it_is_paused, 0);
    ADD(resumed_with_a_reload, 0);
    ADD(reloaded_without_a_change, MIRROR_HOLDS);
    ADD(emptied_and_filled_by_reloads, MIRROR_HOLDS);
    ADD(items_are_found_again_after_a_reload, 0);
    ADD(old_models_in_the_handler_of_a_reload, 0);
    ADD(the_store_is_closed_first, 0);
    ADD(a_change_of_as_many_places_as_the_threshold, MIRROR_HOLDS);
    ADD(a_change_of_more_places_is_a_range, 0);
    ADD(one_section_changes_at_more_places, 0);
    ADD(sections_at_more_places, 0);
    ADD(thresholds_of_none_and_of_all, 0);
}
