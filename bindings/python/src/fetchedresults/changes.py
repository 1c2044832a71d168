"""Change sets: everything that one delivery changed in one list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import eq
from typing import Any, NamedTuple, Optional, TypeVar, Union, overload

from ._changeset import NativeChangeSet
from ._lazy_changes import LazyChanges, changes_of
from ._refusals import Fixed, counted
from .errors import MisuseError
from .objects import Object
from .records import Change, ChangeKind, ChangeOrigin, ChangeRange, ChangeType
from .replay import replay_batch, replay_steps
from .sections import IndexPath
from .value_types import SQLValue

T = TypeVar("T")
# Faster than calling the enumerations.
_kinds = {int(each): each for each in ChangeKind}
_types = {int(each): each for each in ChangeType}


class Run(NamedTuple):
    """A `ChangeRange` with the numbers of its steps in place of these."""

    kind: ChangeKind
    type: ChangeType
    old_path: Optional[IndexPath]
    new_path: Optional[IndexPath]
    first: int
    length: int


class WindowPlace(NamedTuple):
    """Where a window is after a change set of it."""

    position: int
    """The number, in the list, of the window's first row."""
    anchor: Optional[int]
    """The number, in the window, of the row on which it hangs; None if the list has no rows."""
    is_anchor_replaced: bool
    """Whether the row on which it hung has left the list, and it hangs on another one."""


class TotalChange(NamedTuple):
    """A total that a delivery changed."""

    name: str
    """The name of the total."""
    old_section: Optional[int]
    """The index of its section before; None for a total of the whole list."""
    new_section: Optional[int]
    """The index of its section after; None for a total of the whole list."""
    old_value: SQLValue
    """The value before."""
    new_value: SQLValue
    """The value after."""


class ChangeSet(Sequence[Change], Fixed):
    """The changes of one delivery, as an immutable sequence.

    The records have this order: section deletes (from the end), section inserts, moves and updates
    (from the beginning); then the same for the rows. To bring a list in the old state up to date,
    first remove what leaves its old place, from the end. Then insert what has a new place, from the
    beginning. `apply` does that.

    It has no record if it is a reload (`is_reload`), or if only `totals` changed. A record is
    made when it is first read, or, if there are more than 10,000, whenever it is read. So a change
    set of a million records costs little.

    Two change sets are equal if their records are. A copy is the change set itself. A pickled one
    contains all available details of its records. Pickle it in the thread of its store.
    """

    _called = "a change set"
    _native: Union[NativeChangeSet, _Unpickled]
    _changes: Union[LazyChanges, tuple[Change, ...]]

    def __init__(self, native: NativeChangeSet, *, is_sequential: bool = False) -> None:
        """Change sets are made in deliveries."""
        self._native = native
        self._is_sequential = is_sequential
        self._changes = LazyChanges(native)
        # Any thread may use it, and it is read only once.
        self._is_reload = native.is_reload

    @property
    def is_sequential(self) -> bool:
        """Whether the records are steps; see `sequential`."""
        return self._is_sequential

    @property
    def is_reload(self) -> bool:
        """Whether the whole list changed and must be shown again. A reload has no records.

        A list that is resumed with a reload delivers one. So does a collection when one of its
        lists was fetched by itself.
        """
        return self._is_reload

    @property
    def origin(self) -> ChangeOrigin:
        """What caused the changes, such as `ChangeOrigin.STORE`: the list's own store.

        If several causes meet in one delivery, it has all of them, and does not say which record
        has which. It is read on demand, in the store's thread.
        """
        return self._native.origin

    @property
    def totals(self) -> tuple[TotalChange, ...]:
        """The totals that differ (`Request.totals`), of the list, and of sections that it has
        before and after. None for a reload.
        """
        if isinstance(self._native, _Unpickled):
            return self._native.totals
        return tuple(TotalChange(*fields) for fields in self._native.totals())

    @property
    def window_place(self) -> Optional[WindowPlace]:
        """Where the window is after these changes of it; None for another list, and a reload."""
        if isinstance(self._native, _Unpickled):
            return self._native.window_place
        place = self._native.window_place
        if place is None:
            return None
        anchor = None if place.anchor < 0 else place.anchor
        return WindowPlace(place.position, anchor, bool(place.is_anchor_replaced))

    @overload
    def __getitem__(self, key: int) -> Change: ...

    @overload
    def __getitem__(self, key: slice) -> tuple[Change, ...]: ...

    def __getitem__(self, key: Union[int, slice]) -> Union[Change, tuple[Change, ...]]:
        return self._changes[key]

    def __len__(self) -> int:
        return len(self._changes)

    @property
    def sections(self) -> tuple[Change, ...]:
        """The records of sections."""
        return changes_of(self._changes, ChangeKind.SECTION)

    @property
    def objects(self) -> tuple[Change, ...]:
        """The records of objects."""
        return changes_of(self._changes, ChangeKind.OBJECT)

    def _of_type(self, wanted: ChangeType) -> tuple[Change, ...]:
        return changes_of(self._changes, ChangeKind.OBJECT, wanted)

    @property
    def inserts(self) -> tuple[Change, ...]:
        """The records of objects that were inserted."""
        return self._of_type(ChangeType.INSERT)

    @property
    def deletes(self) -> tuple[Change, ...]:
        """The records of objects that were deleted."""
        return self._of_type(ChangeType.DELETE)

    @property
    def moves(self) -> tuple[Change, ...]:
        """The records of objects that changed their place, and perhaps their content."""
        return self._of_type(ChangeType.MOVE)

    @property
    def updates(self) -> tuple[Change, ...]:
        """The records of objects that changed their content but not their place."""
        return self._of_type(ChangeType.UPDATE)

    def sequential(self) -> ChangeSet:
        """The same changes as steps that are applied one after another, for list models that take
        one change at a time.

        A step's old path counts in the list after all steps before it. Its new path counts after
        the row or section was removed. There are as many steps as records.
        """
        if isinstance(self._native, _Unpickled):
            return self._native.steps or self
        return ChangeSet(self._native.sequential(), is_sequential=True)

    def ranges(self) -> list[ChangeRange]:
        """The steps of `sequential` in runs: deletes and inserts of adjacent rows of one section,
        or of adjacent sections, are one range. They are applied one after another, as steps are."""
        if not self._is_sequential:
            return self.sequential().ranges()
        changes = self._changes
        return [
            ChangeRange(
                run.kind,
                run.type,
                run.old_path,
                run.new_path,
                changes.part(run.first, run.length)
                if isinstance(changes, LazyChanges)
                else changes[run.first : run.first + run.length],
            )
            for run in self._runs()
        ]

    def _fields(self, first: int = 0, length: Optional[int] = None) -> Iterator[tuple[int, ...]]:
        """The members of records (`fr_change`), without making these: for a million of them."""
        assert isinstance(self._native, NativeChangeSet)
        return self._native.records.iterate(first, len(self) if length is None else first + length)

    def _runs(self) -> Iterator[Run]:
        """The ranges of records or steps, without making these."""
        for kind, type_, old_section, old_row, new_section, new_row, count, first in self._native.ranges():
            yield Run(
                _kinds[kind],
                _types[type_],
                IndexPath(old_section, old_row) if old_section >= 0 else None,
                IndexPath(new_section, new_row) if new_section >= 0 else None,
                first,
                count,
            )

    @overload
    def apply(self, old: Iterable[Iterable[Optional[Object]]]) -> list[list[Optional[Object]]]: ...

    @overload
    def apply(self, old: Iterable[Iterable[T]], value: Callable[[Change], T]) -> list[list[T]]: ...

    def apply(self, old: Iterable[Iterable[Any]], value: Optional[Callable[[Change], Any]] = None) -> list[list[Any]]:
        """The new list: the changes applied to a list of sections, each a list of rows. The old
        list is not changed.

        value: called with the record of each inserted, moved and updated object for the row that
            shows it; without it the objects themselves are the rows.

        Raises IndexError or ValueError if the list is not the one that changed, and MisuseError for
        a reload.
        """
        if self.is_reload:
            raise MisuseError("a reload has no records: read the list again")
        replay = replay_steps if self._is_sequential else replay_batch
        return replay(self._changes, old, value or _object)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ChangeSet):
            return NotImplemented
        forms = (self._is_sequential, self._is_reload), (other._is_sequential, other._is_reload)
        if self is other:
            return True
        return forms[0] == forms[1] and len(self) == len(other) and all(map(eq, self._changes, other._changes))

    def __hash__(self) -> int:
        return hash((self._is_sequential, self._is_reload, tuple(self._changes)))

    def __reduce__(self) -> tuple[Any, ...]:
        steps = None if self._is_sequential else self.sequential()
        ranges = [tuple(fields) for fields in self._native.ranges()] if self._is_sequential else []
        source = _Unpickled(steps, ranges, self.origin, self.window_place, self.totals)
        return _unpickled, (tuple(self._changes), self._is_sequential, self._is_reload, source)

    def __copy__(self) -> ChangeSet:
        return self

    def __deepcopy__(self, memo: Any) -> ChangeSet:
        return self

    def __repr__(self) -> str:
        if self.is_reload:
            return "<ChangeSet: reload>"
        return f"<ChangeSet of {counted(len(self), 'step' if self._is_sequential else 'change')}>"


@dataclass(frozen=True)
class _Unpickled:
    """What a change set was pickled with, in the place of a native one.

    Attributes:
        steps: the sequential form; None for that itself.
        range_fields: the members of the ranges of steps.
        origin: what caused the changes.
        window_place: the one of the change set.
        totals: the totals that differ.
    """

    steps: Optional[ChangeSet]
    range_fields: list[tuple[int, ...]]
    origin: ChangeOrigin
    window_place: Optional[WindowPlace]
    totals: tuple[TotalChange, ...]

    def ranges(self) -> Iterator[tuple[int, ...]]:
        """The members of the ranges of steps."""
        return iter(self.range_fields)


def _unpickled(changes: tuple[Change, ...], is_sequential: bool, is_reload: bool, source: _Unpickled) -> ChangeSet:
    unpickled = ChangeSet.__new__(ChangeSet)
    unpickled._native = source
    unpickled._is_sequential = is_sequential
    unpickled._changes = changes
    unpickled._is_reload = is_reload
    return unpickled


def _object(change: Change) -> Optional[Object]:
    return change.object
