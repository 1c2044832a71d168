"""The native side of a change set: its records, copied at once, and what is asked of it later."""

from __future__ import annotations

from ctypes import POINTER, byref, c_bool, c_char_p, c_size_t, sizeof, string_at
from functools import cached_property
from typing import Any, Optional

from . import _api, _types
from ._calls import text_of
from ._columns import Columns
from ._handles import Handle, Session
from ._values import SQLValue, read
from .errors import GoneError, NotFoundError
from .objects import Object, ask_for_object
from .records import ChangeKind, ChangeType, unpack_records


class NativeChangeSet:
    """One reference to a native change set.

    It knows nothing of the `Change`s that ask it, so that all of them are freed as soon as the program lets go of them.
    """

    def __init__(self, session: Session, pointer: Any) -> None:
        """Takes over the reference that `pointer` stands for."""
        self._session = session
        self._handle = Handle(self, "change set", pointer, _api.fr_change_set_unref, session.free_later)
        first = POINTER(_types.Record)()
        count = c_size_t()
        session.call(_api.fr_change_set_records, byref(first), byref(count), pointer)
        self.records = unpack_records(string_at(first, count.value * sizeof(_types.Record)))

    def ask(self, function: Any, out: Any, *arguments: Any) -> None:
        """Calls a function of the change set that has one result."""
        self._session.call(function, byref(out), self._handle.pointer, *arguments)

    def sequential(self) -> NativeChangeSet:
        """The sequential form."""
        pointer = _types.ChangeSetPointer()
        self.ask(_api.fr_change_set_sequential, pointer)
        return NativeChangeSet(self._session, pointer)

    def is_object(self, index: int) -> bool:
        """Whether record `index` is one of an object."""
        return bool(self.records[index][0] == ChangeKind.OBJECT)

    def object(self, index: int) -> Object:
        """The object of record `index`."""
        return ask_for_object(self._session.call, _api.fr_change_set_object, self._handle.pointer, index)

    @cached_property
    def columns(self) -> Columns:
        """The shown columns, learned from the first object that is not gone."""
        gone: Optional[GoneError] = None
        for index in filter(self.is_object, range(len(self.records))):
            try:
                return Columns(tuple(self.object(index)))
            except GoneError as error:
                gone = error
        raise gone or NotFoundError("the change set has no object")


class RecordDetails:
    """What a change set knows of one of its records beyond the record itself."""

    __slots__ = ("_changes", "_index")

    def __init__(self, changes: NativeChangeSet, index: int) -> None:
        self._changes = changes
        self._index = index

    def columns(self) -> Columns:
        """The columns that the object shows."""
        return self._changes.columns

    def column_changed(self, column: int) -> bool:
        """Whether a column changed, exact for any of them."""
        changed = c_bool()
        self._changes.ask(_api.fr_change_set_column_changed, changed, self._index, column)
        return changed.value

    def object(self) -> Optional[Object]:
        """The object, read if it was not yet; None for a section."""
        return self._changes.object(self._index) if self._changes.is_object(self._index) else None

    def old_values(self) -> dict[str, SQLValue]:
        """The old values that are known."""
        values: dict[str, SQLValue] = {}
        if not self._changes.is_object(self._index) or self._changes.records[self._index][1] == ChangeType.INSERT:
            return values
        value = _types.Value()
        for column, name in enumerate(self.columns().names):
            try:
                self._changes.ask(_api.fr_change_set_old_value, value, self._index, column)
            except NotFoundError:
                continue
            values[name] = read(value)
        return values

    def section_name(self) -> Optional[str]:
        """The name of the record's section; None for an object."""
        if self._changes.is_object(self._index):
            return None
        name = c_char_p()
        self._changes.ask(_api.fr_change_set_section_name, name, self._index)
        return None if name.value is None else text_of(name.value)
