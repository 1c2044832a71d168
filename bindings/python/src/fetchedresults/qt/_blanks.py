"""The rows and sections whose data a model could not return."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from ._binding import QModelIndex, QPersistentModelIndex


class Blanks:
    """Indexes of what could not be read. They follow their rows, until the model is notified that
    these may be read again."""

    def __init__(self) -> None:
        self._indexes: set[QPersistentModelIndex] = set()

    def note(self, index: QModelIndex) -> bool:
        """Adds one. Returns whether it is the first one."""
        is_first = not self._indexes
        self._indexes.add(QPersistentModelIndex(index))
        return is_first

    def take(self) -> Iterator[tuple[int, int, QModelIndex]]:
        """Discards them, and yields those that still exist as first row, last row and parent of
        each run. The rows may change between two runs."""
        taken, self._indexes = self._indexes, set()
        waiting = deque(sorted(taken, key=_place))
        while waiting:
            first = waiting.popleft()
            if not first.isValid():
                continue
            parent, last = first.parent(), first.row()
            while waiting and waiting[0].isValid() and waiting[0].row() == last + 1 and waiting[0].parent() == parent:
                last = waiting.popleft().row()
            yield first.row(), last, parent


def _place(index: QPersistentModelIndex) -> tuple[int, int]:
    return index.parent().row(), index.row()
