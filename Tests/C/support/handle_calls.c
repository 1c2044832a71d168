#include "handle_calls.h"

#include <stddef.h>

char untouched[256];

#define OUT ((void *)untouched)
#define CALL(function, ...) \
    static fr_status call_##function(void *handle) \
    { \
        return function(__VA_ARGS__); \
    }

static const fr_value number = {FR_TYPE_INTEGER, 0, 1, 0.0, NULL, 0};
static const char *const names[] = {"id"};
static const fr_index_path origin = {0, 0};
static const fr_observer no_observer = {sizeof(fr_observer), NULL, NULL, NULL, NULL, NULL, NULL, NULL};

static fr_status no_work(fr_store *store, void *user_data)
{
    (void)store;
    (void)user_data;
    return FR_OK;
}

static int32_t no_order(const char *a, size_t a_length, const char *b, size_t b_length, void *user_data)
{
    (void)a;
    (void)a_length;
    (void)b;
    (void)b_length;
    (void)user_data;
    return 0;
}

static bool no_progress(int64_t rows, void *user_data)
{
    (void)rows;
    (void)user_data;
    return true;
}

static void no_completion(fr_list *controller, const fr_error *error, void *user_data)
{
    (void)controller;
    (void)error;
    (void)user_data;
}

CALL(fr_store_close, handle)
CALL(fr_store_execute, handle, "SELECT 1", NULL, 0)
CALL(fr_store_execute_named, handle, "SELECT 1", NULL, NULL, 0)
CALL(fr_store_execute_script, handle, "SELECT 1")
CALL(fr_store_changes, OUT, handle)
CALL(fr_store_delete_cache, handle, "name")
CALL(fr_store_delete_all_caches, handle)
CALL(fr_store_last_insert_rowid, OUT, handle)
CALL(fr_store_begin, handle, FR_DEFERRED)
CALL(fr_store_commit, handle)
CALL(fr_store_rollback, handle)
CALL(fr_store_in_transaction, OUT, handle)
CALL(fr_store_transaction, handle, no_work, NULL)
CALL(fr_store_insert, OUT, handle, "t", names, &number, 1)
CALL(fr_store_update, handle, "t", &number, 1, names, &number, 1)
CALL(fr_store_delete, handle, "t", &number, 1)
CALL(fr_store_object, OUT, handle, "t", &number, 1)
CALL(fr_store_add_collation, handle, "MINE", no_order, NULL, NULL)
CALL(fr_store_dispatch, handle)
CALL(fr_store_file_descriptor, OUT, handle)
CALL(fr_store_wait, handle, 0)
CALL(fr_store_sqlite, OUT, handle)
CALL(fr_statement_prepare, OUT, handle, "SELECT 1")
CALL(fr_statement_bind, handle, 1, &number)
CALL(fr_statement_bind_named, handle, "id", &number)
CALL(fr_statement_execute, handle)
CALL(fr_statement_step, OUT, handle)
CALL(fr_statement_column_count, OUT, handle)
CALL(fr_statement_column_name, OUT, handle, 0)
CALL(fr_statement_value, OUT, handle, 0)
CALL(fr_statement_reset, handle)
CALL(fr_store_start_history, handle, "t")
CALL(fr_store_stop_history, handle, "t")
CALL(fr_store_has_history, OUT, handle, "t")
CALL(fr_store_history_generation, OUT, handle)
CALL(fr_store_touched_rows, OUT, handle, "t", 0)
CALL(fr_store_history_limit, OUT, handle)
CALL(fr_store_set_history_limit, handle, 5)
CALL(fr_store_delete_history, handle, 0)
CALL(fr_store_begin_step, handle, "s", false)
CALL(fr_store_undo, handle)
CALL(fr_store_redo, handle)
CALL(fr_store_undo_name, OUT, handle)
CALL(fr_store_redo_name, OUT, handle)
CALL(fr_store_discard_steps, handle, 1)
CALL(fr_store_set_undo_limit, handle, 1, 1)
CALL(fr_object_entity, OUT, handle)
CALL(fr_object_identity_count, OUT, handle)
CALL(fr_object_identity, OUT, handle, 0)
CALL(fr_object_column_count, OUT, handle)
CALL(fr_object_column_name, OUT, handle, 0)
CALL(fr_object_column_index, OUT, handle, "id")
CALL(fr_object_value, OUT, handle, 0)
CALL(fr_object_values, OUT, 1, handle)
CALL(fr_object_layout, OUT, handle)
CALL(fr_object_value_named, OUT, handle, "id")
CALL(fr_request_set_identity, handle, names, 1)
CALL(fr_request_set_predicate, handle, "1", NULL, 0)
CALL(fr_request_set_predicate_named, handle, "1", NULL, NULL, 0)
CALL(fr_request_add_sort, handle, "id", FR_ASCENDING, NULL)
CALL(fr_request_set_section, handle, "id", FR_ASCENDING, NULL)
CALL(fr_request_set_columns, handle, names, 1)
CALL(fr_request_set_group_by, handle, names, 1)
CALL(fr_request_add_total, handle, "total", FR_TOTAL_COUNT, NULL)
CALL(fr_request_set_totals_of_all_rows, handle, true)
CALL(fr_request_set_rank_tolerance, handle, 0.5)
CALL(fr_request_set_having, handle, "1", NULL, 0)
CALL(fr_request_set_batch_size, handle, 20)
CALL(fr_request_set_limit, handle, 1, 0)
CALL(fr_request_set_cache_name, handle, "name")
CALL(fr_request_describe, OUT, handle)
CALL(fr_list_perform_fetch, handle)
CALL(fr_list_perform_fetch_with_progress, handle, no_progress, NULL)
CALL(fr_list_perform_fetch_async, handle, NULL, no_completion, NULL, NULL)
CALL(fr_list_cancel_fetch, handle)
CALL(fr_controller_set_row_cache_size, handle, 5)
CALL(fr_controller_set_row_cache_bytes, handle, 5)
CALL(fr_list_is_fetched, OUT, handle)
CALL(fr_list_count, OUT, handle)
CALL(fr_list_section_count, OUT, handle)
CALL(fr_list_section, OUT, handle, 0)
CALL(fr_list_row_count, OUT, handle, 0)
CALL(fr_list_object_at, OUT, handle, origin)
CALL(fr_list_rows, OUT, handle, origin, 1)
CALL(fr_list_index_path_of_identity, OUT, handle, &number, 1)
CALL(fr_list_index_path_at, OUT, handle, 0)
CALL(fr_list_index_of, OUT, handle, origin)
CALL(fr_controller_set_index_title_function, handle, NULL, NULL, NULL)
CALL(fr_list_index_title_count, OUT, handle)
CALL(fr_list_index_title, OUT, handle, 0)
CALL(fr_list_section_for_index_title, OUT, handle, "A", 0)
CALL(fr_list_add_observer, OUT, handle, &no_observer, NULL, NULL)
CALL(fr_list_remove_observer, handle, 1)
CALL(fr_controller_request, OUT, handle)
CALL(fr_controller_pause, handle)
CALL(fr_controller_resume, handle, true)
CALL(fr_controller_is_paused, OUT, handle)
CALL(fr_list_section_object, OUT, handle, 0)
CALL(fr_section_map_set_keys, handle, &number, 1)
CALL(fr_section_map_set_section_request, handle, NULL)
CALL(fr_section_map_set_empty_sections, handle, FR_EMPTY_SECTIONS_HIDDEN)
CALL(fr_section_map_set_items_without_section, handle, FR_ITEMS_WITHOUT_SECTION_HIDDEN)
CALL(fr_section_map_all_section_count, OUT, handle)
CALL(fr_section_map_all_section, OUT, handle, 0)
CALL(fr_section_map_all_section_object, OUT, handle, 0)
CALL(fr_section_map_set_disabled, handle, true)
CALL(fr_section_map_sections, OUT, OUT, handle)
CALL(fr_section_map_is_disabled, OUT, handle)
CALL(fr_collection_insert, handle, -1, NULL, NULL)
CALL(fr_collection_insert_placeholder, handle, -1, NULL)
CALL(fr_collection_replace, handle, 0, NULL, NULL)
CALL(fr_collection_replace_child, handle, NULL, NULL, NULL)
CALL(fr_collection_replace_with_placeholder, handle, 0, NULL)
CALL(fr_collection_remove, handle, 0)
CALL(fr_collection_set_shows_empty_lists, handle, true)
CALL(fr_collection_shows_empty_lists, OUT, handle)
CALL(fr_collection_child_count, OUT, handle)
CALL(fr_collection_child, OUT, handle, 0)
CALL(fr_collection_index_of, OUT, handle, NULL)
CALL(fr_collection_index_of_placeholder, OUT, handle, NULL)
CALL(fr_collection_child_of_section, OUT, handle, 0)
CALL(fr_change_set_records, OUT, OUT, handle)
CALL(fr_change_set_count, OUT, handle)
CALL(fr_change_set_read, OUT, OUT, handle, 0)
CALL(fr_change_set_object, OUT, handle, 0)
CALL(fr_change_set_old_value, OUT, handle, 0, 0)
CALL(fr_change_set_column_changed, OUT, handle, 0, 0)
CALL(fr_change_set_column_name, OUT, handle, 0, 0)
CALL(fr_change_set_section_name, OUT, handle, 0)
CALL(fr_change_set_sequential, OUT, handle)
CALL(fr_change_set_is_reload, OUT, handle)
CALL(fr_change_set_origin, OUT, handle)
CALL(fr_change_set_section_object, OUT, handle, 0)
CALL(fr_window_open, OUT, handle, 0, 0, 1)
CALL(fr_window_open_at_identity, OUT, handle, &number, 1, 0, 1)
CALL(fr_window_open_at_section, OUT, handle, "x", 0, 1)
CALL(fr_window_position, OUT, handle)
CALL(fr_window_anchor, OUT, handle)
CALL(fr_window_extent, OUT, OUT, handle)
CALL(fr_window_move, handle, 1)
CALL(fr_window_resize, handle, 0, 1)
CALL(fr_change_set_window_place, OUT, handle)
CALL(fr_placeholder_set_name, handle, "name")
CALL(fr_placeholder_set_index_title, handle, "title")
CALL(fr_coordinator_load_data, handle, true)
CALL(fr_coordinator_set_paused, handle, true)
CALL(fr_coordinator_is_paused, OUT, handle)
CALL(fr_coordinator_is_loaded, OUT, handle)
CALL(fr_coordinator_list, OUT, handle)
CALL(fr_data_source_section_count, OUT, handle)
CALL(fr_data_source_row_count, OUT, handle, 0)
CALL(fr_data_source_object_at, OUT, handle, origin)
CALL(fr_data_source_index_path_of, OUT, handle, NULL)
CALL(fr_data_source_cell, OUT, handle, origin)
CALL(fr_data_source_update_visible_cell, handle, origin, NULL)
CALL(fr_data_source_supplementary, OUT, handle, "header", origin)
CALL(fr_data_source_set_system_headers, handle, true)
CALL(fr_data_source_set_default_section_title, handle, "title")
CALL(fr_data_source_set_section_title_format, handle, "{name}")
CALL(fr_data_source_set_table_index, handle, true)
CALL(fr_data_source_section_title, OUT, handle, 0)
CALL(fr_data_source_index_title_count, OUT, handle)
CALL(fr_data_source_index_title, OUT, handle, 0)
CALL(fr_data_source_section_for_index_title, OUT, handle, "A", 0)
CALL(fr_data_source_selected_objects, OUT, OUT, handle, &origin, 1)
CALL(fr_data_source_select_objects, OUT, OUT, handle, NULL, 0)
CALL(fr_cell_set_object, handle, NULL)
CALL(fr_cell_object, OUT, handle)
CALL(fr_cell_column_count, OUT, handle)
CALL(fr_cell_value, OUT, handle, 0)
CALL(fr_cell_text, OUT, handle, 0)
CALL(fr_entity_list_set_store, handle, NULL)
CALL(fr_entity_list_list, OUT, handle)
CALL(fr_entity_list_coordinator, OUT, handle)
CALL(fr_entity_list_data_source, OUT, handle)
CALL(fr_entity_list_add_item, OUT, handle, names, &number, 1)
CALL(fr_entity_list_delete_item, handle, origin)
CALL(fr_entity_list_set_pending, handle, NULL, true)
CALL(fr_entity_list_is_pending, OUT, handle, NULL)

#define ROW(kind, function) {#function, kind, call_##function}

const struct handle_call handle_calls[] = {
    ROW(STORE, fr_store_close),
    ROW(STORE, fr_store_execute),
    ROW(STORE, fr_store_execute_named),
    ROW(STORE, fr_store_execute_script),
    ROW(STORE, fr_store_changes),
    ROW(STORE, fr_store_delete_cache),
    ROW(STORE, fr_store_delete_all_caches),
    ROW(STORE, fr_store_last_insert_rowid),
    ROW(STORE, fr_store_begin),
    ROW(STORE, fr_store_commit),
    ROW(STORE, fr_store_rollback),
    ROW(STORE, fr_store_in_transaction),
    ROW(STORE, fr_store_transaction),
    ROW(STORE, fr_store_insert),
    ROW(STORE, fr_store_update),
    ROW(STORE, fr_store_delete),
    ROW(STORE, fr_store_object),
    ROW(STORE, fr_store_add_collation),
    ROW(STORE, fr_store_dispatch),
    ROW(STORE, fr_store_file_descriptor),
    ROW(STORE, fr_store_wait),
    ROW(STORE, fr_store_sqlite),
    ROW(STORE, fr_statement_prepare),
    ROW(STATEMENT, fr_statement_bind),
    ROW(STATEMENT, fr_statement_bind_named),
    ROW(STATEMENT, fr_statement_execute),
    ROW(STATEMENT, fr_statement_step),
    ROW(STATEMENT, fr_statement_column_count),
    ROW(STATEMENT, fr_statement_column_name),
    ROW(STATEMENT, fr_statement_value),
    ROW(STATEMENT, fr_statement_reset),
    ROW(STORE, fr_store_start_history),
    ROW(STORE, fr_store_stop_history),
    ROW(STORE, fr_store_has_history),
    ROW(STORE, fr_store_history_generation),
    ROW(STORE, fr_store_touched_rows),
    ROW(STORE, fr_store_history_limit),
    ROW(STORE, fr_store_set_history_limit),
    ROW(STORE, fr_store_delete_history),
    ROW(STORE, fr_store_begin_step),
    ROW(STORE, fr_store_undo),
    ROW(STORE, fr_store_redo),
    ROW(STORE, fr_store_undo_name),
    ROW(STORE, fr_store_redo_name),
    ROW(STORE, fr_store_discard_steps),
    ROW(STORE, fr_store_set_undo_limit),
    ROW(OBJECT, fr_object_entity),
    ROW(OBJECT, fr_object_identity_count),
    ROW(OBJECT, fr_object_identity),
    ROW(OBJECT, fr_object_column_count),
    ROW(OBJECT, fr_object_column_name),
    ROW(OBJECT, fr_object_column_index),
    ROW(OBJECT, fr_object_value),
    ROW(OBJECT, fr_object_values),
    ROW(OBJECT, fr_object_layout),
    ROW(OBJECT, fr_object_value_named),
    ROW(REQUEST, fr_request_set_identity),
    ROW(REQUEST, fr_request_set_predicate),
    ROW(REQUEST, fr_request_set_predicate_named),
    ROW(REQUEST, fr_request_add_sort),
    ROW(REQUEST, fr_request_set_section),
    ROW(REQUEST, fr_request_set_columns),
    ROW(REQUEST, fr_request_set_group_by),
    ROW(REQUEST, fr_request_add_total),
    ROW(REQUEST, fr_request_set_totals_of_all_rows),
    ROW(REQUEST, fr_request_set_rank_tolerance),
    ROW(REQUEST, fr_request_set_having),
    ROW(REQUEST, fr_request_set_batch_size),
    ROW(REQUEST, fr_request_set_limit),
    ROW(REQUEST, fr_request_set_cache_name),
    ROW(REQUEST, fr_request_describe),
    ROW(CONTROLLER, fr_list_perform_fetch),
    ROW(CONTROLLER, fr_list_perform_fetch_with_progress),
    ROW(CONTROLLER, fr_list_perform_fetch_async),
    ROW(CONTROLLER, fr_list_cancel_fetch),
    ROW(CONTROLLER, fr_controller_set_row_cache_size),
    ROW(CONTROLLER, fr_controller_set_row_cache_bytes),
    ROW(CONTROLLER, fr_list_is_fetched),
    ROW(CONTROLLER, fr_list_count),
    ROW(CONTROLLER, fr_list_section_count),
    ROW(CONTROLLER, fr_list_section),
    ROW(CONTROLLER, fr_list_row_count),
    ROW(CONTROLLER, fr_list_object_at),
    ROW(CONTROLLER, fr_list_rows),
    ROW(CONTROLLER, fr_list_index_path_of_identity),
    ROW(CONTROLLER, fr_list_index_path_at),
    ROW(CONTROLLER, fr_list_index_of),
    ROW(CONTROLLER, fr_controller_set_index_title_function),
    ROW(CONTROLLER, fr_list_index_title_count),
    ROW(CONTROLLER, fr_list_index_title),
    ROW(CONTROLLER, fr_list_section_for_index_title),
    ROW(CONTROLLER, fr_list_add_observer),
    ROW(CONTROLLER, fr_list_remove_observer),
    ROW(CONTROLLER, fr_controller_request),
    ROW(CONTROLLER, fr_controller_pause),
    ROW(CONTROLLER, fr_controller_resume),
    ROW(CONTROLLER, fr_controller_is_paused),
    ROW(CONTROLLER, fr_list_section_object),
    ROW(CONTROLLER, fr_section_map_set_keys),
    ROW(CONTROLLER, fr_section_map_set_section_request),
    ROW(CONTROLLER, fr_section_map_set_empty_sections),
    ROW(CONTROLLER, fr_section_map_set_items_without_section),
    ROW(CONTROLLER, fr_section_map_all_section_count),
    ROW(CONTROLLER, fr_section_map_all_section),
    ROW(CONTROLLER, fr_section_map_all_section_object),
    ROW(CONTROLLER, fr_section_map_sections),
    ROW(CONTROLLER, fr_section_map_set_disabled),
    ROW(CONTROLLER, fr_section_map_is_disabled),
    ROW(CONTROLLER, fr_collection_insert),
    ROW(CONTROLLER, fr_collection_insert_placeholder),
    ROW(CONTROLLER, fr_collection_replace),
    ROW(CONTROLLER, fr_collection_replace_child),
    ROW(CONTROLLER, fr_collection_replace_with_placeholder),
    ROW(CONTROLLER, fr_collection_remove),
    ROW(CONTROLLER, fr_collection_set_shows_empty_lists),
    ROW(CONTROLLER, fr_collection_shows_empty_lists),
    ROW(CONTROLLER, fr_collection_child_count),
    ROW(CONTROLLER, fr_collection_child),
    ROW(CONTROLLER, fr_collection_index_of),
    ROW(CONTROLLER, fr_collection_index_of_placeholder),
    ROW(CONTROLLER, fr_collection_child_of_section),
    ROW(CHANGE_SET, fr_change_set_records),
    ROW(CHANGE_SET, fr_change_set_count),
    ROW(CHANGE_SET, fr_change_set_read),
    ROW(CHANGE_SET, fr_change_set_object),
    ROW(CHANGE_SET, fr_change_set_old_value),
    ROW(CHANGE_SET, fr_change_set_column_changed),
    ROW(CHANGE_SET, fr_change_set_column_name),
    ROW(CHANGE_SET, fr_change_set_section_name),
    ROW(CHANGE_SET, fr_change_set_sequential),
    ROW(CHANGE_SET, fr_change_set_is_reload),
    ROW(CHANGE_SET, fr_change_set_origin),
    ROW(CHANGE_SET, fr_change_set_section_object),
    ROW(CONTROLLER, fr_window_open),
    ROW(CONTROLLER, fr_window_open_at_identity),
    ROW(CONTROLLER, fr_window_open_at_section),
    ROW(CONTROLLER, fr_window_position),
    ROW(CONTROLLER, fr_window_anchor),
    ROW(CONTROLLER, fr_window_extent),
    ROW(CONTROLLER, fr_window_move),
    ROW(CONTROLLER, fr_window_resize),
    ROW(CHANGE_SET, fr_change_set_window_place),
    ROW(PLACEHOLDER, fr_placeholder_set_name),
    ROW(PLACEHOLDER, fr_placeholder_set_index_title),
    ROW(COORDINATOR, fr_coordinator_load_data),
    ROW(COORDINATOR, fr_coordinator_set_paused),
    ROW(COORDINATOR, fr_coordinator_is_paused),
    ROW(COORDINATOR, fr_coordinator_is_loaded),
    ROW(COORDINATOR, fr_coordinator_list),
    ROW(DATA_SOURCE, fr_data_source_section_count),
    ROW(DATA_SOURCE, fr_data_source_row_count),
    ROW(DATA_SOURCE, fr_data_source_object_at),
    ROW(DATA_SOURCE, fr_data_source_index_path_of),
    ROW(DATA_SOURCE, fr_data_source_cell),
    ROW(DATA_SOURCE, fr_data_source_update_visible_cell),
    ROW(DATA_SOURCE, fr_data_source_supplementary),
    ROW(DATA_SOURCE, fr_data_source_set_system_headers),
    ROW(DATA_SOURCE, fr_data_source_set_default_section_title),
    ROW(DATA_SOURCE, fr_data_source_set_section_title_format),
    ROW(DATA_SOURCE, fr_data_source_set_table_index),
    ROW(DATA_SOURCE, fr_data_source_section_title),
    ROW(DATA_SOURCE, fr_data_source_index_title_count),
    ROW(DATA_SOURCE, fr_data_source_index_title),
    ROW(DATA_SOURCE, fr_data_source_section_for_index_title),
    ROW(DATA_SOURCE, fr_data_source_selected_objects),
    ROW(DATA_SOURCE, fr_data_source_select_objects),
    ROW(CELL, fr_cell_set_object),
    ROW(CELL, fr_cell_object),
    ROW(CELL, fr_cell_column_count),
    ROW(CELL, fr_cell_value),
    ROW(CELL, fr_cell_text),
    ROW(ENTITY_LIST, fr_entity_list_set_store),
    ROW(ENTITY_LIST, fr_entity_list_list),
    ROW(ENTITY_LIST, fr_entity_list_coordinator),
    ROW(ENTITY_LIST, fr_entity_list_data_source),
    ROW(ENTITY_LIST, fr_entity_list_add_item),
    ROW(ENTITY_LIST, fr_entity_list_delete_item),
    ROW(ENTITY_LIST, fr_entity_list_set_pending),
    ROW(ENTITY_LIST, fr_entity_list_is_pending),
    {NULL, STORE, NULL},
};
