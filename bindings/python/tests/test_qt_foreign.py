"""Another connection commits between what views ask and what is dispatched, and few rows are
cached.

What is written, and the lists that show it, are those of the corpus. What it expects is not
compared: as other rows are read here, others are reported. There is no model either: what Qt's
  models report is compared with what they show.
"""

from __future__ import annotations

import os
import tempfile
import unittest

from corpus import Replay, add_collations, scenarios
from qt_support import Complaints, ListModel, Mirror, TreeModel

from fetchedresults import Collection, FetchedResultsError, LiveList, Placeholder, Store

STEP = 20
MOST_WRITES = 40
WRITES = ["execute", "insert", "update", "delete", "script"]
COLUMNS = [lambda item: repr(item.identity), lambda item: repr(dict(item))]


class ForeignWrites(Replay):
    """The lists of a scenario, and its writes as those of the other connection, each a
    transaction.
    """

    def __init__(self, complaints: Complaints, test: unittest.TestCase, folder: str, lines: list) -> None:
        super().__init__(test, folder, lines)
        super().close()
        # With a rollback journal no state can be held.
        path = os.path.join(folder, "foreign.db")
        self.store, self.other = Store(path, journal_mode="delete"), Store(path, journal_mode="delete")
        add_collations(self.store)
        add_collations(self.other)
        self.complaints = complaints
        self.shown: dict = {}
        self.models: list = []
        self.mirrors: list = []
        self.writes = self.blanks = 0

    def store_of(self, step: dict) -> Store:
        return self.store if "new" in step else self.other

    def run(self) -> None:
        for line in self.lines[1:]:
            step = line.members
            if "new" in step and "request" in step:
                self.shown[step["new"]] = self.new_list(step)
                self.shown[step["new"]].set_row_cache_size(2)
            elif "fetch" in step and "fails" not in step and step["fetch"] in self.shown and not self.mirrors:
                self.shown[step["fetch"]].perform_fetch()
            elif "children" not in step and any(name in step for name in WRITES):
                self.write(step)
            if self.writes == MOST_WRITES or any(each.failure for each in self.shown.values()):
                break

    def write(self, step: dict) -> None:
        lists = [each for each in self.shown.values() if each.is_fetched]
        if lists and not self.mirrors:
            between = Collection([lists[0], Placeholder("Between"), *lists[1:2]], fetch=True)
            for live_list in [*lists, between]:
                self.show(live_list)
        try:
            getattr(self, next(name for name in WRITES if name in step) + "_step")(step)
        except FetchedResultsError:
            return
        if self.mirrors:
            self.writes += 1
            self.blanks += self.mirrors[self.writes % len(self.mirrors)].paint()
            if self.writes % 3 == 0:
                self.dispatch()

    def show(self, live_list: LiveList) -> None:
        models = [TreeModel(live_list, COLUMNS), ListModel(live_list, COLUMNS)]
        self.models += models
        self.mirrors += [Mirror(model, self.complaints, may_be_gone=True) for model in models]

    def dispatch(self) -> None:
        self.store.dispatch()
        if not any(each.failure for each in self.shown.values()):
            for mirror in self.mirrors:
                mirror.check(self.test)

    def close(self) -> None:
        for each in [*self.models, *self.shown.values(), self.store, self.other]:
            each.close()


class ForeignTransactions(unittest.TestCase):
    def test_leave_no_row_without_data(self):
        complaints, blanks, count = Complaints(self), 0, 0
        for lines in scenarios(STEP):
            seed = lines[0].members["scenario"]
            with tempfile.TemporaryDirectory() as folder, self.subTest(scenario=seed):
                replay = ForeignWrites(complaints, self, folder, lines)
                try:
                    replay.run()
                finally:
                    replay.close()
                blanks += replay.blanks
            count += 1
        self.assertTrue(blanks > 0 or count == 1)


if __name__ == "__main__":
    unittest.main()
