"""What the tests of asynchronous iterators share."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, Optional

from support import SCHEMA, StoreTestCase

from fetchedresults import ChangeSet, Controller, LiveList, Store

GENEROUS = 30.0
"""How many seconds anything may take, on the busiest of machines."""

WRITER = "import sqlite3, sys; db = sqlite3.connect(sys.argv[1], timeout=30); db.execute(sys.argv[2]); db.commit()"


def run(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Runs a test in a loop of its own, which must not hang."""
    return asyncio.run(asyncio.wait_for(coroutine, GENEROUS))


def readers() -> list:
    """The descriptors that the running loop reads, but for its own."""
    loop = asyncio.get_running_loop()
    return [key.fd for key in loop._selector.get_map().values() if key.fd != loop._ssock.fileno()]


def descriptors() -> int:
    """How many descriptors the process has."""
    return len(os.listdir("/proc/self/fd"))


def added(changes: ChangeSet) -> list:
    """The names of the objects that were delivered."""
    return [change.object["name"] for change in changes.inserts]


async def write_elsewhere(path: Path, sql: str) -> None:
    """Makes another process commit."""
    writer = await asyncio.create_subprocess_exec(sys.executable, "-c", WRITER, str(path), sql)
    assert await writer.wait() == 0


class AsyncTestCase(StoreTestCase):
    def items(self, store: Optional[Store] = None) -> Controller:
        return (store or self.store).fetch("items", sort="name")

    def open_file(self, name: str = "items.db", **options: object) -> tuple[Path, Store]:
        path = self.folder() / name
        store = self.open(path, **options)
        store.executescript(SCHEMA)
        store.dispatch()
        return path, store

    def assert_ended(self, live_list: LiveList) -> None:
        """Nothing is left of the iterators of a list."""
        self.assertEqual((live_list._receivers, live_list._queues), ({}, set()))
