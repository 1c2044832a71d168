"""The web page of one table: an application around `LiveLists`."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from ipaddress import ip_address
from urllib.parse import urlsplit

from .._paths import AnyPath
from .._searching import searched
from ..request import Request, Sort
from ..store import Store
from ._responses import Receive, Response, Scope, Send, header, path_of
from .application import LiveLists
from .parameters import Choice, Text
from .routes import ListRoute

_HEADERS = [
    (b"cache-control", b"no-cache"),
    (b"content-security-policy", b"default-src 'none'; connect-src 'self'; script-src 'self'; style-src 'self'"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
]
_TEXT = [*_HEADERS, (b"content-type", b"text/plain")]
_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<link rel="stylesheet" href="page.css">
<script type="module" src="page.js"></script>
<header>
<h1>{title}</h1>
<input type="search" placeholder="Search" aria-label="Search">
</header>
<div class="columns">{buttons}</div>
<fr-list src="lists/rows" page="200" label="{title}" animate>
<template>{cells}</template>
{header}
</fr-list>
</html>
"""

_HEADER = '<template data-section>{}: <span data-text="name"></span></template>'


class Page:
    """An application that shows a table, with its columns to sort by and a search.

    Browsers send the name in the address that they open as `Host`. A name of another page that
    points to this machine is refused, so that the page can't read the table.
    """

    def __init__(self, file: AnyPath, request: Request, names: list[str]) -> None:
        """Raises an error for a table that can't be shown.

        Args:
            file: the database.
            request: what to show.
            names: names that browsers may use for this machine, besides localhost and addresses.
        """
        with Store(file, read_only=True) as store:
            columns = request.columns or _columns(store, request.entity)
            store.controller(request.replace(columns=columns)).close()
        orders = {"": request.sort}
        for column in columns:
            orders[column] = (Sort(column),)
            orders["-" + column] = (Sort(column, descending=True),)

        def rows(search: str, order: tuple[Sort, ...]) -> Request:
            ordered = request.replace(sort=order)
            return searched(ordered, search, columns) if search else ordered

        route = ListRoute("rows", rows, columns, {"search": Text(), "order": Choice(orders)})
        self.lists = LiveLists(file, [route])
        self._names = {"localhost", *(name.lower() for name in names)}
        section = request.section
        assert section is None or isinstance(section, Sort)
        texts = [escape(column) for column in columns]
        self._page = _PAGE.format(
            title=escape(request.entity),
            buttons="".join(f'<button data-column="{text}">{text}</button>' for text in texts),
            cells="".join(f'<span data-text="{text}"></span>' for text in texts),
            header="" if section is None else _HEADER.format(escape(section.key_path)),
        ).encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """What an ASGI server calls."""
        if scope["type"] != "http":
            await self.lists(scope, receive, send)
            return
        response = Response(scope, send)
        path = path_of(scope)
        if not self._is_own(scope):
            text = b"this name is not one of the server's: open it by its address, or start it with --name"
            await response.send(421, _TEXT, text)
        elif path.startswith("lists/"):
            await self.lists({**scope, "path": path[len("lists") :], "root_path": ""}, receive, send)
        elif path == "":
            await response.send(200, [*_HEADERS, (b"content-type", b"text/html; charset=utf-8")], self._page)
        elif path in ("page.css", "page.js"):
            kind = b"text/css" if path.endswith("css") else b"text/javascript"
            content = files("fetchedresults.web").joinpath(path).read_bytes()
            await response.send(200, [*_HEADERS, (b"content-type", kind + b"; charset=utf-8")], content)
        else:
            await response.send(404, _TEXT, b"there is no such page")

    def _is_own(self, scope: Scope) -> bool:
        """Whether the browser uses a name of this server, and asks for no other page."""
        host = header(scope, b"host").decode("latin-1").lower()
        origin = header(scope, b"origin").decode("latin-1").lower()
        try:
            name = urlsplit(f"//{host}").hostname or ""
            if origin and urlsplit(origin).netloc != host:
                return False
            return name in self._names or bool(ip_address(name))
        except ValueError:
            return False


def _columns(store: Store, entity: str) -> list[str]:
    """The columns of a table or view."""
    schema, _, table = entity.rpartition(".")
    found = store.query("SELECT name FROM pragma_table_xinfo(?1, nullif(?2, '')) WHERE hidden <> 1", [table, schema])
    return [str(row["name"]) for row in found]
