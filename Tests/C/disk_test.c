/*
 * The disk fails once, at each read and each write of the store's connection: the database file's,
 * or the log's. A call that fails has no effect, and nothing is lost when the disk works again.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "test.h"
#include "text.h"
#include "watched.h"

#define SCHEMA \
    "PRAGMA cache_size = 3;" \
    "CREATE TABLE t(id INTEGER PRIMARY KEY, s, v);" \
    "CREATE TABLE pairs(a, b, PRIMARY KEY (b, a)) WITHOUT ROWID;" \
    "CREATE VIEW shown AS SELECT id, s, v FROM t WHERE s > 0;" \
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)" \
    "INSERT INTO t SELECT i, i % 5, hex(randomblob(400)) FROM n;"

enum { LISTS = 2, MOST_CALLS = 3000 };

/* Calls until the one that fails; 0 for none, -1 once it has failed. */
static int left;
static sqlite3_io_methods file_methods, log_methods, failing_log;

static bool fails(void)
{
    if (left <= 0 || --left > 0) return false;
    left = -1;
    return true;
}

static int read_file(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset)
{
    return fails() ? SQLITE_IOERR_READ : file_methods.xRead(file, bytes, count, offset);
}

static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset)
{
    return fails() ? SQLITE_IOERR_WRITE : file_methods.xWrite(file, bytes, count, offset);
}

static int read_log(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset)
{
    return fails() ? SQLITE_IOERR_READ : log_methods.xRead(file, bytes, count, offset);
}

static int write_log(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset)
{
    return fails() ? SQLITE_FULL : log_methods.xWrite(file, bytes, count, offset);
}

/*
 * Replaces the methods of the connection's files. The database file keeps its structure of methods,
 * because the library has its own data behind it.
 */
static void make_failing(fr_store *store, bool has_log)
{
    sqlite3 *connection = NULL;
    sqlite3_file *file = NULL;
    sqlite3_io_methods *methods;
    CHECK_OK(fr_store_sqlite(&connection, store));
    CHECK_INT(sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file), SQLITE_OK);
    methods = (sqlite3_io_methods *)file->pMethods;
    file_methods = *methods;
    methods->xRead = read_file;
    methods->xWrite = write_file;
    if (!has_log) return;
    CHECK_INT(sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file), SQLITE_OK);
    failing_log = log_methods = *file->pMethods;
    failing_log.xRead = read_log;
    failing_log.xWrite = write_log;
    file->pMethods = &failing_log;
}

struct disk {
    fr_store *store;
    sqlite3 *other;
    fr_request *requests[LISTS];
    fr_list *lists[LISTS];
};

static void open_disk(struct disk *disk, const char *journal_mode)
{
    static const char *const identity[] = {"id"};
    fr_store_options options = {.struct_size = sizeof options, .journal_mode = journal_mode};
    int i;
    remove_files();
    CHECK_OK(fr_store_open(&disk->store, file_path("disk.db"), &options));
    run(disk->store, SCHEMA);
    disk->requests[0] = request_of("t", "s", "v", NULL);
    disk->requests[1] = request_of("shown", NULL, "v", NULL);
    CHECK_OK(fr_request_set_identity(disk->requests[1], identity, 1));
    for (i = 0; i < LISTS; i++) {
        CHECK_OK(fr_controller_new(&disk->lists[i], disk->store, disk->requests[i]));
        CHECK_OK(fr_list_perform_fetch(disk->lists[i]));
    }
    CHECK_OK(fr_store_dispatch(disk->store));
    CHECK_INT(sqlite3_open(file_path("disk.db"), &disk->other), SQLITE_OK);
    make_failing(disk->store, strcmp(journal_mode, "wal") == 0);
}

static void close_disk(struct disk *disk)
{
    int i;
    for (i = 0; i < LISTS; i++) {
        fr_list_free(disk->lists[i]);
        fr_request_free(disk->requests[i]);
    }
    CHECK_INT(sqlite3_close(disk->other), SQLITE_OK);
    CHECK_OK(fr_store_close(disk->store));
}

static bool is_disk_error(fr_status status)
{
    return status == FR_IO;
}

static fr_status write_own(struct disk *disk, int number)
{
    fr_value values[1];
    values[0] = fr_integer(number);
    return fr_store_execute(disk->store, "UPDATE t SET s = (s + ?1) % 5, v = v || '.' WHERE id % 7 = ?1 % 7", values,
                            1);
}

static fr_status dispatch_commit(struct disk *disk, int number)
{
    char sql[100];
    int after = left;
    left = 0;
    snprintf(sql, sizeof sql, "UPDATE t SET s = (s + 1) %% 5, v = v || '-' WHERE id %% 7 = %d", number % 7);
    CHECK_INT(sqlite3_exec(disk->other, sql, NULL, NULL, NULL), SQLITE_OK);
    left = after;
    return fr_store_dispatch(disk->store);
}

static fr_status fetch_all(struct disk *disk, int number)
{
    fr_status status = FR_OK;
    int i;
    (void)number;
    for (i = 0; i < LISTS && status == FR_OK; i++) {
        status = fr_list_perform_fetch(disk->lists[i]);
    }
    return status;
}

/* One call after the other fails, until the work has fewer. */
static void fail_each(fr_status (*work)(struct disk *, int), const char *journal_mode)
{
    struct disk disk;
    int number, failed = 0, step = step_of_cases(2);
    bool is_reached = true;
    open_disk(&disk, journal_mode);
    for (number = 1; is_reached && number < MOST_CALLS; number += step + number / 10) {
        fr_status status;
        bool open = true;
        int i;
        left = number;
        status = work(&disk, number);
        is_reached = left < 0;
        left = 0;
        CHECK(status == FR_OK || (is_reached && is_disk_error(status)));
        failed += status != FR_OK;
        CHECK_OK(fr_store_in_transaction(&open, disk.store));
        CHECK(!open);
        CHECK_OK(fr_store_dispatch(disk.store));
        for (i = 0; i < LISTS; i++) {
            CHECK(check_against_fetch(disk.lists[i], disk.store, disk.requests[i]));
        }
    }
    CHECK(failed > 0);
    CHECK(!is_reached);
    close_disk(&disk);
}

static void each_call_fails_in_a_write(void)
{
    fail_each(write_own, "wal");
    fail_each(write_own, "delete");
}

static void each_call_fails_in_a_delivery_of_others_commits(void)
{
    fail_each(dispatch_commit, "wal");
    fail_each(dispatch_commit, "delete");
}

static void each_call_fails_in_a_fetch(void)
{
    fail_each(fetch_all, "wal");
    fail_each(fetch_all, "delete");
}

TESTS(disk_tests) = {
    TEST(each_call_fails_in_a_write),
    TEST(each_call_fails_in_a_delivery_of_others_commits),
    TEST(each_call_fails_in_a_fetch),
    END_OF_TESTS,
};
