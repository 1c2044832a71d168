/*
 * Windows through the C interface: opening, place, moving, what they record, and what they refuse.
 * The Swift tests have what windows show and report.
 */
#include <string.h>

#include "collections.h"
#include "fixture.h"
#include "recorder.h"
#include "test.h"

#define LETTERS \
    "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, kind TEXT);" \
    "INSERT INTO t VALUES (1, 'a', 'x'), (2, 'b', 'x'), (3, 'c', 'x'), (4, 'd', 'y'), (5, 'e', 'y'), (6, 'f', 'y');"

static fr_list *window_of(fr_list *list, int64_t index, int64_t before, int64_t after)
{
    fr_list *window = NULL;
    CHECK_OK(fr_window_open(&window, list, index, before, after));
    return window;
}

static int64_t position_of(fr_list *window)
{
    int64_t position = -1;
    CHECK_OK(fr_window_position(&position, window));
    return position;
}

static void window_opens_at_each_place(void)
{
    fr_store *store = store_with(LETTERS);
    fr_list *list = list_of(store, "t", "kind", "name", NULL);
    fr_value identity = fr_integer(4);
    fr_list *first = window_of(list, 0, 1, 1), *last = window_of(list, FR_WINDOW_AT_END, 1, 1);
    fr_list *by_identity = NULL, *by_name = NULL;
    fr_index_path anchor;
    int64_t before = -1, after = -1;
    CHECK_OK(fr_window_open_at_identity(&by_identity, list, &identity, 1, 2, 1));
    CHECK_OK(fr_window_open_at_section(&by_name, list, "y", 0, 1));
    CHECK_LIST(first, "x: 1 2");
    CHECK_LIST(last, "y: 5 6");
    CHECK_LIST(by_identity, "x: 2 3 | y: 4 5");
    CHECK_LIST(by_name, "y: 4 5");
    CHECK_INT(position_of(by_identity), 1);
    CHECK_OK(fr_window_anchor(&anchor, by_identity));
    CHECK_INT(anchor.section, 1);
    CHECK_INT(anchor.row, 0);
    CHECK_OK(fr_window_extent(&before, &after, by_identity));
    CHECK_INT(before, 2);
    CHECK_INT(after, 1);
    fr_list_free(first);
    fr_list_free(last);
    fr_list_free(by_identity);
    fr_list_free(by_name);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void window_records_what_concerns_it(void)
{
    fr_store *store = store_with(LETTERS);
    fr_list *list = list_of(store, "t", NULL, "name", NULL), *window = window_of(list, 2, 1, 1);
    struct recorder recorder;
    recorder_start(&recorder, window);
    run(store, "INSERT INTO t VALUES (7, 'aa', 'x'); DELETE FROM t WHERE id = 6");
    CHECK_LOG(&recorder, "");
    CHECK_INT(position_of(window), 2);
    run(store, "UPDATE t SET kind = 'z' WHERE id = 4");
    CHECK_LOG(&recorder, "[update 0.2>0.2 {kind}]");
    run(store, "DELETE FROM t WHERE id = 3");
    CHECK_LOG(&recorder, "[delete 0.1; insert 0.2]");
    CHECK_OK(fr_window_move(window, -1));
    CHECK_LOG(&recorder, "[delete 0.2; insert 0.0]");
    CHECK_OK(fr_window_resize(window, 0, 0));
    CHECK_LOG(&recorder, "[delete 0.2; delete 0.0]");
    CHECK_OK(fr_list_perform_fetch(window));
    CHECK_LOG(&recorder, "[update 0.0>0.0 {?}]");
    fr_list_free(window);
    fr_list_free(list);
    recorder_free(&recorder);
    CHECK_OK(fr_store_close(store));
}

struct places {
    fr_window_place place;
    int calls;
};

static void note_place(fr_list *window, fr_change_set *changes, void *user_data)
{
    struct places *places = user_data;
    (void)window;
    CHECK_OK(fr_change_set_window_place(&places->place, changes));
    places->calls++;
}

static void expect_no_place(fr_list *list, fr_change_set *changes, void *user_data)
{
    fr_window_place place;
    (void)list;
    (void)user_data;
    CHECK_STATUS(fr_change_set_window_place(&place, changes), FR_NOT_FOUND);
}

static void change_set_has_the_place_of_the_window(void)
{
    fr_store *store = store_with(LETTERS);
    fr_list *list = list_of(store, "t", NULL, "name", NULL), *window = window_of(list, 2, 1, 1);
    struct places places;
    fr_observer observer, other;
    memset(&places, 0, sizeof places);
    memset(&observer, 0, sizeof observer);
    observer.struct_size = sizeof observer;
    other = observer;
    observer.did_deliver = note_place;
    other.did_deliver = expect_no_place;
    CHECK_OK(fr_list_add_observer(NULL, window, &observer, &places, NULL));
    CHECK_OK(fr_list_add_observer(NULL, list, &other, NULL, NULL));
    run(store, "UPDATE t SET kind = 'z' WHERE id = 4");
    CHECK_INT(places.place.position, 1);
    CHECK_INT(places.place.anchor, 1);
    CHECK_INT(places.place.is_anchor_replaced, 0);
    run(store, "DELETE FROM t WHERE id IN (1, 3)");
    CHECK_INT(places.place.position, 0);
    CHECK_INT(places.place.is_anchor_replaced, 1);
    run(store, "DELETE FROM t");
    CHECK_INT(places.place.anchor, -1);
    CHECK_INT(places.calls, 3);
    fr_list_free(window);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void window_of_a_list_without_rows_fills_later(void)
{
    fr_store *store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY)");
    fr_list *list = list_of(store, "t", NULL, NULL, NULL), *first = window_of(list, 0, 0, 1);
    fr_list *last = window_of(list, FR_WINDOW_AT_END, 0, 1), *none = NULL;
    fr_index_path anchor;
    CHECK_STATUS(fr_window_anchor(&anchor, first), FR_NOT_FOUND);
    CHECK_STATUS(fr_window_open(&none, list, 1, 0, 1), FR_RANGE);
    run(store, "INSERT INTO t VALUES (1), (2), (3)");
    CHECK_LIST(first, "1 2");
    CHECK_LIST(last, "1 2");
    fr_list_free(first);
    fr_list_free(last);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void window_lives_on_when_its_list_is_freed(void)
{
    fr_store *store = store_with(LETTERS);
    fr_list *list = list_of(store, "t", NULL, "name", NULL), *window = window_of(list, 2, 1, 1);
    fr_list_free(list);
    run(store, "DELETE FROM t WHERE id = 2");
    CHECK_LIST(window, "1 3 4");
    fr_list_free(window);
    CHECK_OK(fr_store_close(store));
}

static void rows_of_a_window_are_read_together(void)
{
    fr_store *store = store_with(LETTERS);
    fr_list *list = list_of(store, "t", "kind", "name", NULL), *window = window_of(list, 2, 1, 2);
    fr_rows rows;
    CHECK_OK(fr_list_rows(&rows, window, path_at(0, 0), 10));
    CHECK_INT(rows.count, 4);
    CHECK_INT(rows.paths[2].section, 1);
    CHECK_INT(rows.paths[3].row, 1);
    fr_list_free(window);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void windows_are_opened_on_fetched_lists_with_requests(void)
{
    fr_store *store = store_with(LETTERS);
    fr_request *request = request_of("t", NULL, NULL, NULL);
    fr_list *list = list_of(store, "t", NULL, NULL, NULL), *window = window_of(list, 0, 0, 1);
    fr_list *collection = collection_of(list, NULL, NULL), *fresh = NULL, *none = NULL;
    fr_store *found = NULL;
    fr_value identity = fr_integer(99);
    int64_t number;
    fr_index_path path;
    CHECK_OK(fr_controller_new(&fresh, store, request));
    CHECK_STATUS(fr_window_open(&none, fresh, 0, 0, 1), FR_NOT_FETCHED);
    CHECK_STATUS(fr_window_open(&none, collection, 0, 0, 1), FR_MISUSE);
    CHECK_STATUS(fr_window_open(&none, window, 0, 0, 1), FR_MISUSE);
    CHECK_STATUS(fr_window_open_at_identity(&none, list, &identity, 1, 0, 1), FR_NOT_FOUND);
    CHECK_STATUS(fr_window_open_at_identity(&none, list, &identity, 0, 0, 1), FR_RANGE);
    CHECK_STATUS(fr_window_open_at_section(&none, list, "z", 0, 1), FR_NOT_FOUND);
    CHECK_STATUS(fr_window_open_at_section(&none, list, NULL, 0, 1), FR_MISUSE);
    CHECK_STATUS(fr_collection_insert(collection, -1, window, NULL), FR_MISUSE);
    CHECK_STATUS(fr_controller_request(&request, window), FR_MISUSE);
    CHECK_OK(fr_controller_store(&found, window));
    CHECK(found == store);
    CHECK_STATUS(fr_window_position(&number, list), FR_MISUSE);
    CHECK_STATUS(fr_window_anchor(&path, list), FR_MISUSE);
    CHECK_STATUS(fr_window_move(list, 1), FR_MISUSE);
    CHECK_STATUS(fr_window_resize(list, 0, 1), FR_MISUSE);
    CHECK(none == NULL);
    fr_request_free(request);
    fr_list_free(fresh);
    fr_list_free(collection);
    fr_list_free(window);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

TESTS(window_tests) = {
    TEST(window_opens_at_each_place),
    TEST(window_records_what_concerns_it),
    TEST(change_set_has_the_place_of_the_window),
    TEST(window_of_a_list_without_rows_fills_later),
    TEST(window_lives_on_when_its_list_is_freed),
    TEST(rows_of_a_window_are_read_together),
    TEST(windows_are_opened_on_fetched_lists_with_requests),
    END_OF_TESTS,
};
