"""The programs of docs/tutorials that other tests do not run."""

from __future__ import annotations

import importlib.util
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from support import PACKAGE

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


if __name__ == "__main__":
    unittest.main()
