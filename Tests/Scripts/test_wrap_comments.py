"""Tests scripts/wrap-comments."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts/wrap-comments"
LONG = "word " * 19 + "end"  # 98 characters


class WrapCommentsTests(unittest.TestCase):
    def wrapped(self, *lines: str) -> list[str]:
        """A file after wrapping; wrapping it once more does not change it."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "file.c")
            path.write_text("\n".join([*lines, ""]))
            self.assertEqual(self.run_script("--check", path), any(len(line) > 100 for line in lines))
            self.assertEqual(self.run_script(path), 0)
            self.assertEqual(self.run_script("--check", path), 0)
            return path.read_text().splitlines()

    def run_script(self, *arguments: object) -> int:
        return subprocess.run([sys.executable, SCRIPT, *map(str, arguments)], stdout=subprocess.PIPE).returncode

    def test_words_go_to_the_next_line(self) -> None:
        first, second = self.wrapped(f"    /// {LONG}", "    /// and more.")
        self.assertEqual((len(first), second), (97, "    /// word end and more."))

    def test_what_fits_stays(self) -> None:
        lines = ["// short", f"// {LONG[5:]}", "", "code();"]
        self.assertEqual(self.wrapped(*lines), lines)

    def test_paragraphs_items_and_parameters_begin_their_own_lines(self) -> None:
        for following in ["///", "/// - item", "/// name: what it is", "code()", "/// Errors: none."]:
            wrapped = self.wrapped(f"/// {LONG}", following)
            self.assertEqual(wrapped[1:], ["/// end", following])

    def test_items_hang(self) -> None:
        self.assertEqual(self.wrapped(f" * out: {LONG}", " *   more.")[1], " *   word end more.")
        self.assertEqual(self.wrapped(f" * out: {LONG}", " * count: one.")[1:], [" *   word end", " * count: one."])

    def test_comments_of_one_line_become_blocks(self) -> None:
        self.assertEqual(self.wrapped(f"/* {LONG} */")[:1], ["/*"])
        self.assertEqual(self.wrapped(f"/* {LONG} */")[-2:], [" * end", " */"])

    def test_an_assignment_through_a_pointer_is_code(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "file.c")
            path.write_text(f"    *pointer = {LONG};\n")
            self.assertEqual(self.run_script("--check", path), 0)

    def test_quoted_code_and_tables_are_not_broken(self) -> None:
        quoted = "// " + "word " * 16 + "`a b c d e f g h i j`"
        self.assertTrue(self.wrapped(quoted)[1].startswith("// `a b"))
        self.assertEqual(self.run_script(__file__), 0)


if __name__ == "__main__":
    unittest.main()
