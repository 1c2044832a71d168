"""The request that a table makes of the program's: in the order that the user sets, and with the
rows that are searched for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Optional

from .._columns import fold, quoted
from ..controller import Controller
from ..errors import MisuseError
from ..live_list import LiveList
from ..request import Request, Sort, sorts

_PATH = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", re.ASCII)
_ESCAPES = str.maketrans({"\\": r"\\", "%": r"\%", "_": r"\_"})


class UserRequest:
    """The request of a list, with an order and a search of the user's.

    Attributes:
        order: the first sort descriptors; none for the program's order.
        text: what is searched for; "" for nothing.
    """

    def __init__(self, live_list: LiveList) -> None:
        self._list = live_list
        self._own: Optional[Request] = None
        self._made: Optional[Request] = None
        self.order: tuple[Sort, ...] = ()
        self.text = ""

    @property
    def own(self) -> Optional[Request]:
        """The program's request; None if the list has none to be changed: a SELECT or a collection.

        A request that the program has set meanwhile ends the user's order and search.
        """
        controller = self._list
        if not isinstance(controller, Controller) or not isinstance(controller.request, Request):
            return None
        if self._made is None or controller.request is not self._made:
            self._own, self._made = controller.request, controller.request
            self.order, self.text = (), ""
        return self._own

    def set(self, order: tuple[Sort, ...], text: str, columns: Iterable[str]) -> None:
        """Sets an order and a text that one of the columns must contain. Raises MisuseError if the
        list has no request to be changed, and what `set_request` raises; then nothing changes.
        """
        own = self.own
        if own is None:
            raise MisuseError("only the list of a Request can be sorted and searched")
        named = {fold(each.key_path) for each in order}
        wanted = own.replace(sort=order + tuple(each for each in sorts(own.sort) if fold(each.key_path) not in named))
        if text:
            wanted = _searched(wanted, text, columns)
        assert isinstance(self._list, Controller)
        before = self._made
        # Observers that are notified before this returns see it.
        self._made = wanted
        try:
            self._list.set_request(wanted)
        except BaseException:
            self._made = before
            raise
        self.order, self.text = order, text


def descending(order: tuple[Sort, ...]) -> tuple[Sort, ...]:
    """The opposite order."""
    return tuple(replace(each, descending=not each.descending) for each in order)


def _searched(request: Request, text: str, columns: Iterable[str]) -> Request:
    """A request for the rows of another one in which a column contains a text."""
    pattern = f"%{text.translate(_ESCAPES)}%"
    is_grouped = request.group_by is not None
    own, params = (request.having, request.having_params) if is_grouped else (request.predicate, request.params)
    if isinstance(params, Mapping):
        name = "searched_text"
        while name in params:
            name += "_"
        params, parameter = {**params, name: pattern}, f":{name}"
    else:
        params, parameter = (*params, pattern), f"?{len(params) + 1}"
    # Groups have columns with the texts of their keys, and no key paths.
    named = quoted if is_grouped else _quoted
    found = " OR ".join(f"{named(column)} LIKE {parameter} ESCAPE '\\'" for column in columns)
    if not found:
        raise MisuseError("a search needs a column that is shown by its name")
    # A comment at the end of the program's predicate ends with its line.
    condition = found if own is None else f"({own}\n) AND ({found})"
    if is_grouped:
        return request.replace(having=condition, having_params=params)
    return request.replace(predicate=condition, params=params)


def _quoted(column: str) -> str:
    """A column or key path for a predicate."""
    return column if _PATH.fullmatch(column) else quoted(column)
