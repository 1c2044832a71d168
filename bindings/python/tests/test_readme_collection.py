"""The sentences of the READMEs of JPSFetchedResultsCollection and JPSFetchedResultsContainer, one
by one.
"""

from __future__ import annotations

from support import StoreTestCase, names

from fetchedresults import Collection, Controller, NotFetchedError, Observer, Placeholder, Request


class ReadmeTestCase(StoreTestCase):
    """Tests with a flat list of lists and one of items by the title of their list, and a collection
    of both.
    """

    def setUp(self) -> None:
        super().setUp()
        self.lists = Controller(self.store, Request("lists", sort="position"))
        self.items = Controller(self.store, Request("items", sort="name", section="list_id.title"))
        self.collection = Collection([self.lists, self.items], fetch=True)
        self.reported: list = []
        self.collection.add_observer(self.reported.append)

    def shown(self, live_list) -> list:
        return [[(item.entity, item.identity) for item in section] for section in live_list]

    def record(self) -> tuple:
        """The only record of the only change set that was delivered."""
        ((change,),) = self.reported
        self.reported.clear()
        return change.kind.name, change.type.name, change.old_path, change.new_path


class FetchedResultsCollection(ReadmeTestCase):
    """JPSFetchedResultsCollection"""

    def test_can_be_used_to_fetch_multiple_entity_types(self):
        self.assertEqual(
            self.shown(self.collection),
            [[("lists", 2), ("lists", 1)], [("items", 3)], [("items", 2), ("items", 1)]],
        )

    def test_takes_advantage_of_what_each_controller_offers_such_as_sections_and_caching(self):
        self.assertEqual([section.name for section in self.collection], [None, "Home", "Shop"])
        self.assertEqual(self.collection.section_key_paths, [None, "list_id.title"])
        self.assertEqual(self.collection.cache_names, [None, None])
        self.assertEqual([request.entity for request in self.collection.fetch_requests], ["lists", "items"])

    def test_provides_a_familiar_api_to_obtain_information_about_the_fetched_data(self):
        self.assertEqual((self.collection.count, len(self.collection)), (5, 3))
        self.assertEqual(self.collection[2].name, "Shop")
        self.assertEqual(self.collection[1, 0].name, "cider")
        self.assertEqual(self.collection.section_index_titles, ["H", "S"])

    def test_treats_the_controller_level_as_transparent(self):
        self.assertEqual(self.shown(self.collection), self.shown(self.lists) + self.shown(self.items))

    def test_masks_the_sections_to_be_indexed_consecutively(self):
        self.assertEqual([section.section_index for section in self.collection], [0, 1, 2])
        children = [self.collection.child_of_section(section) for section in range(3)]
        self.assertEqual(children, [self.lists, self.items, self.items])

    def test_treats_empty_controllers_as_sections_which_are_indexed(self):
        self.store.execute("DELETE FROM items")
        self.store.execute("DELETE FROM lists")
        self.assertEqual(self.shown(self.collection), [[]])
        self.store.insert("lists", id=7, title="New")
        self.assertEqual(self.shown(self.collection), [[("lists", 7)]])

    def test_fetches_the_objects_with_perform_fetch(self):
        collection = Collection([Controller(self.store, Request("items"))])
        with self.assertRaises(NotFetchedError):
            collection.count  # noqa: B018
        collection.perform_fetch()
        self.assertEqual(collection.count, 3)

    def test_notifies_a_delegate_of_the_beginning_of_objects_of_sections_and_of_the_end(self):
        events: list = []

        class Table(Observer):
            def will_change(self, controller):
                events.append("begin updates")

            def object_changed(self, controller, object, change):
                events.append((change.type.name, change.old_path, change.new_path))

            def section_changed(self, controller, section, change):
                events.append((change.type.name, "section", section.section_index))

            def did_change(self, controller):
                events.append("end updates")

        self.collection.add_observer(Table())
        self.store.insert("items", name="eggs", list_id=None)
        self.assertEqual(events, ["begin updates", ("INSERT", "section", 1), ("INSERT", None, (1, 0)), "end updates"])

    def test_responds_to_inserts_deletes_and_updates(self):
        self.store.insert("items", id=9, name="butter", list_id=1)
        self.assertEqual(self.record(), ("OBJECT", "INSERT", None, (2, 2)))
        self.store.update("items", 9, rank=5)
        self.assertEqual(self.record(), ("OBJECT", "UPDATE", (2, 2), (2, 2)))
        self.store.delete("items", 9)
        self.assertEqual(self.record(), ("OBJECT", "DELETE", (2, 2), None))


class FetchedResultsContainer(ReadmeTestCase):
    """JPSFetchedResultsContainer"""

    def test_takes_the_order_of_the_sections_from_the_order_of_the_controllers(self):
        container = Collection([self.items, self.lists], fetch=True)
        self.assertEqual(self.shown(container), self.shown(self.items) + self.shown(self.lists))

    def test_takes_it_from_the_order_of_the_requests_as_well(self):
        container = Collection.from_requests(self.store, [self.items.request, self.lists.request], fetch=True)
        self.assertEqual(self.shown(container), self.shown(self.items) + self.shown(self.lists))

    def test_has_empty_sections(self):
        self.collection.insert(1, Placeholder("Nothing here", "N"))
        self.assertEqual([section.name for section in self.collection], [None, "Nothing here", "Home", "Shop"])
        self.assertEqual(self.collection[1].index_title, "N")
        self.assertEqual(self.record(), ("SECTION", "INSERT", None, (1, -1)))

    def test_obtains_objects_at_index_paths_and_index_paths_of_objects(self):
        item = self.collection.object_at((2, 1))
        self.assertEqual(item.name, "bread")
        self.assertEqual(self.collection.index_path_of(item), (2, 1))

    def test_obtains_the_number_of_objects_in_a_section(self):
        self.assertEqual([section.count for section in self.collection], [2, 1, 2])

    def test_replaces_the_controller_at_an_index(self):
        self.collection.replace(1, Controller(self.store, Request("items", "rank > 1", sort="-name")))
        self.assertEqual(names(self.collection[1:]), [["cider", "bread"]])

    def test_replaces_a_controller_by_another_one(self):
        self.collection.replace(self.lists, Controller(self.store, Request("items", sort="rank")))
        self.assertEqual(names(self.collection), [["apple", "bread", "cider"], ["cider"], ["apple", "bread"]])
