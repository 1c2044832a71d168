"""A list over a PostgreSQL server: `make demo-mirror`.

It starts a server in a folder of its own, a mirror, a program that shows the mirror's state, and
frwatch, which shows a list. Then statements are executed on the server, and the list moves.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests/Mirror"))

import mirror_support  # noqa: E402

SCHEMA = """
CREATE TABLE lists (id int PRIMARY KEY, title text);
CREATE TABLE tasks (id int PRIMARY KEY, title text, position int, list_id int REFERENCES lists);
INSERT INTO lists VALUES (1, 'Work'), (2, 'Home');
INSERT INTO tasks VALUES (1, 'Call Ada', 2, 1), (2, 'Plan', 1, 1), (3, 'Paint', 3, 2)
"""

STATEMENTS = [
    "INSERT INTO tasks VALUES (4, 'Write to Bob', 0, 1)",
    "UPDATE tasks SET position = 9 WHERE title = 'Plan'",
    "UPDATE lists SET title = 'Garden' WHERE id = 2",
    "BEGIN; UPDATE tasks SET list_id = 2 WHERE id = 1; DELETE FROM tasks WHERE id = 3; COMMIT",
    "UPDATE tasks SET id = 40 WHERE id = 4",
    "ALTER TABLE tasks ADD done bool DEFAULT false",
    "UPDATE tasks SET done = true WHERE id = 40",
    "SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE active",
    "UPDATE tasks SET title = 'Call Ada again' WHERE id = 1",
]


def show(name: str, lines: IO[str]) -> None:
    for line in lines:
        print(f"{name:<8} {line}", end="", flush=True)


def start(name: str, *command: str) -> subprocess.Popen[str]:
    """A program whose lines are shown with its name before them."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    threading.Thread(target=show, args=(name, process.stdout), daemon=True).start()
    return process


def main() -> None:
    server = mirror_support.server()
    conninfo = server.conninfo("postgres")
    session = mirror_support.Session(conninfo)
    session.run(SCHEMA)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "app.db")
        mirror = start(
            "mirror",
            *mirror_support.PROGRAM,
            "--temporary",
            "--create-publication",
            conninfo,
            str(path),
            "lists",
            "tasks",
        )
        while not path.exists():
            time.sleep(0.05)
        state = start("state", sys.executable, str(ROOT / "bindings/python/examples/mirror_state.py"), str(path))
        time.sleep(0.5)
        tasks = start(
            "list", str(ROOT / "build/frwatch"), str(path), "tasks", "--sort", "position", "--section", "list_id.title"
        )
        time.sleep(1)
        for statement in STATEMENTS:
            print(f"\nserver   {statement};", flush=True)
            session.run(statement)
            time.sleep(1.5)
        mirror.terminate()
        mirror.wait()
        state.wait()
        tasks.terminate()
        tasks.wait()
    session.close()


if __name__ == "__main__":
    try:
        main()
    except mirror_support.unittest.SkipTest as skipped:
        print(f"skipped: {skipped}")
