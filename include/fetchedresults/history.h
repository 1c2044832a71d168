/* Histories: records of which rows of a table were touched, by whatever program. */
#ifndef FETCHEDRESULTS_HISTORY_H
#define FETCHEDRESULTS_HISTORY_H

#include <stdbool.h>

#include "base.h"
#include "statement.h"
#include "store.h"

FR_BEGIN_DECLS

/*
 * A history of a table is a part of the database. Triggers write it
 * (https://www.sqlite.org/lang_createtrigger.html): they note the key of each row that any program
 * inserts, updates or deletes, in the transaction that does so. Each touched row costs one
 * additional insert, and one delete.
 *
 * A history has three uses. A program can ask which rows were touched since a generation
 * (fr_store_touched_rows), for example to synchronise. In the rollback modes, lists follow foreign
 * commits by the touched rows (fr_store_dispatch), as they do in WAL mode without a history. A
 * list that was cached by name continues from the state in which it was cached
 * (fr_request_set_cache_name).
 *
 * A generation is a number for a state of the database. It grows with each touched row. A rollback
 * sets it back, and the numbers that were undone are not used again, because the lower 20 bits are
 * random.
 *
 * A history belongs to the database, not to the store. It continues when the store is closed, and
 * all stores and programs share it. It is trusted only as long as the schema is the same as when
 * the triggers were made, because another unique index would bypass them, and VACUUM can change
 * rowids. After any change of the schema, the next fr_store_start_history makes the triggers again,
 * and the histories of all tables begin again. So a program calls it for each of its tables at each
 * start, after it has brought the schema up to date.
 *
 * If REPLACE puts the default of a column in place of NULL, and the column is part of a key or a
 * unique index, then it is unknown which row was replaced. The history of that table begins again,
 * and fr_store_touched_rows returns FR_GONE for earlier generations.
 *
 * Two kinds of writes are not in a history, because triggers do not notice them: writes of
 * connections that disable triggers (SQLITE_DBCONFIG_ENABLE_TRIGGER,
 * https://www.sqlite.org/c3ref/c_dbconfig_defensive.html), and incremental writes of blobs
 * (https://www.sqlite.org/c3ref/blob_open.html).
 */

/*
 * fr_store_start_history: starts to note the touched rows of a table.
 *
 * It does nothing if they are noted already and the history is trusted.
 *
 * table: a table of the main database: "items", "main.items". It may declare no primary key; VACUUM
 *   may then give its rows other rowids.
 * Errors: FR_SCHEMA if there is no such table, for a view or a virtual table, for a table that
 *   belongs to SQLite or in which a virtual table keeps its data (writes of these crash where a
 *   trigger runs), for a table with a unique index of expressions, by which REPLACE deletes rows
 *   that no trigger notices, and for one with a BEFORE UPDATE trigger that updates the same table,
 *   if a key or a unique index has more than one column or a generated one; FR_MISUSE, also for a
 *   table that is not in the main database, and for the tables of the history itself; FR_CLOSED,
 *   FR_INVALID_UTF8; FR_READ_ONLY, FR_BUSY, FR_IO, ... as SQLite reports. After a failure nothing
 *   has changed.
 * Complexity: O(1). Making the triggers changes the schema, so all lists of the database are read
 *   again. Since 0.1.
 */
fr_status fr_store_start_history(fr_store *store, const char *table);

/*
 * fr_store_stop_history: ends the history of a table, for all programs.
 *
 * It is not an error if there is none. With the last history, everything that belongs to histories
 * is removed from the database.
 *
 * table: as in fr_store_start_history. The table may have been dropped.
 * Errors: FR_MISUSE, FR_CLOSED, FR_INVALID_UTF8; FR_READ_ONLY, FR_BUSY, FR_IO, ... as SQLite
 *   reports. O(n) for n noted rows. The call changes the schema. Since 0.1.
 */
fr_status fr_store_stop_history(fr_store *store, const char *table);

/*
 * fr_store_has_history: whether a table has a trusted history; false also for a table that does not
 * exist.
 *
 * out: receives it.
 * table: as in fr_store_start_history.
 * Errors: FR_MISUSE, FR_CLOSED, FR_INVALID_UTF8; FR_BUSY, FR_IO, ... if the database can't be read.
 *   Since 0.1.
 */
fr_status fr_store_has_history(bool *out, fr_store *store, const char *table);

/*
 * fr_store_history_generation: the generation of the state that the store reads.
 *
 * In a transaction it includes what the transaction has touched.
 *
 * A program stores it together with what it has done with that state.
 *
 * out: receives the generation, above 0.
 * Errors: FR_MISUSE, also if there is no trusted history; FR_CLOSED; FR_BUSY, FR_IO, ... if the
 *   database can't be read. O(log n) for n noted rows. Since 0.1.
 */
fr_status fr_store_history_generation(int64_t *out, fr_store *store);

/*
 * fr_store_touched_rows: the rows of a table that were touched since a generation, each once, in
 * the order in which they were touched first.
 *
 * The history does not note whether such a row was inserted, updated or deleted: fr_store_object
 * returns the row as it is now.
 *
 * A program that asks repeatedly reads the generation first and the rows after it, or does both in
 * one transaction. So it does not miss what is committed in between.
 *
 * out: receives a statement that yields their identities. It is stepped, reset and freed like those
 *   of fr_statement_prepare. Its columns are the primary key's, by their names, in the order of the
 *   key; for a table whose identity is the rowid there is one column. If the key of the table may
 *   be NULL (https://www.sqlite.org/quirks.html#primary_keys_can_sometimes_contain_nulls), one more
 *   column follows. Of a row whose key holds a NULL it contains the rowid, and the columns of the
 *   key are NULL: all columns are the row's identity. It is NULL for all other rows, and no part of
 *   their identity.
 * table: as in fr_store_start_history.
 * since: a generation of fr_store_history_generation.
 * Errors: FR_GONE if the history of the table begins later, or began again, if the generation was
 *   deleted, or if it is not one of this database, for example after the file was replaced by an
 *   older copy. It is then unknown what was touched, and the program must read all rows. FR_SCHEMA
 *   if there is no such table; FR_MISUSE, also if the table has no trusted history; FR_CLOSED,
 *   FR_INVALID_UTF8; FR_BUSY, FR_IO, ... if the database can't be read. The first
 *   fr_statement_step, and the first after a reset, also returns FR_GONE or FR_MISUSE if the
 *   history was shortened or ended in the meantime.
 * Complexity: O(m) to step through m rows of all tables that were touched since. Since 0.1.
 */
fr_status fr_store_touched_rows(fr_statement **out, fr_store *store, const char *table, int64_t since);

/*
 * fr_store_history_limit: the least number of touched rows that the history retains for all tables
 * together; 100,000 unless set.
 *
 * Older rows are deleted as new ones are added, at most 64 later.
 *
 * out: receives the number.
 * Errors: FR_MISUSE, also if there is no history; FR_CLOSED; FR_BUSY, FR_IO, ... if the database
 *   can't be read. O(1). Since 0.1.
 */
fr_status fr_store_history_limit(int64_t *out, fr_store *store);

/*
 * fr_store_set_history_limit: sets that number, for all programs, and deletes what exceeds it.
 *
 * A row takes the bytes of its key and about 20 more.
 *
 * limit: from 1 to 2^40.
 * Errors: FR_RANGE for another limit; FR_MISUSE, also if there is no history; FR_CLOSED;
 *   FR_READ_ONLY, FR_BUSY, FR_IO, ... as SQLite reports. O(m) for m rows that are deleted. Since
 *   0.1.
 */
fr_status fr_store_set_history_limit(fr_store *store, int64_t limit);

/*
 * fr_store_delete_history: deletes what all tables noted up to a generation.
 *
 * That generation becomes the first one that is known. The last noted row always remains, so that
 * generations only grow.
 *
 * before: a generation; a number that is not one deletes all smaller ones.
 * Errors: FR_MISUSE, also if there is no history; FR_CLOSED; FR_READ_ONLY, FR_BUSY, FR_IO, ... as
 *   SQLite reports. O(m) for m rows that are deleted. Since 0.1.
 */
fr_status fr_store_delete_history(fr_store *store, int64_t before);

FR_END_DECLS

#endif
