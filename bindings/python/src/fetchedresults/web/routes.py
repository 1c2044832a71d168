"""Routes: the lists that clients may follow."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from inspect import isawaitable
from typing import Optional, Union

from ..request import AnyRequest, Request
from ._responses import Scope
from .parameters import Parameter, Refused

_NAME = re.compile(r"[A-Za-z0-9_-]+")

Allow = Callable[[Scope], Union[bool, Awaitable[bool]]]
"""Whether a client may see a list, by the ASGI scope of its request. It may be a coroutine
function.
"""


class ListRoute:
    """A list that clients may follow.

    >>> from fetchedresults import Request
    >>> from fetchedresults.web import Choice, ListRoute, Text
    >>> def tasks(search, order):
    ...     return Request("tasks", "instr(title, ?)", [search], sort=order, section="done")
    >>> parameters = {"search": Text(), "order": Choice(["title", "-due"])}
    >>> route = ListRoute("tasks", tasks, ["title", "due"], parameters)
    """

    def __init__(
        self,
        name: str,
        request: Union[AnyRequest, Callable[..., AnyRequest]],
        columns: Sequence[str],
        parameters: Optional[Mapping[str, Parameter]] = None,
        *,
        allow: Optional[Allow] = None,
    ) -> None:
        """
        Args:
            name: the last part of the URL: letters, digits, "_" and "-".
            request: the request, or a function that returns it for the values of the parameters,
                which are its keyword arguments. The values belong into `Request.params`, never into
                the text of SQL. The function may raise `Refused`.
            columns: the columns that clients receive, besides the identity of each row.
            parameters: the parameters that are not fixed, by their names.
            allow: whether a client may see the list; None if every client may. It is called again
                whenever a client connects again, which it has to do after `Limits.lifetime`.
        """
        if not _NAME.fullmatch(name):
            raise ValueError(f"a route's name has letters, digits, '_' and '-' only, not {name!r}")
        if isinstance(columns, str) or not columns:
            raise TypeError("columns must be a sequence of names, with one at least")
        reserved = {"at", "before", "after"} & set(parameters or ())
        if reserved:
            raise ValueError(f"the window has a parameter {min(reserved)!r} already: choose another name")
        if not callable(request) and parameters:
            raise ValueError("there are parameters, so the request must be a function that takes them")
        self.name = name
        self.columns = tuple(columns)
        self._request = request
        self._parameters = dict(parameters or {})
        self._allow = allow

    async def check(self, scope: Scope) -> None:
        """Raises `Refused` for a client that may not see the list."""
        if self._allow is not None:
            allowed = self._allow(scope)
            if isawaitable(allowed):
                allowed = await allowed
            if not allowed:
                raise Refused("you may not see this list", 403)

    def request_of(self, texts: Mapping[str, str], scope: Scope) -> AnyRequest:
        """The request that a client's parameters stand for. Raises `Refused`."""
        unknown = texts.keys() - self._parameters.keys()
        if unknown:
            raise Refused(f"there is no parameter {min(unknown)!r}")
        values = {name: each.value(name, texts.get(name), scope) for name, each in self._parameters.items()}
        request = self._request(**values) if callable(self._request) else self._request
        if isinstance(request, Request):
            # A change of a column that no client receives is no change.
            request = request.replace(columns=self.columns)
        return request
