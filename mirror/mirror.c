/* The mirror: sessions one after another, until one ends that is not to be tried again. */
#include "mirror.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "file.h"
#include "message.h"
#include "session.h"
#include "state.h"
#include "waiting.h"

enum { RETRY_FIRST_MS = 200, RETRY_MOST_MS = 5000 };

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

/* Shows why it waits or stopped, with a connection that has no transaction open. */
static bool show(struct session *session, enum state state, const char *why)
{
    char *text = allocated(strdup(why)); /* a failure below replaces it */
    bool is_shown = session_open_file(session) && state_set(session->file, state, NULL, -1, -1, text);
    free(text);
    return is_shown;
}

int mirror_run(const struct options *options)
{
    struct session session = {.options = options};
    int wait = RETRY_FIRST_MS;
    char *shown = NULL;
    if (!lock_file(options->file)) {
        message("%s", failure_text());
        return (int)failure();
    }
    session.slot = allocated(options->temporary ? sqlite3_mprintf("%s_%d", options->slot, (int)getpid())
                                                : sqlite3_mprintf("%s", options->slot));
    bool is_done = false;
    while (!is_done) {
        session.has_followed = false;
        is_done = session_run(&session);
        session_close(&session);
        wait = session.has_followed ? RETRY_FIRST_MS : 2 * wait < RETRY_MOST_MS ? 2 * wait : RETRY_MOST_MS;
        if (is_done || failure() != FAILURE_CONNECTION || !session.has_connected) {
            break;
        }
        if (shown == NULL || strcmp(shown, failure_text()) != 0) { /* once for each reason */
            free(shown);
            shown = allocated(strdup(failure_text()));
            message("%s; trying again", shown);
        }
        if (!show(&session, STATE_WAITING, failure_text())) {
            break;
        }
        wait_for_sockets(-1, -1, wait);
        if (signals_end()) {
            break;
        }
    }
    free(shown);
    enum failure why = is_done ? FAILURE_ENDED : failure();
    char *text = allocated(strdup(is_done ? "--once is done" : failure_text()));
    if (why != FAILURE_ENDED) {
        message("%s", text);
    }
    /* The row says what the message said; a file that can't be written has said so already. */
    show(&session, STATE_STOPPED, text);
    free(text);
    session_close(&session);
    position_free(&session.position);
    sqlite3_free(session.slot);
    return (int)why;
}
