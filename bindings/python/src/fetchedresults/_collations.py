"""Collations that the program makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import _types
from ._callbacks import answering, register, register_retained, release
from ._values import text_at


class Collation:
    """The receiver of the library's comparisons. Its maker retains it."""

    def __init__(self, compare: Callable[[str, str], int]) -> None:
        self.compare = compare

    def native(self) -> tuple[Any, int, Any]:
        """The callback, its user data, and no function that ends it, for C."""
        return _compare, register(self), _types.Destroy()

    def native_retained(self) -> tuple[Any, int, Any]:
        """The same with a function that ends it: until that is called, the collation is
        retained.
        """
        return _compare, register_retained(self), release


@answering(_types.FallibleCompare)
def _compare(collation: Collation, answer: Any, a: int, a_length: int, b: int, b_length: int) -> None:
    order = collation.compare(text_at(a, a_length), text_at(b, b_length))
    answer[0] = (order > 0) - (order < 0)
