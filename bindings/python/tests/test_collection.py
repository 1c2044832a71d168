"""Collections: several lists shown as one."""

from __future__ import annotations

import gc
import sys
import unittest
from collections.abc import Sequence

from support import SCHEMA, Recorder, StoreTestCase, names

from fetchedresults import (
    ChangeSet,
    ChangeType,
    ClosedError,
    Collection,
    Controller,
    FetchedResultsError,
    IndexPath,
    LiveList,
    MisuseError,
    NotFetchedError,
    NotFoundError,
    Observer,
    Placeholder,
    RangeError,
    Request,
    SectionMap,
    SelectRequest,
)


class Nesting(StoreTestCase):
    LIMIT = 100

    def test_has_a_limit(self):
        levels = [Collection()]
        self.addCleanup(lambda: [each.close() for each in reversed(levels)])
        for _ in range(2_000):
            outer = Collection()
            try:
                outer.append(levels[-1])
            except RangeError as error:
                self.assertIn("100 levels", str(error))
                outer.close()
                break
            levels.append(outer)
        self.assertEqual(len(levels), self.LIMIT)

    def test_works_down_to_the_limit(self):
        items = self.store.fetch("items", sort="name")
        levels = [Collection([items])]
        while len(levels) < self.LIMIT:
            levels.append(Collection([levels[-1]]))
        outermost = levels[-1]
        outermost.perform_fetch()
        reported = []
        outermost.add_observer(reported.append)
        self.store.insert("items", name="ale")
        self.assertEqual(names(outermost), [["ale", "apple", "bread", "cider"]])
        self.assertEqual([change.object.name for change in reported[0]], ["ale"])
        del levels, outermost, reported
        gc.collect()
        self.assertEqual(items.count, 4)


class CollectionTestCase(StoreTestCase):
    """Tests with a collection of all items, flat, of items by list, and of lists that are none for
    now.
    """

    def setUp(self) -> None:
        super().setUp()
        self.flat = Controller(self.store, Request("items", sort="name", columns=["name", "rank"]))
        self.sectioned = Controller(self.store, Request("items", sort="-name", section="list_id.title"))
        self.lists = Controller(self.store, Request("lists", "position > 5", section="title"))
        self.nothing = Placeholder("No lists", "?")
        self.all = Collection([self.flat, self.sectioned, (self.lists, self.nothing)], fetch=True)
        self.reported: list = []
        self.all.add_observer(self.reported.append)

    def changes(self) -> ChangeSet:
        """The only change set that was delivered."""
        (changes,) = self.reported
        self.reported.clear()
        return changes

    def records(self) -> list:
        return [(change.kind.name, change.type.name, change.old_path, change.new_path) for change in self.changes()]


class Reading(CollectionTestCase):
    def test_is_a_sequence_of_the_sections_of_all_children(self):
        self.assertIsInstance(self.all, LiveList)
        self.assertIsInstance(self.all, Sequence)
        self.assertEqual([section.name for section in self.all], [None, "Home", "Shop", "No lists"])
        self.assertEqual(names(self.all), [["apple", "bread", "cider"], ["cider"], ["bread", "apple"], []])
        self.assertEqual([section.section_index for section in self.all], [0, 1, 2, 3])
        self.assertEqual([section.info.index for section in self.all], [0, 1, 2, 3])
        self.assertEqual((self.all.count, len(self.all), self.all[1].count), (6, 4, 1))
        self.assertEqual([item.name for item in self.all.objects][2:5], ["cider", "cider", "bread"])
        self.assertEqual(repr(self.all), "<Collection of 3 lists: 6 objects in 4 sections>")

    def test_gives_index_paths(self):
        self.assertEqual(self.all[2, 1].name, "apple")
        self.assertEqual((self.all.index_path_at(4), self.all.index_of((2, 0))), (IndexPath(2, 0), 4))
        apple = self.all[2, 1]
        self.assertEqual((self.all.index_path_of(apple), self.all.index_path_of(3)), ((2, 1), (0, 2)))
        self.assertTrue(apple in self.all[0] and apple in self.all[2])
        self.assertFalse(apple in self.all[1] or apple in self.all[3])
        self.assertEqual(list(self.all[2]).index(apple), 1)
        self.assertIsNone(self.all.index_path_of(self.store.get("lists", 1)))
        self.assertIsNone(self.all.index_path_of(99))

    def test_finds_an_object_in_the_child_that_it_was_read_from(self):
        outer = Collection([Placeholder("first"), self.all, self.store.fetch("items", sort="id")], fetch=True)
        for collection in (self.all, outer):
            paths = [(section.section_index, row) for section in collection for row in range(len(section))]
            self.assertEqual([collection.index_path_of(collection[path]) for path in paths], paths)
        self.store.update("items", 2, name="zwieback")
        changes = self.changes()
        self.assertEqual(
            [self.all.index_path_of(change.object) for change in changes], [change.new_path for change in changes]
        )

    def test_finds_any_other_object_in_the_first_child(self):
        apple = self.all[2, 1]
        self.sectioned.request = self.sectioned.request.replace(sort="name")
        bread, first = self.store.get("items", 1), self.sectioned[1, 0]
        self.assertEqual((first, self.all.index_path_of(first)), (apple, (2, 0)))
        self.assertEqual((self.all.index_path_of(apple), self.all.index_path_of(bread)), ((0, 0), (0, 1)))
        self.all.remove(self.flat)
        self.assertEqual((self.all.index_path_of(apple), self.all.index_path_of(bread)), ((1, 0), (1, 1)))

    def test_distinguishes_rows_of_several_entities(self):
        self.lists.request = Request("lists", sort="title")
        home = self.store.get("lists", 2)
        self.assertEqual(
            (self.all.index_path_of(home), home in self.all[3], home in self.all[0]), ((3, 0), True, False)
        )
        self.assertEqual(self.all.objects.index(home), 6)

    def test_gives_index_titles_of_all_children(self):
        self.assertEqual(self.all.section_index_titles, ["H", "S", "?"])
        self.assertEqual(self.all.section_for_index_title("S", 1), 2)
        self.assertEqual(self.all.section_for_index_title("?", 2), 3)
        with self.assertRaises(NotFoundError):
            self.all.section_for_index_title("Q", 0)
        with self.assertRaises(RangeError):
            self.all.section_for_index_title("S", 0)

    def test_has_requests_and_section_key_paths(self):
        outer = Collection([self.all, SectionMap(self.store, Request("items"), Request("lists"), "list_id")])
        select = SelectRequest("SELECT id, kind FROM t", identity="id", section="kind")
        self.assertEqual(
            outer.fetch_requests,
            [self.flat.request, self.sectioned.request, self.lists.request, Request("items")],
        )
        self.assertEqual(outer.section_key_paths, [None, "list_id.title", "title", "list_id"])
        self.store.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, kind)")
        self.assertEqual(Controller(self.store, select).section_key_path, "kind")

    def test_can_be_made_of_requests(self):
        requests = [Request("items", sort="name"), Request("lists", sort="title", columns=["title"])]
        both = Collection.from_requests(self.store, requests, fetch=True)
        self.assertEqual([[next(iter(item.values())) for item in section] for section in both[1:]], [["Home", "Shop"]])
        self.assertEqual((both.fetch_requests, [child.count for child in both.children]), (requests, [3, 2]))

    def test_shows_lists_of_several_stores(self):
        other = self.open()
        other.executescript(SCHEMA)
        self.all.append(other.fetch("items"))
        self.reported.clear()
        other.insert("items", name="dates")
        self.assertEqual(names(self.all)[-1], ["dates"])
        self.assertEqual(self.records(), [("OBJECT", "INSERT", None, (4, 0))])

    def test_has_the_adapters_of_the_first_list(self):
        other = self.open()
        other.executescript(SCHEMA)
        session = self.all._session
        self.assertIs(session.types, self.store._session.types)
        self.all.insert(0, Placeholder())
        self.all.insert(1, other.fetch("items"))
        self.assertIs(session.types, other._session.types)
        self.all.insert(2, Controller(other, Request("items")))
        self.all.pop(1)
        self.assertIs(session.types, other._session.types)
        self.all.pop(1)
        self.assertIs(session.types, self.store._session.types)

    def test_follows_after_the_fetch(self):
        self.assertTrue(self.all.is_fetched)
        fresh = Collection([Controller(self.store, Request("items", sort="name"))])
        self.assertFalse(fresh.is_fetched)
        self.assertEqual(len(fresh.children), 1)
        for use in (
            lambda: len(fresh),
            lambda: fresh.count,
            lambda: fresh[0],
            lambda: fresh.section_index_titles,
            lambda: fresh.child_of_section(0),
            lambda: fresh.index_path_of(1),
        ):
            with self.assertRaises(NotFetchedError):
                use()
        self.assertIn("fetch", repr(fresh))
        counts = []
        fresh.perform_fetch(lambda rows: counts.append(rows))
        self.assertEqual(names(fresh), [["apple", "bread", "cider"]])

    def test_without_children_has_no_sections(self):
        self.assertEqual((list(Collection(fetch=True)), Collection(fetch=True).count), ([], 0))

    def test_shows_the_rows_of_sections(self):
        self.all.append(SectionMap(self.store, Request("items"), Request("lists", sort="title"), "list_id"))
        self.assertEqual([section.object for section in self.all[:4]], [None] * 4)
        self.assertEqual([section.object.title for section in self.all[4:]], ["Home", "Shop"])


class Children(CollectionTestCase):
    def test_are_a_sequence_of_their_own(self):
        self.assertEqual(self.all.children, (self.flat, self.sectioned, self.lists))
        self.assertEqual([self.all.index_of_child(child) for child in self.all.children], [0, 1, 2])
        with self.assertRaises(ValueError):
            self.all.index_of_child(self.nothing)

    def test_are_found_by_section(self):
        children = [self.all.child_of_section(section.section_index) for section in self.all]
        self.assertEqual(children, [self.flat, self.sectioned, self.sectioned, self.lists])
        for section in (-1, 4):
            with self.assertRaises(RangeError):
                self.all.child_of_section(section)

    def test_have_placeholders_for_when_they_are_empty(self):
        self.assertIs(self.all.empty_placeholder(self.lists), self.nothing)
        self.assertIsNone(self.all.empty_placeholder(self.flat))
        self.lists.request = self.lists.request.replace(predicate="position = 2")
        self.assertEqual([section.name for section in self.all][3:], ["Shop"])
        self.assertEqual(
            self.records(),
            [
                ("SECTION", "DELETE", (3, -1), None),
                ("SECTION", "INSERT", None, (3, -1)),
                ("OBJECT", "INSERT", None, (3, 0)),
            ],
        )

    def test_without_sections_are_shown_if_the_collection_says_so(self):
        self.assertFalse(self.all.shows_empty_lists)
        tagged = Controller(self.store, Request("lists", "position > 5", section="title"))
        self.all.append(tagged)
        self.assertEqual((len(self.all), self.reported), (4, []))
        self.all.shows_empty_lists = True
        self.assertTrue(self.all.shows_empty_lists)
        self.assertEqual(self.records(), [("SECTION", "INSERT", None, (4, -1))])
        self.assertEqual([section.name for section in self.all], [None, "Home", "Shop", "No lists", None])
        self.assertIs(self.all.child_of_section(4), tagged)
        self.store.insert("lists", title="Garden", position=9)
        self.assertEqual([section.name for section in self.all][3:], ["Garden", "Garden"])
        self.reported.clear()
        self.all.shows_empty_lists = False
        self.assertEqual(self.reported, [])

    def test_without_sections_are_shown_in_a_collection_of_requests(self):
        requests = [Request("lists", f"position > {limit}", section="title") for limit in (5, 0)]
        for shown, expected in ((False, ["Home", "Shop"]), (True, [None, "Home", "Shop"])):
            found = Collection.from_requests(self.store, requests, shows_empty_lists=shown, fetch=True)
            self.assertEqual([section.name for section in found], expected)

    def test_are_delivered_as_one_change_set(self):
        child = Controller(self.store, Request("lists", sort="title"))
        self.all.insert(1, child)
        self.assertTrue(child.is_fetched)
        self.assertEqual(self.all.children, (self.flat, child, self.sectioned, self.lists))
        self.assertEqual(
            self.records(),
            [
                ("SECTION", "INSERT", None, (1, -1)),
                ("OBJECT", "INSERT", None, (1, 0)),
                ("OBJECT", "INSERT", None, (1, 1)),
            ],
        )

    def test_are_put_where_a_list_would_put_them(self):
        places = Collection()
        model: list = []
        for index in (0, 5, -1, 1, -9):
            child = Placeholder(str(index))
            places.insert(index, child)
            model.insert(index, child)
            self.assertEqual(places.children, tuple(model))

    def test_go_as_one_change_set(self):
        self.all.remove(self.sectioned)
        self.assertEqual(self.all.children, (self.flat, self.lists))
        self.assertEqual(len(self.records()), 5)
        self.assertIs(self.all.pop(), self.lists)
        self.assertEqual(self.records(), [("SECTION", "DELETE", (1, -1), None)])
        self.assertIs(self.all.pop(0), self.flat)
        self.assertEqual((self.all.children, list(self.all)), ((), []))
        self.assertEqual((self.flat.count, self.flat.closed), (3, False))
        self.reported.clear()
        self.store.insert("items", name="x")
        self.assertEqual(self.reported, [])

    def test_are_replaced_as_one_change_set(self):
        placeholder = Placeholder("instead")
        self.all.replace(self.sectioned, placeholder)
        self.assertEqual([section.name for section in self.all], [None, "instead", "No lists"])
        self.assertEqual(len(self.records()), 6)
        self.all.replace(-1, self.sectioned)
        self.assertEqual(self.all.children, (self.flat, placeholder, self.sectioned))
        self.all.replace(0, self.lists, empty=self.nothing)
        self.assertEqual([section.name for section in self.all], ["No lists", "instead", "Home", "Shop"])

    def test_take_work_in_proportion_to_their_number(self):
        """Counted in instructions of the interpreter, not in time."""

        def work(number: int) -> int:
            lists = [Controller(self.store, Request("items")) for _ in range(number)]
            steps = 0

            def trace(frame, event, argument):
                nonlocal steps
                frame.f_trace_opcodes = True
                steps += event == "opcode"
                return trace

            previous = sys.gettrace()
            sys.settrace(trace)
            try:
                collection = Collection(lists)
                while lists:
                    collection.remove(lists.pop(0))
            finally:
                sys.settrace(previous)
            return steps

        self.assertLess(work(200), 2.2 * work(100))

    def test_can_be_collections(self):
        outer = Collection([Placeholder("first"), self.all], fetch=True)
        reported = []
        outer.add_observer(reported.append)
        self.assertEqual(names(outer), [[], *names(self.all)])
        self.store.insert("items", name="dates")
        self.assertEqual([change.new_path for change in reported[0].inserts], [(1, 3), (2, 0)])
        self.assertEqual(outer.index_path_of(self.store.get("items", 1)), (1, 1))
        self.assertTrue(self.store.get("items", 1) in outer[4])

    def test_can_be_inserted_and_removed_inside_callbacks(self):
        placeholder = Placeholder("late")
        seen = []

        def once(changes):
            observation.cancel()
            self.all.append(placeholder)
            self.all.remove(self.flat)
            seen.append((self.all.children, len(self.all)))

        observation = self.all.add_observer(once)
        self.store.insert("items", name="dates")
        self.assertEqual(seen, [((self.sectioned, self.lists, placeholder), 5)])
        self.assertEqual([section.name for section in self.all], [None, "Home", "Shop", "No lists", "late"])
        self.assertEqual([changes[0].type.name for changes in self.reported], ["INSERT", "INSERT", "DELETE"])

    def test_that_left_inside_a_callback_are_still_shown_in_it(self):
        seen = []

        def once(changes):
            observation.cancel()
            self.all.remove(self.sectioned)
            seen.append([section.name for section in self.all])
            seen.append([self.all.child_of_section(place) for place in (0, 3)])
            for section in (1, 2):
                with self.assertRaises(NotFoundError):
                    self.all.child_of_section(section)
            cider = self.all[1, 0]
            seen.append((self.all.index_path_of(cider) is not None, cider in self.all[0]))

        observation = self.all.add_observer(once)
        self.store.update("items", 1, rank=9)
        self.assertEqual(seen, [[None, "Home", "Shop", "No lists"], [self.flat, self.lists], (True, True)])
        self.assertEqual([section.name for section in self.all], [None, "No lists"])

    def test_that_do_not_fit_are_refused(self):
        outer = Collection([self.all])
        closed = self.store.fetch("items")
        closed.close()
        before = self.all.children
        for error, message, use in (
            (TypeError, "str", lambda: self.all.append("items")),
            (TypeError, "NoneType", lambda: self.all.append(None)),
            (TypeError, "`empty`", lambda: self.all.append(self.store.fetch("items"), empty="none")),
            (TypeError, "placeholder", lambda: self.all.append(Placeholder(), empty=Placeholder())),
            (TypeError, "", lambda: self.all.insert("first", Placeholder())),
            (TypeError, "", lambda: self.all.pop("first")),
            (MisuseError, "already", lambda: self.all.append(self.flat)),
            (MisuseError, "already", lambda: self.all.insert(0, self.flat)),
            (MisuseError, "already", lambda: self.all.replace(1, self.flat)),
            (MisuseError, "already", lambda: self.all.append(self.nothing)),
            (MisuseError, "already", lambda: self.all.append(self.store.fetch("items"), empty=self.nothing)),
            (MisuseError, "inside itself", lambda: self.all.append(self.all)),
            (MisuseError, "inside itself", lambda: self.all.append(outer)),
            (ClosedError, "closed", lambda: self.all.append(closed)),
            (IndexError, "child 3", lambda: self.all.pop(3)),
            (IndexError, "child 3", lambda: self.all.replace(3, Placeholder())),
            (IndexError, "range", lambda: self.all.pop(-4)),
            (ValueError, "not in", lambda: self.all.remove(outer)),
            (ValueError, "not in", lambda: self.all.replace(outer, Placeholder())),
            (ValueError, "not in", lambda: self.all.empty_placeholder(outer)),
        ):
            with self.subTest(message), self.assertRaisesRegex(error, message):
                use()
        self.assertEqual((self.all.children, self.reported, len(self.all)), (before, [], 4))
        with self.assertRaises(IndexError):
            Collection().pop()

    def test_of_a_closed_store_are_refused(self):
        other = self.open()
        other.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)")
        child = other.fetch("t")
        other.close()
        with self.assertRaises(ClosedError):
            self.all.append(child)
        self.assertEqual(len(self.all.children), 3)

    def test_are_called_also_when_an_observer_raises(self):
        def fail(changes):
            raise ZeroDivisionError

        self.all.add_observer(fail)
        placeholder = Placeholder("there")
        with self.assertRaises(ZeroDivisionError):
            self.all.append(placeholder)
        self.assertEqual((self.all.children[-1], self.all[-1].name), (placeholder, "there"))
        with self.assertRaises(ZeroDivisionError):
            self.all.remove(placeholder)
        self.assertEqual((len(self.all.children), len(self.all)), (3, 4))

    def test_that_can_not_be_fetched_leave_all_as_it_was(self):
        wrong = Controller(self.store, Request("items", "abs(-9223372036854775807 - id) > 0"))
        for change in (lambda: self.all.append(wrong), lambda: self.all.replace(0, wrong)):
            with self.assertRaisesRegex(FetchedResultsError, "overflow"):
                change()
        self.assertEqual((self.all.children, self.reported), ((self.flat, self.sectioned, self.lists), []))

    def test_are_inserted_and_removed_also_when_something_else_fails_in_a_callback(self):
        wrong = Request("items", "no_such_function(name)")
        for change in (
            lambda: self.all.append(Placeholder()),
            lambda: self.all.replace(-1, Placeholder()),
            lambda: self.all.pop(),
        ):
            with self.all.add_observer(lambda changes: self.store.execute(wrong.predicate)):
                with self.assertRaises(Exception):
                    change()
            self.assertEqual([self.all.child_of_section(place) for place in (0, 1)], list(self.all.children[:2]))
            self.assertEqual(len(self.all), 3 + sum(isinstance(each, Placeholder) for each in self.all.children) + 1)


class Changes(CollectionTestCase):
    def test_of_several_children_are_one_change_set(self):
        names(self.all)
        with self.store.transaction():
            self.store.insert("items", name="dates", list_id=1)
            self.store.update("items", 3, rank=9)
        changes = self.changes()
        self.assertEqual([change.new_path for change in changes.inserts], [(0, 3), (2, 0)])
        self.assertEqual([change.new_path for change in changes.updates], [(0, 2), (1, 0)])
        self.assertEqual([change.changed_columns for change in changes.updates], [("rank",)] * 2)
        self.assertEqual([list(change.object) for change in changes.inserts], [["name", "rank"], list(self.all[1, 0])])
        self.assertEqual(changes.updates[0].old_values, {"name": "cider", "rank": 3.0})
        self.assertEqual(changes.updates[1].old_values["list_id"], 2)

    def test_are_replayed_in_both_forms(self):
        before = names(self.all)
        with self.store.transaction():
            self.store.execute("UPDATE items SET name = name || 's', list_id = 3 - list_id")
            self.store.delete("items", 2)
        changes = self.changes()
        for form in (changes, changes.sequential()):
            self.assertEqual(form.apply(before, lambda change: change.object.name), names(self.all))

    def test_are_reported_to_delegates_in_three_phases(self):
        recorder = Recorder()
        self.all.add_observer(recorder)
        before = names(self.all)
        self.store.insert("items", name="dates")
        after = names(self.all)
        self.assertEqual((recorder.events[0], recorder.events[-1]), (("will", before), ("did", after)))
        self.assertEqual(
            [event[1:] for event in recorder.events[1:-1]],
            [
                ("INSERT", None, 1),
                ("INSERT", "dates", None, (0, 3)),
                ("INSERT", "dates", None, (1, 0)),
                (3,),
            ],
        )

    def test_reach_observers_of_children_as_well(self):
        reported = []
        self.flat.add_observer(reported.append)
        self.store.insert("items", name="dates")
        self.assertEqual(([change.new_path for change in reported[0]], len(self.reported)), ([(0, 3)], 1))

    def test_of_placeholders_are_updates_of_their_sections(self):
        recorded = []

        class Watcher(Observer):
            def section_changed(self, controller, section, change):
                recorded.append((section.name, section.index_title, change.changed_columns, change.section_object))

        self.all.add_observer(Watcher())
        self.nothing.name = "Nothing"
        self.assertEqual(self.reported[0][0].changed_columns, ("name",))
        self.assertEqual(self.records(), [("SECTION", "UPDATE", (3, -1), (3, -1))])
        self.nothing.index_title = None
        (change,) = self.changes()
        self.assertEqual((change.changed_columns, change.section_name), (("index_title",), "Nothing"))
        self.assertIsNone(change.section_object)
        self.assertEqual(recorded, [("Nothing", "?", ("name",), None), ("Nothing", None, ("index_title",), None)])
        self.nothing.name = "Nothing"
        self.assertEqual(self.reported, [])

    def test_of_section_rows_name_their_columns(self):
        self.all.append(SectionMap(self.store, Request("items"), Request("lists", sort="title"), "list_id"))
        self.reported.clear()
        self.store.update("lists", 1, title="Stop")
        changes = self.changes()
        (change,) = [change for change in changes.sections if change.type is ChangeType.UPDATE]
        self.assertEqual((change.changed_columns, change.section_object.title), (("title",), "Stop"))

    def test_by_a_fetch_of_a_child_are_a_reload(self):
        self.flat.perform_fetch()
        changes = self.changes()
        self.assertEqual((changes.is_reload, len(changes), repr(changes)), (True, 0, "<ChangeSet: reload>"))
        self.all.perform_fetch()
        self.assertEqual(self.reported, [])

    def test_raised_by_observers_reach_the_caller(self):
        def fail(changes):
            raise ZeroDivisionError

        self.all.add_observer(fail)
        for use in (
            lambda: self.store.insert("items", name="x"),
            lambda: self.flat.set_request(self.flat.request.replace(sort="rank")),
            lambda: self.flat.perform_fetch(),
            lambda: setattr(self.nothing, "name", "x"),
        ):
            with self.assertRaises(ZeroDivisionError):
                use()
        self.assertEqual((self.nothing.name, self.all[-1].name), ("x", "x"))

    def test_that_fail_in_a_child_are_reported_to_the_collection(self):
        failures = []

        class Watcher(Observer):
            def did_fail(self, controller, error):
                failures.append(controller)

        self.all.add_observer(Watcher())
        self.store.execute("ALTER TABLE lists RENAME TO other")
        self.assertIn(self.all, failures)


class Placeholders(StoreTestCase):
    def test_have_a_name_and_an_index_title(self):
        placeholder = Placeholder("No results", "N")
        self.assertEqual((placeholder.name, placeholder.index_title), ("No results", "N"))
        self.assertEqual(repr(placeholder), "Placeholder('No results', 'N')")
        placeholder.name, placeholder.index_title = None, ""
        self.assertEqual((placeholder.name, placeholder.index_title), (None, ""))

    def test_are_sections_without_objects(self):
        both = Collection([Placeholder("a", "A"), Placeholder()], fetch=True)
        self.assertEqual([(each.name, each.index_title, each.count) for each in both], [("a", "A", 0), (None, None, 0)])
        self.assertEqual(both.section_index_titles, ["A"])
        with self.assertRaises(IndexError):
            both[0, 0]

    def test_refuse_what_is_no_name(self):
        placeholder = Placeholder("a")
        for error, use in (
            (TypeError, lambda: Placeholder(3)),
            (ValueError, lambda: Placeholder("a\0b")),
            (UnicodeError, lambda: Placeholder("\ud800")),
            (TypeError, lambda: setattr(placeholder, "name", b"b")),
            (ValueError, lambda: setattr(placeholder, "index_title", "\0")),
        ):
            with self.assertRaises(error):
                use()
        self.assertEqual((placeholder.name, placeholder.index_title), ("a", None))

    def test_can_be_used_again_elsewhere(self):
        placeholder = Placeholder("a")
        first, second = Collection([placeholder], fetch=True), Collection(fetch=True)
        with self.assertRaises(MisuseError):
            second.append(placeholder)
        first.remove(placeholder)
        second.append(placeholder)
        self.assertEqual((len(first), second[0].name), (0, "a"))


if __name__ == "__main__":
    unittest.main()
