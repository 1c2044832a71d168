"""What a callback asks a list for, and the library does after the round: whether it failed, and what holds then.

The library keeps such things in a queue, and tells of a failure only who observes the list. So a mark goes into the
queue before each of them and another one after it. Between the two the list is observed, so that a failure is known,
and known to be that one's. At other times it is not: a list that is observed is not fetched again by coordinators.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from ctypes import byref, sizeof
from typing import TYPE_CHECKING, Any, Optional

from . import _api, _types
from ._callbacks import callback, register
from ._calls import is_inside_callback, note
from ._handles import Handle
from .errors import FetchedResultsError
from .observing import Delegate, Observation, observe

if TYPE_CHECKING:
    from .controller import Controller
    from .live_list import LiveList


class _Mark:
    """A place in the queue: has a function called once what is in front of it was done; at once outside of rounds.

    It is a coordinator whose view is about to reload, and ends as soon as it was reached.
    """

    def __init__(self, live_list: LiveList, reached: Callable[[], None]) -> None:
        self._reached = reached
        view = _types.View(struct_size=sizeof(_types.View), reload=_mark_reached)
        pointer = _types.CoordinatorPointer()
        live_list._call(
            _api.fr_coordinator_new,
            byref(pointer),
            live_list._pointer,
            byref(view),
            0,
            register(self),
            _types.Destroy(),
        )
        self._handle = Handle(self, live_list._session, "mark", pointer, _api.fr_coordinator_free)
        live_list._call(_api.fr_coordinator_load_data, pointer, False)

    def close(self) -> None:
        """Takes it out of the queue."""
        self._handle.close()

    def reach(self) -> None:
        """Everything in front of it was done."""
        self.close()
        self._reached()


@callback(_types.ViewFunction)
def _mark_reached(mark: _Mark, coordinator: Any) -> None:
    mark.reach()


class _Watch(Delegate):
    """Has the library tell of failures, as long as it can be that of what is being done."""

    def __init__(self, deferred: Deferred) -> None:
        self._deferred = deferred

    def will_change(self, controller: LiveList) -> None:
        """It succeeded: only the change itself is still to be told."""
        self._deferred.end()

    def failed(self, controller: LiveList, error: FetchedResultsError) -> None:
        """It failed, which the controller was told before any observer."""


class Deferred:
    """One thing that a controller is asked for, in a `with` block that asks the library for it.

    Inside a callback it goes on until the library has done it. A failure is raised by the call that the library does
    it in.
    """

    def __init__(
        self, controller: Controller, attribute: Optional[str] = None, previous: Any = None, *, is_told: bool = False
    ) -> None:
        """Makes one that was not asked for yet.

        Args:
            controller: the list that is asked.
            attribute: what is set in the controller and set back if it fails; None for nothing.
            previous: what the attribute is set back to.
            is_told: whether a failure is told to observers also outside of callbacks, rather than answered.
        """
        self._controller = weakref.ref(controller)
        self._attribute = attribute
        self._previous = previous
        self._is_told = is_told
        self._marks: list[_Mark] = []
        self._has_begun = False
        self._observation: Optional[Observation] = None

    def __enter__(self) -> None:
        controller = self._controller()
        assert controller is not None
        if is_inside_callback():
            # What is not fetched is changed at once.
            if controller.is_fetched:
                self._marks.append(_Mark(controller, self._begin))
        elif self._is_told:
            self._begin()

    def __exit__(self, kind: Optional[type[BaseException]], *exception: Any) -> None:
        controller = self._controller()
        if kind is None and self._marks and not self._has_begun and controller is not None:
            controller._deferred.append(self)
            self._marks.append(_Mark(controller, self.end))
        else:
            self.end()

    def _begin(self) -> None:
        self._has_begun = True
        controller = self._controller()
        if controller is not None:
            self._observation = observe(controller, _Watch(self))
            controller._under_way = self

    def end(self) -> None:
        """It was done, or will not be."""
        marks, self._marks = self._marks, []
        for mark in marks:
            mark.close()
        if self._observation is not None:
            self._observation.cancel()
        self._observation = None
        controller = self._controller()
        if controller is not None:
            if controller._under_way is self:
                controller._under_way = None
            if self in controller._deferred:
                controller._deferred.remove(self)

    def fail(self, error: FetchedResultsError) -> None:
        """It failed: what was set is taken back, and the call under way raises the error."""
        self.end()
        note(error)
        controller = self._controller()
        if self._attribute is None or controller is None:
            return
        for later in controller._deferred:
            if later._attribute == self._attribute:
                later._previous = self._previous
                return
        setattr(controller, self._attribute, self._previous)
