"""Values: None, int, float, str and bytes on this side, `fr_value` on the other."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from ctypes import Array, c_char_p, string_at
from typing import Any, Optional, Union

from ._types import Value
from .value_types import STANDARD, SQLValue, ValueTypes

Params = Union[Sequence[Any], Mapping[str, Any]]
"""Values for parameters: in order, or by name."""

_NULL, _INTEGER, _REAL, _TEXT, _BLOB = range(5)

FORMAT = "iiqdPq"
"""The layout of `fr_value`, for unpacking it as a whole."""

_struct = struct.Struct("@" + FORMAT)


def read(value: Value) -> SQLValue:
    """Copies a value that the library filled."""
    return decode(*_struct.unpack(value))


def read_all(values: Array[Value]) -> tuple[SQLValue, ...]:
    """Copies the values of an array that the library filled."""
    return tuple([decode(*members) for members in _struct.iter_unpack(values)])


def values_at(data: int, size: int) -> list[SQLValue]:
    """Copies an array of `fr_value` at an address."""
    return [decode(*members) for members in _struct.iter_unpack(string_at(data, size))]


def decode(kind: int, reserved: int, integer: int, real: float, data: int, length: int) -> SQLValue:
    """The value that the members of a `fr_value` represent."""
    if kind == _INTEGER:
        return integer
    if kind == _TEXT:
        return text_at(data, length)
    if kind == _NULL:
        return None
    if kind == _REAL:
        return real
    return string_at(data, length) if length else b""


def text_at(data: int, length: int) -> str:
    """Text out of a database; bytes that are not valid UTF-8 become surrogate escapes."""
    return string_at(data, length).decode("utf-8", "surrogateescape") if length else ""


_MOST_ADAPTERS = 8
_PLAIN = frozenset((type(None), int, float, str, bytes, bool))


def adapted(python: Any, types: ValueTypes) -> Any:
    """A value as SQLite has it, if its type or one of its bases has an adapter; otherwise the
    value.
    """
    kind = type(python)
    # The member of an enumeration can have a value that needs an adapter itself.
    for _ in range(_MOST_ADAPTERS):
        adapter = None if type(python) in _PLAIN else types.adapter(type(python))
        if adapter is None:
            return python
        python = adapter(python)
    raise TypeError(f"the adapter of {kind.__name__} makes values that need adapters without end")


def write(value: Value, python: Any, types: ValueTypes = STANDARD) -> None:
    """Fills a zeroed `fr_value`, which retains what it points to."""
    if python is None:
        return
    if type(python) not in _PLAIN:
        python = adapted(python, types)
        if python is None:
            return
    if isinstance(python, int):
        if not -(2**63) <= python < 2**63:
            raise OverflowError(f"{int(python)} does not fit into the 64 bits of an SQLite integer")
        value.type = _INTEGER
        value.integer = python
    elif isinstance(python, float):
        value.type = _REAL
        value.real = python
    elif isinstance(python, str):
        _write_bytes(value, _TEXT, python.encode("utf-8"))
    elif isinstance(python, (bytes, bytearray, memoryview)):
        _write_bytes(value, _BLOB, bytes(python))
    else:
        raise TypeError(
            f"SQLite has no {type(python).__name__}: use None, int, float, str or bytes, or give the store an adapter"
        )


def _write_bytes(value: Value, kind: int, data: bytes) -> None:
    value.type = kind
    value.data = data
    value.length = len(data)


def array(values: Sequence[Any], types: ValueTypes) -> Optional[Array[Value]]:
    """An array of `fr_value`; None, which is NULL in C, for none."""
    if not values:
        return None
    native = (Value * len(values))()
    for place, value in zip(native, values):
        write(place, value, types)
    return native


def single(value: Any, types: ValueTypes) -> Value:
    """One `fr_value`."""
    native = Value()
    write(native, value, types)
    return native


def string(text: str, what: str) -> bytes:
    """A string for C. what: how messages call it."""
    if not isinstance(text, str):
        raise TypeError(f"{what} must be a str, not {type(text).__name__}")
    data = text.encode("utf-8")
    if b"\0" in data:
        raise ValueError(f"{what} contains a NUL character")
    return data


def optional_string(text: Optional[str], what: str) -> Optional[bytes]:
    """A string for C, or NULL."""
    return None if text is None else string(text, what)


def strings(texts: Sequence[str], what: str) -> Array[c_char_p]:
    """An array of strings for C."""
    return (c_char_p * len(texts))(*(string(text, what) for text in texts))


def int64(number: Any, what: str) -> int:
    """A number for C, where ctypes would quietly drop what does not fit."""
    if not isinstance(number, int):
        raise TypeError(f"{what} must be an int, not {type(number).__name__}")
    if not -(2**63) <= number < 2**63:
        raise OverflowError(f"{what} does not fit into 64 bits: {number}")
    return number


def identity_values(identity: Any) -> tuple[Any, ...]:
    """The values of an identity: those of a tuple, or the single value."""
    return identity if isinstance(identity, tuple) else (identity,)


def identity_of(first: Any, count: int) -> Union[SQLValue, tuple[SQLValue, ...]]:
    """The identity with these native values: the single value, or a tuple."""
    values = tuple(read(first[place]) for place in range(count))
    return values[0] if count == 1 else values


def checked_params(params: Params) -> Union[tuple[Any, ...], Mapping[str, Any]]:
    """Parameters as a tuple or a mapping. A lone string is not accepted as a sequence of
    parameters, though it is one for Python."""
    if isinstance(params, Mapping):
        return params
    if isinstance(params, (str, bytes, bytearray)) or not isinstance(params, Sequence):
        raise TypeError(f"parameters must be a sequence or a mapping, not {type(params).__name__}")
    return tuple(params)
