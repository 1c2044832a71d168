"""Rows that the user drags to another place: a position column is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from itertools import count
from typing import TYPE_CHECKING, Any, Optional, Union

from .._columns import fold
from ..controller import Controller
from ..objects import Object
from ..request import Request
from ..sections import IndexPath
from ._base import Index
from ._binding import QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt
from ._cells import ShownSection
from ._positions import new_positions
from ._sorting import SortModel
from .columns import ColumnLike, Shown

if TYPE_CHECKING:
    from ..live_list import LiveList

_ROWS = "application/x-fetchedresults-rows"
_drags = count(1)


class DragModel(SortModel):
    """A model whose rows the user moves by dragging them."""

    def __init__(
        self,
        controller: LiveList,
        columns: Union[None, ColumnLike, Sequence[ColumnLike]],
        section_title: Optional[Callable[[ShownSection], Any]],
        roles: Optional[Mapping[str, Shown]],
        position: Optional[str],
        reload_threshold: Optional[int],
        announces_moves: bool,
        parent: Optional[QObject],
    ) -> None:
        if position is not None:
            _check_position(controller, position)
        super().__init__(controller, columns, section_title, roles, reload_threshold, announces_moves, parent)
        self._position = position
        # The rows that are dragged, and what their data in a QMimeData is.
        self._dragged: tuple[bytes, list[QPersistentModelIndex]] = (b"", [])

    # What can be dragged where

    def _request(self) -> Optional[Request]:
        """The request whose rows can be moved now; None if they can't, since they are in another
        order than that of their positions.
        """
        controller = self._controller
        if self._position is None or not isinstance(controller, Controller) or controller.closed:
            return None
        request = controller.request
        if not isinstance(request, Request) or not isinstance(request.sort, tuple) or not request.sort:
            return None
        first = request.sort[0]
        return request if not isinstance(first, str) and fold(first.key_path) == fold(self._position) else None

    def _section_column(self) -> Optional[str]:
        """The column of a row that decides about its section; None if it is none of its own."""
        controller = self._controller
        assert isinstance(controller, Controller)
        path = controller.section_key_path
        return None if path is None or "." in path else path

    def flags(self, index: Index) -> Qt.ItemFlag:
        """As for editing. Rows can be dragged if there is a position column and the list is sorted
        by it, and be dropped where the model has rows.
        """
        flags = super().flags(index)
        if self._request() is None:
            return flags
        path = self._path(index)
        if path is not None and path.row >= 0:
            return flags | Qt.ItemFlag.ItemIsDragEnabled
        return flags | Qt.ItemFlag.ItemIsDropEnabled if self._takes_drops(path) else flags

    def _takes_drops(self, section: Optional[IndexPath]) -> bool:
        """Whether rows can be dropped among those of a section, or of the root."""
        raise NotImplementedError

    def supportedDragActions(self) -> Qt.DropAction:
        """Rows are moved if there is a position column."""
        return super().supportedDragActions() if self._position is None else Qt.DropAction.MoveAction

    def supportedDropActions(self) -> Qt.DropAction:
        """Rows are moved if there is a position column."""
        return super().supportedDropActions() if self._position is None else Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        """The type of rows of this model; they can't be dragged to another one."""
        return [_ROWS] if self._position is not None else super().mimeTypes()

    # Dragging

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """What stands for rows that are dragged."""
        if self._position is None:
            return super().mimeData(indexes)
        rows = {(self._path(index), index.siblingAtColumn(0)) for index in indexes}
        shown = sorted(((path, index) for path, index in rows if path is not None and path.row >= 0), key=_path)
        self._dragged = (b"%d" % next(_drags), [QPersistentModelIndex(index) for _, index in shown])
        data = QMimeData()
        data.setData(_ROWS, self._dragged[0])
        return data

    def _dragged_rows(self, data: QMimeData) -> list[IndexPath]:
        """Where the rows are now that are dragged; none if they are not this model's."""
        name, indexes = self._dragged
        if not indexes or bytes(data.data(_ROWS).data()) != name:
            return []
        paths = [self._path(index) for index in indexes]
        return sorted(path for path in paths if path is not None)

    def canDropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index) -> bool:
        """Whether `dropMimeData` would move rows."""
        rows = self._dragged_rows(data)
        return action == Qt.DropAction.MoveAction and self._target(rows, row, parent) is not None

    def dropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index) -> bool:
        """Moves the rows that are dragged to a place between rows: writes their positions, and the
        value that decides about their section. Returns False if that is not possible, or fails,
        after `errorOccurred`.
        """
        return action == Qt.DropAction.MoveAction and self._move(self._dragged_rows(data), row, parent)

    def moveRows(self, source: Index, first: int, count: int, destination: Index, row: int) -> bool:
        """Moves rows as `dropMimeData` does."""
        paths = [self._path(self.index(first + number, 0, source)) for number in range(max(count, 0))]
        rows = [path for path in paths if path is not None and path.row >= 0]
        return len(rows) == count and self._move(sorted(rows), row, destination)

    def _place(self, rows: Sequence[IndexPath], row: int, parent: Index) -> Optional[IndexPath]:
        """The section and the row in it before which rows are dropped; None if they can't be."""
        raise NotImplementedError

    def _target(self, rows: Sequence[IndexPath], row: int, parent: Index) -> Optional[IndexPath]:
        if not rows or not self._is_settled or self._request() is None:
            return None
        place = self._place(rows, row, parent)
        if place is None or (self._section_column() is None and any(each.section != place.section for each in rows)):
            return None
        return place

    def _move(self, rows: Sequence[IndexPath], row: int, parent: Index) -> bool:
        place = self._target(rows, row, parent)
        return place is not None and self._try(lambda: self._write_places(rows, place))

    def _write_places(self, rows: Sequence[IndexPath], place: IndexPath) -> bool:
        controller, column = self._controller, self._section_column()
        assert isinstance(controller, Controller)
        written: dict[IndexPath, dict[str, Any]] = {}
        for path, position in self._new_positions(rows, place).items():
            written[path] = {str(self._position): position}
        for path in rows:
            if path.section != place.section and column is not None:
                written.setdefault(path, {})[column] = self._section_value(place.section)
        changes: list[tuple[Object, dict[str, Any]]] = []
        for path, values in written.items():
            item = self._object(path)
            if item is None:
                return False
            changes.append((item, values))
        if changes:
            store = controller.store
            with self._short_wait(store), store.transaction() if self._submit is None else nullcontext():
                return all([self._update(store, item, values) for item, values in changes])
        return True

    def _new_positions(self, rows: Sequence[IndexPath], place: IndexPath) -> dict[IndexPath, Any]:
        """The positions to write so that rows stand before another one."""
        section = place.section
        moved = {path.row for path in rows if path.section == section}
        others = [row for row in range(self._picture.counts[section]) if row not in moved]
        before = place.row - sum(row < place.row for row in moved)
        paths = [IndexPath(section, row) for row in others]
        paths[before:before] = rows
        if len(rows) == 1:
            near = slice(max(before - 1, 0), before + 2)
            found = self._ascending(paths[near], section)
            # Otherwise those beyond the neighbours make way.
            if set(found) <= set(rows):
                return found
        return self._ascending(paths, section)

    def _ascending(self, paths: Sequence[IndexPath], section: int) -> dict[IndexPath, Any]:
        """The positions to write so that these rows stand in a section in this order."""
        request = self._request()
        assert request is not None and isinstance(request.sort, tuple)
        first = request.sort[0]
        if not isinstance(first, str) and first.descending:
            paths = paths[::-1]
        # Rows of other sections are written anyway.
        items = [self._object(path) if path.section == section else None for path in paths]
        found = new_positions([None if item is None else item[str(self._position)] for item in items])
        return {paths[index]: value for index, value in found.items()}


def _path(row: tuple[Any, QModelIndex]) -> IndexPath:
    path: IndexPath = row[0]
    return path


def _check_position(controller: LiveList, position: str) -> None:
    """Raises ValueError if a list has no position column of this name that can be written."""
    request = controller.request if isinstance(controller, Controller) else None
    if not isinstance(request, Request):
        raise ValueError("only rows of a request for a table have positions that can be written")
    if "." in position or (request.columns and fold(position) not in map(fold, request.columns)):
        raise ValueError(f"the position column must be one that the objects show: {position!r}")
