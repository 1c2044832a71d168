"""The native side of a change set: its records, and what is read from it later."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from contextlib import suppress
from ctypes import POINTER, byref, c_bool, c_char_p, c_size_t, c_uint32, sizeof, string_at
from functools import cached_property
from typing import Any, Callable, Optional, Union, overload

from . import _api, _types
from ._calls import last_error, text_of
from ._columns import Columns
from ._handles import Handle, Session
from ._values import identity_of, read
from .errors import GoneError, NotFoundError, RangeError
from .objects import Identity, Object, ask_for_columns, ask_for_object
from .records import ChangeKind, ChangeOrigin, ChangeType, Records
from .value_types import SQLValue

_range = struct.Struct("@iiqqqqqq")
# How many records are copied together, and how many where all are read.
_BLOCK = 64
_LARGE_BLOCK = 1024


class NativeRecords(Sequence[tuple[int, ...]]):
    """The members of each `fr_change` of a change set. They are copied in blocks when they are
    read, so that a million of them take no memory. Any thread may read them, also after the store
    was closed.
    """

    __slots__ = ("_handle", "_count", "_block")

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        self._block = 0, self._read(0, _BLOCK)
        """The number of the first record of the last block, and the block. Replaced, never changed,
        as other threads may read it."""
        self._count = len(self._block[1])
        if self._count == _BLOCK:
            count = c_size_t()
            _check(_api.fr_change_set_count(byref(count), handle.pointer))
            self._count = count.value

    def _read(self, first: int, count: int) -> Records:
        buffer = (_types.Record * count)()
        copied = c_size_t(count)
        _check(_api.fr_change_set_read(buffer, byref(copied), self._handle.pointer, first))
        return Records(string_at(buffer, copied.value * sizeof(_types.Record)))

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, key: int) -> tuple[int, ...]: ...

    @overload
    def __getitem__(self, key: slice) -> list[tuple[int, ...]]: ...

    def __getitem__(self, key: Union[int, slice]) -> Union[tuple[int, ...], list[tuple[int, ...]]]:
        places = range(self._count)[key]
        return self._at(places) if isinstance(places, int) else list(map(self._at, places))

    def _at(self, place: int) -> tuple[int, ...]:
        first, block = self._block
        if not 0 <= place - first < len(block):
            first = place - place % _BLOCK
            block = self._read(first, _BLOCK)
            self._block = first, block
        return block[place - first]

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return self.iterate(0, self._count)

    def iterate(self, first: int, end: int) -> Iterator[tuple[int, ...]]:
        """The members of the records from one to before another."""
        if first == 0 and end <= len(self._block[1]) and self._block[0] == 0:
            yield from self._block[1][:end]
            return
        for start in range(first, end, _LARGE_BLOCK):
            yield from self._read(start, min(_LARGE_BLOCK, end - start))


def _check(status: Optional[int]) -> None:
    """Raises the error of a call that is not one of a store's thread."""
    if status:
        raise last_error(status)


class NativeChangeSet:
    """One reference to a native change set.

    It has no reference to the `Change`s that use it, so that all of them are freed as soon as the
    program releases them.
    """

    def __init__(self, session: Session, pointer: Any, *, is_mixed: bool) -> None:
        """Takes over the reference of `pointer`.

        is_mixed: whether its objects are of several requests, which show different columns.
        """
        self._session = session
        self._is_mixed = is_mixed
        self._handle = Handle(self, session, "change set", pointer, _api.fr_change_set_unref)

    @cached_property
    def records(self) -> NativeRecords:
        """The members of its records."""
        return NativeRecords(self._handle)

    @cached_property
    def is_reload(self) -> bool:
        """Whether it means that the list is to be shown again from scratch."""
        reload = c_bool()
        if not self.records:
            self.ask(_api.fr_change_set_is_reload, reload)
        return reload.value

    @cached_property
    def origin(self) -> ChangeOrigin:
        """What caused the changes."""
        origin = c_uint32()
        self.ask(_api.fr_change_set_origin, origin)
        return ChangeOrigin(origin.value)

    @cached_property
    def window_place(self) -> Optional[_types.WindowPlace]:
        """Where the window is after it, as `fr_window_place`; None for other lists and a reload."""
        place = _types.WindowPlace()
        try:
            self.ask(_api.fr_change_set_window_place, place)
        except NotFoundError:
            return None
        return place

    def ask(self, function: Any, out: Any, *arguments: Any) -> None:
        """Calls a function of the change set that has one result."""
        self._session.call(function, byref(out), self._handle.pointer, *arguments)

    def sequential(self) -> NativeChangeSet:
        """The sequential form."""
        pointer = _types.ChangeSetPointer()
        self.ask(_api.fr_change_set_sequential, pointer)
        return NativeChangeSet(self._session, pointer, is_mixed=self._is_mixed)

    def ranges(self) -> Iterator[tuple[int, ...]]:
        """The members of the ranges of steps."""
        first = POINTER(_types.Range)()
        count = c_size_t()
        self._session.call(_api.fr_change_set_ranges, byref(first), byref(count), self._handle.pointer)
        return _range.iter_unpack(string_at(first, count.value * _range.size))

    def totals(self) -> Iterator[tuple[str, Optional[int], Optional[int], SQLValue, SQLValue]]:
        """The members of the totals that differ; None for the section of the whole list."""
        first = POINTER(_types.TotalChange)()
        count = c_size_t()
        self._session.call(_api.fr_change_set_totals, byref(first), byref(count), self._handle.pointer)
        for index in range(count.value):
            total = first[index]
            old, new = (place if place >= 0 else None for place in (total.old_section, total.new_section))
            yield text_of(total.name), old, new, read(total.old_value), read(total.new_value)

    def identity(self, index: int) -> Identity:
        """The identity of the object of record `index`."""
        first = POINTER(_types.Value)()
        count = c_size_t()
        self._session.call(_api.fr_change_set_identity, byref(first), byref(count), self._handle.pointer, index)
        return identity_of(first, count.value)

    def is_object(self, index: int) -> bool:
        """Whether record `index` is one of an object."""
        return bool(self.records[index][0] == ChangeKind.OBJECT)

    def object(self, index: int) -> Object:
        """The object of record `index`."""
        return ask_for_object(self._session, _api.fr_change_set_object, self._handle.pointer, index)

    def section_object(self, index: int) -> Optional[Object]:
        """The row of the section of record `index`."""
        try:
            return ask_for_object(self._session, _api.fr_change_set_section_object, self._handle.pointer, index)
        except NotFoundError:
            return None

    def columns(self, index: int) -> Columns:
        """The columns that the object or the section of record `index` shows."""
        if not self.is_object(index):
            return self.section_columns(index)
        if self._is_mixed:
            return self._object_columns(index)
        # Deleted objects show the columns that they had, which differ after a change of the schema.
        return self._deleted_columns if self._is_deleted(index) else self._common_columns

    def section_columns(self, index: int) -> Columns:
        """The columns that the section of record `index` shows, and its totals."""
        names: list[str] = []
        name = c_char_p()
        with suppress(RangeError):
            while True:
                self.ask(_api.fr_change_set_column_name, name, index, len(names))
                names.append(text_of(name.value))
        return Columns(tuple(names))

    def _object_columns(self, index: int) -> Columns:
        return self._ask_for_columns(_api.fr_change_set_object, index)

    def _ask_for_columns(self, function: Any, index: int) -> Columns:
        return ask_for_columns(self._session.call, function, self._handle.pointer, index)

    def _is_deleted(self, index: int) -> bool:
        return bool(self.records[index][1] == ChangeType.DELETE)

    @cached_property
    def _common_columns(self) -> Columns:
        """The columns of all objects that still exist."""
        return self._first_columns(lambda index: not self._is_deleted(index))

    @cached_property
    def _deleted_columns(self) -> Columns:
        """The columns of all deleted objects."""
        return self._first_columns(self._is_deleted)

    def _first_columns(self, has_them: Callable[[int], bool]) -> Columns:
        """Read from the first object that is available."""
        gone: Optional[GoneError] = None
        for index in filter(self.is_object, range(len(self.records))):
            if not has_them(index):
                continue
            try:
                return self._object_columns(index)
            except GoneError as error:
                gone = error
        raise gone or NotFoundError("the change set has no object")


class RecordDetails:
    """The details of one record of a change set, beyond the record itself."""

    __slots__ = ("_changes", "_index")

    def __init__(self, changes: NativeChangeSet, index: int) -> None:
        self._changes = changes
        self._index = index

    def columns(self) -> Optional[Columns]:
        """The columns that the object or the section's row shows."""
        return self._changes.columns(self._index)

    def column_changed(self, column: int) -> bool:
        """Whether a column changed, exact for any of them."""
        changed = c_bool()
        self._changes.ask(_api.fr_change_set_column_changed, changed, self._index, column)
        return changed.value

    def object(self) -> Optional[Object]:
        """The object, read if it was not yet; None for a section."""
        return self._changes.object(self._index) if self.is_object else None

    def identity(self) -> Optional[Identity]:
        """The identity of the object; None for a section."""
        return self._changes.identity(self._index) if self.is_object else None

    def old_values(self) -> dict[str, SQLValue]:
        """The old values that are available."""
        values: dict[str, SQLValue] = {}
        if self.is_insert:
            return values
        value = _types.Value()
        for column, name in enumerate(self._old_names()):
            try:
                self._changes.ask(_api.fr_change_set_old_value, value, self._index, column)
            except NotFoundError:
                continue
            except RangeError:
                # A section that is not a row shows one column; the section of a placeholder shows
                # two.
                break
            values[name] = read(value)
        return values

    def _old_names(self) -> tuple[str, ...]:
        try:
            columns = self.columns()
        except GoneError:
            return ()
        return () if columns is None else columns.names

    @property
    def is_object(self) -> bool:
        """Whether the record is one of an object."""
        return self._changes.is_object(self._index)

    @property
    def is_insert(self) -> bool:
        """Whether the record is an insert."""
        return self._changes.records[self._index][1] == ChangeType.INSERT

    def section_name(self) -> Optional[str]:
        """The name of the record's section; None for an object."""
        return None if self.is_object else self._ask_for_name(_api.fr_change_set_section_name)

    def old_section_name(self) -> Optional[str]:
        """The name of the record's section before; None for an object and an insert."""
        if self.is_object or self.is_insert:
            return None
        return self._ask_for_name(_api.fr_change_set_old_section_name)

    def _ask_for_name(self, function: Any) -> Optional[str]:
        name = c_char_p()
        self._changes.ask(function, name, self._index)
        return None if name.value is None else text_of(name.value)

    def section_object(self) -> Optional[Object]:
        """The row of the record's section, read if it was not yet; None where there is none."""
        return None if self.is_object else self._changes.section_object(self._index)


class LoneDetails(RecordDetails):
    """The same for a record that was delivered by itself, without reading the others of its change
    set.
    """

    __slots__ = ("_is_object", "_is_insert", "_object")

    def __init__(self, changes: NativeChangeSet, record: Any, changed: Optional[Object]) -> None:
        """changed: the object that was delivered with the record, if there is one."""
        super().__init__(changes, record.index)
        self._is_object: bool = record.kind == ChangeKind.OBJECT
        self._is_insert: bool = record.type == ChangeType.INSERT
        self._object = changed

    @property
    def is_object(self) -> bool:
        """Whether the record is one of an object."""
        return self._is_object

    @property
    def is_insert(self) -> bool:
        """Whether the record is an insert."""
        return self._is_insert

    def columns(self) -> Optional[Columns]:
        """The columns that the object or the section's row shows; None if they are not
        available.
        """
        if self._is_object:
            return None if self._object is None else self._object._layout.columns
        try:
            return self._changes.section_columns(self._index)
        except GoneError:
            return None

    def object(self) -> Optional[Object]:
        """The object that was delivered with the record."""
        return self._object
