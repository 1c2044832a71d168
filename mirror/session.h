/* One connection to the server: what it has to do before it can follow, and following. */
#ifndef SESSION_H
#define SESSION_H

#include <libpq-fe.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "apply.h"
#include "catalog.h"
#include "options.h"
#include "state.h"

struct session {
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

/* Opens the file, if there is one; it must be a mirror's. */
bool session_open_file(struct session *session);

/* Connects, copies if necessary, and follows; true if --once is done. Close it in both cases. */
bool session_run(struct session *session);

/* Closes the connection and the file. A part of a transaction is rolled back. */
void session_close(struct session *session);

#endif
