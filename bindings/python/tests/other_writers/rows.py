"""What lists show, as values that can be compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Optional

from fetchedresults import GoneError, LiveList


class Row(NamedTuple):
    entity: str
    identity: Any
    values: dict
    types: tuple
    """Those of the values, as 1 is not 1.0."""


GONE = Row("", None, {}, ())
"""One that could not be read."""


class Header(NamedTuple):
    name: Optional[str]
    row: Optional[Row]


def row_of(item: Any) -> Row:
    values = dict(item)
    return Row(item.entity, item.identity, values, tuple(map(type, values.values())))


def read_row(read: Callable[[], Any]) -> Optional[Row]:
    """The row that is read, if there is one."""
    try:
        item = read()
        return None if item is None else row_of(item)
    except GoneError:
        return GONE


def shown_by(live_list: LiveList) -> tuple[list, list]:
    """The headers of the sections, and the rows of each."""
    headers = [Header(section.name, read_row(lambda: section.object)) for section in live_list]
    paths = [[(place, row) for row in range(len(section))] for place, section in enumerate(live_list)]
    return headers, [[read_row(lambda: live_list[path]) for path in section] for section in paths]


def changed_names(old: Row, new: Row) -> set:
    """The columns in which two states of a row differ."""
    types = dict(zip(old.values, old.types)), dict(zip(new.values, new.types))
    return {name for name in new.values if (old.values[name], types[0][name]) != (new.values[name], types[1][name])}
