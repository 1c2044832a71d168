"""Settings that a callback changes. The library applies them after the round, and may fail then."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, Optional

from .errors import FetchedResultsError

if TYPE_CHECKING:
    from .controller import Controller


class DeferredSetting:
    """One setting of a controller that has its new value before the library has applied it."""

    def __init__(self, controller: Controller, attribute: str, previous: Any) -> None:
        """attribute: the attribute that was set. previous: its value if the library fails."""
        self._controller = weakref.ref(controller)
        self._attribute = attribute
        self._previous = previous

    def end(self, error: Optional[FetchedResultsError]) -> None:
        """The library has applied the setting or failed. In case of a failure the previous value is
        restored, and the error raised."""
        controller = self._controller()
        settings = [] if controller is None else controller._deferred
        if self not in settings:
            # The list was closed.
            return
        later = settings[settings.index(self) + 1 :]
        settings.remove(self)
        if error is None:
            return
        for each in later:
            if each._attribute == self._attribute:
                each._previous = self._previous
                raise error
        setattr(controller, self._attribute, self._previous)
        raise error
