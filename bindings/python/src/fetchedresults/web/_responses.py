"""What an ASGI server and an application exchange."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any

Scope = MutableMapping[str, Any]
"""What an ASGI server passes with a request."""

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

Headers = Sequence[tuple[bytes, bytes]]


class Response:
    """The response to one request, which may be one for the headers alone."""

    def __init__(self, scope: Scope, send: Send) -> None:
        """send: what the server passed."""
        self._has_body = scope["method"] != "HEAD"
        self.send_message = send

    async def start(self, status: int, headers: Headers) -> None:
        """Sends what is before the body."""
        await self.send_message({"type": "http.response.start", "status": status, "headers": list(headers)})

    async def send(self, status: int, headers: Headers, body: bytes) -> None:
        """Sends all of it."""
        await self.start(status, [*headers, (b"content-length", str(len(body)).encode())])
        await self.send_message({"type": "http.response.body", "body": body if self._has_body else b""})


def header(scope: Scope, name: bytes) -> bytes:
    """The first header with a name; nothing if there is none."""
    value: bytes = next((value for each, value in scope["headers"] if each == name), b"")
    return value


def path_of(scope: Scope) -> str:
    """The path below the place that the application is mounted at."""
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", "")).strip("/")
