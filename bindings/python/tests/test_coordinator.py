"""Coordinators: what a view gets, when, and in which order."""

from __future__ import annotations

import gc
import sqlite3
import unittest
import weakref

from support import StoreTestCase

from fetchedresults import (
    ChangeKind,
    ClosedError,
    Collection,
    Controller,
    Coordinator,
    Observer,
    Request,
    RereadReason,
    SchemaError,
    SectionMap,
    Store,
    View,
)

GROUPS = {
    "delete_sections",
    "insert_sections",
    "move_sections",
    "delete_rows",
    "insert_rows",
    "move_rows",
    "reload_rows",
    "update_sections",
}
BATCH = {"reload", "begin", "end", *GROUPS}
ALL = {*BATCH, "update_cell", "count_changed", "did_fail"}


class Failure(Exception):
    pass


def plain(value):
    """Named tuples as tuples, objects as their names."""
    if isinstance(value, (tuple, list)):
        return type(value if isinstance(value, list) else ())(plain(each) for each in value)
    return value["name"] if hasattr(value, "identity") else value


def view_with(methods) -> View:
    """A view that overrides some methods, each of which records its call and then runs its action
    of `act`.
    """

    def method(name):
        def note(self, *arguments):
            self.events.append((name, *map(plain, arguments)) if arguments else name)
            if name in self.act:
                self.act[name]()

        return note

    view = type("Noting", (View,), {name: method(name) for name in methods})()
    view.events, view.act = [], {}
    return view


class Case(StoreTestCase):
    """Sections by list: in list 1 apple and bread, in list 2 cider."""

    def setUp(self) -> None:
        super().setUp()
        self.items = Controller(self.store, Request("items", sort="name", section="list_id"))

    def follow(self, methods=ALL, live_list=None, **options) -> Coordinator:
        coordinator = Coordinator(view_with(methods), self.items if live_list is None else live_list, **options)
        self.addCleanup(coordinator.close)
        coordinator.load_data()
        coordinator.view.events.clear()
        return coordinator

    def reported(self, script: str, methods=ALL, live_list=None, **options) -> list:
        """What a view gets for one transaction."""
        with self.follow(methods, live_list, **options) as coordinator:
            self.store.executescript(f"BEGIN; {script}; COMMIT")
            return coordinator.view.events


class Filter(Case):
    """Rows of deleted or inserted sections are reported with them."""

    def test_a_row_that_is_deleted(self):
        self.assertEqual(
            self.reported("DELETE FROM items WHERE id = 1"),
            ["begin", ("delete_rows", [(0, 1)]), "end", ("count_changed", 2)],
        )

    def test_a_row_that_is_deleted_with_its_section(self):
        self.assertEqual(
            self.reported("DELETE FROM items WHERE id = 3"),
            ["begin", ("delete_sections", [1]), "end", ("count_changed", 2)],
        )

    def test_a_row_that_is_inserted(self):
        self.assertEqual(
            self.reported("INSERT INTO items VALUES (4, 'b', 1, 1)"),
            ["begin", ("insert_rows", [(0, 1)]), "end", ("count_changed", 4)],
        )

    def test_a_row_that_is_inserted_with_its_section(self):
        self.assertEqual(
            self.reported("INSERT INTO lists VALUES (0, 'x', 0); INSERT INTO items VALUES (4, 'x', 1, 0)"),
            ["begin", ("insert_sections", [0]), "end", ("count_changed", 4)],
        )

    def test_a_row_that_moves_between_sections_that_stay(self):
        self.assertEqual(
            self.reported("UPDATE items SET list_id = 2 WHERE id = 1"),
            ["begin", ("move_rows", [((0, 1), (1, 0))]), "end", ("update_cell", (1, 0), "bread")],
        )

    def test_a_row_that_moves_out_of_a_deleted_section(self):
        self.assertEqual(
            self.reported("UPDATE items SET list_id = 1 WHERE id = 3"),
            ["begin", ("delete_sections", [1]), ("insert_rows", [(0, 2)]), "end"],
        )

    def test_a_row_that_moves_into_an_inserted_section(self):
        self.store.execute("INSERT INTO lists VALUES (0, 'x', 0)")
        self.assertEqual(
            self.reported("UPDATE items SET list_id = 0 WHERE id = 1"),
            ["begin", ("insert_sections", [0]), ("delete_rows", [(0, 1)]), "end"],
        )

    def test_a_row_that_moves_from_a_deleted_section_into_an_inserted_one(self):
        self.store.execute("INSERT INTO lists VALUES (0, 'x', 0)")
        self.assertEqual(
            self.reported("UPDATE items SET list_id = 0 WHERE id = 3"),
            ["begin", ("delete_sections", [1]), ("insert_sections", [0]), "end"],
        )

    def test_a_row_that_changes(self):
        self.assertEqual(self.reported("UPDATE items SET rank = 9 WHERE id = 1"), [("update_cell", (0, 1), "bread")])
        self.assertEqual(
            self.reported("UPDATE items SET rank = 8 WHERE id = 1", ALL - {"update_cell"}),
            ["begin", ("reload_rows", [((0, 1), (0, 1))]), "end"],
        )

    def test_without_a_visible_effect_deliver_nothing(self):
        self.assertEqual(self.reported("UPDATE lists SET title = 'x'"), [])


class Batches(Case):
    def test_have_their_groups_in_order_and_cells_after_them(self):
        self.store.execute("INSERT INTO lists VALUES (3, 'New', 3)")
        self.store.executemany("INSERT INTO items VALUES (?, ?, 1, 1)", [(4, "dates"), (5, "eggs"), (6, "figs")])
        script = """
            DELETE FROM items WHERE id IN (3, 4);
            UPDATE items SET rank = 5 WHERE id = 1;
            UPDATE items SET name = 'zest', rank = 2 WHERE id = 2;
            INSERT INTO items VALUES (7, 'f', 1, 1), (8, 'x', 1, 3);
        """
        self.assertEqual(
            self.reported(script),
            [
                "begin",
                ("delete_sections", [1]),
                ("insert_sections", [1]),
                ("delete_rows", [(0, 2)]),
                ("insert_rows", [(0, 2)]),
                ("move_rows", [((0, 0), (0, 4))]),
                "end",
                ("update_cell", (0, 0), "bread"),
                ("update_cell", (0, 4), "zest"),
            ],
        )

    def test_of_section_maps_move_and_update_sections(self):
        lists = SectionMap(self.store, Request("items", sort="name"), Request("lists", sort="position"), "list_id")
        self.assertEqual(
            self.reported("UPDATE lists SET position = 9, title = 'Later' WHERE id = 2", live_list=lists),
            ["begin", ("move_sections", [(0, 1)]), ("update_sections", [(0, 1)]), "end"],
        )
        self.assertEqual(
            self.reported("UPDATE lists SET position = 0 WHERE id = 2", live_list=lists, section_moves=False),
            ["begin", ("delete_sections", [1]), ("insert_sections", [0]), "end"],
        )

    def test_without_moves_have_deletes_and_inserts(self):
        script = "UPDATE items SET name = 'zest' WHERE id = 2"
        expected = ["begin", ("delete_rows", [(0, 0)]), ("insert_rows", [(0, 1)]), "end"]
        self.assertEqual(self.reported(script, row_moves=False), expected)
        self.store.execute("UPDATE items SET name = 'apple' WHERE id = 2")
        self.assertEqual(self.reported(script, ALL - {"move_rows"}), expected)

    def test_that_a_view_does_not_support_are_reloads(self):
        script = "DELETE FROM items WHERE id = 1; UPDATE items SET rank = 7 WHERE id = 2"
        self.assertEqual(self.reported(script, {"reload", "update_cell", "insert_rows"}), ["reload"])
        self.assertEqual(self.reported("DELETE FROM items WHERE id = 2", {"reload"}), ["reload"])

    def test_reach_a_view_that_overrides_nothing(self):
        self.assertEqual(self.reported("DELETE FROM items", ()), [])

    def test_follow_each_other_when_a_view_writes(self):
        coordinator = self.follow()
        coordinator.view.act["begin"] = lambda: coordinator.view.act.clear() or self.store.insert("items", name="x")
        self.store.delete("items", 1)
        self.assertEqual(
            coordinator.view.events,
            [
                *["begin", ("delete_rows", [(0, 1)]), "end", ("count_changed", 2)],
                *["begin", ("insert_sections", [0]), "end", ("count_changed", 3)],
            ],
        )

    def test_reach_every_coordinator_and_observer_of_a_list(self):
        first, second, reported = self.follow(), self.follow({"reload"}), []
        self.items.add_observer(lambda changes: reported.append(len(changes)))
        self.store.delete("items", 1)
        self.assertEqual((len(first.view.events), second.view.events, reported), (4, ["reload"], [1]))

    def test_of_collections_are_delivered_by_all_their_stores(self):
        other = self.open()
        other.executescript("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
        found = Collection([self.items, Controller(other, Request("items"))])
        coordinator = self.follow(live_list=found)
        self.store.delete("items", 1)
        other.insert("items", name="x")
        groups = [event for event in coordinator.view.events if event[0] in GROUPS]
        self.assertEqual(groups, [("delete_rows", [(0, 1)]), ("insert_rows", [(2, 0)])])


class Steps(Case):
    def test_are_reported_one_by_one(self):
        steps = []

        class Model(View):
            def begin(self):
                steps.append("begin")

            def step(self, change, final_path):
                name = change.object["name"] if change.object else change.section_name
                steps.append((change.kind.name, change.type.name, change.old_path, change.new_path, final_path, name))

            def insert_rows(self, rows):
                steps.append("group")

            def end(self):
                steps.append("end")

        with Coordinator(Model(), self.items, load=True):
            self.store.insert("items", name="x")
            self.store.update("items", 1, name="bun")
            self.store.delete("items", 3)
        self.assertEqual(
            steps,
            [
                "begin",
                ("SECTION", "INSERT", None, (0, -1), (0, -1), None),
                ("OBJECT", "INSERT", None, (0, 0), (0, 0), "x"),
                "end",
                *["begin", ("OBJECT", "UPDATE", (1, 1), (1, 1), (1, 1), "bun"), "end"],
                "begin",
                ("OBJECT", "DELETE", (2, 0), None, None, None),
                ("SECTION", "DELETE", (2, -1), None, None, None),
                "end",
            ],
        )

    def test_have_columns_and_rows_of_sections(self):
        lists = SectionMap(self.store, Request("items", sort="name"), Request("lists", sort="position"), "list_id")
        reported = []

        class Model(View):
            def step(self, change, final_path):
                row = change.section_object if change.kind is ChangeKind.SECTION else change.object
                reported.append((change.changed_columns, row and row.identity, change.old_values))

        with Coordinator(Model(), lists, load=True):
            self.store.update("items", 1, rank=7)
            self.store.update("lists", 1, title="x")
        self.assertEqual(reported, [(("rank",), 1, {}), (("title",), 1, {})])

    def test_have_no_old_names_of_sections(self):
        request = Request("lists", sort="position")
        lists = SectionMap(self.store, Request("items", sort="name"), request, "list_id")
        names = []

        class Model(View):
            def step(self, change, final_path):
                names.append((change.type.name, change.section_name, change.old_section_name))

        with Coordinator(Model(), lists, load=True):
            self.store.update("lists", 1, title="x")
        self.assertEqual([(kind, old) for kind, _, old in names], [("UPDATE", None)])

    def test_have_which_of_many_columns_changed_only_up_to_the_63rd(self):
        columns = ", ".join(f"c{number} INTEGER DEFAULT 0" for number in range(1, 70))
        self.store.executescript(
            f"CREATE TABLE wide (id INTEGER PRIMARY KEY, {columns}); INSERT INTO wide (id) VALUES (1)"
        )
        changed = []

        class Model(View):
            def step(self, change, final_path):
                changed.append(change.changed_columns)

        with Coordinator(Model(), self.store.fetch("wide", sort="id"), load=True):
            self.store.execute("UPDATE wide SET c1 = 1, c62 = 1")
            self.store.execute("UPDATE wide SET c1 = 2, c65 = 1")
        self.assertEqual(changed, [("c1", "c62"), None])


class Counts(Case):
    def test_are_reported_at_the_first_load_and_when_they_change(self):
        view = view_with({"count_changed"})
        self.store.execute("DELETE FROM items")
        with Coordinator(view, self.items) as coordinator:
            self.assertEqual(view.events, [])
            coordinator.load_data()
            coordinator.load_data()
            self.store.insert("items", id=1, name="x")
            self.store.update("items", 1, name="y")
            self.store.delete("items", 1)
        self.assertEqual(view.events, [("count_changed", 0), ("count_changed", 1), ("count_changed", 0)])


class Loading(Case):
    def test_precedes_everything_else(self):
        view = view_with(ALL)
        coordinator = Coordinator(view, self.items)
        self.items.perform_fetch()
        self.store.delete("items", 1)
        self.assertEqual((view.events, coordinator.loaded), ([], False))
        coordinator.load_data()
        self.assertEqual((view.events, coordinator.loaded), (["reload", ("count_changed", 2)], True))

    def test_can_take_the_list_as_it_is(self):
        self.items.perform_fetch()
        rows = self.items.counters.rows_read
        coordinator = Coordinator(view_with({"reload"}), self.items)
        coordinator.load_data(fetch=False)
        self.assertEqual((coordinator.view.events, self.items.counters.rows_read), (["reload"], rows))

    def test_that_fails_changes_nothing(self):
        items = Controller(self.store, Request("items", "abs(-9223372036854775806 - id) > 0"))
        coordinator = Coordinator(view_with(ALL), items)
        with self.assertRaises(Exception) as caught:
            coordinator.load_data()
        self.assertIn("overflow", str(caught.exception))
        self.assertEqual((coordinator.view.events, coordinator.loaded), ([], False))

    def test_inside_a_callback_follows_after_the_round(self):
        coordinator = self.follow()
        coordinator.view.act["begin"] = coordinator.load_data
        self.store.delete("items", 1)
        events = coordinator.view.events
        self.assertEqual(events[:3], ["begin", ("delete_rows", [(0, 1)]), "end"])
        self.assertEqual(events.count("reload"), 1)

    def test_in_a_block_ends_with_it(self):
        with Coordinator(view_with(ALL), self.items, load=True) as coordinator:
            self.assertIs(coordinator.live_list, self.items)
        coordinator.view.events.clear()
        self.store.delete("items", 1)
        self.assertEqual((coordinator.view.events, coordinator.closed), ([], True))


class Pausing(Case):
    def test_ends_with_a_reload(self):
        coordinator = self.follow()
        self.assertFalse(coordinator.paused)
        coordinator.paused = True
        self.store.delete("items", 1)
        self.assertEqual((coordinator.view.events, coordinator.paused, self.items.count), ([], True, 2))
        coordinator.paused = False
        self.assertEqual(coordinator.view.events, ["reload", ("count_changed", 2)])
        coordinator.paused = False
        coordinator.paused = True
        coordinator.paused = False
        self.assertEqual(coordinator.view.events, ["reload", ("count_changed", 2), "reload"])

    def test_ends_with_the_difference(self):
        coordinator = self.follow(difference=True)
        coordinator.paused = True
        self.store.delete("items", 1)
        self.store.insert("items", name="b", list_id=1)
        passing = self.store.insert("items", name="c", list_id=1)
        self.store.update("items", 2, rank=7)
        self.store.delete("items", passing.identity)
        coordinator.paused = False
        self.assertEqual(
            coordinator.view.events,
            [
                *["begin", ("delete_rows", [(0, 1)]), ("insert_rows", [(0, 1)]), "end"],
                ("update_cell", (0, 0), "apple"),
            ],
        )
        coordinator.view.events.clear()
        coordinator.paused = True
        self.store.insert("items", id=9, name="x")
        self.store.delete("items", 9)
        coordinator.paused = False
        self.assertEqual(coordinator.view.events, [])

    def test_continues_when_data_is_loaded(self):
        coordinator = self.follow()
        coordinator.paused = True
        coordinator.load_data()
        self.store.delete("items", 1)
        self.assertEqual((coordinator.view.events, coordinator.paused), (["reload"], True))

    def test_before_the_first_load_does_nothing(self):
        coordinator = Coordinator(view_with(ALL), self.items)
        coordinator.paused = True
        coordinator.paused = False
        self.assertEqual(coordinator.view.events, [])

    def test_inside_a_callback_lets_the_batch_end(self):
        coordinator = self.follow()

        def pause():
            coordinator.paused = True

        coordinator.view.act["begin"] = pause
        self.store.delete("items", 1)
        self.store.delete("items", 2)
        self.assertEqual(coordinator.view.events[:3], ["begin", ("delete_rows", [(0, 1)]), "end"])
        self.assertEqual(coordinator.view.events.count("begin"), 1)
        coordinator.paused = False
        self.assertEqual(coordinator.view.events[-2:], ["reload", ("count_changed", 1)])

    def test_of_the_list_is_reported_by_it(self):
        coordinator = self.follow()
        self.items.pause()
        self.store.delete("items", 1)
        self.assertEqual(coordinator.view.events, [])
        self.items.resume()
        self.assertEqual(coordinator.view.events, ["begin", ("delete_rows", [(0, 1)]), "end", ("count_changed", 2)])


class Fetching(StoreTestCase):
    """A store to which another connection has written, which it detects at `dispatch`: until then
    only a fetch shows the new state."""

    def setUp(self) -> None:
        path = self.folder() / "items.db"
        self.store = self.open(path)
        self.store.executescript("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
        self.store.insert("items", name="apple")
        self.other = sqlite3.connect(str(path), isolation_level=None)
        self.addCleanup(self.other.close)
        self.items = Controller(self.store, Request("items", sort="name"))

    def follow(self, live_list=None, methods=("reload", "count_changed"), **options) -> Coordinator:
        shown = self.items if live_list is None else live_list
        coordinator = Coordinator(view_with(methods), shown, load=True, **options)
        self.addCleanup(coordinator.close)
        coordinator.view.events.clear()
        return coordinator

    def pause(self, coordinator: Coordinator) -> None:
        coordinator.paused = True
        self.write()
        coordinator.paused = False

    def write(self) -> None:
        self.other.execute("INSERT INTO items (name) VALUES ('bread')")

    def test_is_done_again_when_data_is_loaded_again(self):
        coordinator = self.follow()
        self.write()
        self.assertEqual(self.items.count, 1)
        coordinator.load_data()
        self.assertEqual((self.items.count, coordinator.view.events), (2, ["reload", ("count_changed", 2)]))
        self.assertEqual(self.items.counters.rereads[RereadReason.FOREIGN], 0)

    def test_is_done_again_at_the_end_of_a_pause(self):
        coordinator = self.follow()
        self.pause(coordinator)
        self.assertEqual((self.items.count, coordinator.view.events), (2, ["reload", ("count_changed", 2)]))

    def test_is_not_done_at_the_end_of_a_pause_with_the_difference(self):
        coordinator = self.follow(difference=True)
        self.pause(coordinator)
        self.assertEqual((self.items.count, coordinator.view.events), (1, []))
        self.store.dispatch()
        self.assertEqual((self.items.count, coordinator.view.events), (2, ["reload", ("count_changed", 2)]))

    def test_is_done_again_inside_a_callback(self):
        for again in (lambda: coordinator.load_data(), lambda: self.pause(coordinator)):
            with self.subTest():
                coordinator = self.follow(methods={"reload", "insert_rows"})
                coordinator.view.act["insert_rows"] = lambda again=again: (coordinator.view.act.clear(), again())
                count = self.items.count
                self.write()
                self.store.insert("items", name="x")
                self.assertEqual((self.items.count, coordinator.view.events[-1]), (count + 2 + (count > 1), "reload"))
                coordinator.close()

    def test_notifies_all_of_the_changes_while_others_follow_the_list(self):
        reported: list = []
        follow = {
            "an observer": lambda: self.items.add_observer(reported.append),
            "a coordinator": lambda: Coordinator(View(), self.items, load=True),
            "a collection": lambda: Collection([self.items], fetch=True),
        }
        for name, begin in follow.items():
            with self.subTest(name):
                coordinator = self.follow()
                count, other = self.items.count, begin()
                reported.clear()
                self.write()
                coordinator.load_data()
                self.assertEqual((self.items.count, len(reported)), (count + 1, name == "an observer"))
                self.pause(coordinator)
                self.assertEqual((self.items.count, len(reported)), (count + 2, 2 * (name == "an observer")))
                self.assertEqual(coordinator.view.events.count("reload"), 3)
                other.cancel() if name == "an observer" else other.close()
                self.write()
                coordinator.load_data()
                self.assertEqual(self.items.count, count + 3)
                coordinator.close()

    def test_is_done_again_of_maps_and_collections(self):
        keyed = SectionMap.with_keys(self.store, Request("items", sort="name"), ["apple", "bread"], "name")
        both = Collection([Controller(self.store, Request("items")), Collection([self.items])])
        for live_list in (keyed, both):
            with self.subTest(type(live_list)):
                coordinator = self.follow(live_list)
                count = live_list.count
                self.write()
                coordinator.load_data()
                self.assertGreater(live_list.count, count)
                count = live_list.count
                self.pause(coordinator)
                self.assertGreater(live_list.count, count)


class Errors(Case):
    def test_in_every_method_reach_the_caller_and_nothing_is_lost(self):
        expected = None
        for method in [None, "begin", "delete_rows", "insert_rows", "move_rows", "end", "update_cell", "count_changed"]:
            with self.subTest(method):
                coordinator = self.follow()
                error = Failure(method)

                def fail(error=error):
                    raise error

                if method is not None:
                    coordinator.view.act[method] = fail
                other = self.follow()
                try:
                    with self.store.transaction():
                        self.store.delete("items", 1)
                        self.store.insert("items", id=5, name="b", list_id=2)
                        self.store.insert("items", id=6, name="c", list_id=2)
                        self.store.update("items", 2, list_id=2)
                        self.store.update("items", 3, list_id=1)
                except Failure as caught:
                    self.assertIs(caught, error)
                else:
                    self.assertIsNone(method)
                expected = expected or coordinator.view.events
                self.assertEqual(coordinator.view.events, expected)
                self.assertEqual(other.view.events, expected)
                other.close()
                coordinator.close()
                self.store.executescript("""
                    DELETE FROM items;
                    INSERT INTO items VALUES (1, 'bread', 2.0, 1), (2, 'apple', 1.0, 1), (3, 'cider', 3.0, 2);
                """)

    def test_of_a_reload_reach_who_loads_and_who_resumes(self):
        def fail():
            raise Failure

        view = view_with({"reload"})
        view.act["reload"] = fail
        coordinator = Coordinator(view, self.items)
        with self.assertRaises(Failure):
            coordinator.load_data()
        self.assertTrue(coordinator.loaded)
        coordinator.paused = True
        with self.assertRaises(Failure):
            coordinator.paused = False
        self.assertFalse(coordinator.paused)
        self.assertEqual(view.events, ["reload", "reload"])

    def test_of_the_constructor_that_loads_leave_nothing_behind(self):
        view = view_with({"reload"})

        def fail():
            raise Failure

        view.act["reload"] = fail
        with self.assertRaises(Failure):
            Coordinator(view, self.items, load=True)
        gc.collect()
        self.store.delete("items", 1)
        self.assertEqual(view.events, ["reload"])

    def test_of_commits_are_reported(self):
        failures = []

        class Failing(View):
            def did_fail(self, error):
                failures.append(type(error))

        with Coordinator(Failing(), self.items, load=True) as coordinator:
            self.store.execute("ALTER TABLE items RENAME TO things")
            coordinator.paused = True
            self.store.execute("ALTER TABLE things RENAME TO items")
        self.assertEqual(failures, [SchemaError])


class WrongUse(Case):
    def test_is_reported(self):
        for make in (
            lambda: Coordinator(object(), self.items),
            lambda: Coordinator(Observer(), self.items),
            lambda: Coordinator(View, self.items),
            lambda: Coordinator(View(), self.store),
            lambda: Coordinator(View(), None),
            lambda: Coordinator(View()),
            lambda: Coordinator(View(), self.items, 1),
            lambda: Coordinator(View(), self.items, moves=False),
        ):
            with self.assertRaises(TypeError):
                make()
        self.items.close()
        with self.assertRaises(ClosedError):
            Coordinator(View(), self.items)

    def test_of_one_that_is_closed_or_whose_list_is(self):
        for close in ("coordinator", "items", "store"):
            with self.subTest(close):
                store = Store()
                store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY)")
                items = store.fetch("items")
                coordinator = Coordinator(View(), items, load=True)
                {"coordinator": coordinator, "items": items, "store": store}[close].close()
                with self.assertRaises(ClosedError):
                    coordinator.load_data()
                self.assertIn("close", repr(coordinator))
                if close != "store":
                    with self.assertRaises(ClosedError):
                        coordinator.paused = True
                if close == "coordinator":
                    for name in ("paused", "loaded"):
                        with self.assertRaises(ClosedError):
                            getattr(coordinator, name)
                self.assertIs(coordinator.live_list, items)
                store.close()


class Lives(Case):
    def test_end_in_any_order(self):
        for order in ("store items coordinator", "items coordinator store", "coordinator store items"):
            store = Store()
            store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY)")
            items = store.fetch("items")
            coordinator = Coordinator(view_with(ALL), items, load=True)
            things = {"store": store, "items": items, "coordinator": coordinator}
            for name in order.split():
                things[name].close()
                things[name].close()
            self.assertTrue(coordinator.closed)

    def test_end_inside_each_callback(self):
        for method in ("begin", "delete_rows", "end", "update_cell"):
            for what in ("coordinator", "items", "store"):
                with self.subTest(method, what=what):
                    store = Store()
                    store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
                    store.executemany("INSERT INTO items VALUES (?, 'x')", [(1,), (2,)])
                    items = store.fetch("items")
                    view = view_with({"begin", "delete_rows", "end", "update_cell"})
                    coordinator = Coordinator(view, items, load=True)
                    view.act[method] = {"coordinator": coordinator, "items": items, "store": store}[what].close
                    with store.transaction():
                        store.delete("items", 1)
                        store.update("items", 2, name="y")
                    last = view.events[-1]
                    self.assertEqual(last if isinstance(last, str) else last[0], method)
                    self.assertEqual(len(view.events), ["begin", "delete_rows", "end", "update_cell"].index(method) + 1)
                    store.close()

    def test_end_when_nothing_refers_to_them(self):
        view = view_with({"reload"})
        coordinator = Coordinator(view, self.items, load=True)
        view.coordinator = coordinator
        items, dropped = weakref.ref(self.items), weakref.ref(coordinator)
        events = view.events
        del view, coordinator
        gc.collect()
        self.assertIsNone(dropped())
        self.store.delete("items", 1)
        self.assertEqual(events, ["reload"])
        del self.items
        gc.collect()
        self.assertIsNone(items())

    def test_keep_view_and_list(self):
        view = view_with({"reload"})
        events = view.events
        coordinator = Coordinator(view, self.store.fetch("items"), load=True)
        del view
        gc.collect()
        self.store.delete("items", 1)
        self.assertEqual(events, ["reload", "reload"])
        self.assertFalse(coordinator.live_list.closed)


if __name__ == "__main__":
    unittest.main()
