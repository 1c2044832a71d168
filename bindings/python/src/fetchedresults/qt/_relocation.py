"""A change of the order alone: where each row is after it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Optional

from ..changes import ChangeSet
from ..records import ChangeKind, ChangeType
from ..sections import IndexPath
from ._steps import changes_content


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
        for change in changes:
            old, new = change.old_path, change.new_path
            if change.kind is ChangeKind.SECTION or old is None or new is None or old.section != new.section:
                return None
            if change.type is ChangeType.MOVE:
                moved.setdefault(old.section, {})[old.row] = new.row
            if changes_content(change):
                first, last = content.get(new.section, (new.row, new.row))
                content[new.section] = (min(first, new.row), max(last, new.row))
        return cls(moved, content)

    def follow(self, path: IndexPath) -> IndexPath:
        """The place after the change of the row that was at `path` before it."""
        rows = self._sections.get(path.section)
        return path if rows is None else IndexPath(path.section, rows.follow(path.row))

    def back(self, path: IndexPath) -> IndexPath:
        """The place before the change."""
        rows = self._back.get(path.section)
        return path if rows is None else IndexPath(path.section, rows.follow(path.row))
