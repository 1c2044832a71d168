"""The structure that a model shows: it goes from the old list to the new one step by step."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Optional, Union

from ..records import Change, ChangeType
from ..sections import IndexPath
from ._arrivals import Arrivals
from ._relocation import Relocation
from ._steps import Step

# Never 0, the id of a tree's indexes of sections.
_ids = itertools.count(1)


class Picture:
    """The number of rows of each section, and the steps that are still to be done to reach the
    state of the list.

    A place in the picture belongs to a row or section of the list, which is found by following it
    through the steps ahead, or to one that is not in the list any more, which the record describes.

    Attributes:
        counts: the number of rows of each section.
        ids: what identifies each section for the life of the model, wherever it is.
        ahead: the steps.
        relocation: what is ahead in place of steps, if all moves are shown together.
        lifted: the number of rows of each section that `lift` has removed, which the next step
          inserts.
        is_stale: whether the places are not valid any more, since the list is to be shown from
          scratch.
    """

    def __init__(self, counts: Iterable[int] = ()) -> None:
        self.counts = list(counts)
        self.ids = [next(_ids) for _ in self.counts]
        self.ahead: deque[Step] = deque()
        self.relocation: Optional[Relocation] = None
        self.lifted: list[int] = []
        self.is_stale = False
        # The steps that change places: first one after the other, then the rows that are inserted
        # last.
        self._moving: deque[Step] = deque()
        self._arrivals = Arrivals()
        # Both are made when they are needed, and discarded by steps.
        self._places: dict[int, int] = {}
        self._known_starts: Optional[list[int]] = None

    def place_of(self, section_id: int) -> Optional[int]:
        """The number of the section with an id; None if there is none."""
        if not self._places:
            self._places = {each: place for place, each in enumerate(self.ids)}
        return self._places.get(section_id)

    @property
    def total(self) -> int:
        """The number of rows in all sections."""
        return self._starts()[-1]

    def offset(self, section: int) -> int:
        """The number of rows in the sections before one."""
        return self._starts()[section]

    def path_at(self, index: int) -> IndexPath:
        """The index path of the row that is number `index` over all sections. There has to be
        one.
        """
        starts = self._starts()
        # The last one that starts there is the one that is not empty.
        section = bisect_right(starts, index) - 1
        return IndexPath(section, index - starts[section])

    def _starts(self) -> list[int]:
        if self._known_starts is None:
            self._known_starts = [0, *itertools.accumulate(self.counts)]
        return self._known_starts

    # Steps

    def expect(self, steps: Sequence[Step]) -> None:
        """Sets the steps that are ahead."""
        self.ahead = deque(steps)
        moving = [step for step in steps if step.type is not ChangeType.UPDATE]
        last = len(moving)
        while last and _comes_before(moving[last - 1], moving[last : last + 1]):
            last -= 1
        self._moving = deque(moving[:last])
        self._arrivals = Arrivals(moving[last:])

    def fits(self, step: Step) -> bool:
        """Whether a step can be done: whether the picture is of the list that changed."""
        counts = self.counts
        if step.is_sections:
            if step.old is not None:
                leaving = counts[step.old.section : step.old.section + step.count]
                if len(leaving) < step.count or (step.type is ChangeType.DELETE and any(leaving)):
                    return False
            left = len(counts) - (0 if step.old is None else step.count)
            return step.new is None or step.new.section <= left
        for path in (step.old, step.new):
            if path is not None and path.section >= len(counts):
                return False
        if step.old is not None and step.old.row + step.count > counts[step.old.section]:
            return False
        if step.new is None:
            return True
        stays = step.old is not None and step.old.section == step.new.section
        return step.new.row <= counts[step.new.section] - (step.count if stays else 0)

    def take(self) -> None:
        """Does the next step."""
        step = self.ahead.popleft()
        if step.type is ChangeType.UPDATE:
            return
        self._known_starts = None
        if self._moving:
            self._moving.popleft()
        else:
            self._arrivals.take(step)
        self._apply(step)
        self.lifted = []

    def lift(self) -> None:
        """Does the first half of the next step, a move: removes its rows. The second half is next
        then.
        """
        step = self.ahead[0]
        self._known_starts = None
        self._apply(step.leaving())
        self.ahead[0] = self._moving[0] = step.arriving()

    def _apply(self, step: Step) -> None:
        if step.is_sections:
            self._apply_to_sections(step)
            return
        if step.old is not None:
            self.counts[step.old.section] -= step.count
        if step.new is not None:
            self.counts[step.new.section] += step.count

    def _apply_to_sections(self, step: Step) -> None:
        self._places = {}
        ids = [next(_ids) for _ in range(step.count)] if step.old is None else []
        counts = self.lifted or [0] * len(ids)
        if step.old is not None:
            leaving = slice(step.old.section, step.old.section + step.count)
            ids, counts = self.ids[leaving], self.counts[leaving]
            del self.ids[leaving], self.counts[leaving]
        if step.new is not None:
            self.ids[step.new.section : step.new.section] = ids
            self.counts[step.new.section : step.new.section] = counts
        else:
            self.lifted = counts

    # Places

    def row(self, path: IndexPath) -> Union[IndexPath, Change]:
        """The place in the list of a row of the picture, or the record of its deletion."""
        if self.relocation is not None:
            return self.relocation.follow(path)
        for step in self._moving:
            followed = step.follow(path)
            if followed is None:
                assert step.old is not None and not step.is_sections, "deleted sections are empty"
                return step.change(path.row - step.old.row)
            path = followed
        return self._arrivals.follow(path)

    def section(self, section: int) -> Union[int, Change]:
        """The number in the list of a section of the picture, or the record of its deletion."""
        for step in self._moving:
            if step.is_sections:
                followed = step.follow(IndexPath(section, -1))
                if followed is None:
                    assert step.old is not None
                    return step.change(section - step.old.section)
                section = followed.section
        return section

    def shown(self, path: IndexPath) -> Optional[IndexPath]:
        """The place in the picture of a row of the list; None if it is not inserted yet."""
        if self.relocation is not None:
            return self.relocation.back(path)
        place = self._arrivals.back(path)
        for step in reversed(self._moving):
            if place is None:
                break
            place = step.back(place)
        return place


def _comes_before(step: Step, following: Sequence[Step]) -> bool:
    """Whether a step is an insert of rows, and in ascending order with the one after it."""
    if step.is_sections or step.type is not ChangeType.INSERT:
        return False
    return all(step.new is not None and each.new is not None and step.new < each.new for each in following)
