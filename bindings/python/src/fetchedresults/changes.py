"""Change sets: everything that one delivery changed in one list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Optional, TypeVar, Union, overload

from ._changeset import NativeChangeSet, RecordDetails
from .errors import MisuseError
from .objects import Object
from .records import Change, ChangeKind, ChangeRange, ChangeType, change_of
from .replay import replay_batch, replay_steps
from .sections import IndexPath

T = TypeVar("T")


class ChangeSet(Sequence[Change]):
    """The changes of one delivery, as an immutable sequence.

    The records have this order: section deletes (from the end), section inserts, moves and updates
    (from the beginning); then the same for the rows. To bring a list in the old state up to date,
    first remove what leaves its old place, from the end. Then insert what has a new place, from the
    beginning. `apply` does that.

    It has at least one record, unless it is a reload, which has none (`is_reload`).

    Two change sets are equal if their records are. A copy is the change set itself. A pickled one
    contains all available details of its records. Pickle it in the thread of its store.
    """

    _native: Union[NativeChangeSet, _Unpickled]

    def __init__(self, native: NativeChangeSet, *, is_sequential: bool = False) -> None:
        """Change sets are made in deliveries."""
        self._native = native
        self._is_sequential = is_sequential
        self._changes = tuple(
            change_of(fields, RecordDetails(native, index)) for index, fields in enumerate(native.records)
        )
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
        return tuple(change for change in self._changes if change.kind is ChangeKind.SECTION)

    @property
    def objects(self) -> tuple[Change, ...]:
        """The records of objects."""
        return tuple(change for change in self._changes if change.kind is ChangeKind.OBJECT)

    def _of_type(self, wanted: ChangeType) -> tuple[Change, ...]:
        return tuple(change for change in self.objects if change.type is wanted)

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
        ranges = []
        for kind, type_, old_section, old_row, new_section, new_row, count, first in self._native.ranges():
            ranges.append(
                ChangeRange(
                    ChangeKind(kind),
                    ChangeType(type_),
                    IndexPath(old_section, old_row) if old_section >= 0 else None,
                    IndexPath(new_section, new_row) if new_section >= 0 else None,
                    self._changes[first : first + count],
                )
            )
        return ranges

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
        return self is other or (forms[0] == forms[1] and self._changes == other._changes)

    def __hash__(self) -> int:
        return hash((self._is_sequential, self._is_reload, self._changes))

    def __reduce__(self) -> tuple[Any, ...]:
        steps = None if self._is_sequential else self.sequential()
        ranges = [tuple(fields) for fields in self._native.ranges()] if self._is_sequential else []
        return _unpickled, (self._changes, self._is_sequential, self._is_reload, _Unpickled(steps, ranges))

    def __copy__(self) -> ChangeSet:
        return self

    def __deepcopy__(self, memo: Any) -> ChangeSet:
        return self

    def __repr__(self) -> str:
        if self.is_reload:
            return "<ChangeSet: reload>"
        return f"<ChangeSet of {len(self)} {'steps' if self._is_sequential else 'changes'}>"


@dataclass(frozen=True)
class _Unpickled:
    """What a change set was pickled with, in the place of a native one.

    Attributes:
        steps: the sequential form; None for that itself.
        range_fields: the members of the ranges of steps.
    """

    steps: Optional[ChangeSet]
    range_fields: list[tuple[int, ...]]

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
