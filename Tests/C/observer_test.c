/* Adding and removing observers, and when they are destroyed. */
#include <string.h>

#include <fetchedresults/views.h>

#include "test.h"
#include "watched.h"

#define SCHEMA "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a'), (2, 'b');"

struct spy {
    const char *name;
    struct text *log;
    int destroyed;
};

static void log_did_change(fr_list *controller, void *user_data)
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
    fr_list *list = list_of(store, "t", NULL, NULL, NULL);
    fr_observer observer = did_change_observer();
    struct text log = {NULL, 0, 0};
    struct spy first = {"first", &log, 0}, second = {"second", &log, 0};
    uint64_t first_number = 0, second_number = 0;
    CHECK_OK(fr_list_add_observer(&first_number, list, &observer, &first, destroy_spy));
    CHECK_OK(fr_list_add_observer(&second_number, list, &observer, &second, destroy_spy));
    CHECK(first_number != second_number);
    run(store, "DELETE FROM t WHERE id = 1");
    CHECK_TEXT(text_get(&log), "first second ");
    CHECK_OK(fr_list_remove_observer(list, first_number));
    CHECK_INT(first.destroyed, 1);
    run(store, "DELETE FROM t WHERE id = 2");
    CHECK_TEXT(text_get(&log), "first second second ");
    CHECK_STATUS(fr_list_remove_observer(list, first_number), FR_NOT_FOUND);
    CHECK_STATUS(fr_list_remove_observer(list, UINT64_MAX), FR_NOT_FOUND);
    fr_list_free(list);
    CHECK_INT(first.destroyed, 1);
    CHECK_INT(second.destroyed, 1);
    CHECK_OK(fr_store_close(store));
    text_free(&log);
}

static void destroyed_once_when_adding_fails(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", NULL, NULL, NULL);
    fr_observer observer = did_change_observer();
    struct spy spy = {"spy", NULL, 0};
    CHECK_STATUS(fr_list_add_observer(NULL, NULL, &observer, &spy, destroy_spy), FR_MISUSE);
    CHECK_INT(spy.destroyed, 1);
    CHECK_STATUS(fr_list_add_observer(NULL, list, NULL, &spy, destroy_spy), FR_MISUSE);
    CHECK_INT(spy.destroyed, 2);
    observer.struct_size = 0;
    CHECK_STATUS(fr_list_add_observer(NULL, list, &observer, &spy, destroy_spy), FR_RANGE);
    CHECK_INT(spy.destroyed, 3);
    observer.struct_size = sizeof(size_t);
    CHECK_STATUS(fr_list_add_observer(NULL, list, &observer, &spy, destroy_spy), FR_RANGE);
    CHECK_INT(spy.destroyed, 4);
    fr_list_free(list);
    CHECK_INT(spy.destroyed, 4);
    CHECK_OK(fr_store_close(store));
}

static void destroyed_with_the_controller_not_with_the_store(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", NULL, NULL, NULL);
    fr_observer observer = did_change_observer();
    struct spy spy = {"spy", NULL, 0};
    CHECK_OK(fr_list_add_observer(NULL, list, &observer, &spy, destroy_spy));
    CHECK_OK(fr_store_close(store));
    CHECK(spy.destroyed <= 1);
    fr_list_free(list);
    CHECK_INT(spy.destroyed, 1);
}

static void observer_without_members_and_destroy(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", NULL, NULL, NULL);
    fr_observer observer;
    memset(&observer, 0, sizeof observer);
    observer.struct_size = sizeof observer;
    CHECK_OK(fr_list_add_observer(NULL, list, &observer, NULL, NULL));
    run(store, "DELETE FROM t");
    CHECK_LIST(list, "");
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void observer_is_copied(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "t", NULL, NULL, NULL);
    fr_observer observer = did_change_observer();
    struct text log = {NULL, 0, 0};
    struct spy spy = {"spy", &log, 0};
    CHECK_OK(fr_list_add_observer(NULL, list, &observer, &spy, NULL));
    memset(&observer, 0xff, sizeof observer);
    run(store, "DELETE FROM t");
    CHECK_TEXT(text_get(&log), "spy ");
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
    text_free(&log);
}

static void added_before_the_fetch(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_request *request = request_of("t", NULL, NULL, NULL);
    fr_list *list = NULL;
    fr_observer observer = did_change_observer();
    struct text log = {NULL, 0, 0};
    struct spy spy = {"spy", &log, 0};
    REQUIRE(CHECK_OK(fr_controller_new(&list, store, request)));
    CHECK_OK(fr_list_add_observer(NULL, list, &observer, &spy, NULL));
    run(store, "DELETE FROM t WHERE id = 1");
    CHECK_OK(fr_list_perform_fetch(list));
    CHECK_TEXT(text_get(&log), "");
    run(store, "DELETE FROM t WHERE id = 2");
    CHECK_TEXT(text_get(&log), "spy ");
    fr_list_free(list);
    fr_request_free(request);
    CHECK_OK(fr_store_close(store));
    text_free(&log);
}

struct failure {
    int count;
    struct text text; /* status, code, message and SQL */
};

static void add_failure(struct failure *failure, fr_status status, int32_t code, const char *message, const char *sql)
{
    failure->count += 1;
    text_free(&failure->text);
    text_add(&failure->text, "%s, %d, %s, %s", fr_status_name(status), (int)code, message, sql == NULL ? "NULL" : sql);
}

static void note_error(const fr_error *error, struct failure *failure)
{
    CHECK_INT(error->struct_size, sizeof *error);
    add_failure(failure, error->status, error->sqlite_code, error->message, error->sql);
}

static void list_failed(fr_list *list, const fr_error *error, void *user_data)
{
    (void)list;
    note_error(error, user_data);
}

static void view_failed(fr_coordinator *coordinator, const fr_error *error, void *user_data)
{
    (void)coordinator;
    note_error(error, user_data);
}

/* Observers and views receive the error that a call reports when it fails for the same reason. */
static void failure_is_reported_as_that_of_a_call(void)
{
    static const char *const breaking[] = {"INSERT INTO t VALUES (9, -9223372036854775807 - 1)", "DROP TABLE t"};
    size_t index;
    for (index = 0; index < sizeof breaking / sizeof *breaking; index++) {
        fr_store *store = store_with(SCHEMA);
        fr_list *list = list_of(store, "t", NULL, NULL, "abs(v) >= 0");
        fr_observer observer = {sizeof observer, NULL, NULL, NULL, NULL, NULL, list_failed, NULL};
        fr_view view;
        fr_coordinator *coordinator = NULL;
        struct failure of_list = {0, {NULL, 0, 0}}, of_view = {0, {NULL, 0, 0}}, of_call = {0, {NULL, 0, 0}};
        memset(&view, 0, sizeof view);
        view.struct_size = sizeof view;
        view.did_fail = view_failed;
        CHECK_OK(fr_list_add_observer(NULL, list, &observer, &of_list, NULL));
        CHECK_OK(fr_coordinator_new(&coordinator, list, &view, 0, &of_view, NULL));
        CHECK_OK(fr_coordinator_load_data(coordinator, false));
        run(store, breaking[index]);
        CHECK_INT(of_list.count, 1);
        CHECK_INT(of_view.count, 1);
        CHECK_TEXT(text_get(&of_view.text), text_get(&of_list.text));
        CHECK(fr_list_perform_fetch(list) != FR_OK);
        add_failure(&of_call, fr_error_status(), fr_error_sqlite_code(), fr_error_message(), fr_error_sql());
        CHECK(strncmp(text_get(&of_list.text), text_get(&of_call.text), strcspn(text_get(&of_call.text), ",")) == 0);
        if (index == 0) {
            CHECK(strstr(text_get(&of_list.text), "FR_ERROR, 1, integer overflow, SELECT") != NULL);
        }
        fr_coordinator_free(coordinator);
        fr_list_free(list);
        CHECK_OK(fr_store_close(store));
        text_free(&of_list.text);
        text_free(&of_view.text);
        text_free(&of_call.text);
    }
}

TESTS(observer_tests) = {
    TEST(called_in_the_order_of_adding_until_removed),
    TEST(destroyed_once_when_adding_fails),
    TEST(destroyed_with_the_controller_not_with_the_store),
    TEST(observer_without_members_and_destroy),
    TEST(observer_is_copied),
    TEST(added_before_the_fetch),
    TEST(failure_is_reported_as_that_of_a_call),
    END_OF_TESTS,
};
