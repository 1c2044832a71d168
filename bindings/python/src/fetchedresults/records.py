"""Change records: what happened to one section or one object."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Flag, IntEnum
from typing import Any, NamedTuple, Optional, Protocol, Union, overload

from ._columns import Columns
from ._known_details import ANSWERS, LAST_BIT, KnownDetails, answer
from .errors import GoneError
from .objects import Identity, Object
from .sections import IndexPath
from .value_types import SQLValue

_COLUMNS_UNKNOWN = 1


class ChangeKind(IntEnum):
    """What a record is about."""

    SECTION = 1
    OBJECT = 2


class ChangeType(IntEnum):
    """What happened to it."""

    INSERT = 1
    DELETE = 2
    MOVE = 3
    UPDATE = 4


class ChangeOrigin(Flag):
    """What caused the changes of a delivery; a change set can have several causes."""

    STORE = 1
    """The connection of the list's store. A transaction that was rolled back counts as well."""
    FOREIGN = 2
    """Another connection committed, of this process or of another one."""
    REQUEST = 4
    """The program changed what the list shows: it set another request, other sections, or other
    lists of a collection.
    """
    RESUME = 8
    """The list caught up after a pause, or after a section map was disabled."""
    FETCH = 16
    """The program fetched the list inside a callback of the delivery, or a list that a collection
    shows.
    """


class Details(Protocol):
    """The source of what a record does not contain itself."""

    def columns(self) -> Optional[Columns]:
        """The columns that the object or the section's row shows; None if they are not
        available.
        """
        ...

    def column_changed(self, column: int) -> Optional[bool]:
        """Whether a column changed; None if that was not recorded."""
        ...

    def object(self) -> Optional[Object]:
        """The object; None for a section, and if no state of it is available."""
        ...

    def identity(self) -> Optional[Identity]:
        """The identity of the record's object; None for a section."""
        ...

    def old_values(self) -> dict[str, SQLValue]:
        """The old values that are available."""
        ...

    def section_name(self) -> Optional[str]:
        """The name of the record's section; None for an object."""
        ...

    def old_section_name(self) -> Optional[str]:
        """The name of the record's section before; None for an object and an insert, and if it is
        not known.
        """
        ...

    def section_object(self) -> Optional[Object]:
        """The row of the record's section; None for an object, and where sections are not rows."""
        ...


@dataclass(frozen=True)
class Change:
    """One change of a list.

    Old places count in the list as it was before the delivery, new places in the list as it is
    after the whole delivery. A row's place is its order among the others: a row that others merely
    shifted has no record. A row that moved may also have changed. A row that only changed has both
    index paths.

    Two records are equal if all their parts are, including the values of their objects. A copy is
    the record itself. A pickled one contains all available details. Pickle it in the thread of its
    store.

    Attributes:
        kind: whether it is about a section or an object.
        type: insert, delete, move or update.
        old_path: where it was; None for an insert. A section's has the row -1.
        new_path: where it is; None for a delete. A section's has the row -1.
    """

    kind: ChangeKind
    type: ChangeType
    old_path: Optional[IndexPath]
    new_path: Optional[IndexPath]
    _flags: int = field(repr=False, compare=False)
    _mask: int = field(repr=False, compare=False)
    _details: Details = field(repr=False, compare=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Change):
            return NotImplemented
        if self is other:
            return True
        if (self.kind, self.type, self.old_path, self.new_path) != (
            other.kind,
            other.type,
            other.old_path,
            other.new_path,
        ):
            return False
        return all(_content(self, name) == _content(other, name) for name in ("changed_columns", *ANSWERS))

    def __reduce__(self) -> tuple[Any, ...]:
        places = self.kind, self.type, self.old_path, self.new_path
        return Change, (*places, self._flags, self._mask, KnownDetails.of(self))

    def __copy__(self) -> Change:
        return self

    def __deepcopy__(self, memo: Any) -> Change:
        return self

    @property
    def changed_columns(self) -> Optional[tuple[str, ...]]:
        """The names of the shown columns that changed; None if columns changed and it is not known
        which.

        For a section that is a row, these are the row's columns; for a key "name"; for a
        placeholder "name" and "index_title". The totals of a section follow.
        """
        if self._flags & _COLUMNS_UNKNOWN:
            return None
        if not self._mask:
            return ()
        columns = self._details.columns()
        if columns is None:
            return None
        names = columns.names
        changed = [name for bit, name in enumerate(names[:LAST_BIT]) if self._mask >> bit & 1]
        if self._mask >> LAST_BIT:
            late = {column: self._details.column_changed(column) for column in range(LAST_BIT, len(names))}
            if None in late.values():
                return None
            changed += (names[column] for column, has_changed in late.items() if has_changed)
        return tuple(changed)

    @property
    def object(self) -> Optional[Object]:
        """The object in its new state, or in its last known state if it was deleted; None for a
        section.

        The object of an inserted or moved row may be read from the database at the first access.
        That works only while the list shows the state that the change set leads to, so access the
        object during the callback if it matters. Raises GoneError if the list shows another state
        by then.
        """
        return self._details.object()

    @property
    def identity(self) -> Optional[Identity]:
        """The identity of the object, known also where `object` raises GoneError, and without
        reading the row; None for a section."""
        return self._details.identity()

    @property
    def old_values(self) -> dict[str, SQLValue]:
        """The values that the shown columns had before, as far as they are available.

        For a section that is a row, these are the row's values; for a key or a value "name"; for a
        placeholder "name" and "index_title". The totals of a section that changed follow. Empty for
        inserts. If a section was deleted though its row did not change, the first access may read
        the old values from the database: access them during the callback if they matter.
        """
        return self._details.old_values()

    @property
    def section_name(self) -> Optional[str]:
        """The name of the section that the record is about: the old one of a deleted section; None
        for an object.
        """
        return self._details.section_name()

    @property
    def old_section_name(self) -> Optional[str]:
        """The name that the section had before: another one than `section_name` if it was renamed.
        None for an insert, for an object, for the section of NULL, and in a view's step, which has
        the new state only.
        """
        return self._details.old_section_name()

    @property
    def section_object(self) -> Optional[Object]:
        """The row of the section that the record is about, in a section map: its new state, or the
        last known one of a section whose row was deleted.

        None for an object, and where sections are not rows. Raises GoneError as `object` does.
        """
        return self._details.section_object()


def _content(change: Change, name: str) -> Any:
    """What a record says, to be compared."""
    said = answer(lambda: getattr(change, name))
    if isinstance(said, GoneError):
        return GoneError
    return said._content() if isinstance(said, Object) else said


class ChangeRange(NamedTuple):
    """A run of steps that can be applied together: deletes or inserts of adjacent rows of one
    section, or of adjacent sections; or one other step.

    Attributes:
        kind: whether it is about sections or objects.
        type: insert, delete, move or update.
        old_path: the first place before the run is made; None for inserts. A section's has the row
          -1.
        new_path: the first place after it is made; None for deletes.
        changes: its steps. A step is made when it is first read. Inserts are in the order of their
          places, deletes in the opposite order.
    """

    kind: ChangeKind
    type: ChangeType
    old_path: Optional[IndexPath]
    new_path: Optional[IndexPath]
    changes: Sequence[Change]


_struct = struct.Struct("@iiIiqqqqQ")


class Records(Sequence[tuple[int, ...]]):
    """The members of each `fr_change` of an array, which are unpacked when they are read."""

    __slots__ = ("_data",)

    def __init__(self, data: bytes) -> None:
        self._data = data

    def __len__(self) -> int:
        return len(self._data) // _struct.size

    @overload
    def __getitem__(self, key: int) -> tuple[int, ...]: ...

    @overload
    def __getitem__(self, key: slice) -> list[tuple[int, ...]]: ...

    def __getitem__(self, key: Union[int, slice]) -> Union[tuple[int, ...], list[tuple[int, ...]]]:
        places = range(len(self))[key]
        return self._at(places) if isinstance(places, int) else list(map(self._at, places))

    def _at(self, place: int) -> tuple[int, ...]:
        return _struct.unpack_from(self._data, place * _struct.size)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return _struct.iter_unpack(self._data)


def change_of(fields: tuple[int, ...], details: Details) -> Change:
    """The record with these members of a `fr_change`."""
    kind, kind_of_change, flags, _, old_section, old_row, new_section, new_row, mask = fields
    return Change(
        ChangeKind(kind),
        ChangeType(kind_of_change),
        IndexPath(old_section, old_row) if old_section >= 0 else None,
        IndexPath(new_section, new_row) if new_section >= 0 else None,
        flags,
        mask,
        details,
    )


PLACEHOLDER_COLUMNS = Columns(("name", "index_title"))
"""What can change in a section that is not a row: one of a placeholder, or one that is a key."""


def lone_change(record: Any, details: Details) -> Change:
    """The record that a callback was given."""
    return change_of(_struct.unpack(record), details)
