"""The server of the one-line command."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from email.utils import formatdate
from types import FrameType
from typing import Any, Optional

import uvicorn

from ._responses import Message, Receive, Scope, Send


class Server(uvicorn.Server):
    """uvicorn, which sleeps while nothing happens. By itself it wakes ten times a second, to look
    whether a signal has arrived and to set the date of responses. Here the signal wakes it, and
    each response gets its own date.
    """

    def __init__(self, application: Any, started: Callable[[], None], close: Callable[[], None]) -> None:
        """started: the server listens, and a signal ends it. close: ends all streams of the
        application. The server waits for their end, for a second at most.
        """

        async def dated(scope: Scope, receive: Receive, send: Send) -> None:
            async def send_dated(message: Message) -> None:
                if message["type"] == "http.response.start":
                    message["headers"] = [*message["headers"], (b"date", formatdate(usegmt=True).encode())]
                await send(message)

            await application(scope, receive, send_dated)

        super().__init__(
            uvicorn.Config(
                dated, interface="asgi3", date_header=False, log_level="warning", timeout_graceful_shutdown=1
            )
        )
        self._started = started
        self._close = close
        self._end: Optional[asyncio.Future[None]] = None

    async def main_loop(self) -> None:
        """Says that it has started, and waits for the end."""
        self._started()
        self._end = asyncio.get_running_loop().create_future()
        if not await self.on_tick(0):
            await asyncio.wait((self._end,))

    def handle_exit(self, sig: int, frame: Optional[FrameType]) -> None:
        """Ends the server; a second signal does so without waiting for responses."""
        super().handle_exit(sig, frame)
        if self._end is not None:
            self._end.get_loop().call_soon_threadsafe(self._end.cancel)

    async def shutdown(self, sockets: Optional[list[socket.socket]] = None) -> None:
        """Ends all streams, and then the server."""
        self._close()
        await super().shutdown(sockets)
