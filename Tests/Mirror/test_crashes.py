"""Mirrors and servers that are killed at random moments, with two lists that follow the file: one
in Python, and one of frwatch, which is in C.

FR_SEED selects the moments; FR_KILLS says how many there are.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import threading
import time
import unittest

from mirror_support import LIMIT, MirrorTest

from fetchedresults import ChangeSet, Store

SEED = int(os.environ.get("FR_SEED", 1))
KILLS = int(os.environ.get("FR_KILLS", 100))
FRWATCH = os.environ.get("FRWATCH", "build/frwatch")
ROWS = 300

# Money moves between accounts, so their sum stays; a journal has one row for each transaction.
ACCOUNTS = f"""
CREATE TABLE accounts (id int PRIMARY KEY, owner text, amount int, note text);
ALTER TABLE accounts ALTER note SET STORAGE EXTERNAL;
CREATE TABLE journal (id bigint PRIMARY KEY, amount int);
INSERT INTO accounts SELECT i, 'owner ' || i % 7, 100, repeat(md5(i::text), 100) FROM generate_series(1, {ROWS}) i;
CREATE PROCEDURE work(count int) LANGUAGE plpgsql AS $$
DECLARE a int; b int; m int;
BEGIN
  FOR i IN 1..count LOOP
    SELECT id INTO a FROM accounts ORDER BY random() LIMIT 1;
    SELECT id INTO b FROM accounts WHERE id <> a ORDER BY random() LIMIT 1;
    m := random() * 50;
    UPDATE accounts SET amount = amount - m WHERE id = a;
    UPDATE accounts SET amount = amount + m, owner = 'owner ' || m % 9 WHERE id = b;
    IF m % 5 = 0 THEN UPDATE accounts SET id = (SELECT max(id) + 1 FROM accounts) WHERE id = a; END IF;
    IF m % 7 = 0 THEN
      BEGIN
        DELETE FROM accounts;
        RAISE EXCEPTION 'undone';
      EXCEPTION WHEN raise_exception THEN NULL;
      END;
    END IF;
    INSERT INTO journal SELECT coalesce(max(id), 0) + 1, m FROM journal;
    COMMIT;
  END LOOP;
END $$;
"""


class Follower:
    """A list over the file, and the same list from nothing but its change sets."""

    def __init__(self, test: CrashTests) -> None:
        self.test = test
        self.store = Store(test.path)
        self.list = self.store.fetch("accounts", sort=["owner", "id"], section="owner")
        self.shown = [[self.value(row) for row in section] for section in self.list]
        self.states = self.reloads = 0
        self.list.add_observer(self.follow)

    @staticmethod
    def value(row: object) -> tuple:
        return (row["id"], row["owner"], row["amount"])

    def follow(self, changes: ChangeSet) -> None:
        self.reloads += changes.is_reload
        self.states += 1
        self.shown = changes.apply(self.shown, value=lambda change: self.value(change.object))
        self.test.assertEqual(sum(row[2] for section in self.shown for row in section), ROWS * 100)

    def check(self) -> None:
        self.store.dispatch()
        self.test.assertEqual(self.shown, [[self.value(row) for row in section] for section in self.list])


class Reader:
    """The same list, from the lines of frwatch."""

    def __init__(self, test: CrashTests) -> None:
        command = [FRWATCH, str(test.path), "accounts", "--sort", "owner", "--section", "owner", "--json"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.shown: list[list[dict]] = []
        self.totals: set[int] = set()
        self.changed = threading.Condition()
        self.thread = threading.Thread(target=self.read)
        self.thread.start()
        test.addCleanup(self.end)

    def end(self) -> None:
        self.process.terminate()
        self.thread.join()
        self.process.stdout.close()
        self.process.wait()

    def read(self) -> None:
        lines = map(json.loads, self.process.stdout)
        for first in lines:
            if first["type"] == "list":
                shown = []
                for _ in range(first["sections"]):
                    shown.append([next(lines)["object"] for _ in range(next(lines)["rows"])])
            else:
                shown = self.replayed([first, *(next(lines) for _ in range(first["of"] - 1))])
            with self.changed:
                self.shown = shown
                self.totals.add(sum(row["amount"] for section in shown for row in section))
                self.changed.notify()

    def replayed(self, changes: list[dict]) -> list[list[dict]]:
        """The list after a delivery: what is left goes first, then each record to its new place."""
        shown = [list(section) for section in self.shown]
        of_rows = [change for change in changes if change["kind"] == "row"]
        of_sections = [change for change in changes if change["kind"] == "section"]
        for section, row in sorted((c["old_path"] for c in of_rows if c["type"] in ("delete", "move")), reverse=True):
            del shown[section][row]
        for (section,) in sorted((c["old_path"] for c in of_sections if c["type"] == "delete"), reverse=True):
            del shown[section]
        for change in sorted((c for c in of_sections if c["type"] == "insert"), key=lambda c: c["new_path"]):
            shown.insert(change["new_path"][0], [])
        for change in sorted((c for c in of_rows if c["new_path"]), key=lambda c: c["new_path"]):
            section, row = change["new_path"]
            shown[section][row : row + (change["type"] == "update")] = [change["object"]]
        return shown

    def check(self, test: CrashTests, shown: list[list[tuple]]) -> None:
        """It shows this, and its sum was right in each state."""

        def is_right() -> bool:
            return [[Follower.value(row) for row in section] for section in self.shown] == shown

        with self.changed:
            test.assertTrue(self.changed.wait_for(is_right, LIMIT))
            test.assertEqual(self.totals, {ROWS * 100})


class CrashTests(MirrorTest):
    def setUp(self) -> None:
        super().setUp()
        self.sql(ACCOUNTS)
        self.random = random.Random(SEED)

    def check_file(self) -> None:
        """In each state of the file, the sum is the server's, and the journal has no gap."""
        self.assertEqual(self.rows("SELECT sum(amount), count(*) FROM accounts"), [(ROWS * 100, ROWS)])
        first, last, count = self.rows("SELECT min(id), max(id), count(*) FROM journal")[0]
        if count:
            self.assertEqual((first, count), (1, last))

    def test_the_mirror_is_killed(self) -> None:
        self.once("accounts", "journal")
        follower, reader = Follower(self), Reader(self)
        writer = self.session()
        for _ in range(KILLS):
            mirror = self.mirror("accounts", "journal")
            writer("CALL work(60)")
            until = time.monotonic() + self.random.random() * 0.3
            while time.monotonic() < until:
                follower.store.wait(timeout=0.02)
            mirror.end(signal.SIGKILL)
            self.check_file()
        mirror = self.mirror("accounts", "journal")
        self.catch_up(mirror)
        self.assert_same("accounts")
        self.assert_same("journal")
        follower.check()
        reader.check(self, follower.shown)
        self.assertGreater(follower.states, 0)
        follower.store.close()

    def test_a_list_moves_by_changes_when_the_file_is_compared(self) -> None:
        self.once("accounts", "journal")
        follower = Follower(self)
        self.sql("CALL work(20)")
        self.sql(f"SELECT pg_drop_replication_slot('{self.slot}')")
        mirror = self.mirror("accounts", "journal")
        self.catch_up(mirror)
        follower.check()
        self.assert_same("accounts")
        self.assertEqual((follower.states, follower.reloads), (1, 0))
        follower.store.close()

    def test_a_list_moves_by_changes_when_columns_change(self) -> None:
        self.once("accounts", "journal")
        follower = Follower(self)
        mirror = self.mirror("accounts", "journal")
        self.catch_up(mirror)
        self.sql("ALTER TABLE accounts ADD extra int DEFAULT 3")
        self.sql("CALL work(5)")
        mirror.wait("SELECT count(*) FROM frmirror_tables", lambda rows: rows == [(3,)])
        self.catch_up(mirror)
        mirror.wait("SELECT count(*) FROM frmirror_tables", lambda rows: rows == [(3,)])
        self.catch_up(mirror)
        follower.check()
        self.assert_same("accounts")
        self.assertEqual(follower.reloads, 0)
        follower.store.close()

    def test_the_server_is_killed(self) -> None:
        mirror = self.mirror("accounts", "journal")
        self.catch_up(mirror)
        for _ in range(max(3, KILLS // 20)):
            self.sql("CALL work(50)")
            time.sleep(self.random.random() * 0.1)
            self.server.stop("immediate")
            mirror.wait("SELECT state FROM frmirror", lambda rows: rows == [("waiting",)])
            self.check_file()
            self.server.start()
            self.sql = self.session()
            self.catch_up(mirror)
            self.assert_same("accounts")
            self.assert_same("journal")
        self.assertEqual(mirror.output().count("copying all tables"), 1)

    def test_a_server_that_stops_sends_everything_and_a_mirror_that_waits_can_be_ended(self) -> None:
        mirror = self.mirror("accounts", "journal")
        self.catch_up(mirror)
        self.sql("CALL work(50)")
        self.server.stop("fast")
        mirror.wait("SELECT state FROM frmirror", lambda rows: rows == [("waiting",)])
        self.assertEqual(self.rows("SELECT count(*) FROM journal"), [(50,)])
        self.assertEqual(mirror.end(), 0)
        self.server.start()
        self.sql = self.session()
        self.catch_up(self.mirror("accounts", "journal"))


if __name__ == "__main__":
    unittest.main()
