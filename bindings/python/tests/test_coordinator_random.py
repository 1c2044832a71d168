"""Random changes: a view that does what a coordinator tells it shows what the list shows."""

from __future__ import annotations

import random
import unittest
from collections import Counter

from mirrors import KINDS
from random_writes import SEEDS
from test_lists_random import new_map, new_store

from fetchedresults import (
    Collection,
    Controller,
    Coordinator,
    EmptySections,
    ItemsWithoutSection,
    LiveList,
    Placeholder,
    Request,
    SectionMap,
)

STEPS = 30


class Views(unittest.TestCase):
    def test_of_a_sectioned_controller_show_what_it_shows(self):
        self.run_seeds(lambda store, chance: Controller(store, self.request(chance)))

    def test_of_a_section_map_show_what_it_shows(self):
        self.run_seeds(new_map)

    def test_of_a_collection_show_what_it_shows(self):
        self.run_seeds(self.collection)

    def request(self, chance: random.Random) -> Request:
        return Request("items", sort=chance.choice(["name", ["-rank", "name"]]), section="list_id")

    def collection(self, store, chance: random.Random) -> Collection:
        sectioned, flat = Controller(store, self.request(chance)), Controller(store, Request("lists", sort="position"))
        return Collection([flat, (sectioned, Placeholder("none")), new_map(store, chance), Placeholder("end")])

    def run_seeds(self, make) -> None:
        batches: Counter = Counter()
        for seed in SEEDS:
            with self.subTest(replay=f"FR_SEED={seed} python3 -m unittest {self.id()}"):
                self.run_seed(seed, make, batches)
        for kind in KINDS[1:]:
            self.assertGreater(batches[kind], 0, kind)

    def run_seed(self, seed: int, make, batches: Counter) -> None:
        chance = random.Random(seed)
        store, writer = new_store(seed)
        with store:
            live_list = make(store, chance)
            self.coordinators = []
            for kind in KINDS:
                for row_moves in (True, False):
                    mirror = kind(self, live_list)
                    options = {"section_moves": chance.random() < 0.7, "difference": chance.random() < 0.5}
                    self.coordinators.append(Coordinator(mirror, live_list, row_moves=row_moves, **options, load=True))
            for step in range(STEPS):
                with self.subTest(seed=seed, step=step):
                    self.step(live_list, writer, chance)
                    for coordinator in self.coordinators:
                        with self.subTest(view=type(coordinator.view).__name__):
                            if not coordinator.paused:
                                coordinator.view.check()
            for coordinator in self.coordinators:
                batches[type(coordinator.view)] += coordinator.view.batches

    def step(self, live_list: LiveList, writer, chance: random.Random) -> None:
        kind = chance.random()
        if kind < 0.65:
            writer.transaction()
        elif kind < 0.75:
            coordinator = chance.choice(self.coordinators)
            coordinator.paused = not coordinator.paused
        elif kind < 0.8:
            chance.choice(self.coordinators).load_data()
        else:
            self.change(live_list, writer, chance)

    def change(self, live_list: LiveList, writer, chance: random.Random) -> None:
        if isinstance(live_list, Collection):
            children = [each for each in live_list.children if isinstance(each, Controller)]
            if chance.random() < 0.3:
                live_list.append(live_list.pop(chance.randrange(len(live_list.children))))
            elif children:
                self.change(chance.choice(children), writer, chance)
        elif isinstance(live_list, SectionMap) and chance.random() < 0.5:
            live_list.empty_sections = chance.choice(list(EmptySections))
            live_list.items_without_section = chance.choice(list(ItemsWithoutSection))
        elif chance.random() < 0.5:
            live_list.pause()
            writer.transaction()
            writer.transaction()
            live_list.resume(reload=chance.random() < 0.3)
        else:
            live_list.request = live_list.request.replace(predicate="id > ?", params=[chance.choice([0, 3, 99])])


if __name__ == "__main__":
    unittest.main()
