"""The rows that are inserted last."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Optional

from ..sections import IndexPath
from ._steps import Step


class _Section:
    """The runs of rows that are inserted into one section, in ascending order."""

    def __init__(self) -> None:
        # The place of each run when all are inserted, and when none is.
        self.finally_at: list[int] = []
        self.before_at: list[int] = []
        # The number of rows in the runs before each, and in all.
        self.sums = [0]
        self.taken = 0

    def add(self, step: Step) -> None:
        assert step.new is not None
        self.finally_at.append(step.new.row)
        self.before_at.append(step.new.row - self.sums[-1])
        self.sums.append(self.sums[-1] + step.count)


class Arrivals:
    """Inserts of rows in ascending order, when all other steps that move anything are done.

    They only shift other rows, so the place of a row is found without a walk through them: there
    may be thousands, and a proxy model asks at each.
    """

    def __init__(self, steps: Iterable[Step] = ()) -> None:
        self._sections: dict[int, _Section] = {}
        for step in steps:
            assert step.new is not None
            self._sections.setdefault(step.new.section, _Section()).add(step)

    def take(self, step: Step) -> None:
        """The next step, this one, was done."""
        assert step.new is not None
        self._sections[step.new.section].taken += 1

    def follow(self, path: IndexPath) -> IndexPath:
        """The future place of a row."""
        section = self._sections.get(path.section)
        if section is None:
            return path
        here = section.sums[section.taken]
        passed = bisect_right(section.before_at, path.row - here, section.taken)
        return IndexPath(path.section, path.row + section.sums[passed] - here)

    def back(self, path: IndexPath) -> Optional[IndexPath]:
        """The present place of the row that will be at `path`; None if it is not inserted yet."""
        section = self._sections.get(path.section)
        if section is None:
            return path
        sums, taken = section.sums, section.taken
        passed = bisect_right(section.finally_at, path.row, taken)
        if passed > taken and path.row < section.finally_at[passed - 1] + sums[passed] - sums[passed - 1]:
            return None
        return IndexPath(path.section, path.row - sums[passed] + sums[taken])
