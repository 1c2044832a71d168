"""An interrupt in the middle of a call: a KeyboardInterrupt that arises anywhere in a callback.

A trace function raises it at one event of the callback after another, so nothing depends on time.
"""

from __future__ import annotations

import sys
import unittest
from typing import Any, Callable

from support import StoreTestCase, contexts

from fetchedresults import FetchedResultsError, Observer, _interrupts
from fetchedresults._calls import this_thread


class Interrupt:
    """Raises KeyboardInterrupt at one of the events of callbacks, given by its number."""

    def __init__(self, number: int, is_thorough: bool = True) -> None:
        """is_thorough: the events are instructions, also of what the callbacks call; otherwise they
        are lines.
        """
        self._left = number
        self._is_thorough = is_thorough
        self.was_raised = False

    def __enter__(self) -> Interrupt:
        self._before = sys.gettrace()
        sys.settrace(self._enter)
        return self

    def __exit__(self, *exception: object) -> None:
        sys.settrace(self._before)

    def _enter(self, frame: Any, event: str, argument: object) -> Any:
        is_entry = frame.f_code in _interrupts._entries
        is_inside = frame.f_back is not None and frame.f_back.f_trace is not None
        if not is_entry and not (is_inside and self._is_thorough):
            return None
        # The frames that it calls are traced as well.
        frame.f_trace = self._event
        frame.f_trace_opcodes = is_entry and self._is_thorough
        return self._event(frame, event, argument)

    def _event(self, frame: Any, event: str, argument: object) -> Any:
        # Python handles no signal while a function returns.
        self._left -= event != "return"
        if self._left == 0 and not self.was_raised:
            self.was_raised = True
            raise KeyboardInterrupt
        return self._event


def swallow(unraisable: object) -> None:
    """A hook of the program that keeps to itself what it gets."""


class Longest:
    """An aggregate that can be a window."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def step(self, text: str) -> None:
        self.texts.append(text)

    def inverse(self, text: str) -> None:
        self.texts.remove(text)

    def value(self) -> str:
        return max(self.texts, default="")

    finalize = value


class Total(Observer):
    """Adds up the changes of a list."""

    def __init__(self, items) -> None:
        self.values = {item.id: item.name for item in items.objects}
        self.brackets: list[str] = []

    def will_change(self, controller) -> None:
        self.brackets.append("will")

    def did_deliver(self, controller, changes) -> None:
        for change in changes:
            if change.type.name == "DELETE":
                del self.values[change.identity]
            else:
                self.values[change.object.id] = change.object.name

    def did_change(self, controller) -> None:
        self.brackets.append("did")


class Interrupts(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.store = self.open(queued=True)
        hook = sys.unraisablehook
        self.addCleanup(setattr, sys, "unraisablehook", hook)
        self.store.add_function("f", lambda value: value, argument_count=1, deterministic=True)
        self.store.add_aggregate("longest", Longest, argument_count=1)
        self.store.add_collation("own", lambda a, b: (a > b) - (a < b))
        self.store.executescript(
            """
            CREATE TABLE words (id INTEGER PRIMARY KEY, name TEXT COLLATE own, n INT);
            CREATE INDEX by_name ON words (name);
            INSERT INTO words VALUES (1, 'c', 0), (2, 'b', 0), (3, 'a', 0);
            """
        )
        self.words = self.store.fetch("words", "f(name) > 'a'", sort="name")
        self.groups = self.store.fetch_select(
            "SELECT name > 'b' AS late, longest(name) AS word FROM words GROUP BY 1 ORDER BY 1", identity="late"
        )

    def picture(self) -> list:
        return [tuple(row) for row in self.store.query("SELECT id, name, n FROM words ORDER BY id")]

    def check(self, message: str) -> None:
        """The index, the lists and the package are right."""
        self.assertEqual(this_thread.calls, [], message)
        self.assertFalse(self.store.in_transaction, message)
        self.assertEqual(list(self.store.query("PRAGMA integrity_check"))[0][0], "ok", message)
        self.store.dispatch()
        expected = [row for row in self.picture() if row[1] > "a"]
        expected.sort(key=lambda row: row[1])
        self.assertEqual([tuple(word.values()) for word in self.words.objects], expected, message)
        groups = self.store.query("SELECT name > 'b', longest(name) FROM words GROUP BY 1 ORDER BY 1")
        self.assertEqual([tuple(row.values()) for row in self.groups.objects], [tuple(row) for row in groups], message)

    def interrupt(self, work: Callable[[int], object], hook: Any, is_thorough: bool) -> int:
        """Interrupts work at each of its events. All or nothing of it takes effect. Returns the
        number of events.
        """
        number = 0
        while True:
            number += 1
            before = self.picture()
            sys.unraisablehook = hook
            interrupt = Interrupt(number, is_thorough)
            raised: BaseException | None = None
            try:
                with interrupt:
                    work(number)
            except BaseException as error:
                raised = error
            message = f"event {number}, {hook}, {raised!r}"
            if not interrupt.was_raised:
                self.assertIsNone(raised, message)
                return number
            self.assertIsInstance(raised, KeyboardInterrupt, message)
            after = self.picture()
            if after != before:
                # Everything that it wrote.
                self.assertEqual({row[2] for row in after}, {number}, message)
            self.check(message)

    def test_never_become_an_answer_of_a_callback(self):
        works: dict[str, tuple[Callable[[int], object], bool]] = {
            "function": (lambda n: self.store.execute("UPDATE words SET n = ?, name = f(name)", [n]), True),
            "collation": (lambda n: self.store.execute(self.shift, [n]), True),
            "query": (lambda n: list(self.store.query("SELECT longest(f(name)) FROM words ORDER BY name")), True),
            "window": (lambda n: list(self.store.query(self.window)), True),
            "transaction": (self.write_in_transaction, False),
            "delivery": (self.write_and_dispatch, False),
            "fetch": (lambda n: (self.words.perform_fetch(), self.groups.perform_fetch()), False),
            "request": (lambda n: self.words.set_request(self.words.request.replace(limit=100 + n % 2)), False),
        }
        for name, (work, is_thorough) in works.items():
            for hook in (sys.__unraisablehook__, swallow):
                with self.subTest(name, hook=hook):
                    self.assertGreater(self.interrupt(work, hook, is_thorough and hook is not swallow), 20)

    shift = "UPDATE words SET n = ?1, name = char(97 + (unicode(name) + 1) % 3)"
    window = "SELECT longest(name) OVER (ORDER BY id ROWS 1 PRECEDING) FROM words"

    def write_in_transaction(self, number: int) -> None:
        with self.store.transaction():
            self.store.execute("UPDATE words SET n = ?", [number])
            self.store.execute("UPDATE words SET name = f(name)")

    def write_and_dispatch(self, number: int) -> None:
        self.store.execute(self.shift, [number])
        self.store.dispatch()

    def test_are_not_lost_if_a_callback_replaces_the_hook(self):
        calls: list[int] = []

        def function(value: object) -> object:
            # In the first call, where no interrupt comes.
            if not calls:
                sys.unraisablehook = swallow
            calls.append(1)
            return value

        self.store.add_function("replaces", function, argument_count=1)
        number = 0
        while True:
            number += 1
            calls.clear()
            interrupt = Interrupt(number)

            def traced(frame: Any, event: str, argument: object) -> Any:
                return interrupt._enter(frame, event, argument) if calls else None

            raised = None
            try:
                with interrupt:
                    sys.settrace(traced)
                    list(self.store.query("SELECT replaces(id) FROM words"))
            except KeyboardInterrupt as error:
                raised = error
            if not interrupt.was_raised:
                break
            self.assertIsNotNone(raised, f"event {number}")
        self.assertGreater(number, 50)

    def test_in_an_index_title_function_leave_no_title(self):
        words = self.store.fetch("words", section="name")
        number = 0
        while True:
            number += 1
            words.index_title_function = lambda name: name * 2
            interrupt = Interrupt(number)
            try:
                with interrupt:
                    words.section_index_titles
            except KeyboardInterrupt:
                self.assertTrue(interrupt.was_raised)
            self.assertEqual(words.section_index_titles, ["aa", "bb", "cc"], f"event {number}")
            if not interrupt.was_raised:
                break
        self.assertGreater(number, 50)

    def test_before_an_observer_has_begun_do_not_make_it_miss_changes(self):
        total = Total(self.words)
        self.words.add_observer(total)
        number = 0
        while True:
            number += 1
            interrupt = EntryInterrupt(number)
            try:
                with interrupt:
                    self.write_and_dispatch(number)
            except KeyboardInterrupt:
                self.assertTrue(interrupt.was_raised)
            else:
                self.assertFalse(interrupt.was_raised)
            self.store.dispatch()
            self.assertEqual(total.values, {word.id: word.name for word in self.words.objects}, f"entry {number}")
            # Nothing, if the statement itself was interrupted.
            self.assertIn(total.brackets, ([], ["will", "did"]), f"entry {number}")
            total.brackets.clear()
            if not interrupt.was_raised:
                break
        self.assertGreater(number, 3)


class EntryInterrupt(Interrupt):
    """Interrupts one of the callbacks just when it is entered, as a signal does that arrived while
    the library worked.
    """

    def _enter(self, frame: Any, event: str, argument: object) -> Any:
        if frame.f_code in _interrupts._entries:
            return self._event(frame, event, argument)
        return None

    def _event(self, frame: Any, event: str, argument: object) -> Any:
        super()._event(frame, event, argument)
        return None


class Failures(StoreTestCase):
    """What a collation raises is no answer either."""

    def setUp(self) -> None:
        super().setUp()
        self.left = 0
        self.make_words()

    def make_words(self) -> None:
        self.store = self.open()
        self.store.add_collation("own", self.compare)
        self.store.executescript("CREATE TABLE words (id INTEGER PRIMARY KEY, name TEXT COLLATE own UNIQUE, n INT)")
        self.store.executemany("INSERT INTO words (name) VALUES (?)", [(name,) for name in "fbdaec"])

    def compare(self, a: str, b: str) -> int:
        self.left -= 1
        if self.left == 0:
            raise ValueError("compare")
        return (a > b) - (a < b)

    def failing(self, work: Callable[[int], object]) -> int:
        """Runs work whose comparisons fail, one after another."""
        number = 0
        while True:
            number += 1
            self.left = number
            before = [tuple(row) for row in self.store.query("SELECT * FROM words ORDER BY id")]
            try:
                work(number)
            except ValueError as error:
                self.left = 0
                self.assertIsInstance(contexts(error)[-1], (FetchedResultsError, ValueError))
                self.assertFalse(self.store.in_transaction)
                self.assertEqual([tuple(row) for row in self.store.query("SELECT * FROM words ORDER BY id")], before)
            else:
                self.assertGreater(self.left, 0)
                self.left = 0
                return number
            self.assertEqual(list(self.store.query("PRAGMA integrity_check"))[0][0], "ok")

    def test_of_a_collation_leave_nothing_written(self):
        for sql in (
            "INSERT INTO words (name) VALUES ('g' || ?1)",
            "INSERT INTO words (name) VALUES ('x' || ?1), ('y' || ?1) RETURNING id",
            "UPDATE words SET name = name || ?1, n = ?1",
            "DELETE FROM words WHERE name = 'b' OR id = ?1 + 1",
            "CREATE INDEX IF NOT EXISTS by_name ON words (name, id)",
        ):
            for in_transaction in (False, True):
                with self.subTest(sql, in_transaction=in_transaction):
                    self.make_words()
                    self.assertGreater(self.failing(lambda n: self.run_one(sql, n, in_transaction)), 1)

    def run_one(self, sql: str, number: int, in_transaction: bool) -> None:
        params = [number] if "?1" in sql else []
        if not in_transaction:
            list(self.store.query(sql, params))
            return
        with self.store.transaction():
            self.store.execute("INSERT INTO words (n) VALUES (?)", [number])
            list(self.store.query(sql, params))

    def test_of_a_collation_in_a_query_leave_the_transaction_open(self):
        self.store.begin()
        self.store.execute("UPDATE words SET n = 7")
        self.left = 1
        with self.assertRaises(ValueError):
            list(self.store.query("SELECT name FROM words ORDER BY +name"))
        self.assertTrue(self.store.in_transaction)
        self.store.commit()
        self.assertEqual({row[0] for row in self.store.query("SELECT n FROM words")}, {7})


if __name__ == "__main__":
    unittest.main()
