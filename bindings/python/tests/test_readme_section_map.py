"""The sentences of TAFetchedResultsController's README, one by one."""

from __future__ import annotations

from support import StoreTestCase

from fetchedresults import ConstraintError, EmptySections, Observer, Request, SectionMap

# The hierarchy of "How it works": section B has no items.
SCHEMA = """
    CREATE TABLE sections (id INTEGER PRIMARY KEY, name TEXT UNIQUE, timeStamp INTEGER, color);
    CREATE TABLE entries (id INTEGER PRIMARY KEY, name TEXT, section REFERENCES sections ON DELETE CASCADE);
    INSERT INTO sections VALUES (1, 'A', 0, 'red'), (2, 'B', 1, 'green'), (3, 'C', 2, 'blue');
    INSERT INTO entries VALUES (11, 'x', 1), (12, 'y', 1), (13, 'z', 3);
"""


class TAFetchedResultsController(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.store.executescript(SCHEMA)
        self.map = self.make("timeStamp")
        self.reported: list = []
        self.map.add_observer(self.reported.append)

    def make(self, order: str) -> SectionMap:
        entries = Request("entries", sort="name", batch_size=20)
        return SectionMap(self.store, entries, Request("sections", sort=order), "section.name", fetch=True)

    def shown(self, section_map: SectionMap) -> list:
        return [(section.name, [item.name for item in section]) for section in section_map]

    def records(self) -> list:
        """The records of the only change set that was delivered."""
        (changes,) = self.reported
        self.reported.clear()
        return [(change.kind.name, change.type.name, change.old_path, change.new_path) for change in changes]

    def test_allows_for_empty_sections(self):
        self.assertEqual(self.shown(self.map), [("A", ["x", "y"]), ("B", []), ("C", ["z"])])
        self.store.delete("entries", 13)
        self.assertEqual(self.records(), [("OBJECT", "DELETE", (2, 0), None)])

    def test_does_not_order_the_sections_by_their_names(self):
        self.assertEqual([name for name, _ in self.shown(self.make("-timeStamp"))], ["C", "B", "A"])

    def test_has_sections_sorted_any_way_you_please(self):
        self.assertEqual([name for name, _ in self.shown(self.make("color"))], ["C", "B", "A"])

    def test_recovers_the_section_object_without_searching_for_it_by_name(self):
        self.assertEqual((self.map[1].object.name, self.map[1].object.color), ("B", "green"))

    def test_manages_two_entities_the_items_and_the_sections(self):
        self.assertEqual((self.map[0, 0].entity, self.map[0].object.entity), ("entries", "sections"))
        self.assertEqual((self.map.request.entity, self.map.section_request.entity), ("entries", "sections"))

    def test_removes_the_items_from_the_table_when_you_delete_their_section(self):
        self.store.delete("sections", 1)
        self.assertEqual(
            self.records(),
            [
                ("SECTION", "DELETE", (0, -1), None),
                ("OBJECT", "DELETE", (0, 1), None),
                ("OBJECT", "DELETE", (0, 0), None),
            ],
        )

    def test_identifies_sections_by_a_unique_key_that_a_key_path_names(self):
        self.assertEqual([section.value for section in self.map], ["A", "B", "C"])
        self.store.executescript(
            "CREATE TABLE twins (id INTEGER PRIMARY KEY, name); INSERT INTO twins(name) VALUES ('A'), ('A')"
        )
        twins = SectionMap(self.store, Request("entries"), Request("twins"), "name", section_key="name")
        with self.assertRaises(ConstraintError):
            twins.perform_fetch()

    def test_has_all_sections_where_sections_is_missing_the_empty_ones(self):
        self.assertEqual([section.name for section in self.map.all_sections], ["A", "B", "C"])
        self.assertEqual([section.name for section in self.map.sections], ["A", "C"])
        self.map.empty_sections = EmptySections.HIDDEN
        self.assertEqual([section.name for section in self.map.all_sections], ["A", "B", "C"])

    def test_gives_section_infos_with_the_number_of_objects(self):
        self.assertEqual([section.count for section in self.map.all_sections], [2, 0, 1])

    def test_gives_section_infos_with_the_object_of_the_section(self):
        self.assertEqual([section.object.color for section in self.map.all_sections], ["red", "green", "blue"])

    def test_calls_the_delegate_for_the_insertion_and_deletion_of_sections(self):
        self.store.insert("sections", id=4, name="D", timeStamp=1)
        self.assertEqual(self.records(), [("SECTION", "INSERT", None, (2, -1))])
        self.store.delete("sections", 2)
        self.assertEqual(self.records(), [("SECTION", "DELETE", (1, -1), None)])

    def test_informs_you_if_a_section_is_updated(self):
        self.store.update("sections", 2, color="pink")
        ((change,),) = self.reported
        self.assertEqual((change.type.name, change.changed_columns), ("UPDATE", ("color",)))
        self.assertEqual((change.old_values["color"], change.section_object.color), ("green", "pink"))

    def test_reports_no_section_change_when_an_item_is_modified(self):
        """There Core Data may report one when an item is modified in any way."""
        self.store.update("entries", 11, name="xx")
        self.assertEqual(self.records(), [("OBJECT", "UPDATE", (0, 0), (0, 0))])
        self.store.update("entries", 11, section=3)
        self.assertEqual(self.records(), [("OBJECT", "MOVE", (0, 0), (2, 0))])

    def test_has_the_delegate_methods_of_any_controller(self):
        events: list = []

        class Table(Observer):
            def will_change(self, controller):
                events.append("will change")

            def section_changed(self, controller, section, change):
                events.append((change.type.name, section.name))

            def object_changed(self, controller, object, change):
                events.append((change.type.name, object.name, change.new_path))

            def did_change(self, controller):
                events.append("did change")

        self.map.add_observer(Table())
        with self.store.transaction():
            self.store.insert("sections", id=4, name="D", timeStamp=3)
            self.store.insert("entries", name="w", section=4)
        self.assertEqual(events, ["will change", ("INSERT", "D"), ("INSERT", "w", (3, 0)), "did change"])

    def test_gives_indexes_among_all_sections_rather_than_those_with_items(self):
        self.assertEqual(self.map.index_path_of(13), (2, 0))
        self.store.insert("entries", name="zz", section=3)
        self.assertEqual(self.records(), [("OBJECT", "INSERT", None, (2, 1))])

    def test_tracks_section_moves(self):
        """Which TAFetchedResultsController does not yet: the behaviour is undefined there."""
        self.store.update("sections", 1, timeStamp=9)
        self.assertEqual(self.records(), [("SECTION", "MOVE", (0, -1), (2, -1))])
        self.assertEqual(self.shown(self.map), [("B", []), ("C", ["z"]), ("A", ["x", "y"])])
