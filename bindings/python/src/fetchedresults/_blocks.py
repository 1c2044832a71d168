"""Iterating over the objects of a list, many of which are read by one call."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from ctypes import byref, sizeof, string_at
from typing import TYPE_CHECKING, Any, Optional

from . import _api, _types
from ._calls import calls_made
from ._layouts import Layout, known_layout
from ._values import values_at
from .objects import Identity, Object, ask_for_object, make_objects
from .value_types import SQLValue

if TYPE_CHECKING:
    from .live_list import LiveList

_FIRST = 20
_MOST = 512
_INTEGERS, _REALS, _TEXTS, _VALUES = range(1, 5)

_column = struct.Struct("@iiPnPn")
_path = struct.Struct("@qq")


class ObjectsInBlocks(Iterator[Object]):
    """Iterates over the objects of a list, or of one section, as `Items` does.

    The objects of a block are those that the list shows as long as no call of the library was made
    since they were read. After one the rest is read again, and the blocks begin to grow again.
    """

    __slots__ = ("_controller", "_section", "_path", "_size", "_paths", "_objects", "_made")

    def __init__(self, controller: LiveList, path: _types.Path, section: Optional[int]) -> None:
        """section: the only one; None for all from the path on."""
        self._controller: Optional[LiveList] = controller
        self._section = section
        self._path = path
        self._size = _FIRST
        # Of the present block.
        self._paths = b""
        self._objects: Any = iter(())
        self._made = calls_made[0]

    def __next__(self) -> Object:
        if self._made == calls_made[0]:
            for item in self._objects:
                return item  # type: ignore[no-any-return]
            if self._paths:
                self._size = min(self._size * 2, _MOST)
        else:
            self._size = 1
        return self._read()

    def _read(self) -> Object:
        """Reads the next block, and returns its first object."""
        controller = self._controller
        if controller is None:
            raise StopIteration
        self._leave_block()
        count = self._size
        if self._section is not None:
            count = min(count, controller._integer(_api.fr_list_row_count, self._section) - self._path.row)
        rows = _types.Rows()
        if count > 0:
            controller._call(_api.fr_list_rows, byref(rows), controller._pointer, self._path, count)
        if not rows.count:
            self._controller = None
            raise StopIteration
        paths = string_at(rows.paths, rows.count * _path.size)
        self._objects = iter(_objects_of(controller, rows, paths))
        self._paths = paths
        self._made = calls_made[0]
        first: Object = next(self._objects)
        return first

    def _leave_block(self) -> None:
        """Continues after the last object that was returned."""
        returned = len(self._paths) // _path.size - self._objects.__length_hint__()
        if returned > 0:
            section, row = _path.unpack_from(self._paths, (returned - 1) * _path.size)
            self._path = _types.Path(section, row + 1)
        self._paths = b""
        self._objects = iter(())


def identities_in_blocks(live_list: LiveList, path: _types.Path, count: int) -> list[Identity]:
    """The identities of at most `count` objects from a path on, whose rows are not read."""
    found: list[Identity] = []
    while count > len(found):
        rows = _types.Rows()
        live_list._call(_api.fr_list_identities, byref(rows), live_list._pointer, path, count - len(found))
        if not rows.count:
            break
        found += _identities_of(rows)
        last = rows.paths[rows.count - 1]
        path = _types.Path(last.section, last.row + 1)
    return found


def _identities_of(rows: _types.Rows) -> Sequence[Identity]:
    keys = _columns_of(rows.identities, rows.identity_count, rows.count)
    return keys[0] if len(keys) == 1 else list(zip(*keys))


def _objects_of(controller: LiveList, rows: _types.Rows, paths: bytes) -> list[Object]:
    """Copies rows. Until that is done, no other rows of the list may be read."""
    columns = _columns_of(rows.columns, rows.column_count, rows.count)
    identities = _identities_of(rows)
    values: list[tuple[SQLValue, ...]] = list(zip(*columns))
    layout = known_layout(rows.layout) or _layout_at(controller, paths)
    return make_objects(layout, identities, values, controller._session.types)


def _layout_at(controller: LiveList, paths: bytes) -> Layout:
    """The layout of the first row, which is read as an object."""
    path = _types.Path(*_path.unpack_from(paths))
    return ask_for_object(controller._session, _api.fr_list_object_at, controller._pointer, path)._layout


def _columns_of(pointer: Any, count: int, row_count: int) -> list[list[SQLValue]]:
    data = string_at(pointer, count * sizeof(_types.Column))
    return [_values_of(fields, row_count) for fields in _column.iter_unpack(data)]


def _values_of(fields: tuple[int, ...], row_count: int) -> list[SQLValue]:
    kind, _, data, size, nulls, null_count = fields
    if null_count == row_count:
        return [None] * row_count
    if kind == _VALUES:
        return values_at(data, size)
    values: list[SQLValue]
    if kind == _TEXTS:
        # No text contains the character, also where bytes are not valid UTF-8.
        values = list(string_at(data, size - 1).decode("utf-8", "surrogateescape").split("\0"))
    else:
        values = [*memoryview(string_at(data, size)).cast("q" if kind == _INTEGERS else "d")]
    for place in memoryview(string_at(nulls, null_count * 8)).cast("q") if null_count else ():
        values[place] = None
    return values
