"""Tests scripts/check-blocks."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts/check-blocks"


class CheckBlocksTests(unittest.TestCase):
    def check(self, page: str) -> str:
        """What the check prints of a page."""
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "page.md").write_text(page)
            command = [sys.executable, str(SCRIPT), "page.md"]
            return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True).stdout

    def test_lines_of_88_columns_pass(self) -> None:
        self.assertEqual(self.check(f"```c\n{'µ' * 88}\n```\n\n{'x ' * 80}\n"), "1 passed, 0 failed\n")

    def test_longer_lines_fail(self) -> None:
        self.assertIn("page.md:4: 89 columns;", self.check(f"a\n\n```c\n{'µ' * 89}\n```\n"))

    def test_the_file_of_a_fence_may_be_long(self) -> None:
        self.assertEqual(self.check(f"```c {'x' * 100}\nint a;\n```\n"), "1 passed, 0 failed\n")

    def test_blocks_of_lists_are_checked(self) -> None:
        self.assertIn("page.md:4: 91 columns;", self.check(f"- a\n\n  ```\n  {'x' * 89}\n  ```\n"))


if __name__ == "__main__":
    unittest.main()
