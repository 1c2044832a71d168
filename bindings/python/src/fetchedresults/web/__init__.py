"""Lists in a browser: `LiveLists`, an ASGI application that serves windows of lists as JSON, and
their changes as server-sent events. It needs nothing but a server for ASGI applications.

    routes = [ListRoute("tasks", Request("tasks", sort="title", section="done"), ["title", "due"])]
    application = LiveLists("tasks.db", routes)

`python -m fetchedresults.web tasks.db tasks` shows a table without a program: it needs uvicorn,
which `pip install fetchedresults[web]` installs. docs/web.md describes all of it.
"""

from .application import LiveLists
from .limits import Limits, WebCounters
from .parameters import Choice, FromScope, Integer, Parameter, Refused, Text
from .routes import ListRoute

__all__ = [
    "Choice",
    "FromScope",
    "Integer",
    "Limits",
    "ListRoute",
    "LiveLists",
    "Parameter",
    "Refused",
    "Text",
    "WebCounters",
]
