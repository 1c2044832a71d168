"""The records of a change set. A record is made when it is first read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import eq
from typing import Optional, Union, overload

from ._changeset import NativeChangeSet, RecordDetails
from .records import Change, ChangeKind, ChangeType, change_of

# Change sets of more records make them again whenever they are read, as a million of them take more
# than a gigabyte.
_MOST_KEPT = 10_000


class LazyChanges(Sequence[Change]):
    """The records of a native change set. They can be read in any thread, and after the store was
    closed.
    """

    __slots__ = ("_native", "_records", "_made")

    def __init__(self, native: NativeChangeSet) -> None:
        self._native = native
        self._records = native.records
        self._made: dict[int, Change] = {}

    def __len__(self) -> int:
        return len(self._records)

    @overload
    def __getitem__(self, key: int) -> Change: ...

    @overload
    def __getitem__(self, key: slice) -> tuple[Change, ...]: ...

    def __getitem__(self, key: Union[int, slice]) -> Union[Change, tuple[Change, ...]]:
        places = range(len(self._records))[key]
        return self._at(places) if isinstance(places, int) else tuple(map(self._at, places))

    def __iter__(self) -> Iterator[Change]:
        return map(self._at, range(len(self._records)))

    def _at(self, index: int) -> Change:
        made = self._made.get(index)
        if made is None:
            made = change_of(self._records[index], RecordDetails(self._native, index))
            if len(self._records) <= _MOST_KEPT:
                # Another thread may have made it in between.
                made = self._made.setdefault(index, made)
        return made

    def part(self, first: int, length: int) -> Sequence[Change]:
        """Some of the records. A record is made when it is first read."""
        return ChangePart(self, range(first, first + length))

    def of(self, kind: ChangeKind, wanted: Optional[ChangeType]) -> tuple[Change, ...]:
        """The records of a kind and a type."""
        return tuple(
            self._at(index)
            for index, fields in enumerate(self._records)
            if fields[0] == kind and (wanted is None or fields[1] == wanted)
        )


class ChangePart(Sequence[Change]):
    """Records that follow one another in a change set. Equal to a tuple of them."""

    __slots__ = ("_changes", "_places")

    def __init__(self, changes: LazyChanges, places: range) -> None:
        self._changes = changes
        self._places = places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, key: int) -> Change: ...

    @overload
    def __getitem__(self, key: slice) -> Sequence[Change]: ...

    def __getitem__(self, key: Union[int, slice]) -> Union[Change, Sequence[Change]]:
        places = self._places[key]
        return self._changes[places] if isinstance(places, int) else ChangePart(self._changes, places)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (ChangePart, tuple)):
            return NotImplemented
        return len(self) == len(other) and all(map(eq, self, other))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> tuple[object, ...]:
        return tuple, (tuple(self),)


def changes_of(changes: Iterable[Change], kind: ChangeKind, wanted: Optional[ChangeType] = None) -> tuple[Change, ...]:
    """The records of a kind, and perhaps of one type only."""
    if isinstance(changes, LazyChanges):
        return changes.of(kind, wanted)
    return tuple(each for each in changes if each.kind is kind and wanted in (None, each.type))
