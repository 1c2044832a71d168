"""The order that the user sets by a click on a header."""

from __future__ import annotations

from dataclasses import replace
from typing import Optional

from .._columns import fold
from ..controller import Controller
from ..request import Request, Sort
from ._binding import Qt
from ._editing import EditModel
from ._schema import whole_list


class SortModel(EditModel):
    """A model that is sorted by its columns."""

    # The order that `sort` has set, and the one of the program before it.
    _set_order: Optional[tuple[Sort, ...]] = None
    _own_order: tuple[Sort, ...] = ()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sorts the list by a column, and rows that are equal there as the program's request does;
        with column -1 by the latter alone.

        It replaces the request of the controller or section map, also of one that a window shows a
        part of, so the rows of each section are sorted in it. Does nothing for a column without an
        order, a whole SELECT or a collection.
        What fails is reported by `errorOccurred`.
        """
        controller = whole_list(self._controller)
        if column >= len(self._columns) or not isinstance(controller, Controller):
            return
        first = self._columns[column].order if column >= 0 else ()
        if isinstance(controller.request, Request) and (first or column < 0):
            if order == Qt.SortOrder.DescendingOrder:
                first = tuple(replace(each, descending=not each.descending) for each in first)
            self._try(lambda: self._sort_by(controller, first))

    def _sort_by(self, controller: Controller, first: tuple[Sort, ...]) -> bool:
        request = controller.request
        assert isinstance(request, Request)
        present = tuple(Sort.of(each) for each in _several(request))
        own = self._own_order if present == self._set_order else present
        named = {fold(each.key_path) for each in first}
        wanted = first + tuple(each for each in own if fold(each.key_path) not in named)
        if wanted != present:
            self._is_sorting = True
            try:
                controller.set_request(request.replace(sort=wanted))
            finally:
                self._is_sorting = False
        self._set_order, self._own_order = wanted, own
        return True


def _several(request: Request) -> tuple[Sort, ...]:
    """The sort descriptors of a request, which has them as a tuple."""
    assert isinstance(request.sort, tuple)
    return tuple(Sort.of(each) for each in request.sort)
