"""The list as a tree of two levels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Optional

from ..records import ChangeType
from ..sections import IndexPath
from ._base import Index
from ._binding import QModelIndex, QObject, QPersistentModelIndex
from ._steps import Step
from .model import SECTION_ROLES, ItemModel

# The id of an index of a section; that of an index of a row is its section's.
_SECTION = 0


class TreeModel(ItemModel):
    """A list as a tree: its sections, and in each its rows. A flat list has one section, without a
    name.

    A section shows its title in the first column. An index of a row has an id of its section that
    does not change when the section moves.
    """

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        """The number of sections, or of rows in one."""
        if not parent.isValid():
            return len(self._picture.counts)
        path = self._path(parent)
        return self._picture.counts[path.section] if path is not None and path.row < 0 and parent.column() == 0 else 0

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:
        """The index of a section, or of a row in one."""
        if not (0 <= column < self.columnCount() and 0 <= row < self.rowCount(parent)):
            return QModelIndex()
        section = self._picture.ids[parent.row()] if parent.isValid() else _SECTION
        return self.createIndex(row, column, section)

    def parent(self, index: Optional[Index] = None) -> Any:
        """The index of a row's section; without an index, the QObject that owns the model."""
        if index is None:
            return QObject.parent(self)
        path = self._path(index)
        return QModelIndex() if path is None or path.row < 0 else self._index(IndexPath(path.section, -1))

    def _path(self, index: Index) -> Optional[IndexPath]:
        if not index.isValid():
            return None
        if isinstance(index, QPersistentModelIndex):
            # In PyQt it has no id.
            index = index.sibling(index.row(), index.column())
        section = index.internalId()
        if section == _SECTION:
            return IndexPath(index.row(), -1) if index.row() < len(self._picture.counts) else None
        place = self._picture.place_of(section)
        return None if place is None else IndexPath(place, index.row())

    def _index(self, path: IndexPath) -> QModelIndex:
        if path.row < 0:
            return self.createIndex(path.section, 0, _SECTION)
        return self.createIndex(path.row, 0, self._picture.ids[path.section])

    # Steps

    def _parent_at(self, step_path: IndexPath) -> QModelIndex:
        return QModelIndex() if step_path.row < 0 else self._index(IndexPath(step_path.section, -1))

    def _begin(self, step: Step) -> Optional[Callable[[], None]]:
        old, new = step.old, step.new
        if step.type is ChangeType.INSERT:
            assert new is not None
            self.beginInsertRows(self._parent_at(new), _number(new), _number(new) + step.count - 1)
            return self.endInsertRows
        if step.type is ChangeType.DELETE:
            assert old is not None
            self.beginRemoveRows(self._parent_at(old), _number(old), _number(old) + step.count - 1)
            return self.endRemoveRows
        if step.type is ChangeType.MOVE:
            assert old is not None and new is not None
            first, target = _number(old), _number(new)
            source, destination = self._parent_at(old), self._parent_at(new)
            if source == destination:
                if first == target:
                    return None
                # Qt counts the target with the rows still in their old place.
                target += step.count if target > first else 0
            self.beginMoveRows(source, first, first + step.count - 1, destination, target)
            return self.endMoveRows
        return None

    def _report_content(self, step: Step) -> None:
        assert step.new is not None
        first = _number(step.new)
        columns = self._changed_columns(step)
        self._report_data(first, first + step.count - 1, self._parent_at(step.new), columns=columns)
        if step.is_sections:
            for section in range(first, first + step.count):
                self._report_rows(section)

    def _report_rows(self, section: int) -> None:
        """Reports that a section shows something else, which its rows have in roles."""
        count = self._picture.counts[section]
        if count:
            parent = self._index(IndexPath(section, -1))
            self._report_data(0, count - 1, parent, SECTION_ROLES, self._section_columns())

    def _report_section(self, section: int) -> None:
        self._report_title(section)
        self._report_rows(section)

    def _report_title(self, section: int) -> None:
        self._report_data(section, section, QModelIndex())

    def _report_rows_of(self, section: int, first: int, last: int) -> None:
        self._report_data(first, last, self._index(IndexPath(section, -1)))

    # Dragging

    def _takes_drops(self, section: Optional[IndexPath]) -> bool:
        return section is not None

    def _place(self, rows: Sequence[IndexPath], row: int, parent: Index) -> Optional[IndexPath]:
        path = self._path(parent) if parent.isValid() else None
        if path is None:
            return None
        if path.row >= 0:
            return path
        count = self._picture.counts[path.section]
        return IndexPath(path.section, count if row < 0 else row) if row <= count else None


def _number(path: IndexPath) -> int:
    return path.section if path.row < 0 else path.row
