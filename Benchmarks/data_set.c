#include "data_set.h"

#include <stdio.h>

#include "bench.h"
#include "database.h"

#define OTHER_COLUMNS "section_id INTEGER, name TEXT, rank REAL, done INTEGER"

#define BY_ID \
    .names = "id", .insert = "INSERT INTO items VALUES (?2, ?3, ?1, 0.5, 0)", \
    .rename = "UPDATE items SET name = ?1 WHERE id = ?2", .add_rename = "INSERT INTO renames VALUES (?2, ?1)", \
    .rename_all = "UPDATE items SET name = renames.name FROM renames WHERE items.id = renames.id"

static const struct key rowid = {
    .columns = 1,
    .bytes = 8,
    .types = "iit",
    .create = "CREATE TABLE items(id INTEGER PRIMARY KEY, " OTHER_COLUMNS ")",
    .indexed = "",
    .create_renames = "CREATE TEMP TABLE renames(id INTEGER, name TEXT)",
    .delete_new = "DELETE FROM items WHERE id > %lld",
    BY_ID,
};

static const struct key uuid = {
    .columns = 1,
    .bytes = UUID_SIZE - 1,
    .types = "tit",
    .create = "CREATE TABLE items(id TEXT PRIMARY KEY, " OTHER_COLUMNS ")",
    .indexed = ", id",
    .create_renames = "CREATE TEMP TABLE renames(id TEXT, name TEXT)",
    .delete_new = "DELETE FROM items WHERE rowid > %lld",
    BY_ID,
};

enum { FOLDER_SIZE = 100 };

#define BY_FOLDER_AND_NUMBER \
    .columns = 2, .bytes = 16, .names = "folder, number", .types = "iiit", .indexed = ", folder, number", \
    .insert = "INSERT INTO items VALUES (?2, ?3, ?4, ?1, 0.5, 0)", \
    .rename = "UPDATE items SET name = ?1 WHERE folder = ?2 AND number = ?3", \
    .create_renames = "CREATE TEMP TABLE renames(folder INTEGER, number INTEGER, name TEXT)", \
    .add_rename = "INSERT INTO renames VALUES (?2, ?3, ?1)", \
    .rename_all = "UPDATE items SET name = renames.name FROM renames " \
                  "WHERE items.folder = renames.folder AND items.number = renames.number", \
    .delete_new = "DELETE FROM items WHERE folder >= %lld / 100"

#define FOLDER_AND_NUMBER "folder INTEGER, number INTEGER, " OTHER_COLUMNS ", PRIMARY KEY (folder, number)"

static const struct key composite = {
    .create = "CREATE TABLE items(" FOLDER_AND_NUMBER ")",
    BY_FOLDER_AND_NUMBER,
};

static const struct key without_rowid = {
    .create = "CREATE TABLE items(" FOLDER_AND_NUMBER ") WITHOUT ROWID",
    BY_FOLDER_AND_NUMBER,
};

const struct data_set data_sets[DATA_SETS] = {
    {"letters", &rowid, "section_id", write_letters},
    {"words", &rowid, "section_id", write_words},
    {"paths", &rowid, NULL, write_path},
    {"timestamps", &rowid, NULL, write_timestamp},
    {"ten values", &rowid, NULL, write_state},
    {"UUID key", &uuid, "section_id", write_words},
    {"composite key", &composite, "section_id", write_words},
    {"without rowid", &without_rowid, "section_id", write_words},
};

struct list list_of(const struct data_set *set)
{
    struct list list = {"items", set->section, "name", NULL, 0, NULL, 0, 0};
    return list;
}

static const char *sorted_columns(const struct data_set *set)
{
    return set->section == NULL ? "name" : "section_id, name";
}

void write_select(char sql[SQL_SIZE], const struct data_set *set)
{
    const char *sorted = sorted_columns(set);
    const char *key = set->key->names;
    snprintf(sql, SQL_SIZE, "SELECT %s, %s FROM items ORDER BY %s, %s", key, sorted, sorted, key);
}

const char *selected_types(const struct data_set *set)
{
    return set->section == NULL ? "it" : set->key->types;
}

void write_index(char sql[SQL_SIZE], const struct data_set *set)
{
    snprintf(sql, SQL_SIZE, "CREATE INDEX items_in_order ON items(%s%s)", sorted_columns(set), set->key->indexed);
}

void make_item(struct item *item, const struct data_set *set, int64_t number, int64_t named_like)
{
    if (set->key->columns == 2) {
        item->key[0] = fr_integer((number - 1) / FOLDER_SIZE);
        item->key[1] = fr_integer((number - 1) % FOLDER_SIZE);
    } else if (set->key == &uuid) {
        write_uuid(item->uuid, number);
        item->key[0] = fr_text(item->uuid);
    } else {
        item->key[0] = fr_integer(number);
    }
    item->section = (int64_t)(next_random() % SECTIONS);
    set->write_name(item->name, named_like);
}
