/* Requests that are a whole SELECT. */
#include <string.h>

#include "test.h"
#include "watched.h"

#define SCHEMA \
    "CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT, town TEXT);" \
    "CREATE TABLE orders(id INTEGER PRIMARY KEY, person INTEGER, amount INTEGER);" \
    "INSERT INTO people VALUES (1, 'ann', 'Oulu'), (2, 'bob', 'Lund'), (3, 'cid', 'Lund');" \
    "INSERT INTO orders VALUES (1, 1, 10), (2, 2, 30), (3, 2, 5);"

static const char *const person[] = {"person"};

static fr_request *select_of(const char *sql, const char *section)
{
    fr_request *request = NULL;
    CHECK_OK(fr_request_new_select(&request, sql, NULL, 0, person, 1, section));
    return request;
}

static void parameters_are_bound(void)
{
    fr_request *request = NULL;
    fr_value town = fr_text("Lund");
    struct watched w;
    CHECK_OK(fr_request_new_select(&request, "SELECT id AS person, name FROM people WHERE town = ?1", &town, 1, person,
                                   1, NULL));
    watch_request(&w, SCHEMA, request);
    CHECK_LIST(w.list, "2 3");
    unwatch(&w);
}

/* The status of making a controller of a SELECT, or of its fetch. */
static fr_status status_of(fr_store *store, const char *sql, const char *section)
{
    fr_request *request = select_of(sql, section);
    fr_list *list = NULL;
    fr_status status = fr_controller_new(&list, store, request);
    if (status == FR_OK) {
        status = fr_list_perform_fetch(list);
    }
    fr_list_free(list);
    fr_request_free(request);
    return status;
}

static void errors_are_reported(void)
{
    fr_store *store = store_with(SCHEMA);
    CHECK_OK(status_of(store, "SELECT id AS person FROM people", NULL));
    CHECK_STATUS(status_of(store, "SELECT nonsense", NULL), FR_SQL);
    CHECK_STATUS(status_of(store, "DELETE FROM people", NULL), FR_SQL);
    CHECK_STATUS(status_of(store, "SELECT 1 AS person; SELECT 2 AS person", NULL), FR_SQL);
    CHECK_STATUS(status_of(store, "SELECT id FROM people", NULL), FR_SCHEMA);
    CHECK(strstr(fr_error_message(), "person") != NULL);
    CHECK_STATUS(status_of(store, "SELECT id AS person FROM people", "town"), FR_SCHEMA);
    CHECK_STATUS(status_of(store, "SELECT person FROM orders", NULL), FR_CONSTRAINT);
    run(store, "UPDATE people SET town = 'Lund' WHERE id = 1; UPDATE people SET town = 'Oulu' WHERE id = 2");
    CHECK_STATUS(status_of(store, "SELECT id AS person, town FROM people ORDER BY id", "town"), FR_SQL);
    CHECK_OK(fr_store_close(store));
}

static void wrong_arguments_are_errors(void)
{
    static const char *const null_name[] = {NULL}, *const wrong_name[] = {"\xff"};
    fr_request *request = NULL;
    fr_value value = fr_integer(1), wrong = fr_text("\xff");
    CHECK_STATUS(fr_request_new_select(NULL, "SELECT 1", NULL, 0, person, 1, NULL), FR_MISUSE);
    CHECK_STATUS(fr_request_new_select(&request, NULL, NULL, 0, person, 1, NULL), FR_MISUSE);
    CHECK_STATUS(fr_request_new_select(&request, "SELECT 1", NULL, 1, person, 1, NULL), FR_MISUSE);
    CHECK_STATUS(fr_request_new_select(&request, "SELECT 1", NULL, 0, NULL, 1, NULL), FR_MISUSE);
    CHECK_STATUS(fr_request_new_select(&request, "SELECT 1", NULL, 0, null_name, 1, NULL), FR_MISUSE);
    CHECK_STATUS(fr_request_new_select(&request, "\xff", NULL, 0, person, 1, NULL), FR_INVALID_UTF8);
    CHECK_STATUS(fr_request_new_select(&request, "SELECT 1", &wrong, 1, person, 1, NULL), FR_INVALID_UTF8);
    CHECK_STATUS(fr_request_new_select(&request, "SELECT 1", NULL, 0, wrong_name, 1, NULL), FR_INVALID_UTF8);
    CHECK_STATUS(fr_request_new_select(&request, "SELECT 1", NULL, 0, person, 1, "\xff"), FR_INVALID_UTF8);
    CHECK(fr_request_new_select(&request, "SELECT 1", &value, SIZE_MAX, person, 1, NULL) != FR_OK);
    CHECK(fr_request_new_select(&request, "SELECT 1", NULL, 0, person, SIZE_MAX, NULL) != FR_OK);
    CHECK(request == NULL);
}

TESTS(select_tests) = {
    TEST(parameters_are_bound),
    TEST(errors_are_reported),
    TEST(wrong_arguments_are_errors),
    END_OF_TESTS,
};
