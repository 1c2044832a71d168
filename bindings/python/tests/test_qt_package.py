"""The package of Qt's item models: its documentation and its examples."""

from __future__ import annotations

import importlib
import os
import pkgutil
import re
import subprocess
import sys
import unittest

import qt_support  # noqa: F401 - skips these tests where there is no PySide6
from support import CHECKOUT, PACKAGE, run_python
from test_documentation import undocumented

import fetchedresults.qt


class Package(unittest.TestCase):
    def test_does_not_import_qt_by_itself(self):
        done = run_python("import sys, fetchedresults; print([name for name in sys.modules if 'PySide' in name])")
        self.assertEqual((done.stdout, done.stderr), ("[]\n", ""))

    def test_has_documentation_for_everything_public(self):
        for each in pkgutil.iter_modules(fetchedresults.qt.__path__):
            module = importlib.import_module(f"fetchedresults.qt.{each.name}")
            self.assertTrue(module.__doc__, module.__name__)
            if not each.name.startswith("_"):
                public = [thing for name, thing in vars(module).items() if not name.startswith("_")]
                own = [thing for thing in public if getattr(thing, "__module__", None) == module.__name__]
                self.assertEqual([name for thing in own for name in undocumented(thing)], [])

    def test_has_documentation_that_runs(self):
        text = (CHECKOUT / "docs" / "qt.md").read_text()
        program, *_ = re.findall(r"^```py\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        check = """
store.insert("tasks", title="Buy milk")
application.processEvents()
section = model.index(0, 0)
print(section.data(), [model.index(0, column, section).data() for column in range(2)])
"""
        done = run_python(program + check, QT_QPA_PLATFORM="offscreen")
        self.assertEqual((done.returncode, done.stdout), (0, "To do (1) ['Buy milk', 8]\n"), done.stderr)

    def test_has_an_example_that_runs_without_a_screen(self):
        example = PACKAGE / "examples" / "qt_list.py"
        command = [sys.executable, str(example), "--offscreen-check"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("To do (3): Apples Bread Milk\n    selected: Apples\ndone", done.stdout)
        self.assertIn("deleted\n    To do (2): Bread Milk\n", done.stdout)
        self.assertIn("undone\n    To do (2): Bread Milk\n    Done (1): Apples\n", done.stdout)

    def test_has_an_example_in_qml_that_runs_without_a_screen(self):
        example = PACKAGE / "examples" / "qml_list.py"
        command = [sys.executable, str(example), "--offscreen-check"]
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_QUICK_BACKEND": "software"}
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)
        shown = [
            "added: Milk Bread Apples; ",
            "moved: Apples Milk Bread; ",
            "renamed: Pears Milk Bread; ",
            "refused: Pears Milk Bread; CHECK constraint failed: title <> ''",
            "done: Pears Bread Milk; CHECK constraint failed: title <> ''",
            "sorted: Bread Pears Milk; CHECK constraint failed: title <> ''",
        ]
        self.assertEqual((done.returncode, done.stdout.splitlines()), (0, shown), done.stderr)


if __name__ == "__main__":
    unittest.main()
