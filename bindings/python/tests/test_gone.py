"""Rows that can't be read until the next dispatch: they raise, and end nothing that goes through a
list.
"""

from __future__ import annotations

import random
import unittest

from support import SCHEMA, StoreTestCase

from fetchedresults import (
    Collection,
    FetchedResultsError,
    GoneError,
    NotFetchedError,
    Placeholder,
    RangeError,
    Request,
    SectionMap,
    SelectRequest,
    Store,
)

ROWS = 60


def lists_of(store: Store) -> dict:
    """A list of each kind, by name."""
    by_name = Request("items", sort="name")
    lists = {
        "flat": store.controller(by_name),
        "sectioned": store.controller(by_name.replace(section="list_id")),
        "window": store.controller(by_name.replace(limit=30, offset=5)),
        "select": store.controller(SelectRequest("SELECT id, name FROM items ORDER BY name", identity="id")),
        "map": SectionMap(store, by_name, Request("lists", sort="position"), "list_id"),
        "keys": SectionMap.with_keys(store, by_name, [2, 1], "list_id"),
        "collection": Collection([store.controller(by_name), Placeholder("End"), store.fetch("items", section="rank")]),
    }
    for each in lists.values():
        each.perform_fetch()
    return lists


class GoneRows(StoreTestCase):
    """A database with a rollback journal, of which no state can be held."""

    def setUp(self) -> None:
        self.path = self.folder() / "a.db"
        self.store = self.open(self.path, journal_mode="delete")
        self.store.executescript(SCHEMA)
        self.store.executemany("INSERT INTO lists VALUES (?, ?, ?)", [(1, "Shop", 2), (2, "Home", 1)])
        self.store.executemany(
            "INSERT INTO items VALUES (?, ?, ?, ?)",
            [(id, f"name {id:02}", id % 3, 1 + id % 2) for id in range(1, ROWS + 1)],
        )
        self.lists = lists_of(self.store)
        self.other = self.open(self.path, journal_mode="delete")

    def each_list(self):
        for name, live_list in self.lists.items():
            with self.subTest(name):
                yield live_list

    def test_are_raised_by_everything_that_reads_them(self):
        self.other.execute("UPDATE items SET name = name || '!'")
        for live_list in self.each_list():
            objects, section = live_list.objects, live_list[0]
            for read in (
                lambda: list(objects),
                lambda: [item for item in objects],
                lambda: list(reversed(objects)),
                lambda: next(iter(objects)),
                lambda: objects[0],
                lambda: objects[-1],
                lambda: objects[5:7],
                lambda: tuple(section),
                lambda: section[0],
                lambda: section[1:],
                lambda: section.objects,
                lambda: list(reversed(section)),
                lambda: [item for each in live_list for item in each],
                lambda: live_list[0, 0],
                lambda: sum(1 for _ in objects),
            ):
                with self.assertRaises(GoneError):
                    read()

    def test_leave_counts_and_places_as_they_are(self):
        before = {name: [len(section) for section in each] for name, each in self.lists.items()}
        self.other.execute("DELETE FROM items WHERE id % 2")
        for name, live_list in self.lists.items():
            with self.subTest(name):
                self.assertEqual([len(section) for section in live_list], before[name])
                self.assertEqual(live_list.count, sum(before[name]))
        self.store.dispatch()
        self.assertEqual(len(list(self.lists["flat"].objects)), ROWS // 2)

    def test_are_tried_again_by_the_iterator_that_met_them(self):
        iterators = {name: (iter(each.objects), iter(each[0]), iter(each)) for name, each in self.lists.items()}
        self.other.execute("CREATE TABLE unrelated (x)")
        self.other.execute("INSERT INTO items (id, name) VALUES (99, 'zz')")
        for name, (objects, rows, sections) in iterators.items():
            with self.subTest(name):
                for _ in range(3):
                    with self.assertRaises(GoneError):
                        next(objects)
                    with self.assertRaises(GoneError):
                        next(rows)
                self.assertEqual(len(list(sections)), len(self.lists[name]))
        self.store.dispatch()
        for name, (objects, rows, _) in iterators.items():
            with self.subTest(name):
                self.assertEqual(list(objects), list(self.lists[name].objects))
                self.assertEqual(list(rows), list(self.lists[name][0]))

    def test_at_random_never_shorten_a_list(self):
        chance = random.Random(7)
        for step in range(150):
            live_list = chance.choice(list(self.lists.values()))
            iterator, seen = iter(live_list.objects), []
            stop = chance.randrange(live_list.count + 1)
            with self.subTest(step=step):
                try:
                    for _ in range(stop):
                        seen.append(next(iterator))
                    self.commit(chance)
                    seen += list(iterator)
                except GoneError:
                    continue
                finally:
                    if chance.random() < 0.5:
                        self.store.dispatch()
                self.assertEqual(len(seen), live_list.count)
        self.store.dispatch()
        for live_list in self.each_list():
            self.assertEqual(len(list(live_list.objects)), live_list.count)
            self.assertEqual(list(reversed(list(reversed(live_list.objects)))), list(live_list.objects))

    def commit(self, chance: random.Random) -> None:
        self.other.execute(
            chance.choice(
                [
                    "UPDATE items SET name = name || '.' WHERE id = ?1",
                    "UPDATE items SET list_id = 3 - list_id WHERE id = ?1",
                    "UPDATE lists SET position = -position WHERE ?1",
                    "REPLACE INTO items VALUES (?1, 'new', 1, 1)",
                ]
            ),
            [chance.randint(1, ROWS)],
        )


class Iterators(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.items = self.store.fetch("items", sort="name", section="list_id")

    def test_end_for_good(self):
        for iterator in (iter(self.items), iter(self.items.objects), iter(self.items[0]), reversed(self.items)):
            list(iterator)
            self.store.insert("items", name="x", list_id=1)
            self.store.insert("items", name="y")
            self.assertEqual(list(iterator), [])

    def test_of_a_section_that_is_no_more_raise(self):
        section, iterator = self.items[1], iter(self.items[1])
        self.store.delete("items", 3)
        for read in (lambda: list(section), lambda: next(iterator), lambda: list(reversed(section))):
            with self.assertRaises(RangeError):
                read()

    def test_of_what_was_not_fetched_or_is_closed_raise(self):
        with self.assertRaises(NotFetchedError):
            list(self.store.controller(Request("items")).objects)
        iterator = iter(self.items.objects)
        self.items.close()
        for _ in range(2):
            with self.assertRaises(FetchedResultsError):
                next(iterator)

    def test_go_backwards(self):
        self.assertEqual([section.name for section in reversed(self.items)], ["2", "1"])
        self.assertEqual([item.name for item in reversed(self.items.objects)], ["cider", "bread", "apple"])
        self.assertEqual([item.name for item in reversed(self.items[0])], ["bread", "apple"])


class Callbacks(StoreTestCase):
    """What a callback raises ends no loop around the call that delivered."""

    def count(self, error: BaseException) -> int:
        def fail(changes):
            raise error

        items = self.store.fetch("items")
        count = 0
        with items.add_observer(fail):
            for _ in self.store.query("INSERT INTO items (name) VALUES ('x'), ('y') RETURNING id"):
                count += 1
        return count

    def test_raise_no_stop_of_an_iteration(self):
        for error in (StopIteration("mine"), StopAsyncIteration("mine")):
            with self.assertRaises(RuntimeError) as caught:
                self.count(error)
            self.assertIs(caught.exception.__cause__, error)

    def test_raise_anything_else_as_it_is(self):
        for error in (IndexError("mine"), KeyError("mine"), GeneratorExit("mine"), RangeError("mine")):
            with self.assertRaises(type(error)) as caught:
                self.count(error)
            self.assertIs(caught.exception, error)


class Queries(StoreTestCase):
    def test_that_failed_have_no_silent_end(self):
        rows = self.store.query("SELECT CASE id WHEN 3 THEN abs(-9223372036854775808) ELSE id END FROM items")
        seen = []
        for _ in range(4):
            try:
                seen.append(next(rows)[0])
            except FetchedResultsError as error:
                seen.append(type(error).__name__)
        self.assertEqual(seen, [1, "FetchedResultsError", "ClosedError", "ClosedError"])


if __name__ == "__main__":
    unittest.main()
