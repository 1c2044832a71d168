"""Runs the example of sections with headers in GTK on a display: another connection commits, and
headers and rows show the change. Before GTK 4.12 it shows the rows alone."""

import sys
from pathlib import Path

from gtk_window import Gtk, play

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


def expected(texts):
    has_headers = hasattr(Gtk, "ListHeader")
    return [text for text in texts if has_headers or not text.startswith("#")]


if __name__ == "__main__":
    sys.exit(play(EXAMPLE, [(sql, expected(texts)) for sql, texts in STEPS]))
