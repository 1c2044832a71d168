"""Observers: they are notified of a list's changes."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Coroutine
from contextlib import suppress
from ctypes import byref, c_uint64, sizeof
from functools import partial
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _api, _types
from ._callables import kind_of_coroutine
from ._callbacks import callback, overridden, register
from ._calls import reported
from ._changeset import LoneDetails, NativeChangeSet
from ._handles import Session
from ._overrides import Overridable
from ._refusals import Fixed
from ._tasks import TasksInOrder
from .changes import ChangeSet
from .errors import ClosedError, FetchedResultsError
from .objects import Object, copy_object
from .records import Change, lone_change
from .sections import DeletedSection, Section, copy_info

if TYPE_CHECKING:
    from .live_list import LiveList


class Observer(Overridable):
    """Is notified of a list's changes. Override what you need; the rest costs nothing.

    In a delivery, `will_change` of all lists of a store is called first, while all of them still
    show the old state. Then the changes of each list are reported, while all of them show the new
    state. `section_changed` and `object_changed` report one change at a time, and `did_deliver` the
    whole change set after them.

    Every method may read any list, write to the store (these changes are delivered in another
    round, after this one), add and cancel observations, and close the controller or the store. An
    exception in a method is raised by the call that delivered (the one that wrote,
    `Store.dispatch`, `Controller.set_request`) after all other observers were notified.

    A class with a method whose name looks like a misspelt one of these, or with one that is a
    coroutine function, raises TypeError where it is defined. (`own_names = ["did_changes"]` in the
    class allows such a name.)

    In place of single changes there can be a reload: `did_reload` is called, and `did_deliver` gets
    a change set that is a reload (`ChangeSet.is_reload`).
    """

    def will_change(self, controller: LiveList) -> None:
        """The list is about to change; it still shows the old state."""

    def section_changed(self, controller: LiveList, section: Section, change: Change) -> None:
        """A section changed. A deleted one is passed in its last state, without objects."""

    def object_changed(self, controller: LiveList, object: Optional[Object], change: Change) -> None:
        """An object changed. A deleted one is passed in its last known state; None if no state is
        available.
        """

    def did_reload(self, controller: LiveList) -> None:
        """The whole list changed and must be shown again; there are no single changes. Called
        before `did_deliver`.
        """

    def did_change(self, controller: LiveList) -> None:
        """All changes were reported."""

    def did_deliver(self, controller: LiveList, changes: ChangeSet) -> None:
        """The whole change set, before `did_change`."""

    def did_fail(self, controller: LiveList, error: FetchedResultsError) -> None:
        """A commit left the list without a valid state, for example because its table was dropped.
        The list stays in its last state, and recovers by itself, with exact changes, when the cause
        is removed. Called once when this begins.

        Also called when something that a callback requested, such as another request for the list,
        failed after the round; the call that delivered then raises the error. Also called when a
        list that is resumed can't be read.
        """


AnyObserver = Union[Observer, Callable[[ChangeSet], object]]
"""An observer, or a function that is called with each change set. A coroutine function is run by
the event loop.
"""


class _FunctionObserver(Observer):
    """Calls a function, and makes the event loop run a coroutine that it returns."""

    def __init__(self, function: Callable[[ChangeSet], object]) -> None:
        """Raises RuntimeError for a coroutine function where no loop runs, and TypeError for a
        generator function.
        """
        self._function = function
        self._tasks: Optional[TasksInOrder] = None
        kind = kind_of_coroutine(function)
        if kind == "generator function":
            raise TypeError(f"an observer can't be a {kind}: nobody would run it")
        if kind is not None:
            self._tasks = TasksInOrder()

    def did_deliver(self, controller: LiveList, changes: ChangeSet) -> None:
        result = self._function(changes)
        if result is not None and isinstance(result, Coroutine):
            self._run(result)

    def _run(self, coroutine: Coroutine[Any, Any, object]) -> None:
        try:
            if self._tasks is None:
                self._tasks = TasksInOrder()
            self._tasks.run(coroutine)
        except RuntimeError:
            coroutine.close()
            raise

    def __repr__(self) -> str:
        return repr(self._function)


class Receiver:
    """The receiver of one observer's callbacks. Its controller retains it, so it must not retain
    its controller.
    """

    def __init__(self, controller: LiveList, observer: Observer) -> None:
        self._controller = weakref.ref(controller)
        self.session: Session = controller._session
        self.observer = observer

    @property
    def controller(self) -> Any:
        """The controller, which exists as long as the receiver does."""
        return self._controller()


class Observation(Fixed):
    """An observer's registration with a list. `cancel`, or the end of a `with`, ends it; dropping
    it does not.
    """

    _called = "an observation"

    def __init__(self, controller: LiveList, number: int) -> None:
        """Observations are made by `LiveList.add_observer`."""
        self._controller = controller
        self._number = number

    @property
    def active(self) -> bool:
        """Whether the observer is still notified of changes."""
        return self._number in self._controller._receivers

    def cancel(self) -> None:
        """Stops notifying the observer, also of the changes of a delivery under way. A second call
        does nothing.
        """
        controller = self._controller
        if not self.active:
            return
        controller._session.check()
        del controller._receivers[self._number]
        with suppress(ClosedError):
            controller._call(_api.fr_list_remove_observer, controller._pointer, self._number)

    def _drop(self) -> None:
        """As `cancel`, in any thread and at any moment: the list removes the observer at the next
        call of its store.
        """
        controller = self._controller
        if controller._receivers.pop(self._number, None) is not None and not controller.closed:
            remove = partial(_remove_observer, number=self._number)
            controller._session.free_later(remove, controller._pointer)

    def __repr__(self) -> str:
        receiver = self._controller._receivers.get(self._number)
        state = "cancelled" if receiver is None else f"of {receiver.observer!r}"
        return f"<Observation {state}, on {self._controller!r}>"

    def __enter__(self) -> Observation:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.cancel()


def _remove_observer(pointer: Any, number: int) -> None:
    # A list that was closed meanwhile has no observers.
    _api.fr_list_remove_observer(pointer, number)


def observe(controller: LiveList, observer: AnyObserver) -> Observation:
    """Registers an observer, which is notified of a list's changes from now on."""
    if isinstance(observer, type) and issubclass(observer, Observer):
        raise TypeError(f"an observer must be an instance: write list.add_observer({observer.__name__}())")
    if isinstance(observer, Observer):
        own = observer
    elif callable(observer):
        own = _FunctionObserver(observer)
    else:
        kind = type(observer).__name__
        raise TypeError(f"an observer must be an Observer or callable, not {kind}: derive its class from Observer")
    functions = {name: function for name, function in _callbacks.items() if overridden(own, Observer, name)}
    native = _types.Observer(struct_size=sizeof(_types.Observer), **functions)
    receiver = Receiver(controller, own)
    number = c_uint64()
    controller._call(
        _api.fr_list_add_observer,
        byref(number),
        controller._pointer,
        byref(native),
        register(receiver),
        _types.Destroy(),
    )
    controller._receivers[number.value] = receiver
    return Observation(controller, number.value)


@callback(_types.BracketFunction)
def _will_change(receiver: Receiver, controller: Any) -> None:
    receiver.observer.will_change(receiver.controller)


@callback(_types.SectionChangeFunction)
def _section_changed(receiver: Receiver, controller: Any, section: Any, record: Any, changes: Any) -> None:
    owner = receiver.controller
    shown: Section
    if record.contents.new_path.section >= 0:
        shown = Section(owner, record.contents.new_path.section)
    else:
        shown = DeletedSection(owner, record.contents.old_path.section, copy_info(section.contents))
    receiver.observer.section_changed(owner, shown, _lone_change(receiver, record, changes))


@callback(_types.ObjectChangeFunction)
def _object_changed(receiver: Receiver, controller: Any, pointer: Any, record: Any, changes: Any) -> None:
    changed = copy_object(pointer, receiver.session.types) if pointer else None
    change = _lone_change(receiver, record, changes, changed)
    receiver.observer.object_changed(receiver.controller, changed, change)


def _lone_change(receiver: Receiver, record: Any, changes: Any, changed: Optional[Object] = None) -> Change:
    """A record that was delivered by itself. It retains its change set."""
    native = NativeChangeSet(receiver.session, _api.fr_change_set_ref(changes), is_mixed=receiver.controller._is_mixed)
    return lone_change(record.contents, LoneDetails(native, record.contents, changed))


@callback(_types.BracketFunction)
def _did_change(receiver: Receiver, controller: Any) -> None:
    receiver.observer.did_change(receiver.controller)


@callback(_types.BracketFunction)
def _did_reload(receiver: Receiver, controller: Any) -> None:
    receiver.observer.did_reload(receiver.controller)


@callback(_types.ChangesFunction)
def _did_deliver(receiver: Receiver, controller: Any, pointer: Any) -> None:
    owner = receiver.controller
    native = NativeChangeSet(receiver.session, _api.fr_change_set_ref(pointer), is_mixed=owner._is_mixed)
    receiver.observer.did_deliver(owner, ChangeSet(native))


@callback(_types.ErrorFunction)
def _did_fail(receiver: Receiver, controller: Any, pointer: Any) -> None:
    error = reported(pointer)
    receiver.observer.did_fail(receiver.controller, error)


_callbacks = {
    "will_change": _will_change,
    "section_changed": _section_changed,
    "object_changed": _object_changed,
    "did_change": _did_change,
    "did_deliver": _did_deliver,
    "did_fail": _did_fail,
    "did_reload": _did_reload,
}
"""The C functions, by the member of `fr_observer` and the method of `Observer` that they are for.
"""
