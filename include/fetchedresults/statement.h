/* The SQL of a store: statements, transactions and single rows. */
#ifndef FETCHEDRESULTS_STATEMENT_H
#define FETCHEDRESULTS_STATEMENT_H

#include <stdbool.h>

#include "base.h"
#include "object.h"
#include "store.h"
#include "value.h"

FR_BEGIN_DECLS

/*
 * fr_store_execute: runs one SQL statement to its end, and discards the rows that it yields.
 *
 * SQLite undoes the effect of a failed statement. After a failure inside a transaction, the
 * transaction is still open, unless SQLite has ended it
 * (https://www.sqlite.org/lang_transaction.html). fr_store describes when changes are delivered.
 * The store caches prepared statements by their text.
 *
 * sql: exactly one statement.
 * params: values for the parameters ?1 ... ?count in order, borrowed during the call; may be NULL
 *   if count is 0.
 * Errors: FR_MISUSE, FR_CLOSED, FR_INVALID_UTF8, FR_TYPE; FR_SQL for wrong SQL, for no statement or
 *   several, and for more or fewer values than the statement has parameters; FR_CONSTRAINT,
 *   FR_BUSY, FR_READ_ONLY, FR_IO, ... as SQLite reports. Since 0.1.
 */
fr_status fr_store_execute(fr_store *store, const char *sql, const fr_value *params, size_t count);

/*
 * fr_store_execute_named: as fr_store_execute, for a statement with named parameters.
 *
 * names: `count` names with their prefix (":name", "@name" or "$name"); a name without prefix
 *   stands for ":name". Each parameter of the statement must be given, and each name must occur in
 *   it (FR_SQL). Since 0.1.
 */
fr_status fr_store_execute_named(fr_store *store, const char *sql, const char *const *names, const fr_value *values,
                                 size_t count);

/*
 * fr_store_execute_script: runs any number of statements, separated by semicolons, without
 * parameters.
 *
 * It stops at the first statement that fails. The statements before it keep their effect, unless
 * the script's own transaction is rolled back.
 *
 * Errors: as fr_store_execute. Since 0.1.
 */
fr_status fr_store_execute_script(fr_store *store, const char *sql);

/*
 * fr_store_changes: how many rows the last INSERT, UPDATE or DELETE of the store changed
 * (sqlite3_changes64).
 *
 * Errors: FR_MISUSE, FR_CLOSED. Since 0.1.
 */
fr_status fr_store_changes(int64_t *out, fr_store *store);

/*
 * fr_store_last_insert_rowid: the rowid of the store's last INSERT (sqlite3_last_insert_rowid); 0
 * before the first.
 *
 * Errors: FR_MISUSE, FR_CLOSED. Since 0.1.
 */
fr_status fr_store_last_insert_rowid(int64_t *out, fr_store *store);

/*
 * A prepared statement. It has one owner, which frees it with fr_statement_free. Only the thread
 * that uses its store may use it.
 */
typedef struct fr_statement fr_statement;

/*
 * fr_statement_prepare: prepares one SQL statement.
 *
 * out: receives the statement.
 * sql: exactly one statement.
 * Errors: FR_MISUSE, FR_CLOSED, FR_INVALID_UTF8; FR_SQL for wrong SQL or for no or more than one
 *   statement. Since 0.1.
 */
fr_status fr_statement_prepare(fr_statement **out, fr_store *store, const char *sql);

/*
 * fr_statement_free: frees the statement, and first resets one that is half-way.
 *
 * To get the status of the reset, call fr_statement_reset before. NULL does nothing. Since 0.1.
 */
void fr_statement_free(fr_statement *statement);

/*
 * fr_statement_bind: sets the value of parameter `index` (from 1, as in SQLite); the value is
 * copied.
 *
 * The statement must not be under way: reset it first. A parameter without a value is NULL.
 *
 * Errors: FR_MISUSE, also if the statement is under way; FR_CLOSED, FR_RANGE, FR_TYPE,
 *   FR_INVALID_UTF8. Since 0.1.
 */
fr_status fr_statement_bind(fr_statement *statement, int32_t index, const fr_value *value);

/*
 * fr_statement_bind_named: sets the value of the parameter called `name`; a name without prefix
 * stands for ":name".
 *
 * Errors: FR_SQL if there is no such parameter; otherwise as fr_statement_bind. Since 0.1.
 */
fr_status fr_statement_bind_named(fr_statement *statement, const char *name, const fr_value *value);

/*
 * fr_statement_execute: runs the statement from its beginning to its end, discards its rows, and
 * resets it.
 *
 * Parameters keep their values. Errors and delivery: as fr_store_execute. Since 0.1.
 */
fr_status fr_statement_execute(fr_statement *statement);

/*
 * fr_statement_step: moves to the next row.
 *
 * A statement that writes and yields rows (INSERT ... RETURNING) writes everything before its first
 * row, and commits at its end, when it is reset, or when it is freed. Until then its transaction is
 * open: fr_store_in_transaction is true, other statements of the store write in that transaction,
 * fr_store_begin returns FR_BUSY, and nothing is delivered.
 *
 * out: true if there is a row; false at the end, after which the statement is reset. Errors and
 *   delivery (at the end): as fr_store_execute. Since 0.1.
 */
fr_status fr_statement_step(bool *out, fr_statement *statement);

/*
 * fr_statement_column_count: the number of columns of a row; 0 for a statement that yields none.
 *
 * Errors: FR_MISUSE, FR_CLOSED. Since 0.1.
 */
fr_status fr_statement_column_count(int32_t *out, fr_statement *statement);

/*
 * fr_statement_column_name: the name of column `index`, from 0.
 *
 * out: borrowed until the statement is next executed, stepped or freed.
 * Errors: FR_MISUSE, FR_CLOSED, FR_RANGE. Since 0.1.
 */
fr_status fr_statement_column_name(const char **out, fr_statement *statement, int32_t index);

/*
 * fr_statement_value: the value of column `index` in the current row.
 *
 * out: its data is borrowed until the statement is next stepped, reset, executed or freed.
 * Errors: FR_MISUSE, also if there is no current row; FR_CLOSED, FR_RANGE. Since 0.1.
 */
fr_status fr_statement_value(fr_value *out, fr_statement *statement, int32_t index);

/*
 * fr_statement_reset: ends the statement, so that it can begin again and parameters can be set.
 *
 * Parameters keep their values. The statement's changes are committed and delivered, unless an
 * explicit transaction is open.
 *
 * Errors: FR_MISUSE, FR_CLOSED; the failures of the commit of a half-way statement (FR_CONSTRAINT,
 *   FR_BUSY, FR_IO, ...): SQLite has then undone what the statement wrote. The statement is reset
 *   in any case. Since 0.1.
 */
fr_status fr_statement_reset(fr_statement *statement);

/* How a transaction begins (https://www.sqlite.org/lang_transaction.html). */
enum {
    FR_DEFERRED = 0, /* locks when it first reads or writes */
    FR_IMMEDIATE = 1, /* takes the write lock immediately */
    FR_EXCLUSIVE = 2
};

/*
 * fr_store_begin: begins a transaction, or, inside one, a nested savepoint.
 *
 * A call of fr_store_commit or fr_store_rollback ends the innermost of them.
 *
 * mode: FR_DEFERRED, FR_IMMEDIATE or FR_EXCLUSIVE; ignored for a savepoint.
 * Errors: FR_MISUSE, FR_CLOSED, FR_RANGE; FR_BUSY, also while a statement that writes is half-way
 *   (fr_statement_step). Since 0.1.
 */
fr_status fr_store_begin(fr_store *store, int32_t mode);

/*
 * fr_store_commit: commits what the innermost fr_store_begin began.
 *
 * The outermost commit delivers.
 *
 * After a failure the transaction is still open, unless SQLite has rolled it back, as it does after
 * FR_IO; fr_store_in_transaction reports which.
 *
 * Errors: FR_MISUSE if there is no transaction; FR_CLOSED; FR_BUSY, FR_CONSTRAINT (deferred foreign
 *   keys), FR_IO. Since 0.1.
 */
fr_status fr_store_commit(fr_store *store);

/*
 * fr_store_rollback: rolls back everything since the innermost fr_store_begin.
 *
 * Nothing is delivered.
 *
 * Errors: FR_MISUSE if there is no transaction; FR_CLOSED. Since 0.1.
 */
fr_status fr_store_rollback(fr_store *store);

/*
 * fr_store_in_transaction: whether a transaction is open, however it was begun.
 *
 * A transaction is also open while a statement that writes is half-way (fr_statement_step).
 *
 * Errors: FR_MISUSE, FR_CLOSED. Since 0.1.
 */
fr_status fr_store_in_transaction(bool *out, fr_store *store);

/*
 * The work of fr_store_transaction: FR_OK to commit, any other status to roll back and return that
 * status.
 */
typedef fr_status (*fr_transaction_function)(fr_store *store, void *user_data);

/*
 * fr_store_transaction: runs `function` between fr_store_begin(store, FR_IMMEDIATE) and a commit or
 * rollback.
 *
 * Returns FR_OK, the status of the failed begin or commit, or the status that `function` returned.
 * The transaction is rolled back after a failed commit.
 *
 * Errors: FR_MISUSE, FR_CLOSED, and these. Since 0.1.
 */
fr_status fr_store_transaction(fr_store *store, fr_transaction_function function, void *user_data);

/*
 * fr_store_insert: inserts a row into a table.
 *
 * out: NULL, or receives the new row as an object (with the values that defaults and triggers gave
 *   it), to be released with fr_object_unref.
 * entity: the table, optionally with its database: "items", "aux.items".
 * columns, values: `count` of each; a count of 0 inserts the defaults.
 * Errors: FR_SCHEMA for an unknown table or column; FR_MISUSE, FR_CLOSED, FR_INVALID_UTF8, FR_TYPE;
 *   FR_CONSTRAINT, FR_BUSY, ...; FR_NOT_FOUND if `out` is not NULL and a trigger removed the row
 *   again. Since 0.1.
 */
fr_status fr_store_insert(fr_object **out, fr_store *store, const char *entity, const char *const *columns,
                          const fr_value *values, size_t count);

/*
 * fr_store_update: sets columns of the one row with the given identity.
 *
 * identity: `identity_count` values, in the order of the primary key's columns. For a row whose key
 *   holds a NULL they are a NULL for each of these columns, then the rowid.
 * Errors: FR_NOT_FOUND if there is no such row; FR_RANGE for a wrong identity_count or a count of
 *   0; otherwise as fr_store_insert. Since 0.1.
 */
fr_status fr_store_update(fr_store *store, const char *entity, const fr_value *identity, size_t identity_count,
                          const char *const *columns, const fr_value *values, size_t count);

/*
 * fr_store_delete: deletes the one row with the given identity.
 *
 * Errors: FR_NOT_FOUND if there is no such row; otherwise as fr_store_update. Since 0.1.
 */
fr_status fr_store_delete(fr_store *store, const char *entity, const fr_value *identity, size_t identity_count);

/*
 * fr_store_object: reads the row with the given identity, with all its columns, as it is now.
 *
 * Inside a transaction it reads the row as that transaction sees it.
 *
 * out: receives the object, to be released with fr_object_unref.
 * Errors: FR_NOT_FOUND; otherwise as fr_store_update. Since 0.1.
 */
fr_status fr_store_object(fr_object **out, fr_store *store, const char *entity, const fr_value *identity,
                          size_t identity_count);

FR_END_DECLS

#endif
