/*
 * Copying tables again. A second, temporary slot has a snapshot that lies ahead of the stream. Rows
 * of the stale tables are skipped until the stream is there; then the file gets the difference. If
 * the stream passes that place before it is known, rows are missing in between: the copy begins
 * again, and now the stream waits for the slot.
 */
#include "again.h"

#include <string.h>
#include <unistd.h>

#include "file.h"
#include "merge.h"
#include "message.h"
#include "server.h"
#include "waiting.h"

enum { STEP_MS = 5, HOLD_MS = 100, RETRY_SECONDS = 1 };

static const double REPORT_SECONDS = 0.2;

static bool any_is_stale(const struct tables *tables)
{
    for (size_t i = 0; i < tables->count; i++) {
        if (tables->items[i].is_stale) {
            return true;
        }
    }
    return false;
}

bool again_is_busy(const struct again *again, const struct apply *apply)
{
    return again->copy.phase != COPY_NONE || any_is_stale(apply->tables);
}

int again_socket(const struct again *again)
{
    bool waits = again->copy.phase != COPY_NONE && again->copy.phase != COPY_DONE;
    return waits ? PQsocket(again->connection) : -1;
}

void again_end(struct again *again)
{
    copy_end(&again->copy);
    PQfinish(again->connection);
    again->connection = NULL;
    again->is_attached = again->is_merged = false;
}

static bool begin(struct again *again, const struct tables *tables)
{
    char *slot = allocated(sqlite3_mprintf("%s_again_%d", again->options->slot, (int)getpid()));
    again->copy.options = again->options;
    again->copy.wanted = tables;
    again->connection = server_connect(again->options->conninfo);
    bool has_begun = again->connection != NULL && copy_begin(&again->copy, again->connection, slot, true);
    sqlite3_free(slot);
    return has_begun;
}

/* Says in the file how far it is, a few times in a second. */
static bool report(struct again *again, const struct apply *apply)
{
    double now = seconds_now();
    if (!apply_is_idle(apply) || now - again->reported < REPORT_SECONDS) {
        return true;
    }
    again->reported = now;
    return copy_report(&again->copy, apply->file);
}

/* Whether rows were skipped that the copy does not have. */
static bool is_passed(const struct again *again)
{
    return again->copy.lsn != 0 && !again->is_attached && again->passed >= again->copy.lsn;
}

/* Copies without reading the stream. */
static bool hold(struct again *again, struct apply *apply)
{
    while (again->copy.phase != COPY_DONE) {
        if (signals_end() || !copy_step(&again->copy, HOLD_MS) || !report(again, apply)
            || !again->report(again->user_data)) {
            return false;
        }
        if (again->copy.phase != COPY_DONE) {
            wait_for_sockets(PQsocket(again->connection), -1, HOLD_MS);
        }
    }
    return true;
}

static bool attach(struct again *again, struct apply *apply)
{
    again->is_attached = merge_attach(apply->file, again->copy.path);
    return again->is_attached;
}

/* A lost connection is tried again. */
static bool give_time(struct again *again)
{
    if (failure() != FAILURE_CONNECTION) {
        return false;
    }
    note("the second connection is tried again: %s", failure_text());
    again_end(again);
    again->next = seconds_now() + RETRY_SECONDS;
    return true;
}

bool again_step(struct again *again, struct apply *apply)
{
    bool is_done = true;
    if (again->copy.phase == COPY_NONE) {
        bool is_due = any_is_stale(apply->tables) && seconds_now() >= again->next && apply_is_idle(apply);
        is_done = !is_due || (begin(again, apply->tables) && (!again->holds || hold(again, apply)));
    } else if (is_passed(again)) {
        note("the stream has passed the copy, which begins again");
        again_end(again);
        again->holds = true;
    } else if (again->copy.phase != COPY_DONE) {
        is_done = copy_step(&again->copy, STEP_MS) && report(again, apply);
    } else if (apply_is_idle(apply) && !again->is_attached) {
        return attach(again, apply);
    } else if (apply_is_idle(apply) && again->is_merged) {
        is_done = merge_detach(apply->file, again->copy.path);
        again_end(again);
        again->holds = false;
        return is_done;
    }
    return is_done || give_time(again);
}

/* The table as it was copied takes the place of the stale one. */
static void replace(struct table *old, struct table *copied, uint64_t lsn)
{
    if (old->oid == copied->oid) {
        copied->streamed = old->streamed;
        old->streamed = NULL;
    }
    copied->fits = copied->streamed != NULL && strcmp(copied->streamed, copied->signature) == 0;
    copied->from = lsn;
    table_free(old);
    *old = *copied;
    memset(copied, 0, sizeof *copied);
}

bool again_pass(struct again *again, struct apply *apply, uint64_t lsn)
{
    bool arrives = again->copy.lsn != 0 && !is_passed(again) && lsn >= again->copy.lsn && !again->is_attached;
    if (arrives) {
        if (!apply_flush(apply)) {
            return false;
        }
        if (!hold(again, apply)) {
            again->passed = lsn;
            return give_time(again);
        }
        if (!attach(again, apply)) {
            return false;
        }
    }
    again->passed = lsn;
    return again_reach(again, apply, lsn);
}

bool again_reach(struct again *again, struct apply *apply, uint64_t lsn)
{
    struct tables *copied = &again->copy.tables;
    if (!again->is_attached || again->is_merged || lsn < again->copy.lsn) {
        return true;
    }
    if (!apply_enter(apply) || !merge_tables(apply->file, copied)) {
        return false;
    }
    for (size_t i = 0; i < copied->count; i++) {
        for (size_t k = 0; k < apply->tables->count; k++) {
            struct table *table = &apply->tables->items[k];
            if (copied->items[i].asked != NULL && strcmp(table->asked, copied->items[i].asked) == 0) {
                replace(table, &copied->items[i], again->copy.lsn);
            }
        }
    }
    again->is_merged = true;
    return true;
}
