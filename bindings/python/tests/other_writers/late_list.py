"""A list that is fetched in the background while others write, and then shows what its twin
shows.
"""

from __future__ import annotations

import random
import unittest
from typing import Optional

from fetchedresults import FetchedResultsError, LiveList, Store

from .lists import list_of
from .mirror import Mirror
from .rows import GONE, shown_by


class LateList:
    """At most one at a time."""

    def __init__(self, store: Store, mirrors: dict[str, Mirror], chance: random.Random) -> None:
        self.store = store
        self.mirrors = mirrors
        self.chance = chance
        self.live_list: Optional[LiveList] = None
        self.name = ""
        self.has_come = False

    def begin(self, name: str) -> None:
        self.close()
        self.name = name
        self.has_come = False
        self.live_list = list_of(self.store, name, 20)
        self.live_list.perform_fetch_async(self.end)

    def end(self, error: Optional[FetchedResultsError]) -> None:
        if error:
            raise error
        self.has_come = True

    def close(self) -> None:
        if self.live_list is not None:
            self.live_list.close()
        self.live_list = None

    def look(self, test: unittest.TestCase) -> None:
        """After a dispatch: what both can read of a row is the same."""
        twin = self.mirrors[self.name] if self.live_list is not None and self.has_come else None
        if twin is None or twin.is_paused:
            return
        shown = shown_by(self.live_list)
        test.assertEqual([each.name for each in shown[0]], [each.name for each in twin.headers], self.name)
        test.assertEqual(list(map(len, shown[1])), list(map(len, twin.rows)), self.name)
        for row, other in zip(sum(shown[1], []), sum(twin.rows, [])):
            test.assertTrue(row is GONE or other is GONE or row == other, f"{self.name}: {row} is not {other}")
