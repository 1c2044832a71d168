"""Methods and attributes that a program means to override, and misspells, are errors where they are
defined.
"""

from __future__ import annotations

import unittest
from types import new_class

from fetchedresults import Cells, ColumnCells, EntityList, Observer, View


def define(*bases, **namespace):
    """Defines a class called Mine."""
    return new_class("Mine", bases, {}, lambda body: body.update(namespace))


def method(self, *arguments):
    return None


class Overrides(unittest.TestCase):
    def test_that_are_misspelt_are_errors(self):
        for base, name, meant in (
            (Observer, "did_chnage", "did_change"),
            (Observer, "didChange", "did_change"),
            (Observer, "objects_changed", "object_changed"),
            (Observer, "did_delivered", "did_deliver"),
            (View, "insert_row", "insert_rows"),
            (View, "deleteSections", "delete_sections"),
            (View, "update_cells", "update_cell"),
            (View, "steps", "step"),
            (Cells, "dequeu", "dequeue"),
            (Cells, "visible_cells", "visible_cell"),
            (ColumnCells, "configur", "configure"),
            (EntityList, "make_requests", "make_request"),
            (EntityList, "add_itme", "add_item"),
        ):
            with self.subTest(name), self.assertRaisesRegex(TypeError, rf"^Mine\.{name} .* is {meant} meant\?"):
                define(base, **{name: method})

    def test_that_are_misspelt_attributes_are_errors(self):
        for name, meant in (
            ("entitty", "entity"),
            ("sorts", "sort"),
            ("colums", "columns"),
            ("batchSize", "batch_size"),
        ):
            with self.subTest(name), self.assertRaisesRegex(TypeError, f"is {meant} meant"):
                define(EntityList, **{name: "title"})

    def test_of_names_of_their_own_are_no_errors(self):
        define(View, Cells, insert_row=method, own_names=["insert_row"])
        define(View, _insert_row=method, show=method, rows=3, steps=3, __init__=method)
        define(Observer, begin=method, count=method, changed=method)
        define(EntityList, entity="tasks", sort="title", titles=method, add_all=method, view_title="x")
        define(Cells, configure_all=method)

    def test_of_what_another_base_has_are_no_errors(self):
        class Widget:
            def insert_row(self): ...

            def reloads(self): ...

        define(View, Widget, insert_row=method)
        define(Widget, View, reloads=method)
        with self.assertRaises(TypeError):
            define(Widget, View, insert_sectoins=method)

    def test_are_checked_in_classes_derived_from_the_programs_own(self):
        table = define(View, insert_rows=method)
        define(table, insert_rows=method, reload=method)
        with self.assertRaisesRegex(TypeError, "is reload_rows meant"):
            define(table, relaod_rows=method)

    def test_that_nobody_would_run_are_errors(self):
        async def coroutine(self, *arguments): ...

        def generator(self, *arguments):
            yield None

        for base, name in (
            (Observer, "did_deliver"),
            (View, "reload"),
            (Cells, "configure"),
            (EntityList, "add_item"),
        ):
            with self.assertRaisesRegex(TypeError, rf"Mine.{name} can't be a coroutine function"):
                define(base, **{name: coroutine})
            with self.assertRaisesRegex(TypeError, rf"Mine.{name} can't be a generator function"):
                define(base, **{name: staticmethod(generator)})


if __name__ == "__main__":
    unittest.main()
