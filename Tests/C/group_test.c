/* Lists whose rows are groups of other rows, with totals. */
#include <stddef.h>
#include <string.h>

#include "test.h"
#include "watched.h"

#define SCHEMA \
    "CREATE TABLE folders(id INTEGER PRIMARY KEY, name TEXT);" \
    "CREATE TABLE mails(id INTEGER PRIMARY KEY, folder REFERENCES folders, seen INTEGER, size);" \
    "INSERT INTO folders VALUES (1, 'in'), (2, 'out'), (3, 'drafts');" \
    "INSERT INTO mails VALUES (1, 1, 0, 10), (2, 1, 1, 20), (3, 2, 0, 5);"

static const char *const by_folder[] = {"folder"};

/* The mails by their folders, with a total of each function. */
static fr_request *folders(const char *sort)
{
    fr_request *request = request_of("mails", NULL, sort, NULL);
    CHECK_OK(fr_request_set_group_by(request, by_folder, 1));
    CHECK_OK(fr_request_add_total(request, "mails", FR_TOTAL_COUNT, NULL));
    CHECK_OK(fr_request_add_total(request, "unread", FR_TOTAL_COUNT, "seen = 0"));
    CHECK_OK(fr_request_add_total(request, "size", FR_TOTAL_SUM, "size"));
    CHECK_OK(fr_request_add_total(request, "mean", FR_TOTAL_AVERAGE, "size"));
    CHECK_OK(fr_request_add_total(request, "least", FR_TOTAL_MIN, "size"));
    CHECK_OK(fr_request_add_total(request, "most", FR_TOTAL_MAX, "size"));
    return request;
}

static void null_is_refused(void)
{
    static const char *const missing[] = {"folder", NULL};
    fr_request *request = folders(NULL);
    CHECK_STATUS(fr_request_set_group_by(NULL, by_folder, 1), FR_MISUSE);
    CHECK_STATUS(fr_request_set_group_by(request, NULL, 1), FR_MISUSE);
    CHECK_STATUS(fr_request_set_group_by(request, missing, 2), FR_MISUSE);
    CHECK_STATUS(fr_request_add_total(NULL, "n", FR_TOTAL_COUNT, NULL), FR_MISUSE);
    CHECK_STATUS(fr_request_add_total(request, NULL, FR_TOTAL_COUNT, NULL), FR_MISUSE);
    CHECK_STATUS(fr_request_set_having(NULL, "1", NULL, 0), FR_MISUSE);
    CHECK_STATUS(fr_request_set_having(request, "mails > ?1", NULL, 1), FR_MISUSE);
    CHECK_INT(request_info(request).group_by_count, 1);
    CHECK_INT(request_info(request).total_count, 6);
    CHECK_TEXT(request_info(request).having, NULL);
    fr_request_free(request);
}

static void invalid_utf8_is_refused(void)
{
    static const char *const wrong[] = {"folder", "\xc3\x28"};
    const fr_value value = fr_text("\xff");
    fr_request *request = folders(NULL);
    CHECK_STATUS(fr_request_set_group_by(request, wrong, 2), FR_INVALID_UTF8);
    CHECK_STATUS(fr_request_add_total(request, "\xff", FR_TOTAL_COUNT, NULL), FR_INVALID_UTF8);
    CHECK_STATUS(fr_request_add_total(request, "n", FR_TOTAL_COUNT, "\xff"), FR_INVALID_UTF8);
    CHECK_STATUS(fr_request_set_having(request, "\xff", NULL, 0), FR_INVALID_UTF8);
    CHECK_STATUS(fr_request_set_having(request, "mails > ?1", &value, 1), FR_INVALID_UTF8);
    CHECK_INT(request_info(request).total_count, 6);
    fr_request_free(request);
}

static void unknown_functions_are_refused(void)
{
    static const uint32_t wrong[] = {5, 6, 1u << 31, UINT32_MAX};
    fr_request *request = folders(NULL);
    for (size_t index = 0; index < sizeof wrong / sizeof *wrong; index++) {
        CHECK_STATUS(fr_request_add_total(request, "n", (fr_total_function)wrong[index], "size"), FR_RANGE);
    }
    CHECK_INT(request_info(request).total_count, 6);
    fr_request_free(request);
}

static void a_request_says_what_was_set(void)
{
    const fr_value values[] = {fr_integer(3), fr_text("x")};
    fr_request *request = folders(NULL);
    fr_request_info info;
    CHECK_OK(fr_request_set_having(request, "mails > ?1 AND folder <> ?2", values, 2));
    info = request_info(request);
    CHECK_INT(info.group_by_count, 1);
    CHECK_TEXT(info.group_by[0], "folder");
    CHECK_INT(info.total_count, 6);
    CHECK_TEXT(info.totals[0].name, "mails");
    CHECK_INT(info.totals[0].function, FR_TOTAL_COUNT);
    CHECK_TEXT(info.totals[0].expression, NULL);
    CHECK_TEXT(info.totals[1].expression, "seen = 0");
    CHECK_TEXT(info.totals[5].name, "most");
    CHECK_INT(info.totals[5].function, FR_TOTAL_MAX);
    CHECK_TEXT(info.having, "mails > ?1 AND folder <> ?2");
    CHECK_INT(info.having_parameter_count, 2);
    CHECK_TEXT(value_text(info.having_parameters[1]), "x");
    CHECK_OK(fr_request_set_group_by(request, NULL, 0));
    CHECK_OK(fr_request_set_having(request, NULL, NULL, 0));
    info = request_info(request);
    CHECK(info.group_by == NULL && info.having == NULL && info.having_parameters == NULL);
    CHECK_INT(info.group_by_count + info.having_parameter_count, 0);
    fr_request_free(request);
}

/*
 * A program whose fr_request_info ends with the cache's name gets no later member.
 */
static void the_first_description_is_shorter(void)
{
    fr_request *request = folders(NULL);
    fr_request_info info;
    memset(&info, 0x55, sizeof info);
    info.struct_size = offsetof(fr_request_info, group_by);
    CHECK_OK(fr_request_describe(&info, request));
    CHECK_TEXT(info.entity, "mails");
    CHECK_INT(info.total_count, 0x5555555555555555);
    fr_request_free(request);
}

static void what_it_was_given_is_copied(void)
{
    char key[] = "folder", name[] = "n", expression[] = "size", having[] = "n > ?1 OR folder <> ?2", text[] = "x";
    const char *const keys[] = {key};
    fr_value values[] = {fr_integer(0), fr_text(text)};
    fr_request *request = request_of("mails", NULL, NULL, NULL);
    struct watched w;
    CHECK_OK(fr_request_set_group_by(request, keys, 1));
    CHECK_OK(fr_request_add_total(request, name, FR_TOTAL_SUM, expression));
    CHECK_OK(fr_request_set_having(request, having, values, 2));
    memset(key, '?', sizeof key - 1);
    memset(name, '?', sizeof name - 1);
    memset(expression, '?', sizeof expression - 1);
    memset(having, '?', sizeof having - 1);
    memset(text, '?', sizeof text - 1);
    watch_request(&w, SCHEMA, request);
    CHECK_CONTENTS(w.list, "1(1, 30) 2(2, 5)");
    unwatch(&w);
}

/* The status of making a controller for a request, which is freed, or of its fetch. */
static fr_status made(fr_store *store, fr_request *request)
{
    fr_list *list = NULL;
    fr_status status = fr_controller_new(&list, store, request);
    if (status == FR_OK) status = fr_list_perform_fetch(list);
    fr_list_free(list);
    fr_request_free(request);
    return status;
}

static fr_request *with_total(const char *name, fr_total_function function, const char *expression)
{
    fr_request *request = folders(NULL);
    CHECK_OK(fr_request_add_total(request, name, function, expression));
    return request;
}

static fr_request *with_keys(const char *first, const char *second)
{
    const char *const keys[] = {first, second};
    fr_request *request = request_of("mails", NULL, NULL, NULL);
    CHECK_OK(fr_request_set_group_by(request, keys, 2));
    return request;
}

static fr_request *having(const char *sql)
{
    const fr_value value = fr_integer(1);
    fr_request *request = folders(NULL);
    CHECK_OK(fr_request_set_having(request, sql, &value, 1));
    return request;
}

static void faults_are_reported_when_the_controller_is_made(void)
{
    static const char *const id[] = {"id"};
    fr_store *store = store_with(SCHEMA);
    fr_request *request = folders(NULL);
    CHECK_OK(fr_request_set_cache_name(request, "folders"));
    CHECK_STATUS(made(store, request), FR_MISUSE);
    CHECK(strstr(fr_error_message(), "cached") != NULL);
    CHECK_OK(fr_request_new_select(&request, "SELECT * FROM mails", NULL, 0, id, 1, NULL));
    CHECK_OK(fr_request_set_group_by(request, by_folder, 1));
    CHECK_STATUS(made(store, request), FR_MISUSE);
    CHECK(strstr(fr_error_message(), "GROUP BY") != NULL);
    CHECK_STATUS(made(store, with_total("folder", FR_TOTAL_COUNT, NULL)), FR_MISUSE);
    CHECK_STATUS(made(store, with_total("MAILS", FR_TOTAL_COUNT, NULL)), FR_MISUSE);
    CHECK(strstr(fr_error_message(), "MAILS") != NULL);
    CHECK_STATUS(made(store, with_total("n", FR_TOTAL_SUM, NULL)), FR_MISUSE);
    CHECK(strstr(fr_error_message(), "expression") != NULL);
    CHECK_STATUS(made(store, with_total("n", FR_TOTAL_SUM, "colour")), FR_SCHEMA);
    CHECK(strstr(fr_error_message(), "colour") != NULL);
    CHECK_STATUS(made(store, with_total("n", FR_TOTAL_SUM, "size +")), FR_SQL);
    CHECK_STATUS(made(store, with_total("n", FR_TOTAL_SUM, "count(size)")), FR_SQL);
    CHECK_STATUS(made(store, with_total("n", FR_TOTAL_COUNT, "size = ?1")), FR_SQL);
    CHECK_STATUS(made(store, with_keys("folder", "colour")), FR_SCHEMA);
    CHECK_STATUS(made(store, with_keys("folder", "random() + id")), FR_SQL);
    CHECK_STATUS(made(store, with_keys("folder", "FOLDER")), FR_MISUSE);
    CHECK_STATUS(made(store, having("colour > ?1")), FR_SQL);
    CHECK(strstr(fr_error_message(), "colour") != NULL);
    CHECK_STATUS(made(store, having("mails > 1")), FR_SQL);
    CHECK_STATUS(made(store, having("id > ?1")), FR_SQL);
    CHECK_STATUS(made(store, folders("id")), FR_SCHEMA);
    CHECK_OK(made(store, having("mails > ?1")));
    CHECK_OK(fr_store_close(store));
}

static void a_group_follows_its_rows(void)
{
    struct watched w;
    fr_object *object = NULL;
    int64_t count = 0;
    watch_request(&w, SCHEMA, folders(NULL));
    CHECK_CONTENTS(w.list, "1(1, 2, 1, 30, 15.0, 10, 20) 2(2, 1, 1, 5, 5.0, 5, 5)");
    CHECK_REPORTED(&w, "UPDATE mails SET seen = 1 WHERE id = 1", "[update 0.0>0.0 {unread}]");
    CHECK_REPORTED(&w, "INSERT INTO mails VALUES (4, 3, 0, NULL)", "[insert 0.2]");
    CHECK_REPORTED(&w, "UPDATE mails SET folder = 2 WHERE id = 2",
                   "[update 0.0>0.0 {mails size mean most}; update 0.1>0.1 {mails size mean most}]");
    CHECK_REPORTED(&w, "DELETE FROM mails WHERE id = 4", "[delete 0.2]");
    CHECK_REPORTED(&w, "UPDATE mails SET id = 9 WHERE id = 1", "");
    CHECK_CONTENTS(w.list, "1(1, 1, 0, 10, 10.0, 10, 10) 2(2, 2, 1, 25, 12.5, 5, 20)");
    CHECK_OK(fr_list_object_at(&object, w.list, path_at(0, 1)));
    CHECK_OK(fr_object_identity_count(&count, object));
    CHECK_INT(count, 1);
    unwatch(&w);
    CHECK_TEXT(object_text(object, "mean"), "12.5");
    fr_object_unref(object);
}

/* A group is shown whatever its totals are. */
static void without_totals_are_distinct_values(void)
{
    struct watched w;
    fr_request *request = request_of("mails", NULL, NULL, NULL);
    CHECK_OK(fr_request_set_group_by(request, by_folder, 1));
    watch_request(&w, SCHEMA, request);
    CHECK_CONTENTS(w.list, "1(1) 2(2)");
    CHECK_REPORTED(&w, "INSERT INTO mails VALUES (4, 3, 0, 1)", "[insert 0.2]");
    CHECK_REPORTED(&w, "UPDATE mails SET folder = 1 WHERE folder = 2", "[delete 0.1]");
    unwatch(&w);
    request = request_of("mails", NULL, NULL, NULL);
    CHECK_OK(fr_request_set_group_by(request, by_folder, 1));
    CHECK_OK(fr_request_add_total(request, "most", FR_TOTAL_MAX, "size"));
    watch_request(&w, SCHEMA, request);
    CHECK_REPORTED(&w, "INSERT INTO mails VALUES (4, 3, 0, NULL)", "[insert 0.2]");
    CHECK_CONTENTS(w.list, "1(1, 20) 2(2, 5) 3(3, NULL)");
    unwatch(&w);
}

/* A group and a row with the same identity are two objects. */
static void a_group_is_no_row_of_the_table(void)
{
    struct watched w;
    fr_object *group = NULL, *row = NULL;
    const char *entity = NULL;
    fr_value two = fr_integer(2), seen = fr_integer(7);
    static const char *const columns[] = {"seen"};
    fr_index_path path;
    watch_request(&w, SCHEMA, folders(NULL));
    CHECK_OK(fr_list_object_at(&group, w.list, path_at(0, 1)));
    CHECK_OK(fr_object_entity(&entity, group));
    CHECK_TEXT(entity, "groups of mails");
    CHECK_STATUS(fr_store_update(w.store, entity, &two, 1, columns, &seen, 1), FR_SCHEMA);
    CHECK_OK(fr_store_object(&row, w.store, "mails", &two, 1));
    CHECK_STATUS(fr_list_index_path_of(&path, w.list, row), FR_TYPE);
    CHECK_OK(fr_list_index_path_of(&path, w.list, group));
    fr_object_unref(row);
    fr_object_unref(group);
    unwatch(&w);
}

static void totals_sort_and_having_chooses(void)
{
    struct watched w;
    fr_value one = fr_integer(1);
    fr_request *request = folders("-size folder");
    CHECK_OK(fr_request_set_having(request, "mails >= ?1", &one, 1));
    CHECK_OK(fr_request_set_limit(request, 2, 0));
    watch_request(&w, SCHEMA, request);
    CHECK_REPORTED(&w, "UPDATE mails SET size = 100 WHERE id = 3", "[move 0.1>0.0 {size mean least most}]");
    CHECK_REPORTED(&w, "INSERT INTO mails VALUES (4, 3, 0, 50)", "[delete 0.1; insert 0.1]");
    CHECK_OK(fr_controller_request(&request, w.list));
    CHECK_OK(fr_request_set_having(request, "mails > 1", NULL, 0));
    CHECK_OK(fr_controller_set_request(w.list, request));
    CHECK_LIST(w.list, "1");
    CHECK_OK(fr_request_set_having(request, NULL, NULL, 0));
    CHECK_OK(fr_request_set_predicate(request, "size < 50", NULL, 0));
    CHECK_OK(fr_controller_set_request(w.list, request));
    CHECK_CONTENTS(w.list, "1(1, 2, 1, 30, 15.0, 10, 20)");
    CHECK(check_against_fetch(w.list, w.store, request));
    fr_request_free(request);
    unwatch(&w);
}

static void a_list_retains_its_keys_and_totals(void)
{
    static const char *const by_seen[] = {"seen"};
    fr_request *other = request_of("mails", NULL, NULL, NULL), *same = folders("-unread");
    struct watched w;
    watch_request(&w, SCHEMA, folders(NULL));
    CHECK_STATUS(fr_controller_set_request(w.list, other), FR_MISUSE);
    CHECK_OK(fr_request_set_group_by(other, by_folder, 1));
    CHECK_STATUS(fr_controller_set_request(w.list, other), FR_MISUSE);
    CHECK(strstr(fr_error_message(), "totals") != NULL);
    CHECK_OK(fr_request_set_group_by(other, by_seen, 1));
    CHECK_STATUS(fr_controller_set_request(w.list, other), FR_MISUSE);
    CHECK_OK(fr_controller_set_request(w.list, same));
    CHECK_REPORTED(&w, "INSERT INTO mails VALUES (4, 2, 0, 1)", "[move 0.1>0.0 {mails unread size mean least}]");
    fr_request_free(same);
    unwatch(&w);
    watch(&w, SCHEMA, "mails", NULL, NULL, NULL);
    CHECK_STATUS(fr_controller_set_request(w.list, other), FR_MISUSE);
    CHECK(strstr(fr_error_message(), "groups") != NULL);
    CHECK_LIST(w.list, "1 2 3");
    fr_request_free(other);
    unwatch(&w);
}

static void keys_of_null_are_a_group(void)
{
    struct watched w;
    fr_object *object = NULL;
    int64_t count = 0;
    fr_request *request = request_of("mails", NULL, NULL, NULL);
    CHECK_OK(fr_request_set_group_by(request, by_folder, 1));
    CHECK_OK(fr_request_add_total(request, "n", FR_TOTAL_COUNT, NULL));
    watch_request(&w, SCHEMA, request);
    CHECK_REPORTED(&w, "INSERT INTO mails(id) VALUES (4), (5)", "[insert 0.0]");
    CHECK_OK(fr_list_object_at(&object, w.list, path_at(0, 0)));
    CHECK_TEXT(object_text(object, "n"), "2");
    CHECK_OK(fr_object_identity_count(&count, object));
    CHECK_INT(count, 2);
    fr_object_unref(object);
    unwatch(&w);
}

/* 2^63 - 1 and one more is a failure, and no wrong number. */
static void a_sum_that_overflows_is_a_failure(void)
{
    struct watched w;
    fr_request *request = request_of("mails", NULL, NULL, NULL);
    CHECK_OK(fr_request_set_group_by(request, by_folder, 1));
    CHECK_OK(fr_request_add_total(request, "size", FR_TOTAL_SUM, "size"));
    watch_request(&w, SCHEMA, request);
    CHECK_REPORTED(&w, "UPDATE mails SET size = 9223372036854775807 WHERE id = 1", "!FR_SQL");
    CHECK_CONTENTS(w.list, "1(1, 30) 2(2, 5)");
    run(w.store, "UPDATE mails SET size = 9223372036854775787 WHERE id = 1");
    CHECK_CONTENTS(w.list, "1(1, 9223372036854775807) 2(2, 5)");
    unwatch(&w);
}

static void lists_of_groups_are_children_of_collections(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_request *requests[2];
    fr_list *collection = NULL;
    requests[0] = folders(NULL);
    requests[1] = request_of("mails", NULL, NULL, NULL);
    CHECK_OK(fr_collection_new_with_requests(&collection, store, requests, 2));
    CHECK_OK(fr_list_perform_fetch(collection));
    CHECK_LIST(collection, "NULL: 1 2 | NULL: 1 2 3");
    run(store, "DELETE FROM mails WHERE id = 3");
    CHECK_LIST(collection, "NULL: 1 | NULL: 1 2");
    fr_list_free(collection);
    fr_request_free(requests[0]);
    fr_request_free(requests[1]);
    CHECK_OK(fr_store_close(store));
}

TESTS(group_tests) = {
    TEST(null_is_refused),
    TEST(invalid_utf8_is_refused),
    TEST(unknown_functions_are_refused),
    TEST(a_request_says_what_was_set),
    TEST(the_first_description_is_shorter),
    TEST(what_it_was_given_is_copied),
    TEST(faults_are_reported_when_the_controller_is_made),
    TEST(a_group_follows_its_rows),
    TEST(without_totals_are_distinct_values),
    TEST(a_group_is_no_row_of_the_table),
    TEST(totals_sort_and_having_chooses),
    TEST(a_list_retains_its_keys_and_totals),
    TEST(keys_of_null_are_a_group),
    TEST(a_sum_that_overflows_is_a_failure),
    TEST(lists_of_groups_are_children_of_collections),
    END_OF_TESTS,
};
