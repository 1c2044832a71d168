"""The ASGI application: `LiveLists`."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from dataclasses import replace
from importlib.resources import files
from typing import Optional, Union
from urllib.parse import parse_qsl

from .._paths import AnyPath
from ..errors import BusyError, ClosedError, FetchedResultsError, GoneError
from ..store import Store
from ._difference import difference
from ._lists import Lists
from ._places import place_of
from ._responses import Receive, Response, Scope, Send, header, path_of
from ._states import prints_of_id, text_of
from ._streams import Stream
from ._windows import SharedWindow, changes_message, message
from .limits import Limits, WebCounters
from .parameters import Refused, integer
from .routes import ListRoute

log = logging.getLogger("fetchedresults.web")

_SCRIPT = "fetchedresults.js"
_HEADERS = [(b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff")]
_JSON = [*_HEADERS, (b"content-type", b"application/json"), (b"vary", b"accept")]
# The last one stops nginx from collecting the messages.
_EVENTS = [*_HEADERS, (b"content-type", b"text/event-stream"), (b"vary", b"accept"), (b"x-accel-buffering", b"no")]
_MORE_HEADERS = {405: [(b"allow", b"GET, HEAD")], 503: [(b"retry-after", b"5")]}
_SCRIPT_HEADERS = [(b"cache-control", b"no-cache"), (b"content-type", b"text/javascript; charset=utf-8")]

Database = Union[AnyPath, Store, Callable[[], Store]]
"""A file, which is opened for reading only and left as it is; or a store; or a function that opens
a store.
"""


class LiveLists:
    """An ASGI application that serves windows of lists, and their changes. docs/web.md describes
    the requests and responses.

    It is run by itself, or mounted into another application. One store serves all clients of a
    process. It belongs to the thread of the event loop, and the application dispatches it there.

    >>> from fetchedresults import Request
    >>> from fetchedresults.web import ListRoute, LiveLists
    >>> route = ListRoute("tasks", Request("tasks", sort="title"), ["title", "due"])
    >>> application = LiveLists("tasks.db", [route])
    """

    def __init__(self, database: Database, routes: Iterable[ListRoute], *, limits: Optional[Limits] = None) -> None:
        """
        Args:
            database: what to serve. A file, or the store that a function returns, is opened at the
                first request, and closed by `close`. A store that is passed must be one of the
                loop's thread, and the program closes it.
            routes: the lists that clients may follow.
            limits: what clients may use.
        """
        self._database = database
        self._routes = {route.name: route for route in routes}
        self._limits = Limits() if limits is None else limits
        self._counters = WebCounters()
        self._lists: Optional[Lists] = None
        self._streams: set[Stream] = set()
        self._beats: Optional[asyncio.TimerHandle] = None

    @property
    def counters(self) -> WebCounters:
        """What it serves now, and has served."""
        return replace(self._counters)

    def close(self) -> None:
        """Ends all streams, and closes lists and store. The next request opens them again. Call it
        in the loop's thread. It is called when the server ends, unless the application is mounted
        into another one.
        """
        if self._lists is not None:
            self._lists.close()
            self._lists = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """What an ASGI server calls."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close"})
        elif scope["type"] == "http":
            await self._respond(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            event = await receive()
            await send({"type": f"{event['type']}.complete"})
            if event["type"] == "lifespan.shutdown":
                self.close()
                return

    async def _respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = Response(scope, send)
        try:
            await self._serve(scope, receive, response)
        except Refused as error:
            await self._refuse(response, error.status, error.reason)
        except (BusyError, ClosedError, GoneError):
            await self._refuse(response, 503, "the list can't be read at the moment, try again later")
        except FetchedResultsError as error:
            log.error("a list can't be read", exc_info=error)
            await self._refuse(response, 500, "the list can't be read")

    async def _refuse(self, response: Response, status: int, reason: str) -> None:
        self._counters.refused += 1
        await response.send(status, [*_JSON, *_MORE_HEADERS.get(status, ())], text_of({"error": reason}).encode())

    async def _serve(self, scope: Scope, receive: Receive, response: Response) -> None:
        name = path_of(scope)
        if scope["method"] not in ("GET", "HEAD"):
            raise Refused("only GET and HEAD are possible", 405)
        if name == _SCRIPT:
            await response.send(200, _SCRIPT_HEADERS, files("fetchedresults.web").joinpath(name).read_bytes())
            return
        route = self._routes.get(name)
        if route is None:
            raise Refused("there is no such list", 404)
        await route.check(scope)
        await self._serve_list(route, scope, receive, response)

    async def _serve_list(self, route: ListRoute, scope: Scope, receive: Receive, response: Response) -> None:
        texts, ats = self._parameters(scope)
        places = [place_of(text) for text in ats or ["start"]]
        most = self._limits.rows - 1
        before = integer("before", texts.pop("before", "0"), 0, most)
        after = integer("after", texts.pop("after", "50"), 0, most)
        if before + after > most:
            raise Refused(f"a window has {self._limits.rows} rows at most: the row at its place, before and after")
        request = route.request_of(texts, scope)
        is_stream = b"text/event-stream" in header(scope, b"accept") and scope["method"] == "GET"
        lists = self._opened()
        used = await lists.enter(route, request)
        try:
            with used.window(places, before, after) as window:
                if is_stream:
                    await self._stream(window, scope, receive, response)
                else:
                    await response.send(200, _JSON, window.state.text.encode())
        finally:
            lists.leave(used)

    def _parameters(self, scope: Scope) -> tuple[dict[str, str], list[str]]:
        """The parameters that a client has sent, and its places."""
        query = scope["query_string"]
        if len(query) > self._limits.query:
            raise Refused(f"a query has {self._limits.query} bytes at most", 414)
        try:
            pairs = parse_qsl(query.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=100)
        except ValueError:
            raise Refused("the query must be percent-encoded UTF-8 of 100 parameters at most") from None
        texts = {name: text for name, text in pairs if name != "at"}
        ats = [text for name, text in pairs if name == "at"]
        if len(texts) + len(ats) < len(pairs):
            raise Refused("only at can be repeated")
        return texts, ats

    def _opened(self) -> Lists:
        if self._lists is None or self._lists.closed:
            database = self._database
            if isinstance(database, Store):
                store = database
                if store.closed:
                    raise Refused("the database is closed", 503)
            elif callable(database):
                store = database()
            else:
                store = Store(database, read_only=True)
            self._lists = Lists(store, store is not database, self._limits, self._counters)
        elif self._lists.loop is not asyncio.get_running_loop():
            raise RuntimeError("the application is used in another event loop: call its close() there")
        return self._lists

    # Streams

    async def _stream(self, window: SharedWindow, scope: Scope, receive: Receive, response: Response) -> None:
        if len(self._streams) >= self._limits.clients:
            raise Refused("too many clients, try again later", 503)
        first = self._first_message(window, header(scope, b"last-event-id"))
        stream = Stream(window, self._limits, self._counters, response.send_message)
        self._streams.add(stream)
        self._counters.clients += 1
        self._beat_later()
        try:
            await response.start(200, _EVENTS)
            await stream.run(receive, first)
        finally:
            stream.close()
            self._streams.discard(stream)
            self._counters.clients -= 1

    def _first_message(self, window: SharedWindow, event_id: bytes) -> bytes:
        """What brings a client to the state of a window: all of it, or the difference to what the
        client shows.
        """
        state = window.state
        shown = None
        if event_id and len(event_id) <= self._limits.query:
            shown = prints_of_id(event_id.decode("latin-1"))
        if shown is None:
            self._counters.messages += 1
            return message("window", state.text, state)
        self._counters.resumes += 1
        records = difference(shown, state)
        if not records and shown[:2] == state[:2]:
            return b":\n\n"
        self._counters.messages += 1
        self._counters.differences += 1
        return changes_message(records, state)

    def _beat_later(self) -> None:
        if self._beats is None and self._streams:
            interval = min(self._limits.heartbeat, self._limits.send_timeout, self._limits.lifetime) / 2
            self._beats = asyncio.get_running_loop().call_later(interval, self._beat)

    def _beat(self) -> None:
        self._beats = None
        for stream in self._streams:
            stream.beat()
        self._beat_later()
