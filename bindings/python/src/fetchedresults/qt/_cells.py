"""Cells: what columns, roles and titles of sections show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Optional, Union

from .._callables import plain_function
from .._columns import fold
from ..errors import ClosedError, FetchedResultsError, NotFetchedError, WrongThreadError
from ..objects import Object
from ..records import Change
from ..sections import IndexPath, SectionInfo
from ..value_types import SQLValue
from ._base import Index
from ._binding import QByteArray, QModelIndex, QObject, Qt
from ._reads import Reads
from ._schema import numeric_columns, shown_columns
from ._steps import Step
from ._totals import TotalsModel
from .columns import Column, ColumnLike, Shown, columns_of
from .pending import PendingEdits

if TYPE_CHECKING:
    from ..live_list import LiveList

_Roles = Qt.ItemDataRole
# How many rows of a step are looked at for the columns that changed.
_LOOKED_AT = 100
_NUMBERS = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True)
class ShownSection(SectionInfo):
    """The description of a section that a model shows.

    Attributes:
        object: the row that it represents, in a section map; None where it represents none.
        totals: the totals of its rows, by name; empty if the request has none, and in a collection.
    """

    object: Optional[Object]
    totals: Mapping[str, SQLValue] = field(default_factory=dict, hash=False)


class CellModel(TotalsModel):
    """A model whose cells show what columns say."""

    ObjectRole: int = int(_Roles.UserRole)
    SectionRole: int = ObjectRole + 1
    SectionObjectRole: int = SectionRole + 1
    TotalsRole: int = SectionObjectRole + 1
    PendingRole: int = TotalsRole + 1
    FirstColumnRole: int = PendingRole + 1

    def __init__(
        self,
        controller: LiveList,
        columns: Union[None, ColumnLike, Sequence[ColumnLike]],
        section_title: Optional[Callable[[ShownSection], Any]],
        roles: Optional[Mapping[str, Shown]],
        reload_threshold: Optional[int],
        announces_moves: bool,
        parent: Optional[QObject],
    ) -> None:
        # The list is observed as soon as the model is made, so what may fail comes first.
        chosen = columns_of(shown_columns(controller) if columns is None else columns)
        for shown in (roles or {}).values():
            if callable(shown):
                plain_function(shown, "what a role shows")
        super().__init__(controller, reload_threshold, announces_moves, parent)
        self._columns = chosen
        self._reads = Reads(controller)
        self._is_in_qml = False
        self._pending = PendingEdits()
        # The columns in whose cells other values of the row were read.
        self._whole_in: set[int] = set()
        # The columns in whose cells of rows something of the section was read.
        self._section_in: set[int] = set()
        self._section_title = section_title
        self._has_counted_titles = section_title is not None
        self._more_roles = dict(roles or {})
        self._role_names = self._named_roles()
        self._alignments = self._all_alignments()
        self._reported_totals = self._read_totals()

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns that it shows."""
        return self._columns

    def _all_alignments(self) -> list[Optional[Qt.AlignmentFlag]]:
        try:
            numeric = numeric_columns(self._controller)
        except ClosedError:
            numeric = set()
        return [column.alignment or (_NUMBERS if _shows(column, numeric) else None) for column in self._columns]

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        """The number of columns."""
        return len(self._columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _Roles.DisplayRole) -> Any:
        """The titles of the columns; beside the rows their numbers; in `TotalsRole` the totals of
        the list."""
        if role == self.TotalsRole:
            return self._read_totals()
        if orientation == Qt.Orientation.Horizontal and role in (_Roles.DisplayRole, _Roles.TextAlignmentRole):
            if not 0 <= section < len(self._columns):
                return None
            return self._columns[section].header if role == _Roles.DisplayRole else self._alignments[section]
        return super().headerData(section, orientation, role)

    def data(self, index: Index, role: int = _Roles.DisplayRole) -> Any:
        """What a row or section shows in a role."""
        path = self._path(index)
        if path is None:
            return None
        try:
            return self._data(path, index, role)
        except WrongThreadError:
            raise
        except (ClosedError, NotFetchedError):
            return None
        except FetchedResultsError:
            self._note_blank(path)
            return None

    def _data(self, path: IndexPath, index: Index, role: int) -> Any:
        if self.SectionRole <= role <= self.TotalsRole:
            if path.row >= 0:
                self._section_in.add(index.column())
            return self._section_data(path.section, role)
        if path.row < 0:
            return self._title(path.section) if role == _Roles.DisplayRole and index.column() == 0 else None
        if role == _Roles.TextAlignmentRole:
            return self._alignments[index.column()]
        if role == self.ObjectRole or role >= self.FirstColumnRole:
            self._whole_in.add(index.column())
        shown = self._shown(index.column(), role)
        if shown is None and role not in (self.ObjectRole, self.PendingRole):
            return None
        self._reads.note(index.row())
        item = self._object(path)
        if role == self.PendingRole:
            return item is not None and any(self._pending.has(item, name) for name in self._names(index.column()))
        if item is None or shown is None:
            return item
        value = self._value(item, shown)
        if role == _Roles.CheckStateRole:
            return Qt.CheckState.Checked if value else Qt.CheckState.Unchecked
        return value

    def _shown(self, number: int, role: int) -> Optional[Shown]:
        """What is shown of an object in a role of a cell in column `number`; None for nothing."""
        column = self._columns[number]
        if role in (_Roles.DisplayRole, _Roles.EditRole):
            return None if role == _Roles.DisplayRole and column.check is True else column.value
        if role == _Roles.CheckStateRole:
            return column.checked
        place = role - self.FirstColumnRole
        if place < 0:
            return column.roles.get(role)
        if place < len(self._columns):
            return self._columns[place].value
        place -= len(self._columns)
        return list(self._more_roles.values())[place] if place < len(self._more_roles) else column.roles.get(role)

    def _value(self, item: Object, shown: Shown) -> Any:
        if not isinstance(shown, str):
            return shown(item)
        if self._pending.has(item, shown):
            return self._pending.value(item, shown)
        # In a collection not all objects have all columns.
        return item.get(shown) if self._controller._is_mixed else item[shown]

    def _changed_columns(self, step: Step) -> list[range]:
        """A cell changes with the columns that it shows. All values of its row can be read in any
        cell, by the roles of the object and of columns: a cell in which this has been done changes
        with the row.
        """
        return self._columns_with(_changed_names(step))

    def _columns_with(self, changed: Optional[set[str]]) -> list[range]:
        """The columns whose cells may show one of these columns of the objects; None: any."""
        found: list[range] = []
        for number, column in enumerate(self._columns):
            shown = (column.value, column.checked, *column.roles.values())
            if changed is None or number in self._whole_in or any(_depends(each, changed) for each in shown):
                _add(number, found)
        return found

    def _section_columns(self) -> list[range]:
        """The columns in which rows of a section show something of it."""
        found: list[range] = []
        for number in sorted(self._section_in):
            _add(number, found)
        return found

    def _section_data(self, section: int, role: int) -> Any:
        if role == self.TotalsRole:
            return self._section_totals(section)
        return self._section_value(section) if role == self.SectionRole else self._section_object(section)

    def _names(self, number: int) -> list[str]:
        """The columns of the objects that a cell in column `number` shows."""
        shown = self._columns if number in self._whole_in else self._columns[number : number + 1]
        return [name for column in shown for name in (column.value, column.checked) if isinstance(name, str)]

    def _play(self) -> None:
        """The steps report what is not pending any more: the list has changed it."""
        self._pending.settle(self._controller)
        super()._play()

    def _section_value(self, section: int) -> Any:
        place = self._section(section)
        if place is None:
            return None
        return place.section_name if isinstance(place, Change) else place.value

    def _section_object(self, section: int) -> Optional[Object]:
        place = self._section(section) if self._controller._has_section_rows else None
        if place is None:
            return None
        return place.section_object if isinstance(place, Change) else place.object

    def _title(self, section: int) -> Any:
        place = self._section(section)
        if place is None:
            return None
        if isinstance(place, Change):
            return place.section_name
        info = place.info
        if self._section_title is None:
            return info.name
        count, row, totals = self._picture.counts[section], self._section_object(section), self._section_totals(section)
        shown = ShownSection(info.name, info.index_title, count, info.value, info.index, row, totals)
        return self._section_title(shown)

    def roleNames(self) -> dict[int, QByteArray]:
        """The names of the roles in QML, which reads by them."""
        self._is_in_qml = True
        return self._role_names

    def _named_roles(self) -> dict[int, QByteArray]:
        columns = {column.role_name: role for role, column in enumerate(self._columns, self.FirstColumnRole)}
        names = {
            **super().roleNames(),
            self.ObjectRole: QByteArray(b"object"),
            self.SectionRole: QByteArray(b"section"),
            self.SectionObjectRole: QByteArray(b"sectionObject"),
            self.TotalsRole: QByteArray(b"sectionTotals"),
            self.PendingRole: QByteArray(b"pending"),
        }
        columns.update(zip(self._more_roles, range(self.FirstColumnRole + len(self._columns), 1 << 30)))
        # A column whose name is that of another role takes it.
        kept = {role: name for role, name in names.items() if bytes(name.data()).decode() not in columns}
        return {**kept, **{role: QByteArray(name.encode()) for name, role in columns.items()}}


def _add(number: int, columns: list[range]) -> None:
    """Adds a column behind the ones before it."""
    first = columns.pop().start if columns and columns[-1].stop == number else number
    columns.append(range(first, number + 1))


def _changed_names(step: Step) -> Optional[set[str]]:
    """The folded names of the columns that changed in rows of a step; None if any may have."""
    is_elsewhere = step.old is not None and step.new is not None and step.old.section != step.new.section
    if step.is_sections or is_elsewhere or step.count > _LOOKED_AT:
        return None
    changed: set[str] = set()
    for offset in range(step.count):
        try:
            names = step.change(offset).changed_columns
        except FetchedResultsError:
            return None
        if not names:
            return None
        changed.update(map(fold, names))
    return changed


def _depends(shown: Optional[Shown], changed: set[str]) -> bool:
    """Whether something that is shown of an object may change with its columns."""
    return shown is not None and (not isinstance(shown, str) or fold(shown) in changed)


def _shows(column: Column, names: set[str]) -> bool:
    """Whether a column shows, as text, one of these columns of the objects."""
    return isinstance(column.value, str) and column.check is not True and fold(column.value) in names
