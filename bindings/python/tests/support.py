"""What the tests share: a schema, lists of values, and observers that record their calls."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest
import warnings
from pathlib import Path

from fetchedresults import Observer, Store, live_handles

CHECKOUT = Path(__file__).resolve().parents[3]
HEADERS = CHECKOUT / "include"
PACKAGE = Path(__file__).resolve().parents[1]

SCHEMA = """
    CREATE TABLE lists (id INTEGER PRIMARY KEY, title TEXT NOT NULL, position INTEGER);
    CREATE TABLE items (
        id INTEGER PRIMARY KEY,
        name TEXT,
        rank REAL,
        list_id INTEGER REFERENCES lists (id) ON DELETE CASCADE
    );
"""


class StoreTestCase(unittest.TestCase):
    """Tests with a store in memory that has the schema and three items: bread, apple and cider."""

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        # Tests drop their lists when they end.
        warnings.filterwarnings("ignore", ".* that was dropped", ResourceWarning)
        gc.collect()
        cls.handles_before = live_handles()

    @classmethod
    def tearDownClass(cls) -> None:
        """Whatever the tests made was closed or collected."""
        super().tearDownClass()
        gc.collect()
        before = cls.handles_before
        left = {kind.name: count - before[kind] for kind, count in live_handles().items() if count > before[kind]}
        assert not left, f"handles that were not freed: {left}"

    def setUp(self) -> None:
        self.store = self.open()
        self.store.executescript(SCHEMA)
        self.store.executemany("INSERT INTO lists VALUES (?, ?, ?)", [(1, "Shop", 2), (2, "Home", 1)])
        self.store.executemany(
            "INSERT INTO items VALUES (?, ?, ?, ?)",
            [(1, "bread", 2.0, 1), (2, "apple", 1.0, 1), (3, "cider", 3.0, 2)],
        )

    def open(self, path: object = ":memory:", **options: object) -> Store:
        store = Store(path, **options)
        self.addCleanup(store.close)
        return store

    def folder(self) -> Path:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return Path(folder.name)


def names(controller) -> list:
    """The names of the objects, section by section."""
    return [[item["name"] for item in section] for section in controller]


def identities(controller) -> list:
    """The identities of the objects, section by section."""
    return [[item.identity for item in section] for section in controller]


def contexts(error: BaseException) -> list:
    """An error and those that it was raised after, the last first."""
    chain = []
    while error is not None:
        chain.append(error)
        error = error.__context__
    return chain


class Recorder(Observer):
    """Records all calls of a delegate."""

    def __init__(self) -> None:
        self.events: list = []

    def will_change(self, controller) -> None:
        self.events.append(("will", names(controller)))

    def section_changed(self, controller, section, change) -> None:
        self.events.append(("section", change.type.name, section.name, section.count))

    def object_changed(self, controller, object, change) -> None:
        name = None if object is None else object["name"]
        self.events.append(("object", change.type.name, name, change.old_path, change.new_path))

    def did_deliver(self, controller, changes) -> None:
        self.events.append(("changes", len(changes)))

    def did_change(self, controller) -> None:
        self.events.append(("did", names(controller)))

    def did_fail(self, controller, error) -> None:
        self.events.append(("failed", type(error).__name__))


def run_python(program: str, **environment: str) -> subprocess.CompletedProcess:
    """Runs a program in a process of its own, where it may end as it likes. One that hangs prints
    where.
    """
    watch = "import faulthandler; faulthandler.dump_traceback_later(50, exit=True)\n"
    path = os.pathsep.join([str(PACKAGE / "src"), str(PACKAGE / "tests")])
    return subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", watch + textwrap.dedent(program)],
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )
