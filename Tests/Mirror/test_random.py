"""Random histories of a server: rows, DDL, kills, lost slots.

FR_SEED selects one, FR_SEEDS says how many there are.
"""

from __future__ import annotations

import os
import random
import signal
import time
import unittest

from mirror_support import LIMIT, Mirror, MirrorTest

from fetchedresults import Store

SEEDS = (
    range(int(os.environ["FR_SEED"]), int(os.environ["FR_SEED"]) + 1)
    if "FR_SEED" in os.environ
    else range(1, 1 + int(os.environ.get("FR_SEEDS", 3)))
)
STEPS = 40

TABLES = """
DROP TABLE IF EXISTS lists, tasks;
CREATE TABLE lists (id int PRIMARY KEY, title text);
CREATE TABLE tasks (id int PRIMARY KEY, title text, position int, list_id int REFERENCES lists ON DELETE CASCADE);
ALTER TABLE tasks ALTER title SET STORAGE EXTERNAL;
ALTER PUBLICATION frmirror ADD TABLE lists, tasks;
INSERT INTO lists SELECT i, 'list ' || i FROM generate_series(1, 10) i;
INSERT INTO tasks SELECT i, 'task ' || i, i % 17, 1 + i % 10 FROM generate_series(1, 200) i;
"""


class RandomTests(MirrorTest):
    def test_random_histories(self) -> None:
        self.sql("CREATE PUBLICATION frmirror FOR TABLE marks")
        for seed in SEEDS:
            with self.subTest(f"FR_SEED={seed}"):
                self.random = random.Random(seed)
                self.path = self.path.with_name(f"{seed}.db")
                self.history()

    def history(self) -> None:
        self.sql(TABLES)
        self.extra: list[str] = []
        self.next = 1000
        self.once("lists", "tasks")
        store = Store(self.path)
        tasks = store.fetch("tasks", sort=["position", "id"], section="list_id.title")
        mirror = self.mirror("lists", "tasks")
        for _ in range(STEPS):
            step = self.random.choice([self.rows_change] * 6 + [self.columns_change, self.table_is_emptied, None, None])
            if step is not None:
                step()
            elif self.random.random() < 0.5:
                mirror = self.is_killed(mirror)
            else:
                self.sql("SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE active")
            store.wait(timeout=0.01)
        self.settle(mirror)
        self.assert_same("lists")
        self.assert_same("tasks")
        store.dispatch()
        shown = [(row["id"], row["position"]) for row in tasks.objects]
        joined = "SELECT t.id, t.position FROM tasks t LEFT JOIN lists l ON l.id = t.list_id"
        self.assertEqual(shown, self.rows(f"{joined} ORDER BY l.title, t.position, t.id"))
        store.close()
        self.assertEqual(mirror.end(), 0)

    def settle(self, mirror: Mirror) -> None:
        """Waits until no table waits for a copy, and everything has arrived."""
        deadline = time.monotonic() + LIMIT
        while time.monotonic() < deadline:
            self.catch_up(mirror)
            noted = self.rows("SELECT count(*) FROM frmirror_tables")
            self.catch_up(mirror)
            if noted == [(3,)] == self.rows("SELECT count(*) FROM frmirror_tables"):
                return
        self.fail(f"a table is copied again and again: {mirror.output()}")

    def rows_change(self) -> None:
        """A transaction of several statements."""
        statements = []
        for _ in range(self.random.randrange(1, 8)):
            self.next += 1
            low = self.random.randrange(1, 220)
            statements.append(
                self.random.choice(
                    [
                        f"INSERT INTO tasks (id, title, position, list_id) SELECT {self.next},"
                        f" repeat('t{low}', 2000), {low}, min(id) FROM lists",
                        f"UPDATE tasks SET position = position + {low} WHERE id % 11 = {low % 11}",
                        f"UPDATE tasks SET id = id + {self.next * 300} WHERE id BETWEEN {low} AND {low + 3}",
                        f"DELETE FROM tasks WHERE id BETWEEN {low} AND {low + 2}",
                        f"UPDATE lists SET title = 'renamed {low}' WHERE id = {low % 10}",
                        f"INSERT INTO lists VALUES ({self.next}, 'new {low}')",
                        f"DELETE FROM lists WHERE id = {low % 50}",
                    ]
                )
            )
        self.sql(f"BEGIN; {'; '.join(statements)}; {self.random.choice(['COMMIT', 'COMMIT', 'ROLLBACK'])}")

    def columns_change(self) -> None:
        if self.extra and self.random.random() < 0.4:
            self.sql(f"ALTER TABLE tasks DROP {self.extra.pop()}")
        elif self.extra and self.random.random() < 0.5:
            self.sql(f"ALTER TABLE tasks ALTER {self.extra[-1]} TYPE text")
        else:
            self.next += 1
            self.extra.append(f"extra_{self.next}")
            self.sql(f"ALTER TABLE tasks ADD {self.extra[-1]} int DEFAULT {self.next}")
        # The server announces columns with the next row.
        self.next += 1
        self.sql(f"INSERT INTO tasks (id, position) VALUES ({self.next}, 0)")

    def table_is_emptied(self) -> None:
        self.sql(self.random.choice(["TRUNCATE tasks", "TRUNCATE lists, tasks", "DELETE FROM tasks"]))
        self.sql("INSERT INTO lists VALUES (1, 'one') ON CONFLICT DO NOTHING")
        self.sql(
            "INSERT INTO tasks (id, title, position, list_id) SELECT i, 't' || i, i % 5, 1"
            " FROM generate_series(1, 200) i ON CONFLICT DO NOTHING"
        )

    def is_killed(self, mirror: Mirror) -> Mirror:
        mirror.end(self.random.choice([signal.SIGKILL, signal.SIGTERM]))
        if self.random.random() < 0.3:
            self.rows_change()
            for _ in range(100):  # the server notices soon that its client is gone
                dropped = self.sql(
                    f"SELECT count(pg_drop_replication_slot(slot_name)) FROM pg_replication_slots WHERE"
                    f" slot_name = '{self.slot}' AND NOT active"
                )
                if dropped != ["0"]:
                    break
                time.sleep(0.01)
        return self.mirror("lists", "tasks")


if __name__ == "__main__":
    unittest.main()
