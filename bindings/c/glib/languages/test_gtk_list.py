"""Runs the example of a live list in GTK on a display: another connection commits, and its rows
show the change."""

import runpy
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk  # noqa: E402

EXAMPLE = Path(__file__).parents[2] / "examples" / "gtk_list.py"
EMPTY = "No tasks yet. Whatever a program\nadds to the file is shown here."
STEPS = [
    ("DELETE FROM tasks", [EMPTY]),
    ("INSERT INTO tasks (title) VALUES ('bake'), ('call')", ["bake", "call"]),
    ("INSERT INTO tasks (title) VALUES ('ask')", ["ask", "bake", "call"]),
    ("UPDATE tasks SET title = 'BAKE' WHERE title = 'bake'", ["BAKE", "ask", "call"]),
    ("UPDATE tasks SET title = 'cook' WHERE title = 'call'", ["BAKE", "ask", "cook"]),
    ("DELETE FROM tasks WHERE title = 'cook'", ["BAKE", "ask"]),
]


def labels(widget):
    """The texts below a widget, in their order."""
    texts = [widget.get_label()] if isinstance(widget, Gtk.Label) and widget.get_mapped() else []
    child = widget.get_first_child()
    while child is not None:
        texts += labels(child)
        child = child.get_next_sibling()
    return texts


def follow(connection, steps):
    """Called again and again: takes the next step when the window shows the last one."""
    app = Gtk.Application.get_default()
    window = app.get_active_window() if app is not None else None
    shown = labels(window.get_child()) if window is not None else None
    if shown == steps[0][1]:
        del steps[0]
        if not steps:
            app.quit()
            return GLib.SOURCE_REMOVE
        connection.execute(steps[0][0])
        connection.commit()
    return GLib.SOURCE_CONTINUE


def refuses(path):
    """A file that is no database is refused with a message."""
    done = subprocess.run([sys.executable, str(EXAMPLE), path], capture_output=True, text=True)
    return done.returncode == 1 and "gtk_list.py: " + path in done.stderr and "Traceback" not in done.stderr


def main():
    if not refuses(__file__):
        return "the example opens what is no database"
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
