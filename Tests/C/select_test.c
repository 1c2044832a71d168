/* Requests that are a whole SELECT. */
#include <string.h>

#include "test.h"
#include "watched.h"

#define SCHEMA \
    "CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT, town TEXT);" \
    "CREATE TABLE orders(id INTEGER PRIMARY KEY, person INTEGER, amount INTEGER);" \
    "INSERT INTO people VALUES (1, 'ann', 'Oulu'), (2, 'bob', 'Lund'), (3, 'cid', 'Lund');" \
    "INSERT INTO orders VALUES (1, 1, 10), (2, 2, 30), (3, 2, 5);"

#define TOTALS \
    "SELECT people.id AS person, name, town, sum(amount) AS total FROM people LEFT JOIN orders ON person = people.id" \
    " GROUP BY people.id"

static const char *const person[] = {"person"};

static fr_request *select_of(const char *sql, const char *section)
{
    fr_request *request = NULL;
    CHECK_OK(fr_request_new_select(&request, sql, NULL, 0, person, 1, section));
    return request;
}

static void rows_stand_in_its_order(void)
{
    struct watched w;
    watch_request(&w, SCHEMA, select_of(TOTALS " ORDER BY total DESC", NULL));
    CHECK_CONTENTS(w.list, "2(2, bob, Lund, 35) 1(1, ann, Oulu, 10) 3(3, cid, Lund, NULL)");
    unwatch(&w);
}

static void changes_of_any_table_are_reported(void)
{
    struct watched w;
    watch_request(&w, SCHEMA, select_of(TOTALS " ORDER BY total DESC", NULL));
    CHECK_REPORTED(&w, "UPDATE people SET name = 'Bob' WHERE id = 2", "[update 0.0>0.0 {name}]");
    CHECK_REPORTED(&w, "DELETE FROM people WHERE id = 1", "[delete 0.1]");
    CHECK_REPORTED(&w, "INSERT INTO people VALUES (4, 'dan', 'Ulm')", "[insert 0.2]");
    CHECK_REPORTED(&w, "INSERT INTO orders VALUES (9, 99, 1)", "");
    unwatch(&w);
}

static void any_row_may_move_and_the_fewest_do(void)
{
    struct watched w;
    watch_request(&w, SCHEMA, select_of(TOTALS " ORDER BY total DESC", NULL));
    CHECK_REPORTED(&w, "INSERT INTO orders VALUES (4, 3, 100)", "[move 0.2>0.0 {total}]");
    CHECK_LIST(w.list, "3 2 1");
    unwatch(&w);
}

static void a_column_makes_sections(void)
{
    struct watched w;
    watch_request(&w, SCHEMA, select_of("SELECT id AS person, name, town FROM people ORDER BY town, name", "town"));
    CHECK_LIST(w.list, "Lund: 2 3 | Oulu: 1");
    CHECK_REPORTED(&w, "UPDATE people SET town = 'Oulu' WHERE id = 3", "[move 0.1>1.1 {town}]");
    CHECK_REPORTED(&w, "DELETE FROM people WHERE town = 'Lund'", "[delete section 0 (Lund); delete 0.0]");
    unwatch(&w);
}

static void parameters_are_bound(void)
{
    fr_request *request = NULL;
    fr_value town = fr_text("Lund");
    struct watched w;
    CHECK_OK(fr_request_new_select(&request, "SELECT id AS person, name FROM people WHERE town = ?1", &town, 1, person,
                                   1, NULL));
    watch_request(&w, SCHEMA, request);
    CHECK_LIST(w.list, "2 3");
    unwatch(&w);
}

/* The status of making a controller of a SELECT, or of its fetch. */
static fr_status status_of(fr_store *store, const char *sql, const char *section)
{
    fr_request *request = select_of(sql, section);
    fr_list *list = NULL;
    fr_status status = fr_controller_new(&list, store, request);
    if (status == FR_OK) {
        status = fr_list_perform_fetch(list);
    }
    fr_list_free(list);
    fr_request_free(request);
    return status;
}

static void errors_are_reported(void)
{
    fr_store *store = store_with(SCHEMA);
    CHECK_OK(status_of(store, "SELECT id AS person FROM people", NULL));
    CHECK_STATUS(status_of(store, "SELECT nonsense", NULL), FR_SQL);
    CHECK_STATUS(status_of(store, "DELETE FROM people", NULL), FR_SQL);
    CHECK_STATUS(status_of(store, "SELECT 1 AS person; SELECT 2 AS person", NULL), FR_SQL);
    CHECK_STATUS(status_of(store, "SELECT id FROM people", NULL), FR_SCHEMA);
    CHECK(strstr(fr_error_message(), "person") != NULL);
    CHECK_STATUS(status_of(store, "SELECT id AS person FROM people", "town"), FR_SCHEMA);
    CHECK_STATUS(status_of(store, "SELECT person FROM orders", NULL), FR_CONSTRAINT);
    run(store, "UPDATE people SET town = 'Lund' WHERE id = 1; UPDATE people SET town = 'Oulu' WHERE id = 2");
    CHECK_STATUS(status_of(store, "SELECT id AS person, town FROM people ORDER BY id", "town"), FR_SQL);
    CHECK_OK(fr_store_close(store));
}

static void wrong_arguments_are_errors(void)
{
    static const char *const null_name[] = {NULL}, *const wrong_name[] = {"\xff"};
    fr_request *request = NULL;
    fr_value value = fr_integer(1), wrong = fr_text("\xff");
    CHECK_STATUS(fr_request_new_select(NULL, "SELECT 1", NULL, 0, person, 1, NULL), FR_MISUSE);
    CHECK_STATUS(fr_request_new_select(&request, NULL, NULL, 0, person, 1, NULL), FR_MISUSE);
    CHECK_STATUS(fr_request_new_select(&request, "SELECT 1", NULL, 1, person, 1, NULL), FR_MISUSE);
    CHECK_STATUS(fr_request_new_select(&request, "SELECT 1", NULL, 0, NULL, 1, NULL), FR_MISUSE);
    CHECK_STATUS(fr_request_new_select(&request, "SELECT 1", NULL, 0, null_name, 1, NULL), FR_MISUSE);
    CHECK_STATUS(fr_request_new_select(&request, "\xff", NULL, 0, person, 1, NULL), FR_INVALID_UTF8);
    CHECK_STATUS(fr_request_new_select(&request, "SELECT 1", &wrong, 1, person, 1, NULL), FR_INVALID_UTF8);
    CHECK_STATUS(fr_request_new_select(&request, "SELECT 1", NULL, 0, wrong_name, 1, NULL), FR_INVALID_UTF8);
    CHECK_STATUS(fr_request_new_select(&request, "SELECT 1", NULL, 0, person, 1, "\xff"), FR_INVALID_UTF8);
    CHECK(fr_request_new_select(&request, "SELECT 1", &value, SIZE_MAX, person, 1, NULL) != FR_OK);
    CHECK(fr_request_new_select(&request, "SELECT 1", NULL, 0, person, SIZE_MAX, NULL) != FR_OK);
    CHECK(request == NULL);
}

/*
 * Two rows with one identity are an error of the commit that made them; the list waits until that
 * is corrected.
 */
static void equal_identities_that_are_inserted_later(void)
{
    struct watched w;
    watch_request(&w, SCHEMA, select_of("SELECT person, amount FROM orders WHERE amount > 5 ORDER BY person", NULL));
    CHECK_LIST(w.list, "1 2");
    CHECK_REPORTED(&w, "UPDATE orders SET amount = 50 WHERE id = 3", "!FR_CONSTRAINT");
    CHECK_REPORTED(&w, "DELETE FROM orders WHERE id = 2", "[update 0.1>0.1 {amount}]");
    CHECK_CONTENTS(w.list, "1(1, 10) 2(2, 50)");
    unwatch(&w);
}

static void an_identity_may_hold_null(void)
{
    static const char *const identity[] = {"kind", "size"};
    fr_value key[] = {fr_null(), fr_null()};
    fr_index_path path;
    fr_request *request;
    struct watched w;
    CHECK_OK(fr_request_new_select(&request, "SELECT name, kind, size FROM parts ORDER BY name", NULL, 0, identity, 2,
                                   NULL));
    watch_request(&w,
                  "CREATE TABLE parts(name, kind TEXT, size INT);"
                  "INSERT INTO parts VALUES ('a', NULL, 1), ('b', 'k', NULL), ('c', NULL, NULL)",
                  request);
    CHECK_CONTENTS(w.list, "NULL,1(a, NULL, 1) k,NULL(b, k, NULL) NULL,NULL(c, NULL, NULL)");
    CHECK_OK(fr_list_index_path_of_identity(&path, w.list, key, 2));
    CHECK_INT(path.row, 2);
    CHECK_REPORTED(&w, "UPDATE parts SET name = 'bb' WHERE kind IS NULL AND size IS NULL", "[update 0.2>0.2 {name}]");
    CHECK_REPORTED(&w, "INSERT INTO parts VALUES ('d', NULL, 1)", "!FR_CONSTRAINT");
    unwatch(&w);
}

TESTS(select_tests) = {
    TEST(rows_stand_in_its_order),
    TEST(changes_of_any_table_are_reported),
    TEST(any_row_may_move_and_the_fewest_do),
    TEST(a_column_makes_sections),
    TEST(parameters_are_bound),
    TEST(errors_are_reported),
    TEST(wrong_arguments_are_errors),
    TEST(equal_identities_that_are_inserted_later),
    TEST(an_identity_may_hold_null),
    END_OF_TESTS,
};
