"""A page beside the to-do list in a window: browsers show the tasks of the same file.

    python qt_list.py tasks.db
    python to_do_page.py tasks.db    # in another terminal
    xdg-open http://localhost:8766/

The line adds a task, a double click or Enter marks a task as done or not done, and the
delete key deletes it. Whatever one of the programs writes, both show. The program needs
uvicorn: `pip install fetchedresults[web]`.
"""

from __future__ import annotations

import sys
from typing import Any
from urllib.parse import parse_qs

from fetchedresults import BusyError, FetchedResultsError, Request, Sort, Store
from fetchedresults.web import ListRoute, LiveLists

SCHEMA = """CREATE TABLE IF NOT EXISTS tasks (
    id INTEGER PRIMARY KEY, title TEXT NOT NULL CHECK (title <> ''),
    done INTEGER NOT NULL DEFAULT 0, area TEXT, due INTEGER, position REAL)"""

PAGE = b"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>To do</title>
<style>
body { margin: auto; max-width: 30em; font-family: sans-serif; }
fr-list { height: 24em; border: 1px solid; }
.fr-row, .fr-header { padding: 0.2em 0.6em; }
input { box-sizing: border-box; width: 100%; font: inherit; }
</style>
<fr-list src="lists/tasks" label="Tasks" animate>
<template><span data-text="title"></span></template>
<template data-section><span data-text="name"></span></template>
</fr-list>
<form><input placeholder="New task" aria-label="New task" required></form>
<p role="alert"></p>
<script type="module">
import "./lists/fetchedresults.js";

const list = document.querySelector("fr-list");
const input = document.querySelector("input");

async function write(action, parameters) {
  const address = `${action}?${new URLSearchParams(parameters)}`;
  const headers = { "X-To-Do": "1" };
  const response = await fetch(address, { method: "POST", headers })
    .catch((error) => new Response(error.message, { status: 503 }));
  document.querySelector("p").textContent = response.ok ? "" : await response.text();
  return response.ok;
}

document.querySelector("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (await write("add", { title: input.value })) input.value = "";
});
list.addEventListener("fr-choose", ({ detail }) =>
  write("toggle", { id: detail.identity }));
list.addEventListener("keydown", ({ key }) => {
  if (key === "Delete") list.selected.forEach((id) => write("delete", { id }));
});
</script>
</html>
"""

SECTION = Sort("iif(done, 'Done', 'To do')", descending=True)
WRITES = {
    "/add": ("title", "INSERT INTO tasks (title) VALUES (?)"),
    "/toggle": ("id", "UPDATE tasks SET done = NOT done WHERE id = ?"),
    "/delete": ("id", "DELETE FROM tasks WHERE id = ?"),
}


class Page:
    """The page, the list that it shows, and what it writes."""

    def __init__(self, store: Store) -> None:
        self.store = store
        request = Request("tasks", sort="title", section=SECTION)
        self.lists = LiveLists(store, [ListRoute("tasks", request, ["title"])])

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.lists(scope, receive, send)
            return
        path = scope["path"]
        if path.startswith("/lists/"):
            await self.lists({**scope, "root_path": "/lists"}, receive, send)
        elif path == "/":
            await respond(send, 200, PAGE, b"text/html; charset=utf-8")
        elif path in WRITES:
            await respond(send, *self.write(scope))
        else:
            await respond(send, 404, b"there is no such page")

    def write(self, scope: Any) -> tuple[int, bytes]:
        """Writes what a page has sent. Returns a status and what to show."""
        # Pages of other sites can't send the header.
        has_header = (b"x-to-do", b"1") in scope["headers"]
        if scope["method"] != "POST" or not has_header:
            return 403, b"tasks are changed by the page alone"
        name, sql = WRITES[scope["path"]]
        query = scope["query_string"].decode(errors="replace")
        values = parse_qs(query).get(name)
        if values is None:
            return 400, f"{name} is missing".encode()
        try:
            self.store.execute(sql, values[:1])
        except BusyError:
            return 503, b"another program is writing: try again"
        except FetchedResultsError as error:
            return 400, error.message.encode()
        return 204, b""


async def respond(
    send: Any,
    status: int,
    body: bytes,
    kind: bytes = b"text/plain; charset=utf-8",
) -> None:
    """Sends a response."""
    headers = [(b"content-type", kind)]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def open_page(path: str) -> Page:
    """The page of a file. A lock of a writer stops it for half a second at most."""
    store = Store(path, busy_timeout=0.5)
    store.execute(SCHEMA)
    return Page(store)


if __name__ == "__main__":
    import uvicorn

    if len(sys.argv) != 2:
        sys.exit("usage: to_do_page.py DATABASE")
    try:
        page = open_page(sys.argv[1])
    except FetchedResultsError as error:
        sys.exit(f"to_do_page.py: {sys.argv[1]}: {error}")
    with page.store:
        uvicorn.run(page, port=8766, timeout_graceful_shutdown=1)
