#include "database.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "progress.h"

static struct path directory;

static void remove_directory(void)
{
    DIR *entries = opendir(directory.text);
    if (entries == NULL) return;
    struct dirent *entry;
    while ((entry = readdir(entries)) != NULL) unlinkat(dirfd(entries), entry->d_name, 0);
    closedir(entries);
    rmdir(directory.text);
}

void make_directory(void)
{
    const char *parent = getenv("TMPDIR");
    snprintf(directory.text, sizeof directory.text - 64, "%s/fetchedresults-bench-XXXXXX",
             parent == NULL ? "/tmp" : parent);
    if (mkdtemp(directory.text) == NULL) fail("can't make a directory in %s", parent == NULL ? "/tmp" : parent);
    atexit(remove_directory);
}

const char *directory_for_lists(void)
{
    return directory.text;
}

static struct path file_named(const char *name, int64_t rows)
{
    struct path path;
    int length = snprintf(path.text, sizeof path.text, "%s/%s-%lld.db", directory.text, name, (long long)rows);
    if (length >= PATH_LENGTH) fail("the name of the directory is too long");
    return path;
}

static void check(int code, int expected, sqlite3 *db)
{
    if (code != expected) fail("SQLite: %s", sqlite3_errmsg(db));
}

sqlite3 *open_database(const char *path)
{
    sqlite3 *db;
    // One thread uses it, as for a store's connection.
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    check(sqlite3_open_v2(path, &db, flags, NULL), SQLITE_OK, db);
    execute(db, PRAGMAS);
    return db;
}

void execute(sqlite3 *db, const char *sql)
{
    check(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK, db);
}

sqlite3_stmt *prepare(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *statement;
    check(sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL), SQLITE_OK, db);
    return statement;
}

void run(sqlite3_stmt *statement)
{
    if (sqlite3_step(statement) != SQLITE_DONE) {
        fail("SQLite: %s: %s", sqlite3_errmsg(sqlite3_db_handle(statement)), sqlite3_sql(statement));
    }
    sqlite3_reset(statement);
}

#define SCHEMA "CREATE TABLE items(id INTEGER PRIMARY KEY, section_id INTEGER, name TEXT, rank REAL, done INTEGER);"
#define INDEX "CREATE INDEX items_by_section ON items(section_id, name);"

static void fill(sqlite3 *db, int64_t rows)
{
    sqlite3_stmt *insert = prepare(db, "INSERT INTO items VALUES (?, ?, ?, ?, ?)");
    execute(db, "BEGIN");
    for (int64_t id = 1; id <= rows; id++) {
        char name[NAME_LENGTH + 1];
        random_name(name);
        sqlite3_bind_int64(insert, 1, id);
        sqlite3_bind_int64(insert, 2, (int64_t)(next_random() % SECTIONS));
        sqlite3_bind_text(insert, 3, name, NAME_LENGTH, SQLITE_STATIC);
        sqlite3_bind_double(insert, 4, (double)(next_random() >> 11) * 0x1p-53);
        sqlite3_bind_int64(insert, 5, (int64_t)(next_random() & 1));
        run(insert);
    }
    execute(db, INDEX "COMMIT; ANALYZE");
    sqlite3_finalize(insert);
}

const char *items_file(int64_t rows)
{
    static struct {
        int64_t rows;
        struct path path;
    } made[8];
    int index = 0;
    while (made[index].rows != 0 && made[index].rows != rows) index++;
    if (made[index].rows == 0) {
        begin_making(rows, data_name);
        made[index].rows = rows;
        made[index].path = file_named("items", rows);
        sqlite3 *db = open_database(made[index].path.text);
        execute(db, "PRAGMA journal_mode = WAL; " SCHEMA);
        fill(db, rows);
        sqlite3_close(db);
    }
    return made[index].path.text;
}

static void copy_bytes(FILE *from, FILE *to)
{
    static char buffer[1 << 20];
    size_t count;
    while ((count = fread(buffer, 1, sizeof buffer, from)) > 0) {
        if (fwrite(buffer, 1, count, to) != count) fail("can't copy a database");
    }
}

void remove_database(struct path path)
{
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    for (int index = 0; index < 3; index++) {
        char name[PATH_LENGTH + 8];
        snprintf(name, sizeof name, "%s%s", path.text, suffixes[index]);
        unlink(name);
    }
}

static bool drop_file(const char *name)
{
    int file = open(name, O_RDWR);
    if (file < 0) return errno == ENOENT;
    return fdatasync(file) == 0 && posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0;
}

void drop_from_memory(const char *path)
{
    char log[PATH_LENGTH + 8];
    snprintf(log, sizeof log, "%s-wal", path);
    // In a process of its own: closing a file releases all locks that a process has in it.
    pid_t child = fork();
    if (child < 0) fail("can't start a process");
    if (child == 0) _exit(drop_file(path) && drop_file(log) ? 0 : 1);
    int status;
    if (waitpid(child, &status, 0) != child || status != 0) fail("can't drop a file from memory");
}

struct path new_database(const char *name, int64_t rows)
{
    struct path path = file_named(name, rows);
    remove_database(path);
    return path;
}

struct path copy_of(const char *original, const char *name, int64_t rows)
{
    struct path path = new_database(name, rows);
    FILE *from = fopen(original, "rb");
    FILE *to = fopen(path.text, "wb");
    if (from == NULL || to == NULL) fail("can't copy a database");
    copy_bytes(from, to);
    fclose(from);
    if (fclose(to) != 0) fail("can't copy a database");
    return path;
}

struct path copy_of_items(int64_t rows, const char *name)
{
    return copy_of(items_file(rows), name, rows);
}

struct path scattered_copy(int64_t rows, const char *name)
{
    struct path path = copy_of_items(rows, name);
    sqlite3 *db = open_database(path.text);
    execute(db, "UPDATE items SET id = -1000 * id");
    sqlite3_close(db);
    return path;
}

int64_t ids_of_section(int64_t rows, int64_t section, int64_t *ids, int64_t limit)
{
    sqlite3 *db = open_database(items_file(rows));
    sqlite3_stmt *statement = prepare(db, "SELECT id FROM items WHERE section_id = ?");
    sqlite3_bind_int64(statement, 1, section);
    int64_t count = 0;
    while (count < limit && sqlite3_step(statement) == SQLITE_ROW) ids[count++] = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return count;
}

struct path memory_script(int64_t rows)
{
    struct path script;
    int length = snprintf(script.text, sizeof script.text,
                          SCHEMA "ATTACH '%s' AS source; INSERT INTO items SELECT * FROM source.items;"
                                 "DETACH source;" INDEX "ANALYZE",
                          items_file(rows));
    if (length >= PATH_LENGTH) fail("the name of the directory is too long");
    return script;
}
