#include "side.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "progress.h"

static struct statement prepare_side(struct side *side, const char *sql)
{
    struct statement statement = {NULL, NULL};
    if (side->db != NULL)
        statement.plain = prepare(side->db, sql);
    else
        ok(fr_statement_prepare(&statement.ours, side->store, sql));
    return statement;
}

static void finalize(struct statement statement)
{
    sqlite3_finalize(statement.plain);
    fr_statement_free(statement.ours);
}

static void bind(struct statement statement, int index, const fr_value *value)
{
    if (statement.ours != NULL)
        ok(fr_statement_bind(statement.ours, index, value));
    else if (value->type == FR_TYPE_TEXT)
        sqlite3_bind_text(statement.plain, index, value->data, (int)value->length, SQLITE_TRANSIENT);
    else
        sqlite3_bind_int64(statement.plain, index, value->integer);
}

static void run_statement(struct statement statement)
{
    if (statement.ours != NULL)
        ok(fr_statement_execute(statement.ours));
    else
        run(statement.plain);
}

static void begin(struct side *side)
{
    if (side->store != NULL)
        ok(fr_store_begin(side->store, FR_IMMEDIATE));
    else
        run_statement(side->begin);
}

static void commit(struct side *side)
{
    if (side->store != NULL)
        ok(fr_store_commit(side->store));
    else
        run_statement(side->commit);
}

static void run_script(struct side *side, const char *sql)
{
    if (side->store != NULL)
        ok(fr_store_execute_script(side->store, sql));
    else
        execute(side->db, sql);
}

static void open_side(struct side *side, const struct data_set *set, int64_t rows)
{
    const struct key *key = set->key;
    char delete_new[SQL_SIZE];
    snprintf(delete_new, sizeof delete_new, key->delete_new, (long long)rows);
    side->set = set;
    side->rows = rows;
    if (side->db != NULL) {
        side->begin = prepare_side(side, "BEGIN IMMEDIATE");
        side->commit = prepare_side(side, "COMMIT");
    }
    side->insert = prepare_side(side, key->insert);
    side->rename = prepare_side(side, key->rename);
    side->delete_new = prepare_side(side, delete_new);
    side->items = calloc(MANY, sizeof *side->items);
    if (side->items == NULL) fail("out of memory");
}

void open_plain_side(struct side *side, const struct data_set *set, int64_t rows, const char *path)
{
    *side = (struct side){.db = open_database(path), .path = path};
    open_side(side, set, rows);
}

void open_store_side(struct side *side, const struct data_set *set, int64_t rows, const char *path)
{
    *side = (struct side){.store = open_store(path), .path = path};
    open_side(side, set, rows);
}

void close_side(struct side *side)
{
    struct statement statements[] = {side->begin,      side->commit,     side->insert,     side->rename,
                                     side->add_rename, side->rename_all, side->delete_new, side->delete_renames};
    for (size_t index = 0; index < sizeof statements / sizeof *statements; index++) finalize(statements[index]);
    if (side->store != NULL)
        ok(fr_store_close(side->store));
    else
        sqlite3_close(side->db);
    free(side->items);
}

/* Runs a statement whose first parameter is the name, followed by the key. */
static void write_item(struct statement statement, const struct side *side, const struct item *item)
{
    fr_value name = fr_text(item->name);
    bind(statement, 1, &name);
    for (int column = 0; column < side->set->key->columns; column++) bind(statement, column + 2, &item->key[column]);
    run_statement(statement);
}

static int64_t random_below(int64_t limit)
{
    return (int64_t)(next_random() % (uint64_t)limit);
}

void choose_rename(struct side *side)
{
    make_item(side->items, side->set, 1 + random_below(side->rows), 1 + random_below(side->rows));
}

void rename_one(struct side *side)
{
    begin(side);
    write_item(side->rename, side, side->items);
    commit(side);
}

static void make_new_items(struct side *side, int64_t after, int64_t count)
{
    for (int64_t index = 0; index < count; index++) {
        int64_t number = after + 1 + index;
        make_item(&side->items[index], side->set, number, number);
    }
}

static void insert_items(struct side *side, int64_t count)
{
    for (int64_t index = 0; index < count; index++) {
        fr_value section = fr_integer(side->items[index].section);
        bind(side->insert, side->set->key->columns + 2, &section);
        write_item(side->insert, side, &side->items[index]);
    }
}

void delete_new_rows(struct side *side)
{
    run_statement(side->delete_new);
    side->new_rows = 0;
}

void choose_inserts(struct side *side)
{
    make_new_items(side, side->rows + side->new_rows, MANY);
    side->new_rows += MANY;
}

void choose_inserts_in_cold_file(struct side *side)
{
    choose_inserts(side);
    drop_from_memory(side->path);
}

void insert_many(struct side *side)
{
    begin(side);
    insert_items(side, MANY);
    commit(side);
}

void prepare_renames(struct side *side)
{
    const struct key *key = side->set->key;
    run_script(side, key->create_renames);
    side->add_rename = prepare_side(side, key->add_rename);
    side->rename_all = prepare_side(side, key->rename_all);
    side->delete_renames = prepare_side(side, "DELETE FROM renames");
}

void choose_renames(struct side *side)
{
    begin(side);
    run_statement(side->delete_renames);
    int64_t each = side->rows / MANY;
    for (int64_t index = 0; index < MANY; index++) {
        struct item *item = &side->items[index];
        make_item(item, side->set, 1 + index * each + random_below(each), 1 + random_below(side->rows));
        write_item(side->add_rename, side, item);
    }
    commit(side);
}

void rename_many(struct side *side)
{
    run_statement(side->rename_all);
}

static void create_table(const struct data_set *set, const char *path)
{
    sqlite3 *db = open_database(path);
    execute(db, "PRAGMA journal_mode = WAL");
    execute(db, set->key->create);
    sqlite3_close(db);
}

struct path make_data_set(const struct data_set *set, int64_t rows)
{
    begin_making(rows, set->name);
    restart_random();
    struct path path = new_database("set", rows);
    create_table(set, path.text);
    struct side side;
    open_plain_side(&side, set, 0, path.text);
    // The cache can hold all pages: pages with random keys would otherwise be read repeatedly.
    execute(side.db, "PRAGMA cache_size = -1000000");
    begin(&side);
    for (int64_t count = 0; count < rows; count += MANY) {
        make_new_items(&side, count, MANY);
        insert_items(&side, MANY);
    }
    char index[SQL_SIZE];
    write_index(index, set);
    execute(side.db, index);
    commit(&side);
    execute(side.db, "ANALYZE");
    close_side(&side);
    return path;
}
