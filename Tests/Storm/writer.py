"""Another process of a storm: writer.py DATABASE COMMITS RESTING... commits 50 times a second.

It inserts, deletes, renames and moves rows of the table "items", but nothing to the ranks from
4,000 to 6,000, where the test looks. It updates the rows whose identities are RESTING, and moves
one only if its identity is written as a negative number. The last commit inserts the row END. The
seed of the changes is FR_SEED.
"""

import os
import random
import sqlite3
import sys
import time

END = 1_000_000
SCHEMA = "CREATE TABLE items (id INTEGER PRIMARY KEY, title TEXT NOT NULL, rank REAL, note INTEGER DEFAULT 0)"


def fill(path, count):
    """Makes the table: the rows 1 to count, in the order of their ids."""
    with sqlite3.connect(path, isolation_level=None) as connection:
        connection.execute("PRAGMA journal_mode = wal")
        connection.execute(SCHEMA)
        connection.execute("BEGIN")
        connection.executemany(
            "INSERT INTO items (id, title, rank) VALUES (?, ?, ?)",
            ((number, f"item {number}", number * 10) for number in range(1, count + 1)),
        )
        connection.execute("COMMIT")
    connection.close()


def changes(choice, identities):
    """One transaction: statements with parameters."""
    resting = ",".join(str(abs(identity)) for identity in identities)
    far = choice.choice([choice.uniform(0, 4000), choice.uniform(6000, 20_000)])
    other = f"SELECT id FROM items WHERE id NOT IN ({resting}) AND id >= {choice.randint(1, 2000)} LIMIT 1"
    return choice.choice(
        [
            ("INSERT INTO items (title, rank) VALUES ('new', ?)", (far,)),
            ("INSERT INTO items (title, rank) VALUES ('first', ?)", (choice.uniform(-1000, 0),)),
            (f"DELETE FROM items WHERE id = ({other})", ()),
            (f"UPDATE items SET title = 'renamed' WHERE id = ({other})", ()),
            (f"UPDATE items SET rank = ? WHERE id = ({other})", (far,)),
            (f"UPDATE items SET note = note + 1 WHERE id IN ({resting})", ()),
            ("UPDATE items SET note = note + 1 WHERE id BETWEEN ? AND ? + 30", (int(far / 10),) * 2),
            *[("UPDATE items SET rank = ? WHERE id = ?", (far, -identity)) for identity in identities if identity < 0],
        ]
    )


def main(path, commits, *resting):
    choice = random.Random(int(os.environ.get("FR_SEED", "1")))
    connection = sqlite3.connect(path, timeout=60, isolation_level=None)
    identities = [int(identity) for identity in resting]
    for _ in range(int(commits)):
        connection.execute(*changes(choice, identities))
        time.sleep(0.02)
    connection.execute("INSERT INTO items (id, title, rank) VALUES (?, 'end', 1e9)", (END,))
    connection.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
