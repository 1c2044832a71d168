/* Undo and redo of what a store has written. */
#ifndef FETCHEDRESULTS_UNDO_H
#define FETCHEDRESULTS_UNDO_H

#include <stdbool.h>
#include <stddef.h>

#include "base.h"
#include "store.h"

FR_BEGIN_DECLS

/*
 * A step is a transaction that the program names, such as "Delete 3 notes". The store remembers the
 * rows that a step has changed, with their values before and after it. Undo writes the old values
 * back, in a transaction that is delivered as any write. The rows are then exactly as before the
 * step, whatever changed them: statements, triggers, foreign keys or REPLACE.
 *
 * Undo reverses the store's own steps alone. If another connection, or another transaction of the
 * program, has changed a row of the step since, undo changes nothing, and fails with FR_GONE and
 * the names of the rows.
 *
 * During undo and redo no trigger runs, and foreign keys have no effect, except that they are
 * checked: the rows that triggers and foreign keys changed belong to the step. SQLite can't disable
 * the triggers of the temporary database. If one of these changes a row, undo fails with FR_MISUSE.
 *
 * Numbers that AUTOINCREMENT has used stay used. Of virtual tables, only full-text indexes of fts5
 * can be restored, with their own texts or the texts of a table; other virtual tables that write no
 * rows into the database are not noticed.
 *
 * Steps are in memory, and end with the store. A store without steps costs nothing.
 */

/*
 * fr_store_begin_step: begins a transaction that can be undone.
 *
 * fr_store_commit or fr_store_rollback ends it. A committed step becomes the next one that
 * fr_store_undo reverses, and ends what fr_store_redo could do, unless it has changed nothing.
 * Inside a step, the call begins a savepoint, whose writes belong to the outer step.
 *
 * A step that can't be undone is remembered as well, so that it is not skipped: fr_store_undo then
 * returns the reason. There are four: its rows take more memory than the limit, it changes the
 * schema, it writes to a virtual table that can't be restored, or a statement (COMMIT) has
 * committed it.
 *
 * name: what the user did, for example "Delete 3 notes".
 * joins_last: whether one undo reverses this step and the last one together, if that has the same
 *   name and nothing was undone since; for example for each word that the user types.
 * Errors: FR_MISUSE, also in a transaction that is no step; FR_CLOSED, FR_INVALID_UTF8; FR_BUSY,
 *   FR_READ_ONLY, ... as fr_store_begin. O(1). Since 0.1.
 */
fr_status fr_store_begin_step(fr_store *store, const char *name, bool joins_last);

/*
 * fr_store_undo: undoes the last step.
 *
 * After a failure nothing has changed, and the step is still the last one. fr_store_discard_steps
 * continues with the step before.
 *
 * Errors: FR_NOT_FOUND if there is no step; FR_GONE if a row is not as the step left it, with a
 *   message that names up to ten such rows; FR_CONSTRAINT if a row that was written since is in the
 *   way, because of a unique index or a foreign key; FR_SCHEMA if the schema has changed since;
 *   FR_SCHEMA, FR_RANGE or FR_MISUSE for a step that can't be undone; FR_MISUSE in a transaction;
 *   FR_CLOSED; FR_BUSY, FR_READ_ONLY, FR_IO, ... as SQLite reports. O(m log n) for m rows of the
 *   step. Since 0.1.
 */
fr_status fr_store_undo(fr_store *store);

/*
 * fr_store_redo: does the step again that was undone last.
 *
 * Errors: as fr_store_undo. Since 0.1.
 */
fr_status fr_store_redo(fr_store *store);

/*
 * fr_store_undo_name: the name of the step that fr_store_undo would undo, for example for a menu.
 *
 * It changes only by the calls of this header and by the commit of a step, and has its new value
 * when observers are notified of the step's changes.
 *
 * out: receives the name; NULL if there is no step. Borrowed until the next call of this function
 *   for the store, or until the store is closed.
 * Errors: FR_MISUSE, FR_CLOSED. O(1). Since 0.1.
 */
fr_status fr_store_undo_name(const char **out, fr_store *store);

/*
 * fr_store_redo_name: the name of the step that fr_store_redo would do again.
 *
 * out: receives the name, as fr_store_undo_name.
 * Errors: FR_MISUSE, FR_CLOSED. O(1). Since 0.1.
 */
fr_status fr_store_redo_name(const char **out, fr_store *store);

/*
 * fr_store_discard_steps: discards the last steps, and everything that could be done again.
 *
 * So a program continues with the steps before one that can't be undone, or discards all steps when
 * it shows another document. It writes nothing.
 *
 * count: how many steps; SIZE_MAX for all of them.
 * Errors: FR_MISUSE, FR_CLOSED. Since 0.1.
 */
fr_status fr_store_discard_steps(fr_store *store, size_t count);

/*
 * fr_store_set_undo_limit: how many steps are remembered, and how much memory their rows may take.
 *
 * These are 100 steps and 64 MiB unless they are set. When there are more, the oldest steps are
 * discarded. A step that alone takes more memory can't be undone.
 *
 * steps: the greatest number of steps, undone ones among them; 0 to discard every step.
 * bytes: the greatest number of bytes of all of them together.
 * Errors: FR_MISUSE, FR_CLOSED. Since 0.1.
 */
fr_status fr_store_set_undo_limit(fr_store *store, size_t steps, size_t bytes);

FR_END_DECLS

#endif
