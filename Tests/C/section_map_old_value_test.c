/* The old values and names in the records of sections, in all forms. */
#include <string.h>

#include "collections.h"
#include "kept.h"
#include "maps.h"
#include "test.h"

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

/* The values that the row of a section shows. */
static const char *object_text_of_section(fr_list *list, int64_t section)
{
    static struct text text;
    fr_object *row = NULL;
    int64_t count = 0, column;
    text_free(&text);
    CHECK_OK(fr_list_section_object(&row, list, section));
    CHECK_OK(fr_object_column_count(&count, row));
    for (column = 0; column < count; column++) {
        fr_value value;
        CHECK_OK(fr_object_value(&value, row, column));
        text_add(&text, "%s%s", column == 0 ? "" : " ", value_text(value));
    }
    fr_object_unref(row);
    return text_get(&text);
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

/* Old values are found by the name of a column, whatever its number was. */
static void columns_of_rows_that_are_inserted_and_deleted(void)
{
    struct watched w;
    fr_change_set *changes;
    watch_tasks(&w, SOME_TASKS, NULL);
    CHECK_TEXT(object_text_of_section(w.list, 0), "30 garden 1 0");
    keep_changes(w.list, &changes);
    run(w.store, "BEGIN; ALTER TABLE lists ADD COLUMN a DEFAULT 7; UPDATE lists SET position = 0 WHERE id = 30;"
                 "COMMIT");
    REQUIRE(CHECK(changes != NULL));
    CHECK_OLD(changes, 0, "30 garden 1 0 FR_NOT_FOUND");
    CHECK_TEXT(object_text_of_section(w.list, 0), "30 garden 0 0 7");
    run(w.store, "ALTER TABLE lists ADD COLUMN b DEFAULT 5");
    run(w.store, "BEGIN; ALTER TABLE lists DROP COLUMN a; UPDATE lists SET b = 6 WHERE id = 30; COMMIT");
    CHECK_OLD(changes, 0, "30 garden 0 0 5");
    CHECK_TEXT(object_text_of_section(w.list, 0), "30 garden 0 0 6");
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

/*
 * If it is read too late, the result is that the old value is unavailable, and not the new value.
 */
static void rows_that_changed_later_are_not_taken_for_old_ones(void)
{
    struct watched w;
    fr_section_map_options options = map_options();
    fr_change_set *changes;
    options.empty_sections = FR_EMPTY_SECTIONS_HIDDEN;
    watch_tasks(&w, SOME_TASKS, &options);
    keep_changes(w.list, &changes);
    run(w.store, "DELETE FROM tasks WHERE id = 3");
    fr_change_set_ref(changes);
    {
        fr_change_set *first = changes;
        run(w.store, "BEGIN; UPDATE lists SET title = 'later' WHERE id = 30; UPDATE tasks SET v = 1; COMMIT");
        CHECK_OLD(first, 0, "FR_NOT_FOUND FR_NOT_FOUND FR_NOT_FOUND FR_NOT_FOUND");
        CHECK_TEXT(old_name(first, 0), "30");
        fr_change_set_unref(first);
    }
    fr_change_set_unref(changes);
    recorder_take(&w.recorder);
    unwatch(&w);
}

/* A section whose key changed has another name for the same row. */
static void renamed_sections(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS "UPDATE tasks SET v = 'work' WHERE list_id = 10");
    fr_section_map_options options = map_options();
    struct watched w;
    fr_change_set *changes;
    options.section_key = "title";
    watch_list(&w, store,
               map_of(store, request_of("tasks", NULL, "k", NULL), request_of("lists", NULL, "position", NULL), "v",
                      &options));
    keep_changes(w.list, &changes);
    run(store, "UPDATE lists SET title = 'labour' WHERE id = 10");
    REQUIRE(CHECK(changes != NULL));
    CHECK_TEXT(old_name(changes, 0), "work");
    CHECK_OLD(changes, 0, "10 work 2 0");
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

/* In a collection, and as steps. */
static void maps_in_collections(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_list *map = task_map(store, NULL), *collection = NULL, *list = list_of(store, "tasks", NULL, "id", NULL);
    fr_change_set *changes, *steps = NULL;
    const fr_change *records = NULL;
    size_t count = 0;
    CHECK_OK(fr_collection_new(&collection));
    CHECK_OK(fr_collection_insert(collection, -1, list, NULL));
    CHECK_OK(fr_collection_insert(collection, -1, map, NULL));
    CHECK_OK(fr_list_perform_fetch(collection));
    keep_changes(collection, &changes);
    run(store,
        "BEGIN; UPDATE lists SET title = 'x', position = 0 WHERE id = 20; DELETE FROM lists WHERE id = 10; COMMIT");
    REQUIRE(CHECK(changes != NULL));
    CHECK_OLD(changes, 0, "10 work 2 0");
    CHECK_OLD(changes, 1, "20 home 3 0");
    REQUIRE(CHECK_OK(fr_change_set_sequential(&steps, changes)));
    CHECK_OK(fr_change_set_records(&records, &count, steps));
    while (count-- > 0) {
        CHECK_INT(records[count].index, count);
        if (records[count].kind == FR_SECTION) {
            CHECK(strstr(old_values(steps, count), records[count].type == FR_DELETE ? "work" : "home") != NULL);
        }
    }
    fr_change_set_unref(steps);
    fr_change_set_unref(changes);
    fr_list_free(collection);
    fr_list_free(map);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
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

TESTS(section_map_old_value_tests) = {
    TEST(rows_that_changed),
    TEST(columns_of_rows_that_are_inserted_and_deleted),
    TEST(old_values_outlive_list_and_store),
    TEST(sections_that_go_without_a_change_of_their_row),
    TEST(rows_that_changed_later_are_not_taken_for_old_ones),
    TEST(renamed_sections),
    TEST(keys_and_values),
    TEST(placeholders),
    TEST(maps_in_collections),
    TEST(records_that_are_delivered_alone),
    END_OF_TESTS,
};
