"""The examples print what they are meant to print."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import textwrap
import unittest

from support import CHECKOUT, PACKAGE


class SharedFile(unittest.TestCase):
    """The programs that show tasks.db."""

    def test_all_make_the_same_table(self):
        table = (
            "CREATE TABLE IF NOT EXISTS tasks (id INTEGER PRIMARY KEY, title TEXT NOT NULL CHECK (title <> ''),"
            "done INTEGER NOT NULL DEFAULT 0, area TEXT, due INTEGER, position REAL)"
        ).replace(" ", "")
        programs = []
        for path in sorted(CHECKOUT.glob("bindings/*/examples/**/*.*")):
            if path.suffix not in (".py", ".c", ".cpp") or path.name == "terminal_list.c":  # has a file of its own
                continue
            text = re.sub(r'["\s]', "", path.read_text(encoding="utf-8"))
            if "CREATETABLEIFNOTEXISTStasks(" in text:
                programs.append(path.name)
                self.assertIn(table, text, path)
        self.assertEqual(len(programs), 14, programs)

    def test_programs_refuse_what_is_no_database_with_a_message(self):
        needed = {
            "PySide6": ("qt_list.py", "qml_list.py", "folder_window.py", "watch_qt.py"),
            "textual": ("textual_table.py",),
            "uvicorn": ("to_do_page.py",),
            "sqlite3": ("live_table.py", "watch_asyncio.py"),
        }
        for name in (name for module, names in needed.items() if importlib.util.find_spec(module) for name in names):
            with self.subTest(program=name):
                command = [sys.executable, str(PACKAGE / "examples" / name), __file__]
                environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
                done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)
                self.assertEqual(done.returncode, 1)
                self.assertRegex(done.stderr, f"(?m)^{name}: .*not a database")
                self.assertNotIn("Traceback", done.stderr)


class Examples(unittest.TestCase):
    maxDiff = None

    def check(self, name: str, expected: str) -> None:
        """Runs an example as somebody does who has built the library and set no variables."""
        variables = ("PYTHONPATH", "FETCHEDRESULTS_LIBRARY")
        environment = {name: value for name, value in os.environ.items() if name not in variables}
        command = [sys.executable, str(PACKAGE / "examples" / name)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.rstrip(), textwrap.dedent(expected).strip())

    def test_task_lists_show_sections_that_are_rows(self):
        self.check(
            "task_lists.py",
            """
            Home
                Water plants
            Work
                Call the bank
                Write report
            Some day

            * update list 'House and garden': section 0 -> section 0 (title)
            House and garden
                Water plants
            Work
                Call the bank
                Write report
            Some day

            * move list 'Some day': section 2 -> section 0 (position)
            Some day
            House and garden
                Water plants
            Work
                Call the bank
                Write report

            * move task 'Water plants': row 0 of section 1 -> row 0 of section 0 (list_id)
            Some day
                Water plants
            House and garden
            Work
                Call the bank
                Write report

            * insert the tasks without a list: nowhere -> section 3
            * insert task 'Sort the mail': nowhere -> row 0 of section 3
            Some day
                Water plants
            House and garden
            Work
                Call the bank
                Write report
            Without a list
                Sort the mail

            * delete list 'Work': section 2 -> nowhere
            * delete task 'Write report': row 1 of section 2 -> nowhere
            * delete task 'Call the bank': row 0 of section 2 -> nowhere
            Some day
                Water plants
            House and garden
            Without a list
                Sort the mail

            Without the empty ones:
            * delete list 'House and garden': section 1 -> nowhere
            Some day
                Water plants
            Without a list
                Sort the mail

            All: ['Some day', 'House and garden', None]
            """,
        )

    def test_search_page_shows_several_lists_as_one(self):
        self.check(
            "search_page.py",
            """
            PEOPLE
              A
                Anders
                Anna
              B
                Bela
            MESSAGES
              Anna
                Budget
              Bela
                Annual report
                Answers
            FILES
              Pictures
                ants.png
              Texts
                annual.pdf
                budget.ods

            == 'ann'
            * delete section 'B'
            * delete Bela
            * delete Anders
            * delete section 'Anna'
            * delete Answers
            * delete Budget
            * delete section 'Pictures'
            * delete budget.ods
            * delete ants.png
            PEOPLE
              A
                Anna
            MESSAGES
              Bela
                Annual report
            FILES
              Texts
                annual.pdf

            == 'anna'
            * delete section 'Bela'
            * insert section "No messages with 'anna'"
            * delete Annual report
            * delete section 'Texts'
            * insert section "No files with 'anna'"
            * delete annual.pdf
            PEOPLE
              A
                Anna
            MESSAGES
              No messages with 'anna'
            FILES
              No files with 'anna'

            == a file comes
            * delete section "No files with 'anna'"
            * insert section 'Pictures'
            * insert anna.jpg
            PEOPLE
              A
                Anna
            MESSAGES
              No messages with 'anna'
            FILES
              Pictures
                anna.jpg
            """,
        )


class Watching(unittest.TestCase):
    """Examples that another process wakes by a commit."""

    def check(self, name: str) -> None:
        check = CHECKOUT / "Tests" / "Loops" / "wake-up"
        command = [sys.executable, str(check), sys.executable, str(PACKAGE / "examples" / name)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_asyncio(self):
        self.check("watch_asyncio.py")

    @unittest.skipUnless(importlib.util.find_spec("PySide6"), "PySide6 is not installed")
    def test_qt(self):
        self.check("watch_qt.py")


if __name__ == "__main__":
    unittest.main()
