"""Lists for browsers: what the application sends to clients that call it as a server does."""

from __future__ import annotations

import asyncio
import doctest
import importlib
import importlib.util
import json
import pkgutil
import random
import sqlite3
import unittest
from dataclasses import replace
from typing import Any
from unittest.mock import patch
from urllib.parse import quote, urlencode

from async_support import GENEROUS, readers, run, write_elsewhere
from seeds import seeds
from support import StoreTestCase, run_python
from test_documentation import undocumented
from web_support import Client, Shown, get

import fetchedresults.web
from fetchedresults import Request, SelectRequest, Sort, Store
from fetchedresults.web import Choice, FromScope, Integer, Limits, ListRoute, LiveLists, Refused, Text

SCHEMA = """
    CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT, due INT, done INT NOT NULL DEFAULT 0, owner TEXT, note);
    INSERT INTO tasks (title, due, done, owner) VALUES
        ('bread', 3, 0, 'ann'), ('call', 9, 0, 'ann'), ('milk', 1, 1, 'bob'), ('plants', 5, 1, 'ann');
"""
COLUMNS = ["title", "due"]
SECTIONED = Request("tasks", sort="title", section="done")
NEVER = 3600.0


class WebTestCase(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.path = self.folder() / "tasks.db"
        self.writer = sqlite3.connect(self.path, isolation_level=None)
        self.addCleanup(self.writer.close)
        self.writer.execute("PRAGMA journal_mode = wal")
        self.writer.executescript(SCHEMA)

    def application(self, request: Any = SECTIONED, columns: Any = COLUMNS, **options: Any) -> LiveLists:
        limits = replace(Limits(), **options.pop("limits", {}))
        route = ListRoute("tasks", request, columns, options.pop("parameters", None), **options)
        return LiveLists(self.path, [route], limits=limits)

    def rows(self, sql: str = "SELECT title, due FROM tasks ORDER BY done, title, id") -> list:
        return [dict(zip(COLUMNS, row)) for row in self.writer.execute(sql)]


class Windows(WebTestCase):
    def assert_titles(self, query: str, expected: list, place: tuple = (0, 4)) -> None:
        async def test() -> None:
            application = self.application()
            status, found = await get(application, query)
            self.assertEqual(status, 200, found)
            titles = [[row["values"]["title"] for row in each["rows"]] for each in found["sections"]]
            self.assertEqual((titles, (found["position"], found["count"])), (expected, place))
            application.close()

        run(test())

    def test_a_window_is_json_with_the_columns_of_the_route(self):
        async def test() -> None:
            application = self.application()
            status, found = await get(application, "after=2")
            self.assertEqual(status, 200)
            self.assertEqual((found["position"], found["count"]), (0, 4))
            first = {"identity": 1, "values": {"title": "bread", "due": 3}}
            self.assertEqual(found["sections"][0]["section"], {"name": "0"})
            self.assertEqual(found["sections"][0]["rows"][0], first)
            application.close()

        run(test())

    def test_a_window_is_at_the_start_without_a_place(self):
        self.assert_titles("after=1", [["bread", "call"]])

    def test_a_window_at_the_end_has_the_rows_before_it(self):
        self.assert_titles("at=end&before=2&after=0", [["call"], ["milk", "plants"]], (1, 4))

    def test_a_window_at_a_row(self):
        self.assert_titles("at=identity:3&before=1&after=1", [["call"], ["milk", "plants"]], (1, 4))

    def test_a_window_at_a_path_and_at_a_section(self):
        self.assert_titles("at=path:1,1&before=0&after=1", [["plants"]], (3, 4))
        self.assert_titles("at=section:1&before=0&after=0", [["milk"]], (2, 4))

    def test_a_window_at_a_number_ends_with_the_list(self):
        self.assert_titles("at=index:2&after=0", [["milk"]], (2, 4))
        self.assert_titles("at=index:99&after=0", [["plants"]], (3, 4))

    def test_the_first_place_that_exists_is_used(self):
        self.assert_titles("at=identity:77&at=section:x&at=index:3&after=0", [["plants"]], (3, 4))

    def test_a_list_without_rows(self):
        self.writer.execute("DELETE FROM tasks")
        for at in ("start", "end", "index:5"):
            self.assert_titles(f"at={at}", [], (0, 0))

    def test_values_that_json_lacks_are_objects(self):
        async def test() -> None:
            self.writer.execute("DELETE FROM tasks")
            for value in (2**62, b"\0\xff", 9e999, -9e999, 1.5, None, "é\ud83d\ude00\u2028\n"[:1] + "\u2028\n"):
                self.writer.execute("INSERT INTO tasks (note) VALUES (?)", [value])
            application = self.application(Request("tasks", sort="id"), ["note"])
            _, found = await get(application)
            self.assertEqual(
                [row["values"]["note"] for row in found["sections"][0]["rows"]],
                [
                    {"integer": str(2**62)},
                    {"blob": "AP8="},
                    {"real": "Infinity"},
                    {"real": "-Infinity"},
                    1.5,
                    None,
                    "é\u2028\n",
                ],
            )
            application.close()

        run(test())

    def test_identities_of_all_kinds_are_places(self):
        self.writer.executescript("""
            CREATE TABLE parts (a INT, b BLOB, name TEXT, PRIMARY KEY (a, b));
            INSERT INTO parts VALUES (4611686018427387904, x'00ff', 'x'), (1, 'b', 'y'), (NULL, 2.5, 'z');
        """)

        async def test() -> None:
            application = self.application(Request("parts", sort="name"), ["name"])
            _, found = await get(application)
            for number, row in enumerate(found["sections"][0]["rows"]):
                place = quote(json.dumps(row["identity"]))
                _, at = await get(application, f"at=identity:{place}&after=0")
                self.assertEqual((at["position"], at["sections"][0]["rows"]), (number, [row]))
            application.close()

        run(test())

    def test_a_head_request_has_no_body_and_a_post_is_refused(self):
        async def test() -> None:
            application = self.application()
            async with Client(application, "/tasks", method="HEAD") as client:
                self.assertEqual((client.status, await client.body()), (200, b""))
                self.assertGreater(int(client.headers["content-length"]), 100)
            self.assertEqual((await get(application, method="POST"))[0], 405)
            application.close()

        run(test())

    def test_the_scripts_are_served(self):
        async def test() -> None:
            application = self.application()
            for name in ("fetchedresults.js", "follow.js"):
                async with Client(application, f"/{name}", stream=False) as client:
                    self.assertIn("text/javascript", client.headers["content-type"])
                    self.assertIn(b"export", await client.body())

        run(test())

    def test_it_serves_below_the_place_that_it_is_mounted_at(self):
        async def test() -> None:
            application = self.application()
            self.assertEqual((await get(application, path="/live/tasks", root_path="/live"))[0], 200)
            application.close()

        run(test())


class Refusals(WebTestCase):
    def assert_refused(self, query: str, reason: str, status: int = 400, **options: Any) -> None:
        async def test() -> None:
            application = self.application(**options)
            for stream in (False, True):
                async with Client(application, "/tasks", query, stream=stream) as client:
                    self.assertEqual(
                        (client.status, json.loads(await client.body())), (status, {"error": reason}), query
                    )
            counters = application.counters
            self.assertEqual((counters.refused, counters.clients, counters.windows), (2, 0, 0))
            application.close()
            self.assertEqual(application.counters.lists, 0)

        run(test())

    def test_hostile_windows(self):
        rows = "a window has 500 rows at most: the row at its place, before and after"
        for query, reason in (
            ("before=400&after=100", rows),
            ("before=-1", "before must be an integer from 0 to 499"),
            ("after=500", "after must be an integer from 0 to 499"),
            ("after=1e3", "after must be an integer from 0 to 499"),
            ("after=%D9%A3", "after must be an integer from 0 to 499"),
            ("after=99999999999999999999999", "after must be an integer from 0 to 499"),
            ("at=nowhere", "at must be start, end, identity:JSON, index:NUMBER, path:SECTION,ROW or section:NAME"),
            ("at=index:x", f"the index of at must be an integer from 0 to {2**63 - 1}"),
            ("at=path:1", f"the row of at must be an integer from 0 to {2**63 - 1}"),
            ("at=identity:", "the identity of at must be JSON, as a row has it"),
            ("at=identity:NaN", "the identity of at must be JSON, as a row has it"),
            ("at=identity:true", "the identity of at must be JSON, as a row has it"),
            ("at=identity:1e999", "the identity of at must be JSON, as a row has it"),
            ("at=identity:99999999999999999999", "the identity of at must be JSON, as a row has it"),
            ('at=identity:{"blob":"?"}', "the identity of at must be JSON, as a row has it"),
            ("at=identity:[1,[2]]", "the identity of at must be JSON, as a row has it"),
            ("at=identity:" + "[" * 4000, "the identity of at must be JSON, as a row has it"),
            ("x=1", "there is no parameter 'x'"),
            ("after=1&after=2", "only at can be repeated"),
            ("after=%ff", "the query must be percent-encoded UTF-8 of 100 parameters at most"),
            (
                "&".join(f"p{number}=" for number in range(101)),
                "the query must be percent-encoded UTF-8 of 100 parameters at most",
            ),
        ):
            with self.subTest(query[:40]):
                self.assert_refused(query, reason)

    def test_rows_that_do_not_exist(self):
        for at in (
            "identity:99",
            'identity:"1"',
            "path:9,0",
            "path:0,9",
            "section:no",
            "identity:[1,2]",
            "identity:[]",
        ):
            with self.subTest(at):
                self.assert_refused(f"at={at}", "the list has no such place", 404)

    def test_a_query_that_is_too_long(self):
        self.assert_refused("x" * 8193, "a query has 8192 bytes at most", 414)

    def test_parameters(self):
        def request(search: str, least: int, order: Any) -> Request:
            if search == "no":
                raise Refused("search for something else")
            return Request("tasks", "instr(title, ?) AND due >= ?", [search, least], sort=order)

        parameters = {
            "search": Text(max_length=5),
            "least": Integer(0, least=0, most=9),
            "order": Choice({"title": "title", "due": Sort("due", descending=True)}, "due"),
        }
        for query, reason in (
            ("search=" + "x" * 6, "search is longer than 5 characters"),
            ("search=%00", "search contains a NUL character"),
            ("search=no", "search for something else"),
            ("least=10", "least must be an integer from 0 to 9"),
            ("least=", "least must be an integer from 0 to 9"),
            ("order=title;--", "order must be one of: title, due"),
        ):
            with self.subTest(query):
                self.assert_refused(query, reason, request=request, parameters=parameters)

        async def test() -> None:
            application = self.application(request, parameters=parameters)
            for query, expected in (("", "call plants bread milk"), ("order=title&search=l", "call milk plants")):
                _, found = await get(application, query)
                titles = [row["values"]["title"] for row in found["sections"][0]["rows"]]
                self.assertEqual(" ".join(titles), expected)
            for hostile in ("' OR 1 --", '"; DROP TABLE tasks', "%", "\\"):
                status, found = await get(application, urlencode({"search": hostile[:5]}))
                self.assertEqual((status, found["count"]), (200, 0), hostile)
            application.close()

        run(test())

    def test_a_client_that_may_not_see_the_list(self):
        async def is_ann(scope: Any) -> bool:
            await asyncio.sleep(0)
            return scope.get("user") == "ann"

        for allow in (is_ann, lambda scope: scope.get("user") == "ann"):
            self.assert_refused("", "you may not see this list", 403, allow=allow)

        async def test() -> None:
            application = self.application(allow=is_ann)
            self.assertEqual((await get(application, user="ann"))[0], 200)
            application.close()

        run(test())

    def test_a_value_that_the_program_sets(self):
        def own(owner: str) -> Request:
            return Request("tasks", "owner = ?", [owner], sort="title")

        parameters = {"owner": FromScope(lambda scope: scope["user"])}
        self.assert_refused("owner=bob", "owner can't be set", request=own, parameters=parameters)

        async def test() -> None:
            application = self.application(own, parameters=parameters)
            for user, count in (("ann", 3), ("bob", 1), ("eve", 0)):
                self.assertEqual((await get(application, user=user))[1]["count"], count)
            application.close()

        run(test())

    def test_a_path_that_is_no_list(self):
        async def test() -> None:
            application = self.application()
            for path in ("/", "", "/other", "/../tasks", "/tasks/x", "/__init__.py"):
                self.assertEqual((await get(application, path=path))[0], 404, path)

        run(test())

    def test_more_clients_and_lists_than_the_limits_allow(self):
        def request(search: str) -> Request:
            return Request("tasks", "instr(title, ?)", [search], sort="title")

        async def test() -> None:
            application = self.application(
                request, parameters={"search": Text()}, limits={"clients": 2, "lists": 2, "kept": NEVER}
            )
            async with Client(application, "/tasks", "search=a") as first, Client(application, "/tasks", "search=b"):
                self.assertEqual(first.status, 200)
                async with Client(application, "/tasks", "search=a") as third:
                    self.assertEqual((third.status, third.headers["retry-after"]), (503, "5"))
                self.assertEqual(
                    await get(application, "search=c"),
                    (503, {"error": "too many different lists are in use, try again later"}),
                )
                self.assertEqual((await get(application, "search=a"))[0], 200)
            # Lists that nobody uses make room.
            self.assertEqual((await get(application, "search=c"))[0], 200)
            self.assertEqual(application.counters.lists, 2)
            application.close()

        run(test())

    def test_a_list_that_cannot_be_read(self):
        async def test() -> None:
            application = self.application(Request("nowhere"))
            with self.assertLogs("fetchedresults.web", "ERROR") as logs:
                self.assertEqual(await get(application), (500, {"error": "the list can't be read"}))
            self.assertIn("nowhere", logs.output[0])
            self.writer.execute("CREATE TABLE nowhere (id INTEGER PRIMARY KEY, title, due)")
            self.assertEqual((await get(application))[0], 200)
            application.close()

        run(test())

    def test_a_select_that_lacks_a_column_of_the_route(self):
        async def test() -> None:
            application = self.application(SelectRequest("SELECT id FROM tasks", identity="id"))
            with self.assertLogs("fetchedresults.web", "ERROR") as logs:
                self.assertEqual((await get(application))[0], 500)
            self.assertIn("the route has a column that its request lacks: 'title'", logs.output[0])
            application.close()

        run(test())

    def test_routes_that_can_not_be(self):
        for error, arguments in (
            (ValueError, ("a/b", SECTIONED, COLUMNS)),
            (TypeError, ("a", SECTIONED, "title")),
            (TypeError, ("a", SECTIONED, [])),
            (ValueError, ("a", lambda at: SECTIONED, COLUMNS, {"at": Text()})),
            (ValueError, ("a", SECTIONED, COLUMNS, {"x": Text()})),
        ):
            with self.assertRaises(error):
                ListRoute(*arguments)
        for values, default in (([], None), (["a"], "b")):
            with self.assertRaises(ValueError):
                Choice(values, default)


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


class Resuming(WebTestCase):
    def test_a_client_gets_what_has_changed_since(self):
        async def test() -> None:
            application = self.application()
            async with Client(application, "/tasks") as client:
                shown = await Shown(client).next()
            application.close()
            self.writer.executescript("""
                UPDATE tasks SET done = 0, title = 'a' WHERE id = 4;
                UPDATE tasks SET due = 0 WHERE id = 1;
                DELETE FROM tasks WHERE id = 3;
            """)
            # As after a restart of the server, or in another process.
            application = self.application()
            async with Client(application, "/tasks", last_id=shown.id) as client:
                resumed = await Shown(client, shown).next()
                self.assertEqual((resumed.names, resumed.sections), (["0"], [self.rows()]))
                kinds = [(each["kind"], each["type"]) for each in resumed.records]
                expected = [("section", "delete"), ("object", "delete"), ("object", "move"), ("object", "update")]
                self.assertEqual(kinds, expected)
                self.writer.execute("DELETE FROM tasks WHERE id = 1")
                await resumed.next()
                self.assertEqual(resumed.sections, [self.rows()])
            self.assertEqual((application.counters.resumes, application.counters.differences), (1, 1))
            application.close()

        run(test())

    def test_a_client_gets_nothing_if_nothing_has_changed(self):
        async def test() -> None:
            application = self.application()
            async with Client(application, "/tasks") as client:
                shown = await Shown(client).next()
            async with Client(application, "/tasks", last_id=shown.id) as client:
                self.assertEqual(await client.body(), b":\n\n")
            self.assertEqual((application.counters.messages, application.counters.resumes), (1, 1))
            application.close()

        run(test())

    def test_another_window_is_the_difference_too(self):
        async def test() -> None:
            application = self.application()
            async with Client(application, "/tasks", "after=1") as client:
                shown = await Shown(client).next()
            async with Client(application, "/tasks", "at=index:1&after=2", last_id=shown.id) as client:
                moved = await Shown(client, shown).next()
                self.assertEqual((moved.titles, moved.place), ([["call"], ["milk", "plants"]], (1, 4)))
                self.assertEqual(len(moved.records), 4)
            application.close()

        run(test())

    def test_an_id_of_something_else_is_a_whole_window(self):
        async def test() -> None:
            application = self.application()
            for last_id in (
                "",
                "7",
                "1-1.x",
                "0-0" + "." * 3,
                "0-0.%%%%%%%%",
                "é",
                "0-4." + "a" * 9000,
                "9" * 40 + "-1",
            ):
                async with Client(application, "/tasks", last_id=last_id) as client:
                    self.assertEqual((await client.event())["event"], "window", last_id[:20])
            application.close()

        run(test())

    def test_hostile_ids_do_no_harm(self):
        async def test() -> None:
            application = self.application()
            for last_id in ("0-4.aaaaaaaa.aaaaaaaa" * 1, "0-0." + "aaaaaaaa" * 900, "0-0" + ".aaaaaaaa" * 800):
                async with Client(application, "/tasks", last_id=last_id) as client:
                    data = json.loads((await client.event())["data"])
                    self.assertEqual(sum(each["type"] == "insert" for each in data["changes"]), 6)
            application.close()

        run(test())

    def test_random_differences(self):
        from fetchedresults.web._difference import difference
        from fetchedresults.web._states import Item, State, header_of

        def state(random_: random.Random) -> State:
            rows = random_.sample(range(30), random_.randrange(25))
            names = random_.sample("abcdef", random_.randrange(1, 6))
            sections = {name: [header_of(name)] for name in names}
            for row in rows:
                content = random_.randrange(3)
                item = Item(json.dumps({"values": {"title": [row, content]}}), f"{row:04}{content:04}")
                sections[random_.choice(names)].append(item)
            return State(0, len(rows), list(sections.values()))

        for seed in seeds(200):
            random_ = random.Random(seed)
            old, new = state(random_), state(random_)
            shown = Shown(None)  # type: ignore[arg-type]
            shown.names = [json.loads(items[0].text)["name"] for items in old.sections]
            shown.sections = [[json.loads(item.text)["values"] for item in items[1:]] for items in old.sections]
            shown.records = [json.loads(record.text) for record in difference(old.prints, new)]
            shown._apply()
            expected = [[json.loads(item.text)["values"] for item in items[1:]] for items in new.sections]
            names = [json.loads(items[0].text)["name"] for items in new.sections]
            self.assertEqual((shown.names, shown.sections), (names, expected), f"FR_SEED={seed}")
            self.assertEqual(difference(new.prints, new), [])


class RandomChanges(WebTestCase):
    """Windows of several clients, which also scroll and connect again, against a SELECT."""

    def write(self, random_: random.Random) -> None:
        low = random_.randrange(80)
        self.writer.execute("BEGIN")
        for _ in range(random_.randrange(1, 4)):
            sql = random_.choice(
                [
                    f"INSERT INTO tasks (title, due, done) VALUES ('t{random_.randrange(99):02}', 1, {low % 3})",
                    f"UPDATE tasks SET title = 't{random_.randrange(99):02}' WHERE id BETWEEN {low} AND {low + 3}",
                    f"UPDATE tasks SET due = {low} WHERE id BETWEEN {low} AND {low + 3}",
                    f"UPDATE tasks SET done = {random_.randrange(3)} WHERE id BETWEEN {low} AND {low + 9}",
                    f"DELETE FROM tasks WHERE id BETWEEN {low} AND {low + 1}",
                    "INSERT INTO tasks (title, due) VALUES ('a', 2), ('a', 3), ('zz', 4)",
                    "DELETE FROM tasks WHERE id IN (SELECT id FROM tasks ORDER BY done, title LIMIT 4)",
                ]
            )
            self.writer.execute(sql)
        self.writer.execute("COMMIT")

    def is_shown(self, shown: Shown, query: str) -> bool:
        rows = self.writer.execute("SELECT done, title, due FROM tasks ORDER BY done, title, id").fetchall()
        position, length = shown.place
        found = [
            (int(name), row["title"], row["due"]) for name, rows in zip(shown.names, shown.sections) for row in rows
        ]
        edge = {"at=start": position == 0, "at=end": position + len(found) == len(rows)}.get(
            query[: query.index("&")], True
        )
        return length == len(rows) and found == rows[position : position + len(found)] and edge

    def place(self, random_: random.Random) -> str:
        at = random_.choice(["start", "end", f"index:{random_.randrange(80)}"])
        before, after = {"start": (0, 9), "end": (9, 0)}.get(at, (random_.randrange(9), random_.randrange(9)))
        return f"at={at}&before={before}&after={after}"

    @patch("fetchedresults.web._lists._REFRESH", 0.01)
    def test_every_client_shows_what_a_select_yields(self):
        async def test(seed: int) -> None:
            random_ = random.Random(seed)
            self.writer.execute("DELETE FROM tasks")
            rows = [(f"t{random_.randrange(99):02}", number % 3) for number in range(80)]
            self.writer.executemany("INSERT INTO tasks (title, done) VALUES (?, ?)", rows)
            application = self.application()
            shown: list[Shown] = []
            queries = [self.place(random_) for _ in range(4)]
            for query in queries:
                client = await Client(application, "/tasks", query).__aenter__()
                shown.append(await Shown(client).next())
            for _ in range(30):
                self.write(random_)
                for number, query in enumerate(queries):
                    while not self.is_shown(shown[number], query):
                        await shown[number].next()
                number = random_.randrange(4)
                if random_.random() < 0.3:
                    await shown[number].client.__aexit__()
                    queries[number] = self.place(random_)
                    if random_.random() < 0.5:
                        self.write(random_)
                    client = Client(application, "/tasks", queries[number], last_id=shown[number].id)
                    before = shown[number]
                    shown[number] = Shown(await client.__aenter__(), before)
                    shown[number].id, shown[number].place = before.id, before.place
            for each in shown:
                await each.client.__aexit__()
            self.assertEqual((application.counters.clients, application.counters.windows), (0, 0))
            application.close()

        for seed in seeds(5):
            with self.subTest(f"FR_SEED={seed}"):
                run(test(seed))


class SlowClients(WebTestCase):
    def test_a_slow_client_gets_the_difference(self):
        async def test() -> None:
            application = self.application(limits={"waiting": 2})
            async with Client(application, "/tasks") as slow, Client(application, "/tasks") as fast:
                shown, other = [await Shown(client).next() for client in (slow, fast)]
                slow.may_send.clear()
                for number in range(9):
                    self.writer.execute("UPDATE tasks SET due = ? WHERE id = 1", [100 + number])
                    await other.next()
                    (stream,) = [each for each in application._streams if each._sending_since is not None] or [None]
                    self.assertLessEqual(len(stream._waiting) if stream else 0, 2)
                # The first message was under way already; then there are at most two, or one.
                slow.may_send.set()
                count = 0
                while shown.sections != other.sections:
                    await shown.next()
                    count += 1
                self.assertEqual(count, 2)
                self.assertEqual(application.counters.differences, 1)
                self.writer.execute("UPDATE tasks SET due = 7 WHERE id = 1")
                await shown.next()
                self.assertEqual(shown.records[0]["columns"], ["due"])
            application.close()

        run(test())

    def test_a_client_that_does_not_read_is_disconnected(self):
        async def test() -> None:
            application = self.application(limits={"send_timeout": 0.05})
            client = Client(application, "/tasks")
            async with client:
                await Shown(client).next()
                client.may_send.clear()
                self.writer.execute("DELETE FROM tasks WHERE id = 1")
                await asyncio.wait_for(client._task, GENEROUS)
                self.assertEqual((application.counters.disconnected, application.counters.clients), (1, 0))
            application.close()

        run(test())

    def test_heartbeats_and_the_end_of_a_stream(self):
        async def test() -> None:
            application = self.application(limits={"heartbeat": 0.02})
            async with Client(application, "/tasks") as client:
                await client.body()
                self.assertEqual([await client.body() for _ in range(3)], [b":\n\n"] * 3)
            application.close()
            application = self.application(limits={"lifetime": 0.05})
            async with Client(application, "/tasks") as client:
                await client.body()
                self.assertEqual(await client.event(), {})
                await asyncio.wait_for(client._task, GENEROUS)
            application.close()

        run(test())

    def test_a_client_that_is_gone_leaves_nothing(self):
        async def test() -> None:
            application = self.application(limits={"kept": 0.0})
            for number in range(300):
                async with Client(application, "/tasks", f"at=index:{number % 4}") as client:
                    if number % 3:
                        await client.body()
            for _ in range(20):
                task = asyncio.create_task(get(application, "after=2"))
                await asyncio.sleep(0)
                task.cancel()
            while application.counters.lists:
                await asyncio.sleep(0.01)
            counters = application.counters
            self.assertEqual((counters.clients, counters.windows, application._streams), (0, 0, set()))
            application.close()
            self.assertEqual(readers(), [])
            self.assertEqual(len(asyncio.all_tasks()), 2)

        run(test())

    def test_a_server_that_ends_cancels_a_stream_which_ends_its_response(self):
        async def test() -> None:
            application = self.application()
            async with Client(application, "/tasks") as client:
                await Shown(client).next()
                client._task.cancel()
                self.assertEqual((await client.event(), client.is_over), ({}, True))
                await asyncio.wait_for(client._task, GENEROUS)
            self.assertEqual(application.counters.clients, 0)
            application.close()

        run(test())

    def test_a_server_that_raises_where_the_client_is_gone(self):
        async def test() -> None:
            application = self.application()
            scope = {
                "type": "http",
                "method": "GET",
                "path": "/tasks",
                "query_string": b"",
                "headers": [(b"accept", b"text/event-stream")],
            }

            async def receive() -> dict:
                await asyncio.sleep(NEVER)
                return {"type": "http.disconnect"}

            async def send(message: dict) -> None:
                if message["type"] == "http.response.body":
                    raise OSError("gone")

            await application(scope, receive, send)
            self.assertEqual(application.counters.clients, 0)
            application.close()

        run(test())


class Package(unittest.TestCase):
    def test_documentation_is_there_for_everything_public_and_its_examples_run(self):
        attempted = 0
        for each in pkgutil.iter_modules(fetchedresults.web.__path__):
            if each.name == "__main__":
                continue
            module = importlib.import_module(f"fetchedresults.web.{each.name}")
            self.assertTrue(module.__doc__, module.__name__)
            results = doctest.testmod(module)
            self.assertEqual(results.failed, 0, module.__name__)
            attempted += results.attempted
            public = [thing for name, thing in vars(module).items() if not name.startswith("_")]
            own = [thing for thing in public if getattr(thing, "__module__", None) == module.__name__]
            self.assertEqual([name for thing in own for name in undocumented(thing)], [])
        self.assertGreater(attempted, 5)

    def test_it_needs_nothing_but_the_package(self):
        done = run_python("import sys, fetchedresults.web; print([each for each in sys.modules if each == 'uvicorn'])")
        self.assertEqual((done.stdout, done.stderr), ("[]\n", ""))


if __name__ == "__main__":
    unittest.main()
