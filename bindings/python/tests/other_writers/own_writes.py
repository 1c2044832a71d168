"""What the store itself, or the program on its own connection, writes in between."""

from __future__ import annotations

import random
from collections.abc import Iterator

WRITES = [
    "REPLACE INTO items VALUES ({id}, '{name}', '{name}', {id}, {id} % 8 + 1, zeroblob({id} * 100))",
    "UPDATE items SET name = '{name}', section = '{name}' WHERE id % 20 = {id} % 20",
    "DELETE FROM items WHERE id = {id} OR name = '{name}'",
    "REPLACE INTO pairs VALUES ({id} % 5, '{name}', {id})",
    "UPDATE sections SET title = '{name}' WHERE id = {id} % 8 + 1",
]


def own_transaction(chance: random.Random) -> Iterator[str]:
    yield "BEGIN IMMEDIATE"
    for _ in range(chance.choice([1, 1, 5])):
        yield chance.choice(WRITES).format(id=chance.randint(1, 60), name=chance.choice("abcdefghijklmnop"))
    if chance.random() < 0.3:
        yield from ("SAVEPOINT inner", "DELETE FROM items WHERE id % 2", "ROLLBACK TO inner", "RELEASE inner")
    yield "COMMIT"
