"""Columns: what a model shows of each object, and how it is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Optional, Union

from .._callables import plain_function
from ..objects import Object
from ..request import AnySort, Sort, sorts
from ._binding import Qt

Shown = Union[str, Callable[[Object], Any]]
"""What is shown of an object: one of its columns, by name, or what a function returns for it."""


@dataclass(frozen=True)
class Column:
    """One column of a model.

    Attributes:
        value: the name of a column of the objects, or a function of an object.
        title: what the header shows; None for the name.
        name: the name of the column's role in QML; None for the name of the objects' column or of
          the function.
        edit: how the user's input is written. True writes it to the column that is shown, with an
          UPDATE of the row. A function is called with the object and the input, to write that to
          the store; it may return False to refuse. The list reports the result like any other
          change. None: not editable.
        check: what a check box shows. True is for the value itself, which then has no text. A name
          is for another column, beside the text. The box is checked if the value is true to Python,
          and the user's click writes 1 or 0 to the column. A function of an object makes a box that
          the user can't change. None: no box.
        alignment: of the cells and the header; None for numbers to the right and all else where Qt
          has it. A column of a table counts as numbers if its declared type has numeric affinity.
        sort: the order that `sort` sets when the user clicks on the header, ascending; None for the
          column that is shown, and () for none. A function is sorted by what is given here alone.
        roles: what the cells show in other roles of Qt: `{Qt.ItemDataRole.ToolTipRole: "note"}`.
    """

    value: Shown
    title: Optional[str] = None
    name: Optional[str] = None
    edit: Union[None, bool, Callable[[Object, Any], object]] = None
    check: Union[None, bool, Shown] = None
    alignment: Optional[Qt.AlignmentFlag] = None
    sort: Optional[AnySort] = None
    roles: Mapping[int, Shown] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        functions = [("a column's value", self.value), ("a column's edit", self.edit), ("a check box", self.check)]
        functions += [("what a column shows in a role", shown) for shown in self.roles.values()]
        for what, function in functions:
            if callable(function):
                plain_function(function, what)
        if not isinstance(self.value, str):
            for what, way in (("edited", self.edit), ("checked", self.check)):
                if way is True:
                    raise ValueError(f"what a function returns can't be {what}: name the column that is written")

    @property
    def role_name(self) -> str:
        """The name of the column's role."""
        if self.name is not None:
            return self.name
        return self.value if isinstance(self.value, str) else getattr(self.value, "__name__", "")

    @property
    def header(self) -> str:
        """What the header shows."""
        return self.role_name if self.title is None else self.title

    @property
    def checked(self) -> Optional[Shown]:
        """What the check box shows; None if there is none."""
        return self.value if self.check is True else self.check or None

    @property
    def order(self) -> tuple[Sort, ...]:
        """What it is sorted by; nothing if it can't be."""
        if self.sort is not None:
            return sorts(self.sort)
        return (Sort(self.value),) if isinstance(self.value, str) else ()

    def of(self, item: Object) -> Any:
        """The column's value of an object."""
        return item[self.value] if isinstance(self.value, str) else self.value(item)


ColumnLike = Union[str, Callable[[Object], Any], Column]
"""A column, or its value alone."""


def columns_of(descriptions: Union[ColumnLike, Sequence[ColumnLike]]) -> tuple[Column, ...]:
    """The columns of one or several descriptions."""
    if isinstance(descriptions, (str, Column)) or callable(descriptions):
        descriptions = [descriptions]
    columns = tuple(each if isinstance(each, Column) else Column(each) for each in descriptions)
    for column in columns:
        if not isinstance(column.value, str) and not callable(column.value):
            raise TypeError(f"a column must be a name, a function or a Column, not {type(column.value).__name__}")
    if not columns:
        raise ValueError("a model needs at least one column")
    return columns
