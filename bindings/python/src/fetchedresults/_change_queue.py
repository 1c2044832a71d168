"""What an asynchronous iterator has yet to yield."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

from ._callables import plain_function
from ._loop_reader import Loop, LoopReader
from .changes import ChangeSet
from .errors import FetchedResultsError
from .observing import Observation, Observer

if TYPE_CHECKING:
    from asyncio import Future

    from .live_list import LiveList
    from .store import Store


class _Failure(NamedTuple):
    """What is raised in the place of an element."""

    error: Exception


class ChangeQueue(Observer):
    """The change sets that one iterator has yet to yield, or what a function made of them. It is
    used in the loop's thread, except for deliveries by other threads."""

    def __init__(self, changing: LiveList, make: Optional[Callable[[ChangeSet], Any]]) -> None:
        """Raises RuntimeError if this thread runs no loop.

        make: makes the element for a change set; None to yield the change set itself.
        """
        self._list = changing
        self._make = None if make is None else plain_function(make, "what makes the elements")
        self.error_count = 0
        self._loop = Loop()
        self._items: deque[Any] = deque()
        self._waiter: Optional[Future[None]] = None
        self._readers: dict[Store, LoopReader] = {}
        self._observation: Optional[Observation] = None
        self._is_over = False

    def open(self) -> None:
        """Begins to collect."""
        try:
            self.follow_stores()
            self._observation = self._list.add_observer(self)
        except BaseException:
            self.close()
            raise
        self._list._queues.add(self)

    def close(self) -> None:
        """Discards what was collected, and stops collecting. Any thread may call it."""
        self._is_over = True
        self._items.clear()
        if self._observation is not None:
            self._observation._drop()
            self._observation = None
            self._list._queues.discard(self)
        self._loop.call(self._close_readers)

    def end(self) -> None:
        """Stops collecting, since the list was closed. What was collected is still to be
        yielded.
        """
        self._is_over = True
        self._loop.call(self._close_readers)

    def _close_readers(self) -> None:
        while self._readers:
            _, reader = self._readers.popitem()
            reader.leave(self)
        self._wake()

    def description(self) -> str:
        """What `repr` returns for the iterator."""
        return f"{'ended' if self._is_over else 'of ' + repr(self._list)}, {len(self._items)} to yield"

    # Stores

    def follow_stores(self) -> None:
        """Starts dispatching the stores of the list, which may be others than before."""
        self._loop.call(self._follow_stores)

    def _follow_stores(self) -> None:
        if self._is_over:
            return
        stores = {store for store in self._list._stores() if not store.closed}
        for store in stores - self._readers.keys():
            self._readers[store] = LoopReader.join(self._loop, store, self)
        for store in self._readers.keys() - stores:
            self._readers.pop(store).leave(self)

    def store_closed(self) -> None:
        """One of the stores was closed: the last one ends the iteration."""
        self._follow_stores()
        if not self._readers:
            self.end()

    # Deliveries

    def did_deliver(self, controller: LiveList, changes: ChangeSet) -> None:
        """Collects a change set, or what is made of it."""
        if self._make is None:
            self._put(changes)
            return
        try:
            self._put(self._make(changes))
        except Exception as error:
            self._put(_Failure(error))

    def did_fail(self, controller: LiveList, error: FetchedResultsError) -> None:
        """Collects an error of the list."""
        self.fail(error)

    def fail(self, error: FetchedResultsError) -> None:
        """Collects an error of the list or of a store."""
        self.error_count += 1
        self._put(_Failure(error))

    def _put(self, item: Any) -> None:
        if not self._is_over:
            self._items.append(item)
            self._loop.call(self._wake)

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done() and not self._loop.native.is_closed():
            self._waiter.set_result(None)

    # Iterating

    async def next(self) -> Any:
        """The next element, when there is one."""
        if not self._loop.is_running_here():
            raise RuntimeError("the iterator belongs to another event loop")
        while not self._items:
            if self._is_over:
                raise StopAsyncIteration
            if self._waiter is not None:
                raise RuntimeError("another task waits for the next change set of this iterator")
            for reader in self._readers.values():
                reader.resume()
            self._waiter = self._loop.native.create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        item = self._items.popleft()
        if isinstance(item, _Failure):
            raise item.error
        if self._make is None and item.is_reload:
            # The list that is read now has what these have changed.
            self._items = deque(each for each in self._items if isinstance(each, _Failure))
        return item
