/* Requests: what the setters accept, and how a controller validates it. */
#include <math.h>
#include <string.h>

#include "fixture.h"
#include "test.h"

#define SCHEMA \
    "CREATE TABLE groups(id INTEGER PRIMARY KEY, title TEXT);" \
    "CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT, rank INTEGER, group_id REFERENCES groups);" \
    "INSERT INTO groups VALUES (1, 'one'), (2, 'two');" \
    "INSERT INTO items VALUES (1, 'a', 3, 2), (2, 'b', 1, 1), (3, 'c', 2, NULL);" \
    "CREATE VIEW names AS SELECT id AS number, name FROM items;"

static fr_request *items(void)
{
    fr_request *request = NULL;
    CHECK_OK(fr_request_new(&request, "items"));
    return request;
}

/*
 * The status of making a controller for `request`, which is freed; freeing leaves the last error
 * alone.
 */
static fr_status made(fr_store *store, fr_request *request)
{
    fr_list *controller = NULL;
    fr_status status = fr_controller_new(&controller, store, request);
    CHECK((controller != NULL) == (status == FR_OK));
    fr_list_free(controller);
    fr_request_free(request);
    return status;
}

static void null_is_refused(void)
{
    static const char *const missing[] = {"id", NULL};
    fr_request *request = items();
    fr_value value = fr_integer(1);
    CHECK_STATUS(fr_request_new(NULL, "items"), FR_MISUSE);
    CHECK_STATUS(fr_request_new(&request, NULL), FR_MISUSE);
    CHECK_STATUS(fr_request_set_identity(request, NULL, 1), FR_MISUSE);
    CHECK_STATUS(fr_request_set_identity(request, missing, 2), FR_MISUSE);
    CHECK_STATUS(fr_request_set_predicate(request, "id = ?", NULL, 1), FR_MISUSE);
    CHECK_STATUS(fr_request_set_predicate_named(request, "id = :id", NULL, &value, 1), FR_MISUSE);
    CHECK_STATUS(fr_request_set_predicate_named(request, "id = :id", missing, NULL, 1), FR_MISUSE);
    CHECK_STATUS(fr_request_set_predicate_named(request, "id = :id", missing, &value, 2), FR_MISUSE);
    CHECK_STATUS(fr_request_add_sort(request, NULL, FR_ASCENDING, NULL), FR_MISUSE);
    CHECK_STATUS(fr_request_set_columns(request, NULL, 1), FR_MISUSE);
    CHECK_STATUS(fr_request_set_columns(request, missing, 2), FR_MISUSE);
    fr_request_free(request);
}

static void invalid_utf8_is_refused(void)
{
    static const char *const wrong[] = {"id", "\xc3\x28"}, *const id[] = {"id"};
    fr_request *request = NULL;
    fr_value value = fr_text("\xff"), good = fr_integer(1);
    CHECK_STATUS(fr_request_new(&request, "it\xff"), FR_INVALID_UTF8);
    CHECK(request == NULL);
    request = items();
    CHECK_STATUS(fr_request_set_identity(request, wrong, 2), FR_INVALID_UTF8);
    CHECK_STATUS(fr_request_set_predicate(request, "\xff", NULL, 0), FR_INVALID_UTF8);
    CHECK_STATUS(fr_request_set_predicate(request, "name = ?", &value, 1), FR_INVALID_UTF8);
    CHECK_STATUS(fr_request_set_predicate_named(request, "\xff", id, &good, 1), FR_INVALID_UTF8);
    CHECK_STATUS(fr_request_set_predicate_named(request, "name = :id", id, &value, 1), FR_INVALID_UTF8);
    CHECK_STATUS(fr_request_set_predicate_named(request, "name = :id", &wrong[1], &good, 1), FR_INVALID_UTF8);
    CHECK_STATUS(fr_request_add_sort(request, "\xff", FR_ASCENDING, NULL), FR_INVALID_UTF8);
    CHECK_STATUS(fr_request_add_sort(request, "name", FR_ASCENDING, "\xff"), FR_INVALID_UTF8);
    CHECK_STATUS(fr_request_set_section(request, "\xff", FR_ASCENDING, NULL), FR_INVALID_UTF8);
    CHECK_STATUS(fr_request_set_section(request, "name", FR_ASCENDING, "\xff"), FR_INVALID_UTF8);
    CHECK_STATUS(fr_request_set_columns(request, wrong, 2), FR_INVALID_UTF8);
    fr_request_free(request);
}

static void flags_must_make_sense(void)
{
    static const uint32_t wrong[] = {8, 6, 7, 1u << 31, UINT32_MAX};
    fr_request *request = items();
    size_t index;
    for (index = 0; index < sizeof wrong / sizeof *wrong; index++) {
        CHECK_STATUS(fr_request_add_sort(request, "name", wrong[index], NULL), FR_RANGE);
        CHECK_STATUS(fr_request_set_section(request, "name", wrong[index], NULL), FR_RANGE);
    }
    CHECK_OK(fr_request_add_sort(request, "name", FR_DESCENDING | FR_NULLS_FIRST, "NOCASE"));
    CHECK_OK(fr_request_set_section(request, "name", FR_DESCENDING | FR_NULLS_LAST, "nocase"));
    fr_request_free(request);
}

static void numbers_must_be_in_range(void)
{
    fr_request *request = items();
    CHECK_STATUS(fr_request_set_batch_size(request, 0), FR_RANGE);
    CHECK_STATUS(fr_request_set_batch_size(request, -1), FR_RANGE);
    CHECK_STATUS(fr_request_set_batch_size(request, 32767), FR_RANGE);
    CHECK_STATUS(fr_request_set_batch_size(request, INT64_MAX), FR_RANGE);
    CHECK_STATUS(fr_request_set_batch_size(request, INT64_MIN), FR_RANGE);
    CHECK_OK(fr_request_set_batch_size(request, 1));
    CHECK_OK(fr_request_set_batch_size(request, 32766));
    CHECK_STATUS(fr_request_set_rank_tolerance(request, -0.1), FR_RANGE);
    CHECK_STATUS(fr_request_set_rank_tolerance(request, NAN), FR_RANGE);
    CHECK_OK(fr_request_set_rank_tolerance(request, INFINITY));
    CHECK_STATUS(fr_request_set_limit(request, 5, -1), FR_RANGE);
    CHECK_STATUS(fr_request_set_limit(request, 5, INT64_MIN), FR_RANGE);
    CHECK_OK(fr_request_set_limit(request, INT64_MIN, 0));
    CHECK_OK(fr_request_set_limit(request, INT64_MAX, INT64_MAX));
    CHECK_OK(fr_request_set_limit(request, 0, 0));
    fr_request_free(request);
}

static void what_it_was_given_is_copied(void)
{
    fr_store *store = store_with(SCHEMA);
    char entity[] = "items", predicate[] = "name <> ?1", path[] = "rank", text[] = "a";
    fr_value value = fr_text(text);
    fr_request *request = NULL;
    fr_list *list = NULL;
    CHECK_OK(fr_request_new(&request, entity));
    CHECK_OK(fr_request_set_predicate(request, predicate, &value, 1));
    CHECK_OK(fr_request_add_sort(request, path, FR_DESCENDING, NULL));
    memset(entity, '?', sizeof entity - 1);
    memset(predicate, '?', sizeof predicate - 1);
    memset(path, '?', sizeof path - 1);
    memset(text, '?', sizeof text - 1);
    REQUIRE(CHECK_OK(fr_controller_new(&list, store, request)));
    CHECK_OK(fr_request_add_sort(request, "nonsense", FR_DESCENDING, NULL));
    fr_request_free(request);
    CHECK_OK(fr_list_perform_fetch(list));
    CHECK_LIST(list, "3 2");
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void later_setting_replaces_the_earlier(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_request *request = items();
    fr_list *list = NULL;
    CHECK_OK(fr_request_set_predicate(request, "nonsense", NULL, 0));
    CHECK_OK(fr_request_set_predicate(request, "id > 1", NULL, 0));
    CHECK_OK(fr_request_set_section(request, "nonsense", FR_ASCENDING, NULL));
    CHECK_OK(fr_request_set_section(request, NULL, FR_ASCENDING, NULL));
    REQUIRE(CHECK_OK(fr_controller_new(&list, store, request)));
    CHECK_OK(fr_list_perform_fetch(list));
    CHECK_LIST(list, "2 3");
    fr_list_free(list);
    fr_request_free(request);
    CHECK_OK(fr_store_close(store));
}

static void named_parameters_of_a_predicate(void)
{
    static const char *const names[] = {"low", ":high"};
    fr_store *store = store_with(SCHEMA);
    fr_request *request = items();
    fr_list *list = NULL;
    fr_value values[2];
    values[0] = fr_integer(1);
    values[1] = fr_integer(3);
    CHECK_OK(fr_request_set_predicate_named(request, "rank >= :low AND rank < :high", names, values, 2));
    REQUIRE(CHECK_OK(fr_controller_new(&list, store, request)));
    CHECK_OK(fr_list_perform_fetch(list));
    CHECK_LIST(list, "2 3");
    fr_list_free(list);
    CHECK_OK(fr_request_set_predicate_named(request, "rank >= :low", names, values, 2));
    CHECK_STATUS(made(store, request), FR_SQL);
    CHECK_OK(fr_store_close(store));
}

/* A copy: changes of it do not affect the controller. */
static void controller_returns_its_request(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", "group_id.title", "-name", NULL);
    fr_request *copy = NULL;
    CHECK_OK(fr_controller_request(&copy, list));
    CHECK_TEXT(request_info(copy).section.key_path, "group_id.title");
    CHECK(check_against_fetch(list, store, copy));
    CHECK_OK(fr_request_set_predicate(copy, "0", NULL, 0));
    CHECK_OK(fr_list_perform_fetch(list));
    CHECK_LIST(list, "NULL: 3 | one: 2 | two: 1");
    fr_list_free(list);
    fr_request_free(copy);
    CHECK_OK(fr_store_close(store));
}

TESTS(request_tests) = {
    TEST(controller_returns_its_request),
    TEST(null_is_refused),
    TEST(invalid_utf8_is_refused),
    TEST(flags_must_make_sense),
    TEST(numbers_must_be_in_range),
    TEST(what_it_was_given_is_copied),
    TEST(later_setting_replaces_the_earlier),
    TEST(named_parameters_of_a_predicate),
    END_OF_TESTS,
};
