"""Requests describe lists."""

from __future__ import annotations

import ctypes
import dataclasses
import unittest

from support import StoreTestCase, names

from fetchedresults import RangeError, Request, SchemaError, Sort, SQLError, Store, _api, _types
from fetchedresults._calls import check
from fetchedresults._requests import native_request


class Description(unittest.TestCase):
    def test_is_immutable_and_comparable(self):
        request = Request("items", "rank > ?", [1], sort="name")
        self.assertEqual(request, Request("items", "rank > ?", (1,), sort=["name"]))
        self.assertEqual(hash(request), hash(Request("items", "rank > ?", (1,), sort=["name"])))
        with self.assertRaises(dataclasses.FrozenInstanceError):
            request.limit = 3

    def test_does_not_see_later_changes_of_its_arguments(self):
        params, sort = {"least": 1}, ["name"]
        request = Request("items", "rank > :least", params, sort=sort)
        params["least"] = 2
        sort.append("rank")
        self.assertEqual(request.params["least"], 1)
        self.assertEqual(request.sort, (Sort("name"),))

    def test_reads_a_minus_as_descending(self):
        self.assertEqual(Request("items", sort=["-rank", "name"]).sort, (Sort("rank", descending=True), Sort("name")))
        self.assertEqual(Request("items", section="-rank").section, Sort("rank", descending=True))

    def test_reaches_c_whole(self):
        request = Request(
            "items",
            "rank > :least",
            {"least": 2},
            sort=["-rank", Sort("name", nulls="last", collation="NOCASE")],
            section="list_id",
            columns=["name", "list_id.title"],
            batch_size=7,
            limit=30,
            offset=4,
            cache_name="whole",
        )
        info = _types.RequestInfo(struct_size=ctypes.sizeof(_types.RequestInfo))
        with Store() as store, native_request(store, request) as pointer:
            check(_api.fr_request_describe(ctypes.byref(info), pointer))
            self.assertEqual((info.entity, info.select, info.predicate), (b"items", None, b"rank > :least"))
            self.assertEqual([info.parameters[0].integer, info.parameter_names[0]], [2, b"least"])
            sorts = [(sort.key_path, sort.flags, sort.collation) for sort in info.sorts[: info.sort_count]]
            self.assertEqual(sorts, [(b"rank", 1, None), (b"name", 4, b"NOCASE")])
            self.assertEqual((info.section.key_path, info.section.flags), (b"list_id", 0))
            self.assertEqual(info.columns[: info.column_count], [b"name", b"list_id.title"])
            self.assertEqual((info.identity_count, bool(info.identity)), (0, False))
            self.assertEqual((info.batch_size, info.limit, info.offset, info.cache_name), (7, 30, 4, b"whole"))

    def test_can_be_varied(self):
        request = Request("items", sort="-rank", section="list_id").replace(limit=3)
        self.assertEqual(request, Request("items", sort="-rank", section="list_id", limit=3))

    def test_refuses_what_makes_no_sense(self):
        for error, use in (
            (ValueError, lambda: Sort("name", nulls="middle")),
            (ValueError, lambda: Request("items", limit=-1)),
            (ValueError, lambda: Request("items", params=(1,))),
            (TypeError, lambda: Request("items", "rank > ?", 1)),
            (TypeError, lambda: Request("items", sort=[1])),
            (TypeError, lambda: Request("items", columns="name")),
        ):
            with self.assertRaises(error):
                use()


class Lists(StoreTestCase):
    def test_are_in_order_of_identity_without_a_sort(self):
        self.assertEqual(names(self.store.fetch("items")), [["bread", "apple", "cider"]])

    def test_are_sorted(self):
        self.assertEqual(names(self.store.fetch("items", sort=["-rank"])), [["cider", "bread", "apple"]])
        self.assertEqual(
            names(self.store.fetch("items", sort=["list_id.position", "-name"])), [["cider", "bread", "apple"]]
        )

    def test_put_nulls_where_requested(self):
        self.store.insert("items", name="zero")
        for sort, expected in (
            ("rank", 0),
            ("-rank", 3),
            (Sort("rank", nulls="last"), 3),
            (Sort("rank", descending=True, nulls="first"), 0),
        ):
            with self.subTest(sort):
                self.assertEqual(names(self.store.fetch("items", sort=sort))[0].index("zero"), expected)

    def test_compare_as_the_collation_says(self):
        self.store.insert("items", name="Apple2")
        self.assertEqual(names(self.store.fetch("items", sort="name"))[0][0], "Apple2")
        nocase = self.store.fetch("items", sort=Sort("name", collation="NOCASE"))
        self.assertEqual(names(nocase)[0][:2], ["apple", "Apple2"])

    def test_hold_what_the_predicate_lets_in(self):
        for predicate, params in (
            ("rank >= ?1", (2,)),
            ("rank >= :least", {"least": 2}),
            ("rank >= $least", {"$least": 2}),
            ("name IN (SELECT name FROM items WHERE rank > 1)", ()),
        ):
            with self.subTest(predicate):
                found = self.store.fetch("items", predicate, params, sort="name")
                self.assertEqual(names(found), [["bread", "cider"]])
        self.assertEqual(names(self.store.fetch("items", "list_id.title = ?", ["Home"])), [["cider"]])

    def test_show_the_columns_that_were_requested(self):
        items = self.store.fetch("items", columns=["name", "list_id.title"], sort="name")
        self.assertEqual(dict(items[0, 0]), {"name": "apple", "list_id.title": "Shop"})
        self.assertEqual(items[0, 0].identity, 2)

    def test_show_a_window(self):
        items = self.store.fetch("items", sort="name", limit=1, offset=1)
        self.assertEqual(names(items), [["bread"]])
        self.store.insert("items", name="aaa")
        self.assertEqual(names(items), [["apple"]])
        self.assertEqual(names(self.store.fetch("items", sort="name", offset=2)), [["bread", "cider"]])
        self.assertEqual(names(self.store.fetch("items", limit=0)), [[]])

    def test_read_views_that_name_their_identity(self):
        self.store.execute("CREATE VIEW cheap AS SELECT id AS item, name FROM items WHERE rank < 3")
        cheap = self.store.fetch("cheap", sort="-name", identity="item")
        self.assertEqual(names(cheap), [["bread", "apple"]])
        self.assertEqual(cheap[0, 1].identity, 2)
        self.store.update("items", 3, rank=0)
        self.assertEqual(names(cheap), [["cider", "bread", "apple"]])
        with self.assertRaises(SchemaError):
            self.store.fetch("cheap", sort="-name")

    def test_with_a_fault_name_it(self):
        for error, fault, description in (
            (SchemaError, "nowhere", {"entity": "nowhere"}),
            (SchemaError, "nothing", {"entity": "items", "sort": "nothing"}),
            (SchemaError, "nothing", {"entity": "items", "section": "list_id.nothing"}),
            (SchemaError, "nothing", {"entity": "items", "columns": ["nothing"]}),
            (SchemaError, "KLINGON", {"entity": "items", "sort": Sort("name", collation="KLINGON")}),
            (SQLError, "", {"entity": "items", "predicate": "rank >"}),
            (SQLError, "", {"entity": "items", "predicate": "rank > ?"}),
            (RangeError, "", {"entity": "items", "batch_size": 0}),
            (RangeError, "", {"entity": "items", "offset": -1}),
        ):
            with self.subTest(description), self.assertRaisesRegex(error, fault):
                self.store.controller(Request(**description))

    def test_refuse_numbers_that_c_can_not_hold(self):
        for description in ({"batch_size": 2**64 + 1}, {"limit": 2**64}, {"offset": 2**64}):
            with self.subTest(description), self.assertRaises(OverflowError):
                self.store.fetch("items", **description)
        with self.assertRaises(TypeError):
            self.store.fetch("items", batch_size="20")


if __name__ == "__main__":
    unittest.main()
