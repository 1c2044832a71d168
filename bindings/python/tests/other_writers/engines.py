"""Emulates how other engines write to a database file: engines.py ENGINE FILE SEED.

rqlite, libSQL and writers of pages make these calls of SQLite, or write these bytes. Each line of
the standard input is a command, whose answer is a line with the rows of the table `items`.
"""

from __future__ import annotations

import fcntl
import json
import os
import random
import sqlite3
import sys
import time
from pathlib import Path
from typing import BinaryIO, Callable

SUFFIXES = ("", "-wal", "-shm")
TABLE = "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, list INTEGER)"

# https://www.sqlite.org/walformat.html#locks: write, checkpoint, recover, and five readers.
SHARED_FIRST, SHARED_COUNT, LOG_LOCKS, LOG_COUNT, DEAD_MAN = 0x40000002, 510, 120, 8, 128
INDEX_HEADER = 136


class Engine:
    """A writer with one connection."""

    def __init__(self, path: Path, seed: int) -> None:
        self.path = path
        self.random = random.Random(seed)
        self.open()
        self.database.execute(TABLE.replace("TABLE", "TABLE IF NOT EXISTS"))

    def open(self, path: Path | None = None) -> None:
        self.database = sqlite3.connect(path or self.path, timeout=60, isolation_level=None)
        self.database.execute("PRAGMA journal_mode = wal")

    def write(self) -> None:
        """A transaction of a few statements, which changes something."""
        number = self.random.randrange
        self.database.execute("BEGIN IMMEDIATE")
        self.database.execute("REPLACE INTO items VALUES (?, ?, ?)", (number(60), f"{number(1000):03}", number(3)))
        for _ in range(self.random.choice((0, 0, 1, 4))):
            row = (number(60), f"{number(1000):03}", number(3))
            self.database.execute(
                self.random.choice(
                    [
                        "REPLACE INTO items VALUES (?1, ?2, ?3)",
                        "UPDATE items SET name = ?2, list = ?3 WHERE id = ?1 OR id = ?1 + 1",
                        "DELETE FROM items WHERE id = ?1 AND ?2 IS NOT NULL AND ?3 IS NOT NULL",
                    ]
                ),
                row,
            )
        self.database.execute("COMMIT")

    def rows(self) -> list[list[object]]:
        return [list(row) for row in self.database.execute("SELECT id, name, list FROM items ORDER BY name, id")]

    def remove(self) -> None:
        self.database.close()
        for suffix in SUFFIXES:
            Path(f"{self.path}{suffix}").unlink(missing_ok=True)

    def copy(self) -> Path:
        """A changed copy of the database, in another file."""
        copy = self.path.with_name("copy.db")
        copy.unlink(missing_ok=True)
        self.database.execute("VACUUM INTO ?", [str(copy)])
        with sqlite3.connect(copy) as database:
            database.execute("PRAGMA journal_mode = wal")
            database.execute("UPDATE items SET name = name || '~' WHERE id % 5 = 0")
            database.execute("DELETE FROM items WHERE id % 7 = 0")
        database.close()
        return copy


class Rqlite(Engine):
    """A node: one connection without automatic checkpoints. A snapshot empties the log; an
    installed one replaces the file.
    """

    def open(self, path: Path | None = None) -> None:
        super().open(path)
        self.database.execute("PRAGMA wal_autocheckpoint = 0")
        self.database.execute("PRAGMA synchronous = off")

    def snapshot(self) -> None:
        # It tries again with the next snapshot.
        self.database.execute("PRAGMA busy_timeout = 250")
        self.database.execute("PRAGMA synchronous = full")
        self.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.database.execute("PRAGMA synchronous = off")

    def install(self) -> None:
        copy = self.copy()
        self.remove()
        copy.rename(self.path)
        self.open()


class LibSQL(Engine):
    """A replica: ordinary commits and checkpoints. A reset makes a new file at the path, which has
    no tables at first.
    """

    def checkpoint(self) -> None:
        self.database.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def reset(self) -> None:
        copy = self.copy()
        self.remove()
        self.open()
        self.database.execute("ATTACH ? AS copy", [str(copy)])
        self.database.execute(TABLE)
        self.database.execute("INSERT INTO items SELECT * FROM copy.items")
        self.database.execute("DETACH copy")


class Pages(Engine):
    """A program that restores a backup into a file that is open, as Corrosion does: it takes all
    locks, empties the log, and writes the pages.
    """

    def restore(self) -> None:
        copy = self.copy()
        data = copy.read_bytes()
        self.database.close()
        with open(self.path, "r+b") as database:
            lock(database, fcntl.LOCK_SH, SHARED_COUNT, SHARED_FIRST)
            with open(f"{self.path}-shm", "r+b") as index:
                lock(index, fcntl.LOCK_SH, 1, DEAD_MAN)
                for place in range(LOG_LOCKS, LOG_LOCKS + LOG_COUNT):
                    lock(index, fcntl.LOCK_EX, 1, place)
                os.truncate(f"{self.path}-wal", 0)
                database.write(data)
                database.truncate(len(data))
                database.flush()
                index.write(bytes(INDEX_HEADER))
                index.flush()
        self.open()
        # SQLite recovers the same index from each empty log: no connection would notice a second
        # restored file before the next commit.
        self.write()


def lock(file: BinaryIO, kind: int, count: int, place: int) -> None:
    """Tries again until nobody else has the lock."""
    while True:
        try:
            return fcntl.lockf(file, kind | fcntl.LOCK_NB, count, place)
        except (BlockingIOError, PermissionError):
            time.sleep(0.001)


def main() -> None:
    engine = {"rqlite": Rqlite, "libSQL": LibSQL, "pages": Pages}[sys.argv[1]](Path(sys.argv[2]), int(sys.argv[3]))
    print("ready", flush=True)
    for line in sys.stdin:
        command: Callable[[], None] = getattr(engine, line.strip())
        command()
        print(json.dumps(engine.rows()), flush=True)


if __name__ == "__main__":
    main()
