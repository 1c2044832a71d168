"""The table."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import Optional

from textual.events import Click, Resize

from ..changes import ChangeSet
from ..errors import FetchedResultsError, MisuseError
from ..flat_rows import FlatChanges
from ..objects import Object
from ..records import ChangeKind
from ..request import Sort
from ._cursor import CursorTable
from ._following import Following
from ._orders import descending

_MOST_RECORDS = 1000
"""A change set with more records is shown as the list that it leads to."""


class LiveTable(CursorTable):
    """A table of a list's rows, with the sections as headers between them.

    It reads only the rows on the screen. When the list changes, the row under the cursor keeps its
    place on the screen, or the first one if the cursor is elsewhere; a table that is at its top
    stays there. Cursor and selection stay with their rows. Changed cells are highlighted for a
    moment.

    Keys: arrows, Page Up, Page Down, Home and End move the cursor, Space selects a row or ends
    that, Enter posts `Chosen`. A click moves the cursor, one with Ctrl selects, and a double click
    posts `Chosen`. A click on a column's title sorts the list by the column, then in the opposite
    order, then as the program did.

    While the table is mounted, the app's loop dispatches the stores of the list, so that commits of
    other processes are shown. The app's thread has to be that of the stores. The list has to be
    fetched before; call `reload` when you fetch it again.
    """

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    LiveTable {
        background: $surface;
        color: $foreground;
        & > .live-table--header { background: $panel; color: $foreground; text-style: bold; }
        & > .live-table--section { color: $text-accent; text-style: bold; }
        & > .live-table--selected { background: $primary 40%; }
        & > .live-table--changed { background: $warning; color: $background; }
        & > .live-table--cursor {
            background: $block-cursor-blurred-background;
            color: $block-cursor-blurred-foreground;
        }
        &:focus > .live-table--cursor {
            background: $block-cursor-background;
            color: $block-cursor-foreground;
        }
    }
    """

    # Life

    def on_mount(self) -> None:
        """Begins to follow the list."""
        self.reload()
        self._following = Following(self._live_list, self._list_changed, self._failed)

    def reload(self) -> None:
        """Shows the list from scratch, as after a fetch, of which a table is not notified."""
        anchor = self._anchor_row()
        self._flat.reload()
        self._show(None, anchor)

    def on_unmount(self) -> None:
        """Stops following the list."""
        if self._following is not None:
            self._following.end()
            self._following = None

    def on_resize(self, event: Resize) -> None:
        """Distributes the width to the columns."""
        self._resize()

    @property
    def searched_text(self) -> str:
        """The text of the last `search`; "" if all rows are shown."""
        return self._user.text if self._user.own is not None else ""

    # Sorting and searching

    def sort_by(self, column: Optional[int], *, is_descending: bool = False) -> None:
        """Sorts the list by a column, and rows that are equal there as the program's request does;
        None for the latter alone.

        It replaces the request of the controller or section map, so the rows of each section are
        sorted. Raises MisuseError for a column without an order, a whole SELECT and a collection,
        and what `Controller.set_request` raises.
        """
        order = () if column is None else self._columns[column].order
        if column is not None and not order:
            raise MisuseError(f"the column {self._columns[column].header!r} has no order: give it `sort`")
        self._set_request(descending(order) if is_descending else order, self.searched_text)

    def search(self, text: str) -> None:
        """Shows the rows that contain a text in a column that is shown by its name; "" shows all.

        SQLite compares with LIKE: without regard to the case of ASCII letters. Each call replaces
        the request of the controller or section map; errors are those of `sort_by`.
        """
        self._set_request(self._order, text)

    def _set_request(self, order: tuple[Sort, ...], text: str) -> None:
        is_at_first = self._top == 0 and self._current_line <= int(self._flat.has_headers)
        columns = [column.value for column in self._columns if isinstance(column.value, str)]
        self._user.set(order, text, columns)
        if is_at_first:
            self.action_first()
        self.refresh()

    def on_click(self, event: Click) -> None:
        """Moves the cursor, selects, or sorts."""
        place = event.get_content_offset(self)
        if place is None:
            return
        if place.y == 0:
            self._sort_by_click(place.x + int(self.scroll_offset.x))
            return
        line = self._top + place.y - 1
        if line >= len(self._flat) or self._flat.path_at(line).row < 0:
            return
        self._move_to(line)
        if event.ctrl:
            self.action_select()
        elif event.chain == 2:
            self.action_choose()

    def _sort_by_click(self, x: int) -> None:
        """Sorts by the column at a place of the header: ascending, descending, then not at all."""
        end = 0
        for place, width in enumerate(self._widths):
            end += width + 1
            if x < end:
                break
        else:
            return
        order = self._columns[place].order
        if not order or self._user.own is None:
            return
        try:
            if self._order == order:
                self.sort_by(place, is_descending=True)
            else:
                self.sort_by(None if self._order == descending(order) else place)
        except FetchedResultsError as error:
            self._failed(error)

    # Changes

    def _list_changed(self, changes: ChangeSet) -> None:
        """Called in each delivery."""
        anchor = self._anchor_row()
        found = self._flat.follow(changes, _MOST_RECORDS)
        self._show(found, anchor)
        if found is not None and self._highlight > 0:
            self._highlight_cells(changes)

    def _show(self, found: Optional[FlatChanges], anchor: Optional[tuple[int, Object]]) -> None:
        """Shows the lines that have changed, all of them if it is not known which.

        anchor: the row that keeps its line of the screen.
        """
        before = self._current_line
        line = None if self._current is None else self._flat.line_of_object(self._current)
        if line is None:
            self._set_current(before if found is None else found.nearest(before))
        else:
            self._current_line = line
        self._mark(frozenset(each for each in self._marked if self._live_list.index_path_of(each) is not None))
        self._resize()
        self._keep_in_place(anchor)

    def _anchor_row(self) -> Optional[tuple[int, Object]]:
        """The row that keeps its place, and its line on the screen: the one under the cursor if it
        is there, otherwise the first one that the list still has.
        """
        shown = sorted(self._on_screen.items())
        under_cursor = [(y, row) for y, row in shown if row == self._current]
        for y, row in chain(under_cursor, shown):
            if self._live_list.index_path_of(row) is not None:
                return y, row
        return None

    def _keep_in_place(self, anchor: Optional[tuple[int, Object]]) -> None:
        """Scrolls so that a row has the line of the screen that it had."""
        top = min(self._top, self.max_scroll_y)
        if anchor is not None:
            y, row = anchor
            line = self._flat.line_of_object(row)
            is_at_top = self._top == 0 and (row != self._current or self._current_line < self._page_size)
            if line is not None and not is_at_top:
                top = line + 1 - y
        if top != self._top:
            self.scroll_to(y=top, animate=False)

    def _highlight_cells(self, changes: ChangeSet) -> None:
        cells: dict[Object, set[int]] = {}
        for change in changes:
            if change.kind is not ChangeKind.OBJECT or change.old_path is None or change.new_path is None:
                continue
            if self._is_shown(self._flat.line_of(change.new_path)):
                row = self._read(change.new_path)
                if row is not None:
                    cells[row] = {place for place, column in enumerate(self._columns) if column.is_changed(change)}
        if cells:
            self._changed_cells.append(cells)
            self.set_timer(self._highlight, partial(self._end_highlight, cells))

    def _end_highlight(self, cells: dict[Object, set[int]]) -> None:
        self._changed_cells = [each for each in self._changed_cells if each is not cells]
        self.refresh()
