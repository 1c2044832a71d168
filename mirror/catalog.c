/* Reading the server's catalog. */
#include "catalog.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "message.h"
#include "schema.h"
#include "server.h"

static char *copied(const char *text)
{
    return allocated(sqlite3_mprintf("%s", text));
}

static bool is_true(const PGresult *result, int row, int column)
{
    return PQgetvalue(result, row, column)[0] == 't';
}

static unsigned number(const char *text)
{
    return (unsigned)strtoul(text, NULL, 10);
}

/* --real names a column alone, or with its table. */
static bool is_real(const struct options *options, const struct table *table, const char *column)
{
    for (size_t i = 0; i < options->real_count; i++) {
        const char *name = options->reals[i];
        size_t length = strlen(table->name);
        bool has_table = strncmp(name, table->name, length) == 0 && name[length] == '.';
        if (strcmp(name, column) == 0 || (has_table && strcmp(name + length + 1, column) == 0)) {
            return true;
        }
    }
    return false;
}

/* A table that is there now, but not in the snapshot, was created meanwhile. */
static bool no_table(const struct table *table, PGconn *connection)
{
    PGresult *result = server_ask(connection, "SELECT to_regclass(%Q) IS NULL", table->asked);
    bool is_missing = result != NULL && is_true(result, 0, 0), is_new = result != NULL && !is_missing;
    PQclear(result);
    if (is_missing) {
        failed(FAILURE_TABLE, "there is no table %s: check its name and the role's search_path", table->asked);
    } else if (is_new) {
        failed(FAILURE_CONNECTION, "%s is created while it is read", table->asked);
    }
    return false;
}

static bool read_table(struct table *table, PGconn *connection, const struct options *options)
{
    bool has_filters = PQserverVersion(connection) >= 150000;
    PGresult *result = server_ask(
        connection,
        "SELECT c.oid, c.relname, n.nspname, quote_ident(n.nspname) || '.' || quote_ident(c.relname), c.relkind,"
        " greatest(c.reltuples, 0)::bigint, c.relreplident, c.relpersistence, %s,"
        " c.relkind <> 'r' OR c.relfilenode = pg_relation_filenode(c.oid)"
        " FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_publication_tables p"
        " ON p.pubname = %Q AND p.schemaname = n.nspname AND p.tablename = c.relname WHERE c.oid = to_regclass(%Q)",
        has_filters ? "p.rowfilter" : "NULL", options->publication, table->asked);
    if (result == NULL) {
        return false;
    }
    if (PQntuples(result) == 0) {
        PQclear(result);
        return no_table(table, connection);
    }
    /*
     * Functions see the table as it is now, and a scan sees the snapshot's: TRUNCATE and ALTER
     * TABLE empty that.
     */
    if (!is_true(result, 0, 9)) {
        PQclear(result);
        return failed(FAILURE_CONNECTION, "%s is changed while it is read", table->asked);
    }
    char kind = PQgetvalue(result, 0, 4)[0], identity = PQgetvalue(result, 0, 6)[0];
    bool is_permanent = PQgetvalue(result, 0, 7)[0] == 'p';
    table->oid = number(PQgetvalue(result, 0, 0));
    table->name = copied(PQgetvalue(result, 0, 1));
    table->schema = copied(PQgetvalue(result, 0, 2));
    table->source = copied(PQgetvalue(result, 0, 3));
    table->has_descendants = kind == 'p';
    table->estimate = strtoll(PQgetvalue(result, 0, 5), NULL, 10);
    table->filter = PQgetisnull(result, 0, 8) ? NULL : copied(PQgetvalue(result, 0, 8));
    PQclear(result);
    if (kind != 'r' && kind != 'p') {
        return failed(FAILURE_TABLE, "%s is no table: name the tables that it reads, since only their rows are sent",
                      table->asked);
    }
    if (!is_permanent) {
        return failed(FAILURE_TABLE, "%s is temporary or unlogged: its rows are not sent; SET LOGGED changes that",
                      table->asked);
    }
    if (identity == 'n') {
        return failed(FAILURE_TABLE, "%s has REPLICA IDENTITY NOTHING: ALTER TABLE %s REPLICA IDENTITY DEFAULT",
                      table->asked, table->source);
    }
    if (sqlite3_strnicmp(table->name, "sqlite_", 7) == 0 || sqlite3_strnicmp(table->name, "frmirror", 8) == 0) {
        return failed(FAILURE_TABLE, "%s has a name that the file reserves: rename it", table->asked);
    }
    return true;
}

/* Columns, with the base types of domains. Generated ones are not sent. */
static bool read_columns(struct table *table, PGconn *connection, const struct options *options)
{
    int version = PQserverVersion(connection);
    /* A list of columns of the publication; where the table is not published yet, there is none. */
    char *is_listed = allocated(version < 150000 ? sqlite3_mprintf("true")
                                                 : sqlite3_mprintf("coalesce((SELECT a.attname = ANY (attnames)"
                                                                   " FROM pg_publication_tables WHERE pubname = %Q"
                                                                   " AND schemaname = %Q AND tablename = %Q), true)",
                                                                   options->publication, table->schema, table->name));
    PGresult *result = server_ask(
        connection,
        "WITH RECURSIVE part AS ("
        " SELECT c.relreplident, a.attnum, a.attname, a.atttypid, a.atttypmod, a.atttypid base, a.atttypmod mod"
        " FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid"
        " WHERE c.oid = %u AND a.attnum > 0 AND NOT a.attisdropped AND %s AND %z UNION ALL"
        " SELECT relreplident, attnum, attname, atttypid, atttypmod, typbasetype, typtypmod FROM part"
        " JOIN pg_type t ON t.oid = part.base AND t.typtype = 'd')"
        "SELECT attname, atttypid, atttypmod, base, mod, typname, relreplident = 'f',"
        " coalesce(array_position(i.indkey::int2[], attnum), -1) place, i.indnkeyatts"
        " FROM part JOIN pg_type t ON t.oid = base AND t.typtype <> 'd' LEFT JOIN pg_index i ON i.indrelid = %u"
        " AND i.indisvalid AND i.indimmediate AND i.indpred IS NULL"
        " AND CASE relreplident WHEN 'i' THEN i.indisreplident ELSE i.indisprimary END ORDER BY attnum",
        table->oid, version >= 120000 ? "a.attgenerated = ''" : "true", is_listed, table->oid);
    if (result == NULL) {
        return false;
    }
    table->column_count = PQntuples(result);
    table->columns = allocated(calloc((size_t)table->column_count + 1, sizeof *table->columns));
    table->keys = allocated(calloc((size_t)table->column_count + 1, sizeof *table->keys));
    for (int i = 0; i < table->column_count; i++) {
        struct column *column = &table->columns[i];
        int place = atoi(PQgetvalue(result, i, 7));
        column->name = copied(PQgetvalue(result, i, 0));
        column->type = number(PQgetvalue(result, i, 1));
        column->modifier = atoi(PQgetvalue(result, i, 2));
        column->kind = kind_of(number(PQgetvalue(result, i, 3)), PQgetvalue(result, i, 5),
                               atoi(PQgetvalue(result, i, 4)));
        if (strcmp(PQgetvalue(result, i, 5), "numeric") == 0 && is_real(options, table, column->name)) {
            column->kind = KIND_REAL;
        }
        column->is_key = place >= 0 && place < atoi(PQgetvalue(result, i, 8));
        column->identifies = column->is_key || is_true(result, i, 6);
        if (column->is_key) {
            table->keys[place] = i;
            table->key_count++;
        }
    }
    PQclear(result);
    if (table->key_count == 0) {
        return failed(FAILURE_TABLE,
                      "%s has no primary key, so its rows can't be followed: ALTER TABLE %s ADD PRIMARY KEY (...),"
                      " or REPLICA IDENTITY USING INDEX a unique index",
                      table->asked, table->source);
    }
    return true;
}

static bool read_foreign_keys(struct table *table, PGconn *connection)
{
    PGresult *result = server_ask(
        connection,
        "SELECT k.confrelid, string_agg('\"' || replace(a.attname, '\"', '\"\"') || '\"', ', ' ORDER BY u.n),"
        " string_agg('\"' || replace(f.attname, '\"', '\"\"') || '\"', ', ' ORDER BY u.n) FROM pg_constraint k,"
        " unnest(k.conkey, k.confkey) WITH ORDINALITY u(c, f, n), pg_attribute a, pg_attribute f"
        " WHERE k.contype = 'f' AND k.conrelid = %u AND a.attrelid = k.conrelid AND a.attnum = u.c"
        " AND f.attrelid = k.confrelid AND f.attnum = u.f GROUP BY k.oid, k.conname, k.confrelid ORDER BY k.conname",
        table->oid);
    if (result == NULL) {
        return false;
    }
    table->foreign_key_count = PQntuples(result);
    table->foreign_keys = allocated(calloc((size_t)table->foreign_key_count + 1, sizeof *table->foreign_keys));
    for (int i = 0; i < table->foreign_key_count; i++) {
        struct foreign_key *key = &table->foreign_keys[i];
        key->references = number(PQgetvalue(result, i, 0));
        key->columns = copied(PQgetvalue(result, i, 1));
        key->targets = copied(PQgetvalue(result, i, 2));
    }
    PQclear(result);
    return true;
}

struct table *table_named(struct tables *tables, const char *name)
{
    for (size_t i = 0; i < tables->count; i++) {
        if (tables->items[i].name != NULL && sqlite3_stricmp(tables->items[i].name, name) == 0) {
            return &tables->items[i];
        }
    }
    return NULL;
}

static char *signature_of_catalog(const struct table *table)
{
    sqlite3_str *text = sqlite3_str_new(NULL);
    sqlite3_str_appendf(text, "%Q.%Q ", table->schema, table->name);
    for (int i = 0; i < table->column_count; i++) {
        const struct column *column = &table->columns[i];
        signature_add(text, column->name, column->type, column->modifier, column->identifies);
    }
    return sqlite3_str_finish(text);
}

void signature_add(sqlite3_str *text, const char *name, unsigned type, int modifier, bool identifies)
{
    sqlite3_str_appendf(text, "%Q %u %d %d,", name, type, modifier, identifies);
}

static bool read_one(struct tables *tables, const char *asked, PGconn *connection, const struct options *options)
{
    struct table *table = &tables->items[tables->count];
    table->asked = copied(asked);
    tables->count++; /* what a failure leaves is freed with the rest */
    if (!read_table(table, connection, options) || !read_columns(table, connection, options)
        || !read_foreign_keys(table, connection)) {
        return false;
    }
    table->signature = allocated(signature_of_catalog(table));
    if (table_named(tables, table->name) != table) {
        return failed(FAILURE_TABLE, "two tables are called %s: mirror one of them into another file", table->name);
    }
    return true;
}

bool tables_read(struct tables *tables, PGconn *connection, const struct options *options, const struct tables *only)
{
    tables->items = allocated(calloc(options->table_count, sizeof *tables->items));
    tables->count = 0;
    for (size_t i = 0; i < options->table_count; i++) {
        if ((only == NULL || only->items[i].is_stale) && !read_one(tables, options->tables[i], connection, options)) {
            return false;
        }
    }
    return schema_declare(tables, only != NULL ? only : tables);
}

void table_free(struct table *table)
{
    for (int i = 0; i < table->column_count; i++) {
        sqlite3_free(table->columns[i].name);
    }
    for (int i = 0; i < table->foreign_key_count; i++) {
        sqlite3_free(table->foreign_keys[i].columns);
        sqlite3_free(table->foreign_keys[i].targets);
    }
    statements_free(table);
    char *texts[] = {table->asked,  table->name, table->schema,    table->source,
                     table->filter, table->sql,  table->signature, table->streamed};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        sqlite3_free(texts[i]);
    }
    free(table->columns);
    free(table->foreign_keys);
    free(table->keys);
}

void tables_free(struct tables *tables)
{
    for (size_t i = 0; i < tables->count; i++) {
        table_free(&tables->items[i]);
    }
    free(tables->items);
    memset(tables, 0, sizeof *tables);
}
