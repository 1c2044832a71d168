"""Objects: immutable pictures of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from ctypes import byref, c_char_p, c_int64
from functools import lru_cache
from typing import Any, Optional, Union

from . import _api, _types
from ._calls import call, check, text_of
from ._columns import Columns
from ._values import SQLValue, read
from .errors import GoneError

Identity = Union[SQLValue, tuple[SQLValue, ...]]
"""What identifies a row: the value of its primary key, or a tuple of them if the key has several columns."""


class Object(Mapping[str, SQLValue]):
    """A row as it was at one moment: its identity, and the values of its columns by name.

    It is a mapping that never changes and that outlives its store. A column whose name is taken by nothing else is an
    attribute as well. Two objects are equal if they are the same row, whatever their values: equality and hash are
    those of entity and identity. Compare `dict(a) == dict(b)` to compare values.

    >>> from fetchedresults import Store
    >>> with Store() as store:
    ...     store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, rank REAL)")
    ...     tea = store.insert("items", name="tea", rank=1.5)
    >>> tea
    Object('items', 1, {'id': 1, 'name': 'tea', 'rank': 1.5})
    >>> tea["name"], tea.rank, tea.identity
    ('tea', 1.5, 1)
    """

    __slots__ = ("_entity", "_identity", "_columns", "_values", "__weakref__")
    _entity: str
    _identity: Identity
    _columns: Columns
    _values: Optional[tuple[SQLValue, ...]]

    def __init__(
        self, entity: str, identity: Identity, columns: Columns, values: Optional[tuple[SQLValue, ...]]
    ) -> None:
        """Objects are made by stores, controllers and change sets."""
        set_slot = super().__setattr__
        set_slot("_entity", entity)
        set_slot("_identity", identity)
        set_slot("_columns", columns)
        set_slot("_values", values)

    @property
    def entity(self) -> str:
        """The table or view that the object is a row of."""
        return self._entity

    @property
    def identity(self) -> Identity:
        """The value of the row's primary key (a tuple if it has several columns), or its rowid if it declares none."""
        return self._identity

    def _known(self) -> tuple[SQLValue, ...]:
        if self._values is None:
            raise GoneError(f"the values of {self._entity} {self._identity!r} changed before they were read")
        return self._values

    def __getitem__(self, name: str) -> SQLValue:
        return self._known()[self._columns.place(name)]

    def __getattr__(self, name: str) -> SQLValue:
        if name in self._columns:
            return self[name]
        raise AttributeError(f"an object of {self._entity} has no column {name!r}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns.names)

    def __len__(self) -> int:
        return len(self._columns.names)

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Object):
            return NotImplemented
        return self._entity == other._entity and self._identity == other._identity

    def __hash__(self) -> int:
        return hash((self._entity, self._identity))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("an object never changes; write to the store instead")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("an object never changes; write to the store instead")

    def __copy__(self) -> Object:
        return self

    def __deepcopy__(self, memo: Any) -> Object:
        return self

    def __repr__(self) -> str:
        values = "gone" if self._values is None else repr(dict(zip(self._columns.names, self._values)))
        return f"Object({self._entity!r}, {self._identity!r}, {values})"


def copy_object(pointer: Any) -> Object:
    """Copies a native object, which stays the caller's to give back.

    The values of one that a callback was given may be read from the database only now, and may turn out to be gone.
    """
    entity = c_char_p()
    check(_api.fr_object_entity(byref(entity), pointer))
    identity = _copy_identity(pointer)
    columns = _copy_columns(pointer)
    values = _copy_values(pointer, len(columns.names))
    return Object(text_of(entity.value), identity[0] if len(identity) == 1 else identity, columns, values)


def ask_for_object(ask: Callable[..., None], function: Any, *arguments: Any) -> Object:
    """Calls a function that gives an object, through `ask`, and copies it."""
    pointer = _types.ObjectPointer()
    try:
        ask(function, byref(pointer), *arguments)
        return copy_object(pointer)
    finally:
        # An observer may have raised after the library had made the object.
        _api.fr_object_unref(pointer)


def _copy_columns(pointer: Any) -> Columns:
    """The columns that a native object shows."""
    count = c_int64()
    check(_api.fr_object_column_count(byref(count), pointer))
    name = c_char_p()
    out = byref(name)
    names = []
    for index in range(count.value):
        check(_api.fr_object_column_name(out, pointer, index))
        names.append(name.value)
    return _columns_called(tuple(names))


# The rows of a list share their columns.
@lru_cache(maxsize=512)
def _columns_called(names: tuple[bytes, ...]) -> Columns:
    return Columns(tuple(map(text_of, names)))


def _copy_identity(pointer: Any) -> tuple[SQLValue, ...]:
    count = c_int64()
    check(_api.fr_object_identity_count(byref(count), pointer))
    value = _types.Value()
    identity = []
    for index in range(count.value):
        check(_api.fr_object_identity(byref(value), pointer, index))
        identity.append(read(value))
    return tuple(identity)


def _copy_values(pointer: Any, count: int) -> Optional[tuple[SQLValue, ...]]:
    value = _types.Value()
    out = byref(value)
    try:
        # This look may read the row, and call a collation of the program's in doing so.
        call(_api.fr_object_value, out, pointer, 0)
    except GoneError:
        return None
    values = [read(value)]
    for index in range(1, count):
        check(_api.fr_object_value(out, pointer, index))
        values.append(read(value))
    return tuple(values)
