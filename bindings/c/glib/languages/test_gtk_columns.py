"""Clicks on the headers of the example of a column view, on a display: the rows are sorted by the
request, and the selection stays with its rows."""

import runpy
import sqlite3
import sys
import tempfile
from pathlib import Path

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk  # noqa: E402

EXAMPLE = Path(__file__).parents[2] / "examples" / "gtk_columns.py"
STEPS = [
    (None, None, ["ask", "bake", "call"]),
    (1, Gtk.SortType.ASCENDING, ["call", "ask", "bake"]),
    (1, Gtk.SortType.DESCENDING, ["ask", "bake", "call"]),
    (0, Gtk.SortType.DESCENDING, ["call", "bake", "ask"]),
    (None, None, ["ask", "bake", "call"]),
]


def view_in(widget):
    """The column view below a widget."""
    while not isinstance(widget, Gtk.ColumnView):
        widget = widget.get_first_child()
    return widget


def check(app):
    """Sorts as a click on a header does, and compares what the view shows."""
    view = view_in(app.get_active_window().get_child())
    selection = view.get_model()
    for column, direction, titles in STEPS:
        view.sort_by_column(None if column is None else view.get_columns()[column], direction or 0)
        assert [task["title"] for task in selection] == titles, (column, direction, titles)
        if column is None and selection.get_selected_item() is None:
            selection.select(0, 1, True)
        assert selection.get_selected_item()["title"] == "ask"
    return True


def follow(done):
    app = Gtk.Application.get_default()
    if app is None or app.get_active_window() is None:
        return GLib.SOURCE_CONTINUE
    try:
        done.append(check(app))
    finally:
        app.quit()
    return GLib.SOURCE_REMOVE


def main():
    done = []
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "tasks.db")
        sys.argv[1:] = [path]
        with sqlite3.connect(path) as connection:
            connection.executescript(runpy.run_path(str(EXAMPLE))["SCHEMA"])
            connection.executescript(
                "INSERT INTO tasks (title, area) VALUES ('bake', 'home'), ('call', 'Work'), ('ask', 'home')"
            )
        connection.close()
        GLib.timeout_add(20, follow, done)
        runpy.run_path(str(EXAMPLE), run_name="__main__")
    return 0 if done == [True] else "the view did not sort"


if __name__ == "__main__":
    sys.exit(main())
