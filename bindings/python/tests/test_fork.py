"""Processes that are forked while stores are open."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import tempfile
import unittest
from pathlib import Path
from typing import Any, Callable

from fetchedresults import MisuseError, Store

LIMIT = 60.0
"""How many seconds a child may take, which has nothing to wait for."""


def _report(queue: Any, body: Callable[[], str]) -> None:
    try:
        queue.put(body())
    except BaseException as error:
        queue.put(repr(error))
        raise


@unittest.skipUnless("fork" in multiprocessing.get_all_start_methods(), "the system can't fork")
class ForkTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = str(Path(folder.name, "app.db"))
        self.store = Store(self.path)
        self.addCleanup(self.store.close)
        self.store.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)")
        self.store.executemany("INSERT INTO t (name) VALUES (?)", [["a"], ["b"]])
        self.list = self.store.fetch("t")
        self.store.fileno()

    def in_child(self, body: Callable[[], str]) -> str:
        """What `body` returns in a process that multiprocessing forks."""
        context = multiprocessing.get_context("fork")
        queue = context.SimpleQueue()
        child = context.Process(target=_report, args=(queue, body))
        child.start()
        child.join(LIMIT)
        self.assertEqual(child.exitcode, 0)
        return str(queue.get())

    def test_a_child_can_only_close_the_store(self) -> None:
        row = self.list[0, 0]
        calls: dict[str, Callable[[], object]] = {
            "dispatch": self.store.dispatch,
            "execute": lambda: self.store.execute("DELETE FROM t"),
            "fetch": lambda: self.store.fetch("t"),
            "read": lambda: self.list.count,
            "perform_fetch": self.list.perform_fetch,
        }

        def body() -> str:
            for name, call in calls.items():
                try:
                    call()
                except MisuseError:
                    continue
                return f"{name} did not raise"
            self.store.close()
            return str(row.name)

        self.assertEqual(self.in_child(body), "a")
        self.assertEqual(self.list.count, 2)
        with sqlite3.connect(self.path) as other:
            other.execute("DELETE FROM t WHERE id = 1")
        other.close()
        self.store.wait(timeout=10)
        self.assertEqual([each.name for section in self.list for each in section], ["b"])

    def test_a_child_that_ends_without_closing_harms_nothing(self) -> None:
        self.assertEqual(self.in_child(lambda: str(os.getpid() > 0)), "True")
        self.store.execute("DELETE FROM t")
        self.assertEqual(self.list.count, 0)

    def test_a_child_can_open_a_store(self) -> None:
        def body() -> str:
            with Store() as store:
                store.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)")
                items = store.fetch("t")
                store.execute("INSERT INTO t VALUES (7)")
                return str(items.count)

        self.assertEqual(self.in_child(body), "1")


if __name__ == "__main__":
    unittest.main()
