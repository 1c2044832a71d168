"""Coroutine functions as observers: run by the loop, or refused, never silently dropped."""

from __future__ import annotations

import asyncio
import functools
import gc
import threading
import unittest
import warnings

from async_support import AsyncTestCase, added, run


class Observers(AsyncTestCase):
    def setUp(self) -> None:
        super().setUp()
        warned = warnings.catch_warnings(record=True)
        self.warned = warned.__enter__()
        warnings.simplefilter("always", RuntimeWarning)
        self.addCleanup(self.assert_nothing_pending)
        self.addCleanup(warned.__exit__, None, None, None)
        self.addCleanup(gc.collect)

    def assert_nothing_pending(self) -> None:
        """Python warns of a coroutine that is not run: it "was never awaited"."""
        self.assertEqual([str(each.message) for each in self.warned], [])

    def test_run_in_the_order_of_the_deliveries(self):
        items = self.items()
        reported: list = []

        async def show(changes) -> None:
            names = added(changes)
            reported.append(("begin", *names))
            await asyncio.sleep(0.01 if names == ["tea"] else 0)
            reported.append(("end", *names))
            if names == ["salt"]:
                done.set()

        async def main() -> None:
            nonlocal done
            done = asyncio.Event()
            items.add_observer(show)
            self.store.insert("items", name="tea")
            self.store.insert("items", name="salt")
            # Not before the loop continues.
            self.assertEqual(reported, [])
            await done.wait()

        done = None
        run(main())
        self.assertEqual(reported, [("begin", "tea"), ("end", "tea"), ("begin", "salt"), ("end", "salt")])

    def test_of_all_kinds_run(self):
        items = self.items()
        reported: list = []

        class Callable:
            async def __call__(self, changes) -> None:
                reported.append("callable")

            async def method(self, changes) -> None:
                reported.append("method")

        async def function(word, changes) -> None:
            reported.append(word)

        async def main() -> None:
            for observer in (
                Callable(),
                Callable().method,
                functools.partial(function, "partial"),
                lambda changes: function("lambda", changes),
            ):
                items.add_observer(observer)
            self.store.insert("items", name="tea")
            while len(reported) < 4:
                await asyncio.sleep(0)

        run(main())
        self.assertEqual(sorted(reported), ["callable", "lambda", "method", "partial"])

    def test_that_raise_are_reported_to_the_loop_and_run_on(self):
        items = self.items()
        failures: list = []
        reported: list = []

        async def fail(changes) -> None:
            reported.append(added(changes))
            raise ValueError(added(changes)[0])

        async def main() -> None:
            asyncio.get_running_loop().set_exception_handler(
                lambda loop, context: failures.append(context["exception"])
            )
            items.add_observer(fail)
            self.store.insert("items", name="tea")
            self.store.insert("items", name="salt")
            while len(failures) < 2:
                await asyncio.sleep(0)
            self.store.insert("items", name="ale")
            while len(failures) < 3:
                await asyncio.sleep(0)

        run(main())
        self.assertEqual([str(error) for error in failures], ["tea", "salt", "ale"])

    def test_are_refused_where_no_loop_runs(self):
        items = self.items()

        async def show(changes) -> None: ...

        with self.assertRaisesRegex(RuntimeError, "no running event loop"):
            items.add_observer(show)
        self.assertEqual(items._receivers, {})
        items.add_observer(lambda changes: show(changes))
        with self.assertRaisesRegex(RuntimeError, "no running event loop"):
            self.store.insert("items", name="tea")
        # What was written remains.
        self.assertEqual(items.count, 4)

    def test_are_refused_when_their_loop_is_closed(self):
        items = self.items()

        async def show(changes) -> None: ...

        async def main() -> None:
            items.add_observer(show)
            # Not run any more.
            self.store.insert("items", name="tea")

        asyncio.run(main())
        with self.assertRaisesRegex(RuntimeError, "loop of the observer is closed"):
            self.store.insert("items", name="salt")

    def test_run_in_their_loop_whichever_thread_writes(self):
        store = self.open(check_same_thread=False)
        store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
        items = self.items(store)

        async def main() -> None:
            reported = asyncio.get_running_loop().create_future()

            async def show(changes) -> None:
                # The other thread may still be inside its call, so this one reads nothing.
                reported.set_result((len(changes), threading.current_thread()))

            items.add_observer(show)
            await asyncio.get_running_loop().run_in_executor(None, lambda: store.insert("items", name="tea") and None)
            self.assertEqual(await reported, (1, threading.current_thread()))

        run(main())
        items.close()

    def test_that_are_generators_are_refused(self):
        def generate(changes):
            yield changes

        async def generate_async(changes):
            yield changes

        for function in (generate, generate_async):
            with self.assertRaisesRegex(TypeError, "generator function"):
                self.items().add_observer(function)


class OtherFunctions(AsyncTestCase):
    def test_that_are_coroutine_functions_are_refused(self):
        async def later(*arguments): ...

        items = self.items()
        for use in (
            lambda: items.perform_fetch(later),
            lambda: items.perform_fetch_async(later),
            lambda: items.perform_fetch_async(progress=later),
            lambda: self.store.call_after_round(later),
            lambda: self.store.add_collation("later", later),
            lambda: setattr(items, "index_title_function", later),
        ):
            with self.assertRaisesRegex(TypeError, "can't be a coroutine function"):
                use()


if __name__ == "__main__":
    unittest.main()
