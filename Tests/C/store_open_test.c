/* Opening and closing stores. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fixture.h"
#include "test.h"

static fr_store_options options_with(uint32_t flags)
{
    fr_store_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.flags = flags;
    return options;
}

/* The first value of the first row of a query, as text. */
static const char *answer(fr_store *store, const char *sql)
{
    fr_statement *statement = NULL;
    fr_value value = fr_null();
    const char *text = "";
    bool row = false;
    if (CHECK_OK(fr_statement_prepare(&statement, store, sql)) && CHECK_OK(fr_statement_step(&row, statement)) && row) {
        CHECK_OK(fr_statement_value(&value, statement, 0));
        text = value_text(value);
    }
    fr_statement_free(statement);
    return text;
}

static void write_file(const char *path, const char *bytes)
{
    FILE *file = fopen(path, "w");
    REQUIRE(file != NULL);
    fputs(bytes, file);
    fclose(file);
}

static void file_is_made_in_wal_mode(void)
{
    fr_store *store = store_in_file("new.db");
    CHECK_TEXT(answer(store, "PRAGMA journal_mode"), "wal");
    CHECK_TEXT(answer(store, "PRAGMA foreign_keys"), "1");
    CHECK_TEXT(answer(store, "PRAGMA busy_timeout"), "5000");
    CHECK_OK(fr_store_close(store));
    CHECK(access(file_path("new.db"), F_OK) == 0);
}

static void options_are_followed(void)
{
    fr_store_options options = options_with(FR_STORE_NO_FOREIGN_KEYS);
    fr_store *store = NULL;
    options.journal_mode = "delete";
    options.busy_timeout_ms = 1234;
    REQUIRE(CHECK_OK(fr_store_open(&store, file_path("options.db"), &options)));
    CHECK_TEXT(answer(store, "PRAGMA journal_mode"), "delete");
    CHECK_TEXT(answer(store, "PRAGMA foreign_keys"), "0");
    CHECK_TEXT(answer(store, "PRAGMA busy_timeout"), "1234");
    CHECK_OK(fr_store_close(store));
}

static void negative_timeout_does_not_wait(void)
{
    fr_store_options options = options_with(0);
    fr_store *first = store_in_file("busy.db"), *second = NULL;
    run(first, "CREATE TABLE t(v)");
    options.busy_timeout_ms = -1;
    CHECK_OK(fr_store_open(&second, file_path("busy.db"), &options));
    CHECK_OK(fr_store_begin(first, FR_IMMEDIATE));
    CHECK_STATUS(fr_store_execute(second, "INSERT INTO t VALUES (1)", NULL, 0), FR_BUSY);
    CHECK_STATUS(fr_store_begin(second, FR_IMMEDIATE), FR_BUSY);
    CHECK_OK(fr_store_rollback(first));
    CHECK_OK(fr_store_execute(second, "INSERT INTO t VALUES (1)", NULL, 0));
    CHECK_OK(fr_store_close(first));
    CHECK_OK(fr_store_close(second));
}

static void missing_file_is_an_error_if_it_must_not_be_made(void)
{
    fr_store_options no_create = options_with(FR_STORE_NO_CREATE), read_only = options_with(FR_STORE_READ_ONLY);
    fr_store *store = NULL;
    CHECK_STATUS(fr_store_open(&store, file_path("missing.db"), &no_create), FR_IO);
    CHECK(strstr(fr_error_message(), "missing.db") != NULL);
    CHECK_STATUS(fr_store_open(&store, file_path("missing.db"), &read_only), FR_IO);
    CHECK(store == NULL);
    CHECK(access(file_path("missing.db"), F_OK) != 0);
}

static void directory_is_no_database(void)
{
    fr_store *store = NULL;
    CHECK_STATUS(fr_store_open(&store, "/tmp", NULL), FR_IO);
    CHECK_STATUS(fr_store_open(&store, "/nowhere/at/all.db", NULL), FR_IO);
    CHECK(store == NULL);
}

static void other_file_is_no_database(void)
{
    fr_store *store = NULL;
    write_file(file_path("notes.txt"), "These are notes, long enough to be looked at, and certainly no database. "
                                       "SQLite reads the first hundred bytes before it says so.\n");
    CHECK_STATUS(fr_store_open(&store, file_path("notes.txt"), NULL), FR_CORRUPT);
    CHECK(store == NULL);
}

static void read_only_store_reads_and_does_not_write(void)
{
    fr_store_options options = options_with(FR_STORE_READ_ONLY);
    fr_store *store = store_in_file("read.db");
    fr_list *list;
    run(store, "CREATE TABLE items(id INTEGER PRIMARY KEY); INSERT INTO items VALUES (1), (2)");
    CHECK_OK(fr_store_close(store));
    store = NULL;
    REQUIRE(CHECK_OK(fr_store_open(&store, file_path("read.db"), &options)));
    list = list_of(store, "items", NULL, NULL, NULL);
    CHECK_LIST(list, "1 2");
    CHECK_STATUS(fr_store_execute(store, "DELETE FROM items", NULL, 0), FR_READ_ONLY);
    CHECK_LIST(list, "1 2");
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
}

static void immutable_store_makes_no_files(void)
{
    fr_store_options options = options_with(FR_STORE_IMMUTABLE);
    fr_store *store = store_in_file("50% a?b#c.db");
    fr_list *list;
    run(store, "CREATE TABLE items(id INTEGER PRIMARY KEY); INSERT INTO items VALUES (1), (2)");
    CHECK_OK(fr_store_close(store));
    store = NULL;
    REQUIRE(CHECK_OK(fr_store_open(&store, file_path("50% a?b#c.db"), &options)));
    list = list_of(store, "items", NULL, NULL, NULL);
    CHECK_LIST(list, "1 2");
    CHECK_STATUS(fr_store_execute(store, "DELETE FROM items", NULL, 0), FR_READ_ONLY);
    CHECK_LIST(list, "1 2");
    CHECK(access(file_path("50% a?b#c.db-wal"), F_OK) != 0 && access(file_path("50% a?b#c.db-shm"), F_OK) != 0);
    fr_list_free(list);
    CHECK_OK(fr_store_close(store));
    CHECK_STATUS(fr_store_open(&store, file_path("missing.db"), &options), FR_IO);
    CHECK(access(file_path("missing.db"), F_OK) != 0);
}

static void file_of_an_unknown_journal_mode_is_not_made(void)
{
    fr_store_options options = options_with(0);
    fr_store *store = NULL;
    options.journal_mode = "sideways";
    CHECK_STATUS(fr_store_open(&store, file_path("unmade.db"), &options), FR_SQL);
    CHECK(access(file_path("unmade.db"), F_OK) != 0);
}

static void unchanged_journal_mode_is_that_of_the_file(void)
{
    static const char *const modes[] = {"delete", "wal", "truncate"};
    static const char *const shown[] = {"delete", "wal", "delete"}; /* the last one is of the connection alone */
    fr_store_options options = options_with(0);
    size_t index;
    for (index = 0; index < sizeof modes / sizeof *modes; index++) {
        fr_store *store = NULL;
        options.journal_mode = modes[index];
        CHECK_OK(fr_store_open(&store, file_path("unchanged.db"), &options));
        CHECK_OK(fr_store_close(store));
        options.journal_mode = index == 0 ? "unchanged" : "Unchanged";
        CHECK_OK(fr_store_open(&store, file_path("unchanged.db"), &options));
        CHECK_TEXT(answer(store, "PRAGMA journal_mode"), shown[index]);
        CHECK_OK(fr_store_close(store));
    }
}

static void file_uri_is_a_plain_name(void)
{
    fr_store *store = NULL;
    char before[4096], folder[300];
    REQUIRE(getcwd(before, sizeof before) != NULL);
    snprintf(folder, sizeof folder, "%s", file_path(""));
    REQUIRE(chdir(folder) == 0);
    CHECK_OK(fr_store_open(&store, "file:plain.db?mode=memory", NULL));
    run(store, "CREATE TABLE t(v)");
    CHECK_OK(fr_store_close(store));
    CHECK(access("file:plain.db?mode=memory", F_OK) == 0);
    CHECK(chdir(before) == 0);
}

static void wrong_options_are_errors(void)
{
    fr_store_options options = options_with(64);
    fr_store *store = NULL;
    CHECK_STATUS(fr_store_open(&store, ":memory:", &options), FR_RANGE);
    options = options_with(UINT32_MAX);
    CHECK_STATUS(fr_store_open(&store, ":memory:", &options), FR_RANGE);
    options = options_with(0);
    options.struct_size = 0;
    CHECK_STATUS(fr_store_open(&store, ":memory:", &options), FR_RANGE);
    options = options_with(0);
    options.journal_mode = "sideways";
    CHECK_STATUS(fr_store_open(&store, file_path("mode.db"), &options), FR_SQL);
    options.journal_mode = "wal; DROP TABLE t";
    CHECK_STATUS(fr_store_open(&store, file_path("mode.db"), &options), FR_SQL);
    options.journal_mode = "\xff";
    CHECK_STATUS(fr_store_open(&store, file_path("mode.db"), &options), FR_INVALID_UTF8);
    CHECK(store == NULL);
}

static void wrong_paths_are_errors(void)
{
    fr_store *store = NULL;
    CHECK_STATUS(fr_store_open(&store, NULL, NULL), FR_MISUSE);
    CHECK_STATUS(fr_store_open(NULL, ":memory:", NULL), FR_MISUSE);
    CHECK_STATUS(fr_store_open(&store, "\xff.db", NULL), FR_INVALID_UTF8);
    CHECK(store == NULL);
}

static void closing_rolls_back(void)
{
    fr_store *store = store_in_file("rollback.db");
    run(store, "CREATE TABLE t(v)");
    CHECK_OK(fr_store_begin(store, FR_IMMEDIATE));
    run(store, "INSERT INTO t VALUES (1)");
    CHECK_OK(fr_store_close(store));
    store = store_in_file("rollback.db");
    CHECK_TEXT(answer(store, "SELECT count(*) FROM t"), "0");
    CHECK_OK(fr_store_close(store));
}

static void closing_twice_is_misuse(void)
{
    fr_store *store = store_with("CREATE TABLE t(v)");
    CHECK_OK(fr_store_close(store));
    CHECK_STATUS(fr_store_close(store), FR_MISUSE);
    CHECK_OK(fr_store_close(NULL));
}

static void what_was_made_from_a_closed_store_returns_closed(void)
{
    fr_store *store = store_with("CREATE TABLE items(id INTEGER PRIMARY KEY, name); INSERT INTO items VALUES (1, 'a')");
    fr_list *list = list_of(store, "items", NULL, NULL, NULL);
    fr_statement *statement = NULL;
    fr_object *object = NULL;
    int64_t count = -5;
    bool row;
    CHECK_OK(fr_list_object_at(&object, list, path_at(0, 0)));
    CHECK_OK(fr_statement_prepare(&statement, store, "SELECT 1"));
    CHECK_OK(fr_store_close(store));
    CHECK_STATUS(fr_list_count(&count, list), FR_CLOSED);
    CHECK_INT(count, -5);
    CHECK_STATUS(fr_list_perform_fetch(list), FR_CLOSED);
    CHECK_STATUS(fr_statement_step(&row, statement), FR_CLOSED);
    CHECK_TEXT(object_text(object, "name"), "a");
    fr_object_unref(object);
    fr_statement_free(statement);
    fr_list_free(list);
}

TESTS(store_open_tests) = {
    TEST(file_is_made_in_wal_mode),
    TEST(options_are_followed),
    TEST(negative_timeout_does_not_wait),
    TEST(missing_file_is_an_error_if_it_must_not_be_made),
    TEST(directory_is_no_database),
    TEST(other_file_is_no_database),
    TEST(read_only_store_reads_and_does_not_write),
    TEST(immutable_store_makes_no_files),
    TEST(file_of_an_unknown_journal_mode_is_not_made),
    TEST(unchanged_journal_mode_is_that_of_the_file),
    TEST(file_uri_is_a_plain_name),
    TEST(wrong_options_are_errors),
    TEST(wrong_paths_are_errors),
    TEST(closing_rolls_back),
    TEST(closing_twice_is_misuse),
    TEST(what_was_made_from_a_closed_store_returns_closed),
    END_OF_TESTS,
};
