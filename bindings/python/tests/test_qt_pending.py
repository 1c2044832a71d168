"""Edits that Qt's item models give to the program, and show until they come back."""

from __future__ import annotations

import gc
import random

from qt_model_case import OBJECT, ModelTestCase
from qt_support import ListModel, Qt, TreeModel, connect
from seeds import seeds

# After qt_support, which skips these tests where there is no PySide6.
from PySide6.QtCore import QModelIndex  # isort: skip

from fetchedresults import Collection, ConstraintError, FetchedResultsError
from fetchedresults.qt import Column

CHECK, PENDING = Qt.ItemDataRole.CheckStateRole, ListModel.PendingRole
COLUMNS = [Column("name", edit=True), Column("rank", edit=True, check="list_id"), "id"]


class PendingEdits(ModelTestCase):
    def show(self, kind=ListModel, controller=None, columns=COLUMNS, submit=None, **options):
        self.edits, self.errors = [], []
        model = super().show(kind, controller, columns, submit=submit or self.edits.append, **options)
        connect(self, model, "errorOccurred", lambda message, error: self.errors.append((message, type(error))))
        return model

    def cell(self, identity=1, column=0):
        """What a cell shows, and whether that is pending."""
        index = self.model.index_of(identity).siblingAtColumn(column)
        self.assertEqual(index.data(), index.data(Qt.ItemDataRole.EditRole))
        return index.data(), index.data(PENDING)

    def edit(self, value, identity=1, column=0):
        return self.model.setData(self.model.index_of(identity).siblingAtColumn(column), value)

    def test_are_shown_until_their_change_arrives(self):
        for kind in (ListModel, TreeModel):
            with self.subTest(kind=kind.__name__):
                self.store.update("items", 1, name="bread", rank=2)
                self.show(kind)
                self.assertEqual(self.cell(), ("bread", False))
                self.assertTrue(self.edit("bun"))
                [edit] = self.edits
                self.assertEqual((edit.entity, edit.identity, edit.column, edit.value), ("items", 1, "name", "bun"))
                self.assertEqual([each[0] for each in self.signals.take()], ["dataChanged"])
                self.assertEqual((self.cell(), self.cell(column=1)), (("bun", True), (2.0, False)))
                self.assertEqual(self.store.get("items", 1).name, "bread")
                # Another column of the row, and another row.
                self.store.update("items", 1, rank=1.5)
                self.store.update("items", 2, name="pear")
                self.assertEqual(self.cell(), ("bun", True))
                self.signals.take()
                self.store.update("items", 1, name="bun")
                self.assertEqual(self.cell(), ("bun", False))
                self.assertIn("dataChanged", [each[0] for each in self.signals.take()])
                self.assertEqual(self.errors, [])

    def test_end_with_any_other_value_of_the_column(self):
        self.show()
        self.edit("  bun ")
        self.store.update("items", 1, name="bun")
        self.assertEqual(self.cell(), ("bun", False))

    def test_an_answer_to_an_earlier_edit_leaves_the_later_one(self):
        self.show()
        self.edit("bun")
        self.edit("bagel")
        self.edit("roll")
        self.store.update("items", 1, name="bun")
        self.assertEqual(self.cell(), ("roll", True))
        self.store.update("items", 1, name="roll")
        self.assertEqual(self.cell(), ("roll", False))

    def test_that_fail_are_taken_back_and_reported(self):
        self.show()
        self.edit("bun")
        self.edit("bagel")
        first, second = self.edits
        self.signals.take()
        second.fail("bagels are sold out")
        self.assertEqual((self.cell(), self.errors), (("bun", True), [("bagels are sold out", FetchedResultsError)]))
        self.assertEqual(self.signals.take(), [("dataChanged", (1,), (1,))])
        second.fail("again")
        first.finish()
        first.fail("again")
        self.assertEqual((self.cell(), len(self.errors)), (("bread", False), 1))

    def test_a_failure_after_another_change_is_reported_too(self):
        self.show()
        self.edit("bun")
        self.store.update("items", 1, name="roll")
        self.edits[0].fail("too late")
        self.assertEqual((self.cell(), self.errors), (("roll", False), [("too late", FetchedResultsError)]))

    def test_can_be_refused(self):
        def refuse(edit):
            self.edits.append(edit)
            if edit.value == "ham":
                raise ConstraintError("no ham")
            return False

        self.show(submit=refuse)
        self.assertFalse(self.edit("bun"))
        self.assertFalse(self.edit("ham"))
        self.assertEqual((self.cell(), self.errors), (("bread", False), [("no ham", ConstraintError)]))

    def test_can_fail_or_come_back_at_once(self):
        def answer(edit):
            if edit.value == "ham":
                edit.fail("no ham")
            else:
                self.store.update("items", edit.identity, {edit.column: edit.value})

        self.show(submit=answer)
        self.assertTrue(self.edit("bun"))
        self.assertEqual(self.cell(), ("bun", False))
        self.assertTrue(self.edit("ham"))
        self.assertEqual((self.cell(), [message for message, _ in self.errors]), (("bun", False), ["no ham"]))

    def test_of_the_value_that_is_shown_are_not_sent(self):
        self.show()
        self.assertTrue(self.edit("bread"))
        self.assertTrue(self.edit("bun"))
        self.assertTrue(self.edit("bun"))
        self.assertEqual([edit.value for edit in self.edits], ["bun"])
        self.assertTrue(self.edit("bread"))
        self.assertEqual(self.cell(), ("bread", True))

    def test_end_with_their_row(self):
        self.show()
        self.edit("bun")
        self.store.delete("items", 1)
        self.store.insert("items", id=1, name="new", rank=1, list_id=1)
        self.assertEqual(self.cell(), ("new", False))
        self.edits[0].fail("there is no such row")
        self.assertEqual(len(self.errors), 1)

    def test_stay_over_a_reload_that_does_not_answer_them(self):
        self.show()
        self.edit("bun")
        self.edit("fig", 2)
        self.items.pause()
        self.store.update("items", 1, name="roll")
        self.items.resume(reload=True)
        self.assertEqual((self.cell(), self.cell(2)), (("roll", False), ("fig", True)))

    def test_follow_a_row_that_moves(self):
        self.show()
        self.edit("bun")
        self.store.update("items", 1, list_id=2)
        self.assertEqual(self.cell(), ("bun", True))

    def test_of_checks(self):
        self.show(columns=COLUMNS)
        box = self.model.index_of(1).siblingAtColumn(1)
        self.assertTrue(self.model.setData(box, Qt.CheckState.Unchecked, CHECK))
        self.assertEqual([(edit.column, edit.value) for edit in self.edits], [("list_id", 0)])
        self.assertEqual((box.data(CHECK), box.data(PENDING)), (Qt.CheckState.Unchecked, True))
        self.edits[0].fail("no")
        self.assertEqual((box.data(CHECK), box.data(PENDING)), (Qt.CheckState.Checked, False))

    def test_by_roles_of_columns_as_in_qml(self):
        self.show()
        index = self.model.index_of(1).siblingAtColumn(2)
        self.assertFalse(index.data(PENDING))
        self.assertTrue(self.model.setData(index, "bun", ListModel.FirstColumnRole))
        self.assertFalse(index.data(PENDING))
        self.assertEqual(index.data(ListModel.FirstColumnRole), "bun")
        self.assertTrue(index.data(PENDING))
        self.assertEqual(index.data(OBJECT).name, "bread")
        self.assertIn(b"pending", [bytes(name.data()) for name in self.model.roleNames().values()])

    def test_of_rows_that_are_dragged(self):
        self.show(TreeModel, self.store.fetch("items", sort="rank", section="list_id"), position="rank")
        self.assertTrue(self.model.moveRows(self.model.index(0, 0), 0, 1, self.model.index(1, 0), 0))
        self.assertEqual({edit.column for edit in self.edits}, {"rank", "list_id"})
        self.assertEqual({edit.identity for edit in self.edits}, {self.edits[0].identity})
        self.assertEqual([item.list_id for item in self.store.fetch("items", sort="id").objects], [1, 1, 2, 2, 1])

    def test_in_a_collection(self):
        self.show(ListModel, Collection([self.store.fetch("items", sort="id")], fetch=True))
        row = self.model.index(2, 0)
        self.model.setData(row, "fig")
        self.assertEqual((row.data(), row.data(PENDING)), ("fig", True))
        self.store.update("items", 3, name="fig")
        self.assertEqual((row.data(), row.data(PENDING)), ("fig", False))

    def test_end_with_the_model(self):
        self.show()
        self.edit("bun")
        self.model.close()
        self.edits[0].fail("closed")
        self.assertEqual(self.errors, [])
        edits = []
        model = ListModel(self.items, COLUMNS, submit=edits.append)
        model.setData(model.index_of(1), "bun")
        del model
        gc.collect()
        edits[0].fail("gone")

    def test_at_random(self):
        for seed in seeds(3):
            with self.subTest(f"FR_SEED={seed}"):
                self.answer_at_random(random.Random(seed))

    def answer_at_random(self, random):
        """Edits are accepted in order, refused or overtaken. Then the model shows the list."""
        self.show(columns=[Column("name", edit=True), Column("rank", edit=True)])
        for _ in range(200):
            identity, names = random.randint(1, 5), ["bun", "fig", "pear"]
            column, value = random.choice([(0, random.choice(names)), (1, random.randint(1, 3))])
            action = random.randrange(4)
            if action < 2 and self.model.index_of(identity).isValid():
                self.edit(value, identity, column)
                self.assertEqual(self.cell(identity, column)[0], value)
            elif action == 2 and self.edits:
                edit = self.edits.pop(0)
                if random.random() < 0.3:
                    edit.fail("refused")
                elif self.store.get("items", edit.identity)[edit.column] == edit.value:
                    edit.finish()
                else:
                    self.store.update("items", edit.identity, {edit.column: edit.value})
            elif action == 3:
                self.store.update("items", identity, {"name" if column == 0 else "rank": value})
        for edit in self.edits:
            edit.finish()
        for item in self.items.objects:
            self.assertEqual(self.cell(item.identity), (item.name, False))
            self.assertEqual(self.cell(item.identity, 1), (item.rank, False))


class DraggedAcross(ModelTestCase):
    def test_a_refused_drag_moves_nothing(self):
        items = self.store.fetch("items", sort="rank")
        model = self.show(ListModel, items, position="rank", submit=lambda edit: False)
        before = self.rows()
        self.assertFalse(model.moveRows(QModelIndex(), 0, 1, QModelIndex(), 3))
        self.assertEqual(self.rows(), before)
