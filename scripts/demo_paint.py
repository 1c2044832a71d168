"""How the demonstration prints: colours, widths, and numbers with their nouns."""

from __future__ import annotations

import os
import shutil
import sys
from typing import Any


class Paint:
    """Colours, where they are wanted: in a terminal, unless NO_COLOR is set."""

    CODES = {"bold": "1", "dim": "2", "insert": "32", "delete": "31", "move": "36", "update": "33", "failed": "1;31"}

    def __init__(self) -> None:
        self.terminal = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
        self.on = self.terminal and not os.environ.get("NO_COLOR")
        self.width = shutil.get_terminal_size((100, 24)).columns if self.terminal else 100

    def __call__(self, style: str, text: str) -> str:
        return f"\x1b[{self.CODES[style]}m{text}\x1b[0m" if self.on else text

    def fit(self, text: str, width: int) -> str:
        return text.ljust(width) if len(text) <= width else text[: width - 3] + "..."


paint = Paint()


def count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def bracketed(path: Any) -> str:
    if path is None:
        return "-"
    return f"[{path.section}]" if path.row < 0 else f"[{path.section}, {path.row}]"
