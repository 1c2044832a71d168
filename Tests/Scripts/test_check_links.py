"""Tests scripts/check-links."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts/check-links"


class CheckLinksTests(unittest.TestCase):
    def check(self, page: str, **others: str) -> str:
        """What the check prints of a page beside other pages."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"page": page, **others}.items():
                Path(folder, f"{name}.md").write_text(text)
            command = [sys.executable, str(SCRIPT), "page.md"]
            return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True).stdout

    def test_files_and_headings_that_exist_pass(self) -> None:
        page = "# One `thing`\n\n[a](other.md) [b](other.md#what-s-it) [c](#one-thing) [d](https://example.org/x#y)\n"
        self.assertEqual(self.check(page, other="## What-s it\n"), "3 passed, 0 failed\n")

    def test_a_missing_file_fails(self) -> None:
        self.assertEqual(
            self.check("\n[a](none.md)\n"), "page.md:2: none.md: there is no such file\n0 passed, 1 failed\n"
        )

    def test_a_missing_heading_fails(self) -> None:
        self.assertIn("other.md#two: there is no such heading", self.check("[a](other.md#two)", other="# One\n"))

    def test_headings_of_one_name_are_numbered(self) -> None:
        self.assertEqual(self.check("# Use\n# Use\n[a](#use-1)"), "1 passed, 0 failed\n")

    def test_links_in_code_are_none(self) -> None:
        self.assertEqual(self.check("`[a](none.md)`\n```c\nx[1](y);\n```\n"), "0 passed, 0 failed\n")

    def test_pictures_are_links(self) -> None:
        page = '![a](a.svg)\n<img alt="b" src="b.svg">\n'
        self.assertIn("0 passed, 2 failed", self.check(page))


if __name__ == "__main__":
    unittest.main()
