"""The call that made a callback raises what the callback raised."""

from __future__ import annotations

import unittest

from support import Recorder, StoreTestCase, contexts, names, run_python

from fetchedresults import CancelledError, FetchedResultsError, Observer, SQLError


class Failure(Exception):
    pass


class Raising(Observer):
    """Raises in one method, given by its name."""

    def __init__(self, method: str, error: BaseException) -> None:
        self.method, self.error = method, error

    def _raise(self, method: str) -> None:
        if method == self.method:
            raise self.error

    def will_change(self, controller):
        self._raise("will_change")

    def section_changed(self, controller, section, change):
        self._raise("section_changed")

    def object_changed(self, controller, object, change):
        self._raise("object_changed")

    def did_deliver(self, controller, changes):
        self._raise("did_deliver")

    def did_change(self, controller):
        self._raise("did_change")


class Observers(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.items = self.store.fetch("items", sort="name", section="list_id")

    def test_raise_from_the_writing_call_whichever_method_it_was(self):
        for method in ("will_change", "section_changed", "object_changed", "did_deliver", "did_change"):
            with self.subTest(method):
                error = Failure(method)
                with self.items.add_observer(Raising(method, error)), self.assertRaises(Failure) as caught:
                    self.store.insert("lists", id=100 + self.items.count, title=method)
                    self.store.insert("items", name=method, list_id=100 + self.items.count)
                self.assertIs(caught.exception, error)
                self.assertIsNotNone(self.items.index_path_of(self.store.last_insert_rowid))

    def test_do_not_stop_the_others(self):
        recorder = Recorder()
        self.items.add_observer(Raising("will_change", Failure()))
        self.items.add_observer(recorder)
        with self.assertRaises(Failure):
            self.store.insert("items", name="x", list_id=1)
        self.assertEqual([event[0] for event in recorder.events], ["will", "object", "changes", "did"])

    def test_leave_the_write_done(self):
        self.items.add_observer(Raising("did_deliver", Failure()))
        with self.assertRaises(Failure), self.store.transaction():
            self.store.insert("items", name="x", list_id=1)
        self.assertFalse(self.store.in_transaction)
        self.assertEqual(names(self.items), [["apple", "bread", "x"], ["cider"]])

    def test_raise_from_every_call_that_delivers(self):
        def raising(changes):
            raise Failure

        self.items.add_observer(raising)
        for name, deliver in {
            "execute": lambda: self.store.execute("UPDATE items SET rank = rank + 1"),
            "executescript": lambda: self.store.executescript("UPDATE items SET rank = rank + 1"),
            "executemany": lambda: self.store.executemany("UPDATE items SET rank = ?", [(50,)]),
            "query": lambda: self.store.query("UPDATE items SET rank = rank + 1"),
            "rows": lambda: list(self.store.query("UPDATE items SET rank = rank + 1 RETURNING id")),
            "update": lambda: self.store.update("items", 1, rank=77),
            "delete": lambda: self.store.delete("items", 1),
            "insert": lambda: self.store.insert("items", name="x"),
            "set_request": lambda: self.items.set_request(self.items.request.replace(limit=1)),
        }.items():
            with self.subTest(name), self.assertRaises(Failure):
                deliver()
        self.assertFalse(self.store.in_transaction)

    def test_of_a_changed_request_leave_it_changed(self):
        self.items.add_observer(Raising("will_change", Failure()))
        request = self.items.request.replace(limit=1)
        with self.assertRaises(Failure):
            self.items.set_request(request)
        self.assertIs(self.items.request, request)
        self.assertEqual(self.items.count, 1)

    def test_raise_from_commit_and_from_dispatch(self):
        def raising(changes):
            raise Failure

        queued = self.open(queued=True)
        queued.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)")
        rows = queued.fetch("t")
        rows.add_observer(raising)
        queued.insert("t")
        with self.assertRaises(Failure):
            queued.dispatch()
        self.items.add_observer(raising)
        self.store.begin()
        self.store.insert("items", name="x")
        with self.assertRaises(Failure):
            self.store.commit()
        self.assertFalse(self.store.in_transaction)

    def test_raise_the_first_error_with_the_others_in_its_contexts(self):
        errors = [Failure(number) for number in range(3)]
        for error in errors:
            self.items.add_observer(Raising("did_deliver", error))
        with self.assertRaises(Failure) as caught:
            self.store.insert("items", name="x")
        self.assertEqual(contexts(caught.exception), errors)

    def test_keep_contexts_that_errors_have_and_those_of_the_caller(self):
        def raising(changes):
            try:
                1 / 0
            except ZeroDivisionError:
                raise Failure from None

        self.items.add_observer(raising)
        try:
            try:
                raise KeyError("of the caller")
            except KeyError:
                self.store.insert("items", name="x")
        except Failure as error:
            self.assertEqual([type(each) for each in contexts(error)][:2], [Failure, ZeroDivisionError])
        else:
            self.fail("nothing was raised")

    def test_may_raise_the_same_error_twice(self):
        error = Failure()
        for _ in range(2):
            self.items.add_observer(Raising("did_deliver", error))
        with self.assertRaises(Failure) as caught:
            self.store.insert("items", name="x")
        self.assertEqual(contexts(caught.exception), [error])

    def test_raise_keyboard_interrupt_before_anything_else(self):
        first = Failure()
        self.items.add_observer(Raising("will_change", first))
        self.items.add_observer(Raising("did_change", KeyboardInterrupt()))
        with self.assertRaises(KeyboardInterrupt) as caught:
            self.store.insert("items", name="x")
        self.assertIn(first, contexts(caught.exception))
        self.assertIsNotNone(self.items.index_path_of(4))

    def test_errors_of_calls_inside_callbacks_are_raised_there(self):
        seen = []

        def careful(changes):
            try:
                self.store.execute("SELEKT")
            except SQLError as error:
                seen.append(error)

        self.items.add_observer(Raising("will_change", Failure("outer")))
        self.items.add_observer(careful)
        with self.assertRaisesRegex(Failure, "outer"):
            self.store.insert("items", name="x")
        self.assertEqual(len(seen), 1)

    def test_errors_of_calls_inside_callbacks_that_are_not_caught_propagate(self):
        self.items.add_observer(lambda changes: self.store.execute("SELEKT"))
        with self.assertRaises(SQLError):
            self.store.insert("items", name="x")
        self.assertEqual(self.items.count, 4)

    def test_of_a_write_inside_a_callback_raise_from_the_outermost_call(self):
        inner = []

        def writing(changes):
            if self.items.count == 4:
                self.store.insert("items", name="y")
                inner.append("went on")
            else:
                raise Failure("second round")

        self.items.add_observer(writing)
        with self.assertRaisesRegex(Failure, "second round"):
            self.store.insert("items", name="x")
        self.assertEqual((inner, self.items.count), (["went on"], 5))


class OtherCallbacks(StoreTestCase):
    def test_collations_raise_from_the_call_that_compared(self):
        def compare(a, b):
            raise Failure

        self.store.add_collation("BROKEN", compare)
        with self.assertRaises(Failure) as caught:
            list(self.store.query("SELECT name FROM items ORDER BY name COLLATE BROKEN"))
        self.assertEqual([type(each) for each in contexts(caught.exception)], [Failure, FetchedResultsError])

    def test_collations_that_raise_leave_a_usable_store(self):
        def compare(a, b):
            if "x" in (a, b):
                raise Failure
            return (a > b) - (a < b)

        self.store.add_collation("SOMETIMES", compare)
        self.store.execute("CREATE TABLE t (name TEXT COLLATE SOMETIMES PRIMARY KEY)")
        self.store.insert("t", name="b")
        with self.assertRaises(Failure):
            self.store.get("t", "x")
        with self.assertRaises(Failure):
            self.store.execute("INSERT INTO t VALUES ('x')")
        with self.assertRaises(Failure), self.store.transaction():
            self.store.insert("t", name="c")
            self.store.execute("INSERT INTO t VALUES ('x')")
        self.store.insert("t", name="a")
        self.assertEqual(list(self.store.query("SELECT name FROM t ORDER BY name")), [("a",), ("b",)])

    def test_with_an_error_of_the_library_wins_the_callbacks(self):
        items = self.store.fetch("items")
        controller = self.store.controller(items.request)

        def progress(rows):
            raise Failure

        with self.assertRaises(Failure) as caught:
            controller.perform_fetch(progress=progress)
        self.assertIsInstance(contexts(caught.exception)[-1], CancelledError)

    def test_index_title_functions_raise_from_the_call_that_needs_the_title(self):
        items = self.store.fetch("items", section="name")

        def title(name):
            raise Failure(name)

        items.index_title_function = title
        with self.assertRaises(Failure):
            items.section_index_titles
        # A title that it did not make is not shown later.
        items.index_title_function = lambda name: next(outcomes)()
        outcomes = iter([lambda: "x", lambda: title("y"), lambda: "x", lambda: "x", lambda: "y", lambda: "z"])
        with self.assertRaises(Failure):
            items.section_index_titles
        self.assertEqual(items.section_index_titles, ["x", "y", "z"])
        items.index_title_function = lambda name: 3
        with self.assertRaises(AttributeError):
            items.section_index_titles
        items.index_title_function = None
        self.assertEqual(items.section_index_titles, ["A", "B", "C"])


class Signals(unittest.TestCase):
    def test_that_arrive_while_the_library_works_interrupt_the_call(self):
        done = run_python(
            """
            import signal
            from fetchedresults import Store

            store = Store()
            store.execute("CREATE TABLE t (name TEXT)")
            store.executemany("INSERT INTO t VALUES (?)", ((f"{n * 7919 % 20011:06}",) for n in range(20011)))
            store.add_collation("SLOW", lambda a, b: (a > b) - (a < b))
            signal.signal(signal.SIGALRM, signal.default_int_handler)
            caught = 0
            for attempt in range(20):
                try:
                    signal.setitimer(signal.ITIMER_REAL, 0.01 + attempt / 1000)
                    for _ in range(1000):
                        list(store.query("SELECT name FROM t ORDER BY name COLLATE SLOW LIMIT 1"))
                except KeyboardInterrupt:
                    caught += 1
            print(caught)
            """
        )
        self.assertEqual((done.stdout, done.stderr), ("20\n", ""))


if __name__ == "__main__":
    unittest.main()
