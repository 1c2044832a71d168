"""Tasks in a terminal, redrawn at each commit, with a note beside each row that the commit changed.

    python live_table.py tasks.db
    sqlite3 tasks.db "INSERT INTO tasks (title) VALUES ('Buy milk')"    # in another terminal

A line on the standard input, or its end, ends the program. `make pictures` records it for the
README.
"""

from __future__ import annotations

import select
import sys

from fetchedresults import Change, ChangeSet, ChangeType, Controller, FetchedResultsError, IndexPath, Store

SCHEMA = """CREATE TABLE IF NOT EXISTS tasks (
    id INTEGER PRIMARY KEY, title TEXT NOT NULL CHECK (title <> ''),
    done INTEGER NOT NULL DEFAULT 0, area TEXT, due INTEGER, position REAL)"""
SECTIONS = {0: "To do", 1: "Done"}
CLEAR = "\x1b[H\x1b[2J"
BOLD, GRAY, RED, GREEN, YELLOW, BLUE = (f"\x1b[{code}m" for code in ("1", "90", "31", "32", "33", "36"))
PLAIN = "\x1b[0m"
WIDTH = 26


def place(path: IndexPath) -> str:
    return f"[{path.section}, {path.row}]"


def note(change: Change) -> str:
    """What happened to a row that is still in the list."""
    if change.type is ChangeType.INSERT:
        return f"{GREEN}inserted{PLAIN}"
    if change.type is ChangeType.MOVE:
        return f"{BLUE}moved from {place(change.old_path)}{PLAIN}"
    return f"{YELLOW}updated: {', '.join(change.changed_columns)}{PLAIN}"


def draw(tasks: Controller, changes: ChangeSet | tuple = ()) -> None:
    """Shows the list, and what a change set did to its rows."""
    notes = {change.new_path: note(change) for change in changes if change.object and change.new_path}
    lines = []
    for number, section in enumerate(tasks):
        lines.append(f"{BOLD}{SECTIONS[section.value]}{PLAIN} {GRAY}({section.count}){PLAIN}")
        for row, task in enumerate(section):
            path = IndexPath(number, row)
            lines.append(f"  {GRAY}{place(path)}{PLAIN} {task.title:{WIDTH}} {notes.get(path, '')}")
    for change in changes:
        if change.object and change.type is ChangeType.DELETE:
            lines.append(f"  {GRAY}{place(change.old_path)} {change.object.title:{WIDTH}} {RED}deleted{PLAIN}")
    print(CLEAR + "\n".join(lines), flush=True)


def main(path: str) -> None:
    with Store(path) as store:
        store.execute(SCHEMA)
        tasks = store.fetch("tasks", sort="title", section="done")
        tasks.add_observer(lambda changes: draw(tasks, changes))
        draw(tasks)
        while sys.stdin not in select.select([store, sys.stdin], [], [])[0]:
            store.dispatch()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: live_table.py DATABASE")
    try:
        main(sys.argv[1])
    except FetchedResultsError as error:
        sys.exit(f"live_table.py: {sys.argv[1]}: {error}")
