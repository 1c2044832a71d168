/*
 * NULL results, strings and arrays, and excessive counts: each is an error, and the store continues
 * to work.
 */
#include <sqlite3.h>
#include <string.h>

#include "collections.h"
#include "fixture.h"
#include "maps.h"
#include "test.h"

#define SCHEMA "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO t VALUES (1, 'a'), (2, 'b');"

static const char *const columns[] = {"name"};
static const char *const null_column[] = {NULL};
static const char *const wrong_column[] = {"\xff"};

static void results_must_have_a_place(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", NULL, NULL, NULL);
    fr_statement *statement = NULL;
    fr_object *object = NULL;
    fr_value identity = fr_integer(1);
    CHECK_OK(fr_statement_prepare(&statement, store, "SELECT 1"));
    CHECK_OK(fr_list_object_at(&object, list, path_at(0, 0)));
    CHECK_STATUS(fr_store_changes(NULL, store), FR_MISUSE);
    CHECK_STATUS(fr_store_last_insert_rowid(NULL, store), FR_MISUSE);
    CHECK_STATUS(fr_store_in_transaction(NULL, store), FR_MISUSE);
    CHECK_STATUS(fr_store_object(NULL, store, "t", &identity, 1), FR_MISUSE);
    CHECK_STATUS(fr_store_sqlite(NULL, store), FR_MISUSE);
    CHECK_STATUS(fr_store_file_descriptor(NULL, store), FR_MISUSE);
    CHECK_STATUS(fr_statement_prepare(NULL, store, "SELECT 1"), FR_MISUSE);
    CHECK_STATUS(fr_statement_step(NULL, statement), FR_MISUSE);
    CHECK_STATUS(fr_statement_column_count(NULL, statement), FR_MISUSE);
    CHECK_STATUS(fr_statement_column_name(NULL, statement, 0), FR_MISUSE);
    CHECK_STATUS(fr_statement_value(NULL, statement, 0), FR_MISUSE);
    CHECK_STATUS(fr_object_entity(NULL, object), FR_MISUSE);
    CHECK_STATUS(fr_object_identity_count(NULL, object), FR_MISUSE);
    CHECK_STATUS(fr_object_identity(NULL, object, 0), FR_MISUSE);
    CHECK_STATUS(fr_object_column_count(NULL, object), FR_MISUSE);
    CHECK_STATUS(fr_object_column_name(NULL, object, 0), FR_MISUSE);
    CHECK_STATUS(fr_object_column_index(NULL, object, "id"), FR_MISUSE);
    CHECK_STATUS(fr_object_value(NULL, object, 0), FR_MISUSE);
    CHECK_STATUS(fr_object_value_named(NULL, object, "id"), FR_MISUSE);
    CHECK_STATUS(fr_list_is_fetched(NULL, list), FR_MISUSE);
    CHECK_STATUS(fr_list_count(NULL, list), FR_MISUSE);
    CHECK_STATUS(fr_list_section_count(NULL, list), FR_MISUSE);
    CHECK_STATUS(fr_list_section(NULL, list, 0), FR_MISUSE);
    CHECK_STATUS(fr_list_row_count(NULL, list, 0), FR_MISUSE);
    CHECK_STATUS(fr_list_totals(NULL, list, -1), FR_MISUSE);
    CHECK_STATUS(fr_list_object_at(NULL, list, path_at(0, 0)), FR_MISUSE);
    CHECK_STATUS(fr_list_index_path_of(NULL, list, object), FR_MISUSE);
    CHECK_STATUS(fr_list_index_path_of_identity(NULL, list, &identity, 1), FR_MISUSE);
    CHECK_STATUS(fr_list_index_path_at(NULL, list, 0), FR_MISUSE);
    CHECK_STATUS(fr_list_index_of(NULL, list, path_at(0, 0)), FR_MISUSE);
    CHECK_STATUS(fr_list_index_title_count(NULL, list), FR_MISUSE);
    CHECK_STATUS(fr_list_index_title(NULL, list, 0), FR_MISUSE);
    CHECK_STATUS(fr_list_section_for_index_title(NULL, list, "A", 0), FR_MISUSE);
    fr_object_unref(object);
    fr_statement_free(statement);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void results_of_maps_and_collections_must_have_a_place(void)
{
    fr_store *store = store_with(LISTS_AND_TASKS SOME_TASKS);
    fr_list *map = task_map(store, NULL), *collection = collection_of(map, NULL, NULL);
    fr_placeholder *hint = placeholder_of("hint", NULL);
    fr_request *request = request_of("lists", NULL, NULL, NULL);
    const int64_t *numbers = NULL;
    size_t count = 0;
    fr_list *window = NULL;
    fr_value identity = fr_integer(1);
    int64_t number = 0;
    CHECK_STATUS(fr_request_describe(NULL, request), FR_MISUSE);
    CHECK_STATUS(fr_controller_request(NULL, map), FR_MISUSE);
    CHECK_STATUS(fr_controller_is_paused(NULL, map), FR_MISUSE);
    CHECK_STATUS(fr_list_section_object(NULL, map, 0), FR_MISUSE);
    CHECK_STATUS(fr_section_map_all_section_count(NULL, map), FR_MISUSE);
    CHECK_STATUS(fr_section_map_all_section(NULL, map, 0), FR_MISUSE);
    CHECK_STATUS(fr_section_map_all_section_object(NULL, map, 0), FR_MISUSE);
    CHECK_STATUS(fr_section_map_sections(NULL, &count, map), FR_MISUSE);
    CHECK_STATUS(fr_section_map_sections(&numbers, NULL, map), FR_MISUSE);
    CHECK_STATUS(fr_section_map_is_disabled(NULL, map), FR_MISUSE);
    CHECK_STATUS(fr_window_open(NULL, map, 0, 0, 1), FR_MISUSE);
    CHECK_STATUS(fr_window_open_at_section(NULL, map, "10", 0, 1), FR_MISUSE);
    CHECK_STATUS(fr_window_open_at_identity(NULL, map, &identity, 1, 0, 1), FR_MISUSE);
    CHECK_STATUS(fr_window_open_at_identity(&window, map, NULL, 1, 0, 1), FR_MISUSE);
    CHECK_OK(fr_window_open(&window, map, 0, 0, 1));
    CHECK_STATUS(fr_window_position(NULL, window), FR_MISUSE);
    CHECK_STATUS(fr_window_anchor(NULL, window), FR_MISUSE);
    CHECK_STATUS(fr_window_extent(NULL, &number, window), FR_MISUSE);
    CHECK_STATUS(fr_window_extent(&number, NULL, window), FR_MISUSE);
    CHECK_STATUS(fr_collection_new(NULL), FR_MISUSE);
    CHECK_STATUS(fr_collection_shows_empty_lists(NULL, collection), FR_MISUSE);
    CHECK_STATUS(fr_collection_child_count(NULL, collection), FR_MISUSE);
    CHECK_STATUS(fr_collection_child(NULL, collection, 0), FR_MISUSE);
    CHECK_STATUS(fr_collection_index_of(NULL, collection, map), FR_MISUSE);
    CHECK_STATUS(fr_collection_index_of_placeholder(NULL, collection, hint), FR_MISUSE);
    CHECK_STATUS(fr_collection_child_of_section(NULL, collection, 0), FR_MISUSE);
    fr_request_free(request);
    fr_placeholder_free(hint);
    fr_list_free(window);
    fr_list_free(map);
    fr_list_free(collection);
    CHECK_OK(fr_store_close(store));
}

static void change_set_results_must_have_a_place(fr_list *controller, fr_change_set *changes, void *user_data)
{
    const fr_change *records;
    size_t count;
    (void)controller;
    CHECK_STATUS(fr_change_set_records(NULL, &count, changes), FR_MISUSE);
    CHECK_STATUS(fr_change_set_records(&records, NULL, changes), FR_MISUSE);
    CHECK_STATUS(fr_change_set_object(NULL, changes, 0), FR_MISUSE);
    CHECK_STATUS(fr_change_set_old_value(NULL, changes, 0, 0), FR_MISUSE);
    CHECK_STATUS(fr_change_set_column_changed(NULL, changes, 0, 0), FR_MISUSE);
    CHECK_STATUS(fr_change_set_column_name(NULL, changes, 0, 0), FR_MISUSE);
    CHECK_STATUS(fr_change_set_section_name(NULL, changes, 0), FR_MISUSE);
    CHECK_STATUS(fr_change_set_sequential(NULL, changes), FR_MISUSE);
    CHECK_STATUS(fr_change_set_is_reload(NULL, changes), FR_MISUSE);
    CHECK_STATUS(fr_change_set_origin(NULL, changes), FR_MISUSE);
    CHECK_STATUS(fr_change_set_section_object(NULL, changes, 0), FR_MISUSE);
    CHECK_STATUS(fr_change_set_window_place(NULL, changes), FR_MISUSE);
    *(int *)user_data += 1;
}

static void results_of_a_change_set_must_have_a_place(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", NULL, NULL, NULL);
    fr_observer observer;
    int calls = 0;
    memset(&observer, 0, sizeof observer);
    observer.struct_size = sizeof observer;
    observer.did_deliver = change_set_results_must_have_a_place;
    CHECK_OK(fr_list_add_observer(NULL, list, &observer, &calls, NULL));
    run(store, "UPDATE t SET name = 'c'");
    CHECK_INT(calls, 1);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void strings_must_be_there_and_valid(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", NULL, NULL, NULL);
    fr_statement *statement = NULL;
    fr_object *object = NULL, *made = NULL;
    fr_value value = fr_integer(1);
    int64_t number;
    CHECK_OK(fr_statement_prepare(&statement, store, "SELECT :id"));
    CHECK_OK(fr_list_object_at(&object, list, path_at(0, 0)));
    CHECK_STATUS(fr_store_execute(store, NULL, NULL, 0), FR_MISUSE);
    CHECK_STATUS(fr_store_execute_named(store, NULL, NULL, NULL, 0), FR_MISUSE);
    CHECK_STATUS(fr_store_execute_script(store, NULL), FR_MISUSE);
    CHECK_STATUS(fr_store_insert(&made, store, NULL, columns, &value, 1), FR_MISUSE);
    CHECK_STATUS(fr_store_update(store, NULL, &value, 1, columns, &value, 1), FR_MISUSE);
    CHECK_STATUS(fr_store_delete(store, NULL, &value, 1), FR_MISUSE);
    CHECK_STATUS(fr_store_object(&made, store, NULL, &value, 1), FR_MISUSE);
    CHECK_STATUS(fr_statement_bind_named(statement, NULL, &value), FR_MISUSE);
    CHECK_STATUS(fr_statement_bind_named(statement, "id", NULL), FR_MISUSE);
    CHECK_STATUS(fr_object_column_index(&number, object, NULL), FR_MISUSE);
    CHECK_STATUS(fr_object_value_named(&value, object, NULL), FR_MISUSE);
    CHECK_STATUS(fr_store_execute_named(store, "\xff", NULL, NULL, 0), FR_INVALID_UTF8);
    CHECK_STATUS(fr_store_execute_script(store, "SELECT 1; \xff"), FR_INVALID_UTF8);
    CHECK_STATUS(fr_store_execute_named(store, "SELECT :id", wrong_column, &value, 1), FR_INVALID_UTF8);
    CHECK_STATUS(fr_store_update(store, "\xff", &value, 1, columns, &value, 1), FR_INVALID_UTF8);
    CHECK_STATUS(fr_store_update(store, "t", &value, 1, wrong_column, &value, 1), FR_INVALID_UTF8);
    CHECK_STATUS(fr_store_insert(NULL, store, "\xff", NULL, NULL, 0), FR_INVALID_UTF8);
    CHECK_STATUS(fr_store_delete(store, "\xff", &value, 1), FR_INVALID_UTF8);
    CHECK_STATUS(fr_store_object(&made, store, "\xff", &value, 1), FR_INVALID_UTF8);
    CHECK_STATUS(fr_store_insert(&made, store, "t", wrong_column, &value, 1), FR_INVALID_UTF8);
    CHECK_STATUS(fr_statement_prepare(&statement, store, "\xff"), FR_INVALID_UTF8);
    CHECK(made == NULL);
    CHECK_CONTENTS(list, "1(1, a) 2(2, b)");
    fr_object_unref(object);
    fr_statement_free(statement);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void arrays_must_be_there(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_object *made = NULL;
    fr_value value = fr_integer(1);
    CHECK_STATUS(fr_store_execute(store, "SELECT ?", NULL, 1), FR_MISUSE);
    CHECK_STATUS(fr_store_insert(&made, store, "t", NULL, &value, 1), FR_MISUSE);
    CHECK_STATUS(fr_store_insert(&made, store, "t", columns, NULL, 1), FR_MISUSE);
    CHECK_STATUS(fr_store_insert(&made, store, "t", null_column, &value, 1), FR_MISUSE);
    CHECK_STATUS(fr_store_update(store, "t", NULL, 1, columns, &value, 1), FR_MISUSE);
    CHECK_STATUS(fr_store_update(store, "t", &value, 1, NULL, &value, 1), FR_MISUSE);
    CHECK_STATUS(fr_store_update(store, "t", &value, 1, columns, NULL, 1), FR_MISUSE);
    CHECK_STATUS(fr_store_update(store, "t", &value, 1, null_column, &value, 1), FR_MISUSE);
    CHECK_STATUS(fr_store_object(&made, store, "t", NULL, 1), FR_MISUSE);
    CHECK(made == NULL);
    CHECK_OK(fr_store_close(store));
}

/*
 * No such array can exist; counting it must not overflow, and nothing beyond its first value may be
 * read.
 */
static void huge_counts_are_errors(void)
{
    static const size_t counts[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / sizeof(fr_value) + 1, (size_t)1 << 40};
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", NULL, NULL, NULL);
    fr_request *request = request_of("t", NULL, NULL, NULL);
    fr_object *made = NULL;
    fr_index_path path;
    fr_value value = fr_integer(1);
    size_t index;
    for (index = 0; index < sizeof counts / sizeof *counts; index++) {
        size_t count = counts[index];
        CHECK(fr_store_execute(store, "SELECT ?", &value, count) != FR_OK);
        CHECK(fr_store_execute(store, "SELECT ?", NULL, count) != FR_OK);
        CHECK(fr_store_execute_named(store, "SELECT :id", NULL, NULL, count) != FR_OK);
        CHECK(fr_store_object(&made, store, "t", &value, count) != FR_OK);
        CHECK(fr_store_delete(store, "t", &value, count) != FR_OK);
        CHECK(fr_store_update(store, "t", &value, count, columns, &value, 1) != FR_OK);
        CHECK(fr_list_index_path_of_identity(&path, list, &value, count) != FR_OK);
        CHECK(fr_request_set_predicate(request, "1", NULL, count) != FR_OK);
        CHECK(fr_request_set_columns(request, NULL, count) != FR_OK);
        CHECK(fr_request_set_group_by(request, NULL, count) != FR_OK);
        CHECK(fr_request_set_having(request, "1", NULL, count) != FR_OK);
    }
    for (index = 0; index < sizeof counts / sizeof *counts; index++) {
        size_t count = counts[index];
        CHECK(fr_store_execute_named(store, "SELECT :name", columns, &value, count) != FR_OK);
        CHECK(fr_store_insert(&made, store, "t", columns, &value, count) != FR_OK);
        CHECK(fr_store_update(store, "t", &value, 1, columns, &value, count) != FR_OK);
        CHECK(fr_request_set_predicate(request, "name = ?", &value, count) != FR_OK);
        CHECK(fr_request_set_predicate_named(request, "name = :name", columns, &value, count) != FR_OK);
        CHECK(fr_request_set_columns(request, columns, count) != FR_OK);
        CHECK(fr_request_set_group_by(request, columns, count) != FR_OK);
        CHECK(fr_request_set_having(request, "name = ?", &value, count) != FR_OK);
        CHECK(fr_request_set_identity(request, columns, count) != FR_OK);
    }
    CHECK(made == NULL);
    CHECK_CONTENTS(list, "1(1, a) 2(2, b)");
    fr_request_free(request);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void long_names_and_texts(void)
{
    enum { LENGTH = 1000000 };
    static char name[LENGTH + 1];
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", NULL, NULL, NULL), *made = NULL;
    fr_request *request = NULL;
    fr_value value = fr_integer(1), text;
    memset(name, 'x', LENGTH);
    CHECK_STATUS(fr_store_delete(store, name, &value, 1), FR_SCHEMA);
    CHECK_OK(fr_request_new(&request, name));
    CHECK_STATUS(fr_controller_new(&made, store, request), FR_SCHEMA);
    fr_request_free(request);
    text = fr_text(name);
    CHECK_OK(fr_store_update(store, "t", &value, 1, columns, &text, 1));
    CHECK_LIST(list, "1 2");
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

/*
 * ((((...)))), deeper than the parser of SQLite before 3.46 can read: an error or a list, not a
 * crash.
 */
static void deep_expressions(void)
{
    enum { DEPTH = 20000 };
    static char predicate[2 * DEPTH + 2];
    fr_store *store = store_with(SCHEMA);
    fr_request *request = NULL;
    fr_list *made = NULL;
    memset(predicate, '(', DEPTH);
    predicate[DEPTH] = '1';
    memset(predicate + DEPTH + 1, ')', DEPTH);
    CHECK_OK(fr_request_new(&request, "t"));
    CHECK_OK(fr_request_set_predicate(request, predicate, NULL, 0));
    if (sqlite3_libversion_number() < 3046000) {
        CHECK_STATUS(fr_controller_new(&made, store, request), FR_SQL);
    } else {
        CHECK_OK(fr_controller_new(&made, store, request));
    }
    fr_list_free(made);
    fr_request_free(request);
    CHECK_OK(fr_store_close(store));
}

/* Circular key paths are legal at any depth that the schema allows; a huge one must not crash. */
static void long_key_paths(void)
{
    static char path[7 * 1002]; /* 1001 times "parent.", and a column; a path has at most 64 foreign keys */
    fr_store *store = store_with("CREATE TABLE n(id INTEGER PRIMARY KEY, parent REFERENCES n);"
                                 "INSERT INTO n VALUES (1, 1)");
    fr_request *request = NULL;
    fr_list *made = NULL;
    int depth;
    for (depth = 0; depth < 1001; depth++) {
        strcpy(path + 7 * depth, "parent.");
    }
    strcpy(path + 7 * depth, "id");
    CHECK_OK(fr_request_new(&request, "n"));
    CHECK_OK(fr_request_add_sort(request, path, FR_ASCENDING, NULL));
    CHECK_STATUS(fr_controller_new(&made, store, request), FR_RANGE);
    fr_request_free(request);
    strcpy(path + 7 * 64, "none");
    CHECK_OK(fr_request_new(&request, "n"));
    CHECK_OK(fr_request_add_sort(request, path, FR_ASCENDING, NULL));
    CHECK_STATUS(fr_controller_new(&made, store, request), FR_SCHEMA);
    fr_request_free(request);
    CHECK_OK(fr_store_close(store));
}

/* Each "a." of the path can be a column of its own or a part of "a.a": 2^40 readings. */
static void ambiguous_key_paths(void)
{
    static char path[2 * 60];
    fr_store *store = store_with("CREATE TABLE n(id INTEGER PRIMARY KEY, a REFERENCES n, \"a.a\" REFERENCES n)");
    fr_request *request = NULL;
    fr_list *made = NULL;
    int depth;
    for (depth = 0; depth < 58; depth++) {
        strcpy(path + 2 * depth, "a.");
    }
    strcpy(path + 2 * depth, "x");
    CHECK_OK(fr_request_new(&request, "n"));
    CHECK_OK(fr_request_add_sort(request, path, FR_ASCENDING, NULL));
    CHECK_STATUS(fr_controller_new(&made, store, request), FR_SCHEMA);
    fr_request_free(request);
    CHECK_OK(fr_store_close(store));
}

TESTS(misuse_argument_tests) = {
    TEST(results_must_have_a_place),
    TEST(results_of_maps_and_collections_must_have_a_place),
    TEST(results_of_a_change_set_must_have_a_place),
    TEST(strings_must_be_there_and_valid),
    TEST(arrays_must_be_there),
    TEST(huge_counts_are_errors),
    TEST(long_names_and_texts),
    TEST(deep_expressions),
    TEST(long_key_paths),
    TEST(ambiguous_key_paths),
    END_OF_TESTS,
};
