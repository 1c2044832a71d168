/*
 * Every size, count, index, limit and time of the interface at -1, 0, 2^31 and 2^62, those of 32
 * bits at -1, 0 and their ends: the documented outcome, and nothing is allocated for a number that
 * no array or list can have. Tests/Scripts/test_numbers.py compares the table with the headers.
 */
#include <stdio.h>
#include <string.h>

#include <fetchedresults/views.h>

#include "collections.h"
#include "fixture.h"
#include "maps.h"
#include "test.h"

#define SCHEMA \
    "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT);" \
    "INSERT INTO t VALUES (1, 'a'), (2, 'b');"

enum { CASES = 4 };

static const int64_t numbers[CASES] = {-1, 0, (int64_t)1 << 31, (int64_t)1 << 62};
static const int32_t small_numbers[CASES] = {-1, 0, INT32_MAX, INT32_MIN};

/* `call` with each number as n; `what` is the function and its parameter. */
#define EACH(what, call, negative, zero, large, huge) EACH_OF(int64_t, numbers, what, call, negative, zero, large, huge)
#define EACH_SMALL(what, call, negative, zero, greatest, least) \
    EACH_OF(int32_t, small_numbers, what, call, negative, zero, greatest, least)
#define EACH_OF(type, all, what, call, ...) \
    do { \
        static const fr_status expected[CASES] = {__VA_ARGS__}; \
        int number; \
        for (number = 0; number < CASES; number++) { \
            const type n = (all)[number]; \
            char outcome[120]; \
            snprintf(outcome, sizeof outcome, "%s = %lld", what, (long long)n); \
            check_status((call), expected[number], outcome, __FILE__, __LINE__); \
        } \
    } while (0)

/* For what only counts and places can be. */
#define EACH_PLACE(what, call) EACH(what, call, FR_RANGE, FR_OK, FR_RANGE, FR_RANGE)

/* The most memory that the process ever had, in KiB. */
static long most_memory(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    long size = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "VmPeak: %ld", &size) == 1) break;
    }
    if (file != NULL) fclose(file);
    return size;
}

/* The outcome of a call, after what it made was released. */
static fr_status without(fr_status status, fr_object **object)
{
    fr_object_unref(*object);
    *object = NULL;
    return status;
}

static const char *const columns[] = {"name"};

static void numbers_of_stores(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_value values[] = {fr_text("x")};
    fr_value identity = fr_integer(1);
    fr_object *object = NULL;
    long before = most_memory();
    EACH_PLACE("fr_store_execute count", fr_store_execute(store, "SELECT 1", values, (size_t)n));
    EACH_PLACE("fr_store_execute_named count", fr_store_execute_named(store, "SELECT 1", columns, values, (size_t)n));
    EACH_PLACE("fr_store_insert count",
               without(fr_store_insert(&object, store, "t", columns, values, (size_t)n), &object));
    EACH("fr_store_update count", fr_store_update(store, "t", &identity, 1, columns, values, (size_t)n), FR_RANGE,
         FR_RANGE, FR_RANGE, FR_RANGE);
    EACH("fr_store_update identity_count", fr_store_update(store, "t", &identity, (size_t)n, columns, values, 1),
         FR_RANGE, FR_RANGE, FR_RANGE, FR_RANGE);
    EACH("fr_store_delete identity_count", fr_store_delete(store, "t", &identity, (size_t)n), FR_RANGE, FR_RANGE,
         FR_RANGE, FR_RANGE);
    EACH("fr_store_object identity_count", fr_store_object(&object, store, "t", &identity, (size_t)n), FR_RANGE,
         FR_RANGE, FR_RANGE, FR_RANGE);
    EACH_SMALL("fr_store_begin mode", fr_store_begin(store, n) == FR_OK ? fr_store_rollback(store) : fr_error_status(),
               FR_RANGE, FR_OK, FR_RANGE, FR_RANGE);
    EACH_SMALL("fr_store_dispatch_rounds limit", fr_store_dispatch_rounds(NULL, store, n), FR_OK, FR_OK, FR_OK, FR_OK);
    CHECK(object == NULL);
    CHECK(most_memory() - before < 1 << 16);
    CHECK_OK(fr_store_close(store));
}

/* Something always waits, so that no time is waited for. */
static fr_status wait_with_work(fr_store *store, int32_t milliseconds)
{
    run(store, "UPDATE t SET name = name || 'x'");
    return fr_store_wait(store, milliseconds);
}

/* Opens a store with one option, and changes a file there. */
static fr_status open_with(int64_t snapshot_limit, int32_t busy_timeout, int32_t poll_interval)
{
    fr_store_options options = {0};
    fr_store *store = NULL;
    options.struct_size = sizeof options;
    options.snapshot_limit = snapshot_limit;
    options.busy_timeout_ms = busy_timeout;
    options.poll_interval_ms = poll_interval;
    if (fr_store_open(&store, file_path("numbers.db"), &options) != FR_OK) return fr_error_status();
    run(store, "CREATE TABLE IF NOT EXISTS t(id INTEGER PRIMARY KEY, name); INSERT INTO t VALUES (NULL, 'x')");
    if (fr_store_dispatch(store) != FR_OK) return fr_error_status();
    return fr_store_close(store);
}

static void numbers_of_options_and_times(void)
{
    fr_store_options options = {0};
    fr_store *store = NULL;
    fr_list *list;
    options.struct_size = sizeof options;
    options.flags = FR_STORE_QUEUED;
    CHECK_OK(fr_store_open(&store, ":memory:", &options));
    run(store, SCHEMA);
    list = list_of(store, "t", NULL, NULL, NULL);
    EACH_SMALL("fr_store_wait timeout_ms", wait_with_work(store, n), FR_OK, FR_OK, FR_OK, FR_OK);
    EACH("fr_store_options.snapshot_limit", open_with(n, 0, 0), FR_OK, FR_OK, FR_OK, FR_OK);
    EACH_SMALL("fr_store_options.busy_timeout_ms", open_with(0, n, 0), FR_OK, FR_OK, FR_OK, FR_OK);
    EACH_SMALL("fr_store_options.poll_interval_ms", open_with(0, 0, n), FR_OK, FR_OK, FR_OK, FR_OK);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static fr_status touched(fr_store *store, int64_t since)
{
    fr_statement *statement = NULL;
    fr_status status = fr_store_touched_rows(&statement, store, "t", since);
    fr_statement_free(statement);
    return status;
}

static void numbers_of_steps(void)
{
    fr_store *store = store_with(SCHEMA);
    EACH("fr_store_discard_steps count", fr_store_discard_steps(store, (size_t)n), FR_OK, FR_OK, FR_OK, FR_OK);
    EACH("fr_store_set_undo_limit steps", fr_store_set_undo_limit(store, (size_t)n, 1), FR_OK, FR_OK, FR_OK, FR_OK);
    EACH("fr_store_set_undo_limit bytes", fr_store_set_undo_limit(store, 1, (size_t)n), FR_OK, FR_OK, FR_OK, FR_OK);
    CHECK_OK(fr_store_close(store));
}

static void numbers_of_histories(void)
{
    fr_store *store = store_with(SCHEMA);
    CHECK_OK(fr_store_start_history(store, "t"));
    run(store, "UPDATE t SET name = 'x'");
    EACH("fr_store_touched_rows since", touched(store, n), FR_GONE, FR_GONE, FR_GONE, FR_GONE);
    EACH("fr_store_set_history_limit limit", fr_store_set_history_limit(store, n), FR_RANGE, FR_RANGE, FR_OK, FR_RANGE);
    EACH("fr_store_delete_history before", fr_store_delete_history(store, n), FR_OK, FR_OK, FR_OK, FR_OK);
    CHECK_OK(fr_store_close(store));
}

static void numbers_of_statements(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_statement *statement = NULL;
    fr_value value = fr_integer(1);
    const char *name;
    bool has_row;
    CHECK_OK(fr_statement_prepare(&statement, store, "SELECT ?1"));
    EACH_SMALL("fr_statement_bind index", fr_statement_bind(statement, n, &value), FR_RANGE, FR_RANGE, FR_RANGE,
               FR_RANGE);
    CHECK_OK(fr_statement_step(&has_row, statement));
    EACH_SMALL("fr_statement_column_name index", fr_statement_column_name(&name, statement, n), FR_RANGE, FR_OK,
               FR_RANGE, FR_RANGE);
    EACH_SMALL("fr_statement_value index", fr_statement_value(&value, statement, n), FR_RANGE, FR_OK, FR_RANGE,
               FR_RANGE);
    fr_statement_free(statement);
    CHECK_OK(fr_store_close(store));
}

static fr_value sized(fr_value_type type, int64_t length)
{
    fr_value value = fr_blob("abc", length);
    value.type = type;
    return value;
}

static fr_status insert_value(fr_store *store, fr_value value)
{
    return fr_store_insert(NULL, store, "t", columns, &value, 1);
}

static fr_status bind_value(fr_statement *statement, fr_value value)
{
    return fr_statement_bind(statement, 1, &value);
}

/* A length of -1 means a text up to its NUL. */
static void lengths_of_values(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_statement *statement = NULL;
    long before = most_memory();
    CHECK_OK(fr_statement_prepare(&statement, store, "SELECT ?1"));
    EACH_PLACE("fr_value.length", insert_value(store, sized(FR_TYPE_BLOB, n)));
    EACH_PLACE("fr_value.length", bind_value(statement, sized(FR_TYPE_BLOB, n)));
    EACH("fr_value.length", insert_value(store, sized(FR_TYPE_TEXT, n)), FR_OK, FR_OK, FR_RANGE, FR_RANGE);
    EACH("fr_value.length", bind_value(statement, sized(FR_TYPE_TEXT, n)), FR_OK, FR_OK, FR_RANGE, FR_RANGE);
    CHECK_STATUS(insert_value(store, sized(FR_TYPE_TEXT, -2)), FR_RANGE);
    CHECK(most_memory() - before < 1 << 16);
    fr_statement_free(statement);
    CHECK_OK(fr_store_close(store));
}

static fr_status select_request(const fr_value *params, size_t count, const char *const *identity, size_t parts)
{
    fr_request *request = NULL;
    fr_status status = fr_request_new_select(&request, "SELECT id, name FROM t", params, count, identity, parts, NULL);
    fr_request_free(request);
    return status;
}

static void numbers_of_requests(void)
{
    fr_request *request = request_of("t", NULL, "name", NULL);
    fr_value value = fr_integer(1);
    long before = most_memory();
    EACH_PLACE("fr_request_new_select count", select_request(&value, (size_t)n, columns, 1));
    EACH_PLACE("fr_request_new_select identity_count", select_request(&value, 1, columns, (size_t)n));
    CHECK_OK(fr_request_set_predicate(request, "name > ?1", &value, 1));
    CHECK_OK(fr_request_set_columns(request, columns, 1));
    CHECK_OK(fr_request_set_identity(request, columns, 1));
    EACH_PLACE("fr_request_set_identity count", fr_request_set_identity(request, columns, (size_t)n));
    EACH_PLACE("fr_request_set_columns count", fr_request_set_columns(request, columns, (size_t)n));
    EACH_PLACE("fr_request_set_group_by count", fr_request_set_group_by(request, columns, (size_t)n));
    EACH_PLACE("fr_request_set_having count", fr_request_set_having(request, "1", &value, (size_t)n));
    EACH_PLACE("fr_request_set_predicate count", fr_request_set_predicate(request, "1", &value, (size_t)n));
    EACH_PLACE("fr_request_set_predicate_named count",
               fr_request_set_predicate_named(request, "1", columns, &value, (size_t)n));
    EACH("fr_request_set_batch_size batch_size", fr_request_set_batch_size(request, n), FR_RANGE, FR_RANGE, FR_RANGE,
         FR_RANGE);
    CHECK(most_memory() - before < 1 << 16);
    fr_request_free(request);
}

/* A list of such a window follows what changes. */
static fr_status window(fr_store *store, int64_t limit, int64_t offset)
{
    fr_request *request = request_of("t", NULL, "name", NULL);
    fr_status status = fr_request_set_limit(request, limit, offset);
    fr_list *list = NULL;
    if (status == FR_OK) {
        CHECK_OK(fr_controller_new(&list, store, request));
        CHECK_OK(fr_list_perform_fetch(list));
        run(store, "INSERT INTO t VALUES (NULL, 'm'), (NULL, 'a'); DELETE FROM t WHERE id = 1");
        check_against_fetch(list, store, request);
        CHECK_OK(fr_controller_set_request(list, request));
        fr_list_free(list);
    }
    fr_request_free(request);
    return status;
}

/* The list is read, and follows a change, under such a limit of its cache. */
static fr_status cached(fr_status (*set_limit)(fr_list *, int64_t), fr_list *list, fr_store *store, int64_t limit)
{
    run(store, "UPDATE t SET name = name || 'x'");
    CHECK(strlen(list_contents(list)) > 0);
    return set_limit(list, limit);
}

static void numbers_of_windows_and_caches(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", NULL, NULL, NULL);
    long before = most_memory();
    EACH("fr_request_set_limit limit", window(store, n, 1), FR_OK, FR_OK, FR_OK, FR_OK);
    EACH("fr_request_set_limit offset", window(store, (int64_t)1 << 62, n), FR_RANGE, FR_OK, FR_OK, FR_OK);
    CHECK_OK(window(store, INT64_MAX, INT64_MAX));
    EACH("fr_controller_set_row_cache_size rows", cached(fr_controller_set_row_cache_size, list, store, n), FR_RANGE,
         FR_OK, FR_OK, FR_OK);
    EACH("fr_controller_set_row_cache_bytes bytes", cached(fr_controller_set_row_cache_bytes, list, store, n), FR_RANGE,
         FR_OK, FR_OK, FR_OK);
    CHECK_OK(cached(fr_controller_set_row_cache_size, list, store, INT64_MAX));
    CHECK_OK(cached(fr_controller_set_row_cache_bytes, list, store, INT64_MAX));
    run(store, "UPDATE t SET name = name || 'x'");
    CHECK(strlen(list_contents(list)) > 0);
    CHECK(most_memory() - before < 1 << 16);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void numbers_of_lists(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", "name", NULL, NULL);
    fr_object *object = NULL;
    fr_section_info info;
    fr_index_path path;
    fr_rows rows;
    const fr_value *values;
    size_t value_count;
    fr_value identity = fr_integer(1);
    const char *title;
    int64_t count;
    long before = most_memory();
    EACH_PLACE("fr_list_section section", fr_list_section(&info, list, n));
    EACH("fr_list_section_object section", fr_list_section_object(&object, list, n), FR_RANGE, FR_NOT_FOUND, FR_RANGE,
         FR_RANGE);
    /* -1 is the whole list. */
    EACH("fr_list_totals section", without(fr_list_totals(&object, list, n), &object), FR_OK, FR_OK, FR_RANGE,
         FR_RANGE);
    EACH_PLACE("fr_list_row_count section", fr_list_row_count(&count, list, n));
    EACH_PLACE("fr_list_object_at path.section", without(fr_list_object_at(&object, list, path_at(n, 0)), &object));
    EACH_PLACE("fr_list_object_at path.row", without(fr_list_object_at(&object, list, path_at(0, n)), &object));
    EACH("fr_list_rows count", fr_list_rows(&rows, list, path_at(0, 0), (size_t)n), FR_OK, FR_RANGE, FR_OK, FR_OK);
    EACH_PLACE("fr_list_rows path.section", fr_list_rows(&rows, list, path_at(n, 0), 1));
    EACH_PLACE("fr_list_rows path.row", fr_list_rows(&rows, list, path_at(0, n), 1));
    EACH("fr_list_identities count", fr_list_identities(&rows, list, path_at(0, 0), (size_t)n), FR_OK, FR_RANGE, FR_OK,
         FR_OK);
    EACH_PLACE("fr_list_identities path.section", fr_list_identities(&rows, list, path_at(n, 0), 1));
    EACH_PLACE("fr_list_identities path.row", fr_list_identities(&rows, list, path_at(0, n), 1));
    EACH_PLACE("fr_list_identity_at path.section", fr_list_identity_at(&values, &value_count, list, path_at(n, 0)));
    EACH_PLACE("fr_list_identity_at path.row", fr_list_identity_at(&values, &value_count, list, path_at(0, n)));
    EACH("fr_list_index_path_of_identity count", fr_list_index_path_of_identity(&path, list, &identity, (size_t)n),
         FR_RANGE, FR_RANGE, FR_RANGE, FR_RANGE);
    EACH_PLACE("fr_list_index_path_at index", fr_list_index_path_at(&path, list, n));
    EACH_PLACE("fr_list_index_of path.section", fr_list_index_of(&count, list, path_at(n, 0)));
    EACH_PLACE("fr_list_index_of path.row", fr_list_index_of(&count, list, path_at(0, n)));
    EACH_PLACE("fr_list_index_title index", fr_list_index_title(&title, list, n));
    EACH_PLACE("fr_list_section_for_index_title index", fr_list_section_for_index_title(&count, list, "A", n));
    EACH("fr_list_remove_observer observer", fr_list_remove_observer(list, (uint64_t)n), FR_NOT_FOUND, FR_NOT_FOUND,
         FR_NOT_FOUND, FR_NOT_FOUND);
    EACH_SMALL("fr_live_handles kind", fr_live_handles(&count, n), FR_RANGE, FR_OK, FR_RANGE, FR_RANGE);
    CHECK(object == NULL);
    CHECK(most_memory() - before < 1 << 16);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void numbers_of_objects(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_value identity = fr_integer(1), value, values[2];
    fr_object *object = NULL;
    const char *name;
    CHECK_OK(fr_store_object(&object, store, "t", &identity, 1));
    EACH_PLACE("fr_object_identity index", fr_object_identity(&value, object, n));
    EACH_PLACE("fr_object_column_name index", fr_object_column_name(&name, object, n));
    EACH_PLACE("fr_object_value index", fr_object_value(&value, object, n));
    EACH_PLACE("fr_object_values count", fr_object_values(values, (size_t)n, object));
    fr_object_unref(object);
    CHECK_OK(fr_store_close(store));
}

/* The first record is of a section, the second one of an object. */
static void numbers_of_a_change_set(fr_list *list, fr_change_set *changes, void *user_data)
{
    const fr_replayed_section *sections;
    const fr_change *group;
    fr_change record;
    const fr_value *identity;
    fr_object *object = NULL;
    fr_value value;
    int64_t row_counts[] = {1, 1};
    const char *name;
    size_t count;
    bool is_changed;
    (void)list;
    EACH("fr_change_set_read first", (count = 1, fr_change_set_read(&record, &count, changes, (size_t)n)), FR_RANGE,
         FR_OK, FR_RANGE, FR_RANGE);
    EACH("fr_change_set_object index", fr_change_set_object(&object, changes, (size_t)n), FR_RANGE, FR_NOT_FOUND,
         FR_RANGE, FR_RANGE);
    EACH("fr_change_set_old_value index", fr_change_set_old_value(&value, changes, (size_t)n, 0), FR_RANGE,
         FR_NOT_FOUND, FR_RANGE, FR_RANGE);
    EACH("fr_change_set_old_value column", fr_change_set_old_value(&value, changes, 1, n), FR_RANGE, FR_NOT_FOUND,
         FR_RANGE, FR_RANGE);
    EACH_PLACE("fr_change_set_column_changed index", fr_change_set_column_changed(&is_changed, changes, (size_t)n, 0));
    EACH_PLACE("fr_change_set_column_changed column", fr_change_set_column_changed(&is_changed, changes, 1, n));
    EACH_PLACE("fr_change_set_column_name index", fr_change_set_column_name(&name, changes, (size_t)n, 0));
    EACH_PLACE("fr_change_set_column_name column", fr_change_set_column_name(&name, changes, 1, n));
    EACH_PLACE("fr_change_set_section_name index", fr_change_set_section_name(&name, changes, (size_t)n));
    EACH("fr_change_set_old_section_name index", fr_change_set_old_section_name(&name, changes, (size_t)n), FR_RANGE,
         FR_NOT_FOUND, FR_RANGE, FR_RANGE);
    EACH("fr_change_set_section_object index", fr_change_set_section_object(&object, changes, (size_t)n), FR_RANGE,
         FR_NOT_FOUND, FR_RANGE, FR_RANGE);
    EACH("fr_change_set_identity index", fr_change_set_identity(&identity, &count, changes, (size_t)n), FR_RANGE,
         FR_NOT_FOUND, FR_RANGE, FR_RANGE);
    EACH_SMALL("fr_change_set_group kind", fr_change_set_group(&group, &count, changes, n, FR_INSERT), FR_RANGE,
               FR_RANGE, FR_RANGE, FR_RANGE);
    EACH_SMALL("fr_change_set_group type", fr_change_set_group(&group, &count, changes, FR_OBJECT, n), FR_RANGE,
               FR_RANGE, FR_RANGE, FR_RANGE);
    EACH("fr_change_set_replay section_count", fr_change_set_replay(&sections, &count, changes, row_counts, (size_t)n),
         FR_RANGE, FR_RANGE, FR_RANGE, FR_RANGE);
    EACH("fr_change_set_replay row_counts",
         (row_counts[1] = n, fr_change_set_replay(&sections, &count, changes, row_counts, 2)), FR_RANGE, FR_RANGE,
         FR_RANGE, FR_RANGE);
    row_counts[1] = INT32_MAX - 1;
    CHECK_STATUS(fr_change_set_replay(&sections, &count, changes, row_counts, 2), FR_RANGE);
    row_counts[1] = 1;
    CHECK_OK(fr_change_set_replay(&sections, &count, changes, row_counts, 2));
    CHECK(object == NULL);
    *(int *)user_data += 1;
}

static void numbers_of_change_sets(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", "name", NULL, NULL);
    fr_observer observer = {0};
    long before = most_memory();
    int calls = 0;
    observer.struct_size = sizeof observer;
    observer.did_deliver = numbers_of_a_change_set;
    CHECK_OK(fr_list_add_observer(NULL, list, &observer, &calls, NULL));
    run(store, "INSERT INTO t VALUES (3, 'c')");
    CHECK_INT(calls, 1);
    CHECK(most_memory() - before < 1 << 16);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static fr_status map_with(fr_store *store, const fr_value *keys, size_t count)
{
    fr_request *items = request_of("t", NULL, NULL, NULL);
    fr_list *map = NULL;
    fr_status status = fr_section_map_new_with_keys(&map, store, items, keys, count, "name", NULL);
    fr_list_free(map);
    fr_request_free(items);
    return status;
}

static void numbers_of_section_maps(void)
{
    fr_store *store = store_with(SCHEMA LISTS_AND_TASKS SOME_TASKS);
    const int64_t numbers_of_keys[] = {10, 20, 30, 0};
    fr_list *map = map_of_keys(store, "tasks", "list_id", numbers_of_keys, NULL), *rows = task_map(store, NULL);
    fr_object *object = NULL;
    fr_section_info info;
    fr_value key = fr_integer(1);
    long before = most_memory();
    EACH_PLACE("fr_section_map_new_with_keys count", map_with(store, &key, (size_t)n));
    EACH_PLACE("fr_section_map_key index", fr_section_map_key(&key, map, n));
    EACH_PLACE("fr_section_map_all_section index", fr_section_map_all_section(&info, map, n));
    EACH_PLACE("fr_section_map_all_section_object index",
               without(fr_section_map_all_section_object(&object, rows, n), &object));
    EACH_PLACE("fr_section_map_set_keys count", fr_section_map_set_keys(map, &key, (size_t)n));
    EACH_SMALL("fr_section_map_set_empty_sections value", fr_section_map_set_empty_sections(map, n), FR_RANGE, FR_OK,
               FR_RANGE, FR_RANGE);
    EACH_SMALL("fr_section_map_set_items_without_section value", fr_section_map_set_items_without_section(map, n),
               FR_RANGE, FR_OK, FR_RANGE, FR_RANGE);
    CHECK(most_memory() - before < 1 << 16);
    fr_list_free(map);
    fr_list_free(rows);
    CHECK_OK(fr_store_close(store));
}

static fr_status window_with(fr_list *list, int64_t index, int64_t before, int64_t after)
{
    fr_list *window = NULL;
    fr_status status = fr_window_open(&window, list, index, before, after);
    fr_list_free(window);
    return status;
}

static fr_status window_at_identity(fr_list *list, int64_t before, int64_t after)
{
    fr_value identity = fr_integer(1);
    fr_list *window = NULL;
    fr_status status = fr_window_open_at_identity(&window, list, &identity, 1, before, after);
    fr_list_free(window);
    return status;
}

static fr_status window_at_section(fr_list *list, int64_t before, int64_t after)
{
    fr_list *window = NULL;
    fr_status status = fr_window_open_at_section(&window, list, "a", before, after);
    fr_list_free(window);
    return status;
}

static void numbers_of_windows(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", "name", NULL, NULL), *window = NULL;
    fr_value identity = fr_integer(1);
    long before = most_memory();
    CHECK_OK(fr_window_open(&window, list, 0, 0, 1));
    /* -1 is the last row. */
    EACH("fr_window_open index", window_with(list, n, 0, 1), FR_OK, FR_OK, FR_RANGE, FR_RANGE);
    EACH_PLACE("fr_window_open before", window_with(list, 0, n, 1));
    EACH_PLACE("fr_window_open after", window_with(list, 0, 0, n));
    EACH("fr_window_open_at_identity count", fr_window_open_at_identity(&window, list, &identity, (size_t)n, 0, 1),
         FR_RANGE, FR_RANGE, FR_RANGE, FR_RANGE);
    EACH_PLACE("fr_window_open_at_identity before", window_at_identity(list, n, 1));
    EACH_PLACE("fr_window_open_at_identity after", window_at_identity(list, 0, n));
    EACH_PLACE("fr_window_open_at_section before", window_at_section(list, n, 1));
    EACH_PLACE("fr_window_open_at_section after", window_at_section(list, 0, n));
    EACH("fr_window_move rows", fr_window_move(window, n), FR_OK, FR_OK, FR_OK, FR_OK);
    EACH_PLACE("fr_window_resize before", fr_window_resize(window, n, 1));
    EACH_PLACE("fr_window_resize after", fr_window_resize(window, 0, n));
    CHECK(most_memory() - before < 1 << 16);
    fr_list_free(window);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

/* A collection of a number of requests. */
static fr_status collection_with(fr_store *store, fr_request *request, size_t count)
{
    fr_list *collection = NULL;
    fr_status status = fr_collection_new_with_requests(&collection, store, &request, count);
    fr_list_free(collection);
    return status;
}

/* What was inserted is the first or the last of the children, and is removed again. */
static fr_status remove_again(fr_list *collection, int64_t index, fr_status status)
{
    int64_t count;
    if (status != FR_OK) return status;
    CHECK_OK(fr_collection_child_count(&count, collection));
    CHECK_OK(fr_collection_remove(collection, index == 0 ? 0 : count - 1));
    return FR_OK;
}

/* Puts a child back in the first place. */
static fr_status put_back(fr_list *collection, fr_list *child, fr_status status)
{
    if (status == FR_OK && !CHECK_OK(fr_collection_replace(collection, 0, child, NULL))) return FR_ERROR;
    return status;
}

static fr_status remove_and_insert(fr_list *collection, int64_t index, fr_list *child)
{
    fr_status status = fr_collection_remove(collection, index);
    if (status == FR_OK) CHECK_OK(fr_collection_insert(collection, 0, child, NULL));
    return status;
}

static void numbers_of_collections(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *child = list_of(store, "t", NULL, NULL, NULL), *other = list_of(store, "t", "name", NULL, NULL);
    fr_list *collection = collection_of(child, NULL, NULL), *found;
    fr_request *request = request_of("t", NULL, NULL, NULL);
    fr_placeholder *placeholder = placeholder_of("empty", NULL), *shown;
    int64_t index;
    long before = most_memory();
    EACH_PLACE("fr_collection_new_with_requests count", collection_with(store, request, (size_t)n));
    EACH("fr_collection_insert index", remove_again(collection, n, fr_collection_insert(collection, n, other, NULL)),
         FR_OK, FR_OK, FR_RANGE, FR_RANGE);
    EACH("fr_collection_insert_placeholder index",
         remove_again(collection, n, fr_collection_insert_placeholder(collection, n, placeholder)), FR_OK, FR_OK,
         FR_RANGE, FR_RANGE);
    EACH_PLACE("fr_collection_replace index",
               put_back(collection, child, fr_collection_replace(collection, n, other, NULL)));
    EACH_PLACE("fr_collection_replace_with_placeholder index",
               put_back(collection, child, fr_collection_replace_with_placeholder(collection, n, placeholder)));
    EACH_PLACE("fr_collection_remove index", remove_and_insert(collection, n, child));
    EACH_PLACE("fr_collection_child index", fr_collection_child(&found, collection, n));
    EACH_PLACE("fr_collection_placeholder index", fr_collection_placeholder(&shown, collection, n));
    EACH_PLACE("fr_collection_child_of_section section", fr_collection_child_of_section(&index, collection, n));
    CHECK(most_memory() - before < 1 << 16);
    fr_placeholder_free(placeholder);
    fr_request_free(request);
    fr_list_free(other);
    fr_list_free(child);
    fr_list_free(collection);
    CHECK_OK(fr_store_close(store));
}

static fr_status array_source(fr_object *object, size_t count, const fr_cells *cells)
{
    fr_data_source *source = NULL;
    fr_status status = fr_data_source_new_array(&source, &object, count, cells, NULL, NULL);
    fr_data_source_free(source);
    return status;
}

static fr_status cell_with(size_t count)
{
    fr_cell *cell = NULL;
    fr_status status = fr_cell_new(&cell, columns, count, NULL, NULL, NULL);
    fr_cell_free(cell);
    return status;
}

static void numbers_of_data_sources(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", "name", NULL, NULL);
    fr_cells cells = {0};
    fr_data_source *source = NULL;
    fr_object *object = NULL, *selected[1] = {NULL};
    fr_index_path path = {0, 0}, paths[1];
    const char *text;
    int64_t number_found;
    size_t count;
    void *cell;
    long before;
    cells.struct_size = sizeof cells;
    CHECK_OK(fr_data_source_new(&source, list, &cells, NULL, NULL));
    CHECK_OK(fr_data_source_set_table_index(source, true));
    CHECK_OK(fr_list_object_at(&object, list, path));
    before = most_memory();
    EACH_PLACE("fr_data_source_new_array count", array_source(object, (size_t)n, &cells));
    EACH_PLACE("fr_data_source_row_count section", fr_data_source_row_count(&number_found, source, n));
    EACH_PLACE("fr_data_source_object_at path.section",
               without(fr_data_source_object_at(&selected[0], source, path_at(n, 0)), &selected[0]));
    EACH_PLACE("fr_data_source_object_at path.row",
               without(fr_data_source_object_at(&selected[0], source, path_at(0, n)), &selected[0]));
    EACH_PLACE("fr_data_source_cell path.section", fr_data_source_cell(&cell, source, path_at(n, 0)));
    EACH_PLACE("fr_data_source_cell path.row", fr_data_source_cell(&cell, source, path_at(0, n)));
    EACH("fr_data_source_update_visible_cell path.section",
         fr_data_source_update_visible_cell(source, path_at(n, 0), object), FR_OK, FR_OK, FR_RANGE, FR_RANGE);
    EACH("fr_data_source_update_visible_cell path.row",
         fr_data_source_update_visible_cell(source, path_at(0, n), object), FR_OK, FR_OK, FR_RANGE, FR_RANGE);
    EACH("fr_data_source_supplementary path.section",
         fr_data_source_supplementary(&cell, source, "kind", path_at(n, 0)), FR_OK, FR_OK, FR_RANGE, FR_RANGE);
    EACH("fr_data_source_supplementary path.row", fr_data_source_supplementary(&cell, source, "kind", path_at(0, n)),
         FR_OK, FR_OK, FR_RANGE, FR_RANGE);
    EACH_PLACE("fr_data_source_section_title section", fr_data_source_section_title(&text, source, n));
    EACH_PLACE("fr_data_source_index_title index", fr_data_source_index_title(&text, source, n));
    EACH("fr_data_source_section_for_index_title index",
         fr_data_source_section_for_index_title(&number_found, source, "A", n), FR_NOT_FOUND, FR_OK, FR_NOT_FOUND,
         FR_NOT_FOUND);
    EACH_PLACE("fr_data_source_selected_objects count",
               without(fr_data_source_selected_objects(selected, &count, source, &path, (size_t)n), &selected[0]));
    EACH_PLACE("fr_data_source_select_objects count",
               fr_data_source_select_objects(paths, NULL, source, &object, (size_t)n));
    EACH_PLACE("fr_cell_new count", cell_with((size_t)n));
    CHECK(selected[0] == NULL);
    CHECK(most_memory() - before < 1 << 16);
    fr_object_unref(object);
    fr_data_source_free(source);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void numbers_of_cells(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_value identity = fr_integer(1), value;
    fr_object *object = NULL;
    fr_cell *cell = NULL;
    const char *text;
    CHECK_OK(fr_store_object(&object, store, "t", &identity, 1));
    CHECK_OK(fr_cell_new(&cell, columns, 1, NULL, NULL, NULL));
    CHECK_OK(fr_cell_set_object(cell, object));
    EACH_PLACE("fr_cell_value index", fr_cell_value(&value, cell, n));
    EACH_PLACE("fr_cell_text index", fr_cell_text(&text, cell, n));
    fr_cell_free(cell);
    fr_object_unref(object);
    CHECK_OK(fr_store_close(store));
}

/* Makes an entity list with such numbers. */
static fr_status entity_list(fr_entity_list **out, size_t sort_count, int64_t batch_size)
{
    static const fr_sort sort = {"name", FR_ASCENDING, NULL};
    fr_entity_list *list = NULL;
    fr_entity entity = {0};
    fr_status status;
    entity.struct_size = sizeof entity;
    entity.entity = "t";
    entity.sorts = &sort;
    entity.sort_count = sort_count;
    entity.batch_size = batch_size;
    status = fr_entity_list_new(&list, &entity, NULL, NULL, NULL, NULL);
    if (out != NULL) {
        *out = list;
    } else {
        fr_entity_list_free(list);
    }
    return status;
}

static void numbers_of_entity_lists(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_entity_list *list = NULL;
    fr_value values[] = {fr_text("x")};
    long before;
    CHECK_OK(entity_list(&list, 1, 0));
    CHECK_OK(fr_entity_list_set_store(list, store));
    before = most_memory();
    EACH_PLACE("fr_entity.sort_count", entity_list(NULL, (size_t)n, 0));
    EACH_PLACE("fr_entity.batch_size", entity_list(NULL, 1, n));
    EACH_PLACE("fr_entity_list_add_item count", fr_entity_list_add_item(NULL, list, columns, values, (size_t)n));
    EACH_PLACE("fr_entity_list_delete_item path.section", fr_entity_list_delete_item(list, path_at(n, 0)));
    EACH_PLACE("fr_entity_list_delete_item path.row", fr_entity_list_delete_item(list, path_at(0, n)));
    CHECK(most_memory() - before < 1 << 16);
    fr_entity_list_free(list);
    CHECK_OK(fr_store_close(store));
}

/* What a callback returns is a number of the program, too. */
static int64_t title_length;

static int64_t title_of_length(char *title, int64_t capacity, const char *name, void *user_data)
{
    (void)name;
    (void)user_data;
    memset(title, 'q', (size_t)capacity);
    return title_length;
}

static fr_status title_with(fr_list *list, int64_t length, const char *expected)
{
    const char *title = NULL;
    title_length = length;
    CHECK_OK(fr_controller_set_index_title_function(list, title_of_length, NULL, NULL));
    if (expected == NULL) return fr_list_index_title(&title, list, 0);
    CHECK_OK(fr_list_index_title(&title, list, 0));
    CHECK_TEXT(title, expected);
    return FR_OK;
}

static fr_value function_result;

static fr_status return_result(fr_value *result, const fr_value *arguments, size_t count, void *user_data)
{
    (void)arguments;
    (void)count;
    (void)user_data;
    *result = function_result;
    return FR_OK;
}

static fr_status add_function(fr_store *store, int32_t argument_count)
{
    fr_function function = {0};
    function.struct_size = sizeof function;
    function.argument_count = argument_count;
    function.call = return_result;
    return fr_store_add_function(store, "yield", &function, NULL, NULL);
}

static fr_status call_function(fr_store *store, fr_value result)
{
    function_result = result;
    return fr_store_execute(store, "SELECT yield()", NULL, 0);
}

static void numbers_that_callbacks_return(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", "name", NULL, NULL);
    long before = most_memory();
    EACH("fr_index_title_function", title_with(list, n, n == 0 ? NULL : "A"), FR_OK, FR_RANGE, FR_OK, FR_OK);
    EACH_SMALL("fr_function.argument_count", add_function(store, n), FR_OK, FR_OK, FR_RANGE, FR_RANGE);
    EACH("fr_function.call", call_function(store, sized(FR_TYPE_BLOB, n)), FR_ERROR, FR_OK, FR_ERROR, FR_ERROR);
    EACH("fr_function.call", call_function(store, sized(FR_TYPE_TEXT, n)), FR_OK, FR_OK, FR_ERROR, FR_ERROR);
    CHECK(most_memory() - before < 1 << 16);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

TESTS(number_tests) = {
    TEST(numbers_of_stores),
    TEST(numbers_of_options_and_times),
    TEST(numbers_of_steps),
    TEST(numbers_of_histories),
    TEST(numbers_of_statements),
    TEST(lengths_of_values),
    TEST(numbers_of_requests),
    TEST(numbers_of_windows_and_caches),
    TEST(numbers_of_lists),
    TEST(numbers_of_objects),
    TEST(numbers_of_change_sets),
    TEST(numbers_of_section_maps),
    TEST(numbers_of_windows),
    TEST(numbers_of_collections),
    TEST(numbers_of_data_sources),
    TEST(numbers_of_cells),
    TEST(numbers_of_entity_lists),
    TEST(numbers_that_callbacks_return),
    END_OF_TESTS,
};
