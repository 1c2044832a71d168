/* Lists that are cached by name, from one opening of a store to the next. */
#include <sqlite3.h>
#include <string.h>

#include "fixture.h"
#include "maps.h"
#include "test.h"

#define SCHEMA \
    "CREATE TABLE groups(id INTEGER PRIMARY KEY, title TEXT, position INTEGER);" \
    "CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT, group_id INTEGER);" \
    "INSERT INTO groups VALUES (1, 'one', 2), (2, 'two', 1), (3, 'three', 3);" \
    "INSERT INTO items VALUES (1, 'c', 1), (2, 'b', 2), (3, 'a', 1);"

static fr_store *opened(const char *name)
{
    fr_store_options options;
    fr_store *store = NULL;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.cache_directory = file_path("lists");
    CHECK_OK(fr_store_open(&store, file_path(name), &options));
    return store;
}

static void make(const char *name)
{
    fr_store *store = opened(name);
    run(store, SCHEMA);
    CHECK_OK(fr_store_close(store));
}

static fr_request *kept_items(const char *where)
{
    fr_request *request = request_of("items", "group_id", "name", where);
    CHECK_OK(fr_request_set_cache_name(request, "items by group"));
    return request;
}

static fr_list *fetched(fr_store *store, fr_request *request)
{
    fr_list *list = NULL;
    CHECK_OK(fr_controller_new(&list, store, request));
    fr_request_free(request);
    CHECK_OK(fr_list_perform_fetch(list));
    return list;
}

/* Checks how often `list` was read from the cache, and from scratch by a fetch. */
static void check_fetches(fr_list *list, int64_t cached, int64_t read)
{
    fr_counters counters;
    counters.struct_size = sizeof counters;
    CHECK_OK(fr_controller_counters(&counters, list));
    CHECK_INT(counters.cached_fetches, cached);
    CHECK_INT(counters.rereads[FR_REREAD_FETCH], read);
}

static void end(fr_list *list, fr_store *store)
{
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void clean_up(const char *name)
{
    fr_store *store = opened(name);
    CHECK_OK(fr_store_delete_all_caches(store));
    CHECK_OK(fr_store_close(store));
}

static void cached_list_is_read_by_the_next_start(void)
{
    fr_store *store;
    fr_list *list;
    make("kept.db");
    store = opened("kept.db");
    list = fetched(store, kept_items(NULL));
    check_fetches(list, 0, 1);
    CHECK_LIST(list, "1: 3 1 | 2: 2");
    run(store, "UPDATE items SET name = 'd' WHERE id = 3");
    CHECK_LIST(list, "1: 1 3 | 2: 2");
    end(list, store);

    store = opened("kept.db");
    list = fetched(store, kept_items(NULL));
    check_fetches(list, 1, 0);
    CHECK_LIST(list, "1: 1 3 | 2: 2");
    run(store, "DELETE FROM items WHERE id = 2; INSERT INTO items VALUES (4, 'cc', 1)");
    CHECK_LIST(list, "1: 1 4 3");
    check_fetches(list, 1, 0);
    end(list, store);
    clean_up("kept.db");
}

static void list_freed_after_its_store_was_closed_is_cached_as_well(void)
{
    fr_store *store;
    fr_list *list;
    make("order.db");
    store = opened("order.db");
    list = fetched(store, kept_items(NULL));
    run(store, "DELETE FROM items WHERE id = 1");
    CHECK_OK(fr_store_close(store));
    fr_list_free(list);

    store = opened("order.db");
    list = fetched(store, kept_items(NULL));
    check_fetches(list, 1, 0);
    CHECK_LIST(list, "1: 3 | 2: 2");
    end(list, store);
    clean_up("order.db");
}

static void stale_list_is_read_from_scratch(void)
{
    fr_store *store;
    fr_list *list;
    make("stale.db");
    store = opened("stale.db");
    end(fetched(store, kept_items(NULL)), store);
    store = opened("stale.db");
    run(store, "UPDATE groups SET title = 'uno' WHERE id = 1");
    CHECK_OK(fr_store_close(store));

    store = opened("stale.db");
    list = fetched(store, kept_items(NULL));
    check_fetches(list, 0, 1);
    end(list, store);
    clean_up("stale.db");
}

/* Another connection holds the log, which leads from the state of the list to the present one. */
static void list_continues_from_the_log(void)
{
    sqlite3 *other = NULL;
    fr_store *store;
    fr_list *list;
    make("log.db");
    CHECK_INT(sqlite3_open(file_path("log.db"), &other), SQLITE_OK);
    CHECK_INT(sqlite3_exec(other, "UPDATE items SET name = 'd' WHERE id = 2", NULL, NULL, NULL), SQLITE_OK);
    store = opened("log.db");
    list = fetched(store, kept_items(NULL));
    check_fetches(list, 0, 1);
    CHECK_LIST(list, "1: 3 1 | 2: 2");
    end(list, store);
    CHECK_INT(sqlite3_exec(other, "UPDATE items SET name = 'e', group_id = 2 WHERE id = 3", NULL, NULL, NULL),
              SQLITE_OK);
    CHECK_INT(sqlite3_exec(other, "INSERT INTO items VALUES (4, 'a', 1)", NULL, NULL, NULL), SQLITE_OK);
    store = opened("log.db");
    list = fetched(store, kept_items(NULL));
    check_fetches(list, 1, 0);
    CHECK_LIST(list, "1: 4 1 | 2: 2 3");
    CHECK_INT(sqlite3_exec(other, "DELETE FROM items WHERE id = 1", NULL, NULL, NULL), SQLITE_OK);
    CHECK_OK(fr_store_dispatch(store));
    CHECK_LIST(list, "1: 4 | 2: 2 3");
    check_fetches(list, 1, 0);
    end(list, store);
    CHECK_INT(sqlite3_close(other), SQLITE_OK);
    clean_up("log.db");
}

static void other_request_of_the_name_is_read(void)
{
    fr_store *store;
    fr_list *list;
    make("other.db");
    store = opened("other.db");
    end(fetched(store, kept_items(NULL)), store);
    store = opened("other.db");
    list = fetched(store, kept_items("id > 1"));
    check_fetches(list, 0, 1);
    CHECK_LIST(list, "1: 3 | 2: 2");
    end(list, store);
    clean_up("other.db");
}

static void section_map_is_cached(void)
{
    fr_store *store;
    int time;
    make("map.db");
    for (time = 0; time < 2; time++) {
        fr_request *items = request_of("items", NULL, "name", NULL),
                   *groups = request_of("groups", NULL, "position", NULL);
        fr_section_map_options options = map_options();
        fr_list *map = NULL;
        options.section_key = "id";
        store = opened("map.db");
        CHECK_OK(fr_request_set_cache_name(items, "map"));
        REQUIRE(CHECK_OK(fr_section_map_new(&map, store, items, groups, "group_id", &options)));
        fr_request_free(items);
        fr_request_free(groups);
        CHECK_OK(fr_list_perform_fetch(map));
        check_fetches(map, time, 1 - time);
        CHECK_LIST(map, "2: 2 | 1: 3 1 | 3:");
        end(map, store);
    }
    clean_up("map.db");
}

static void caches_are_deleted_by_name_or_all(void)
{
    fr_store *store;
    fr_list *list;
    make("deleted.db");
    store = opened("deleted.db");
    CHECK_OK(fr_store_delete_cache(store, "items by group"));
    CHECK_OK(fr_store_delete_all_caches(store));
    end(fetched(store, kept_items(NULL)), store);
    store = opened("deleted.db");
    CHECK_OK(fr_store_delete_cache(store, "another"));
    list = fetched(store, kept_items(NULL));
    check_fetches(list, 1, 0);
    end(list, store);
    store = opened("deleted.db");
    CHECK_OK(fr_store_delete_cache(store, "items by group"));
    list = fetched(store, kept_items(NULL));
    check_fetches(list, 0, 1);
    end(list, store);
    store = opened("deleted.db");
    CHECK_OK(fr_store_delete_all_caches(store));
    list = fetched(store, kept_items(NULL));
    check_fetches(list, 0, 1);
    end(list, store);
    clean_up("deleted.db");
}

static void caches_are_deleted_without_an_open_store(void)
{
    fr_store *store;
    fr_list *list;
    make("closed.db");
    CHECK_OK(fr_database_delete_cache(file_path("closed.db"), file_path("lists"), "items by group"));
    CHECK_OK(fr_database_delete_all_caches(file_path("closed.db"), file_path("lists")));
    store = opened("closed.db");
    end(fetched(store, kept_items(NULL)), store);
    CHECK_OK(fr_database_delete_cache(file_path("closed.db"), file_path("lists"), "another"));
    CHECK_OK(fr_database_delete_cache(file_path("another.db"), file_path("lists"), "items by group"));
    CHECK_OK(fr_database_delete_all_caches(file_path("another.db"), file_path("lists")));
    store = opened("closed.db");
    list = fetched(store, kept_items(NULL));
    check_fetches(list, 1, 0);
    end(list, store);
    CHECK_OK(fr_database_delete_cache(file_path("closed.db"), file_path("lists"), "items by group"));
    store = opened("closed.db");
    list = fetched(store, kept_items(NULL));
    check_fetches(list, 0, 1);
    end(list, store);
    CHECK_OK(fr_database_delete_all_caches(file_path("closed.db"), file_path("lists")));
    store = opened("closed.db");
    list = fetched(store, kept_items(NULL));
    check_fetches(list, 0, 1);
    end(list, store);
    CHECK_STATUS(fr_database_delete_cache(NULL, file_path("lists"), "x"), FR_MISUSE);
    CHECK_STATUS(fr_database_delete_cache("x", file_path("lists"), NULL), FR_MISUSE);
    CHECK_STATUS(fr_database_delete_cache("x", "\xff", "x"), FR_INVALID_UTF8);
    CHECK_STATUS(fr_database_delete_all_caches(NULL, NULL), FR_MISUSE);
    CHECK_STATUS(fr_database_delete_all_caches("\xff", NULL), FR_INVALID_UTF8);
    clean_up("closed.db");
}

static void list_freed_in_a_transaction_is_not_cached(void)
{
    fr_store *store;
    fr_list *list;
    make("freed.db");
    store = opened("freed.db");
    list = fetched(store, kept_items(NULL));
    CHECK_OK(fr_store_begin(store, FR_IMMEDIATE));
    run(store, "DELETE FROM items WHERE id = 2");
    fr_list_free(list);
    CHECK_OK(fr_store_commit(store));
    CHECK_OK(fr_store_close(store));
    store = opened("freed.db");
    list = fetched(store, kept_items(NULL));
    check_fetches(list, 0, 1);
    CHECK_LIST(list, "1: 3 1");
    end(list, store);
    clean_up("freed.db");
}

static void names_are_read_and_checked(void)
{
    fr_store *store = store_with("CREATE TABLE items(id INTEGER PRIMARY KEY)");
    fr_request *request = request_of("items", NULL, NULL, NULL), *copy = NULL;
    fr_list *list = NULL;
    CHECK_TEXT(request_info(request).cache_name, NULL);
    CHECK_STATUS(fr_request_set_cache_name(request, ""), FR_MISUSE);
    CHECK_STATUS(fr_request_set_cache_name(request, "\xff"), FR_INVALID_UTF8);
    CHECK_STATUS(fr_request_set_cache_name(NULL, "x"), FR_MISUSE);
    CHECK_OK(fr_request_set_cache_name(request, "all"));
    CHECK_OK(fr_controller_new(&list, store, request));
    CHECK_OK(fr_controller_request(&copy, list));
    CHECK_TEXT(request_info(copy).cache_name, "all");
    fr_request_free(copy);
    CHECK_OK(fr_request_set_cache_name(request, NULL));
    CHECK_TEXT(request_info(request).cache_name, NULL);
    CHECK_STATUS(fr_store_delete_cache(store, NULL), FR_MISUSE);
    CHECK_STATUS(fr_store_delete_cache(store, "\xff"), FR_INVALID_UTF8);
    fr_request_free(request);
    /* A list in memory is not cached. */
    CHECK_OK(fr_list_perform_fetch(list));
    CHECK_OK(fr_list_perform_fetch(list));
    check_fetches(list, 0, 2);
    end(list, store);
}

TESTS(cache_tests) = {
    TEST(cached_list_is_read_by_the_next_start),
    TEST(list_freed_after_its_store_was_closed_is_cached_as_well),
    TEST(stale_list_is_read_from_scratch),
    TEST(list_continues_from_the_log),
    TEST(other_request_of_the_name_is_read),
    TEST(section_map_is_cached),
    TEST(caches_are_deleted_by_name_or_all),
    TEST(caches_are_deleted_without_an_open_store),
    TEST(list_freed_in_a_transaction_is_not_cached),
    TEST(names_are_read_and_checked),
    END_OF_TESTS,
};
