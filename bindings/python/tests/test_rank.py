"""Lists in the order of rank, which show ranks and highlights."""

from __future__ import annotations

import unittest
from math import inf, nan

from fetchedresults import ChangeSet, FetchedResultsError, Request, Store

SCHEMA = """
    CREATE VIRTUAL TABLE notes USING fts5(title, body);
    INSERT INTO notes (title, body) VALUES
        ('Bread', 'flour, water and salt'), ('Tea', 'water'), ('Soup', 'water and water');
"""
SORT = "bm25(notes, 10.0, 1.0)"
REQUEST = Request(
    "notes",
    "notes MATCH :text",
    {"text": "water"},
    sort=SORT,
    columns=["rowid", "highlight(notes, 1, '[', ']') AS body", "fr_offsets(notes) AS places", SORT + " AS rank"],
    rank_tolerance=inf,
)


class RankTest(unittest.TestCase):
    def setUp(self) -> None:
        self.store = Store()
        self.addCleanup(self.store.close)
        self.store.executescript(SCHEMA)
        self.notes = self.store.controller(REQUEST)
        self.notes.perform_fetch()

    def ranks(self) -> dict[int, float]:
        return {note.rowid: note.rank for note in self.notes.objects}

    def present(self) -> list[tuple[int, float]]:
        sql = f"SELECT rowid, {SORT} AS rank FROM notes WHERE notes MATCH 'water' ORDER BY 2, 1"
        return [(row["rowid"], row["rank"]) for row in self.store.query(sql)]

    def test_is_the_one_of_the_fetch_until_it_is_renewed(self) -> None:
        self.assertEqual(list(self.ranks().items()), self.present())
        before = self.ranks()
        received: list[ChangeSet] = []
        self.notes.add_observer(received.append)
        self.store.execute("INSERT INTO notes (title, body) VALUES ('Ice', 'frozen water')")
        self.assertEqual([change.type.name for change in received[0]], ["INSERT"])
        after = self.ranks()
        self.assertEqual({rowid: after[rowid] for rowid in before}, before)
        self.assertNotEqual(sorted(after.values()), sorted(rank for _, rank in self.present()))
        self.notes.request = self.notes.request
        self.assertEqual(list(self.ranks().items()), self.present())
        self.assertEqual(received[1].origin.name, "REQUEST")

    def test_is_renewed_with_each_document_if_nothing_is_tolerated(self) -> None:
        self.notes.request = REQUEST.replace(rank_tolerance=0)
        for title in ("x", "y", "water"):
            self.store.execute("INSERT INTO notes (title, body) VALUES (?, 'ice')", [title])
            self.assertEqual(list(self.ranks().items()), self.present())

    def test_columns_show_matches(self) -> None:
        self.assertEqual(
            [(note.body, note.places) for note in self.notes.objects],
            [("[water] and [water]", "1 0 5 1 10 5"), ("[water]", "1 0 5"), ("flour, [water] and salt", "1 7 5")],
        )

    def test_refusals(self) -> None:
        for tolerance in (-1, nan):
            with self.assertRaisesRegex(FetchedResultsError, "tolerance of ranks"):
                self.store.controller(REQUEST.replace(rank_tolerance=tolerance))
        with self.assertRaisesRegex(FetchedResultsError, "need a predicate with notes MATCH"):
            self.store.controller(REQUEST.replace(predicate=None, params=()))
        with self.assertRaisesRegex(FetchedResultsError, "write a whole SELECT"):
            self.store.controller(REQUEST.replace(sort="other(notes, 1)"))
        for sort in ("bm25(notes, ?)", "bm25(notes", "bm25(notes, (SELECT 1))", "bm25(other)"):
            with self.assertRaises(FetchedResultsError, msg=sort):
                self.store.controller(REQUEST.replace(sort=sort))


if __name__ == "__main__":
    unittest.main()
