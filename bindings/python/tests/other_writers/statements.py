"""Statements at random: what writers of every kind run."""

from __future__ import annotations

import random
from typing import Any, NamedTuple


class Statement(NamedTuple):
    sql: str
    parameters: tuple = ()

    @property
    def literal(self) -> str:
        """The statement with its values written out, for a shell."""
        first, *others = self.sql.split("?")
        return first + "".join(map("".join, zip(map(quoted, self.parameters), others))) + ";"


def quoted(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"x'{value.hex()}'"
    return f"'{value}'" if isinstance(value, str) else repr(value)


WRITES = [
    (6, "INSERT OR IGNORE INTO items VALUES (?, ?, ?, ?, ?, ?)", "item name section size key blob"),
    (6, "REPLACE INTO items VALUES (?, ?, ?, ?, ?, ?)", "item name section size key blob"),
    (2, "INSERT INTO items (name, section) SELECT ?, ? WHERE (SELECT max(id) FROM items) < 90", "name section"),
    (4, "UPDATE items SET name = ? WHERE id = ?", "name item"),
    (3, "UPDATE items SET size = ?, blob = ? WHERE id = ?", "size blob item"),
    (3, "UPDATE items SET section = ? WHERE id = ?", "section item"),
    (3, "UPDATE items SET section_id = ? WHERE id = ?", "key item"),
    (2, "UPDATE items SET size = size + 1 WHERE id % 7 = ? % 7", "item"),
    (1, "UPDATE items SET section = ? WHERE section IS ?", "section section"),
    (1, "UPDATE items SET name = name", ""),
    (2, "UPDATE OR REPLACE items SET id = ? WHERE id = ?", "item item"),
    (4, "DELETE FROM items WHERE id = ?", "item"),
    (2, "DELETE FROM items WHERE id > 60 + ?", "item"),
    (1, "DELETE FROM items WHERE id % 5 = ? % 5", "item"),
    (4, "REPLACE INTO pairs VALUES (?, ?, ?)", "a b value"),
    (3, "UPDATE pairs SET v = ? WHERE (a, b) = (?, ?)", "value a b"),
    (2, "UPDATE OR REPLACE pairs SET a = ? % 5 WHERE (a, b) = (?, ?)", "item a b"),
    (1, "UPDATE pairs SET v = a || b WHERE a < ? % 5", "item"),
    (2, "DELETE FROM pairs WHERE (a, b) = (?, ?)", "a b"),
    (2, "REPLACE INTO sections VALUES (? % 8 + 1, ?)", "item name"),
    (2, "UPDATE sections SET title = ? WHERE id = ? % 8 + 1", "name item"),
    (1, "DELETE FROM sections WHERE id = ? % 8 + 1", "item"),
    (0.1, "DELETE FROM pairs", ""),
    (0.1, "DELETE FROM items", ""),
]

ATTACHED_WRITES = [
    (2, "REPLACE INTO beside.notes VALUES (?, ?)", "item name"),
    (1, "DELETE FROM beside.notes WHERE id = ?", "item"),
]

REBUILD = """
    BEGIN IMMEDIATE;
    CREATE TABLE rebuilt (a INTEGER, b TEXT, v, PRIMARY KEY (a, b)) WITHOUT ROWID;
    INSERT INTO rebuilt SELECT * FROM pairs;
    DROP TABLE pairs;
    ALTER TABLE rebuilt RENAME TO pairs;
    COMMIT
"""

UPKEEP = [
    (4, "PRAGMA wal_checkpoint(PASSIVE)"),
    (2, "PRAGMA wal_checkpoint(FULL)"),
    (2, "PRAGMA wal_checkpoint(RESTART)"),
    (2, "PRAGMA wal_checkpoint(TRUNCATE)"),
    (1, "PRAGMA incremental_vacuum(5)"),
    (1, "VACUUM"),
    (0.3, "PRAGMA auto_vacuum = NONE; VACUUM"),
    (0.3, "PRAGMA auto_vacuum = FULL; VACUUM"),
    (0.3, "PRAGMA auto_vacuum = INCREMENTAL; VACUUM"),
    (1, "CREATE INDEX IF NOT EXISTS items_by_size ON items (size)"),
    (1, "DROP INDEX IF EXISTS items_by_size"),
    (0.5, "CREATE TABLE IF NOT EXISTS scratch AS SELECT * FROM items"),
    (0.5, "DROP TABLE IF EXISTS scratch"),
    (0.3, "REINDEX; ANALYZE"),
    (0.3, REBUILD),
    # While a list follows the log, SQLite refuses to leave WAL mode.
    (0.3, "PRAGMA journal_mode = DELETE"),
    (0.3, "PRAGMA journal_mode = PERSIST"),
    (0.3, "PRAGMA journal_mode = WAL"),
]


class Statements:
    """Statements by chance."""

    def __init__(self, chance: random.Random, *, is_attached: bool = False) -> None:
        self.chance = chance
        self.writes = WRITES + ATTACHED_WRITES * is_attached
        # Two writers that lock two files in another order would wait for each other until their
        # time is up.
        self.begins = ["BEGIN IMMEDIATE"] if is_attached else ["BEGIN", "BEGIN IMMEDIATE", "BEGIN IMMEDIATE"]

    def one_of(self, table: list) -> tuple:
        return self.chance.choices(table, [entry[0] for entry in table])[0]

    def write(self) -> Statement:
        _, sql, makers = self.one_of(self.writes)
        return Statement(sql, tuple(getattr(self, maker)() for maker in makers.split()))

    def upkeep(self) -> list[str]:
        return [sql.strip() for sql in self.one_of(UPKEEP)[1].split(";")]

    def some_writes(self) -> list[Statement]:
        statements = []
        for _ in range(self.chance.choice([1, 1, 1, 1, 1, 2, 3, 20])):
            statements.append(self.write())
            if self.chance.random() < 0.1:
                statements += self.savepoint()
        return statements

    def savepoint(self) -> list[Statement]:
        back = [Statement("ROLLBACK TO inner")] if self.chance.random() < 0.5 else []
        return [Statement("SAVEPOINT inner"), self.write(), self.write(), *back, Statement("RELEASE inner")]

    def transaction(self, writer: int) -> list[Statement]:
        """A transaction that counts itself if it commits."""
        begin = Statement(self.chance.choice(self.begins))
        count = Statement("UPDATE marks SET commits = commits + 1 WHERE writer = ?", (writer,))
        end = Statement("ROLLBACK" if self.chance.random() < 0.05 else "COMMIT")
        return [begin, *self.some_writes(), count, end]

    # Values

    def item(self) -> int:
        return self.chance.randint(1, 60)

    def name(self) -> str:
        return self.chance.choice("abcdefghijklmnop") * self.chance.randint(1, 3)

    def section(self) -> Any:
        return self.chance.choice(["a", "b", "c", "d", None])

    def size(self) -> Any:
        number = self.chance.randint(0, 99)
        return self.chance.choice([number, number, self.chance.random() * 99, None, "small"])

    def key(self) -> Any:
        return self.chance.choice([None, *range(1, 9)])

    def blob(self) -> bytes:
        return self.chance.randbytes(self.chance.choice([0, 0, 1, 1, 10, 10, 100, 1000, self.chance.randrange(20_001)]))

    def value(self) -> Any:
        return self.chance.choice([None, self.chance.randint(0, 9), self.name() * self.chance.choice([1, 1, 10, 1000])])

    def a(self) -> int:
        return self.chance.randint(1, 5)

    def b(self) -> str:
        return self.chance.choice("uvwxyz")
