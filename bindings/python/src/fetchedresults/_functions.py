"""The receivers of the library's calls of functions and aggregates."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from ctypes import byref, sizeof
from typing import TYPE_CHECKING, Any

from . import _api, _types
from ._callbacks import answering, register, register_retained, release
from ._values import single, values_at

if TYPE_CHECKING:
    from ._handles import Session
    from .store import Store

_DETERMINISTIC, _SETS_RESULT = 1, 4
_UNSET = -1
_MOST_ARGUMENTS = 2**31 - 1


class Receiver:
    """An object that the library calls by its number.

    Its store retains it. One of an adopted connection is retained until SQLite releases it.

    Attributes:
        session: that of the store.
    """

    session: Session
    # The last result, whose bytes the library copies when the callback has returned.
    _given: Any = None

    def add_to(self, store: Store, name: bytes, count: int, deterministic: bool, *, is_kept: bool) -> None:
        """Registers the function with the library."""
        native = _types.Function(
            struct_size=sizeof(_types.Function),
            flags=_SETS_RESULT | (_DETERMINISTIC if deterministic else 0),
            argument_count=min(count, _MOST_ARGUMENTS),
            **self._callbacks(),
        )
        number, destroy = (register_retained(self), release) if is_kept else (register(self), _types.Destroy())
        self.session.call(_api.fr_store_add_function, store._pointer, name, byref(native), number, destroy)

    def _callbacks(self) -> dict[str, Any]:
        raise NotImplementedError

    def give(self, result: Any, value: Any) -> None:
        """Sets the result of a callback. It is the last thing that a callback does: until then
        there is no result.
        """
        self._given = single(value, self.session.types)
        result[0] = self._given

    def explain(self, result: Any, exception: BaseException) -> None:
        """Sets the message of a callback that raised, in place of its result."""
        message = f"{type(exception).__name__}: {exception}".encode("utf-8", "replace")
        self._given = _types.Value(type=_UNSET, data=message, length=len(message))
        result[0] = self._given


class Scalar(Receiver):
    """The receiver of a function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def _callbacks(self) -> dict[str, Any]:
        return {"call": _scalar}


class Aggregate(Receiver):
    """The receiver of an aggregate, with the groups that are under way."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._is_window = hasattr(make, "value") and hasattr(make, "inverse")
        self._groups: dict[int, Any] = {}
        self._numbers = itertools.count(1)

    def _callbacks(self) -> dict[str, Any]:
        of_window = {"value": _value, "inverse": _inverse} if self._is_window else {}
        return {"step": _step, "finalize": _finalize, **of_window}

    def group(self, place: Any) -> Any:
        """The program's object for the group of a call; None if a call of the group raised."""
        number = place[0]
        if number is None:
            number = next(self._numbers)
            # Until the object is made, the group counts as failed.
            place[0] = number
            self._groups[number] = self._make()
        return self._groups.get(number)

    def end_group(self, place: Any) -> Any:
        """The same for the last call."""
        number = place[0]
        # A group without rows has no number.
        return self._make() if number is None else self._groups.pop(number, None)

    def fail(self, place: Any) -> None:
        """Ends a group one of whose calls raised."""
        self._groups.pop(place[0], None)


def _arguments(first: Any, count: int) -> list[Any]:
    return values_at(first, count * sizeof(_types.Value)) if count else []


@answering(_types.CallFunction, explain=Receiver.explain)
def _scalar(scalar: Scalar, result: Any, values: Any, count: int) -> None:
    scalar.give(result, scalar.function(*_arguments(values, count)))


@answering(_types.GroupFunction, explain=Receiver.explain)
def _step(aggregate: Aggregate, result: Any, place: Any, values: Any, count: int) -> None:
    _take(aggregate, "step", result, place, _arguments(values, count))


@answering(_types.GroupFunction, explain=Receiver.explain)
def _inverse(aggregate: Aggregate, result: Any, place: Any, values: Any, count: int) -> None:
    _take(aggregate, "inverse", result, place, _arguments(values, count))


def _take(aggregate: Aggregate, method: str, result: Any, place: Any, values: list[Any]) -> None:
    try:
        group = aggregate.group(place)
        if group is not None:
            getattr(group, method)(*values)
    except BaseException:
        aggregate.fail(place)
        raise
    aggregate.give(result, None)


@answering(_types.ResultFunction, explain=Receiver.explain)
def _value(aggregate: Aggregate, result: Any, place: Any) -> None:
    group = aggregate.group(place)
    aggregate.give(result, None if group is None else group.value())


@answering(_types.ResultFunction, explain=Receiver.explain)
def _finalize(aggregate: Aggregate, result: Any, place: Any) -> None:
    # The statement of a group that failed has failed.
    group = aggregate.end_group(place)
    aggregate.give(result, None if group is None else group.finalize())
