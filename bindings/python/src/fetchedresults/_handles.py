"""Native handles and the calls that are made with them: by one thread at a time, whichever thread
drops a handle.

A store belongs to one thread, but garbage is collected in any. The rules that separate both:

- A thread first adds its call to its list of calls, and then checks whether it owns the store. A
  thread that takes the store over first stores itself as the owner, and then checks whether the
  previous owner is inside a call. So one of two threads always detects the other.
- A handle that was dropped waits for the next call of its store. After the store was closed there
  may be none: then the thread that dropped the handle acts as the owner while it frees it.
"""

from __future__ import annotations

import atexit
import sys
import threading
import weakref
from collections import deque
from typing import TYPE_CHECKING, Any, Callable, Optional

from . import _api
from ._calls import Calls, calls_made, last_error, raise_failure, this_thread
from ._interrupts import Hook, install
from .errors import ClosedError, WrongThreadError
from .value_types import ValueTypes

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

    from ._loop_reader import LoopReader
    from .live_list import LiveList

Free = Callable[[Any], Any]


class Session:
    """The state that a store shares with everything made from it: their thread, their calls, and
    the handles to free."""

    def __init__(self, *, is_bound: bool = True) -> None:
        """is_bound: whether only this thread may make calls until `take_over`; otherwise any thread
        may, unless another one is in a call."""
        self._owner: Optional[Calls] = this_thread.calls
        self._is_bound = is_bound
        self.types = ValueTypes()
        """The adapters and converters of the store."""
        # Held while the owner changes, never during a call that the program makes.
        self._lock = threading.Lock()
        self._waiting: deque[tuple[Free, Any]] = deque()
        self._closed = False
        self.kept: set[object] = set()
        """What lives until the library has called it, or the store is closed."""
        self.observed: weakref.WeakSet[LiveList] = weakref.WeakSet()
        """The lists that have observers, or had some."""
        self.tracer: object = None
        """What receives the store's rounds."""
        self.readers: dict[AbstractEventLoop, LoopReader] = {}
        """Those of the store in event loops."""

    @classmethod
    def of_no_store(cls) -> Session:
        """The session of an object without a store: any thread may use it, and free it at any
        time.
        """
        session = cls(is_bound=False)
        session._closed = True
        return session

    # Calls

    def call(
        self, function: Callable[..., Optional[int]], *arguments: Any, on_failure: Optional[Callable[[], None]] = None
    ) -> None:
        """Calls a function of the library, and raises what it, or a callback during it, failed
        with.

        on_failure: called before raising if the function itself failed.
        """
        calls = this_thread.calls
        depth = len(calls)
        raised: list[BaseException] = []
        status: Optional[int] = 0
        try:
            calls.append((self, raised))
            if self._owner is not calls:
                self.enter(calls)
            if self._waiting:
                self.free_waiting()
            if type(sys.unraisablehook) is not Hook:
                install()
            status = function(*arguments)
        except BaseException as exception:
            # A signal that arrived while the library worked, unless a callback has noticed it.
            raised.append(exception)
        finally:
            calls_made[0] += 1
            del calls[depth:]
        if status or raised:
            raise_failure(raised, last_error(status) if status else None, on_failure)

    # Threads

    def check(self) -> None:
        """Raises WrongThreadError if this thread may make no calls now."""
        if self._owner is not this_thread.calls:
            self.enter(this_thread.calls)

    def enter(self, calls: Calls) -> None:
        """Makes a thread the one that makes the calls, if it may: it was not the last one to do
        so.
        """
        with self._lock:
            # Another thread may merely have freed what it dropped.
            if self._owner is calls:
                return
            if self._is_bound:
                raise WrongThreadError(
                    "the store belongs to another thread: hand it over with `use_in_this_thread`, or open it with"
                    " `check_same_thread=False`"
                )
            if not self._claim(calls):
                raise WrongThreadError("another thread is using the store at this moment")

    def take_over(self) -> None:
        """Makes this thread the one that makes the calls. Raises WrongThreadError while another
        thread makes one.
        """
        with self._lock:
            if not self._claim(this_thread.calls):
                raise WrongThreadError("another thread is using the store at this moment")

    def _claim(self, calls: Calls) -> bool:
        """Makes a thread the owner, unless the owner is inside a call. The lock has to be held."""
        previous = self._owner
        if previous is calls:
            return True
        if self._is_used_by(previous):
            return False
        self._owner = calls
        if self._is_used_by(previous):
            self._owner = previous
            return False
        return True

    def _is_used_by(self, calls: Optional[Calls]) -> bool:
        return any(session.covers(self) for session, _ in list(calls or ()))

    def covers(self, session: Session) -> bool:
        """Whether calls of this session are calls of another one as well."""
        return self is session

    # Handles

    @property
    def is_open(self) -> bool:
        """Whether the store may still be open or in a call."""
        return not self._closed

    def free_later(self, free: Free, pointer: Any) -> None:
        """Frees a handle that was dropped, perhaps in another thread: at the next call, or now if
        there may be none.
        """
        self._waiting.append((free, pointer))
        if self._closed:
            self._free_lost()

    def close_store(self, pointer: Any) -> int:
        """Closes the store itself: a function to be called like those of the library."""
        status: int = _api.fr_store_close(pointer)
        self._closed = True
        self.kept.clear()
        self.tracer = None
        self.free_waiting()
        for reader in list(self.readers.values()):
            reader.store_closed()
        return status

    @property
    def ends_with_process(self) -> bool:
        """Whether the thread that uses the store runs until the process ends, as daemon threads
        do.
        """
        owner = self._owner
        return owner is not None and owner is not this_thread.calls and owner.thread.is_alive()

    def lose_store(self, free: Free, pointer: Any) -> None:
        """Closes the store when nothing refers to it any more. If that happens in another thread,
        or while its own is reading a change set, the store is closed at the next call."""
        if self._lock.acquire(blocking=False):
            owner = self._owner
            try:
                if self._claim(this_thread.calls):
                    return self.call(free, pointer)
            finally:
                self._owner = owner
                self._lock.release()
        self._waiting.append((free, pointer))

    def free_waiting(self) -> None:
        """Frees what waits. Only the thread that uses the store may call it."""
        while self._waiting:
            try:
                free, pointer = self._waiting.popleft()
            except IndexError:
                return
            free(pointer)

    def _free_lost(self) -> None:
        """The same after the store was closed, in any thread."""
        while self._waiting and self._lock.acquire(blocking=False):
            owner = self._owner
            try:
                if not self._claim(this_thread.calls):
                    # The owner frees it.
                    return
                self.free_waiting()
            finally:
                self._owner = owner
                self._lock.release()


class SharedSession(Session):
    """The session of a list that shows lists of other sessions, of one store or several. Their
    threads are its own.
    """

    def __init__(self) -> None:
        super().__init__()
        # So that each call runs `enter`.
        self._owner = None
        # Without lists there is no store, and nothing that a call of another thread could interfere
        # with.
        self._alone = Session.of_no_store()
        self.parts: tuple[Session, ...] = ()
        """The sessions of the lists that it shows. Garbage may be collected in any thread, so it is
        replaced, never changed."""
        self.first: Optional[Session] = None
        """The session of the first list."""
        self._counts: dict[Session, int] = {}

    def count(self, session: Session, change: int) -> None:
        """Counts a list that it shows from now on (1), or no longer (-1)."""
        number = self._counts.get(session, 0) + change
        if number:
            self._counts[session] = number
        else:
            del self._counts[session]
        if len(self._counts) != len(self.parts):
            self.parts = tuple(self._counts)

    @property
    def _sessions(self) -> tuple[Session, ...]:
        return self.parts or (self._alone,)

    @property
    def types(self) -> ValueTypes:
        """The adapters and converters of the first list."""
        return (self.first or self._alone).types

    @types.setter
    def types(self, types: ValueTypes) -> None:
        """It has none of its own."""

    def enter(self, calls: Calls) -> None:
        """Makes a thread the one that makes the calls, if it may make those of all lists."""
        for session in self._sessions:
            if session._owner is not calls:
                session.enter(calls)
        self.free_waiting()

    def covers(self, session: Session) -> bool:
        """Whether a session is that of a list that it shows."""
        return self is session or any(each.covers(session) for each in self._sessions)

    @property
    def is_open(self) -> bool:
        """Whether one of the stores may still be open or in a call."""
        return any(part.is_open for part in self.parts)

    def free_later(self, free: Free, pointer: Any) -> None:
        """Frees a handle at the next call of one of the stores, or now if there may be none."""
        chosen = next((part for part in self.parts if part.is_open), self._sessions[0])
        chosen.free_later(free, pointer)

    def free_waiting(self) -> None:
        """Frees what waits in the sessions of the lists that it shows."""
        for session in self._sessions:
            session.free_waiting()


class Handle:
    """One native handle, freed by `close` or after its Python owner was collected."""

    __slots__ = ("_session", "_free", "_pointer", "_finalizer", "_noun", "__weakref__")

    def __init__(
        self,
        owner: object,
        session: Session,
        noun: str,
        pointer: Any,
        free: Free,
        lost: Optional[Callable[[Free, Any], None]] = None,
    ) -> None:
        """noun: what messages call it. lost: called with `free` and the pointer if the owner was
        dropped, not closed; None for `Session.free_later`."""
        self._session = session
        self._noun = noun
        self._pointer = pointer
        self._free = free
        self._finalizer = weakref.finalize(owner, lost or session.free_later, free, pointer)
        self._finalizer.atexit = False
        if lost is not None:
            _stores.add(self)

    @property
    def pointer(self) -> Any:
        """The native pointer. Raises ClosedError after `close`."""
        if not self._finalizer.alive:
            raise ClosedError(f"the {self._noun} is closed")
        return self._pointer

    @property
    def closed(self) -> bool:
        """Whether the handle was freed."""
        return not self._finalizer.alive

    def check(self) -> None:
        """Raises WrongThreadError if it is open and this thread may not close it."""
        if self._finalizer.alive:
            self._session.check()

    def close(self) -> None:
        """Frees the handle. A second call does nothing."""
        self.check()
        if self._finalizer.detach() is not None:
            self._session.call(self._free, self._pointer)

    def close_at_exit(self) -> None:
        """Closes a store at the end of the interpreter, unless a daemon may be about to use it."""
        if not self._session.ends_with_process and self._finalizer.detach() is not None:
            self._session.lose_store(self._free, self._pointer)


# The handles of stores, which are closed at the end of the interpreter. That frees all others.
_stores: weakref.WeakSet[Handle] = weakref.WeakSet()


@atexit.register
def _close_stores() -> None:
    for handle in list(_stores):
        handle.close_at_exit()
