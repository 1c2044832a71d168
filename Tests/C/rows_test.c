/* Rows that are read together, column by column. */
#include "fixture.h"
#include "test.h"

#include <string.h>

#define SCHEMA \
    "CREATE TABLE items(id INTEGER PRIMARY KEY, part TEXT, rank REAL, name TEXT, other);" \
    "INSERT INTO items VALUES (1, 'a', 1.5, 'one', 1), (2, 'a', NULL, '', 'x'), (3, 'a', 2.5, NULL, x'00')," \
    "(4, 'b', NULL, 'four', NULL), (9, 'c', -1, 'nine', 2.5);" \
    "CREATE TABLE pairs(a TEXT, b INTEGER, v, PRIMARY KEY (b, a)) WITHOUT ROWID;" \
    "INSERT INTO pairs VALUES ('x', 2, NULL), ('y', 1, NULL);"

static fr_rows rows_at(fr_list *list, int64_t section, int64_t row, size_t count)
{
    fr_rows rows;
    memset(&rows, 1, sizeof rows);
    CHECK_OK(fr_list_rows(&rows, list, path_at(section, row), count));
    return rows;
}

static const int64_t *integers(const fr_column *column)
{
    CHECK_INT(column->kind, FR_COLUMN_INTEGERS);
    return column->data;
}

/*
 * Rows whose keys hold a NULL have identities of another number of values, and are read by another
 * call.
 */
static void identities_of_null_keys_are_apart(void)
{
    fr_store *store = store_with("CREATE TABLE t(k INT PRIMARY KEY, v);"
                                 "INSERT INTO t(rowid, k, v) VALUES (1, 2, 'a'), (2, NULL, 'b'), (3, NULL, 'c')");
    fr_list *list = list_of(store, "t", NULL, "v", NULL);
    fr_rows rows = rows_at(list, 0, 0, 10);
    CHECK_INT((int64_t)rows.count, 1);
    CHECK_INT((int64_t)rows.identity_count, 1);
    CHECK_INT(integers(&rows.identities[0])[0], 2);
    rows = rows_at(list, 0, 1, 10);
    CHECK_INT((int64_t)rows.count, 2);
    CHECK_INT((int64_t)rows.identity_count, 2);
    CHECK_INT((int64_t)rows.identities[0].null_count, 2);
    CHECK_INT(integers(&rows.identities[1])[0], 2);
    CHECK_INT(integers(&rows.identities[1])[1], 3);
    CHECK_OK(fr_list_identities(&rows, list, path_at(0, 0), 10));
    CHECK_INT((int64_t)rows.count, 1);
    CHECK_OK(fr_list_identities(&rows, list, path_at(0, 1), 10));
    CHECK_INT((int64_t)rows.count, 2);
    CHECK_INT((int64_t)rows.identity_count, 2);
    CHECK_INT(integers(&rows.identities[1])[1], 3);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void columns_have_the_values_of_all_rows(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", "part", NULL, NULL);
    fr_rows rows = rows_at(list, 0, 0, 10);
    fr_object *first = NULL;
    uint64_t layout = 0;
    const double *ranks = rows.columns[2].data;
    const fr_value *others = rows.columns[4].data;
    CHECK_INT((int64_t)rows.count, 5);
    CHECK_INT((int64_t)rows.column_count, 5);
    CHECK_INT((int64_t)rows.identity_count, 1);
    CHECK_INT(integers(&rows.columns[0])[4], 9);
    CHECK_INT(integers(&rows.identities[0])[3], 4);
    CHECK_INT(rows.columns[1].kind, FR_COLUMN_TEXTS);
    CHECK_INT((int64_t)rows.columns[1].size, 10);
    CHECK(memcmp(rows.columns[1].data, "a\0a\0a\0b\0c", 10) == 0);
    CHECK_INT(rows.columns[2].kind, FR_COLUMN_REALS);
    CHECK(ranks[0] == 1.5 && ranks[2] == 2.5 && ranks[4] == -1);
    CHECK_INT((int64_t)rows.columns[2].null_count, 2);
    CHECK(rows.columns[2].nulls[0] == 1 && rows.columns[2].nulls[1] == 3);
    CHECK(memcmp(rows.columns[3].data, "one\0\0\0four\0nine", 16) == 0);
    CHECK_INT((int64_t)rows.columns[3].null_count, 1);
    CHECK_INT(rows.columns[4].kind, FR_COLUMN_VALUES);
    CHECK_INT(others[0].integer, 1);
    CHECK_INT(others[1].type, FR_TYPE_TEXT);
    CHECK_INT(others[2].length, 1);
    CHECK_INT(others[3].type, FR_TYPE_NULL);
    CHECK_OK(fr_list_object_at(&first, list, path_at(0, 0)));
    CHECK_OK(fr_object_layout(&layout, first));
    CHECK(layout == rows.layout);
    fr_object_unref(first);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void they_continue_in_the_next_sections(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", "part", NULL, NULL);
    fr_rows rows = rows_at(list, 0, 2, 2);
    CHECK_INT((int64_t)rows.count, 2);
    CHECK(rows.paths[0].section == 0 && rows.paths[0].row == 2);
    CHECK(rows.paths[1].section == 1 && rows.paths[1].row == 0);
    rows = rows_at(list, 1, 1, 5);
    CHECK_INT((int64_t)rows.count, 1);
    CHECK(rows.paths[0].section == 2 && rows.paths[0].row == 0);
    CHECK_INT((int64_t)rows_at(list, 2, 1, 5).count, 0);
    CHECK_INT((int64_t)rows_at(list, 7, 0, 5).count, 0);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void composite_identities_have_a_column_for_each_value(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "pairs", NULL, NULL, NULL);
    fr_rows rows = rows_at(list, 0, 0, 9);
    CHECK_INT((int64_t)rows.identity_count, 2);
    CHECK(integers(&rows.identities[0])[0] == 1 && integers(&rows.identities[0])[1] == 2);
    CHECK(memcmp(rows.identities[1].data, "y\0x", 4) == 0);
    CHECK_INT((int64_t)rows.columns[2].null_count, 2);
    CHECK_INT(integers(&rows.columns[2])[1], 0);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void at_most_512_are_read(void)
{
    fr_store *store = store_with(
        "CREATE TABLE items(id INTEGER PRIMARY KEY);"
        "WITH RECURSIVE numbers(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < 5120)"
        " INSERT INTO items SELECT n FROM numbers;");
    fr_list *list = list_of(store, "items", NULL, NULL, NULL);
    static const size_t counts[] = {511, 512, 513, 5120, SIZE_MAX};
    size_t i;
    for (i = 0; i < sizeof counts / sizeof *counts; i++) {
        fr_rows rows = rows_at(list, 0, 7, counts[i]);
        int64_t expected = counts[i] < 512 ? (int64_t)counts[i] : 512;
        CHECK_INT((int64_t)rows.count, expected);
        CHECK_INT(integers(&rows.columns[0])[expected - 1], 7 + expected);
    }
    CHECK_INT((int64_t)rows_at(list, 0, 5000, 600).count, 120);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void wrong_arguments_are_errors(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", NULL, NULL, NULL);
    fr_rows rows;
    CHECK_STATUS(fr_list_rows(NULL, list, path_at(0, 0), 1), FR_MISUSE);
    CHECK_STATUS(fr_list_rows(&rows, NULL, path_at(0, 0), 1), FR_MISUSE);
    CHECK_STATUS(fr_list_rows(&rows, list, path_at(-1, 0), 1), FR_RANGE);
    CHECK_STATUS(fr_list_rows(&rows, list, path_at(0, -1), 1), FR_RANGE);
    CHECK_STATUS(fr_list_rows(&rows, list, path_at(0, INT64_MAX), 1), FR_RANGE);
    CHECK_STATUS(fr_list_rows(&rows, list, path_at(0, 0), 0), FR_RANGE);
    CHECK_INT((int64_t)rows_at(list, 0, 0, SIZE_MAX).count, 5);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void a_row_that_can_not_be_read_ends_them(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", NULL, NULL, NULL);
    fr_rows rows;
    CHECK_OK(fr_controller_pause(list));
    CHECK_OK(fr_store_execute(store, "UPDATE items SET name = 'x' WHERE id = 3", NULL, 0));
    CHECK_INT((int64_t)rows_at(list, 0, 0, 5).count, 2);
    CHECK_STATUS(fr_list_rows(&rows, list, path_at(0, 2), 5), FR_GONE);
    CHECK_INT((int64_t)rows_at(list, 0, 3, 5).count, 2);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static fr_rows identities_at(fr_list *list, int64_t section, int64_t row, size_t count)
{
    fr_rows rows;
    memset(&rows, 1, sizeof rows);
    CHECK_OK(fr_list_identities(&rows, list, path_at(section, row), count));
    return rows;
}

/* Also where the row can't be read, and the list reads nothing. */
static void identities_are_known_without_the_rows(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", "part", NULL, NULL);
    const fr_value *identity = NULL;
    size_t count = 0;
    fr_counters before = {.struct_size = sizeof before}, after = {.struct_size = sizeof after};
    fr_rows rows;
    CHECK_OK(fr_controller_pause(list));
    CHECK_OK(fr_store_execute(store, "UPDATE items SET name = 'x'", NULL, 0));
    CHECK_OK(fr_controller_counters(&before, list));
    rows = identities_at(list, 0, 1, 3);
    CHECK_INT((int64_t)rows.count, 3);
    CHECK_INT((int64_t)rows.column_count, 0);
    CHECK_INT((int64_t)rows.identity_count, 1);
    CHECK_INT(integers(&rows.identities[0])[0], 2);
    CHECK_INT(integers(&rows.identities[0])[2], 4);
    CHECK(rows.paths[2].section == 1 && rows.paths[2].row == 0);
    CHECK_INT((int64_t)identities_at(list, 2, 1, 10).count, 0);
    CHECK_INT((int64_t)identities_at(list, 1, 7, SIZE_MAX).count, 1);
    CHECK_OK(fr_list_identity_at(&identity, &count, list, path_at(2, 0)));
    CHECK_INT((int64_t)count, 1);
    CHECK_INT(identity[0].integer, 9);
    CHECK_OK(fr_controller_counters(&after, list));
    CHECK_INT(after.statements_run, before.statements_run);
    CHECK_STATUS(fr_list_identity_at(&identity, &count, list, path_at(2, 1)), FR_RANGE);
    CHECK_STATUS(fr_list_identity_at(&identity, &count, list, path_at(3, 0)), FR_RANGE);
    CHECK_STATUS(fr_list_identity_at(NULL, &count, list, path_at(0, 0)), FR_MISUSE);
    CHECK_STATUS(fr_list_identity_at(&identity, NULL, list, path_at(0, 0)), FR_MISUSE);
    CHECK_STATUS(fr_list_identity_at(&identity, &count, NULL, path_at(0, 0)), FR_MISUSE);
    CHECK_STATUS(fr_list_identities(NULL, list, path_at(0, 0), 1), FR_MISUSE);
    CHECK_STATUS(fr_list_identities(&rows, NULL, path_at(0, 0), 1), FR_MISUSE);
    CHECK_STATUS(fr_list_identities(&rows, list, path_at(-1, 0), 1), FR_RANGE);
    CHECK_STATUS(fr_list_identities(&rows, list, path_at(0, 0), 0), FR_RANGE);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void composite_identities_are_known_without_the_rows(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "pairs", NULL, NULL, NULL);
    fr_rows rows = identities_at(list, 0, 0, 10);
    const fr_value *identity = NULL;
    size_t count = 0;
    CHECK_INT((int64_t)rows.count, 2);
    CHECK_INT((int64_t)rows.identity_count, 2);
    CHECK_INT(integers(&rows.identities[0])[0], 1);
    CHECK(memcmp(rows.identities[1].data, "y\0x", 4) == 0);
    CHECK_OK(fr_list_identity_at(&identity, &count, list, path_at(0, 1)));
    CHECK_INT((int64_t)count, 2);
    CHECK_INT(identity[0].integer, 2);
    CHECK_TEXT(identity[1].data, "x");
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

TESTS(rows_tests) = {
    TEST(columns_have_the_values_of_all_rows),
    TEST(identities_of_null_keys_are_apart),
    TEST(they_continue_in_the_next_sections),
    TEST(composite_identities_have_a_column_for_each_value),
    TEST(at_most_512_are_read),
    TEST(wrong_arguments_are_errors),
    TEST(a_row_that_can_not_be_read_ends_them),
    TEST(identities_are_known_without_the_rows),
    TEST(composite_identities_are_known_without_the_rows),
    END_OF_TESTS,
};
