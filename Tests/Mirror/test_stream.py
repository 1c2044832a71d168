"""Recorded streams of the server, with and without damage."""

from __future__ import annotations

import os
import re
import subprocess
import unittest

from mirror_support import LIMIT, MirrorTest

FUZZER = os.environ.get("FUZZ_MIRROR", "build/tests/fuzz-mirror")
SEED = os.environ.get("FR_SEED", "1")
ROUNDS = os.environ.get("FR_ROUNDS", "300")


class StreamTests(MirrorTest):
    def test_damaged_messages_are_refused_or_taken(self) -> None:
        self.sql(
            "CREATE TABLE a (id int PRIMARY KEY, t text, n numeric(8, 2), b bytea, at timestamptz, f float8, ok bool);"
            "CREATE TABLE b (x text, y bigint, z text, PRIMARY KEY (x, y)); ALTER TABLE b ALTER z SET STORAGE EXTERNAL;"
            "CREATE TABLE whole (id int PRIMARY KEY, t text); ALTER TABLE whole REPLICA IDENTITY FULL;"
            "CREATE PUBLICATION recorded FOR TABLE a, b, whole;"
        )
        self.sql(f"SELECT pg_create_logical_replication_slot('{self.slot}', 'pgoutput')")
        self.sql(
            "BEGIN; INSERT INTO a SELECT i, 't' || i, i / 3.0, '\\x0102', now(), i / 7.0, true"
            " FROM generate_series(1, 20) i;"
            "UPDATE a SET at = '0044-03-15 BC', f = 'NaN' WHERE id = 3; COMMIT;"
            "INSERT INTO b SELECT 'x' || i, i, repeat(md5(i::text), 200) FROM generate_series(1, 10) i;"
            "UPDATE b SET y = y + 1000 WHERE y < 4; DELETE FROM b WHERE y = 7;"
            "UPDATE a SET id = 99, t = NULL WHERE id = 1;"
            "INSERT INTO whole VALUES (1, 'one'), (2, 'zwei'); UPDATE whole SET t = 'two';"
            "DELETE FROM whole WHERE id = 1;"
            "BEGIN; TRUNCATE a, whole; INSERT INTO a (id) VALUES (7); COMMIT"
        )
        path = self.path.with_name("recorded")
        path.write_text(
            "\n".join(
                self.sql(
                    "SELECT encode(data, 'hex') FROM pg_logical_slot_get_binary_changes("
                    f"'{self.slot}', NULL, NULL, 'proto_version', '1', 'publication_names', 'recorded')"
                )
            )
            + "\n"
        )
        done = subprocess.run([FUZZER, str(path), SEED, ROUNDS], capture_output=True, text=True, timeout=5 * LIMIT)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout + done.stderr)
        count, taken, refused = map(int, re.findall(r"\d+", done.stdout))
        self.assertGreater(count, 50)
        self.assertGreater(taken, 0)
        self.assertGreater(refused, 0)


if __name__ == "__main__":
    unittest.main()
