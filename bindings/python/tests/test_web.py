"""Lists for browsers: windows as JSON, and what is refused."""

from __future__ import annotations

import asyncio
import doctest
import importlib
import importlib.util
import json
import pkgutil
import unittest
from typing import Any
from urllib.parse import quote, urlencode

from async_support import run
from support import run_python
from test_documentation import undocumented
from web_support import COLUMNS, HAS_SERVER, NEVER, SECTIONED, Client, WebTestCase, get

import fetchedresults.web
from fetchedresults import Request, SelectRequest, Sort
from fetchedresults.web import Choice, FromScope, Integer, ListRoute, Refused, Text


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
            for name in ("fetchedresults.js",):
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
            ('at=identity:"%5Cud800"', "the identity of at must be JSON, as a row has it"),
            ("at=section:a%00", "the section of at must not have a NUL character"),
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


class Package(unittest.TestCase):
    def test_documentation_is_there_for_everything_public_and_its_examples_run(self):
        attempted = 0
        for each in pkgutil.iter_modules(fetchedresults.web.__path__):
            if each.name == "__main__" or (each.name == "_server" and not HAS_SERVER):
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
