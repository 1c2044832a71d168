"""Index titles that the program makes."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from ctypes import memmove
from typing import Any, Optional

from . import _types
from ._callbacks import callback, register
from ._calls import text_of

_DEFAULT = -1


class IndexTitles:
    """The receiver of the library's calls for index titles. Its maker retains it."""

    def __init__(self, function: Callable[[str], Optional[str]], controller: Any) -> None:
        self.function = function
        self._controller = weakref.ref(controller)

    def discard(self) -> None:
        """Makes the library discard the titles that it has, at the next call."""
        controller = self._controller()
        if controller is not None:
            controller._session.free_later(controller._set_titles, controller._pointer)

    @staticmethod
    def native(titles: Optional[IndexTitles]) -> tuple[Any, int]:
        """The callback and its user data, for C."""
        return (_types.IndexTitleFunction(), 0) if titles is None else (_index_title, register(titles))


def _discard(titles: IndexTitles) -> None:
    # A title that the function did not make must not be shown later.
    titles.discard()


@callback(_types.IndexTitleFunction, default=_DEFAULT, failed=_discard)
def _index_title(titles: IndexTitles, buffer: int, capacity: int, name: Any) -> int:
    title = titles.function(text_of(name))
    if title is None:
        return _DEFAULT
    data = title.encode("utf-8")
    # A title that does not fit is requested again, with room for it.
    if len(data) <= capacity:
        memmove(buffer, data, len(data))
    return len(data)
