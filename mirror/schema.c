/* Declarations of tables. */
#include "schema.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "message.h"
#include "rows.h"

static char *statements; /* of --schema */
static sqlite3 *scratch; /* where they were executed once */

static char *contents_of(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = fopen(path, "re");
    if (stream == NULL || (getdelim(&text, &size, '\0', stream) < 0 && ferror(stream))) {
        failed(FAILURE_USAGE, "%s can't be read: %s", path, strerror(errno));
        free(text);
        text = NULL;
    } else if (text == NULL) {
        text = allocated(strdup(""));
    }
    if (stream != NULL) {
        fclose(stream);
    }
    return text;
}

bool schema_load(const char *path)
{
    statements = contents_of(path);
    scratch = statements != NULL ? file_open(":memory:") : NULL;
    if (scratch == NULL) {
        return false;
    }
    return sqlite3_exec(scratch, statements, NULL, NULL, NULL) == SQLITE_OK
           || failed(FAILURE_USAGE, "%s can't be executed: %s: correct it", path, sqlite3_errmsg(scratch));
}

bool schema_create(sqlite3 *file, const struct tables *tables)
{
    bool is_done = statements == NULL || file_do(file, "%s", statements);
    for (size_t i = 0; is_done && i < tables->count; i++) {
        const struct table *table = &tables->items[i];
        char *exists = NULL;
        is_done = file_text(&exists, file, "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = %Q",
                            table->name)
                  && (exists != NULL || file_do(file, "%s", table->sql));
        sqlite3_free(exists);
    }
    return is_done;
}

/* A key of one integer is SQLite's rowid. */
static bool is_rowid(const struct table *table)
{
    return table->key_count == 1 && table->columns[table->keys[0]].kind == KIND_INTEGER;
}

static char *declaration_of(const struct table *table, const struct tables *all)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);
    sqlite3_str_appendf(sql, "CREATE TABLE \"%w\" (", table->name);
    for (int i = 0; i < table->column_count; i++) {
        const struct column *column = &table->columns[i];
        sqlite3_str_appendf(sql, "%s\"%w\" %s%s", i > 0 ? ", " : "", column->name, kind_declaration(column->kind),
                            !column->is_key   ? ""
                            : is_rowid(table) ? " PRIMARY KEY"
                                              : " NOT NULL");
    }
    if (!is_rowid(table)) {
        char *keys = names_of_keys(table);
        sqlite3_str_appendf(sql, ", PRIMARY KEY (%z)", keys);
    }
    for (int i = 0; i < table->foreign_key_count; i++) {
        const struct foreign_key *key = &table->foreign_keys[i];
        for (size_t k = 0; k < all->count; k++) {
            if (all->items[k].oid == key->references) {
                sqlite3_str_appendf(sql, ", FOREIGN KEY (%s) REFERENCES \"%w\" (%s)", key->columns, all->items[k].name,
                                    key->targets);
            }
        }
    }
    sqlite3_str_appendall(sql, ")");
    return allocated(sqlite3_str_finish(sql));
}

/* The declaration of --schema, if it has one; the columns and the key must be in it. */
static bool declare_by_schema(struct table *table)
{
    if (!file_text(&table->sql, scratch, "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = %Q",
                   table->name)) {
        return false;
    }
    if (table->sql == NULL) {
        return true;
    }
    char *upsert = upsert_sql(table), *keys = names_of_keys(table);
    sqlite3_stmt *statement;
    bool fits = sqlite3_prepare_v2(scratch, upsert, -1, &statement, NULL) == SQLITE_OK
                || failed(
                    FAILURE_TABLE,
                    "the table %s of --schema does not fit: %s: it needs all columns of the server, and the key (%s)",
                    table->name, sqlite3_errmsg(scratch), keys);
    sqlite3_finalize(statement); /* it never ran */
    sqlite3_free(upsert);
    sqlite3_free(keys);
    return fits;
}

bool schema_declare(struct tables *tables, const struct tables *all)
{
    for (size_t i = 0; i < tables->count; i++) {
        struct table *table = &tables->items[i];
        if (scratch != NULL && !declare_by_schema(table)) {
            return false;
        }
        if (table->sql == NULL) {
            table->sql = declaration_of(table, all);
        }
    }
    return true;
}

bool extras_take(struct extras *extras, sqlite3 *file, const char *table)
{
    char *drops = NULL;
    char *from = allocated(
        sqlite3_mprintf("FROM main.sqlite_schema WHERE sql IS NOT NULL AND type IN ('index', 'trigger')"
                        " AND lower(tbl_name) = lower(%Q)",
                        table));
    bool is_taken = file_text(&extras->sql, file, "SELECT group_concat(sql, char(0x1e)) %s", from)
                    && file_text(&drops, file,
                                 "SELECT group_concat('DROP ' || type || ' main.' || quote(name), ';') %s", from)
                    && (drops == NULL || file_do(file, "%s", drops));
    sqlite3_free(from);
    sqlite3_free(drops);
    return is_taken;
}

bool extras_put(struct extras *extras, sqlite3 *file)
{
    char *rest = NULL, *sql = extras->sql != NULL ? strtok_r(extras->sql, "\x1e", &rest) : NULL;
    for (; sql != NULL; sql = strtok_r(NULL, "\x1e", &rest)) {
        int code = sqlite3_exec(file, sql, NULL, NULL, NULL);
        if (code == SQLITE_ERROR) { /* it needs a column that is gone */
            message("an index or trigger is not made again: %s: %s", sqlite3_errmsg(file), sql);
        } else if (code != SQLITE_OK) {
            return file_failed(file);
        }
    }
    sqlite3_free(extras->sql);
    extras->sql = NULL;
    return true;
}
