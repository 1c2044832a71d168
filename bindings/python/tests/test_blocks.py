"""Iterating over objects: many are read by one call, and all are those that the list shows."""

import unittest
from unittest import mock

from fetchedresults import Collection, GoneError, RangeError, Request, Store, _api, _blocks

ROWS = 1_000


class BlockTestCase(unittest.TestCase):
    def setUp(self):
        self.store = Store()
        self.addCleanup(self.store.close)
        calls = mock.patch.object(_blocks._api, "fr_list_rows", side_effect=_api.fr_list_rows)
        self.calls = calls.start()
        self.addCleanup(calls.stop)

    def fill(self, schema: str, *rows: tuple) -> None:
        self.store.execute(schema)
        with self.store.transaction():
            for row in rows:
                self.store.execute(f"INSERT INTO items VALUES ({', '.join('?' * len(row))})", row)


class Numbered(BlockTestCase):
    def setUp(self):
        super().setUp()
        self.fill(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, part INTEGER, name TEXT)",
            *((number, number // 30, f"n{number}") for number in range(ROWS)),
        )

    def test_a_call_reads_many_objects(self):
        for section in (None, "part"):
            items = self.store.fetch("items", section=section)
            self.calls.reset_mock()
            self.assertEqual([each.name for each in items.objects], [f"n{number}" for number in range(ROWS)])
            # 20, 40, 80, 160, 320, the rest, and the end.
            self.assertEqual(self.calls.call_count, 7)

    def test_a_block_is_one_statement(self):
        items = self.store.fetch("items", section="part")
        before = items.counters.statements_run
        self.assertEqual(sum(1 for _ in items.objects), ROWS)
        self.assertLessEqual(items.counters.statements_run - before, 7)

    def test_a_section_reads_its_own(self):
        items = self.store.fetch("items", section="part")
        self.assertEqual([each.identity for each in items[2]], list(range(60, 90)))
        self.assertEqual(self.calls.call_count, 2)
        self.assertEqual([each.identity for each in items[33]], list(range(990, 1_000)))
        self.assertEqual(len(items[33].objects), 10)

    def test_what_the_loop_changes_is_shown(self):
        items = self.store.fetch("items", predicate="id < 50", section="part")
        seen = []
        for item in items.objects:
            seen.append((item.identity, item.name))
            if item.identity == 10:
                self.store.update("items", 11, name="new")
                self.store.delete("items", 12)
                self.store.delete("items", 5)
        # As with a Python list, the objects behind one that is removed move up.
        self.assertEqual([seen[10], seen[11]], [(10, "n10"), (13, "n13")])
        self.assertEqual(seen[-1], (49, "n49"))

    def test_a_loop_that_calls_the_library_reads_single_objects(self):
        items = self.store.fetch("items", predicate="id < 50")
        before = items.counters.rows_read
        seen = [(item.identity, len(items.objects)) for item in items.objects]
        self.assertEqual(seen, [(number, 50) for number in range(50)])
        self.assertLessEqual(items.counters.rows_read - before, 100)

    def test_another_request_in_the_loop(self):
        items = self.store.fetch("items", predicate="id < 50")
        seen = []
        for item in items.objects:
            seen.append(item.identity)
            if len(seen) == 3:
                items.set_request(Request("items", predicate="id >= 100 AND id < 105"))
        self.assertEqual(seen, [0, 1, 2, 103, 104])

    def test_an_error_does_not_end_it(self):
        items = self.store.fetch("items", predicate="id < 200")
        items.row_cache_size = 20
        iterator = iter(items.objects)
        seen = [next(iterator).identity for _ in range(25)]
        items.pause()
        self.store.execute("UPDATE items SET name = 'y' WHERE id = 60")
        with self.assertRaises(GoneError):
            for item in iterator:
                seen.append(item.identity)
        self.assertEqual(seen, list(range(60)))
        with self.assertRaises(GoneError):
            next(iterator)
        items.resume()
        self.assertEqual([each.identity for each in iterator], list(range(60, 200)))

    def test_it_ends_for_good(self):
        items = self.store.fetch("items", predicate="id < 3")
        iterator = iter(items.objects)
        self.assertEqual(len(list(iterator)), 3)
        items.set_request(Request("items"))
        self.assertEqual(list(iterator), [])

    def test_identities_of_a_range_are_a_value(self):
        items = self.store.fetch("items", sort="-id", section="part")
        shown = [each.identity for each in items.objects]
        self.assertEqual(items.identities(), tuple(shown))
        before = items.identities(25, 40)
        self.store.execute("DELETE FROM items WHERE id > 20")
        self.assertEqual(before, tuple(shown[25:40]))
        self.assertEqual(items.identities(-3), (2, 1, 0))
        self.assertEqual((items.identities(9999), items.identities(3, 1)), ((), ()))

    def test_identities_are_known_without_the_rows(self):
        items = self.store.fetch("items", sort="-id", section="part")
        everything = items.identities()
        items.pause()
        self.store.execute("UPDATE items SET name = 'y'")
        before = items.counters.statements_run
        self.assertEqual(items.identities(), everything)
        self.assertEqual(items.identity_at((0, 1)), everything[1])
        self.assertEqual(items.counters.statements_run, before)
        with self.assertRaises(RangeError):
            items.identity_at((99, 0))

    def test_a_collection_reads_its_lists(self):
        lists = [
            self.store.fetch("items", predicate="id < 30"),
            self.store.fetch("items", predicate="id >= 500 AND id < 530", columns=["name"]),
        ]
        both = Collection(lists, fetch=True)
        self.assertEqual([each.identity for each in both.objects], [*range(30), *range(500, 530)])
        self.assertEqual([len(each) for each in both.objects], [3] * 30 + [1] * 30)


class Values(BlockTestCase):
    def check(self, *columns: list) -> None:
        """Compares columns of values, which are read in blocks, with those of single objects."""
        names = ", ".join(f"c{number}" for number in range(len(columns)))
        rows = [(number, *values) for number, values in enumerate(zip(*columns))]
        self.fill(f"CREATE TABLE items (id INTEGER PRIMARY KEY, {names})", *rows)
        items = self.store.fetch("items")
        self.assertEqual([tuple(each.values()) for each in items.objects], rows)
        self.assertEqual([tuple(items[0, row].values()) for row in range(len(rows))], rows)
        self.assertEqual(
            [[type(value) for value in each.values()] for each in items.objects], [list(map(type, row)) for row in rows]
        )

    def test_of_one_type(self):
        self.check([1, -(2**63), 2**63 - 1], [0.5, -0.0, float("inf")], ["a", "ö€𐍈", ""], [b"", b"\0\1", b"x"])

    def test_null(self):
        self.check(
            [None, None, None, None], [None, 1, None, 2], [1.5, None, None, 2.5], [None, "a", "", None],
            [None, None, None, "z"], [None, b"b", None, b""],
        )  # fmt: skip

    def test_of_several_types(self):
        self.check(
            [1, 2.5, "x"], ["x", 1, None], [1.0, 1, b"1"], [None, 1, "y"], ["a\0b", "c", None], [None, "a", "b\0"],
        )  # fmt: skip

    def test_texts_that_are_not_valid(self):
        self.fill("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
        for data in ("c3", "a962", "f09f98", "ff", "41"):
            self.store.execute(f"INSERT INTO items (name) VALUES (CAST(x'{data}' AS TEXT))")
        items = self.store.fetch("items")
        self.assertEqual([each.name for each in items.objects], [items[0, row].name for row in range(5)])
        self.assertEqual(items[0, 0].name, "\udcc3")

    def test_identities(self):
        self.fill(
            "CREATE TABLE items (folder TEXT, number, name, PRIMARY KEY (folder, number)) WITHOUT ROWID",
            *((f"f{number % 3}", number if number % 2 else str(number), None) for number in range(40)),
        )
        items = self.store.fetch("items", sort="name")
        read = [each.identity for each in items.objects]
        self.assertEqual(read, [items[0, row].identity for row in range(40)])
        self.assertIn(("f1", 1), read)

    def test_identities_that_replace_null(self):
        self.fill(
            "CREATE TABLE items (key TEXT PRIMARY KEY, name)", ("a", 1), (None, 2), ("b", 3), (None, 4), (None, 5)
        )
        items = self.store.fetch("items", sort="name")
        self.assertEqual([each.identity for each in items.objects], ["a", (None, 2), "b", (None, 4), (None, 5)])


if __name__ == "__main__":
    unittest.main()
