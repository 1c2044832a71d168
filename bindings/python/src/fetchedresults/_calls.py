"""Calls of the library: status codes become exceptions, and so does what callbacks raised during
the call.

The library can't let an exception pass, so a callback leaves it in the innermost call of its
thread, which is the one that made the callback, and that call raises it once the library is done.
The library's own state is consistent by then: a callback that raises does not stop other callbacks.

The calls themselves are made by sessions; see `_handles`.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Callable, NoReturn, Optional

from . import _api
from .errors import FetchedResultsError, error_of

if TYPE_CHECKING:
    from ._handles import Session


class Calls(list[tuple["Session", list[BaseException]]]):
    """The calls under way in one thread, outermost first: their owners, and what their callbacks
    raised.

    Attributes:
        thread: the thread.
    """

    __slots__ = ("thread",)

    def __init__(self) -> None:
        super().__init__()
        self.thread = threading.current_thread()


calls_made = [0]
"""A number that differs after each call of the library: between two equal ones no list changed."""

# An observer can raise at each of a million changes.
_KEPT = 16


class _FirstAsked:
    """Makes the calls of a thread when the thread first asks for them. From then on they are found
    in its dictionary.
    """

    def __get__(self, thread: _Thread, owner: type[_Thread]) -> Calls:
        # Garbage may be collected while they are made, and its finalizers ask for them as well.
        calls: Calls = thread.__dict__.setdefault("calls", Calls())
        return calls


class _Thread(threading.local):
    """What each thread has.

    Attributes:
        calls: its calls. The list also identifies the thread; its number would not, since another
            thread can get the same one.
    """

    calls = _FirstAsked()


this_thread = _Thread()


def raise_failure(
    raised: list[BaseException], error: Optional[FetchedResultsError], on_failure: Optional[Callable[[], None]]
) -> NoReturn:
    """Raises what callbacks raised in a call, or else the error of the call.

    on_failure: called before raising if there is an error of the call.
    """
    if error is not None and on_failure is not None:
        on_failure()
    try:
        if raised:
            _raise_from_callback(raised, error)
        assert error is not None
        raise error
    finally:
        # An exception retains these frames, which must not retain the exception, or all would wait
        # for the cycle collector.
        raised.clear()
        del error


def call_under_way() -> Optional[object]:
    """An object that identifies the outermost call under way of this thread; None outside of
    callbacks.
    """
    calls = this_thread.calls
    return calls[0] if calls else None


def check(status: int) -> None:
    """Raises the error of a function that makes no callbacks."""
    if status:
        raise last_error(status)


def note(exception: BaseException) -> bool:
    """Stores what a callback raised for the call that made the callback. Returns False if there is
    none, as on a connection that the program opened itself.
    """
    calls = this_thread.calls
    if not calls:
        return False
    raised = calls[-1][1]
    if len(raised) < _KEPT or not isinstance(exception, Exception):
        raised.append(exception)
    return True


def text_of(data: Optional[bytes]) -> str:
    """A string of the library. Bytes of a database that are not valid UTF-8 become surrogate
    escapes.
    """
    return (data or b"").decode("utf-8", "surrogateescape")


def reported(pointer: Any) -> FetchedResultsError:
    """The exception for a failure that a callback receives."""
    error = pointer.contents
    sql = None if error.sql is None else text_of(error.sql)
    return error_of(error.status, text_of(error.message), code=error.sqlite_code, sql=sql)


def last_error(status: int) -> FetchedResultsError:
    """The error of this thread's last call, which returned a status."""
    sql = _api.fr_error_sql()
    return error_of(
        status,
        text_of(_api.fr_error_message()),
        code=_api.fr_error_sqlite_code(),
        sql=None if sql is None else text_of(sql),
    )


def _raise_from_callback(raised: list[BaseException], error: Optional[FetchedResultsError]) -> NoReturn:
    """Raises the first exception, with the others and the library's error in its chain of
    contexts.
    """
    first = _first_of(raised, error)
    context = first.__context__
    try:
        raise first
    except BaseException:
        # The raise made the exception that the caller is handling the context.
        first.__context__ = context
        raise
    finally:
        del raised, error, first, context


def _first_of(raised: list[BaseException], error: Optional[FetchedResultsError]) -> BaseException:
    """KeyboardInterrupt and its like are raised first: an `except Exception` around the call must
    not swallow them.
    """
    first = next((each for each in raised if not isinstance(each, Exception)), raised[0])
    for other in raised:
        _append_context(first, other)
    if error is not None:
        _append_context(first, error)
    return _visible(first)


def _visible(exception: BaseException) -> BaseException:
    """An exception that does not end a loop around the call, as PEP 479 requires for generators."""
    if not isinstance(exception, (StopIteration, StopAsyncIteration)):
        return exception
    visible = RuntimeError(f"a callback raised {type(exception).__name__}")
    visible.__cause__ = visible.__context__ = exception
    return visible


def _append_context(first: BaseException, other: BaseException) -> None:
    chain = _contexts(first)
    if not any(link is seen for link in _contexts(other) for seen in chain):
        chain[-1].__context__ = other


def _contexts(exception: BaseException) -> list[BaseException]:
    chain = [exception]
    while chain[-1].__context__ is not None:
        chain.append(chain[-1].__context__)
    return chain
