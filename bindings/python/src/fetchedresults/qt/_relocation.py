"""A change of the order alone: where each row is after it."""

from __future__ import annotations

from array import array
from functools import cached_property
from typing import Optional

from ..changes import ChangeSet
from ..records import ChangeKind, ChangeType
from ..sections import IndexPath

# A place, as Qt counts rows. A million of them take 4 MB, where a list of int takes 40.
_PLACE = "i"


class _Rows:
    """The rows of one section that leave their places, and the place at which each arrives."""

    def __init__(self) -> None:
        self.leaving = array(_PLACE)
        self.arriving = array(_PLACE)

    @cached_property
    def _places(self) -> tuple[array[int], array[int]]:
        """The new place of each row by its old one, and the reverse, up to the last that moves."""
        size = 1 + max(max(self.leaving), max(self.arriving))
        forth, back = array(_PLACE, [-1]) * size, array(_PLACE, [-1]) * size
        for row, place in zip(self.leaving, self.arriving):
            forth[row], back[place] = place, row
        # The others take the places where no row arrives, in their order.
        free = (place for place, row in enumerate(back) if row < 0)
        for row, moved in enumerate(forth):
            if moved < 0:
                forth[row] = place = next(free)
                back[place] = row
        return forth, back

    def follow(self, row: int) -> int:
        """The place of a row after the change."""
        forth, _ = self._places
        return forth[row] if row < len(forth) else row

    def back(self, row: int) -> int:
        """Its place before the change."""
        _, back = self._places
        return back[row] if row < len(back) else row


class Relocation:
    """The moves of rows inside their sections, done together. No row is inserted or deleted.

    Attributes:
        content: for each section in which rows may show something else, the first and the last of
          them after the change.
        sections: the sections that may show something else themselves.
    """

    def __init__(self, moved: dict[int, _Rows], content: dict[int, tuple[int, int]], sections: list[int]) -> None:
        self._moved = moved
        self.content = content
        self.sections = sections

    @classmethod
    def of(cls, changes: ChangeSet) -> Optional[Relocation]:
        """The relocation that a change set is; None if it is more than that."""
        moved: dict[int, _Rows] = {}
        content: dict[int, tuple[int, int]] = {}
        sections: list[int] = []
        for kind, type_, _, _, section, row, new_section, new_row, mask in changes._fields():
            if section != new_section or (kind == ChangeKind.SECTION and type_ != ChangeType.UPDATE):
                # An insert and a delete have no section on one side.
                return None
            if kind == ChangeKind.SECTION:
                sections.append(section)
                continue
            if type_ == ChangeType.MOVE:
                rows = moved.get(section)
                if rows is None:
                    rows = moved[section] = _Rows()
                rows.leaving.append(row)
                rows.arriving.append(new_row)
            if mask != 0 or type_ == ChangeType.UPDATE:
                first, last = content.get(section, (new_row, new_row))
                content[section] = (min(first, new_row), max(last, new_row))
        return cls(moved, content, sections)

    def follow(self, path: IndexPath) -> IndexPath:
        """The place after the change of the row that was at `path` before it."""
        rows = self._moved.get(path.section)
        return path if rows is None else IndexPath(path.section, rows.follow(path.row))

    def back(self, path: IndexPath) -> IndexPath:
        """The place before the change."""
        rows = self._moved.get(path.section)
        return path if rows is None else IndexPath(path.section, rows.back(path.row))
