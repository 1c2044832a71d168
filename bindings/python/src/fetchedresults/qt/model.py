"""What both models have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

from .._callables import plain_function
from ..errors import FetchedResultsError, WrongThreadError
from ..window import Window
from ._base import Index
from ._binding import QObject
from ._cells import ShownSection
from ._dragging import DragModel
from .columns import ColumnLike, Shown
from .pending import Edit

if TYPE_CHECKING:
    from ..live_list import LiveList

RELOAD_THRESHOLD = 1_000
"""How many steps a change set may have that a model shows step by step, unless set."""
_FETCHED = 100
"""How many rows a window gets when a view is scrolled to its end."""


class ItemModel(DragModel):
    """An item model of a list; see `TreeModel` and `ListModel`.

    The model shows what a controller, section map, window or collection shows, and reads an object
    when a view asks for it. A window grows when a view is scrolled to its end. When a transaction
    changed the list, the model goes to the new state step by step, each between the signals that Qt
    has for it: rows inserted, removed, moved, data changed. Between two steps it shows an
    intermediate state: each row with its present values, and one that is about to be removed with
    its last values. A change set that is a reload resets the model.

    After `perform_fetch`, which notifies nobody, call `reload`. When the controller or its store is
    closed there is no data any more, and no rows after `reload` or `close`. Without a list, an
    index or known values, data is None. A row or section that can't be read now, because another
    connection changed it, has no data until the next call that may deliver, such as
    `Store.dispatch` or a write: then the model emits dataChanged for each that was asked for,
    whether it changed or not. A model belongs to the thread of its store.

    Roles beside those of Qt: `ObjectRole`, the object of a row; `SectionRole`, the value of its
    section, `SectionObjectRole`, the row that its section stands for in a section map, and
    `TotalsRole`, the totals of the section, all of which sections have, too; `PendingRole`, whether
    a value that the cell shows waits for its change (see `submit`); then one role for each column,
    in any column of the row, and those of `roles`. A cell in which the role of a column or the
    object was read shows all columns. In QML the roles are called "object", "section",
    "sectionObject", "sectionTotals", "pending", and as the columns and the other roles are. What
    QML assigns to the role of a column is written as that column is edited. `headerData` has the
    totals of the list in `TotalsRole`, and so has the property `totals`.

    What the user does is written to the store by `setData`, `dropMimeData` and `moveRows`, or sets
    another order by `sort`. If that fails, these do nothing, and `errorOccurred` is emitted.
    """

    def __init__(
        self,
        controller: LiveList,
        columns: Union[None, ColumnLike, Sequence[ColumnLike]] = None,
        *,
        section_title: Optional[Callable[[ShownSection], Any]] = None,
        roles: Optional[Mapping[str, Shown]] = None,
        position: Optional[str] = None,
        reload_threshold: Optional[int] = RELOAD_THRESHOLD,
        announces_moves: bool = True,
        edit_timeout: float = 0.5,
        submit: Optional[Callable[[Edit], object]] = None,
        parent: Optional[QObject] = None,
    ) -> None:
        """Makes a model that shows what the list shows, from now on.

        Args:
            controller: the list, which the model retains; the list does not retain the model.
            columns: the names of the objects' columns to show, functions of an object, or
              `Column`s; None for all columns that the objects show.
            section_title: what a section shows as its title; None for its name. It may contain the
                number of rows and totals; views are then notified of its changes. A section that is
                about to be removed shows its name.
            roles: what QML reads of a row beside the columns, by name: columns of the objects, or
                functions of an object.
            position: the column by which the user orders rows. If the list is sorted by it, rows
                can be dragged to another place. That writes the positions of as few rows as
                possible, in one transaction, and in another section the column that the sections
                are made of, unless that is of another table.
            reload_threshold: how many steps of a change set are announced one by one. If there are
                more, the model is reset, or if only rows inside their sections moved, their layout
                changes, with persistent indexes that follow them. A step is a run of adjacent rows
                with the same change. None: all are.
            announces_moves: whether a row that moves is announced as such. False: as removed and
                inserted, below a proxy model that sorts everything when a row moves, or ignores it.
            edit_timeout: how many seconds the user's input waits for the lock of another connection
                before it fails, if the store would wait longer. The window does not react
                meanwhile.
            submit: receives what the user edits, checks and drags, an `Edit` for each column of a
                row, in place of the UPDATE that the model executes: for a list that follows another
                place, such as a server, to which the program sends the edit. It may return False to
                refuse. The cells show the values, with `PendingRole`, until they come back.
            parent: the QObject that owns the model.
        """
        super().__init__(controller, columns, section_title, roles, position, reload_threshold, announces_moves, parent)
        self._edit_timeout = edit_timeout
        if submit is not None:
            plain_function(submit, "what takes edits")
            self._submit = submit

    def canFetchMore(self, parent: Index) -> bool:
        """Whether the model shows a window after which the list has more rows."""
        window = self._controller
        if parent.isValid() or self._watcher is None or not isinstance(window, Window):
            return False
        try:
            return window.position + window.count < window.list.count
        except WrongThreadError:
            raise
        except FetchedResultsError:
            # The window or its list is closed.
            return False

    def fetchMore(self, parent: Index) -> None:
        """Lets the window show more rows after those that it shows. Views call it when they are
        scrolled to their end. What fails is reported by `errorOccurred`.
        """
        window = self._controller
        if isinstance(window, Window) and self.canFetchMore(parent):
            self._try(lambda: self._grow(window))

    @staticmethod
    def _grow(window: Window) -> bool:
        window.resize(after=window.after + _FETCHED)
        return True


SECTION_ROLES = [ItemModel.SectionRole, ItemModel.SectionObjectRole, ItemModel.TotalsRole]
"""What rows know of their section."""
