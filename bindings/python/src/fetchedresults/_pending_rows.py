"""The rows of an entity list that wait for a change that the program has sent elsewhere."""

from __future__ import annotations

import weakref
from typing import Optional

from .errors import FetchedResultsError
from .live_list import LiveList
from .objects import Identity, Object
from .observing import Observation
from .value_types import SQLValue


class PendingRows:
    """A row waits until it has other values or leaves the list.

    While rows wait, the list is observed, so that one that returns does not wait any more. Other
    values are found when they are asked for, because the view may draw its cells before this is
    notified.
    """

    def __init__(self) -> None:
        self._rows: dict[tuple[str, Identity], tuple[Object, list[SQLValue]]] = {}
        self._observation: Optional[Observation] = None

    def contains(self, item: Object) -> bool:
        """Whether a row waits, and has the values that it had when that began."""
        _, values = self._rows.get(_key(item), (None, None))
        return values is not None and values == list(item.values())

    def insert(self, item: Object, live_list: LiveList) -> None:
        """A row that the list does not have is not inserted."""
        path = live_list.index_path_of(item)
        if path is None:
            return
        item = live_list.object_at(path)
        self._rows[_key(item)] = item, list(item.values())
        if self._observation is None:
            pending: weakref.ref[PendingRows] = weakref.ref(self)
            self._observation = live_list.add_observer(lambda _: _settle(pending, live_list))

    def remove(self, item: Object) -> None:
        """Ends the wait of a row."""
        self._rows.pop(_key(item), None)
        self._rest()

    def clear(self) -> None:
        """Ends the wait of all rows."""
        self._rows.clear()
        self._rest()

    def settle(self, live_list: LiveList) -> None:
        """Ends the wait of each row that has left the list or has other values."""
        for key, (item, values) in list(self._rows.items()):
            try:
                path = live_list.index_path_of(item)
                if path is None or list(live_list.object_at(path).values()) != values:
                    del self._rows[key]
            except FetchedResultsError:
                # A list that can't be read now is asked after its next change.
                continue
        self._rest()

    def _rest(self) -> None:
        if self._observation is not None and not self._rows:
            self._observation.cancel()
            self._observation = None


def _key(item: Object) -> tuple[str, Identity]:
    return item.entity, item.identity


def _settle(pending: weakref.ref[PendingRows], live_list: LiveList) -> None:
    living = pending()
    if living is not None:
        living.settle(live_list)
