"""frwatch in a terminal: what it shows, its keys, and how it leaves the terminal."""

from __future__ import annotations

import os
import signal

from frwatch_support import FrwatchTest, width

LEFT = "\x1b[?25h\x1b[?1049l"
"""What gives the terminal back: the cursor, and the first screen."""

LIST = [
    "  id  title     position  list_id",
    "Home (1)",
    "  3   Paint     3         2",
    "Work (2)",
    "  2   Plan      1         1",
    "  1   Call Ada  2         1",
    "",
]
SECTIONED = ("tasks", "--sort", "position", "--section", "list_id.title")


class TableTest(FrwatchTest):
    def test_follows_others_and_keeps_the_selected_row(self) -> None:
        terminal = self.watch(*SECTIONED)
        terminal.shows(self, LIST, "  3   Paint     3         2")
        terminal.press("jj")
        terminal.shows(self, LIST, "  1   Call Ada  2         1")
        self.writer.execute("UPDATE tasks SET position = 0 WHERE id = 1")
        moved = "  1   Call Ada  0         1        moved from [1, 1]"
        terminal.shows(self, [*LIST[:4], moved, "  2   Plan      1         1"], moved)
        self.writer.execute("DELETE FROM tasks WHERE id = 1")
        terminal.shows(self, [*LIST[:3], "Work (1)", "  2   Plan      1         1", ""], "  2   Plan      1         1")
        terminal.says(self, "row 2 of 2, deliveries: 2, 1 deleted")

    def test_marks_what_the_last_delivery_changed(self) -> None:
        sql = "UPDATE lists SET title = 'Office' WHERE id = 1; INSERT INTO lists VALUES (3, 'Garden')"
        lines = ["  id  title", "  1   Office  updated", "  2   Home", "  3   Garden  inserted"]
        colours = {lines[1].strip(): "yellow", lines[3].strip(): "green"}
        for environment, arguments, expected in (
            ({}, [], colours),
            ({"NO_COLOR": "1"}, [], {}),
            ({"NO_COLOR": "1"}, ["--color=always"], colours),
            ({"TERM": "dumb"}, [], {}),
        ):
            with self.subTest(environment=environment, arguments=arguments):
                terminal = self.watch("lists", *arguments, **environment)
                terminal.shows(self, ["  id  title", "  1   Work"])
                self.writer.executescript(f"BEGIN; {sql}; COMMIT")
                terminal.shows(self, lines)
                self.assertEqual(terminal.coloured, expected)
                self.writer.executescript(
                    "BEGIN; DELETE FROM lists WHERE id = 3; UPDATE lists SET title = 'Work' WHERE id = 1; COMMIT"
                )
                terminal.shows(self, ["  id  title", "  1   Work    updated", "  2   Home", ""])
                terminal.says(self, "deliveries: 2, 1 deleted")

    def test_is_moved_by_keys(self) -> None:
        self.writer.execute(
            "WITH n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 100)"
            " INSERT INTO lists SELECT i, 'l' || i FROM n"
        )
        terminal = self.watch("lists", lines=7)
        head = "  id  title"

        def row(number: int) -> str:
            return f"  {number:<4}" + {1: "Work", 2: "Home"}.get(number, f"l{number}")

        for keys, first, selected in (
            ("", 1, 1),
            ("\x1b[B\x1bOB", 1, 3),
            ("k\x1b[A", 1, 1),
            (" ", 1, 5),
            ("\x1b[6~", 5, 9),
            ("b", 5, 5),
            ("\x1b[5~", 1, 1),
        ):
            with self.subTest(keys=keys):
                terminal.press(keys)
                terminal.shows(self, [head, *map(row, range(first, first + 5))], row(selected))
        terminal.press("G")
        head = "  id   title"
        terminal.shows(self, [head, *(f"  {i:<5}l{i}" for i in range(96, 101))], "  100  l100")
        terminal.press("\x1b[1~")
        terminal.says(self, "row 1 of 100")

    def test_goes_from_section_to_section(self) -> None:
        terminal = self.watch(*SECTIONED)
        terminal.shows(self, LIST)
        for keys, selected in (("]", "  2   Plan      1         1"), ("][", "  3   Paint     3         2")):
            terminal.press(keys)
            terminal.shows(self, LIST, selected)

    def test_searches(self) -> None:
        self.writer.execute("INSERT INTO tasks VALUES (4, 'Écran plan', 9, 2)")
        terminal = self.watch(*SECTIONED)
        lists = [LIST[0].replace("title     ", "title       "), "Home (2)", "  3   Paint       3         2"]
        second, plan = "  4   Écran plan  9         2", "  2   Plan        1         1"
        lists += [second, "Work (2)", plan]
        terminal.shows(self, lists)
        for keys, selected in (("/PLAN\r", second), ("n", plan), ("n", second), ("N", plan), ("/écx\x7f\r", second)):
            with self.subTest(keys=keys):
                terminal.press(keys)
                terminal.shows(self, lists, selected)
        terminal.press("/abc")
        terminal.says(self, "/abc_")
        terminal.says(self, "Return searches")
        terminal.press("\r")
        terminal.says(self, 'no row shows "abc"')
        terminal.press("/abc\x1b")
        terminal.says(self, "row 2 of 4")

    def test_ctrl_c_ends_a_search_and_then_the_program(self) -> None:
        # A search for what no row shows takes minutes.
        self.writer.execute("CREATE TABLE books (id INTEGER PRIMARY KEY, text AS (hex(zeroblob(500000))));")
        self.writer.execute(
            "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
            " INSERT INTO books (id) SELECT i FROM n"
        )
        terminal = self.watch("books")
        terminal.says(self, "row 1 of 20000")
        terminal.press("/x\r")
        terminal.says(self, "Ctrl-C ends the search")
        terminal.press("\x03")
        terminal.says(self, "the search was ended")
        terminal.press("j")
        terminal.says(self, "row 2 of 20000")
        terminal.press("\x03")
        self.assertEqual(os.WTERMSIG(terminal.end()), signal.SIGINT)

    def test_shows_its_keys(self) -> None:
        terminal = self.watch("lists", lines=14)
        terminal.says(self, "? keys  q quit")
        terminal.press("?")
        terminal.shows(self, ["keys", "j k  Down Up          the next row, the one before"])
        terminal.says(self, "q quit")
        terminal.press("j")
        terminal.shows(self, ["  id  title", "  1   Work"], "  1   Work")
        terminal.resize(12, 5)
        terminal.says(self, "q quit")
        terminal.press("?   ?")
        terminal.shows(self, ["  id  title", "  1   Work"])
        terminal.press("?q")
        self.assertEqual(os.WEXITSTATUS(terminal.end()), 0)

    def test_takes_another_size(self) -> None:
        terminal = self.watch(*SECTIONED)
        terminal.shows(self, LIST)
        terminal.resize(12, 5)
        terminal.shows(self, [line[:12].rstrip() for line in LIST[:4]])
        self.assertTrue(all(width(line) == 12 for line in terminal.screen))
        terminal.press("l")
        terminal.shows(self, [LIST[0][8:20].rstrip(), "Home (1)", LIST[2][8:20].rstrip()])

    def test_cuts_wide_and_hostile_text(self) -> None:
        self.writer.execute("UPDATE lists SET title = ? WHERE id = 1", ["日本語\x1b[31m\n" * 9])
        terminal = self.watch("lists", "--columns", "title,id", lines=4)
        cut = "日本語\\x1b[31m\\n" * 2 + "日本語\\…"
        self.assertEqual(width(cut), 40)
        terminal.shows(self, [f"  title{'':37}id", f"  {cut}  1", f"  Home{'':38}2"])
        terminal = self.watch("lists", "--columns", "title", columns=20, lines=4)
        terminal.shows(self, ["  title", r"  日本語\x1b[31m\n…", "  Home"])
        terminal = self.watch("lists", "--columns", "title", columns=7, lines=4)
        terminal.shows(self, ["  title", "  日本", "  Home"])
        self.assertTrue(all(width(line) == 7 for line in terminal.screen))
        self.assertNotIn("\x1b[31m", terminal.output)

    def test_shows_an_empty_list(self) -> None:
        self.writer.execute("DELETE FROM tasks")
        terminal = self.watch(*SECTIONED)
        terminal.says(self, "row 0 of 0")
        terminal.shows(self, ["  id  title  position  list_id", "  0 rows", ""])
        terminal.press("jkgG[]b /x\rn")
        terminal.says(self, "no row shows")
        self.writer.execute("INSERT INTO tasks VALUES (1, 'One', 1, 1)")
        expected = ["Work (1)  inserted", "  1   One    1         1        inserted"]
        terminal.shows(self, ["  id  title  position  list_id", *expected])


class EndTest(FrwatchTest):
    def test_gives_the_terminal_back(self) -> None:
        terminal = self.watch("lists")
        terminal.says(self, "row 1 of 2")
        self.assertTrue(terminal.is_raw())
        terminal.press("q")
        self.assertEqual(os.WEXITSTATUS(terminal.end()), 0)
        self.assertFalse(terminal.is_raw())
        self.assertTrue(terminal.output.endswith(LEFT))

    def test_gives_the_terminal_back_after_a_signal(self) -> None:
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            with self.subTest(number=number):
                terminal = self.watch("lists")
                terminal.says(self, "row 1 of 2")
                os.kill(terminal.child, number)
                self.assertEqual(os.WTERMSIG(terminal.end()), number)
                self.assertFalse(terminal.is_raw())
                self.assertTrue(terminal.output.endswith(LEFT))

    def test_can_be_suspended(self) -> None:
        terminal = self.watch("lists")
        terminal.says(self, "row 1 of 2")
        os.kill(terminal.child, signal.SIGTSTP)
        os.waitpid(terminal.child, os.WUNTRACED)
        self.assertFalse(terminal.is_raw())
        os.kill(terminal.child, signal.SIGCONT)
        terminal.screen = [""] * terminal.rows
        terminal.shows(self, ["  id  title", "  1   Work", "  2   Home"])
        self.assertTrue(terminal.is_raw())

    def test_waits_if_the_file_is_taken_away(self) -> None:
        terminal = self.watch("lists")
        terminal.says(self, "row 1 of 2")
        os.rename(self.path, f"{self.path}.away")
        terminal.says(self, "the file of the database was moved")
        os.rename(f"{self.path}.away", self.path)
        self.writer.execute("DELETE FROM lists WHERE id = 1")
        terminal.shows(self, ["  id  title", "  2   Home"])
