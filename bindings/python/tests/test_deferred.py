"""What a callback requests and the library does after it: when it fails, nothing is lost."""

from __future__ import annotations

import gc
import sqlite3
import unittest
import weakref

from support import StoreTestCase, contexts, names

from fetchedresults import (
    BusyError,
    ClosedError,
    Collection,
    Controller,
    Coordinator,
    EmptySections,
    FetchedResultsError,
    MisuseError,
    Observer,
    Request,
    SchemaError,
    SectionMap,
    View,
)


class Listener(Observer):
    """Records the failures that it is notified of, with the request that the list has then."""

    def __init__(self) -> None:
        self.failures: list = []

    def did_fail(self, controller, error):
        self.failures.append((str(error), controller.request))


class Case(StoreTestCase):
    """A list `items`, and another one, `others`, whose next callback acts."""

    def setUp(self) -> None:
        super().setUp()
        # A predicate that fails for a row, not when it is compiled.
        self.failing = Request("items", "abs(-9223372036854775806 - id) > 0", sort="name")
        self.reverse = Request("items", sort="-name")
        self.items = self.store.fetch("items", sort="name")
        self.others = self.store.fetch("items", sort="name")
        self.listener = Listener()

    def in_a_callback(self, act, of=None) -> None:
        """Acts in the next callback of a list."""

        class Acting(Observer):
            def did_change(self, controller):
                acting.cancel()
                act()

        acting = (self.others if of is None else of).add_observer(Acting())

    def write(self) -> None:
        self.store.execute("UPDATE items SET rank = rank + 1 WHERE id = 3")

    def failure_of(self, call) -> FetchedResultsError:
        """What a call raises because a row can't be read."""
        with self.assertRaisesRegex(FetchedResultsError, "integer overflow") as caught:
            call()
        return caught.exception

    def unfollowed(self, live_list: Controller) -> bool:
        """Whether a list has no observers: a coordinator then fetches it whenever its data is
        loaded.
        """
        with Coordinator(View(), live_list, load=True) as coordinator:
            read = live_list.counters.rows_read
            coordinator.load_data()
            return live_list.counters.rows_read > read


class Requests(Case):
    def test_that_fail_are_raised_by_the_call_that_wrote(self):
        before, seen = self.items.request, []

        def act():
            self.items.request = self.failing
            seen.append(self.items.request)

        self.in_a_callback(act)
        error = self.failure_of(self.write)
        self.assertEqual((seen, contexts(error)), ([self.failing], [error]))
        self.assertIs(self.items.request, before)
        self.assertEqual([item["rank"] for item in self.items.objects], [1, 2, 4])
        self.write()
        self.assertEqual([item["rank"] for item in self.items.objects], [1, 2, 5])

    def test_that_fail_are_raised_by_commit_whose_transaction_stands(self):
        self.in_a_callback(lambda: self.items.set_request(self.failing))

        def transaction():
            with self.store.transaction():
                self.store.insert("items", name="dates")

        self.failure_of(transaction)
        self.assertFalse(self.store.in_transaction)
        self.assertEqual(names(self.items), [["apple", "bread", "cider", "dates"]])

    def test_that_fail_are_raised_by_dispatch(self):
        queued = self.open(queued=True)
        queued.executescript(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO items VALUES (2, 'x')"
        )
        items = queued.fetch("items", sort="name")
        self.in_a_callback(lambda: items.set_request(self.failing), of=items)
        queued.insert("items", name="y")
        self.failure_of(queued.dispatch)
        self.assertEqual((items.request.predicate, names(items)), (None, [["x", "y"]]))

    def test_that_fail_are_raised_by_a_write_inside_a_callback(self):
        """The call that the library did it in: the round of another store ends with that call."""
        other = self.open()
        other.executescript("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO items VALUES (2, 'x')")
        items, raised = other.fetch("items", sort="name"), []
        self.in_a_callback(lambda: items.set_request(self.failing), of=items)
        self.in_a_callback(lambda: raised.append(self.failure_of(lambda: other.insert("items", name="y"))))
        self.write()
        self.assertEqual((len(raised), items.request.predicate, items.count), (1, None, 2))

    def test_that_fail_are_reported_to_observers_who_see_what_holds(self):
        before = self.items.request
        self.items.add_observer(self.listener)
        self.in_a_callback(lambda: self.items.set_request(self.failing))
        self.items.add_observer(self.listener)
        self.failure_of(self.write)
        self.assertEqual(self.listener.failures, [("integer overflow", before)] * 2)

    def test_that_fail_are_reported_to_views_which_see_what_holds(self):
        before, seen = self.items.request, []

        class Failing(View):
            def did_fail(self, error):
                seen.append((str(error), items.request))

        items = self.items
        with Coordinator(Failing(), items, load=True):
            self.in_a_callback(lambda: items.set_request(self.failing))
            self.failure_of(self.write)
        self.assertEqual(seen, [("integer overflow", before)])

    def test_that_fail_are_raised_with_what_observers_raise(self):
        class Raising(Observer):
            def did_fail(self, controller, error):
                raise KeyError("reported")

        self.items.add_observer(Raising())
        self.in_a_callback(lambda: self.items.set_request(self.failing))
        error = self.failure_of(self.write)
        self.assertEqual([type(each) for each in contexts(error)], [FetchedResultsError, KeyError])

    def test_that_fail_all_of_them_leave_what_was_there(self):
        before = self.items.request
        self.items.add_observer(self.listener)

        def act():
            self.items.request = self.failing
            self.items.request = self.failing.replace(sort="rank")

        self.in_a_callback(act)
        error = self.failure_of(self.write)
        self.assertEqual((len(contexts(error)), len(self.listener.failures)), (2, 2))
        self.assertIs(self.items.request, before)

    def test_that_fail_leave_what_was_set_after_them(self):
        def act():
            self.items.request = self.failing
            self.items.request = self.reverse

        self.in_a_callback(act)
        self.failure_of(self.write)
        self.assertIs(self.items.request, self.reverse)
        self.assertEqual(names(self.items), [["cider", "bread", "apple"]])

    def test_that_fail_leave_what_was_set_before_them(self):
        def act():
            self.items.request = self.reverse
            self.items.request = self.failing

        self.in_a_callback(act)
        self.failure_of(self.write)
        self.assertIs(self.items.request, self.reverse)
        self.assertEqual(names(self.items), [["cider", "bread", "apple"]])

    def test_that_fail_leave_other_settings_of_a_map(self):
        lists = SectionMap(self.store, Request("items"), Request("lists"), "list_id", fetch=True)
        before = lists.request, lists.section_request

        def act():
            lists.empty_sections = EmptySections.HIDDEN
            lists.section_request = Request("lists", "abs(-9223372036854775806 - id) > 0")
            lists.request = self.failing

        self.in_a_callback(act, of=lists)
        error = self.failure_of(lambda: self.store.update("items", 3, list_id=1))
        self.assertEqual(len(contexts(error)), 2)
        self.assertEqual((lists.request, lists.section_request), before)
        self.assertEqual((lists.empty_sections, len(lists)), (EmptySections.HIDDEN, 1))

    def test_of_a_map_that_fail_are_distinguished(self):
        """The library does not report which of two settings failed: here it is the second one."""
        lists = SectionMap(self.store, Request("items"), Request("lists"), "list_id", fetch=True)
        sections, items = Request("lists", sort="title"), lists.request

        def act():
            lists.section_request = sections
            lists.request = self.failing

        self.in_a_callback(act)
        self.failure_of(self.write)
        self.assertIs(lists.section_request, sections)
        self.assertIs(lists.request, items)

    def test_that_are_refused_immediately_are_raised_there(self):
        before, raised = self.items.request, []
        self.items.add_observer(self.listener)

        def act():
            with self.assertRaises(SchemaError) as caught:
                self.items.request = Request("items", sort="nothing")
            raised.append(caught.exception)

        self.in_a_callback(act)
        self.write()
        self.assertEqual((len(raised), self.listener.failures, self.items.request), (1, [], before))

    def test_that_succeed_are_not_blamed_for_failures_of_commits(self):
        self.items.add_observer(self.listener)
        self.in_a_callback(lambda: self.items.set_request(self.reverse))
        self.write()
        self.store.execute("ALTER TABLE items RENAME TO things")
        self.assertEqual(len(self.listener.failures), 1)
        self.assertIs(self.items.request, self.reverse)

    def test_that_succeed_are_not_blamed_for_a_failure_of_the_round_before_them(self):
        positive = Request("items", "abs(-9223372036854775807 + CAST(rank AS INT)) > 0", sort="name")
        self.items.request = positive
        self.items.add_observer(self.listener)
        self.in_a_callback(lambda: self.items.set_request(self.reverse))
        self.store.execute("UPDATE items SET rank = -1, name = 'x' WHERE id = 3")
        self.assertEqual([message for message, _ in self.listener.failures], ["integer overflow"])
        self.assertIs(self.items.request, self.reverse)
        self.assertEqual(names(self.items), [["x", "bread", "apple"]])

    def test_that_succeed_are_not_blamed_for_what_fails_when_they_are_reported(self):
        """Another connection locks the database, so that the view's cells can't be read."""
        path, reported = self.folder() / "items.db", []
        store = self.open(path, journal_mode="delete", busy_timeout=0)
        store.executescript("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
        store.executemany("INSERT INTO items (name) VALUES (?)", [(f"{number:03}",) for number in range(100)])
        items, others = store.fetch("items", sort="name", batch_size=1), store.fetch("items")
        items.set_row_cache_size(0)
        locking = sqlite3.connect(str(path), isolation_level=None)
        self.addCleanup(locking.close)

        class Table(View):
            def begin(self):
                locking.execute("BEGIN EXCLUSIVE")

            def move_rows(self, rows):
                reported.append(items.request)

            def update_cell(self, path, object):
                reported.append(object)

            def did_fail(self, error):
                locking.execute("ROLLBACK")
                reported.append(type(error))

        with Coordinator(Table(), items, load=True):
            self.in_a_callback(lambda: items.set_request(self.reverse), of=others)
            store.insert("items", id=200)
        self.assertEqual((reported, items.request), ([self.reverse, BusyError], self.reverse))

    def test_of_lists_that_are_not_fetched_are_taken_immediately(self):
        items, seen = Controller(self.store, Request("items", sort="name")), []

        def act():
            items.request = self.reverse
            seen.append(items.is_fetched)

        self.in_a_callback(act)
        self.write()
        self.assertEqual((seen, items.is_fetched, items.request), ([False], False, self.reverse))

    def test_of_paused_lists_are_held_for_later(self):
        self.items.pause()
        self.in_a_callback(lambda: self.items.set_request(self.reverse))
        self.write()
        self.assertIs(self.items.request, self.reverse)
        self.assertEqual(self.items.index_path_of(3), (0, 2))
        self.items.resume()
        self.assertEqual(names(self.items), [["cider", "bread", "apple"]])

    def test_leave_nobody_who_follows_the_list(self):
        self.assertTrue(self.unfollowed(self.items))
        for request in (self.failing, self.reverse):
            self.in_a_callback(lambda request=request: self.items.set_request(request))
            try:
                self.write()
            except FetchedResultsError:
                pass
            self.assertTrue(self.unfollowed(self.items))
            self.assertEqual((self.items._deferred, self.items._receivers), ([], {}))


class Resuming(Case):
    def setUp(self) -> None:
        super().setUp()
        self.items.request = Request("items", "abs(-9223372036854775807 + CAST(rank AS INT)) > 0", sort="name")

    def break_it(self) -> None:
        """Makes the list unreadable when it is resumed; its rows are in the cache."""
        names(self.items)
        self.items.pause()
        self.store.execute("UPDATE items SET rank = -1 WHERE id = 1")

    def repair(self) -> None:
        self.store.execute("UPDATE items SET rank = 7 WHERE id = 1")
        self.assertEqual([item["rank"] for item in self.items.objects], [1, 7, 3])

    def test_what_can_not_be_read_is_raised(self):
        for reload in (False, True):
            with self.subTest(reload=reload):
                self.break_it()
                self.failure_of(lambda reload=reload: self.items.resume(reload=reload))
                self.assertEqual((self.items.paused, names(self.items)), (False, [["apple", "bread", "cider"]]))
                self.repair()
                self.assertTrue(self.unfollowed(self.items))

    def test_inside_a_callback_is_raised_by_the_call_that_wrote(self):
        self.items.add_observer(self.listener)
        self.break_it()
        self.in_a_callback(self.items.resume)
        self.failure_of(lambda: self.store.update("items", 2, name="ale"))
        self.assertEqual([message for message, _ in self.listener.failures], ["integer overflow"])
        self.store.update("items", 2, name="apple")
        self.repair()

    def test_of_a_disabled_map_is_raised(self):
        lists = SectionMap(self.store, self.items.request, Request("lists"), "list_id", fetch=True)
        lists.disabled = True
        self.store.execute("UPDATE items SET rank = -1 WHERE id = 1")

        def enable():
            lists.disabled = False

        self.failure_of(enable)
        self.assertEqual((lists.disabled, lists.count), (False, 3))
        lists.disabled = True
        self.store.execute("UPDATE items SET rank = 7 WHERE id = 1")
        lists.disabled = False
        self.store.execute("UPDATE items SET rank = -1 WHERE id = 1")
        lists.disabled = True
        self.in_a_callback(enable)
        self.store.execute("UPDATE items SET rank = 8 WHERE id = 1")
        self.assertEqual((lists.disabled, lists.count), (False, 3))

    def test_that_succeeds_raises_nothing(self):
        self.items.pause()
        self.write()
        self.in_a_callback(self.items.resume)
        self.store.update("items", 2, name="ale")
        self.assertEqual(names(self.items), [["ale", "bread", "cider"]])
        self.assertTrue(self.unfollowed(self.items))


class Children(Case):
    def test_that_are_refused_inside_a_callback_are_raised_there_and_propagate(self):
        found = Collection([self.items], fetch=True)
        closed = Controller(self.store, Request("items"))
        closed.close()
        unreadable = Controller(self.store, self.failing)
        for child, error in ((self.items, MisuseError), (closed, ClosedError), (unreadable, FetchedResultsError)):
            for use in ("append", "replace"):
                with self.subTest(type(error), use=use):
                    if use == "append":
                        self.in_a_callback(lambda child=child: found.append(child))
                    else:
                        found.append(self.others)
                        self.in_a_callback(lambda child=child: found.replace(1, child))
                    with self.assertRaises(error):
                        self.write()
                    if use == "replace":
                        self.assertIs(found.pop(), self.others)
                    self.assertEqual((found.children, len(found)), ((self.items,), 1))

    def test_that_arrive_inside_a_callback_are_delivered_after_it(self):
        found, seen = Collection([self.items], fetch=True), []

        def act():
            found.append(self.others)
            seen.append((len(found.children), len(found)))

        self.in_a_callback(act)
        self.write()
        self.assertEqual((seen, len(found)), ([(2, 1)], 2))


class Pauses(Case):
    """The end of a coordinator's pause, which fetches."""

    def setUp(self) -> None:
        super().setUp()
        test = self
        self.reported: list = []

        class Table(View):
            def reload(self):
                test.reported.append("reload")

            def did_fail(self, error):
                test.reported.append(str(error))

        self.items.request = Request("items", "abs(-9223372036854775807 + CAST(rank AS INT)) > 0", sort="name")
        self.coordinator = Coordinator(Table(), self.items, load=True)
        self.coordinator.paused = True
        # The list is not notified of this before the store delivers again.
        self.store.begin()
        self.store.execute("UPDATE items SET rank = -1 WHERE id = 1")
        self.reported.clear()

    def go_on(self) -> None:
        self.coordinator.paused = False

    def test_that_can_not_fetch_raises_and_reloads(self):
        self.failure_of(self.go_on)
        self.assertEqual((self.reported, self.coordinator.paused), (["integer overflow", "reload"], False))
        self.store.rollback()

    def test_that_can_not_fetch_raises_also_if_the_view_does_not_listen(self):
        quiet = self.open()
        quiet.executescript("CREATE TABLE items (id INTEGER PRIMARY KEY, rank INT); INSERT INTO items VALUES (1, 1)")
        items = Controller(quiet, Request("items", "abs(-9223372036854775807 + CAST(rank AS INT)) > 0"))
        with Coordinator(View(), items, load=True) as coordinator, quiet.transaction():
            coordinator.paused = True
            quiet.execute("UPDATE items SET rank = -1")

            def go_on():
                coordinator.paused = False

            self.failure_of(go_on)
            quiet.execute("UPDATE items SET rank = 1")

    def test_inside_a_callback_raises_from_the_call_that_delivered(self):
        self.store.rollback()
        self.store.execute("UPDATE lists SET position = 1")
        titles = self.store.fetch("lists", sort="title")
        self.in_a_callback(lambda: self.store.execute("UPDATE items SET rank = -1 WHERE id = 1"), of=titles)
        self.in_a_callback(self.go_on, of=titles)
        self.reported.clear()
        self.failure_of(lambda: self.store.execute("UPDATE lists SET title = 'x' WHERE id = 1"))
        self.assertIn("integer overflow", self.reported)
        self.assertEqual(self.reported[-1], "reload")

    def test_that_is_over_has_nothing_to_raise_later(self):
        self.store.rollback()
        for is_inside in (False, True):
            with self.subTest(is_inside=is_inside):
                self.coordinator.paused = True
                if is_inside:
                    self.in_a_callback(self.go_on)
                    self.write()
                else:
                    self.go_on()
                self.reported.clear()
                self.store.execute("UPDATE items SET rank = -1 WHERE id = 1")
                self.assertEqual(self.reported, ["integer overflow"])
                self.store.execute("UPDATE items SET rank = 1 WHERE id = 1")

    def test_that_does_not_end_one_has_nothing_to_raise_later(self):
        self.store.rollback()
        self.go_on()
        self.in_a_callback(self.go_on)
        self.write()
        self.reported.clear()
        self.store.execute("UPDATE items SET rank = -1 WHERE id = 1")
        self.assertEqual(self.reported, ["integer overflow"])


class Ends(Case):
    def test_of_the_list_before_it_is_done(self):
        for end in ("list", "store"):
            with self.subTest(end):
                store = self.open()
                store.executescript("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
                store.execute("INSERT INTO items VALUES (2, 'x')")
                items, others = store.fetch("items", sort="name"), store.fetch("items")

                def act(items=items, store=store, end=end):
                    items.request = self.failing
                    (items if end == "list" else store).close()

                self.in_a_callback(act, of=others)
                store.insert("items", name="y")
                with self.assertRaises(ClosedError):
                    len(items)

    def test_of_what_nothing_refers_to_before_it_is_done(self):
        lists = [self.store.fetch("items", sort="name")]
        dropped = weakref.ref(lists[0])

        def act():
            lists.pop().request = self.failing
            gc.collect()

        self.in_a_callback(act)
        self.write()
        gc.collect()
        self.assertIsNone(dropped())

    def test_of_observers_while_a_failure_is_reported(self):
        items = self.items

        class Ending(Observer):
            def did_fail(self, controller, error):
                observation.cancel()
                items.close()

        observation = items.add_observer(Ending())
        items.add_observer(self.listener)
        self.in_a_callback(lambda: items.set_request(self.failing))
        self.failure_of(self.write)
        self.assertEqual((self.listener.failures, items.closed, observation.active), ([], True, False))


if __name__ == "__main__":
    unittest.main()
