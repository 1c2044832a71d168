"""The table of a database as a web page, served by uvicorn."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import sqlite3
import subprocess
import time
import unittest
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

from async_support import GENEROUS, run
from support import StoreTestCase, run_python
from web_support import ENVIRONMENT, HAS_SERVER, Client, arguments, get, serve

from fetchedresults import Request, SchemaError
from fetchedresults.web._page import Page

HOST = (("host", "localhost:8765"),)


class PageTestCase(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.path = self.folder() / "tasks.db"
        self.writer = sqlite3.connect(self.path, isolation_level=None)
        self.addCleanup(self.writer.close)
        self.writer.executescript("""
            PRAGMA journal_mode = wal;
            CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT, "due <b>" INT, done INT);
            INSERT INTO tasks VALUES (1, 'milk', 1, 0), (2, '100%', 2, 1), (3, '<script>', 3, 0);
            CREATE VIEW late AS SELECT id, title FROM tasks WHERE "due <b>" > 1;
        """)


class Pages(PageTestCase):
    def page(self, table: str = "tasks", **request: Any) -> Page:
        page = Page(self.path, Request(table, **request), ["list.example"])
        self.addCleanup(page.lists.close)
        return page

    def test_names_are_escaped(self):
        async def test() -> None:
            async with Client(self.page(), "/", stream=False, headers=HOST) as client:
                text = (await client.body()).decode()
                self.assertEqual(client.status, 200)
                self.assertIn("script-src 'self'", client.headers["content-security-policy"])
                self.assertIn('data-text="due &lt;b&gt;"', text)
                self.assertNotIn("<b>", text)

        run(test())

    def test_its_files_are_served(self):
        async def test() -> None:
            page = self.page()
            for path, kind in (
                ("/page.css", "text/css; charset=utf-8"),
                ("/page.js", "text/javascript; charset=utf-8"),
                ("/lists/fetchedresults.js", "text/javascript; charset=utf-8"),
            ):
                async with Client(page, path, stream=False, headers=HOST) as client:
                    self.assertEqual((client.status, client.headers["content-type"]), (200, kind))
            for path in ("/page.py", "/lists/other", "/__main__.py"):
                async with Client(page, path, stream=False, headers=HOST) as client:
                    self.assertEqual(client.status, 404)

        run(test())

    def test_rows_are_searched_and_sorted(self):
        async def test() -> None:
            page = self.page(sort="title")
            for query, expected in (
                ("", ["100%", "<script>", "milk"]),
                ("order=-due%20%3Cb%3E", ["<script>", "100%", "milk"]),
                ("search=%25", ["100%"]),
                ("search=SCRIPT&order=id", ["<script>"]),
            ):
                _, found = await get(page, query, "/lists/rows", headers=HOST)
                self.assertEqual([row["values"]["title"] for row in found["sections"][0]["rows"]], expected, query)
            _, found = await get(page, "order=rowid", "/lists/rows", headers=HOST)
            self.assertIn("order must be one of", found["error"])

        run(test())

    def test_other_names_and_other_pages_are_refused(self):
        async def test() -> None:
            page = self.page()
            for host, origin, status in (
                ("localhost:8765", None, 200),
                ("LOCALHOST", None, 200),
                ("127.0.0.1:8765", "http://127.0.0.1:8765", 200),
                ("[::1]:8765", None, 200),
                ("192.168.1.2", None, 200),
                ("list.example", "http://list.example", 200),
                ("evil.example", None, 421),
                ("localhost.evil.example", None, 421),
                ("", None, 421),
                ("[", None, 421),
                ("localhost:8765", "http://evil.example", 421),
                ("localhost:8765", "http://localhost:9999", 421),
                ("localhost:8765", "null", 421),
                ("localhost:8765", "http://[", 421),
            ):
                headers = (("host", host), *((("origin", origin),) if origin else ()))
                for path in ("/", "/lists/rows"):
                    async with Client(page, path, stream=False, headers=headers) as client:
                        self.assertEqual(client.status, status, (host, origin))

        run(test())

    def test_a_view_needs_an_identity(self):
        async def test() -> None:
            _, found = await get(self.page("late", identity=["id"]), "", "/lists/rows", headers=HOST)
            self.assertEqual(found["count"], 2)

        run(test())
        with self.assertRaises(SchemaError):
            self.page("late")
        with self.assertRaises(SchemaError):
            self.page("nowhere")


class OneLine(PageTestCase):
    def test_a_missing_server_is_named(self):
        done = run_python("""
            import sys
            sys.modules["uvicorn"] = None
            from fetchedresults.web.__main__ import main
            sys.exit(main(["tasks.db", "tasks"]))
        """)
        self.assertEqual(done.returncode, 1)
        self.assertIn("pip install 'fetchedresults[web]'", done.stderr)

    @unittest.skipUnless(HAS_SERVER, "uvicorn is not installed")
    def test_what_can_not_be_shown_is_an_error(self):
        for more, expected in (
            (["missing.db", "tasks"], "missing.db"),
            ([str(self.path), "nowhere"], "nowhere"),
            ([str(self.path), "tasks", "--sort", "no such"], "no such"),
        ):
            done = subprocess.run(arguments(*more), capture_output=True, text=True, timeout=GENEROUS, env=ENVIRONMENT)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn(expected, done.stderr)
            self.assertNotIn("Traceback", done.stderr)
        self.assertFalse(Path("missing.db").exists())


@unittest.skipUnless(HAS_SERVER, "uvicorn is not installed")
class Served(PageTestCase):
    """Real connections."""

    def setUp(self) -> None:
        super().setUp()
        self.server, self.port = serve(self, self.path, "tasks", "--sort=-title", "--section", "done")

    def request(self, query: str = "", **headers: str) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=GENEROUS)
        self.addCleanup(connection.close)
        connection.request("GET", f"/lists/rows{query}", headers=headers)
        return connection.getresponse()

    def test_a_commit_of_another_process_is_a_message(self):
        response = self.request(Accept="text/event-stream")
        self.assertEqual(response.status, 200)
        self.assertEqual([self.field(response)["event"], self.server.poll()], ["window", None])
        self.writer.execute("UPDATE tasks SET title = 'bread' WHERE id = 1")
        record = json.loads(self.field(response)["data"])["changes"][0]
        self.assertEqual((record["type"], record["row"]["values"]["title"]), ("update", "bread"))

    def field(self, response: http.client.HTTPResponse) -> dict[str, str]:
        fields = {}
        while True:
            line = response.readline().decode().rstrip("\n")
            if line and not line.startswith(":"):
                name, _, value = line.partition(": ")
                fields[name] = value
            elif not line and fields:
                return fields

    def test_responses_have_their_date_and_nothing_wakes_an_idle_server(self):
        response = self.request(Accept="text/event-stream")
        sent = parsedate_to_datetime(response.getheader("date"))
        self.assertLess(abs(time.time() - sent.timestamp()), GENEROUS)
        self.assertEqual(self.field(response)["event"], "window")

        def wakings() -> list[str]:
            tasks = Path(f"/proc/{self.server.pid}/task").iterdir()
            return [line for each in tasks for line in (each / "status").read_text().split("\n") if "voluntary" in line]

        # What the request has begun may end first.
        end = time.monotonic() + GENEROUS
        before: list[str] = []
        while wakings() != before:
            self.assertLess(time.monotonic(), end, before)
            before = wakings()
            time.sleep(0.5)

    def test_a_signal_ends_it(self):
        script = ("sh", "-c", 'trap "" INT; exec "$@"', "sh")  # as a script starts one in the background
        for number, status, shell in (
            (signal.SIGTERM, -signal.SIGTERM, ()),
            (signal.SIGINT, 0, ()),
            (signal.SIGINT, 0, script),
        ):
            server, _ = serve(self, self.path, "tasks", shell=shell)
            server.send_signal(number)
            self.assertEqual(server.wait(GENEROUS), status)

    def test_half_open_connections_and_floods_leave_it_alive(self):
        held = [socket.create_connection(("127.0.0.1", self.port), GENEROUS) for _ in range(50)]
        for number, each in enumerate(held):
            self.addCleanup(each.close)
            each.sendall(b"GET /lists/rows HTTP/1.1\r\nHost: localhost\r\n"[: number + 1])
        for flood in (
            b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * 100_000,
            b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * 1_000_000,
            b"GET /" + b"x" * 1_000_000,
            b"\0" * 100_000,
        ):
            with socket.create_connection(("127.0.0.1", self.port), GENEROUS) as each:
                try:
                    each.sendall(flood)
                    each.shutdown(socket.SHUT_WR)
                    while each.recv(1 << 16):
                        pass
                except OSError:
                    pass  # the server has closed it
        self.assertEqual(self.request().status, 200)

    def test_a_client_that_reads_late_gets_the_newest_rows_and_few_of_the_others(self):
        late, other = (self.request(Accept="text/event-stream") for _ in range(2))
        text = "x" * 200_000
        self.assertEqual(self.field(other)["event"], "window")
        for number in range(100):
            self.writer.execute("UPDATE tasks SET title = ? WHERE id = 1", [f"{text}{number}"])
            while f'{text}{number}"' not in self.field(other)["data"]:
                pass
        size = 0
        while f'{text}99"' not in (data := self.field(late)["data"]):
            size += len(data)
        self.assertLess(size, 15_000_000)

    def test_many_reconnects_leave_no_connection(self):
        rounds = int(os.environ.get("FR_RECONNECTS", "300"))
        for _ in range(rounds):
            with socket.create_connection(("127.0.0.1", self.port), GENEROUS) as each:
                each.sendall(b"GET /lists/rows HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
                self.assertTrue(each.recv(15).startswith(b"HTTP/1.1 200"))
        folder = Path(f"/proc/{self.server.pid}/fd")
        while sum(os.readlink(each).startswith("socket:") for each in folder.iterdir() if each.exists()) > 10:
            self.assertEqual(self.request().status, 200)
        self.assertIsNone(self.server.poll())


if __name__ == "__main__":
    unittest.main()
