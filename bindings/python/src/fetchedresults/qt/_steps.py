"""The steps of a change set for item models: equal changes of neighbours are one step."""

from __future__ import annotations

from copy import copy
from typing import Optional

from ..changes import ChangeSet, Run
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
        count: the number of rows or sections.
        is_content: whether they may show something else after it: an update, or a move with changed
            columns or to another section.
    """

    __slots__ = ("kind", "type", "old", "new", "count", "is_content", "_changes", "_first")

    def __init__(self, run: Run, changes: ChangeSet) -> None:
        """changes: the sequential form, of which the step is a part."""
        self.kind = run.kind
        self.type = run.type
        self.old = run.old_path
        self.new = run.new_path
        self.count = run.length
        self.is_content = _run_changes_content(run, changes)
        self._changes = changes
        self._first = run.first

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

    def leaving(self) -> Step:
        """The first half of a move: rows are removed from their old place."""
        return self._half(ChangeType.DELETE, self.old, None)

    def arriving(self) -> Step:
        """The second half: they are inserted at the new place."""
        return self._half(ChangeType.INSERT, None, self.new)

    def _half(self, type_: ChangeType, old: Optional[IndexPath], new: Optional[IndexPath]) -> Step:
        half = copy(self)
        half.type, half.old, half.new, half.is_content = type_, old, new, False
        return half

    def change(self, offset: int) -> Change:
        """The record of the row or section at an offset from the first one."""
        # Deletes are done from the end.
        return self._changes[self._first + (self.count - 1 - offset if self.type is ChangeType.DELETE else offset)]

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

    def join(self, run: Run) -> bool:
        """Adds the next run of the change set, if both are one step."""
        if run.kind is not self.kind or run.type is not self.type:
            return False
        if run.type is ChangeType.MOVE:
            is_joined = (
                not self.is_sections
                and _run_changes_content(run, self._changes) is self.is_content
                and self._join_move(run)
            )
        elif run.type is ChangeType.DELETE:
            is_joined = run.old_path is not None and self.old == self._after(run.old_path, run.length)
            if is_joined:
                self.old = run.old_path
        else:
            is_joined = run.new_path == self._after(self.new, self.count)
        if is_joined:
            self.count += run.length
        return is_joined

    def _join_move(self, run: Run) -> bool:
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
        if (run.old_path, run.new_path) != (leaves, arrives):
            return False
        self.new = new
        return True

    def _after(self, path: Optional[IndexPath], distance: int) -> IndexPath:
        assert path is not None
        if self.is_sections:
            return IndexPath(path.section + distance, path.row)
        return IndexPath(path.section, path.row + distance)


def steps_of(changes: ChangeSet, limit: Optional[int] = None) -> Optional[list[Step]]:
    """A change set as steps that are done one after another; None if there are more than
    `limit`.
    """
    if limit is not None and len(changes) > limit and _has_more_steps(changes, limit):
        return None
    sequential = changes.sequential()
    steps: list[Step] = []
    for run in sequential._runs():
        if steps and steps[-1].join(run):
            continue
        if len(steps) == limit:
            return None
        steps.append(Step(run, sequential))
    return steps


def _has_more_steps(changes: ChangeSet, limit: int) -> bool:
    """Whether a change set has more steps than `limit`, as its runs and its moves show. The steps
    of a million moves take more memory than a list of a million rows.
    """
    count = 0
    # The end of the last run of updates, which can be one step with the next.
    end: Optional[tuple[int, int]] = None
    for run in changes._runs():
        if run.kind is ChangeKind.SECTION:
            continue
        if run.type is ChangeType.MOVE:
            count += _moves_apart(changes, run, limit - count)
        elif run.type is not ChangeType.UPDATE or run.new_path != end:
            count += 1
        if count > limit:
            return True
        if run.type is ChangeType.UPDATE and run.new_path is not None:
            end = (run.new_path.section, run.new_path.row + run.length)
    return False


def _moves_apart(changes: ChangeSet, run: Run, limit: int) -> int:
    """How many rows of a run of moves do not leave the place after the one before; no more than
    `limit` and one are counted.
    """
    count = 0
    next_ = (-1, -1)
    for _, _, _, _, section, row, _, _, _ in changes._fields(run.first, run.length):
        if (section, row) != next_:
            count += 1
            if count > limit:
                break
        next_ = (section, row + 1)
    return count


def _run_changes_content(run: Run, changes: ChangeSet) -> bool:
    if run.type is not ChangeType.MOVE:
        return run.type is ChangeType.UPDATE
    return changes_content(changes[run.first])


def changes_content(change: Change) -> bool:
    """Whether the row or section of a record may show something else."""
    if change.type is not ChangeType.MOVE:
        return change.type is ChangeType.UPDATE
    assert change.old_path is not None and change.new_path is not None
    if change.kind is ChangeKind.OBJECT:
        # The names of the columns would cost a million rows seconds.
        return change._mask != 0 or change.old_path.section != change.new_path.section
    try:
        return change.changed_columns != ()
    except FetchedResultsError:
        # Some did, and their names are not available any more.
        return True
