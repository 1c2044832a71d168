"""Index titles that the program makes."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import memmove
from typing import Any, Optional

from . import _types
from ._callbacks import callback, register
from ._calls import text_of

_DEFAULT = -1


class IndexTitles:
    """The receiver of the library's calls for index titles. Its maker retains it."""

    def __init__(self, function: Callable[[str], Optional[str]]) -> None:
        self.function = function

    @staticmethod
    def native(titles: Optional[IndexTitles]) -> tuple[Any, int]:
        """The callback and its user data, for C."""
        return (_types.IndexTitleFunction(), 0) if titles is None else (_index_title, register(titles))


@callback(_types.IndexTitleFunction, default=_DEFAULT)
def _index_title(titles: IndexTitles, buffer: int, capacity: int, name: Any) -> int:
    title = titles.function(text_of(name))
    if title is None:
        return _DEFAULT
    data = title.encode("utf-8")
    # A title that does not fit is requested again, with room for it.
    if len(data) <= capacity:
        memmove(buffer, data, len(data))
    return len(data)
