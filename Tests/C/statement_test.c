/* Prepared statements. */
#include <string.h>

#include "fixture.h"
#include "recorder.h"
#include "test.h"

#define SCHEMA \
    "CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT);" \
    "INSERT INTO items VALUES (1, 'a'), (2, 'b'), (3, 'c');"

static void rows_are_stepped_through(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_statement *statement = NULL;
    fr_value value = fr_null();
    const char *name = NULL;
    int32_t columns = 0;
    bool row = false;
    REQUIRE(CHECK_OK(fr_statement_prepare(&statement, store, "SELECT id, name AS title FROM items WHERE id > 1")));
    CHECK_OK(fr_statement_column_count(&columns, statement));
    CHECK_INT(columns, 2);
    CHECK_OK(fr_statement_column_name(&name, statement, 1));
    CHECK_TEXT(name, "title");
    CHECK_OK(fr_statement_step(&row, statement));
    CHECK(row);
    CHECK_OK(fr_statement_value(&value, statement, 0));
    CHECK_INT(value.integer, 2);
    CHECK_OK(fr_statement_value(&value, statement, 1));
    CHECK_TEXT(value_text(value), "b");
    CHECK_OK(fr_statement_step(&row, statement));
    CHECK(row);
    CHECK_OK(fr_statement_step(&row, statement));
    CHECK(!row);
    CHECK_STATUS(fr_statement_value(&value, statement, 0), FR_MISUSE);
    CHECK_OK(fr_statement_step(&row, statement));
    CHECK(row);
    fr_statement_free(statement);
    CHECK_OK(fr_store_close(store));
}

static void parameters_stay_bound(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_statement *statement = NULL;
    fr_value value = fr_text("B");
    fr_list *list = list_of(store, "items", NULL, NULL, NULL);
    REQUIRE(CHECK_OK(fr_statement_prepare(&statement, store, "UPDATE items SET name = ?1 || name WHERE id = :id")));
    CHECK_OK(fr_statement_bind(statement, 1, &value));
    value = fr_integer(2);
    CHECK_OK(fr_statement_bind_named(statement, "id", &value));
    CHECK_OK(fr_statement_execute(statement));
    CHECK_OK(fr_statement_execute(statement));
    CHECK_CONTENTS(list, "1(1, a) 2(2, BBb) 3(3, c)");
    value = fr_integer(3);
    CHECK_OK(fr_statement_bind_named(statement, ":id", &value));
    CHECK_OK(fr_statement_execute(statement));
    CHECK_CONTENTS(list, "1(1, a) 2(2, BBb) 3(3, Bc)");
    fr_statement_free(statement);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void unbound_parameter_is_null(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_statement *statement = NULL;
    fr_list *list = list_of(store, "items", NULL, NULL, NULL);
    REQUIRE(CHECK_OK(fr_statement_prepare(&statement, store, "UPDATE items SET name = ? WHERE id = 1")));
    CHECK_OK(fr_statement_execute(statement));
    CHECK_CONTENTS(list, "1(1, NULL) 2(2, b) 3(3, c)");
    fr_statement_free(statement);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void binding_is_refused_where_it_is_out_of_place(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_statement *statement = NULL;
    fr_value value = fr_integer(1), wrong = fr_null();
    bool row = false;
    REQUIRE(CHECK_OK(fr_statement_prepare(&statement, store, "SELECT id FROM items WHERE id >= ?1")));
    CHECK_STATUS(fr_statement_bind(statement, 0, &value), FR_RANGE);
    CHECK_STATUS(fr_statement_bind(statement, 2, &value), FR_RANGE);
    CHECK_STATUS(fr_statement_bind(statement, INT32_MAX, &value), FR_RANGE);
    CHECK_STATUS(fr_statement_bind(statement, INT32_MIN, &value), FR_RANGE);
    CHECK_STATUS(fr_statement_bind(statement, 1, NULL), FR_MISUSE);
    wrong.type = 99;
    CHECK_STATUS(fr_statement_bind(statement, 1, &wrong), FR_TYPE);
    wrong = fr_text("\xff");
    CHECK_STATUS(fr_statement_bind(statement, 1, &wrong), FR_INVALID_UTF8);
    CHECK_STATUS(fr_statement_bind_named(statement, "id", &value), FR_SQL);
    CHECK_STATUS(fr_statement_bind_named(statement, "\xff", &value), FR_INVALID_UTF8);
    CHECK_OK(fr_statement_bind(statement, 1, &value));
    CHECK_OK(fr_statement_step(&row, statement));
    CHECK_STATUS(fr_statement_bind(statement, 1, &value), FR_MISUSE);
    CHECK_OK(fr_statement_reset(statement));
    CHECK_OK(fr_statement_bind(statement, 1, &value));
    fr_statement_free(statement);
    CHECK_OK(fr_store_close(store));
}

static void exactly_one_statement_is_prepared(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_statement *statement = NULL;
    CHECK_STATUS(fr_statement_prepare(&statement, store, ""), FR_SQL);
    CHECK_STATUS(fr_statement_prepare(&statement, store, "SELECT 1; SELECT 2"), FR_SQL);
    CHECK_STATUS(fr_statement_prepare(&statement, store, "SELECT nonsense"), FR_SQL);
    CHECK_TEXT(fr_error_sql(), "SELECT nonsense");
    CHECK(statement == NULL);
    CHECK_OK(fr_store_close(store));
}

static void columns_out_of_range(void)
{
    static const int32_t wrong[] = {-1, 1, INT32_MAX, INT32_MIN};
    fr_store *store = store_with(SCHEMA);
    fr_statement *statement = NULL;
    const char *name = "untouched";
    fr_value value = fr_integer(9);
    bool row = false;
    size_t index;
    REQUIRE(CHECK_OK(fr_statement_prepare(&statement, store, "SELECT id FROM items")));
    CHECK_STATUS(fr_statement_value(&value, statement, 0), FR_MISUSE);
    CHECK_OK(fr_statement_step(&row, statement));
    for (index = 0; index < sizeof wrong / sizeof *wrong; index++) {
        CHECK_STATUS(fr_statement_value(&value, statement, wrong[index]), FR_RANGE);
        CHECK_STATUS(fr_statement_column_name(&name, statement, wrong[index]), FR_RANGE);
    }
    CHECK_TEXT(name, "untouched");
    CHECK_INT(value.integer, 9);
    fr_statement_free(statement);
    CHECK_OK(fr_store_close(store));
}

static void stepped_write_is_delivered_at_its_end(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", NULL, NULL, NULL);
    struct recorder recorder;
    fr_statement *statement = NULL;
    fr_value value = fr_null();
    bool row = false;
    recorder_start(&recorder, list);
    REQUIRE(CHECK_OK(fr_statement_prepare(&statement, store, "INSERT INTO items VALUES (4, 'd') RETURNING id")));
    CHECK_OK(fr_statement_step(&row, statement));
    CHECK(row);
    CHECK_OK(fr_statement_value(&value, statement, 0));
    CHECK_INT(value.integer, 4);
    CHECK_LOG(&recorder, "");
    CHECK_OK(fr_statement_step(&row, statement));
    CHECK(!row);
    CHECK_LOG(&recorder, "[insert 0.3]");
    fr_statement_free(statement);
    fr_list_free(list);
    recorder_free(&recorder);
    CHECK_OK(fr_store_close(store));
}

static void failing_statement_can_run_again(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_statement *statement = NULL;
    fr_value value = fr_integer(1);
    REQUIRE(CHECK_OK(fr_statement_prepare(&statement, store, "INSERT INTO items VALUES (?, 'x')")));
    CHECK_OK(fr_statement_bind(statement, 1, &value));
    CHECK_STATUS(fr_statement_execute(statement), FR_CONSTRAINT);
    CHECK_TEXT(fr_error_sql(), "INSERT INTO items VALUES (?, 'x')");
    value = fr_integer(9);
    CHECK_OK(fr_statement_bind(statement, 1, &value));
    CHECK_OK(fr_statement_execute(statement));
    fr_statement_free(statement);
    CHECK_OK(fr_store_close(store));
}

static void statement_survives_a_change_of_schema(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_statement *statement = NULL;
    int32_t columns = 0;
    bool row = false;
    REQUIRE(CHECK_OK(fr_statement_prepare(&statement, store, "SELECT * FROM items")));
    run(store, "ALTER TABLE items ADD COLUMN extra");
    CHECK_OK(fr_statement_step(&row, statement));
    CHECK_OK(fr_statement_column_count(&columns, statement));
    CHECK_INT(columns, 3);
    fr_statement_free(statement);
    CHECK_OK(fr_store_close(store));
}

static bool in_transaction(fr_store *store)
{
    bool is = false;
    CHECK_OK(fr_store_in_transaction(&is, store));
    return is;
}

/* A statement that writes and has yielded one row of several. */
static void halfway_statement_that_is_reset_or_freed_commits(void)
{
    int way;
    for (way = 0; way < 3; way++) {
        fr_store *store = store_with(SCHEMA);
        fr_list *list = list_of(store, "items", NULL, NULL, NULL);
        fr_statement *statement = NULL;
        bool row = false;
        REQUIRE(CHECK_OK(
            fr_statement_prepare(&statement, store, "INSERT INTO items(name) VALUES ('d'), ('e') RETURNING id")));
        CHECK_OK(fr_statement_step(&row, statement));
        CHECK_LIST(list, "1 2 3");
        CHECK_STATUS(fr_store_begin(store, FR_IMMEDIATE), FR_BUSY);
        if (way == 0) {
            CHECK_OK(fr_statement_reset(statement));
        } else if (way == 1) {
            fr_statement_free(statement);
        } else {
            CHECK_OK(fr_statement_execute(statement));
        }
        CHECK(!in_transaction(store));
        CHECK_LIST(list, way == 2 ? "1 2 3 4 5 6 7" : "1 2 3 4 5");
        if (way != 1) {
            fr_statement_free(statement);
        }
        fr_list_free(list);
        CHECK_OK(fr_store_close(store));
    }
}

static void halfway_statement_that_can_not_commit_says_so(void)
{
    fr_store *store = store_with(SCHEMA "CREATE TABLE lines(item REFERENCES items DEFERRABLE INITIALLY DEFERRED)");
    fr_statement *statement = NULL;
    bool row = false;
    REQUIRE(CHECK_OK(fr_statement_prepare(&statement, store, "INSERT INTO lines VALUES (7), (8) RETURNING item")));
    CHECK_OK(fr_statement_step(&row, statement));
    CHECK_STATUS(fr_statement_reset(statement), FR_CONSTRAINT);
    CHECK(!in_transaction(store));
    CHECK_OK(fr_statement_step(&row, statement));
    CHECK_STATUS(fr_statement_execute(statement), FR_CONSTRAINT);
    CHECK_OK(fr_statement_step(&row, statement));
    CHECK_STATUS(fr_store_close(store), FR_CONSTRAINT);
    CHECK_STATUS(fr_store_dispatch(store), FR_MISUSE);
    fr_statement_free(statement);
}

TESTS(statement_tests) = {
    TEST(rows_are_stepped_through),
    TEST(parameters_stay_bound),
    TEST(unbound_parameter_is_null),
    TEST(binding_is_refused_where_it_is_out_of_place),
    TEST(exactly_one_statement_is_prepared),
    TEST(columns_out_of_range),
    TEST(stepped_write_is_delivered_at_its_end),
    TEST(failing_statement_can_run_again),
    TEST(statement_survives_a_change_of_schema),
    TEST(halfway_statement_that_is_reset_or_freed_commits),
    TEST(halfway_statement_that_can_not_commit_says_so),
    END_OF_TESTS,
};
