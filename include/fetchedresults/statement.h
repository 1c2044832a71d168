/* A prepared SQL statement of a store. */
#ifndef FETCHEDRESULTS_STATEMENT_H
#define FETCHEDRESULTS_STATEMENT_H

#include <stdbool.h>

#include "base.h"
#include "store.h"
#include "value.h"

FR_BEGIN_DECLS

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
 * Parameters keep their values. What the statement has written is committed and delivered, unless
 * it is in a transaction that was begun explicitly.
 *
 * Errors: FR_MISUSE, FR_CLOSED; the failures of the commit of a half-way statement (FR_CONSTRAINT,
 *   FR_BUSY, FR_IO, ...): SQLite has then undone what the statement wrote. The statement is reset
 *   in any case. Since 0.1.
 */
fr_status fr_statement_reset(fr_statement *statement);

FR_END_DECLS

#endif
