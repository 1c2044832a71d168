"""Objects: immutable states of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from ctypes import byref, c_int64
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _api, _types
from ._calls import check
from ._columns import Columns
from ._layouts import Layout, layout_of, layout_of_no_list
from ._values import read
from .errors import GoneError
from .typed_rows import R, RowType, row_maker
from .value_types import STANDARD, SQLValue, ValueTypes

if TYPE_CHECKING:
    from ._handles import Session

Identity = Union[SQLValue, tuple[SQLValue, ...]]
"""What identifies a row: the value of its primary key, or a tuple of them if the key has several
columns.
"""

AnyIdentity = Any
"""An identity as a program gives it: its values can be of any type that the store has an adapter
for.
"""


class Object(Mapping[str, SQLValue]):
    """A row as it was at one moment: its identity, and the values of its columns by name.

    It is a mapping that never changes and that outlives its store. A column is also an attribute,
    unless another attribute has its name. Two objects are equal if they are the same row, whatever
    their values: equality and hash are those of entity and identity. To compare values, use
    `dict(a) == dict(b)`.

    >>> from fetchedresults import Store
    >>> with Store() as store:
    ...     store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, rank REAL)")
    ...     tea = store.insert("items", name="tea", rank=1.5)
    >>> tea
    Object('items', 1, {'id': 1, 'name': 'tea', 'rank': 1.5})
    >>> tea["name"], tea.rank, tea.identity
    ('tea', 1.5, 1)
    """

    __slots__ = ("_layout", "_identity", "_values", "_types", "__weakref__")
    _layout: Layout
    _identity: Identity
    _values: Optional[tuple[SQLValue, ...]]
    _types: ValueTypes

    def __init__(
        self, layout: Layout, identity: Identity, values: Optional[tuple[SQLValue, ...]], types: ValueTypes
    ) -> None:
        """Objects are made by stores, lists and change sets."""
        _set_layout(self, layout)
        _set_identity(self, identity)
        _set_values(self, values)
        _set_types(self, types)

    @property
    def entity(self) -> str:
        """The table or view that the object is a row of."""
        return self._layout.entity

    @property
    def identity(self) -> Identity:
        """The value of the row's primary key (a tuple if it has several columns), or its rowid if
        it declares none.
        """
        return self._identity

    def as_row(self, row_type: RowType[R]) -> R:
        """The object's values as a dataclass, a TypedDict or a NamedTuple of the program's, with
        the store's converters for types that SQLite does not have. See `RowType`.

        Raises SchemaError if the object lacks a column that the type requires, and ValueTypeError
        for a value that does not have the type of its field.
        """
        return row_maker(row_type, self._layout.columns, self._types)(self._known())

    def _known(self) -> tuple[SQLValue, ...]:
        if self._values is None:
            raise GoneError(f"the values of {self.entity} {self._identity!r} changed before they were read")
        return self._values

    def __getitem__(self, name: str) -> SQLValue:
        return self._known()[self._layout.columns.place(name)]

    def __getattr__(self, name: str) -> SQLValue:
        place = self._layout.columns.find(name)
        if place is None:
            raise AttributeError(f"an object of {self.entity} has no column {name!r}")
        return self._known()[place]

    def __iter__(self) -> Iterator[str]:
        return iter(self._layout.columns.names)

    def __len__(self) -> int:
        return len(self._layout.columns.names)

    def __contains__(self, name: object) -> bool:
        return name in self._layout.columns

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Object):
            return NotImplemented
        return self._identity == other._identity and self.entity == other.entity

    def __hash__(self) -> int:
        return hash((self.entity, self._identity))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("an object never changes; write to the store instead")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("an object never changes; write to the store instead")

    def _content(self) -> tuple[Any, ...]:
        """All its parts, in which equal objects may differ."""
        return self.entity, self._layout.columns.names, self._identity, self._values

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, self._content()

    def __copy__(self) -> Object:
        return self

    def __deepcopy__(self, memo: Any) -> Object:
        return self

    def __repr__(self) -> str:
        values = "gone" if self._values is None else repr(dict(zip(self._layout.columns.names, self._values)))
        return f"Object({self.entity!r}, {self._identity!r}, {values})"


# This bypasses the `__setattr__` that refuses.
_set_layout: Any = Object._layout.__set__  # type: ignore[attr-defined]
_set_identity: Any = Object._identity.__set__  # type: ignore[union-attr]
_set_values: Any = Object._values.__set__  # type: ignore[union-attr]
_set_types: Any = Object._types.__set__  # type: ignore[attr-defined]


def _unpickled(
    entity: str, names: tuple[str, ...], identity: Identity, values: Optional[tuple[SQLValue, ...]]
) -> Object:
    return Object(layout_of_no_list(entity, names), identity, values, STANDARD)


def copy_object(pointer: Any, types: ValueTypes) -> Object:
    """Copies a native object, which the caller still has to release. types: the converters of its
    store.
    """
    layout = layout_of(pointer)
    return Object(layout, _copy_identity(pointer), layout.values_of(pointer), types)


def ask_for_object(session: Session, function: Any, *arguments: Any) -> Object:
    """Calls a function that returns an object, and copies it."""
    pointer = _types.ObjectPointer()
    try:
        session.call(function, byref(pointer), *arguments)
        return copy_object(pointer, session.types)
    finally:
        # An observer may have raised after the library had made the object.
        _api.fr_object_unref(pointer)


def ask_for_columns(ask: Callable[..., None], function: Any, *arguments: Any) -> Columns:
    """Calls a function that returns an object, through `ask`, and returns the columns of that
    object.
    """
    pointer = _types.ObjectPointer()
    try:
        ask(function, byref(pointer), *arguments)
        return layout_of(pointer).columns
    finally:
        _api.fr_object_unref(pointer)


def _copy_identity(pointer: Any) -> Identity:
    count = c_int64()
    check(_api.fr_object_identity_count(byref(count), pointer))
    value = _types.Value()
    identity = []
    for index in range(count.value):
        check(_api.fr_object_identity(byref(value), pointer, index))
        identity.append(read(value))
    return identity[0] if len(identity) == 1 else tuple(identity)
