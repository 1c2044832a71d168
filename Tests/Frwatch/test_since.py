"""frwatch --since: readers that resume where they were."""

from __future__ import annotations

import json
import os
import random
import sqlite3
import threading
from typing import Any, Iterator

from frwatch_support import LIMIT, FrwatchTest

from fetchedresults import Store

SEEDS = [int(os.environ["FR_SEED"])] if "FR_SEED" in os.environ else range(int(os.environ.get("FR_SEEDS", 4)))

TABLES = {
    "an INTEGER PRIMARY KEY": "(place INT, colour TEXT, id INTEGER PRIMARY KEY)",
    "a key of two columns": "(place INT, colour TEXT, id INT, part DEFAULT 0, PRIMARY KEY (id, part)) WITHOUT ROWID",
    "a key that may be NULL": "(place INT, colour TEXT, id INT PRIMARY KEY)",
}


def shown(rows: list[dict[str, Any]], sections: list[dict[str, Any]]) -> list[Any]:
    left = iter([(row["identity"], row["object"]) for row in rows])
    return [(section["name"], [next(left) for _ in range(section["rows"])]) for section in sections]


class Reader:
    """A list that is read whole, and then resumed."""

    def __init__(self, lines: Iterator[str]) -> None:
        self.rows: list[dict[str, Any]] = []
        self.resume(lines)

    def resume(self, lines: Iterator[str]) -> str:
        """Reads the whole list, or what was touched. Returns which of them."""
        parsed = map(json.loads, lines)
        head = next(parsed)
        self.generation = head["generation"]
        if head["type"] == "list":
            self.sections, self.rows = [], []
            for _ in range(head["sections"]):
                self.sections.append(next(parsed))
                self.rows += [next(parsed) for _ in range(self.sections[-1]["rows"])]
        else:
            self.sections = [next(parsed) for _ in range(head["sections"])]
            touched = [next(parsed) for _ in range(head["touched"])]
            identities = {str(line["identity"]) for line in touched}
            self.rows = [row for row in self.rows if str(row["identity"]) not in identities]
            for line in sorted((line for line in touched if line["path"]), key=lambda line: line["path"]):
                section, row = line["path"]
                self.rows.insert(sum(each["rows"] for each in self.sections[:section]) + row, line)
        self.type = head["type"]
        self.shown = shown(self.rows, self.sections)
        assert len(self.rows) == head["rows"]
        return self.type


class SinceTest(FrwatchTest):
    def history(self, table: str) -> None:
        with Store(self.path) as store:
            store.start_history(table)

    def read(self, *arguments: str) -> Iterator[str]:
        done = self.run_program(self.path, *arguments, "--json", "--once")
        self.assertEqual((done.stderr, done.returncode), ("", 0))
        return iter(done.stdout.splitlines())

    def type_of(self, *arguments: str) -> str:
        return json.loads(next(self.read(*arguments)))["type"]

    def test_prints_the_touched_rows(self) -> None:
        self.history("tasks")
        arguments = ("tasks", "--section", "list_id", "--sort", "position", "--columns", "title")
        since = json.loads(next(self.read(*arguments)))["generation"]
        self.writer.execute("UPDATE tasks SET list_id = 2, title = 'Ask' WHERE id = 2")
        self.writer.execute("DELETE FROM tasks WHERE id = 1")
        lines = list(self.read(*arguments, "--since", str(since)))
        head = json.loads(lines[0])
        self.assertGreater(head.pop("generation"), since)
        self.assertEqual(
            head,
            {
                "type": "since",
                "database": self.path,
                "entity": "tasks",
                "delivery": 0,
                "sections": 1,
                "rows": 2,
                "touched": 2,
            },
        )
        self.assertEqual(
            lines[1:],
            [
                '{"type":"section","path":[0],"name":"2","rows":2}',
                '{"type":"touched","path":[0,0],"identity":[2],"object":{"title":"Ask"}}',
                '{"type":"touched","path":null,"identity":[1],"object":null}',
            ],
        )

    def test_a_reader_resumes_at_any_generation(self) -> None:
        for seed in SEEDS:
            for name in TABLES:
                with self.subTest(f"FR_SEED={seed}", table=name):
                    self.resume_at_random(random.Random(seed), name)

    def resume_at_random(self, random: random.Random, name: str) -> None:
        self.writer.executescript(f"DROP TABLE IF EXISTS items; CREATE TABLE items {TABLES[name]}")
        self.history("items")
        arguments = ("items", "--section", "colour", "--sort", "place", "--where", "place < 80")
        readers = [Reader(self.read(*arguments))]
        for _ in range(8):
            for _ in range(random.randrange(4)):
                number, other = random.randrange(12), random.randrange(12)
                place, colour = random.randrange(100), random.choice(["red", "green", None])
                identity = "NULL" if "NULL" in name and number < 3 else number
                try:
                    self.writer.execute(
                        random.choice(
                            [
                                f"REPLACE INTO items (id, place, colour) VALUES ({identity}, {place}, ?1)",
                                f"UPDATE items SET place = {place}, colour = ?1 WHERE id = {number}",
                                f"UPDATE items SET id = {other} WHERE id = {number} AND ?1 IS NULL",
                                f"DELETE FROM items WHERE id % 4 = {number} % 4 AND ?1 IS NULL",
                            ]
                        ),
                        [colour],
                    )
                except sqlite3.IntegrityError:
                    pass
            whole = Reader(self.read(*arguments))
            for reader in random.sample(readers, min(3, len(readers))):
                self.assertEqual(reader.resume(self.read(*arguments, "--since", str(reader.generation))), "since")
                self.assertEqual(reader.shown, whole.shown)
            readers.append(whole)

    def test_a_delivery_has_the_generation_to_resume_at(self) -> None:
        self.history("lists")
        follower = self.follow("lists", "--json")
        first = json.loads(follower.lines(4)[0])["generation"]
        self.writer.execute("INSERT INTO lists VALUES (3, 'Garden')")
        second = json.loads(follower.line())["generation"]
        self.assertGreater(second, first)
        self.assertEqual(len(list(self.read("lists", "--since", str(first)))), 3)
        self.assertEqual(json.loads(next(self.read("lists", "--since", str(second))))["touched"], 0)

    def test_no_delivery_has_a_generation_that_is_ahead_of_it(self) -> None:
        """While another connection commits without a pause, the generation must not contain a row
        that the delivery does not: a reader that resumes there would miss it.
        """
        count = 3000
        self.writer.execute("CREATE TABLE items (id INTEGER PRIMARY KEY)")
        self.history("items")
        follower = self.follow("items", "--json")
        self.assertEqual(json.loads(follower.lines(2)[0])["rows"], 0)
        writing = threading.Thread(target=self.write_items, args=(count,))
        writing.start()
        last, shown = 0, []
        while last < count:
            change = json.loads(follower.line())
            last = change["object"]["id"]
            if change["index"] + 1 == change["of"]:
                shown.append((change["generation"], last))
        writing.join()
        self.assertGreater(len(shown), 10)
        rows = self.writer.execute("SELECT generation, row_id FROM fetchedresults_history WHERE row_id IS NOT NULL")
        generations = {row: generation for generation, row in rows}
        for generation, last in shown:
            self.assertTrue(last == count or generation < generations[last + 1], (generation, last))

    def write_items(self, count: int) -> None:
        database = sqlite3.connect(self.path, timeout=LIMIT, isolation_level=None)
        for number in range(1, count + 1):
            database.execute("INSERT INTO items VALUES (?)", [number])
        database.close()

    def test_an_own_statement_has_the_generation_before_it(self) -> None:
        self.history("lists")
        *_, insert = self.read("lists", "--sql", "INSERT INTO lists VALUES (3, 'Garden')")
        since = json.loads(insert)["generation"]
        self.assertEqual(json.loads(list(self.read("lists", "--since", str(since)))[-1])["identity"], [3])

    def test_goes_on_with_changes(self) -> None:
        self.history("lists")
        since = json.loads(next(self.read("lists")))["generation"]
        follower = self.follow("lists", "--json", "--since", str(since))
        self.assertEqual([json.loads(line)["type"] for line in follower.lines(2)], ["since", "section"])
        self.writer.execute("DELETE FROM lists WHERE id = 1")
        self.assertEqual(json.loads(follower.line())["identity"], [1])

    def test_prints_the_list_where_the_touched_rows_are_not_enough(self) -> None:
        self.writer.execute("CREATE VIEW work AS SELECT * FROM tasks WHERE list_id = 1")
        self.history("tasks")
        since = str(json.loads(next(self.read("tasks")))["generation"])
        for arguments in (
            ("--columns", "title,list_id.title"),
            ("--sort", "list_id.title"),
            ("--section", "list_id.title"),
            ("--where", "list_id.title = 'Work'"),
            ("--where", "id > (SELECT count(*) FROM lists)"),
            ("--limit", "2"),
            ("--group", "list_id", "--total", "count()"),
        ):
            self.assertEqual(self.type_of("tasks", *arguments, "--since", since), "list", arguments)
        self.assertEqual(self.type_of("lists", "--since", since), "list")
        self.assertEqual(self.type_of("work", "--identity", "id", "--since", since), "list")
        self.assertEqual(self.type_of("tasks", "--columns", "TITLE", "--where", "id > 1", "--since", since), "since")

    def test_prints_the_list_if_the_history_does_not_go_back(self) -> None:
        self.assertEqual(self.type_of("tasks", "--since", "0"), "list")
        self.history("tasks")
        since = str(json.loads(next(self.read("tasks")))["generation"])
        self.assertEqual(self.type_of("tasks", "--since", since), "since")
        self.assertEqual(self.type_of("tasks", "--since", "0"), "list")
        self.assertEqual(self.type_of("tasks", "--since", str(2**63 - 1)), "list")
        self.writer.execute("ALTER TABLE tasks ADD COLUMN colour")
        self.assertEqual(self.type_of("tasks", "--since", since), "list")
        self.history("tasks")
        self.assertEqual(self.type_of("tasks", "--since", since), "list")

    def test_refuses_other_arguments(self) -> None:
        for arguments, why in (
            (["lists", "--since", "7"], "--since needs --json and a table"),
            (["--json", "--since", "7"], "--since needs --json and a table"),
            (["lists", "--json", "--since", "x"], "--since needs a generation, a number"),
            (["lists", "--json", "--since", "-1"], "--since needs a generation, a number"),
        ):
            done = self.run_program(self.path, *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertTrue(done.stderr.startswith(f"frwatch: {why}\n"), done.stderr)
