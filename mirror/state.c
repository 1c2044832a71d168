/*
 * The mirror's own tables. The position has a table of its own, so that a list of the state does
 * not move with it.
 */
#include "state.h"

#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "message.h"
#include "server.h"

static const char *const names[] = {"connecting", "copying", "comparing", "following", "behind", "waiting", "stopped"};

bool state_create(sqlite3 *file)
{
    return file_do(file,
                   "CREATE TABLE frmirror (id INTEGER PRIMARY KEY CHECK (id = 1), state TEXT NOT NULL, table_name TEXT,"
                   " done INTEGER, total INTEGER, why TEXT, since TEXT NOT NULL);"
                   "CREATE TABLE frmirror_position (id INTEGER PRIMARY KEY CHECK (id = 1), lsn INTEGER NOT NULL,"
                   " slot TEXT NOT NULL, system TEXT NOT NULL, database TEXT NOT NULL);"
                   "CREATE TABLE frmirror_tables (name TEXT PRIMARY KEY NOT NULL, source TEXT NOT NULL)");
}

/* A number as SQL has it; the caller's buffer holds it. */
static const char *number_or_null(char *buffer, int64_t number)
{
    sqlite3_snprintf(24, buffer, number < 0 ? "NULL" : "%lld", (long long)number);
    return buffer;
}

bool state_set(sqlite3 *file, enum state state, const char *table, int64_t done, int64_t total, const char *why)
{
    char first[24], second[24];
    if (file == NULL) { /* it is made when the tables are checked */
        return true;
    }
    return file_do(file,
                   "INSERT INTO frmirror VALUES (1, %Q, %Q, %s, %s, %Q, strftime('%%Y-%%m-%%d %%H:%%M:%%f', 'now'))"
                   " ON CONFLICT (id) DO UPDATE SET table_name = excluded.table_name, done = excluded.done,"
                   " total = excluded.total, why = excluded.why,"
                   " since = CASE state WHEN excluded.state THEN since ELSE excluded.since END, state = excluded.state"
                   " WHERE (state, table_name, done, total, why) IS NOT (excluded.state, excluded.table_name,"
                   " excluded.done, excluded.total, excluded.why)",
                   names[state], table, number_or_null(first, done), number_or_null(second, total), why);
}

void position_free(struct position *position)
{
    sqlite3_free(position->slot);
    sqlite3_free(position->system);
    sqlite3_free(position->database);
    memset(position, 0, sizeof *position);
}

bool position_read(struct position *position, sqlite3 *file, const char *path)
{
    char *is_mirror = NULL, *lsn = NULL;
    position_free(position);
    if (!file_text(&is_mirror, file, "SELECT 1 FROM sqlite_schema WHERE name = 'frmirror_position'")) {
        return false;
    }
    sqlite3_free(is_mirror);
    if (is_mirror == NULL) {
        return failed(FAILURE_FILE, "%s is no file of frmirror: choose another one, or remove it", path);
    }
    bool is_read = file_text(&lsn, file, "SELECT lsn FROM frmirror_position")
                   && file_text(&position->slot, file, "SELECT slot FROM frmirror_position")
                   && file_text(&position->system, file, "SELECT system FROM frmirror_position")
                   && file_text(&position->database, file, "SELECT database FROM frmirror_position");
    position->lsn = lsn != NULL ? (uint64_t)strtoll(lsn, NULL, 10) : 0;
    sqlite3_free(lsn);
    return is_read;
}

bool position_write(sqlite3 *file, const struct position *position)
{
    return file_do(file,
                   "INSERT INTO frmirror_position VALUES (1, %lld, %Q, %Q, %Q) ON CONFLICT (id) DO UPDATE SET"
                   " lsn = excluded.lsn, slot = excluded.slot, system = excluded.system, database = excluded.database",
                   (long long)position->lsn, position->slot, position->system, position->database);
}

bool tables_note(sqlite3 *file, const struct table *table, bool is_complete)
{
    return is_complete
               ? file_do(file, "INSERT OR REPLACE INTO frmirror_tables VALUES (%Q, %Q)", table->name, table->source)
               : file_do(file, "DELETE FROM frmirror_tables WHERE name = %Q", table->name);
}

bool tables_are_noted(bool *are, sqlite3 *file, const struct table *table)
{
    char *found = NULL;
    bool is_read = file_text(&found, file,
                             "SELECT 1 FROM frmirror_tables JOIN sqlite_schema s USING (name)"
                             " WHERE name = %Q AND source = %Q AND s.type = 'table' AND s.sql = %Q",
                             table->name, table->source, table->sql);
    *are = found != NULL;
    sqlite3_free(found);
    return is_read;
}

bool tables_keep_only(sqlite3 *file, const struct tables *tables)
{
    sqlite3_str *list = sqlite3_str_new(NULL);
    for (size_t i = 0; i < tables->count; i++) {
        sqlite3_str_appendf(list, "%s%Q", i > 0 ? ", " : "", tables->items[i].name);
    }
    return file_do(file, "DELETE FROM frmirror_tables WHERE name NOT IN (%z)",
                   (char *)allocated(sqlite3_str_finish(list)));
}
