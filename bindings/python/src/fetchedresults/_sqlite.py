"""The functions of SQLite that the package calls itself, in the one copy of SQLite that the library
uses.
"""

from __future__ import annotations

from ctypes import CFUNCTYPE, POINTER, c_char_p, c_double, c_int, c_int64, c_ubyte, c_uint64, c_void_p

from ._api import _function
from ._types import Destroy

INTEGER, FLOAT, TEXT, BLOB = 1, 2, 3, 4
UTF8, DETERMINISTIC = 1, 0x800
# Makes SQLite copy the value.
TRANSIENT = c_void_p(-1)

RowFunction = CFUNCTYPE(None, c_void_p, c_int, POINTER(c_void_p))
FinalFunction = CFUNCTYPE(None, c_void_p)

# Looked up through the library, the names lead to the SQLite that it is linked with, whatever
# Python itself has loaded.
sqlite3_prepare_v2 = _function(
    "sqlite3_prepare_v2", c_int, c_void_p, c_char_p, c_int, POINTER(c_void_p), POINTER(c_char_p)
)
sqlite3_finalize = _function("sqlite3_finalize", c_int, c_void_p)
sqlite3_errmsg = _function("sqlite3_errmsg", c_char_p, c_void_p)
sqlite3_bind_parameter_count = _function("sqlite3_bind_parameter_count", c_int, c_void_p)
sqlite3_bind_parameter_name = _function("sqlite3_bind_parameter_name", c_char_p, c_void_p, c_int)

sqlite3_create_function_v2 = _function(
    "sqlite3_create_function_v2",
    c_int,
    c_void_p,
    c_char_p,
    c_int,
    c_int,
    c_void_p,
    RowFunction,
    RowFunction,
    FinalFunction,
    Destroy,
)
sqlite3_create_window_function = _function(
    "sqlite3_create_window_function",
    c_int,
    c_void_p,
    c_char_p,
    c_int,
    c_int,
    c_void_p,
    RowFunction,
    FinalFunction,
    FinalFunction,
    RowFunction,
    Destroy,
)
sqlite3_user_data = _function("sqlite3_user_data", c_void_p, c_void_p)
sqlite3_aggregate_context = _function("sqlite3_aggregate_context", c_void_p, c_void_p, c_int)
sqlite3_value_type = _function("sqlite3_value_type", c_int, c_void_p)
sqlite3_value_int64 = _function("sqlite3_value_int64", c_int64, c_void_p)
sqlite3_value_double = _function("sqlite3_value_double", c_double, c_void_p)
sqlite3_value_text = _function("sqlite3_value_text", c_void_p, c_void_p)
sqlite3_value_blob = _function("sqlite3_value_blob", c_void_p, c_void_p)
sqlite3_value_bytes = _function("sqlite3_value_bytes", c_int, c_void_p)
sqlite3_result_null = _function("sqlite3_result_null", None, c_void_p)
sqlite3_result_int64 = _function("sqlite3_result_int64", None, c_void_p, c_int64)
sqlite3_result_double = _function("sqlite3_result_double", None, c_void_p, c_double)
sqlite3_result_text64 = _function("sqlite3_result_text64", None, c_void_p, c_char_p, c_uint64, c_void_p, c_ubyte)
sqlite3_result_blob64 = _function("sqlite3_result_blob64", None, c_void_p, c_char_p, c_uint64, c_void_p)
sqlite3_result_error = _function("sqlite3_result_error", None, c_void_p, c_char_p, c_int)
