"""Objects: immutable states of rows."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from ctypes import byref, c_int64
from itertools import repeat
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
columns. Of a row whose key holds a NULL it is a tuple of a None for each column of the key, and the
rowid.
"""

AnyIdentity = Any
"""An identity as a program gives it: its values can be of any type that the store has an adapter
for.
"""


Parts = tuple[Layout, Identity, Optional[tuple[SQLValue, ...]], ValueTypes]
"""What makes up an object: the converters are those of its store."""


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

    # One tuple, as setting several attributes of many objects takes longer.
    __slots__ = ("_parts", "__weakref__")
    _parts: Parts

    def __init__(
        self, layout: Layout, identity: Identity, values: Optional[tuple[SQLValue, ...]], types: ValueTypes
    ) -> None:
        """Objects are made by stores, lists and change sets."""
        _set_parts(self, (layout, identity, values, types))

    @property
    def _layout(self) -> Layout:
        return self._parts[0]

    @property
    def entity(self) -> str:
        """The table or view that the object is a row of."""
        return self._parts[0].entity

    @property
    def identity(self) -> Identity:
        """The value of the row's primary key (a tuple if it has several columns), or its rowid if
        it declares none. Of a row whose key holds a NULL, which SQLite allows, it is a tuple of a
        None for each column of the key, and the rowid: `(None, 2)`.
        """
        return self._parts[1]

    def as_row(self, row_type: RowType[R]) -> R:
        """The object's values as a dataclass, a TypedDict or a NamedTuple of the program's, with
        the store's converters for types that SQLite does not have. See `RowType`.

        Raises SchemaError if the object lacks a column that the type requires, and ValueTypeError
        for a value that does not have the type of its field.
        """
        layout, _, _, types = self._parts
        return row_maker(row_type, layout.columns, types)(self._known())

    def _known(self) -> tuple[SQLValue, ...]:
        values = self._parts[2]
        if values is None:
            raise GoneError(f"the values of {self.entity} {self.identity!r} changed before they were read")
        return values

    def __getitem__(self, name: str) -> SQLValue:
        layout, _, values, _ = self._parts
        place = layout.columns.places.get(name)
        if place is None or values is None:
            place = layout.columns.place(name)
            values = self._known()
        return values[place]

    def __getattr__(self, name: str) -> SQLValue:
        layout, _, values, _ = self._parts
        place = layout.columns.places.get(name)
        if place is None or values is None:
            place = layout.columns.find(name)
            if place is None:
                raise AttributeError(f"an object of {self.entity} has no column {name!r}")
            values = self._known()
        return values[place]

    def __iter__(self) -> Iterator[str]:
        return iter(self._layout.columns.names)

    def __len__(self) -> int:
        return len(self._layout.columns.names)

    def __contains__(self, name: object) -> bool:
        return name in self._layout.columns

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Object):
            return NotImplemented
        return self.identity == other.identity and self.entity == other.entity

    def __hash__(self) -> int:
        return hash((self.entity, self.identity))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(_refusal(name, "..."))

    def __delattr__(self, name: str) -> None:
        raise AttributeError(_refusal(name, "None"))

    # Type checkers would accept an assignment to a class that has these methods.
    if not TYPE_CHECKING:

        def __setitem__(self, name: str, value: object) -> None:
            raise TypeError(_refusal(name, "..."))

        def __delitem__(self, name: str) -> None:
            raise TypeError(_refusal(name, "None"))

    def _content(self) -> tuple[Any, ...]:
        """All its parts, in which equal objects may differ."""
        layout, identity, values, _ = self._parts
        return layout.entity, layout.columns.names, identity, values

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, self._content()

    def __copy__(self) -> Object:
        return self

    def __deepcopy__(self, memo: Any) -> Object:
        return self

    def __repr__(self) -> str:
        layout, identity, values, _ = self._parts
        shown = "gone" if values is None else repr(dict(zip(layout.columns.names, values)))
        return f"Object({layout.entity!r}, {identity!r}, {shown})"


def _refusal(name: str, value: str) -> str:
    return f"an object never changes: write store.update(object, {name}={value})"


# This bypasses the `__setattr__` that refuses.
_set_parts: Any = Object._parts.__set__  # type: ignore[attr-defined]


def make_objects(
    layout: Layout, identities: Iterable[Identity], rows: Sequence[tuple[SQLValue, ...]], types: ValueTypes
) -> list[Object]:
    """Objects of one layout, made together."""
    objects = list(map(object.__new__, repeat(Object, len(rows))))
    deque(map(_set_parts, objects, zip(repeat(layout), identities, rows, repeat(types))), maxlen=0)
    return objects


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
