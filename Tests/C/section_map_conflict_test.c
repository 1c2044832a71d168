/*
 * Section maps that a commit leaves without a valid state: sections with equal keys, dropped
 * tables.
 */
#include "maps.h"
#include "test.h"

static fr_list *map_of_titles(fr_store *store)
{
    fr_section_map_options options = map_options();
    options.section_key = "title";
    return map_of(store, request_of("tasks", NULL, "k", NULL), request_of("lists", NULL, "position", NULL), "v",
                  &options);
}

static void two_sections_with_one_key_can_not_be_fetched(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS "UPDATE lists SET title = 'Work' WHERE id = 20;");
    fr_request *items = request_of("tasks", NULL, NULL, NULL), *sections = request_of("lists", NULL, "position", NULL);
    fr_section_map_options options = map_options();
    fr_list *map = NULL;
    bool fetched = true;
    options.section_key = "title";
    CHECK_OK(fr_section_map_new(&map, store, items, sections, "v", &options));
    CHECK_STATUS(fr_list_perform_fetch(map), FR_CONSTRAINT);
    CHECK_OK(fr_list_is_fetched(&fetched, map));
    CHECK(!fetched);
    run(store, "UPDATE lists SET title = NULL WHERE id > 10");
    CHECK_OK(fr_list_perform_fetch(map));
    CHECK_LIST(map, "NULL: | work: | NULL: | NULL: 1 2 3 4");
    fr_request_free(items);
    fr_request_free(sections);
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

/*
 * A commit that gives two sections the same key is reported once; the list retains its last state
 * until the cause is removed.
 */
static void two_sections_that_get_one_key(void)
{
    struct watched w;
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS "UPDATE tasks SET v = 'work' WHERE id < 3;");
    watch_list(&w, store, map_of_titles(store));
    CHECK_LIST(w.list, "garden: | work: 1 2 | home: | NULL: 3 4");
    CHECK_REPORTED(&w, "UPDATE lists SET title = 'WORK' WHERE id = 20", "!FR_CONSTRAINT");
    CHECK_LIST(w.list, "garden: | work: 1 2 | home: | NULL: 3 4");
    CHECK_REPORTED(&w, "UPDATE tasks SET v = 'garden' WHERE id = 1", "");
    CHECK_LIST(w.list, "garden: | work: 1 2 | home: | NULL: 3 4");
    CHECK_REPORTED(&w, "UPDATE lists SET title = 'cellar' WHERE id = 20",
                   "[update section 2>2 (cellar) {title}; move 1.0>0.0 {v}]");
    CHECK_LIST(w.list, "garden: 1 | work: 2 | cellar: | NULL: 3 4");
    CHECK_REPORTED(&w, "UPDATE tasks SET v = 'cellar' WHERE id = 2", "[move 1.0>2.0 {v}]");
    unwatch(&w);
}

static void section_inserted_with_an_existing_key(void)
{
    struct watched w;
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS "UPDATE tasks SET v = 'work' WHERE id < 3;");
    watch_list(&w, store, map_of_titles(store));
    CHECK_REPORTED(&w, "INSERT INTO lists(id, title, position) VALUES (40, 'work', 0)", "!FR_CONSTRAINT");
    CHECK_LIST(w.list, "garden: | work: 1 2 | home: | NULL: 3 4");
    CHECK_REPORTED(&w, "DELETE FROM lists WHERE id = 40", "");
    CHECK_REPORTED(&w, "DELETE FROM lists WHERE id = 20", "[delete section 2 (home)]");
    CHECK_REPORTED(&w, "INSERT INTO lists(id, title, position) VALUES (40, 'work', 0)", "!FR_CONSTRAINT");
    CHECK_REPORTED(&w, "UPDATE lists SET title = 'new' WHERE id = 40", "[insert section 0 (new)]");
    CHECK_LIST(w.list, "new: | garden: | work: 1 2 | NULL: 3 4");
    unwatch(&w);
}

static void section_table_that_is_dropped_and_created_again(void)
{
    struct watched w;
    watch_tasks(&w, "PRAGMA foreign_keys = OFF;" SOME_TASKS, NULL);
    CHECK_REPORTED(&w, "ALTER TABLE lists RENAME TO away", "!FR_SCHEMA");
    CHECK_LIST(w.list, "30: 3 | 10: 1 2 | 20: | NULL: 4");
    run(w.store, "UPDATE away SET position = 9 WHERE id = 30; ALTER TABLE away RENAME TO lists");
    CHECK_LIST(w.list, "10: 1 2 | 20: | 30: 3 | NULL: 4");
    CHECK_INT(w.recorder.brackets, 1);
    recorder_take(&w.recorder);
    CHECK_REPORTED(&w, "DELETE FROM tasks WHERE id = 3", "[delete 2.0]");
    unwatch(&w);
}

static void section_request_that_makes_keys_equal_is_refused(void)
{
    struct watched w;
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS "UPDATE lists SET title = 'work', hidden = 1 WHERE id = "
                                                            "20;");
    fr_section_map_options options = map_options();
    fr_request *all = request_of("lists", NULL, "position", NULL);
    options.section_key = "title";
    watch_list(&w, store,
               map_of(store, request_of("tasks", NULL, "k", NULL), request_of("lists", NULL, "position", "NOT hidden"),
                      "v", &options));
    CHECK_LIST(w.list, "garden: | work: | NULL: 1 3 4 2");
    CHECK_STATUS(fr_section_map_set_section_request(w.list, all), FR_CONSTRAINT);
    CHECK_LOG(&w.recorder, "");
    CHECK_REPORTED(&w, "UPDATE lists SET position = 0 WHERE id = 10", "[move section 1>0 (work) {position}]");
    fr_request_free(all);
    unwatch(&w);
}

/* clang-format off */
TESTS(section_map_conflict_tests) = {
    TEST(two_sections_with_one_key_can_not_be_fetched),
    TEST(two_sections_that_get_one_key),
    TEST(section_inserted_with_an_existing_key),
    TEST(section_table_that_is_dropped_and_created_again),
    TEST(section_request_that_makes_keys_equal_is_refused),
    END_OF_TESTS,
};
/* clang-format on */
