"""Tasks in a file, watched in the loop of Qt: what other processes commit to it is printed.

    python watch_qt.py tasks.db
    sqlite3 tasks.db "INSERT INTO tasks (title) VALUES ('Buy milk')"    # in another terminal

A QSocketNotifier reports when the store has something to deliver. It needs PySide6:
`pip install fetchedresults[qt]`.
"""

import sys

from PySide6.QtCore import QCoreApplication, QSocketNotifier

from fetchedresults import ChangeSet, FetchedResultsError, Store

SCHEMA = """CREATE TABLE IF NOT EXISTS tasks (
    id INTEGER PRIMARY KEY, title TEXT NOT NULL CHECK (title <> ''),
    done INTEGER NOT NULL DEFAULT 0, area TEXT, due INTEGER, position REAL)"""


def describe(change) -> str:
    """What happened to one task, in words."""
    rows = [f"row {path.row}" for path in dict.fromkeys((change.old_path, change.new_path)) if path is not None]
    return f"{change.type.name.lower()} {change.object.title}: {' to '.join(rows)}"


def show(changes: ChangeSet) -> None:
    """Prints what a commit changed."""
    for change in changes:
        print(describe(change), flush=True)


def main(path: str) -> int:
    """Prints what changes, until a line is typed."""
    application = QCoreApplication([])
    with Store(path) as store:
        store.execute(SCHEMA)
        tasks = store.fetch("tasks", sort="title")
        tasks.add_observer(show)

        commits = QSocketNotifier(store.fileno(), QSocketNotifier.Type.Read)
        commits.activated.connect(lambda: store.dispatch())
        typed = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
        typed.activated.connect(lambda: application.quit())

        print(f"{tasks.count} tasks; Enter ends", flush=True)
        result = application.exec()
        # Before the store closes its descriptor.
        commits.setEnabled(False)
    return result


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: watch_qt.py DATABASE")
    try:
        sys.exit(main(sys.argv[1]))
    except FetchedResultsError as error:
        sys.exit(f"watch_qt.py: {sys.argv[1]}: {error}")
