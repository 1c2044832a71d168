/* The layouts that are part of the binary interface, on a machine with 64-bit pointers. */
#include <stddef.h>

#include <fetchedresults/views.h>

#include "test.h"

#define PLACE(type, member, offset) CHECK_INT(offsetof(type, member), offset)

static void value_layout(void)
{
    CHECK_INT(sizeof(fr_value), 40);
    PLACE(fr_value, type, 0);
    PLACE(fr_value, reserved, 4);
    PLACE(fr_value, integer, 8);
    PLACE(fr_value, real, 16);
    PLACE(fr_value, data, 24);
    PLACE(fr_value, length, 32);
}

static void change_layout(void)
{
    CHECK_INT(sizeof(fr_index_path), 16);
    PLACE(fr_index_path, section, 0);
    PLACE(fr_index_path, row, 8);
    CHECK_INT(sizeof(fr_change), 56);
    PLACE(fr_change, kind, 0);
    PLACE(fr_change, type, 4);
    PLACE(fr_change, flags, 8);
    PLACE(fr_change, index, 12);
    PLACE(fr_change, old_path, 16);
    PLACE(fr_change, new_path, 32);
    PLACE(fr_change, changed_columns, 48);
}

static void window_layout(void)
{
    CHECK_INT(sizeof(fr_window_place), 24);
    PLACE(fr_window_place, position, 0);
    PLACE(fr_window_place, anchor, 8);
    PLACE(fr_window_place, is_anchor_replaced, 16);
}

static void section_layout(void)
{
    CHECK_INT(sizeof(fr_section_info), 80);
    PLACE(fr_section_info, name, 0);
    PLACE(fr_section_info, name_length, 8);
    PLACE(fr_section_info, index_title, 16);
    PLACE(fr_section_info, count, 24);
    PLACE(fr_section_info, value, 32);
    PLACE(fr_section_info, index, 72);
}

static void place_layouts(void)
{
    CHECK_INT(sizeof(fr_row_places), 32);
    PLACE(fr_row_places, old_path, 0);
    PLACE(fr_row_places, new_path, 16);
    CHECK_INT(sizeof(fr_section_places), 16);
    PLACE(fr_section_places, old_index, 0);
    PLACE(fr_section_places, new_index, 8);
}

/* These begin with their size and may grow at the end; existing members never move. */
static void growing_layouts(void)
{
    PLACE(fr_store_options, struct_size, 0);
    PLACE(fr_store_options, flags, 8);
    PLACE(fr_store_options, busy_timeout_ms, 12);
    PLACE(fr_store_options, journal_mode, 16);
    PLACE(fr_store_options, cache_directory, 24);
    PLACE(fr_store_options, snapshot_limit, 32);
    PLACE(fr_store_options, poll_interval_ms, 40);
    CHECK(sizeof(fr_store_options) >= 48);
    PLACE(fr_error, struct_size, 0);
    PLACE(fr_error, status, 8);
    PLACE(fr_error, sqlite_code, 12);
    PLACE(fr_error, message, 16);
    PLACE(fr_error, sql, 24);
    CHECK(sizeof(fr_error) >= 32);
    PLACE(fr_observer, struct_size, 0);
    PLACE(fr_observer, will_change, 8);
    PLACE(fr_observer, section_changed, 16);
    PLACE(fr_observer, object_changed, 24);
    PLACE(fr_observer, did_change, 32);
    PLACE(fr_observer, did_deliver, 40);
    PLACE(fr_observer, did_fail, 48);
    PLACE(fr_observer, did_reload, 56);
    CHECK(sizeof(fr_observer) >= 64);
    PLACE(fr_counters, struct_size, 0);
    PLACE(fr_counters, rows_read, 8);
    PLACE(fr_counters, statements_run, 16);
    PLACE(fr_counters, nodes_visited, 24);
    PLACE(fr_counters, bytes_held, 32);
    PLACE(fr_counters, deliveries, 40);
    PLACE(fr_counters, cached_fetches, 48);
    PLACE(fr_counters, rereads, 56);
    CHECK_INT(FR_REREAD_REASONS, 11);
    CHECK(sizeof(fr_counters) >= 144);
    PLACE(fr_delivery_times, struct_size, 0);
    PLACE(fr_delivery_times, rounds, 8);
    PLACE(fr_delivery_times, total, 16);
    PLACE(fr_delivery_times, last, 56);
    CHECK(sizeof(fr_delivery_times) >= 96);
    PLACE(fr_phases, finding, 8);
    PLACE(fr_phases, reading, 16);
    PLACE(fr_phases, building, 24);
    PLACE(fr_phases, notifying, 32);
    CHECK(sizeof(fr_phases) == 40);
    PLACE(fr_statement_trace, time, 24);
    CHECK(sizeof(fr_statement_trace) == 32);
    PLACE(fr_list_trace, entity, 8);
    PLACE(fr_list_trace, reread, 16);
    PLACE(fr_list_trace, rows_read, 24);
    PLACE(fr_list_trace, records, 32);
    PLACE(fr_list_trace, reading, 40);
    PLACE(fr_list_trace, building, 48);
    PLACE(fr_list_trace, statement_count, 56);
    PLACE(fr_list_trace, statements, 64);
    CHECK(sizeof(fr_list_trace) == 72);
    PLACE(fr_round_trace, text, 0);
    PLACE(fr_round_trace, origin, 8);
    PLACE(fr_round_trace, phases, 16);
    PLACE(fr_round_trace, list_count, 56);
    PLACE(fr_round_trace, lists, 64);
    CHECK(sizeof(fr_round_trace) >= 72);
    PLACE(fr_explanation, struct_size, 0);
    PLACE(fr_explanation, text, 8);
    PLACE(fr_explanation, sql, 16);
    PLACE(fr_explanation, plan, 24);
    PLACE(fr_explanation, advice, 32);
    PLACE(fr_explanation, is_sorted, 40);
    PLACE(fr_explanation, is_incremental, 41);
    PLACE(fr_explanation, whole_reads, 44);
    CHECK(sizeof(fr_explanation) >= 48);
    PLACE(fr_foreign_counters, struct_size, 0);
    PLACE(fr_foreign_counters, followed, 8);
    PLACE(fr_foreign_counters, frames, 16);
    PLACE(fr_foreign_counters, rows, 24);
    PLACE(fr_foreign_counters, unknown, 32);
    CHECK_INT(FR_UNKNOWN_REASONS, 7);
    CHECK(sizeof(fr_foreign_counters) >= 88);
    PLACE(fr_dispatch_result, struct_size, 0);
    PLACE(fr_dispatch_result, rounds, 8);
    PLACE(fr_dispatch_result, changed_lists, 16);
    PLACE(fr_dispatch_result, is_complete, 24);
    CHECK(sizeof(fr_dispatch_result) >= 32);
    PLACE(fr_function, struct_size, 0);
    PLACE(fr_function, flags, 8);
    PLACE(fr_function, argument_count, 12);
    PLACE(fr_function, call, 16);
    PLACE(fr_function, step, 24);
    PLACE(fr_function, finalize, 32);
    PLACE(fr_function, value, 40);
    PLACE(fr_function, inverse, 48);
    PLACE(fr_function, free_data, 56);
    CHECK(sizeof(fr_function) >= 64);
    PLACE(fr_request_info, struct_size, 0);
    PLACE(fr_request_info, entity, 8);
    PLACE(fr_request_info, select, 16);
    PLACE(fr_request_info, predicate, 24);
    PLACE(fr_request_info, parameters, 32);
    PLACE(fr_request_info, parameter_names, 40);
    PLACE(fr_request_info, parameter_count, 48);
    PLACE(fr_request_info, sorts, 56);
    PLACE(fr_request_info, sort_count, 64);
    PLACE(fr_request_info, section, 72);
    PLACE(fr_request_info, columns, 96);
    PLACE(fr_request_info, column_count, 104);
    PLACE(fr_request_info, identity, 112);
    PLACE(fr_request_info, identity_count, 120);
    PLACE(fr_request_info, batch_size, 128);
    PLACE(fr_request_info, limit, 136);
    PLACE(fr_request_info, offset, 144);
    PLACE(fr_request_info, cache_name, 152);
    PLACE(fr_request_info, group_by, 160);
    PLACE(fr_request_info, group_by_count, 168);
    PLACE(fr_request_info, totals, 176);
    PLACE(fr_request_info, total_count, 184);
    PLACE(fr_request_info, having, 192);
    PLACE(fr_request_info, having_parameters, 200);
    PLACE(fr_request_info, having_parameter_count, 208);
    CHECK(sizeof(fr_request_info) >= 216);
    CHECK_INT(sizeof(fr_total), 24);
    PLACE(fr_total, name, 0);
    PLACE(fr_total, function, 8);
    PLACE(fr_total, expression, 16);
    PLACE(fr_section_map_options, struct_size, 0);
    PLACE(fr_section_map_options, section_key, 8);
    PLACE(fr_section_map_options, index_title, 16);
    PLACE(fr_section_map_options, empty_sections, 24);
    PLACE(fr_section_map_options, items_without_section, 28);
    CHECK(sizeof(fr_section_map_options) >= 32);
    PLACE(fr_view, struct_size, 0);
    PLACE(fr_view, reload, 8);
    PLACE(fr_view, step, 96);
    PLACE(fr_view, did_fail, 120);
    CHECK(sizeof(fr_view) >= 128);
    PLACE(fr_cells, struct_size, 0);
    PLACE(fr_cells, reuse_identifier, 8);
    PLACE(fr_cells, configure_supplementary, 56);
    CHECK(sizeof(fr_cells) >= 64);
    PLACE(fr_entity, struct_size, 0);
    CHECK(sizeof(fr_entity) >= 88);
}

static void enumeration_values(void)
{
    CHECK_INT(FR_TYPE_NULL, 0);
    CHECK_INT(FR_TYPE_INTEGER, 1);
    CHECK_INT(FR_TYPE_REAL, 2);
    CHECK_INT(FR_TYPE_TEXT, 3);
    CHECK_INT(FR_TYPE_BLOB, 4);
    CHECK_INT(FR_SECTION, 1);
    CHECK_INT(FR_OBJECT, 2);
    CHECK_INT(FR_INSERT, 1);
    CHECK_INT(FR_DELETE, 2);
    CHECK_INT(FR_MOVE, 3);
    CHECK_INT(FR_UPDATE, 4);
    CHECK_INT(FR_COLUMNS_UNKNOWN, 1);
    CHECK_INT(FR_ORIGIN_STORE, 1);
    CHECK_INT(FR_ORIGIN_FOREIGN, 2);
    CHECK_INT(FR_ORIGIN_REQUEST, 4);
    CHECK_INT(FR_ORIGIN_RESUME, 8);
    CHECK_INT(FR_ORIGIN_FETCH, 16);
    CHECK_INT(FR_DESCENDING, 1);
    CHECK_INT(FR_NULLS_FIRST, 2);
    CHECK_INT(FR_NULLS_LAST, 4);
    CHECK_INT(FR_STORE_READ_ONLY, 1);
    CHECK_INT(FR_STORE_NO_CREATE, 2);
    CHECK_INT(FR_STORE_NO_FOREIGN_KEYS, 4);
    CHECK_INT(FR_STORE_QUEUED, 8);
    CHECK_INT(FR_EMPTY_SECTIONS_SHOWN, 0);
    CHECK_INT(FR_EMPTY_SECTIONS_HIDDEN, 1);
    CHECK_INT(FR_ITEMS_WITHOUT_SECTION_SHOWN, 0);
    CHECK_INT(FR_ITEMS_WITHOUT_SECTION_HIDDEN, 1);
    CHECK_INT(FR_ITEMS_WITHOUT_SECTION_ALWAYS_SHOWN, 2);
    CHECK_INT(FR_HANDLE_ANY, 0);
    CHECK_INT(FR_HANDLE_STORE, 1);
    CHECK_INT(FR_HANDLE_STATEMENT, 2);
    CHECK_INT(FR_HANDLE_OBJECT, 3);
    CHECK_INT(FR_HANDLE_REQUEST, 4);
    CHECK_INT(FR_HANDLE_LIST, 5);
    CHECK_INT(FR_HANDLE_CHANGE_SET, 6);
    CHECK_INT(FR_HANDLE_PLACEHOLDER, 7);
    CHECK_INT(FR_HANDLE_COORDINATOR, 8);
    CHECK_INT(FR_HANDLE_DATA_SOURCE, 9);
    CHECK_INT(FR_HANDLE_CELL, 10);
    CHECK_INT(FR_HANDLE_ENTITY_LIST, 11);
    CHECK_INT(FR_REREAD_RECOVERY, 9);
    CHECK_INT(FR_REREAD_PAUSE, 10);
}

/* clang-format off */
TESTS(layout_tests) = {
    TEST(value_layout),
    TEST(change_layout),
    TEST(place_layouts),
    TEST(window_layout),
    TEST(section_layout),
    TEST(growing_layouts),
    TEST(enumeration_values),
    END_OF_TESTS,
};
/* clang-format on */
