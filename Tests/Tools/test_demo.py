"""Tests scripts/demo.py: what it prints, and what it draws in a terminal."""

from __future__ import annotations

import subprocess
import sys
import unittest

from terminal import run_in_terminal

COMMAND = [sys.executable, "scripts/demo.py", "--source", "elements"]
ALTERNATE, NORMAL = "\x1b[?1049h", "\x1b[?1049l"


class DemoTests(unittest.TestCase):
    def test_prints_everything_where_there_is_no_terminal(self) -> None:
        done = subprocess.run([*COMMAND, "--pause", "60"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertNotIn("\x1b", done.stdout)
        self.assertRegex(done.stdout, r"(?m)^ 1  three elements are inserted into")
        self.assertRegex(done.stdout, r"\n13 changes, 11 deliveries, [\d,]+ records: all \d+ checks held\.\n$")

    def test_prints_in_a_terminal_that_wants_no_pause(self) -> None:
        status, text = run_in_terminal([*COMMAND, "--pause", "0"])
        self.assertEqual(status, 0)
        self.assertNotIn(ALTERNATE, text)
        self.assertIn("13 changes", text)

    def test_draws_in_a_terminal_and_waits_for_keys(self) -> None:
        status, text = run_in_terminal([*COMMAND, "--pause", "3600"], keys=" " * 60, prompt="q: end")
        self.assertEqual(status, 0)
        drawn, _, after = text.partition(NORMAL)
        self.assertTrue(drawn.lstrip().startswith(ALTERNATE))
        # The first change inserts rows, so only the list after it is drawn; the second moves one.
        frames = drawn.split("\x1b[H")[1:]
        self.assertIn("three elements are inserted", frames[1])
        self.assertIn("(after)", frames[1])
        self.assertIn("+     aaa-first", frames[1])
        self.assertIn("(before)", frames[2])
        self.assertIn(">     ", frames[2])
        for frame in frames:
            self.assertEqual(frame.count("\n"), 23)
        self.assertIn("all 50 checks held", after)

    def test_ends_when_the_user_wants_that(self) -> None:
        status, text = run_in_terminal([*COMMAND, "--pause", "3600"], keys="   q", prompt="q: end")
        self.assertEqual(status, 0)
        self.assertRegex(text.partition(NORMAL)[2], r"2 changes, 2 deliveries, .* checks held\.")

    def test_refuses_a_pause_that_is_none(self) -> None:
        done = subprocess.run([*COMMAND, "--pause", "nan"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--pause must be between 0 and 3600", done.stderr)
