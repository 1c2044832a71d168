"""A list that a program mirrors with an asynchronous iterator, through reloads."""

from __future__ import annotations

import unittest

from async_support import AsyncTestCase, run
from support import names

from fetchedresults import ChangeSet, FetchedResultsError, Request


def reload(items) -> None:
    """Delivers a reload."""
    items.pause()
    items.resume(reload=True)


class Mirrors(AsyncTestCase):
    def test_that_read_the_list_at_a_reload_show_what_it_shows(self):
        items = self.items()
        mirror = names(items)
        reloads: list = []

        async def follow(changes) -> None:
            async for each in changes:
                reloads.append(each.is_reload)
                if each.is_reload:
                    mirror[:] = names(items)
                else:
                    mirror[:] = each.apply(mirror, value=lambda change: change.object["name"])
                if "zucchini" in mirror[0]:
                    return

        async def main() -> None:
            changes = items.changes()
            self.store.insert("items", name="tea")
            reload(items)
            self.store.insert("items", name="ale")
            self.store.delete("items", 1)
            reload(items)
            self.store.insert("items", name="zucchini")
            await follow(changes)

        run(main())
        self.assertEqual(mirror, names(items))
        self.assertEqual(mirror, [["ale", "apple", "cider", "tea", "zucchini"]])
        # The list that the first reload made the program read has all that follows.
        self.assertEqual(reloads, [False, True])

    def test_miss_nothing_that_is_delivered_after_they_read(self):
        items = self.items()
        mirror: list = []

        async def main() -> None:
            changes = items.changes()
            reload(items)
            self.store.insert("items", name="ale")
            self.assertTrue((await changes.__anext__()).is_reload)
            mirror[:] = names(items)
            self.store.insert("items", name="zucchini")
            mirror[:] = (await changes.__anext__()).apply(mirror, value=lambda change: change.object["name"])

        run(main())
        self.assertEqual(mirror, names(items))

    def test_get_errors_that_wait_behind_a_reload(self):
        items = self.items()

        async def main() -> None:
            changes = items.changes()
            reload(items)
            self.store.insert("items", name="ale")
            self.store.execute("ALTER TABLE items RENAME TO things")
            self.assertTrue((await changes.__anext__()).is_reload)
            with self.assertRaises(FetchedResultsError):
                await changes.__anext__()

        run(main())


class Made(AsyncTestCase):
    def test_in_the_delivery_is_yielded_in_place_of_the_change_set(self):
        items = self.items()
        expected: list = []

        async def main() -> None:
            changes = items.changes(lambda each: (each.is_reload, names(items)))
            self.store.insert("items", name="tea")
            expected.append((False, names(items)))
            reload(items)
            expected.append((True, names(items)))
            self.store.delete("items", 1)
            expected.append((False, names(items)))
            items.request = Request("items", "rank > 2", sort="name")
            expected.append((False, names(items)))
            self.assertEqual([await changes.__anext__() for _ in expected], expected)

        run(main())
        self.assertEqual(names(items), [["cider"]])

    def test_has_rows_that_are_deleted_before_they_are_taken(self):
        items = self.items()

        def texts(changes: ChangeSet) -> list:
            return [change.object["name"] for change in changes.inserts]

        async def main() -> None:
            changes = items.changes(texts)
            tea = self.store.insert("items", name="tea")
            self.store.delete(tea)
            self.assertEqual([await changes.__anext__(), await changes.__anext__()], [["tea"], []])

        run(main())

    def test_can_be_an_exception(self):
        items = self.items()
        error = FetchedResultsError("not an error of the list")

        async def main() -> None:
            changes = items.changes(lambda _: error)
            self.store.insert("items", name="tea")
            self.assertIs(await changes.__anext__(), error)

        run(main())

    def test_that_fails_is_raised_at_its_place(self):
        items = self.items()

        async def main() -> None:
            changes = items.changes(lambda each: 1 // len(each.deletes))
            self.store.insert("items", name="tea")
            self.store.delete("items", 1)
            with self.assertRaises(ZeroDivisionError):
                await changes.__anext__()
            self.assertEqual(await changes.__anext__(), 1)

        run(main())

    def test_is_made_by_a_plain_function(self):
        items = self.items()

        async def later(changes: ChangeSet) -> None:
            """Would run after the delivery."""

        async def main() -> None:
            with self.assertRaisesRegex(TypeError, "can't be a coroutine function"):
                items.changes(later)
            self.assert_ended(items)

        run(main())


if __name__ == "__main__":
    unittest.main()
