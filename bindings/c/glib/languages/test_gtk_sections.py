"""Runs the example of sections with headers in GTK on a display: another connection commits, and
headers and rows show the change. Before GTK 4.12 it shows the rows alone."""

import runpy
import sqlite3
import sys
import tempfile
from pathlib import Path

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk  # noqa: E402

EXAMPLE = Path(__file__).parents[2] / "examples" / "gtk_sections.py"
EMPTY = "No tasks yet. Whatever a program\nadds to the file is shown here."
STEPS = [
    ("DELETE FROM tasks", [EMPTY]),
    ("INSERT INTO tasks (title) VALUES ('call')", ["#Anywhere", "#1 to do", "call"]),
    (
        "INSERT INTO tasks (title, area) VALUES ('bake', 'Home'), ('ask', 'Home')",
        ["#Anywhere", "#1 to do", "call", "#Home", "#2 to do", "ask", "bake"],
    ),
    (
        "UPDATE tasks SET done = 1 WHERE title = 'bake'",
        ["#Anywhere", "#1 to do", "call", "#Home", "#1 to do", "ask", "bake"],
    ),
    (
        "UPDATE tasks SET area = 'Work' WHERE title = 'ask'",
        ["#Anywhere", "#1 to do", "call", "#Home", "#0 to do", "bake", "#Work", "#1 to do", "ask"],
    ),
    (
        "UPDATE tasks SET area = 'Zoo' WHERE area = 'Home'",
        ["#Anywhere", "#1 to do", "call", "#Work", "#1 to do", "ask", "#Zoo", "#0 to do", "bake"],
    ),
    ("DELETE FROM tasks WHERE area IS NULL", ["#Work", "#1 to do", "ask", "#Zoo", "#0 to do", "bake"]),
]


def labels(widget, of_header=False):
    """The texts below a widget, in their order; the texts of headers begin with a #."""
    of_header |= widget.get_css_name() == "header"
    texts = ["#" * of_header + widget.get_label()] if isinstance(widget, Gtk.Label) and widget.get_mapped() else []
    child = widget.get_first_child()
    while child is not None:
        texts += labels(child, of_header)
        child = child.get_next_sibling()
    return texts


def expected(texts):
    has_headers = hasattr(Gtk, "ListHeader")
    return [text for text in texts if has_headers or not text.startswith("#")]


def follow(connection, steps):
    """Called again and again: takes the next step when the window shows the last one."""
    app = Gtk.Application.get_default()
    window = app.get_active_window() if app is not None else None
    shown = labels(window.get_child()) if window is not None else None
    if shown == expected(steps[0][1]):
        del steps[0]
        if not steps:
            app.quit()
            return GLib.SOURCE_REMOVE
        connection.execute(steps[0][0])
        connection.commit()
    return GLib.SOURCE_CONTINUE


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "tasks.db")
        connection = sqlite3.connect(path)
        connection.executescript(runpy.run_path(str(EXAMPLE))["SCHEMA"])
        connection.execute(STEPS[0][0])
        connection.commit()
        steps = list(STEPS)
        GLib.timeout_add(20, follow, connection, steps)
        sys.argv[1:] = [path]
        runpy.run_path(str(EXAMPLE), run_name="__main__")
        connection.close()
    return "the window was closed early" if steps else 0


if __name__ == "__main__":
    sys.exit(main())
