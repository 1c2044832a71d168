"""The store of an application, and the lists that clients use at the moment."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Any, Optional

from .._loop_reader import Loop, LoopReader
from ..changes import ChangeSet
from ..controller import Controller
from ..errors import FetchedResultsError
from ..live_list import LiveList
from ..observing import Observer
from ..request import AnyRequest
from ..store import Store
from ._places import Place, first_place
from ._windows import SharedWindow
from .limits import Limits, WebCounters
from .parameters import Refused
from .routes import ListRoute

log = logging.getLogger("fetchedresults.web")

_REFRESH = 1.0
"""How many seconds a window waits to send its position if its rows have not changed."""
_RETRY = 1.0
"""How many seconds pass before a store that could not deliver is tried again."""


class OpenList(Observer):
    """A list that clients use, with its windows."""

    def __init__(self, lists: Lists, key: Any, controller: Controller, columns: Sequence[str]) -> None:
        """Begins to read the list in the background."""
        self._lists = lists
        self.key = key
        self.controller = controller
        self.columns = columns
        self._windows: set[SharedWindow] = set()
        self._by_key: dict[Any, SharedWindow] = {}
        self._loop = asyncio.get_running_loop()
        self._refresh: Optional[asyncio.TimerHandle] = None
        self.users = 0
        self.unused_since = 0.0
        self.fetched: asyncio.Future[None] = self._loop.create_future()
        # Perhaps nobody waits for the error any more.
        self.fetched.add_done_callback(lambda future: future.cancelled() or future.exception())
        controller.perform_fetch_async(self._end_fetch)

    def _end_fetch(self, error: Optional[FetchedResultsError]) -> None:
        if self.fetched.done():
            return
        if error is None:
            self.controller.add_observer(self)
            self.fetched.set_result(None)
        else:
            self.fetched.set_exception(error)

    def window(self, places: Sequence[Place], before: int, after: int) -> SharedWindow:
        """The window at the first of these places that the list has."""
        anchor = first_place(self.controller, places)
        found = self._by_key.get((anchor, before, after))
        if found is None or not found.is_in_place:
            found = SharedWindow(self, anchor, before, after)
            self._by_key[found.key] = found
            self._windows.add(found)
            self._lists.counters.windows += 1
        return found

    def window_ended(self, window: SharedWindow) -> None:
        """Discards a window that no client uses."""
        self._lists.counters.windows -= 1
        self._windows.discard(window)
        if self._by_key.get(window.key) is window:
            del self._by_key[window.key]

    def close(self) -> None:
        """Ends the list and the streams of its clients."""
        if self._refresh is not None:
            self._refresh.cancel()
        if not self.fetched.done():
            self.fetched.set_exception(Refused("the list was closed, try again", 503))
        for window in self._windows:
            window.end()
        self.controller.close()

    def did_deliver(self, controller: LiveList, changes: ChangeSet) -> None:
        """Other windows than those that have changed may have another position."""
        self.refresh_soon()

    def did_fail(self, controller: LiveList, error: FetchedResultsError) -> None:
        """The list could not be brought up to date."""
        log.error("a list could not be brought up to date", exc_info=error)
        self.report_failure()

    def report_failure(self) -> None:
        """Notifies all clients that what they show may be out of date."""
        for window in self._windows:
            window.report_failure()

    def refresh_soon(self) -> None:
        """Makes windows send positions that have changed, once for many changes."""
        if self._refresh is None:
            self._refresh = self._loop.call_later(_REFRESH, self._refresh_windows)

    def _refresh_windows(self) -> None:
        self._refresh = None
        for window in self._windows:
            window.refresh()


class Lists:
    """The store and its lists, by route and request. It dispatches the store in the loop."""

    def __init__(self, store: Store, is_own: bool, limits: Limits, counters: WebCounters) -> None:
        """is_own: whether to close the store at the end."""
        self._store = store
        self._is_own = is_own
        self._limits = limits
        self.counters = counters
        self._open: dict[Any, OpenList] = {}
        self._timers: dict[Callable[[], None], asyncio.TimerHandle] = {}
        self.error_count = 0
        self.closed = False
        self.loop = asyncio.get_running_loop()
        self._reader = LoopReader.join(Loop(), store, self)

    async def enter(self, route: ListRoute, request: AnyRequest) -> OpenList:
        """The list of a request, when it is read; `leave` ends the use. Raises `Refused`."""
        key = route.name, request
        found = self._open.get(key)
        if found is None:
            self._make_room()
            found = self._open[key] = OpenList(self, key, self._store.controller(request), route.columns)
            self.counters.lists += 1
        found.users += 1
        try:
            await asyncio.shield(found.fetched)
        except BaseException as error:
            self.leave(found)
            if isinstance(error, FetchedResultsError):
                self._close(found)
            raise
        return found

    def leave(self, used: OpenList) -> None:
        """Ends one use of a list, which is closed some time after the last one."""
        used.users -= 1
        if not used.users and not self.closed:
            used.unused_since = self.loop.time()
            self._call_later(self._limits.kept, self._expire)

    def _expire(self) -> None:
        unused = [each for each in self._open.values() if not each.users]
        oldest = self.loop.time() - self._limits.kept
        for each in unused:
            if each.unused_since <= oldest:
                self._close(each)
        left = [each.unused_since for each in unused if each.unused_since > oldest]
        if left:
            self._call_later(min(left) - oldest, self._expire)

    def _make_room(self) -> None:
        if len(self._open) >= self._limits.lists:
            unused = [each for each in self._open.values() if not each.users]
            if not unused:
                raise Refused("too many different lists are in use, try again later", 503)
            self._close(min(unused, key=lambda each: each.unused_since))

    def _close(self, used: OpenList) -> None:
        if self._open.get(used.key) is used:
            del self._open[used.key]
            self.counters.lists -= 1
            used.close()

    def _call_later(self, delay: float, function: Callable[[], None]) -> None:
        """Calls a function once, unless it will be called already."""

        def call() -> None:
            del self._timers[function]
            function()

        if function not in self._timers:
            self._timers[function] = self.loop.call_later(delay, call)

    # Dispatching

    def fail(self, error: FetchedResultsError) -> None:
        """The store could not deliver. It is tried again."""
        self.error_count += 1
        log.error("the store could not deliver changes", exc_info=error)
        for each in self._open.values():
            each.report_failure()
        self._call_later(_RETRY, self._reader.resume)

    def store_closed(self) -> None:
        """The store was closed, and its lists with it."""
        self.close()

    def close(self) -> None:
        """Ends all lists and streams. A second call does nothing."""
        if self.closed:
            return
        self.closed = True
        for timer in self._timers.values():
            timer.cancel()
        for each in list(self._open.values()):
            self._close(each)
        self._reader.leave(self)
        if self._is_own:
            self._store.close()
