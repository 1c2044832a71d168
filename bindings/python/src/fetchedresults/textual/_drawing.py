"""The drawing of a table: its columns, and the rows that are on the screen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, Optional

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from .._callables import plain_function
from ..errors import ClosedError, FetchedResultsError, GoneError
from ..flat_rows import FlatRows
from ..live_list import LiveList
from ..objects import Object
from ..request import Sort
from ..sections import IndexPath, Section
from . import messages
from ._following import Following
from ._orders import UserRequest, descending
from .columns import ColumnLike, TableColumn, columns_of, fitted, widths_of

_RETRY = 1.0
"""After how many seconds a store that failed dispatches again."""


class DrawnTable(ScrollView, can_focus=True):
    """A table that draws the lines of a list that are on the screen."""

    Failed = messages.Failed

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "live-table--header",
        "live-table--section",
        "live-table--cursor",
        "live-table--selected",
        "live-table--changed",
    }

    def __init__(
        self,
        live_list: LiveList,
        columns: Sequence[ColumnLike],
        *,
        headers: Optional[bool] = None,
        section_title: Optional[Callable[[Section], str]] = None,
        highlight: float = 1.0,
        name: Optional[str] = None,
        id: Optional[str] = None,
        classes: Optional[str] = None,
    ) -> None:
        """Makes a table.

        Args:
            live_list: what it shows: a controller, a section map or a collection.
            columns: the columns, each as a `TableColumn` or its value alone.
            headers: whether sections have headers; see `FlatRows`.
            section_title: makes the text of a section's header; None for its name and count.
            highlight: for how many seconds changed cells are highlighted; 0 for never.
            name, id, classes: as for other widgets.
        """
        super().__init__(name=name, id=id, classes=classes)
        self._live_list = live_list
        self._columns = columns_of(columns)
        self._flat = FlatRows(live_list, headers=headers)
        self._section_title = plain_function(section_title or _titled, "a section's title")
        self._highlight = highlight
        self._user = UserRequest(live_list)
        self._following: Optional[Following] = None
        self._current: Optional[Object] = None
        self._current_line = 0
        self._marked: frozenset[Object] = frozenset()
        # The rows that were drawn last, by the lines of the screen.
        self._on_screen: dict[int, Object] = {}
        # The columns that are highlighted, by the rows, for each change set.
        self._changed_cells: list[dict[Object, set[int]]] = []
        # Whether the table will be drawn again because a row could not be read, and what is drawn
        # in its place.
        self._waits = False
        self._unread = ""
        self._widths = widths_of(self._columns, 0)

    @property
    def live_list(self) -> LiveList:
        """The list that it shows."""
        return self._live_list

    @property
    def columns(self) -> tuple[TableColumn, ...]:
        """The columns."""
        return self._columns

    @property
    def _order(self) -> tuple[Sort, ...]:
        """The order that the user has set; none for the program's, and without a request."""
        return self._user.order if self._user.own is not None else ()

    def _failed(self, error: FetchedResultsError) -> None:
        self.post_message(self.Failed(self, error))
        self.set_timer(_RETRY, self._try_again)

    def _try_again(self) -> None:
        if self._following is not None:
            self._following.resume()
            self._draw_again()

    # The screen

    def _resize(self) -> None:
        self._widths = widths_of(self._columns, self.size.width)
        self.virtual_size = Size(sum(self._widths) + len(self._widths), len(self._flat) + 1)
        self.refresh()

    @property
    def _top(self) -> int:
        """The first line of the list that is shown."""
        return int(self.scroll_offset.y)

    @property
    def _page_size(self) -> int:
        """How many lines of the list are shown."""
        return max(1, self.size.height - 1)

    def _is_shown(self, line: int) -> bool:
        return self._top <= line < self._top + self._page_size

    def _read(self, path: IndexPath) -> Optional[Object]:
        """The row at a path; None if it can't be read now. Then `_unread` says why, and the table
        is drawn again after the next dispatch, or after a while.
        """
        try:
            return self._live_list.object_at(path)
        except FetchedResultsError as error:
            self._unread = "…" if isinstance(error, GoneError) else error.message
            if not self._waits and not isinstance(error, ClosedError):
                self._waits = True
                if isinstance(error, GoneError):
                    self._live_list._call_after_round(lambda _: self._draw_again())
                else:
                    self._failed(error)
            return None

    def _draw_again(self) -> None:
        self._waits = False
        self.refresh()

    # Drawing

    def render_line(self, y: int) -> Strip:
        """Draws one line of the screen."""
        if y == 0:
            titles = [column.header + self._sign(column) for column in self._columns]
            style = self._style("header")
            return self._row([(fitted(*each), style) for each in zip(titles, self._widths)], style)
        self._on_screen.pop(y, None)
        line = self._top + y - 1
        if line >= len(self._flat):
            return Strip.blank(self.size.width, self.rich_style)
        try:
            return self._line(y, line)
        except FetchedResultsError as error:
            return self._text(error.message, self.rich_style)

    def _line(self, y: int, line: int) -> Strip:
        """Draws a line of the list."""
        path = self._flat.path_at(line)
        if path.row < 0:
            return self._text(self._section_title(self._live_list[path.section]), self._style("section"))
        item = self._read(path)
        if item is None:
            return self._text(self._unread, self.rich_style)
        self._on_screen[y] = item
        is_marked = item in self._marked
        style = self._style("selected") if is_marked else self.rich_style
        if line == self._current_line:
            style = self._style("cursor") + Style(underline=is_marked)
        changed = self._style("changed")
        numbers = {number for cells in self._changed_cells for number in cells.get(item, ())}
        cells = zip(self._columns, self._widths)
        drawn = [
            (column.cell(item, width), changed if place in numbers else style)
            for place, (column, width) in enumerate(cells)
        ]
        return self._row(drawn, style)

    def _row(self, cells: Iterable[tuple[str, Style]], style: Style) -> Strip:
        """Draws cells with an empty one behind each."""
        segments = [segment for text, own in cells for segment in (Segment(text, own), Segment(" ", style))]
        left = int(self.scroll_offset.x)
        return Strip(segments).crop_extend(left, left + self.size.width, style)

    def _text(self, text: str, style: Style) -> Strip:
        """Draws a text across all columns."""
        return Strip([Segment(fitted(text, self.size.width), style)])

    def _style(self, kind: str) -> Style:
        return self.get_component_rich_style(f"live-table--{kind}")

    def _sign(self, column: TableColumn) -> str:
        """The sign of the order that the user has set, behind the title of its column."""
        if not self._order or not column.order:
            return ""
        return " ▲" if self._order == column.order else " ▼" if self._order == descending(column.order) else ""


def _titled(section: Section) -> str:
    info = section.info
    return f"{'—' if info.name is None else info.name} ({info.count})"
