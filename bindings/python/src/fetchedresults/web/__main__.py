"""A table of any database as a live web page: python -m fetchedresults.web FILE TABLE."""

from __future__ import annotations

import argparse
import socket
import sys
from collections.abc import Sequence
from typing import Optional

from ..errors import FetchedResultsError
from ..request import Request
from ._page import Page

_MISSING = """a server is missing: install uvicorn with
    pip install 'fetchedresults[web]'"""


def _options(arguments: Optional[Sequence[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m fetchedresults.web",
        description="Shows a table or view of an SQLite database as a web page that follows its changes. "
        "The file is only read.",
    )
    parser.add_argument("file", help="the database")
    parser.add_argument("table", help="the table or view")
    parser.add_argument("--sort", action="append", default=[], help="a column to sort by; --sort=-due is descending")
    parser.add_argument("--section", help="a column whose equal values are a section")
    parser.add_argument("--where", help="an SQL expression that is true for the rows to show")
    parser.add_argument("--columns", help="the columns to show, separated by commas; all without it")
    parser.add_argument("--identity", help="the columns that identify a row of a view, separated by commas")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen at: %(default)s, this machine alone")
    parser.add_argument("--port", type=int, default=8765, help="the port to listen at: %(default)s; 0 for any")
    parser.add_argument("--name", action="append", default=[], help="another name of this machine in browsers")
    return parser.parse_args(arguments)


def _names(text: Optional[str]) -> Optional[list[str]]:
    return text.split(",") if text else None


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Serves until it is interrupted, and returns the exit status."""
    options = _options(arguments)
    try:
        from ._server import Server
    except ImportError:
        print(f"fetchedresults.web: {_MISSING}", file=sys.stderr)
        return 1
    try:
        request = Request(
            options.table,
            options.where,
            sort=options.sort,
            section=options.section,
            columns=_names(options.columns),
            identity=_names(options.identity),
        )
        page = Page(options.file, request, options.name)
        family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
        listener = socket.create_server((options.host, options.port), family=family, backlog=2048)
    except (FetchedResultsError, ValueError, OSError) as error:
        print(f"fetchedresults.web: {error}", file=sys.stderr)
        return 1
    name = f"[{options.host}]" if ":" in options.host else options.host
    port = listener.getsockname()[1]

    def started() -> None:
        print(f"http://{name}:{port}/ shows {options.table}; Ctrl-C ends", flush=True)

    try:
        with listener:
            Server(page, started, page.lists.close).run(sockets=[listener])
    except KeyboardInterrupt:
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
