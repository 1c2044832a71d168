"""What the documentation shows is what happens."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import subprocess
import sys
import unittest

from support import PACKAGE

import fetchedresults


def modules() -> list:
    """The package's modules, without those of `qt`, which can't be imported everywhere."""
    names = [each.name for each in pkgutil.iter_modules(fetchedresults.__path__) if not each.ispkg]
    return [importlib.import_module(f"fetchedresults.{name}") for name in names]


class Documentation(unittest.TestCase):
    def test_of_the_readme_runs(self):
        results = doctest.testfile(str(PACKAGE / "README.md"), module_relative=False)
        self.assertEqual(results.failed, 0)
        self.assertGreater(results.attempted, 5)

    def test_of_docstrings_runs(self):
        attempted = 0
        for module in modules():
            results = doctest.testmod(module)
            self.assertEqual(results.failed, 0, module.__name__)
            attempted += results.attempted
        self.assertGreater(attempted, 5)

    def test_is_there_for_everything_public(self):
        missing = []
        for module in modules():
            self.assertTrue(module.__doc__, module.__name__)
            if module.__name__.startswith("fetchedresults._"):
                continue
            for name, thing in vars(module).items():
                if not name.startswith("_") and getattr(thing, "__module__", None) == module.__name__:
                    missing += [each for each in undocumented(thing) if each]
        self.assertEqual(missing, [])

    def test_example_shows_a_list_that_follows_its_changes(self):
        example = PACKAGE / "examples" / "todo.py"
        done = subprocess.run([sys.executable, str(example)], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("Done", done.stdout)


def undocumented(thing: object) -> list:
    """The names of what lacks a docstring, in a function, or in a class and its public members."""
    if not inspect.isclass(thing):
        return [thing.__qualname__] if inspect.isfunction(thing) and not thing.__doc__ else []
    members = [
        member.fget if isinstance(member, property) else member
        for name, member in vars(thing).items()
        if not name.startswith("_")
    ]
    return [
        each.__qualname__
        for each in (thing, *members)
        if (inspect.isfunction(each) or inspect.isclass(each)) and not each.__doc__
    ]


if __name__ == "__main__":
    unittest.main()
