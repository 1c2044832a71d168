"""What the schema says of the columns of a list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Optional

from .._columns import fold
from ..collection import Collection
from ..controller import Controller
from ..request import Request
from ..statement import Statement
from ..window import Window

if TYPE_CHECKING:
    from ..live_list import LiveList
    from ..store import Store

# A generated column is shown, a hidden one of a virtual table is not:
# https://www.sqlite.org/pragma.html#pragma_table_xinfo
_COLUMNS = "SELECT name, type FROM pragma_table_xinfo(?1, ?2) WHERE hidden <> 1"


def whole_list(live_list: LiveList) -> LiveList:
    """The list of which a window shows a part; any other list itself."""
    return live_list.list if isinstance(live_list, Window) else live_list


def shown_columns(live_list: LiveList) -> list[str]:
    """The names of the columns that the objects of a list show; of a collection those of all its
    lists, each once.
    """
    names: dict[str, str] = {}
    for controller in controllers_of(live_list):
        for name in _shown_by(controller):
            names.setdefault(fold(name), name)
    return list(names.values())


def numeric_columns(live_list: LiveList) -> set[str]:
    """The folded names of the columns of a list whose declared type has numeric affinity."""
    numeric: set[str] = set()
    for controller in controllers_of(live_list):
        if isinstance(controller.request, Request):
            declared = _declared_by(controller, controller.request)
            numeric.update(fold(name) for name, type_ in declared if _is_numeric(type_))
    return numeric


def controller_at(live_list: LiveList, section: int) -> tuple[Optional[Controller], int]:
    """The controller that shows a section, and the number of the section in it; None for a
    placeholder.
    """
    while isinstance(live_list, Collection):
        child = live_list.child_of_section(section)
        section -= live_list._first_section(live_list.index_of_child(child))
        if not isinstance(child, (Controller, Collection)):
            return None, section
        live_list = child
    live_list = whole_list(live_list)
    return (live_list if isinstance(live_list, Controller) else None), section


def controllers_of(live_list: LiveList) -> Iterator[Controller]:
    """The controllers that a list shows: itself, that of a window, or those in a collection."""
    live_list = whole_list(live_list)
    if isinstance(live_list, Controller):
        yield live_list
    elif isinstance(live_list, Collection):
        for child in live_list.children:
            if isinstance(child, (Controller, Collection)):
                yield from controllers_of(child)


def _shown_by(controller: Controller) -> tuple[str, ...]:
    request = controller.request
    if isinstance(request, Request):
        return tuple(request.columns or [name for name, _ in _declared_by(controller, request)])
    statement = Statement(controller.store, request.sql)
    try:
        return statement.columns().names
    finally:
        statement.close()


def _declared_by(controller: Controller, request: Request) -> list[tuple[str, str]]:
    """The columns that a request shows, each with its declared type. The keys of groups have the
    types of the columns that they are.
    """
    declared = _declared(controller.store, request.entity)
    if request.group_by is None:
        return declared
    types = {fold(name): type_ for name, type_ in declared}
    keys = [(key, types.get(fold(key), "")) for key in request.group_by]
    totals = request.totals.items()
    return keys + [(name, "" if total.function in ("min", "max") else "NUMERIC") for name, total in totals]


def _declared(store: Store, entity: str) -> list[tuple[str, str]]:
    """The columns of a table or view, each with its declared type."""
    found = _columns_of(store, entity, None)
    if not found and "." in entity:
        database, _, name = entity.partition(".")
        found = _columns_of(store, name, database)
    return found


def _columns_of(store: Store, name: str, database: Optional[str]) -> list[tuple[str, str]]:
    return [(str(row[0]), str(row[1] or "")) for row in store.query(_COLUMNS, [name, database])]


def _is_numeric(declared: str) -> bool:
    """Whether a declared type has numeric affinity: https://www.sqlite.org/datatype3.html."""
    name = declared.upper()
    if "INT" in name:
        return True
    if any(text in name for text in ("CHAR", "CLOB", "TEXT", "BLOB")) or not name:
        return False
    # These have numeric affinity as well, but people don't take them for numbers.
    return not any(other in name for other in ("BOOL", "DATE", "TIME"))
