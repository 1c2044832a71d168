"""Dispatching: a store in Qt's event loop."""

from __future__ import annotations

from typing import Optional

from ..errors import ClosedError, FetchedResultsError
from ..store import Store
from ._binding import QObject, QSocketNotifier, Signal


class Dispatcher(QObject):
    """Dispatches a store whenever it has something to deliver: commits of other connections and
    processes, own commits of a queued store, and the end of fetches in the background.

    So a row that a model could not read, because another connection changed it, has data again when
    Qt's event loop runs next. The dispatcher ends with the store, with `close`, or with its parent.

        store = Store("tasks.db")
        dispatcher = Dispatcher(store, parent=window)
    """

    errorOccurred = Signal(str, object)
    """Emitted with a message and the `FetchedResultsError` that a dispatch raised."""

    def __init__(self, store: Store, parent: Optional[QObject] = None) -> None:
        """store: the store to dispatch, in its own thread; retained until the dispatcher ends."""
        super().__init__(parent)
        self._store: Optional[Store] = store
        self._notifier = QSocketNotifier(store.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._dispatch)

    def close(self) -> None:
        """Ends it. Call this before the store is closed, whose descriptor another file may get. A
        second call does nothing.
        """
        self._notifier.setEnabled(False)
        self._store = None

    def _dispatch(self) -> None:
        store = self._store
        if store is None:
            return
        try:
            store.dispatch()
        except ClosedError:
            self.close()
        except FetchedResultsError as error:
            self.errorOccurred.emit(error.message, error)
