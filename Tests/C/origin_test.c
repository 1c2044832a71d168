/* What a change set says of its cause. */
#include <sqlite3.h>
#include <string.h>

#include "test.h"
#include "watched.h"

/* The origins of what lists delivered, one after another. */
struct origins {
    uint32_t all[4];
    int count;
};

static void note_origin(fr_list *list, fr_change_set *changes, void *user_data)
{
    struct origins *origins = user_data;
    fr_change_set *steps = NULL;
    uint32_t origin = 0;
    (void)list;
    REQUIRE(CHECK(origins->count < 4));
    CHECK_OK(fr_change_set_origin(&origins->all[origins->count], changes));
    CHECK_OK(fr_change_set_sequential(&steps, changes));
    CHECK_OK(fr_change_set_origin(&origin, steps));
    CHECK_INT(origin, origins->all[origins->count]);
    fr_change_set_unref(steps);
    origins->count++;
}

static void note_origins(struct origins *origins, fr_list *list)
{
    fr_observer observer;
    memset(&observer, 0, sizeof observer);
    observer.struct_size = sizeof observer;
    observer.did_deliver = note_origin;
    memset(origins, 0, sizeof *origins);
    CHECK_OK(fr_list_add_observer(NULL, list, &observer, origins, NULL));
}

/* One delivery since the last call, with this origin. */
#define CHECK_ORIGIN(origins, expected) \
    do { \
        CHECK_INT((origins)->count, 1); \
        CHECK_INT((origins)->all[0], (expected)); \
        (origins)->count = 0; \
    } while (0)

static void of_commits_and_a_pause(void)
{
    fr_store *store = store_in_file("origin.db");
    struct origins origins;
    sqlite3 *other = NULL;
    fr_list *list;
    run(store, "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a'), (2, 'b');");
    list = list_of(store, "t", NULL, "v", NULL);
    note_origins(&origins, list);
    CHECK_INT(sqlite3_open(file_path("origin.db"), &other), SQLITE_OK);

    run(store, "UPDATE t SET v = 'c' WHERE id = 1");
    CHECK_ORIGIN(&origins, FR_ORIGIN_STORE);
    CHECK_INT(sqlite3_exec(other, "UPDATE t SET v = 'd' WHERE id = 1", NULL, NULL, NULL), SQLITE_OK);
    CHECK_OK(fr_store_dispatch(store));
    CHECK_ORIGIN(&origins, FR_ORIGIN_FOREIGN);
    CHECK_INT(sqlite3_exec(other, "UPDATE t SET v = 'e' WHERE id = 1", NULL, NULL, NULL), SQLITE_OK);
    run(store, "UPDATE t SET v = 'f' WHERE id = 2");
    CHECK_ORIGIN(&origins, FR_ORIGIN_STORE | FR_ORIGIN_FOREIGN);

    CHECK_OK(fr_controller_pause(list));
    run(store, "UPDATE t SET v = 'g' WHERE id = 1");
    CHECK_OK(fr_controller_resume(list, false));
    CHECK_ORIGIN(&origins, FR_ORIGIN_RESUME | FR_ORIGIN_STORE);
    CHECK_OK(fr_controller_pause(list));
    CHECK_OK(fr_controller_resume(list, true));
    CHECK_ORIGIN(&origins, FR_ORIGIN_RESUME);

    CHECK_INT(sqlite3_close(other), SQLITE_OK);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

/* A collection has what its lists have. */
static void of_requests_and_fetches(void)
{
    fr_store *store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a'), (2, 'b');");
    fr_list *list = list_of(store, "t", NULL, "v", NULL);
    fr_list *collection = NULL;
    fr_request *request = NULL;
    struct origins origins;
    struct origins of_list;
    CHECK_OK(fr_collection_new(&collection));
    CHECK_OK(fr_collection_insert(collection, -1, list, NULL));
    CHECK_OK(fr_list_perform_fetch(collection));
    note_origins(&origins, collection);
    note_origins(&of_list, list);

    CHECK_OK(fr_request_new(&request, "t"));
    CHECK_OK(fr_request_set_limit(request, 1, 0));
    CHECK_OK(fr_controller_set_request(list, request));
    CHECK_ORIGIN(&of_list, FR_ORIGIN_REQUEST);
    CHECK_ORIGIN(&origins, FR_ORIGIN_REQUEST);
    CHECK_OK(fr_list_perform_fetch(list));
    CHECK_INT(of_list.count, 0);
    CHECK_ORIGIN(&origins, FR_ORIGIN_FETCH);
    CHECK_OK(fr_collection_remove(collection, 0));
    CHECK_ORIGIN(&origins, FR_ORIGIN_REQUEST);

    fr_request_free(request);
    fr_list_free(collection);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

TESTS(origin_tests) = {
    TEST(of_commits_and_a_pause),
    TEST(of_requests_and_fetches),
    END_OF_TESTS,
};
