"""Collations that the program makes."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import string_at
from typing import Any

from . import _types
from ._callbacks import callback, register, register_retained, release
from ._calls import note
from ._values import text_at


class Collation:
    """The receiver of the library's comparisons. Its maker retains it."""

    def __init__(self, compare: Callable[[str, str], int]) -> None:
        self.compare = compare

    def native(self) -> tuple[Any, int]:
        """The callback and its user data, for C."""
        return _compare, register(self)

    def native_retained(self) -> tuple[Any, int, Any]:
        """The same with a function that ends it: until that is called, the collation is
        retained.
        """
        return _compare, register_retained(self), release


@callback(_types.CollationCompare, default=0)
def _compare(collation: Collation, a: int, a_length: int, b: int, b_length: int) -> int:
    try:
        order = collation.compare(text_at(a, a_length), text_at(b, b_length))
        return (order > 0) - (order < 0)
    except BaseException as exception:
        # A failure can't be reported to SQLite, which needs a total order all the same.
        note(exception)
        first, second = string_at(a, a_length), string_at(b, b_length)
        return (first > second) - (first < second)
