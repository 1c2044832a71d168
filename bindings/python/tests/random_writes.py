"""Random transactions, and requests that show what they change."""

from __future__ import annotations

import random

from seeds import seeds

from fetchedresults import ConstraintError, Request, Sort, Store

SEEDS = seeds(12)

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


REQUESTS = [
    Request("items", sort="name"),
    Request("items", sort=["-rank", "name"], section="list_id"),
    Request(
        "items",
        "rank >= :least",
        {"least": 2},
        sort=Sort("name", collation="NOCASE", nulls="last"),
        section=Sort("list_id.title", descending=True, nulls="first"),
    ),
    Request("items", "list_id.position > 1", sort=["list_id.position", "-id"]),
    Request("items", sort="rank", section="list_id", limit=6, offset=2),
    Request("items", "id IN (SELECT item_id FROM tags WHERE tag > 'b')", sort="-name"),
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
