"""Tests when scripts/build-library calls Swift, in a tree with a Swift that notes its calls."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts/build-library"
SWIFT = """#!/bin/sh
echo "$@" >>calls
mkdir -p scratch/library/release
echo library >scratch/library/release/libfetchedresults.so
"""
STRIP = """#!/bin/sh
cp "$4" "$3"
"""


class BuildLibraryTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = Path(folder.name)
        texts = {
            "scripts/setup": "#!/bin/sh\n",
            "swift": SWIFT,
            "strip": STRIP,
        }
        for name in (
            "scripts/fetchedresults.map",
            "scripts/hot-functions.txt",
            "Package.swift",
            "Sources/a.swift",
            "include/a.h",
        ):
            texts[name] = ""
        for name, text in texts.items():
            file = self.tree / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            file.chmod(0o755)
        shutil.copy(SCRIPT, self.tree / "scripts")
        self.let_be_older("swift")

    def let_be_older(self, *names: str) -> None:
        """Makes everything in the tree, but for these, a minute older."""
        for file in self.tree.rglob("*"):
            if file.name not in names:
                os.utime(file, (time.time() - 60, time.time() - 60))

    def build(self, *options: str, swift: str = "swift") -> subprocess.CompletedProcess[str]:
        environment = {"SWIFT": str(self.tree / swift), "STRIP": str(self.tree / "strip"), "SCRATCH": "scratch"}
        return subprocess.run(
            [self.tree / "scripts/build-library", *options, "0.1.0", "0"],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
        )

    def calls(self) -> int:
        return len((self.tree / "calls").read_text().splitlines())

    def test_calls_swift_which_knows_whether_there_is_anything_to_do(self) -> None:
        for number in (1, 2):
            self.assertEqual(self.build().returncode, 0)
            self.assertEqual(self.calls(), number)

    def test_the_flags_of_the_compiler_do_not_depend_on_a_terminal(self) -> None:
        self.build()
        self.assertIn(" --no-color-diagnostics ", (self.tree / "calls").read_text())

    def test_compiles_everything_again_when_the_flags_may_have_changed(self) -> None:
        compiled = self.tree / "scratch/library/compiled"
        self.build()
        compiled.touch()
        self.build()
        self.assertTrue(compiled.exists())
        self.let_be_older()
        (self.tree / "scripts/build-library").touch()
        self.build()
        self.assertFalse(compiled.exists())

    def test_installing_a_library_that_is_current_needs_no_swift(self) -> None:
        self.build()
        done = self.build("--unless-current", swift="none")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertEqual(self.calls(), 1)

    def test_installing_builds_what_is_missing_or_old(self) -> None:
        self.assertEqual(self.build("--unless-current").returncode, 0)
        self.let_be_older("a.swift")
        (self.tree / "Sources/a.swift").touch()
        self.assertEqual(self.build("--unless-current").returncode, 0)
        self.assertEqual(self.calls(), 2)

    def test_installing_an_old_library_without_swift_is_refused(self) -> None:
        self.build()
        self.let_be_older()
        (self.tree / "include/a.h").touch()
        done = self.build("--unless-current", swift="none")
        self.assertEqual(done.returncode, 1)
        self.assertIn("run `make` first", done.stderr)
