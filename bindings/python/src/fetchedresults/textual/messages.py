"""What a table posts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from textual.message import Message

from ..errors import FetchedResultsError
from ..objects import Object

if TYPE_CHECKING:
    from .table import LiveTable


class TableMessage(Message, namespace="live_table"):
    """A message of a table.

    Attributes:
        table: the table.
    """

    def __init__(self, table: Any) -> None:
        super().__init__()
        self.table: LiveTable = table

    @property
    def control(self) -> LiveTable:
        """The table, for the selectors of Textual's `on`."""
        return self.table


class CursorMoved(TableMessage, namespace="live_table"):
    """The cursor is on another row.

    Attributes:
        object: the row; None if there is none.
    """

    def __init__(self, table: Any, object: Optional[Object]) -> None:
        super().__init__(table)
        self.object = object


class SelectionChanged(TableMessage, namespace="live_table"):
    """Rows were selected, or are not any more.

    Attributes:
        objects: the rows that are selected.
    """

    def __init__(self, table: Any, objects: frozenset[Object]) -> None:
        super().__init__(table)
        self.objects = objects


class Chosen(TableMessage, namespace="live_table"):
    """The user pressed Enter, or clicked twice on a row.

    Attributes:
        object: the row.
    """

    def __init__(self, table: Any, object: Object) -> None:
        super().__init__(table)
        self.object = object


class Failed(TableMessage, namespace="live_table"):
    """The list or its store failed. The table shows the last state, and tries again.

    Attributes:
        error: the failure.
    """

    def __init__(self, table: Any, error: FetchedResultsError) -> None:
        super().__init__(table)
        self.error = error
