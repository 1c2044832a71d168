/*
 * Identities that are spelled differently though they stay equal: 'x' and 'X' under NOCASE, 1 and
 * 1.0. The row is the same, and its identity has the new spelling from the delivery on.
 */
#include <string.h>

#include "fixture.h"
#include "test.h"

#define SCHEMA \
    "CREATE TABLE n(a TEXT COLLATE NOCASE PRIMARY KEY, k);" \
    "CREATE TABLE w(a TEXT COLLATE NOCASE, b, k, PRIMARY KEY (a, b)) WITHOUT ROWID;" \
    "CREATE TABLE d(a PRIMARY KEY, k);" \
    "CREATE VIEW v AS SELECT a, k FROM n;" \
    "INSERT INTO n VALUES ('x', 1), ('y', 2), ('z', 3);" \
    "INSERT INTO w SELECT a, 0, k FROM n; INSERT INTO d VALUES (1, 1), (2, 2), (3, 3);"

/* What an observer found. */
struct seen {
    char before[80], identity[80], rows[80];
    fr_change_set *kept; /* of the delivery before */
    int deliveries;
};

/* The first parts of the identities of a list's rows. */
static void read_identities(char *text, fr_list *list)
{
    int64_t count = 0, row;
    *text = '\0';
    CHECK_OK(fr_list_row_count(&count, list, 0));
    for (row = 0; row < count && row < 3; row++) {
        fr_object *object = NULL;
        fr_value value = fr_null();
        CHECK_OK(fr_list_object_at(&object, list, path_at(0, row)));
        CHECK_OK(fr_object_identity(&value, object, 0));
        strcat(strcat(text, value_text(value)), " ");
        fr_object_unref(object);
    }
}

/* The same by fr_list_rows. */
static void check_rows(fr_list *list, const char *expected)
{
    fr_rows rows = {0};
    CHECK_OK(fr_list_rows(&rows, list, path_at(0, 0), 1));
    REQUIRE(CHECK_INT(rows.count, 1));
    if (rows.identities[0].kind == FR_COLUMN_TEXTS) CHECK_TEXT((const char *)rows.identities[0].data, expected);
}

static void will_change(fr_list *list, void *user_data)
{
    read_identities(((struct seen *)user_data)->before, list);
}

static void did_deliver(fr_list *list, fr_change_set *changes, void *user_data)
{
    struct seen *seen = user_data;
    const fr_value *identity = NULL;
    const fr_change *records = NULL;
    size_t records_count = 0, count = 0;
    /* Updates are the last records. */
    CHECK_OK(fr_change_set_records(&records, &records_count, changes));
    CHECK_OK(fr_change_set_identity(&identity, &count, changes, records_count - 1));
    CHECK(count >= 1);
    strcpy(seen->identity, value_text(identity[0]));
    read_identities(seen->rows, list);
    if (seen->kept == NULL) seen->kept = fr_change_set_ref(changes);
    seen->deliveries++;
}

static fr_list *watched_list(fr_store *store, const char *entity, int64_t limit, struct seen *seen)
{
    static const char *const identity[] = {"a"};
    fr_observer observer = {0};
    fr_request *request = request_of(entity, NULL, "k", NULL);
    fr_list *list = NULL;
    memset(seen, 0, sizeof *seen);
    observer.struct_size = sizeof observer;
    observer.will_change = will_change;
    observer.did_deliver = did_deliver;
    if (strcmp(entity, "v") == 0) CHECK_OK(fr_request_set_identity(request, identity, 1));
    CHECK_OK(fr_request_set_limit(request, limit, 0));
    CHECK_OK(fr_controller_new(&list, store, request));
    fr_request_free(request);
    CHECK_OK(fr_list_perform_fetch(list));
    CHECK_OK(fr_list_add_observer(NULL, list, &observer, seen, NULL));
    /* Updates of a view are known of rows that were read. */
    read_identities(seen->before, list);
    return list;
}

/* Before: `old` and two others. Change: a script that spells it `new`. */
static void check_spelling(const char *entity, int64_t limit, const char *script, const char *old, const char *new)
{
    fr_store *store = store_with(SCHEMA);
    struct seen seen;
    fr_list *list = watched_list(store, entity, limit, &seen);
    const fr_value *identity = NULL;
    size_t count = 0;
    int before = failures();
    run(store, strcmp(entity, "d") == 0   ? "UPDATE d SET k = 0 WHERE a = 1"
               : strcmp(entity, "w") == 0 ? "UPDATE w SET k = 0 WHERE a = 'x'"
                                          : "UPDATE n SET k = 0 WHERE a = 'x'");
    CHECK_TEXT(seen.identity, old);
    CHECK_OK(fr_store_begin(store, FR_IMMEDIATE));
    run(store, script);
    CHECK_OK(fr_store_rollback(store));
    CHECK_INT(seen.deliveries, 1);
    read_identities(seen.rows, list);
    CHECK(strncmp(seen.rows, old, strlen(old)) == 0);
    CHECK_OK(fr_store_begin(store, FR_IMMEDIATE));
    run(store, script);
    CHECK_OK(fr_store_commit(store));
    CHECK_INT(seen.deliveries, 2);
    CHECK(strncmp(seen.before, old, strlen(old)) == 0);
    CHECK_TEXT(seen.identity, new);
    CHECK(strncmp(seen.rows, new, strlen(new)) == 0);
    check_rows(list, new);
    /* The delivery before was about the old spelling. */
    CHECK_OK(fr_change_set_identity(&identity, &count, seen.kept, 0));
    CHECK_TEXT(value_text(identity[0]), old);
    if (failures() != before) fail(__FILE__, __LINE__, "this was %s, limit %d: %s", entity, (int)limit, script);
    fr_change_set_unref(seen.kept);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void an_identity_is_spelled_as_its_row(void)
{
    static const int64_t limits[] = {-1, 2};
    size_t index;
    for (index = 0; index < 2; index++) {
        int64_t limit = limits[index];
        check_spelling("n", limit, "UPDATE n SET a = 'X' WHERE a = 'x'", "x", "X");
        check_spelling("n", limit, "DELETE FROM n WHERE a = 'x'; INSERT INTO n VALUES ('X', 0)", "x", "X");
        check_spelling("n", limit, "REPLACE INTO n VALUES ('X', 0)", "x", "X");
        check_spelling("w", limit, "UPDATE w SET a = 'X' WHERE a = 'x'", "x", "X");
        check_spelling("w", limit, "REPLACE INTO w VALUES ('X', 0, 0)", "x", "X");
        check_spelling("d", limit, "UPDATE d SET a = 1.0 WHERE a = 1", "1", "1.0");
        check_spelling("v", limit, "UPDATE n SET a = 'X' WHERE a = 'x'", "x", "X");
        /* So many rows that the list is read as a whole. */
        check_spelling("n", limit,
                       "UPDATE n SET a = 'X' WHERE a = 'x'; INSERT INTO n WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL "
                       "SELECT i + 1 FROM c WHERE i < 3000) SELECT 'm' || i, i + 5 FROM c",
                       "x", "X");
    }
}

/* The content does not show it: nothing is delivered, and the identity is the new one. */
static void an_identity_that_is_not_shown_is_spelled_as_its_row(void)
{
    static const char *const columns[] = {"k"};
    fr_store *store = store_with(SCHEMA);
    fr_request *request = request_of("n", NULL, "k", NULL);
    fr_list *list = NULL;
    char identities[80];
    CHECK_OK(fr_request_set_columns(request, columns, 1));
    CHECK_OK(fr_controller_new(&list, store, request));
    fr_request_free(request);
    CHECK_OK(fr_list_perform_fetch(list));
    run(store, "UPDATE n SET a = 'X' WHERE a = 'x'");
    read_identities(identities, list);
    CHECK_TEXT(identities, "X y z ");
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

TESTS(spelling_tests) = {
    TEST(an_identity_is_spelled_as_its_row),
    TEST(an_identity_that_is_not_shown_is_spelled_as_its_row),
    END_OF_TESTS,
};
