"""The functions of SQLite that the package calls itself, in the one copy of SQLite that the library
uses.
"""

from __future__ import annotations

from ctypes import POINTER, c_char_p, c_int, c_void_p

from ._api import _function

# Looked up through the library, the names lead to the SQLite that it is linked with, whatever
# Python itself has loaded.
sqlite3_prepare_v2 = _function(
    "sqlite3_prepare_v2", c_int, c_void_p, c_char_p, c_int, POINTER(c_void_p), POINTER(c_char_p)
)
sqlite3_finalize = _function("sqlite3_finalize", c_int, c_void_p)
sqlite3_errmsg = _function("sqlite3_errmsg", c_char_p, c_void_p)
sqlite3_bind_parameter_count = _function("sqlite3_bind_parameter_count", c_int, c_void_p)
sqlite3_bind_parameter_name = _function("sqlite3_bind_parameter_name", c_char_p, c_void_p, c_int)
