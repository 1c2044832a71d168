"""The count of native handles."""

from __future__ import annotations

import gc
import unittest

from fetchedresults import Collection, Coordinator, HandleKind, Placeholder, Store, View, live_handles


class LiveHandles(unittest.TestCase):
    def live(self) -> dict:
        """Those that came since the test began."""
        return {
            kind.name: count - self.before[kind] for kind, count in live_handles().items() if count != self.before[kind]
        }

    def setUp(self) -> None:
        gc.collect()
        self.before = live_handles()
        self.store = Store()
        self.store.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)")
        self.addCleanup(self.store.close)

    def test_have_a_number_for_each_kind(self):
        self.assertEqual(list(live_handles()), list(HandleKind))

    def test_are_counted_by_kind(self):
        rows = self.store.fetch("t")
        self.assertEqual(self.live(), {"STORE": 1, "LIST": 1})
        collection = Collection([rows])
        self.assertEqual(self.live()["LIST"], 2)
        kept = []
        rows.add_observer(kept.append)
        self.store.insert("t")
        self.assertEqual(self.live()["CHANGE_SET"], 1)
        placeholder = Placeholder("name")
        self.assertEqual(self.live()["PLACEHOLDER"], 1)
        coordinator = Coordinator(View(), rows)
        self.assertEqual(self.live()["COORDINATOR"], 1)
        coordinator.close()
        del placeholder
        collection.close()
        rows.close()
        kept.clear()
        gc.collect()
        self.store.execute("SELECT 1")
        self.assertEqual(self.live(), {"STORE": 1})
        self.store.close()
        self.assertEqual(self.live(), {})

    def test_of_lost_objects_end_at_the_next_call(self):
        lost = self.store.fetch("t")
        del lost
        gc.collect()
        self.store.execute("SELECT 1")
        self.assertEqual(self.live(), {"STORE": 1})


if __name__ == "__main__":
    unittest.main()
