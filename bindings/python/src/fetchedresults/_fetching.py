"""The callbacks of fetches: progress and completion."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, Optional

from . import _types
from ._callables import plain_function
from ._callbacks import callback
from ._calls import reported
from .errors import FetchedResultsError

Progress = Callable[[int], Optional[bool]]
"""Called with the number of rows read so far; returns False to cancel the fetch."""

Completion = Callable[[Optional[FetchedResultsError]], object]
"""Called with the result of a fetch in the background: None, or the error."""


class Fetch:
    """The receiver of one fetch's callbacks. Its controller retains it until the fetch has
    ended.
    """

    def __init__(self, controller: Any, progress: Optional[Progress], completion: Optional[Completion]) -> None:
        self._controller = weakref.ref(controller)
        self.progress = None if progress is None else plain_function(progress, "progress")
        self._completion = None if completion is None else plain_function(completion, "a completion")

    @property
    def native_progress(self) -> Any:
        """The callback for C; NULL if the program passed no function."""
        return _types.ProgressFunction() if self.progress is None else _progress

    def end(self, error: Optional[FetchedResultsError]) -> None:
        """Calls the program's function with the outcome, or raises an error if there is none."""
        controller = self._controller()
        if controller is not None:
            controller._fetch = None
        if self._completion is not None:
            self._completion(error)
        elif error is not None:
            raise error


@callback(_types.ProgressFunction, default=False)
def _progress(fetch: Fetch, rows: int) -> bool:
    return fetch.progress is None or fetch.progress(rows) is not False


@callback(_types.CompletionFunction)
def completed(fetch: Fetch, controller: Any, error: Any) -> None:
    """Ends the fetch."""
    fetch.end(reported(error) if error else None)
