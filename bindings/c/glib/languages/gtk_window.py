"""Runs an example with a window, while another connection commits one step after another."""

from __future__ import annotations

import runpy
import sqlite3
import sys
import tempfile
from pathlib import Path

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk  # noqa: E402


def labels(widget, of_header=False):
    """The texts below a widget, in their order; the texts of headers begin with a #."""
    of_header |= widget.get_css_name() == "header"
    texts = ["#" * of_header + widget.get_label()] if isinstance(widget, Gtk.Label) and widget.get_mapped() else []
    child = widget.get_first_child()
    while child is not None:
        texts += labels(child, of_header)
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


def play(example: Path, steps: list[tuple[str, list[str]]]) -> str | int:
    """Runs the example until its window has shown the texts of each step, whose SQL is executed
    before. Returns an exit status."""
    steps = list(steps)
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "tasks.db")
        connection = sqlite3.connect(path)
        connection.executescript(runpy.run_path(str(example))["SCHEMA"])
        connection.execute(steps[0][0])
        connection.commit()
        GLib.timeout_add(20, follow, connection, steps)
        sys.argv[1:] = [path]
        runpy.run_path(str(example), run_name="__main__")
        connection.close()
    return "the window was closed early" if steps else 0
