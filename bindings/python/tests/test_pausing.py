"""Pausing: lists that hold changes back for a while, and reloads."""

from __future__ import annotations

import unittest

from support import Recorder, StoreTestCase, identities, names

from fetchedresults import Collection, MisuseError, Observer, Request, RereadReason


class Pausing(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.items = self.store.fetch("items", sort="name")
        self.reported: list = []
        self.items.add_observer(self.reported.append)

    def test_keeps_the_list_as_it_is(self):
        self.assertFalse(self.items.paused)
        self.items.pause()
        self.items.pause()
        self.assertTrue(self.items.paused)
        self.store.insert("items", name="dates")
        self.assertEqual((self.items.count, self.reported), (3, []))
        self.assertIsNone(self.items.index_path_of(4))

    def test_ends_with_one_change_set_of_the_difference(self):
        before = identities(self.items)
        self.items.pause()
        self.store.insert("items", name="dates")
        self.store.delete("items", 1)
        self.items.resume()
        self.assertFalse(self.items.paused)
        (changes,) = self.reported
        self.assertEqual([change.type.name for change in changes], ["DELETE", "INSERT"])
        for form in (changes, changes.sequential()):
            self.assertEqual(form.apply(before, lambda change: change.object.identity), identities(self.items))
        self.assertEqual(self.items.counters.rereads[RereadReason.PAUSE], 1)

    def test_without_changes_ends_without_a_word(self):
        self.items.pause()
        self.items.resume()
        self.items.resume()
        self.store.execute("UPDATE lists SET position = 9")
        self.assertEqual((self.reported, names(self.items)), ([], [["apple", "bread", "cider"]]))

    def test_can_end_with_a_reload(self):
        recorder = Recorder()
        self.items.add_observer(recorder)
        for reload in (True, 1):
            self.reported.clear()
            self.items.pause()
            self.items.resume(reload=reload)
            (changes,) = self.reported
            self.assertEqual((changes.is_reload, list(changes), repr(changes)), (True, [], "<ChangeSet: reload>"))
        self.assertEqual([event[0] for event in recorder.events], ["will", "changes", "did"] * 2)

    def test_inside_a_callback_ends_after_the_round(self):
        other = self.store.fetch("items", sort="-name")
        other.pause()
        seen = []

        class Resuming(Observer):
            def did_change(self, controller):
                other.resume()
                seen.append((other.paused, other.count))

        self.items.add_observer(Resuming())
        self.store.insert("items", name="dates")
        self.assertEqual((seen, other.count), ([(False, 3)], 4))

    def test_raises_what_observers_raise_in_the_end(self):
        def fail(changes):
            raise ZeroDivisionError

        self.items.pause()
        self.store.insert("items", name="dates")
        self.items.add_observer(fail)
        with self.assertRaises(ZeroDivisionError):
            self.items.resume()
        self.assertEqual((self.items.paused, self.items.count), (False, 4))

    def test_is_not_for_collections(self):
        self.assertFalse(hasattr(Collection([self.items]), "pause"))

    def test_of_a_child_keeps_its_part_of_a_collection(self):
        both = Collection([self.items, self.store.fetch("items", sort="-name")], fetch=True)
        reported = []
        both.add_observer(reported.append)
        self.items.pause()
        self.store.insert("items", name="dates")
        self.assertEqual([len(section) for section in both], [3, 4])
        self.items.resume()
        self.assertEqual([[change.new_path for change in changes] for changes in reported], [[(1, 0)], [(0, 3)]])


class Reloads(StoreTestCase):
    def test_can_not_be_replayed(self):
        reported = []
        items = self.store.fetch("items")
        items.add_observer(reported.append)
        items.pause()
        items.resume(reload=True)
        for form in (reported[0], reported[0].sequential()):
            self.assertTrue(form.is_reload)
            with self.assertRaisesRegex(MisuseError, "reload"):
                form.apply([[1, 2, 3]])

    def test_are_reported_from_changes(self):
        reported = []
        items = self.store.fetch("items")
        items.add_observer(reported.append)
        self.store.insert("items", name="x")
        items.set_request(Request("items", "id > 1"))
        self.assertEqual([changes.is_reload for changes in reported], [False, False])


if __name__ == "__main__":
    unittest.main()
