"""How SQLite reads a list, and what would help."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import byref, sizeof
from dataclasses import dataclass, field
from typing import Any

from . import _api, _types
from .counters import RereadReason


@dataclass(frozen=True)
class Explanation:
    """How SQLite reads a list, which commits cost more than the rows that they touch, and what
    would help. Its text, `str(explanation)`, has all of it; for a section map of rows it has the
    same for its sections as well.

    Attributes:
        sql: the statement that reads the list in its order.
        plan: SQLite's plan for it, a line for each step, with two blanks before it for each step
          that it is part of.
        is_sorted: whether rows are sorted whenever the list is read as a whole, as no index has the
          order.
        is_incremental: whether commits cost the rows that they touch, except for `whole_reads`.
        whole_reads: why there are commits after which the list is read as a whole.
        advice: statements that would help, and sentences where none does.
    """

    sql: str
    plan: tuple[str, ...]
    is_sorted: bool
    is_incremental: bool
    whole_reads: frozenset[RereadReason]
    advice: tuple[str, ...]
    _text: str = field(repr=False)

    def __str__(self) -> str:
        return self._text


def read_explanation(call: Callable[..., None], pointer: Any) -> Explanation:
    """The explanation of a native controller."""
    info = _types.ExplanationInfo(struct_size=sizeof(_types.ExplanationInfo))
    call(_api.fr_controller_explain, byref(info), pointer)
    return Explanation(
        info.sql.decode(),
        tuple(info.plan.decode().splitlines()),
        info.is_sorted,
        info.is_incremental,
        frozenset(reason for reason in RereadReason if info.whole_reads >> reason & 1),
        tuple(info.advice.decode().splitlines()),
        info.text.decode(),
    )
