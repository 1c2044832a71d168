"""Windows: the rows around one row of a list."""

from __future__ import annotations

import pickle
import unittest

from support import StoreTestCase, names

from fetchedresults import (
    Collection,
    IndexPath,
    MisuseError,
    NotFetchedError,
    NotFoundError,
    Observer,
    RangeError,
    Request,
    Window,
    WindowPlace,
)


class WindowTestCase(StoreTestCase):
    """Tests with a list of the letters a to j in two sections."""

    def setUp(self) -> None:
        super().setUp()
        self.store.execute("CREATE TABLE letters (id INTEGER PRIMARY KEY, name TEXT, half TEXT)")
        for number, letter in enumerate("abcdefghij", 1):
            self.store.insert("letters", id=number, name=letter, half="first" if number <= 5 else "second")
        self.letters = self.store.fetch("letters", sort="name", section="half")

    def shown(self, window: Window) -> str:
        return "|".join("".join(section) for section in names(window))


class Opening(WindowTestCase):
    def test_each_place(self):
        item = self.letters.objects[3]
        for at, expected in [
            (0, "ab"),
            (4, "de|f"),
            (-1, "ij"),
            (-2, "hij"),
            (IndexPath(1, 0), "e|fg"),
            ((1, -1), "ij"),
            (item, "cde"),
        ]:
            with self.subTest(at), self.letters.window(at, before=1, after=1) as window:
                self.assertEqual(self.shown(window), expected)
        self.assertEqual(self.shown(self.letters.window(identity=6, after=0)), "f")
        self.assertEqual(self.shown(self.letters.window(section="second", before=1, after=0)), "e|f")
        self.assertEqual(self.letters.window().count, 10)

    def test_places_that_the_list_does_not_have(self):
        for error, arguments in [
            (RangeError, {"at": 10}),
            (RangeError, {"at": -11}),
            (RangeError, {"at": (2, 0)}),
            (RangeError, {"before": -1}),
            (NotFoundError, {"identity": 99}),
            (NotFoundError, {"section": "third"}),
        ]:
            with self.subTest(arguments), self.assertRaises(error):
                self.letters.window(**arguments)
        with self.assertRaises(TypeError):
            self.letters.window("a")
        with self.assertRaises(NotFetchedError):
            self.store.controller(Request("letters")).window()

    def test_inside_will_change(self):
        raised = []

        def open_window():
            with self.assertRaises(MisuseError) as caught:
                self.letters.window()
            raised.append(caught.exception)

        class Opener(Observer):
            def will_change(self, list):
                open_window()

        self.letters.add_observer(Opener())
        self.store.delete("letters", 1)
        self.assertEqual(len(raised), 1)

    def test_a_list_without_rows(self):
        empty = self.store.fetch("letters", "id > 99")
        first, last = empty.window(after=1), empty.window(at=-1, after=1)
        self.assertEqual((first.anchor, first.position, first.count), (None, 0, 0))
        self.store.executemany("INSERT INTO letters (id, name) VALUES (?, 'x')", [(100,), (101,), (102,)])
        self.assertEqual([[row.id for row in window.objects] for window in (first, last)], [[100, 101]] * 2)


class Place(WindowTestCase):
    def test_it_is_a_list(self):
        window = self.letters.window(at=5, before=2, after=1)
        self.assertEqual((window.position, window.anchor, window.before, window.after), (3, IndexPath(1, 0), 2, 1))
        self.assertEqual([section.name for section in window.sections], ["first", "second"])
        self.assertEqual(window[window.anchor].name, "f")
        self.assertEqual(window.index_path_of(self.letters.objects[4]), IndexPath(0, 1))
        self.assertEqual(window.index_path_of(4), IndexPath(0, 0))
        self.assertIsNone(window.index_path_of(1))
        self.assertIs(window.list, self.letters)
        self.assertEqual(repr(window), "<Window of letters: 4 objects in 2 sections>")
        with self.assertRaises(MisuseError):
            Collection([window])

    def test_changes_have_its_place(self):
        window = self.letters.window(at=2, before=1, after=1)
        delivered = []
        window.add_observer(delivered.append)
        self.store.insert("letters", name="aa", half="first")
        self.assertEqual((delivered, window.position), ([], 2))
        self.store.delete("letters", 3)
        (changes,) = delivered
        self.assertEqual(changes.window_place, WindowPlace(2, 1, True))
        self.assertEqual(pickle.loads(pickle.dumps(changes)).window_place, WindowPlace(2, 1, True))
        self.assertEqual(
            [(change.type.name, change.object.name) for change in changes], [("DELETE", "c"), ("INSERT", "e")]
        )
        others = []
        self.letters.add_observer(others.append)
        self.store.delete("letters", 10)
        self.assertIsNone(others[0].window_place)

    def test_moving_and_resizing(self):
        window = self.letters.window(at=2, before=1, after=1)
        shown = names(window)

        def follow(changes):
            shown[:] = changes.apply(shown, lambda change: change.object.name)

        window.add_observer(follow)
        for change, expected in [
            (lambda: window.move(3), "e|fg"),
            (lambda: window.move(-100), "ab"),
            (lambda: window.resize(after=5), "abcde|f"),
            (lambda: window.resize(before=3), "abcde|f"),
            (lambda: window.resize(0, 0), "a"),
        ]:
            change()
            self.assertEqual(("|".join(map("".join, shown)), self.shown(window)), (expected, expected))
        with self.assertRaises(RangeError):
            window.resize(before=-1)

    def test_the_end_of_its_list(self):
        window = self.letters.window(at=2, before=1, after=1)
        self.letters.close()
        self.store.delete("letters", 2)
        self.assertEqual(self.shown(window), "acd")
        self.assertEqual(window.index_path_of(4), IndexPath(0, 2))
        window.close()
        self.assertTrue(window.closed)


if __name__ == "__main__":
    unittest.main()
