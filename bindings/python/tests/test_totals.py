"""Totals of lists and of their sections, and what a delivery changed in them."""

from __future__ import annotations

import pickle
import unittest

from fetchedresults import ChangeSet, Collection, Request, SectionMap, Store, Total, TotalChange

SCHEMA = """
    CREATE TABLE mails (id INTEGER PRIMARY KEY, folder TEXT, seen INT, size INT);
    INSERT INTO mails VALUES (1, 'in', 0, 10), (2, 'in', 1, 20), (3, 'out', 1, 5);
"""
TOTALS = {"unread": Total.count("seen = 0"), "size": Total.sum("size"), "most": Total.max("size")}


class TotalsTest(unittest.TestCase):
    def setUp(self) -> None:
        self.store = Store()
        self.addCleanup(self.store.close)
        self.store.executescript(SCHEMA)

    def test_belong_to_the_list_and_its_sections(self) -> None:
        mails = self.store.fetch("mails", section="folder", totals=TOTALS)
        self.assertEqual(mails.totals, {"unread": 1, "size": 35, "most": 20})
        self.assertEqual([section.totals["size"] for section in mails], [30, 5])
        self.store.execute("DELETE FROM mails WHERE id = 2")
        self.assertEqual(mails.totals, {"unread": 1, "size": 15, "most": 10})
        self.assertEqual(self.store.fetch("mails").totals, {})

    def test_are_reported_when_they_change(self) -> None:
        mails = self.store.fetch("mails", section="folder", totals=TOTALS)
        received: list[ChangeSet] = []
        mails.add_observer(received.append)
        self.store.execute("UPDATE mails SET seen = 1 WHERE id = 1")
        expected = (TotalChange("unread", None, None, 1, 0), TotalChange("unread", 0, 0, 1, 0))
        self.assertEqual(received[0].totals, expected)
        self.assertEqual(pickle.loads(pickle.dumps(received[0])).totals, expected)
        self.store.execute("UPDATE mails SET folder = 'sent' WHERE id = 3")
        self.assertEqual(received[1].totals, ())

    def test_are_columns_of_the_records_of_sections(self) -> None:
        mails = self.store.fetch("mails", section="folder", totals=TOTALS)
        received: list[ChangeSet] = []
        mails.add_observer(received.append)
        self.store.execute("UPDATE mails SET seen = 1, size = 30 WHERE id = 1")
        self.store.close()
        for changes in (received[0], received[0].sequential(), pickle.loads(pickle.dumps(received[0]))):
            record = changes[0]
            self.assertEqual(record.changed_columns, ("unread", "size", "most"))
            self.assertEqual(record.old_values, {"name": "in", "unread": 1, "size": 30, "most": 20})

    def test_are_columns_behind_the_row_of_a_section(self) -> None:
        self.store.execute("CREATE TABLE folders (name TEXT PRIMARY KEY, rank INT)")
        self.store.execute("INSERT INTO folders VALUES ('in', 1), ('out', 2)")
        mails = SectionMap(
            self.store,
            Request("mails", totals=TOTALS),
            Request("folders", sort="rank"),
            "folder",
            section_key="name",
            fetch=True,
        )
        received: list[ChangeSet] = []
        mails.add_observer(received.append)
        with self.store.transaction():
            self.store.execute("UPDATE folders SET rank = 3 WHERE name = 'in'")
            self.store.execute("DELETE FROM mails WHERE id = 2")
        (record,) = received[0].sections
        self.assertEqual(record.changed_columns, ("rank", "size", "most"))
        self.assertEqual(record.old_values, {"name": "in", "rank": 1, "size": 30, "most": 20})

    def test_change_without_a_row_that_changes(self) -> None:
        mails = self.store.fetch("mails", columns=["folder"], totals=TOTALS)
        received: list[ChangeSet] = []
        mails.add_observer(received.append)
        self.store.execute("UPDATE mails SET size = 30 WHERE id = 2")
        self.assertEqual([total.name for total in received[0].totals], ["size", "most"])
        self.assertEqual((len(received[0]), received[0].is_reload), (0, False))

    def test_a_collection_has_those_of_its_lists(self) -> None:
        collection = Collection([self.store.fetch("mails", section="folder", totals=TOTALS)])
        self.addCleanup(collection.close)
        collection.perform_fetch()
        collection.append(self.store.fetch("mails", totals=TOTALS))
        self.assertEqual(collection.totals, {"unread": 2, "size": 70, "most": 20})
        self.assertEqual([section.totals["size"] for section in collection], [30, 5, 35])
        received: list[ChangeSet] = []
        collection.add_observer(received.append)
        self.store.execute("UPDATE mails SET seen = 1 WHERE id = 1")
        self.assertEqual(
            [(total.new_section, total.new_value) for total in received[0].totals], [(None, 0), (0, 0), (2, 0)]
        )

    def test_a_limited_list_can_have_those_of_all_rows(self) -> None:
        mails = self.store.fetch("mails", sort="id", limit=1, totals=TOTALS)
        self.assertEqual(mails.totals["size"], 10)
        mails.request = mails.request.replace(totals_of_all_rows=True)
        self.assertEqual(mails.totals["size"], 35)
        self.assertEqual(self.store.fetch("mails", limit=1, totals=TOTALS, totals_of_all_rows=True).totals["size"], 35)

    def test_a_window_has_those_of_all_rows(self) -> None:
        mails = self.store.fetch("mails", section="folder", totals=TOTALS)
        window = mails.window(0, before=0, after=0)
        self.addCleanup(window.close)
        self.assertEqual((window.totals["size"], window[0].totals["size"]), (35, 30))


if __name__ == "__main__":
    unittest.main()
