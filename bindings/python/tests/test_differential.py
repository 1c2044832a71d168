"""Random transactions: what lists show is what SQLite answers, and what they told is what changed."""

from __future__ import annotations

import random
import sqlite3
import unittest
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from seeds import seeds

from fetchedresults import ConstraintError, Request, Sort, Store

SEEDS = seeds(12)
TRANSACTIONS = 40

SCHEMA = """
    CREATE TABLE lists (id INTEGER PRIMARY KEY, title TEXT, position INTEGER);
    CREATE TABLE items (
        id INTEGER PRIMARY KEY,
        name TEXT,
        rank REAL,
        list_id INTEGER REFERENCES lists (id) ON DELETE CASCADE
    );
    CREATE TABLE tags (item_id INTEGER, tag TEXT, PRIMARY KEY (item_id, tag)) WITHOUT ROWID;
    CREATE TRIGGER untag AFTER DELETE ON items BEGIN DELETE FROM tags WHERE item_id = old.id; END;
"""


class Case(NamedTuple):
    """A request, and the SELECT that answers it: the section's value, then the row."""

    request: Request
    sql: str


CASES = [
    Case(
        Request("items", sort="name"),
        "SELECT NULL, items.* FROM items ORDER BY name, id",
    ),
    Case(
        Request("items", sort=["-rank", "name"], section="list_id"),
        "SELECT list_id, items.* FROM items ORDER BY list_id, rank DESC, name, id",
    ),
    Case(
        Request(
            "items",
            "rank >= :least",
            {"least": 2},
            sort=Sort("name", collation="NOCASE", nulls="last"),
            section=Sort("list_id.title", descending=True, nulls="first"),
        ),
        "SELECT title, items.* FROM items LEFT JOIN lists ON lists.id = list_id WHERE rank >= 2"
        " ORDER BY title DESC NULLS FIRST, name COLLATE NOCASE NULLS LAST, items.id",
    ),
    Case(
        Request("items", "list_id.position > 1", sort=["list_id.position", "-id"]),
        "SELECT NULL, items.* FROM items JOIN lists ON lists.id = list_id WHERE position > 1"
        " ORDER BY position, items.id DESC",
    ),
    Case(
        Request("items", sort="rank", section="list_id", limit=6, offset=2),
        "SELECT list_id, items.* FROM items ORDER BY list_id, rank, id LIMIT 6 OFFSET 2",
    ),
    Case(
        Request("items", "id IN (SELECT item_id FROM tags WHERE tag > 'b')", sort="-name"),
        "SELECT NULL, items.* FROM items WHERE id IN (SELECT item_id FROM tags WHERE tag > 'b') ORDER BY name DESC, id",
    ),
]


class Writer:
    """Makes random changes, schema-valid or not."""

    def __init__(self, store: Store, seed: int) -> None:
        self.store = store
        self.random = random.Random(seed)

    def transaction(self) -> None:
        """Some statements: each its own transaction, or all in one that is sometimes taken back."""
        kind = self.random.random()
        if kind < 0.3:
            self.statement()
            return
        self.store.begin()
        for _ in range(self.random.randint(1, 8)):
            if self.random.random() < 0.2:
                self.savepoint()
            else:
                self.statement()
        if kind < 0.4:
            self.store.rollback()
        else:
            self.store.commit()

    def savepoint(self) -> None:
        self.store.begin()
        self.statement()
        if self.random.random() < 0.5:
            self.store.rollback()
        else:
            self.store.commit()

    def statement(self) -> None:
        write = self.random.choices(
            [
                self.insert,
                self.update,
                self.touch,
                self.delete,
                self.replace,
                self.tag,
                self.lists,
                self.fail,
                self.all,
            ],
            [6, 6, 2, 3, 2, 3, 4, 1, 1],
        )[0]
        write()

    def item(self) -> int:
        return self.random.randint(1, 25)

    def columns(self) -> dict:
        return {
            "name": self.random.choice([None, "", "a", "B", "b", "c", "C", "cc", "d"]),
            "rank": self.random.choice([None, 0, 1, 2, 3, 4.5]),
            "list_id": self.random.choice([None, *(row[0] for row in self.store.query("SELECT id FROM lists"))]),
        }

    def insert(self) -> None:
        self.store.insert("items", self.columns())

    def update(self) -> None:
        columns = self.columns()
        names = self.random.sample(list(columns), self.random.randint(1, 3))
        sql = f"UPDATE items SET {', '.join(f'{name} = :{name}' for name in names)} WHERE id IN (:first, :second)"
        self.store.execute(
            sql, {"first": self.item(), "second": self.item(), **{name: columns[name] for name in names}}
        )

    def touch(self) -> None:
        self.store.execute("UPDATE items SET name = name, rank = rank WHERE id = ?", (self.item(),))

    def delete(self) -> None:
        self.store.execute("DELETE FROM items WHERE id IN (?, ?)", (self.item(), self.item()))

    def replace(self) -> None:
        columns = self.columns()
        self.store.execute(
            "REPLACE INTO items (id, name, rank, list_id) VALUES (?, ?, ?, ?)", (self.item(), *columns.values())
        )

    def tag(self) -> None:
        if self.random.random() < 0.3:
            self.store.execute("DELETE FROM tags WHERE item_id = ?", (self.item(),))
        else:
            self.store.execute("INSERT OR IGNORE INTO tags VALUES (?, ?)", (self.item(), self.random.choice("abcd")))

    def lists(self) -> None:
        number = self.random.randint(1, 4)
        title = self.random.choice([None, "home", "shop", "Shop", "work"])
        if self.random.random() < 0.15:
            self.store.execute("DELETE FROM lists WHERE id = ?", (number,))
        else:
            self.store.execute(
                "INSERT INTO lists VALUES (?, ?, ?)"
                " ON CONFLICT (id) DO UPDATE SET title = excluded.title, position = excluded.position",
                (number, title, self.random.randint(0, 3)),
            )

    def fail(self) -> None:
        try:
            self.store.execute("UPDATE items SET rank = 9, id = id % 3 + 1 WHERE list_id IS NOT NULL OR rank > 1")
        except ConstraintError:
            pass

    def all(self) -> None:
        if self.random.random() < 0.2:
            self.store.execute("DELETE FROM items")
        else:
            self.store.execute("UPDATE items SET rank = 4 - rank")


class Watched:
    """One case's controller, and the list as its change sets tell it."""

    def __init__(self, store: Store, case: Case) -> None:
        self.case = case
        self.controller = store.controller(case.request)
        self.controller.perform_fetch()
        self.told: list = []
        self.controller.add_observer(self.take)
        self.lists = self.shown()

    def take(self, changes) -> None:
        self.told.append(changes)

    def shown(self) -> list:
        return [[dict(item) for item in section] for section in self.controller]

    def check(self, test: unittest.TestCase, database: sqlite3.Connection) -> None:
        rows = database.execute(self.case.sql).fetchall()
        groups = [(value, list(rows)) for value, rows in groupby(rows, key=lambda row: row[0])]
        if self.case.request.section is None and not groups:
            groups = [(None, [])]
        expected = [[dict(zip(("id", "name", "rank", "list_id"), row[1:])) for row in rows] for _, rows in groups]
        shown = self.shown()
        test.assertEqual(shown, expected)
        test.assertEqual([section.value for section in self.controller], [value for value, _ in groups])
        test.assertLessEqual(len(self.told), 1)
        for changes in self.told:
            for form in (changes, changes.sequential()):
                test.assertEqual(form.apply(self.lists, lambda change: dict(change.object)), shown)
            self.check_records(test, changes, shown)
        if not self.told:
            test.assertEqual(self.lists, shown)
        self.lists = shown
        self.told.clear()

    def check_records(self, test: unittest.TestCase, changes, shown: list) -> None:
        for change in changes.objects:
            old = None if change.old_path is None else self.lists[change.old_path.section][change.old_path.row]
            new = None if change.new_path is None else shown[change.new_path.section][change.new_path.row]
            if old is not None and new is not None:
                test.assertEqual(old["id"], new["id"])
                differing = tuple(name for name in new if (type(old[name]), old[name]) != (type(new[name]), new[name]))
                test.assertEqual(change.changed_columns, differing)
                test.assertEqual(change.old_values, old)
                if change.type.name == "UPDATE":
                    test.assertTrue(differing)
            else:
                test.assertEqual(dict(change.object), old or new)


class Fetched:
    """One case's list, which is fetched in the background again and again."""

    def __init__(self, store: Store, case: Case) -> None:
        self.store = store
        self.controller = store.controller(case.request)
        self.is_fetching = False

    def begin(self) -> None:
        if not self.is_fetching:
            self.is_fetching = True
            self.controller.perform_fetch_async(self.completed)

    def completed(self, error) -> None:
        self.is_fetching = False
        if error is not None:
            raise error

    def check(self, test: unittest.TestCase, watched: Watched) -> None:
        """Ends the fetch; the list is then what the other one shows."""
        for _ in range(60):
            if self.is_fetching:
                self.store.wait(timeout=1)
        test.assertFalse(self.is_fetching)
        if self.controller.is_fetched:
            test.assertEqual([[dict(item) for item in section] for section in self.controller], watched.shown())


class Differential(unittest.TestCase):
    def test_lists_and_changes_agree_with_sqlite(self):
        for seed in SEEDS:
            with (
                self.subTest(replay=f"FR_SEED={seed} python3 -m unittest test_differential"),
                TemporaryDirectory() as folder,
            ):
                self.run_seed(seed, Path(folder, "a.db"))

    def run_seed(self, seed: int, path: Path) -> None:
        with Store(path) as store:
            store.executescript(SCHEMA)
            database = sqlite3.connect(path)
            writer = Writer(store, seed)
            for _ in range(10):
                writer.lists()
                writer.insert()
            watched = [Watched(store, case) for case in CASES]
            fetched = [Fetched(store, case) for case in CASES]
            for step in range(TRANSACTIONS):
                writer.random.choice(fetched).begin()
                writer.transaction()
                for number, each in enumerate(watched):
                    with self.subTest(seed=seed, step=step, case=number):
                        each.check(self, database)
                        if writer.random.random() < 0.3:
                            fetched[number].check(self, each)
            database.close()


if __name__ == "__main__":
    unittest.main()
