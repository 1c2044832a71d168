"""Errors: a class for each status."""

from __future__ import annotations

import pickle
import typing
import unittest

import fetchedresults
from fetchedresults import ArrayDataSource, FetchedResultsError, FlatRows, Status, Store, errors


class Errors(unittest.TestCase):
    def test_have_a_class_for_each_status(self):
        for status in Status:
            if status is not Status.OK:
                error = errors.error_of(status, "message", code=5, sql="SELECT 1")
                self.assertEqual((error.status, error.code, error.sql, str(error)), (status, 5, "SELECT 1", "message"))
                self.assertEqual(type(error).usual_status, status)
                self.assertIs(getattr(fetchedresults, type(error).__name__), type(error))

    def test_of_a_newer_library_are_failures_too(self):
        error = errors.error_of(4711, "message")
        self.assertIs(type(error), FetchedResultsError)
        self.assertEqual(error.status, 4711)

    def test_are_errors_of_python_where_they_fit(self):
        for error, base in (
            ("ClosedError", ValueError),
            ("RangeError", IndexError),
            ("RangeError", ValueError),
            ("EncodingError", UnicodeError),
            ("ValueTypeError", TypeError),
            ("NotFoundError", LookupError),
            ("GoneError", LookupError),
            ("NoMemoryError", MemoryError),
        ):
            self.assertTrue(issubclass(getattr(fetchedresults, error), base))

    def test_can_be_pickled(self):
        error = pickle.loads(pickle.dumps(errors.error_of(Status.BUSY, "locked", code=5)))
        self.assertEqual((type(error), error.message, error.code), (fetchedresults.BusyError, "locked", 5))


class Messages(unittest.TestCase):
    def test_have_the_singular_for_one_thing(self):
        with Store() as store:
            store.execute("CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT)")
            task = store.insert("tasks", title="Buy milk")
            tasks = store.fetch("tasks")
            for call, message in (
                (lambda: store.execute("SELECT ?"), "the statement has 1 parameter, but was given 0 values"),
                (lambda: store.execute("SELECT ?, ?", [1]), "the statement has 2 parameters, but was given 1 value"),
                (
                    lambda: store.fetch("tasks", "id = ?", []),
                    'predicate "id = ?": the predicate has 1 parameter, but was given 0 values',
                ),
                (lambda: store.get("tasks", (1, 2)), "an identity of tasks has 1 value, not 2"),
                (lambda: tasks.object_at((7, 0)), "section 7 is out of range: there is 1"),
                (lambda: tasks.object_at((0, 7)), "row 7 of section 0 is out of range: there is 1"),
                (lambda: FlatRows(tasks).path_at(7), "there is no line 7, the list has 1 line"),
                (
                    lambda: ArrayDataSource([task]).object_at((0, 7)),
                    "row 7 is out of range: the section has 1 object",
                ),
            ):
                with self.subTest(message):
                    with self.assertRaises(FetchedResultsError) as caught:
                        call()
                    self.assertEqual(caught.exception.message, message)


class Names(unittest.TestCase):
    def test_that_are_exported_exist_and_are_documented(self):
        for name in fetchedresults.__all__:
            value = getattr(fetchedresults, name)
            # An alias of types has no docstring that can be asked for.
            with self.subTest(name):
                self.assertTrue(typing.get_origin(value) or value.__doc__)

    def test_of_versions_agree(self):
        self.assertEqual(fetchedresults.library_version().split(".")[:2], fetchedresults.__version__.split(".")[:2])

    def test_an_sqlite_with_the_reset_bug_is_named(self) -> None:
        with Store(":memory:") as store:
            (version,) = next(iter(store.query("SELECT sqlite_version()")))
        number = tuple(map(int, version.split(".")[:3]))
        fixed = number >= (3, 51, 3) or (3, 50, 7) <= number < (3, 51) or (3, 44, 6) <= number < (3, 45)
        self.assertEqual(fetchedresults.sqlite_with_reset_bug(), None if fixed else version)


if __name__ == "__main__":
    unittest.main()
