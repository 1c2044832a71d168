"""What the tests of `fetchedresults.web` share: a client that calls the application as a server
does, and a list that follows its messages.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import unittest
from dataclasses import replace
from pathlib import Path
from typing import Any, Optional

from async_support import GENEROUS
from support import PACKAGE, StoreTestCase

from fetchedresults import ChangeKind, ChangeType, IndexPath, Request
from fetchedresults.records import Change
from fetchedresults.replay import replay_batch
from fetchedresults.web import Limits, ListRoute, LiveLists

HAS_SERVER = importlib.util.find_spec("uvicorn") is not None
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(PACKAGE / "src")}


def arguments(*more: str) -> list[str]:
    """The command that serves a table."""
    return [sys.executable, "-m", "fetchedresults.web", *more]


def serve(
    case: unittest.TestCase, path: Path, *more: str, port: int = 0, shell: tuple[str, ...] = ()
) -> tuple[subprocess.Popen[str], int]:
    """Serves a table until the end of a test, and returns the process and its port. shell: what
    starts the command.
    """
    server = subprocess.Popen(
        [*shell, *arguments(str(path), *more, "--port", str(port))],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    )

    def end() -> None:
        server.send_signal(signal.SIGINT)
        _, errors = server.communicate(timeout=GENEROUS)
        case.assertNotIn("Traceback", errors)

    case.addCleanup(end)
    line = server.stdout.readline()
    found = re.match(r"http://127\.0\.0\.1:(\d+)/ shows", line)
    case.assertTrue(found, line)
    return server, int(found[1])


class Client:
    """One request to an application. Use it with `async with`: its end disconnects the client."""

    def __init__(
        self,
        application: Any,
        path: str,
        query: str = "",
        *,
        stream: bool = True,
        last_id: Optional[str] = None,
        method: str = "GET",
        headers: tuple[tuple[str, str], ...] = (),
        **scope: Any,
    ) -> None:
        all_headers = [*headers, *([("accept", "text/event-stream")] if stream else [])]
        if last_id is not None:
            all_headers.append(("last-event-id", last_id))
        self._application = application
        self._scope = {
            "type": "http",
            "method": method,
            "path": path,
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in all_headers],
            **scope,
        }
        self._gone = asyncio.Event()
        self._messages: asyncio.Queue[Any] = asyncio.Queue()
        self.may_send = asyncio.Event()
        self.may_send.set()
        self.status = 0
        self.headers: dict[str, str] = {}
        self.is_over = False

    async def __aenter__(self) -> Client:
        self._task = asyncio.create_task(self._application(self._scope, self._receive, self._send))
        self._task.add_done_callback(lambda _: self._messages.put_nowait(None))
        start = await self._next()
        if start is None:
            await self._task
        self.status = start["status"]
        self.headers = {name.decode(): value.decode() for name, value in start["headers"]}
        return self

    async def __aexit__(self, *exception: Any) -> None:
        self._gone.set()
        self.may_send.set()
        await asyncio.wait_for(self._task, GENEROUS)

    async def _receive(self) -> dict[str, Any]:
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: dict[str, Any]) -> None:
        self._messages.put_nowait(message)
        await self.may_send.wait()

    async def _next(self) -> Any:
        return await asyncio.wait_for(self._messages.get(), GENEROUS)

    async def body(self) -> bytes:
        """The next part of the body; nothing at the end."""
        message = await self._next()
        if message is None or not message.get("more_body"):
            self.is_over = True
        return b"" if message is None else message["body"]

    async def event(self) -> dict[str, str]:
        """The fields of the next event, without heartbeats."""
        while True:
            text = (await self.body()).decode()
            if self.is_over:
                return {}
            if not text.startswith(":"):
                return dict(line.split(": ", 1) for line in text.splitlines() if line)


class Shown:
    """What a client shows: the sections as lists of titles, which follow the messages."""

    def __init__(self, client: Client, before: Optional[Shown] = None) -> None:
        self.client = client
        self.sections: list[list[Any]] = [] if before is None else before.sections
        self.names: list[Any] = [] if before is None else before.names
        self.place = (0, 0)
        self.id = ""
        self.records: list[Any] = []

    async def next(self) -> Shown:
        """Applies the next event."""
        event = await self.client.event()
        assert event, "the stream has ended"
        data = json.loads(event["data"])
        self.id, self.place = event["id"], (data["position"], data["count"])
        if event["event"] == "window":
            self.sections = [[row["values"] for row in each["rows"]] for each in data["sections"]]
            self.names = [each["section"]["name"] for each in data["sections"]]
        else:
            assert event["event"] == "changes", event
            self.records = data["changes"]
            self._apply()
        return self

    def _apply(self) -> None:
        """With the package's own replay, so that records mean what they mean everywhere."""
        changes = [_change(record) for record in self.records]
        records = dict(zip(map(id, changes), self.records))
        named = [[name] for name in self.names]
        self.sections = replay_batch(changes, self.sections, lambda change: records[id(change)]["row"]["values"])
        sections = [change for change in changes if change.kind is ChangeKind.SECTION]
        for change in [each for each in sections if each.type in (ChangeType.DELETE, ChangeType.MOVE)]:
            del named[change.old_path.section]
        for change in [each for each in sections if each.type is ChangeType.INSERT]:
            named.insert(change.new_path.section, [records[id(change)]["section"]["name"]])
        self.names = [name for (name,) in named]

    @property
    def titles(self) -> list[list[Any]]:
        return [[row["title"] for row in section] for section in self.sections]


def _change(record: dict[str, Any]) -> Change:
    old, new = (IndexPath(*record[name]) if name in record else None for name in ("old", "new"))
    kind, change_type = ChangeKind[record["kind"].upper()], ChangeType[record["type"].upper()]
    return Change(kind, change_type, old, new, 0, 0, None)


async def get(application: LiveLists, query: str = "", path: str = "/tasks", **options: Any) -> tuple[int, Any]:
    """The status and the JSON of a response."""
    async with Client(application, path, query, stream=False, **options) as client:
        body = await client.body()
        return client.status, json.loads(body) if body else None


SCHEMA = """
    CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT, due INT, done INT NOT NULL DEFAULT 0, owner TEXT, note);
    INSERT INTO tasks (title, due, done, owner) VALUES
        ('bread', 3, 0, 'ann'), ('call', 9, 0, 'ann'), ('milk', 1, 1, 'bob'), ('plants', 5, 1, 'ann');
"""
COLUMNS = ["title", "due"]
SECTIONED = Request("tasks", sort="title", section="done")
NEVER = 3600.0


class WebTestCase(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.path = self.folder() / "tasks.db"
        self.writer = sqlite3.connect(self.path, isolation_level=None)
        self.addCleanup(self.writer.close)
        self.writer.execute("PRAGMA journal_mode = wal")
        self.writer.executescript(SCHEMA)

    def application(self, request: Any = SECTIONED, columns: Any = COLUMNS, **options: Any) -> LiveLists:
        limits = replace(Limits(), **options.pop("limits", {}))
        route = ListRoute("tasks", request, columns, options.pop("parameters", None), **options)
        return LiveLists(self.path, [route], limits=limits)

    def rows(self, sql: str = "SELECT title, due FROM tasks ORDER BY done, title, id") -> list:
        return [dict(zip(COLUMNS, row)) for row in self.writer.execute(sql)]
