/* SQL functions and aggregates of the program's own. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "test.h"

#define ITEMS "CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT);"

static fr_function function_with(uint32_t flags, int32_t argument_count)
{
    fr_function function;
    memset(&function, 0, sizeof function);
    function.struct_size = sizeof function;
    function.flags = flags;
    function.argument_count = argument_count;
    return function;
}

/* The one value of a statement as text, or its error; valid until the next call. */
static const char *answer(fr_store *store, const char *sql)
{
    static char text[400];
    fr_statement *statement = NULL;
    fr_value value;
    bool row = false;
    text[0] = '\0';
    if (fr_statement_prepare(&statement, store, sql) != FR_OK || fr_statement_step(&row, statement) != FR_OK) {
        snprintf(text, sizeof text, "%s: %s", fr_status_name(fr_error_status()), fr_error_message());
    } else if (row && CHECK_OK(fr_statement_value(&value, statement, 0))) {
        snprintf(text, sizeof text, "%s", value_text(value));
    }
    fr_statement_free(statement);
    return text;
}

static void count_destroyed(void *user_data)
{
    *(int *)user_data += 1;
}

/* The text backwards, in memory of its own. */
static fr_status reversed(fr_value *result, const fr_value *arguments, size_t count, void *user_data)
{
    int64_t length = arguments[0].length, index;
    char *text;
    (void)user_data;
    CHECK_INT(count, 1);
    if (arguments[0].type != FR_TYPE_TEXT) {
        return FR_OK;
    }
    text = malloc((size_t)length + 1);
    for (index = 0; index < length; index++) {
        text[index] = arguments[0].data[length - 1 - index];
    }
    text[length] = '\0';
    *result = fr_text(text);
    return FR_OK;
}

static void add_reversed(fr_store *store, uint32_t flags)
{
    fr_function function = function_with(flags, 1);
    function.call = reversed;
    function.free_data = free;
    CHECK_OK(fr_store_add_function(store, "reversed", &function, NULL, NULL));
}

/* The first argument, unchanged. */
static fr_status same(fr_value *result, const fr_value *arguments, size_t count, void *user_data)
{
    int *calls = user_data;
    if (calls != NULL) {
        *calls += 1;
    }
    if (count > 0) {
        *result = arguments[0];
    }
    return FR_OK;
}

static void add_same(fr_store *store, int32_t argument_count, int *calls, fr_destroy destroy)
{
    fr_function function = function_with(0, argument_count);
    function.call = same;
    CHECK_OK(fr_store_add_function(store, "same", &function, calls, destroy));
}

static void values_of_all_types_pass(void)
{
    fr_store *store = store_with("");
    add_same(store, -1, NULL, NULL);
    add_reversed(store, FR_FUNCTION_DETERMINISTIC);
    CHECK_TEXT(answer(store, "SELECT same(-7)"), "-7");
    CHECK_TEXT(answer(store, "SELECT same(2.5)"), "2.5");
    CHECK_TEXT(answer(store, "SELECT same('tea')"), "tea");
    CHECK_TEXT(answer(store, "SELECT quote(same(x'00ff'))"), "X'00FF'");
    CHECK_TEXT(answer(store, "SELECT typeof(same(x'')) || typeof(same('')) || typeof(same(NULL))"), "blobtextnull");
    CHECK_TEXT(answer(store, "SELECT typeof(same())"), "null");
    CHECK_TEXT(answer(store, "SELECT same('first', 2, 3)"), "first");
    CHECK_TEXT(answer(store, "SELECT reversed('abc')"), "cba");
    CHECK_OK(fr_store_close(store));
}

static void the_schema_may_use_a_deterministic_one(void)
{
    fr_store *store = store_with(ITEMS);
    add_same(store, 1, NULL, NULL);
    CHECK_STATUS(fr_store_execute_script(store, "CREATE INDEX i ON items(same(name))"), FR_SQL);
    add_reversed(store, FR_FUNCTION_DETERMINISTIC);
    run(store, "CREATE INDEX i ON items(reversed(name)); INSERT INTO items VALUES (1, 'tea')");
    CHECK_TEXT(answer(store, "SELECT id FROM items WHERE reversed(name) = 'aet'"), "1");
    CHECK_OK(fr_store_close(store));
}

/* A sum of products, in memory of its own. */
struct sum {
    int64_t value;
};

static int live_sums = 0;

static struct sum *sum_of(void **group)
{
    if (*group == NULL) {
        *group = calloc(1, sizeof(struct sum));
        live_sums += 1;
    }
    return *group;
}

static fr_status add(fr_value *result, void **group, const fr_value *arguments, size_t count, void *user_data)
{
    CHECK_INT(count, 1);
    CHECK(user_data == &live_sums);
    sum_of(group)->value += arguments[0].integer;
    if (arguments[0].integer == 13) {
        *result = fr_text("no unlucky numbers");
        return FR_RANGE;
    }
    return FR_OK;
}

static fr_status subtract(fr_value *result, void **group, const fr_value *arguments, size_t count, void *user_data)
{
    (void)result, (void)count, (void)user_data;
    sum_of(group)->value -= arguments[0].integer;
    return FR_OK;
}

static fr_status present(fr_value *result, void **group, void *user_data)
{
    (void)user_data;
    *result = fr_integer(sum_of(group)->value);
    return FR_OK;
}

static fr_status total(fr_value *result, void **group, void *user_data)
{
    present(result, group, user_data);
    free(*group);
    live_sums -= 1;
    return FR_OK;
}

static void add_total(fr_store *store, bool is_window)
{
    fr_function function = function_with(0, 1);
    function.step = add;
    function.finalize = total;
    if (is_window) {
        function.value = present;
        function.inverse = subtract;
    }
    CHECK_OK(fr_store_add_function(store, "add_up", &function, &live_sums, NULL));
}

static void aggregates_have_groups(void)
{
    fr_store *store = store_with("CREATE TABLE t(k, v); INSERT INTO t VALUES (1, 2), (1, 5), (2, 30)");
    live_sums = 0;
    add_total(store, false);
    CHECK_TEXT(answer(store, "SELECT add_up(v) FROM t"), "37");
    CHECK_TEXT(answer(store, "SELECT group_concat(s) FROM (SELECT add_up(v) s FROM t GROUP BY k)"), "7,30");
    CHECK_TEXT(answer(store, "SELECT add_up(v) FROM t WHERE v > 99"), "0");
    CHECK_TEXT(answer(store, "SELECT add_up(v) FILTER (WHERE k = 1) + add_up(v) FROM t"), "44");
    CHECK_TEXT(answer(store, "SELECT add_up(v) OVER () FROM t"),
               "FR_SQL: add_up() may not be used as a window function");
    CHECK_INT(live_sums, 0);
    CHECK_OK(fr_store_close(store));
}

static void aggregates_can_be_window_functions(void)
{
    fr_store *store = store_with("CREATE TABLE t(v); INSERT INTO t VALUES (1), (2), (30)");
    live_sums = 0;
    add_total(store, true);
    CHECK_TEXT(
        answer(store, "SELECT group_concat(s) FROM (SELECT add_up(v) OVER (ORDER BY v ROWS 1 PRECEDING) s FROM t)"),
        "1,3,32");
    CHECK_TEXT(answer(store, "SELECT group_concat(s) FROM (SELECT add_up(v) OVER "
                             "(ORDER BY v ROWS BETWEEN 2 PRECEDING AND 2 PRECEDING) s FROM t)"),
               "0,0,1");
    CHECK_TEXT(answer(store, "SELECT add_up(v) FROM t"), "33");
    CHECK_INT(live_sums, 0);
    CHECK_OK(fr_store_close(store));
}

static void a_failed_group_is_finalized(void)
{
    fr_store *store = store_with("CREATE TABLE t(v); INSERT INTO t VALUES (1), (13), (30)");
    live_sums = 0;
    add_total(store, false);
    CHECK_TEXT(answer(store, "SELECT add_up(v) FROM t"), "FR_ERROR: no unlucky numbers");
    CHECK_INT(live_sums, 0);
    CHECK_OK(fr_store_close(store));
}

/* Fails as user_data says. */
struct failing {
    fr_status status;
    const char *text;
    fr_store *store;
};

static fr_status fail_so(fr_value *result, const fr_value *arguments, size_t count, void *user_data)
{
    struct failing *failing = user_data;
    (void)arguments, (void)count;
    *result = fr_text(failing->text);
    if (failing->store != NULL) {
        failing->status = fr_store_execute(failing->store, "SELECT 1", NULL, 0);
    }
    return failing->status;
}

static void its_failure_is_that_of_the_statement(void)
{
    struct failing failing = {FR_RANGE, NULL, NULL};
    fr_function function = function_with(0, 0);
    fr_store *store = store_with(ITEMS);
    function.call = fail_so;
    CHECK_OK(fr_store_add_function(store, "fails", &function, &failing, NULL));
    CHECK_TEXT(answer(store, "SELECT fails()"), "FR_ERROR: the SQL function fails returned FR_RANGE");
    failing.text = "a message";
    CHECK_TEXT(answer(store, "SELECT fails()"), "FR_ERROR: a message");
    CHECK_STATUS(fr_store_execute(store, "INSERT INTO items VALUES (1, fails())", NULL, 0), FR_ERROR);
    CHECK_TEXT(answer(store, "SELECT count(*) FROM items"), "0");
    failing.status = FR_NO_MEMORY;
    CHECK_STATUS(fr_store_execute(store, "INSERT INTO items VALUES (1, fails())", NULL, 0), FR_NO_MEMORY);
    failing.status = FR_OK;
    failing.text = "\xff";
    CHECK_TEXT(answer(store, "SELECT fails()"), "FR_ERROR: the result of the SQL function fails is not valid UTF-8");
    /* The store can't be used in the middle of its statement. */
    failing.text = NULL;
    failing.store = store;
    CHECK_TEXT(answer(store, "SELECT fails()"),
               "FR_ERROR: a collation, a SQL function or the progress of a fetch can't use its own store");
    CHECK_INT(failing.status, FR_MISUSE);
    CHECK_OK(fr_store_close(store));
}

/* As a callback of a language that leaves it by an exception: some or all of its work is undone. */
static fr_status ends_early(fr_value *result, const fr_value *arguments, size_t count, void *user_data)
{
    struct failing *failing = user_data;
    (void)arguments, (void)count;
    CHECK_INT(result->type, FR_TYPE_UNSET);
    CHECK(result->data == NULL && result->length == 0);
    if (failing->text != NULL) {
        result->data = failing->text;
        result->length = (int64_t)strlen(failing->text);
    }
    return failing->status;
}

static fr_status no_step(fr_value *result, void **group, const fr_value *arguments, size_t count, void *user_data)
{
    (void)group;
    return ends_early(result, arguments, count, user_data);
}

static fr_status null_at_the_end(fr_value *result, void **group, void *user_data)
{
    (void)group, (void)user_data;
    CHECK_INT(result->type, FR_TYPE_UNSET);
    *result = fr_null();
    return FR_OK;
}

static fr_status answers(fr_value *result, const fr_value *arguments, size_t count, void *user_data)
{
    (void)user_data, (void)count;
    CHECK_INT(result->type, FR_TYPE_UNSET);
    *result = arguments[0];
    return FR_RANGE;
}

static void an_unset_result_is_a_failure(void)
{
    struct failing failing = {FR_OK, NULL, NULL};
    fr_function function = function_with(FR_FUNCTION_SETS_RESULT, 1);
    fr_store *store = store_with(ITEMS);
    function.call = ends_early;
    CHECK_OK(fr_store_add_function(store, "ends", &function, &failing, NULL));
    function.call = answers;
    CHECK_OK(fr_store_add_function(store, "answers", &function, NULL, NULL));
    function.call = NULL;
    function.step = no_step;
    function.finalize = null_at_the_end;
    CHECK_OK(fr_store_add_function(store, "ends_group", &function, &failing, NULL));
    CHECK_TEXT(answer(store, "SELECT answers('tea')"), "tea");
    CHECK_TEXT(answer(store, "SELECT typeof(answers(NULL))"), "null");
    CHECK_TEXT(answer(store, "SELECT typeof(ends_group(1)) FROM (SELECT 1) WHERE 0"), "null");
    CHECK_TEXT(answer(store, "SELECT ends(1)"), "FR_ERROR: the SQL function ends has ended without a result");
    CHECK_TEXT(answer(store, "SELECT ends_group(1)"),
               "FR_ERROR: the SQL function ends_group has ended without a result");
    CHECK_STATUS(fr_store_execute(store, "INSERT INTO items VALUES (1, ends(1))", NULL, 0), FR_ERROR);
    failing.status = FR_RANGE;
    CHECK_TEXT(answer(store, "SELECT ends(1)"), "FR_ERROR: the SQL function ends returned FR_RANGE");
    failing.text = "a message";
    CHECK_TEXT(answer(store, "SELECT ends(1)"), "FR_ERROR: a message");
    failing.status = FR_OK;
    CHECK_TEXT(answer(store, "SELECT ends(1)"), "FR_ERROR: a message");
    failing.text = "\xff";
    CHECK_TEXT(answer(store, "SELECT ends(1)"), "FR_ERROR: the SQL function ends has ended without a result");
    CHECK_TEXT(answer(store, "SELECT count(*) FROM items"), "0");
    CHECK_OK(fr_store_close(store));
}

static void destroyed_once_when_replaced_and_closed(void)
{
    fr_store *store = store_with("");
    int first = 0, second = 0, other = 0;
    add_same(store, 1, &first, count_destroyed);
    add_same(store, 2, &other, count_destroyed);
    CHECK_INT(first, 0);
    {
        fr_function function = function_with(0, 1);
        function.call = same;
        CHECK_OK(fr_store_add_function(store, "SAME", &function, &second, count_destroyed));
    }
    CHECK_INT(first, 1);
    CHECK_INT(second, 0);
    CHECK_OK(fr_store_close(store));
    CHECK_INT(first, 1);
    CHECK_INT(second, 1);
    CHECK_INT(other, 1);
}

static void destroyed_once_when_it_fails(void)
{
    fr_store *store = store_with("");
    fr_function good = function_with(0, 1), bad;
    int destroyed = 0;
    good.call = same;
    CHECK_STATUS(fr_store_add_function(NULL, "f", &good, &destroyed, count_destroyed), FR_MISUSE);
    CHECK_STATUS(fr_store_add_function(store, NULL, &good, &destroyed, count_destroyed), FR_MISUSE);
    CHECK_STATUS(fr_store_add_function(store, "f", NULL, &destroyed, count_destroyed), FR_MISUSE);
    CHECK_STATUS(fr_store_add_function(store, "\xff", &good, &destroyed, count_destroyed), FR_INVALID_UTF8);
    CHECK_STATUS(fr_store_add_function(store, "", &good, &destroyed, count_destroyed), FR_RANGE);
    CHECK_STATUS(fr_store_add_function(store, "FR_collect", &good, &destroyed, count_destroyed), FR_MISUSE);
    CHECK_INT(destroyed, 6);
    bad = good;
    bad.argument_count = -2;
    CHECK_STATUS(fr_store_add_function(store, "f", &bad, &destroyed, count_destroyed), FR_RANGE);
    bad.argument_count = INT32_MAX;
    CHECK_STATUS(fr_store_add_function(store, "f", &bad, &destroyed, count_destroyed), FR_RANGE);
    bad = good;
    bad.flags = 64;
    CHECK_STATUS(fr_store_add_function(store, "f", &bad, &destroyed, count_destroyed), FR_RANGE);
    bad = good;
    bad.struct_size = 8;
    CHECK_STATUS(fr_store_add_function(store, "f", &bad, &destroyed, count_destroyed), FR_RANGE);
    bad = good;
    bad.call = NULL;
    CHECK_STATUS(fr_store_add_function(store, "f", &bad, &destroyed, count_destroyed), FR_MISUSE);
    bad.step = add;
    CHECK_STATUS(fr_store_add_function(store, "f", &bad, &destroyed, count_destroyed), FR_MISUSE);
    bad.finalize = total;
    bad.value = present;
    CHECK_STATUS(fr_store_add_function(store, "f", &bad, &destroyed, count_destroyed), FR_MISUSE);
    bad.call = same;
    CHECK_STATUS(fr_store_add_function(store, "f", &bad, &destroyed, count_destroyed), FR_MISUSE);
    CHECK_INT(destroyed, 14);
    CHECK_OK(fr_store_close(store));
    CHECK_INT(destroyed, 14);
}

static void busy_while_a_statement_runs(void)
{
    fr_store *store = store_with("CREATE TABLE t(v); INSERT INTO t VALUES (1), (2)");
    fr_function function = function_with(0, 1);
    fr_statement *statement = NULL;
    int destroyed = 0;
    bool row = false;
    function.call = same;
    add_same(store, 1, NULL, NULL);
    CHECK_OK(fr_statement_prepare(&statement, store, "SELECT same(v) FROM t"));
    CHECK_OK(fr_statement_step(&row, statement));
    CHECK_STATUS(fr_store_add_function(store, "same", &function, &destroyed, count_destroyed), FR_BUSY);
    CHECK_INT(destroyed, 1);
    fr_statement_free(statement);
    CHECK_OK(fr_store_close(store));
}

static void an_adopted_connection_keeps_it(void)
{
    fr_store *store = NULL;
    sqlite3 *db = NULL;
    int destroyed = 0;
    REQUIRE(sqlite3_open(":memory:", &db) == SQLITE_OK);
    CHECK_OK(fr_store_adopt(&store, db, NULL));
    add_same(store, -1, &destroyed, count_destroyed);
    CHECK_OK(fr_store_close(store));
    CHECK_INT(destroyed, 0);
    CHECK(sqlite3_exec(db, "SELECT same()", NULL, NULL, NULL) == SQLITE_OK);
    CHECK_INT(destroyed, 1); /* the calls count there too */
    CHECK(sqlite3_close(db) == SQLITE_OK);
    CHECK_INT(destroyed, 2);
}

static void note_completion(fr_list *list, const fr_error *error, void *user_data)
{
    (void)list;
    *(fr_status *)user_data = error == NULL ? FR_OK : error->status;
}

static void fetches_in_the_background_use_it(void)
{
    static const uint32_t flags[] = {0, FR_FUNCTION_ANY_THREAD};
    size_t index;
    for (index = 0; index < 2; index++) {
        fr_store *store = store_in_file("background.db");
        fr_request *request = request_of("items", NULL, "name", "reversed(name) = 'aet'");
        fr_list *list = NULL;
        fr_status completion = FR_BUSY;
        int waits = 0;
        run(store, "DROP TABLE IF EXISTS items;" ITEMS "INSERT INTO items VALUES (1, 'tea'), (2, 'eat')");
        add_reversed(store, flags[index]);
        CHECK_OK(fr_controller_new(&list, store, request));
        CHECK_OK(fr_list_perform_fetch_async(list, NULL, note_completion, &completion, NULL));
        while (completion == FR_BUSY && waits++ < 500) {
            CHECK_OK(fr_store_wait(store, 100));
        }
        CHECK_INT(completion, FR_OK);
        CHECK_LIST(list, "1");
        fr_request_free(request);
        fr_list_free(list);
        CHECK_OK(fr_store_close(store));
    }
}

TESTS(store_function_tests) = {
    TEST(values_of_all_types_pass),
    TEST(the_schema_may_use_a_deterministic_one),
    TEST(aggregates_have_groups),
    TEST(aggregates_can_be_window_functions),
    TEST(a_failed_group_is_finalized),
    TEST(its_failure_is_that_of_the_statement),
    TEST(an_unset_result_is_a_failure),
    TEST(destroyed_once_when_replaced_and_closed),
    TEST(destroyed_once_when_it_fails),
    TEST(busy_while_a_statement_runs),
    TEST(an_adopted_connection_keeps_it),
    TEST(fetches_in_the_background_use_it),
    END_OF_TESTS,
};
