/* The interface at the last release: `make abi` writes it, scripts/check-abi compares it with the headers. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int32_t fr_status;
enum {
    FR_OK = 0,
    FR_ERROR = 1,
    FR_MISUSE = 2,
    FR_CLOSED = 3,
    FR_RANGE = 4,
    FR_INVALID_UTF8 = 5,
    FR_TYPE = 6,
    FR_NOT_FOUND = 7,
    FR_NOT_FETCHED = 8,
    FR_SCHEMA = 9,
    FR_SQL = 10,
    FR_CONSTRAINT = 11,
    FR_BUSY = 12,
    FR_READ_ONLY = 13,
    FR_IO = 14,
    FR_CORRUPT = 15,
    FR_NO_MEMORY = 16,
    FR_CANCELLED = 17,
    FR_GONE = 18
};
const char *fr_version(void);
const char *fr_sqlite_with_reset_bug(void);
const char *fr_status_name(fr_status status);
fr_status fr_error_status(void);
const char *fr_error_message(void);
int32_t fr_error_sqlite_code(void);
const char *fr_error_sql(void);
typedef struct fr_error {
    size_t struct_size;
    fr_status status;
    int32_t sqlite_code;
    const char *message;
    const char *sql;
} fr_error;
enum {
    FR_HANDLE_ANY = 0,
    FR_HANDLE_STORE = 1,
    FR_HANDLE_STATEMENT = 2,
    FR_HANDLE_OBJECT = 3,
    FR_HANDLE_REQUEST = 4,
    FR_HANDLE_LIST = 5,
    FR_HANDLE_CHANGE_SET = 6,
    FR_HANDLE_PLACEHOLDER = 7,
    FR_HANDLE_COORDINATOR = 8,
    FR_HANDLE_DATA_SOURCE = 9,
    FR_HANDLE_CELL = 10,
    FR_HANDLE_ENTITY_LIST = 11
};
fr_status fr_live_handles(int64_t *out, int32_t kind);
typedef void (*fr_destroy)(void *user_data);
typedef int32_t fr_value_type;
enum { FR_TYPE_NULL = 0, FR_TYPE_INTEGER = 1, FR_TYPE_REAL = 2, FR_TYPE_TEXT = 3, FR_TYPE_BLOB = 4 };
typedef struct fr_value {
    fr_value_type type;
    int32_t reserved;
    int64_t integer;
    double real;
    const char *data;
    int64_t length;
} fr_value;
typedef struct fr_object fr_object;
fr_object *fr_object_ref(fr_object *object);
void fr_object_unref(fr_object *object);
fr_status fr_object_entity(const char **out, fr_object *object);
fr_status fr_object_identity_count(int64_t *out, fr_object *object);
fr_status fr_object_identity(fr_value *out, fr_object *object, int64_t index);
fr_status fr_object_column_count(int64_t *out, fr_object *object);
fr_status fr_object_column_name(const char **out, fr_object *object, int64_t index);
fr_status fr_object_column_index(int64_t *out, fr_object *object, const char *name);
fr_status fr_object_value(fr_value *out, fr_object *object, int64_t index);
fr_status fr_object_values(fr_value *out, size_t count, fr_object *object);
fr_status fr_object_layout(uint64_t *out, fr_object *object);
fr_status fr_object_value_named(fr_value *out, fr_object *object, const char *name);
struct sqlite3;
typedef struct fr_store fr_store;
enum {
    FR_STORE_READ_ONLY = 1,
    FR_STORE_NO_CREATE = 2,
    FR_STORE_NO_FOREIGN_KEYS = 4,
    FR_STORE_QUEUED = 8,
    FR_STORE_IMMUTABLE = 16
};
typedef struct fr_store_options {
    size_t struct_size;
    uint32_t flags;
    int32_t busy_timeout_ms;
    const char *journal_mode;
    const char *cache_directory;
    int64_t snapshot_limit;
    int32_t poll_interval_ms;
} fr_store_options;
fr_status fr_store_open(fr_store **out, const char *path, const fr_store_options *options);
fr_status fr_store_adopt(fr_store **out, struct sqlite3 *db, const fr_store_options *options);
fr_status fr_store_close(fr_store *store);
fr_status fr_store_execute(fr_store *store, const char *sql, const fr_value *params, size_t count);
fr_status fr_store_execute_named(fr_store *store, const char *sql, const char *const *names, const fr_value *values,
                                 size_t count);
fr_status fr_store_execute_script(fr_store *store, const char *sql);
fr_status fr_store_changes(int64_t *out, fr_store *store);
fr_status fr_store_last_insert_rowid(int64_t *out, fr_store *store);
fr_status fr_store_delete_cache(fr_store *store, const char *name);
fr_status fr_store_delete_all_caches(fr_store *store);
fr_status fr_database_delete_cache(const char *path, const char *cache_directory, const char *name);
fr_status fr_database_delete_all_caches(const char *path, const char *cache_directory);
enum {
    FR_DEFERRED = 0,
    FR_IMMEDIATE = 1,
    FR_EXCLUSIVE = 2
};
fr_status fr_store_begin(fr_store *store, int32_t mode);
fr_status fr_store_commit(fr_store *store);
fr_status fr_store_rollback(fr_store *store);
fr_status fr_store_in_transaction(
                                 _Bool
                                      *out, fr_store *store);
typedef fr_status (*fr_transaction_function)(fr_store *store, void *user_data);
fr_status fr_store_transaction(fr_store *store, fr_transaction_function function, void *user_data);
fr_status fr_store_insert(fr_object **out, fr_store *store, const char *entity, const char *const *columns,
                          const fr_value *values, size_t count);
fr_status fr_store_update(fr_store *store, const char *entity, const fr_value *identity, size_t identity_count,
                          const char *const *columns, const fr_value *values, size_t count);
fr_status fr_store_delete(fr_store *store, const char *entity, const fr_value *identity, size_t identity_count);
fr_status fr_store_object(fr_object **out, fr_store *store, const char *entity, const fr_value *identity,
                          size_t identity_count);
typedef int32_t (*fr_collation_compare)(const char *a, size_t a_length, const char *b, size_t b_length,
                                        void *user_data);
fr_status fr_store_add_collation(fr_store *store, const char *name, fr_collation_compare compare, void *user_data,
                                 fr_destroy destroy);
fr_status fr_store_dispatch(fr_store *store);
typedef struct fr_dispatch_result {
    size_t struct_size;
    int64_t rounds;
    int64_t changed_lists;
   _Bool
        is_complete;
} fr_dispatch_result;
fr_status fr_store_dispatch_rounds(fr_dispatch_result *out, fr_store *store, int32_t limit);
fr_status fr_store_file_descriptor(int32_t *out, fr_store *store);
typedef enum fr_wake_up_source {
    FR_WAKE_UP_NONE = 0,
    FR_WAKE_UP_NOTICES = 1,
    FR_WAKE_UP_INTERVAL = 2
} fr_wake_up_source;
fr_status fr_store_wake_up_source(fr_wake_up_source *out, fr_store *store);
enum {
    FR_UNKNOWN_LAYOUT = 0,
    FR_UNKNOWN_MANY = 1,
    FR_UNKNOWN_RESTARTED = 2,
    FR_UNKNOWN_PAGES = 3,
    FR_UNKNOWN_SNAPSHOT = 4,
    FR_UNKNOWN_RACED = 5,
    FR_UNKNOWN_IMAGE = 6,
    FR_UNKNOWN_REASONS = 7
};
typedef struct fr_foreign_counters {
    size_t struct_size;
    int64_t followed;
    int64_t frames;
    int64_t rows;
    int64_t unknown[FR_UNKNOWN_REASONS];
} fr_foreign_counters;
fr_status fr_store_foreign_counters(fr_foreign_counters *out, fr_store *store);
fr_status fr_store_wait(fr_store *store, int32_t timeout_ms);
fr_status fr_store_is_delivering(
                                _Bool
                                     *out, fr_store *store);
typedef void (*fr_round_function)(fr_store *store, const fr_error *error, void *user_data);
fr_status fr_store_call_after_round(fr_store *store, fr_round_function function, void *user_data, fr_destroy destroy);
fr_status fr_store_sqlite(struct sqlite3 **out, fr_store *store);
typedef struct fr_statement fr_statement;
fr_status fr_statement_prepare(fr_statement **out, fr_store *store, const char *sql);
void fr_statement_free(fr_statement *statement);
fr_status fr_statement_bind(fr_statement *statement, int32_t index, const fr_value *value);
fr_status fr_statement_bind_named(fr_statement *statement, const char *name, const fr_value *value);
fr_status fr_statement_execute(fr_statement *statement);
fr_status fr_statement_step(
                           _Bool
                                *out, fr_statement *statement);
fr_status fr_statement_column_count(int32_t *out, fr_statement *statement);
fr_status fr_statement_column_name(const char **out, fr_statement *statement, int32_t index);
fr_status fr_statement_value(fr_value *out, fr_statement *statement, int32_t index);
fr_status fr_statement_reset(fr_statement *statement);
fr_status fr_store_start_history(fr_store *store, const char *table);
fr_status fr_store_stop_history(fr_store *store, const char *table);
fr_status fr_store_has_history(
                              _Bool
                                   *out, fr_store *store, const char *table);
fr_status fr_store_history_generation(int64_t *out, fr_store *store);
fr_status fr_store_touched_rows(fr_statement **out, fr_store *store, const char *table, int64_t since);
fr_status fr_store_history_limit(int64_t *out, fr_store *store);
fr_status fr_store_set_history_limit(fr_store *store, int64_t limit);
fr_status fr_store_delete_history(fr_store *store, int64_t before);
typedef struct fr_request fr_request;
fr_status fr_request_new(fr_request **out, const char *entity);
fr_status fr_request_new_select(fr_request **out, const char *sql, const fr_value *params, size_t count,
                                const char *const *identity, size_t identity_count, const char *section);
void fr_request_free(fr_request *request);
fr_status fr_request_entity(const char **out, fr_request *request);
fr_status fr_request_is_select(
                              _Bool
                                   *out, fr_request *request);
fr_status fr_request_section(const char **out, fr_request *request);
fr_status fr_request_predicate(const char **out, fr_request *request);
fr_status fr_request_parameter_count(int64_t *out, fr_request *request);
fr_status fr_request_parameter(fr_value *out, const char **name, fr_request *request, int64_t index);
typedef struct fr_sort {
    const char *key_path;
    uint32_t flags;
    const char *collation;
} fr_sort;
fr_status fr_request_sort_count(int64_t *out, fr_request *request);
fr_status fr_request_sort(fr_sort *out, fr_request *request, int64_t index);
fr_status fr_request_section_sort(fr_sort *out, fr_request *request);
fr_status fr_request_column_count(int64_t *out, fr_request *request);
fr_status fr_request_column(const char **out, fr_request *request, int64_t index);
fr_status fr_request_identity_count(int64_t *out, fr_request *request);
fr_status fr_request_identity(const char **out, fr_request *request, int64_t index);
fr_status fr_request_batch_size(int64_t *out, fr_request *request);
fr_status fr_request_limit(int64_t *out, fr_request *request);
fr_status fr_request_offset(int64_t *out, fr_request *request);
fr_status fr_request_set_identity(fr_request *request, const char *const *columns, size_t count);
fr_status fr_request_set_predicate(fr_request *request, const char *sql, const fr_value *params, size_t count);
fr_status fr_request_set_predicate_named(fr_request *request, const char *sql, const char *const *names,
                                         const fr_value *values, size_t count);
enum { FR_ASCENDING = 0, FR_DESCENDING = 1, FR_NULLS_FIRST = 2, FR_NULLS_LAST = 4 };
fr_status fr_request_add_sort(fr_request *request, const char *key_path, uint32_t flags, const char *collation);
fr_status fr_request_set_section(fr_request *request, const char *key_path, uint32_t flags, const char *collation);
fr_status fr_request_set_columns(fr_request *request, const char *const *key_paths, size_t count);
fr_status fr_request_set_batch_size(fr_request *request, int64_t batch_size);
fr_status fr_request_set_limit(fr_request *request, int64_t limit, int64_t offset);
fr_status fr_request_set_cache_name(fr_request *request, const char *name);
fr_status fr_request_cache_name(const char **out, fr_request *request);
typedef struct fr_index_path {
    int64_t section;
    int64_t row;
} fr_index_path;
enum { FR_SECTION = 1, FR_OBJECT = 2 };
enum { FR_INSERT = 1, FR_DELETE = 2, FR_MOVE = 3, FR_UPDATE = 4 };
enum {
    FR_COLUMNS_UNKNOWN = 1
};
typedef struct fr_change {
    int32_t kind;
    int32_t type;
    uint32_t flags;
    int32_t index;
    fr_index_path old_path;
    fr_index_path new_path;
    uint64_t changed_columns;
} fr_change;
typedef struct fr_change_set fr_change_set;
fr_change_set *fr_change_set_ref(fr_change_set *changes);
void fr_change_set_unref(fr_change_set *changes);
fr_status fr_change_set_records(const fr_change **out, size_t *count, fr_change_set *changes);
fr_status fr_change_set_is_reload(
                                 _Bool
                                      *out, fr_change_set *changes);
fr_status fr_change_set_object(fr_object **out, fr_change_set *changes, size_t index);
fr_status fr_change_set_old_value(fr_value *out, fr_change_set *changes, size_t index, int64_t column);
fr_status fr_change_set_column_changed(
                                      _Bool
                                           *out, fr_change_set *changes, size_t index, int64_t column);
fr_status fr_change_set_section_name(const char **out, fr_change_set *changes, size_t index);
fr_status fr_change_set_old_section_name(const char **out, fr_change_set *changes, size_t index);
fr_status fr_change_set_section_object(fr_object **out, fr_change_set *changes, size_t index);
fr_status fr_change_set_sequential(fr_change_set **out, fr_change_set *changes);
fr_status fr_change_set_group(const fr_change **out, size_t *count, fr_change_set *changes, int32_t kind, int32_t type);
fr_status fr_change_set_identity(const fr_value **out, size_t *count, fr_change_set *changes, size_t index);
typedef struct fr_range {
    int32_t kind;
    int32_t type;
    fr_index_path old_path;
    fr_index_path new_path;
    int64_t count;
    int64_t first;
} fr_range;
fr_status fr_change_set_ranges(const fr_range **out, size_t *count, fr_change_set *steps);
typedef struct fr_replayed_row {
    fr_index_path old_path;
    int64_t record;
} fr_replayed_row;
typedef struct fr_replayed_section {
    int64_t old_index;
    int64_t record;
    const fr_replayed_row *rows;
    int64_t row_count;
} fr_replayed_section;
fr_status fr_change_set_replay(const fr_replayed_section **out, size_t *count, fr_change_set *changes,
                               const int64_t *row_counts, size_t section_count);
typedef struct fr_list fr_list;
void fr_list_free(fr_list *list);
fr_status fr_list_perform_fetch(fr_list *list);
typedef
       _Bool
            (*fr_progress_function)(int64_t rows, void *user_data);
fr_status fr_list_perform_fetch_with_progress(fr_list *list, fr_progress_function progress, void *user_data);
typedef void (*fr_completion_function)(fr_list *list, const fr_error *error, void *user_data);
fr_status fr_list_perform_fetch_async(fr_list *list, fr_progress_function progress, fr_completion_function completion,
                                      void *user_data, fr_destroy destroy);
fr_status fr_list_cancel_fetch(fr_list *list);
fr_status fr_list_is_fetched(
                            _Bool
                                 *out, fr_list *list);
fr_status fr_list_count(int64_t *out, fr_list *list);
fr_status fr_list_section_count(int64_t *out, fr_list *list);
typedef struct fr_section_info {
    const char *name;
    int64_t name_length;
    const char *index_title;
    int64_t count;
    fr_value value;
    int64_t index;
} fr_section_info;
fr_status fr_list_section(fr_section_info *out, fr_list *list, int64_t section);
fr_status fr_list_section_object(fr_object **out, fr_list *list, int64_t section);
fr_status fr_list_row_count(int64_t *out, fr_list *list, int64_t section);
fr_status fr_list_object_at(fr_object **out, fr_list *list, fr_index_path path);
fr_status fr_list_index_path_of(fr_index_path *out, fr_list *list, fr_object *object);
fr_status fr_list_index_path_of_identity(fr_index_path *out, fr_list *list, const fr_value *identity, size_t count);
fr_status fr_list_index_path_at(fr_index_path *out, fr_list *list, int64_t index);
fr_status fr_list_index_of(int64_t *out, fr_list *list, fr_index_path path);
fr_status fr_list_index_title_count(int64_t *out, fr_list *list);
fr_status fr_list_index_title(const char **out, fr_list *list, int64_t index);
fr_status fr_list_section_for_index_title(int64_t *out, fr_list *list, const char *title, int64_t index);
typedef struct fr_observer {
    size_t struct_size;
    void (*will_change)(fr_list *list, void *user_data);
    void (*section_changed)(fr_list *list, const fr_section_info *section, const fr_change *change,
                            fr_change_set *changes, void *user_data);
    void (*object_changed)(fr_list *list, fr_object *object, const fr_change *change, fr_change_set *changes,
                           void *user_data);
    void (*did_change)(fr_list *list, void *user_data);
    void (*did_deliver)(fr_list *list, fr_change_set *changes, void *user_data);
    void (*did_fail)(fr_list *list, const fr_error *error, void *user_data);
    void (*did_reload)(fr_list *list, void *user_data);
} fr_observer;
fr_status fr_list_add_observer(uint64_t *out, fr_list *list, const fr_observer *observer, void *user_data,
                               fr_destroy destroy);
fr_status fr_list_remove_observer(fr_list *list, uint64_t observer);
fr_status fr_controller_new(fr_list **out, fr_store *store, fr_request *request);
fr_status fr_controller_set_row_cache_size(fr_list *list, int64_t rows);
fr_status fr_controller_row_cache_size(int64_t *out, fr_list *list);
fr_status fr_controller_set_row_cache_bytes(fr_list *list, int64_t bytes);
fr_status fr_controller_row_cache_bytes(int64_t *out, fr_list *list);
fr_status fr_controller_set_request(fr_list *list, fr_request *request);
fr_status fr_controller_request(fr_request **out, fr_list *list);
fr_status fr_controller_section_key_path(const char **out, fr_list *list);
fr_status fr_controller_store(fr_store **out, fr_list *list);
fr_status fr_controller_failure(const fr_error **out, fr_list *list);
fr_status fr_controller_pause(fr_list *list);
fr_status fr_controller_resume(fr_list *list,
                                             _Bool
                                                  reload);
fr_status fr_controller_is_paused(
                                 _Bool
                                      *out, fr_list *list);
typedef int64_t (*fr_index_title_function)(char *title, int64_t capacity, const char *name, void *user_data);
fr_status fr_controller_set_index_title_function(fr_list *list, fr_index_title_function function, void *user_data,
                                                 fr_destroy destroy);
enum {
    FR_REREAD_FETCH = 0,
    FR_REREAD_REQUEST = 1,
    FR_REREAD_SCHEMA = 2,
    FR_REREAD_RELATED = 3,
    FR_REREAD_VIEW = 4,
    FR_REREAD_WINDOW = 5,
    FR_REREAD_FOREIGN = 6,
    FR_REREAD_MANY = 7,
    FR_REREAD_TRANSACTION = 8,
    FR_REREAD_RECOVERY = 9,
    FR_REREAD_PAUSE = 10,
    FR_REREAD_REASONS = 11
};
typedef struct fr_counters {
    size_t struct_size;
    int64_t rows_read;
    int64_t statements_run;
    int64_t nodes_visited;
    int64_t bytes_held;
    int64_t deliveries;
    int64_t cached_fetches;
    int64_t rereads[FR_REREAD_REASONS];
} fr_counters;
fr_status fr_controller_counters(fr_counters *out, fr_list *list);
enum { FR_EMPTY_SECTIONS_SHOWN = 0, FR_EMPTY_SECTIONS_HIDDEN = 1 };
enum {
    FR_ITEMS_WITHOUT_SECTION_SHOWN = 0,
    FR_ITEMS_WITHOUT_SECTION_HIDDEN = 1,
    FR_ITEMS_WITHOUT_SECTION_ALWAYS_SHOWN = 2
};
typedef struct fr_section_map_options {
    size_t struct_size;
    const char *section_key;
    const char *index_title;
    int32_t empty_sections;
    int32_t items_without_section;
} fr_section_map_options;
fr_status fr_section_map_new(fr_list **out, fr_store *store, fr_request *items, fr_request *sections,
                             const char *item_key, const fr_section_map_options *options);
fr_status fr_section_map_new_with_keys(fr_list **out, fr_store *store, fr_request *items, const fr_value *keys,
                                       size_t count, const char *item_key, const fr_section_map_options *options);
fr_status fr_section_map_set_keys(fr_list *map, const fr_value *keys, size_t count);
fr_status fr_section_map_set_section_request(fr_list *map, fr_request *sections);
fr_status fr_section_map_set_empty_sections(fr_list *map, int32_t value);
fr_status fr_section_map_set_items_without_section(fr_list *map, int32_t value);
fr_status fr_section_map_section_request(fr_request **out, fr_list *map);
fr_status fr_section_map_key_count(int64_t *out, fr_list *map);
fr_status fr_section_map_key(fr_value *out, fr_list *map, int64_t index);
fr_status fr_section_map_empty_sections(int32_t *out, fr_list *map);
fr_status fr_section_map_items_without_section(int32_t *out, fr_list *map);
fr_status fr_section_map_all_section_count(int64_t *out, fr_list *map);
fr_status fr_section_map_all_section(fr_section_info *out, fr_list *map, int64_t index);
fr_status fr_section_map_all_section_object(fr_object **out, fr_list *map, int64_t index);
fr_status fr_section_map_sections(const int64_t **out, size_t *count, fr_list *map);
fr_status fr_section_map_set_disabled(fr_list *map,
                                                   _Bool
                                                        disabled);
fr_status fr_section_map_is_disabled(
                                    _Bool
                                         *out, fr_list *map);
typedef struct fr_placeholder fr_placeholder;
fr_status fr_placeholder_new(fr_placeholder **out, const char *name, const char *index_title);
void fr_placeholder_free(fr_placeholder *placeholder);
fr_status fr_placeholder_set_name(fr_placeholder *placeholder, const char *name);
fr_status fr_placeholder_set_index_title(fr_placeholder *placeholder, const char *index_title);
fr_status fr_placeholder_name(const char **out, fr_placeholder *placeholder);
fr_status fr_placeholder_index_title(const char **out, fr_placeholder *placeholder);
fr_status fr_collection_new(fr_list **out);
fr_status fr_collection_new_with_requests(fr_list **out, fr_store *store, fr_request *const *requests, size_t count);
fr_status fr_collection_insert(fr_list *collection, int64_t index, fr_list *child, fr_placeholder *empty);
fr_status fr_collection_insert_placeholder(fr_list *collection, int64_t index, fr_placeholder *placeholder);
fr_status fr_collection_replace(fr_list *collection, int64_t index, fr_list *child, fr_placeholder *empty);
fr_status fr_collection_replace_child(fr_list *collection, fr_list *old, fr_list *child, fr_placeholder *empty);
fr_status fr_collection_replace_with_placeholder(fr_list *collection, int64_t index, fr_placeholder *placeholder);
fr_status fr_collection_remove(fr_list *collection, int64_t index);
fr_status fr_collection_set_shows_empty_lists(fr_list *collection, bool shows_empty_lists);
fr_status fr_collection_shows_empty_lists(bool *out, fr_list *collection);
fr_status fr_collection_child_count(int64_t *out, fr_list *collection);
fr_status fr_collection_child(fr_list **out, fr_list *collection, int64_t index);
fr_status fr_collection_placeholder(fr_placeholder **out, fr_list *collection, int64_t index);
fr_status fr_collection_index_of(int64_t *out, fr_list *collection, fr_list *child);
fr_status fr_collection_index_of_placeholder(int64_t *out, fr_list *collection, fr_placeholder *placeholder);
fr_status fr_collection_child_of_section(int64_t *out, fr_list *collection, int64_t section);
typedef struct fr_coordinator fr_coordinator;
typedef struct fr_row_places {
    fr_index_path old_path;
    fr_index_path new_path;
} fr_row_places;
typedef struct fr_section_places {
    int64_t old_index;
    int64_t new_index;
} fr_section_places;
typedef struct fr_view {
    size_t struct_size;
    void (*reload)(fr_coordinator *coordinator, void *user_data);
    void (*begin)(fr_coordinator *coordinator, void *user_data);
    void (*delete_sections)(fr_coordinator *coordinator, const int64_t *sections, size_t count, void *user_data);
    void (*insert_sections)(fr_coordinator *coordinator, const int64_t *sections, size_t count, void *user_data);
    void (*move_sections)(fr_coordinator *coordinator, const fr_section_places *sections, size_t count,
                          void *user_data);
    void (*delete_rows)(fr_coordinator *coordinator, const fr_index_path *rows, size_t count, void *user_data);
    void (*insert_rows)(fr_coordinator *coordinator, const fr_index_path *rows, size_t count, void *user_data);
    void (*move_rows)(fr_coordinator *coordinator, const fr_row_places *rows, size_t count, void *user_data);
    void (*reload_rows)(fr_coordinator *coordinator, const fr_row_places *rows, size_t count, void *user_data);
    void (*update_sections)(fr_coordinator *coordinator, const fr_section_places *sections, size_t count,
                            void *user_data);
    void (*end)(fr_coordinator *coordinator, void *user_data);
    void (*step)(fr_coordinator *coordinator, const fr_change *step, fr_index_path final_path, void *user_data);
    void (*update_cell)(fr_coordinator *coordinator, fr_index_path path, fr_object *object, void *user_data);
    void (*count_changed)(fr_coordinator *coordinator, int64_t count, void *user_data);
    void (*did_fail)(fr_coordinator *coordinator, const fr_error *error, void *user_data);
} fr_view;
enum {
    FR_VIEW_NO_ROW_MOVES = 1,
    FR_VIEW_NO_SECTION_MOVES = 2,
    FR_VIEW_DIFFERENCE = 4
};
fr_status fr_coordinator_new(fr_coordinator **out, fr_list *list, const fr_view *view, uint32_t flags, void *user_data,
                             fr_destroy destroy);
void fr_coordinator_free(fr_coordinator *coordinator);
fr_status fr_coordinator_load_data(fr_coordinator *coordinator,
                                                               _Bool
                                                                    fetch);
fr_status fr_coordinator_set_paused(fr_coordinator *coordinator,
                                                                _Bool
                                                                     paused);
fr_status fr_coordinator_is_paused(
                                  _Bool
                                       *out, fr_coordinator *coordinator);
fr_status fr_coordinator_is_loaded(
                                  _Bool
                                       *out, fr_coordinator *coordinator);
fr_status fr_coordinator_list(fr_list **out, fr_coordinator *coordinator);
typedef struct fr_data_source fr_data_source;
typedef struct fr_cells {
    size_t struct_size;
    const char *(*reuse_identifier)(fr_object *object, fr_index_path path, void *user_data);
    void *(*dequeue)(const char *identifier, fr_index_path path, void *user_data);
    void *(*visible_cell)(fr_index_path path, void *user_data);
    void (*configure)(void *cell, fr_object *object, fr_index_path path, void *user_data);
    const char *(*supplementary_identifier)(const char *kind, fr_index_path path, void *user_data);
    void *(*dequeue_supplementary)(const char *kind, const char *identifier, fr_index_path path, void *user_data);
    void (*configure_supplementary)(void *view, const char *kind, fr_index_path path, void *user_data);
} fr_cells;
fr_status fr_data_source_new(fr_data_source **out, fr_list *list, const fr_cells *cells, void *user_data,
                             fr_destroy destroy);
fr_status fr_data_source_new_array(fr_data_source **out, fr_object *const *objects, size_t count, const fr_cells *cells,
                                   void *user_data, fr_destroy destroy);
fr_status fr_data_source_new_picker(fr_data_source **out, fr_list *list,
                                                                        _Bool
                                                                             blank_row, const fr_cells *cells,
                                    void *user_data, fr_destroy destroy);
void fr_data_source_free(fr_data_source *source);
fr_status fr_data_source_section_count(int64_t *out, fr_data_source *source);
fr_status fr_data_source_row_count(int64_t *out, fr_data_source *source, int64_t section);
fr_status fr_data_source_object_at(fr_object **out, fr_data_source *source, fr_index_path path);
fr_status fr_data_source_index_path_of(fr_index_path *out, fr_data_source *source, fr_object *object);
fr_status fr_data_source_cell(void **out, fr_data_source *source, fr_index_path path);
fr_status fr_data_source_update_visible_cell(fr_data_source *source, fr_index_path path, fr_object *object);
fr_status fr_data_source_supplementary(void **out, fr_data_source *source, const char *kind, fr_index_path path);
fr_status fr_data_source_set_system_headers(fr_data_source *source,
                                                                   _Bool
                                                                        system_headers);
fr_status fr_data_source_set_default_section_title(fr_data_source *source, const char *title);
fr_status fr_data_source_set_table_index(fr_data_source *source,
                                                                _Bool
                                                                     table_index);
fr_status fr_data_source_section_title(const char **out, fr_data_source *source, int64_t section);
fr_status fr_data_source_index_title_count(int64_t *out, fr_data_source *source);
fr_status fr_data_source_index_title(const char **out, fr_data_source *source, int64_t index);
fr_status fr_data_source_section_for_index_title(int64_t *out, fr_data_source *source, const char *title,
                                                 int64_t index);
fr_status fr_data_source_selected_objects(fr_object **out, size_t *out_count, fr_data_source *source,
                                          const fr_index_path *paths, size_t count);
fr_status fr_data_source_select_objects(fr_index_path *out, size_t *unknown, fr_data_source *source,
                                        fr_object *const *objects, size_t count);
typedef struct fr_cell fr_cell;
typedef void (*fr_cell_changed)(fr_cell *cell, void *user_data);
fr_status fr_cell_new(fr_cell **out, const char *const *columns, size_t count, fr_cell_changed changed, void *user_data,
                      fr_destroy destroy);
void fr_cell_free(fr_cell *cell);
fr_status fr_cell_set_object(fr_cell *cell, fr_object *object);
fr_status fr_cell_object(fr_object **out, fr_cell *cell);
fr_status fr_cell_column_count(int64_t *out, fr_cell *cell);
fr_status fr_cell_value(fr_value *out, fr_cell *cell, int64_t index);
fr_status fr_cell_text(const char **out, fr_cell *cell, int64_t index);
typedef struct fr_entity_list fr_entity_list;
typedef struct fr_entity {
    size_t struct_size;
    const char *entity;
    const fr_sort *sorts;
    size_t sort_count;
    int64_t batch_size;
    const char *reuse_identifier;
    uint32_t view_flags;
    int32_t reserved;
    fr_status (*prepare_request)(fr_request *request, void *user_data);
    fr_status (*make_list)(fr_list **out, fr_store *store, fr_request *request, void *user_data);
    fr_status (*add_item)(fr_object **out, fr_store *store, const char *const *columns, const fr_value *values,
                          size_t count, void *user_data);
    fr_status (*delete_item)(fr_store *store, fr_object *item, void *user_data);
} fr_entity;
fr_status fr_entity_list_new(fr_entity_list **out, const fr_entity *entity, const fr_view *view, const fr_cells *cells,
                             void *user_data, fr_destroy destroy);
void fr_entity_list_free(fr_entity_list *list);
fr_status fr_entity_list_set_store(fr_entity_list *list, fr_store *store);
fr_status fr_entity_list_list(fr_list **out, fr_entity_list *list);
fr_status fr_entity_list_store(fr_store **out, fr_entity_list *list);
fr_status fr_entity_list_coordinator(fr_coordinator **out, fr_entity_list *list);
fr_status fr_entity_list_data_source(fr_data_source **out, fr_entity_list *list);
fr_status fr_entity_list_add_item(fr_object **out, fr_entity_list *list, const char *const *columns,
                                  const fr_value *values, size_t count);
fr_status fr_entity_list_delete_item(fr_entity_list *list, fr_index_path path);
