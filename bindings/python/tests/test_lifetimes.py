"""Handles: closed ones raise, dropped ones are freed, and nothing crashes at the end."""

from __future__ import annotations

import gc
import unittest
import weakref

from support import StoreTestCase, names, run_python

from fetchedresults import ClosedError, Controller, Observer, RangeError, Request, Status, Store


class Closing(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.items = self.store.fetch("items", sort="name")
        self.item = self.items[0, 0]

    def test_can_be_done_again(self):
        for closable in (self.items, self.store):
            self.assertFalse(closable.closed)
            closable.close()
            closable.close()
            self.assertTrue(closable.closed)

    def test_ends_blocks(self):
        with Store() as store:
            self.assertFalse(store.closed)
        self.assertTrue(store.closed)
        with self.store.fetch("items") as items:
            self.assertFalse(items.closed)
        self.assertTrue(items.closed)

    def test_of_a_store_is_raised_by_everything_that_uses_it(self):
        rows = self.store.query("SELECT id FROM items")
        section, objects = self.items[0], self.items.objects
        self.store.close()
        for use in (
            lambda: self.store.execute("SELECT 1"),
            lambda: self.store.executescript("SELECT 1"),
            lambda: self.store.executemany("SELECT ?", [(1,)]),
            lambda: self.store.query("SELECT 1"),
            lambda: self.store.begin(),
            lambda: self.store.commit(),
            lambda: self.store.rollback(),
            lambda: self.store.transaction().__enter__(),
            lambda: self.store.in_transaction,
            lambda: self.store.changes,
            lambda: self.store.last_insert_rowid,
            lambda: self.store.insert("items"),
            lambda: self.store.update("items", 1, name="x"),
            lambda: self.store.delete("items", 1),
            lambda: self.store.get("items", 1),
            lambda: self.store.fetch("items"),
            lambda: self.store.dispatch(),
            lambda: self.store.add_collation("MINE", lambda a, b: 0),
            lambda: self.store.sqlite_handle,
            lambda: self.items.count,
            lambda: self.items[0],
            lambda: self.items[0, 0],
            lambda: self.items.perform_fetch(),
            lambda: self.items.set_request(Request("items")),
            lambda: self.items.index_path_of(1),
            lambda: len(section),
            lambda: section.name,
            lambda: list(objects),
            lambda: list(rows),
        ):
            with self.assertRaises(ClosedError) as caught:
                use()
            self.assertEqual(caught.exception.status, Status.CLOSED)
            self.assertIsInstance(caught.exception, ValueError)
        self.assertIn("closed", repr(self.store))
        self.assertIn("closed", repr(self.items))

    def test_of_a_controller_is_raised_by_everything_that_uses_it(self):
        section = self.items[0]
        self.items.close()
        for use in (
            lambda: self.items.count,
            lambda: len(self.items),
            lambda: self.items.is_fetched,
            lambda: self.items.perform_fetch(),
            lambda: self.items.add_observer(print),
            lambda: self.items.counters,
            lambda: section.count,
            lambda: setattr(self.items, "index_title_function", str.upper),
        ):
            with self.assertRaises(ClosedError):
                use()
        self.assertEqual(self.item.name, "apple")

    def test_in_any_order_is_fine(self):
        self.store.close()
        self.items.close()
        store = Store()
        store.execute("CREATE TABLE t (x)")
        controller = store.fetch("t")
        controller.close()
        store.close()

    def test_rolls_an_open_transaction_back(self):
        path = self.folder() / "a.db"
        store = Store(path)
        store.execute("CREATE TABLE t (x)")
        store.begin()
        store.insert("t", x=1)
        store.close()
        with Store(path) as store:
            self.assertEqual(list(store.query("SELECT * FROM t")), [])


class Losing(StoreTestCase):
    def test_a_controller_frees_it_and_its_observers(self):
        reported = []

        class Watcher(Observer):
            def __init__(self, controller):
                self.controller = controller

            def did_change(self, controller):
                reported.append(controller)

        items = self.store.fetch("items")
        watcher = Watcher(items)
        items.add_observer(watcher)
        items.index_title_function = watcher.__str__
        items, watcher = weakref.ref(items), weakref.ref(watcher)
        gc.collect()
        self.assertEqual((items(), watcher()), (None, None))
        self.store.insert("items", name="x")
        self.assertEqual(reported, [])

    def test_a_controller_keeps_its_observers_as_long_as_it_lives(self):
        reported = []
        items = self.store.fetch("items")
        items.add_observer(lambda changes: reported.append(changes))
        gc.collect()
        self.store.insert("items", name="x")
        self.assertEqual(len(reported), 1)

    def test_an_observation_keeps_its_controller(self):
        reported = []
        observation = self.store.fetch("items").add_observer(reported.append)
        gc.collect()
        self.store.insert("items", name="x")
        self.assertEqual((len(reported), observation.active), (1, True))

    def test_a_store_closes_it_when_nothing_needs_it_any_more(self):
        store = Store()
        store.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)")
        controller = store.fetch("t")
        lost = weakref.ref(store)
        del store
        gc.collect()
        self.assertIsNotNone(lost())
        self.assertEqual(controller.count, 0)
        del controller
        gc.collect()
        self.assertIsNone(lost())

    def test_errors_keep_nothing_alive(self):
        def fail(changes):
            raise ZeroDivisionError

        def lost_after(use, error):
            items = self.store.fetch("items")
            items.add_observer(fail)
            try:
                use(items)
            except error:
                pass
            return weakref.ref(items)

        gc.disable()
        self.addCleanup(gc.enable)
        self.assertIsNone(lost_after(lambda items: items.index_path_of((1, 2)), RangeError)())
        self.assertIsNone(lost_after(lambda items: self.store.insert("items"), ZeroDivisionError)())

    def test_a_list_of_a_closed_store_is_fine(self):
        items = self.store.fetch("items")
        reported = []
        items.add_observer(reported.append)
        self.store.insert("items", name="x")
        self.store.close()
        del items
        reported.clear()
        gc.collect()

    def test_many_leaks_nothing(self):
        def fail(changes):
            raise ZeroDivisionError

        def rounds(count):
            for _ in range(count):
                with self.store.fetch("items").add_observer(fail), self.assertRaises(ZeroDivisionError):
                    self.store.insert("items", id=9)
                self.store.delete("items", 9)
                items = self.store.fetch("items", "rank > ?", [0], sort="name", section="list_id")
                items.index_title_function = str.upper
                kept = []
                items.add_observer(kept.append)
                self.store.execute("UPDATE items SET rank = rank + 1 WHERE id = 1")
                names(items)
                kept[0].sequential()
                kept[0][0].old_values
                next(self.store.query("SELECT * FROM items"))
            gc.collect()
            self.store.dispatch()

        rounds(50)
        before = resident()
        rounds(1000)
        self.assertLess(resident() - before, 4_000_000)


def resident() -> int:
    """The memory that this process takes, in bytes."""
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
    raise AssertionError("there is no VmRSS")


class Exit(unittest.TestCase):
    PREPARE = """
        import fetchedresults
        store = fetchedresults.Store()
        store.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)")
        store.add_collation("MINE", lambda a, b: (a > b) - (a < b))
        rows = store.fetch("t", sort=fetchedresults.Sort("name", collation="MINE"))
        kept = []
        observation = rows.add_observer(kept.append)
        store.insert("t", name="x")
        query = store.query("SELECT * FROM t UNION SELECT 2, 'y'")
        next(query)
        store.begin()
        store.insert("t", name="y")
    """

    def check(self, end: str, code: int = 0, stderr: str = "") -> None:
        done = run_python(self.PREPARE + end)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(stderr, done.stderr)
        if not stderr:
            self.assertEqual(done.stderr, "")

    def test_with_everything_open_is_clean(self):
        self.check("")

    def test_after_an_error_is_clean(self):
        self.check("\n        raise SystemExit(3)", code=3)

    def test_with_everything_in_a_cycle_is_clean(self):
        self.check("\n        kept.extend([store, rows, kept, query, observation]); rows._cycle = store._cycle = kept")

    def test_inside_a_callback_is_clean(self):
        self.check(
            "\n        rows.add_observer(lambda changes: exit(4))\n        store.commit()",
            code=4,
        )


class Misuse(StoreTestCase):
    def test_of_arguments_is_reported(self):
        for error, use in (
            (TypeError, lambda: Controller(self.store, "items")),
            (TypeError, lambda: Store(3)),
            (TypeError, lambda: self.store.get("items", object())),
            (OverflowError, lambda: self.store.get("items", 2**70)),
            (TypeError, lambda: self.store.fetch("items")[0, 0, 0]),
            (TypeError, lambda: self.store.fetch("items")[1.5]),
        ):
            with self.assertRaises(error):
                use()


if __name__ == "__main__":
    unittest.main()
