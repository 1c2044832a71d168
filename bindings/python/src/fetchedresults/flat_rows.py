"""The lines of a list: headers of sections with their rows below, for list boxes and terminals."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Optional, Union, overload

from ._refusals import Fixed, counted
from .changes import ChangeSet
from .controller import Controller
from .errors import RangeError
from .live_list import LiveList
from .objects import Object
from .records import Change, ChangeKind, ChangeType
from .sections import IndexPath, Section, place_in

_LEAVES = (ChangeType.DELETE, ChangeType.MOVE)
_ARRIVES = (ChangeType.INSERT, ChangeType.MOVE)


@dataclass(frozen=True)
class FlatChanges:
    """What a change set does to lines, in runs of adjacent ones.

    Delete the lines of `deleted` in its order, then insert the lines of `inserted` in its order.
    The box then has a line for each line of the list, and the numbers of `inserted` and `updated`
    are the present ones. A line that moved is deleted and inserted; find it by its identity
    (`FlatRows.line_of`) to select it again.

    Attributes:
        deleted: numbers before the change, from the last run to the first.
        inserted: numbers after the change, from the first run to the last.
        updated: numbers after the change of lines that show something else.
    """

    deleted: tuple[range, ...]
    inserted: tuple[range, ...]
    updated: tuple[range, ...]

    def follow(self, line: int) -> Optional[int]:
        """The number after the change of a line that had a number before it; None if the line was
        deleted or moved.
        """
        return None if any(line in run for run in self.deleted) else self.nearest(line)

    def nearest(self, line: int) -> int:
        """The same, and for a line that was deleted or moved the number that the next line has."""
        for run in self.deleted:
            if line >= run.start:
                line = max(run.start, line - len(run))
        for run in self.inserted:
            if line < run.start:
                break
            line += len(run)
        return line


class FlatRows(Sequence[Union[Section, Object]], Fixed):
    """The lines of a list: each section is a header, and its rows are below it. A flat list has no
    headers.

    A view of the list for what shows lines one below the other: it converts between numbers of
    lines and index paths, in which a header has the row -1, as in the records of sections. As a
    sequence it contains the sections and the objects.

    It has the number of rows of each section, as they were at the last `follow` or `reload`. Call
    `follow` with each change set in its delivery, and `reload` after a fetch.

    >>> from fetchedresults import Store
    >>> with Store() as store:
    ...     store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, kind TEXT)")
    ...     rows = [("tea", "hot"), ("ale", "cold"), ("milk", "cold")]
    ...     store.executemany("INSERT INTO items (name, kind) VALUES (?, ?)", rows)
    ...     items = store.fetch("items", sort="name", section="kind")
    ...     lines = FlatRows(items)
    ...     print([line.name for line in lines], lines.path_at(3), lines.line_of((1, 0)))
    ...     _ = items.add_observer(lambda changes: print(lines.follow(changes)))
    ...     store.update("items", 2, name="zinfandel")
    ...     print([line.name for line in lines])
    ['cold', 'ale', 'milk', 'hot', 'tea'] IndexPath(section=1, row=-1) 4
    FlatChanges(deleted=(range(1, 2),), inserted=(range(2, 3),), updated=())
    ['cold', 'milk', 'zinfandel', 'hot', 'tea']
    """

    _called = "a flat view"

    def __init__(self, live_list: LiveList, *, headers: Optional[bool] = None) -> None:
        """Makes the lines of a list that was fetched.

        headers: whether sections have headers; None if they are made by the request or by a
          collection, or are rows.
        """
        self._list = live_list
        self._wants_headers = headers
        self.reload()

    @property
    def live_list(self) -> LiveList:
        """The list."""
        return self._list

    @property
    def has_headers(self) -> bool:
        """Whether sections have headers."""
        return self._header == 1

    def reload(self) -> None:
        """Reads the sections of the list again."""
        self._header = self._expected_header()
        self._set_counts([len(section) for section in self._list])

    def _expected_header(self) -> int:
        """The number of lines that a section has besides its rows."""
        if self._wants_headers is not None:
            return int(self._wants_headers)
        shown = self._list
        return int(not isinstance(shown, Controller) or shown.section_key_path is not None)

    def _set_counts(self, counts: list[int]) -> None:
        self._counts = counts
        # The first line of each section, and the number of all lines.
        self._starts = [0, *accumulate(count + self._header for count in counts)]

    # Lines and index paths

    def __len__(self) -> int:
        return self._starts[-1]

    def path_at(self, line: int) -> IndexPath:
        """The index path of a line; its row is -1 for a header. Raises RangeError if there is no
        such line.
        """
        if not 0 <= line < len(self):
            raise RangeError(f"there is no line {line}, the list has {counted(len(self), 'line')}")
        # The last section that starts there is the one that is not empty.
        section = bisect_right(self._starts, line) - 1
        return IndexPath(section, line - self._starts[section] - self._header)

    def line_of(self, path: tuple[int, int]) -> int:
        """The line of a row, or of the header of a section (row -1). Raises RangeError if there is
        none.
        """
        section, row = path
        if not (0 <= section < len(self._counts) and -self._header <= row < self._counts[section]):
            raise RangeError(f"there is no line of ({section}, {row})")
        return self._starts[section] + row + self._header

    def line_of_object(self, item: Object) -> Optional[int]:
        """The line of an object, found by its identity: O(log n). None if the list does not show
        it.
        """
        path = self._list.index_path_of(item)
        return None if path is None else self.line_of(path)

    @overload
    def __getitem__(self, key: int) -> Union[Section, Object]: ...

    @overload
    def __getitem__(self, key: slice) -> list[Union[Section, Object]]: ...

    def __getitem__(self, key: Union[int, slice]) -> Union[Section, Object, list[Union[Section, Object]]]:
        if isinstance(key, slice):
            return [self[line] for line in range(*key.indices(len(self)))]
        path = self.path_at(place_in(key, self))
        return self._list[path.section] if path.row < 0 else self._list.object_at(path)

    def __repr__(self) -> str:
        return f"<FlatRows of {counted(len(self), 'line')}, of {self._list!r}>"

    # Changes

    def follow(self, changes: ChangeSet, limit: Optional[int] = None) -> Optional[FlatChanges]:
        """Follows a change set, and returns the lines that it deletes, inserts and updates.

        None if all lines are to be shown again: after a reload, if there are more than `limit`
        records, if sections got or lost headers, and if the change set is not the next one of the
        list.

        Call it in the delivery: the list has to show what the change set leads to.
        """
        lines = None
        if not (
            changes.is_reload or (limit is not None and len(changes) > limit) or self._header != self._expected_header()
        ):
            lines = self._follow(changes)
        if lines is None:
            self.reload()
        return lines

    def _follow(self, changes: Iterable[Change]) -> Optional[FlatChanges]:
        """None if the change set does not lead from these lines to the list."""
        try:
            old = list(self._counts)
            rows = [change for change in changes if change.kind is ChangeKind.OBJECT]
            sections = [change for change in changes if change.kind is ChangeKind.SECTION]
            deleted = self._lines(rows, sections, _LEAVES, is_old=True)
            for change in rows:
                if change.type in _LEAVES:
                    old[_section(change.old_path)] -= 1
            counts = self._moved(old, sections)
            for change in rows:
                if change.type in _ARRIVES:
                    counts[_section(change.new_path)] += 1
            before = len(self)
            self._set_counts(counts)
            if (len(counts), sum(counts)) != (len(self._list), self._list.count) or min(counts, default=0) < 0:
                return None
            inserted = self._lines(rows, sections, _ARRIVES, is_old=False)
            if before - len(deleted) != len(self) - len(inserted):
                return None
            updated = self._lines(rows, [], (ChangeType.UPDATE,), is_old=False)
            if self._header:
                updated |= {
                    self._starts[_section(change.new_path)] for change in sections if change.type is ChangeType.UPDATE
                }
        except IndexError:
            return None
        return FlatChanges(_runs(deleted)[::-1], _runs(inserted), _runs(updated - inserted))

    def _lines(
        self, rows: list[Change], sections: list[Change], types: tuple[ChangeType, ...], *, is_old: bool
    ) -> set[int]:
        """The lines of the old or new places of rows, and of whole sections, whose records have one
        of the types.
        """
        lines = set()
        for change in rows:
            if change.type in types:
                path = change.old_path if is_old else change.new_path
                assert path is not None
                lines.add(self.line_of(path))
        for change in sections:
            if change.type in types:
                section = _section(change.old_path if is_old else change.new_path)
                lines.update(range(self._starts[section], self._starts[section + 1]))
        return lines

    @staticmethod
    def _moved(old: list[int], sections: list[Change]) -> list[int]:
        """The number of rows of each section after sections were deleted, moved and inserted."""
        moved = {
            _section(change.new_path): old[_section(change.old_path)] if change.type is ChangeType.MOVE else 0
            for change in sections
            if change.type in _ARRIVES
        }
        left = {_section(change.old_path) for change in sections if change.type in _LEAVES}
        staying = iter([count for place, count in enumerate(old) if place not in left])
        total = len(old) - len(left) + len(moved)
        return [moved[place] if place in moved else next(staying, -1) for place in range(total)]


def _section(path: Optional[IndexPath]) -> int:
    assert path is not None
    return path.section


def _runs(lines: Iterable[int]) -> tuple[range, ...]:
    """Numbers as runs of adjacent ones, ascending."""
    runs: list[range] = []
    for line in sorted(lines):
        if runs and runs[-1].stop == line:
            runs[-1] = range(runs[-1].start, line + 1)
        else:
            runs.append(range(line, line + 1))
    return tuple(runs)
