/* The SQLite file. */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "waiting.h"

enum {
    BUSY_MS = 60000,
    /*
     * Followers that always read keep a passive checkpoint from starting the log again. A restart
     * waits for them.
     */
    PASSIVE_PAGES = 4000,
    RESTART_PAGES = 16000,
    RESTART_MS = 300,
    PAGE_BYTES = 4096, /* unless the file says otherwise, which is as good a limit */
    CACHE_KIB = 65536
};

static int log_pages;

bool file_failed(sqlite3 *file)
{
    static const struct {
        int code;
        const char *advice;
    } advices[] = {{SQLITE_BUSY, "another program has held the write lock for a minute: end it"},
                   {SQLITE_FULL, "make room on the disk"},
                   {SQLITE_IOERR, "check the disk"},
                   {SQLITE_CORRUPT, "remove the file, so that it is copied again"},
                   {SQLITE_NOTADB, "choose another file"},
                   {SQLITE_CANTOPEN, "check the folder and its permissions"},
                   {SQLITE_READONLY, "check the permissions of the file and its folder"},
                   {SQLITE_CONSTRAINT, "remove constraints and unique indexes that you added, or the file"}};
    if (sqlite3_errcode(file) == SQLITE_INTERRUPT) {
        return false; /* the progress handler has noted why */
    }
    for (size_t i = 0; i < sizeof advices / sizeof *advices; i++) {
        if (advices[i].code == (sqlite3_errcode(file) & 0xff)) {
            return failed(FAILURE_FILE, "the file can't be used: %s: %s", sqlite3_errmsg(file), advices[i].advice);
        }
    }
    return failed(FAILURE_FILE, "the file can't be used: %s: remove it, so that it is copied again",
                  sqlite3_errmsg(file));
}

sqlite3 *file_open(const char *path)
{
    sqlite3 *file;
    if (sqlite3_open(path, &file) != SQLITE_OK || sqlite3_busy_timeout(file, BUSY_MS) != SQLITE_OK
        || !file_do(file, "PRAGMA foreign_keys = OFF; PRAGMA cache_size = -%d", CACHE_KIB)) {
        file_failed(file);
        sqlite3_close(file);
        return NULL;
    }
    return file;
}

static int note_commit(void *user_data, sqlite3 *file, const char *name, int pages)
{
    (void)user_data, (void)file, (void)name;
    log_pages = pages;
    return SQLITE_OK;
}

sqlite3 *file_open_log(const char *path)
{
    char *mode = NULL;
    sqlite3 *file = file_open(path);
    if (file == NULL) {
        return NULL;
    }
    bool is_open = file_text(&mode, file, "PRAGMA journal_mode = WAL")
                   && file_do(file, "PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = %d",
                              RESTART_PAGES * PAGE_BYTES);
    if (is_open && (mode == NULL || strcmp(mode, "wal") != 0)) {
        is_open = failed(FAILURE_FILE, "the file has no write-ahead log: keep it on a local disk");
    }
    sqlite3_free(mode);
    if (!is_open) {
        sqlite3_close(file);
        return NULL;
    }
    sqlite3_wal_hook(file, note_commit, NULL);
    return file;
}

static sqlite3_stmt *prepared(sqlite3 *file, char *sql, unsigned flags)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v3(file, allocated(sql), -1, flags, &statement, NULL) != SQLITE_OK) {
        file_failed(file);
        statement = NULL;
    }
    sqlite3_free(sql);
    return statement;
}

bool file_do(sqlite3 *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *sql = allocated(sqlite3_vmprintf(format, arguments));
    va_end(arguments);
    bool is_done = sqlite3_exec(file, sql, NULL, NULL, NULL) == SQLITE_OK;
    sqlite3_free(sql);
    return is_done || file_failed(file);
}

sqlite3_stmt *file_prepare(sqlite3 *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *sql = sqlite3_vmprintf(format, arguments);
    va_end(arguments);
    return prepared(file, sql, SQLITE_PREPARE_PERSISTENT);
}

bool file_step(sqlite3_stmt *statement)
{
    int code = sqlite3_step(statement);
    if (code == SQLITE_DONE || code == SQLITE_ROW) {
        sqlite3_reset(statement); /* after success it returns that */
        return true;
    }
    file_failed(sqlite3_db_handle(statement));
    sqlite3_reset(statement); /* it returns the same failure again */
    return false;
}

bool file_text(char **text, sqlite3 *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    sqlite3_stmt *statement = prepared(file, sqlite3_vmprintf(format, arguments), 0);
    va_end(arguments);
    *text = NULL;
    int code = statement != NULL ? sqlite3_step(statement) : SQLITE_ERROR;
    if (code == SQLITE_ROW && sqlite3_column_type(statement, 0) != SQLITE_NULL) {
        *text = allocated(sqlite3_mprintf("%s", sqlite3_column_text(statement, 0)));
    } else if (statement != NULL && code != SQLITE_ROW && code != SQLITE_DONE) {
        file_failed(file);
    }
    sqlite3_finalize(statement); /* a failure was noted above */
    return code == SQLITE_ROW || code == SQLITE_DONE;
}

bool file_checkpoint(sqlite3 *file)
{
    static double next;
    bool restarts = log_pages >= RESTART_PAGES;
    if (log_pages < PASSIVE_PAGES || seconds_now() < next) {
        return true;
    }
    sqlite3_busy_timeout(file, restarts ? RESTART_MS : 0);
    int code = sqlite3_wal_checkpoint_v2(file, NULL, restarts ? SQLITE_CHECKPOINT_RESTART : SQLITE_CHECKPOINT_PASSIVE,
                                         NULL, NULL);
    sqlite3_busy_timeout(file, BUSY_MS);
    /*
     * Passive ones copy a part each, as readers advance. One that readers or another program
     * prevent is tried later.
     */
    next = seconds_now() + (code == SQLITE_BUSY ? 0.5 : restarts ? 0 : 0.05);
    return code == SQLITE_OK || code == SQLITE_BUSY || file_failed(file);
}

char *file_beside(const char *path, const char *suffix)
{
    return allocated(sqlite3_mprintf("%s%s", path, suffix));
}

static bool sync_path(const char *path, int flags)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | flags);
    bool is_synced = descriptor >= 0 && fsync(descriptor) == 0;
    int error = errno;
    if (descriptor >= 0) {
        close(descriptor);
    }
    return is_synced || failed(FAILURE_FILE, "%s can't be written to the disk: %s", path, strerror(error));
}

bool file_move(const char *from, const char *to)
{
    char *copy = file_beside(to, "");
    bool is_moved = sync_path(from, 0);
    if (is_moved && rename(from, to) != 0) {
        is_moved = failed(FAILURE_FILE, "%s can't be renamed to %s: %s", from, to, strerror(errno));
    }
    is_moved = is_moved && sync_path(dirname(copy), O_DIRECTORY);
    sqlite3_free(copy);
    return is_moved;
}
