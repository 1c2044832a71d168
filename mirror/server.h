/* Connections to the server, and statements that it executes. */
#ifndef SERVER_H
#define SERVER_H

#include <libpq-fe.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A connection for replication, which executes SQL too. Its text forms of values are fixed,
 * whatever the server's settings are. NULL after a failure.
 */
PGconn *server_connect(const char *conninfo);

/*
 * Sends a statement; sqlite3_mprintf makes it from the format: %Q is a quoted value, "%w" a name.
 */
bool server_send(PGconn *connection, const char *format, ...);

/* Waits for the result of what was sent, also for a signal. NULL after a failure. */
PGresult *server_result(PGconn *connection, ExecStatusType wanted);

/* Sends, waits, and checks the status. */
PGresult *server_ask(PGconn *connection, const char *format, ...);
bool server_do(PGconn *connection, const char *format, ...);

/* Fails with what the connection or a result says. */
bool server_failed(PGconn *connection, const PGresult *result);

/* A position in the server's log, from its text; 0 if it is none. */
uint64_t lsn_of(const char *text);

#endif
