"""Exceptions of signals, which Python raises wherever it executes Python code.

A signal that arrives while the library works is handled when the next callback is entered, before
its first line. An exception that is raised there, or after the last line, passes through ctypes,
which gives it to `sys.unraisablehook` and nothing to the library. The hook of this module notes it
for the call that made the callback.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CodeType
from typing import Any

from ._calls import note

_entries: set[CodeType] = set()


def guard(enter: Callable[..., Any]) -> None:
    """Ensures that no exception of a Python function that C calls is lost.

    If it has a free variable `escaped`, that is called after an exception has left it: with whether
    it has begun, which means that it has set its local variable `begun`, and with its `*arguments`.
    """
    _entries.add(enter.__code__)


class Hook:
    """A `sys.unraisablehook` in front of the program's own."""

    def __init__(self, following: Callable[[Any], object]) -> None:
        self._following = following

    def __call__(self, unraisable: Any) -> None:
        """Notes what a callback raised, and passes on everything else."""
        traceback = unraisable.exc_traceback
        frame = None if traceback is None else traceback.tb_frame
        # Versions of Python differ in which of the two there is.
        codes = getattr(unraisable.object, "__code__", None), getattr(frame, "f_code", None)
        code = next((code for code in codes if code in _entries), None)
        if code is None or not note(unraisable.exc_value):
            self._following(unraisable)
            return
        if frame is not None and frame.f_code is code and not isinstance(unraisable.exc_value, RecursionError):
            escaped = frame.f_locals.get("escaped")
            if escaped is not None:
                escaped("begun" in frame.f_locals, *frame.f_locals["arguments"])


def install() -> None:
    """Puts the hook in front of the one that the program has set."""
    sys.unraisablehook = Hook(sys.unraisablehook)


install()
