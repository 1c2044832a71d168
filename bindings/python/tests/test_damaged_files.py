"""Files whose pages claim more than there is: the store reads through SQLite.

Each case runs in a process that may have little memory, so that nothing is allocated because a page
says so.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import damage
from support import PACKAGE

HERE = Path(__file__).resolve().parent

# What the process may have in all, with Python, the library and the stacks of threads.
MEMORY = 1 << 30

FOLLOW = """
import sys
from damage import connect
from pathlib import Path
from fetchedresults import Store

path, statements = Path(sys.argv[1]), sys.argv[2:]
writer = connect(path)
writer.execute("PRAGMA journal_mode = WAL")
store = Store(path)
shown = store.fetch("t", sort="id")
writer.execute("INSERT INTO t VALUES (100, 'new')")
store.dispatch()
for statement in statements:
    writer.execute(statement)
    store.dispatch()
    rows = [(row.id, row.x) for row in shown.objects]
    expected = [(id, x.decode()) for id, x in writer.execute("SELECT id, x FROM t ORDER BY id")]
    assert rows == expected, (statement, rows, expected)
print(sum(store.foreign_counters.unknown.values()), store.foreign_counters.followed)
store.close()
"""


def limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def run(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(PACKAGE / "src"), str(HERE)])},
        capture_output=True,
        text=True,
        timeout=300,
        preexec_fn=limit_memory,
    )


class DamagedFileTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "a.db"

    def follow(self, *statements: str) -> tuple[int, int]:
        """How often the rows were unknown, and how often they were followed."""
        done = run("-c", FOLLOW, str(self.path), *statements)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        unknown, followed = map(int, done.stdout.split())
        return unknown, followed

    def test_sound_rows_are_followed(self) -> None:
        damage.make_rows(self.path)
        unknown, followed = self.follow("UPDATE t SET x = 'changed' WHERE id = 6", "DELETE FROM t WHERE id = 3")
        self.assertEqual((unknown, followed), (0, 3))

    def test_a_size_that_sqlite_takes_the_low_bits_of_is_read_through_sqlite(self) -> None:
        for bit in (32, 40, 55):
            for statement in (
                "UPDATE t SET x = 'changed' WHERE id = 6",
                "UPDATE t SET x = substr(hex(zeroblob(1500)), 1, length(x) * 10)",
                "DELETE FROM t WHERE id = 6",
                "INSERT INTO t SELECT 200 + id, x || x || x || x || x || x FROM t",
            ):
                with self.subTest(bit=bit, statement=statement):
                    self.path.unlink(missing_ok=True)
                    damage.claim_size(self.path, 1 << bit)
                    self.follow(statement, "UPDATE t SET x = 'again' WHERE id = 7")

    def test_a_log_that_claims_pages_is_read_through_sqlite(self) -> None:
        for count in (1 << 24, 1 << 30, (1 << 32) - 2):
            with self.subTest(count=count):
                for suffix in ("", "-wal", "-shm"):
                    Path(f"{self.path}{suffix}").unlink(missing_ok=True)
                damage.claim_pages(self.path, count)
                unknown, _ = self.follow("UPDATE t SET x = 'changed'", "UPDATE t SET x = 'again'")
                self.assertGreater(unknown, 0)

    def test_random_damage_does_not_end_the_process(self) -> None:
        for seed in range(12):
            with self.subTest(seed=seed):
                path = self.path.with_name(f"{seed}.db")
                done = run(str(HERE / "damage.py"), str(path), str(seed), "60")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
