"""Runs the example of a live list in GTK on a display: another connection commits, and its rows
show the change."""

import subprocess
import sys
from pathlib import Path

from gtk_window import play

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


def refuses(path):
    """A file that is no database is refused with a message."""
    done = subprocess.run([sys.executable, str(EXAMPLE), path], capture_output=True, text=True)
    return done.returncode == 1 and "gtk_list.py: " + path in done.stderr and "Traceback" not in done.stderr


if __name__ == "__main__":
    sys.exit(play(EXAMPLE, STEPS) if refuses(__file__) else "the example opens what is no database")
