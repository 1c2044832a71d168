"""A second store on the same file that reads its lists from scratch, and compares them with those
that follow.

A third one holds the write lock meanwhile, so that all see the same committed state.
"""

from __future__ import annotations

import random
import unittest
from collections import Counter
from typing import Optional

from fetchedresults import ChangeSet, Collection, LiveList, Observer, Store

from .figures import Figures
from .lists import lists_of
from .mirror import Mirror
from .plan import Plan
from .rows import GONE, shown_by
from .summary import Summary


class Recorder(Observer):
    """The last change set of a list that reads from scratch, all of whose rows were read before."""

    def __init__(self, live_list: LiveList) -> None:
        self.live_list = live_list
        self.shown = shown_by(live_list)
        self.deliveries = 0
        self.summary: Optional[Summary] = None
        live_list.add_observer(self)

    def did_deliver(self, controller: LiveList, changes: ChangeSet) -> None:
        self.deliveries += 1
        self.summary = Summary.of(changes)
        self.shown = shown_by(self.live_list)


class Judge:
    def __init__(self, test: unittest.TestCase, plan: Plan, mirrors: dict[str, Mirror], figures: Figures) -> None:
        self.test = test
        self.plan = plan
        self.chance = random.Random(plan.seed)
        self.figures = figures
        self.mirrors = mirrors
        self.stores = [plan.open(snapshot_limit=0) for _ in range(2)]
        self.store, self.lock = self.stores
        self.lists = lists_of(self.store, list(mirrors), self.chance)
        self.recorders = {name: Recorder(each) for name, each in self.lists.items()}
        self.judged_at = {name: -1 for name in mirrors}
        """How many deliveries a list had when it was judged last; -1 while what it shows is no
        state of the judge's.
        """

    def close(self) -> None:
        for each in self.lists.values():
            each.close()
        for store in self.stores:
            store.close()

    def dispatch(self, followed: Store) -> None:
        """Brings both to one state, and compares their lists and change sets."""
        before = {name: mirror.deliveries for name, mirror in self.mirrors.items()}
        own_before = {name: recorder.deliveries for name, recorder in self.recorders.items()}
        self.lock.begin("immediate")
        try:
            followed.dispatch()
            self.store.dispatch()
            if self.plan.has_history:
                self.fetch()
            for name, mirror in self.mirrors.items():
                self.compare(name, mirror, before[name], own_before[name])
            if self.chance.random() < 0.2:
                self.start_again()
        finally:
            self.lock.rollback()

    def fetch(self) -> None:
        """Reads all lists, which follow the histories as well, from scratch."""
        for name, each in self.lists.items():
            each.perform_fetch()
            self.recorders[name].shown = shown_by(each)

    def start_again(self) -> None:
        """Compares with the lists of a program that starts now, some of which it finds cached in an
        earlier state.
        """
        with self.plan.open(cache_directory=self.plan.cache_directory) as store:
            lists = lists_of(store, list(self.mirrors), self.chance, is_cached=True)
            for name, each in lists.items():
                self.compare_shown(name, shown_by(each), self.recorders[name].shown)
                self.figures["cached"] += 0 if isinstance(each, Collection) else each.counters.cached_fetches
                each.close()

    def compare(self, name: str, mirror: Mirror, before: int, own_before: int) -> None:
        if mirror.is_paused:
            self.judged_at[name] = -1
            return
        recorder = self.recorders[name]
        self.compare_shown(name, shown_by(mirror.live_list), recorder.shown)
        if self.judged_at[name] == before and not self.plan.has_history:
            self.compare_changes(name, mirror, recorder, mirror.deliveries - before, recorder.deliveries - own_before)
        self.judged_at[name] = mirror.deliveries

    def compare_shown(self, name: str, shown: tuple[list, list], fresh: tuple[list, list]) -> None:
        self.figures["judged"] += 1
        if shown == fresh:
            return
        rows, own = (Counter(row.identity for section in each[1] for row in section if row) for each in (shown, fresh))
        missed = sum(((rows - own) + (own - rows)).values())
        self.figures["missed"] += missed
        self.figures["wrong"] += not missed
        self.test.assertFalse(any(GONE in section for section in shown[1]), f"{name}: rows are gone")
        self.test.assertEqual(shown, fresh, name)

    def compare_changes(self, name: str, mirror: Mirror, recorder: Recorder, count: int, own_count: int) -> None:
        """Both changed from one state to one other, in at most one step."""
        self.test.assertLessEqual(count, 1, name)
        self.test.assertEqual(count, own_count, f"{name}: {mirror.summary} against {recorder.summary}")
        if count:
            self.figures["change_sets"] += 1
            agree = mirror.summary.agrees(recorder.summary)
            self.test.assertTrue(agree, f"{name}: {mirror.summary} against {recorder.summary}")
