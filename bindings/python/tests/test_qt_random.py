"""Random transactions: what Qt's models tell is what they show, and what their lists have."""

from __future__ import annotations

import os
import random
import tempfile
import unittest

import test_lists_random
from qt_support import Complaints, ListModel, Marks, Mirror, TreeModel, tester
from random_writes import REQUESTS, SCHEMA, Writer
from seeds import seeds

from fetchedresults import ChangeSet, Collection, LiveList, Placeholder, SelectRequest, Store

SEEDS = seeds(3)
TRANSACTIONS = 40
FOREIGN_TRANSACTIONS = 8

# The sections are in the order of a column that changes, so that they move.
MOVING = SelectRequest(
    "SELECT items.id, name, rank, coalesce(list_id, 0) AS list FROM items LEFT JOIN lists ON lists.id = list_id"
    " ORDER BY position, list, rank, items.id",
    identity="id",
    section="list",
)


class Mover(Writer):
    """Moves rows and sections more often, and seldom deletes everything."""

    def statement(self) -> None:
        write = self.random.choices(
            [super().statement, self.shuffle, self.part, self.order, self.fill], [6, 2, 2, 2, 3]
        )
        write[0]()

    def all(self) -> None:
        if self.random.random() < 0.3:
            super().all()

    def shuffle(self) -> None:
        """New ranks for some rows, by which they are sorted."""
        factor = self.random.choice([3, 5, 7])
        self.store.execute(
            f"UPDATE items SET rank = (id * {factor}) % 11 WHERE id % 3 = ?", [self.random.randint(0, 2)]
        )

    def part(self) -> None:
        """All rows of one section go to another one."""
        chosen = [self.random.randint(1, 4), self.random.randint(1, 4)]
        if self.store.get("lists", chosen[0]) is not None:
            self.store.execute("UPDATE items SET list_id = ? WHERE list_id = ?", chosen)

    def order(self) -> None:
        """New places for the sections."""
        self.store.execute("UPDATE lists SET position = (id * ?) % 5", [self.random.randint(1, 4)])

    def fill(self) -> None:
        """Some rows that stand next to each other come, and others go where there are many."""
        columns = self.columns()
        with self.store.transaction():
            for _ in range(self.random.randint(1, 4)):
                self.store.insert("items", columns)
            self.store.execute(
                "DELETE FROM items WHERE id % 3 = ? AND (SELECT count(*) FROM items) > 20", [self.random.randint(0, 2)]
            )


COLUMNS = ["name", lambda item: item["rank"]]


def title(section) -> str:
    name = section.name if section.object is None else section.object.title
    return f"{name} ({section.count})"


class Shown:
    """A list, with both models of it, and what checks them."""

    def __init__(
        self, controller: LiveList, complaints: Complaints, columns=COLUMNS, may_be_gone: bool = False
    ) -> None:
        self.controller = controller
        models = [TreeModel(controller, columns, section_title=title), ListModel(controller, columns)]
        self.testers = [tester(model) for model in models]
        self.mirrors = [Mirror(model, complaints, may_be_gone) for model in models]
        self.models = models
        self.reloads = 0
        controller.add_observer(self.count)

    def count(self, changes: ChangeSet) -> None:
        self.reloads += changes.is_reload

    def marks(self) -> list:
        return [Marks(model) for model in self.models]


class Check:
    """All lists of a test, and what is checked after each step."""

    def __init__(self, test: unittest.TestCase, shown: list) -> None:
        self.test = test
        self.shown = shown
        self.mirrors = [mirror for each in shown for mirror in each.mirrors]
        for mirror in self.mirrors:
            mirror.others = self.mirrors

    def step(self, act, are_sections_kept: bool = True) -> None:
        """Does something. Of lists that were not reloaded all persistent indexes have to stay with what they mark."""
        before = [(each, each.reloads, each.marks()) for each in self.shown]
        act()
        for mirror in self.mirrors:
            mirror.check(self.test)
        for each, reloads, marks in before:
            for mark in marks if each.reloads == reloads else []:
                mark.check(self.test, are_sections_kept)
            self.test.assertEqual([mirror.resets for mirror in each.mirrors], [each.reloads] * 2)

    def close(self) -> None:
        for each in self.shown:
            for model in each.models:
                model.close()


class RandomTransactions(unittest.TestCase):
    def test_leave_models_in_step(self):
        for seed in SEEDS:
            with self.subTest(replay=f"FR_SEED={seed} python3 -m unittest test_qt_random"):
                self.run_seed(seed)

    def run_seed(self, seed: int) -> None:
        complaints = Complaints(self)
        with Store() as store:
            store.executescript(SCHEMA)
            writer = Mover(store, seed)
            for _ in range(6):
                writer.lists()
                writer.fill()
            chosen = [REQUESTS[(seed + place) % len(REQUESTS)] for place in (0, 1, 3)]
            lists = [store.controller(request) for request in [*chosen, MOVING]]
            for controller in lists:
                controller.perform_fetch()
            check = Check(self, [Shown(controller, complaints) for controller in lists])
            chance = random.Random(seed)
            for step in range(TRANSACTIONS):
                with self.subTest(seed=seed, step=step):
                    if chance.random() < 0.1:
                        each, request = chance.choice(lists[:-1]), chance.choice(REQUESTS)
                        check.step(lambda: each.set_request(request), are_sections_kept=False)
                    else:
                        check.step(writer.transaction)
            self.assertEqual([each.reloads for each in check.shown], [0] * len(lists))
            check.close()


class ForeignTransactions(unittest.TestCase):
    """Another connection commits between what views ask and what is dispatched, and few rows are cached."""

    def test_leave_no_row_without_data(self):
        for seed in SEEDS[:2]:
            with self.subTest(replay=f"FR_SEED={seed} python3 -m unittest test_qt_random"):
                with tempfile.TemporaryDirectory() as folder:
                    self.run_seed(seed, os.path.join(folder, "a.db"))

    def run_seed(self, seed: int, path: str) -> None:
        complaints, chance, blanks = Complaints(self), random.Random(seed), 0
        # With a rollback journal no state can be held.
        with Store(path, journal_mode="delete") as store, Store(path, journal_mode="delete") as other:
            store.executescript(SCHEMA)
            writers = [Mover(store, seed), Mover(other, seed + 1000)]
            for _ in range(3):
                writers[0].lists()
                writers[0].fill()
            check = Check(self, [Shown(each, complaints, may_be_gone=True) for each in self.lists(store, seed)])
            for step in range(FOREIGN_TRANSACTIONS):
                with self.subTest(seed=seed, step=step):
                    for _ in range(chance.randrange(3)):
                        writers[1].transaction()
                        blanks += sum(chance.choice(check.mirrors).paint() for _ in range(2))
                    if chance.random() < 0.3:
                        writers[0].transaction()
                    store.dispatch()
                    for mirror in check.mirrors:
                        mirror.check(self)
            check.close()
        self.assertGreater(blanks, 0)

    def lists(self, store: Store, seed: int) -> list:
        requests = [REQUESTS[(seed + place) % len(REQUESTS)].replace(batch_size=2) for place in (0, 2)]
        lists = [store.controller(request) for request in [*requests, MOVING]]
        lists.append(test_lists_random.new_map(store, random.Random(seed)))
        for each in lists:
            each.set_row_cache_size(2)
        lists.append(Collection([lists[0], Placeholder("Between"), lists[1]]))
        for each in lists:
            each.perform_fetch()
        return lists


class Maps(test_lists_random.Maps):
    """Section maps of rows and of keys, in all options, reordered, paused and reloaded."""

    seeds = SEEDS

    def run_seed(self, seed: int) -> None:
        chance = random.Random(seed)
        complaints = Complaints(self)
        with Store() as store:
            store.executescript(SCHEMA)
            writer = Mover(store, seed)
            for _ in range(4):
                writer.lists()
                writer.fill()
            maps = [test_lists_random.new_map(store, chance) for _ in range(2)]
            for section_map in maps:
                section_map.perform_fetch()
            check = Check(self, [Shown(each, complaints, may_be_gone=True) for each in maps])
            for step in range(TRANSACTIONS):
                with self.subTest(seed=seed, step=step):
                    check.step(lambda: self.step(chance.choice(maps), writer, chance))
            check.close()


class Collections(test_lists_random.Collections):
    """A collection of lists of two stores, children that come and go, and one around it."""

    seeds = SEEDS

    def run_seed(self, seed: int) -> None:
        self.chance = random.Random(seed)
        complaints = Complaints(self)
        self.store, self.writer = test_lists_random.new_store(seed)
        self.other, self.other_writer = test_lists_random.new_store(seed + 1000)
        with self.store, self.other:
            collection = Collection([self.flat(), (self.sectioned(), Placeholder("No results", "#")), self.map()])
            outer = Collection([Placeholder("Start"), collection, self.flat()], fetch=True)
            alone = self.store.fetch("items", sort=["-rank", "name"], section="list_id")
            columns = [lambda item: item.identity, lambda item: list(item.values())]
            check = Check(
                self, [Shown(each, complaints, columns, may_be_gone=True) for each in (collection, outer, alone)]
            )
            for step in range(TRANSACTIONS):
                with self.subTest(seed=seed, step=step):
                    # A list with another request makes other sections.
                    check.step(lambda: self.step(collection), are_sections_kept=False)
            self.assertEqual(check.shown[-1].reloads, 0)
            check.close()


if __name__ == "__main__":
    unittest.main()
