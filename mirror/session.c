/*
 * A session. It checks the tables and the publication, then decides: a file that the slot's stream
 * does not continue is copied beside and compared; any other file is followed from its position. A
 * new file has empty tables, so that programs can open it and see how far the first copy is.
 * Rejected: to give the copy the file's name. Programs that have the file open would lose it.
 * Rejected: to trust the slot alone. It skips silently what it has confirmed, also for a file that
 * was restored from an older copy.
 */
#include "session.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "copy.h"
#include "file.h"
#include "follow.h"
#include "merge.h"
#include "message.h"
#include "publication.h"
#include "schema.h"
#include "server.h"

bool session_open_file(struct session *session)
{
    const char *path = session->options->file;
    if (session->file != NULL || access(path, F_OK) != 0) {
        return true;
    }
    sqlite3 *file = file_open(path); /* it may be another program's, so nothing is changed before this is read */
    bool is_mirror = file != NULL && position_read(&session->position, file, path);
    sqlite3_close(file);
    session->file = is_mirror ? file_open_log(path) : NULL;
    return session->file != NULL;
}

/* The server's identity, which the file's position belongs to. */
static bool identify(struct session *session, struct position *now)
{
    PGresult *result = server_ask(session->connection, "IDENTIFY_SYSTEM");
    if (result == NULL) {
        return false;
    }
    now->system = allocated(sqlite3_mprintf("%s", PQgetvalue(result, 0, 0)));
    session->server_lsn = lsn_of(PQgetvalue(result, 0, 2));
    now->database = allocated(sqlite3_mprintf("%s", PQgetvalue(result, 0, 3)));
    now->slot = allocated(sqlite3_mprintf("%s", session->slot));
    PQclear(result);
    result = server_ask(session->connection, "SELECT current_setting('wal_level') = 'logical'");
    bool is_logical = result != NULL && *PQgetvalue(result, 0, 0) == 't';
    PQclear(result);
    return is_logical || result == NULL
               ? is_logical
               : failed(FAILURE_SERVER, "the server's log lacks what a mirror needs: set wal_level = logical in"
                                        " postgresql.conf, and restart it");
}

/* Why the stream does not continue the file: a text, or NULL if it does. */
static bool reason_to_copy(struct session *session, const struct position *now, const char **why)
{
    const struct position *was = &session->position;
    PGresult *result = server_ask(session->connection,
                                  "SELECT confirmed_flush_lsn, to_jsonb(s)->>'wal_status', plugin, database"
                                  " FROM pg_replication_slots s WHERE slot_name = %Q",
                                  session->slot);
    if (result == NULL) {
        return false;
    }
    bool exists = PQntuples(result) > 0, is_ours = true;
    if (exists) {
        is_ours = strcmp(PQgetvalue(result, 0, 2), "pgoutput") == 0
                  && strcmp(PQgetvalue(result, 0, 3), now->database) == 0;
    }
    *why = was->system == NULL                             ? "the file has no copy yet"
           : strcmp(was->system, now->system) != 0         ? "the file is of another server"
           : strcmp(was->database, now->database) != 0     ? "the file is of another database"
           : was->lsn > session->server_lsn                ? "the server is older than the file"
           : !exists                                       ? "the slot does not exist"
           : strcmp(PQgetvalue(result, 0, 1), "lost") == 0 ? "the server dropped the slot's log"
           : lsn_of(PQgetvalue(result, 0, 0)) > was->lsn   ? "the file is older than the slot"
                                                           : NULL;
    PQclear(result);
    return is_ours
           || failed(FAILURE_SERVER, "the slot %s is of another program or database: choose another --slot",
                     session->slot);
}

/* Makes a file without rows. It takes its name when it has its tables. */
static bool make_file(struct session *session)
{
    char *path = file_beside(session->options->file, ".copying");
    unlink(path); /* of an earlier start; if it can't be removed, opening fails or finds its tables */
    sqlite3 *file = file_open(path);
    bool is_made = file != NULL && file_do(file, "BEGIN") && state_create(file)
                   && state_set(file, STATE_CONNECTING, NULL, -1, -1, NULL) && schema_create(file, &session->tables)
                   && file_do(file, "COMMIT; PRAGMA journal_mode = WAL");
    sqlite3_close(file);
    /* SQLite would take a log that a former file has left for the log of the new one. */
    char *log = file_beside(session->options->file, "-wal");
    if (is_made && unlink(log) != 0 && errno != ENOENT) {
        is_made = failed(FAILURE_FILE, "%s can't be removed: %s: check the folder", log, strerror(errno));
    }
    is_made = is_made && file_move(path, session->options->file);
    sqlite3_free(log);
    sqlite3_free(path);
    session->file = is_made ? file_open_log(session->options->file) : NULL;
    return session->file != NULL;
}

static bool compare(struct session *session, const struct copy *copy, const struct position *now)
{
    sqlite3 *file = session->file;
    return state_set(file, STATE_COMPARING, NULL, -1, -1, NULL) && merge_index(file, copy->path, &copy->tables)
           && merge_attach(file, copy->path) && file_do(file, "BEGIN IMMEDIATE") && merge_tables(file, &copy->tables)
           && position_write(file, now) && file_do(file, "COMMIT") && merge_detach(file, copy->path)
           && file_checkpoint(file);
}

/* A new slot, and all tables as they are where its stream begins. */
static bool copy_all(struct session *session, struct position *now, const char *why)
{
    struct copy copy = {.options = session->options, .wanted = &session->tables, .is_whole = true};
    PGconn *connection = session->connection;
    note("copying all tables: %s", why);
    PGresult *dropped = server_ask(
        connection, "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = %Q",
        session->slot);
    PQclear(dropped);
    bool is_copied = dropped != NULL && state_set(session->file, STATE_COPYING, NULL, -1, -1, why)
                     && copy_begin(&copy, connection, session->slot, session->options->temporary)
                     && copy_run(&copy, session->file) && server_do(connection, "COMMIT");
    if (is_copied) {
        now->lsn = copy.lsn;
        is_copied = compare(session, &copy, now);
    }
    if (is_copied) {
        tables_free(&session->tables);
        session->tables = copy.tables;
        memset(&copy.tables, 0, sizeof copy.tables);
    }
    copy_end(&copy);
    return is_copied;
}

/* Tables that the file does not have as the server has them are copied alone, while it follows. */
static bool find_stale(struct session *session)
{
    for (size_t i = 0; i < session->tables.count; i++) {
        struct table *table = &session->tables.items[i];
        bool is_noted;
        if (!tables_are_noted(&is_noted, session->file, table)) {
            return false;
        }
        table->is_stale = !is_noted;
        table->from = is_noted ? 0 : UINT64_MAX;
    }
    return tables_keep_only(session->file, &session->tables);
}

static bool start(struct session *session)
{
    PGconn *connection = session->connection;
    uint64_t lsn = session->position.lsn;
    char *quoted = allocated(sqlite3_mprintf("\"%w\"", session->options->publication));
    PGresult *result = NULL;
    if (server_send(connection, "START_REPLICATION SLOT \"%w\" LOGICAL %X/%X (proto_version '1', publication_names %Q)",
                    session->slot, (unsigned)(lsn >> 32), (unsigned)lsn, quoted)) {
        result = server_result(connection, PGRES_COPY_BOTH);
    }
    sqlite3_free(quoted);
    PQclear(result);
    return result != NULL;
}

/* One connection, up to its end; true if --once is done. */
static bool run_connection(struct session *session, struct position *now)
{
    const struct options *options = session->options;
    const char *why;
    session->connection = server_connect(options->conninfo);
    session->has_connected |= session->connection != NULL;
    if (session->connection == NULL || !identify(session, now)
        || !tables_read(&session->tables, session->connection, options, NULL)
        || !publication_check(session->connection, options, &session->tables)
        || (session->file == NULL && !make_file(session)) || !reason_to_copy(session, now, &why)
        || (why != NULL && !copy_all(session, now, why))) {
        return false;
    }
    if (!position_read(&session->position, session->file, options->file) || !find_stale(session) || !start(session)
        || !apply_open(&session->apply, session->file, &session->tables, session->position.lsn, options->group_ms)) {
        return false;
    }
    note("following from %X/%X", (unsigned)(session->position.lsn >> 32), (unsigned)session->position.lsn);
    session->has_followed = true;
    return follow(options, session->connection, &session->apply, options->once ? session->server_lsn : 0);
}

void session_close(struct session *session)
{
    tables_free(&session->tables);
    if (session->apply.file != NULL) {
        apply_close(&session->apply);
    }
    PQfinish(session->connection);
    session->connection = NULL;
    /*
     * A part of a transaction is dropped with the connection, and so is a copy that was attached.
     */
    sqlite3_close(session->file);
    session->file = NULL;
}

bool session_run(struct session *session)
{
    struct position now = {0};
    bool is_done = session_open_file(session) && state_set(session->file, STATE_CONNECTING, NULL, -1, -1, NULL)
                   && run_connection(session, &now);
    position_free(&now);
    return is_done;
}
