"""What asynchronous iterators over change sets raise."""

from __future__ import annotations

import asyncio
import sqlite3
import unittest

from async_support import AsyncTestCase, added, readers, run, write_elsewhere
from support import SCHEMA

from fetchedresults import (
    BusyError,
    ChangeSet,
    FetchedResultsError,
    Request,
)


class Failing(AsyncTestCase):
    def test_an_error_of_the_list_is_raised_in_its_place_and_the_iteration_can_continue(self):
        path, store = self.open_file()
        items = self.items(store)

        async def main() -> None:
            changes = items.changes()
            store.insert("items", name="tea")
            await write_elsewhere(path, "ALTER TABLE items RENAME TO things")
            self.assertEqual(added(await changes.__anext__()), ["tea"])
            with self.assertRaises(FetchedResultsError) as caught:
                await changes.__anext__()
            self.assertEqual(str(caught.exception), str(items.failure))
            await write_elsewhere(path, "ALTER TABLE things RENAME TO items")
            await write_elsewhere(path, "INSERT INTO items (name) VALUES ('water')")
            self.assertEqual(added(await changes.__anext__()), ["water"])

        run(main())

    def test_a_dispatch_that_fails_is_raised_by_all_iterators_of_the_store(self):
        path, store = self.open_file(journal_mode="delete", busy_timeout=0, queued=True)
        items = self.items(store)

        async def main() -> None:
            first, second = items.changes(), items.changes()
            other = sqlite3.connect(path, isolation_level=None)
            self.addCleanup(other.close)
            store.insert("items", name="tea")
            other.execute("BEGIN EXCLUSIVE")
            for changes in (first, second):
                with self.assertRaises(BusyError):
                    await changes.__anext__()
            # Until an iterator waits again, the loop is not woken by what still waits.
            self.assertEqual(readers(), [])
            other.execute("COMMIT")
            for changes in (first, second):
                self.assertEqual(added(await changes.__anext__()), ["tea"])

        run(main())

    def test_an_error_of_another_observer_is_passed_to_the_loop(self):
        path, store = self.open_file()
        items = self.items(store)
        errors = []

        def fail(changes: ChangeSet) -> None:
            raise ValueError("not like this")

        async def main() -> None:
            asyncio.get_running_loop().set_exception_handler(lambda loop, context: errors.append(context["exception"]))
            items.add_observer(fail)
            changes = items.changes()
            await write_elsewhere(path, "INSERT INTO items (name) VALUES ('tea')")
            self.assertEqual(added(await changes.__anext__()), ["tea"])

        run(main())
        self.assertEqual([str(error) for error in errors], ["not like this"])

    def test_what_a_callback_requested_is_raised_once(self):
        store = self.open(queued=True)
        store.executescript(SCHEMA)
        store.dispatch()
        items = self.items(store)

        def ask(changes: ChangeSet) -> None:
            items.request = Request("items", "abs(-9223372036854775807 - id) > 0")

        async def main() -> None:
            observation = items.add_observer(ask)
            changes = items.changes()
            store.insert("items", name="tea")
            self.assertEqual(added(await changes.__anext__()), ["tea"])
            with self.assertRaisesRegex(FetchedResultsError, "integer overflow"):
                await changes.__anext__()
            observation.cancel()
            store.insert("items", name="water")
            self.assertEqual(added(await changes.__anext__()), ["water"])

        run(main())


if __name__ == "__main__":
    unittest.main()
