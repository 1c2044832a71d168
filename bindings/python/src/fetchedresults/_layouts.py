"""The layout that the objects of one list share, which is read once."""

from __future__ import annotations

from ctypes import byref, c_char_p, c_int64, c_uint64
from functools import lru_cache
from typing import Any, Optional

from . import _api, _types
from ._calls import check, text_of
from ._columns import Columns
from ._values import read_all
from .errors import Status
from .value_types import SQLValue

_GONE = int(Status.GONE)
_KEPT = 512


class Layout:
    """The entity and the columns of objects that have the same layout number."""

    __slots__ = ("number", "entity", "columns", "_count", "_buffer")

    def __init__(self, number: int, entity: str, columns: Columns) -> None:
        self.number: int = number
        self.entity: str = entity
        self.columns: Columns = columns
        self._count = len(columns.names)
        self._buffer = _types.Value * self._count

    def values_of(self, pointer: Any) -> Optional[tuple[SQLValue, ...]]:
        """Copies the values of a native object that has this layout; None if they are not
        available.
        """
        values = self._buffer()
        status = _api.fr_object_values(values, self._count, pointer)
        if status:
            if status == _GONE:
                return None
            check(status)
        return read_all(values)


_layouts: dict[int, Layout] = {}


def layout_of(pointer: Any) -> Layout:
    """The layout of a native object."""
    number = c_uint64()
    check(_api.fr_object_layout(byref(number), pointer))
    return _layouts.get(number.value) or _read_layout(number.value, pointer)


def known_layout(number: int) -> Optional[Layout]:
    """The layout with a number, if an object with it was read."""
    return _layouts.get(number)


def _read_layout(number: int, pointer: Any) -> Layout:
    entity, name, count = c_char_p(), c_char_p(), c_int64()
    check(_api.fr_object_entity(byref(entity), pointer))
    check(_api.fr_object_column_count(byref(count), pointer))
    names = []
    for index in range(count.value):
        check(_api.fr_object_column_name(byref(name), pointer, index))
        names.append(name.value)
    layout = Layout(number, text_of(entity.value), _columns_called(tuple(names)))
    if len(_layouts) >= _KEPT:
        _layouts.clear()
    _layouts[number] = layout
    return layout


@lru_cache(maxsize=_KEPT)
def layout_of_no_list(entity: str, names: tuple[str, ...]) -> Layout:
    """The layout of objects from another process, which no list of this one has."""
    return Layout(-1, entity, Columns(names))


# Stores give each object a layout of its own.
@lru_cache(maxsize=_KEPT)
def _columns_called(names: tuple[Optional[bytes], ...]) -> Columns:
    return Columns(tuple(map(text_of, names)))
