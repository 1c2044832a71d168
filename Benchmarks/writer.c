#include "writer.h"

#include <string.h>

static const char *const updates[] = {
    [RENAME] = "UPDATE items SET name = ? WHERE id = ?",
    [CHANGE_SECTION] = "UPDATE items SET section_id = ? WHERE id = ?",
    [CHANGE_RANK] = "UPDATE items SET rank = ? WHERE id = ?",
    [MOVE_SECTION] = "UPDATE sections SET position = ? WHERE id = ?",
};

static int64_t choose(struct choice choice)
{
    int64_t index = (int64_t)(next_random() % (uint64_t)choice.count);
    return choice.ids == NULL ? index + 1 : choice.ids[index];
}

/* The random value; its text is in `name`. */
static fr_value new_value(enum edit edit, struct choice choice, char name[NAME_LENGTH + 1])
{
    if (edit == CHANGE_SECTION) return fr_integer((int64_t)(next_random() % SECTIONS));
    if (edit == MOVE_SECTION || edit == CHANGE_RANK) return fr_real((double)(next_random() >> 11));
    random_name(name);
    if (choice.names != NULL) memcpy(name, choice.names[next_random() % (uint64_t)choice.count], NAME_LENGTH / 2);
    return fr_text(name);
}

void open_plain_writer(struct plain_writer *writer, sqlite3 *db, enum edit edit, struct choice choice)
{
    writer->db = db;
    writer->begin = prepare(db, "BEGIN IMMEDIATE");
    writer->update = prepare(db, updates[edit]);
    writer->commit = prepare(db, "COMMIT");
    writer->edit = edit;
    writer->choice = choice;
}

void close_plain_writer(struct plain_writer *writer)
{
    sqlite3_finalize(writer->begin);
    sqlite3_finalize(writer->update);
    sqlite3_finalize(writer->commit);
    sqlite3_close(writer->db);
}

static void write_plain(void *context)
{
    struct plain_writer *writer = context;
    char name[NAME_LENGTH + 1];
    fr_value value = new_value(writer->edit, writer->choice, name);
    run(writer->begin);
    if (value.type == FR_TYPE_TEXT) sqlite3_bind_text(writer->update, 1, name, NAME_LENGTH, SQLITE_TRANSIENT);
    if (value.type == FR_TYPE_INTEGER) sqlite3_bind_int64(writer->update, 1, value.integer);
    if (value.type == FR_TYPE_REAL) sqlite3_bind_double(writer->update, 1, value.real);
    sqlite3_bind_int64(writer->update, 2, choose(writer->choice));
    run(writer->update);
    run(writer->commit);
}

struct subject plain_writing(struct plain_writer *writer)
{
    struct subject subject = {NULL, write_plain, writer};
    return subject;
}

void open_store_writer(struct store_writer *writer, fr_store *store, enum edit edit, struct choice choice)
{
    writer->store = store;
    ok(fr_statement_prepare(&writer->update, store, updates[edit]));
    writer->edit = edit;
    writer->choice = choice;
}

void close_store_writer(struct store_writer *writer)
{
    fr_statement_free(writer->update);
    ok(fr_store_close(writer->store));
}

static void write_through_store(void *context)
{
    struct store_writer *writer = context;
    char name[NAME_LENGTH + 1];
    fr_value value = new_value(writer->edit, writer->choice, name);
    fr_value id = fr_integer(choose(writer->choice));
    ok(fr_store_begin(writer->store, FR_IMMEDIATE));
    ok(fr_statement_bind(writer->update, 1, &value));
    ok(fr_statement_bind(writer->update, 2, &id));
    ok(fr_statement_execute(writer->update));
    ok(fr_store_commit(writer->store));
}

struct subject store_writing(struct store_writer *writer)
{
    struct subject subject = {NULL, write_through_store, writer};
    return subject;
}
