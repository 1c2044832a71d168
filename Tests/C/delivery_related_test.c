/* Changes with other causes: related rows, subqueries, views, the window of a limit. */
#include <string.h>

#include "test.h"
#include "watched.h"

#define SCHEMA \
    "CREATE TABLE owners(id INTEGER PRIMARY KEY, name TEXT, active INTEGER DEFAULT 1);" \
    "CREATE TABLE lists(id INTEGER PRIMARY KEY, position INTEGER, owner_id REFERENCES owners);" \
    "CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT, list_id REFERENCES lists);" \
    "INSERT INTO owners(id, name) VALUES (1, 'ann'), (2, 'bob');" \
    "INSERT INTO lists VALUES (10, 1, 1), (20, 2, 2);" \
    "INSERT INTO items VALUES (1, 'a', 10), (2, 'b', 20), (3, 'c', 10), (4, 'd', NULL);"

static void related_row_sorts(void)
{
    struct watched w;
    watch(&w, SCHEMA, "items", NULL, "list_id.position name", NULL);
    CHECK_LIST(w.list, "4 1 3 2");
    CHECK_REPORTED(&w, "UPDATE lists SET position = 0 WHERE id = 20", "[move 0.3>0.1 {}]");
    CHECK_REPORTED(&w, "UPDATE lists SET position = 1 WHERE id = 20", "[move 0.1>0.2 {}]");
    CHECK_LIST(w.list, "4 1 2 3");
    unwatch(&w);
}

static void related_row_filters(void)
{
    struct watched w;
    watch(&w, SCHEMA, "items", NULL, NULL, "list_id.owner_id.active");
    CHECK_LIST(w.list, "1 2 3");
    CHECK_REPORTED(&w, "UPDATE owners SET active = 0 WHERE id = 1", "[delete 0.2; delete 0.0]");
    CHECK_REPORTED(&w, "UPDATE lists SET owner_id = 2 WHERE id = 10", "[insert 0.0; insert 0.2]");
    CHECK_REPORTED(&w, "UPDATE owners SET name = 'bert' WHERE id = 2", "");
    unwatch(&w);
}

static void related_row_is_shown(void)
{
    static const char *const columns[] = {"name", "list_id.owner_id.name"};
    fr_request *request = request_of("items", NULL, NULL, NULL);
    struct watched w;
    CHECK_OK(fr_request_set_columns(request, columns, 2));
    watch_request(&w, SCHEMA, request);
    CHECK_REPORTED(&w, "UPDATE owners SET name = 'anna' WHERE id = 1",
                   "[update 0.0>0.0 {list_id.owner_id.name}; update 0.2>0.2 {list_id.owner_id.name}]");
    CHECK_REPORTED(&w, "UPDATE lists SET position = 77", "");
    unwatch(&w);
}

static void related_row_that_is_deleted_leaves_null(void)
{
    struct watched w;
    watch(&w,
          "CREATE TABLE lists(id INTEGER PRIMARY KEY, title);"
          "CREATE TABLE items(id INTEGER PRIMARY KEY, list_id REFERENCES lists);"
          "INSERT INTO lists VALUES (1, 'x'); INSERT INTO items VALUES (1, 1); PRAGMA foreign_keys = OFF",
          "items", "list_id.title", NULL, NULL);
    CHECK_LIST(w.list, "x: 1");
    CHECK_REPORTED(&w, "DELETE FROM lists", "[delete section 0 (x); insert section 0 (NULL); move 0.0>0.0 {}]");
    CHECK_REPORTED(&w, "INSERT INTO lists VALUES (1, 'y')",
                   "[delete section 0 (NULL); insert section 0 (y); move 0.0>0.0 {}]");
    unwatch(&w);
}

static void subquery_of_the_predicate(void)
{
    struct watched w;
    watch(&w, SCHEMA "CREATE TABLE stars(item_id INTEGER PRIMARY KEY)", "items", NULL, NULL,
          "id IN (SELECT item_id FROM stars)");
    CHECK_LIST(w.list, "");
    CHECK_REPORTED(&w, "INSERT INTO stars VALUES (2), (4)", "[insert 0.0; insert 0.1]");
    CHECK_REPORTED(&w, "DELETE FROM stars WHERE item_id = 2", "[delete 0.0]");
    CHECK_REPORTED(&w, "INSERT INTO stars VALUES (99)", "");
    CHECK_REPORTED(&w, "UPDATE items SET name = 'D' WHERE id = 4", "[update 0.0>0.0 {name}]");
    unwatch(&w);
}

static void correlated_subquery(void)
{
    struct watched w;
    watch(&w, SCHEMA, "lists", NULL, NULL, "(SELECT count(*) FROM items WHERE items.list_id = lists.id) > 1");
    CHECK_LIST(w.list, "10");
    CHECK_REPORTED(&w, "UPDATE items SET list_id = 20 WHERE id = 4", "[insert 0.1]");
    CHECK_REPORTED(&w, "DELETE FROM items WHERE id = 1", "[delete 0.0]");
    unwatch(&w);
}

static void view_with_an_identity(void)
{
    static const char *const identity[] = {"number"};
    fr_request *request = request_of("shown", NULL, "title", NULL);
    struct watched w;
    CHECK_OK(fr_request_set_identity(request, identity, 1));
    watch_request(&w,
                  SCHEMA "CREATE VIEW shown AS SELECT items.id AS number, owners.name || '/' || items.name AS title"
                         " FROM items JOIN lists ON lists.id = list_id JOIN owners ON owners.id = owner_id",
                  request);
    CHECK_CONTENTS(w.list, "1(1, ann/a) 3(3, ann/c) 2(2, bob/b)");
    CHECK_REPORTED(&w, "UPDATE owners SET name = 'anna' WHERE id = 1",
                   "[update 0.0>0.0 {title}; update 0.1>0.1 {title}]");
    CHECK_REPORTED(&w, "DELETE FROM items WHERE id = 1", "[delete 0.0]");
    CHECK_REPORTED(&w, "UPDATE owners SET name = 'zed' WHERE id = 1", "[move 0.0>0.1 {title}]");
    CHECK_LIST(w.list, "2 3");
    unwatch(&w);
}

static void limit_is_a_live_window(void)
{
    fr_request *request = request_of("t", NULL, "k", NULL);
    struct watched w;
    CHECK_OK(fr_request_set_limit(request, 2, 1));
    watch_request(&w, "CREATE TABLE t(id INTEGER PRIMARY KEY, k); INSERT INTO t VALUES (1,1),(2,2),(3,3),(4,4)",
                  request);
    CHECK_LIST(w.list, "2 3");
    CHECK_REPORTED(&w, "DELETE FROM t WHERE id = 1", "[delete 0.0; insert 0.1]");
    CHECK_LIST(w.list, "3 4");
    CHECK_REPORTED(&w, "INSERT INTO t VALUES (5, 0), (6, 100)", "[delete 0.1; insert 0.0]");
    CHECK_LIST(w.list, "2 3");
    CHECK_REPORTED(&w, "UPDATE t SET k = 3.5 WHERE id = 2", "[move 0.0>0.1 {k}]");
    CHECK_REPORTED(&w, "UPDATE t SET k = 101 WHERE id = 6", "");
    unwatch(&w);
}

/* A row whose content the program never read: the hook reports a change of it all the same. */
static void rows_that_were_never_read_are_reported_too(void)
{
    fr_store *store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY, k);"
                                 "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)"
                                 "INSERT INTO t SELECT i, i FROM n");
    fr_list *list = list_of(store, "t", NULL, "k", NULL);
    fr_counters counters;
    memset(&counters, 0, sizeof counters);
    counters.struct_size = sizeof counters;
    run(store, "UPDATE t SET k = 1000 WHERE id = 300");
    CHECK_OK(fr_controller_counters(&counters, list));
    CHECK_INT(counters.deliveries, 1);
    CHECK_INT(counters.rereads[FR_REREAD_FETCH], 1);
    CHECK_INT(counters.rereads[FR_REREAD_MANY], 0);
    CHECK(counters.rows_read < 600);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

TESTS(delivery_related_tests) = {
    TEST(related_row_sorts),
    TEST(related_row_filters),
    TEST(related_row_is_shown),
    TEST(related_row_that_is_deleted_leaves_null),
    TEST(subquery_of_the_predicate),
    TEST(correlated_subquery),
    TEST(view_with_an_identity),
    TEST(limit_is_a_live_window),
    TEST(rows_that_were_never_read_are_reported_too),
    END_OF_TESTS,
};
