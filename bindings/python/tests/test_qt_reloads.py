"""What resets Qt's item models."""

from __future__ import annotations

import random
import unittest
from unittest import mock

from qt_model_case import RESET, ModelTestCase
from qt_support import ListModel, Marks, Mirror, TreeModel, connect

from fetchedresults import Collection, Placeholder, Request, SectionMap, _lazy_changes
from fetchedresults.records import change_of


class Reloads(ModelTestCase):
    """The one thing beside `reload` and `close` that resets a model."""

    def test_show_all_again_also_if_nothing_changed_its_place(self):
        for kind in (TreeModel, ListModel):
            with self.subTest(kind.__name__):
                model = self.show(kind)
                index = model.index_of(1)
                self.items.pause()
                self.store.update("items", 1, name="bread" if index.data() == "brot" else "brot")
                self.assertEqual(self.signals.take(), [])
                self.items.resume(reload=True)
                self.assertEqual(self.signals.take(), RESET)
                self.assertEqual(model.index_of(1).data(), self.store.get("items", 1).name)

    def test_show_another_number_of_rows(self):
        self.show(TreeModel)
        lists = SectionMap(self.store, Request("items", sort="name"), Request("lists"), "list_id", fetch=True)
        self.show(TreeModel, lists)
        lists.disabled = True
        self.assertEqual(self.reported("DELETE FROM lists WHERE id = 1"), [])
        lists.disabled = False
        self.assertEqual(self.signals.take(), RESET)
        self.assertEqual(self.rows(), [("2", ["beer", "cider"])])
        reported = self.reported("INSERT INTO items (name, list_id) VALUES ('new', 2)")
        self.assertEqual(reported, [("rowsInserted", (0,), 2, 2)])

    def test_of_a_child_are_those_of_its_collections(self):
        every = Collection([self.items, Placeholder("End")], fetch=True)
        self.show(TreeModel, every)
        self.items.perform_fetch()
        self.assertEqual(self.signals.take(), RESET)
        self.assertEqual(self.rows()[2], ("End", []))

    def test_leave_a_model_without_data_until_it_is_reset(self):
        every = Collection([self.items], fetch=True)
        outer = Collection([every], fetch=True)
        models = [self.show(ListModel, each) for each in (every, outer)]
        seen = []
        for model in models:
            connect(
                self, model, "modelReset", lambda: seen.append(sorted(each.index(0, 0).data() or "" for each in models))
            )
        self.items.pause()
        self.store.execute("DELETE FROM items WHERE name = 'apple'")
        self.items.resume(reload=True)
        self.assertEqual(seen, [["", "bread"], ["bread", "bread"]])

    def test_after_a_pause_are_steps_if_that_was_requested(self):
        self.show(TreeModel)
        self.rows()
        self.items.pause()
        self.assertEqual(self.reported("DELETE FROM items WHERE name = 'apple'"), [])
        self.store.execute("UPDATE items SET name = 'brot' WHERE name = 'bread'")
        self.assertEqual((self.signals.take(), len(self.rows()[0][1])), ([], 3))
        self.items.resume()
        self.assertEqual(self.signals.take(), [("rowsRemoved", (0,), 0, 0), ("dataChanged", (0, 0), (0, 0))])
        self.assertEqual(self.rows()[0], ("Shop", ["brot", "date"]))


class Thresholds(ModelTestCase):
    """How many steps are too many to announce."""

    def test_reset_the_model_for_more_steps(self):
        for kind in (TreeModel, ListModel):
            for threshold, is_reset in ((2, True), (3, False), (None, False), (0, True)):
                with self.subTest(f"{kind.__name__}, {threshold}"):
                    self.store.execute("DELETE FROM items WHERE id > 5")
                    model = self.show(kind, reload_threshold=threshold)
                    with self.store.transaction():
                        for name in ("aa", "az", "bz"):
                            self.store.insert("items", name=name, list_id=1)
                    seen = self.signals.take()
                    self.assertEqual(seen if is_reset else len(seen), RESET if is_reset else 3)
                    self.assertEqual(
                        len(self.rows() if kind is ListModel else self.rows()[0][1] + self.rows()[1][1]), 8
                    )
                    self.assertEqual(model.index_of(3).data(), "cider")

    def test_count_adjacent_rows_as_one_step(self):
        self.show(ListModel, reload_threshold=1)
        rows = [(f"x{number}", 1) for number in range(500)]
        self.store.executemany("INSERT INTO items (name, list_id) VALUES (?, ?)", rows)
        self.assertEqual(self.signals.take(), [("rowsInserted", (), 3, 502)])

    def test_make_few_records(self):
        self.store.executemany("INSERT INTO items (name, list_id) VALUES (?, 1)", [("x",)] * 200)
        for threshold in (1_000, 20):
            with mock.patch.object(_lazy_changes, "change_of", side_effect=change_of) as made:
                items = self.store.fetch("items", predicate="id % 2")
                model = self.show(ListModel, items, reload_threshold=threshold)
                items.set_request(Request("items", predicate="1"))
                self.assertEqual(self.signals.take() == RESET, threshold == 20)
                self.assertLess(made.call_count, 5)
                model.close()
                self.signals.take()

    def test_make_moves_a_change_of_the_layout_that_indexes_follow(self):
        for kind in (TreeModel, ListModel):
            with self.subTest(kind.__name__):
                self.store.execute("UPDATE items SET rank = id")
                model = self.show(kind, self.store.fetch("items", sort="rank", section="list_id"), reload_threshold=1)
                mirror = Mirror(model, self.complaints)
                connect(self, model, "layoutChanged", mirror._reset)
                marks = Marks(model)
                self.rows()
                self.store.execute("UPDATE items SET rank = CASE id WHEN 2 THEN 9 WHEN 3 THEN 8 ELSE rank - 0.5 END")
                names = [each[0] for each in self.signals.take()]
                self.assertEqual(names[:2], ["layoutAboutToBeChanged", "layoutChanged"])
                self.assertEqual(set(names[2:]), {"dataChanged"})
                marks.check(self, True)
                mirror.check(self)

    def test_follow_random_orders(self):
        self.store.executemany("INSERT INTO items (id, list_id) VALUES (?, ?)", [(n, 1 + n % 2) for n in range(6, 40)])
        items = self.store.fetch("items", sort="rank", section="list_id")
        models = [self.show(kind, items, ["id", "rank"], reload_threshold=0) for kind in (TreeModel, ListModel)]
        for seed in range(20):
            numbers = random.Random(seed)
            marks = [Marks(model) for model in models]
            with self.subTest(seed), self.store.transaction():
                for identity in numbers.sample(range(1, 40), numbers.randrange(1, 39)):
                    self.store.update("items", identity, rank=numbers.random())
            for mark in marks:
                mark.check(self, True)
        self.assertEqual(self.signals.take().count(("modelReset",)), 0)

    def test_let_slots_find_rows_before_the_layout_changes(self):
        items = self.store.fetch("items", sort="rank")
        model = self.show(ListModel, items, reload_threshold=0)
        other = ListModel(items, "name")
        seen = []
        connect(self, other, "rowsMoved", lambda *_: seen.append((self.rows(), model.index_of(2).row())))
        connect(self, model, "layoutAboutToBeChanged", lambda: seen.append((self.rows(), model.index_of(2).row())))
        self.store.execute("UPDATE items SET rank = 99 WHERE id = 2")
        before, after = ["apple", "bread", "cider", "beer", "date"], ["bread", "cider", "beer", "date", "apple"]
        self.assertEqual(seen, [(before, 0), (after, 4)])

    def test_end_when_a_slot_reloads_the_model(self):
        model = self.show(ListModel, self.store.fetch("items", sort="rank"), reload_threshold=0)
        connect(self, model, "layoutChanged", model.reload)
        self.store.execute("UPDATE items SET rank = 99 WHERE id = 2")
        self.assertEqual(self.rows()[-1], "apple")
        self.assertEqual(self.signals.take()[-2:], RESET)

    def test_are_not_negative(self):
        with self.assertRaises(ValueError):
            ListModel(self.items, "name", reload_threshold=-1)


class Fetches(ModelTestCase):
    def test_are_shown_after_reload(self):
        items = self.store.controller(self.items.request)
        model = self.show(ListModel, items)
        self.assertEqual(self.rows(), [])
        items.perform_fetch()
        model.reload()
        self.assertEqual(self.signals.take(), RESET)
        self.assertEqual(len(self.rows()), 5)

    def test_without_a_notification_are_detected_before_the_next_change(self):
        items = self.store.controller(self.items.request)
        for kind in (TreeModel, ListModel):
            with self.subTest(kind.__name__):
                model = self.show(kind, items)
                items.perform_fetch()
                reported = self.reported("INSERT INTO items (name, list_id) VALUES ('new', 1)")
                self.assertEqual([each[0] for each in reported], ["modelAboutToBeReset", "modelReset", "rowsInserted"])
                model.close()
                items = self.store.controller(self.items.request)

    def test_leave_objects_unread(self):
        self.store.executemany("INSERT INTO items (name) VALUES (?)", [[f"n{number:05}"] for number in range(10_000)])
        items = self.store.fetch("items", sort="name", section="list_id")
        before = items.counters.rows_read
        models = [kind(items, "name") for kind in (TreeModel, ListModel)]
        self.assertEqual([model.rowCount() for model in models], [3, 10_005])
        self.assertEqual(items.counters.rows_read, before)
        self.assertEqual(models[1].index(5_000, 0).data(), "n05000")
        self.assertLess(items.counters.rows_read, before + 100)


if __name__ == "__main__":
    unittest.main()
