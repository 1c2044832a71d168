"""What both models have in common: columns, roles, and the steps that lead from the old list to the
new one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional, Union

from PySide6.QtCore import (
    QAbstractItemModel,
    QByteArray,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from ..errors import ClosedError, FetchedResultsError, GoneError, NotFetchedError, WrongThreadError
from ..objects import Identity, Object
from ..records import Change
from ..sections import IndexPath, Section, SectionInfo
from ._blanks import Blanks
from ._picture import Picture
from ._round import Watcher
from ._steps import Step
from .columns import Column, ColumnLike, columns_of

if TYPE_CHECKING:
    from ..live_list import LiveList

Index = Union[QModelIndex, QPersistentModelIndex]
_Roles = Qt.ItemDataRole


@dataclass(frozen=True)
class ShownSection(SectionInfo):
    """The description of a section that a model shows.

    Attributes:
        object: the row that it represents, in a section map; None where it represents none.
    """

    object: Optional[Object]


class ItemModel(QAbstractItemModel):
    """An item model of a list; see `TreeModel` and `ListModel`.

    The model shows what a controller, section map or collection shows, and reads an object when a
    view asks for it. When a transaction changed the list, the model goes to the new state step by
    step, each between the signals that Qt has for it: rows inserted, removed, moved, data changed.
    Between two steps it shows an intermediate state: each row with its present values, and one that
    is about to be removed with its last values. A change set that is a reload resets the model.

    After `perform_fetch`, which notifies nobody, call `reload`. When the controller or its store is
    closed there is no data any more, and no rows after `reload` or `close`. Without a list, an
    index or known values, data is None. A row or section that can't be read now, because another
    connection changed it, has no data until the next call that may deliver, such as
    `Store.dispatch` or a write: then the model emits dataChanged for each that was asked for,
    whether it changed or not. A model belongs to the thread of its store.

    Roles beside those of Qt: `ObjectRole`, the object of a row; `SectionRole`, the value of its
    section, and `SectionObjectRole`, the row that its section stands for in a section map, which
    sections have, too; then one role for each column, in any column of the row. In QML they are
    called "object", "section", "sectionObject", and as the columns are.
    """

    ObjectRole: int = int(_Roles.UserRole)
    SectionRole: int = ObjectRole + 1
    SectionObjectRole: int = SectionRole + 1
    FirstColumnRole: int = SectionObjectRole + 1

    def __init__(
        self,
        controller: LiveList,
        columns: Union[ColumnLike, Sequence[ColumnLike]],
        *,
        section_title: Optional[Callable[[ShownSection], Any]] = None,
        parent: Optional[QObject] = None,
    ) -> None:
        """Makes a model that shows what the list shows, from now on.

        Args:
            controller: the list, which the model retains; the list does not retain the model.
            columns: the names of the objects' columns to show, functions of an object, or
              `Column`s.
            section_title: what a section shows as its title; None for its name. It may contain the
                number of rows; views are then notified of its changes. A section that is about to
                be removed shows its name.
            parent: the QObject that owns the model.
        """
        super().__init__(parent)
        self._controller = controller
        self._columns = columns_of(columns)
        self._section_title = section_title
        self._role_names = self._named_roles()
        self._picture = Picture(self._row_counts())
        self._blanks = Blanks()
        self._watcher: Optional[Watcher] = Watcher(self, controller)
        # Also when another QObject, or the view, deletes the model while Python still refers to it.
        self.destroyed.connect(self._watcher.stop)

    # Life

    @property
    def controller(self) -> LiveList:
        """The list that the model shows."""
        return self._controller

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns that it shows."""
        return self._columns

    def reload(self) -> None:
        """Shows the present state of the list. Views discard what they have: a model reset."""
        self._reset(self._row_counts() if self._watcher is not None else [])

    def close(self) -> None:
        """Shows nothing any more, and stops following the list. A second call does nothing. The
        controller stays open."""
        if self._watcher is not None:
            watcher, self._watcher = self._watcher, None
            watcher.stop()
            self._reset([])

    def _row_counts(self) -> list[int]:
        try:
            return [len(section) for section in self._controller]
        except (ClosedError, NotFetchedError):
            return []

    def _reset(self, counts: Sequence[int]) -> None:
        self.beginResetModel()
        self._picture = Picture(counts)
        self.endResetModel()

    # Changes

    def _play(self) -> None:
        """Does all steps that were delivered. Also called before a change, when there may be
        none.
        """
        picture = self._picture
        if picture.is_stale:
            return self.reload()
        counted: set[int] = set()
        # A slot may reset the model.
        while picture.ahead and self._picture is picture:
            step = picture.ahead[0]
            if not picture.fits(step):
                return self.reload()
            end = self._begin(step)
            try:
                picture.take()
            finally:
                if end is not None:
                    end()
            counted.update(picture.ids[section] for section in step.counted_sections)
            if step.is_content and self._picture is picture:
                self._report_content(step)
        if self._picture is not picture:
            return
        if not self._is_in_step():
            return self.reload()
        if self._section_title is not None:
            for section, each in enumerate(picture.ids):
                if each in counted and self._picture is picture:
                    self._report_title(section)

    def _is_in_step(self) -> bool:
        """Whether the list has as many sections and rows as the model: a fetch may have changed it
        without a notification."""
        try:
            there = len(self._controller), self._controller.count
        except (ClosedError, NotFetchedError):
            # A slot has closed it.
            return True
        return there == (len(self._picture.counts), self._picture.total)

    def _begin(self, step: Step) -> Optional[Callable[[], None]]:
        """Announces a step to Qt. Returns what has to be called after it was done."""
        raise NotImplementedError

    def _report_content(self, step: Step) -> None:
        """Reports data that the step, which was done, has changed."""
        raise NotImplementedError

    def _report_title(self, section: int) -> None:
        """Reports that the title of a section may have changed."""

    def _report_data(self, first: int, last: int, parent: QModelIndex, roles: Sequence[int] = ()) -> None:
        """Emits dataChanged for whole rows."""
        final = self.columnCount(parent) - 1
        self.dataChanged.emit(self.index(first, 0, parent), self.index(last, final, parent), list(roles))

    def _note_blank(self, path: IndexPath) -> None:
        """Notes that there was no data of a row or section."""
        if self._watcher is not None and self._blanks.note(self._index(path)):
            self._watcher.expect_data()

    def _report_blanks(self) -> None:
        """Reports data that was lacking, and may be available now."""
        for first, last, parent in self._blanks.take():
            self._report_data(first, last, parent)

    # The data of the list; raises for data that can't be read.

    def _object(self, path: IndexPath) -> Optional[Object]:
        """The object of a row of the picture; None before a reset."""
        if self._picture.is_stale:
            return None
        place = self._picture.row(path)
        return place.object if isinstance(place, Change) else self._controller.object_at(place)

    def _section(self, section: int) -> Union[None, Section, Change]:
        """A section of the picture, or the record of its deletion; None before a reset."""
        if self._picture.is_stale:
            return None
        place = self._picture.section(section)
        return place if isinstance(place, Change) else self._controller[place]

    def _path(self, index: Index) -> Optional[IndexPath]:
        """The place of an index in the picture, a section's with row -1; None if the index is not
        valid there.
        """
        raise NotImplementedError

    def _index(self, path: IndexPath) -> QModelIndex:
        """The index of a place in the picture."""
        raise NotImplementedError

    def index_of(self, item: Union[Object, Identity]) -> QModelIndex:
        """The index of an object, or of the row with an identity, in the first column; invalid if
        it is not shown.
        """
        try:
            place = self._controller.index_path_of(item)
        except WrongThreadError:
            raise
        except FetchedResultsError:
            return QModelIndex()
        shown = None if place is None or self._picture.is_stale else self._picture.shown(place)
        return QModelIndex() if shown is None else self._index(shown)

    # Qt's interface

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        """The number of columns."""
        return len(self._columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _Roles.DisplayRole) -> Any:
        """The titles of the columns; beside the rows their numbers."""
        if orientation == Qt.Orientation.Horizontal and role == _Roles.DisplayRole:
            return self._columns[section].header if 0 <= section < len(self._columns) else None
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
        if role == self.SectionRole:
            return self._section_value(path.section)
        if role == self.SectionObjectRole:
            return self._section_object(path.section)
        if path.row < 0:
            return self._title(path.section) if role == _Roles.DisplayRole and index.column() == 0 else None
        column = self._column(index, role)
        if column is None and role != self.ObjectRole:
            return None
        item = self._object(path)
        return item if item is None or column is None else column.of(item)

    def _column(self, index: Index, role: int) -> Optional[Column]:
        if role in (_Roles.DisplayRole, _Roles.EditRole):
            return self._columns[index.column()]
        place = role - self.FirstColumnRole
        return self._columns[place] if 0 <= place < len(self._columns) else None

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
        count, row = self._picture.counts[section], self._section_object(section)
        return self._section_title(ShownSection(info.name, info.index_title, count, info.value, info.index, row))

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Rows are leaves, and can be edited in columns that say how."""
        flags = super().flags(index)
        path = self._path(index)
        if path is None or path.row < 0:
            return flags
        flags |= Qt.ItemFlag.ItemNeverHasChildren
        return flags if self._columns[index.column()].edit is None else flags | Qt.ItemFlag.ItemIsEditable

    def setData(self, index: Index, value: Any, role: int = _Roles.EditRole) -> bool:
        """Has the column of a row write a value."""
        path = self._path(index)
        if path is None or path.row < 0 or role != _Roles.EditRole:
            return False
        edit = self._columns[index.column()].edit
        if edit is None:
            return False
        try:
            item = self._object(path)
        except (ClosedError, GoneError):
            return False
        return item is not None and edit(item, value) is not False

    def roleNames(self) -> dict[int, QByteArray]:
        """The names of the roles in QML."""
        return self._role_names

    def _named_roles(self) -> dict[int, QByteArray]:
        columns = {column.role_name: role for role, column in enumerate(self._columns, self.FirstColumnRole)}
        names = {
            **super().roleNames(),
            self.ObjectRole: QByteArray(b"object"),
            self.SectionRole: QByteArray(b"section"),
            self.SectionObjectRole: QByteArray(b"sectionObject"),
        }
        # A column whose name is that of another role takes it.
        kept = {role: name for role, name in names.items() if bytes(name.data()).decode() not in columns}
        return {**kept, **{role: QByteArray(name.encode()) for name, role in columns.items()}}


SECTION_ROLES = [ItemModel.SectionRole, ItemModel.SectionObjectRole]
"""What rows know of their section."""
