"""Views for C: which of its methods a view overrides, and the callbacks that lead to them."""

from __future__ import annotations

import struct
from collections.abc import Callable
from ctypes import sizeof, string_at
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

from . import _types
from ._callbacks import callback
from ._calls import note, reported
from ._columns import Columns
from .errors import GoneError, MisuseError
from .live_list import LiveList
from .objects import Identity, Object, copy_object
from .records import PLACEHOLDER_COLUMNS, ChangeKind, Records, change_of
from .sections import IndexPath

if TYPE_CHECKING:
    from .coordinator import View
    from .value_types import SQLValue


class RowPlaces(NamedTuple):
    """Where a row was before a batch, and where it is after all of it."""

    old_path: IndexPath
    new_path: IndexPath


class SectionPlaces(NamedTuple):
    """Where a section was before a batch, and where it is after all of it."""

    old_index: int
    new_index: int


class ViewReceiver:
    """The receiver of one view's callbacks. Its coordinator retains it, so it must not retain its
    coordinator.
    """

    def __init__(self, view: View, update_cell: Optional[Callable[[IndexPath, Object], object]]) -> None:
        """update_cell: called where the view's own method is not overridden."""
        self.view = view
        self.update_cell = update_cell
        self.live_list: Optional[LiveList] = None
        self.raises_failures = False
        """Whether what fails before the next reload is that of a fetch that the program asked for.
        """

    def native(self, methods: set[str]) -> _types.View:
        """The view for C. methods: the names of those that are to be called."""
        # These two are always called, to detect what failed.
        called = methods | {"reload", "did_fail"}
        functions = {name: function for name, function in callbacks.items() if name in called}
        return _types.View(struct_size=sizeof(_types.View), **functions)


class StepDetails:
    """The details of a step: the list already shows the state after all steps."""

    def __init__(self, live_list: LiveList, kind: int, final_path: IndexPath) -> None:
        self._list = live_list
        self._kind = kind
        self._path = final_path

    def _shows(self, kind: ChangeKind) -> bool:
        return self._kind == kind and self._path.section >= 0

    def columns(self) -> Optional[Columns]:
        """The columns that the object or the section's row shows; None if they are not
        available.
        """
        try:
            row = self.object() or self.section_object()
        except GoneError:
            return None
        if not self._shows(ChangeKind.SECTION):
            return None if row is None else row._layout.columns
        totals = self._totals()
        own = ("name",) if totals else PLACEHOLDER_COLUMNS.names
        return Columns((*(own if row is None else row._layout.columns.names), *totals))

    def _totals(self) -> tuple[str, ...]:
        """The names of the totals of the section."""
        try:
            return tuple(self._list[self._path.section].totals)
        except MisuseError:
            # The list is a collection.
            return ()

    def column_changed(self, column: int) -> Optional[bool]:
        """The mask does not distinguish one late column from another."""
        return None

    def object(self) -> Optional[Object]:
        """The object that the list shows; None for a section, and for what is deleted."""
        return self._list.object_at(self._path) if self._shows(ChangeKind.OBJECT) else None

    def identity(self) -> Optional[Identity]:
        """The identity of the object that the list shows; None for a section, and for what is
        deleted.
        """
        shown = self.object()
        return None if shown is None else shown.identity

    def old_values(self) -> dict[str, SQLValue]:
        """Only a change set has old values."""
        return {}

    def section_name(self) -> Optional[str]:
        """The name of the section that the list shows."""
        return self._list[self._path.section].name if self._shows(ChangeKind.SECTION) else None

    def old_section_name(self) -> Optional[str]:
        """Only a change set has old names."""
        return None

    def section_object(self) -> Optional[Object]:
        """The row of the section that the list shows."""
        return self._list[self._path.section].object if self._shows(ChangeKind.SECTION) else None


_index = struct.Struct("@q")
_two = struct.Struct("@qq")
_four = struct.Struct("@qqqq")


def _indexes(first: Any, count: int) -> list[int]:
    return [index for (index,) in _index.iter_unpack(string_at(first, count * _index.size))]


def _paths(first: Any, count: int) -> list[IndexPath]:
    return [IndexPath(*path) for path in _two.iter_unpack(string_at(first, count * _two.size))]


def _section_places(first: Any, count: int) -> list[SectionPlaces]:
    return [SectionPlaces(*places) for places in _two.iter_unpack(string_at(first, count * _two.size))]


def _row_places(first: Any, count: int) -> list[RowPlaces]:
    return [
        RowPlaces(IndexPath(*places[:2]), IndexPath(*places[2:]))
        for places in _four.iter_unpack(string_at(first, count * _four.size))
    ]


@callback(_types.ViewFunction)
def _reload(receiver: ViewReceiver, coordinator: Any) -> None:
    receiver.raises_failures = False
    receiver.view.reload()


@callback(_types.ViewFunction)
def _begin(receiver: ViewReceiver, coordinator: Any) -> None:
    receiver.view.begin()


@callback(_types.SectionsFunction)
def _delete_sections(receiver: ViewReceiver, coordinator: Any, first: Any, count: int) -> None:
    receiver.view.delete_sections(_indexes(first, count))


@callback(_types.SectionsFunction)
def _insert_sections(receiver: ViewReceiver, coordinator: Any, first: Any, count: int) -> None:
    receiver.view.insert_sections(_indexes(first, count))


@callback(_types.SectionPlacesFunction)
def _move_sections(receiver: ViewReceiver, coordinator: Any, first: Any, count: int) -> None:
    receiver.view.move_sections(_section_places(first, count))


@callback(_types.RowsFunction)
def _delete_rows(receiver: ViewReceiver, coordinator: Any, first: Any, count: int) -> None:
    receiver.view.delete_rows(_paths(first, count))


@callback(_types.RowsFunction)
def _insert_rows(receiver: ViewReceiver, coordinator: Any, first: Any, count: int) -> None:
    receiver.view.insert_rows(_paths(first, count))


@callback(_types.RowPlacesFunction)
def _move_rows(receiver: ViewReceiver, coordinator: Any, first: Any, count: int) -> None:
    receiver.view.move_rows(_row_places(first, count))


@callback(_types.RowPlacesFunction)
def _reload_rows(receiver: ViewReceiver, coordinator: Any, first: Any, count: int) -> None:
    receiver.view.reload_rows(_row_places(first, count))


@callback(_types.SectionPlacesFunction)
def _update_sections(receiver: ViewReceiver, coordinator: Any, first: Any, count: int) -> None:
    receiver.view.update_sections(_section_places(first, count))


@callback(_types.ViewFunction)
def _end(receiver: ViewReceiver, coordinator: Any) -> None:
    receiver.view.end()


@callback(_types.StepFunction)
def _step(receiver: ViewReceiver, coordinator: Any, record: Any, final: Any) -> None:
    path = IndexPath(final.section, final.row)
    assert receiver.live_list is not None
    (fields,) = Records(string_at(record, sizeof(_types.Record)))
    details = StepDetails(receiver.live_list, record.contents.kind, path)
    receiver.view.step(change_of(fields, details), path if path.section >= 0 else None)


@callback(_types.UpdateCellFunction)
def _update_cell(receiver: ViewReceiver, coordinator: Any, path: Any, pointer: Any) -> None:
    assert receiver.live_list is not None
    item = copy_object(pointer, receiver.live_list._session.types)
    update = receiver.update_cell or receiver.view.update_cell
    update(IndexPath(path.section, path.row), item)


@callback(_types.CountFunction)
def _count_changed(receiver: ViewReceiver, coordinator: Any, count: int) -> None:
    receiver.view.count_changed(count)


@callback(_types.ViewErrorFunction)
def _did_fail(receiver: ViewReceiver, coordinator: Any, pointer: Any) -> None:
    error = reported(pointer)
    if receiver.raises_failures:
        note(error)
    receiver.view.did_fail(error)


callbacks = {
    "reload": _reload,
    "begin": _begin,
    "delete_sections": _delete_sections,
    "insert_sections": _insert_sections,
    "move_sections": _move_sections,
    "delete_rows": _delete_rows,
    "insert_rows": _insert_rows,
    "move_rows": _move_rows,
    "reload_rows": _reload_rows,
    "update_sections": _update_sections,
    "end": _end,
    "step": _step,
    "update_cell": _update_cell,
    "count_changed": _count_changed,
    "did_fail": _did_fail,
}
"""The C functions, by the member of `fr_view` and the method of `View` that they are for."""
