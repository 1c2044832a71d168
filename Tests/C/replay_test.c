/*
 * fr_change_set_replay, ranges, groups and identities. The recorder replays every change set of all
 * other tests as well.
 */
#include <string.h>

#include "test.h"
#include "watched.h"

#define SCHEMA \
    "CREATE TABLE t(id INTEGER PRIMARY KEY, s, k);" \
    "INSERT INTO t VALUES (1, 'a', 1), (2, 'a', 2), (3, 'a', 3), (4, 'b', 1);"

static void keep_changes(fr_list *list, fr_change_set *changes, void *user_data)
{
    (void)list;
    fr_change_set_unref(*(fr_change_set **)user_data);
    *(fr_change_set **)user_data = fr_change_set_ref(changes);
}

/* The change set of a script. */
struct kept_changes {
    fr_store *store;
    fr_list *list;
    fr_change_set *changes;
};

static void keep(struct kept_changes *kept, const char *script)
{
    fr_observer observer = {sizeof observer, NULL, NULL, NULL, NULL, keep_changes, NULL, NULL};
    kept->store = store_with(SCHEMA);
    kept->list = list_of(kept->store, "t", "s", "k", NULL);
    kept->changes = NULL;
    CHECK_OK(fr_list_add_observer(NULL, kept->list, &observer, &kept->changes, NULL));
    CHECK_OK(fr_store_begin(kept->store, FR_IMMEDIATE));
    run(kept->store, script);
    CHECK_OK(fr_store_commit(kept->store));
}

static void release(struct kept_changes *kept)
{
    fr_change_set_unref(kept->changes);
    fr_list_free(kept->list);
    CHECK_OK(fr_store_close(kept->store));
}

static void replay_says_where_each_row_was(void)
{
    struct kept_changes kept;
    const fr_replayed_section *sections = NULL;
    static const int64_t counts[] = {3, 1};
    size_t count = 0;
    keep(&kept, "DELETE FROM t WHERE id = 1; UPDATE t SET s = 'c' WHERE id = 4; UPDATE t SET k = 5 WHERE id = 2;"
                "INSERT INTO t VALUES (9, 'a', 9);");
    CHECK_LIST(kept.list, "a: 3 2 9 | c: 4");
    REQUIRE(CHECK_OK(fr_change_set_replay(&sections, &count, kept.changes, counts, 2)));
    REQUIRE(CHECK_INT(count, 2));
    CHECK_INT(sections[0].old_index, 0);
    CHECK_INT(sections[0].record, -1);
    REQUIRE(CHECK_INT(sections[0].row_count, 3));
    CHECK_INT(sections[0].rows[0].old_path.row, 2);
    CHECK_INT(sections[0].rows[0].record, -1);
    CHECK_INT(sections[0].rows[1].old_path.row, 1);
    CHECK(sections[0].rows[1].record >= 0);
    CHECK_INT(sections[0].rows[2].old_path.section, -1);
    CHECK(sections[0].rows[2].record >= 0);
    CHECK_INT(sections[1].old_index, -1);
    CHECK(sections[1].record >= 0);
    REQUIRE(CHECK_INT(sections[1].row_count, 1));
    CHECK_INT(sections[1].rows[0].old_path.section, 1);
    release(&kept);
}

static void replay_refuses_another_list(void)
{
    struct kept_changes kept;
    const fr_replayed_section *sections = NULL;
    static const int64_t short_counts[] = {1, 1}, negative[] = {-1, 1}, huge[] = {INT64_MAX, INT64_MAX},
                         right[] = {3, 1};
    size_t count = 77;
    keep(&kept, "DELETE FROM t WHERE id = 3");
    CHECK_STATUS(fr_change_set_replay(&sections, &count, kept.changes, short_counts, 2), FR_RANGE);
    CHECK_STATUS(fr_change_set_replay(&sections, &count, kept.changes, negative, 2), FR_RANGE);
    CHECK_STATUS(fr_change_set_replay(&sections, &count, kept.changes, huge, 2), FR_RANGE);
    CHECK_STATUS(fr_change_set_replay(&sections, &count, kept.changes, NULL, 0), FR_RANGE);
    CHECK_STATUS(fr_change_set_replay(&sections, &count, kept.changes, NULL, 2), FR_MISUSE);
    CHECK_STATUS(fr_change_set_replay(&sections, &count, kept.changes, right, SIZE_MAX), FR_RANGE);
    CHECK_STATUS(fr_change_set_replay(NULL, &count, kept.changes, right, 2), FR_MISUSE);
    CHECK_STATUS(fr_change_set_replay(&sections, NULL, kept.changes, right, 2), FR_MISUSE);
    CHECK_STATUS(fr_change_set_replay(&sections, &count, NULL, right, 2), FR_MISUSE);
    CHECK_INT(count, 77);
    CHECK_OK(fr_change_set_replay(&sections, &count, kept.changes, right, 2));
    CHECK_INT(count, 2);
    release(&kept);
}

static void a_reload_can_not_be_replayed(void)
{
    struct kept_changes kept;
    const fr_replayed_section *sections = NULL;
    static const int64_t counts[] = {3, 1};
    size_t count = 0;
    keep(&kept, "");
    CHECK_OK(fr_controller_pause(kept.list));
    CHECK_OK(fr_controller_resume(kept.list, true));
    REQUIRE(kept.changes != NULL);
    CHECK_STATUS(fr_change_set_replay(&sections, &count, kept.changes, counts, 2), FR_MISUSE);
    release(&kept);
}

static const char two_deletes_and_three_inserts[] =
    "DELETE FROM t WHERE id IN (1, 2); INSERT INTO t VALUES (5, 'b', 5), (6, 'b', 6), (7, 'b', 7);";

/* The runs of these, of records as of steps. */
static void check_ranges(fr_change_set *changes)
{
    const fr_range *ranges = NULL;
    size_t count = 0;
    REQUIRE(CHECK_OK(fr_change_set_ranges(&ranges, &count, changes)));
    REQUIRE(CHECK_INT(count, 2));
    CHECK_INT(ranges[0].kind, FR_OBJECT);
    CHECK_INT(ranges[0].type, FR_DELETE);
    CHECK_INT(ranges[0].count, 2);
    CHECK_INT(ranges[0].first, 0);
    CHECK_INT(ranges[0].old_path.section, 0);
    CHECK_INT(ranges[0].old_path.row, 0);
    CHECK_INT(ranges[0].new_path.section, -1);
    CHECK_INT(ranges[1].type, FR_INSERT);
    CHECK_INT(ranges[1].count, 3);
    CHECK_INT(ranges[1].first, 2);
    CHECK_INT(ranges[1].new_path.section, 1);
    CHECK_INT(ranges[1].new_path.row, 1);
    CHECK_INT(ranges[1].old_path.section, -1);
    CHECK_STATUS(fr_change_set_ranges(NULL, &count, changes), FR_MISUSE);
    CHECK_STATUS(fr_change_set_ranges(&ranges, NULL, changes), FR_MISUSE);
}

static void ranges_are_runs_of_steps(void)
{
    struct kept_changes kept;
    fr_change_set *steps = NULL;
    keep(&kept, two_deletes_and_three_inserts);
    CHECK_OK(fr_change_set_sequential(&steps, kept.changes));
    check_ranges(steps);
    fr_change_set_unref(steps);
    release(&kept);
}

static void ranges_are_runs_of_records(void)
{
    struct kept_changes kept;
    keep(&kept, two_deletes_and_three_inserts);
    check_ranges(kept.changes);
    release(&kept);
}

static void records_are_read_in_parts(void)
{
    struct kept_changes kept;
    const fr_change *records = NULL;
    fr_change part[3];
    size_t count = 0, index;
    keep(&kept, "DELETE FROM t WHERE id IN (1, 2); INSERT INTO t VALUES (5, 'c', 5), (6, 'c', 6);");
    CHECK_OK(fr_change_set_records(&records, &count, kept.changes));
    REQUIRE(CHECK_INT(count, 5));
    CHECK_OK(fr_change_set_count(&count, kept.changes));
    CHECK_INT(count, 5);
    for (index = 0; index <= 5; index++) {
        size_t expected = index > 2 ? 5 - index : 3;
        count = 3;
        CHECK_OK(fr_change_set_read(part, &count, kept.changes, index));
        if (CHECK_INT(count, expected)) {
            CHECK(memcmp(part, records + index, count * sizeof *part) == 0);
        }
    }
    count = 0;
    CHECK_OK(fr_change_set_read(part, &count, kept.changes, 0));
    CHECK_INT(count, 0);
    count = (size_t)-1;
    CHECK_OK(fr_change_set_read(part, &count, kept.changes, 3));
    CHECK_INT(count, 2);
    CHECK_STATUS(fr_change_set_read(part, &count, kept.changes, 6), FR_RANGE);
    CHECK_STATUS(fr_change_set_read(part, &count, kept.changes, (size_t)-1), FR_RANGE);
    CHECK_STATUS(fr_change_set_read(NULL, &count, kept.changes, 0), FR_MISUSE);
    CHECK_STATUS(fr_change_set_read(part, NULL, kept.changes, 0), FR_MISUSE);
    CHECK_STATUS(fr_change_set_read(part, &count, NULL, 0), FR_MISUSE);
    CHECK_STATUS(fr_change_set_count(NULL, kept.changes), FR_MISUSE);
    CHECK_STATUS(fr_change_set_count(&count, NULL), FR_MISUSE);
    release(&kept);
}

static void groups_are_records_of_one_kind_and_type(void)
{
    struct kept_changes kept;
    fr_change_set *steps = NULL;
    const fr_change *group = NULL;
    size_t count = 0;
    keep(&kept, "DELETE FROM t WHERE id IN (1, 2); INSERT INTO t VALUES (5, 'c', 5);");
    CHECK_OK(fr_change_set_group(&group, &count, kept.changes, FR_OBJECT, FR_DELETE));
    REQUIRE(CHECK_INT(count, 2));
    CHECK_INT(group[0].old_path.row, 1);
    CHECK_INT(group[1].old_path.row, 0);
    CHECK_OK(fr_change_set_group(&group, &count, kept.changes, FR_SECTION, FR_INSERT));
    REQUIRE(CHECK_INT(count, 1));
    CHECK_INT(group[0].new_path.section, 2);
    CHECK_OK(fr_change_set_group(&group, &count, kept.changes, FR_OBJECT, FR_MOVE));
    CHECK(group == NULL && count == 0);
    CHECK_STATUS(fr_change_set_group(&group, &count, kept.changes, 3, FR_MOVE), FR_RANGE);
    CHECK_STATUS(fr_change_set_group(&group, &count, kept.changes, FR_OBJECT, 0), FR_RANGE);
    CHECK_OK(fr_change_set_sequential(&steps, kept.changes));
    CHECK_STATUS(fr_change_set_group(&group, &count, steps, FR_OBJECT, FR_MOVE), FR_MISUSE);
    fr_change_set_unref(steps);
    release(&kept);
}

/* The row need not be read for it, nor exist any more. */
static void identities_of_deleted_rows_can_be_read(void)
{
    struct kept_changes kept;
    fr_change_set *inserted;
    const fr_value *identity = NULL;
    size_t count = 0;
    keep(&kept, "INSERT INTO t VALUES (5, 'b', 5)");
    inserted = fr_change_set_ref(kept.changes);
    run(kept.store, "DELETE FROM t WHERE id = 5");
    CHECK_OK(fr_change_set_identity(&identity, &count, inserted, 0));
    CHECK_INT(count, 1);
    CHECK_TEXT(value_text(identity[0]), "5");
    CHECK_STATUS(fr_change_set_identity(&identity, &count, inserted, 1), FR_RANGE);
    fr_change_set_unref(inserted);
    run(kept.store, "INSERT INTO t VALUES (6, 'd', 6)");
    CHECK_STATUS(fr_change_set_identity(&identity, &count, kept.changes, 0), FR_NOT_FOUND);
    CHECK_STATUS(fr_change_set_identity(&identity, NULL, kept.changes, 1), FR_MISUSE);
    CHECK_STATUS(fr_change_set_identity(NULL, &count, kept.changes, 1), FR_MISUSE);
    release(&kept);
}

TESTS(replay_tests) = {
    TEST(replay_says_where_each_row_was),
    TEST(replay_refuses_another_list),
    TEST(a_reload_can_not_be_replayed),
    TEST(ranges_are_runs_of_steps),
    TEST(ranges_are_runs_of_records),
    TEST(records_are_read_in_parts),
    TEST(groups_are_records_of_one_kind_and_type),
    TEST(identities_of_deleted_rows_can_be_read),
    END_OF_TESTS,
};
