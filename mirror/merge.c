/*
 * Merging. A row that is in both is updated only if it differs, and a row that is only in the file
 * is deleted, so a list delivers exactly what changed on the server meanwhile. A table with other
 * columns is made again; a list compares its rows by their keys then. An empty table is filled.
 */
#include "merge.h"

#include <string.h>
#include <unistd.h>

#include "file.h"
#include "message.h"
#include "rows.h"
#include "schema.h"
#include "state.h"

static bool is_empty(bool *is, sqlite3 *file, const struct table *table)
{
    char *found = NULL;
    bool is_read = file_text(&found, file, "SELECT 1 FROM main.\"%w\" LIMIT 1", table->name);
    *is = found == NULL;
    sqlite3_free(found);
    return is_read;
}

/* Whether the file's table is declared as the copied one. */
static bool is_declared(bool *is, sqlite3 *file, const struct table *table)
{
    char *found = NULL;
    bool is_read = file_text(&found, file,
                             "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = %Q AND sql = %Q",
                             table->name, table->sql);
    *is = found != NULL;
    sqlite3_free(found);
    return is_read;
}

/* Gives a copied table the indexes that the file's empty one has, so that it is filled fast. */
static bool index_copy(sqlite3 *side, sqlite3 *file, const struct table *table)
{
    char *sql = NULL;
    bool is_same, has_no_rows;
    if (!is_declared(&is_same, file, table) || (is_same && !is_empty(&has_no_rows, file, table))
        || (is_same && has_no_rows
            && !file_text(&sql, file,
                          "SELECT group_concat(sql, ';') FROM main.sqlite_schema WHERE type = 'index'"
                          " AND sql IS NOT NULL AND lower(tbl_name) = lower(%Q)",
                          table->name))) {
        return false;
    }
    int code = sql != NULL ? sqlite3_exec(side, sql, NULL, NULL, NULL) : SQLITE_OK;
    sqlite3_free(sql);
    /*
     * What can't be indexed here, for example since a unique index has two rows of a value, is
     * indexed as rows are inserted into the file, which fails for the same reason.
     */
    return code == SQLITE_OK || code == SQLITE_ERROR || code == SQLITE_CONSTRAINT || file_failed(side);
}

bool merge_index(sqlite3 *file, const char *path, const struct tables *tables)
{
    sqlite3 *side = file_open(path);
    /* A journal, so that an index that fails leaves nothing. */
    bool is_done = side != NULL && file_do(side, "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN");
    for (size_t i = 0; is_done && i < tables->count; i++) {
        is_done = index_copy(side, file, &tables->items[i]);
    }
    is_done = is_done && file_do(side, "COMMIT");
    sqlite3_close(side);
    return is_done;
}

bool merge_attach(sqlite3 *file, const char *path)
{
    return file_do(file, "ATTACH %Q AS side", path);
}

bool merge_detach(sqlite3 *file, const char *path)
{
    if (!file_do(file, "DETACH side")) {
        return false;
    }
    unlink(path); /* what remains is removed by the next copy */
    return true;
}

static bool make_again(sqlite3 *file, const struct table *table)
{
    struct extras extras = {NULL};
    char *columns = names_of_columns(table);
    bool is_made = extras_take(&extras, file, table->name)
                   && file_do(file, "DROP TABLE IF EXISTS main.\"%w\"", table->name) && file_do(file, "%s", table->sql)
                   && file_do(file, "INSERT INTO main.\"%w\" (%s) SELECT %s FROM side.\"%w\"", table->name, columns,
                              columns, table->name)
                   && extras_put(&extras, file);
    sqlite3_free(columns);
    return is_made;
}

/*
 * SQLite copies the records of a table, and of its indexes, as they are into an empty table that is
 * declared and indexed in the same words, if neither part of the statement names columns
 * (xferOptimization in SQLite's insert.c). A column that --schema computes is not among the columns
 * of an INSERT, but SELECT * has it.
 */
static bool fill(sqlite3 *file, const struct table *table)
{
    char *computed = NULL, *columns = names_of_columns(table);
    bool is_filled = file_text(&computed, file, "SELECT 1 FROM pragma_table_xinfo(%Q) WHERE hidden <> 0", table->name);
    if (is_filled && computed == NULL) {
        is_filled = file_do(file, "INSERT INTO main.\"%w\" SELECT * FROM side.\"%w\"", table->name, table->name);
    } else if (is_filled) {
        is_filled = file_do(file, "INSERT INTO main.\"%w\" (%s) SELECT %s FROM side.\"%w\"", table->name, columns,
                            columns, table->name);
    }
    sqlite3_free(computed);
    sqlite3_free(columns);
    return is_filled;
}

static bool change(sqlite3 *file, const struct table *table)
{
    sqlite3_str *same = sqlite3_str_new(NULL);
    for (int i = 0; i < table->key_count; i++) {
        const char *key = table->columns[table->keys[i]].name;
        sqlite3_str_appendf(same, "%so.\"%w\" = n.\"%w\"", i > 0 ? " AND " : "", key, key);
    }
    if (!file_do(file, "DELETE FROM main.\"%w\" AS o WHERE NOT EXISTS (SELECT 1 FROM side.\"%w\" n WHERE %z)",
                 table->name, table->name, (char *)allocated(sqlite3_str_finish(same)))) {
        return false;
    }
    int deleted = sqlite3_changes(file);
    char *columns = names_of_columns(table), *keys = names_of_keys(table);
    char *sets = assignments_of(table, "\"%w\" = excluded.\"%w\"", ", ");
    char *differs = assignments_of(table, "o.\"%w\" IS NOT excluded.\"%w\" COLLATE BINARY", " OR ");
    bool is_changed = file_do(
        file, "INSERT INTO main.\"%w\" AS o (%s) SELECT %s FROM side.\"%w\" WHERE true ON CONFLICT (%z) DO %s%s%s%s",
        table->name, columns, columns, table->name, keys, *sets != '\0' ? "UPDATE SET " : "NOTHING", sets,
        *sets != '\0' ? " WHERE " : "", differs);
    note("compared %s: %d rows deleted, %d inserted or updated", table->name, deleted, sqlite3_changes(file));
    sqlite3_free(columns);
    sqlite3_free(sets);
    sqlite3_free(differs);
    return is_changed;
}

bool merge_tables(sqlite3 *file, const struct tables *tables)
{
    for (size_t i = 0; i < tables->count; i++) {
        const struct table *table = &tables->items[i];
        bool is_same, has_no_rows = false;
        if (!is_declared(&is_same, file, table) || (is_same && !is_empty(&has_no_rows, file, table))) {
            return false;
        }
        bool is_merged = !is_same ? make_again(file, table) : has_no_rows ? fill(file, table) : change(file, table);
        if (!is_merged || !tables_note(file, table, true)) {
            return false;
        }
    }
    return true;
}
