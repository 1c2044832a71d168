/* Databases with items, and plain SQLite connections to them. */
#ifndef DATABASE_H
#define DATABASE_H

#include <sqlite3.h>
#include <stdint.h>

enum { SECTIONS = 1000 };

/* Makes the directory for all databases, which is removed when the program ends. */
void make_directory(void);

/* The directory, for list caches. */
const char *directory_for_lists(void);

/*
 * A file with `rows` items, never written, created when it is first needed. Valid until the process
 * ends.
 */
const char *items_file(int64_t rows);

/* A copy of that file. The path is valid until the next call for the same name. */
enum { PATH_LENGTH = 512 };
struct path {
    char text[PATH_LENGTH];
};
struct path copy_of_items(int64_t rows, const char *name);

/* A path for a database of this name and size; an existing file is removed. */
struct path new_database(const char *name, int64_t rows);

/*
 * A copy of a database that is not open. The path is valid until the next call for the same name
 * and size.
 */
struct path copy_of(const char *path, const char *name, int64_t rows);

/*
 * Writes a database and its write-ahead log to the disk, and removes them from the system's memory,
 * as far as the file system supports that.
 */
void drop_from_memory(const char *path);

/* Removes a database and its write-ahead log. */
void remove_database(struct path path);

/* The ids of the items of a section, at most `limit`. Returns their number. */
int64_t ids_of_section(int64_t rows, int64_t section, int64_t *ids, int64_t limit);

/* A copy whose ids are far apart. */
struct path scattered_copy(int64_t rows, const char *name);

/* A script that fills a private database in memory with the same items. */
struct path memory_script(int64_t rows);

/* The pragmas that both sides use. */
#define PRAGMAS "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON"

/* Plain SQLite. A failure ends the program. */
sqlite3 *open_database(const char *path);
void execute(sqlite3 *db, const char *sql);
sqlite3_stmt *prepare(sqlite3 *db, const char *sql);

/* Runs a statement to its end. */
void run(sqlite3_stmt *statement);

#endif
