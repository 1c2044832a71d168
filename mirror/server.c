/* Connections. Passwords, TLS and services are libpq's; no message has the connection's string. */
#include "server.h"

#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "message.h"
#include "waiting.h"

uint64_t lsn_of(const char *text)
{
    unsigned high, low;
    return sscanf(text, "%X/%X", &high, &low) == 2 ? (uint64_t)high << 32 | low : 0;
}

/* What to do about an error of the server, by the class or code of its SQLSTATE. */
static const struct {
    const char *state;
    enum failure why;
    const char *advice;
} advices[] = {
    {"42501", FAILURE_SERVER, "give the role REPLICATION, and SELECT on the tables"},
    {"53400", FAILURE_SERVER, "raise max_replication_slots and max_wal_senders, or drop a slot that is not used"},
    {"55006", FAILURE_CONNECTION, "another mirror may use the slot: end it, or choose another --slot"},
    {"55000", FAILURE_CONNECTION, "the slot may have lost its log; the next connection compares the file"},
    {"42704", FAILURE_SERVER, "run frmirror again, with --create-publication if the publication is gone"},
    {"42703", FAILURE_CONNECTION, "the table is changed while it is read"},
    {"40", FAILURE_CONNECTION, "it is in the way of other transactions"},
    {"42P01", FAILURE_TABLE, "check the names of the tables"},
    {"57P", FAILURE_CONNECTION, "start the server if it does not start itself"},
    {"08", FAILURE_CONNECTION, "check the network"},
    {"53", FAILURE_CONNECTION, "the server has too few resources"},
    {"", FAILURE_SERVER, "see the server's log"},
};

bool server_failed(PGconn *connection, const PGresult *result)
{
    const char *state = result != NULL ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
    if (signals_end()) {
        return false;
    }
    if (state == NULL || PQstatus(connection) != CONNECTION_OK) {
        const char *text = PQerrorMessage(connection);
        return failed(FAILURE_CONNECTION, "the connection is lost: %s", *text != '\0' ? text : "the server ended it");
    }
    for (size_t i = 0;; i++) {
        if (strncmp(state, advices[i].state, strlen(advices[i].state)) == 0) {
            return failed(advices[i].why, "the server refuses: %s (%s): %s",
                          PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY), state, advices[i].advice);
        }
    }
}

static void take_notice(void *user_data, const char *text)
{
    (void)user_data;
    note("%s", text);
}

/* libpq's message about a string that it can't read quotes it, and so perhaps a password. */
static bool is_readable(const char *conninfo)
{
    char *text = NULL;
    if (strchr(conninfo, '=') == NULL && strstr(conninfo, "://") == NULL) {
        return true; /* the name of a database */
    }
    PQconninfoOption *parsed = PQconninfoParse(conninfo, &text);
    bool is_right = parsed != NULL;
    PQconninfoFree(parsed);
    PQfreemem(text);
    return is_right
           || failed(FAILURE_USAGE, "the connection's string can't be read: quote values that contain blanks, and"
                                    " encode special characters of a URI");
}

PGconn *server_connect(const char *conninfo)
{
    if (!is_readable(conninfo)) {
        return NULL;
    }
    static const char *const keywords[] = {"dbname", "replication", "client_encoding", "fallback_application_name",
                                           NULL};
    const char *const values[] = {conninfo, "database", "UTF8", "frmirror", NULL};
    PGconn *connection = allocated(PQconnectdbParams(keywords, values, 1));
    PQsetNoticeProcessor(connection, take_notice, NULL);
    if (PQstatus(connection) != CONNECTION_OK) {
        failed(FAILURE_CONNECTION, "no connection: %s: check the connection's string and that the server runs",
               PQerrorMessage(connection));
    } else if (PQserverVersion(connection) < 100000) {
        failed(FAILURE_SERVER, "the server is too old: PostgreSQL 10 or later is needed");
    } else if (server_do(connection, "SET standard_conforming_strings = on; SET timezone = 'UTC';"
                                     "SET datestyle = 'ISO'; SET intervalstyle = 'iso_8601';"
                                     "SET extra_float_digits = 3; SET bytea_output = 'hex'; SET row_security = off")) {
        /* Newer servers have more of them. */
        PGresult *result = server_ask(connection, "SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN"
                                                  " ('statement_timeout', 'lock_timeout', 'transaction_timeout',"
                                                  " 'idle_in_transaction_session_timeout', 'idle_session_timeout')");
        PQclear(result);
        if (result != NULL) {
            return connection;
        }
    }
    PQfinish(connection);
    return NULL;
}

static bool send_text(PGconn *connection, char *sql)
{
    bool is_sent = PQsendQuery(connection, allocated(sql)) == 1;
    sqlite3_free(sql);
    return is_sent || server_failed(connection, NULL);
}

PGresult *server_result(PGconn *connection, ExecStatusType wanted)
{
    PGresult *result = NULL, *next;
    for (;;) {
        while (PQisBusy(connection)) {
            wait_for_sockets(PQsocket(connection), -1, 1000);
            if (signals_end() || (PQconsumeInput(connection) == 0 && !server_failed(connection, NULL))) {
                PQclear(result);
                return NULL;
            }
        }
        next = PQgetResult(connection);
        if (next == NULL) {
            break;
        }
        if (result == NULL || PQresultStatus(result) == PGRES_COMMAND_OK) {
            PQclear(result); /* of several statements, the last result counts, or the first failure */
            result = next;
        } else {
            PQclear(next);
        }
        if (PQresultStatus(result) == PGRES_COPY_OUT || PQresultStatus(result) == PGRES_COPY_BOTH) {
            break;
        }
    }
    if (PQresultStatus(result) != wanted) {
        server_failed(connection, result);
        PQclear(result);
        return NULL;
    }
    return result;
}

bool server_send(PGconn *connection, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *sql = sqlite3_vmprintf(format, arguments);
    va_end(arguments);
    return send_text(connection, sql);
}

PGresult *server_ask(PGconn *connection, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *sql = sqlite3_vmprintf(format, arguments);
    va_end(arguments);
    return send_text(connection, sql) ? server_result(connection, PGRES_TUPLES_OK) : NULL;
}

bool server_do(PGconn *connection, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *sql = sqlite3_vmprintf(format, arguments);
    va_end(arguments);
    PGresult *result = send_text(connection, sql) ? server_result(connection, PGRES_COMMAND_OK) : NULL;
    PQclear(result);
    return result != NULL;
}
