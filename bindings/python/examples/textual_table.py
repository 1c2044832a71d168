"""The tasks of a file in a terminal, also while other programs change them.

    python textual_table.py tasks.db
    sqlite3 tasks.db "UPDATE tasks SET done = 1 WHERE id = 2"    # in another terminal

Type into the line at the top to search.
"""

from __future__ import annotations

import sys

from textual.app import App, ComposeResult
from textual.widgets import Footer, Input

from fetchedresults import FetchedResultsError, Section, Store
from fetchedresults.textual import LiveTable, TableColumn

SCHEMA = """CREATE TABLE IF NOT EXISTS tasks (
    id INTEGER PRIMARY KEY, title TEXT NOT NULL CHECK (title <> ''),
    done INTEGER NOT NULL DEFAULT 0, area TEXT, due INTEGER, position REAL)"""
TASKS = [
    ("Bake bread", 3, 0),
    ("Call home", 9, 0),
    ("Buy milk", 1, 0),
    ("Answer mail", 2, 1),
    ("Water plants", 5, 1),
]


class Tasks(App[None]):
    """A table of tasks, with a line to search in them."""

    BINDINGS = [("ctrl+d", "toggle_done", "Done or to do"), ("ctrl+q", "quit", "Quit")]

    def __init__(self, store: Store) -> None:
        super().__init__()
        self.store = store
        tasks = store.fetch("tasks", sort="title", section="done")
        columns = ["title", TableColumn("due", "Due in days", width=14)]
        self.table = LiveTable(tasks, columns, section_title=self.title_of)

    @staticmethod
    def title_of(section: Section) -> str:
        return f"{'Done' if section.value else 'To do'} ({section.count})"

    def compose(self) -> ComposeResult:
        yield Input(placeholder="Search")
        yield self.table
        yield Footer()

    def on_mount(self) -> None:
        self.table.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        self.table.search(event.value)

    def action_toggle_done(self) -> None:
        task = self.table.current_object
        if task is not None:
            self.store.update(task, done=not task["done"])


def open_tasks(path: str) -> Store:
    """The store of a file, which gets some tasks if it has none."""
    store = Store(path)
    store.execute(SCHEMA)
    if not store.fetch("tasks"):
        insert = "INSERT INTO tasks (title, due, done) VALUES (?, ?, ?)"
        store.executemany(insert, TASKS)
    return store


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: textual_table.py DATABASE")
    try:
        with open_tasks(sys.argv[1]) as store:
            Tasks(store).run()
    except FetchedResultsError as error:
        sys.exit(f"textual_table.py: {sys.argv[1]}: {error}")
