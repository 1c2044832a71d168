"""SQL functions and aggregates that the program makes."""

from __future__ import annotations

import gc
import subprocess
import sys
import textwrap
import threading
import unittest
import weakref
from datetime import date

from support import StoreTestCase, names

from fetchedresults import (
    BusyError,
    ClosedError,
    MisuseError,
    RangeError,
    SQLError,
    Store,
    WrongThreadError,
)


class Total:
    """A sum that can be a window."""

    def __init__(self) -> None:
        self.sum = 0

    def step(self, value) -> None:
        self.sum += value

    def inverse(self, value) -> None:
        self.sum -= value

    def value(self):
        return self.sum

    finalize = value


class FunctionsTestCase(StoreTestCase):
    def one(self, sql: str, params=()):
        ((value,),) = self.store.query(sql, params)
        return value


class Functions(FunctionsTestCase):
    def test_take_and_return_values_of_all_types(self):
        taken: list = []
        self.store.add_function("same", lambda value: taken.append(value) or value)
        values = [None, 0, -(2**63), 2**63 - 1, 1.5, float("inf"), "", "tea\0☕", b"", b"\0\xff"]
        for value in values:
            with self.subTest(value):
                self.assertEqual(self.one("SELECT same(?)", [value]), value)
                self.assertIs(type(taken[-1]), type(value))
        self.assertEqual(taken, values)
        self.store.add_function("is_odd", lambda text: text == "\udcffa")
        self.assertEqual(self.one("SELECT is_odd(CAST(x'ff61' AS TEXT))"), 1)

    def test_return_what_adapters_make(self):
        self.store.add_function("day", lambda: date(2024, 2, 29))
        self.assertEqual(self.one("SELECT day()"), "2024-02-29")
        self.store.add_adapter(date, date.toordinal)
        self.assertEqual(self.one("SELECT day()"), date(2024, 2, 29).toordinal())
        self.store.add_function("buffer", lambda: memoryview(b"ab"))
        self.assertEqual(self.one("SELECT buffer()"), b"ab")

    def test_are_distinguished_by_their_number_of_arguments(self):
        self.store.add_function("f", lambda *values: len(values))
        self.store.add_function("F", lambda a, b: "two", argument_count=2)
        self.assertEqual([self.one(f"SELECT f({args})") for args in ("", "1", "1, 2", "1, 2, 3")], [0, 1, "two", 3])
        self.store.add_function("f", lambda a, b: "replaced", argument_count=2)
        self.assertEqual(self.one("SELECT f(1, 2)"), "replaced")
        with self.assertRaises(SQLError):
            self.store.add_function("g", lambda: 1, argument_count=0)
            self.one("SELECT g(1)")

    def test_that_raise_have_the_call_raise_and_the_statement_undone(self):
        def fail(value):
            if value == "cider":
                raise ValueError("no cider")
            return value + "!"

        self.store.add_function("fail", fail)
        with self.assertRaisesRegex(ValueError, "no cider") as caught:
            self.store.execute("UPDATE items SET name = fail(name)")
        self.assertEqual(caught.exception.__context__.message, "ValueError: no cider")
        self.assertEqual(names(self.store.fetch("items", sort="name")), [["apple", "bread", "cider"]])
        for result in (2**63, object(), "\udc80"):
            self.store.add_function("wrong", lambda result=result: result)
            with self.subTest(result), self.assertRaises((OverflowError, TypeError, UnicodeError)):
                self.one("SELECT wrong()")
        with self.assertRaises(KeyboardInterrupt):
            self.store.add_function("stop", self.interrupt)
            self.one("SELECT stop()")
        self.assertEqual(self.one("SELECT 1"), 1)

    @staticmethod
    def interrupt():
        raise KeyboardInterrupt

    def test_can_be_used_by_lists(self):
        self.store.add_function("initial", lambda name: name[:1].upper(), deterministic=True)
        items = self.store.fetch("items", "initial(name) > 'A'", sort="name")
        reported: list = []
        items.add_observer(reported.append)
        self.assertEqual(names(items), [["bread", "cider"]])
        self.store.update("items", 2, name="dates")
        self.store.update("items", 1, name="ale")
        self.assertEqual(names(items), [["cider", "dates"]])
        self.assertEqual([change.type.name for changes in reported for change in changes], ["INSERT", "DELETE"])
        groups = self.store.fetch_select(
            "SELECT initial(name) AS initial, count(*) AS n FROM items GROUP BY 1 ORDER BY 1", identity="initial"
        )
        self.assertEqual([(row.initial, row.n) for row in groups.objects], [("A", 1), ("C", 1), ("D", 1)])
        self.store.delete("items", 2)
        self.assertEqual([row.initial for row in groups.objects], ["A", "C"])

    def test_can_be_used_by_lists_that_are_fetched_in_the_background(self):
        path = self.folder() / "items.db"
        store = self.open(path)
        store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
        store.executemany("INSERT INTO items (name) VALUES (?)", [("tea",), ("ale",)])
        store.add_function("initial", lambda name: name[:1])
        items = store.controller(store.fetch("items", "initial(name) = 't'").request)
        ends: list = []
        items.perform_fetch_async(ends.append)
        while not ends:
            store.wait(timeout=10)
        self.assertEqual((ends, names(items)), ([None], [["tea"]]))
        other = self.open(path)
        other.execute("INSERT INTO items (name) VALUES ('toast'), ('jam')")
        store.wait(timeout=10)
        self.assertEqual(names(items), [["tea", "toast"]])

    def test_can_be_used_by_the_schema(self):
        self.store.add_function("double", lambda value: value * 2, deterministic=True)
        self.store.execute("CREATE TABLE pairs (n INT, twice INT AS (double(n)))")
        self.store.execute("CREATE INDEX by_double ON pairs (double(n))")
        pairs = self.store.fetch("pairs", "twice > 2", identity=None)
        self.store.insert("pairs", n=3)
        self.assertEqual(pairs[0, 0].twice, 6)

    def test_of_generated_columns_are_called_for_commits_of_others(self):
        path = self.folder() / "pairs.db"
        store, other = self.open(path), self.open(path)
        for each in (store, other):
            each.add_function("double", lambda value: value * 2, argument_count=1, deterministic=True)
        store.execute("CREATE TABLE pairs (id INTEGER PRIMARY KEY, n INT, twice INT AS (double(n)))")
        store.executemany("INSERT INTO pairs (n) VALUES (?)", [(1,), (2,), (3,)])
        pairs = store.fetch("pairs", "twice > 2", sort="-twice")
        other.execute("UPDATE pairs SET n = 5 WHERE id = 2")
        other.delete("pairs", 3)
        store.wait(timeout=10)
        self.assertEqual([tuple(pair.values()) for pair in pairs.objects], [(2, 5, 10)])

    def test_cannot_use_the_store(self):
        self.store.add_function("nested", lambda: self.one("SELECT 1"))
        with self.assertRaisesRegex(MisuseError, "SQL function"):
            self.one("SELECT nested()")

    def test_are_not_replaced_while_a_statement_runs(self):
        self.store.add_function("f", lambda value: value)
        rows = self.store.query("SELECT f(id) FROM items")
        with self.assertRaises(BusyError):
            self.store.add_function("f", lambda value: 0)
        self.assertEqual([row[0] for row in rows], [1, 2, 3])

    def test_that_make_no_sense_are_refused(self):
        async def later(): ...

        for error, use in (
            (TypeError, lambda: self.store.add_function("f", 3)),
            (TypeError, lambda: self.store.add_function("f", later)),
            (TypeError, lambda: self.store.add_function(b"f", len)),
            (ValueError, lambda: self.store.add_function("f", len, argument_count=-1)),
            (RangeError, lambda: self.store.add_function("f", len, argument_count=2000)),
            (RangeError, lambda: self.store.add_function("f" * 300, len)),
            (MisuseError, lambda: self.store.add_function("FR_collect", len)),
            (TypeError, lambda: self.store.add_aggregate("f", type("A", (), {"step": later}))),
        ):
            with self.assertRaises(error):
                use()
        self.store.close()
        with self.assertRaises(ClosedError):
            self.store.add_function("f", len)

    def test_belong_to_the_thread_of_their_store(self):
        errors: list = []

        def use() -> None:
            try:
                self.store.add_function("f", len)
            except WrongThreadError as error:
                errors.append(error)

        thread = threading.Thread(target=use)
        thread.start()
        thread.join()
        self.assertEqual(len(errors), 1)

    def test_are_released_with_their_store(self):
        class Value: ...

        value = Value()
        lost = weakref.ref(value)
        store = Store()
        # A cycle through the store.
        store.add_function("f", lambda store=store, value=value: None)
        del value, store
        gc.collect()
        self.assertIsNone(lost())


class Aggregates(FunctionsTestCase):
    def test_have_an_object_for_each_group(self):
        made: list = []

        def make() -> Total:
            made.append(Total())
            return made[-1]

        self.store.add_aggregate("total_of", make)
        rows = self.store.query("SELECT list_id, total_of(rank) FROM items GROUP BY list_id ORDER BY 1")
        self.assertEqual([tuple(row) for row in rows], [(1, 3.0), (2, 3.0)])
        self.assertEqual(len(made), 2)
        self.assertEqual(self.one("SELECT total_of(rank) FROM items WHERE 0"), 0)

    def test_can_be_windows(self):
        self.store.add_aggregate("total_of", Total, argument_count=1)
        rows = self.store.query(
            "SELECT total_of(rank) OVER (ORDER BY rank ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM items"
        )
        self.assertEqual([row[0] for row in rows], [1.0, 3.0, 5.0])

        class Plain:
            step, finalize = Total.step, Total.finalize

        self.store.add_aggregate("plain", Plain)
        with self.assertRaises(SQLError):
            self.one("SELECT plain(rank) OVER () FROM items")

    def test_that_raise_have_the_call_raise(self):
        class Fails:
            def __init__(self) -> None:
                steps.append("made")
                if "make" in wrong:
                    raise ValueError("make")

            def step(self, value) -> None:
                steps.append(value)
                if "step" in wrong:
                    raise ValueError("step")

            def finalize(self) -> None:
                steps.append("end")
                if "finalize" in wrong:
                    raise ValueError("finalize")

        self.store.add_aggregate("fails", Fails)
        for wrong, expected in (
            ({"make"}, ["made"]),
            ({"step"}, ["made", 1]),
            ({"finalize"}, ["made", 1, 2, 3, "end"]),
        ):
            steps: list = []
            with self.subTest(wrong), self.assertRaisesRegex(ValueError, min(wrong)):
                self.one("SELECT fails(id) FROM items")
            self.assertEqual(steps, expected)
        receiver = self.store._kept_functions["fails", -1]
        self.assertEqual(receiver._groups, {})

    def test_can_be_used_by_lists(self):
        self.store.add_aggregate("total_of", Total)
        totals = self.store.fetch_select(
            "SELECT list_id, total_of(rank) AS total FROM items GROUP BY list_id ORDER BY list_id", identity="list_id"
        )
        self.assertEqual([row.total for row in totals.objects], [3.0, 3.0])
        self.store.update("items", 3, rank=10)
        self.assertEqual([row.total for row in totals.objects], [3.0, 10.0])


OUTLIVING = """
    import ctypes, gc, weakref
    from fetchedresults import Store
    from fetchedresults._api import _loaded
    connection = ctypes.c_void_p()
    _loaded.sqlite3_open(b":memory:", ctypes.byref(connection))
    store = Store.from_handle(connection.value)
    function = lambda: 7
    lost = weakref.ref(function)
    store.add_function("seven", function)
    store.close()
    del function
    gc.collect()
    def execute(sql):
        message = ctypes.c_char_p()
        return _loaded.sqlite3_exec(connection, sql, None, None, ctypes.byref(message)), message.value
    print(execute(b"CREATE TABLE t (n DEFAULT (seven()))"), execute(b"INSERT INTO t DEFAULT VALUES"), lost() is None)
    def fail():
        raise ValueError("no call of the library is under way")
    store = Store.from_handle(connection.value)
    store.add_function("fail", fail)
    store.close()
    print(execute(b"SELECT fail()"))
    if CLOSES:
        _loaded.sqlite3_close(connection)
        gc.collect()
        print(lost() is None)
"""


class AdoptedConnections(unittest.TestCase):
    def test_keep_functions_until_they_are_closed(self):
        for closes, printed in ((True, "True\n"), (False, "")):
            program = f"CLOSES = {closes}\n" + textwrap.dedent(OUTLIVING)
            done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(
                done.stdout,
                "(0, None) (0, None) False\n(1, b'ValueError: no call of the library is under way')\n" + printed,
            )


if __name__ == "__main__":
    unittest.main()
