"""Qt's item models below proxy models."""

from __future__ import annotations

import unittest

from qt_model_case import ModelTestCase
from qt_support import ListModel

# After qt_support, which skips these tests where there is no PySide6.
from PySide6.QtCore import QConcatenateTablesProxyModel, QSortFilterProxyModel  # isort: skip

from fetchedresults import Request, SectionMap


def shown(proxy) -> list:
    """The first column of a proxy."""
    return [proxy.index(row, 0).data() for row in range(proxy.rowCount())]


class Proxies(ModelTestCase):
    def show_numbers(self, count: int, **options):
        """A list in the order of `rank`, with a column in another one, and how often that was
        read.
        """
        self.store.insert("lists", id=9, title="Numbers")
        rows = [(f"{number * 7919 % 10007:05}", 9 + number, 9) for number in range(count)]
        self.store.executemany("INSERT INTO items (name, rank, list_id) VALUES (?, ?, ?)", rows)
        reads: list = []

        def name(item):
            reads.append(item.identity)
            return item.name

        items = self.store.fetch("items", "list_id = 9", sort="rank")
        return ListModel(items, [name], **options), reads

    def test_find_the_place_of_one_row_when_it_moves(self):
        model, reads = self.show_numbers(1000, announces_moves=False)
        proxy = QSortFilterProxyModel()
        proxy.setSourceModel(model)
        proxy.sort(0)
        self.assertEqual(shown(proxy), sorted(shown(proxy)))
        reads.clear()
        self.store.execute("UPDATE items SET rank = 500.5 WHERE rank = 9")
        self.assertLess(len(reads), 100)
        self.assertTrue(reads)
        self.assertEqual(shown(proxy), sorted(item.name for item in model.controller.objects))

    def test_that_ignore_moves_show_the_new_order(self):
        lists = SectionMap(
            self.store, Request("items", sort="name"), Request("lists", sort="position"), "list_id", fetch=True
        )
        models = [ListModel(each, ["name"], announces_moves=False) for each in (self.items, lists)]
        proxy = QConcatenateTablesProxyModel()
        for model in models:
            proxy.addSourceModel(model)
        self.assertEqual(shown(proxy), "apple bread date beer cider beer cider apple bread date".split())
        self.store.execute("UPDATE items SET name = 'eggs' WHERE name = 'apple'")
        self.assertEqual(shown(proxy), "bread date eggs beer cider beer cider bread date eggs".split())
        # A section moves with its rows.
        self.store.execute("UPDATE lists SET position = 9 WHERE title = 'Home'")
        self.assertEqual(shown(proxy), "bread date eggs beer cider bread date eggs beer cider".split())

    def test_that_sort_widen_the_cache_of_rows(self):
        model, _ = self.show_numbers(2000)
        limited = self.store.fetch("items", "list_id = 9", sort="rank")
        limited.row_cache_size = 100
        proxies = []
        for each in (model, ListModel(limited, ["name"])):
            for row in range(each.rowCount()):
                each.index(row, 0).data()
            proxies.append(QSortFilterProxyModel())
            proxies[-1].setSourceModel(each)
        self.assertEqual((model.controller.row_cache_size, limited.row_cache_size), (1000, 100))
        for proxy in proxies:
            proxy.sort(0)
        self.assertEqual((model.controller.row_cache_size, limited.row_cache_size), (2000, 100))


if __name__ == "__main__":
    unittest.main()
