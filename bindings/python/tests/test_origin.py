"""Change sets say what caused them."""

from __future__ import annotations

import pickle
import subprocess
import sys

from support import StoreTestCase

from fetchedresults import ChangeOrigin, Collection, Request


class Origins(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.reported: list = []

    def watch(self, live_list):
        live_list.add_observer(self.reported.append)
        return live_list

    def origins(self) -> list:
        origins = [changes.origin for changes in self.reported]
        self.reported.clear()
        return origins

    def test_of_commits(self):
        path = self.folder() / "shared.db"
        store = self.open(path)
        store.executescript("CREATE TABLE items (id INTEGER PRIMARY KEY, name); INSERT INTO items VALUES (1, 'a')")
        items = self.watch(store.fetch("items"))
        program = (
            "import sqlite3, sys\n"
            "with sqlite3.connect(sys.argv[1]) as other: other.execute(\"UPDATE items SET name = name || '.'\")"
        )

        def write_elsewhere():
            subprocess.run([sys.executable, "-c", program, str(path)], check=True, timeout=60)

        store.execute("UPDATE items SET name = 'b'")
        self.assertEqual(self.origins(), [ChangeOrigin.STORE])
        write_elsewhere()
        store.dispatch()
        self.assertEqual(self.origins(), [ChangeOrigin.FOREIGN])
        write_elsewhere()
        store.execute("UPDATE items SET name = name || '!'")
        self.assertEqual(self.origins(), [ChangeOrigin.STORE | ChangeOrigin.FOREIGN])
        self.assertEqual(items[0][0].name, "b..!")

    def test_of_requests_fetches_and_pauses(self):
        items = self.watch(self.store.fetch("items", sort="name"))
        collection = Collection([items])
        collection.perform_fetch()
        items.set_request(Request("items", sort="-name"))
        self.assertEqual(self.origins(), [ChangeOrigin.REQUEST])
        items.pause()
        self.store.execute("DELETE FROM items WHERE id = 1")
        items.resume()
        self.assertEqual(self.origins(), [ChangeOrigin.RESUME | ChangeOrigin.STORE])
        self.watch(collection)
        items.perform_fetch()
        self.assertEqual(self.origins(), [ChangeOrigin.FETCH])

    def test_of_kept_steps_and_pickled_ones(self):
        items = self.watch(self.store.fetch("items"))
        self.store.execute("DELETE FROM items WHERE id = 1")
        self.assertEqual(items.count, 2)
        (changes,) = self.reported
        pickled = pickle.loads(pickle.dumps(changes))
        found = [each.origin for each in (changes, changes.sequential(), pickled, pickled.sequential())]
        self.assertEqual(found, [ChangeOrigin.STORE] * 4)
