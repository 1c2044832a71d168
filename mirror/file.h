/* The SQLite file: statements, and what to do when one fails. */
#ifndef FILE_H
#define FILE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "catalog.h"

/* Opens or creates a file. NULL after a failure. */
sqlite3 *file_open(const char *path);

/* Opens the file in WAL mode, for following. */
sqlite3 *file_open_log(const char *path);

/* Fails with what the database says. */
bool file_failed(sqlite3 *file);

/* Executes statements. The format is sqlite3_mprintf's. */
bool file_do(sqlite3 *file, const char *format, ...);

/* Prepares a statement that is used often. NULL after a failure. */
sqlite3_stmt *file_prepare(sqlite3 *file, const char *format, ...);

/* Runs a statement to its end, or to its first row. */
bool file_step(sqlite3_stmt *statement);

/*
 * The first value of a query as text, or NULL if there is none, which `*text` owns (sqlite3_free).
 * False after a failure.
 */
bool file_text(char **text, sqlite3 *file, const char *format, ...);

/* Copies the log into the database when it is long. Call it after a commit. */
bool file_checkpoint(sqlite3 *file);

/* A name beside the file's: FILE.copying. The caller frees it with sqlite3_free. */
char *file_beside(const char *path, const char *suffix);

/* Has what was written on the disk, and moves it to its name. */
bool file_move(const char *from, const char *to);

#endif
