/* The memory of many lists that nobody changes, as the allocator counts it. */
#include <malloc.h>
#include <stdlib.h>

#include "fixture.h"
#include "test.h"

#define SCHEMA \
    "CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT, part INTEGER);" \
    "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 4999)" \
    "INSERT INTO items SELECT i, 'item ' || (i * 7919 % 5003), i FROM n;"

/* With so many, the tables that double in size have just enough room. With a hundred thousand
 * lists, the room that is left in them is 57 bytes for each. */
enum { LISTS = 3000, MOST_BYTES = 1536 - 57 };

static int64_t allocated(void)
{
    return (int64_t)mallinfo2().uordblks;
}

static void ignore(fr_list *list, fr_change_set *changes, void *user_data)
{
    (void)list;
    (void)changes;
    (void)user_data;
}

/* Before: no lists. Change: lists of one row each, which differ in a parameter, with an observer
 * each. Expected: each takes little, and releases what it took. Under valgrind, the allocator
 * counts nothing. */
static void a_list_that_nobody_changes_is_small(void)
{
    int count = getenv("FR_VALGRIND") != NULL ? LISTS / 30 : LISTS;
    fr_store *store = store_with(SCHEMA);
    fr_list **lists = calloc((size_t)count, sizeof *lists);
    fr_list *first = NULL;
    fr_observer observer = {0};
    int64_t before = 0;
    int64_t after = 0;
    int64_t end = 0;
    int index;
    observer.struct_size = sizeof observer;
    observer.did_deliver = ignore;
    if (!CHECK(lists != NULL)) return;
    for (index = -1; index < count; index++) {
        fr_list **list = index < 0 ? &first : &lists[index];
        fr_value part = fr_integer(index);
        fr_request *request = NULL;
        CHECK_OK(fr_request_new(&request, "items"));
        CHECK_OK(fr_request_set_predicate(request, "id = ?1", &part, 1));
        CHECK_OK(fr_request_add_sort(request, "name", FR_ASCENDING, NULL));
        CHECK_OK(fr_controller_new(list, store, request));
        fr_request_free(request);
        CHECK_OK(fr_list_perform_fetch(*list));
        CHECK_OK(fr_list_add_observer(NULL, *list, &observer, NULL, NULL));
        if (index < 0) before = allocated();
    }
    after = allocated();
    for (index = 0; index < count; index++) fr_list_free(lists[index]);
    end = allocated();
    CHECK((after - before) / count <= MOST_BYTES);
    CHECK((end - before) / count <= 64);
    fr_list_free(first);
    free(lists);
    CHECK_OK(fr_store_close(store));
}

TESTS(list_memory_tests) = {
    TEST(a_list_that_nobody_changes_is_small),
    END_OF_TESTS,
};
