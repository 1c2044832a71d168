"""Rows of a type that the program gives: a dataclass, a TypedDict or a NamedTuple."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeVar, Union, cast, get_type_hints, overload
from typing import get_args as args_of
from typing import get_origin as origin_of

from ._columns import Columns
from .errors import SchemaError, ValueTypeError
from .value_types import Converter, SQLValue, ValueTypes

if TYPE_CHECKING:
    from .objects import Object

R = TypeVar("R")

RowType = Callable[..., R]
"""What a program gives as the type of its rows: a dataclass, a TypedDict or a NamedTuple.

Its fields are named after columns, and have their values; columns without a field are left out, and
a field without a column needs a default. A field of a dataclass may name another column, or a key
path, in its metadata: `field(metadata={"column": "list_id.title"})`. Its type is one that a column
can hold, one that the store has a converter for, an enumeration, a Literal, or Optional of these.
"""

_MAKERS_KEPT = 512


class TypedRows(Sequence[R]):
    """The rows of a list or of one of its sections, as values of a type that the program gave.

    A view: it shows the list as it is now. Each row is made when it is accessed.
    """

    __slots__ = ("_objects", "_row_type")

    def __init__(self, objects: Sequence[Object], row_type: RowType[R]) -> None:
        """Typed rows are made by lists and sections."""
        self._objects = objects
        self._row_type = row_type

    def _made(self, item: Object) -> R:
        return item.as_row(self._row_type)

    def __len__(self) -> int:
        return len(self._objects)

    @overload
    def __getitem__(self, key: int) -> R: ...

    @overload
    def __getitem__(self, key: slice) -> list[R]: ...

    def __getitem__(self, key: Union[int, slice]) -> Union[R, list[R]]:
        if isinstance(key, slice):
            return [self._made(item) for item in self._objects[key]]
        return self._made(self._objects[key])

    def __iter__(self) -> Iterator[R]:
        # Unlike a generator it continues after an error.
        return map(self._made, self._objects)

    def __reversed__(self) -> Iterator[R]:
        return map(self._made, reversed(self._objects))

    def __repr__(self) -> str:
        return f"<TypedRows of {_name(self._row_type)} in {self._objects!r}>"


def row_maker(row_type: RowType[R], columns: Columns, types: ValueTypes) -> Callable[[Sequence[SQLValue]], R]:
    """The function that makes a row out of the values of its columns.

    Raises TypeError for a type that is not a row type, or for a field of a type without a
    converter; SchemaError if a column is missing for which the type has no default. The function
    raises ValueTypeError for a value that does not fit.
    """
    key = row_type, columns.names
    maker = types.makers.get(key)
    if maker is None:
        maker = _Maker(row_type, columns, types)
        if len(types.makers) >= _MAKERS_KEPT:
            types.makers.clear()
        types.makers[key] = maker
    return cast("Callable[[Sequence[SQLValue]], R]", maker)


class _Field(NamedTuple):
    """A field of a row type."""

    name: str
    column: str
    is_required: bool


class _Maker(Generic[R]):
    """Makes the rows of one type out of the values of certain columns."""

    def __init__(self, row_type: RowType[R], columns: Columns, types: ValueTypes) -> None:
        self._row_type = row_type
        self._parts: list[tuple[str, int, Converter]] = []
        fields = _fields(row_type)
        hints = get_type_hints(row_type)
        for field in fields:
            place = columns.find(field.column)
            if place is not None:
                self._parts.append((field.name, place, _converter(hints[field.name], types)))
            elif field.is_required:
                raise SchemaError(f"{_name(row_type)} requires the column {field.column!r}, which the rows do not have")

    def __call__(self, values: Sequence[SQLValue]) -> R:
        row: dict[str, Any] = {}
        for name, place, convert in self._parts:
            try:
                row[name] = convert(values[place])
            except (TypeError, ValueError, ArithmeticError) as error:
                message = f"{_name(self._row_type)}.{name} can't be {values[place]!r}: {error}"
                raise ValueTypeError(message) from error
        return self._row_type(**row)


def _fields(row_type: Any) -> list[_Field]:
    if dataclasses.is_dataclass(row_type) and isinstance(row_type, type):
        return [
            _Field(
                field.name,
                field.metadata.get("column", field.name),
                field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING,
            )
            for field in dataclasses.fields(row_type)
            if field.init
        ]
    if isinstance(row_type, type) and issubclass(row_type, dict) and hasattr(row_type, "__required_keys__"):
        required = getattr(row_type, "__required_keys__")
        return [_Field(name, name, name in required) for name in row_type.__annotations__]
    if isinstance(row_type, type) and issubclass(row_type, tuple) and hasattr(row_type, "_field_defaults"):
        names, defaults = getattr(row_type, "_fields"), getattr(row_type, "_field_defaults")
        return [_Field(name, name, name not in defaults) for name in names]
    raise TypeError(f"a row type is a dataclass, a TypedDict or a NamedTuple, not {_name(row_type)}")


def _name(row_type: Any) -> str:
    return str(getattr(row_type, "__name__", None) or repr(row_type))


def _converter(hint: Any, types: ValueTypes) -> Converter:
    """The function that makes a value of a type out of a column's value, or raises TypeError or
    ValueError.
    """
    if hint is Any or hint is object:
        return lambda value: value
    if hasattr(hint, "__supertype__"):
        return _converter(hint.__supertype__, types)
    if origin_of(hint) is Literal:
        return _one_of(args_of(hint))
    # Optional is a Union, and so is `int | None`, whose origin has another name.
    if origin_of(hint) is Union or type(hint).__name__ == "UnionType":
        return _union(args_of(hint), types)
    if isinstance(hint, type):
        convert = types.converter(hint)
        if convert is not None:
            return _checked(convert, hint)
        if hint in (int, str, bytes, type(None)):
            return _instance((hint,))
    raise TypeError(f"there is no converter for {hint!r}")


def _instance(kinds: tuple[type, ...]) -> Converter:
    def check(value: Any) -> Any:
        if not isinstance(value, kinds):
            raise TypeError(f"not {' or '.join(kind.__name__ for kind in kinds)}")
        return value

    return check


def _checked(convert: Converter, kind: type) -> Converter:
    def make(value: Any) -> Any:
        if value is None:
            raise TypeError(f"not {kind.__name__}")
        made = convert(value)
        if not isinstance(made, kind):
            raise TypeError(f"the converter of {kind.__name__} made {made!r}")
        return made

    return make


def _one_of(choices: tuple[Any, ...]) -> Converter:
    def check(value: Any) -> Any:
        if value not in choices:
            raise ValueError(f"not one of {choices!r}")
        return value

    return check


def _union(kinds: tuple[Any, ...], types: ValueTypes) -> Converter:
    others = tuple(kind for kind in kinds if kind is not type(None))
    if len(others) == 1:
        convert = _converter(others[0], types)
        return convert if len(kinds) == 1 else lambda value: None if value is None else convert(value)
    if all(kind in (int, float, str, bytes) for kind in others):
        return _instance(kinds)
    raise TypeError(f"a value can't be reported to be one of {', '.join(map(_name, others))}")
