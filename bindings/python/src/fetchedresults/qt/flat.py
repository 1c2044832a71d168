"""The list without its sections."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Optional

from ..records import ChangeType
from ..sections import IndexPath
from ._base import Index
from ._binding import QModelIndex, QObject
from ._steps import Step
from .model import SECTION_ROLES, ItemModel


class ListModel(ItemModel):
    """A list as one sequence of rows, section after section: a table, if there are several columns.

    The section of a row is its `SectionRole`, which a ListView in QML takes as its
    `section.property`. When a section moves, its rows move as one run.
    """

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        """The number of rows."""
        return 0 if parent.isValid() else self._picture.total

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        """The number of columns."""
        return 0 if parent.isValid() else super().columnCount()

    def canFetchMore(self, parent: Index) -> bool:
        """Whether the model shows a window after which the list has more rows."""
        # A ListView in QML asks before it has made its rows, and would begin with those that are
        # inserted then (seen in Qt 6, with any model). It asks again when it has read the last row.
        is_early = self._is_in_qml and self._reads.furthest < self.rowCount() - 1
        return not is_early and super().canFetchMore(parent)

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:
        """The index of a row."""
        if not (0 <= column < self.columnCount(parent) and 0 <= row < self.rowCount(parent)):
            return QModelIndex()
        return self.createIndex(row, column)

    def parent(self, index: Optional[Index] = None) -> Any:
        """No index; without one given, the QObject that owns the model."""
        return QObject.parent(self) if index is None else QModelIndex()

    def _path(self, index: Index) -> Optional[IndexPath]:
        if not index.isValid() or index.row() >= self._picture.total:
            return None
        return self._picture.path_at(index.row())

    def _index(self, path: IndexPath) -> QModelIndex:
        return self.createIndex(self._picture.offset(path.section) + path.row, 0)

    # Steps

    def _begin(self, step: Step) -> Optional[Callable[[], None]]:
        count = self._count(step)
        root = QModelIndex()
        if count == 0:
            return None
        if step.type is ChangeType.INSERT:
            first = self._first_after(step)
            self.beginInsertRows(root, first, first + count - 1)
            return self.endInsertRows
        if step.type is ChangeType.DELETE:
            first = self._first_before(step)
            self.beginRemoveRows(root, first, first + count - 1)
            return self.endRemoveRows
        if step.type is ChangeType.MOVE:
            first, target = self._first_before(step), self._first_after(step)
            if first == target:
                return None
            # Qt counts the target with the rows still in their old place.
            self.beginMoveRows(root, first, first + count - 1, root, target + (count if target > first else 0))
            return self.endMoveRows
        return None

    def _count(self, step: Step) -> int:
        """The number of rows of a step, before it is done."""
        if not step.is_sections:
            return step.count
        if step.old is None:
            return sum(self._picture.lifted)
        return sum(self._picture.counts[step.old.section : step.old.section + step.count])

    def _first_before(self, step: Step) -> int:
        """The first row's number before the step, which was not done yet."""
        old = step.old
        assert old is not None
        return self._picture.offset(old.section) + max(old.row, 0)

    def _first_after(self, step: Step) -> int:
        """The first row's number after the step, counted without the rows of the step."""
        old, new = step.old, step.new
        assert new is not None
        if old is None:
            return self._picture.offset(new.section) + max(new.row, 0)
        if step.is_sections:
            others = self._picture.counts[: old.section] + self._picture.counts[old.section + step.count :]
            return sum(others[: new.section])
        left = step.count if old.section < new.section else 0
        return self._picture.offset(new.section) - left + new.row

    def _report_content(self, step: Step) -> None:
        """The step was done: its new place counts now."""
        assert step.new is not None
        first = self._picture.offset(step.new.section)
        if step.is_sections:
            count = sum(self._picture.counts[step.new.section : step.new.section + step.count])
            self._report_roles(first, count)
        else:
            first += step.new.row
            columns = self._changed_columns(step)
            self._report_data(first, first + step.count - 1, QModelIndex(), columns=columns)

    def _report_section(self, section: int) -> None:
        self._report_roles(self._picture.offset(section), self._picture.counts[section])

    def _report_roles(self, first: int, count: int) -> None:
        """Reports that sections show something else, which their rows have in roles."""
        if count:
            self._report_data(first, first + count - 1, QModelIndex(), SECTION_ROLES, self._section_columns())

    def _report_rows_of(self, section: int, first: int, last: int) -> None:
        start = self._picture.offset(section)
        self._report_data(start + first, start + last, QModelIndex())

    # Dragging

    def _takes_drops(self, section: Optional[IndexPath]) -> bool:
        return True

    def _place(self, rows: Sequence[IndexPath], row: int, parent: Index) -> Optional[IndexPath]:
        if parent.isValid():
            row = parent.row()
        picture = self._picture
        if not picture.total or row > picture.total:
            return None
        # Between two sections a row stays in its own, or goes to the end of the first one.
        after = None if row < 0 or row == picture.total else picture.path_at(row)
        before = None if row == 0 else picture.path_at((row if after else picture.total) - 1)
        if before is None or (after is not None and after.section in (before.section, rows[0].section)):
            return after
        return IndexPath(before.section, before.row + 1)
