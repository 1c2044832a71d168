/* When a store delivers, and what it has found of the commits of other connections. */
#ifndef FETCHEDRESULTS_DISPATCH_H
#define FETCHEDRESULTS_DISPATCH_H

#include <stdbool.h>

#include "base.h"
#include "list.h"
#include "store.h"

FR_BEGIN_DECLS

/*
 * fr_store_dispatch: delivers everything that waits for delivery.
 *
 * These things wait for delivery: commits that the program made itself on an adopted connection;
 * own commits of a store opened with FR_STORE_QUEUED; the progress and the end of fetches in the
 * background; and commits of other connections and processes, which each call looks for (PRAGMA
 * data_version). It is not an error if there is nothing to deliver. Inside a callback the call does
 * nothing.
 *
 * In WAL mode, the cost of a foreign commit depends on what it has changed. The store finds the
 * rows, and what they showed before, in the write-ahead log
 * (https://www.sqlite.org/walformat.html). For that it holds a read transaction at the state that
 * its lists show, through two connections of its own. It does the same for each attached file in
 * WAL mode, once a list watches a table of it. A foreign transaction that writes to several files
 * in WAL mode can be delivered in parts, because SQLite makes it visible file by file.
 *
 * Until the next dispatch the store reads all rows in the state that its lists show. That includes
 * rows that the store itself has changed, delivered or not, rows of lists that were fetched or got
 * another request later, and rows of lists that read several database files. The store's other
 * connections can't read temporary tables and databases in memory, neither of which has a log, and
 * functions and collations that the program has registered on an adopted connection by itself: a
 * row that shows a value of these beside one of a file, and that is not cached, is FR_GONE once
 * another connection has committed.
 *
 * A foreign checkpoint that must restart the log from its beginning waits for the store, at most
 * about half a second, if its connection has a busy timeout. Without one, which is the default of
 * SQLite and of its shell, it fails immediately with SQLITE_BUSY. If it has written the log back up
 * to the store's state, it succeeds when it is tried again after two seconds; otherwise it can fail
 * until the next dispatch. So an operator sets a timeout of a second or more ("sqlite3 -cmd
 * '.timeout 2000' FILE 'PRAGMA wal_checkpoint(TRUNCATE)'").
 *
 * The store releases its state if commits are not delivered by then, or when the log has grown by
 * `snapshot_limit`. Rows that are not cached are then FR_GONE until the next dispatch, which reads
 * the lists from scratch and holds their state again. From the beginning of a delivery to its last
 * callback no state is released, so a callback that takes long keeps the log from being restarted.
 * A process that is stopped (SIGSTOP) holds its state, as any reader of SQLite does.
 *
 * In the rollback modes, and where the store has released its state, the store can follow a foreign
 * commit by the rows that it touched, if all tables that the store's lists read have histories
 * (fr_store_start_history). Otherwise the next dispatch reads the lists from scratch. In the
 * rollback modes a row that is not cached can be FR_GONE until then in either case, because a
 * history does not contain what the row showed before.
 *
 * Errors: FR_MISUSE, FR_CLOSED; FR_BUSY, FR_IO, ... if the database can't be read: a later dispatch
 *   then delivers what waits. Since 0.1.
 */
fr_status fr_store_dispatch(fr_store *store);

/*
 * The result of a dispatch. Set `struct_size` to sizeof(fr_dispatch_result) before the call.
 */
typedef struct fr_dispatch_result {
    size_t struct_size;
    int64_t rounds; /* those that changed lists: in each, the lists switched to one committed state */
    int64_t changed_lists; /* how often a list of the store changed in them */
    bool is_complete; /* whether nothing waits any more, as far as the store can see. Something waits if the limit was
                              reached, if a transaction is open, or inside a callback; then the descriptor becomes
                              readable in time */
} fr_dispatch_result;

/*
 * fr_store_dispatch_rounds: as fr_store_dispatch, with a limit on the number of rounds, and reports
 * what it has delivered.
 *
 * Each write of an observer causes a new round. If the limit is reached, the descriptor stays
 * readable, and the next dispatch or write delivers the rest.
 *
 * out: receives what was delivered; may be NULL. On failure it is unchanged.
 * limit: how many rounds may change lists; negative: no limit. 0 only reports whether something
 *   waits.
 * Errors: any error of fr_store_dispatch; FR_RANGE for a wrong struct_size. Since 0.1.
 */
fr_status fr_store_dispatch_rounds(fr_dispatch_result *out, fr_store *store, int32_t limit);

/*
 * fr_store_file_descriptor: a descriptor that is readable (level-triggered) as long as there is
 * something to dispatch.
 *
 * The descriptor is for poll, epoll and event loops. Call fr_store_dispatch when it is readable,
 * and neither read nor close it.
 *
 * These things make it readable: the end or progress of a fetch in the background; queued own
 * commits; commits of the program itself on an adopted connection; and commits of other
 * connections, in this process or another one, to the database and to attached ones
 * (fr_store_wake_up_source). A file that is moved, replaced or removed makes it readable as well,
 * and so does its return; the dispatch reports the error, also to the lists' observers.
 *
 * One thread of the library waits for all stores of the process. It exists as long as such a store
 * is open, and sleeps while nobody writes. docs/sqlite.md lists the descriptors of a store.
 *
 * out: belongs to the store, until fr_store_close.
 * Errors: FR_MISUSE, FR_CLOSED; FR_IO if there are no file descriptors left. Since 0.1.
 */
fr_status fr_store_file_descriptor(int32_t *out, fr_store *store);

/* How a store is notified that another connection has committed. */
typedef enum fr_wake_up_source {
    FR_WAKE_UP_NONE = 0, /* it is not; fr_store_dispatch looks */
    FR_WAKE_UP_NOTICES = 1, /* the kernel notifies it of what is written to the files (inotify) */
    FR_WAKE_UP_INTERVAL = 2 /* it looks every poll_interval_ms milliseconds */
} fr_wake_up_source;

/*
 * fr_store_wake_up_source: how the descriptor becomes readable when another connection has
 * committed.
 *
 * It is FR_WAKE_UP_NONE for databases in memory and for immutable ones. It is FR_WAKE_UP_INTERVAL,
 * or FR_WAKE_UP_NONE with a negative poll interval, in these cases: the user's limit of notices is
 * reached (/proc/sys/fs/inotify); the file system gives no notices; or it can be written without
 * this kernel, as a network file system, or one that a program provides (FUSE). The store requests
 * notices again each second, so the source can change.
 *
 * out: receives the source.
 * Errors: any error of fr_store_file_descriptor. Since 0.1.
 */
fr_status fr_store_wake_up_source(fr_wake_up_source *out, fr_store *store);

/* Why a store could not determine which rows other connections have changed. */
enum {
    FR_UNKNOWN_LAYOUT = 0, /* the schema, the page size or the mode of vacuuming changed */
    FR_UNKNOWN_MANY = 1, /* more of the log was new than is worth comparing */
    FR_UNKNOWN_RESTARTED = 2, /* the log was begun from its start before it was read */
    FR_UNKNOWN_PAGES = 3, /* the pages do not fit together, or can't be read as those of SQLite */
    FR_UNKNOWN_SNAPSHOT = 4, /* the store had released the delivered state, or could not hold it */
    FR_UNKNOWN_RACED = 5, /* a foreign commit is so close to a commit of the store that the two can't be separated */
    FR_UNKNOWN_IMAGE = 6, /* the values that a row had before can't be read */
    FR_UNKNOWN_REASONS = 7 /* how many there are in this version */
};

/*
 * Counts of foreign commits to the store's main database, and to the attached files whose tables
 * lists watch. Set `struct_size` to sizeof(fr_foreign_counters) before the call. New reasons are
 * added at the end.
 */
typedef struct fr_foreign_counters {
    size_t struct_size;
    int64_t followed; /* states that were followed row by row in the write-ahead log */
    int64_t frames; /* pages of the log in these states */
    int64_t rows; /* rows of watched tables that they changed */
    int64_t unknown[FR_UNKNOWN_REASONS]; /* how often the lists had to be read instead, by reason, FR_UNKNOWN_... */
} fr_foreign_counters;

/*
 * fr_store_foreign_counters: what the store has found of the commits of other connections since it
 * was opened.
 *
 * O(1).
 *
 * Errors: FR_MISUSE, FR_CLOSED, FR_RANGE for a wrong struct_size. Since 0.1.
 */
fr_status fr_store_foreign_counters(fr_foreign_counters *out, fr_store *store);

/* How long the phases of rounds took, in nanoseconds. */
typedef struct fr_phases {
    int64_t capturing; /* noting in SQLite's hook which rows the store's statements touched, since the round before */
    int64_t finding; /* finding which rows other connections touched */
    int64_t reading; /* the statements of SQLite that read the touched rows, or whole lists */
    int64_t building; /* the rest of the time to prepare the lists and their change sets */
    int64_t notifying; /* switching the lists, and all callbacks */
} fr_phases;

/*
 * How long the rounds of a store took while it measured them. Set `struct_size` to
 * sizeof(fr_delivery_times) before the call.
 */
typedef struct fr_delivery_times {
    size_t struct_size;
    int64_t rounds; /* that were measured */
    fr_phases total; /* the sums over these */
    fr_phases last; /* of the last of them */
} fr_delivery_times;

/*
 * fr_store_set_measuring: has the store measure its rounds from now on, or not, which is the
 * default.
 *
 * To measure, the store reads the clock twice for each row that its statements write, for each row
 * that a round reads, and for each list.
 *
 * Errors: FR_MISUSE, FR_CLOSED. Since 0.1.
 */
fr_status fr_store_set_measuring(fr_store *store, bool measuring);

/*
 * fr_store_delivery_times: how long the measured rounds took.
 *
 * A round is counted when its callbacks have returned.
 *
 * out: filled up to its struct_size; members that this library does not have are 0.
 * Errors: FR_MISUSE, FR_CLOSED, FR_RANGE for a wrong struct_size. O(1). Since 0.1.
 */
fr_status fr_store_delivery_times(fr_delivery_times *out, fr_store *store);

/* The runs of one SQL text in a round, for one list. */
typedef struct fr_statement_trace {
    const char *sql;
    int64_t runs;
    int64_t rows; /* that it returned; rows of a long list that SQLite passes on inside the statement do not count */
    int64_t time; /* in SQLite, in nanoseconds */
} fr_statement_trace;

/* The work of a round for one list. */
typedef struct fr_list_trace {
    fr_list *list; /* NULL if the program has freed it */
    const char *entity; /* "SELECT" if the request is a whole SELECT */
    int32_t reread; /* why the list was read as a whole, FR_REREAD_...; -1 if the touched rows were enough */
    int32_t reserved;
    int64_t rows_read; /* rows that SQLite read for it */
    int64_t records; /* of its change set; 0 if it did not change, for a reload, and if reading it failed */
    int64_t reading; /* the time of its statements, in nanoseconds */
    int64_t building; /* the rest of the time to prepare its change set, in nanoseconds */
    size_t statement_count;
    const fr_statement_trace *statements; /* in the order of their first runs */
} fr_list_trace;

/* One round of a store. */
typedef struct fr_round_trace {
    const char *text; /* all that follows, to be read: lines, without a newline at the end */
    uint32_t origin; /* FR_ORIGIN_STORE and FR_ORIGIN_FOREIGN; 0 if lists only caught up after a pause */
    uint32_t reserved;
    fr_phases phases;
    size_t list_count;
    const fr_list_trace *lists; /* that the round concerned, also the lists that it left as they are */
} fr_round_trace;

/*
 * Receives a round (fr_store_set_trace).
 *
 * trace: borrowed until the function returns, and so is everything in it.
 */
typedef void (*fr_trace_function)(fr_store *store, const fr_round_trace *trace, void *user_data);

/*
 * fr_store_set_trace: sets the function that receives each round from now on: what caused it, why
 * lists were read as a whole, which statements were run, and how long each phase took.
 *
 * It is called inside the round, after the observers of the changes, and may do whatever an
 * observer may. A round that a write inside it makes is traced too. A store that traces measures as
 * fr_store_set_measuring says, and copies the texts of the statements; one that does not is as fast
 * as without this function.
 *
 * function: NULL to trace no longer.
 * destroy: may be NULL; called exactly once with `user_data`: when another function is set, when
 *   the store is closed, or when this call fails.
 * Errors: FR_MISUSE, FR_CLOSED. Since 0.1.
 */
fr_status fr_store_set_trace(fr_store *store, fr_trace_function function, void *user_data, fr_destroy destroy);

/*
 * fr_store_wait: waits until there is something to dispatch, or until the time has passed, and
 * dispatches.
 *
 * It is not an error if there is nothing to dispatch. A signal does not end the wait: after its
 * handler has returned, the call waits for the remaining time. A program that wants signals to end
 * the wait polls fr_store_file_descriptor itself.
 *
 * timeout_ms: the time in milliseconds; negative: no limit.
 * Errors: any error of fr_store_file_descriptor and fr_store_dispatch. Since 0.1.
 */
fr_status fr_store_wait(fr_store *store, int32_t timeout_ms);

/*
 * fr_store_is_delivering: whether a round of the store is under way.
 *
 * It is under way inside the callbacks of its lists, and of lists that a collection shows together
 * with them. If you request something there, it is done after the round.
 *
 * Errors: FR_MISUSE, FR_CLOSED. O(1). Since 0.1.
 */
fr_status fr_store_is_delivering(bool *out, fr_store *store);

/*
 * Called when a round is over (fr_store_call_after_round).
 *
 * error: NULL, or the error of what the callback requested last before it registered this function
 *   (another fetch request of a list, or other sections), if that had to wait for the end of the
 *   round and then failed. Observers are notified of the error after this function.
 */
typedef void (*fr_round_function)(fr_store *store, const fr_error *error, void *user_data);

/*
 * fr_store_call_after_round: registers a function that is called once, when the round under way is
 * over.
 *
 * If it is registered inside a callback, it is called when all observers were notified, and
 * everything is done that the callbacks of the round had requested before: writes are delivered,
 * requests replaced, children inserted.
 *
 * If it is registered outside of callbacks, it is called at the end of the next round. If there is
 * nothing to deliver, it is called at the end of the next call that would deliver: a write, a
 * commit or rollback of the outermost transaction, or fr_store_dispatch. In a store opened with
 * FR_STORE_QUEUED that call is fr_store_dispatch, if anything waits for it. The function is never
 * called before this call returns. A function of a store whose lists a collection shows may be
 * called after a round of another store of that collection.
 *
 * The function is called on the thread of the call that ends the round, and may do whatever an
 * observer may. Its requests are done when it has returned. A function that registers itself again
 * is called after what it requested is done, or, if it requested nothing, after the next round.
 *
 * destroy: may be NULL; called exactly once with `user_data`: after the function was called; when
 *   the store is closed before, in which case the function is not called; or when this call fails.
 * Errors: FR_MISUSE, FR_CLOSED. O(1). Since 0.1.
 */
fr_status fr_store_call_after_round(fr_store *store, fr_round_function function, void *user_data, fr_destroy destroy);

FR_END_DECLS

#endif
