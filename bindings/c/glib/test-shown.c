/* A list of any kind in both models, compared with what its controller shows. */
#include "frg-item-private.h"
#include "test-support.h"

void shown_set_up(struct shown *shown, fr_list *list, guint flags)
{
    shown->list = list;
    shown->model = frg_list_model_new(list);
    shown->sections = frg_section_list_new(list);
    shown->mirror = mirror_new(shown->model, flags);
    shown->tree = tree_new(shown->sections, flags);
    shown_check(shown);
}

void shown_tear_down(struct shown *shown)
{
    if (shown->list != NULL) {
        shown_check(shown);
    }
    mirror_free(shown->mirror);
    tree_free(shown->tree);
    g_assert_finalize_object(shown->model);
    g_assert_finalize_object(shown->sections);
    fr_list_free(shown->list);
}

static void check_section(const struct shown *shown, gint64 number, guint start)
{
    const struct mirror *rows = tree_section(shown->tree, (guint)number);
    FrGItem *item = frg_list_model_get_section_item(FRG_LIST_MODEL(rows->model));
    fr_index_path path = {number, 0};
    fr_object *object = NULL;
    fr_section_info section;
    check(fr_list_section(&section, shown->list, number));
    g_assert_cmpstr(frg_list_model_get_section_name(FRG_LIST_MODEL(rows->model)), ==, section.name);
    if (fr_list_section_object(&object, shown->list, number) == FR_OK) {
        g_assert_true(item != NULL && frg_item_is(item, object));
    } else {
        g_assert_null(item);
    }
    fr_object_unref(object);
    g_assert_cmpuint(rows->texts->len, ==, section.count);
    for (; path.row < section.count; path.row++) {
        char *text;
        check(fr_list_object_at(&object, shown->list, path));
        text = object_text(object);
        g_assert_cmpstr(mirror_text(rows, (guint)path.row), ==, text);
        g_assert_cmpstr(mirror_text(shown->mirror, start + (guint)path.row), ==, text);
        g_free(text);
        fr_object_unref(object);
    }
}

void shown_check(const struct shown *shown)
{
    int64_t sections = 0, rows = 0, number;
    guint start = 0;
    check(fr_list_section_count(&sections, shown->list));
    check(fr_list_count(&rows, shown->list));
    g_assert_cmpuint(shown->tree->sections->len, ==, sections);
    g_assert_cmpuint(shown->mirror->texts->len, ==, rows);
    for (number = 0; number < sections; number++) {
        check_section(shown, number, start);
        start += tree_section(shown->tree, (guint)number)->texts->len;
    }
    mirror_check(shown->mirror);
    tree_check(shown->tree);
}

void shown_expect(struct shown *shown, const char *ids, const char *flat, const char *sections)
{
    shown_check(shown);
    g_assert_text(tree_ids(shown->tree), ids);
    mirror_expect(shown->mirror, flat);
    mirror_expect(shown->tree, sections);
}
