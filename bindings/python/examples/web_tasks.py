"""Tasks in a browser: all pages show what one page, or another program, has changed.

    python web_tasks.py tasks.db
    sqlite3 tasks.db "UPDATE tasks SET done = 1 WHERE id = 2"    # in another terminal

Choose a task by a double click or Enter, and it is done. The program needs uvicorn:
pip install uvicorn
"""

from __future__ import annotations

import sys
from typing import Any
from urllib.parse import parse_qs

from fetchedresults import Request, Sort, Store
from fetchedresults.web import Choice, ListRoute, LiveLists, Text

SCHEMA = """CREATE TABLE IF NOT EXISTS tasks (
    id INTEGER PRIMARY KEY, title TEXT NOT NULL CHECK (title <> ''),
    done INTEGER NOT NULL DEFAULT 0, area TEXT, due INTEGER, position REAL)"""
TASKS = [
    ("Bake bread", 3, 0),
    ("Call home", 9, 0),
    ("Buy milk", 1, 0),
    ("Answer mail", 2, 1),
    ("Water plants", 5, 1),
]
ORDERS = {"title": "title", "due": Sort("due", nulls="last")}

PAGE = b"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Tasks</title>
<style>
fr-list { height: 20em; border: 1px solid; }
.fr-row { display: flex; justify-content: space-between; padding: 0.2em 1em; }
.fr-header { padding: 0.2em 0.5em; }
</style>
<input type="search" placeholder="Search" aria-label="Search">
<fr-list src="lists/tasks" label="Tasks" animate>
<template><span data-text="title"></span><span data-text="due"></span></template>
<template data-section>Done: <span data-text="name"></span></template>
</fr-list>
<script type="module">
import "./lists/fetchedresults.js";

const list = document.querySelector("fr-list");
list.addEventListener("fr-choose", ({ detail }) =>
  fetch(`toggle?id=${detail.identity}`, {
    method: "POST",
    headers: { "X-Tasks": "1" },
  }));
document.querySelector("input").addEventListener("input", ({ target }) =>
  list.setAttribute("src", `lists/tasks?search=${encodeURIComponent(target.value)}`));
</script>
</html>
"""


def tasks(search: str, order: Any) -> Request:
    """The request for what a page has sent."""
    predicate = "instr(lower(title), lower(?))"
    return Request("tasks", predicate, [search], sort=order, section="done")


class Tasks:
    """The page, the lists that it shows, and the one thing that it can change."""

    def __init__(self, store: Store) -> None:
        self.store = store
        parameters = {"search": Text(), "order": Choice(ORDERS)}
        route = ListRoute("tasks", tasks, ["title", "due"], parameters)
        self.lists = LiveLists(store, [route])

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        path = scope.get("path", "")
        if path.startswith("/lists/"):
            await self.lists({**scope, "root_path": "/lists"}, receive, send)
        elif path == "/":
            await respond(send, 200, PAGE, b"text/html; charset=utf-8")
        elif path == "/toggle":
            await respond(send, self.toggle(scope), b"")
        elif scope["type"] == "lifespan":
            await self.lists(scope, receive, send)
        else:
            await respond(send, 404, b"")

    def toggle(self, scope: Any) -> int:
        """Writes, and returns a status. Pages of other sites can't send the header."""
        if scope["method"] != "POST" or (b"x-tasks", b"1") not in scope["headers"]:
            return 403
        (identity,) = parse_qs(scope["query_string"].decode())["id"]
        update = "UPDATE tasks SET done = NOT done WHERE id = ?"
        self.store.execute(update, [int(identity)])
        return 204


async def respond(
    send: Any,
    status: int,
    body: bytes,
    kind: bytes = b"text/plain",
) -> None:
    """Sends a response."""
    headers = [(b"content-type", kind)]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def open_tasks(path: str) -> Store:
    """The store of a file, which gets some tasks if it has none."""
    store = Store(path)
    store.execute(SCHEMA)
    if not store.fetch("tasks"):
        insert = "INSERT INTO tasks (title, due, done) VALUES (?, ?, ?)"
        store.executemany(insert, TASKS)
    return store


if __name__ == "__main__":
    import uvicorn

    with open_tasks(sys.argv[1]) as opened:
        uvicorn.run(Tasks(opened), port=8765, timeout_graceful_shutdown=1)
