"""Queries that write and were left half-way: what they wrote is committed, on disk, and in the
lists.
"""

from __future__ import annotations

import unittest
from typing import Any, Callable, Iterator

from support import StoreTestCase

from fetchedresults import BusyError, Store

INSERT = "INSERT INTO orders (name) VALUES ('x'), ('y'), ('z') RETURNING id"
LINE = "INSERT INTO lines (order_id) VALUES (?)"


def loop(store: Store) -> None:
    for row in store.query(INSERT):
        store.execute(LINE, [row["id"]])


def loop_of_inserts(store: Store) -> None:
    for row in store.query(INSERT):
        store.insert("lines", order_id=row["id"])


def loop_with_break(store: Store) -> None:
    for row in store.query(INSERT):
        store.execute(LINE, [row["id"]])
        break


def loop_that_raises(store: Store) -> None:
    try:
        for row in store.query(INSERT):
            store.execute(LINE, [row["id"]])
            raise ZeroDivisionError
    except ZeroDivisionError:
        pass


def abandoned_generator(store: Store) -> None:
    def ids() -> Iterator[int]:
        for row in store.query(INSERT):
            yield row["id"]

    generator = ids()
    store.execute(LINE, [next(generator)])
    generator.close()


def closed_half_way(store: Store) -> None:
    with store.query(INSERT) as rows:
        store.execute(LINE, [next(rows)["id"]])


def nested(store: Store) -> None:
    for row in store.query(INSERT):
        for _ in store.query(LINE + " RETURNING id", [row["id"]]):
            store.execute("UPDATE orders SET name = name || '!' WHERE id = ?", [row["id"]])


def inner_left_by_break(store: Store) -> None:
    for row in store.query(INSERT):
        for _ in store.query("INSERT INTO lines (order_id) VALUES (?1), (?1) RETURNING id", [row["id"]]):
            break


def reader_half_way(store: Store) -> None:
    for _ in store.query("SELECT 1 UNION SELECT 2 UNION SELECT 3"):
        store.execute("INSERT INTO orders (name) VALUES ('x')")
        store.execute(LINE, [store.last_insert_rowid])


def update_half_way(store: Store) -> None:
    store.executemany("INSERT INTO orders (name) VALUES (?)", [("x",), ("y",), ("z",)])
    for row in store.query("UPDATE orders SET name = name || '.' RETURNING id"):
        store.execute(LINE, [row["id"]])


def delete_half_way(store: Store) -> None:
    loop(store)
    store.executemany("INSERT INTO orders (name) VALUES (?)", [("v",), ("w",)])
    for row in store.query("DELETE FROM orders WHERE name IN ('v', 'w') RETURNING id"):
        store.execute("UPDATE lines SET order_id = order_id WHERE order_id = ?", [row["id"]])


SHAPES: list = [
    loop,
    loop_of_inserts,
    loop_with_break,
    loop_that_raises,
    abandoned_generator,
    closed_half_way,
    nested,
    inner_left_by_break,
    reader_half_way,
    update_half_way,
    delete_half_way,
]


class UnfinishedQueries(StoreTestCase):
    def check(self, write: Callable[[Store], None], *, with_lists: bool, queued: bool) -> None:
        path = self.folder() / "a.db"
        store = Store(path, queued=queued)
        store.executescript(
            "CREATE TABLE orders (id INTEGER PRIMARY KEY, name TEXT);"
            "CREATE TABLE lines (id INTEGER PRIMARY KEY, order_id INT)"
        )
        lists: dict = {}
        if with_lists:
            lists = {table: store.fetch(table, sort="id") for table in ("orders", "lines")}
        write(store)
        self.assertFalse(store.in_transaction)
        store.dispatch()
        for table, shown in lists.items():
            self.assertEqual(contents(shown.objects), rows_of(store, table))
        expected = {table: rows_of(store, table) for table in ("orders", "lines")}
        store.close()
        with Store(path) as again:
            self.assertEqual({table: rows_of(again, table) for table in ("orders", "lines")}, expected)
        self.assertEqual(len(expected["orders"]), 3)
        self.assertGreater(len(expected["lines"]), 0)

    def each(self, wrap: Callable[[Callable], Callable]) -> None:
        for shape in SHAPES:
            for with_lists in (False, True):
                for queued in (False, True):
                    with self.subTest(shape.__name__, lists=with_lists, queued=queued):
                        self.check(wrap(shape), with_lists=with_lists, queued=queued)

    def test_are_committed(self):
        self.each(lambda shape: shape)

    def test_are_committed_with_the_transaction_around_them(self):
        def in_transaction(shape: Callable) -> Callable:
            def write(store: Store) -> None:
                with store.transaction():
                    shape(store)

            return write

        self.each(in_transaction)

    def test_are_committed_after_one_that_was_rolled_back(self):
        def after_rollback(shape: Callable) -> Callable:
            def write(store: Store) -> None:
                with self.assertRaises(ZeroDivisionError), store.transaction():
                    shape(store)
                    1 / 0
                self.assertEqual(rows_of(store, "orders"), [])
                shape(store)

            return write

        self.each(after_rollback)

    def test_hold_their_transaction_open_until_they_end(self):
        for ending in ("close", "exhaust", "drop"):
            with self.subTest(ending):
                store = self.store_of_orders()
                orders = store.fetch("orders")
                rows = store.query(INSERT)
                store.execute(LINE, [next(rows)["id"]])
                self.assertTrue(store.in_transaction)
                self.assertEqual(orders.count, 0)
                if ending == "close":
                    rows.close()
                elif ending == "exhaust":
                    list(rows)
                del rows
                store.dispatch()
                self.assertFalse(store.in_transaction)
                self.assertEqual(orders.count, 3)

    def test_let_no_other_transaction_begin_or_end(self):
        store = self.store_of_orders()
        rows = store.query(INSERT)
        with self.assertRaises(BusyError), store.transaction():
            self.fail("the transaction has begun")
        rows.close()
        self.assertEqual(len(rows_of(store, "orders")), 3)
        store.begin()
        rows = store.query(INSERT)
        with self.assertRaises(BusyError):
            store.commit()
        rows.close()
        store.commit()
        self.assertEqual(len(rows_of(store, "orders")), 6)

    def store_of_orders(self) -> Store:
        store = self.open()
        store.executescript(
            "CREATE TABLE orders (id INTEGER PRIMARY KEY, name TEXT);"
            "CREATE TABLE lines (id INTEGER PRIMARY KEY, order_id INT)"
        )
        return store


def contents(objects: Any) -> list:
    return [tuple(item.values()) for item in objects]


def rows_of(store: Store, table: str) -> list:
    return [tuple(row) for row in store.query(f"SELECT * FROM {table} ORDER BY id")]


if __name__ == "__main__":
    unittest.main()
