"""The reader of a store in an event loop of asyncio."""

from __future__ import annotations

import os
from collections.abc import Callable
from threading import get_ident
from typing import TYPE_CHECKING, Protocol
from weakref import WeakSet

from .errors import FetchedResultsError

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

    from .store import Store


def running_loop() -> AbstractEventLoop:
    """The loop that this thread runs. Raises RuntimeError if there is none."""
    # Most programs that use the package don't use asyncio, which takes long to import.
    from asyncio import get_running_loop

    return get_running_loop()


class Loop:
    """The event loop that a thread runs."""

    def __init__(self) -> None:
        """Raises RuntimeError if this thread runs none."""
        self.native = running_loop()
        self._thread = get_ident()

    def is_running_here(self) -> bool:
        """Whether it is the loop that this thread runs now. Raises RuntimeError if there is
        none.
        """
        return running_loop() is self.native

    def call(self, function: Callable[[], None]) -> None:
        """Calls a function in the loop's thread: now if this is it. A loop that is closed has no
        thread any more.
        """
        if get_ident() != self._thread:
            try:
                self.native.call_soon_threadsafe(function)
                return
            except RuntimeError:
                pass
        function()


class Waiting(Protocol):
    """A user of a reader, for which it dispatches."""

    error_count: int

    def fail(self, error: FetchedResultsError) -> None:
        """The store could not deliver; the reader stops until it is resumed."""

    def store_closed(self) -> None:
        """The store was closed."""


class LoopReader:
    """Dispatches a store whenever there is something to dispatch, in one loop, as long as it has
    users.

    A loop has one reader for each descriptor. The program may have added one for the store, so this
    one uses a duplicate, which also stays valid when the store is closed.
    """

    def __init__(self, loop: Loop, store: Store) -> None:
        self._loop = loop
        self._store = store
        self._descriptor = os.dup(store.fileno())
        self._is_reading = False
        # The loop retains the reader, which must not retain a list that the program does not refer
        # to any more.
        self._waiting: WeakSet[Waiting] = WeakSet()

    @classmethod
    def join(cls, loop: Loop, store: Store, waiting: Waiting) -> LoopReader:
        """The one reader of a store in a loop, with one more user."""
        readers = store._session.readers
        reader = readers.get(loop.native)
        if reader is None:
            reader = readers[loop.native] = cls(loop, store)
        reader._waiting.add(waiting)
        reader.resume()
        return reader

    def leave(self, waiting: Waiting) -> None:
        """Removes a user. With the last one the reader ends."""
        self._waiting.discard(waiting)
        if not self._waiting:
            self._pause()
            os.close(self._descriptor)
            del self._store._session.readers[self._loop.native]

    def resume(self) -> None:
        """Continues after a failure."""
        if not self._is_reading:
            self._loop.native.add_reader(self._descriptor, self._dispatch)
            self._is_reading = True

    def _pause(self) -> None:
        if self._is_reading:
            self._loop.native.remove_reader(self._descriptor)
        self._is_reading = False

    def _dispatch(self) -> None:
        counts = [(each, each.error_count) for each in self._waiting]
        try:
            self._store.dispatch()
        except FetchedResultsError as error:
            # Waiting deliveries would wake the loop again immediately.
            self._pause()
            for each, count in counts:
                # The list has notified its own iterators already.
                if each.error_count == count:
                    each.fail(error)

    def store_closed(self) -> None:
        """Calls all users, in the loop's thread."""
        self._loop.call(self._report_closed)

    def _report_closed(self) -> None:
        for each in list(self._waiting):
            each.store_closed()
