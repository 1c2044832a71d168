/* Lists that are cached by name, from one opening of a store to the next. */
#include <string.h>
#include <sys/stat.h>

#include "fixture.h"
#include "test.h"

#define SCHEMA \
    "CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT, group_id INTEGER);" \
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

static fr_request *kept_items(void)
{
    fr_request *request = request_of("items", "group_id", "name", NULL);
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
    list = fetched(store, kept_items());
    check_fetches(list, 0, 1);
    CHECK_LIST(list, "1: 3 1 | 2: 2");
    run(store, "UPDATE items SET name = 'd' WHERE id = 3");
    CHECK_LIST(list, "1: 1 3 | 2: 2");
    end(list, store);

    store = opened("kept.db");
    list = fetched(store, kept_items());
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
    list = fetched(store, kept_items());
    run(store, "DELETE FROM items WHERE id = 1");
    CHECK_OK(fr_store_close(store));
    fr_list_free(list);

    store = opened("order.db");
    list = fetched(store, kept_items());
    check_fetches(list, 1, 0);
    CHECK_LIST(list, "1: 3 | 2: 2");
    end(list, store);
    clean_up("order.db");
}

static void caches_are_deleted_by_name_or_all(void)
{
    fr_store *store;
    fr_list *list;
    make("deleted.db");
    store = opened("deleted.db");
    CHECK_OK(fr_store_delete_cache(store, "items by group"));
    CHECK_OK(fr_store_delete_all_caches(store));
    end(fetched(store, kept_items()), store);
    store = opened("deleted.db");
    CHECK_OK(fr_store_delete_cache(store, "another"));
    list = fetched(store, kept_items());
    check_fetches(list, 1, 0);
    end(list, store);
    store = opened("deleted.db");
    CHECK_OK(fr_store_delete_cache(store, "items by group"));
    list = fetched(store, kept_items());
    check_fetches(list, 0, 1);
    end(list, store);
    store = opened("deleted.db");
    CHECK_OK(fr_store_delete_all_caches(store));
    list = fetched(store, kept_items());
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
    end(fetched(store, kept_items()), store);
    CHECK_OK(fr_database_delete_cache(file_path("closed.db"), file_path("lists"), "another"));
    CHECK_OK(fr_database_delete_cache(file_path("another.db"), file_path("lists"), "items by group"));
    CHECK_OK(fr_database_delete_all_caches(file_path("another.db"), file_path("lists")));
    store = opened("closed.db");
    list = fetched(store, kept_items());
    check_fetches(list, 1, 0);
    end(list, store);
    CHECK_OK(fr_database_delete_cache(file_path("closed.db"), file_path("lists"), "items by group"));
    store = opened("closed.db");
    list = fetched(store, kept_items());
    check_fetches(list, 0, 1);
    end(list, store);
    CHECK_OK(fr_database_delete_all_caches(file_path("closed.db"), file_path("lists")));
    store = opened("closed.db");
    list = fetched(store, kept_items());
    check_fetches(list, 0, 1);
    end(list, store);
    CHECK_STATUS(fr_database_delete_cache(NULL, file_path("lists"), "x"), FR_MISUSE);
    CHECK_STATUS(fr_database_delete_cache("x", file_path("lists"), NULL), FR_MISUSE);
    CHECK_STATUS(fr_database_delete_cache("x", "\xff", "x"), FR_INVALID_UTF8);
    CHECK_STATUS(fr_database_delete_all_caches(NULL, NULL), FR_MISUSE);
    CHECK_STATUS(fr_database_delete_all_caches("\xff", NULL), FR_INVALID_UTF8);
    clean_up("closed.db");
}

/* Before: a list that is cached. Change: other users can write to its directory. */
static void directory_of_other_users_is_an_error(void)
{
    fr_store *store;
    fr_list *list;
    make("shared.db");
    store = opened("shared.db");
    end(fetched(store, kept_items()), store);
    CHECK_INT(chmod(file_path("lists"), 0777), 0);
    store = opened("shared.db");
    list = fetched(store, kept_items());
    check_fetches(list, 0, 1);
    CHECK_STATUS(fr_store_delete_cache(store, "items by group"), FR_IO);
    CHECK(strstr(fr_error_message(), "other users can write") != NULL);
    CHECK_STATUS(fr_store_delete_all_caches(store), FR_IO);
    CHECK_STATUS(fr_database_delete_cache(file_path("shared.db"), file_path("lists"), "items by group"), FR_IO);
    CHECK_STATUS(fr_database_delete_all_caches(file_path("shared.db"), file_path("lists")), FR_IO);
    CHECK_STATUS(fr_list_free(list), FR_IO);
    CHECK(strstr(fr_error_message(), "the list \"items by group\" could not be cached: other users can write") != NULL);
    CHECK_INT(fr_list_free(list), FR_OK);
    CHECK(strstr(fr_error_message(), "could not be cached") != NULL);
    list = fetched(store, kept_items());
    CHECK_STATUS(fr_store_close(store), FR_IO);
    CHECK(strstr(fr_error_message(), "the list \"items by group\" could not be cached: other users can write") != NULL);
    CHECK_INT(fr_list_free(list), FR_OK);
    CHECK_INT(fr_list_free(NULL), FR_OK);
    CHECK_INT(chmod(file_path("lists"), 0700), 0);
    clean_up("shared.db");
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
    TEST(caches_are_deleted_by_name_or_all),
    TEST(caches_are_deleted_without_an_open_store),
    TEST(directory_of_other_users_is_an_error),
    TEST(names_are_read_and_checked),
    END_OF_TESTS,
};
