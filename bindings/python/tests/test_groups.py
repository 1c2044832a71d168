"""Lists of groups: a row for each group of rows, with totals."""

from __future__ import annotations

import math
import random
import tempfile
import unittest
from pathlib import Path

from support import StoreTestCase

from fetchedresults import (
    Collection,
    MisuseError,
    Request,
    RereadReason,
    SchemaError,
    SectionMap,
    SQLError,
    Store,
    Total,
)

RANKS = {
    "number": Total.count(),
    "high": Total.count("rank > 1"),
    "sum": Total.sum("rank"),
    "mean": Total.average("rank"),
    "least": Total.min("rank"),
    "first": Total.min("name"),
    "last": Total.max("name"),
}


def rows(groups):
    return [tuple(dict(group).values()) for group in groups.objects]


class Description(unittest.TestCase):
    def test_is_immutable_and_comparable(self):
        totals = {"n": Total.count()}
        request = Request("items", group_by="list_id", totals=totals, having="n > ?", having_params=[1])
        totals["m"] = Total.sum("rank")
        same = Request("items", group_by=["list_id"], totals={"n": Total.count()}, having="n > ?", having_params=(1,))
        self.assertEqual((request, hash(request)), (same, hash(same)))
        self.assertEqual(request.totals, {"n": Total("count")})
        self.assertEqual(Request("items", group_by=[]), Request("items"))
        self.assertNotEqual(request, request.replace(totals={"n": Total.count("rank")}))

    def test_refuses_what_makes_no_sense(self):
        for error, message, use in (
            (ValueError, "one of count, sum", lambda: Total("median", "rank")),
            (ValueError, r"Total.sum\('size'\)", lambda: Total("sum")),
            (ValueError, "needs group_by", lambda: Request("items", having="n > 1")),
            (ValueError, "no having", lambda: Request("items", group_by="name", having_params=[1])),
            (TypeError, "Total.count()", lambda: Request("items", group_by="name", totals={"n": "count()"})),
            (TypeError, "a mapping", lambda: Request("items", group_by="name", totals=["n"])),
        ):
            with self.assertRaisesRegex(error, message):
                use()


class Groups(StoreTestCase):
    def test_show_keys_and_totals(self):
        groups = self.store.fetch_groups("items", by="list_id", totals=RANKS)
        self.assertEqual(
            rows(groups), [(1, 2, 1, 3.0, 1.5, 1.0, "apple", "bread"), (2, 1, 1, 3.0, 3.0, 3.0, "cider", "cider")]
        )
        self.assertEqual((groups.objects[0].number, groups.objects[0]["mean"]), (2, 1.5))
        self.assertEqual(groups.objects[1].identity, 2)

    def test_follow_their_rows(self):
        groups = self.store.fetch_groups("items", by="list_id.title", totals=RANKS, sort="-number")
        changes = []
        groups.add_observer(changes.extend)
        self.store.insert("items", name="dates", list_id=2)
        self.store.insert("items", name="elder", list_id=2)
        self.assertEqual([change.type.name for change in changes], ["MOVE", "UPDATE"])
        self.assertEqual(rows(groups)[0][:2], ("Home", 3))
        self.store.update("lists", 2, title="Shop")
        self.assertEqual(rows(groups), [("Shop", 5, 2, 6.0, 2.0, 1.0, "apple", "elder")])
        self.assertEqual(groups.counters.rereads[RereadReason.RELATED], 0)

    def test_are_chosen_by_having_and_rows_by_the_predicate(self):
        groups = self.store.fetch_groups(
            "items",
            "rank < :most",
            {"most": 3},
            by="list_id",
            totals=RANKS,
            having="number >= :least",
            having_params={"least": 2},
        )
        self.assertEqual([row[:2] for row in rows(groups)], [(1, 2)])
        groups.request = groups.request.replace(having="number >= ?2", having_params=(0, 1), params={"most": 9})
        self.assertEqual([row[:2] for row in rows(groups)], [(1, 2), (2, 1)])
        groups.request = groups.request.replace(having=None, having_params=(), predicate="rank IS NULL", params=())
        self.assertEqual(rows(groups), [])

    def test_are_sections_of_themselves(self):
        groups = self.store.fetch_groups("items", by=["list_id", "rank > 1"], totals=RANKS, section="list_id")
        self.assertEqual([section.name for section in groups], ["1", "2"])
        self.assertEqual([len(section) for section in groups], [2, 1])
        self.assertEqual(groups[0, 1]["rank > 1"], 1)

    def test_without_totals_are_distinct_values(self):
        groups = self.store.fetch_groups("items", by="rank > 1", sort="-rank > 1")
        self.assertEqual(rows(groups), [(1,), (0,)])
        names = self.store.fetch_groups("items", by="name")
        self.store.insert("items", name="ale")
        self.assertEqual(rows(names)[0], ("ale",))

    def test_are_inserted_if_their_totals_are_null(self):
        groups = self.store.fetch_groups("items", by="name", totals={"sum": Total.sum("rank")})
        self.store.insert("items", name="ale")
        self.assertEqual(rows(groups)[0], ("ale", None))

    def test_are_no_rows_of_the_entity(self):
        """Before: a group and a row with the same identity. Expected: neither is taken for the
        other, and a write by the group's entity fails.
        """
        items = self.store.fetch("items")
        groups = self.store.fetch_groups("items", by="list_id", totals=RANKS)
        group, row = groups.objects[1], items.index_path_of(2)
        self.assertEqual((group.entity, group.identity), ("groups of items", 2))
        self.assertNotEqual(group, items[row])
        self.assertIsNone(groups.index_path_of(items[row]))
        with self.assertRaises(SchemaError):
            self.store.update(group.entity, group.identity, name="wrong")

    def test_keep_their_keys_and_totals(self):
        groups = self.store.fetch_groups("items", by="list_id", totals=RANKS)
        for change in ({"group_by": "name"}, {"totals": {"n": Total.count()}}, {"group_by": None, "totals": {}}):
            with self.subTest(change), self.assertRaisesRegex(MisuseError, "other keys or totals"):
                groups.set_request(groups.request.replace(**change))
        items = self.store.fetch("items")
        with self.assertRaisesRegex(MisuseError, "groups"):
            items.request = items.request.replace(group_by="name")

    def test_with_a_fault_name_it(self):
        for error, fault, description in (
            (ValueError, "a key", {"by": []}),
            (SchemaError, "colour", {"by": "colour"}),
            (
                SchemaError,
                "total n: items has no column named colour",
                {"by": "name", "totals": {"n": Total.sum("colour")}},
            ),
            (SQLError, "count", {"by": "name", "totals": {"n": Total.sum("count(*)")}}),
            (MisuseError, "two columns", {"by": "name", "totals": {"NAME": Total.count()}}),
            (SchemaError, "groups of items has no column named rank", {"by": "name", "sort": "rank"}),
            (SQLError, "rank", {"by": "name", "having": "rank > 1"}),
            (
                SQLError,
                "no value for the parameter :n",
                {"by": "name", "having": "name > :n", "having_params": {"m": 1}},
            ),
            (
                SQLError,
                "there is no parameter :m",
                {"by": "name", "having": "name > :n", "having_params": {"n": 1, "m": 1}},
            ),
        ):
            with self.subTest(description), self.assertRaisesRegex(error, fault):
                self.store.fetch_groups("items", **description)

    def test_are_lists_of_a_collection(self):
        groups = self.store.controller(Request("items", group_by="list_id", totals=RANKS))
        both = Collection([groups, self.store.controller(Request("items"))])
        both.perform_fetch()
        self.assertEqual([len(section) for section in both], [2, 3])
        self.store.delete("items", 3)
        self.assertEqual([len(section) for section in both], [1, 2])


class Sections(StoreTestCase):
    """Section maps whose sections are groups: headers with totals."""

    def setUp(self) -> None:
        super().setUp()
        lists = Request("items", group_by="list_id", totals={"high": Total.count("rank > 1")}, sort="-high")
        self.map = SectionMap(self.store, Request("items", sort="name"), lists, "list_id", section_key="list_id")
        self.map.perform_fetch()

    def shown(self):
        return [
            (section.object and tuple(dict(section.object).values()), [item.name for item in section])
            for section in self.map
        ]

    def test_are_shown_and_follow(self):
        self.assertEqual(self.shown(), [((1, 1), ["apple", "bread"]), ((2, 1), ["cider"])])
        self.store.insert("items", name="dates", rank=5, list_id=2)
        self.assertEqual(self.shown(), [((2, 2), ["cider", "dates"]), ((1, 1), ["apple", "bread"])])
        self.store.execute("UPDATE items SET list_id = 2")
        self.assertEqual(self.shown(), [((2, 3), ["apple", "bread", "cider", "dates"])])
        self.store.insert("lists", id=3, title="New")
        self.store.update("items", 1, list_id=3)
        self.assertEqual(self.shown()[1], ((3, 1), ["bread"]))

    def test_wait_while_the_map_is_paused(self):
        self.map.pause()
        self.store.execute("DELETE FROM items WHERE list_id = 1")
        self.store.insert("items", name="dates", rank=0, list_id=2)
        self.assertEqual([section.object["high"] for section in self.map], [1, 1])
        self.map.resume()
        self.assertEqual(self.shown(), [((2, 1), ["cider", "dates"])])

    def test_of_no_items_are_empty(self):
        """Before: a map that shows some items. Expected: its groups count all items."""
        self.map.request = self.map.request.replace(predicate="rank > 2")
        self.assertEqual(self.shown(), [((1, 1), []), ((2, 1), ["cider"])])
        self.map.set_section_request(self.map.section_request.replace(having="list_id > 1"))
        self.assertEqual(self.shown(), [((2, 1), ["cider"])])

    def test_need_a_named_key(self):
        with self.assertRaisesRegex(MisuseError, "must be named"):
            SectionMap(self.store, Request("items"), Request("items", group_by="list_id"), "list_id")


class Sums(StoreTestCase):
    def test_are_exact_whatever_the_order_of_changes(self):
        groups = self.store.fetch_groups("items", by="list_id", totals={"sum": Total.sum("rank")}, having="list_id = 1")
        order = random.Random(5)
        numbers = {1: 2.0, 2: 1.0}
        for number in range(10, 200):
            numbers[number] = order.choice((-1, 1)) * order.random() * 10 ** order.randrange(-200, 200)
            self.store.insert("items", id=number, rank=numbers[number], list_id=1)
            if order.random() < 0.4:
                removed = order.choice(list(numbers))
                del numbers[removed]
                self.store.delete("items", removed)
            self.assertEqual(groups.objects[0]["sum"], math.fsum(numbers.values()))


class Names(StoreTestCase):
    def test_may_have_dots_quotes_and_words_of_sql(self):
        self.store.execute(
            'CREATE TABLE "odd. ""t""" (id INTEGER PRIMARY KEY, "k. ""x""" TEXT, "order" INT, rowid, oid)'
        )
        groups = self.store.fetch_groups(
            'odd. "t"',
            by='k. "x"',
            totals={'to"t. al': Total.sum("order"), "group": Total.max("order"), "_rowid_": Total.count("rowid")},
            sort='-to"t. al',
            having='"group" > ?',
            having_params=[2],
        )
        self.store.executemany(
            'INSERT INTO "odd. ""t"""("k. ""x""", "order", rowid) VALUES (?, ?, ?)',
            [("p", 3, 1), ("q", 4, 0), ("r", 1, 1)],
        )
        self.assertEqual(rows(groups), [("q", 4, 4, 0), ("p", 3, 3, 1)])
        with self.assertRaisesRegex(MisuseError, "_rowid_"):
            self.store.fetch_groups('odd. "t"', by=["rowid", "oid"], totals={"_rowid_": Total.count()})

    def test_of_a_thousand_totals(self):
        totals = {f"n{number}": Total.count(f"rank % {number} = 0") for number in range(1, 1001)}
        groups = self.store.fetch_groups("items", by="list_id", totals=totals)
        self.store.insert("items", name="twelve", rank=12, list_id=2)
        self.assertEqual(sum(dict(groups.objects[1]).values()) - 2, 2 + 6)


class OtherTables(StoreTestCase):
    TOTALS = {"n": Total.count(), "sum": Total.sum("v"), "least": Total.min("v"), "most": Total.max("v")}

    def check(self, groups, table):
        sql = f"SELECT k, count(*), sum(v), min(v), max(v) FROM {table} GROUP BY k"
        self.assertEqual(rows(groups), [tuple(row) for row in self.store.query(sql)])

    def change(self, table, seed):
        order = random.Random(seed)
        for _ in range(60):
            number, key, value = order.randrange(12), order.choice("abc"), order.randrange(9)
            with self.store.transaction():
                self.store.execute(f"INSERT OR REPLACE INTO {table}(id, k, v) VALUES (?, ?, ?)", [number, key, value])
                self.store.execute(f"DELETE FROM {table} WHERE id = ?", [order.randrange(12)])
                self.store.execute(f"UPDATE {table} SET v = v + 1 WHERE k = ?", [order.choice("abc")])

    def test_are_followed(self):
        self.store.execute("ATTACH ':memory:' AS other")
        for table, definition in (
            ("w", "(id INTEGER PRIMARY KEY, k, v) WITHOUT ROWID"),
            ("other.t", "(id INTEGER PRIMARY KEY, k, v)"),
            ("temp.t", "(id INTEGER PRIMARY KEY, k TEXT COLLATE NOCASE, v)"),
            ("g", "(id INTEGER PRIMARY KEY, k, v, twice AS (v * 2))"),
        ):
            with self.subTest(table):
                self.store.execute(f"CREATE TABLE {table} {definition}")
                groups = self.store.fetch_groups(table, by="k", totals=self.TOTALS)
                self.change(table, 3)
                self.check(groups, table)

    def test_views_of_rows_are_followed_and_other_views_read_again(self):
        self.store.executescript(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, k, v); CREATE VIEW small AS SELECT * FROM t WHERE v < 6;"
            "CREATE VIEW greatest AS SELECT id, k, max(v) AS v FROM t GROUP BY id"
        )
        views = ["small", "greatest"]
        lists = [self.store.fetch_groups(view, by="k", totals=self.TOTALS, identity="id") for view in views]
        self.change("t", 4)
        for groups, view in zip(lists, views):
            self.check(groups, view)
        self.assertEqual(lists[0].counters.rereads[RereadReason.VIEW], 0)
        self.assertGreater(lists[1].counters.rereads[RereadReason.VIEW], 0)


class Encodings(unittest.TestCase):
    def test_determine_the_order_of_texts(self):
        for encoding in ("UTF-8", "UTF-16le", "UTF-16be"):
            with self.subTest(encoding), Store() as store:
                store.execute(f"PRAGMA encoding = '{encoding}'")
                store.execute("CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT)")
                first, last = Total.min("word"), Total.max("word")
                all_words = store.fetch_groups("words", by="id > 0", totals={"first": first, "last": last})
                words = store.fetch_groups("words", by="word")
                letters = ["\u00ff", "\u0100", "\uffee", "\U0001f600", "a"]
                for letter in letters:
                    store.insert("words", word=letter)
                for letter in letters[3::-1]:
                    expected = [row[0] for row in store.query("SELECT word FROM words ORDER BY word")]
                    self.assertEqual([row[0] for row in rows(words)], expected)
                    self.assertEqual(rows(all_words), [(1, expected[0], expected[-1])])
                    store.execute("DELETE FROM words WHERE word = ?", [letter])


class OtherConnections(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = str(Path(folder.name, "mails.db"))
        self.store = Store(self.path)
        self.addCleanup(self.store.close)
        self.store.execute("CREATE TABLE mails (id INTEGER PRIMARY KEY, folder TEXT, seen INTEGER)")
        self.store.executemany("INSERT INTO mails VALUES (?, ?, 0)", [(1, "in"), (2, "in"), (3, "out")])

    UNREAD = {"unread": Total.count("NOT seen")}

    def test_are_followed_by_a_store_that_only_reads(self):
        with Store(self.path, read_only=True) as reader:
            groups = reader.fetch_groups("mails", by="folder", totals=self.UNREAD)
            self.store.update("mails", 1, seen=1)
            self.assertEqual(rows(groups), [("in", 2), ("out", 1)])
            reader.dispatch()
            self.assertEqual(rows(groups), [("in", 1), ("out", 1)])
            # The log has what the row was before.
            self.assertEqual(groups.counters.rereads[RereadReason.FOREIGN], 0)

    def test_are_shown_when_a_queued_store_dispatches(self):
        with Store(self.path, queued=True) as queued:
            groups = queued.fetch_groups("mails", by="folder", totals=self.UNREAD)
            queued.delete("mails", 3)
            queued.update("mails", 1, seen=1)
            self.assertEqual(rows(groups), [("in", 2), ("out", 1)])
            queued.dispatch()
            self.assertEqual(rows(groups), [("in", 1)])

    def test_are_fetched_by_dispatch(self):
        groups = self.store.controller(Request("mails", group_by="folder", totals=self.UNREAD))
        groups.perform_fetch_async()
        self.store.update("mails", 1, seen=1)
        while not groups.is_fetched:
            self.store.wait(5)
        self.assertEqual(rows(groups), [("in", 1), ("out", 1)])


if __name__ == "__main__":
    unittest.main()
