"""The ctypes prototypes say what the headers say."""

from __future__ import annotations

import ctypes
import re
import unittest
from ctypes import POINTER

from support import HEADERS

from fetchedresults import _api, _types

HANDLES = {
    "fr_store": _types.StoreHandle,
    "fr_statement": _types.StatementHandle,
    "fr_request": _types.RequestHandle,
    "fr_list": _types.ListHandle,
    "fr_object": _types.ObjectHandle,
    "fr_change_set": _types.ChangeSetHandle,
    "fr_placeholder": _types.PlaceholderHandle,
    "fr_coordinator": _types.CoordinatorHandle,
    "fr_data_source": _types.DataSourceHandle,
    "fr_cell": _types.CellHandle,
    "fr_entity_list": _types.EntityListHandle,
}
STRUCTURES = {
    "fr_value": _types.Value,
    "fr_store_options": _types.StoreOptions,
    "fr_index_path": _types.Path,
    "fr_change": _types.Record,
    "fr_range": _types.Range,
    "fr_total_change": _types.TotalChange,
    "fr_window_place": _types.WindowPlace,
    "fr_replayed_row": _types.ReplayedRow,
    "fr_replayed_section": _types.ReplayedSection,
    "fr_error": _types.Error,
    "fr_section_info": _types.SectionInfo,
    "fr_column": _types.Column,
    "fr_rows": _types.Rows,
    "fr_observer": _types.Observer,
    "fr_counters": _types.CountersInfo,
    "fr_phases": _types.PhasesInfo,
    "fr_delivery_times": _types.DeliveryTimesInfo,
    "fr_statement_trace": _types.StatementTraceInfo,
    "fr_list_trace": _types.ListTraceInfo,
    "fr_round_trace": _types.RoundTraceInfo,
    "fr_explanation": _types.ExplanationInfo,
    "fr_foreign_counters": _types.ForeignCountersInfo,
    "fr_dispatch_result": _types.DispatchInfo,
    "fr_section_map_options": _types.SectionMapOptions,
    "fr_row_places": _types.RowPlaces,
    "fr_section_places": _types.SectionPlaces,
    "fr_view": _types.View,
    "fr_cells": _types.Cells,
    "fr_function": _types.Function,
    "fr_sort": _types.Sort,
    "fr_total": _types.Total,
    "fr_request_info": _types.RequestInfo,
    "fr_entity": _types.Entity,
}
FUNCTIONS = {
    "fr_destroy": _types.Destroy,
    "fr_transaction_function": _types.TransactionFunction,
    "fr_round_function": _types.RoundFunction,
    "fr_trace_function": _types.TraceFunction,
    "fr_collation_compare": _types.CollationCompare,
    "fr_fallible_compare": _types.FallibleCompare,
    "fr_progress_function": _types.ProgressFunction,
    "fr_completion_function": _types.CompletionFunction,
    "fr_index_title_function": _types.IndexTitleFunction,
    "fr_cell_changed": _types.CellChangedFunction,
}
NUMBERS = {
    "void": None,
    "bool": ctypes.c_bool,
    "fr_status": ctypes.c_int32,
    "fr_value_type": ctypes.c_int32,
    "fr_total_function": ctypes.c_int32,
    "fr_wake_up_source": ctypes.c_int32,
    "int32_t": ctypes.c_int32,
    "uint32_t": ctypes.c_uint32,
    "int64_t": ctypes.c_int64,
    "uint64_t": ctypes.c_uint64,
    "size_t": ctypes.c_size_t,
    "double": ctypes.c_double,
}


def headers() -> str:
    text = "\n".join(header.read_text() for header in sorted((HEADERS / "fetchedresults").glob("*.h")))
    return re.sub(r"/\*.*?\*/|^#.*?$", "", text, flags=re.DOTALL | re.MULTILINE)


def declared() -> dict:
    """For each function of the headers, its result and its parameters as they are written there."""
    pattern = re.compile(r"^(?!static|typedef)([\w *]+?)(fr_\w+)\(([^()]*)\);", re.MULTILINE)
    return {name: (result, parameters) for result, name, parameters in pattern.findall(headers())}


def ctype(declaration: str, *, is_parameter: bool) -> object:
    """The ctypes type of a C type or of a named parameter."""
    words = re.findall(r"\w+|\*", declaration.replace("const", "").replace("struct", ""))
    stars = words.count("*")
    if is_parameter and len(words) > 1 and words[-1] != "*":
        words.pop()
    base = words[0]
    if base == "char":
        kind, stars = ctypes.c_char_p, stars - 1
    elif base in ("void", "sqlite3") and stars:
        kind, stars = ctypes.c_void_p, stars - 1
    else:
        kind = {**HANDLES, **STRUCTURES, **FUNCTIONS, **NUMBERS}[base]
    for _ in range(stars):
        kind = POINTER(kind)
    return kind


class Prototypes(unittest.TestCase):
    def test_there_is_one_for_each_function_of_the_headers_and_no_other(self):
        prototypes = {name for name in vars(_api) if name.startswith("fr_")}
        self.assertEqual(prototypes, set(declared()))

    def test_each_has_the_result_and_the_parameters_of_the_header(self):
        for name, (result, parameters) in declared().items():
            with self.subTest(name):
                expected = [] if parameters == "void" else parameters.split(",")
                function = getattr(_api, name)
                self.assertEqual(function.restype, ctype(result, is_parameter=False))
                self.assertEqual(list(function.argtypes), [ctype(each, is_parameter=True) for each in expected])

    def test_each_handle_is_a_type_of_its_own(self):
        with self.assertRaises(ctypes.ArgumentError):
            _api.fr_store_dispatch(_types.ListPointer())

    def test_callbacks_have_the_parameters_of_the_headers(self):
        pattern = re.compile(r"^typedef ([\w *]+?)\(\*(fr_\w+)\)\(([^()]*)\);", re.MULTILINE)
        for result, name, parameters in pattern.findall(headers()):
            with self.subTest(name):
                function = FUNCTIONS[name]
                self.assertEqual(function._restype_, ctype(result, is_parameter=False))
                # Strings that a callback is given without a NUL, or is to fill, are addresses to
                # ctypes.
                strings = {ctypes.c_char_p: ctypes.c_void_p}
                expected = [ctype(each, is_parameter=True) for each in parameters.split(",")]
                self.assertEqual(
                    [strings.get(each, each) for each in function._argtypes_],
                    [strings.get(each, each) for each in expected],
                )

    def test_structures_of_callbacks_have_those_of_the_header(self):
        structures = {"fr_observer": 1, "fr_view": 1, "fr_cells": 1, "fr_function": 3, "fr_entity": 8}
        for name, others in structures.items():
            body = re.search(rf"typedef struct {name} \{{(.*?)\}} {name};", headers(), re.DOTALL).group(1)
            members = re.findall(r"([\w ]+[ *]+)\(\*(\w+)\)\(([^()]*)\);", body)
            fields = STRUCTURES[name]._fields_[others:]
            self.assertEqual([member for _, member, _ in members], [field for field, _ in fields])
            for (result, member, parameters), (_, function) in zip(members, fields):
                with self.subTest(name, member=member):
                    expected = tuple(ctype(each, is_parameter=True) for each in parameters.split(","))
                    self.assertEqual(function._argtypes_, expected)
                    # A string that a callback returns is an address to ctypes.
                    kind = ctype(result, is_parameter=False)
                    self.assertEqual(function._restype_, ctypes.c_void_p if kind is ctypes.c_char_p else kind)


if __name__ == "__main__":
    unittest.main()
