"""Tests scripts/doxygen-filter."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts/doxygen-filter"


class DoxygenFilterTests(unittest.TestCase):
    def filtered(self, header: str) -> str:
        """A header after the filter, with runs of empty lines as one."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "shop.h")
            path.write_text("/* A shop. */\n" + header)
            text = subprocess.run([sys.executable, SCRIPT, path], check=True, stdout=subprocess.PIPE, text=True).stdout
        self.assertTrue(text.startswith("/** @file\nA shop.\n*/\n"))
        return "\n".join(line for line in text.split("\n")[3:] if line.strip())

    def test_a_comment_belongs_to_the_declaration_below_it(self) -> None:
        self.assertEqual(
            self.filtered("/* fr_open: opens it. */\nvoid fr_open(void);\n"), "/** Opens it. */\nvoid fr_open(void);"
        )

    def test_a_comment_above_an_empty_line_belongs_to_nothing(self) -> None:
        self.assertEqual(self.filtered("/* Doors. */\n\nint fr_door;\n"), "/* Doors. */\nint fr_door;")

    def test_a_comment_behind_a_member_belongs_to_it(self) -> None:
        self.assertEqual(self.filtered("enum { FR_A = 1 /* first */ };\n"), "enum { FR_A = 1 /**< first */ };")

    def test_parameters_errors_and_versions_become_commands(self) -> None:
        header = (
            "/*\n * fr_sell: sells.\n *\n * out: receives `x`. name,\n *   count: what to sell.\n"
            " * Errors: FR_B. Since 0.1.\n */\nint fr_sell(int *out, int name, int count);\nenum { FR_B };\n"
        )
        self.assertEqual(
            self.filtered(header).split("\n")[:8],
            [
                "/** Sells.",
                "@param out receives <tt>x</tt>. name,",
                "@param count what to sell.",
                "@par Errors",
                "#FR_B.",
                "@since 0.1",
                " */",
                "int fr_sell(int *out, int name, int count);",
            ],
        )

    def test_parameters_that_share_a_text_refer_to_the_last_one(self) -> None:
        text = self.filtered("/* from, to: the ends. */\nvoid fr_range(int from, int to);\n")
        self.assertEqual(text.split("\n")[1:3], ["@param from See <tt>to</tt>.", "@param to the ends. */"])

    def test_tables_stay_as_they_are(self) -> None:
        text = self.filtered("/*\n * Of kinds:\n *\n *   a    b <c>\n */\nint fr_kind;\n")
        self.assertEqual(text.split("\n")[1:4], ["@verbatim", "  a    b <c>", "@endverbatim */"])


if __name__ == "__main__":
    unittest.main()
