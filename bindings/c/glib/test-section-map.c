/*
 * Section maps: sections that are rows of their own, which stay when they are empty, move and
 * change.
 */
#include "test-support.h"

/* The lists p in the order of their position: a (1 2 3), b (4), c (5 6). */
#define LISTS \
    "CREATE TABLE p(id INTEGER PRIMARY KEY, s UNIQUE, position, title);" \
    "INSERT INTO p VALUES (1, 'a', 1, 'A'), (2, 'b', 2, 'B'), (3, 'c', 3, 'C');" THREE_SECTIONS

typedef struct fixture {
    fr_store *store;
    struct shown shown;
} fixture;

static void set_up(fixture *test, gconstpointer flags)
{
    const fr_section_map_options options = {.struct_size = sizeof options, .section_key = "s"};
    fr_request *items = NULL, *sections = NULL;
    fr_list *map = NULL;
    test->store = store_with(LISTS);
    check(fr_request_new(&items, "t"));
    check(fr_request_add_sort(items, "k", FR_ASCENDING, NULL));
    check(fr_request_new(&sections, "p"));
    check(fr_request_add_sort(sections, "position", FR_ASCENDING, NULL));
    check(fr_section_map_new(&map, test->store, items, sections, "s", &options));
    check(fr_list_perform_fetch(map));
    fr_request_free(items);
    fr_request_free(sections);
    shown_set_up(&test->shown, map, GPOINTER_TO_UINT(flags));
}

static void tear_down(fixture *test, gconstpointer flags)
{
    (void)flags;
    shown_tear_down(&test->shown);
    check(fr_store_close(test->store));
}

static struct mirror *section(fixture *test, guint index)
{
    return tree_section(test->shown.tree, index);
}

/* Calls of a handler of notify, to be added to by "name ". */
static void note(GObject *model, GParamSpec *property, gpointer log)
{
    (void)model;
    g_string_append_printf(log, "%s ", g_param_spec_get_name(property));
}

static void empty_sections_stay(fixture *test, gconstpointer flags)
{
    GListModel *b = section(test, 1)->model;
    (void)flags;
    run(test->store, "DELETE FROM t WHERE s = 'b'");
    shown_expect(&test->shown, "a: 1 2 3 b:  c: 5 6", "3-1+0 ", "");
    mirror_expect(section(test, 1), "0-1+0 ");
    run(test->store, "INSERT INTO t(id, s, k) VALUES (7, 'b', 1)");
    shown_expect(&test->shown, "a: 1 2 3 b: 7 c: 5 6", "3-0+1 ", "");
    mirror_expect(section(test, 1), "0-0+1 ");
    g_assert_true(section(test, 1)->model == b);
}

/* The flat model counts past sections that have no row to count from. */
static void rows_behind_empty_sections(fixture *test, gconstpointer flags)
{
    (void)flags;
    run(test->store, "INSERT INTO p VALUES (4, 'x', 0, 'X'), (5, 'y', 0, 'Y'), (6, 'z', 2.5, 'Z'), (7, 'w', 9, 'W')");
    shown_expect(&test->shown, "x:  y:  a: 1 2 3 b: 4 z:  c: 5 6 w:", "", "0-0+2 4-0+1 6-0+1 ");
    run(test->store, "DELETE FROM t WHERE id IN (1, 4, 6)");
    shown_expect(&test->shown, "x:  y:  a: 2 3 b:  z:  c: 5 w:", "0-1+0 2-1+0 3-1+0 ", "");
    run(test->store, "UPDATE t SET v = 1");
    shown_expect(&test->shown, "x:  y:  a: 2 3 b:  z:  c: 5 w:", "", "");
    run(test->store, "DELETE FROM p WHERE s IN ('a', 'z')");
    shown_expect(&test->shown, "x:  y:  b:  c: 5 w:  -: 2 3", "0-3+3 ", "2-1+0 3-1+0 5-0+1 ");
    run(test->store, "DELETE FROM t");
    shown_expect(&test->shown, "x:  y:  b:  c:  w:", "0-3+0 ", "5-1+0 ");
}

static void a_section_moves_with_its_rows(fixture *test, gconstpointer flags)
{
    GListModel *a = section(test, 0)->model;
    FrGItem *second = g_list_model_get_item(a, 1), *later;
    g_object_set_data(G_OBJECT(a), "tag", test);
    (void)flags;
    run(test->store, "UPDATE p SET position = 9 WHERE s = 'a'");
    shown_expect(&test->shown, "b: 4 c: 5 6 a: 1 2 3", "0-6+6 ", "0-1+0 2-0+1 ");
    g_assert_true(section(test, 2)->model == a);
    g_assert_true(g_object_get_data(G_OBJECT(a), "tag") == test);
    mirror_expect(section(test, 2), "");
    later = g_list_model_get_item(a, 1);
    g_assert_true(later == second);
    g_object_unref(second);
    g_object_unref(later);
    run(test->store, "DELETE FROM t WHERE id = 2");
    mirror_expect(section(test, 2), "1-1+0 ");
    shown_expect(&test->shown, "b: 4 c: 5 6 a: 1 3", "4-1+0 ", "");
}

static void an_empty_section_moves(fixture *test, gconstpointer flags)
{
    (void)flags;
    run(test->store, "DELETE FROM t WHERE s = 'b'");
    shown_expect(&test->shown, "a: 1 2 3 b:  c: 5 6", "3-1+0 ", "");
    run(test->store, "UPDATE p SET position = 9 WHERE s = 'b'");
    shown_expect(&test->shown, "a: 1 2 3 c: 5 6 b:", "", "1-1+0 2-0+1 ");
    run(test->store, "INSERT INTO t(id, s, k) VALUES (7, 'b', 1)");
    shown_expect(&test->shown, "a: 1 2 3 c: 5 6 b: 7", "5-0+1 ", "");
}

static void rows_of_a_section_that_moves_change(fixture *test, gconstpointer flags)
{
    (void)flags;
    run(test->store, "BEGIN; UPDATE p SET position = 0 WHERE s = 'c'; DELETE FROM t WHERE id = 5;"
                     "UPDATE t SET s = 'c', k = 15 WHERE id = 2; UPDATE t SET v = 1 WHERE id IN (1, 6);"
                     "INSERT INTO t(id, s, k) VALUES (7, 'c', 30), (8, 'b', 1); COMMIT");
    shown_expect(&test->shown, "c: 2 6 7 a: 1 3 b: 8 4", "0-6+7 ", "2-1+0 0-0+1 ");
    mirror_expect(section(test, 0), "0-1+1 2-0+1 ");
}

/*
 * A section stands for its row: another name or another title moves no row and makes no signal of
 * any list.
 */
static void a_section_is_updated(fixture *test, gconstpointer flags)
{
    FrGListModel *b = FRG_LIST_MODEL(section(test, 1)->model);
    GString *log = g_string_new("");
    gulong handler = g_signal_connect(b, "notify", G_CALLBACK(note), log);
    FrGItem *before = NULL;
    (void)flags;
    g_object_get(b, "section-item", &before, NULL);
    run(test->store, "UPDATE p SET title = 'Bee' WHERE s = 'b'");
    g_assert_cmpstr(log->str, ==, "section-item ");
    g_assert_text(frg_item_dup_text(frg_list_model_get_section_item(b), "title"), "Bee");
    g_assert_true(frg_list_model_get_section_item(b) == before);
    shown_expect(&test->shown, "a: 1 2 3 b: 4 c: 5 6", "", "");
    run(test->store, "UPDATE t SET v = 1 WHERE s = 'b'; UPDATE p SET title = 'Bee' WHERE s = 'b'");
    g_assert_cmpstr(log->str, ==, "section-item ");
    shown_expect(&test->shown, "a: 1 2 3 b: 4 c: 5 6", "", "");
    run(test->store, "BEGIN; UPDATE p SET s = 'd' WHERE s = 'b'; UPDATE t SET s = 'd' WHERE s = 'b'; COMMIT");
    g_assert_cmpstr(log->str, ==, "section-item section-name section-item ");
    shown_expect(&test->shown, "a: 1 2 3 d: 4 c: 5 6", "", "");
    g_signal_handler_disconnect(b, handler);
    g_string_free(log, TRUE);
    g_object_unref(before);
}

static void a_section_moves_and_is_updated(fixture *test, gconstpointer flags)
{
    GListModel *a = section(test, 0)->model;
    (void)flags;
    run(test->store, "UPDATE p SET title = 'last', position = 9 WHERE s = 'a'");
    shown_expect(&test->shown, "b: 4 c: 5 6 a: 1 2 3", "0-6+6 ", "0-1+0 2-0+1 ");
    g_assert_true(section(test, 2)->model == a);
    g_assert_text(frg_item_dup_text(frg_list_model_get_section_item(FRG_LIST_MODEL(a)), "title"), "last");
}

/* Items find their sections, and lose them, without being changed themselves. */
static void sections_come_and_go_below_their_rows(fixture *test, gconstpointer flags)
{
    (void)flags;
    run(test->store, "DELETE FROM p WHERE s = 'b'");
    shown_expect(&test->shown, "a: 1 2 3 c: 5 6 -: 4", "3-3+3 ", "1-1+0 2-0+1 ");
    g_assert_null(frg_list_model_get_section_item(FRG_LIST_MODEL(section(test, 2)->model)));
    run(test->store, "INSERT INTO p VALUES (9, 'b', 0, 'B again')");
    shown_expect(&test->shown, "b: 4 a: 1 2 3 c: 5 6", "0-6+6 ", "0-0+1 3-1+0 ");
}

static void empty_sections_are_hidden_and_shown(fixture *test, gconstpointer flags)
{
    (void)flags;
    run(test->store, "DELETE FROM t WHERE s IN ('a', 'c')");
    shown_expect(&test->shown, "a:  b: 4 c:", "0-3+0 1-2+0 ", "");
    check(fr_section_map_set_empty_sections(test->shown.list, FR_EMPTY_SECTIONS_HIDDEN));
    shown_expect(&test->shown, "b: 4", "", "0-1+0 1-1+0 ");
    run(test->store, "INSERT INTO t(id, s, k) VALUES (7, 'c', 1)");
    shown_expect(&test->shown, "b: 4 c: 7", "1-0+1 ", "1-0+1 ");
    check(fr_section_map_set_empty_sections(test->shown.list, FR_EMPTY_SECTIONS_SHOWN));
    shown_expect(&test->shown, "a:  b: 4 c: 7", "", "0-0+1 ");
}

static void the_section_without_rows_is_always_there(fixture *test, gconstpointer flags)
{
    (void)flags;
    check(fr_section_map_set_items_without_section(test->shown.list, FR_ITEMS_WITHOUT_SECTION_ALWAYS_SHOWN));
    shown_expect(&test->shown, "a: 1 2 3 b: 4 c: 5 6 -:", "", "3-0+1 ");
    run(test->store, "UPDATE t SET s = NULL WHERE s = 'a'");
    shown_expect(&test->shown, "a:  b: 4 c: 5 6 -: 1 2 3", "0-6+6 ", "");
    check(fr_section_map_set_items_without_section(test->shown.list, FR_ITEMS_WITHOUT_SECTION_HIDDEN));
    shown_expect(&test->shown, "a:  b: 4 c: 5 6", "3-3+0 ", "3-1+0 ");
}

static void enabled_again_it_is_a_new_list(fixture *test, gconstpointer flags)
{
    (void)flags;
    check(fr_section_map_set_disabled(test->shown.list, true));
    run(test->store, "UPDATE p SET position = 9 WHERE s = 'a'; DELETE FROM t WHERE id = 4");
    mirror_expect(test->shown.mirror, "");
    check(fr_section_map_set_disabled(test->shown.list, false));
    shown_expect(&test->shown, "b:  c: 5 6 a: 1 2 3", "0-6+5 ", "0-3+3 ");
}

static void keys_in_another_order(void)
{
    const fr_value keys[] = {fr_text("b"), fr_text("x"), fr_text("a"), fr_text("c")};
    const fr_value other[] = {fr_text("a"), fr_text("c"), fr_text("b")};
    fr_store *store = store_with(THREE_SECTIONS);
    fr_request *request = NULL;
    fr_list *map = NULL;
    struct shown shown;
    check(fr_request_new(&request, "t"));
    check(fr_request_add_sort(request, "k", FR_ASCENDING, NULL));
    check(fr_section_map_new_with_keys(&map, store, request, keys, G_N_ELEMENTS(keys), "s", NULL));
    check(fr_list_perform_fetch(map));
    fr_request_free(request);
    shown_set_up(&shown, map, MIRROR_HOLDS);
    shown_expect(&shown, "b: 4 x:  a: 1 2 3 c: 5 6", "", "");
    check(fr_section_map_set_keys(map, other, G_N_ELEMENTS(other)));
    shown_expect(&shown, "a: 1 2 3 c: 5 6 b: 4", "0-6+6 ", "0-1+0 0-1+0 2-0+1 ");
    shown_tear_down(&shown);
    check(fr_store_close(store));
}

static void hold_second(GListModel *list, guint position, guint removed, guint added, gpointer held)
{
    (void)position;
    (void)removed;
    (void)added;
    if (*(gpointer *)held == NULL) {
        *(gpointer *)held = g_list_model_get_item(list, 1);
    }
}

/* Of two sections that move one is looked at first when the other has been taken out. */
static void a_section_is_met_before_it_moves(fixture *test, gconstpointer flags)
{
    FrGSectionList *unread = frg_section_list_new(test->shown.list);
    GListModel *met = NULL, *later;
    (void)flags;
    run(test->store, "INSERT INTO p VALUES (4, 'd', 4, 'D'), (5, 'e', 5, 'E')");
    run(test->store, "INSERT INTO t(id, s, k) VALUES (7, 'd', 1)");
    g_signal_connect(unread, "items-changed", G_CALLBACK(hold_second), &met);
    run(test->store, "UPDATE p SET position = position + 10 WHERE s IN ('a', 'c')");
    shown_expect(&test->shown, "b: 4 d: 7 e:  a: 1 2 3 c: 5 6", "6-0+1 0-7+7 ", "3-0+2 0-1+0 1-1+0 3-0+2 ");
    g_assert_cmpstr(frg_list_model_get_section_name(FRG_LIST_MODEL(met)), ==, "c");
    later = g_list_model_get_item(G_LIST_MODEL(unread), 4);
    g_assert_true(later == met);
    g_object_unref(later);
    g_assert_finalize_object(met);
    g_assert_finalize_object(unread);
}

/* The list of sections announces a section that moves without reading its rows. */
static void a_long_section_moves(void)
{
    static const fr_section_map_options options = {.struct_size = sizeof options, .section_key = "s"};
    fr_counters before = {.struct_size = sizeof before}, after = {.struct_size = sizeof after};
    fr_store *store = store_with(LISTS ";WITH RECURSIVE n(i) AS"
                                       " (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
                                       "INSERT INTO t(id, s, k) SELECT i, 'a', i FROM n");
    fr_request *items = NULL, *sections = NULL;
    fr_list *map = NULL;
    FrGSectionList *list;
    GListModel *a, *later;
    check(fr_request_new(&items, "t"));
    check(fr_request_new(&sections, "p"));
    check(fr_request_add_sort(sections, "position", FR_ASCENDING, NULL));
    check(fr_section_map_new(&map, store, items, sections, "s", &options));
    check(fr_list_perform_fetch(map));
    list = frg_section_list_new(map);
    a = g_list_model_get_item(G_LIST_MODEL(list), 0);
    g_assert_cmpuint(g_list_model_get_n_items(a), ==, 19994);
    check(fr_controller_counters(&before, map));
    run(store, "UPDATE p SET position = 9 WHERE s = 'a'");
    check(fr_controller_counters(&after, map));
    g_assert_cmpint(after.rows_read - before.rows_read, <=, 40);
    later = g_list_model_get_item(G_LIST_MODEL(list), 2);
    g_assert_true(later == a);
    g_object_unref(later);
    g_object_unref(a);
    g_assert_finalize_object(list);
    fr_request_free(items);
    fr_request_free(sections);
    fr_list_free(map);
    check(fr_store_close(store));
}

#define ADD(name) \
    g_test_add("/section-map/" #name, fixture, GUINT_TO_POINTER(MIRROR_HOLDS), set_up, name, tear_down); \
    g_test_add("/section-map/" #name "/unheld", fixture, NULL, set_up, name, tear_down)

void add_section_map_tests(void)
{
    ADD(empty_sections_stay);
    ADD(rows_behind_empty_sections);
    ADD(a_section_moves_with_its_rows);
    ADD(an_empty_section_moves);
    ADD(rows_of_a_section_that_moves_change);
    ADD(a_section_is_met_before_it_moves);
    ADD(a_section_is_updated);
    ADD(a_section_moves_and_is_updated);
    ADD(sections_come_and_go_below_their_rows);
    ADD(empty_sections_are_hidden_and_shown);
    ADD(the_section_without_rows_is_always_there);
    ADD(enabled_again_it_is_a_new_list);
    g_test_add_func("/section-map/keys_in_another_order", keys_in_another_order);
    g_test_add_func("/section-map/a_long_section_moves", a_long_section_moves);
}
