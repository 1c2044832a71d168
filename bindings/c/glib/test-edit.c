/* Edits that items show until their changes arrive. */
#include "frg-edit.h"
#include "frg-store.h"
#include "test-support.h"

/* A list with the row (1, 'a', 10), its item, and what the item has reported. */
struct edited {
    FrGStore *store;
    FrGListModel *model;
    FrGItem *item;
    GString *seen;
};

static void note_changed(struct edited *edited)
{
    g_string_append(edited->seen, "changed ");
}

static void note_property(struct edited *edited, GParamSpec *spec)
{
    g_string_append_printf(edited->seen, "%s ", spec->name);
}

static void note_failure(struct edited *edited, const char *column, const char *message)
{
    g_string_append_printf(edited->seen, "%s: %s ", column, message);
}

static void execute(FrGStore *store, const char *sql)
{
    GError *error = NULL;
    frg_store_execute(store, sql, NULL, &error);
    g_assert_no_error(error);
}

static void set_up(struct edited *edited, gconstpointer data)
{
    GError *error = NULL;
    FrGRequest *request = frg_request_new("t");
    (void)data;
    edited->store = frg_store_new(":memory:", FRG_STORE_DEFAULT, &error);
    g_assert_no_error(error);
    execute(edited->store, "CREATE TABLE t(id INTEGER PRIMARY KEY, s TEXT, k INTEGER)");
    execute(edited->store, "INSERT INTO t VALUES (1, 'a', 10)");
    edited->model = frg_list_model_new_for_request(edited->store, request, &error);
    g_assert_no_error(error);
    g_object_unref(request);
    edited->item = g_list_model_get_item(G_LIST_MODEL(edited->model), 0);
    edited->seen = g_string_new("");
    g_signal_connect_swapped(edited->item, "changed", G_CALLBACK(note_changed), edited);
    g_signal_connect_swapped(edited->item, "notify", G_CALLBACK(note_property), edited);
    g_signal_connect_swapped(edited->item, "edit-failed", G_CALLBACK(note_failure), edited);
}

static void tear_down(struct edited *edited, gconstpointer data)
{
    (void)data;
    g_string_free(edited->seen, TRUE);
    g_assert_finalize_object(edited->item);
    g_assert_finalize_object(edited->model);
    g_assert_finalize_object(edited->store);
}

static FrGEdit *edit(struct edited *edited, const char *column, GVariant *value)
{
    GError *error = NULL;
    FrGEdit *made = frg_item_edit(edited->item, column, value, &error);
    g_assert_no_error(error);
    return made;
}

/* What the item shows: "a 10", with a question mark behind a value that waits. */
static char *shown(struct edited *edited)
{
    char *s = frg_item_get_string(edited->item, "s"), *text;
    text = g_strdup_printf("%s%s %d%s", s, frg_item_is_pending(edited->item, "s") ? "?" : "",
                           (int)frg_item_get_int64(edited->item, "k"),
                           frg_item_is_pending(edited->item, "K") ? "?" : "");
    g_free(s);
    return text;
}

static char *seen(struct edited *edited)
{
    char *text = g_strdup(edited->seen->str);
    g_string_truncate(edited->seen, 0);
    return text;
}

static void an_edit_is_shown_until_its_change_arrives(struct edited *edited, gconstpointer data)
{
    gboolean is_pending = FALSE;
    char *property = NULL;
    (void)data;
    g_object_unref(edit(edited, "s", g_variant_new_string("b")));
    g_assert_text(seen(edited), "s pending changed ");
    g_assert_text(shown(edited), "b? 10");
    g_object_get(edited->item, "s", &property, "pending", &is_pending, NULL);
    g_assert_text(property, "b");
    g_assert_true(is_pending);
    execute(edited->store, "UPDATE t SET k = 11");
    g_assert_text(shown(edited), "b? 11");
    g_free(seen(edited));
    execute(edited->store, "UPDATE t SET s = 'b'");
    g_assert_text(shown(edited), "b 11");
    g_assert_nonnull(strstr(edited->seen->str, "pending changed "));
    g_assert_false(frg_item_is_pending(edited->item, NULL));
}

static void an_edit_ends_with_any_other_value(struct edited *edited, gconstpointer data)
{
    (void)data;
    g_object_unref(edit(edited, "k", g_variant_new_int32(12)));
    g_object_unref(edit(edited, "s", NULL));
    g_assert_true(frg_item_is_null(edited->item, "s"));
    execute(edited->store, "UPDATE t SET k = 13");
    g_assert_cmpint(frg_item_get_int64(edited->item, "k"), ==, 13);
    execute(edited->store, "UPDATE t SET s = 'c'");
    g_assert_text(shown(edited), "c 13");
}

static void an_answer_leaves_later_edits(struct edited *edited, gconstpointer data)
{
    (void)data;
    g_object_unref(edit(edited, "s", g_variant_new_string("b")));
    g_object_unref(edit(edited, "k", g_variant_new_int32(12)));
    g_object_unref(edit(edited, "S", g_variant_new_string("c")));
    g_object_unref(edit(edited, "s", g_variant_new_string("d")));
    execute(edited->store, "UPDATE t SET s = 'b'");
    g_assert_text(shown(edited), "d? 12?");
    execute(edited->store, "UPDATE t SET s = 'd'");
    g_assert_text(shown(edited), "d 12?");
    execute(edited->store, "UPDATE t SET k = 12");
}

static void an_edit_that_fails_is_taken_back(struct edited *edited, gconstpointer data)
{
    FrGEdit *first = edit(edited, "s", g_variant_new_string("b")),
            *second = edit(edited, "s", g_variant_new_string("c"));
    (void)data;
    g_free(seen(edited));
    frg_edit_fail(second, "no");
    g_assert_text(seen(edited), "s changed s: no ");
    frg_edit_fail(second, "again");
    g_assert_text(shown(edited), "b? 10");
    frg_edit_finish(first);
    g_assert_text(seen(edited), "s pending changed ");
    g_assert_text(shown(edited), "a 10");
    g_object_unref(first);
    g_object_unref(second);

    first = edit(edited, "s", g_variant_new_string("b"));
    execute(edited->store, "UPDATE t SET s = 'z'");
    g_free(seen(edited));
    frg_edit_fail(first, "late");
    g_assert_text(seen(edited), "s: late ");
    g_assert_text(shown(edited), "z 10");
    g_object_unref(first);
}

static void a_value_that_is_shown_is_no_edit(struct edited *edited, gconstpointer data)
{
    FrGEdit *none = edit(edited, "s", g_variant_new_string("a"));
    (void)data;
    g_assert_text(seen(edited), "");
    frg_edit_fail(none, "nothing was sent");
    g_assert_text(seen(edited), "");
    g_object_unref(none);
}

static void edits_that_are_refused(struct edited *edited, gconstpointer data)
{
    GError *error = NULL;
    GListModel *rows = frg_store_query(edited->store, "SELECT 1 AS s", NULL, &error);
    FrGItem *row = g_list_model_get_item(rows, 0);
    (void)data;
    g_assert_null(frg_item_edit(row, "s", g_variant_new_string("b"), &error));
    g_assert_error(error, FRG_STORE_ERROR, FRG_STORE_ERROR_MISUSE);
    g_clear_error(&error);
    g_object_unref(row);
    g_object_unref(rows);
    g_assert_null(frg_item_edit(edited->item, "nowhere", g_variant_new_string("b"), &error));
    g_assert_nonnull(error);
    g_clear_error(&error);
    g_assert_null(frg_item_edit(edited->item, "s", g_variant_new("(ii)", 1, 2), &error));
    g_assert_nonnull(error);
    g_clear_error(&error);
    g_assert_text(shown(edited), "a 10");
}

#define ADD(name) g_test_add("/edit/" #name, struct edited, NULL, set_up, name, tear_down)

void add_edit_tests(void)
{
    ADD(an_edit_is_shown_until_its_change_arrives);
    ADD(an_edit_ends_with_any_other_value);
    ADD(an_answer_leaves_later_edits);
    ADD(an_edit_that_fails_is_taken_back);
    ADD(a_value_that_is_shown_is_no_edit);
    ADD(edits_that_are_refused);
}
