"""How models are notified of changes: they do their steps when all models of a delivery have
received theirs.
"""

from __future__ import annotations

import threading
import weakref
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Optional

from .._calls import call_under_way
from ..changes import ChangeSet
from ..errors import ClosedError
from ..observing import Observation, Observer
from ._schema import whole_list

if TYPE_CHECKING:
    from ..live_list import LiveList
    from ._base import BaseModel


class _Round(threading.local):
    """The models of one thread that take part in a delivery.

    All lists show the new state before the first observer is notified of the changes. So the steps
    of all models wait until the last one is notified: while one model does its steps, a slot gets
    correct results from any other model.
    """

    def __init__(self) -> None:
        self._waiting: list[Watcher] = []
        self._ready: list[Watcher] = []
        # A delivery ends with the call that makes it.
        self._call: Optional[object] = None

    def expect(self, watcher: Watcher) -> None:
        """Adds a model that is about to be notified."""
        call = call_under_way()
        if call is not self._call or any(each is watcher for each in self._waiting):
            # A model that was not notified in the previous delivery will not be: its store was
            # closed, for example.
            self._call = call
            self._waiting.clear()
            self._play()
        self._waiting.append(watcher)

    def notified(self, watcher: Watcher) -> None:
        """Records that a model was notified."""
        self._ready.append(watcher)
        self.remove(watcher)

    def remove(self, watcher: Watcher) -> None:
        """Stops waiting for a model."""
        self._waiting = [each for each in self._waiting if each is not watcher and each.is_observing]
        if not self._waiting:
            self._play()

    def _play(self) -> None:
        ready, self._ready = self._ready, []
        for watcher in ready:
            watcher.play()


_round = _Round()


class Watcher(Observer):
    """Observes a list for a model. It retains neither the list nor the model."""

    def __init__(self, model: BaseModel, controller: LiveList) -> None:
        self._model = weakref.ref(model)
        self._list = controller
        self._observation: Observation = controller.add_observer(self)

    @property
    def is_observing(self) -> bool:
        """Whether the model is still notified of changes: a closed store notifies no observer."""
        store = getattr(whole_list(self._list), "store", None)
        return self._observation.active and not (store is not None and store.closed)

    @property
    def _living(self) -> Optional[BaseModel]:
        return self._model() if self._observation.active else None

    def will_change(self, controller: Any) -> None:
        """The first phase of a delivery."""
        model = self._living
        if model is not None:
            model._play()
        _round.expect(self)

    def did_deliver(self, controller: Any, changes: ChangeSet) -> None:
        """The second phase."""
        model = self._living
        try:
            if model is not None:
                model._expect(changes)
        finally:
            _round.notified(self)

    def play(self) -> None:
        """Makes the model do its steps."""
        model = self._living
        if model is not None:
            model._play()

    def expect_data(self) -> None:
        """Makes the model report data that it lacked, after the round that may make the data
        available. The list does not notify observers when a row that did not change can be read
        again.
        """
        with suppress(ClosedError):
            self._list._call_after_round(self._report_blanks)

    def _report_blanks(self, error: object) -> None:
        model = self._living
        if model is not None:
            model._report_blanks()

    def stop(self) -> None:
        """Stops observing."""
        self._observation.cancel()
        _round.remove(self)
