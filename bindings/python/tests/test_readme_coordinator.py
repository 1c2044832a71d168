"""The sentences of FetchedResultsCoordinator's README, one by one."""

from __future__ import annotations

from support import StoreTestCase

from fetchedresults import Cells, CollectionDataSource, Coordinator, Request, TableDataSource, View

SCHEMA = """
    CREATE TABLE animals (id INTEGER PRIMARY KEY, kind, name);
    INSERT INTO animals VALUES (1, 'ape', 'Abu'), (2, 'ape', 'Bobo'), (3, 'bee', 'Maya');
"""


class Table(View):
    """A view that records its calls."""

    def __init__(self) -> None:
        self.events: list = []

    def take(self) -> list:
        events, self.events = self.events, []
        return events

    def reload(self):
        self.events.append("reload")

    def delete_sections(self, sections):
        self.events.append(("delete sections", sections))

    def insert_sections(self, sections):
        self.events.append(("insert sections", sections))

    def delete_rows(self, rows):
        self.events.append(("delete", [tuple(path) for path in rows]))

    def insert_rows(self, rows):
        self.events.append(("insert", [tuple(path) for path in rows]))

    def reload_rows(self, rows):
        self.events.append(("reload", [tuple(row.new_path) for row in rows]))

    def count_changed(self, count):
        self.events.append(count)


class AnimalsTestCase(StoreTestCase):
    def setUp(self) -> None:
        self.store = self.open()
        self.store.executescript(SCHEMA)
        self.list = self.make(self.store)
        self.table = Table()

    def make(self, store):
        return store.controller(Request("animals", sort="name", section="kind"))


class FetchedResultsCoordinator(AnimalsTestCase):
    def coordinator(self, **options) -> Coordinator:
        """A loaded coordinator of the table."""
        coordinator = Coordinator(self.table, self.list, load=True, **options)
        self.assertEqual(self.table.take(), ["reload", 3])
        self.addCleanup(coordinator.close)
        return coordinator

    def test_observes_section_and_object_changes_and_applies_them_to_a_view(self):
        self.coordinator()
        with self.store.transaction():
            self.store.executemany("INSERT INTO animals VALUES (?, ?, ?)", [(4, "cat", "Tom"), (5, "ape", "Aab")])
            self.store.delete("animals", 3)
        self.assertEqual(
            self.table.take(), [("delete sections", [1]), ("insert sections", [1]), ("insert", [(0, 0)]), 4]
        )

    def test_performs_the_fetch_and_reloads_the_view_with_load_data(self):
        coordinator = Coordinator(self.table, self.list)
        self.assertFalse(self.list.is_fetched)
        self.assertEqual(self.table.take(), [])
        coordinator.load_data()
        self.assertTrue(self.list.is_fetched)
        self.assertEqual(self.table.take(), ["reload", 3])

    def test_is_used_in_place_of_perform_fetch_which_should_not_be_called_directly(self):
        """The next delivery shows what a fetch by itself has changed."""
        store = self.open(queued=True)
        store.executescript(SCHEMA)
        self.list = self.make(store)
        self.coordinator()
        store.delete("animals", 1)
        self.list.perform_fetch()
        self.assertEqual(self.table.take(), [])
        store.delete("animals", 3)
        store.dispatch()
        self.assertEqual(self.table.take(), ["reload", 1])

    def test_reloads_rows_unless_update_cell_is_given(self):
        self.coordinator()
        self.store.update("animals", 1, name="Ada")
        self.assertEqual(self.table.take(), [("reload", [(0, 0)])])

    def test_calls_update_cell_rather_than_asking_the_view_to_reload_that_row(self):
        class Drawing(Table):
            def update_cell(self, path, object):
                self.events.append((tuple(path), object.name))

        self.table = Drawing()
        self.coordinator()
        self.store.update("animals", 1, name="Ada")
        self.assertEqual(self.table.take(), [((0, 0), "Ada")])

    def test_stops_observing_changes_when_paused_is_set(self):
        coordinator = self.coordinator()
        self.assertFalse(coordinator.paused)
        coordinator.paused = True
        self.store.update("animals", 1, name="Ada")
        self.store.delete("animals", 3)
        self.assertEqual(self.table.take(), [])

    def test_is_paused_during_a_bulk_load_and_unpaused_once_the_data_is_loaded(self):
        coordinator = self.coordinator()
        coordinator.paused = True
        for number in range(10, 110):
            self.store.insert("animals", id=number, kind="ant", name=f"ant {number}")
        self.assertEqual(self.table.take(), [])
        coordinator.paused = False
        self.assertEqual(self.table.take(), ["reload", 103])

    def test_reloads_the_data_of_the_list_when_paused_is_set_to_false(self):
        store = self.open(queued=True)
        store.executescript(SCHEMA)
        self.list = self.make(store)
        coordinator = self.coordinator()
        coordinator.paused = True
        store.execute("DELETE FROM animals WHERE kind = 'ape'")
        self.assertEqual(self.list.count, 3)
        coordinator.paused = False
        self.assertEqual((self.list.count, self.table.take()), (1, ["reload", 1]))

    def test_takes_no_delegate_away(self):
        """There another delegate means that the coordinator is no longer notified, and a pause
        takes it away.
        """
        reported: list = []
        self.list.add_observer(reported.append)
        coordinator = self.coordinator()
        self.store.delete("animals", 1)
        self.assertEqual((self.table.take(), len(reported)), ([("delete", [(0, 0)]), 2], 1))
        coordinator.paused = True
        self.store.delete("animals", 3)
        self.assertEqual((self.table.take(), len(reported)), ([], 2))

    def test_takes_any_view(self):
        class Headline(View):
            text = ""

            def reload(self):
                self.text = "loaded"

            def insert_rows(self, rows):
                self.text = f"{len(rows)} more"

        headline = Headline()
        with Coordinator(headline, self.list, load=True):
            self.assertEqual(headline.text, "loaded")
            self.store.insert("animals", kind="bee", name="Willi")
            self.assertEqual(headline.text, "1 more")


class Screen(Cells):
    """Where cells are plain dictionaries."""

    def __init__(self, identifier=lambda item: "animalCell") -> None:
        self.identifier = identifier
        self.shown: dict = {}

    def reuse_identifier(self, object, path):
        return self.identifier(object)

    def dequeue(self, identifier, path):
        return self.shown.setdefault(tuple(path), {"identifier": identifier})

    def visible_cell(self, path):
        return self.shown.get(tuple(path))

    def configure(self, cell, object, path):
        cell["text"] = object.name

    def supplementary_identifier(self, kind, path):
        return f"{kind}View"

    def dequeue_supplementary(self, kind, identifier, path):
        return {"identifier": identifier}

    def configure_supplementary(self, view, kind, path):
        view["text"] = f"{kind} of {path.section}"


class DataSources(AnimalsTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.list.perform_fetch()
        self.screen = Screen()
        self.source = TableDataSource(self.list, self.screen)

    def test_query_the_list(self):
        grid = CollectionDataSource(self.list, self.screen)
        self.assertEqual((len(self.source), len(grid)), (2, 2))
        self.store.insert("animals", kind="bee", name="Zoe")
        self.assertEqual([self.source.row_count(section) for section in range(2)], [2, 2])
        self.assertEqual([grid.row_count(section) for section in range(2)], [2, 2])

    def test_use_a_hardcoded_identifier_or_the_one_that_applies_to_the_row(self):
        self.assertEqual(self.source.cell((0, 0))["identifier"], "animalCell")
        by_kind = TableDataSource(self.list, Screen(lambda item: f"{item.kind}Cell"))
        identifiers = [by_kind.cell(path)["identifier"] for path in ((0, 0), (1, 0))]
        self.assertEqual(identifiers, ["apeCell", "beeCell"])

    def test_dequeue_cells_by_the_identifier_and_configure_them_with_the_objects_data(self):
        cell = self.source.cell((0, 1))
        self.assertIs(cell, self.screen.shown[0, 1])
        self.assertEqual(cell, {"identifier": "animalCell", "text": "Bobo"})

    def test_have_no_headers_no_index_and_no_default_title_at_first(self):
        options = self.source.system_headers, self.source.table_index, self.source.default_section_title
        self.assertEqual(options, (False, False, None))
        self.assertEqual((self.source.section_title(0), self.source.index_titles), (None, []))

    def test_set_the_name_of_a_section_as_its_title_with_system_headers(self):
        self.source.system_headers = True
        self.assertEqual([self.source.section_title(section) for section in range(2)], ["ape", "bee"])

    def test_display_the_capitalized_first_letters_with_table_index(self):
        self.source.table_index = True
        self.assertEqual(self.source.index_titles, ["A", "B"])
        self.assertEqual(self.source.section_for_index_title("B", 1), 1)
        self.list.index_title_function = str.upper
        self.assertEqual(self.source.index_titles, ["APE", "BEE"])

    def test_use_the_default_section_title_for_headers(self):
        self.source.default_section_title = "Animals"
        self.assertEqual([self.source.section_title(section) for section in range(2)], ["Animals"] * 2)

    def test_provide_supplementary_views_by_the_identifier_of_their_kind(self):
        grid = CollectionDataSource(self.list, self.screen)
        footer = grid.supplementary("footer", (1, 0))
        self.assertEqual(footer, {"identifier": "footerView", "text": "footer of 1"})

    def test_reconfigure_a_visible_cell_rather_than_reloading_it(self):
        class Headline(View):
            pass

        cell = self.source.cell((0, 0))
        with Coordinator(Headline(), self.list, source=self.source, load=True):
            self.store.update("animals", 1, name="Ada")
            self.assertEqual(cell["text"], "Ada")
            self.screen.shown.clear()
            self.store.update("animals", 1, name="Aha")
            self.assertEqual(cell["text"], "Ada")
