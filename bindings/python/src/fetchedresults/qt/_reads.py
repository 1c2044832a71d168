"""Which rows a model reads: a list caches as many as its readers need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..controller import Controller
from ..errors import ClosedError, NotFetchedError
from ._schema import controllers_of

if TYPE_CHECKING:
    from ..live_list import LiveList

_FAR = 500
_READS = 4096
_UNSET = (1_000, 8 << 20)
_MOST_BYTES = 64 << 20


class Reads:
    """Counts the rows that are read far from the one before.

    A view reads rows near each other, which a list's cache of rows is made for. A proxy model that
    sorts compares rows anywhere in the list.

    Attributes:
        furthest: the highest row that was read; -1 if none was.
    """

    def __init__(self, live_list: LiveList) -> None:
        self.furthest = -1
        self._list = live_list
        self._last = self._count = self._far = 0

    def note(self, row: int) -> None:
        """The row that is read now."""
        self.furthest = max(self.furthest, row)
        self._far += not -_FAR <= row - self._last <= _FAR
        self._last = row
        self._count += 1
        if self._count == _READS:
            if self._far > _READS // 4:
                for controller in controllers_of(self._list):
                    _widen_cache(controller)
            self._count = self._far = 0


def _widen_cache(controller: Controller) -> None:
    """Lets a list cache all its rows, up to 64 MiB, unless the program has set another size."""
    try:
        if (controller.row_cache_size, controller.row_cache_bytes) == _UNSET and controller.count > _UNSET[0]:
            controller.row_cache_size, controller.row_cache_bytes = controller.count, _MOST_BYTES
    except (ClosedError, NotFetchedError):
        # Its rows are not read any more.
        pass
