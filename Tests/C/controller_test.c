/*
 * Lists of one request through the C interface: reads and what they refuse, another request,
 * pauses.
 */
#include <string.h>

#include "fixture.h"
#include "recorder.h"
#include "test.h"

#define SCHEMA \
    "CREATE TABLE lists(id INTEGER PRIMARY KEY);" \
    "CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT, list_id REFERENCES lists(id));" \
    "INSERT INTO lists VALUES (10), (20), (30);" \
    "INSERT INTO items VALUES (1, 'a', 10), (2, 'b', 20), (3, 'c', 30), (4, 'd', NULL), (5, 'e', 10);"

static void nothing_is_read_before_the_fetch(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_request *request = request_of("items", NULL, NULL, NULL);
    fr_list *list = NULL;
    fr_object *object = NULL;
    fr_value identity = fr_integer(1);
    fr_index_path path;
    fr_section_info section;
    const char *title;
    int64_t number = 0;
    bool fetched = true;
    REQUIRE(CHECK_OK(fr_controller_new(&list, store, request)));
    CHECK_OK(fr_list_is_fetched(&fetched, list));
    CHECK(!fetched);
    CHECK_STATUS(fr_list_count(&number, list), FR_NOT_FETCHED);
    CHECK_STATUS(fr_list_section_count(&number, list), FR_NOT_FETCHED);
    CHECK_STATUS(fr_list_section(&section, list, 0), FR_NOT_FETCHED);
    CHECK_STATUS(fr_list_row_count(&number, list, 0), FR_NOT_FETCHED);
    CHECK_STATUS(fr_list_object_at(&object, list, path_at(0, 0)), FR_NOT_FETCHED);
    CHECK_STATUS(fr_list_index_path_of_identity(&path, list, &identity, 1), FR_NOT_FETCHED);
    CHECK_STATUS(fr_list_index_path_at(&path, list, 0), FR_NOT_FETCHED);
    CHECK_STATUS(fr_list_index_of(&number, list, path_at(0, 0)), FR_NOT_FETCHED);
    CHECK_STATUS(fr_list_index_title_count(&number, list), FR_NOT_FETCHED);
    CHECK_STATUS(fr_list_index_title(&title, list, 0), FR_NOT_FETCHED);
    CHECK_STATUS(fr_list_section_for_index_title(&number, list, "A", 0), FR_NOT_FETCHED);
    CHECK_OK(fr_list_perform_fetch(list));
    CHECK_OK(fr_list_is_fetched(&fetched, list));
    CHECK(fetched);
    CHECK_LIST(list, "1 2 3 4 5");
    fr_list_free(list);
    fr_request_free(request);
    CHECK_OK(fr_store_close(store));
}

static void indexes_out_of_range(void)
{
    static const int64_t wrong[] = {-1, 2, INT64_MAX, INT64_MIN};
    fr_store *store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY, s); INSERT INTO t VALUES (1, 'a'), (2, 'b')");
    fr_list *list = list_of(store, "t", "s", NULL, NULL);
    fr_object *object = NULL;
    fr_index_path path = {7, 7};
    fr_section_info section;
    const char *title = "untouched";
    int64_t number = 7;
    size_t index;
    for (index = 0; index < sizeof wrong / sizeof *wrong; index++) {
        CHECK_STATUS(fr_list_section(&section, list, wrong[index]), FR_RANGE);
        CHECK_STATUS(fr_list_row_count(&number, list, wrong[index]), FR_RANGE);
        CHECK_STATUS(fr_list_object_at(&object, list, path_at(wrong[index], 0)), FR_RANGE);
        CHECK_STATUS(fr_list_object_at(&object, list, path_at(0, wrong[index])), FR_RANGE);
        CHECK_STATUS(fr_list_index_path_at(&path, list, wrong[index]), FR_RANGE);
        CHECK_STATUS(fr_list_index_of(&number, list, path_at(wrong[index], 0)), FR_RANGE);
        CHECK_STATUS(fr_list_index_of(&number, list, path_at(0, wrong[index])), FR_RANGE);
        CHECK_STATUS(fr_list_index_title(&title, list, wrong[index]), FR_RANGE);
        CHECK_STATUS(fr_list_section_for_index_title(&number, list, "A", wrong[index]), FR_RANGE);
    }
    CHECK_STATUS(fr_list_object_at(&object, list, path_at(0, 1)), FR_RANGE);
    CHECK(object == NULL);
    CHECK_INT(number, 7);
    CHECK_INT(path.section, 7);
    CHECK_TEXT(title, "untouched");
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void index_paths_go_both_ways(void)
{
    fr_store *store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY, s);"
                                 "INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'a'), (4, 'c')");
    fr_list *list = list_of(store, "t", "s", NULL, NULL);
    int64_t index;
    CHECK_LIST(list, "a: 1 3 | b: 2 | c: 4");
    for (index = 0; index < 4; index++) {
        fr_index_path path = {-1, -1}, found = {-1, -1}, by_identity = {-1, -1};
        fr_object *object = NULL;
        fr_value identity = fr_null();
        int64_t number = -1;
        CHECK_OK(fr_list_index_path_at(&path, list, index));
        CHECK_OK(fr_list_index_of(&number, list, path));
        CHECK_INT(number, index);
        REQUIRE(CHECK_OK(fr_list_object_at(&object, list, path)));
        CHECK_OK(fr_list_index_path_of(&found, list, object));
        CHECK(memcmp(&found, &path, sizeof path) == 0);
        CHECK_OK(fr_object_identity(&identity, object, 0));
        CHECK_OK(fr_list_index_path_of_identity(&by_identity, list, &identity, 1));
        CHECK(memcmp(&by_identity, &path, sizeof path) == 0);
        fr_object_unref(object);
    }
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void not_in_the_list_is_a_result(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", NULL, NULL, "id < 3");
    fr_list *others = list_of(store, "lists", NULL, NULL, NULL);
    fr_index_path path = {7, 7};
    fr_value identity = fr_integer(3), wrong[2];
    fr_object *object = NULL;
    CHECK_STATUS(fr_list_index_path_of_identity(&path, list, &identity, 1), FR_NOT_FOUND);
    CHECK_OK(fr_store_object(&object, store, "items", &identity, 1));
    CHECK_STATUS(fr_list_index_path_of(&path, list, object), FR_NOT_FOUND);
    fr_object_unref(object);
    CHECK_OK(fr_list_object_at(&object, others, path_at(0, 0)));
    CHECK_STATUS(fr_list_index_path_of(&path, list, object), FR_TYPE);
    fr_object_unref(object);
    wrong[0] = fr_text("1");
    wrong[1] = fr_integer(1);
    CHECK_STATUS(fr_list_index_path_of_identity(&path, list, wrong, 2), FR_RANGE);
    CHECK_STATUS(fr_list_index_path_of_identity(&path, list, wrong, 0), FR_RANGE);
    CHECK_STATUS(fr_list_index_path_of_identity(&path, list, wrong, SIZE_MAX), FR_RANGE);
    CHECK_STATUS(fr_list_index_path_of_identity(&path, list, NULL, 1), FR_MISUSE);
    wrong[0] = fr_null();
    CHECK_STATUS(fr_list_index_path_of_identity(&path, list, wrong, 1), FR_NOT_FOUND);
    CHECK_INT(path.section, 7);
    fr_list_free(list);
    fr_list_free(others);
    CHECK_OK(fr_store_close(store));
}

static void counters_want_their_size(void)
{
    fr_store *store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY)");
    fr_list *list = list_of(store, "t", NULL, NULL, NULL);
    struct {
        fr_counters counters;
        int64_t beyond;
    } room;
    memset(&room, 0x55, sizeof room);
    room.counters.struct_size = 0;
    CHECK_STATUS(fr_controller_counters(&room.counters, list), FR_RANGE);
    room.counters.struct_size = sizeof room.counters;
    CHECK_OK(fr_controller_counters(&room.counters, list));
    CHECK_INT(room.counters.struct_size, sizeof room.counters);
    CHECK_INT(room.counters.deliveries, 0);
    CHECK_INT(room.beyond, 0x5555555555555555);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

#define REQUESTED \
    "CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT, grp TEXT);" \
    "CREATE TABLE others(id INTEGER PRIMARY KEY);" \
    "INSERT INTO items VALUES (1, 'a', 'x'), (2, 'b', 'y'), (3, 'c', 'x'), (4, 'd', 'y');"

static void set_request(fr_list *list, fr_request *request)
{
    CHECK_OK(fr_controller_set_request(list, request));
    fr_request_free(request);
}

static void difference_is_one_change_set(void)
{
    fr_store *store = store_with(REQUESTED);
    fr_list *list = list_of(store, "items", NULL, "name", NULL);
    struct recorder recorder;
    recorder_start(&recorder, list);
    set_request(list, request_of("items", NULL, "name", "id <> 2"));
    CHECK_LOG(&recorder, "[delete 0.1]");
    set_request(list, request_of("items", NULL, "name", "id <> 3"));
    CHECK_LOG(&recorder, "[delete 0.1; insert 0.1]");
    set_request(list, request_of("items", NULL, "name", "id <> 3"));
    CHECK_LOG(&recorder, "");
    CHECK_LIST(list, "1 2 4");
    fr_list_free(list);
    recorder_free(&recorder);
    CHECK_OK(fr_store_close(store));
}

static void failure_leaves_request_and_list(void)
{
    fr_store *store = store_with(REQUESTED);
    fr_list *list = list_of(store, "items", NULL, "name", "id < 3");
    fr_request *request = request_of("items", NULL, "colour", NULL);
    struct recorder recorder;
    recorder_start(&recorder, list);
    CHECK_STATUS(fr_controller_set_request(list, request), FR_SCHEMA);
    fr_request_free(request);
    request = request_of("items", NULL, NULL, "nonsense(id)");
    CHECK_STATUS(fr_controller_set_request(list, request), FR_SQL);
    fr_request_free(request);
    request = request_of("others", NULL, NULL, NULL);
    CHECK_STATUS(fr_controller_set_request(list, request), FR_MISUSE);
    fr_request_free(request);
    CHECK_LIST(list, "1 2");
    run(store, "UPDATE items SET name = 'z' WHERE id = 1");
    CHECK_LOG(&recorder, "[move 0.0>0.1 {name}]");
    fr_list_free(list);
    recorder_free(&recorder);
    CHECK_OK(fr_store_close(store));
}

/* The difference is one change set, or a reload; when the store is closed the list stays paused. */
static void pause_ends_with_the_difference_or_a_reload(void)
{
    fr_store *store = store_with(REQUESTED);
    fr_list *list = list_of(store, "items", NULL, "name", NULL);
    struct recorder recorder;
    bool paused = true;
    recorder_start(&recorder, list);
    CHECK_OK(fr_controller_is_paused(&paused, list));
    CHECK(!paused);
    CHECK_OK(fr_controller_pause(list));
    CHECK_OK(fr_controller_is_paused(&paused, list));
    CHECK(paused);
    run(store, "DELETE FROM items WHERE id = 1; UPDATE items SET name = 'bb' WHERE id = 2");
    CHECK_LOG(&recorder, "");
    CHECK_OK(fr_controller_resume(list, false));
    CHECK_LOG(&recorder, "[delete 0.0; update 0.1>0.0 {name}]");
    CHECK_OK(fr_controller_pause(list));
    CHECK_OK(fr_controller_resume(list, true));
    CHECK_LOG(&recorder, "[reload]");
    CHECK_OK(fr_controller_pause(list));
    CHECK_OK(fr_store_close(store));
    CHECK_STATUS(fr_controller_resume(list, false), FR_CLOSED);
    CHECK_STATUS(fr_controller_resume(list, true), FR_CLOSED);
    CHECK_OK(fr_controller_is_paused(&paused, list));
    CHECK(paused);
    fr_list_free(list);
    recorder_free(&recorder);
}

TESTS(controller_tests) = {
    TEST(nothing_is_read_before_the_fetch),
    TEST(indexes_out_of_range),
    TEST(index_paths_go_both_ways),
    TEST(not_in_the_list_is_a_result),
    TEST(counters_want_their_size),
    TEST(difference_is_one_change_set),
    TEST(failure_leaves_request_and_list),
    TEST(pause_ends_with_the_difference_or_a_reload),
    END_OF_TESTS,
};
