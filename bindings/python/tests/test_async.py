"""Change sets that a program waits for with asyncio."""

from __future__ import annotations

import asyncio
import threading
import unittest

from async_support import GENEROUS, AsyncTestCase, added, readers, run, write_elsewhere
from support import SCHEMA, names

from fetchedresults import (
    ChangeIterator,
    ChangeSet,
    Collection,
    FetchedResultsError,
    Placeholder,
    Request,
    SectionMap,
)


class Yielding(AsyncTestCase):
    def test_yields_what_another_process_commits(self):
        path, store = self.open_file()
        items = self.items(store)

        async def main() -> None:
            changes = items.changes()
            await write_elsewhere(path, "INSERT INTO items (name) VALUES ('tea')")
            self.assertEqual(added(await changes.__anext__()), ["tea"])
            await write_elsewhere(path, "UPDATE items SET name = 'green tea'")
            (update,) = await changes.__anext__()
            self.assertEqual((update.old_values["name"], update.object["name"]), ("tea", "green tea"))

        run(main())

    def test_yields_own_commits(self):
        items = self.items()

        async def main() -> None:
            changes = items.changes()
            self.store.insert("items", name="tea")
            self.assertEqual(added(await changes.__anext__()), ["tea"])

        run(main())

    def test_yields_own_commits_of_a_queued_store(self):
        store = self.open(queued=True)
        store.executescript(SCHEMA)
        store.dispatch()
        items = self.items(store)

        async def main() -> None:
            changes = items.changes()
            store.insert("items", name="tea")
            self.assertEqual(items.count, 0)
            self.assertEqual(added(await changes.__anext__()), ["tea"])

        run(main())

    def test_loses_nothing_while_the_consumer_is_busy(self):
        path, store = self.open_file()
        items = self.items(store)
        shown: list = [[]]
        expected = [[f"other {number:02}" for number in range(20)]]

        async def write() -> None:
            for number in range(20):
                store.insert("items", name=f"own {number:02}")
                await write_elsewhere(path, f"INSERT INTO items (name) VALUES ('other {number:02}')")
            await write_elsewhere(path, "DELETE FROM items WHERE name LIKE 'own %'")

        async def main() -> None:
            nonlocal shown
            writer = asyncio.create_task(write())
            async for changes in items.changes():
                shown = changes.apply(shown, value=lambda change: change.object["name"])
                if shown == expected:
                    break
                await asyncio.sleep(0.01)
            await writer

        run(main())
        self.assertEqual(names(items), expected)

    def test_collects_from_the_moment_it_is_made(self):
        items = self.items()

        async def main() -> None:
            self.store.insert("items", name="before")
            changes = items.changes()
            self.store.insert("items", name="tea")
            self.store.insert("items", name="water")
            await asyncio.sleep(0)
            self.assertEqual([added(await changes.__anext__()) for _ in range(2)], [["tea"], ["water"]])

        run(main())

    def test_yields_a_reload(self):
        items = self.items()

        async def main() -> None:
            changes = items.changes()
            items.pause()
            self.store.insert("items", name="tea")
            items.resume(reload=True)
            self.assertTrue((await changes.__anext__()).is_reload)

        run(main())

    def test_yields_those_of_a_section_map(self):
        lists = SectionMap(self.store, Request("items", sort="name"), Request("lists"), "list_id", fetch=True)

        async def main() -> None:
            changes = lists.changes()
            self.store.insert("items", name="tea", list_id=2)
            self.assertEqual(added(await changes.__anext__()), ["tea"])

        run(main())

    def test_change_sets_stay_whole(self):
        items = self.items()

        async def main() -> ChangeSet:
            changes = items.changes()
            self.store.delete("items", 2)
            return await changes.__anext__()

        (deleted,) = run(main())
        self.store.close()
        self.assertEqual((deleted.old_values["name"], deleted.object["rank"]), ("apple", 1.0))


class Together(AsyncTestCase):
    def test_iterators_of_one_store_share_a_reader(self):
        path, store = self.open_file()
        items, lists = self.items(store), store.fetch("lists")

        async def main() -> None:
            first, second, third = items.changes(), items.changes(), lists.changes()
            self.assertEqual(len(readers()), 1)
            await write_elsewhere(path, "INSERT INTO items (name) VALUES ('tea')")
            self.assertEqual(added(await first.__anext__()), ["tea"])
            self.assertEqual(added(await second.__anext__()), ["tea"])
            await first.aclose()
            await second.aclose()
            self.assertEqual(len(readers()), 1)
            await write_elsewhere(path, "INSERT INTO lists VALUES (9, 'Work', 1)")
            self.assertEqual(len(await third.__anext__()), 1)
            await third.aclose()
            self.assertEqual(readers(), [])

        run(main())

    def test_the_program_can_have_a_reader_of_its_own(self):
        path, store = self.open_file()
        items = self.items(store)
        calls = []

        async def main() -> None:
            loop = asyncio.get_running_loop()
            loop.add_reader(store, calls.append, "readable")
            changes = items.changes()
            await write_elsewhere(path, "INSERT INTO items (name) VALUES ('tea')")
            self.assertEqual(added(await changes.__anext__()), ["tea"])
            await changes.aclose()
            self.assertEqual(readers(), [store.fileno()])
            self.assertTrue(loop.remove_reader(store))

        run(main())

    def test_a_collection_follows_all_its_stores(self):
        path, store = self.open_file()
        other_path, other = self.open_file("other.db")
        both = Collection([self.items(store), Collection([self.items(other)])], fetch=True)

        async def main() -> None:
            changes = both.changes()
            self.assertEqual(len(readers()), 2)
            for each in (path, other_path):
                await write_elsewhere(each, f"INSERT INTO items (name) VALUES ('{each.stem}')")
                self.assertEqual(added(await changes.__anext__()), [each.stem])

        run(main())

    def test_a_collection_follows_the_stores_of_inserted_and_removed_children(self):
        path, store = self.open_file()
        inner = Collection([Placeholder("Nothing")])
        outer = Collection([inner], fetch=True)
        items = self.items(store)

        async def main() -> None:
            changes = outer.changes()
            self.assertEqual(readers(), [])
            inner.append(items)
            self.assertEqual(len(await changes.__anext__()), 1)
            self.assertEqual(len(readers()), 1)
            await write_elsewhere(path, "INSERT INTO items (name) VALUES ('tea')")
            self.assertEqual(added(await changes.__anext__()), ["tea"])
            outer.remove(inner)
            self.assertEqual(readers(), [])
            inner.append(self.items())
            self.assertEqual(readers(), [])

        run(main())

    def test_collections_can_change_places(self):
        inner, outer = Collection(fetch=True), Collection(fetch=True)
        outer.append(inner)
        outer.remove(inner)
        inner.append(outer)
        items = self.items()

        async def main() -> None:
            changes = inner.changes()
            outer.append(items)
            self.assertEqual((len(await changes.__anext__()), len(readers())), (4, 1))

        run(main())

    def test_another_thread_may_write(self):
        store = self.open(check_same_thread=False)
        store.executescript(SCHEMA)
        items = self.items(store)

        async def main() -> None:
            changes = items.changes()
            waiting = asyncio.ensure_future(changes.__anext__())
            await asyncio.sleep(0)
            # In debug mode the loop checks which thread calls it.
            asyncio.get_running_loop().set_debug(True)
            thread = threading.Thread(target=store.insert, args=("items", {"name": "tea"}))
            thread.start()
            changes = await waiting
            thread.join()
            self.assertEqual(added(changes), ["tea"])

        run(main())


class Waiting(AsyncTestCase):
    def test_needs_a_running_loop(self):
        items = self.items()
        with self.assertRaises(RuntimeError):
            items.changes()
        self.assert_ended(items)

    def test_belongs_to_one_loop(self):
        items = self.items()

        async def main() -> ChangeIterator:
            return items.changes()

        async def use(changes: ChangeIterator) -> None:
            with self.assertRaisesRegex(RuntimeError, "belongs to another event loop"):
                await changes.__anext__()
            await changes.aclose()

        run(use(run(main())))
        self.assert_ended(items)

    def test_one_task_waits_at_a_time(self):
        items = self.items()

        async def main() -> None:
            changes = items.changes()
            first = asyncio.ensure_future(changes.__anext__())
            await asyncio.sleep(0)
            with self.assertRaisesRegex(RuntimeError, "another task waits"):
                await changes.__anext__()
            self.store.insert("items", name="tea")
            self.assertEqual(added(await first), ["tea"])

        run(main())

    def test_a_timeout_loses_nothing(self):
        items = self.items()

        async def main() -> None:
            changes = items.changes()
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(changes.__anext__(), 0.01)
            self.store.insert("items", name="tea")
            self.assertEqual(added(await asyncio.wait_for(changes.__anext__(), GENEROUS)), ["tea"])

        run(main())

    def test_the_next_change_set_can_be_waited_for_alone(self):
        items = self.items()

        async def main() -> None:
            asyncio.get_running_loop().call_later(0.01, lambda: self.store.insert("items", name="tea"))
            self.assertEqual(added(await items.changes().__anext__()), ["tea"])
            self.assert_ended(items)

        run(main())

    def test_of_a_closed_list(self):
        items = self.items()
        items.close()

        async def main() -> None:
            with self.assertRaises(FetchedResultsError):
                items.changes()
            self.assertEqual(readers(), [])

        run(main())


if __name__ == "__main__":
    unittest.main()
