/*
 * How a section map reports changes of its items, and sections that are inserted, deleted and
 * updated.
 */
#include "maps.h"
#include "test.h"

static void item_into_a_section_without_any(void)
{
    struct watched w;
    watch_tasks(&w, SOME_TASKS, NULL);
    CHECK_REPORTED(&w, "INSERT INTO tasks(id, list_id) VALUES (9, 20)", "[insert 2.0]");
    CHECK_LIST(w.list, "30: 3 | 10: 1 2 | 20: 9 | NULL: 4");
    unwatch(&w);
}

static void section_stays_when_its_last_item_is_deleted(void)
{
    struct watched w;
    watch_tasks(&w, SOME_TASKS, NULL);
    CHECK_REPORTED(&w, "DELETE FROM tasks WHERE id = 3", "[delete 0.0]");
    CHECK_LIST(w.list, "30: | 10: 1 2 | 20: | NULL: 4");
    unwatch(&w);
}

static void hidden_section_is_inserted_with_its_first_item_and_deleted_with_its_last(void)
{
    fr_section_map_options options = map_options();
    struct watched w;
    options.empty_sections = FR_EMPTY_SECTIONS_HIDDEN;
    watch_tasks(&w, SOME_TASKS, &options);
    CHECK_REPORTED(&w, "INSERT INTO tasks(id, list_id) VALUES (9, 20)", "[insert section 2 (20); insert 2.0]");
    CHECK_REPORTED(&w, "UPDATE tasks SET list_id = 10 WHERE id = 3", "[delete section 0 (30); move 0.0>0.1 {list_id}]");
    CHECK_LIST(w.list, "10: 1 3 2 | 20: 9 | NULL: 4");
    CHECK_REPORTED(&w, "UPDATE lists SET position = 9, title = 'x' WHERE id = 30", "");
    unwatch(&w);
}

static void item_that_changes_its_section_moves(void)
{
    struct watched w;
    watch_tasks(&w, SOME_TASKS, NULL);
    CHECK_REPORTED(&w, "UPDATE tasks SET list_id = 20 WHERE id = 1", "[move 1.0>2.0 {list_id}]");
    CHECK_REPORTED(&w, "UPDATE tasks SET list_id = 30, k = 0 WHERE id = 2", "[move 1.0>0.0 {list_id k}]");
    CHECK_LIST(w.list, "30: 2 3 | 10: | 20: 1 | NULL: 4");
    unwatch(&w);
}

static void item_moves_and_changes_within_its_section(void)
{
    struct watched w;
    watch_tasks(&w, SOME_TASKS, NULL);
    CHECK_REPORTED(&w, "UPDATE tasks SET k = 9 WHERE id = 1", "[move 1.0>1.1 {k}]");
    CHECK_REPORTED(&w, "UPDATE tasks SET v = 'x' WHERE id = 1", "[update 1.1>1.1 {v}]");
    unwatch(&w);
}

static void section_of_items_without_one_is_inserted_and_deleted(void)
{
    struct watched w;
    watch_tasks(&w, SOME_TASKS, NULL);
    CHECK_REPORTED(&w, "UPDATE tasks SET list_id = 10 WHERE id = 4",
                   "[delete section 3 (NULL); move 3.0>1.1 {list_id}]");
    CHECK_REPORTED(&w, "UPDATE tasks SET list_id = NULL WHERE id = 3",
                   "[insert section 3 (NULL); move 0.0>3.0 {list_id}]");
    CHECK_LIST(w.list, "30: | 10: 1 4 2 | 20: | NULL: 3");
    unwatch(&w);
}

static void section_of_items_without_one_that_is_always_there_stays(void)
{
    fr_section_map_options options = map_options();
    struct watched w;
    options.items_without_section = FR_ITEMS_WITHOUT_SECTION_ALWAYS_SHOWN;
    watch_tasks(&w, SOME_TASKS, &options);
    CHECK_REPORTED(&w, "DELETE FROM tasks WHERE id = 4", "[delete 3.0]");
    CHECK_REPORTED(&w, "INSERT INTO tasks(id) VALUES (5)", "[insert 3.0]");
    CHECK_REPORTED(&w, "INSERT INTO lists(id, position) VALUES (40, 9)", "[insert section 3 (40)]");
    CHECK_LIST(w.list, "30: 3 | 10: 1 2 | 20: | 40: | NULL: 5");
    unwatch(&w);
}

static void hidden_items_are_inserted_and_deleted(void)
{
    fr_section_map_options options = map_options();
    struct watched w;
    options.items_without_section = FR_ITEMS_WITHOUT_SECTION_HIDDEN;
    watch_tasks(&w, SOME_TASKS, &options);
    CHECK_REPORTED(&w, "UPDATE tasks SET v = 'x' WHERE id = 4", "");
    CHECK_REPORTED(&w, "UPDATE tasks SET list_id = 20 WHERE id = 4", "[insert 2.0]");
    CHECK_REPORTED(&w, "UPDATE tasks SET list_id = NULL WHERE id = 3", "[delete 0.0]");
    unwatch(&w);
}

static void section_row_is_inserted_without_items(void)
{
    struct watched w;
    watch_tasks(&w, SOME_TASKS, NULL);
    CHECK_REPORTED(&w, "INSERT INTO lists(id, position) VALUES (40, 2.5)", "[insert section 2 (40)]");
    CHECK_LIST(w.list, "30: 3 | 10: 1 2 | 40: | 20: | NULL: 4");
    unwatch(&w);
}

static void section_row_is_inserted_with_its_items(void)
{
    struct watched w;
    watch_tasks(&w, SOME_TASKS, NULL);
    run(w.store,
        "BEGIN; INSERT INTO lists(id, position) VALUES (40, 0); INSERT INTO tasks(id, list_id, k) VALUES (8, 40, 2),"
        " (9, 40, 1); COMMIT");
    CHECK_LOG(&w.recorder, "[insert section 0 (40); insert 0.0; insert 0.1]");
    CHECK_LIST(w.list, "40: 9 8 | 30: 3 | 10: 1 2 | 20: | NULL: 4");
    unwatch(&w);
}

static void section_row_that_is_deleted_without_its_items(void)
{
    struct watched w;
    watch_tasks(&w, "PRAGMA foreign_keys = OFF;" SOME_TASKS, NULL);
    CHECK_REPORTED(&w, "DELETE FROM lists WHERE id = 10", "[delete section 1 (10); move 1.0>2.0 {}; move 1.1>2.2 {}]");
    CHECK_LIST(w.list, "30: 3 | 20: | NULL: 1 4 2");
    CHECK_REPORTED(&w, "INSERT INTO lists(id, position) VALUES (10, 9)",
                   "[insert section 2 (10); move 2.0>2.0 {}; move 2.2>2.1 {}]");
    CHECK_LIST(w.list, "30: 3 | 20: | 10: 1 2 | NULL: 4");
    unwatch(&w);
}

static void section_row_whose_items_cascade_is_one_bracket(void)
{
    struct watched w;
    watch_tasks(&w, SOME_TASKS, NULL);
    CHECK_REPORTED(&w, "DELETE FROM lists WHERE id = 10", "[delete section 1 (10); delete 1.1; delete 1.0]");
    CHECK_LIST(w.list, "30: 3 | 20: | NULL: 4");
    CHECK_REPORTED(&w, "DELETE FROM lists", "[delete section 1 (20); delete section 0 (30); delete 0.0]");
    CHECK_LIST(w.list, "4");
    unwatch(&w);
}

static void section_row_that_stops_and_starts_to_match(void)
{
    struct watched w;
    watch_tasks(&w, SOME_TASKS, NULL);
    run(w.store, "UPDATE lists SET hidden = 1 WHERE id = 10");
    CHECK_LOG(&w.recorder, "[delete section 1 (10); move 1.0>2.0 {}; move 1.1>2.2 {}]");
    run(w.store, "UPDATE lists SET hidden = 0 WHERE id = 10");
    CHECK_LOG(&w.recorder, "[insert section 1 (10); move 2.0>1.0 {}; move 2.2>1.1 {}]");
    unwatch(&w);
}

static void section_row_that_does_not_match_takes_its_items_where_these_are_hidden(void)
{
    fr_section_map_options options = map_options();
    struct watched w;
    options.items_without_section = FR_ITEMS_WITHOUT_SECTION_HIDDEN;
    watch_tasks(&w, SOME_TASKS, &options);
    CHECK_REPORTED(&w, "UPDATE lists SET hidden = 1 WHERE id = 10", "[delete section 1 (10); delete 1.1; delete 1.0]");
    CHECK_REPORTED(&w, "UPDATE tasks SET v = 'x' WHERE id = 1", "");
    CHECK_REPORTED(&w, "UPDATE lists SET hidden = 0 WHERE id = 10", "[insert section 1 (10); insert 1.0; insert 1.1]");
    unwatch(&w);
}

static void other_name_is_an_update_with_its_column(void)
{
    struct watched w;
    watch_tasks(&w, SOME_TASKS, NULL);
    CHECK_REPORTED(&w, "UPDATE lists SET title = 'office' WHERE id = 10", "[update section 1>1 (10) {title}]");
    CHECK_REPORTED(&w, "UPDATE lists SET title = 'office' WHERE id = 10", "");
    CHECK_REPORTED(&w, "UPDATE lists SET title = 'Home' WHERE id = 20", "[update section 2>2 (20) {title}]");
    unwatch(&w);
}

static void update_counts_the_sections_before_and_after(void)
{
    struct watched w;
    watch_tasks(&w, SOME_TASKS, NULL);
    run(w.store,
        "BEGIN; INSERT INTO lists(id, position) VALUES (40, 0); UPDATE lists SET title = 'x' WHERE id = 10; COMMIT");
    CHECK_LOG(&w.recorder, "[insert section 0 (40); update section 1>2 (10) {title}]");
    unwatch(&w);
}

/* A section is reported as updated when its row changed, never because its items did. */
static void changes_of_items_are_none_of_their_section(void)
{
    struct watched w;
    watch_tasks(&w, SOME_TASKS, NULL);
    CHECK_REPORTED(&w, "UPDATE tasks SET v = 1",
                   "[update 0.0>0.0 {v}; update 1.0>1.0 {v}; update 1.1>1.1 {v}; update 3.0>3.0 {v}]");
    CHECK_REPORTED(&w, "DELETE FROM tasks WHERE id = 1; INSERT INTO tasks(id, list_id) VALUES (9, 10)",
                   "[delete 1.0][insert 1.0]");
    unwatch(&w);
}

static void column_that_is_not_shown_is_no_update(void)
{
    static const char *const columns[] = {"title"};
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_request *sections = request_of("lists", NULL, "position", NULL);
    struct watched w;
    CHECK_OK(fr_request_set_columns(sections, columns, 1));
    watch_list(&w, store, map_of(store, request_of("tasks", NULL, "k", NULL), sections, "list_id", NULL));
    CHECK_REPORTED(&w, "UPDATE lists SET hidden = 1 WHERE id = 10", "");
    CHECK_REPORTED(&w, "UPDATE lists SET title = 'x' WHERE id = 10", "[update section 1>1 (10) {title}]");
    CHECK_REPORTED(&w, "UPDATE lists SET position = 9 WHERE id = 10", "[move section 1>2 (10)]");
    unwatch(&w);
}

static fr_list *named_map(fr_store *store)
{
    return map_of(store, request_of("tasks", NULL, "k", NULL), request_of("lists", NULL, "position", NULL), "v",
                  &(fr_section_map_options){sizeof(fr_section_map_options), "title", NULL, 0, 0});
}

/* Its key counts as content: with another key, its items are matched again. */
static void other_key_has_other_items(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS "UPDATE tasks SET v = 'work' WHERE id < 3;"
                                                            "UPDATE tasks SET v = 'office' WHERE id = 3;");
    struct watched w;
    watch_list(&w, store, named_map(store));
    CHECK_LIST(w.list, "garden: | work: 1 2 | home: | NULL: 3 4");
    run(w.store, "UPDATE lists SET title = 'office' WHERE id = 10");
    CHECK_LOG(&w.recorder, "[update section 1>1 (office) {title}; move 3.0>1.0 {}; move 1.0>3.0 {}; move 1.1>3.2 {}]");
    CHECK_LIST(w.list, "garden: | office: 3 | home: | NULL: 1 4 2");
    run(w.store,
        "BEGIN; UPDATE lists SET title = 'work' WHERE id = 10; UPDATE tasks SET v = 'garden' WHERE id = 1; COMMIT");
    CHECK_LIST(w.list, "garden: 1 | work: 2 | home: | NULL: 3 4");
    recorder_take(&w.recorder);
    unwatch(&w);
}

/*
 * Both spellings are one key by the column's collation: the row has other content, and the same
 * items.
 */
static void other_spelling_of_a_key_keeps_the_items(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS "UPDATE tasks SET v = 'work' WHERE id < 3;");
    struct watched w;
    watch_list(&w, store, named_map(store));
    CHECK_REPORTED(&w, "UPDATE lists SET title = 'WORK' WHERE id = 10", "[update section 1>1 (WORK) {title}]");
    CHECK_LIST(w.list, "garden: | WORK: 1 2 | home: | NULL: 3 4");
    unwatch(&w);
}

static void keys_that_change_places_in_one_transaction(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS "UPDATE tasks SET v = 'work' WHERE id < 3;"
                                                            "UPDATE tasks SET v = 'home' WHERE id = 3;");
    struct watched w;
    watch_list(&w, store, named_map(store));
    run(w.store, "UPDATE lists SET title = CASE id WHEN 10 THEN 'home' ELSE 'work' END WHERE id IN (10, 20)");
    CHECK_LOG(&w.recorder, "[update section 1>1 (home) {title}; update section 2>2 (work) {title}; move 2.0>1.0 {}; "
                           "move 1.0>2.0 {}; move 1.1>2.1 {}]");
    CHECK_LIST(w.list, "garden: | home: 3 | work: 1 2 | NULL: 4");
    unwatch(&w);
}

static void sections_and_items_of_another_connection(void)
{
    fr_store *store = store_in_file("map-foreign.db"), *other;
    struct watched w;
    run(store, LISTS_AND_TASKS SOME_TASKS);
    watch_list(&w, store, task_map(store, NULL));
    other = store_in_file("map-foreign.db");
    run(other, "BEGIN; INSERT INTO lists(id, position) VALUES (40, 0); UPDATE tasks SET list_id = 40 WHERE id = 1;"
               "DELETE FROM lists WHERE id = 20; UPDATE lists SET position = 9 WHERE id = 30; COMMIT");
    CHECK_OK(fr_store_dispatch(store));
    CHECK_LIST(w.list, "40: 1 | 10: 2 | 30: 3 | NULL: 4");
    CHECK_INT(w.recorder.brackets, 1);
    CHECK_OK(fr_store_close(other));
    unwatch(&w);
}

static void rolled_back_sections_deliver_nothing(void)
{
    struct watched w;
    watch_tasks(&w, SOME_TASKS, NULL);
    CHECK_REPORTED(&w, "BEGIN; DELETE FROM lists; INSERT INTO lists(id, position) VALUES (50, 1); ROLLBACK", "");
    CHECK_REPORTED(&w, "BEGIN; UPDATE lists SET position = -position; UPDATE lists SET position = -position; COMMIT",
                   "");
    CHECK_LIST(w.list, "30: 3 | 10: 1 2 | 20: | NULL: 4");
    unwatch(&w);
}

static void request_of_the_items_may_be_replaced(void)
{
    struct watched w;
    fr_request *request = request_of("tasks", NULL, "-k", "id <> 3");
    watch_tasks(&w, SOME_TASKS, NULL);
    CHECK_OK(fr_controller_set_request(w.list, request));
    CHECK_LIST(w.list, "30: | 10: 2 1 | 20: | NULL: 4");
    CHECK_INT(w.recorder.brackets, 1);
    recorder_take(&w.recorder);
    CHECK_REPORTED(&w, "UPDATE tasks SET k = 9 WHERE id = 1", "[move 1.1>1.0 {k}]");
    fr_request_free(request);
    unwatch(&w);
}

TESTS(section_map_change_tests) = {
    TEST(item_into_a_section_without_any),
    TEST(section_stays_when_its_last_item_is_deleted),
    TEST(hidden_section_is_inserted_with_its_first_item_and_deleted_with_its_last),
    TEST(item_that_changes_its_section_moves),
    TEST(item_moves_and_changes_within_its_section),
    TEST(section_of_items_without_one_is_inserted_and_deleted),
    TEST(section_of_items_without_one_that_is_always_there_stays),
    TEST(hidden_items_are_inserted_and_deleted),
    TEST(section_row_is_inserted_without_items),
    TEST(section_row_is_inserted_with_its_items),
    TEST(section_row_that_is_deleted_without_its_items),
    TEST(section_row_whose_items_cascade_is_one_bracket),
    TEST(section_row_that_stops_and_starts_to_match),
    TEST(section_row_that_does_not_match_takes_its_items_where_these_are_hidden),
    TEST(other_name_is_an_update_with_its_column),
    TEST(update_counts_the_sections_before_and_after),
    TEST(changes_of_items_are_none_of_their_section),
    TEST(column_that_is_not_shown_is_no_update),
    TEST(other_key_has_other_items),
    TEST(other_spelling_of_a_key_keeps_the_items),
    TEST(keys_that_change_places_in_one_transaction),
    TEST(sections_and_items_of_another_connection),
    TEST(rolled_back_sections_deliver_nothing),
    TEST(request_of_the_items_may_be_replaced),
    END_OF_TESTS,
};
