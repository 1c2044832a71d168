"""How Qt's item models end."""

from __future__ import annotations

import gc
import unittest
import weakref

from qt_model_case import NAME, OBJECT, RESET, SECTION, ModelTestCase
from qt_support import ListModel, Qt, TreeModel
from support import run_python

# After qt_support, which skips these tests where there is no PySide6.
from fetchedresults.qt import _binding  # isort: skip
from PySide6.QtCore import QObject  # isort: skip
import shiboken6  # isort: skip


class Lives(ModelTestCase):
    def test_end_with_close(self):
        model = self.show(TreeModel)
        model.close()
        model.close()
        self.assertEqual(self.signals.take(), RESET)
        self.assertEqual(self.reported("DELETE FROM items WHERE name = 'apple'"), [])
        model.reload()
        self.assertEqual((model.rowCount(), model.controller.count), (0, 4))

    def test_continue_without_data_when_the_list_is_closed(self):
        for kind in (TreeModel, ListModel):
            for close in ("controller", "store"):
                with self.subTest(f"{kind.__name__}, {close}"):
                    store = self.open()
                    store.executescript("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
                    store.insert("items", name="tea")
                    model = self.show(kind, store.fetch("items", sort="name"), columns="name")
                    (model.controller if close == "controller" else store).close()
                    index = model.index(0, 0)
                    for place in (index, model.index(0, 0, index)):
                        for role in (Qt.ItemDataRole.DisplayRole, OBJECT, SECTION, NAME):
                            self.assertIsNone(place.data(role))
                        self.assertFalse(model.setData(place, "x"))
                    self.assertFalse(model.index_of(1).isValid())
                    model.reload()
                    self.assertEqual(model.rowCount(), 0)

    def test_end_when_a_model_is_dropped(self):
        before = list(self.items._receivers)
        model = ListModel(self.items, "name")
        gone = weakref.ref(model)
        self.assertEqual(len(self.items._receivers), len(before) + 1)
        del model
        gc.collect()
        self.assertEqual((gone(), list(self.items._receivers)), (None, before))

    def test_end_when_its_owner_deletes_a_model(self):
        owner = QObject()
        before = list(self.items._receivers)
        model = ListModel(self.items, "name", parent=owner)
        self.assertEqual((model.parent(), len(self.items._receivers)), (owner, len(before) + 1))
        shiboken6.delete(owner)
        self.assertEqual(list(self.items._receivers), before)
        self.store.execute("DELETE FROM items WHERE name = 'apple'")
        self.assertFalse(shiboken6.isValid(model))

    def test_may_last_until_the_interpreter_ends(self):
        program = f"""
            from {_binding.NAME}.QtCore import QCoreApplication
            from fetchedresults import Store
            from fetchedresults.qt import ListModel, TreeModel
            application = QCoreApplication([])
            store = Store()
            store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
            items = store.fetch("items", sort="name")
            models = [ListModel(items, "name"), TreeModel(items, "name", parent=application)]
            store.insert("items", name="tea")
            print([model.rowCount() for model in models])
        """
        done = run_python(program)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "[1, 1]\n", ""))


if __name__ == "__main__":
    unittest.main()
