"""Lists that follow the files of other engines: each state is the engine's, by exact changes."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from pathlib import Path

from seeds import seeds
from support import StoreTestCase

from fetchedresults import ChangeSet, FetchedResultsError, Store

ENGINES = Path(__file__).with_name("other_writers") / "engines.py"
LIMIT = 20
MOVED = 1032
"""SQLITE_READONLY_DBMOVED."""


class OtherEngines(StoreTestCase):
    def follow(self, engine: str, commands: list[str]) -> None:
        for seed in seeds(3):
            with self.subTest(f"FR_SEED={seed}"):
                self.run_engine(engine, random.Random(seed).choices(commands, k=40), seed)

    def run_engine(self, engine: str, commands: list[str], seed: int) -> None:
        path = self.folder() / "app.db"
        process = subprocess.Popen(
            [sys.executable, str(ENGINES), engine, str(path), str(seed)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            self.assertEqual(process.stdout.readline(), "ready\n")
            with Store(path, read_only=True, follow_path=True) as store:
                self.check(store, process, commands)
        finally:
            process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 0)

    def check(self, store: Store, process: subprocess.Popen, commands: list[str]) -> None:
        items = store.fetch("items", sort=["name", "id"])
        replayed: list[list[list[object]]] = [[]]

        def value(row: object) -> list[object]:
            return [row["id"], row["name"], row["list"]]

        def replay(changes: ChangeSet) -> None:
            nonlocal replayed
            replayed = changes.apply(replayed, value=lambda change: value(change.object))

        items.add_observer(replay)
        for command in commands:
            process.stdin.write(f"{command}\n")
            process.stdin.flush()
            rows = json.loads(process.stdout.readline())
            end = time.monotonic() + LIMIT
            while replayed[0] != rows:
                self.assertLess(time.monotonic(), end, f"{command}: {replayed} is not {rows}")
                try:
                    store.wait(timeout=1)
                except FetchedResultsError as error:
                    # The file is gone, or not whole yet.
                    self.assertEqual(error.code, MOVED)
            self.assertEqual([value(row) for row in items.objects], rows)

    def test_a_node_of_rqlite(self) -> None:
        self.follow("rqlite", ["write"] * 6 + ["snapshot", "install"])

    def test_a_replica_of_libsql(self) -> None:
        self.follow("libSQL", ["write"] * 6 + ["checkpoint", "reset"])

    def test_a_program_that_writes_pages(self) -> None:
        self.follow("pages", ["write"] * 6 + ["restore"])
