"""The request that a table makes of the program's: in the order that the user sets, and with the
rows that are searched for.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Optional

from .._columns import fold
from .._searching import searched
from ..controller import Controller
from ..errors import MisuseError
from ..live_list import LiveList
from ..request import Request, Sort, sorts


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
            wanted = searched(wanted, text, columns)
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
