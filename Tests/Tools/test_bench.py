"""Tests what build/bench says while it measures."""

from __future__ import annotations

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

from terminal import run_in_terminal

COMMAND = ["build/bench", "--quick", "--only", "object at index path"]


class BenchTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.json = Path(folder.name, "bench.json")

    def test_says_how_much_is_done_and_the_time_left(self) -> None:
        done = subprocess.run([*COMMAND, "--json", str(self.json)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stderr.splitlines()
        self.assertEqual(
            lines[0], "[1 of 2] measuring letters: object at index path, in the cache, 100000 rows", done.stderr
        )
        self.assertRegex(
            lines[1],
            r"^\[2 of 2, about \d+ s left\] measuring letters: object at index path, batch of 20 .* 100000 rows$",
        )
        self.assertEqual(len(json.loads(self.json.read_text())["rows"]), 2)
        self.assertNotIn("[", done.stdout)

    def test_a_terminal_has_one_line_which_the_table_replaces(self) -> None:
        status, text = run_in_terminal([*COMMAND, "--json", str(self.json)])
        self.assertEqual(status, 0)
        progress, _, rest = text.partition("FetchedResults ")
        self.assertNotIn("\n", progress)
        self.assertEqual(progress.count("\r\x1b[K[2 of 2, about"), 2)
        self.assertTrue(progress.endswith("\r\x1b[K"))
        self.assertIn("| letters ", rest)
