"""A process that writes with Python's own driver: python -m other_writers.writer, with a `Task` as
JSON.

After each lap it records that in the database, and waits for a line. One without laps is to be
killed: it reports when.
"""

from __future__ import annotations

import json
import random
import resource
import sqlite3
import sys
import time
from typing import NamedTuple, Optional

from .statements import Statement, Statements

ENOUGH_PAGES = 2**30


class Task(NamedTuple):
    path: str
    attached: Optional[str]
    number: int
    seed: int
    laps: int
    transactions: int
    """Those of a lap."""
    upkeep: float
    """How many percent of them are checkpoints, DDL and the like instead."""
    hardship: float
    """How many percent of them meet a full disk, or hold the lock for long."""
    pause: float
    """How many seconds to sleep at most after every other transaction."""


class Writer:
    def __init__(self, task: Task) -> None:
        self.task = task
        self.chance = random.Random(task.seed)
        self.statements = Statements(self.chance, is_attached=task.attached is not None)
        self.db = sqlite3.connect(task.path, timeout=30, isolation_level=None)
        if task.attached:
            self.db.execute("ATTACH ? AS beside", [task.attached])
        self.db.execute("PRAGMA synchronous = OFF")

    def run(self) -> None:
        for lap in range(1, self.task.laps + 1):
            for _ in range(self.task.transactions):
                self.act()
            self.db.execute("UPDATE marks SET lap = ?, commits = commits + 1 WHERE writer = ?", (lap, self.task.number))
            sys.stdin.readline()
        if not self.task.laps:
            self.run_until_killed()

    def run_until_killed(self) -> None:
        # What is written does not wait for the commit.
        self.db.execute("PRAGMA cache_size = 5")
        for _ in range(self.chance.randint(0, 8)):
            self.act()
        waits = self.chance.random() < 0.5
        is_reported = False
        while True:
            *statements, _ = self.statements.transaction(self.task.number)
            self.execute(Statement("BEGIN IMMEDIATE"), *statements[1:])
            if not is_reported:
                print("now", flush=True)
                is_reported = True
                if waits:
                    sys.stdin.readline()
            self.db.execute("COMMIT")

    def act(self) -> None:
        draw = self.chance.random() * 100
        try:
            if draw < self.task.upkeep:
                self.keep_up()
            elif draw < self.task.upkeep + self.task.hardship:
                self.chance.choice([self.fill_up, self.exceed_file_size, self.hold_lock])()
            else:
                self.execute(*self.statements.transaction(self.task.number))
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
        if self.db.in_transaction:
            self.db.execute("ROLLBACK")
        if self.task.pause and self.chance.random() < 0.5:
            time.sleep(self.chance.random() * self.task.pause)

    def execute(self, *statements: Statement) -> None:
        for statement in statements:
            self.db.execute(*statement)

    def keep_up(self) -> None:
        # Not as long as for a write: some checkpoints wait for readers, and the store is one.
        self.db.execute("PRAGMA busy_timeout = 20")
        try:
            for sql in self.statements.upkeep():
                self.db.execute(sql).fetchall()
        finally:
            self.db.execute("PRAGMA busy_timeout = 30000")

    # Hardship

    def write_much(self) -> None:
        *statements, _ = self.statements.transaction(self.task.number)
        blobs = [
            Statement(
                "REPLACE INTO items (id, name, blob) VALUES (?, 'much', zeroblob(30000))", (self.statements.item(),)
            )
            for _ in range(5)
        ]
        self.execute(*statements, *blobs, Statement("COMMIT"))

    def fill_up(self) -> None:
        """No more pages than there are: as on a full disk."""
        self.db.execute("PRAGMA max_page_count = 1")
        try:
            self.write_much()
        except sqlite3.OperationalError as error:
            if "full" not in str(error):
                raise
        finally:
            self.db.execute(f"PRAGMA max_page_count = {ENOUGH_PAGES}")

    def exceed_file_size(self) -> None:
        """No file may grow much: a write fails half-way, be it to the log, the journal or the
        database.
        """
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        size = self.chance.choice([20_000, 100_000, 1_000_000]) + self.chance.randrange(5000)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
        try:
            self.write_much()
        except sqlite3.OperationalError as error:
            if not any(word in str(error) for word in ("full", "disk I/O", "locked")):
                raise
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    def hold_lock(self) -> None:
        self.execute(*self.statements.transaction(self.task.number)[:-1])
        time.sleep(self.chance.random() * 0.2)
        self.db.execute("COMMIT")


if __name__ == "__main__":
    Writer(Task(*json.loads(sys.argv[1]))).run()
