"""Streams: the responses that clients read the changes of a window from."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from contextlib import suppress
from typing import Optional

from ._difference import difference
from ._responses import Receive, Send
from ._states import State
from ._windows import SharedWindow, changes_message
from .limits import Limits, WebCounters

_LAST_SECONDS = 1.0
"""How long the end of a response may take when the server ends."""


class Stream:
    """What one client receives. Few messages wait for it; if there are more, one message with the
    difference replaces them.
    """

    def __init__(self, window: SharedWindow, limits: Limits, counters: WebCounters, send: Send) -> None:
        """Collects messages from now on, until `close`."""
        self._window = window
        self._limits = limits
        self._counters = counters
        self._send = send
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[tuple[bytes, State]] = deque()
        self._waiter: Optional[asyncio.Future[None]] = None
        self._is_behind = False
        self._beats = False
        self._is_over = False
        # The state that the client shows once it has read what was sent.
        self._shown = window.state
        self._sending_since: Optional[float] = None
        self._last_sent = self._loop.time()
        # Clients that have connected together do not connect again together.
        self._end_at = self._last_sent + limits.lifetime * random.uniform(0.9, 1)
        self._sender: Optional[asyncio.Task[None]] = None
        window.add(self)

    async def run(self, receive: Receive, first: bytes) -> None:
        """Sends until the client is gone, the stream's time is over, or the window ends.

        first: sent before all later changes.
        """
        self._sender = asyncio.create_task(self._send_all(first))
        listener = asyncio.create_task(_gone(receive))
        is_cancelled = False
        try:
            await asyncio.wait((self._sender, listener), return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            # A server that ends cancels what still runs. The response ends as others do.
            is_cancelled = self._sending_since is None
        finally:
            self._sender.cancel()
            listener.cancel()
        # A server may raise an OSError where the client is gone.
        with suppress(asyncio.CancelledError, OSError):
            await self._sender
        if is_cancelled:
            with suppress(asyncio.TimeoutError, OSError):
                await asyncio.wait_for(self._end_response(), _LAST_SECONDS)

    def close(self) -> None:
        """Stops collecting."""
        self._window.discard(self)

    def push(self, text: bytes, state: State) -> None:
        """Sends a message after those that wait, or the difference in place of all of them."""
        if self._is_behind:
            return
        if len(self._waiting) < self._limits.waiting:
            self._waiting.append((text, state))
        else:
            self._waiting.clear()
            self._is_behind = True
        self._wake()

    def end(self) -> None:
        """Ends the response after what waits."""
        self._is_over = True
        self._wake()

    def beat(self) -> None:
        """Called at intervals: sends a heartbeat, ends the stream, or disconnects the client, if it
        is time to.
        """
        now = self._loop.time()
        if self._sending_since is not None:
            if now - self._sending_since > self._limits.send_timeout and self._sender is not None:
                self._counters.disconnected += 1
                self._sender.cancel()
        elif now >= self._end_at:
            self.end()
        elif now - self._last_sent >= self._limits.heartbeat:
            self._beats = True
            self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def _send_all(self, first: bytes) -> None:
        await self._body(first)
        while True:
            if self._waiting:
                text, self._shown = self._waiting.popleft()
                self._counters.messages += 1
                await self._body(text)
            elif self._is_behind:
                await self._catch_up()
            elif self._is_over:
                await self._end_response()
                return
            elif self._beats:
                await self._body(b":\n\n")
            else:
                self._waiter = self._loop.create_future()
                await self._waiter

    async def _end_response(self) -> None:
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _catch_up(self) -> None:
        self._is_behind = False
        before, self._shown = self._shown, self._window.state
        self._counters.messages += 1
        self._counters.differences += 1
        records = difference(before.prints, self._shown)
        await self._body(changes_message(records, self._shown))

    async def _body(self, body: bytes) -> None:
        self._beats = False
        self._sending_since = self._loop.time()
        await self._send({"type": "http.response.body", "body": body, "more_body": True})
        self._sending_since = None
        self._last_sent = self._loop.time()


async def _gone(receive: Receive) -> None:
    """Waits until the client has disconnected."""
    while (await receive())["type"] != "http.disconnect":
        pass
