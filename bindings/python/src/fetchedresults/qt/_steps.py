"""The steps of a change set for item models: equal changes of neighbours are one step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Optional

from ..changes import ChangeSet
from ..errors import FetchedResultsError
from ..records import Change, ChangeKind, ChangeType
from ..sections import IndexPath


class Step:
    """One change of one or several adjacent rows or sections.

    Attributes:
        kind: whether it is about sections or rows.
        type: insert, delete, move or update.
        old: the first one's place before the step; None for an insert.
        new: the first one's place after it, counted without them; None for a delete.
        is_content: whether they may show something else after it: an update, or a move with changed
            columns or to another section.
    """

    __slots__ = ("kind", "type", "old", "new", "is_content", "_changes")

    def __init__(self, change: Change) -> None:
        self.kind = change.kind
        self.type = change.type
        self.old = change.old_path
        self.new = change.new_path
        self.is_content = changes_content(change)
        self._changes = [change]

    @property
    def count(self) -> int:
        """The number of rows or sections."""
        return len(self._changes)

    @property
    def is_sections(self) -> bool:
        """Whether it is about sections."""
        return self.kind is ChangeKind.SECTION

    @property
    def counted_sections(self) -> set[int]:
        """The sections that have more or fewer rows after the step than before it."""
        if self.is_sections:
            return set()
        old = set() if self.old is None else {self.old.section}
        return old ^ (set() if self.new is None else {self.new.section})

    def change(self, offset: int) -> Change:
        """The record of the row or section at an offset from the first one."""
        # Deletes are done from the end.
        return self._changes[-1 - offset if self.type is ChangeType.DELETE else offset]

    def follow(self, path: IndexPath) -> Optional[IndexPath]:
        """The place after the step of the row or section that was at `path` before it; None if it
        was deleted.
        """
        return self._follow(path, self.old, self.new)

    def back(self, path: IndexPath) -> Optional[IndexPath]:
        """Its place before the step; None if it did not exist."""
        return self._follow(path, self.new, self.old)

    def _follow(self, path: IndexPath, old: Optional[IndexPath], new: Optional[IndexPath]) -> Optional[IndexPath]:
        section, row = path
        if self.is_sections:
            if old is not None and section >= old.section:
                if section < old.section + self.count:
                    return None if new is None else IndexPath(new.section + section - old.section, row)
                section -= self.count
            if new is not None and section >= new.section:
                section += self.count
        else:
            if old is not None and section == old.section and row >= old.row:
                if row < old.row + self.count:
                    return None if new is None else IndexPath(new.section, new.row + row - old.row)
                row -= self.count
            if new is not None and section == new.section and row >= new.row:
                row += self.count
        return IndexPath(section, row)

    def join(self, change: Change) -> bool:
        """Adds the next step of the change set, if both are one."""
        if change.kind is not self.kind or change.type is not self.type:
            return False
        if change.type is ChangeType.MOVE:
            return not self.is_sections and changes_content(change) is self.is_content and self._join_move(change)
        if change.type is ChangeType.DELETE:
            if self.old != self._after(change.old_path, 1):
                return False
            self.old = change.old_path
            self._changes.append(change)
            return True
        if change.new_path != self._after(self.new, self.count):
            return False
        self._changes.append(change)
        return True

    def _join_move(self, change: Change) -> bool:
        """Rows of a moving run are removed one after the other, and each is inserted behind the one
        before.
        """
        old, new = self.old, self.new
        assert old is not None and new is not None
        leaves, arrives = old, self._after(new, self.count)
        if old.section == new.section:
            if new < old:
                leaves = self._after(old, self.count)
            else:
                # Each removal shifts those that are already at the target.
                new = self._after(new, -1)
                arrives = self._after(new, self.count)
                if new <= old:
                    return False
        if (change.old_path, change.new_path) != (leaves, arrives):
            return False
        self.new = new
        self._changes.append(change)
        return True

    def _after(self, path: Optional[IndexPath], distance: int) -> IndexPath:
        assert path is not None
        if self.is_sections:
            return IndexPath(path.section + distance, path.row)
        return IndexPath(path.section, path.row + distance)


def steps_of(changes: ChangeSet) -> list[Step]:
    """A change set as steps that are done one after another."""
    return _joined(changes.sequential())


def _joined(changes: Iterable[Change]) -> list[Step]:
    steps: list[Step] = []
    for change in changes:
        if not steps or not steps[-1].join(change):
            steps.append(Step(change))
    return steps


def changes_content(change: Change) -> bool:
    """Whether the row or section of a record may show something else."""
    if change.type is not ChangeType.MOVE:
        return change.type is ChangeType.UPDATE
    assert change.old_path is not None and change.new_path is not None
    if change.kind is ChangeKind.OBJECT and change.old_path.section != change.new_path.section:
        return True
    try:
        return change.changed_columns != ()
    except FetchedResultsError:
        # Some did, and their names are not available any more.
        return True
