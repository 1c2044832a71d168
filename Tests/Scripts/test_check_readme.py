"""Tests scripts/check-readme with a text that shows a program in parts."""

from __future__ import annotations

import importlib.util
import tempfile
import unittest
from importlib.machinery import SourceFileLoader
from pathlib import Path

CHECK_README = Path(__file__).resolve().parents[2] / "scripts" / "check-readme"


def load():
    loader = SourceFileLoader("check_readme", str(CHECK_README))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_readme", loader))
    loader.exec_module(module)
    return module


check_readme = load()


class Parts(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.text = Path(folder.name, "text.md")
        Path(folder.name, "program.py").write_text("a = 1\n\n\ndef b():\n    return a\n")

    def check(self, *parts: str) -> None:
        self.text.write_text("\n".join(f"Words.\n\n```python program.py\n{part}\n```\n" for part in parts))
        checks = check_readme.checks_of_parts(self.text, check_readme.blocks_of(self.text))
        self.assertEqual(len(checks), 1)
        for _, check, arguments in checks:
            check(*arguments)

    def test_that_are_the_program_pass(self):
        self.check("a = 1", "def b():\n    return a")

    def test_of_which_one_is_missing_fail(self):
        with self.assertRaisesRegex(ValueError, r"-    return a"):
            self.check("a = 1", "def b():")

    def test_in_another_order_fail(self):
        with self.assertRaises(ValueError):
            self.check("def b():\n    return a", "a = 1")

    def test_with_another_line_fail(self):
        with self.assertRaisesRegex(ValueError, r"\+a = 2"):
            self.check("a = 2", "def b():\n    return a")


if __name__ == "__main__":
    unittest.main()
