"""The functions of the C interface, with their prototypes, in the order of the headers."""

from __future__ import annotations

from ctypes import POINTER, c_bool, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any, Callable

from . import _library
from ._types import (
    CellChangedFunction,
    CellPointer,
    Cells,
    ChangeSetPointer,
    CollationCompare,
    CompletionFunction,
    CoordinatorPointer,
    CountersInfo,
    DataSourcePointer,
    DeliveryTimesInfo,
    Destroy,
    DispatchInfo,
    Entity,
    EntityListPointer,
    Error,
    ExplanationInfo,
    FallibleCompare,
    ForeignCountersInfo,
    Function,
    IndexTitleFunction,
    ListPointer,
    ObjectPointer,
    Observer,
    Path,
    PlaceholderPointer,
    ProgressFunction,
    Range,
    Record,
    ReplayedSection,
    RequestInfo,
    RequestPointer,
    RoundFunction,
    Rows,
    SectionInfo,
    SectionMapOptions,
    StatementPointer,
    StoreOptions,
    StorePointer,
    TotalChange,
    TraceFunction,
    TransactionFunction,
    Value,
    View,
    WindowPlace,
)

_loaded = _library.load()


def _function(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    try:
        function = _loaded[name]
    except AttributeError:
        raise ImportError(f"{_loaded._name} has no {name}: it is older than this package") from None
    function.restype = result
    function.argtypes = arguments
    return function


def _status(name: str, *arguments: Any) -> Callable[..., int]:
    return _function(name, c_int32, *arguments)


_bool_out = POINTER(c_bool)
_integer_out = POINTER(c_int64)
_string_out = POINTER(c_char_p)
_strings = POINTER(c_char_p)
_value = POINTER(Value)
_values = POINTER(Value)
_path_out = POINTER(Path)

# base.h
fr_version = _function("fr_version", c_char_p)
fr_sqlite_with_reset_bug = _function("fr_sqlite_with_reset_bug", c_char_p)
fr_status_name = _function("fr_status_name", c_char_p, c_int32)
fr_error_status = _status("fr_error_status")
fr_error_message = _function("fr_error_message", c_char_p)
fr_error_sqlite_code = _function("fr_error_sqlite_code", c_int32)
fr_error_sql = _function("fr_error_sql", c_char_p)
fr_live_handles = _status("fr_live_handles", _integer_out, c_int32)

# object.h
fr_object_ref = _function("fr_object_ref", ObjectPointer, ObjectPointer)
fr_object_unref = _function("fr_object_unref", None, ObjectPointer)
fr_object_entity = _status("fr_object_entity", _string_out, ObjectPointer)
fr_object_identity_count = _status("fr_object_identity_count", _integer_out, ObjectPointer)
fr_object_identity = _status("fr_object_identity", _value, ObjectPointer, c_int64)
fr_object_column_count = _status("fr_object_column_count", _integer_out, ObjectPointer)
fr_object_column_name = _status("fr_object_column_name", _string_out, ObjectPointer, c_int64)
fr_object_column_index = _status("fr_object_column_index", _integer_out, ObjectPointer, c_char_p)
fr_object_value = _status("fr_object_value", _value, ObjectPointer, c_int64)
fr_object_values = _status("fr_object_values", _values, c_size_t, ObjectPointer)
fr_object_layout = _status("fr_object_layout", POINTER(c_uint64), ObjectPointer)
fr_object_value_named = _status("fr_object_value_named", _value, ObjectPointer, c_char_p)

# store.h
fr_store_open = _status("fr_store_open", POINTER(StorePointer), c_char_p, POINTER(StoreOptions))
fr_store_adopt = _status("fr_store_adopt", POINTER(StorePointer), c_void_p, POINTER(StoreOptions))
fr_store_close = _status("fr_store_close", StorePointer)
fr_store_sqlite = _status("fr_store_sqlite", POINTER(c_void_p), StorePointer)
fr_store_delete_cache = _status("fr_store_delete_cache", StorePointer, c_char_p)
fr_store_delete_all_caches = _status("fr_store_delete_all_caches", StorePointer)
fr_database_delete_cache = _status("fr_database_delete_cache", c_char_p, c_char_p, c_char_p)
fr_database_delete_all_caches = _status("fr_database_delete_all_caches", c_char_p, c_char_p)

# statement.h
fr_store_execute = _status("fr_store_execute", StorePointer, c_char_p, _values, c_size_t)
fr_store_execute_named = _status("fr_store_execute_named", StorePointer, c_char_p, _strings, _values, c_size_t)
fr_store_execute_script = _status("fr_store_execute_script", StorePointer, c_char_p)
fr_store_changes = _status("fr_store_changes", _integer_out, StorePointer)
fr_store_last_insert_rowid = _status("fr_store_last_insert_rowid", _integer_out, StorePointer)
fr_statement_prepare = _status("fr_statement_prepare", POINTER(StatementPointer), StorePointer, c_char_p)
fr_statement_free = _function("fr_statement_free", None, StatementPointer)
fr_statement_bind = _status("fr_statement_bind", StatementPointer, c_int32, _value)
fr_statement_bind_named = _status("fr_statement_bind_named", StatementPointer, c_char_p, _value)
fr_statement_execute = _status("fr_statement_execute", StatementPointer)
fr_statement_step = _status("fr_statement_step", _bool_out, StatementPointer)
fr_statement_column_count = _status("fr_statement_column_count", POINTER(c_int32), StatementPointer)
fr_statement_column_name = _status("fr_statement_column_name", _string_out, StatementPointer, c_int32)
fr_statement_value = _status("fr_statement_value", _value, StatementPointer, c_int32)
fr_statement_reset = _status("fr_statement_reset", StatementPointer)
fr_store_begin = _status("fr_store_begin", StorePointer, c_int32)
fr_store_commit = _status("fr_store_commit", StorePointer)
fr_store_rollback = _status("fr_store_rollback", StorePointer)
fr_store_in_transaction = _status("fr_store_in_transaction", _bool_out, StorePointer)
fr_store_transaction = _status("fr_store_transaction", StorePointer, TransactionFunction, c_void_p)
fr_store_insert = _status(
    "fr_store_insert", POINTER(ObjectPointer), StorePointer, c_char_p, _strings, _values, c_size_t
)
fr_store_update = _status("fr_store_update", StorePointer, c_char_p, _values, c_size_t, _strings, _values, c_size_t)
fr_store_delete = _status("fr_store_delete", StorePointer, c_char_p, _values, c_size_t)
fr_store_object = _status("fr_store_object", POINTER(ObjectPointer), StorePointer, c_char_p, _values, c_size_t)

# function.h
fr_store_add_collation = _status("fr_store_add_collation", StorePointer, c_char_p, CollationCompare, c_void_p, Destroy)
fr_store_add_fallible_collation = _status(
    "fr_store_add_fallible_collation", StorePointer, c_char_p, FallibleCompare, c_void_p, Destroy
)
fr_store_add_function = _status("fr_store_add_function", StorePointer, c_char_p, POINTER(Function), c_void_p, Destroy)

# dispatch.h
fr_store_dispatch = _status("fr_store_dispatch", StorePointer)
fr_store_dispatch_rounds = _status("fr_store_dispatch_rounds", POINTER(DispatchInfo), StorePointer, c_int32)
fr_store_file_descriptor = _status("fr_store_file_descriptor", POINTER(c_int32), StorePointer)
fr_store_wake_up_source = _status("fr_store_wake_up_source", POINTER(c_int32), StorePointer)
fr_store_foreign_counters = _status("fr_store_foreign_counters", POINTER(ForeignCountersInfo), StorePointer)
fr_store_set_measuring = _status("fr_store_set_measuring", StorePointer, c_bool)
fr_store_delivery_times = _status("fr_store_delivery_times", POINTER(DeliveryTimesInfo), StorePointer)
fr_store_set_trace = _status("fr_store_set_trace", StorePointer, TraceFunction, c_void_p, Destroy)
fr_store_wait = _status("fr_store_wait", StorePointer, c_int32)
fr_store_is_delivering = _status("fr_store_is_delivering", _bool_out, StorePointer)
fr_store_call_after_round = _status("fr_store_call_after_round", StorePointer, RoundFunction, c_void_p, Destroy)

# history.h
fr_store_start_history = _status("fr_store_start_history", StorePointer, c_char_p)
fr_store_stop_history = _status("fr_store_stop_history", StorePointer, c_char_p)
fr_store_has_history = _status("fr_store_has_history", _bool_out, StorePointer, c_char_p)
fr_store_history_generation = _status("fr_store_history_generation", _integer_out, StorePointer)
fr_store_touched_rows = _status("fr_store_touched_rows", POINTER(StatementPointer), StorePointer, c_char_p, c_int64)
fr_store_history_limit = _status("fr_store_history_limit", _integer_out, StorePointer)
fr_store_set_history_limit = _status("fr_store_set_history_limit", StorePointer, c_int64)
fr_store_delete_history = _status("fr_store_delete_history", StorePointer, c_int64)

# undo.h
fr_store_begin_step = _status("fr_store_begin_step", StorePointer, c_char_p, c_bool)
fr_store_undo = _status("fr_store_undo", StorePointer)
fr_store_redo = _status("fr_store_redo", StorePointer)
fr_store_undo_name = _status("fr_store_undo_name", _string_out, StorePointer)
fr_store_redo_name = _status("fr_store_redo_name", _string_out, StorePointer)
fr_store_discard_steps = _status("fr_store_discard_steps", StorePointer, c_size_t)
fr_store_set_undo_limit = _status("fr_store_set_undo_limit", StorePointer, c_size_t, c_size_t)

# request.h
fr_request_new = _status("fr_request_new", POINTER(RequestPointer), c_char_p)
fr_request_new_select = _status(
    "fr_request_new_select", POINTER(RequestPointer), c_char_p, _values, c_size_t, _strings, c_size_t, c_char_p
)
fr_request_free = _function("fr_request_free", None, RequestPointer)
fr_request_set_identity = _status("fr_request_set_identity", RequestPointer, _strings, c_size_t)
fr_request_set_predicate = _status("fr_request_set_predicate", RequestPointer, c_char_p, _values, c_size_t)
fr_request_set_predicate_named = _status(
    "fr_request_set_predicate_named", RequestPointer, c_char_p, _strings, _values, c_size_t
)
fr_request_add_sort = _status("fr_request_add_sort", RequestPointer, c_char_p, c_uint32, c_char_p)
fr_request_set_section = _status("fr_request_set_section", RequestPointer, c_char_p, c_uint32, c_char_p)
fr_request_set_columns = _status("fr_request_set_columns", RequestPointer, _strings, c_size_t)
fr_request_set_group_by = _status("fr_request_set_group_by", RequestPointer, _strings, c_size_t)
fr_request_add_total = _status("fr_request_add_total", RequestPointer, c_char_p, c_int32, c_char_p)
fr_request_set_totals_of_all_rows = _status("fr_request_set_totals_of_all_rows", RequestPointer, c_bool)
fr_request_set_having = _status("fr_request_set_having", RequestPointer, c_char_p, _values, c_size_t)
fr_request_set_batch_size = _status("fr_request_set_batch_size", RequestPointer, c_int64)
fr_request_set_rank_tolerance = _status("fr_request_set_rank_tolerance", RequestPointer, c_double)
fr_request_set_limit = _status("fr_request_set_limit", RequestPointer, c_int64, c_int64)
fr_request_set_cache_name = _status("fr_request_set_cache_name", RequestPointer, c_char_p)
fr_request_describe = _status("fr_request_describe", POINTER(RequestInfo), RequestPointer)

# changes.h
fr_change_set_ref = _function("fr_change_set_ref", ChangeSetPointer, ChangeSetPointer)
fr_change_set_unref = _function("fr_change_set_unref", None, ChangeSetPointer)
fr_change_set_records = _status("fr_change_set_records", POINTER(POINTER(Record)), POINTER(c_size_t), ChangeSetPointer)
fr_change_set_count = _status("fr_change_set_count", POINTER(c_size_t), ChangeSetPointer)
fr_change_set_read = _status("fr_change_set_read", POINTER(Record), POINTER(c_size_t), ChangeSetPointer, c_size_t)
fr_change_set_is_reload = _status("fr_change_set_is_reload", _bool_out, ChangeSetPointer)
fr_change_set_origin = _status("fr_change_set_origin", POINTER(c_uint32), ChangeSetPointer)
fr_change_set_object = _status("fr_change_set_object", POINTER(ObjectPointer), ChangeSetPointer, c_size_t)
fr_change_set_old_value = _status("fr_change_set_old_value", _value, ChangeSetPointer, c_size_t, c_int64)
fr_change_set_column_changed = _status("fr_change_set_column_changed", _bool_out, ChangeSetPointer, c_size_t, c_int64)
fr_change_set_column_name = _status("fr_change_set_column_name", _string_out, ChangeSetPointer, c_size_t, c_int64)
fr_change_set_section_name = _status("fr_change_set_section_name", _string_out, ChangeSetPointer, c_size_t)
fr_change_set_old_section_name = _status("fr_change_set_old_section_name", _string_out, ChangeSetPointer, c_size_t)
fr_change_set_section_object = _status(
    "fr_change_set_section_object", POINTER(ObjectPointer), ChangeSetPointer, c_size_t
)
fr_change_set_sequential = _status("fr_change_set_sequential", POINTER(ChangeSetPointer), ChangeSetPointer)
fr_change_set_group = _status(
    "fr_change_set_group", POINTER(POINTER(Record)), POINTER(c_size_t), ChangeSetPointer, c_int32, c_int32
)
fr_change_set_identity = _status(
    "fr_change_set_identity", POINTER(_values), POINTER(c_size_t), ChangeSetPointer, c_size_t
)
fr_change_set_totals = _status(
    "fr_change_set_totals", POINTER(POINTER(TotalChange)), POINTER(c_size_t), ChangeSetPointer
)
fr_change_set_ranges = _status("fr_change_set_ranges", POINTER(POINTER(Range)), POINTER(c_size_t), ChangeSetPointer)
fr_change_set_replay = _status(
    "fr_change_set_replay",
    POINTER(POINTER(ReplayedSection)),
    POINTER(c_size_t),
    ChangeSetPointer,
    _integer_out,
    c_size_t,
)

# controller.h
fr_controller_new = _status("fr_controller_new", POINTER(ListPointer), StorePointer, RequestPointer)
fr_list_free = _status("fr_list_free", ListPointer)
fr_list_perform_fetch = _status("fr_list_perform_fetch", ListPointer)
fr_list_perform_fetch_with_progress = _status(
    "fr_list_perform_fetch_with_progress", ListPointer, ProgressFunction, c_void_p
)
fr_list_perform_fetch_async = _status(
    "fr_list_perform_fetch_async", ListPointer, ProgressFunction, CompletionFunction, c_void_p, Destroy
)
fr_list_cancel_fetch = _status("fr_list_cancel_fetch", ListPointer)
fr_controller_set_row_cache_size = _status("fr_controller_set_row_cache_size", ListPointer, c_int64)
fr_controller_row_cache_size = _status("fr_controller_row_cache_size", _integer_out, ListPointer)
fr_controller_set_row_cache_bytes = _status("fr_controller_set_row_cache_bytes", ListPointer, c_int64)
fr_controller_row_cache_bytes = _status("fr_controller_row_cache_bytes", _integer_out, ListPointer)
fr_list_is_fetched = _status("fr_list_is_fetched", _bool_out, ListPointer)
fr_controller_set_request = _status("fr_controller_set_request", ListPointer, RequestPointer)
fr_controller_request = _status("fr_controller_request", POINTER(RequestPointer), ListPointer)
fr_controller_section_key_path = _status("fr_controller_section_key_path", _string_out, ListPointer)
fr_controller_store = _status("fr_controller_store", POINTER(StorePointer), ListPointer)
fr_controller_failure = _status("fr_controller_failure", POINTER(POINTER(Error)), ListPointer)
fr_controller_pause = _status("fr_controller_pause", ListPointer)
fr_controller_resume = _status("fr_controller_resume", ListPointer, c_bool)
fr_controller_is_paused = _status("fr_controller_is_paused", _bool_out, ListPointer)
fr_list_count = _status("fr_list_count", _integer_out, ListPointer)
fr_list_section_count = _status("fr_list_section_count", _integer_out, ListPointer)
fr_list_section = _status("fr_list_section", POINTER(SectionInfo), ListPointer, c_int64)
fr_list_totals = _status("fr_list_totals", POINTER(ObjectPointer), ListPointer, c_int64)
fr_list_section_object = _status("fr_list_section_object", POINTER(ObjectPointer), ListPointer, c_int64)
fr_list_row_count = _status("fr_list_row_count", _integer_out, ListPointer, c_int64)
fr_list_object_at = _status("fr_list_object_at", POINTER(ObjectPointer), ListPointer, Path)
fr_list_rows = _status("fr_list_rows", POINTER(Rows), ListPointer, Path, c_size_t)
fr_list_identities = _status("fr_list_identities", POINTER(Rows), ListPointer, Path, c_size_t)
fr_list_identity_at = _status("fr_list_identity_at", POINTER(_values), POINTER(c_size_t), ListPointer, Path)
fr_list_index_path_of = _status("fr_list_index_path_of", _path_out, ListPointer, ObjectPointer)
fr_list_index_path_of_identity = _status("fr_list_index_path_of_identity", _path_out, ListPointer, _values, c_size_t)
fr_list_index_path_at = _status("fr_list_index_path_at", _path_out, ListPointer, c_int64)
fr_list_index_of = _status("fr_list_index_of", _integer_out, ListPointer, Path)
fr_controller_set_index_title_function = _status(
    "fr_controller_set_index_title_function", ListPointer, IndexTitleFunction, c_void_p, Destroy
)
fr_controller_index_title_for_name = _status("fr_controller_index_title_for_name", _string_out, ListPointer, c_char_p)
fr_list_index_title_count = _status("fr_list_index_title_count", _integer_out, ListPointer)
fr_list_index_title = _status("fr_list_index_title", _string_out, ListPointer, c_int64)
fr_list_section_for_index_title = _status(
    "fr_list_section_for_index_title", _integer_out, ListPointer, c_char_p, c_int64
)
fr_list_add_observer = _status(
    "fr_list_add_observer", POINTER(c_uint64), ListPointer, POINTER(Observer), c_void_p, Destroy
)
fr_list_remove_observer = _status("fr_list_remove_observer", ListPointer, c_uint64)
fr_controller_counters = _status("fr_controller_counters", POINTER(CountersInfo), ListPointer)
fr_controller_explain = _status("fr_controller_explain", POINTER(ExplanationInfo), ListPointer)

# section_map.h
fr_section_map_new = _status(
    "fr_section_map_new",
    POINTER(ListPointer),
    StorePointer,
    RequestPointer,
    RequestPointer,
    c_char_p,
    POINTER(SectionMapOptions),
)
fr_section_map_new_with_keys = _status(
    "fr_section_map_new_with_keys",
    POINTER(ListPointer),
    StorePointer,
    RequestPointer,
    _values,
    c_size_t,
    c_char_p,
    POINTER(SectionMapOptions),
)
fr_section_map_set_keys = _status("fr_section_map_set_keys", ListPointer, _values, c_size_t)
fr_section_map_set_section_request = _status("fr_section_map_set_section_request", ListPointer, RequestPointer)
fr_section_map_set_empty_sections = _status("fr_section_map_set_empty_sections", ListPointer, c_int32)
fr_section_map_set_items_without_section = _status("fr_section_map_set_items_without_section", ListPointer, c_int32)
fr_section_map_section_request = _status("fr_section_map_section_request", POINTER(RequestPointer), ListPointer)
fr_section_map_key_count = _status("fr_section_map_key_count", _integer_out, ListPointer)
fr_section_map_key = _status("fr_section_map_key", _value, ListPointer, c_int64)
fr_section_map_empty_sections = _status("fr_section_map_empty_sections", POINTER(c_int32), ListPointer)
fr_section_map_items_without_section = _status("fr_section_map_items_without_section", POINTER(c_int32), ListPointer)
fr_section_map_all_section_count = _status("fr_section_map_all_section_count", _integer_out, ListPointer)
fr_section_map_all_section = _status("fr_section_map_all_section", POINTER(SectionInfo), ListPointer, c_int64)
fr_section_map_all_section_object = _status(
    "fr_section_map_all_section_object", POINTER(ObjectPointer), ListPointer, c_int64
)
fr_section_map_sections = _status("fr_section_map_sections", POINTER(POINTER(c_int64)), POINTER(c_size_t), ListPointer)
fr_section_map_set_disabled = _status("fr_section_map_set_disabled", ListPointer, c_bool)
fr_section_map_is_disabled = _status("fr_section_map_is_disabled", _bool_out, ListPointer)

# collection.h
fr_placeholder_new = _status("fr_placeholder_new", POINTER(PlaceholderPointer), c_char_p, c_char_p)
fr_placeholder_free = _function("fr_placeholder_free", None, PlaceholderPointer)
fr_placeholder_set_name = _status("fr_placeholder_set_name", PlaceholderPointer, c_char_p)
fr_placeholder_set_index_title = _status("fr_placeholder_set_index_title", PlaceholderPointer, c_char_p)
fr_placeholder_name = _status("fr_placeholder_name", _string_out, PlaceholderPointer)
fr_placeholder_index_title = _status("fr_placeholder_index_title", _string_out, PlaceholderPointer)
fr_collection_new = _status("fr_collection_new", POINTER(ListPointer))
fr_collection_new_with_requests = _status(
    "fr_collection_new_with_requests", POINTER(ListPointer), StorePointer, POINTER(RequestPointer), c_size_t
)
fr_collection_insert = _status("fr_collection_insert", ListPointer, c_int64, ListPointer, PlaceholderPointer)
fr_collection_insert_placeholder = _status("fr_collection_insert_placeholder", ListPointer, c_int64, PlaceholderPointer)
fr_collection_replace = _status("fr_collection_replace", ListPointer, c_int64, ListPointer, PlaceholderPointer)
fr_collection_replace_child = _status(
    "fr_collection_replace_child", ListPointer, ListPointer, ListPointer, PlaceholderPointer
)
fr_collection_replace_with_placeholder = _status(
    "fr_collection_replace_with_placeholder", ListPointer, c_int64, PlaceholderPointer
)
fr_collection_remove = _status("fr_collection_remove", ListPointer, c_int64)
fr_collection_set_shows_empty_lists = _status("fr_collection_set_shows_empty_lists", ListPointer, c_bool)
fr_collection_shows_empty_lists = _status("fr_collection_shows_empty_lists", _bool_out, ListPointer)
fr_collection_child_count = _status("fr_collection_child_count", _integer_out, ListPointer)
fr_collection_child = _status("fr_collection_child", POINTER(ListPointer), ListPointer, c_int64)
fr_collection_placeholder = _status("fr_collection_placeholder", POINTER(PlaceholderPointer), ListPointer, c_int64)
fr_collection_index_of = _status("fr_collection_index_of", _integer_out, ListPointer, ListPointer)
fr_collection_index_of_placeholder = _status(
    "fr_collection_index_of_placeholder", _integer_out, ListPointer, PlaceholderPointer
)
fr_collection_child_of_section = _status("fr_collection_child_of_section", _integer_out, ListPointer, c_int64)

# window.h
fr_window_open = _status("fr_window_open", POINTER(ListPointer), ListPointer, c_int64, c_int64, c_int64)
fr_window_open_at_identity = _status(
    "fr_window_open_at_identity", POINTER(ListPointer), ListPointer, _values, c_size_t, c_int64, c_int64
)
fr_window_open_at_section = _status(
    "fr_window_open_at_section", POINTER(ListPointer), ListPointer, c_char_p, c_int64, c_int64
)
fr_window_position = _status("fr_window_position", _integer_out, ListPointer)
fr_window_anchor = _status("fr_window_anchor", _path_out, ListPointer)
fr_window_extent = _status("fr_window_extent", _integer_out, _integer_out, ListPointer)
fr_window_move = _status("fr_window_move", ListPointer, c_int64)
fr_window_resize = _status("fr_window_resize", ListPointer, c_int64, c_int64)
fr_change_set_window_place = _status("fr_change_set_window_place", POINTER(WindowPlace), ChangeSetPointer)

# coordinator.h
fr_coordinator_new = _status(
    "fr_coordinator_new", POINTER(CoordinatorPointer), ListPointer, POINTER(View), c_uint32, c_void_p, Destroy
)
fr_coordinator_free = _function("fr_coordinator_free", None, CoordinatorPointer)
fr_coordinator_load_data = _status("fr_coordinator_load_data", CoordinatorPointer, c_bool)
fr_coordinator_set_paused = _status("fr_coordinator_set_paused", CoordinatorPointer, c_bool)
fr_coordinator_is_paused = _status("fr_coordinator_is_paused", _bool_out, CoordinatorPointer)
fr_coordinator_is_loaded = _status("fr_coordinator_is_loaded", _bool_out, CoordinatorPointer)
fr_coordinator_list = _status("fr_coordinator_list", POINTER(ListPointer), CoordinatorPointer)

# data_source.h
fr_data_source_new = _status(
    "fr_data_source_new", POINTER(DataSourcePointer), ListPointer, POINTER(Cells), c_void_p, Destroy
)
fr_data_source_new_array = _status(
    "fr_data_source_new_array",
    POINTER(DataSourcePointer),
    POINTER(ObjectPointer),
    c_size_t,
    POINTER(Cells),
    c_void_p,
    Destroy,
)
fr_data_source_new_picker = _status(
    "fr_data_source_new_picker",
    POINTER(DataSourcePointer),
    ListPointer,
    c_bool,
    POINTER(Cells),
    c_void_p,
    Destroy,
)
fr_data_source_free = _function("fr_data_source_free", None, DataSourcePointer)
fr_data_source_section_count = _status("fr_data_source_section_count", _integer_out, DataSourcePointer)
fr_data_source_row_count = _status("fr_data_source_row_count", _integer_out, DataSourcePointer, c_int64)
fr_data_source_object_at = _status("fr_data_source_object_at", POINTER(ObjectPointer), DataSourcePointer, Path)
fr_data_source_index_path_of = _status("fr_data_source_index_path_of", _path_out, DataSourcePointer, ObjectPointer)
fr_data_source_cell = _status("fr_data_source_cell", POINTER(c_void_p), DataSourcePointer, Path)
fr_data_source_update_visible_cell = _status(
    "fr_data_source_update_visible_cell", DataSourcePointer, Path, ObjectPointer
)
fr_data_source_supplementary = _status(
    "fr_data_source_supplementary", POINTER(c_void_p), DataSourcePointer, c_char_p, Path
)
fr_data_source_set_system_headers = _status("fr_data_source_set_system_headers", DataSourcePointer, c_bool)
fr_data_source_set_default_section_title = _status(
    "fr_data_source_set_default_section_title", DataSourcePointer, c_char_p
)
fr_data_source_set_section_title_format = _status(
    "fr_data_source_set_section_title_format", DataSourcePointer, c_char_p
)
fr_data_source_set_table_index = _status("fr_data_source_set_table_index", DataSourcePointer, c_bool)
fr_data_source_section_title = _status("fr_data_source_section_title", _string_out, DataSourcePointer, c_int64)
fr_data_source_index_title_count = _status("fr_data_source_index_title_count", _integer_out, DataSourcePointer)
fr_data_source_index_title = _status("fr_data_source_index_title", _string_out, DataSourcePointer, c_int64)
fr_data_source_section_for_index_title = _status(
    "fr_data_source_section_for_index_title", _integer_out, DataSourcePointer, c_char_p, c_int64
)
fr_data_source_selected_objects = _status(
    "fr_data_source_selected_objects", POINTER(ObjectPointer), POINTER(c_size_t), DataSourcePointer, _path_out, c_size_t
)
fr_data_source_select_objects = _status(
    "fr_data_source_select_objects", _path_out, POINTER(c_size_t), DataSourcePointer, POINTER(ObjectPointer), c_size_t
)
fr_cell_new = _status("fr_cell_new", POINTER(CellPointer), _strings, c_size_t, CellChangedFunction, c_void_p, Destroy)
fr_cell_free = _function("fr_cell_free", None, CellPointer)
fr_cell_set_object = _status("fr_cell_set_object", CellPointer, ObjectPointer)
fr_cell_object = _status("fr_cell_object", POINTER(ObjectPointer), CellPointer)
fr_cell_column_count = _status("fr_cell_column_count", _integer_out, CellPointer)
fr_cell_value = _status("fr_cell_value", _value, CellPointer, c_int64)
fr_cell_text = _status("fr_cell_text", _string_out, CellPointer, c_int64)

# entity_list.h
fr_entity_list_new = _status(
    "fr_entity_list_new", POINTER(EntityListPointer), POINTER(Entity), POINTER(View), POINTER(Cells), c_void_p, Destroy
)
fr_entity_list_free = _function("fr_entity_list_free", None, EntityListPointer)
fr_entity_list_set_store = _status("fr_entity_list_set_store", EntityListPointer, StorePointer)
fr_entity_list_list = _status("fr_entity_list_list", POINTER(ListPointer), EntityListPointer)
fr_entity_list_store = _status("fr_entity_list_store", POINTER(StorePointer), EntityListPointer)
fr_entity_list_coordinator = _status("fr_entity_list_coordinator", POINTER(CoordinatorPointer), EntityListPointer)
fr_entity_list_data_source = _status("fr_entity_list_data_source", POINTER(DataSourcePointer), EntityListPointer)
fr_entity_list_add_item = _status(
    "fr_entity_list_add_item", POINTER(ObjectPointer), EntityListPointer, _strings, _values, c_size_t
)
fr_entity_list_delete_item = _status("fr_entity_list_delete_item", EntityListPointer, Path)
fr_entity_list_set_pending = _status("fr_entity_list_set_pending", EntityListPointer, ObjectPointer, c_bool)
fr_entity_list_is_pending = _status("fr_entity_list_is_pending", POINTER(c_bool), EntityListPointer, ObjectPointer)
