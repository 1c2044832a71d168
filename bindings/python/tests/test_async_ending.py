"""How asynchronous iterators over change sets end, and what is left of them: nothing."""

from __future__ import annotations

import asyncio
import gc
import threading
import unittest
from collections.abc import Awaitable
from typing import Callable
from unittest import mock

from async_support import AsyncTestCase, added, descriptors, readers, run, write_elsewhere

from fetchedresults import ChangeSet, Collection, Controller, _api


class Ending(AsyncTestCase):
    def check(self, leave: Callable[[Controller], Awaitable[None]]) -> None:
        """A loop over the changes of a list is left in some way, and nothing is left of it."""
        items = self.items()
        self.store.fileno()
        before = descriptors()

        async def main() -> None:
            opened = descriptors()
            await leave(items)
            self.assert_ended(items)
            self.assertEqual((readers(), descriptors()), ([], opened))

        removals = set()
        native = _api.fr_list_remove_observer

        def remove(*arguments: object) -> None:
            removals.add((native(*arguments), threading.get_ident()))

        with mock.patch.object(_api, "fr_list_remove_observer", remove):
            run(main())
            self.assertEqual(descriptors(), before)
            self.store.insert("items", name="after")
        # The observer was removed, in the store's thread.
        self.assertEqual(removals, {(0, threading.get_ident())})

    def test_by_a_break(self):
        async def leave(items: Controller) -> None:
            asyncio.get_running_loop().call_soon(lambda: self.store.insert("items", name="tea"))
            async for _ in items.changes():
                self.assertEqual(len(readers()), 1)
                break

        self.check(leave)

    def test_by_an_error_of_the_consumer(self):
        async def leave(items: Controller) -> None:
            asyncio.get_running_loop().call_soon(lambda: self.store.insert("items", name="tea"))
            try:
                async for _ in items.changes():
                    raise ValueError
            except ValueError as error:
                # Its traceback is there.
                self.assertIsNotNone(error.__traceback__)
                self.assert_ended(items)

        self.check(leave)

    def test_by_cancellation(self):
        async def follow(items: Controller) -> None:
            async for _ in items.changes():
                pass

        async def leave(items: Controller) -> None:
            task = asyncio.ensure_future(follow(items))
            await asyncio.sleep(0)
            self.assertEqual(len(readers()), 1)
            task.cancel()
            try:
                await task
            except asyncio.CancelledError as error:
                self.assertIsNotNone(error.__traceback__)
                self.assert_ended(items)

        self.check(leave)

    def test_by_aclose(self):
        async def leave(items: Controller) -> None:
            changes = items.changes()
            self.store.insert("items", name="tea")
            await changes.aclose()
            await changes.aclose()
            self.assert_ended(items)
            self.store.insert("items", name="water")
            with self.assertRaises(StopAsyncIteration):
                await changes.__anext__()

        self.check(leave)

    def test_by_aclose_while_a_task_waits(self):
        async def leave(items: Controller) -> None:
            changes = items.changes()
            waiting = asyncio.ensure_future(changes.__anext__())
            await asyncio.sleep(0)
            await changes.aclose()
            with self.assertRaises(StopAsyncIteration):
                await waiting

        self.check(leave)

    def test_in_another_thread(self):
        async def leave(items: Controller) -> None:
            changes = [items.changes()]
            thread = threading.Thread(target=changes.clear)
            thread.start()
            thread.join()
            # The reader goes in the loop's thread.
            await asyncio.sleep(0)

        self.check(leave)

    def test_in_the_middle_of_a_statement(self):
        changes: list = []
        self.store.add_collation("ending", lambda a, b: changes.clear() or (a > b) - (a < b))

        async def leave(items: Controller) -> None:
            changes.append(items.changes())
            self.store.execute("SELECT * FROM items ORDER BY name COLLATE ending")
            self.assertEqual(changes, [])

        self.check(leave)

    def test_inside_a_delivery(self):
        async def leave(items: Controller) -> None:
            changes = []
            observation = items.add_observer(lambda _: changes.clear())
            changes += [items.changes(), items.changes()]
            self.store.insert("items", name="tea")
            self.assertEqual(readers(), [])
            observation.cancel()

        self.check(leave)

    def test_as_garbage(self):
        class Screen:
            def __init__(self, items: Controller) -> None:
                self.items = items
                items.add_observer(self.show)
                self.changes = items.changes()

            def show(self, changes: ChangeSet) -> None: ...

        async def main() -> None:
            Screen(self.items())
            self.assertEqual(len(readers()), 1)
            gc.collect()
            self.assertEqual(readers(), [])

        gc.disable()
        self.addCleanup(gc.enable)
        run(main())

    def test_with_the_loop(self):
        items = self.items()
        self.store.fileno()
        before = descriptors()

        async def follow(items: Controller) -> None:
            await items.changes().__anext__()

        loop = asyncio.new_event_loop()
        # A loop that is closed reports tasks that never end.
        loop.set_exception_handler(lambda loop, context: None)
        waiting = loop.create_task(follow(items))
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()
        self.store.insert("items", name="tea")
        # The task waits for the list.
        del waiting, items
        gc.collect()
        self.assertEqual(descriptors(), before)

    def test_closing_the_list_ends_it_after_what_was_collected(self):
        items = self.items()

        async def main() -> list:
            changes = items.changes()
            self.store.insert("items", name="tea")
            items.close()
            self.assertEqual(readers(), [])
            return [added(each) async for each in changes]

        self.assertEqual(run(main()), [["tea"]])

    def test_closing_the_store_ends_it_after_what_was_collected(self):
        items = self.items()

        async def main() -> list:
            changes = items.changes()
            self.store.insert("items", name="tea")
            self.store.close()
            self.assertEqual(readers(), [])
            return [added(each) async for each in changes]

        self.assertEqual(run(main()), [["tea"]])

    def test_closing_wakes_who_waits(self):
        for closed in (self.items(), self.store):
            items = self.items()

            async def main() -> None:
                asyncio.get_running_loop().call_soon(closed.close)
                async for _ in (closed if closed is not self.store else items).changes():
                    self.fail("there was no change")

            run(main())

    def test_a_collection_ends_with_the_last_of_its_stores(self):
        path, other = self.open_file()
        both = Collection([self.items(), self.items(other)], fetch=True)

        async def main() -> None:
            changes = both.changes()
            self.store.close()
            self.assertEqual(len(readers()), 1)
            await write_elsewhere(path, "INSERT INTO items (name) VALUES ('tea')")
            self.assertEqual(added(await changes.__anext__()), ["tea"])
            other.close()
            with self.assertRaises(StopAsyncIteration):
                await changes.__anext__()

        run(main())


if __name__ == "__main__":
    unittest.main()
