"""Functions that are called when a round of a store is over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Optional

from . import _api, _types
from ._callbacks import callback, register
from ._calls import reported
from ._handles import Session
from .errors import FetchedResultsError

RoundFunction = Callable[[Optional[FetchedResultsError]], object]
"""Receives what failed that was asked for before it inside the same callback; None if nothing did.
"""


class _Waiting:
    """A function that is to be called. Its session retains it until then."""

    def __init__(self, session: Session, function: RoundFunction) -> None:
        self.session = session
        self.function = function


def call_after_round(session: Session, store: Any, function: RoundFunction) -> None:
    """Schedules a function to be called once, when the round under way is over, or the next one.

    store: the native store. The function is dropped if the store is closed before.
    """
    waiting = _Waiting(session, function)
    session.kept.add(waiting)
    try:
        session.call(_api.fr_store_call_after_round, store, _round_over, register(waiting), _types.Destroy())
    except BaseException:
        session.kept.discard(waiting)
        raise


@callback(_types.RoundFunction)
def _round_over(waiting: _Waiting, store: Any, error: Any) -> None:
    waiting.session.kept.discard(waiting)
    waiting.function(reported(error) if error else None)
