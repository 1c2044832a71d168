"""Records docs/images/live-list.svg: a list in a terminal, and a shell in another one that writes
to the same file.

Both run for real; only the speed of the typing is made up. It needs pyte and SQLite's shell;
`make pictures` runs it.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import tempfile
from pathlib import Path

from film import Frame, Pane, film
from terminals import Terminal

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "bindings" / "python" / "examples" / "live_table.py"
COLUMNS = 82
PANES = [Pane("python live_table.py tasks.db", COLUMNS, 9), Pane("another process", COLUMNS, 5)]

TABLE = "CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0)"
ROWS = (
    "INSERT INTO tasks (title, done) VALUES"
    " ('Bake bread', 0), ('Call the bank', 0), ('Mow the lawn', 0), ('Write to Ada', 0), ('Fix the lamp', 1)"
)
STATEMENTS = [
    "INSERT INTO tasks (title) VALUES ('Feed the cat')",
    "UPDATE tasks SET done = 1 WHERE title = 'Call the bank'",
    "UPDATE tasks SET title = 'Answer Ada' WHERE id = 4",
    "DELETE FROM tasks WHERE title LIKE '%the l%'",
]

KEYS = 4
"""How many characters are typed in one frame."""
KEY_SECONDS = 0.16
FIRST_SECONDS = 1.5
RESULT_SECONDS = 3.2


def take(seconds: float, terminals: list[Terminal]) -> Frame:
    return Frame(seconds, tuple(terminal.lines() for terminal in terminals))


def type_command(command: str, terminals: list[Terminal]) -> list[Frame]:
    """The frames of a command that is typed, and of what it changes in the list."""
    table, shell = terminals
    frames = []
    for start in range(0, len(command), KEYS):
        shell.type(command[start : start + KEYS])
        frames.append(take(KEY_SECONDS, terminals))
    before = table.lines()
    shell.type("\n")
    table.settle(before)
    frames.append(take(RESULT_SECONDS, terminals))
    return frames


def record(folder: str) -> list[Frame]:
    shell_environment = {"PATH": os.environ["PATH"], "HOME": folder, "TERM": "xterm", "PS1": "$ "}
    shell = Terminal(["sh", "+m", "-i"], COLUMNS, PANES[1].rows, cwd=folder, env=shell_environment)
    shell.settle(shell.lines())
    table = Terminal([sys.executable, str(PROGRAM), "tasks.db"], COLUMNS, PANES[0].rows, cwd=folder)
    terminals = [table, shell]
    table.settle(table.lines())
    frames = [take(FIRST_SECONDS, terminals)]
    for statement in STATEMENTS:
        frames += type_command(f'sqlite3 tasks.db "{statement}"', terminals)
    for terminal in terminals:
        terminal.close()
    return frames


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = sqlite3.connect(Path(folder, "tasks.db"))
        database.executescript(f"{TABLE}; {ROWS}")
        database.close()
        frames = record(folder)
    results = [number for number, frame in enumerate(frames) if frame.seconds == RESULT_SECONDS]
    picture = film(PANES, frames, poster=results[1])
    Path(ROOT, "docs", "images", "live-list.svg").write_text(picture)


if __name__ == "__main__":
    main()
