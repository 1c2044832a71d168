"""Threads: a store is used by the one that it belongs to, and another one gets an error rather than
a crash.
"""

from __future__ import annotations

import gc
import os
import pickle
import tempfile
import threading
import unittest
from typing import Any, Callable, NamedTuple
from unittest import mock

from support import StoreTestCase, names, run_python

from fetchedresults import (
    Collection,
    ColumnCells,
    Controller,
    Coordinator,
    EntityList,
    FetchedResultsError,
    MisuseError,
    Observer,
    Placeholder,
    Request,
    SectionMap,
    Status,
    Store,
    TableDataSource,
    View,
    WrongThreadError,
    _calls,
)


def in_thread(function: Callable[[], Any]) -> Any:
    """What a function returns or raises in a thread of its own."""
    results: list = []

    def run() -> None:
        try:
            results.append(function())
        except BaseException as error:
            results.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return results[0]


class Items(EntityList):
    entity = "items"
    sort = "name"


class Row(NamedTuple):
    id: int


class FirstCalls(unittest.TestCase):
    def test_of_a_thread_find_the_calls_that_a_collection_meanwhile_has_begun(self):
        seen: list = []
        make = _calls.Calls.__init__

        def collect(calls) -> None:
            # As a finalizer does that runs at this moment.
            if not seen:
                seen.append(calls)
                seen.append(_calls.this_thread.calls)
            make(calls)

        def use() -> None:
            seen.append(_calls.this_thread.calls)

        with mock.patch.object(_calls.Calls, "__init__", collect):
            thread = threading.Thread(target=use)
            thread.start()
            thread.join()
        self.assertIs(seen[1], seen[2])


class OtherThreads(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.items = self.store.fetch("items", sort="name", section="list_id.title")

    def test_get_an_error_from_all_that_comes_from_a_store_and_change_nothing(self):
        store, items = self.store, self.items
        section, objects, iterator = items[0], items.objects, iter(items.objects)
        rows = store.query("SELECT id FROM items")
        reported: list = []
        observation = items.add_observer(reported.append)
        section_map = SectionMap(store, Request("items"), Request("lists"), "list_id", fetch=True)
        collection = Collection([items, Placeholder("End")], fetch=True)
        placeholder = collection.children[1]
        view = Coordinator(View(), items, load=True)
        source = TableDataSource(items, ColumnCells(["name"]))
        shown = Items(store=store)
        transaction = store.transaction()
        store.update("items", 1, rank=9.0)
        change = reported[0][0]
        with store.transaction():
            for use in (
                lambda: store.execute("DELETE FROM items"),
                lambda: store.executescript("DELETE FROM items"),
                lambda: store.executemany("DELETE FROM items WHERE id = ?", [(1,)]),
                lambda: store.query("DELETE FROM items RETURNING id"),
                lambda: store.begin(),
                lambda: store.commit(),
                lambda: store.rollback(),
                lambda: transaction.__enter__(),
                lambda: transaction.__exit__(None, None, None),
                lambda: transaction.__exit__(ValueError, ValueError(), None),
                lambda: store.in_transaction,
                lambda: store.changes,
                lambda: store.insert("items", name="x"),
                lambda: store.update("items", 1, name="x"),
                lambda: store.delete("items", 1),
                lambda: store.get("items", 1),
                lambda: store.fetch("items"),
                lambda: store.dispatch(),
                lambda: store.fileno(),
                lambda: store.wait(0),
                lambda: store.add_collation("MINE", lambda a, b: 0),
                lambda: store.add_function("mine", len),
                lambda: store.add_aggregate("mine", list),
                lambda: store.add_adapter(range, list),
                lambda: store.add_converter(range, range),
                lambda: store.fetch_select("SELECT id FROM items WHERE id = :id", {"id": 1}, identity="id"),
                lambda: bool(items),
                lambda: change.object in items,
                lambda: items[0, -1],
                lambda: list(items.as_rows(Row)),
                lambda: pickle.dumps(change),
                lambda: source.close(),
                lambda: placeholder.close(),
                lambda: store.delete_all_caches(),
                lambda: store.sqlite_handle,
                lambda: store.close(),
                lambda: store.__exit__(None, None, None),
                lambda: Controller(store, Request("items")),
                lambda: items.count,
                lambda: len(items),
                lambda: items[0],
                lambda: items[0, 0],
                lambda: list(items),
                lambda: items.perform_fetch(),
                lambda: items.perform_fetch_async(),
                lambda: items.set_request(Request("items")),
                lambda: items.index_path_of(1),
                lambda: items.section_index_titles,
                lambda: items.pause(),
                lambda: items.resume(),
                lambda: items.counters,
                lambda: items.add_observer(print),
                lambda: setattr(items, "index_title_function", str.upper),
                lambda: items.close(),
                lambda: section.name,
                lambda: list(section),
                lambda: list(objects),
                lambda: objects[0],
                lambda: next(iterator),
                lambda: next(rows),
                lambda: rows.close(),
                lambda: observation.cancel(),
                lambda: section_map.set_keys([1]),
                lambda: setattr(section_map, "disabled", True),
                lambda: section_map.all_sections,
                lambda: collection.count,
                lambda: collection.pop(),
                lambda: collection.append(Placeholder()),
                lambda: collection.close(),
                lambda: setattr(placeholder, "name", "x"),
                lambda: Collection([items]),
                lambda: view.load_data(),
                lambda: view.paused,
                lambda: setattr(view, "paused", True),
                lambda: view.close(),
                lambda: source.row_count(0),
                lambda: source.cell((0, 0)),
                lambda: setattr(source, "table_index", True),
                lambda: shown.add_item(name="x"),
                lambda: shown.delete_item((0, 0)),
                lambda: shown.set_store(None),
                lambda: shown.close(),
                lambda: change.object,
                lambda: change.old_values,
                lambda: change.changed_columns,
            ):
                error = in_thread(use)
                self.assertIsInstance(error, WrongThreadError, use.__code__.co_firstlineno)
                self.assertIsInstance(error, MisuseError)
                self.assertEqual(error.status, Status.MISUSE)
            self.assertTrue(store.in_transaction)
        self.assertFalse(store.closed or items.closed or collection.closed or view.closed or shown.closed)
        self.assertEqual((observation.active, placeholder.name, len(collection.children)), (True, "End", 2))
        self.assertEqual(items.section_key_path, "list_id.title")
        self.assertEqual(names(items), [["cider"], ["apple", "bread"]])
        self.assertEqual((shown.store, shown.live_list.count), (store, 3))
        self.assertEqual(next(iterator).name, "cider")
        self.assertEqual(sorted(row["id"] for row in rows), [1, 2, 3])
        self.assertEqual(change.object.rank, 9.0)

    def test_may_use_what_never_changes(self):
        item = self.items[0, 0]
        reported: list = []
        self.items.add_observer(reported.append)
        self.store.insert("items", name="date", list_id=2)
        with self.assertRaises(FetchedResultsError) as caught:
            self.store.execute("nonsense")
        error, (change,) = caught.exception, reported[0]
        rows = list(self.store.query("SELECT name FROM items ORDER BY name"))
        self.assertEqual(in_thread(lambda: (item.name, dict(item)["id"], item == item)), ("cider", 3, True))
        self.assertEqual(in_thread(lambda: (change.type.name, tuple(change.new_path))), ("INSERT", (0, 1)))
        self.assertEqual(in_thread(lambda: (len(reported[0]), reported[0].is_reload)), (1, False))
        self.assertEqual(in_thread(lambda: error.sql), "nonsense")
        self.assertEqual(in_thread(lambda: rows[0]["name"]), "apple")

    def test_can_be_handed_a_store(self):
        def use() -> list:
            self.store.use_in_this_thread()
            self.store.insert("items", name="x", list_id=2)
            return names(self.items)

        for count in range(1, 4):
            self.assertEqual(in_thread(use), [["cider"] + ["x"] * count, ["apple", "bread"]])
            with self.assertRaises(WrongThreadError):
                self.items.count
        self.store.use_in_this_thread()
        self.assertEqual(self.items.count, 6)

    def test_are_handed_the_collections_of_a_store(self):
        collection = Collection([self.items, Placeholder("End")], fetch=True)
        outer = Collection([collection])
        outer.perform_fetch()

        def use() -> int:
            self.store.use_in_this_thread()
            collection.children[1].name = "Fin"
            return outer.count

        self.assertEqual(in_thread(use), 3)
        with self.assertRaises(WrongThreadError):
            outer.count
        self.store.use_in_this_thread()

    def test_can_be_handed_no_store_that_is_at_work(self):
        seen: list = []

        class Hander(Observer):
            def did_deliver(self, controller, changes):
                seen.append(in_thread(self.store.use_in_this_thread))
                seen.append(in_thread(lambda: self.items.count))

        hander = Hander()
        hander.store, hander.items = self.store, self.items
        self.items.add_observer(hander)
        self.store.insert("items", name="x")
        self.assertEqual([type(error) for error in seen], [WrongThreadError] * 2)
        self.assertEqual(self.items.count, 4)

    def test_cannot_be_handed_a_closed_store(self):
        self.store.close()
        self.assertEqual(in_thread(self.store.use_in_this_thread).status, Status.CLOSED)

    def test_have_no_lists_in_a_collection_with_those_of_this_one(self):
        def make() -> tuple:
            store = Store()
            store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY)")
            return store, store.fetch("items")

        other, items = in_thread(make)
        collection = Collection([self.items])
        with self.assertRaises(WrongThreadError):
            collection.append(items)
        self.assertEqual(collection.children, (self.items,))
        other.use_in_this_thread()
        collection.append(items)
        other.close()

    def test_may_use_different_stores_in_parallel(self):
        errors = []

        def use(number):
            try:
                with Store() as store:
                    store.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v)")
                    rows = store.fetch("t", sort="-v")
                    reported = []
                    rows.add_observer(reported.append)
                    for value in range(100):
                        store.insert("t", v=value * number)
                    assert len(reported) == 100
                    assert [row.v for row in rows[0]] == [value * number for value in reversed(range(100))]
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=use, args=(number,)) for number in range(1, 9)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [])


class UncheckedStores(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.store = self.open(check_same_thread=False)
        self.store.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)")
        self.rows = self.store.fetch("t")

    def test_may_be_used_by_threads_that_take_turns(self):
        def use() -> int:
            self.store.insert("t")
            return self.rows.count

        self.assertEqual([in_thread(use) for _ in range(3)], [1, 2, 3])
        self.assertEqual(self.rows.count, 3)
        in_thread(self.store.close)
        self.assertTrue(self.store.closed)

    def test_refuse_a_thread_that_does_not_wait_for_its_turn(self):
        seen: list = []
        self.rows.add_observer(lambda changes: seen.append(in_thread(lambda: self.rows.count)))
        self.store.insert("t")
        self.assertIsInstance(seen[0], WrongThreadError)
        self.assertEqual(in_thread(lambda: self.rows.count), 1)

    def test_may_be_used_while_their_last_thread_uses_another_store(self):
        seen: list = []
        self.assertEqual(self.rows.count, 0)
        with Store() as other:
            other.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)")
            rows = other.fetch("t")
            rows.add_observer(lambda changes: seen.append(in_thread(lambda: self.rows.count)))
            other.insert("t")
        self.assertEqual(seen, [0])


class Lost(StoreTestCase):
    """What is collected in another thread than that of its store."""

    def test_handles_wait_for_the_thread_that_uses_the_store(self):
        items = [self.store.fetch("items") for _ in range(50)]
        changes: list = []
        for each in items:
            each.add_observer(changes.append)
        self.store.insert("items", name="x")

        def lose():
            while items:
                items.pop()
                changes.pop()
            gc.collect()

        loser = threading.Thread(target=lose)
        loser.start()
        for number in range(200):
            self.store.execute("UPDATE items SET rank = ?", (number,))
        loser.join()
        self.store.dispatch()

    def test_handles_of_a_closed_store_are_freed_while_others_are_asked(self):
        for _ in range(20):
            store = Store()
            store.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v)")
            reported: list = []
            lists = [store.fetch("t") for _ in range(20)]
            for each in lists:
                each.add_observer(reported.append)
            store.insert("t", v=1)
            kept = reported[0]
            store.close()
            loser = threading.Thread(target=lambda: (reported.clear(), lists.clear(), gc.collect()))
            loser.start()
            for _ in range(50):
                self.assertEqual((kept[0].object.v, len(kept.sequential())), (1, 1))
            loser.join()
            self.assertFalse(store._session._waiting)

    def test_stores_are_closed(self):
        path = self.folder() / "a.db"
        stores = [Store(path)]
        stores[0].execute("CREATE TABLE t (x)")
        self.assertTrue(is_in_use(path))
        in_thread(lambda: (stores.clear(), gc.collect()))
        self.assertFalse(is_in_use(path))

    def test_stores_are_open_as_long_as_a_query_is_read(self):
        path = self.folder() / "a.db"
        rows = Store(path).query("SELECT 1 UNION SELECT 2")
        gc.collect()
        self.assertEqual([row[0] for row in rows], [1, 2])
        self.assertTrue(is_in_use(path))
        del rows
        self.assertFalse(is_in_use(path))


def is_in_use(path) -> bool:
    """Whether this process has a file open."""
    folder = "/proc/self/fd"
    links = []
    for descriptor in os.listdir(folder):
        try:
            links.append(os.readlink(f"{folder}/{descriptor}"))
        except FileNotFoundError:
            continue
    return str(path) in links


class Crowds(unittest.TestCase):
    """Threads that use one store as they like, in a process of their own that may not crash."""

    PROGRAM = """
        import gc, random, sys, threading
        from fetchedresults import *
        sys.setswitchinterval(1e-5)
        store = Store(check_same_thread={checked})
        store.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v, s)")
        rows = store.fetch("t", sort=["v", "id"], section="s")
        reported = []
        rows.add_observer(reported.append)
        collection = Collection([rows, Placeholder("End")], fetch=True)
        wrong, done, faults = [], [], []

        def use(chance):
            step = chance.randrange(9)
            if step == 0:
                store.insert("t", v=chance.randrange(9), s=chance.randrange(3))
            elif step == 1:
                store.execute("DELETE FROM t WHERE id % 7 = ?", [chance.randrange(7)])
            elif step == 2:
                assert len(list(rows.objects)) >= 0
            elif step == 3:
                for row in store.query("SELECT * FROM t"):
                    if chance.random() < 0.1:
                        break
            elif step == 4:
                store.fetch("t", "v > ?", [chance.randrange(9)], sort="v").count
            elif step == 5:
                [change.object for change in reported[-1:][0]] if reported else None
            elif step == 6:
                del reported[:-3]
            elif step == 7:
                collection[0].name
            elif {checked}:
                store.use_in_this_thread()

        def run(seed):
            chance = random.Random(seed)
            for _ in range(400):
                try:
                    use(chance)
                    done.append(1)
                except WrongThreadError:
                    wrong.append(1)
                except (RangeError, GoneError, NotFoundError, IndexError):
                    # Another thread changed the list between two calls.
                    done.append(1)
                except BaseException as error:
                    faults.append(repr(error))

        threads = [threading.Thread(target=run, args=(seed,)) for seed in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        store.use_in_this_thread()
        expected = [row["id"] for row in store.query("SELECT id FROM t ORDER BY s, v, id")]
        assert [row.id for row in rows.objects] == expected, faults
        assert not faults, faults[:3]
        assert done
        print(len(done), len(wrong))
    """

    def check(self, checked: bool) -> tuple:
        done = run_python(self.PROGRAM.format(checked=checked))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return tuple(map(int, done.stdout.split()))

    def test_get_errors_from_a_store_of_one_thread(self):
        done, wrong = self.check(True)
        self.assertGreater(wrong, 0)

    def test_get_errors_from_an_unchecked_store_or_a_turn(self):
        done, wrong = self.check(False)
        self.assertGreater(done, 0)

    def test_of_daemons_leave_the_interpreter_alone_at_its_end(self):
        done = run_python(
            """
            import atexit, threading, time
            # Runs after what the package does at the end: the daemon goes on meanwhile.
            atexit.register(time.sleep, 0.3)
            from fetchedresults import Store
            ready = threading.Event()

            def work():
                store = Store()
                store.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)")
                rows = store.fetch("t")
                rows.add_observer(lambda changes: ready.set())
                while True:
                    store.insert("t")

            threading.Thread(target=work, daemon=True).start()
            ready.wait()
            """
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_that_end_before_the_interpreter_leave_no_store_open(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run_python(
                f"""
                import os, threading
                from fetchedresults import Store
                folder = {folder!r}
                kept = []

                def work():
                    kept.append(Store(folder + "/worker.db"))
                    kept[0].execute("CREATE TABLE t (id INTEGER PRIMARY KEY)")

                thread = threading.Thread(target=work)
                thread.start()
                thread.join()
                store = Store(folder + "/main.db")
                store.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)")
                print(sorted(os.listdir(folder)))
                """
            )
            self.assertEqual(done.stderr, "")
            self.assertIn("main.db-wal", done.stdout)
            self.assertIn("worker.db-wal", done.stdout)
            # The last connection that closes removes the write-ahead log.
            self.assertEqual(sorted(os.listdir(folder)), ["main.db", "worker.db"])


if __name__ == "__main__":
    unittest.main()
