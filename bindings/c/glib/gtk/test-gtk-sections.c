/*
 * Headers of sections in a view, which GTK has since 4.12: whatever is committed, each section has
 * a header above its rows, with its name and its totals.
 */
#include <gtk/gtk.h>

#include "frg-gtk-selection.h"
#include "frg-section-list.h"
#include "gtk-test.h"

enum { STORM = 300 };

/* The library's copy of the interface is GTK's. */
G_STATIC_ASSERT(sizeof(frg_gtk_section_interface) == sizeof(GtkSectionModelInterface));
G_STATIC_ASSERT(G_STRUCT_OFFSET(frg_gtk_section_interface, get_section)
                == G_STRUCT_OFFSET(GtkSectionModelInterface, get_section));

typedef struct fixture {
    FrGStore *store;
    FrGSectionList *sections;
    GtkFlattenListModel *flat;
    FrGSelection *selection;
    GtkWidget *window;
    GtkWidget *view;
} fixture;

static void run(fixture *test, const char *sql)
{
    GError *error = NULL;
    frg_store_execute_script(test->store, sql, &error);
    g_assert_no_error(error);
}

/* Waits until the window shows what has changed. */
static void settle(fixture *test)
{
    settle_window(test->window);
}

/* The view. */

static void set_up_label(GtkSignalListItemFactory *factory, GObject *place, gpointer unused)
{
    (void)factory, (void)unused;
    g_object_set(place, "child", gtk_label_new(NULL), NULL);
}

static void bind_row(GtkSignalListItemFactory *factory, GtkListItem *row, gpointer unused)
{
    GBinding *binding = g_object_bind_property(gtk_list_item_get_item(row), "title", gtk_list_item_get_child(row),
                                               "label", G_BINDING_SYNC_CREATE);
    (void)factory, (void)unused;
    g_object_set_data(G_OBJECT(row), "binding", binding);
}

static void unbind_row(GtkSignalListItemFactory *factory, GtkListItem *row, gpointer unused)
{
    (void)factory, (void)unused;
    g_binding_unbind(g_object_get_data(G_OBJECT(row), "binding"));
}

/* Name and number of rows, whichever notifies. */
static void show_heading(GtkListHeader *header)
{
    FrGListModel *section = g_object_get_data(G_OBJECT(header), "section");
    FrGItem *totals = frg_live_model_get_totals(FRG_LIVE_MODEL(section));
    char *text = g_strdup_printf("%s: %d", frg_list_model_get_section_name(section),
                                 (int)frg_item_get_int64(totals, "rows"));
    gtk_label_set_label(GTK_LABEL(gtk_list_header_get_child(header)), text);
    g_free(text);
}

/* A row that is deleted has no section; then the header is bound again. */
static void bind_header(GtkSignalListItemFactory *factory, GtkListHeader *header, fixture *test)
{
    FrGListModel *section = frg_section_list_find(test->sections, gtk_list_header_get_item(header));
    (void)factory;
    g_object_set_data_full(G_OBJECT(header), "section", section, section != NULL ? g_object_unref : NULL);
    gtk_label_set_label(GTK_LABEL(gtk_list_header_get_child(header)), "no section");
    if (section != NULL) {
        FrGItem *totals = frg_live_model_get_totals(FRG_LIVE_MODEL(section));
        g_signal_connect_object(section, "notify", G_CALLBACK(show_heading), header, G_CONNECT_SWAPPED);
        g_signal_connect_object(totals, "changed", G_CALLBACK(show_heading), header, G_CONNECT_SWAPPED);
        show_heading(header);
    }
}

static void unbind_header(GtkSignalListItemFactory *factory, GtkListHeader *header, gpointer unused)
{
    FrGListModel *section = g_object_get_data(G_OBJECT(header), "section");
    (void)factory, (void)unused;
    if (section != NULL) {
        g_signal_handlers_disconnect_by_data(section, header);
        g_signal_handlers_disconnect_by_data(frg_live_model_get_totals(FRG_LIVE_MODEL(section)), header);
    }
    g_object_set_data(G_OBJECT(header), "section", NULL);
}

static GtkListItemFactory *factory_with(GCallback bind, GCallback unbind, fixture *test)
{
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    g_signal_connect(factory, "setup", G_CALLBACK(set_up_label), NULL);
    g_signal_connect(factory, "bind", bind, test);
    g_signal_connect(factory, "unbind", unbind, NULL);
    return factory;
}

static void set_up(fixture *test, gconstpointer unused)
{
    const char *sort[] = {"title", NULL};
    FrGRequest *request = g_object_new(FRG_TYPE_REQUEST, "entity", "t", "section", "area", "sort", sort, NULL);
    GError *error = NULL;
    GtkListItemFactory *headers = factory_with(G_CALLBACK(bind_header), G_CALLBACK(unbind_header), test);
    GtkWidget *scrolled = gtk_scrolled_window_new();
    (void)unused;
    frg_request_add_total(request, "rows", FRG_TOTAL_COUNT, NULL);
    test->store = frg_store_new(":memory:", FRG_STORE_QUEUED, &error);
    g_assert_no_error(error);
    run(test, "CREATE TABLE t(id INTEGER PRIMARY KEY, title TEXT, area TEXT);"
              "INSERT INTO t(title, area) VALUES ('beans', 'Garden'), ('bread', 'Home'), ('lamp', 'Home'),"
              " ('plan', 'Work')");
    test->sections = frg_section_list_new_for_request(test->store, request, &error);
    g_assert_no_error(error);
    g_object_unref(request);
    test->flat = gtk_flatten_list_model_new(G_LIST_MODEL(g_object_ref(test->sections)));
    test->selection = frg_selection_new(G_LIST_MODEL(test->flat), TRUE);
    test->view = gtk_list_view_new(GTK_SELECTION_MODEL(g_object_ref(test->selection)),
                                   factory_with(G_CALLBACK(bind_row), G_CALLBACK(unbind_row), test));
    gtk_list_view_set_header_factory(GTK_LIST_VIEW(test->view), headers);
    g_object_unref(headers);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), test->view);
    test->window = gtk_window_new();
    /* High enough for all rows that a test has. */
    gtk_window_set_default_size(GTK_WINDOW(test->window), 200, 2000);
    gtk_window_set_child(GTK_WINDOW(test->window), scrolled);
    gtk_window_present(GTK_WINDOW(test->window));
    while (!gtk_widget_get_realized(test->view)) {
        g_main_context_iteration(NULL, TRUE);
    }
    settle(test);
}

static void tear_down(fixture *test, gconstpointer unused)
{
    (void)unused;
    gtk_window_destroy(GTK_WINDOW(test->window));
    while (g_main_context_iteration(NULL, FALSE)) {
    }
    g_object_unref(test->selection);
    g_object_unref(test->flat);
    g_object_unref(test->sections);
    frg_store_close(test->store, NULL);
    g_object_unref(test->store);
}

/* The headers and rows in the order of the view, one below another. */
static char *shown(fixture *test)
{
    GString *texts = g_string_new("");
    GtkWidget *child;
    for (child = gtk_widget_get_first_child(test->view); child != NULL; child = gtk_widget_get_next_sibling(child)) {
        GtkWidget *label = gtk_widget_get_first_child(child);
        if (gtk_widget_get_mapped(child) && GTK_IS_LABEL(label)) {
            g_string_append_printf(texts, "%s, ", gtk_label_get_label(GTK_LABEL(label)));
        }
    }
    return g_string_free(texts, FALSE);
}

/* What the models have. */
static char *expected(fixture *test)
{
    GString *texts = g_string_new("");
    guint section, row, count = g_list_model_get_n_items(G_LIST_MODEL(test->sections));
    for (section = 0; section < count; section++) {
        GListModel *rows = g_list_model_get_item(G_LIST_MODEL(test->sections), section);
        g_string_append_printf(texts, "%s: %u, ", frg_list_model_get_section_name(FRG_LIST_MODEL(rows)),
                               g_list_model_get_n_items(rows));
        for (row = 0; row < g_list_model_get_n_items(rows); row++) {
            FrGItem *item = g_list_model_get_item(rows, row);
            char *text = frg_item_get_string(item, "title");
            g_string_append_printf(texts, "%s, ", text);
            g_free(text);
            g_object_unref(item);
        }
        g_object_unref(rows);
    }
    return g_string_free(texts, FALSE);
}

static void expect(fixture *test, const char *sql, const char *texts)
{
    char *now;
    run(test, sql);
    settle(test);
    now = shown(test);
    g_assert_cmpstr(now, ==, texts);
    g_free(now);
}

static void headers_follow_their_sections(fixture *test, gconstpointer unused)
{
    (void)unused;
    expect(test, "", "Garden: 1, beans, Home: 2, bread, lamp, Work: 1, plan, ");
    expect(test, "UPDATE t SET area = 'Zoo' WHERE area = 'Garden'",
           "Home: 2, bread, lamp, Work: 1, plan, Zoo: 1, beans, ");
    expect(test, "UPDATE t SET area = 'Attic' WHERE area = 'Zoo'",
           "Attic: 1, beans, Home: 2, bread, lamp, Work: 1, plan, ");
    /* The first row of a section, which GTK binds its header to. */
    expect(test, "UPDATE t SET area = 'Work' WHERE title = 'bread'",
           "Attic: 1, beans, Home: 1, lamp, Work: 2, bread, plan, ");
    expect(test, "DELETE FROM t WHERE title = 'bread'", "Attic: 1, beans, Home: 1, lamp, Work: 1, plan, ");
    expect(test, "INSERT INTO t(title, area) VALUES ('axe', 'Work'), ('zinnia', 'Attic')",
           "Attic: 2, beans, zinnia, Home: 1, lamp, Work: 2, axe, plan, ");
    expect(test, "DELETE FROM t WHERE area = 'Home'", "Attic: 2, beans, zinnia, Work: 2, axe, plan, ");
    expect(test, "DELETE FROM t", "");
}

/*
 * Commits of one to three random statements; each state that is drawn is compared with the models.
 */
static void a_storm(fixture *test, gconstpointer unused)
{
    static const char *const changes[] = {
        "UPDATE t SET area = char(65 + %1$d %% 7) WHERE id %% 3 = %2$d %% 3",
        "UPDATE t SET area = char(65 + %1$d %% 7) WHERE area = char(65 + %2$d %% 7)",
        "UPDATE t SET title = 'row ' || %1$d WHERE id = 1 + %2$d %% 40",
        "DELETE FROM t WHERE id = 1 + %1$d %% 40 OR id = 1 + %2$d %% 40",
        "REPLACE INTO t VALUES (1 + %1$d %% 40, 'row ' || %2$d, char(65 + %2$d %% 7))",
        "DELETE FROM t WHERE area = char(65 + %1$d %% 7) AND id %% 2 = %2$d %% 2",
    };
    int round, change;
    (void)unused;
    for (round = 0; round < STORM; round++) {
        GString *sql = g_string_new("BEGIN;");
        char *now, *right;
        for (change = g_test_rand_int_range(0, 3); change >= 0; change--) {
            int which = g_test_rand_int_range(0, G_N_ELEMENTS(changes));
            char *text = g_strdup_printf(changes[which], g_test_rand_int_range(0, 1000),
                                         g_test_rand_int_range(0, 1000));
            g_string_append_printf(sql, "%s;", text);
            g_free(text);
        }
        g_string_append(sql, "COMMIT");
        g_test_message("%s", sql->str);
        run(test, sql->str);
        settle(test);
        now = shown(test);
        right = expected(test);
        g_assert_cmpstr(now, ==, right);
        g_free(now);
        g_free(right);
        g_string_free(sql, TRUE);
    }
}

static void note_sections(guint *calls)
{
    ++*calls;
}

/* The selection has the sections of its model. */
static void a_selection_has_sections(fixture *test, gconstpointer unused)
{
    GListStore *none = g_list_store_new(G_TYPE_OBJECT);
    FrGSelection *plain = frg_selection_new(G_LIST_MODEL(none), TRUE);
    guint start = 1, end = 1, calls = 0;
    (void)unused;
    gtk_section_model_get_section(GTK_SECTION_MODEL(test->selection), 2, &start, &end);
    g_assert_true(start == 1 && end == 3);
    gtk_section_model_get_section(GTK_SECTION_MODEL(plain), 0, &start, &end);
    g_assert_true(start == 0 && end == G_MAXUINT);
    g_signal_connect_swapped(test->selection, "sections-changed", G_CALLBACK(note_sections), &calls);
    g_signal_emit_by_name(test->flat, "sections-changed", 0, 4);
    g_assert_cmpuint(calls, ==, 1);
    run(test, "UPDATE t SET title = 'beets' WHERE title = 'beans'");
    settle(test);
    g_assert_cmpuint(calls, ==, 1);
    run(test, "DELETE FROM t WHERE title = 'beets'");
    settle(test);
    g_assert_cmpuint(calls, ==, 2);
    g_object_unref(plain);
    g_object_unref(none);
}

#define ADD(name) g_test_add("/gtk-sections/" #name, fixture, NULL, set_up, name, tear_down)

int main(int argc, char **argv)
{
    init_test(&argc, &argv);
    ADD(headers_follow_their_sections);
    ADD(a_storm);
    ADD(a_selection_has_sections);
    return g_test_run();
}
