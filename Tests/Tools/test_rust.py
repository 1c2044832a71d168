"""Tests the crate for Rust: its own tests, the program of its README, its example, and its form."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
LIBRARIES = str(Path(os.environ["FETCHEDRESULTS_LIBRARY"]).resolve().parent)
ENVIRONMENT = {
    **os.environ,
    "CARGO_TARGET_DIR": str(PROJECT / "build/rust"),
    "FETCHEDRESULTS_LIB_DIR": LIBRARIES,
    "LD_LIBRARY_PATH": LIBRARIES,
}


def cargo(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["cargo", *arguments]
    return subprocess.run(
        command, cwd=PROJECT / "bindings/rust", env=ENVIRONMENT, capture_output=True, text=True, timeout=600
    )


@unittest.skipUnless(shutil.which("cargo"), "these tests need cargo, which comes with Rust")
class RustTests(unittest.TestCase):
    def test_the_tests_of_the_crate_pass(self) -> None:
        done = cargo("test", "--offline", "--quiet")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotIn("warning", done.stderr)

    @unittest.skipUnless(shutil.which("cargo-fmt"), "this test needs rustfmt")
    def test_the_crate_is_formatted(self) -> None:
        done = cargo("fmt", "--check")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_example_follows_a_table(self) -> None:
        built = cargo("build", "--offline", "--quiet", "--example", "live_list")
        self.assertEqual(built.returncode, 0, built.stderr)
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder, "app.db"))
            writer = sqlite3.connect(path, isolation_level=None)
            self.addCleanup(writer.close)
            writer.executescript(
                "CREATE TABLE lists (id INTEGER PRIMARY KEY, title); INSERT INTO lists VALUES (1, 'a')"
            )
            program = [str(PROJECT / "build/rust/debug/examples/live_list"), path, "lists", "title"]
            with subprocess.Popen(program, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True) as process:
                try:
                    self.assertEqual(process.stdout.readline(), "Integer(1) | a\n")
                    writer.execute("INSERT INTO lists VALUES (2, 'b')")
                    change = "Insert None -> Some(IndexPath { section: 0, row: 1 })\n"
                    lines = [change, "Integer(1) | a\n", "Integer(2) | b\n"]
                    self.assertEqual([process.stdout.readline() for _ in lines], lines)
                finally:
                    process.kill()
