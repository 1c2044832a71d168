"""A daemon that maintains a table of the files below a folder, by Python's sqlite3.

    python folder_daemon.py ~/Pictures files.db

It looks at the folder once a second, and writes the differences, if any, in one
transaction. SIGTERM ends it.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
import threading

SCHEMA = """
CREATE TABLE IF NOT EXISTS files (
    path TEXT PRIMARY KEY,
    folder TEXT NOT NULL,
    name TEXT NOT NULL,
    size INTEGER NOT NULL
) WITHOUT ROWID
"""
UPSERT = """
INSERT INTO files VALUES (?, ?, ?, ?)
ON CONFLICT (path) DO UPDATE SET size = excluded.size
"""
SECONDS = 1.0


def files_below(top: str) -> dict[str, int]:
    """The size of each file, by its path from the folder."""
    sizes = {}
    for folder, _, names in os.walk(top):
        for name in names:
            path = os.path.join(folder, name)
            try:
                sizes[os.path.relpath(path, top)] = os.lstat(path).st_size
            except FileNotFoundError:
                pass  # deleted since its folder was read
    return sizes


def write_differences(database: sqlite3.Connection, top: str) -> None:
    """Makes the table agree with the folder. Rows that agree are not written."""
    present = files_below(top)
    known = dict(database.execute("SELECT path, size FROM files"))
    gone = [(path,) for path in known.keys() - present.keys()]
    written = [
        (path, os.path.dirname(path), os.path.basename(path), size)
        for path, size in present.items()
        if known.get(path) != size
    ]
    if gone or written:
        with database:
            database.executemany("DELETE FROM files WHERE path = ?", gone)
            database.executemany(UPSERT, written)


def main(top: str, path: str, seconds: float = SECONDS) -> None:
    end = threading.Event()
    signal.signal(signal.SIGTERM, lambda number, frame: end.set())
    database = sqlite3.connect(path, timeout=30)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute(SCHEMA)
    while not end.is_set():
        write_differences(database, top)
        end.wait(seconds)
    database.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *map(float, sys.argv[3:]))
