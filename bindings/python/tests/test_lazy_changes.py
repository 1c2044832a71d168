"""Records of a change set are made when they are first read."""

import copy
import pickle
import threading
import unittest
from unittest import mock

from fetchedresults import ChangeKind, ChangeSet, ChangeType, Request, Store, _lazy_changes
from fetchedresults.records import change_of

COUNT = 2_000


class LazyRecords(unittest.TestCase):
    def setUp(self):
        self.store = Store()
        self.addCleanup(self.store.close)
        self.store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, part INTEGER)")
        self.store.execute(
            "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT ?)"
            " INSERT INTO items SELECT i, 'n' || i, i / 500 FROM n",
            [COUNT],
        )
        self.items = self.store.fetch("items", predicate="id % 2", section="part")
        self.delivered = []
        self.items.add_observer(self.delivered.append)
        made = mock.patch.object(_lazy_changes, "change_of", side_effect=change_of)
        self.made = made.start()
        self.addCleanup(made.stop)

    def deliver(self) -> ChangeSet:
        self.items.set_request(Request("items", predicate="1", section="part"))
        return self.delivered.pop()

    def test_a_delivery_makes_none(self):
        changes = self.deliver()
        self.assertEqual((len(changes), changes.is_reload), (COUNT / 2, False))
        steps = changes.sequential()
        self.assertEqual(len(steps), COUNT / 2)
        self.assertFalse(changes.updates or changes.moves or changes.sections or changes.deletes)
        self.assertEqual(self.made.call_count, 0)

    def test_what_is_read_is_made_once(self):
        changes = self.deliver()
        self.assertEqual(changes[1].identity, 2)
        self.assertIs(changes[1], changes[1])
        self.assertEqual([each.identity for each in changes[-2:]], [COUNT - 4, COUNT - 2])
        self.assertIs(changes[-1], changes[COUNT // 2 - 1])
        self.assertEqual(self.made.call_count, 3)
        self.assertEqual(len(changes.inserts), COUNT / 2)
        self.assertEqual([each.new_path for each in changes], [each.new_path for each in changes.objects])
        self.assertEqual(self.made.call_count, COUNT / 2)
        with self.assertRaises(IndexError):
            changes[COUNT // 2]

    def test_records_of_one_type_are_made_alone(self):
        self.deliver()
        self.made.reset_mock()
        with self.store.transaction():
            self.store.execute("UPDATE items SET name = 'x' WHERE id < 3")
            self.store.execute("DELETE FROM items WHERE id = 700")
            self.store.execute("DELETE FROM items WHERE part = 3")
        (changes,) = self.delivered
        self.assertEqual([each.new_path for each in changes.updates], [(0, 0), (0, 1), (0, 2)])
        self.assertEqual([each.old_path for each in changes.sections], [(3, -1)])
        self.assertEqual(self.made.call_count, 4)
        self.assertEqual({each.kind for each in changes.sections}, {ChangeKind.SECTION})
        self.assertEqual({each.type for each in changes.deletes}, {ChangeType.DELETE})
        self.assertEqual(len(changes.deletes), 501)

    def test_they_can_be_read_after_the_store_was_closed(self):
        changes = self.deliver()
        self.store.close()
        self.assertEqual([each.new_path.row for each in changes[:3]], [0, 2, 4])
        self.assertEqual(len(list(changes)), COUNT / 2)

    def test_copies_and_pickles_are_equal(self):
        changes = self.deliver()
        self.assertIs(copy.deepcopy(changes), changes)
        again = pickle.loads(pickle.dumps(changes))
        self.assertEqual(again, changes)
        self.assertEqual(hash(again), hash(changes))
        self.assertEqual(again.inserts, changes.inserts)
        self.assertNotEqual(again, changes.sequential())

    def test_ranges_make_what_is_read_of_them(self):
        self.deliver()
        self.made.reset_mock()
        self.store.execute("DELETE FROM items WHERE id BETWEEN 10 AND 200")
        (changes,) = self.delivered
        (run,) = changes.ranges()
        self.assertEqual((len(run.changes), run.old_path), (191, (0, 10)))
        self.assertEqual(self.made.call_count, 0)
        self.assertEqual(run.changes[0].old_path, (0, 200))
        self.assertEqual([each.old_path for each in run.changes[-2:]], [(0, 11), (0, 10)])
        self.assertEqual(self.made.call_count, 3)
        self.assertEqual(run.changes, tuple(changes))
        self.assertEqual(tuple(changes), run.changes)
        self.assertNotEqual(run.changes, run.changes[1:])
        self.assertEqual(hash(run.changes), hash(tuple(changes)))
        self.assertEqual(pickle.loads(pickle.dumps(run)), run)

    def test_more_records_are_not_kept(self):
        count = 20_000
        self.store.execute("DELETE FROM items")
        self.delivered.clear()
        self.store.execute(
            "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT ?)"
            " INSERT INTO items SELECT i, '', 0 FROM n",
            [2 * count],
        )
        # Half of them entered.
        (changes,) = self.delivered
        self.assertEqual(len(changes), count + 1)
        self.assertIsNot(changes[5], changes[5])
        self.assertEqual(changes[5], changes[5])
        self.store.close()
        found = []
        thread = threading.Thread(target=lambda: found.extend(each.new_path for each in changes))
        thread.start()
        thread.join()
        self.assertEqual(found, [(0, -1), *((0, row) for row in range(count))])
        self.assertEqual([changes[place].new_path for place in (9_000, 1, 20_000)], [(0, 8_999), (0, 0), (0, 19_999)])


if __name__ == "__main__":
    unittest.main()
