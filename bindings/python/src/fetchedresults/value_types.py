"""Types that SQLite does not have: how their values are written, and how they are read into typed
rows.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from typing import Any, Optional, TypeVar, Union, cast
from uuid import UUID

T = TypeVar("T")

SQLValue = Union[None, int, float, str, bytes]
"""What a column can hold."""

Adapter = Callable[[Any], Any]
"""Makes a value that SQLite has out of one that it does not have."""

Converter = Callable[[Any], Any]
"""Makes a value of a type out of one that a column holds, which is not None."""

_SQL_TYPES = (int, float, str, bytes, bytearray, memoryview)


def _uuid(value: Union[str, bytes]) -> UUID:
    return UUID(bytes=value) if isinstance(value, bytes) else UUID(value)


def _decimal(value: Union[int, float, str]) -> Decimal:
    # A real by its text, not by its bits.
    return Decimal(repr(value) if isinstance(value, float) else value)


def _real(value: Union[int, float]) -> float:
    if not isinstance(value, (int, float)):
        raise TypeError(f"{value!r} is not a number")
    return float(value)


def _truth(value: int) -> bool:
    if value not in (0, 1):
        raise ValueError(f"{value!r} is neither 0 nor 1")
    return bool(value)


_ADAPTERS: dict[type, Adapter] = {
    date: date.isoformat,
    # The form of SQLite's own functions.
    datetime: lambda moment: moment.isoformat(" "),
    time: time.isoformat,
    UUID: str,
    Decimal: str,
    Enum: lambda member: member.value,
}

_CONVERTERS: dict[type, Converter] = {
    bool: _truth,
    float: _real,
    date: date.fromisoformat,
    datetime: datetime.fromisoformat,
    time: time.fromisoformat,
    UUID: _uuid,
    Decimal: _decimal,
}


class ValueTypes:
    """The adapters and converters of one store."""

    def __init__(self) -> None:
        self._adapters = dict(_ADAPTERS)
        self._converters = dict(_CONVERTERS)
        # The result for a type, so that its bases are searched only once.
        self._found: dict[type, Optional[Adapter]] = {}
        self.makers: dict[Any, Any] = {}
        """What makes typed rows, which depends on the converters."""

    def add_adapter(self, kind: type[T], adapter: Callable[[T], Any]) -> None:
        """Adds an adapter: values of a type, and of types derived from it, are written as what a
        function returns for them."""
        self._adapters[kind] = adapter
        self._found.clear()

    def add_converter(self, kind: type[T], converter: Callable[[Any], T]) -> None:
        """Adds a converter: a function makes the values of a type."""
        self._converters[kind] = converter
        self.makers.clear()

    def adapter(self, kind: type) -> Optional[Adapter]:
        """The adapter for a type: its own, or that of the next of its bases; None if SQLite has the
        type, or if there is none."""
        try:
            return self._found[kind]
        except KeyError:
            pass
        found: Optional[Adapter] = None
        for base in kind.__mro__:
            found = self._adapters.get(base)
            if found is not None or base in _SQL_TYPES:
                break
        self._found[kind] = found
        return found

    def converter(self, kind: type) -> Optional[Converter]:
        """The converter for a type: its own, or for an enumeration the type itself; None if there
        is none.
        """
        found = self._converters.get(kind)
        if found is None and isinstance(kind, type) and issubclass(kind, Enum):
            return cast(Converter, kind)
        return found


STANDARD = ValueTypes()
"""Those of what belongs to no store."""
