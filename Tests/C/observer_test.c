/* Adding and removing observers, and when they are destroyed. */
#include <string.h>

#include "test.h"
#include "watched.h"

#define SCHEMA "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a'), (2, 'b');"

struct spy {
    const char *name;
    struct text *log;
    int destroyed;
};

static void log_did_change(fr_controller *controller, void *user_data)
{
    struct spy *spy = user_data;
    (void)controller;
    CHECK_INT(spy->destroyed, 0);
    text_add(spy->log, "%s ", spy->name);
}

static void destroy_spy(void *user_data)
{
    ((struct spy *)user_data)->destroyed += 1;
}

static fr_observer did_change_observer(void)
{
    fr_observer observer;
    memset(&observer, 0, sizeof observer);
    observer.struct_size = sizeof observer;
    observer.did_change = log_did_change;
    return observer;
}

static void called_in_the_order_of_adding_until_removed(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_controller *list = list_of(store, "t", NULL, NULL, NULL);
    fr_observer observer = did_change_observer();
    struct text log = {NULL, 0, 0};
    struct spy first = {"first", &log, 0}, second = {"second", &log, 0};
    uint64_t first_number = 0, second_number = 0;
    CHECK_OK(fr_controller_add_observer(&first_number, list, &observer, &first, destroy_spy));
    CHECK_OK(fr_controller_add_observer(&second_number, list, &observer, &second, destroy_spy));
    CHECK(first_number != second_number);
    run(store, "DELETE FROM t WHERE id = 1");
    CHECK_TEXT(text_get(&log), "first second ");
    CHECK_OK(fr_controller_remove_observer(list, first_number));
    CHECK_INT(first.destroyed, 1);
    run(store, "DELETE FROM t WHERE id = 2");
    CHECK_TEXT(text_get(&log), "first second second ");
    CHECK_STATUS(fr_controller_remove_observer(list, first_number), FR_NOT_FOUND);
    CHECK_STATUS(fr_controller_remove_observer(list, UINT64_MAX), FR_NOT_FOUND);
    fr_controller_free(list);
    CHECK_INT(first.destroyed, 1);
    CHECK_INT(second.destroyed, 1);
    CHECK_OK(fr_store_close(store));
    text_free(&log);
}

static void destroyed_once_when_adding_fails(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_controller *list = list_of(store, "t", NULL, NULL, NULL);
    fr_observer observer = did_change_observer();
    struct spy spy = {"spy", NULL, 0};
    CHECK_STATUS(fr_controller_add_observer(NULL, NULL, &observer, &spy, destroy_spy), FR_MISUSE);
    CHECK_INT(spy.destroyed, 1);
    CHECK_STATUS(fr_controller_add_observer(NULL, list, NULL, &spy, destroy_spy), FR_MISUSE);
    CHECK_INT(spy.destroyed, 2);
    observer.struct_size = 0;
    CHECK_STATUS(fr_controller_add_observer(NULL, list, &observer, &spy, destroy_spy), FR_RANGE);
    CHECK_INT(spy.destroyed, 3);
    observer.struct_size = sizeof(size_t);
    CHECK_STATUS(fr_controller_add_observer(NULL, list, &observer, &spy, destroy_spy), FR_RANGE);
    CHECK_INT(spy.destroyed, 4);
    fr_controller_free(list);
    CHECK_INT(spy.destroyed, 4);
    CHECK_OK(fr_store_close(store));
}

static void destroyed_with_the_controller_not_with_the_store(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_controller *list = list_of(store, "t", NULL, NULL, NULL);
    fr_observer observer = did_change_observer();
    struct spy spy = {"spy", NULL, 0};
    CHECK_OK(fr_controller_add_observer(NULL, list, &observer, &spy, destroy_spy));
    CHECK_OK(fr_store_close(store));
    CHECK(spy.destroyed <= 1);
    fr_controller_free(list);
    CHECK_INT(spy.destroyed, 1);
}

static void observer_without_members_and_destroy(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_controller *list = list_of(store, "t", NULL, NULL, NULL);
    fr_observer observer;
    memset(&observer, 0, sizeof observer);
    observer.struct_size = sizeof observer;
    CHECK_OK(fr_controller_add_observer(NULL, list, &observer, NULL, NULL));
    run(store, "DELETE FROM t");
    CHECK_LIST(list, "");
    fr_controller_free(list);
    CHECK_OK(fr_store_close(store));
}

static void observer_is_copied(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_controller *list = list_of(store, "t", NULL, NULL, NULL);
    fr_observer observer = did_change_observer();
    struct text log = {NULL, 0, 0};
    struct spy spy = {"spy", &log, 0};
    CHECK_OK(fr_controller_add_observer(NULL, list, &observer, &spy, NULL));
    memset(&observer, 0xff, sizeof observer);
    run(store, "DELETE FROM t");
    CHECK_TEXT(text_get(&log), "spy ");
    fr_controller_free(list);
    CHECK_OK(fr_store_close(store));
    text_free(&log);
}

static void added_before_the_fetch(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_request *request = request_of("t", NULL, NULL, NULL);
    fr_controller *list = NULL;
    fr_observer observer = did_change_observer();
    struct text log = {NULL, 0, 0};
    struct spy spy = {"spy", &log, 0};
    REQUIRE(CHECK_OK(fr_controller_new(&list, store, request)));
    CHECK_OK(fr_controller_add_observer(NULL, list, &observer, &spy, NULL));
    run(store, "DELETE FROM t WHERE id = 1");
    CHECK_OK(fr_controller_perform_fetch(list));
    CHECK_TEXT(text_get(&log), "");
    run(store, "DELETE FROM t WHERE id = 2");
    CHECK_TEXT(text_get(&log), "spy ");
    fr_controller_free(list);
    fr_request_free(request);
    CHECK_OK(fr_store_close(store));
    text_free(&log);
}

TESTS(observer_tests) = {
    TEST(called_in_the_order_of_adding_until_removed),
    TEST(destroyed_once_when_adding_fails),
    TEST(destroyed_with_the_controller_not_with_the_store),
    TEST(observer_without_members_and_destroy),
    TEST(observer_is_copied),
    TEST(added_before_the_fetch),
    END_OF_TESTS,
};
