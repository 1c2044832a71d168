"""A change of the order alone: where each row is after it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Optional

from ..changes import ChangeSet
from ..records import ChangeKind, ChangeType
from ..sections import IndexPath


class _Rows:
    """The rows of one section that leave their places, and those at which they arrive."""

    def __init__(self, moved: dict[int, int]) -> None:
        self._moved = moved
        self._leaving = sorted(moved)
        # The others take the places where no row arrives, in their order.
        self._arriving = [row - number for number, row in enumerate(sorted(moved.values()))]

    def follow(self, row: int) -> int:
        """The place of a row after the change."""
        if row in self._moved:
            return self._moved[row]
        rank = row - bisect_left(self._leaving, row)
        return rank + bisect_right(self._arriving, rank)


class Relocation:
    """The moves of rows inside their sections, done together. No row is inserted or deleted.

    Attributes:
        content: for each section in which rows may show something else, the first and the last of
          them after the change.
    """

    def __init__(self, moved: dict[int, dict[int, int]], content: dict[int, tuple[int, int]]) -> None:
        self._sections = {section: _Rows(rows) for section, rows in moved.items()}
        self._back = {section: _Rows({new: old for old, new in rows.items()}) for section, rows in moved.items()}
        self.content = content

    @classmethod
    def of(cls, changes: ChangeSet) -> Optional[Relocation]:
        """The relocation that a change set is; None if it is more than that."""
        moved: dict[int, dict[int, int]] = {}
        content: dict[int, tuple[int, int]] = {}
        for kind, type_, _, _, section, row, new_section, new_row, mask in changes._fields():
            if kind == ChangeKind.SECTION or section != new_section:
                # An insert and a delete have no section on one side.
                return None
            if type_ == ChangeType.MOVE:
                moved.setdefault(section, {})[row] = new_row
            if mask != 0 or type_ == ChangeType.UPDATE:
                first, last = content.get(section, (new_row, new_row))
                content[section] = (min(first, new_row), max(last, new_row))
        return cls(moved, content)

    def follow(self, path: IndexPath) -> IndexPath:
        """The place after the change of the row that was at `path` before it."""
        rows = self._sections.get(path.section)
        return path if rows is None else IndexPath(path.section, rows.follow(path.row))

    def back(self, path: IndexPath) -> IndexPath:
        """The place before the change."""
        rows = self._back.get(path.section)
        return path if rows is None else IndexPath(path.section, rows.follow(path.row))
