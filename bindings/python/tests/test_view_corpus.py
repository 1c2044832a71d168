"""The corpus of Tests/Corpus, replayed with views of all kinds on each list, whose places are
looked up in all ways.
"""

from __future__ import annotations

import unittest
from collections import Counter
from functools import partial

from corpus import Replay, replay_all
from mirrors import KINDS

from fetchedresults import ChangeSet, Collection, Coordinator, LiveList, Placeholder, SectionMap

# The views of C follow every scenario.
STEP = 8


def check_places(test: unittest.TestCase, live_list: LiveList) -> None:
    """Sections, paths, numbers and index titles lead to each other."""
    paths = [(place, row) for place, section in enumerate(live_list) for row in range(len(section))]
    test.assertEqual(live_list.count, len(paths))
    test.assertEqual([live_list.index_path_at(number) for number in range(len(paths))], paths)
    test.assertEqual([live_list.index_of(path) for path in paths], list(range(len(paths))))
    if isinstance(live_list, SectionMap):
        shown = [section.section_index for section in live_list.all_sections if section.section_index is not None]
        test.assertEqual(shown, list(range(len(live_list))))
        test.assertTrue(all(len(section) for section in live_list.sections))
    if not isinstance(live_list, Collection):
        test.assertEqual([live_list.index_path_of(live_list[path]) for path in paths], paths)
        return
    children: list = []
    for child in live_list.children:
        is_empty = isinstance(child, Placeholder) or len(child) == 0
        has_placeholder = isinstance(child, Placeholder) or live_list.empty_placeholder(child) is not None
        children += [child] * (int(has_placeholder) if is_empty else len(child))
    test.assertEqual([live_list.child_of_section(place) for place in range(len(live_list))], children)
    titles = [title for title in (section.index_title for section in live_list) if title is not None]
    test.assertEqual(set(live_list.section_index_titles), set(titles))


class Views:
    """Two views of a list. Nothing about them is random: it depends on the numbers of scenario,
    list and comparison.
    """

    def __init__(self, test: unittest.TestCase, live_list: LiveList, number: int, batches: Counter) -> None:
        self.live_list = live_list
        self.number = number
        self.batches = batches
        self.deliveries = 0
        self.is_behind = False
        self.observation = live_list.add_observer(self.count)
        self.coordinators = []
        for place in range(2):
            kind = number + 3 * place
            view = KINDS[kind % len(KINDS)](test, live_list)
            options = {"row_moves": kind % 2 == 0, "section_moves": kind % 3 > 0, "difference": kind % 4 > 0}
            self.coordinators.append(Coordinator(view, live_list, **options))
        self.load()

    def count(self, changes: ChangeSet) -> None:
        self.deliveries += 1
        self.is_behind = False

    def load(self) -> None:
        for coordinator in self.coordinators:
            coordinator.load_data(fetch=False)
        self.is_behind = False

    def check(self, test: unittest.TestCase, turn: int) -> None:
        """Each view shows what the list shows, after one batch for each delivery, or one for all in
        a pause. Then some are paused, and some resumed."""
        check_places(test, self.live_list)
        for place, coordinator in enumerate(self.coordinators):
            view = coordinator.view
            resumes = coordinator.paused and (turn + self.number + place) % 4 == 2
            if resumes:
                test.assertEqual(view.batches, 0, "a batch during a pause")
                coordinator.paused = False
            test.assertLessEqual(view.batches, 1 if resumes else self.deliveries)
            self.batches[type(view)] += view.batches
            view.batches = 0
            if coordinator.paused or self.is_behind:
                continue
            view.check()
            coordinator.paused = (turn + self.number + place) % 4 == 0
        self.deliveries = 0

    def close(self) -> None:
        self.observation.cancel()
        for coordinator in self.coordinators:
            coordinator.close()


class ViewReplay(Replay):
    """A scenario with views. The views of a list that was fetched by itself load immediately, or
    are notified by its next delivery."""

    def __init__(self, batches: Counter, test: unittest.TestCase, folder: str, lines: list) -> None:
        super().__init__(test, folder, lines)
        self.batches = batches
        self.seed = int(lines[0].members["scenario"])
        self.views: dict = {}
        self.turn = 0
        self.is_stale: dict = {}

    def was_fetched(self, number: int) -> None:
        if isinstance(self.lists[number].live_list, Collection):
            for views in self.views.values():
                views.is_behind = True
        if number not in self.views:
            live_list = self.lists[number].live_list
            self.views[number] = Views(self.test, live_list, self.seed + number, self.batches)
        elif (self.turn + number) % 2 and not self.is_stale.get(number):
            self.views[number].load()
        else:
            self.views[number].is_behind = True

    def settled(self, stale: list) -> None:
        self.turn += 1
        for number, views in self.views.items():
            self.is_stale[number] = number in stale
            if number not in stale:
                views.check(self.test, self.turn)

    def will_free(self, number: int) -> None:
        if number in self.views:
            self.views.pop(number).close()


class Corpus(unittest.TestCase):
    def test_is_what_views_show(self):
        batches: Counter = Counter()
        count = replay_all(self, partial(ViewReplay, batches), STEP)
        for kind in KINDS[1:] if count > 1 else []:
            self.assertGreater(batches[kind], 0, kind)


if __name__ == "__main__":
    unittest.main()
