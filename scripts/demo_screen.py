"""Where the demonstration shows its changes: printed one below the other, or drawn in a terminal,
one after the other.
"""

from __future__ import annotations

import os
import select
import shutil
import sys
import termios
import tty
from itertools import groupby
from typing import Any, Iterator, Optional

from demo_paint import paint

SIGNS = {"insert": "+", "delete": "-", "move": ">", "update": "*"}
MOST_CALLBACKS = 8
MARGIN = 3
"""How many lines of the list are above the first change."""


class Quit(Exception):
    """The user ends the demonstration."""


def callback_lines(lines: list[tuple[str, str, str]]) -> Iterator[str]:
    """All of them; of a long run of the same kind the first three and the last."""
    if not lines:
        yield "    " + paint("dim", "(no callback)")
    room = paint.width - 4 - 16 - 2
    for (style, label), run in groupby(lines, key=lambda line: line[:2]):
        texts = [text for *_, text in run]
        if len(texts) > 6:
            texts[3:-1] = [f"    ... {len(texts) - 4:,} more of them ..."]
        for text in texts:
            yield "    " + paint(style, label.ljust(16)) + "  " + paint.fit(text, room).rstrip()


class Printer:
    """Prints each change below the one before."""

    def __enter__(self) -> Printer:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def introduce(self, lines: list[str]) -> None:
        print("\n".join(lines))

    def begin(self, heading: str) -> None:
        print(f"\n{paint('bold', heading)}")

    def end(self, old: Any, new: Any, recorder: Any, verdict: str) -> None:
        for line in callback_lines(recorder.lines):
            print(line)
        print("    " + verdict)


class Screen:
    """Draws the list before and after each change, with what the records mark, and waits: for the
    pause to end, or for a key.
    """

    def __init__(self, pause: float) -> None:
        self.pause = pause
        self.keys = sys.stdin.fileno()
        self.heading = ""

    def __enter__(self) -> Screen:
        self.settings = termios.tcgetattr(self.keys)
        tty.setcbreak(self.keys)
        print("\x1b[?1049h\x1b[?25l", end="", flush=True)  # the alternate screen, without cursor
        return self

    def __exit__(self, *error: object) -> None:
        print("\x1b[?25h\x1b[?1049l", end="", flush=True)
        termios.tcsetattr(self.keys, termios.TCSADRAIN, self.settings)

    def introduce(self, lines: list[str]) -> None:
        self.draw([line for text in lines for line in text.split("\n")])

    def begin(self, heading: str) -> None:
        self.heading = heading

    def end(self, old: Any, new: Any, recorder: Any, verdict: str) -> None:
        if recorder.gone:
            self.draw_list("before", old, recorder.gone, [])
        callbacks = list(callback_lines(recorder.lines))
        if len(callbacks) > MOST_CALLBACKS:
            callbacks[MOST_CALLBACKS - 1 :] = [f"    ... {len(callbacks) - MOST_CALLBACKS + 1} more lines ..."]
        self.draw_list("after", new, recorder.came, ["", *callbacks, "", "    " + verdict])

    def draw_list(self, when: str, table: Any, marks: dict[tuple[int, int], str], below: list[str]) -> None:
        lines = list(list_lines(table, marks))
        first = next((index for index, (kind, _) in enumerate(lines) if kind), 0)
        room = max(shutil.get_terminal_size().lines - 4 - len(below), 1)
        start = max(min(first - MARGIN, len(lines) - room), 0)
        shown = [paint(kind, text) if kind else text for kind, text in lines[start : start + room]]
        self.draw([f"{paint('bold', self.heading)}  ({when})", "", *shown, *below])

    def draw(self, lines: list[str]) -> None:
        """Draws a frame with a last line that names the keys, and waits."""
        height = shutil.get_terminal_size().lines
        frame = lines[: height - 1] + [""] * (height - 1 - len(lines))
        keys = paint("dim", f"continues after {self.pause:g} s; space: now, q: end")
        print("\x1b[H" + "".join(f"{line}\x1b[K\n" for line in frame) + keys + "\x1b[K", end="", flush=True)
        self.wait()

    def wait(self) -> None:
        if select.select([self.keys], [], [], self.pause)[0] and os.read(self.keys, 1) in (b"q", b"Q", b"\x04", b""):
            raise Quit


def list_lines(table: Any, marks: dict[tuple[int, int], str]) -> Iterator[tuple[Optional[str], str]]:
    """The lines of the list, each with the kind of its change."""
    for section, (title, rows) in enumerate(table):
        kind = marks.get((section, -1))
        yield kind, paint.fit(f"{SIGNS.get(kind or '', ' ')} {title} ({len(rows):,})", paint.width).rstrip()
        for row, (_, name, detail, number) in enumerate(rows):
            kind = marks.get((section, row))
            text = f"{SIGNS.get(kind or '', ' ')}     {paint.fit(name, 32)}  {detail}  {number}"
            yield kind, paint.fit(text, paint.width).rstrip()
