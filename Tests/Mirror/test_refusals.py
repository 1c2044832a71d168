"""What is refused, with which status and sentence, and that nothing is created then."""

from __future__ import annotations

import os
import sqlite3
import unittest

from mirror_support import MirrorTest


class RefusalTests(MirrorTest):
    def refuses(self, status: int, sentence: str, arguments: list[str]) -> None:
        done = self.run_mirror(arguments)
        self.assertIn(sentence, done.stderr)
        self.assertEqual(done.returncode, status, done.stderr)

    def refuses_table(self, sentence: str, table: str) -> None:
        self.refuses(5, sentence, self.arguments(table))
        self.assertEqual(os.listdir(self.path.parent), ["app.db.lock"])
        self.assertEqual(
            self.sql(f"SELECT count(*) FROM pg_replication_slots WHERE database = '{self.database}'"), ["0"]
        )
        self.assertEqual(self.sql("SELECT count(*) FROM pg_publication"), ["0"])

    def test_tables_that_can_not_be_followed(self) -> None:
        self.sql(
            "CREATE TABLE keyless (n int); CREATE VIEW seen AS SELECT 1 n;"
            "CREATE UNLOGGED TABLE light (id int PRIMARY KEY);"
            "CREATE TABLE silent (id int PRIMARY KEY); ALTER TABLE silent REPLICA IDENTITY NOTHING;"
            "CREATE TABLE late (id int PRIMARY KEY DEFERRABLE); CREATE TABLE frmirror_x (id int PRIMARY KEY);"
            "CREATE SCHEMA other; CREATE TABLE other.marks (id int PRIMARY KEY)"
        )
        self.refuses_table(
            "keyless has no primary key, so its rows can't be followed: ALTER TABLE public.keyless", "keyless"
        )
        self.refuses_table("seen is no table: name the tables that it reads", "seen")
        self.refuses_table("light is temporary or unlogged", "light")
        self.refuses_table("silent has REPLICA IDENTITY NOTHING: ALTER TABLE public.silent REPLICA", "silent")
        self.refuses_table("late has no primary key", "late")
        self.refuses_table("frmirror_x has a name that the file reserves", "frmirror_x")
        self.refuses_table("there is no table missing: check its name", "missing")
        self.refuses_table("two tables are called marks", "other.marks")

    def test_arguments(self) -> None:
        for arguments, sentence in [
            ([], "a connection, a file and a table are needed"),
            (["--slot"], "--slot needs a value"),
            (["--slot", "Big"], "--slot needs a name"),
            (["--group", "x"], "--group needs milliseconds"),
            (["--nothing"], "--nothing is not an option"),
            (["--slot", "a", "--temporary"], "one of --slot and --temporary"),
            (["--schema", "/none", "", "f", "t"], "/none can't be read"),
        ]:
            self.refuses(2, sentence, arguments)

    def test_a_password_is_in_no_message_and_in_no_file(self) -> None:
        for conninfo in [
            f"{self.conninfo} password=very secret",
            f"{self.conninfo} password='secret' sslmode=require",
            "postgresql://me:secret@127.0.0.1:1/x",
            "postgresql://me:sec ret%@h/x",
        ]:
            done = self.run_mirror([conninfo, str(self.path), "marks"])
            self.assertIn(done.returncode, (2, 3, 4))
            for part in ("secret", "sec ret"):
                self.assertNotIn(part, done.stderr)
        self.sql("CREATE ROLE guarded LOGIN SUPERUSER PASSWORD 'secret'")
        self.once()
        arguments = self.arguments(options=("--once",))
        arguments[arguments.index(self.conninfo)] = f"{self.conninfo} user=guarded password=secret"
        self.assertEqual(self.run_mirror(arguments).returncode, 0)
        for path in self.path.parent.iterdir():
            self.assertNotIn(b"secret", path.read_bytes())

    def test_the_server_is_not_there(self) -> None:
        self.refuses(3, "no connection", ["host=127.0.0.1 port=1 dbname=x", str(self.path), "marks"])
        self.assertFalse(self.path.exists())

    def test_the_publication_is_missing_or_leaves_things_out(self) -> None:
        base = ["--slot", self.slot, "--publication", "p", self.conninfo, str(self.path), "marks"]
        self.refuses(4, 'or execute CREATE PUBLICATION "p" FOR TABLE public.marks', base)
        self.sql("CREATE TABLE other (id int PRIMARY KEY); CREATE PUBLICATION p FOR TABLE other")
        self.refuses(4, 'or execute ALTER PUBLICATION "p" ADD TABLE public.marks', base)
        self.sql("ALTER PUBLICATION p ADD TABLE marks; ALTER PUBLICATION p SET (publish = 'insert')")
        self.refuses(4, "leaves out kinds of changes", base)

    def test_rights_are_missing(self) -> None:
        self.sql("DROP ROLE IF EXISTS nobody_special; CREATE ROLE nobody_special LOGIN REPLICATION")
        self.sql("CREATE PUBLICATION frmirror FOR TABLE marks")
        conninfo = f"{self.conninfo} user=nobody_special"
        self.refuses(
            4, "give the role REPLICATION, and SELECT", ["--slot", self.slot, conninfo, str(self.path), "marks"]
        )
        [(state, why)] = self.rows("SELECT state, why FROM frmirror")
        self.assertEqual(state, "stopped")
        self.assertIn("give the role REPLICATION, and SELECT", why)

    def test_a_slot_of_another_database(self) -> None:
        self.sql(
            "SELECT pg_create_logical_replication_slot('taken', 'test_decoding', false)"
            " FROM pg_available_extensions LIMIT 1"
        )
        arguments = self.arguments()
        arguments[1] = "taken"
        self.refuses(4, "the slot taken is of another program or database", arguments)
        self.sql("SELECT pg_drop_replication_slot('taken')")

    def test_a_file_that_is_none_of_its_own(self) -> None:
        with sqlite3.connect(self.path) as connection:
            connection.execute("CREATE TABLE mine (id)")
        connection.close()
        before = self.path.read_bytes()
        self.refuses(6, "is no file of frmirror", self.arguments())
        self.path.write_text("This is no database, but a text of some length, which is not changed either.\n" * 100)
        self.refuses(6, "file is not a database", self.arguments())
        self.assertNotEqual(self.path.read_bytes(), before)
        self.refuses(6, "check the folder", [*self.arguments()[:-2], "/none/app.db", "marks"])

    def test_a_second_mirror_of_the_file(self) -> None:
        mirror = self.mirror()
        self.catch_up(mirror)
        self.refuses(6, "has a mirror already", self.arguments())

    def test_help_and_version(self) -> None:
        self.assertIn("usage: frmirror", self.run_mirror(["--help"]).stdout)
        self.assertRegex(
            self.run_mirror(["--version"]).stdout, r"^frmirror \d+\.\d+\.\d+, SQLite 3\.\d+\.\d+, libpq \d+\n$"
        )


if __name__ == "__main__":
    unittest.main()
