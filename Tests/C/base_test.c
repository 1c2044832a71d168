/* Versions, status codes, and the last error. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "test.h"

static void version_is_that_of_the_header(void)
{
    char expected[40];
    snprintf(expected, sizeof expected, "%d.%d.%d", FR_VERSION_MAJOR, FR_VERSION_MINOR, FR_VERSION_PATCH);
    CHECK_TEXT(FR_VERSION_STRING, expected);
    CHECK_TEXT(fr_version(), FR_VERSION_STRING);
    CHECK(fr_version() == fr_version());
}

#define NAMED(status) CHECK_TEXT(fr_status_name(status), #status)

static void every_status_has_its_name_and_number(void)
{
    NAMED(FR_OK);
    NAMED(FR_ERROR);
    NAMED(FR_MISUSE);
    NAMED(FR_CLOSED);
    NAMED(FR_RANGE);
    NAMED(FR_INVALID_UTF8);
    NAMED(FR_TYPE);
    NAMED(FR_NOT_FOUND);
    NAMED(FR_NOT_FETCHED);
    NAMED(FR_SCHEMA);
    NAMED(FR_SQL);
    NAMED(FR_CONSTRAINT);
    NAMED(FR_BUSY);
    NAMED(FR_READ_ONLY);
    NAMED(FR_IO);
    NAMED(FR_CORRUPT);
    NAMED(FR_NO_MEMORY);
    NAMED(FR_CANCELLED);
    NAMED(FR_GONE);
    CHECK_INT(FR_OK, 0);
    CHECK_INT(FR_GONE, 18);
}

static void unknown_status_has_a_name_too(void)
{
    static const fr_status unknown[] = {-1, 19, 1000000, INT32_MAX, INT32_MIN};
    size_t index;
    for (index = 0; index < sizeof unknown / sizeof *unknown; index++) {
        CHECK_TEXT(fr_status_name(unknown[index]), "FR_UNKNOWN");
    }
}

static void failure_is_reported_in_full(void)
{
    fr_store *store = store_with("CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT UNIQUE)");
    run(store, "INSERT INTO items VALUES (1, 'a')");
    CHECK_STATUS(fr_store_execute(store, "INSERT INTO items VALUES (2, 'a')", NULL, 0), FR_CONSTRAINT);
    CHECK_INT(fr_error_status(), FR_CONSTRAINT);
    CHECK_INT(fr_error_sqlite_code(), 2067); /* SQLITE_CONSTRAINT_UNIQUE */
    CHECK(strstr(fr_error_message(), "items.name") != NULL);
    CHECK_TEXT(fr_error_sql(), "INSERT INTO items VALUES (2, 'a')");
    CHECK_OK(fr_store_close(store));
}

static void success_clears_the_last_error(void)
{
    fr_store *store = store_with("CREATE TABLE items(id)");
    CHECK_STATUS(fr_store_execute(store, "SELECT nonsense", NULL, 0), FR_SQL);
    CHECK_OK(fr_store_execute(store, "SELECT 1", NULL, 0));
    CHECK_TEXT(fr_error_message(), "");
    CHECK_INT(fr_error_sqlite_code(), 0);
    CHECK_TEXT(fr_error_sql(), NULL);
    CHECK_OK(fr_store_close(store));
}

static void failure_without_sqlite_has_no_code_and_no_sql(void)
{
    fr_store *store = store_with("CREATE TABLE items(id)");
    CHECK_STATUS(fr_store_execute(store, "SELECT nonsense", NULL, 0), FR_SQL);
    CHECK_STATUS(fr_store_execute(NULL, "SELECT 1", NULL, 0), FR_MISUSE);
    CHECK_INT(fr_error_sqlite_code(), 0);
    CHECK_TEXT(fr_error_sql(), NULL);
    CHECK_OK(fr_store_close(store));
}

/* Only functions that return fr_status set the last error. */
static void other_functions_leave_the_last_error_alone(void)
{
    CHECK_STATUS(fr_store_close((fr_store *)NULL), FR_OK);
    CHECK_STATUS(fr_store_open(NULL, ":memory:", NULL), FR_MISUSE);
    fr_object_unref(NULL);
    fr_change_set_unref(NULL);
    fr_statement_free(NULL);
    fr_request_free(NULL);
    fr_list_free(NULL);
    (void)fr_version();
    (void)fr_status_name(FR_OK);
    CHECK_INT(fr_error_status(), FR_MISUSE);
    CHECK(fr_error_message()[0] != '\0');
}

struct seen {
    fr_status first_status;
    char first_message[20];
    fr_status own_status;
};

static void *fail_in_another_thread(void *user_data)
{
    struct seen *seen = user_data;
    seen->first_status = fr_error_status();
    snprintf(seen->first_message, sizeof seen->first_message, "%s", fr_error_message());
    fr_request_new(NULL, "items");
    seen->own_status = fr_error_status();
    return NULL;
}

static void last_error_is_the_threads_own(void)
{
    struct seen seen;
    pthread_t thread;
    fr_store *store = store_with("CREATE TABLE items(id)");
    CHECK_STATUS(fr_store_execute(store, "SELECT nonsense", NULL, 0), FR_SQL);
    REQUIRE(pthread_create(&thread, NULL, fail_in_another_thread, &seen) == 0);
    REQUIRE(pthread_join(thread, NULL) == 0);
    CHECK_INT(seen.first_status, FR_OK);
    CHECK_TEXT(seen.first_message, "");
    CHECK_INT(seen.own_status, FR_MISUSE);
    CHECK_INT(fr_error_status(), FR_SQL);
    CHECK(strstr(fr_error_message(), "nonsense") != NULL);
    CHECK_OK(fr_store_close(store));
}

TESTS(base_tests) = {
    TEST(version_is_that_of_the_header),
    TEST(every_status_has_its_name_and_number),
    TEST(unknown_status_has_a_name_too),
    TEST(failure_is_reported_in_full),
    TEST(success_clears_the_last_error),
    TEST(failure_without_sqlite_has_no_code_and_no_sql),
    TEST(other_functions_leave_the_last_error_alone),
    TEST(last_error_is_the_threads_own),
    END_OF_TESTS,
};
