/*
 * A store writes a database as plain SQLite does: the same system calls with the same bytes, in the
 * same order, and all of them before a statement returns.
 */
#define SQLITE_ENABLE_PREUPDATE_HOOK
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "cases.h"
#include "fixture.h"
#include "test.h"
#include "text.h"
#include "written.h"

/* How a database is written. */
struct way {
    int page_size;
    const char *journal_mode;
    const char *synchronous;
    bool is_safe; /* whether a write is taken not to damage bytes beside it (psow) */
    bool is_watched; /* by a live list */
};

#define COMMITS 18

/* Makes text and blobs without SQLite's random numbers. */
#define ROWS(first, last, size) \
    "WITH n(i) AS (VALUES (" #first ") UNION ALL SELECT i + 1 FROM n WHERE i < " #last ") " \
    "INSERT INTO items SELECT i, 'row ' || i, zeroblob(" #size ") FROM n;"

/*
 * Commits of one page and of many, pages that are written before their commit and written again,
 * and whatever else makes SQLite write in another way.
 */
static const char *const commits[COMMITS] = {
    "INSERT INTO items VALUES (1, 'one', NULL)",
    "UPDATE items SET name = 'uno' WHERE id = 1",
    ROWS(2, 40, 10),
    ROWS(41, 140, 100),
    "BEGIN; UPDATE items SET name = name || '.' WHERE id % 7 = 0; DELETE FROM items WHERE id > 130; COMMIT",
    "BEGIN; DELETE FROM items WHERE id < 20; ROLLBACK",
    "BEGIN; UPDATE items SET name = name || 'a'; UPDATE items SET name = name || 'b'; COMMIT",
    "BEGIN; INSERT INTO items VALUES (1000, 'x', NULL); SAVEPOINT s; UPDATE items SET name = 'gone'; ROLLBACK TO s; "
    "COMMIT",
    ROWS(2000, 2003, 9000),
    "UPDATE items SET content = zeroblob(8999) WHERE id = 2003",
    "DELETE FROM items WHERE id BETWEEN 60 AND 120",
    "CREATE TABLE others (a, b)",
    "INSERT INTO others SELECT id, name FROM items",
    "DROP TABLE others",
    "UPDATE items SET name = 'last' WHERE id = 1",
    "UPDATE items SET name = 'last but one' WHERE id = 2",
    "DELETE FROM items",
    "INSERT INTO items VALUES (7, 'seven', x'07')",
};

static void execute(sqlite3 *connection, const char *script)
{
    char *message = NULL;
    if (sqlite3_exec(connection, script, NULL, NULL, &message) != SQLITE_OK) {
        fail(__FILE__, __LINE__, "%s: %s", script, message);
    }
    sqlite3_free(message);
}

static void make_file(const char *path, const struct way *way)
{
    char script[200];
    sqlite3 *connection = NULL;
    CHECK_INT(sqlite3_open(path, &connection), SQLITE_OK);
    snprintf(script, sizeof script,
             "PRAGMA page_size = %d; CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT, content BLOB);"
             "CREATE INDEX items_by_name ON items(name)",
             way->page_size);
    execute(connection, script);
    CHECK_INT(sqlite3_close(connection), SQLITE_OK);
}

/* Runs what is the same for plain SQLite and a store, with the same random numbers. */
static void set_up(sqlite3 *connection, const struct way *way)
{
    char script[200];
    int is_safe = way->is_safe;
    CHECK_INT(sqlite3_test_control(SQLITE_TESTCTRL_PRNG_SEED, 1, NULL), SQLITE_OK);
    /* Before the log is opened. */
    CHECK_INT(sqlite3_file_control(connection, "main", SQLITE_FCNTL_POWERSAFE_OVERWRITE, &is_safe), SQLITE_OK);
    /*
     * A list reads the rows that change, so a small cache writes pages at another time beside one.
     */
    snprintf(
        script, sizeof script,
        "PRAGMA synchronous = %s; PRAGMA journal_mode = %s; PRAGMA cache_size = %d; PRAGMA wal_autocheckpoint = %d",
        way->synchronous, way->journal_mode, way->is_watched ? 2000 : 5, way->is_watched ? 0 : 20);
    execute(connection, script);
}

static void seed(int number)
{
    CHECK_INT(sqlite3_test_control(SQLITE_TESTCTRL_PRNG_SEED, number, NULL), SQLITE_OK);
}

/* With a hook, SQLite deletes all rows of a table one by one. The store has one as well. */
static void ignore(void *data, sqlite3 *connection, int operation, const char *database, const char *table,
                   sqlite3_int64 old_rowid, sqlite3_int64 new_rowid)
{
    (void)data, (void)connection, (void)operation, (void)database, (void)table, (void)old_rowid, (void)new_rowid;
}

static void write_plainly(const char *path, const struct way *way, struct text *calls)
{
    sqlite3 *connection = NULL;
    int commit;
    make_file(path, way);
    CHECK_INT(sqlite3_open(path, &connection), SQLITE_OK);
    sqlite3_preupdate_hook(connection, ignore, NULL);
    note_written(calls, path);
    set_up(connection, way);
    for (commit = 0; commit < COMMITS; commit++) {
        text_add(calls, "commit %d\n", commit);
        seed(commit + 2);
        execute(connection, commits[commit]);
    }
    text_add(calls, "close\n");
    CHECK_INT(sqlite3_close(connection), SQLITE_OK);
    note_written(NULL, NULL);
}

static void write_through_a_store(const char *path, const struct way *way, struct text *calls)
{
    fr_store_options options = {.struct_size = sizeof options, .journal_mode = "unchanged"};
    fr_store *store = NULL;
    fr_list *list = NULL;
    struct sqlite3 *connection = NULL;
    int commit;
    make_file(path, way);
    REQUIRE(CHECK_OK(fr_store_open(&store, path, &options)));
    CHECK_OK(fr_store_sqlite(&connection, store));
    note_written(calls, path);
    set_up(connection, way);
    if (way->is_watched) {
        list = list_of(store, "items", NULL, "name", NULL);
    }
    for (commit = 0; commit < COMMITS; commit++) {
        text_add(calls, "commit %d\n", commit);
        seed(commit + 2);
        run(store, commits[commit]);
    }
    if (list != NULL) {
        CHECK_LIST(list, "7");
        fr_list_free(list);
    }
    text_add(calls, "close\n");
    CHECK_OK(fr_store_close(store));
    note_written(NULL, NULL);
}

/* The first line that differs, and the commit it belongs to. */
static void explain(const char *expected, const char *actual, const struct way *way)
{
    const char *commit = expected;
    size_t line = 0, at;
    for (at = 0; expected[at] != 0 && expected[at] == actual[at]; at++) {
        if (expected[at] == '\n') {
            line = at + 1;
            if (strncmp(expected + line, "commit", 6) == 0) commit = expected + line;
        }
    }
    fail(__FILE__, __LINE__,
         "page size %d, %s, synchronous %s, psow %d, %s list: in %.*s plain SQLite has\n    %.*s\n"
         "where the store has\n    %.*s",
         way->page_size, way->journal_mode, way->synchronous, way->is_safe, way->is_watched ? "with a" : "without a",
         (int)strcspn(commit, "\n"), commit, (int)strcspn(expected + line, "\n"), expected + line,
         (int)strcspn(actual + line, "\n"), actual + line);
}

static size_t calls_of(const char *call, const char *calls)
{
    size_t count = 0;
    while ((calls = strstr(calls, call)) != NULL) {
        count++;
        calls++;
    }
    return count;
}

static void compare(const struct way *way)
{
    struct text plain = {0}, store = {0};
    const char *calls;
    write_plainly(file_path("plain.db"), way, &plain);
    write_through_a_store(file_path("store.db"), way, &store);
    calls = text_get(&plain);
    /* Otherwise nothing was noted. */
    CHECK(calls_of("file write ", calls) > 0);
    CHECK((calls_of("sync", calls) > 0) == (strcmp(way->synchronous, "OFF") != 0));
    CHECK(calls_of(strcmp(way->journal_mode, "WAL") == 0 ? "file-wal write " : "file-journal write ", calls) > COMMITS);
    if (strcmp(calls, text_get(&store)) != 0) explain(calls, text_get(&store), way);
    text_free(&plain);
    text_free(&store);
    remove_files();
}

static const int page_sizes[] = {512, 1024, 2048, 4096, 8192, 65536};
static const char *const levels[] = {"OFF", "NORMAL", "FULL", "EXTRA"};

enum { SIZES = sizeof page_sizes / sizeof *page_sizes, LEVELS = sizeof levels / sizeof *levels };

static void logs_are_written_as_by_plain_sqlite(void)
{
    int number, step = step_of_cases(7);
    for (number = 0; number < SIZES * LEVELS * 2 && failures() == 0; number += step) {
        struct way way = {page_sizes[number / 2 % SIZES], "WAL", levels[number / 2 / SIZES], number % 2, false};
        compare(&way);
    }
}

/* Less than the store writes back: it would do that before plain SQLite does. */
static void logs_are_written_as_by_plain_sqlite_below_a_live_list(void)
{
    int number, step = step_of_cases(7);
    for (number = 0; number < SIZES * LEVELS * 2 && failures() == 0; number += step) {
        struct way way = {page_sizes[number / 2 % SIZES], "WAL", levels[number / 2 / SIZES], number % 2, true};
        compare(&way);
    }
}

static void files_are_written_as_by_plain_sqlite_in_rollback_modes(void)
{
    static const char *const modes[] = {"DELETE", "TRUNCATE", "PERSIST"};
    int number, step = step_of_cases(11);
    for (number = 0; number < SIZES * LEVELS * 3 && failures() == 0; number += step) {
        struct way way = {page_sizes[number / 3 % SIZES], modes[number % 3], levels[number / 3 / SIZES], number & 1,
                          number & 2};
        compare(&way);
    }
}

TESTS(plain_writes_tests) = {
    TEST(logs_are_written_as_by_plain_sqlite),
    TEST(logs_are_written_as_by_plain_sqlite_below_a_live_list),
    TEST(files_are_written_as_by_plain_sqlite_in_rollback_modes),
    END_OF_TESTS,
};
