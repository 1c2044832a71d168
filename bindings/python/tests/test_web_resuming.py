"""Lists for browsers: clients that connect again, scroll, and read slowly or not at all."""

from __future__ import annotations

import asyncio
import json
import random
import unittest
from unittest.mock import patch

from async_support import GENEROUS, readers, run
from seeds import seeds
from web_support import NEVER, Client, Shown, WebTestCase, get


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
            # Tasks that were cancelled end in the next rounds of the loop.
            while len(asyncio.all_tasks()) > 2:
                await asyncio.sleep(0)

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


if __name__ == "__main__":
    unittest.main()
