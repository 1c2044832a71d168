/* Collations of the program's own. */
#include <string.h>

#include "fixture.h"
#include "test.h"

/* Shorter strings first, then by bytes. */
static int32_t by_length(const char *a, size_t a_length, const char *b, size_t b_length, void *user_data)
{
    int *calls = user_data;
    if (calls != NULL) {
        *calls += 1;
    }
    if (a_length != b_length) {
        return a_length < b_length ? -1 : 1;
    }
    return a_length == 0 ? 0 : memcmp(a, b, a_length);
}

static void count_destroyed(void *user_data)
{
    *(int *)user_data += 1;
}

static void sorts_and_sections_follow_it(void)
{
    fr_store *store = store_with("CREATE TABLE words(id INTEGER PRIMARY KEY, word TEXT)");
    fr_request *request = NULL;
    fr_list *list = NULL;
    int calls = 0;
    CHECK_OK(fr_store_add_collation(store, "LENGTH", by_length, &calls, NULL));
    run(store, "INSERT INTO words VALUES (1, 'ccc'), (2, 'b'), (3, 'aaaa'), (4, 'a')");
    CHECK_OK(fr_request_new(&request, "words"));
    CHECK_OK(fr_request_add_sort(request, "word", FR_ASCENDING, "length"));
    REQUIRE(CHECK_OK(fr_controller_new(&list, store, request)));
    CHECK_OK(fr_list_perform_fetch(list));
    CHECK_LIST(list, "4 2 1 3");
    run(store, "UPDATE words SET word = 'dd' WHERE id = 3");
    CHECK_LIST(list, "4 2 3 1");
    CHECK(calls > 0);
    fr_list_free(list);
    fr_request_free(request);
    CHECK_OK(fr_store_close(store));
}

static void column_declared_with_it(void)
{
    fr_store *store = NULL;
    fr_list *list;
    CHECK_OK(fr_store_open(&store, ":memory:", NULL));
    CHECK_OK(fr_store_add_collation(store, "LENGTH", by_length, NULL, NULL));
    run(store, "CREATE TABLE words(id INTEGER PRIMARY KEY, word TEXT COLLATE LENGTH);"
               "INSERT INTO words VALUES (1, 'ccc'), (2, 'b'), (3, 'aaaa')");
    list = list_of(store, "words", NULL, "word", NULL);
    CHECK_LIST(list, "2 1 3");
    run(store, "INSERT INTO words VALUES (4, 'zz')");
    CHECK_LIST(list, "2 4 1 3");
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void destroyed_once_when_replaced_and_closed(void)
{
    fr_store *store = store_with("CREATE TABLE t(v)");
    int first = 0, second = 0;
    CHECK_OK(fr_store_add_collation(store, "MINE", by_length, &first, count_destroyed));
    CHECK_INT(first, 0);
    CHECK_OK(fr_store_add_collation(store, "mine", by_length, &second, count_destroyed));
    CHECK_INT(first, 1);
    CHECK_INT(second, 0);
    CHECK_OK(fr_store_close(store));
    CHECK_INT(first, 1);
    CHECK_INT(second, 1);
}

static void destroyed_once_when_it_fails(void)
{
    fr_store *store = store_with("CREATE TABLE t(v)"), *closed = store_with("");
    int destroyed = 0;
    CHECK_OK(fr_store_close(closed));
    CHECK_STATUS(fr_store_add_collation(NULL, "MINE", by_length, &destroyed, count_destroyed), FR_MISUSE);
    CHECK_INT(destroyed, 1);
    CHECK_STATUS(fr_store_add_collation(store, NULL, by_length, &destroyed, count_destroyed), FR_MISUSE);
    CHECK_INT(destroyed, 2);
    CHECK_STATUS(fr_store_add_collation(store, "MINE", NULL, &destroyed, count_destroyed), FR_MISUSE);
    CHECK_INT(destroyed, 3);
    CHECK_STATUS(fr_store_add_collation(store, "\xff", by_length, &destroyed, count_destroyed), FR_INVALID_UTF8);
    CHECK_INT(destroyed, 4);
    CHECK_STATUS(fr_store_add_collation(closed, "MINE", by_length, &destroyed, count_destroyed), FR_MISUSE);
    CHECK_INT(destroyed, 5);
    CHECK_OK(fr_store_close(store));
    CHECK_INT(destroyed, 5);
}

static void busy_while_a_statement_runs(void)
{
    fr_store *store = store_with("CREATE TABLE t(v); INSERT INTO t VALUES (1), (2)");
    fr_statement *statement = NULL;
    int first = 0, second = 0;
    bool row = false;
    CHECK_OK(fr_store_add_collation(store, "MINE", by_length, &first, count_destroyed));
    CHECK_OK(fr_statement_prepare(&statement, store, "SELECT v FROM t ORDER BY v COLLATE MINE"));
    CHECK_OK(fr_statement_step(&row, statement));
    CHECK(row);
    CHECK_STATUS(fr_store_add_collation(store, "MINE", by_length, &second, count_destroyed), FR_BUSY);
    CHECK_INT(first, 0);
    CHECK_INT(second, 1);
    fr_statement_free(statement);
    CHECK_OK(fr_store_close(store));
    CHECK_INT(first, 1);
    CHECK_INT(second, 1);
}

static void unknown_collation_is_a_schema_error(void)
{
    fr_store *store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY, v)");
    fr_request *request = NULL;
    fr_list *list = NULL;
    CHECK_OK(fr_request_new(&request, "t"));
    CHECK_OK(fr_request_add_sort(request, "v", FR_ASCENDING, "ELSEWHERE"));
    CHECK_STATUS(fr_controller_new(&list, store, request), FR_SCHEMA);
    CHECK(strstr(fr_error_message(), "ELSEWHERE") != NULL);
    fr_request_free(request);
    CHECK_OK(fr_store_close(store));
}

TESTS(store_collation_tests) = {
    TEST(sorts_and_sections_follow_it),
    TEST(column_declared_with_it),
    TEST(destroyed_once_when_replaced_and_closed),
    TEST(destroyed_once_when_it_fails),
    TEST(busy_while_a_statement_runs),
    TEST(unknown_collation_is_a_schema_error),
    END_OF_TESTS,
};
