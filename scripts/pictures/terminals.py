"""Programs in pseudo terminals, of whose screens pictures can be taken."""

from __future__ import annotations

import fcntl
import os
import select
import struct
import subprocess
import termios
import time
from typing import NamedTuple

import pyte

QUIET = 0.25
"""For how many seconds a program has printed nothing when its screen counts as complete."""

LIMIT = 20
"""How many seconds a program has to print what it is expected to print."""


class Run(NamedTuple):
    """Characters of a line that look the same."""

    column: int
    text: str
    colour: str
    is_bold: bool


Line = tuple[Run, ...]


class Terminal:
    """A program in a pseudo terminal of a fixed size."""

    def __init__(self, command: list[str], columns: int, rows: int, **options: object) -> None:
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self._descriptor, program_end = os.openpty()
        fcntl.ioctl(program_end, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.process = subprocess.Popen(
            command, stdin=program_end, stdout=program_end, stderr=program_end, start_new_session=True, **options
        )
        os.close(program_end)

    def type(self, text: str) -> None:
        """Sends keys, and waits until the screen is quiet."""
        before = self.lines()
        os.write(self._descriptor, text.encode())
        self.settle(before)

    def settle(self, before: tuple[Line, ...]) -> None:
        """Waits until the screen shows something else, and is quiet then."""
        end = time.monotonic() + LIMIT
        while select.select([self._descriptor], [], [], QUIET)[0] or self.lines() == before:
            if time.monotonic() > end:
                raise TimeoutError("the program prints nothing new")
            if select.select([self._descriptor], [], [], 0)[0]:
                self._stream.feed(os.read(self._descriptor, 65536))

    def lines(self) -> tuple[Line, ...]:
        """What the screen shows, without the cursor."""
        return tuple(self._line(row) for row in range(self.screen.lines))

    def _line(self, row: int) -> Line:
        runs: list[Run] = []
        for column in range(self.screen.columns):
            cell = self.screen.buffer[row][column]
            if cell.data == " ":
                continue
            last = runs[-1] if runs else None
            gap = column - last.column - len(last.text) if last else 0
            if last and gap <= 1 and (last.colour, last.is_bold) == (cell.fg, cell.bold):
                runs[-1] = last._replace(text=last.text + " " * gap + cell.data)
            else:
                runs.append(Run(column, cell.data, cell.fg, cell.bold))
        return tuple(runs)

    def close(self) -> None:
        """Hangs up, and waits for the end of the program."""
        os.close(self._descriptor)
        self.process.wait(LIMIT)
