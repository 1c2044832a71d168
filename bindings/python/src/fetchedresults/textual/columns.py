"""Columns: what a table shows of each object, and how wide."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

from rich.cells import cell_len, set_cell_size

from .._callables import plain_function
from .._columns import fold
from ..objects import Object
from ..records import Change
from ..request import AnySort, Sort, sorts


@dataclass(frozen=True)
class TableColumn:
    """One column of a table.

    Attributes:
        value: the name of a column of the objects, or a function of an object.
        title: what the header shows; None for the name.
        width: how many cells of the terminal it has; None to share what the other columns leave.
        sort: the order that a click on the header sets, ascending; None for the column that is
          shown, and () for none. A function is sorted by what is given here alone.
    """

    value: Union[str, Callable[[Object], Any]]
    title: Optional[str] = None
    width: Optional[int] = None
    sort: Optional[AnySort] = None

    def __post_init__(self) -> None:
        if not isinstance(self.value, str):
            plain_function(self.value, "a column's value")
        if self.width is not None and self.width < 1:
            raise ValueError(f"a column has at least one cell, not {self.width}")

    @property
    def header(self) -> str:
        """What the header shows."""
        if self.title is not None:
            return self.title
        return self.value if isinstance(self.value, str) else getattr(self.value, "__name__", "")

    @property
    def order(self) -> tuple[Sort, ...]:
        """What it is sorted by; nothing if it can't be."""
        if self.sort is not None:
            return sorts(self.sort)
        return (Sort(self.value),) if isinstance(self.value, str) else ()

    def cell(self, item: Object, width: int) -> str:
        """The text of an object's cell, in exactly that many cells of the terminal."""
        value = item[self.value] if isinstance(self.value, str) else self.value(item)
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return fitted("" if value is None else str(value), width, to_right=is_number)

    def is_changed(self, change: Change) -> bool:
        """Whether the cell may show something else after the change of a row."""
        names = change.changed_columns
        if names is None:
            return True
        return fold(self.value) in map(fold, names) if isinstance(self.value, str) else bool(names)


ColumnLike = Union[str, Callable[[Object], Any], TableColumn]
"""A column, or its value alone."""

_LEAST = 6
"""How many cells a column without a width has in the narrowest terminal."""


def columns_of(descriptions: Sequence[ColumnLike]) -> tuple[TableColumn, ...]:
    """The columns of several descriptions."""
    if isinstance(descriptions, str):
        raise TypeError("columns must be a sequence of columns, not a str")
    columns = tuple(each if isinstance(each, TableColumn) else TableColumn(each) for each in descriptions)
    if not columns:
        raise ValueError("a table needs at least one column")
    return columns


def widths_of(columns: Sequence[TableColumn], width: int) -> list[int]:
    """How many cells each column has, with an empty one behind each, in a terminal of a width."""
    flexible = [place for place, column in enumerate(columns) if column.width is None]
    widths = [column.width or 0 for column in columns]
    left = width - sum(widths) - len(columns)
    for place, number in enumerate(flexible):
        widths[number] = max(_LEAST, left // len(flexible) + (place < left % len(flexible)))
    return widths


def fitted(text: str, width: int, *, to_right: bool = False) -> str:
    """A text in exactly that many cells, on one line, without what a terminal can't show."""
    # No character that is shown takes less than a quarter of a cell, with its accents.
    text = "".join(each if each.isprintable() else " " for each in text[: 4 * width])
    length = cell_len(text)
    if length > width:
        return set_cell_size(text, width - 1) + "…"
    return " " * (width - length) + text if to_right else text + " " * (width - length)
