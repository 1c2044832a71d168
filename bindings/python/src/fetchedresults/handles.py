"""The number of native handles: those that a program holds, and those that it dropped."""

from __future__ import annotations

from ctypes import byref, c_int64
from enum import IntEnum

from . import _api
from ._calls import check


class HandleKind(IntEnum):
    """The kind of object behind a native handle."""

    STORE = 1
    STATEMENT = 2
    OBJECT = 3
    REQUEST = 4
    LIST = 5
    """Of section maps and collections as well."""
    CHANGE_SET = 6
    PLACEHOLDER = 7
    COORDINATOR = 8
    DATA_SOURCE = 9
    CELL = 10
    ENTITY_LIST = 11


def live_handles() -> dict[HandleKind, int]:
    """How many handles of each kind the process holds, those of other users of the library
    included.

    A handle ends when its Python object is closed or collected; of a store that is open, at its
    next call. An entity list holds a coordinator and a data source, and, with a store, a
    controller.
    """
    counts = {}
    for kind in HandleKind:
        count = c_int64()
        check(_api.fr_live_handles(byref(count), kind))
        counts[kind] = count.value
    return counts
