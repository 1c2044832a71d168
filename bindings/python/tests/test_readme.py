"""One walk through each family of which the Swift tests of READMEs check every sentence: section
maps, collections, coordinators with data sources, entity lists.
"""

from __future__ import annotations

from support import StoreTestCase, names

from fetchedresults import (
    Cells,
    Collection,
    Controller,
    Coordinator,
    EmptySections,
    EntityList,
    NotFetchedError,
    Observer,
    Placeholder,
    Request,
    SectionMap,
    TableDataSource,
    View,
)


def records(reported: list) -> list:
    """The records of the only change set that was delivered."""
    (changes,) = reported
    reported.clear()
    return [(change.kind.name, change.type.name, change.old_path, change.new_path) for change in changes]


class Screen(View, Cells):
    """A view that records its calls, with cells that are dictionaries."""

    def __init__(self) -> None:
        self.events: list = []
        self.shown: dict = {}

    def take(self) -> list:
        events, self.events = self.events, []
        return events

    def reload(self):
        self.events.append("reload")

    def delete_sections(self, sections):
        self.events.append(("delete sections", sections))

    def delete_rows(self, rows):
        self.events.append(("delete", [tuple(path) for path in rows]))

    def insert_rows(self, rows):
        self.events.append(("insert", [tuple(path) for path in rows]))

    def reload_rows(self, rows):
        self.events.append(("reload", [tuple(row.new_path) for row in rows]))

    def count_changed(self, count):
        self.events.append(count)

    def dequeue(self, identifier, path):
        return self.shown.setdefault(tuple(path), {"identifier": identifier})

    def configure(self, cell, object, path):
        cell["text"] = object.name


class People(EntityList):
    """The least that a list has to define."""

    entity = "people"
    sort = "name"


class WalkTestCase(StoreTestCase):
    def test_through_a_section_map(self):
        self.store.executescript(
            """
            CREATE TABLE sections (id INTEGER PRIMARY KEY, name TEXT UNIQUE, place INTEGER, color);
            CREATE TABLE entries (id INTEGER PRIMARY KEY, name TEXT, section REFERENCES sections ON DELETE CASCADE);
            INSERT INTO sections VALUES (1, 'A', 0, 'red'), (2, 'B', 1, 'green'), (3, 'C', 2, 'blue');
            INSERT INTO entries VALUES (11, 'x', 1), (12, 'y', 1), (13, 'z', 3);
            """
        )
        entries = Request("entries", sort="name")
        section_map = SectionMap(self.store, entries, Request("sections", sort="place"), "section.name", fetch=True)
        reported: list = []
        section_map.add_observer(reported.append)
        self.assertEqual([(section.name, len(section)) for section in section_map], [("A", 2), ("B", 0), ("C", 1)])
        self.assertEqual(section_map[1].object.color, "green")
        self.assertEqual(section_map.section_request.entity, "sections")
        self.store.update("sections", 1, place=9)
        self.assertEqual(records(reported), [("SECTION", "MOVE", (0, -1), (2, -1))])
        self.store.delete("sections", 3)
        self.assertEqual(records(reported), [("SECTION", "DELETE", (1, -1), None), ("OBJECT", "DELETE", (1, 0), None)])
        section_map.empty_sections = EmptySections.HIDDEN
        self.assertEqual(records(reported), [("SECTION", "DELETE", (0, -1), None)])
        self.assertEqual([section.name for section in section_map.all_sections], ["B", "A"])
        self.assertEqual([section.name for section in section_map.sections], ["A"])

    def test_through_a_collection(self):
        lists = Controller(self.store, Request("lists", sort="position"))
        items = Controller(self.store, Request("items", sort="name", section="list_id.title"))
        collection = Collection([lists, items])
        with self.assertRaises(NotFetchedError):
            collection.count  # noqa: B018
        collection.perform_fetch()
        self.assertEqual([section.name for section in collection], [None, "Home", "Shop"])
        self.assertEqual(collection.section_key_paths, [None, "list_id.title"])
        self.assertEqual(collection.cache_names, [None, None])
        self.assertEqual(collection.fetch_requests[1].entity, "items")
        self.assertIs(collection.child_of_section(2), items)
        item = collection.object_at((2, 1))
        self.assertEqual((item.name, collection.index_path_of(item)), ("bread", (2, 1)))
        events: list = []

        class Table(Observer):
            def will_change(self, controller):
                events.append("will change")

            def object_changed(self, controller, object, change):
                events.append((change.type.name, change.new_path))

            def section_changed(self, controller, section, change):
                events.append((change.type.name, section.section_index))

            def did_change(self, controller):
                events.append("did change")

        collection.add_observer(Table())
        self.store.insert("items", name="eggs", list_id=None)
        self.assertEqual(events, ["will change", ("INSERT", 1), ("INSERT", (1, 0)), "did change"])
        collection.insert(1, Placeholder("Nothing here", "N"))
        self.assertEqual((collection[1].name, collection[1].index_title), ("Nothing here", "N"))
        collection.replace(lists, Controller(self.store, Request("items", sort="rank")))
        self.assertEqual(names(collection[:2]), [["eggs", "apple", "bread", "cider"], []])

    def test_through_a_coordinator_and_a_data_source(self):
        self.store.executescript(
            """
            CREATE TABLE animals (id INTEGER PRIMARY KEY, kind, name);
            INSERT INTO animals VALUES (1, 'ape', 'Abu'), (2, 'ape', 'Bobo'), (3, 'bee', 'Maya');
            """
        )
        animals = self.store.controller(Request("animals", sort="name", section="kind"))
        screen = Screen()
        coordinator = Coordinator(screen, animals)
        self.addCleanup(coordinator.close)
        self.assertEqual((animals.is_fetched, screen.take()), (False, []))
        coordinator.load_data()
        self.assertEqual(screen.take(), ["reload", 3])
        with self.store.transaction():
            self.store.insert("animals", id=4, kind="ape", name="Aab")
            self.store.update("animals", 1, name="Ada")
            self.store.delete("animals", 3)
        self.assertEqual(screen.take(), [("delete sections", [1]), ("insert", [(0, 0)]), ("reload", [(0, 1)])])
        coordinator.paused = True
        self.store.delete("animals", 1)
        self.assertEqual(screen.take(), [])
        coordinator.paused = False
        self.assertEqual(screen.take(), ["reload", 2])
        table = TableDataSource(animals, screen, identifier="animalCell", system_headers=True)
        self.assertEqual(table.cell((0, 1)), {"identifier": "animalCell", "text": "Bobo"})
        self.assertEqual((table.section_count, table.section_title(0)), (1, "ape"))

    def test_through_an_entity_list(self):
        self.store.executescript(
            """
            CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'nobody', age INT);
            INSERT INTO people (name, age) VALUES ('Bea', 30), ('Ann', 20), ('Cid', 40);
            """
        )
        screen = Screen()
        people = People(screen)
        people.store = self.store
        self.assertEqual(screen.take(), ["reload", 3])
        self.assertEqual(names(people.live_list), [["Ann", "Bea", "Cid"]])
        added = people.add_item()
        self.assertEqual((added.entity, added.name, screen.take()), ("people", "nobody", [("insert", [(0, 3)]), 4]))
        people.delete_item((0, 0))
        self.assertEqual(screen.take(), [("delete", [(0, 0)]), 3])
        self.assertEqual(people.data_source.cell((0, 1)), {"identifier": "managedObjectCell", "text": "Cid"})
