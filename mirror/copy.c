/*
 * The copy. It writes a file of its own, without journal and sync: a copy that is interrupted is
 * made again. The connection's transaction takes the snapshot of the slot that it creates, so the
 * rows are those before the stream's first transaction.
 */
#include "copy.h"

#include <string.h>
#include <unistd.h>

#include "file.h"
#include "message.h"
#include "rows.h"
#include "server.h"
#include "state.h"
#include "waiting.h"

bool copy_begin(struct copy *copy, PGconn *connection, const char *slot, bool is_temporary)
{
    copy->connection = connection;
    copy->path = file_beside(copy->options->file, ".copying");
    copy->phase = COPY_SLOT;
    return server_do(connection, "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
           && server_send(connection, "CREATE_REPLICATION_SLOT \"%w\"%s LOGICAL pgoutput USE_SNAPSHOT", slot,
                          is_temporary ? " TEMPORARY" : "");
}

static bool open_side(struct copy *copy)
{
    unlink(copy->path); /* of an earlier copy; if it can't be removed, opening fails or finds its tables */
    copy->side = file_open(copy->path);
    if (copy->side == NULL
        || !file_do(copy->side, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
                                "PRAGMA locking_mode = EXCLUSIVE; BEGIN")) {
        return false;
    }
    for (size_t i = 0; i < copy->tables.count; i++) {
        const struct table *table = &copy->tables.items[i];
        if (!file_do(copy->side, "%s", table->sql)) {
            return false;
        }
        copy->total += table->estimate;
    }
    return true;
}

/*
 * The slot is there: it says where its stream begins. What DDL changed between the snapshot and the
 * lock is found by tables_read; after that there is none until the copy is done.
 */
static bool take_slot(struct copy *copy)
{
    PGresult *result = server_result(copy->connection, PGRES_TUPLES_OK);
    if (result == NULL) {
        return false;
    }
    copy->lsn = lsn_of(PQgetvalue(result, 0, 1));
    PQclear(result);
    sqlite3_str *names = sqlite3_str_new(NULL);
    for (size_t i = 0; i < copy->wanted->count; i++) {
        if (copy->is_whole || copy->wanted->items[i].is_stale) {
            sqlite3_str_appendf(names, "%s%s", sqlite3_str_length(names) > 0 ? ", " : "",
                                copy->wanted->items[i].source);
        }
    }
    copy->phase = COPY_LOCKING;
    return server_send(copy->connection, "LOCK TABLE %z IN ACCESS SHARE MODE",
                       (char *)allocated(sqlite3_str_finish(names)));
}

static bool take_locks(struct copy *copy)
{
    PGresult *result = server_result(copy->connection, PGRES_COMMAND_OK);
    PQclear(result);
    return result != NULL
           && tables_read(&copy->tables, copy->connection, copy->options, copy->is_whole ? NULL : copy->wanted)
           && open_side(copy);
}

static bool ask_for_table(struct copy *copy)
{
    const struct table *table = &copy->tables.items[copy->table];
    char *columns = names_of_columns(table), *parameters = parameters_of(table);
    copy->phase = COPY_OPENING;
    copy->insert = file_prepare(copy->side, "INSERT INTO \"%w\" (%s) VALUES (%z)", table->name, columns, parameters);
    bool is_sent = copy->insert != NULL
                   && server_send(copy->connection, "COPY (SELECT %s FROM %s%s%s%s) TO STDOUT", columns,
                                  table->has_descendants ? "" : "ONLY ", table->source,
                                  table->filter != NULL ? " WHERE " : "", table->filter != NULL ? table->filter : "");
    sqlite3_free(columns);
    return is_sent;
}

static bool close_side(struct copy *copy)
{
    bool is_done = file_do(copy->side, "COMMIT");
    sqlite3_close(copy->side); /* every statement of it was finalized */
    copy->side = NULL;
    copy->phase = COPY_DONE;
    return is_done;
}

/* Begins with the next table, or ends. */
static bool next_table(struct copy *copy)
{
    return copy->table < copy->tables.count ? ask_for_table(copy) : close_side(copy);
}

/* Replaces the escapes of a value, whose first backslash is at `from`. Returns its new end. */
static char *unescape(char *from, const char *end)
{
    static const char letters[] = "bfnrtv", meanings[] = "\b\f\n\r\t\v";
    char *to = from;
    for (; from < end; from++) {
        if (*from == '\\' && from + 1 < end) {
            const char *letter = strchr(letters, *++from);
            *to++ = letter != NULL && *letter != '\0' ? meanings[letter - letters] : *from;
        } else {
            *to++ = *from;
        }
    }
    return to;
}

/* One line of COPY: values with tabs between them, and a newline. */
static bool insert_line(struct copy *copy, char *line, int length)
{
    const struct table *table = &copy->tables.items[copy->table];
    char *at = line, *end = line + length - 1;
    for (int i = 0; i < table->column_count; i++) {
        char *stop = at <= end ? memchr(at, '\t', (size_t)(end - at)) : NULL;
        if (at > end) {
            return failed(FAILURE_STREAM, "a copied row of %s has too few columns: report this", table->name);
        }
        stop = stop != NULL ? stop : end;
        int code;
        if (stop - at == 2 && at[0] == '\\' && at[1] == 'N') {
            code = sqlite3_bind_null(copy->insert, i + 1);
        } else {
            char *escape = memchr(at, '\\', (size_t)(stop - at)), *value_end = stop;
            if (escape != NULL) {
                value_end = unescape(escape, stop);
            }
            code = value_bind(copy->insert, i + 1, table->columns[i].kind, at, (int)(value_end - at));
        }
        if (code != SQLITE_OK) {
            return file_failed(copy->side);
        }
        at = stop + 1;
    }
    copy->rows++;
    return file_step(copy->insert);
}

static bool end_table(struct copy *copy)
{
    PGresult *result = server_result(copy->connection, PGRES_COMMAND_OK);
    PQclear(result);
    sqlite3_finalize(copy->insert); /* file_step returned its failures */
    copy->insert = NULL;
    copy->table++;
    return result != NULL && next_table(copy);
}

static bool take_rows(struct copy *copy, int milliseconds)
{
    double end = seconds_now() + milliseconds / 1e3;
    for (int count = 1;; count++) {
        char *line;
        int length = PQgetCopyData(copy->connection, &line, 1);
        if (length == 0) {
            return true;
        } else if (length == -1) {
            return end_table(copy);
        } else if (length < 0) {
            return server_failed(copy->connection, NULL);
        }
        bool is_inserted = insert_line(copy, line, length);
        PQfreemem(line);
        if (!is_inserted) {
            return false;
        }
        if (count % 64 == 0 && seconds_now() > end) {
            return true;
        }
    }
}

bool copy_step(struct copy *copy, int milliseconds)
{
    if (copy->phase == COPY_DONE || copy->phase == COPY_NONE) {
        return true;
    }
    if (PQconsumeInput(copy->connection) == 0) {
        return server_failed(copy->connection, NULL);
    }
    if (copy->phase == COPY_ROWS) {
        return take_rows(copy, milliseconds);
    }
    if (PQisBusy(copy->connection)) {
        return true;
    }
    if (copy->phase == COPY_SLOT) {
        return take_slot(copy);
    }
    if (copy->phase == COPY_LOCKING) {
        return take_locks(copy) && next_table(copy);
    }
    PGresult *result = server_result(copy->connection, PGRES_COPY_OUT);
    PQclear(result);
    copy->phase = COPY_ROWS;
    return result != NULL;
}

bool copy_report(const struct copy *copy, sqlite3 *file)
{
    const char *table = copy->table < copy->tables.count ? copy->tables.items[copy->table].name : NULL;
    int64_t total = copy->phase <= COPY_LOCKING || copy->total <= 0 ? -1
                    : copy->total > copy->rows                      ? copy->total
                                                                    : copy->rows;
    return state_set(file, STATE_COPYING, table, copy->rows, total,
                     copy->phase <= COPY_LOCKING ? "the server's running transactions must end" : NULL);
}

bool copy_run(struct copy *copy, sqlite3 *file)
{
    double began = seconds_now(), shown = began;
    while (copy->phase != COPY_DONE) {
        if (signals_end() || !copy_step(copy, 100)) {
            return false;
        }
        double now = seconds_now();
        if (now - shown >= 0.2) {
            shown = now;
            if (copy->table < copy->tables.count) {
                progress("copying %s: %lld rows of about %lld, %.0f rows/s", copy->tables.items[copy->table].name,
                         (long long)copy->rows, (long long)copy->total, (double)copy->rows / (now - began));
            }
            if (!copy_report(copy, file)) {
                return false;
            }
        }
        if (copy->phase != COPY_DONE) {
            wait_for_sockets(PQsocket(copy->connection), -1, 200);
        }
    }
    progress(NULL);
    note("copied %lld rows in %.2f s", (long long)copy->rows, seconds_now() - began);
    return true;
}

void copy_end(struct copy *copy)
{
    sqlite3_finalize(copy->insert); /* what failed was returned */
    sqlite3_close(copy->side);
    tables_free(&copy->tables);
    sqlite3_free(copy->path);
    memset(copy, 0, sizeof *copy);
}
