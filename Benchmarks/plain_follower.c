#include "plain_follower.h"

#include <poll.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "bench.h"

enum { GENEROUS_MS = 10000 };

static int64_t data_version(struct plain_follower *follower)
{
    if (sqlite3_step(follower->version) != SQLITE_ROW) fail(sqlite3_errmsg(follower->db));
    int64_t version = sqlite3_column_int64(follower->version, 0);
    sqlite3_reset(follower->version);
    return version;
}

void open_plain_follower(struct plain_follower *follower, struct path path)
{
    char log[PATH_LENGTH + 8];
    snprintf(log, sizeof log, "%s-wal", path.text);
    follower->db = open_database(path.text);
    follower->version = prepare(follower->db, "PRAGMA data_version");
    follower->row = prepare(follower->db, "SELECT section_id, name FROM items WHERE id = ?");
    follower->known = data_version(follower);
    follower->notices = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (follower->notices < 0 || inotify_add_watch(follower->notices, log, IN_MODIFY) < 0) fail("no notices");
}

void close_plain_follower(struct plain_follower *follower)
{
    close(follower->notices);
    sqlite3_finalize(follower->version);
    sqlite3_finalize(follower->row);
    sqlite3_close(follower->db);
}

void clear_notices(struct plain_follower *follower)
{
    char notices[4096];
    while (read(follower->notices, notices, sizeof notices) > 0) {
    }
}

void follow_plainly(struct plain_follower *follower, int64_t id)
{
    struct pollfd waited = {.fd = follower->notices, .events = POLLIN};
    if (poll(&waited, 1, GENEROUS_MS) != 1) fail("the commit of another process was not noticed");
    clear_notices(follower);
    int64_t version = data_version(follower);
    // The notice precedes the moment at which the commit is visible.
    while (version == follower->known) version = data_version(follower);
    follower->known = version;
    sqlite3_bind_int64(follower->row, 1, id);
    if (sqlite3_step(follower->row) != SQLITE_ROW) fail(sqlite3_errmsg(follower->db));
    sqlite3_reset(follower->row);
}
