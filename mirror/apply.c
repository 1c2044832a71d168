/*
 * The stream's transactions. One of the server is one of the file, with its position inside. While
 * more of them wait, whole ones share a transaction of the file, because the commit costs more than
 * the row.
 */
#include "apply.h"

#include <string.h>

#include "file.h"
#include "message.h"
#include "rows.h"
#include "state.h"
#include "waiting.h"

bool apply_open(struct apply *apply, sqlite3 *file, struct tables *tables, uint64_t position, int group_ms)
{
    memset(apply, 0, sizeof *apply);
    apply->file = file;
    apply->tables = tables;
    apply->group_seconds = group_ms / 1e3;
    apply->applied = position;
    apply->begin = file_prepare(file, "BEGIN IMMEDIATE");
    apply->commit = file_prepare(file, "COMMIT");
    apply->position = file_prepare(file, "UPDATE main.frmirror_position SET lsn = ?1");
    return apply->begin != NULL && apply->commit != NULL && apply->position != NULL;
}

void apply_close(struct apply *apply)
{
    sqlite3_finalize(apply->begin); /* file_step returned the failures */
    sqlite3_finalize(apply->commit);
    sqlite3_finalize(apply->position);
    memset(apply, 0, sizeof *apply);
}

bool apply_is_idle(const struct apply *apply)
{
    return sqlite3_get_autocommit(apply->file) != 0;
}

struct table *apply_table(const struct apply *apply, unsigned oid)
{
    for (size_t i = 0; i < apply->tables->count; i++) {
        if (apply->tables->items[i].oid == oid) {
            return &apply->tables->items[i];
        }
    }
    return NULL;
}

bool apply_enter(struct apply *apply)
{
    if (apply->is_inside) {
        return true;
    }
    if (apply->group_end == 0) {
        if (!file_step(apply->begin)) {
            return false;
        }
        apply->group_began = seconds_now();
    }
    apply->is_inside = true;
    return true;
}

static bool save_position(struct apply *apply, uint64_t lsn)
{
    return (sqlite3_bind_int64(apply->position, 1, (int64_t)lsn) == SQLITE_OK || file_failed(apply->file))
           && file_step(apply->position);
}

bool apply_flush(struct apply *apply)
{
    if (apply->group_end == 0 || apply->is_inside) {
        return true;
    }
    if (!save_position(apply, apply->group_end) || !file_step(apply->commit)) {
        return false;
    }
    apply->applied = apply->group_end;
    apply->group_end = 0;
    apply->commits++;
    return file_checkpoint(apply->file);
}

bool apply_leave(struct apply *apply, uint64_t end)
{
    apply->is_open = false;
    apply->transactions += apply->is_inside;
    if (!apply->is_inside && apply->group_end == 0) { /* no row of it is for the file */
        apply->applied = end > apply->applied ? end : apply->applied;
        return true;
    }
    apply->is_inside = false;
    apply->group_end = end > apply->group_end ? end : apply->group_end;
    return seconds_now() - apply->group_began < apply->group_seconds || apply_flush(apply);
}

bool apply_sync(struct apply *apply)
{
    if (apply->durable == apply->applied) {
        return true;
    }
    bool is_synced = file_do(apply->file, "PRAGMA synchronous = FULL") && file_step(apply->begin)
                     && save_position(apply, apply->applied) && file_step(apply->commit)
                     && file_do(apply->file, "PRAGMA synchronous = NORMAL");
    if (is_synced) {
        apply->durable = apply->applied;
    }
    return is_synced;
}

/* Rows of the table are skipped from here, until it has been copied again. */
static bool mark_stale(struct apply *apply, struct table *table, const char *why)
{
    note("%s is copied again: %s", table->name, why);
    table->is_stale = true;
    table->from = UINT64_MAX;
    return tables_note(apply->file, table, false);
}

static bool note_relation(struct apply *apply, const struct message *message)
{
    struct table *table = apply_table(apply, message->relation);
    struct table *namesake = table_named(apply->tables, message->name);
    if (table == NULL && namesake != NULL && strcmp(namesake->schema, message->schema) == 0) {
        namesake->oid = message->relation; /* it was dropped and created again */
        sqlite3_free(namesake->signature);
        namesake->signature = allocated(sqlite3_mprintf(""));
        table = namesake;
    }
    if (table == NULL) {
        return true;
    }
    sqlite3_str *text = sqlite3_str_new(NULL);
    sqlite3_str_appendf(text, "%Q.%Q ", message->schema, message->name);
    for (int i = 0; i < message->count; i++) {
        const struct streamed_column *column = &message->columns[i];
        signature_add(text, column->name, column->type, column->modifier, column->identifies);
    }
    sqlite3_free(table->streamed);
    table->streamed = allocated(sqlite3_str_finish(text));
    table->fits = strcmp(table->streamed, table->signature) == 0;
    return true;
}

static bool apply_row(struct apply *apply, const struct message *message)
{
    struct table *table = apply_table(apply, message->relation);
    if (table == NULL || apply->final < table->from) {
        return true;
    }
    if (!apply_enter(apply)) {
        return false;
    }
    if (!table->fits) {
        return mark_stale(apply, table, "its columns are others now");
    }
    bool is_found = true;
    switch (message->type) {
    case MESSAGE_INSERT:
        return row_insert(apply->file, table, &message->row);
    case MESSAGE_UPDATE:
        return row_update(apply->file, table, message->has_old ? &message->old : NULL, &message->row, &is_found)
               && (is_found || mark_stale(apply, table, "a row to update was not in the file"));
    default:
        return row_delete(apply->file, table, &message->old);
    }
}

static bool apply_truncate(struct apply *apply, const struct message *message)
{
    for (int i = 0; i < message->count; i++) {
        struct table *table = apply_table(apply, decode_truncated(message, i));
        if (table != NULL && apply->final >= table->from
            && (!apply_enter(apply) || !file_do(apply->file, "DELETE FROM main.\"%w\"", table->name))) {
            return false;
        }
    }
    return true;
}

bool apply_message(struct apply *apply, const struct message *message)
{
    switch (message->type) {
    case MESSAGE_BEGIN:
        apply->final = message->lsn;
        apply->is_skipped = message->lsn < apply->applied;
        apply->is_open = true;
        return !apply->is_inside || failed(FAILURE_STREAM, "the stream has a transaction in another one: report this");
    case MESSAGE_COMMIT:
        return apply_leave(apply, message->lsn);
    case MESSAGE_RELATION:
        return note_relation(apply, message);
    case MESSAGE_INSERT:
    case MESSAGE_UPDATE:
    case MESSAGE_DELETE:
        return apply->is_skipped || apply_row(apply, message);
    case MESSAGE_TRUNCATE:
        return apply->is_skipped || apply_truncate(apply, message);
    case MESSAGE_TYPE:
    case MESSAGE_ORIGIN:
    case MESSAGE_LOGICAL:
        break;
    }
    return true;
}
