/* Reading a change set, also long after its callback. */
#include <string.h>

#include "test.h"
#include "watched.h"

#define SCHEMA \
    "CREATE TABLE t(id INTEGER PRIMARY KEY, k, v);" \
    "INSERT INTO t VALUES (1, 10, 'a'), (2, 20, 'b'), (3, 30, 'c');"

/* An observer that retains the last change set. */
struct keeper {
    fr_store *store;
    fr_list *list;
    fr_change_set *changes;
};

static void keep_changes(fr_list *controller, fr_change_set *changes, void *user_data)
{
    struct keeper *keeper = user_data;
    (void)controller;
    fr_change_set_unref(keeper->changes);
    keeper->changes = fr_change_set_ref(changes);
}

static void keep(struct keeper *keeper, const char *script, const char *section)
{
    fr_observer observer;
    memset(&observer, 0, sizeof observer);
    observer.struct_size = sizeof observer;
    observer.did_deliver = keep_changes;
    keeper->store = store_with(script);
    keeper->list = list_of(keeper->store, "t", section, "k", NULL);
    keeper->changes = NULL;
    list_contents(keeper->list); /* so that all values are cached */
    CHECK_OK(fr_list_add_observer(NULL, keeper->list, &observer, keeper, NULL));
}

static void release(struct keeper *keeper)
{
    fr_list_free(keeper->list);
    CHECK_OK(fr_store_close(keeper->store));
    fr_change_set_unref(keeper->changes);
}

static const char *old_value(struct keeper *keeper, size_t record, int64_t column)
{
    fr_value value = fr_null();
    CHECK_OK(fr_change_set_old_value(&value, keeper->changes, record, column));
    return value_text(value);
}

static void old_values(void)
{
    struct keeper keeper;
    fr_value value;
    keep(&keeper, SCHEMA, NULL);
    run(keeper.store, "BEGIN; DELETE FROM t WHERE id = 1; INSERT INTO t VALUES (4, 5, 'n');"
                      "UPDATE t SET k = 1 WHERE id = 3; UPDATE t SET v = 'B' WHERE id = 2; COMMIT");
    /* delete 0.0; insert 0.1; move 0.2>0.0; update 0.1>0.2 */
    CHECK_TEXT(old_value(&keeper, 0, 2), "a");
    CHECK_STATUS(fr_change_set_old_value(&value, keeper.changes, 1, 0), FR_NOT_FOUND);
    CHECK_TEXT(old_value(&keeper, 2, 1), "30");
    CHECK_TEXT(old_value(&keeper, 2, 2), "c");
    CHECK_TEXT(old_value(&keeper, 3, 2), "b");
    CHECK_TEXT(old_value(&keeper, 3, 0), "2");
    CHECK_STATUS(fr_change_set_old_value(&value, keeper.changes, 3, 3), FR_RANGE);
    CHECK_STATUS(fr_change_set_old_value(&value, keeper.changes, 3, -1), FR_RANGE);
    CHECK_STATUS(fr_change_set_old_value(&value, keeper.changes, 4, 0), FR_RANGE);
    CHECK_STATUS(fr_change_set_old_value(&value, keeper.changes, SIZE_MAX, 0), FR_RANGE);
    release(&keeper);
}

static void old_values_after_a_change_of_the_schema(void)
{
    struct keeper keeper;
    fr_value value;
    bool changed;
    keep(&keeper, SCHEMA, NULL);
    run(keeper.store, "BEGIN; ALTER TABLE t RENAME COLUMN k TO kk; DELETE FROM t WHERE id = 1; ROLLBACK");
    CHECK(keeper.changes == NULL);
    run(keeper.store, "BEGIN; ALTER TABLE t ADD COLUMN e DEFAULT 7; DELETE FROM t WHERE id = 1; COMMIT");
    /* delete 0.0 in the old columns; updates 0.1>0.0 and 0.2>0.1 in the new ones */
    CHECK_TEXT(old_value(&keeper, 0, 2), "a");
    CHECK_STATUS(fr_change_set_old_value(&value, keeper.changes, 0, 3), FR_RANGE);
    CHECK_TEXT(old_value(&keeper, 1, 2), "b");
    CHECK_STATUS(fr_change_set_old_value(&value, keeper.changes, 1, 3), FR_NOT_FOUND);
    CHECK_OK(fr_change_set_column_changed(&changed, keeper.changes, 1, 3));
    CHECK(changed);
    run(keeper.store, "CREATE TABLE u AS SELECT * FROM t; BEGIN; DROP TABLE t;"
                      "CREATE TABLE t(id INTEGER PRIMARY KEY, v, k); INSERT INTO t SELECT id, v, k FROM u; COMMIT");
    CHECK_TEXT(old_value(&keeper, 0, 1), "b");
    CHECK_TEXT(old_value(&keeper, 0, 2), "20");
    release(&keeper);
}

static const char *record_text(struct keeper *keeper, size_t record, const char *column)
{
    fr_object *object = NULL;
    const char *text = "";
    if (CHECK_OK(fr_change_set_object(&object, keeper->changes, record))) {
        text = object_text(object, column);
        fr_object_unref(object);
    }
    return text;
}

static void objects_of_records(void)
{
    struct keeper keeper;
    fr_object *object = NULL;
    keep(&keeper, SCHEMA, "v");
    run(keeper.store, "BEGIN; DELETE FROM t WHERE id = 1; UPDATE t SET k = 21 WHERE id = 2; COMMIT");
    /* delete section 0 (a); delete 0.0; update 1.0>0.0 */
    CHECK_STATUS(fr_change_set_object(&object, keeper.changes, 0), FR_NOT_FOUND);
    CHECK_TEXT(record_text(&keeper, 1, "v"), "a");
    CHECK_TEXT(record_text(&keeper, 2, "k"), "21");
    CHECK_STATUS(fr_change_set_object(&object, keeper.changes, 3), FR_RANGE);
    CHECK_STATUS(fr_change_set_object(&object, keeper.changes, SIZE_MAX), FR_RANGE);
    CHECK(object == NULL);
    release(&keeper);
}

static void names_of_sections(void)
{
    struct keeper keeper;
    const char *name = "untouched";
    keep(&keeper, SCHEMA, "v");
    run(keeper.store, "UPDATE t SET v = CASE v WHEN 'a' THEN NULL ELSE 'x' END WHERE id < 3");
    /*
     * delete section 1 (b); delete section 0 (a); insert section 0 (NULL); insert section 2 (x);
     * two moves
     */
    CHECK_OK(fr_change_set_section_name(&name, keeper.changes, 0));
    CHECK_TEXT(name, "b");
    CHECK_OK(fr_change_set_section_name(&name, keeper.changes, 2));
    CHECK_TEXT(name, NULL);
    CHECK_OK(fr_change_set_section_name(&name, keeper.changes, 3));
    CHECK_TEXT(name, "x");
    CHECK_STATUS(fr_change_set_section_name(&name, keeper.changes, 4), FR_NOT_FOUND);
    CHECK_STATUS(fr_change_set_section_name(&name, keeper.changes, 6), FR_RANGE);
    release(&keeper);
}

static void changed_columns_beyond_the_bits(void)
{
    struct text script = {NULL, 0, 0};
    struct keeper keeper;
    const fr_change *records = NULL;
    size_t count = 0;
    int64_t column;
    text_add(&script, "CREATE TABLE t(id INTEGER PRIMARY KEY, k");
    for (column = 2; column < 100; column++) {
        text_add(&script, ", c%d", (int)column);
    }
    text_add(&script, "); INSERT INTO t(id, k) VALUES (1, 1)");
    keep(&keeper, text_get(&script), NULL);
    run(keeper.store, "UPDATE t SET c5 = 1, c62 = 1, c99 = 1");
    REQUIRE(CHECK_OK(fr_change_set_records(&records, &count, keeper.changes)));
    REQUIRE(CHECK_INT(count, 1));
    CHECK(records[0].changed_columns == ((uint64_t)1 << 5 | (uint64_t)1 << 62 | (uint64_t)1 << 63));
    for (column = 0; column < 100; column++) {
        bool changed = false;
        CHECK_OK(fr_change_set_column_changed(&changed, keeper.changes, 0, column));
        CHECK_INT(changed, column == 5 || column == 62 || column == 99);
    }
    {
        bool changed = false;
        CHECK_STATUS(fr_change_set_column_changed(&changed, keeper.changes, 0, 100), FR_RANGE);
        CHECK_STATUS(fr_change_set_column_changed(&changed, keeper.changes, 0, -1), FR_RANGE);
        CHECK_STATUS(fr_change_set_column_changed(&changed, keeper.changes, 1, 0), FR_RANGE);
        CHECK_STATUS(fr_change_set_column_changed(&changed, keeper.changes, 0, INT64_MAX), FR_RANGE);
    }
    text_free(&script);
    release(&keeper);
}

static void outlives_controller_and_store(void)
{
    struct keeper keeper;
    struct text text = {NULL, 0, 0};
    fr_change_set *steps = NULL;
    keep(&keeper, SCHEMA, NULL);
    run(keeper.store, "UPDATE t SET k = 40 WHERE id = 1");
    CHECK_TEXT(record_text(&keeper, 0, "k"), "40");
    fr_list_free(keeper.list);
    CHECK_OK(fr_store_close(keeper.store));
    record_add(&text, keeper.changes, 0);
    CHECK_TEXT(text_get(&text), "move 0.0>0.2 {k}");
    CHECK_TEXT(old_value(&keeper, 0, 1), "10");
    CHECK_TEXT(record_text(&keeper, 0, "k"), "40");
    CHECK_OK(fr_change_set_sequential(&steps, keeper.changes));
    fr_change_set_unref(steps);
    fr_change_set_unref(keeper.changes);
    text_free(&text);
}

/* Never another row, never a later state: the row in the requested state, or FR_GONE. */
static void object_requested_too_late_is_right_or_unavailable(void)
{
    struct keeper keeper;
    fr_change_set *first;
    fr_object *object = NULL;
    fr_status status;
    keep(&keeper, SCHEMA, NULL);
    run(keeper.store, "INSERT INTO t VALUES (4, 40, 'first')");
    first = fr_change_set_ref(keeper.changes);
    run(keeper.store, "UPDATE t SET v = 'second' WHERE id = 4");
    status = fr_change_set_object(&object, first, 0);
    if (status == FR_OK) {
        fr_value value = fr_null();
        status = fr_object_value_named(&value, object, "v");
        if (status == FR_OK) {
            CHECK_TEXT(value_text(value), "first");
        } else {
            CHECK_STATUS(status, FR_GONE);
        }
        fr_object_unref(object);
    } else {
        CHECK_STATUS(status, FR_GONE);
    }
    fr_change_set_unref(first);
    release(&keeper);
}

static void references_are_counted(void)
{
    struct keeper keeper;
    const fr_change *records;
    fr_change_set *changes;
    size_t count;
    keep(&keeper, SCHEMA, NULL);
    run(keeper.store, "DELETE FROM t WHERE id = 1");
    changes = keeper.changes;
    CHECK(fr_change_set_ref(changes) == changes);
    fr_change_set_unref(changes);
    CHECK_OK(fr_change_set_records(&records, &count, changes));
    fr_change_set_unref(changes);
    CHECK_STATUS(fr_change_set_records(&records, &count, changes), FR_MISUSE);
    CHECK(fr_change_set_ref(changes) == NULL);
    CHECK(fr_change_set_ref(NULL) == NULL);
    keeper.changes = NULL;
    release(&keeper);
}

/* The recorder checks the replay of the steps for every bracket. */
static void sequential_form_is_a_change_set_too(void)
{
    struct keeper keeper;
    fr_change_set *steps = NULL, *again = NULL;
    const fr_change *records = NULL;
    fr_object *object = NULL;
    fr_value value = fr_null();
    const char *name = NULL;
    size_t count = 0;
    keep(&keeper, SCHEMA, "v");
    run(keeper.store, "BEGIN; INSERT INTO t VALUES (4, 5, 'n'); UPDATE t SET k = 40 WHERE id = 1; COMMIT");
    REQUIRE(CHECK_OK(fr_change_set_sequential(&steps, keeper.changes)));
    CHECK_OK(fr_change_set_records(&records, &count, steps));
    REQUIRE(CHECK_INT(count, 3));
    CHECK_INT(records[0].kind, FR_SECTION);
    CHECK_OK(fr_change_set_section_name(&name, steps, 0));
    CHECK_TEXT(name, "n");
    CHECK_INT(records[1].kind, FR_OBJECT);
    CHECK_OK(fr_change_set_object(&object, steps, 1));
    CHECK_TEXT(object_text(object, "k"), "5");
    fr_object_unref(object);
    CHECK_OK(fr_change_set_object(&object, steps, 2));
    CHECK_TEXT(object_text(object, "k"), "40");
    fr_object_unref(object);
    CHECK_OK(fr_change_set_old_value(&value, steps, 2, 1));
    CHECK_TEXT(value_text(value), "10");
    CHECK_OK(fr_change_set_sequential(&again, steps));
    CHECK_OK(fr_change_set_records(&records, &count, again));
    CHECK_INT(count, 3);
    fr_change_set_unref(again);
    fr_change_set_unref(steps);
    release(&keeper);
}

/* Before: a row whose key is 2, and one whose key is NULL and whose rowid is 2. Change: both. */
static void records_and_steps_distinguish_null_keys(void)
{
    struct keeper keeper;
    fr_change_set *steps = NULL, *sets[2];
    const fr_value *identity = NULL;
    fr_object *object = NULL;
    fr_value value;
    size_t count = 0;
    keep(&keeper,
         "CREATE TABLE t(i INT PRIMARY KEY, k, v);"
         "INSERT INTO t(rowid, i, k) VALUES (1, 2, 10), (2, NULL, 20), (3, 3, 30)",
         NULL);
    run(keeper.store, "BEGIN; DELETE FROM t WHERE rowid = 2; UPDATE t SET v = 1 WHERE i = 2; COMMIT");
    REQUIRE(CHECK_OK(fr_change_set_sequential(&steps, keeper.changes)));
    sets[0] = keeper.changes;
    sets[1] = steps;
    for (int set = 0; set < 2; set++) {
        CHECK_OK(fr_change_set_identity(&identity, &count, sets[set], 0));
        REQUIRE(CHECK_INT(count, 2));
        CHECK_INT(identity[0].type, FR_TYPE_NULL);
        CHECK_INT(identity[1].type, FR_TYPE_INTEGER);
        CHECK_INT(identity[1].integer, 2);
        CHECK_OK(fr_change_set_object(&object, sets[set], 0));
        CHECK_OK(fr_object_identity(&value, object, 1));
        CHECK_INT(value.integer, 2);
        CHECK_TEXT(object_text(object, "k"), "20");
        fr_object_unref(object);
        CHECK_OK(fr_change_set_identity(&identity, &count, sets[set], 1));
        REQUIRE(CHECK_INT(count, 1));
        CHECK_INT(identity[0].integer, 2);
    }
    fr_change_set_unref(steps);
    release(&keeper);
}

TESTS(change_set_tests) = {
    TEST(old_values),
    TEST(old_values_after_a_change_of_the_schema),
    TEST(objects_of_records),
    TEST(names_of_sections),
    TEST(changed_columns_beyond_the_bits),
    TEST(outlives_controller_and_store),
    TEST(object_requested_too_late_is_right_or_unavailable),
    TEST(references_are_counted),
    TEST(sequential_form_is_a_change_set_too),
    TEST(records_and_steps_distinguish_null_keys),
    END_OF_TESTS,
};
