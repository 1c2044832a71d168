"""The receivers of SQLite's calls of functions and aggregates, and the conversion of their
values.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from ctypes import c_int64, string_at
from typing import TYPE_CHECKING, Any, Optional

from . import _sqlite
from ._callbacks import guard, receiver_of, register, register_retained, release
from ._calls import call_under_way, note, text_of
from ._types import Destroy
from ._values import adapted, text_at
from .errors import BusyError, FetchedResultsError, NoMemoryError, RangeError

if TYPE_CHECKING:
    from ._handles import Session

_BUSY, _NO_MEMORY, _MISUSE = 5, 7, 21
_errors: dict[int, type[FetchedResultsError]] = {_BUSY: BusyError, _NO_MEMORY: NoMemoryError, _MISUSE: RangeError}


class Receiver:
    """An object that SQLite calls by its number.

    Its store retains it. One of an adopted connection is retained until SQLite releases it.
    """

    session: Session

    def add_to(self, connection: int, name: bytes, count: int, deterministic: bool, *, is_kept: bool) -> None:
        """Registers the function with SQLite."""
        number = register_retained(self) if is_kept else register(self)
        flags = _sqlite.UTF8 | (_sqlite.DETERMINISTIC if deterministic else 0)
        # If it fails, SQLite releases its arguments.
        code = self._create(connection, name, count, flags, number, release if is_kept else Destroy())
        if code:
            message = text_of(_sqlite.sqlite3_errmsg(connection))
            raise _errors.get(code & 0xFF, FetchedResultsError)(message, code=code)

    def _create(self, connection: int, name: bytes, count: int, flags: int, number: int, destroy: Any) -> int:
        raise NotImplementedError


class Scalar(Receiver):
    """The receiver of a function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def _create(self, connection: int, name: bytes, count: int, flags: int, number: int, destroy: Any) -> int:
        none = _sqlite.RowFunction(), _sqlite.FinalFunction()
        code: int = _sqlite.sqlite3_create_function_v2(connection, name, count, flags, number, _scalar, *none, destroy)
        return code


class Aggregate(Receiver):
    """The receiver of an aggregate, with the groups that are under way."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._is_window = hasattr(make, "value") and hasattr(make, "inverse")
        self._groups: dict[int, Any] = {}
        self._numbers = itertools.count(1)

    def _create(self, connection: int, name: bytes, count: int, flags: int, number: int, destroy: Any) -> int:
        of_window = (_value, _inverse) if self._is_window else (_sqlite.FinalFunction(), _sqlite.RowFunction())
        code: int = _sqlite.sqlite3_create_window_function(
            connection, name, count, flags, number, _step, _final, *of_window, destroy
        )
        return code

    def group(self, context: int) -> Any:
        """The program's object for the group of a call; None if making it has failed."""
        memory = _group_number(context, size=8)
        if memory is None:
            raise MemoryError
        if memory.value == 0:
            # Until the object is made, the group counts as failed.
            memory.value = -1
            made = self._make()
            memory.value = next(self._numbers)
            self._groups[memory.value] = made
        return self._groups.get(memory.value)

    def end_group(self, context: int) -> Any:
        """The same for the last call."""
        # SQLite provides no memory for a group without rows.
        memory = _group_number(context, size=0)
        if memory is None or memory.value == 0:
            return self._make()
        return self._groups.pop(memory.value, None)

    def fail(self, context: int) -> None:
        """Ends a group one of whose calls raised."""
        memory = _group_number(context, size=0)
        if memory is not None:
            self._groups.pop(memory.value, None)
            memory.value = -1


def _group_number(context: int, *, size: int) -> Optional[c_int64]:
    """The number of the group of a call, which is 0 at first."""
    address = _sqlite.sqlite3_aggregate_context(context, size)
    return c_int64.from_address(address) if address else None


def _argument(value: int) -> Any:
    kind = _sqlite.sqlite3_value_type(value)
    if kind == _sqlite.INTEGER:
        return _sqlite.sqlite3_value_int64(value)
    if kind == _sqlite.FLOAT:
        return _sqlite.sqlite3_value_double(value)
    if kind == _sqlite.TEXT:
        data = _sqlite.sqlite3_value_text(value)
        return text_at(data, _sqlite.sqlite3_value_bytes(value))
    if kind == _sqlite.BLOB:
        data = _sqlite.sqlite3_value_blob(value)
        length = _sqlite.sqlite3_value_bytes(value)
        return string_at(data, length) if length else b""
    return None


def _arguments(count: int, values: Any) -> list[Any]:
    return [_argument(values[place]) for place in range(count)]


def _give(context: int, receiver: Receiver, result: Any) -> None:
    result = adapted(result, receiver.session.types)
    if result is None:
        _sqlite.sqlite3_result_null(context)
    elif isinstance(result, int):
        if not -(2**63) <= result < 2**63:
            raise OverflowError(f"{int(result)} does not fit into the 64 bits of an SQLite integer")
        _sqlite.sqlite3_result_int64(context, result)
    elif isinstance(result, float):
        _sqlite.sqlite3_result_double(context, result)
    elif isinstance(result, str):
        data = result.encode("utf-8")
        _sqlite.sqlite3_result_text64(context, data, len(data), _sqlite.TRANSIENT, _sqlite.UTF8)
    elif isinstance(result, (bytes, bytearray, memoryview)):
        data = bytes(result)
        _sqlite.sqlite3_result_blob64(context, data, len(data), _sqlite.TRANSIENT)
    else:
        raise TypeError(f"a SQL function can't return a {type(result).__name__}")


def _entry(prototype: Any) -> Callable[[Callable[..., None]], Any]:
    """Makes a C function of a Python function, whose first arguments are the receiver and SQLite's
    context.
    """

    def decorate(function: Callable[..., None]) -> Any:
        def enter(context: int, *arguments: Any) -> None:
            try:
                receiver = receiver_of(_sqlite.sqlite3_user_data(context))
                function(receiver, context, *arguments)
            except BaseException as exception:
                _fail(context, exception)

        guard(enter)
        return prototype(enter)

    return decorate


def _fail(context: int, exception: BaseException) -> None:
    message = f"{type(exception).__name__}: {exception}".encode("utf-8", "replace")
    _sqlite.sqlite3_result_error(context, message, len(message))
    # A program may run statements on a connection that it opened itself.
    if call_under_way() is not None:
        note(exception)


@_entry(_sqlite.RowFunction)
def _scalar(scalar: Scalar, context: int, count: int, values: Any) -> None:
    _give(context, scalar, scalar.function(*_arguments(count, values)))


@_entry(_sqlite.RowFunction)
def _step(aggregate: Aggregate, context: int, count: int, values: Any) -> None:
    _take(aggregate, context, "step", count, values)


@_entry(_sqlite.RowFunction)
def _inverse(aggregate: Aggregate, context: int, count: int, values: Any) -> None:
    _take(aggregate, context, "inverse", count, values)


def _take(aggregate: Aggregate, context: int, method: str, count: int, values: Any) -> None:
    try:
        group = aggregate.group(context)
        if group is not None:
            getattr(group, method)(*_arguments(count, values))
    except BaseException:
        aggregate.fail(context)
        raise


@_entry(_sqlite.FinalFunction)
def _value(aggregate: Aggregate, context: int) -> None:
    group = aggregate.group(context)
    if group is not None:
        _give(context, aggregate, group.value())


@_entry(_sqlite.FinalFunction)
def _final(aggregate: Aggregate, context: int) -> None:
    group = aggregate.end_group(context)
    if group is not None:
        _give(context, aggregate, group.finalize())
