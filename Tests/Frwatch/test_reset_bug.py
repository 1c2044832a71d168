"""frwatch names an SQLite that has the WAL-reset bug."""

from __future__ import annotations

import ctypes
import subprocess

from frwatch_support import LIMIT, PROGRAM, RESET_BUG, FrwatchTest

SQLITE = ctypes.CDLL("libsqlite3.so.0")
SQLITE.sqlite3_libversion.restype = ctypes.c_char_p


def has_bug(version: int) -> bool:
    fixed = ((0, 3007000), (3044006, 3045000), (3050007, 3051000), (3051003, 1 << 31))
    return not any(first <= version < end for first, end in fixed)


class ResetBugTest(FrwatchTest):
    def errors_of_following(self) -> str:
        """What the program prints on the standard error while it follows two commits."""
        follower = self.follow("lists")
        follower.lines(3)
        for title in ("Garden", "Office"):
            self.writer.execute("UPDATE lists SET title = ? WHERE id = 1", (title,))
            follower.lines(2)
        follower.process.terminate()
        return follower.process.communicate(timeout=LIMIT)[1]

    def test_is_named_once_when_a_log_is_followed(self) -> None:
        errors = self.errors_of_following()
        versions = [SQLITE.sqlite3_libversion().decode()] if has_bug(SQLITE.sqlite3_libversion_number()) else []
        self.assertEqual(RESET_BUG.findall(errors), versions)
        self.assertEqual(RESET_BUG.sub("", errors), "")

    def test_is_not_named_in_a_rollback_mode(self) -> None:
        self.writer.execute("PRAGMA journal_mode = delete")
        self.assertEqual(self.errors_of_following(), "")

    def test_is_not_named_by_a_program_that_does_not_follow(self) -> None:
        done = subprocess.run([*PROGRAM, self.path, "lists", "--once"], capture_output=True, text=True, timeout=LIMIT)
        self.assertEqual(done.stderr, "")
