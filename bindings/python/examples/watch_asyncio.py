"""Tasks in a file, watched with asyncio: what other processes commit to it is printed.

    python watch_asyncio.py tasks.db
    sqlite3 tasks.db "INSERT INTO tasks (title) VALUES ('Buy milk')"    # in another terminal

The iteration waits for the next change set, and the loop does whatever else it has to do meanwhile.
"""

import asyncio
import sys

from fetchedresults import FetchedResultsError, Store

SCHEMA = """CREATE TABLE IF NOT EXISTS tasks (
    id INTEGER PRIMARY KEY, title TEXT NOT NULL CHECK (title <> ''),
    done INTEGER NOT NULL DEFAULT 0, area TEXT, due INTEGER, position REAL)"""


def describe(change) -> str:
    """What happened to one task, in words."""
    rows = [f"row {path.row}" for path in dict.fromkeys((change.old_path, change.new_path)) if path is not None]
    return f"{change.type.name.lower()} {change.object.title}: {' to '.join(rows)}"


async def watch(path: str) -> None:
    """Prints what changes, until a line is typed."""
    with Store(path) as store:
        store.execute(SCHEMA)
        tasks = store.fetch("tasks", sort="title")
        # Enter closes the list, which ends the iteration.
        loop = asyncio.get_running_loop()
        loop.add_reader(sys.stdin, tasks.close)
        print(f"{tasks.count} tasks; Enter ends", flush=True)
        async for changes in tasks.changes():
            for change in changes:
                print(describe(change), flush=True)
        loop.remove_reader(sys.stdin)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: watch_asyncio.py DATABASE")
    try:
        asyncio.run(watch(sys.argv[1]))
    except FetchedResultsError as error:
        sys.exit(f"watch_asyncio.py: {sys.argv[1]}: {error}")
