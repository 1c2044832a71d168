/*
 * The records of sections: their rows, columns, old values and names, also when list and store
 * have ended.
 */
#include <string.h>

#include "collections.h"
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

/* The old values of a record, or the status of those that can't be read: "20 home 3 0". */
static const char *old_values(fr_change_set *changes, size_t index)
{
    static struct text text;
    int64_t column;
    text_free(&text);
    for (column = 0; column < 100; column++) {
        fr_value value;
        fr_status status = fr_change_set_old_value(&value, changes, index, column);
        if (status == FR_RANGE) {
            break;
        }
        text_add(&text, "%s%s", column == 0 ? "" : " ", status == FR_OK ? value_text(value) : fr_status_name(status));
    }
    return text_get(&text);
}

static const char *old_name(fr_change_set *changes, size_t index)
{
    const char *name = "?";
    CHECK_OK(fr_change_set_old_section_name(&name, changes, index));
    return name;
}

#define CHECK_OLD(changes, index, expected) CHECK_TEXT(old_values(changes, index), expected)

static void rows_that_changed(void)
{
    struct watched w;
    fr_change_set *changes;
    fr_value value;
    const char *name = NULL;
    watch_tasks(&w, SOME_TASKS, NULL);
    keep_changes(w.list, &changes);
    run(w.store, "BEGIN; DELETE FROM lists WHERE id = 20; INSERT INTO lists(id, title, position) VALUES (40, 'new', 0);"
                 "UPDATE lists SET title = 'x' WHERE id = 30; COMMIT");
    CHECK_LOG(&w.recorder, "[delete section 2 (20); insert section 0 (40); update section 0>1 (30) {title}]");
    REQUIRE(CHECK(changes != NULL));
    CHECK_OLD(changes, 0, "20 home 3 0");
    CHECK_STATUS(fr_change_set_old_value(&value, changes, 1, 0), FR_NOT_FOUND);
    CHECK_STATUS(fr_change_set_old_section_name(&name, changes, 1), FR_NOT_FOUND);
    CHECK_STATUS(fr_change_set_old_value(&value, changes, 1, 4), FR_RANGE);
    CHECK_OLD(changes, 2, "30 garden 1 0");
    CHECK_TEXT(old_name(changes, 0), "20");
    CHECK_TEXT(old_name(changes, 2), "30");
    CHECK_STATUS(fr_change_set_old_section_name(&name, changes, 3), FR_RANGE);
    CHECK_STATUS(fr_change_set_old_section_name(NULL, changes, 2), FR_MISUSE);
    run(w.store, "UPDATE lists SET position = 9, hidden = 0 WHERE id = 40");
    CHECK_OLD(changes, 0, "40 new 0 0");
    fr_change_set_unref(changes);
    recorder_take(&w.recorder);
    unwatch(&w);
}

/* The change set outlives the objects that it describes. */
static void old_values_outlive_list_and_store(void)
{
    struct watched w;
    fr_change_set *changes;
    watch_tasks(&w, SOME_TASKS, NULL);
    keep_changes(w.list, &changes);
    run(w.store, "UPDATE lists SET title = 'late', position = -1 WHERE id = 20");
    REQUIRE(CHECK(changes != NULL));
    recorder_take(&w.recorder);
    unwatch(&w);
    CHECK_OLD(changes, 0, "20 home 3 0");
    CHECK_TEXT(old_name(changes, 0), "20");
    fr_change_set_unref(changes);
}

/*
 * A section that is deleted because its last item is: its row is unchanged, as long as no other
 * change follows.
 */
static void sections_that_go_without_a_change_of_their_row(void)
{
    struct watched w;
    fr_section_map_options options = map_options();
    fr_change_set *changes;
    options.empty_sections = FR_EMPTY_SECTIONS_HIDDEN;
    watch_tasks(&w, SOME_TASKS, &options);
    keep_changes(w.list, &changes);
    run(w.store, "DELETE FROM tasks WHERE id = 3");
    CHECK_LOG(&w.recorder, "[delete section 0 (30); delete 0.0]");
    CHECK_OLD(changes, 0, "30 garden 1 0");
    run(w.store, "UPDATE lists SET title = 'later' WHERE id = 30");
    CHECK_OLD(changes, 0, "30 garden 1 0");
    run(w.store, "DELETE FROM tasks WHERE id = 4");
    CHECK_LOG(&w.recorder, "[delete section 1 (NULL); delete 1.0]");
    CHECK_OLD(changes, 0, "FR_NOT_FOUND FR_NOT_FOUND FR_NOT_FOUND FR_NOT_FOUND");
    CHECK_TEXT(old_name(changes, 0), NULL);
    run(w.store, "DELETE FROM tasks WHERE id < 3");
    run(w.store, "INSERT INTO tasks(id, list_id, k) VALUES (7, 20, 1)");
    CHECK_OLD(changes, 0, "FR_NOT_FOUND FR_NOT_FOUND FR_NOT_FOUND FR_NOT_FOUND");
    fr_change_set_unref(changes);
    recorder_take(&w.recorder);
    unwatch(&w);
}

static void keys_and_values(void)
{
    fr_store *store = store_with(
        "CREATE TABLE t(id INTEGER PRIMARY KEY, s, k); INSERT INTO t VALUES (1, 10, 1), (2, 20, 2)");
    static const int64_t keys[] = {10, 20, 0};
    struct watched w;
    fr_change_set *changes;
    fr_value value;
    fr_value other = fr_integer(20);
    watch_list(&w, store, map_of_keys(store, "t", "s", keys, NULL));
    keep_changes(w.list, &changes);
    CHECK_OK(fr_section_map_set_keys(w.list, &other, 1));
    REQUIRE(CHECK(changes != NULL));
    CHECK_OLD(changes, 0, "10");
    CHECK_TEXT(old_name(changes, 0), "10");
    fr_change_set_unref(changes);
    recorder_take(&w.recorder);
    unwatch(&w);
    store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY, s, k); INSERT INTO t VALUES (1, 10, 1), (2, 20, 2)");
    watch_list(&w, store, list_of(store, "t", "s", "k", NULL));
    keep_changes(w.list, &changes);
    run(store, "UPDATE t SET s = 30 WHERE id = 1");
    CHECK_LOG(&w.recorder, "[delete section 0 (10); insert section 1 (30); move 0.0>1.0 {s}]");
    CHECK_OLD(changes, 0, "10");
    CHECK_TEXT(old_name(changes, 0), "10");
    CHECK_STATUS(fr_change_set_old_value(&value, changes, 1, 0), FR_NOT_FOUND);
    CHECK_OLD(changes, 2, "1 10 1");
    fr_change_set_unref(changes);
    unwatch(&w);
}

static void placeholders(void)
{
    fr_placeholder *placeholder = placeholder_of("before", "B");
    fr_list *collection = NULL;
    fr_change_set *changes;
    CHECK_OK(fr_collection_new(&collection));
    CHECK_OK(fr_collection_insert_placeholder(collection, -1, placeholder));
    CHECK_OK(fr_list_perform_fetch(collection));
    keep_changes(collection, &changes);
    CHECK_OK(fr_placeholder_set_name(placeholder, "after"));
    REQUIRE(CHECK(changes != NULL));
    CHECK_TEXT(old_name(changes, 0), "before");
    CHECK_OLD(changes, 0, "before B");
    CHECK_OK(fr_placeholder_set_index_title(placeholder, NULL));
    CHECK_TEXT(old_name(changes, 0), "after");
    CHECK_OLD(changes, 0, "after B");
    CHECK_OK(fr_collection_remove(collection, 0));
    CHECK_TEXT(old_name(changes, 0), "after");
    CHECK_OLD(changes, 0, "after NULL");
    fr_change_set_unref(changes);
    fr_list_free(collection);
    fr_placeholder_free(placeholder);
}

/* One record at a time, with the change set and the record's number. */
struct singles {
    struct text text;
    fr_change_set *kept;
};

static void note_section(fr_list *list, const fr_section_info *section, const fr_change *change, fr_change_set *changes,
                         void *user_data)
{
    struct singles *singles = user_data;
    (void)list;
    (void)section;
    text_add(&singles->text, "%s(%s)", old_name(changes, (size_t)change->index),
             old_values(changes, (size_t)change->index));
    if (singles->kept == NULL) {
        singles->kept = fr_change_set_ref(changes);
    }
    CHECK(singles->kept == changes);
}

static void note_object(fr_list *list, fr_object *object, const fr_change *change, fr_change_set *changes,
                        void *user_data)
{
    struct singles *singles = user_data;
    (void)list;
    (void)object;
    CHECK(singles->kept == changes);
    text_add(&singles->text, "[%s]", old_values(changes, (size_t)change->index));
}

static void records_that_are_delivered_alone(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_list *map = task_map(store, NULL);
    fr_observer observer = {sizeof observer, NULL, note_section, note_object, NULL, NULL, NULL, NULL};
    struct singles singles = {{NULL, 0, 0}, NULL};
    CHECK_OK(fr_list_add_observer(NULL, map, &observer, &singles, NULL));
    run(store, "BEGIN; UPDATE lists SET title = 'x' WHERE id = 20; UPDATE tasks SET v = 7 WHERE id = 3; COMMIT");
    CHECK_TEXT(text_get(&singles.text), "20(20 home 3 0)[3 30 1 NULL]");
    fr_list_free(map);
    CHECK_OK(fr_store_close(store));
    CHECK_OLD(singles.kept, 0, "20 home 3 0");
    fr_change_set_unref(singles.kept);
    text_free(&singles.text);
}

TESTS(section_map_record_tests) = {
    TEST(moved_section_carries_its_row_and_columns),
    TEST(records_outlive_map_and_store),
    TEST(sections_that_are_no_rows_have_none),
    TEST(rows_that_changed),
    TEST(old_values_outlive_list_and_store),
    TEST(sections_that_go_without_a_change_of_their_row),
    TEST(keys_and_values),
    TEST(placeholders),
    TEST(records_that_are_delivered_alone),
    END_OF_TESTS,
};
