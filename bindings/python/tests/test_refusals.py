"""What a program can't do is refused with what to write instead."""

from __future__ import annotations

import unittest

from support import StoreTestCase

from fetchedresults import (
    Collection,
    ColumnCells,
    Controller,
    NotFetchedError,
    Observer,
    Placeholder,
    RangeError,
    Request,
    SchemaError,
    SelectRequest,
    Sort,
    Store,
    TableDataSource,
)


class Screen(Observer):
    def did_deliver(self, controller, changes):
        """Shows nothing."""


class RefusalTestCase(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.items = self.store.fetch("items", sort="name")

    def refused(self, kind: type, message: str, function, *arguments) -> None:
        with self.assertRaises(kind) as caught:
            function(*arguments)
        self.assertEqual(str(caught.exception), message)


class Attributes(RefusalTestCase):
    def test_of_the_request_are_set_by_another_request(self):
        message = "a list has no attribute 'sort': write list.request = list.request.replace(sort=...)"
        self.refused(AttributeError, message, setattr, self.items, "sort", "-name")
        message = message.replace("sort", "predicate")
        self.refused(AttributeError, message, setattr, self.items, "predicate", "rank > 1")
        self.assertEqual(self.items.request, Request("items", sort="name"))

    def test_of_the_request_of_a_select_are_its_own(self):
        items = self.store.fetch_select("SELECT id FROM items", identity="id")
        message = "a list has no attribute 'sql': write list.request = list.request.replace(sql=...)"
        self.refused(AttributeError, message, setattr, items, "sql", "SELECT 1")

    def test_of_a_request_are_those_of_the_children_of_a_collection(self):
        message = "a collection has no attribute 'sort': write child.request = child.request.replace(sort=...)"
        self.refused(AttributeError, message, setattr, Collection([self.items]), "sort", "name")

    def test_a_name_is_no_request(self):
        message = "a controller needs a request: write Request('items')"
        self.refused(TypeError, message, self.store.controller, "items")
        self.refused(TypeError, "a controller needs a request: not int", self.store.controller, 3)
        message = "an entity is a name: for a request, write controller(request) and perform_fetch()"
        self.refused(TypeError, message, self.store.fetch, Request("items"))

    def test_are_not_set_on_an_immutable_description(self):
        message = "a request never changes: write list.request = request.replace(sort=...)"
        self.refused(AttributeError, message, setattr, Request("items"), "sort", "name")
        self.refused(AttributeError, message.replace("sort", "sql"), setattr, SelectRequest("SELECT 1"), "sql", "")
        message = "a sort never changes: write another Sort"
        self.refused(AttributeError, message, setattr, Sort("name"), "descending", True)

    def test_that_look_misspelt_are_refused_with_the_one_that_is_meant(self):
        message = "a list has no attribute 'requst': is request meant?"
        self.refused(AttributeError, message, setattr, self.items, "requst", Request("items"))
        message = "a store has no attribute 'qurey': is query meant?"
        self.refused(AttributeError, message, getattr, self.store, "qurey")

    def test_of_the_program_are_refused(self):
        changes: list = []
        observation = self.items.add_observer(changes.append)
        self.store.insert("items", name="tea")
        for refusing, called in [
            (self.store, "a store"),
            (self.items, "a list"),
            (Collection([]), "a collection"),
            (Placeholder(), "a placeholder"),
            (observation, "an observation"),
            (changes[0], "a change set"),
            (TableDataSource(self.items, ColumnCells(["name"])), "a data source"),
            (self.store.query("SELECT 1"), "a query"),
            (self.store.transaction(), "a transaction"),
        ]:
            message = f"{called} has no attribute 'screen': keep what is yours in a variable of your own"
            self.refused(AttributeError, message, setattr, refusing, "screen", 1)

    def test_of_the_program_are_those_of_its_own_classes(self):
        class Items(Controller):
            pass

        items = Items(self.store, Request("items"), fetch=True)
        items.title = "Items"
        self.assertEqual((items.title, items.count), ("Items", 3))

    def test_of_rows_are_not_those_of_sections(self):
        message = (
            "a section has no attribute 'name_of': write section[0].name_of for one of its rows,"
            " or loop over list.objects for all rows of the list"
        )
        self.refused(AttributeError, message, lambda: [section.name_of for section in self.items])
        message = "a sequence of objects has no attribute 'rank': write objects[0].rank for one of them"
        self.refused(AttributeError, message, lambda: self.items.objects.rank)

    def test_of_a_row_of_a_query_are_its_items(self):
        (row,) = self.store.query("SELECT name AS title FROM items WHERE id = 1")
        message = "a row of a query has no attribute 'title': write row['title']"
        self.refused(AttributeError, message, lambda: row.title)
        message = "a row of a query has no attribute 'rank': its columns are title"
        self.refused(AttributeError, message, lambda: row.rank)


class Writing(RefusalTestCase):
    def test_is_done_by_the_store(self):
        item = self.items.objects[0]
        message = "an object never changes: write store.update(object, name=...)"
        self.refused(TypeError, message, item.__class__.__setitem__, item, "name", "tea")
        self.refused(AttributeError, message, setattr, item, "name", "tea")
        message = "an object never changes: write store.update(object, name=None)"
        self.refused(TypeError, message, item.__class__.__delitem__, item, "name")
        self.refused(AttributeError, message, delattr, item, "name")

    def test_needs_a_row(self):
        message = 'a row is given as an Object, or as an entity and an identity: write {}("items", identity{})'
        self.refused(TypeError, message.format("get", ""), self.store.get, "items")
        self.refused(TypeError, message.format("delete", ""), self.store.delete, "items")
        self.refused(TypeError, message.format("update", ", ..."), lambda: self.store.update("items", name="tea"))


class Reading(RefusalTestCase):
    def test_a_section_that_a_list_does_not_have_names_the_row(self):
        message = "there is no section 5, the list has 1 section; row 5: list.objects[5]"
        self.refused(RangeError, message, lambda: self.items[5])
        message = "there is no section -2, the list has 1 section; row -2: list.objects[-2]"
        self.refused(IndexError, message, lambda: self.items[-2])
        lists = self.store.fetch("items", sort="name", section="list_id")
        message = "there is no section 2, the list has 2 sections; row 2: list.objects[2]"
        self.refused(RangeError, message, lambda: lists[2])
        self.assertEqual([len(section) for section in lists], [2, 1])

    def test_by_a_name_is_refused(self):
        message = "the index of a section must be an int, not str"
        self.refused(TypeError, message, lambda: self.items["name"])

    def test_a_list_that_was_not_fetched_needs_a_fetch(self):
        items = self.store.controller(Request("items"))
        message = (
            "the controller has not fetched yet: call list.perform_fetch() first, or make the list with fetch=True"
        )
        self.refused(NotFetchedError, message, lambda: items.count)
        self.refused(NotFetchedError, message, lambda: items[0])

    def test_a_list_without_an_identity_needs_one(self):
        self.store.execute("CREATE VIEW names AS SELECT name FROM items")
        message = 'its request must name the columns that identify a row: add identity="...", or a sequence of names'
        self.refused(SchemaError, f"names is not a table; {message}", self.store.fetch, "names")
        message = message.replace("its", "the")
        self.refused(SchemaError, message, self.store.fetch_select, "SELECT name FROM items")

    def test_a_select_is_not_executed(self):
        message = "execute returns no rows: write store.query(...), and loop over it"
        for sql in ("SELECT * FROM items", "  values (1)"):
            self.refused(TypeError, message, lambda sql=sql: list(self.store.execute(sql)))
            self.refused(AttributeError, message, lambda sql=sql: self.store.execute(sql).fetchall())
            self.assertEqual(repr(self.store.execute(sql)), f"<{message}>")
        self.assertIsNone(self.store.execute("DELETE FROM items"))


class Observing(RefusalTestCase):
    def test_needs_an_instance(self):
        message = "an observer must be an instance: write list.add_observer(Screen())"
        self.refused(TypeError, message, self.items.add_observer, Screen)

    def test_needs_an_observer(self):
        message = "an observer must be an Observer or callable, not object: derive its class from Observer"
        self.refused(TypeError, message, self.items.add_observer, object())


class Descriptions(RefusalTestCase):
    def test_count_with_the_right_number(self):
        self.assertEqual(repr(self.items), "<Controller of items: 3 objects in 1 section>")
        self.store.execute("DELETE FROM items WHERE id > 1")
        self.assertEqual(repr(self.items), "<Controller of items: 1 object in 1 section>")
        self.assertEqual(repr(self.items[0]), "<Section 0 None of 1 object>")
        lists = self.store.fetch("lists", sort="title", section="title")
        self.assertEqual(repr(lists), "<Controller of lists: 2 objects in 2 sections>")

    def test_of_a_change_set_count_with_the_right_number(self):
        changes: list = []
        self.items.add_observer(changes.append)
        self.store.insert("items", name="tea")
        self.store.execute("DELETE FROM items")
        self.assertEqual(
            [repr(each) for each in (changes[0], changes[0].sequential(), changes[1])],
            ["<ChangeSet of 1 change>", "<ChangeSet of 1 step>", "<ChangeSet of 4 changes>"],
        )


class Stores(unittest.TestCase):
    def test_that_are_closed_have_the_same_attributes(self):
        store = Store()
        store.close()
        with self.assertRaisesRegex(AttributeError, "a store has no attribute 'lists'"):
            store.lists  # noqa: B018


if __name__ == "__main__":
    unittest.main()
