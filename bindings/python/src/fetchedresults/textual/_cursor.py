"""The cursor of a table, and its selection."""

from __future__ import annotations

from itertools import chain
from typing import ClassVar, Optional

from textual.binding import Binding, BindingType

from ..objects import Object
from . import messages
from ._drawing import DrawnTable


class CursorTable(DrawnTable):
    """A table with a cursor on one of its rows, and with rows that are selected."""

    CursorMoved = messages.CursorMoved
    SelectionChanged = messages.SelectionChanged
    Chosen = messages.Chosen

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Up", show=False),
        Binding("down", "move(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("home", "first", "First", show=False),
        Binding("end", "last", "Last", show=False),
        Binding("space", "select", "Select", show=False),
        Binding("enter", "choose", "Choose", show=False),
    ]

    @property
    def current_object(self) -> Optional[Object]:
        """The row under the cursor, as it was when the cursor was set; None if there are no rows.
        Setting it moves the cursor to the row and shows it, if the list has it."""
        return self._current

    @current_object.setter
    def current_object(self, item: Object) -> None:
        line = self._flat.line_of_object(item)
        if line is not None:
            self._move_to(line)

    @property
    def selected_objects(self) -> frozenset[Object]:
        """The rows that are selected. Rows that leave the list are not selected any more."""
        return self._marked

    @selected_objects.setter
    def selected_objects(self, objects: frozenset[Object]) -> None:
        self._mark(frozenset(each for each in objects if self._live_list.index_path_of(each) is not None))

    def _row_near(self, line: int, direction: int = 1) -> Optional[Object]:
        """The row of a line, or of the next line with a row in a direction, or else in the other
        one; None if it can't be read, and if there are no rows. The cursor's line is then there.
        """
        count = len(self._flat)
        line = min(line, count - 1)
        after, before = range(max(0, line), count), range(line - 1, -1, -1)
        if direction < 0:
            after, before = range(line, -1, -1), range(max(0, line + 1), count)
        for self._current_line in chain(after, before):
            path = self._flat.path_at(self._current_line)
            if path.row >= 0:
                return self._read(path)
        return None

    def _set_current(self, line: int, direction: int = 1) -> None:
        """Moves the cursor to a line, or to the next one with a row."""
        before, self._current = self._current, self._row_near(line, direction)
        if before != self._current:
            self.post_message(self.CursorMoved(self, self._current))

    def _move_to(self, line: int, direction: int = 1) -> None:
        """Moves the cursor, and shows its line."""
        self._set_current(line, direction)
        line = self._current_line
        if line < self._top or (line == 1 and self._flat.has_headers):
            self.scroll_to(y=0 if line == 1 else line, animate=False)
        elif line >= self._top + self._page_size:
            self.scroll_to(y=line - self._page_size + 1, animate=False)
        self.refresh()

    def _mark(self, rows: frozenset[Object]) -> None:
        if rows != self._marked:
            self._marked = rows
            self.post_message(self.SelectionChanged(self, rows))
            self.refresh()

    def action_move(self, lines: int) -> None:
        """Moves the cursor by a number of lines."""
        self._move_to(self._current_line + lines, 1 if lines > 0 else -1)

    def action_page(self, direction: int) -> None:
        """Moves the cursor by a page."""
        self.action_move(direction * self._page_size)

    def action_first(self) -> None:
        """Moves the cursor to the first row."""
        self._move_to(0)

    def action_last(self) -> None:
        """Moves the cursor to the last row."""
        self._move_to(len(self._flat) - 1, -1)

    def action_select(self) -> None:
        """Selects the row under the cursor, or ends that."""
        if self._current is not None:
            self._mark(self._marked ^ {self._current})

    def action_choose(self) -> None:
        """Posts the row under the cursor."""
        if self._current is not None:
            self.post_message(self.Chosen(self, self._current))
