/* The loop of the stream: https://www.postgresql.org/docs/current/protocol-replication.html */
#include "follow.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "again.h"
#include "file.h"
#include "message.h"
#include "server.h"
#include "state.h"
#include "waiting.h"

enum {
    WAIT_MS = 200,
    ASK_AFTER = 10,      /* seconds of silence, after which the server is asked for a message */
    LOST_AFTER = 40,     /* and after which the connection counts as lost */
    KEEP_ALIVE = 5,      /* seconds after which what takes long reports */
    STEPS = 1000000,     /* of SQLite between two looks at the clock */
    IDLE_SYNC = 10,      /* seconds after which a position without changes is stored */
    BEHIND_SECONDS = 2,  /* the age of a transaction, as the server sends it */
    DATA_HEADER = 25,    /* 'w', two positions, a time */
    KEEPALIVE_LENGTH = 18
};

static const time_t epoch_2000 = 946684800;
static const int64_t MICROSECONDS = 1000000; /* in a second */

struct follower {
    const struct options *options;
    PGconn *connection;
    struct apply *apply;
    struct again again;
    struct message *message;
    uint64_t target;
    double heard, reported, synced, showed;
    int64_t synced_commits;
    int64_t behind; /* microseconds between the last commit and the time when it was sent */
    bool is_shown;  /* the file says that it follows */
    unsigned messages;
};

static bool send_status(struct follower *follower, bool asks)
{
    char status[34] = "r";
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    for (int i = 0; i < 3; i++) { /* written, flushed and applied are one here */
        encode_number(status + 1 + 8 * i, follower->apply->durable, 8);
    }
    encode_number(status + 25, (uint64_t)((now.tv_sec - epoch_2000) * 1000000 + now.tv_nsec / 1000), 8);
    status[33] = (char)asks;
    follower->reported = seconds_now();
    return (PQputCopyData(follower->connection, status, sizeof status) == 1 && PQflush(follower->connection) >= 0)
           || server_failed(follower->connection, NULL);
}

/* The server may drop the log before what is reported, so that must survive a loss of power. */
static bool sync_and_report(struct follower *follower, bool asks)
{
    follower->synced = seconds_now();
    follower->synced_commits = follower->apply->commits;
    return apply_sync(follower->apply) && send_status(follower, asks);
}

/*
 * Says how old the last transaction was when the server sent it; a server that is silent has no
 * more.
 */
static bool show_state(struct follower *follower, bool has_all)
{
    double now = seconds_now();
    char *why = NULL;
    if (has_all && now - follower->heard >= WAIT_MS / 1e3) {
        follower->behind = 0;
    }
    bool is_behind = follower->behind > BEHIND_SECONDS * MICROSECONDS;
    if (!apply_is_idle(follower->apply) || (is_behind ? now - follower->showed < 1 : follower->is_shown)) {
        return true;
    }
    if (is_behind) {
        why = allocated(sqlite3_mprintf("by %lld s", (long long)(follower->behind / MICROSECONDS)));
    }
    follower->showed = now;
    follower->is_shown = !is_behind;
    bool is_set = state_set(follower->apply->file, is_behind ? STATE_BEHIND : STATE_FOLLOWING, NULL, -1, -1, why);
    sqlite3_free(why);
    return is_set;
}

/*
 * What is due: reports, syncs, tables that are copied again. `has_all`: nothing waits to be read.
 */
static bool tend(struct follower *follower, bool has_all)
{
    struct apply *apply = follower->apply;
    double now = seconds_now();
    if (again_is_busy(&follower->again, apply)) {
        follower->is_shown = false; /* the copy shows how far it is */
        if (!again_step(&follower->again, apply)) {
            return false;
        }
    } else if (!show_state(follower, has_all)) {
        return false;
    }
    if (has_all && now - follower->heard > LOST_AFTER) {
        return failed(FAILURE_CONNECTION, "the server is silent for %d s: check the network", LOST_AFTER);
    }
    /* How far an idle server is matters when that is waited for. */
    bool waits = has_all && (follower->target != 0 || follower->again.copy.phase == COPY_DONE);
    bool asks = waits || (has_all && now - follower->heard > ASK_AFTER);
    if (now - follower->reported < (waits ? 0.05 : 1)) {
        return true;
    }
    bool syncs = apply->commits != follower->synced_commits || now - follower->synced > IDLE_SYNC;
    return apply_is_idle(apply) && syncs ? sync_and_report(follower, asks) : send_status(follower, asks);
}

static bool take_data(struct follower *follower, char *bytes, size_t length)
{
    struct message *message = follower->message;
    if (length < DATA_HEADER || !decode(message, bytes + DATA_HEADER, length - DATA_HEADER)) {
        return failed(FAILURE_STREAM, "the server sends what no version 1 of pgoutput has: report this");
    }
    if (message->type == MESSAGE_BEGIN) {
        follower->behind = (int64_t)decode_number(bytes + 17, 8) - message->time;
    }
    return apply_message(follower->apply, message)
           && (message->type != MESSAGE_BEGIN || again_pass(&follower->again, follower->apply, message->lsn));
}

/* Between transactions, the server says how far it has looked. */
static bool take_keepalive(struct follower *follower, const char *bytes, size_t length)
{
    struct apply *apply = follower->apply;
    if (length < KEEPALIVE_LENGTH) {
        return failed(FAILURE_STREAM, "the server sends a keepalive that is too short: report this");
    }
    uint64_t lsn = decode_number(bytes + 1, 8);
    bool is_asked = bytes[17] != 0;
    if (!apply->is_open
        && (!again_reach(&follower->again, apply, lsn) || !apply_leave(apply, lsn) || !apply_flush(apply))) {
        return false;
    }
    return !is_asked || (apply_is_idle(apply) ? sync_and_report(follower, false) : send_status(follower, false));
}

/* One message, if there is one. */
static bool take(struct follower *follower, bool *has_all)
{
    char *bytes;
    bool is_done = true;
    int length = PQgetCopyData(follower->connection, &bytes, 1);
    if (length == 0) { /* no more was read; there may be more to read */
        if (PQconsumeInput(follower->connection) == 0) {
            return server_failed(follower->connection, NULL);
        }
        length = PQgetCopyData(follower->connection, &bytes, 1);
    }
    *has_all = length == 0;
    if (length < 0) {
        PGresult *result = length == -1 ? PQgetResult(follower->connection) : NULL;
        server_failed(follower->connection, PQresultErrorField(result, PG_DIAG_SQLSTATE) != NULL ? result : NULL);
        PQclear(result);
        return false;
    } else if (length > 0) {
        if (bytes[0] == 'w') {
            is_done = take_data(follower, bytes, (size_t)length);
        } else if (bytes[0] == 'k') {
            is_done = take_keepalive(follower, bytes, (size_t)length);
        }
        PQfreemem(bytes);
        follower->heard = seconds_now(); /* the time that writing took is no silence */
    }
    return is_done;
}

static bool is_at_target(const struct follower *follower)
{
    const struct apply *apply = follower->apply;
    return follower->target != 0 && apply->applied >= follower->target && apply_is_idle(apply)
           && !again_is_busy(&follower->again, apply);
}

/* What takes long calls it: a server that gets no report ends the connection. */
static bool report(void *user_data)
{
    struct follower *follower = user_data;
    return seconds_now() - follower->reported < KEEP_ALIVE || send_status(follower, false);
}

/* SQLite's form of it: a statement is interrupted after a failure, which is noted. */
static int interrupts(void *user_data)
{
    return !report(user_data);
}

static bool run(struct follower *follower)
{
    bool has_all = false;
    while (!is_at_target(follower)) {
        if (signals_end() || !take(follower, &has_all)) {
            return false;
        }
        if (has_all && !apply_flush(follower->apply)) {
            return false;
        }
        bool is_due = has_all || follower->message->type == MESSAGE_COMMIT || ++follower->messages % 64 == 0;
        if (is_due && !tend(follower, has_all)) {
            return false;
        }
        if (has_all) {
            wait_for_sockets(PQsocket(follower->connection), again_socket(&follower->again),
                             follower->again.copy.phase == COPY_DONE || follower->target != 0 ? WAIT_MS / 10 : WAIT_MS);
        }
    }
    return true;
}

bool follow(const struct options *options, PGconn *connection, struct apply *apply, uint64_t target)
{
    struct follower follower = {.options = options, .connection = connection, .apply = apply, .target = target};
    follower.again.options = options;
    follower.again.report = report;
    follower.again.user_data = &follower;
    follower.message = allocated(calloc(1, sizeof *follower.message));
    follower.heard = follower.synced = seconds_now();
    sqlite3_progress_handler(apply->file, STEPS, interrupts, &follower);
    bool is_done = run(&follower);
    sqlite3_progress_handler(apply->file, 0, NULL, NULL);
    /*
     * What is whole is committed and reported; a part of a transaction is rolled back when the file
     * closes.
     */
    if ((is_done || failure() == FAILURE_ENDED) && !apply->is_inside) {
        is_done = apply_flush(apply) && sync_and_report(&follower, false) && is_done;
    }
    note("%lld transactions in %lld commits", (long long)apply->transactions, (long long)apply->commits);
    again_end(&follower.again);
    free(follower.message);
    return is_done;
}
