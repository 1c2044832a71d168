"""Lists for browsers: the streams of their changes."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import unittest
from typing import Any

from async_support import readers, run, write_elsewhere
from web_support import COLUMNS, SECTIONED, Client, Shown, WebTestCase, get

from fetchedresults import Request, SelectRequest, Store
from fetchedresults.web import ListRoute, LiveLists


class Streams(WebTestCase):
    def test_each_delivery_is_one_message(self):
        async def test() -> None:
            application = self.application()
            async with Client(application, "/tasks") as client:
                self.assertEqual((client.status, client.headers["content-type"]), (200, "text/event-stream"))
                shown = await Shown(client).next()
                self.assertEqual((shown.names, shown.titles), (["0", "1"], [["bread", "call"], ["milk", "plants"]]))

                await write_elsewhere(self.path, "UPDATE tasks SET title = 'buy milk', done = 0 WHERE id = 3")
                await shown.next()
                self.assertEqual(shown.titles, [["bread", "buy milk", "call"], ["plants"]])
                (record,) = shown.records
                self.assertEqual((record["type"], record["old"], record["new"]), ("move", [1, 0], [0, 1]))
                self.assertEqual(record["columns"], ["title"])

                self.writer.executescript(
                    "BEGIN; DELETE FROM tasks WHERE id = 4; UPDATE tasks SET due = 8 WHERE id = 1; COMMIT"
                )
                await shown.next()
                kinds = [(each["kind"], each["type"], each.get("columns")) for each in shown.records]
                self.assertEqual(
                    kinds,
                    [("section", "delete", None), ("object", "delete", None), ("object", "update", ["due"])],
                )
                self.assertEqual((shown.names, shown.sections), (["0"], [self.rows()]))
                self.assertEqual(shown.place, (0, 3))
            self.assertEqual(application.counters.messages, 3)
            application.close()

        run(test())

    def test_a_change_of_a_column_that_is_not_shown_is_no_message(self):
        async def test() -> None:
            application = self.application()
            async with Client(application, "/tasks") as client:
                shown = await Shown(client).next()
                self.writer.execute("UPDATE tasks SET note = 'secret' WHERE id = 1")
                self.writer.execute("UPDATE tasks SET due = 4 WHERE id = 1")
                await shown.next()
                self.assertEqual([each["columns"] for each in shown.records], [["due"]])
            application.close()

        run(test())

    def test_a_window_at_the_start_stays_there(self):
        async def test() -> None:
            application = self.application(Request("tasks", sort="title"))
            async with Client(application, "/tasks", "after=1") as client:
                shown = await Shown(client).next()
                self.assertEqual(shown.titles, [["bread", "call"]])
                for sql, expected in (
                    ("INSERT INTO tasks (title) VALUES ('a'), ('b')", ["a", "b"]),
                    ("UPDATE tasks SET title = 'z' WHERE title = 'a'", ["b", "bread"]),
                    ("DELETE FROM tasks WHERE title < 'c'", ["call", "milk"]),
                    ("INSERT INTO tasks (title) VALUES ('a')", ["a", "call"]),
                ):
                    self.writer.execute(sql)
                    await shown.next()
                    self.assertEqual((shown.titles, shown.place[0]), ([expected], 0), sql)
            application.close()

        run(test())

    def test_a_window_at_the_end_stays_there(self):
        async def test() -> None:
            application = self.application(Request("tasks", sort="title"))
            async with Client(application, "/tasks", "at=end&before=1&after=0") as client:
                shown = await Shown(client).next()
                self.assertEqual(shown.titles, [["milk", "plants"]])
                for sql, expected in (
                    ("INSERT INTO tasks (title) VALUES ('x'), ('y')", ["x", "y"]),
                    ("UPDATE tasks SET title = 'a' WHERE title = 'y'", ["plants", "x"]),
                    ("DELETE FROM tasks WHERE title > 'n'", ["call", "milk"]),
                ):
                    self.writer.execute(sql)
                    await shown.next()
                    self.assertEqual(shown.titles, [expected], sql)
            application.close()

        run(test())

    def test_a_list_without_rows_gets_some(self):
        async def test() -> None:
            self.writer.execute("DELETE FROM tasks")
            application = self.application(Request("tasks", sort="title"))
            async with (
                Client(application, "/tasks", "after=1") as first,
                Client(application, "/tasks", "at=end&before=1") as last,
            ):
                shown = [await Shown(client).next() for client in (first, last)]
                self.writer.execute("INSERT INTO tasks (title) VALUES ('a'), ('b'), ('c')")
                for each, expected in zip(shown, (["a", "b"], ["b", "c"])):
                    await each.next()
                    self.assertEqual(each.titles, [expected])
            application.close()

        run(test())

    def test_the_position_follows_changes_before_the_window(self):
        async def test() -> None:
            application = self.application(Request("tasks", sort="title"))
            async with Client(application, "/tasks", "at=identity:4&before=0&after=0") as client:
                shown = await Shown(client).next()
                self.assertEqual((shown.titles, shown.place), ([["plants"]], (3, 4)))
                self.writer.execute("INSERT INTO tasks (title) VALUES ('a'), ('b')")
                await shown.next()
                self.assertEqual((shown.records, shown.titles, shown.place), ([], [["plants"]], (5, 6)))
            application.close()

        run(test())

    def test_clients_of_one_window_share_it(self):
        async def test() -> None:
            application = self.application()
            async with (
                Client(application, "/tasks", "after=3") as first,
                Client(application, "/tasks", "after=3") as second,
            ):
                shown = [await Shown(client).next() for client in (first, second)]
                self.assertEqual((application.counters.clients, application.counters.windows), (2, 1))
                self.writer.execute("DELETE FROM tasks WHERE id = 1")
                for each in shown:
                    await each.next()
                    self.assertEqual(each.titles, [["call"], ["milk", "plants"]])
            self.assertEqual((application.counters.clients, application.counters.windows), (0, 0))
            application.close()

        run(test())

    def test_a_window_whose_row_was_deleted_is_not_the_row_s_any_more(self):
        async def test() -> None:
            application = self.application(Request("tasks", sort="title"))
            query = "at=identity:2&before=0&after=0"
            async with Client(application, "/tasks", query) as client:
                shown = await Shown(client).next()
                self.writer.execute("DELETE FROM tasks WHERE id = 2")
                await shown.next()
                self.assertEqual((await get(application, query))[0], 404)
                self.writer.execute("INSERT INTO tasks (id, title) VALUES (2, 'zebra')")
                await asyncio.sleep(0)
                while (await get(application, query))[0] == 404:
                    await asyncio.sleep(0.01)
                async with Client(application, "/tasks", query) as other:
                    self.assertEqual((await Shown(other).next()).titles, [["zebra"]])
            self.assertEqual(application.counters.windows, 0)
            application.close()

        run(test())

    def test_all_windows_of_a_list_end_with_it(self):
        async def test() -> None:
            store = Store(self.path)
            application = LiveLists(store, [ListRoute("tasks", Request("tasks", sort="title"), COLUMNS)])
            query = "at=identity:2&before=0&after=0"
            async with Client(application, "/tasks", query) as old:
                shown = await Shown(old).next()
                store.delete("tasks", 2)
                store.insert("tasks", id=2, title="zebra")
                await shown.next()
                async with Client(application, "/tasks", query) as new:
                    self.assertEqual((await Shown(new).next()).titles, [["zebra"]])
                    self.assertEqual(application.counters.windows, 2)
                    store.close()
                    for client in (old, new):
                        while await client.event():
                            pass
            self.assertEqual(application.counters.windows, 0)

        run(test())

    def test_a_row_is_found_by_another_spelling_of_its_identity(self):
        self.writer.executescript("""
            CREATE TABLE codes (code TEXT COLLATE NOCASE PRIMARY KEY, title) WITHOUT ROWID;
            INSERT INTO codes VALUES ('Abc', 'x');
        """)

        async def test() -> None:
            application = self.application(Request("codes"), ["title"])
            async with Client(application, "/tasks", 'at=identity:"abc"') as first:
                async with Client(application, "/tasks", 'at=identity:"ABC"') as second:
                    self.assertEqual([(await Shown(each).next()).titles for each in (first, second)], [[["x"]]] * 2)
                    self.assertEqual(application.counters.windows, 1)
            application.close()

        run(test())

    def test_an_application_that_is_closed_while_a_list_is_read(self):
        async def test() -> None:
            application = self.application()
            task = asyncio.create_task(get(application))
            while application.counters.lists == 0:
                await asyncio.sleep(0)
            application.close()
            self.assertIn((await task)[0], (200, 503))
            self.assertEqual((application.counters.lists, readers()), (0, []))
            self.assertEqual((await get(application))[0], 200)
            application.close()

        run(test())

    def test_an_application_that_is_closed_when_a_list_was_read(self):
        async def test() -> None:
            application = self.application()
            task = asyncio.create_task(get(application))
            while application.counters.lists == 0:
                await asyncio.sleep(0)
            (used,) = application._lists._open.values()
            used.fetched.add_done_callback(lambda _: application.close())
            self.assertEqual((await task)[0], 503)

        run(test())

    @unittest.skipUnless(importlib.util.find_spec("starlette"), "Starlette is not installed")
    def test_it_is_mounted_beside_the_routes_of_a_program(self):
        from starlette.applications import Starlette
        from starlette.responses import PlainTextResponse
        from starlette.routing import Mount, Route

        async def home(request: Any) -> Any:
            return PlainTextResponse("home")

        async def test() -> None:
            application = self.application()
            program = Starlette(routes=[Mount("/live", application), Route("/", home)])
            async with Client(program, "/", stream=False) as client:
                self.assertEqual(await client.body(), b"home")
            async with Client(program, "/live/tasks", root_path="") as client:
                shown = await Shown(client).next()
                self.writer.execute("DELETE FROM tasks WHERE id = 1")
                await shown.next()
                self.assertEqual(shown.titles, [["call"], ["milk", "plants"]])
            application.close()

        run(test())

    def test_a_whole_select(self):
        async def test() -> None:
            sql = "SELECT owner, count(*) AS tasks, max(due) AS due FROM tasks GROUP BY owner ORDER BY owner"
            application = self.application(SelectRequest(sql, identity="owner"), ["owner", "tasks"])
            async with Client(application, "/tasks") as client:
                shown = await Shown(client).next()
                self.assertEqual(shown.sections, [[{"owner": "ann", "tasks": 3}, {"owner": "bob", "tasks": 1}]])
                self.writer.execute("DELETE FROM tasks WHERE id = 1")
                await shown.next()
                self.assertEqual(shown.records[0]["columns"], ["tasks"])
                self.assertEqual(shown.sections[0][0], {"owner": "ann", "tasks": 2})
            application.close()

        run(test())

    def test_a_store_of_the_program_is_served_and_stays_open(self):
        async def test() -> None:
            with Store(self.path) as store:
                application = LiveLists(store, [ListRoute("tasks", SECTIONED, COLUMNS)])
                async with Client(application, "/tasks") as client:
                    shown = await Shown(client).next()
                    store.update("tasks", 1, title="bake bread")
                    await shown.next()
                    self.assertEqual(shown.titles[0], ["bake bread", "call"])
                application.close()
                self.assertFalse(store.closed)
                self.assertEqual(readers(), [])

        run(test())

    def test_a_store_that_is_closed_ends_the_streams(self):
        async def test() -> None:
            store = Store(self.path)
            application = LiveLists(store, [ListRoute("tasks", SECTIONED, COLUMNS)])
            async with Client(application, "/tasks") as client:
                await Shown(client).next()
                store.close()
                self.assertEqual(await client.event(), {})
            self.assertEqual((await get(application))[0], 503)
            self.assertEqual(readers(), [])

        run(test())

    def test_a_rollback_mode(self):
        async def test() -> None:
            self.writer.execute("PRAGMA journal_mode = delete")
            application = self.application()
            async with Client(application, "/tasks") as client:
                shown = await Shown(client).next()
                for number in range(20):
                    self.writer.execute("UPDATE tasks SET title = title || '.', due = ? WHERE id = 1", [number])
                    self.writer.execute("INSERT INTO tasks (title) VALUES (?)", [f"new {number}"])
                while shown.sections != [
                    self.rows("SELECT title, due FROM tasks WHERE done = 0 ORDER BY title"),
                    self.rows("SELECT title, due FROM tasks WHERE done = 1 ORDER BY title"),
                ]:
                    await shown.next()
            application.close()

        run(test())

    def test_a_failing_list_is_reported_and_recovers(self):
        async def test() -> None:
            application = self.application()
            async with Client(application, "/tasks") as client:
                shown = await Shown(client).next()
                with self.assertLogs("fetchedresults.web", "ERROR"):
                    self.writer.execute("ALTER TABLE tasks RENAME TO hidden")
                    event = await client.event()
                self.assertEqual(event["event"], "failed")
                self.writer.execute("UPDATE hidden SET title = 'a' WHERE id = 1")
                self.writer.execute("ALTER TABLE hidden RENAME TO tasks")
                while shown.titles[0] != ["a", "call"]:
                    await shown.next()
            application.close()

        run(test())

    def test_lifespan_and_websockets(self):
        async def test() -> None:
            application = self.application()
            await get(application)
            sent = []
            events = iter(["lifespan.startup", "lifespan.shutdown"])

            async def receive() -> dict:
                return {"type": next(events)}

            async def send(message: dict) -> None:
                sent.append(message["type"])

            await application({"type": "lifespan"}, receive, send)
            await application({"type": "websocket"}, receive, send)
            self.assertEqual(sent, ["lifespan.startup.complete", "lifespan.shutdown.complete", "websocket.close"])
            self.assertEqual((application.counters.lists, readers()), (0, []))

        run(test())

    def test_another_loop_is_refused(self):
        application = self.application()

        async def open_it() -> None:
            await get(application)

        async def use_it() -> None:
            with self.assertRaisesRegex(RuntimeError, "another event loop"):
                await get(application)

        loop = asyncio.new_event_loop()
        loop.run_until_complete(open_it())
        run(use_it())
        loop.call_soon(application.close)
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()


if __name__ == "__main__":
    unittest.main()
