"""The dispatching of a list's stores in the loop of an app, as long as a table shows the list."""

from __future__ import annotations

from collections.abc import Callable

from .._loop_reader import Loop, LoopReader
from ..changes import ChangeSet
from ..errors import FetchedResultsError
from ..live_list import LiveList
from ..observing import Observer
from ..store import Store


class Following(Observer):
    """Observes a list for a table, and dispatches its stores when they have something to dispatch.

    A collection may show lists of other stores after each of its changes.
    """

    def __init__(
        self,
        live_list: LiveList,
        changed: Callable[[ChangeSet], None],
        failed: Callable[[FetchedResultsError], None],
    ) -> None:
        """Begins. Raises RuntimeError if this thread runs no loop.

        Args:
            live_list: the list.
            changed: called in each delivery.
            failed: called with what the list or a store failed with.
        """
        self._list = live_list
        self._changed = changed
        self._failed = failed
        self.error_count = 0
        self._loop = Loop()
        self._readers: dict[Store, LoopReader] = {}
        self._follow_stores()
        self._observation = live_list.add_observer(self)

    def _follow_stores(self) -> None:
        stores = {store for store in self._list._stores() if not store.closed}
        for store in stores - self._readers.keys():
            self._readers[store] = LoopReader.join(self._loop, store, self)
        for store in self._readers.keys() - stores:
            self._readers.pop(store).leave(self)

    def resume(self) -> None:
        """Dispatches again after a failure."""
        for reader in self._readers.values():
            reader.resume()

    def end(self) -> None:
        """Ends the observation and the dispatching."""
        self._observation.cancel()
        while self._readers:
            _, reader = self._readers.popitem()
            reader.leave(self)

    # Calls

    def did_deliver(self, controller: LiveList, changes: ChangeSet) -> None:
        """The list changed."""
        self._follow_stores()
        self._changed(changes)

    def did_fail(self, controller: LiveList, error: FetchedResultsError) -> None:
        """The list could not be brought up to date."""
        self.fail(error)

    def fail(self, error: FetchedResultsError) -> None:
        """The list or a store failed."""
        self.error_count += 1
        self._failed(error)

    def store_closed(self) -> None:
        """One of the stores was closed."""
        self._follow_stores()
