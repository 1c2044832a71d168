"""The corpus of Tests/Corpus, replayed with both of Qt's models of each list, and with both
that announce no moves."""

from __future__ import annotations

import unittest
from functools import partial

from corpus import Replay, replay_all
from qt_support import Complaints, ListModel, Marks, Mirror, TreeModel, leaves, tester

from fetchedresults import ChangeSet, LiveList

# Models read all of a list at each signal. C and GLib replay every scenario.
STEP = 18
COLUMNS = [lambda item: repr(item.identity), lambda item: repr(dict(item))]


class Models:
    """The models of a list, and what follows them by their signals alone."""

    def __init__(self, live_list: LiveList, complaints: Complaints, has_testers: bool) -> None:
        self.live_list = live_list
        kinds = [TreeModel, ListModel]
        self.models = [kind(live_list, COLUMNS, announces_moves=moves) for moves in (True, False) for kind in kinds]
        self.testers = [tester(model) for model in self.models] if has_testers else []
        self.mirrors = [Mirror(model, complaints) for model in self.models]
        self.reloads = 0
        self.observation = live_list.add_observer(self.count)
        self.mark()

    def count(self, changes: ChangeSet) -> None:
        self.reloads += changes.is_reload

    def mark(self) -> None:
        """Takes persistent indexes of all rows, which a later `check` looks for."""
        # A row that is removed and inserted loses its indexes.
        models = self.models[:2] if self.shows_lists_once() else []
        self.marked = self.reloads, [Marks(model) for model in models]

    def shows_lists_once(self) -> bool:
        """Whether no list is in two places of a collection, whose rows could not be
        distinguished.
        """
        shown = [leaf for leaf, _ in leaves(self.live_list)]
        return all(shown.count(leaf) <= max(1, len(leaf)) for leaf in shown if isinstance(leaf, LiveList))

    def check(self, test: unittest.TestCase, are_sections_kept: bool) -> None:
        for mirror in self.mirrors:
            mirror.check(test)
        reloads, marks = self.marked
        for mark in marks if reloads == self.reloads else []:
            mark.check(test, are_sections_kept)
        test.assertEqual([mirror.resets for mirror in self.mirrors], [self.reloads] * 4)

    def close(self) -> None:
        self.observation.cancel()
        for model in self.models:
            model.close()


class QtReplay(Replay):
    """A scenario with models. Fetches make no signals, so the models are new ones after them."""

    def __init__(self, complaints: Complaints, test: unittest.TestCase, folder: str, lines: list) -> None:
        super().__init__(test, folder, lines)
        self.complaints = complaints
        # Qt's own testers read everything at each signal, which takes as long as all the rest.
        self.has_testers = int(lines[0].members["scenario"]) % (2 * STEP) == 1
        self.has_other_sections = False
        self.models: dict = {}

    def was_fetched(self, number: int) -> None:
        self.will_free(number)
        self.models[number] = Models(self.lists[number].live_list, self.complaints, self.has_testers)
        self.note_mirrors()

    def note_mirrors(self) -> None:
        """At the signals of one model the others agree with their mirrors as well."""
        mirrors = [mirror for models in self.models.values() for mirror in models.mirrors]
        for mirror in mirrors:
            mirror.others = mirrors

    def do(self, step: dict) -> None:
        self.has_other_sections = self.has_other_sections or any(name in step for name in ("change", "children"))
        super().do(step)

    def settled(self, stale: list) -> None:
        for number, models in self.models.items():
            if number not in stale:
                models.check(self.test, not self.has_other_sections)
                models.mark()
            # Rows of a paused list may be deleted while others report.
            for mirror in models.mirrors:
                mirror.may_be_gone = bool(stale)
        self.has_other_sections = False

    def will_free(self, number: int) -> None:
        if number in self.models:
            self.models.pop(number).close()
            self.note_mirrors()


class Corpus(unittest.TestCase):
    def test_is_what_models_show(self):
        self.assertGreater(replay_all(self, partial(QtReplay, Complaints(self)), STEP), 0)


if __name__ == "__main__":
    unittest.main()
