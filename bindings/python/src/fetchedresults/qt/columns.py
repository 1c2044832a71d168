"""Columns: what a model shows of each object."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

from .._callables import plain_function
from ..objects import Object


@dataclass(frozen=True)
class Column:
    """One column of a model.

    Attributes:
        value: the name of a column of the objects, or a function of an object.
        title: what the header shows; None for the name.
        name: the name of the column's role in QML; None for the name of the objects' column or of
          the function.
        edit: called with an object and what the user made of its value, to write that to the store;
            it may return False to refuse. The list reports the result like any other change. None:
            not editable.
    """

    value: Union[str, Callable[[Object], Any]]
    title: Optional[str] = None
    name: Optional[str] = None
    edit: Optional[Callable[[Object, Any], object]] = None

    def __post_init__(self) -> None:
        for what, function in (("a column's value", self.value), ("a column's edit", self.edit)):
            if callable(function):
                plain_function(function, what)

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
