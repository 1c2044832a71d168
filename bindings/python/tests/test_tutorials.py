"""The programs of docs/tutorials that other tests do not run."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any

from async_support import run
from support import PACKAGE, StoreTestCase
from web_support import Client, Shown

from fetchedresults import Store

LIMIT = 60


def start(name: str, *arguments: object, **options: object) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, str(PACKAGE / "examples" / name), *map(str, arguments)], text=True, **options
    )


@unittest.skipUnless(importlib.util.find_spec("PySide6"), "PySide6 is not installed")
class FolderWindow(unittest.TestCase):
    """folder_daemon.py writes what folder_window.py shows."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = Path(folder.name, "top")
        self.database = Path(folder.name, "files.db")
        self.new = Path(folder.name, "new")
        (self.top / "music").mkdir(parents=True)

    def write(self, path: str, size: int) -> None:
        """Puts a file into the folder, whole."""
        self.new.write_bytes(bytes(size))
        os.replace(self.new, self.top / path)

    def wait_for_rows(self, count: int) -> None:
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            if self.database.exists():
                database = sqlite3.connect(self.database, timeout=LIMIT)
                try:
                    if database.execute("SELECT count(*) FROM files").fetchone() == (count,):
                        return
                except sqlite3.OperationalError:
                    pass  # no table yet
                finally:
                    database.close()
            time.sleep(0.01)
        self.fail(f"the daemon does not write {count} rows")

    def test_follows_the_daemon(self):
        self.write("a.txt", 5)
        self.write("music/b.ogg", 2_500_000)
        self.write("music/c.ogg", 1_000)
        daemon = start("folder_daemon.py", self.top, self.database, 0.02)
        self.addCleanup(daemon.wait, LIMIT)
        self.addCleanup(daemon.terminate)
        self.wait_for_rows(3)
        window = start("folder_window.py", self.database, "--print", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            printed = [window.stdout.readline()]
            for change in (
                lambda: self.write("music/c.ogg", 3_000_000),
                lambda: self.write("d.txt", 7),
                lambda: (self.top / "music" / "b.ogg").unlink(),
            ):
                change()
                printed.append(window.stdout.readline())
        finally:
            rest, _ = window.communicate(timeout=LIMIT)
        self.assertEqual((window.returncode, rest), (0, ""))
        self.assertEqual(
            printed,
            [
                ". (1): a.txt 5 bytes; music (2): b.ogg 2.5 MB, c.ogg 1 KB | 3 files\n",
                ". (1): a.txt 5 bytes; music (2): c.ogg 3 MB, b.ogg 2.5 MB | 3 files; 0 new, 0 deleted, 1 changed\n",
                ". (2): d.txt 7 bytes, a.txt 5 bytes; music (2): c.ogg 3 MB, b.ogg 2.5 MB"
                " | 4 files; 1 new, 0 deleted, 0 changed\n",
                ". (2): d.txt 7 bytes, a.txt 5 bytes; music (1): c.ogg 3 MB | 3 files; 0 new, 1 deleted, 0 changed\n",
            ],
        )


def example(name: str) -> Any:
    """The module of an example."""
    specification = importlib.util.spec_from_file_location(name, PACKAGE / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@unittest.skipUnless(importlib.util.find_spec("PySide6"), "PySide6 is not installed")
class PageBesideWindow(StoreTestCase):
    """to_do_page.py and qt_list.py show the tasks of one file."""

    def setUp(self) -> None:
        super().setUp()
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        from PySide6.QtWidgets import QApplication

        self.application = QApplication.instance() or QApplication([])
        self.path = self.folder() / "tasks.db"
        self.page = example("to_do_page").open_page(self.path)
        self.addCleanup(self.page.store.close)
        store = Store(self.path)
        self.addCleanup(store.close)
        self.window = example("qt_list").Window(store)
        self.addCleanup(self.window.tasks.close)
        self.addCleanup(self.window.end)
        self.window.show()
        self.application.processEvents()

    async def post(self, action: str, query: str, *headers: tuple[str, str], method: str = "POST") -> tuple[int, bytes]:
        headers = headers or (("x-to-do", "1"),)
        async with Client(self.page, action, query, stream=False, method=method, headers=headers) as client:
            return client.status, await client.body()

    async def window_shows(self, expected: list) -> None:
        model = self.window.model
        while True:
            self.application.processEvents()
            sections = [model.index(row, 0) for row in range(model.rowCount())]
            shown = [
                [each.data(), *(model.index(row, 0, each).data() for row in range(model.rowCount(each)))]
                for each in sections
            ]
            if shown == expected:
                return
            await asyncio.sleep(0.01)

    def test_each_shows_what_the_other_writes(self):
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest

        async def test() -> None:
            async with Client(self.page, "/", stream=False) as client:
                self.assertIn(b"<fr-list", await client.body())
            async with Client(self.page, "/lists/tasks") as client:
                shown = await Shown(client).next()
                self.assertEqual(await self.post("/add", "title=Buy+milk"), (204, b""))
                self.assertEqual((await shown.next()).titles, [["Buy milk"]])
                await self.window_shows([["To do (1)", "Buy milk"]])

                QTest.keyClicks(self.window.line, "Bake bread")
                QTest.keyClick(self.window.line, Qt.Key.Key_Return)
                self.assertEqual((await shown.next()).titles, [["Bake bread", "Buy milk"]])

                await self.post("/toggle", "id=1")
                self.assertEqual((await shown.next()).titles, [["Bake bread"], ["Buy milk"]])
                self.assertEqual(shown.names, ["To do", "Done"])
                await self.window_shows([["To do (1)", "Bake bread"], ["Done (1)", "Buy milk"]])

                QTest.keyClick(self.window.tree, Qt.Key.Key_Delete)
                self.assertEqual((await shown.next()).titles, [["Buy milk"]])
                await self.post("/delete", "id=1")
                self.assertEqual((await shown.next()).titles, [])
                await self.window_shows([])
            self.page.lists.close()

        run(test())

    def test_what_can_not_be_written_has_a_reason(self):
        async def test() -> None:
            self.assertEqual((await self.post("/add", "title="))[0], 400)
            self.assertEqual(await self.post("/toggle", "title=x"), (400, b"id is missing"))
            self.assertEqual((await self.post("/add", "title=x", ("x-other", "1")))[0], 403)
            self.assertEqual((await self.post("/add", "title=x", method="GET"))[0], 403)
            self.assertEqual((await self.post("/other", "title=x"))[0], 404)
            other = sqlite3.connect(self.path, isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            self.assertEqual((await self.post("/add", "title=x"))[0], 503)
            other.close()
            self.assertEqual((await self.post("/add", "title=x"))[0], 204)

        run(test())


# In place of the driver: it refuses what a server would refuse, trims titles, and writes the file
# as frmirror does.
STAND_IN = """
import os, sqlite3

class Error(Exception): pass

class connect:
    def __init__(self, conninfo):
        self.database = sqlite3.connect(conninfo, timeout=60)
    def __enter__(self):
        return self
    def __exit__(self, *error):
        self.database.commit()
        self.database.close()
    def execute(self, sql, parameters):
        value, identity = parameters
        if value == "":
            raise Error("a title is needed")
        value = value.strip() if isinstance(value, str) else value
        return self.database.execute(sql.replace("%s", "?"), (value, identity))
"""

# Run in the window's process: each step waits for what it expects.
DRIVER = """
import sys, time
sys.path[:0] = [EXAMPLES, STAND_IN_FOLDER]
from server_window import *

application = QApplication([])
store = Store(FILE, read_only=True)
server = Server(FILE)
window = Window(store, server)
dispatcher = Dispatcher(store)
messages = []
window.model_of_tasks.errorOccurred.disconnect()
window.model_of_tasks.errorOccurred.connect(lambda message, error: messages.append(message))
window.show()

def wait(is_right):
    end = time.monotonic() + 60
    while not is_right():
        assert time.monotonic() < end, "nothing happens"
        application.processEvents()
        time.sleep(0.001)

def edit(identity, value, role=2):
    assert window.model_of_tasks.setData(window.model_of_tasks.index_of(identity), value, role)
    cell = window.model_of_tasks.index_of(identity)
    print(cell.data(), cell.data(ListModel.PendingRole))

def is_settled(identity):
    return not window.model_of_tasks.index_of(identity).data(ListModel.PendingRole)

edit(1, " Call Ada ")
wait(lambda: is_settled(1))
print(window.model_of_tasks.index_of(1).data())
edit(1, "")
wait(lambda: messages)
print(messages, window.model_of_tasks.index_of(1).data())
edit(2, 2, 10)
wait(lambda: is_settled(2))
print(store.get("tasks", 2).done)
server.close()
dispatcher.close()
store.close()
"""


@unittest.skipUnless(importlib.util.find_spec("PySide6"), "PySide6 is not installed")
class ServerWindow(unittest.TestCase):
    """server_window.py, with a stand-in for the server and its mirror."""

    def test_shows_edits_until_they_come_back(self):
        with tempfile.TemporaryDirectory() as folder:
            file = str(Path(folder, "shop.db"))
            database = sqlite3.connect(file)
            database.execute("PRAGMA journal_mode = wal")
            database.execute("CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT, done BOOLEAN)")
            database.execute("INSERT INTO tasks VALUES (1, 'Ask', 0), (2, 'Bake', 0)")
            database.commit()
            database.close()
            Path(folder, "psycopg.py").write_text(STAND_IN)
            names = f"FILE, EXAMPLES, STAND_IN_FOLDER = {[file, str(PACKAGE / 'examples'), folder]}\n"
            environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
            command = [sys.executable, "-c", names + DRIVER]
            done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, env=environment)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(
            done.stdout.splitlines(),
            [" Call Ada  True", "Call Ada", " True", "['a title is needed'] Call Ada", "Bake True", "1"],
        )


if __name__ == "__main__":
    unittest.main()
