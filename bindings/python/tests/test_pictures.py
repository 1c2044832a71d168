"""The pictures of the documentation show what happens now."""

from __future__ import annotations

import importlib.util
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import CHECKOUT, PACKAGE


class Pictures(unittest.TestCase):
    maxDiff = None

    def test_of_changes_are_those_that_the_script_draws(self):
        folder = str(CHECKOUT / "scripts" / "pictures")
        sys.path.insert(0, folder)
        self.addCleanup(sys.path.remove, folder)
        import changes

        for name, draw in changes.PICTURES.items():
            with self.subTest(picture=name):
                committed = (CHECKOUT / "docs" / "images" / name).read_text(encoding="utf-8")
                self.assertEqual(draw(), committed, "make pictures draws it again")

    def test_of_windows_are_not_blank(self):
        folder = str(CHECKOUT / "scripts" / "pictures")
        sys.path.insert(0, folder)
        self.addCleanup(sys.path.remove, folder)
        import windows

        for name in windows.PROGRAMS:
            with self.subTest(picture=name):
                rows = windows.read_png(CHECKOUT / "docs" / "images" / f"{name}.png")
                self.assertFalse(windows.is_blank(rows))
                self.assertGreaterEqual((len(rows[0]) // 3, len(rows)), (360, 400))
        self.assertTrue(windows.is_blank([b"\1\2\3" * 50] * 50))

    @unittest.skipUnless(importlib.util.find_spec("PySide6"), "PySide6 is not installed")
    def test_windows_of_qt_are_not_blank(self):
        script = str(CHECKOUT / "scripts" / "pictures" / "windows.py")
        with tempfile.TemporaryDirectory() as place:
            subprocess.run([sys.executable, script, place, "qt-list", "qml-list"], check=True, timeout=120)

    def test_program_that_is_recorded_redraws_its_table_at_commits_of_others(self):
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder, "tasks.db"))
            program = subprocess.Popen(
                [sys.executable, str(PACKAGE / "examples" / "live_table.py"), path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            printed = [program.stdout.readline()]
            writer = sqlite3.connect(path, isolation_level=None)
            for sql, lines in (
                ("INSERT INTO tasks (title) VALUES ('Bake'), ('Call')", 3),
                ("UPDATE tasks SET done = 1 WHERE title = 'Bake'", 4),
                ("DELETE FROM tasks WHERE done", 3),
            ):
                writer.execute(sql)
                printed += [program.stdout.readline() for _ in range(lines)]
            writer.close()
            rest, _ = program.communicate("\n", timeout=60)
        self.assertEqual((program.returncode, rest), (0, ""))
        self.assertEqual(
            [" ".join(re.sub("\x1b\\[[0-9;]*[A-Za-z]", "", line).split()) for line in printed],
            ["", "To do (2)", "[0, 0] Bake inserted", "[0, 1] Call inserted"]
            + ["To do (1)", "[0, 0] Call", "Done (1)", "[1, 0] Bake moved from [0, 0]"]
            + ["To do (1)", "[0, 0] Call", "[1, 0] Bake deleted"],
        )


if __name__ == "__main__":
    unittest.main()
