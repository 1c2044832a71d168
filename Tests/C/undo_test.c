/* Undo and redo of steps, and why they are refused. */
#include "fixture.h"
#include "test.h"

#include <stdint.h>
#include <string.h>

#define SCHEMA \
    "CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT UNIQUE);" \
    "INSERT INTO items VALUES (1, 'one'), (2, 'two'), (3, 'three');"

/* The names of the steps that can be undone and redone; "-" for none. */
static void check_names(fr_store *store, const char *undo, const char *redo)
{
    const char *name = NULL;
    CHECK_OK(fr_store_undo_name(&name, store));
    CHECK_TEXT(name == NULL ? "-" : name, undo);
    CHECK_OK(fr_store_redo_name(&name, store));
    CHECK_TEXT(name == NULL ? "-" : name, redo);
}

static void step(fr_store *store, const char *name, bool joins_last, const char *sql)
{
    CHECK_OK(fr_store_begin_step(store, name, joins_last));
    run(store, sql);
    CHECK_OK(fr_store_commit(store));
}

static void steps_are_undone_and_redone(void)
{
    fr_store *store = store_with(SCHEMA);
    fr_list *list = list_of(store, "items", NULL, "name", NULL);
    check_names(store, "-", "-");
    step(store, "Delete", false, "DELETE FROM items WHERE id = 2");
    step(store, "Rename", false, "UPDATE items SET name = 'a' WHERE id = 3");
    step(store, "Rename", true, "UPDATE items SET name = 'an item' WHERE id = 3");
    CHECK_LIST(list, "3 1");
    check_names(store, "Rename", "-");
    CHECK_OK(fr_store_undo(store));
    CHECK_LIST(list, "1 3");
    check_names(store, "Delete", "Rename");
    CHECK_OK(fr_store_undo(store));
    CHECK_LIST(list, "1 3 2");
    check_names(store, "-", "Delete");
    CHECK_STATUS(fr_store_undo(store), FR_NOT_FOUND);
    CHECK_OK(fr_store_redo(store));
    CHECK_OK(fr_store_redo(store));
    CHECK_LIST(list, "3 1");
    CHECK_STATUS(fr_store_redo(store), FR_NOT_FOUND);
    CHECK_OK(fr_store_undo(store));
    step(store, "Nothing", false, "UPDATE items SET name = name");
    check_names(store, "Delete", "Rename");
    step(store, "Add", false, "INSERT INTO items VALUES (4, 'four')");
    check_names(store, "Add", "-");
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void a_conflict_names_the_rows(void)
{
    fr_store *store = store_with(SCHEMA);
    step(store, "Edit", false, "UPDATE items SET name = name || '!' WHERE id < 3");
    run(store, "UPDATE items SET name = 'other' WHERE id = 2");
    CHECK_STATUS(fr_store_undo(store), FR_GONE);
    CHECK_TEXT(fr_error_message(), "\"Edit\" can't be undone: items 2 changed since");
    check_names(store, "Edit", "-");
    run(store, "UPDATE items SET name = 'two!' WHERE id = 2; INSERT INTO items VALUES (9, 'two')");
    CHECK_STATUS(fr_store_undo(store), FR_CONSTRAINT);
    run(store, "DELETE FROM items WHERE id = 9");
    CHECK_OK(fr_store_undo(store));
    check_names(store, "-", "Edit");
    CHECK_OK(fr_store_close(store));
}

static void calls_in_the_wrong_state_are_misuse(void)
{
    fr_store *store = store_with(SCHEMA);
    CHECK_OK(fr_store_begin(store, FR_IMMEDIATE));
    CHECK_STATUS(fr_store_begin_step(store, "late", false), FR_MISUSE);
    CHECK_STATUS(fr_store_undo(store), FR_MISUSE);
    CHECK_OK(fr_store_rollback(store));
    CHECK_STATUS(fr_store_begin_step(store, NULL, false), FR_MISUSE);
    CHECK_STATUS(fr_store_begin_step(store, "\xff", false), FR_INVALID_UTF8);
    CHECK_STATUS(fr_store_undo_name(NULL, store), FR_MISUSE);
    CHECK_STATUS(fr_store_redo_name(NULL, store), FR_MISUSE);
    CHECK_OK(fr_store_begin_step(store, "open", false));
    run(store, "DELETE FROM items");
    CHECK_OK(fr_store_rollback(store));
    check_names(store, "-", "-");
    CHECK_OK(fr_store_close(store));
}

static void steps_beyond_the_limits_are_discarded_or_refused(void)
{
    fr_store *store = store_with(SCHEMA);
    step(store, "first", false, "DELETE FROM items WHERE id = 1");
    step(store, "second", false, "DELETE FROM items WHERE id = 2");
    CHECK_OK(fr_store_set_undo_limit(store, 1, 1000));
    check_names(store, "second", "-");
    step(store, "large", false, "UPDATE items SET name = hex(zeroblob(1000)) WHERE id = 3");
    CHECK_STATUS(fr_store_undo(store), FR_RANGE);
    CHECK_OK(fr_store_set_undo_limit(store, 10, SIZE_MAX));
    step(store, "last", false, "DELETE FROM items");
    CHECK_OK(fr_store_discard_steps(store, 1));
    check_names(store, "large", "-");
    CHECK_OK(fr_store_discard_steps(store, SIZE_MAX));
    check_names(store, "-", "-");
    CHECK_OK(fr_store_close(store));
}

TESTS(undo_tests) = {
    TEST(steps_are_undone_and_redone),
    TEST(a_conflict_names_the_rows),
    TEST(calls_in_the_wrong_state_are_misuse),
    TEST(steps_beyond_the_limits_are_discarded_or_refused),
    END_OF_TESTS,
};
