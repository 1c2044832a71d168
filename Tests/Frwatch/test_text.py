"""frwatch as text: the list, what follows it, and the statuses that it ends with."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

import frwatch_support
from frwatch_support import PROGRAM, SCHEMA, FrwatchTest

LIST = [
    "#      id | title    | position | list_id",
    "[0] Home (1)",
    "[0, 0] 3  | Paint    | 3        | 2",
    "[1] Work (2)",
    "[1, 0] 2  | Plan     | 1        | 1",
    "[1, 1] 1  | Call Ada | 2        | 1",
]
SECTIONED = ("tasks", "--sort", "position", "--section", "list_id.title")


class OnceTest(FrwatchTest):
    def test_shows_a_list_in_sections(self) -> None:
        self.prints(LIST, *SECTIONED, "--once")

    def test_shows_sections_and_an_order_by_expressions(self) -> None:
        arguments = ("--section", "-title LIKE '%t'", "--sort", "lower(title)", "--columns", "title")
        expected = ["#      title", "[0] 1 (1)", "[0, 0] Paint", "[1] 0 (2)", "[1, 0] Call Ada", "[1, 1] Plan"]
        self.prints(expected, "tasks", *arguments, "--once")

    def test_explains_how_a_list_is_read(self) -> None:
        arguments = ("tasks", "--sort", "title", "--section", "list_id.title", "--explain")
        lines = self.run_program(self.path, *arguments).stdout.splitlines()
        self.assertTrue(lines[0].startswith("SELECT "), lines)
        self.assertIn("commits: cost the rows that they touch", lines)
        self.assertIn("advice: CREATE INDEX `main`.`tasks_by_list_id` ON `tasks` (`list_id`)", lines)

    def test_explains_names_that_a_terminal_could_obey(self) -> None:
        self.writer.execute('CREATE TABLE "a\x1b[31m" (id INTEGER PRIMARY KEY, name)')
        printed = self.run_program(self.path, "a\x1b[31m", "--sort", "name", "--explain").stdout
        self.assertNotIn("\x1b", printed)
        self.assertIn("a\\x1b[31m_by_name", printed)

    def test_shows_a_part_of_the_columns_and_rows(self) -> None:
        expected = ["#      title | list_id.title", "[0, 0] Plan  | Work", "[0, 1] Paint | Home"]
        arguments = ("--columns", "title,list_id.title", "--where", "title LIKE 'P%'", "--sort", "-list_id.title")
        self.prints(expected, "tasks", *arguments, "--once")

    def test_searches_a_full_text_index(self) -> None:
        self.writer.executescript("""
            CREATE VIRTUAL TABLE "the `notes`" USING fts5(title, body);
            INSERT INTO "the `notes`" VALUES ('a', 'red fox'), ('b', 'red hen'), ('c', 'blue fox');
        """)
        table = "the `notes`"
        heads, red = "#      title | body", ["[0, 0] a     | red fox", "[0, 1] b     | red hen"]
        self.prints([heads, *red], table, "--match", "red", "--once")
        self.prints([heads, "[0, 0] b     | red hen"], table, "--match", "re*", "--where", "title > 'a' --", "--once")
        self.prints(["# title | body", "0 rows"], table, "--match", "green", "--once")
        words = "search its index by --where: id IN (SELECT rowid FROM words WHERE words MATCH 'text')"
        for arguments, expected in (
            (["lists", "--match", "red"], f"--match: lists is no FTS5 table; {words}"),
            ([table, "--match", "red", "--where", "bogus"], "--where: no such column: bogus"),
        ):
            done = self.run_program(self.path, *arguments, "--once")
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"frwatch: {expected}\n"))
        done = self.run_program(self.path, table, "--match", '"', "--once")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("unterminated string", done.stderr)

    def test_ranks_again_when_more_was_written_than_it_tolerates(self) -> None:
        self.writer.executescript("""
            CREATE VIRTUAL TABLE words USING fts5(text);
            INSERT INTO words VALUES ('fox'), ('hen'), ('hen');
        """)
        # The rarer word has the better rank.
        search = (self.path, "words", "--match", "fox OR hen", "--sort", "rank", "--json", "--once")
        write = ("--sql", "INSERT INTO words VALUES ('fox'), ('fox')")
        for tolerance, expected in (("0", ["insert", "insert", "move"]), ("inf", ["insert", "insert"])):
            done = self.run_program(*search, "--rank-tolerance", tolerance, *write)
            types = [json.loads(line)["type"] for line in done.stdout.splitlines()]
            self.assertEqual(types, ["list", "section", "row", "row", "row", *expected])
            self.writer.execute("DELETE FROM words WHERE rowid > 3")
            self.writer.commit()
        for share in ("-1", "nan", "1x", ""):
            done = self.run_program(*search, "--rank-tolerance", share)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("--rank-tolerance needs a share of the documents, as 0, 0.05 or inf\n", done.stderr)

    def test_shows_the_first_rows_of_a_descending_order(self) -> None:
        expected = ["#      id | title", "[0, 0] 3  | Paint"]
        self.prints(expected, "tasks", "--sort", "-id", "--limit", "1", "--columns", "id,title", "--once")

    def test_shows_a_view_by_its_identity(self) -> None:
        self.writer.execute("CREATE VIEW titles AS SELECT id AS number, title FROM lists")
        expected = ["#      number | title", "[0, 0] 1      | Work", "[0, 1] 2      | Home"]
        self.prints(expected, "titles", "--identity", "number", "--once")

    def test_shows_groups_with_their_totals(self) -> None:
        totals = ("--group", "list_id.title", "--total", "late = count(position > 1)", "--total", "max(title)")
        expected = [
            "#      list_id.title | late | max(title)",
            "[0, 0] Work          | 1    | Plan",
            "[0, 1] Home          | 1    | Paint",
        ]
        self.prints(expected, "tasks", *totals, "--sort", "-max(title)", "--once")
        having = ("--having", '"COUNT( * )" = 2', "--columns", "COUNT( * ),list_id")
        expected = ["#      COUNT( * ) | list_id", "[0, 0] 2          | 1"]
        self.prints(expected, "tasks", "--group", "list_id", "--total", " COUNT( * ) ", *having, "--once")
        heads = ["# title | sum(id)", "0 rows"]
        self.prints(heads, "tasks", "--group", "title", "--total", "sum(id)", "--where", "0", "--once")

    def test_follows_groups(self) -> None:
        done = self.run_program(
            self.path, "tasks", "--group", "list_id", "--total", "tasks=count()", "--json", "--once",
            "--sql", "UPDATE tasks SET list_id = 2",
        )  # fmt: skip
        changes = [json.loads(line) for line in done.stdout.splitlines()[-2:]]
        self.assertEqual([change["type"] for change in changes], ["delete", "update"])
        self.assertEqual((changes[1]["old"], changes[1]["object"]), ({"tasks": 1}, {"list_id": 2, "tasks": 3}))

    def test_shows_the_heads_of_an_empty_list(self) -> None:
        self.writer.execute("CREATE VIEW titles AS SELECT title AS name, id FROM lists")
        cases = (
            (["tasks"], "# id | title | position | list_id"),
            (["tasks", "--section", "list_id", "--columns", "title,list_id.title"], "# title | list_id.title"),
            (["titles", "--identity", "id"], "# name | id"),
        )
        for arguments, heads in cases:
            with self.subTest(arguments):
                self.prints([heads, "0 rows"], *arguments, "--where", "0", "--once")

    def test_aligns_what_follows_index_paths(self) -> None:
        self.writer.execute(
            "WITH n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 11) INSERT INTO lists SELECT i, 'l' FROM n"
        )
        done = self.run_program(self.path, "lists", "--once")
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0:2] + lines[11:12], ["#       id | title", "[0, 0]  1  | Work", "[0, 10] 11 | l"])
        self.writer.execute("DELETE FROM lists WHERE id BETWEEN 3 AND 9")
        sql = "BEGIN; DELETE FROM lists WHERE id = 1; INSERT INTO lists VALUES (4, 'New');"
        sql += "UPDATE lists SET title = 'Last' WHERE id = 11; COMMIT"
        done = self.run_program(self.path, "lists", "--once", "--sql", sql)
        expected = [
            "  delete [0, 0]:           1  | Work",
            "  insert [0, 1]:           4  | New",
            "  update [0, 3] -> [0, 3]: 11 | Last  (was title = l)",
        ]
        self.assertEqual(done.stdout.splitlines()[-3:], expected)

    def test_colours_changes_when_it_is_asked_to(self) -> None:
        statements = ("--sql", "DELETE FROM lists WHERE id = 1", "--sql", "INSERT INTO lists VALUES (3, 'New')")
        for arguments, delete, insert in (
            (["--color=always"], "  \x1b[31mdelete\x1b[39m [0", "  \x1b[32minsert\x1b[39m [0"),
            (["--color=never"], "  delete [0", "  insert [0"),
            ([], "  delete [0", "  insert [0"),
        ):
            with self.subTest(arguments):
                done = self.run_program(self.path, "lists", "--once", *statements, *arguments)
                changes = [line for line in done.stdout.splitlines() if "[0, " in line and line.startswith("  ")]
                self.assertEqual([line.split(",")[0] for line in changes], [delete, insert])
                self.writer.executescript("DELETE FROM lists; INSERT INTO lists VALUES (1, 'Work'), (2, 'Home')")

    def test_escapes_what_a_terminal_could_obey(self) -> None:
        self.writer.execute(
            "INSERT INTO lists VALUES (3, ? || CAST(x'ff' AS TEXT))", ["\x1b[2J\n\x9b\u202e日本\x00\x7f"]
        )
        expected = ["#      title", r"[0, 0] \x1b[2J\n\u009b\u202e日本\x00\x7f\xff"]
        self.prints(expected, "lists", "--columns", "title", "--where", "id = 3", "--once")

    def test_escapes_wrong_options(self) -> None:
        cases = {
            "--no\x1b[2J\u202esuch": r"frwatch: --no\x1b[2J\u202esuch is not an option, or takes no value",
            "-\x1b": r"frwatch: -\x1b is not an option",
            "--once=\x1b[31m": r"frwatch: --once=\x1b[31m is not an option, or takes no value",
            "--limit": "frwatch: --limit needs a value",
        }
        for option, expected in cases.items():
            with self.subTest(option):
                done = self.run_program(option)
                self.assertEqual((done.returncode, done.stderr.splitlines()[0]), (2, expected))

    def test_names_the_values_of_each_type(self) -> None:
        self.writer.execute("CREATE TABLE kinds (id INTEGER PRIMARY KEY, value)")
        self.writer.execute("INSERT INTO kinds (value) VALUES (NULL), (1), (0.5), ('a'), (x'0102')")
        expected = ["#      value", "[0, 0] NULL", "[0, 1] 1", "[0, 2] 0.5", "[0, 3] a", "[0, 4] (2 bytes)"]
        self.prints(expected, "kinds", "--columns", "value", "--once")

    def test_pads_wide_characters(self) -> None:
        self.writer.execute("UPDATE lists SET title = '日本' WHERE id = 1")
        expected = ["#      title | id", "[0, 0] 日本  | 1", "[0, 1] Home  | 2"]
        self.prints(expected, "lists", "--columns", "title,id", "--once")


class FollowTest(FrwatchTest):
    def test_follows_what_others_write(self) -> None:
        follower = self.follow(*SECTIONED)
        self.assertEqual(follower.lines(6), LIST)
        self.writer.execute("UPDATE tasks SET position = 0, title = 'Call' WHERE id = 1")
        expected = [
            "delivery 1",
            "  move   [1, 1] -> [1, 0]: 1  | Call     | 0        | 1  (was title = Call Ada, position = 2)",
        ]
        self.assertEqual(follower.lines(2), expected)
        self.writer.executescript(
            "BEGIN; DELETE FROM tasks WHERE id = 3; INSERT INTO tasks VALUES (4, 'New', 1, 1); COMMIT"
        )
        expected = [
            "delivery 2",
            "  delete section [0]: Home",
            "  delete [0, 0]:      3  | Paint    | 3        | 2",
            "  insert [0, 2]:      4  | New      | 1        | 1",
        ]
        self.assertEqual(follower.lines(4), expected)
        self.assertEqual(follower.end(), (-signal.SIGTERM, ""))

    def test_follows_another_process(self) -> None:
        follower = self.follow("lists")
        follower.lines(3)
        subprocess.run(["sqlite3", self.path, "INSERT INTO lists VALUES (9, 'Garden')"], check=True)
        self.assertEqual(follower.lines(2), ["delivery 1", "  insert [0, 2]: 9  | Garden"])

    def test_follows_for_a_user_who_may_only_read(self) -> None:
        os.chmod(Path(self.path).parent, 0o755)
        other = {"user": 65534, "group": 65534}
        try:
            subprocess.run([*PROGRAM, "--version"], check=True, stdout=subprocess.DEVNULL, **other)
        except (OSError, subprocess.CalledProcessError):
            self.skipTest("this user can't run the program as another one")
        follower = self.follow("lists", **other)
        follower.lines(3)
        for number in range(1, 4):
            self.writer.execute("INSERT INTO lists VALUES (?, 'Garden')", [number + 2])
            expected = [f"delivery {number}", f"  insert [0, {number + 1}]: {number + 2}  | Garden"]
            self.assertEqual(follower.lines(2), expected)

    def test_follows_a_file_that_replaces_the_database(self) -> None:
        follower = self.follow("lists")
        follower.lines(3)
        for number, title in enumerate(["Garden", "Garage"], 1):
            with closing(sqlite3.connect(self.path + "-next")) as other:
                other.executescript(SCHEMA)
                other.execute("INSERT INTO lists VALUES (?, ?)", [number + 2, title])
                other.commit()
            os.replace(self.path + "-next", self.path)
            changes = [f"  insert [0, 2]: {number + 2}  | {title}"]
            if number > 1:
                changes.insert(0, "  delete [0, 2]: 3  | Garden")
            # The names of the columns precede the first row.
            lines = [line for line in follower.lines(2 + len(changes)) if not line.startswith("#")]
            self.assertEqual(lines, [f"delivery {number}", *changes])
        with closing(sqlite3.connect(self.path)) as other:
            other.execute("DELETE FROM lists WHERE id = 4")
            other.commit()
        self.assertEqual(follower.lines(2)[0], "delivery 3")
        # frwatch looks at the path after a dispatch, when the second file may be there already.
        text = f"frwatch: {self.path}: another file is at this path, and is followed now\n"
        self.assertIn(follower.end(), [(-signal.SIGTERM, count * text) for count in (1, 2)])

    def test_waits_for_a_file_that_is_removed(self) -> None:
        follower = self.follow("lists")
        follower.lines(3)
        os.rename(self.path, self.path + "-away")
        error = follower.error()
        self.assertIn("the list can't follow: ", error)
        self.assertIn(self.path, error)
        self.assertNotIn("FR_", error)
        os.rename(self.path + "-away", self.path)
        self.writer.execute("INSERT INTO lists VALUES (9, 'Garden')")
        lines = follower.lines(3)
        self.assertEqual([lines[0], lines[2]], ["delivery 1", "  insert [0, 2]: 9  | Garden"])
        self.assertEqual(follower.end(), (-signal.SIGTERM, ""))

    def test_says_once_that_it_looks_at_intervals(self) -> None:
        limit = "/proc/sys/user/max_inotify_instances"
        program = ["unshare", "--user", "--map-root-user", "sh", "-c", f'echo 0 > {limit} && exec "$0" "$@"']
        if subprocess.run([*program, "true"], capture_output=True).returncode != 0:
            self.skipTest("this user can't make a namespace")
        with patch.object(frwatch_support, "PROGRAM", [*program, *PROGRAM]):
            follower = self.follow("lists")
        follower.lines(3)
        for number in (8, 9):
            self.writer.execute("INSERT INTO lists VALUES (?, 'Garden')", [number])
            self.assertIn(f"{number}  | Garden", follower.lines(2)[1])
        text = f"frwatch: {self.path}: the kernel gives no notice of what others write; looking ten times a second\n"
        self.assertEqual(follower.end(), (-signal.SIGTERM, text))

    def test_goes_on_when_a_dropped_table_is_back(self) -> None:
        follower = self.follow("lists")
        follower.lines(3)
        self.writer.execute("ALTER TABLE lists RENAME TO away")
        expected = "frwatch: the list can't follow: there is no table or view named lists\n"
        self.assertEqual(follower.error(), expected)
        self.writer.execute("ALTER TABLE away RENAME TO lists")
        self.writer.execute("UPDATE lists SET title = 'Office' WHERE id = 1")
        self.assertEqual(
            follower.lines(3),
            ["delivery 1", f"#{'':26}id | title", "  update [0, 0] -> [0, 0]: 1  | Office  (was title = Work)"],
        )

    def test_ends_by_the_signal_that_ends_it(self) -> None:
        for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
            with self.subTest(number=number):
                follower = self.follow("lists")
                follower.lines(3)
                self.assertEqual(follower.end(number), (-number, ""))

    def test_ends_when_nobody_reads_any_more(self) -> None:
        follower = self.follow("lists")
        follower.line()
        follower.process.stdout.close()
        self.assertEqual(follower.process.wait(60), -signal.SIGPIPE)

    def test_ends_with_a_message_if_the_output_can_not_be_written(self) -> None:
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [*PROGRAM, self.path, "lists", "--once"], stdout=full, stderr=subprocess.PIPE, text=True
            )
        self.assertEqual((done.returncode, done.stderr), (2, "frwatch: standard output: write error\n"))

    def test_says_nothing_if_it_is_to_be_quiet(self) -> None:
        self.prints([], "lists", "--quiet", "--sql", "DELETE FROM lists", "--once")
        self.assertEqual(self.writer.execute("SELECT count(*) FROM lists").fetchone(), (0,))


class RollbackModeTest(FrwatchTest):
    journal_mode = "delete"

    test_follows_what_others_write = FollowTest.test_follows_what_others_write
    test_goes_on_when_a_dropped_table_is_back = FollowTest.test_goes_on_when_a_dropped_table_is_back


class WritingTest(FrwatchTest):
    journal_mode = "delete"

    def test_executes_statements_of_several_lines(self) -> None:
        text = "UPDATE lists\n  SET title = 'a;b'\n WHERE id = 1; -- nothing\nDELETE FROM lists\nWHERE id = 2"
        expected = [
            "#      id | title",
            "[0, 0] 1  | Work",
            "[0, 1] 2  | Home",
            "> UPDATE lists",
            ">   SET title = 'a;b'",
            ">  WHERE id = 1;",
            "delivery 1",
            "  update [0, 0] -> [0, 0]: 1  | a;b  (was title = Work)",
            "> -- nothing",
            "> DELETE FROM lists",
            "> WHERE id = 2",
            "delivery 2",
            "  delete [0, 1]: 2  | Home",
        ]
        self.prints(expected, "lists", "--write", text=text)

    def test_executes_a_transaction(self) -> None:
        text = "BEGIN; DELETE FROM lists WHERE id = 1; DELETE FROM lists WHERE id = 2; COMMIT;"
        done = self.run_program(self.path, "lists", "--write", text=text)
        expected = ["> COMMIT;", "delivery 1", "  delete [0, 1]: 2  | Home", "  delete [0, 0]: 1  | Work"]
        self.assertEqual(done.stdout.splitlines()[-4:], expected)

    def test_follows_others_between_statements(self) -> None:
        follower = self.follow("lists", "--write")
        follower.lines(3)
        self.writer.execute("INSERT INTO lists VALUES (3, 'Garden')")
        self.assertEqual(follower.lines(2), ["delivery 1", "  insert [0, 2]: 3  | Garden"])
        follower.process.stdin.write("DELETE FROM lists WHERE id = 3;\n")
        follower.process.stdin.flush()
        expected = ["> DELETE FROM lists WHERE id = 3;", "delivery 2", "  delete [0, 2]: 3  | Garden"]
        self.assertEqual(follower.lines(3), expected)
        follower.process.stdin.close()
        self.assertEqual(follower.process.wait(60), 0)

    def test_goes_on_after_a_statement_that_fails(self) -> None:
        done = self.run_program(
            self.path, "lists", "--once", "--sql", "INSERT INTO lists VALUES (1, 'twice')", "--sql", "DELETE FROM lists"
        )
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "^frwatch: statement: .*lists.id\n$")
        self.assertEqual(self.writer.execute("SELECT count(*) FROM lists").fetchone(), (0,))

    def test_leaves_the_journal_mode_alone(self) -> None:
        for mode in ("delete", "wal", "truncate"):
            for arguments in (["--once"], ["--once", "--sql", "UPDATE lists SET title = title || '.'"]):
                with self.subTest(mode=mode, arguments=arguments):
                    self.writer.execute(f"PRAGMA journal_mode = {mode}")
                    self.assertEqual(self.run_program(self.path, "lists", *arguments).returncode, 0)
                    with open(self.path, "rb") as file:
                        self.assertEqual(file.read(20)[18], 2 if mode == "wal" else 1)

    def test_does_not_read_its_input_unless_it_is_to_write(self) -> None:
        expected = ["#      id | title", "[0, 0] 1  | Work", "[0, 1] 2  | Home"]
        self.prints(expected, "lists", "--once", text="DELETE FROM lists;")
        self.assertEqual(self.writer.execute("SELECT count(*) FROM lists").fetchone(), (2,))


class ArgumentsTest(FrwatchTest):
    def check_refused(self, message: str, *arguments: str) -> None:
        done = self.run_program(*arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn(message, done.stderr)

    def test_prints_help_and_version(self) -> None:
        for arguments, text in ((["--help"], "usage: frwatch"), (["--version"], "frwatch 0.1.0, library 0.1.0")):
            done = self.run_program(*arguments)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn(text, done.stdout)

    def test_names_what_is_wrong(self) -> None:
        self.check_refused("usage: frwatch")
        self.check_refused("a table is needed", self.path, "--tui")
        self.check_refused("a table is needed", self.path, "--sql", "DELETE FROM lists")
        self.check_refused("a table is needed", self.path, "--explain")
        self.check_refused("--explain goes with none of", self.path, "lists", "--explain", "--json")
        self.check_refused("--color is auto, always or never", self.path, "lists", "--color", "no")
        self.check_refused("--immutable goes with neither", self.path, "lists", "--immutable", "--write")
        self.check_refused("one table is enough", self.path, "lists", "tasks")
        self.check_refused("--colour", self.path, "lists", "--colour")
        self.check_refused("--limit needs a number", self.path, "lists", "--limit", "few")
        self.check_refused("one of --json and --tui", self.path, "lists", "--json", "--tui")
        self.check_refused("--tui goes with none of", self.path, "lists", "--once", "--tui")
        self.check_refused("--total and --having need --group", self.path, "lists", "--total", "count()")
        self.check_refused("--total and --having need --group", self.path, "lists", "--having", "1")
        for total in ("", "x", "count", "n=", "median(id)", "sum()", "=sum(id)", "sum(id) ms", "n=(id)", "("):
            with self.subTest(total):
                self.check_refused("--total is", self.path, "lists", "--group", "id", "--total", total)
        self.check_refused("--tui needs a terminal", self.path, "lists", "--tui")

    def test_names_what_can_not_be_shown(self) -> None:
        self.check_refused("nowhere.db", f"{self.path}/nowhere.db", "lists")
        self.check_refused("nothing", self.path, "nothing", "--once")
        self.writer.execute("CREATE VIEW titles AS SELECT title AS name, id FROM lists")
        columns = "--identity has to name the columns that identify a row; its columns are name, id"
        for arguments, expected in (
            (["nothing"], f'{self.path} has no table or view "nothing"; it has lists, tasks, titles'),
            (["lists", "--sort", "colour"], "lists has no column named colour"),
            (["lists", "--sort", "title DESC"], 'a key has its direction in front: write "-title" for "title DESC"'),
            (["lists", "--section", "title asc"], 'a key has its direction in front: write "title" for "title asc"'),
            (["lists", "--where", "bogus"], "--where: no such column: bogus"),
            (["lists", "--group", "colour"], "lists has no column named colour"),
            (
                ["lists", "--group", "title", "--total", "sum(colour)"],
                "total sum(colour): lists has no column named colour",
            ),
            (
                ["lists", "--group", "title", "--total", "title=count()"],
                "lists: two columns are named title",
            ),
            (["lists", "--group", "title", "--having", "bogus"], 'lists: having "bogus": no such column: bogus'),
            (["lists", "--group", "title", "--sort", "id"], "groups of lists has no column named id"),
            (["lists", "--identity", "id"], "lists is a table, which needs no --identity"),
            (["titles"], f"titles is a view: {columns}"),
            (["titles", "--identity", "number"], "titles has no column named number"),
        ):
            with self.subTest(arguments):
                done = self.run_program(self.path, *arguments, "--once")
                self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"frwatch: {expected}\n"))
        self.check_refused("not an SQLite database, or it is damaged", __file__, "lists", "--once")
        self.check_refused("is not a file", str(Path(self.path).parent), "lists", "--once")

    def test_says_that_another_program_has_the_lock(self) -> None:
        self.writer.execute("BEGIN IMMEDIATE")
        # So that it does not wait.
        statements = ("--sql", "PRAGMA busy_timeout = 0", "--sql", "DELETE FROM lists")
        done = self.run_program(self.path, "lists", "--once", "--quiet", *statements)
        expected = "frwatch: statement: another program has locked the database\n"
        self.assertEqual((done.returncode, done.stderr), (1, expected))

    def test_lists_the_tables_and_views(self) -> None:
        self.writer.execute("CREATE VIEW titles AS SELECT title FROM lists")
        self.writer.execute("CREATE VIRTUAL TABLE words USING fts5(word)")
        self.prints(["lists", "tasks", "titles (view)", "words (virtual table)"])
        expected = '{"type":"entity","kind":"view","name":"titles"}'
        self.assertIn(expected, self.run_program(self.path, "--json").stdout.splitlines())
        empty = str(Path(self.path).parent / "empty.db")
        Path(empty).touch()
        done = self.run_program(empty)
        expected = f"frwatch: {empty} has no tables and no views\n"
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", expected))

    def test_opens_a_file_that_nobody_changes(self) -> None:
        self.writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.writer.execute("DELETE FROM lists WHERE id = 1")
        rows = ["#      id | title", "[0, 0] 1  | Work", "[0, 1] 2  | Home"]
        self.prints(rows, "lists", "--immutable")

    def test_does_not_make_a_database(self) -> None:
        path = f"{self.path}.new"
        self.check_refused(path, path, "lists", "--sql", "CREATE TABLE lists (id)", "--once")
        with self.assertRaises(FileNotFoundError):
            open(path)
