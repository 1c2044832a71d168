"""frwatch as JSON, and the commands that it runs."""

from __future__ import annotations

import json
import signal

from frwatch_support import FrwatchTest


class JSONTest(FrwatchTest):
    def test_prints_one_object_a_line(self) -> None:
        follower = self.follow(
            "tasks", "--section", "list_id", "--sort", "position", "--columns", "title,position", "--json"
        )
        list_, work, plan, *_ = [json.loads(line) for line in follower.lines(6)]
        self.assertEqual(
            list_,
            {
                "type": "list",
                "database": self.path,
                "entity": "tasks",
                "delivery": 0,
                "generation": None,
                "sections": 2,
                "rows": 3,
            },
        )
        self.assertEqual(work, {"type": "section", "path": [0], "name": "1", "rows": 2})
        self.assertEqual(
            plan, {"type": "row", "path": [0, 0], "identity": [2], "object": {"title": "Plan", "position": 1.0}}
        )
        self.writer.execute("UPDATE tasks SET list_id = 2, title = 'Ask' WHERE id = 2")
        self.assertEqual(
            follower.line(),
            '{"type":"move","kind":"row","delivery":1,"generation":null,"index":0,"of":1,"old_path":[0,0],'
            '"new_path":[1,0],"identity":[2],"old":{"title":"Plan"},"object":{"title":"Ask","position":1.0}}',
        )
        self.writer.execute("DELETE FROM tasks WHERE id = 1")
        self.assertEqual(
            follower.lines(2),
            [
                '{"type":"delete","kind":"section","delivery":2,"generation":null,"index":0,"of":2,"old_path":[0],'
                '"new_path":null,"name":"1"}',
                '{"type":"delete","kind":"row","delivery":2,"generation":null,"index":1,"of":2,"old_path":[0,0],'
                '"new_path":null,"identity":[1],"old":null,"object":{"title":"Call Ada","position":2.0}}',
            ],
        )
        self.assertEqual(follower.end(signal.SIGINT), (-signal.SIGINT, ""))

    def test_a_null_key_has_another_identity_than_the_key_that_equals_its_rowid(self) -> None:
        self.writer.execute("CREATE TABLE codes (code INT PRIMARY KEY, name)")
        self.writer.execute("INSERT INTO codes (rowid, code, name) VALUES (1, 2, 'a'), (2, NULL, 'b')")
        follower = self.follow("codes", "--sort", "name", "--json")
        follower.lines(4)
        self.writer.execute("DELETE FROM codes")
        changes = [json.loads(line) for line in follower.lines(2)]
        identities = {tuple(change["identity"]): change["object"]["name"] for change in changes}
        self.assertEqual(identities, {(2,): "a", (None, 2): "b"})

    def test_has_a_form_for_every_value(self) -> None:
        self.writer.execute("CREATE TABLE kinds (id INTEGER PRIMARY KEY, value)")
        values = [None, -(2**63), 0.1, 1e300, float("inf"), '\x00\x1f"\\\x7f\u2028日', b"\x00\xff"]
        self.writer.executemany("INSERT INTO kinds (value) VALUES (?)", [[value] for value in values])
        self.writer.execute("INSERT INTO kinds (value) VALUES (CAST(x'61ff62' AS TEXT))")
        done = self.run_program(self.path, "kinds", "--json", "--once")
        self.assertTrue(done.stdout.isprintable() or "\n" in done.stdout)
        shown = [json.loads(line)["object"]["value"] for line in done.stdout.splitlines()[2:]]
        self.assertEqual(shown, [*values[:4], "Infinity", values[5], {"blob": "00ff"}, "a\ufffdb"])

    def test_escapes_marks_of_writing_direction(self) -> None:
        marks = "\u061c\u200e\u200f" + "".join(map(chr, [*range(0x202A, 0x202F), *range(0x2066, 0x206A)]))
        self.writer.execute("UPDATE lists SET title = ? WHERE id = 1", [f"a{marks}b\u200d"])
        done = self.run_program(self.path, "lists", "--json", "--once", "--where", "id = 1")
        self.assertEqual([mark for mark in marks if mark in done.stdout], [])
        self.assertIn("\u200d", done.stdout)
        self.assertEqual(json.loads(done.stdout.splitlines()[-1])["object"]["title"], f"a{marks}b\u200d")

    def test_prints_a_failure(self) -> None:
        follower = self.follow("lists", "--json", "--columns", "title")
        follower.lines(4)
        self.writer.execute("ALTER TABLE lists RENAME COLUMN title TO name")
        failure = json.loads(follower.line())
        self.assertEqual(failure.keys(), {"type", "status", "message"})
        self.assertEqual((failure["type"], failure["status"]), ("failure", "FR_SCHEMA"))


class CommandTest(FrwatchTest):
    command = 'echo "$FRWATCH_TABLE $FRWATCH_DELIVERY $FRWATCH_ROWS $FRWATCH_SECTIONS"; cat'

    def test_runs_for_each_delivery(self) -> None:
        follower = self.follow("lists", "--exec", self.command)
        follower.lines(3)
        self.writer.execute("INSERT INTO lists VALUES (3, 'Garden')")
        self.assertEqual(follower.lines(3), ["delivery 1", "  insert [0, 2]: 3  | Garden", "lists 1 3 1"])
        self.assertEqual(json.loads(follower.line())["object"], {"id": 3, "title": "Garden"})
        self.writer.execute("DELETE FROM lists WHERE id < 3")
        self.assertEqual(follower.lines(4)[-1], "lists 2 1 1")
        self.assertEqual([json.loads(line)["identity"] for line in follower.lines(2)], [[2], [1]])

    def test_need_not_read_its_changes(self) -> None:
        insert = (
            "WITH n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO lists SELECT i, i FROM n"
        )
        arguments = ("lists", "--quiet", "--once", "--exec", "echo done", "--sql", insert)
        self.prints(["done"], *arguments)

    def test_that_fails_is_reported_and_followed_by_others(self) -> None:
        commands = ("--sql", "DELETE FROM lists WHERE id = 1", "--sql", "DELETE FROM lists WHERE id = 2")
        command = 'echo $FRWATCH_DELIVERY; test "$FRWATCH_DELIVERY" != 1'
        done = self.run_program(self.path, "lists", "--quiet", "--once", "--exec", command, *commands)
        self.assertEqual((done.returncode, done.stdout), (1, "1\n2\n"))
        self.assertEqual(done.stderr, "frwatch: the command ended with status 1\n")
