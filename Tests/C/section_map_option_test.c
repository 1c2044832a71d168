/* Options of a section map that change while it is shown, and disabled maps. */
#include "actor.h"
#include "maps.h"
#include "test.h"

static void empty_sections_shown_and_hidden(void)
{
    struct watched w;
    watch_tasks(&w, SOME_TASKS, NULL);
    CHECK_OK(fr_section_map_set_empty_sections(w.list, FR_EMPTY_SECTIONS_HIDDEN));
    CHECK_LOG(&w.recorder, "[delete section 2 (20)]");
    CHECK_OK(fr_section_map_set_empty_sections(w.list, FR_EMPTY_SECTIONS_HIDDEN));
    CHECK_LOG(&w.recorder, "");
    CHECK_REPORTED(&w, "DELETE FROM tasks WHERE id = 3", "[delete section 0 (30); delete 0.0]");
    CHECK_OK(fr_section_map_set_empty_sections(w.list, FR_EMPTY_SECTIONS_SHOWN));
    CHECK_LOG(&w.recorder, "[insert section 0 (30); insert section 2 (20)]");
    CHECK_LIST(w.list, "30: | 10: 1 2 | 20: | NULL: 4");
    unwatch(&w);
}

static void items_without_a_section_shown_and_hidden(void)
{
    struct watched w;
    watch_tasks(&w, SOME_TASKS, NULL);
    CHECK_OK(fr_section_map_set_items_without_section(w.list, FR_ITEMS_WITHOUT_SECTION_HIDDEN));
    CHECK_LOG(&w.recorder, "[delete section 3 (NULL); delete 3.0]");
    CHECK_OK(fr_section_map_set_items_without_section(w.list, FR_ITEMS_WITHOUT_SECTION_SHOWN));
    CHECK_LOG(&w.recorder, "[insert section 3 (NULL); insert 3.0]");
    CHECK_REPORTED(&w, "DELETE FROM tasks WHERE id = 4", "[delete section 3 (NULL); delete 3.0]");
    CHECK_OK(fr_section_map_set_items_without_section(w.list, FR_ITEMS_WITHOUT_SECTION_ALWAYS_SHOWN));
    CHECK_LOG(&w.recorder, "[insert section 3 (NULL)]");
    CHECK_OK(fr_section_map_set_items_without_section(w.list, FR_ITEMS_WITHOUT_SECTION_HIDDEN));
    CHECK_LOG(&w.recorder, "[delete section 3 (NULL)]");
    unwatch(&w);
}

static void options_changed_before_the_fetch(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_request *items = request_of("tasks", NULL, "k", NULL), *sections = request_of("lists", NULL, "position", NULL);
    fr_list *map = NULL;
    CHECK_OK(fr_section_map_new(&map, store, items, sections, "list_id", NULL));
    CHECK_OK(fr_section_map_set_empty_sections(map, FR_EMPTY_SECTIONS_HIDDEN));
    CHECK_OK(fr_section_map_set_items_without_section(map, FR_ITEMS_WITHOUT_SECTION_HIDDEN));
    CHECK_OK(fr_list_perform_fetch(map));
    CHECK_LIST(map, "30: 3 | 10: 1 2");
    fr_request_free(items);
    fr_request_free(sections);
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

static void disabled_map_does_not_change_and_reports_a_reload(void)
{
    struct watched w;
    bool disabled = true;
    watch_tasks(&w, SOME_TASKS, NULL);
    CHECK_OK(fr_section_map_is_disabled(&disabled, w.list));
    CHECK(!disabled);
    CHECK_OK(fr_section_map_set_disabled(w.list, true));
    CHECK_OK(fr_section_map_is_disabled(&disabled, w.list));
    CHECK(disabled);
    CHECK_REPORTED(&w, "DELETE FROM lists WHERE id = 10; INSERT INTO lists(id, position) VALUES (40, 0)", "");
    CHECK_LIST(w.list, "30: 3 | 10: 1 2 | 20: | NULL: 4");
    CHECK_OK(fr_section_map_set_disabled(w.list, false));
    CHECK_LOG(&w.recorder, "[reload]");
    CHECK_LIST(w.list, "40: | 30: 3 | 20: | NULL: 4");
    CHECK_OK(fr_section_map_is_disabled(&disabled, w.list));
    CHECK(!disabled);
    CHECK_REPORTED(&w, "DELETE FROM tasks WHERE id = 3", "[delete 1.0]");
    unwatch(&w);
}

static void enabled_map_reports_a_reload_even_if_nothing_changed(void)
{
    struct watched w;
    watch_tasks(&w, SOME_TASKS, NULL);
    CHECK_OK(fr_section_map_set_disabled(w.list, true));
    CHECK_OK(fr_section_map_set_disabled(w.list, true));
    CHECK_OK(fr_section_map_set_disabled(w.list, false));
    CHECK_LOG(&w.recorder, "[reload]");
    CHECK_OK(fr_section_map_set_disabled(w.list, false));
    CHECK_LOG(&w.recorder, "");
    unwatch(&w);
}

/* Nothing is delivered to a disabled map, whatever the source of the change. */
static void options_of_a_disabled_map_show_when_it_is_enabled(void)
{
    struct watched w;
    watch_tasks(&w, SOME_TASKS, NULL);
    CHECK_OK(fr_section_map_set_disabled(w.list, true));
    CHECK_OK(fr_section_map_set_empty_sections(w.list, FR_EMPTY_SECTIONS_HIDDEN));
    CHECK_LOG(&w.recorder, "");
    CHECK_LIST(w.list, "30: 3 | 10: 1 2 | 20: | NULL: 4");
    CHECK_OK(fr_section_map_set_disabled(w.list, false));
    CHECK_LOG(&w.recorder, "[reload]");
    CHECK_LIST(w.list, "30: 3 | 10: 1 2 | NULL: 4");
    unwatch(&w);
}

static void map_that_was_not_fetched_may_be_disabled(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_request *items = request_of("tasks", NULL, "k", NULL), *sections = request_of("lists", NULL, "position", NULL);
    fr_list *map = NULL;
    bool fetched = true;
    CHECK_OK(fr_section_map_new(&map, store, items, sections, "list_id", NULL));
    CHECK_OK(fr_section_map_set_disabled(map, true));
    CHECK_OK(fr_section_map_set_disabled(map, false));
    CHECK_OK(fr_list_is_fetched(&fetched, map));
    CHECK(!fetched);
    CHECK_OK(fr_list_perform_fetch(map));
    CHECK_LIST(map, "30: 3 | 10: 1 2 | 20: | NULL: 4");
    fr_request_free(items);
    fr_request_free(sections);
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

/* The failure to read a list then is reported, and the list continues by itself. */
static void enabled_when_it_can_not_be_read(void)
{
    struct watched w;
    watch_tasks(&w, SOME_TASKS, NULL);
    CHECK_OK(fr_section_map_set_disabled(w.list, true));
    run(w.store, "ALTER TABLE lists RENAME TO away");
    CHECK_OK(fr_section_map_set_disabled(w.list, false));
    CHECK_LOG(&w.recorder, "!FR_SCHEMA");
    CHECK_LIST(w.list, "30: 3 | 10: 1 2 | 20: | NULL: 4");
    run(w.store, "DELETE FROM tasks WHERE id = 3; ALTER TABLE away RENAME TO lists");
    CHECK_LIST(w.list, "30: | 10: 1 2 | 20: | NULL: 4");
    CHECK_LOG(&w.recorder, "[delete 0.0]");
    unwatch(&w);
}

static fr_list *map_inside;

static void hide_inside(struct actor *actor)
{
    (void)actor;
    CHECK_OK(fr_section_map_set_empty_sections(map_inside, FR_EMPTY_SECTIONS_HIDDEN));
}

static void reorder_inside(struct actor *actor)
{
    fr_value keys[2];
    (void)actor;
    keys[0] = fr_integer(20);
    keys[1] = fr_integer(10);
    CHECK_OK(fr_section_map_set_keys(map_inside, keys, 2));
}

static void disable_inside(struct actor *actor)
{
    (void)actor;
    CHECK_OK(fr_section_map_set_disabled(map_inside, true));
    CHECK_OK(fr_section_map_set_disabled(map_inside, false));
}

static void make_keys_equal_inside(struct actor *actor)
{
    fr_request *all = request_of("lists", NULL, "position", NULL);
    (void)actor;
    CHECK_OK(fr_section_map_set_section_request(map_inside, all));
    fr_request_free(all);
}

/*
 * A failure after the round can't be returned any more: the observers are notified, and the map
 * does not change.
 */
static void request_that_fails_after_a_callback(void)
{
    fr_section_map_options options = map_options();
    struct actor actor;
    struct recorder recorder;
    options.section_key = "title";
    stage(&actor, DID_CHANGE, make_keys_equal_inside);
    run(actor.store, LISTS_AND_TASKS SOME_TASKS "UPDATE lists SET title = 'work', hidden = 1 WHERE id = 20");
    map_inside = map_of(actor.store, request_of("tasks", NULL, "k", NULL),
                        request_of("lists", NULL, "position", "NOT hidden"), "v", &options);
    recorder_start(&recorder, map_inside);
    run(actor.store, "DELETE FROM t WHERE id = 1");
    CHECK_LOG(&recorder, "!FR_CONSTRAINT");
    CHECK_LIST(map_inside, "garden: | work: | NULL: 1 3 4 2");
    run(actor.store, "UPDATE lists SET position = 0 WHERE id = 10");
    CHECK_LOG(&recorder, "[move section 1>0 (work) {position}]");
    fr_list_free(map_inside);
    recorder_free(&recorder);
    leave(&actor);
}

/* Inside a callback, after the current round, which is one of the list that acts and of the map. */
static void check_inside(void (*act)(struct actor *), const char *expected)
{
    static const int64_t keys[] = {10, 20, 0};
    struct actor actor;
    struct recorder recorder;
    int moment;
    for (moment = 0; moment < MOMENTS; moment++) {
        stage(&actor, (enum moment)moment, act);
        run(actor.store, "CREATE TABLE items(id INTEGER PRIMARY KEY, p, k); INSERT INTO items VALUES (1, 10, 0)");
        map_inside = map_of_keys(actor.store, "items", "p", keys, NULL);
        recorder_start(&recorder, map_inside);
        run(actor.store, "BEGIN; DELETE FROM t WHERE id = 1; UPDATE items SET k = 1; COMMIT");
        CHECK_LOG(&recorder, expected);
        fr_list_free(map_inside);
        recorder_free(&recorder);
        leave(&actor);
    }
}

static void set_inside_a_callback(void)
{
    check_inside(hide_inside, "[update 0.0>0.0 {k}][delete section 1 (20)]");
    check_inside(reorder_inside, "[update 0.0>0.0 {k}][move section 1>0 (20)]");
    check_inside(disable_inside, "[update 0.0>0.0 {k}][reload]");
}

TESTS(section_map_option_tests) = {
    TEST(empty_sections_shown_and_hidden),
    TEST(items_without_a_section_shown_and_hidden),
    TEST(options_changed_before_the_fetch),
    TEST(disabled_map_does_not_change_and_reports_a_reload),
    TEST(enabled_map_reports_a_reload_even_if_nothing_changed),
    TEST(options_of_a_disabled_map_show_when_it_is_enabled),
    TEST(map_that_was_not_fetched_may_be_disabled),
    TEST(enabled_when_it_can_not_be_read),
    TEST(request_that_fails_after_a_callback),
    TEST(set_inside_a_callback),
    END_OF_TESTS,
};
