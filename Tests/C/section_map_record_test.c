/* The parts of the records of a section map's sections: rows, changed columns, names. */
#include "kept.h"
#include "maps.h"
#include "test.h"

static void check_section_object(fr_change_set *changes, size_t index, const char *id, const char *title)
{
    fr_object *list = NULL;
    if (CHECK_OK(fr_change_set_section_object(&list, changes, index))) {
        CHECK_TEXT(object_text(list, "id"), id);
        CHECK_TEXT(object_text(list, "title"), title);
        fr_object_unref(list);
    }
}

static void look_at_sections(fr_list *map)
{
    int64_t count = 0, index;
    CHECK_OK(fr_section_map_all_section_count(&count, map));
    for (index = 0; index < count; index++) {
        fr_object *list = NULL;
        if (fr_section_map_all_section_object(&list, map, index) == FR_OK) {
            fr_object_unref(list);
        }
    }
}

static void records_of_sections_carry_their_rows(void)
{
    struct watched w;
    fr_change_set *changes;
    fr_object *object = NULL;
    watch_tasks(&w, SOME_TASKS, NULL);
    look_at_sections(w.list);
    keep_changes(w.list, &changes);
    run(w.store, "BEGIN; DELETE FROM lists WHERE id = 20; INSERT INTO lists(id, title, position) VALUES (40, 'new', 0);"
                 "UPDATE lists SET title = 'x' WHERE id = 30; UPDATE tasks SET v = 1 WHERE id = 1; COMMIT");
    CHECK_LOG(&w.recorder,
              "[delete section 2 (20); insert section 0 (40); update section 0>1 (30) {title}; update 1.0>2.0 {v}]");
    REQUIRE(CHECK(changes != NULL));
    check_section_object(changes, 0, "20", "home");
    check_section_object(changes, 1, "40", "new");
    check_section_object(changes, 2, "30", "x");
    CHECK_STATUS(fr_change_set_section_object(&object, changes, 3), FR_NOT_FOUND);
    CHECK_STATUS(fr_change_set_section_object(&object, changes, 4), FR_RANGE);
    CHECK_STATUS(fr_change_set_section_object(NULL, changes, 0), FR_MISUSE);
    fr_change_set_unref(changes);
    unwatch(&w);
}

static void deleted_row_is_as_it_was_last(void)
{
    struct watched w;
    fr_change_set *changes;
    watch_tasks(&w, SOME_TASKS, NULL);
    keep_changes(w.list, &changes);
    run(w.store, "BEGIN; UPDATE lists SET title = 'late' WHERE id = 20; DELETE FROM lists WHERE id = 20; COMMIT");
    REQUIRE(CHECK(changes != NULL));
    check_section_object(changes, 0, "20", "home");
    fr_change_set_unref(changes);
    unwatch(&w);
}

static void row_that_stopped_matching_is_as_it_was_last(void)
{
    struct watched w;
    fr_change_set *changes;
    watch_tasks(&w, SOME_TASKS, NULL);
    look_at_sections(w.list);
    keep_changes(w.list, &changes);
    run(w.store, "UPDATE lists SET hidden = 1, title = 'late' WHERE id = 20");
    REQUIRE(CHECK(changes != NULL));
    check_section_object(changes, 0, "20", "home");
    fr_change_set_unref(changes);
    unwatch(&w);
}

static void moved_section_carries_its_row_and_columns(void)
{
    struct watched w;
    fr_change_set *changes;
    const fr_change *records = NULL;
    size_t count = 0;
    bool changed = false;
    watch_tasks(&w, SOME_TASKS, NULL);
    keep_changes(w.list, &changes);
    run(w.store, "UPDATE lists SET position = 9, title = 'x' WHERE id = 30");
    CHECK_LOG(&w.recorder, "[move section 0>2 (30) {title position}]");
    REQUIRE(CHECK(changes != NULL));
    check_section_object(changes, 0, "30", "x");
    REQUIRE(CHECK_OK(fr_change_set_records(&records, &count, changes)));
    CHECK_INT(records[0].changed_columns, 1 << 1 | 1 << 2);
    CHECK_OK(fr_change_set_column_changed(&changed, changes, 0, 1));
    CHECK(changed);
    CHECK_OK(fr_change_set_column_changed(&changed, changes, 0, 0));
    CHECK(!changed);
    CHECK_STATUS(fr_change_set_column_changed(&changed, changes, 0, -1), FR_RANGE);
    CHECK_STATUS(fr_change_set_column_changed(&changed, changes, 0, 4), FR_RANGE);
    fr_change_set_unref(changes);
    unwatch(&w);
}

static void sequential_records_carry_the_rows_too(void)
{
    struct watched w;
    fr_change_set *changes, *steps = NULL;
    const fr_change *records = NULL;
    size_t count = 0, index;
    watch_tasks(&w, SOME_TASKS, NULL);
    look_at_sections(w.list);
    keep_changes(w.list, &changes);
    run(w.store, "BEGIN; UPDATE lists SET title = 'x' WHERE id = 30; DELETE FROM lists WHERE id = 20; COMMIT");
    REQUIRE(CHECK(changes != NULL));
    REQUIRE(CHECK_OK(fr_change_set_sequential(&steps, changes)));
    CHECK_OK(fr_change_set_records(&records, &count, steps));
    CHECK_INT(count, 2);
    for (index = 0; index < count; index++) {
        bool deleted = records[index].type == FR_DELETE;
        check_section_object(steps, index, deleted ? "20" : "30", deleted ? "home" : "x");
    }
    fr_change_set_unref(steps);
    fr_change_set_unref(changes);
    unwatch(&w);
}

static void records_outlive_map_and_store(void)
{
    struct watched w;
    fr_change_set *changes;
    fr_object *list = NULL;
    const char *name = NULL;
    watch_tasks(&w, SOME_TASKS, NULL);
    look_at_sections(w.list);
    keep_changes(w.list, &changes);
    run(w.store, "DELETE FROM lists WHERE id = 20");
    unwatch(&w);
    REQUIRE(CHECK(changes != NULL));
    CHECK_OK(fr_change_set_section_name(&name, changes, 0));
    CHECK_TEXT(name, "20");
    if (fr_change_set_section_object(&list, changes, 0) == FR_OK) {
        CHECK_TEXT(object_text(list, "title"), "home");
        fr_object_unref(list);
    } else {
        CHECK_INT(fr_error_status(), FR_GONE);
    }
    fr_change_set_unref(changes);
}

/* Sections of keys and of other lists are not rows. */
static void sections_that_are_no_rows_have_none(void)
{
    static const int64_t keys[] = {10, 0};
    fr_section_map_options options = map_options();
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_change_set *of_keys, *of_list;
    fr_object *object = NULL;
    fr_list *keyed, *list = list_of(store, "tasks", "list_id", NULL, NULL);
    options.empty_sections = FR_EMPTY_SECTIONS_HIDDEN;
    keyed = map_of_keys(store, "tasks", "list_id", keys, &options);
    keep_changes(keyed, &of_keys);
    keep_changes(list, &of_list);
    run(store, "DELETE FROM tasks WHERE list_id = 10");
    REQUIRE(CHECK(of_keys != NULL && of_list != NULL));
    CHECK_STATUS(fr_change_set_section_object(&object, of_keys, 0), FR_NOT_FOUND);
    CHECK_STATUS(fr_change_set_section_object(&object, of_list, 0), FR_NOT_FOUND);
    fr_change_set_unref(of_keys);
    fr_change_set_unref(of_list);
    fr_list_free(keyed);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

/* clang-format off */
TESTS(section_map_record_tests) = {
    TEST(records_of_sections_carry_their_rows),
    TEST(deleted_row_is_as_it_was_last),
    TEST(row_that_stopped_matching_is_as_it_was_last),
    TEST(moved_section_carries_its_row_and_columns),
    TEST(sequential_records_carry_the_rows_too),
    TEST(records_outlive_map_and_store),
    TEST(sections_that_are_no_rows_have_none),
    END_OF_TESTS,
};
/* clang-format on */
