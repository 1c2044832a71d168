"""The C interface's data types: handles, structures and callbacks, in the order of the headers."""

from __future__ import annotations

from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_bool,
    c_char_p,
    c_double,
    c_int32,
    c_int64,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
)

# Handles: a pointer type of its own for each, so that ctypes refuses one in place of another.


class StoreHandle(Structure):
    """`fr_store`."""


class StatementHandle(Structure):
    """`fr_statement`."""


class RequestHandle(Structure):
    """`fr_request`."""


class ListHandle(Structure):
    """`fr_list`."""


class ObjectHandle(Structure):
    """`fr_object`."""


class ChangeSetHandle(Structure):
    """`fr_change_set`."""


class PlaceholderHandle(Structure):
    """`fr_placeholder`."""


StorePointer = POINTER(StoreHandle)
StatementPointer = POINTER(StatementHandle)
RequestPointer = POINTER(RequestHandle)
ListPointer = POINTER(ListHandle)
ObjectPointer = POINTER(ObjectHandle)
ChangeSetPointer = POINTER(ChangeSetHandle)
PlaceholderPointer = POINTER(PlaceholderHandle)


class Error(Structure):
    """`fr_error`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("status", c_int32),
        ("sqlite_code", c_int32),
        ("message", c_char_p),
        ("sql", c_char_p),
    ]


# Callbacks are distinguished by an integer in their user data, never by an address.
Destroy = CFUNCTYPE(None, c_void_p)


class Value(Structure):
    """`fr_value`. Values from the library are unpacked as a whole, so `data` is declared as values
    for the library need it."""

    _fields_ = [
        ("type", c_int32),
        ("reserved", c_int32),
        ("integer", c_int64),
        ("real", c_double),
        ("data", c_char_p),
        ("length", c_int64),
    ]


class StoreOptions(Structure):
    """`fr_store_options`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("flags", c_uint32),
        ("busy_timeout_ms", c_int32),
        ("journal_mode", c_char_p),
        ("cache_directory", c_char_p),
        ("snapshot_limit", c_int64),
        ("poll_interval_ms", c_int32),
    ]


TransactionFunction = CFUNCTYPE(c_int32, StorePointer, c_void_p)
RoundFunction = CFUNCTYPE(None, StorePointer, POINTER(Error), c_void_p)
# The strings are not NUL-terminated, so they are declared as addresses.
CollationCompare = CFUNCTYPE(c_int32, c_void_p, c_size_t, c_void_p, c_size_t, c_void_p)
FallibleCompare = CFUNCTYPE(c_int32, POINTER(c_int32), c_void_p, c_size_t, c_void_p, c_size_t, c_void_p)
CallFunction = CFUNCTYPE(c_int32, POINTER(Value), POINTER(Value), c_size_t, c_void_p)
GroupFunction = CFUNCTYPE(c_int32, POINTER(Value), POINTER(c_void_p), POINTER(Value), c_size_t, c_void_p)
ResultFunction = CFUNCTYPE(c_int32, POINTER(Value), POINTER(c_void_p), c_void_p)


class Function(Structure):
    """`fr_function`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("flags", c_uint32),
        ("argument_count", c_int32),
        ("call", CallFunction),
        ("step", GroupFunction),
        ("finalize", ResultFunction),
        ("value", ResultFunction),
        ("inverse", GroupFunction),
        ("free_data", Destroy),
    ]


class Sort(Structure):
    """`fr_sort`."""

    _fields_ = [("key_path", c_char_p), ("flags", c_uint32), ("collation", c_char_p)]


class Total(Structure):
    """`fr_total`."""

    _fields_ = [("name", c_char_p), ("function", c_int32), ("expression", c_char_p)]


class RequestInfo(Structure):
    """`fr_request_info`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("entity", c_char_p),
        ("select", c_char_p),
        ("predicate", c_char_p),
        ("parameters", POINTER(Value)),
        ("parameter_names", POINTER(c_char_p)),
        ("parameter_count", c_size_t),
        ("sorts", POINTER(Sort)),
        ("sort_count", c_size_t),
        ("section", Sort),
        ("columns", POINTER(c_char_p)),
        ("column_count", c_size_t),
        ("identity", POINTER(c_char_p)),
        ("identity_count", c_size_t),
        ("batch_size", c_int64),
        ("limit", c_int64),
        ("offset", c_int64),
        ("cache_name", c_char_p),
        ("group_by", POINTER(c_char_p)),
        ("group_by_count", c_size_t),
        ("totals", POINTER(Total)),
        ("total_count", c_size_t),
        ("having", c_char_p),
        ("having_parameters", POINTER(Value)),
        ("having_parameter_count", c_size_t),
        ("totals_of_all_rows", c_bool),
        ("rank_tolerance", c_double),
    ]


class Path(Structure):
    """`fr_index_path`."""

    _fields_ = [("section", c_int64), ("row", c_int64)]


class Record(Structure):
    """`fr_change`."""

    _fields_ = [
        ("kind", c_int32),
        ("type", c_int32),
        ("flags", c_uint32),
        ("index", c_int32),
        ("old_path", Path),
        ("new_path", Path),
        ("changed_columns", c_uint64),
    ]


class Range(Structure):
    """`fr_range`."""

    _fields_ = [
        ("kind", c_int32),
        ("type", c_int32),
        ("old_path", Path),
        ("new_path", Path),
        ("count", c_int64),
        ("first", c_int64),
    ]


class TotalChange(Structure):
    """`fr_total_change`."""

    _fields_ = [
        ("name", c_char_p),
        ("old_section", c_int64),
        ("new_section", c_int64),
        ("old_value", Value),
        ("new_value", Value),
    ]


class WindowPlace(Structure):
    """`fr_window_place`."""

    _fields_ = [
        ("position", c_int64),
        ("anchor", c_int64),
        ("is_anchor_replaced", c_int32),
        ("reserved", c_int32),
    ]


class ReplayedRow(Structure):
    """`fr_replayed_row`."""

    _fields_ = [("old_path", Path), ("record", c_int64)]


class ReplayedSection(Structure):
    """`fr_replayed_section`."""

    _fields_ = [
        ("old_index", c_int64),
        ("record", c_int64),
        ("rows", POINTER(ReplayedRow)),
        ("row_count", c_int64),
    ]


class Column(Structure):
    """`fr_column`."""

    _fields_ = [
        ("kind", c_int32),
        ("reserved", c_int32),
        ("data", c_void_p),
        ("size", c_size_t),
        ("nulls", POINTER(c_int64)),
        ("null_count", c_size_t),
    ]


class Rows(Structure):
    """`fr_rows`."""

    _fields_ = [
        ("count", c_size_t),
        ("paths", POINTER(Path)),
        ("layout", c_uint64),
        ("column_count", c_size_t),
        ("columns", POINTER(Column)),
        ("identity_count", c_size_t),
        ("identities", POINTER(Column)),
    ]


class SectionInfo(Structure):
    """`fr_section_info`."""

    _fields_ = [
        ("name", c_void_p),
        ("name_length", c_int64),
        ("index_title", c_char_p),
        ("count", c_int64),
        ("value", Value),
        ("index", c_int64),
    ]


ProgressFunction = CFUNCTYPE(c_bool, c_int64, c_void_p)
CompletionFunction = CFUNCTYPE(None, ListPointer, POINTER(Error), c_void_p)

IndexTitleFunction = CFUNCTYPE(c_int64, c_void_p, c_int64, c_char_p, c_void_p)

BracketFunction = CFUNCTYPE(None, ListPointer, c_void_p)
SectionChangeFunction = CFUNCTYPE(None, ListPointer, POINTER(SectionInfo), POINTER(Record), ChangeSetPointer, c_void_p)
ObjectChangeFunction = CFUNCTYPE(None, ListPointer, ObjectPointer, POINTER(Record), ChangeSetPointer, c_void_p)
ChangesFunction = CFUNCTYPE(None, ListPointer, ChangeSetPointer, c_void_p)
ErrorFunction = CFUNCTYPE(None, ListPointer, POINTER(Error), c_void_p)


class Observer(Structure):
    """`fr_observer`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("will_change", BracketFunction),
        ("section_changed", SectionChangeFunction),
        ("object_changed", ObjectChangeFunction),
        ("did_change", BracketFunction),
        ("did_deliver", ChangesFunction),
        ("did_fail", ErrorFunction),
        ("did_reload", BracketFunction),
    ]


REREAD_REASONS = 11
UNKNOWN_REASONS = 7


class CountersInfo(Structure):
    """`fr_counters`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("rows_read", c_int64),
        ("statements_run", c_int64),
        ("nodes_visited", c_int64),
        ("bytes_held", c_int64),
        ("deliveries", c_int64),
        ("cached_fetches", c_int64),
        ("rereads", c_int64 * REREAD_REASONS),
    ]


class ExplanationInfo(Structure):
    """`fr_explanation`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("text", c_char_p),
        ("sql", c_char_p),
        ("plan", c_char_p),
        ("advice", c_char_p),
        ("is_sorted", c_bool),
        ("is_incremental", c_bool),
        ("whole_reads", c_uint32),
    ]


class ForeignCountersInfo(Structure):
    """`fr_foreign_counters`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("followed", c_int64),
        ("frames", c_int64),
        ("rows", c_int64),
        ("unknown", c_int64 * UNKNOWN_REASONS),
    ]


class PhasesInfo(Structure):
    """`fr_phases`."""

    _fields_ = [
        ("capturing", c_int64),
        ("finding", c_int64),
        ("reading", c_int64),
        ("building", c_int64),
        ("notifying", c_int64),
    ]


class DeliveryTimesInfo(Structure):
    """`fr_delivery_times`."""

    _fields_ = [("struct_size", c_size_t), ("rounds", c_int64), ("total", PhasesInfo), ("last", PhasesInfo)]


class StatementTraceInfo(Structure):
    """`fr_statement_trace`."""

    _fields_ = [("sql", c_char_p), ("runs", c_int64), ("rows", c_int64), ("time", c_int64)]


class ListTraceInfo(Structure):
    """`fr_list_trace`."""

    _fields_ = [
        ("list", ListPointer),
        ("entity", c_char_p),
        ("reread", c_int32),
        ("reserved", c_int32),
        ("rows_read", c_int64),
        ("records", c_int64),
        ("reading", c_int64),
        ("building", c_int64),
        ("statement_count", c_size_t),
        ("statements", POINTER(StatementTraceInfo)),
    ]


class RoundTraceInfo(Structure):
    """`fr_round_trace`."""

    _fields_ = [
        ("text", c_char_p),
        ("origin", c_uint32),
        ("reserved", c_uint32),
        ("phases", PhasesInfo),
        ("list_count", c_size_t),
        ("lists", POINTER(ListTraceInfo)),
    ]


TraceFunction = CFUNCTYPE(None, StorePointer, POINTER(RoundTraceInfo), c_void_p)


class DispatchInfo(Structure):
    """`fr_dispatch_result`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("rounds", c_int64),
        ("changed_lists", c_int64),
        ("is_complete", c_bool),
    ]


class SectionMapOptions(Structure):
    """`fr_section_map_options`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("section_key", c_char_p),
        ("index_title", c_char_p),
        ("empty_sections", c_int32),
        ("items_without_section", c_int32),
    ]


# Coordinators, data sources and entity lists.


class CoordinatorHandle(Structure):
    """`fr_coordinator`."""


class DataSourceHandle(Structure):
    """`fr_data_source`."""


class CellHandle(Structure):
    """`fr_cell`."""


class EntityListHandle(Structure):
    """`fr_entity_list`."""


CoordinatorPointer = POINTER(CoordinatorHandle)
DataSourcePointer = POINTER(DataSourceHandle)
CellPointer = POINTER(CellHandle)
EntityListPointer = POINTER(EntityListHandle)


class RowPlaces(Structure):
    """`fr_row_places`."""

    _fields_ = [("old_path", Path), ("new_path", Path)]


class SectionPlaces(Structure):
    """`fr_section_places`."""

    _fields_ = [("old_index", c_int64), ("new_index", c_int64)]


ViewFunction = CFUNCTYPE(None, CoordinatorPointer, c_void_p)
SectionsFunction = CFUNCTYPE(None, CoordinatorPointer, POINTER(c_int64), c_size_t, c_void_p)
SectionPlacesFunction = CFUNCTYPE(None, CoordinatorPointer, POINTER(SectionPlaces), c_size_t, c_void_p)
RowsFunction = CFUNCTYPE(None, CoordinatorPointer, POINTER(Path), c_size_t, c_void_p)
RowPlacesFunction = CFUNCTYPE(None, CoordinatorPointer, POINTER(RowPlaces), c_size_t, c_void_p)
StepFunction = CFUNCTYPE(None, CoordinatorPointer, POINTER(Record), Path, c_void_p)
UpdateCellFunction = CFUNCTYPE(None, CoordinatorPointer, Path, ObjectPointer, c_void_p)
CountFunction = CFUNCTYPE(None, CoordinatorPointer, c_int64, c_void_p)
ViewErrorFunction = CFUNCTYPE(None, CoordinatorPointer, POINTER(Error), c_void_p)


class View(Structure):
    """`fr_view`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("reload", ViewFunction),
        ("begin", ViewFunction),
        ("delete_sections", SectionsFunction),
        ("insert_sections", SectionsFunction),
        ("move_sections", SectionPlacesFunction),
        ("delete_rows", RowsFunction),
        ("insert_rows", RowsFunction),
        ("move_rows", RowPlacesFunction),
        ("reload_rows", RowPlacesFunction),
        ("update_sections", SectionPlacesFunction),
        ("end", ViewFunction),
        ("step", StepFunction),
        ("update_cell", UpdateCellFunction),
        ("count_changed", CountFunction),
        ("did_fail", ViewErrorFunction),
    ]


# Strings that a callback returns are addresses to ctypes.
ReuseIdentifierFunction = CFUNCTYPE(c_void_p, ObjectPointer, Path, c_void_p)
DequeueFunction = CFUNCTYPE(c_void_p, c_char_p, Path, c_void_p)
VisibleCellFunction = CFUNCTYPE(c_void_p, Path, c_void_p)
ConfigureFunction = CFUNCTYPE(None, c_void_p, ObjectPointer, Path, c_void_p)
SupplementaryIdentifierFunction = CFUNCTYPE(c_void_p, c_char_p, Path, c_void_p)
DequeueSupplementaryFunction = CFUNCTYPE(c_void_p, c_char_p, c_char_p, Path, c_void_p)
ConfigureSupplementaryFunction = CFUNCTYPE(None, c_void_p, c_char_p, Path, c_void_p)


class Cells(Structure):
    """`fr_cells`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("reuse_identifier", ReuseIdentifierFunction),
        ("dequeue", DequeueFunction),
        ("visible_cell", VisibleCellFunction),
        ("configure", ConfigureFunction),
        ("supplementary_identifier", SupplementaryIdentifierFunction),
        ("dequeue_supplementary", DequeueSupplementaryFunction),
        ("configure_supplementary", ConfigureSupplementaryFunction),
    ]


CellChangedFunction = CFUNCTYPE(None, CellPointer, c_void_p)


PrepareRequestFunction = CFUNCTYPE(c_int32, RequestPointer, c_void_p)
MakeListFunction = CFUNCTYPE(c_int32, POINTER(ListPointer), StorePointer, RequestPointer, c_void_p)
AddItemFunction = CFUNCTYPE(
    c_int32, POINTER(ObjectPointer), StorePointer, POINTER(c_char_p), POINTER(Value), c_size_t, c_void_p
)
DeleteItemFunction = CFUNCTYPE(c_int32, StorePointer, ObjectPointer, c_void_p)


class Entity(Structure):
    """`fr_entity`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("entity", c_char_p),
        ("sorts", POINTER(Sort)),
        ("sort_count", c_size_t),
        ("batch_size", c_int64),
        ("reuse_identifier", c_char_p),
        ("view_flags", c_uint32),
        ("reserved", c_int32),
        ("prepare_request", PrepareRequestFunction),
        ("make_list", MakeListFunction),
        ("add_item", AddItemFunction),
        ("delete_item", DeleteItemFunction),
    ]
