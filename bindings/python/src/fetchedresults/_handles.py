"""Native handles: given back exactly once, and never while their store may be at work in another thread."""

from __future__ import annotations

import weakref
from collections import deque
from typing import Any, Callable, Optional

from . import _api
from ._calls import call, check
from .errors import ClosedError


class Session:
    """What a store and all that comes from it share: the calls that they make, and the handles that wait to be freed.

    A store belongs to one thread at a time, but garbage is collected in any. So a handle whose Python owner was
    collected waits here for the next call, which the thread that uses the store makes.
    """

    def __init__(self) -> None:
        self._waiting: deque[tuple[Callable[[Any], Any], Any]] = deque()
        self._closed = False

    def call(
        self, function: Callable[..., int], *arguments: Any, on_failure: Optional[Callable[[], None]] = None
    ) -> None:
        """Calls a function of the library; see `_calls.call`."""
        if self._waiting:
            self.free_waiting()
        call(function, *arguments, on_failure=on_failure)

    @property
    def is_open(self) -> bool:
        """Whether the store may still be at work."""
        return not self._closed

    def free_later(self, free: Callable[[Any], Any], pointer: Any) -> None:
        """Frees a handle at the next call, or now if there may be none."""
        self._waiting.append((free, pointer))
        if self._closed:
            self.free_waiting()

    def close_store(self, pointer: Any) -> None:
        """Closes the store itself; the handles that came from it can be freed at any time from now on."""
        self._closed = True
        status = _api.fr_store_close(pointer)
        self.free_waiting()
        check(status)

    def free_waiting(self) -> None:
        """Frees what waits. Only the thread that uses the store may ask for that."""
        while self._waiting:
            try:
                free, pointer = self._waiting.popleft()
            except IndexError:
                return
            free(pointer)


class SharedSession(Session):
    """The session of a list that shows lists of other sessions, of one store or several."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: tuple[Session, ...] = ()
        """The sessions of the lists that it shows."""

    def call(
        self, function: Callable[..., int], *arguments: Any, on_failure: Optional[Callable[[], None]] = None
    ) -> None:
        """Calls a function of the library; see `_calls.call`."""
        self.free_waiting()
        call(function, *arguments, on_failure=on_failure)

    @property
    def is_open(self) -> bool:
        """Whether one of the stores may still be at work."""
        return any(part.is_open for part in self.parts)

    def free_later(self, free: Callable[[Any], Any], pointer: Any) -> None:
        """Frees a handle at the next call of one of the stores, or now if there may be none."""
        for part in self.parts:
            if part.is_open:
                return part.free_later(free, pointer)
        free(pointer)

    def free_waiting(self) -> None:
        """Frees what waits in the sessions of the lists that it shows."""
        for part in self.parts:
            part.free_waiting()


class Handle:
    """One native handle: freed by `close`, or after its Python owner was collected."""

    __slots__ = ("_free", "_pointer", "_finalizer", "_noun")

    def __init__(self, owner: object, noun: str, pointer: Any, free: Callable[[Any], Any], lost: Any = None) -> None:
        """noun: what messages call it. lost: called with `free` and the pointer if the owner was lost, not closed."""
        self._noun = noun
        self._pointer = pointer
        self._free = free
        abandon, arguments = (free, (pointer,)) if lost is None else (lost, (free, pointer))
        self._finalizer = weakref.finalize(owner, abandon, *arguments)

    @property
    def pointer(self) -> Any:
        """The native pointer. Raises ClosedError after `close`."""
        if not self._finalizer.alive:
            raise ClosedError(f"the {self._noun} is closed")
        return self._pointer

    @property
    def closed(self) -> bool:
        """Whether the handle was given back."""
        return not self._finalizer.alive

    def close(self) -> None:
        """Gives the handle back; again, does nothing."""
        if self._finalizer.detach() is not None:
            self._free(self._pointer)
