"""The list models for GLib through PyGObject: what bindings can use of them."""

import sqlite3
import tempfile
import unittest
from pathlib import Path

import gi

gi.require_version("FrG", "1")
from gi.repository import FrG, Gio, GLib, GObject  # noqa: E402

SCHEMA = """CREATE TABLE lists (id INTEGER PRIMARY KEY, title TEXT, position REAL);
    CREATE TABLE tasks (id INTEGER PRIMARY KEY, list_id REFERENCES lists, title TEXT, done INTEGER DEFAULT 0, data);
    INSERT INTO lists VALUES (1, 'Home', 2.5), (2, 'Work', 1.5), (3, 'Empty', 3.5);
    INSERT INTO tasks (list_id, title) VALUES (1, 'bake'), (2, 'call'), (1, 'ask')"""


def titles(model):
    return [item.get_string("title") for item in model]


def run_until(condition):
    """Runs the main loop until something holds; a test that hangs is ended by its caller."""
    while not condition():
        GLib.MainContext.default().iteration(True)


class Models(unittest.TestCase):
    def setUp(self):
        self.store = FrG.Store.new(":memory:", FrG.StoreFlags.DEFAULT)
        self.store.execute_script(SCHEMA)

    def fails_with(self, code, function, *arguments):
        with self.assertRaises(GLib.Error) as caught:
            function(*arguments)
        self.assertTrue(caught.exception.matches(FrG.store_error_quark(), code), caught.exception)
        return caught.exception.message

    def test_a_model_is_a_live_list(self):
        request = FrG.Request(
            entity="tasks", predicate="done = ?", parameters=GLib.Variant("(i)", (0,)), sort=["title"]
        )
        model = FrG.ListModel.new(self.store, request)
        self.assertIsInstance(model, Gio.ListModel)
        self.assertEqual(model.props.item_type.name, "FrGItem-tasks")
        self.assertTrue(model.props.item_type.is_a(FrG.Item.__gtype__))
        signals, lengths = [], []
        model.connect("items-changed", lambda _, *change: signals.append(change))
        model.connect("notify::n-items", lambda *_: lengths.append(model.props.n_items))
        self.assertEqual(titles(model), ["ask", "bake", "call"])
        self.store.execute("INSERT INTO tasks (list_id, title) VALUES (?, ?)", GLib.Variant("(is)", (2, "bind")))
        self.store.execute(
            "UPDATE tasks SET done = 1 WHERE title = :title", GLib.Variant("a{sv}", {"title": GLib.Variant("s", "ask")})
        )
        self.store.execute("UPDATE tasks SET title = 'CALL' WHERE title = ?", GLib.Variant("s", "call"))
        self.assertEqual(signals, [(2, 0, 1), (0, 1, 0), (0, 3, 3)])
        self.assertEqual(titles(model), ["CALL", "bake", "bind"])
        self.assertEqual(lengths, [4, 3])

    def test_an_item_stays_with_its_row(self):
        model = FrG.ListModel.new(self.store, FrG.Request(entity="tasks", sort=["title"]))
        item = model[2]
        label = FrG.Request(entity="copy")
        item.bind_property("title", label, "entity", GObject.BindingFlags.SYNC_CREATE)
        changes, signals = [], []
        item.connect("changed", lambda item: changes.append(item.props.title))
        model.connect("items-changed", lambda _, *change: signals.append(change))
        self.assertEqual(label.props.entity, "call")
        self.store.execute("UPDATE tasks SET title = 'cook' WHERE title = 'call'", None)
        self.assertEqual((changes, signals, label.props.entity), (["cook"], [], "cook"))
        self.store.execute("UPDATE tasks SET title = 'a' WHERE title = 'cook'", None)
        self.assertEqual((changes, signals), (["cook", "a"], [(0, 3, 3)]))
        self.assertIs(model[0], item)

    def test_an_edit_is_shown_until_it_comes_back(self):
        model = FrG.ListModel.new(self.store, FrG.Request(entity="tasks", sort=["title"]))
        item, failed = model[2], []
        item.connect("edit-failed", lambda _, column, message: failed.append((column, message)))
        item.edit("title", GLib.Variant("s", "cook"))
        self.assertEqual((item["title"], item.props.title, item.props.pending), ("cook", "cook", True))
        self.assertEqual((item.is_pending("title"), item.is_pending("id")), (True, False))
        self.store.execute("UPDATE tasks SET title = 'cook' WHERE title = 'call'", None)
        self.assertEqual((item["title"], item.props.pending), ("cook", False))
        edit = item.edit("title", GLib.Variant("s", "fry"))
        edit.fail("there is no oil")
        self.assertEqual((item["title"], failed), ("cook", [("title", "there is no oil")]))

    def test_more_signals_than_the_threshold_are_one_range(self):
        model = FrG.ListModel.new(self.store, FrG.Request(entity="tasks", sort=["id"]))
        self.assertEqual(model.props.reload_threshold, 20)
        signals, changed = [], []
        model.connect("items-changed", lambda _, *change: signals.append(change))
        model.connect("notify::reload-threshold", lambda *_: changed.append(model.get_reload_threshold()))
        steps = ((2, [(0, 1, 1), (2, 1, 1)]), (1, [(0, 3, 3)]), (-1, [(0, 1, 1), (2, 1, 1)]))
        for step, (threshold, expected) in enumerate(steps):
            model.props.reload_threshold = threshold
            self.store.execute_script(
                f"BEGIN; DELETE FROM tasks WHERE id <> 2;"
                f"INSERT INTO tasks (id, title) VALUES ({-step}, 'x'), ({4 + step}, 'y'); COMMIT"
            )
            self.assertEqual(signals, expected)
            signals.clear()
        self.assertEqual(changed, [2, 1, -1])

    def test_values_have_the_types_of_sqlite(self):
        self.store.execute("UPDATE tasks SET data = ?, done = ?", GLib.Variant("(ayi)", (b"\x00\xff", 7)))
        self.store.execute("UPDATE tasks SET title = ?", GLib.Variant("(ms)", (None,)))
        item = FrG.ListModel.new(self.store, FrG.Request(entity="tasks"))[0]
        self.assertEqual(item.get_columns(), ["id", "list_id", "title", "done", "data"])
        self.assertEqual(item.get_entity(), "tasks")
        self.assertEqual([item.get_value(column) for column in ("id", "done", "title")], [1, 7, None])
        self.assertEqual(bytes(item.get_value("data").unpack()), b"\x00\xff")
        self.assertEqual((item.get_string("title"), item.get_string("done"), item.get_int64("done")), (None, "7", 7))
        self.assertEqual((item.is_null("title"), item.get_boolean("done"), item.get_double("done")), (True, True, 7.0))
        self.assertEqual(item.get_bytes("data").get_data(), b"\x00\xff")
        position = FrG.ListModel.new(self.store, FrG.Request(entity="lists"))[0].get_value("position")
        self.assertEqual(position, 2.5)
        self.assertIn("titel", self.fails_with(FrG.StoreError.SCHEMA, item.get_value, "titel"))

    def test_sections(self):
        request = FrG.Request(entity="tasks", section="-list_id", sort=["title"])
        sections = FrG.SectionList.new(self.store, request)
        self.assertEqual(
            [(each.props.section_name, titles(each)) for each in sections], [("2", ["call"]), ("1", ["ask", "bake"])]
        )

    def test_a_section_map(self):
        lists = FrG.Request(entity="lists", sort=["position"])
        sections = FrG.SectionList.new_for_map(self.store, FrG.Request(entity="tasks"), lists, "list_id")
        shown = [(each.get_section_item().get_string("title"), len(each)) for each in sections]
        self.assertEqual(shown, [("Work", 1), ("Home", 2), ("Empty", 0)])
        self.store.execute("UPDATE tasks SET list_id = 3 WHERE id = 2", None)
        self.assertEqual([len(each) for each in sections], [0, 2, 1])

    def test_a_window(self):
        model = FrG.ListModel.new(self.store, FrG.Request(entity="tasks", sort=["title"]))
        window = model.open_window(1, 0, 0)
        self.assertEqual((titles(window), window.get_window_position()), (["bake"], 1))
        self.assertTrue(window.grow_window(1, 5))
        self.assertEqual(titles(window), ["ask", "bake", "call"])
        self.assertTrue(window.grow_window(-1, -5) and window.move_window(1))
        self.assertEqual(titles(window), ["call"])
        self.fails_with(FrG.StoreError.MISUSE, model.move_window, 1)

    def test_totals(self):
        request = FrG.Request(entity="tasks", section="list_id", sort=["title"])
        request.add_total("tasks", FrG.TotalFunction.COUNT, None)
        request.add_total("last", FrG.TotalFunction.MAX, "title")
        sections = FrG.SectionList.new(self.store, request)
        first, shown = sections[0], FrG.Request(entity="bound")
        self.assertEqual((sections.props.totals.props.tasks, first.props.totals.props.tasks), (3, 2))
        first.props.totals.bind_property("last", shown, "entity", GObject.BindingFlags.SYNC_CREATE)
        self.assertEqual(shown.props.entity, "bake")
        self.store.execute("UPDATE tasks SET title = 'bite' WHERE title = 'bake'", None)
        self.assertEqual(shown.props.entity, "bite")
        self.assertIsNone(FrG.ListModel.new(self.store, FrG.Request(entity="tasks")).props.totals)

    def test_another_request(self):
        request = FrG.Request(entity="tasks", sort=["title"])
        model = FrG.ListModel.new(self.store, request)
        request.props.predicate = "title LIKE ?"
        request.props.parameters = GLib.Variant("(s)", ("%a%",))
        request.props.sort = ["-title"]
        self.assertTrue(model.set_request(request))
        self.assertEqual(titles(model), ["call", "bake", "ask"])
        request.props.predicate = "no such"
        self.fails_with(FrG.StoreError.SQL, model.set_request, request)
        self.assertEqual(titles(model), ["call", "bake", "ask"])

    def test_properties_make_a_model_that_init_opens(self):
        store = FrG.Store(path=":memory:", flags=FrG.StoreFlags.QUEUED)
        self.fails_with(FrG.StoreError.CLOSED, store.execute, "SELECT 1", None)
        self.assertTrue(store.init(None) and store.props.is_open)
        store.execute_script(SCHEMA)
        model = FrG.ListModel(store=store, request=FrG.Request(entity="tasks"))
        self.assertEqual(len(model), 0)
        model.init(None)
        self.assertEqual(len(model), 3)
        self.fails_with(FrG.StoreError.MISUSE, FrG.ListModel().init, None)
        self.fails_with(FrG.StoreError.MISUSE, FrG.Store().init, None)

    def test_types_of_a_program(self):
        class Tasks(FrG.ListModel):
            pass

        class Nothing(FrG.LiveModel):
            pass

        request = FrG.Request(entity="tasks")
        tasks, nothing = Tasks(store=self.store, request=request), Nothing(store=self.store, request=request)
        tasks.init(None)
        self.store.execute("DELETE FROM tasks WHERE id = 1", None)
        self.assertEqual(titles(tasks), ["call", "ask"])
        self.fails_with(FrG.StoreError.MISUSE, nothing.init, None)
        self.assertEqual((len(nothing), nothing.get_item(0), nothing.get_item_type().name), (0, None, "GObject"))

    def test_failures_are_errors_of_a_domain(self):
        self.assertIn(
            "nothing",
            self.fails_with(FrG.StoreError.SCHEMA, FrG.ListModel.new, self.store, FrG.Request(entity="nothing")),
        )
        self.fails_with(FrG.StoreError.SQL, self.store.execute, "SELEKT", None)
        self.fails_with(FrG.StoreError.SQL, self.store.execute, "SELECT ?", None)
        self.fails_with(FrG.StoreError.TYPE, self.store.execute, "SELECT ?", GLib.Variant("(as)", (["no"],)))
        self.fails_with(FrG.StoreError.IO, FrG.Store.new, "/no such folder/tasks.db", 0)
        self.fails_with(FrG.StoreError.CONSTRAINT, self.store.execute, "INSERT INTO tasks (list_id) VALUES (9)", None)
        self.fails_with(FrG.StoreError.MISUSE, self.store.commit)
        self.store.close()
        self.fails_with(FrG.StoreError.CLOSED, self.store.begin)

    def test_a_transaction_is_delivered_when_it_commits(self):
        model = FrG.ListModel.new(self.store, FrG.Request(entity="tasks"))
        self.store.begin()
        self.store.execute("DELETE FROM tasks", None)
        self.assertEqual((self.store.get_changes(), len(model)), (3, 3))
        self.store.rollback()
        self.store.begin()
        self.store.execute("DELETE FROM tasks WHERE id = 1", None)
        self.store.commit()
        self.assertEqual(len(model), 2)

    def test_the_main_loop_delivers_what_others_commit(self):
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "tasks.db")
            store = FrG.Store.new(path, FrG.StoreFlags.QUEUED)
            store.execute_script(SCHEMA)
            model = FrG.ListModel.new(store, FrG.Request(entity="tasks"))
            store.execute("DELETE FROM tasks WHERE id = 3", None)
            self.assertEqual(len(model), 3)
            run_until(lambda: len(model) == 2)
            with sqlite3.connect(path) as other:
                other.execute("INSERT INTO tasks (title) VALUES ('from outside')")
            other.close()
            run_until(lambda: len(model) == 3)
            self.assertEqual(titles(model)[-1], "from outside")
            store.close()


class Additions(unittest.TestCase):
    """What gi.overrides.FrG adds."""

    def setUp(self):
        self.store = FrG.Store.new(":memory:", FrG.StoreFlags.DEFAULT)
        self.store.execute_script(SCHEMA)
        self.tasks = FrG.ListModel.new(self.store, FrG.Request(entity="tasks"))

    def test_parameters_are_values_of_python(self):
        values = (True, 2**62, 1.5, "text", b"\x00\xff", None, bytearray(b"x"), GLib.Variant("y", 7))
        row = self.store.query("SELECT ? AS a, ? AS b, ? AS c, ? AS d, ? AS e, ? AS f, ? AS g, ? AS h", values)[0]
        self.assertEqual(list(dict(row).values()), [1, 2**62, 1.5, "text", b"\x00\xff", None, b"x", 7])
        self.assertEqual(list(row), list("abcdefgh"))
        self.store.execute("UPDATE tasks SET title = :title WHERE id = :id", {"title": "BAKE", "id": 1})
        self.store.execute("UPDATE tasks SET done = ?", 1)
        self.assertEqual([row["n"] for row in self.store.query("SELECT count(*) AS n FROM tasks WHERE done")], [3])
        request = FrG.Request(entity="tasks", predicate="title = ?", parameters=["BAKE"])
        self.assertEqual([item["id"] for item in FrG.ListModel.new(self.store, request)], [1])
        with self.assertRaises(TypeError):
            self.store.execute("SELECT ?", (object(),))
        with self.assertRaises(OverflowError):
            self.store.execute("SELECT ?", (2**64,))

    def test_an_item_maps_columns_to_values(self):
        item = self.tasks[0]
        self.assertEqual((item["title"], item["data"]), ("bake", None))
        self.assertEqual(dict(item), {"id": 1, "list_id": 1, "title": "bake", "done": 0, "data": None})
        with self.assertRaises(KeyError):
            item["titel"]

    def test_a_model_is_a_sequence(self):
        item, other = self.tasks[-1], FrG.ListModel.new(self.store, FrG.Request(entity="lists"))[0]
        self.assertEqual([each["id"] for each in self.tasks[1:]], [2, 3])
        self.assertEqual(self.tasks.index(item), 2)
        self.assertTrue(item in self.tasks and other not in self.tasks and "item" not in self.tasks)
        with self.assertRaises(ValueError):
            self.tasks.index(other)

    def test_stores_and_transactions_end_with_their_blocks(self):
        with self.store as store:
            with store.transaction():
                store.execute("DELETE FROM tasks WHERE id = 1")
            self.assertEqual(len(self.tasks), 2)
            with self.assertRaises(ZeroDivisionError), store.transaction():
                store.execute("DELETE FROM tasks")
                1 / 0
            self.assertEqual(len(self.tasks), 2)
        self.assertFalse(self.store.is_open())
        with self.store:
            pass

    def test_a_transaction_that_can_not_commit_is_rolled_back(self):
        self.store.execute_script("PRAGMA defer_foreign_keys = 0")
        with self.assertRaises(GLib.Error), self.store.transaction():
            self.store.execute_script("PRAGMA defer_foreign_keys = 1; UPDATE tasks SET list_id = 9")
        with self.store.transaction():
            self.assertEqual(self.tasks[0]["list_id"], 1)

    def test_rows_are_objects_of_the_program(self):
        class Task(GObject.Object):
            title = GObject.Property(type=str)

        def task_of(row, former):
            task = former or Task()
            task.title = row["title"]
            return task

        tasks = FrG.ObjectList.new(self.tasks, task_of)
        first, selection = tasks[0], FrG.Selection.new(tasks, False)
        self.assertTrue(selection.select(0, 1, True))
        self.store.execute("UPDATE tasks SET id = 9, title = 'BAKE' WHERE id = 1")
        self.store.execute("INSERT INTO tasks (id, title) VALUES (1, 'new')")
        self.assertEqual([task.title for task in tasks], ["new", "call", "ask", "BAKE"])
        self.store.execute("UPDATE tasks SET title = 'first' WHERE id = 2")
        self.assertEqual((first.title, tasks[1].title), ("bake", "first"))
        self.assertEqual(list(selection.dup_positions()), [])

    def test_a_row_is_put_before_another_one(self):
        lists = FrG.ListModel.new(self.store, FrG.Request(entity="lists", sort=["position"]))
        self.assertEqual([each["title"] for each in lists], ["Work", "Home", "Empty"])
        lists.move("position", lists[2], lists[1])
        lists.move("position", lists[0])
        self.assertEqual(
            [(each["title"], each["position"]) for each in lists], [("Empty", 2), ("Home", 2.5), ("Work", 3.25)]
        )

    def test_a_move_is_sent_elsewhere(self):
        lists = FrG.ListModel.new(self.store, FrG.Request(entity="lists", sort=["position"]))
        edits = []
        lists.submit_move("position", lists[2], lists[1], edits.append)
        [edit] = edits
        item, column = edit.get_item(), edit.get_column()
        self.assertEqual((item["title"], column, item[column], item.props.pending), ("Empty", "position", 2, True))
        edit.fail("no")
        self.assertEqual((item.props.pending, edit.get_item()), (False, None))
        self.assertEqual([each["title"] for each in lists], ["Work", "Home", "Empty"])


if __name__ == "__main__":
    unittest.main()
