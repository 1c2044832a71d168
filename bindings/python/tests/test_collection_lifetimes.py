"""Collections and placeholders that are closed or dropped, and children that are."""

from __future__ import annotations

import gc
import threading
import unittest
import weakref

from support import SCHEMA, StoreTestCase, names, run_python
from test_lifetimes import resident

from fetchedresults import ClosedError, Collection, Controller, Observer, Placeholder, Request, SectionMap, Store


class Closing(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.items = Controller(self.store, Request("items", sort="name"))
        self.all = Collection([self.items, Placeholder("end")], fetch=True)
        self.reported: list = []
        self.all.add_observer(self.reported.append)

    def test_can_be_done_again_and_leaves_the_children_open(self):
        with self.all:
            self.assertFalse(self.all.closed)
        self.all.close()
        self.assertTrue(self.all.closed)
        self.assertEqual((self.items.closed, names(self.items)), (False, [["apple", "bread", "cider"]]))
        self.store.insert("items", name="dates")
        self.assertEqual(self.reported, [])

    def test_is_raised_by_everything_that_uses_it(self):
        section = self.all[0]
        self.all.close()
        for use in (
            lambda: self.all.children,
            lambda: self.all.count,
            lambda: len(self.all),
            lambda: self.all.append(Placeholder()),
            lambda: self.all.pop(),
            lambda: self.all.replace(0, Placeholder()),
            lambda: self.all.perform_fetch(),
            lambda: self.all.child_of_section(0),
            lambda: self.all.index_path_of(1),
            lambda: self.all.add_observer(print),
            lambda: section.name,
            lambda: Collection([self.all]),
        ):
            with self.assertRaises(ClosedError):
                use()
        self.assertEqual(repr(self.all), "<Collection of 2 lists: the collection is closed>")

    def test_of_a_child_leaves_it_in_its_collection(self):
        reported = []
        self.items.add_observer(reported.append)
        self.items.close()
        self.store.insert("items", name="dates")
        self.assertEqual(names(self.all), [["apple", "bread", "cider", "dates"], []])
        self.assertEqual(([len(changes) for changes in self.reported], reported), ([1], []))
        self.assertIs(self.all.child_of_section(0), self.items)
        self.assertEqual(self.all.index_path_of(self.store.get("items", 1)), (0, 1))
        self.assertTrue(self.store.get("items", 1) in self.all[0])
        self.assertEqual(self.all.fetch_requests, [self.items.request])
        self.all.remove(self.items)
        self.assertEqual(names(self.all), [[]])

    def test_of_a_store_takes_its_lists_along(self):
        other = self.open()
        other.executescript(SCHEMA)
        self.all.append(other.fetch("items"))
        self.reported.clear()
        other.close()
        self.store.insert("items", name="dates")
        self.assertEqual([[change.new_path for change in changes] for changes in self.reported], [[(0, 3)]])
        with self.assertRaises(ClosedError):
            self.all[2].name
        self.all.pop()
        self.assertEqual(names(self.all), [["apple", "bread", "cider", "dates"], []])

    def test_inside_a_callback_ends_its_calls(self):
        def end(changes):
            self.all.close()

        self.all.add_observer(end)
        self.all.add_observer(self.reported.append)
        self.store.insert("items", name="dates")
        self.assertEqual((len(self.reported), self.all.closed), (1, True))

    def test_inside_a_callback_of_a_change_of_children_is_fine(self):
        self.all.add_observer(lambda changes: self.all.close())
        self.all.append(Placeholder("more"))
        self.assertTrue(self.all.closed)


class Losing(StoreTestCase):
    def test_a_child_leaves_it_to_its_collection(self):
        every = Collection([self.store.fetch("items")], fetch=True)
        child = weakref.ref(every.children[0])
        gc.collect()
        self.store.insert("items", name="dates")
        self.assertEqual((every.count, child().count), (4, 4))
        every.pop()
        gc.collect()
        self.assertIsNone(child())

    def test_a_collection_frees_it_with_its_observers_and_children(self):
        reported: list = []

        class Watcher(Observer):
            def __init__(self, collection):
                self.collection = collection

            def did_deliver(self, controller, changes):
                reported.append(changes)

        every = Collection([self.store.fetch("items"), Placeholder("end")], fetch=True)
        every.add_observer(Watcher(every))
        lost = [weakref.ref(each) for each in (every, *every.children)]
        del every
        gc.collect()
        self.assertEqual([each() for each in lost], [None] * 3)
        self.store.insert("items", name="dates")
        self.assertEqual(reported, [])

    def test_a_collection_leaves_children_that_are_referenced(self):
        items = self.store.fetch("items")
        every = Collection([items], fetch=True)
        del every
        gc.collect()
        self.store.insert("items", name="dates")
        Collection([items], fetch=True)
        self.assertEqual(items.count, 4)

    def test_a_placeholder_leaves_its_section(self):
        every = Collection([(Controller(self.store, Request("items", "0", section="id")), Placeholder("none"))])
        every.perform_fetch()
        gc.collect()
        self.assertEqual(every[0].name, "none")

    def test_change_sets_of_a_collection_outlive_all(self):
        reported: list = []
        store = Store()
        store.executescript(SCHEMA)
        every = Collection([store.fetch("items"), store.fetch("items", columns=["name"])], fetch=True)
        every.add_observer(reported.append)
        store.insert("items", name="x", rank=1)
        before = [dict(change.object) for change in reported[0]]
        every.close()
        store.close()
        del every, store
        gc.collect()
        self.assertEqual([dict(change.object) for change in reported[0].sequential()], before)
        self.assertEqual([list(change.object) for change in reported[0]][1], ["name"])

    def test_in_another_thread_waits_for_the_thread_that_uses_a_store(self):
        kept = []
        for _ in range(50):
            every = Collection([self.store.fetch("items"), Placeholder("end")], fetch=True)
            every.add_observer(kept.append)
            kept.append(every)
        self.store.insert("items", name="x")

        def lose():
            while kept:
                kept.pop()
            gc.collect()

        loser = threading.Thread(target=lose)
        del every
        loser.start()
        for number in range(200):
            self.store.execute("UPDATE items SET rank = ?", (number,))
        loser.join()
        self.store.dispatch()

    def test_many_leaks_nothing(self):
        def rounds(count):
            for _ in range(count):
                section_map = SectionMap(self.store, Request("items"), Request("lists"), "list_id")
                with Collection([section_map, self.store.fetch("items"), Placeholder("a")], fetch=True) as every:
                    kept: list = []
                    every.add_observer(kept.append)
                    self.store.execute("UPDATE items SET rank = rank + 1 WHERE id = 1")
                    self.store.execute("UPDATE lists SET position = position + 1")
                    every.append(Placeholder("b"))
                    every.pop(0)
                    names(every)
                    for changes in kept:
                        [(change.section_object, change.changed_columns) for change in changes.sequential()]
            gc.collect()
            self.store.dispatch()

        rounds(50)
        before = resident()
        rounds(300)
        self.assertLess(resident() - before, 4_000_000)


class Exit(unittest.TestCase):
    def test_with_everything_open_is_clean(self):
        done = run_python(
            """
            from fetchedresults import *
            store = Store()
            store.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)")
            keyed = SectionMap.with_keys(store, Request("t"), ["a", "b"], "name")
            every = Collection([keyed, (store.fetch("t", section="name"), Placeholder("none"))], fetch=True)
            outer = Collection([every], fetch=True)
            kept = []
            outer.add_observer(kept.append)
            store.insert("t", name="a")
            cycle = [outer, kept]
            every._cycle = cycle
            print(len(kept))
            """
        )
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "1\n", ""))


if __name__ == "__main__":
    unittest.main()
