"""Tests what the long random runs say about their progress."""

from __future__ import annotations

import importlib.util
import io
import unittest
from pathlib import Path

# By its path: its package needs the library.
PROGRESS = Path(__file__).resolve().parents[2] / "bindings/python/tests/other_writers/progress.py"
specification = importlib.util.spec_from_file_location("progress", PROGRESS)
assert specification is not None and specification.loader is not None
progress = importlib.util.module_from_spec(specification)
specification.loader.exec_module(progress)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class ProgressTests(unittest.TestCase):
    def setUp(self) -> None:
        self.now = 1000.0

    def progress_of(self, stream: io.StringIO) -> progress.Progress:
        return progress.Progress(stream, 90, clock=lambda: self.now)

    def test_a_file_gets_a_line_for_each_event_with_the_time_left(self) -> None:
        stream = io.StringIO()
        shown = self.progress_of(stream)
        shown.note("1 world")
        self.now += 30
        shown.tick()
        shown.note("2 worlds")
        shown.clear()
        self.assertEqual(stream.getvalue(), "1 world; 1 min 30 s left\n2 worlds; 1 min 0 s left\n")

    def test_a_terminal_has_one_line_that_follows_the_time(self) -> None:
        stream = Terminal()
        shown = self.progress_of(stream)
        shown.note("1 world")
        self.now += 30
        shown.tick()
        shown.clear()
        self.assertEqual(stream.getvalue(), "\r\x1b[K1 world; 1 min 30 s left\r\x1b[K1 world; 1 min 0 s left\r\x1b[K")

    def test_ends_when_the_time_is_over(self) -> None:
        stream = io.StringIO()
        shown = self.progress_of(stream)
        self.assertFalse(shown.is_over)
        self.now += 90
        self.assertTrue(shown.is_over)
        shown.note("3 worlds")
        self.assertEqual(stream.getvalue(), "3 worlds; the last worlds end\n")
