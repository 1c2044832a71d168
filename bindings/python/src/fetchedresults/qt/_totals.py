"""Totals: what a model shows of its list's totals, and when it reports them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import ClosedError, NotFetchedError
from ..records import Change
from ..value_types import SQLValue
from ._base import BaseModel
from ._binding import Property, Qt, Signal


class TotalsModel(BaseModel):
    """A model that shows the totals of its list, and of the list's sections."""

    totalsChanged = Signal()
    """Emitted when `totals` has changed, after the rows that changed with it."""

    # What was reported last.
    _reported_totals: dict[str, SQLValue] = {}

    def _read_totals(self) -> dict[str, SQLValue]:
        """The totals of the list; none for a request without totals, and for groups."""
        if self._watcher is None:
            return {}
        try:
            return self._controller.totals
        except (ClosedError, NotFetchedError):
            return {}

    if TYPE_CHECKING:

        @property
        def totals(self) -> dict[str, SQLValue]:
            """The totals of the list, by name."""
            return self._read_totals()

    else:
        totals = Property("QVariantMap", _read_totals, notify=totalsChanged, doc="The totals of the list, by name.")

    def _section_totals(self, section: int) -> dict[str, SQLValue]:
        place = self._section(section)
        return {} if place is None or isinstance(place, Change) else place.totals

    def _report_totals(self) -> None:
        before, now = self._reported_totals, self._read_totals()
        self._reported_totals = now
        if now == before:
            return
        picture = self._picture
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self.columnCount() - 1)
        self.totalsChanged.emit()
        # The only section of a flat list has no record, and with the totals of another request no
        # section has one.
        if now.keys() != before.keys() or len(picture.counts) == 1:
            for section in range(len(picture.counts)):
                # A slot may reset the model.
                if self._picture is picture:
                    self._report_section(section)
