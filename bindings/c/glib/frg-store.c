#include "frg-store-private.h"

#include "frg-item-private.h"
#include "frg-parameters.h"
#include "frg-store-error-private.h"
#include "frg-store-source.h"

struct _FrGStore {
    GObject parent_instance;
    char *path;
    FrGStoreFlags flags;
    int poll_interval;
    fr_store *handle; /* NULL if it is not open */
    GSource *source;  /* dispatches; NULL if it is not open */
};

enum { PATH = 1, FLAGS, POLL_INTERVAL, WAKE_UP_SOURCE, IS_OPEN, PROPERTY_COUNT };

static GParamSpec *properties[PROPERTY_COUNT];

enum { FAILED, SIGNAL_COUNT };

static guint signals[SIGNAL_COUNT];

static void frg_store_implement(GInitableIface *interface);

G_DEFINE_TYPE_WITH_CODE(FrGStore, frg_store, G_TYPE_OBJECT, G_IMPLEMENT_INTERFACE(G_TYPE_INITABLE, frg_store_implement))

GType frg_store_flags_get_type(void)
{
    static const GFlagsValue values[] = {
        {FRG_STORE_DEFAULT, "FRG_STORE_DEFAULT", "default"},
        {FRG_STORE_READ_ONLY, "FRG_STORE_READ_ONLY", "read-only"},
        {FRG_STORE_NO_CREATE, "FRG_STORE_NO_CREATE", "no-create"},
        {FRG_STORE_NO_FOREIGN_KEYS, "FRG_STORE_NO_FOREIGN_KEYS", "no-foreign-keys"},
        {FRG_STORE_QUEUED, "FRG_STORE_QUEUED", "queued"},
        {FRG_STORE_IMMUTABLE, "FRG_STORE_IMMUTABLE", "immutable"},
        {FRG_STORE_FOLLOW_PATH, "FRG_STORE_FOLLOW_PATH", "follow-path"},
        {FRG_STORE_KEEP_JOURNAL_MODE, "FRG_STORE_KEEP_JOURNAL_MODE", "keep-journal-mode"},
        {0, NULL, NULL},
    };
    static gsize type = 0;
    if (g_once_init_enter(&type)) {
        g_once_init_leave(&type, g_flags_register_static("FrGStoreFlags", values));
    }
    return type;
}

GType frg_wake_up_source_get_type(void)
{
    static const GEnumValue values[] = {
        {FRG_WAKE_UP_NONE, "FRG_WAKE_UP_NONE", "none"},
        {FRG_WAKE_UP_NOTICES, "FRG_WAKE_UP_NOTICES", "notices"},
        {FRG_WAKE_UP_INTERVAL, "FRG_WAKE_UP_INTERVAL", "interval"},
        {0, NULL, NULL},
    };
    static gsize type = 0;
    if (g_once_init_enter(&type)) {
        g_once_init_leave(&type, g_enum_register_static("FrGWakeUpSource", values));
    }
    return type;
}

/* Opening and closing. */

fr_store *frg_store_open_handle(FrGStore *store, GError **error)
{
    if (store == NULL || store->handle == NULL) {
        g_set_error_literal(error, FRG_STORE_ERROR, store == NULL ? FRG_STORE_ERROR_MISUSE : FRG_STORE_ERROR_CLOSED,
                            store == NULL ? "there is no store" : "the store is not open");
        return NULL;
    }
    return store->handle;
}

/* The source ends with the store. */
static gboolean dispatched(fr_store *handle, fr_status status, gpointer user_data)
{
    GError *error = NULL;
    (void)handle;
    if (!frg_succeeded(status, &error)) {
        g_object_ref(user_data);
        g_signal_emit(user_data, signals[FAILED], 0, error);
        g_object_unref(user_data);
        g_error_free(error);
    }
    return G_SOURCE_CONTINUE;
}

static gboolean open(GInitable *initable, GCancellable *cancellable, GError **error)
{
    FrGStore *store = FRG_STORE(initable);
    const fr_store_options options = {
        .struct_size = sizeof options,
        .flags = (uint32_t)store->flags & ~(uint32_t)FRG_STORE_KEEP_JOURNAL_MODE,
        .journal_mode = store->flags & FRG_STORE_KEEP_JOURNAL_MODE ? "unchanged" : NULL,
        .poll_interval_ms = store->poll_interval,
    };
    (void)cancellable;
    if (store->handle != NULL) {
        return TRUE;
    }
    if (!frg_succeeded(fr_store_open(&store->handle, store->path, &options), error)) {
        return FALSE;
    }
    store->source = frg_store_source_new(store->handle, 0);
    if (store->source == NULL) {
        frg_succeeded(fr_error_status(), error);
        fr_store_close(g_steal_pointer(&store->handle));
        return FALSE;
    }
    g_source_set_callback(store->source, G_SOURCE_FUNC(dispatched), store, NULL);
    g_source_attach(store->source, g_main_context_get_thread_default());
    g_object_notify_by_pspec(G_OBJECT(store), properties[IS_OPEN]);
    return TRUE;
}

FrGStore *frg_store_new(const char *path, FrGStoreFlags flags, GError **error)
{
    return g_initable_new(FRG_TYPE_STORE, NULL, error, "path", path, "flags", flags, NULL);
}

/* The source polls the store's descriptor, so it ends first. */
static fr_status close_handle(FrGStore *store)
{
    if (store->source != NULL) {
        g_source_destroy(store->source);
        g_clear_pointer(&store->source, g_source_unref);
    }
    return fr_store_close(g_steal_pointer(&store->handle));
}

gboolean frg_store_close(FrGStore *store, GError **error)
{
    gboolean is_right;
    g_return_val_if_fail(FRG_IS_STORE(store), FALSE);
    if (frg_store_open_handle(store, error) == NULL) {
        return FALSE;
    }
    is_right = frg_succeeded(close_handle(store), error);
    g_object_notify_by_pspec(G_OBJECT(store), properties[IS_OPEN]);
    return is_right;
}

fr_store *frg_store_get_handle(FrGStore *store)
{
    g_return_val_if_fail(FRG_IS_STORE(store), NULL);
    return store->handle;
}

const char *frg_store_get_path(FrGStore *store)
{
    g_return_val_if_fail(FRG_IS_STORE(store), NULL);
    return store->path;
}

gboolean frg_store_is_open(FrGStore *store)
{
    g_return_val_if_fail(FRG_IS_STORE(store), FALSE);
    return store->handle != NULL;
}

FrGWakeUpSource frg_store_get_wake_up_source(FrGStore *store)
{
    fr_wake_up_source source = FR_WAKE_UP_NONE;
    g_return_val_if_fail(FRG_IS_STORE(store), FRG_WAKE_UP_NONE);
    /* A store that is not open has none. */
    fr_store_wake_up_source(&source, store->handle);
    return (FrGWakeUpSource)source;
}

int frg_store_get_poll_interval(FrGStore *store)
{
    g_return_val_if_fail(FRG_IS_STORE(store), 0);
    return store->poll_interval;
}

/* Statements. */

static fr_status execute(fr_store *handle, const char *sql, const frg_parameters *parameters)
{
    if (parameters->names != NULL) {
        return fr_store_execute_named(handle, sql, parameters->names, parameters->values, parameters->count);
    }
    return fr_store_execute(handle, sql, parameters->values, parameters->count);
}

/* Handlers that a commit calls may release the store, which nothing reads afterwards. */
static gboolean execute_held(FrGStore *store, const char *sql, GVariant *held, GError **error)
{
    fr_store *handle = frg_store_open_handle(store, error);
    frg_parameters parameters;
    gboolean is_right;
    if (handle == NULL || !frg_parameters_init(&parameters, held, error)) {
        return FALSE;
    }
    is_right = frg_succeeded(execute(handle, sql, &parameters), error);
    frg_parameters_clear(&parameters);
    return is_right;
}

gboolean frg_store_execute(FrGStore *store, const char *sql, GVariant *parameters, GError **error)
{
    GVariant *held;
    gboolean is_right;
    g_return_val_if_fail(FRG_IS_STORE(store), FALSE);
    held = parameters != NULL ? g_variant_ref_sink(parameters) : NULL;
    is_right = execute_held(store, sql, held, error);
    g_clear_pointer(&held, g_variant_unref);
    return is_right;
}

gboolean frg_store_execute_script(FrGStore *store, const char *sql, GError **error)
{
    fr_store *handle;
    g_return_val_if_fail(FRG_IS_STORE(store), FALSE);
    handle = frg_store_open_handle(store, error);
    return handle != NULL && frg_succeeded(fr_store_execute_script(handle, sql), error);
}

static fr_status bind(fr_statement *statement, const frg_parameters *parameters)
{
    fr_status status = FR_OK;
    gsize index;
    for (index = 0; status == FR_OK && index < parameters->count; index++) {
        status = parameters->names != NULL
                     ? fr_statement_bind_named(statement, parameters->names[index], &parameters->values[index])
                     : fr_statement_bind(statement, (int32_t)index + 1, &parameters->values[index]);
    }
    return status;
}

static gboolean read_rows(GListStore *rows, fr_statement *statement, GError **error)
{
    bool has_row = false;
    while (frg_succeeded(fr_statement_step(&has_row, statement), error)) {
        FrGItem *row = has_row ? frg_item_new_of_query(statement, error) : NULL;
        if (row == NULL) {
            return !has_row;
        }
        g_list_store_append(rows, row);
        g_object_unref(row);
    }
    return FALSE;
}

static gboolean query_held(FrGStore *store, GListStore *rows, const char *sql, GVariant *held, GError **error)
{
    fr_store *handle = frg_store_open_handle(store, error);
    fr_statement *statement = NULL;
    frg_parameters parameters;
    gboolean is_right;
    if (handle == NULL || !frg_parameters_init(&parameters, held, error)) {
        return FALSE;
    }
    is_right = frg_succeeded(fr_statement_prepare(&statement, handle, sql), error)
               && frg_succeeded(bind(statement, &parameters), error) && read_rows(rows, statement, error);
    fr_statement_free(statement);
    frg_parameters_clear(&parameters);
    return is_right;
}

GListModel *frg_store_query(FrGStore *store, const char *sql, GVariant *parameters, GError **error)
{
    GListStore *rows;
    GVariant *held;
    g_return_val_if_fail(FRG_IS_STORE(store), NULL);
    rows = g_list_store_new(FRG_TYPE_ITEM);
    held = parameters != NULL ? g_variant_ref_sink(parameters) : NULL;
    if (!query_held(store, rows, sql, held, error)) {
        g_clear_object(&rows);
    }
    g_clear_pointer(&held, g_variant_unref);
    return rows != NULL ? G_LIST_MODEL(rows) : NULL;
}

gint64 frg_store_get_last_insert_rowid(FrGStore *store)
{
    int64_t rowid = 0;
    g_return_val_if_fail(FRG_IS_STORE(store), 0);
    fr_store_last_insert_rowid(&rowid, store->handle);
    return rowid;
}

gint64 frg_store_get_changes(FrGStore *store)
{
    int64_t changes = 0;
    g_return_val_if_fail(FRG_IS_STORE(store), 0);
    fr_store_changes(&changes, store->handle);
    return changes;
}

/* Transactions. */

gboolean frg_store_begin(FrGStore *store, GError **error)
{
    fr_store *handle;
    g_return_val_if_fail(FRG_IS_STORE(store), FALSE);
    handle = frg_store_open_handle(store, error);
    return handle != NULL && frg_succeeded(fr_store_begin(handle, FR_IMMEDIATE), error);
}

gboolean frg_store_commit(FrGStore *store, GError **error)
{
    fr_store *handle;
    g_return_val_if_fail(FRG_IS_STORE(store), FALSE);
    handle = frg_store_open_handle(store, error);
    return handle != NULL && frg_succeeded(fr_store_commit(handle), error);
}

gboolean frg_store_rollback(FrGStore *store, GError **error)
{
    fr_store *handle;
    g_return_val_if_fail(FRG_IS_STORE(store), FALSE);
    handle = frg_store_open_handle(store, error);
    return handle != NULL && frg_succeeded(fr_store_rollback(handle), error);
}

gboolean frg_store_dispatch(FrGStore *store, GError **error)
{
    fr_store *handle;
    g_return_val_if_fail(FRG_IS_STORE(store), FALSE);
    handle = frg_store_open_handle(store, error);
    return handle != NULL && frg_succeeded(fr_store_dispatch(handle), error);
}

/* Life. */

static void frg_store_get_property(GObject *object, guint property, GValue *value, GParamSpec *spec)
{
    FrGStore *store = FRG_STORE(object);
    switch (property) {
    case PATH:
        g_value_set_string(value, store->path);
        break;
    case FLAGS:
        g_value_set_flags(value, store->flags);
        break;
    case POLL_INTERVAL:
        g_value_set_int(value, store->poll_interval);
        break;
    case WAKE_UP_SOURCE:
        g_value_set_enum(value, frg_store_get_wake_up_source(store));
        break;
    case IS_OPEN:
        g_value_set_boolean(value, store->handle != NULL);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, property, spec);
    }
}

static void frg_store_set_property(GObject *object, guint property, const GValue *value, GParamSpec *spec)
{
    FrGStore *store = FRG_STORE(object);
    switch (property) {
    case PATH:
        store->path = g_value_dup_string(value);
        break;
    case FLAGS:
        store->flags = g_value_get_flags(value);
        break;
    case POLL_INTERVAL:
        store->poll_interval = g_value_get_int(value);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, property, spec);
    }
}

static void frg_store_finalize(GObject *object)
{
    close_handle(FRG_STORE(object));
    g_free(FRG_STORE(object)->path);
    G_OBJECT_CLASS(frg_store_parent_class)->finalize(object);
}

static void frg_store_implement(GInitableIface *interface)
{
    interface->init = open;
}

static void frg_store_class_init(FrGStoreClass *store_class)
{
    const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;
    GObjectClass *object_class = G_OBJECT_CLASS(store_class);
    object_class->finalize = frg_store_finalize;
    object_class->get_property = frg_store_get_property;
    object_class->set_property = frg_store_set_property;
    /**
     * FrGStore:path:
     *
     * The file name, or ":memory:".
     */
    properties[PATH] = g_param_spec_string("path", NULL, NULL, NULL, flags);
    /**
     * FrGStore:flags:
     *
     * How it is opened.
     */
    properties[FLAGS] = g_param_spec_flags("flags", NULL, NULL, FRG_TYPE_STORE_FLAGS, FRG_STORE_DEFAULT, flags);
    /**
     * FrGStore:poll-interval:
     *
     * How often the store looks for commits of other connections where the kernel does not notify
     * of all of them, in milliseconds; 0 for every 100, negative for never.
     */
    properties[POLL_INTERVAL] = g_param_spec_int("poll-interval", NULL, NULL, G_MININT, G_MAXINT, 0, flags);
    /**
     * FrGStore:wake-up-source:
     *
     * How the store is notified of commits of other connections at the moment; see
     * frg_store_get_wake_up_source().
     */
    properties[WAKE_UP_SOURCE] = g_param_spec_enum("wake-up-source", NULL, NULL, FRG_TYPE_WAKE_UP_SOURCE,
                                                   FRG_WAKE_UP_NONE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
    /**
     * FrGStore:is-open:
     *
     * Whether it was opened, and not closed yet.
     */
    properties[IS_OPEN] = g_param_spec_boolean("is-open", NULL, NULL, FALSE,
                                               G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
    g_object_class_install_properties(object_class, PROPERTY_COUNT, properties);
    /**
     * FrGStore::failed:
     * @store: the store
     * @error: why
     *
     * A dispatch of the main loop failed. What waits is delivered by a later one, at the latest a
     * second later if it can be then.
     */
    signals[FAILED] = g_signal_new("failed", FRG_TYPE_STORE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                   G_TYPE_ERROR);
}

static void frg_store_init(FrGStore *store)
{
    (void)store;
}
