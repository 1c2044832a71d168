/* Writing rows. Parameter i + 1 is column i; behind them are the columns of the old key. */
#include "rows.h"

#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "message.h"

enum { UPDATES = 8, MASK_WORDS = COLUMNS_MAX / 64 };

/* An UPDATE of only the columns that came: an unchanged TOASTed value is not sent. */
struct update {
    uint64_t columns[MASK_WORDS];
    bool changes_key;
    sqlite3_stmt *statement;
};

struct statements {
    sqlite3_stmt *upsert, *delete;
    struct update updates[UPDATES];
    int next; /* the place for the next update; the oldest one makes room */
};

char *names_of_columns(const struct table *table)
{
    sqlite3_str *text = sqlite3_str_new(NULL);
    for (int i = 0; i < table->column_count; i++) {
        sqlite3_str_appendf(text, "%s\"%w\"", i > 0 ? ", " : "", table->columns[i].name);
    }
    return allocated(sqlite3_str_finish(text));
}

char *names_of_keys(const struct table *table)
{
    sqlite3_str *text = sqlite3_str_new(NULL);
    for (int i = 0; i < table->key_count; i++) {
        sqlite3_str_appendf(text, "%s\"%w\"", i > 0 ? ", " : "", table->columns[table->keys[i]].name);
    }
    return allocated(sqlite3_str_finish(text));
}

char *parameters_of(const struct table *table)
{
    sqlite3_str *text = sqlite3_str_new(NULL);
    for (int i = 0; i < table->column_count; i++) {
        sqlite3_str_appendf(text, "%s?%d", i > 0 ? ", " : "", i + 1);
    }
    return allocated(sqlite3_str_finish(text));
}

char *assignments_of(const struct table *table, const char *format, const char *between)
{
    sqlite3_str *text = sqlite3_str_new(NULL);
    for (int i = 0; i < table->column_count; i++) {
        const struct column *column = &table->columns[i];
        if (!column->is_key || column->kind == KIND_CITEXT) { /* equal keys can differ in case */
            sqlite3_str_appendall(text, sqlite3_str_length(text) > 0 ? between : "");
            sqlite3_str_appendf(text, format, column->name, column->name);
        }
    }
    char *result = sqlite3_str_finish(text);
    return result != NULL ? result : allocated(sqlite3_mprintf("")); /* no memory, or an empty text */
}

char *upsert_sql(const struct table *table)
{
    char *columns = names_of_columns(table), *values = parameters_of(table), *keys = names_of_keys(table);
    char *sets = assignments_of(table, "\"%w\" = excluded.\"%w\"", ", ");
    char *sql = sqlite3_mprintf("INSERT INTO main.\"%w\" (%z) VALUES (%z) ON CONFLICT (%z) DO %s%s", table->name,
                                columns, values, keys, *sets != '\0' ? "UPDATE SET " : "NOTHING", sets);
    sqlite3_free(sets);
    return allocated(sql);
}

/* "key" = ?: by the parameters of the new row, or of the old key behind them. */
static char *condition_of(const struct table *table, int first)
{
    sqlite3_str *text = sqlite3_str_new(NULL);
    for (int i = 0; i < table->key_count; i++) {
        sqlite3_str_appendf(text, "%s\"%w\" = ?%d", i > 0 ? " AND " : "", table->columns[table->keys[i]].name,
                            first + table->keys[i] + 1);
    }
    return allocated(sqlite3_str_finish(text));
}

static struct statements *statements_of(struct table *table)
{
    if (table->statements == NULL) {
        table->statements = allocated(calloc(1, sizeof *table->statements));
    }
    return table->statements;
}

void statements_free(struct table *table)
{
    struct statements *statements = table->statements;
    if (statements == NULL) {
        return;
    }
    sqlite3_finalize(statements->upsert); /* failures of the last run were returned by file_step */
    sqlite3_finalize(statements->delete);
    for (int i = 0; i < UPDATES; i++) {
        sqlite3_finalize(statements->updates[i].statement);
    }
    free(statements);
    table->statements = NULL;
}

static sqlite3_stmt *update_statement(sqlite3 *file, struct table *table, const struct update *wanted)
{
    struct statements *statements = statements_of(table);
    for (int i = 0; i < UPDATES; i++) {
        struct update *update = &statements->updates[i];
        if (update->statement != NULL && update->changes_key == wanted->changes_key
            && memcmp(update->columns, wanted->columns, sizeof update->columns) == 0) {
            return update->statement;
        }
    }
    sqlite3_str *sets = sqlite3_str_new(NULL);
    for (int i = 0; i < table->column_count; i++) {
        if (wanted->columns[i / 64] >> i % 64 & 1) {
            sqlite3_str_appendf(sets, "%s\"%w\" = ?%d", sqlite3_str_length(sets) > 0 ? ", " : "",
                                table->columns[i].name, i + 1);
        }
    }
    char *condition = condition_of(table, wanted->changes_key ? table->column_count : 0);
    char *text = allocated(sqlite3_str_finish(sets)); /* the key's columns always came */
    struct update *update = &statements->updates[statements->next];
    statements->next = (statements->next + 1) % UPDATES;
    sqlite3_finalize(update->statement); /* its last run succeeded, or the program ends */
    *update = *wanted;
    update->statement = file_prepare(file, "UPDATE main.\"%w\" SET %z WHERE %z", table->name, text, condition);
    return update->statement;
}

/* Binds the columns that came, or of an old row its key. */
static bool bind_tuple(sqlite3_stmt *statement, const struct table *table, int first, bool is_key,
                       const struct tuple *tuple)
{
    for (int i = 0; i < table->column_count; i++) {
        const struct field *field = &tuple->fields[i];
        int code = SQLITE_OK, parameter = first + i + 1;
        if (is_key && !table->columns[i].is_key) {
            continue;
        }
        if (field->kind == FIELD_TEXT) {
            code = value_bind(statement, parameter, table->columns[i].kind, field->bytes, field->length);
        } else if (field->kind == FIELD_NULL) {
            code = sqlite3_bind_null(statement, parameter);
        }
        if (code != SQLITE_OK) {
            return file_failed(sqlite3_db_handle(statement));
        }
    }
    return true;
}

static bool has_columns_of(const struct table *table, const struct tuple *tuple)
{
    return tuple->count == table->column_count
           || failed(FAILURE_STREAM, "the stream has a row with %d columns for the %d of %s: report this", tuple->count,
                     table->column_count, table->name);
}

bool row_insert(sqlite3 *file, struct table *table, const struct tuple *row)
{
    struct statements *statements = statements_of(table);
    if (!has_columns_of(table, row)) {
        return false;
    }
    if (statements->upsert == NULL) {
        char *sql = upsert_sql(table);
        statements->upsert = file_prepare(file, "%z", sql);
    }
    return statements->upsert != NULL && bind_tuple(statements->upsert, table, 0, false, row)
           && file_step(statements->upsert);
}

bool row_update(sqlite3 *file, struct table *table, const struct tuple *old, const struct tuple *row, bool *is_found)
{
    struct update update = {{0}, old != NULL, NULL};
    bool is_whole = true;
    if (!has_columns_of(table, row) || (old != NULL && !has_columns_of(table, old))) {
        return false;
    }
    for (int i = 0; i < row->count; i++) {
        bool has_come = row->fields[i].kind != FIELD_UNCHANGED;
        update.columns[i / 64] |= (uint64_t)has_come << i % 64;
        is_whole &= has_come;
    }
    sqlite3_stmt *statement = update_statement(file, table, &update);
    if (statement == NULL || !bind_tuple(statement, table, 0, false, row)
        || (old != NULL && !bind_tuple(statement, table, table->column_count, true, old)) || !file_step(statement)) {
        return false;
    }
    *is_found = sqlite3_changes(file) > 0;
    if (!*is_found && is_whole) {
        *is_found = true;
        return row_insert(file, table, row);
    }
    return true;
}

bool row_delete(sqlite3 *file, struct table *table, const struct tuple *old)
{
    struct statements *statements = statements_of(table);
    if (!has_columns_of(table, old)) {
        return false;
    }
    if (statements->delete == NULL) {
        char *condition = condition_of(table, 0);
        statements->delete = file_prepare(file, "DELETE FROM main.\"%w\" WHERE %z", table->name, condition);
    }
    return statements->delete != NULL && bind_tuple(statements->delete, table, 0, true, old)
           && file_step(statements->delete);
}
