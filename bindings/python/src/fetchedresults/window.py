"""Windows: the rows around one row of a list, as a list of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from ctypes import byref, c_int64
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _api, _types
from ._after_round import RoundFunction
from ._values import array, identity_values, int64, string
from .errors import NotFoundError, RangeError
from .live_list import LiveList
from .objects import Identity, Object
from .sections import IndexPath, Section

if TYPE_CHECKING:
    from .controller import Controller
    from .store import Store

_AT_END = -1


class Window(LiveList):
    """A row of a list with some rows before and after it, as a list: a sequence of the sections
    that have rows in the window. `Controller.window` opens it.

    A window hangs on a row, its anchor, and not on a place. Changes elsewhere in the list do not
    concern it: they cost nothing, and its observers are not called. If the anchor moves, the window
    moves with it. If the anchor leaves the list, the row that is where it was becomes the anchor;
    see `ChangeSet.window_place`.

    Fetching a window fetches its list. If the list is read from scratch, its windows find their
    anchors by their identities, and deliver the difference; all rows that stay are updated.

    Close it, use it in a `with` statement, or drop it. It lives on when its list is closed.

    >>> from fetchedresults import Store
    >>> with Store() as store:
    ...     store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
    ...     store.executemany("INSERT INTO items (name) VALUES (?)", [(name,) for name in "bdfhj"])
    ...     items = store.fetch("items", sort="name")
    ...     with items.window(at=2, before=1, after=1) as window:
    ...         print(window.position, [item.name for item in window.objects])
    ...         _ = store.insert("items", name="a")
    ...         print(window.position, [item.name for item in window.objects])
    ...         window.move(1)
    ...         print(window.position, [item.name for item in window.objects])
    1 ['d', 'f', 'h']
    2 ['d', 'f', 'h']
    3 ['f', 'h', 'j']
    """

    _noun = "window"
    _called = "a window"
    _has_section_rows = True

    def __init__(self, list: Controller, function: Callable[..., int], *arguments: Any) -> None:
        """Windows are opened by `Controller.window`."""
        self._list = list
        self._make(list._session, function, list._pointer, *arguments)

    @property
    def list(self) -> Controller:
        """The list of which it shows a part."""
        return self._list

    def _stores(self) -> Iterator[Store]:
        return self._list._stores()

    def _call_after_round(self, function: RoundFunction) -> None:
        self._list._call_after_round(function)

    # Place

    @property
    def position(self) -> int:
        """The number, in the list, of the window's first row; 0 if the list has no rows. It changes
        without a call of observers.
        """
        return self._integer(_api.fr_window_position)

    @property
    def anchor(self) -> Optional[IndexPath]:
        """Where the row on which it hangs is in the window; None if the list has no rows."""
        path = _types.Path()
        try:
            self._call(_api.fr_window_anchor, byref(path), self._pointer)
        except NotFoundError:
            return None
        return IndexPath(path.section, path.row)

    @property
    def before(self) -> int:
        """How many rows it shows before its anchor, if the list has as many."""
        return self._extent()[0]

    @property
    def after(self) -> int:
        """How many rows it shows after its anchor, if the list has as many."""
        return self._extent()[1]

    def _extent(self) -> tuple[int, int]:
        before, after = c_int64(), c_int64()
        self._call(_api.fr_window_extent, byref(before), byref(after), self._pointer)
        return before.value, after.value

    def move(self, rows: int) -> None:
        """Hangs the window on the row that is `rows` rows after its anchor, or before it if the
        number is negative; on the last or first row if there are not so many.

        The observers receive the difference before this returns; inside a callback, after the
        current round.
        """
        self._call(_api.fr_window_move, self._pointer, int64(rows, "rows"))

    def resize(self, before: Optional[int] = None, after: Optional[int] = None) -> None:
        """Shows another number of rows before and after the anchor; None leaves a number as it is.

        The observers receive the difference, as by `move`. Raises RangeError for a negative number.
        """
        old = self._extent()
        new = tuple(int64(old[side] if rows is None else rows, "rows") for side, rows in enumerate((before, after)))
        self._call(_api.fr_window_resize, self._pointer, *new)

    # The list

    @property
    def sections(self) -> tuple[Section, ...]:
        """The sections that have rows in the window: headers with their rows."""
        return tuple(self)

    def _description(self) -> str:
        return self._list._description()


def open_window(
    list: Controller,
    at: Union[int, tuple[int, int], Object],
    before: int,
    after: int,
    identity: Optional[Identity],
    section: Optional[str],
) -> Window:
    """Opens a window where `Controller.window` says."""
    extent = int64(before, "before"), int64(after, "after")
    if section is not None:
        return Window(list, _api.fr_window_open_at_section, string(section, "section"), *extent)
    if isinstance(at, Object):
        identity = at.identity
    if identity is not None:
        values = identity_values(identity)
        native = array(values, list._session.types)
        return Window(list, _api.fr_window_open_at_identity, native, len(values), *extent)
    if isinstance(at, tuple):
        return Window(list, _api.fr_window_open, list.index_of(list._counted_from_start(at)), *extent)
    index = int64(at, "at")
    if index < _AT_END:
        index += list.count
        if index < 0:
            raise RangeError(f"there is no row {at}: the list has {list.count}")
    return Window(list, _api.fr_window_open, index, *extent)
