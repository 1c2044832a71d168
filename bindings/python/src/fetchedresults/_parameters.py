"""Parameters of a statement that are given by name, for the library, which requires them in
order.
"""

from __future__ import annotations

from collections.abc import Mapping
from ctypes import byref, c_void_p
from typing import TYPE_CHECKING, Any, Optional

from . import _sqlite
from ._calls import text_of
from ._values import string
from .errors import SQLError

if TYPE_CHECKING:
    from .store import Store


def in_order(store: Store, sql: str, params: Mapping[str, Any]) -> tuple[Any, ...]:
    """The values of named parameters in the order in which SQLite numbers them.

    Each parameter of the statement must be given, and each name must occur in it: SQLError
    otherwise. Wrong SQL is not a failure here: the call that uses the statement reports it.
    """
    # A name without a prefix stands for ":name".
    values = {name if name[:1] in (":", "@", "$") else f":{name}": value for name, value in params.items()}
    names = _names(store, sql)
    if names is None:
        return ()
    ordered = []
    for number, name in enumerate(names, 1):
        if name is None or name not in values:
            raise SQLError(f"there is no value for the parameter {name or f'number {number}'}", sql=sql)
        ordered.append(values[name])
    for name in values.keys() - set(names):
        raise SQLError(f"there is no parameter {name}", sql=sql)
    return tuple(ordered)


def _names(store: Store, sql: str) -> Optional[list[Optional[str]]]:
    """The names of the parameters of a statement, None for one without; None if it can't be
    prepared.
    """
    text = string(sql, "the SQL text")
    statement = c_void_p()
    try:
        if _sqlite.sqlite3_prepare_v2(store.sqlite_handle, text, -1, byref(statement), None):
            return None
        names: list[Optional[str]] = []
        for number in range(1, _sqlite.sqlite3_bind_parameter_count(statement) + 1):
            name = _sqlite.sqlite3_bind_parameter_name(statement, number)
            names.append(None if name is None else text_of(name))
        return names
    finally:
        _sqlite.sqlite3_finalize(statement)
