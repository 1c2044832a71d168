"""Random section maps and collections: what they show is what SQLite answers, and what they told is what changed."""

from __future__ import annotations

import random
import unittest

from following import Followed, rows_of, sections_of
from random_writes import SCHEMA, SEEDS, Writer

from fetchedresults import (
    Collection,
    Controller,
    EmptySections,
    ItemsWithoutSection,
    Placeholder,
    Request,
    SectionMap,
    Sort,
    Store,
)

STEPS = 40


def new_store(writer_seed: int) -> tuple:
    store = Store()
    store.executescript(SCHEMA)
    writer = Writer(store, writer_seed)
    for _ in range(10):
        writer.lists()
        writer.insert()
    return store, writer


def new_map(store: Store, chance: random.Random) -> SectionMap:
    """A map of either kind, with any options."""
    items = Request("items", sort=chance.choice(["name", ["-rank", "name"], "id"]))
    options = {
        "empty_sections": chance.choice(list(EmptySections)),
        "items_without_section": chance.choice(list(ItemsWithoutSection)),
    }
    if chance.random() < 0.3:
        return SectionMap.with_keys(store, items, [3, 1, 2], "list_id", **options)
    sections = Request("lists", sort=chance.choice(["position", "-title"]))
    return SectionMap(store, items, sections, "list_id", index_title="title", **options)


class Maps(unittest.TestCase):
    seeds = SEEDS

    def test_agree_with_sqlite_and_tell_what_changes(self):
        for seed in self.seeds:
            with self.subTest(replay=f"FR_SEED={seed} python3 -m unittest {self.id()}"):
                self.run_seed(seed)

    def run_seed(self, seed: int) -> None:
        chance = random.Random(seed)
        store, writer = new_store(seed)
        with store:
            section_map = new_map(store, chance)
            section_map.perform_fetch()
            followed = Followed(self, section_map)
            for step in range(STEPS):
                with self.subTest(seed=seed, step=step):
                    self.step(section_map, writer, chance)
                    followed.check()
                    self.check(store, section_map)
            self.assertGreater(followed.deliveries, 5)

    def step(self, section_map: SectionMap, writer: Writer, chance: random.Random) -> None:
        kind = chance.random()
        if kind < 0.7:
            writer.transaction()
        elif kind < 0.76:
            section_map.empty_sections = chance.choice(list(EmptySections))
        elif kind < 0.82:
            section_map.items_without_section = chance.choice(list(ItemsWithoutSection))
        elif kind < 0.88:
            section_map.request = section_map.request.replace(sort=chance.choice(["name", "-rank", "id"]))
        elif kind < 0.94:
            if section_map.keys is None:
                least = chance.randint(0, 2)
                section_map.section_request = section_map.section_request.replace(
                    predicate="id > ?", params=[least], sort=chance.choice(["position", "-title", "id"])
                )
            else:
                section_map.keys = chance.sample([1, 2, 3, 4, "4"], chance.randint(0, 5))
        else:
            section_map.pause()
            writer.transaction()
            writer.transaction()
            section_map.resume(reload=chance.random() < 0.3)

    def check(self, store: Store, section_map: SectionMap) -> None:
        rows = [
            (item["list_id"], item["id"]) for item in store.query(f"SELECT * FROM items ORDER BY {order(section_map)}")
        ]
        if section_map.keys is None:
            request = section_map.section_request
            sql = f"SELECT id FROM lists WHERE {request.predicate or 1} ORDER BY {sort_sql(request)}"
            keys = [key for (key,) in store.query(sql, request.params)]
        else:
            keys = list(section_map.keys)
        all_sections = [(key, [item for list_id, item in rows if list_id == key]) for key in keys]
        orphans = [item for list_id, item in rows if list_id not in keys]
        shown = list(all_sections)
        if section_map.empty_sections is EmptySections.HIDDEN:
            shown = [section for section in shown if section[1]]
        without = section_map.items_without_section
        if without is ItemsWithoutSection.ALWAYS_SHOWN or (orphans and without is ItemsWithoutSection.SHOWN):
            all_sections.append((None, orphans))
            shown.append((None, orphans))
        self.assertEqual(contents(section_map), shown)
        self.assertEqual(contents(section_map.all_sections), all_sections)
        self.assertEqual(contents(section_map.sections), [section for section in all_sections if section[1]])
        self.assertEqual([each.index for each in section_map], list(range(len(shown))))
        indexes = iter(range(len(shown)))
        self.assertEqual(
            [each.index for each in section_map.all_sections],
            [next(indexes) if section in shown else None for section in all_sections],
        )


def contents(sections) -> list:
    """The key of each section, and the identities in it."""
    return [(section.value, [item.identity for item in section]) for section in sections]


def order(section_map: SectionMap) -> str:
    return sort_sql(section_map.request)


def sort_sql(request: Request) -> str:
    sorts = [f"{sort.key_path} {'DESC' if sort.descending else ''}" for sort in request.sort]
    return ", ".join([*sorts, "id"])


class Collections(unittest.TestCase):
    seeds = SEEDS

    def test_show_their_children_and_tell_what_changes(self):
        for seed in self.seeds:
            with self.subTest(replay=f"FR_SEED={seed} python3 -m unittest {self.id()}"):
                self.run_seed(seed)

    def run_seed(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.store, self.writer = new_store(seed)
        self.other, self.other_writer = new_store(seed + 1000)
        with self.store, self.other:
            collection = Collection([self.flat(), (self.sectioned(), Placeholder("No results", "#")), self.map()])
            collection.append(Placeholder("End"))
            outer = Collection([Placeholder("Start"), collection], fetch=True)
            followed = [Followed(self, collection), Followed(self, outer)]
            for step in range(STEPS):
                with self.subTest(seed=seed, step=step):
                    self.step(collection)
                    for each in followed:
                        each.check()
                    self.check(collection)
                    self.assertEqual(rows_of(outer), [[], *rows_of(collection)])
            self.assertGreater(followed[0].deliveries, 5)

    def any_store(self) -> Store:
        return self.chance.choice([self.store, self.other])

    def flat(self) -> Controller:
        columns = self.chance.choice([None, ["name", "id"], ["id", "list_id.title"]])
        return Controller(self.any_store(), Request("items", "rank > 1", sort="name", columns=columns))

    def sectioned(self) -> Controller:
        section = Sort("list_id.title", descending=self.chance.random() < 0.5)
        return Controller(self.any_store(), Request("items", "rank > 2", sort="-id", section=section))

    def map(self) -> SectionMap:
        return new_map(self.any_store(), self.chance)

    def lists(self) -> Controller:
        return Controller(self.any_store(), Request("lists", sort="position"))

    def step(self, collection: Collection) -> None:
        kind = self.chance.random()
        if kind < 0.5:
            self.chance.choice([self.writer, self.other_writer]).transaction()
        elif kind < 0.62:
            self.put(collection)
        elif kind < 0.7 and len(collection.children) > 2:
            collection.pop(self.chance.randrange(len(collection.children)))
        elif kind < 0.78:
            self.edit_placeholder(collection)
        elif kind < 0.9:
            self.edit_list(collection)
        else:
            with self.store.transaction():
                self.other_writer.transaction()
                self.writer.statement()

    def put(self, collection: Collection) -> None:
        """Inserts, appends or replaces any child."""
        kind = self.chance.randrange(5)
        child = Placeholder("new") if kind == 4 else [self.flat, self.sectioned, self.map, self.lists][kind]()
        empty = Placeholder("nothing") if kind != 4 and self.chance.random() < 0.5 else None
        count = len(collection.children)
        if count > 6:
            collection.replace(self.chance.randrange(count), child, empty=empty)
        elif self.chance.random() < 0.3:
            collection.append(child, empty=empty)
        else:
            collection.insert(self.chance.randint(0, count), child, empty=empty)

    def edit_placeholder(self, collection: Collection) -> None:
        child = self.chance.choice(collection.children)
        placeholder = child if isinstance(child, Placeholder) else collection.empty_placeholder(child)
        if placeholder is not None:
            placeholder.name = self.chance.choice(["a", "b", "", None])
            placeholder.index_title = self.chance.choice(["A", "B", None])

    def edit_list(self, collection: Collection) -> None:
        child = self.chance.choice(collection.children)
        if isinstance(child, Placeholder):
            return
        kind = self.chance.randrange(4)
        if kind == 0:
            child.perform_fetch()
        elif kind == 1:
            child.pause()
            self.writer.transaction()
            self.other_writer.transaction()
            child.resume(reload=self.chance.random() < 0.3)
        elif isinstance(child, SectionMap):
            child.empty_sections = self.chance.choice(list(EmptySections))
        else:
            child.set_request(child.request.replace(predicate="id > ?", params=[self.chance.choice([0, 5, 99])]))

    def check(self, collection: Collection) -> None:
        rows, sections, children, titles = [], [], [], []
        for child in collection.children:
            if isinstance(child, Placeholder):
                shown = child
            else:
                shown = collection.empty_placeholder(child) if len(child) == 0 else None
            if shown is not None:
                rows.append([])
                sections.append((shown.name, shown.index_title, shown.name, None))
                children.append(child)
                titles += [] if shown.index_title is None else [shown.index_title]
            elif not isinstance(child, Placeholder):
                rows += rows_of(child)
                sections += sections_of(child)
                children += [child] * len(child)
                titles += child.section_index_titles
        self.assertEqual(rows_of(collection), rows)
        self.assertEqual(sections_of(collection), sections)
        self.assertEqual([section.count for section in collection], [len(each) for each in rows])
        self.assertEqual([collection.child_of_section(place) for place in range(len(rows))], children)
        self.assertEqual(collection.section_index_titles, titles)
        self.assertEqual(collection.count, sum(map(len, rows)))
        paths = [(place, row) for place, section in enumerate(rows) for row in range(len(section))]
        self.assertEqual([collection.index_path_at(index) for index in range(len(paths))], paths)
        self.assertEqual([collection.index_of(path) for path in paths], list(range(len(paths))))
        for path in paths:
            item = collection[path]
            self.assertIn(item, collection[path[0]])
            self.assertEqual(collection[collection.index_path_of(item)], item)


if __name__ == "__main__":
    unittest.main()
