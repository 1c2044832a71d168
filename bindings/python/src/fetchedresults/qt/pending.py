"""Edits that the program sends elsewhere, and that a model shows until they are in the list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

from .._columns import fold
from ..errors import FetchedResultsError
from ..objects import Identity, Object

if TYPE_CHECKING:
    from ..live_list import LiveList


class Edit:
    """A value that the user has entered, on its way to the place that the list comes from.

    The cell shows the value, and `ItemModel.PendingRole` is true, until a change of the column
    arrives with the list, the row leaves the list, or the program calls `fail` or `finish`. Both
    belong to the thread of the model. They do nothing when one was called before, and after the
    model is closed.

    Attributes:
        entity: the table of the row.
        identity: the row's identity: a value, or a tuple of several.
        column: the name of the column.
        value: what the user has entered.
    """

    __slots__ = ("_end", "column", "entity", "identity", "value")

    def __init__(self, item: Object, column: str, value: Any, end: Callable[[Edit, Optional[str]], None]) -> None:
        self.entity = item.entity
        self.identity = item.identity
        self.column = column
        self.value = value
        self._end: Optional[Callable[[Edit, Optional[str]], None]] = end

    def fail(self, message: str) -> None:
        """Reports that the value was refused. The cell shows the value of the list again, and the
        model emits `errorOccurred` with the message.
        """
        self._report(message)

    def finish(self) -> None:
        """Reports that no change will arrive, for example because the other place has the value
        already. The cell shows the value of the list again.
        """
        self._report(None)

    def _report(self, message: Optional[str]) -> None:
        end, self._end = self._end, None
        if end is not None:
            end(self, message)


_NOT_SHOWN = object()


@dataclass
class _Cell:
    """A value of the list, and the edits of it that are under way."""

    item: Object
    value: Any
    edits: list[Edit]


class PendingEdits:
    """The edits of a model that are under way."""

    def __init__(self) -> None:
        self._cells: dict[tuple[str, Identity, str], _Cell] = {}

    def add(self, edit: Edit, item: Object) -> None:
        """Adds an edit of an object."""
        cell = self._cells.setdefault(_key(item, edit.column), _Cell(item, item.get(edit.column), []))
        cell.edits.append(edit)

    def remove(self, edit: Edit, item: Object) -> None:
        """Removes an edit, unless the list has answered it."""
        cell = self._cells.get(_key(item, edit.column))
        if cell is not None:
            self._keep(cell, [each for each in cell.edits if each is not edit])

    def has(self, item: Object, column: str) -> bool:
        """Whether a column of an object has been edited."""
        return bool(self._cells) and _key(item, column) in self._cells

    def value(self, item: Object, column: str) -> Any:
        """The value that was entered last, or the one of the list."""
        return self._cells[_key(item, column)].edits[-1].value if self.has(item, column) else item.get(column)

    def settle(self, controller: LiveList) -> None:
        """Removes the edits that the list has an answer to: their value, or another one."""
        for cell in list(self._cells.values()):
            try:
                place = controller.index_path_of(cell.item)
                if place is None:
                    self._keep(cell, [])
                    continue
                # A column that the list does not show has no answer.
                value = controller.object_at(place).get(cell.edits[0].column, _NOT_SHOWN)
            except FetchedResultsError:
                # The row can't be read now: it is compared after the next change.
                continue
            if value != cell.value:
                cell.value = value
                # An answer to an earlier edit leaves the later ones. Where the value is none of
                # theirs, something else has decided.
                values = [edit.value for edit in cell.edits]
                self._keep(cell, cell.edits[values.index(value) + 1 :] if value in values else [])

    def _keep(self, cell: _Cell, edits: list[Edit]) -> None:
        if edits:
            cell.edits = edits
        else:
            del self._cells[_key(cell.item, cell.edits[0].column)]


def _key(item: Object, column: str) -> tuple[str, Identity, str]:
    return item.entity, item.identity, fold(column)
