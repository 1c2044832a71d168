"""What a long run says on standard error: what is done, and the time left."""

from __future__ import annotations

import time
from typing import Callable, TextIO


class Progress:
    """A terminal has one line, which is replaced; a file gets a line for each event."""

    def __init__(self, stream: TextIO, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.stream = stream
        self.is_terminal = stream.isatty()
        self.clock = clock
        self.end = clock() + seconds
        self.text = "no world has ended"

    @property
    def is_over(self) -> bool:
        return self.clock() >= self.end

    def note(self, text: str) -> None:
        """Says what is done now."""
        self.text = text
        self.show()

    def tick(self) -> None:
        """Shows in a terminal how the time passes."""
        if self.is_terminal:
            self.show()

    def clear(self) -> None:
        """Removes the line of a terminal, so that something else can be printed."""
        if self.is_terminal:
            self.stream.write("\r\x1b[K")
            self.stream.flush()

    def show(self) -> None:
        left = max(0, round(self.end - self.clock()))
        time_left = f"{left // 60} min {left % 60} s left" if left else "the last worlds end"
        start, end = ("\r\x1b[K", "") if self.is_terminal else ("", "\n")
        self.stream.write(f"{start}{self.text}; {time_left}{end}")
        self.stream.flush()
