"""The state of a mirror, as the example and as a row show it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import unittest
from pathlib import Path

from mirror_support import MirrorTest

EXAMPLE = Path(__file__).resolve().parents[2] / "bindings/python/examples/mirror_state.py"


class StateTests(MirrorTest):
    def test_the_example_shows_each_state(self) -> None:
        self.once()
        example = subprocess.Popen(
            [sys.executable, str(EXAMPLE), str(self.path)], stdout=subprocess.PIPE, text=True, env=dict(os.environ)
        )
        self.addCleanup(example.stdout.close)
        self.addCleanup(example.kill)
        self.assertEqual(example.stdout.readline().split()[0], "stopped")
        example.wait(60)

    def test_a_program_follows_the_state(self) -> None:
        mirror = self.mirror()
        self.catch_up(mirror)
        example = subprocess.Popen([sys.executable, str(EXAMPLE), str(self.path)], stdout=subprocess.PIPE, text=True)
        self.addCleanup(example.stdout.close)
        self.addCleanup(example.kill)
        self.assertEqual(example.stdout.readline().split(), ["following"])
        # A table that is added while the mirror runs is not mirrored; a lost connection is a state.
        self.sql(
            "SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots"
            f" WHERE slot_name = '{self.slot}' AND active"
        )
        self.assertEqual(example.stdout.readline().split()[0], "waiting")
        self.assertEqual(example.stdout.readline().split(), ["connecting"])
        self.assertEqual(example.stdout.readline().split(), ["following"])
        mirror.end(signal.SIGINT)
        self.assertEqual(example.stdout.readline(), "stopped   ended by a signal\n")
        self.assertEqual(example.wait(60), 0)

    def test_a_mirror_that_is_far_behind_says_so(self) -> None:
        self.once()
        self.sql("CREATE TABLE filler (id int PRIMARY KEY, n int); ALTER PUBLICATION frmirror ADD TABLE filler")
        self.once("filler")
        self.sql("INSERT INTO filler SELECT i, 0 FROM generate_series(1, 1000) i; SELECT pg_sleep(2.5)")
        self.sql(
            "DO $$ BEGIN FOR i IN 1..60000 LOOP UPDATE filler SET n = i WHERE id = i % 1000; COMMIT; END LOOP; END $$"
        )
        self.sql("SELECT pg_sleep(2.5)")
        mirror = self.mirror("filler", options=("--group", "0"))
        rows = mirror.wait("SELECT state, why FROM frmirror", lambda rows: rows[0][0] == "behind")
        self.assertRegex(rows[0][1], r"^by \d+ s$")
        self.catch_up(mirror)
        self.assert_same("filler")


if __name__ == "__main__":
    unittest.main()
