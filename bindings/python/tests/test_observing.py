"""Observers: what they are notified of, when, and what they may do."""

from __future__ import annotations

import unittest
from unittest import mock

from support import Recorder, StoreTestCase, names

from fetchedresults import ChangeSet, ClosedError, Object, Observer, _api

OLD = [["apple", "bread", "cider"]]
NEW = [["ale", "apple", "bread", "cider"]]


class Brackets(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.items = self.store.fetch("items", sort="name")

    def test_have_both_forms_and_show_the_old_list_then_the_new(self):
        recorder = Recorder()
        self.items.add_observer(recorder)
        self.store.insert("items", name="ale")
        self.assertEqual(
            recorder.events,
            [
                ("will", OLD),
                ("object", "INSERT", "ale", None, (0, 0)),
                ("changes", 1),
                ("did", NEW),
            ],
        )

    def test_report_sections_before_rows(self):
        items = self.store.fetch("items", sort="name", section="list_id.title")
        recorder = Recorder()
        items.add_observer(recorder)
        self.assertEqual(names(items), [["cider"], ["apple", "bread"]])
        self.store.execute("DELETE FROM items WHERE list_id = 2")
        self.assertEqual(
            recorder.events,
            [
                ("will", [["cider"], ["apple", "bread"]]),
                ("section", "DELETE", "Home", 0),
                ("object", "DELETE", "cider", (0, 0), None),
                ("changes", 2),
                ("did", [["apple", "bread"]]),
            ],
        )

    def test_give_deleted_sections_as_they_were(self):
        items = self.store.fetch("items", section="list_id.title")
        kept = []

        class Keeper(Observer):
            def section_changed(self, controller, section, change):
                kept.append((section, change))

        items.add_observer(Keeper())
        self.store.execute("DELETE FROM items WHERE list_id = 2")
        ((section, change),) = kept
        self.assertEqual((section.name, section.value, section.index_title), ("Home", "Home", "H"))
        self.assertEqual((section.section_index, section.count, section.objects), (0, 0, []))
        self.assertFalse(items[0, 0] in section)
        with self.assertRaises(IndexError):
            section[0]
        self.assertEqual((change.section_name, change.object, change.old_values), ("Home", None, {"name": "Home"}))
        self.assertEqual(change.old_section_name, "Home")

    def test_are_not_made_for_nothing(self):
        recorder = Recorder()
        self.items.add_observer(recorder)
        self.store.execute("UPDATE items SET name = name")
        with self.store.transaction():
            self.store.insert("items", name="x")
            self.store.execute("DELETE FROM items WHERE name = 'x'")
        self.store.insert("lists", title="x")
        self.assertEqual(recorder.events, [])

    def test_begin_for_all_lists_before_any_switches(self):
        events = []

        class Watcher(Observer):
            def __init__(self, name, others):
                self.name, self.others = name, others

            def will_change(self, controller):
                events.append((self.name, "will", [each.count for each in self.others]))

            def did_change(self, controller):
                events.append((self.name, "did", [each.count for each in self.others]))

        other = self.store.fetch("items", sort="-name")
        both = [self.items, other]
        self.items.add_observer(Watcher("a", both))
        other.add_observer(Watcher("b", both))
        self.store.insert("items", name="x")
        self.assertEqual(sorted(events[:2]), [("a", "will", [3, 3]), ("b", "will", [3, 3])])
        self.assertEqual(sorted(events[2:]), [("a", "did", [4, 4]), ("b", "did", [4, 4])])

    def test_notify_several_observers_in_the_order_of_their_registration(self):
        reported = []
        for number in range(3):
            self.items.add_observer(lambda changes, number=number: reported.append(number))
        self.store.insert("items", name="x")
        self.assertEqual(reported, [0, 1, 2])

    def test_single_records_have_all_details_of_those_of_change_sets(self):
        seen = []

        class Watcher(Observer):
            def object_changed(self, controller, object, change):
                seen.append((object, change))

        self.items.add_observer(Watcher())
        self.assertEqual(names(self.items), OLD)
        self.store.update("items", 1, rank=8)
        ((item, change),) = seen
        self.assertIsInstance(item, Object)
        self.assertEqual((item.rank, change.changed_columns), (8.0, ("rank",)))
        self.assertIs(change.object, item)
        self.assertEqual((change.section_name, change.old_section_name, change.section_object), (None, None, None))
        # As long as the record, also after the next change and without the store.
        self.store.update("items", 1, rank=9)
        self.store.close()
        self.assertEqual(change.old_values, {"id": 1, "name": "bread", "rank": 2.0, "list_id": 1})

    def test_records_of_inserts_have_no_old_values(self):
        seen = []

        class Watcher(Observer):
            def object_changed(self, controller, object, change):
                seen.append(change.old_values)

        self.items.add_observer(Watcher())
        self.store.insert("items", name="x")
        self.assertEqual(seen, [{}])


class Delegates(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.items = self.store.fetch("items", sort="name")

    def test_that_override_nothing_get_no_calls(self):
        self.items.add_observer(Observer())
        self.store.insert("items", name="ale")
        self.assertEqual(names(self.items), NEW)

    def test_are_connected_by_the_methods_that_they_override(self):
        class Half(Observer):
            def section_changed(self, controller, section, change):
                pass

            def did_fail(self, controller, error):
                pass

        def connected(observer):
            with mock.patch.object(_api, "fr_list_add_observer", return_value=0) as add:
                self.items.add_observer(observer)
            native = add.call_args.args[2]._obj
            return {name for name, _ in native._fields_[1:] if getattr(native, name)}

        self.assertEqual(connected(Half()), {"section_changed", "did_fail"})
        self.assertEqual(connected(Observer()), set())
        self.assertEqual(connected(print), {"did_deliver"})
        self.assertEqual(len(connected(Recorder())), 6)

    def test_get_change_sets_that_can_be_stored(self):
        kept = []
        self.items.add_observer(kept.append)
        self.store.insert("items", name="x")
        self.store.insert("items", name="y")
        self.assertIsInstance(kept[0], ChangeSet)
        self.assertEqual([changes[0].object.name for changes in kept], ["x", "y"])

    def test_must_be_delegates_or_callable(self):
        with self.assertRaises(TypeError):
            self.items.add_observer("print")

    def test_are_reported_when_a_commit_leaves_the_list_without_a_valid_state(self):
        recorder = Recorder()
        self.items.add_observer(recorder)
        self.assertEqual(names(self.items), OLD)
        self.store.execute("PRAGMA foreign_keys = OFF")
        self.store.execute("ALTER TABLE items RENAME TO hidden")
        self.assertEqual([event[0] for event in recorder.events], ["failed"])
        self.assertEqual(self.items.count, 3)
        recorder.events.clear()
        self.store.execute("ALTER TABLE hidden RENAME TO items")
        self.assertEqual(recorder.events, [])
        self.store.insert("items", name="ale")
        self.assertEqual(recorder.events[-1], ("did", NEW))


class Observations(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.items = self.store.fetch("items", sort="name")
        self.reported: list = []

    def test_end_when_they_are_cancelled(self):
        observation = self.items.add_observer(self.reported.append)
        self.assertTrue(observation.active)
        observation.cancel()
        observation.cancel()
        self.assertFalse(observation.active)
        self.store.insert("items", name="x")
        self.assertEqual(self.reported, [])

    def test_end_with_their_block(self):
        with self.items.add_observer(self.reported.append) as observation:
            self.store.insert("items", name="x")
        self.store.insert("items", name="y")
        self.assertEqual((len(self.reported), observation.active), (1, False))

    def test_end_with_their_controller(self):
        observation = self.items.add_observer(self.reported.append)
        self.items.close()
        self.assertFalse(observation.active)
        observation.cancel()

    def test_can_be_cancelled_after_their_store_was_closed(self):
        observation = self.items.add_observer(self.reported.append)
        self.store.close()
        observation.cancel()
        self.assertFalse(observation.active)

    def test_need_not_be_retained(self):
        self.items.add_observer(self.reported.append)
        self.store.insert("items", name="x")
        self.assertEqual(len(self.reported), 1)

    def test_can_be_cancelled_inside_their_own_callback(self):
        def once(changes):
            self.reported.append(changes)
            observation.cancel()

        observation = self.items.add_observer(once)
        self.store.insert("items", name="x")
        self.store.insert("items", name="y")
        self.assertEqual(len(self.reported), 1)

    def test_of_another_observer_can_be_cancelled_inside_a_callback(self):
        self.items.add_observer(lambda changes: second.cancel())
        second = self.items.add_observer(self.reported.append)
        self.store.insert("items", name="x")
        self.assertEqual(self.reported, [])

    def test_made_inside_a_callback_begin_with_the_next_round(self):
        def add(changes):
            if not self.reported:
                self.items.add_observer(self.reported.append)

        self.items.add_observer(add)
        self.store.insert("items", name="x")
        self.assertEqual(self.reported, [])
        self.store.insert("items", name="y")
        self.assertEqual(len(self.reported), 1)


class InsideCallbacks(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.items = self.store.fetch("items", sort="name")

    def test_writes_have_a_round_of_their_own(self):
        recorder = Recorder()

        class Answering(Observer):
            def did_change(delegate, controller):
                if controller.count == 4:
                    self.store.insert("items", name="ale")
                    recorder.events.append(("wrote", controller.count))

        self.items.add_observer(recorder)
        self.items.add_observer(Answering())
        self.store.insert("items", name="tea")
        self.assertEqual(
            [event[:2] for event in recorder.events],
            [
                ("will", [["apple", "bread", "cider"]]),
                ("object", "INSERT"),
                ("changes", 1),
                ("did", [["apple", "bread", "cider", "tea"]]),
                ("wrote", 4),
                ("will", [["apple", "bread", "cider", "tea"]]),
                ("object", "INSERT"),
                ("changes", 1),
                ("did", [["ale", "apple", "bread", "cider", "tea"]]),
            ],
        )

    def test_transactions_and_queries_work(self):
        def copy(changes):
            if changes.inserts and changes.inserts[0].object.name == "tea":
                with self.store.transaction():
                    for row in list(self.store.query("SELECT count(*) AS n FROM items")):
                        self.store.insert("items", name=f"{row['n']} items")

        self.items.add_observer(copy)
        self.store.insert("items", name="tea")
        self.assertEqual(names(self.items), [["4 items", "apple", "bread", "cider", "tea"]])

    def test_the_controller_can_be_closed(self):
        recorder = Recorder()

        class Closing(Observer):
            def will_change(self, controller):
                controller.close()

        self.items.add_observer(Closing())
        self.items.add_observer(recorder)
        self.store.insert("items", name="x")
        self.assertEqual(recorder.events, [])
        with self.assertRaises(ClosedError):
            self.items.count

    def test_the_store_can_be_closed(self):
        recorder = Recorder()
        self.items.add_observer(lambda changes: self.store.close())
        self.items.add_observer(recorder)
        self.store.execute("INSERT INTO items (name) VALUES ('x')")
        self.assertTrue(self.store.closed)
        self.assertNotIn("did", [event[0] for event in recorder.events])

    def test_the_request_can_be_changed_for_after_the_round(self):
        def narrow(changes):
            if self.items.request.limit is None:
                self.items.set_request(self.items.request.replace(limit=2))
                self.assertEqual(self.items.count, 4)

        self.items.add_observer(narrow)
        self.store.insert("items", name="x")
        self.assertEqual(names(self.items), [["apple", "bread"]])

    def test_controllers_can_be_made_and_fetched(self):
        made = []
        self.items.add_observer(lambda changes: made.append(self.store.fetch("items", sort="-name")))
        self.store.insert("items", name="x")
        self.assertEqual(names(made[0]), [["x", "cider", "bread", "apple"]])

    def test_dispatch_does_nothing(self):
        self.items.add_observer(lambda changes: self.store.dispatch())
        self.store.insert("items", name="x")
        self.assertEqual(self.items.count, 4)


if __name__ == "__main__":
    unittest.main()
