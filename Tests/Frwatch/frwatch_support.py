"""What the tests of frwatch share: a database, the program behind pipes, and the program in a
terminal.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import sqlite3
import struct
import subprocess
import tempfile
import termios
import time
import unicodedata
import unittest
from pathlib import Path

PROGRAM = [*os.environ.get("FRWATCH_WRAPPER", "").split(), os.environ["FRWATCH"]]
"""The program, and what it runs under: valgrind, say."""

LIMIT = 60.0
"""How many seconds a test waits for anything before it fails."""

# A program that is started with signals ignored, as by nohup, leaves them ignored. The tests send
# these.
for number in (signal.SIGHUP, signal.SIGINT):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)

SCHEMA = """
CREATE TABLE lists (id INTEGER PRIMARY KEY, title TEXT);
CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT, position REAL,
    list_id INTEGER REFERENCES lists ON DELETE CASCADE);
INSERT INTO lists VALUES (1, 'Work'), (2, 'Home');
INSERT INTO tasks VALUES (1, 'Call Ada', 2, 1), (2, 'Plan', 1, 1), (3, 'Paint', 3, 2);
"""


RESET_BUG = re.compile(r"^frwatch: SQLite (\S+) can lose commits .*\n", re.MULTILINE)
"""What the program says once when it follows a log, if the version of SQLite has the bug."""


def without_reset_bug(errors: str) -> str:
    return RESET_BUG.sub("", errors, count=1)


class FrwatchTest(unittest.TestCase):
    """A test with a database of tasks, which another connection writes."""

    journal_mode = "wal"

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = str(Path(folder.name, "app.db"))
        self.writer = sqlite3.connect(self.path, timeout=LIMIT, isolation_level=None)
        self.addCleanup(self.writer.close)
        self.writer.execute(f"PRAGMA journal_mode = {self.journal_mode}")
        self.writer.executescript(SCHEMA)

    def run_program(self, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
        """Runs the program to its end."""
        done = subprocess.run([*PROGRAM, *arguments], input=text, capture_output=True, text=True, timeout=LIMIT)
        done.stderr = without_reset_bug(done.stderr)
        return done

    def prints(self, lines: list[str], *arguments: str, text: str = "") -> None:
        done = self.run_program(self.path, *arguments, text=text)
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.stdout.splitlines(), lines)
        self.assertEqual(done.returncode, 0)

    def follow(self, *arguments: str, **options: object) -> Follower:
        follower = Follower([self.path, *arguments], **options)
        self.addCleanup(follower.close)
        return follower

    def watch(self, *arguments: str, columns: int = 60, lines: int = 10, **environment: str) -> Terminal:
        terminal = Terminal([self.path, *arguments, "--tui"], columns, lines, **environment)
        self.addCleanup(terminal.close)
        return terminal


class Follower:
    """The program behind pipes."""

    def __init__(self, arguments: list[str], **options: object) -> None:
        self.process = subprocess.Popen(  # type: ignore[call-overload]
            [*PROGRAM, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **options,
        )
        self.read = b""

    def line(self) -> str:
        while b"\n" not in self.read:
            ready, _, _ = select.select([self.process.stdout], [], [], LIMIT)
            part = os.read(self.process.stdout.fileno(), 65536) if ready else b""
            if not part:
                raise AssertionError(f"the program prints no whole line: {self.read!r}")
            self.read += part
        line, _, self.read = self.read.partition(b"\n")
        return line.decode()

    def lines(self, count: int) -> list[str]:
        return [self.line() for _ in range(count)]

    def end(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """The status that it ends with after a signal, and what it has printed besides."""
        self.process.send_signal(number)
        out, errors = self.process.communicate(timeout=LIMIT)
        return self.process.returncode, out + without_reset_bug(errors)

    def error(self) -> str:
        """The next line of the standard error."""
        line = self.process.stderr.readline()
        return line if without_reset_bug(line) else self.process.stderr.readline()

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()


CONTROL = re.compile(r"\x1b\[(\?)?([0-9;]*)([A-Za-z])")


COLOURS = {"31": "red", "32": "green", "33": "yellow", "36": "cyan"}


class Terminal:
    """The program in a terminal of so many columns and lines, of which the text of the lines and
    the colour of its parts are known.
    """

    def __init__(self, arguments: list[str], columns: int, lines: int, **environment: str) -> None:
        self.columns, self.rows = columns, lines
        self.child, self.descriptor = pty.fork()
        if self.child == 0:
            os.environ.pop("NO_COLOR", None)
            os.environ.update({"TERM": "xterm", **environment})
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
            os.execvp(PROGRAM[0], [*PROGRAM, *arguments])
        self.output = ""
        self.has_ended = False
        self.pending = b""
        self.screen = [""] * lines
        self.reversed: str | None = None
        self.coloured: dict[str, str] = {}

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self.descriptor], [], [], seconds)
        if not ready:
            return False
        try:
            self.pending += os.read(self.descriptor, 65536)
        except OSError:
            self.has_ended = True
            return False
        text = self.pending.decode(errors="ignore")
        if text.encode() == self.pending:
            self.pending = b""
            self._interpret(text)
            self.output += text
        return True

    def _interpret(self, text: str) -> None:
        """Takes lines as they are written: each by a position, a style, and its whole text."""
        place = 0
        line, is_reversed, colour = None, False, None
        while place < len(text):
            match = CONTROL.match(text, place)
            if match is None:
                end = text.find("\x1b", place)
                part = text[place : end if end >= 0 else len(text)]
                if line is not None:
                    self.screen[line] += part
                    if is_reversed:
                        self.reversed = self.screen[line]
                    if colour is not None:
                        self.coloured[part.strip()] = colour
                place += len(part)
                continue
            place = match.end()
            private, numbers, letter = match.groups()
            if letter == "H":
                line = int(numbers.split(";")[0]) - 1
                self.screen[line] = ""
            elif letter == "J":
                self.screen = [""] * self.rows
            elif letter == "m":
                is_reversed = numbers == "7" or (is_reversed and numbers != "")
                line = None if numbers == "" else line
                colour = COLOURS.get(numbers)
            elif not private:
                raise AssertionError(f"unknown sequence {match.group()!r}")

    def shows(self, test: unittest.TestCase, lines: list[str], selected: str | None = None) -> None:
        """Waits until the screen begins with these lines, blanks at their ends left out."""
        deadline = time.monotonic() + LIMIT

        def is_right() -> bool:
            shown = [line.rstrip() for line in self.screen[: len(lines)]]
            return shown == lines and (selected is None or (self.reversed or "").rstrip() == selected)

        while not is_right() and not self.has_ended and time.monotonic() < deadline:
            self._read(1.0)
        test.assertEqual([line.rstrip() for line in self.screen[: len(lines)]], lines)
        if selected is not None:
            test.assertEqual((self.reversed or "").rstrip(), selected)

    def says(self, test: unittest.TestCase, text: str) -> None:
        """Waits until the last line has a text."""
        deadline = time.monotonic() + LIMIT
        while text not in self.screen[-1] and not self.has_ended and time.monotonic() < deadline:
            self._read(1.0)
        test.assertIn(text, self.screen[-1])

    def press(self, keys: str) -> None:
        os.write(self.descriptor, keys.encode())

    def resize(self, columns: int, lines: int) -> None:
        self.columns, self.rows = columns, lines
        self.screen = [""] * lines
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def is_raw(self) -> bool:
        return not termios.tcgetattr(self.descriptor)[3] & termios.ICANON

    def end(self) -> int:
        """Waits for the end; the status as os.waitpid has it. What was printed last is in
        `output`.
        """
        deadline = time.monotonic() + LIMIT
        while time.monotonic() < deadline:
            self._read(0.05)
            pid, status = os.waitpid(self.child, os.WNOHANG)
            if pid != 0:
                self.child = 0
                while self._read(0.0):
                    pass
                return status
        raise AssertionError("the program does not end")

    def close(self) -> None:
        if self.child != 0:
            os.kill(self.child, signal.SIGKILL)
            os.waitpid(self.child, 0)
        os.close(self.descriptor)


def width(text: str) -> int:
    """How many columns a text takes."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)
