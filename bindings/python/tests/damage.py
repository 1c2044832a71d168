"""Files that claim what they do not have: sizes of records, numbers of pages, chains of pages."""

from __future__ import annotations

import os
import random
import sqlite3
import struct
import sys
import threading
from pathlib import Path

PAGE = 4096


def varint(number: int, width: int) -> bytes:
    """An integer in `width` bytes, at most eight of which have seven bits each."""
    if width == 9:
        return bytes(0x80 | number >> (57 - 7 * i) & 0x7F for i in range(8)) + bytes([number & 0xFF])
    parts = [number >> (7 * i) & 0x7F for i in range(width)][::-1]
    return bytes([part | 0x80 for part in parts[:-1]] + [parts[-1]])


def connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.text_factory = bytes
    return connection


def make_rows(path: Path) -> tuple[int, int]:
    """A table of 12 rows on one page, and free pages.

    Returns the number of the page, and of a free page that names itself as the next one of a chain.
    """
    connection = connect(path)
    connection.executescript(
        "PRAGMA page_size = 4096; PRAGMA journal_mode = DELETE; CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT);"
        "CREATE TABLE junk (z); INSERT INTO junk VALUES (zeroblob(20000)); DELETE FROM junk;"
        "WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 12)"
        " INSERT INTO t SELECT i, substr(hex(zeroblob(100)), 1, 200) FROM n"
    )
    (root,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 't'").fetchone()
    connection.close()
    pages = bytearray(path.read_bytes())
    trunk = struct.unpack_from(">I", pages, 32)[0]
    free = struct.unpack_from(">I", pages, (trunk - 1) * PAGE + 8)[0]
    struct.pack_into(">I", pages, (free - 1) * PAGE, free)
    path.write_bytes(pages)
    return root, free


def claim_size(path: Path, high: int) -> None:
    """Makes the cell of one row claim that its record has `high` bytes more.

    SQLite uses the lower 32 bits of the size alone. So for it the file is sound, if these are 0 in
    `high`.
    """
    root, free = make_rows(path)
    pages = bytearray(path.read_bytes())
    start = (root - 1) * PAGE
    pointers = struct.unpack_from(">12H", pages, start + 8)
    cell = start + pointers[5]
    # The record gets shorter by the bytes that its size takes more.
    low = 204 - 6
    for step in range(1 << 20):
        size = high + (step << 32) + low
        least = (PAGE - 12) * 32 // 255 - 23
        local = least + (size - least) % (PAGE - 4)
        if local > PAGE - 35:
            local = least
        if local < 1500:
            break
    text = (low - 4) * 2 + 13
    pages[cell : cell + 207] = varint(size, 8) + bytes([6]) + bytes([4, 0]) + varint(text, 2) + b"y" * (low - 4)
    # Where a reader of the claimed size finds the next page: inside of the text of another row.
    struct.pack_into(">I", pages, cell + 9 + local, free)
    path.write_bytes(pages)


def checksum(data: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    """https://www.sqlite.org/fileformat.html#checksum_algorithm"""
    first, second = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for index in range(0, len(words), 2):
        first = (first + words[index] + second) & 0xFFFFFFFF
        second = (second + words[index + 1] + first) & 0xFFFFFFFF
    return first, second


def claim_pages(path: Path, count: int) -> None:
    """Makes the last commit in a log claim that the database has `count` pages."""
    connection = connect(path)
    connection.executescript(
        "PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;"
        "CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT); INSERT INTO t VALUES (1, 'one')"
    )
    database, log = path.read_bytes(), bytearray(Path(f"{path}-wal").read_bytes())
    connection.close()
    size = 24 + PAGE
    last = 32 + (len(log) - 32) // size * size - size
    struct.pack_into(">I", log, last + 4, count)
    order = ">" if log[3] & 1 else "<"
    sums = checksum(log[:24], (0, 0), order)
    for frame in range(32, last + size, size):
        sums = checksum(log[frame : frame + 8], sums, order)
        sums = checksum(log[frame + 24 : frame + size], sums, order)
        struct.pack_into(">2I", log, frame + 16, *sums)
    path.write_bytes(database)
    Path(f"{path}-wal").write_bytes(log)


def damage(path: Path, seed: int, rounds: int) -> None:
    """Follows commits of another connection while bytes of the file and of the log are overwritten
    beside SQLite. Ends the process only if the library does."""
    from fetchedresults import FetchedResultsError, Store

    chance = random.Random(seed)
    writer = connect(path)
    writer.executescript(
        f"PRAGMA page_size = {chance.choice([512, 1024, 4096])}; PRAGMA journal_mode = WAL;"
        "CREATE TABLE t (id INTEGER PRIMARY KEY, x, y REAL);"
        "CREATE TABLE w (a, b, x, PRIMARY KEY (a, b)) WITHOUT ROWID;"
        "CREATE INDEX t_x ON t (x)"
    )
    writer.execute(f"PRAGMA cache_size = {chance.choice([0, 10, 1000])}")
    # Never closed before the process ends: that would release SQLite's locks.
    files = [os.open(path, os.O_RDWR), os.open(f"{path}-wal", os.O_RDWR)]
    store = Store(path)
    lists = [
        store.fetch("t", sort="id"),
        store.fetch("t", sort=["x", "id"], section="x"),
        store.fetch("w", sort=["a", "b"]),
    ]
    for shown in lists:
        shown.add_observer(lambda changes: [repr(change.object) for change in changes])
    statements = [
        "INSERT OR REPLACE INTO t VALUES ({id}, {x}, {id})",
        "INSERT OR REPLACE INTO w VALUES ({id}, 1, {x})",
        "UPDATE t SET x = {x} WHERE id % 3 = {id} % 3",
        "DELETE FROM t WHERE id < {id}",
        "DELETE FROM w WHERE a > {id}",
        "PRAGMA wal_checkpoint",
    ]
    failures = 0
    for _ in range(rounds):
        size = chance.choice([0, 3, 100, 700, 5000])
        values = [f"zeroblob({size})", f"hex(zeroblob({size}))", "NULL", "1"]
        try:
            writer.execute(chance.choice(statements).format(id=chance.randrange(60), x=chance.choice(values)))
        except sqlite3.Error:
            failures += 1
        if chance.random() < 0.4:
            file = chance.choice(files)
            length = os.fstat(file).st_size
            for _ in range(chance.randrange(1, 4)):
                if length > 120:
                    content = chance.choice(
                        [bytes([chance.randrange(256)]), b"\xff" * 9, struct.pack(">I", chance.randrange(40)), b"\0\0"]
                    )
                    os.pwrite(file, content, chance.randrange(100, length))
        try:
            store.dispatch()
        except FetchedResultsError:
            failures += 1
        for shown in lists:
            try:
                [repr(row) for row in shown.objects]
            except FetchedResultsError:
                failures += 1
    print(store.foreign_counters, failures)
    store.close()


if __name__ == "__main__":
    # A thread of Python's own would need memory beyond the limit.
    assert threading.active_count() == 1
    damage(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
