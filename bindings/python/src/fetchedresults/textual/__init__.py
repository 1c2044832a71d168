"""A table for Textual that shows a list: `LiveTable`. It needs Textual.

The table reads only the rows that it shows, so a list of a million rows opens like one of ten. It
follows the list: rows keep their place on the screen, and cursor and selection stay with them. The
user sorts it by a click on a header.

    tasks = store.fetch("tasks", sort="title", section="done")
    table = LiveTable(tasks, ["title", TableColumn("due", "Due", width=12)])

Not imported by `fetchedresults` itself: `pip install fetchedresults[textual]` installs Textual.
"""

from .columns import TableColumn
from .table import LiveTable

__all__ = ["LiveTable", "TableColumn"]
