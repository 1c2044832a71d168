/*
 * A file that only the store's own connection can read: a VFS changes all bytes of the pages,
 * unless it has no key.
 */
#include <poll.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "watched.h"

/* SQLite's own VFS has its file behind this one. */
struct scrambled_file {
    sqlite3_file base;
    sqlite3_file *real;
    bool has_key;
    bool is_log;
};

static sqlite3_file *real_of(sqlite3_file *file)
{
    return ((struct scrambled_file *)file)->real;
}

/* The log has the pages as the file has them, but not its headers: these are shorter than pages. */
static bool is_scrambled(sqlite3_file *file, int count)
{
    const struct scrambled_file *self = (const struct scrambled_file *)file;
    return self->has_key && (!self->is_log || count >= 512);
}

static void scramble(unsigned char *bytes, int count)
{
    int i;
    for (i = 0; i < count; i++) bytes[i] ^= 0x5a;
}

static int close_file(sqlite3_file *file)
{
    return real_of(file)->pMethods->xClose(real_of(file));
}

static int read_file(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset)
{
    int code = real_of(file)->pMethods->xRead(real_of(file), bytes, count, offset);
    if (code == SQLITE_OK && is_scrambled(file, count)) scramble(bytes, count);
    return code;
}

static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset)
{
    unsigned char *copy;
    int code;
    if (!is_scrambled(file, count)) return real_of(file)->pMethods->xWrite(real_of(file), bytes, count, offset);
    copy = sqlite3_malloc(count);
    if (copy == NULL) return SQLITE_NOMEM;
    memcpy(copy, bytes, (size_t)count);
    scramble(copy, count);
    code = real_of(file)->pMethods->xWrite(real_of(file), copy, count, offset);
    sqlite3_free(copy);
    return code;
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size)
{
    return real_of(file)->pMethods->xTruncate(real_of(file), size);
}

static int sync_file(sqlite3_file *file, int flags)
{
    return real_of(file)->pMethods->xSync(real_of(file), flags);
}

static int size_of_file(sqlite3_file *file, sqlite3_int64 *size)
{
    return real_of(file)->pMethods->xFileSize(real_of(file), size);
}

static int lock_file(sqlite3_file *file, int level)
{
    return real_of(file)->pMethods->xLock(real_of(file), level);
}

static int unlock_file(sqlite3_file *file, int level)
{
    return real_of(file)->pMethods->xUnlock(real_of(file), level);
}

static int check_lock(sqlite3_file *file, int *result)
{
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), result);
}

static int control_file(sqlite3_file *file, int operation, void *argument)
{
    return real_of(file)->pMethods->xFileControl(real_of(file), operation, argument);
}

static int sector_size(sqlite3_file *file)
{
    return real_of(file)->pMethods->xSectorSize(real_of(file));
}

static int characteristics(sqlite3_file *file)
{
    return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

static int map_memory(sqlite3_file *file, int region, int size, int extends, void volatile **memory)
{
    return real_of(file)->pMethods->xShmMap(real_of(file), region, size, extends, memory);
}

static int lock_memory(sqlite3_file *file, int offset, int count, int flags)
{
    return real_of(file)->pMethods->xShmLock(real_of(file), offset, count, flags);
}

static void memory_barrier(sqlite3_file *file)
{
    real_of(file)->pMethods->xShmBarrier(real_of(file));
}

static int unmap_memory(sqlite3_file *file, int deletes)
{
    return real_of(file)->pMethods->xShmUnmap(real_of(file), deletes);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = size_of_file,
    .xLock = lock_file,
    .xUnlock = unlock_file,
    .xCheckReservedLock = check_lock,
    .xFileControl = control_file,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics,
    .xShmMap = map_memory,
    .xShmLock = lock_memory,
    .xShmBarrier = memory_barrier,
    .xShmUnmap = unmap_memory,
};

static sqlite3_vfs *real_vfs;

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
    struct scrambled_file *self = (struct scrambled_file *)file;
    int code;
    memset(self, 0, sizeof *self);
    self->is_log = (flags & SQLITE_OPEN_WAL) != 0;
    self->has_key = (flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL)) != 0
                    && sqlite3_uri_parameter(name, "key") != NULL;
    self->real = (sqlite3_file *)(self + 1);
    code = real_vfs->xOpen(real_vfs, name, self->real, flags, out);
    if (self->real->pMethods != NULL) self->base.pMethods = &methods;
    (void)vfs;
    return code;
}

/* The VFS becomes the default one, as if SQLite itself was built with encryption. */
static void begin_encryption(sqlite3_vfs *vfs)
{
    real_vfs = sqlite3_vfs_find(NULL);
    *vfs = *real_vfs;
    vfs->zName = "scrambling";
    vfs->szOsFile = (int)sizeof(struct scrambled_file) + real_vfs->szOsFile;
    vfs->xOpen = open_file;
    CHECK_INT(sqlite3_vfs_register(vfs, 1), SQLITE_OK);
}

static void end_encryption(sqlite3_vfs *vfs)
{
    CHECK_INT(sqlite3_vfs_unregister(vfs), SQLITE_OK);
    CHECK_INT(sqlite3_vfs_register(real_vfs, 1), SQLITE_OK);
}

static sqlite3 *open_with_key(const char *name)
{
    sqlite3 *connection = NULL;
    char uri[4300];
    snprintf(uri, sizeof uri, "file:%s?key=1", file_path(name));
    CHECK_INT(sqlite3_open_v2(uri, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI, NULL),
              SQLITE_OK);
    return connection;
}

static void execute(sqlite3 *connection, const char *script)
{
    CHECK_INT(sqlite3_exec(connection, script, NULL, NULL, NULL), SQLITE_OK);
}

static bool is_readable(fr_store *store, int milliseconds)
{
    struct pollfd request = {-1, POLLIN, 0};
    CHECK_OK(fr_store_file_descriptor(&request.fd, store));
    return poll(&request, 1, milliseconds) == 1;
}

/*
 * A list of 3 rows, which another connection with the key changes. Each commit wakes the store. It
 * can't read the log, so it reads the list.
 */
static void check_commits(const char *name, const char *mode, const char *changed_mode, int unknown)
{
    fr_wake_up_source source = FR_WAKE_UP_NONE;
    fr_foreign_counters counters = {.struct_size = sizeof counters};
    sqlite3_vfs vfs;
    sqlite3 *own, *other, *without_key = NULL;
    fr_store *store = NULL;
    struct watched w;
    begin_encryption(&vfs);
    own = open_with_key(name);
    execute(own, mode);
    execute(own, "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')");
    CHECK_INT(sqlite3_open(file_path(name), &without_key), SQLITE_OK);
    CHECK_INT(sqlite3_exec(without_key, "SELECT * FROM t", NULL, NULL, NULL), SQLITE_NOTADB);
    CHECK_INT(sqlite3_close(without_key), SQLITE_OK);
    REQUIRE(CHECK_OK(fr_store_adopt(&store, own, NULL)));
    watch_list(&w, store, list_of(store, "t", NULL, "v", NULL));
    CHECK_OK(fr_store_wake_up_source(&source, store));
    CHECK_INT(source, FR_WAKE_UP_NOTICES);
    CHECK(!is_readable(store, 0));
    other = open_with_key(name);
    execute(other, "UPDATE t SET v = 'd' WHERE id = 2");
    CHECK(is_readable(store, 10000));
    CHECK_OK(fr_store_dispatch(store));
    CHECK_LIST(w.list, "1 3 2");
    CHECK(!is_readable(store, 50));
    /* Own commits do not wake the program. */
    run(store, "UPDATE t SET v = 'e' WHERE id = 1");
    run(store, "BEGIN; UPDATE t SET v = 'f' WHERE id = 1; COMMIT");
    CHECK_OK(fr_store_dispatch(store));
    CHECK(!is_readable(store, 50));
    CHECK_LIST(w.list, "3 2 1");
    execute(other, "BEGIN; DELETE FROM t WHERE id = 3; INSERT INTO t VALUES (4, 'a'); COMMIT");
    CHECK_OK(fr_store_wait(store, 10000));
    CHECK_LIST(w.list, "4 2 1");
    CHECK_OK(fr_store_foreign_counters(&counters, store));
    CHECK_INT(counters.followed, 0);
    CHECK_INT(counters.unknown[FR_UNKNOWN_PAGES], unknown);
    if (changed_mode != NULL) {
        execute(other, changed_mode);
        CHECK_OK(fr_store_dispatch(store));
        execute(other, "DELETE FROM t WHERE id = 2");
        CHECK_OK(fr_store_wait(store, 10000));
        CHECK_LIST(w.list, "4 1");
        execute(other, "DELETE FROM t WHERE id = 1");
        CHECK_OK(fr_store_wait(store, 10000));
        CHECK_LIST(w.list, "4");
    }
    unwatch(&w);
    CHECK_INT(sqlite3_close(other), SQLITE_OK);
    CHECK_INT(sqlite3_close(own), SQLITE_OK);
    end_encryption(&vfs);
}

static void commits_of_others_wake_the_store(void)
{
    check_commits("encrypted-log.db", "PRAGMA journal_mode = WAL", NULL, 2);
}

static void they_do_in_a_rollback_mode(void)
{
    check_commits("encrypted-rollback.db", "PRAGMA journal_mode = DELETE", "PRAGMA journal_mode = WAL", 0);
}

TESTS(encrypted_file_tests) = {
    TEST(commits_of_others_wake_the_store),
    TEST(they_do_in_a_rollback_mode),
    END_OF_TESTS,
};
