/*
 * The mirror. A connection checks the tables and the publication, then decides: a new file is
 * copied and renamed; a file that the slot's stream does not continue is copied beside and
 * compared; any other file is followed from its position. Rejected: to trust the slot alone. It
 * skips silently what it has confirmed, also for a file that was restored from an older copy.
 */
#include "mirror.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "apply.h"
#include "copy.h"
#include "file.h"
#include "follow.h"
#include "merge.h"
#include "message.h"
#include "publication.h"
#include "server.h"
#include "state.h"
#include "waiting.h"

enum { RETRY_FIRST_MS = 200, RETRY_MOST_MS = 5000 };

struct mirror {
    const struct options *options;
    sqlite3 *file; /* NULL until there is one */
    PGconn *connection;
    char *slot;
    struct tables tables;
    struct position position;
    struct apply apply;
    uint64_t server_lsn; /* how far the server was when it was connected */
    bool has_connected, has_followed;
};

/*
 * The file has one mirror at a time. The lock is another file's: closing a file takes SQLite's
 * locks from it.
 */
static bool lock_file(const char *path)
{
    char *name = file_beside(path, ".lock");
    int descriptor = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0644); /* until the program ends */
    bool is_locked = descriptor >= 0
                         ? flock(descriptor, LOCK_EX | LOCK_NB) == 0
                               || failed(FAILURE_FILE, "%s has a mirror already: end that, or choose another file",
                                         path)
                         : failed(FAILURE_FILE, "%s can't be made: %s: check the folder", name, strerror(errno));
    sqlite3_free(name);
    return is_locked;
}

static bool open_existing(struct mirror *mirror)
{
    const char *path = mirror->options->file;
    if (mirror->file != NULL || access(path, F_OK) != 0) {
        return true;
    }
    sqlite3 *file = file_open(path); /* it may be another program's, so nothing is changed before this is read */
    bool is_mirror = file != NULL && position_read(&mirror->position, file, path);
    sqlite3_close(file);
    mirror->file = is_mirror ? file_open_log(path) : NULL;
    return mirror->file != NULL;
}

/* The server's identity, which the file's position belongs to. */
static bool identify(struct mirror *mirror, struct position *now)
{
    PGresult *result = server_ask(mirror->connection, "IDENTIFY_SYSTEM");
    if (result == NULL) {
        return false;
    }
    now->system = allocated(sqlite3_mprintf("%s", PQgetvalue(result, 0, 0)));
    mirror->server_lsn = lsn_of(PQgetvalue(result, 0, 2));
    now->database = allocated(sqlite3_mprintf("%s", PQgetvalue(result, 0, 3)));
    now->slot = allocated(sqlite3_mprintf("%s", mirror->slot));
    PQclear(result);
    result = server_ask(mirror->connection, "SELECT current_setting('wal_level') = 'logical'");
    bool is_logical = result != NULL && *PQgetvalue(result, 0, 0) == 't';
    PQclear(result);
    return is_logical || result == NULL
               ? is_logical
               : failed(FAILURE_SERVER, "the server's log lacks what a mirror needs: set wal_level = logical in"
                                        " postgresql.conf, and restart it");
}

/* Why the stream does not continue the file: a text, or NULL if it does. */
static bool reason_to_copy(struct mirror *mirror, const struct position *now, const char **why)
{
    const struct position *was = &mirror->position;
    PGresult *result = server_ask(mirror->connection,
                                  "SELECT confirmed_flush_lsn, to_jsonb(s)->>'wal_status', plugin, database"
                                  " FROM pg_replication_slots s WHERE slot_name = %Q",
                                  mirror->slot);
    if (result == NULL) {
        return false;
    }
    bool exists = PQntuples(result) > 0, is_ours = true;
    if (exists) {
        is_ours = strcmp(PQgetvalue(result, 0, 2), "pgoutput") == 0
                  && strcmp(PQgetvalue(result, 0, 3), now->database) == 0;
    }
    *why = mirror->file == NULL                                           ? "there is no file"
           : was->system == NULL || strcmp(was->system, now->system) != 0 ? "the file is of another server"
           : strcmp(was->database, now->database) != 0                    ? "the file is of another database"
           : was->lsn > mirror->server_lsn                                ? "the server is older than the file"
           : !exists                                                      ? "the slot does not exist"
           : strcmp(PQgetvalue(result, 0, 1), "lost") == 0                ? "the server dropped the slot's log"
           : lsn_of(PQgetvalue(result, 0, 0)) > was->lsn                  ? "the file is older than the slot"
                                                                          : NULL;
    PQclear(result);
    return is_ours
           || failed(FAILURE_SERVER, "the slot %s is of another program or database: choose another --slot",
                     mirror->slot);
}

/* The state tables and the position, then the file takes its name. */
static bool install(struct mirror *mirror, const struct copy *copy, const struct position *now)
{
    sqlite3 *file = file_open(copy->path);
    bool is_whole = file != NULL && file_do(file, "BEGIN") && state_create(file) && position_write(file, now);
    for (size_t i = 0; is_whole && i < copy->tables.count; i++) {
        is_whole = tables_note(file, &copy->tables.items[i], true);
    }
    is_whole = is_whole && state_set(file, STATE_CONNECTING, NULL, -1, -1, NULL)
               && file_do(file, "COMMIT; PRAGMA journal_mode = WAL");
    sqlite3_close(file);
    if (!is_whole || !file_move(copy->path, mirror->options->file)) {
        return false;
    }
    mirror->file = file_open_log(mirror->options->file);
    return mirror->file != NULL;
}

static bool compare(struct mirror *mirror, const struct copy *copy, const struct position *now)
{
    sqlite3 *file = mirror->file;
    return state_set(file, STATE_COMPARING, NULL, -1, -1, NULL) && merge_attach(file, copy->path)
           && file_do(file, "BEGIN IMMEDIATE") && merge_tables(file, &copy->tables) && position_write(file, now)
           && file_do(file, "COMMIT") && merge_detach(file, copy->path) && file_checkpoint(file);
}

/* A new slot, and all tables as they are where its stream begins. */
static bool copy_all(struct mirror *mirror, struct position *now, const char *why)
{
    struct copy copy = {.options = mirror->options, .is_new = mirror->file == NULL};
    PGconn *connection = mirror->connection;
    note("copying all tables: %s", why);
    PGresult *dropped = server_ask(
        connection, "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = %Q",
        mirror->slot);
    PQclear(dropped);
    bool is_copied = dropped != NULL && state_set(mirror->file, STATE_COPYING, NULL, -1, -1, why)
                     && copy_begin(&copy, connection, mirror->slot, mirror->options->temporary)
                     && copy_run(&copy, mirror->file) && server_do(connection, "COMMIT");
    if (is_copied) {
        now->lsn = copy.lsn;
        is_copied = copy.is_new ? install(mirror, &copy, now) : compare(mirror, &copy, now);
    }
    if (is_copied) {
        tables_free(&mirror->tables);
        mirror->tables = copy.tables;
        memset(&copy.tables, 0, sizeof copy.tables);
    }
    copy_end(&copy);
    return is_copied;
}

/* Tables that the file does not have as the server has them are copied alone, while it follows. */
static bool find_stale(struct mirror *mirror)
{
    for (size_t i = 0; i < mirror->tables.count; i++) {
        struct table *table = &mirror->tables.items[i];
        bool is_noted;
        if (!tables_are_noted(&is_noted, mirror->file, table)) {
            return false;
        }
        table->is_stale = !is_noted;
        table->from = is_noted ? 0 : UINT64_MAX;
    }
    return tables_keep_only(mirror->file, &mirror->tables);
}

static bool start(struct mirror *mirror)
{
    PGconn *connection = mirror->connection;
    uint64_t lsn = mirror->position.lsn;
    char *quoted = allocated(sqlite3_mprintf("\"%w\"", mirror->options->publication));
    PGresult *result = NULL;
    if (server_send(connection, "START_REPLICATION SLOT \"%w\" LOGICAL %X/%X (proto_version '1', publication_names %Q)",
                    mirror->slot, (unsigned)(lsn >> 32), (unsigned)lsn, quoted)) {
        result = server_result(connection, PGRES_COPY_BOTH);
    }
    sqlite3_free(quoted);
    PQclear(result);
    return result != NULL;
}

/* One connection, up to its end; true if --once is done. */
static bool run_connection(struct mirror *mirror, struct position *now)
{
    const struct options *options = mirror->options;
    const char *why;
    mirror->connection = server_connect(options->conninfo);
    mirror->has_connected |= mirror->connection != NULL;
    if (mirror->connection == NULL || !identify(mirror, now)
        || !tables_read(&mirror->tables, mirror->connection, options, NULL)
        || !publication_check(mirror->connection, options, &mirror->tables) || !reason_to_copy(mirror, now, &why)
        || (why != NULL && !copy_all(mirror, now, why))) {
        return false;
    }
    if (!position_read(&mirror->position, mirror->file, options->file) || !find_stale(mirror) || !start(mirror)
        || !apply_open(&mirror->apply, mirror->file, &mirror->tables, mirror->position.lsn, options->group_ms)) {
        return false;
    }
    note("following from %X/%X", (unsigned)(mirror->position.lsn >> 32), (unsigned)mirror->position.lsn);
    mirror->has_followed = true;
    return follow(options, mirror->connection, &mirror->apply, options->once ? mirror->server_lsn : 0);
}

static void close_connection(struct mirror *mirror)
{
    tables_free(&mirror->tables);
    if (mirror->apply.file != NULL) {
        apply_close(&mirror->apply);
    }
    PQfinish(mirror->connection);
    mirror->connection = NULL;
    /*
     * A part of a transaction is dropped with the connection, and so is a copy that was attached.
     */
    sqlite3_close(mirror->file);
    mirror->file = NULL;
}

static bool run_once(struct mirror *mirror)
{
    struct position now = {0};
    bool is_done = open_existing(mirror) && state_set(mirror->file, STATE_CONNECTING, NULL, -1, -1, NULL)
                   && run_connection(mirror, &now);
    position_free(&now);
    return is_done;
}

/* Shows why it waits or stopped, with a connection that has no transaction open. */
static bool show(struct mirror *mirror, enum state state, const char *why)
{
    char *text = allocated(strdup(why)); /* a failure below replaces it */
    bool is_shown = open_existing(mirror) && state_set(mirror->file, state, NULL, -1, -1, text);
    free(text);
    return is_shown;
}

int mirror_run(const struct options *options)
{
    struct mirror mirror = {.options = options};
    int wait = RETRY_FIRST_MS;
    if (!lock_file(options->file)) {
        message("%s", failure_text());
        return (int)failure();
    }
    mirror.slot = allocated(options->temporary ? sqlite3_mprintf("%s_%d", options->slot, (int)getpid())
                                               : sqlite3_mprintf("%s", options->slot));
    bool is_done = false;
    while (!is_done) {
        mirror.has_followed = false;
        is_done = run_once(&mirror);
        close_connection(&mirror);
        wait = mirror.has_followed ? RETRY_FIRST_MS : 2 * wait < RETRY_MOST_MS ? 2 * wait : RETRY_MOST_MS;
        if (is_done || failure() != FAILURE_CONNECTION || !mirror.has_connected) {
            break;
        }
        message("%s; trying again", failure_text());
        if (!show(&mirror, STATE_WAITING, failure_text())) {
            break;
        }
        wait_for_sockets(-1, -1, wait);
    }
    enum failure why = is_done ? FAILURE_ENDED : failure();
    char *text = allocated(strdup(is_done ? "--once is done" : failure_text()));
    if (why != FAILURE_ENDED) {
        message("%s", text);
    }
    /* The row says what the message said; a file that can't be written has said so already. */
    show(&mirror, STATE_STOPPED, text);
    free(text);
    close_connection(&mirror);
    position_free(&mirror.position);
    sqlite3_free(mirror.slot);
    return (int)why;
}
