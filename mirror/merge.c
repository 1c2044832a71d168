/*
 * Merging. A row that is in both is updated only if it differs, and a row that is only in the file
 * is deleted, so a list delivers exactly what changed on the server meanwhile. A table with other
 * columns is made again; a list compares its rows by their keys then.
 */
#include "merge.h"

#include <string.h>
#include <unistd.h>

#include "file.h"
#include "message.h"
#include "rows.h"
#include "schema.h"
#include "state.h"

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
        char *is_same = NULL;
        if (!file_text(&is_same, file,
                       "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = %Q AND sql = %Q", table->name,
                       table->sql)) {
            return false;
        }
        sqlite3_free(is_same);
        if (!(is_same != NULL ? change(file, table) : make_again(file, table)) || !tables_note(file, table, true)) {
            return false;
        }
    }
    return true;
}
