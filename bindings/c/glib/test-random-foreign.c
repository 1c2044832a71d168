/*
 * Random transactions, most of them of another connection, which leave rows that were not read
 * unreadable until the next dispatch. Rows and sections are read at random all the time; after a
 * dispatch nothing that was read may be blank or old. Handlers have the other connection commit as
 * well: then there are dispatches until none has.
 *
 * The corpus can't have this: which rows are read, and when, makes a difference to what is
 * delivered. There is no model here; the models are compared with lists that the other connection
 * fetches from scratch.
 */
#include <glib/gstdio.h>
#include <string.h>

#include "frg-item-private.h"
#include "frg-store-source.h"
#include "test-random.h"
#include "test-support.h"

enum { SEEDS = 10, ROUNDS = 16 };

/* What a program shows of one row: what it read last, and the item if it keeps it. */
typedef struct cell {
    char *text;   /* NULL if the item is not kept */
    FrGItem *item;
} cell;

/* Rows of a model, or its sections, by its signals alone. */
typedef struct view {
    GListModel *model; /* held */
    GPtrArray *cells;  /* of cell, or of view for a list of sections: NULL for a section that was not read */
    gulong handler;
    gboolean is_of_sections;
} view;

/* All seeds together: without these the test would show nothing. */
static guint blank_rows, blank_sections;

/* The other connection while handlers may have it commit, and whether one has. */
static fr_store *intruder;
static gboolean has_intruded;

/* A program that keeps the item is notified when its row has changed. */
static void cell_changed(FrGItem *item, cell *one)
{
    g_free(one->text);
    one->text = row_text(item);
}

static void keep_item(cell *one, FrGItem *item)
{
    if (one->item != NULL) {
        g_signal_handlers_disconnect_by_data(one->item, one);
    }
    if (g_set_object(&one->item, item) && item != NULL) {
        g_signal_connect(item, "changed", G_CALLBACK(cell_changed), one);
    }
}

static void free_cell(gpointer data)
{
    cell *one = data;
    g_free(one->text);
    keep_item(one, NULL);
    g_free(one);
}

static void view_free(gpointer data)
{
    view *one = data;
    if (one != NULL) {
        g_signal_handler_disconnect(one->model, one->handler);
        g_object_unref(one->model);
        g_ptr_array_unref(one->cells);
        g_free(one);
    }
}

static view *view_new(gpointer model, gboolean is_of_sections);

/* A section without a name is that of the rows without one. */
static gboolean lacks_section_item(const view *section)
{
    FrGListModel *model = FRG_LIST_MODEL(section->model);
    return frg_list_model_get_section_name(model) != NULL && frg_list_model_get_section_item(model) == NULL;
}

static void read_cell(view *view, guint position)
{
    gpointer item = g_list_model_get_item(view->model, position);
    cell *one;
    g_assert_nonnull(item);
    if (view->is_of_sections) {
        gpointer *section = &view->cells->pdata[position];
        g_assert_true(*section == NULL || ((struct view *)*section)->model == item);
        if (*section == NULL) {
            *section = view_new(item, FALSE);
        }
        g_object_unref(item);
        return;
    }
    one = g_ptr_array_index(view->cells, position);
    g_assert_true(one->item == NULL || one->item == item);
    blank_rows += frg_item_get_object(item) == NULL;
    keep_item(one, NULL);
    g_clear_pointer(&one->text, g_free);
    if (random_below(2) == 0) {
        keep_item(one, item);
        one->text = row_text(item);
    }
    g_object_unref(item);
}

static void items_changed(GListModel *model, guint position, guint removed, guint added, gpointer user_data)
{
    view *view = user_data;
    guint index;
    g_assert_true(model == view->model);
    g_assert_true(removed > 0 || added > 0);
    g_assert_cmpuint(position + removed, <=, view->cells->len);
    if (removed > 0) {
        g_ptr_array_remove_range(view->cells, position, removed);
    }
    for (index = 0; index < added; index++) {
        g_ptr_array_insert(view->cells, (gint)(position + index), view->is_of_sections ? NULL : g_new0(cell, 1));
    }
    g_assert_cmpuint(g_list_model_get_n_items(model), ==, view->cells->len);
    if (intruder != NULL && random_below(60) == 0) {
        random_transaction(intruder);
        has_intruded = TRUE;
    }
    for (index = 0; index < added; index++) {
        if (random_below(3) == 0) {
            read_cell(view, position + index);
        }
    }
}

static view *view_new(gpointer model, gboolean is_of_sections)
{
    view *one = g_new0(view, 1);
    guint index, count = g_list_model_get_n_items(model);
    one->model = g_object_ref(model);
    one->is_of_sections = is_of_sections;
    one->cells = g_ptr_array_new_with_free_func(is_of_sections ? view_free : free_cell);
    for (index = 0; index < count; index++) {
        g_ptr_array_add(one->cells, is_of_sections ? NULL : g_new0(cell, 1));
    }
    one->handler = g_signal_connect(model, "items-changed", G_CALLBACK(items_changed), one);
    return one;
}

/* Each row and section with a chance of one in `chance`. */
static void read_some(view *view, int chance)
{
    guint index;
    for (index = 0; index < view->cells->len; index++) {
        if (random_below(chance) == 0) {
            read_cell(view, index);
        }
        if (view->is_of_sections && g_ptr_array_index(view->cells, index) != NULL) {
            read_some(g_ptr_array_index(view->cells, index), chance);
        }
    }
}

/* What was read has to be what a list shows that was fetched just now. */

static void check_rows(const view *rows, fr_list *fresh, gint64 section)
{
    guint index;
    int64_t count = 0;
    check(section < 0 ? fr_list_count(&count, fresh) : fr_list_row_count(&count, fresh, section));
    g_assert_cmpuint(rows->cells->len, ==, count);
    g_assert_cmpuint(g_list_model_get_n_items(rows->model), ==, count);
    for (index = 0; index < rows->cells->len; index++) {
        const cell *one = g_ptr_array_index(rows->cells, index);
        fr_index_path path = {section, index};
        fr_object *object = NULL;
        char *text;
        if (one->text == NULL) {
            continue;
        }
        if (section < 0) {
            check(fr_list_index_path_at(&path, fresh, index));
        }
        check(fr_list_object_at(&object, fresh, path));
        text = object_text(object);
        g_assert_cmpstr(one->text, ==, text);
        if (one->item != NULL) {
            FrGItem *item = g_list_model_get_item(rows->model, index);
            g_assert_true(item == one->item);
            g_assert_text(row_text(item), text);
            g_object_unref(item);
        }
        g_free(text);
        fr_object_unref(object);
    }
}

static void check_section(const view *section, fr_list *fresh, gint64 number)
{
    static const char *const columns[] = {"s", "position", "title"};
    FrGListModel *model = FRG_LIST_MODEL(section->model);
    FrGItem *item = frg_list_model_get_section_item(model), *expected;
    fr_object *object = NULL;
    fr_section_info shown;
    guint index;
    check(fr_list_section(&shown, fresh, number));
    g_assert_cmpstr(frg_list_model_get_section_name(model), ==, shown.name);
    if (fr_list_section_object(&object, fresh, number) == FR_OK) {
        expected = frg_item_new(FRG_TYPE_ITEM, object);
        g_assert_nonnull(item);
        for (index = 0; index < G_N_ELEMENTS(columns); index++) {
            char *text = frg_item_dup_text(expected, columns[index]);
            g_assert_text(frg_item_dup_text(item, columns[index]), text);
            g_free(text);
        }
        g_object_unref(expected);
    } else {
        g_assert_null(item);
    }
    check_rows(section, fresh, number);
}

static void check_sections(const view *sections, fr_list *fresh)
{
    guint index;
    int64_t count = 0;
    check(fr_list_section_count(&count, fresh));
    g_assert_cmpuint(sections->cells->len, ==, count);
    for (index = 0; index < sections->cells->len; index++) {
        if (g_ptr_array_index(sections->cells, index) != NULL) {
            check_section(g_ptr_array_index(sections->cells, index), fresh, index);
        }
    }
}

/* One list in both models. */
typedef struct subject {
    int kind;
    guint32 start; /* of the random numbers that made it */
    fr_list *list;
    view *rows, *sections;
} subject;

/* The same list again, if it starts with the same random numbers. */
static fr_list *list_from(fr_store *store, int kind, guint32 start)
{
    guint32 state = random_start(start);
    fr_list *list = random_list(store, kind);
    check(fr_list_perform_fetch(list));
    random_start(state);
    return list;
}

static void subject_set_up(subject *subject, fr_store *store, int kind)
{
    gpointer rows, sections;
    subject->kind = kind;
    subject->start = (guint32)random_below(G_MAXINT);
    subject->list = list_from(store, kind, subject->start);
    rows = frg_list_model_new(subject->list);
    sections = frg_section_list_new(subject->list);
    subject->rows = view_new(rows, FALSE);
    subject->sections = view_new(sections, TRUE);
    g_object_unref(rows);
    g_object_unref(sections);
}

static void subject_tear_down(subject *subject)
{
    view_free(subject->rows);
    view_free(subject->sections);
    fr_list_free(subject->list);
}

static void subject_read(subject *subject)
{
    guint index;
    if (random_below(2) == 0) {
        read_some(subject->rows, 3);
    }
    if (random_below(2) == 0) {
        read_some(subject->sections, 3);
    }
    for (index = 0; index < subject->sections->cells->len && subject->kind == MAPPED; index++) {
        const view *section = g_ptr_array_index(subject->sections->cells, index);
        blank_sections += section != NULL && lacks_section_item(section);
    }
}

static void subject_check(subject *subject, fr_store *store)
{
    fr_list *fresh = list_from(store, subject->kind, subject->start);
    g_test_message("list of kind %d", subject->kind);
    check_rows(subject->rows, fresh, -1);
    check_sections(subject->sections, fresh);
    if (random_below(6) == 0) {
        read_some(subject->rows, 1);
        read_some(subject->sections, 1);
        check_rows(subject->rows, fresh, -1);
        check_sections(subject->sections, fresh);
    }
    fr_list_free(fresh);
}

/* By a source, or by the program, and then the main loop goes round. */
static void dispatch(fr_store *store, GMainContext *context, GSource *source)
{
    if (random_below(2) == 0) {
        g_source_set_ready_time(source, 0);
        while (g_main_context_iteration(context, FALSE)) {
        }
    } else {
        check(fr_store_dispatch(store));
        while (g_main_context_iteration(NULL, FALSE)) {
        }
    }
}

static fr_store *open_file(const char *path, guint32 flags)
{
    const fr_store_options options = {
        .struct_size = sizeof options, .flags = flags, .busy_timeout_ms = -1, .journal_mode = "delete"};
    fr_store *store = NULL;
    check(fr_store_open(&store, path, &options));
    run(store, "PRAGMA synchronous = OFF");
    return store;
}

static void run_rounds(fr_store *store, fr_store *other)
{
    GMainContext *context = g_main_context_new();
    GSource *source = frg_store_source_new(store, 0);
    subject subjects[KINDS];
    int index, round, commits;
    g_source_attach(source, context);
    for (index = 0; index < KINDS; index++) {
        subject_set_up(&subjects[index], store, index);
    }
    for (round = 0; round < ROUNDS; round++) {
        for (commits = random_below(4); commits > 0; commits--) {
            random_transaction(random_below(5) == 0 ? store : other);
            subject_read(&subjects[random_below(KINDS)]);
        }
        for (index = 0; index < KINDS; index++) {
            subject_read(&subjects[index]);
        }
        intruder = random_below(2) == 0 ? other : NULL;
        do {
            has_intruded = FALSE;
            dispatch(store, context, source);
            intruder = random_below(2) == 0 ? intruder : NULL;
        } while (has_intruded);
        intruder = NULL;
        for (index = 0; index < KINDS; index++) {
            subject_check(&subjects[index], other);
        }
    }
    for (index = 0; index < KINDS; index++) {
        subject_tear_down(&subjects[index]);
    }
    g_source_destroy(source);
    g_source_unref(source);
    g_main_context_unref(context);
}

static void run_seed(guint32 seed)
{
    char *folder = g_dir_make_tmp("frg-XXXXXX", NULL), *path = g_build_filename(folder, "test.db", NULL);
    fr_store *store, *other;
    int rows;
    random_start(seed);
    store = open_file(path, random_below(2) == 0 ? FR_STORE_QUEUED : 0);
    run(store, "CREATE TABLE t(id INTEGER PRIMARY KEY, s, k, v INTEGER DEFAULT 0);" RANDOM_TABLES);
    check(fr_store_dispatch(store));
    other = open_file(path, 0);
    for (rows = random_below(20); rows > 0; rows--) {
        random_transaction(other);
    }
    check(fr_store_dispatch(store));
    run_rounds(store, other);
    check(fr_store_close(other));
    check(fr_store_close(store));
    g_remove(path);
    g_rmdir(folder);
    g_free(path);
    g_free(folder);
}

static void foreign_transactions(void)
{
    blank_rows = blank_sections = 0;
    random_seeds(run_seed, SEEDS);
    g_test_message("%u rows and %u sections were blank", blank_rows, blank_sections);
    g_assert_true(g_getenv("FR_SEED") != NULL || blank_rows > 0);
    g_assert_true(g_getenv("FR_SEED") != NULL || g_getenv("FR_SEEDS") != NULL || blank_sections > 0);
}

void add_random_tests(void)
{
    g_test_add_func("/random/foreign-transactions", foreign_transactions);
}
