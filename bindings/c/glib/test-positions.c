/* The order that a person gives to rows. */
#include "frg-store.h"
#include "test-support.h"

typedef struct ordered {
    FrGStore *store;
    FrGSectionList *sections;
    FrGListModel *model;
} ordered;

static void execute(ordered *test, const char *sql)
{
    GError *error = NULL;
    frg_store_execute_script(test->store, sql, &error);
    g_assert_no_error(error);
}

/* A list by the column k, of rows 1 to 5. */
static void set_up(ordered *test, gconstpointer declaration)
{
    const char *sort[] = {"k", NULL};
    FrGRequest *request = g_object_new(FRG_TYPE_REQUEST, "entity", "t", "sort", sort, NULL);
    GError *error = NULL;
    char *sql = g_strdup_printf("CREATE TABLE m(id INTEGER PRIMARY KEY, name);"
                                "CREATE TABLE t(id INTEGER PRIMARY KEY, s REFERENCES m, k %s);"
                                "INSERT INTO m VALUES (1, 'one'), (2, 'two'), (3, 'empty');"
                                "INSERT INTO t VALUES (1, 1, 10), (2, 1, 20), (3, 1, 21), (4, 2, 22), (5, 2, 40)",
                                (const char *)declaration);
    test->store = frg_store_new(":memory:", FRG_STORE_DEFAULT, &error);
    g_assert_no_error(error);
    execute(test, sql);
    test->model = frg_list_model_new_for_request(test->store, request, &error);
    g_assert_no_error(error);
    g_object_set(request, "section", "s", NULL);
    test->sections = frg_section_list_new_for_request(test->store, request, &error);
    g_assert_no_error(error);
    g_object_unref(request);
    g_free(sql);
}

static void tear_down(ordered *test, gconstpointer unused)
{
    (void)unused;
    g_object_unref(test->model);
    g_object_unref(test->sections);
    g_object_unref(test->store);
}

static FrGItem *row_with(GListModel *model, gint64 id)
{
    guint index;
    for (index = 0; index < g_list_model_get_n_items(model); index++) {
        FrGItem *item = g_list_model_get_item(model, index);
        if (row_id(item) == id) {
            return item;
        }
        g_object_unref(item);
    }
    return NULL;
}

/* Puts a row before another one, or at the end with 0. */
static void move(ordered *test, gint64 id, gint64 before)
{
    FrGItem *item = row_with(G_LIST_MODEL(test->model), id);
    FrGItem *target = before != 0 ? row_with(G_LIST_MODEL(test->model), before) : NULL;
    GError *error = NULL;
    frg_list_model_move(test->model, "k", item, target, &error);
    g_assert_no_error(error);
    g_object_unref(item);
    g_clear_object(&target);
}

/* "1:10 2:20": the ids and their numbers. */
static char *numbers(GListModel *model)
{
    GString *text = g_string_new("");
    guint index;
    for (index = 0; index < g_list_model_get_n_items(model); index++) {
        FrGItem *item = g_list_model_get_item(model, index);
        char *number = frg_item_dup_text(item, "k");
        g_string_append_printf(text, "%s%d:%s", index > 0 ? " " : "", (int)row_id(item), number);
        g_free(number);
        g_object_unref(item);
    }
    return g_string_free(text, FALSE);
}

static void expect(ordered *test, const char *expected)
{
    g_assert_text(numbers(G_LIST_MODEL(test->model)), expected);
}

static void integers_stay_integers(ordered *test, gconstpointer unused)
{
    (void)unused;
    expect(test, "1:10 2:20 3:21 4:22 5:40");
    /* There is room, at the ends as well. */
    move(test, 5, 2);
    expect(test, "1:10 5:15 2:20 3:21 4:22");
    move(test, 1, 0);
    expect(test, "5:15 2:20 3:21 4:22 1:23");
    move(test, 3, 5);
    expect(test, "3:14 5:15 2:20 4:22 1:23");
    /* Nothing to do. */
    move(test, 3, 5);
    move(test, 3, 3);
    move(test, 1, 0);
    g_assert_cmpint(frg_store_get_changes(test->store), ==, 1);
    expect(test, "3:14 5:15 2:20 4:22 1:23");
    /* No room: the rows beside it move up. */
    move(test, 1, 5);
    expect(test, "3:13 1:14 5:15 2:20 4:22");
}

static void what_is_no_number_gets_one(ordered *test, gconstpointer unused)
{
    (void)unused;
    execute(test, "UPDATE t SET k = NULL WHERE id IN (3, 4); UPDATE t SET k = 20 WHERE id = 1");
    expect(test, "3: 4: 1:20 2:20 5:40");
    move(test, 5, 2);
    expect(test, "3:16 4:17 1:18 5:19 2:20");
    move(test, 2, 4);
    expect(test, "3:15 2:16 4:17 1:18 5:19");
}

static void reals_have_more_room(ordered *test, gconstpointer unused)
{
    (void)unused;
    move(test, 5, 3);
    expect(test, "1:10 2:20 5:20.5 3:21 4:22");
    move(test, 4, 5);
    expect(test, "1:10 2:20 4:20.25 5:20.5 3:21");
}

static FrGListModel *section_at(GListModel *sections, guint index)
{
    return g_list_model_get_item(sections, index);
}

static void a_row_moves_to_another_section(ordered *test, gconstpointer unused)
{
    FrGListModel *one = section_at(G_LIST_MODEL(test->sections), 0), *two = section_at(G_LIST_MODEL(test->sections), 1);
    FrGItem *item = row_with(G_LIST_MODEL(one), 1), *before = row_with(G_LIST_MODEL(two), 5);
    GError *error = NULL;
    (void)unused;
    g_assert_true(frg_list_model_move(two, "k", item, before, &error));
    g_assert_no_error(error);
    g_assert_text(numbers(G_LIST_MODEL(one)), "2:20 3:21");
    g_assert_text(numbers(G_LIST_MODEL(two)), "4:22 1:31 5:40");
    g_object_unref(item);
    g_object_unref(before);
    g_object_unref(one);
    g_object_unref(two);
}

/* A section without rows, too. */
static void a_row_moves_in_a_section_map(ordered *test, gconstpointer unused)
{
    const char *sort[] = {"k", NULL};
    FrGRequest *rows = g_object_new(FRG_TYPE_REQUEST, "entity", "t", "sort", sort, NULL), *m = frg_request_new("m");
    GError *error = NULL;
    FrGSectionList *map = frg_section_list_new_for_map(test->store, rows, m, "s", &error);
    FrGListModel *one, *empty;
    FrGItem *item;
    (void)unused;
    g_assert_no_error(error);
    one = section_at(G_LIST_MODEL(map), 0);
    empty = section_at(G_LIST_MODEL(map), 2);
    item = row_with(G_LIST_MODEL(one), 2);
    g_assert_true(frg_list_model_move(empty, "k", item, NULL, &error));
    g_assert_no_error(error);
    g_assert_text(numbers(G_LIST_MODEL(one)), "1:10 3:21");
    g_assert_text(numbers(G_LIST_MODEL(empty)), "2:1");
    g_object_unref(item);
    g_object_unref(one);
    g_object_unref(empty);
    g_object_unref(map);
    g_object_unref(rows);
    g_object_unref(m);
}

static void refuse(FrGListModel *model, const char *column, FrGItem *item, FrGItem *before, int code)
{
    GError *error = NULL;
    g_assert_false(frg_list_model_move(model, column, item, before, &error));
    g_assert_error(error, FRG_STORE_ERROR, code);
    g_error_free(error);
}

static void moves_that_are_refused(ordered *test, gconstpointer unused)
{
    FrGItem *item = row_with(G_LIST_MODEL(test->model), 1), *last = row_with(G_LIST_MODEL(test->model), 5);
    FrGListModel *two = section_at(G_LIST_MODEL(test->sections), 1);
    (void)unused;
    refuse(test->model, "s", item, NULL, FRG_STORE_ERROR_MISUSE);
    refuse(two, "k", item, item, FRG_STORE_ERROR_MISUSE);
    execute(test, "CREATE TRIGGER no BEFORE UPDATE ON t WHEN new.id = 1 BEGIN SELECT RAISE(ABORT, 'no'); END");
    execute(test, "UPDATE t SET k = 21 WHERE id = 2");
    /* Nothing of it is written, and no transaction stays open. */
    refuse(test->model, "k", item, last, FRG_STORE_ERROR_CONSTRAINT);
    expect(test, "1:10 2:21 3:21 4:22 5:40");
    execute(test, "BEGIN; COMMIT");
    execute(test, "DELETE FROM t WHERE id = 5");
    refuse(test->model, "k", item, last, FRG_STORE_ERROR_MISUSE);
    g_object_unref(item);
    g_object_unref(last);
    g_object_unref(two);
}

/* What a server would get: "1 k=15 ". The last edit is held, to fail it. */
typedef struct sent {
    GString *text;
    FrGEdit *last;
} sent;

static void send_edit(FrGEdit *edit, gpointer user_data)
{
    sent *to = user_data;
    FrGItem *item = frg_edit_get_item(edit);
    const char *column = frg_edit_get_column(edit);
    char *value = frg_item_dup_text(item, column);
    g_assert_true(frg_item_is_pending(item, column));
    g_string_append_printf(to->text, "%d %s=%s ", (int)row_id(item), column, value);
    g_set_object(&to->last, edit);
    g_free(value);
}

/* What is sent for a move to a place before another row. */
static void submit(FrGListModel *model, FrGItem *item, FrGItem *before, sent *to, const char *expected)
{
    GError *error = NULL;
    g_string_truncate(to->text, 0);
    g_assert_true(frg_list_model_submit_move(model, "k", item, before, send_edit, to, &error));
    g_assert_no_error(error);
    g_assert_cmpstr(to->text->str, ==, expected);
}

static void moves_are_sent_elsewhere(ordered *test, gconstpointer unused)
{
    FrGListModel *two = section_at(G_LIST_MODEL(test->sections), 1);
    FrGItem *one = row_with(G_LIST_MODEL(test->model), 1), *three = row_with(G_LIST_MODEL(test->model), 3),
            *five = row_with(G_LIST_MODEL(two), 5);
    GError *error = NULL;
    sent to = {g_string_new(""), NULL};
    (void)unused;
    /* Without room, two rows get numbers, which both show. No row moves. */
    submit(test->model, one, three, &to, "2 k=19 1 k=20 ");
    expect(test, "1:20 2:19 3:21 4:22 5:40");
    /* The server refuses a number, and has stored the other one. */
    frg_edit_fail(to.last, "no");
    g_assert_null(frg_edit_get_item(to.last));
    execute(test, "UPDATE t SET k = 19 WHERE id = 2");
    expect(test, "1:10 2:19 3:21 4:22 5:40");
    g_assert_false(frg_item_is_pending(one, NULL));
    /* A row of another section also gets the value of that section. */
    submit(two, one, five, &to, "1 k=31 1 s=2 ");
    execute(test, "UPDATE t SET k = 31, s = 2 WHERE id = 1");
    g_assert_text(numbers(G_LIST_MODEL(two)), "4:22 1:31 5:40");
    g_assert_false(frg_item_is_pending(one, NULL));
    /* It stands there already. */
    g_object_unref(one);
    one = row_with(G_LIST_MODEL(two), 1);
    submit(two, one, five, &to, "");
    g_assert_false(frg_list_model_submit_move(test->model, "s", one, NULL, send_edit, &to, &error));
    g_assert_error(error, FRG_STORE_ERROR, FRG_STORE_ERROR_MISUSE);
    g_clear_error(&error);
    g_clear_object(&to.last);
    g_string_free(to.text, TRUE);
    g_object_unref(one);
    g_object_unref(three);
    g_object_unref(five);
    g_object_unref(two);
}

#define ADD(name, declaration) g_test_add("/positions/" #name, ordered, declaration, set_up, name, tear_down)

void add_position_tests(void)
{
    ADD(integers_stay_integers, "INTEGER");
    ADD(what_is_no_number_gets_one, "INTEGER");
    ADD(reals_have_more_room, "REAL");
    ADD(a_row_moves_to_another_section, "INTEGER");
    ADD(a_row_moves_in_a_section_map, "INTEGER");
    ADD(moves_that_are_refused, "INTEGER");
    ADD(moves_are_sent_elsewhere, "INTEGER");
}
