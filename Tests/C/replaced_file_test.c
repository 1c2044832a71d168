/* Stores that continue with another file which replaces the database file at its path. */
#include <poll.h>
#include <stdio.h>

#include "fixture.h"
#include "test.h"
#include "watched.h"

enum { WAIT_MS = 10000, MOVED = 1032 /* SQLITE_READONLY_DBMOVED */ };

#define ITEMS "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT);"

static fr_store *open_store(uint32_t flags)
{
    fr_store_options options = {.struct_size = sizeof options, .flags = flags};
    fr_store *store = NULL;
    CHECK_OK(fr_store_open(&store, file_path("items.db"), &options));
    return store;
}

/* Moves a new file with this content to the path of the store's. */
static void replace(const char *script)
{
    fr_store *other = store_in_file("other.db");
    run(other, script);
    CHECK_OK(fr_store_close(other));
    CHECK_INT(rename(file_path("other.db"), file_path("items.db")), 0);
}

static bool becomes_readable(fr_store *store)
{
    struct pollfd request = {-1, POLLIN, 0};
    CHECK_OK(fr_store_file_descriptor(&request.fd, store));
    return poll(&request, 1, WAIT_MS) == 1;
}

/*
 * Before: rows 1 and 2. Change: a file with the rows 2 and 3. Expected: a change set of two
 * records.
 */
static void the_difference_is_delivered(void)
{
    fr_store *store = open_store(FR_STORE_FOLLOW_PATH);
    fr_statement *names = NULL;
    fr_value id = fr_integer(2), name = fr_null();
    bool has_row = false;
    struct watched w;
    run(store, ITEMS "INSERT INTO items VALUES (1, 'a'), (2, 'b')");
    watch_list(&w, store, list_of(store, "items", NULL, "name", NULL));
    CHECK_OK(fr_statement_prepare(&names, store, "SELECT name FROM items WHERE id = ?"));
    CHECK_OK(fr_statement_bind(names, 1, &id));
    CHECK_OK(fr_store_dispatch(store));
    replace(ITEMS "INSERT INTO items VALUES (2, 'B'), (3, 'c')");
    CHECK(becomes_readable(store));
    CHECK_OK(fr_store_dispatch(store));
    CHECK_LIST(w.list, "2 3");
    CHECK_OK(fr_statement_step(&has_row, names));
    CHECK(has_row);
    CHECK_OK(fr_statement_value(&name, names, 0));
    CHECK_TEXT(value_text(name), "B");
    fr_statement_free(names);
    run(store, "INSERT INTO items VALUES (4, 'd')");
    CHECK_LIST(w.list, "2 3 4");
    unwatch(&w);
}

static void a_file_of_another_application_is_refused(void)
{
    fr_store *store = open_store(FR_STORE_FOLLOW_PATH);
    fr_list *list;
    run(store, ITEMS "INSERT INTO items VALUES (1, 'a')");
    list = list_of(store, "items", NULL, "name", NULL);
    replace("PRAGMA application_id = 5;" ITEMS);
    CHECK_STATUS(fr_store_dispatch(store), FR_IO);
    CHECK_INT(fr_error_sqlite_code(), MOVED);
    CHECK_LIST(list, "1");
    replace(ITEMS);
    CHECK_OK(fr_store_dispatch(store));
    CHECK_LIST(list, "");
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void a_store_without_the_flag_keeps_its_file(void)
{
    fr_store *store = open_store(0);
    fr_list *list;
    run(store, ITEMS "INSERT INTO items VALUES (1, 'a')");
    list = list_of(store, "items", NULL, "name", NULL);
    CHECK_OK(fr_store_dispatch(store));
    replace(ITEMS);
    CHECK(becomes_readable(store));
    CHECK_STATUS(fr_store_dispatch(store), FR_IO);
    CHECK_INT(fr_error_sqlite_code(), MOVED);
    CHECK_LIST(list, "1");
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

TESTS(replaced_file_tests) = {
    TEST(the_difference_is_delivered),
    TEST(a_file_of_another_application_is_refused),
    TEST(a_store_without_the_flag_keeps_its_file),
    END_OF_TESTS,
};
