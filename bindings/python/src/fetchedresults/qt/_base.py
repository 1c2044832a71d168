"""A model that follows a list: it leads views from the old list to the new one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Optional, Union

from ..changes import ChangeSet
from ..errors import ClosedError, FetchedResultsError, NotFetchedError, WrongThreadError
from ..objects import Identity, Object
from ..records import Change, ChangeType
from ..sections import IndexPath, Section
from ._binding import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, emit_sorted
from ._blanks import Blanks
from ._picture import Picture
from ._relocation import Relocation
from ._round import Watcher
from ._steps import Step, steps_of

if TYPE_CHECKING:
    from ..live_list import LiveList

Index = Union[QModelIndex, QPersistentModelIndex]


class BaseModel(QAbstractItemModel):
    """A model that shows a list and announces its changes."""

    # What sections show may depend on the number of their rows.
    _has_counted_titles = False

    def __init__(
        self,
        controller: LiveList,
        reload_threshold: Optional[int],
        announces_moves: bool,
        parent: Optional[QObject],
    ) -> None:
        super().__init__(parent)
        if reload_threshold is not None and reload_threshold < 0:
            raise ValueError(f"reload_threshold must not be negative: {reload_threshold}")
        self._controller = controller
        self._reload_threshold = reload_threshold
        self._announces_moves = announces_moves
        # Whether the change that is delivered next was requested by `sort`.
        self._is_sorting = False
        # Whether a delivery was received whose totals were not reported.
        self._is_expecting = False
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
        self._report_totals()

    @property
    def _is_settled(self) -> bool:
        """Whether the model shows the present state of the list: it is not between two states."""
        picture = self._picture
        return not (picture.ahead or picture.is_stale or picture.relocation is not None)

    # Changes

    def _expect(self, changes: ChangeSet) -> None:
        """Receives a change set, which is shown when all models of the delivery have received
        theirs.
        """
        picture = self._picture
        self._is_expecting = True
        picture.is_stale = changes.is_reload
        if picture.is_stale:
            return
        if self._is_sorting and changes:
            picture.relocation = Relocation.of(changes)
        if picture.relocation is not None:
            return
        # None if there are too many.
        steps = steps_of(changes, self._reload_threshold)
        if steps is not None:
            picture.expect(steps)
            return
        picture.relocation = Relocation.of(changes)
        picture.is_stale = picture.relocation is None

    def _relocate(self, relocation: Relocation) -> None:
        """Shows all moves of rows together, with persistent indexes that follow them."""
        picture = self._picture
        emit_sorted(self.layoutAboutToBeChanged)
        # A slot may reset the model.
        if self._picture is not picture:
            return
        old = self.persistentIndexList()
        new = [self._relocated(index, relocation) for index in old]
        picture.relocation = None
        self.changePersistentIndexList(old, new)
        emit_sorted(self.layoutChanged)
        for section, (first, last) in relocation.content.items():
            if self._picture is picture:
                self._report_rows_of(section, first, last)
        for section in relocation.sections:
            if self._picture is picture:
                self._report_section(section)
        if self._picture is picture and not self._is_in_step():
            self.reload()

    def _relocated(self, index: QModelIndex, relocation: Relocation) -> QModelIndex:
        path = self._path(index)
        if path is None or path.row < 0:
            return index
        new = self._index(relocation.follow(path))
        return self.createIndex(new.row(), index.column(), new.internalId())

    def _play(self) -> None:
        """Shows what was delivered. Also called before a change, when there may be nothing."""
        self._do_steps()
        if self._is_expecting:
            self._is_expecting = False
            self._report_totals()

    def _do_steps(self) -> None:
        picture = self._picture
        if picture.is_stale:
            return self.reload()
        if picture.relocation is not None:
            return self._relocate(picture.relocation)
        counted: set[int] = set()
        # A slot may reset the model.
        while picture.ahead and self._picture is picture:
            step = picture.ahead[0]
            if not picture.fits(step):
                return self.reload()
            is_halved = step.type is ChangeType.MOVE and not self._announces_moves
            end = self._begin(step.leaving() if is_halved else step)
            try:
                (picture.lift if is_halved else picture.take)()
            finally:
                if end is not None:
                    end()
            counted.update(picture.ids[section] for section in step.counted_sections)
            if step.is_content and not is_halved and self._picture is picture:
                self._report_content(step)
        if self._picture is not picture:
            return
        if not self._is_in_step():
            return self.reload()
        if self._has_counted_titles:
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

    def _report_rows_of(self, section: int, first: int, last: int) -> None:
        """Reports that rows of a section may show something else."""
        raise NotImplementedError

    def _report_title(self, section: int) -> None:
        """Reports that the title of a section may have changed."""

    def _report_section(self, section: int) -> None:
        """Reports that a section shows something else, and its rows in roles of their section."""
        raise NotImplementedError

    def _report_totals(self) -> None:
        """Reports the totals of the list, if they differ from the reported ones."""

    def _changed_columns(self, step: Step) -> list[range]:
        """The columns in which rows of a step, which was done, may show something else."""
        raise NotImplementedError

    def _report_data(
        self,
        first: int,
        last: int,
        parent: QModelIndex,
        roles: Sequence[int] = (),
        columns: Optional[Sequence[range]] = None,
    ) -> None:
        """Emits dataChanged for columns of rows; None for all of them."""
        picture = self._picture
        for each in [range(self.columnCount(parent))] if columns is None else columns:
            # A slot may reset the model.
            if self._picture is picture:
                ends = self.index(first, each[0], parent), self.index(last, each[-1], parent)
                self.dataChanged.emit(*ends, list(roles))

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
