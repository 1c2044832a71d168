/* A database as a GObject. */
#ifndef FRG_STORE_H
#define FRG_STORE_H

#include <fetchedresults.h>
#include <gio/gio.h>

#include "frg-macros.h"
#include "frg-store-error.h"

G_BEGIN_DECLS

/**
 * FrGStoreFlags:
 * @FRG_STORE_DEFAULT: none of these.
 * @FRG_STORE_READ_ONLY: Open for reading only; the file must exist.
 * @FRG_STORE_NO_CREATE: Do not create the file if it is missing.
 * @FRG_STORE_NO_FOREIGN_KEYS: Leave foreign keys unenforced.
 * @FRG_STORE_QUEUED: Deliver the store's own commits through the main loop, or at
 *   frg_store_dispatch(), rather than before the call that commits returns. Widgets of GTK need it
 *   if their handlers write, since models must not change under them.
 * @FRG_STORE_IMMUTABLE: Nobody changes the file as long as it is open.
 * @FRG_STORE_FOLLOW_PATH: Continue with another file that replaces the database file at its path.
 * @FRG_STORE_KEEP_JOURNAL_MODE: Leave the journal mode of the file as it is. Otherwise a file that
 *   can be written gets a write-ahead log.
 *
 * How a store is opened.
 *
 * Since: 0.1
 */
typedef enum FrGStoreFlags {
    FRG_STORE_DEFAULT = 0,
    FRG_STORE_READ_ONLY = 1 << 0,
    FRG_STORE_NO_CREATE = 1 << 1,
    FRG_STORE_NO_FOREIGN_KEYS = 1 << 2,
    FRG_STORE_QUEUED = 1 << 3,
    FRG_STORE_IMMUTABLE = 1 << 4,
    FRG_STORE_FOLLOW_PATH = 1 << 5,
    FRG_STORE_KEEP_JOURNAL_MODE = 1 << 16
} FrGStoreFlags;

#define FRG_TYPE_STORE_FLAGS (frg_store_flags_get_type())

FRG_API GType frg_store_flags_get_type(void);

/**
 * FrGWakeUpSource:
 * @FRG_WAKE_UP_NONE: It is not notified; frg_store_dispatch() looks.
 * @FRG_WAKE_UP_NOTICES: The kernel notifies it of what is written to the files.
 * @FRG_WAKE_UP_INTERVAL: It looks at the interval #FrGStore:poll-interval.
 *
 * How a store is notified that another connection has committed.
 *
 * Since: 0.1
 */
typedef enum FrGWakeUpSource {
    FRG_WAKE_UP_NONE = FR_WAKE_UP_NONE,
    FRG_WAKE_UP_NOTICES = FR_WAKE_UP_NOTICES,
    FRG_WAKE_UP_INTERVAL = FR_WAKE_UP_INTERVAL
} FrGWakeUpSource;

#define FRG_TYPE_WAKE_UP_SOURCE (frg_wake_up_source_get_type())

FRG_API GType frg_wake_up_source_get_type(void);

#define FRG_TYPE_STORE (frg_store_get_type())
/**
 * FrGStore:
 *
 * A connection to a database of SQLite, whose committed changes reach the models that are made from
 * it: those of the store itself, before the call that commits returns, and those of other
 * connections and processes, through the main loop. For the latter the store attaches a source to
 * the thread-default main context of the thread that opens it.
 *
 * A store is opened by frg_store_new(), or by g_object_new() with properties and
 * g_initable_init(). Functions of a store that is not open, or was closed, fail with
 * %FRG_STORE_ERROR_CLOSED. The last reference closes it; a model has a reference. A closed store
 * can be opened again by g_initable_init(); the models from before stay as they are.
 *
 * The thread that opens the store uses it and its models.
 *
 * Parameters of SQL are a #GVariant: a tuple or an array has the values of ?1, ?2 and so on; an
 * array of dictionary entries with string keys has those of named parameters; any other type is one
 * value. Integers and booleans become integers, doubles reals, strings text, "ay" a blob, and a
 * maybe type without value NULL. A floating reference is consumed.
 *
 * Since: 0.1
 */
FRG_API G_DECLARE_FINAL_TYPE(FrGStore, frg_store, FRG, STORE, GObject)

/**
 * frg_store_new:
 * @path: a file name, or ":memory:" for a private database in memory
 * @flags: how to open it
 * @error: return location for a #GError
 *
 * Opens a database, and creates it if necessary.
 *
 * Returns: (transfer full) (nullable): the store; %NULL on failure.
 *
 * Since: 0.1
 */
FRG_API FrGStore *frg_store_new(const char *path, FrGStoreFlags flags, GError **error);

/**
 * frg_store_get_handle: (skip)
 *
 * Returns: (transfer none) (nullable): the store of the C interface, until it is closed.
 *
 * Since: 0.1
 */
FRG_API fr_store *frg_store_get_handle(FrGStore *store);

/**
 * frg_store_get_path:
 *
 * Returns: (transfer none) (nullable): the file name.
 *
 * Since: 0.1
 */
FRG_API const char *frg_store_get_path(FrGStore *store);

/**
 * frg_store_is_open:
 *
 * Returns: whether the store was opened, and not closed yet.
 *
 * Since: 0.1
 */
FRG_API gboolean frg_store_is_open(FrGStore *store);

/**
 * frg_store_get_wake_up_source:
 *
 * The source can change as long as the store is open: where the kernel does not notify it, the
 * store requests notices again each second. Nothing notifies of that.
 *
 * Returns: how the store is notified of commits of other connections; %FRG_WAKE_UP_NONE if it is
 *   not open.
 *
 * Since: 0.1
 */
FRG_API FrGWakeUpSource frg_store_get_wake_up_source(FrGStore *store);

/**
 * frg_store_get_poll_interval:
 *
 * Returns: #FrGStore:poll-interval, which the constructor takes.
 *
 * Since: 0.1
 */
FRG_API int frg_store_get_poll_interval(FrGStore *store);

/**
 * frg_store_close:
 * @error: return location for a #GError
 *
 * Closes the store. An open transaction is rolled back. The models keep their length, and items
 * stay readable.
 *
 * Returns: whether it was open and all went well.
 *
 * Since: 0.1
 */
FRG_API gboolean frg_store_close(FrGStore *store, GError **error);

/**
 * frg_store_execute:
 * @sql: exactly one statement
 * @parameters: (nullable): the values of its parameters
 * @error: return location for a #GError
 *
 * Runs a statement to its end, and discards the rows that it yields. Outside of a transaction it is
 * one of its own.
 *
 * Returns: whether it succeeded.
 *
 * Since: 0.1
 */
FRG_API gboolean frg_store_execute(FrGStore *store, const char *sql, GVariant *parameters, GError **error);

/**
 * frg_store_query:
 * @sql: exactly one statement
 * @parameters: (nullable): the values of its parameters
 * @error: return location for a #GError
 *
 * Runs a statement, and reads all rows that it yields. It is for what a live list is not, such as a
 * count or a single value: the rows do not follow the database. A parameter without a value is
 * NULL.
 *
 * Returns: (transfer full) (nullable): a #GListStore of #FrGItem with the columns of the statement;
 *   %NULL on failure.
 *
 * Since: 0.1
 */
FRG_API GListModel *frg_store_query(FrGStore *store, const char *sql, GVariant *parameters, GError **error);

/**
 * frg_store_execute_script:
 * @sql: any number of statements, separated by semicolons, without parameters
 * @error: return location for a #GError
 *
 * Runs statements up to the first one that fails.
 *
 * Returns: whether all succeeded.
 *
 * Since: 0.1
 */
FRG_API gboolean frg_store_execute_script(FrGStore *store, const char *sql, GError **error);

/**
 * frg_store_get_last_insert_rowid:
 *
 * Returns: the rowid of the store's last INSERT; 0 before the first.
 *
 * Since: 0.1
 */
FRG_API gint64 frg_store_get_last_insert_rowid(FrGStore *store);

/**
 * frg_store_get_changes:
 *
 * Returns: how many rows the last INSERT, UPDATE or DELETE of the store changed.
 *
 * Since: 0.1
 */
FRG_API gint64 frg_store_get_changes(FrGStore *store);

/**
 * frg_store_begin:
 * @error: return location for a #GError
 *
 * Begins a transaction that takes the write lock immediately, or, inside one, a nested savepoint.
 *
 * Returns: whether it succeeded.
 *
 * Since: 0.1
 */
FRG_API gboolean frg_store_begin(FrGStore *store, GError **error);

/**
 * frg_store_commit:
 * @error: return location for a #GError
 *
 * Commits what the last frg_store_begin() began. The outermost commit delivers its changes to all
 * models together.
 *
 * Returns: whether it succeeded.
 *
 * Since: 0.1
 */
FRG_API gboolean frg_store_commit(FrGStore *store, GError **error);

/**
 * frg_store_rollback:
 * @error: return location for a #GError
 *
 * Rolls back everything since the last frg_store_begin().
 *
 * Returns: whether it succeeded.
 *
 * Since: 0.1
 */
FRG_API gboolean frg_store_rollback(FrGStore *store, GError **error);

/**
 * frg_store_dispatch:
 * @error: return location for a #GError
 *
 * Delivers everything that waits: the commits of other connections, and those of a store with
 * %FRG_STORE_QUEUED. The main loop does this by itself.
 *
 * Returns: whether it succeeded.
 *
 * Since: 0.1
 */
FRG_API gboolean frg_store_dispatch(FrGStore *store, GError **error);

G_END_DECLS

#endif
