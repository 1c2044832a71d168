/* Moves of sections: exact, as few as possible, and without records for their rows. */
#include <string.h>

#include "maps.h"
#include "test.h"

#define FIVE_LISTS \
    "INSERT INTO lists(id, title, position) VALUES (10, 'a', 1), (20, 'b', 2), (30, 'c', 3), (40, 'd', 4)," \
    " (50, 'e', 5);" \
    "INSERT INTO tasks(id, list_id, k) VALUES (1, 10, 1), (2, 20, 1), (3, 20, 2), (4, 40, 1), (5, NULL, 1);"

static int moves_in(const char *log)
{
    static const char word[] = "move section";
    int count = 0;
    while ((log = strstr(log, word)) != NULL) {
        log += strlen(word);
        count += 1;
    }
    return count;
}

static void section_moves_with_its_rows(void)
{
    struct watched w;
    watch_tasks(&w, FIVE_LISTS, NULL);
    CHECK_REPORTED(&w, "UPDATE lists SET position = 9 WHERE id = 20", "[move section 1>4 (20) {position}]");
    CHECK_LIST(w.list, "10: 1 | 30: | 40: 4 | 50: | 20: 2 3 | NULL: 5");
    CHECK_REPORTED(&w, "UPDATE lists SET position = 0 WHERE id = 20", "[move section 4>0 (20) {position}]");
    CHECK_LIST(w.list, "20: 2 3 | 10: 1 | 30: | 40: 4 | 50: | NULL: 5");
    unwatch(&w);
}

/* 20 and 30 swap places: one of them moves. */
static void two_sections_that_change_places_are_one_move(void)
{
    struct watched w;
    watch_tasks(&w, FIVE_LISTS, NULL);
    run(w.store, "UPDATE lists SET position = 5 - position WHERE id IN (20, 30)");
    CHECK_LIST(w.list, "10: 1 | 30: | 20: 2 3 | 40: 4 | 50: | NULL: 5");
    CHECK_LOG(&w.recorder, "[move section 2>1 (30) {position}; update section 1>2 (20) {position}]");
    unwatch(&w);
}

static void other_positions_in_the_same_order_are_no_moves(void)
{
    struct watched w;
    watch_tasks(&w, FIVE_LISTS, NULL);
    run(w.store, "UPDATE lists SET position = position * 10");
    CHECK_LOG(&w.recorder, "[update section 0>0 (10) {position}; update section 1>1 (20) {position}; "
                           "update section 2>2 (30) {position}; update section 3>3 (40) {position}; "
                           "update section 4>4 (50) {position}]");
    unwatch(&w);
}

/* Of five in the opposite order four move. */
static void reversed_sections_are_the_fewest_moves(void)
{
    struct watched w;
    watch_tasks(&w, FIVE_LISTS, NULL);
    run(w.store, "UPDATE lists SET position = 9 - position");
    CHECK_LIST(w.list, "50: | 40: 4 | 30: | 20: 2 3 | 10: 1 | NULL: 5");
    CHECK_INT(moves_in(recorder_take(&w.recorder)), 4);
    run(w.store, "UPDATE lists SET position = 9 - position");
    CHECK_INT(moves_in(recorder_take(&w.recorder)), 4);
    unwatch(&w);
}

static void moved_section_s_changed_rows_are_reported(void)
{
    struct watched w;
    watch_tasks(&w, FIVE_LISTS, NULL);
    run(w.store, "BEGIN; UPDATE lists SET position = 9 WHERE id = 20; UPDATE tasks SET v = 1 WHERE id = 2;"
                 "INSERT INTO tasks(id, list_id, k) VALUES (9, 20, 0); COMMIT");
    CHECK_LOG(&w.recorder, "[move section 1>4 (20) {position}; insert 4.0; update 1.0>4.1 {v}]");
    unwatch(&w);
}

static void rows_leave_and_enter_moved_sections(void)
{
    struct watched w;
    watch_tasks(&w, FIVE_LISTS, NULL);
    run(w.store,
        "BEGIN; UPDATE lists SET position = 9 WHERE id = 20; UPDATE tasks SET list_id = 20, k = 9 WHERE id = 1;"
        "UPDATE tasks SET list_id = 50 WHERE id = 2; COMMIT");
    CHECK_LIST(w.list, "10: | 30: | 40: 4 | 50: 2 | 20: 3 1 | NULL: 5");
    CHECK_LOG(&w.recorder, "[move section 1>4 (20) {position}; move 1.0>3.0 {list_id}; move 0.0>4.1 {list_id k}]");
    unwatch(&w);
}

static void hidden_section_that_moves_delivers_nothing(void)
{
    fr_section_map_options options = map_options();
    struct watched w;
    options.empty_sections = FR_EMPTY_SECTIONS_HIDDEN;
    watch_tasks(&w, FIVE_LISTS, &options);
    CHECK_REPORTED(&w, "UPDATE lists SET position = 0 WHERE id = 30", "");
    CHECK_ALL_SECTIONS(w.list, "30(0)@-1 10(1)@0 20(2)@1 40(1)@2 50(0)@-1 NULL(1)@3");
    CHECK_REPORTED(&w, "INSERT INTO tasks(id, list_id) VALUES (9, 30)", "[insert section 0 (30); insert 0.0]");
    unwatch(&w);
}

static void section_that_shows_and_moves_in_one_transaction(void)
{
    fr_section_map_options options = map_options();
    struct watched w;
    options.empty_sections = FR_EMPTY_SECTIONS_HIDDEN;
    watch_tasks(&w, FIVE_LISTS, &options);
    run(w.store,
        "BEGIN; UPDATE lists SET position = 0 WHERE id IN (30, 40); INSERT INTO tasks(id, list_id) VALUES (9, 30);"
        "DELETE FROM tasks WHERE list_id = 10; COMMIT");
    CHECK_LIST(w.list, "30: 9 | 40: 4 | 20: 2 3 | NULL: 5");
    CHECK_INT(w.recorder.brackets, 1);
    unwatch(&w);
}

/* Reading many rows again must not lose the identity of sections. */
static void sections_move_while_very_many_items_change(void)
{
    struct watched w;
    watch_tasks(&w,
                FIVE_LISTS "WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 1600)"
                           "INSERT INTO tasks(id, list_id, k) SELECT i, 10 * (1 + i % 5), i FROM n;",
                NULL);
    run(w.store, "BEGIN; UPDATE lists SET position = 9 WHERE id = 10; UPDATE tasks SET v = 1; COMMIT");
    CHECK_INT(moves_in(recorder_take(&w.recorder)), 1);
    unwatch(&w);
}

static void set_keys(fr_list *map, const int64_t *keys)
{
    fr_value values[8];
    size_t count = 0;
    while (keys[count] != 0) {
        values[count] = fr_integer(keys[count]);
        count += 1;
    }
    CHECK_OK(fr_section_map_set_keys(map, values, count));
}

static void watch_keys(struct watched *w)
{
    static const int64_t keys[] = {10, 20, 30, 40, 0};
    fr_store *store = store_with(LISTS_AND_TASKS FIVE_LISTS);
    watch_list(w, store, map_of_keys(store, "tasks", "list_id", keys, NULL));
}

static void other_order_of_keys(void)
{
    static const int64_t last_first[] = {40, 10, 20, 30, 0}, swapped[] = {10, 40, 20, 30, 0};
    struct watched w;
    watch_keys(&w);
    CHECK_LIST(w.list, "10: 1 | 20: 2 3 | 30: | 40: 4 | NULL: 5");
    set_keys(w.list, last_first);
    CHECK_LOG(&w.recorder, "[move section 3>0 (40)]");
    CHECK_LIST(w.list, "40: 4 | 10: 1 | 20: 2 3 | 30: | NULL: 5");
    set_keys(w.list, swapped);
    CHECK_INT(moves_in(recorder_take(&w.recorder)), 1);
    CHECK_LIST(w.list, "10: 1 | 40: 4 | 20: 2 3 | 30: | NULL: 5");
    unwatch(&w);
}

static void keys_that_are_inserted_and_deleted(void)
{
    static const int64_t fewer[] = {30, 20, 0}, none[] = {0}, more[] = {50, 20, 10, 0};
    struct watched w;
    watch_keys(&w);
    set_keys(w.list, fewer);
    CHECK_LIST(w.list, "30: | 20: 2 3 | NULL: 1 4 5");
    set_keys(w.list, none);
    CHECK_LIST(w.list, "1 2 4 5 3");
    set_keys(w.list, more);
    CHECK_LIST(w.list, "50: | 20: 2 3 | 10: 1 | NULL: 4 5");
    CHECK_INT(w.recorder.brackets, 3);
    set_keys(w.list, more);
    CHECK_INT(w.recorder.brackets, 3);
    recorder_take(&w.recorder);
    CHECK_REPORTED(&w, "UPDATE tasks SET list_id = 50 WHERE id = 1", "[move 2.0>0.0 {list_id}]");
    unwatch(&w);
}

/* A key that equals an existing one is the same section, with another spelling. */
static void other_spelling_of_a_key_is_an_update(void)
{
    struct watched w;
    fr_value keys[4];
    watch_keys(&w);
    keys[0] = fr_integer(10);
    keys[1] = fr_real(20.0);
    keys[2] = fr_integer(30);
    keys[3] = fr_integer(40);
    CHECK_OK(fr_section_map_set_keys(w.list, keys, 4));
    CHECK_LOG(&w.recorder, "[update section 1>1 (20.0) {0}]");
    CHECK_LIST(w.list, "10: 1 | 20.0: 2 3 | 30: | 40: 4 | NULL: 5");
    unwatch(&w);
}

static void keys_set_before_the_fetch(void)
{
    static const int64_t later[] = {20, 10, 0};
    fr_store *store = store_with(LISTS_AND_TASKS FIVE_LISTS);
    fr_request *items = request_of("tasks", NULL, "k", NULL);
    fr_list *map = NULL;
    CHECK_OK(fr_section_map_new_with_keys(&map, store, items, NULL, 0, "list_id", NULL));
    set_keys(map, later);
    CHECK_OK(fr_list_perform_fetch(map));
    CHECK_LIST(map, "20: 2 3 | 10: 1 | NULL: 4 5");
    fr_request_free(items);
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

static void other_request_for_the_sections(void)
{
    struct watched w;
    fr_request *request = request_of("lists", NULL, "-position", "id <> 20");
    watch_tasks(&w, FIVE_LISTS, NULL);
    CHECK_OK(fr_section_map_set_section_request(w.list, request));
    CHECK_LIST(w.list, "50: | 40: 4 | 30: | 10: 1 | NULL: 2 5 3");
    CHECK_INT(w.recorder.brackets, 1);
    recorder_take(&w.recorder);
    CHECK_OK(fr_section_map_set_section_request(w.list, request));
    CHECK_LOG(&w.recorder, "");
    CHECK_REPORTED(&w, "UPDATE lists SET position = 0 WHERE id = 50", "[move section 0>3 (50) {position}]");
    CHECK_REPORTED(&w, "UPDATE lists SET position = 0 WHERE id = 20", "");
    fr_request_free(request);
    unwatch(&w);
}

static void request_for_the_sections_set_before_the_fetch(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS FIVE_LISTS);
    fr_request *items = request_of("tasks", NULL, "k", NULL), *sections = request_of("lists", NULL, "position", NULL);
    fr_request *other = request_of("lists", NULL, "-position", "id < 30");
    fr_list *map = NULL;
    CHECK_OK(fr_section_map_new(&map, store, items, sections, "list_id", NULL));
    CHECK_OK(fr_section_map_set_section_request(map, other));
    CHECK_OK(fr_list_perform_fetch(map));
    CHECK_LIST(map, "20: 2 3 | 10: 1 | NULL: 4 5");
    fr_request_free(items);
    fr_request_free(sections);
    fr_request_free(other);
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
}

TESTS(section_map_order_tests) = {
    TEST(section_moves_with_its_rows),
    TEST(two_sections_that_change_places_are_one_move),
    TEST(other_positions_in_the_same_order_are_no_moves),
    TEST(reversed_sections_are_the_fewest_moves),
    TEST(moved_section_s_changed_rows_are_reported),
    TEST(rows_leave_and_enter_moved_sections),
    TEST(hidden_section_that_moves_delivers_nothing),
    TEST(section_that_shows_and_moves_in_one_transaction),
    TEST(sections_move_while_very_many_items_change),
    TEST(other_order_of_keys),
    TEST(keys_that_are_inserted_and_deleted),
    TEST(other_spelling_of_a_key_is_an_update),
    TEST(keys_set_before_the_fetch),
    TEST(other_request_for_the_sections),
    TEST(request_for_the_sections_set_before_the_fetch),
    END_OF_TESTS,
};
